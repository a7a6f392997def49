//! Snapshots: everything that an execution needs to continue, written between two completions.
//!
//! A snapshot is untrusted input: loading checks that the workflow could have saved it.

use std::sync::Arc;

use super::batch::{self, Batch, Share};
use super::command::{Command, FrameId, Op, Outcome};
use super::core::Core;
use super::definition::Definition;
use super::events::Inbox;
use super::exec::Exec;
use super::frame::{Frame, Frames, NONE, ROOT, Wait};
use super::header::{Header, Identity, Options};
use super::join::{Join, Limits};
use super::random::Stream;
use super::turn::Turn;
use super::{Machine, saved};
use crate::fault::Fault;
use crate::time::Timestamp;
use crate::value::codec::{LoadError, Reader, Writer};
use crate::value::{Object, Str, Value};

/// The version of the snapshot format, and the oldest version that can be read.
pub(super) const FORMAT: u64 = 8;
const OLDEST: u64 = 3;

/// The first version with inboxes and divided iterations.
pub(super) const EVENTS: u64 = 4;

/// The first version that records the order in which children have ended.
pub(super) const ORDER: u64 = 5;

/// The first version with delays between the starts of iterations, and with termination.
pub(super) const DELAYS: u64 = 7;
/// The first version with correlation keys that differ from the name.
const CORRELATION: u64 = 7;
/// The first version with limits of JSONata.
const JSONATA: u64 = 8;

/// An upper bound of all counters. No execution counts this far, and a snapshot that exceeds it is
/// refused.
pub(super) const COUNT_LIMIT: u64 = 1 << 60;

impl<M: Machine> Exec<M> {
    pub(super) fn snapshot(&self) -> Vec<u8> {
        let mut w = Writer::new();
        self.turn.header.save(&mut w);
        save_result(self.turn.result.as_ref(), &mut w);
        match self.turn.inbox() {
            Some(inbox) => inbox.save(&mut w),
            None => Inbox::default().save(&mut w),
        }
        w.put(&self.turn.outer.is_some());
        let frames = &self.turn.frames;
        if let Some(outer) = &self.turn.outer {
            batch::save(outer, frames.used(ROOT), self.entries.iter().rev(), &mut w);
        }
        w.count(frames.len());
        for (at, state) in (0..frames.len() as u32).zip(self.states.iter().chain(std::iter::repeat(&None))) {
            w.put(&state.is_some());
            if let Some(state) = state {
                frames.get(FrameId(at)).save(&mut w, true);
                save_state(state, &mut w);
            }
        }
        w.finish()
    }

    /// Loads an execution that was saved.
    pub fn load(definition: &'static Definition, snapshot: &[u8]) -> Result<Exec<M>, LoadError> {
        Exec::read(definition, snapshot, false)
    }

    /// Reads an execution that was saved, or the start of a batch if `begins` is set.
    pub(super) fn read(definition: &'static Definition, snapshot: &[u8], begins: bool) -> Result<Exec<M>, LoadError> {
        let mut r = Reader::new(snapshot);
        let header = Header::load(definition, &mut r)?;
        let result = load_result(&mut r)?;
        let is_old = header.format < EVENTS;
        let inbox = if is_old { Inbox::default() } else { Inbox::load(&mut r)? };
        let of_batch = if !is_old && r.take()? { Some(batch::load::<M>(&header, &mut r)?) } else { None };
        let mut frames = Vec::new();
        let mut states = Vec::new();
        for _ in 0..r.count()? {
            let (frame, state) = match r.take()? {
                true => (Some(Frame::load(&header, &mut r, true)?), Some(load_state(definition, &mut r)?)),
                false => (None, None),
            };
            frames.push(frame);
            states.push(state);
        }
        r.finish()?;
        let (mut outer, mut entries) = (None, Vec::new());
        if let Some(of_batch) = of_batch {
            (outer, entries) = (Some(Box::new(of_batch.outer)), of_batch.entries);
            if let (Some(place), Some(root)) = (frames.first_mut(), of_batch.root) {
                *place = Some(root);
            }
        }
        check(&frames, &header, result.is_some(), begins)?;
        batch::check(&frames, outer.is_some(), entries.len(), begins)?;
        let mut core = Core::new(header, Vec::new());
        core.outer = outer;
        core.frames = Frames::restored(frames);
        core.result = result;
        core.restore_inbox(inbox);
        core.reissue();
        Ok(Exec { turn: Turn::new(core), states, entries })
    }
}

