//! The frames of an execution: a table whose lowest free place is used first, and child lists so that a frame is cancelled
//! with all beneath it without a search. Nothing here knows the state enum.

use std::collections::BTreeSet;

use super::command::{Command, FrameId, Op};
use super::join::Join;
use crate::fault::Fault;
use crate::time::Timestamp;
use crate::value::{Str, Value};

/// No frame: the parent of the top level, the end of a list.
pub(super) const NONE: FrameId = FrameId(u32::MAX);

/// The top level.
pub(super) const ROOT: FrameId = FrameId(0);

/// A frame, aside from its state.
#[derive(Debug)]
pub(super) struct Frame {
    /// What it waits for.
    pub wait: Wait,
    /// The operation it waits for; 0 while it runs, and when it is not in use.
    pub op: u64,
    /// The frame it is a branch or iteration of.
    pub parent: FrameId,
    /// Which branch or iteration.
    pub index: u32,
    /// The newest of its children, and its neighbours in its parent's list.
    pub first_child: FrameId,
    pub next: FrameId,
    pub previous: FrameId,
    /// The item of an iteration.
    pub item: Option<Value>,
    /// The authored state that it is in; of a frame that has entered none yet, the one that its parent was in.
    pub state: &'static str,
    /// The number of its visit to that state; 0 as long as it has entered none.
    pub visit: u64,
    /// When it entered it.
    pub entered: Timestamp,
    /// How often the state was retried.
    pub retries: u32,
    /// How many calls the state has made, and events it has published; those of branches count as one.
    pub actions: u32,
    /// States entered since the last wait, along the longest way.
    pub steps: u32,
    /// Whether it is an iteration that has not begun, and waits for that.
    pub held: bool,
    /// The task token of the invocation that the state issues or has issued.
    pub token: Option<Str>,
    /// The fault that the state has to handle. Kept for observers only.
    pub failed: Option<Fault>,
}

/// What a frame waits for.
#[derive(Debug)]
pub(super) enum Wait {
    /// Nothing: it runs, or it is not in use.
    Nothing,
    Command(Command),
    Children(Box<Join>),
    /// That those beneath it are gone: the run is about to end, and nobody goes on with what they yield.
    Draining,
}

/// The frames of an execution.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// The last one is in use.
    slots: Vec<Frame>,
    /// The places that are not in use. As the lowest is used first, a table that was saved and loaded goes on alike.
    free: BTreeSet<FrameId>,
}

impl Frames {
    /// The frame, which must be one that this table gave out.
    pub fn get(&self, id: FrameId) -> &Frame {
        &self.slots[id.0 as usize]
    }

    /// As [`Frames::get`].
    pub fn get_mut(&mut self, id: FrameId) -> &mut Frame {
        &mut self.slots[id.0 as usize]
    }

    /// The visit to the state that a frame is in: of a branch that has entered none, that of the frame it is a branch of.
    pub fn visit(&self, id: FrameId) -> u64 {
        let above = |frame: &&Frame| Some(frame.parent).filter(|parent| *parent != NONE).map(|parent| self.get(parent));
        let frames = std::iter::successors(Some(self.get(id)), above);
        frames.map(|frame| frame.visit).find(|visit| *visit != 0).unwrap_or(0)
    }

    /// The frame that waits for this operation, unless it no longer does.
    pub fn waiting(&self, op: Op) -> Option<&Frame> {
        self.slots.get(op.frame.0 as usize).filter(|frame| frame.op == op.id && op.id != 0)
    }

    /// The frame, if it waits.
    pub fn used(&self, id: FrameId) -> Option<&Frame> {
        self.slots.get(id.0 as usize).filter(|frame| frame.op != 0)
    }

    /// The children of a frame, the newest first.
    pub fn children(&self, id: FrameId) -> impl Iterator<Item = (FrameId, &Frame)> {
        let some = |id: FrameId| Some(id).filter(|id| *id != NONE);
        let ids = std::iter::successors(some(self.get(id).first_child), move |id| some(self.get(*id).next));
        ids.map(|id| (id, self.get(id)))
    }

    /// Notes that a task was handed over, if it is waited for by its token.
    pub fn hand_over(&mut self, op: Op) -> bool {
        let Some(frame) = self.slots.get_mut(op.frame.0 as usize).filter(|frame| frame.op == op.id) else {
            return false;
        };
        match &mut frame.wait {
            Wait::Command(Command::Invoke(invocation)) if invocation.callback => {
                std::sync::Arc::make_mut(invocation).handed_over = true;
                true
            }
            _ => false,
        }
    }

    /// Lets invocations that frames wait for be as if they were issued now. Which frames those are.
    pub fn ask_anew(&mut self, now: Timestamp) -> Vec<FrameId> {
        let mut asked = Vec::new();
        for (frame, id) in self.slots.iter_mut().zip((0..).map(FrameId)).filter(|(frame, _)| frame.op != 0) {
            if let Wait::Command(Command::Invoke(invocation)) = &mut frame.wait {
                std::sync::Arc::make_mut(invocation).issued = now;
                asked.push(id);
            }
            if let Wait::Command(Command::Call(call)) = &mut frame.wait {
                std::sync::Arc::make_mut(call).issued = now;
                asked.push(id);
            }
        }
        asked
    }

