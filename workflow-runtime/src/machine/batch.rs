//! Iterations over many items, divided among executions: each runs a batch of the items, and ends with their outputs. The
//! execution that divides waits for a batch as for a command; it alone decides how many run at the same time, and how many
//! items may fail.
//!
//! A batch is the frame that iterates, with its state, a part of its items, and the branches it is in; its iterations have
//! the same paths, and the same places among the items, as if nothing was divided. Numbers that must not meet are set
//! apart beforehand: a batch counts its visits in a range of its own, and draws from a stream of random numbers of its own.

use std::sync::Arc;

use super::Machine;
use super::command::{Command, FrameId, Op, Outcome};
use super::core::{Core, Header, Job};
use super::definition::Definition;
use super::exec::Exec;
use super::frame::{Frame, Frames, NONE, ROOT, Wait};
use super::join::{Join, Limits, Progress};
use super::random::Stream;
use super::snapshot::FORMAT;
use super::snapshot::{COUNT_LIMIT, load_state, save_state};
use super::turn::Turn;
use crate::fault::Fault;
use crate::observe::{Observer, PathStep};
use crate::value::codec::{Load, LoadError, Reader, Save, Writer};
use crate::value::{Array, Value, object};

/// How many visits to states a batch has numbers for. No batch makes so many: at a million in a second, it takes 19 hours
/// during which it waits for nothing.
const VISITS: u64 = 1 << 36;

/// Which iterations are divided, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Batching {
    /// Those over more items than this.
    pub above: u32,
    /// How many items a batch has.
    pub size: u32,
}

/// A part of an iteration that is to run as an execution of its own.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Batch {
    /// The place of its first item among all.
    pub first: u32,
    /// How many items it has.
    pub items: u32,
    /// The key of its random numbers.
    key: [u64; 2],
    /// The number before that of its first visit to a state.
    visits: u64,
}

/// How the items of an iteration are shared among executions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Share {
    /// All are iterated over here.
    All,
    /// The children are batches.
    Divided {
        /// How many items a batch has, apart from the last one.
        size: u32,
        /// How many items there are.
        whole: u32,
        /// How many iterations of a batch may run at the same time; 0 is any number.
        concurrency: u64,
        /// The number before that of the first visit of the first batch.
        visits: u64,
    },
    /// This is a batch.
    Batch {
        /// The place of the first item among all.
        first: u32,
        /// How many items there are in all.
        whole: u32,
        /// How many of those in other batches had failed when this one began.
        failed: u32,
    },
}

/// Where a batch is in the execution that it is a part of.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Outer {
    /// The branches and iterations that the frame is in.
    pub path: Vec<PathStep>,
    /// The visit that calls belong to which enter no state of their own, and the branches from there.
    pub visit: u64,
    pub branches: Vec<u32>,
}

