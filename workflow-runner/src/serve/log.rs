//! The log of `serve` on standard error: lines of text, or of JSON.
//!
//! The log has ids, names of states, tasks and errors, and durations. It never has inputs,
//! outputs, causes, data of events or tokens.

use std::fmt;
use std::io::Write as _;
use std::str::FromStr as _;

use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Level, Subscriber, debug, error, info, warn};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, FormattedFields};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt as _;
use workflow_runtime::engine::EngineError;
use workflow_runtime::fault::names::CANCELLED;
use workflow_runtime::observe::{Event, EventKind, Observer};
use workflow_runtime::value::TEXT_LIMIT;
use workflow_runtime::{Fault, Object, Timestamp, Value};

use crate::console::complain;
use crate::progress::{clean, place};

/// The target of all events of the log, which `RUST_LOG` can name.
const TARGET: &str = "workflow";

/// The most characters of an id, a name or a path.
const NAME: usize = 200;

/// The most characters of a message.
const MESSAGE: usize = 4_000;

/// The format of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LogFormat {
    /// Lines for people.
    #[default]
    Text,
    /// An object of JSON in each line.
    Json,
}

impl LogFormat {
    /// Returns the format of this name.
    pub fn named(name: &str) -> Result<LogFormat, String> {
        match name {
            "text" => Ok(LogFormat::Text),
            "json" => Ok(LogFormat::Json),
            _ => Err(format!("`--log-format {name}`: expected one of `text`, `json`")),
        }
    }
}

/// The log of the process.
#[derive(Debug, Clone, Copy)]
pub struct Log {
    format: LogFormat,
}

impl Log {
    /// Starts the log. `RUST_LOG` sets the levels, by default `info`. A program that has set a
    /// subscriber of `tracing` itself keeps it.
    pub fn start(format: LogFormat) -> Log {
        let log = Log { format };
        let levels = match std::env::var("RUST_LOG") {
            Ok(filter) if !filter.trim().is_empty() => match Targets::from_str(&filter) {
                Ok(levels) => levels,
                Err(error) => {
                    log.warn(&format!(
                        "`RUST_LOG={}` is ignored: {error}; write a level such as `debug`, or `TARGET=LEVEL,…`",
                        clean(&filter, NAME)
                    ));
                    default_levels()
                }
            },
            _ => default_levels(),
        };
        let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(false).with_timer(Clock);
        // Standard error may be closed: there is no other place for a report about that.
        let lines = lines.log_internal_errors(false);
        let subscriber = tracing_subscriber::registry().with(levels);
        let set = match format {
            LogFormat::Text => subscriber.with(lines).try_init(),
            LogFormat::Json => subscriber.with(lines.event_format(JsonLines)).try_init(),
        };
        if set.is_err() && format == LogFormat::Json {
            log.warn("the program has its own subscriber of `tracing`, which writes the log: `--log-format` has no effect on it");
        }
        log
    }

    /// Writes a line about the program itself, whatever the levels.
    pub fn say(self, text: &str) {
        match self.format {
            LogFormat::Text => complain(text),
            LogFormat::Json => write_line(Level::INFO, text),
        }
    }

    /// Writes a warning about the program itself, whatever the levels.
    pub fn warn(self, text: &str) {
        match self.format {
            LogFormat::Text => complain(&format!("warning: {text}")),
            LogFormat::Json => write_line(Level::WARN, text),
        }
    }
}

fn default_levels() -> Targets {
    Targets::new().with_default(LevelFilter::INFO)
}

fn write_line(level: Level, message: &str) {
    let mut line = head(level, TARGET);
    line.insert("message", message);
    if let Ok(text) = Value::from(line).to_json(TEXT_LIMIT) {
        // Standard error may be closed.
        let _ = writeln!(std::io::stderr().lock(), "{text}");
    }
}

fn head(level: Level, target: &str) -> Object {
    let mut line = Object::new();
    line.insert("timestamp", Timestamp::now());
    line.insert("level", level.as_str());
    line.insert("target", target);
    line
}

