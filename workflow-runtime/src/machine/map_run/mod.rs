//! Runs of distributed Maps: executions that start a child for each item or batch of items, and
//! collect the results ([ADR 0048](docs/adr/0048-distributed-maps.md)).
//!
//! A run is not generated code. Its state is a cursor into the items, the children in flight,
//! counters and results. Everything else is as in any execution: the engine carries out commands
//! and reports completions. The children are calls of an entry of the workflow.
//!
//! The table of frames has the root, a frame for each child in flight, and one for each command
//! that reads items or writes results. The latter two are not saved: a run that was loaded issues
//! them again from its cursor and its results.

mod children;
mod ending;
mod failed;
mod inputs;
mod items;
mod names;
mod redriving;
mod results;
mod rows;
mod saved;
mod settings;
#[cfg(test)]
mod tests;
mod update;
mod writing;

pub(super) use self::names::shown_name;
pub(super) use self::rows::has_rows;
pub(super) use self::saved::is_snapshot;
#[cfg(feature = "testing")]
pub(crate) use self::settings::fault_of_failures;
pub use self::update::{InvalidMapUpdate, MapUpdate};

use std::time::Duration;

use self::failed::ChildQueue;
use self::inputs::Inputs;
use self::items::{Cursor, ItemQueue};
use self::redriving::PendingFrom;
use self::results::ChildResults;
use self::settings::Settings;
use super::call::Target;
use super::command::{Command, FrameId, Op, Outcome};
use super::core::{Core, Job};
use super::definition::DistributedMap;
use super::events::Delivery;
use super::execution::{Execution, Program, Waiting, WaitsFor};
use super::frame::{NONE, ROOT, Wait};
use super::info::ExecutionInfo;
use super::observer::{EventKind, Observer};
use super::occurrence::{Occurrence, Stop};
use super::part::Part;
use super::rows::Changes;
use super::start::Start;
use super::tracker::Tracker;
use crate::fault::Fault;
use crate::objects::ItemChunk;
use crate::time::Timestamp;
use crate::value::{Value, object};

/// The number of children whose commands wait for the engine. It bounds how much a turn does.
const ISSUED_AT_ONCE: usize = 64;

/// The operation of the root, which waits for no command.
const ROOT_OP: Op = Op { id: 1, frame: ROOT };

/// The numbers of items in a Map run, by what became of them.
///
/// ```
/// use workflow_runtime::Value;
/// use workflow_runtime::engine::MapCounts;
///
/// let counts = Value::from_json(r#"{ "pending": 5, "running": 2, "succeeded": 90, "failed": 3 }"#).unwrap();
/// let counts = MapCounts::from_value(&counts).unwrap();
/// assert_eq!(counts.pending + counts.running + counts.succeeded + counts.failed, 100);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MapCounts {
    /// The items that are known, and whose children have not started.
    pub pending: u64,
    /// The items whose children run.
    pub running: u64,
    /// The items whose children succeeded.
    pub succeeded: u64,
    /// The items whose children failed, timed out or were aborted.
    pub failed: u64,
}

impl MapCounts {
    /// Returns the numbers as an object.
    pub fn to_value(self) -> Value {
        let MapCounts { pending, running, succeeded, failed } = self;
        let members = [("pending", pending), ("running", running), ("succeeded", succeeded), ("failed", failed)];
        object(members.map(|(name, count)| (name, Value::from(count))))
    }

    /// Returns the numbers once the run has ended: its end has aborted the children that ran.
    pub fn ended(self) -> MapCounts {
        MapCounts { running: 0, failed: self.failed.saturating_add(self.running), ..self }
    }

    /// Reads the numbers from an object.
    pub fn from_value(value: &Value) -> Option<MapCounts> {
        let count = |name: &str| u64::try_from(value.get(name)?.as_i64()?).ok();
        Some(MapCounts {
            pending: count("pending")?,
            running: count("running")?,
            succeeded: count("succeeded")?,
            failed: count("failed")?,
        })
    }
}

/// A run of a distributed Map.
pub(super) struct MapRun {
    core: Core,
    program: Program,
    map: &'static DistributedMap,
    /// The index of the Map in the definition.
    index: u32,
    settings: Settings,
    /// The changes of the settings.
    updated: MapUpdate,
    items: ItemQueue,
    inputs: Inputs,
    results: ChildResults,
    /// The numbers of items. Those pending are the ones that a failing run has listed.
    counts: MapCounts,
    /// The number of children that run, and the bytes of their inputs.
    in_flight: u64,
    bytes_in_flight: u64,
    /// `true` if no child can start before something is completed.
    is_blocked: bool,
    /// The frame whose command the engine has fetched last.
    fetched: FrameId,
    /// `true` if there are no more inputs.
    is_end: bool,
    /// `true` once there was an input since the run began or was loaded.
    has_input: bool,
    is_writing: bool,
    /// `true` if something was written. Before that, no child starts.
    is_checked: bool,
    /// The state of the writer, and whether it has changed since it was stored.
    written: Value,
    has_new_files: bool,
    /// The fault by which the run ends, once its results are written.
    failing: Option<Fault>,
    /// The children that have failed, for a redrive, and the number of those that were not kept.
    failed: ChildQueue,
    lost: u64,
    /// The children that a redrive starts again.
    again: ChildQueue,
    /// The place from which on a failing run lists items as pending.
    pending_from: Option<PendingFrom>,
}

