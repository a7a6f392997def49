//! Tests of the evaluator.

mod calls;
mod limits;
mod objects;
mod operators;
mod order;
mod paths;
mod program;
mod transforms;
mod tuples;

use super::environment::{JsonataEnvironment, JsonataLimits, Random, States};
use super::error::Result;
use super::program::{JsonataOutcome, JsonataProgram};
use crate::value::Value;

/// A source of numbers that counts.
pub(super) struct Counter(pub(super) u64);

impl Random for Counter {
    fn number(&mut self) -> u64 {
        self.0 += 1;
        self.0 << 40
    }

    fn uuid(&mut self) -> String {
        self.0 += 1;
        format!("00000000-0000-4000-8000-{:012x}", self.0)
    }
}

/// The document of the tests.
const DOCUMENT: &str = r#"{
    "orders": [
        {"id": "a", "total": 30, "tags": ["x", "y"], "lines": [{"sku": "p", "n": 1}, {"sku": "q", "n": 2}]},
        {"id": "b", "total": 10, "tags": [], "lines": [{"sku": "p", "n": 3}]},
        {"id": "c", "total": 20, "lines": []}
    ],
    "name": "shop",
    "open": true,
    "nothing": null,
    "big": 9007199254740993,
    "nested": [[1, [2]], [], [3]],
    "customer": {"vip": true, "address": {"city": "Rome"}}
}"#;

/// Evaluates an expression with the document as `$states.input` and as the input document.
pub(super) fn evaluate(text: &str, limits: JsonataLimits) -> Result<JsonataOutcome> {
    let document = Value::from_json(DOCUMENT).expect("the document is JSON");
    let (text, mut random) = (text.to_owned().leak(), Counter(0));
    let program = JsonataProgram::new(text, &["given", "absent"]);
    let values = [Some(Value::from(7)), None];
    let states = States { input: Some(&document), ..States::default() };
    let environment =
        JsonataEnvironment { states, values: &values, now: 1_700_000_000_000, random: &mut random, limits };
    program.evaluate_document(environment, &document)
}

/// Asserts what expressions yield: JSON, `nothing`, `function`, or a code with a message.
pub(super) fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let outcome = match evaluate(text, JsonataLimits::default()) {
            Ok(JsonataOutcome::Value(value)) => {
                let wanted = Value::from_json(expected);
                assert_eq!(Ok(&value), wanted.as_ref().map_err(|_| ()), "{text}: got {value}, not {expected}");
                continue;
            }
            Ok(JsonataOutcome::Nothing) => "nothing".to_owned(),
            Ok(JsonataOutcome::Function) => "function".to_owned(),
            Err(error) => format!("{}: {}", error.code(), error.message()),
        };
        assert_eq!(outcome, *expected, "{text}");
    }
}
