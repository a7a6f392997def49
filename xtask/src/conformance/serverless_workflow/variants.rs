//! Further runs of a case, with an error that its functions throw, or with another input.

use super::expected::duration;
use crate::conformance::case::Mismatch;
use crate::conformance::observed::{Ended, Observed};
use crate::conformance::time::same_seconds;
use serde_json::{Value, json};

/// A further run of a case.
pub struct Variant {
    /// The difference from the plan of the case.
    pub change: Change,
    expected: Outcome,
}

/// The difference between a further run and the plan of the case.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// Functions throw an error of this name.
    Throws(String),
    /// A member of the input has another value.
    Input {
        /// The member, as a JSON pointer.
        pointer: &'static str,
        /// Its value.
        value: Value,
    },
}

enum Outcome {
    /// The state whose function throws is retried, and then something follows.
    Handled(Handled),
    /// The execution fails with an error of this name, and with a message.
    Halts(&'static str),
}

#[derive(Default)]
struct Handled {
    retries: Option<usize>,
    /// The waits before the retries: one for each retry, or one value for all.
    wait: Option<Waits>,
    then: Option<Then>,
}

enum Waits {
    Each(Vec<f64>),
    All(f64),
}

enum Then {
    /// This state is entered.
    State(String),
    /// This workflow is started.
    Workflow(String),
    /// The execution fails with the error.
    Fails,
}

/// The members of an object that describes the handling of an error.
const OF_ERROR: &[&str] = &["retries", "wait", "then"];

/// Descriptions of other inputs in words, each with the member of the input, its value, and the
/// error that the execution fails with.
const OTHERWISE: &[(&str, &str, &str, &str)] =
    &[("any other title: execution halts with message", "/user/title", "any other title", "States.TransitionRefused")];

impl Variant {
    /// Reads the handling of the error `name`. `None` if the value describes nothing of the kind.
    pub fn of_error(name: &str, value: &Value, definition: &Value) -> Result<Option<Variant>, String> {
        let Some(members) = value.as_object() else { return Ok(None) };
        if members.is_empty() || members.keys().any(|member| !OF_ERROR.contains(&member.as_str())) {
            return Ok(None);
        }
        let mut handled = Handled::default();
        for (member, value) in members.iter().filter(|(_, value)| !value.is_null()) {
            match member.as_str() {
                "retries" => {
                    let retries = value.as_u64().and_then(|retries| usize::try_from(retries).ok());
                    handled.retries = Some(retries.ok_or_else(|| format!("{value} is not a number of retries"))?);
                }
                "wait" => {
                    handled.wait = Some(match value {
                        Value::Array(list) => Waits::Each(list.iter().map(duration).collect::<Result<_, _>>()?),
                        one => Waits::All(duration(one)?),
                    });
                }
                _ => handled.then = Some(Then::read(value, definition)?),
            }
        }
        let change = Change::Throws(name.to_owned());
        Ok(Some(Variant { change, expected: Outcome::Handled(handled) }))
    }

    /// Reads the effect of another input, in words.
    pub fn otherwise(value: &Value) -> Result<Variant, String> {
        let known = OTHERWISE.iter().find(|(words, ..)| value == words);
        let (_, pointer, other, error) = known.ok_or_else(|| format!("the value {value} is not known"))?;
        let change = Change::Input { pointer, value: json!(other) };
        Ok(Variant { change, expected: Outcome::Halts(error) })
    }