pub(super) fn save_state<M: Machine>(state: &M, w: &mut Writer) {
    w.u64(state.point().layout);
    w.point(state.point().name);
    state.save(w);
}

pub(super) fn load_state<M: Machine>(definition: &Definition, r: &mut Reader<'_>) -> Result<M, LoadError> {
    let layout = r.u64()?;
    let name = r.point()?;
    let point = definition.point(name).ok_or_else(|| LoadError::unknown_point(name))?;
    if point.layout != layout {
        return Err(r.error(format!("the data saved at the suspension point `{name}` have changed")));
    }
    M::load(name, r)
}

pub(super) fn save_result(result: Option<&Outcome>, w: &mut Writer) {
    w.put(&result.map(Result::is_ok));
    match result {
        Some(Ok(output)) => w.put(output),
        Some(Err(fault)) => w.put(fault),
        None => {}
    }
}

pub(super) fn load_result(r: &mut Reader<'_>) -> Result<Option<Outcome>, LoadError> {
    Ok(match r.take()? {
        Some(true) => Some(Ok(r.take::<Value>()?)),
        Some(false) => Some(Err(r.take::<Fault>()?)),
        None => None,
    })
}

impl Header {
    pub(super) fn save(&self, w: &mut Writer) {
        self.save_fixed(w);
        self.save_progress(w);
    }

    pub(super) fn load(definition: &'static Definition, r: &mut Reader<'_>) -> Result<Header, LoadError> {
        let mut header = Header::load_fixed(definition, r)?;
        header.load_progress(r)?;
        Ok(header)
    }

    /// Writes the part that a turn may change.
    pub(super) fn save_progress(&self, w: &mut Writer) {
        w.put(&self.now);
        w.put(&self.deadline);
        w.put(&self.random_copy().parts()[2]);
        w.put(&self.last_op);
        w.put(&self.visits);
        w.put(&self.redrives);
        w.put(&self.terminating());
    }

    pub(super) fn load_progress(&mut self, r: &mut Reader<'_>) -> Result<(), LoadError> {
        self.now = r.take()?;
        self.deadline = r.take()?;
        self.stream.skip_to(r.take()?);
        self.last_op = r.take()?;
        self.visits = r.take()?;
        self.redrives = r.take()?;
        if self.format >= DELAYS
            && let Some(output) = r.take()?
        {
            self.terminate(output);
        }
        Ok(())
    }

    /// Writes the part that stays the same from the start of the execution.
    pub(super) fn save_fixed(&self, w: &mut Writer) {
        w.u64(FORMAT);
        w.put(self.definition.name);
        w.u64(self.definition.hash);
        let Identity { machine, account, region, role } = &self.identity();
        [&self.name, machine, account, region, role].into_iter().for_each(|text| w.put(text));
        w.put(&self.started);
        self.random_copy().parts()[..2].iter().for_each(|part| w.put(part));
        w.put(&self.input());
        w.put(&Value::from(self.settings()));
        w.put(&self.data_limit());
        w.put(&self.step_limit);
        w.put(&self.function_limits());
        w.put(&self.batching());
        w.put(&self.correlation().map(|correlation| &**correlation));
        w.put(&self.jsonata_limits());
    }

