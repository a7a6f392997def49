//! What is known of a workflow without running it: the statics that generated code declares.

use std::time::Duration;

use super::called::Called;
use super::events::EventInfo;
use super::schedule::Schedule;
use crate::fault::Fault;
use crate::operation::Operation;
use crate::time::{Timestamp, seconds};
use crate::value::{Str, Value};

/// The compiler that generated code comes from. Code of another version names another constant, which is then missing:
/// one clear error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Version;

/// Named by code that the compiler of version 0.1.0 generates.
pub const VERSION_0_1_0: Version = Version;

/// Tells whether an input can start an execution, and why not.
pub type CheckInput = fn(&Value) -> Result<(), Fault>;

/// Reads the correlation value of an execution from its input: none where there is none, and a fault where what is there can be no
/// such value.
pub type ReadCorrelation = fn(&Value) -> Result<Option<Str>, Fault>;

/// By what events are told to be for an execution.
#[derive(Debug, Clone, Copy)]
pub struct Correlation {
    /// The attributes that have the correlation value, of events that are waited for or published.
    pub attributes: &'static [&'static str],
    /// Where the program has the value read from the input.
    pub read: Option<ReadCorrelation>,
}

/// A workflow as defined.
#[derive(Debug)]
pub struct Definition {
    /// The compiler it comes from.
    pub version: Version,
    /// Its name.
    pub name: &'static str,
    /// The dialect it is written in.
    pub dialect: &'static str,
    /// The file it is written in.
    pub source: &'static str,
    /// A hash of its meaning: of two with the same hash, one can go on with the executions of the other.
    pub hash: u64,
    /// What others call it, where its dialect has them start it by id and version. Else it is its name.
    pub called: Option<Called>,
    /// How long an execution may take.
    pub timeout_seconds: Option<u64>,
    /// What becomes of an execution that takes longer.
    pub on_timeout: OnTimeout,
    /// The largest result of a task or output of a state, in bytes of JSON. Executions can be started with another limit.
    pub data_limit: Option<u64>,
    /// Whether anything reads the context object.
    pub context: bool,
    /// The longest time-out of a task; none if that of one of them is computed and has no bound, or if one has none.
    pub longest_task_seconds: Option<f64>,
    /// The states, as authored.
    pub states: &'static [StateInfo],
    /// The tasks.
    pub tasks: &'static [Task],
    /// Whether an execution can be started with this input; none if with any. See [`Definition::admit`].
    pub check_input: Option<CheckInput>,
    /// The kinds of events that it waits for.
    pub events: &'static [EventInfo],
    /// By what events are told to be for an execution, if they are.
    pub correlation: Option<Correlation>,
    /// The events that start an execution, if any do.
    pub starts_on: Option<StartsOn>,
    /// When executions can be started, if that is not always.
    pub schedule: Option<Schedule>,
    /// The points at which an execution can wait.
    pub points: &'static [Point],
    /// The names of the settings that an execution must be given.
    pub settings: &'static [&'static str],
    /// The graph of the states, in Mermaid's language.
    pub graph: &'static str,
}

/// What becomes of an execution that takes too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnTimeout {
    /// It fails.
    #[default]
    Fail,
    /// It ends with null.
    Null,
    /// All that it does is dropped. It goes on at this entry, with the document of its top level, and may take its time.
    Entry(u32),
}

/// The events that start an execution, by their numbers among those of the definition. Its first state waits for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct StartsOn {
    /// The first state.
    pub state: &'static str,
    /// The kinds of events that each start one.
    pub events: &'static [u32],
    /// All kinds that the first state waits for, one after the other; none if the first event that comes is enough.
    pub in_a_row: &'static [u32],
    /// Whether one execution collects an event of each kind, in any order: as long as it waits for one in its first state, all of
    /// these kinds that are for it go to it.
    pub collects: bool,
    /// Those of the events that another state waits for, too.
    pub also_later: &'static [u32],
}

impl StartsOn {
    /// Events that start an execution whose first state is this one.
    pub const fn new(state: &'static str, events: &'static [u32]) -> StartsOn {
        StartsOn { state, events, in_a_row: &[], collects: false, also_later: &[] }
    }

    /// Sets all kinds that the first state waits for, one after the other.
    pub const fn in_a_row(mut self, events: &'static [u32]) -> StartsOn {
        self.in_a_row = events;
        self
    }

