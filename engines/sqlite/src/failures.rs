//! Failures of detached children, which the history and the observers of their parents receive.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rusqlite::{Connection, OptionalExtension as _, params};
use workflow_runtime::machine::{Call, Outcome};
use workflow_runtime::observe::{Event, EventKind, Observer};
use workflow_runtime::{Fault, Timestamp};

use crate::children::AfterCommit;
use crate::codec::{self, Stored};
use crate::engine::Shared;
use crate::history::{self, Events, Recorder};

/// Failure of a detached child.
#[derive(Debug)]
pub struct FailedChild {
    /// Number of the parent.
    parent: i64,
    /// Id of the parent.
    id: String,
    /// Workflow of the parent.
    workflow: String,
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
    fn event(&self, workflow: &'static str) -> Event<'_> {
        let kind = EventKind::ChildFailed { call: &self.call, fault: &self.fault };
        Event::of_execution(workflow, &self.id, self.time, kind)
    }
}

impl Shared {
    /// Returns new observers of an execution, without the one that records its history.
    pub fn observers(&self, id: &str) -> Vec<Box<dyn Observer>> {
        self.settings.observers.iter().filter_map(|make| make(id)).collect()
    }

    /// Returns the observer that records the history, if one is kept.
    pub fn recorder(&self, events: &Events) -> Option<Recorder> {
        // The builder has checked the paths.
        let fields = self.settings.history.fields().ok().filter(|_| self.settings.history.kept)?;
        Some(Recorder::new(fields, events.clone()))
    }

    /// Adds the failures among the effects of a transaction to the histories of the parents, in
    /// this transaction.
    pub fn record_failures(&self, c: &Connection, effects: &[AfterCommit]) -> rusqlite::Result<()> {
        for effect in effects {
            let AfterCommit::ChildFailed(failed) = effect else { continue };
            let events = Events::default();
            let Some(mut recorder) = self.recorder(&events) else { return Ok(()) };
            // The history does not store the name of the workflow.
            recorder.observe(&failed.event(""));
            history::add(c, failed.parent, &events.take(), self.settings.history.events.into(), false)?;
            // The history of the parent may have been purged.
            let text = "UPDATE executions SET has_history = 1 WHERE number = ?1 AND NOT has_history";
            c.prepare_cached(text)?.execute(params![failed.parent])?;
        }
        Ok(())
    }

    /// Reports a failure to the observers of the parent, if the program has its workflow.
    pub fn observe_failure(&self, failed: &FailedChild) {
        let Some(registered) = self.registry.current(&failed.workflow) else { return };
        let event = failed.event(registered.program.definition.name);
        // Observers anew: the parent may have ended, and its observers with it.
        for mut observer in self.observers(&failed.id) {
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| observer.observe(&event))) {
                // Its drop may panic, too.
                std::mem::forget(panic);
            }
        }
    }
}
