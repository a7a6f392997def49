//! Client of a Restate server: the ingress for executions, and the admin interface for
//! registration.

mod http;
mod registration;
#[cfg(feature = "tls")]
mod tls;

use std::fmt;

use hyper::{Method, StatusCode};
use workflow_runtime::engine::MapUpdate;
use workflow_runtime::id::InvalidId;
use workflow_runtime::machine::{Outcome, Workflow};
use workflow_runtime::value::TEXT_LIMIT;
use workflow_runtime::{CloudEvent, Fault, TooLarge, Value, id, uri, value};

use crate::links::CORRELATION;
use crate::{events, journal, name};

/// Status of a response for an execution that has not ended.
const NOT_READY: u16 = 470;

/// Client of a Restate server. A clone shares its settings.
///
/// ```no_run
/// use workflow_restate::{Client, ClientError};
/// use workflow_runtime::{CloudEvent, Workflow, value};
///
/// # async fn run<Order: Workflow>() -> Result<(), ClientError> {
/// let orders = Client::new("http://127.0.0.1:8080", "http://127.0.0.1:9070").workflow::<Order>();
/// let started = orders.start("order-17", value!({ "amount": 25 })).await?;
/// println!("invocation {}, known: {}", started.invocation, started.existed);
/// println!("{:?}", orders.attach("order-17").await?);
///
/// let reached = orders.publish_and_start(&CloudEvent::new("17", "/shop", "order.placed")).await?;
/// println!("delivered to {}, started {}", reached.executions, reached.started);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Client {
    ingress: String,
    admin: String,
    #[cfg(feature = "tls")]
    trust: tls::Trust,
}

impl Client {
    /// Returns a client for the addresses of the ingress and of the admin interface:
    /// `http://127.0.0.1:8080` and `http://127.0.0.1:9070`. With the feature `tls` also
    /// `https://`, verified with the system's root certificates.
    pub fn new(ingress: impl Into<String>, admin: impl Into<String>) -> Client {
        let base = |address: String| address.trim_end_matches('/').to_owned();
        Client {
            ingress: base(ingress.into()),
            admin: base(admin.into()),
            #[cfg(feature = "tls")]
            trust: tls::Trust::default(),
        }
    }

    /// Trusts only these certificates and those signed with them, in PEM format.
    #[cfg(feature = "tls")]
    pub fn certificates(mut self, pem: &str) -> Result<Client, ClientError> {
        self.trust = tls::Trust::of(pem).map_err(ClientError::Certificates)?;
        Ok(self)
    }

    /// Returns the rows of a query in SQL to the admin interface.
    pub(crate) async fn query(&self, sql: &str) -> Result<Vec<Value>, ClientError> {
        let url = format!("{}/query", self.admin);
        let body = Some(value!({ "query": sql }).to_string());
        let json = ("accept", "application/json".to_owned());
        let answer = successful(http::send_with(self, Method::POST, &url, body, Some(json)).await?)?;
        Ok(answer.get("rows").and_then(Value::as_array).map(|rows| rows.to_vec()).unwrap_or_default())
    }

    /// Returns the address of the ingress.
    pub(crate) fn ingress(&self) -> &str {
        &self.ingress
    }

    /// Returns the executions of a workflow under its default service name.
    pub fn workflow<W: Workflow>(&self) -> Executions {
        self.service(&name::hashed(W::DEFINITION))
    }

    /// Returns the executions of the service of this name.
    pub fn service(&self, name: &str) -> Executions {
        Executions { client: self.clone(), service: name.to_owned() }
    }
}

/// Executions of a service. The key of an execution is its name.
///
/// See the example of [`Client`].
#[derive(Debug, Clone)]
pub struct Executions {
    client: Client,
    service: String,
}

/// Result of a start.
///
/// See the example of [`Client`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Started {
    /// Id of the invocation in Restate's tools.
    pub invocation: String,
    /// Set if an execution of the key existed: nothing was started, whatever its input.
    pub existed: bool,
}

/// Numbers of executions that an event reached.
///
/// See the example of [`Client`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Reached {
    /// Executions that have the event.
    pub executions: u64,
    /// Executions that it started.
    pub started: u64,
    /// Executions that do not receive it because their inboxes are full.
    pub full: u64,
}

impl Executions {
    /// Returns the name of the service.
    pub fn name(&self) -> &str {
        &self.service
    }

    /// Starts an execution without waiting for it. Each key has one execution. An [invalid
    /// key](workflow_runtime::id::check) is refused ([`ClientError::InvalidId`]) unless an
    /// execution has it.
    pub async fn start(&self, key: &str, input: impl Into<Value>) -> Result<Started, ClientError> {
        self.start_correlated(key, input, None).await
    }

