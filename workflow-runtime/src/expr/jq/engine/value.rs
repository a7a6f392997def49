//! The runtime's values for `jaq-core`, with their nesting depth.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

use jaq_core::box_iter::{BoxIter, box_once};
use jaq_core::path::Opt;
use jaq_core::val::Range;
use jaq_core::{Exn, ValR, ValT, ValX};

use super::super::{self as jq, Error, Result, budget, number, text};
use crate::value::{Object, Value, object};

/// The nesting limit of values. Drop, `..` and updates of `jaq-core` recurse.
const DEEPEST: u32 = 512;

thread_local! {
    /// The limit that was exceeded in this run. An operator cannot raise an uncatchable error.
    static EXCEEDED: RefCell<Option<Error>> = const { RefCell::new(None) };
}

/// Clears the exceeded limit before a run.
pub(super) fn forget() {
    EXCEEDED.take();
}

/// Takes the exceeded limit.
pub(super) fn exceeded() -> Option<Error> {
    EXCEEDED.take()
}

/// Counts a step. Returns `false` if a limit was exceeded, even if the program caught the error.
pub(super) fn goes_on() -> bool {
    if EXCEEDED.with_borrow(Option::is_some) {
        return false;
    }
    match budget::tick() {
        Ok(()) => true,
        Err(error) => {
            EXCEEDED.set(Some(error));
            false
        }
    }
}

/// A value with an upper bound of its nesting depth.
#[derive(Clone)]
pub(super) struct V {
    value: Value,
    depth: u32,
}

/// Converts an error for `jaq-core`. Stores an uncatchable error until the end of the run.
pub(super) fn refused(error: Error) -> jaq_core::Error<V> {
    match error.caught() {
        Ok(raised) => jaq_core::Error::new(V::of(raised, 0)),
        Err(exceeded) => {
            let message = exceeded.to_string();
            EXCEEDED.set(Some(exceeded));
            jaq_core::Error::str(message)
        }
    }
}

impl V {
    /// Returns a value whose depth is known to be at most `depth`.
    fn of(value: Value, depth: u32) -> V {
        V { value, depth }
    }

    /// Returns a value from outside, whose depth is measured.
    pub(super) fn measured(value: Value) -> Result<V> {
        V::new(value, u32::MAX)
    }

    /// Returns a value whose depth is estimated as `depth`. Measures the value if the estimate
    /// exceeds the limit.
    pub(super) fn new(value: Value, depth: u32) -> Result<V> {
        let depth = if depth > DEEPEST { depth_of(&value)? } else { depth };
        Ok(V { value, depth })
    }

    pub(super) fn value(&self) -> &Value {
        &self.value
    }

    pub(super) fn into_value(self) -> Value {
        self.value
    }

    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    /// Returns a part of this value.
    fn part(&self, value: Value) -> V {
        V::of(value, self.depth.saturating_sub(1))
    }

    /// Applies an operator to two values.
    fn computed(self, other: V, operator: fn(Value, &Value) -> Result<Value>) -> ValR<V> {
        // Merged objects can nest parts of one operand in the other.
        let depth = self.depth.max(other.depth) + 1;
        operator(self.value, &other.value).and_then(|value| V::new(value, depth)).map_err(refused)
    }

    /// Implements `.[key] |= update`.
    fn update_key<'a, I: Iterator<Item = ValX<'a, V>>>(
        self,
        key: Value,
        opt: Opt,
        update: impl Fn(V) -> I,
    ) -> ValX<'a, V> {
        let depth = self.depth;
        let old = match jq::index(&self.value, &key) {
            Ok(old) => self.part(old),
            Err(error) => return opt.fail(self, |_| Exn::from(refused(error))),
        };
        let changed = |value: Result<Value>, depth| {
            value.and_then(|value| V::new(value, depth)).map_err(|error| Exn::from(refused(error)))
        };
        match update(old).next().transpose()? {
            Some(new) => {
                let depth = depth.max(new.depth.saturating_add(1)).max(1);
                changed(jq::set(self.value, &key, new.value), depth)
            }
            None => changed(jq::delpaths(self.value, &vec![Value::from(vec![key])].into()), depth),
        }
    }
}

