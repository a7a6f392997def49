//! The end of a whole run: what was not begun does not begin, and executions that are waited for end likewise.

use super::{Driver, Journal, Letter, What};
use crate::fault::Fault;
use crate::machine::{FrameId, Op};
use crate::value::Value;

impl<J: Journal> Driver<'_, J> {
    /// The whole run is about to end, which was not so before.
    pub(super) fn terminate_others(&mut self) {
        self.terminating = true;
        let held = std::mem::take(&mut self.held).into_values().map(|(op, _)| op);
        let asked = std::iter::from_fn(|| self.execution.next_command()).map(|(op, _)| op);
        let idle: Vec<Op> = held.chain(asked).filter(|op| !super::is_pending(&self.pending, *op)).collect();
        for op in idle {
            self.execution.forgo(op);
            // An execution may have been put in already.
            self.release(op);
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
}
