//! State before a failure, and redrives from it.
//!
//! Before each delivery, the rows that changed since the last one are kept in memory. When the
//! execution fails, a promise has the rows before the failure, and the operations that they wait
//! for: also those that were released since. A redrive continues from there.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use hyper::body::Bytes;
use restate_sdk_shared_core::{Error, NonEmptyValue, NotificationHandle, VM, Value as Notified};
use workflow_runtime::engine::Status;
use workflow_runtime::fault::names::RUNTIME;
use workflow_runtime::machine::{Call, Occurrence, Op, Outcome, Row, StoredRow};
use workflow_runtime::{Fault, Value, value};

use super::{Drive, Wait};
use crate::connection::{any_payload, target};
use crate::handlers::Handler;
use crate::journal::MESSAGE_LIMIT;
use crate::links::Child;
use crate::promises;
use crate::segment::{InvocationState, Redrive, Segment};

/// State before the last delivery, or the reason why a failure cannot be redriven from there.
pub(super) type Kept = Result<StateBefore, &'static str>;

/// State before the last delivery.
#[derive(Default)]
pub(super) struct StateBefore {
    rows: BTreeMap<Row, Vec<u8>>,
    /// Number of changes of a run of a Map.
    updates: Option<u32>,
    /// Children whose outcomes were not delivered then, and that are no longer attached to.
    children: HashMap<Op, Child>,
    /// Callbacks that were forgotten since, by operation number.
    handed_out: BTreeSet<u64>,
    /// Starts of detached children that were sent, by operation number.
    sent: BTreeSet<u64>,
}

impl StateBefore {
    /// Returns the state of an execution that was restored from these rows, or from none.
    pub fn of(rows: Vec<StoredRow>) -> StateBefore {
        StateBefore { rows: rows.into_iter().collect(), ..StateBefore::default() }
    }
}