impl MapRun {
    /// Creates a run that starts its first children when it [computes](Execution::compute).
    ///
    /// # Panics
    /// The definition has no Map of this index.
    pub fn begin(program: Program, index: u32, start: Start) -> MapRun {
        let map = &program.definition.maps[index as usize];
        let (mut header, input, observers) = start.into_parts(program.definition);
        if header.options.is_some() {
            // The settings have the input.
            header.options_mut().input = Value::Null;
        }
        // The streams of all children begin with that of the run.
        header.random();
        let settings = Settings::new(input);
        let mut core = Core::new(header, observers);
        core.frames.add(NONE, 0, None);
        core.header.last_op = ROOT_OP.id;
        let (now, root) = (core.header.now, core.frames.get_mut(ROOT));
        (root.op, root.state, root.entered) = (ROOT_OP.id, map.state, now);
        if core.observed {
            core.notify(NONE, EventKind::ExecutionStarted { input: &settings.all });
        }
        let mut run = MapRun::new(core, program, map, index, settings, Cursor::default(), 0);
        run.advance_later();
        run
    }

    fn new(
        core: Core,
        program: Program,
        map: &'static DistributedMap,
        index: u32,
        settings: Settings,
        cursor: Cursor,
        first: u64,
    ) -> MapRun {
        MapRun {
            items: ItemQueue::new(map, &settings, cursor.clone()),
            inputs: Inputs::new(cursor),
            results: ChildResults::from_child(first, settings.writer.arguments.is_some()),
            core,
            program,
            map,
            index,
            settings,
            updated: MapUpdate::default(),
            counts: MapCounts::default(),
            in_flight: 0,
            bytes_in_flight: 0,
            is_blocked: false,
            fetched: NONE,
            is_end: false,
            has_input: false,
            is_writing: false,
            is_checked: false,
            written: Value::Null,
            has_new_files: false,
            failing: None,
            failed: ChildQueue::default(),
            lost: 0,
            again: ChildQueue::default(),
            pending_from: None,
        }
    }

    /// Returns the numbers of items.
    fn counts(&self) -> MapCounts {
        let unlisted = self.items.pending() + self.inputs.held() + self.again.items();
        MapCounts { pending: unlisted.saturating_add(self.counts.pending), ..self.counts }
    }

    /// Schedules a turn.
    fn advance_later(&mut self) {
        if self.core.work.is_empty() {
            self.core.work.push(Job::Start(ROOT_OP));
        }
    }

    /// Starts children, writes results, and ends the run, as far as possible.
    fn advance(&mut self) {
        self.is_blocked = true;
        if self.core.result.is_some() || self.core.header.is_terminating() {
            return;
        }
        if !self.is_writer_checked() {
            return;
        }
        self.check_failures();
        match self.failing {
            None => self.start_children(),
            Some(_) => self.list_pending(),
        }
        self.write_results();
        self.end_if_done();
        self.drop_freed();
    }

    /// Applies the outcome of a command. Returns `false` if nothing waits for it.
    fn completed(&mut self, op: Op, at: Timestamp, outcome: Outcome) -> bool {
        let Some(frame) = self.core.frames.waiting(op) else { return false };
        let Wait::Command(command) = &frame.wait else { return false };
        let (command, number) = (command.clone(), frame.index);
        self.core.header.now = self.core.header.now.max(at);
        self.core.epoch += 1;
        if self.core.header.is_terminating() {
            self.core.drained(op.frame);
            self.drop_freed();
            return true;
        }
        // Reads and writes are not saved, so that a redrive has nothing to replay.
        let is_call = matches!(command, Command::Call(_));
        self.core.track(|tracker| tracker.last = is_call.then(|| (op, outcome.clone())));
        self.remove_frame(op.frame);
        // A child that succeeds before the engine fetches the next command needs no turn of its
        // own: one follows once all commands were fetched.
        let is_at_once = is_call && self.fetched == op.frame && self.core.issued() > 0;
        let failed = self.counts.failed;
        match command {
            Command::Call(call) => self.child_ended(u64::from(number), &call, outcome),
            Command::Read(_) => match outcome {
                Ok(chunk) => self.items.add(ItemChunk::from_value(chunk)),
                Err(fault) => {
                    self.items.fail();
                    self.fail(fault);
                }
            },
            Command::Write(request) => self.has_written(&request, outcome),
            _ => {}
        }
        match is_at_once && self.counts.failed == failed && !self.is_too_long() {
            true => self.is_blocked = false,
            false if self.core.result.is_none() => self.advance_later(),
            false => {}
        }
        true
    }

