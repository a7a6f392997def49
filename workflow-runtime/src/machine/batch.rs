//! Batches: iterations over many items, divided among executions. Each batch runs some of the
//! items as an execution of its own and ends with their outputs.
//!
//! The dividing execution waits for a batch as it waits for a command. It alone enforces the
//! concurrency and the tolerated failures.
//!
//! A batch consists of the frame that iterates, a range of its items, and the path of branches
//! that the frame is in. Its iterations have the same paths and the same item indexes as in an
//! undivided iteration. Numbers that must not collide are allotted beforehand: a batch has its own
//! range of visits and its own stream of random numbers.

use std::sync::Arc;

use super::Machine;
use super::command::{Command, FrameId, Op, Outcome};
use super::core::{Core, Job};
use super::definition::Definition;
use super::exec::Exec;
use super::frame::{Frame, Frames, NONE, ROOT, Wait};
use super::header::Header;
use super::join::{Join, Limits, Progress};
use super::observer::{Observer, PathStep};
use super::random::Stream;
use super::snapshot::FORMAT;
use super::snapshot::{COUNT_LIMIT, load_state, save_state};
use super::turn::Turn;
use crate::fault::Fault;
use crate::value::codec::{Load, LoadError, Reader, Save, Writer};
use crate::value::{Array, Value, object};

/// The number of state visits reserved for a batch. A batch cannot exhaust them: at a million
/// visits a second it would take 19 hours without waiting.
const VISITS: u64 = 1 << 36;

/// The rule by which iterations are divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Batching {
    /// The largest number of items that is not divided.
    pub above: u32,
    /// The number of items in a batch.
    pub size: u32,
}

/// A range of the items of an iteration that is to run as an execution of its own.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Batch {
    /// The index of its first item in the whole iteration.
    pub first: u32,
    /// The number of its items.
    pub items: u32,
    /// The key of its random numbers.
    key: [u64; 2],
    /// The visit number before its first visit.
    visits: u64,
}

/// The division of an iteration's items among executions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Share {
    /// All items run in this execution.
    All,
    /// The children are batches.
    Divided {
        /// The number of items in a batch. The last batch may have fewer.
        size: u32,
        /// The number of items of the whole iteration.
        whole: u32,
        /// The concurrency within a batch; 0 is unlimited.
        concurrency: u64,
        /// The visit number before the first visit of the first batch.
        visits: u64,
    },
    /// This execution is a batch.
    Batch {
        /// The index of its first item in the whole iteration.
        first: u32,
        /// The number of items of the whole iteration.
        whole: u32,
        /// The number of items of other batches that had failed when this batch began.
        failed: u32,
    },
}

/// The position of a batch in the execution that divided the iteration.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Outer {
    /// The branches and iterations that the iterating frame is in.
    pub path: Vec<PathStep>,
    /// The visit, and the branches below it, that a call is numbered by if the calling iteration
    /// has not entered a state.
    pub visit: u64,
    pub branches: Vec<u32>,
}

impl Join {
    /// Divides the iteration if it has more items than the rule allows in one execution.
    pub(super) fn divide(&mut self, batching: Option<Batching>, header: &mut Header) {
        let Some(Batching { above, size }) = batching.filter(|batching| batching.size > 0) else { return };
        let whole = self.total;
        // An execution receives events, a batch does not.
        let needs_one_execution = !header.definition.events.is_empty() || self.limits.is_about_order();
        if self.items.is_none() || whole <= above || needs_one_execution {
            return;
        }
        let batches = whole.div_ceil(size);
        let visits = header.visits;
        let Some(after) = visits.checked_add(VISITS * u64::from(batches)).filter(|after| *after <= COUNT_LIMIT) else {
            // The visit numbers are exhausted: the iteration is not divided.
            return;
        };
        header.visits = after;
        // Run as many batches as can run all their iterations at once. If a single batch exceeds
        // the limit, run one.
        let limit = self.limits.concurrency;
        let (at_once, concurrency) = match limit {
            0 => (0, 0),
            limit if limit < u64::from(size) => (1, limit),
            limit => (limit / u64::from(size), 0),
        };
        self.limits.concurrency = at_once;
        self.share = Share::Divided { size, whole, concurrency, visits };
        self.total = batches;
    }

