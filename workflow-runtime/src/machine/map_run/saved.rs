//! Snapshots of a run. A snapshot is untrusted input.

use std::sync::Arc;

use super::children::bytes_of;
use super::failed::{ChildQueue, FailedChild, QueueChunk};
use super::inputs::Inputs;
use super::items::{Cursor, ItemQueue};
use super::redriving::PendingFrom;
use super::results::Chunk;
use super::settings::{MAX_CONCURRENCY, Settings};
use super::{MapCounts, MapRun, MapUpdate, ROOT_OP, target};
use crate::fault::Fault;
use crate::machine::call::Call;
use crate::machine::command::{Command, FrameId};
use crate::machine::core::Core;
use crate::machine::execution::Program;
use crate::machine::frame::{Frame, Frames, NONE, ROOT, Wait};
use crate::machine::header::Header;
use crate::machine::snapshot::{COUNT_LIMIT, load_result, save_result};
use crate::value::Value;
use crate::value::codec::{Load, LoadError, Reader, Save, Writer};

/// The first number of a snapshot of a run, in place of the version of other snapshots.
pub(super) const FORMAT: u64 = 0x4d41_5000_0001;

/// Returns `true` for a snapshot of a run.
pub(in crate::machine) fn is_snapshot(snapshot: &[u8]) -> bool {
    Reader::new(snapshot).u64().is_ok_and(|format| format == FORMAT)
}

/// The most frames of a run: those of its children at once, and a few. Free ones are used again.
const FRAMES: u32 = 2 * MAX_CONCURRENCY as u32;

/// The part of a run that each turn changes, besides children and results.
pub(super) struct RunProgress {
    pub cursor: Cursor,
    pub counts: MapCounts,
    pub failing: Option<Fault>,
    pub updated: MapUpdate,
    pub is_checked: bool,
    /// The number of failed children that were not kept for a redrive.
    pub lost: u64,
    pub pending_from: Option<PendingFrom>,
    /// The number of the first child whose result is in the run, and of the next child.
    pub first: u64,
    pub next: u64,
}

/// The results of a run: the state of the writer, and those that are in no file.
#[derive(Debug, Default)]
pub(super) struct SavedResults {
    pub written: Value,
    pub chunks: Vec<Chunk>,
    /// The children that have failed, and those that are to be started again.
    pub failed: Vec<QueueChunk>,
    pub again: Vec<QueueChunk>,
}

/// A child in flight.
pub(super) struct Child {
    pub frame: FrameId,
    pub op: u64,
    pub number: u32,
    pub call: Call,
}

impl MapRun {
    pub(super) fn snapshot(&self) -> Vec<u8> {
        let mut w = Writer::new();
        w.u64(FORMAT);
        self.save_map(&mut w);
        self.core.header.save(&mut w);
        save_result(self.core.result.as_ref(), &mut w);
        if self.core.result.is_none() {
            w.put(&self.settings.all);
            w.put(&self.progress());
            w.put(&self.written);
            let chunks: Vec<Chunk> = self.results.chunks().collect();
            w.put(&chunks);
            w.put(&self.failed.chunks());
            w.put(&self.again.chunks());
            let children: Vec<Child> = self.children().collect();
            w.put(&children);
        }
        w.finish()
    }

    /// Saves which Map the run is of.
    pub(super) fn save_map(&self, w: &mut Writer) {
        w.put(&self.index);
        w.str(self.map.label);
    }

    /// Loads a run that was saved.
    ///
    /// # Errors
    /// No run has this snapshot.
    pub fn load(program: Program, snapshot: &[u8]) -> Result<MapRun, LoadError> {
        let mut r = Reader::new(snapshot);
        let _format = r.u64()?;
        let index = load_map(program, &mut r)?;
        let header = Header::load(program.definition, &mut r)?;
        let result = load_result(&mut r)?;
        if result.is_some() {
            let progress = RunProgress::default();
            let results = SavedResults::default();
            let mut run = MapRun::restored(program, index, header, Value::Null, progress, results, Vec::new())?;
            r.finish()?;
            run.core.frames = Frames::default();
            run.core.work.clear();
            run.core.result = result;
            return Ok(run);
        }
        let (settings, progress, written) = (r.take()?, r.take()?, r.take()?);
        let chunks = r.take()?;
        let (failed, again) = (r.take()?, r.take()?);
        let children = r.take()?;
        r.finish()?;
        let results = SavedResults { written, chunks, failed, again };
        MapRun::restored(program, index, header, settings, progress, results, children)
    }

