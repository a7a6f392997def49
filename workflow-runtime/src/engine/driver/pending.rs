//! The operations that were begun and have not ended.

use futures_util::future::AbortHandle;

use super::Mailbox;
use crate::task::TaskContext;

/// An operation that was begun.
pub(super) struct Pending {
    pub op: u64,
    pub what: What,
    /// Whether it is a task that has not returned.
    pub under_way: bool,
}

/// What an operation is that was begun.
pub(super) enum What {
    /// A wait.
    Wait,
    /// A task.
    Task(TaskContext),
    /// An execution that runs elsewhere.
    Elsewhere,
    /// An execution that runs in the same future, or the sending of an event: it can be stopped. An execution has a mailbox.
    Beside(AbortHandle, Option<Mailbox>),
}

impl Pending {
    /// The context of a task.
    pub fn cx(&self) -> Option<&TaskContext> {
        match &self.what {
            What::Task(cx) => Some(cx),
            What::Wait | What::Elsewhere | What::Beside(..) => None,
        }
    }
}
