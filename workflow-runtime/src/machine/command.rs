//! What frames ask an engine to do, and what they wait for.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::batch::Batch;
use super::call::Call;
use super::definition::Task;
use super::events::Reception;
use crate::event::CloudEvent;
use crate::fault::Fault;
use crate::time::{Timestamp, seconds};
use crate::value::{Str, Value};

/// How what was waited for ended.
pub type Outcome = Result<Value, Fault>;

/// An operation that a frame waits for. No two of an execution are ever the same, also after it was saved and loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Op {
    /// The number of the operation, counted over the execution.
    pub id: u64,
    /// The frame that waits for it.
    pub frame: FrameId,
}

/// A frame of an execution: the top level, a branch, an iteration. A number is used again once its frame is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FrameId(pub u32);

/// What an engine is asked to do.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Command {
    /// Invoke a task and deliver its outcome.
    Invoke(Arc<Invocation>),
    /// Deliver null at this time.
    Sleep {
        /// When.
        until: Timestamp,
    },
    /// Deliver null at the time at which the wait is over, if there is one. Events are delivered to the execution.
    Receive(Arc<Reception>),
    /// Publish an event, and deliver null when it is sure not to be lost.
    Publish(Arc<CloudEvent>),
    /// Start an execution, and deliver its outcome; or its id, if its end is not waited for.
    Call(Arc<Call>),
    /// Run a part of an iteration as an execution of its own, and deliver its outcome. Asked for only where the execution
    /// was [started](super::Start::batching) so.
    Batch(Arc<Batch>),
}

/// The invocation of a task.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Invocation {
    /// The task.
    pub task: &'static Task,
    /// What it is given.
    pub input: Value,
    /// Whom it is to act as, where the definition says so.
    pub credentials: Option<Value>,
    /// Which try of the state this is, from 1.
    pub attempt: u32,
    /// Which call of the execution this is: the same for all its attempts.
    pub call: CallId,
    /// When it was asked for.
    pub issued: Timestamp,
    /// After how long it is given up.
    pub timeout: Option<Duration>,
    /// How long it may give no sign of life.
    pub heartbeat: Option<Duration>,
    /// Whether the outcome arrives by the token, and not when the task returns.
    pub callback: bool,
    /// The task token, where there is one.
    pub token: Option<Str>,
    /// Whether the task has returned, and only the outcome by the token is waited for. Then it is not to be invoked.
    pub handed_over: bool,
}

/// Which call of an execution an invocation is: the visit to a state, the branches that lead from there to the call, and
/// the number of the call among those. It does not change with retries of the state.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct CallId {
    /// The number of the visit to a state, counted over the execution.
    pub visit: u64,
    /// Branches inside of that state, where it starts some that enter no states of their own: for each the number of the
    /// call that they are, and which one it is.
    pub path: Box<[u32]>,
    /// The number of the call.
    pub action: u32,
}

impl CallId {
    /// The call among all calls of all executions.
    pub(crate) fn key(&self, workflow: &str, execution: &str) -> String {
        format!("{workflow}/{execution}/{self}")
    }
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.visit)?;
        self.path.iter().try_for_each(|index| write!(f, ".{index}"))?;
        write!(f, "-{}", self.action)
    }
}

impl Invocation {
    /// Sets after how long it is given up.
    pub fn timeout_seconds(&mut self, timeout: f64) -> &mut Invocation {
        self.timeout = Some(seconds(timeout));
        self
    }

    /// Sets how long it may give no sign of life.
    pub fn heartbeat_seconds(&mut self, heartbeat: f64) -> &mut Invocation {
        self.heartbeat = Some(seconds(heartbeat));
        self
    }

    /// Lets the outcome arrive by the task token.
    pub fn callback(&mut self) -> &mut Invocation {
        self.callback = true;
        self
    }

    /// Sets whom it is to act as.
    pub fn credentials(&mut self, credentials: Value) -> &mut Invocation {
        self.credentials = Some(credentials);
        self
    }

    /// When it is given up.
    pub fn deadline(&self) -> Option<Timestamp> {
        self.timeout.map(|timeout| self.issued.plus(timeout))
    }
}
