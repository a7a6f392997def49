//! Failures of detached children, which the history and the observers of their parents receive.

use rusqlite::{Connection, OptionalExtension as _};
use workflow_runtime::machine::{Call, Outcome};
use workflow_runtime::observe::{Event, EventKind};
use workflow_runtime::{Fault, Timestamp};

use crate::codec::{self, Stored};

/// Failure of a detached child.
#[derive(Debug)]
pub struct FailedChild {
    /// Number of the parent.
    pub parent: i64,
    /// Id of the parent.
    pub id: String,
    /// Workflow of the parent.
    pub workflow: String,
    /// Call of the child.
    pub call: Call,
    fault: Fault,
    time: Timestamp,
}

impl FailedChild {
    /// Returns the failure of a child that has ended with this outcome at this time. `None` if it
    /// has not failed, was not detached from the beginning, or its parent was purged.
    pub fn find(c: &Connection, child: i64, outcome: &Outcome, time: i64) -> rusqlite::Result<Option<FailedChild>> {
        let Some(fault) = outcome.as_ref().err().filter(|fault| !fault.is_termination()) else { return Ok(None) };
        let text = "SELECT l.parent, p.id, p.workflow, l.call, e.start FROM children l
                    JOIN executions p ON p.number = l.parent JOIN executions e ON e.number = l.child
                    WHERE l.child = ?1 AND l.call IS NOT NULL";
        let read = |row: &rusqlite::Row<'_>| {
            // A damaged call must not keep the child from its end.
            let Ok(mut call) = codec::read_call(row.get_ref(3)?.as_blob()?) else { return Ok(None) };
            call.input = Stored::read(row.get_ref(4)?.as_blob()?).map_or(call.input, |stored| stored.input);
            let (parent, id, workflow) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let (fault, time) = (fault.clone(), Timestamp::from_micros(time));
            Ok(Some(FailedChild { parent, id, workflow, call, fault, time }))
        };
        c.prepare_cached(text)?.query_row([child], read).optional().map(Option::flatten)
    }

    /// Returns the event that reports the failure.
    pub fn event(&self, workflow: &'static str) -> Event<'_> {
        let kind = EventKind::ChildFailed { call: &self.call, fault: &self.fault };
        Event::of_execution(workflow, &self.id, self.time, kind)
    }
}
