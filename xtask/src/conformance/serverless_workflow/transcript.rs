//! What a case expects of a run, and whether it was so.

use crate::conformance::case::Mismatch;
use crate::conformance::compare::{self, Placeholders};
use crate::conformance::observed::{Ended, Observed};
use serde_json::{Value, json};
use workflow_compiler::diagnostics::Diagnostics;
use workflow_compiler::source::{Source, Sources};
use workflow_compiler::syntax::{self, Node, Tree};

/// What a case expects.
pub struct Expected {
    what: Value,
    /// A case whose text contradicts itself: the ruling that decides it.
    is_contradictory: bool,
}

/// All that is known to be expected.
const KNOWN: &[&str] = &[
    "output",
    "output_by_merge_rule",
    "output_spec_text",
    "output_contains",
    "state_output",
    "merged",
    "states",
    "calls",
    "calls_unordered",
    "subflow",
    "virtual_time",
    "produced",
    "iteration_inputs",
    "instances",
    "waits",
    "else_",
    "status",
];

/// A definition as a value, whether it is JSON or YAML.
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
    /// Reads what a case expects.
    pub fn of(case: &Value) -> Result<Expected, String> {
        let what = case["expect"].clone();
        let unknown = what.as_object().into_iter().flatten().find(|(name, _)| !KNOWN.contains(&name.as_str()));
        if let Some((name, _)) = unknown {
            return Err(format!("nothing is known of `{name}`"));
        }
        Ok(Expected { what, is_contradictory: case["determinability"] == "contradictory" })
    }

    /// Compares it with what happened.
    pub fn compare(&self, observed: &Observed) -> Result<(), Mismatch> {
        let Ended::Output(output) = &observed.result else {
            return match self.what.get("waits") {
                Some(waits) => compare_waits(waits, observed),
                None => Err(Mismatch::new("an output", format!("{:?}", observed.result))),
            };
        };
        let what = |name: &str| self.what.get(name).filter(|value| !value.is_null());
        for name in ["output", "output_by_merge_rule", "state_output", "merged"] {
            if let Some(expected) = what(name) {
                same(expected, output)?;
            }
        }
        if let Some(part) = what("output_contains") {
            contains(part, output)?;
        }
        if let Some(states) = what("states") {
            let entered = observed.events.iter().filter(|event| event.kind == "StateEntered" && event.depth == 0);
            same(states, &entered.map(|event| json!(event.state)).collect())?;
        }
        let is_call = |call: &&crate::conformance::observed::Call| !call.resource.starts_with("subflow:");
        let calls = || observed.calls.iter().filter(is_call).map(|call| json!({ "fn": call.task, "args": call.input }));
        if let Some(expected) = what("calls") {
            same(expected, &calls().collect())?;
        }
        if let Some(expected) = what("calls_unordered") {
            same(&sorted(expected.clone()), &sorted(calls().collect()))?;
        }
        if let Some(name) = what("subflow") {
            let started = observed.calls.iter().filter(|call| call.resource.starts_with("subflow:"));
            let started: Value = started.map(|call| json!(call.resource["subflow:".len()..])).collect();
            same(&json!([name]), &started)?;
        }
        if let Some(time) = what("virtual_time") {
            same(&json!([time]), &json!([observed.elapsed.map(|seconds| format!("PT{}H", seconds / 3600.0))]))?;
        }
        if let Some(inputs) = what("iteration_inputs") {
            let entered = observed.events.iter().filter(|event| event.kind == "StateEntered" && event.depth > 0);
            same(&sorted(inputs.clone()), &sorted(entered.map(|event| event.value.clone()).collect()))?;
        }
        if let Some(produced) = what("produced") {
            // Ruling R27: what the path of the event's data does not select is the state's output.
            let mut expected = produced.clone();
            for event in expected.as_array_mut().into_iter().flatten().filter(|_| self.is_contradictory) {
                event["data"] = output.clone();
            }
            let shown =
                |event: &Value| json!({ "type": event["type"], "source": event["source"], "data": event["data"] });
            same(&expected, &observed.sent.iter().map(shown).collect())?;
        }
        if what("status").is_some_and(|status| status.as_str().is_some_and(|text| text.contains("delay"))) {
            same(&json!(1.0), &json!(observed.elapsed))?;
        }
        match &observed.reloaded {
            None => Ok(()),
            Some(reloaded) => {
                Err(Mismatch::new(self.what.to_string(), format!("saved and loaded at every wait: {reloaded}")))
            }
        }
    }
}

