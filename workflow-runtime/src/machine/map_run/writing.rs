//! ChildResults that are written to an object store.

use std::sync::Arc;

use super::MapRun;
use super::children::WRITING;
use super::results::{Ended, ResultSlot};
use crate::machine::command::{Command, Outcome};
use crate::objects::{ChildOutcome, ChildRecord, WriteResults};
use crate::value::Value;

/// The bytes of results from which on they are written, into files of their own. The results until
/// then are part of the run's state.
const FILE_BYTES: u64 = 8 << 20;

impl MapRun {
    /// Returns `true` if there are results for this many files.
    pub(super) fn is_full(&self, files: u64) -> bool {
        self.results.bytes() >= files * FILE_BYTES
    }

    /// Writes results if there are enough of them, or the last ones.
    pub(super) fn write_results(&mut self) {
        let Some(arguments) = self.settings.writer.arguments.clone() else { return };
        if self.is_writing || self.core.result.is_some() {
            return;
        }
        let is_last = self.is_end && self.in_flight == 0 && !self.items.is_reading;
        if !is_last && !self.is_full(1) {
            return;
        }
        let records = self.results.until(self.results.ended());
        let records: Vec<ChildRecord> = records.map(|(number, slot)| self.record_of(number, slot)).collect();
        let config = self.settings.writer.config.clone();
        let request = WriteResults::new(arguments, config, self.name(), self.map_run_arn(), records);
        self.is_writing = true;
        let request = request.after(self.written.clone()).last(is_last);
        self.issue(WRITING, Command::Write(Arc::new(request)));
    }

    fn record_of(&self, number: u64, slot: &ResultSlot) -> ChildRecord {
        let outcome = match slot {
            ResultSlot::Record(ended) => return self.record(number, ended),
            ResultSlot::Output(output) => ChildOutcome::Succeeded { output: output.clone() },
            ResultSlot::Open => ChildOutcome::Pending,
        };
        self.record(number, &Ended { input: Value::Null, outcome, started: None, ended: None })
    }

    /// Records that results were written.
    pub(super) fn has_written(&mut self, request: &WriteResults, outcome: Outcome) {
        self.is_writing = false;
        match outcome {
            Ok(result) if request.is_last => {
                let outcome = self.failing.take().map_or(Ok(result), Err);
                self.finish(outcome);
                self.drop_freed();
            }
            Ok(state) => {
                self.written = state;
                self.results.remove_until(self.results.first() + request.records.len() as u64);
            }
            Err(fault) => {
                // A run that fails already keeps its fault.
                self.fail(fault);
                let fault = self.failing.take();
                self.finish(fault.map_or(Ok(Value::Null), Err));
                self.drop_freed();
            }
        }
    }
}
