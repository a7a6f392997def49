//! The run of a single state. The report shows its data stage by stage, the state that follows,
//! and the retries.
//!
//! The program was compiled from a workflow that consists of this state and yields `{"next": …,
//! "output": …}`.

use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::{Either, select};
use tokio::sync::Notify;
use workflow_runtime::machine::{CONTEXT_SETTING, MOCKED, Outcome, Task};
use workflow_runtime::observe::{Event, EventKind, Observer};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::testing::{self, MapItems, Mocks, VirtualClock};
use workflow_runtime::{Builder, Fault, Object, TaskContext, Value, Workflow};

use crate::command_line::block_on;
use crate::duration;
use crate::tasks::Bound;
use crate::visible::{visible, visible_lines};

/// The stage that the state is entered with.
const INPUT: &str = "input";

/// The most bytes of a document that are shown: 1 MiB.
const SHOWN: usize = 1 << 20;

/// The key, behind the prefix, of the object whose items those of `--items` are if the state names
/// no object.
const ANY_OBJECT: &str = "object";

/// The report of the run.
pub struct Report {
    pub text: String,
    pub failed: bool,
}

/// The differences of the trial of a state.
#[derive(Debug, Default)]
pub struct TrialOptions {
    /// The number of retries before the attempt that is reported.
    pub retries: u32,
    /// The items that the reader of a distributed Map finds, by the name of its state.
    pub items: Vec<(String, Value)>,
    /// The number of items that have failed, if a task replaces the iterations of a Map.
    pub failures: Option<u64>,
}

impl TrialOptions {
    /// Takes the value of `--retries` or `--failures`, a number, or of `--items`: `NAME=JSON`.
    pub fn set(&mut self, option: &str, text: &str) -> Result<(), String> {
        let count = || text.parse::<u32>().map_err(|_| format!("`--{option} {text}` is not a number of {option}"));
        match option {
            "retries" => self.retries = count()?,
            "failures" => self.failures = Some(count()?.into()),
            _ => {
                let (map, items) = text.split_once('=').ok_or_else(|| format!("`--items {text}` names no Map"))?;
                let items = Value::from_json(items).map_err(|error| format!("`--items`: {error}"))?;
                self.items.push((map.to_owned(), items));
            }
        }
        Ok(())
    }

    /// Returns the items as mocks, and their number.
    fn mocks(&self) -> Result<(Mocks, Option<u64>), String> {
        let (mut mocks, mut total) = (Mocks::new(), None);
        for (map, items) in &self.items {
            let items = map_items(items).ok_or("`--items` needs an array or an object")?.any_object(ANY_OBJECT);
            total = Some(items.len() as u64);
            mocks = mocks.items(&**map, items);
        }
        Ok((mocks, total))
    }
}

/// Returns the items of a reader: the elements of an array, or the members of an object.
pub(crate) fn map_items(items: &Value) -> Option<MapItems> {
    match items {
        Value::Array(values) => Some(MapItems::new(values.iter().cloned())),
        Value::Object(members) => {
            Some(MapItems::pairs(members.iter().map(|(key, value)| (key.clone(), value.clone()))))
        }
        _ => None,
    }
}

/// Runs the state until it has ended or would be retried. The attempt after the retries is
/// reported, or the end if it comes first. Returns `None` if a signal to end the program arrives
/// first.
pub fn inspect<W: Workflow>(
    tasks: &Bound,
    input: Value,
    settings: Object,
    options: &TrialOptions,
) -> Result<Option<Report>, String> {
    let seen = Arc::new(Seen { retries: options.retries, ..Seen::default() });
    let (mocks, total) = options.mocks()?;
    let initial = settings.clone();
    let builder = Builder::<W>::new().settings(settings).callbacks(tasks.callbacks()).observer(Watcher(seen.clone()));
    let builder = builder.objects(mocks.objects(None));
    let is_mocked = tasks.is_mocked();
    let tasks = Failing { tasks, failures: options.failures, total };
    // If all tasks are mocked, virtual time is enough.
    let builder = if is_mocked { builder.clock(VirtualClock::new()) } else { builder };
    let outcome = block_on(async {
        let run = pin!(builder.tasks(&tasks).run(input));
        let retried = pin!(seen.retried.notified());
        match select(retried, run).await {
            Either::Left(_) => None,
            Either::Right((outcome, _)) => Some(outcome),
        }
    })?;
    let Some(mut outcome) = outcome else { return Ok(None) };
    // No other option has the items of a Map inside the state.
    let state = W::DEFINITION.states.first().map_or("", |state| state.name);
    if let Some(Err(fault)) = &mut outcome
        && mocks.maps_without_items().iter().any(|map| map == state)
    {
        *fault = Fault::runtime(format!("no items for the reader of the Map `{state}`: add `--items`"));
    }
    let lines = std::mem::take(&mut *seen.lines.lock().unwrap_or_else(PoisonError::into_inner));
    let mut text = String::new();
    for (stage, details) in lines {
        text.push_str(&format!("{}\n", visible(&stage)));
        details.lines().for_each(|line| text.push_str(&format!("    {line}\n")));
    }
    let failed = matches!(outcome, Some(Err(_)));
    text.push_str(&ending(outcome, &initial));
    Ok(Some(Report { text: visible_lines(&text).into_owned(), failed }))
}

