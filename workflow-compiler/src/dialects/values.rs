//! Values that languages take in more than one form: numbers and truth values as texts, lists of one.

use super::fields::wrong_type;
use super::members::{Members, out_of_range, text};
use super::timespan::{Timespan, read_duration};
use crate::diagnostics::codes::{activities as own, fields as codes};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::source::Spanned;
use crate::syntax::{Node, Tree, shown};

/// A field that says something to people: a text, or a number as YAML reads `version: 1.0`.
pub fn label(members: &Members<'_>, name: &str, diagnostics: &mut Diagnostics) -> Option<Spanned<String>> {
    let node = members.get(name)?;
    if let (Tree::Float(value), Some(read)) = (&node.tree, label_of(node))
        && read.value.len() != (node.span.end - node.span.start) as usize
    {
        let message = format!("`{name}` is a number, which is read as `{value}`");
        diagnostics
            .push(Diagnostic::new(&own::W1105, node.span, message).help("write it in double quotes, as in `\"1.10\"`"));
    }
    label_of(node).or_else(|| text(node, name, diagnostics).map(|text| Spanned::new(text.value.clone(), text.span)))
}

/// What a value says to people: a text, or a number.
pub fn label_of(node: &Node) -> Option<Spanned<String>> {
    match &node.tree {
        Tree::Int(value) => Some(Spanned::new(value.to_string(), node.span)),
        Tree::Float(value) => Some(Spanned::new(decimal(*value), node.span)),
        Tree::String(text) => Some(Spanned::new(text.value.clone(), text.span)),
        _ => None,
    }
}

/// A number as it was most probably written: `1.0` for 1.
fn decimal(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 { format!("{value:.1}") } else { value.to_string() }
}

/// A field that is a name, and so not empty.
#[cfg(feature = "workflow-dsl")]
pub fn name(members: &Members<'_>, name: &str, diagnostics: &mut Diagnostics) -> Option<Spanned<String>> {
    let found = label(members, name, diagnostics)?;
    if found.value.trim().is_empty() {
        let message = format!("`{name}` is empty");
        diagnostics.push(Diagnostic::new(&codes::E0412, found.span, message).help("write a name"));
        return None;
    }
    Some(found)
}

/// A field that is true or false, also as a text.
pub fn flag(members: &Members<'_>, name: &str, diagnostics: &mut Diagnostics) -> Option<bool> {
    let node = members.get(name)?;
    let value = flag_of(node);
    if value.is_none() {
        wrong_type(node, name, "`true` or `false`", diagnostics);
    }
    value
}

/// A value that is true or false, also as a text.
pub fn flag_of(node: &Node) -> Option<bool> {
    match &node.tree {
        Tree::Bool(value) => Some(*value),
        Tree::String(text) if text.value.trim().eq_ignore_ascii_case("true") => Some(true),
        Tree::String(text) if text.value.trim().eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

/// A field that is a number, also as a text (ruling W12), of at least `least`.
pub fn number(members: &Members<'_>, name: &str, least: f64, diagnostics: &mut Diagnostics) -> Option<Spanned<f64>> {
    let node = members.get(name)?;
    let value = match &node.tree {
        Tree::Int(value) => Some(*value as f64),
        Tree::Float(value) => Some(*value),
        Tree::String(text) => text.value.trim().parse().ok().filter(|value: &f64| value.is_finite()),
        _ => None,
    };
    let Some(value) = value else {
        wrong_type(node, name, "a number", diagnostics);
        return None;
    };
    if value < least {
        out_of_range(node, name, &format!("a number of at least {least}"), least, diagnostics);
        return None;
    }
    Some(Spanned::new(value, node.span))
}

/// A field that is a number of seconds.
#[cfg(feature = "workflow-dsl")]
pub fn seconds(members: &Members<'_>, name: &str, diagnostics: &mut Diagnostics) -> Option<Spanned<f64>> {
    if let Some(text) = members.get(name).and_then(Node::as_text)
        && let Ok(duration) = read_duration(&text.value)
    {
        let message = format!("`{name}` must be a number of seconds, and this is a duration");
        let help = format!("write `{}`", duration.as_secs_f64());
        diagnostics.push(Diagnostic::new(&codes::E0403, text.span, message).help(help));
        return None;
    }
    number(members, name, 0.0, diagnostics)
}

/// A field that is a whole number, also as a text.
pub fn whole(members: &Members<'_>, name: &str, diagnostics: &mut Diagnostics) -> Option<Spanned<u32>> {
    let found = number(members, name, 0.0, diagnostics)?;
    if found.value.fract() == 0.0 && found.value <= f64::from(u32::MAX) {
        return Some(Spanned::new(found.value as u32, found.span));
    }
    let node = members.get(name)?;
    let nearest = found.value.round().min(f64::from(u32::MAX));
    out_of_range(node, name, &format!("a whole number from 0 to {}", u32::MAX), nearest, diagnostics);
    None
}

/// A field that is a duration.
pub fn duration(members: &Members<'_>, name: &str, diagnostics: &mut Diagnostics) -> Option<Timespan> {
    let node = members.get(name)?;
    let Some(text) = node.as_text() else {
        let message = format!("`{name}` must be a duration, and this is {}", node.kind());
        let help = match node.tree {
            Tree::Int(count @ 0..) => format!("{count} seconds are `\"PT{count}S\"`"),
            _ => "ten seconds are `\"PT10S\"`".to_owned(),
        };
        diagnostics.push(Diagnostic::new(&codes::E0403, node.span, message).help(help));
        return None;
    };
    match read_duration(&text.value) {
        Ok(duration) => Some(Timespan::new(duration, text.span)),
        Err(flaw) => {
            let message = format!("`{}` {}", shown(&text.value), flaw.message);
            diagnostics.push(Diagnostic::new(&own::E1105, text.span, message).help(flaw.help));
            None
        }
    }
}

/// A field that is a list, or one member of one.
pub fn one_or_more(node: &Node) -> &[Node] {
    node.as_array().unwrap_or(std::slice::from_ref(node))
}