    /// Returns the part that each turn changes.
    pub(super) fn progress(&self) -> RunProgress {
        RunProgress {
            cursor: self.inputs.cursor.clone(),
            counts: self.counts,
            failing: self.failing.clone(),
            updated: self.updated,
            lost: self.lost,
            pending_from: self.pending_from.clone(),
            is_checked: self.is_checked,
            first: self.results.first(),
            next: self.results.next(),
        }
    }

    /// Returns the children in flight.
    fn children(&self) -> impl Iterator<Item = Child> {
        self.core.frames.iter().filter_map(|(id, _)| self.child(id))
    }

    /// Returns the child of a frame.
    pub(super) fn child(&self, frame: FrameId) -> Option<Child> {
        let Frame { op, index, wait: Wait::Command(Command::Call(call)), .. } = self.core.frames.used(frame)? else {
            return None;
        };
        Some(Child { frame, op: *op, number: *index, call: (**call).clone() })
    }

    /// Restores a run from its parts.
    ///
    /// # Errors
    /// No run has these parts.
    pub(super) fn restored(
        program: Program,
        index: u32,
        header: Header,
        settings: Value,
        progress: RunProgress,
        results: SavedResults,
        children: Vec<Child>,
    ) -> Result<MapRun, LoadError> {
        let Some(map) = program.definition.maps.get(index as usize) else {
            return Err(LoadError::new(format!("the workflow has no distributed Map {index}")));
        };
        progress.check()?;
        let RunProgress { cursor, counts, failing, updated, is_checked, lost, pending_from, first, next } = progress;
        let SavedResults { written, chunks, failed, again } = results;
        let (failed, again) = (ChildQueue::restored(failed)?, ChildQueue::restored(again)?);
        // Those that are to be started again have places without a result, or no place.
        let waiting = again.iter().filter(|child| child.number >= first).count() as u64;
        let results: u64 = chunks.iter().map(Chunk::len).sum();
        let count = children.len() as u64;
        let (places, known) = (next.checked_sub(first), results.saturating_add(count).saturating_add(waiting));
        // A run that terminates forgets the children that end, and they have no results.
        let forgotten = if header.is_terminating() { MAX_CONCURRENCY } else { 0 };
        let is_counted = places.is_some_and(|all| known <= all && all - known <= forgotten);
        if !is_counted || header.last_op > COUNT_LIMIT || next > u64::from(u32::MAX) {
            return Err(LoadError::new("the results of a Map run do not match its children"));
        }
        let mut frames: Vec<Option<Frame>> = Vec::new();
        let mut root = Frame::new(NONE, 0, None);
        (root.op, root.state) = (ROOT_OP.id, map.state);
        if header.is_terminating() {
            root.wait = Wait::Draining;
        }
        frames.push(Some(root));
        let (mut ops, mut numbers) = (Vec::with_capacity(children.len()), Vec::with_capacity(children.len()));
        let mut bytes_in_flight = 0_u64;
        for Child { frame, op, number, call } in children {
            let at = frame.0 as usize;
            // Frames that read and write, and frames that have ended, leave free slots.
            let is_free = !matches!(frames.get(at), Some(Some(_))) && frame.0 < FRAMES;
            let is_known = call.target == target(map) && (first..next).contains(&u64::from(number));
            if !is_free || !is_known || op <= ROOT_OP.id || op > header.last_op {
                return Err(LoadError::new("a child of a Map run is not one that the run has started"));
            }
            if frames.len() <= at {
                frames.resize_with(at + 1, || None);
            }
            bytes_in_flight = bytes_in_flight.saturating_add(bytes_of(&call.input));
            let mut child = Frame::new(ROOT, number, None);
            (child.op, child.state, child.wait) = (op, map.state, Wait::Command(Command::Call(Arc::new(call))));
            frames[at] = Some(child);
            ops.push(op);
            numbers.push(u64::from(number));
        }
        numbers.extend(again.iter().chain(failed.iter()).map(|child| child.number));
        if !are_distinct(ops) || !are_distinct(numbers) {
            return Err(LoadError::new("two children of a Map run have one operation or number"));
        }
        let mut core = Core::new(header, Vec::new());
        core.frames = Frames::restored(frames);
        let settings = Settings::new(settings);
        let mut run = MapRun::new(core, program, map, index, settings, cursor.clone(), first);
        run.items = ItemQueue::new(run.map, &run.settings, cursor.clone());
        run.inputs = Inputs::new(cursor);
        (run.counts, run.written, run.failing, run.in_flight) = (counts, written, failing, count);
        (run.bytes_in_flight, run.is_checked, run.updated) = (bytes_in_flight, is_checked, updated);
        run.settings.update(updated);
        (run.failed, run.again, run.lost, run.pending_from) = (failed, again, lost, pending_from);
        for chunk in chunks {
            run.results.restore(chunk, next)?;
        }
        run.results.open_until(next);
        if !run.core.frames.children(ROOT).all(|(_, frame)| run.results.is_open(frame.index.into())) {
            return Err(LoadError::new("a child of a Map run has ended"));
        }
        let MapRun { results, failed, again, .. } = &run;
        // The results of those before `first` are in files.
        let has_ended = |child: &FailedChild| child.number < next && !results.is_open(child.number);
        let is_to_start = |child: &FailedChild| child.number < first || results.is_open(child.number);
        if !failed.iter().all(has_ended) || !again.iter().all(is_to_start) {
            return Err(LoadError::new("a child of a Map run has not failed, or runs"));
        }
        run.core.reissue();
        run.advance_later();
        Ok(run)
    }
}

