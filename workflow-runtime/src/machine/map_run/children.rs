//! The children of a run: their starts and their ends.

use std::sync::Arc;

use super::failed::FailedChild;
use super::inputs::NextInput;
use super::items::MapItem;
use super::results::{Ended, ResultSlot, child_outcome};
use super::settings::exceeded;
use super::{ISSUED_AT_ONCE, MapRun, part_of, target};
use crate::fault::{Fault, names};
use crate::machine::call::Call;
use crate::machine::command::{CallId, Command, Op, Outcome};
use crate::machine::core::Core;
use crate::machine::execution::Program;
use crate::machine::frame::{ROOT, Wait};
use crate::machine::part::Part;
use crate::objects::ChildOutcome;
use crate::value::{EXCERPT, Value};

/// The most children between the first one without a result and the next one, if the results are
/// written to an object store. It bounds memory while a single child takes long.
const AHEAD: u64 = 100_000;

/// The bytes of the inputs of running children from which on no more start.
const INPUT_BYTES: u64 = 64 << 20;

/// The most items that a turn lists which never start, if none of them is too long.
const LISTED_AT_ONCE: usize = 1_000;

/// The index of the frame that reads items, and of the one that writes results. Children have
/// smaller ones.
const READING: u32 = u32::MAX;
pub(super) const WRITING: u32 = u32::MAX - 1;

impl MapRun {
    /// Starts children, as many as may run at once and have inputs.
    pub(super) fn start_children(&mut self) {
        if !self.start_again() {
            return;
        }
        while self.may_run_more() && !self.is_behind() {
            if self.has_issued_enough() {
                return;
            }
            match self.next_input(false) {
                Ok(NextInput::Input(input, items)) => {
                    if !self.start_child(input, items) {
                        // To measure an input that is too long takes a while. The next one is for
                        // a turn of its own, so that others have theirs.
                        self.is_blocked = false;
                        return;
                    }
                }
                Ok(NextInput::Unread) => {
                    self.read_items();
                    break;
                }
                Ok(NextInput::End) => {
                    self.is_end = true;
                    break;
                }
                Err(fault) => {
                    self.fail(fault);
                    break;
                }
            }
        }
    }

    /// Returns `true` if one more child may run.
    pub(super) fn may_run_more(&self) -> bool {
        self.in_flight < self.settings.concurrency && self.bytes_in_flight < INPUT_BYTES && self.failing.is_none()
    }

    /// Returns `true` if the engine is to begin commands before more children start.
    pub(super) fn has_issued_enough(&mut self) -> bool {
        let has_enough = self.core.issued() >= ISSUED_AT_ONCE;
        self.is_blocked &= !has_enough;
        has_enough
    }

    /// Returns `true` if results must be written before more children start.
    pub(super) fn is_behind(&self) -> bool {
        self.settings.writer.arguments.is_some()
            && (self.has_many_results() || self.results.next() - self.results.ended() >= AHEAD)
            || self.results.next() >= u64::from(WRITING)
    }

    /// Returns the next input. `plain`: an item that cannot be selected is its own input.
    fn next_input(&mut self, plain: bool) -> Result<NextInput, Fault> {
        let next = self.take_input(plain);
        self.has_input |= matches!(next, Ok(NextInput::Input(..)));
        next
    }

    fn take_input(&mut self, plain: bool) -> Result<NextInput, Fault> {
        let MapRun { core, program, map, settings, items, inputs, .. } = self;
        let Some(selector) = map.selector else {
            return inputs.next(items, settings.batcher.as_ref(), |item| Ok(item.to_input()));
        };
        let mut select = |item: &MapItem| {
            let mut start = part_of(core, Part::Entry(selector), item.to_selector_input(&settings.scope));
            (start.time, start.seed) = (Some(core.header.now), Some(core.header.random().next()));
            start.name = Some(core.header.name.clone());
            match evaluate(*program, start) {
                Err(_) if plain => Ok(item.to_input()),
                selected => selected,
            }
        };
        inputs.next(items, settings.batcher.as_ref(), &mut select)
    }

    /// Starts a child. Returns `false` if its input is too long.
    fn start_child(&mut self, input: Value, items: u32) -> bool {
        let of = || format!("The input of a child execution of the Map '{}'", self.map.state);
        if let Err(fault) = self.core.check_text(&input, of) {
            self.refuse_child(&input, items, fault);
            return false;
        }
        let number = self.results.open();
        self.call_child(number, input, 1);
        true
    }

    /// Calls the child of this number.
    pub(super) fn call_child(&mut self, number: u64, input: Value, attempt: u32) {
        self.bytes_in_flight += bytes_of(&input);
        self.counts.running += self.items_in(&input);
        let call = CallId { visit: number + 1, path: Box::default(), action: 0 };
        let issued = self.core.header.now;
        let call = Call { target: target(self.map), input, detached: false, attempt, call, issued, timeout: None };
        // The number is below that of the frames that read and write.
        self.issue(number as u32, Command::Call(Arc::new(call)));
        self.in_flight += 1;
    }

    /// Counts a child whose input is too long as one that failed.
    fn refuse_child(&mut self, input: &Value, items: u32, fault: Fault) {
        let number = self.results.open();
        self.counts.failed += u64::from(items);
        let has_record = self.settings.writer.has_records(false);
        let input = has_record.then(|| self.excerpt(input).unwrap_or_else(|| input.clone()));
        let outcome = child_outcome(&Err(fault));
        let ended = Box::new(Ended { input, outcome, started: None, ended: None, redrives: 0 });
        let items = u64::from(items);
        let refused = Some(ended.clone());
        self.keep(FailedChild { number, attempt: 1, items, input: Value::Null, refused }, false);
        self.results.set(number, ResultSlot::Record(ended));
        self.check_failures();
    }