    /// Starts an execution with a correlation key, for event kinds that correlate by an attribute;
    /// by default it is the key of the execution. Its tasks can read it.
    pub async fn start_correlated(
        &self,
        key: &str,
        input: impl Into<Value>,
        correlation: Option<&str>,
    ) -> Result<Started, ClientError> {
        if let Err(invalid) = id::check(key)
            && !self.exists(key).await?
        {
            return Err(ClientError::InvalidId(invalid));
        }
        let url = self.handler(key, "run/send");
        let input = Some(json(&input.into())?);
        let header = correlation.map(|value| (CORRELATION, uri::encode(value)));
        let answer = successful(http::send_with(&self.client, Method::POST, &url, input, header).await?)?;
        let text = |name: &str| answer.get(name).and_then(Value::as_str).unwrap_or_default();
        Ok(Started { invocation: text("invocationId").to_owned(), existed: text("status") == "PreviouslyAccepted" })
    }

    /// Returns `true` if the execution exists, running or ended.
    pub(crate) async fn exists(&self, key: &str) -> Result<bool, ClientError> {
        let (status, _) = http::send(&self.client, Method::GET, &self.execution(key, "output"), None).await?;
        // A key that is not a path segment leads to another resource.
        let is_unknown = [StatusCode::BAD_REQUEST, StatusCode::NOT_FOUND, StatusCode::METHOD_NOT_ALLOWED];
        Ok(!is_unknown.contains(&status))
    }

    /// Waits until the execution has ended, and returns its outcome. After a failure, the program
    /// that serves the workflow has to answer, because the execution may have been redriven.
    pub async fn attach(&self, key: &str) -> Result<Outcome, ClientError> {
        let first = outcome(http::send(&self.client, Method::GET, &self.execution(key, "attach"), None).await?)?;
        Ok(self.after(key, first, false).await?.unwrap_or_else(|| Err(crate::cancelled())))
    }

    /// Returns the outcome of the execution if it has ended. After a failure, the program that
    /// serves the workflow has to answer, as for [`Executions::attach`].
    pub async fn outcome(&self, key: &str) -> Result<Option<Outcome>, ClientError> {
        let answer = http::send(&self.client, Method::GET, &self.execution(key, "output"), None).await?;
        if answer.0.as_u16() == NOT_READY { Ok(None) } else { self.after(key, outcome(answer)?, true).await }
    }

    /// Returns the outcome of the latest try of an execution whose first one has this outcome.
    async fn after(&self, key: &str, first: Outcome, now: bool) -> Result<Option<Outcome>, ClientError> {
        if first.is_ok() {
            return Ok(Some(first));
        }
        let asked = Some(json(&value!({ "outcome": { "now": now } }))?);
        let answer = http::send(&self.client, Method::POST, &self.handler(key, "status"), asked).await?;
        let answer = successful(answer)?;
        if answer.get("fault").is_none() && answer.get("output").is_none() {
            // Programs of earlier versions redrive nothing, and answer with the status.
            return Ok((!answer.is_null()).then_some(first));
        }
        Ok(Some(journal::external_outcome(journal::outcome_in(answer).1)))
    }

    /// Redrives an execution that has failed: continues it from the state that failed. Tasks that
    /// have completed do not run again. Its child executions are redriven, too. The redrive is
    /// durable on return; [`Executions::attach`] waits for its outcome.
    ///
    /// The execution has to end before the server removes it, by default a day after its first
    /// failure. Refused with status 404 if there is no such execution, 409 if it has not failed,
    /// and 422 if its state before the failure is not stored, or if the program has another
    /// definition.
    pub async fn redrive(&self, key: &str) -> Result<(), ClientError> {
        self.signal(key, value!({ "redrive": true })).await.map(drop)
    }

    /// Completes the task of this token with an output. Refused with status 404 if no task of the
    /// execution has the token, and with 409 if its outcome exists already. An outcome for an
    /// abandoned task, after a time-out or the failure of a sibling, is accepted and has no
    /// effect.
    pub async fn succeed(&self, key: &str, token: &str, output: impl Into<Value>) -> Result<(), ClientError> {
        self.signal(key, value!({ "token": token, "output": output.into() })).await.map(drop)
    }

    /// Completes the task of this token with a fault.
    pub async fn fail(&self, key: &str, token: &str, fault: &Fault) -> Result<(), ClientError> {
        self.signal(key, value!({ "token": token, "fault": journal::fault_to_value(fault) })).await.map(drop)
    }

    /// Records a heartbeat of the task of this token.
    pub async fn heartbeat(&self, key: &str, token: &str) -> Result<(), ClientError> {
        self.signal(key, value!({ "token": token, "heartbeat": true })).await.map(drop)
    }