    /// Lets one execution collect an event of each kind.
    pub const fn collects(mut self) -> StartsOn {
        self.collects = true;
        self
    }

    /// Sets which of the events another state waits for, too.
    pub const fn also_later(mut self, events: &'static [u32]) -> StartsOn {
        self.also_later = events;
        self
    }
}

/// A state as authored.
#[derive(Debug)]
pub struct StateInfo {
    /// Its name.
    pub name: &'static str,
    /// What the dialect calls its kind: `Task`, `Choice`, …
    pub kind: &'static str,
    /// Its line in the source.
    pub line: u32,
    /// The states it can lead to.
    pub next: &'static [&'static str],
}

/// A task that a workflow invokes.
#[derive(Debug)]
pub struct Task {
    /// Its place among the tasks of the definition.
    pub index: u32,
    /// What programs bind it by.
    pub key: &'static str,
    /// The resource as authored.
    pub resource: &'static str,
    /// The state that invokes it.
    pub state: &'static str,
    /// The line of the state in the source.
    pub line: u32,
    /// What is known of the operation of a service that it is.
    pub operation: Option<&'static Operation>,
}

/// A point at which an execution can wait.
#[derive(Debug)]
pub struct Point {
    /// Its name: the state's, and what is waited for there.
    pub name: &'static str,
    /// The authored state it is a part of.
    pub state: &'static str,
    /// A fingerprint of what is saved there. A snapshot is read only where the name and this still agree.
    pub layout: u64,
}

impl StateInfo {
    /// A state, as generated code lists it.
    pub const fn new(name: &'static str, kind: &'static str, line: u32, next: &'static [&'static str]) -> Self {
        StateInfo { name, kind, line, next }
    }
}

impl Task {
    /// A task, as generated code lists it.
    pub const fn new(index: u32, key: &'static str, resource: &'static str, state: &'static str, line: u32) -> Self {
        Task { index, key, resource, state, line, operation: None }
    }

    /// Sets the operation that it is.
    pub const fn operation(mut self, operation: &'static Operation) -> Self {
        self.operation = Some(operation);
        self
    }
}

impl Point {
    /// A point, as generated code lists it.
    pub const fn new(name: &'static str, state: &'static str, layout: u64) -> Self {
        Point { name, state, layout }
    }
}

impl Definition {
    /// Whether an execution can be started with this input. An engine asks before it takes note of anything; an execution that
    /// is started all the same fails with the fault. One that an event starts has no input yet.
    pub fn admit(&self, input: &Value) -> Result<(), Fault> {
        let is_given = self.starts_on.is_none() || input.as_object().is_none_or(|members| !members.is_empty());
        if let (Some(check), true) = (self.check_input, is_given) {
            check(input)?;
        }
        self.read_correlation(input).map(|_| ())
    }

    /// The correlation value of an execution that starts with this input: that which its request or the event that starts it
    /// gives it; else what the program has read from the input; else what the execution passes on that starts it. An engine asks
    /// for it when it starts the whole of a workflow; none is the id.
    pub fn correlation(&self, input: &Value, given: Option<Str>, passed_on: Option<Str>) -> Option<Str> {
        given.or_else(|| self.read_correlation(input).ok().flatten()).or(passed_on)
    }

    fn read_correlation(&self, input: &Value) -> Result<Option<Str>, Fault> {
        let read = self.correlation.and_then(|correlation| correlation.read);
        read.map_or(Ok(None), |read| read(input))
    }

    /// When an execution that starts at this time is to end, if it may not take any time.
    pub(super) fn deadline(&self, start: Timestamp) -> Option<Timestamp> {
        self.timeout_seconds.map(|timeout| start.plus(Duration::from_secs(timeout)))
    }

    /// How long a task of the workflow can take at the most, if that is known.
    pub fn longest_task(&self) -> Option<Duration> {
        self.longest_task_seconds.map(seconds)
    }

    /// The state of this name.
    pub fn state(&self, name: &str) -> Option<&'static StateInfo> {
        self.states.iter().find(|state| state.name == name)
    }

    /// The point of this name.
    pub fn point(&self, name: &str) -> Option<&'static Point> {
        self.points.iter().find(|point| point.name == name)
    }
}

// Tasks and states are statics: where one is meant, the address tells.
impl PartialEq for Task {
    fn eq(&self, other: &Task) -> bool {
        std::ptr::eq(self, other)
    }
}
