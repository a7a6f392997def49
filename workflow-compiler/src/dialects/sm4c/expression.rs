//! Form of expressions: strings `${ … }`. Lowering parses the jq source between the braces.

use super::Sm4cParseCx;
use super::ast::{Expression, ExpressionKind, Name};
use crate::diagnostics::{Diagnostic, codes::expressions::WF0325, codes::fields as codes};
use crate::syntax::{Node, Text, Tree, shown};

const OPEN: &str = "${ ";
const CLOSE: &str = " }";
const FUNCTION: &str = "fn:";

/// Returns the expression that a member must be.
pub fn expression(node: &Node, name: &str, cx: &mut Sm4cParseCx) -> Option<Expression> {
    let Some(text) = node.as_text() else {
        let message = format!("`{name}` must be an expression, found {}", node.kind());
        let help = match &node.tree {
            Tree::Bool(value) => format!("write `\"${{ {value} }}\"`"),
            Tree::Int(value) => format!("write `\"${{ {value} }}\"`"),
            _ => "write it in double quotes, as in `\"${ .order }\"`".to_owned(),
        };
        cx.push(Diagnostic::new(&codes::WF0403, node.span, message).help(help));
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
        cx.push(Diagnostic::new(&codes::WF0412, text.span, message).help("use `${ . }` for all of the data"));
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

/// Returns `true` if a text has the exact form of an expression.
pub fn has_form(text: &str) -> bool {
    text.starts_with(OPEN) && text.ends_with(CLOSE) && text.len() >= OPEN.len() + CLOSE.len()
}

/// Returns `true` if a text is an expression or was probably meant as one.
pub fn looks_like(text: &str) -> bool {
    let text = text.trim();
    text.starts_with("${") && text.ends_with('}')
}

/// Returns the expression that a text was probably meant as.
pub fn intended(text: &str) -> String {
    let trimmed = text.trim();
    let inner = match trimmed.strip_prefix("${") {
        Some(inner) => inner.strip_suffix('}').unwrap_or(inner),
        // Other languages write a path in this form.
        None if trimmed.starts_with("$.") => &trimmed[1..],
        None => trimmed,
    };
    format!("{OPEN}{}{CLOSE}", inner.trim())
}

fn refuse(text: &Text, name: &str, cx: &mut Sm4cParseCx) {
    let value = &text.value;
    if value.trim().is_empty() || value == "${ }" || value == "${}" {
        let message = format!("the expression of `{name}` is empty");
        cx.push(Diagnostic::new(&codes::WF0412, text.span, message).help("use `${ . }` for all of the data"));
        return;
    }
    let message = if has_form(value.trim()) {
        format!("the expression of `{name}` has surrounding white space")
    } else if looks_like(value) {
        format!("the expression of `{name}` needs a space after `${{` and one before `}}`")
    } else if value.trim_start().starts_with("${") {
        format!("unclosed expression in `{name}`")
    } else {
        format!("`{name}` is not an expression")
    };
    let corrected = intended(value);
    let is_short = corrected.chars().count() <= 60 && !corrected.contains(char::is_control);
    let help = if has_form(value.trim()) && value.ends_with('\n') {
        "begin the block with `|-` or `>-`, which strip the last line break".to_owned()
    } else if is_short {
        format!("write `{corrected}`")
    } else {
        format!("begin it with `{OPEN}`, and end it with `{CLOSE}`")
    };
    let diagnostic = Diagnostic::new(&WF0325, text.span, message).help(help);
    // A string without escapes can be replaced character by character.
    let is_verbatim = !text.is_plain() && !value.contains(|c: char| c.is_control() || "\"\\'".contains(c));
    let place = text.span_of(0, value.len());
    cx.push(if is_verbatim { diagnostic.fix(place, corrected) } else { diagnostic });
}

/// Warns of a text that looks like an expression and is a constant.
pub fn warn_of_constant(text: &Text, why: &str, cx: &mut Sm4cParseCx) {
    let message = format!("`{}` is not evaluated: {why}", shown(&text.value));
    let help = if has_form(&text.value) {
        "make it a separate argument, or build the object in one expression".to_owned()
    } else {
        format!("write `{}`", shown(&intended(&text.value)))
    };
    cx.push(Diagnostic::new(&codes::WF0457, text.span, message).help(help));
}