    /// Returns `true` if the children are batches.
    pub(super) fn is_divided(&self) -> bool {
        matches!(self.share, Share::Divided { .. })
    }

    /// Returns `true` if this execution is a batch.
    fn is_batch(&self) -> bool {
        matches!(self.share, Share::Batch { .. })
    }

    /// Returns the number of failed items, without those of other batches.
    fn failed_here(&self) -> u32 {
        match self.share {
            Share::Batch { failed, .. } => self.failed.saturating_sub(failed),
            Share::All | Share::Divided { .. } => self.failed,
        }
    }

    /// Returns the number of items of the whole iteration.
    pub(super) fn whole(&self) -> u32 {
        match self.share {
            Share::All => self.total,
            Share::Divided { whole, .. } | Share::Batch { whole, .. } => whole,
        }
    }

    /// Returns the index of the first child.
    pub(super) fn first(&self) -> u32 {
        match self.share {
            Share::Batch { first, .. } => first,
            Share::All | Share::Divided { .. } => 0,
        }
    }

    /// Returns `true` if the child of this index has started.
    pub(super) fn has_started(&self, index: u32) -> bool {
        index.checked_sub(self.first()).is_some_and(|at| at < self.started())
    }

    /// Takes the outputs of all children.
    pub(super) fn take_results(&mut self) -> Value {
        let results = std::mem::take(&mut self.results);
        match self.share {
            Share::Divided { whole, .. } => {
                let mut outputs = Vec::with_capacity(whole as usize);
                for batch in &results {
                    outputs.extend(batch.as_array().into_iter().flat_map(|batch| batch.iter()).cloned());
                }
                Array::from(outputs).into()
            }
            Share::All | Share::Batch { .. } => self.limits.result(results),
        }
    }

    /// Returns the item range of the batch of this index: the first index, and the number of
    /// items.
    fn range(&self, index: u32) -> Option<(u32, u32)> {
        let Share::Divided { size, whole, .. } = self.share else { return None };
        let first = index.checked_mul(size).filter(|first| *first < whole)?;
        Some((first, size.min(whole - first)))
    }

    /// Records the end of a batch: its outputs, and the number of its items that failed.
    pub(super) fn batch_ended(&mut self, index: u32, value: &Value) -> Progress {
        let fits = |(_, items): &(u32, u32)| {
            let outputs = value.get("outputs").and_then(Value::as_array)?;
            let failed = value.get("failed").and_then(Value::as_i64).and_then(|failed| u32::try_from(failed).ok())?;
            (outputs.len() == *items as usize && failed <= *items).then(|| (outputs.clone(), failed))
        };
        let Some((outputs, failed)) = self.range(index).as_ref().and_then(fits) else {
            return Progress::Failed(Fault::runtime("the result of a batch does not match its items"));
        };
        if let Some(result) = self.results.get_mut(index as usize) {
            *result = outputs.into();
        }
        self.failed = self.failed.saturating_add(failed);
        match failed > 0 && !self.limits.tolerates(self.failed, self.whole()) {
            true => Progress::Failed(Limits::exceeded()),
            false => self.progress(),
        }
    }

    /// Returns the join of a batch.
    fn batch(&self, batch: &Batch) -> Option<Join> {
        let Share::Divided { whole, concurrency, .. } = self.share else { return None };
        let all = self.items.as_ref()?.as_array()?;
        let items: Vec<Value> = all.iter().skip(batch.first as usize).take(batch.items as usize).cloned().collect();
        let limits = Limits { concurrency, ..self.limits };
        let mut join = Join::new(Some(Array::from(items).into()), batch.items, limits);
        join.failed = self.failed;
        join.share = Share::Batch { first: batch.first, whole, failed: self.failed };
        Some(join)
    }

