//! Actions of OpenWhisk.
//!
//! [`OpenWhisk`] invokes the actions of a composition by the names it has for them: `Receipt::builder().run(&openwhisk, input)`.
//! Where some tasks are the program's own, their methods are written as ever, and those of the others call
//! [`OpenWhisk::call`]:
//!
//! ```
//! # use workflow_connectors::OpenWhisk;
//! # use workflow_runtime::{Fault, TaskContext, Value, include_workflow, value};
//! # include_workflow!("flows/receipt.composer.json");
//! struct Shop {
//!     openwhisk: OpenWhisk,
//! }
//!
//! impl receipt::Tasks for Shop {
//!     async fn shop_pay(&self, order: Value, _: TaskContext) -> Result<Value, Fault> {
//!         self.openwhisk.call("shop/pay", order).await
//!     }
//!
//!     async fn print(&self, receipt: Value, _: TaskContext) -> Result<Value, Fault> {
//!         Ok(value!({ "printed": receipt }))
//!     }
//! }
//! ```
//!
//! # Where the platform is
//!
//! [`OpenWhisk::from_env`] looks, for each of the host, the key and the namespace, into the variables that an action finds
//! (`__OW_API_HOST`, `__OW_API_KEY`, `__OW_NAMESPACE`), those that the command `wsk` reads (`WHISK_APIHOST`, `WHISK_AUTH`,
//! `WHISK_NAMESPACE`), and its file (`APIHOST`, `AUTH` and `NAMESPACE` in `~/.wskprops`, or in the file that
//! `WSK_CONFIG_FILE` names). [`OpenWhisk::builder`] looks nowhere. Requests go through the proxy that `HTTPS_PROXY` and its
//! kin name, unless the host is this machine.
//!
//! # Faults
//!
//! What an action gives as `error` is the fault of its task, so that the handler of a composition finds exactly that value.
//! A call that fails otherwise has a fault with a name:
//!
//! | name | | sent once more |
//! |---|---|---|
//! | `OpenWhisk.InvalidName` | the name is not that of an action; nothing was sent | |
//! | `OpenWhisk.NotFound` | there is no such action | |
//! | `OpenWhisk.Unauthorized` | the API key is refused, or may not invoke the action | |
//! | `OpenWhisk.Unreachable` | there is no connection to the host | where it is refused |
//! | `OpenWhisk.Throttled` | too many requests (429) | yes |
//! | `OpenWhisk.Unavailable` | the platform takes no requests now (503) | yes |
//! | `OpenWhisk.Rejected` | the platform does not accept the request | |
//! | `OpenWhisk.Failed` | the platform failed; the action may have run | |
//! | `OpenWhisk.Disconnected` | the connection broke; the action may have run | |
//! | `OpenWhisk.InvalidResponse` | the answer is not what the platform answers, or is too large | |
//! | `States.Timeout` | the time of the task or of [`Builder::timeout`] was over; the action may still run | |
//!
//! Only what certainly was not carried out is sent once more, a bounded number of times, after what `Retry-After` says or
//! else a growing pause. A composition sees a fault as the text `name: cause`.
//!
//! An action that takes longer than the platform lets a request wait (a minute) is asked for, until its time is over. If the
//! execution no longer waits for a task, the request is given up; the platform lets the action run to its end all the same.
//!
//! Calls are made on a runtime of tokio that has its timers and input and output enabled, as `#[tokio::main]` has.

mod answer;
mod builder;
mod call;
mod environment;
mod key;
mod name;

use std::fmt;
use std::time::Duration;

use reqwest::{Client, Url};
use workflow_runtime::machine::{Outcome, Task};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::{TaskContext, Value};

pub use crate::ConfigError;
pub use builder::Builder;
use key::Key;

/// Invokes actions of OpenWhisk. A clone shares the connections.
#[derive(Clone)]
pub struct OpenWhisk {
    client: Client,
    /// The address of the API, up to its version.
    api: Url,
    key: Key,
    namespace: String,
    timeout: Duration,
    max_response_bytes: usize,
    retries: u32,
}

impl OpenWhisk {
    /// Sets up where the platform is, and as whom it is called.
    pub fn builder() -> Builder {
        Builder::new()
    }

    /// As [`OpenWhisk::builder`], with what the environment tells. It is an error if a file cannot be read that it names.
    pub fn from_env() -> Result<Builder, ConfigError> {
        environment::builder()
    }

    /// Invokes an action and waits for its result. An input that is no object is wrapped as `{"value": …}`; none is `{}`.
    ///
    /// The fault of an action that gives the error `e` has [`Fault::to_error`](workflow_runtime::Fault::to_error) `e`.
    pub async fn call(&self, action: &str, input: Value) -> Outcome {
        call::call(self, action, input, self.timeout).await
    }
}

impl Invoke for OpenWhisk {
    /// Invokes the action that the definition names, until the deadline of the task.
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        let left = cx.deadline().map(|deadline| deadline.since(cx.now()));
        let limit = left.map_or(self.timeout, |left| left.min(self.timeout));
        Box::pin(call::call(self, task.resource, input, limit))
    }
}

impl fmt::Debug for OpenWhisk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenWhisk")
            .field("api", &self.api.as_str())
            .field("key", &self.key)
            .field("namespace", &self.namespace)
            .field("timeout", &self.timeout)
            .field("max_response_bytes", &self.max_response_bytes)
            .field("retries", &self.retries)
            .finish_non_exhaustive()
    }
}
