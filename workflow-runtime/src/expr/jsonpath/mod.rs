//! JSONPath: paths that can lead to several values, and what filters ask (RFC 9535; Jayway's JsonPath).
//!
//! A definite path is emitted as a chain of [`Value::get`](crate::Value::get); any other as a chain on [`select`].

mod compare;
mod jayway;
#[cfg(feature = "regex")]
mod pattern;
#[cfg(test)]
mod tests;

use crate::value::Value;

pub use compare::{any, count, count_one, equal, exists, length, less, less_or_equal, value};
pub use jayway::{
    jayway_any_of, jayway_contains, jayway_empty, jayway_equal, jayway_in, jayway_length, jayway_less_or_equal,
    jayway_none_of, jayway_size, jayway_subset_of, members, members_of_each,
};
#[cfg(feature = "regex")]
pub use pattern::{jayway_matches, matches, matches_value, searches, searches_value};

/// The values that a path has reached, in the order in which it reached them.
#[derive(Debug, Clone)]
pub struct Nodes<'a>(Vec<&'a Value>);

/// A path that has reached one value.
pub fn select(value: &Value) -> Nodes<'_> {
    Nodes(vec![value])
}

impl<'a> Nodes<'a> {
    /// The member of this name of each value.
    pub fn name(&self, name: &str) -> Nodes<'a> {
        Nodes(self.0.iter().filter_map(|value| value.get(name)).collect())
    }

    /// The element at this index of each value; a negative one counts from the end.
    pub fn index(&self, index: i64) -> Nodes<'a> {
        Nodes(self.0.iter().filter_map(|value| value.get(index)).collect())
    }

    /// The elements `start..end` by `step` of each value (RFC 9535 §2.3.4.2.2).
    pub fn slice(&self, start: Option<i64>, end: Option<i64>, step: i64) -> Nodes<'a> {
        self.expand(|value, found| {
            let Some(items) = value.as_array() else { return };
            let len = items.len() as i64;
            let normal = |index: i64| if index < 0 { len.saturating_add(index) } else { index };
            let mut add = |at: i64| found.extend(usize::try_from(at).ok().and_then(|at| items.get(at)));
            if step > 0 {
                let (mut at, end) =
                    (normal(start.unwrap_or(0)).clamp(0, len), normal(end.unwrap_or(len)).clamp(0, len));
                while at < end {
                    add(at);
                    at = at.saturating_add(step);
                }
            } else if step < 0 {
                let mut at = start.map_or(len - 1, |start| normal(start).clamp(-1, len - 1));
                let end = end.map_or(-1, |end| normal(end).clamp(-1, len - 1));
                while at > end {
                    add(at);
                    at = at.saturating_add(step);
                }
            }
        })
    }

    /// Every member or element of each value.
    pub fn wildcard(&self) -> Nodes<'a> {
        self.expand(|value, found| found.extend(children(value)))
    }

    /// The members or elements of each value for which the condition holds.
    pub fn filter(&self, condition: impl Fn(&'a Value) -> bool) -> Nodes<'a> {
        self.expand(|value, found| found.extend(children(value).filter(|child| condition(child))))
    }

    /// Jayway's filter: the elements of an array for which the condition holds, and an object itself if it holds for it.
    pub fn matching(&self, condition: impl Fn(&'a Value) -> bool) -> Nodes<'a> {
        self.expand(|value, found| match value {
            Value::Array(items) => found.extend(items.iter().filter(|item| condition(item))),
            Value::Object(_) if condition(value) => found.push(value),
            _ => {}
        })
    }

    /// Each value and everything in it, what contains before what is contained: the next step is taken from all of them.
    pub fn descend(&self) -> Nodes<'a> {
        self.expand(|value, found| {
            let mut waiting = vec![value];
            while let Some(next) = waiting.pop() {
                found.push(next);
                let first = waiting.len();
                waiting.extend(children(next));
                waiting[first..].reverse();
            }
        })
    }

    /// What several selectors select from each value, one selector after the other.
    pub fn union(&self, selectors: impl Fn(Nodes<'a>) -> Vec<Nodes<'a>>) -> Nodes<'a> {
        self.expand(|value, found| found.extend(selectors(select(value)).into_iter().flat_map(|nodes| nodes.0)))
    }

    /// The values as an array.
    pub fn collect(&self) -> Value {
        self.0.iter().copied().collect()
    }

    fn expand(&self, mut from: impl FnMut(&'a Value, &mut Vec<&'a Value>)) -> Nodes<'a> {
        let mut found = Vec::new();
        for value in &self.0 {
            from(value, &mut found);
        }
        Nodes(found)
    }
}

/// The elements of an array, the values of an object.
fn children(value: &Value) -> impl DoubleEndedIterator<Item = &Value> {
    let items = value.as_array().map(|items| items.iter());
    let members = value.as_object().map(|members| members.values());
    items.into_iter().flatten().chain(members.into_iter().flatten())
}
