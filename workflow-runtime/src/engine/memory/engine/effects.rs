//! Effects of a change, which follow after the lock of the state is released: whoever is woken or
//! notified may take the lock.

use std::sync::{Arc, Mutex};
use std::task::Waker;

use futures_util::future::AbortHandle;

use super::Shared;
use super::history::Lines;
use super::state::Record;
use crate::engine::EngineError;
use crate::fault::Fault;
use crate::machine::Call;
use crate::observe::{Event, EventKind};
use crate::panics::catch;
use crate::time::Timestamp;
use crate::value::Str;

/// Effects to carry out.
#[derive(Default)]
pub(super) struct Effects {
    pub wakers: Vec<Waker>,
    /// The waits for delayed starts to end, which wakes the future of the engine.
    pub aborts: Vec<AbortHandle>,
    failed: Vec<FailedChild>,
    /// The executions that have declined an event from another, because their inboxes are full.
    pub full: Vec<String>,
}

/// The failure of a detached child, which the observers of its parent receive.
struct FailedChild {
    parent: Str,
    workflow: &'static str,
    history: Arc<Mutex<Lines>>,
    call: Arc<Call>,
    fault: Fault,
    time: Timestamp,
}

impl Effects {
    /// Reports the failure of a detached child to the observers of its parent.
    pub fn report_failure(&mut self, parent: &Record, call: Arc<Call>, fault: Fault, time: Timestamp) {
        let (id, workflow) = (parent.subscriber.id.clone(), parent.program.definition.name);
        self.failed.push(FailedChild { parent: id, workflow, history: parent.history.clone(), call, fault, time });
    }

    /// Carries the effects out.
    pub fn run_all(self, shared: &Shared) {
        self.aborts.into_iter().for_each(|abort| abort.abort());
        self.wakers.into_iter().for_each(Waker::wake);
        for FailedChild { parent, workflow, history, call, fault, time } in self.failed {
            let kind = EventKind::ChildFailed { call: &call, fault: &fault };
            let event = Event { workflow, execution: &parent, time, path: &[], state: "", kind };
            // The parent may have ended, and its observers with it.
            for mut observer in shared.observers(&parent, Some(history)) {
                let _panicked = catch(|| observer.observe(&event));
            }
        }
        self.full.into_iter().for_each(|id| (shared.on_problem)(&EngineError::InboxFull(id)));
    }
}