impl Join {
    /// Divides the iteration, if it has more items than it may have here.
    pub(super) fn divide(&mut self, batching: Option<Batching>, header: &mut Header) {
        let Some(Batching { above, size }) = batching.filter(|batching| batching.size > 0) else { return };
        let whole = self.total;
        // Events are delivered to the execution, and not to batches of it.
        let stays = !header.definition.events.is_empty() || self.limits.is_about_order();
        if self.items.is_none() || whole <= above || stays {
            return;
        }
        let batches = whole.div_ceil(size);
        let visits = header.visits;
        let Some(after) = visits.checked_add(VISITS * u64::from(batches)).filter(|after| *after <= COUNT_LIMIT) else {
            // Its numbers are used up: the iteration stays here.
            return;
        };
        header.visits = after;
        // As many batches as can run all their iterations at once; or one, if that is too many already.
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

    /// Whether the children are batches.
    pub(super) fn is_divided(&self) -> bool {
        matches!(self.share, Share::Divided { .. })
    }

    /// Whether this is a batch.
    fn is_batch(&self) -> bool {
        matches!(self.share, Share::Batch { .. })
    }

    /// How many items failed, not counting those of other batches.
    fn failed_here(&self) -> u32 {
        match self.share {
            Share::Batch { failed, .. } => self.failed.saturating_sub(failed),
            Share::All | Share::Divided { .. } => self.failed,
        }
    }

    /// How many items the whole iteration has.
    pub(super) fn whole(&self) -> u32 {
        match self.share {
            Share::All => self.total,
            Share::Divided { whole, .. } | Share::Batch { whole, .. } => whole,
        }
    }

    /// The index of the first child.
    pub(super) fn first(&self) -> u32 {
        match self.share {
            Share::Batch { first, .. } => first,
            Share::All | Share::Divided { .. } => 0,
        }
    }

    /// Whether a child of this index was started.
    pub(super) fn has_started(&self, index: u32) -> bool {
        index.checked_sub(self.first()).is_some_and(|at| at < self.started())
    }

    /// The results of all children, once they have ended.
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

    /// The items of a batch: which is the first, and how many.
    fn range(&self, index: u32) -> Option<(u32, u32)> {
        let Share::Divided { size, whole, .. } = self.share else { return None };
        let first = index.checked_mul(size).filter(|first| *first < whole)?;
        Some((first, size.min(whole - first)))
    }

    /// Takes the end of a batch: the outputs, and how many of its items failed.
    pub(super) fn batch_ended(&mut self, index: u32, value: &Value) -> Progress {
        let fits = |(_, items): &(u32, u32)| {
            let outputs = value.get("outputs").and_then(Value::as_array)?;
            let failed = value.get("failed").and_then(Value::as_i64).and_then(|failed| u32::try_from(failed).ok())?;
            (outputs.len() == *items as usize && failed <= *items).then(|| (outputs.clone(), failed))
        };
        let Some((outputs, failed)) = self.range(index).as_ref().and_then(fits) else {
            return Progress::Failed(Fault::runtime(
                "what a batch of the iteration has ended with is none of its outputs",
            ));
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

    /// The part of an iteration that a batch is.
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

    /// Checks what was read: whether the parts of the iteration fit together.
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

    /// How many items are kept here.
    fn item_count(&self) -> u32 {
        match self.share {
            Share::Divided { whole, .. } => whole,
            Share::All | Share::Batch { .. } => self.total,
        }
    }
}

impl Core {
    /// Whether the children of a frame are batches.
    pub(super) fn divides(&self, frame: FrameId) -> bool {
        matches!(&self.frames.get(frame).wait, Wait::Children(join) if join.is_divided())
    }

    /// The batch that is a child of this index, and the first of its items.
    fn batch_of(&mut self, parent: FrameId, index: u32) -> Option<(Batch, Value)> {
        let Wait::Children(join) = &self.frames.get(parent).wait else { return None };
        let Share::Divided { visits, .. } = join.share else { return None };
        let (first, items) = join.range(index)?;
        let item = join.items.as_ref()?.get(i64::from(first)).cloned()?;
        let key = [self.header.random.next(), self.header.random.next()];
        Some((Batch { first, items, key, visits: visits + VISITS * u64::from(index) }, item))
    }

    /// Lets a frame wait for a batch.
    fn park_batch(&mut self, frame: FrameId, batch: Batch) {
        self.header.last_op += 1;
        let op = Op { id: self.header.last_op, frame };
        self.outbox.push_back(op);
        let frame = self.frames.get_mut(frame);
        frame.op = op.id;
        frame.wait = Wait::Command(Command::Batch(Arc::new(batch)));
    }

    /// Takes the end of a batch. If that has ended the whole run, so does this.
    pub(super) fn batch_ended(&mut self, id: FrameId, outcome: Outcome) {
        if self.header.terminating.is_some() {
            return self.drained(id);
        }
        let (parent, index) = (self.frames.get(id).parent, self.frames.get(id).index);
        self.frames.remove(id);
        self.freed.push(id);
        match outcome {
            Err(fault) if fault.is_termination() => self.drain(fault.terminated_with()),
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

    /// The iterations of this batch are over. Nothing of the state that iterates is run here.
    pub(super) fn end_batch(&mut self, outcome: Outcome) {
        let failed = match &self.frames.get(ROOT).wait {
            Wait::Children(join) => join.failed_here(),
            _ => 0,
        };
        self.frames.remove(ROOT);
        self.freed.push(ROOT);
        self.finish(outcome.map(|outputs| object([("outputs", outputs), ("failed", Value::from(failed))])));
    }
}

impl<M: Machine> Exec<M> {
    /// Starts a batch, which the engine is asked to run. Meanwhile the frame keeps the entry of its first iteration.
    pub(super) fn start_batch(&mut self, parent: FrameId, child: FrameId, index: u32) {
        let batch = self.turn.batch_of(parent, index);
        let state = self.states.get(parent.0 as usize).and_then(Option::as_ref);
        let entry = batch.zip(state).and_then(|((batch, item), state)| {
            let entry = state.child(batch.first as usize, &item)?;
            Some((batch, entry))
        });
        match entry {
            Some((batch, entry)) => {
                self.turn.park_batch(child, batch);
                self.keep(child, entry);
            }
            None => self.settle(child, Err(Fault::runtime(format!("the state has no batch {index}")))),
        }
    }

    /// What a batch begins with.
    pub(super) fn batch_snapshot(&self, op: Op) -> Option<Vec<u8>> {
        let Wait::Command(Command::Batch(batch)) = &self.turn.frames.waiting(op)?.wait else { return None };
        let id = self.turn.frames.get(op.frame).parent;
        let above = self.turn.frames.get(id);
        let Wait::Children(join) = &above.wait else { return None };
        let join = join.batch(batch)?;
        let state = self.states.get(id.0 as usize)?.as_ref()?;
        let items = join.items.as_ref()?.as_array()?;
        // What the state keeps for later stays where it is.
        let entries = (batch.first..).zip(items.iter()).map(|(index, item)| state.child(index as usize, item));
        let entries = entries.collect::<Option<Vec<M>>>()?;
        let call = self.turn.call_id(id);
        let outer = Outer { path: self.turn.path(id), visit: call.visit, branches: call.path.into() };
        let header = Header {
            random: Stream::restored([batch.key[0], batch.key[1], 0]),
            last_op: above.op,
            visits: batch.visits,
            batching: None,
            format: FORMAT,
            ..self.turn.header.clone()
        };
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

    /// Begins a batch: what another execution has yielded as its snapshot.
    pub fn load_batch(
        definition: &'static Definition,
        snapshot: &[u8],
        observers: Vec<Box<dyn Observer>>,
    ) -> Result<Exec<M>, LoadError> {
        let mut exec = Exec::read(definition, snapshot, true)?;
        exec.turn.observed = !observers.is_empty();
        exec.turn.observers = observers;
        exec.turn.begin_batch();
        Ok(exec)
    }
}

/// What a snapshot of a batch has, other than that of another execution.
pub(super) struct OfBatch<M> {
    pub outer: Outer,
    /// The frame that iterates, as long as it is there. Its state is where the whole is.
    pub root: Option<Frame>,
    /// The iterations that were not started, the next one last.
    pub entries: Vec<M>,
}

/// Writes what a batch has; the next entry first.
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

/// Reads what [`save`] has written.
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
            other => return Err(r.error(format!("{other} is no share of an iteration"))),
        })
    }
}

/// Checks that batches are where an iteration is divided, and nowhere else; and of a batch that it is one.
pub(super) fn check(frames: &[Option<Frame>], of_batch: bool, entries: usize, begins: bool) -> Result<(), LoadError> {
    let wrong = |problem: &str| Err(LoadError::new(format!("the batches of the snapshot do not fit: {problem}")));
    let join = |at: usize| match frames.get(at) {
        Some(Some(Frame { wait: Wait::Children(join), .. })) => Some(&**join),
        _ => None,
    };
    let root = join(0);
    let is_draining = matches!(frames.first(), Some(Some(Frame { wait: Wait::Draining, .. })));
    let left = root.map_or(0, |root| (root.total - root.started()) as usize);
    match of_batch {
        false if begins => return wrong("it is of no batch"),
        false if root.is_some_and(Join::is_batch) => return wrong("it is a part of nothing"),
        true if begins && root.is_none_or(|root| root.started() > 0) => return wrong("it has begun already"),
        // One that has ended has no frames.
        true if is_draining && entries == 0 => {}
        true if frames.iter().any(Option::is_some) && !root.is_some_and(|root| root.is_batch() && left == entries) => {
            return wrong("it iterates over no part of the items");
        }
        _ => {}
    }
    for (at, frame) in frames.iter().enumerate() {
        let Some(frame) = frame else { continue };
        let range = join(frame.parent.0 as usize).and_then(|above| above.range(frame.index));
        let fits = match &frame.wait {
            // Where the run is about to end, nothing is known of the whole iteration.
            Wait::Command(Command::Batch(_)) if is_draining => true,
            Wait::Command(Command::Batch(batch)) => range == Some((batch.first, batch.items)),
            Wait::Children(join) => range.is_none() && (at == 0 || !join.is_batch()),
            _ => range.is_none(),
        };
        if !fits {
            return wrong("an iteration and its parts are others");
        }
    }
    Ok(())
}
