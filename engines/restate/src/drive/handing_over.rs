//! Limits of the journal and of messages: when another invocation continues, and what the server
//! would refuse.

use restate_sdk_shared_core::Error;
use workflow_runtime::machine::Outcome;
use workflow_runtime::value::TooLarge;
use workflow_runtime::{Fault, Value, fault};

use super::{Drive, Ended};
use crate::journal::{MESSAGE_LIMIT, NO_TIME};
use crate::segment::Segment;

/// Factor of the journal limit from which new tasks have to wait until running ones have ended.
const OVERLONG_FACTOR: u64 = 4;

/// The same factor for runs of distributed Maps.
const OVERLONG_MAP_FACTOR: u64 = 2;

/// Bytes in the journal of a run of a distributed Map from which on it begins nothing more.
const OVERLONG_MAP_BYTES: u64 = 64 << 20;

impl Drive<'_> {
    /// Returns `true` if another invocation has to continue. Commands that were issued and not
    /// begun are in the snapshot.
    pub(super) fn must_hand_over(&mut self) -> Result<bool, Error> {
        // A run of a Map can be continued almost any time, so it is continued only when it begins
        // nothing more.
        let is_long = match self.is_map_run {
            true => self.is_overlong(),
            false => self.entries - self.initial_entries >= self.state.limits.journal,
        };
        if !is_long || !self.is_idle() || self.execution.result().is_some() {
            return Ok(false);
        }
        // The snapshot does not wait for cancelled operations.
        self.stop_unwanted()?;
        Ok(!self.ask_for_starts()?)
    }

    /// Hands over to another invocation. Returns nothing if the server would refuse the snapshot:
    /// then the execution has failed.
    pub(super) fn hand_over(&mut self) -> Option<Ended> {
        self.state.segment += 1;
        let snapshot = Segment::save(&self.state, &*self.execution);
        if snapshot.len() as u64 <= MESSAGE_LIMIT {
            return Some(Ended::Segment(snapshot));
        }
        self.end(NO_TIME, Err(self.too_large("The state of the execution", TooLarge { limit: MESSAGE_LIMIT })));
        None
    }

    /// Returns the outcome, or a fault if the server would refuse it.
    pub(super) fn sendable(&self, outcome: Outcome) -> Outcome {
        let output = outcome?;
        match output.json_len(MESSAGE_LIMIT) {
            Ok(_) => Ok(output),
            Err(error) => Err(self.too_large("The output of the execution", error)),
        }
    }

    fn too_large(&self, what: &str, error: TooLarge) -> Fault {
        let fault = Fault::too_large(what, error);
        match fault.cause().and_then(Value::as_str) {
            Some(cause) if self.is_map_run => {
                let advice = format!("{cause} Write the results of the Map with a ResultWriter.");
                Fault::new(fault::names::DATA_LIMIT_EXCEEDED, advice)
            }
            _ => fault,
        }
    }

    /// Returns `true` if the journal is so long that no task begins any more.
    pub(super) fn is_overlong(&self) -> bool {
        let has_entries =
            |factor| self.entries - self.initial_entries >= self.state.limits.journal.saturating_mul(factor);
        match self.is_map_run {
            // The next invocation would read everything again, and come no further.
            true if self.execution.begins_first_input() => false,
            true => has_entries(OVERLONG_MAP_FACTOR) || self.bytes >= OVERLONG_MAP_BYTES,
            false => has_entries(OVERLONG_FACTOR),
        }
    }
}
