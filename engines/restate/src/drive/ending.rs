//! The end of a whole run: nothing begins any more, and what is being done is completed.
//!
//! Batches and executions that are waited for end likewise: they are told by the promise by which they would be cancelled. So
//! one that was told cannot be cancelled after that; it ends when its tasks have.

use hyper::body::Bytes;
use restate_sdk_shared_core::{Error, NonEmptyValue, VM, Value as Notified};
use workflow_runtime::machine::Op;
use workflow_runtime::{Value, value};

use super::{Drive, Wait, read};
use crate::handlers::Handler;
use crate::journal::{self, NO_TIME};
use crate::link::{any_payload, target};
use crate::promises;

/// What a promise by which something would be cancelled has in it if the whole run is about to end.
const TERMINATE: &str = "terminate";

impl Drive<'_> {
    /// The whole run is about to end: what was asked for and not begun does not begin, and others end likewise.
    pub(super) fn terminate_others(&mut self) -> Result<(), Error> {
        if !self.execution.begins_to_end() {
            return Ok(());
        }
        let mut idle = std::mem::take(&mut self.kept_back);
        idle.extend(std::iter::from_fn(|| self.execution.next_command()).map(|(op, _)| op));
        for wait in self.waits.values() {
            if let Wait::Known(op, _) | Wait::Service(op, _) | Wait::Free(op, ..) = wait {
                idle.push(*op);
            }
        }
        for op in idle {
            self.execution.forgo(op);
            self.release(op)?;
        }
        // Of these only somebody's answer is missing.
        let handed_out: Vec<Op> = self.pending.keys().copied().collect();
        for op in handed_out.into_iter().filter(|op| self.standing.handed_out.contains_key(&op.id)) {
            self.execution.handed_over(op);
        }
        for op in self.standing.batches.clone() {
            self.command();
            let told = NonEmptyValue::Success(journal::encode(NO_TIME, &Ok(TERMINATE.into())));
            self.link.vm.sys_complete_promise(promises::batch_cancel(op), told, any_payload())?;
        }
        for child in self.standing.beyond.children.clone().into_values() {
            self.command();
            let signal = target(&child.service, Handler::Signal.name(), &child.key);
            let order = value!({ "cancel": true, "by": self.caller().name(), "end": TERMINATE });
            self.link.vm.sys_send(signal, Bytes::from(order.to_string()), None, None, any_payload())?;
        }
        Ok(())
    }

    /// The execution, or the batch, is to end: at once, or when what it does is completed.
    pub(super) fn told_to_end(&mut self, value: Notified) {
        match read(value).1 {
            Ok(order) if order.as_str() == Some(TERMINATE) => {
                self.speak();
                self.execution.terminate(NO_TIME, Value::Null);
            }
            _ => self.end(NO_TIME, Err(crate::cancelled())),
        }
    }
}
