//! A run as rows: the root's row has the cursor and the counters, each child in flight has a row,
//! the state of the writer has one, and results are stored in chunks.

use std::collections::BTreeMap;

use super::failed::QueueChunk;
use super::results::Chunk;
use super::saved::{Child, FORMAT, RunProgress, SavedResults, load_map};
use super::{MapRun, Tracker};
use crate::machine::execution::Program;
use crate::machine::frame::ROOT;
use crate::machine::header::Header;
use crate::machine::rows::{Changes, Row, StoredRow};
use crate::value::Value;
use crate::value::codec::{LoadError, Reader, Uses, ValueTable};

/// The row of the state of the writer. Chunks of results have smaller numbers.
const WRITTEN: Row = Row::Output { of: ROOT, index: u32::MAX };

/// The first rows of the children that have failed, and of those that are to be started again. A
/// run has fewer chunks of results than that.
const FAILED: u32 = 1 << 29;
const AGAIN: u32 = 1 << 30;

/// Returns `true` for the rows of a run.
pub(in crate::machine) fn has_rows(rows: &[StoredRow]) -> bool {
    rows.iter().any(|(row, bytes)| *row == Row::Header && super::is_snapshot(bytes))
}

impl MapRun {
    /// Returns the changes since the last call. The first call starts change tracking.
    pub(super) fn take_changes(&mut self) -> Changes {
        let mut tracker = self.core.tracker.take().unwrap_or_else(|| {
            let mut tracker = Box::<Tracker>::default();
            tracker.moved.extend(self.core.frames.iter().map(|(id, _)| id));
            tracker
        });
        let changes = self.changes_since(&mut tracker);
        self.core.tracker = Some(tracker);
        changes
    }

    fn changes_since(&mut self, tracker: &mut Tracker) -> Changes {
        let issued_before = std::mem::replace(&mut tracker.issued, self.core.header.last_op);
        let mut changes = Changes { issued_before, ..Changes::default() };
        let is_first = !std::mem::replace(&mut tracker.has_header, true);
        if is_first {
            let header = tracker.write(Row::Header, |w| {
                w.u64(FORMAT);
                self.save_map(w);
                self.core.header.save_fixed(w);
                w.put(&self.settings.all);
            });
            changes.rows.push((Row::Header, Some(header)));
        }
        changes.joined = std::mem::take(&mut tracker.joined);
        changes.joined.dedup();
        for frame in &changes.joined {
            tracker.release_outputs(*frame);
        }
        let mut moved = std::mem::take(&mut tracker.moved);
        moved.push(ROOT);
        moved.sort_unstable();
        moved.dedup();
        let mut removed = Vec::new();
        for id in moved {
            let row = Row::Frame(id);
            if self.core.frames.used(id).is_none() {
                removed.push(row);
                continue;
            }
            if id == ROOT {
                let progress = self.progress();
                let bytes = tracker.write(row, |w| w.put(&progress));
                changes.rows.push((row, Some(bytes)));
                changes.waiting.push(self.root_waiting());
            } else if let Some(child) = self.child(id) {
                let bytes = tracker.write(row, |w| w.put(&child));
                changes.rows.push((row, Some(bytes)));
                changes.waiting.push(self.core.waiting(id, self.core.frames.get(id), self.map.label));
            } else {
                // The frame reads or writes. Another one may have had its number.
                removed.push(row);
            }
        }
        let is_over = self.core.frames.is_empty();
        let has_new_files = std::mem::take(&mut self.has_new_files) || is_first;
        if has_new_files && self.written != Value::Null && !is_over {
            let bytes = tracker.write(WRITTEN, |w| w.put(&self.written));
            changes.rows.push((WRITTEN, Some(bytes)));
        }
        let chunks = if is_over { Vec::new() } else { self.results.changes() };
        for (chunk, results) in chunks {
            // A run has fewer than 2^32 children.
            let row = Row::Output { of: ROOT, index: chunk as u32 };
            match results {
                Some(results) => {
                    let bytes = tracker.write(row, |w| w.put(&results));
                    changes.rows.push((row, Some(bytes)));
                }
                None => removed.push(row),
            }
        }
        let (failed, again) = match is_over {
            true => Default::default(),
            false => (self.failed.changes(), self.again.changes()),
        };
        let queues =
            failed.into_iter().map(|chunk| (FAILED, chunk)).chain(again.into_iter().map(|chunk| (AGAIN, chunk)));
        for (first, (chunk, children)) in queues {
            // Each child of a run is in a queue once for each redrive, far fewer times than that.
            let row = Row::Output { of: ROOT, index: first.saturating_add(chunk as u32) };
            match children {
                Some(children) => {
                    let bytes = tracker.write(row, |w| w.put(&children));
                    changes.rows.push((row, Some(bytes)));
                }
                None => removed.push(row),
            }
        }
        for row in removed {
            tracker.release(row);
            changes.rows.push((row, None));
        }
        let progress = tracker.write(Row::Progress, |w| self.core.header.save_progress(w));
        changes.rows.push((Row::Progress, Some(progress)));
        let (fresh, unused) = tracker.shared_values.changes();
        changes.rows.extend(fresh.into_iter().map(|(number, bytes)| (Row::Shared(number), Some(bytes))));
        changes.rows.extend(unused.into_iter().map(|number| (Row::Shared(number), None)));
        changes
    }

