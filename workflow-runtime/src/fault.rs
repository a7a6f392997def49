//! Faults: the failure of a task, a state or an execution as data, with the name that retriers and
//! catchers match it by.

use std::error::Error;
use std::fmt;

use crate::value::text::shortened_text;
use crate::value::{EXCERPT, Str, TooLarge, Value, object};

#[doc(hidden)]
pub use workflow_model::ErrorMatch;

/// Maximum number of sources of an error that the cause of a fault lists.
const MAX_SOURCES: usize = 32;

/// Error names that the runtime itself uses.
pub mod names {
    /// Matches every fault that can be caught.
    pub const ALL: &str = "States.ALL";
    /// A task failed without an error name of its own. In a matcher: every fault of a task but a
    /// timeout.
    pub const TASK_FAILED: &str = "States.TaskFailed";
    /// A task or an execution timed out, or a task sent no heartbeat for too long.
    pub const TIMEOUT: &str = "States.Timeout";
    /// In a matcher: a task sent no heartbeat for too long. The fault itself has the name
    /// [`TIMEOUT`] ([A3](docs/amazon-states-language.md#a3)).
    pub const HEARTBEAT_TIMEOUT: &str = "States.HeartbeatTimeout";
    /// The execution cannot continue as its definition demands.
    pub const RUNTIME: &str = "States.Runtime";
    /// An expression of a query language failed: a value had the wrong type, or the expression
    /// raised an error.
    pub const QUERY_EVALUATION_ERROR: &str = "States.QueryEvaluationError";
    /// A result or an output exceeds the execution's limit.
    pub const DATA_LIMIT_EXCEEDED: &str = "States.DataLimitExceeded";
    /// An execution entered too many states, or computed for too long, without waiting. No handler
    /// catches it.
    pub const TURN_LIMIT_EXCEEDED: &str = "Workflow.TurnLimitExceeded";
    /// More items of a Map failed than it tolerates.
    pub const EXCEED_TOLERATED_FAILURE_THRESHOLD: &str = "States.ExceedToleratedFailureThreshold";
    /// The items of a distributed Map cannot be read.
    pub const ITEM_READER_FAILED: &str = "States.ItemReaderFailed";
    /// The results of a distributed Map cannot be written.
    pub const RESULT_WRITER_FAILED: &str = "States.ResultWriterFailed";
    /// A child execution terminated, which terminates its parent. Definitions never see it,
    /// because their states no longer run.
    pub const TERMINATED: &str = "Execution.Terminated";
    /// The execution was ended from outside. Definitions never see it, because their states no
    /// longer run.
    pub const CANCELLED: &str = "Execution.Cancelled";
    /// A value does not match a JSON Schema of the definition.
    pub const SCHEMA_VIOLATION: &str = "Schema.Violation";
    /// A task waits for an outcome by token, and the execution has no source of such outcomes.
    pub const NO_CALLBACKS: &str = "Workflow.NoCallbacks";
    /// The workflow of a child execution is not part of the program.
    pub const UNKNOWN_WORKFLOW: &str = "Workflow.Unknown";
    /// The start of an execution outside of its workflow's schedule.
    pub const INACTIVE: &str = "Workflow.Inactive";
}

/// The failure of a task, a state or an execution: an error name, and a cause.
///
/// A task fails with [`Fault::new`]. The retriers and catchers of the definition match the name.
/// Name and cause are both optional. Two faults are equal if their names and causes are.
///
/// ```
/// use workflow_runtime::Fault;
///
/// let fault = Fault::new("CardDeclined", "there is no money on the card");
/// assert!(fault.is(&["CardExpired", "CardDeclined"]) && fault.is(&["States.ALL"]));
/// assert_eq!(fault.to_string(), "CardDeclined: there is no money on the card");
/// ```
#[derive(Clone)]
pub struct Fault(Box<Inner>);

#[derive(Clone)]
struct Inner {
    error: Option<Str>,
    cause: Option<Value>,
    origin: Origin,
    uncatchable: bool,
    /// The trace of the fault, innermost entry first. Not saved: a fault propagates within one
    /// turn.
    trace: Vec<TraceEntry>,
}

