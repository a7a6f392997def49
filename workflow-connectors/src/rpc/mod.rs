//! gRPC connector: calls methods of services.
//!
//! [`Rpc`] calls the methods that a definition names. The compiler resolves them, which needs the
//! feature `rpc` of `workflow-runtime` or `workflow-compiler`. The connector can carry out all
//! tasks of a workflow, or be called in their methods:
//!
//! ```
//! # use workflow_connectors::Rpc;
//! # use workflow_runtime::prelude::*;
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
//! The input of a task is the request, its output the response, both in the JSON mapping of
//! Protocol Buffers. Integers of 64 bits are texts in responses, and numbers or texts in requests.
//! Bytes are in Base64. An enumeration value is its name. Fields have their JSON names
//! (`accountId`); requests may also use the names of the file (`account_id`). Responses contain
//! all fields without presence, as `0`, `""` or `[]` if they were not sent.
//!
//! # Configuration
//!
//! Definitions contain no addresses. [`Rpc::builder`] takes each [`RpcService`] from the program.
//! [`Rpc::from_env`] reads these variables, for example for `acme.Bank`:
//!
//! | variable | |
//! |---|---|
//! | `WORKFLOW_RPC_ACME_BANK_ADDRESS` | its address, `bank.example.com:8443` or `http://localhost:50051` |
//! | `WORKFLOW_RPC_ACME_BANK_TOKEN` | a token, sent as `authorization: Bearer …` |
//! | `WORKFLOW_RPC_ACME_BANK_PLAINTEXT` | `true` if an address `http://…` may be on another machine |
//! | `WORKFLOW_RPC_ADDRESS`, `…_TOKEN`, `…_PLAINTEXT` | the same for all services without an address of their own |
//!
//! Connections are HTTP/2 over TLS, with the certificates that the system trusts. Each service has
//! one connection, which is made when it is needed, and kept. No proxy is used. [`Rpc::check`]
//! checks before a run that all services are known.
//!
//! Link-local addresses, in particular `169.254.0.0/16`, and other metadata addresses of clouds
//! are refused, also if a name resolves to them, unless a [`RpcService`] [allows
//! them](RpcService::allow_link_local).
//!
//! # Calls
//!
//! A call has a deadline, that of the task or the limit of [`RpcBuilder::timeout`], and sends it
//! to the service. It sends the [idempotency key](workflow_runtime::TaskContext::idempotency_key),
//! which is equal for all attempts, as the metadatum `idempotency-key`. It is sent once: the
//! retriers of the definition repeat it. If the execution no longer waits for the task, the call
//! is cancelled.
//!
//! # Faults
//!
//! | name | |
//! |---|---|
//! | `Grpc.NotFound`, `Grpc.Unavailable`, … | the service answers with this status; its message is the cause |
//! | `Grpc.NoAddress` | no address is configured for the service |
//! | `Grpc.InvalidRequest` | the input is not a request of the method, or too large; nothing was sent |
//! | `Grpc.InvalidAnswer` | the response is not one of the method, too large, or nested deeper than 100 messages |
//! | `Grpc.NotAMethod` | the task is not a method that the compiler has resolved |
//! | `Grpc.Unreachable` | there is no connection to the service; nothing was sent |
//! | `Grpc.Disconnected` | the connection broke; the call may have had its effect |
//! | `States.Timeout` | the deadline has passed; the call may have had its effect |
//!
//! The statuses are `Cancelled`, `Unknown`, `InvalidArgument`, `DeadlineExceeded`, `NotFound`,
//! `AlreadyExists`, `PermissionDenied`, `ResourceExhausted`, `FailedPrecondition`, `Aborted`,
//! `OutOfRange`, `Unimplemented`, `Internal`, `Unavailable`, `DataLoss` and `Unauthenticated`.
//!
//! Calls need a tokio runtime with timers and I/O enabled, as `#[tokio::main]` provides.

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
pub use builder::RpcBuilder;
pub use service::RpcService;

/// gRPC connector. A clone shares the connections.
///
/// ```no_run
/// use workflow_connectors::rpc::{Rpc, RpcService};
///
/// # fn rpc() -> Result<Rpc, Box<dyn std::error::Error>> {
/// let bank = RpcService::at("https://bank.example.com").bearer(std::env::var("BANK_TOKEN")?);
/// let rpc = Rpc::builder().service("acme.Bank", bank).max_message_bytes(1 << 20).build()?;
/// # Ok(rpc)
/// # }
/// ```
#[derive(Clone)]
pub struct Rpc(Arc<Shared>);

struct Shared {
    services: BTreeMap<String, Arc<service::GrpcChannel>>,
    /// Service of all names without one of their own.
    others: Option<Arc<service::GrpcChannel>>,
    /// Services of the environment, by variable name, if the environment was read.
    environment: Option<BTreeMap<String, Arc<service::GrpcChannel>>>,
    timeout: Duration,
    max_message_bytes: usize,
    /// Resolved methods, by the address of their operations.
    methods: Mutex<HashMap<usize, MethodDescriptor>>,
}

impl Rpc {
    /// Returns a builder without services.
    pub fn builder() -> RpcBuilder {
        RpcBuilder::new()
    }

    /// Returns a builder with the services of the environment. Returns an error if a variable is
    /// invalid.
    pub fn from_env() -> Result<RpcBuilder, ConfigError> {
        environment::builder()
    }

    /// Checks that the services of all methods of a definition are known.
    pub fn check(&self, definition: &Definition) -> Result<(), ConfigError> {
        definition.tasks.iter().try_for_each(|task| self.check_task(task))
    }

    /// Checks one task as [`Rpc::check`] does. A task that is not a method needs nothing.
    pub fn check_task(&self, task: &Task) -> Result<(), ConfigError> {
        match task.operation {
            Some(Operation::Rpc(operation)) => call::find(&self.0, operation).map(drop).map_err(|fault| {
                let cause = fault.cause().and_then(Value::as_str);
                ConfigError::new(cause.unwrap_or_default())
            }),
            _ => Ok(()),
        }
    }

    /// Calls the method of the task with this request, and returns the response.
    pub async fn call(&self, input: Value, cx: &TaskContext) -> Outcome {
        call::call(&self.0, input, cx).await
    }
}

impl Invoke for Rpc {
    /// Calls the method of the task, until the deadline of the task.
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
