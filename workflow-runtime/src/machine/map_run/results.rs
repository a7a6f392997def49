//! The results of a run, in the order of the items.

use std::collections::{BTreeSet, VecDeque};

use crate::machine::command::Outcome;
use crate::objects::ChildOutcome;
use crate::time::Timestamp;
use crate::value::codec::{Load, LoadError, Reader, Save, Writer};
use crate::value::{Str, TEXT_LIMIT, Value};

/// The number of results that are stored together.
pub(super) const CHUNK: u64 = 64;

/// The bytes of a record besides its input and output, or a few less.
const RECORD_BYTES: u64 = 400;

/// The state of a child of a run.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ResultSlot {
    /// It has not ended.
    Open,
    /// It succeeded, and its output is the result.
    Output(Value),
    /// A record is the result.
    Record(Box<Ended>),
}

/// A child that has ended, or that never starts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ended {
    /// The input, if it is part of the result.
    pub input: Value,
    pub outcome: ChildOutcome,
    pub started: Option<Timestamp>,
    pub ended: Option<Timestamp>,
    /// The number of its redrives.
    pub redrives: u32,
}

/// The results of a run: those that are not in complete files.
#[derive(Debug, Default)]
pub(super) struct ChildResults {
    slots: VecDeque<ResultSlot>,
    /// The number of the child that the first slot is of.
    first: u64,
    /// The number of the first child without a result.
    ended: u64,
    /// About the bytes of all results.
    bytes: u64,
    /// About the bytes of the results before `ended`.
    ready: u64,
    /// The chunks that have changed, if changes are tracked.
    changed: Option<BTreeSet<u64>>,
}

impl ChildResults {
    /// Returns empty results, from this child on.
    pub fn from_child(first: u64) -> ChildResults {
        ChildResults { first, ended: first, ..ChildResults::default() }
    }

    /// Adds the place of the next child. Returns its number.
    pub fn open(&mut self) -> u64 {
        self.slots.push_back(ResultSlot::Open);
        self.next() - 1
    }

    /// Returns the number of the next child.
    pub fn next(&self) -> u64 {
        self.first + self.slots.len() as u64
    }

    /// Returns the number of the first child whose result is here.
    pub fn first(&self) -> u64 {
        self.first
    }

    /// Sets the result of a child, which has none.
    pub fn set(&mut self, number: u64, slot: ResultSlot) {
        let bytes = size(&slot);
        let Some(place) = self.place(number) else { return };
        *place = slot;
        self.bytes = self.bytes.saturating_add(bytes);
        if let Some(changed) = &mut self.changed {
            changed.insert(number / CHUNK);
        }
        while let Some(slot) = self.slot(self.ended).filter(|slot| **slot != ResultSlot::Open) {
            self.ready = self.ready.saturating_add(size(slot));
            self.ended += 1;
        }
    }

    /// Forgets the result of a child, if it is here. [`ChildResults::measure`] has to follow.
    pub fn reopen(&mut self, number: u64) {
        if let Some(place) = self.place(number) {
            *place = ResultSlot::Open;
            if let Some(changed) = &mut self.changed {
                changed.insert(number / CHUNK);
            }
        }
    }

    /// Removes the places of this child and those behind it. [`ChildResults::measure`] has to
    /// follow.
    pub fn truncate(&mut self, next: u64) {
        let kept = usize::try_from(next.saturating_sub(self.first)).unwrap_or(usize::MAX);
        if kept < self.slots.len() {
            let chunks = next.max(self.first) / CHUNK..=self.next() / CHUNK;
            self.slots.truncate(kept);
            if let Some(changed) = &mut self.changed {
                changed.extend(chunks);
            }
        }
    }

    /// Counts what is there.
    pub fn measure(&mut self) {
        self.bytes = self.slots.iter().fold(0, |bytes, slot| bytes.saturating_add(size(slot)));
        let ready = self.slots.iter().take_while(|slot| **slot != ResultSlot::Open);
        let (count, bytes) =
            ready.fold((0, 0_u64), |(count, bytes), slot| (count + 1, bytes.saturating_add(size(slot))));
        (self.ended, self.ready) = (self.first + count, bytes);
    }