impl Drive<'_> {
    /// Keeps the state of the execution, which is about to change.
    pub(super) fn keep_state(&mut self) {
        if self.execution.result().is_some() {
            return;
        }
        if let Some(Ok(before)) = &mut self.before {
            self.execution.changes().apply(&mut before.rows);
            before.updates = self.state.updates;
            before.children.retain(|op, _| self.pending.contains_key(op));
            before.handed_out.clear();
            before.sent.retain(|id| self.pending.keys().any(|op| op.id == *id));
        }
    }

    /// Keeps no state until this invocation ends, for this reason.
    pub(super) fn keep_no_state(&mut self, reason: &'static str) {
        if let Some(before) = &mut self.before {
            *before = Err(reason);
        }
    }

    /// Keeps a child of the state before the last delivery.
    pub(super) fn keep_child(&mut self, op: Op, child: &Child) {
        if let Some(Ok(before)) = &mut self.before {
            before.children.insert(op, child.clone());
        }
    }

    /// Drops a child whose key belongs to another execution. A redrive calls it anew.
    pub(super) fn drop_taken_child(&mut self, op: Op) {
        if let Some(Ok(before)) = &mut self.before {
            before.children.remove(&op);
        }
    }

    /// Keeps the fact that the start of a detached child was sent.
    pub(super) fn keep_sent(&mut self, op: Op) {
        if let Some(Ok(before)) = &mut self.before {
            before.sent.insert(op.id);
        }
    }

    /// Returns `true` if an earlier try of the execution has sent the start of a detached child.
    pub(super) fn has_sent(&self, op: Op) -> bool {
        self.sent_before.contains(&op.id)
    }

    /// Forgets a callback, but not in the state before the last delivery.
    pub(super) fn forget_handed_out(&mut self, op: Op) {
        if self.state.handed_out.remove(&op.id).is_some()
            && let Some(Ok(before)) = &mut self.before
        {
            before.handed_out.insert(op.id);
        }
    }

    /// Stores the state before the failure of an execution, or the reason why it cannot be
    /// redriven. The parent of a child that it cancels may be redriven, too.
    pub(super) fn store_failed(&mut self, outcome: &Outcome) -> Result<(), Error> {
        let status = Status::after(outcome);
        let is_kept = match status {
            Status::Failed => true,
            Status::Cancelled => self.state.links.parent.is_some(),
            _ => false,
        };
        let failed = match self.before.take().filter(|_| is_kept) {
            Some(Ok(before)) if before.rows.is_empty() => return Ok(()),
            Some(before) => before.and_then(|before| self.save_failed(before)),
            None => return Ok(()),
        };
        let failed = failed.unwrap_or_else(Segment::refusal);
        self.command();
        let promise = promises::of_try(&self.state.of_try, promises::FAILED);
        self.connection.vm.sys_complete_promise(promise, NonEmptyValue::Success(failed), any_payload())?;
        Ok(())
    }

    /// Returns the state before a failure as it is stored.
    fn save_failed(&mut self, before: StateBefore) -> Result<Bytes, &'static str> {
        let last = self.execution.info().last_completion();
        let completed = last.and_then(|(op, outcome)| Some((op, outcome.as_ref().ok()?)));
        let completed = completed.map(|(op, output)| (op, output.clone()));
        // Operations with greater numbers were issued since.
        let last_op = self.execution.changes().issued_before;
        let mut state = InvocationState { updates: before.updates, ..self.state.clone() };
        // The task may not have handed its token out, and an outcome by the token is final.
        let mut handed_out = state.handed_out.keys().chain(&before.handed_out);
        if handed_out.any(|op| *op <= last_op && completed.as_ref().is_none_or(|(done, _)| done.id != *op)) {
            return Err("a task that waits for its token had failed or had no outcome yet");
        }
        state.handed_out.clear();
        state.links.children.extend(before.children.into_iter().map(|(op, child)| (op.id, child)));
        state.links.children.retain(|op, _| *op <= last_op);
        let completed = completed.as_ref().map(|(op, output)| (*op, output));
        let failed = Segment::save_failed(&state, &*self.execution, &before.rows, completed, &before.sent);
        match failed.len() as u64 <= MESSAGE_LIMIT {
            true => Ok(failed),
            false => Err("its state before the failure has more than 30 MiB"),
        }
    }

    /// Begins a redrive: the children that the execution awaits are redriven, too.
    pub(super) async fn begin_redrive(&mut self, Redrive { at, completed, sent }: Redrive) {
        self.attach_observers();
        self.keep_state();
        self.redriven = self.state.links.children.keys().copied().collect();
        if let Some(Ok(before)) = &mut self.before {
            before.sent = sent.clone();
        }
        self.sent_before = sent;
        self.now = self.now.max(at);
        self.execution.apply(at, Occurrence::Redriven);
        if let Some((op, output)) = completed {
            self.state.links.children.remove(&op.id);
            self.execution.apply(at, Occurrence::Completed(op, Ok(output)));
        }
        self.run_turn().await;
    }

    /// Asks a child for its redrive. Returns `false` if it is not to be redriven.
    pub(super) fn redrive_child(&mut self, op: Op, call: &Arc<Call>, child: &Child) -> Result<bool, Error> {
        if !self.redriven.remove(&op.id) {
            return Ok(false);
        }
        let signal = target(&child.service, Handler::Signal.name(), &child.key);
        // The child takes the name of this try, so that it can be cancelled before it answers.
        let name = self.state.of_try.clone();
        let request = value!({ "redrive": true, "by": self.caller().name(), "try": name.as_str() });
        if let Some(child) = self.state.links.children.get_mut(&op.id) {
            child.of_try = name;
        }
        let request = Bytes::from(request.to_string());
        self.command();
        let answer = self.connection.vm.sys_call(signal, request, None, any_payload())?.call_notification_handle;
        self.wait(op, answer, Wait::ChildRedriven(op, call.clone()));
        Ok(true)
    }

    /// Awaits the outcome of the try of a child that continues.
    pub(super) fn on_child_redriven(&mut self, op: Op, call: &Call, answer: Notified) -> Result<(), Error> {
        let name = match answer {
            Notified::Success(answer) => {
                let answer = Value::from_json_slice(&answer).unwrap_or_default();
                answer.get("try").and_then(Value::as_str).map(str::to_owned)
            }
            Notified::Failure(refused) => {
                self.forget_child(op);
                return self.end_child(op, Err(Fault::new(RUNTIME, refused.message)));
            }
            _ => None,
        };
        let Some(child) = self.state.links.children.get_mut(&op.id) else { return Ok(()) };
        child.of_try = name.unwrap_or_default();
        let child = child.clone();
        let outcome = self.attach(&child)?;
        self.expect_child(op, call, outcome)
    }

    /// Attaches to a try of a child.
    pub(super) fn attach(&mut self, child: &Child) -> Result<NotificationHandle, Error> {
        self.command();
        if child.of_try.is_empty() {
            return self.connection.vm.sys_attach_invocation(child.execution());
        }
        let question = target(&child.service, Handler::Status.name(), &child.key);
        let asked = Bytes::from(value!({ "outcome": { "try": child.of_try.as_str() } }).to_string());
        Ok(self.connection.vm.sys_call(question, asked, None, any_payload())?.call_notification_handle)
    }
}
