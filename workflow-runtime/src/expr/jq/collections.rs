//! Functions on whole arrays and objects.

use super::number::{as_double, count};
use super::{
    Error, Result, add as plus, budget, cannot_iterate, index, not_a_key, order, text, type_error, type_error2,
};
use crate::value::{Array, Object, Str, Value, object};

/// An iterator over the elements of an array or the values of an object.
pub(super) enum Items<'a> {
    Array(std::slice::Iter<'a, Value>),
    Object(<&'a Object as IntoIterator>::IntoIter),
}

impl<'a> Iterator for Items<'a> {
    type Item = &'a Value;

    fn next(&mut self) -> Option<&'a Value> {
        match self {
            Items::Array(rest) => rest.next(),
            Items::Object(rest) => rest.next().map(|(_, value)| value),
        }
    }
}

/// Implements `.[]`.
pub(super) fn items(value: &Value) -> Result<Items<'_>> {
    match value {
        Value::Array(items) => Ok(Items::Array(items.iter())),
        Value::Object(members) => Ok(Items::Object(members.iter())),
        _ => Err(cannot_iterate(value)),
    }
}

/// Implements `length`.
pub fn length(value: &Value) -> Result<Value> {
    match value {
        Value::Null => Ok(Value::Int(0)),
        Value::Bool(_) => Err(type_error(value, "has no length")),
        Value::Int(number) => Ok(number.checked_abs().map_or_else(|| Value::Float((*number as f64).abs()), Value::Int)),
        Value::Float(value) if *value == 0.0 => Ok(Value::Int(0)),
        Value::Float(value) => Ok(Value::Float(value.abs())),
        Value::String(text) => {
            budget::read(text)?;
            Ok(count(text.chars().count()))
        }
        Value::Array(items) => Ok(count(items.len())),
        Value::Object(members) => Ok(count(members.len())),
    }
}

/// Implements `utf8bytelength`.
pub fn utf8bytelength(value: &Value) -> Result<Value> {
    match value {
        Value::String(text) => Ok(count(text.len())),
        _ => Err(type_error(value, "only strings have UTF-8 byte length")),
    }
}

/// Implements `not`.
pub fn not(value: &Value) -> bool {
    !order::truthy(value)
}

/// Implements `type`.
pub fn type_(value: &Value) -> Value {
    Value::String(Str::from_static(value.kind()))
}

/// Implements `keys`, in the order of strings.
pub fn keys(value: &Value) -> Result<Value> {
    match value {
        Value::Object(members) => {
            budget::charge_elements(members.len())?;
            Ok(order::sorted(members).into_iter().map(|(key, _)| key.clone()).collect())
        }
        _ => keys_unsorted(value),
    }
}

/// Implements `keys_unsorted`, in the order of the members.
pub fn keys_unsorted(value: &Value) -> Result<Value> {
    match value {
        Value::Object(members) => {
            budget::charge_elements(members.len())?;
            Ok(members.keys().cloned().collect())
        }
        Value::Array(items) => {
            budget::charge_elements(items.len())?;
            Ok((0..items.len()).map(count).collect())
        }
        _ => Err(type_error(value, "has no keys")),
    }
}

/// Implements `to_entries`.
pub fn to_entries(value: &Value) -> Result<Value> {
    let entry = |key: Value, value: &Value| object([("key", key), ("value", value.clone())]);
    match value {
        Value::Object(members) => {
            budget::charge_elements(members.len().saturating_mul(3))?;
            Ok(members.iter().map(|(key, value)| entry(Value::String(key.clone()), value)).collect())
        }
        Value::Array(items) => {
            budget::charge_elements(items.len().saturating_mul(3))?;
            Ok(items.iter().enumerate().map(|(at, value)| entry(count(at), value)).collect())
        }
        _ => Err(type_error(value, "has no keys")),
    }
}

/// Implements `from_entries`.
pub fn from_entries(value: &Value) -> Result<Value> {
    let mut object = Object::new();
    for entry in items(value)? {
        budget::charge_elements(1)?;
        let (key, value) = member_of(entry)?;
        object.insert(key, value);
    }
    Ok(object.into())
}

/// Returns the member that an entry describes. The first of several member names that is present
/// counts.
fn member_of(entry: &Value) -> Result<(Str, Value)> {
    let members = match entry {
        Value::Object(members) => members,
        Value::Null => return Err(not_a_key(&Value::Null)),
        _ => return Err(super::cannot_index(entry, &Value::from("key"))),
    };
    let named = |name: &str| members.get(name).filter(|value| order::truthy(value));
    let key = named("key").or_else(|| named("Key")).or_else(|| named("name"));
    // The last name is used whatever its value.
    let key = key.or_else(|| members.get("Name")).unwrap_or(&Value::Null);
    let Value::String(key) = key else { return Err(not_a_key(key)) };
    let value = members.get("value").or_else(|| members.get("Value"));
    Ok((key.clone(), value.cloned().unwrap_or_default()))
}

