//! Batches: parts of an iteration, each an invocation of its own.
//!
//! What this one knows of them is in promises of the execution. So it makes no difference which invocation goes on with the
//! execution, and which one with the batch.

use hyper::body::Bytes;
use restate_sdk_shared_core::{Error, NonEmptyValue, VM};
use workflow_runtime::machine::Op;

use super::{Drive, Wait};
use crate::handlers::Handler;
use crate::link::{any_payload, target};
use crate::promises;
use crate::segment::Segment;

impl Drive<'_> {
    /// Lets another invocation run a batch, if none does yet, and waits for its outcome.
    pub(super) fn begin_batch(&mut self, op: Op) -> Result<(), Error> {
        if self.standing.batches.insert(op.id) {
            let Some(snapshot) = self.execution.batch(op) else {
                return Err(Error::internal("what is asked for is no batch"));
            };
            let batch = Segment::of_batch(self.execution.definition(), op.id, self.standing.limits, &snapshot);
            let invocation = target(&self.service.name, Handler::Batch.name(), self.execution.id());
            self.command();
            self.link.vm.sys_send(invocation, batch, None, None, any_payload())?;
        }
        self.command();
        let outcome = self.link.vm.sys_get_promise(promises::batch_result(op.id))?;
        self.pending.entry(op).or_default();
        self.wait(op, outcome, Wait::Batch(op));
        Ok(())
    }

    /// A batch that runs is to end.
    pub(super) fn cancel_batch(&mut self, op: Op) -> Result<(), Error> {
        self.command();
        let entry = NonEmptyValue::Success(Bytes::from_static(b"true"));
        self.link.vm.sys_complete_promise(promises::batch_cancel(op.id), entry, any_payload())?;
        Ok(())
    }
}