    /// Returns the number of the first child without a result.
    pub fn ended(&self) -> u64 {
        self.ended
    }

    /// Returns about the bytes of all results.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns about the bytes of the results before [`ChildResults::ended`].
    pub fn ready(&self) -> u64 {
        self.ready
    }

    /// Returns the number of the places of children.
    pub fn len(&self) -> u64 {
        self.slots.len() as u64
    }

    /// Returns the results before this child, with their numbers.
    pub fn until(&self, end: u64) -> impl Iterator<Item = (u64, &ResultSlot)> {
        (self.first..end).zip(&self.slots)
    }

    /// Removes the results before this child.
    pub fn remove_until(&mut self, end: u64) {
        let chunks = self.first / CHUNK..=end / CHUNK;
        while self.first < end.min(self.ended)
            && let Some(slot) = self.slots.pop_front()
        {
            let bytes = size(&slot);
            (self.bytes, self.ready) = (self.bytes.saturating_sub(bytes), self.ready.saturating_sub(bytes));
            self.first += 1;
        }
        if let Some(changed) = &mut self.changed {
            changed.extend(chunks);
        }
    }

    /// Takes all results.
    pub fn take(&mut self) -> VecDeque<ResultSlot> {
        std::mem::take(&mut self.slots)
    }

    /// Returns the chunks that have changed since the last call, each with its results. A chunk
    /// without results is removed. The first call returns all chunks.
    pub fn changes(&mut self) -> Vec<(u64, Option<Chunk>)> {
        let all = self.first / CHUNK..self.next().div_ceil(CHUNK);
        let changed = self.changed.take().unwrap_or_else(|| all.collect());
        self.changed = Some(BTreeSet::new());
        changed.into_iter().map(|chunk| (chunk, self.chunk(chunk))).collect()
    }

    /// Starts change tracking: everything until now is stored.
    pub fn track(&mut self) {
        self.changed = Some(BTreeSet::new());
    }

    /// Returns the chunks that have results.
    pub fn chunks(&self) -> impl Iterator<Item = Chunk> {
        (self.first / CHUNK..self.next().div_ceil(CHUNK)).filter_map(|chunk| self.chunk(chunk))
    }

    fn chunk(&self, chunk: u64) -> Option<Chunk> {
        let numbers = (chunk * CHUNK).max(self.first)..((chunk + 1) * CHUNK).min(self.next());
        let slots = numbers.filter_map(|number| Some((number, self.slot(number)?.clone())));
        let ended: Vec<(u64, ResultSlot)> = slots.filter(|(_, slot)| *slot != ResultSlot::Open).collect();
        (!ended.is_empty()).then_some(Chunk(ended))
    }

    /// Adds the results of a chunk that was stored. `next` is the number of the next child.
    ///
    /// # Errors
    /// A result is not that of a child of the run, or its second one.
    pub fn restore(&mut self, chunk: Chunk, next: u64) -> Result<(), LoadError> {
        for (number, slot) in chunk.0 {
            if number < self.first || number >= next || slot == ResultSlot::Open {
                return Err(LoadError::new("a result is not that of a child of the Map run"));
            }
            // The number of results is bounded by the rows that were read, and by children in
            // flight, of which each has a row.
            while self.next() <= number {
                self.slots.push_back(ResultSlot::Open);
            }
            if !self.is_open(number) {
                return Err(LoadError::new("a child of the Map run has two results"));
            }
            self.set(number, slot);
        }
        Ok(())
    }

    /// Adds the places of the children before this one, which have not ended.
    pub fn open_until(&mut self, next: u64) {
        while self.next() < next {
            self.slots.push_back(ResultSlot::Open);
        }
    }

    /// Returns `true` if the child has no result.
    pub fn is_open(&self, number: u64) -> bool {
        self.slot(number).is_some_and(|slot| *slot == ResultSlot::Open)
    }

    fn place(&mut self, number: u64) -> Option<&mut ResultSlot> {
        let at = usize::try_from(number.checked_sub(self.first)?).ok()?;
        self.slots.get_mut(at)
    }

