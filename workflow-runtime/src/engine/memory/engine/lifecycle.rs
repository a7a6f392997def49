//! The ends of executions, and what they mean for parents and children.

use super::Shared;
use super::state::{Effects, State};
use super::view::lock;
use crate::coordination::lifecycle::{self, End};
use crate::coordination::link::{self, Action, Awaited, Child, Transition};
use crate::engine::Status;
use crate::engine::driver::Message;
use crate::fault::Fault;
use crate::fault::names::CANCELLED;
use crate::machine::{Op, Outcome};
use crate::value::Value;

/// Returns the fault of a cancelled execution. An empty cause is no cause.
fn cancelled(cause: &str) -> Fault {
    Fault::from_parts(Some(CANCELLED.into()), Some(cause).filter(|cause| !cause.is_empty()).map(Value::from))
}

impl Shared {
    /// Cancels an execution, if it has not ended.
    pub(super) fn cancel(&self, state: &mut State, number: u64, cause: &str, effects: &mut Effects) {
        let Some(record) = state.records.get_mut(&number) else { return };
        match lifecycle::cancel(record.status) {
            End::OrderCancel | End::OrderTerminate => {
                record.is_ending = true;
                effects.messages.push((record.messages.clone(), Message::End(Err(cancelled(cause)))));
            }
            End::Now => self.end(state, number, Err(cancelled(cause)), None, effects),
            End::Nothing => {}
        }
    }

    /// Terminates an execution, if it has not ended.
    fn terminate(&self, state: &mut State, number: u64, effects: &mut Effects) {
        let Some(record) = state.records.get_mut(&number) else { return };
        match lifecycle::terminate(record.status) {
            End::OrderCancel | End::OrderTerminate => {
                record.is_ending = true;
                let end = Message::End(Err(Fault::terminated(Value::Null)));
                effects.messages.push((record.messages.clone(), end));
            }
            End::Now => {
                self.end(state, number, Err(cancelled("the whole execution was terminated")), None, effects);
            }
            End::Nothing => {}
        }
    }

    /// Records the end of an execution: delivers the outcome to a parent that awaits it, and
    /// abandons its children. A child can have another outcome `for_parent`.
    pub(super) fn end(
        &self,
        state: &mut State,
        number: u64,
        outcome: Outcome,
        for_parent: Option<Outcome>,
        effects: &mut Effects,
    ) {
        let Some(record) = state.records.get_mut(&number) else { return };
        record.status = Status::after(&outcome);
        record.ended = Some(self.clock.now());
        record.outcome = Some(outcome.clone());
        record.pending = None;
        effects.wakers.extend(lock(&record.view).wake());
        if let Some(abort) = record.abort.take() {
            abort.abort();
        }
        let (correlation, definition) = (record.correlation.clone(), record.program.definition);
        let children = record.children.clone();
        state.deactivate(&correlation, definition, number);
        children.into_iter().for_each(|child| self.follow(state, child, link::abandoned, effects));
        self.notify_parent(state, number, for_parent.unwrap_or(outcome), effects);
        state.ended.push_back(number);
        while state.ended.len() > self.kept {
            let Some(oldest) = state.ended.pop_front() else { break };
            state.remove(oldest);
        }
    }

    fn notify_parent(&self, state: &mut State, number: u64, outcome: Outcome, effects: &mut Effects) {
        let Some((child, link)) = child(state, number) else { return };
        let Some(parent) = state.records.get(&link) else { return };
        let transition = link::child_ended(child, parent.status);
        if transition.action == Action::DeliverOutcome
            && let Some(op) = state.records.get(&number).and_then(|record| Some(record.link.as_ref()?.op))
        {
            effects.messages.push((parent.messages.clone(), Message::Outcome(op, outcome)));
        }
    }

    /// Applies a rule to the awaited child of an operation.
    pub(super) fn follow_op(
        &self,
        state: &mut State,
        parent: u64,
        op: Op,
        rule: fn(Child) -> Transition,
        effects: &mut Effects,
    ) {
        let Some(record) = state.records.get(&parent) else { return };
        let is_of = |child: &&u64| {
            let link = state.records.get(child).and_then(|record| record.link.as_ref());
            link.is_some_and(|link| link.op == op && link.awaited != Awaited::No)
        };
        if let Some(child) = record.children.iter().rev().find(is_of).copied() {
            self.follow(state, child, rule, effects);
        }
    }

    /// Applies a rule to a child.
    fn follow(&self, state: &mut State, number: u64, rule: fn(Child) -> Transition, effects: &mut Effects) {
        let Some((child, _)) = child(state, number) else { return };
        let Transition { awaited, action } = rule(child);
        if let Some(link) = state.records.get_mut(&number).and_then(|record| record.link.as_mut()) {
            link.awaited = awaited;
        }
        match action {
            Action::Cancel => self.cancel(state, number, "the parent execution does not await it any more", effects),
            Action::Terminate => self.terminate(state, number, effects),
            // Parents in memory are neither restarted nor redriven.
            Action::Nothing | Action::DeliverOutcome | Action::Restart | Action::Redrive => {}
        }
    }
}

/// Returns a child as the rules see it, and its parent.
fn child(state: &State, number: u64) -> Option<(Child, u64)> {
    let record = state.records.get(&number)?;
    let link = record.link.as_ref()?;
    Some((Child { awaited: link.awaited, status: record.status, is_ending: record.is_ending }, link.parent))
}
