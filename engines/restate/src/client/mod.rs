//! What programs do with executions from outside: through the ingress of the Restate server, and its admin interface.

mod http;
#[cfg(feature = "tls")]
mod tls;

use std::fmt;
use std::time::Duration;

use hyper::{Method, StatusCode};
use workflow_runtime::id::InvalidId;
use workflow_runtime::machine::{Outcome, Workflow};
use workflow_runtime::value::TEXT_LIMIT;
use workflow_runtime::{CloudEvent, Fault, TooLarge, Value, id, value};

use crate::beyond::CORRELATION;
use crate::{bus, journal, name};

pub(crate) use http::escape;

/// How long to wait before the admin interface is tried once more.
const PAUSE: Duration = Duration::from_millis(250);

/// The status of a response that says that an execution has not ended.
const NOT_READY: u16 = 470;

/// Knows where a Restate server is. A clone is the same.
#[derive(Debug, Clone)]
pub struct Client {
    ingress: String,
    admin: String,
    #[cfg(feature = "tls")]
    trust: tls::Trust,
}

impl Client {
    /// The addresses of the ingress and of the admin interface: `http://127.0.0.1:8080` and `http://127.0.0.1:9070`; with the
    /// feature `tls`, `https://` too, to those whom the system trusts.
    pub fn new(ingress: impl Into<String>, admin: impl Into<String>) -> Client {
        let base = |address: String| address.trim_end_matches('/').to_owned();
        Client {
            ingress: base(ingress.into()),
            admin: base(admin.into()),
            #[cfg(feature = "tls")]
            trust: tls::Trust::default(),
        }
    }

    /// Trusts whoever has one of these certificates, or one that was signed with one of them, and nobody else: a text in the
    /// format PEM.
    #[cfg(feature = "tls")]
    pub fn certificates(mut self, pem: &str) -> Result<Client, ClientError> {
        self.trust = tls::Trust::of(pem).map_err(ClientError::Certificates)?;
        Ok(self)
    }

    /// Registers what is served at an address, and yields the names of the services that are registered there now. Where
    /// something is registered at the address already, nothing happens, also if something else is served there since: then the
    /// names are the former ones.
    pub async fn register(&self, address: &str) -> Result<Vec<String>, ClientError> {
        self.deploy(address, false).await
    }

    /// As [`Client::register`], and forgets what was served at the address before. Executions of services that are not
    /// served there any more cannot go on.
    pub async fn replace(&self, address: &str) -> Result<Vec<String>, ClientError> {
        self.deploy(address, true).await
    }

    async fn deploy(&self, address: &str, force: bool) -> Result<Vec<String>, ClientError> {
        let body = value!({ "uri": address, "force": force });
        let url = format!("{}/deployments", self.admin);
        let answer = successful(http::send(self, Method::POST, &url, Some(body.to_string())).await?)?;
        let services =
            answer.get("services").and_then(Value::as_array).into_iter().flat_map(|services| services.iter());
        let names = services.filter_map(|service| service.get("name").and_then(Value::as_str));
        Ok(names.map(str::to_owned).collect())
    }

    /// As [`Client::register`], with these services; as long as the admin interface cannot be reached, it is tried again.
    pub(crate) async fn register_when_reachable(&self, address: &str, served: &[String]) -> Result<(), ClientError> {
        let registered = loop {
            match self.register(address).await {
                Err(ClientError::Unreachable { .. }) => tokio::time::sleep(PAUSE).await,
                other => break other?,
            }
        };
        match served.iter().all(|name| registered.contains(name)) {
            true => Ok(()),
            false => Err(ClientError::Refused {
                status: StatusCode::CONFLICT.as_u16(),
                message: format!("something else is registered at {address}: {}", registered.join(", ")),
            }),
        }
    }

    /// The executions of a workflow, as it is served by default.
    pub fn workflow<W: Workflow>(&self) -> Executions {
        self.service(&name::hashed(W::DEFINITION))
    }

    /// The executions of a workflow, by the name of its service.
    pub fn service(&self, name: &str) -> Executions {
        Executions { client: self.clone(), service: name.to_owned() }
    }
}

/// The executions of a workflow. Each has a key, which is its name.
#[derive(Debug, Clone)]
pub struct Executions {
    client: Client,
    service: String,
}

/// An execution that was started, now or before.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Started {
    /// The id of the invocation, by which Restate's tools know it.
    pub invocation: String,
    /// Whether there was one of the key already: then nothing was started, whatever its input.
    pub existed: bool,
}

/// How many executions an event has reached that was published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Reached {
    /// Those that were told of it, or have it.
    pub executions: u64,
    /// Those that it has started.
    pub started: u64,
}

