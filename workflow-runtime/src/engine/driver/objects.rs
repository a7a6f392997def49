//! The commands of distributed Maps: items are read from object stores, and results are written.

use std::sync::Arc;

use super::{Driver, Journal, PendingKind};
use crate::machine::Op;
use crate::objects::{self, ReadItems, WriteResults};

impl<J: Journal> Driver<'_, J> {
    /// Reads items for the execution.
    pub(super) fn read_items(&mut self, op: Op, request: Arc<ReadItems>) {
        let Some(access) = self.environment.objects.clone() else {
            return self.complete(op, Err(objects::no_reader(&request)));
        };
        let open = self.delayed.get_or_insert_default().items.clone();
        let read = self.run_in_process(op, async move { open.read(&access, &request).await });
        self.add_pending(op, PendingKind::InProcess(read, None));
    }

    /// Writes results for the execution.
    pub(super) fn write_results(&mut self, op: Op, request: Arc<WriteResults>) {
        let Some(access) = self.environment.objects.clone() else {
            return self.complete(op, Err(objects::no_writer(&request)));
        };
        let written = self.run_in_process(op, async move { access.objects().write(&request).await });
        self.add_pending(op, PendingKind::InProcess(written, None));
    }
}
