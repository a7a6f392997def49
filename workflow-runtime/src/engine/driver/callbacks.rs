//! Outcomes of tasks that arrive by token: from a web hook, a queue, another thread.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::messages::{Message, MessageQueue};
use crate::fault::Fault;
use crate::machine::{Op, Outcome};
use crate::task::TaskContext;
use crate::value::{Str, Value};

/// Delivery of task outcomes by token, to any number of executions. A clone shares the same
/// tokens.
///
/// Pass it to the executions with [`Builder::callbacks`](crate::Builder::callbacks), and keep a
/// clone where the outcomes arrive. An execution without callbacks fails when a task waits for an
/// outcome by token, with [`NO_CALLBACKS`](crate::fault::names::NO_CALLBACKS).
///
/// ```
/// use workflow_runtime::{Builder, Callbacks, Fault, UnknownToken, Value, Workflow, task::Invoke, value};
///
/// async fn start<Approval: Workflow>(tasks: impl Invoke, callbacks: &Callbacks) -> Result<Value, Fault> {
///     Builder::<Approval>::new().callbacks(callbacks).tasks(tasks).run(Value::Null).await
/// }
///
/// /// The program calls this function when the answer arrives.
/// fn approve(callbacks: &Callbacks, token: &str) -> Result<(), UnknownToken> {
///     callbacks.succeed(token, value!({ "approved": true }))
/// }
/// # assert_eq!(approve(&Callbacks::new(), "a token"), Err(UnknownToken));
/// ```
#[derive(Clone, Default)]
pub struct Callbacks(Arc<Mutex<HashMap<Str, Expected>>>);

struct Expected {
    op: Op,
    cx: TaskContext,
    messages: MessageQueue,
}

impl Callbacks {
    /// Creates an instance without executions.
    pub fn new() -> Callbacks {
        Callbacks::default()
    }

    /// Reports that the task has succeeded.
    pub fn succeed(&self, token: &str, output: impl Into<Value>) -> Result<(), UnknownToken> {
        self.deliver(token, Ok(output.into()))
    }

    /// Reports that the task has failed.
    pub fn fail(&self, token: &str, fault: Fault) -> Result<(), UnknownToken> {
        self.deliver(token, Err(fault))
    }

    /// Reports that the task is alive.
    pub fn heartbeat(&self, token: &str) -> Result<(), UnknownToken> {
        let cx = self.lock().get(token).map(|expected| expected.cx.clone()).ok_or(UnknownToken)?;
        cx.heartbeat();
        Ok(())
    }

    /// Returns `true` if a task waits for an outcome by this token.
    pub fn expects(&self, token: &str) -> bool {
        self.lock().contains_key(token)
    }

    /// Returns the id of the execution whose task waits for an outcome by this token.
    pub(in crate::engine) fn execution_of(&self, token: &str) -> Option<Str> {
        self.lock().get(token).map(|expected| expected.cx.execution_id().into())
    }

    fn deliver(&self, token: &str, outcome: Outcome) -> Result<(), UnknownToken> {
        let expected = self.lock().remove(token).ok_or(UnknownToken)?;
        expected.messages.push(Message::Outcome(expected.op, outcome));
        Ok(())
    }

    pub(super) fn expect(&self, token: Str, op: Op, cx: TaskContext, messages: MessageQueue) {
        self.lock().insert(token, Expected { op, cx, messages });
    }

    pub(super) fn forget(&self, token: &str) {
        self.lock().remove(token);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Str, Expected>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Stops the delivery of a task's outcome by its token.
#[inline]
pub(super) fn forget_callback(callbacks: Option<&Callbacks>, cx: &TaskContext) {
    if let (true, Some(token), Some(callbacks)) = (cx.awaits_callback(), cx.token(), callbacks) {
        callbacks.forget(token);
    }
}

/// The error of a token that no task waits for: the task has an outcome, was cancelled, or never
/// existed.
///
/// See the example of [`Callbacks`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownToken;

impl fmt::Display for UnknownToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no task waits for an outcome by this token")
    }
}

impl std::error::Error for UnknownToken {}
