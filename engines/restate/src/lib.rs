//! Runs compiled workflows on [Restate](https://restate.dev): durable, distributed, with the same generated code.
//!
//! An [`Endpoint`] serves any number of workflows to a Restate server, each as a workflow service; a [`Client`] starts
//! executions, attaches to them, signals and cancels them through the server's ingress. So does any HTTP client.
//!
//! ```no_run
#![doc = include_str!("../examples/orders.rs")]
//! ```
//!
//! # How an execution maps to Restate
//! | in the workflow | in Restate |
//! |---|---|
//! | an execution | an invocation of the handler `run`; its key is the execution's name |
//! | a task | a journaled run. Tasks of branches run at the same time, in the process that drives the execution |
//! | a retry, a catcher, a join | none: generated code, which means the same on every engine |
//! | a wait | a durable sleep |
//! | a task token | a durable promise, which the handler `signal` resolves |
//! | an event | a numbered durable promise; the handler `signal` resolves it, or that of a bus that all executions hear of |
//! | an event that is published | a send to the bus of every service whose executions wait for it; a journaled run that gives it to a sink |
//! | another execution | a call of `run`; a send, where its end is not waited for |
//! | a time-out | the timers of the process that runs the task; of a callback, a durable sleep |
//! | an iteration over many items | an invocation of `batch` for some hundreds of them each |
//! | a long loop | after so many entries of the journal, an invocation of `segment` goes on with the saved frames |
//!
//! A task runs at least once: one that was under way when its process died is run again, with the same
//! [`idempotency_key`](workflow_runtime::TaskContext::idempotency_key). What was completed is never run again.
//!
//! # Features
//! | feature | |
//! |---|---|
//! | `identity` | refuses requests that the Restate server has not signed |
//! | `tls` | reaches a Restate server over TLS |

mod beyond;
mod bus;
mod client;
mod directory;
mod discovery;
mod drive;
mod endpoint;
mod events;
mod flight;
mod handlers;
mod journal;
mod link;
mod name;
mod promises;
mod segment;
mod server;
mod starting;
mod status;

use workflow_runtime::Fault;
use workflow_runtime::fault::names::CANCELLED;

pub use client::{Client, ClientError, Executions, Reached, Started};
pub use endpoint::{Endpoint, Service};
#[cfg(feature = "identity")]
pub use restate_sdk_shared_core::KeyError;

fn cancelled() -> Fault {
    Fault::new(CANCELLED, "the execution was cancelled")
}
