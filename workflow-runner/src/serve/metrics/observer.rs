//! The observer that counts what executions do.

use std::collections::HashMap;

use workflow_runtime::Timestamp;
use workflow_runtime::fault::names::CANCELLED;
use workflow_runtime::observe::{Event, EventKind, Observer, PathStep};

use super::Executions;

/// An observer of one execution.
pub struct Counting {
    executions: Executions,
    /// The times at which running tasks started, by the branch or iteration. A branch has one task
    /// at a time.
    running: HashMap<Vec<PathStep>, Timestamp>,
}

impl Counting {
    /// Creates an observer that adds to these metrics.
    pub fn new(executions: Executions) -> Counting {
        Counting { executions, running: HashMap::new() }
    }

    /// Records the end of a task. Its time is unknown if the execution was loaded since its start.
    fn ended(&mut self, event: &Event<'_>, outcome: &'static str) {
        let of_state = [("workflow", event.workflow.into()), ("state", event.state.into())];
        if let Some(started) = self.running.remove(event.path) {
            let seconds = event.time.since(started).as_secs_f64();
            self.executions.task_times.get_or_create(&of_state).observe(seconds);
        }
        let [workflow, state] = of_state;
        self.executions.tasks.get_or_create(&[workflow, state, ("outcome", outcome.into())]).inc();
    }
}

impl Observer for Counting {
    fn observe(&mut self, event: &Event<'_>) {
        let workflow = || ("workflow", event.workflow.into());
        let over = |outcome: &'static str| {
            self.executions.ended.get_or_create(&[workflow(), ("outcome", outcome.into())]).inc()
        };
        match event.kind {
            EventKind::ExecutionStarted { .. } => drop(self.executions.started.get_or_create(&[workflow()]).inc()),
            EventKind::ExecutionResumed { .. } => drop(self.executions.resumed.get_or_create(&[workflow()]).inc()),
            EventKind::ExecutionRedriven { .. } => drop(self.executions.redriven.get_or_create(&[workflow()]).inc()),
            EventKind::ExecutionSucceeded { .. } => drop(over("succeeded")),
            EventKind::ExecutionFailed { fault } if fault.error() == Some(CANCELLED) => drop(over("cancelled")),
            EventKind::ExecutionFailed { .. } => drop(over("failed")),
            EventKind::StateRetried { .. } => {
                let labels = [workflow(), ("state", event.state.into())];
                self.executions.retries.get_or_create(&labels).inc();
            }
            EventKind::TaskScheduled { .. } => drop(self.running.insert(event.path.to_vec(), event.time)),
            EventKind::TaskSucceeded { .. } => self.ended(event, "succeeded"),
            EventKind::TaskFailed { .. } => self.ended(event, "failed"),
            EventKind::TaskTimedOut { .. } => self.ended(event, "timed_out"),
            // The tasks of branches inside of the state were abandoned.
            EventKind::StateFailed { .. } | EventKind::StateExited { .. } | EventKind::StateCaught { .. } => {
                self.running.retain(|path, _| !path.starts_with(event.path));
            }
            _ => {}
        }
    }
}
