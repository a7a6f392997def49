//! Answers to HTTP requests.

use hyper::body::Bytes;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use tokio::sync::mpsc::Receiver;
#[cfg(feature = "durable")]
use workflow_runtime::engine::{EngineError, UnwantedEvent};
use workflow_runtime::value::DOCUMENT_LIMIT;
use workflow_runtime::{Object, TooLarge, Value};

use super::body::AnswerBody;
use crate::outcomes::Refused;

/// The most kinds of events in the reason of a refusal in the log.
#[cfg(feature = "durable")]
const LOGGED_KINDS: usize = 3;

/// The help for a token that is not known.
const UNKNOWN_TOKEN: &str = "the task already has an outcome, was abandoned, or never existed";

/// The media type of bodies, unless another is set.
const JSON: &str = "application/json";

/// An answer: a status, fields of the head, and a body, which mostly is JSON.
#[derive(Debug)]
pub struct Answer {
    status: StatusCode,
    head: Vec<(HeaderName, String)>,
    body: Option<String>,
    /// The parts of a body that goes on for a time, instead of `body`.
    parts: Option<Receiver<Bytes>>,
    /// The media type of the body.
    media: &'static str,
    /// The reason of a refusal for the log.
    reason: Option<String>,
}

impl Answer {
    /// Returns an answer with a JSON body.
    pub fn json(status: StatusCode, body: impl Into<Value>) -> Answer {
        match body.into().to_json(DOCUMENT_LIMIT) {
            Ok(text) => Answer::text(status, text),
            Err(error) => Answer::too_large(error),
        }
    }

    /// Returns the answer for a document that is too large for the body: 507 (RFC 4918, 11.5),
    /// because the server lacks the room for it. 413 would mean that the request was too large,
    /// and 500 that another attempt could help.
    pub fn too_large(error: TooLarge) -> Answer {
        let error = format!("cannot write the response: {error}");
        let help = "reduce the response: `GET /executions/{id}/result` has only the outcome, and `?limit=` shortens a history. \
                    Or raise the limit with `--max-answer SIZE`";
        Answer::problem(StatusCode::INSUFFICIENT_STORAGE, error, help)
    }

    /// Returns an answer with a body that already is JSON text.
    pub fn text(status: StatusCode, json: String) -> Answer {
        Answer { status, head: Vec::new(), body: Some(json), parts: None, media: JSON, reason: None }
    }

    /// Returns the answer 204, without a body.
    pub fn done() -> Answer {
        Answer::without_body(StatusCode::NO_CONTENT)
    }

    /// Returns an answer whose body ends when the sender of its parts is dropped.
    #[cfg(feature = "durable")]
    pub fn in_parts(parts: Receiver<Bytes>) -> Answer {
        Answer { parts: Some(parts), ..Answer::without_body(StatusCode::OK) }
    }

    /// Returns an answer that is only a head.
    pub fn without_body(status: StatusCode) -> Answer {
        Answer { status, head: Vec::new(), body: None, parts: None, media: JSON, reason: None }
    }

    /// Returns the answer for a request that cannot be carried out. An empty `help` is left out.
    pub fn problem(status: StatusCode, error: impl Into<String>, help: impl Into<String>) -> Answer {
        let error = error.into();
        let mut answer = Answer::json(status, Answer::problem_body(error.clone(), help));
        answer.reason = Some(error);
        answer
    }

    /// Sets the reason in the log, where the text of the error could contain a part of the
    /// request's body.
    pub fn logged_as(mut self, reason: impl Into<String>) -> Answer {
        self.reason = Some(reason.into());
        self
    }

    /// Returns the status.
    #[cfg(feature = "durable")]
    pub fn status(&self) -> u16 {
        self.status.as_u16()
    }

    /// Returns the body, if it is a text that is there.
    #[cfg(feature = "durable")]
    pub fn body(&self) -> Option<&str> {
        self.body.as_deref()
    }

    /// Returns the reason of a refusal for the log.
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    fn problem_body(error: impl Into<String>, help: impl Into<String>) -> Object {
        let mut body = Object::new();
        body.insert("error", error.into());
        let help = help.into();
        if !help.is_empty() {
            body.insert("help", help);
        }
        body
    }

    /// Returns the answer 400 for a malformed request.
    pub fn bad(error: impl Into<String>) -> Answer {
        Answer::problem(StatusCode::BAD_REQUEST, error, "")
    }

    /// Sets the media type of a body that is no JSON.
    #[cfg(feature = "durable")]
    pub fn of_type(mut self, media: &'static str) -> Answer {
        self.media = media;
        self
    }

    /// Adds a header.
    pub fn with(mut self, name: HeaderName, value: impl Into<String>) -> Answer {
        self.head.push((name, value.into()));
        self
    }

