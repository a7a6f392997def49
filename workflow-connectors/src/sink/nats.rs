//! NATS sink: stores events in a stream of [NATS
//! JetStream](https://docs.nats.io/nats-concepts/jetstream).
//!
//! [`NatsSink`] publishes each event in the structured content mode of CloudEvents. The subject
//! consists of a prefix and the type of the event: `orders` and `order.paid` make
//! `orders.order.paid`. `_` replaces what a subject cannot contain: white space, control
//! characters, `*`, `>`, and empty parts. The stream's acknowledgement accepts the event.
//!
//! ```no_run
//! use workflow_connectors::NatsSink;
//!
//! # fn sink() -> Result<NatsSink, Box<dyn std::error::Error>> {
//! let sink = NatsSink::new("nats://broker.example.com:4222/orders")?.token(std::env::var("BROKER_TOKEN")?)?;
//! # Ok(sink)
//! # }
//! ```
//!
//! The header `Nats-Msg-Id` contains the source and the id of the event, so that the stream stores
//! a repeated event once within its deduplication window (`duplicate_window`, two minutes by
//! default).
//!
//! If the server cannot be reached, or there is no acknowledgement in time, the event is sent
//! again for up to a minute, after a growing pause. After that time the publishing state fails
//! with `Event.NotDelivered`. It also fails if no stream accepts the subject, the server refuses
//! the credentials, or the event is too large.

use std::error::Error;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::context::{ContextBuilder, PublishError, PublishErrorKind};
use async_nats::jetstream::{self, Context};
use async_nats::{ConnectError, ConnectErrorKind, ConnectOptions, HeaderMap, HeaderValue, ServerAddr};
use tokio::sync::Mutex;
use tokio::time::Instant;
use workflow_runtime::event::EventSink;
use workflow_runtime::{CloudEvent, Fault, header};

use super::{LONGEST, NOT_DELIVERED, PATIENCE, TIMEOUT};
use crate::ConfigError;
use crate::config::check_secret;
use crate::http::Backoff;
use crate::tls;

/// Number of repeated checks whether a stream accepts the subject, because a stream may be about
/// to elect a leader.
const ASKED_AGAIN: usize = 2;

/// Sink that stores events in a stream of NATS JetStream.
///
/// ```
/// use std::time::Duration;
/// use workflow_connectors::NatsSink;
///
/// # fn main() -> Result<(), workflow_connectors::ConfigError> {
/// let sink = NatsSink::new("nats://broker.example.com/orders")?.user("shop", "a password").timeout(Duration::from_secs(3));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct NatsSink {
    server: ServerAddr,
    prefix: String,
    login: Login,
    timeout: Duration,
    patience: Duration,
    /// Connection, once made. It reconnects by itself.
    connection: Arc<Mutex<Option<Context>>>,
}

/// Login of the connection.
#[derive(Clone)]
enum Login {
    Nobody,
    Token(String),
    User {
        name: String,
        password: String,
    },
    /// Content of a credentials file: a JWT and a seed.
    Credentials(String),
}

/// Omits secrets.
impl fmt::Debug for NatsSink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("NatsSink");
        debug.field("host", &self.server.host()).field("prefix", &self.prefix).finish_non_exhaustive()
    }
}

