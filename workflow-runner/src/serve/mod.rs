//! The HTTP server: clients start, show and change executions, and deliver outcomes by token.

mod description;
mod etag;
mod events;
mod list;
pub(crate) mod log;
#[cfg(feature = "metrics")]
mod metrics;
#[cfg(not(feature = "metrics"))]
mod no_metrics;
mod progress;
mod query;
mod routes;
mod templates;

use std::net::{SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::net::TcpListener;
use workflow_runtime::engine::{Engine, Purge};
use workflow_runtime::{Object, Timestamp};

use crate::command_line::{block_on_many, interrupted};
use crate::durable::GRACE;
use crate::engines::sqlite::EngineSetup;
use crate::engines::{OpenOptions, Opened};
use crate::http::accept;
use crate::sink::Sink;
pub use log::LogFormat;
#[cfg(feature = "metrics")]
pub(crate) use metrics::Metrics;
#[cfg(not(feature = "metrics"))]
pub(crate) use no_metrics::NoMetrics as Metrics;
use routes::Server;
use workflow_runtime::objects::ObjectAccess;

/// The interval at which executions beyond their retention are removed.
const PURGE_EVERY: Duration = Duration::from_secs(600);

/// The options of a server.
pub struct ServeOptions {
    pub db: Option<PathBuf>,
    pub listen: String,
    pub token: Option<Token>,
    pub max_body: usize,
    /// The most bytes of the JSON of an answer.
    pub max_answer: usize,
    pub executions_at_once: Option<usize>,
    /// The retention of executions after their end; `None` keeps them for ever.
    pub retain: Option<Duration>,
    /// The time that requests and tasks have to end after a signal to end the server.
    pub grace: Duration,
    /// `true` if an outcome by task token needs the server's token, too.
    pub callbacks_authorized: bool,
    /// The settings of executions.
    pub settings: Object,
    /// The sink of the events that executions publish.
    pub sink: Option<Sink>,
    /// The object stores of distributed Maps.
    pub objects: Option<ObjectAccess>,
    /// `true` if events start executions of workflows that have start events.
    pub start_on_events: bool,
    /// The time for which delivered events are remembered, for deduplication; `None` is the
    /// engine's default.
    pub events_known_for: Option<Duration>,
    /// The time at which the program was deployed; `None` is the engine's default.
    pub deployed_at: Option<Timestamp>,
    /// The format of the log.
    pub log_format: LogFormat,
}

impl Default for ServeOptions {
    fn default() -> ServeOptions {
        ServeOptions {
            db: None,
            listen: "127.0.0.1:8080".to_owned(),
            token: None,
            max_body: 1 << 20,
            max_answer: 128 << 20,
            executions_at_once: None,
            retain: None,
            grace: GRACE,
            callbacks_authorized: false,
            settings: Object::new(),
            sink: None,
            objects: None,
            start_on_events: true,
            events_known_for: None,
            deployed_at: None,
            log_format: LogFormat::Text,
        }
    }
}

/// The bearer token that clients must send. It has no `Debug`, so that it is not printed.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    fn new(text: &str, from: &str) -> Result<Token, String> {
        match text.trim() {
            "" => Err(format!("{from} contains no token")),
            token if token.bytes().all(|byte| byte.is_ascii_graphic()) => Ok(Token(token.to_owned())),
            _ => Err(format!("the token in {from} has characters that are not allowed in a header")),
        }
    }

    /// Returns the value of the header `Authorization` with this token.
    pub fn bearer(&self) -> String {
        format!("Bearer {}", self.0)
    }

    /// Returns `true` if the given token is this token. The time of the comparison does not depend
    /// on the position of the first difference.
    fn is(&self, candidate: &[u8]) -> bool {
        let own = self.0.as_bytes();
        let differ = own.iter().zip(candidate).fold(0, |differ, (a, b)| std::hint::black_box(differ | (a ^ b)));
        (differ == 0) & (own.len() == candidate.len())
    }
}

/// Reads the token from an environment variable.
pub fn from_env(name: &str) -> Result<Token, String> {
    let text = std::env::var(name).map_err(|_| format!("environment variable `{name}` not found"))?;
    Token::new(&text, &format!("the environment variable `{name}`"))
}

/// Reads the token from a file.
pub fn from_file(file: &Path) -> Result<Token, String> {
    let name = file.display();
    let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read `{name}`: {error}"))?;
    Token::new(&text, &format!("`{name}`"))
}

/// The HTTP server at its address.
pub struct HttpServer {
    listener: TcpListener,
    pub address: SocketAddr,
}