    /// Compares a further run with its expectations.
    pub fn compare(&self, observed: &Observed) -> Result<(), Mismatch> {
        if let Some(reloaded) = &observed.reloaded {
            return Err(Mismatch::new(
                format!("{:?}: {:?}", self.change, observed.result),
                format!("saved and loaded at every wait: {reloaded}"),
            ));
        }
        match (&self.expected, &self.change) {
            (Outcome::Halts(expected), _) => match &observed.result {
                Ended::Fault { error, cause: Some(_) } if error.as_deref() == Some(*expected) => Ok(()),
                other => Err(Mismatch::new(format!("{expected} with a message"), format!("{other:?}"))),
            },
            (Outcome::Handled(handled), Change::Throws(name)) => handled.compare(name, observed),
            (Outcome::Handled(_), other) => Err(Mismatch::new("an error", format!("{other:?}"))),
        }
    }
}

impl Then {
    fn read(value: &Value, definition: &Value) -> Result<Then, String> {
        let text = value.as_str().ok_or_else(|| format!("`then` is a state, and not {value}"))?;
        let has = |key: &str| has_text(definition, key, text);
        match text {
            _ if has("name") => Ok(Then::State(text.to_owned())),
            _ if has("workflowId") => Ok(Then::Workflow(text.to_owned())),
            "fail" | "fails" | "failed" | "halt" | "halts" => Ok(Then::Fails),
            _ => Err(format!("`then` is a state of the definition, and not `{text}`")),
        }
    }
}

/// Returns `true` if a value has this text as a member of this name, at any depth.
fn has_text(value: &Value, key: &str, text: &str) -> bool {
    match value {
        Value::Object(members) => value[key] == text || members.values().any(|member| has_text(member, key, text)),
        Value::Array(items) => items.iter().any(|item| has_text(item, key, text)),
        _ => false,
    }
}

impl Handled {
    fn compare(&self, error: &str, observed: &Observed) -> Result<(), Mismatch> {
        let mut calls = observed.calls.iter().filter(|call| !call.resource.starts_with("subflow:"));
        let Some(first) = calls.next() else {
            return Err(Mismatch::new(format!("a call that throws {error}"), "none"));
        };
        let again = calls.take_while(|call| call.state == first.state).filter(|call| call.task == first.task);
        let times: Vec<f64> = [first].into_iter().chain(again).filter_map(|call| call.at).collect();
        if let Some(retries) = self.retries
            && times.len() != retries + 1
        {
            return Err(Mismatch::new(
                format!("{error}: {retries} retries"),
                format!("{} calls of `{}`", times.len(), first.task),
            ));
        }
        let waits: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let is_right = match &self.wait {
            None => true,
            Some(Waits::All(expected)) => {
                !waits.is_empty() && waits.iter().all(|actual| same_seconds(*expected, *actual))
            }
            Some(Waits::Each(expected)) => {
                expected.len() == waits.len() && expected.iter().zip(&waits).all(|(a, b)| same_seconds(*a, *b))
            }
        };
        if !is_right {
            let expected = match &self.wait {
                Some(Waits::Each(expected)) => json!(expected),
                Some(Waits::All(expected)) => json!(expected),
                None => Value::Null,
            };
            return Err(Mismatch::new(format!("{error}: waits of {expected} s"), json!(waits).to_string()));
        }
        self.then.as_ref().map_or(Ok(()), |then| then.compare(error, &first.state, observed))
    }
}

impl Then {
    fn compare(&self, error: &str, state: &str, observed: &Observed) -> Result<(), Mismatch> {
        let entered = observed.events.iter().filter(|event| event.kind == "StateEntered");
        let next =
            entered.map(|event| event.state.as_str()).skip_while(|name| *name != state).find(|name| *name != state);
        let (expected, actual) = match self {
            Then::State(name) => (format!("the state `{name}`"), next.map(|name| format!("the state `{name}`"))),
            Then::Workflow(name) => {
                let started = observed.calls.iter().find_map(|call| call.resource.strip_prefix("subflow:"));
                (format!("the workflow `{name}`"), started.map(|name| format!("the workflow `{name}`")))
            }
            Then::Fails => {
                let failed = match &observed.result {
                    Ended::Fault { error: Some(error), .. } => Some(format!("a failure with {error}")),
                    _ => None,
                };
                (format!("a failure with {error}"), failed)
            }
        };
        match actual {
            Some(actual) if actual == expected => Ok(()),
            other => Err(Mismatch::new(format!("{error}: {expected}"), format!("{other:?}: {:?}", observed.result))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definition() -> Value {
        json!({ "states": [{ "name": "Ask" }, { "name": "After" }, { "name": "Help", "workflowId": "helper" }] })
    }

    /// A run in which `Ask` is tried at these times, and followed by `Help`, or by a failure.
    fn observed(times: &[f64], is_handled: bool) -> Observed {
        let mut calls: Vec<Value> =
            times.iter().map(|at| json!({ "state": "Ask", "task": "f", "resource": "r", "at": at })).collect();
        let mut events = vec![json!({ "kind": "StateEntered", "state": "Ask" })];
        if is_handled {
            events.push(json!({ "kind": "StateEntered", "state": "Help" }));
            calls.push(json!({ "resource": "subflow:helper" }));
            calls.push(json!({ "state": "Help", "task": "f", "resource": "r", "at": 999.0 }));
        }
        let result = match is_handled {
            true => json!({ "output": {} }),
            false => json!({ "error": "Lost", "cause": "it fails" }),
        };
        let line = json!({ "result": result, "calls": calls, "events": events });
        Observed::read(&line).expect("a line")
    }

    #[test]
    fn an_error_is_retried_and_handled() {
        let times = [0.0, 120.0, 240.0];
        for (value, handled, failed) in [
            (json!({ "retries": 2 }), true, true),
            (json!({ "retries": 1 }), false, false),
            (json!({ "wait": "PT2M" }), true, true),
            (json!({ "wait": ["PT2M", "PT120S"] }), true, true),
            (json!({ "wait": "PT1M" }), false, false),
            (json!({ "wait": ["PT2M"] }), false, false),
            (json!({ "then": "Help" }), true, false),
            (json!({ "then": "helper" }), true, false),
            (json!({ "then": "After" }), false, false),
            (json!({ "then": "fails" }), false, true),
            (json!({ "retries": 2, "wait": "PT2M", "then": "Help" }), true, false),
            (json!({ "retries": 3, "wait": "PT2M", "then": "Help" }), false, false),
        ] {
            let variant = Variant::of_error("Lost", &value, &definition()).expect("a form that is known");
            let variant = variant.expect("what becomes of an error");
            assert_eq!(variant.change, Change::Throws("Lost".to_owned()));
            assert_eq!(variant.compare(&observed(&times, true)).is_ok(), handled, "{value}");
            assert_eq!(variant.compare(&observed(&times, false)).is_ok(), failed, "{value}");
            assert!(variant.compare(&observed(&[], false)).is_err(), "{value}: nothing was called");
        }
        let at_once = Variant::of_error("Lost", &json!({ "wait": "PT2M" }), &definition()).ok().flatten();
        assert!(at_once.is_some_and(|variant| variant.compare(&observed(&[0.0], true)).is_err()), "it does not wait");
    }

    #[test]
    fn what_says_something_else_is_nothing_of_the_kind() {
        for value in [json!({}), json!(3), json!({ "retries": 1, "often": 2 }), json!({ "error": "E" })] {
            assert!(Variant::of_error("E", &value, &definition()).is_ok_and(|variant| variant.is_none()), "{value}");
        }
        for value in [json!({ "retries": "many" }), json!({ "wait": "long" }), json!({ "then": "Nowhere" })] {
            assert!(Variant::of_error("E", &value, &definition()).is_err(), "{value}");
        }
    }

    #[test]
    fn another_input_fails_with_a_message() {
        let variant = Variant::otherwise(&json!("any other title: execution halts with message")).expect("known words");
        let ended = |result: Value| {
            let line = json!({ "result": result, "calls": [], "events": [] });
            variant.compare(&Observed::read(&line).expect("a line"))
        };
        assert_eq!(ended(json!({ "error": "States.TransitionRefused", "cause": "why" })), Ok(()));
        assert!(ended(json!({ "error": "States.TransitionRefused", "cause": null })).is_err());
        assert!(ended(json!({ "error": "States.Runtime", "cause": "why" })).is_err());
        assert!(ended(json!({ "output": {} })).is_err());
    }
}
