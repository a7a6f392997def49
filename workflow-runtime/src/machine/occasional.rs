//! The parts of an execution, apart from its header, that most executions lack while they wait.

use std::collections::VecDeque;

use super::command::{FrameId, Op};
use super::core::Core;
use super::events::Inbox;
use super::observer::Observer;
use super::occurrence::Stop;
use crate::fault::TraceEntry;

/// No operation. The first operation of an execution is 1.
const NO_OP: Op = Op { id: 0, frame: FrameId(0) };

/// The parts that most executions lack while they wait. Allocated by the first use.
#[derive(Default)]
pub(super) struct Occasional {
    /// Events that were delivered and not yet consumed.
    pub inbox: Inbox,
    /// The trace of the fault that is being handled.
    pub trace: Vec<TraceEntry>,
    /// `true` if the execution was redriven, until the runs of Maps that continue are reported.
    pub is_redriven: bool,
    /// Operations that no frame waits for any more.
    pub cancelled: Vec<Op>,
    /// Frames that have ended and whose states are to be dropped.
    pub freed: Vec<FrameId>,
    pub observers: Vec<Box<dyn Observer>>,
    /// The operations in the outbox after the first one.
    outbox: VecDeque<Op>,
}

/// The first of the operations whose commands the engine has not received.
pub(super) struct FirstOp(Op);

impl Default for FirstOp {
    fn default() -> FirstOp {
        FirstOp(NO_OP)
    }
}

impl Core {
    /// Returns the parts that most executions lack, for modification.
    pub(super) fn occasional(&mut self) -> &mut Occasional {
        self.occasional.get_or_insert_default()
    }

    /// Returns the inbox, unless the execution has never had an event in it.
    pub(super) fn inbox(&self) -> Option<&Inbox> {
        self.occasional.as_ref().map(|occasional| &occasional.inbox)
    }

    /// Replaces the inbox of an execution that is loaded.
    pub(super) fn restore_inbox(&mut self, inbox: Inbox) {
        if inbox.next() > 0 {
            self.occasional().inbox = inbox;
        }
    }

    /// Records that no frame waits for the operation any more.
    pub(super) fn cancel(&mut self, op: Op) {
        self.occasional().cancelled.push(op);
    }

    /// Takes the next request to stop something.
    pub(super) fn next_stop(&mut self) -> Option<Stop> {
        if std::mem::take(&mut self.stops_all) {
            return Some(Stop::All);
        }
        self.occasional.as_mut()?.cancelled.pop().map(Stop::Op)
    }

    /// Records that a frame has ended and that its state is to be dropped.
    pub(super) fn free(&mut self, frame: FrameId) {
        self.occasional().freed.push(frame);
    }

    /// Returns `true` if a frame has ended whose state is to be dropped.
    #[inline]
    pub(super) fn has_freed(&self) -> bool {
        self.occasional.as_ref().is_some_and(|occasional| !occasional.freed.is_empty())
    }

    /// Takes a frame that has ended and whose state is to be dropped.
    pub(super) fn next_freed(&mut self) -> Option<FrameId> {
        self.occasional.as_mut()?.freed.pop()
    }

    /// Replaces the observers, and returns the previous ones.
    pub(super) fn observe(&mut self, observers: Vec<Box<dyn Observer>>) -> Vec<Box<dyn Observer>> {
        self.observed = !observers.is_empty();
        if self.observed || self.occasional.is_some() {
            return std::mem::replace(&mut self.occasional().observers, observers);
        }
        observers
    }

    /// Appends an operation to the outbox. Most executions issue one at a time.
    #[inline]
    pub(super) fn issue_op(&mut self, op: Op) {
        match self.first_op.0 {
            NO_OP => self.first_op.0 = op,
            _ => self.occasional().outbox.push_back(op),
        }
    }

    /// Reserves memory for children that start one after the other, each with an operation.
    pub(super) fn reserve(&mut self, children: usize) {
        if children > 1 {
            let children = children.min(64);
            self.frames.reserve(children);
            self.occasional().outbox.reserve(children - 1);
        }
    }

    /// Returns the number of operations in the outbox.
    pub(super) fn issued(&self) -> usize {
        let others = self.occasional.as_ref().map_or(0, |occasional| occasional.outbox.len());
        usize::from(self.first_op.0 != NO_OP) + others
    }

    /// Takes the first operation of the outbox.
    #[inline]
    pub(super) fn next_issued(&mut self) -> Option<Op> {
        if self.first_op.0 == NO_OP {
            return None;
        }
        let next = self.occasional.as_mut().and_then(|occasional| occasional.outbox.pop_front());
        Some(std::mem::replace(&mut self.first_op.0, next.unwrap_or(NO_OP)))
    }

    /// Empties the outbox.
    pub(super) fn clear_outbox(&mut self) {
        self.first_op = FirstOp::default();
        if let Some(occasional) = &mut self.occasional {
            occasional.outbox.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::definition::Definition;
    use super::super::start::Start;
    use super::*;
    use crate::value::Value;

    static EMPTY: Definition = Definition::VERSION_0_1_0;

    #[test]
    fn an_outbox_that_many_frames_reserve_is_copied_a_few_times() {
        let (header, _, observers) = Start::new(Value::Null).into_parts(&EMPTY);
        let mut core = Core::new(header, observers);
        let (mut copies, mut capacity) = (0, 0);
        for id in 1..=200_000 {
            core.reserve(2);
            core.issue_op(Op { id, frame: FrameId(0) });
            let now = core.occasional().outbox.capacity();
            copies += usize::from(now != capacity);
            capacity = now;
        }
        assert!(copies <= 20, "{copies}");
        assert!((1..=200_000).all(|id| core.next_issued().is_some_and(|op| op.id == id)));
    }
}
