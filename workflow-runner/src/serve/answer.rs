//! Answers to HTTP requests.

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use workflow_runtime::value::DOCUMENT_LIMIT;
use workflow_runtime::{Object, TooLarge, Value};
use workflow_sqlite::Error;

/// An answer: a status, fields of the head, and JSON.
#[derive(Debug)]
pub struct Answer {
    status: StatusCode,
    head: Vec<(HeaderName, String)>,
    body: Option<String>,
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
        let error = format!("the answer is not written: {error}");
        let help = "ask for less: `GET /executions/{id}/result` has the outcome alone, and `?limit=` shortens a history. \
                    `--max-answer SIZE` raises the limit";
        Answer::problem(StatusCode::INSUFFICIENT_STORAGE, error, help)
    }

    /// Returns an answer with a body that already is JSON text.
    pub fn text(status: StatusCode, json: String) -> Answer {
        Answer { status, head: Vec::new(), body: Some(json) }
    }

    /// Returns the answer 204, without a body.
    pub fn done() -> Answer {
        Answer { status: StatusCode::NO_CONTENT, head: Vec::new(), body: None }
    }

    /// Returns the answer for a request that cannot be carried out. An empty `help` is left out.
    pub fn problem(status: StatusCode, error: impl Into<String>, help: impl Into<String>) -> Answer {
        let mut body = Object::new();
        body.insert("error", error.into());
        let help = help.into();
        if !help.is_empty() {
            body.insert("help", help);
        }
        Answer::json(status, body)
    }

    /// Returns the answer 400 for a malformed request.
    pub fn bad(error: impl Into<String>) -> Answer {
        Answer::problem(StatusCode::BAD_REQUEST, error, "")
    }

    /// Adds a header.
    pub fn with(mut self, name: HeaderName, value: impl Into<String>) -> Answer {
        self.head.push((name, value.into()));
        self
    }

    /// Converts the answer to a response of hyper.
    pub fn response(self) -> Response<Full<Bytes>> {
        let mut response = Response::new(Full::default());
        *response.status_mut() = self.status;
        let head = response.headers_mut();
        head.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        for (name, value) in self.head {
            // The values are made of encoded text. A value that no header can hold is left out.
            if let Ok(value) = HeaderValue::try_from(value) {
                head.insert(name, value);
            }
        }
        if let Some(body) = self.body {
            head.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
            head.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
            *response.body_mut() = Full::from(body);
        }
        response
    }
}

impl From<Error> for Answer {
    fn from(error: Error) -> Answer {
        let (status, help) = match &error {
            Error::UnknownExecution(_) => (StatusCode::NOT_FOUND, "`GET /executions` lists them"),
            Error::UnknownWorkflow(_) => (StatusCode::NOT_FOUND, ""),
            Error::UnknownToken => {
                (StatusCode::NOT_FOUND, "its task has an outcome already, was given up, or there never was one")
            }
            Error::KeyReused { .. } => {
                (StatusCode::UNPROCESSABLE_ENTITY, "a key stands for one request: use another one for another input")
            }
            Error::InputRefused { .. } => (StatusCode::UNPROCESSABLE_ENTITY, "send an input that fits the schema"),
            Error::InvalidId(_) => (StatusCode::BAD_REQUEST, "without `?id=` it is a random UUID"),
            Error::UnwantedEvent(_) => (StatusCode::UNPROCESSABLE_ENTITY, ""),
            Error::TooManyEvents(_) => (
                StatusCode::TOO_MANY_REQUESTS,
                "an event that it waits for is taken in any case; other ones when it has got on",
            ),
            Error::IdTaken(_) | Error::NotNow { .. } | Error::Mismatch(_) | Error::Inactive(_) => {
                (StatusCode::CONFLICT, "")
            }
            Error::Stopped => (StatusCode::SERVICE_UNAVAILABLE, "the server is ending: ask again when it is back"),
            Error::Store { .. } | Error::Damaged { .. } => {
                (StatusCode::SERVICE_UNAVAILABLE, "what was acknowledged is kept; the server must be started again")
            }
            Error::Unwritten { .. } => (StatusCode::UNPROCESSABLE_ENTITY, ""),
            _ => (StatusCode::INTERNAL_SERVER_ERROR, ""),
        };
        Answer::problem(status, error.to_string(), help)
    }
}
