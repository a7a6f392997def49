//! The members of an object, whose names may be written in any case, and the values that they have.

use super::fields::{Fields, opening, wrong_type};
use super::names::Name;
#[cfg(feature = "sm4c")]
use super::timespan::{self, Timespan};
use crate::diagnostics::suggest::nearest;
use crate::diagnostics::{Diagnostic, Diagnostics, codes::fields as codes, codes::state_machines as own};
use crate::source::{Span, Spanned};
use crate::syntax::{Entry, Node, Text, Tree, limits::MAX_ERRORS, shown};
use std::collections::BTreeMap;

/// What examples carry, and nothing is made of.
#[cfg(any(feature = "sm4c", feature = "workflow-dsl"))]
const PASSED_OVER: &[&str] = &["id", "kind", "$schema"];

/// The members of an object that the language knows there. One that is null is not there.
#[derive(Debug)]
pub struct Members<'a> {
    /// What the object is called in messages: `a state`.
    pub owner: &'static str,
    /// Its place.
    pub span: Span,
    known: BTreeMap<&'static str, &'a Entry>,
}

impl<'a> Members<'a> {
    /// The members of `node`, if it is an object. Reports those that must be there and are not, and those that are there and
    /// are not known, but for what examples carry.
    #[cfg(any(feature = "sm4c", feature = "workflow-dsl"))]
    pub fn of(
        node: &'a Node,
        owner: &'static str,
        required: &[&'static str],
        optional: &[&'static str],
        diagnostics: &mut Diagnostics,
    ) -> Option<Members<'a>> {
        Members::but_for(PASSED_OVER, node, owner, required, optional, diagnostics)
    }

    /// As [`Members::of`], but all that are not known are reported, except these.
    pub fn but_for(
        passed_over: &[&str],
        node: &'a Node,
        owner: &'static str,
        required: &[&'static str],
        optional: &[&'static str],
        diagnostics: &mut Diagnostics,
    ) -> Option<Members<'a>> {
        let fields = Fields::of(node, owner, diagnostics)?;
        let all = || required.iter().chain(optional).copied();
        let mut known: BTreeMap<&str, &Entry> = BTreeMap::new();
        let mut strays = Vec::new();
        for entry in fields.entries {
            let written = entry.key.value.as_str();
            match all().find(|name| name.eq_ignore_ascii_case(written)) {
                Some(name) => match known.get(name) {
                    Some(first) => twice(first, entry, diagnostics),
                    None => _ = known.insert(name, entry),
                },
                None => strays.push(entry),
            }
        }
        let is_there = |name: &&str| known.get(name).is_some_and(|entry| entry.value.tree != Tree::Null);
        let absent: Vec<&str> = all().filter(|name| !is_there(name)).collect();
        let mut meant: BTreeMap<&str, &Entry> = BTreeMap::new();
        for entry in strays.into_iter().take(MAX_ERRORS) {
            let written = entry.key.value.as_str();
            if passed_over.iter().any(|name| name.eq_ignore_ascii_case(written)) {
                continue;
            }
            let near = nearest(written, absent.iter().copied());
            match near.and_then(|near| required.iter().find(|name| **name == near)) {
                Some(name) => _ = meant.entry(name).or_insert(entry),
                None => ignored(entry, owner, near, diagnostics),
            }
        }
        for name in required.iter().filter(|name| !is_there(name)) {
            missing(&fields, name, meant.get(name).or(known.get(name)).copied(), diagnostics);
        }
        known.retain(|_, entry| entry.value.tree != Tree::Null);
        Some(Members { owner, span: node.span, known })
    }

    /// A member with its key.
    pub fn entry(&self, name: &str) -> Option<&'a Entry> {
        self.known.get(name).copied()
    }

    /// The members whose names are written in another case, with these.
    #[cfg(feature = "serverless-workflow")]
    pub fn in_other_case(&self) -> impl Iterator<Item = (&'static str, &'a Entry)> {
        self.known.iter().filter(|(name, entry)| entry.key.value != **name).map(|(name, entry)| (*name, *entry))
    }

    /// The value of a member.
    pub fn get(&self, name: &str) -> Option<&'a Node> {
        self.entry(name).map(|entry| &entry.value)
    }

