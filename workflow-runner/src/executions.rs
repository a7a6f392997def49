//! Reports on executions: tables and lines for people, and JSON.

use std::borrow::Cow;
use std::collections::BTreeSet;

use workflow_runtime::engine::{
    AwaitedEvent, Deadline, Description, Engine, EngineError, MapCounts, Summary, WaitsAt, WaitsFor,
};
pub use workflow_runtime::engine::{Filter, Status};
use workflow_runtime::machine::Outcome;
use workflow_runtime::value::{DOCUMENT_LIMIT, TEXT_LIMIT};
use workflow_runtime::{Object, Str, Timestamp, Value, value};

use crate::duration;
use crate::progress::clean;

/// The most bytes of a document that text for people shows: 64 KiB. `--format json` has all of it.
const SHOWN: usize = 64 << 10;

/// The most characters of a line of a history.
const LINE: usize = 4_000;

/// The format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// Text for people.
    #[default]
    Text,
    /// JSON for programs.
    Json,
}

impl Format {
    /// Returns the format of this name.
    pub fn named(name: &str) -> Result<Format, String> {
        match name {
            "text" => Ok(Format::Text),
            "json" => Ok(Format::Json),
            _ => Err(format!("`--format {name}`: expected one of `text`, `json`")),
        }
    }
}

/// Returns the status of this name.
pub fn status(name: &str) -> Result<Status, String> {
    let names = || Status::ALL.map(|status| format!("`{}`", status.name())).join(", ");
    Status::named(name).ok_or_else(|| format!("unknown status `{name}`: expected one of {}", names()))
}

/// A report on executions.
pub enum ExecutionReport {
    /// The executions that match a filter, the newest first.
    List { filter: Filter, format: Format },
    /// The description of one execution.
    Show { id: String, format: Format },
    /// The history of one execution, the oldest event first.
    History { id: String, filter: HistoryFilter, format: Format },
}

impl ExecutionReport {
    /// Returns the report on the executions of an engine. Task tokens are shown: it is for the
    /// operator.
    pub(crate) async fn of(&self, engine: &dyn Engine) -> Result<String, EngineError> {
        let text = match self {
            ExecutionReport::List { filter, format: Format::Json } => {
                let listed = engine.list(filter).await?;
                pretty(&Value::from_iter(listed.iter().map(|summary| Value::from(summary_json(summary)))))
            }
            ExecutionReport::List { filter, .. } => return listed(engine, filter).await,
            ExecutionReport::Show { id, format } => {
                let description = engine.describe(id).await?;
                match format {
                    Format::Json => pretty(&description_json(&description, true)),
                    Format::Text => Ok(described(&description)),
                }
            }
            ExecutionReport::History { id, filter, format } => {
                Ok(history(&whole_history(engine, id).await?, filter, *format))
            }
        };
        text.map_err(EngineError::Invalid)
    }
}

/// Returns the table of the executions that match the filter.
async fn listed(engine: &dyn Engine, filter: &Filter) -> Result<String, EngineError> {
    let summaries = engine.list(filter).await?;
    if summaries.is_empty() {
        return Ok("no executions found\n".to_owned());
    }
    let now = Timestamp::now();
    let mut rows = vec![["EXECUTION", "WORKFLOW", "STATUS", "SINCE", "WAITS FOR"].map(str::to_owned)];
    for summary in &summaries {
        let waits = match summary.status {
            // The execution may have ended meanwhile.
            Status::Running => {
                engine.waiting(&summary.id).await.map_or(String::new(), |waiting| waits_in_short(&waiting))
            }
            Status::Queued => summary.due.map_or(String::new(), |due| format!("start at {due}")),
            _ => String::new(),
        };
        rows.push([
            clean(&summary.id, 80),
            clean(&summary.workflow, 40),
            summary.status.name().to_owned(),
            since(summary).map_or(String::new(), |since| format!("{} ago", ago(since, now))),
            waits,
        ]);
    }
    Ok(table(&rows))
}