/// Measures the depth of a value.
fn depth_of(value: &Value) -> Result<u32> {
    let mut deepest = 0;
    let mut pending = vec![(value, 1)];
    while let Some((value, depth)) = pending.pop() {
        let inside = |part| (part, depth + 1);
        match value {
            Value::Array(items) => pending.extend(items.iter().map(inside)),
            Value::Object(members) => pending.extend(members.values().map(inside)),
            _ => continue,
        }
        deepest = deepest.max(depth);
        budget::tick()?;
        if deepest > DEEPEST {
            return Err(Error::exceeded("levels of arrays and objects"));
        }
    }
    Ok(deepest)
}

fn range_key(range: Range<&V>) -> Value {
    let bound = |bound: Option<&V>| bound.map_or(Value::Null, |bound| bound.value.clone());
    object([("start", bound(range.start)), ("end", bound(range.end))])
}

impl ValT for V {
    fn from_num(text: &str) -> ValR<V> {
        let number = jq::read_number(text);
        number.map(|number| V::of(number, 0)).ok_or_else(|| jaq_core::Error::str("Invalid numeric literal"))
    }

    fn from_map<I: IntoIterator<Item = (V, V)>>(members: I) -> ValR<V> {
        let (mut object, mut depth) = (Object::new(), 0);
        for (key, value) in members {
            let Value::String(key) = key.value else { return Err(refused(jq::not_a_key(&key.value))) };
            budget::charge_elements(1).map_err(refused)?;
            depth = depth.max(value.depth);
            object.insert(key, value.value);
        }
        V::new(object.into(), depth + 1).map_err(refused)
    }

    fn key_values(self) -> BoxIter<'static, ValR<(V, V), V>> {
        let depth = self.depth.saturating_sub(1);
        let pair = move |key, value| Ok((V::of(key, 0), V::of(value, depth)));
        match self.value {
            Value::Array(items) => Box::new((0..items.len()).map(move |at| pair(number::count(at), items[at].clone()))),
            Value::Object(members) => {
                let member = move |at| members.get_index(at).map(|(key, value)| (key.clone(), value.clone()));
                Box::new((0..).map_while(member).map(move |(key, value)| pair(Value::String(key), value)))
            }
            value => box_once(Err(refused(jq::cannot_iterate(&value)))),
        }
    }

    fn values(self) -> Box<dyn Iterator<Item = ValR<V>>> {
        let depth = self.depth.saturating_sub(1);
        match self.value {
            Value::Array(items) => Box::new((0..items.len()).map(move |at| Ok(V::of(items[at].clone(), depth)))),
            Value::Object(members) => {
                let value = move |at| members.get_index(at).map(|(_, value)| Ok(V::of(value.clone(), depth)));
                Box::new((0..).map_while(value))
            }
            value => box_once(Err(refused(jq::cannot_iterate(&value)))),
        }
    }

    fn index(self, key: &V) -> ValR<V> {
        let part = jq::index(&self.value, &key.value).map_err(refused)?;
        // The depth of a slice, and of an array of positions, is that of its source.
        Ok(if matches!(key.value, Value::Object(_) | Value::Array(_)) {
            V::of(part, self.depth.max(1))
        } else {
            self.part(part)
        })
    }

    fn range(self, range: Range<&V>) -> ValR<V> {
        let slice = jq::index(&self.value, &range_key(range)).map_err(refused)?;
        Ok(V::of(slice, self.depth))
    }

    fn map_values<'a, I: Iterator<Item = ValX<'a, V>>>(self, opt: Opt, f: impl Fn(V) -> I) -> ValX<'a, V> {
        let inside = self.depth.saturating_sub(1);
        let mut deepest = 0;
        // The first output replaces the part. Without an output, the part is removed.
        let mut update = |value: Value| -> ValX<'a, Option<Value>, V> {
            let updated = f(V::of(value, inside)).next().transpose()?;
            budget::charge_elements(1).map_err(|error| Exn::from(refused(error)))?;
            deepest = updated.as_ref().map_or(deepest, |updated| deepest.max(updated.depth));
            Ok(updated.map(V::into_value))
        };
        let updated: Value = match &self.value {
            Value::Array(items) => {
                let mut kept = Vec::with_capacity(items.len());
                for item in items.iter() {
                    kept.extend(update(item.clone())?);
                }
                kept.into()
            }
            Value::Object(members) => {
                let mut kept = Object::with_capacity(members.len());
                for (key, value) in members.iter() {
                    if let Some(value) = update(value.clone())? {
                        kept.insert(key, value);
                    }
                }
                kept.into()
            }
            value => {
                let error = jq::cannot_iterate(value);
                return opt.fail(self, |_| Exn::from(refused(error)));
            }
        };
        V::new(updated, deepest + 1).map_err(|error| Exn::from(refused(error)))
    }

    fn map_index<'a, I: Iterator<Item = ValX<'a, V>>>(self, key: &V, opt: Opt, f: impl Fn(V) -> I) -> ValX<'a, V> {
        self.update_key(key.value.clone(), opt, f)
    }

    fn map_range<'a, I: Iterator<Item = ValX<'a, V>>>(
        self,
        range: Range<&V>,
        opt: Opt,
        f: impl Fn(V) -> I,
    ) -> ValX<'a, V> {
        // The replacement of a slice is an array, and so one level deeper than an element.
        let deeper = V::of(self.value, self.depth.saturating_add(1));
        deeper.update_key(range_key(range), opt, f)
    }

    fn as_bool(&self) -> bool {
        jq::truthy(&self.value)
    }

    fn into_string(self) -> V {
        match jq::tostring(&self.value) {
            Ok(text) => V::of(text, 0),
            Err(error) => {
                refused(error);
                V::of(Value::Null, 0)
            }
        }
    }
}

