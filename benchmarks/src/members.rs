//! Members of documents, for the logic that is written by hand.

use workflow_runtime::{Fault, Object, Str, Value};

/// Returns the value at a path of member names.
///
/// # Errors
///
/// Fails if a member is missing.
pub fn get<'a>(value: &'a Value, path: &[&str]) -> Result<&'a Value, Fault> {
    path.iter().try_fold(value, |value, key| value.get(*key)).ok_or_else(|| Fault::runtime("no such path"))
}

/// Sets a member.
///
/// # Errors
///
/// Fails if the value is not an object.
pub fn set(value: &mut Value, key: &'static str, to: Value) -> Result<(), Fault> {
    let members: &mut Object = value.as_object_mut().ok_or_else(|| Fault::runtime("not an object"))?;
    members.insert(Str::from_static(key), to);
    Ok(())
}
