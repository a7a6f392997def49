//! Functions that a case defines: `{result?, error?, throws?, answers?, delay?, emit?}`.
//!
//! `result` and `error` are jq over the arguments, in which `$n` counts the calls. An `error` that
//! is not null is the message of the fault. `throws` is the fault of every call: `{name,
//! message?}`. `answers` is a list of `{result?, error?, throws?}`, one for each call. A call
//! beyond the list fails the execution. `delay` is the number of seconds that a call takes. `emit`
//! is a list of events, which each call publishes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use workflow_runtime::__private::jq::engine::JqProgram;
use workflow_runtime::machine::Outcome;
use workflow_runtime::{CloudEvent, Fault, FunctionLimits, Hub, Object, Value};

/// The name of the faults of functions.
const ERROR: &str = "System.Exception";

/// Functions by their names.
pub type Functions = BTreeMap<String, Arc<Function>>;

/// A function of a case.
pub struct Function {
    answers: Answers,
    delay: Duration,
    emits: Vec<CloudEvent>,
}

/// The answers of a function.
enum Answers {
    /// The same answer for every call.
    Every(Answer),
    /// One answer for each call, in order.
    Each(Vec<Answer>),
}

/// The answer to a call.
enum Answer {
    Computed { result: Option<JqProgram>, error: Option<JqProgram> },
    Thrown(Fault),
}

/// The calls of a function in a run.
pub struct Calls {
    function: Arc<Function>,
    count: AtomicI64,
}

impl Function {
    /// Reads a function.
    pub fn read(function: &Value) -> Result<Function, String> {
        let members = function.as_object().ok_or("a function must be an object")?;
        check_members(members, &["result", "error", "throws", "answers", "delay", "emit"])?;
        let answers = match members.get("answers") {
            None => Answers::Every(Answer::read(members)?),
            Some(_) if ["result", "error", "throws"].iter().any(|name| members.contains_key(name)) => {
                return Err("a function cannot have both `answers` and an answer".to_owned());
            }
            Some(answers) => {
                let answers = answers.as_array().ok_or_else(|| format!("{answers} is not a list of answers"))?;
                Answers::Each(answers.iter().map(read_answer).collect::<Result<_, _>>()?)
            }
        };
        Ok(Function {
            answers,
            delay: members.get("delay").map_or(Ok(Duration::ZERO), read_seconds)?,
            emits: members.get("emit").map_or(Ok(Vec::new()), read_events)?,
        })
    }

    /// Returns the outcome of the call of this number, from 1.
    fn outcome(&self, number: i64, arguments: &Value) -> Outcome {
        match &self.answers {
            Answers::Every(answer) => answer.outcome(number, arguments),
            Answers::Each(answers) => {
                let answer = usize::try_from(number - 1).ok().and_then(|at| answers.get(at));
                let none = || Fault::runtime(format!("the case has no answer for call {number} of the function"));
                answer.ok_or_else(none)?.outcome(number, arguments)
            }
        }
    }
}

impl Answer {
    /// Reads the members `result`, `error` and `throws`.
    fn read(members: &Object) -> Result<Answer, String> {
        let program = |name: &str| match members.get(name) {
            None => Ok(None),
            // A process reads its cases once, so that leaked programs are few.
            Some(Value::String(text)) => Ok(Some(JqProgram::new(String::leak(text.to_string()), &["$n"]))),
            Some(other) => Err(format!("`{name}` must be jq, found {other}")),
        };
        match (members.get("throws"), program("result")?, program("error")?) {
            (None, result, error) => Ok(Answer::Computed { result, error }),
            (Some(fault), None, None) => Ok(Answer::Thrown(read_fault(fault)?)),
            (Some(_), ..) => Err("an answer cannot have both `throws` and a result".to_owned()),
        }
    }

    fn outcome(&self, number: i64, arguments: &Value) -> Outcome {
        let (result, error) = match self {
            Answer::Thrown(fault) => return Err(fault.clone()),
            Answer::Computed { result, error } => (result, error),
        };
        let error = error.as_ref().map_or(Ok(Value::Null), |error| evaluate(error, number, arguments))?;
        match error {
            Value::Null => result.as_ref().map_or(Ok(Value::Null), |result| evaluate(result, number, arguments)),
            message => Err(Fault::new(ERROR, message)),
        }
    }
}

fn read_answer(answer: &Value) -> Result<Answer, String> {
    let members = answer.as_object().ok_or_else(|| format!("{answer} is not an answer"))?;
    check_members(members, &["result", "error", "throws"])?;
    Answer::read(members)
}

