//! Reads any text as an expression of JSONata, checks it, and evaluates it with small limits.
#![no_main]

use std::time::{Duration, Instant};

use libfuzzer_sys::fuzz_target;
use workflow_jsonata::{Facts, STATES_MEMBERS, check, parse};
use workflow_runtime::__private::jsonata::{
    JsonataEnvironment, JsonataLimits, JsonataOutcome, JsonataProgram, Random, States,
};
use workflow_runtime::Value;

/// The input of the evaluations.
const INPUT: &str = r#"{
    "orders": [
        {"id": "a", "total": 30, "tags": ["x", "y"], "lines": [{"sku": "p", "n": 1}, {"sku": "q", "n": 2}]},
        {"id": "b", "total": 10.5, "tags": [], "lines": [{"sku": "p", "n": 3}]},
        {"id": "c", "lines": [], "open": false}
    ],
    "name": "Ada 😀", "n": 5, "none": null, "nested": [[1, [2]], [], [3]], "nums": [3, 1, 2], "e": [], "o": {}
}"#;

/// The limits of the evaluations.
const LIMITS: JsonataLimits = JsonataLimits { depth: 60, memory: 1 << 16, total_memory: 4 << 20, steps: 100_000 };

/// The time that no evaluation takes with these limits, unless a function does not count its work.
const LONGEST: Duration = Duration::from_secs(2);

struct Fixed(u64);

impl Random for Fixed {
    fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0
    }

    fn uuid(&mut self) -> String {
        "00000000-0000-4000-8000-000000000000".to_owned()
    }
}

fuzz_target!(|text: &str| {
    let node = match parse(text) {
        Ok(node) => node,
        Err(error) => {
            assert!(text.get(error.at.clone()).is_some(), "{error} is outside of the text or within a character");
            return;
        }
    };
    for problem in check(&node, STATES_MEMBERS) {
        assert!(text.get(problem.at.clone()).is_some(), "{} is outside of the text", problem.kind);
    }
    let facts = Facts::of(&node);
    assert!(facts.variables.iter().all(|variable| &*variable.name != "states"));
    let input = Value::from_json(INPUT).expect("the input is JSON");
    for document in [None, Some(&input)] {
        let began = Instant::now();
        let first = evaluate(text, &input, document);
        assert!(began.elapsed() < LONGEST, "the evaluation took {:?}", began.elapsed());
        assert_eq!(first, evaluate(text, &input, document));
    }
});

/// Evaluates an expression that sees the input as `$states` and `$v`, and perhaps a document.
fn evaluate(text: &str, input: &Value, document: Option<&Value>) -> Result<JsonataOutcome, String> {
    // A program has its text for ever. The fuzzer stops long before these texts fill the memory.
    let program = JsonataProgram::new(text.to_owned().leak(), &["v"]);
    let values = [Some(input.clone())];
    let states = States { input: Some(input), context: Some(input), ..States::default() };
    let random = &mut Fixed(42);
    let environment = JsonataEnvironment { states, values: &values, now: 1_767_323_045_678, random, limits: LIMITS };
    let outcome = match document {
        Some(document) => program.evaluate_document(environment, document),
        None => program.evaluate(environment),
    };
    outcome.map_err(|error| format!("{}: {}", error.code(), error.message()))
}
