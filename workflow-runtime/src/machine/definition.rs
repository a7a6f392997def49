//! Definitions as data: the statics that generated code declares.

use std::time::Duration;

use super::events::EventInfo;
use crate::fault::Fault;
use crate::operation::Operation;
use crate::time::{Timestamp, seconds};
use crate::value::{Str, Value};
use workflow_model::{JsonataLimits, ReaderKind, Schedule, WorkflowId};

/// Checks an input. The fault says why the input cannot start an execution.
pub type CheckInput = fn(&Value) -> Result<(), Fault>;

/// Returns the JSON Schema of inputs.
pub type DescribeInput = fn() -> Value;

/// Reads the correlation key from an input. `None` if the input has no key, a fault if it has an
/// invalid one.
pub type ReadCorrelation = fn(&Value) -> Result<Option<Str>, Fault>;

/// The correlation of events with executions.
#[derive(Debug, Clone, Copy)]
pub struct Correlation {
    /// The attributes that carry the correlation key, of awaited or published events.
    pub attributes: &'static [&'static str],
    /// The program's function that reads the key from the input, if it sets one.
    pub read: Option<ReadCorrelation>,
}

/// A workflow as defined.
#[derive(Debug)]
pub struct Definition {
    /// Its name.
    pub name: &'static str,
    /// The dialect it is written in.
    pub dialect: &'static str,
    /// The file it is written in.
    pub source: &'static str,
    /// A hash of its meaning. A build can continue the executions of another build with the same
    /// hash.
    pub hash: u64,
    /// The id and version that other workflows start it by, if its dialect has them. Otherwise
    /// they use the name.
    pub workflow_id: Option<WorkflowId>,
    /// The time-out of an execution, in seconds.
    pub timeout_seconds: Option<u64>,
    /// The consequence of the time-out.
    pub on_timeout: OnTimeout,
    /// The largest result of a task or output of a state, in bytes of JSON. An execution may be
    /// started with another limit.
    pub data_limit: Option<u64>,
    /// The limits of JSONata, if they are not the defaults. An execution may be started with
    /// others.
    pub jsonata_limits: Option<JsonataLimits>,
    /// Set if the definition reads the context object.
    pub context: bool,
    /// The longest time-out of a task, in seconds. `None` if a task has no time-out, or a computed
    /// one without a bound.
    pub longest_task_seconds: Option<f64>,
    /// The states, as authored.
    pub states: &'static [StateInfo],
    /// The tasks.
    pub tasks: &'static [&'static Task],
    /// The check of inputs, if the definition restricts them. See [`Definition::admit`].
    pub check_input: Option<CheckInput>,
    /// The JSON Schema of inputs, if the definition has one.
    pub describe_input: Option<DescribeInput>,
    /// The kinds of events that it waits for.
    pub events: &'static [EventInfo],
    /// The correlation of events with executions, if the definition has one.
    pub correlation: Option<Correlation>,
    /// The start condition, if events start executions.
    pub starts_on: Option<StartsOn>,
    /// The interval in which executions can start, if it is restricted.
    pub schedule: Option<Schedule>,
    /// The distributed Maps.
    pub maps: &'static [DistributedMap],
    /// The suspension points.
    pub points: &'static [SuspensionPoint],
    /// The names of the settings that an execution must have values for.
    pub settings: &'static [&'static str],
    /// The graph of the states, in Mermaid's language.
    pub graph: &'static str,
}

/// The consequence of an execution's time-out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnTimeout {
    /// The execution fails.
    #[default]
    Fail,
    /// The execution ends with null.
    Null,
    /// The execution drops everything that it does, and continues without a time-out at this
    /// entry, with the document of its top level.
    Entry(u32),
}