/// The part of a history that is shown; by default all of it.
#[derive(Debug, Clone, Default)]
pub struct HistoryFilter {
    /// Leaves out inputs, outputs, data and causes.
    pub no_payloads: bool,
    /// The names of the states whose events are shown. If there are none, all events are.
    pub states: Vec<String>,
}

/// Returns all events of a history.
async fn whole_history(engine: &dyn Engine, id: &str) -> Result<Vec<String>, EngineError> {
    let (mut lines, mut after) = (Vec::new(), Some(0));
    while let Some(number) = after {
        let page = engine.history(id, number, usize::MAX, usize::MAX).await?;
        lines.extend(page.events);
        after = page.next;
    }
    Ok(lines)
}

/// Returns the text of a history.
fn history(lines: &[String], filter: &HistoryFilter, format: Format) -> String {
    let shown = lines.iter().filter_map(|line| filter.apply(line));
    let output: String = match format {
        Format::Json => shown.map(|line| format!("{line}\n")).collect(),
        Format::Text => shown.map(|line| event(&line)).collect(),
    };
    match output.is_empty() && format == Format::Text && !filter.states.is_empty() {
        true => no_events(lines, &filter.states),
        false => output,
    }
}

/// The members of an event that are payloads.
const PAYLOADS: [&str; 5] = ["input", "output", "data", "value", "cause"];

impl HistoryFilter {
    /// Returns a line of the history as it is shown; `None` if it is not shown.
    fn apply<'a>(&self, line: &'a str) -> Option<Cow<'a, str>> {
        if !self.no_payloads && self.states.is_empty() {
            return Some(line.into());
        }
        let event = Value::from_json(line).ok()?;
        let is_of = |state: &String| event.get("state").and_then(Value::as_str) == Some(state);
        if !self.states.is_empty() && !self.states.iter().any(is_of) {
            return None;
        }
        if !self.no_payloads {
            return Some(line.into());
        }
        let members = event.as_object()?.iter().filter(|(name, _)| !PAYLOADS.contains(&name.as_str()));
        let shown: Object = members.map(|(name, value)| (name.to_owned(), value.clone())).collect();
        Some(Value::from(shown).to_string().into())
    }
}

/// Returns the text for a history without an event of these states.
fn no_events(lines: &[String], states: &[String]) -> String {
    let quoted = |names: &mut dyn Iterator<Item = &str>| {
        names.map(|name| format!("`{}`", clean(name, 80))).collect::<Vec<_>>().join(", ")
    };
    let events: Vec<Value> = lines.iter().filter_map(|line| Value::from_json(line).ok()).collect();
    let known: BTreeSet<&str> =
        events.iter().filter_map(|event| event.get("state")?.as_str()).filter(|state| !state.is_empty()).collect();
    let entered = match known.is_empty() {
        true => "no state was entered".to_owned(),
        false => format!("its states are {}", quoted(&mut known.into_iter())),
    };
    format!("the history has no event of {}: {entered}\n", quoted(&mut states.iter().map(String::as_str)))
}

/// Returns indented JSON. A document that would be too long with indentation is on one line.
pub(crate) fn pretty(value: &Value) -> Result<String, String> {
    let text = value.to_json_pretty(DOCUMENT_LIMIT).or_else(|_| value.to_json(TEXT_LIMIT));
    text.map(|text| text + "\n").map_err(|error| format!("cannot print the document: {error}"))
}

/// Returns a document on one line, or the beginning of a large document.
fn shown(value: &Value) -> String {
    clean(&value.excerpt(SHOWN), usize::MAX)
}

/// Returns the time at which the execution entered its present status, if the engine has it.
fn since(summary: &Summary) -> Option<Timestamp> {
    summary.ended.or(summary.started).or(summary.created)
}

fn ago(time: Timestamp, now: Timestamp) -> String {
    let since = now.since(time);
    // Ages are shown in whole seconds.
    duration::show(std::time::Duration::from_secs(since.as_secs()))
}