    /// Cancels an execution: its tasks are dropped, and it fails with
    /// [`CANCELLED`](workflow_runtime::fault::names::CANCELLED). An ended execution stays as it
    /// is. Refused with status 404 if there is no such execution.
    pub async fn cancel(&self, key: &str) -> Result<(), ClientError> {
        self.signal(key, value!({ "cancel": true })).await.map(drop)
    }

    /// Changes a run of a distributed Map that has not ended: how many of its children run at
    /// once, and how many failures it tolerates. The change is durable on return. Refused with
    /// status 400 if a number is out of range, 404 if there is no such execution, 409 if it has
    /// ended, 422 if it is not the run of a Map, and 503 if it has not answered within five
    /// seconds: it may not have begun.
    pub async fn update_map(&self, key: &str, update: MapUpdate) -> Result<(), ClientError> {
        self.signal(key, value!({ "update": update.to_value() })).await.map(drop)
    }

    /// Sends an event to one execution. The event is durable on return. Refused with status 422 if
    /// the definition does not wait for such an event or the correlation key differs, 409 if the
    /// execution has ended, and 429 if its inbox is full.
    ///
    /// A duplicate (same source and id) is not delivered again
    /// ([`Service::events_known_for`](crate::Service::events_known_for)).
    pub async fn send(&self, key: &str, event: &CloudEvent) -> Result<(), ClientError> {
        self.send_once(key, event).await.map(drop)
    }

    /// Sends an event as [`Executions::send`] does. Returns `false` for a duplicate.
    pub(crate) async fn send_once(&self, key: &str, event: &CloudEvent) -> Result<bool, ClientError> {
        let delivered = self.signal(key, value!({ "event": event.to_value() })).await?;
        // Programs of earlier versions answer null.
        Ok(delivered.as_i64() != Some(0))
    }

    /// Publishes an event to all running executions whose definition waits for it, now or later.
    /// Returns the number of executions. An execution that was just started receives published
    /// events only once it runs. An execution with a full inbox does not receive the event.
    pub async fn publish(&self, event: &CloudEvent) -> Result<u64, ClientError> {
        self.publish_to_running(event).await.map(|reached| reached.executions)
    }

    /// Publishes an event as [`Executions::publish`] does. Returns also the number of executions
    /// with full inboxes.
    pub(crate) async fn publish_to_running(&self, event: &CloudEvent) -> Result<Reached, ClientError> {
        let url = format!("{}/{}", self.client.ingress, events::path(&self.service, events::EventHandler::Publish));
        let event = Some(json(&event.to_value())?);
        let answer = successful(http::send(&self.client, Method::POST, &url, event).await?)?;
        // Programs of earlier versions answer the number of executions only.
        let executions = answer.as_i64().and_then(|count| u64::try_from(count).ok());
        Ok(executions.map_or_else(|| reached(&answer), |executions| Reached { executions, ..Reached::default() }))
    }

    /// Publishes an event as [`Executions::publish`] does, and starts executions. A start event
    /// starts one execution, unless an execution in its first state accepts it: then it is
    /// delivered to that one. Executions that wait for such events nowhere else do not keep a
    /// copy.
    ///
    /// A started execution has the input `{}` and the key `event SOURCE ID`, which clients cannot
    /// choose. The same event starts nothing more within the [deduplication
    /// time](crate::Service::events_known_for), and neither does an event that an execution
    /// accepted in its first state. After that time it starts another one, whose key has one more
    /// space before the source. Outside of its schedule, a workflow starts nothing, and the event
    /// is not recorded as a duplicate.
    ///
    /// Refused with status 429 if an execution would accept it in its first state, but has a full
    /// inbox. Publish it again then: executions that have it already do not receive it again.
    pub async fn publish_and_start(&self, event: &CloudEvent) -> Result<Reached, ClientError> {
        let url = format!("{}/{}", self.client.ingress, events::path(&self.service, events::EventHandler::Start));
        let event = Some(json(&event.to_value())?);
        Ok(reached(&successful(http::send(&self.client, Method::POST, &url, event).await?)?))
    }

    /// Returns the status of an execution, and of a running one its first 100 waits: `{"status":
    /// "running", "waits": [{"state": …}, …]}`. The execution itself answers: `waits` is null if
    /// it does not within five seconds, for example because no process is available.
    pub async fn status(&self, key: &str) -> Result<Value, ClientError> {
        successful(http::send(&self.client, Method::POST, &self.handler(key, "status"), None).await?)
    }

