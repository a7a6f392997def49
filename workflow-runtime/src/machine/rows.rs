//! Executions as rows, for engines that store them: one row per frame, so that a turn rewrites
//! only what moved.
//!
//! A value of more than a kilobyte has a row of its own, however many frames refer to it. The
//! output of a child whose siblings still run has a row, too. Rows are untrusted input: restoring
//! checks that the workflow could have stored them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::command::{FrameId, Op};
use super::core::Core;
use super::definition::Definition;
use super::events::Inbox;
use super::exec::Exec;
use super::execution::Waiting;
use super::frame::{Frame, Frames, Wait};
use super::header::Header;
use super::join::Join;
use super::snapshot::{EVENTS, FORMAT, check, load_state, save_state};
use super::tracker::Tracker;
use super::turn::Turn;
use super::{Machine, tracker};
use crate::event::CloudEvent;
use crate::time::Timestamp;
use crate::value::Value;
use crate::value::codec::{LoadError, Reader, Uses, ValueTable};

/// A part of an execution that is stored by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// The constant part: the workflow, and the parameters of the start.
    Header,
    /// The part that every turn changes: the time and the counters.
    Progress,
    /// A frame, with its state and the command that it waits for.
    Frame(FrameId),
    /// The output of a child that has ended.
    Output {
        /// The frame that waits for the child and its siblings.
        of: FrameId,
        /// The index of the child.
        index: u32,
    },
    /// An event of the inbox.
    Event(u64),
    /// A shared value, which rows refer to.
    Shared(u64),
}

/// A row with its bytes.
pub type StoredRow = (Row, Vec<u8>);

/// The changes of an execution since the last report.
#[derive(Debug, Default)]
pub struct Changes {
    /// Frames whose [`Row::Output`]s are all removed. An engine applies this first.
    pub joined: Vec<FrameId>,
    /// Rows to write; `None` for a row to remove.
    pub rows: Vec<(Row, Option<Vec<u8>>)>,
    /// The waits of the frames whose rows are written, in the order of the rows.
    pub waiting: Vec<Waiting>,
    /// The number of the last operation that was stored before. The commands of operations up to
    /// this number were issued earlier, and their rows are only rewritten.
    pub issued_before: u64,
}

impl Changes {
    /// Returns `true` if nothing has changed.
    pub fn is_empty(&self) -> bool {
        self.joined.is_empty() && self.rows.is_empty()
    }

    /// Applies the changes to a set of rows.
    pub fn apply(self, rows: &mut BTreeMap<Row, Vec<u8>>) {
        rows.retain(|row, _| !matches!(row, Row::Output { of, .. } if self.joined.contains(of)));
        for (row, bytes) in self.rows {
            match bytes {
                Some(bytes) => drop(rows.insert(row, bytes)),
                None => drop(rows.remove(&row)),
            }
        }
    }
}

impl<M: Machine> Exec<M> {
    /// Creates a change tracker for which everything has changed.
    fn tracker(&self) -> Box<Tracker> {
        let mut tracker = Box::<Tracker>::default();
        tracker.moved.extend(self.turn.frames.iter().map(|(id, _)| id));
        for (id, frame) in self.turn.frames.iter() {
            if let Wait::Children(join) = &frame.wait {
                let running: BTreeSet<u32> = self.turn.frames.children(id).map(|(_, child)| child.index).collect();
                let ended = (0..join.started()).filter(|index| !running.contains(index));
                // Only the number of failed children matters, so that any of them stands for the
                // failures.
                tracker.outputs.extend(ended.enumerate().map(|(at, index)| (id, index, at < join.failed as usize)));
            }
        }
        tracker.events.extend(self.turn.inbox().into_iter().flat_map(Inbox::iter).map(|(number, _)| *number));
        tracker
    }

    /// Returns the changes since the last call. The first call starts change tracking.
    pub(super) fn take_changes(&mut self) -> Changes {
        let mut tracker = self.turn.tracker.take().unwrap_or_else(|| self.tracker());
        let changes = self.changes_since(&mut tracker);
        self.turn.tracker = Some(tracker);
        changes
    }

