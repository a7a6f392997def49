//! REST connector: calls operations that OpenAPI documents describe.
//!
//! A definition names the operation of a task (`bank.json#charge`, a function of SM4C), and the
//! document describes its request. The compiler resolves both. The program provides the address
//! and the credentials of the service. [`Rest`] can carry out all tasks of a workflow:
//! `Builder::<Booking>::new().tasks(&rest).run(input)`. If some tasks are the program's own, the
//! methods of the others call [`Rest::call`]:
//!
//! ```
//! # use workflow_connectors::Rest;
//! # use workflow_runtime::prelude::*;
//! # include_workflow!("flows/refund.sm4c.json");
//! struct Shop {
//!     rest: Rest,
//! }
//!
//! impl refund::Tasks for Shop {
//!     async fn charge(&self, arguments: Value, cx: TaskContext) -> Result<Value, Fault> {
//!         self.rest.call(arguments, &cx).await
//!     }
//!
//!     async fn refund(&self, arguments: Value, cx: TaskContext) -> Result<Value, Fault> {
//!         self.rest.call(arguments, &cx).await
//!     }
//! }
//!
//! # fn main() -> Result<(), workflow_connectors::rest::ConfigError> {
//! use workflow_connectors::rest::RestService;
//!
//! let bank = RestService::new("https://bank.example.com/v1").credentials("token", "the token of the shop");
//! let shop = Shop { rest: Rest::builder().service("bank", bank).build()? };
//! # Ok(())
//! # }
//! ```
//!
//! # Services
//!
//! A service is named after its document, without folders and extensions: `bank` for
//! `apis/bank.openapi.yaml`. If two documents would have the same name, their whole paths are the
//! names. A service has an address, which replaces `servers`, or `host` and `basePath`, of the
//! document. It has credentials by the names of the document's security schemes: a token
//! (`bearer`, `oauth2`, `openIdConnect`), `user:password` (`basic`), or a key (`apiKey`). These
//! names are not case-sensitive, and `_` stands for any character that is neither a letter nor a
//! digit.
//!
//! [`Rest::from_env`] reads both from the environment, [`Rest::builder`] takes them from the
//! program only:
//!
//! | variable | |
//! |---|---|
//! | `WORKFLOW_REST_BANK_URL` | the address of the service `bank` |
//! | `WORKFLOW_REST_BANK_TOKEN` | its credentials for the scheme `token` |
//!
//! [`Rest::check`] reports missing configuration of a definition before anything runs. Requests
//! use the proxy of `HTTPS_PROXY` and related variables, unless the host is this machine.
//!
//! **Neither a definition nor its data can lead to another address.** A service without a
//! configured address is not called, whatever servers its document names. Redirects are not
//! followed. A value in a path stays one segment. Link-local addresses, in particular
//! `169.254.0.0/16`, and other metadata addresses of clouds are refused, also if a name resolves
//! to them (except names that a proxy resolves), unless a [`RestService`] [allows
//! them](RestService::allow_link_local).
//!
//! # Requests
//!
//! The document determines how arguments become parameters in paths, queries, headers and cookies,
//! and the body. A null argument of a parameter is omitted. Methods that are not idempotent
//! (`POST`, `PATCH`) send `Idempotency-Key`, which is equal for all attempts of one call. Every
//! attempt is one request: the retriers of the definition repeat it.
//!
//! # Results and faults
//!
//! A response with a status from 200 to 299 is the result: JSON is its value, a text is a string,
//! no body is null. Any other response is a fault:
//!
//! | name | |
//! |---|---|
//! | `Http.StatusCode.404` | the response has that status. The cause is `{"status": 404, "body": …}`; the body is JSON or a text of at most 16 KiB |
//! | `Http.Socket` | there is no connection, or it broke; a request whose connection broke may have had its effect |
//! | `States.Timeout` | the deadline of the task or the limit of [`RestBuilder::timeout`] has passed; the request may still have its effect |
//! | `Http.InvalidResponse` | the response contradicts its `Content-Type`, or is neither JSON nor text |
//! | `Http.TooLarge` | the response is larger than [`RestBuilder::max_response_bytes`] |
//! | `Http.InvalidArguments` | the arguments do not make a valid request; nothing was sent |
//! | `Http.NotConfigured` | the address or credentials are missing; nothing was sent |
//!
//! In error handlers of SM4C, the name is `.ClassName` and `.code`, and the cause of a response is
//! `.data`: a handler with the condition `${ .data.status >= 500 }` handles failing servers.
//! Credentials never appear in faults, logs or `Debug` output.
//!
//! # Requests without a document
//!
//! A request [written out](operation::Http) in a definition has its method, address, query,
//! headers and body in its input. Its address must have the origin of a service, and a path below
//! that of the service. So the configured addresses are the allowed ones, whatever the services
//! are called. Any other address is refused as `Http.NotConfigured`, and nothing is sent. If the
//! definition fixes the host, [`Rest::check`] checks it.
//!
//! The credentials of a service are its secrets, by name. A definition names the header for a
//! secret; the value appears in no input, result, fault or history. The headers of a
//! [`RestService`] are sent as well.
//!
//! The result is `{"status": 200, "headers": {…}, "body": …}`. The body is JSON if its
//! `Content-Type` says so, otherwise a text, or null if there is none. A status from 300 to 599 is
//! the fault `Http.StatusCode.404`, whose cause is the same object with at most 16 KiB of the
//! body. Redirects are not followed. `Set-Cookie` is omitted from both. Every request sends
//! `Idempotency-Key`, and `Workflow-Attempt` with the number of the attempt.
//!
//! Calls need a tokio runtime with timers and I/O enabled, as `#[tokio::main]` provides.

