//! Operations that OpenAPI documents describe.
//!
//! A definition says which operation a task is (`bank.json#charge`, a function of SM4C), and the document says of what the
//! request is made; that is known when the definition is compiled. Where the service is, and as whom it is called, only the
//! program knows. [`Rest`] can be all the tasks of a workflow: `Booking::builder().run(&rest, input)`. Where some of them are the
//! program's own, the methods of the others call [`Rest::call`]:
//!
//! ```
//! # use workflow_connectors::Rest;
//! # use workflow_runtime::{Fault, TaskContext, Value, include_workflow};
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
//! use workflow_connectors::rest::Service;
//!
//! let bank = Service::new("https://bank.example.com/v1").credentials("token", "the token of the shop");
//! let shop = Shop { rest: Rest::builder().service("bank", bank).build()? };
//! # Ok(())
//! # }
//! ```
//!
//! # Services
//!
//! A service is named after its document, without folders and endings: `bank` for `apis/bank.openapi.yaml`; by its whole path where two
//! documents would have the same name. It has an address, which stands before the paths of the document as its `servers`, or
//! `host` and `basePath`, would, and credentials by the names of the document's security schemes: a token (`bearer`, `oauth2`,
//! `openIdConnect`), `user:password` (`basic`), a key (`apiKey`). Case makes no difference in these names, and a `_` stands for
//! whatever is no letter and no digit.
//!
//! [`Rest::from_env`] takes both from the environment, [`Rest::builder`] from the program only:
//!
//! | variable | |
//! |---|---|
//! | `WORKFLOW_REST_BANK_URL` | the address of the service `bank` |
//! | `WORKFLOW_REST_BANK_TOKEN` | its credentials for the scheme `token` |
//!
//! [`Rest::check`] tells before anything is run what a definition needs that is not there. Requests go through the proxy that
//! `HTTPS_PROXY` and its kin name, unless the host is this machine.
//!
//! **What a definition or its data say leads to no other address.** A service without a configured address is not called, whatever
//! its document says of servers; redirects are not followed; a value in a path stays one part of it. Addresses of the link,
//! `169.254.0.0/16` above all, and others where clouds tell machines of themselves are refused, also where a name leads to them (names that
//! a proxy looks up excepted), unless a [`Service`] is [told otherwise](Service::allow_link_local).
//!
//! # Requests
//!
//! What is made of the arguments the document says: parameters in paths, queries, headers and cookies, and the body. An argument
//! that is null is left out where it is a parameter. `Idempotency-Key` is sent with methods that are not idempotent (`POST`, `PATCH`):
//! it is the same for all attempts of a call, and no other call has it. Every attempt is one request: trying again is what a
//! definition says with its retry policies.
//!
//! # Results and faults
//!
//! An answer with a status from 200 to 299 is the result: JSON is its value, a text a string, nothing null. Everything else is a
//! fault:
//!
//! | name | |
//! |---|---|
//! | `Http.StatusCode.404` | the answer has that status. The cause is `{"status": 404, "body": …}`, in which the body is JSON or a text, of 16 KiB at the most |
//! | `Http.Socket` | there is no connection, or it broke; where it broke the request may have been carried out |
//! | `States.Timeout` | the time of the task or of [`Builder::timeout`] was over; the request may still be carried out |
//! | `Http.InvalidResponse` | what was answered is not what its `Content-Type` says, or is neither JSON nor text |
//! | `Http.TooLarge` | the answer is larger than [`Builder::max_response_bytes`] |
//! | `Http.InvalidArguments` | no request can be made of the arguments; nothing was sent |
//! | `Http.NotConfigured` | there is no address, or there are no credentials; nothing was sent |
//!
//! In error handlers of SM4C the name is `.ClassName` and `.code`, and the cause of an answer `.data`: a handler with the condition
//! `${ .data.status >= 500 }` is for servers that fail. Credentials are in no fault, no log and no `Debug`.
//!
//! # Requests without a document
//!
//! A request that a definition [writes out](operation::Http) has its method, address, query, headers and body in its input. It goes to an
//! address of a service, which is the origin of one and below its path; so the configured addresses are those that are allowed,
//! whatever the services are called. Any other is refused as `Http.NotConfigured`, and nothing is sent. Where the definition tells
//! the host, [`Rest::check`] looks whether it is allowed.
//!
//! The credentials of a service are its secrets, by name: a definition says in which header one is sent, and its value is in no input,
//! result, fault or history. The headers of a [`Service`] are sent, too.
//!
//! The result is `{"status": 200, "headers": {…}, "body": …}`, in which the body is JSON if its `Content-Type` says so, else a
//! text, and null where there is none. A status from 300 to 599 is the fault `Http.StatusCode.404`, whose cause is the same
//! object, with no more than 16 KiB of the body; redirects are not followed. `Set-Cookie` is left out of both. Every
//! request has `Idempotency-Key`, and `Workflow-Attempt` with the number of the attempt.
//!
//! Calls are made on a runtime of tokio that has its timers and input and output enabled, as `#[tokio::main]` has.

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
pub use builder::{Builder, Service};
use builder::{Ready, folded};

/// Sends the requests that OpenAPI documents describe. A clone shares the connections.
#[derive(Clone)]
pub struct Rest {
    /// By their folded names.
    services: Arc<BTreeMap<String, Ready>>,
    timeout: Duration,
    max_response_bytes: usize,
}

impl Rest {
    /// Sets up where services are, and as whom they are called.
    pub fn builder() -> Builder {
        Builder::new()
    }

    /// As [`Rest::builder`], with what the environment tells. It is an error if that does not fit together.
    pub fn from_env() -> Result<Builder, ConfigError> {
        environment::builder()
    }

    /// Whether all that the operations of a definition need is there: an address, and credentials.
    pub fn check(&self, definition: &Definition) -> Result<(), ConfigError> {
        definition.tasks.iter().try_for_each(|task| self.check_task(task))
    }

    /// As [`Rest::check`], for one task. One that is no operation of a service needs nothing.
    pub fn check_task(&self, task: &Task) -> Result<(), ConfigError> {
        match task.operation {
            Some(Operation::Rest(operation)) => send::schemes(self, operation).map(drop).map_err(ConfigError::new),
            Some(Operation::Http(operation)) => raw::check(self, operation).map_err(ConfigError::new),
            _ => Ok(()),
        }
    }

    /// Sends the request of the task that is run, made of these arguments, and returns what is answered.
    pub async fn call(&self, arguments: Value, cx: &TaskContext) -> Outcome {
        let task = cx.task();
        // A path, headers and forms are made of parts of it, each with a text of its own.
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
                "the task `{}` of the state `{}` is no operation that an OpenAPI document describes, and no request",
                task.key, task.state
            ))),
        }
    }

    /// Sends the request of an operation, made of these arguments, and returns what is answered, within a time if one is given. A
    /// key makes requests of methods that are not idempotent one and the same.
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

    /// Sends a request that a definition writes out, made of the members of this input, and returns its status, headers and body,
    /// within a time if one is given. A key names the call; all attempts of it have the same.
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

    fn service(&self, name: &str) -> Option<&Ready> {
        self.services.get(&folded(name))
    }
}

impl Invoke for Rest {
    /// Sends the request that the document of the definition describes, until the deadline of the task.
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
