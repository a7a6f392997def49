//! Objects whose member names are compared exactly.

use super::Object;
use crate::diagnostics::suggest::nearest;
use crate::diagnostics::{Diagnostics, MAX_ERRORS};
use crate::syntax::{Entry, Node};

impl<'a> Object<'a> {
    /// Reads the members of `node`, whose names are compared exactly. Reports an error if `node`
    /// is not an object.
    pub fn exact(node: &'a Node, owner: &'static str, diagnostics: &mut Diagnostics) -> Option<Object<'a>> {
        let mut object = Object::of(node, owner, diagnostics)?;
        object.members = object.entries.iter().map(|entry| (entry.key.value.as_str(), entry)).collect();
        Some(object)
    }

    /// Returns the object under another noun phrase.
    pub fn named(self, owner: &'static str) -> Object<'a> {
        Object { owner, ..self }
    }

    /// Returns the value of a required member. If the member is absent, another one with a similar
    /// name that is not in `known` is taken as a misspelling of it.
    pub fn require(&self, name: &str, known: &[&str], diagnostics: &mut Diagnostics) -> Option<&'a Node> {
        let value = self.get(name);
        if value.is_none() {
            let candidate = self.misspelling(&[name], |written| known.contains(&written));
            self.report_missing(name, candidate.map(|(entry, _)| entry), diagnostics);
        }
        value
    }

    /// Returns the first unknown member that is probably a misspelling of one of `names`, with
    /// that name.
    pub fn misspelling<'n>(&self, names: &[&'n str], is_known: impl Fn(&str) -> bool) -> Option<(&'a Entry, &'n str)> {
        let unknown = self.entries.iter().filter(|entry| !is_known(&entry.key.value)).take(MAX_ERRORS);
        unknown.into_iter().find_map(|entry| Some((entry, nearest(&entry.key.value, names.iter().copied())?)))
    }
}
