//! JSONata in fields: strings `{% … %}`, which are the whole field or stand at any depth of it.

use super::parse::{AslParseCx, fields};
use crate::diagnostics::codes::fields::{WF0403, WF0457};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::expr::jsonata::codes::{WF1801, WF1852};
use crate::expr::jsonata::{self, CheckedJsonata, StatesMembers, Yields};
use crate::source::Span;
use crate::syntax::{Entry, Node, Text, Tree};
use std::ops::Range;

/// Maximal length of a key in the name of a field, in characters.
const LONGEST_KEY: usize = 80;
/// Maximal length of the name of a field, in bytes. Every expression has such a name.
const LONGEST_FIELD: usize = 1000;

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

impl TemplatePart {
    /// Calls `visit` with each expression.
    pub fn walk(&self, visit: &mut dyn FnMut(&CheckedJsonata)) {
        match self {
            TemplatePart::Constant(_) => {}
            TemplatePart::Expression(expression) => visit(expression),
            TemplatePart::Object(members) => members.iter().for_each(|(_, part)| part.walk(visit)),
            TemplatePart::Array(items) => items.iter().for_each(|part| part.walk(visit)),
        }
    }
}

/// Returns the value of the field `name`, with expressions at any depth. An expression that is the
/// whole value has to yield what `yields` names.
pub fn template(
    node: &Node,
    name: &str,
    members: StatesMembers,
    yields: Yields,
    cx: &mut AslParseCx,
) -> Option<JsonataTemplate> {
    let part = cx.in_field(name, |cx| part(node, members, yields, cx))?.of(node);
    Some(JsonataTemplate { part, span: node.span })
}

/// Returns the object `name`, whose member `typed` has to be a string. Reports any other value.
pub fn object(node: &Node, name: &str, typed: &str, cx: &mut AslParseCx) -> Option<JsonataTemplate> {
    let Tree::Object(entries) = &node.tree else {
        crate::syntax::wrong_type(node, name, "an object", cx.diagnostics);
        return None;
    };
    let of = |key: &str| if key == typed { Yields::String } else { Yields::Any };
    let parts = cx.in_field(name, |cx| object_part(entries, StatesMembers::InputOnly, of, cx))?;
    Some(JsonataTemplate { part: parts.of(node), span: node.span })
}

/// Result of reading a part. A constant is copied once, by the part around it that is none.
enum ReadPart {
    Constant,
    Computed(TemplatePart),
}

impl ReadPart {
    fn of(self, node: &Node) -> TemplatePart {
        match self {
            ReadPart::Constant => TemplatePart::Constant(node.clone()),
            ReadPart::Computed(part) => part,
        }
    }
}

fn part(node: &Node, members: StatesMembers, yields: Yields, cx: &mut AslParseCx) -> Option<ReadPart> {
    match &node.tree {
        Tree::String(text) => Some(match read(text, members, yields, cx)? {
            Some(expression) => ReadPart::Computed(TemplatePart::Expression(Box::new(expression))),
            None => ReadPart::Constant,
        }),
        Tree::Object(entries) => object_part(entries, members, |_| Yields::Any, cx),
        Tree::Array(items) => {
            let mut parts = Vec::with_capacity(items.len());
            for (at, item) in items.iter().enumerate() {
                parts.push(cx.in_field(&format!("[{at}]"), |cx| part(item, members, Yields::Any, cx)));
            }
            // All errors have been reported.
            let parts: Vec<ReadPart> = parts.into_iter().collect::<Option<_>>()?;
            if parts.iter().all(|part| matches!(part, ReadPart::Constant)) {
                return Some(ReadPart::Constant);
            }
            let parts = parts.into_iter().zip(items).map(|(part, item)| part.of(item));
            Some(ReadPart::Computed(TemplatePart::Array(parts.collect())))
        }
        _ => Some(ReadPart::Constant),
    }
}

