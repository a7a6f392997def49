//! Faults: how a task, a state or an execution fails, and which names a retrier or catcher matches it by.

use std::fmt;

use crate::value::text::shortened_text;
use crate::value::{EXCERPT, Str, TooLarge, Value, object};

/// Names that the runtime itself gives faults.
pub mod names {
    /// Matches every fault that can be caught.
    pub const ALL: &str = "States.ALL";
    /// A task failed and named no error of its own; in a matcher, every fault of a task but a timeout.
    pub const TASK_FAILED: &str = "States.TaskFailed";
    /// A task or an execution took too long.
    pub const TIMEOUT: &str = "States.Timeout";
    /// A task gave no sign of life for too long.
    pub const HEARTBEAT_TIMEOUT: &str = "States.HeartbeatTimeout";
    /// The execution cannot go on as its definition says.
    pub const RUNTIME: &str = "States.Runtime";
    /// An expression of a query language failed: what it was given is not what it is for, or it raised an error.
    pub const QUERY_EVALUATION_ERROR: &str = "States.QueryEvaluationError";
    /// A result or an output is larger than the execution's limit.
    pub const DATA_LIMIT_EXCEEDED: &str = "States.DataLimitExceeded";
    /// An execution entered too many states, or computed for too long, without waiting. No handler catches it.
    pub const TURN_LIMIT_EXCEEDED: &str = "Workflow.TurnLimitExceeded";
    /// More items of a Map failed than it tolerates.
    pub const EXCEED_TOLERATED_FAILURE_THRESHOLD: &str = "States.ExceedToleratedFailureThreshold";
    /// What an execution is told whose child has ended the whole run. No definition sees this: nothing of it runs any more.
    pub const TERMINATED: &str = "Execution.Terminated";
    /// The execution was ended from outside. No definition sees this: nothing of it runs any more.
    pub const CANCELLED: &str = "Execution.Cancelled";
    /// A value does not fit a JSON Schema of the definition.
    pub const SCHEMA_VIOLATION: &str = "Schema.Violation";
    /// An execution was to be started of a workflow that the program does not have.
    pub const UNKNOWN_WORKFLOW: &str = "Workflow.Unknown";
    /// An execution was to be started outside of the interval in which its workflow can be.
    pub const INACTIVE: &str = "Workflow.Inactive";
}

/// Why a task, a state or an execution failed: an error's name, and a cause.
///
/// A task fails with [`Fault::new`], where the name is what the definition's retriers and catchers look at. Both parts can
/// be absent. Two faults are equal if their names and causes are.
#[derive(Clone)]
pub struct Fault(Box<Parts>);

#[derive(Clone)]
struct Parts {
    error: Option<Str>,
    cause: Option<Value>,
    origin: Origin,
    uncatchable: bool,
    /// What it has come through, the innermost first. Not saved: a fault is on its way for one turn only.
    places: Vec<Place>,
}

/// What a fault has come through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// The task of this key, whose outcome it is.
    Task(&'static str),
    /// A frame, in this state.
    State(&'static str),
}

/// Where a fault comes from. Saved by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Raised by the definition, or made by a program.
    Raised = 0,
    /// The outcome of a task.
    Task = 1,
    /// An expression or a field of a state could not be evaluated; the text does not say yet where.
    Evaluation = 2,
    /// No fault: a state of an execution has ended the whole run, and with it the one that waits for this one.
    Termination = 3,
}

impl Fault {
    /// A fault with a name and a cause.
    pub fn new(error: impl Into<Str>, cause: impl Into<Value>) -> Fault {
        Fault::build(Some(error.into()), Some(cause.into()), Origin::Raised)
    }

    /// A fault of which either part may be absent. An error that is not a string is named by its JSON text, or the first
    /// 32 KiB of that.
    pub fn from_parts(error: Option<Value>, cause: Option<Value>) -> Fault {
        let error = error.map(|error| match error {
            Value::String(name) => name,
            other => other.excerpt(EXCERPT).into(),
        });
        Fault::build(error, cause, Origin::Raised)
    }

