//! Methods of gRPC services.
//!
//! [`Rpc`] calls the methods that a definition names and that were looked up when it was compiled, which takes the feature `rpc`
//! of `workflow-runtime` or `workflow-compiler`, too. It carries out all tasks of a workflow, or it is called in their methods:
//!
//! ```
//! # use workflow_connectors::Rpc;
//! # use workflow_runtime::{Fault, TaskContext, Value, include_workflow, value};
//! # include_workflow!("flows/charge.sm4c.json");
//! struct Shop {
//!     rpc: Rpc,
//! }
//!
//! impl charge::Tasks for Shop {
//!     async fn charge(&self, request: Value, cx: TaskContext) -> Result<Value, Fault> {
//!         self.rpc.call(request, &cx).await
//!     }
//! }
//! ```
//!
//! A task's input is the request, and its output the answer, both by the JSON mapping of Protocol Buffers: whole numbers of
//! 64 bits are texts in answers, and numbers or texts in requests; bytes are in Base64; a value of an enumeration is its
//! name. Fields have the names that they have in JSON (`accountId`); in requests those of the file (`account_id`) will do.
//! In answers fields without presence are always there, `0`, `""` or `[]` where nothing was sent.
//!
//! # Where services are
//!
//! Nothing of that is in a definition. [`Rpc::builder`] is told of each [`Service`]; [`Rpc::from_env`] finds these variables,
//! of `acme.Bank` for example:
//!
//! | variable | |
//! |---|---|
//! | `WORKFLOW_RPC_ACME_BANK_ADDRESS` | its address, `bank.example.com:8443` or `http://localhost:50051` |
//! | `WORKFLOW_RPC_ACME_BANK_TOKEN` | a token that it is called with, as `authorization: Bearer …` |
//! | `WORKFLOW_RPC_ACME_BANK_PLAINTEXT` | `true` where an address `http://…` may be that of another machine |
//! | `WORKFLOW_RPC_ADDRESS`, `…_TOKEN`, `…_PLAINTEXT` | the same for all services that have no address of their own |
//!
//! Connections are HTTP/2 over TLS, with the certificates that the system trusts. There is one for a service, which is made
//! when it is needed, and kept. No proxy is used. [`Rpc::check`] tells before a run whether all services are known.
//!
//! Addresses of the link, `169.254.0.0/16` above all, and others where clouds tell machines of themselves are refused, also where a
//! name leads to them, unless a [`Service`] is [told otherwise](Service::allow_link_local).
//!
//! # What is sent
//!
//! A call has a deadline, that of the task or the time that [`Builder::timeout`] allows, and the service is told. It has the
//! [key](workflow_runtime::TaskContext::idempotency_key) that is the same for all attempts, as metadatum `idempotency-key`. It is
//! sent once: trying again is what a definition says. If the execution no longer waits for a task, the call is cancelled.
//!
//! # Faults
//!
//! | name | |
//! |---|---|
//! | `Grpc.NotFound`, `Grpc.Unavailable`, … | the service answers with this status; its message is the cause |
//! | `Grpc.NoAddress` | nothing says where the service is |
//! | `Grpc.InvalidRequest` | the input is no request of the method, or too large; nothing was sent |
//! | `Grpc.InvalidAnswer` | the answer is none of the method, too large, or nested deeper than 100 messages |
//! | `Grpc.NotAMethod` | the task is no method that was looked up |
//! | `Grpc.Unreachable` | there is no connection to the service; nothing was sent |
//! | `Grpc.Disconnected` | the connection broke; the call may have been carried out |
//! | `States.Timeout` | the time was over; the call may have been carried out |
//!
//! The statuses are `Cancelled`, `Unknown`, `InvalidArgument`, `DeadlineExceeded`, `NotFound`, `AlreadyExists`,
//! `PermissionDenied`, `ResourceExhausted`, `FailedPrecondition`, `Aborted`, `OutOfRange`, `Unimplemented`, `Internal`,
//! `Unavailable`, `DataLoss` and `Unauthenticated`.
//!
//! Calls are made on a runtime of tokio that has its timers and input and output enabled, as `#[tokio::main]` has.

mod builder;
mod call;
mod environment;
mod message;
mod service;
mod status;

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use prost_reflect::MethodDescriptor;
use workflow_runtime::machine::{Definition, Outcome, Task};
use workflow_runtime::operation::Operation;
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::{TaskContext, Value};

pub use crate::ConfigError;
pub use builder::Builder;
pub use service::Service;

/// Calls methods of gRPC services. A clone shares the connections.
#[derive(Clone)]
pub struct Rpc(Arc<Shared>);

struct Shared {
    services: BTreeMap<String, Arc<service::Checked>>,
    /// All that nothing else is said of.
    others: Option<Arc<service::Checked>>,
    /// By the names of variables, where the environment was asked.
    environment: Option<BTreeMap<String, Arc<service::Checked>>>,
    timeout: Duration,
    max_message_bytes: usize,
    /// Those that were called, by the places of their operations.
    methods: Mutex<HashMap<usize, MethodDescriptor>>,
}

impl Rpc {
    /// Sets up where services are, and as whom they are called.
    pub fn builder() -> Builder {
        Builder::new()
    }

    /// As [`Rpc::builder`], with what the environment tells. It is an error if a variable cannot be what it is for.
    pub fn from_env() -> Result<Builder, ConfigError> {
        environment::builder()
    }

    /// Whether all that the methods of a definition need is there: it is known where their services are.
    pub fn check(&self, definition: &Definition) -> Result<(), ConfigError> {
        definition.tasks.iter().try_for_each(|task| self.check_task(task))
    }

    /// As [`Rpc::check`], for one task. One that is no method needs nothing.
    pub fn check_task(&self, task: &Task) -> Result<(), ConfigError> {
        match task.operation {
            Some(Operation::Rpc(operation)) => call::find(&self.0, operation).map(drop).map_err(|fault| {
                let cause = fault.cause().and_then(Value::as_str);
                ConfigError::new(cause.unwrap_or_default())
            }),
            _ => Ok(()),
        }
    }

    /// Calls the method that the task is, with the input as its request, and waits for the answer.
    pub async fn call(&self, input: Value, cx: &TaskContext) -> Outcome {
        call::call(&self.0, input, cx).await
    }
}

impl Invoke for Rpc {
    /// Calls the method that the definition names, until the deadline of the task.
    fn invoke<'a>(&'a self, _task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        Box::pin(async move { self.call(input, &cx).await })
    }
}

impl fmt::Debug for Rpc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rpc")
            .field("services", &self.0.services)
            .field("others", &self.0.others)
            .field("environment", &self.0.environment)
            .field("timeout", &self.0.timeout)
            .field("max_message_bytes", &self.0.max_message_bytes)
            .finish_non_exhaustive()
    }
}
