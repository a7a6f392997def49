//! Commands: the requests of frames to the engine.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::batch::Batch;
use super::call::Call;
use super::definition::Task;
use super::events::Reception;
use super::task_state::{TaskFlag, TaskState};
use crate::event::CloudEvent;
use crate::fault::Fault;
use crate::objects::{ReadItems, WriteResults};
use crate::time::{Timestamp, seconds};
use crate::value::{Str, Value};

/// The result of a command.
pub type Outcome = Result<Value, Fault>;

/// An operation that a frame waits for. Operations of an execution are unique, also after it was
/// saved and loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Op {
    /// The number of the operation, counted per execution.
    pub id: u64,
    /// The frame that waits for it.
    pub frame: FrameId,
}

/// The number of a frame: the top level, a branch or an iteration. Numbers of frames that have
/// ended are reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FrameId(pub u32);

/// A request to the engine.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Command {
    /// Invoke a task and deliver its outcome.
    Invoke(Arc<Invocation>),
    /// Deliver null at a time.
    Sleep {
        /// The time.
        until: Timestamp,
    },
    /// Deliver null when the wait expires, if it has a time-out. The engine delivers events to the
    /// execution as a whole.
    Receive(Arc<Reception>),
    /// Publish an event. Deliver null as soon as the event cannot be lost.
    Publish(Arc<CloudEvent>),
    /// Start a child execution and deliver its outcome, or its id if it is detached.
    Call(Arc<Call>),
    /// Read items of a distributed Map and deliver them. Only runs of distributed Maps issue this
    /// command, and the next one.
    Read(Arc<ReadItems>),
    /// Write results of a distributed Map and deliver the state of the writer.
    Write(Arc<WriteResults>),
    /// Run a range of an iteration's items as an execution of its own and deliver its outcome.
    /// Only executions that were [started](super::Start::batching) with batching issue this
    /// command.
    Batch(Arc<Batch>),
}

/// An invocation of a task.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Invocation {
    /// The task.
    pub task: &'static Task,
    /// The task's input.
    pub input: Value,
    /// The number of the attempt of the state, from 1.
    pub attempt: u32,
    /// The identity of the call: equal for all its attempts.
    pub call: CallId,
    /// The time at which the command was issued.
    pub issued: Timestamp,
    /// The time-out, counted from `issued`.
    pub timeout: Option<Duration>,
    /// Set if the outcome arrives by the task token, and not when the task returns.
    pub callback: bool,
    /// Set once the task has returned and only the outcome by the token is awaited. The engine
    /// must not invoke the task again.
    pub handed_over: bool,
    /// The parts that most invocations lack.
    pub(super) extras: Option<Box<Extras>>,
    /// Set once the invocation has a context.
    pub(crate) has_context: TaskFlag,
    /// Set once the outcome is no longer awaited.
    pub(crate) is_cancelled: TaskFlag,
    /// The part that changes while the task runs.
    pub(crate) state: TaskState,
}

/// The parts of an invocation that most invocations lack.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Extras {
    pub credentials: Option<Value>,
    pub token: Option<Str>,
    /// The longest time without a heartbeat.
    pub heartbeat: Option<Duration>,
}

/// The identity of a call within an execution: the visit to a state, the branches between that
/// state and the call, and the number of the call among the calls of its frame. Retries of the
/// state do not change it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct CallId {
    /// The number of the visit to a state, counted per execution.
    pub visit: u64,
    /// The branches inside of that state that enter no states of their own. Each branch is a pair:
    /// the number of the call that started it, and its index.
    pub path: Box<[u32]>,
    /// The number of the call.
    pub action: u32,
}

impl CallId {
    /// Returns the idempotency key: the identity of the call among all calls of all executions.
    pub(crate) fn key(&self, workflow: &str, execution: &str) -> String {
        let mut key = String::with_capacity(workflow.len() + execution.len() + ID_BYTES);
        key.push_str(workflow);
        key.push('/');
        key.push_str(execution);
        key.push('/');
        self.append_to(&mut key);
        key
    }

    /// Appends the text of the id. Each child of a Map run has ids, and formatting costs ten times
    /// as much.
    pub(crate) fn append_to(&self, text: &mut String) {
        push_number(text, self.visit);
        for index in &self.path {
            text.push('.');
            push_number(text, (*index).into());
        }
        text.push('-');
        push_number(text, self.action.into());
    }
}

/// The bytes of most ids of calls, or a few more.
pub(super) const ID_BYTES: usize = 16;

/// Appends the digits of a number.
pub(super) fn push_number(text: &mut String, mut number: u64) {
    let mut digits = [0; 20];
    let mut first = digits.len();
    loop {
        first -= 1;
        // A remainder below ten.
        digits[first] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    // Digits are text.
    text.push_str(str::from_utf8(&digits[first..]).unwrap_or_default());
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(ID_BYTES);
        self.append_to(&mut text);
        f.write_str(&text)
    }
}

impl Invocation {
    /// Creates an invocation without limits, and without a token.
    pub(crate) fn new(task: &'static Task, input: Value, attempt: u32, call: CallId, issued: Timestamp) -> Invocation {
        Invocation {
            task,
            input,
            attempt,
            call,
            issued,
            timeout: None,
            callback: false,
            handed_over: false,
            extras: None,
            has_context: TaskFlag::default(),
            is_cancelled: TaskFlag::default(),
            state: TaskState::default(),
        }
    }

    /// Sets the time-out, in seconds.
    pub fn timeout_seconds(&mut self, timeout: f64) -> &mut Invocation {
        self.timeout = Some(seconds(timeout));
        self
    }

    /// Sets the longest time without a heartbeat, in seconds.
    pub fn heartbeat_seconds(&mut self, heartbeat: f64) -> &mut Invocation {
        self.set_heartbeat(seconds(heartbeat));
        self
    }

    /// Sets the longest time without a heartbeat.
    pub(super) fn set_heartbeat(&mut self, heartbeat: Duration) {
        self.extras.get_or_insert_default().heartbeat = Some(heartbeat);
    }

    /// Lets the outcome arrive by the task token.
    pub fn callback(&mut self) -> &mut Invocation {
        self.callback = true;
        self
    }

    /// Sets the identity to act as.
    pub fn credentials(&mut self, credentials: Value) -> &mut Invocation {
        self.extras.get_or_insert_default().credentials = Some(credentials);
        self
    }

    /// Sets the task token.
    pub(crate) fn set_token(&mut self, token: Str) {
        self.extras.get_or_insert_default().token = Some(token);
    }

    /// Returns the identity that the task is to act as, if the definition sets one. Returns the
    /// value that [`Invocation::credentials`] has set.
    pub fn identity(&self) -> Option<&Value> {
        self.extras.as_ref()?.credentials.as_ref()
    }

    /// Returns the task token, if the task has one.
    pub fn token(&self) -> Option<&Str> {
        self.extras.as_ref()?.token.as_ref()
    }

    /// Returns the longest time without a heartbeat.
    pub fn heartbeat(&self) -> Option<Duration> {
        self.extras.as_ref()?.heartbeat
    }

    /// Returns the time at which the invocation times out.
    pub fn deadline(&self) -> Option<Timestamp> {
        self.timeout.map(|timeout| self.issued.plus(timeout))
    }
}