impl HttpServer {
    /// Listens at the address that is the value of an option.
    pub async fn listen(option: &str, listen: &str) -> Result<HttpServer, String> {
        let address = resolve(option, listen)?;
        let listener = TcpListener::bind(address).await;
        let listener = listener.map_err(|error| format!("cannot listen on {address}: {error}"))?;
        let address = listener.local_addr().unwrap_or(address);
        Ok(HttpServer { listener, address })
    }

    /// Warns if other machines can use the server without a token.
    pub fn warn(&self, log: log::Log, options: &ServeOptions) {
        if options.token.is_none() && !self.address.ip().is_loopback() {
            log.warn(
                "anyone who can reach this machine can start, read and end executions: require a token with \
                 `--token-env NAME` or `--token-file FILE`, or listen on 127.0.0.1",
            );
        }
    }

    /// Answers requests until a signal to end the program arrives, and then those that have
    /// arrived. Returns the time of the signal.
    pub async fn answer(self, engine: Arc<dyn Engine>, options: ServeOptions, metrics: Metrics) -> Instant {
        let grace = options.grace;
        let server = Server::new(engine, options, self.address.ip().is_loopback()).with_metrics(metrics);
        accept(self.listener, server, grace, interrupted()).await
    }
}

/// Serves the executions of a database until a signal to end the program arrives.
pub fn serve(options: ServeOptions, db: &Path, setup: EngineSetup) -> Result<ExitCode, String> {
    resolve("listen", &options.listen)?;
    let log = log::Log::start(options.log_format);
    block_on_many(async {
        let server = HttpServer::listen("listen", &options.listen).await?;
        let ServeOptions { executions_at_once, events_known_for, deployed_at, .. } = options;
        let metrics = Metrics::new();
        let set_up = OpenOptions {
            observers: vec![Box::new(log::Reporter::make), metrics.observer()],
            on_transaction: metrics.on_transaction(),
            on_problem: Some(Box::new(log::problem)),
            executions_at_once,
            events_known_for,
            deployed_at,
            ..OpenOptions::default()
        };
        let engine = match setup.open(db, set_up).await? {
            Opened::Here(engine) => engine,
            Opened::InUse { message, .. } => return Err(message),
        };
        engine.announce(&format!("http://{}", server.address));
        server.warn(log, &options);
        let workflows: Vec<&str> = engine.workflows().iter().map(|definition| definition.name).collect();
        log.say(&format!("serving {} of `{}` on http://{}", workflows.join(", "), db.display(), server.address));
        let purging = options.retain.map(|retain| tokio::spawn(purge(engine.clone(), retain)));
        let grace = options.grace;
        let left = tokio::select! {
            signalled_at = server.answer(engine.clone(), options, metrics) => grace.saturating_sub(signalled_at.elapsed()),
            () = async { interrupted().await; interrupted().await } => Duration::ZERO,
        };
        if let Some(purging) = purging {
            purging.abort();
        }
        let again = interrupted();
        log.say("shutting down: waiting for running tasks");
        tokio::select! {
            () = engine.shut_down(left) => log.say("ended"),
            () = again => log.say("ended without waiting"),
        }
        Ok(ExitCode::SUCCESS)
    })?
}

/// Returns the address that is the value of an option.
pub fn resolve(option: &str, listen: &str) -> Result<SocketAddr, String> {
    let example = "write `127.0.0.1:8080`, `[::1]:8080` or `0.0.0.0:8080`";
    let found = listen.to_socket_addrs().map_err(|error| format!("`--{option} {listen}`: {error}; {example}"))?;
    let mut found: Vec<SocketAddr> = found.collect();
    // `localhost` may have several addresses: IPv4 goes first.
    found.sort_by_key(SocketAddr::is_ipv6);
    found.first().copied().ok_or_else(|| format!("`--{option} {listen}` is not an address; {example}"))
}

/// Removes executions beyond their retention periodically.
async fn purge(engine: Arc<dyn Engine>, retain: Duration) {
    loop {
        if let Err(error) = engine.purge(retain, Purge::Executions).await {
            log::problem(&error);
            return;
        }
        tokio::time::sleep(PURGE_EVERY).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_token_is_the_token() {
        let token = Token::new(" secret\n", "a file").expect("a token");
        assert!(token.is(b"secret"));
        for other in ["", "secre", "secrets", "Secret", " secret"] {
            assert!(!token.is(other.as_bytes()), "{other}");
        }
        assert_eq!(Token::new("\n", "a file").err().as_deref(), Some("a file contains no token"));
        assert!(Token::new("a b", "a file").is_err());
    }

    #[test]
    fn addresses_are_resolved() {
        assert_eq!(resolve("listen", "127.0.0.1:80").map(|address| address.to_string()), Ok("127.0.0.1:80".to_owned()));
        assert!(resolve("listen", "8080").is_err_and(|error| error.contains("`--listen 8080`: ")));
    }
}
