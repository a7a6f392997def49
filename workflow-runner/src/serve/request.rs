//! The parts of HTTP requests: paths, parameters, headers, bodies.

use std::time::Duration;

use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Bytes;
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::{StatusCode, Uri};
use workflow_runtime::{Value, ValueError};

use super::answer::Answer;
use super::connections::Arriving;
use crate::duration;

/// The size in bytes above which reading, checking and hashing a document leaves its worker thread
/// to other connections.
pub const LARGE: usize = 64 << 10;
/// The time that the body of a request has to arrive.
const BODY_TIME: Duration = Duration::from_secs(30);

/// Returns the segments of a path, decoded.
pub fn path(uri: &Uri) -> Result<Vec<String>, Answer> {
    let path = uri.path();
    let bad = || Answer::bad("the path is not valid: `%` begins two hexadecimal digits, and UTF-8 is expected");
    path.strip_prefix('/').unwrap_or(path).split('/').map(|part| decode(part, false).ok_or_else(bad)).collect()
}

/// The parameters of a query, decoded.
#[derive(Debug)]
pub struct Query(Vec<(String, String)>);

impl Query {
    /// Reads the parameters of a URI. A parameter that is not in `known` is an error.
    pub fn of(uri: &Uri, known: &[&str]) -> Result<Query, Answer> {
        let mut read = Vec::new();
        for pair in uri.query().unwrap_or_default().split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let (Some(name), Some(value)) = (decode(name, true), decode(value, true)) else {
                return Err(Answer::bad("the query is not valid: `%` begins two hexadecimal digits"));
            };
            if !known.contains(&name.as_str()) {
                let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
                let there_are = match known.as_slice() {
                    [] => "there are none here".to_owned(),
                    known => format!("there are {}", known.join(", ")),
                };
                return Err(Answer::problem(StatusCode::BAD_REQUEST, format!("unknown parameter `{name}`"), there_are));
            }
            if read.iter().any(|(other, _)| *other == name) {
                return Err(Answer::bad(format!("the parameter `{name}` is given more than once")));
            }
            read.push((name, value));
        }
        Ok(Query(read))
    }

    /// Returns the value of a parameter.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns a parameter that is a duration.
    pub fn duration(&self, name: &str) -> Result<Option<Duration>, Answer> {
        let read = |text: &str| {
            duration::parse(text)
                .ok_or_else(|| Answer::bad(format!("`{name}={text}`: write `30s`, `5m`, `2h` or `7d`")))
        };
        self.get(name).map(read).transpose()
    }
}

/// Undoes percent-encoding; in a query, `+` is a space. Returns `None` for invalid encoding or
/// text that is not UTF-8.
pub fn decode(text: &str, query: bool) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
                digit()? << 4 | digit()?
            }
            b'+' if query => b' ',
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

/// Percent-encodes a segment of a path.
pub fn encode(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// Returns a header that may be given once. A repeated header is an error.
pub fn single<'a>(head: &'a HeaderMap, name: &str) -> Result<Option<&'a HeaderValue>, Answer> {
    let mut values = head.get_all(name).iter();
    match (values.next(), values.next()) {
        (_, Some(_)) => Err(Answer::bad(format!("`{name}` is given more than once"))),
        (first, None) => Ok(first),
    }
}

/// Reads the JSON body of a request; `None` if the body is empty.
pub async fn json(head: &HeaderMap, body: Arriving, most: usize) -> Result<Option<Value>, Answer> {
    parse(&bytes(head, body, most).await?)
}

/// Parses the JSON of a body like [`value`]; `None` if the body is blank.
pub fn parse(bytes: &Bytes) -> Result<Option<Value>, Answer> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(None);
    }
    value(bytes).map(Some).map_err(|error| Answer::bad(format!("the body is not JSON: {error}")))
}

/// Parses JSON, aside from other connections if it is large. An object with a key twice is an
/// error. The caller must be a task of a multi-threaded runtime.
pub fn value(bytes: &Bytes) -> Result<Value, ValueError> {
    let read = || Value::from_json_strict(bytes);
    if bytes.len() > LARGE { tokio::task::block_in_place(read) } else { read() }
}

/// Reads the body of a request, of `most` bytes at most.
pub async fn bytes(head: &HeaderMap, body: Arriving, most: usize) -> Result<Bytes, Answer> {
    let too_large = || {
        let help = "the server takes more with `--max-body SIZE`";
        let error = format!("the body has more than {most} bytes");
        Answer::problem(StatusCode::PAYLOAD_TOO_LARGE, error, help).with(header::CONNECTION, "close")
    };
    let length = head.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > most as u64) {
        return Err(too_large());
    }
    let read = tokio::time::timeout(BODY_TIME, Limited::new(body, most).collect()).await;
    match read {
        Ok(Ok(read)) => Ok(read.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large()),
        Ok(Err(error)) => Err(Answer::bad(format!("the body cannot be read: {error}"))),
        Err(_) => {
            let error = format!("the body did not arrive within {}", duration::show(BODY_TIME));
            let late = Answer::problem(StatusCode::REQUEST_TIMEOUT, error, "");
            Err(late.with(header::CONNECTION, "close"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_is_decoded() {
        for text in ["", "a", "a/b c", "Bestellung Nr. 7 für Ada?&=%+#", "\u{0}\n"] {
            assert_eq!(decode(&encode(text), false).as_deref(), Some(text), "{text}");
            assert_eq!(decode(&encode(text), true).as_deref(), Some(text), "{text}");
        }
        assert_eq!(decode("a+b", true).as_deref(), Some("a b"));
        for wrong in ["%", "%4", "%zz", "%ff", "%+1"] {
            assert_eq!(decode(wrong, false), None, "{wrong}");
        }
    }

    #[test]
    fn parameters_are_those_that_are_known() {
        let uri = |text: &str| text.parse::<Uri>().expect("an address");
        assert!(
            Query::of(&uri("/executions?status=a&status=failed"), &["status"]).is_err(),
            "it is not clear which counts"
        );
        let uri = uri("/executions?wait=1m30s&status=a%20b&&x");
        assert!(Query::of(&uri, &["wait", "status"]).is_err());
        let query = Query::of(&uri, &["wait", "status", "x"]).expect("a query");
        assert_eq!((query.get("status"), query.get("x"), query.get("y")), (Some("a b"), Some(""), None));
        assert_eq!(query.duration("wait").ok().flatten(), Some(Duration::from_secs(90)));
        assert!(query.duration("x").is_err());
    }
}
