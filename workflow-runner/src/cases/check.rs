//! Runs of cases, and the comparison of their results with the expectations.

use workflow_runtime::machine::{Definition, Outcome, resolve_workflow};
use workflow_runtime::testing::{self, Mocks, Report, Unanswered};
use workflow_runtime::{Builder, CloudEvent, Fault, Hub, Str, Value, Workflow};

use super::{Coverage, Expect, ExpectedChild, Mock, Run, Sent, maps};
use crate::{command_line, duration};

/// The result of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The report of the run.
    pub report: Report,
    /// The mistakes of the run and the differences from its expectations; empty if it passed.
    pub failures: Vec<String>,
    /// Remarks that do not fail the run, such as unused replies.
    pub notes: Vec<String>,
}

/// Runs a case under virtual time, compares the result with the expectations, and adds the visited
/// states and transitions to the coverage, also those of child executions of the same workflow.
///
/// A run passes only if it has an expectation, every invoked task has a reply, and the execution
/// succeeds or fails with the error in `expect`.
pub fn check<W: Workflow>(run: &Run, coverage: &Coverage) -> Verdict {
    let mut failures = misnamed(run, W::DEFINITION);
    failures.extend(maps::misnamed(&run.maps, W::DEFINITION));
    // A distributed Map processes its items in child executions.
    let of_children = coverage.clone();
    let hub = Hub::new().observer(move || of_children.observer());
    let builder = Builder::<W>::new().seed(1).settings(run.settings.clone());
    let mut builder = builder.hub(&hub).observer(coverage.observer());
    match correlation(run, W::DEFINITION) {
        Ok(Some(value)) => builder = builder.correlate(value),
        Ok(None) => {}
        Err(problem) => failures.push(problem),
    }
    let mocks = mocks_of(run, W::DEFINITION);
    let report = testing::run(builder, &mocks, run.input.clone());
    failures.extend(compare(run, &report));
    let mut missing: Vec<String> = mocks.unanswered().iter().map(unanswered).collect();
    missing.extend(unmocked(run, &report, W::DEFINITION));
    missing.extend(maps::without_items(&mocks));
    if let (None, Err(fault), true) = (&run.expect, &report.outcome, missing.is_empty()) {
        failures.push(unexpected(fault, &report));
    }
    failures.extend(missing);
    if failures.is_empty() && run.expects_nothing() {
        failures.push(no_expectation(&report));
    }
    let unused = mocks.unused();
    let notes = unused.into_iter().map(|(name, count)| format!("note: unused replies of `{name}`: {count}"));
    let unread = mocks.unread_items();
    let unread = unread.into_iter().map(|map| format!("note: unused items of the Map `{map}`"));
    Verdict { report, failures, notes: notes.chain(unread).collect() }
}

/// Returns a failure for an invocation without a reply.
fn unanswered(missing: &Unanswered) -> String {
    let table = if missing.state.is_some() { "run.tasks" } else { "run.workflows" };
    let name = toml_key(&missing.name);
    format!("{missing}\n= help: add one to `[{table}]`: `{name} = [{{ ok = … }}]`, or `{{ never = true }}` in the list")
}

/// Returns a failure for each workflow that the run starts and does not mock.
fn unmocked(run: &Run, report: &Report, definition: &'static Definition) -> Vec<String> {
    let is_known = |name: &str| {
        let is_mocked = run.workflows.iter().any(|mock| mock.name == name);
        // A workflow that starts itself needs no mock.
        is_mocked || resolve_workflow(name, [definition]).is_ok()
    };
    let mut names: Vec<&str> = report.started.iter().map(|(name, _)| &**name).filter(|name| !is_known(name)).collect();
    names.sort_unstable();
    names.dedup();
    let failure = |name: &str| {
        let key = toml_key(name);
        format!(
            "the started workflow `{name}` has no replies\n= help: add `[run.workflows]` with `{key} = [{{ ok = … }}]`"
        )
    };
    names.into_iter().map(failure).collect()
}

/// Returns the failure of a run that does not expect the fault with which the execution ended.
fn unexpected(fault: &Fault, report: &Report) -> String {
    let help = match report.waiting[..] {
        [] => format!("add `{}` if the execution should fail", error_expected(fault)),
        _ => "add the events to `[[run.events]]`, or replace `never` with a reply".to_owned(),
    };
    format!("the execution failed: {fault}\n= help: {help}")
}