    fn changes_since(&self, tracker: &mut tracker::Tracker) -> Changes {
        let core: &Core = &self.turn;
        let issued_before = std::mem::replace(&mut tracker.issued, core.header.last_op);
        let mut changes = Changes { issued_before, ..Changes::default() };
        if !std::mem::replace(&mut tracker.has_header, true) {
            let header = tracker.write(Row::Header, |w| core.header.save_fixed(w));
            changes.rows.push((Row::Header, Some(header)));
        }
        changes.joined = std::mem::take(&mut tracker.joined);
        changes.joined.sort_unstable();
        changes.joined.dedup();
        // New rows are written before old rows are released, so that values which both refer to
        // remain.
        let mut moved = std::mem::take(&mut tracker.moved);
        moved.sort_unstable();
        moved.dedup();
        let mut removed = Vec::new();
        for id in moved {
            let row = Row::Frame(id);
            let state = self.states.get(id.0 as usize).and_then(Option::as_ref);
            let Some((state, frame)) = state.zip(core.frames.used(id)) else {
                removed.push(row);
                continue;
            };
            let bytes = tracker.write(row, |w| {
                frame.save(w, false);
                save_state(state, w);
            });
            changes.rows.push((row, Some(bytes)));
            changes.waiting.push(core.waiting(id, frame, state.point().name));
        }
        let outputs = std::mem::take(&mut tracker.outputs);
        let mut written = Vec::with_capacity(outputs.len());
        for (of, index, failed) in outputs {
            let Some(Frame { wait: Wait::Children(join), .. }) = core.frames.used(of) else { continue };
            let Some(output) = join.results.get(index as usize) else { continue };
            written.push((Row::Output { of, index }, failed, output));
        }
        // Outputs of an earlier visit have the same keys, and are released first.
        for frame in &changes.joined {
            tracker.release_outputs(*frame);
        }
        for (row, failed, output) in written {
            let bytes = tracker.write(row, |w| {
                w.put(&failed);
                w.put(output);
            });
            changes.rows.push((row, Some(bytes)));
        }
        let mut events = std::mem::take(&mut tracker.events);
        events.sort_unstable();
        events.dedup();
        for number in events {
            let row = Row::Event(number);
            match core.inbox().and_then(|inbox| inbox.get(number)) {
                Some(event) => {
                    let bytes = tracker.write(row, |w| w.put(event));
                    changes.rows.push((row, Some(bytes)));
                }
                None => removed.push(row),
            }
        }
        for row in removed {
            tracker.release(row);
            changes.rows.push((row, None));
        }
        let progress = tracker.write(Row::Progress, |w| {
            core.header.save_progress(w);
            w.put(&core.inbox().map_or(0, Inbox::next));
        });
        changes.rows.push((Row::Progress, Some(progress)));
        let (fresh, unused) = tracker.shared_values.changes();
        changes.rows.extend(fresh.into_iter().map(|(number, bytes)| (Row::Shared(number), Some(bytes))));
        changes.rows.extend(unused.into_iter().map(|number| (Row::Shared(number), None)));
        changes
    }

    /// Restores an execution that was stored row by row.
    pub fn restore(definition: &'static Definition, rows: &[StoredRow]) -> Result<Exec<M>, LoadError> {
        let mut sorted: BTreeMap<Row, &[u8]> = BTreeMap::new();
        for (row, bytes) in rows {
            if sorted.insert(*row, bytes).is_some() {
                return Err(LoadError::new(format!("duplicate row {row:?}")));
            }
        }
        let mut shared = BTreeMap::new();
        for (row, bytes) in &sorted {
            if let Row::Shared(number) = row {
                shared.insert(*number, *bytes);
            }
        }
        let shared_values = ValueTable::load(&shared)?;
        let mut loading = Loading { rows: sorted, shared_values, uses: BTreeMap::new() };
        let mut header = loading.read(Row::Header, |r| Header::load_fixed(definition, r))?;
        let next_event = loading.read(Row::Progress, |r| {
            header.load_progress(r)?;
            if header.format >= EVENTS { r.take() } else { Ok(0) }
        })?;
        let inbox = Inbox::restored(next_event, loading.events()?)?;
        let mut frames: Vec<Option<Frame>> = Vec::new();
        let mut states: Vec<Option<M>> = Vec::new();
        for id in loading.frames(header.last_op)? {
            let (frame, state) = loading.read(Row::Frame(id), |r| {
                let frame = Frame::load(&header, r, false)?;
                Ok((frame, load_state::<M>(definition, r)?))
            })?;
            let at = id.0 as usize;
            frames.resize_with(at + 1, || None);
            states.resize_with(at + 1, || None);
            (frames[at], states[at]) = (Some(frame), Some(state));
        }
        loading.outputs(&mut frames)?;
        check(&frames, &header, false, false)?;
        let Loading { mut shared_values, uses, .. } = loading;
        shared_values.sweep();
        let is_old = header.format < FORMAT;
        let mut core = Core::new(header, Vec::new());
        core.frames = Frames::restored(frames);
        core.restore_inbox(inbox);
        let mut tracker = Tracker::loaded(shared_values, uses, core.header.last_op);
        if is_old {
            // Everything is rewritten in the current format: the header has a single version.
            tracker.has_header = false;
            tracker.moved.extend(core.frames.iter().map(|(id, _)| id));
        }
        core.tracker = Some(Box::new(tracker));
        core.reissue();
        Ok(Exec { turn: Turn::new(core), states, entries: Vec::new() })
    }
}

/// The rows of an execution that is being restored.
struct Loading<'a> {
    rows: BTreeMap<Row, &'a [u8]>,
    shared_values: ValueTable,
    uses: BTreeMap<Row, Uses>,
}

