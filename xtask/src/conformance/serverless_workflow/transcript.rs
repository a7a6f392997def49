//! Compares the record of a run with the expectations of its case.

use super::branches::Completes;
use super::expected::{Check, Expected, Status, duration};
use crate::conformance::case::Mismatch;
use crate::conformance::compare::{self, Placeholders};
use crate::conformance::observed::{Call, Ended, Observed};
use crate::conformance::time::same_seconds;
use serde_json::{Map, Value, json};
use workflow_compiler::diagnostics::Diagnostics;
use workflow_compiler::source::{Source, Sources};
use workflow_compiler::syntax::{self, Node, Tree};

/// Reads a definition, in JSON or YAML, as a value.
pub fn tree(name: &str, text: &str) -> Result<Value, String> {
    let mut sources = Sources::default();
    let file = sources.add(Source::new(name, text));
    let mut diagnostics = Diagnostics::default();
    let node = syntax::read(file, &sources, &mut diagnostics);
    match diagnostics.has_errors() {
        true => Err("the definition cannot be read".to_owned()),
        false => Ok(value(&node)),
    }
}

fn value(node: &Node) -> Value {
    match &node.tree {
        Tree::Null => Value::Null,
        Tree::Bool(value) => json!(value),
        Tree::Int(value) => json!(value),
        Tree::Float(value) => json!(value),
        Tree::String(text) => json!(text.value),
        Tree::Array(items) => items.iter().map(value).collect(),
        Tree::Object(entries) => {
            let members = entries.iter().map(|entry| (entry.key.value.clone(), value(&entry.value)));
            Value::Object(members.collect())
        }
    }
}

impl Expected {
    /// Compares all expectations with the record.
    pub fn compare(&self, observed: &Observed) -> Result<(), Mismatch> {
        if !observed.has_output() && !self.may_fail() {
            return Err(Mismatch::new("an output", format!("{:?}", observed.result)));
        }
        self.checks.iter().try_for_each(|check| self.check(check, observed))?;
        match &observed.reloaded {
            None => Ok(()),
            Some(reloaded) => {
                Err(Mismatch::new(self.what.to_string(), format!("saved and loaded at every wait: {reloaded}")))
            }
        }
    }

    /// Returns `true` if a failed execution can meet the expectations: one of them is the failure,
    /// or none of them needs the end of the execution.
    fn may_fail(&self) -> bool {
        let is_failure = |check: &Check| {
            matches!(
                check,
                Check::Status(Status::Failed) | Check::Completes(Completes::Execution(false)) | Check::Instances(0)
            )
        };
        let needs_no_end = |check: &Check| matches!(check, Check::Waits(_) | Check::Variant(..));
        self.checks.iter().any(is_failure) || self.checks.iter().all(needs_no_end)
    }

    fn check(&self, check: &Check, observed: &Observed) -> Result<(), Mismatch> {
        match check {
            Check::Output(expected) => outputs(observed)?.into_iter().try_for_each(|output| same(expected, output)),
            Check::Contains(part) => outputs(observed)?.into_iter().try_for_each(|output| contains(part, output)),
            Check::States(states) => {
                same(states, &observed.outermost("StateEntered").map(|event| json!(event.state)).collect())
            }
            Check::Calls { calls, in_order } => compare_calls(calls, *in_order, observed),
            Check::Subflows(names) => {
                let started = observed.calls.iter().filter_map(|call| call.resource.strip_prefix("subflow:"));
                same(names, &started.map(|name| json!(name)).collect())
            }
            Check::Elapsed(expected) => compare_elapsed(*expected, observed),
            Check::At => compare_start(observed),
            Check::Produced(events) => self.compare_produced(events, observed),
            Check::IterationInputs(inputs) => {
                let entered = observed.events.iter().filter(|event| event.kind == "StateEntered" && event.depth > 0);
                same(&sorted(inputs.clone()), &sorted(entered.map(|event| event.value.clone()).collect()))
            }
            Check::Instances(expected) => {
                let started = observed.outermost("ExecutionStarted").count();
                same(&json!(expected), &json!(started))
                    .map_err(|mismatch| Mismatch { expected: format!("{} executions", mismatch.expected), ..mismatch })
            }
            Check::Branches(branches) => branches.compare(observed),
            Check::Completes(completes) => completes.compare(observed),
            Check::Waits(expected) => compare_waits(expected, observed),
            Check::Status(Status::Completed) => outputs(observed).map(drop),
            Check::Status(Status::CompletedAfter(seconds)) => {
                outputs(observed)?;
                compare_elapsed(*seconds, observed)
            }
            Check::Status(Status::Failed) => match observed.has_output() {
                false => Ok(()),
                true => Err(Mismatch::new("a failure", format!("{:?}", observed.result))),
            },
            Check::Variant(number, variant) => match observed.also.get(*number) {
                Some(observed) => variant.compare(observed),
                None => Err(Mismatch::new(format!("a run with {:?}", variant.change), "it was not run")),
            },
        }
    }