/// Returns the failure of a run without an expectation. The help is an expectation that holds.
fn no_expectation(report: &Report) -> String {
    let expected = match &report.outcome {
        Ok(output) => match output.to_json(SUGGESTED) {
            Ok(json) if !json.contains(['\'', '\u{7f}']) => format!("expect = {{ output_json = '{json}' }}"),
            _ => "expect = { output = … }".to_owned(),
        },
        Err(fault) => error_expected(fault),
    };
    format!("the run has no expectation\n= help: add `{expected}`, if this outcome is correct")
}

/// Returns the key of `case.toml` that expects this fault.
fn error_expected(fault: &Fault) -> String {
    match fault.error() {
        Some(error) => format!("expect = {{ error = {} }}", Value::from(error).excerpt(SHOWN)),
        None => "expect = { fails = true }".to_owned(),
    }
}

/// Returns a name as a key of TOML.
pub(super) fn toml_key(name: &str) -> String {
    let is_bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    // The escapes of JSON are valid in TOML.
    if is_bare { name.to_owned() } else { Value::from(name).excerpt(SHOWN) }
}

/// Returns the correlation key of a run: `correlate`, or else the key of the first event that
/// starts the execution. A malformed `correlate` is an error.
pub fn correlation(run: &Run, definition: &Definition) -> Result<Option<Str>, String> {
    if let Some(pair) = &run.correlate {
        return command_line::correlation(definition, pair).map(|value| Some(value.into()));
    }
    let starts = definition.starts_on.iter().flat_map(|starts| starts.events);
    let kinds: Vec<_> = starts.filter_map(|kind| definition.events.get(*kind as usize)).collect();
    let starting = run.events.iter().filter(|(_, event)| kinds.iter().any(|kind| kind.matches(event)));
    let first = starting.min_by_key(|(after, _)| *after);
    Ok(first.and_then(|(_, event)| {
        kinds.iter().filter(|kind| kind.matches(event)).find_map(|kind| kind.correlation_of(event))
    }))
}

/// Returns all mocks of a run: tasks, workflows, items of Maps, and events from outside.
pub fn mocks_of(run: &Run, definition: &Definition) -> Mocks {
    let mocks = mocks(&run.tasks, definition);
    let mocks = maps::mock(&run.maps, mocks);
    let workflows = run.workflows.iter();
    let mocks = workflows.fold(mocks, |mocks, mock| mocks.workflow(&*mock.name, mock.replies.iter().cloned()));
    run.events.iter().fold(mocks, |mocks, (after, event)| mocks.event(*after, event.clone()))
}

/// Returns the mocks of tasks. A name that is no task key is the name of a state.
pub fn mocks(list: &[Mock], definition: &Definition) -> Mocks {
    list.iter().fold(Mocks::new(), |mocks, mock| match definition.tasks.iter().any(|task| task.key == mock.name) {
        true => mocks.task(&*mock.name, mock.replies.iter().cloned()),
        false => mocks.state(&*mock.name, mock.replies.iter().cloned()),
    })
}

fn misnamed(run: &Run, definition: &Definition) -> Vec<String> {
    let known = |name: &str| definition.tasks.iter().any(|task| task.key == name || task.state == name);
    let unknown = run.tasks.iter().filter(|mock| !known(&mock.name));
    let mut tasks: Vec<String> = definition.tasks.iter().map(|task| format!("`{}`", task.key)).collect();
    tasks.dedup();
    unknown
        .map(|mock| {
            let (name, line, tasks) = (&mock.name, mock.line, tasks.join(", "));
            format!("`{name}` (line {line}) is neither a task nor a state that invokes one: the tasks are {tasks}")
        })
        .collect()
}

