//! Branches of a state: how long each takes, and when the state is left.

use super::expected::duration;
use crate::conformance::case::Mismatch;
use crate::conformance::fields;
use crate::conformance::observed::{Event, Observed};
use crate::conformance::time::same_seconds;
use serde_json::{Value, json};

/// The branches of a state, with the time that each takes, in seconds.
#[derive(Debug, Clone, PartialEq)]
pub struct Branches {
    state: State,
    durations: Vec<(String, f64)>,
}

/// The time at which a state with branches is left, or the end of an execution.
#[derive(Debug, Clone, PartialEq)]
pub enum Completes {
    /// The state is left with the last branch: all complete.
    All(State),
    /// The state is left with the first branch that completes.
    First(State),
    /// The state is left with this branch.
    With(State, String),
    /// This many branches complete.
    Number(State, usize),
    /// These branches complete, in this order.
    These(State, Vec<String>),
    /// The state is left this many seconds after its entry. In a definition without branches, the
    /// time counts from the start.
    After(Option<State>, f64),
    /// The execution ends with an output if this is `true`, and does not end otherwise.
    Execution(bool),
}

/// A state with branches: its name, and for each branch all names that mean it, which are its own
/// name and those of its states.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    name: String,
    branches: Vec<Vec<String>>,
}

/// A branch in the record of a run.
struct Seen {
    start: f64,
    /// The time at which it completed. `None` if it was cancelled or failed.
    end: Option<f64>,
}

impl State {
    /// Finds the first state that has all of these branches.
    fn find(definition: &Value, names: &[&str]) -> Result<State, String> {
        let mut states = Vec::new();
        collect(definition, &mut states);
        let of = |state: &State, name: &str| state.index(name).is_some();
        let found = states.into_iter().find(|state| names.iter().all(|name| of(state, name)));
        found.ok_or_else(|| format!("no state has the branches {names:?}"))
    }

    fn index(&self, name: &str) -> Option<usize> {
        self.branches.iter().position(|names| names.iter().any(|known| known == name))
    }

    /// Finds a branch in the record of a run.
    fn seen(&self, observed: &Observed, name: &str) -> Result<Seen, Mismatch> {
        let step = self.index(name).map(|index| (self.name.clone(), index));
        let not_begun = || Mismatch::new(format!("the branch `{name}` to begin"), "it does not");
        let step = step.ok_or_else(not_begun)?;
        let mut within = observed.events.iter().filter(|event| event.path.contains(&step));
        let start = within.next().ok_or_else(not_begun)?.at;
        let own = |event: &&Event| event.path.last() == Some(&step);
        let last = observed.events.iter().rfind(own).filter(|event| event.kind == "StateExited");
        Ok(Seen { start, end: last.map(|event| event.at) })
    }

    /// Returns the times at which branches completed, each with a name of the branch, in order.
    fn completed(&self, observed: &Observed) -> Vec<(String, f64)> {
        let names = self.branches.iter().filter_map(|names| names.first());
        let ends = names.filter_map(|name| Some((name.clone(), self.seen(observed, name).ok()?.end?)));
        let mut ends: Vec<_> = ends.collect();
        ends.sort_by(|(_, a), (_, b)| a.total_cmp(b));
        ends
    }

    /// Returns the times at which the state was entered and left.
    fn interval(&self, observed: &Observed) -> Result<(f64, f64), Mismatch> {
        let at = |kind: &str| observed.events.iter().find(|event| event.kind == kind && event.state == self.name);
        match (at("StateEntered"), at("StateExited")) {
            (Some(entered), Some(left)) => Ok((entered.at, left.at)),
            _ => Err(Mismatch::new(format!("the state `{}` to be left", self.name), format!("{:?}", observed.result))),
        }
    }
}

/// Collects the states with branches, outer ones first.
fn collect(value: &Value, states: &mut Vec<State>) {
    match value {
        Value::Object(members) => {
            if let (Some(name), Some(branches)) = (value["name"].as_str(), value["branches"].as_array()) {
                let branches = branches.iter().map(|branch| {
                    let own = branch["states"].as_array().into_iter().flatten();
                    [branch].into_iter().chain(own).filter_map(|named| named["name"].as_str()).map(str::to_owned)
                });
                states.push(State { name: name.to_owned(), branches: branches.map(Iterator::collect).collect() });
            }
            members.values().for_each(|member| collect(member, states));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, states)),
        _ => {}
    }
}

impl Branches {
    /// Reads `{NAME: DURATION}`, or a list of `{"name", "duration"}` or `[NAME, DURATION]`.
    pub fn read(value: &Value, definition: &Value) -> Result<Branches, String> {
        let durations = durations(value)?;
        let names: Vec<&str> = durations.iter().map(|(name, _)| name.as_str()).collect();
        match names.is_empty() {
            true => Err("it names no branch".to_owned()),
            false => Ok(Branches { state: State::find(definition, &names)?, durations: durations.clone() }),
        }
    }

