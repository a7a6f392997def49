//! Reader of the objects of a definition: finds their members, reports missing ones, and reads the
//! values of the others. All dialects share it, and a dialect adds its own readers of values.

#[cfg(feature = "_shared-front-end")]
pub mod any_case;
mod exact;
#[cfg(feature = "_shared-front-end")]
pub mod lenient;
pub mod numbers;
pub mod values;

use crate::diagnostics::{Diagnostic, Diagnostics, codes::fields as codes};
use crate::source::Span;
use crate::syntax::{Entry, Node, Tree, shown};
use std::collections::BTreeMap;

/// Object that is being read. Either names are compared exactly, or they may be written in any
/// case, and a member that is null counts as absent. Messages call the members of the former
/// fields.
#[derive(Debug)]
pub struct Object<'a> {
    /// Noun phrase for the object in messages: `a state`.
    pub owner: &'static str,
    /// Span of the object.
    pub span: Span,
    /// All members in source order.
    pub entries: &'a [Entry],
    /// Members by the names that the language gives them.
    members: BTreeMap<&'a str, &'a Entry>,
    ignores_case: bool,
}

impl<'a> Object<'a> {
    /// Returns the object that `node` is, whose members are in `entries` only. Reports an error if
    /// `node` is not an object. Returns `None` at the limit of errors, too, which is reported
    /// once.
    pub fn of(node: &'a Node, owner: &'static str, diagnostics: &mut Diagnostics) -> Option<Object<'a>> {
        if diagnostics.is_exhausted(node.span) {
            return None;
        }
        let Some(entries) = node.as_object() else {
            let message = format!("{owner} must be an object, found {}", node.kind());
            diagnostics.push(Diagnostic::new(&codes::WF0403, node.span, message).help("write an object: `{ … }`"));
            return None;
        };
        Some(Object { owner, span: node.span, entries, members: BTreeMap::new(), ignores_case: false })
    }

    /// Returns the member `name` with its key.
    pub fn entry(&self, name: &str) -> Option<&'a Entry> {
        self.members.get(name).copied()
    }

    /// Returns the value of the member `name`.
    pub fn get(&self, name: &str) -> Option<&'a Node> {
        self.entry(name).map(|entry| &entry.value)
    }

    /// Reports that a required member is missing. `candidate` is the member with the value null,
    /// or another member that is probably a misspelling of it.
    pub fn report_missing(&self, name: &str, candidate: Option<&Entry>, diagnostics: &mut Diagnostics) {
        let (owner, noun) = (self.owner, if self.ignores_case { "member" } else { "field" });
        let message = format!("missing {noun} `{name}` in {owner}");
        let is_null = |entry: &Entry| entry.value.tree == Tree::Null && entry.key.value.eq_ignore_ascii_case(name);
        diagnostics.push(match candidate {
            Some(entry) if self.ignores_case && is_null(entry) => {
                Diagnostic::new(&codes::WF0401, entry.value.span, message).help("replace null with a value")
            }
            Some(Entry { key, .. }) => {
                let of = if self.ignores_case { format!(" of {owner}") } else { String::new() };
                Diagnostic::new(&codes::WF0401, key.span, message)
                    .label(format!("unknown {noun} `{}`{of}", shown(&key.value)))
                    .help(format!("did you mean `{name}`?"))
            }
            None => Diagnostic::new(&codes::WF0401, self.span.opening(), message).help(format!("add `{name}`")),
        });
    }
}
