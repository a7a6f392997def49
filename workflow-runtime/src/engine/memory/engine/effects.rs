//! Effects of a change, which follow after the lock of the state is released: whoever is woken or
//! notified may take the lock.

use std::task::Waker;

use futures_util::future::AbortHandle;

use super::Shared;
use super::state::{Detached, Record};
use crate::engine::EngineError;
use crate::fault::Fault;
use crate::observe::{Event, EventKind};
use crate::panics::catch;
use crate::time::Timestamp;

/// Effects to carry out.
#[derive(Default)]
pub(super) struct Effects {
    pub wakers: Vec<Waker>,
    /// The waits for delayed starts to end, which wakes the future of the engine.
    pub aborts: Vec<AbortHandle>,
    failed: Vec<FailedChild>,
    /// The executions that have declined an event from another, because their inboxes are full.
    pub full: Vec<String>,
    /// The removed executions. Dropping one drops wakers and values of the program.
    pub removed: Vec<Record>,
}

/// The failure of a detached child, which the observers of its parent receive.
struct FailedChild {
    detached: Detached,
    fault: Fault,
    time: Timestamp,
}

impl Effects {
    /// Reports the failure of a detached child to the observers of its parent.
    pub fn report_failure(&mut self, detached: Detached, fault: Fault, time: Timestamp) {
        self.failed.push(FailedChild { detached, fault, time });
    }

    /// Carries the effects out. A panic of an observer or of the receiver of problems has no
    /// effect on the others.
    pub fn run_all(self, shared: &Shared) {
        self.aborts.into_iter().for_each(|abort| abort.abort());
        self.wakers.into_iter().for_each(Waker::wake);
        drop(self.removed);
        for FailedChild { detached: Detached { call, parent, workflow, history }, fault, time } in self.failed {
            let kind = EventKind::ChildFailed { call: &call, fault: &fault };
            let event = Event { workflow, execution: &parent, time, path: &[], state: "", kind };
            // The parent may have ended, and its observers with it.
            for mut observer in shared.observers(&parent, history.upgrade()) {
                let _panicked = catch(|| observer.observe(&event));
                let _panicked = catch(|| drop(observer));
            }
        }
        for id in self.full {
            let _panicked = catch(|| (shared.on_problem)(&EngineError::InboxFull(id)));
        }
    }
}
