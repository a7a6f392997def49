//! `jsonata_suite.json`: the official tests of JSONata. Each expression is run in both ways, with
//! an input document, which expressions of a state do not have.

use crate::conformance::case::{Catalogue, Goal, Mismatch, Outcome, Plan, Trial, Verdict};
use crate::conformance::compare::{self, Placeholders};
use crate::conformance::expressions::{Expression, both_ways, rounds};
use crate::conformance::fields;
use serde_json::{Value, json};

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
/// The memory of an evaluation, in bytes. The suite makes arrays that AWS refuses.
const MEMORY: usize = 2 << 30;
/// The steps of an evaluation. The suite makes arrays of ten million elements.
const STEPS: u64 = 50_000_000;
/// The nesting of evaluations, for cases that set none.
const DEPTH: u64 = 1_000;

/// Reads one case.
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
    let source = case["expr"].as_str().ok_or("`expr` is not a string")?.to_owned();
    let names = case["bindings"].as_object().into_iter().flat_map(|bindings| bindings.keys().cloned()).collect();
    let mut round = json!({ "values": case["bindings"] });
    let expression = Expression { source, names, document: document.is_some() };
    if let Some(document) = document {
        round["document"] = document;
    }
    let depth = case["depth"].as_u64().unwrap_or(DEPTH);
    let limits = json!({ "depth": depth, "memory": MEMORY, "steps": STEPS });
    let goal = Goal::Run(json!({ "rounds": [round], "limits": limits }));
    let expected = case["expected"].clone();
    let forms: Vec<Value> = [Some(expected), case.get("version_2_0_6").cloned()].into_iter().flatten().collect();
    let is_unordered = case["unordered"] == true;
    let judge = move |outcome: &Outcome<'_>| Verdict::from(compare(&forms, is_unordered, outcome));
    Ok(Plan::Try(Trial { definition: catalogue.add_expression(expression), goal, judge: Box::new(judge) }))
}

fn compare(forms: &[Value], is_unordered: bool, outcome: &Outcome<'_>) -> Result<(), Mismatch> {
    let rounds = rounds(outcome)?;
    let Some(round) = rounds.first() else { return Err(Mismatch::new("a round", "none")) };
    let actual = shown(round.evaluated);
    match forms.iter().any(|expected| is_result(expected, &actual, is_unordered)) {
        true => both_ways(outcome),
        false => Err(Mismatch::new(forms[0].to_string(), actual.to_string())),
    }
}

/// Returns an outcome in the form of an expected one.
fn shown(outcome: &Value) -> Value {
    match outcome["code"].as_str() {
        // The suite has one code for all limits.
        Some("") => json!({ "code": "U1001" }),
        Some(code) => json!({ "code": code }),
        None if outcome["function"] == true => json!({ "result": "" }),
        None => outcome.clone(),
    }
}

fn is_result(expected: &Value, actual: &Value, is_unordered: bool) -> bool {
    if is_unordered {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::observed::{Ended, Observed};

    /// Judges a run of a case with these members.
    fn judged(members: &Value, record: Value) -> bool {
        let mut case = json!({ "id": "a", "expr": "a", "data": { "a": [1, 2] }, "expected": { "result": [1, 2] } });
        for (name, value) in members.as_object().into_iter().flatten() {
            case[name] = value.clone();
        }
        let Ok(Plan::Try(trial)) = read(&case, &mut Catalogue::default()) else { panic!("{case}: not tried") };
        let observed = json!({ "result": { "output": [record] }, "calls": [], "events": [] });
        let observed = Observed::read(&observed).expect("a record");
        assert!(matches!(observed.result, Ended::Output(_)));
        (trial.judge)(&Outcome::Ran(&observed)) == Verdict::Passed
    }

    #[test]
    fn the_evaluator_is_judged_by_the_case_and_the_translation_by_the_evaluator() {
        let right = json!({ "result": [1, 2] });
        let both = |translated: Value, differs: bool| json!({ "evaluated": right, "translated": translated, "differs": differs });
        assert!(judged(&json!({}), json!({ "evaluated": right })));
        assert!(judged(&json!({}), both(right.clone(), false)));
        assert!(!judged(&json!({}), both(json!({ "result": 1 }), true)));
        assert!(!judged(&json!({}), json!({ "evaluated": { "result": 1 } })));
        assert!(judged(&json!({ "unordered": true }), json!({ "evaluated": { "result": [2, 1] } })));
        let versions = json!({ "expected": { "code": "S0207" }, "version_2_0_6": { "code": "S0203" } });
        assert!(judged(&versions, json!({ "evaluated": { "code": "S0203", "message": "m" } })));
        assert!(judged(&json!({ "expected": { "code": "U1001" } }), json!({ "evaluated": { "code": "" } })));
    }

    #[test]
    fn a_missing_document_is_named() {
        let case = json!({ "expr": "a", "dataset": "none", "expected": {} });
        let missing = read(&case, &mut Catalogue::default());
        assert!(missing.err().is_some_and(|problem| problem.contains(DOCUMENTS)));
    }
}