    /// Returns the identity of the request that started the execution, if it is recorded.
    pub(crate) async fn request(&self, key: &str) -> Result<Option<String>, ClientError> {
        match http::send(&self.client, Method::POST, &self.handler(key, "request"), None).await? {
            // Programs of earlier versions do not have the handler.
            (StatusCode::NOT_FOUND, _) => Ok(None),
            answer => Ok(successful(answer)?.as_str().map(str::to_owned)),
        }
    }

    async fn signal(&self, key: &str, signal: Value) -> Result<Value, ClientError> {
        let url = self.handler(key, "signal");
        successful(http::send(&self.client, Method::POST, &url, Some(json(&signal)?)).await?)
    }

    fn handler(&self, key: &str, handler: &str) -> String {
        format!("{}/{}/{}/{handler}", self.client.ingress, self.service, uri::encode(key))
    }

    fn execution(&self, key: &str, what: &str) -> String {
        format!("{}/restate/workflow/{}/{}/{what}", self.client.ingress, self.service, uri::encode(key))
    }
}

/// Returns the numbers of an answer to an event.
fn reached(answer: &Value) -> Reached {
    let number = |name: &str| {
        answer.get(name).and_then(Value::as_i64).and_then(|number| u64::try_from(number).ok()).unwrap_or_default()
    };
    Reached { executions: number("executions"), started: number("started"), full: number("full") }
}

/// Returns the text to send. A text that is too long is refused here.
fn json(value: &Value) -> Result<String, ClientError> {
    let refused =
        |error: TooLarge| ClientError::Refused { status: 413, message: format!("the event was not sent: {error}") };
    value.to_json(TEXT_LIMIT).map_err(refused)
}

/// Returns the JSON of a response, unless it is one of an error.
fn successful((status, body): (StatusCode, Vec<u8>)) -> Result<Value, ClientError> {
    if !status.is_success() {
        return Err(ClientError::refused(status, &body));
    }
    if body.is_empty() {
        return Ok(Value::Null);
    }
    Value::from_json_slice(&body).map_err(|error| ClientError::Unreadable(error.to_string()))
}

/// Returns the outcome of an execution from a response. A failure that carries a fault is an
/// outcome.
fn outcome(answer: (StatusCode, Vec<u8>)) -> Result<Outcome, ClientError> {
    let failed = Value::from_json_slice(&answer.1).ok();
    let message = failed.as_ref().and_then(|failed| failed.get("message")).and_then(Value::as_str);
    match (answer.0.as_u16(), message) {
        (409 | 500, Some(message)) => Ok(journal::external_outcome(Err(journal::fault_of_message(message)))),
        _ => successful(answer).map(Ok),
    }
}

/// Reason why a request failed.
///
/// ```no_run
/// use workflow_restate::{ClientError, Executions};
///
/// # async fn cancel(orders: Executions) {
/// match orders.cancel("order-17").await {
///     Ok(()) => println!("cancelled"),
///     Err(ClientError::Refused { status: 404, .. }) => println!("there is no such order"),
///     Err(error) => println!("{error}"),
/// }
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClientError {
    /// The server cannot be reached, or the connection broke: the request may have had its effect.
    Unreachable {
        /// URL of the request.
        url: String,
        /// Problem.
        problem: String,
    },
    /// The server refused the request.
    Refused {
        /// Status of the response: 404 for an unknown execution or service.
        status: u16,
        /// Message of the server.
        message: String,
    },
    /// The response is not JSON.
    Unreadable(String),
    /// The service of this name is registered, but the ingress has not had it for a minute.
    NotAtIngress(String),
    /// The id is invalid.
    InvalidId(InvalidId),
    /// The trusted certificates cannot be read.
    Certificates(String),
}

impl ClientError {
    fn refused(status: StatusCode, body: &[u8]) -> ClientError {
        let answer = Value::from_json_slice(body).ok();
        let message = answer.as_ref().and_then(|answer| answer.get("message")).and_then(Value::as_str);
        let message = message.map_or_else(|| String::from_utf8_lossy(body).into_owned(), str::to_owned);
        ClientError::Refused { status: status.as_u16(), message }
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClientError::Unreachable { url, problem } => write!(f, "no response from {url}: {problem}"),
            ClientError::Refused { status, message } => write!(f, "rejected with status {status}: {message}"),
            ClientError::NotAtIngress(service) => {
                write!(
                    f,
                    "the service `{service}` is registered, but the ingress does not have it yet: try again later"
                )
            }
            ClientError::InvalidId(invalid) => invalid.fmt(f),
            ClientError::Certificates(problem) => write!(f, "cannot read the certificates: {problem}"),
            ClientError::Unreadable(problem) => write!(f, "cannot read the response as JSON: {problem}"),
        }
    }
}

impl std::error::Error for ClientError {}