impl Loading<'_> {
    fn read<T>(
        &mut self,
        row: Row,
        read: impl FnOnce(&mut Reader<'_>) -> Result<T, LoadError>,
    ) -> Result<T, LoadError> {
        let Some(bytes) = self.rows.get(&row) else {
            return Err(LoadError::new(format!("the row {row:?} is missing")));
        };
        let mut r = Reader::sharing(bytes, &self.shared_values);
        let part = read(&mut r)?;
        let uses = r.finish_sharing()?;
        if !uses.is_empty() {
            self.shared_values.refer(&uses);
            self.uses.insert(row, uses);
        }
        Ok(part)
    }

    /// Returns the frames. A frame table can have many more slots than frames, but no more than
    /// operations were issued.
    fn frames(&self, last_op: u64) -> Result<Vec<FrameId>, LoadError> {
        const MAX_SLOTS: u64 = 1 << 24;
        let frame = |row: &Row| match row {
            Row::Frame(id) => Some(*id),
            _ => None,
        };
        let frames: Vec<FrameId> = self.rows.keys().filter_map(frame).collect();
        match frames.last() {
            Some(last) if u64::from(last.0) >= MAX_SLOTS.min(last_op) => {
                Err(LoadError::new(format!("the execution cannot have a frame {}", last.0)))
            }
            _ => Ok(frames),
        }
    }

    /// Returns the events of the inbox, in order.
    fn events(&mut self) -> Result<Vec<(u64, CloudEvent)>, LoadError> {
        let number = |row: &Row| match row {
            Row::Event(number) => Some(*number),
            _ => None,
        };
        let numbers: Vec<u64> = self.rows.keys().filter_map(number).collect();
        numbers.into_iter().map(|number| Ok((number, self.read(Row::Event(number), |r| r.take())?))).collect()
    }

    /// Fills the joins with the outputs of children that have ended, and determines which children
    /// still run.
    fn outputs(&mut self, frames: &mut [Option<Frame>]) -> Result<(), LoadError> {
        let mut running: HashMap<FrameId, u32> = HashMap::new();
        for frame in frames.iter().flatten() {
            *running.entry(frame.parent).or_default() += 1;
        }
        let mut ended: HashMap<FrameId, Vec<(u32, bool, Value)>> = HashMap::new();
        let rows: Vec<Row> = self.rows.keys().filter(|row| matches!(row, Row::Output { .. })).copied().collect();
        for row in rows {
            let Row::Output { of, index } = row else { continue };
            let (failed, output) = self.read(row, |r| Ok((r.take()?, r.take()?)))?;
            ended.entry(of).or_default().push((index, failed, output));
        }
        for (frame, at) in frames.iter_mut().zip((0..).map(FrameId)) {
            if let Some(Frame { wait: Wait::Children(join), .. }) = frame {
                join.restore(running.get(&at).copied().unwrap_or(0), ended.remove(&at).unwrap_or_default())?;
            }
        }
        match ended.is_empty() {
            true => Ok(()),
            false => Err(LoadError::new("no frame waits for an output")),
        }
    }
}

impl Join {
    /// Restores the children of a join: how many still run, and the outputs of those that have
    /// ended.
    fn restore(&mut self, running: u32, ended: Vec<(u32, bool, Value)>) -> Result<(), LoadError> {
        let wrong = || LoadError::new("the outputs of branches do not match the branches");
        let started = u32::try_from(ended.len()).ok().and_then(|ended| ended.checked_add(running)).ok_or_else(wrong)?;
        if started > self.total {
            return Err(wrong());
        }
        self.running = running;
        self.results = vec![Value::Null; started as usize];
        for (index, failed, output) in ended {
            *self.results.get_mut(index as usize).ok_or_else(wrong)? = output;
            self.failed += u32::from(failed);
        }
        Ok(())
    }
}

impl Core {
    /// Issues the invocations that the execution waits for again. Their time-outs begin now.
    pub(super) fn reissue_invocations(&mut self, now: Timestamp) {
        for frame in self.frames.reissue_invocations(now) {
            self.track(|tracker| tracker.moved(frame));
        }
    }

    /// Records that a task which is awaited by its token has returned, so that it is not invoked
    /// again. A terminating execution no longer waits for it.
    pub(super) fn mark_handed_over(&mut self, op: Op) {
        if self.frames.hand_over(op) {
            self.track(|tracker| tracker.moved(op.frame));
            if self.header.is_terminating() {
                self.cancel(op);
                self.drained(op.frame);
            }
        }
    }

    /// Calls `note` with the tracker, if changes are tracked.
    #[inline]
    pub(super) fn track(&mut self, note: impl FnOnce(&mut Tracker)) {
        if let Some(tracker) = &mut self.tracker {
            note(tracker);
        }
    }
}
