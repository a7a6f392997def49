//! Responses of the platform: results, records of runs, and faults.

use std::time::Duration;

use reqwest::StatusCode;
use workflow_runtime::machine::Outcome;
use workflow_runtime::{Fault, Object, Value, ValueError};

use crate::http::{excerpt, one_line};

/// Largest number of characters of a platform message in a cause.
const MAX_MESSAGE: usize = 300;
/// Longest accepted id of an activation. Real ids have 32 characters.
const MAX_ID: usize = 64;

/// Response, read to its end.
pub(super) struct ActivationResponse {
    pub(super) status: StatusCode,
    pub(super) retry_after: Option<Duration>,
    /// Header that marks a response about a run of an action.
    pub(super) activation: Option<String>,
    pub(super) body: Vec<u8>,
}

/// Result of a request to invoke an action.
#[derive(Debug, PartialEq)]
pub(super) enum Invoked {
    /// The action has ended.
    Over(Outcome),
    /// The action runs longer than the platform lets a request wait.
    Running(String),
    /// The request was refused without effect; a later attempt may succeed.
    Refused(Fault),
}

/// Result of a request for the record of a run.
#[derive(Debug, PartialEq)]
pub(super) enum Record {
    /// The run has ended.
    Over(Outcome),
    /// There is no record yet, or it is not available now, for this reason.
    NotYet(Option<String>),
}

/// Reads the response to the invocation of `action`. `hide` removes secrets from platform
/// messages.
pub(super) fn invoked(answer: &ActivationResponse, action: &str, hide: impl Fn(&str) -> String) -> Invoked {
    let ActivationResponse { status, body, .. } = answer;
    let platform_message = || platform_message(body, &hide);
    let fault = |name: &str, what: String| Fault::new(format!("OpenWhisk.{name}"), format!("`{action}`: {what}"));
    let number = status.as_u16();
    if *status == StatusCode::ACCEPTED {
        let id = json(body).ok().and_then(|body| Some(body.get("activationId")?.as_str()?.to_owned()));
        return match id.or_else(|| answer.activation.clone()).filter(|id| is_id(id)) {
            Some(id) => Invoked::Running(id),
            None => Invoked::Over(Err(fault(
                "InvalidResponse",
                "the platform accepted the request without an activation id".to_owned(),
            ))),
        };
    }
    if status.is_success() {
        return Invoked::Over(match json(body) {
            Ok(result) => outcome(result),
            Err(problem) => Err(fault("InvalidResponse", format!("the result {}", problem.show(&hide)))),
        });
    }
    // The platform returns the result of a failed run. A gateway reports its own errors, not as
    // JSON.
    if (answer.activation.is_some() || *status == StatusCode::BAD_GATEWAY)
        && let Some(error) = json(body).ok().and_then(|body| run_error(&body))
    {
        return Invoked::Over(Err(error_fault(error)));
    }
    Invoked::Over(Err(match number {
        401 => fault("Unauthorized", format!("the API key is rejected (401){}", platform_message())),
        403 => fault(
            "Unauthorized",
            format!("the API key is not authorized, or the package does not exist (403){}", platform_message()),
        ),
        404 => fault("NotFound", format!("action not found (404){}", platform_message())),
        429 => {
            return Invoked::Refused(fault("Throttled", format!("too many requests (429){}", platform_message())));
        }
        503 if answer.activation.is_none() => {
            return Invoked::Refused(fault(
                "Unavailable",
                format!("the platform is unavailable (503){}", platform_message()),
            ));
        }
        300..400 => fault("Rejected", format!("unexpected redirect ({number}): check the API host")),
        408 => {
            fault("Failed", format!("the platform timed out (408), and the action may have run{}", platform_message()))
        }
        400..500 => fault("Rejected", format!("the platform rejects the request ({number}){}", platform_message())),
        _ => fault(
            "Failed",
            format!("the platform failed ({number}), and the action may have run{}", platform_message()),
        ),
    }))
}

