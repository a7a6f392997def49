//! Names, and what they name.

use crate::diagnostics::suggest::nearest;
use crate::diagnostics::{Code, Diagnostic, Diagnostics};
use crate::source::{Span, Spanned};
use crate::syntax::{Text, shown};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A name, where it is written.
pub type Name = Spanned<Arc<str>>;

/// The use of a name. It need not be spelt as the one that is defined where names are compared without regard to case.
#[derive(Debug, Clone)]
pub struct Reference {
    /// As it is written where it is used.
    pub name: Name,
    /// Which one it names: of the states, events, functions or such of the definition.
    pub index: usize,
}

/// Of names that are not there the ones that are there are told, so many at the most.
const TOLD: usize = 8;

/// The name in the form in which it is compared. Every letter has one other case at the most: `ß` and `SS` are two names.
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

/// What names of one kind stand for.
#[derive(Debug)]
pub struct Names {
    /// What they name, in the words of messages: `state`.
    kind: &'static str,
    /// The member of the state machine that they are defined in.
    list: &'static str,
    /// The index and the place of each, by its folded name.
    known: BTreeMap<String, (usize, Span)>,
    /// As they are written.
    written: Vec<String>,
    /// Whether names that differ in case are different.
    exact: bool,
}

impl Names {
    /// No names so far, which are compared without regard to case.
    #[cfg(feature = "sm4c")]
    pub fn new(kind: &'static str, list: &'static str) -> Names {
        Names { kind, list, known: BTreeMap::new(), written: Vec::new(), exact: false }
    }

    /// No names so far, which are compared as they are.
    #[cfg(any(feature = "serverless-workflow", feature = "workflow-dsl"))]
    pub fn exact(kind: &'static str, list: &'static str) -> Names {
        Names { kind, list, known: BTreeMap::new(), written: Vec::new(), exact: true }
    }

    /// The form in which a name is compared.
    fn compared(&self, name: &str) -> String {
        if self.exact { name.to_owned() } else { fold(name) }
    }

    /// Takes note of the name of the definition `index`. One that is there already is an error of this code.
    pub fn define(&mut self, name: &Text, index: usize, twice: &'static Code, diagnostics: &mut Diagnostics) {
        let compared = self.compared(&name.value);
        let first = self.known.entry(compared).or_insert((index, name.span));
        if first.0 == index {
            self.written.push(name.value.clone());
            return;
        }
        let message = format!("the {} `{}` is defined twice", self.kind, shown(&name.value));
        let help = match self.exact {
            true => "rename one of the two",
            false => "rename one of the two: names that differ in case only are the same",
        };
        let found = Diagnostic::new(twice, name.span, message).related(first.1, "the first one is here");
        diagnostics.push(found.help(help));
    }

    /// What a name stands for. One that nothing has is an error of this code.
    pub fn resolve(&self, name: Name, unknown: &'static Code, diagnostics: &mut Diagnostics) -> Option<Reference> {
        if let Some((index, _)) = self.known.get(&self.compared(&name.value)) {
            return Some(Reference { name, index: *index });
        }
        let help = match nearest(&name.value, self.written.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None if self.written.is_empty() => format!("define it in `{}`", self.list),
            None => {
                let told: Vec<String> =
                    self.written.iter().take(TOLD).map(|name| format!("`{}`", shown(name))).collect();
                let more = if self.written.len() > TOLD { ", …" } else { "" };
                format!("the {} are {}{more}", self.plural(), told.join(", "))
            }
        };
        let what = if matches!(self.kind, "state" | "activity") { "does not exist" } else { "is not defined" };
        let message = format!("{} `{}` {what}", self.kind, shown(&name.value));
        diagnostics
            .push(Diagnostic::new(unknown, name.span, message).label(format!("no such {}", self.kind)).help(help));
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
