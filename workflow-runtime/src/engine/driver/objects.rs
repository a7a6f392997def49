//! The commands of distributed Maps: items are read from object stores, and results are written.

use std::sync::{Arc, Mutex, PoisonError};

use super::{Driver, Journal, PendingKind};
use crate::machine::{Op, Outcome};
use crate::objects::{self, ItemStream, ObjectAccess, ReadItems, WriteResults};
use crate::value::Value;

/// The items that a run of a distributed Map reads. They stay open from one chunk to the next.
pub(super) type OpenItems = Arc<Mutex<Option<(Value, Box<dyn ItemStream>)>>>;

impl<J: Journal> Driver<'_, J> {
    /// Reads items for the execution.
    pub(super) fn read_items(&mut self, op: Op, request: Arc<ReadItems>) {
        let Some(access) = self.environment.objects.clone() else {
            return self.complete(op, Err(objects::no_reader(&request)));
        };
        let open = self.delayed.get_or_insert_default().items.clone();
        let read = self.run_in_process(op, read(access, open, request));
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

async fn read(access: ObjectAccess, open: OpenItems, request: Arc<ReadItems>) -> Outcome {
    let lock = || open.lock().unwrap_or_else(PoisonError::into_inner);
    let kept = lock().take().filter(|(position, _)| *position == request.position);
    let mut items = match kept {
        Some((_, items)) => items,
        None => access.objects().open(&request).await?,
    };
    let chunk = items.next(request.count, request.bytes).await?;
    if !chunk.is_last {
        *lock() = Some((chunk.position.clone(), items));
    }
    Ok(chunk.into_value())
}
