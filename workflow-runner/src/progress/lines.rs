//! Progress for logs: one line for each event.

use std::io::Write;
use std::time::Duration;

use workflow_runtime::Timestamp;
use workflow_runtime::observe::{Event, EventKind, Observer};

use super::{fault_text, place};
use crate::duration;

/// An observer that writes lines, each with the time since the start.
pub struct Lines {
    started: Option<Timestamp>,
}

impl Lines {
    pub fn new() -> Lines {
        Lines { started: None }
    }
}

impl Observer for Lines {
    fn observe(&mut self, event: &Event<'_>) {
        let started = *self.started.get_or_insert(event.time);
        let Some(what) = words(event) else { return };
        // If standard error is closed, the execution continues.
        let _unread = writeln!(std::io::stderr(), "{} {what}", stamp(event.time.since(started)));
    }
}

fn stamp(since: Duration) -> String {
    format!("{:>3}:{:02}.{:03}", since.as_secs() / 60, since.as_secs() % 60, since.subsec_millis())
}

/// Returns the line for an event. The failure of the execution has none: the command that waits
/// for the execution prints it.
fn words(event: &Event<'_>) -> Option<String> {
    let state = || place(event.path, event.state);
    Some(match event.kind {
        EventKind::ExecutionStarted { .. } => format!("{}: started as {}", event.workflow, event.execution),
        EventKind::ExecutionResumed { restart } => {
            format!("{}: resumed as {}, restart {restart}", event.workflow, event.execution)
        }
        EventKind::ExecutionRedriven { redrive } => {
            format!("{}: redriven as {}, redrive {redrive}", event.workflow, event.execution)
        }
        EventKind::ExecutionSucceeded { .. } => format!("{}: succeeded", event.workflow),
        EventKind::StateEntered { .. } => format!("{}: entered", state()),
        EventKind::StateExited { .. } => format!("{}: left", state()),
        EventKind::StateRetried { fault, retry, delay } => {
            format!("{}: failed: {}; retry {retry} in {}", state(), fault_text(fault), duration::show(delay))
        }
        EventKind::StateCaught { fault } => format!("{}: caught: {}", state(), fault_text(fault)),
        EventKind::StateFailed { fault } => format!("{}: failed: {}", state(), fault_text(fault)),
        EventKind::TaskScheduled { task, attempt, again, .. } => {
            let attempt = if attempt > 1 { format!(", attempt {attempt}") } else { String::new() };
            format!("{}: task {}{attempt}{}", state(), task.key, if again { ", again" } else { "" })
        }
        EventKind::TaskTimedOut { task, fault } => format!("{}: task {}: {}", state(), task.key, fault_text(fault)),
        EventKind::WaitStarted { until } => {
            format!("{}: waits {}", state(), duration::show(until.since(event.time)))
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::tests::{events_of, fails_at_last};

    struct Kept(Vec<String>);

    impl Observer for Kept {
        fn observe(&mut self, event: &Event<'_>) {
            self.0.extend(words(event));
        }
    }

    #[test]
    fn the_failure_of_the_execution_is_left_to_the_command() {
        let Kept(lines) = events_of(Kept(Vec::new()), &fails_at_last());
        let failures: Vec<&String> = lines.iter().filter(|line| line.contains("Gone")).collect();
        assert_eq!(failures, ["Tell: failed: Gone: nobody"], "{lines:#?}");
    }
}
