//! A bare loop around `restate-sdk-shared-core` that writes the same journal entries as the engine
//! for an execution, with the same settings of its connections.

use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::header::CONTENT_TYPE;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use restate_sdk_shared_core::{
    AwaitResponse, CoreVM, Error, NonEmptyValue, NotificationHandle, PayloadOptions, RetryPolicy, RunExitResult,
    UnresolvedFuture, VM, VMOptions, Value,
};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// The name of the service.
pub const SERVICE: &str = "bare";

/// The flow-control window of a connection, which is that of the engine.
const CONNECTION_WINDOW: u32 = 256 << 20;

/// The manifest of the service.
const MANIFEST: &str = r#"{"protocolMode":"BIDI_STREAM","minProtocolVersion":5,"maxProtocolVersion":8,"services":[{"name":"bare","ty":"WORKFLOW","handlers":[{"name":"run","ty":"WORKFLOW","input":{"required":false,"contentType":"*/*"},"output":{"contentType":"application/json","setContentTypeIfEmpty":false}}]}]}"#;

/// The entries that the engine writes, besides those of its own protocol.
#[derive(Clone, Default)]
pub struct Entries {
    /// The result of the run `start`.
    pub start: String,
    /// The value of the promise `request`.
    pub request: String,
    /// The name of the run of a step.
    pub step: String,
    /// The results of the steps.
    pub steps: Vec<String>,
    /// The output of the execution.
    pub output: String,
}

/// Serves the service, and counts its steps when they begin, as the task of the engine does.
pub async fn serve(listener: TcpListener, entries: Arc<Entries>, steps: Arc<AtomicU64>) {
    loop {
        let (stream, _) = listener.accept().await.expect("a connection");
        tokio::spawn(connection(stream, entries.clone(), steps.clone()));
    }
}

async fn connection(stream: TcpStream, entries: Arc<Entries>, steps: Arc<AtomicU64>) {
    let _unimportant = stream.set_nodelay(true);
    let service = service_fn(move |request| {
        let response = respond(request, &entries, &steps);
        async move { Ok::<_, Infallible>(response) }
    });
    let mut http = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
    http.initial_connection_window_size(CONNECTION_WINDOW);
    let _closed = http.serve_connection(TokioIo::new(stream), service).await;
}

/// The body of a response, in pieces.
struct Pieces(UnboundedReceiver<Bytes>);

impl Body for Pieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(cx).map(|piece| piece.map(|bytes| Ok(Frame::data(bytes))))
    }
}

fn respond(request: Request<Incoming>, entries: &Arc<Entries>, steps: &Arc<AtomicU64>) -> Response<Pieces> {
    let (out, pieces) = unbounded_channel();
    let mut response = Response::builder();
    if request.uri().path().ends_with("/discover") {
        out.send(Bytes::from_static(MANIFEST.as_bytes())).expect("the receiver is here");
        response = response.header(CONTENT_TYPE, "application/vnd.restate.endpointmanifest.v3+json");
    } else {
        let (parts, body) = request.into_parts();
        let vm = CoreVM::new(parts.headers, VMOptions::default()).expect("a request of the server");
        let head = vm.get_response_head();
        response = response.status(head.status_code);
        for header in &*head.headers {
            response = response.header(&*header.key, &*header.value);
        }
        let (entries, steps) = (entries.clone(), steps.clone());
        tokio::spawn(async move {
            let mut invocation = Invocation { vm, body, out };
            if let Err(error) = invocation.run(&entries, &steps).await
                && !error.is_suspended_error()
            {
                invocation.vm.notify_error(error, None);
            }
            invocation.flush();
            while let Some(Ok(_)) = poll_fn(|cx| Pin::new(&mut invocation.body).poll_frame(cx)).await {}
        });
    }
    response.body(Pieces(pieces)).expect("a response")
}

/// An invocation in progress.
struct Invocation {
    vm: CoreVM,
    body: Incoming,
    out: UnboundedSender<Bytes>,
}

impl Invocation {
    /// Runs an execution to its end.
    async fn run(&mut self, entries: &Entries, steps: &AtomicU64) -> Result<(), Error> {
        while !self.vm.is_ready_to_execute()? {
            self.feed().await;
        }
        self.vm.sys_input()?;
        let start = self.vm.sys_run("start".into())?.handle;
        self.finish(start, &[], &entries.start, None).await?;
        let request = NonEmptyValue::Success(Bytes::from(entries.request.clone()));
        let any = PayloadOptions::unstable_serialization;
        self.vm.sys_complete_promise("request".into(), request, any())?;
        let others = [self.vm.sys_get_promise("cancel".into())?, self.vm.sys_get_promise("status/0/asked".into())?];
        for result in &entries.steps {
            let step = self.vm.sys_run(entries.step.as_str().into())?.handle;
            self.finish(step, &others, result, Some(steps)).await?;
        }
        self.vm.sys_write_output(NonEmptyValue::Success(Bytes::from(entries.output.clone())), any())?;
        self.vm.sys_end()
    }

    /// Executes a run with this result, and waits until it is journaled. Counts the execution of
    /// the run: a replay finds the result in the journal.
    async fn finish(
        &mut self,
        handle: NotificationHandle,
        others: &[NotificationHandle],
        result: &str,
        begun: Option<&AtomicU64>,
    ) -> Result<Value, Error> {
        loop {
            let handles = others.iter().copied().chain([handle]).map(UnresolvedFuture::Single);
            self.flush();
            let response = self.vm.do_await(UnresolvedFuture::FirstCompleted(handles.collect()));
            self.flush();
            match response? {
                AwaitResponse::AnyCompleted => {
                    let value = self.vm.take_notification(handle)?;
                    return value.ok_or_else(|| Error::internal("nobody cancels or asks"));
                }
                AwaitResponse::ExecuteRun(handle) => {
                    if let Some(begun) = begun {
                        begun.fetch_add(1, Ordering::Relaxed);
                    }
                    let result = RunExitResult::Success(Bytes::from(result.to_owned()));
                    self.vm.propose_run_completion(handle, result, RetryPolicy::Infinite)?;
                }
                AwaitResponse::WaitingExternalProgress { .. } => self.feed().await,
                other => return Err(Error::internal(format!("unexpected answer: {other:?}"))),
            }
        }
    }

    /// Reads a piece of the server's input.
    async fn feed(&mut self) {
        match poll_fn(|cx| Pin::new(&mut self.body).poll_frame(cx)).await {
            None => self.vm.notify_input_closed(),
            Some(Ok(frame)) => {
                if let Ok(data) = frame.into_data() {
                    self.vm.notify_input(data);
                }
            }
            Some(Err(error)) => self.vm.notify_error(Error::internal(error.to_string()), None),
        }
    }

    fn flush(&mut self) {
        let bytes = self.vm.take_output();
        if !bytes.is_empty() {
            let _closed = self.out.send(bytes);
        }
    }
}
