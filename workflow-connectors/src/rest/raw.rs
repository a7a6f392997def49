//! Requests written out in definitions, whose addresses must belong to configured services.

use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, SET_COOKIE};
use reqwest::{Method, Url};
use tokio::time::{Instant, timeout_at};
use workflow_runtime::machine::Outcome;
use workflow_runtime::operation::Http;
use workflow_runtime::value::object;
use workflow_runtime::{Fault, Object, Value, header};

use super::Rest;
use super::answer::{self, Failure, HttpResponse, Redactor};
use super::builder::{ReadyService, folded};
use super::credentials::{self, Secret, sensitive};
use super::environment::PREFIX;
use super::request::leads_away;
use super::send::{ACCEPTED, IDEMPOTENCY_KEY, LONGEST, exchange, is_below, late};
use super::style;

const ATTEMPT: HeaderName = HeaderName::from_static("workflow-attempt");
/// Members of the input.
const MEMBERS: [&str; 5] = ["method", "url", "query", "headers", "body"];
/// Headers that belong to the connection, which a definition cannot set.
const CONNECTION_HEADERS: [&str; 10] = [
    "connection",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "proxy-authorization",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];
/// Largest size of a response's headers in bytes.
const MAX_HEADERS: usize = 64 << 10;

/// Idempotency key and attempt of a request.
#[derive(Clone, Copy)]
pub(super) struct Call<'a> {
    pub key: Option<&'a str>,
    pub attempt: u32,
}

/// Reason why no request was sent: the name of a fault, and a sentence.
type Refusal = (&'static str, String);

/// Input of a request.
struct RawRequest<'v> {
    method: Method,
    url: &'v str,
    query: Option<&'v Object>,
    headers: Option<&'v Object>,
    body: Option<&'v Value>,
}

/// Service with the folded name of its variables.
#[derive(Clone, Copy)]
struct NamedService<'r> {
    name: &'r str,
    service: &'r ReadyService,
}

/// Sends a request that a definition writes out.
pub(super) async fn send(rest: &Rest, operation: &Http, input: Value, limit: Duration, call: Call<'_>) -> Outcome {
    let fault = |name: &'static str, what: String| Fault::new(name, format!("`{operation}`: {what}"));
    let refused = |(name, what): Refusal| fault(name, what);
    let parts = parts(&input).map_err(refused)?;
    let url = address(&parts).map_err(refused)?;
    let named = allowed(rest, &url).map_err(refused)?;
    let (headers, secrets) = headers(operation, &parts, named, call).map_err(refused)?;
    // A body can have many texts, and one secret can be part of another.
    let mut forms: Vec<String> = secrets.iter().flat_map(|secret| secret.forms()).collect();
    forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
    forms.dedup();
    let hide = |text: &str| credentials::without(text, &forms);
    let longest = secrets.iter().map(|secret| secret.longest()).max().unwrap_or_default();
    let hidden = Redactor { text: &hide, longest };
    let request = request(&parts, url, headers).map_err(refused)?;
    let deadline = Instant::now() + limit.min(LONGEST);
    let answered = exchange(named.service, request, &hidden, rest.max_response_bytes, &fault);
    let answer = timeout_at(deadline, answered).await.map_err(|_| late(limit, &fault))??;
    outcome(answer, operation, &hidden, rest.max_response_bytes)
}

/// Checks everything that the definition fixes: the address is allowed, and the secrets exist.
pub(super) fn check(rest: &Rest, operation: &Http) -> Result<(), String> {
    let describe = |what: String| format!("`{operation}`: {what}");
    // Of an address with a variable part, only a complete origin is checked.
    let is_origin_complete = || operation.start.splitn(4, ['/', '?', '#']).count() == 4;
    let url = Url::parse(operation.start).ok().filter(|_| !operation.goes_on || is_origin_complete());
    let Some(url) = url else { return Ok(()) };
    let of_origin = rest.services.iter().filter(|(_, service)| service.url.origin() == url.origin());
    let ways: Vec<NamedService<'_>> = match operation.goes_on {
        true => of_origin.map(|(name, service)| NamedService { name, service }).collect(),
        false => allowed(rest, &url).into_iter().collect(),
    };
    let has_secrets = |named: &NamedService<'_>| {
        operation.secrets.iter().try_for_each(|secret| secret_of(*named, secret.secret).map(drop))
    };
    match ways.first() {
        None => Err(describe(forbidden(&url).1)),
        Some(first) => match ways.iter().any(|named| has_secrets(named).is_ok()) {
            true => Ok(()),
            false => has_secrets(first).map_err(|(_, what)| describe(what)),
        },
    }
}

