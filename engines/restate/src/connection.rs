//! Connection of an invocation to the Restate server: its journal, its input, and its output.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::{Body, Bytes, Incoming};
use restate_sdk_shared_core::{
    AwaitResponse, CoreVM, Error, Header, Input, NonEmptyValue, NotificationHandle, PayloadOptions, RetryPolicy,
    RunExitResult, Target, TerminalFailure, UnresolvedFuture, VM, Value, Version,
};
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::Sleep;
use workflow_runtime::value::TEXT_LIMIT;
use workflow_runtime::{Fault, Timestamp};

use crate::journal;

/// Connection of an invocation to the server.
pub(crate) struct Connection {
    pub vm: CoreVM,
    pub body: Incoming,
    pub out: UnboundedSender<Bytes>,
    /// Time to wait in this process when nothing runs.
    pub idle: Duration,
}

/// Result of a wait for one notification.
pub(crate) enum Waited {
    Done(Value),
    /// The invocation is to be cancelled.
    Cancelled,
}

impl Connection {
    /// Reads the journal so far, and the input of the handler.
    pub async fn input(&mut self) -> Result<Input, Error> {
        while !self.vm.is_ready_to_execute()? {
            poll_fn(|cx| self.poll_feed(cx)).await;
        }
        self.vm.sys_input()
    }

    /// Reads a piece of the server's input.
    pub fn poll_feed(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        match Pin::new(&mut self.body).poll_frame(cx) {
            Poll::Pending => return Poll::Pending,
            Poll::Ready(None) => self.vm.notify_input_closed(),
            Poll::Ready(Some(Ok(frame))) => {
                if let Ok(data) = frame.into_data() {
                    self.vm.notify_input(data);
                }
            }
            Poll::Ready(Some(Err(error))) => self.vm.notify_error(Error::internal(error.to_string()), None),
        }
        Poll::Ready(())
    }

    /// Returns the timer after which an invocation without runs leaves the process.
    pub fn idle(&self) -> Pin<Box<Sleep>> {
        Box::pin(tokio::time::sleep(self.idle))
    }

    /// Leaves the process when the timer ends: closes the input, so that the journal suspends the
    /// invocation. The server continues it when its wait ends.
    pub fn poll_idle(&mut self, idle: &mut Pin<Box<Sleep>>, cx: &mut Context<'_>) -> Poll<()> {
        let is_over = idle.as_mut().poll(cx);
        if is_over.is_ready() {
            self.vm.notify_input_closed();
        }
        is_over
    }

    /// Sends pending output.
    pub fn flush(&mut self) {
        let bytes = self.vm.take_output();
        if !bytes.is_empty() {
            // The server task of the connection notices that it is closed.
            let _closed = self.out.send(bytes);
        }
    }

    /// Asks the journal for the progress of these notifications.
    pub fn poll_journal(&mut self, handles: impl Iterator<Item = NotificationHandle>) -> Result<AwaitResponse, Error> {
        self.flush();
        let all = UnresolvedFuture::FirstCompleted(handles.map(UnresolvedFuture::Single).collect());
        let response = self.vm.do_await(all);
        self.flush();
        response
    }

    /// Waits for one notification; runs nothing.
    pub async fn wait(&mut self, handle: NotificationHandle) -> Result<Waited, Error> {
        self.wait_for(handle, &workflow_runtime::Value::Null).await
    }

    /// Waits for one notification, also across a cancellation: for work that must not be left half
    /// done.
    pub async fn finished(&mut self, handle: NotificationHandle) -> Result<Value, Error> {
        loop {
            if let Waited::Done(value) = self.wait(handle).await? {
                return Ok(value);
            }
        }
    }

    /// Journals a value with the time, once. A replay returns the first value.
    pub async fn keep(&mut self, name: &str, value: &workflow_runtime::Value) -> Result<Waited, Error> {
        let asked = self.vm.sys_run(name.into())?;
        self.wait_for(asked.handle, value).await
    }