    pub(super) fn load_fixed(definition: &'static Definition, r: &mut Reader<'_>) -> Result<Header, LoadError> {
        let format = r.u64()?;
        if !(OLDEST..=FORMAT).contains(&format) {
            let known = format!("the formats {OLDEST} to {FORMAT}");
            return Err(r.error(format!("the snapshot has the format {format}; this runtime reads {known}")));
        }
        let name = r.str()?;
        if name != definition.name {
            let here = definition.name;
            return Err(r.error(format!("the snapshot is of the workflow `{name}`, not of `{here}`")));
        }
        // The hash is for people and tools. An execution can be loaded if the suspension points
        // that it waits at are unchanged.
        let _hash = r.u64()?;
        let name = r.take()?;
        let identity = Identity { machine: r.take()?, account: r.take()?, region: r.take()?, role: r.take()? };
        let started = r.take()?;
        let stream = Stream::restored([r.take()?, r.take()?, 0]);
        let input = r.take()?;
        let settings = match r.take()? {
            Value::Object(settings) => Arc::unwrap_or_clone(settings),
            _ => Object::new(),
        };
        let data_limit = r.take()?;
        let step_limit = r.take()?;
        let options = Options {
            identity: identity.stored(definition),
            input,
            settings,
            data_limit,
            function_limits: r.take()?,
            batching: if format >= EVENTS { r.take()? } else { None },
            correlation: if format >= CORRELATION { r.take::<Option<Str>>()?.map(Arc::new) } else { None },
            jsonata_limits: if format >= JSONATA { r.take()? } else { None },
            terminating: None,
        };
        Ok(Header {
            definition,
            name,
            started,
            stream,
            now: Timestamp::default(),
            deadline: None,
            last_op: 0,
            visits: 0,
            redrives: 0,
            step_limit,
            format,
            options: options.stored(),
        })
    }
}

impl Frame {
    /// Writes the frame. If `whole` is set, the outputs of its children are written with it.
    pub(super) fn save(&self, w: &mut Writer, whole: bool) {
        w.put(&self.op);
        w.put(&self.parent.0);
        w.put(&self.index);
        w.put(&self.item);
        w.put(self.state);
        w.put(&self.visit);
        w.put(&self.entered);
        w.put(&self.retries);
        w.put(&self.actions);
        w.put(&self.steps);
        w.put(&self.token.as_deref());
        w.put(&self.failed);
        match &self.wait {
            // A run of a distributed Map saves its frames itself.
            Wait::Nothing | Wait::Command(Command::Read(_) | Command::Write(_)) => w.u8(0),
            Wait::Command(Command::Sleep { until }) => {
                w.u8(if self.is_delayed { 8 } else { 1 });
                w.put(until);
            }
            Wait::Command(Command::Invoke(invocation)) => {
                w.u8(2);
                w.put(&**invocation);
            }
            Wait::Command(Command::Receive(reception)) => {
                w.u8(4);
                w.put(&**reception);
            }
            Wait::Command(Command::Publish(event)) => {
                w.u8(5);
                w.put(&**event);
            }
            Wait::Command(Command::Call(call)) => {
                w.u8(6);
                w.put(&**call);
            }
            Wait::Command(Command::Batch(batch)) => {
                w.u8(7);
                w.put(&**batch);
            }
            Wait::Children(join) => {
                w.u8(3);
                join.save(w, whole);
            }
            Wait::Draining => w.u8(9),
        }
    }

