//! Names of definitions, and their resolution to indices.

use crate::diagnostics::codes::graph::{WF0201, WF0202, WF0208};
use crate::diagnostics::suggest::{did_you_mean, listed};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::source::{Span, Spanned};
use crate::syntax::{Text, shown};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Name with its span.
pub type Name = Spanned<Arc<str>>;

/// Resolved use of a name. Where names ignore case, the use may be spelt differently from the
/// definition.
#[derive(Debug, Clone)]
pub struct Reference {
    /// Name as written at the use.
    pub name: Name,
    /// Index of the definition among the states, events, functions or other definitions of its
    /// kind.
    pub index: usize,
}

/// Returns the case-folded form of a name. A letter folds only to a single letter, so `ß` and `SS`
/// differ.
pub fn fold(name: &str) -> String {
    name.chars().map(fold_letter).collect()
}

fn fold_letter(letter: char) -> char {
    let mut upper = letter.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(upper), None) => upper,
        _ => letter,
    }
}

/// Table of the names of one kind of definition.
#[derive(Debug)]
pub struct NameTable {
    /// Kind of definition in the words of messages: `state`.
    kind: &'static str,
    /// Member of the definition that lists the definitions of this kind.
    list: &'static str,
    /// Index and span of each definition, by its name in the compared form.
    definitions: BTreeMap<String, (usize, Span)>,
    /// Names as written, in source order.
    written: Vec<String>,
    /// `true` if names that differ in case are different names.
    is_case_sensitive: bool,
}

impl NameTable {
    /// Creates an empty table of names that ignore case.
    pub fn ignoring_case(kind: &'static str, list: &'static str) -> NameTable {
        NameTable { kind, list, definitions: BTreeMap::new(), written: Vec::new(), is_case_sensitive: false }
    }

    /// Creates an empty table of case-sensitive names.
    pub fn case_sensitive(kind: &'static str, list: &'static str) -> NameTable {
        NameTable { kind, list, definitions: BTreeMap::new(), written: Vec::new(), is_case_sensitive: true }
    }

    /// Returns the form of a name that lookups compare.
    fn comparable(&self, name: &str) -> String {
        if self.is_case_sensitive { name.to_owned() } else { fold(name) }
    }

    /// Adds the name of the definition `index`. Reports an error for a duplicate.
    pub fn define(&mut self, name: &Text, index: usize, diagnostics: &mut Diagnostics) {
        let compared = self.comparable(&name.value);
        let first = self.definitions.entry(compared).or_insert((index, name.span));
        if first.0 == index {
            self.written.push(name.value.clone());
            return;
        }
        let message = format!("duplicate {} `{}`", self.kind, shown(&name.value));
        let help = match self.is_case_sensitive {
            true => "rename one of the two",
            false => "rename one of the two: names are not case-sensitive",
        };
        let diagnostic = Diagnostic::new(&WF0202, name.span, message).related(first.1, "first defined here");
        diagnostics.push(diagnostic.help(help));
    }

    /// Resolves a name. Reports an error for an undefined name.
    pub fn resolve(&self, name: Name, diagnostics: &mut Diagnostics) -> Option<Reference> {
        if let Some((index, _)) = self.definitions.get(&self.comparable(&name.value)) {
            return Some(Reference { name, index: *index });
        }
        let written = self.written.iter().map(String::as_str);
        let help = did_you_mean(&name.value, written.clone()).unwrap_or_else(|| match self.written.is_empty() {
            true => format!("define it in `{}`", self.list),
            false => format!("the {} are {}", self.plural(), listed(written)),
        });
        let (code, predicate) = match self.kind {
            "state" | "activity" => (&WF0201, "does not exist"),
            _ => (&WF0208, "is not defined"),
        };
        let message = format!("{} `{}` {predicate}", self.kind, shown(&name.value));
        diagnostics.push(Diagnostic::new(code, name.span, message).label("not found").help(help));
        None
    }

    fn plural(&self) -> &'static str {
        match self.kind {
            "retry policy" => "retry policies",
            "activity" => "activities",
            _ => self.list,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_makes_no_difference() {
        for (left, right) in [("END", "end"), ("Prüfen", "PRÜFEN"), ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("ǆ", "Ǆ"), ("", "")]
        {
            assert_eq!(fold(left), fold(right));
        }
        for (left, right) in [("straße", "STRASSE"), ("a", "b"), ("a", "a "), ("é", "e"), ("ﬁ", "FI")] {
            assert_ne!(fold(left), fold(right));
        }
    }
}
