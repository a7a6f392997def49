//! Test cases of a workflow, in a file beside its definition: `case.toml`.
//!
//! ```toml
//! min_coverage = 80                              # the percentage of the states that the runs visit
//!
//! [[run]]
//! name = "a card that is declined"              # shown in reports
//! input = '{ "id": 7 }'                          # JSON text, or a TOML table: input = { id = 7 }
//! settings = { Stage = "test" }                  # the definition's settings
//! correlate = "order=17"                         # the correlation key
//! expect = { error = "Declined", cause = "no funds" }
//! # or: expect = { fails = true }, with any error
//! # or: expect = { output = { ok = true } }; output_json = '…' takes JSON text
//! visited = ["Charge", "Refund"]                 # the states entered, in order
//! virtual_time = "61s"                           # the duration, with waits and retries
//! sent = [{ name = "shipped", data = { n = 1 } }] # the events sent, in order
//! started = [{ workflow = "Refund", input = 7 }] # the workflows started, in order
//!
//! [run.tasks]                                    # replies, by task key or state
//! ChargeCard = [
//!     { error = "Flaky", cause = "try again", times = 2 },
//!     { ok = { receipt = 1 }, after = "2s" },
//!     { ok_json = 'null', to = { id = 7 } },     # to this input only
//!     { never = true },
//! ]
//!
//! [run.workflows]                                # replies of started workflows, by name
//! Refund = [{ ok = "done" }]
//!
//! [run.map.Rows]                                 # a distributed Map, by the name of its state
//! items = [{ id = 1 }, { id = 2 }]               # what its reader reads; source = "s3://…"
//! # or: error = "States.ItemReaderFailed", cause = "…"
//! written = [{ output = 1 }, { error = "Bad" }]  # what its writer writes
//! # or: write_error = "States.ResultWriterFailed", write_cause = "…"
//!
//! [[run.events]]                                 # events from outside
//! after = "5s"                                   # after the start
//! name = "paid"                                  # the same as `subject`
//! type = "payment.made"                          # by default the name
//! source = "/bank"                               # by default `/case`
//! data = { sum = 3 }                             # data_json = '…' takes JSON text
//! attributes = { tenant = "a" }                  # other attributes
//! ```
//!
//! If events start executions, the first event that can start one starts the run. The correlation
//! key is `correlate`, or else the key of that event. Without either, the key is the name of the
//! execution, which no event has.
//!
//! A table `[map.Rows]` at the top of the file is for all runs that have none for this Map.
//!
//! A run needs at least one of the expectations `expect`, `visited`, `virtual_time`, `sent`,
//! `started` and `written`. It fails if the execution fails without an `expect` that names the
//! error, and if a task or a started workflow has no reply, or a reader no items. TOML has no
//! null: the keys that end in `_json` take JSON text.

mod check;
mod coverage;
mod maps;
mod read;
#[cfg(test)]
mod tests;

use std::time::Duration;

#[doc(hidden)]
pub use check::{Verdict, check, correlation, mocks, mocks_of};
#[doc(hidden)]
pub use coverage::Coverage;
#[doc(hidden)]
pub use read::{read, read_mocks};

pub use crate::suite::run_file;
use workflow_runtime::testing::{MapItems, Reply};
use workflow_runtime::{CloudEvent, Fault, Object, Value};

/// The content of a case file.
#[derive(Debug, Clone, PartialEq)]
#[doc(hidden)]
pub struct Cases {
    /// The smallest percentage of the states that the runs must visit; `None` if the file requires
    /// none.
    pub min_coverage: Option<u8>,
    /// The runs, at least one.
    pub runs: Vec<Run>,
}

