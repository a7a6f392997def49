//! Field readers of this dialect: misplaced and misspelt fields, placeholders, paths and comments.

use super::AslParseCx;
use super::{looks_like_state, names};
use crate::diagnostics::suggest::nearest;
use crate::diagnostics::{Diagnostic, MAX_ERRORS, codes::fields as codes};
use crate::dialects::asl::ast::Amount;
use crate::dialects::asl::codes as own;
use crate::dialects::asl::jsonata;
use crate::dialects::asl::placeholders::{Placeholder, only_placeholder, placeholders, placeholders_in_names};
use crate::dialects::object::Object;
use crate::dialects::object::numbers::{self, NumberRange, in_range};
use crate::dialects::object::values::{self, report_word, text};
use crate::expr::jsonata::Yields;
use crate::source::Spanned;
use crate::syntax::{Entry, Node, Text};
use std::ops::RangeInclusive;
use std::sync::Arc;

impl<'a> Object<'a> {
    /// Returns the value of a required field. Its absence is reported unless a misspelling of it
    /// has been reported.
    pub fn required(&self, name: &str, cx: &mut AslParseCx) -> Option<&'a Node> {
        let value = self.get(name);
        if value.is_none() {
            self.missing(&[name], cx);
        }
        value
    }

    /// Reports that none of the required fields `names` is present, unless a misspelling of one
    /// has been reported.
    fn missing(&self, names: &[&str], cx: &mut AslParseCx) {
        if self.is_misspelled(names, cx) {
            return;
        }
        if let [name] = names {
            return self.report_missing(name, None, cx.diagnostics);
        }
        let names = format!("one of {}", list(names));
        let message = format!("missing {names} in {}", self.owner);
        cx.push(Diagnostic::new(&codes::WF0401, self.span.opening(), message).help(format!("add {names}")));
    }

    /// Returns `true` if a misspelling of one of these fields has been reported.
    pub fn is_misspelled(&self, names: &[&str], cx: &AslParseCx) -> bool {
        names.iter().any(|name| cx.misspelled.contains(&(self.span.start, name)))
    }

    /// Reports a field that is probably a misspelling of the absent field `name`. Used for fields
    /// that are read before the set of allowed fields is known.
    pub fn report_misspelling(&self, name: &'static str, cx: &mut AslParseCx) {
        if self.entry(name).is_some() || self.is_misspelled(&[name], cx) {
            return;
        }
        let is_known = |written: &str| written == "Comment" || names::owners_of(written).is_some();
        if let Some((entry, name)) = self.misspelling(&[name], is_known) {
            self.unknown(&entry.key, Some(name), cx);
        }
    }

    /// Reports a field that the language has in other objects only.
    pub fn misplaced(&self, key: &Text, cx: &mut AslParseCx) {
        let name = key.value.as_str();
        let place = names::owners_of(name).unwrap_or("other objects");
        cx.push(
            Diagnostic::new(&own::WF0406, key.span, format!("`{name}` is not allowed in {}", self.owner))
                .label("not allowed here")
                .help(format!("`{name}` is a field of {place}")),
        );
    }

    /// Reports a field that only the other query language has. Returns `true` if it is one.
    pub fn is_of_other_language(&self, key: &Text, cx: &mut AslParseCx) -> bool {
        let name = key.value.as_str();
        let Some((language, hint)) = names::of_other_language(name, cx.language) else { return false };
        let own = if cx.is_jsonata() { "JSONata" } else { "JSONPath" };
        let message = format!(
            "The QueryLanguage is set to '{own}', but field '{name}' is only supported for the '{language}' \
             QueryLanguage"
        );
        cx.push(Diagnostic::new(&own::WF0503, key.span, message).label("not allowed here").help(hint));
        true
    }

    fn unknown(&self, key: &Text, intended: Option<&'static str>, cx: &mut AslParseCx) {
        cx.misspelled.extend(intended.map(|name| (self.span.start, name)));
        let message = format!("unknown field `{}` in {}", key.value, self.owner);
        cx.push(
            Diagnostic::new(&own::WF0402, key.span, message)
                .label("unknown field")
                .help("remove the field, or put remarks in `Comment`")
                .maybe_help(intended.map(|name| format!("did you mean `{name}`?"))),
        );
    }

    /// Reports fields that are not among `allowed`. `Comment` is always allowed.
    pub fn allow(&self, allowed: &[&[&'static str]], cx: &mut AslParseCx) {
        let allowed: Vec<&'static str> =
            allowed.iter().flat_map(|group| group.iter().copied()).chain(["Comment"]).collect();
        let is_stray = |entry: &&Entry| {
            let name = entry.key.value.as_str();
            !allowed.contains(&name) || names::of_other_language(name, cx.language).is_some()
        };
        let strays: Vec<&Entry> = self.entries.iter().filter(is_stray).take(MAX_ERRORS).collect();
        if strays.is_empty() {
            return;
        }
        let missing: Vec<&'static str> = allowed.iter().copied().filter(|name| self.entry(name).is_none()).collect();
        for entry in strays {
            let (key, name) = (&entry.key, entry.key.value.as_str());
            if allowed.contains(&name) && self.is_of_other_language(key, cx) {
                continue;
            }
            if names::owners_of(name).is_some() {
                self.misplaced(key, cx);
            } else if allowed.contains(&"States") && looks_like_state(entry) {
                cx.push(
                    Diagnostic::new(&own::WF0406, key.span, format!("the state `{name}` is outside of `States`"))
                        .label("not allowed here")
                        .help("move it into `States`"),
                );
            } else {
                self.unknown(key, nearest(name, missing.iter().copied()), cx);
            }
        }
    }

    /// Returns the one field of `names` that is present. Several are an error, and so is none if
    /// one is `required`.
    pub fn one_of(&self, names: &[&'static str], required: bool, cx: &mut AslParseCx) -> Option<&'a Entry> {
        let mut present = self.entries.iter().filter(|entry| names.contains(&entry.key.value.as_str()));
        let Some(first) = present.next() else {
            if required {
                self.missing(names, cx);
            }
            return None;
        };
        for other in present {
            let message = format!("`{}` and `{}` cannot be used together", first.key.value, other.key.value);
            cx.push(
                Diagnostic::new(&codes::WF0405, other.key.span, message)
                    .related(first.key.span, format!("`{}` is set here", first.key.value))
                    .help("keep one of the two"),
            );
        }
        Some(first)
    }

    /// Returns the field `Comment`.
    pub fn comment(&self, cx: &mut AslParseCx) -> Option<String> {
        self.text("Comment", cx.diagnostics).map(|comment| comment.value.clone())
    }

    /// Returns a field that names a state.
    pub fn state_name(&self, name: &str, cx: &mut AslParseCx) -> Option<Spanned<Arc<str>>> {
        let text = static_text(self.get(name)?, name, cx)?;
        Some(Spanned::new(Arc::from(text.value.as_str()), text.span))
    }

    /// Returns a number field or its `…Path` twin.
    pub fn amount(
        &self,
        field: &'static str,
        path: &'static str,
        range: NumberRange,
        cx: &mut AslParseCx,
    ) -> Option<Amount> {
        let entry = self.one_of(&[field, path], false, cx)?;
        self.amount_of(entry, field, range, cx)
    }

    /// Returns the value of `entry`, which is the number field `field` or its `…Path` twin.
    pub fn amount_of(
        &self,
        entry: &'a Entry,
        field: &'static str,
        range: NumberRange,
        cx: &mut AslParseCx,
    ) -> Option<Amount> {
        if entry.key.value != field {
            // In JSONata the field has been reported.
            let is_path = !cx.is_jsonata();
            let path = is_path.then(|| super::expressions::reference_path(&entry.value, &entry.key.value, cx));
            return path.flatten().map(Amount::Path);
        }
        let text = entry.value.as_text();
        if let Some(text) = text.filter(|_| cx.is_jsonata())
            && let Some(expression) = jsonata::expression(text, field, Yields::Number, cx)?
        {
            return Some(Amount::Expression(Box::new(expression)));
        }
        match text {
            Some(text) if only_placeholder(&text.value).is_some() => Some(Amount::Setting(text.clone())),
            _ => number(&entry.value, field, range, cx).map(Amount::Fixed),
        }
    }

    /// Returns an integer that must be known at compile time.
    pub fn static_whole(&self, name: &str, range: RangeInclusive<u32>, cx: &mut AslParseCx) -> Option<Spanned<u32>> {
        number(self.get(name)?, name, NumberRange::Whole(range), cx)
            .map(|number| Spanned::new(number.value as u32, number.span))
    }
}

/// Returns the number that `node` is, also one that a placeholder stood for, or reports one that
/// is out of its range.
pub fn number(node: &Node, name: &str, range: NumberRange, cx: &mut AslParseCx) -> Option<Spanned<f64>> {
    let Some(text) = node.as_text() else { return numbers::number(node, name, range, cx.diagnostics) };
    let bound = text.value.parse().ok().filter(|value: &f64| value.is_finite() && cx.bound.was_placeholder(text));
    match bound {
        Some(value) => in_range(node, name, value, range, cx.diagnostics),
        None if unbound(text, &format!("`{name}`"), cx) => None,
        None => numbers::number(node, name, range, cx.diagnostics),
    }
}

/// Returns a string that must be known at compile time.
pub fn static_text<'a>(node: &'a Node, name: &str, cx: &mut AslParseCx) -> Option<&'a Text> {
    text(node, name, cx.diagnostics).filter(|text| !unbound(text, &format!("`{name}`"), cx))
}

/// Returns the boolean that `node` is, also one that a placeholder stood for.
pub fn boolean(node: &Node, name: &str, cx: &mut AslParseCx) -> Option<bool> {
    match node.as_text() {
        Some(text) if cx.bound.was_placeholder(text) && matches!(text.value.as_str(), "true" | "false") => {
            Some(text.value == "true")
        }
        _ => values::boolean(node, name, cx.diagnostics),
    }
}

/// Returns the one of `words` that `node` is.
pub fn word<'a>(node: &'a Node, name: &str, words: &[&'static str], cx: &mut AslParseCx) -> Option<&'a str> {
    let text = static_text(node, name, cx)?;
    if words.contains(&text.value.as_str()) {
        return Some(&text.value);
    }
    report_word(text, name, words, format!("use {}", list(words)), cx.diagnostics);
    None
}

/// Reports a placeholder in a text that must be known at compile time. Returns `true` if there is
/// one. `what` names the text in the message.
pub fn unbound(text: &Text, what: &str, cx: &mut AslParseCx) -> bool {
    needs_value(text, placeholders(&text.value).next(), what, cx)
}

/// Reports a placeholder in a name of a path or an intrinsic function, the value of the field
/// `name`. Returns `true` if there is one.
pub fn unbound_name(text: &Text, name: &str, cx: &mut AslParseCx) -> bool {
    needs_value(text, placeholders_in_names(&text.value).next(), &format!("`{name}`"), cx)
}

fn needs_value(text: &Text, placeholder: Option<Placeholder<'_>>, what: &str, cx: &mut AslParseCx) -> bool {
    if let Some(placeholder) = &placeholder {
        let message =
            format!("no value for the placeholder `{}`, which {what} needs at compile time", placeholder.name);
        cx.push(
            Diagnostic::new(&own::WF0417, text.span_of(placeholder.at.start, placeholder.at.end), message)
                .help(format!("set `{}` in the substitutions", placeholder.name)),
        );
    }
    placeholder.is_some()
}

/// Formats names as `` `A`, `B` or `C` ``.
pub fn list(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}
