//! Fields of compositions. Those that are not asked for are ignored (FORMAT.md §Specification), but for one that is almost
//! named like one that is missing.

use super::ast::Name;
use crate::diagnostics::suggest::nearest;
use crate::diagnostics::{Diagnostic, Diagnostics, codes::fields as codes};
use crate::dialects::fields::{Fields, opening, wrong_type};
use crate::syntax::{Node, Text};

/// The value of a field that must be there. `known` are the fields that the object may have: one that is not among
/// them and is written almost like `name` was meant to be it.
pub fn require<'a>(fields: &Fields<'a>, name: &str, known: &[&str], diagnostics: &mut Diagnostics) -> Option<&'a Node> {
    let found = fields.get(name);
    if found.is_none() {
        missing(fields, name, known, diagnostics);
    }
    found
}

/// Reports that a field that must be there is not.
pub fn missing(fields: &Fields<'_>, name: &str, known: &[&str], diagnostics: &mut Diagnostics) {
    let strays = fields.entries.iter().filter(|entry| !known.contains(&entry.key.value.as_str()));
    let meant = strays.into_iter().find(|entry| nearest(&entry.key.value, [name]).is_some());
    let message = format!("{} needs `{name}`", fields.owner);
    diagnostics.push(match meant {
        Some(entry) => Diagnostic::new(&codes::E0401, entry.key.span, message)
            .label(format!("`{}` is not a field of {}", entry.key.value, fields.owner))
            .help(format!("did you mean `{name}`?")),
        None => Diagnostic::new(&codes::E0401, opening(fields.span), message).help(format!("add `{name}`")),
    });
}

/// A field whose value must be a string, if it is there.
pub fn text<'a>(fields: &Fields<'a>, name: &str, diagnostics: &mut Diagnostics) -> Option<&'a Text> {
    let node = fields.get(name)?;
    let found = node.as_text();
    if found.is_none() {
        wrong_type(node, name, "a string", diagnostics);
    }
    found
}

/// A field that names a state, if it is there.
pub fn state_name(fields: &Fields<'_>, name: &str, diagnostics: &mut Diagnostics) -> Option<Name> {
    text(fields, name, diagnostics).map(|text| Name::new(text.value.as_str().into(), text.span))
}
