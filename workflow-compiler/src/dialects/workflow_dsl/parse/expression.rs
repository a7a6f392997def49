//! Parser of expressions: strings `${ … }`, alone or inside other text.

use super::super::ast::{Expression, StringPiece, Templated};
use super::DslParseCx;
use crate::diagnostics::codes::{expressions::WF0325, fields as codes};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::dialects::workflow_dsl::codes as own;
use crate::expr::jq;
use crate::syntax::expressions::expression_length;
use crate::syntax::{Node, Text, Tree, shown};

/// Returns the expression that a field must be.
pub fn expression(node: &Node, name: &str, cx: &mut DslParseCx) -> Option<Expression> {
    let Some(text) = node.as_text() else {
        let message = format!("`{name}` must be an expression, found {}", node.kind());
        let help = match &node.tree {
            Tree::Bool(value) => format!("write `\"${{ {value} }}\"`"),
            _ => "write it in double quotes, as in `\"${ .order }\"`".to_owned(),
        };
        cx.push(Diagnostic::new(&codes::WF0403, node.span, message).help(help));
        return None;
    };
    match whole(text) {
        Some(inner) if inner.value.trim().is_empty() => {
            let message = format!("the expression of `{name}` is empty");
            cx.push(Diagnostic::new(&codes::WF0412, text.span, message).help("use `${ . }` for all of the data"));
            None
        }
        Some(inner) => Some(jq_expression(inner, cx.diagnostics)),
        None => {
            let message = format!("`{name}` is not an expression");
            let written = text.value.trim();
            let help = match written.strip_prefix("${") {
                Some(rest) if expression_length(written).is_none() => format!("write `${{{} }}`", shown(rest)),
                Some(_) => "write one expression, from `${` to `}`".to_owned(),
                None => format!("write `${{ {} }}`", shown(written)),
            };
            cx.push(Diagnostic::new(&WF0325, text.span, message).help(help));
            None
        }
    }
}

/// Returns the source between `${` and its closing `}`, if the expression is the whole text.
pub fn whole(text: &Text) -> Option<Text> {
    let value = text.value.as_str();
    let start = value.len() - value.trim_start().len();
    let end = value.trim_end().len();
    let length = expression_length(value.get(start..end)?)?;
    (start + length == end).then(|| text.slice(start + "${".len(), end - "}".len()))
}

/// Parses a value whose strings may be or contain expressions.
pub fn templated(node: &Node, cx: &mut DslParseCx) -> Option<Templated> {
    Some(match &node.tree {
        Tree::String(text) => match pieces(text, cx)? {
            pieces if pieces.iter().all(|piece| matches!(piece, StringPiece::Text(_))) => {
                Templated::Constant(node.clone())
            }
            mut pieces if pieces.len() == 1 => match pieces.pop()? {
                StringPiece::Expression(expression) => Templated::Expression(expression),
                StringPiece::Text(_) => Templated::Constant(node.clone()),
            },
            pieces => Templated::Text(pieces),
        },
        Tree::Array(items) => {
            let read: Vec<Option<Templated>> = items.iter().map(|item| templated(item, cx)).collect();
            let read = read.into_iter().collect::<Option<Vec<_>>>()?;
            if read.iter().all(Templated::is_constant) {
                Templated::Constant(node.clone())
            } else {
                Templated::Array(read)
            }
        }
        Tree::Object(entries) => {
            let read = entries.iter().map(|entry| Some((entry.key.value.clone(), templated(&entry.value, cx)?)));
            let read: Vec<Option<(String, Templated)>> = read.collect();
            let read = read.into_iter().collect::<Option<Vec<_>>>()?;
            match read.iter().all(|(_, value)| value.is_constant()) {
                true => Templated::Constant(node.clone()),
                false => Templated::Object(read),
            }
        }
        Tree::Null | Tree::Bool(_) | Tree::Int(_) | Tree::Float(_) => Templated::Constant(node.clone()),
    })
}

/// Splits a string into text and expressions. Blanks around a lone expression are dropped.
pub fn pieces(text: &Text, cx: &mut DslParseCx) -> Option<Vec<StringPiece>> {
    if let Some(inner) = whole(text) {
        return lone(text, inner, cx);
    }
    let value = text.value.as_str();
    let mut pieces = Vec::new();
    let mut at = 0;
    while let Some(start_of_expression) = value[at..].find("${") {
        let start = at + start_of_expression;
        let Some(length) = expression_length(&value[start..]) else {
            let message = "unclosed expression";
            let place = text.span_of(start, value.len());
            cx.push(Diagnostic::new(&WF0325, place, message).help("write `}` after it"));
            return None;
        };
        if start > at {
            pieces.push(StringPiece::Text(value[at..start].to_owned()));
        }
        at = start + length;
        let inner = text.slice(start + "${".len(), at - "}".len());
        pieces.extend(lone(text, inner, cx)?);
    }
    if at < value.len() || pieces.is_empty() {
        pieces.push(StringPiece::Text(value[at..].to_owned()));
    }
    Some(pieces)
}

fn lone(text: &Text, inner: Text, cx: &mut DslParseCx) -> Option<Vec<StringPiece>> {
    if inner.value.trim().is_empty() {
        let message = "the expression is empty";
        cx.push(Diagnostic::new(&codes::WF0412, text.span, message).help("use `${ . }` for all of the data"));
        return None;
    }
    Some(vec![StringPiece::Expression(jq_expression(inner, cx.diagnostics))])
}

/// Returns the expression of a source. A path without its first dot is read as a path, with a
/// warning ([W3](docs/workflow-dsl.md#w3)).
pub fn jq_expression(text: Text, diagnostics: &mut Diagnostics) -> Expression {
    let trimmed = text.value.trim();
    let start = text.value.len() - text.value.trim_start().len();
    let text = text.slice(start, start + trimmed.len());
    let span = text.span;
    if is_bare_path(&text.value) && jq::calls_unknown_function(&text.value) {
        let dotted = format!(".{}", text.value);
        if jq::read_text(&dotted, &[], jq::ResultMode::Value).is_ok() {
            let message = format!("`{}` is read as `{dotted}`", shown(&text.value));
            diagnostics.push(
                Diagnostic::new(&own::WF1151, span, message)
                    .label("a path begins with a dot")
                    .help(format!("write `{}`", shown(&dotted)))
                    .fix(span.at_start(), "."),
            );
            return Expression { text: text.dotted(), span };
        }
    }
    Expression { text, span }
}

/// Returns `true` for `cart.items`: names joined by dots, without a dot before the first.
fn is_bare_path(text: &str) -> bool {
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    text.contains('.') && text.split('.').all(is_name)
}
