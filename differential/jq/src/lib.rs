//! jq expressions, compiled to Rust, and what jq itself makes of them.

use workflow_runtime::Value;
use workflow_runtime::__private::jq;

/// What became of an expression.
pub enum Compiled {
    /// The function: what [`MODE`] makes of all values, for an input and `$value`.
    Native(fn(&Value, &Value) -> jq::Result<Value>),
    /// It is for an engine, for this reason.
    Engine(&'static str),
    /// It was not accepted.
    Refused(&'static str),
}

/// The time that `now` tells.
pub const NOW: f64 = 1_700_000_000.5;

#[allow(warnings, clippy::all)]
mod expressions {
    use super::{Compiled, NOW};
    include!(concat!(env!("OUT_DIR"), "/expressions.rs"));
}

pub use expressions::{EXPRESSIONS, MODE};

/// What the mode makes of all values.
pub fn made_of(values: &Value) -> Value {
    match (MODE, values.as_array()) {
        ("value", Some(all)) if all.len() == 1 => all[0].clone(),
        ("test", Some(all)) => Value::Bool(all.len() == 1 && all[0] == Value::Bool(true)),
        _ => values.clone(),
    }
}