fn object_part(
    entries: &[Entry],
    members: StatesMembers,
    yields: impl Fn(&str) -> Yields,
    cx: &mut AslParseCx,
) -> Option<ReadPart> {
    let mut parts = Vec::with_capacity(entries.len());
    for Entry { key, value } in entries {
        let yields = yields(&key.value);
        parts.push(cx.in_field(&key.value, |cx| part(value, members, yields, cx)));
    }
    let parts: Vec<ReadPart> = parts.into_iter().collect::<Option<_>>()?;
    if parts.iter().all(|part| matches!(part, ReadPart::Constant)) {
        return Some(ReadPart::Constant);
    }
    let parts = parts.into_iter().zip(entries).map(|(part, entry)| (entry.key.value.clone(), part.of(&entry.value)));
    Some(ReadPart::Computed(TemplatePart::Object(parts.collect())))
}

/// Returns the expression that the text of the field `name` is, or `None` in `Some` if the text is
/// a constant. Returns `None` after reporting an error.
pub fn expression(text: &Text, name: &str, yields: Yields, cx: &mut AslParseCx) -> Option<Option<CheckedJsonata>> {
    match cx.is_jsonata() {
        true => cx.in_field(name, |cx| read(text, StatesMembers::InputOnly, yields, cx)),
        false => Some(None),
    }
}

fn read(text: &Text, members: StatesMembers, yields: Yields, cx: &mut AslParseCx) -> Option<Option<CheckedJsonata>> {
    let at = match delimited(text, cx) {
        Delimited::Expression(at) => at,
        Delimited::Constant => return Some(None),
        Delimited::Invalid => return None,
    };
    if cx.diagnostics.is_exhausted(text.span) || fields::unbound(text, "a JSONata expression", cx) {
        return None;
    }
    jsonata::read(text, at, members, &cx.field, yields, cx.diagnostics).map(Some)
}

/// Adds a key or an index to the name of a field.
pub fn add_to_field(field: &mut String, part: &str) {
    if field.len() > LONGEST_FIELD {
        return;
    }
    if !part.starts_with('[') && !field.is_empty() && !field.ends_with('/') {
        field.push('/');
    }
    match part.char_indices().nth(LONGEST_KEY) {
        Some((end, _)) => field.extend([&part[..end], "…"]),
        None => field.push_str(part),
    }
}

/// Returns `true` if a text has both delimiters.
pub fn has_delimiters(text: &str) -> bool {
    text.starts_with("{%") && text.ends_with("%}") && text.len() >= "{%%}".len()
}

/// Warns of a constant in JSONPath that looks like an expression in JSONata
/// ([A16](docs/amazon-states-language.md#a16)).
pub fn warn_of_constant(text: &Text, diagnostics: &mut Diagnostics) {
    if has_delimiters(&text.value) {
        let message = "the JSONata expression is not evaluated: the query language of the state is JSONPath";
        let help = "add `\"QueryLanguage\": \"JSONata\"` to the state";
        diagnostics.push(Diagnostic::new(&WF0457, text.span, message).help(help));
    }
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
    if has_delimiters(value) {
        let inner = &value[2..value.len() - 2];
        let start = 2 + inner.len() - inner.trim_start().len();
        return Delimited::Expression(start..start.max(2 + inner.trim_end().len()));
    }
    let trimmed = value.trim();
    if trimmed.len() < value.len() && has_delimiters(trimmed) {
        let message = "the expression is not evaluated, because of the blanks around `{%` and `%}`";
        cx.push(Diagnostic::new(&WF1852, text.span, message).help("remove the blanks"));
        return Delimited::Constant;
    }
    let message = match (value.starts_with("{%"), value.ends_with("%}")) {
        (false, false) => return Delimited::Constant,
        (true, _) => "a JSONata expression that begins with `{%` must end with `%}`",
        (false, true) => "a JSONata expression that ends with `%}` must begin with `{%`",
    };
    cx.push(Diagnostic::new(&WF1801, text.span, message).help("write the expression between `{%` and `%}`"));
    Delimited::Invalid
}

/// Reports a constant string where a field needs a computed value, or one that is not a string.
pub fn constant_string(node: &Node, name: &str, wanted: &str, cx: &mut AslParseCx) {
    let message = format!("`{name}` must be {wanted}, found a constant string");
    let help = "write the expression between `{%` and `%}`";
    cx.push(Diagnostic::new(&WF0403, node.span, message).help(help));
}
