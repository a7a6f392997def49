//! A history of executions, as lines of JSON.

use std::io::{self, Write};

use super::fields::HistoryField;
use super::payloads::{InvalidPath, Payloads};
use super::{Event, EventKind, Observer, PathStep};
use crate::fault::Fault;
use crate::machine::Target;
use crate::value::{Object, Str, Value, array};

/// An observer that writes every event as a line of JSON: `{"time": …, "workflow": …, "execution":
/// …, "event": "StateEntered", …}`.
///
/// ```
/// use workflow_runtime::observe::History;
///
/// let history = History::new(std::io::stderr()).redact(["$..card"])?.limit_payloads(4_096);
/// # let _: History<std::io::Stderr> = history;
/// # Ok::<(), workflow_runtime::observe::InvalidPath>(())
/// ```
pub struct History<W> {
    writer: W,
    /// The current line. Each line is written with one call.
    line: Vec<u8>,
    payloads: Payloads,
    on_error: Box<dyn FnMut(io::Error) + Send>,
    failed: bool,
}

impl<W: Write + Send> History<W> {
    /// Creates a history that is written line by line.
    pub fn new(writer: W) -> History<W> {
        let on_error = |error| eprintln!("the history is no longer written: {error}");
        History { writer, line: Vec::new(), payloads: Payloads::default(), on_error: Box::new(on_error), failed: false }
    }

    /// Redacts these paths in all payloads: inputs, outputs, and causes that are not plain text.
    ///
    /// A path starts with `$` and continues with `.name`, `['name']`, `[0]`, `[*]` or `..name`. It
    /// applies to every payload separately. If a task receives a part of the document, `$..number`
    /// matches where `$.card.number` does not.
    pub fn redact<P: AsRef<str>>(mut self, paths: impl IntoIterator<Item = P>) -> Result<History<W>, InvalidPath> {
        self.payloads.redact(paths)?;
        Ok(self)
    }

    /// Replaces payloads of more than this many bytes of JSON with `[too large]`. The default is 1
    /// MiB.
    pub fn limit_payloads(mut self, bytes: u64) -> History<W> {
        self.payloads.limit(bytes);
        self
    }

    /// Leaves out all payloads: inputs, outputs and causes.
    pub fn without_payloads(mut self) -> History<W> {
        self.payloads.hide();
        self
    }

    /// Sets the handler of write errors, after which the history ends. The default prints the
    /// error.
    pub fn on_error(mut self, handle: impl FnMut(io::Error) + Send + 'static) -> History<W> {
        self.on_error = Box::new(handle);
        self
    }

    fn write(&mut self, line: &Value, last: bool) -> io::Result<()> {
        self.line.clear();
        writeln!(self.line, "{line}")?;
        self.writer.write_all(&self.line)?;
        if last { self.writer.flush() } else { Ok(()) }
    }
}

impl<W: Write + Send> Observer for History<W> {
    fn observe(&mut self, event: &Event<'_>) {
        if self.failed {
            return;
        }
        let last = matches!(event.kind, EventKind::ExecutionSucceeded { .. } | EventKind::ExecutionFailed { .. });
        if let Err(error) = self.write(&line(event, &self.payloads), last) {
            self.failed = true;
            (self.on_error)(error);
        }
    }
}

fn line(event: &Event<'_>, payloads: &Payloads) -> Value {
    let mut line = Object::new();
    visit(event, payloads, &mut |key, field| {
        line.insert(Str::from_static(key), Value::from(field));
    });
    line.into()
}

/// Calls `add` with the keys and fields of an event's line, in their order.
pub(super) fn visit(event: &Event<'_>, payloads: &Payloads, add: &mut dyn FnMut(&'static str, HistoryField<'_>)) {
    add("time", HistoryField::Time(event.time));
    add("workflow", HistoryField::Text(event.workflow));
    add("execution", HistoryField::Text(event.execution));
    add("event", HistoryField::Text(event.kind.name()));
    if !event.state.is_empty() {
        add("state", HistoryField::Text(event.state));
    }
    if !event.path.is_empty() {
        add("path", HistoryField::Data(Value::from_iter(event.path.iter().map(step))));
    }
    add_details(&mut |key, value| add(key, HistoryField::Data(value)), &event.kind, payloads);
}

fn add_details(add: &mut dyn FnMut(&'static str, Value), kind: &EventKind<'_>, payloads: &Payloads) {
    match kind {
        EventKind::ExecutionResumed { restart } => {
            add("restart", Value::from(*restart));
        }
        EventKind::ExecutionRedriven { redrive } => {
            add("redrive", Value::from(*redrive));
        }
        EventKind::StateRetried { retry, delay, .. } => {
            add("retry", Value::from(*retry));
            add("delay", Value::from(delay.as_secs_f64()));
        }
        EventKind::Inspected { stage, .. } => {
            add("stage", name(stage));
        }
        EventKind::TaskScheduled { task, attempt, again, .. } => {
            add("task", name(task.key));
            add("attempt", Value::from(*attempt));
            if *again {
                add("again", Value::from(true));
            }
        }
        EventKind::TaskSucceeded { task, .. }
        | EventKind::TaskFailed { task, .. }
        | EventKind::TaskTimedOut { task, .. } => {
            add("task", name(task.key));
        }
        EventKind::EventAwaited { events, until } => {
            add("events", Value::from_iter(events.iter().map(|kind| name(kind.name))));
            if let Some(until) = until {
                add("until", Value::from(*until));
            }
        }
        EventKind::EventReceived { event } | EventKind::EventSent { event } => {
            for attribute in ["id", "source", "type", "subject"] {
                if let Some(value) = event.attribute(attribute) {
                    add(attribute, value);
                }
            }
        }
        EventKind::ChildStarted { call }
        | EventKind::ChildSucceeded { call, .. }
        | EventKind::ChildFailed { call, .. } => {
            if let Target::Workflow(name) = &call.target {
                add("child", Value::String(name.clone()));
            }
            add("call", Value::from(call.call.to_string()));
            if call.detached {
                add("detached", Value::from(true));
            }
        }
        EventKind::MapRunStarted { call }
        | EventKind::MapRunSucceeded { call }
        | EventKind::MapRunFailed { call, .. }
        | EventKind::MapRunAborted { call }
        | EventKind::MapRunRedriven { call } => {
            add("call", Value::from(call.call.to_string()));
            if call.attempt > 1 {
                add("attempt", Value::from(call.attempt));
            }
        }
        EventKind::WaitStarted { until } => {
            add("until", Value::from(*until));
        }
        _ => {}
    }
    if let Some((key, payload)) = kind.payload()
        && let Some(shown) = payloads.show(payload)
    {
        add(key, shown);
    }
    if let Some(fault) = kind.fault() {
        add_fault(add, fault, payloads);
    }
}

fn add_fault(add: &mut dyn FnMut(&'static str, Value), fault: &Fault, payloads: &Payloads) {
    add("error", fault.name().cloned().map_or(Value::Null, Value::String));
    if let Some(cause) = fault.cause().and_then(|cause| payloads.show(cause)) {
        add("cause", cause);
    }
}

fn step(step: &PathStep) -> Value {
    array([name(step.state), step.index.into()])
}

fn name(name: &'static str) -> Value {
    Value::String(Str::from_static(name))
}
