//! Observers of executions, and of the failures of their detached children.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rusqlite::{Connection, params};
use workflow_runtime::observe::Observer;

use super::Shared;
use crate::children::AfterCommit;
use crate::error::damage_of;
use crate::failures::FailedChild;
use crate::history::{self, Events, Recorder};

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
            let kept = self.settings.history.events.into();
            let damage = match history::add(c, failed.parent, &events.take(), None, kept, false) {
                Ok(added) => added.damage,
                // A damaged history of the parent must not keep the child from its end.
                Err(error) => match damage_of(&error).map(str::to_owned) {
                    None => return Err(error),
                    problem => problem,
                },
            };
            if let Some(problem) = damage {
                self.problem(&self.store.damaged(problem));
            }
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
