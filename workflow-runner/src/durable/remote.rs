//! The server that has the database, as an engine. It carries changes out; this process reads the
//! database.

use std::net::SocketAddr;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::header::{self, HeaderName};
use hyper::{Method, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use workflow_runtime::engine::{
    Capabilities, Capability, Description, Engine, EngineError, EngineFuture, Filter, HistoryPage, MapUpdate,
    Publication, Purge, Reached, Signal, StartRequest, StartTime, Started, Summary, TaskToken, WaitsAt,
};
use workflow_runtime::machine::{Definition, Outcome};
use workflow_runtime::value::{DOCUMENT_LIMIT, TEXT_LIMIT};
use workflow_runtime::{CloudEvent, Object, Timestamp, Value, uri, value};

use crate::engines::sqlite::view;
use crate::progress::clean;
use crate::serve::Token;

/// The time to connect to the server.
const CONNECT_TIME: Duration = Duration::from_secs(5);
/// The time that the server has to answer, besides the time for which a request waits.
const ANSWER_TIME: Duration = Duration::from_secs(10);
/// The time for which one request waits for the end of an execution.
const WAIT: Duration = Duration::from_secs(60);
/// The shortest time from one such request to the next. A busy server answers at once.
const PAUSE: Duration = Duration::from_millis(250);
/// The media type of most bodies.
const JSON: &str = "application/json";
/// The most characters of a message of the server.
const MESSAGE: usize = 4_000;

/// The server that has the database.
pub struct Remote {
    /// The address as the server has announced it.
    announced: String,
    address: SocketAddr,
    token: Option<Token>,
    /// The workflow of this program.
    definition: &'static Definition,
    /// The database. Answers of the server have limits, and no tokens of tasks.
    view: Arc<dyn Engine>,
}

/// An answer of the server: its status, and its JSON or null.
struct Answer(StatusCode, Value);

impl Remote {
    /// Returns the server at an announced address, `http://ADDRESS:PORT`.
    pub fn at(
        announced: &str,
        token: Option<Token>,
        db: &Path,
        definition: &'static Definition,
    ) -> Result<Remote, String> {
        let (address, announced) = (reached_at(announced)?, announced.to_owned());
        Ok(Remote { announced, address, token, definition, view: view(db)? })
    }

    async fn post(&self, path: &str, body: &Value, wait: Duration) -> Result<Answer, String> {
        let body = if body.is_null() { Ok(String::new()) } else { body.to_json(TEXT_LIMIT) };
        let body = body.map_err(|error| format!("cannot send the request: {error}"))?;
        self.ask(Method::POST, path, vec![(header::CONTENT_TYPE, JSON.to_owned())], body.into(), wait).await
    }

    async fn post_events(&self, path: &str, events: &[CloudEvent]) -> Result<Answer, String> {
        let events: Result<Vec<String>, _> = events.iter().map(CloudEvent::to_json).collect();
        let events = events.map_err(|fault| fault.to_string())?.join(",");
        let head = vec![(header::CONTENT_TYPE, "application/cloudevents-batch+json".to_owned())];
        self.ask(Method::POST, path, head, format!("[{events}]").into(), Duration::ZERO).await
    }

    async fn begin(&self, request: StartRequest) -> Result<Started, String> {
        let delay = match request.time {
            StartTime::After(delay) => Some(delay),
            StartTime::At(time) => Some(time.since(Timestamp::now())),
            _ => None,
        };
        // The server checks the attribute, and an execution has one key for all of them.
        let attribute = self.definition.correlation.iter().flat_map(|by| by.attributes).next();
        let correlate = request.correlation.map(|value| format!("{}={value}", attribute.unwrap_or(&"")));
        let parameters = [
            ("id", request.id),
            ("correlate", correlate),
            ("delay", delay.map(|delay| format!("{}ms", delay.as_millis()))),
        ];
        let parameters = parameters.iter().filter_map(|(name, value)| Some((name, value.as_deref()?)));
        let parameters: Vec<String> =
            parameters.map(|(name, value)| format!("{name}={}", uri::encode(value))).collect();
        let path = format!("/{}?{}", uri::encode(&request.workflow), parameters.join("&"));
        let mut head = vec![(header::CONTENT_TYPE, JSON.to_owned())];
        // In quotes, a key may begin and end with spaces.
        let key = request.key.map(|key| format!("\"{key}\""));
        head.extend(key.map(|key| (HeaderName::from_static("idempotency-key"), key)));
        let input = request.input.to_json(TEXT_LIMIT);
        let input = input.map_err(|error| format!("cannot send the request: {error}"))?;
        let Answer(status, body) = self.ask(Method::POST, &path, head, input.into(), Duration::ZERO).await?;
        let id = body.get("id").and_then(Value::as_str).ok_or_else(|| self.stranger(status))?;
        Ok(Started::new(id, status == StatusCode::CREATED))
    }

    /// Waits until an execution has ended or was parked.
    async fn ended(&self, id: &str) -> Result<(), String> {
        let path = format!("/executions/{}/result?wait={}s", uri::encode(id), WAIT.as_secs());
        loop {
            let asked = Instant::now();
            let answer = self.ask(Method::GET, &path, Vec::new(), Bytes::new(), WAIT).await;
            let Answer(status, _) = answer.map_err(|error| {
                format!("{error}; the execution continues with the next `run --id {id}` or `serve`")
            })?;
            if matches!(status, StatusCode::OK | StatusCode::INSUFFICIENT_STORAGE) {
                return Ok(());
            }
            tokio::time::sleep(PAUSE.saturating_sub(asked.elapsed())).await;
        }
    }

    /// Sends a request that the server may answer after a `wait`. A refusal is an error.
    async fn ask(
        &self,
        method: Method,
        path: &str,
        head: Vec<(HeaderName, String)>,
        body: Bytes,
        wait: Duration,
    ) -> Result<Answer, String> {
        let server = format!("the server at {}, which has the database,", self.announced);
        let connected = tokio::time::timeout(CONNECT_TIME, TcpStream::connect(self.address)).await;
        let stream = match connected {
            Ok(connected) => connected.map_err(|error| format!("{server} does not respond: {error}"))?,
            Err(_) => return Err(format!("{server} does not respond within {} seconds", CONNECT_TIME.as_secs())),
        };
        let mut request =
            hyper::Request::builder().method(method.clone()).uri(path).header(header::HOST, self.address.to_string());
        for (name, value) in head {
            request = request.header(name, value);
        }
        if let Some(token) = &self.token {
            request = request.header(header::AUTHORIZATION, token.bearer());
        }
        let request = request.body(Full::new(body)).map_err(|error| format!("cannot send the request: {error}"))?;
        let exchange = async {
            let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(|e| e.to_string())?;
            let exchange = async {
                let response = sender.send_request(request).await.map_err(|error| error.to_string())?;
                let status = response.status();
                let body = Limited::new(response.into_body(), DOCUMENT_LIMIT as usize).collect().await;
                Ok((status, body.map_err(|error| error.to_string())?.to_bytes()))
            };
            // The connection carries the request, and its error is also one of the request.
            let carried = async {
                let _ended = connection.await;
                std::future::pending::<()>().await;
            };
            tokio::select! {
                answer = exchange => answer,
                () = carried => Err("the connection was closed".to_owned()),
            }
        };
        let unknown = "the server may still have processed the request";
        let answer = tokio::time::timeout(ANSWER_TIME + wait, exchange).await;
        let answer = answer.map_err(|_| {
            format!("{server} does not respond within {} seconds: {unknown}", (ANSWER_TIME + wait).as_secs())
        })?;
        let (status, body) =
            answer.map_err(|error: String| format!("{server} has not responded: {error}; {unknown}"))?;
        let body = if body.is_empty() { Ok(Value::Null) } else { Value::from_json_slice(&body) };
        let Ok(body) = body else { return Err(self.stranger(status)) };
        if status == StatusCode::UNAUTHORIZED {
            return Err(match &self.token {
                None => format!("{server} requires its token: add `--token-env NAME` or `--token-file FILE`"),
                Some(_) => format!("{server} rejects this token: use the token with which the server was started"),
            });
        }
        // The result is too large for an answer: it is in the database.
        let is_in_database = method == Method::GET && status == StatusCode::INSUFFICIENT_STORAGE;
        if status.is_success() || is_in_database {
            return Ok(Answer(status, body));
        }
        let text = |name: &str| body.get(name).and_then(Value::as_str).map(|text| clean(text, MESSAGE));
        let Some(error) = text("error") else { return Err(self.stranger(status)) };
        match status {
            // Limits of the server, which a command without a server does not have.
            StatusCode::PAYLOAD_TOO_LARGE | StatusCode::SERVICE_UNAVAILABLE => {
                let help = text("help").map_or(String::new(), |help| format!("; {help}"));
                Err(format!("{server} refused the request: {error}{help}"))
            }
            _ => Err(error),
        }
    }

    /// Returns the error for an answer that a workflow server does not give.
    fn stranger(&self, status: StatusCode) -> String {
        format!(
            "the program at {} responded with status {}: it is not the server that has the database",
            self.announced,
            status.as_u16()
        )
    }

    fn number(&self, status: StatusCode, body: &Value, name: &str) -> Result<usize, String> {
        let number = body.get(name).and_then(Value::as_i64).and_then(|number| usize::try_from(number).ok());
        number.ok_or_else(|| self.stranger(status))
    }
}

/// Returns the address at which to connect to a server. It may listen on all addresses of this
/// machine.
fn reached_at(announced: &str) -> Result<SocketAddr, String> {
    let address = announced.strip_prefix("http://").and_then(|address| address.parse::<SocketAddr>().ok());
    let Some(mut address) = address else {
        return Err(format!("the address of the server that has the database is invalid: `{}`", clean(announced, 100)));
    };
    if address.ip().is_unspecified() {
        address.set_ip(match address {
            SocketAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
        });
    }
    Ok(address)
}

/// Returns the future of a request.
fn asked<'a, T>(request: impl Future<Output = Result<T, String>> + Send + 'a) -> EngineFuture<'a, T> {
    Box::pin(async move { request.await.map_err(EngineError::other) })
}