/// A run of a workflow, with its expectations.
#[derive(Debug, Clone, PartialEq)]
#[doc(hidden)]
pub struct Run {
    /// The name, for reports.
    pub name: String,
    /// The line of the file at which the run starts, from 1.
    pub line: usize,
    /// The input.
    pub input: Value,
    /// The values of the definition's settings.
    pub settings: Object,
    /// The correlation key, as `ATTRIBUTE=VALUE`.
    pub correlate: Option<String>,
    /// The replies of tasks.
    pub tasks: Vec<Mock>,
    /// The replies of the workflows that the run starts.
    pub workflows: Vec<Mock>,
    /// The distributed Maps.
    pub maps: Vec<MapMock>,
    /// Events from outside, each with its delay after the start.
    pub events: Vec<(Duration, CloudEvent)>,
    /// The expected end.
    pub expect: Option<Expect>,
    /// The states that the run is expected to enter, in order.
    pub visited: Option<Vec<String>>,
    /// The expected duration in virtual time.
    pub virtual_time: Option<Duration>,
    /// The events that the run is expected to send, in order.
    pub sent: Option<Vec<Sent>>,
    /// The workflows that the run is expected to start, in order.
    pub started: Option<Vec<ExpectedChild>>,
}

impl Run {
    /// Returns `true` if the run has no expectation, so that its result cannot be wrong.
    fn expects_nothing(&self) -> bool {
        let Run { expect, visited, virtual_time, sent, started, maps, .. } = self;
        let checks_ends = expect.is_some() || visited.is_some() || virtual_time.is_some();
        let checks_others = sent.is_some() || started.is_some() || maps.iter().any(|map| map.written.is_some());
        !checks_ends && !checks_others
    }
}

/// The expectations of an event that is sent.
#[derive(Debug, Clone, PartialEq)]
#[doc(hidden)]
pub struct Sent {
    /// The expected attributes, for example `subject` and `type`. Other attributes are not
    /// checked.
    pub attributes: Vec<(String, Value)>,
    /// The expected data; `None` if any data is accepted.
    pub data: Option<Value>,
}

/// The expectations of the start of a workflow.
#[derive(Debug, Clone, PartialEq)]
#[doc(hidden)]
pub struct ExpectedChild {
    /// The name of the workflow.
    pub workflow: String,
    /// The expected input; `None` if any input is accepted.
    pub input: Option<Value>,
}

/// The replies of a task or of a workflow.
#[derive(Debug, Clone, PartialEq)]
#[doc(hidden)]
pub struct Mock {
    /// The key of the task, the state that invokes it, or the name of the workflow.
    pub name: String,
    /// The line of the file, from 1.
    pub line: usize,
    /// The replies, in order.
    pub replies: Vec<Reply>,
}

/// A distributed Map of a run.
#[derive(Debug, Clone, PartialEq)]
#[doc(hidden)]
pub struct MapMock {
    /// The state.
    pub name: String,
    /// The line and column of the file, from 1.
    pub place: (usize, usize),
    /// The items that its reader finds.
    pub items: Option<MapItems>,
    /// `true` if its reader fails.
    pub read_fails: bool,
    /// The fault with which its writer fails.
    pub write_fault: Option<Fault>,
    /// The results that its writer is expected to write, in the order of the items.
    pub written: Option<Vec<ExpectedResult>>,
}

/// The expectations of a result that a distributed Map writes.
#[derive(Debug, Clone, PartialEq)]
#[doc(hidden)]
pub struct ExpectedResult {
    /// The expected input of the child; `None` if any input is accepted.
    pub input: Option<Value>,
    /// The expected outcome of the child.
    pub outcome: ExpectedOutcome,
}

/// The expected outcome of a child of a distributed Map.
#[derive(Debug, Clone, PartialEq)]
#[doc(hidden)]
pub enum ExpectedOutcome {
    /// Any outcome.
    Any,
    /// Success with this output.
    Output(Value),
    /// Failure.
    Error {
        /// The error's name.
        error: String,
        /// The expected cause; `None` if any cause is accepted.
        cause: Option<String>,
    },
    /// The child never started.
    Pending,
}

/// The expected end of a run.
#[derive(Debug, Clone, PartialEq)]
#[doc(hidden)]
pub enum Expect {
    /// Success with this output.
    Output(Value),
    /// Failure.
    Error {
        /// The error's name; `None` if any name is accepted, or none.
        error: Option<String>,
        /// The expected cause; `None` if any cause is accepted.
        cause: Option<Value>,
    },
}
