//! Reader of objects whose member names may be written in any case, and of the values of their
//! members. SM4C, Workflow DSL and Serverless Workflow use it. The other dialects compare names
//! exactly and use [`Fields`](super::fields::Fields).

use super::fields::{Fields, wrong_type};
use super::names::Name;
#[cfg(feature = "sm4c")]
use super::timespan::{self, Timespan};
use crate::diagnostics::suggest::nearest;
use crate::diagnostics::{Diagnostic, Diagnostics, codes::fields as codes, codes::state_machines as own};
use crate::source::{Span, Spanned};
use crate::syntax::{Entry, Node, Text, Tree, limits::MAX_ERRORS, shown};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Members that published definitions carry and that have no effect.
#[cfg(any(feature = "sm4c", feature = "workflow-dsl"))]
const IGNORED: &[&str] = &["id", "kind", "$schema"];

/// Known members of an object, by the name that the language gives them. A member that is null
/// counts as absent.
#[derive(Debug)]
pub struct Members<'a> {
    /// Noun phrase for the object in messages: `a state`.
    #[cfg(any(feature = "serverless-workflow", feature = "sm4c"))]
    pub owner: &'static str,
    /// Span of the object.
    pub span: Span,
    present: BTreeMap<&'static str, &'a Entry>,
}

impl<'a> Members<'a> {
    /// Reads the members of `node`. Reports an error if `node` is not an object, for a missing
    /// required member and for a duplicate, and warns of unknown members other than those in
    /// `IGNORED`.
    #[cfg(any(feature = "sm4c", feature = "workflow-dsl"))]
    pub fn of(
        node: &'a Node,
        owner: &'static str,
        required: &[&'static str],
        optional: &[&'static str],
        diagnostics: &mut Diagnostics,
    ) -> Option<Members<'a>> {
        Members::ignoring(IGNORED, node, owner, required, optional, diagnostics)
    }

    /// Reads the members of `node` as [`Members::of`] does, but ignores the unknown members in
    /// `ignored` instead of the default ones.
    pub fn ignoring(
        ignored: &[&str],
        node: &'a Node,
        owner: &'static str,
        required: &[&'static str],
        optional: &[&'static str],
        diagnostics: &mut Diagnostics,
    ) -> Option<Members<'a>> {
        let fields = Fields::of(node, owner, diagnostics)?;
        let all = || required.iter().chain(optional).copied();
        let mut present: BTreeMap<&str, &Entry> = BTreeMap::new();
        let mut strays = Vec::new();
        for entry in fields.entries {
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
            report_missing(&fields, name, misspellings.get(name).or(present.get(name)).copied(), diagnostics);
        }
        present.retain(|_, entry| entry.value.tree != Tree::Null);
        Some(Members {
            #[cfg(any(feature = "serverless-workflow", feature = "sm4c"))]
            owner,
            span: node.span,
            present,
        })
    }

    /// Returns the member `name` with its key.
    pub fn entry(&self, name: &str) -> Option<&'a Entry> {
        self.present.get(name).copied()
    }

    /// Returns the members whose names are written in another case, each with the name that the
    /// language gives it.
    #[cfg(feature = "serverless-workflow")]
    pub fn in_other_case(&self) -> impl Iterator<Item = (&'static str, &'a Entry)> {
        self.present.iter().filter(|(name, entry)| entry.key.value != **name).map(|(name, entry)| (*name, *entry))
    }

    /// Returns the value of the member `name`.
    pub fn get(&self, name: &str) -> Option<&'a Node> {
        self.entry(name).map(|entry| &entry.value)
    }

    /// Returns `true` if the member `name` is present and not null.
    pub fn has(&self, name: &str) -> bool {
        self.present.contains_key(name)
    }

    /// Returns the span of the key of a member, or of the opening brace if the member is absent.
    #[cfg(any(feature = "serverless-workflow", feature = "sm4c"))]
    pub fn key_span(&self, name: &str) -> Span {
        self.entry(name).map_or_else(|| self.span.opening(), |entry| entry.key.span)
    }

