//! Responses: results and faults.

use reqwest::StatusCode;
use reqwest::header::HeaderMap;
use workflow_runtime::value::{Str, object};
use workflow_runtime::{Fault, Object, Value};

use crate::http::excerpt;

/// Largest part of an error response's body in a fault, in bytes.
pub(super) const MAX_SHOWN_BODY: usize = 16 << 10;
/// Largest number of characters of a `Content-Type` in a fault.
const MAX_SHOWN_TYPE: usize = 100;
/// Bytes of the character that replaces invalid UTF-8.
const REPLACED: usize = 3;

/// Response, read to its end or up to the limit for faults.
pub(super) struct HttpResponse {
    pub status: StatusCode,
    /// Value of `Content-Type`.
    pub kind: Option<String>,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
    pub is_whole: bool,
}

/// Removal of secrets from texts.
pub(super) struct Redactor<'h> {
    /// Removes secrets from a text.
    pub text: &'h (dyn Fn(&str) -> String + Sync),
    /// Length of the longest secret in bytes.
    pub longest: usize,
}

impl Redactor<'_> {
    /// Returns the number of bytes to read of an error response.
    pub fn max_error_bytes(&self) -> usize {
        MAX_SHOWN_BODY + self.longest + REPLACED
    }
}

/// Reason why a response is not a result.
#[derive(Debug, PartialEq)]
pub(super) enum Failure {
    /// Error response of the service.
    Status(u16, Value),
    /// The response contradicts its `Content-Type`.
    Invalid(String),
    /// The response is too large.
    TooLarge,
}

