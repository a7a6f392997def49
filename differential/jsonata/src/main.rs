//! A program that evaluates JSONata. It reads lines of JSON `{"expr", "input", "bindings"}` and
//! answers each with a line: `{"value": …}`, `{"undefined": true}`, `{"function": true}` or
//! `{"code": …, "message": …}`. Without `input`, an expression sees no document.

use std::io::{BufRead as _, Write as _};
use workflow_runtime::__private::jsonata::{
    JsonataEnvironment, JsonataLimits, JsonataOutcome, JsonataProgram, Random, States,
};
use workflow_runtime::Value;

/// The instant of every evaluation: 2026-01-02T03:04:05.678Z.
const NOW: i64 = 1_767_323_045_678;

/// A source of random numbers that is the same for every expression.
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

fn main() {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("the input is UTF-8");
        let question = Value::from_json(&line).expect("a line is JSON");
        // Every answer is read before the next question is written.
        writeln!(out, "{}", answer(&question)).and_then(|()| out.flush()).expect("the output is open");
    }
}

fn answer(question: &Value) -> String {
    let member = |name| question.as_object().and_then(|members| members.get(name));
    let expression = member("expr").and_then(Value::as_str).expect("a question has an expression");
    let mut names = Vec::new();
    let mut values = Vec::new();
    for (name, value) in member("bindings").and_then(Value::as_object).into_iter().flat_map(|bound| bound.iter()) {
        names.push(leaked(name));
        values.push(Some(value.clone()));
    }
    let program = JsonataProgram::new(leaked(expression), names.leak());
    let environment = JsonataEnvironment {
        states: States { input: member("input"), ..States::default() },
        values: &values,
        now: NOW,
        random: &mut Fixed(42),
        limits: JsonataLimits::default(),
    };
    let result = match member("input") {
        Some(input) => program.evaluate_document(environment, input),
        None => program.evaluate(environment),
    };
    match result {
        Ok(JsonataOutcome::Value(value)) => format!("{{\"value\":{value}}}"),
        Ok(JsonataOutcome::Nothing) => "{\"undefined\":true}".to_owned(),
        Ok(JsonataOutcome::Function) => "{\"function\":true}".to_owned(),
        Err(error) => {
            format!("{{\"code\":{},\"message\":{}}}", Value::from(error.code()), Value::from(error.message()))
        }
    }
}

/// Makes a text live until the end. Programs are made for texts in the code of a workflow, which
/// do so, too.
fn leaked(text: &str) -> &'static str {
    text.to_owned().leak()
}