    fn slot(&self, number: u64) -> Option<&ResultSlot> {
        let at = usize::try_from(number.checked_sub(self.first)?).ok()?;
        self.slots.get(at)
    }
}

/// Results that are stored together, with the numbers of their children.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Chunk(pub Vec<(u64, ResultSlot)>);

impl Chunk {
    /// Returns the number of results.
    pub fn len(&self) -> u64 {
        self.0.len() as u64
    }
}

/// Returns about the bytes of a result.
pub(super) fn size(slot: &ResultSlot) -> u64 {
    let len = |value: &Value| value.json_len(TEXT_LIMIT).unwrap_or(TEXT_LIMIT);
    match slot {
        ResultSlot::Open => 0,
        ResultSlot::Output(output) => len(output),
        ResultSlot::Record(record) => {
            let output = match &record.outcome {
                ChildOutcome::Succeeded { output } => len(output),
                ChildOutcome::Failed { cause, .. } => cause.as_ref().map_or(0, |cause| cause.len() as u64),
                ChildOutcome::Pending => 0,
            };
            let input = match &record.input {
                // A result that is not the whole record has no input.
                Value::Null => 0,
                input => len(input).saturating_add(RECORD_BYTES),
            };
            input.saturating_add(output)
        }
    }
}

/// Returns the outcome of a child as a record has it.
pub(super) fn child_outcome(outcome: &Outcome) -> ChildOutcome {
    use crate::fault::names::{CANCELLED, TERMINATED, TIMEOUT};
    match outcome {
        Ok(output) => ChildOutcome::Succeeded { output: output.clone() },
        Err(fault) => {
            let status = match fault.error() {
                Some(TIMEOUT) => "TIMED_OUT",
                Some(CANCELLED | TERMINATED) => "ABORTED",
                _ => "FAILED",
            };
            let text = |value: &Value| value.as_str().map_or_else(|| value.to_string().into(), Str::from);
            ChildOutcome::Failed {
                status: Str::from_static(status),
                error: fault.name().cloned(),
                cause: fault.cause().map(text),
            }
        }
    }
}

impl Save for Chunk {
    fn save(&self, w: &mut Writer) {
        w.count(self.0.len());
        for (number, slot) in &self.0 {
            w.put(number);
            match slot {
                ResultSlot::Open => w.u8(0),
                ResultSlot::Output(output) => {
                    w.u8(1);
                    w.put(output);
                }
                ResultSlot::Record(record) => {
                    w.u8(2);
                    w.put(&**record);
                }
            }
        }
    }
}

impl Load for Chunk {
    fn load(r: &mut Reader<'_>) -> Result<Chunk, LoadError> {
        let mut slots = Vec::new();
        for _ in 0..r.count()? {
            let number = r.take()?;
            let slot = match r.u8()? {
                1 => ResultSlot::Output(r.take()?),
                2 => ResultSlot::Record(Box::new(r.take()?)),
                other => return Err(r.error(format!("invalid kind of result {other}"))),
            };
            slots.push((number, slot));
        }
        Ok(Chunk(slots))
    }
}

impl Save for Ended {
    fn save(&self, w: &mut Writer) {
        w.put(&self.input);
        match &self.outcome {
            ChildOutcome::Succeeded { output } => {
                w.u8(0);
                w.put(output);
            }
            ChildOutcome::Failed { status, error, cause } => {
                w.u8(1);
                w.put(status);
                w.put(error);
                w.put(cause);
            }
            ChildOutcome::Pending => w.u8(2),
        }
        w.put(&self.started);
        w.put(&self.ended);
        w.put(&self.redrives);
    }
}

impl Load for Ended {
    fn load(r: &mut Reader<'_>) -> Result<Ended, LoadError> {
        Ok(Ended {
            input: r.take()?,
            outcome: match r.u8()? {
                0 => ChildOutcome::Succeeded { output: r.take()? },
                1 => ChildOutcome::Failed { status: r.take()?, error: r.take()?, cause: r.take()? },
                2 => ChildOutcome::Pending,
                other => return Err(r.error(format!("invalid kind of outcome {other}"))),
            },
            started: r.take()?,
            ended: r.take()?,
            redrives: r.take()?,
        })
    }
}
