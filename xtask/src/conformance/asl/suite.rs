//! `jsonata_suite.json`: the official tests of JSONata. The evaluator runs each expression with an
//! input document, which expressions of a state do not have.

use crate::conformance::case::{Catalogue, Plan, Verdict};
use crate::conformance::compare::{self, Placeholders};
use crate::conformance::fields;
use serde_json::{Value, json};
use workflow_runtime::__private::jsonata::{
    JsonataEnvironment, JsonataLimits, JsonataOutcome, JsonataProgram, Random, States,
};

/// The fields of a case.
const FIELDS: &[&str] = &[
    "id",
    "expr",
    "data",
    "dataset",
    "bindings",
    "depth",
    "timelimit",
    "unordered",
    "expected",
    "version_2_0_6",
    // Fields that describe the case.
    "group",
    "uses",
    "step_functions",
];

/// The file with the documents that cases name.
const DOCUMENTS: &str = "jsonata_datasets.json";
/// The native stack of an evaluation, in bytes. The suite nests calls deeper than AWS allows.
const STACK: usize = 256 << 20;
/// The memory of an evaluation, in bytes. The suite makes arrays that AWS refuses.
const MEMORY: usize = 2 << 30;
/// The steps of an evaluation. The suite makes arrays of ten million elements.
const STEPS: u64 = 50_000_000;
/// The nesting of evaluations, for cases that set none.
const DEPTH: usize = 1_000;

/// Reads and runs one case.
pub fn read(case: &Value, catalogue: &mut Catalogue) -> Result<Plan, String> {
    fields::check("a case", case, FIELDS)?;
    fields::check("`expected`", &case["expected"], &["result", "undefined", "code", "token"])?;
    let document = match case["dataset"].as_str() {
        None => case.get("data").cloned(),
        Some(name) => {
            let documents = catalogue.documents(DOCUMENTS).ok_or_else(|| format!("{DOCUMENTS} is missing"))?;
            let document = documents["datasets"].get(name).cloned();
            Some(document.ok_or_else(|| format!("`dataset`: there is no document `{name}`"))?)
        }
    };
    let thread = std::thread::Builder::new().stack_size(STACK);
    let actual = std::thread::scope(|scope| {
        let run = thread.spawn_scoped(scope, || run(case, document.as_ref())).map_err(|error| error.to_string())?;
        run.join().map_err(|_| "the evaluator panicked".to_owned())
    })??;
    let forms = [Some(&case["expected"]), case.get("version_2_0_6")];
    let is_expected = forms.into_iter().flatten().any(|expected| is_result(expected, &actual, case));
    Ok(Plan::Judged(match is_expected {
        true => Verdict::Passed,
        false => Verdict::failed(case["expected"].to_string(), actual.to_string()),
    }))
}

/// Evaluates the expression of a case, and returns the result in the form of an expected one.
fn run(case: &Value, document: Option<&Value>) -> Result<Value, String> {
    let convert =
        |value: &Value| workflow_runtime::Value::from_json(&value.to_string()).map_err(|error| error.to_string());
    let mut names: Vec<&'static str> = Vec::new();
    let mut values = Vec::new();
    for (name, value) in case["bindings"].as_object().into_iter().flatten() {
        names.push(String::leak(name.clone()));
        values.push(Some(convert(value)?));
    }
    let text = case["expr"].as_str().ok_or("`expr` is not a string")?;
    let program = JsonataProgram::new(String::leak(text.to_owned()), Vec::leak(names));
    let depth = case["depth"].as_u64().map_or(DEPTH, |depth| depth as usize);
    let limits = JsonataLimits { depth, memory: MEMORY, total_memory: MEMORY, steps: STEPS };
    let (states, mut random) = (States::default(), Sequence(0));
    // 2026-11-20T09:16:31Z
    let environment =
        JsonataEnvironment { states, values: &values, now: 1_795_166_191_000, random: &mut random, limits };
    let result = match document {
        Some(document) => program.evaluate_document(environment, &convert(document)?),
        None => program.evaluate(environment),
    };
    Ok(match result {
        Ok(JsonataOutcome::Value(value)) => {
            json!({ "result": serde_json::from_str::<Value>(&value.to_string()).map_err(|error| error.to_string())? })
        }
        Ok(JsonataOutcome::Nothing) => json!({ "undefined": true }),
        Ok(JsonataOutcome::Function) => json!({ "result": "" }),
        // The suite has one code for all limits.
        Err(error) if error.code.is_empty() => json!({ "code": "U1001" }),
        Err(error) => json!({ "code": error.code }),
    })
}

fn is_result(expected: &Value, actual: &Value, case: &Value) -> bool {
    if case["unordered"] == true {
        let sorted = |value: &Value| {
            let mut items: Vec<String> = value["result"].as_array()?.iter().map(Value::to_string).collect();
            items.sort_unstable();
            Some(items)
        };
        return sorted(expected) == sorted(actual);
    }
    // AWS does not show the token of an error.
    let expected = match expected["code"].as_str() {
        Some(code) => &json!({ "code": code }),
        None => expected,
    };
    compare::equal(expected, actual, &Placeholders::default())
}

/// Numbers that only look random.
struct Sequence(u64);

impl Random for Sequence {
    fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        self.0 ^ (self.0 >> 31)
    }

    fn uuid(&mut self) -> String {
        format!("{:08x}-0000-4000-8000-000000000000", self.number() >> 32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_run_with_its_document_and_judged() {
        let judged = |members: Value| {
            let mut case = json!({ "id": "a", "data": { "a": [1, 2] }, "expected": { "result": 3 } });
            for (name, value) in members.as_object().into_iter().flatten() {
                case[name] = value.clone();
            }
            match read(&case, &mut Catalogue::default()) {
                Ok(Plan::Judged(verdict)) => verdict == Verdict::Passed,
                _ => panic!("{case}: not judged"),
            }
        };
        assert!(judged(json!({ "expr": "$sum(a)" })));
        assert!(judged(json!({ "expr": "$x", "bindings": { "x": 3 } })));
        assert!(judged(json!({ "expr": "b", "expected": { "undefined": true } })));
        assert!(judged(json!({ "expr": "a[", "expected": { "code": "S0207" }, "version_2_0_6": { "code": "S0203" } })));
        assert!(!judged(json!({ "expr": "$sum(a) + 1" })));
        let missing = read(&json!({ "expr": "a", "dataset": "none", "expected": {} }), &mut Catalogue::default());
        assert!(missing.err().is_some_and(|problem| problem.contains(DOCUMENTS)));
    }
}
