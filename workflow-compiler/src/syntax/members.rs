//! Members of an object that is being read: in source order, with unique keys.

use std::collections::HashMap;

use super::report::Report;
use super::{Entry, Node, Text};
use crate::diagnostics::{Diagnostic, codes::syntax as codes};
use crate::escape::shown;

/// The number of members from which an index is faster than a scan.
const INDEXED_FROM: usize = 16;

#[derive(Default)]
pub struct MemberList {
    entries: Vec<Entry>,
    /// The index of each key. Empty below `INDEXED_FROM` members.
    index: HashMap<String, usize>,
}

impl MemberList {
    /// Adds a member. Reports a duplicate key with both places, and keeps the first member.
    pub fn add(&mut self, key: Text, value: Node, report: &mut Report) {
        if let Some(first) = self.get(&key.value) {
            report.push(
                Diagnostic::new(&codes::WF0112, key.span, format!("duplicate key `{}`", shown(&key.value)))
                    .label("duplicate")
                    .related(first.key.span, "first written here")
                    .help("remove one of the two, or rename it"),
            );
        } else {
            self.push(Entry { key, value });
        }
    }

    /// Adds a member unless its key exists.
    #[cfg(feature = "yaml")]
    pub fn add_missing(&mut self, entry: Entry) {
        if self.get(&entry.key.value).is_none() {
            self.push(entry);
        }
    }

    pub fn into_entries(self) -> Vec<Entry> {
        self.entries
    }

    fn get(&self, key: &str) -> Option<&Entry> {
        if self.entries.len() < INDEXED_FROM {
            self.entries.iter().find(|entry| entry.key.value == key)
        } else {
            self.index.get(key).map(|at| &self.entries[*at])
        }
    }

    fn push(&mut self, entry: Entry) {
        self.entries.push(entry);
        let count = self.entries.len();
        if count >= INDEXED_FROM {
            let from = self.index.len();
            let missing = self.entries[from..].iter().zip(from..);
            self.index.extend(missing.map(|(entry, at)| (entry.key.value.clone(), at)));
        }
    }
}