/// Loads the index of the Map of a run.
///
/// # Errors
/// The definition has another Map there: a version with more Maps, or in another order.
pub(super) fn load_map(program: Program, r: &mut Reader<'_>) -> Result<u32, LoadError> {
    let (index, label): (u32, &str) = (r.take()?, r.str()?);
    match program.definition.maps.get(index as usize) {
        Some(map) if map.label == label => Ok(index),
        _ => Err(LoadError::new(format!("the workflow has no distributed Map {index} with the label `{label}`"))),
    }
}

/// Returns `true` if no number is there twice.
fn are_distinct(mut numbers: Vec<u64>) -> bool {
    numbers.sort_unstable();
    numbers.windows(2).all(|pair| pair[0] < pair[1])
}

impl RunProgress {
    /// Refuses numbers that no run reaches, and that could overflow.
    fn check(&self) -> Result<(), LoadError> {
        let RunProgress { cursor, counts, .. } = self;
        let of_pending = self.pending_from.as_ref().map(|from| [from.cursor.index, from.cursor.skipped, from.number]);
        let [index, skipped, number] = of_pending.unwrap_or_default();
        let counts = [counts.pending, counts.running, counts.succeeded, counts.failed, self.lost];
        let numbers = [&counts[..], &[cursor.index, cursor.skipped]].concat();
        let numbers = [&numbers[..], &[index, skipped, number]].concat();
        match numbers.iter().all(|number| *number <= COUNT_LIMIT) {
            true => Ok(()),
            false => Err(LoadError::new("a Map run counts more items than there can be")),
        }
    }
}

impl Default for RunProgress {
    fn default() -> RunProgress {
        let (cursor, counts) = (Cursor::default(), MapCounts::default());
        RunProgress {
            cursor,
            counts,
            failing: None,
            updated: MapUpdate::default(),
            is_checked: false,
            lost: 0,
            pending_from: None,
            first: 0,
            next: 0,
        }
    }
}

impl Save for RunProgress {
    fn save(&self, w: &mut Writer) {
        w.put(&self.cursor);
        let MapCounts { pending, running, succeeded, failed } = self.counts;
        w.put(&pending);
        w.put(&running);
        w.put(&succeeded);
        w.put(&failed);
        w.put(&self.failing);
        w.put(&self.updated);
        w.put(&self.is_checked);
        w.put(&self.lost);
        w.put(&self.pending_from);
        w.put(&self.first);
        w.put(&self.next);
    }
}

impl Load for RunProgress {
    fn load(r: &mut Reader<'_>) -> Result<RunProgress, LoadError> {
        Ok(RunProgress {
            cursor: r.take()?,
            counts: MapCounts { pending: r.take()?, running: r.take()?, succeeded: r.take()?, failed: r.take()? },
            failing: r.take()?,
            updated: r.take()?,
            is_checked: r.take()?,
            lost: r.take()?,
            pending_from: r.take()?,
            first: r.take()?,
            next: r.take()?,
        })
    }
}

impl Save for Child {
    fn save(&self, w: &mut Writer) {
        w.put(&self.frame.0);
        w.put(&self.op);
        w.put(&self.number);
        w.put(&self.call);
    }
}

impl Load for Child {
    fn load(r: &mut Reader<'_>) -> Result<Child, LoadError> {
        Ok(Child { frame: FrameId(r.take()?), op: r.take()?, number: r.take()?, call: r.take()? })
    }
}