/// An entry of the trace: a task or a state that the fault has passed through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TraceEntry {
    /// The task of this key, whose outcome the fault is.
    Task(&'static str),
    /// A frame, in this state.
    State(&'static str),
}

/// The origin of a fault. Saved by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Raised by the definition, or created by a program.
    Raised = 0,
    /// The outcome of a task.
    Task = 1,
    /// An expression or a field of a state could not be evaluated. The cause does not name the
    /// state yet.
    Evaluation = 2,
    /// Not a failure: the child execution was terminated, which terminates its parent.
    Termination = 3,
    /// A task sent no heartbeat for too long.
    Silence = 4,
}

impl Fault {
    /// Creates a fault with a name and a cause.
    pub fn new(error: impl Into<Str>, cause: impl Into<Value>) -> Fault {
        Fault::build(Some(error.into()), Some(cause.into()), Origin::Raised)
    }

    /// Creates a fault from an optional name and an optional cause. An error that is not a string
    /// is named by its JSON text, cut at 32 KiB.
    pub fn from_parts(error: Option<Value>, cause: Option<Value>) -> Fault {
        let error = error.map(|error| match error {
            Value::String(name) => name,
            other => other.excerpt(EXCERPT).into(),
        });
        Fault::build(error, cause, Origin::Raised)
    }