/// The time of a line, in the format of the history.
struct Clock;

impl FormatTime for Clock {
    fn format_time(&self, w: &mut Writer<'_>) -> fmt::Result {
        write!(w, "{}", Timestamp::now())
    }
}

/// The format of lines of JSON: `timestamp`, `level`, `target`, the fields of the event, and the
/// `spans` around it as text, the outermost first.
struct JsonLines;

impl<S, N> FormatEvent<S, N> for JsonLines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        cx: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &tracing::Event<'_>,
    ) -> fmt::Result {
        let metadata = event.metadata();
        let mut fields = Fields(head(*metadata.level(), metadata.target()));
        event.record(&mut fields);
        let mut spans = Vec::new();
        for span in cx.event_scope().into_iter().flat_map(|scope| scope.from_root()) {
            let extensions = span.extensions();
            let fields = extensions.get::<FormattedFields<N>>().map_or("", |fields| fields.fields.as_str());
            let fields = if fields.is_empty() { String::new() } else { format!("{{{fields}}}") };
            spans.push(Value::from(format!("{}{fields}", span.name())));
        }
        if !spans.is_empty() {
            fields.0.insert("spans", Value::from_iter(spans));
        }
        let text = Value::from(fields.0).to_json(TEXT_LIMIT).map_err(|_| fmt::Error)?;
        writeln!(writer, "{text}")
    }
}