    /// Converts the answer to a response of hyper.
    pub fn response(self) -> Response<AnswerBody> {
        let mut response = Response::new(AnswerBody::default());
        *response.status_mut() = self.status;
        let head = response.headers_mut();
        head.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        for (name, value) in self.head {
            // The values are made of encoded text. A value that no header can hold is left out.
            if let Ok(value) = HeaderValue::try_from(value) {
                head.insert(name, value);
            }
        }
        let body = self.body.map(AnswerBody::from).or_else(|| self.parts.map(AnswerBody::in_parts));
        if let Some(body) = body {
            head.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.media));
            head.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
            *response.body_mut() = body;
        }
        response
    }
}

#[cfg(feature = "durable")]
impl From<EngineError> for Answer {
    fn from(error: EngineError) -> Answer {
        let (status, help) = match &error {
            EngineError::UnknownExecution(_) => (StatusCode::NOT_FOUND, "use `GET /executions` to list the executions"),
            EngineError::UnknownWorkflow(_) => (StatusCode::NOT_FOUND, ""),
            EngineError::UnknownToken { .. } => (StatusCode::NOT_FOUND, UNKNOWN_TOKEN),
            EngineError::KeyReused { .. } => (StatusCode::UNPROCESSABLE_ENTITY, "use another key for another input"),
            EngineError::InputRefused { .. } => {
                (StatusCode::UNPROCESSABLE_ENTITY, "send an input that matches the schema")
            }
            EngineError::InvalidId(_) => (StatusCode::BAD_REQUEST, "omit `?id=` for a random UUID"),
            EngineError::UnwantedEvent { .. } => (
                StatusCode::UNPROCESSABLE_ENTITY,
                "`GET /executions/{id}` has the events that it waits for at the moment",
            ),
            EngineError::InboxFull(_) => (
                StatusCode::TOO_MANY_REQUESTS,
                "retry when the execution has continued; events that it waits for are always accepted",
            ),
            EngineError::IdTaken(_)
            | EngineError::NotNow { .. }
            | EngineError::Inactive(_)
            | EngineError::CannotContinue { .. } => (StatusCode::CONFLICT, ""),
            EngineError::Stopped => (StatusCode::SERVICE_UNAVAILABLE, "the server is shutting down: retry later"),
            EngineError::Unavailable(_) => (
                StatusCode::SERVICE_UNAVAILABLE,
                "retry when its store can be reached, or restart the server; acknowledged requests are saved",
            ),
            EngineError::Busy(_) => (StatusCode::SERVICE_UNAVAILABLE, "retry later"),
            EngineError::TimedOut(_) => (StatusCode::GATEWAY_TIMEOUT, ""),
            EngineError::Unsupported { instead, .. } => (StatusCode::NOT_IMPLEMENTED, *instead),
            EngineError::Invalid(_) => (StatusCode::UNPROCESSABLE_ENTITY, ""),
            _ => (StatusCode::INTERNAL_SERVER_ERROR, ""),
        };
        match &error {
            EngineError::UnwantedEvent { execution, reason, .. } => {
                let mut body = Answer::problem_body(error.to_string(), help);
                if let Some(reason) = reason {
                    body.insert("awaited", reason.to_value());
                }
                Answer::json(status, body).logged_as(unwanted(execution, reason.as_deref()))
            }
            EngineError::InputRefused { workflow, .. } => {
                let answer = Answer::problem(status, error.to_string(), help);
                answer.logged_as(format!("the input of `{workflow}` does not match its schema"))
            }
            EngineError::Unsupported { engine, capability, .. } => {
                Answer::problem(status, format!("the engine `{engine}` does not support {capability}"), help)
            }
            _ => Answer::problem(status, error.to_string(), help),
        }
    }
}

/// Returns the reason why an execution declines an event, without values of the event.
#[cfg(feature = "durable")]
fn unwanted(execution: &str, reason: Option<&UnwantedEvent>) -> String {
    let kinds = reason.into_iter().flat_map(|reason| reason.kinds.iter()).take(LOGGED_KINDS);
    let kinds = kinds.map(|(kind, differences)| {
        let attributes: Vec<&str> = differences.iter().map(|one| &*one.attribute).collect();
        format!("`{}` differs in `{}`", kind.name, attributes.join("`, `"))
    });
    let kinds: Vec<String> = kinds.collect();
    format!("the execution `{execution}` does not wait for this event: {}", kinds.join("; "))
}

impl From<Refused> for Answer {
    fn from(refused: Refused) -> Answer {
        match refused {
            Refused::UnknownToken(unknown) => {
                Answer::problem(StatusCode::NOT_FOUND, unknown.to_string(), UNKNOWN_TOKEN)
            }
            #[cfg(feature = "durable")]
            Refused::Engine(error) => error.into(),
        }
    }
}
