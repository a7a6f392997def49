//! What connectors want of HTTP: requests that are sent once, answers of bounded size, nothing followed.

#[cfg(any(feature = "openwhisk", feature = "rest"))]
mod body;
#[cfg(any(feature = "events", feature = "openwhisk"))]
mod pause;

#[cfg(feature = "rest")]
pub(crate) use body::read_start;
#[cfg(any(feature = "openwhisk", feature = "rest"))]
pub(crate) use body::{Unread, read};
#[cfg(any(feature = "events", feature = "openwhisk"))]
pub(crate) use pause::{Pauses, retry_after};

use std::time::Duration;

use reqwest::{Client, ClientBuilder, Url, redirect, retry};

use crate::{causes, tls};

/// The longest that setting up a connection takes.
const CONNECT: Duration = Duration::from_secs(10);
/// How long a connection is kept for a next request: less than servers keep it, because a request that crosses its end has to
/// be taken for one that arrived.
const IDLE: Duration = Duration::from_secs(20);

/// A client for one host. It sends a request once, whatever becomes of it, and follows no redirects: they would lead
/// credentials to another host.
pub(crate) fn client(host: &Url, ignore_certs: bool) -> Result<Client, String> {
    builder(host, ignore_certs)?.build().map_err(told)
}

/// As [`client`], that reaches no address that tells a machine of itself.
#[cfg(any(feature = "events", feature = "rest"))]
pub(crate) fn guarded_client(host: &Url) -> Result<Client, String> {
    builder(host, false)?.dns_resolver(std::sync::Arc::new(crate::guard::Guard)).build().map_err(told)
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
        // What a proxy would call by that name is another machine.
        builder = builder.no_proxy();
    }
    Ok(builder)
}

fn is_loopback(host: &Url) -> bool {
    let name = host.host_str().unwrap_or_default();
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
    address.map_or(name == "localhost", |address| address.is_loopback())
}

/// An error and what lies beneath it, without the address.
pub(crate) fn told(error: reqwest::Error) -> String {
    causes::told(&error.without_url())
}

/// Whether nobody listens there: nothing was sent, and it may be otherwise in a moment.
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
