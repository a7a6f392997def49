//! Ending a whole run from somewhere inside of it: from then on nothing begins, what only waits is over, and the run ends
//! when what was being done is completed. What that yields goes nowhere.
//!
//! Of the frames those are left that wait for something that is being done, and those above them, which forget what they have
//! waited for: a frame that is over is dropped, and so is the one above if it was the last.

use super::command::{Command, FrameId, Op};
use super::core::Core;
use super::frame::{NONE, Wait};
use crate::value::Value;

impl Core {
    /// The state that a frame is in ends the whole run with this output. One that is too large is the state's fault.
    pub(super) fn terminate(&mut self, id: FrameId, output: Value) {
        let over = self.overrun.take().or_else(|| self.over_any_limit(&output, self.frames.get(id).state));
        if let Some(fault) = over {
            return self.ended(id, Err(fault));
        }
        if self.observed {
            self.notify_left(id, &Ok(output.clone()));
        }
        self.drop_frame(id);
        self.drain(output);
    }

    /// Lets nothing begin any more, and the run end with this output once what is being done is completed.
    pub(super) fn drain(&mut self, output: Value) {
        if self.header.terminating.is_some() || self.result.is_some() {
            return;
        }
        self.header.terminating = Some(output);
        self.begins_to_end = true;
        self.work.clear();
        let mut frames: Vec<Op> = self.frames.iter().map(|(id, frame)| Op { id: frame.op, frame: id }).collect();
        // A frame is older than those beneath it, so that these come first.
        frames.sort_unstable();
        for op in frames.into_iter().rev() {
            let frame = self.frames.get_mut(op.frame);
            let is_joining = matches!(frame.wait, Wait::Children(_));
            if frame.first_child != NONE {
                frame.wait = Wait::Draining;
                self.track(|tracker| {
                    tracker.moved(op.frame);
                    tracker.joined(op.frame);
                });
            } else if is_joining || !frame.wait.is_being_done() {
                if !is_joining {
                    self.cancelled.push(op);
                }
                self.drop_frame(op.frame);
            }
        }
        self.end_if_drained();
    }

    /// What a frame has waited for is over, or is not to begin: nobody goes on with it.
    pub(super) fn drained(&mut self, id: FrameId) {
        let mut above = self.frames.get(id).parent;
        self.drop_frame(id);
        while above != NONE && self.frames.get(above).first_child == NONE {
            let next = self.frames.get(above).parent;
            self.drop_frame(above);
            above = next;
        }
        self.end_if_drained();
    }

    /// The engine has not begun what a frame waits for, and will not.
    pub(super) fn forgo(&mut self, op: Op) {
        let waits = self.frames.waiting(op).is_some_and(|frame| matches!(frame.wait, Wait::Command(_)));
        if waits && self.header.terminating.is_some() {
            self.drained(op.frame);
        }
    }

    fn end_if_drained(&mut self) {
        if self.frames.is_empty()
            && let Some(output) = self.header.terminating.clone()
        {
            self.finish(Ok(output));
        }
    }

    /// Drops a frame that has no others beneath it.
    fn drop_frame(&mut self, id: FrameId) {
        let joining = matches!(self.frames.get(id).wait, Wait::Children(_));
        self.frames.remove(id);
        self.freed.push(id);
        self.track(|tracker| tracker.gone(id, joining));
    }
}

impl Wait {
    /// Whether something is being done that is to be completed, also where nobody goes on with what it yields.
    pub(super) fn is_being_done(&self) -> bool {
        match self {
            // Of one that has returned only somebody's answer is missing.
            Wait::Command(Command::Invoke(invocation)) => !invocation.handed_over,
            Wait::Command(Command::Publish(_) | Command::Call(_) | Command::Batch(_)) => true,
            Wait::Command(Command::Sleep { .. } | Command::Receive(_)) => false,
            Wait::Nothing | Wait::Children(_) | Wait::Draining => false,
        }
    }
}
