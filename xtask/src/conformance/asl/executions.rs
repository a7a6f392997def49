//! `executions.json`: executions recorded on AWS Step Functions.

use super::{START, definition, faults, rulings, trace};
use crate::conformance::case::{Catalogue, Goal, Mismatch, Outcome, Plan, Trial, Verdict};
use crate::conformance::compare::{self, Placeholders};
use crate::conformance::fields;
use crate::conformance::observed::{Call, Observed};
use serde_json::{Value, json};

/// Texts of recorded requests that are placeholders although they are not in brackets.
const IN_REQUESTS: &[&str] = &["a_task_token"];

/// Texts of recorded outputs that are placeholders although the case does not list them.
const IN_OUTPUTS: &[&str] = &["generated-uuid"];

/// The fields of a case.
const FIELDS: &[&str] = &[
    "id",
    "tier",
    "tags",
    "workflow_type",
    "definition",
    "input",
    "task_stubs",
    "task_behaviour",
    "fixtures",
    "expected",
    "trace",
    "placeholders_in_expected",
    "source",
    // Fields that describe the case.
    "feature",
    "group",
    "lambda_functions",
    "context_placeholders",
    "input_restored",
    "note",
];

/// The fields of a stub.
const STUB: &[&str] = &[
    "state",
    "request",
    "timeoutInSeconds",
    "heartbeatInSeconds",
    "taskCredentials",
    "result",
    // Fields that are not compared: tasks have their outcome at once.
    "kind",
    "resource",
    "resourceType",
    "submitted",
];

/// The requirements for running a case.
const TIERS: &[&str] = &["pure", "stub", "s3", "stub-opaque", "behaviour"];

/// Reads one case that was measured. A failure without a cause may have any cause.
pub fn read_measured(case: &Value, catalogue: &mut Catalogue) -> Result<Plan, String> {
    let mut measured = case.clone();
    check(case)?;
    let expected = &mut measured["expected"];
    if expected["status"] == "FAILED" && ["cause", "cause_json"].iter().all(|name| expected.get(*name).is_none()) {
        expected[faults::ANY_CAUSE] = json!(true);
    }
    read_checked(&measured, catalogue)
}

/// Reads one case.
pub fn read(case: &Value, catalogue: &mut Catalogue) -> Result<Plan, String> {
    check(case)?;
    read_checked(case, catalogue)
}

fn read_checked(case: &Value, catalogue: &mut Catalogue) -> Result<Plan, String> {
    if let Some(reason) = unsupported(case) {
        return Ok(Plan::Unsupported(reason));
    }
    let express = case["workflow_type"] == "EXPRESS";
    let mut definition = definition(&case["definition"]);
    definition.options.express = express;
    definition.options.allow = rulings::allowed();
    let recorded = case.clone();
    let judge = move |outcome: &Outcome<'_>| match outcome {
        Outcome::Refused(findings) => Verdict::refused(findings),
        Outcome::Accepted => Verdict::failed("to be run", "not run"),
        Outcome::Ran(observed) => Verdict::from(compare(&recorded, observed)),
    };
    let goal = Goal::Run(run(case, express));
    Ok(Plan::Try(Trial { definition: catalogue.add(definition), goal, judge: Box::new(judge) }))
}

/// Fails if a case has an unknown field or value.
fn check(case: &Value) -> Result<(), String> {
    fields::check("a case", case, FIELDS)?;
    fields::check_text("tier", &case["tier"], TIERS)?;
    fields::check_text("workflow_type", &case["workflow_type"], &["STANDARD", "EXPRESS"])?;
    fields::check_text("task_behaviour", &case["task_behaviour"], &["echo"])?;
    fields::check("`fixtures`", &case["fixtures"], &["s3_objects"])?;
    fields::check("`expected`", &case["expected"], &["status", "output", "error", "cause", "cause_json"])?;
    fields::check_text("status", &case["expected"]["status"], &["SUCCEEDED", "FAILED", "ABORTED"])?;
    for stub in case["task_stubs"].as_array().into_iter().flatten() {
        fields::check("a stub", stub, STUB)?;
        fields::check("`result`", &stub["result"], &["ok", "error"])?;
        if stub["result"].get("ok").is_none() {
            let known = &["error", "cause", "timeout", "cause_reserialised"];
            fields::check("`error`", &stub["result"]["error"], known)?;
        }
    }
    Ok(())
}