    /// Returns the member `name`, which must be a string.
    pub fn text(&self, name: &str, diagnostics: &mut Diagnostics) -> Option<&'a Text> {
        text(self.get(name)?, name, diagnostics)
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

    /// Returns the boolean member `name`, or `false` if it is absent.
    #[cfg(feature = "sm4c")]
    pub fn flag(&self, name: &str, diagnostics: &mut Diagnostics) -> bool {
        let Some(node) = self.get(name) else { return false };
        let Tree::Bool(value) = node.tree else {
            wrong_type(node, name, "`true` or `false`", diagnostics);
            return false;
        };
        value
    }

    /// Returns the member `name` as a timespan.
    #[cfg(feature = "sm4c")]
    pub fn timespan(&self, name: &str, diagnostics: &mut Diagnostics) -> Option<Timespan> {
        timespan(self.get(name)?, name, diagnostics)
    }

    /// Returns the member `name` as an integer of at least `least`. A float without a fraction
    /// counts as an integer.
    #[cfg(feature = "sm4c")]
    pub fn whole(&self, name: &str, least: u32, diagnostics: &mut Diagnostics) -> Option<Spanned<u32>> {
        let node = self.get(name)?;
        let value = match node.tree {
            Tree::Int(value) => value as f64,
            Tree::Float(value) => value,
            _ => {
                wrong_type(node, name, "a whole number", diagnostics);
                return None;
            }
        };
        if value.fract() == 0.0 && (f64::from(least)..=f64::from(u32::MAX)).contains(&value) {
            return Some(Spanned::new(value as u32, node.span));
        }
        let limits = format!("a whole number from {least} to {}", u32::MAX);
        out_of_range(node, name, &limits, value, f64::from(least)..=f64::from(u32::MAX), diagnostics);
        None
    }

    /// Returns the elements of the member `name`, which must be a non-empty array.
    pub fn list(&self, name: &str, diagnostics: &mut Diagnostics) -> Option<&'a [Node]> {
        let items = self.maybe_list(name, diagnostics)?;
        if items.is_empty() {
            let span = self.get(name).map_or(self.span, |node| node.span);
            let diagnostic = Diagnostic::new(&codes::WF0412, span, format!("`{name}` is empty"));
            diagnostics.push(diagnostic.help(format!("add an element, or remove `{name}`")));
            return None;
        }
        Some(items)
    }

    /// Returns the elements of the member `name`, which must be an array.
    pub fn maybe_list(&self, name: &str, diagnostics: &mut Diagnostics) -> Option<&'a [Node]> {
        let node = self.get(name)?;
        let items = node.as_array();
        if items.is_none() {
            wrong_type(node, name, "an array", diagnostics);
        }
        items
    }
}

/// Returns the value of the member `name` of an object, ignoring case.
pub fn member<'a>(node: &'a Node, name: &str) -> Option<&'a Node> {
    let entries = node.as_object()?;
    entries.iter().find(|entry| entry.key.value.eq_ignore_ascii_case(name)).map(|entry| &entry.value)
}

/// Returns the string that `node` is, or reports an error for the member `name`.
pub fn text<'a>(node: &'a Node, name: &str, diagnostics: &mut Diagnostics) -> Option<&'a Text> {
    let text = node.as_text();
    if text.is_none() {
        wrong_type(node, name, "a string", diagnostics);
    }
    text
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

