//! `Object` (ECMA-262 §20.1.2).

use super::super::call::argument;
use super::super::literal::{array_of, copies};
use super::super::members::{MemberTable, Slot};
use super::super::object::Obj;
use super::super::property::{self, check_frozen};
use super::super::{Js, Result, Run, coerce, error, literal};

/// Implements `Object.assign`.
pub fn object_assign(run: &Run, arguments: &[Js]) -> Result {
    let target = existing(arguments)?;
    if !matches!(target, Js::Object(_)) {
        return Err(super::constructor::no_wrapper());
    }
    for source in arguments.get(1..).unwrap_or_default() {
        run.tick()?;
        for (key, slot) in copies(source)? {
            match &target {
                Js::Object(object) if object.class() == super::super::Class::Object => {
                    check_frozen(object, &key)?;
                    object.set_member(key, slot);
                }
                other => {
                    let mut slot = slot;
                    property::set_key(other, key, slot.read())?;
                }
            }
        }
    }
    Ok(target)
}

/// Returns the first argument, which must not be undefined or null.
fn existing(arguments: &[Js]) -> Result {
    let value = argument(arguments, 0);
    if value.is_nullish() {
        return Err(error::type_error("Cannot convert undefined or null to object"));
    }
    Ok(value)
}

/// Implements `Object.keys`.
pub fn object_keys(_: &Run, arguments: &[Js]) -> Result {
    let keys = property::keys(&existing(arguments)?);
    Ok(array_of(keys.into_iter().map(Js::String).collect()))
}

/// Implements `Object.values`.
pub fn object_values(_: &Run, arguments: &[Js]) -> Result {
    let slots = copies(&existing(arguments)?)?;
    Ok(Js::Object(Obj::of_items(slots.into_iter().map(|(_, slot)| slot).collect())))
}

/// Implements `Object.entries`.
pub fn object_entries(run: &Run, arguments: &[Js]) -> Result {
    let slots = copies(&existing(arguments)?)?;
    run.tick()?;
    let pair = |(key, slot)| Js::Object(Obj::of_items(vec![Slot::Js(Js::String(key)), slot]));
    Ok(array_of(slots.into_iter().map(pair).collect()))
}

/// Implements `Object.fromEntries`.
pub fn object_from_entries(run: &Run, arguments: &[Js]) -> Result {
    let mut members = MemberTable::default();
    for entry in literal::iterate(&argument(arguments, 0))? {
        run.tick()?;
        if !matches!(entry, Js::Object(_)) {
            return Err(error::type_error("Iterator value is not an entry object"));
        }
        let key = coerce::property_key(&property::get(&entry, "0")?)?;
        members.insert(key, property::get(&entry, "1")?.into());
    }
    Ok(Js::Object(Obj::of_members(members)))
}

/// Implements `Object.freeze`.
pub fn object_freeze(_: &Run, arguments: &[Js]) -> Result {
    let value = argument(arguments, 0);
    if let Js::Object(object) = &value {
        object.0.frozen.set(true);
    }
    Ok(value)
}

/// Implements `Object.isFrozen`.
pub fn object_is_frozen(_: &Run, arguments: &[Js]) -> Result {
    Ok(Js::Bool(match argument(arguments, 0) {
        Js::Object(object) => object.0.frozen.get(),
        _ => true,
    }))
}

/// Implements `Object.is` (§7.2.10)
pub fn object_is(_: &Run, arguments: &[Js]) -> Result {
    Ok(Js::Bool(match (argument(arguments, 0), argument(arguments, 1)) {
        (Js::Number(left), Js::Number(right)) => {
            (left.is_nan() && right.is_nan()) || (left == right && left.is_sign_negative() == right.is_sign_negative())
        }
        (left, right) => super::super::strict_equals(&left, &right),
    }))
}

/// Implements `Object.hasOwn`.
pub fn object_has_own(run: &Run, arguments: &[Js]) -> Result {
    let value = existing(arguments)?;
    super::super::call_method(run, &value, "hasOwnProperty", "hasOwnProperty", arguments.get(1..).unwrap_or_default())
}

/// Implements `Object.getOwnPropertyNames`.
pub fn object_get_own_property_names(_: &Run, arguments: &[Js]) -> Result {
    let value = existing(arguments)?;
    let mut keys: Vec<Js> = property::keys(&value).into_iter().map(Js::String).collect();
    let has_length = match &value {
        Js::Object(object) => object.is_array(),
        value => matches!(value, Js::String(_)),
    };
    if has_length {
        keys.push(Js::text("length"));
    }
    Ok(array_of(keys))
}
