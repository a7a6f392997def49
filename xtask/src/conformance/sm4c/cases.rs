//! `cases.json`: state machines with events, and the expected actions and times.

use super::{definition, plan};
use crate::conformance::case::{Catalogue, Finding, Goal, Mismatch, Outcome, Plan, Trial, Verdict};
use crate::conformance::compare::{self, Placeholders};
use crate::conformance::fields;
use crate::conformance::observed::{Ended, Observed};
use serde_json::{Map, Value, json};

/// The fields of a case.
const FIELDS: &[&str] =
    &["id", "group", "definition", "input", "functions", "events", "expected", "definition_origin", "source", "note"];

/// The members of a case's expectation.
const EXPECTED: &[&str] = &["output", "error", "trace", "calls", "sent", "elapsed_seconds"];

/// Cases whose definitions are refused, each with the code ([S21](docs/sm4c.md#s21)).
const REFUSED: &[(&str, &str)] = &[
    ("no-start", "WF0207"),
    ("two-starts", "WF0207"),
    ("two-implicit-is-error", "WF0805"),
    ("send-event-unknown", "WF0208"),
];

/// Reads one case.
pub fn read(case: &Value, catalogue: &mut Catalogue) -> Result<Plan, String> {
    fields::check("a case", case, FIELDS)?;
    fields::check("`expected`", &case["expected"], EXPECTED)?;
    fields::check("`error`", &case["expected"]["error"], &["ClassName", "Message"])?;
    if case["expected"].as_object().is_none_or(serde_json::Map::is_empty) {
        return Err("it expects nothing".to_owned());
    }
    let goal = Goal::Run(plan::plan(case)?);
    let definition = catalogue.add(definition(&case["definition"]));
    let refused = REFUSED.iter().find(|(id, _)| case["id"] == *id).map(|(_, code)| *code);
    let expected = case["expected"].clone();
    let judge = move |outcome: &Outcome<'_>| match (outcome, refused) {
        (Outcome::Refused(findings), Some(code)) if all_are(findings, code) => Verdict::Passed,
        (Outcome::Refused(findings), _) => Verdict::refused(findings),
        (Outcome::Accepted | Outcome::Ran(_), Some(code)) => Verdict::failed(code, "accepted"),
        (Outcome::Accepted, None) => Verdict::failed("to be run", "not run"),
        (Outcome::Ran(observed), None) => Verdict::from(compare(&expected, observed)),
    };
    Ok(Plan::Try(Trial { definition, goal, judge: Box::new(judge) }))
}

fn all_are(findings: &[Finding], code: &str) -> bool {
    findings.iter().all(|found| found.code == code)
}

/// Compares everything that a case expects with the record of the run. The output or the error is
/// always compared. Other members are compared only if the case has them. Of an error, only the
/// message is compared, because nothing else of it is the same in all implementations.
fn compare(expected: &Value, observed: &Observed) -> Result<(), Mismatch> {
    let mut expected = expected.clone();
    if let Some(error) = expected.get_mut("error").and_then(Value::as_object_mut) {
        error.remove("ClassName");
    }
    let mut actual = Map::new();
    match &observed.result {
        Ended::Output(output) => actual.insert("output".to_owned(), output.clone()),
        Ended::Fault { cause, .. } if expected.get("error").is_some() => {
            actual.insert("error".to_owned(), json!({ "Message": cause }))
        }
        Ended::Fault { error, cause } => {
            actual.insert("error".to_owned(), json!({ "ClassName": error, "Message": cause }))
        }
    };
    let entered = observed.events.iter().filter(|event| event.kind == "StateEntered" && event.depth == 0);
    actual.insert("trace".to_owned(), entered.map(|event| json!(event.state)).collect());
    let calls = observed.calls.iter();
    let calls = calls.map(|call| json!({ "operation": call.resource, "arguments": call.input, "at": call.at }));
    actual.insert("calls".to_owned(), calls.collect());
    let wanted = |at: usize, member: &str| &expected["sent"][at][member];
    let sent = observed.sent.iter().enumerate();
    let sent = sent.map(|(at, event)| shown(event, wanted(at, "EventType"), wanted(at, "EventSource")));
    actual.insert("sent".to_owned(), sent.collect());
    actual.insert("elapsed_seconds".to_owned(), json!(observed.elapsed));
    actual.retain(|name, _| ["output", "error"].contains(&name.as_str()) || expected.get(name).is_some());
    compare::values(&expected, &Value::Object(actual), &Placeholders::default())?;
    match &observed.reloaded {
        None => Ok(()),
        Some(reloaded) => {
            Err(Mismatch::new(expected.to_string(), format!("saved and loaded at every wait: {reloaded}")))
        }
    }
}

