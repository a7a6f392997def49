//! The rules for arguments of readers and writers that all object stores share.

use crate::value::{Str, Value};

/// Returns an argument that must be a string, if it is there. Arguments may come from the data of
/// an execution.
///
/// # Errors
/// The cause of the fault, if the argument is no string.
pub fn text_argument(arguments: &Value, name: &str) -> Result<Option<Str>, String> {
    let shown = match arguments.get(name) {
        None => return Ok(None),
        Some(Value::String(text)) => return Ok(Some(text.clone())),
        Some(Value::Array(_)) => "an array".to_owned(),
        Some(Value::Object(_)) => "an object".to_owned(),
        Some(other) => other.to_string(),
    };
    Err(format!("the field {name} must be a string, and is {shown}"))
}

/// Returns the key of a file with results of a run, in the folder that `Prefix` names. One slash
/// at its end is not part of the name.
///
/// ```
/// use workflow_runtime::objects::result_key;
///
/// assert_eq!(&*result_key("2026/", "run", "manifest.json"), "2026/run/manifest.json");
/// assert_eq!(&*result_key("", "run", "manifest.json"), "run/manifest.json");
/// ```
pub fn result_key(prefix: &str, run: &str, name: &str) -> Str {
    match prefix.strip_suffix('/').unwrap_or(prefix) {
        "" => format!("{run}/{name}").into(),
        prefix => format!("{prefix}/{run}/{name}").into(),
    }
}