    /// Creates a `States.TaskFailed` fault from an error of the program. The cause lists the error
    /// and its sources. [`OrFault`] does so in a task with `?`.
    pub fn from_error(error: &(dyn Error + 'static)) -> Fault {
        Fault::named(names::TASK_FAILED, with_sources(error))
    }

    /// Creates the fault of an execution that ends with an error object `{"error": error}` of
    /// OpenWhisk Composer. A string becomes the fault's name, anything else its cause.
    #[doc(hidden)]
    pub fn from_error_object(error: Value) -> Fault {
        match error {
            // Catchable whatever its name: compositions handle every error object.
            Value::String(name) => Fault::restored(Some(name), None, Origin::Raised, false),
            other => Fault::build(None, Some(other), Origin::Raised),
        }
    }

    /// Returns the error of the error object that represents this fault in a composition: the
    /// inverse of [`Fault::from_error_object`].
    ///
    /// A name and a cause become one text, `name: cause`. `States.TaskFailed` becomes its cause
    /// alone.
    pub fn to_error(&self) -> Value {
        match (self.error(), self.cause()) {
            (None, cause) => cause.cloned().unwrap_or_default(),
            (Some(names::TASK_FAILED), Some(cause)) => cause.clone(),
            (Some(_), None | Some(Value::Null)) => self.name().cloned().map_or(Value::Null, Value::String),
            (Some(name), Some(Value::String(cause))) => format!("{name}: {cause}").into(),
            (Some(name), Some(cause)) => format!("{name}: {}", cause.excerpt(EXCERPT)).into(),
        }
    }

    /// Creates a fault of an expression or a field. The cause gets the name of the state as a
    /// prefix when the fault leaves the state. A cause that is text is cut at 32 KiB.
    #[doc(hidden)]
    pub fn evaluation(error: &'static str, cause: impl Into<Value>) -> Fault {
        let cause = match cause.into() {
            Value::String(text) => Value::String(shortened_text(text)),
            other => other,
        };
        Fault::build(Some(Str::from_static(error)), Some(cause), Origin::Evaluation)
    }

    /// Creates an [evaluation fault](Fault::evaluation) with the name `States.Runtime`, which
    /// cannot be caught.
    pub fn runtime(cause: impl Into<Value>) -> Fault {
        Fault::evaluation(names::RUNTIME, cause)
    }

    /// Creates a `States.DataLimitExceeded` fault: the JSON text of `what` exceeds its limit.
    #[doc(hidden)]
    pub fn too_large(what: impl fmt::Display, error: TooLarge) -> Fault {
        let cause = format!("{what} has a size exceeding the maximum of {} bytes as JSON.", error.limit);
        Fault::named(names::DATA_LIMIT_EXCEEDED, cause)
    }

    /// Creates a `States.Timeout` fault without a cause.
    #[doc(hidden)]
    pub fn timeout() -> Fault {
        Fault::build(Some(Str::from_static(names::TIMEOUT)), None, Origin::Raised)
    }

    /// Creates the `States.Timeout` fault of a task that sent no heartbeat for too long. Handlers
    /// distinguish it from others by the name `States.HeartbeatTimeout`, which matches it
    /// ([A3](docs/amazon-states-language.md#a3)).
    #[doc(hidden)]
    pub fn heartbeat_timeout() -> Fault {
        Fault::build(Some(Str::from_static(names::TIMEOUT)), None, Origin::Silence)
    }

    /// Returns `true` for the fault of a task that sent no heartbeat for too long.
    pub fn is_heartbeat_timeout(&self) -> bool {
        self.0.origin == Origin::Silence
    }

    /// Creates the fault of a task whose outcome cannot arrive. No handler matches it: the program
    /// is wrong, and not the task.
    #[cfg(feature = "memory")]
    pub(crate) fn no_callbacks(key: &str, state: &str) -> Fault {
        let cause = format!(
            "the task `{key}` of the state `{state}` waits for an outcome by token, and the execution has no `Callbacks`: \
             set them with `Builder::callbacks`"
        );
        Fault::named(names::NO_CALLBACKS, cause).uncatchable()
    }

    /// Creates the outcome that a parent receives from a child execution that was terminated with
    /// this output. The parent terminates, too, and no handler sees the fault. A task that fails
    /// with it has an ordinary fault.
    #[doc(hidden)]
    pub fn terminated(output: Value) -> Fault {
        Fault::restored(Some(Str::from_static(names::TERMINATED)), Some(output), Origin::Termination, true)
    }

    /// Returns `true` for the outcome that [`Fault::terminated`] creates.
    #[doc(hidden)]
    pub fn is_termination(&self) -> bool {
        self.0.origin == Origin::Termination
    }

    /// Returns the output that the child execution was terminated with.
    #[doc(hidden)]
    pub fn into_termination_output(self) -> Value {
        self.0.cause.unwrap_or_default()
    }

    /// Creates a fault that the runtime itself raises.
    pub(crate) fn named(error: &'static str, cause: impl Into<Value>) -> Fault {
        Fault::build(Some(Str::from_static(error)), Some(cause.into()), Origin::Raised)
    }

    /// Restores a fault that was saved.
    pub(crate) fn restored(error: Option<Str>, cause: Option<Value>, origin: Origin, uncatchable: bool) -> Fault {
        Fault(Box::new(Inner { error, cause, origin, uncatchable, trace: Vec::new() }))
    }

    /// Returns the fault with another cause.
    pub(crate) fn with_cause(mut self, cause: impl Into<Value>) -> Fault {
        self.0.cause = Some(cause.into());
        self
    }

    fn build(error: Option<Str>, cause: Option<Value>, origin: Origin) -> Fault {
        let uncatchable =
            matches!(error.as_deref(), Some(names::RUNTIME | names::DATA_LIMIT_EXCEEDED | names::TURN_LIMIT_EXCEEDED));
        Fault::restored(error, cause, origin, uncatchable)
    }

    /// Returns the error name.
    pub fn error(&self) -> Option<&str> {
        self.0.error.as_deref()
    }

    /// Returns the error name as it is stored.
    pub(crate) fn name(&self) -> Option<&Str> {
        self.0.error.as_ref()
    }

    /// Returns the cause.
    pub fn cause(&self) -> Option<&Value> {
        self.0.cause.as_ref()
    }

    /// Returns the object that a catcher puts into the document, `{"Error": …, "Cause": …}`, with
    /// null for an absent part. Only a time-out without a cause has an empty text, as on AWS
    /// ([A3](docs/amazon-states-language.md#a3)).
    pub fn output(&self) -> Value {
        let error = self.0.error.clone().map_or(Value::Null, Value::String);
        let no_cause = || if self.error() == Some(names::TIMEOUT) { "".into() } else { Value::Null };
        object([("Error", error), ("Cause", self.0.cause.clone().unwrap_or_else(no_cause))])
    }

    /// Returns `true` if a retrier or catcher with these names (`ErrorEquals`) matches this fault.
    ///
    /// * `States.ALL` matches every fault.
    /// * `States.TaskFailed` matches every fault of a task except `States.Timeout`.
    /// * `States.Timeout` and `States.HeartbeatTimeout` both match a missed heartbeat.
    /// * An [uncatchable](Fault::is_uncatchable) fault is matched by nothing.
    pub fn is(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.matches(name))
    }