fn invalid(what: impl Into<String>) -> Refusal {
    ("Http.InvalidArguments", what.into())
}

/// Reads the members of the input.
fn parts(input: &Value) -> Result<RawRequest<'_>, Refusal> {
    let members =
        input.as_object().ok_or_else(|| invalid(format!("its input must be an object, found `{}`", input.kind())))?;
    if let Some((name, _)) = members.iter().find(|(name, _)| !MEMBERS.contains(&&***name)) {
        return Err(invalid(format!("unknown member `{}` of a request", name.escape_debug())));
    }
    let wrong = |name: &str, what: &str| {
        let kind = members.get(name).map_or("null", Value::kind);
        invalid(format!("`{name}` must be {what}, found `{kind}`"))
    };
    let text = |name: &str| members.get(name).and_then(Value::as_str).ok_or_else(|| wrong(name, "a string"));
    let object = |name: &str| match members.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => value.as_object().map(Some).ok_or_else(|| wrong(name, "an object")),
    };
    let method = Method::from_bytes(text("method")?.as_bytes());
    let method = method.map_err(|_| invalid("its method is invalid"))?;
    if matches!(method, Method::CONNECT | Method::TRACE) {
        // CONNECT asks for a tunnel; TRACE returns the secrets of the request.
        return Err(invalid(format!("the method {method} is not supported")));
    }
    let (url, query, headers) = (text("url")?, object("query")?, object("headers")?);
    Ok(RawRequest { method, url, query, headers, body: members.get("body") })
}

/// Builds the complete address.
fn address(parts: &RawRequest<'_>) -> Result<Url, Refusal> {
    let wrong = |why: &str| invalid(format!("invalid address: {why}"));
    let text = parts.url.trim();
    // The URL parser would drop some, and join the text around them.
    if text.contains(|c: char| c.is_control()) {
        return Err(wrong("it contains control characters"));
    }
    let path = text.split(['?', '#']).next().unwrap_or_default();
    if path.split(['/', '\\']).any(leads_away) {
        return Err(wrong("it contains the segment `.` or `..`"));
    }
    let mut url = Url::parse(text).map_err(|error| wrong(&error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong("the scheme must be `https` or `http`"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("it contains credentials"));
    }
    url.set_fragment(None);
    let pairs = parts.query.into_iter().flat_map(Object::iter).filter(|(_, value)| !value.is_null());
    let pairs = pairs.flat_map(|(name, value)| style::field(name, value));
    let own = url.query().filter(|query| !query.is_empty()).map(str::to_owned);
    let query: Vec<String> = own.into_iter().chain(pairs).collect();
    url.set_query(Some(query.join("&")).filter(|query| !query.is_empty()).as_deref());
    Ok(url)
}

/// Returns the service of an address. If several match, the one with the longest address counts.
fn allowed<'r>(rest: &'r Rest, url: &Url) -> Result<NamedService<'r>, Refusal> {
    let of = rest.services.iter().filter(|(_, service)| is_below(url, &service.url));
    let (name, service) = of.max_by_key(|(_, service)| service.base.len()).ok_or_else(|| forbidden(url))?;
    Ok(NamedService { name, service })
}

fn forbidden(url: &Url) -> Refusal {
    let (origin, host) = (url.origin().ascii_serialization(), folded(url.host_str().unwrap_or_default()));
    let host = host.trim_matches('_');
    let what = format!("the address {origin} is not allowed: set `{PREFIX}{host}_URL` to the allowed address");
    ("Http.NotConfigured", what)
}

fn secret_of<'r>(named: NamedService<'r>, secret: &str) -> Result<&'r Secret, Refusal> {
    let NamedService { name, service } = named;
    service.credentials.get(&folded(secret)).ok_or_else(|| {
        let origin = service.url.origin().ascii_serialization();
        let what = format!("missing secret `{secret}` for {origin}: set `{PREFIX}{name}_{}`", folded(secret));
        ("Http.NotConfigured", what)
    })
}