    /// Compares the time that each branch takes. A branch that is cancelled must have had less
    /// than its time.
    pub fn compare(&self, observed: &Observed) -> Result<(), Mismatch> {
        for (name, expected) in &self.durations {
            let seen = self.state.seen(observed, name)?;
            let wrong = |actual: String| Mismatch::new(format!("the branch `{name}` to take {expected} s"), actual);
            match seen.end {
                Some(end) if same_seconds(end - seen.start, *expected) => {}
                Some(end) => return Err(wrong(format!("{} s", end - seen.start))),
                None => {
                    let (_, left) = self.state.interval(observed)?;
                    if left - seen.start >= *expected {
                        return Err(wrong(format!("it does not complete within {} s", left - seen.start)));
                    }
                }
            }
        }
        Ok(())
    }
}

fn durations(value: &Value) -> Result<Vec<(String, f64)>, String> {
    match value {
        Value::Object(members) => members.iter().map(|(name, value)| Ok((name.clone(), duration(value)?))).collect(),
        Value::Array(list) => list.iter().map(named_duration).collect(),
        other => Err(format!("{other} is not a list of branches")),
    }
}

fn named_duration(branch: &Value) -> Result<(String, f64), String> {
    const DURATIONS: &[&str] = &["duration", "virtual_duration", "virtual_time"];
    let (name, value) = match branch.as_array().map(Vec::as_slice) {
        Some([name, value]) => (name, value),
        Some(_) => return Err(format!("{branch} is not a name and a duration")),
        None => {
            fields::check("a branch", branch, &[&["name"], DURATIONS].concat())?;
            let value = DURATIONS.iter().find_map(|name| branch.get(*name));
            (&branch["name"], value.ok_or_else(|| format!("{branch} has no duration"))?)
        }
    };
    let name = name.as_str().ok_or_else(|| format!("{branch} has no name"))?;
    Ok((name.to_owned(), duration(value)?))
}

impl Completes {
    /// Reads a duration, a word such as `all` or `first`, a number of branches, a branch, a list
    /// of branches, or a boolean: the execution ends, or does not.
    pub fn read(value: &Value, branches: Option<&Value>, definition: &Value) -> Result<Completes, String> {
        let named = branches.map(durations).transpose()?.unwrap_or_default();
        let mut names: Vec<&str> = named.iter().map(|(name, _)| name.as_str()).collect();
        let names_of = |list: &[Value]| -> Result<Vec<String>, String> {
            let texts = list.iter().map(|name| name.as_str().map(str::to_owned));
            texts.collect::<Option<_>>().ok_or_else(|| format!("{value} is not a list of branches"))
        };
        match value {
            Value::Bool(ends) => Ok(Completes::Execution(*ends)),
            Value::Number(number) => {
                let number = number.as_u64().and_then(|number| usize::try_from(number).ok());
                let number = number.ok_or_else(|| format!("{value} is not a number of branches"))?;
                Ok(Completes::Number(State::find(definition, &names)?, number))
            }
            Value::Array(list) => {
                let these = names_of(list)?;
                names.extend(these.iter().map(String::as_str));
                Ok(Completes::These(State::find(definition, &names)?, these.clone()))
            }
            Value::String(text) => match text.as_str() {
                "all" | "and" | "both" | "last" => Ok(Completes::All(State::find(definition, &names)?)),
                "first" | "any" | "xor" => Ok(Completes::First(State::find(definition, &names)?)),
                text => match duration(value) {
                    Ok(seconds) => Ok(Completes::After(State::find(definition, &names).ok(), seconds)),
                    Err(_) => {
                        names.push(text);
                        Ok(Completes::With(State::find(definition, &names)?, text.to_owned()))
                    }
                },
            },
            other => Err(format!("{other} says of nothing when it completes")),
        }
    }

