//! The expectations of a case: the member `expect`, read field by field. Reading fails with the
//! name of an unknown field, or of a field whose value has an unknown form.

use super::branches::{Branches, Completes};
use super::variants::{Change, Variant};
use crate::conformance::{fields, time};
use serde_json::{Map, Value};

/// The expectations of a case.
pub struct Expected {
    /// The comparisons.
    pub checks: Vec<Check>,
    /// The member `expect`.
    pub what: Value,
    /// `true` if the text of the case contradicts itself, so that a ruling decides it.
    pub is_contradictory: bool,
}

/// A comparison with the record of a run.
pub enum Check {
    /// The output, as a whole.
    Output(Value),
    /// Some members of the output.
    Contains(Value),
    /// The states that are entered outside of branches and iterations, in order.
    States(Value),
    /// The calls of functions. Each is a name, or has some of the members `fn`, `args` and `at`.
    Calls {
        /// The calls.
        calls: Vec<Value>,
        /// `true` if the calls come in this order.
        in_order: bool,
    },
    /// The workflows that are started, in order.
    Subflows(Value),
    /// The time that an execution takes, in seconds.
    Elapsed(f64),
    /// The execution starts at the time of the case.
    At,
    /// The events that are published.
    Produced(Value),
    /// The data that iterations begin with, in any order.
    IterationInputs(Value),
    /// The number of executions.
    Instances(usize),
    /// The branches of a state, with the time that each takes.
    Branches(Branches),
    /// The time at which a state with branches is left, or the end of the execution.
    Completes(Completes),
    /// The times that an execution waits, in seconds, in order.
    Waits(Vec<f64>),
    /// The end of the execution.
    Status(Status),
    /// A further run, with its number.
    Variant(usize, Variant),
}

/// The expected end of an execution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Status {
    /// The execution ends with an output.
    Completed,
    /// The execution ends with an output after this many seconds.
    CompletedAfter(f64),
    /// The execution ends with a fault.
    Failed,
}

impl Expected {
    /// Reads the expectations of a case.
    pub fn of(case: &Value, definition: &Value) -> Result<Expected, String> {
        let what = &case["expect"];
        let members = what.as_object().ok_or("it has no `expect`")?;
        let (mut checks, mut variants) = (Vec::new(), 0);
        // A field that is null is ignored.
        for (name, value) in members.iter().filter(|(_, value)| !value.is_null()) {
            let check = read(name, value, members, definition).map_err(|problem| format!("`{name}`: {problem}"))?;
            checks.extend(check.map(|check| match check {
                Check::Variant(_, variant) => {
                    variants += 1;
                    Check::Variant(variants - 1, variant)
                }
                check => check,
            }));
        }
        if checks.is_empty() {
            return Err("it expects nothing".to_owned());
        }
        let determined = case["determinability"].as_str().unwrap_or("exact");
        let is_contradictory = determined.starts_with("contradictory");
        match is_contradictory || ["exact", "trace"].iter().any(|known| determined.starts_with(known)) {
            true => Ok(Expected { checks, what: what.clone(), is_contradictory }),
            false => Err(format!("the value `{determined}` of the field `determinability` is not known")),
        }
    }

    /// Returns `true` if the number of executions is compared.
    pub fn counts_executions(&self) -> bool {
        self.checks.iter().any(|check| matches!(check, Check::Instances(_)))
    }

    /// Returns the differences of the further runs, in the order of their numbers.
    pub fn changes(&self) -> impl Iterator<Item = &Change> {
        self.checks.iter().filter_map(|check| match check {
            Check::Variant(_, variant) => Some(&variant.change),
            _ => None,
        })
    }
}

/// Reads a field. `None` if a ruling makes the field void.
fn read(name: &str, value: &Value, members: &Map<String, Value>, definition: &Value) -> Result<Option<Check>, String> {
    Ok(Some(match name {
        // The merge rule counts, whatever the text says: [R9](docs/serverless-workflow.md#r9).
        "output_spec_text" if members.contains_key("output_by_merge_rule") => return Ok(None),
        "output" | "output_by_merge_rule" | "output_spec_text" | "state_output" | "merged" => {
            Check::Output(value.clone())
        }
        "output_contains" => Check::Contains(value.clone()),
        "states" => Check::States(list(value)?.clone()),
        "calls" | "calls_unordered" => Check::Calls { calls: calls(value)?, in_order: name == "calls" },
        "subflow" => match value {
            Value::String(_) => Check::Subflows(Value::from(vec![value.clone()])),
            _ => Check::Subflows(list(value)?.clone()),
        },
        "virtual_time" => Check::Elapsed(duration(value)?),
        // A case without executions has no start time to compare.
        "at" if members.get("instances") == Some(&Value::from(0)) => return Ok(None),
        "at" => Check::At,
        "produced" => Check::Produced(list(value)?.clone()),
        "iteration_inputs" => Check::IterationInputs(list(value)?.clone()),
        "instances" => {
            let count = value.as_u64().and_then(|count| usize::try_from(count).ok());
            Check::Instances(count.ok_or_else(|| format!("{value} is not a number of executions"))?)
        }
        "branches" => Check::Branches(Branches::read(value, definition)?),
        "completes" => Check::Completes(Completes::read(value, members.get("branches"), definition)?),
        "waits" => Check::Waits(durations(value)?),
        "status" => Check::Status(status(value, definition)?),
        "else_" => Check::Variant(0, Variant::otherwise(value)?),
        error => match Variant::of_error(error, value, definition)? {
            Some(variant) => Check::Variant(0, variant),
            None => return Err("the field is not known".to_owned()),
        },
    }))
}

