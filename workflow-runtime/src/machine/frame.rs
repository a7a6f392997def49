//! The frames of an execution: a table whose lowest free slot is used first, and lists of
//! children, so that a frame is cancelled with its descendants without a search. Nothing here
//! depends on the state enum.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::command::{Command, FrameId, Op};
use super::join::Join;
use crate::fault::Fault;
use crate::growth;
use crate::time::Timestamp;
use crate::value::{Str, Value};

/// No frame: the parent of the top level, and the end of a list.
pub(super) const NONE: FrameId = FrameId(u32::MAX);

/// The top level.
pub(super) const ROOT: FrameId = FrameId(0);

/// A frame, without its state.
#[derive(Debug)]
pub(super) struct Frame {
    /// The awaited command or children.
    pub wait: Wait,
    /// The operation it waits for; 0 while it runs, and in a free slot.
    pub op: u64,
    /// The frame it is a branch or iteration of.
    pub parent: FrameId,
    /// The index of the branch or iteration.
    pub index: u32,
    /// The newest of its children, and its neighbours in its parent's list.
    pub first_child: FrameId,
    pub next: FrameId,
    pub previous: FrameId,
    /// The item of an iteration.
    pub item: Option<Value>,
    /// The authored state that it is in. A frame that has entered none has its parent's.
    pub state: &'static str,
    /// The number of its visit to that state; 0 if it has entered none.
    pub visit: u64,
    /// The time at which it entered the state.
    pub entered: Timestamp,
    /// The number of retries of the state.
    pub retries: u32,
    /// The number of calls that the state has made and events that it has published. Starting
    /// branches counts as one call.
    pub actions: u32,
    /// The number of states entered since the last wait, along the longest path.
    pub steps: u32,
    /// Set if the frame is an iteration whose start is delayed.
    pub is_delayed: bool,
    /// Set in a free slot.
    pub is_free: bool,
    /// The task token of the state's invocation.
    pub token: Option<Box<Str>>,
    /// The fault that the state handles. Only kept for observers.
    pub failed: Option<Fault>,
}

/// The wait of a frame.
#[derive(Debug)]
pub(super) enum Wait {
    /// No wait: the frame runs, or its slot is free.
    Nothing,
    Command(Command),
    Children(Box<Join>),
    /// A terminating execution waits for the descendants to end. Their outputs are discarded.
    Draining,
}

/// The frames of an execution.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// The table. Its last slot is in use.
    slots: Vec<Frame>,
    /// The free slots, unless there are none.
    free: Option<Box<Free>>,
}

/// The free slots.
#[derive(Debug, Default)]
struct Free {
    /// The numbers of slots that became free, and perhaps are no longer. The lowest free slot is
    /// used first, so that numbering is the same after saving and loading.
    freed: BinaryHeap<Reverse<FrameId>>,
    /// The number of free slots.
    count: usize,
}

impl Frames {
    /// Returns a frame. The number must come from this table.
    pub fn get(&self, id: FrameId) -> &Frame {
        &self.slots[id.0 as usize]
    }

    /// Returns a frame for modification, as [`Frames::get`].
    pub fn get_mut(&mut self, id: FrameId) -> &mut Frame {
        &mut self.slots[id.0 as usize]
    }

    /// Returns the visit to the state that a frame is in. A branch that has entered none has the
    /// visit of its parent.
    pub fn visit(&self, id: FrameId) -> u64 {
        let above = |frame: &&Frame| Some(frame.parent).filter(|parent| *parent != NONE).map(|parent| self.get(parent));
        let frames = std::iter::successors(Some(self.get(id)), above);
        frames.map(|frame| frame.visit).find(|visit| *visit != 0).unwrap_or(0)
    }

    /// Returns the frame that waits for this operation, if one does.
    pub fn waiting(&self, op: Op) -> Option<&Frame> {
        self.slots.get(op.frame.0 as usize).filter(|frame| frame.op == op.id && op.id != 0)
    }

    /// Returns the frame that waits for this operation for modification, as [`Frames::waiting`].
    pub fn waiting_mut(&mut self, op: Op) -> Option<&mut Frame> {
        self.slots.get_mut(op.frame.0 as usize).filter(|frame| frame.op == op.id && op.id != 0)
    }