fn is_tagged(case: &Value, tag: &str) -> bool {
    case["tags"].as_array().is_some_and(|tags| tags.iter().any(|own| own == tag))
}

fn unsupported(case: &Value) -> Option<String> {
    let tagged = |tag: &str| is_tagged(case, tag);
    let reason = match case["tier"].as_str() {
        Some("stub-opaque") => "what its tasks answer is not known",
        _ if case["source"]["aws_validated"] == false => "not validated against AWS",
        _ if tagged("stub-incomplete") => "not everything its tasks answer is known",
        _ if tagged("external-control") || case["expected"]["status"] == "ABORTED" => "stopped from outside",
        _ if tagged("stated-in-notes") => "stated in words only, which is not binding (ruling A40)",
        _ => return None,
    };
    Some(reason.to_owned())
}

/// Returns the plan of a run, with the names that the recordings have in the place of the real
/// ones.
fn run(case: &Value, express: bool) -> Value {
    let (name, role) = match express {
        true => ("<SyncExecArn_Part1_0idx>", "sfn_role_arn"),
        false => ("<ExecArnPart_0idx>", "snf_role_arn"),
    };
    let stubs = case["task_stubs"].as_array().into_iter().flatten().map(stub);
    json!({
        "input": case["input"],
        "start": START,
        "name": name,
        "machine": "<ArnPart_0idx>",
        "account": "111111111111",
        "region": "us-east-1",
        "role": role,
        "stubs": stubs.collect::<Vec<_>>(),
        "answers_with_request": case["task_behaviour"] == "echo",
        "objects": case["fixtures"]["s3_objects"],
    })
}

fn stub(stub: &Value) -> Value {
    let result = &stub["result"];
    let reply = match result.get("ok") {
        Some(_) => result.clone(),
        None if result["error"]["timeout"] == true => json!("never"),
        None => result["error"].clone(),
    };
    json!({ "state": stub["state"], "request": stub["request"], "reply": reply })
}

fn compare(case: &Value, observed: &Observed) -> Result<(), Mismatch> {
    let names = case["placeholders_in_expected"].as_array().into_iter().flatten();
    let placeholders =
        Placeholders::named(names.filter_map(Value::as_str).chain(IN_OUTPUTS.iter().copied()).map(str::to_owned));
    match is_tagged(case, "cause-derived") {
        false => faults::ended(&case["expected"], &observed.result, &placeholders)?,
        true => faults::ended(
            &faults::patterned(&case["expected"]),
            &observed.result,
            &placeholders.clone().and_bracketed(),
        )?,
    }
    if let Some(reloaded) = &observed.reloaded {
        let actual = format!("when it is saved and loaded at every wait: {reloaded}");
        return Err(Mismatch::new(case["expected"].to_string(), actual));
    }
    // The recording has no reply for a task that answers with its request.
    if case["task_behaviour"] == "echo" {
        return trace::compare(case, observed, &placeholders);
    }
    let stubs = case["task_stubs"].as_array().map(Vec::as_slice).unwrap_or_default();
    calls(stubs, &observed.calls)?;
    trace::compare(case, observed, &placeholders)
}

/// Compares the calls with those that AWS made.
fn calls(stubs: &[Value], calls: &[Call]) -> Result<(), Mismatch> {
    let placeholders = Placeholders::bracketed(IN_REQUESTS.iter().map(|name| (*name).to_owned()));
    for call in calls {
        let Some(stub) = call.stub.and_then(|at| stubs.get(at)) else {
            return Err(Mismatch::new(
                format!("{} calls of tasks", stubs.len()),
                format!("another one of `{}`", call.state),
            ));
        };
        let within = |mismatch: Mismatch| {
            Mismatch::new(format!("the task of `{}` to be given {}", call.state, mismatch.expected), mismatch.actual)
        };
        compare::values(&dated(&stub["request"]), &dated(&call.input), &placeholders).map_err(within)?;
        seconds(stub, "timeoutInSeconds", call.timeout)?;
        seconds(stub, "heartbeatInSeconds", call.heartbeat)?;
        if let Some(role) = stub["taskCredentials"].get("roleArn") {
            compare::values(role, &call.credentials["RoleArn"], &placeholders).map_err(within)?;
        }
    }
    match calls.len() == stubs.len() {
        true => Ok(()),
        false => Err(Mismatch::new(format!("{} calls of tasks", stubs.len()), format!("{} calls", calls.len()))),
    }
}

