//! Tests of what differential tests cannot see: how values are backed, what becomes of documents, budgets.

mod backing;
mod budgets;
mod calls;
mod documents;
mod methods;

use super::budget::Session;
use crate::time::Timestamp;
use crate::value::Value;

fn session() -> Session {
    Session::new(Timestamp::from_micros(1_600_000_000_123_456), 7)
}

fn json(text: &str) -> Value {
    Value::from_json(text).unwrap()
}
