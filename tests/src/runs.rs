//! Runs a case in every way that must not change its outcome.

use crate::divided::Divided;
use crate::shuffled::Shuffled;
use crate::{case_folder, definitions, replay};
use std::sync::Arc;
use workflow_runner::cases::{self, Coverage, Expect, Run};
use workflow_runtime::clock::Clock;
use workflow_runtime::engine::driver::{Driver, Environment, Volatile};
use workflow_runtime::engine::memory::subscribe;
use workflow_runtime::engine::turns::Turns;
use workflow_runtime::machine::{Batching, Outcome, Program, Start};
use workflow_runtime::observe::{Event, Observer};
use workflow_runtime::testing::{self, Mocks, Report, VirtualClock};
use workflow_runtime::{Builder, Hub, Str, Workflow};

/// The number of orders of completion that are tried.
const ORDERS: u64 = 4;

/// The cases whose outcome may depend on the order in which tasks end, each with the reason.
const ORDERED: &[(&str, &str)] = &[];

/// The name of states that no run may enter.
const NEVER: &str = "Never";

/// Runs every run of a case as `case.toml` describes it: plainly, saved and loaded after every
/// completion, and with tasks that end in other orders. Together the runs must visit all states
/// and transitions of the definition.
pub fn check<W: Workflow>(name: &str) {
    let file = case_folder(name).join("case.toml");
    let text = definitions::read(&file).unwrap_or_else(|message| panic!("{message}"));
    let runs = cases::read("case.toml", &text).unwrap_or_else(|problem| panic!("{name}/{problem}")).runs;
    let coverage = Coverage::new(W::DEFINITION);
    let mut problems: Vec<String> = runs.iter().flat_map(|run| check_run::<W>(name, run, &coverage)).collect();
    problems.extend(unvisited::<W>(&coverage));
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The errors of JSONPath that JSONata does not have.
const ERRORS_OF_JSONPATH: [&str; 2] = ["States.Runtime", "States.ResultPathMatchFailure"];

/// Runs every run of a case with a definition that was converted to JSONata. Leaves out runs that
/// an error of JSONPath ends: the error has another name in JSONata, and a path that leads nowhere
/// can be the value undefined, which is no error.
pub fn check_converted<W: Workflow>(name: &str) {
    let file = case_folder(name).join("case.toml");
    let text = definitions::read(&file).unwrap_or_else(|message| panic!("{message}"));
    let runs = cases::read("case.toml", &text).unwrap_or_else(|problem| panic!("{name}/{problem}")).runs;
    let coverage = Coverage::new(W::DEFINITION);
    let is_compared = |run: &&Run| match &run.expect {
        Some(Expect::Error { error: Some(error), .. }) => !ERRORS_OF_JSONPATH.contains(&error.as_str()),
        _ => true,
    };
    let compared: Vec<&Run> = runs.iter().filter(is_compared).collect();
    println!("{name}: {} of {} runs compared", compared.len(), runs.len());
    let problems: Vec<String> = compared
        .into_iter()
        .flat_map(|run| {
            let failures = cases::check::<W>(run, &coverage).failures;
            failures.into_iter().map(|problem| format!("{} (case.toml:{}): {problem}", run.name, run.line))
        })
        .collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

fn check_run<W: Workflow>(name: &str, run: &Run, coverage: &Coverage) -> Vec<String> {
    let verdict = cases::check::<W>(run, coverage);
    let mut problems = verdict.failures;
    let plain = verdict.report;
    let reloaded = run_again::<W>(run, true);
    if reloaded != plain {
        problems.push(format!("another run when reloaded:\n  {plain:?}\n  {reloaded:?}"));
    }
    if ORDERED.iter().all(|(ordered, _)| *ordered != name) {
        for seed in 0..ORDERS {
            let shuffled = run_shuffled::<W>(run, seed);
            if shuffled.as_ref() != Some(&plain.outcome) {
                let expected = &plain.outcome;
                problems.push(format!("another outcome in order {seed}:\n  {expected:?}\n  {shuffled:?}"));
            }
            problems.extend(replay::check::<W>(run, seed));
            let divided = run_divided::<W>(run, seed);
            if divided.as_ref() != Some(&plain.outcome) {
                let expected = &plain.outcome;
                problems.push(format!("another outcome when divided, in order {seed}:\n  {expected:?}\n  {divided:?}"));
            }
        }
    }
    problems.into_iter().map(|problem| format!("{} (case.toml:{}): {problem}", run.name, run.line)).collect()
}

fn run_again<W: Workflow>(run: &Run, reload: bool) -> Report {
    let mocks = cases::mocks_of(run, W::DEFINITION);
    testing::run(builder::<W>(run).reload_at_every_completion(reload), &mocks, run.input.clone())
}

/// Runs a case with tasks that end in another order, and saves and loads the execution if the seed
/// is odd. Returns `None` if the execution does not end.
fn run_shuffled<W: Workflow>(run: &Run, seed: u64) -> Option<Outcome> {
    let mocks = cases::mocks_of(run, W::DEFINITION);
    let tasks = Shuffled::new(&mocks, seed);
    let (clock, hub) = (VirtualClock::new(), mocks.share(Hub::new()));
    let builder = builder::<W>(run).clock(clock.clone()).callbacks(mocks.callbacks()).hub(&hub);
    let builder = builder.objects(mocks.objects(None)).reload_at_every_completion(seed % 2 == 1);
    let events = testing::publish(&hub, &clock, mocks.events().iter().cloned());
    testing::block_on(testing::alongside(builder.tasks(&tasks).run(run.input.clone()), events))
}

/// Runs a case with iterations that are divided among executions, and saves and loads these if the
/// seed is odd. Returns `None` if the execution does not end.
fn run_divided<W: Workflow>(run: &Run, seed: u64) -> Option<Outcome> {
    let clock = VirtualClock::new();
    let size = seed as u32 % 3 + 1;
    let start = Start {
        seed: Some(1),
        settings: run.settings.clone(),
        correlation: correlation::<W>(run),
        time: Some(Clock::now(&clock)),
        batching: Some(Batching { above: 1, size }),
        ..Start::new(run.input.clone())
    };
    let mocks = cases::mocks_of(run, W::DEFINITION);
    let tasks = Shuffled::new(&mocks, seed);
    let program = Program::of::<W>();
    let execution = Box::new(Divided::start(program, start, seed % 2 == 1, || Box::new(Nobody)));
    let hub = mocks.share(Hub::new());
    let mut driver = Driver::new(program, execution, environment(&clock, &mocks, &hub), &tasks, Volatile);
    let _subscription = subscribe(&mut driver, &hub);
    let events = testing::publish(&hub, &clock, mocks.events().iter().cloned());
    let _rest = testing::block_on(testing::alongside(driver.run(), events))?;
    driver.execution().result().cloned()
}

/// Returns the environment of an execution that the test drives itself.
pub(crate) fn environment(clock: &VirtualClock, mocks: &Mocks, hub: &Hub) -> Environment {
    let (clock, callbacks) = (Arc::new(clock.clone()), Some(mocks.callbacks().clone()));
    Environment {
        objects: Some(mocks.objects(None)),
        clock,
        callbacks,
        tasks_at_once: usize::MAX,
        hub: Some(hub.clone()),
        sink: None,
        turns: Turns::default(),
    }
}

/// An observer that ignores all events.
struct Nobody;

impl Observer for Nobody {
    fn observe(&mut self, _: &Event<'_>) {}
}

fn builder<W: Workflow>(run: &Run) -> Builder<W> {
    let builder = Builder::<W>::new().seed(1).settings(run.settings.clone());
    match correlation::<W>(run) {
        Some(value) => builder.correlate(value),
        None => builder,
    }
}

/// Returns the correlation key of a run. Ignores an invalid key, because the plain run has
/// reported it.
pub(crate) fn correlation<W: Workflow>(run: &Run) -> Option<Str> {
    cases::correlation(run, W::DEFINITION).ok().flatten()
}

/// Returns the states and transitions that no run takes, and the state `Never` if a run enters it.
fn unvisited<W: Workflow>(coverage: &Coverage) -> Option<String> {
    let (_, mut states) = coverage.states();
    let (_, mut transitions) = coverage.transitions();
    let expected = W::DEFINITION.states.iter().filter(|state| state.name == NEVER).count();
    if states.iter().filter(|state| **state == NEVER).count() < expected {
        return Some(format!("the state `{NEVER}` was entered"));
    }
    states.retain(|state| *state != NEVER);
    transitions.retain(|(_, to)| *to != NEVER);
    let transitions: Vec<String> = transitions.iter().map(|(from, to)| format!("{from} -> {to}")).collect();
    let left: Vec<String> = states.into_iter().map(str::to_owned).chain(transitions).collect();
    (!left.is_empty()).then(|| format!("no run goes through {}", left.join(", ")))
}
