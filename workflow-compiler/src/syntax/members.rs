//! The members of an object while it is read: source order, and each key once.

use std::collections::HashMap;

use super::report::{Report, shown};
use super::{Entry, Node, Text};
use crate::diagnostics::{Diagnostic, codes::syntax as codes};

/// Below this many members a scan is quicker than an index.
const INDEXED_FROM: usize = 16;

#[derive(Default)]
pub struct Members {
    entries: Vec<Entry>,
    /// Where each key is; filled once there are `INDEXED_FROM` of them.
    index: HashMap<String, usize>,
}

impl Members {
    /// Adds a member. A key that is there already is an error with both places, and the first one is kept.
    pub fn add(&mut self, key: Text, value: Node, report: &mut Report) {
        if let Some(first) = self.get(&key.value) {
            report.push(
                Diagnostic::new(&codes::E0112, key.span, format!("the key `{}` is written twice", shown(&key.value)))
                    .label("written again here")
                    .related(first.key.span, "first written here")
                    .help("remove one of the two, or rename it"),
            );
        } else {
            self.push(Entry { key, value });
        }
    }

    /// Adds a member unless its key is there already.
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