/// A start condition: the kinds of events that start an execution, as indexes into the
/// definition's events. The execution's first state waits for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct StartsOn {
    /// The first state.
    pub state: &'static str,
    /// The kinds of which one event starts an execution.
    pub events: &'static [u32],
    /// The kinds that the first state waits for, one after the other. Empty if a single event
    /// completes the condition.
    pub sequence: &'static [u32],
    /// Set if one execution collects an event of each kind, in any order. While it waits in its
    /// first state, it receives all correlated events of these kinds.
    pub all_of: bool,
    /// The kinds among `events` that another state waits for, too.
    pub also_awaited_later: &'static [u32],
}

impl StartsOn {
    /// Creates a condition that a single event completes, for an execution with this first state.
    pub const fn new(state: &'static str, events: &'static [u32]) -> StartsOn {
        StartsOn { state, events, sequence: &[], all_of: false, also_awaited_later: &[] }
    }

    /// Sets the kinds that the first state waits for, one after the other.
    pub const fn sequence(mut self, events: &'static [u32]) -> StartsOn {
        self.sequence = events;
        self
    }

    /// Requires an event of each kind, in any order.
    pub const fn all_of(mut self) -> StartsOn {
        self.all_of = true;
        self
    }

    /// Sets the kinds that another state waits for, too.
    pub const fn also_awaited_later(mut self, events: &'static [u32]) -> StartsOn {
        self.also_awaited_later = events;
        self
    }
}

/// A state as authored.
#[derive(Debug)]
pub struct StateInfo {
    /// Its name.
    pub name: &'static str,
    /// The dialect's name of its kind: `Task`, `Choice`, …
    pub kind: &'static str,
    /// Its line in the source.
    pub line: u32,
    /// The states it can lead to.
    pub next: &'static [&'static str],
}

/// A task that a workflow invokes.
///
/// See the example of [`Invoke`](crate::task::Invoke).
#[derive(Debug)]
pub struct Task {
    /// Its index in the definition's tasks.
    pub index: u32,
    /// The task key, by which programs bind the task.
    pub key: &'static str,
    /// The resource as authored.
    pub resource: &'static str,
    /// The state that invokes it.
    pub state: &'static str,
    /// The line of the state in the source.
    pub line: u32,
    /// The service operation that it performs, if the definition describes one.
    pub operation: Option<&'static Operation>,
}

/// A distributed Map: a state that runs an entry of the workflow for each item or batch, as an
/// execution of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DistributedMap {
    /// The state.
    pub state: &'static str,
    /// The label, which the names of its executions contain. Unique in the definition.
    pub label: &'static str,
    /// The entry of the child executions. Its input is their whole input.
    pub entry: u32,
    /// The entry that ends at once with the value of the selector for an item. Its input is an
    /// object with the item's `index` and `value`, its `key` if it has one, its `source`, and the
    /// `scope` of the settings.
    pub selector: Option<u32>,
    /// The kind of reader, if an object store has the items.
    pub reader: Option<ReaderKind>,
    /// `true` if the results are written to an object store.
    pub has_writer: bool,
}

impl DistributedMap {
    /// Creates a Map without selector, reader and writer, as generated code lists it.
    pub const fn new(state: &'static str, label: &'static str, entry: u32) -> Self {
        DistributedMap { state, label, entry, selector: None, reader: None, has_writer: false }
    }

    /// Sets the entry of the selector.
    pub const fn selector(mut self, entry: u32) -> Self {
        self.selector = Some(entry);
        self
    }

    /// Sets the kind of reader.
    pub const fn reader(mut self, reader: ReaderKind) -> Self {
        self.reader = Some(reader);
        self
    }

    /// Notes that the results are written to an object store.
    pub const fn writer(mut self) -> Self {
        self.has_writer = true;
        self
    }
}

/// A suspension point: a point at which an execution can wait and be saved.
#[derive(Debug)]
pub struct SuspensionPoint {
    /// Its name: the state, and the awaited command.
    pub name: &'static str,
    /// The authored state that it belongs to.
    pub state: &'static str,
    /// The fingerprint of the values saved there. A snapshot can be loaded if name and fingerprint
    /// are unchanged.
    pub layout: u64,
}