fn seconds(stub: &Value, field: &str, actual: Option<f64>) -> Result<(), Mismatch> {
    match stub[field].as_f64() {
        Some(expected) if actual != Some(expected) => {
            Err(Mismatch::new(format!("{field} {expected}"), format!("{actual:?}")))
        }
        _ => Ok(()),
    }
}

/// Returns a value without the members of the context object that are newer than some of the
/// recordings.
pub fn dated(request: &Value) -> Value {
    match request {
        Value::Object(members) => {
            let members = members.iter().filter(|(key, _)| *key != "RedriveCount");
            Value::Object(members.map(|(key, value)| (key.clone(), dated(value))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(dated).collect()),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(members: Value) -> Value {
        let mut case = json!({
            "definition": { "StartAt": "A", "States": { "A": { "Type": "Succeed" } } },
            "expected": { "status": "FAILED", "error": "E", "cause": "in 'A'. the field 'x.$' is not in '{}'" },
        });
        for (name, value) in members.as_object().into_iter().flatten() {
            case[name] = value.clone();
        }
        case
    }

    #[test]
    fn what_is_not_known_is_named() {
        for (members, name) in [
            (json!({ "tier": "odd" }), "`tier`"),
            (json!({ "workflow_type": "FAST" }), "`workflow_type`"),
            (json!({ "task_behaviour": "sleep" }), "`task_behaviour`"),
            (json!({ "fixtures": { "queues": [] } }), "`queues`"),
            (json!({ "expected": { "status": "SUCCEEDED", "mood": 1 } }), "`mood`"),
            (json!({ "expected": { "status": "PAUSED" } }), "`status`"),
            (json!({ "task_stubs": [{ "state": "A", "mood": 1 }] }), "`mood`"),
            (json!({ "task_stubs": [{ "state": "A", "result": { "later": 1 } }] }), "`later`"),
            (json!({ "task_stubs": [{ "state": "A", "result": { "error": { "code": 1 } } }] }), "`code`"),
        ] {
            let problem = read(&case(members.clone()), &mut Catalogue::default()).err().unwrap_or_default();
            assert!(problem.contains(name), "{members}: {problem}");
        }
        for members in [json!({ "expected": { "status": "ABORTED" } }), json!({ "tags": ["stated-in-notes"] })] {
            let plan = read(&case(members.clone()), &mut Catalogue::default());
            assert!(matches!(plan, Ok(Plan::Unsupported(_))), "{members}");
        }
    }

    #[test]
    fn a_cause_that_was_derived_is_compared_by_its_pattern() {
        let judged = |members: Value, cause: &str| {
            let line = json!({ "result": { "error": "E", "cause": cause }, "calls": [], "events": [] });
            compare(&case(members), &Observed::read(&line).expect("a line"))
        };
        let derived = || json!({ "tags": ["cause-derived"] });
        let other = "in 'A'. the field 'y.$' is not in '{\"a\": 1}'";
        assert_eq!(judged(derived(), other), Ok(()));
        assert!(judged(json!({}), other).is_err());
        assert!(judged(derived(), "in 'A'. the field 'y.$' is missing").is_err());
    }

    #[test]
    fn a_task_that_answers_with_its_request_needs_no_stub() {
        let echo = case(
            json!({ "tier": "behaviour", "task_behaviour": "echo", "expected": { "status": "SUCCEEDED", "output": 1 } }),
        );
        assert_eq!(run(&echo, false)["answers_with_request"], true);
        let ended = |output: i32| {
            let call = json!({ "state": "A", "input": { "a": 1 } });
            let line = json!({ "result": { "output": output }, "calls": [call], "events": [] });
            compare(&echo, &Observed::read(&line).expect("a line"))
        };
        assert_eq!(ended(1), Ok(()));
        assert!(ended(2).is_err());
    }
}
