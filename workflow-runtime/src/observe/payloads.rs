//! The extent of payloads that observers show: all, all but redacted paths, or nothing.

use std::fmt;
use std::sync::Arc;

use crate::value::{Key, Str, TEXT_LIMIT, Value};

/// The replacement of a redacted value.
const REDACTED: Value = Value::String(Str::from_static("[redacted]"));

/// The replacement of a payload that is too large.
const TOO_LARGE: Value = Value::String(Str::from_static("[too large]"));

/// The default limit of a payload in bytes of JSON: 1 MiB. Every state shows the whole document.
pub(super) const LIMIT: u64 = 1 << 20;

/// The largest depth at which `..` searches. Values that lie deeper are not shown at all.
const DEPTH: usize = 128;

/// The extent of payloads that an observer shows.
#[derive(Debug, Clone)]
pub(super) struct Payloads {
    hidden: bool,
    places: Vec<Vec<Segment>>,
    limit: u64,
}

impl Default for Payloads {
    fn default() -> Payloads {
        Payloads { hidden: false, places: Vec::new(), limit: LIMIT }
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Segment {
    /// `.name` or `['name']`
    Name(String),
    /// `[0]`
    Index(i64),
    /// `.*` or `[*]`
    Any,
    /// `..name`
    Below(String),
}

impl Payloads {
    /// Hides all payloads.
    pub fn hide(&mut self) {
        self.hidden = true;
    }

    /// Hides payloads of more than this many bytes of JSON.
    pub fn limit(&mut self, bytes: u64) {
        self.limit = bytes.min(TEXT_LIMIT);
    }

    /// Redacts these paths.
    pub fn redact<P: AsRef<str>>(&mut self, paths: impl IntoIterator<Item = P>) -> Result<(), InvalidPath> {
        for path in paths {
            let path = path.as_ref();
            self.places.push(parse(path).ok_or_else(|| InvalidPath(path.to_owned()))?);
        }
        Ok(())
    }

    /// Returns the visible form of a payload; `None` if it is hidden.
    pub fn show(&self, value: &Value) -> Option<Value> {
        if self.hidden {
            return None;
        }
        if value.is_longer_than(self.limit) {
            return Some(TOO_LARGE);
        }
        let mut shown = value.clone();
        for place in &self.places {
            if let Some(changed) = redacted(&shown, place, 0) {
                shown = changed;
            }
        }
        Some(shown)
    }
}

/// Returns the value with the selection of the path redacted; `None` if the path selects nothing.
fn redacted(value: &Value, path: &[Segment], depth: usize) -> Option<Value> {
    let Some((segment, rest)) = path.split_first() else { return Some(REDACTED) };
    match segment {
        Segment::Name(name) => replaced(value, name.as_str(), rest, depth),
        Segment::Index(index) => replaced(value, *index, rest, depth),
        Segment::Any => changed_at(value, |_, inner| redacted(inner, rest, depth)),
        Segment::Below(_) if depth == DEPTH => Some(REDACTED),
        Segment::Below(name) => changed_at(value, |key, inner| {
            let here = if key == Some(name) { redacted(inner, rest, depth) } else { None };
            redacted(here.as_ref().unwrap_or(inner), path, depth + 1).or(here)
        }),
    }
}

/// Returns the value with the selection of `rest`, applied to the member or element of this key,
/// redacted.
fn replaced(value: &Value, key: impl Key + Copy, rest: &[Segment], depth: usize) -> Option<Value> {
    let changed = redacted(value.get(key)?, rest, depth)?;
    let mut value = value.clone();
    *value.get_mut(key)? = changed;
    Some(value)
}

/// Returns the value with every changed member or element; `None` if nothing changes.
fn changed_at(value: &Value, mut change: impl FnMut(Option<&str>, &Value) -> Option<Value>) -> Option<Value> {
    let mut changed = None;
    match value {
        Value::Object(members) => {
            for (key, inner) in members.iter() {
                if let Some(inner) = change(Some(key), inner) {
                    let members = changed.get_or_insert_with(|| members.clone());
                    Arc::make_mut(members).insert(key.clone(), inner);
                }
            }
            changed.map(Value::Object)
        }
        Value::Array(items) => {
            let mut changed = None;
            for (at, inner) in items.iter().enumerate() {
                if let Some(inner) = change(None, inner) {
                    let items = changed.get_or_insert_with(|| items.clone());
                    Arc::make_mut(items)[at] = inner;
                }
            }
            changed.map(Value::Array)
        }
        _ => None,
    }
}

fn parse(path: &str) -> Option<Vec<Segment>> {
    let mut left = path.strip_prefix('$')?;
    let mut segments = Vec::new();
    while !left.is_empty() {
        let (segment, rest) = if let Some(rest) = left.strip_prefix("..") {
            let (name, rest) = name(rest)?;
            (Segment::Below(name.to_owned()), rest)
        } else if let Some(rest) = left.strip_prefix(".*").or_else(|| left.strip_prefix("[*]")) {
            (Segment::Any, rest)
        } else if let Some(rest) = left.strip_prefix('.') {
            let (name, rest) = name(rest)?;
            (Segment::Name(name.to_owned()), rest)
        } else if let Some(rest) = left.strip_prefix("['") {
            let (name, rest) = rest.split_once("']")?;
            (Segment::Name(name.to_owned()), rest)
        } else {
            let (index, rest) = left.strip_prefix('[')?.split_once(']')?;
            (Segment::Index(index.parse().ok()?), rest)
        };
        segments.push(segment);
        left = rest;
    }
    Some(segments)
}

/// Splits a name from the beginning of a path.
fn name(text: &str) -> Option<(&str, &str)> {
    let end = text.find(['.', '[', ']', '*', '\'']).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// A path that cannot be redacted.
///
/// ```
/// use workflow_runtime::observe::History;
///
/// let invalid = History::new(Vec::new()).redact(["card"]).err().unwrap();
/// assert!(invalid.to_string().contains("card"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidPath(String);

impl fmt::Display for InvalidPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = "`.name`, `['name']`, `[0]`, `[*]` or `..name`";
        write!(f, "`{}` is not a path to redact: write `$`, followed by {steps}", self.0)
    }
}

impl std::error::Error for InvalidPath {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value;