    /// Checks a join that was read: returns `true` if its numbers are consistent.
    pub(super) fn fits(&self) -> bool {
        let (total, ended) = (self.total, self.started().checked_sub(self.running));
        let items = match &self.items {
            Some(items) => items.as_array().is_some_and(|items| items.len() == self.item_count() as usize),
            None => self.share == Share::All,
        };
        let Some(ended) = ended.filter(|_| items && self.started() <= total) else { return false };
        match self.share {
            Share::All => self.failed <= ended,
            Share::Divided { size, whole, visits, .. } => {
                let last = VISITS.checked_mul(u64::from(total)).and_then(|visited| visits.checked_add(visited));
                size > 0
                    && total == whole.div_ceil(size)
                    && self.failed <= whole
                    && last.is_some_and(|at| at <= COUNT_LIMIT)
            }
            Share::Batch { first, whole, failed } => {
                first.checked_add(total).is_some_and(|after| after <= whole)
                    && self.failed.checked_sub(failed).is_some_and(|own| own <= ended)
            }
        }
    }

    /// Returns the number of items that this execution stores.
    fn item_count(&self) -> u32 {
        match self.share {
            Share::Divided { whole, .. } => whole,
            Share::All | Share::Batch { .. } => self.total,
        }
    }
}

impl Core {
    /// Returns the batch that is the child of this index, and the first of its items.
    fn batch_of(&mut self, parent: FrameId, index: u32) -> Option<(Batch, Value)> {
        let Wait::Children(join) = &self.frames.get(parent).wait else { return None };
        let Share::Divided { visits, .. } = join.share else { return None };
        let (first, items) = join.range(index)?;
        let item = join.items.as_ref()?.get(i64::from(first)).cloned()?;
        let key = [self.header.random().next(), self.header.random().next()];
        Some((Batch { first, items, key, visits: visits + VISITS * u64::from(index) }, item))
    }

    /// Suspends a frame that waits for a batch.
    fn suspend_for_batch(&mut self, frame: FrameId, batch: Batch) {
        self.header.last_op += 1;
        let op = Op { id: self.header.last_op, frame };
        self.issue_op(op);
        let frame = self.frames.get_mut(frame);
        frame.op = op.id;
        frame.wait = Wait::Command(Command::Batch(Arc::new(batch)));
    }

    /// Records the end of a batch. If the batch has terminated the execution, this execution
    /// terminates too.
    pub(super) fn batch_ended(&mut self, id: FrameId, outcome: Outcome) {
        if self.header.is_terminating() {
            return self.drained(id);
        }
        let (parent, index) = (self.frames.get(id).parent, self.frames.get(id).index);
        self.frames.remove(id);
        self.free(id);
        match outcome {
            Err(fault) if fault.is_termination() => self.drain(fault.into_termination_output()),
            outcome => self.child_ended(parent, index, 0, outcome),
        }
    }

    /// Starts the first iterations of this batch.
    fn begin_batch(&mut self) {
        let root = self.frames.get_mut(ROOT);
        if let Wait::Children(join) = &mut root.wait {
            join.starting = true;
            self.work.push(Job::Start(Op { id: root.op, frame: ROOT }));
        }
    }

    /// Ends this batch once its iterations have ended. The state that iterates runs in the
    /// dividing execution only.
    pub(super) fn end_batch(&mut self, outcome: Outcome) {
        let failed = match &self.frames.get(ROOT).wait {
            Wait::Children(join) => join.failed_here(),
            _ => 0,
        };
        self.frames.remove(ROOT);
        self.free(ROOT);
        self.finish(outcome.map(|outputs| object([("outputs", outputs), ("failed", Value::from(failed))])));
    }
}

impl<M: Machine> Exec<M> {
    /// Starts a batch: asks the engine to run it. Until it ends, its frame stores the entry of its
    /// first iteration. Fails if there is no such batch.
    pub(super) fn start_batch(&mut self, parent: FrameId, child: FrameId, index: u32) -> Result<(), Fault> {
        let batch = self.turn.batch_of(parent, index);
        let state = self.states.get(parent.0 as usize).and_then(Option::as_ref);
        let entry = batch.zip(state).and_then(|((batch, item), state)| {
            let entry = state.child(batch.first as usize, &item)?;
            Some((batch, entry))
        });
        match entry {
            Some((batch, entry)) => {
                self.turn.suspend_for_batch(child, batch);
                self.store_state(child, entry);
                Ok(())
            }
            None => Err(Fault::runtime(format!("the state has no batch {index}"))),
        }
    }

