//! The children of a run that a redrive starts again, with their inputs.

use std::collections::{BTreeSet, VecDeque};

use super::children::bytes_of;
use super::results::Ended;
use crate::objects::ChildOutcome;
use crate::value::Value;
use crate::value::codec::{Load, LoadError, Reader, Save, Writer};

/// The number of children that are stored together.
const CHUNK: u64 = 64;

/// The bytes of the inputs of failed children that a run keeps. They include the records of those
/// that never start.
pub(super) const KEPT_BYTES: u64 = 32 << 20;

/// The most failed children that a run keeps: their places are memory, too.
pub(super) const KEPT: usize = 100_000;

/// A child that has failed, was aborted, or waits to be started again.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FailedChild {
    /// Its number among the children of the run.
    pub number: u64,
    /// The number of its last attempt, from 1.
    pub attempt: u32,
    /// The number of its items.
    pub items: u64,
    pub input: Value,
    /// The outcome of a child that never starts, because its input is too long. `input` is null
    /// then; the record has its beginning if records are wanted.
    pub refused: Option<Box<Ended>>,
}

impl FailedChild {
    /// Returns about the bytes of the child in memory.
    fn bytes(&self) -> u64 {
        let record = self.refused.as_deref().map_or(0, |ended| {
            let cause = match &ended.outcome {
                ChildOutcome::Failed { cause: Some(cause), .. } => cause.len() as u64,
                _ => 0,
            };
            ended.input.as_ref().map_or(0, bytes_of).saturating_add(cause)
        });
        bytes_of(&self.input).saturating_add(record)
    }
}

/// A queue of children. It is stored in chunks, so that a turn rewrites few of them.
#[derive(Debug, Default)]
pub(super) struct ChildQueue {
    children: VecDeque<FailedChild>,
    /// The number of children that were taken.
    taken: u64,
    /// The bytes of the inputs and records, and the number of items.
    bytes: u64,
    items: u64,
    /// The chunks that have changed, if changes are tracked.
    changed: Option<BTreeSet<u64>>,
}

impl ChildQueue {
    /// Returns `true` if no more children that have failed are kept.
    pub fn is_full(&self) -> bool {
        self.bytes >= KEPT_BYTES || self.children.len() >= KEPT
    }

    /// Returns `true` if there are no children.
    pub fn is_empty(&self) -> bool {
        self.children.is_empty()
    }

    /// Returns the number of items.
    pub fn items(&self) -> u64 {
        self.items
    }

    /// Returns the children.
    pub fn iter(&self) -> impl Iterator<Item = &FailedChild> {
        self.children.iter()
    }

    /// Returns the next child.
    pub fn first(&self) -> Option<&FailedChild> {
        self.children.front()
    }

    /// Appends a child.
    pub fn push(&mut self, child: FailedChild) {
        self.change(self.taken + self.children.len() as u64);
        self.bytes = self.bytes.saturating_add(child.bytes());
        self.items = self.items.saturating_add(child.items);
        self.children.push_back(child);
    }

    /// Takes the next child.
    pub fn pop(&mut self) -> Option<FailedChild> {
        let child = self.children.pop_front()?;
        self.change(self.taken);
        self.taken += 1;
        self.bytes = self.bytes.saturating_sub(child.bytes());
        self.items = self.items.saturating_sub(child.items);
        Some(child)
    }

    /// Takes all children.
    pub fn take(&mut self) -> Vec<FailedChild> {
        std::iter::from_fn(|| self.pop()).collect()
    }

    fn change(&mut self, place: u64) {
        if let Some(changed) = &mut self.changed {
            changed.insert(place / CHUNK);
        }
    }

    /// Starts change tracking: everything until now is stored.
    pub fn track(&mut self) {
        self.changed = Some(BTreeSet::new());
    }

    /// Returns the chunks that have changed since the last call. A chunk without children is
    /// removed. The first call returns all chunks.
    pub fn changes(&mut self) -> Vec<(u64, Option<QueueChunk>)> {
        let changed = self.changed.take().unwrap_or_else(|| self.places().collect());
        self.track();
        changed.into_iter().map(|chunk| (chunk, self.chunk(chunk))).collect()
    }

    /// Returns all chunks.
    pub fn chunks(&self) -> Vec<QueueChunk> {
        self.places().filter_map(|chunk| self.chunk(chunk)).collect()
    }

    fn places(&self) -> std::ops::Range<u64> {
        self.taken / CHUNK..(self.taken + self.children.len() as u64).div_ceil(CHUNK)
    }

    fn chunk(&self, chunk: u64) -> Option<QueueChunk> {
        let first = (chunk * CHUNK).max(self.taken);
        let end = ((chunk + 1) * CHUNK).min(self.taken + self.children.len() as u64);
        let at = |place: u64| usize::try_from(place.saturating_sub(self.taken)).unwrap_or(usize::MAX);
        let children: Vec<FailedChild> =
            (first..end).filter_map(|place| self.children.get(at(place))).cloned().collect();
        (!children.is_empty()).then_some(QueueChunk { first, children })
    }

    /// Restores a queue from its chunks, in their order.
    ///
    /// # Errors
    /// The chunks are not those of one queue.
    pub fn restored(chunks: Vec<QueueChunk>) -> Result<ChildQueue, LoadError> {
        let mut queue = ChildQueue { taken: chunks.first().map_or(0, |chunk| chunk.first), ..ChildQueue::default() };
        for chunk in chunks {
            // Places that no run reaches could overflow.
            if chunk.first != queue.taken + queue.children.len() as u64 || chunk.first > 1 << 60 {
                return Err(LoadError::new("failed children of a Map run are missing"));
            }
            chunk.children.into_iter().for_each(|child| queue.push(child));
        }
        if queue.items > 1 << 60 {
            return Err(LoadError::new("a Map run counts more items than there can be"));
        }
        Ok(queue)
    }
}

/// Children that are stored together.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct QueueChunk {
    /// The place of the first one in the queue.
    first: u64,
    children: Vec<FailedChild>,
}

impl Save for QueueChunk {
    fn save(&self, w: &mut Writer) {
        w.put(&self.first);
        w.put(&self.children);
    }
}

impl Load for QueueChunk {
    fn load(r: &mut Reader<'_>) -> Result<QueueChunk, LoadError> {
        Ok(QueueChunk { first: r.take()?, children: r.take()? })
    }
}

impl Save for FailedChild {
    fn save(&self, w: &mut Writer) {
        w.put(&self.number);
        w.put(&self.attempt);
        w.put(&self.items);
        w.put(&self.input);
        w.put(&self.refused.as_deref().cloned());
    }
}

impl Load for FailedChild {
    fn load(r: &mut Reader<'_>) -> Result<FailedChild, LoadError> {
        let (number, attempt, items, input) = (r.take()?, r.take()?, r.take()?, r.take()?);
        let refused: Option<Ended> = r.take()?;
        Ok(FailedChild { number, attempt, items, input, refused: refused.map(Box::new) })
    }
}