/// A retry that never succeeds: the waits are those between its attempts.
fn compare_waits(expected: &Value, observed: &Observed) -> Result<(), Mismatch> {
    let times: Vec<f64> = observed.calls.iter().filter_map(|call| call.at).collect();
    let waits = times.windows(2).map(|pair| json!(format!("PT{}M", (pair[1] - pair[0]) / 60.0)));
    same(expected, &waits.collect())
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

/// Whether all members of an object are in another one.
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
mod tests {
    use super::*;

    fn judged(expect: Value, result: Value) -> Result<(), Mismatch> {
        let line = json!({
            "result": result,
            "calls": [
                { "task": "f", "resource": "r", "input": { "a": 1 }, "at": 0.0 },
                { "task": "f", "resource": "r", "input": { "a": 2 }, "at": 60.0 },
                { "resource": "subflow:child", "input": {} },
            ],
            "events": [
                { "kind": "StateEntered", "state": "A" },
                { "kind": "StateEntered", "state": "B", "depth": 1, "value": { "x": 1 } },
            ],
            "sent": [{ "type": "t", "source": "s", "data": 1, "id": "1" }],
            "elapsed": 3600.0,
        });
        let expected = Expected::of(&json!({ "expect": expect })).expect("an expectation");
        expected.compare(&Observed::read(&line).expect("a line"))
    }

    #[test]
    fn everything_is_compared() {
        let output = || json!({ "output": { "a": { "b": 1, "c": 2 } } });
        for (right, wrong) in [
            (json!({ "output": { "a": { "b": 1, "c": 2 } } }), json!({ "output": 1 })),
            (json!({ "output_contains": { "a": { "b": 1 } } }), json!({ "output_contains": { "a": { "d": 1 } } })),
            (json!({ "states": ["A"] }), json!({ "states": ["A", "B"] })),
            (
                json!({ "calls": [{ "fn": "f", "args": { "a": 1 } }, { "fn": "f", "args": { "a": 2 } }] }),
                json!({ "calls": [{ "fn": "f", "args": { "a": 1 } }] }),
            ),
            (
                json!({ "calls_unordered": [{ "args": { "a": 2 }, "fn": "f" }, { "args": { "a": 1 }, "fn": "f" }] }),
                json!({ "calls_unordered": [] }),
            ),
            (json!({ "subflow": "child" }), json!({ "subflow": "other" })),
            (json!({ "virtual_time": "PT1H" }), json!({ "virtual_time": "PT2H" })),
            (json!({ "iteration_inputs": [{ "x": 1 }] }), json!({ "iteration_inputs": [] })),
            (
                json!({ "produced": [{ "type": "t", "source": "s", "data": 1 }] }),
                json!({ "produced": [{ "type": "t", "source": "s", "data": 2 }] }),
            ),
        ] {
            assert_eq!(judged(right, output()), Ok(()));
            assert!(judged(wrong.clone(), output()).is_err(), "{wrong}");
        }
        let failed = || json!({ "error": "E", "cause": "c" });
        assert_eq!(judged(json!({ "waits": ["PT1M"] }), failed()), Ok(()));
        assert!(judged(json!({ "waits": ["PT2M"] }), failed()).is_err());
        assert!(judged(json!({ "output": 1 }), failed()).is_err());
        assert!(Expected::of(&json!({ "expect": { "more": 1 } })).is_err());
    }

    #[test]
    fn definitions_are_values_in_both_languages() {
        assert_eq!(tree("a.yaml", "a: [1, x]\n"), Ok(json!({ "a": [1, "x"] })));
        assert_eq!(tree("a.json", "{\"a\": null}"), Ok(json!({ "a": null })));
        assert!(tree("a.json", "{").is_err());
    }
}