    fn matches(&self, name: &str) -> bool {
        match name {
            names::ALL => self.is_catchable(),
            names::TASK_FAILED => self.is_task_failure(),
            names::TIMEOUT => self.is_timeout(),
            names::HEARTBEAT_TIMEOUT => self.is_missed_heartbeat(),
            name => !self.0.uncatchable && self.error() == Some(name),
        }
    }

    /// Returns `true` if a handler of all errors catches the fault.
    #[doc(hidden)]
    pub fn is_catchable(&self) -> bool {
        !self.0.uncatchable
    }

    /// Returns `true` for a fault of a task that can be caught and is not a time-out.
    #[doc(hidden)]
    pub fn is_task_failure(&self) -> bool {
        let is_of_task = self.0.origin == Origin::Task && self.error() != Some(names::TIMEOUT);
        !self.0.uncatchable && (is_of_task || self.error() == Some(names::TASK_FAILED))
    }

    /// Returns `true` for a time-out or a missed heartbeat that can be caught.
    #[doc(hidden)]
    pub fn is_timeout(&self) -> bool {
        // A program can fail with the name of a missed heartbeat itself.
        !self.0.uncatchable && matches!(self.error(), Some(names::TIMEOUT | names::HEARTBEAT_TIMEOUT))
    }

    /// Returns `true` for a missed heartbeat that can be caught.
    #[doc(hidden)]
    pub fn is_missed_heartbeat(&self) -> bool {
        !self.0.uncatchable && (self.is_heartbeat_timeout() || self.error() == Some(names::HEARTBEAT_TIMEOUT))
    }

    /// Returns `true` if any of the errors matches the fault.
    pub(crate) fn is_any_of(&self, errors: &[ErrorMatch]) -> bool {
        errors.iter().any(|error| match error {
            ErrorMatch::Any => self.is_catchable(),
            ErrorMatch::AnyTask => self.is_task_failure(),
            ErrorMatch::Timeout => self.is_timeout(),
            ErrorMatch::Heartbeat => self.is_missed_heartbeat(),
            ErrorMatch::Named(name) => !self.0.uncatchable && self.error() == Some(name),
        })
    }

    /// Returns `true` if retriers and catchers never match it, whatever names they list.
    #[doc(hidden)]
    pub fn is_uncatchable(&self) -> bool {
        self.0.uncatchable
    }

    /// Returns `true` for the fault of a turn that has used up its budget.
    pub(crate) fn is_turn_limit(&self) -> bool {
        self.0.uncatchable && self.error() == Some(names::TURN_LIMIT_EXCEEDED)
    }

    /// Returns the fault as an uncatchable one.
    #[doc(hidden)]
    pub fn uncatchable(mut self) -> Fault {
        self.0.uncatchable = true;
        self
    }

    pub(crate) fn origin(&self) -> Origin {
        self.0.origin
    }

    /// Returns the fault as the outcome of a task. A result that is too large becomes catchable:
    /// the state can continue without it ([A4](docs/amazon-states-language.md#a4)).
    pub(crate) fn of_task(mut self) -> Fault {
        let is_too_large = self.error() == Some(names::DATA_LIMIT_EXCEEDED);
        self.0.uncatchable &= !self.is_termination() && !is_too_large;
        if !self.is_heartbeat_timeout() {
            self.0.origin = Origin::Task;
        }
        self
    }

    /// Returns the fault of a child execution as its parent sees it. A schema violation becomes
    /// catchable: no handler of the child could catch it, and the parent's can.
    pub(crate) fn of_child(mut self) -> Fault {
        self.0.uncatchable &= self.error() != Some(names::SCHEMA_VIOLATION);
        self
    }

    /// Returns the trace, innermost entry first.
    pub(crate) fn trace(&self) -> &[TraceEntry] {
        &self.0.trace
    }

    /// Adds an entry to the trace. A frame that has entered no state adds none.
    pub(crate) fn traced_through(mut self, place: TraceEntry) -> Fault {
        let is_known = matches!(place, TraceEntry::State("")) || self.0.trace.last() == Some(&place);
        if !is_known {
            self.0.trace.push(place);
        }
        self
    }

