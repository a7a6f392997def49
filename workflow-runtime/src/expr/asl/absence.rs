//! Paths that must select a value, and the faults when they do not (with the messages of AWS Step
//! Functions).

use super::place::{At, NormalizedPath, ReferencePath};
use crate::fault::Fault;
use crate::machine::Core;
use crate::value::{EXCERPT, Value};
use std::fmt::Display;

/// Requires a value for a path in a field of a payload template.
pub fn require_field<'a>(
    found: Option<&'a Value>,
    input: &Value,
    path: &'static str,
    field: &'static str,
) -> Result<&'a Value, Fault> {
    found.ok_or_else(|| missing_field(path, field, input))
}

/// Returns the fault of a path in a field of a payload template, or in `ErrorPath` or `CausePath`.
pub(super) fn missing_field(path: impl Display, field: &str, input: &Value) -> Fault {
    let input = input.excerpt(EXCERPT);
    Fault::runtime(format!(
        "The JSONPath '{path}' specified for the field '{field}' could not be found in the input '{input}'"
    ))
}

/// Follows names from the document.
pub(super) fn follow<'a>(document: &'a Value, names: &[&str]) -> Option<&'a Value> {
    names.iter().try_fold(document, |value, name| value.get(*name))
}

/// Follows steps from the document.
pub(super) fn follow_steps<'a>(document: &'a Value, steps: &[At]) -> Option<&'a Value> {
    steps.iter().try_fold(document, |value, step| match step {
        At::Key(name) => value.get(*name),
        At::Index(index) => value.get(*index),
    })
}

/// Applies [`require_field`] to a path of names.
pub fn field<'a>(document: &'a Value, names: &'static [&'static str], field: &'static str) -> Result<&'a Value, Fault> {
    follow(document, names).ok_or_else(|| missing_field(format_args!("$.{}", names.join(".")), field, document))
}

/// Applies [`require_field`] to any other definite path.
pub fn field_at<'a>(document: &'a Value, steps: &'static [At], field: &'static str) -> Result<&'a Value, Fault> {
    follow_steps(document, steps).ok_or_else(|| missing_field(ReferencePath(steps), field, document))
}

/// Applies [`require_field`] to a path of names in the context object.
pub fn context_field(
    names: &'static [&'static str],
    document: &Value,
    field: &'static str,
    core: &mut Core,
) -> Result<Value, Fault> {
    let found = follow(&core.context(), names).cloned();
    found.ok_or_else(|| missing_field(format_args!("$$.{}", names.join(".")), field, document))
}

/// Applies [`require_argument`] to a path of names.
pub fn argument<'a>(
    document: &'a Value,
    names: &'static [&'static str],
    call: &'static str,
) -> Result<&'a Value, Fault> {
    match follow(document, names) {
        Some(found) => Ok(found),
        None => Err(missing_argument(&format!("$.{}", names.join(".")), document, call)),
    }
}

/// Applies [`choice_variable`] to a path of names.
pub fn subject<'a>(document: &'a Value, names: &'static [&'static str]) -> Result<&'a Value, Fault> {
    follow(document, names).ok_or_else(|| {
        Fault::runtime(format!(
            "Invalid path '$.{}': The choice state's condition path references an invalid value.",
            names.join(".")
        ))
    })
}

/// Requires a value for a path in an argument of the intrinsic function `call`.
pub fn require_argument<'a>(
    found: Option<&'a Value>,
    input: &Value,
    path: &'static str,
    call: &'static str,
) -> Result<&'a Value, Fault> {
    found.ok_or_else(|| missing_argument(path, input, call))
}

fn missing_argument(path: &str, input: &Value, call: &str) -> Fault {
    Fault::runtime(format!(
        "The function '{call}' had the following error: The JsonPath argument for the field '{path}' could not be \
         found in the input '{}'",
        input.excerpt(EXCERPT)
    ))
}

/// Requires a value for a path in a field of a state, such as `InputPath`. The message explains
/// where the steps, followed from `base`, fail.
pub fn require_path<'a>(
    found: Option<&'a Value>,
    base: &Value,
    path: &'static str,
    steps: &'static [At],
) -> Result<&'a Value, Fault> {
    found.ok_or_else(|| Fault::runtime(format!("Invalid path '{path}' : {}", reason(base, steps))))
}

/// Applies [`require_path`] to a path of names.
pub fn path<'a>(document: &'a Value, names: &'static [&'static str]) -> Result<&'a Value, Fault> {
    follow(document, names).ok_or_else(|| {
        let steps: Vec<At> = names.iter().map(|name| At::Key(name)).collect();
        missing_path(document, &steps)
    })
}

/// Applies [`require_path`] to any other definite path.
pub fn path_at<'a>(document: &'a Value, steps: &'static [At]) -> Result<&'a Value, Fault> {
    follow_steps(document, steps).ok_or_else(|| missing_path(document, steps))
}

/// Returns the fault of a path that selects nothing and is written as its steps are shown.
pub(super) fn missing_path(document: &Value, steps: &[At]) -> Fault {
    Fault::runtime(format!("Invalid path '{}' : {}", ReferencePath(steps), reason(document, steps)))
}

/// Explains why the steps select nothing, in the words of Jayway's JsonPath.
fn reason(base: &Value, steps: &[At]) -> String {
    let mut value = base;
    for (number, step) in steps.iter().enumerate() {
        let before = NormalizedPath(&steps[..number]);
        let next = match (step, value) {
            (At::Key(key), Value::Object(members)) => members.get(key),
            (At::Index(index), Value::Array(_)) => value.get(*index),
            (At::Key(key), other) => {
                let kind = other.kind();
                return format!(
                    "Expected to find an object with property ['{key}'] in path {before} but found '{kind}'"
                );
            }
            (At::Index(_), Value::Null) => return format!("The path {before} is null"),
            (At::Index(index), other) => {
                let other = other.excerpt(EXCERPT);
                return format!("Filter: [{index}] can only be applied to arrays. Current context is: {other}");
            }
        };
        match next {
            Some(next) => value = next,
            // A member before the last step is missing.
            None if matches!(step, At::Key(_)) && number + 1 < steps.len() => {
                return format!("Missing property in path {}", NormalizedPath(&steps[..=number]));
            }
            None => return format!("No results for path: {}", NormalizedPath(steps)),
        }
    }
    // A step follows that is not in `steps`: a slice, a filter, or several names.
    match value {
        Value::Null => format!("The path {} is null", NormalizedPath(steps)),
        other => format!(
            "The value in path {} is of type '{}', to which the next step cannot be applied",
            NormalizedPath(steps),
            other.kind()
        ),
    }
}

/// Requires a value for the `Variable` of a choice rule, or for the path of a `…Path` operator.
pub fn choice_variable<'a>(found: Option<&'a Value>, path: &'static str) -> Result<&'a Value, Fault> {
    found.ok_or_else(|| {
        Fault::runtime(format!("Invalid path '{path}': The choice state's condition path references an invalid value."))
    })
}

/// Requires a value for a variable, which may not have been assigned.
pub fn variable<'a>(found: Option<&'a Value>, name: &'static str) -> Result<&'a Value, Fault> {
    found.ok_or_else(|| Fault::runtime(format!("The variable '${name}' is read before a value was assigned to it.")))
}
