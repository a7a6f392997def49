//! Engine that runs compiled workflows on [Restate](https://restate.dev): durable, distributed,
//! with the same generated code.
//!
//! An [`Endpoint`] serves any number of workflows to a Restate server, each as a workflow service.
//! A [`Client`] starts executions, attaches to them, signals them and cancels them through the
//! server's ingress. Any HTTP client can do the same.
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
//! | a retry, a catcher, a join | nothing: generated code, the same on every engine |
//! | a wait | a durable sleep |
//! | a task token | a durable promise, which the handler `signal` resolves |
//! | an event | a numbered promise, which `deliver` resolves at the request of a virtual object |
//! | a published event | requests to virtual objects; a journaled run that sends it to a sink |
//! | a child execution | a call of `run`; a send if it is detached |
//! | a time-out | a timer of the process that runs the task; for a callback, a durable sleep |
//! | an iteration over many items | an invocation of `batch` for each batch of items |
//! | a run of a distributed Map | an execution; items are read, and results written, in journaled runs |
//! | a long loop | an invocation of `segment` continues with the saved frames when the journal reaches its limit |
//!
//! A task runs at least once. A task that was running when its process died runs again, with the same
//! [`idempotency_key`](workflow_runtime::TaskContext::idempotency_key). Completed tasks never run again.
//!
//! # Features
//! | feature | |
//! |---|---|
//! | `identity` | refuses requests that the Restate server has not signed |
//! | `tls` | reaches a Restate server over TLS |

#![cfg_attr(docsrs, feature(doc_cfg))]

mod answers;
mod client;
mod connection;
mod directory;
mod discovery;
mod drive;
mod endpoint;
mod engine;
mod events;
mod handlers;
mod inbox;
mod journal;
mod links;
mod name;
mod promises;
mod proof;
mod redrives;
mod segment;
mod server;
mod status;
mod task_run;
mod updates;

use workflow_runtime::Fault;
use workflow_runtime::fault::names::CANCELLED;

pub use client::{Client, ClientError, Executions, Reached, Started};
pub use endpoint::{Endpoint, Service};
pub use engine::Engine;
#[cfg(feature = "identity")]
pub use restate_sdk_shared_core::KeyError;

fn cancelled() -> Fault {
    Fault::new(CANCELLED, "the execution was cancelled")
}
