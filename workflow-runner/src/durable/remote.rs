//! Commands to the server that has the database. The server carries them out, and the results are
//! those of the commands.

use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::header::{self, HeaderName};
use hyper::{Method, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use workflow_runtime::fault::names::CANCELLED;
use workflow_runtime::machine::Outcome;
use workflow_runtime::value::{DOCUMENT_LIMIT, TEXT_LIMIT};
use workflow_runtime::{CloudEvent, Object, Value, uri, value};
use workflow_sqlite::View;

use super::commands::{CANCEL_TIME, DatabaseCommand, is_duplicate, published, purged};
use super::run::RunRequest;
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
pub struct Remote<'a> {
    /// The address as the server has announced it.
    announced: &'a str,
    address: SocketAddr,
    token: Option<Token>,
}

/// An answer of the server: its status, and its JSON or null.
struct Answer(StatusCode, Value);

impl<'a> Remote<'a> {
    /// Returns the server at an announced address, `http://ADDRESS:PORT`. It may listen on all
    /// addresses of this machine.
    pub fn at(announced: &'a str, token: Option<Token>) -> Result<Remote<'a>, String> {
        let address = announced.strip_prefix("http://").and_then(|address| address.parse::<SocketAddr>().ok());
        let Some(mut address) = address else {
            return Err(format!(
                "the address of the server that has the database is invalid: `{}`",
                clean(announced, 100)
            ));
        };
        if address.ip().is_unspecified() {
            address.set_ip(match address {
                SocketAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
                SocketAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
            });
        }
        Ok(Remote { announced, address, token })
    }

    /// Carries out a change, and returns its result.
    pub async fn execute(&self, command: DatabaseCommand) -> Result<String, String> {
        Ok(match command {
            DatabaseCommand::Cancel { id, cause } => {
                let path = format!("/executions/{}/cancel?wait={}s", uri::encode(&id), CANCEL_TIME.as_secs());
                let Answer(status, body) = self.post(&path, &value!({ "cause": cause }), CANCEL_TIME).await?;
                let error = body.get("outcome").and_then(|outcome| outcome.get("error")?.as_str());
                match (status, error) {
                    (StatusCode::ACCEPTED, _) => format!("`{id}` will be cancelled when it runs next"),
                    (_, Some(CANCELLED)) => format!("`{id}` was cancelled"),
                    _ => format!("`{id}` ended before it could be cancelled"),
                }
            }
            DatabaseCommand::Succeed { token, output } => {
                self.post(&format!("/callbacks/{}/succeed", uri::encode(&token)), &output, Duration::ZERO).await?;
                "outcome saved: the execution continues".to_owned()
            }
            DatabaseCommand::Fail { token, error, cause } => {
                let mut fault = Object::new();
                fault.insert("error", error);
                if let Some(cause) = cause {
                    fault.insert("cause", cause);
                }
                self.post(&format!("/callbacks/{}/fail", uri::encode(&token)), &fault.into(), Duration::ZERO).await?;
                "outcome saved: the execution continues".to_owned()
            }
            DatabaseCommand::Heartbeat { token } => {
                self.post(&format!("/callbacks/{}/heartbeat", uri::encode(&token)), &Value::Null, Duration::ZERO)
                    .await?;
                "heartbeat recorded".to_owned()
            }
            DatabaseCommand::Send { id, event } => {
                let answer = self.post_event(&format!("/executions/{}/events", uri::encode(&id)), &event).await?;
                match self.number(&answer, "delivered")? {
                    0 => is_duplicate(&id),
                    _ => "event saved: the execution receives it".to_owned(),
                }
            }
            DatabaseCommand::Publish { event } => {
                let answer = self.post_event("/events?start=false", &event).await?;
                published(self.number(&answer, "executions")?, "", self.number(&answer, "full")?)
            }
            DatabaseCommand::Purge { older_than, history_only } => {
                let age = older_than.as_millis();
                let path = format!("/executions/purge?older-than={age}ms&history={history_only}");
                let answer = self.post(&path, &Value::Null, WAIT).await?;
                purged(self.number(&answer, "executions")?, history_only)
            }
        })
    }

    /// Returns the address as the server has announced it.
    pub fn announced(&self) -> &str {
        self.announced
    }

    /// Starts an execution, or finds the one that an equal request has started. Returns its id.
    pub async fn start(&self, request: &RunRequest) -> Result<String, String> {
        let parameters = [("id", &request.id), ("correlate", &request.correlate)];
        let parameters = parameters.into_iter().filter_map(|(name, value)| Some((name, value.as_deref()?)));
        let parameters: Vec<String> =
            parameters.map(|(name, value)| format!("{name}={}", uri::encode(value))).collect();
        let path = format!("/{}?{}", uri::encode(request.workflow), parameters.join("&"));
        let mut head = vec![(header::CONTENT_TYPE, JSON.to_owned())];
        // In quotes, a key may begin and end with spaces.
        let key = request.key.as_ref().map(|key| format!("\"{key}\""));
        head.extend(key.map(|key| (HeaderName::from_static("idempotency-key"), key)));
        let input = request.input.to_json(TEXT_LIMIT);
        let input = input.map_err(|error| format!("cannot send the request: {error}"))?;
        let Answer(status, body) = self.ask(Method::POST, &path, head, input.into(), Duration::ZERO).await?;
        let id = body.get("id").and_then(Value::as_str).map(str::to_owned);
        id.ok_or_else(|| self.stranger(status))
    }

    /// Redrives an execution. Returns its outcome, or `None` at once if `detach` is set.
    pub async fn redrive(&self, db: &Path, id: &str, detach: bool) -> Result<Option<Outcome>, String> {
        self.post(&format!("/executions/{}/redrive", uri::encode(id)), &Value::Null, Duration::ZERO).await?;
        if detach { Ok(None) } else { self.outcome(db, id).await.map(Some) }
    }

    /// Waits until an execution has ended or was parked, and returns its outcome.
    pub async fn outcome(&self, db: &Path, id: &str) -> Result<Outcome, String> {
        let path = format!("/executions/{}/result?wait={}s", uri::encode(id), WAIT.as_secs());
        loop {
            let asked = Instant::now();
            let answer = self.ask(Method::GET, &path, Vec::new(), Bytes::new(), WAIT).await;
            let Answer(status, _) = answer.map_err(|error| {
                format!("{error}; the execution continues with the next `run --id {id}` or `serve`")
            })?;
            if matches!(status, StatusCode::OK | StatusCode::INSUFFICIENT_STORAGE) {
                break;
            }
            tokio::time::sleep(PAUSE.saturating_sub(asked.elapsed())).await;
        }
        // The outcome in an answer has no tokens of tasks, and a limit.
        let outcome = View::open(db).and_then(|view| view.describe(id)).map_err(|error| error.to_string())?.outcome;
        outcome.ok_or_else(|| format!("the execution `{id}` was redriven again"))
    }

    async fn post(&self, path: &str, body: &Value, wait: Duration) -> Result<Answer, String> {
        let body = if body.is_null() { Ok(String::new()) } else { body.to_json(TEXT_LIMIT) };
        let body = body.map_err(|error| format!("cannot send the request: {error}"))?;
        self.ask(Method::POST, path, vec![(header::CONTENT_TYPE, JSON.to_owned())], body.into(), wait).await
    }

    async fn post_event(&self, path: &str, event: &CloudEvent) -> Result<Answer, String> {
        let event = event.to_json().map_err(|fault| fault.to_string())?;
        let head = vec![(header::CONTENT_TYPE, "application/cloudevents+json".to_owned())];
        self.ask(Method::POST, path, head, event.into(), Duration::ZERO).await
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

    fn number(&self, Answer(status, body): &Answer, name: &str) -> Result<usize, String> {
        let number = body.get(name).and_then(Value::as_i64).and_then(|number| usize::try_from(number).ok());
        number.ok_or_else(|| self.stranger(*status))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_on_all_addresses_is_reached_on_this_machine() {
        let reached = |announced| Remote::at(announced, None).map(|remote| remote.address.to_string());
        assert_eq!(reached("http://0.0.0.0:8080").as_deref(), Ok("127.0.0.1:8080"));
        assert_eq!(reached("http://[::]:8080").as_deref(), Ok("[::1]:8080"));
        assert_eq!(reached("http://192.0.2.7:80").as_deref(), Ok("192.0.2.7:80"));
        for wrong in ["", "http://", "http://example.org:80", "https://127.0.0.1:80", "http://127.0.0.1:80/x"] {
            assert!(reached(wrong).is_err_and(|error| error.contains("is invalid")), "{wrong}");
        }
    }
}
