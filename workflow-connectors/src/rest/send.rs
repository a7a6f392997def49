//! Sending: each request is sent once, and its response is read within a time.

use std::time::Duration;

use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, COOKIE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Url};
use tokio::time::{Instant, timeout_at};
use workflow_runtime::fault::names;
use workflow_runtime::machine::Outcome;
use workflow_runtime::operation::{self, Place, Scheme, SchemeKind};
use workflow_runtime::{Fault, Value, header};

use super::Rest;
use super::answer::{self, HttpResponse, Redactor};
use super::builder::{ReadyService, folded};
use super::credentials::{Secret, sensitive};
use super::environment::PREFIX;
use super::request::{Request, request};
use super::style::encoded;
use crate::http::{self, BodyError};

/// Longest time, in place of one that a clock cannot represent.
pub(super) const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);
pub(super) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
pub(super) const ACCEPTED: &str = "application/json, text/plain;q=0.9, */*;q=0.1";

/// Service of an operation, and the security schemes of the call with their credentials.
pub(super) type Schemes<'r> = (&'r ReadyService, Vec<(&'r Scheme, &'r Secret)>);

/// Selects the credentials of an operation, or returns what is missing.
pub(super) fn schemes<'r>(rest: &'r Rest, operation: &'r operation::Rest) -> Result<Schemes<'r>, String> {
    let name = operation.service;
    let variable = folded(name);
    let Some(service) = rest.service(name) else {
        let mut problem = format!("the service `{name}` has no address: set `{PREFIX}{variable}_URL`");
        if let Some(server) = operation.server {
            problem.push_str(&format!("; its document names `{server}`"));
        }
        return Err(problem);
    };
    let of = |list: &'r &'r [Scheme]| {
        let found = list.iter().map(|scheme| {
            let is_spoken = !matches!(scheme.kind, SchemeKind::Other(_));
            Some((scheme, service.credentials.get(&folded(scheme.name)).filter(|_| is_spoken)?))
        });
        found.collect::<Option<Vec<_>>>()
    };
    if let Some(found) = operation.security.iter().filter(|list| !list.is_empty()).find_map(of) {
        return Ok((service, found));
    }
    if operation.security.is_empty() || operation.security.iter().any(|list| list.is_empty()) {
        return Ok((service, Vec::new()));
    }
    let lists = operation.security.iter().map(|list| {
        let schemes: Vec<String> = list.iter().map(|scheme| described(&variable, scheme)).collect();
        schemes.join(" and ")
    });
    let lists: Vec<String> = lists.collect();
    Err(format!("the operation `{}` of the service `{name}` needs credentials: {}", operation.id, lists.join(", or ")))
}

fn described(service: &str, scheme: &Scheme) -> String {
    match scheme.kind {
        SchemeKind::Other(kind) => format!("`{}` of the unsupported kind `{kind}`", scheme.name),
        SchemeKind::Basic => format!("`{PREFIX}{service}_{}` (`user:password`)", folded(scheme.name)),
        SchemeKind::Bearer => format!("`{PREFIX}{service}_{}` (a token)", folded(scheme.name)),
        SchemeKind::ApiKey(..) => format!("`{PREFIX}{service}_{}` (a key)", folded(scheme.name)),
    }
}

/// Sends the request of an operation.
pub(super) async fn send(
    rest: &Rest,
    operation: &operation::Rest,
    arguments: Value,
    limit: Duration,
    key: Option<&str>,
) -> Outcome {
    let fault = |name: &'static str, what: String| {
        Fault::new(name, format!("`{}#{}`: {what}", operation.document, operation.id))
    };
    let (service, schemes) = schemes(rest, operation).map_err(|what| Fault::new("Http.NotConfigured", what))?;
    let secrets = || schemes.iter().map(|(_, secret)| *secret).chain(&service.secrets);
    let hide = |text: &str| secrets().fold(text.to_owned(), |text, secret| secret.redact(&text));
    let hidden = Redactor { text: &hide, longest: secrets().map(Secret::longest).max().unwrap_or_default() };
    let request = request(operation, &arguments).map_err(|what| fault("Http.InvalidArguments", what))?;
    let request = prepared(request, operation, service, &schemes, key).map_err(|(name, what)| fault(name, what))?;
    let deadline = Instant::now() + limit.min(LONGEST);
    let answered = exchange(service, request, &hidden, rest.max_response_bytes, &fault);
    let answer = timeout_at(deadline, answered).await.map_err(|_| late(limit, &fault))??;
    answer::outcome(answer, &hidden).map_err(|failure| failure.fault(rest.max_response_bytes, fault))
}

/// Function that makes a fault from a name and a sentence.
pub(super) type MakeFault<'f> = dyn Fn(&'static str, String) -> Fault + Sync + 'f;