impl Engine for Remote {
    fn capabilities(&self) -> Capabilities {
        Capabilities::all("server")
            .without(Capability::Settings, "pass settings to `serve`")
            .without(Capability::Counts, "read `GET /metrics` of the server")
            .without(Capability::Workers, "stop the server to stop its work")
    }

    fn workflows(&self) -> Vec<&'static Definition> {
        vec![self.definition]
    }

    fn start(&self, request: StartRequest) -> EngineFuture<'_, Started> {
        match request.settings.is_empty() {
            true => asked(self.begin(request)),
            false => self.capabilities().refusal(Capability::Settings),
        }
    }

    fn attach<'a>(&'a self, id: &'a str) -> EngineFuture<'a, Outcome> {
        Box::pin(async move {
            self.ended(id).await.map_err(EngineError::other)?;
            let (_, outcome) = self.view.summary(id).await?;
            outcome.ok_or_else(|| EngineError::other(format!("the execution `{id}` was redriven again")))
        })
    }

    fn cancel<'a>(&'a self, id: &'a str, cause: &'a str) -> EngineFuture<'a, ()> {
        asked(async move {
            let path = format!("/executions/{}/cancel", uri::encode(id));
            self.post(&path, &value!({ "cause": cause }), Duration::ZERO).await.map(drop)
        })
    }

    fn redrive<'a>(&'a self, id: &'a str) -> EngineFuture<'a, ()> {
        asked(async move {
            let path = format!("/executions/{}/redrive", uri::encode(id));
            self.post(&path, &Value::Null, Duration::ZERO).await.map(drop)
        })
    }

    fn update_map<'a>(&'a self, id: &'a str, update: MapUpdate) -> EngineFuture<'a, ()> {
        asked(async move {
            let path = format!("/executions/{}/update", uri::encode(id));
            self.post(&path, &update.to_value(), Duration::ZERO).await.map(drop)
        })
    }

    fn signal<'a>(&'a self, task: TaskToken<'a>, signal: Signal) -> EngineFuture<'a, ()> {
        let (kind, body) = match signal {
            Signal::Succeed(output) => ("succeed", output),
            Signal::Fail(fault) => {
                let mut body = Object::new();
                body.insert("error", fault.error().map_or(Value::Null, Value::from));
                if let Some(cause) = fault.cause() {
                    body.insert("cause", cause.clone());
                }
                ("fail", body.into())
            }
            Signal::Heartbeat => ("heartbeat", Value::Null),
            // The server checks the token of each signal.
            _ => return Box::pin(std::future::ready(Ok(()))),
        };
        let of = task.execution.map_or(String::new(), |id| format!("?execution={}", uri::encode(id)));
        let path = format!("/callbacks/{}/{kind}{of}", uri::encode(task.token));
        asked(async move { self.post(&path, &body, Duration::ZERO).await.map(drop) })
    }

    fn send<'a>(&'a self, id: &'a str, events: Vec<CloudEvent>) -> EngineFuture<'a, usize> {
        asked(async move {
            let path = format!("/executions/{}/events", uri::encode(id));
            let Answer(status, body) = self.post_events(&path, &events).await?;
            self.number(status, &body, "delivered")
        })
    }

    fn publish(&self, publication: Publication) -> EngineFuture<'_, Vec<Reached>> {
        asked(async move {
            let path = format!("/events?start={}", publication.starts.is_some());
            let Answer(status, body) = self.post_events(&path, &publication.events).await?;
            let all = body.as_array().ok_or_else(|| self.stranger(status))?;
            let reached = |one: &Value| {
                let number = |name| self.number(status, one, name);
                Ok(Reached::new(number("executions")?, number("started")?, number("full")?))
            };
            all.iter().map(reached).collect()
        })
    }

    fn list<'a>(&'a self, filter: &'a Filter) -> EngineFuture<'a, Vec<Summary>> {
        self.view.list(filter)
    }

    fn summary<'a>(&'a self, id: &'a str) -> EngineFuture<'a, (Summary, Option<Outcome>)> {
        self.view.summary(id)
    }

    fn describe<'a>(&'a self, id: &'a str) -> EngineFuture<'a, Description> {
        self.view.describe(id)
    }

    fn waiting<'a>(&'a self, id: &'a str) -> EngineFuture<'a, Vec<WaitsAt>> {
        self.view.waiting(id)
    }

    fn history<'a>(&'a self, id: &'a str, after: u64, limit: usize, bytes: usize) -> EngineFuture<'a, HistoryPage> {
        self.view.history(id, after, limit, bytes)
    }

    fn purge(&self, older_than: Duration, what: Purge) -> EngineFuture<'_, usize> {
        asked(async move {
            let (age, history) = (older_than.as_millis(), what == Purge::Histories);
            let path = format!("/executions/purge?older-than={age}ms&history={history}");
            let Answer(status, body) = self.post(&path, &Value::Null, WAIT).await?;
            self.number(status, &body, "executions")
        })
    }

    /// Leaves the server as it is.
    fn shut_down(&self, _: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(std::future::ready(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_on_all_addresses_is_reached_on_this_machine() {
        let reached = |announced| reached_at(announced).map(|address| address.to_string());
        assert_eq!(reached("http://0.0.0.0:8080").as_deref(), Ok("127.0.0.1:8080"));
        assert_eq!(reached("http://[::]:8080").as_deref(), Ok("[::1]:8080"));
        assert_eq!(reached("http://192.0.2.7:80").as_deref(), Ok("192.0.2.7:80"));
        for wrong in ["", "http://", "http://example.org:80", "https://127.0.0.1:80", "http://127.0.0.1:80/x"] {
            assert!(reached(wrong).is_err_and(|error| error.contains("is invalid")), "{wrong}");
        }
    }
}
