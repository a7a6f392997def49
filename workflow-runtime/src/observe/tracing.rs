//! An observer that reports to `tracing`: a span for every execution and every visit to a state, events for the rest.

use std::collections::HashMap;

use tracing::{Span, debug, debug_span, info, info_span, warn};

use super::payloads::{InvalidPath, Payloads};
use super::{Event, EventKind, Observer, PathStep};
use crate::fault::Fault;
use crate::value::Value;

/// Reports to `tracing`: an `execution` span, in it a `state` span for every visit to a state, and in those events for
/// tasks, retries and waits. One observer is for one execution.
#[derive(Default)]
pub struct Tracing {
    payloads: Payloads,
    execution: Option<Span>,
    /// The states that branches and iterations are in.
    states: HashMap<Vec<PathStep>, Span>,
}

impl Tracing {
    /// Reports with all payloads.
    pub fn new() -> Tracing {
        Tracing::default()
    }

    /// Leaves these places out of all payloads: inputs, outputs, and causes that are no plain text. A path starts with `$`
    /// and goes on by `.name`, `['name']`, `[0]`, `[*]` or `..name`. It is looked for in every payload by itself: where a
    /// task is given a part of the document, `$..number` finds what `$.card.number` does not.
    pub fn redact<P: AsRef<str>>(mut self, paths: impl IntoIterator<Item = P>) -> Result<Tracing, InvalidPath> {
        self.payloads.redact(paths)?;
        Ok(self)
    }

    /// Leaves out payloads that have more bytes than this as JSON: `[too large]` stands in their place. By default 1 MiB.
    pub fn limit_payloads(mut self, bytes: u64) -> Tracing {
        self.payloads.limit(bytes);
        self
    }

    /// Leaves all payloads out: inputs, outputs, and causes.
    pub fn without_payloads(mut self) -> Tracing {
        self.payloads.hide();
        self
    }

    /// The span of the execution: a child of the one that is current when the execution is first heard of.
    fn execution(&mut self, event: &Event<'_>) -> Span {
        let span = || info_span!("execution", workflow = event.workflow, execution = event.execution);
        self.execution.get_or_insert_with(span).clone()
    }

    /// The span of the innermost state that what happens on this path is a part of.
    fn enclosing(&mut self, path: &[PathStep], event: &Event<'_>) -> Span {
        let inner = (0..=path.len()).rev().find_map(|length| self.states.get(&path[..length]));
        inner.cloned().unwrap_or_else(|| self.execution(event))
    }

    fn entered(&mut self, event: &Event<'_>, input: &Value) {
        let outside = &event.path[..event.path.len().saturating_sub(1)];
        let parent = if event.path.is_empty() { self.execution(event) } else { self.enclosing(outside, event) };
        let index = event.path.last().map(|step| step.index);
        let span = debug_span!(parent: &parent, "state", state = event.state, index);
        debug!(parent: &span, input = self.shown(input), "state entered");
        self.states.insert(event.path.to_vec(), span);
    }

    /// The state on this path is over, and with it all that was a part of it.
    fn left(&mut self, path: &[PathStep]) {
        self.states.retain(|of, _| !of.starts_with(path));
    }

    fn shown(&self, value: &Value) -> Option<String> {
        self.payloads.show(value).map(|value| value.to_string())
    }

    fn cause(&self, event: &Event<'_>) -> Option<String> {
        event.kind.fault().and_then(Fault::cause).and_then(|cause| self.shown(cause))
    }
}

impl Observer for Tracing {
    fn observe(&mut self, event: &Event<'_>) {
        let span = self.enclosing(event.path, event);
        let error = event.kind.fault().map(|fault| fault.error().unwrap_or("null"));
        match event.kind {
            EventKind::ExecutionStarted { input } => {
                info!(parent: &span, input = self.shown(input), "execution started");
            }
            EventKind::ExecutionSucceeded { output } => {
                info!(parent: &span, output = self.shown(output), "execution succeeded");
            }
            EventKind::ExecutionFailed { .. } => {
                warn!(parent: &span, error, cause = self.cause(event), "execution failed")
            }
            EventKind::StateEntered { input } => self.entered(event, input),
            EventKind::StateExited { output } => {
                debug!(parent: &span, output = self.shown(output), "state exited");
                self.left(event.path);
            }
            EventKind::StateRetried { retry, delay, .. } => {
                info!(parent: &span, error, cause = self.cause(event), retry, delay = delay.as_secs_f64(), "state retried");
            }
            EventKind::StateCaught { .. } => info!(parent: &span, error, cause = self.cause(event), "state caught"),
            EventKind::StateFailed { .. } => {
                warn!(parent: &span, error, cause = self.cause(event), "state failed");
                self.left(event.path);
            }
            EventKind::Inspected { stage, value } => {
                debug!(parent: &span, stage, value = self.shown(value), "inspected");
            }
            EventKind::TaskScheduled { task, input, attempt } => {
                debug!(parent: &span, task = task.key, input = self.shown(input), attempt, "task scheduled");
            }
            EventKind::TaskSucceeded { task, output } => {
                debug!(parent: &span, task = task.key, output = self.shown(output), "task succeeded");
            }
            EventKind::TaskFailed { task, .. } => {
                info!(parent: &span, task = task.key, error, cause = self.cause(event), "task failed")
            }
            EventKind::TaskTimedOut { task, .. } => info!(parent: &span, task = task.key, error, "task timed out"),
            EventKind::EventAwaited { events, until } => {
                let names: Vec<&str> = events.iter().map(|kind| kind.name).collect();
                debug!(parent: &span, events = names.join(", "), until = until.map(|until| until.to_string()), "event awaited");
            }
            EventKind::EventReceived { event } => {
                debug!(parent: &span, id = &*event.id, r#type = &*event.kind, data = self.shown(&event.data), "event received");
            }
            EventKind::EventSent { event } => {
                debug!(parent: &span, id = &*event.id, r#type = &*event.kind, data = self.shown(&event.data), "event sent");
            }
            EventKind::ChildStarted { call } => {
                let child = call.workflow(event.workflow);
                debug!(parent: &span, child, input = self.shown(&call.input), detached = call.detached, "child started");
            }
            EventKind::ChildSucceeded { call, output } => {
                debug!(parent: &span, child = call.workflow(event.workflow), output = self.shown(output), "child succeeded");
            }
            EventKind::ChildFailed { call, .. } => {
                let child = call.workflow(event.workflow);
                info!(parent: &span, child, error, cause = self.cause(event), "child failed");
            }
            EventKind::WaitStarted { until } => debug!(parent: &span, until = %until, "wait started"),
        }
    }
}
