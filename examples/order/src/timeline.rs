//! An observer that writes the events line by line, with the time since the start.

use std::io::Write;
use workflow_runtime::Timestamp;
use workflow_runtime::observe::{Event, EventKind, Observer};

/// The observer. It writes a line for each event that a reader of the definition cares about.
#[derive(Debug)]
pub struct Timeline<W> {
    writer: W,
    started: Option<Timestamp>,
}

impl<W: Write> Timeline<W> {
    /// Returns a timeline that writes to `writer`.
    pub fn new(writer: W) -> Timeline<W> {
        Timeline { writer, started: None }
    }
}

impl<W: Write + Send> Observer for Timeline<W> {
    fn observe(&mut self, event: &Event<'_>) {
        let started = *self.started.get_or_insert(event.time);
        let Some(what) = words(event) else { return };
        let seconds = event.time.since(started).as_secs_f64();
        // The order continues even if nobody reads the output.
        let _unread = writeln!(self.writer, "{seconds:>8.1} s  {what}");
    }
}

fn words(event: &Event<'_>) -> Option<String> {
    // The indentation shows the depth of a branch.
    let state = format!("{}{}", "  ".repeat(event.path.len()), event.state);
    Some(match event.kind {
        EventKind::StateEntered { .. } => state,
        EventKind::TaskSucceeded { output, .. } => format!("{state}: done {output}"),
        EventKind::StateRetried { fault, retry, delay } => {
            format!("{state}: {fault}; retry {retry} in {} s", delay.as_secs_f64())
        }
        EventKind::StateCaught { fault } => format!("{state}: caught {fault}"),
        EventKind::ExecutionSucceeded { output } => format!("succeeded: {output}"),
        EventKind::ExecutionFailed { fault } => format!("failed: {fault}"),
        _ => return None,
    })
}
