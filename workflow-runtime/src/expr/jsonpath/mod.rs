//! JSONPath: paths that can select several values, and comparisons in filters (RFC 9535; Jayway's
//! JsonPath).
//!
//! The compiler emits a definite path as a chain of [`Value::get`](crate::Value::get), and any
//! other path as a chain of calls on [`select`].

mod compare;
mod jayway;
#[cfg(feature = "regex")]
mod pattern;
#[cfg(test)]
mod tests;
mod through;

use crate::budget;
use crate::value::{Key, Value};

pub use compare::{any, count, count_one, equal, exists, holds, length, less, less_or_equal, value};
pub use jayway::{
    jayway_any_of, jayway_contains, jayway_empty, jayway_equal, jayway_in, jayway_length, jayway_less_or_equal,
    jayway_none_of, jayway_size, jayway_subset_of, members, members_of_each,
};
#[cfg(feature = "regex")]
pub use pattern::{jayway_matches, matches, matches_value, searches, searches_value};
#[cfg(feature = "regex")]
#[cfg(feature = "serverless-workflow")]
pub(crate) use pattern::{matches_whole, matches_whole_from_data};
pub use through::Through;

/// The values that a path has selected, in order.
#[derive(Debug, Clone)]
pub struct Nodes<'a> {
    values: Vec<&'a Value>,
    /// `true` if the steps so far can select at most one value.
    definite: bool,
    /// `true` if a definite step, or the step after the definite steps, was applied to a value of
    /// the wrong type.
    misfit: bool,
}

/// Begins a path at one value.
pub fn select(value: &Value) -> Nodes<'_> {
    Nodes { values: vec![value], definite: true, misfit: false }
}

impl<'a> Nodes<'a> {
    /// Selects the member of this name of each value.
    pub fn name(&self, name: &str) -> Nodes<'a> {
        self.get(name, |value| matches!(value, Value::Object(_)))
    }

    /// Selects the member of this name of each value, looking into arrays of one element.
    pub fn through(&self, name: &str) -> Nodes<'a> {
        self.get(Through(name), |value| matches!(through::within(value), Value::Object(_)))
    }

    /// Selects the element at this index of each value. A negative index counts from the end.
    pub fn index(&self, index: i64) -> Nodes<'a> {
        self.get(index, |value| matches!(value, Value::Array(_)))
    }

    fn get(&self, key: impl Key + Copy, fits: impl Fn(&Value) -> bool) -> Nodes<'a> {
        let values = self.values.iter().filter(|_| budget::spend(1)).filter_map(|value| value.get(key)).collect();
        Nodes { values, definite: self.definite, misfit: self.misfits(fits) }
    }

    /// Selects the elements `start..end` by `step` of each value (RFC 9535, section 2.3.4.2.2).
    pub fn slice(&self, start: Option<i64>, end: Option<i64>, step: i64) -> Nodes<'a> {
        let misfit = self.misfits(|value| matches!(value, Value::Array(_)));
        self.expand(misfit, |value, found| {
            let Some(items) = value.as_array() else { return };
            budget::spend(items.len());
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

    /// Selects every member or element of each value.
    pub fn wildcard(&self) -> Nodes<'a> {
        self.expand(self.misfit, |value, found| found.extend(children(value).take_while(|_| budget::spend(1))))
    }

    /// Selects the members or elements of each value for which the condition holds.
    pub fn filter(&self, condition: impl Fn(&'a Value) -> bool) -> Nodes<'a> {
        let holds = |child: &&'a Value| budget::spend(1) && condition(child);
        self.expand(self.misfit, |value, found| found.extend(children(value).filter(holds)))
    }

    /// Implements Jayway's filter: selects the elements of an array for which the condition holds,
    /// and an object itself if the condition holds for it.
    pub fn matching(&self, condition: impl Fn(&'a Value) -> bool) -> Nodes<'a> {
        let misfit = self.misfits(|value| matches!(value, Value::Array(_) | Value::Object(_)));
        self.expand(misfit, |value, found| match value {
            Value::Array(items) => found.extend(items.iter().filter(|item| budget::spend(1) && condition(item))),
            Value::Object(_) if condition(value) => found.push(value),
            _ => {}
        })
    }

    /// Selects each value and all its descendants, parents before children. The next step applies
    /// to all of them.
    pub fn descend(&self) -> Nodes<'a> {
        self.expand(self.misfit, |value, found| {
            let mut waiting = vec![value];
            while let Some(next) = waiting.pop() {
                found.push(next);
                // Shared parts are reached once for each path to them.
                if !budget::spend(1) || is_too_much(found.len() + waiting.len()) {
                    return;
                }
                let first = waiting.len();
                waiting.extend(children(next));
                waiting[first..].reverse();
            }
        })
    }

    /// Selects the union of several selectors for each value, one selector after the other.
    pub fn union(&self, selectors: impl Fn(Nodes<'a>) -> Vec<Nodes<'a>>) -> Nodes<'a> {
        let mut misfit = false;
        let nodes = self.expand(self.misfit, |value, found| {
            for nodes in selectors(select(value)) {
                misfit |= nodes.misfit;
                found.extend(nodes.values);
            }
        });
        Nodes { misfit: nodes.misfit || self.definite && misfit, ..nodes }
    }

    /// Returns the values as an array.
    pub fn collect(&self) -> Value {
        budget::spend(self.values.len());
        self.values.iter().copied().collect()
    }

    /// Returns the values as an array, or `None` if the definite beginning of the path does not
    /// fit the data, as in Jayway's JsonPath: a name or an index is applied to a value of another
    /// type, or a slice or filter follows such steps. A missing member or element is not a misfit.
    /// After several values, no step is.
    pub fn found(&self) -> Option<Value> {
        (!self.misfit).then(|| self.collect())
    }

    fn misfits(&self, fits: impl Fn(&Value) -> bool) -> bool {
        self.misfit || self.definite && !self.values.iter().copied().all(fits)
    }

    fn expand(&self, misfit: bool, mut from: impl FnMut(&'a Value, &mut Vec<&'a Value>)) -> Nodes<'a> {
        let mut values = Vec::new();
        for value in &self.values {
            from(value, &mut values);
            if !budget::spend(1) || is_too_much(values.len()) {
                break;
            }
        }
        Nodes { values, definite: false, misfit }
    }
}

/// Returns `true` and ends the turn if this is more than a path may select.
fn is_too_much(values: usize) -> bool {
    values > budget::MOST_NODES && budget::exhaust("a path selected more than 8,388,608 values")
}

/// Returns the elements of an array or the values of an object.
fn children(value: &Value) -> impl DoubleEndedIterator<Item = &Value> {
    let items = value.as_array().map(|items| items.iter());
    let members = value.as_object().map(|members| members.values());
    items.into_iter().flatten().chain(members.into_iter().flatten())
}
