//! The results of a run, in the order of the items.

use std::collections::{BTreeSet, VecDeque};

use crate::machine::command::Outcome;
use crate::objects::ChildOutcome;
use crate::time::Timestamp;
use crate::value::codec::{Load, LoadError, Reader, Save, Writer};
use crate::value::{Str, TEXT_LIMIT, Value};

/// The number of results that are stored together.
pub(super) const CHUNK: u64 = 64;

/// The bytes of a record besides its input and output, or a few less. A result that is to be
/// written becomes a record of about this size in memory, also if only its output is written.
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
    pub input: Option<Value>,
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
    /// About the bytes of each of them, if they are to be written to an object store.
    sizes: Option<VecDeque<u32>>,
    /// The number of the child that the first slot is of.
    first: u64,
    /// The number of the first child without a result.
    ended: u64,
    /// About the bytes of all results.
    bytes: u64,
    /// About the bytes of the results before `ended`, if they are to be written.
    ready: u64,
    /// The chunks that have changed, if changes are tracked.
    changed: Option<BTreeSet<u64>>,
}

impl ChildResults {
    /// Returns empty results, from this child on. `is_written`: an object store receives them.
    pub fn from_child(first: u64, is_written: bool) -> ChildResults {
        ChildResults { first, ended: first, sizes: is_written.then(VecDeque::new), ..ChildResults::default() }
    }

    /// Adds the place of the next child. Returns its number.
    pub fn open(&mut self) -> u64 {
        self.slots.push_back(ResultSlot::Open);
        if let Some(sizes) = &mut self.sizes {
            sizes.push_back(0);
        }
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
        let Some(at) = self.at(number) else { return };
        let Some(place) = self.slots.get_mut(at) else { return };
        let bytes = size(&slot, self.sizes.is_some());
        *place = slot;
        self.bytes = self.bytes.saturating_add(bytes.into());
        if let Some(size) = self.sizes.as_mut().and_then(|sizes| sizes.get_mut(at)) {
            *size = bytes;
        }
        if let Some(changed) = &mut self.changed {
            changed.insert(number / CHUNK);
        }
        while let Some(at) = self.at(self.ended)
            && self.slots.get(at).is_some_and(|slot| *slot != ResultSlot::Open)
        {
            let bytes = self.sizes.as_ref().and_then(|sizes| sizes.get(at).copied()).unwrap_or_default();
            self.ready = self.ready.saturating_add(bytes.into());
            self.ended += 1;
        }
    }

    /// Forgets the result of a child, if it is here. [`ChildResults::measure`] has to follow.
    pub fn reopen(&mut self, number: u64) {
        if let Some(at) = self.at(number)
            && let Some(place) = self.slots.get_mut(at)
        {
            *place = ResultSlot::Open;
            if let Some(size) = self.sizes.as_mut().and_then(|sizes| sizes.get_mut(at)) {
                *size = 0;
            }
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
            if let Some(sizes) = &mut self.sizes {
                sizes.truncate(kept);
            }
            if let Some(changed) = &mut self.changed {
                changed.extend(chunks);
            }
        }
    }

    /// Counts what is there.
    pub fn measure(&mut self) {
        let ready = self.slots.iter().take_while(|slot| **slot != ResultSlot::Open).count();
        self.ended = self.first + ready as u64;
        (self.bytes, self.ready) = match &self.sizes {
            Some(sizes) => {
                let sum = |sizes: &mut dyn Iterator<Item = &u32>| sizes.map(|size| u64::from(*size)).sum();
                (sum(&mut sizes.iter()), sum(&mut sizes.iter().take(ready)))
            }
            None => (self.slots.iter().map(|slot| u64::from(size(slot, false))).sum(), 0),
        };
    }

    /// Returns the number of the first child without a result.
    pub fn ended(&self) -> u64 {
        self.ended
    }

    /// Returns about the bytes of all results.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns about the bytes of the results before [`ChildResults::ended`], if they are to be
    /// written.
    pub fn ready(&self) -> u64 {
        self.ready
    }

    /// Returns the number of the places of children.
    pub fn len(&self) -> u64 {
        self.slots.len() as u64
    }

    /// Returns the results before this child, which are to be written, with their numbers and
    /// about their bytes.
    pub fn until(&self, end: u64) -> impl Iterator<Item = (u64, &ResultSlot, u64)> {
        let sizes = self.sizes.iter().flatten();
        (self.first..end).zip(self.slots.iter().zip(sizes)).map(|(number, (slot, size))| (number, slot, (*size).into()))
    }

    /// Removes the results before this child, which were written.
    pub fn remove_until(&mut self, end: u64) {
        let chunks = self.first / CHUNK..=end / CHUNK;
        while self.first < end.min(self.ended) && self.slots.pop_front().is_some() {
            let bytes = self.sizes.as_mut().and_then(VecDeque::pop_front).unwrap_or_default().into();
            (self.bytes, self.ready) = (self.bytes.saturating_sub(bytes), self.ready.saturating_sub(bytes));
            self.first += 1;
        }
        if let Some(changed) = &mut self.changed {
            changed.extend(chunks);
        }
    }

    /// Takes all results.
    pub fn take(&mut self) -> VecDeque<ResultSlot> {
        self.sizes = self.sizes.take().map(|_| VecDeque::new());
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
            self.open_until(number + 1);
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
            self.open();
        }
    }

    /// Returns `true` if the child has no result.
    pub fn is_open(&self, number: u64) -> bool {
        self.slot(number).is_some_and(|slot| *slot == ResultSlot::Open)
    }

    fn at(&self, number: u64) -> Option<usize> {
        usize::try_from(number.checked_sub(self.first)?).ok()
    }

    fn slot(&self, number: u64) -> Option<&ResultSlot> {
        self.slots.get(self.at(number)?)
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
fn size(slot: &ResultSlot, is_written: bool) -> u32 {
    let len = |value: &Value| value.json_len(TEXT_LIMIT).unwrap_or(TEXT_LIMIT);
    let (is_record, texts) = match slot {
        ResultSlot::Open => return 0,
        ResultSlot::Output(output) => (false, len(output)),
        ResultSlot::Record(record) => {
            let outcome = match &record.outcome {
                ChildOutcome::Succeeded { output } => len(output),
                ChildOutcome::Failed { cause, .. } => cause.as_ref().map_or(0, |cause| cause.len() as u64),
                ChildOutcome::Pending => 0,
            };
            let input = record.input.as_ref();
            (input.is_some(), input.map_or(0, len).saturating_add(outcome))
        }
    };
    let bytes = if is_written || is_record { texts.saturating_add(RECORD_BYTES) } else { texts };
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

impl ResultSlot {
    /// Returns the outcome of the child.
    pub fn into_outcome(self) -> ChildOutcome {
        match self {
            ResultSlot::Open => ChildOutcome::Pending,
            ResultSlot::Output(output) => ChildOutcome::Succeeded { output },
            ResultSlot::Record(ended) => ended.outcome,
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
