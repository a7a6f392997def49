//! Operators (ECMA-262 §13).

use std::cmp::Ordering;

use super::budget::walk;
use super::coerce::{Hint, number, primitive, property_key, string};
use super::object::{Class, Special};
use super::{Js, Result, error, method, property, text};

/// The length from which a comparison of texts is counted, in bytes.
const LONG: usize = 64;

/// Implements `+` (§13.15.3).
pub fn add(left: &Js, right: &Js) -> Result {
    if let (Js::Number(left), Js::Number(right)) = (left, right) {
        return Ok(Js::Number(left + right));
    }
    let left = primitive(left, Hint::Default)?;
    let right = primitive(right, Hint::Default)?;
    if matches!(left, Js::String(_)) || matches!(right, Js::String(_)) {
        return Ok(Js::String(text::concat(&string(&left)?, &string(&right)?)?));
    }
    Ok(Js::Number(number(&left)? + number(&right)?))
}

/// Implements `**` (§6.1.6.1.3).
pub fn power(base: f64, exponent: f64) -> f64 {
    // The cases that IEEE 754 has defined as 1 since 2008.
    if exponent.is_nan() || (base.abs() == 1.0 && exponent.is_infinite()) { f64::NAN } else { base.powf(exponent) }
}

/// Implements `===` (§7.2.15).
pub fn strict_equals(left: &Js, right: &Js) -> bool {
    match (left, right) {
        (Js::Undefined, Js::Undefined) | (Js::Null, Js::Null) => true,
        (Js::Bool(left), Js::Bool(right)) => left == right,
        (Js::Number(left), Js::Number(right)) => left == right,
        (Js::String(left), Js::String(right)) => {
            let is_as_long = left.len() == right.len();
            // Short texts cost almost nothing.
            if is_as_long && left.len() >= LONG {
                walk(left.len());
            }
            is_as_long && left == right
        }
        (Js::Object(left), Js::Object(right)) => left.same(right),
        _ => false,
    }
}

/// Compares as `===` does, but NaN equals NaN (§7.2.11).
pub(super) fn same_value_zero(left: &Js, right: &Js) -> bool {
    match (left, right) {
        (Js::Number(left), Js::Number(right)) if left.is_nan() => right.is_nan(),
        _ => strict_equals(left, right),
    }
}

/// Implements `==` (§7.2.14).
pub fn loose_equals(left: &Js, right: &Js) -> Result<bool> {
    Ok(match (left, right) {
        (Js::Undefined | Js::Null, Js::Undefined | Js::Null) => true,
        (Js::Undefined | Js::Null, _) | (_, Js::Undefined | Js::Null) => false,
        (Js::Object(left), Js::Object(right)) => left.same(right),
        // A boolean becomes a number before an object becomes a primitive.
        (Js::Bool(value), other) | (other, Js::Bool(value)) if !matches!(other, Js::Bool(_)) => {
            return loose_equals(&Js::Number(f64::from(u8::from(*value))), other);
        }
        (Js::Object(_), other) => return loose_equals(&primitive(left, Hint::Default)?, other),
        (other, Js::Object(_)) => return loose_equals(other, &primitive(right, Hint::Default)?),
        (Js::Number(_), Js::String(_)) | (Js::String(_), Js::Number(_)) => number(left)? == number(right)?,
        _ => strict_equals(left, right),
    })
}

/// Compares as `<` does (§7.2.13). Returns `None` if either side is not a number.
fn compare(left: &Js, right: &Js) -> Result<Option<Ordering>> {
    if let (Js::Number(left), Js::Number(right)) = (left, right) {
        return Ok(left.partial_cmp(right));
    }
    let left = primitive(left, Hint::Number)?;
    let right = primitive(right, Hint::Number)?;
    if let (Js::String(left), Js::String(right)) = (&left, &right) {
        return Ok(Some(text::compare(left, right)));
    }
    Ok(number(&left)?.partial_cmp(&number(&right)?))
}

/// Implements `<`.
pub fn less(left: &Js, right: &Js) -> Result<bool> {
    Ok(compare(left, right)? == Some(Ordering::Less))
}

/// Implements `<=`.
pub fn less_or_equal(left: &Js, right: &Js) -> Result<bool> {
    Ok(matches!(compare(left, right)?, Some(Ordering::Less | Ordering::Equal)))
}

/// Implements `>`.
pub fn greater(left: &Js, right: &Js) -> Result<bool> {
    Ok(compare(left, right)? == Some(Ordering::Greater))
}

/// Implements `>=`.
pub fn greater_or_equal(left: &Js, right: &Js) -> Result<bool> {
    Ok(matches!(compare(left, right)?, Some(Ordering::Greater | Ordering::Equal)))
}

/// Implements `typeof` (§13.5.3).
pub fn type_of(value: &Js) -> &'static str {
    match value {
        Js::Undefined => "undefined",
        Js::Null => "object",
        Js::Bool(_) => "boolean",
        Js::Number(_) => "number",
        Js::String(_) => "string",
        Js::Object(object) if object.class() == Class::Function => "function",
        Js::Object(_) => "object",
    }
}

/// Implements `in` (§13.10.1).
pub fn has(key: &Js, object: &Js) -> Result<bool> {
    let Js::Object(target) = object else {
        let (key, object) = (error::describe(key), error::describe(object));
        return Err(error::type_error(format!("Cannot use 'in' operator to search for '{key}' in {object}")));
    };
    let key = property_key(key)?;
    Ok(property::has_own(target, &key)
        || method::find(object, &key).is_some()
        || matches!(
            key.as_str(),
            "constructor" | "__proto__" | "isPrototypeOf" | "propertyIsEnumerable" | "toLocaleString"
        )
        || (target.class() == Class::Error && matches!(key.as_str(), "name" | "message")))
}

/// Implements `instanceof` for a built-in constructor (§13.10.2).
pub fn instance_of(value: &Js, constructor: &str) -> bool {
    let Js::Object(object) = value else { return false };
    match constructor {
        "Object" => true,
        "Array" => object.is_array(),
        "Function" => object.class() == Class::Function,
        "Date" => object.class() == Class::Date,
        "Buffer" | "Uint8Array" => object.class() == Class::Buffer,
        kind => match object.special_part() {
            Some(Special::Error(error)) => kind == "Error" || kind == error.kind,
            _ => false,
        },
    }
}