fn table<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            line.push_str(&format!("{cell:width$}  ", width = width(column)));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn waits_in_short(waiting: &[WaitsAt]) -> String {
    let mut waits = waiting.iter().filter(|one| one.waits_for != WaitsFor::Branches);
    let Some(first) = waits.next() else { return String::new() };
    let what = match &first.waits_for {
        // A row of the table has no room for types and sources.
        WaitsFor::Event(kinds) => {
            let names: Vec<&str> = kinds.iter().map(|kind| &*kind.name).collect();
            format!("{}: an event ({})", clean(&first.state, 80), clean(&names.join(", "), 80))
        }
        _ => what(first),
    };
    let more = match waits.count() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    format!("{what}{}{more}", until(first))
}

/// Returns the text of the time until which a branch waits; empty without one.
fn until(one: &WaitsAt) -> String {
    let Some(until) = one.until else { return String::new() };
    match one.deadline {
        Some(Deadline::Timeout) => format!(", times out {until}"),
        // A store may not record heartbeats: this time may be over.
        Some(Deadline::Heartbeat) => format!(", first heartbeat due {until}"),
        _ => format!(", until {until}"),
    }
}

/// Returns the text of a wait for events: ``the event `Paid` (type `paid`, source `/bank`)``.
pub(crate) fn awaited(kinds: &[AwaitedEvent]) -> String {
    let shown: Vec<String> = kinds.iter().map(AwaitedEvent::to_string).collect();
    let noun = if kinds.len() == 1 { "the event" } else { "one of the events" };
    clean(&format!("{noun} {}", shown.join(", ")), 1_600)
}

/// Returns the text of a wait: `AskManager: an outcome by token`.
fn what(one: &WaitsAt) -> String {
    let path = one.path.as_deref().map_or(String::new(), |path| clean(&format!("{path}/"), 2_000));
    let state = path + &clean(&one.state, 80);
    match &one.waits_for {
        WaitsFor::Items(items) => format!("{state}: the items {}", clean(items, 80)),
        WaitsFor::Map(counts) => format!("{state}: its items, {}", counted_items(*counts)),
        WaitsFor::Task(task) => format!("{state}: the task {}", clean(task, 80)),
        WaitsFor::Token(task) => format!("{state}: an outcome by token ({})", clean(task, 80)),
        WaitsFor::Time => format!("{state}: a timer"),
        WaitsFor::Branches => format!("{state}: its branches"),
        WaitsFor::Event(kinds) => format!("{state}: {}", awaited(kinds)),
        WaitsFor::Child(workflow) => {
            let child =
                one.child.as_deref().map_or("an execution".to_owned(), |id| format!("the execution {}", clean(id, 80)));
            let of = if workflow.is_empty() { "a part of this workflow" } else { workflow };
            format!("{state}: {child} of {}", clean(of, 80))
        }
        WaitsFor::Nothing => format!("{state}: nothing"),
        _ => state,
    }
}

/// Returns the text of the numbers of items of a distributed Map.
fn counted_items(MapCounts { pending, running, succeeded, failed, .. }: MapCounts) -> String {
    format!("{pending} pending, {running} running, {succeeded} succeeded, {failed} failed")
}

/// Returns the correlation key of an execution that waits for events with it.
fn correlation_key(description: &Description) -> Option<&str> {
    let correlates = description.waiting.iter().any(|one| match &one.waits_for {
        WaitsFor::Event(kinds) => kinds.iter().any(|kind| kind.correlation.is_some()),
        _ => false,
    });
    description.correlation.as_deref().filter(|_| correlates)
}