/// Returns a CloudEvent in the form that cases have. If a case expects no type, the type is the
/// event's name. If it expects no source, any source matches.
fn shown(event: &Value, kind: &Value, source: &Value) -> Value {
    let known = ["specversion", "id", "source", "type", "subject", "time", "data"];
    let others = event.as_object().into_iter().flatten().filter(|(name, _)| !known.contains(&name.as_str()));
    let others: Map<String, Value> = others.map(|(name, value)| (name.clone(), value.clone())).collect();
    json!({
        "EventName": event["subject"],
        "EventType": if kind.is_null() && event["type"] == event["subject"] { &Value::Null } else { &event["type"] },
        "EventSource": if source.is_null() { &Value::Null } else { &event["source"] },
        "Data": event["data"],
        "ContextAttributes": others,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observed() -> Value {
        json!({
            "result": { "output": { "a": 1 } },
            "calls": [{ "resource": "u#f", "input": {}, "at": 1.0 }],
            "events": [{ "kind": "StateEntered", "state": "A" }, { "kind": "StateEntered", "state": "inside", "depth": 1 }],
            "sent": [{ "id": "1", "source": "/me", "type": "e", "subject": "e", "data": 2, "x": "y" }],
            "elapsed": 3.0,
        })
    }

    fn expected() -> Value {
        let sent = json!([{
            "EventName": "e", "EventType": null, "EventSource": null, "Data": 2, "ContextAttributes": { "x": "y" },
        }]);
        let calls = json!([{ "operation": "u#f", "arguments": {}, "at": 1 }]);
        json!({ "output": { "a": 1 }, "trace": ["A"], "calls": calls, "sent": sent, "elapsed_seconds": 3 })
    }

    /// Compares a run whose member at `pointer` has another value.
    fn with(pointer: &str, value: Value) -> Result<(), Mismatch> {
        let mut line = observed();
        *line.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")) = value;
        let observed = Observed::read(&line).unwrap_or_else(|| panic!("{line} cannot be read"));
        compare(&expected(), &observed)
    }

    #[test]
    fn everything_is_compared() {
        assert_eq!(with("/elapsed", json!(3)), Ok(()));
        for (pointer, value) in [
            ("/result", json!({ "output": { "a": 2 } })),
            ("/result", json!({ "error": "E", "cause": "c" })),
            ("/calls/0/at", json!(2)),
            ("/calls/0/input", json!({ "b": 1 })),
            ("/events/0/state", json!("B")),
            ("/events/1/depth", json!(0)),
            ("/sent/0/type", json!("other")),
            ("/sent/0/x", json!("z")),
            ("/elapsed", json!(4)),
            ("/elapsed", Value::Null),
        ] {
            assert!(with(pointer, value.clone()).is_err(), "{pointer}: {value}");
        }
    }

    #[test]
    fn only_what_a_case_expects_is_compared_but_for_the_end() {
        let observed = Observed::read(&observed()).expect("a line");
        assert_eq!(compare(&json!({ "output": { "a": 1 } }), &observed), Ok(()));
        assert_eq!(compare(&json!({ "output": { "a": 1 }, "elapsed_seconds": 3 }), &observed), Ok(()));
        assert!(compare(&json!({ "output": { "a": 1 }, "elapsed_seconds": 4 }), &observed).is_err());
        assert!(compare(&json!({ "trace": ["A"] }), &observed).is_err(), "it does not say how the run ends");
    }

    #[test]
    fn what_is_not_known_is_named() {
        for (case, name) in [
            (json!({ "expected": { "output": 1, "mood": 2 } }), "`mood`"),
            (json!({ "expected": { "error": { "Code": 2 } } }), "`Code`"),
            (json!({ "expected": {} }), "expects nothing"),
            (json!({ "expected": { "output": 1 }, "functions": { "u#f": { "answer": 1 } } }), "`answer`"),
            (json!({ "expected": { "output": 1 }, "events": [{ "EventName": "e", "Mood": 1 }] }), "`Mood`"),
        ] {
            let problem = read(&case, &mut Catalogue::default()).err().unwrap_or_default();
            assert!(problem.contains(name), "{case}: {problem}");
        }
    }

    #[test]
    fn of_an_error_the_message_is_compared() {
        let mut expected = expected();
        let error = json!({ "ClassName": "System.Exception", "Message": "boom" });
        expected.as_object_mut().map(|members| members.remove("output"));
        expected["error"] = error;
        let check = |cause: &str| {
            let mut line = observed();
            line["result"] = json!({ "error": "Other", "cause": cause });
            compare(&expected, &Observed::read(&line).unwrap_or_else(|| panic!("{line} cannot be read")))
        };
        assert_eq!(check("boom"), Ok(()));
        assert!(check("bang").is_err());
    }
}