/// Tasks, of which the one in place of a Map's iterations fails if the Map does not tolerate its
/// failures.
struct Failing<'t> {
    tasks: &'t Bound,
    failures: Option<u64>,
    /// The number of items that a reader has.
    total: Option<u64>,
}

impl Invoke for Failing<'_> {
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        let Some(failures) = self.failures.filter(|_| task.resource == MOCKED) else {
            return self.tasks.invoke(task, input, cx);
        };
        let tolerated = testing::map_failures(&input, failures, self.total);
        let outcome = self.tasks.invoke(task, input, cx);
        // An error of the iterations is one of the Map, whatever it tolerates.
        Box::pin(async move { outcome.await.and_then(|result| tolerated.map(|()| result)) })
    }
}

/// Sets the context object, which is the value of `--context`.
pub fn set_context(settings: &mut Object, text: &str) -> Result<(), String> {
    let context = Value::from_json(text).map_err(|error| format!("`--context`: {error}"))?;
    settings.insert(CONTEXT_SETTING, context);
    Ok(())
}

fn ending(outcome: Option<Outcome>, initial: &Object) -> String {
    match outcome {
        None => String::new(),
        Some(Err(fault)) => format!("failed\n    {}\n", visible(&fault.to_string())),
        Some(Ok(end)) => {
            let next = end.get("next").and_then(Value::as_str).map_or_else(|| "end".to_owned(), str::to_owned);
            let output = indented(&end.get("output").cloned().unwrap_or_default());
            format!("output\n{output}{}next\n    {}\n", changed(&end, initial), visible(&next))
        }
    }
}

/// Returns the text of the variables whose values differ from the given ones; empty if there are
/// none.
fn changed(end: &Value, initial: &Object) -> String {
    let variables = end.get("variables").and_then(Value::as_object).into_iter().flat_map(Object::iter);
    let changed = variables.filter(|(name, value)| initial.get(name) != Some(value));
    let changed: Object = changed.map(|(name, value)| (name.to_owned(), value.clone())).collect();
    if changed.is_empty() { String::new() } else { format!("variables changed\n{}", indented(&changed.into())) }
}

fn indented(value: &Value) -> String {
    shown(value).lines().map(|line| format!("    {line}\n")).collect()
}

/// Returns indented JSON, or the beginning of a large document.
fn shown(value: &Value) -> String {
    value.to_json_pretty(SHOWN as u64).unwrap_or_else(|_| value.excerpt(SHOWN))
}

/// The stages of the reported attempt that were observed, and a notification of its retry.
#[derive(Default)]
struct Seen {
    /// The number of retries before the reported attempt.
    retries: u32,
    lines: Mutex<Vec<(String, String)>>,
    retried: Notify,
}

struct Watcher(Arc<Seen>);

impl Observer for Watcher {
    fn observe(&mut self, event: &Event<'_>) {
        let mut lines = self.0.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let (stage, details) = match event.kind {
            // The inputs of iterations belong to the data of a Map state.
            EventKind::Inspected { stage: "afterItemSelector", value } if event.path.len() == 1 => {
                let index = event.path.first().map_or(0, |step| step.index);
                (format!("after ItemSelector, iteration {index}"), shown(value))
            }
            // Other events in branches and iterations are not shown: the state's result includes
            // their results.
            _ if !event.path.is_empty() => return,
            EventKind::StateEntered { input } => (INPUT.to_owned(), shown(input)),
            EventKind::Inspected { stage: "chosen", value } => {
                ("chosen".to_owned(), value.as_str().unwrap_or_default().to_owned())
            }
            // The compiler reports this stage also where the field is absent. The data are then
            // those of the stage before, or the result itself.
            EventKind::Inspected { stage: "afterResultSelector", value } => {
                let details = shown(value);
                if lines.last().is_some_and(|(_, before)| *before == details) {
                    return;
                }
                let has_result = lines.iter().any(|(stage, _)| stage == "result");
                (if has_result { "after ResultSelector" } else { "result" }.to_owned(), details)
            }
            EventKind::Inspected { stage, value } => (words(stage), shown(value)),
            EventKind::TaskScheduled { task, .. } if task.resource == MOCKED => return,
            EventKind::TaskScheduled { task, input, .. } => (format!("input of task {}", task.key), shown(input)),
            EventKind::WaitStarted { until } => {
                ("waits".to_owned(), format!("{}, until {until}", duration::show(until.since(event.time))))
            }
            EventKind::StateCaught { fault } => ("caught".to_owned(), fault.to_string()),
            // The input is the same in each attempt.
            EventKind::StateRetried { retry, .. } if retry <= self.0.retries => {
                return lines.retain(|(stage, _)| stage == INPUT);
            }
            EventKind::StateRetried { fault, retry, delay } => {
                let details = format!("{fault}\nretry {retry} in {}", duration::show(delay));
                ("failed and is retried".to_owned(), details)
            }
            _ => return,
        };
        lines.push((stage, details));
        drop(lines);
        if let EventKind::StateRetried { .. } = event.kind {
            self.0.retried.notify_one();
        }
    }
}

/// Returns the name of a stage as words: `afterInputPath` as `after InputPath`.
fn words(stage: &str) -> String {
    match stage.strip_prefix("after") {
        Some(field) => format!("after {field}"),
        None => stage.to_owned(),
    }
}
