//! Notifications to observers, in authored terms. Nothing here runs without observers.

use std::sync::Arc;

use super::call::{Call, Target};
use super::command::{Command, FrameId, Invocation, Outcome};
use super::core::Core;
use super::frame::{Frame, NONE, Wait};
use super::observer::{Event, EventKind, Observer, PathStep};
use crate::panics::catch;
use crate::time::Timestamp;
use crate::value::Value;

impl Core {
    /// Reports an occurrence in the state that a frame is in.
    pub(super) fn notify(&mut self, id: FrameId, kind: EventKind<'_>) {
        self.notify_at(self.header.now, id, kind);
    }

    /// Reports an occurrence at this time. The time of an execution never goes back.
    pub(super) fn notify_at(&mut self, at: Timestamp, id: FrameId, kind: EventKind<'_>) {
        let state = if id == NONE { "" } else { self.frames.get(id).state };
        let path = self.path(id);
        let event = Event {
            workflow: self.header.definition.name,
            execution: &self.header.name,
            time: self.header.now.max(at),
            path: &path,
            state,
            kind,
        };
        if let Some(occasional) = &mut self.occasional {
            notify_all(&mut occasional.observers, &event);
            self.observed = !occasional.observers.is_empty();
        }
    }

    /// Reports that the state of a frame was left, and before it the fault that was caught.
    pub(super) fn notify_exited(&mut self, id: FrameId, output: &Value) {
        if let Some(fault) = self.frames.get_mut(id).failed.take() {
            self.notify(id, EventKind::StateCaught { fault: &fault });
        }
        self.notify(id, EventKind::StateExited { output });
    }

    /// Reports the end of the last state of a frame. A frame that has entered no state reports
    /// nothing.
    pub(super) fn notify_left(&mut self, id: FrameId, outcome: &Outcome) {
        if self.frames.get(id).visit == 0 {
            return;
        }
        match outcome {
            Ok(output) => self.notify_exited(id, output),
            Err(fault) => self.notify(id, EventKind::StateFailed { fault }),
        }
    }

    /// Reports that a new process continues the execution.
    pub(super) fn notify_resumed(&mut self, at: Timestamp, restart: u32) {
        if self.observed {
            self.notify_at(at, NONE, EventKind::ExecutionResumed { restart });
        }
    }

    /// Reports the tasks that are invoked again after the execution was loaded, in the order in
    /// which they were issued.
    pub(super) fn notify_rescheduled(&mut self, at: Timestamp) {
        if !self.observed || self.result.is_some() {
            return;
        }
        if std::mem::take(&mut self.occasional().is_redriven) {
            for (frame, call) in self.map_runs_below(NONE) {
                self.notify_at(at, frame, EventKind::MapRunRedriven { call: &call });
            }
        }
        let is_invoked_again = |invocation: &Invocation| {
            !invocation.handed_over && invocation.deadline().is_none_or(|deadline| deadline > at)
        };
        let invocation = |(id, frame): (FrameId, &Frame)| match &frame.wait {
            Wait::Command(Command::Invoke(invocation)) if frame.op <= self.issued_before => {
                Some((frame.op, id, invocation.clone())).filter(|_| is_invoked_again(invocation))
            }
            _ => None,
        };
        let mut again: Vec<_> = self.frames.iter().filter_map(invocation).collect();
        again.sort_unstable_by_key(|(op, ..)| *op);
        for (_, id, invocation) in again {
            let Invocation { task, ref input, attempt, .. } = *invocation;
            self.notify_at(at, id, EventKind::TaskScheduled { task, input, attempt, again: true });
        }
    }

    /// Reports that the runs of Maps are no longer awaited by the frames below this one, or by any
    /// frame. To be reported before the frames are removed.
    pub(super) fn notify_map_runs_aborted(&mut self, above: FrameId) {
        if self.observed {
            for (frame, call) in self.map_runs_below(above) {
                self.notify(frame, EventKind::MapRunAborted { call: &call });
            }
        }
    }

    /// Returns the awaited runs of Maps and their frames below this one, in the order in which
    /// they were started.
    fn map_runs_below(&self, above: FrameId) -> Vec<(FrameId, Arc<Call>)> {
        if self.header.definition.maps.is_empty() {
            return Vec::new();
        }
        let mut runs: Vec<(u64, FrameId, Arc<Call>)> = Vec::new();
        let mut add = |id: FrameId, frame: &Frame| match &frame.wait {
            Wait::Command(Command::Call(call)) if matches!(call.target, Target::Map(_)) => {
                runs.push((frame.op, id, call.clone()));
            }
            _ => {}
        };
        if above == NONE {
            self.frames.iter().for_each(|(id, frame)| add(id, frame));
        } else {
            let mut open = vec![above];
            while let Some(parent) = open.pop() {
                for (id, frame) in self.frames.children(parent) {
                    add(id, frame);
                    open.push(id);
                }
            }
        }
        runs.sort_unstable_by_key(|(op, ..)| *op);
        runs.into_iter().map(|(_, frame, call)| (frame, call)).collect()
    }

    /// Returns the branches and iterations that a frame is in, outermost first.
    pub(super) fn path(&self, mut id: FrameId) -> Vec<PathStep> {
        let mut path = Vec::new();
        while id != NONE {
            let frame = self.frames.get(id);
            if frame.parent != NONE {
                path.push(PathStep { state: self.frames.get(frame.parent).state, index: frame.index });
            }
            id = frame.parent;
        }
        path.extend(self.outer.iter().flat_map(|outer| outer.path.iter().rev().copied()));
        path.reverse();
        path
    }
}

/// Notifies every observer. An observer that panics is removed: observation must not change the
/// execution.
fn notify_all(observers: &mut Vec<Box<dyn Observer>>, event: &Event<'_>) {
    let mut at = 0;
    while let Some(observer) = observers.get_mut(at) {
        match catch(|| observer.observe(event)) {
            Ok(()) => at += 1,
            Err(message) => {
                eprintln!("an observer of `{}` panicked and receives no more events: {message}", event.workflow);
                let removed = observers.remove(at);
                let _message = catch(|| drop(removed));
            }
        }
    }
}