    /// Returns the snapshot that a batch starts from.
    pub(super) fn batch_snapshot(&self, op: Op) -> Option<Vec<u8>> {
        let Wait::Command(Command::Batch(batch)) = &self.turn.frames.waiting(op)?.wait else { return None };
        let id = self.turn.frames.get(op.frame).parent;
        let above = self.turn.frames.get(id);
        let Wait::Children(join) = &above.wait else { return None };
        let join = join.batch(batch)?;
        let state = self.states.get(id.0 as usize)?.as_ref()?;
        let items = join.items.as_ref()?.as_array()?;
        // The entries of the iterations are enough: the state itself stays in the dividing
        // execution.
        let entries = (batch.first..).zip(items.iter()).map(|(index, item)| state.child(index as usize, item));
        let entries = entries.collect::<Option<Vec<M>>>()?;
        let call = self.turn.call_id(id);
        let outer = Outer { path: self.turn.path(id), visit: call.visit, branches: call.path.into() };
        let mut header = Header {
            stream: Stream::restored([batch.key[0], batch.key[1], 0]),
            last_op: above.op,
            visits: batch.visits,
            format: FORMAT,
            ..self.turn.header.clone()
        };
        if header.options.is_some() {
            header.options_mut().batching = None;
        }
        let root = Frame {
            wait: Wait::Children(Box::new(join)),
            op: above.op,
            state: above.state,
            visit: above.visit,
            entered: above.entered,
            retries: above.retries,
            actions: above.actions,
            steps: above.steps,
            ..Frame::new(NONE, 0, None)
        };
        let mut core = Core::new(header, Vec::new());
        core.frames = Frames::of_root(root);
        core.outer = Some(Box::new(outer));
        Some(
            Exec { turn: Turn::new(core), states: Vec::new(), entries: entries.into_iter().rev().collect() }.snapshot(),
        )
    }

    /// Loads a batch from the snapshot that the dividing execution has written.
    pub fn load_batch(
        definition: &'static Definition,
        snapshot: &[u8],
        observers: Vec<Box<dyn Observer>>,
    ) -> Result<Exec<M>, LoadError> {
        let mut exec = Exec::read(definition, snapshot, true)?;
        exec.turn.observe(observers);
        exec.turn.begin_batch();
        Ok(exec)
    }
}

/// The additional content of the snapshot of a batch.
pub(super) struct OfBatch<M> {
    pub outer: Outer,
    /// The frame that iterates, until it has ended. Its state is in the dividing execution.
    pub root: Option<Frame>,
    /// The iterations that have not started, the next one last.
    pub entries: Vec<M>,
}

/// Writes the additional content of a batch; the next entry first.
pub(super) fn save<'a, M: Machine>(
    outer: &Outer,
    root: Option<&Frame>,
    entries: impl ExactSizeIterator<Item = &'a M>,
    w: &mut Writer,
) {
    w.count(outer.path.len());
    for step in &outer.path {
        w.put(step.state);
        w.put(&step.index);
    }
    w.put(&outer.visit);
    w.put(&outer.branches[..]);
    w.put(&root.is_some());
    if let Some(root) = root {
        root.save(w, true);
    }
    w.count(entries.len());
    entries.for_each(|entry| save_state(entry, w));
}

/// Reads the content that [`save`] has written.
pub(super) fn load<M: Machine>(header: &Header, r: &mut Reader<'_>) -> Result<OfBatch<M>, LoadError> {
    let definition = header.definition;
    let mut path = Vec::new();
    for _ in 0..r.count()? {
        let name = r.str()?;
        let state = definition.state(name);
        let state = state.ok_or_else(|| r.error(format!("the workflow has no state `{name}`")))?.name;
        path.push(PathStep { state, index: r.take()? });
    }
    let outer = Outer { path, visit: r.take()?, branches: r.take()? };
    let root = if r.take()? { Some(Frame::load(header, r, true)?) } else { None };
    let mut entries = Vec::new();
    for _ in 0..r.count()? {
        entries.push(load_state(definition, r)?);
    }
    entries.reverse();
    Ok(OfBatch { outer, root, entries })
}

