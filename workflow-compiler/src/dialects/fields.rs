//! Fields of one object, and the diagnostic for a value of the wrong type. All dialects share this
//! module. A dialect adds its own readers.

use crate::diagnostics::{Diagnostic, Diagnostics, codes::fields as codes};
use crate::source::Span;
use crate::syntax::{Entry, Node, Tree, shown};

/// Fields of an object. `owner` is the noun phrase for the object in messages: `a Task state`.
#[derive(Debug, Clone, Copy)]
pub struct Fields<'a> {
    pub owner: &'static str,
    pub span: Span,
    pub entries: &'a [Entry],
}

impl<'a> Fields<'a> {
    /// Returns the fields of `node`. Reports an error if `node` is not an object. Returns `None`
    /// at the limit of errors, too, which is reported once.
    pub fn of(node: &'a Node, owner: &'static str, diagnostics: &mut Diagnostics) -> Option<Fields<'a>> {
        if diagnostics.is_exhausted(node.span) {
            return None;
        }
        match node.as_object() {
            Some(entries) => Some(Fields { owner, span: node.span, entries }),
            None => {
                let message = format!("{owner} must be an object, found {}", node.kind());
                diagnostics.push(Diagnostic::new(&codes::WF0403, node.span, message).help("write an object: `{ … }`"));
                None
            }
        }
    }

    /// Returns the field `name` with its key.
    #[cfg(any(feature = "asl", feature = "composer"))]
    pub fn entry(&self, name: &str) -> Option<&'a Entry> {
        self.entries.iter().find(|entry| entry.key.value == name)
    }

    /// Returns the value of the field `name`.
    #[cfg(any(feature = "asl", feature = "composer"))]
    pub fn get(&self, name: &str) -> Option<&'a Node> {
        self.entry(name).map(|entry| &entry.value)
    }
}

/// Reports a value of the wrong type. `wanted` names the right type with its article.
pub fn wrong_type(node: &Node, name: &str, wanted: &str, diagnostics: &mut Diagnostics) {
    let message = format!("`{name}` must be {wanted}, found {}", node.kind());
    let quoted = node.as_text().map(|text| text.value.as_str()).filter(|text| match wanted {
        "a whole number" | "a number" => text.parse::<f64>().is_ok(),
        _ => wanted == "`true` or `false`" && matches!(*text, "true" | "false"),
    });
    // The help line mentions quotes only if the value has some, or if quotes would make the value
    // a string.
    let is_scalar = matches!(wanted, "a whole number" | "a number" | "`true` or `false`");
    let unquoted = match node.as_text() {
        Some(text) if !text.is_plain() => ", without quotes",
        None if is_scalar => ", without quotes",
        _ => "",
    };
    let help = match (wanted, &node.tree) {
        _ if quoted.is_some() => format!("remove the quotes: `{}`", quoted.unwrap_or_default()),
        ("a string", Tree::Int(_) | Tree::Float(_) | Tree::Bool(_)) => "put it in double quotes".to_owned(),
        ("a string", _) => "write a string in double quotes".to_owned(),
        ("an array", Tree::Null) => "write a list: `[ … ]`".to_owned(),
        ("an array", Tree::Object(_)) if node.is_block() => "begin each element with `- `".to_owned(),
        ("an array", Tree::Object(_)) => "put it in brackets: `[{ … }]`".to_owned(),
        ("an array", Tree::String(text)) if text.is_plain() => {
            format!("put it in brackets: `[{}]`", shown(&text.value))
        }
        ("an array", Tree::String(text)) => format!("put it in brackets: `[{:?}]`", shown(&text.value)),
        ("an array", _) => "put it in brackets: `[ … ]`".to_owned(),
        ("`true` or `false`", Tree::String(text)) => match text.value.to_ascii_lowercase().as_str() {
            "yes" | "y" | "on" | "true" => format!("write `true`{unquoted}"),
            "no" | "n" | "off" | "false" => format!("write `false`{unquoted}"),
            _ => format!("write `true` or `false`{unquoted}"),
        },
        ("an object", _) if name == "States" => "write it as `{ \"Name\": { … } }`, with the names as keys".to_owned(),
        ("an object", _) => "write an object: `{ … }`".to_owned(),
        (wanted, _) => format!("write {wanted}{unquoted}"),
    };
    diagnostics.push(Diagnostic::new(&codes::WF0403, node.span, message).help(help));
}