    fn show(paths: &[&str], value: &Value) -> String {
        let mut payloads = Payloads::default();
        payloads.redact(paths).expect("valid paths");
        payloads.show(value).expect("payloads are shown").to_string()
    }

    #[test]
    fn the_selection_of_a_path_is_redacted() {
        let order = value!({
            "card": { "number": "4111", "cvc": 123 },
            "items": [{ "name": "a", "card": { "number": 1 } }, { "name": "b" }]
        });
        let cases = [
            (
                "$.card.number",
                r#"{"card":{"number":"[redacted]","cvc":123},"items":[{"name":"a","card":{"number":1}},{"name":"b"}]}"#,
            ),
            ("$['card']", r#"{"card":"[redacted]","items":[{"name":"a","card":{"number":1}},{"name":"b"}]}"#),
            (
                "$.items[*].name",
                r#"{"card":{"number":"4111","cvc":123},"items":[{"name":"[redacted]","card":{"number":1}},{"name":"[redacted]"}]}"#,
            ),
            (
                "$.items[-1]",
                r#"{"card":{"number":"4111","cvc":123},"items":[{"name":"a","card":{"number":1}},"[redacted]"]}"#,
            ),
            (
                "$..card.number",
                r#"{"card":{"number":"[redacted]","cvc":123},"items":[{"name":"a","card":{"number":"[redacted]"}},{"name":"b"}]}"#,
            ),
            ("$..card", r#"{"card":"[redacted]","items":[{"name":"a","card":"[redacted]"},{"name":"b"}]}"#),
            ("$.nothing.there", &order.to_string()),
            ("$", r#""[redacted]""#),
        ];
        for (path, expected) in cases {
            assert_eq!(show(&[path], &order), expected, "{path}");
        }
        assert_eq!(show(&["$.card", "$.items"], &order), r#"{"card":"[redacted]","items":"[redacted]"}"#);
    }

    #[test]
    fn values_nested_too_deep_to_search_are_not_shown() {
        let mut deep = value!({ "secret": 1 });
        for _ in 0..100_000 {
            deep = value!([deep]);
        }
        let shown = show(&["$..secret"], &deep);
        assert!(shown.contains("[redacted]") && !shown.contains("secret"));
    }

    #[test]
    fn a_wrong_path_is_reported() {
        for path in ["card", "$card", "$.", "$..", "$[", "$[x]", "$['a", "$.a]"] {
            let error = Payloads::default().redact([path]).expect_err(path);
            assert!(error.to_string().starts_with(&format!("`{path}` is not a path to redact")), "{error}");
        }
    }
}
