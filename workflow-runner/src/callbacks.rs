//! The endpoint at which `run` receives the outcomes of tasks that wait for a token.
//!
//! Such a task has handed its work over when its command or request ends. `run` prints the ways to
//! answer, and waits. Web pages and other machines cannot answer. A program on this machine needs
//! the token, which is random.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
#[cfg(feature = "durable")]
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::Duration;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::{Method, Request, Response, StatusCode};
use tokio::runtime::Runtime;
use tokio::sync::watch;
#[cfg(feature = "durable")]
use workflow_runtime::machine::Task;
#[cfg(feature = "durable")]
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::uri;
#[cfg(feature = "durable")]
use workflow_runtime::{TaskContext, Value};

use crate::http::answer::Answer;
use crate::http::callback::{self, Callback};
use crate::http::connections::Arriving;
use crate::http::request::{from_this_machine, only, path, single};
use crate::http::{Serve, accept};
use crate::outcomes::Outcomes;
use crate::progress;
use crate::visible::visible;

/// The port, unless an option names another or it is taken.
const PORT: u16 = 8066;
/// The most bytes of a body.
const MOST_BODY: usize = 16 << 20;
/// The number of tasks whose announcements show the ways to answer. A map can have thousands.
const EXPLAINED: usize = 3;
/// The time that requests have to end when the endpoint is closed. The delivery of an outcome
/// often ends the run, and its sender must still receive the confirmation.
const GRACE: Duration = Duration::from_secs(1);
/// The most characters of the reason for a refusal.
const LONGEST_REASON: usize = 200;

/// The choice of a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Port {
    At(u16),
    /// The usual port, or another if it is taken.
    Auto,
}

impl Port {
    /// Reads the value of `--callback-port`.
    pub fn read(value: &str) -> Result<Port, String> {
        match (value, value.parse()) {
            ("auto", _) => Ok(Port::Auto),
            (_, Ok(port)) if port > 0 => Ok(Port::At(port)),
            _ => Err(format!("`--callback-port {value}`: expected a port from 1 to 65535, or `auto`")),
        }
    }
}

/// The endpoint. It is closed when the value is dropped, after the answers to requests that have
/// arrived, or after [`GRACE`].
pub struct Endpoint {
    address: SocketAddr,
    announced: AtomicUsize,
    /// Becomes `true` when the endpoint is closed.
    closing: watch::Sender<bool>,
    /// Disconnects after the last answer.
    answered: Mutex<mpsc::Receiver<()>>,
    runtime: Option<Runtime>,
}

impl Endpoint {
    /// Listens at a port of this machine.
    pub fn open(port: Port, outcomes: Outcomes) -> Result<Endpoint, String> {
        let bind = |port: u16| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
        let listener = match port {
            Port::At(port) => bind(port).map_err(|error| format!("cannot listen on 127.0.0.1:{port}: {error}")),
            Port::Auto => bind(PORT)
                .or_else(|_| bind(0))
                .map_err(|error| format!("cannot listen for outcomes on 127.0.0.1: {error}")),
        }?;
        let failed = |error: std::io::Error| format!("cannot receive outcomes: {error}");
        listener.set_nonblocking(true).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        // Requests with large bodies need a runtime of several threads, which `run` may not have.
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(failed)?;
        let listener = {
            let _context = runtime.enter();
            tokio::net::TcpListener::from_std(listener).map_err(failed)?
        };
        let (closing, (open, answered)) = (watch::Sender::new(false), mpsc::channel());
        let answers = Answers { outcomes, closing: closing.clone() };
        let closed = closed(&closing);
        runtime.spawn(async move {
            accept(listener, answers, GRACE, closed).await;
            drop(open);
        });
        Ok(Endpoint {
            address,
            announced: AtomicUsize::new(0),
            closing,
            answered: Mutex::new(answered),
            runtime: Some(runtime),
        })
    }

    /// Returns the address for the answers of a task, without its last segment.
    pub fn url(&self, token: &str) -> String {
        url(self.address, token)
    }

    /// Prints that a state waits for an answer, and how to give it.
    pub fn announce(&self, state: &str, token: &str) {
        let explained = self.announced.fetch_add(1, Ordering::Relaxed) < EXPLAINED;
        progress::announce(&announcement(state, token, self.address, explained));
    }
}

