//! Operations that have begun and not completed.

use futures_util::future::AbortHandle;

use super::MessageQueue;
use crate::task::TaskContext;

/// An operation that has begun.
pub(super) struct Pending {
    pub op: u64,
    pub kind: PendingKind,
    /// `true` for a task that has not returned.
    pub is_running: bool,
}

/// The kind of a pending operation.
pub(super) enum PendingKind {
    /// A wait for a time or an event.
    Wait,
    /// A task.
    Task(TaskContext),
    /// A child execution that runs elsewhere.
    Remote,
    /// A child execution in the same future, or the sending of an event. Both can be aborted. A
    /// child has a message queue.
    InProcess(AbortHandle, Option<MessageQueue>),
}

impl Pending {
    /// Returns the context of a task.
    pub fn cx(&self) -> Option<&TaskContext> {
        match &self.kind {
            PendingKind::Task(cx) => Some(cx),
            PendingKind::Wait | PendingKind::Remote | PendingKind::InProcess(..) => None,
        }
    }
}
