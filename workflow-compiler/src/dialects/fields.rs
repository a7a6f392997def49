//! Reads the fields of one object: which are there, and whether their values have the right type. For every dialect.

use crate::diagnostics::suggest::nearest;
use crate::diagnostics::{Diagnostic, Diagnostics, codes::fields as codes};
use crate::source::{Span, Spanned};
use crate::syntax::{Entry, Node, Text};
use std::sync::Arc;

/// The fields of an object, and what the object is called in messages: `a Task state`.
#[derive(Debug, Clone, Copy)]
pub struct Fields<'a> {
    pub owner: &'static str,
    pub span: Span,
    pub entries: &'a [Entry],
}

impl<'a> Fields<'a> {
    /// The fields of `node`, if it is an object, and if there are not too many errors already.
    pub fn of(node: &'a Node, owner: &'static str, diagnostics: &mut Diagnostics) -> Option<Fields<'a>> {
        if diagnostics.is_exhausted(node.span) {
            return None;
        }
        match node.as_object() {
            Some(entries) => Some(Fields { owner, span: node.span, entries }),
            None => {
                let message = format!("{owner} must be an object, and this is {}", node.kind());
                diagnostics.push(Diagnostic::new(&codes::E0403, node.span, message).help("write it as `{ … }`"));
                None
            }
        }
    }

    /// The field `name` with its key.
    pub fn entry(&self, name: &str) -> Option<&'a Entry> {
        self.entries.iter().find(|entry| entry.key.value == name)
    }

    /// The value of the field `name`.
    pub fn get(&self, name: &str) -> Option<&'a Node> {
        self.entry(name).map(|entry| &entry.value)
    }

    /// The value of a field that must be there. `known` are the fields that the object may have: one that is not among
    /// them and is written almost like `name` was meant to be it.
    pub fn require(&self, name: &str, known: &[&str], diagnostics: &mut Diagnostics) -> Option<&'a Node> {
        let found = self.get(name);
        if found.is_none() {
            self.missing(name, known, diagnostics);
        }
        found
    }

    /// Reports that a field that must be there is not.
    pub fn missing(&self, name: &str, known: &[&str], diagnostics: &mut Diagnostics) {
        let strays = self.entries.iter().filter(|entry| !known.contains(&entry.key.value.as_str()));
        let meant = strays.into_iter().find(|entry| nearest(&entry.key.value, [name]).is_some());
        let message = format!("{} needs `{name}`", self.owner);
        diagnostics.push(match meant {
            Some(entry) => Diagnostic::new(&codes::E0401, entry.key.span, message)
                .label(format!("`{}` is not a field of {}", entry.key.value, self.owner))
                .help(format!("did you mean `{name}`?")),
            None => Diagnostic::new(&codes::E0401, opening(self.span), message).help(format!("add `{name}`")),
        });
    }

    /// A field whose value must be a string, if it is there.
    pub fn text(&self, name: &str, diagnostics: &mut Diagnostics) -> Option<&'a Text> {
        let node = self.get(name)?;
        let found = node.as_text();
        if found.is_none() {
            wrong_type(node, name, "a string", diagnostics);
        }
        found
    }

    /// A field that names a state, if it is there.
    pub fn state_name(&self, name: &str, diagnostics: &mut Diagnostics) -> Option<Spanned<Arc<str>>> {
        self.text(name, diagnostics).map(|text| Spanned::new(Arc::from(text.value.as_str()), text.span))
    }
}

/// Reports a value of the wrong type.
pub fn wrong_type(node: &Node, name: &str, wanted: &str, diagnostics: &mut Diagnostics) {
    let message = format!("`{name}` must be {wanted}, and this is {}", node.kind());
    diagnostics.push(Diagnostic::new(&codes::E0403, node.span, message).help(format!("write {wanted}")));
}

/// The opening bracket of an object.
pub fn opening(span: Span) -> Span {
    Span { end: (span.start + 1).min(span.end), ..span }
}