impl Save for Batch {
    fn save(&self, w: &mut Writer) {
        w.put(&self.first);
        w.put(&self.items);
        self.key.iter().for_each(|part| w.put(part));
        w.put(&self.visits);
    }
}

impl Load for Batch {
    fn load(r: &mut Reader<'_>) -> Result<Batch, LoadError> {
        Ok(Batch { first: r.take()?, items: r.take()?, key: [r.take()?, r.take()?], visits: r.take()? })
    }
}

impl Save for Batching {
    fn save(&self, w: &mut Writer) {
        w.put(&self.above);
        w.put(&self.size);
    }
}

impl Load for Batching {
    fn load(r: &mut Reader<'_>) -> Result<Batching, LoadError> {
        Ok(Batching { above: r.take()?, size: r.take()? })
    }
}

impl Save for Share {
    fn save(&self, w: &mut Writer) {
        match self {
            Share::All => w.u8(0),
            Share::Divided { size, whole, concurrency, visits } => {
                w.u8(1);
                w.put_all(&[size, whole, concurrency, visits]);
            }
            Share::Batch { first, whole, failed } => {
                w.u8(2);
                w.put_all(&[first, whole, failed]);
            }
        }
    }
}

impl Load for Share {
    fn load(r: &mut Reader<'_>) -> Result<Share, LoadError> {
        Ok(match r.u8()? {
            0 => Share::All,
            1 => Share::Divided { size: r.take()?, whole: r.take()?, concurrency: r.take()?, visits: r.take()? },
            2 => Share::Batch { first: r.take()?, whole: r.take()?, failed: r.take()? },
            other => return Err(r.error(format!("invalid share {other} of an iteration"))),
        })
    }
}

/// Checks that batches occur exactly where an iteration is divided, and that the snapshot of a
/// batch is one.
pub(super) fn check(frames: &[Option<Frame>], of_batch: bool, entries: usize, begins: bool) -> Result<(), LoadError> {
    let wrong = |problem: &str| Err(LoadError::new(format!("the batches of the snapshot are inconsistent: {problem}")));
    let join = |at: usize| match frames.get(at) {
        Some(Some(Frame { wait: Wait::Children(join), .. })) => Some(&**join),
        _ => None,
    };
    let root = join(0);
    let is_draining = matches!(frames.first(), Some(Some(Frame { wait: Wait::Draining, .. })));
    let left = root.map_or(0, |root| (root.total - root.started()) as usize);
    match of_batch {
        false if begins => return wrong("it is not the start of a batch"),
        false if root.is_some_and(Join::is_batch) => return wrong("it is part of a batch"),
        true if begins && root.is_none_or(|root| root.started() > 0) => return wrong("it has already started"),
        // A batch that has ended has no frames.
        true if is_draining && entries == 0 => {}
        true if frames.iter().any(Option::is_some) && !root.is_some_and(|root| root.is_batch() && left == entries) => {
            return wrong("its iteration does not iterate over a range of the items");
        }
        _ => {}
    }
    for (at, frame) in frames.iter().enumerate() {
        let Some(frame) = frame else { continue };
        let range = join(frame.parent.0 as usize).and_then(|above| above.range(frame.index));
        let fits = match &frame.wait {
            // An execution that terminates has dropped the joins of its iterations.
            Wait::Command(Command::Batch(_)) if is_draining => true,
            Wait::Command(Command::Batch(batch)) => range == Some((batch.first, batch.items)),
            Wait::Children(join) => range.is_none() && (at == 0 || !join.is_batch()),
            _ => range.is_none(),
        };
        if !fits {
            return wrong("an iteration differs from its batches");
        }
    }
    Ok(())
}
