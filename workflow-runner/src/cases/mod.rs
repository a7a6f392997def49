//! Test cases of a workflow, in a file beside its definition: `case.toml`.
//!
//! ```toml
//! [[run]]
//! name = "a card that is declined"              # shown in reports
//! input = '{ "id": 7 }'                          # JSON text, or a table of TOML: input = { id = 7 }
//! settings = { Stage = "test" }                  # where the definition has settings
//! correlate = "order=17"                         # events that correlate by `order` are for it if they have this value
//! expect = { error = "Declined", cause = "no funds" }
//! # or: expect = { output = { ok = true } }; output_json = '…' takes JSON text
//! visited = ["Charge", "Refund"]                 # the states entered, in order
//! virtual_time = "61s"                           # how long it takes, waits and retries included
//! sent = [{ name = "shipped", data = { n = 1 } }] # the events it sends, in order; what of each is not written is not checked
//! started = [{ workflow = "Refund", input = 7 }] # the workflows it starts, in order
//!
//! [run.tasks]                                    # by task key, or by the state that invokes it: the replies, in order
//! ChargeCard = [
//!     { error = "Flaky", cause = "try again", times = 2 },
//!     { ok = { receipt = 1 }, after = "2s" },
//!     { ok_json = 'null', to = { id = 7 } },     # only to this input
//!     { never = true },
//! ]
//!
//! [run.workflows]                                # the replies of workflows that it starts, by name
//! Refund = [{ ok = "done" }]
//!
//! [[run.events]]                                 # events from outside
//! after = "5s"                                   # after the start
//! name = "paid"                                  # or `subject`, which is the same
//! type = "payment.made"                          # by default the name
//! source = "/bank"                               # by default `/case`
//! data = { sum = 3 }                             # data_json = '…' takes JSON text
//! attributes = { tenant = "a" }                  # others
//! ```
//!
//! Where events start executions, the first of such is the one that starts it: without `correlate` its value counts. Otherwise the
//! value is the execution's name, which no event has.
//!
//! What is not expected is not checked. TOML has no null: the keys that end in `_json` take JSON text.

mod check;
mod coverage;
mod read;
#[cfg(test)]
mod tests;

use std::time::Duration;

pub use check::{Verdict, check, correlation, mocks, mocks_of};
pub use coverage::Coverage;
pub use read::{read, read_mocks};

pub use crate::suite::run_file;
use workflow_runtime::testing::Reply;
use workflow_runtime::{CloudEvent, Object, Value};

/// A run of a workflow and what is expected of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Its name.
    pub name: String,
    /// The line it starts at.
    pub line: usize,
    /// The input.
    pub input: Value,
    /// The values of the definition's settings.
    pub settings: Object,
    /// The value by which events are told to be for it, as `ATTRIBUTE=VALUE`.
    pub correlate: Option<String>,
    /// The replies of tasks.
    pub tasks: Vec<Mock>,
    /// The replies of workflows that it starts.
    pub workflows: Vec<Mock>,
    /// Events from outside, and how long after the start each arrives.
    pub events: Vec<(Duration, CloudEvent)>,
    /// How it is to end.
    pub expect: Option<Expect>,
    /// The states it is to enter, in order.
    pub visited: Option<Vec<String>>,
    /// How long it is to take.
    pub virtual_time: Option<Duration>,
    /// The events it is to send, in order.
    pub sent: Option<Vec<Sent>>,
    /// The workflows it is to start, in order.
    pub started: Option<Vec<Started>>,
}

/// What is expected of an event that is sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Sent {
    /// Its attributes of these names: among them `subject` and `type`.
    pub attributes: Vec<(String, Value)>,
    /// What it carries, where that matters.
    pub data: Option<Value>,
}

/// What is expected of the start of a workflow.
#[derive(Debug, Clone, PartialEq)]
pub struct Started {
    /// Its name.
    pub workflow: String,
    /// What it is given, where that matters.
    pub input: Option<Value>,
}

/// The replies of a task, or of a workflow.
#[derive(Debug, Clone, PartialEq)]
pub struct Mock {
    /// The task's key, or the state that invokes it; or the workflow's name.
    pub name: String,
    /// The line it is at.
    pub line: usize,
    /// What it replies, in order.
    pub replies: Vec<Reply>,
}

/// How a run is to end.
#[derive(Debug, Clone, PartialEq)]
pub enum Expect {
    /// With this output.
    Output(Value),
    /// With this error.
    Error {
        /// The error's name.
        error: String,
        /// The cause, where it matters.
        cause: Option<Value>,
    },
}