mod answer;
mod builder;
mod credentials;
mod environment;
mod raw;
mod request;
mod send;
mod style;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use workflow_runtime::machine::{Definition, Outcome, Task};
use workflow_runtime::operation::{self, Operation};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::value::TEXT_LIMIT;
use workflow_runtime::{Fault, TaskContext, Value};

pub use crate::ConfigError;
use builder::{ReadyService, folded};
pub use builder::{RestBuilder, RestService};

/// REST connector. A clone shares the connections.
///
/// ```
/// use std::time::Duration;
/// use workflow_connectors::rest::{Rest, RestService};
///
/// # fn main() -> Result<(), workflow_connectors::ConfigError> {
/// let bank = RestService::new("https://bank.example.com/v1").credentials("token", "the token of the shop");
/// let rest = Rest::builder().service("bank", bank).timeout(Duration::from_secs(10)).build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Rest {
    /// Services, by folded name.
    services: Arc<BTreeMap<String, ReadyService>>,
    timeout: Duration,
    max_response_bytes: usize,
}

impl Rest {
    /// Returns a builder without services.
    pub fn builder() -> RestBuilder {
        RestBuilder::new()
    }

    /// Returns a builder with the services of the environment. Returns an error if variables
    /// contradict each other.
    pub fn from_env() -> Result<RestBuilder, ConfigError> {
        environment::builder()
    }

    /// Checks that all operations of a definition have an address and credentials.
    pub fn check(&self, definition: &Definition) -> Result<(), ConfigError> {
        definition.tasks.iter().try_for_each(|task| self.check_task(task))
    }

    /// Checks one task as [`Rest::check`] does. A task that is not an operation needs nothing.
    pub fn check_task(&self, task: &Task) -> Result<(), ConfigError> {
        match task.operation {
            Some(Operation::Rest(operation)) => send::schemes(self, operation).map(drop).map_err(ConfigError::new),
            Some(Operation::Http(operation)) => raw::check(self, operation).map_err(ConfigError::new),
            _ => Ok(()),
        }
    }

    /// Sends the request of the running task with these arguments, and returns the result.
    pub async fn call(&self, arguments: Value, cx: &TaskContext) -> Outcome {
        let task = cx.task();
        // Path, headers and forms each copy parts of the arguments.
        let checked = arguments.json_len(TEXT_LIMIT);
        checked.map_err(|error| Fault::too_large(format_args!("The input of the task `{}`", task.key), error))?;
        let left = cx.deadline().map(|deadline| deadline.since(cx.now()));
        match &task.operation {
            Some(Operation::Rest(operation)) => {
                self.send(operation, arguments, left, Some(&cx.idempotency_key())).await
            }
            Some(Operation::Http(operation)) => {
                self.send_http(operation, arguments, left, Some(&cx.idempotency_key()), cx.attempt()).await
            }
            _ => Err(Fault::runtime(format!(
                "the task `{}` of the state `{}` is neither an operation of an OpenAPI document nor an HTTP request",
                task.key, task.state
            ))),
        }
    }

    /// Sends the request of an operation with these arguments, and returns the result, within an
    /// optional time. The key is the idempotency key for methods that are not idempotent.
    pub async fn send(
        &self,
        operation: &operation::Rest,
        arguments: Value,
        limit: Option<Duration>,
        key: Option<&str>,
    ) -> Outcome {
        let limit = limit.map_or(self.timeout, |limit| limit.min(self.timeout));
        send::send(self, operation, arguments, limit, key).await
    }

    /// Sends a request written out in a definition, with the members of this input. Returns its
    /// status, headers and body, within an optional time. The key is the idempotency key of the
    /// call.
    pub async fn send_http(
        &self,
        operation: &operation::Http,
        input: Value,
        limit: Option<Duration>,
        key: Option<&str>,
        attempt: u32,
    ) -> Outcome {
        let limit = limit.map_or(self.timeout, |limit| limit.min(self.timeout));
        raw::send(self, operation, input, limit, raw::Call { key, attempt }).await
    }

    fn service(&self, name: &str) -> Option<&ReadyService> {
        self.services.get(&folded(name))
    }
}

impl Invoke for Rest {
    /// Sends the request of the task's operation, until the deadline of the task.
    fn invoke<'a>(&'a self, _: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        Box::pin(async move { self.call(input, &cx).await })
    }
}

impl fmt::Debug for Rest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rest")
            .field("services", &self.services)
            .field("timeout", &self.timeout)
            .field("max_response_bytes", &self.max_response_bytes)
            .finish()
    }
}
