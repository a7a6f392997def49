//! The runner's report of one run.

use serde_json::Value;

/// The record of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Observed {
    /// The end of the run.
    pub result: Ended,
    /// The calls of tasks, in order.
    pub calls: Vec<Call>,
    /// The events that observers received, in order.
    pub events: Vec<Event>,
    /// The events that the execution published, in order, as CloudEvents.
    pub sent: Vec<Value>,
    /// The duration in seconds. `None` if the execution did not end.
    pub elapsed: Option<f64>,
    /// The end of the execution that was saved and loaded at every wait, if it was a different
    /// one.
    pub reloaded: Option<Value>,
    /// The further runs of the case, in the order of its plan.
    pub also: Vec<Observed>,
}

/// The end of an execution.
#[derive(Debug, Clone, PartialEq)]
pub enum Ended {
    /// The execution ended with this output.
    Output(Value),
    /// The execution ended with a fault.
    Fault {
        /// The error's name.
        error: Option<String>,
        /// The cause.
        cause: Option<Value>,
    },
}

/// The call of a task, or the start of another workflow.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The state that called it.
    pub state: String,
    /// The key of the task.
    pub task: String,
    /// The resource of the task; `subflow:NAME` if another workflow was started.
    pub resource: String,
    /// The time of the call, in seconds from the start.
    pub at: Option<f64>,
    /// The input of the task.
    pub input: Value,
    /// The credentials for the call.
    pub credentials: Value,
    /// The time-out in seconds.
    pub timeout: Option<f64>,
    /// The heartbeat interval in seconds.
    pub heartbeat: Option<f64>,
    /// The number of the run's stub that answered.
    pub stub: Option<usize>,
}

/// An event that an observer received.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The kind: `StateEntered`, …
    pub kind: String,
    /// The state that the event is about.
    pub state: String,
    /// The stage, where a stage of a state's data was shown.
    pub stage: String,
    /// The number of branches and iterations around the state.
    pub depth: usize,
    /// The value, or the fault as `{"Error", "Cause"}`.
    pub value: Value,
    /// The time, in seconds from the start.
    pub at: f64,
    /// The end of the wait that begins, in seconds from the start.
    pub until: Option<f64>,
    /// The branches and iterations around the state, from the outside in: the state that started
    /// each, and its index.
    pub path: Vec<(String, usize)>,
}

impl Observed {
    /// Reads a line of the runner's output.
    pub fn read(line: &Value) -> Option<Observed> {
        Some(Observed {
            result: read_result(line.get("result")?)?,
            calls: line.get("calls")?.as_array()?.iter().map(read_call).collect(),
            events: line.get("events")?.as_array()?.iter().map(read_event).collect(),
            sent: line["sent"].as_array().cloned().unwrap_or_default(),
            elapsed: line["elapsed"].as_f64(),
            reloaded: line.get("reloaded").cloned(),
            also: match line.get("also").and_then(Value::as_array) {
                Some(further) => further.iter().map(Observed::read).collect::<Option<_>>()?,
                None => Vec::new(),
            },
        })
    }

    /// Returns `true` if the execution ended with an output.
    pub fn has_output(&self) -> bool {
        matches!(self.result, Ended::Output(_))
    }

    /// Returns the events of one kind that happened in no branch and no iteration.
    pub fn outermost<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Event> {
        self.events.iter().filter(move |event| event.kind == kind && event.depth == 0)
    }
}

fn read_result(result: &Value) -> Option<Ended> {
    if let Some(output) = result.get("output") {
        return Some(Ended::Output(output.clone()));
    }
    let error = result.get("error")?.as_str().map(str::to_owned);
    Some(Ended::Fault { error, cause: result.get("cause").filter(|cause| !cause.is_null()).cloned() })
}

fn read_call(call: &Value) -> Call {
    Call {
        state: text(call, "state"),
        task: text(call, "task"),
        resource: text(call, "resource"),
        at: call["at"].as_f64(),
        input: call["input"].clone(),
        credentials: call["credentials"].clone(),
        timeout: call["timeout"].as_f64(),
        heartbeat: call["heartbeat"].as_f64(),
        stub: call["stub"].as_u64().and_then(|at| usize::try_from(at).ok()),
    }
}

fn read_event(event: &Value) -> Event {
    Event {
        kind: text(event, "kind"),
        state: text(event, "state"),
        stage: text(event, "stage"),
        depth: event["depth"].as_u64().and_then(|depth| usize::try_from(depth).ok()).unwrap_or_default(),
        value: event["value"].clone(),
        at: event["at"].as_f64().unwrap_or_default(),
        until: event["until"].as_f64(),
        path: event["path"].as_array().into_iter().flatten().filter_map(read_step).collect(),
    }
}

fn read_step(step: &Value) -> Option<(String, usize)> {
    Some((step.get(0)?.as_str()?.to_owned(), step.get(1)?.as_u64().and_then(|index| usize::try_from(index).ok())?))
}

fn text(object: &Value, key: &str) -> String {
    object[key].as_str().unwrap_or_default().to_owned()
}
