//! JSONata in fields: strings `{% … %}`, which are the whole field or stand at any depth of it.

use super::ast::QueryLanguage;
use super::parse::{AslParseCx, fields};
use crate::diagnostics::Diagnostic;
use crate::expr::jsonata::codes::{WF1801, WF1852};
use crate::expr::jsonata::{self, CheckedJsonata, StatesMembers, Yields};
use crate::source::Span;
use crate::syntax::{Entry, Node, Text, Tree};
use std::ops::Range;

/// Checked value of a field with expressions in it.
#[derive(Debug)]
pub struct JsonataTemplate {
    /// Value.
    pub part: TemplatePart,
    /// Span of the value.
    pub span: Span,
}

/// Part of a value with expressions in it.
#[derive(Debug)]
pub enum TemplatePart {
    /// Constant, which contains no expression.
    Constant(Node),
    /// Expression.
    Expression(Box<CheckedJsonata>),
    /// Object.
    Object(Vec<(String, TemplatePart)>),
    /// Array.
    Array(Vec<TemplatePart>),
}

/// Returns the value of the field at the path `field`, with expressions at any depth. The value of
/// a whole expression has to be one that `yields` names.
pub fn template(
    node: &Node,
    field: &str,
    members: StatesMembers,
    yields: Yields,
    cx: &mut AslParseCx,
) -> Option<JsonataTemplate> {
    let part = part(node, field, members, yields, cx)?;
    Some(JsonataTemplate { part, span: node.span })
}

fn part(node: &Node, field: &str, members: StatesMembers, yields: Yields, cx: &mut AslParseCx) -> Option<TemplatePart> {
    let is_constant = |part: &TemplatePart| matches!(part, TemplatePart::Constant(_));
    match &node.tree {
        Tree::String(text) => match delimited(text, cx) {
            Delimited::Expression(at) => {
                expression_at(text, at, field, members, yields, cx).map(|read| TemplatePart::Expression(Box::new(read)))
            }
            Delimited::Constant => Some(TemplatePart::Constant(node.clone())),
            Delimited::Invalid => None,
        },
        Tree::Object(entries) => {
            let parts = entries.iter().map(|Entry { key, value }| {
                let field = format!("{field}/{}", key.value);
                Some((key.value.clone(), part(value, &field, members, Yields::Any, cx)?))
            });
            // All errors are reported.
            let parts: Vec<Option<(String, TemplatePart)>> = parts.collect();
            let parts: Option<Vec<_>> = parts.into_iter().collect();
            parts.map(|parts| match parts.iter().all(|(_, part)| is_constant(part)) {
                true => TemplatePart::Constant(node.clone()),
                false => TemplatePart::Object(parts),
            })
        }
        Tree::Array(items) => {
            let items = items.iter().enumerate();
            let parts: Vec<Option<TemplatePart>> =
                items.map(|(at, item)| part(item, &format!("{field}[{at}]"), members, Yields::Any, cx)).collect();
            let parts: Option<Vec<_>> = parts.into_iter().collect();
            parts.map(|parts| match parts.iter().all(is_constant) {
                true => TemplatePart::Constant(node.clone()),
                false => TemplatePart::Array(parts),
            })
        }
        _ => Some(TemplatePart::Constant(node.clone())),
    }
}

/// Returns the expression that the text of a field is, or `None` in `Some` if it is a constant.
/// Returns `None` after reporting an error.
pub fn expression(
    text: &Text,
    field: &str,
    members: StatesMembers,
    yields: Yields,
    cx: &mut AslParseCx,
) -> Option<Option<CheckedJsonata>> {
    if cx.language != QueryLanguage::Jsonata {
        return Some(None);
    }
    match delimited(text, cx) {
        Delimited::Constant => Some(None),
        Delimited::Invalid => None,
        Delimited::Expression(at) => expression_at(text, at, field, members, yields, cx).map(Some),
    }
}

fn expression_at(
    text: &Text,
    at: Range<usize>,
    field: &str,
    members: StatesMembers,
    yields: Yields,
    cx: &mut AslParseCx,
) -> Option<CheckedJsonata> {
    if fields::unbound(text, "a JSONata expression", cx) {
        return None;
    }
    let field = format!("{}{field}", cx.field);
    jsonata::read(text, at, members, &field, yields, cx.diagnostics)
}

/// Result of the search for delimiters.
enum Delimited {
    /// Place of an expression, without blanks around it.
    Expression(Range<usize>),
    /// Text that is not an expression.
    Constant,
    /// Text with one of the two delimiters, which has been reported.
    Invalid,
}

/// Returns the place of the expression in a text
/// ([A15](docs/amazon-states-language.md#a15)).
fn delimited(text: &Text, cx: &mut AslParseCx) -> Delimited {
    let value = text.value.as_str();
    let (starts, ends) = (value.starts_with("{%"), value.ends_with("%}"));
    if starts && ends && value.len() >= "{%%}".len() {
        let inner = &value[2..value.len() - 2];
        let start = 2 + inner.len() - inner.trim_start().len();
        return Delimited::Expression(start..start.max(2 + inner.trim_end().len()));
    }
    let trimmed = value.trim();
    if trimmed.len() < value.len() && trimmed.starts_with("{%") && trimmed.ends_with("%}") {
        let message = "the string is not evaluated: there are blanks outside of `{%` and `%}`";
        cx.push(Diagnostic::new(&WF1852, text.span, message).help("remove the blanks"));
        return Delimited::Constant;
    }
    if starts || ends {
        let (found, missing) = if starts { ("{%", "%}") } else { ("%}", "{%") };
        let place = if starts { "end" } else { "start" };
        let message = format!("a JSONata expression has `{found}` and no `{missing}`");
        cx.push(
            Diagnostic::new(&WF1801, text.span, message)
                .help(format!("write `{missing}` at the {place} of the string")),
        );
        return Delimited::Invalid;
    }
    Delimited::Constant
}
