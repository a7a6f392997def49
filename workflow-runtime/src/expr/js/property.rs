//! Reading, writing and deleting of properties in strict mode (ECMA-262 §13.3, §10).

use super::budget::charge;
use super::coerce::{index_of, property_key};
use super::members::{Slot, array_index};
use super::object::{Class, Obj, Special};
use super::{Js, Result, call, coerce, error, method, text};
use crate::value::Str;

/// Implements `object.key`.
pub fn get(object: &Js, key: &str) -> Result {
    let own = match object {
        Js::Object(target) => own(target, key),
        Js::String(text) if key == "length" => Some(Js::Number(text::length(text) as f64)),
        Js::String(text) => array_index(key).and_then(|index| unit(text, index)),
        Js::Undefined | Js::Null => return Err(unreadable(object, key)),
        _ => None,
    };
    Ok(own.unwrap_or_else(|| inherited(object, key)))
}

/// Implements `object[key]`.
pub fn get_at(object: &Js, key: &Js) -> Result {
    if let Some(index) = index_of(key) {
        match object {
            Js::Object(target) if target.is_array() => return Ok(target.item(index as usize).unwrap_or_default()),
            Js::String(text) => return Ok(unit(text, index).unwrap_or_default()),
            _ => {}
        }
    }
    if object.is_nullish() {
        return Err(unreadable(object, &coerce::string(key)?));
    }
    get(object, &property_key(key)?)
}

/// Implements `object.constructor.name`. Constructors are not values, but their names are known.
pub fn constructor_name(object: &Js) -> Result {
    let name = match object {
        Js::Undefined | Js::Null => return Err(unreadable(object, "constructor")),
        Js::Bool(_) => "Boolean",
        Js::Number(_) => "Number",
        Js::String(_) => "String",
        Js::Object(target) => match own(target, "constructor") {
            Some(constructor) => return get(&constructor, "name"),
            None => match target.special_part() {
                Some(Special::Function(_)) => "Function",
                Some(Special::Error(error)) => error.kind,
                Some(Special::Date(_)) => "Date",
                Some(Special::Buffer(_)) => "Buffer",
                None if target.is_array() => "Array",
                None => "Object",
            },
        },
    };
    Ok(Js::text(name))
}

/// Returns a string of the UTF-16 unit at a position.
fn unit(text: &Str, index: u32) -> Option<Js> {
    let unit = text::unit_at(text, index as usize)?;
    Some(Js::String(text::of_units(&[unit])))
}

#[cold]
fn unreadable(object: &Js, key: &str) -> super::Throw {
    error::type_error(format!("Cannot read properties of {} (reading '{key}')", error::describe(object)))
}

/// Returns an own property.
pub(super) fn own(object: &Obj, key: &str) -> Option<Js> {
    match object.class() {
        Class::Object | Class::Date => object.member(key),
        Class::Array if key == "length" => Some(Js::Number(object.len() as f64)),
        Class::Array => object.item(array_index(key)? as usize),
        Class::Function | Class::Error | Class::Buffer => {
            own_of_special(&object.special_part()?, key).or_else(|| object.member(key))
        }
    }
}

fn own_of_special(special: &Special, key: &str) -> Option<Js> {
    match (special, key) {
        (Special::Function(function), "name") => Some(Js::text(function.name)),
        (Special::Function(function), "length") => Some(Js::Number(function.length as f64)),
        (Special::Error(error), "message") => error.message.clone(),
        (Special::Error(error), "cause") => error.cause.clone(),
        (Special::Error(error), "stack") => Some(error.stack.clone()),
        (Special::Buffer(bytes), "length") => Some(Js::Number(bytes.len() as f64)),
        (Special::Buffer(bytes), key) => {
            let byte = bytes.get(array_index(key)? as usize)?;
            Some(Js::Number(f64::from(*byte)))
        }
        _ => None,
    }
}

pub(super) fn has_own(object: &Obj, key: &str) -> bool {
    match object.class() {
        Class::Object | Class::Date => object.has_member(key),
        Class::Array => key == "length" || array_index(key).is_some_and(|index| (index as usize) < object.len()),
        Class::Function | Class::Error | Class::Buffer => own(object, key).is_some(),
    }
}

/// Returns a property of the prototype: a method, or the name of an error. Each read creates a new
/// function.
fn inherited(object: &Js, key: &str) -> Js {
    if let Js::Object(target) = object
        && let Some(Special::Error(error)) = target.special_part()
    {
        match key {
            "name" => return Js::text(error.kind),
            "message" => return Js::text(""),
            _ => {}
        }
    }
    match method::find(object, key) {
        Some(method) => call::function(method.name, method.length, method.call),
        None => Js::Undefined,
    }
}

/// Implements `object.key = value`.
pub fn set(object: &Js, key: &'static str, value: Js) -> Result<()> {
    set_key(object, Str::from_static(key), value)
}

/// Implements `object[key] = value`.
pub fn set_at(object: &Js, key: &Js, value: Js) -> Result<()> {
    if let (Js::Object(target), Some(index)) = (object, index_of(key))
        && target.is_array()
    {
        return set_item(target, index, value);
    }
    if object.is_nullish() {
        return Err(unwritable(object, &coerce::string(key)?));
    }
    set_key(object, property_key(key)?, value)
}

#[cold]
fn unwritable(object: &Js, key: &str) -> super::Throw {
    error::type_error(format!("Cannot set properties of {} (setting '{key}')", error::describe(object)))
}