impl NatsSink {
    /// Returns a sink at an address, `nats://HOST:PORT/PREFIX`, or `tls://…` to require TLS. The
    /// default port is 4222. Makes no connection yet.
    pub fn new(address: &str) -> Result<NatsSink, ConfigError> {
        // Errors do not repeat the address, because it may contain a password.
        let invalid = |problem: &str| ConfigError::new(format!("the address of the sink {problem}"));
        let address = address.trim();
        let Some((scheme, rest)) = address.split_once("://").filter(|(scheme, _)| matches!(*scheme, "nats" | "tls"))
        else {
            return Err(invalid("must start with nats:// or tls://"));
        };
        let (host, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        if host.contains('@') {
            return Err(invalid("contains a user or a password: set them in the environment instead"));
        }
        if prefix.contains('@') || host.contains(',') {
            return Err(invalid("does not have the form nats://HOST:PORT/PREFIX"));
        }
        if prefix.is_empty() {
            return Err(invalid("has no subject prefix: write nats://HOST:PORT/PREFIX"));
        }
        if subject(prefix) != prefix {
            return Err(invalid(
                "has an invalid subject prefix: separate its parts by `.`, without white space, `*` or `>`",
            ));
        }
        let server: Result<ServerAddr, _> = format!("{scheme}://{host}").parse();
        let server = server.map_err(|error| invalid(&format!("is not a URL: {error}")))?;
        if server.host().is_empty() {
            return Err(invalid("has no host"));
        }
        Ok(NatsSink {
            server,
            prefix: prefix.to_owned(),
            login: Login::Nobody,
            timeout: TIMEOUT,
            patience: PATIENCE,
            connection: Arc::default(),
        })
    }

    /// Connects with a token.
    pub fn token(mut self, token: impl AsRef<str>) -> Result<NatsSink, ConfigError> {
        check_secret("the token of the sink", token.as_ref())?;
        match token.as_ref().trim() {
            "" => return Err(ConfigError::new("the token of the sink is empty".to_owned())),
            token => self.login = Login::Token(token.to_owned()),
        }
        Ok(self)
    }

    /// Connects as this user.
    pub fn user(mut self, name: impl Into<String>, password: impl Into<String>) -> NatsSink {
        self.login = Login::User { name: name.into(), password: password.into() };
        self
    }

    /// Connects with the content of a credentials file.
    pub fn credentials(mut self, text: impl Into<String>) -> Result<NatsSink, ConfigError> {
        let text = text.into();
        if ConnectOptions::new().credentials(&text).is_err() {
            return Err(ConfigError::new("the credentials of the sink must be a JWT and a seed".to_owned()));
        }
        self.login = Login::Credentials(text);
        Ok(self)
    }

    /// Connects with the login of the environment, in the variables of NATS's own tools:
    /// `NATS_CREDS` names a credentials file, `NATS_USER` and `NATS_PASSWORD` a user. Without them
    /// it connects without login.
    pub fn login_from_env(self) -> Result<NatsSink, ConfigError> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        match (variable("NATS_CREDS"), variable("NATS_USER"), variable("NATS_PASSWORD")) {
            (Some(file), ..) => {
                let text = std::fs::read_to_string(&file);
                let text = text.map_err(|error| {
                    ConfigError::new(format!(
                        "cannot read `{file}`, named by the environment variable `NATS_CREDS`: {error}"
                    ))
                })?;
                self.credentials(text)
            }
            (None, Some(name), Some(password)) => Ok(self.user(name, password)),
            (None, Some(_), None) => Err(ConfigError::new("`NATS_USER` is set, but `NATS_PASSWORD` is not".to_owned())),
            (None, None, _) => Ok(self),
        }
    }

    /// Limits the time of one attempt; by default 10 seconds.
    pub fn timeout(mut self, timeout: Duration) -> NatsSink {
        self.timeout = timeout;
        self
    }

    /// Limits the time of retries; by default a minute.
    pub fn patience(mut self, patience: Duration) -> NatsSink {
        self.patience = patience;
        self
    }

    async fn deliver(&self, event: &CloudEvent) -> Result<(), Fault> {
        let subject = format!("{}.{}", self.prefix, self::subject(&event.kind));
        let (mut backoff, until) = (Backoff::new(), Instant::now() + self.patience.min(LONGEST));
        let mut without_stream = 0;
        loop {
            let Err(refusal) = self.attempt(&subject, event).await else { return Ok(()) };
            without_stream += usize::from(refusal.no_stream);
            let next = Instant::now() + backoff.next(None);
            if !refusal.may_pass || without_stream > ASKED_AGAIN || next > until {
                return Err(Fault::new(NOT_DELIVERED, refusal.problem));
            }
            tokio::time::sleep_until(next).await;
        }
    }

