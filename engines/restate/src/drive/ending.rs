//! Termination of an execution: nothing begins any more, and running tasks complete.
//!
//! Batches and awaited children terminate likewise. They receive the order through the promise
//! that cancels them. So a terminating execution cannot be cancelled; it ends when its tasks have
//! ended.

use hyper::body::Bytes;
use restate_sdk_shared_core::{Error, NonEmptyValue, VM, Value as Notified};
use workflow_runtime::machine::{Occurrence, Op, Stop};
use workflow_runtime::{Value, value};

use super::{Drive, Wait, read};
use crate::connection::{any_payload, target};
use crate::handlers::Handler;
use crate::journal::{self, NO_TIME};
use crate::promises;

/// Value of a cancellation promise that orders a termination.
const TERMINATE: &str = "terminate";

impl Drive<'_> {
    /// Releases the operations that are no longer awaited. If the execution terminates, stops all
    /// others first.
    pub(super) fn stop_unwanted(&mut self) -> Result<(), Error> {
        while let Some(stop) = self.execution.next_stop() {
            match stop {
                Stop::All => self.terminate_others()?,
                Stop::Op(op) => self.release(op)?,
            }
        }
        Ok(())
    }

    /// Starts the termination: drops commands that were issued and not begun, and terminates
    /// batches and children.
    fn terminate_others(&mut self) -> Result<(), Error> {
        let mut idle = std::mem::take(&mut self.held_back);
        idle.extend(std::iter::from_fn(|| self.execution.next_command()).map(|(op, _)| op));
        for wait in self.waits.values() {
            if let Wait::TokenRegistered(op, _) | Wait::Service(op, _) | Wait::DetachedKey(op, ..) = wait {
                idle.push(*op);
            }
        }
        for op in idle {
            self.execution.apply(NO_TIME, Occurrence::Abandoned(op));
            self.release(op)?;
        }
        // Only an external answer is missing for these.
        let handed_out: Vec<Op> = self.pending.keys().copied().collect();
        for op in handed_out.into_iter().filter(|op| self.state.handed_out.contains_key(&op.id)) {
            self.execution.apply(NO_TIME, Occurrence::HandedOver(op));
        }
        for op in self.state.batches.clone() {
            self.command();
            let order = NonEmptyValue::Success(journal::encode(NO_TIME, &Ok(TERMINATE.into())));
            self.connection.vm.sys_complete_promise(promises::batch_cancel(op), order, any_payload())?;
        }
        for child in self.state.links.children.clone().into_values() {
            self.command();
            let signal = target(&child.service, Handler::Signal.name(), &child.key);
            let order =
                value!({ "cancel": true, "by": self.caller().name(), "end": TERMINATE, "try": child.of_try.as_str() });
            self.connection.vm.sys_send(signal, Bytes::from(order.to_string()), None, None, any_payload())?;
        }
        Ok(())
    }

    /// Ends the execution or batch at once, or terminates it.
    pub(super) fn on_end_request(&mut self, value: Notified) {
        match read(value).1 {
            Ok(order) if order.as_str() == Some(TERMINATE) => {
                self.attach_observers();
                self.execution.apply(NO_TIME, Occurrence::Terminated(Value::Null));
            }
            _ => self.end(NO_TIME, Err(crate::cancelled())),
        }
    }
}
