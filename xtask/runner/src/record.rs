//! Notes what happens in a run: events as observers are told them, calls as tasks see them.

use crate::members;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use workflow_runtime::observe::{Event, EventKind, Observer};
use workflow_runtime::{Timestamp, Value};

/// What has happened. A clone is the same record.
#[derive(Clone, Default)]
pub struct Record(Arc<Mutex<Notes>>);

#[derive(Default)]
struct Notes {
    events: Vec<Value>,
    calls: Vec<Value>,
    sent: Vec<Value>,
    end: Option<Timestamp>,
}

impl Record {
    /// A task was called.
    pub fn call(&self, call: Value) {
        self.lock().calls.push(call);
    }

    /// What has happened in an execution that began at this time: `{calls, events, sent, elapsed}`. It is taken out.
    pub fn take(&self, start: Timestamp) -> [(&'static str, Value); 4] {
        let Notes { events, calls, sent, end } = std::mem::take(&mut *self.lock());
        let elapsed = end.map(|end| end.since(start).as_secs_f64());
        [("calls", calls.into()), ("events", events.into()), ("sent", sent.into()), ("elapsed", elapsed.into())]
    }

    fn lock(&self) -> MutexGuard<'_, Notes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Record {
    fn observe(&mut self, event: &Event<'_>) {
        match event.kind {
            EventKind::EventSent { event } => self.lock().sent.push(event.to_value()),
            EventKind::ExecutionSucceeded { .. } | EventKind::ExecutionFailed { .. } => {
                self.lock().end = Some(event.time)
            }
            _ => {}
        }
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