    /// Whether there is such a member.
    pub fn has(&self, name: &str) -> bool {
        self.known.contains_key(name)
    }

    /// The place of the key of a member, or of the beginning of the object.
    #[cfg(any(feature = "serverless-workflow", feature = "sm4c"))]
    pub fn key_span(&self, name: &str) -> Span {
        self.entry(name).map_or_else(|| opening(self.span), |entry| entry.key.span)
    }

    /// A member that is a text.
    pub fn text(&self, name: &str, diagnostics: &mut Diagnostics) -> Option<&'a Text> {
        text(self.get(name)?, name, diagnostics)
    }

    /// A member that is a text, and whatever stands in it.
    pub fn string(&self, name: &str, diagnostics: &mut Diagnostics) -> Option<Spanned<String>> {
        self.text(name, diagnostics).map(|text| Spanned::new(text.value.clone(), text.span))
    }

    /// A member that is a name, and so not empty.
    pub fn name(&self, name: &str, diagnostics: &mut Diagnostics) -> Option<Name> {
        let text = self.text(name, diagnostics)?;
        not_empty(text, name, diagnostics)
    }

    /// A member that is `true` or `false`; false where it is not there.
    #[cfg(feature = "sm4c")]
    pub fn flag(&self, name: &str, diagnostics: &mut Diagnostics) -> bool {
        let Some(node) = self.get(name) else { return false };
        let Tree::Bool(value) = node.tree else {
            wrong_type(node, name, "`true` or `false`", diagnostics);
            return false;
        };
        value
    }

    /// A member that is a timespan.
    #[cfg(feature = "sm4c")]
    pub fn timespan(&self, name: &str, diagnostics: &mut Diagnostics) -> Option<Timespan> {
        timespan(self.get(name)?, name, diagnostics)
    }

    /// A member that is a whole number of at least `least`.
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
        let nearest = value.round().clamp(f64::from(least), f64::from(u32::MAX));
        out_of_range(node, name, &limits, nearest, diagnostics);
        None
    }

    /// A member that is a list with members.
    pub fn list(&self, name: &str, diagnostics: &mut Diagnostics) -> Option<&'a [Node]> {
        let items = self.maybe_list(name, diagnostics)?;
        if items.is_empty() {
            let span = self.get(name).map_or(self.span, |node| node.span);
            let found = Diagnostic::new(&codes::E0412, span, format!("`{name}` is empty"));
            diagnostics.push(found.help(format!("give it a member, or remove `{name}`")));
            return None;
        }
        Some(items)
    }

    /// A member that is a list.
    pub fn maybe_list(&self, name: &str, diagnostics: &mut Diagnostics) -> Option<&'a [Node]> {
        let node = self.get(name)?;
        let items = node.as_array();
        if items.is_none() {
            wrong_type(node, name, "an array", diagnostics);
        }
        items
    }
}

/// The value of the member `name` of an object, written in any case.
pub fn member<'a>(node: &'a Node, name: &str) -> Option<&'a Node> {
    let entries = node.as_object()?;
    entries.iter().find(|entry| entry.key.value.eq_ignore_ascii_case(name)).map(|entry| &entry.value)
}

/// A text.
pub fn text<'a>(node: &'a Node, name: &str, diagnostics: &mut Diagnostics) -> Option<&'a Text> {
    let found = node.as_text();
    if found.is_none() {
        wrong_type(node, name, "a string", diagnostics);
    }
    found
}

/// A text that must not be empty.
pub fn not_empty(text: &Text, name: &str, diagnostics: &mut Diagnostics) -> Option<Name> {
    if text.value.trim().is_empty() {
        let message = format!("`{name}` is empty");
        diagnostics.push(Diagnostic::new(&codes::E0412, text.span, message).help("write a name"));
        return None;
    }
    Some(Name::new(text.value.as_str().into(), text.span))
}