fn list(value: &Value) -> Result<&Value, String> {
    if value.is_array() { Ok(value) } else { Err(format!("{value} is not a list")) }
}

fn calls(value: &Value) -> Result<Vec<Value>, String> {
    let calls = list(value)?.as_array().cloned().unwrap_or_default();
    for call in &calls {
        match call {
            Value::String(_) => {}
            Value::Object(_) => fields::check("a call", call, &["fn", "args", "at"])?,
            other => return Err(format!("{other} is not a call")),
        }
        let at = &call["at"];
        if !at.is_null() {
            duration(at)?;
        }
    }
    Ok(calls)
}

/// Reads a duration: ISO 8601, or a number of seconds.
pub fn duration(value: &Value) -> Result<f64, String> {
    let read = value.as_f64().or_else(|| value.as_str().and_then(time::seconds));
    read.ok_or_else(|| format!("{value} is not a duration"))
}

/// Reads a list of durations, or a duration alone.
fn durations(value: &Value) -> Result<Vec<f64>, String> {
    match value {
        Value::Array(list) => list.iter().map(duration).collect(),
        one => Ok(vec![duration(one)?]),
    }
}

fn status(value: &Value, definition: &Value) -> Result<Status, String> {
    match value.as_str() {
        Some("completed") => Ok(Status::Completed),
        Some("completed after delay") => {
            let states = definition["states"].as_array().into_iter().flatten();
            let delays =
                states.filter_map(|state| state.get("timeDelay")).map(duration).collect::<Result<Vec<_>, _>>()?;
            Ok(Status::CompletedAfter(delays.iter().sum()))
        }
        Some("failed" | "error" | "aborted") => Ok(Status::Failed),
        _ => Err(format!("the value {value} is not known")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_not_known_is_named() {
        let parallel = json!({ "states": [{ "name": "Both", "branches": [{ "name": "Short" }] }] });
        for (expect, name) in [
            (json!({ "more": 1 }), "`more`"),
            (json!({ "more": { "retries": 1, "often": true } }), "`more`"),
            (json!({ "status": "sleeping" }), "`status`"),
            (json!({ "else_": "something" }), "`else_`"),
            (json!({ "virtual_time": "soon" }), "`virtual_time`"),
            (json!({ "waits": ["PT1M", "later"] }), "`waits`"),
            (json!({ "instances": "many" }), "`instances`"),
            (json!({ "calls": [{ "fn": "f", "result": 1 }] }), "`result`"),
            (json!({ "states": "A" }), "`states`"),
            (json!({ "branches": { "Long": "PT1M" } }), "`branches`"),
            (json!({ "completes": "Long" }), "`completes`"),
            (json!({ "E": { "then": "Nowhere" } }), "`E`"),
            (json!({ "output": null }), "expects nothing"),
            (json!({}), "expects nothing"),
        ] {
            let problem = Expected::of(&json!({ "expect": expect }), &parallel).err().unwrap_or_default();
            assert!(problem.contains(name), "{expect}: {problem}");
        }
        let odd = json!({ "determinability": "guessed", "expect": { "output": 1 } });
        assert!(Expected::of(&odd, &parallel).err().is_some_and(|problem| problem.contains("`determinability`")));
    }

    #[test]
    fn a_status_with_a_delay_takes_as_long_as_the_states_wait() {
        let definition = json!({ "states": [{ "timeDelay": "PT1M" }, {}, { "timeDelay": "PT5S" }] });
        assert_eq!(status(&json!("completed after delay"), &definition), Ok(Status::CompletedAfter(65.0)));
        assert_eq!(status(&json!("failed"), &definition), Ok(Status::Failed));
    }
}
