//! Notes what happens in a run: events as observers are told them, calls as tasks see them.

use crate::members;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use workflow_runtime::Value;
use workflow_runtime::observe::{Event, EventKind, Observer};

/// What has happened. A clone is the same record.
#[derive(Clone, Default)]
pub struct Record(Arc<Mutex<Notes>>);

#[derive(Default)]
struct Notes {
    events: Vec<Value>,
    calls: Vec<Value>,
}

impl Record {
    /// A task was called.
    pub fn call(&self, call: Value) {
        self.lock().calls.push(call);
    }

    /// The events and the calls, which are taken out.
    pub fn take(&self) -> (Value, Value) {
        let notes = std::mem::take(&mut *self.lock());
        (notes.events.into(), notes.calls.into())
    }

    fn lock(&self) -> MutexGuard<'_, Notes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Record {
    fn observe(&mut self, event: &Event<'_>) {
        let (stage, value) = match event.kind {
            EventKind::ExecutionStarted { input } | EventKind::StateEntered { input } => ("", input.clone()),
            EventKind::ExecutionSucceeded { output } | EventKind::StateExited { output } => ("", output.clone()),
            EventKind::Inspected { stage, value } => (stage, value.clone()),
            EventKind::StateRetried { fault, .. }
            | EventKind::StateCaught { fault }
            | EventKind::StateFailed { fault }
            | EventKind::ExecutionFailed { fault } => ("", fault.output()),
            _ => return,
        };
        let event = members([
            ("kind", event.kind.name().into()),
            ("state", event.state.into()),
            ("stage", stage.into()),
            ("depth", (event.path.len() as i64).into()),
            ("value", value),
        ]);
        self.lock().events.push(event.into());
    }
}
