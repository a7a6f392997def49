//! The HTTP server: clients start, show and change executions, and deliver outcomes by token.

mod answer;
mod connections;
mod events;
mod patient;
mod request;
mod routes;

use std::convert::Infallible;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use workflow_runtime::{Object, Timestamp};
use workflow_sqlite::Engine;

use crate::command_line::{block_on_many, complain, interrupted};
use crate::durable::{GRACE, Setup, told};
use crate::sink::Sink;
use connections::{Arriving, Connections, Noted, Peer, Place};
use patient::Patient;
use routes::Server;

/// The most connections that wait for a place. Further connections wait to be accepted.
const NEWCOMERS: u32 = 64;
/// The most bytes and the most fields of a request's head.
const HEAD_BYTES: usize = 16 << 10;
const HEAD_FIELDS: usize = 64;
/// The time that a connection has to send the head of a request, its first or a later one.
const HEAD_TIME: Duration = Duration::from_secs(15);
/// The longest pause of a peer in reading an answer.
const ANSWER_TIME: Duration = Duration::from_secs(30);
/// The interval at which executions beyond their retention are removed.
const PURGE_EVERY: Duration = Duration::from_secs(600);

/// The options of a server.
pub struct Options {
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
    /// `true` if events start executions of workflows that have start events.
    pub start_on_events: bool,
    /// The time for which delivered events are remembered, for deduplication; `None` is the
    /// engine's default.
    pub events_known_for: Option<Duration>,
    /// The time at which the program was deployed; `None` is the engine's default.
    pub deployed_at: Option<Timestamp>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
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
            start_on_events: true,
            events_known_for: None,
            deployed_at: None,
        }
    }
}

/// The bearer token that clients must send. It has no `Debug`, so that it is not printed.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    fn new(text: &str, from: &str) -> Result<Token, String> {
        match text.trim() {
            "" => Err(format!("{from} holds no token")),
            token if token.bytes().all(|byte| byte.is_ascii_graphic()) => Ok(Token(token.to_owned())),
            _ => Err(format!("the token in {from} has characters that no header can hold")),
        }
    }

    /// Returns `true` if the given token is this token. The time of the comparison does not depend
    /// on the position of the first difference.
    fn is(&self, given: &[u8]) -> bool {
        let own = self.0.as_bytes();
        let differ = own.iter().zip(given).fold(0, |differ, (a, b)| std::hint::black_box(differ | (a ^ b)));
        (differ == 0) & (own.len() == given.len())
    }
}

/// Reads the token from an environment variable.
pub fn from_env(name: &str) -> Result<Token, String> {
    let text = std::env::var(name).map_err(|_| format!("the environment has no variable `{name}`"))?;
    Token::new(&text, &format!("the variable `{name}`"))
}

/// Reads the token from a file.
pub fn from_file(file: &Path) -> Result<Token, String> {
    let name = file.display();
    let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read `{name}`: {error}"))?;
    Token::new(&text, &format!("`{name}`"))
}

/// Serves until a signal to end the program arrives.
pub fn serve(options: Options, db: &Path, setup: Setup) -> Result<ExitCode, String> {
    let address = resolve(&options.listen)?;
    block_on_many(async {
        let listener = TcpListener::bind(address).await;
        let listener = listener.map_err(|error| format!("cannot listen on {address}: {error}"))?;
        let address = listener.local_addr().unwrap_or(address);
        let Options { executions_at_once, events_known_for, deployed_at, .. } = options;
        let set_up = |builder: workflow_sqlite::Builder| {
            let builder = builder.on_problem(told);
            let builder = deployed_at.into_iter().fold(builder, workflow_sqlite::Builder::deployed_at);
            let builder = events_known_for.into_iter().fold(builder, workflow_sqlite::Builder::events_known_for);
            executions_at_once.into_iter().fold(builder, workflow_sqlite::Builder::executions_at_once)
        };
        let engine = setup.open(db, set_up).await?;
        engine.note(&format!("serves http://{address}"));
        if options.token.is_none() && !address.ip().is_loopback() {
            complain(
                "warning: everybody who can reach this machine can start, see and end executions: ask for a token with \
                 `--token-env NAME` or `--token-file FILE`, or listen on 127.0.0.1",
            );
        }
        let workflows = engine.workflows().join(", ");
        complain(&format!("serving {workflows} of `{}` on http://{address}", db.display()));
        let purging = options.retain.map(|retain| tokio::spawn(purge(engine.clone(), retain)));
        let grace = options.grace;
        let server = Server::new(engine.clone(), options, address.ip().is_loopback());
        let left = tokio::select! {
            told = accept(listener, server, grace, interrupted()) => grace.saturating_sub(told.elapsed()),
            () = async { interrupted().await; interrupted().await } => Duration::ZERO,
        };
        if let Some(purging) = purging {
            purging.abort();
        }
        complain("ending: tasks that are under way are waited for");
        tokio::select! {
            () = engine.shut_down(left) => complain("ended"),
            () = interrupted() => complain("ended at once"),
        }
        Ok(ExitCode::SUCCESS)
    })?
}