/// Returns the lines that say that a state waits for an answer. They always name the port: without
/// it, the commands would send the token to whoever listens at the usual port.
fn announcement(state: &str, token: &str, address: SocketAddr, explained: bool) -> String {
    // A line break in the name of a state would begin a line that looks like a command.
    let waits = format!("{} waits for an answer by its token", visible(state));
    let port = address.port();
    match explained {
        true => format!(
            "{waits}:\n  cargo workflow succeed {token} --port {port} --output '{{}}'\n  \
             cargo workflow fail {token} --port {port} --error NAME\n  \
             curl -X POST {}/succeed -d '{{}}'",
            url(address, token)
        ),
        false => format!("{waits} {token} at port {port}"),
    }
}

fn url(address: SocketAddr, token: &str) -> String {
    format!("http://{address}/callbacks/{}", uri::encode(token))
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        self.closing.send_replace(true);
        if let Ok(answered) = self.answered.get_mut() {
            let _disconnected = answered.recv_timeout(GRACE);
        }
        // The value may be dropped by a thread of another runtime, which must not block longer.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// The server of the endpoint.
struct Answers {
    outcomes: Outcomes,
    closing: watch::Sender<bool>,
}

impl Answers {
    async fn route(&self, request: Request<Arriving>) -> Result<Answer, Answer> {
        let (head, body) = request.into_parts();
        // A request has at most one `Host` (RFC 9112 §3.2).
        single(&head.headers, "host")?;
        from_this_machine(&head.headers, true).map_err(|what| Answer::problem(StatusCode::FORBIDDEN, what, ""))?;
        let parts = path(&head.uri)?;
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let ["callbacks", token, kind] = parts[..] else { return Err(not_found()) };
        if !callback::KINDS.contains(&kind) {
            return Err(not_found());
        }
        only(&head.method, &[Method::POST])?;
        if head.uri.query().is_some() {
            return Err(Answer::bad("this route has no parameters"));
        }
        // Without a token of a task nobody occupies memory.
        self.outcomes.check_token(token).await?;
        match callback::read(kind, &head.headers, body, MOST_BODY).await? {
            Callback::Succeed(output) => self.outcomes.deliver(token, Ok(output)).await?,
            Callback::Fail(fault) => self.outcomes.deliver(token, Err(fault)).await?,
            Callback::Heartbeat => self.outcomes.heartbeat(token).await?,
        }
        Ok(Answer::done())
    }
}

impl Serve for Answers {
    async fn answer(&self, request: Request<Arriving>, _: IpAddr) -> Response<Full<Bytes>> {
        let (Ok(answer) | Err(answer)) = self.route(request).await;
        if let Some(reason) = answer.reason() {
            progress::announce(&format!("refused an answer: {}", progress::clean(reason, LONGEST_REASON)));
        }
        answer.response()
    }

    fn leave(&self) {
        self.closing.send_replace(true);
    }

    fn leaving(&self) -> impl Future<Output = ()> + Send {
        closed(&self.closing)
    }
}

/// Waits until the endpoint is closed.
fn closed(closing: &watch::Sender<bool>) -> impl Future<Output = ()> + Send + use<> {
    let mut closing = closing.subscribe();
    async move {
        let _closed = closing.wait_for(|closing| *closing).await.is_err();
    }
}

fn not_found() -> Answer {
    let routes = "POST /callbacks/{token}/succeed, POST /callbacks/{token}/fail, POST /callbacks/{token}/heartbeat";
    Answer::problem(StatusCode::NOT_FOUND, "not found", routes)
}

/// Tasks whose tokens are announced when their invocations have ended.
#[cfg(feature = "durable")]
pub struct Announced {
    pub tasks: Arc<dyn Invoke>,
    pub endpoint: Arc<Endpoint>,
}

#[cfg(feature = "durable")]
impl Invoke for Announced {
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        if !cx.awaits_callback() {
            return self.tasks.invoke(task, input, cx);
        }
        let invoked = self.tasks.invoke(task, input, cx.clone());
        Box::pin(async move {
            let outcome = invoked.await;
            if let (Ok(_), Some(token)) = (&outcome, cx.token()) {
                self.endpoint.announce(task.state, token);
            }
            outcome
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_state_prints_no_command() {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 8067));
        let state = "Ask\n  cargo workflow succeed another --port 1\u{1b}[2J";
        let lines = announcement(state, "token", address, true);
        assert_eq!(lines.lines().count(), 4, "{lines}");
        assert!(lines.lines().skip(1).all(|line| line.contains("token")) && !lines.contains('\u{1b}'), "{lines}");
        assert_eq!(
            announcement("Ask", "token", address, false),
            "Ask waits for an answer by its token token at port 8067"
        );
    }
}