fn described(description: &Description) -> String {
    let summary = &description.summary;
    let now = Timestamp::now();
    let time = |time: Option<Timestamp>| time.map(|time| format!("{time} ({} ago)", ago(time, now)));
    let to_come = |time: Option<Timestamp>| time.map(|time| format!("{time} (in {})", ago(now, time)));
    let counted = |count: u32| Some(count.to_string()).filter(|_| count > 0);
    let mut lines = vec![
        ("execution", Some(clean(&summary.id, 300))),
        ("workflow", Some(clean(&summary.workflow, 300))),
        ("service", summary.service.as_deref().map(|service| clean(service, 300))),
        ("status", Some(summary.status.name().to_owned())),
        ("started by", description.parent.as_deref().map(|id| clean(id, 300))),
        ("key", summary.key.as_deref().map(|key| clean(key, 300))),
        ("correlation", correlation_key(description).map(|key| clean(key, 300))),
        ("event", summary.event.as_ref().map(|(source, id)| clean(&format!("{id} of {source}"), 300))),
        ("definition", summary.hash.map(|hash| format!("{hash:016x}"))),
        ("submitted", time(summary.created)),
        ("starts at", to_come(summary.due.filter(|_| summary.started.is_none()))),
        ("started", time(summary.started)),
        ("deadline", to_come(description.deadline.filter(|_| summary.ended.is_none()))),
        ("ended", time(summary.ended)),
        ("restarts", counted(description.restarts)),
        ("crashes", counted(description.crashes)),
        ("redrives", counted(description.redrives)),
        ("items", description.items.map(counted_items)),
        ("input", description.input.as_ref().map(shown)),
    ];
    match &description.outcome {
        Some(Ok(output)) => lines.push(("output", Some(shown(output)))),
        Some(Err(fault)) => lines.push(("error", Some(clean(&fault.to_string(), 4_000)))),
        None => {}
    }
    let mut text = String::new();
    for (name, value) in lines {
        if let Some(value) = value {
            text.push_str(&format!("{name:14} {value}\n"));
        }
    }
    for one in &description.waiting {
        if summary.status.is_over() {
            text.push_str(&format!("{:14} {}\n", "waited for", what(one)));
            continue;
        }
        let until = until(one);
        let token = one.token.as_deref().map_or(String::new(), |token| format!(", token {token}"));
        text.push_str(&format!("{:14} {}{until}{token}\n", "waits for", what(one)));
    }
    for child in &description.children {
        let (id, workflow, status) = (clean(&child.id, 300), clean(&child.workflow, 300), child.status.name());
        text.push_str(&format!("{:14} {id}, of {workflow}: {status}\n", "child"));
    }
    text
}

/// Returns an event of a history as a line for people.
fn event(line: &str) -> String {
    let Ok(event) = Value::from_json(line) else { return clean(line, 4_000) + "\n" };
    let part = |name: &str| event.get(name).and_then(Value::as_str).unwrap_or_default();
    let place = place(&event, part("state"));
    let mut text = format!("{}  {:20} {place}", part("time"), part("event"));
    for (name, value) in event.as_object().into_iter().flat_map(|members| members.iter()) {
        if !["time", "workflow", "execution", "event", "state", "path"].contains(&name.as_str()) {
            text.push_str(&format!("  {name}={}", value.excerpt(LINE)));
        }
    }
    clean(text.trim_end(), LINE) + "\n"
}

/// Returns the state of an event with the branches and iterations around it: `Ship[0] › Pack`. A
/// history has each of these as `["Ship", 0]`.
fn place(event: &Value, state: &str) -> String {
    let mut place = String::new();
    for step in event.get("path").and_then(Value::as_array).into_iter().flat_map(|path| path.iter()) {
        if let Some([state, index]) = step.as_array().map(|step| &step[..]) {
            place.push_str(&format!("{}[{index}] › ", state.as_str().unwrap_or_default()));
        }
    }
    place + state
}

/// Returns a summary as JSON.
pub(crate) fn summary_json(summary: &Summary) -> Object {
    let mut object = Object::new();
    let mut add = |name: &'static str, value: Option<Value>| {
        if let Some(value) = value {
            object.insert(name, value);
        }
    };
    add("id", Some(summary.id.as_str().into()));
    add("workflow", Some(summary.workflow.as_str().into()));
    add("service", summary.service.as_deref().map(Value::from));
    add("status", Some(summary.status.name().into()));
    add("key", summary.key.as_deref().map(Value::from));
    add("event", summary.event.as_ref().map(|(source, id)| value!({ "source": source.as_str(), "id": id.as_str() })));
    add("created", summary.created.map(Value::from));
    add("due", summary.due.map(Value::from));
    add("started", summary.started.map(Value::from));
    add("ended", summary.ended.map(Value::from));
    add("definition", summary.hash.map(|hash| format!("{hash:016x}").into()));
    object
}

