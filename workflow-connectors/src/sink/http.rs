//! HTTP sink: sends events with the HTTP protocol binding of CloudEvents 1.0.
//!
//! [`HttpSink`] sends each event in the structured content mode (section 3.2 of the HTTP binding
//! of CloudEvents 1.0.2): a POST whose body is the event in the JSON format, with the type
//! `application/cloudevents+json`. Any 2xx response accepts the event. The sink is passed to an
//! engine at setup:
//!
//! ```no_run
//! use workflow_connectors::HttpSink;
//! use workflow_runtime::task::Invoke;
//! use workflow_runtime::prelude::*;
//!
//! include_workflow!("flows/receipt.composer.json");
//!
//! # async fn run(tasks: impl Invoke) -> Result<(), Box<dyn std::error::Error>> {
//! let sink = HttpSink::new("https://broker.example.com/default")?.token(std::env::var("BROKER_TOKEN")?)?;
//! Builder::<receipt::Receipt>::new().sink(sink).tasks(&tasks).run(value!({ "amount": 25 })).await?;
//! # Ok(())
//! # }
//! ```
//!
//! If the server cannot be reached, or answers 408, 425, 429 or 5xx, the event is sent again for
//! up to a minute, after a growing pause or the one that the server asks for. The event keeps its
//! id, by which receivers recognize duplicates. After that time, and with any other response, the
//! publishing state fails with `Event.NotDelivered`. Redirects are not followed.
//!
//! Link-local addresses and other metadata addresses of clouds are refused, also if a name
//! resolves to them (except names that a proxy resolves), unless the sink is [made for
//! them](HttpSink::at_link_local).

use std::fmt;
use std::pin::Pin;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{Client, Response, StatusCode, Url};
use tokio::time::Instant;
use workflow_runtime::event::EventSink;
use workflow_runtime::{CloudEvent, Fault};

use super::{LONGEST, NOT_DELIVERED, PATIENCE, TIMEOUT};
use crate::ConfigError;
use crate::config::check_secret;
use crate::http::{self, Backoff, retry_after};
use crate::ssrf;

/// Sink that sends events to an address.
///
/// ```
/// use std::time::Duration;
/// use workflow_connectors::HttpSink;
///
/// # fn main() -> Result<(), workflow_connectors::ConfigError> {
/// let sink = HttpSink::new("https://broker.example.com/default")?.patience(Duration::from_secs(300));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct HttpSink {
    client: Client,
    address: Url,
    token: Option<HeaderValue>,
    timeout: Duration,
    patience: Duration,
}

/// Omits the path and what follows it, which may be secret.
impl fmt::Debug for HttpSink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpSink").field("host", &self.address.host_str()).finish_non_exhaustive()
    }
}

impl HttpSink {
    /// Returns a sink at an address, `http` or `https`. Makes no connection yet.
    pub fn new(address: &str) -> Result<HttpSink, ConfigError> {
        let address = checked(address)?;
        if ssrf::is_metadata_host(address.host_str().unwrap_or_default()) {
            let problem = "is a link-local or metadata address, which must be allowed explicitly";
            return Err(invalid(problem));
        }
        HttpSink::with(http::guarded_client(&address), address)
    }

    /// Returns a sink whose address may be link-local or another metadata address.
    pub fn at_link_local(address: &str) -> Result<HttpSink, ConfigError> {
        let address = checked(address)?;
        HttpSink::with(http::client(&address, false), address)
    }

    fn with(client: Result<Client, String>, address: Url) -> Result<HttpSink, ConfigError> {
        let client = client.map_err(|problem| ConfigError::new(format!("cannot set up connections: {problem}")))?;
        Ok(HttpSink { client, address, token: None, timeout: TIMEOUT, patience: PATIENCE })
    }

    /// Sends a bearer token with each event.
    pub fn token(mut self, token: impl AsRef<str>) -> Result<HttpSink, ConfigError> {
        check_secret("the token of the sink", token.as_ref())?;
        let header = HeaderValue::try_from(format!("Bearer {}", token.as_ref().trim()));
        let mut header =
            header.map_err(|_| ConfigError::new("the token of the sink contains control characters".to_owned()))?;
        header.set_sensitive(true);
        self.token = Some(header);
        Ok(self)
    }

    /// Limits the time of one attempt; by default 10 seconds.
    pub fn timeout(mut self, timeout: Duration) -> HttpSink {
        self.timeout = timeout;
        self
    }

    /// Limits the time of retries; by default a minute.
    pub fn patience(mut self, patience: Duration) -> HttpSink {
        self.patience = patience;
        self
    }

    async fn deliver(&self, event: &CloudEvent) -> Result<(), Fault> {
        let body = event.to_json()?;
        let (mut backoff, until) = (Backoff::new(), Instant::now() + self.patience.min(LONGEST));
        loop {
            let (problem, again, asked) = match self.attempt(body.clone()).await {
                Ok(response) if response.status().is_success() => return Ok(()),
                Ok(response) => {
                    let status = response.status();
                    let problem = format!("the sink responded with {status}");
                    (problem, may_help(status), retry_after(response.headers()))
                }
                Err(error) if error.is_timeout() => {
                    (format!("the sink did not respond within {:?}", self.timeout), true, None)
                }
                Err(error) => (format!("cannot reach the sink: {}", http::describe(error)), true, None),
            };
            // A receiver that asks for no pause must not be flooded.
            let pause = backoff.next(None);
            let next = Instant::now() + asked.map_or(pause, |asked| asked.max(pause));
            if !again || next > until {
                return Err(Fault::new(NOT_DELIVERED, problem));
            }
            tokio::time::sleep_until(next).await;
        }
    }

    async fn attempt(&self, body: String) -> reqwest::Result<Response> {
        let request = self.client.post(self.address.clone()).timeout(self.timeout);
        let request = request.header(CONTENT_TYPE, "application/cloudevents+json; charset=utf-8");
        let request = self.token.iter().fold(request, |request, token| request.header(AUTHORIZATION, token));
        request.body(body).send().await
    }
}

/// Checks the address of a sink. Errors do not repeat it, because it may contain a password.
fn checked(address: &str) -> Result<Url, ConfigError> {
    let address = Url::parse(address.trim()).map_err(|error| invalid(&format!("is not a URL: {error}")))?;
    if !matches!(address.scheme(), "http" | "https") {
        return Err(invalid("must start with http:// or https://"));
    }
    if !address.username().is_empty() || address.password().is_some() {
        return Err(invalid("contains a user or a password: use a token instead"));
    }
    Ok(address)
}

fn invalid(problem: &str) -> ConfigError {
    ConfigError::new(format!("the address of the sink {problem}"))
}

impl EventSink for HttpSink {
    fn send<'a>(&'a self, event: &'a CloudEvent) -> Pin<Box<dyn Future<Output = Result<(), Fault>> + Send + 'a>> {
        Box::pin(self.deliver(event))
    }
}

/// Returns `true` if a later attempt may succeed.
fn may_help(status: StatusCode) -> bool {
    status.is_server_error() || matches!(status.as_u16(), 408 | 425 | 429)
}