    /// Issues a command in a frame of its own.
    fn issue(&mut self, index: u32, command: Command) {
        let frame = self.core.frames.add(ROOT, index, None);
        self.core.header.last_op += 1;
        let op = Op { id: self.core.header.last_op, frame };
        let place = self.core.frames.get_mut(frame);
        (place.op, place.wait) = (op.id, Wait::Command(command));
        self.core.issue_op(op);
        self.core.track(|tracker| tracker.moved(frame));
    }

    fn remove_frame(&mut self, frame: FrameId) {
        self.core.frames.remove(frame);
        self.core.track(|tracker| tracker.frame_ended(frame, false));
    }

    /// Forgets the frames that have ended. They have no states.
    fn drop_freed(&mut self) {
        while self.core.next_freed().is_some() {}
    }

    fn end(&mut self, at: Timestamp, outcome: Outcome) {
        if self.core.result.is_none() {
            self.core.end(at, outcome);
            self.drop_freed();
        }
    }

    /// Returns the wait of the root: all children.
    fn root_waiting(&self) -> Waiting {
        let mut waiting = self.core.waiting(ROOT, self.core.frames.get(ROOT), self.map.label);
        waiting.waits_for = WaitsFor::Map(self.counts());
        waiting
    }
}

/// Creates a run. A run that cannot begin is an execution that fails.
pub(super) fn begin(program: Program, index: u32, mut start: Start) -> Box<dyn Execution> {
    if (index as usize) < program.definition.maps.len() {
        return Box::new(MapRun::begin(program, index, start));
    }
    // No entry has this number.
    start.part = Some(Part::Entry(u32::MAX));
    program.begin(start)
}

impl Execution for MapRun {
    fn info(&self) -> ExecutionInfo<'_> {
        ExecutionInfo::new(&self.core)
    }

    fn next_stop(&mut self) -> Option<Stop> {
        self.core.next_stop()
    }

    fn next_command(&mut self) -> Option<(Op, Command)> {
        let next = self.core.next_command();
        self.fetched = next.as_ref().map_or(NONE, |(op, _)| op.frame);
        if self.core.issued() == 0 && !self.is_blocked && self.core.result.is_none() {
            self.advance_later();
        }
        next
    }

    fn apply(&mut self, at: Timestamp, occurrence: Occurrence<'_>) -> Delivery {
        match occurrence {
            Occurrence::Completed(op, outcome) => match self.completed(op, at, outcome) {
                true => return Delivery::Consumed,
                false => return Delivery::Declined,
            },
            // A run waits for no events, and has no deadline and no tasks.
            Occurrence::Event(_) | Occurrence::AcceptedEvent(_) => return Delivery::Declined,
            Occurrence::TimedOut | Occurrence::HandedOver(_) | Occurrence::Rescheduled => {}
            Occurrence::Abandoned(op) => {
                self.core.abandon(op);
                self.drop_freed();
            }
            Occurrence::Ended(outcome) => self.end(at, outcome),
            Occurrence::Terminated(output) => {
                self.core.header.now = self.core.header.now.max(at);
                self.core.drain(output);
                self.drop_freed();
            }
            Occurrence::Redriven => self.redrive(at),
            Occurrence::Updated(update) => {
                self.core.header.now = self.core.header.now.max(at);
                self.update(update);
            }
            Occurrence::Resumed { restart } => self.core.notify_resumed(at, restart),
            Occurrence::ChildFailed(call, fault) => self.core.call_failed(at, call, fault),
        }
        Delivery::Consumed
    }

    fn compute(&mut self, _: Duration, _: Duration) {
        self.core.work.clear();
        self.advance();
    }

    fn describe(&self) -> Vec<Waiting> {
        if self.core.frames.is_empty() {
            return Vec::new();
        }
        let children = self.core.frames.iter().filter(|(id, _)| *id != ROOT);
        let children = children.map(|(id, frame)| self.core.waiting(id, frame, self.map.label));
        std::iter::once(self.root_waiting()).chain(children).collect()
    }

    fn save(&self) -> Vec<u8> {
        self.snapshot()
    }

    fn batch(&self, _: Op) -> Option<Vec<u8>> {
        None
    }

    fn changes(&mut self) -> Changes {
        self.take_changes()
    }

    fn observe(&mut self, observers: Vec<Box<dyn Observer>>) -> Vec<Box<dyn Observer>> {
        self.core.observe(observers)
    }

    fn map_counts(&self) -> Option<MapCounts> {
        Some(match self.core.result {
            Some(_) => self.counts().ended(),
            None => self.counts(),
        })
    }

    fn max_children(&self) -> Option<u64> {
        Some(self.settings.concurrency)
    }

    fn begins_first_input(&self) -> bool {
        // Before it has items, a run comes further by the ends of its children.
        let reads = self.inputs.held() > 0 || self.items.is_reading && self.in_flight == 0;
        reads && !self.has_input
    }
}

/// Returns the start of a part of the workflow, with what it has from the run.
fn part_of(core: &Core, part: Part, input: Value) -> Start {
    let mut start = Start::new(input);
    start.part = Some(part);
    start.inherit(ExecutionInfo::new(core));
    start
}

/// Returns the target of children.
fn target(map: &DistributedMap) -> Target {
    Target::Entry(map.entry)
}
