//! Checks the table `[tasks]` of `workflow.toml`: whatever the command, what is wrong with it is told with its place.

use crate::arguments::quoted;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What is wrong, and the bytes of the text it is about.
pub struct Flaw {
    pub message: String,
    pub at: Range<usize>,
}

/// The ways to bind a task, of which it has one.
const WAYS: [&str; 6] = ["command", "http", "rest", "mock", "ok", "error"];
/// What may stand beside a way.
const FURTHER: [&str; 4] = ["headers", "credentials", "run", "cause"];

/// Checks the table in the text of a file that is TOML.
pub fn check(text: &str) -> Result<(), Flaw> {
    let Ok(file) = DeTable::parse(text) else { return Ok(()) };
    let Some(tasks) = file.get_ref().get("tasks").and_then(|tasks| tasks.get_ref().as_table()) else { return Ok(()) };
    tasks.iter().try_for_each(|(name, binding)| check_binding(name.get_ref(), binding))
}

fn check_binding(task: &str, binding: &Spanned<DeValue>) -> Result<(), Flaw> {
    let table = match binding.get_ref() {
        DeValue::String(_) => return Ok(()),
        DeValue::Table(table) => table,
        other => {
            let message =
                format!("the task `{task}` must be bound to a string or a table, and this is {}", kind(other));
            return Err(Flaw { message, at: binding.span() });
        }
    };
    for (key, value) in table {
        let name = key.get_ref().as_ref();
        if !WAYS.contains(&name) && !FURTHER.contains(&name) {
            let known = [&WAYS[..], &FURTHER].concat();
            let message = format!("the task `{task}` has an unknown key `{name}`: there are {}", quoted(&known));
            return Err(Flaw { message, at: key.span() });
        }
        match (name, value.get_ref()) {
            ("ok" | "cause", _) => {}
            ("rest", DeValue::Boolean(true)) => {}
            ("headers" | "credentials", DeValue::Table(texts)) => {
                let what = if name == "headers" { "the header" } else { "the credentials for" };
                texts.iter().try_for_each(|(part, value)| {
                    check_string(&format!("{what} `{}` of the task `{task}`", part.get_ref()), value)
                })?;
            }
            ("headers" | "credentials", other) => {
                let message = format!("`{name}` of the task `{task}` must be a table, and this is {}", kind(other));
                return Err(Flaw { message, at: value.span() });
            }
            _ => check_string(&format!("`{name}` of the task `{task}`"), value)?,
        }
    }
    match WAYS.iter().filter(|way| table.contains_key(**way)).count() {
        1 => Ok(()),
        _ => {
            let message = format!("the task `{task}` needs one of {}", quoted(&WAYS));
            Err(Flaw { message, at: binding.span() })
        }
    }
}

fn check_string(what: &str, value: &Spanned<DeValue>) -> Result<(), Flaw> {
    match value.get_ref() {
        DeValue::String(_) => Ok(()),
        other => {
            Err(Flaw { message: format!("{what} must be a string, and this is {}", kind(other)), at: value.span() })
        }
    }
}

fn kind(value: &DeValue) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}