    /// Compares the members of published events that the case names.
    fn compare_produced(&self, expected: &Value, observed: &Observed) -> Result<(), Mismatch> {
        let mut expected = expected.clone();
        // If the path of the event's data selects nothing, the data is the state's output:
        // [R27](docs/serverless-workflow.md#r27).
        if let (true, Ended::Output(output)) = (self.is_contradictory, &observed.result) {
            for event in expected.as_array_mut().into_iter().flatten() {
                event["data"] = output.clone();
            }
        }
        let shown = |(at, event): (usize, &Value)| match expected[at].as_object() {
            Some(members) => {
                members.keys().map(|name| (name.clone(), event[name].clone())).collect::<Map<_, _>>().into()
            }
            None => event.clone(),
        };
        same(&expected, &observed.sent.iter().enumerate().map(shown).collect())
    }
}

/// Returns the output of the execution, or the outputs of the executions that events have started.
fn outputs(observed: &Observed) -> Result<Vec<&Value>, Mismatch> {
    let Ended::Output(output) = &observed.result else {
        return Err(Mismatch::new("an output", format!("{:?}", observed.result)));
    };
    let all: Vec<&Value> = observed.outermost("ExecutionSucceeded").map(|event| &event.value).collect();
    Ok(if all.is_empty() { vec![output] } else { all })
}

fn compare_elapsed(expected: f64, observed: &Observed) -> Result<(), Mismatch> {
    match observed.elapsed.is_some_and(|actual| same_seconds(expected, actual)) {
        true => Ok(()),
        false => Err(Mismatch::new(format!("an end after {expected} s"), format!("{:?} s", observed.elapsed))),
    }
}

/// Compares the start. The clock begins at the time of the case, so that an execution must have
/// started at once.
fn compare_start(observed: &Observed) -> Result<(), Mismatch> {
    let starts: Vec<f64> = observed.outermost("ExecutionStarted").map(|event| event.at).collect();
    match !starts.is_empty() && starts.iter().all(|at| same_seconds(*at, 0.0)) {
        true => Ok(()),
        false => {
            Err(Mismatch::new("a start at the time `at`", format!("starts after {starts:?} s: {:?}", observed.result)))
        }
    }
}

/// Compares the waits of retries and of states, in their order. A wait that was cut short does not
/// count.
fn compare_waits(expected: &[f64], observed: &Observed) -> Result<(), Mismatch> {
    let happens_at = |time: f64| {
        let mut times =
            observed.events.iter().map(|event| event.at).chain(observed.calls.iter().filter_map(|call| call.at));
        times.any(|at| same_seconds(at, time))
    };
    let waits = observed.events.iter().filter_map(|event| Some((event.at, event.until?)));
    let waits = waits.filter(|(at, until)| until > at && happens_at(*until));
    let waits: Vec<f64> = waits.map(|(at, until)| until - at).collect();
    match waits.len() == expected.len() && waits.iter().zip(expected).all(|(a, b)| same_seconds(*a, *b)) {
        true => Ok(()),
        false => Err(Mismatch::new(format!("waits of {expected:?} s"), format!("{waits:?} s"))),
    }
}

/// Compares the calls of functions with the expected calls, in order or in any order.
fn compare_calls(expected: &[Value], in_order: bool, observed: &Observed) -> Result<(), Mismatch> {
    let mut left: Vec<&Call> = observed.calls.iter().filter(|call| !call.resource.starts_with("subflow:")).collect();
    let shown = left.iter().map(|call| json!({ "fn": call.task, "args": call.input, "at": call.at }));
    let shown = shown.collect::<Value>().to_string();
    let is_same = expected.len() == left.len()
        && expected.iter().all(|expected| {
            let found = match in_order {
                true => left.first().filter(|call| is_call(expected, call)).map(|_| 0),
                false => left.iter().position(|call| is_call(expected, call)),
            };
            found.map(|at| left.remove(at)).is_some()
        });
    if is_same { Ok(()) } else { Err(Mismatch::new(Value::from(expected.to_vec()).to_string(), shown)) }
}

/// Returns `true` if a call has all members that the case states.
fn is_call(expected: &Value, call: &Call) -> bool {
    let name = if expected.is_string() { Some(expected) } else { expected.get("fn") };
    let at = expected.get("at").filter(|at| !at.is_null()).map(duration);
    name.is_none_or(|name| *name == call.task)
        && expected.get("args").is_none_or(|args| compare::equal(args, &call.input, &Placeholders::default()))
        && at.is_none_or(|at| at.ok().zip(call.at).is_some_and(|(expected, actual)| same_seconds(expected, actual)))
}

fn same(expected: &Value, actual: &Value) -> Result<(), Mismatch> {
    compare::values(expected, actual, &Placeholders::default())
}

fn sorted(mut list: Value) -> Value {
    if let Some(items) = list.as_array_mut() {
        items.sort_by_key(Value::to_string);
    }
    list
}

/// Fails unless all members of `part` are in `whole`.
fn contains(part: &Value, whole: &Value) -> Result<(), Mismatch> {
    match (part.as_object(), whole.as_object()) {
        (Some(part), Some(of)) => part.iter().try_for_each(|(name, member)| match of.get(name) {
            Some(found) => contains(member, found),
            None => Err(Mismatch::new(format!("`{name}`"), whole.to_string())),
        }),
        _ => same(part, whole),
    }
}

#[cfg(test)]
mod tests;
