//! Reference paths: places in a document.

use std::fmt;

use crate::fault::Fault;
use crate::value::{EXCERPT, Object, Str, Value};

/// A step of a reference path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// The member of an object.
    Key(&'static str),
    /// The element of an array; a negative index counts from the end.
    Index(i64),
}

/// Implements `ResultPath` for a path of names: puts a value at the place that the names denote.
/// Creates missing objects on the path. Changes unshared data in place. Leaves the document
/// unchanged on a fault.
pub fn put(document: &mut Value, names: &'static [&'static str], value: Value) -> Result<(), Fault> {
    // Most definitions have one name, in an object.
    if let ([name], Some(members)) = (names, document.as_object_mut()) {
        members.insert(Str::from_static(name), value);
        return Ok(());
    }
    let steps: Vec<At> = names.iter().map(|name| At::Key(name)).collect();
    put_at(document, &steps, value)
}

/// Implements any other `ResultPath` like [`put`].
pub fn put_at(document: &mut Value, steps: &[At], value: Value) -> Result<(), Fault> {
    match locate(document, steps) {
        Some(place) => {
            *place = value;
            Ok(())
        }
        None => {
            let document = document.excerpt(EXCERPT);
            let cause = format!("Unable to apply ReferencePath {} to input {document}", ReferencePath(steps));
            Err(Fault::evaluation("States.ResultPathMatchFailure", cause))
        }
    }
}

/// Returns the place, created if missing. Creates nothing if the path cannot be followed: only
/// names can follow a missing member.
fn locate<'a>(document: &'a mut Value, steps: &[At]) -> Option<&'a mut Value> {
    let mut place = document;
    for (number, step) in steps.iter().enumerate() {
        match step {
            At::Index(index) => place = place.get_mut(*index)?,
            At::Key(key) => {
                let members = place.as_object()?;
                if members.contains_key(key) {
                    place = place.get_mut(*key)?;
                } else {
                    let rest = &steps[number + 1..];
                    if rest.iter().any(|step| matches!(step, At::Index(_))) {
                        return None;
                    }
                    place = place.as_object_mut()?.entry(Str::from_static(key));
                    if !rest.is_empty() {
                        *place = Object::new().into();
                    }
                }
            }
        }
    }
    Some(place)
}

/// Steps, displayed as a reference path.
pub(super) struct ReferencePath<'a>(pub &'a [At]);

impl fmt::Display for ReferencePath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("$")?;
        self.0.iter().try_for_each(|step| match step {
            At::Key(key) if is_plain(key) => write!(f, ".{key}"),
            At::Key(key) => write!(f, "['{key}']"),
            At::Index(index) => write!(f, "[{index}]"),
        })
    }
}

fn is_plain(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
}

/// Steps, displayed as Jayway's JsonPath writes them: `$['order']['items'][0]`.
pub(super) struct NormalizedPath<'a>(pub &'a [At]);

impl fmt::Display for NormalizedPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("$")?;
        self.0.iter().try_for_each(|step| match step {
            At::Key(key) => write!(f, "['{key}']"),
            At::Index(index) => write!(f, "[{index}]"),
        })
    }
}
