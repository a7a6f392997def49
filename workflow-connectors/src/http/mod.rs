//! HTTP clients of connectors: each request is sent once, responses are bounded, and redirects are
//! not followed.

#[cfg(any(feature = "events", feature = "openwhisk"))]
mod backoff;
#[cfg(any(feature = "openwhisk", feature = "rest"))]
mod body;

#[cfg(any(feature = "events", feature = "openwhisk"))]
pub(crate) use backoff::{Backoff, retry_after};
#[cfg(feature = "rest")]
pub(crate) use body::read_start;
#[cfg(any(feature = "openwhisk", feature = "rest"))]
pub(crate) use body::{BodyError, read};

use std::time::Duration;

use reqwest::{Client, ClientBuilder, Url, redirect, retry};
use workflow_runtime::fault::with_sources;

use crate::tls;

/// Longest time to set up a connection.
const CONNECT: Duration = Duration::from_secs(10);
/// Time for which an idle connection is kept. It is shorter than servers keep connections: a
/// request that crosses the server's close has to be treated as if it had arrived.
const IDLE: Duration = Duration::from_secs(20);

/// Returns a client for one host. It sends each request once, whatever becomes of it, and follows
/// no redirects, which would lead credentials to another host.
pub(crate) fn client(host: &Url, ignore_certs: bool) -> Result<Client, String> {
    builder(host, ignore_certs)?.build().map_err(describe)
}

/// Returns a client as [`client`] does that reaches no metadata addresses.
#[cfg(any(feature = "events", feature = "rest"))]
pub(crate) fn guarded_client(host: &Url) -> Result<Client, String> {
    builder(host, false)?.dns_resolver(std::sync::Arc::new(crate::ssrf::GuardedResolver)).build().map_err(describe)
}

fn builder(host: &Url, ignore_certs: bool) -> Result<ClientBuilder, String> {
    let mut builder = Client::builder()
        .tls_backend_preconfigured(tls::config(host.scheme() == "https", ignore_certs)?)
        .https_only(host.scheme() == "https")
        .redirect(redirect::Policy::none())
        .retry(retry::never())
        .referer(false)
        .connect_timeout(CONNECT)
        .pool_idle_timeout(IDLE)
        .user_agent(concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION")));
    if is_loopback(host) {
        // A proxy would resolve that name to another machine.
        builder = builder.no_proxy();
    }
    Ok(builder)
}

/// Largest number of characters of a body in a message about it.
#[cfg(any(feature = "openwhisk", feature = "rest"))]
const MAX_EXCERPT: usize = 200;

/// Returns the beginning of a body for a message.
#[cfg(any(feature = "openwhisk", feature = "rest"))]
pub(crate) fn excerpt(body: &str) -> String {
    one_line(body.trim(), MAX_EXCERPT)
}

/// Returns at most `most` characters of a text, on one line and without characters that control a
/// terminal.
#[cfg(any(feature = "openwhisk", feature = "rest"))]
pub(crate) fn one_line(text: &str, most: usize) -> String {
    let controls = |c: char| {
        c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
    };
    let mut line: String = text.chars().take(most).map(|c| if controls(c) { ' ' } else { c }).collect();
    if text.chars().nth(most).is_some() {
        line.pop();
        line.push('…');
    }
    line
}

fn is_loopback(host: &Url) -> bool {
    let name = host.host_str().unwrap_or_default();
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
    address.map_or(name == "localhost", |address| address.is_loopback())
}

/// Returns the text of an error and its sources, without the address.
pub(crate) fn describe(error: reqwest::Error) -> String {
    with_sources(&error.without_url())
}

/// Returns `true` if the connection was refused: nothing was sent, and a later attempt may
/// succeed.
#[cfg(feature = "openwhisk")]
pub(crate) fn is_refused(error: &reqwest::Error) -> bool {
    use std::error::Error;

    let mut source = Error::source(error);
    while let Some(error) = source {
        if error
            .downcast_ref::<std::io::Error>()
            .is_some_and(|error| error.kind() == std::io::ErrorKind::ConnectionRefused)
        {
            return true;
        }
        source = error.source();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_reached_without_a_proxy() {
        let cases = [
            ("http://localhost:3233", true),
            ("https://127.0.0.2", true),
            ("http://[::1]:80", true),
            ("https://openwhisk.example.com", false),
            ("https://localhost.example.com", false),
            ("https://10.0.0.1", false),
        ];
        for (host, expected) in cases {
            assert_eq!(is_loopback(&Url::parse(host).unwrap()), expected, "{host}");
        }
    }
}
