//! Parser of `Assign`: names of variables and their values.

use super::fields::unbound;
use super::{AslParseCx, LONGEST_NAME};
use crate::diagnostics::{Diagnostic, codes::fields as codes};
use crate::dialects::asl::ast::{Assign, PayloadTemplate};
use crate::dialects::asl::{expressions, jsonata};
use crate::dialects::object::Object;
use crate::expr::jsonata::{StatesMembers, Yields};
use crate::source::Spanned;
use crate::syntax::{Text, Tree, wrong_type};

/// Parses the field `Assign`. `members` are those of `$states` that its expressions have.
pub fn assign(fields: &Object, members: StatesMembers, cx: &mut AslParseCx) -> Option<Assign> {
    let node = fields.get("Assign")?;
    let values = match cx.is_jsonata() {
        true => {
            if !matches!(node.tree, Tree::Object(_)) {
                wrong_type(node, "Assign", "an object", cx.diagnostics);
                return None;
            }
            PayloadTemplate::Jsonata(jsonata::template(node, "Assign", members, Yields::Any, cx)?)
        }
        false => expressions::template(node, "Assign", cx)?,
    };
    let entries = node.as_object()?;
    let names: Vec<_> = entries.iter().filter_map(|entry| variable_name(&entry.key, cx)).collect();
    let complete = names.len() == entries.len();
    complete.then_some(Assign { names, values, span: node.span })
}

/// Returns the variable that a member of `Assign` assigns.
fn variable_name(key: &Text, cx: &mut AslParseCx) -> Option<Spanned<String>> {
    if unbound(key, "the name of a variable", cx) {
        return None;
    }
    // In JSONata, a name that ends in `.$` is a name as any other, and not valid.
    let name = key.value.strip_suffix(".$").filter(|_| !cx.is_jsonata()).unwrap_or(&key.value);
    let span = key.span_of(0, name.len());
    let Some((message, help)) = name_error(name) else {
        return Some(Spanned::new(name.to_owned(), span));
    };
    cx.push(Diagnostic::new(&codes::WF0410, span, message).help(help));
    None
}

/// Returns the message and the help line for an invalid name of a variable. Names are identifiers
/// of Unicode Standard Annex 31 (ASL §State Machine Variables).
fn name_error(name: &str) -> Option<(String, &'static str)> {
    let length = name.chars().count();
    let misplaced = name.char_indices().find(|(at, c)| match at {
        0 => !unicode_ident::is_xid_start(*c),
        _ => !unicode_ident::is_xid_continue(*c),
    });
    match (length, misplaced) {
        (0, _) => Some(("the name of a variable is empty".into(), "choose a name")),
        _ if name == "states" => Some(("the variable `states` is reserved".into(), "choose another name")),
        _ if length > LONGEST_NAME => Some((
            format!("the name of a variable has {length} characters, but the maximum is {LONGEST_NAME}"),
            "choose a shorter name",
        )),
        (_, Some((_, c))) => Some((
            format!("`{name}` is not a valid variable name: unexpected `{c}`"),
            "use a letter, followed by letters, digits or `_`",
        )),
        (_, None) => None,
    }
}
