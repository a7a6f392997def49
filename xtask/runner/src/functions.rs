//! Functions that a case defines in jq: `{result?, error?, delay?, emit?}`.
//!
//! `result` and `error` are jq over the arguments, in which `$n` says how many times the function was called. An `error` that
//! is not null is the message of its fault. `delay` is how many seconds it takes; `emit` are events, which are published when
//! it is called.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use workflow_runtime::__private::jq::engine::Program;
use workflow_runtime::machine::Outcome;
use workflow_runtime::{CloudEvent, Fault, FunctionLimits, Hub, Value};

/// The name of the faults of functions.
const ERROR: &str = "System.Exception";

/// Functions by their names.
pub type Functions = BTreeMap<String, Arc<Function>>;

/// A function of a case.
pub struct Function {
    result: Option<Program>,
    error: Option<Program>,
    delay: Duration,
    emits: Vec<CloudEvent>,
}

/// A function in a run.
pub struct Calls {
    function: Arc<Function>,
    count: AtomicI64,
}

impl Function {
    /// Reads a function.
    pub fn read(function: &Value) -> Result<Function, String> {
        let members = function.as_object().ok_or("a function is an object")?;
        if let Some((name, _)) =
            members.iter().find(|(name, _)| !["result", "error", "delay", "emit"].contains(&&***name))
        {
            return Err(format!("a function has no member `{name}`"));
        }
        let program = |name: &str| match members.get(name) {
            None => Ok(None),
            // The cases are read once.
            Some(Value::String(text)) => Ok(Some(Program::new(String::leak(text.to_string()), &["$n"]))),
            Some(other) => Err(format!("`{name}` is jq, and not {other}")),
        };
        Ok(Function {
            result: program("result")?,
            error: program("error")?,
            delay: members.get("delay").map_or(Ok(Duration::ZERO), read_seconds)?,
            emits: members.get("emit").map_or(Ok(Vec::new()), read_events)?,
        })
    }

    /// What a call yields, the one of this number.
    fn outcome(&self, number: i64, arguments: &Value) -> Outcome {
        let error = self.error.as_ref().map_or(Ok(Value::Null), |error| evaluate(error, number, arguments))?;
        match error {
            Value::Null => self.result.as_ref().map_or(Ok(Value::Null), |result| evaluate(result, number, arguments)),
            message => Err(Fault::new(ERROR, message)),
        }
    }
}

impl Calls {
    /// It was not called yet.
    pub fn of(function: &Arc<Function>) -> Calls {
        Calls { function: function.clone(), count: AtomicI64::new(0) }
    }

    /// Calls it: how long it takes, and what it yields then.
    pub fn call(&self, arguments: &Value, hub: &Hub) -> (Duration, Outcome) {
        let number = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        for event in &self.function.emits {
            hub.publish(event.clone());
        }
        (self.function.delay, self.function.outcome(number, arguments))
    }
}

/// Its one output, or else all of them as an array.
fn evaluate(program: &Program, number: i64, arguments: &Value) -> Outcome {
    let outputs = program.outputs(FunctionLimits::default(), 0.0, arguments, &[Value::Int(number)]);
    let mut outputs = outputs.map_err(|error| Fault::runtime(format!("the function of the case: {error}")))?;
    match outputs.len() {
        1 => Ok(outputs.remove(0)),
        _ => Ok(outputs.into()),
    }
}

/// A number of seconds.
pub fn read_seconds(seconds: &Value) -> Result<Duration, String> {
    let read = seconds.as_f64().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    read.ok_or_else(|| format!("{seconds} is no number of seconds"))
}

/// Events in the JSON format of CloudEvents.
pub fn read_events(events: &Value) -> Result<Vec<CloudEvent>, String> {
    let events = events.as_array().ok_or_else(|| format!("{events} is no list of events"))?;
    events.iter().map(|event| CloudEvent::from_value(event).map_err(|error| error.to_string())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use workflow_runtime::value;

    #[test]
    fn functions_count_their_calls() {
        let function =
            value!({"error": "if $n < 2 then \"early\" else null end", "result": "{n: $n, a: .a}", "delay": 1.5});
        let function = Function::read(&function).unwrap_or_else(|message| panic!("{message}"));
        let (calls, hub) = (Calls::of(&Arc::new(function)), Hub::new());
        let call = || calls.call(&value!({"a": 7}), &hub);
        assert_eq!(call(), (Duration::from_millis(1500), Err(Fault::new(ERROR, "early"))));
        assert_eq!(call().1, Ok(value!({"n": 2, "a": 7})));
    }

    #[test]
    fn what_is_no_function_is_refused() {
        for (function, message) in [
            (value!({"results": "1"}), "`results`"),
            (value!({"result": 1}), "`result` is jq"),
            (value!({"delay": -1}), "-1 is no number"),
            (value!({"emit": [{"id": "1"}]}), "`specversion`"),
        ] {
            let refused = Function::read(&function).err().unwrap_or_default();
            assert!(refused.contains(message), "{function}: {refused}");
        }
    }
}
