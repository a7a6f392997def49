//! The end of a whole run: what was not begun does not begin, and executions that are waited for end likewise.

use super::{Driver, Journal, Letter, What};
use crate::fault::Fault;
use crate::machine::{Command, FrameId, Op};
use crate::value::Value;

impl<J: Journal> Driver<'_, J> {
    /// The whole run begins to end.
    pub(super) fn terminate_others(&mut self) {
        let begun_before = self.execution.asked_before();
        let held: Vec<Op> = self.held.values().map(|(op, _)| *op).filter(|op| op.id > begun_before).collect();
        held.into_iter().for_each(|op| self.forgo(op));
        while let Some((op, command)) = self.execution.next_command() {
            if self.is_pending(op) {
                continue;
            }
            if op.id > begun_before {
                self.forgo(op);
                continue;
            }
            if let Command::Call(_) = command {
                self.journal.terminate(op);
            }
            self.again.push_back((op, command));
        }
        let pending = (0..).map(FrameId).zip(&self.pending);
        for (frame, pending) in pending.filter_map(|(frame, pending)| Some((frame, pending.as_ref()?))) {
            match &pending.what {
                What::Beside(_, Some(mailbox)) => mailbox.push(Letter::End(Err(Fault::terminated(Value::Null)))),
                What::Elsewhere => self.journal.terminate(Op { id: pending.op, frame }),
                What::Beside(_, None) | What::Wait | What::Task(_) => {}
            }
        }
    }

    /// An execution may have been put in for it already.
    fn forgo(&mut self, op: Op) {
        self.execution.forgo(op);
        self.release(op);
    }
}