    async fn attempt(&self, subject: &str, event: &CloudEvent) -> Result<(), Refusal> {
        let context = match tokio::time::timeout(self.timeout, self.context()).await {
            Ok(context) => context?,
            Err(_) => return Err(Refusal::passing(format!("NATS did not respond within {:?}", self.timeout))),
        };
        let mut headers = HeaderMap::new();
        let id = id(event).parse::<HeaderValue>();
        headers.insert("Nats-Msg-Id", id.map_err(|error| Refusal::lasting(error.to_string()))?);
        headers.insert("Content-Type", "application/cloudevents+json");
        let body = event.to_json().map_err(|fault| Refusal::lasting(fault.to_string()))?;
        let sent = async { context.publish_with_headers(subject.to_owned(), headers, body.into()).await?.await };
        match tokio::time::timeout(self.timeout, sent).await {
            Ok(acknowledged) => acknowledged.map(|_| ()).map_err(|error| self.refused(subject, &error)),
            Err(_) => Err(self.late()),
        }
    }

    /// Returns the connection, which is made at the first use.
    async fn context(&self) -> Result<Context, Refusal> {
        let mut connection = self.connection.lock().await;
        if let Some(context) = &*connection {
            return Ok(context.clone());
        }
        let options = self.options().map_err(Refusal::lasting)?;
        let client = options.connect(self.server.clone()).await.map_err(|error| unreached(&error))?;
        let context = ContextBuilder::new().timeout(self.timeout).ack_timeout(self.timeout).build(client);
        *connection = Some(context.clone());
        Ok(context)
    }

    fn options(&self) -> Result<ConnectOptions, String> {
        let is_tls = self.server.tls_required();
        // A server may require TLS although the address does not. If it does not, a system without
        // certificates works, too.
        let config =
            tls::config(true, false).or_else(|error| if is_tls { Err(error) } else { tls::config(false, false) });
        let mut config = config.map_err(|problem| format!("cannot set up connections: {problem}"))?;
        config.alpn_protocols.clear();
        let options = ConnectOptions::new()
            .name(env!("CARGO_PKG_NAME"))
            .connection_timeout(self.timeout)
            .tls_client_config(config)
            .require_tls(is_tls);
        match &self.login {
            Login::Nobody => Ok(options),
            Login::Token(token) => Ok(options.token(token.clone())),
            Login::User { name, password } => Ok(options.user_and_password(name.clone(), password.clone())),
            Login::Credentials(text) => options.credentials(text).map_err(|_| "cannot read the credentials".to_owned()),
        }
    }

    fn refused(&self, subject: &str, error: &PublishError) -> Refusal {
        match error.kind() {
            PublishErrorKind::StreamNotFound => Refusal {
                problem: format!("no JetStream stream accepts the subject `{subject}`"),
                may_pass: true,
                no_stream: true,
            },
            PublishErrorKind::TimedOut => self.late(),
            PublishErrorKind::BrokenPipe | PublishErrorKind::MaxAckPending => {
                Refusal::passing("the connection to NATS has ended".to_owned())
            }
            PublishErrorKind::MaxPayloadExceeded => {
                Refusal::lasting("the event is larger than the maximum of the NATS server".to_owned())
            }
            _ => match error.source().and_then(|source| source.downcast_ref::<jetstream::Error>()) {
                // The stream has no leader or no resources now.
                Some(error) if error.code() == 503 => Refusal::passing(format!("JetStream rejects the event: {error}")),
                Some(error) => Refusal::lasting(format!("JetStream rejects the event: {error}")),
                None => Refusal::lasting(format!("NATS does not accept the event: {error}")),
            },
        }
    }

    fn late(&self) -> Refusal {
        Refusal::passing(format!("JetStream does not acknowledge the event within {:?}", self.timeout))
    }
}

impl EventSink for NatsSink {
    fn send<'a>(&'a self, event: &'a CloudEvent) -> Pin<Box<dyn Future<Output = Result<(), Fault>> + Send + 'a>> {
        Box::pin(self.deliver(event))
    }
}

