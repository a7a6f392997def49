//! Tests of properties that differential tests cannot observe: backing of values, conversion of
//! documents, budgets.

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