/// Returns the timespan that `node` is, or reports an error for the member `name`. Warns if the
/// timespan is a bare number, which counts days ([S19](docs/sm4c.md#s19)).
#[cfg(feature = "sm4c")]
pub fn timespan(node: &Node, name: &str, diagnostics: &mut Diagnostics) -> Option<Timespan> {
    let Some(text) = node.as_text() else {
        let message = format!("`{name}` must be a timespan, found {}", node.kind());
        let help = match node.tree {
            Tree::Int(count @ 0..60) => format!("write {count} seconds as `\"00:00:{count:02}\"` or `\"PT{count}S\"`"),
            _ => "write ten seconds as `\"00:00:10\"` or `\"PT10S\"`".to_owned(),
        };
        diagnostics.push(Diagnostic::new(&codes::WF0403, node.span, message).help(help));
        return None;
    };
    match timespan::read(&text.value) {
        Ok(read) => {
            if let Some(days) = read.bare_days.filter(|days| *days > 0) {
                let written = text.value.trim();
                let message = match days {
                    1 => format!("`{written}` is read as one day, because it has no unit"),
                    _ => format!("`{written}` is read as {days} days, because it has no unit"),
                };
                let seconds = if days < 60 { format!("`00:00:{days:02}`") } else { format!("`PT{days}S`") };
                diagnostics.push(
                    Diagnostic::new(&own::WF0852, text.span, message)
                        .help(format!("write `P{days}D` for days, {seconds} for seconds")),
                );
            }
            Some(Timespan::new(read.duration, text.span))
        }
        Err(error) => {
            let message = format!("`{}` {}", shown(&text.value), error.message);
            diagnostics.push(Diagnostic::new(&own::WF0808, text.span, message).help(error.help));
            None
        }
    }
}

/// Returns the one of `words` that `node` is, ignoring case, or reports an error.
pub fn word(node: &Node, name: &str, words: &[&'static str], diagnostics: &mut Diagnostics) -> Option<&'static str> {
    let text = text(node, name, diagnostics)?;
    let chosen = words.iter().find(|word| word.eq_ignore_ascii_case(&text.value)).copied();
    if chosen.is_none() {
        let message = format!("`{name}` cannot be `{}`", shown(&text.value));
        let all = format!("use one of `{}`", words.join("`, `"));
        let near = nearest(&text.value, words.iter().copied()).map(|near| format!("did you mean `{near}`?"));
        diagnostics.push(Diagnostic::new(&codes::WF0407, text.span, message).help(all).maybe_help(near));
    }
    chosen
}

/// Reports a number that is outside of `range`, or has a fraction. `limits` describes the range.
pub fn out_of_range(
    node: &Node,
    name: &str,
    limits: &str,
    value: f64,
    range: RangeInclusive<f64>,
    diagnostics: &mut Diagnostics,
) {
    let message = format!("`{name}` must be {limits}");
    let help = match value {
        value if value < *range.start() => format!("the minimum is {}", range.start()),
        value if value > *range.end() => format!("the maximum is {}", range.end()),
        value => format!("use a whole number, such as {}", value.round()),
    };
    diagnostics.push(Diagnostic::new(&codes::WF0404, node.span, message).help(help));
}

fn report_duplicate(first: &Entry, second: &Entry, diagnostics: &mut Diagnostics) {
    let message = format!("duplicate member `{}`: names of members are not case-sensitive", second.key.value);
    diagnostics.push(
        Diagnostic::new(&own::WF0812, second.key.span, message)
            .related(first.key.span, "first written here")
            .help("remove one of the two"),
    );
}

fn report_ignored(entry: &Entry, owner: &str, near: Option<&str>, diagnostics: &mut Diagnostics) {
    let message = format!("unknown member `{}` of {owner} is ignored", shown(&entry.key.value));
    diagnostics.push(
        Diagnostic::new(&own::WF0851, entry.key.span, message)
            .help("remove it")
            .maybe_help(near.map(|near| format!("did you mean `{near}`?"))),
    );
}

/// Reports a missing required member. `candidate` is the member with the value null, or another
/// member that is probably a misspelling of it.
fn report_missing(fields: &Fields<'_>, name: &str, candidate: Option<&Entry>, diagnostics: &mut Diagnostics) {
    let message = format!("missing member `{name}` in {}", fields.owner);
    diagnostics.push(match candidate {
        Some(entry) if entry.value.tree == Tree::Null && entry.key.value.eq_ignore_ascii_case(name) => {
            Diagnostic::new(&codes::WF0401, entry.value.span, message).help("replace null with a value")
        }
        Some(entry) => Diagnostic::new(&codes::WF0401, entry.key.span, message)
            .label(format!("unknown member `{}` of {}", shown(&entry.key.value), fields.owner))
            .help(format!("did you mean `{name}`?")),
        None => Diagnostic::new(&codes::WF0401, fields.span.opening(), message).help(format!("add `{name}`")),
    });
}