impl Failure {
    /// Returns the fault. `most` is the limit of the response size.
    pub fn fault(self, most: usize, make_fault: impl Fn(&'static str, String) -> Fault) -> Fault {
        match self {
            Failure::Status(status, body) => {
                let cause = object([("status", Value::from(i64::from(status))), ("body", body)]);
                Fault::new(format!("Http.StatusCode.{status}"), cause)
            }
            Failure::Invalid(what) => make_fault("Http.InvalidResponse", what),
            Failure::TooLarge => make_fault("Http.TooLarge", too_large(most)),
        }
    }
}

/// Returns the message for a response that is too large.
pub(super) fn too_large(most: usize) -> String {
    format!("the response is larger than {most} bytes")
}

/// Returns the type and the bytes of a complete successful response.
fn accepted(answer: HttpResponse, hide: &Redactor<'_>) -> Result<(String, Vec<u8>), Failure> {
    if !answer.status.is_success() {
        return Err(refusal(answer, hide));
    }
    match answer.is_whole {
        true => Ok((answer.kind.unwrap_or_default(), answer.body)),
        false => Err(Failure::TooLarge),
    }
}

/// Returns the result of a response. Secrets are removed from error responses.
pub(super) fn outcome(answer: HttpResponse, hide: &Redactor<'_>) -> Result<Value, Failure> {
    let (kind, body) = accepted(answer, hide)?;
    if body.iter().all(u8::is_ascii_whitespace) && (body.is_empty() || !is_text(&kind)) {
        return Ok(Value::Null);
    }
    if is_json(&kind) || essence(&kind).is_empty() {
        return json(&body, hide);
    }
    if !is_text(&kind) {
        let shown = shown(&kind);
        return Err(Failure::Invalid(format!("the response has the type `{shown}`, which is neither JSON nor text")));
    }
    text(&kind, body)
}

/// Returns the result of a request that a definition writes out: everything that is not JSON by
/// its type is a text. Secrets are removed from results as well, because results become data of
/// workflows, which are stored and shown.
pub(super) fn written(answer: HttpResponse, hide: &Redactor<'_>) -> Result<Value, Failure> {
    let (kind, body) = accepted(answer, hide)?;
    let read = match body.is_empty() {
        true => Ok(Value::Null),
        false if is_json(&kind) => json(&body, hide),
        false => text(&kind, body),
    };
    read.map(|value| without(&value, hide.text))
}

fn refusal(answer: HttpResponse, hide: &Redactor<'_>) -> Failure {
    let HttpResponse { status, kind, body, is_whole, .. } = answer;
    // Secrets are searched in decoded JSON, not in its escaped form.
    let is_json = is_whole && is_json(&kind.unwrap_or_default());
    let json = is_json.then(|| Value::from_json_slice(&body).ok()).flatten();
    let body = json.map(|json| without(&json, hide.text)).unwrap_or_else(|| {
        let text = shortened((hide.text)(&String::from_utf8_lossy(&body)), is_whole, hide);
        if text.is_empty() { Value::Null } else { text.into() }
    });
    Failure::Status(status.as_u16(), body)
}

fn json(body: &[u8], hide: &Redactor<'_>) -> Result<Value, Failure> {
    Value::from_json_slice(body).map_err(|error| {
        let shown = excerpt(&(hide.text)(&String::from_utf8_lossy(body)));
        Failure::Invalid(format!("the response is not JSON: {error}: `{shown}`"))
    })
}

fn text(kind: &str, body: Vec<u8>) -> Result<Value, Failure> {
    if !is_utf8(kind) {
        return Err(Failure::Invalid(format!(
            "the response has the type `{}`, but only UTF-8 is supported",
            shown(kind)
        )));
    }
    match (String::from_utf8(body), kind) {
        (Ok(text), _) => Ok(text.into()),
        (Err(_), "") => Err(Failure::Invalid("the response has no content type and is not UTF-8".to_owned())),
        (Err(_), kind) => {
            Err(Failure::Invalid(format!("the response has the type `{}` but is not UTF-8", shown(kind))))
        }
    }
}

/// Shortens a `Content-Type` for faults.
fn shown(kind: &str) -> String {
    kind.chars().take(MAX_SHOWN_TYPE).collect()
}

/// Shortens a text without secrets. If the text is incomplete, its end may contain the start of an
/// unrecognized secret, and is cut.
fn shortened(mut text: String, is_whole: bool, hide: &Redactor<'_>) -> String {
    let safe = if is_whole { text.len() } else { text.len().saturating_sub(hide.longest + REPLACED) };
    let end = (0..=safe.min(MAX_SHOWN_BODY)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    if !is_whole || end < text.len() {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// Returns a value with secrets removed from all its texts.
fn without(value: &Value, hide: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => hide(text).into(),
        Value::Array(items) => items.iter().map(|item| without(item, hide)).collect::<Vec<_>>().into(),
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| (Str::from(hide(name)), without(value, hide)));
            members.collect::<Object>().into()
        }
        other => other.clone(),
    }
}

/// Returns a media type without parameters, in lower case.
fn essence(kind: &str) -> String {
    kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

pub(super) fn is_json(kind: &str) -> bool {
    let kind = essence(kind);
    kind == "application/json" || kind == "text/json" || (kind.starts_with("application/") && kind.ends_with("+json"))
}

fn is_text(kind: &str) -> bool {
    essence(kind).starts_with("text/")
}

fn is_utf8(kind: &str) -> bool {
    let charset = kind.split(';').skip(1).find_map(|part| {
        let (name, value) = part.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches('"').to_ascii_lowercase())
    });
    charset.is_none_or(|charset| matches!(&*charset, "utf-8" | "utf8" | "us-ascii"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use workflow_runtime::value;

    fn of(status: u16, kind: &str, body: &[u8]) -> Result<Value, Failure> {
        let kind = (!kind.is_empty()).then(|| kind.to_owned());
        let status = StatusCode::from_u16(status).unwrap();
        outcome(HttpResponse { status, kind, headers: HeaderMap::new(), body: body.to_vec(), is_whole: true }, &HIDE)
    }

    const HIDE: Redactor<'static> = Redactor { text: &|text| text.replace("hidden", "…"), longest: 6 };

    #[test]
    fn a_secret_is_hidden_however_json_has_it() {
        let body = br#"{"m": "bad token hid\u0064en", "hidden": [1]}"#;
        let expected = value!({ "m": "bad token \u{2026}", "\u{2026}": [1] });
        assert_eq!(of(401, "application/json", body), Err(Failure::Status(401, expected)));
    }

    #[test]
    fn results() {
        assert_eq!(of(200, "application/json", b"{\"a\": 1}"), Ok(value!({ "a": 1 })));
        assert_eq!(of(201, "application/vnd.bank+JSON; charset=utf-8", b"[1]"), Ok(value!([1])));
        assert_eq!(of(200, "", b"5"), Ok(value!(5)));
        assert_eq!(of(200, "text/plain", "grün".as_bytes()), Ok(value!("grün")));
        assert_eq!(of(200, "text/plain", b"\n"), Ok(value!("\n")));
        for (status, kind) in [(204, ""), (200, "application/json"), (200, "text/html"), (200, "image/png")] {
            assert_eq!(of(status, kind, b""), Ok(Value::Null), "{kind}");
        }
    }

    #[test]
    fn what_is_no_result() {
        let invalid = |kind: &str, body: &[u8]| match of(200, kind, body) {
            Err(Failure::Invalid(what)) => what,
            other => panic!("{other:?}"),
        };
        let not_json = |kind: &str, body: &[u8], shown: &str| {
            let what = invalid(kind, body);
            let expected = format!(": `{shown}`");
            assert!(what.starts_with("the response is not JSON: ") && what.ends_with(&expected), "{what}");
        };
        not_json("application/json", b"<html>\n<p>hidden\x1b[2J", "<html> <p>… [2J");
        not_json("application/json", b"\"\xff\"", "\"\u{fffd}\"");
        not_json("", b"hello", "hello");
        // A secret is removed before the text is cut, also one at the cut.
        let long = format!("{}hidden{}", "x".repeat(196), "y".repeat(300));
        not_json("application/json", long.as_bytes(), &format!("{}…yy…", "x".repeat(196)));
        assert_eq!(
            invalid("image/png", b"PNG"),
            "the response has the type `image/png`, which is neither JSON nor text"
        );
        assert_eq!(
            invalid("text/plain; charset=ISO-8859-1", b"a"),
            "the response has the type `text/plain; charset=ISO-8859-1`, but only UTF-8 is supported"
        );
        assert_eq!(invalid("text/plain", b"\xff"), "the response has the type `text/plain` but is not UTF-8");
        let status = |status, body| Err(Failure::Status(status, body));
        assert_eq!(of(404, "application/problem+json", b"{\"a\": 1}"), status(404, value!({ "a": 1 })));
        assert_eq!(of(500, "text/html", b"<p>hidden</p>"), status(500, value!("<p>…</p>")));
        assert_eq!(of(500, "application/json", b"{"), status(500, value!("{")));
        assert_eq!(of(302, "", b""), status(302, Value::Null));
    }

    #[test]
    fn what_no_document_describes_is_json_or_a_text() {
        let of = |kind: &str, body: &[u8]| {
            let (kind, headers) = ((!kind.is_empty()).then(|| kind.to_owned()), HeaderMap::new());
            written(HttpResponse { status: StatusCode::OK, kind, headers, body: body.to_vec(), is_whole: true }, &HIDE)
        };
        assert_eq!(of("application/json; charset=utf-8", b" [1] "), Ok(value!([1])));
        assert_eq!(of("application/hal+json", b"null"), Ok(Value::Null));
        assert_eq!(of("application/xml", b"<a/>"), Ok(value!("<a/>")));
        assert_eq!(of("", b"[1]"), Ok(value!("[1]")));
        assert_eq!(of("text/plain", b" "), Ok(value!(" ")));
        assert_eq!(of("application/json", b""), Ok(Value::Null));
        let echo = br#"{"sent": ["Bearer hid\u0064en"], "hidden": 1}"#;
        assert_eq!(of("application/json", echo), Ok(value!({ "sent": ["Bearer \u{2026}"], "\u{2026}": 1 })));
        assert_eq!(of("text/plain", b"a hidden b"), Ok(value!("a \u{2026} b")));
        let invalid = |kind: &str, body: &[u8]| match of(kind, body) {
            Err(Failure::Invalid(what)) => what,
            other => panic!("{other:?}"),
        };
        assert!(invalid("application/json", b"<html>").starts_with("the response is not JSON: "));
        assert_eq!(invalid("image/png", b"\x89PNG"), "the response has the type `image/png` but is not UTF-8");
        assert_eq!(invalid("", b"\xff"), "the response has no content type and is not UTF-8");
        assert!(invalid("text/html; charset=latin1", b"a").ends_with("but only UTF-8 is supported"));
    }

    #[test]
    fn a_secret_is_not_cut_in_two() {
        let cause_text = |body: Vec<u8>, is_whole| {
            let (status, headers) = (StatusCode::BAD_GATEWAY, HeaderMap::new());
            let answer = HttpResponse { status, kind: None, headers, body, is_whole };
            let Err(Failure::Status(502, Value::String(text))) = outcome(answer, &HIDE) else { panic!("it is a text") };
            text.to_string()
        };
        let most = HIDE.max_error_bytes();
        // Any position of the secret at the cut, and any shortening by earlier secrets.
        for before in ["", "hidden hidden hidden hidden "] {
            for at in most - 40..most + 5 {
                let fill = "x".repeat(at - before.len());
                let mut body = format!("{before}{fill}hidden yyyyyyyyy").into_bytes();
                let is_whole = body.len() <= most;
                body.truncate(most);
                let text = cause_text(body, is_whole);
                assert!(
                    !text.contains(['h', 'i', 'd', 'e', 'n']) && text.len() <= MAX_SHOWN_BODY + '…'.len_utf8(),
                    "{at}"
                );
            }
        }
        assert_eq!(cause_text(b"abc".to_vec(), false), "…");
        assert_eq!(cause_text("ü".repeat(MAX_SHOWN_BODY).into_bytes(), true).chars().count(), MAX_SHOWN_BODY / 2 + 1);
        assert_eq!(cause_text(vec![b'x'; MAX_SHOWN_BODY], true).len(), MAX_SHOWN_BODY);
    }
}