/// Reads the response to the request for a record.
pub(super) fn record(answer: &ActivationResponse, action: &str, id: &str, hide: impl Fn(&str) -> String) -> Record {
    let ActivationResponse { status, body, .. } = answer;
    let fault = |name: &str, what: String| {
        let what = format!("`{action}`: cannot get the outcome of the activation `{id}`: {what}");
        Record::Over(Err(Fault::new(format!("OpenWhisk.{name}"), what)))
    };
    match status.as_u16() {
        200 => match json(body) {
            Err(problem) => fault("InvalidResponse", format!("the record {}", problem.show(&hide))),
            Ok(record) => {
                match (run_error(&record), record.get("response").and_then(|response| response.get("result"))) {
                    (Some(error), _) => Record::Over(Err(error_fault(error))),
                    (None, Some(result)) => Record::Over(outcome(result.clone())),
                    (None, None) => fault("InvalidResponse", "the record has no result".to_owned()),
                }
            }
        },
        404 => Record::NotYet(None),
        number @ (408 | 429 | 500..) => Record::NotYet(Some(format!("the platform responded with status {number}"))),
        number @ (401 | 403) => {
            fault("Unauthorized", format!("the API key is rejected ({number}){}", platform_message(body, &hide)))
        }
        number => {
            fault("Rejected", format!("the platform responded with status {number}{}", platform_message(body, &hide)))
        }
    }
}

/// Returns `true` for the form of ids: hexadecimal digits with or without hyphens.
fn is_id(id: &str) -> bool {
    (1..=MAX_ID).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// Returns the outcome of a result. The result of a failed action has an error.
fn outcome(result: Value) -> Outcome {
    match result.get("error") {
        Some(error) => Err(error_fault(error.clone())),
        None => Ok(result),
    }
}

/// Returns the error of a failed run: in its result, or in a record `{"response": {"result": …,
/// "success": false}}`.
fn run_error(body: &Value) -> Option<Value> {
    if let Some(error) = body.get("error") {
        return Some(error.clone());
    }
    let response = body.get("response")?;
    let result = response.get("result");
    match result.and_then(|result| result.get("error")) {
        Some(error) => Some(error.clone()),
        None if response.get("success").and_then(Value::as_bool) == Some(false) => {
            Some(result.cloned().unwrap_or_default())
        }
        None => None,
    }
}

/// Returns the fault in which a handler finds exactly this error. A name that the runtime reserves
/// has no effect here, because the action chose it.
fn error_fault(error: Value) -> Fault {
    let fault = Fault::from_error_object(error);
    match fault.is_uncatchable() {
        true => Fault::from_parts(None, Some(fault.to_error())),
        false => fault,
    }
}

/// Body that is not JSON.
enum NotJson<'b> {
    NotUtf8,
    Wrong(ValueError, &'b str),
}

impl NotJson<'_> {
    /// Returns the predicate of a message, with the beginning of the body. `hide` removes secrets.
    fn show(&self, hide: impl Fn(&str) -> String) -> String {
        match self {
            NotJson::NotUtf8 => "is not UTF-8".to_owned(),
            NotJson::Wrong(error, body) => format!("is not JSON: {error}: `{}`", excerpt(&hide(body))),
        }
    }
}

/// Reads a body as JSON; an empty body is the empty object.
fn json(body: &[u8]) -> Result<Value, NotJson<'_>> {
    let text = std::str::from_utf8(body).map_err(|_| NotJson::NotUtf8)?;
    if text.trim().is_empty() {
        return Ok(Object::new().into());
    }
    Value::from_json(text).map_err(|error| NotJson::Wrong(error, text))
}