pub(super) fn set_key(object: &Js, key: Str, value: Js) -> Result<()> {
    let target = match object {
        Js::Object(target) => target,
        Js::Undefined | Js::Null => return Err(unwritable(object, &key)),
        primitive => {
            let (kind, text) = (super::operators::type_of(primitive), error::describe(primitive));
            return Err(error::type_error(format!("Cannot create property '{}' on {kind} '{text}'", key.as_str())));
        }
    };
    let class = target.class();
    if class == Class::Array {
        return match array_index(&key) {
            Some(index) => set_item(target, index, value),
            None if key == "length" => set_length(target, &value),
            None => Err(super::Throw::Abort(format!("a property `{key}` of an array is not supported"))),
        };
    }
    check_frozen(target, &key)?;
    if class == Class::Object {
        target.set_member(key, value);
        return Ok(());
    }
    match target.special_part() {
        Some(Special::Function(_)) if matches!(key.as_str(), "name" | "length") => Err(read_only(&key)),
        Some(Special::Buffer(_)) if key == "length" || array_index(&key).is_some() => Err(read_only(&key)),
        Some(Special::Error(mut error)) => {
            match key.as_str() {
                "message" => error.message = Some(value),
                "cause" if error.cause.is_some() => error.cause = Some(value),
                "stack" => error.stack = value,
                _ => {
                    target.set_member(key, value);
                    return Ok(());
                }
            }
            target.track_cycle(&Slot::Js(Js::Object(target.clone())));
            target.set_special(Special::Error(error));
            Ok(())
        }
        _ => {
            target.set_member(key, value);
            Ok(())
        }
    }
}

/// Sets an element. The array gets no holes: elements in between become undefined.
fn set_item(target: &Obj, index: u32, value: Js) -> Result<()> {
    check_frozen(target, "0")?;
    let (index, length) = (index as usize, target.len());
    if index > length {
        grow(target, index)?;
    }
    target.set_item(index, value);
    Ok(())
}

fn grow(target: &Obj, length: usize) -> Result<()> {
    charge(length.saturating_sub(target.len()).saturating_mul(size_of::<Slot>()))?;
    target.edit(|items| items.resize_with(length, || Slot::Js(Js::Undefined)));
    Ok(())
}

/// Assigns the length of an array (§10.4.2.4).
fn set_length(target: &Obj, value: &Js) -> Result<()> {
    let number = coerce::number(value)?;
    let length = coerce::uint32(number);
    if f64::from(length) != number {
        return Err(error::range_error("Invalid array length"));
    }
    check_frozen(target, "length")?;
    let length = length as usize;
    if length > target.len() {
        grow(target, length)
    } else {
        drop(target.edit(|items| items.split_off(length)));
        Ok(())
    }
}

/// Fails for an object that `Object.freeze` was called on.
pub(super) fn check_frozen(target: &Obj, key: &str) -> Result<()> {
    if !target.0.frozen.get() {
        return Ok(());
    }
    if has_own(target, key) {
        return Err(read_only(key));
    }
    Err(error::type_error(format!("Cannot add property {key}, object is not extensible")))
}

#[cold]
fn read_only(key: &str) -> super::Throw {
    error::type_error(format!("Cannot assign to read only property '{key}' of object"))
}

/// Implements `delete object.key`.
pub fn delete(object: &Js, key: &str) -> Result<bool> {
    let target = match object {
        Js::Object(target) => target,
        Js::Undefined | Js::Null => {
            return Err(error::type_error(format!("Cannot convert {} to object", error::describe(object))));
        }
        Js::String(text) if key == "length" || array_index(key).is_some_and(|at| unit(text, at).is_some()) => {
            return Err(undeletable(key));
        }
        _ => return Ok(true),
    };
    if !has_own(target, key) {
        return Ok(true);
    }
    if target.0.frozen.get() {
        return Err(undeletable(key));
    }
    match target.class() {
        Class::Array => match array_index(key) {
            // Deleting an element leaves undefined, because a hole would read as undefined.
            Some(index) => target.set_item(index as usize, Js::Undefined),
            None => return Err(undeletable(key)),
        },
        Class::Buffer => return Err(undeletable(key)),
        Class::Error => match target.special_part() {
            Some(Special::Error(mut error)) if matches!(key, "message" | "cause") && !target.has_member(key) => {
                let field = if key == "message" { &mut error.message } else { &mut error.cause };
                *field = None;
                target.set_special(Special::Error(error));
            }
            _ => target.remove_member(key),
        },
        Class::Object | Class::Function | Class::Date => target.remove_member(key),
    }
    Ok(true)
}

#[cold]
fn undeletable(key: &str) -> super::Throw {
    error::type_error(format!("Cannot delete property '{key}'"))
}

/// Implements `delete object[key]`.
pub fn delete_at(object: &Js, key: &Js) -> Result<bool> {
    delete(object, &property_key(key)?)
}

/// Returns the keys of `for (key in object)` (§14.7.5.9). Prototypes have no enumerable
/// properties.
pub fn keys(object: &Js) -> Vec<Str> {
    match object {
        Js::Object(target) => own_keys(target),
        Js::String(text) => positions(text::length(text)),
        _ => Vec::new(),
    }
}

/// Returns the own enumerable keys.
pub(super) fn own_keys(object: &Obj) -> Vec<Str> {
    match object.special_part() {
        Some(Special::Buffer(bytes)) => positions(bytes.len()),
        _ if object.is_array() => positions(object.len()),
        _ => object.keys(),
    }
}

fn positions(length: usize) -> Vec<Str> {
    super::budget::spend(length.saturating_mul(64));
    (0..length).map(|at| at.to_string().into()).collect()
}