fn not_own(header: &str) -> Result<(), Refusal> {
    match CONNECTION_HEADERS.iter().any(|own| own.eq_ignore_ascii_case(header)) {
        true => Err(invalid(format!("the header `{}` is reserved for the connection", header.escape_debug()))),
        false => Ok(()),
    }
}

/// Builds the headers, and collects the secrets in them.
fn headers<'r>(
    operation: &Http,
    parts: &RawRequest<'_>,
    named: NamedService<'r>,
    call: Call<'_>,
) -> Result<(HeaderMap, Vec<&'r Secret>), Refusal> {
    let mut headers = HeaderMap::new();
    for (name, value) in parts.headers.into_iter().flat_map(Object::iter).filter(|(_, value)| !value.is_null()) {
        let shown_name = name.escape_debug();
        not_own(name)?;
        let items = match value {
            Value::Array(items) => items,
            one => std::slice::from_ref(one),
        };
        for item in items {
            let name = HeaderName::try_from(&**name).ok();
            let pair = name.zip(HeaderValue::from_bytes(style::plain(item).as_bytes()).ok());
            let (name, value) = pair.ok_or_else(|| invalid(format!("the header `{shown_name}` is invalid")))?;
            headers.append(name, value);
        }
    }
    let service = named.service;
    let mut secrets: Vec<&Secret> = service.secrets.iter().collect();
    for secret in operation.secrets {
        not_own(secret.header)?;
        let name = HeaderName::try_from(secret.header);
        let name = name.map_err(|_| invalid(format!("the header `{}` is invalid", secret.header.escape_debug())))?;
        let value = secret_of(named, secret.secret)?;
        let unusable = || {
            (
                "Http.NotConfigured",
                format!("the secret `{}` contains characters that are not allowed in a header", secret.secret),
            )
        };
        headers.insert(name, sensitive(&format!("{}{}", secret.before, value.text())).ok_or_else(unusable)?);
        secrets.push(value);
    }
    for (name, value) in &service.headers {
        headers.insert(name, value.clone());
    }
    headers.entry(ACCEPT).or_insert(HeaderValue::from_static(ACCEPTED));
    if let Some(key) = call.key {
        let key = HeaderValue::try_from(header::encode(key)).map_err(|_| invalid("its idempotency key is invalid"))?;
        headers.entry(IDEMPOTENCY_KEY).or_insert(key);
    }
    headers.entry(ATTEMPT).or_insert(call.attempt.into());
    Ok((headers, secrets))
}

fn request(parts: &RawRequest<'_>, url: Url, headers: HeaderMap) -> Result<reqwest::Request, Refusal> {
    let mut request = reqwest::Request::new(parts.method.clone(), url);
    *request.headers_mut() = headers;
    let Some(body) = parts.body else { return Ok(request) };
    let kind = request.headers().get(CONTENT_TYPE).map(|kind| String::from_utf8_lossy(kind.as_bytes()).into_owned());
    let text = match (kind, body) {
        (Some(kind), Value::String(text)) if !answer::is_json(&kind) => text.to_string(),
        (Some(kind), _) if !answer::is_json(&kind) => {
            return Err(invalid("the body must be a string, because its `Content-Type` is not JSON"));
        }
        (_, body) => body.to_string(),
    };
    request.headers_mut().entry(CONTENT_TYPE).or_insert(HeaderValue::from_static("application/json"));
    *request.body_mut() = Some(text.into());
    Ok(request)
}