fn compare(run: &Run, report: &Report) -> Vec<String> {
    let mut failures = Vec::new();
    match (&run.expect, &report.outcome) {
        (None, _) => {}
        (Some(Expect::Output(expected)), Ok(output)) if expected == output => {}
        (Some(Expect::Error { error, cause }), Err(fault))
            if error.as_ref().is_none_or(|error| fault.error() == Some(error))
                && cause.as_ref().is_none_or(|cause| fault.cause() == Some(cause)) => {}
        (Some(expected), outcome) => {
            failures.push(format!("expected {}\n     got {}", show_expected(expected), show_outcome(outcome)));
        }
    }
    match &run.visited {
        Some(visited) if *visited != report.visited => {
            failures.push(format!(
                "expected the states {}\n     got {}",
                visited.join(", "),
                report.visited.join(", ")
            ));
        }
        _ => {}
    }
    match run.virtual_time {
        Some(time) if time != report.elapsed => {
            let (expected, got) = (duration::show(time), duration::show(report.elapsed));
            failures.push(format!("expected a duration of {expected}\n     got {got}"));
        }
        _ => {}
    }
    if let Some(expected) = &run.sent {
        failures.extend(compare_sent(expected, &report.sent));
    }
    if let Some(expected) = &run.started {
        failures.extend(compare_started(expected, &report.started));
    }
    failures.extend(maps::compare(&run.maps, &report.written));
    failures
}

/// The most bytes of a document that a failure shows: 64 KiB.
pub(super) const SHOWN: usize = 64 << 10;
/// The most bytes of an output that the help of a run without expectation suggests: 1 KiB.
const SUGGESTED: u64 = 1 << 10;

/// Returns the differences between the expected events and the events that were sent.
pub(super) fn compare_sent(expected: &[Sent], sent: &[CloudEvent]) -> Vec<String> {
    let mut failures = Vec::new();
    for (number, (expected, event)) in (1..).zip(expected.iter().zip(sent)) {
        let attributes = expected.attributes.iter().map(|(name, value)| (&**name, value, event.attribute(name)));
        let data = expected.data.iter().map(|data| ("data", data, Some(event.data.clone())));
        for (what, expected, got) in attributes.chain(data).filter(|(_, expected, got)| got.as_ref() != Some(expected))
        {
            let got = got.map_or("none".to_owned(), |got| got.excerpt(SHOWN));
            let expected = expected.excerpt(SHOWN);
            failures.push(format!("expected the {what} {expected} of sent event {number}\n     got {got}"));
        }
    }
    if expected.len() != sent.len() {
        let names = sent.iter().map(|event| event.subject.as_ref().unwrap_or(&event.kind).to_string());
        failures.push(other_number("sent events", expected.len(), names.collect()));
    }
    failures
}

/// Returns the differences between the expected workflows and the workflows that were started.
pub(super) fn compare_started(expected: &[ExpectedChild], started: &[(String, Value)]) -> Vec<String> {
    let mut failures = Vec::new();
    for (number, (expected, (workflow, input))) in (1..).zip(expected.iter().zip(started)) {
        if expected.workflow != *workflow {
            let expected = &expected.workflow;
            failures.push(format!("expected `{expected}` as started workflow {number}\n     got `{workflow}`"));
        } else if let Some(expected) = expected.input.as_ref().filter(|expected| *expected != input) {
            let (expected, input) = (expected.excerpt(SHOWN), input.excerpt(SHOWN));
            failures.push(format!(
                "expected the input {expected} of `{workflow}`, started workflow {number}\n     got {input}"
            ));
        }
    }
    if expected.len() != started.len() {
        let names = started.iter().map(|(workflow, _)| workflow.clone());
        failures.push(other_number("started workflows", expected.len(), names.collect()));
    }
    failures
}

pub(super) fn other_number(what: &str, expected: usize, got: Vec<String>) -> String {
    let names = if got.is_empty() { String::new() } else { format!(": {}", got.join(", ")) };
    format!("expected {expected} {what}\n     got {}{names}", got.len())
}

fn show_expected(expected: &Expect) -> String {
    match expected {
        Expect::Output(output) => format!("output {}", output.excerpt(SHOWN)),
        Expect::Error { error, cause } => {
            let error = error.as_ref().map_or_else(|| "any error".to_owned(), |error| format!("error {error}"));
            cause.as_ref().map_or_else(|| error.clone(), |cause| format!("{error}: {}", plain(cause)))
        }
    }
}

fn show_outcome(outcome: &Outcome) -> String {
    match outcome {
        Ok(output) => format!("output {}", output.excerpt(SHOWN)),
        Err(fault) => format!("error {fault}"),
    }
}

/// Returns a string without its quotes; any other value as JSON.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.excerpt(SHOWN), str::to_owned)
}