/// Implements `add`: returns the sum of the elements or of the values.
pub fn add_(value: &Value) -> Result<Value> {
    let mut sum = Value::Null;
    // Concatenation appends to one buffer instead of copying for each string.
    let mut joined: Option<String> = None;
    for item in items(value)? {
        budget::tick()?;
        match (&mut joined, item) {
            (Some(text), Value::String(more)) => {
                budget::charge(more.len())?;
                text.push_str(more);
            }
            (Some(_), Value::Null) => {}
            (None, Value::String(first)) if sum.is_null() => joined = Some(first.as_str().to_owned()),
            _ => {
                let so_far = joined.take().map_or_else(|| sum.take(), Value::from);
                sum = plus(so_far, item)?;
                if let Value::String(text) = &sum {
                    joined = Some(text.as_str().to_owned());
                }
            }
        }
    }
    Ok(joined.map_or(sum, Value::from))
}

/// Implements `any`.
pub fn any(value: &Value) -> Result<bool> {
    has_any(value, order::truthy)
}

/// Implements `all`.
pub fn all(value: &Value) -> Result<bool> {
    has_any(value, not).map(|has_false| !has_false)
}

fn has_any(value: &Value, is_wanted: fn(&Value) -> bool) -> Result<bool> {
    for item in items(value)? {
        budget::tick()?;
        if is_wanted(item) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Implements `flatten`.
pub fn flatten(value: &Value) -> Result<Value> {
    flatten_to(value, f64::NEG_INFINITY)
}

/// Implements `flatten(depth)`.
pub fn flatten_by(value: &Value, depth: &Value) -> Result<Value> {
    if order::cmp(depth, &Value::Int(0)).is_lt() {
        return Err(Error::message("flatten depth must not be negative"));
    }
    match as_double(depth) {
        Some(depth) => flatten_to(value, depth),
        // A depth that is not a number fails at the first decrement.
        None => match has_any(value, |item| matches!(item, Value::Array(_)))? {
            true => Err(type_error2(depth, &Value::Int(1), "cannot be subtracted")),
            false => flatten_to(value, 0.0),
        },
    }
}

/// Flattens arrays. A depth that is never exactly 0 flattens all levels.
fn flatten_to(value: &Value, depth: f64) -> Result<Value> {
    let mut flat = Vec::new();
    let mut open = vec![(items(value)?, depth)];
    while let Some((innermost, depth)) = open.last_mut() {
        let depth = *depth;
        match innermost.next() {
            None => drop(open.pop()),
            Some(Value::Array(inner)) if depth != 0.0 => {
                budget::tick()?;
                open.push((Items::Array(inner.iter()), depth - 1.0));
            }
            Some(item) => {
                budget::charge_elements(1)?;
                flat.push(item.clone());
            }
        }
    }
    Ok(Value::from(flat))
}

/// Implements `join(separator)`.
pub fn join(value: &Value, separator: &Value) -> Result<Value> {
    let mut joined: Option<String> = None;
    for item in items(value)? {
        let text = match &mut joined {
            None => joined.insert(String::new()),
            Some(text) => {
                match separator {
                    Value::Null => {}
                    Value::String(separator) => {
                        budget::charge(separator.len())?;
                        text.push_str(separator);
                    }
                    other => return Err(type_error2(&Value::from(text.as_str()), other, "cannot be added")),
                }
                text
            }
        };
        match item {
            Value::Null => {}
            Value::Array(_) | Value::Object(_) => {
                return Err(type_error2(&Value::from(text.as_str()), item, "cannot be added"));
            }
            _ => text::push(text, item)?,
        }
    }
    Ok(Value::from(joined.unwrap_or_default()))
}

/// Implements `reverse`.
pub fn reverse(value: &Value) -> Result<Value> {
    match value {
        Value::Array(items) => {
            budget::charge_elements(items.len())?;
            Ok(items.iter().rev().cloned().collect())
        }
        Value::Null => Ok(Array::new().into()),
        // jq reads the elements by number, and fails at the first.
        _ => match length(value)? {
            Value::Int(0) => Ok(Array::new().into()),
            length => index(value, &super::sub(length, &Value::Int(1))?),
        },
    }
}

/// Implements `transpose`.
pub fn transpose(value: &Value) -> Result<Value> {
    let mut longest = Value::Null;
    for row in items(value)? {
        budget::tick()?;
        let length = length(row)?;
        if longest.is_null() || !order::cmp(&length, &longest).is_lt() {
            longest = length;
        }
    }
    let columns = longest.as_f64().unwrap_or_default().ceil().max(0.0) as usize;
    let mut transposed = Vec::new();
    for at in 0..columns {
        let key = count(at);
        let mut column = Vec::new();
        for row in items(value)? {
            budget::charge_elements(1)?;
            column.push(index(row, &key)?);
        }
        transposed.push(Value::from(column));
    }
    Ok(Value::from(transposed))
}

/// Implements `contains(other)`.
pub fn contains(value: &Value, other: &Value) -> Result<bool> {
    if value.kind() != other.kind() || order_kind(value) != order_kind(other) {
        return Err(type_error2(value, other, "cannot have their containment checked"));
    }
    contained(value, other)
}

/// Implements `inside(other)`.
pub fn inside(value: &Value, other: &Value) -> Result<bool> {
    contains(other, value)
}

/// Returns the rank of a type. jq has two types of booleans.
fn order_kind(value: &Value) -> u8 {
    match value {
        Value::Bool(value) => 1 + u8::from(*value),
        _ => 0,
    }
}

/// A suspended test of containment.
enum SuspendedTest<'a> {
    /// The test that, for each element of `wanted`, some element of `items` contains it.
    Array {
        items: &'a Array,
        wanted: &'a Array,
        item: usize,
        at: usize,
    },
    Object {
        members: &'a Object,
        wanted: <&'a Object as IntoIterator>::IntoIter,
    },
}

fn contained(value: &Value, other: &Value) -> Result<bool> {
    let mut open = Vec::new();
    let mut answer = begin_test(value, other, &mut open);
    loop {
        budget::tick()?;
        let Some(innermost) = open.last_mut() else { return Ok(answer.unwrap_or(true)) };
        let next = match innermost {
            SuspendedTest::Array { items, wanted, item, at } => {
                match answer {
                    Some(true) => (*item, *at) = (0, *at + 1),
                    Some(false) => *item += 1,
                    None => {}
                }
                match (items.get(*item), wanted.get(*at)) {
                    (_, None) => Err(true),
                    (None, _) => Err(false),
                    (Some(item), Some(wanted)) => Ok((item, wanted)),
                }
            }
            SuspendedTest::Object { members, wanted } => match answer {
                Some(false) => Err(false),
                _ => match wanted.next() {
                    None => Err(true),
                    Some((key, wanted)) => members.get(key).map(|value| (value, wanted)).ok_or(false),
                },
            },
        };
        answer = match next {
            Ok((value, wanted)) => begin_test(value, wanted, &mut open),
            Err(answer) => {
                open.pop();
                Some(answer)
            }
        };
    }
}

/// Returns the answer, or pushes the test if it needs more steps.
fn begin_test<'a>(value: &'a Value, other: &'a Value, open: &mut Vec<SuspendedTest<'a>>) -> Option<bool> {
    match (value, other) {
        (Value::Array(items), Value::Array(wanted)) => {
            open.push(SuspendedTest::Array { items, wanted, item: 0, at: 0 });
            None
        }
        (Value::Object(members), Value::Object(wanted)) => {
            open.push(SuspendedTest::Object { members, wanted: wanted.iter() });
            None
        }
        (Value::String(text), Value::String(part)) => {
            budget::walk((text.len() + part.len()) / budget::STRIDE);
            Some(text.contains(part.as_str()))
        }
        _ => Some(order::eq(value, other)),
    }
}