    /// Compares the time at which a state was left with the times at which its branches completed.
    pub fn compare(&self, observed: &Observed) -> Result<(), Mismatch> {
        let left_with = |state: &State, expected: Option<f64>, what: &str| {
            let (_, left) = state.interval(observed)?;
            match expected {
                Some(expected) if same_seconds(expected, left) => Ok(()),
                _ => Err(Mismatch::new(
                    format!("`{}` to be left with {what}, after {expected:?} s", state.name),
                    format!("it is left after {left} s"),
                )),
            }
        };
        match self {
            Completes::All(state) => {
                let completed = state.completed(observed);
                let all = completed.len() == state.branches.len();
                left_with(state, completed.last().filter(|_| all).map(|(_, end)| *end), "the last of all branches")
            }
            Completes::First(state) => {
                left_with(state, state.completed(observed).first().map(|(_, end)| *end), "the first branch")
            }
            Completes::With(state, name) => {
                left_with(state, state.seen(observed, name)?.end, &format!("the branch `{name}`"))
            }
            Completes::Number(state, expected) => {
                let completed = state.completed(observed);
                match completed.len() == *expected {
                    true => Ok(()),
                    false => Err(Mismatch::new(format!("{expected} branches complete"), json!(completed).to_string())),
                }
            }
            Completes::These(state, names) => {
                let completed = state.completed(observed);
                let expected: Vec<_> = names.iter().map(|name| state.index(name)).collect();
                let actual: Vec<_> = completed.iter().map(|(name, _)| state.index(name)).collect();
                match expected == actual {
                    true => Ok(()),
                    false => Err(Mismatch::new(format!("{names:?} complete"), json!(completed).to_string())),
                }
            }
            Completes::After(state, expected) => {
                let actual = match state {
                    Some(state) => state.interval(observed).map(|(entered, left)| Some(left - entered))?,
                    None => observed.elapsed,
                };
                match actual.is_some_and(|actual| same_seconds(*expected, actual)) {
                    true => Ok(()),
                    false => Err(Mismatch::new(format!("complete after {expected} s"), format!("{actual:?} s"))),
                }
            }
            Completes::Execution(expected) => {
                let actual = observed.has_output();
                match actual == *expected {
                    true => Ok(()),
                    false => Err(Mismatch::new(format!("completes: {expected}"), format!("{:?}", observed.result))),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definition() -> Value {
        let branch = |name: &str, state: &str| json!({ "name": name, "states": [{ "name": state }] });
        json!({ "states": [
            { "name": "One", "branches": [branch("Other", "Rest")] },
            { "name": "Both", "branches": [branch("Short", "Nap"), branch("Long", "Sleep")] },
        ] })
    }

    /// A run in which `Short` takes 15 seconds, `Long` is cancelled or takes two minutes, and
    /// `Both` is entered after 5.
    fn observed(is_cancelled: bool) -> Observed {
        let event = |kind: &str, state: &str, path: Value, at: f64| json!({ "kind": kind, "state": state, "path": path, "at": at });
        let (short, long) = (json!([["Both", 0]]), json!([["Both", 1]]));
        let left = if is_cancelled { 20.0 } else { 125.0 };
        let mut events = vec![
            event("StateEntered", "Both", json!([]), 5.0),
            event("StateEntered", "Nap", short.clone(), 5.0),
            event("StateEntered", "Sleep", long.clone(), 5.0),
            event("StateExited", "Nap", short, 20.0),
        ];
        if !is_cancelled {
            events.push(event("StateExited", "Sleep", long, 125.0));
        }
        events.push(event("StateExited", "Both", json!([]), left));
        let line = json!({ "result": { "output": {} }, "calls": [], "events": events, "elapsed": left });
        Observed::read(&line).expect("a line")
    }

    #[test]
    fn branches_take_their_times() {
        for (value, completed, cancelled) in [
            (json!({ "Short": "PT15S", "Long": "PT2M" }), true, true),
            (json!({ "Nap": 15, "Sleep": 120 }), true, true),
            (json!([["Short", "PT15S"]]), true, true),
            (json!([{ "name": "Long", "duration": "PT2M" }]), true, true),
            (json!([{ "name": "Long", "virtual_time": "PT3M" }]), false, true),
            (json!({ "Short": "PT16S" }), false, false),
            // It was cancelled after 15 seconds.
            (json!({ "Long": "PT15S" }), false, false),
        ] {
            let branches = Branches::read(&value, &definition()).unwrap_or_else(|problem| panic!("{value}: {problem}"));
            assert_eq!(branches.compare(&observed(false)).is_ok(), completed, "{value}");
            assert_eq!(branches.compare(&observed(true)).is_ok(), cancelled, "{value}");
        }
        for value in
            [json!({ "Short": "soon" }), json!([{ "name": "Short" }]), json!("Short"), json!({}), json!([["Short"]])]
        {
            assert!(Branches::read(&value, &definition()).is_err(), "{value}");
        }
        // A branch that never began.
        let other = Branches::read(&json!({ "Other": 0 }), &definition()).expect("branches");
        assert!(other.compare(&observed(false)).is_err());
    }

    #[test]
    fn a_state_is_left_when_its_branches_complete() {
        let names = json!({ "Short": 1, "Long": 1 });
        for (value, completed, cancelled) in [
            (json!("PT2M"), true, false),
            (json!("PT15S"), false, true),
            (json!("all"), true, false),
            (json!("first"), false, true),
            (json!("Long"), true, false),
            (json!("Nap"), false, true),
            (json!(2), true, false),
            (json!(1), false, true),
            (json!(["Short", "Long"]), true, false),
            (json!(["Long", "Short"]), false, false),
            (json!(["Short"]), false, true),
            (json!(true), true, true),
            (json!(false), false, false),
        ] {
            let completes = Completes::read(&value, Some(&names), &definition()).expect("a form that is known");
            assert_eq!(completes.compare(&observed(false)).is_ok(), completed, "{value}");
            assert_eq!(completes.compare(&observed(true)).is_ok(), cancelled, "{value}");
        }
        for value in [json!("someday"), json!({ "a": 1 }), json!([1]), json!(-1)] {
            assert!(Completes::read(&value, Some(&names), &definition()).is_err(), "{value}");
        }
        let alone = Completes::read(&json!("PT2M"), None, &json!({})).expect("a duration");
        assert!(alone.compare(&observed(false)).is_err());
        let alone = Completes::read(&json!("PT20S"), None, &json!({})).expect("a duration");
        assert_eq!(alone.compare(&observed(true)), Ok(()));
    }
}
