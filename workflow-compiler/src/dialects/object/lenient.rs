//! Readers of values that a language accepts in several forms: numbers and booleans written as
//! strings, an array of one written as its element.

use super::Object;
use super::numbers::{NumberRange, in_range, number};
use crate::diagnostics::codes::fields as codes;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::dialects::timespan::{Timespan, read_duration};
use crate::source::Spanned;
use crate::syntax::wrong_type;
use crate::syntax::{Node, Tree, shown};

impl Object<'_> {
    /// Returns the member `name` as a label for people: a string, or a number such as YAML makes
    /// of `version: 1.0`. Warns if the number is not shown as it was written.
    pub fn label(&self, name: &str, diagnostics: &mut Diagnostics) -> Option<Spanned<String>> {
        let node = self.get(name)?;
        if let (Tree::Float(value), Some(read)) = (&node.tree, label_of(node))
            && read.value.len() != (node.span.end - node.span.start) as usize
        {
            let message = format!("`{name}` is a number and is read as `{value}`");
            diagnostics.push(
                Diagnostic::new(&codes::WF0461, node.span, message).help("write it in double quotes, as in `\"1.10\"`"),
            );
        }
        label_of(node).or_else(|| self.string(name, diagnostics))
    }

    /// Returns the member `name` as a label that is not empty.
    pub fn non_empty_label(&self, name: &str, diagnostics: &mut Diagnostics) -> Option<Spanned<String>> {
        let label = self.label(name, diagnostics)?;
        if label.value.trim().is_empty() {
            let message = format!("`{name}` is empty");
            diagnostics.push(Diagnostic::new(&codes::WF0412, label.span, message).help("write a name"));
            return None;
        }
        Some(label)
    }

    /// Returns the boolean member `name`. The strings `"true"` and `"false"` are accepted in any
    /// case.
    pub fn flag(&self, name: &str, diagnostics: &mut Diagnostics) -> Option<bool> {
        let node = self.get(name)?;
        let value = boolean_of(node);
        if value.is_none() {
            wrong_type(node, name, "`true` or `false`", diagnostics);
        }
        value
    }

    /// Returns the member `name` as a number of at least `least`. A string that is a number is
    /// accepted ([W12](docs/workflow-dsl.md#w12)).
    pub fn number(&self, name: &str, least: f64, diagnostics: &mut Diagnostics) -> Option<Spanned<f64>> {
        let node = self.get(name)?;
        let range = NumberRange::Real(least, f64::INFINITY);
        let written = node.as_text().and_then(|text| text.value.trim().parse().ok());
        match written.filter(|value: &f64| value.is_finite()) {
            Some(value) => in_range(node, name, value, range, diagnostics),
            None => number(node, name, range, diagnostics),
        }
    }

    /// Returns the member `name` as a number of seconds. An ISO 8601 duration is an error whose
    /// help line gives the number.
    pub fn seconds(&self, name: &str, diagnostics: &mut Diagnostics) -> Option<Spanned<f64>> {
        if let Some(text) = self.get(name).and_then(Node::as_text)
            && let Ok(duration) = read_duration(&text.value)
        {
            let message = format!("`{name}` must be a number of seconds, found a duration");
            let help = format!("write `{}`", duration.as_secs_f64());
            diagnostics.push(Diagnostic::new(&codes::WF0403, text.span, message).help(help));
            return None;
        }
        self.number(name, 0.0, diagnostics)
    }

    /// Returns the member `name` as an integer from 0 to `u32::MAX`, also one written as a string.
    pub fn whole(&self, name: &str, diagnostics: &mut Diagnostics) -> Option<Spanned<u32>> {
        let number = self.number(name, 0.0, diagnostics)?;
        let range = NumberRange::Whole(0..=u32::MAX);
        let number = in_range(self.get(name)?, name, number.value, range, diagnostics)?;
        Some(Spanned::new(number.value as u32, number.span))
    }

    /// Returns the member `name` as an ISO 8601 duration.
    pub fn duration(&self, name: &str, diagnostics: &mut Diagnostics) -> Option<Timespan> {
        let node = self.get(name)?;
        let Some(text) = node.as_text() else {
            let message = format!("`{name}` must be a duration, found {}", node.kind());
            let help = match node.tree {
                Tree::Int(count @ 0..) => format!("write {count} seconds as `\"PT{count}S\"`"),
                _ => "write ten seconds as `\"PT10S\"`".to_owned(),
            };
            diagnostics.push(Diagnostic::new(&codes::WF0403, node.span, message).help(help));
            return None;
        };
        match read_duration(&text.value) {
            Ok(duration) => Some(Timespan::new(duration, text.span)),
            Err(error) => {
                let message = format!("`{}` {}", shown(&text.value), error.message);
                diagnostics.push(Diagnostic::new(&codes::WF0421, text.span, message).help(error.help));
                None
            }
        }
    }
}

/// Returns a string or a number as a label, and `None` for any other value.
pub fn label_of(node: &Node) -> Option<Spanned<String>> {
    match &node.tree {
        Tree::Int(value) => Some(Spanned::new(value.to_string(), node.span)),
        Tree::Float(value) => Some(Spanned::new(decimal(*value), node.span)),
        Tree::String(text) => Some(Spanned::new(text.value.clone(), text.span)),
        _ => None,
    }
}

/// Formats a number as it was most probably written: `1.0` for 1.
fn decimal(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 { format!("{value:.1}") } else { value.to_string() }
}

/// Returns the boolean that `node` is, also one written as a string.
pub fn boolean_of(node: &Node) -> Option<bool> {
    match &node.tree {
        Tree::Bool(value) => Some(*value),
        Tree::String(text) if text.value.trim().eq_ignore_ascii_case("true") => Some(true),
        Tree::String(text) if text.value.trim().eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

/// Returns the elements of an array, or the node itself as the only element.
pub fn one_or_more(node: &Node) -> &[Node] {
    node.as_array().unwrap_or(std::slice::from_ref(node))
}