/// Implements `toarray`.
pub fn toarray(value: &Value) -> Value {
    match value {
        Value::Array(_) => value.clone(),
        _ => Value::from(vec![value.clone()]),
    }
}

/// Implements `combinations`: yields every choice of one element from each array.
pub fn combinations(value: &Value, out: super::Out) -> Result<()> {
    let Value::Array(sets) = value else {
        // A value without elements has one combination, the empty one. For any other value, `.[0]`
        // fails or is null.
        return match length(value)? {
            Value::Int(0) => out(Array::new().into()),
            _ => Err(cannot_iterate(&index(value, &Value::Int(0))?)),
        };
    };
    let mut chosen: Vec<Value> = Vec::new();
    let mut open: Vec<Items> = Vec::new();
    loop {
        match sets.get(open.len()) {
            Some(set) => open.push(items(set)?),
            None => {
                budget::charge_elements(chosen.len() + 1)?;
                out(Value::from(chosen.clone()))?;
            }
        }
        loop {
            budget::tick()?;
            let level = open.len();
            let Some(innermost) = open.last_mut() else { return Ok(()) };
            chosen.truncate(level - 1);
            match innermost.next() {
                Some(item) => {
                    chosen.push(item.clone());
                    break;
                }
                None => drop(open.pop()),
            }
        }
    }
}

/// Implements `combinations(n)`.
pub fn combinations_of(value: &Value, number: &Value, out: super::Out) -> Result<()> {
    let times = as_double(number).ok_or_else(|| Error::message("Range bounds must be numeric"))?;
    let times = times.ceil().max(0.0) as usize;
    budget::charge_elements(times)?;
    combinations(&Value::from(vec![value.clone(); times]), out)
}
