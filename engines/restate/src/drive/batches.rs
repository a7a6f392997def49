//! Batches: parts of an iteration, each an invocation of its own.
//!
//! The state of batches is in promises of the execution. So any invocation can continue the
//! execution, and any the batch.

use hyper::body::Bytes;
use restate_sdk_shared_core::{Error, NonEmptyValue, VM};
use workflow_runtime::machine::Op;

use super::{Drive, Wait};
use crate::connection::{any_payload, target};
use crate::handlers::Handler;
use crate::promises;
use crate::segment::Segment;

impl Drive<'_> {
    /// Starts an invocation for a batch unless there is one, and waits for its outcome.
    pub(super) fn begin_batch(&mut self, op: Op) -> Result<(), Error> {
        // The state of batches cannot be stored in rows.
        self.keep_no_state("it has iterated in batches in its last invocation");
        if self.state.batches.insert(op.id) {
            let Some(snapshot) = self.execution.batch(op) else {
                return Err(Error::internal("the command is not a batch"));
            };
            let batch = Segment::of_batch(self.execution.info().definition(), op.id, &self.state, &snapshot);
            let invocation = target(&self.service.name, Handler::Batch.name(), self.execution.info().id());
            self.command();
            self.connection.vm.sys_send(invocation, batch, None, None, any_payload())?;
        }
        self.command();
        let outcome = self.connection.vm.sys_get_promise(promises::batch_result(op.id))?;
        self.pending.entry(op).or_default();
        self.wait(op, outcome, Wait::Batch(op));
        Ok(())
    }

    /// Cancels a running batch.
    pub(super) fn cancel_batch(&mut self, op: Op) -> Result<(), Error> {
        self.command();
        let entry = NonEmptyValue::Success(Bytes::from_static(b"true"));
        self.connection.vm.sys_complete_promise(promises::batch_cancel(op.id), entry, any_payload())?;
        Ok(())
    }
}
