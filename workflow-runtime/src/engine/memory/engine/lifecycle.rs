//! The ends of executions, and what they mean for parents and children.

use super::Shared;
use super::effects::Effects;
use super::state::{Record, State};
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
        self.end_by_rule(state, number, lifecycle::cancel, cancelled(cause), effects);
    }

    /// Ends an execution from outside with a fault, as the rule says.
    fn end_by_rule(
        &self,
        state: &mut State,
        number: u64,
        rule: fn(Status) -> End,
        fault: Fault,
        effects: &mut Effects,
    ) {
        let Some(record) = state.records.all.get_mut(&number) else { return };
        match rule(record.status) {
            End::Nothing => {}
            End::Now if fault.is_termination() => {
                let outcome = Err(cancelled("the whole execution was terminated"));
                self.end(state, number, outcome, None, effects);
            }
            End::Now => self.end(state, number, Err(fault), None, effects),
            End::OrderCancel | End::OrderTerminate => {
                record.subscriber.is_ending = true;
                effects.wakers.extend(record.subscriber.messages.append(Message::End(Err(fault))));
            }
        }
    }

    /// Records the end of an execution: delivers the outcome to a parent that awaits it, and
    /// abandons its children. A child can have another outcome `for_parent`. The children of a run
    /// of a distributed Map are not kept, because there are as many as items.
    pub(super) fn end(
        &self,
        state: &mut State,
        number: u64,
        outcome: Outcome,
        for_parent: Option<Outcome>,
        effects: &mut Effects,
    ) {
        let Some(record) = state.records.all.get_mut(&number) else { return };
        record.status = Status::after(&outcome);
        record.ended = Some(self.clock.now());
        {
            let mut view = lock(&record.view);
            view.outcome = Some(outcome.clone());
            effects.wakers.extend(view.wake());
        }
        effects.aborts.extend(record.abort.take());
        let children = record.children.clone();
        state.records.deactivate(number);
        children.into_iter().for_each(|child| self.follow(state, child, link::abandoned, effects));
        self.notify_parent(state, number, for_parent.unwrap_or(outcome), effects);
        match state.is_kept(number) {
            true => state.ended.push_back(number),
            false => effects.removed.extend(state.remove_with_parts(number)),
        }
        while state.ended.len() > self.kept {
            let Some(oldest) = state.ended.pop_front() else { break };
            effects.removed.extend(state.remove(oldest));
        }
    }

    /// Delivers the outcome of a child to the parent that awaits it, or reports the failure of a
    /// detached child to the observers of the parent.
    fn notify_parent(&self, state: &State, number: u64, outcome: Outcome, effects: &mut Effects) {
        let Some(record) = state.records.all.get(&number) else { return };
        let Some((link, child)) = record.link.as_ref().zip(child(record)) else { return };
        // The engine may have removed a parent that has ended.
        if let Some(parent) = state.records.all.get(&link.parent)
            && link::child_ended(child, parent.status).action == Action::DeliverOutcome
        {
            effects.wakers.extend(parent.subscriber.messages.append(Message::Outcome(link.op, outcome)));
        } else if let Some(detached) = &link.detached
            && let Err(fault) = outcome
            && !fault.is_termination()
        {
            effects.report_failure(detached.clone(), fault, record.ended.unwrap_or_default());
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
        let Some(record) = state.records.all.get(&parent) else { return };
        let is_of = |child: &&u64| {
            let link = state.records.all.get(child).and_then(|record| record.link.as_ref());
            link.is_some_and(|link| link.op == op && link.awaited != Awaited::No)
        };
        if let Some(child) = record.children.iter().rev().find(is_of).copied() {
            self.follow(state, child, rule, effects);
        }
    }

    /// Applies a rule to a child.
    fn follow(&self, state: &mut State, number: u64, rule: fn(Child) -> Transition, effects: &mut Effects) {
        let Some(record) = state.records.all.get_mut(&number) else { return };
        let Some(child) = child(record) else { return };
        let Transition { awaited, action } = rule(child);
        record.link.iter_mut().for_each(|link| link.awaited = awaited);
        match action {
            Action::Cancel => self.cancel(state, number, "the parent execution does not await it any more", effects),
            Action::Terminate => {
                self.end_by_rule(state, number, lifecycle::terminate, Fault::terminated(Value::Null), effects);
            }
            // Parents in memory are neither restarted nor redriven.
            Action::Nothing | Action::DeliverOutcome | Action::Restart | Action::Redrive => {}
        }
    }
}

/// Returns a child as the rules see it.
fn child(record: &Record) -> Option<Child> {
    let awaited = record.link.as_ref()?.awaited;
    Some(Child { awaited, status: record.status, is_ending: record.subscriber.is_ending })
}
