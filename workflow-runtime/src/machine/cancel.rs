//! Cancellation of frames, and the end of an execution from outside.

use super::command::{FrameId, Op, Outcome};
use super::core::Core;
use super::frame::{NONE, ROOT, Wait};
use crate::time::Timestamp;

impl Core {
    /// Cancels all descendants of a frame.
    pub(super) fn cancel_children(&mut self, id: FrameId) {
        self.notify_map_runs_aborted(id);
        let Core { frames, occasional, tracker, .. } = self;
        let occasional = occasional.get_or_insert_default();
        frames.remove_children(id, |id, frame| {
            if let Wait::Command(_) = frame.wait {
                occasional.cancelled.push(Op { id: frame.op, frame: id });
            }
            occasional.freed.push(id);
            if let Some(tracker) = tracker {
                tracker.frame_ended(id, matches!(frame.wait, Wait::Children(_)));
            }
        });
    }

    /// Drops everything that the execution does and starts its top level anew, without a deadline.
    ///
    /// The new start counts as a visit, though to no state. Otherwise its calls would have the
    /// numbers of calls that were made before.
    pub(super) fn restart(&mut self, at: Timestamp) {
        self.header.now = self.header.now.max(at);
        self.header.deadline = None;
        self.cancel_children(ROOT);
        self.notify_map_runs_aborted(NONE);
        if let Wait::Command(_) = self.frames.get(ROOT).wait {
            self.cancel(Op { id: self.frames.get(ROOT).op, frame: ROOT });
        }
        if let Wait::Children(_) = self.frames.get(ROOT).wait {
            self.track(|tracker| tracker.joined(ROOT));
        }
        self.work.clear();
        self.clear_outbox();
        self.epoch += 1;
        let frame = self.frames.get_mut(ROOT);
        (frame.op, frame.wait, frame.steps) = (0, Wait::Nothing, 0);
        self.header.visits += 1;
        (frame.visit, frame.retries, frame.actions, frame.token) = (self.header.visits, 0, 0, None);
    }

    /// Ends the whole execution from outside.
    pub(super) fn end(&mut self, at: Timestamp, outcome: Outcome) {
        self.header.now = self.header.now.max(at);
        self.cancel_children(ROOT);
        self.notify_map_runs_aborted(NONE);
        if let Wait::Command(_) = self.frames.get(ROOT).wait {
            self.cancel(Op { id: self.frames.get(ROOT).op, frame: ROOT });
        }
        let joining = matches!(self.frames.get(ROOT).wait, Wait::Children(_));
        self.frames.remove(ROOT);
        self.free(ROOT);
        self.track(|tracker| tracker.frame_ended(ROOT, joining));
        self.work.clear();
        self.clear_outbox();
        self.finish(outcome);
    }
}
