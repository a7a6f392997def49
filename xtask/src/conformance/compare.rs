//! Comparison of expected and actual: JSON by value, texts with placeholders.

use super::case::Mismatch;
use serde_json::{Number, Value};

#[cfg(test)]
mod tests;

/// Placeholders: texts that match other texts.
#[derive(Debug, Clone, Default)]
pub struct Placeholders {
    names: Vec<String>,
    /// `true` if every text between `<` and `>` is a placeholder.
    bracketed: bool,
}

impl Placeholders {
    /// Returns placeholders with these names. A name in brackets (`<uuid:1>`) matches any text
    /// wherever it occurs, another name only a whole value.
    pub fn named(names: impl IntoIterator<Item = String>) -> Placeholders {
        Placeholders { names: names.into_iter().collect(), bracketed: false }
    }

    /// Returns placeholders with these names, and with every text in brackets.
    pub fn bracketed(names: impl IntoIterator<Item = String>) -> Placeholders {
        Placeholders { bracketed: true, ..Placeholders::named(names) }
    }

    /// Returns these placeholders, and every text in brackets.
    pub fn and_bracketed(self) -> Placeholders {
        Placeholders { bracketed: true, ..self }
    }

    /// Returns the first placeholder in a text, as a range of bytes.
    fn find(&self, text: &str) -> Option<(usize, usize)> {
        let named = self.names.iter().filter(|name| name.starts_with('<'));
        let named = named.filter_map(|name| text.find(name.as_str()).map(|at| (at, at + name.len()))).min();
        let any = || {
            let start = text.find('<')?;
            let end = start + text[start..].find('>')? + 1;
            Some((start, end))
        };
        if self.bracketed { any() } else { named }
    }

    fn is_whole(&self, text: &str) -> bool {
        self.names.iter().any(|name| name == text)
    }
}

/// Compares two values: numbers by value, and members of objects in any order. The difference
/// names its place.
pub fn values(expected: &Value, actual: &Value, placeholders: &Placeholders) -> Result<(), Mismatch> {
    match difference(expected, actual, placeholders, "$") {
        None => Ok(()),
        Some(at) => Err(Mismatch::new(expected.to_string(), format!("{actual} (differs at {at})"))),
    }
}

/// Returns `true` if two values are equal.
pub fn equal(expected: &Value, actual: &Value, placeholders: &Placeholders) -> bool {
    difference(expected, actual, placeholders, "$").is_none()
}

/// Returns `true` if a text matches an expected text with placeholders.
pub fn text_matches(expected: &str, actual: &str, placeholders: &Placeholders) -> bool {
    if placeholders.is_whole(expected) {
        return true;
    }
    let Some((start, end)) = placeholders.find(expected) else { return expected == actual };
    let Some(rest) = actual.strip_prefix(&expected[..start]) else { return false };
    let pattern = &expected[end..];
    let mut starts = (0..=rest.len()).filter(|at| rest.is_char_boundary(*at));
    starts.any(|at| text_matches(pattern, &rest[at..], placeholders))
}

/// Returns the path of the first difference between two values, and the difference.
fn difference(expected: &Value, actual: &Value, placeholders: &Placeholders, path: &str) -> Option<String> {
    let here = |equal: bool| (!equal).then(|| path.to_owned());
    match (expected, actual) {
        (Value::String(name), _) if placeholders.is_whole(name) => None,
        (Value::String(expected), Value::String(actual)) => here(text_matches(expected, actual, placeholders)),
        (Value::Number(expected), Value::Number(actual)) => here(same_number(expected, actual)),
        (Value::Array(expected), Value::Array(actual)) if expected.len() == actual.len() => {
            let pairs = expected.iter().zip(actual).enumerate();
            pairs.map(|(at, (e, a))| difference(e, a, placeholders, &format!("{path}[{at}]"))).find_map(|found| found)
        }
        (Value::Object(expected), Value::Object(actual)) => {
            let missing = expected.keys().find(|key| !actual.contains_key(*key));
            let extra = actual.keys().find(|key| !expected.contains_key(*key));
            if let Some(key) = missing.or(extra) {
                return Some(format!("{path}.{key}"));
            }
            expected.iter().find_map(|(key, e)| difference(e, &actual[key], placeholders, &format!("{path}.{key}")))
        }
        _ => here(expected == actual),
    }
}

fn same_number(a: &Number, b: &Number) -> bool {
    match (a.as_i64(), b.as_i64()) {
        (Some(a), Some(b)) => a == b,
        _ => a == b || a.as_f64() == b.as_f64(),
    }
}
