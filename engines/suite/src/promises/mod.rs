//! The promises of the interface, one for each test of the suite.

mod cancellations;
mod capabilities;
mod children;
mod deliveries;
mod descriptions;
mod histories;
mod lists;
mod map_runs;
mod publications;
mod purges;
mod redrives;
mod shutdowns;
mod signals;
mod starts;

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use crate::case::Case;
use crate::flows::Workflows;
use crate::{Open, Verdict, Violation};

/// A promise of the interface. Its name is a sentence.
///
/// ```
/// use workflow_engine_suite::PROMISES;
///
/// for promise in PROMISES {
///     println!("{}", promise.name.replace('_', " "));
/// }
/// ```
#[derive(Clone, Copy)]
pub struct Promise {
    /// The name, which is the name of its test.
    pub name: &'static str,
    run: for<'a> fn(&'a mut Case) -> Pin<Box<dyn Future<Output = Verdict> + 'a>>,
}

/// The most time that the check of a promise takes while no task begins, in times of the patience.
const LONGEST: u32 = 10;

impl Promise {
    /// Opens the engine in a tokio runtime of its own, and checks the promise.
    ///
    /// # Errors
    /// The engine breaks the promise.
    pub(crate) fn check(&self, open: Arc<dyn Open>, patience: Duration) -> Verdict {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.map_err(|error| Violation::new(format!("cannot start a tokio runtime: {error}")))?;
        let workflows = Workflows::default();
        let desk = workflows.desk.clone();
        let checked = async {
            let mut case = Case::new(open, workflows, patience).await?;
            let verdict = (self.run)(&mut case).await;
            case.close().await;
            verdict
        };
        let verdict = runtime.block_on(desk.within(patience * LONGEST, checked));
        runtime.shutdown_background();
        let verdict = verdict.unwrap_or_else(|| Err(Violation::new("a method does not return in time")));
        verdict.map_err(|violation| Violation::new(format!("`{}`: {violation}", self.name)))
    }
}

impl fmt::Debug for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Promise").field(&self.name).finish()
    }
}

/// Declares the list of promises, and the macro that makes a test of each. The first argument is a
/// dollar sign, for the macro that the macro declares.
macro_rules! promises {
    (($d:tt) $($module:ident { $($name:ident)* })*) => {
        /// All promises.
        ///
        /// See the example of [`Promise`].
        pub const PROMISES: &[Promise] =
            &[$($(Promise { name: stringify!($name), run: |case| Box::pin($module::$name(case)) }),*),*];

        /// Makes a test of each promise, for the engine that a function opens.
        ///
        /// The function is an async function of [`Workflows`](crate::Workflows) and the folder for
        /// the engine's files. A second argument is the time that the engine has for anything that
        /// takes no time, by default [`PATIENCE`](crate::PATIENCE). A third is a slice of the
        /// promises that the engine does not keep: their names, each with a part of the message
        /// of the violation. Their tests fail as soon as the engine keeps them, or breaks them in
        /// another way. See the example of the [crate](crate).
        #[macro_export]
        macro_rules! engine_suite {
            ($d open:expr) => {
                $d crate::engine_suite!($d open, $d crate::PATIENCE);
            };
            ($d open:expr, $d patience:expr) => {
                $d crate::engine_suite!($d open, $d patience, &[]);
            };
            ($d open:expr, $d patience:expr, $d broken:expr) => {
                $($(
                    #[test]
                    fn $name() {
                        $d crate::check(stringify!($name), $d open, $d patience, $d broken);
                    }
                )*)*
            };
        }
    };
}

promises! { ($)
    starts {
        an_execution_runs_to_its_end
        a_failed_execution_has_its_fault
        a_repeated_start_returns_the_same_execution
        an_id_is_refused_for_another_request
        an_invalid_id_is_refused
        an_unknown_workflow_is_refused
        a_key_starts_one_execution
        a_key_is_refused_for_another_input
        workflows_have_keys_of_their_own
        a_delayed_start_waits_for_its_time
        unknown_executions_are_reported
    }
    cancellations {
        a_delayed_execution_is_cancelled_before_it_starts
        a_running_execution_is_cancelled
        a_waiting_execution_is_cancelled
        an_ended_execution_is_not_cancelled
    }
    redrives {
        a_redrive_continues_from_the_failed_state
        only_failed_executions_are_redriven
    }
    signals {
        a_token_delivers_an_output
        a_token_delivers_a_fault
        heartbeats_and_checks_leave_a_task_waiting
        a_wrong_token_is_refused
        a_token_of_another_execution_is_refused
        a_token_is_used_once
        a_token_lapses_with_its_execution
    }
    deliveries {
        a_sent_event_is_received
        an_event_waits_until_it_is_awaited
        events_are_received_in_order
        a_duplicate_is_received_once
        events_to_ended_executions_are_refused
        unwanted_events_are_refused_with_their_batch
        a_full_inbox_pushes_back_and_loses_nothing
    }
    publications {
        a_published_event_reaches_the_correlated_execution
        a_start_event_starts_one_execution
        a_duplicate_of_a_start_event_starts_nothing
        a_start_event_reaches_the_execution_that_waits_for_it
        an_event_starts_nothing_unless_it_may
    }
    children {
        an_awaited_child_delivers_its_outcome
        the_failure_of_a_child_is_caught
        a_cancelled_parent_leaves_no_awaited_child
        a_detached_child_outlives_its_parent
        a_cancelled_child_fails_its_parent
        terminate_ends_the_whole_execution_once
        terminate_in_a_child_ends_the_parent_that_awaits_it
    }
    map_runs {
        a_map_runs_an_execution_for_each_item
        tolerated_failures_are_results_of_a_map
        a_cancelled_parent_ends_the_run_of_its_map
        a_run_of_a_map_is_changed_while_it_runs
        tolerated_failures_of_a_run_are_changed
        other_changes_of_executions_are_refused
    }
    lists {
        executions_are_listed_newest_first
        lists_are_filtered
        pages_of_a_list_have_each_execution_once
    }
    descriptions {
        a_description_shows_a_wait_for_a_token
        a_description_shows_a_wait_for_an_event
        a_running_execution_is_not_reported_as_ended
        parents_and_children_know_each_other
        all_workflows_are_there
    }
    histories {
        a_history_is_in_order
        pages_of_a_history_have_each_event_once
        a_page_of_a_history_has_at_least_one_event
        a_history_shows_redrives
        a_history_shows_restarts
        a_history_shows_the_failure_of_a_detached_child
    }
    purges {
        a_purge_removes_ended_executions
        a_purge_keeps_young_executions
        a_purge_keeps_running_executions
        a_purge_can_remove_histories_only
    }
    shutdowns {
        an_engine_that_was_shut_down_starts_nothing
        a_shutdown_waits_for_running_tasks
        a_durable_engine_continues_after_it_is_opened_again
        a_durable_engine_remembers_requests_and_events
    }
    capabilities {
        missing_capabilities_are_refused
    }
}