    /// Returns the frame if it waits.
    pub fn used(&self, id: FrameId) -> Option<&Frame> {
        self.slots.get(id.0 as usize).filter(|frame| frame.op != 0)
    }

    /// Returns the children of a frame, the newest first.
    pub fn children(&self, id: FrameId) -> impl Iterator<Item = (FrameId, &Frame)> {
        let some = |id: FrameId| Some(id).filter(|id| *id != NONE);
        let ids = std::iter::successors(some(self.get(id).first_child), move |id| some(self.get(*id).next));
        ids.map(|id| (id, self.get(id)))
    }

    /// Records that a task has returned whose outcome arrives by its token. Returns `false` if no
    /// frame waits for it.
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

    /// Restarts the time-outs of all awaited invocations. Returns their frames.
    pub fn reissue_invocations(&mut self, now: Timestamp) -> Vec<FrameId> {
        let mut reissued = Vec::new();
        for (frame, id) in self.slots.iter_mut().zip((0..).map(FrameId)).filter(|(frame, _)| frame.op != 0) {
            if let Wait::Command(Command::Invoke(invocation)) = &mut frame.wait {
                std::sync::Arc::make_mut(invocation).issued = now;
                reissued.push(id);
            }
            if let Wait::Command(Command::Call(call)) = &mut frame.wait {
                std::sync::Arc::make_mut(call).issued = now;
                reissued.push(id);
            }
        }
        reissued
    }

    /// Returns an empty table with the memory of one frame.
    pub fn cleared(mut self) -> Frames {
        self.slots.clear();
        self.slots.shrink_to(1);
        Frames { slots: self.slots, free: None }
    }

