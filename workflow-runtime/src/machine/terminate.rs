//! Termination of a whole execution from inside of it. From then on nothing new begins, and frames
//! that only wait end. The execution ends when the commands in progress have completed; their
//! outcomes are discarded.
//!
//! Only the frames that wait for a command in progress remain, and their ancestors. A frame is
//! dropped when its command has completed, and its parent is dropped with its last child.

use super::command::{Command, FrameId, Op};
use super::core::{Core, Job};
use super::frame::{NONE, Wait};
use crate::value::Value;

impl Core {
    /// Terminates the execution with this output, on behalf of the state that a frame is in. An
    /// output that is too large is a fault of that state.
    pub(super) fn terminate(&mut self, id: FrameId, output: Value) {
        let over = self.overrun.take().or_else(|| self.over_any_limit(&output, self.frames.get(id).state));
        if let Some(fault) = over {
            return self.end_frame(id, Err(fault));
        }
        if self.observed {
            self.notify_left(id, &Ok(output.clone()));
        }
        self.drop_frame(id);
        self.drain(output);
    }

    /// Stops everything that has not begun, and ends the execution with this output once the
    /// commands in progress have completed.
    pub(super) fn drain(&mut self, output: Value) {
        if self.header.is_terminating() || self.result.is_some() {
            return;
        }
        self.header.terminate(output);
        self.stops_all = true;
        for job in self.work.drain(..) {
            // A command that has completed is not in progress, although its turn has yet to run.
            if let Job::Resume(op, _) = job
                && self.frames.waiting(op).is_some()
            {
                self.frames.get_mut(op.frame).wait = Wait::Nothing;
            }
        }
        let mut frames: Vec<Op> = self.frames.iter().map(|(id, frame)| Op { id: frame.op, frame: id }).collect();
        // A child frame is younger than its parent. In reverse order, children come first.
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
                    self.cancel(op);
                }
                self.drop_frame(op.frame);
            }
        }
        self.end_if_drained();
    }

    /// Drops a frame whose command has completed or will not begin, and the ancestors that have
    /// lost their last child.
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

    /// Drops a frame whose command the engine has not begun and will not begin.
    pub(super) fn abandon(&mut self, op: Op) {
        let waits = self.frames.waiting(op).is_some_and(|frame| matches!(frame.wait, Wait::Command(_)));
        if waits && self.header.is_terminating() {
            self.drained(op.frame);
        }
    }

    fn end_if_drained(&mut self) {
        if self.frames.is_empty()
            && let Some(output) = self.header.terminating().cloned()
        {
            self.finish(Ok(output));
        }
    }

    /// Drops a frame that has no children.
    fn drop_frame(&mut self, id: FrameId) {
        let joining = matches!(self.frames.get(id).wait, Wait::Children(_));
        self.frames.remove(id);
        self.free(id);
        self.track(|tracker| tracker.frame_ended(id, joining));
    }
}

impl Wait {
    /// Returns `true` if a command is in progress that a terminating execution waits for.
    pub(super) fn is_being_done(&self) -> bool {
        match self {
            // A task that has returned is over: only the outcome by its token is missing.
            Wait::Command(Command::Invoke(invocation)) => !invocation.handed_over,
            Wait::Command(Command::Publish(_) | Command::Call(_) | Command::Batch(_)) => true,
            Wait::Command(Command::Sleep { .. } | Command::Receive(_) | Command::Read(_) | Command::Write(_)) => false,
            Wait::Nothing | Wait::Children(_) | Wait::Draining => false,
        }
    }
}
