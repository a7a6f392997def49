//! Objects whose member names may be written in any case.

use super::Object;
use super::values::{report_word, text};
use crate::diagnostics::suggest::nearest;
use crate::diagnostics::{Diagnostic, Diagnostics, MAX_ERRORS, codes::fields as codes, codes::syntax::WF0112};
use crate::dialects::names::Name;
use crate::source::Span;
use crate::source::Spanned;
use crate::syntax::{Entry, Node, Text, Tree, shown};
use std::collections::BTreeMap;

/// Members that published definitions carry and that have no effect.
const IGNORED: &[&str] = &["id", "kind", "$schema"];

impl<'a> Object<'a> {
    /// Reads the members of `node`. Reports an error if `node` is not an object, for a missing
    /// required member and for a duplicate, and warns of unknown members other than those in
    /// `IGNORED`.
    pub fn any_case(
        node: &'a Node,
        owner: &'static str,
        required: &[&'static str],
        optional: &[&'static str],
        diagnostics: &mut Diagnostics,
    ) -> Option<Object<'a>> {
        Object::ignoring(IGNORED, node, owner, required, optional, diagnostics)
    }

    /// Reads the members of `node` as [`Object::any_case`] does, but ignores the unknown members
    /// in `ignored` instead of the default ones.
    pub fn ignoring(
        ignored: &[&str],
        node: &'a Node,
        owner: &'static str,
        required: &[&'static str],
        optional: &[&'static str],
        diagnostics: &mut Diagnostics,
    ) -> Option<Object<'a>> {
        let mut object = Object { ignores_case: true, ..Object::of(node, owner, diagnostics)? };
        let all = || required.iter().chain(optional).copied();
        let mut present: BTreeMap<&str, &Entry> = BTreeMap::new();
        let mut strays = Vec::new();
        for entry in object.entries {
            let written = entry.key.value.as_str();
            match all().find(|name| name.eq_ignore_ascii_case(written)) {
                Some(name) => match present.get(name) {
                    Some(first) => report_duplicate(first, entry, diagnostics),
                    None => _ = present.insert(name, entry),
                },
                None => strays.push(entry),
            }
        }
        let has_value = |name: &&str| present.get(name).is_some_and(|entry| entry.value.tree != Tree::Null);
        let absent: Vec<&str> = all().filter(|name| !has_value(name)).collect();
        let mut misspellings: BTreeMap<&str, &Entry> = BTreeMap::new();
        for entry in strays.into_iter().take(MAX_ERRORS) {
            let written = entry.key.value.as_str();
            if ignored.iter().any(|name| name.eq_ignore_ascii_case(written)) {
                continue;
            }
            let near = nearest(written, absent.iter().copied());
            match near.and_then(|near| required.iter().find(|name| **name == near)) {
                Some(name) => _ = misspellings.entry(name).or_insert(entry),
                None => report_ignored(entry, owner, near, diagnostics),
            }
        }
        for name in required.iter().filter(|name| !has_value(name)) {
            let candidate = misspellings.get(name).or(present.get(name)).copied();
            object.report_missing(name, candidate, diagnostics);
        }
        present.retain(|_, entry| entry.value.tree != Tree::Null);
        object.members = present;
        Some(object)
    }

    /// Returns the members whose names are written in another case, each with the name that the
    /// language gives it.
    pub fn in_other_case(&self) -> impl Iterator<Item = (&'a str, &'a Entry)> {
        self.members.iter().filter(|(name, entry)| entry.key.value != **name).map(|(name, entry)| (*name, *entry))
    }

    /// Returns `true` if the member `name` is present and not null.
    pub fn has(&self, name: &str) -> bool {
        self.members.contains_key(name)
    }

    /// Returns the span of the key of a member, or of the opening brace if the member is absent.
    pub fn key_span(&self, name: &str) -> Span {
        self.entry(name).map_or_else(|| self.span.opening(), |entry| entry.key.span)
    }

    /// Returns the member `name` as a string, which may be empty.
    pub fn string(&self, name: &str, diagnostics: &mut Diagnostics) -> Option<Spanned<String>> {
        self.text(name, diagnostics).map(|text| Spanned::new(text.value.clone(), text.span))
    }

    /// Returns the member `name` as a name, which must not be empty.
    pub fn name(&self, name: &str, diagnostics: &mut Diagnostics) -> Option<Name> {
        let text = self.text(name, diagnostics)?;
        not_empty(text, name, diagnostics)
    }
}

/// Returns the value of the member `name` of an object, ignoring case.
pub fn member<'a>(node: &'a Node, name: &str) -> Option<&'a Node> {
    let entries = node.as_object()?;
    entries.iter().find(|entry| entry.key.value.eq_ignore_ascii_case(name)).map(|entry| &entry.value)
}

/// Returns the name that `text` is, or reports that it is blank.
pub fn not_empty(text: &Text, name: &str, diagnostics: &mut Diagnostics) -> Option<Name> {
    if text.value.trim().is_empty() {
        let message = format!("`{name}` is empty");
        diagnostics.push(Diagnostic::new(&codes::WF0412, text.span, message).help("write a name"));
        return None;
    }
    Some(Name::new(text.value.as_str().into(), text.span))
}

/// Returns the one of `words` that `node` is, ignoring case, or reports an error.
pub fn word(node: &Node, name: &str, words: &[&'static str], diagnostics: &mut Diagnostics) -> Option<&'static str> {
    let text = text(node, name, diagnostics)?;
    let chosen = words.iter().find(|word| word.eq_ignore_ascii_case(&text.value)).copied();
    if chosen.is_none() {
        report_word(text, name, words, format!("use one of `{}`", words.join("`, `")), diagnostics);
    }
    chosen
}

fn report_duplicate(first: &Entry, second: &Entry, diagnostics: &mut Diagnostics) {
    let message = format!("duplicate member `{}`: names of members are not case-sensitive", second.key.value);
    diagnostics.push(
        Diagnostic::new(&WF0112, second.key.span, message)
            .related(first.key.span, "first written here")
            .help("remove one of the two"),
    );
}

fn report_ignored(entry: &Entry, owner: &str, near: Option<&str>, diagnostics: &mut Diagnostics) {
    let message = format!("unknown member `{}` of {owner} is ignored", shown(&entry.key.value));
    diagnostics.push(
        Diagnostic::new(&codes::WF0460, entry.key.span, message)
            .help("remove it")
            .maybe_help(near.map(|near| format!("did you mean `{near}`?"))),
    );
}
