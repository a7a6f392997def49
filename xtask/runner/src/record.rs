//! The record of a run: the events that observers see, and the calls that tasks see.

use crate::members;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use workflow_runtime::machine::Outcome;
use workflow_runtime::observe::{Event, EventKind, Observer};
use workflow_runtime::{Fault, Object, Timestamp, Value};

/// The record. Clones share it.
#[derive(Clone, Default)]
pub struct Record(Arc<Mutex<Notes>>);

#[derive(Default)]
struct Notes {
    /// The events that observers see, each with its time and, for a wait, its end.
    events: Vec<(Timestamp, Option<Timestamp>, Object)>,
    calls: Vec<Value>,
    sent: Vec<Value>,
    end: Option<Timestamp>,
    /// The number of executions that were started.
    started: usize,
    /// The outcomes of the executions that have ended, in order.
    outcomes: Vec<Outcome>,
}

impl Record {
    /// Records a call of a task.
    pub fn call(&self, call: Value) {
        self.lock().calls.push(call);
    }

    /// Takes the record of an execution that began at `start`: `{calls, events, sent, elapsed}`.
    /// The record is empty afterwards.
    pub fn take(&self, start: Timestamp) -> [(&'static str, Value); 4] {
        let Notes { events, calls, sent, end, .. } = std::mem::take(&mut *self.lock());
        let seconds = |time: Timestamp| time.since(start).as_secs_f64();
        let elapsed = end.map(seconds);
        let events = events.into_iter().map(|(at, until, mut event)| {
            event.insert("at", seconds(at));
            event.insert("until", until.map(seconds));
            Value::from(event)
        });
        let events: Vec<Value> = events.collect();
        [("calls", calls.into()), ("events", events.into()), ("sent", sent.into()), ("elapsed", elapsed.into())]
    }

    /// Returns the outcome of the executions that events have started: the last one, or the first
    /// failure. `None` if an execution has not ended.
    pub fn outcome(&self) -> Option<Outcome> {
        let notes = self.lock();
        if notes.started == 0 {
            return Some(Err(Fault::runtime("no execution was started")));
        }
        let failed = notes.outcomes.iter().find(|outcome| outcome.is_err());
        let ended = (notes.outcomes.len() == notes.started).then(|| notes.outcomes.last()).flatten();
        failed.or(ended).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, Notes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Record {
    fn observe(&mut self, event: &Event<'_>) {
        let ended = |outcome: Outcome| {
            let mut notes = self.lock();
            notes.end = Some(event.time);
            notes.outcomes.push(outcome);
        };
        match event.kind {
            EventKind::EventSent { event } => self.lock().sent.push(event.to_value()),
            EventKind::ExecutionStarted { .. } => self.lock().started += 1,
            EventKind::ExecutionSucceeded { output } => ended(Ok(output.clone())),
            EventKind::ExecutionFailed { fault } => ended(Err(fault.clone())),
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
            EventKind::WaitStarted { .. } => ("", Value::Null),
            _ => return,
        };
        let until = match event.kind {
            EventKind::StateRetried { delay, .. } => Some(event.time.plus(delay)),
            EventKind::WaitStarted { until } => Some(until),
            _ => None,
        };
        let at = event.time;
        let path = event.path.iter().map(|step| Value::from(vec![step.state.into(), Value::Int(step.index.into())]));
        let event = members([
            ("kind", event.kind.name().into()),
            ("state", event.state.into()),
            ("stage", stage.into()),
            ("depth", (event.path.len() as i64).into()),
            ("path", path.collect()),
            ("value", value),
        ]);
        self.lock().events.push((at, until, event));
    }
}