/// Returns the message of the platform for its error, to be appended to a cause.
fn platform_message(body: &[u8], hide: impl Fn(&str) -> String) -> String {
    let message = json(body).ok().and_then(|body| body.get("error")?.as_str().map(str::to_owned));
    let Some(message) = message.filter(|message| !message.trim().is_empty()) else { return String::new() };
    format!(": {}", one_line(&hide(&message), MAX_MESSAGE).trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use workflow_runtime::value;

    fn answer(status: u16, activation: Option<&str>, body: &str) -> ActivationResponse {
        let status = StatusCode::from_u16(status).unwrap();
        ActivationResponse {
            status,
            retry_after: None,
            activation: activation.map(str::to_owned),
            body: body.as_bytes().to_vec(),
        }
    }

    fn read(answer: &ActivationResponse) -> Invoked {
        invoked(answer, "pay", |text| text.replace("hidden", "…"))
    }

    #[test]
    fn the_error_of_an_action_is_kept_as_it_is() {
        let errors = [
            value!("declined"),
            value!("States.Runtime"),
            value!("States.DataLimitExceeded"),
            value!("States.TaskFailed"),
            value!(""),
            value!(null),
            value!(false),
            value!({ "code": 42, "error": "inner" }),
            value!([1, 2.5]),
        ];
        for error in errors {
            let body = value!({ "error": error.clone(), "code": 1 }).to_string();
            let record_body =
                value!({ "response": { "result": { "error": error.clone(), "code": 1 }, "success": false } })
                    .to_string();
            let answers = [
                answer(502, None, &body),
                answer(502, Some("a1"), &body),
                answer(500, Some("a1"), &body),
                answer(200, Some("a1"), &body),
                answer(502, Some("a1"), &record_body),
            ];
            for answer in answers {
                let Invoked::Over(Err(fault)) = read(&answer) else { panic!("{error}") };
                assert_eq!((fault.to_error(), fault.is_uncatchable()), (error.clone(), false));
            }
            let Record::Over(Err(fault)) = record(&answer(200, None, &record_body), "pay", "a1", str::to_owned) else {
                panic!("{error}")
            };
            assert_eq!((fault.to_error(), fault.is_uncatchable()), (error, false));
        }
    }

    #[test]
    fn a_body_that_is_not_json_is_shown_without_secrets() {
        let body = format!("<html>\nhidden {}", "x".repeat(300));
        let Invoked::Over(Err(fault)) = read(&answer(200, None, &body)) else { panic!("a fault") };
        let shown = format!(": `<html> … {}…`", "x".repeat(190));
        assert!(fault.to_string().ends_with(&shown), "{fault}");
        let record = record(&answer(200, None, "hidden"), "pay", "a1", |text| text.replace("hidden", "…"));
        let Record::Over(Err(fault)) = record else { panic!("a fault") };
        assert!(
            fault.to_string().contains("the record is not JSON: ") && fault.to_string().ends_with(": `…`"),
            "{fault}"
        );
    }

    #[test]
    fn other_answers_have_names() {
        let cases = [
            (200, None, "{", "OpenWhisk.InvalidResponse: `pay`: the result is not JSON"),
            (
                202,
                None,
                "{}",
                "OpenWhisk.InvalidResponse: `pay`: the platform accepted the request without an activation id",
            ),
            (202, None, r#"{"activationId": "../.."}"#, "OpenWhisk.InvalidResponse: "),
            (302, None, "", "OpenWhisk.Rejected: `pay`: unexpected redirect (302)"),
            (
                400,
                None,
                r#"{"error": "no hidden"}"#,
                "OpenWhisk.Rejected: `pay`: the platform rejects the request (400): no …",
            ),
            (401, None, "", "OpenWhisk.Unauthorized: `pay`: the API key is rejected (401)"),
            (403, None, "", "OpenWhisk.Unauthorized: "),
            (404, None, r#"{"error": "gone\n"}"#, "OpenWhisk.NotFound: `pay`: action not found (404): gone"),
            (408, None, "", "OpenWhisk.Failed: `pay`: the platform timed out (408)"),
            (413, None, "", "OpenWhisk.Rejected: "),
            (
                500,
                None,
                r#"{"error": "oh", "code": "1"}"#,
                "OpenWhisk.Failed: `pay`: the platform failed (500), and the action may have run: oh",
            ),
            (502, None, "<html>", "OpenWhisk.Failed: `pay`: the platform failed (502)"),
            (503, Some("a1"), "", "OpenWhisk.Failed: "),
            (504, None, "", "OpenWhisk.Failed: "),
        ];
        for (status, activation, body, expected) in cases {
            let Invoked::Over(Err(fault)) = read(&answer(status, activation, body)) else { panic!("{status}") };
            assert!(fault.to_string().starts_with(expected), "{fault}");
        }
        for (status, name) in [(429, "OpenWhisk.Throttled"), (503, "OpenWhisk.Unavailable")] {
            let Invoked::Refused(fault) = read(&answer(status, None, "")) else { panic!("{status}") };
            assert_eq!(fault.error(), Some(name));
        }
    }

    #[test]
    fn results_are_taken_as_they_are() {
        let cases = [
            ("", value!({})),
            (
                r#"{"response": {"result": 1, "success": false}}"#,
                value!({ "response": { "result": 1, "success": false } }),
            ),
            ("[1]", value!([1])),
            ("9007199254740993", value!(9007199254740993_i64)),
        ];
        for (body, result) in cases {
            assert_eq!(read(&answer(200, None, body)), Invoked::Over(Ok(result)));
        }
    }

    #[test]
    fn a_failed_run_without_an_error_fails_with_its_result() {
        let Invoked::Over(Err(fault)) =
            read(&answer(502, Some("a1"), r#"{"response": {"result": [1], "success": false}}"#))
        else {
            panic!()
        };
        assert_eq!(fault.to_error(), value!([1]));
    }

    #[test]
    fn what_the_platform_says_is_short() {
        let body = value!({ "error": "ä".repeat(400) }).to_string();
        let platform_message = platform_message(body.as_bytes(), str::to_owned);
        assert_eq!(platform_message.chars().count(), ": ".len() + MAX_MESSAGE);
    }
}
