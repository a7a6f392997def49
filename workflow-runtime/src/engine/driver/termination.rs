//! Termination of a whole execution: commands that have not begun are dropped, and awaited
//! children are terminated.

use super::{Driver, Journal, Message, PendingKind};
use crate::fault::Fault;
use crate::machine::{Command, FrameId, Occurrence, Op};
use crate::value::Value;

impl<J: Journal> Driver<'_, J> {
    /// Drops commands that have not begun, and terminates awaited children.
    pub(super) fn begin_termination(&mut self) {
        let begun_before = self.execution.info().issued_before();
        let queued = self.delayed.iter().flat_map(|delayed| delayed.queued_tasks.values());
        let queued: Vec<Op> = queued.map(|(op, _)| *op).filter(|op| op.id > begun_before).collect();
        queued.into_iter().for_each(|op| self.abandon(op));
        while let Some((op, command)) = self.execution.next_command() {
            if self.is_pending(op) {
                continue;
            }
            if op.id > begun_before {
                self.abandon(op);
                continue;
            }
            if let Command::Call(_) = command {
                self.journal.terminate(op);
            }
            self.delayed.get_or_insert_default().reissued.push_back((op, command));
        }
        let pending = (0..).map(FrameId).zip(&self.pending);
        for (frame, pending) in pending.filter_map(|(frame, pending)| Some((frame, pending.as_ref()?))) {
            match &pending.kind {
                PendingKind::InProcess(_, Some(messages)) => {
                    messages.push(Message::End(Err(Fault::terminated(Value::Null))))
                }
                PendingKind::Remote => self.journal.terminate(Op { id: pending.op, frame }),
                PendingKind::InProcess(_, None) | PendingKind::Wait | PendingKind::Task { .. } => {}
            }
        }
    }

    /// Drops an operation that has not begun. A child execution may have been registered for it
    /// already.
    fn abandon(&mut self, op: Op) {
        let now = self.now();
        self.execution.apply(now, Occurrence::Abandoned(op));
        self.release(op);
    }
}