    /// `States.TaskFailed`, caused by an error of the program; the errors beneath it are told too.
    pub fn from_error(error: &(dyn std::error::Error + 'static)) -> Fault {
        let mut cause = error.to_string();
        let mut source = error.source();
        while let Some(error) = source {
            cause.push_str(": ");
            cause.push_str(&error.to_string());
            source = error.source();
        }
        Fault::named(names::TASK_FAILED, cause)
    }

    /// The fault of an execution that ends with an error object `{"error": error}`, as OpenWhisk Composer has them: a string
    /// is the fault's name, anything else its cause.
    pub fn from_error_object(error: Value) -> Fault {
        match error {
            // Whatever its name: a handler is given it.
            Value::String(name) => Fault::restored(Some(name), None, Origin::Raised, false),
            other => Fault::build(None, Some(other), Origin::Raised),
        }
    }

    /// The error of the error object that stands for this fault in a composition: the inverse of
    /// [`Fault::from_error_object`]. A name and a cause become one text, `name: cause`; of `States.TaskFailed` the cause
    /// says it all.
    pub fn to_error(&self) -> Value {
        match (self.error(), self.cause()) {
            (None, cause) => cause.cloned().unwrap_or_default(),
            (Some(names::TASK_FAILED), Some(cause)) => cause.clone(),
            (Some(_), None | Some(Value::Null)) => self.name().cloned().map_or(Value::Null, Value::String),
            (Some(name), Some(Value::String(cause))) => format!("{name}: {cause}").into(),
            (Some(name), Some(cause)) => format!("{name}: {}", cause.excerpt(EXCERPT)).into(),
        }
    }

    /// A fault of an expression or a field: the state that it belongs to is put before the cause when it leaves the state.
    /// Of a text that is longer than 32 KiB the cause is the beginning.
    pub fn evaluation(error: &'static str, cause: impl Into<Value>) -> Fault {
        let cause = match cause.into() {
            Value::String(text) => Value::String(shortened_text(text)),
            other => other,
        };
        Fault::build(Some(Str::from_static(error)), Some(cause), Origin::Evaluation)
    }

    /// [`Fault::evaluation`] with the name `States.Runtime`, which cannot be caught.
    pub fn runtime(cause: impl Into<Value>) -> Fault {
        Fault::evaluation(names::RUNTIME, cause)
    }

    /// `States.DataLimitExceeded`: something has a text that is longer than its limit.
    pub fn too_large(what: impl fmt::Display, error: TooLarge) -> Fault {
        let cause = format!("{what} has a size exceeding the maximum of {} bytes as JSON.", error.limit);
        Fault::named(names::DATA_LIMIT_EXCEEDED, cause)
    }

    /// `States.Timeout`, without a cause.
    pub fn timeout() -> Fault {
        Fault::build(Some(Str::from_static(names::TIMEOUT)), None, Origin::Raised)
    }

    /// `States.HeartbeatTimeout`, without a cause.
    pub fn heartbeat_timeout() -> Fault {
        Fault::build(Some(Str::from_static(names::HEARTBEAT_TIMEOUT)), None, Origin::Raised)
    }

    /// What an execution is told in place of a fault whose child has ended the whole run with this output: it ends so, too.
    /// Nothing handles it. As what a task fails with it is a fault as any other.
    pub fn terminated(output: Value) -> Fault {
        Fault::restored(Some(Str::from_static(names::TERMINATED)), Some(output), Origin::Termination, true)
    }

    /// Whether it tells that the whole run was ended, as [`Fault::terminated`] does.
    pub fn is_termination(&self) -> bool {
        self.0.origin == Origin::Termination
    }

    /// The output that the run was ended with.
    pub fn terminated_with(self) -> Value {
        self.0.cause.unwrap_or_default()
    }

    /// A fault that the runtime itself raises.
    pub(crate) fn named(error: &'static str, cause: impl Into<Value>) -> Fault {
        Fault::build(Some(Str::from_static(error)), Some(cause.into()), Origin::Raised)
    }

    /// A fault as it was saved.
    pub(crate) fn restored(error: Option<Str>, cause: Option<Value>, origin: Origin, uncatchable: bool) -> Fault {
        Fault(Box::new(Parts { error, cause, origin, uncatchable, places: Vec::new() }))
    }

    /// The fault with another cause.
    pub(crate) fn with_cause(mut self, cause: impl Into<Value>) -> Fault {
        self.0.cause = Some(cause.into());
        self
    }

    fn build(error: Option<Str>, cause: Option<Value>, origin: Origin) -> Fault {
        let uncatchable =
            matches!(error.as_deref(), Some(names::RUNTIME | names::DATA_LIMIT_EXCEEDED | names::TURN_LIMIT_EXCEEDED));
        Fault::restored(error, cause, origin, uncatchable)
    }

    /// The error's name.
    pub fn error(&self) -> Option<&str> {
        self.0.error.as_deref()
    }

    /// The error's name, as it is kept.
    pub(crate) fn name(&self) -> Option<&Str> {
        self.0.error.as_ref()
    }

    /// The cause.
    pub fn cause(&self) -> Option<&Value> {
        self.0.cause.as_ref()
    }

    /// What a catcher puts into the document: `{"Error": …, "Cause": …}`; a part that is absent is null.
    pub fn output(&self) -> Value {
        let error = self.0.error.clone().map_or(Value::Null, Value::String);
        object([("Error", error), ("Cause", self.0.cause.clone().unwrap_or(Value::Null))])
    }

    /// Whether a retrier or catcher with these names (`ErrorEquals`) is for this fault.
    ///
    /// * `States.ALL` matches every fault.
    /// * `States.TaskFailed` matches every fault of a task except `States.Timeout`.
    /// * `States.Timeout` matches `States.HeartbeatTimeout` too.
    /// * A fault that is [uncatchable](Fault::is_uncatchable) is matched by nothing.
    pub fn is(&self, names: &[&str]) -> bool {
        !self.0.uncatchable && names.iter().any(|name| self.matches(name))
    }

    fn matches(&self, name: &str) -> bool {
        let error = self.error();
        error == Some(name)
            || match name {
                names::ALL => true,
                names::TASK_FAILED => self.0.origin == Origin::Task && error != Some(names::TIMEOUT),
                names::TIMEOUT => error == Some(names::HEARTBEAT_TIMEOUT),
                _ => false,
            }
    }

    /// Whether no retrier and no catcher handles it, whatever names they list.
    pub fn is_uncatchable(&self) -> bool {
        self.0.uncatchable
    }

    /// Returns `true` for the fault of a turn that has used up its budget.
    pub(crate) fn is_turn_limit(&self) -> bool {
        self.0.uncatchable && self.error() == Some(names::TURN_LIMIT_EXCEEDED)
    }

    /// The same fault, which no retrier and no catcher handles.
    pub fn uncatchable(mut self) -> Fault {
        self.0.uncatchable = true;
        self
    }

    pub(crate) fn origin(&self) -> Origin {
        self.0.origin
    }

    /// The same fault as the outcome of a task.
    pub(crate) fn of_task(mut self) -> Fault {
        self.0.uncatchable &= !self.is_termination();
        self.0.origin = Origin::Task;
        self
    }

    /// The same fault of another execution, to the one that waits for that: nobody in the other one had a say about its output, and
    /// this one has.
    pub(crate) fn of_another(mut self) -> Fault {
        self.0.uncatchable &= self.error() != Some(names::SCHEMA_VIOLATION);
        self
    }

    /// What it has come through, the innermost first.
    pub(crate) fn places(&self) -> &[Place] {
        &self.0.places
    }

    /// The same fault, which has come through this. What was in no state has come through none.
    pub(crate) fn through(mut self, place: Place) -> Fault {
        let is_known = matches!(place, Place::State("")) || self.0.places.last() == Some(&place);
        if !is_known {
            self.0.places.push(place);
        }
        self
    }

    /// An evaluation fault with the state put before its cause; any other as it is, and any before the first state.
    pub(crate) fn located(mut self, state: &str, visit: u64) -> Fault {
        if self.0.origin == Origin::Evaluation && !state.is_empty() {
            let place =
                format!("An error occurred while executing the state '{state}' (entered at the event id #{visit}).");
            self.0.cause = Some(match self.0.cause.take() {
                None => place.into(),
                Some(Value::String(cause)) => format!("{place} {cause}").into(),
                Some(cause) => format!("{place} {}", cause.excerpt(EXCERPT)).into(),
            });
            self.0.origin = Origin::Raised;
        }
        self
    }
}

impl PartialEq for Fault {
    fn eq(&self, other: &Fault) -> bool {
        self.0.error == other.0.error && self.0.cause == other.0.cause
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.error().unwrap_or("unnamed error"))?;
        match self.cause() {
            None => Ok(()),
            Some(Value::String(cause)) => write!(f, ": {cause}"),
            Some(cause) => write!(f, ": {}", cause.excerpt(EXCERPT)),
        }
    }
}

