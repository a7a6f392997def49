//! Objects with names that are settings of an execution (`"${Table}": …`).

use crate::value::{Object, Str, Value};

/// An object of names and values, which come in turn. A name that is no string is written as JSON.
pub fn keyed_object(parts: &[&Value]) -> Value {
    let members = parts.chunks_exact(2).map(|part| match part[0] {
        Value::String(name) => (name.clone(), part[1].clone()),
        name => (Str::from(name.to_string()), part[1].clone()),
    });
    Value::from(members.collect::<Object>())
}