impl Executions {
    /// The name of the service.
    pub fn name(&self) -> &str {
        &self.service
    }

    /// Starts an execution and does not wait for it. There is one for a key. A key that [no
    /// execution can be given](workflow_runtime::id::check) is refused, unless there is an
    /// execution that has it ([`ClientError::InvalidId`]).
    pub async fn start(&self, key: &str, input: impl Into<Value>) -> Result<Started, ClientError> {
        self.start_correlated(key, input, None).await
    }

    /// As [`Executions::start`], with the value by which events are told to be for the execution, of kinds that correlate by an
    /// attribute; by default it is the key. Its tasks are told.
    pub async fn start_correlated(
        &self,
        key: &str,
        input: impl Into<Value>,
        correlation: Option<&str>,
    ) -> Result<Started, ClientError> {
        if let Err(invalid) = id::check(key)
            && !self.is_there(key).await?
        {
            return Err(ClientError::InvalidId(invalid));
        }
        let url = self.handler(key, "run/send");
        let input = Some(json(&input.into())?);
        let header = correlation.map(|value| (CORRELATION, escape(value)));
        let answer = successful(http::send_with(&self.client, Method::POST, &url, input, header).await?)?;
        let text = |name: &str| answer.get(name).and_then(Value::as_str).unwrap_or_default();
        Ok(Started { invocation: text("invocationId").to_owned(), existed: text("status") == "PreviouslyAccepted" })
    }

    /// Whether there is an execution, also if it has ended.
    async fn is_there(&self, key: &str) -> Result<bool, ClientError> {
        let (status, _) = http::send(&self.client, Method::GET, &self.execution(key, "output"), None).await?;
        // With a key that is no part of a path, something else is asked for.
        let is_unknown = [StatusCode::BAD_REQUEST, StatusCode::NOT_FOUND, StatusCode::METHOD_NOT_ALLOWED];
        Ok(!is_unknown.contains(&status))
    }

    /// Waits until an execution has ended, and yields its outcome.
    pub async fn attach(&self, key: &str) -> Result<Outcome, ClientError> {
        outcome(http::send(&self.client, Method::GET, &self.execution(key, "attach"), None).await?)
    }

    /// The outcome of an execution, if it has ended.
    pub async fn outcome(&self, key: &str) -> Result<Option<Outcome>, ClientError> {
        let answer = http::send(&self.client, Method::GET, &self.execution(key, "output"), None).await?;
        if answer.0.as_u16() == NOT_READY { Ok(None) } else { outcome(answer).map(Some) }
    }

    /// The task that has this token has succeeded. Refused with the status 404 if no task of the execution was given the token,
    /// and with 409 if its outcome is there already. That nobody waits for it any more, because of a time-out or a sibling
    /// that failed, cannot be seen from outside: then it is taken, and nothing happens.
    pub async fn succeed(&self, key: &str, token: &str, output: impl Into<Value>) -> Result<(), ClientError> {
        self.signal(key, value!({ "token": token, "output": output.into() })).await
    }

    /// The task that has this token has failed.
    pub async fn fail(&self, key: &str, token: &str, fault: &Fault) -> Result<(), ClientError> {
        self.signal(key, value!({ "token": token, "fault": journal::fault_to_value(fault) })).await
    }

    /// The task that has this token has given a sign of life.
    pub async fn heartbeat(&self, key: &str, token: &str) -> Result<(), ClientError> {
        self.signal(key, value!({ "token": token, "heartbeat": true })).await
    }

    /// Cancels an execution: its tasks are dropped, and it fails with [`CANCELLED`](workflow_runtime::fault::names::CANCELLED). One that has ended
    /// stays as it is; where there is none, that is refused with the status 404.
    pub async fn cancel(&self, key: &str) -> Result<(), ClientError> {
        self.signal(key, value!({ "cancel": true })).await
    }

    /// Sends an event to an execution. When this returns, it is sure not to be lost. Where the definition waits for no such
    /// event, or the event is for executions of another correlation value, that is refused with the status 422; where the execution has ended, with 409; where it keeps too many already, with
    /// 429. One of the same source and id that was sent or published within a day is not delivered again
    /// ([`Service::events_known_for`](crate::Service::events_known_for)).
    pub async fn send(&self, key: &str, event: &CloudEvent) -> Result<(), ClientError> {
        self.signal(key, value!({ "event": event.to_value() })).await
    }

