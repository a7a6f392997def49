//! Translated expressions in JSONata, beside the evaluator.

use workflow_runtime::__private::jsonata::{
    self, JsonataEnvironment, JsonataLimits, JsonataOutcome, JsonataProgram, Random, States,
};
use workflow_runtime::Value;

/// An expression, and its translated code or the reason why there is none.
pub type Expression = (&'static str, Result<Translated, &'static str>);

/// A function of the document, of `$states.input`, which is the document, too, and of `$bound`.
pub type Translated =
    fn(Option<&Value>, Option<&Value>, Option<&Value>, &mut jsonata::Run<'_>) -> jsonata::Result<jsonata::Maybe>;

#[allow(warnings, clippy::all)]
mod expressions {
    use super::Expression;
    include!(concat!(env!("OUT_DIR"), "/expressions.rs"));
}

pub use expressions::EXPRESSIONS;

/// The documents that expressions are run on.
pub const INPUTS: &str = include_str!("../data/inputs.json");

/// The value of `$bound`.
const BOUND: &str = r#"[1, 2, {"a": "x"}]"#;

/// The instant of every evaluation: 2026-01-02T03:04:05.678Z.
const NOW: i64 = 1_767_323_045_678;

/// Returns the documents.
#[must_use]
pub fn inputs() -> Vec<Value> {
    let inputs = Value::from_json(INPUTS).expect("the documents are JSON");
    inputs.as_array().expect("an array of documents").iter().cloned().collect()
}

/// Runs an expression on a document: by the evaluator, and as translated code if there is any.
/// Equal texts are equal outcomes.
#[must_use]
pub fn both_ways((source, translated): &Expression, document: &Value) -> (String, Option<String>) {
    let bound = [Some(Value::from_json(BOUND).expect("it is JSON"))];
    let environment = |random| JsonataEnvironment {
        states: States { input: Some(document), ..States::default() },
        values: &bound,
        now: NOW,
        random,
        limits: JsonataLimits::default(),
    };
    let program = JsonataProgram::new(source, &["bound"]);
    let (mut random, mut same) = (Fixed(42), Fixed(42));
    let evaluated = shown(program.evaluate_document(environment(&mut random), document));
    let translated = translated.ok().map(|function| {
        let body = |run: &mut jsonata::Run<'_>| function(Some(document), Some(document), bound[0].as_ref(), run);
        shown(jsonata::evaluate_translated(environment(&mut same), body))
    });
    (evaluated, translated)
}

fn shown(result: jsonata::Result<JsonataOutcome>) -> String {
    match result {
        Ok(JsonataOutcome::Value(value)) => format!("{{\"value\":{value}}}"),
        Ok(JsonataOutcome::Nothing) => "{\"undefined\":true}".to_owned(),
        Ok(JsonataOutcome::Function) => "{\"function\":true}".to_owned(),
        Err(error) => {
            format!("{{\"code\":{},\"message\":{}}}", Value::from(error.code()), Value::from(error.message()))
        }
    }
}

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
