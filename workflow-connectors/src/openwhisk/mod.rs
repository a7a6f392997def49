//! OpenWhisk connector: invokes actions.
//!
//! [`OpenWhisk`] invokes the actions of a composition by their names:
//! `Builder::<Receipt>::new().tasks(&openwhisk).run(input)`. If some tasks are the program's own,
//! the methods of the others call [`OpenWhisk::call`]:
//!
//! ```
//! # use workflow_connectors::OpenWhisk;
//! # use workflow_runtime::prelude::*;
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
//! # Configuration
//!
//! [`OpenWhisk::from_env`] reads the host, the key and the namespace from the variables of an
//! action (`__OW_API_HOST`, `__OW_API_KEY`, `__OW_NAMESPACE`), from those of the command `wsk`
//! (`WHISK_APIHOST`, `WHISK_AUTH`, `WHISK_NAMESPACE`), or from its file (`APIHOST`, `AUTH` and
//! `NAMESPACE` in `~/.wskprops`, or in the file that `WSK_CONFIG_FILE` names).
//! [`OpenWhisk::builder`] reads none of them. Requests use the proxy of `HTTPS_PROXY` and related
//! variables, unless the host is this machine.
//!
//! # Faults
//!
//! The `error` of an action is the fault of its task, so that the handler of a composition finds
//! exactly that value. Other failures of a call are faults with a name:
//!
//! | name | meaning | retried |
//! |---|---|---|
//! | `OpenWhisk.InvalidName` | the name is not that of an action; nothing was sent | |
//! | `OpenWhisk.NotFound` | there is no such action | |
//! | `OpenWhisk.Unauthorized` | the API key is refused, or may not invoke the action | |
//! | `OpenWhisk.Unreachable` | there is no connection to the host | if it is refused |
//! | `OpenWhisk.Throttled` | too many requests (429) | yes |
//! | `OpenWhisk.Unavailable` | the platform accepts no requests now (503) | yes |
//! | `OpenWhisk.Rejected` | the platform does not accept the request | |
//! | `OpenWhisk.Failed` | the platform failed; the action may have run | |
//! | `OpenWhisk.Disconnected` | the connection broke; the action may have run | |
//! | `OpenWhisk.InvalidResponse` | the response is not one of the platform, or is too large | |
//! | `States.Timeout` | the deadline of the task or the limit of [`OpenWhiskBuilder::timeout`] has passed; the action may still run | |
//!
//! Only requests that certainly had no effect are retried, a bounded number of times, after
//! `Retry-After` or a growing pause. A composition sees a fault as the text `name: cause`.
//!
//! If an action takes longer than the platform lets a request wait (a minute), the connector polls
//! for the result until the time limit. If the execution no longer waits for the task, the request
//! is dropped; the platform lets the action run to its end.
//!
//! Calls need a tokio runtime with timers and I/O enabled, as `#[tokio::main]` provides.

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
pub use builder::OpenWhiskBuilder;
use key::Key;

/// OpenWhisk connector. A clone shares the connections.
///
/// ```no_run
/// use workflow_connectors::OpenWhisk;
/// use workflow_runtime::value;
///
/// # async fn call() -> Result<(), Box<dyn std::error::Error>> {
/// let openwhisk = OpenWhisk::builder().api_host("openwhisk.example.com").api_key("user:password").retries(5).build()?;
/// let receipt = openwhisk.call("shop/charge", value!({ "amount": 25 })).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct OpenWhisk {
    client: Client,
    /// API address, up to its version.
    api: Url,
    key: Key,
    namespace: String,
    timeout: Duration,
    max_response_bytes: usize,
    retries: u32,
}

impl OpenWhisk {
    /// Returns an empty builder.
    pub fn builder() -> OpenWhiskBuilder {
        OpenWhiskBuilder::new()
    }

    /// Returns a builder with the settings of the environment. Returns an error if a file that it
    /// names cannot be read.
    pub fn from_env() -> Result<OpenWhiskBuilder, ConfigError> {
        environment::builder()
    }

    /// Invokes an action and waits for its result. An input that is not an object is wrapped as
    /// `{"value": …}`; null becomes `{}`.
    ///
    /// For an action that returns the error `e`,
    /// [`Fault::to_error`](workflow_runtime::Fault::to_error) of the fault is `e`.
    pub async fn call(&self, action: &str, input: Value) -> Outcome {
        call::call(self, action, input, self.timeout).await
    }
}

impl Invoke for OpenWhisk {
    /// Invokes the action of the task, until the deadline of the task.
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