/// Sends a request once, and reads the response. A successful one with more than `most` bytes is
/// not read.
pub(super) async fn exchange(
    service: &ReadyService,
    request: reqwest::Request,
    hidden: &Redactor<'_>,
    most: usize,
    fault: &MakeFault<'_>,
) -> Result<HttpResponse, Fault> {
    let mut response = service.client.execute(request).await.map_err(|error| {
        let what = if error.is_connect() { "cannot connect to" } else { "lost the connection to" };
        let problem = (hidden.text)(&http::describe(error));
        fault("Http.Socket", format!("{what} {}: {problem}", service.url.origin().ascii_serialization()))
    })?;
    let status = response.status();
    let headers = std::mem::take(response.headers_mut());
    let kind = headers.get(CONTENT_TYPE).map(|kind| String::from_utf8_lossy(kind.as_bytes()).into_owned());
    if !status.is_success() {
        let (body, is_whole) = http::read_start(response, hidden.max_error_bytes()).await;
        return Ok(HttpResponse { status, kind, headers, body, is_whole });
    }
    match http::read(response, most).await {
        Ok(body) => Ok(HttpResponse { status, kind, headers, body, is_whole: true }),
        Err(BodyError::TooLarge) => Ok(HttpResponse { status, kind, headers, body: Vec::new(), is_whole: false }),
        Err(BodyError::Broken(error)) => {
            let problem = (hidden.text)(&http::describe(error));
            Err(fault("Http.Socket", format!("the connection was lost while the response was read: {problem}")))
        }
    }
}

/// Returns the fault for a response that did not arrive in time.
pub(super) fn late(limit: Duration, fault: &MakeFault<'_>) -> Fault {
    fault(names::TIMEOUT, format!("no response within {limit:.1?}; the request may still be processed"))
}

/// Builds the complete request. An error is the name of a fault and a sentence.
fn prepared(
    request: Request,
    operation: &operation::Rest,
    service: &ReadyService,
    schemes: &[(&Scheme, &Secret)],
    key: Option<&str>,
) -> Result<reqwest::Request, (&'static str, String)> {
    let Request { path, mut query, headers: own, mut cookies, body } = request;
    let unusable = |scheme: &Scheme, what: &str| {
        ("Http.NotConfigured", format!("the credentials for the scheme `{}` {what}", scheme.name))
    };
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static(ACCEPTED));
    for (name, value) in own {
        headers.append(name, value);
    }
    for (scheme, secret) in schemes {
        let no_form = || unusable(scheme, "contain characters that are not allowed");
        match scheme.kind {
            SchemeKind::ApiKey(Place::Header, name) => {
                let name = HeaderName::try_from(name).map_err(|_| no_form())?;
                headers.insert(name, sensitive(secret.text()).ok_or_else(no_form)?);
            }
            SchemeKind::ApiKey(Place::Cookie, name) => {
                let is_allowed = |byte: u8| byte.is_ascii_graphic() && !b"\",;\\".contains(&byte);
                if !secret.text().bytes().all(is_allowed) {
                    return Err(no_form());
                }
                cookies.push(format!("{name}={}", secret.text()));
            }
            SchemeKind::ApiKey(_, name) => {
                query.push(format!("{}={}", encoded(name, false), encoded(secret.text(), false)));
            }
            kind => {
                if let Some(value) = secret.authorization(kind) {
                    headers.insert(AUTHORIZATION, value.map_err(|what| unusable(scheme, what))?);
                }
            }
        }
    }
    if !cookies.is_empty() {
        let cookies = sensitive(&cookies.join("; "));
        headers.insert(COOKIE, cookies.ok_or(("Http.InvalidArguments", "the cookies are invalid".to_owned()))?);
    }
    for (name, value) in &service.headers {
        headers.insert(name, value.clone());
    }
    let is_idempotent = matches!(operation.method, "GET" | "HEAD" | "OPTIONS" | "TRACE" | "PUT" | "DELETE");
    if let Some(key) = key.filter(|_| !is_idempotent && !headers.contains_key(IDEMPOTENCY_KEY)) {
        let key = HeaderValue::try_from(header::encode(key));
        headers.insert(
            IDEMPOTENCY_KEY,
            key.map_err(|_| ("Http.InvalidArguments", "its idempotency key is invalid".to_owned()))?,
        );
    }
    let mut text = format!("{}{path}", service.base);
    if !query.is_empty() {
        text.push('?');
        text.push_str(&query.join("&"));
    }
    let url = Url::parse(&text).ok().filter(|url| is_below(url, &service.url));
    let url =
        url.ok_or(("Http.InvalidArguments", "the arguments lead to an address outside the service".to_owned()))?;
    let method = Method::from_bytes(operation.method.as_bytes());
    let method = method.map_err(|_| ("Http.InvalidArguments", "its method is invalid".to_owned()))?;
    let mut request = reqwest::Request::new(method, url);
    *request.headers_mut() = headers;
    if let Some((kind, body)) = body {
        let kind = HeaderValue::try_from(kind);
        let kind = kind.map_err(|_| ("Http.InvalidArguments", "its content type is invalid".to_owned()))?;
        request.headers_mut().insert(CONTENT_TYPE, kind);
        *request.body_mut() = Some(body.into());
    }
    Ok(request)
}

/// Returns `true` if an address is the service's or below it.
pub(super) fn is_below(url: &Url, base: &Url) -> bool {
    let path = base.path().trim_end_matches('/');
    url.origin() == base.origin()
        && url.path().strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_stay_below_that_of_the_service() {
        let is = |url: &str, base: &str| is_below(&Url::parse(url).unwrap(), &Url::parse(base).unwrap());
        assert!(is("https://a.example/v1/b", "https://a.example/v1/"));
        assert!(is("https://a.example/b", "https://a.example"));
        assert!(is("https://a.example/v1", "https://a.example/v1/"));
        for url in [
            "https://b.example/v1/b",
            "http://a.example/v1/b",
            "https://a.example:444/v1/b",
            "https://a.example/v1/../b",
            "https://a.example/v10",
        ] {
            assert!(!is(url, "https://a.example/v1"), "{url}");
        }
    }
}
