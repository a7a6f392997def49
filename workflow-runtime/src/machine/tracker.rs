//! Change tracking: the parts of an execution that changed since an engine last asked. The engine
//! rewrites the rows of the frames that moved, and no others.

use std::collections::BTreeMap;

use super::command::{FrameId, Op, Outcome};
use super::rows::Row;
use crate::value::codec::{Uses, ValueTable, Writer};

/// The changes since the last report.
#[derive(Default)]
pub(super) struct Tracker {
    /// Frames that have begun to wait, or have ended. The number of a frame that has ended may
    /// have been reused.
    pub moved: Vec<FrameId>,
    /// Children that have ended: the frame that waits for them, the child's index, and `true` if
    /// it failed.
    pub outputs: Vec<(FrameId, u32, bool)>,
    /// Events that have entered or left the inbox.
    pub events: Vec<u64>,
    /// Frames that no longer wait for children.
    pub joined: Vec<FrameId>,
    /// Set once the header is written.
    pub has_header: bool,
    /// The number of the last operation that is written.
    pub issued: u64,
    /// The last completion.
    pub last: Option<(Op, Outcome)>,
    pub shared_values: ValueTable,
    uses: BTreeMap<Row, Uses>,
}

impl Tracker {
    /// Returns the tracker of an execution that was loaded from a store. The store has everything
    /// up to the operation of this number.
    pub fn loaded(shared_values: ValueTable, uses: BTreeMap<Row, Uses>, issued: u64) -> Tracker {
        Tracker { has_header: true, issued, shared_values, uses, ..Tracker::default() }
    }

    /// Records that a frame begins to wait.
    pub fn moved(&mut self, frame: FrameId) {
        self.moved.push(frame);
    }

    /// Records that a frame has ended; `joining` if it waited for children.
    pub fn frame_ended(&mut self, frame: FrameId, joining: bool) {
        self.moved.push(frame);
        if joining {
            self.joined(frame);
        }
    }

    /// Records that an event has entered or left the inbox.
    pub fn inbox_changed(&mut self, number: u64) {
        self.events.push(number);
    }

    /// Records that a child has ended while its parent goes on waiting.
    pub fn child_ended(&mut self, parent: FrameId, index: u32, failed: bool) {
        self.outputs.push((parent, index, failed));
    }

    /// Records that a frame no longer waits for its children.
    pub fn joined(&mut self, frame: FrameId) {
        self.outputs.retain(|(parent, ..)| *parent != frame);
        self.joined.push(frame);
    }

    /// Writes a row.
    pub fn write(&mut self, row: Row, write: impl FnOnce(&mut Writer)) -> Vec<u8> {
        let (bytes, uses) = self.shared_values.write(write);
        // The old content is released afterwards: the new content may refer to the same values.
        self.release(row);
        if !uses.is_empty() {
            self.uses.insert(row, uses);
        }
        bytes
    }

    /// Releases the values that a removed row refers to.
    pub fn release(&mut self, row: Row) {
        if let Some(uses) = self.uses.remove(&row) {
            self.shared_values.release(&uses);
        }
    }

    /// Releases the values of the outputs of a frame's children.
    pub fn release_outputs(&mut self, frame: FrameId) {
        let outputs = Row::Output { of: frame, index: 0 }..=Row::Output { of: frame, index: u32::MAX };
        let rows: Vec<Row> = self.uses.range(outputs).map(|(row, _)| *row).collect();
        rows.into_iter().for_each(|row| self.release(row));
    }
}