    /// Whether there is none, also none that runs.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// How many slots there are, in use or not.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// The frames that wait, in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = (FrameId, &Frame)> {
        let ids = (0..).map(FrameId);
        ids.zip(&self.slots).filter(|(_, frame)| frame.op != 0)
    }

    /// Makes a frame and puts it into its parent's list.
    pub fn add(&mut self, parent: FrameId, index: u32, item: Option<Value>) -> FrameId {
        let mut frame = Frame::new(parent, index, item);
        if parent != NONE {
            let above = self.get(parent);
            (frame.state, frame.entered, frame.retries, frame.steps) =
                (above.state, above.entered, above.retries, above.steps);
        }
        let id = match self.free.pop_first() {
            Some(id) => {
                *self.get_mut(id) = frame;
                id
            }
            None => {
                if self.slots.is_empty() {
                    // Most executions have one frame for most of their time.
                    self.slots.reserve_exact(1);
                }
                self.slots.push(frame);
                FrameId(self.slots.len() as u32 - 1)
            }
        };
        self.link(id);
        id
    }

    /// The table as it was saved: slots in their places, lists to be made anew.
    pub fn restored(slots: Vec<Option<Frame>>) -> Frames {
        let mut frames = Frames::default();
        for (slot, id) in slots.into_iter().zip((0..).map(FrameId)) {
            frames.slots.push(slot.unwrap_or_else(|| {
                frames.free.insert(id);
                Frame::new(NONE, 0, None)
            }));
        }
        let used = (0..frames.slots.len() as u32).map(FrameId).filter(|id| !frames.free.contains(id));
        let mut used: Vec<FrameId> = used.collect();
        // As they were started, so that they are cancelled in the same order.
        used.sort_by_key(|id| frames.get(*id).index);
        for id in used {
            frames.link(id);
            let Frame { parent, held, .. } = *frames.get(id);
            if held
                && parent != NONE
                && let Wait::Children(join) = &mut frames.get_mut(parent).wait
            {
                join.holding = true;
            }
        }
        frames.trim();
        frames
    }

    /// A table with the top level only.
    pub fn of_root(root: Frame) -> Frames {
        Frames { slots: vec![root], free: BTreeSet::new() }
    }

    fn link(&mut self, id: FrameId) {
        let parent = self.get(id).parent;
        if parent == NONE {
            return;
        }
        let first = std::mem::replace(&mut self.get_mut(parent).first_child, id);
        let frame = self.get_mut(id);
        (frame.previous, frame.next) = (NONE, first);
        if first != NONE {
            self.get_mut(first).previous = id;
        }
    }

    fn unlink(&mut self, id: FrameId) {
        let Frame { parent, previous, next, .. } = *self.get(id);
        if previous != NONE {
            self.get_mut(previous).next = next;
        } else if parent != NONE {
            self.get_mut(parent).first_child = next;
        }
        if next != NONE {
            self.get_mut(next).previous = previous;
        }
    }

    /// Frees a frame that has no children. `true` if the one above has changed: where a branch enters no states of its own,
    /// its tries are those of the state that is in it.
    pub fn remove(&mut self, id: FrameId) -> bool {
        self.unlink(id);
        let Frame { parent, visit, retries, .. } = *self.get(id);
        *self.get_mut(id) = Frame::new(NONE, 0, None);
        self.free.insert(id);
        let above = Some(parent).filter(|parent| visit == 0 && *parent != NONE).map(|parent| self.get_mut(parent));
        let changed = above.filter(|above| above.retries < retries).map(|above| above.retries = retries);
        self.trim();
        changed.is_some()
    }

    /// Gives back the places at the end that are not in use.
    fn trim(&mut self) {
        while self.free.last().is_some_and(|last| last.0 as usize + 1 == self.slots.len()) {
            self.free.pop_last();
            self.slots.pop();
        }
        if self.slots.capacity() > 64 && self.slots.len() < self.slots.capacity() / 4 {
            self.slots.shrink_to(self.slots.capacity() / 2);
        }
    }

    /// Frees all frames beneath `id`, and tells of each. Deep trees cost no stack.
    pub fn remove_children(&mut self, id: FrameId, mut removed: impl FnMut(FrameId, &Frame)) {
        let mut at = id;
        loop {
            let child = self.get(at).first_child;
            if child != NONE {
                at = child;
                continue;
            }
            if at == id {
                return;
            }
            let parent = self.get(at).parent;
            removed(at, self.get(at));
            self.remove(at);
            at = parent;
        }
    }
}

impl Frame {
    pub(super) fn new(parent: FrameId, index: u32, item: Option<Value>) -> Frame {
        Frame {
            wait: Wait::Nothing,
            op: 0,
            parent,
            index,
            first_child: NONE,
            next: NONE,
            previous: NONE,
            item,
            state: "",
            visit: 0,
            entered: Timestamp::default(),
            retries: 0,
            actions: 0,
            steps: 0,
            held: false,
            token: None,
            failed: None,
        }
    }
}
