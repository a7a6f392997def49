//! The parts of HTTP requests: paths, parameters, headers, bodies.

use std::time::Duration;

use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Bytes;
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::{Method, StatusCode, Uri};
use workflow_runtime::{Object, Value, ValueError, uri};

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
    let bad = || Answer::bad("invalid path: expected two hexadecimal digits after `%`, and UTF-8");
    path.strip_prefix('/').unwrap_or(path).split('/').map(|part| uri::decode(part).ok_or_else(bad)).collect()
}

/// Returns a header that may be given once. A repeated header is an error.
pub fn single<'a>(head: &'a HeaderMap, name: &str) -> Result<Option<&'a HeaderValue>, Answer> {
    let mut values = head.get_all(name).iter();
    match (values.next(), values.next()) {
        (_, Some(_)) => Err(Answer::bad(format!("duplicate header `{name}`"))),
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
    let bad = |error| Answer::bad(format!("the body is not JSON: {error}")).logged_as("the body is not JSON");
    value(bytes).map(Some).map_err(bad)
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
        let help = "`--max-body SIZE` of the server raises the limit";
        let error = format!("the body is larger than {most} bytes");
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
        Ok(Err(error)) => Err(Answer::bad(format!("cannot read the body: {error}"))),
        Err(_) => {
            let error = format!("the body did not arrive within {}", duration::show(BODY_TIME));
            let late = Answer::problem(StatusCode::REQUEST_TIMEOUT, error, "");
            Err(late.with(header::CONNECTION, "close"))
        }
    }
}

/// Checks that a request comes from a program, and not from a web page in a browser. If only this
/// machine can reach the server (`local`), the request must name this machine. Returns the reason
/// of a refusal.
pub fn from_this_machine(head: &HeaderMap, local: bool) -> Result<(), &'static str> {
    if head.contains_key(header::ORIGIN) {
        return Err("requests from web pages are not allowed");
    }
    // A web page whose name was made to resolve to this machine (DNS rebinding) sends its own
    // name.
    let host = head.get(header::HOST);
    if local && host.is_some_and(|host| !host.to_str().is_ok_and(is_local)) {
        return Err("requests for another host are not allowed");
    }
    Ok(())
}

/// Checks the method of a request.
pub fn only(method: &Method, allowed: &[Method]) -> Result<(), Answer> {
    if allowed.contains(method) { Ok(()) } else { Err(not_allowed(allowed)) }
}

/// Returns the answer for a method that a route does not have.
pub fn not_allowed(allowed: &[Method]) -> Answer {
    let allowed: Vec<&str> = allowed.iter().map(Method::as_str).collect();
    let allowed = allowed.join(", ");
    let refused = Answer::problem(StatusCode::METHOD_NOT_ALLOWED, "method not allowed", format!("use {allowed}"));
    refused.with(header::ALLOW, allowed)
}

/// Returns `true` if a `Host` is an IP address or `localhost`.
fn is_local(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    name.eq_ignore_ascii_case("localhost") || address.parse::<std::net::IpAddr>().is_ok()
}

/// Returns the members of the body, which must be an object or absent. A member that is not in
/// `known` is an error.
pub fn members(body: Option<Value>, known: &[&str]) -> Result<Object, Answer> {
    let Some(body) = body else { return Ok(Object::new()) };
    let Some(object) = body.as_object() else {
        return Err(Answer::bad(format!("the body must be an object, found {}", body.kind())));
    };
    match object.keys().find(|key| !known.contains(&key.as_str())) {
        None => Ok(object.clone()),
        Some(key) => {
            let known: Vec<String> = known.iter().map(|key| format!("`{key}`")).collect();
            let error = format!("unknown member `{key}` in the body: expected one of {}", known.join(", "));
            Err(Answer::bad(error).logged_as("unknown member in the body"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_this_machine_are_known() {
        for host in ["localhost", "localhost:8080", "127.0.0.1:1", "[::1]:8080", "LOCALHOST:1"] {
            assert!(is_local(host), "{host}");
        }
        for host in ["", "example.org", "localhost.example.org", "127.0.0.1.example.org:80", "a:b"] {
            assert!(!is_local(host), "{host}");
        }
    }
}