/// Returns a description as JSON, with or without task tokens. A token is all that is needed to
/// end its task.
pub(crate) fn description_json(description: &Description, tokens: bool) -> Value {
    let mut object = summary_json(&description.summary);
    if let Some(input) = &description.input {
        object.insert("input", input.clone());
    }
    if let Some(outcome) = &description.outcome {
        object.insert("outcome", outcome_json(outcome));
    }
    if let Some(deadline) = description.deadline {
        object.insert("deadline", deadline);
    }
    let counts =
        [("restarts", description.restarts), ("crashes", description.crashes), ("redrives", description.redrives)];
    for (name, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
        object.insert(name, count);
    }
    if let Some(key) = correlation_key(description) {
        object.insert("correlation", key);
    }
    if let Some(items) = description.items {
        object.insert("items", items.to_value());
    }
    let waiting = description.waiting.iter().map(|one| {
        let mut object = Object::new();
        if let Some(path) = &one.path {
            object.insert("path", path.as_str());
        }
        object.insert("state", one.state.as_str());
        let (what, detail) = match &one.waits_for {
            WaitsFor::Task(task) => ("task", Some(("task", Value::from(task.as_str())))),
            WaitsFor::Token(task) => ("token", Some(("task", task.as_str().into()))),
            WaitsFor::Time => ("time", None),
            WaitsFor::Branches => ("branches", None),
            WaitsFor::Items(items) => ("items", Some(("items", items.as_str().into()))),
            WaitsFor::Map(counts) => ("map", Some(("items", counts.to_value()))),
            WaitsFor::Event(kinds) => {
                let kinds = kinds.iter().map(|kind| Value::from(kind.to_value()));
                ("event", Some(("events", Value::from_iter(kinds))))
            }
            // A child execution of a part of the same definition has no workflow name.
            WaitsFor::Child(workflow) if workflow.is_empty() => ("execution", None),
            WaitsFor::Child(workflow) => ("execution", Some(("workflow", workflow.as_str().into()))),
            WaitsFor::Nothing => ("nothing", None),
            _ => ("something", None),
        };
        object.insert("for", what);
        if let Some((name, detail)) = detail {
            object.insert(name, detail);
        }
        if let Some(child) = &one.child {
            object.insert("execution", child.as_str());
        }
        if let Some(until) = one.until {
            object.insert("until", until);
        }
        let end = match one.deadline {
            Some(Deadline::Wait) => Some("wait"),
            Some(Deadline::Timeout) => Some("timeout"),
            Some(Deadline::Heartbeat) => Some("heartbeat"),
            _ => None,
        };
        if let Some(end) = end {
            object.insert("end", end);
        }
        if let Some(token) = one.token.as_ref().filter(|_| tokens) {
            object.insert("token", token.as_str());
        }
        Value::from(object)
    });
    let waiting = Value::from_iter(waiting);
    object.insert(if description.summary.status.is_over() { "waited" } else { "waiting" }, waiting);
    if let Some(parent) = &description.parent {
        object.insert("parent", parent.as_str());
    }
    if !description.children.is_empty() {
        let children = description.children.iter().map(|child| {
            let mut object = Object::new();
            object.insert("id", child.id.as_str());
            object.insert("workflow", child.workflow.as_str());
            object.insert("status", child.status.name());
            object.insert("awaited", child.awaited);
            Value::from(object)
        });
        object.insert("children", Value::from_iter(children));
    }
    object.into()
}

/// Returns `{"output": …}`, or `{"error": …, "cause": …}`.
pub(crate) fn outcome_json(outcome: &Outcome) -> Value {
    let mut object = Object::new();
    match outcome {
        Ok(output) => {
            object.insert("output", output.clone());
        }
        Err(fault) => {
            object.insert("error", fault.error().map_or(Value::Null, |error| Value::String(Str::from(error))));
            if let Some(cause) = fault.cause() {
                object.insert("cause", cause.clone());
            }
        }
    }
    object.into()
}
