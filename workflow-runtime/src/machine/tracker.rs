//! What of an execution has changed since it was last asked for, so that an engine rewrites the rows of the frames that
//! moved, and no others.

use std::collections::BTreeMap;

use super::command::{FrameId, Op, Outcome};
use super::rows::Row;
use crate::value::codec::{Apart, Uses, Writer};

/// What has changed.
#[derive(Default)]
pub(super) struct Tracker {
    /// Frames that have begun to wait, or are gone. One that is gone may have been used again.
    pub moved: Vec<FrameId>,
    /// Children that have ended: the frame that waits for them, which of its children, and whether it failed.
    pub outputs: Vec<(FrameId, u32, bool)>,
    /// Events that were kept, or are no longer.
    pub events: Vec<u64>,
    /// Frames that no longer wait for children.
    pub joined: Vec<FrameId>,
    /// Whether the header was written.
    pub begun: bool,
    /// The number of the last operation that was written.
    pub asked: u64,
    /// What was delivered last.
    pub last: Option<(Op, Outcome)>,
    pub apart: Apart,
    uses: BTreeMap<Row, Uses>,
}

impl Tracker {
    /// What a store holds, up to the operation of this number: all of it is known, nothing has changed.
    pub fn loaded(apart: Apart, uses: BTreeMap<Row, Uses>, asked: u64) -> Tracker {
        Tracker { begun: true, asked, apart, uses, ..Tracker::default() }
    }

    /// A frame begins to wait.
    pub fn moved(&mut self, frame: FrameId) {
        self.moved.push(frame);
    }

    /// A frame is gone; `joining` if it waited for children.
    pub fn gone(&mut self, frame: FrameId, joining: bool) {
        self.moved.push(frame);
        if joining {
            self.joined(frame);
        }
    }

    /// An event is kept, or no longer.
    pub fn event(&mut self, number: u64) {
        self.events.push(number);
    }

    /// A child has ended, and the frame that waits for it goes on waiting.
    pub fn output(&mut self, parent: FrameId, index: u32, failed: bool) {
        self.outputs.push((parent, index, failed));
    }

    /// A frame no longer waits for its children.
    pub fn joined(&mut self, frame: FrameId) {
        self.outputs.retain(|(parent, ..)| *parent != frame);
        self.joined.push(frame);
    }

    /// Writes a row.
    pub fn write(&mut self, row: Row, write: impl FnOnce(&mut Writer)) -> Vec<u8> {
        let (bytes, uses) = self.apart.write(write);
        // What the row referred to before may be what it refers to now.
        self.release(row);
        if !uses.is_empty() {
            self.uses.insert(row, uses);
        }
        bytes
    }

    /// A row is gone.
    pub fn release(&mut self, row: Row) {
        if let Some(uses) = self.uses.remove(&row) {
            self.apart.release(&uses);
        }
    }

    /// The outputs of the children of a frame are gone.
    pub fn release_outputs(&mut self, frame: FrameId) {
        let outputs = Row::Output { of: frame, index: 0 }..=Row::Output { of: frame, index: u32::MAX };
        let rows: Vec<Row> = self.uses.range(outputs).map(|(row, _)| *row).collect();
        rows.into_iter().for_each(|row| self.release(row));
    }
}
