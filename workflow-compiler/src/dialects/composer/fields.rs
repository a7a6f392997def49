//! Field readers of compositions. Unknown fields are ignored (FORMAT.md §Specification), except
//! one that is probably a misspelling of a missing field.

use super::ast::Name;
use crate::diagnostics::suggest::nearest;
use crate::diagnostics::{Diagnostic, Diagnostics, codes::fields as codes};
use crate::dialects::fields::{Fields, wrong_type};
use crate::syntax::{Node, Text};

/// Returns the value of a required field. `known` lists the fields of the object. Another field
/// with a similar name is taken as a misspelling of `name`.
pub fn require<'a>(fields: &Fields<'a>, name: &str, known: &[&str], diagnostics: &mut Diagnostics) -> Option<&'a Node> {
    let value = fields.get(name);
    if value.is_none() {
        missing(fields, name, known, diagnostics);
    }
    value
}

/// Reports that a required field is missing.
pub fn missing(fields: &Fields<'_>, name: &str, known: &[&str], diagnostics: &mut Diagnostics) {
    let strays = fields.entries.iter().filter(|entry| !known.contains(&entry.key.value.as_str()));
    let meant = strays.into_iter().find(|entry| nearest(&entry.key.value, [name]).is_some());
    let message = format!("missing field `{name}` in {}", fields.owner);
    diagnostics.push(match meant {
        Some(entry) => Diagnostic::new(&codes::WF0401, entry.key.span, message)
            .label(format!("unknown field `{}`", entry.key.value))
            .help(format!("did you mean `{name}`?")),
        None => Diagnostic::new(&codes::WF0401, fields.span.opening(), message).help(format!("add `{name}`")),
    });
}

/// Returns the string field `name`, if it is present.
pub fn text<'a>(fields: &Fields<'a>, name: &str, diagnostics: &mut Diagnostics) -> Option<&'a Text> {
    let node = fields.get(name)?;
    let text = node.as_text();
    if text.is_none() {
        wrong_type(node, name, "a string", diagnostics);
    }
    text
}

/// Returns a field that names a state, if it is present.
pub fn state_name(fields: &Fields<'_>, name: &str, diagnostics: &mut Diagnostics) -> Option<Name> {
    text(fields, name, diagnostics).map(|text| Name::new(text.value.as_str().into(), text.span))
}