    /// Returns `true` if there are no frames, neither waiting nor running.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Returns the number of slots, free or in use.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns the frames that wait, in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = (FrameId, &Frame)> {
        let ids = (0..).map(FrameId);
        ids.zip(&self.slots).filter(|(_, frame)| frame.op != 0)
    }

    /// Creates a frame and links it into its parent's list.
    pub fn add(&mut self, parent: FrameId, index: u32, item: Option<Value>) -> FrameId {
        let id = self.take_free().unwrap_or_else(|| {
            if self.slots.is_empty() {
                // Most executions have one frame most of the time.
                self.slots.reserve_exact(1);
            }
            self.slots.push(Frame::free());
            FrameId(self.slots.len() as u32 - 1)
        });
        let (mut state, mut entered, mut retries, mut steps) = ("", Timestamp::default(), 0, 0);
        let mut next = NONE;
        if parent != NONE {
            let above = self.get_mut(parent);
            next = std::mem::replace(&mut above.first_child, id);
            (state, entered, retries, steps) = (above.state, above.entered, above.retries, above.steps);
        }
        if next != NONE {
            self.get_mut(next).previous = id;
        }
        // A free slot has no data: what is not set here is as in a new frame.
        let frame = self.get_mut(id);
        (frame.is_free, frame.parent, frame.index, frame.item, frame.next) = (false, parent, index, item, next);
        (frame.state, frame.entered, frame.retries, frame.steps) = (state, entered, retries, steps);
        id
    }

    /// Takes the lowest free slot.
    #[inline]
    fn take_free(&mut self) -> Option<FrameId> {
        let free = self.free.as_mut()?;
        while let Some(Reverse(id)) = free.freed.pop() {
            if self.slots.get(id.0 as usize).is_some_and(|slot| slot.is_free) {
                self.used_free_slots(1);
                return Some(id);
            }
        }
        None
    }

    /// Records that fewer slots are free.
    fn used_free_slots(&mut self, slots: usize) {
        if let Some(free) = &mut self.free {
            free.count -= slots;
            match free.count {
                0 if self.slots.len() <= 1 => self.free = None,
                0 => free.freed.clear(),
                _ => {}
            }
        }
    }

    /// Records that the slot is free.
    fn free_slot(&mut self, id: FrameId) {
        let free = self.free.get_or_insert_default();
        if free.freed.is_empty() {
            free.freed.reserve(self.slots.len().min(64));
        }
        free.freed.push(Reverse(id));
        free.count += 1;
    }

    /// Returns the number of slots that fit without an allocation.
    pub fn capacity(&self) -> usize {
        self.slots.capacity()
    }

    /// Reserves the slots of children that start one after the other.
    pub fn reserve(&mut self, children: usize) {
        let free = self.free.as_ref().map_or(0, |free| free.count);
        let needed = self.slots.len() + children.saturating_sub(free);
        let capacity = self.slots.capacity();
        if needed > capacity {
            growth::enlarge(&mut self.slots, needed.max(2 * capacity));
        }
    }

    /// Restores a table that was saved: the slots keep their numbers, and the lists are rebuilt.
    pub fn restored(slots: Vec<Option<Frame>>) -> Frames {
        let mut frames = Frames::default();
        for (slot, id) in slots.into_iter().zip((0..).map(FrameId)) {
            let is_free = slot.is_none();
            frames.slots.push(slot.unwrap_or_else(Frame::free));
            if is_free {
                frames.free_slot(id);
            }
        }
        let used = (0..frames.slots.len() as u32).map(FrameId).filter(|id| !frames.get(*id).is_free);
        let mut used: Vec<FrameId> = used.collect();
        // In the order of their starts, so that they are cancelled in the same order.
        used.sort_by_key(|id| frames.get(*id).index);
        for id in used {
            frames.link(id);
            let Frame { parent, is_delayed, .. } = *frames.get(id);
            if is_delayed
                && parent != NONE
                && let Wait::Children(join) = &mut frames.get_mut(parent).wait
            {
                join.is_start_delayed = true;
            }
        }
        frames.trim();
        frames
    }

    /// Creates a table with the top level only.
    pub fn of_root(root: Frame) -> Frames {
        Frames { slots: vec![root], ..Frames::default() }
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

    /// Frees a frame that has no children. Returns `true` if its parent has changed: the retries
    /// of a branch that enters no states of its own are those of the parent's state.
    pub fn remove(&mut self, id: FrameId) -> bool {
        self.unlink(id);
        let Frame { parent, visit, retries, .. } = *self.get(id);
        if id.0 as usize + 1 == self.slots.len() {
            self.slots.truncate(id.0 as usize);
            self.trim();
        } else {
            self.get_mut(id).clear();
            self.free_slot(id);
        }
        let above = Some(parent).filter(|parent| visit == 0 && *parent != NONE).map(|parent| self.get_mut(parent));
        let changed = above.filter(|above| above.retries < retries).map(|above| above.retries = retries);
        changed.is_some()
    }

    /// Removes the free slots at the end.
    fn trim(&mut self) {
        while self.slots.last().is_some_and(|last| last.is_free) {
            self.slots.truncate(self.slots.len() - 1);
            self.used_free_slots(1);
        }
        if let Some(free) = &mut self.free
            && free.freed.len() > 2 * free.count + 64
        {
            let slots = self.slots.iter().zip((0..).map(FrameId)).filter(|(slot, _)| slot.is_free);
            free.freed = slots.map(|(_, id)| Reverse(id)).collect();
        }
        if self.slots.capacity() > 64 && self.slots.len() < self.slots.capacity() / 4 {
            self.slots.shrink_to(self.slots.capacity() / 2);
        }
    }

    /// Frees all descendants of `id`, and calls `removed` for each. Deep trees cost no stack.
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
            is_delayed: false,
            is_free: false,
            token: None,
            failed: None,
        }
    }

    /// Creates a free slot.
    fn free() -> Frame {
        Frame { is_free: true, ..Frame::new(NONE, 0, None) }
    }

    /// Makes the slot of a frame that has ended a free one, and drops its data.
    fn clear(&mut self) {
        self.wait = Wait::Nothing;
        self.op = 0;
        (self.parent, self.first_child, self.next, self.previous) = (NONE, NONE, NONE, NONE);
        self.item = None;
        (self.visit, self.actions) = (0, 0);
        self.is_delayed = false;
        self.token = None;
        self.failed = None;
        self.is_free = true;
    }
}
