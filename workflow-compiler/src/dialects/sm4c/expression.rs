//! Expressions: texts of the form `${ … }`. What stands in them is read elsewhere.

use super::Cx;
use super::ast::{Expression, ExpressionKind, Name};
use crate::diagnostics::{Diagnostic, codes::fields as codes, codes::state_machines as own};
use crate::syntax::{Node, Text, Tree, shown};

const OPEN: &str = "${ ";
const CLOSE: &str = " }";
const FUNCTION: &str = "fn:";

/// The expression that a member has to be.
pub fn expression(node: &Node, name: &str, cx: &mut Cx) -> Option<Expression> {
    let Some(text) = node.as_text() else {
        let message = format!("`{name}` must be an expression, and this is {}", node.kind());
        let help = match &node.tree {
            Tree::Bool(value) => format!("write `\"${{ {value} }}\"`"),
            Tree::Int(value) => format!("write `\"${{ {value} }}\"`"),
            _ => "write it in double quotes, as in `\"${ .order }\"`".to_owned(),
        };
        cx.push(Diagnostic::new(&codes::E0403, node.span, message).help(help));
        return None;
    };
    if !has_form(&text.value) {
        refuse(text, name, cx);
        return None;
    }
    let range = OPEN.len()..text.value.len() - CLOSE.len();
    let source = &text.value[range.clone()];
    let span = text.span_of(range.start, range.end);
    if source.trim().is_empty() {
        let message = format!("the expression of `{name}` is empty");
        cx.push(Diagnostic::new(&codes::E0412, text.span, message).help("`${ . }` is all of the data"));
        return None;
    }
    let kind = match source.trim().strip_prefix(FUNCTION) {
        Some(function) => {
            let function = function.trim();
            let start = range.start + source.find(FUNCTION).unwrap_or_default() + FUNCTION.len();
            let start = start + text.value[start..].find(function).unwrap_or_default();
            let name = Name::new(function.into(), text.span_of(start, start + function.len()));
            let reference = cx.function(name)?;
            cx.functions_in_expressions.push(reference.clone());
            ExpressionKind::Function(reference)
        }
        None => ExpressionKind::Jq,
    };
    Some(Expression { text: text.clone(), range, span, kind })
}

/// Whether a text is an expression.
pub fn has_form(text: &str) -> bool {
    text.starts_with(OPEN) && text.ends_with(CLOSE) && text.len() >= OPEN.len() + CLOSE.len()
}

/// Whether a text is an expression or was probably meant to be one.
pub fn looks_like(text: &str) -> bool {
    let text = text.trim();
    text.starts_with("${") && text.ends_with('}')
}

/// The expression that was probably meant by a text that is none.
pub fn meant(text: &str) -> String {
    let trimmed = text.trim();
    let inner = match trimmed.strip_prefix("${") {
        Some(inner) => inner.strip_suffix('}').unwrap_or(inner),
        // A path, as other languages have it.
        None if trimmed.starts_with("$.") => &trimmed[1..],
        None => trimmed,
    };
    format!("{OPEN}{}{CLOSE}", inner.trim())
}

fn refuse(text: &Text, name: &str, cx: &mut Cx) {
    let value = &text.value;
    if value.trim().is_empty() || value == "${ }" || value == "${}" {
        let message = format!("the expression of `{name}` is empty");
        cx.push(Diagnostic::new(&codes::E0412, text.span, message).help("`${ . }` is all of the data"));
        return;
    }
    let message = if has_form(value.trim()) {
        format!("blanks or line breaks stand around the expression of `{name}`")
    } else if looks_like(value) {
        format!("the expression of `{name}` needs a blank after `${{` and one before `}}`")
    } else if value.trim_start().starts_with("${") {
        format!("the expression of `{name}` is not closed")
    } else {
        format!("`{name}` is not an expression")
    };
    let mended = meant(value);
    let is_short = mended.chars().count() <= 60 && !mended.contains(char::is_control);
    let help = if has_form(value.trim()) && value.ends_with('\n') {
        "begin the block with `|-` or `>-`, which leave out the last line break".to_owned()
    } else if is_short {
        format!("write `{mended}`")
    } else {
        format!("begin it with `{OPEN}`, and end it with `{CLOSE}`")
    };
    let found = Diagnostic::new(&own::E0807, text.span, message).help(help);
    // Where every character stands for itself, it can be replaced as it is.
    let is_verbatim = !text.is_plain() && !value.contains(|c: char| c.is_control() || "\"\\'".contains(c));
    let place = text.span_of(0, value.len());
    cx.push(if is_verbatim { found.fix(place, mended) } else { found });
}

/// Warns of a text that looks like an expression, and is taken as it is.
pub fn warn_of_constant(text: &Text, why: &str, cx: &mut Cx) {
    let message = format!("`{}` stays as it is: {why}", shown(&text.value));
    let help = if has_form(&text.value) {
        "make it a value of its own, or build the object in one expression".to_owned()
    } else {
        format!("write `{}`", shown(&meant(&text.value)))
    };
    cx.push(Diagnostic::new(&codes::W0407, text.span, message).help(help));
}
