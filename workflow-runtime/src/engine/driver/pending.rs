//! Operations that have begun and not completed.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use futures_util::future::AbortHandle;

use super::timers::{Purpose, Timer};
use super::{Driver, Journal, MessageQueue};
use crate::machine::{Command, Invocation, Op};
use crate::objects::OpenItems;
use crate::task::TaskContext;
use crate::time::Timestamp;

/// Commands that the engine holds back, and items that it reads. Most executions have none.
#[derive(Default)]
pub(super) struct Delayed {
    /// Commands from before the load that had not begun here when termination started.
    pub reissued: VecDeque<(Op, Command)>,
    /// Tasks that wait until fewer tasks are running, by the numbers of their operations.
    pub queued_tasks: BTreeMap<u64, (Op, Arc<Invocation>)>,
    /// The items that a run of a distributed Map reads.
    pub items: OpenItems,
}

/// An operation that has begun.
pub(super) struct Pending {
    pub op: u64,
    pub kind: PendingKind,
}

/// The kind of a pending operation.
pub(super) enum PendingKind {
    /// A wait for a time or an event.
    Wait,
    /// A task. `is_running` is set until it returns.
    Task { cx: TaskContext, is_running: bool },
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
            PendingKind::Task { cx, .. } => Some(cx),
            PendingKind::Wait | PendingKind::Remote | PendingKind::InProcess(..) => None,
        }
    }

    /// Returns `true` for a task that has not returned.
    fn is_running(&self) -> bool {
        matches!(self.kind, PendingKind::Task { is_running: true, .. })
    }
}

impl<J: Journal> Driver<'_, J> {
    pub(super) fn add_pending(&mut self, op: Op, kind: PendingKind) {
        let at = op.frame.0 as usize;
        if self.pending.len() <= at {
            if at == 0 {
                // Most executions wait for one operation most of the time.
                self.pending.reserve_exact(1);
            }
            self.pending.resize_with(at + 1, || None);
        }
        let pending = Pending { op: op.id, kind };
        self.pending_count += 1;
        self.running_tasks += u32::from(pending.is_running());
        self.pending[at] = Some(pending);
    }

    /// Releases an operation that is no longer awaited.
    pub(super) fn release(&mut self, op: Op) {
        match self.remove_pending(op) {
            Some(PendingKind::InProcess(run, _)) => run.abort(),
            // An operation without an entry may be a child execution that was started before this
            // execution was loaded.
            Some(PendingKind::Remote) | None => self.journal.abandon(op),
            Some(PendingKind::Wait | PendingKind::Task { .. }) => {}
        }
    }

    /// Removes a completed or released operation. Returns its kind.
    pub(super) fn remove_pending(&mut self, op: Op) -> Option<PendingKind> {
        if !self.is_pending(op) {
            if let Some(delayed) = &mut self.delayed {
                delayed.queued_tasks.remove(&op.id);
            }
            return None;
        }
        let pending = self.pending[op.frame.0 as usize].take()?;
        self.pending_count -= 1;
        self.running_tasks -= u32::from(pending.is_running());
        if let Some(cx) = pending.cx() {
            self.forget_callback(cx);
            cx.cancel();
        }
        Some(pending.kind)
    }

    pub(super) fn is_pending(&self, op: Op) -> bool {
        is_pending(&self.pending, op)
    }

    pub(super) fn add_timer(&mut self, op: Op, at: Timestamp, purpose: Purpose) {
        self.timers.add(Timer { at, op, purpose }, self.pending_count as usize, |op| is_pending(&self.pending, op));
    }
}

/// Returns `true` if the operation is pending.
pub(super) fn is_pending(pending: &[Option<Pending>], op: Op) -> bool {
    matches!(pending.get(op.frame.0 as usize), Some(Some(pending)) if pending.op == op.id)
}