    /// Restores a run that was stored row by row.
    ///
    /// # Errors
    /// No run has these rows.
    pub fn restore(program: Program, rows: &[StoredRow]) -> Result<MapRun, LoadError> {
        let sorted: BTreeMap<Row, &[u8]> = rows.iter().map(|(row, bytes)| (*row, &**bytes)).collect();
        if sorted.len() != rows.len() {
            return Err(LoadError::new("a Map run has a duplicate row"));
        }
        let shared = sorted.iter().filter_map(|(row, bytes)| match row {
            Row::Shared(number) => Some((*number, *bytes)),
            _ => None,
        });
        let mut shared_values = ValueTable::load(&shared.collect())?;
        let mut uses: BTreeMap<Row, Uses> = BTreeMap::new();
        let mut read = |row: Row, read: &mut dyn FnMut(&mut Reader<'_>) -> Result<(), LoadError>| {
            let bytes = sorted.get(&row).ok_or_else(|| LoadError::new(format!("the row {row:?} is missing")))?;
            let mut r = Reader::sharing(bytes, &shared_values);
            read(&mut r)?;
            let used = r.finish_sharing()?;
            if !used.is_empty() {
                shared_values.refer(&used);
                uses.insert(row, used);
            }
            Ok::<(), LoadError>(())
        };
        let (mut index, mut header, mut settings) = (0, None, Value::Null);
        read(Row::Header, &mut |r| {
            let _format = r.u64()?;
            index = load_map(program, r)?;
            header = Some(Header::load_fixed(program.definition, r)?);
            settings = r.take()?;
            Ok(())
        })?;
        let Some(mut header) = header else { return Err(LoadError::new("a Map run has no header")) };
        read(Row::Progress, &mut |r| header.load_progress(r))?;
        let mut progress = RunProgress::default();
        read(Row::Frame(ROOT), &mut |r| {
            progress = r.take()?;
            Ok(())
        })?;
        let (mut children, mut chunks): (Vec<Child>, Vec<Chunk>) = (Vec::new(), Vec::new());
        let mut written = Value::Null;
        let (mut failed, mut again): (Vec<QueueChunk>, Vec<QueueChunk>) = (Vec::new(), Vec::new());
        for row in sorted.keys() {
            match row {
                Row::Frame(frame) if *frame != ROOT => read(*row, &mut |r| {
                    children.push(Child { frame: *frame, ..r.take()? });
                    Ok(())
                })?,
                row if *row == WRITTEN => read(*row, &mut |r| {
                    written = r.take()?;
                    Ok(())
                })?,
                Row::Output { of: ROOT, index } if *index >= FAILED => read(*row, &mut |r| {
                    if *index < AGAIN { &mut failed } else { &mut again }.push(r.take()?);
                    Ok(())
                })?,
                Row::Output { of: ROOT, .. } => read(*row, &mut |r| {
                    chunks.push(r.take()?);
                    Ok(())
                })?,
                _ => {}
            }
        }
        shared_values.sweep();
        let issued = header.last_op;
        let results = SavedResults { written, chunks, failed, again };
        let mut run = MapRun::restored(program, index, header, settings, progress, results, children)?;
        run.results.track();
        run.failed.track();
        run.again.track();
        run.core.tracker = Some(Box::new(Tracker::loaded(shared_values, uses, issued)));
        Ok(run)
    }
}
