//! The end of a run.

use super::MapRun;
use super::results::{Ended, ResultSlot};
use crate::machine::command::Outcome;
use crate::machine::frame::ROOT;
use crate::objects::{ChildOutcome, ChildRecord, Transformation};
use crate::value::{Str, Value};

impl MapRun {
    /// Ends the run if nothing is left to do.
    pub(super) fn end_if_done(&mut self) {
        if self.core.result.is_some() {
            return;
        }
        let stores = self.settings.writer.arguments.is_some();
        if !stores && let Some(fault) = self.failing.take() {
            return self.finish(Err(fault));
        }
        if self.is_done() && !stores {
            let output = self.output();
            self.finish(Ok(output));
        }
    }

    /// Returns `true` if all children have ended, and no items are left.
    pub(super) fn is_done(&self) -> bool {
        self.is_end && self.in_flight == 0 && !self.items.is_reading && self.again.is_empty()
    }

    /// Returns `true` if the result of the Map will exceed the limit, by the results until now.
    pub(super) fn is_too_long(&self) -> bool {
        let (bytes, count) = (self.results.bytes(), self.results.len());
        // Each result has a comma. When arrays are joined, their brackets vanish.
        let least = match self.settings.writer.transformation {
            Transformation::Flatten => bytes.saturating_sub(count.saturating_mul(2)),
            _ => bytes.saturating_add(count),
        };
        self.settings.writer.arguments.is_none() && least > self.core.output_limit()
    }

    /// Returns the result of the Map.
    fn output(&mut self) -> Value {
        let slots: Vec<ResultSlot> = self.results.take().into();
        let transformation = self.settings.writer.transformation;
        if transformation == Transformation::Compact {
            // One result for each child: the vector is converted in place.
            let results = slots.into_iter().map(|slot| slot.into_outcome().into_value());
            return results.collect::<Vec<Value>>().into();
        }
        let results = slots.into_iter().zip(0..).flat_map(|(slot, number)| match slot {
            ResultSlot::Record(ended) => transformation.results(&self.record(number, &ended)),
            slot => transformation.results_of(slot.into_outcome()),
        });
        Value::from(results.collect::<Vec<Value>>())
    }

    /// Returns the record of a child.
    pub(super) fn record(&self, number: u64, ended: &Ended) -> ChildRecord {
        let is_shown = self.settings.writer.has_records(matches!(ended.outcome, ChildOutcome::Succeeded { .. }));
        let ((name, execution_arn), state_machine_arn) = match is_shown {
            true => (self.child_name(number, ended.redrives), self.child_machine()),
            false => Default::default(),
        };
        let date = |time: Option<crate::time::Timestamp>| time.map(|time| Str::from(time.to_string()));
        ChildRecord {
            execution_arn,
            name,
            state_machine_arn,
            input: ended.input.clone().unwrap_or_default(),
            outcome: ended.outcome.clone(),
            redrive_count: ended.redrives.into(),
            redrive_status: Str::from_static("NOT_REDRIVABLE"),
            redrive_status_reason: match &ended.outcome {
                ChildOutcome::Succeeded { .. } => {
                    Some(Str::from_static("Execution is SUCCEEDED and cannot be redriven"))
                }
                ChildOutcome::Failed { .. } | ChildOutcome::Pending => None,
            },
            start_date: date(ended.started),
            stop_date: date(ended.ended),
        }
    }

    /// Ends the run with its outcome.
    pub(super) fn finish(&mut self, outcome: Outcome) {
        let outcome = outcome.and_then(|output| match self.core.over_any_limit(&output, self.map.state) {
            None => Ok(output),
            Some(fault) => Err(fault),
        });
        self.core.cancel_children(ROOT);
        self.core.frames.remove(ROOT);
        self.core.free(ROOT);
        self.core.track(|tracker| tracker.frame_ended(ROOT, true));
        self.core.clear_outbox();
        self.core.work.clear();
        self.core.finish(outcome);
    }
}
