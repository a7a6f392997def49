//! The description of a dialect for the rest of the compiler.

use crate::Options;
use crate::diagnostics::{Code, Diagnostics};
use crate::files::Inputs;
use crate::hir::{Outline, Workflow};
use crate::source::Span;
use crate::syntax::{Entry, Node};

/// Front end of a dialect: reads, checks and lowers a definition and the files that it names.
/// `name` becomes the name of the workflow.
///
/// On `Err` the front end has reported all errors except transitions to unknown states. A later
/// pass finds these in the [`Outline`], which lists the states that could be read.
pub type FrontEnd = fn(
    definition: &Node,
    name: &str,
    options: &Options,
    inputs: &mut Inputs,
    diagnostics: &mut Diagnostics,
) -> Result<Workflow, Outline>;

/// A definition language: the marks of its definitions, its codes, and its front end.
pub struct Dialect {
    /// Name in options: `asl`.
    pub name: &'static str,
    /// Name in messages.
    pub title: &'static str,
    /// Noun phrase for a definition, with its article.
    pub noun: &'static str,
    /// `false` for the dialect of the tests, which messages and documents do not list.
    pub is_published: bool,
    /// `true` if the option `express` affects definitions of the dialect.
    pub has_express: bool,
    /// Suffixes of file names.
    pub suffixes: &'static [&'static str],
    /// Fields that every definition has at its top level.
    pub fields: &'static [&'static str],
    /// `Some(true)` if the elements of the array `states` have a `type`, `Some(false)` if they
    /// have none, `None` if the dialect has no such array.
    pub typed_states: Option<bool>,
    /// `true` if field names ignore case.
    pub ignores_case: bool,
    /// `true` if the tolerant JSON reader may repair definitions of the dialect.
    pub lenient: bool,
    /// Codes of diagnostics that only this dialect reports.
    pub codes: &'static [&'static Code],
    /// Front end. `None` if the compiler was built without it.
    pub read: Option<FrontEnd>,
}

impl Dialect {
    /// Returns `true` if a definition has the fields of the dialect.
    pub(super) fn matches(&self, members: &[Entry]) -> bool {
        self.fields.iter().all(|field| self.member(members, field).is_some())
            && self.typed_states.is_none_or(|typed| self.states_fit(members, typed))
    }

    /// Returns `true` if `states` is an array with an element that has a `type` (`typed`), or with
    /// one that has none. An empty array fits both.
    fn states_fit(&self, members: &[Entry], typed: bool) -> bool {
        let Some(states) = self.member(members, "states").and_then(|states| states.value.as_array()) else {
            return false;
        };
        let is_typed = |state: &&Node| self.member(state.as_object().unwrap_or_default(), "type").is_some();
        let typed_count = states.iter().filter(is_typed).count();
        if typed { typed_count > 0 || states.is_empty() } else { typed_count < states.len() || states.is_empty() }
    }

    fn member<'n>(&self, members: &'n [Entry], name: &str) -> Option<&'n Entry> {
        let is_it = |key: &str| key == name || self.ignores_case && key.eq_ignore_ascii_case(name);
        members.iter().find(|entry| is_it(&entry.key.value))
    }

    /// Returns the span of the first of the dialect's fields that is present.
    pub(super) fn evidence(&self, members: &[Entry]) -> Option<Span> {
        self.fields.iter().find_map(|field| self.member(members, field)).map(|entry| entry.key.span)
    }

    /// Returns the dialect's fields as a message shows them: `` `StartAt` + `States` ``.
    pub(super) fn fields(&self) -> String {
        let fields: Vec<String> = self.fields.iter().map(|field| format!("`{field}`")).collect();
        fields.join(" + ")
    }

    /// Describes the dialect's fields and states in words.
    pub(super) fn marks(&self) -> String {
        let states = match self.typed_states {
            Some(true) => ", a list whose states have a `type`",
            Some(false) => ", a list whose states have no `type`",
            None => "",
        };
        format!("{}{states}", self.fields())
    }
}