/// Reads `{name, message?}`.
fn read_fault(fault: &Value) -> Result<Fault, String> {
    let members = fault.as_object().ok_or_else(|| format!("{fault} is not a fault"))?;
    check_members(members, &["name", "message"])?;
    match members.get("name") {
        Some(name @ Value::String(_)) => Ok(Fault::from_parts(Some(name.clone()), members.get("message").cloned())),
        _ => Err(format!("the fault {fault} has no `name`")),
    }
}

fn check_members(members: &Object, known: &[&str]) -> Result<(), String> {
    match members.iter().find(|(name, _)| !known.contains(&&***name)) {
        Some((name, _)) => Err(format!("unknown member `{name}` of a function")),
        None => Ok(()),
    }
}

impl Calls {
    /// Returns the calls of a function that nothing has called yet.
    pub fn of(function: &Arc<Function>) -> Calls {
        Calls { function: function.clone(), count: AtomicI64::new(0) }
    }

    /// Calls the function. Returns the duration of the call, and its outcome.
    pub fn call(&self, arguments: &Value, hub: &Hub) -> (Duration, Outcome) {
        let number = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        for event in &self.function.emits {
            let mut event = event.clone();
            // A hub delivers an event once, and each call publishes another event.
            if number > 1 {
                event.id = format!("{}.{number}", event.id).into();
            }
            hub.publish(event);
        }
        (self.function.delay, self.function.outcome(number, arguments))
    }
}

/// Returns the only output of the program, or else all outputs as an array.
fn evaluate(program: &JqProgram, number: i64, arguments: &Value) -> Outcome {
    let outputs = program.outputs(FunctionLimits::default(), 0.0, arguments, &[Value::Int(number)]);
    let mut outputs = outputs.map_err(|error| Fault::runtime(format!("the function of the case: {error}")))?;
    match outputs.len() {
        1 => Ok(outputs.remove(0)),
        _ => Ok(outputs.into()),
    }
}

/// Reads a number of seconds.
pub fn read_seconds(seconds: &Value) -> Result<Duration, String> {
    let read = seconds.as_f64().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    read.ok_or_else(|| format!("{seconds} is not a number of seconds"))
}

/// Reads events in the JSON format of CloudEvents.
pub fn read_events(events: &Value) -> Result<Vec<CloudEvent>, String> {
    let events = events.as_array().ok_or_else(|| format!("{events} is not a list of events"))?;
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
    fn calls_take_one_answer_each_or_throw() {
        let answers = value!({"answers": [{"result": "[.a]"}, {"throws": {"name": "E", "message": "m"}}, {}]});
        let function = Function::read(&answers).unwrap_or_else(|message| panic!("{message}"));
        let (calls, hub) = (Calls::of(&Arc::new(function)), Hub::new());
        let call = || calls.call(&value!({"a": 7}), &hub).1;
        assert_eq!(call(), Ok(value!([7])));
        assert_eq!(call(), Err(Fault::new("E", "m")));
        assert_eq!(call(), Ok(Value::Null));
        assert!(call().is_err_and(|fault| fault.to_string().contains("no answer for call 4")));

        let throws = Function::read(&value!({"throws": {"name": "E"}})).unwrap_or_else(|message| panic!("{message}"));
        let expected = Fault::from_parts(Some("E".into()), None);
        assert_eq!(throws.outcome(1, &Value::Null), Err(expected.clone()));
        assert_eq!(throws.outcome(9, &Value::Null), Err(expected));
    }

    #[test]
    fn what_is_no_function_is_refused() {
        for (function, message) in [
            (value!({"results": "1"}), "`results`"),
            (value!({"result": 1}), "`result` must be jq"),
            (value!({"delay": -1}), "-1 is not a number"),
            (value!({"emit": [{"id": "1"}]}), "`specversion`"),
            (value!({"answers": [{"delay": 1}]}), "`delay`"),
            (value!({"answers": {}}), "not a list"),
            (value!({"answers": [], "result": "1"}), "cannot have both"),
            (value!({"throws": {"name": "E"}, "result": "1"}), "cannot have both"),
            (value!({"throws": {"message": "m"}}), "no `name`"),
            (value!({"throws": {"name": "E", "after": 1}}), "`after`"),
        ] {
            let refused = Function::read(&function).err().unwrap_or_default();
            assert!(refused.contains(message), "{function}: {refused}");
        }
    }
}
