//! `executions.json`: executions recorded on AWS Step Functions.

use super::scope::put_off;
use super::{START, definition, faults, trace};
use crate::conformance::case::{Catalogue, Goal, Mismatch, Outcome, Plan, Trial, Verdict};
use crate::conformance::compare::{self, Placeholders};
use crate::conformance::observed::{Call, Observed};
use serde_json::{Value, json};

/// Texts of recorded requests that stand for others although they are not in brackets.
const IN_REQUESTS: &[&str] = &["a_task_token"];

/// Texts of recorded outputs that stand for others although the case does not say so.
const IN_OUTPUTS: &[&str] = &["generated-uuid"];

/// Reads one case.
pub fn read(case: &Value, catalogue: &mut Catalogue) -> Result<Plan, String> {
    if let Some(reason) = unsupported(case) {
        return Ok(Plan::Unsupported(reason));
    }
    let express = case["workflow_type"] == "EXPRESS";
    let mut definition = definition(&case["definition"]);
    definition.options.express = express;
    let recorded = case.clone();
    let judge = move |outcome: &Outcome<'_>| match outcome {
        Outcome::Refused(findings) => Verdict::refused(findings),
        Outcome::Accepted => Verdict::failed("to be run", "not run"),
        Outcome::Ran(observed) => Verdict::from(compare(&recorded, observed)),
    };
    let goal = Goal::Run(run(case, express));
    Ok(Plan::Try(Trial { definition: catalogue.add(definition), goal, judge: Box::new(judge) }))
}

fn unsupported(case: &Value) -> Option<String> {
    let tagged = |tag: &str| case["tags"].as_array().is_some_and(|tags| tags.iter().any(|own| own == tag));
    let reason = match case["tier"].as_str() {
        Some("s3") => "needs objects in S3",
        Some("stub-opaque") => "what its tasks answer is not known",
        _ if case["source"]["aws_validated"] == false => "not validated against AWS",
        _ if tagged("stub-incomplete") => "not everything its tasks answer is known",
        _ if tagged("external-control") => "stopped from outside",
        _ => return put_off(&case["definition"]),
    };
    Some(reason.to_owned())
}

/// The names are those that the recordings put into the place of the real ones.
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
    faults::ended(&case["expected"], &observed.result, &placeholders)?;
    if let Some(reloaded) = &observed.reloaded {
        let actual = format!("when it is saved and loaded at every wait: {reloaded}");
        return Err(Mismatch::new(case["expected"].to_string(), actual));
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

/// A request without what the context object has had only since some of the recordings were made.
fn dated(request: &Value) -> Value {
    match request {
        Value::Object(members) => {
            let members = members.iter().filter(|(key, _)| *key != "RedriveCount");
            Value::Object(members.map(|(key, value)| (key.clone(), dated(value))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(dated).collect()),
        other => other.clone(),
    }
}
