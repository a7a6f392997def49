//! The results that are written to an object store.

use std::sync::Arc;

use super::MapRun;
use super::children::WRITING;
use super::results::{Ended, ResultSlot};
use crate::machine::command::{Command, Outcome};
use crate::objects::{ChildOutcome, ChildRecord, WriteResults};
use crate::value::{Str, Value};

/// The bytes of results from which on they are written, into files of their own. The results until
/// then are part of the run's state.
const FILE_BYTES: u64 = 8 << 20;

impl MapRun {
    /// Returns `true` if there are results for two files. Until some of them are written, or those
    /// before them have ended, no more children start.
    pub(super) fn has_many_results(&self) -> bool {
        self.results.bytes() >= 2 * FILE_BYTES
    }

    /// Returns `true` if the writer was tried: a wrong one is found before the first child starts.
    pub(super) fn is_writer_checked(&mut self) -> bool {
        let Some(arguments) = self.settings.writer.arguments.clone() else { return true };
        if !self.is_checked && !self.is_writing {
            self.write(arguments, Vec::new(), false);
        }
        self.is_checked
    }

    /// Writes results if there are enough of them, or the last ones.
    pub(super) fn write_results(&mut self) {
        let Some(arguments) = self.settings.writer.arguments.clone() else { return };
        if self.is_writing || self.core.result.is_some() {
            return;
        }
        let is_over = self.is_done();
        if !is_over && self.results.ready() < FILE_BYTES {
            return;
        }
        let (mut records, mut bytes) = (Vec::new(), 0_u64);
        for (number, slot, size) in self.results.until(self.results.ended()) {
            if bytes >= FILE_BYTES {
                break;
            }
            bytes = bytes.saturating_add(size);
            records.push(self.record_of(number, slot));
        }
        let is_last = is_over && records.len() as u64 == self.results.len();
        self.write(arguments, records, is_last);
    }

    fn write(&mut self, arguments: Value, records: Vec<ChildRecord>, is_last: bool) {
        let config = self.settings.writer.config.clone();
        let request = WriteResults::new(arguments, config, self.name(), self.map_run_arn(), records);
        self.is_writing = true;
        let is_redriven = !self.is_checked && self.core.header.redrives > 0;
        let request = request.of_map(Str::from_static(self.map.state)).after(self.written.clone());
        let request = request.last(is_last).redriven(is_redriven);
        self.issue(WRITING, Command::Write(Arc::new(request)));
    }

    fn record_of(&self, number: u64, slot: &ResultSlot) -> ChildRecord {
        let outcome = match slot {
            ResultSlot::Record(ended) => return self.record(number, ended),
            ResultSlot::Output(output) => ChildOutcome::Succeeded { output: output.clone() },
            ResultSlot::Open => ChildOutcome::Pending,
        };
        self.record(number, &Ended { input: None, outcome, started: None, ended: None, redrives: 0 })
    }

    /// Records that results were written.
    pub(super) fn has_written(&mut self, request: &WriteResults, outcome: Outcome) {
        (self.is_writing, self.is_checked) = (false, true);
        match outcome {
            Ok(result) if request.is_last => {
                let outcome = self.failing.take().map_or(Ok(result), Err);
                self.finish(outcome);
                self.drop_freed();
            }
            Ok(state) => {
                (self.written, self.has_new_files) = (state, true);
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