/// The fields of an event as members of an object.
struct Fields(Object);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.0.insert(field.name(), value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.0.insert(field.name(), value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.0.insert(field.name(), value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.0.insert(field.name(), value);
    }
}

/// Reports a problem of the engine.
pub fn problem(error: &EngineError) {
    let text = clean(&error.to_string(), MESSAGE);
    match error {
        EngineError::Unavailable(_) | EngineError::CannotContinue { halted: true, .. } => {
            error!(target: TARGET, "{text}");
        }
        _ => warn!(target: TARGET, "{text}"),
    }
}

/// Reports that a client has requested the redrive of an execution.
pub fn redrive(execution: &str) {
    info!(target: TARGET, execution = clean(execution, NAME), "redrive requested");
}

/// Reports that a client has changed a run of a distributed Map.
pub fn map_update(execution: &str) {
    info!(target: TARGET, execution = clean(execution, NAME), "map run updated");
}

/// Reports that a client has requested the cancellation of an execution.
pub fn cancellation(execution: &str) {
    info!(target: TARGET, execution = clean(execution, NAME), "cancellation requested");
}

/// Reports that a client has requested the removal of old executions or histories, and how many
/// there were.
pub fn purge(executions: usize) {
    info!(target: TARGET, executions, "purge requested");
}

/// Reports an event that no execution receives.
pub fn undelivered(event: &workflow_runtime::CloudEvent, reason: &'static str) {
    let [id, source, kind] = [&event.id, &event.source, &event.kind].map(|text| clean(text, NAME));
    warn!(target: TARGET, id, source, r#type = kind, reason, "no execution receives the event");
}

/// A request as the log names it.
pub struct Request<'a> {
    pub method: &'a str,
    /// The path, without secrets.
    pub path: &'a str,
    pub peer: std::net::IpAddr,
}

/// Reports an answer, and the reason if it is a refusal. The reason must not contain payloads.
pub fn answered(request: &Request<'_>, status: u16, reason: Option<&str>, seconds: f64) {
    let Request { method, path, peer } = request;
    let (method, path, peer) = (clean(method, NAME), clean(path, NAME), peer.to_string());
    let reason = reason.map(|reason| clean(reason, MESSAGE));
    match status {
        500.. => error!(target: TARGET, method, path, peer, status, reason, "request failed"),
        400.. => warn!(target: TARGET, method, path, peer, status, reason, "request refused"),
        _ => debug!(target: TARGET, method, path, peer, status, seconds, "request answered"),
    }
}

/// An observer that reports the course of an execution.
#[derive(Default)]
pub struct Reporter {
    started: Option<Timestamp>,
    /// The last state that failed outside of branches: the one that ends the execution.
    failed: Option<&'static str>,
}

impl Reporter {
    /// Returns a new observer, unless the levels exclude all that it reports.
    pub fn make() -> Option<Box<dyn Observer>> {
        tracing::enabled!(target: TARGET, Level::WARN).then(|| Box::<Reporter>::default() as Box<dyn Observer>)
    }
}

fn name_of(fault: &Fault) -> String {
    clean(fault.error().unwrap_or("null"), NAME)
}

impl Observer for Reporter {
    fn observe(&mut self, event: &Event<'_>) {
        let (workflow, execution) = (event.workflow, clean(event.execution, NAME));
        let state = || place(event.path, event.state);
        let seconds = self.started.map(|started| event.time.since(started).as_secs_f64());
        match event.kind {
            EventKind::ExecutionStarted { .. } => {
                self.started = Some(event.time);
                info!(target: TARGET, workflow, execution, "execution started");
            }
            EventKind::ExecutionResumed { restart } => {
                info!(target: TARGET, workflow, execution, restart, "execution resumed");
            }
            EventKind::ExecutionRedriven { redrive } => {
                info!(target: TARGET, workflow, execution, redrive, "execution redriven");
            }
            EventKind::ExecutionSucceeded { .. } => {
                info!(target: TARGET, workflow, execution, seconds, "execution succeeded");
            }
            EventKind::ExecutionFailed { fault } if fault.error() == Some(CANCELLED) => {
                info!(target: TARGET, workflow, execution, seconds, "execution cancelled");
            }
            EventKind::ExecutionFailed { fault } => {
                let (error, state) = (name_of(fault), self.failed.take());
                warn!(target: TARGET, workflow, execution, state, error, seconds, "execution failed");
            }
            EventKind::StateEntered { .. } => {
                debug!(target: TARGET, workflow, execution, state = state(), "state entered");
            }
            EventKind::StateExited { .. } => {
                debug!(target: TARGET, workflow, execution, state = state(), "state exited");
            }
            EventKind::StateRetried { fault, retry, delay } => {
                let (state, error, delay) = (state(), name_of(fault), delay.as_secs_f64());
                info!(target: TARGET, workflow, execution, state, error, retry, delay, "state retried");
            }
            EventKind::StateCaught { fault } => {
                let error = name_of(fault);
                info!(target: TARGET, workflow, execution, state = state(), error, "error caught");
            }
            EventKind::StateFailed { fault } => {
                if event.path.is_empty() {
                    self.failed = Some(event.state);
                }
                let error = name_of(fault);
                debug!(target: TARGET, workflow, execution, state = state(), error, "state failed");
            }
            EventKind::TaskScheduled { task, attempt, .. } => {
                let task = clean(task.key, NAME);
                debug!(target: TARGET, workflow, execution, state = state(), task, attempt, "task scheduled");
            }
            EventKind::TaskSucceeded { task, .. } => {
                let task = clean(task.key, NAME);
                debug!(target: TARGET, workflow, execution, state = state(), task, "task succeeded");
            }
            EventKind::TaskFailed { task, fault } => {
                let (task, error) = (clean(task.key, NAME), name_of(fault));
                info!(target: TARGET, workflow, execution, state = state(), task, error, "task failed");
            }
            EventKind::TaskTimedOut { task, fault } => {
                let (task, error) = (clean(task.key, NAME), name_of(fault));
                info!(target: TARGET, workflow, execution, state = state(), task, error, "task timed out");
            }
            EventKind::ChildFailed { fault, .. } => {
                let error = name_of(fault);
                info!(target: TARGET, workflow, execution, state = state(), error, "child execution failed");
            }
            EventKind::MapRunFailed { fault, .. } => {
                let error = name_of(fault);
                info!(target: TARGET, workflow, execution, state = state(), error, "map run failed");
            }
            _ => {}
        }
    }
}
