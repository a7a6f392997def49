//! `Object.prototype`, `Boolean.prototype` and `Error.prototype` (ECMA-262 §20.1.3, §20.3.3,
//! §20.5.3).

use super::super::call::{argument, call_method};
use super::super::object::Class;
use super::super::{Js, Result, Run, coerce, error, property};
use super::Method;

pub(super) static METHODS: &[Method] = super::methods! {
    "hasOwnProperty" 1 has_own_property,
    "isPrototypeOf" 1 is_prototype_of,
    "propertyIsEnumerable" 1 property_is_enumerable,
    "toLocaleString" 0 to_locale_string,
    "toString" 0 to_string,
    "valueOf" 0 value_of,
};

pub(super) static BOOLEAN_METHODS: &[Method] = super::methods! {
    "toString" 0 primitive_text,
    "valueOf" 0 value_of,
};

pub(super) static ERROR_METHODS: &[Method] = super::methods! {
    "toString" 0 error_text,
};

fn has_own_property(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let key = coerce::property_key(&argument(arguments, 0))?;
    Ok(Js::Bool(match this {
        Js::Object(object) => property::has_own(object, &key),
        Js::String(_) => key.as_str() == "length" || property::keys(this).contains(&key),
        _ => false,
    }))
}

fn is_prototype_of(_: &Run, _: &Js, _: &[Js]) -> Result {
    Ok(Js::Bool(false))
}

fn property_is_enumerable(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let key = coerce::property_key(&argument(arguments, 0))?;
    Ok(Js::Bool(property::keys(this).contains(&key)))
}

fn to_locale_string(run: &Run, this: &Js, _: &[Js]) -> Result {
    call_method(run, this, "toString", "this.toString", &[])
}

/// Implements `Object.prototype.toString` (§20.1.3.6), for values whose type has no `toString` of
/// its own.
fn to_string(_: &Run, this: &Js, _: &[Js]) -> Result {
    Ok(Js::text(match this {
        Js::Undefined => "[object Undefined]",
        Js::Null => "[object Null]",
        Js::Bool(_) => "[object Boolean]",
        Js::Number(_) => "[object Number]",
        Js::String(_) => "[object String]",
        Js::Object(object) => match object.class() {
            Class::Object => "[object Object]",
            Class::Array => "[object Array]",
            Class::Function => "[object Function]",
            Class::Error => "[object Error]",
            Class::Date => "[object Date]",
            Class::Buffer => "[object Uint8Array]",
        },
    }))
}

fn value_of(_: &Run, this: &Js, _: &[Js]) -> Result {
    Ok(this.clone())
}

fn primitive_text(_: &Run, this: &Js, _: &[Js]) -> Result {
    Ok(Js::String(coerce::string(this)?))
}

fn error_text(_: &Run, this: &Js, _: &[Js]) -> Result {
    Ok(Js::String(error::text_of(this)?))
}