    /// Returns the beginning of the text of an input that is too long, as its record has it.
    pub(super) fn excerpt(&self, input: &Value) -> Option<Value> {
        self.core.check_text(input, String::new).err().map(|_| Value::from(input.excerpt(EXCERPT)))
    }

    /// Reads items, unless they are being read.
    fn read_items(&mut self) {
        if let Some(kind) = self.map.reader
            && !self.items.is_reading
        {
            self.items.is_reading = true;
            let request = self.items.request(self.map, kind, &self.settings);
            self.issue(READING, Command::Read(request));
        }
    }

    /// Records the end of a child.
    pub(super) fn child_ended(&mut self, number: u64, call: &Call, outcome: Outcome) {
        let outcome = outcome.and_then(|output| match self.core.over_any_limit(&output, self.map.state) {
            None => Ok(output),
            Some(fault) => Err(fault),
        });
        let items = self.items_in(&call.input);
        self.in_flight -= 1;
        self.bytes_in_flight = self.bytes_in_flight.saturating_sub(bytes_of(&call.input));
        self.counts.running = self.counts.running.saturating_sub(items);
        match &outcome {
            Ok(_) => self.counts.succeeded += items,
            Err(_) => {
                self.counts.failed += items;
                self.keep_failed(number, call);
            }
        }
        self.set_result(number, call, outcome);
    }

    fn set_result(&mut self, number: u64, call: &Call, outcome: Outcome) {
        let writer = &self.settings.writer;
        let slot = match outcome {
            Ok(output) if !writer.has_records(true) => ResultSlot::Output(output),
            outcome => {
                let has_record = writer.has_records(outcome.is_ok());
                ResultSlot::Record(Box::new(Ended {
                    input: has_record.then(|| call.input.clone()),
                    outcome: child_outcome(&outcome),
                    started: Some(call.issued),
                    ended: Some(self.core.header.now),
                    redrives: call.attempt.saturating_sub(1),
                }))
            }
        };
        self.results.set(number, slot);
    }

    /// Fails the run if more items have failed than it tolerates, or if its result is too long.
    pub(super) fn check_failures(&mut self) {
        if self.failing.is_some() {
            return;
        }
        if self.is_too_long() {
            return self.fail(Core::too_long(self.map.state));
        }
        let total = self.items.total().or_else(|| self.is_end.then_some(self.inputs.cursor.index));
        if self.settings.limits.is_exceeded(self.counts.failed, total) == Some(true) {
            self.fail(exceeded());
        }
    }

    /// Fails the run: stops what runs. The results that there are will be written.
    ///
    /// A write goes on: a store that has it in progress could replace what is written after it.
    pub(super) fn fail(&mut self, fault: Fault) {
        if self.failing.is_some() {
            return;
        }
        self.failing = Some(fault);
        self.advance_later();
        let running = self.core.frames.children(ROOT);
        let mut running: Vec<(u32, Op, Option<Arc<Call>>)> = running
            .filter_map(|(id, frame)| match &frame.wait {
                Wait::Command(Command::Call(call)) => {
                    Some((frame.index, Op { id: frame.op, frame: id }, Some(call.clone())))
                }
                Wait::Command(Command::Read(_)) => Some((frame.index, Op { id: frame.op, frame: id }, None)),
                _ => None,
            })
            .collect();
        running.sort_unstable_by_key(|(number, ..)| *number);
        self.items.is_reading = false;
        for (number, op, call) in running {
            self.core.cancel(op);
            self.remove_frame(op.frame);
            if let Some(call) = call {
                let aborted = Fault::named(names::CANCELLED, "The Map run has failed");
                self.child_ended(u64::from(number), &call, Err(aborted));
            }
        }
        self.mark_pending();
    }

    /// Lists the items whose children never start, if the results are written to an object store.
    pub(super) fn list_pending(&mut self) {
        let mut listed = 0;
        while self.settings.writer.arguments.is_some() && !self.is_end && !self.is_behind() {
            if listed >= LISTED_AT_ONCE {
                self.is_blocked = false;
                return;
            }
            match self.next_input(true) {
                Ok(NextInput::Input(input, items)) => listed += self.set_pending(input, items),
                Ok(NextInput::Unread) if self.items.can_read() => return self.read_items(),
                // Items that cannot be read are not listed. A batch may have waited for them.
                Ok(NextInput::Unread | NextInput::End) | Err(_) => {
                    let open = self.inputs.close_open(&self.items, self.settings.batcher.as_ref());
                    if let NextInput::Input(input, items) = open {
                        self.set_pending(input, items);
                    }
                    self.is_end = true;
                }
            }
        }
    }

    /// Lists an input whose child never starts. Returns how much of a turn that takes.
    fn set_pending(&mut self, input: Value, items: u32) -> usize {
        self.counts.pending += u64::from(items);
        let (input, weight) = match self.excerpt(&input) {
            None => (input, 1),
            Some(excerpt) => (excerpt, LISTED_AT_ONCE),
        };
        let number = self.results.open();
        let outcome = ChildOutcome::Pending;
        let ended = Ended { input: Some(input), outcome, started: None, ended: None, redrives: 0 };
        self.results.set(number, ResultSlot::Record(Box::new(ended)));
        weight
    }
}

/// Returns the bytes of an input, as far as they matter.
pub(super) fn bytes_of(input: &Value) -> u64 {
    input.json_len(INPUT_BYTES).unwrap_or(INPUT_BYTES)
}

/// Runs an entry that ends at once.
fn evaluate(program: Program, start: crate::machine::Start) -> Outcome {
    let execution = program.start(start);
    execution.result().cloned().unwrap_or_else(|| Err(Fault::runtime("the selector of a Map does not wait")))
}
