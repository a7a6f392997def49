//! The server: what Restate calls over HTTP/2.

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

use crate::endpoint::{Endpoint, Service};
use crate::handlers::Handler;
use crate::link::Link;
use crate::{bus, discovery};

/// How this program calls itself.
const SERVER: &str = concat!("workflow-restate/", env!("CARGO_PKG_VERSION"));

/// How much of all invocations together can be under way to this program; for each of them there is a window, too. A journal
/// comes as one small frame for each entry, and half of this is what `h2` lets small frames cost before it takes them for an
/// attack and closes the connection: more than 200 invocations, as many as there are at a time, have entries.
const CONNECTION_WINDOW: u32 = 256 << 20;

/// How long to wait after a connection could not be accepted: most often there are too many.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves whoever connects.
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
    // What is wrong with a connection is the other side's to say, and it connects again.
    let _closed = http.serve_connection(TokioIo::new(stream), service).await;
}

/// What is sent back: at once, or piece by piece while an invocation runs.
pub(crate) enum Reply {
    Whole(Option<Bytes>),
    /// What the invocation sends; it ends when nobody receives any more.
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
            Some((service, called)) => invoke(endpoint.clone(), service, called, request),
            None => whole(StatusCode::NOT_FOUND, "text/plain", format!("there is no handler at {path}")),
        },
        _ => whole(StatusCode::NOT_FOUND, "text/plain", format!("there is nothing at {path}")),
    }
}

/// What is called.
#[derive(Clone, Copy)]
enum Called {
    Workflow(Handler),
    Bus(bus::Handler),
}

impl Called {
    async fn handle(self, service: &Service, link: &mut Link) -> Result<(), Error> {
        match self {
            Called::Workflow(handler) => handler.handle(service, link).await,
            Called::Bus(handler) => handler.handle(service, link).await,
        }
    }
}

/// The place of the service, and what of it is called.
fn find(endpoint: &Endpoint, name: &str, handler: &str) -> Option<(usize, Called)> {
    let position = |name: &str| endpoint.services.iter().position(|service| service.name == name);
    if let Some(service) = position(name) {
        let handler = Handler::ALL.into_iter().find(|other| other.name() == handler)?;
        return Some((service, Called::Workflow(handler)));
    }
    let service = position(bus::service_of(name)?).filter(|service| endpoint.services[*service].has_bus())?;
    let handler = bus::Handler::ALL.into_iter().find(|other| other.name() == handler)?;
    Some((service, Called::Bus(handler)))
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

/// Begins an invocation, or goes on with one.
fn invoke(endpoint: Arc<Endpoint>, service: usize, called: Called, request: Request<Incoming>) -> Response<Reply> {
    let (parts, body) = request.into_parts();
    let options = VMOptions {
        // A journal that does not fit this program will not fit it the next time either.
        journal_mismatch_retry_behavior: JournalMismatchRetryBehavior::Pause,
        // An execution cancels those that it waits for itself, and what has the key of one may be another one. A bus is not
        // to be cancelled at all.
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
    let mut link = Link { vm, body, out: out.clone(), idle: endpoint.services[service].idle };
    tokio::spawn(async move {
        let work = std::pin::pin!(async {
            if let Err(error) = called.handle(&endpoint.services[service], &mut link).await
                && !error.is_suspended_error()
            {
                link.vm.notify_error(error, None);
            }
            link.close().await;
        });
        // Nobody receives any more: the connection is gone, and so is all that is under way here.
        futures_util::future::select(work, std::pin::pin!(out.closed())).await;
    });
    let status = StatusCode::from_u16(head.status_code).unwrap_or(StatusCode::OK);
    let headers: Vec<(&str, &str)> = head.headers.iter().map(|header| (&*header.key, &*header.value)).collect();
    response(status, &headers, Reply::Pieces(pieces))
}