/// Returns the outcome of a response: one object is the result, or the cause of the fault. If the
/// body cannot be read, the member `problem` says why.
fn outcome(answer: HttpResponse, operation: &Http, hidden: &Redactor<'_>, most: usize) -> Outcome {
    let status = answer.status.as_u16();
    let headers = headers_to_object(&answer.headers, hidden);
    let headers_fit = headers.is_some();
    let whole = object([
        ("status", Value::from(i64::from(status))),
        ("headers", headers.unwrap_or_default().into()),
        ("body", Value::Null),
    ]);
    let with = |name: &str, value: Value| {
        let mut whole = whole.as_object().cloned().unwrap_or_default();
        whole.insert(name, value);
        Value::from(whole)
    };
    let unread =
        |name: &'static str, what: String| Fault::new(name, with("problem", format!("`{operation}`: {what}").into()));
    if !headers_fit {
        return Err(unread(
            "Http.TooLarge",
            format!("the headers of the response are larger than {MAX_HEADERS} bytes"),
        ));
    }
    match answer::written(answer, hidden) {
        Ok(body) => Ok(with("body", body)),
        Err(Failure::Status(status, body)) => Err(Fault::new(format!("Http.StatusCode.{status}"), with("body", body))),
        Err(Failure::Invalid(what)) => Err(unread("Http.InvalidResponse", (hidden.text)(&what))),
        Err(Failure::TooLarge) => Err(unread("Http.TooLarge", answer::too_large(most))),
    }
}

/// Returns the headers of a response, with names in lower case. Repeated headers are joined;
/// cookies are omitted.
fn headers_to_object(headers: &HeaderMap, hidden: &Redactor<'_>) -> Option<Object> {
    let bytes: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if bytes > MAX_HEADERS {
        return None;
    }
    let mut object = Object::new();
    for name in headers.keys().filter(|name| *name != SET_COOKIE) {
        let values = headers.get_all(name).iter().map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        let values: Vec<String> = values.collect();
        object.insert(name.as_str(), (hidden.text)(&values.join(", ")));
    }
    Some(object)
}

#[cfg(test)]
mod tests {
    use super::*;
    use workflow_runtime::value;

    fn addressed(url: &str, query: Value) -> Result<String, String> {
        let input = value!({ "method": "GET", "url": url, "query": query });
        let url = parts(&input).and_then(|parts| address(&parts));
        url.map(String::from).map_err(|(_, what)| what)
    }

    #[test]
    fn addresses_stay_what_they_were_meant_to_be() {
        let given = value!({ "q": "a&b=c", "n": 7, "list": ["x", null, "y z"], "none": null, "of": { "a": 1 } });
        let expected = "https://a.example/b?c=d&q=a%26b%3Dc&n=7&list=x&list=y%20z&of=%7B%22a%22%3A1%7D";
        assert_eq!(addressed(" https://a.example/b?c=d#e ", given).as_deref(), Ok(expected));
        assert_eq!(addressed("https://a.example", Value::Null).as_deref(), Ok("https://a.example/"));
        for (url, why) in [
            ("https://a.example/b/../c", "it contains the segment `.` or `..`"),
            ("https://a.example/b/%2e%2E/c", "it contains the segment `.` or `..`"),
            ("https://a.example\\..\\c", "it contains the segment `.` or `..`"),
            ("https://a.example/b/..%2fc", "it contains the segment `.` or `..`"),
            ("https://a.example/b/.\t./c", "it contains control characters"),
            ("https://me:hidden@a.example/", "it contains credentials"),
            ("ftp://a.example/", "the scheme must be `https` or `http`"),
            ("/orders", "relative URL without a base"),
            ("", "relative URL without a base"),
        ] {
            assert_eq!(addressed(url, Value::Null), Err(format!("invalid address: {why}")), "{url}");
        }
    }

    #[test]
    fn inputs_have_the_parts_of_a_request() {
        for (input, what) in [
            (value!(1), "its input must be an object, found `number`"),
            (value!({ "url": "https://a.example" }), "`method` must be a string, found `null`"),
            (value!({ "method": "GET", "url": 1 }), "`url` must be a string, found `number`"),
            (value!({ "method": "G T", "url": "" }), "its method is invalid"),
            (value!({ "method": "TRACE", "url": "" }), "the method TRACE is not supported"),
            (value!({ "method": "GET", "url": "", "query": [] }), "`query` must be an object, found `array`"),
            (value!({ "method": "GET", "url": "", "headers": "" }), "`headers` must be an object, found `string`"),
            (value!({ "method": "GET", "url": "", "header": {} }), "unknown member `header` of a request"),
        ] {
            assert_eq!(parts(&input).err().map(|(_, message)| message).as_deref(), Some(what));
        }
    }
}