/// Reason why an attempt failed.
struct Refusal {
    problem: String,
    /// Set if a later attempt may succeed.
    may_pass: bool,
    no_stream: bool,
}

impl Refusal {
    fn passing(problem: String) -> Refusal {
        Refusal { problem, may_pass: true, no_stream: false }
    }

    fn lasting(problem: String) -> Refusal {
        Refusal { problem, may_pass: false, no_stream: false }
    }
}

fn unreached(error: &ConnectError) -> Refusal {
    let refusal = |what: &str| format!("{what}: {error}");
    match error.kind() {
        ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
            Refusal::lasting("the NATS server rejects the credentials".to_owned())
        }
        ConnectErrorKind::Tls => Refusal::lasting(refusal("cannot establish TLS with the NATS server")),
        _ => Refusal::passing(refusal("cannot reach the NATS server")),
    }
}

/// Returns the deduplication id: the encoded source and id of the event, separated by a space.
fn id(event: &CloudEvent) -> String {
    format!("{} {}", header::encode(&event.source), header::encode(&event.id))
}

/// Makes a valid subject, or a part of one.
fn subject(text: &str) -> String {
    let legal = |char: char| match char {
        '*' | '>' => '_',
        char if char.is_whitespace() || char.is_control() => '_',
        char => char,
    };
    let parts: Vec<String> = text.split('.').map(|part| part.chars().map(legal).collect()).collect();
    let parts: Vec<&str> = parts.iter().map(|part| if part.is_empty() { "_" } else { part }).collect();
    parts.join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_becomes_a_subject() {
        for (kind, expected) in [
            ("order.paid", "order.paid"),
            ("Order paid", "Order_paid"),
            ("a..b.", "a._.b._"),
            ("*.>", "_._"),
            ("a\r\nPUB x", "a__PUB_x"),
            ("größe", "größe"),
            ("", "_"),
        ] {
            assert_eq!(subject(kind), expected, "{kind:?}");
        }
    }

    #[test]
    fn an_id_is_of_one_event_and_on_one_line() {
        let id = |source: &str, name: &str| id(&CloudEvent::new(name, source, "t"));
        assert_eq!(id("/shop", "7 a"), "/shop 7%20a");
        assert_eq!(id("/shop", "ü"), "/shop %C3%BC");
        assert_ne!(id("/a b", "c"), id("/a", "b c"));
        assert_ne!(id("/a%20b", "c"), id("/a b", "c"));
        assert_eq!(id("/a", "1\r\n2"), "/a 1%0D%0A2");
    }

    #[test]
    fn an_address_is_checked_and_secrets_are_not_shown() {
        let sink = NatsSink::new("nats://broker.example.com/orders.new").expect("an address");
        let message = format!("{:?}", sink.token("s3cret").expect("a token").user("ada", "s3cret"));
        assert!(message.contains("broker.example.com") && !message.contains("s3cret"), "{message}");
        for (address, expected) in [
            ("http://a/b", "must start with nats:// or tls://"),
            ("nats://a", "no subject prefix"),
            ("nats://a:4222/", "no subject prefix"),
            ("nats:///orders", ""),
            ("nats://u:s3cret@a/b", "in the environment"),
            ("nats://a/b.*", "an invalid subject prefix"),
            ("nats://a/b..c", "an invalid subject prefix"),
            ("nats://a:port/b", "is not a URL"),
            ("nats://a,nats://u:s3cret@b/c", "nats://"),
        ] {
            let error = NatsSink::new(address).expect_err(address).to_string();
            assert!(error.contains(expected) && !error.contains("s3cret"), "{address}: {error}");
        }
        assert!(NatsSink::new("tls://a/b").and_then(|sink| sink.token(" ")).is_err());
        let wrong = NatsSink::new("tls://a/b").and_then(|sink| sink.credentials("s3cret")).expect_err("no credentials");
        assert!(!wrong.to_string().contains("s3cret"), "{wrong}");
    }
}
