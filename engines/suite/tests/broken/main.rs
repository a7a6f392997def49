//! The suite on engines that are broken on purpose: each defect is found by the tests of the
//! promises that it breaks, and by no others.

mod engine;

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use engine::{Broken, Defect, Memory};
use workflow_engine_suite::{Open, Registry, Workflows, violations};
use workflow_runtime::engine::Engine;
use workflow_runtime::task::Invoke;
use workflow_runtime::{MemoryEngine, MemoryEngineBuilder, Workflow};

/// The time that the engine has. The check of a broken promise may take that long.
const PATIENCE: Duration = Duration::from_secs(5);

struct Builder(MemoryEngineBuilder);

impl Registry for Builder {
    fn workflow<W: Workflow>(self, tasks: impl Invoke + 'static) -> Self {
        Builder(self.0.workflow::<W>(tasks))
    }
}

/// The builder of an engine that keeps executions.
struct DurableBuilder(workflow_sqlite::Builder);

impl Registry for DurableBuilder {
    fn workflow<W: Workflow>(self, tasks: impl Invoke + 'static) -> Self {
        DurableBuilder(self.0.workflow::<W>(tasks))
    }
}

fn broken(engine: impl Engine + 'static, defect: Defect) -> Arc<dyn Engine> {
    Arc::new(Broken { engine: Arc::new(engine), defect, memory: Mutex::new(Memory::default()) })
}

/// Checks that an engine in memory with this defect breaks these promises and no others.
fn check(defect: Defect, expected: &[&str]) {
    let open = move |workflows: Workflows, _: PathBuf| async move {
        let (engine, run) = workflows.register(Builder(MemoryEngine::builder())).0.open();
        tokio::spawn(run);
        broken(engine, defect)
    };
    check_engine(open, defect, expected);
}

/// Checks that a durable engine with this defect breaks these promises and no others.
fn check_durable(defect: Defect, expected: &[&str]) {
    let open = move |workflows: Workflows, folder: PathBuf| async move {
        let builder = DurableBuilder(workflow_sqlite::Engine::at(folder.join("broken.db")));
        let opened = workflows.register(builder).0.open().await;
        broken(opened.expect("the database can be opened"), defect)
    };
    check_engine(open, defect, expected);
}

fn check_engine(open: impl Open, defect: Defect, expected: &[&str]) {
    let found = violations(open, PATIENCE);
    let names: Vec<&str> = found.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, expected, "{defect:?}: {found:#?}");
}

#[test]
fn a_lost_event_is_found() {
    let broken = ["events_are_received_in_order", "a_full_inbox_pushes_back_and_loses_nothing"];
    check(Defect::LosesAnEvent, &broken);
}

#[test]
fn a_second_delivery_is_found() {
    let broken = [
        "events_are_received_in_order",
        "a_duplicate_is_received_once",
        "a_full_inbox_pushes_back_and_loses_nothing",
        "a_start_event_starts_one_execution",
        "a_duplicate_of_a_start_event_starts_nothing",
        "an_event_starts_nothing_unless_it_may",
    ];
    check(Defect::DeliversTwice, &broken);
}

#[test]
fn a_second_execution_of_a_key_is_found() {
    let broken = ["a_key_starts_one_execution", "a_key_is_refused_for_another_input", "lists_are_filtered"];
    check(Defect::IgnoresKeys, &broken);
}

#[test]
fn a_forgotten_cancellation_is_found() {
    let broken = [
        "a_running_execution_is_cancelled",
        "a_waiting_execution_is_cancelled",
        "a_token_lapses_with_its_execution",
        "a_cancelled_parent_leaves_no_awaited_child",
        "a_cancelled_child_fails_its_parent",
        "a_cancelled_parent_ends_the_run_of_its_map",
        "lists_are_filtered",
    ];
    check(Defect::ForgetsCancellations, &broken);
}

#[test]
fn an_answer_to_a_lapsed_token_is_found() {
    let broken = ["a_token_is_used_once", "a_token_lapses_with_its_execution"];
    check(Defect::AnswersLapsedTokens, &broken);
}

#[test]
fn an_end_that_is_reported_too_early_is_found() {
    let broken = ["a_description_shows_a_wait_for_a_token", "a_running_execution_is_not_reported_as_ended"];
    check(Defect::ReportsTheEndTooEarly, &broken);
}

#[test]
fn a_history_out_of_order_is_found() {
    let broken = [
        "a_history_is_in_order",
        "pages_of_a_history_have_each_event_once",
        "a_page_of_a_history_has_at_least_one_event",
    ];
    check(Defect::MixesHistories, &broken);
}

#[test]
fn a_page_without_an_entry_is_found() {
    check(Defect::SkipsAnEntry, &["pages_of_a_list_have_each_execution_once"]);
}

#[test]
fn a_purge_of_a_running_execution_is_found() {
    check(Defect::PurgesRunningExecutions, &["a_purge_keeps_running_executions"]);
}

#[test]
fn a_child_that_outlives_its_cancelled_parent_is_found() {
    let broken = ["a_cancelled_parent_leaves_no_awaited_child", "a_cancelled_parent_ends_the_run_of_its_map"];
    check(Defect::KeepsChildren, &broken);
}

#[test]
fn an_engine_that_forgets_changes_of_map_runs_is_found() {
    let broken = [
        "a_run_of_a_map_is_changed_while_it_runs",
        "tolerated_failures_of_a_run_are_changed",
        "other_changes_of_executions_are_refused",
    ];
    check(Defect::ForgetsUpdates, &broken);
}

#[test]
fn a_history_without_redrives_restarts_and_failures_of_children_is_found() {
    let broken =
        ["a_history_shows_redrives", "a_history_shows_restarts", "a_history_shows_the_failure_of_a_detached_child"];
    check_durable(Defect::ForgetsWhatHappened, &broken);
}