impl StateInfo {
    /// Creates a state, as generated code lists it.
    pub const fn new(name: &'static str, kind: &'static str, line: u32, next: &'static [&'static str]) -> Self {
        StateInfo { name, kind, line, next }
    }
}

impl Task {
    /// Creates a task, as generated code lists it.
    pub const fn new(index: u32, key: &'static str, resource: &'static str, state: &'static str, line: u32) -> Self {
        Task { index, key, resource, state, line, operation: None }
    }

    /// Returns `true` if the outcome of the task arrives by its token. Only the Amazon States
    /// Language has such tasks.
    pub fn waits_for_token(&self) -> bool {
        self.resource.ends_with(".waitForTaskToken")
    }

    /// Sets the service operation.
    pub const fn operation(mut self, operation: &'static Operation) -> Self {
        self.operation = Some(operation);
        self
    }
}

impl SuspensionPoint {
    /// Creates a suspension point, as generated code lists it.
    pub const fn new(name: &'static str, state: &'static str, layout: u64) -> Self {
        SuspensionPoint { name, state, layout }
    }
}

impl Definition {
    /// An empty definition. Code that the compiler of version 0.1.0 generates takes the fields it
    /// does not state from here. Code of another version names a constant that is missing here,
    /// which gives a single clear error.
    #[doc(hidden)]
    pub const VERSION_0_1_0: Definition = Definition {
        name: "",
        dialect: "",
        source: "",
        hash: 0,
        workflow_id: None,
        timeout_seconds: None,
        on_timeout: OnTimeout::Fail,
        data_limit: None,
        jsonata_limits: None,
        context: false,
        longest_task_seconds: None,
        states: &[],
        tasks: &[],
        check_input: None,
        describe_input: None,
        events: &[],
        correlation: None,
        starts_on: None,
        schedule: None,
        maps: &[],
        points: &[],
        settings: &[],
        graph: "",
    };

    /// Returns `Ok` if an execution can start with this input.
    ///
    /// An engine checks before it stores anything. An execution that is started regardless fails
    /// with the fault. An execution that an event starts has no input yet and passes.
    pub fn admit(&self, input: &Value) -> Result<(), Fault> {
        let has_input = self.starts_on.is_none() || input.as_object().is_none_or(|members| !members.is_empty());
        if let (Some(check), true) = (self.check_input, has_input) {
            check(input)?;
        }
        self.read_correlation(input).map(|_| ())
    }

    /// Returns the correlation key of an execution that starts with this input, in this order: the
    /// key that the request or the start event supplies, the key that the program reads from the
    /// input, the key that the parent execution passes on.
    ///
    /// An engine calls this when it starts a whole workflow. `None` stands for the execution's id.
    pub fn correlation(&self, input: &Value, requested: Option<Str>, inherited: Option<Str>) -> Option<Str> {
        requested.or_else(|| self.read_correlation(input).ok().flatten()).or(inherited)
    }

    fn read_correlation(&self, input: &Value) -> Result<Option<Str>, Fault> {
        let read = self.correlation.and_then(|correlation| correlation.read);
        read.map_or(Ok(None), |read| read(input))
    }

    /// Returns the deadline of an execution that starts at this time.
    pub(super) fn deadline(&self, start: Timestamp) -> Option<Timestamp> {
        self.timeout_seconds.map(|timeout| start.plus(Duration::from_secs(timeout)))
    }

    /// Returns the longest time that a task of the workflow can take, if it is bounded.
    pub fn longest_task(&self) -> Option<Duration> {
        self.longest_task_seconds.map(seconds)
    }

    /// Returns the state of this name.
    pub fn state(&self, name: &str) -> Option<&'static StateInfo> {
        self.states.iter().find(|state| state.name == name)
    }

    /// Returns the suspension point of this name.
    pub fn point(&self, name: &str) -> Option<&'static SuspensionPoint> {
        self.points.iter().find(|point| point.name == name)
    }
}

// Tasks and states are statics, so that their addresses identify them.
impl PartialEq for Task {
    fn eq(&self, other: &Task) -> bool {
        std::ptr::eq(self, other)
    }
}
