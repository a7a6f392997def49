//! Checks of the table `[tasks]` in `workflow.toml`. Every command reports its mistakes, with
//! their positions.

use crate::arguments::quoted;
use std::borrow::Cow;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A mistake, and the range of bytes in the text that it is about.
pub struct TableError {
    pub message: String,
    pub at: Range<usize>,
}

/// The ways to bind a task. Each binding has exactly one.
const WAYS: [&str; 7] = ["command", "http", "rest", "rpc", "mock", "ok", "error"];
/// The other keys, each with the way to bind a task that it belongs to.
const FURTHER: [(&str, &str); 6] = [
    ("headers", "http"),
    ("credentials", "rest"),
    ("token", "rpc"),
    ("plaintext", "rpc"),
    ("run", "mock"),
    ("cause", "error"),
];

/// Checks the table in the text of a file. A text that is not TOML passes.
pub fn check(text: &str) -> Result<(), TableError> {
    let Ok(file) = DeTable::parse(text) else { return Ok(()) };
    let Some(tasks) = file.get_ref().get("tasks").and_then(|tasks| tasks.get_ref().as_table()) else { return Ok(()) };
    tasks.iter().try_for_each(|(name, binding)| check_binding(name.get_ref(), binding))
}

fn check_binding(task: &str, binding: &Spanned<DeValue>) -> Result<(), TableError> {
    let table = match binding.get_ref() {
        DeValue::String(_) => return Ok(()),
        DeValue::Table(table) => table,
        other => {
            let message = format!("the task `{task}` must be bound to a string or a table, found {}", kind(other));
            return Err(TableError { message, at: binding.span() });
        }
    };
    for (key, value) in table {
        let name = key.get_ref().as_ref();
        let beside = FURTHER.iter().find(|(further, _)| *further == name).map(|(_, way)| *way);
        if !WAYS.contains(&name) && beside.is_none() {
            let known: Vec<&str> = WAYS.into_iter().chain(FURTHER.map(|(further, _)| further)).collect();
            let message = format!("unknown key `{name}` of the task `{task}`: expected one of {}", quoted(&known));
            return Err(TableError { message, at: key.span() });
        }
        match (name, value.get_ref()) {
            ("ok" | "cause", _) => {}
            ("rest" | "rpc", DeValue::Boolean(true)) | ("plaintext", DeValue::Boolean(_)) => {}
            ("plaintext", other) => {
                let message = format!("`{name}` of the task `{task}` must be a boolean, found {}", kind(other));
                return Err(TableError { message, at: value.span() });
            }
            ("headers" | "credentials", DeValue::Table(texts)) => {
                let what = if name == "headers" { "the header" } else { "the credentials for" };
                texts.iter().try_for_each(|(part, value)| {
                    check_string(&format!("{what} `{}` of the task `{task}`", part.get_ref()), value)
                })?;
            }
            ("headers" | "credentials", other) => {
                let message = format!("`{name}` of the task `{task}` must be a table, found {}", kind(other));
                return Err(TableError { message, at: value.span() });
            }
            _ => check_string(&format!("`{name}` of the task `{task}`"), value)?,
        }
    }
    if WAYS.iter().filter(|way| table.contains_key(**way)).count() != 1 {
        let message = format!("the task `{task}` must have exactly one of {}", quoted(&WAYS));
        return Err(TableError { message, at: binding.span() });
    }
    table.keys().try_for_each(|key| check_further(task, key, table))
}

/// Checks that another key belongs to the way in which the task is bound.
fn check_further(task: &str, key: &Spanned<Cow<'_, str>>, table: &DeTable) -> Result<(), TableError> {
    let name = key.get_ref().as_ref();
    let Some((_, way)) = FURTHER.iter().find(|(further, _)| *further == name) else { return Ok(()) };
    let message = match table.get(*way).map(Spanned::get_ref) {
        None => format!("`{name}` of the task `{task}` requires the key `{way}`"),
        // Credentials are only valid together with the address that they are for.
        Some(DeValue::Boolean(true)) => {
            format!(
                "`{name}` of the task `{task}` needs an address in `{way}`: with `true`, the environment provides the address and the credentials"
            )
        }
        Some(_) => return Ok(()),
    };
    Err(TableError { message, at: key.span() })
}

fn check_string(what: &str, value: &Spanned<DeValue>) -> Result<(), TableError> {
    match value.get_ref() {
        DeValue::String(_) => Ok(()),
        other => {
            Err(TableError { message: format!("{what} must be a string, found {}", kind(other)), at: value.span() })
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