    /// Puts the state before the cause of an evaluation fault. Any other fault, and any fault
    /// before the first state, stays as it is.
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

/// Conversion of an error of the program into a [`Fault`], so that `?` works in tasks:
///
/// ```
/// use workflow_runtime::{Fault, OrFault};
///
/// fn price(path: &str) -> Result<f64, Fault> {
///     // A retrier or catcher matches the name.
///     let text = std::fs::read_to_string(path).or_fault("Price.Unavailable")?;
///     // Without a name, the fault is a `States.TaskFailed`.
///     text.trim().parse().or_task_failed()
/// }
/// # assert_eq!(price("no such file").unwrap_err().error(), Some("Price.Unavailable"));
/// ```
///
/// A [`Fault`] stays as it is. An error type of the program needs no conversion at each call if it
/// implements `From<MyError> for Fault`.
pub trait OrFault<T> {
    /// Names the fault. The cause lists the error and its sources.
    ///
    /// # Errors
    ///
    /// Returns the error as a fault.
    fn or_fault(self, name: impl Into<Str>) -> Result<T, Fault>;

    /// Does the same with the name `States.TaskFailed`.
    ///
    /// # Errors
    ///
    /// Returns the error as a fault.
    fn or_task_failed(self) -> Result<T, Fault>;
}

impl<T, E: Into<Box<dyn Error + Send + Sync>>> OrFault<T> for Result<T, E> {
    fn or_fault(self, name: impl Into<Str>) -> Result<T, Fault> {
        self.map_err(|error| fault_of(error.into(), |error| Fault::new(name, with_sources(error))))
    }

    fn or_task_failed(self) -> Result<T, Fault> {
        self.map_err(|error| fault_of(error.into(), Fault::from_error))
    }
}

/// Returns an error as a fault. An error that is a fault stays as it is.
fn fault_of(error: Box<dyn Error + Send + Sync>, convert: impl FnOnce(&(dyn Error + 'static)) -> Fault) -> Fault {
    match error.downcast::<Fault>() {
        Ok(fault) => *fault,
        Err(error) => convert(&*error),
    }
}

/// Returns the messages of an error and of its sources, separated by colons. A source whose
/// message the text already ends with is left out, and so are the sources after 32.
///
/// ```
/// use workflow_runtime::fault::with_sources;
///
/// #[derive(Debug)]
/// struct NoRegion;
///
/// impl std::fmt::Display for NoRegion {
///     fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
///         f.write_str("no region is set")
///     }
/// }
///
/// impl std::error::Error for NoRegion {}
///
/// assert_eq!(with_sources(&NoRegion), "no region is set");
/// ```
pub fn with_sources(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let sources = std::iter::successors(error.source(), |&error| error.source());
    for source in sources.take(MAX_SOURCES) {
        let message = source.to_string();
        if !text.ends_with(&message) {
            text.push_str(": ");
            text.push_str(&message);
        }
    }
    text
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

impl Error for Fault {}

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
            (Fault::heartbeat_timeout().of_task(), "States.HeartbeatTimeout", true),
            (Fault::heartbeat_timeout().of_task(), "States.Timeout", true),
            (Fault::heartbeat_timeout().of_task(), "States.TaskFailed", false),
            (raised("Declined"), "States.TaskFailed", false),
            (raised("States.TaskFailed"), "States.TaskFailed", true),
            (raised("States.Runtime"), "States.ALL", false),
            (raised("States.Runtime"), "States.Runtime", false),
            (raised("States.DataLimitExceeded"), "States.ALL", false),
            (raised("States.DataLimitExceeded"), "States.DataLimitExceeded", false),
            (raised("States.DataLimitExceeded").of_task(), "States.TaskFailed", true),
            (raised("States.DataLimitExceeded").of_task(), "States.ALL", true),
            (raised("States.DataLimitExceeded").of_task(), "States.DataLimitExceeded", true),
            (raised("States.Runtime").of_task(), "States.ALL", false),
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
        assert_eq!(Fault::timeout().output().to_string(), r#"{"Error":"States.Timeout","Cause":""}"#);
    }
}