    /// Sends an event to all executions that run, if their definition waits for such events, now or later. How many those are.
    /// An execution that was started just now hears of it only once it runs; one that keeps too many events does not.
    pub async fn publish(&self, event: &CloudEvent) -> Result<u64, ClientError> {
        let url = format!("{}/{}", self.client.ingress, bus::path(&self.service, bus::Handler::Publish));
        let event = Some(json(&event.to_value())?);
        let told = successful(http::send(&self.client, Method::POST, &url, event).await?)?;
        Ok(told.as_i64().and_then(|told| u64::try_from(told).ok()).unwrap_or_default())
    }

    /// As [`Executions::publish`]; and an event that executions of the workflow begin with starts one, unless an execution takes it that
    /// is in its first state: that one gets it instead. In its place it is not kept by executions that do not wait for such events
    /// but there.
    ///
    /// What is started has the input `{}` and the key `event SOURCE ID`, which nobody else can
    /// give an execution. The same event starts nothing more within the time in which it is
    /// [known](crate::Service::events_known_for), and as long as Restate keeps that execution; nor
    /// does one that an execution has taken in its first state. Outside of its schedule nothing of
    /// a workflow is started, and the event is not noted.
    pub async fn publish_and_start(&self, event: &CloudEvent) -> Result<Reached, ClientError> {
        let url = format!("{}/{}", self.client.ingress, bus::path(&self.service, bus::Handler::Start));
        let event = Some(json(&event.to_value())?);
        let reached = successful(http::send(&self.client, Method::POST, &url, event).await?)?;
        let number = |name: &str| {
            reached.get(name).and_then(Value::as_i64).and_then(|number| u64::try_from(number).ok()).unwrap_or_default()
        };
        Ok(Reached { executions: number("executions"), started: number("started") })
    }

    /// Whether an execution runs, and what it waits for: `{"status": "running", "waits": [{"state": …}, …]}`. The first 100
    /// things are told. The execution is asked for it: `waits` is null if it does not answer for five seconds, as one does not
    /// whose process is not there.
    pub async fn status(&self, key: &str) -> Result<Value, ClientError> {
        successful(http::send(&self.client, Method::POST, &self.handler(key, "status"), None).await?)
    }

    async fn signal(&self, key: &str, signal: Value) -> Result<(), ClientError> {
        let url = self.handler(key, "signal");
        successful(http::send(&self.client, Method::POST, &url, Some(json(&signal)?)).await?).map(drop)
    }

    fn handler(&self, key: &str, handler: &str) -> String {
        format!("{}/{}/{}/{handler}", self.client.ingress, self.service, http::escape(key))
    }

    fn execution(&self, key: &str, what: &str) -> String {
        format!("{}/restate/workflow/{}/{}/{what}", self.client.ingress, self.service, http::escape(key))
    }
}

/// Returns the text that is sent. One that is too long is refused here.
fn json(value: &Value) -> Result<String, ClientError> {
    let refused = |error: TooLarge| ClientError::Refused { status: 413, message: format!("nothing was sent: {error}") };
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

/// The outcome of an execution: what failed with a fault that generated code knows was answered all the same.
fn outcome(answer: (StatusCode, Vec<u8>)) -> Result<Outcome, ClientError> {
    let failed = Value::from_json_slice(&answer.1).ok();
    let message = failed.as_ref().and_then(|failed| failed.get("message")).and_then(Value::as_str);
    match (answer.0.as_u16(), message) {
        (409 | 500, Some(message)) => Ok(journal::told(Err(journal::fault_of_message(message)))),
        _ => successful(answer).map(Ok),
    }
}

/// Why the Restate server did not do what it was asked to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClientError {
    /// It cannot be reached, or the connection broke: it is not known whether it did.
    Unreachable {
        /// What was asked for.
        url: String,
        /// What went wrong.
        problem: String,
    },
    /// It says why not.
    Refused {
        /// The status of the response: 404 where there is no such execution or service.
        status: u16,
        /// What it says.
        message: String,
    },
    /// It answered something that is not JSON.
    Unreadable(String),
    /// No execution can be given this id.
    InvalidId(InvalidId),
    /// The certificates that are to be trusted cannot be read.
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
            ClientError::Unreachable { url, problem } => write!(f, "no answer from {url}: {problem}"),
            ClientError::Refused { status, message } => write!(f, "refused with the status {status}: {message}"),
            ClientError::InvalidId(invalid) => invalid.fmt(f),
            ClientError::Certificates(problem) => write!(f, "the certificates cannot be read: {problem}"),
            ClientError::Unreadable(problem) => write!(f, "the answer is not JSON that can be read: {problem}"),
        }
    }
}

impl std::error::Error for ClientError {}
