//! HTTP/2 server that Restate calls.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::header::CONTENT_TYPE;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo};
use restate_sdk_shared_core::{CoreVM, Error, ImplicitCancellationOption, JournalMismatchRetryBehavior, VM, VMOptions};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::JoinSet;

use crate::connection::Connection;
use crate::endpoint::{Endpoint, Service};
use crate::handlers::Handler;
use crate::{discovery, events};

/// Name of this program in responses.
const SERVER: &str = concat!("workflow-restate/", env!("CARGO_PKG_VERSION"));

/// Flow-control window of a connection, for all its invocations together; each invocation has a
/// window as well. A journal arrives as one small frame for each entry. Half of this window is
/// what `h2` lets small frames cost before it takes them for an attack and closes the connection.
/// There can be more than 200 invocations at a time, each with its entries.
const CONNECTION_WINDOW: u32 = 256 << 20;

/// Delay after a connection could not be accepted, usually because there are too many.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves connections.
pub(crate) async fn serve(endpoint: Arc<Endpoint>, listener: TcpListener) -> Infallible {
    let mut connections = JoinSet::new();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                connections.spawn(connection(endpoint.clone(), stream));
            }
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
        while connections.try_join_next().is_some() {}
    }
}

async fn connection(endpoint: Arc<Endpoint>, stream: TcpStream) {
    let _unimportant = stream.set_nodelay(true);
    let service = service_fn(move |request| {
        let response = respond(&endpoint, request);
        async move { Ok::<_, Infallible>(response) }
    });
    let mut http = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
    http.initial_connection_window_size(CONNECTION_WINDOW);
    // The other side reports errors of a connection, and connects again.
    let _closed = http.serve_connection(TokioIo::new(stream), service).await;
}

/// Body of a response: whole, or in pieces while an invocation runs.
pub(crate) enum Reply {
    Whole(Option<Bytes>),
    /// Output of the invocation. It ends when nobody receives it any more.
    Pieces(UnboundedReceiver<Bytes>),
}

impl Body for Reply {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match self.get_mut() {
            Reply::Whole(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Reply::Pieces(pieces) => pieces.poll_recv(cx).map(|piece| piece.map(|bytes| Ok(Frame::data(bytes)))),
        }
    }
}

fn respond(endpoint: &Arc<Endpoint>, request: Request<Incoming>) -> Response<Reply> {
    let path = request.uri().path();
    #[cfg(feature = "identity")]
    if let Err(error) = endpoint.identity.verify_identity(request.headers(), path) {
        return whole(StatusCode::UNAUTHORIZED, "text/plain", error.to_string());
    }
    let parts: Vec<&str> = path.split('/').collect();
    match parts[..] {
        [.., "discover"] => {
            whole(StatusCode::OK, discovery::CONTENT_TYPE, discovery::manifest(&endpoint.services).to_string())
        }
        [.., "health"] => whole(StatusCode::OK, "text/plain", String::new()),
        [.., "invoke", service, handler] => match find(endpoint, service, handler) {
            Some((service, target)) => invoke(endpoint.clone(), service, target, request),
            None => whole(StatusCode::NOT_FOUND, "text/plain", format!("no handler found at {path}")),
        },
        _ => whole(StatusCode::NOT_FOUND, "text/plain", format!("{path} not found")),
    }
}

/// A handler that a request can invoke.
#[derive(Clone, Copy)]
enum Target {
    Workflow(Handler),
    Object(events::EventHandler),
}

impl Target {
    async fn handle(self, service: &Service, connection: &mut Connection) -> Result<(), Error> {
        match self {
            Target::Workflow(handler) => handler.handle(service, connection).await,
            Target::Object(handler) => handler.handle(service, connection).await,
        }
    }
}

/// Returns the index of the service and the invoked handler.
fn find(endpoint: &Endpoint, name: &str, handler: &str) -> Option<(usize, Target)> {
    let position = |name: &str| endpoint.services.iter().position(|service| service.name == name);
    if let Some(service) = position(name) {
        let handler = Handler::ALL.into_iter().find(|other| other.name() == handler)?;
        return Some((service, Target::Workflow(handler)));
    }
    let service = position(events::service_of(name)?).filter(|service| endpoint.services[*service].has_objects())?;
    let (handler, _) = events::EventHandler::ALL.into_iter().find(|(_, name)| *name == handler)?;
    Some((service, Target::Object(handler)))
}

fn whole(status: StatusCode, content_type: &str, text: String) -> Response<Reply> {
    response(status, &[(CONTENT_TYPE.as_str(), content_type)], Reply::Whole(Some(Bytes::from(text))))
}

fn response(status: StatusCode, headers: &[(&str, &str)], reply: Reply) -> Response<Reply> {
    let mut response = Response::builder().status(status).header("x-restate-server", SERVER);
    for (name, value) in headers {
        response = response.header(*name, *value);
    }
    response.body(reply).unwrap_or_else(|error| Response::new(Reply::Whole(Some(Bytes::from(error.to_string())))))
}

/// Begins or continues an invocation.
fn invoke(endpoint: Arc<Endpoint>, service: usize, target: Target, request: Request<Incoming>) -> Response<Reply> {
    let (parts, body) = request.into_parts();
    let options = VMOptions {
        // A journal that does not match this program will not match on a retry either.
        journal_mismatch_retry_behavior: JournalMismatchRetryBehavior::Pause,
        // An execution cancels its children itself, because a child's key may belong to another
        // execution. An object of events must not be cancelled at all.
        implicit_cancellation: ImplicitCancellationOption::Enabled {
            cancel_children_calls: false,
            cancel_children_one_way_calls: false,
        },
        ..VMOptions::default()
    };
    let vm = match CoreVM::new(parts.headers, options) {
        Ok(vm) => vm,
        Err(error) => {
            let status = StatusCode::from_u16(error.code()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            return whole(status, "text/plain", error.to_string());
        }
    };
    let head = vm.get_response_head();
    let (out, pieces) = unbounded_channel();
    let mut connection = Connection { vm, body, out: out.clone(), idle: endpoint.services[service].idle };
    tokio::spawn(async move {
        let work = std::pin::pin!(async {
            if let Err(error) = target.handle(&endpoint.services[service], &mut connection).await
                && !error.is_suspended_error()
            {
                connection.vm.notify_error(error, None);
            }
            connection.close().await;
        });
        // The connection is closed, and with it all work of the invocation here.
        futures_util::future::select(work, std::pin::pin!(out.closed())).await;
    });
    let status = StatusCode::from_u16(head.status_code).unwrap_or(StatusCode::OK);
    let headers: Vec<(&str, &str)> = head.headers.iter().map(|header| (&*header.key, &*header.value)).collect();
    response(status, &headers, Reply::Pieces(pieces))
}