    pub(super) fn load(header: &Header, r: &mut Reader<'_>, whole: bool) -> Result<Frame, LoadError> {
        let definition = header.definition;
        let op = r.take()?;
        let (parent, index, item) = (FrameId(r.take()?), r.take()?, r.take()?);
        let name = r.str()?;
        let state = match definition.state(name) {
            Some(state) => state.name,
            None if name.is_empty() => "",
            None => return Err(r.error(format!("the workflow has no state `{name}`"))),
        };
        let frame = Frame::new(parent, index, item);
        let mut is_delayed = false;
        Ok(Frame {
            op,
            state,
            visit: r.take()?,
            entered: r.take()?,
            retries: r.take()?,
            actions: r.take()?,
            steps: {
                if header.format == ORDER {
                    // Older versions store the number of calls before the retry block here. The
                    // block stores it now.
                    let _: u32 = r.take()?;
                }
                r.take()?
            },
            token: r.take::<Option<Str>>()?.map(Box::new),
            failed: r.take()?,
            wait: match r.u8()? {
                1 => Wait::Command(Command::Sleep { until: r.take()? }),
                8 => {
                    is_delayed = true;
                    Wait::Command(Command::Sleep { until: r.take()? })
                }
                2 => Wait::Command(Command::Invoke(Arc::new(saved::load_invocation(definition, r)?))),
                3 => Wait::Children(Box::new(Join::load(header.format, r, whole)?)),
                4 => Wait::Command(Command::Receive(Arc::new(saved::load_reception(definition, r)?))),
                5 => Wait::Command(Command::Publish(Arc::new(r.take()?))),
                6 => Wait::Command(Command::Call(Arc::new(r.take()?))),
                7 => Wait::Command(Command::Batch(Arc::new(r.take::<Batch>()?))),
                9 => Wait::Draining,
                other => return Err(r.error(format!("invalid kind of wait {other}"))),
            },
            is_delayed,
            ..frame
        })
    }
}

impl Join {
    fn save(&self, w: &mut Writer, whole: bool) {
        w.put(&self.items);
        w.put(&self.total);
        w.put(&self.limits.concurrency);
        w.put(&self.limits.tolerated_count);
        w.put(&self.limits.tolerated_percentage);
        w.put(&self.limits.in_batches);
        w.put(&self.limits.completion_order);
        w.put(&self.limits.first);
        w.put(&self.limits.delay_seconds);
        w.put(&self.began);
        w.put(&self.share);
        if whole {
            w.put(&self.failed);
            w.put(&self.results);
            w.put(&self.running);
        }
    }

    fn load(format: u64, r: &mut Reader<'_>, whole: bool) -> Result<Join, LoadError> {
        let (items, total): (Option<Value>, u32) = (r.take()?, r.take()?);
        let mut limits = Limits {
            concurrency: r.take()?,
            tolerated_count: r.take()?,
            tolerated_percentage: r.take()?,
            ..Limits::default()
        };
        if format >= ORDER {
            (limits.in_batches, limits.completion_order, limits.first) = (r.take()?, r.take()?, r.take()?);
        }
        let mut began = None;
        if format >= DELAYS {
            (limits.delay_seconds, began) = (r.take()?, r.take()?);
        }
        let share = if format >= EVENTS { r.take()? } else { Share::All };
        let mut join = Join { results: Vec::new(), share, began, ..Join::new(items, 0, limits) };
        join.total = total;
        if whole {
            (join.failed, join.results, join.running) = (r.take()?, r.take()?, r.take()?);
        }
        let fit = join.fits() && (whole || join.share == Share::All);
        match fit {
            true => Ok(join),
            false => Err(r.error("the results of an iteration do not match its items")),
        }
    }
}

