//! Values in the arguments of a program: its input, and texts that may be JSON.

use std::ffi::OsString;
use std::io::Read;

use workflow_runtime::{Object, Value, ValueError};

/// Reads a text as JSON, or as a string if it is not JSON. JSON in which an object has a key twice
/// is an error.
pub(crate) fn json_or_text(text: &str) -> Result<Value, ValueError> {
    match Value::from_json(text) {
        Ok(_) => Value::from_json_strict(text),
        Err(_) => Ok(Value::from(text)),
    }
}

/// Reads the input: JSON, the name of a file, or `-` for standard input. Without an option, the
/// input is an empty object.
pub(crate) fn read_input(input: Option<OsString>) -> Result<Value, String> {
    let Some(input) = input else { return Ok(Value::from(Object::new())) };
    let argument = input.to_string_lossy();
    let (from, text) = if argument == "-" {
        let mut text = String::new();
        let read = std::io::stdin().read_to_string(&mut text);
        read.map_err(|error| format!("cannot read the input from standard input: {error}"))?;
        ("standard input".to_owned(), text)
    } else if Value::from_json(&argument).is_ok() {
        ("`--input`".to_owned(), argument.into_owned())
    } else {
        let looks_like_json = argument.trim_start().starts_with(['{', '[', '"']);
        match (std::fs::read_to_string(&input), looks_like_json) {
            (Ok(text), _) => (argument.into_owned(), text),
            (Err(_), true) => ("`--input`".to_owned(), argument.into_owned()),
            (Err(error), false) => {
                return Err(format!("`--input {argument}` is neither JSON nor a readable file: {error}"));
            }
        }
    };
    Value::from_json_strict(&text).map_err(|error| format!("the input from {from} is not JSON: {error}"))
}
