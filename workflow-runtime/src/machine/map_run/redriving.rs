//! The redrive of a run: the children that have failed, were aborted or never started run again,
//! and the results of those that succeeded are kept.
//!
//! A child that is still in flight in the stored run is redriven by the engine. Of the others, the
//! run has kept the inputs, up to a limit.

use super::MapRun;
use super::failed::{FailedChild, KEPT, KEPT_BYTES};
use super::inputs::Inputs;
use super::items::{Cursor, ItemQueue};
use super::results::{Ended, ResultSlot};
use crate::fault::{Fault, names};
use crate::machine::call::Call;
use crate::objects::ChildOutcome;
use crate::time::Timestamp;
use crate::value::Value;
use crate::value::codec::{Load, LoadError, Reader, Save, Writer};

/// The place from which on items are listed as pending.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PendingFrom {
    /// The place behind the last item of a child.
    pub cursor: Cursor,
    /// The number of the first child that never starts.
    pub number: u64,
}

impl MapRun {
    /// Redrives the run after a failure.
    pub(super) fn redrive(&mut self, at: Timestamp) {
        self.core.redrive(at);
        let failing = self.failing.take();
        if self.lost > 0 {
            return self.refuse_redrive(failing);
        }
        if let Some(PendingFrom { cursor, number }) = self.pending_from.take() {
            self.results.truncate(number);
            self.items = ItemQueue::new(self.map, &self.settings, cursor.clone());
            self.inputs = Inputs::new(cursor);
        }
        (self.is_end, self.is_checked) = (false, false);
        // All that have failed start again, except those that never can.
        (self.counts.pending, self.counts.failed) = (0, 0);
        let mut again = self.again.take();
        for child in self.failed.take() {
            match &child.refused {
                Some(ended) => self.refuse_again(ended.clone(), child),
                None => {
                    self.results.reopen(child.number);
                    again.push(child);
                }
            }
        }
        // Those that have places among the results go first, in the order of their places: files
        // end where a result is missing, and no other child starts while there are many results.
        let first = self.results.first();
        again.sort_unstable_by_key(|child| (child.number < first, child.number));
        again.into_iter().for_each(|child| self.again.push(child));
        self.results.measure();
        self.advance_later();
    }

    /// Records once more that a child never starts: the files of failed children are dropped.
    fn refuse_again(&mut self, ended: Box<Ended>, child: FailedChild) {
        self.counts.failed = self.counts.failed.saturating_add(child.items);
        let is_here = child.number >= self.results.first();
        let number = if is_here { child.number } else { self.results.open() };
        if !is_here {
            self.results.set(number, ResultSlot::Record(ended));
        }
        self.failed.push(FailedChild { number, ..child });
    }

    /// Ends a run whose failed children cannot be started again.
    fn refuse_redrive(&mut self, failing: Option<Fault>) {
        let cause = format!(
            "The Map run cannot be redriven: it keeps the inputs of up to {KEPT} failed children and {} MiB, and {} more have \
             failed. Start the workflow again",
            KEPT_BYTES >> 20,
            self.lost
        );
        let failed = || Fault::named(names::EXCEED_TOLERATED_FAILURE_THRESHOLD, "");
        self.finish(Err(failing.unwrap_or_else(failed).with_cause(cause)));
        self.drop_freed();
    }

    /// Keeps a child that has failed, for a redrive.
    pub(super) fn keep_failed(&mut self, number: u64, call: &Call) {
        let is_failing = self.failing.is_some();
        if is_failing && self.settings.writer.arguments.is_none() {
            // The run ends in this turn: what is stored of it has the child in flight.
            return;
        }
        let (attempt, items, input) = (call.attempt, self.items_in(&call.input), call.input.clone());
        // The inputs of aborted children are limited while they run.
        self.keep(FailedChild { number, attempt, items, input, refused: None }, is_failing);
    }

    /// Keeps a child for a redrive, within the limits unless `always`.
    pub(super) fn keep(&mut self, child: FailedChild, always: bool) {
        match always || !self.failed.is_full() {
            true => self.failed.push(child),
            false => self.lost += 1,
        }
    }

    /// Starts children again, as many as may run at once. Returns `false` if some are left.
    pub(super) fn start_again(&mut self) -> bool {
        while let Some(child) = self.again.first() {
            // Results that are missing hold up all that follow.
            let is_missing = child.number >= self.results.first() && child.number <= self.results.ended();
            if !self.may_run_more() || self.is_behind() && !is_missing {
                return false;
            }
            if self.has_issued_enough() {
                return false;
            }
            let Some(FailedChild { number, attempt, input, .. }) = self.again.pop() else { return true };
            let number = if self.results.is_open(number) { number } else { self.results.open() };
            self.call_child(number, input, attempt.saturating_add(1));
        }
        true
    }

    /// Prepares a run that has failed and writes its results for its redrive.
    pub(super) fn mark_pending(&mut self) {
        if self.settings.writer.arguments.is_none() {
            return;
        }
        for child in self.again.take() {
            let number = if self.results.is_open(child.number) { child.number } else { self.results.open() };
            let outcome = ChildOutcome::Pending;
            let redrives = child.attempt.saturating_sub(1);
            let input = Some(self.excerpt(&child.input).unwrap_or_else(|| child.input.clone()));
            let ended = Ended { input, outcome, started: None, ended: None, redrives };
            self.results.set(number, ResultSlot::Record(Box::new(ended)));
            self.counts.pending = self.counts.pending.saturating_add(child.items);
            self.keep(FailedChild { number, ..child }, true);
        }
        self.pending_from = Some(PendingFrom { cursor: self.inputs.cursor.clone(), number: self.results.next() });
    }

    /// Returns the number of items in an input of a child.
    pub(super) fn items_in(&self, input: &Value) -> u64 {
        match &self.settings.batcher {
            None => 1,
            Some(_) => input.get("Items").and_then(Value::as_array).map_or(0, |items| items.len() as u64),
        }
    }
}

impl Save for PendingFrom {
    fn save(&self, w: &mut Writer) {
        w.put(&self.cursor);
        w.put(&self.number);
    }
}

impl Load for PendingFrom {
    fn load(r: &mut Reader<'_>) -> Result<PendingFrom, LoadError> {
        Ok(PendingFrom { cursor: r.take()?, number: r.take()? })
    }
}
