//! An observer that reports to `tracing`: spans for executions and state visits, events for
//! everything else.

use std::collections::HashMap;

use tracing::{Span, debug, debug_span, info, info_span, warn};

use super::payloads::{InvalidPath, Payloads};
use super::{Event, EventKind, Observer, PathStep};
use crate::fault::Fault;
use crate::value::Value;

/// An observer that reports to `tracing`: an `execution` span, in it a `state` span for every
/// visit to a state, and in it events for tasks, retries and waits. Each execution needs an
/// observer of its own.
///
/// ```
/// use workflow_runtime::observe::Tracing;
/// use workflow_runtime::{Builder, Workflow};
///
/// fn traced<Order: Workflow>() -> Builder<Order> {
///     Builder::new().observer(Tracing::new().limit_payloads(1_024))
/// }
/// ```
#[derive(Default)]
pub struct Tracing {
    payloads: Payloads,
    execution: Option<Span>,
    /// The current states of branches and iterations.
    states: HashMap<Vec<PathStep>, Span>,
}

impl Tracing {
    /// Creates an observer that shows all payloads.
    pub fn new() -> Tracing {
        Tracing::default()
    }

    /// Redacts these paths in all payloads: inputs, outputs, and causes that are not plain text.
    ///
    /// A path starts with `$` and continues with `.name`, `['name']`, `[0]`, `[*]` or `..name`. It
    /// applies to every payload separately. If a task receives a part of the document, `$..number`
    /// matches where `$.card.number` does not.
    pub fn redact<P: AsRef<str>>(mut self, paths: impl IntoIterator<Item = P>) -> Result<Tracing, InvalidPath> {
        self.payloads.redact(paths)?;
        Ok(self)
    }

    /// Replaces payloads of more than this many bytes of JSON with `[too large]`. The default is 1
    /// MiB.
    pub fn limit_payloads(mut self, bytes: u64) -> Tracing {
        self.payloads.limit(bytes);
        self
    }

    /// Leaves out all payloads: inputs, outputs and causes.
    pub fn without_payloads(mut self) -> Tracing {
        self.payloads.hide();
        self
    }

    /// Returns the span of the execution, a child of the span that is current at the first event.
    fn execution(&mut self, event: &Event<'_>) -> Span {
        let span = || info_span!("execution", workflow = event.workflow, execution = event.execution);
        self.execution.get_or_insert_with(span).clone()
    }

    /// Returns the span of the innermost state that encloses events on this path.
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

    /// Closes the span of the state on this path, and all spans inside of it.
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
            EventKind::ExecutionResumed { restart } => info!(parent: &span, restart, "execution resumed"),
            EventKind::ExecutionRedriven { redrive } => info!(parent: &span, redrive, "execution redriven"),
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
            EventKind::TaskScheduled { task, input, attempt, again } => {
                debug!(parent: &span, task = task.key, input = self.shown(input), attempt, again, "task scheduled");
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
            EventKind::MapRunStarted { call } => debug!(parent: &span, call = %call.call, "map run started"),
            EventKind::MapRunSucceeded { call } => debug!(parent: &span, call = %call.call, "map run succeeded"),
            EventKind::MapRunFailed { call, .. } => {
                info!(parent: &span, call = %call.call, error, cause = self.cause(event), "map run failed");
            }
            EventKind::MapRunAborted { call } => info!(parent: &span, call = %call.call, "map run aborted"),
            EventKind::MapRunRedriven { call } => info!(parent: &span, call = %call.call, "map run redriven"),
            EventKind::WaitStarted { until } => debug!(parent: &span, until = %until, "wait started"),
        }
    }
}