impl PartialEq for V {
    fn eq(&self, other: &V) -> bool {
        jq::eq(&self.value, &other.value)
    }
}

impl PartialOrd for V {
    fn partial_cmp(&self, other: &V) -> Option<Ordering> {
        Some(jq::cmp(&self.value, &other.value))
    }
}

impl fmt::Display for V {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text::beginning(&self.value))
    }
}

impl From<bool> for V {
    fn from(value: bool) -> V {
        V::of(value.into(), 0)
    }
}

impl From<isize> for V {
    fn from(value: isize) -> V {
        V::of(Value::Int(value as i64), 0)
    }
}

impl From<String> for V {
    fn from(value: String) -> V {
        V::of(value.into(), 0)
    }
}

impl From<Range<V>> for V {
    fn from(range: Range<V>) -> V {
        V::of(range_key(range.start.as_ref()..range.end.as_ref()), 1)
    }
}

/// Collects an array. Once a limit is exceeded, the array is cut short, because the run ends soon.
impl FromIterator<V> for V {
    fn from_iter<I: IntoIterator<Item = V>>(items: I) -> V {
        let (mut array, mut depth) = (Vec::new(), 0);
        for item in items {
            if let Err(error) = budget::charge_elements(1).and_then(|()| budget::tick()) {
                refused(error);
                break;
            }
            depth = depth.max(item.depth);
            array.push(item.value);
        }
        V::new(array.into(), depth + 1).unwrap_or_else(|error| {
            refused(error);
            V::of(Value::Null, 0)
        })
    }
}

macro_rules! operators {
    ($($operator:ident $method:ident;)*) => {$(
        impl $operator for V {
            type Output = ValR<V>;

            fn $method(self, other: V) -> ValR<V> {
                self.computed(other, jq::$method)
            }
        }
    )*};
}

operators! {
    Add add;
    Sub sub;
    Mul mul;
    Div div;
    Rem rem;
}

impl Neg for V {
    type Output = ValR<V>;

    fn neg(self) -> ValR<V> {
        jq::neg(self.value).map(|value| V::of(value, 0)).map_err(refused)
    }
}
