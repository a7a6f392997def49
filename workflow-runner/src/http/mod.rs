//! The parts that the HTTP servers of programs share: limits of connections, requests, answers.

pub mod answer;
pub mod body;
pub mod callback;
pub mod connections;
pub mod request;
mod write_timeout;

use std::convert::Infallible;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use body::AnswerBody;
use connections::{Arriving, ConnectionSlot, Connections, Noted, Peer};
use write_timeout::WriteTimeout;

/// The most connections that wait for a slot. Further connections wait to be accepted.
const NEWCOMERS: u32 = 64;
/// The most bytes and the most fields of a request's head.
const HEAD_BYTES: usize = 16 << 10;
const HEAD_FIELDS: usize = 64;
/// The time that a connection has to send the head of a request, its first or a later one.
const HEAD_TIME: Duration = Duration::from_secs(15);
/// The longest pause of a peer in reading an answer.
const ANSWER_TIME: Duration = Duration::from_secs(30);

/// A server that answers requests.
pub trait Serve: Send + Sync + 'static {
    /// Answers a request of a peer.
    fn answer(&self, request: Request<Arriving>, peer: IpAddr) -> impl Future<Output = Response<AnswerBody>> + Send;

    /// Notifies waiting requests and connections that the server is about to end.
    fn leave(&self);

    /// Waits until the server is about to end.
    fn leaving(&self) -> impl Future<Output = ()> + Send;
}

/// Accepts connections until `end`, and then waits for their requests, for `grace` at most.
/// Returns the time of `end`.
pub async fn accept(
    listener: TcpListener,
    server: impl Serve,
    grace: Duration,
    end: impl Future<Output = ()>,
) -> Instant {
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
                            connection(stream, address.ip(), server, taken.slot().clone()).await;
                        }
                        None => refuse(stream).await,
                    }
                });
            }
            // Too many files may be open. This passes, and sooner if a silent connection is
            // closed.
            Some((Err(_), _)) => {
                connections.close_longest_silent();
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            None => break,
        }
    }
    let signalled_at = Instant::now();
    drop(listener);
    server.leave();
    let all_end = async {
        let _none_come = newcomers.acquire_many(NEWCOMERS).await;
        connections.all_freed().await;
    };
    let _late = tokio::time::timeout(grace, all_end).await;
    signalled_at
}

/// Answers 503 to a peer for which there is no slot.
async fn refuse(mut stream: TcpStream) {
    const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n\
        Content-Type: application/json\r\nContent-Length: 47\r\n\r\n{\"error\":\"the server has too many connections\"}";
    let _unheard = tokio::time::timeout(Duration::from_millis(100), stream.write_all(FULL)).await;
}

async fn connection(stream: TcpStream, peer: IpAddr, server: Arc<impl Serve>, slot: Arc<ConnectionSlot>) {
    // Answers are small, and clients wait for them.
    let _slower = stream.set_nodelay(true);
    let leaving = server.leaving();
    let service = service_fn(|request: Request<Incoming>| {
        let (server, slot) = (server.clone(), slot.clone());
        async move {
            if !slot.begin() {
                // The connection is about to be dropped, and this future with it.
                std::future::pending::<()>().await;
            }
            let answer = server.answer(request.map(|body| Arriving::new(body, slot.clone())), peer).await;
            Ok::<_, Infallible>(answer.map(|body| body.on(&slot)))
        }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
    http.max_headers(HEAD_FIELDS).max_header_size(HEAD_BYTES).max_buf_size(4 * HEAD_BYTES);
    let stream = Noted::new(WriteTimeout::new(stream, ANSWER_TIME), slot.clone());
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), service));
    tokio::select! {
        // Errors of a connection concern its peer only.
        _ended = connection.as_mut() => {}
        () = slot.closed() => {}
        () = leaving => {
            connection.as_mut().graceful_shutdown();
            tokio::select! {
                _ended = connection.as_mut() => {}
                () = slot.closed() => {}
            }
        }
    }
}