/// Checks that the frames are a tree in which every frame waits, and every join waits for the
/// children that exist.
pub(super) fn check(frames: &[Option<Frame>], header: &Header, ended: bool, begins: bool) -> Result<(), LoadError> {
    let wrong = |problem: &str| Err(LoadError::new(format!("the frames of the snapshot are inconsistent: {problem}")));
    let used = || (0..).map(FrameId).zip(frames).filter_map(|(id, frame)| Some((id, frame.as_ref()?)));
    if ended == used().next().is_some() {
        return wrong("a running execution must have frames, and an ended one must not");
    }
    if !ended && !matches!(frames.first(), Some(Some(root)) if root.parent == NONE) {
        return wrong("the root frame is missing");
    }
    let mut running = vec![0u32; frames.len()];
    let mut ops: Vec<u64> = Vec::new();
    for (id, frame) in used() {
        ops.push(frame.op);
        if id == ROOT {
            continue;
        }
        match frames.get(frame.parent.0 as usize) {
            Some(Some(Frame { wait: Wait::Children(join), .. })) if join.has_started(frame.index) => {
                running[frame.parent.0 as usize] += 1;
            }
            Some(Some(Frame { wait: Wait::Draining, .. })) => running[frame.parent.0 as usize] += 1,
            _ => return wrong("no frame waits for a branch"),
        }
    }
    for (id, frame) in used() {
        match &frame.wait {
            Wait::Children(join) if join.running == 0 && !begins || join.running != running[id.0 as usize] => {
                return wrong("a frame waits for missing branches");
            }
            Wait::Draining if running[id.0 as usize] == 0 => {
                return wrong("a frame waits for missing branches");
            }
            wait if header.is_terminating() != (wait.is_being_done() || matches!(wait, Wait::Draining))
                && (header.is_terminating() || matches!(wait, Wait::Draining)) =>
            {
                return wrong("only a terminating execution waits for running tasks to drain");
            }
            _ => {}
        }
    }
    if header.last_op > COUNT_LIMIT || header.visits > COUNT_LIMIT {
        return wrong("the number of steps is too large");
    }
    ops.sort_unstable();
    let unique = ops.windows(2).all(|pair| pair[0] < pair[1]);
    if !unique || ops.first() == Some(&0) || ops.last().is_some_and(|last| *last > header.last_op) {
        return wrong("operations are not numbered consecutively");
    }
    // A frame's operation is issued before those of its children, and the frame waits until its
    // children have ended. Operations therefore grow from the root down, which rules out cycles.
    let grows = |frame: &Frame| match frames.get(frame.parent.0 as usize) {
        Some(Some(above)) => above.op < frame.op,
        _ => true,
    };
    if !used().all(|(_, frame)| grows(frame)) {
        return wrong("a branch is older than the frame that waits for it");
    }
    Ok(())
}

impl Core {
    /// Issues all commands that frames wait for again, in the order in which they were first
    /// issued.
    pub(super) fn reissue(&mut self) {
        let commands = self.frames.iter().filter(|(_, frame)| matches!(frame.wait, Wait::Command(_)));
        let mut ops: Vec<Op> = commands.map(|(id, frame)| Op { id: frame.op, frame: id }).collect();
        ops.sort_unstable();
        ops.into_iter().for_each(|op| self.issue_op(op));
        self.issued_before = self.header.last_op;
    }
}

#[cfg(test)]
mod tests {
    use super::super::functions::JsonataLimits;
    use super::super::start::Start;
    use super::*;

    const LIMITS: JsonataLimits = JsonataLimits { depth: 50, bytes: 1_000 };
    static LIMITED: Definition = Definition { jsonata_limits: Some(LIMITS), ..Definition::VERSION_0_1_0 };
    static PLAIN: Definition = Definition::VERSION_0_1_0;

    #[test]
    fn limits_of_the_start_take_precedence_and_survive_a_snapshot() {
        let given = JsonataLimits { depth: 7, bytes: 9 };
        for (definition, of_start, expected) in [
            (&LIMITED, Some(given), Some(given)),
            (&LIMITED, None, Some(LIMITS)),
            (&PLAIN, Some(given), Some(given)),
            (&PLAIN, None, None),
        ] {
            let start = Start { jsonata_limits: of_start, ..Start::new(Value::Null) };
            let (header, ..) = start.into_parts(definition);
            assert_eq!(header.jsonata_limits(), expected);
            let mut w = Writer::new();
            header.save(&mut w);
            let bytes = w.finish();
            let loaded = Header::load(definition, &mut Reader::new(&bytes)).expect("it loads");
            assert_eq!(loaded.jsonata_limits(), expected);
        }
    }
}
