//! Objects whose member names are settings of an execution (`"${Table}": …`).

use crate::value::{Object, Str, Value};

/// Builds an object from alternating names and values. A name that is not a string is written as
/// JSON.
pub fn keyed_object(parts: &[&Value]) -> Value {
    let members = parts.chunks_exact(2).map(|part| match part[0] {
        Value::String(name) => (name.clone(), part[1].clone()),
        name => (Str::from(name.to_string()), part[1].clone()),
    });
    Value::from(members.collect::<Object>())
}