impl fmt::Debug for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cause = self.cause().map(|cause| cause.excerpt(EXCERPT));
        f.debug_struct("Fault").field("error", &self.0.error).field("cause", &cause).finish_non_exhaustive()
    }
}

impl std::error::Error for Fault {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matching_follows_the_rules_for_wildcards() {
        let task = |name: &'static str| Fault::named(name, "").of_task();
        let raised = |name: &'static str| Fault::named(name, "");
        let cases = [
            (task("Declined"), "Declined", true),
            (task("Declined"), "Other", false),
            (task("Declined"), "States.ALL", true),
            (task("Declined"), "States.TaskFailed", true),
            (task("States.Timeout"), "States.TaskFailed", false),
            (task("States.HeartbeatTimeout"), "States.TaskFailed", true),
            (task("States.HeartbeatTimeout"), "States.Timeout", true),
            (task("States.Timeout"), "States.HeartbeatTimeout", false),
            (raised("Declined"), "States.TaskFailed", false),
            (raised("States.TaskFailed"), "States.TaskFailed", true),
            (raised("States.Runtime"), "States.ALL", false),
            (raised("States.Runtime"), "States.Runtime", false),
            (raised("States.DataLimitExceeded"), "States.ALL", false),
            (raised("States.DataLimitExceeded"), "States.DataLimitExceeded", false),
            (raised("States.DataLimitExceeded").of_task(), "States.TaskFailed", false),
            (Fault::from_parts(None, None), "States.ALL", true),
            (Fault::from_parts(None, None), "States.Timeout", false),
        ];
        for (fault, name, expected) in cases {
            assert_eq!(fault.is(&["Unrelated", name]), expected, "{fault} by {name}");
        }
    }

    #[test]
    fn an_evaluation_fault_is_located_once() {
        let fault = Fault::evaluation("States.Runtime", "no such path").located("Charge", 4);
        let text = "An error occurred while executing the state 'Charge' (entered at the event id #4). no such path";
        assert_eq!(fault.cause(), Some(&Value::from(text)));
        assert_eq!(fault.clone().located("Outer", 5), fault);
        let early = Fault::runtime("a setting is missing");
        assert_eq!(early.clone().located("", 0), early);
        let declined = Fault::new("Declined", "by the bank");
        assert_eq!(declined.clone().located("Charge", 4), declined);
    }

    #[test]
    fn absent_parts_are_null_in_the_output() {
        assert_eq!(Fault::from_parts(None, None).output().to_string(), r#"{"Error":null,"Cause":null}"#);
        assert_eq!(Fault::new("E", "c").output().to_string(), r#"{"Error":"E","Cause":"c"}"#);
    }
}
