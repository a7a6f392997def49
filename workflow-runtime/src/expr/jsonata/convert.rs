//! Conversions between JSON values and values of an evaluation.

use super::error::Result;
use super::item::{Item, ItemObject, List};
use super::run::Evaluation;
use super::truth::out_of_range;
use crate::value::{Array, Object, Str, Value};
use std::rc::Rc;

/// 2^53: whole numbers up to here are exact as doubles.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Returns a number. A whole number that a double holds exactly is stored as such.
pub(crate) fn number(value: f64) -> Item {
    if value.fract() == 0.0 && value.abs() <= EXACT {
        // The cast is exact. It drops the sign of zero, which JSON does not have.
        Item::Value(Value::Int(value as i64))
    } else if value.is_finite() {
        Item::Value(Value::Float(value))
    } else {
        Item::NonFinite(value)
    }
}

/// Returns a string.
pub(crate) fn text(text: impl Into<Str>) -> Item {
    Item::Value(Value::String(text.into()))
}

/// Returns an array without flags.
pub(crate) fn array(items: Vec<Item>) -> Item {
    if items.iter().all(|item| matches!(item, Item::Value(_))) {
        Item::Value(items.into_iter().filter_map(json).collect())
    } else {
        Item::List(Rc::new(List { items, ..List::default() }))
    }
}

/// Returns a sequence: it stands for its element if it has one, and for nothing if it has none.
pub(crate) fn sequence(items: Vec<Item>) -> Item {
    Item::List(Rc::new(List { items, is_sequence: true, ..List::default() }))
}

/// Returns an object of members with distinct names.
pub(crate) fn object(members: Vec<(Str, Item)>) -> Item {
    if members.iter().all(|(_, item)| matches!(item, Item::Value(_))) {
        let members = members.into_iter().filter_map(|(name, item)| Some((name, json(item)?)));
        Item::Value(Object::from_distinct(members.collect()).into())
    } else {
        Item::Object(Rc::new(ItemObject { members }))
    }
}

fn json(item: Item) -> Option<Value> {
    match item {
        Item::Value(value) => Some(value),
        _ => None,
    }
}

/// An array or object whose parts are being converted, with the parts that are done.
enum Open<'a> {
    Array(&'a [Item], Vec<Value>),
    Object(&'a [(Str, Item)], Vec<(Str, Value)>),
}

impl<'a> Open<'a> {
    /// Returns the part that is not yet done.
    fn next(&self) -> Option<&'a Item> {
        match self {
            Open::Array(items, done) => items.get(done.len()),
            Open::Object(members, done) => members.get(done.len()).map(|(_, item)| item),
        }
    }

    fn add(&mut self, value: Value) {
        match self {
            Open::Array(_, done) => done.push(value),
            Open::Object(members, done) => {
                let name = members.get(done.len()).map(|(name, _)| name.clone());
                done.push((name.unwrap_or_default(), value));
            }
        }
    }

    fn finish(self) -> Value {
        match self {
            Open::Array(_, done) => Value::from(Array::from(done)),
            Open::Object(_, done) => Object::from_distinct(done).into(),
        }
    }
}

/// Returns the value as JSON, or nothing if it is a function or if a function is inside of it.
/// NaN and the infinities become strings: `"NaN"`, `"Infinity"` and `"-Infinity"`.
///
/// # Errors
/// Fails if a limit is exceeded.
pub(crate) fn to_value(run: &mut Evaluation, mut item: Item) -> Result<Option<Value>> {
    if let Item::List(list) = &mut item
        && list.items.iter().all(|item| matches!(item, Item::Value(_)))
        && let Some(list) = Rc::get_mut(list)
    {
        run.charge(list.items.len())?;
        return Ok(Some(std::mem::take(&mut list.items).into_iter().filter_map(json).collect()));
    }
    convert(run, &item, |item| match item {
        Item::NonFinite(number) => Ok(Some(name_of(*number).into())),
        _ => Ok(None),
    })
}

/// Returns a copy of a value as JSON, with the empty string for each function and null for NaN.
///
/// # Errors
/// Fails with D1001 for an infinity, and if a limit is exceeded.
pub(crate) fn without_functions(run: &mut Evaluation, item: &Item) -> Result<Value> {
    let value = convert(run, item, |item| match item {
        Item::NonFinite(number) if number.is_infinite() => Err(out_of_range()),
        Item::NonFinite(_) => Ok(Some(Value::Null)),
        _ => Ok(Some(Str::default().into())),
    })?;
    Ok(value.unwrap_or_default())
}

/// Converts a value to JSON. The function converts functions and numbers that are not finite. If
/// it returns nothing, there is no JSON.
fn convert(
    run: &mut Evaluation,
    item: &Item,
    special: impl Fn(&Item) -> Result<Option<Value>>,
) -> Result<Option<Value>> {
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut next = item;
    loop {
        let mut value = match next {
            Item::Value(value) => Some(value.clone()),
            Item::NonFinite(_) | Item::Function(_) => match special(next)? {
                None => return Ok(None),
                value => value,
            },
            Item::List(list) => {
                run.charge(list.items.len())?;
                open.push(Open::Array(&list.items, Vec::with_capacity(list.items.len())));
                None
            }
            Item::Object(object) => {
                run.charge(object.members.len())?;
                open.push(Open::Object(&object.members, Vec::with_capacity(object.members.len())));
                None
            }
        };
        loop {
            let Some(innermost) = open.last_mut() else { return Ok(value) };
            if let Some(value) = value.take() {
                innermost.add(value);
            }
            if let Some(item) = innermost.next() {
                next = item;
                break;
            }
            value = open.pop().map(Open::finish);
        }
    }
}

fn name_of(number: f64) -> &'static str {
    if number.is_nan() {
        "NaN"
    } else if number > 0.0 {
        "Infinity"
    } else {
        "-Infinity"
    }
}