pub fn resolve(listen: &str) -> Result<SocketAddr, String> {
    let example = "write `127.0.0.1:8080`, `[::1]:8080` or `0.0.0.0:8080`";
    let found = listen.to_socket_addrs().map_err(|error| format!("`--listen {listen}`: {error}; {example}"))?;
    let mut found: Vec<SocketAddr> = found.collect();
    // `localhost` may have several addresses: IPv4 goes first.
    found.sort_by_key(SocketAddr::is_ipv6);
    found.first().copied().ok_or_else(|| format!("`--listen {listen}` is no address; {example}"))
}

/// Accepts connections until `end`, and then waits for their requests, for `grace` at most.
/// Returns the time of `end`.
async fn accept(listener: TcpListener, server: Server, grace: Duration, end: impl Future<Output = ()>) -> Instant {
    let server = Arc::new(server);
    let connections = Arc::<Connections>::default();
    let newcomers = Arc::new(Semaphore::new(NEWCOMERS as usize));
    let mut end = pin!(end);
    loop {
        let next = async {
            let Ok(newcomer) = newcomers.clone().acquire_owned().await else { return None };
            Some((listener.accept().await, newcomer))
        };
        let accepted = tokio::select! {
            accepted = next => accepted,
            () = &mut end => break,
        };
        match accepted {
            Some((Ok((stream, address)), newcomer)) => {
                let (server, connections) = (server.clone(), connections.clone());
                tokio::spawn(async move {
                    match connections.take(Peer::from(address.ip())).await {
                        Some(taken) => {
                            drop(newcomer);
                            connection(stream, server, taken.place().clone()).await;
                        }
                        None => refuse(stream).await,
                    }
                });
            }
            // Too many files may be open. This passes, and sooner if a silent connection is
            // closed.
            Some((Err(_), _)) => {
                connections.make_room();
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            None => break,
        }
    }
    let told = Instant::now();
    drop(listener);
    server.leave();
    let all_end = async {
        let _none_come = newcomers.acquire_many(NEWCOMERS).await;
        connections.are_gone().await;
    };
    let _late = tokio::time::timeout(grace, all_end).await;
    told
}

/// Answers 503 to a peer for which there is no place.
async fn refuse(mut stream: TcpStream) {
    const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n\
        Content-Type: application/json\r\nContent-Length: 47\r\n\r\n{\"error\":\"requests are answered on all places\"}";
    let _unheard = tokio::time::timeout(Duration::from_millis(100), stream.write_all(FULL)).await;
}

async fn connection(stream: TcpStream, server: Arc<Server>, place: Arc<Place>) {
    // Answers are small, and clients wait for them.
    let _slower = stream.set_nodelay(true);
    let leaving = server.leaving();
    let service = service_fn(|request: Request<Incoming>| {
        let (server, place) = (server.clone(), place.clone());
        async move {
            if !place.begin() {
                // The connection is about to be dropped, and this future with it.
                std::future::pending::<()>().await;
            }
            let answer = server.answer(request.map(|body| Arriving::new(body, place.clone()))).await;
            place.answered();
            Ok::<_, Infallible>(answer)
        }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
    http.max_headers(HEAD_FIELDS).max_header_size(HEAD_BYTES).max_buf_size(4 * HEAD_BYTES);
    let stream = Noted::new(Patient::new(stream, ANSWER_TIME), place.clone());
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), service));
    tokio::select! {
        // Errors of a connection concern its peer only.
        _ended = connection.as_mut() => {}
        () = place.closed() => {}
        () = leaving => {
            connection.as_mut().graceful_shutdown();
            tokio::select! {
                _ended = connection.as_mut() => {}
                () = place.closed() => {}
            }
        }
    }
}

/// Removes executions beyond their retention periodically.
async fn purge(engine: Engine, retain: Duration) {
    loop {
        if let Err(error) = engine.purge(retain).await {
            told(&error);
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
        assert_eq!(Token::new("\n", "a file").err().as_deref(), Some("a file holds no token"));
        assert!(Token::new("a b", "a file").is_err());
    }

    #[test]
    fn addresses_are_resolved() {
        assert_eq!(resolve("127.0.0.1:80").map(|address| address.to_string()), Ok("127.0.0.1:80".to_owned()));
        assert!(resolve("8080").is_err_and(|error| error.contains("`--listen 8080`: ")));
    }
}