    async fn wait_for(&mut self, handle: NotificationHandle, kept: &workflow_runtime::Value) -> Result<Waited, Error> {
        let first = self.first_of(&[handle], kept).await?;
        Ok(first.map_or(Waited::Cancelled, |(_, value)| Waited::Done(value)))
    }

    /// Waits for the first of some notifications; runs nothing. Returns `None` if the invocation
    /// is to be cancelled.
    pub async fn first(
        &mut self,
        handles: &[NotificationHandle],
    ) -> Result<Option<(NotificationHandle, Value)>, Error> {
        self.first_of(handles, &workflow_runtime::Value::Null).await
    }

    async fn first_of(
        &mut self,
        handles: &[NotificationHandle],
        kept: &workflow_runtime::Value,
    ) -> Result<Option<(NotificationHandle, Value)>, Error> {
        loop {
            match self.poll_journal(handles.iter().copied())? {
                AwaitResponse::AnyCompleted => {
                    let missing = || Error::internal("the completed notification is missing");
                    let completed = handles.iter().copied().find(|handle| self.vm.is_completed(*handle));
                    let handle = completed.ok_or_else(missing)?;
                    let value = self.vm.take_notification(handle)?.ok_or_else(missing)?;
                    return Ok(Some((handle, value)));
                }
                AwaitResponse::ExecuteRun(handle) => {
                    let entry = journal::encode(Timestamp::now(), &Ok(kept.clone()));
                    self.vm.propose_run_completion(handle, RunExitResult::Success(entry), RetryPolicy::Infinite)?;
                }
                AwaitResponse::CancelSignalReceived => return Ok(None),
                AwaitResponse::WaitingExternalProgress { .. } => {
                    let mut idle = self.idle();
                    poll_fn(|cx| match self.poll_feed(cx) {
                        Poll::Ready(()) => Poll::Ready(()),
                        Poll::Pending => self.poll_idle(&mut idle, cx),
                    })
                    .await;
                }
                other => return Err(Error::internal(format!("unexpected answer of the journal: {other:?}"))),
            }
        }
    }

    /// Sends remaining output, and waits until the server has closed its side, because it may
    /// still be writing.
    pub async fn close(&mut self) {
        self.flush();
        while let Some(Ok(_)) = poll_fn(|cx| Pin::new(&mut self.body).poll_frame(cx)).await {}
    }

    /// Ends the handler.
    pub fn end(&mut self, output: NonEmptyValue) -> Result<(), Error> {
        self.vm.sys_write_output(output, any_payload())?;
        self.vm.sys_end()
    }

    /// Ends the handler with JSON.
    pub fn succeed(&mut self, output: &workflow_runtime::Value) -> Result<(), Error> {
        match output.to_json(TEXT_LIMIT) {
            Ok(text) => self.end(NonEmptyValue::Success(Bytes::from(text))),
            Err(error) => self.end(NonEmptyValue::Failure(journal::failure(&Fault::too_large("The output", error)))),
        }
    }

    /// Ends the handler with a failure that is not retried.
    pub fn fail(&mut self, code: u16, message: impl Into<String>) -> Result<(), Error> {
        self.end(NonEmptyValue::Failure(TerminalFailure { code, message: message.into(), metadata: Vec::new() }))
    }

    /// Returns an error that needs an operator, because a retry cannot help. The invocation pauses
    /// if the server supports that.
    pub fn operator_error(&self, message: String) -> Error {
        let pauses = self.vm.get_response_head().version >= Version::V7;
        Error::internal(message).with_should_pause(pauses)
    }
}

/// Returns options for payloads that may differ in a replay; the journaled ones count.
pub(crate) fn any_payload() -> PayloadOptions {
    PayloadOptions::unstable_serialization()
}

/// Returns the target of a handler for one execution.
pub(crate) fn target(service: &str, handler: &str, key: &str) -> Target {
    Target {
        service: service.into(),
        handler: handler.into(),
        key: Some(key.into()),
        idempotency_key: None,
        scope: None,
        limit_key: None,
        headers: vec![Header { key: "content-type".into(), value: "application/octet-stream".into() }],
    }
}