/// A timespan.
#[cfg(feature = "sm4c")]
pub fn timespan(node: &Node, name: &str, diagnostics: &mut Diagnostics) -> Option<Timespan> {
    let Some(text) = node.as_text() else {
        let message = format!("`{name}` must be a timespan, and this is {}", node.kind());
        let help = match node.tree {
            Tree::Int(count @ 0..60) => format!("{count} seconds are `\"00:00:{count:02}\"` or `\"PT{count}S\"`"),
            _ => "ten seconds are `\"00:00:10\"` or `\"PT10S\"`".to_owned(),
        };
        diagnostics.push(Diagnostic::new(&codes::E0403, node.span, message).help(help));
        return None;
    };
    match timespan::read(&text.value) {
        Ok(read) => {
            if let Some(days) = read.bare_days.filter(|days| *days > 0) {
                let written = text.value.trim();
                let message = match days {
                    1 => format!("`{written}` is one day"),
                    _ => format!("`{written}` is {days} days"),
                };
                let seconds = if days < 60 { format!("`00:00:{days:02}`") } else { format!("`PT{days}S`") };
                diagnostics.push(
                    Diagnostic::new(&own::W0802, text.span, message)
                        .help(format!("write `P{days}D` for days, {seconds} for seconds")),
                );
            }
            Some(Timespan::new(read.duration, text.span))
        }
        Err(flaw) => {
            let message = format!("`{}` {}", shown(&text.value), flaw.message);
            diagnostics.push(Diagnostic::new(&own::E0808, text.span, message).help(flaw.help));
            None
        }
    }
}

/// One of a few words, in any case.
pub fn word(node: &Node, name: &str, words: &[&'static str], diagnostics: &mut Diagnostics) -> Option<&'static str> {
    let text = text(node, name, diagnostics)?;
    let found = words.iter().find(|word| word.eq_ignore_ascii_case(&text.value)).copied();
    if found.is_none() {
        let message = format!("`{name}` cannot be `{}`", shown(&text.value));
        let all = format!("it is one of `{}`", words.join("`, `"));
        let near = nearest(&text.value, words.iter().copied()).map(|near| format!("did you mean `{near}`?"));
        diagnostics.push(Diagnostic::new(&codes::E0407, text.span, message).help(all).maybe_help(near));
    }
    found
}

/// Reports a number that is out of range.
pub fn out_of_range(node: &Node, name: &str, limits: &str, nearest: f64, diagnostics: &mut Diagnostics) {
    let message = format!("`{name}` must be {limits}");
    diagnostics.push(
        Diagnostic::new(&codes::E0404, node.span, message).help(format!("the nearest that is allowed is {nearest}")),
    );
}

fn twice(first: &Entry, second: &Entry, diagnostics: &mut Diagnostics) {
    let message = format!("`{}` and `{}` are the same member", first.key.value, second.key.value);
    diagnostics.push(
        Diagnostic::new(&own::E0812, second.key.span, message)
            .related(first.key.span, "the other one is here")
            .help("remove one of the two"),
    );
}

fn ignored(entry: &Entry, owner: &str, near: Option<&str>, diagnostics: &mut Diagnostics) {
    let message = format!("`{}` is not a member of {owner}, and is ignored", shown(&entry.key.value));
    diagnostics.push(
        Diagnostic::new(&own::W0801, entry.key.span, message)
            .help("remove it")
            .maybe_help(near.map(|near| format!("did you mean `{near}`?"))),
    );
}

/// Reports a member that must be there: `found` is it without a value, or another one that was meant to be it.
fn missing(fields: &Fields<'_>, name: &str, found: Option<&Entry>, diagnostics: &mut Diagnostics) {
    let message = format!("{} needs `{name}`", fields.owner);
    diagnostics.push(match found {
        Some(entry) if entry.value.tree == Tree::Null && entry.key.value.eq_ignore_ascii_case(name) => {
            Diagnostic::new(&codes::E0401, entry.value.span, message).help("write a value in place of null")
        }
        Some(entry) => Diagnostic::new(&codes::E0401, entry.key.span, message)
            .label(format!("`{}` is not a member of {}", shown(&entry.key.value), fields.owner))
            .help(format!("did you mean `{name}`?")),
        None => Diagnostic::new(&codes::E0401, opening(fields.span), message).help(format!("add `{name}`")),
    });
}
