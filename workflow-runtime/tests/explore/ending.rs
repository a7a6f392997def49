//! Ends of executions, and what follows for parents and children, by the rules of the core.

use workflow_runtime::coordination::lifecycle::{self, End};
use workflow_runtime::coordination::link::{self, Action, Awaited, Transition};
use workflow_runtime::coordination::{Returned, Status, returned};

use crate::faults::Fault;
use crate::invariants;
use crate::model::Command;
use crate::programs::script;
use crate::store::{Crash, Transaction};
use crate::world::{Execution, Life, Message, Order};

impl Transaction<'_> {
    /// Ends an execution, and those that have to end with it.
    pub fn end(&mut self, execution: u8, status: Status) -> Result<(), Crash> {
        let mut ending = vec![(execution, status)];
        while let Some((number, status)) = ending.pop() {
            let life = self.world.life(number);
            life.ends += 1;
            if life.ends > 1 {
                self.world.violate(invariants::ONE_END);
            }
            self.world.forget(number);
            let ended = self.write(number)?;
            ended.status = status;
            ended.orders.clear();
            ended.arrival = None;
            if !status.keeps_records() {
                ended.inbox.clear();
                ended.kept.clear();
                let has_run_to_its_end = status == Status::Succeeded && !ended.is_terminating;
                let is_collecting = script(ended.script).is_collecting();
                let life = self.world.life(number);
                let owed = std::mem::take(&mut life.owed);
                // Events for later states may be left over. A start event that it has taken is
                // not, unless the start state collects events until it is complete.
                let is_lost = |event| life.taken.has(event) && !life.consumed.has(event);
                if has_run_to_its_end && !is_collecting && owed.iter().any(is_lost) {
                    self.world.violate(invariants::NOT_LOST);
                }
            }
            for child in self.world.children(number) {
                self.abandon(child, &mut ending)?;
            }
            let Some((parent, child)) = self.world.get(number).child() else { continue };
            let transition = link::child_ended(child, self.world.get(parent.execution).status);
            self.follow(number, transition)?;
        }
        Ok(())
    }

    fn abandon(&mut self, child: u8, ending: &mut Vec<(u8, Status)>) -> Result<(), Crash> {
        let Some((_, state)) = self.world.get(child).child() else { return Ok(()) };
        if self.model.has(Fault::EndedChildrenStayAwaited) && !state.status.receives_events() {
            return Ok(());
        }
        let transition = link::abandoned(state);
        self.set_awaited(child, transition.awaited)?;
        if transition.action == Action::Cancel && !self.model.has(Fault::ChildrenOfEndedParentsRun) {
            match lifecycle::cancel(state.status) {
                End::OrderCancel => self.order(child, Order::Cancel)?,
                End::Now => ending.push((child, Status::Cancelled)),
                End::OrderTerminate | End::Nothing => {}
            }
        }
        Ok(())
    }

    /// Writes a link, and carries out the action.
    pub fn follow(&mut self, child: u8, transition: Transition) -> Result<(), Crash> {
        self.set_awaited(child, transition.awaited)?;
        let status = self.world.get(child).status;
        match transition.action {
            Action::Nothing => Ok(()),
            Action::DeliverOutcome => {
                let Some(parent) = self.world.get(child).parent else { return Ok(()) };
                let is_ordered = self.model.configuration.commands.contains(&Command::Cancel(child));
                let is_terminating = self.world.get(parent.execution).is_terminating;
                if status == Status::Cancelled && !is_ordered && !is_terminating {
                    self.world.violate(invariants::NOT_CANCELLED);
                }
                self.write(parent.execution)?.arrival = Some(status);
                self.effects.push((parent.execution, Message::Arrival));
                Ok(())
            }
            Action::Restart => self.restart(child),
            Action::Redrive => self.redrive(child).map(drop),
            Action::Cancel => self.stop(child, lifecycle::cancel(status)),
            Action::Terminate => self.stop(child, lifecycle::terminate(status)),
        }
    }

    /// Ends an execution from outside.
    pub fn stop(&mut self, execution: u8, end: End) -> Result<(), Crash> {
        match end {
            End::OrderCancel => self.order(execution, Order::Cancel),
            End::OrderTerminate => self.order(execution, Order::Terminate),
            End::Now => self.end(execution, Status::Cancelled),
            End::Nothing => Ok(()),
        }
    }

    fn order(&mut self, execution: u8, order: Order) -> Result<(), Crash> {
        let ordered = self.write(execution)?;
        if !ordered.orders.contains(&order) {
            ordered.orders.push(order);
            self.effects.push((execution, Message::Order(order)));
        }
        Ok(())
    }

    /// Redrives an execution. Returns `false` if its status does not allow that.
    pub fn redrive(&mut self, number: u8) -> Result<bool, Crash> {
        let execution = self.world.get(number);
        let has_snapshot = execution.at > 0 || execution.is_calling || !execution.collected.is_empty();
        let Some(status) = lifecycle::redrive(execution.status, has_snapshot) else { return Ok(false) };
        let execution = self.write(number)?;
        execution.status = status;
        execution.is_redriven = true;
        self.world.life(number).ends = 0;
        if self.world.get(number).is_calling && self.world.get(number).arrival.is_none() {
            let at = self.world.get(number).at;
            if let Some((child, state)) = self.called(number, at) {
                self.follow(child, link::parent_redriven(state))?;
            }
        }
        if let Some(messages) = self.world.get(number).messages() {
            self.effects.retain(|(receiver, _)| *receiver != number);
            self.world.messages.insert(number, messages);
        }
        Ok(true)
    }

    /// Restarts a cancelled execution from its input.
    fn restart(&mut self, number: u8) -> Result<(), Crash> {
        let execution = self.write(number)?;
        let new = Execution::new(execution.script, execution.key, execution.parent);
        *execution = Execution { restarts: execution.restarts + 1, ..new };
        // Its cancellation has settled what it was owed. One that lives must not restart.
        let life = self.world.life(number);
        *life = Life { owed: life.owed, ..Life::default() };
        Ok(())
    }

    /// Removes an execution as an operator does, and lets the events that it has not seen be
    /// published again.
    pub fn kill(&mut self, number: u8) -> Result<(), Crash> {
        if !self.world.get(number).status.receives_events() {
            return Ok(());
        }
        let unseen: Vec<u8> = self.world.get(number).inbox.iter().map(|(_, event)| *event).collect();
        let script = self.world.get(number).script;
        self.end(number, Status::Cancelled)?;
        let taken = std::mem::take(&mut self.world.life(number).taken);
        self.world.life(number).is_killed = true;
        for event in unseen {
            let takes = |other: u8| {
                self.world.get(other).script == script && self.world.past.lives[usize::from(other)].taken.has(event)
            };
            let is_held = self.world.numbers().any(takes);
            let is_known = is_held && !self.model.has(Fault::HeldEventsAreOfferedAgain);
            if returned(taken.has(event), is_known) == Returned::OfferedAgain {
                self.world.start_events.get_mut(&script).into_iter().for_each(|events| events.remove(event));
            }
            if taken.has(event) && !is_held {
                let past = &mut self.world.past;
                for events in [past.started.get_mut(&script), past.accepted.get_mut(&script)] {
                    events.into_iter().for_each(|events| events.remove(event));
                }
            }
            let publications = self.model.configuration.publications;
            let publication = (0..).zip(publications).find(|(_, published)| **published == event);
            if let Some((publication, _)) = publication
                && !self.world.publications.contains(&publication)
            {
                self.world.publications.push(publication);
                self.world.publications.sort_unstable();
            }
        }
        Ok(())
    }

    pub fn set_awaited(&mut self, child: u8, awaited: Awaited) -> Result<(), Crash> {
        if let Some(parent) = &mut self.write(child)?.parent {
            parent.awaited = awaited;
        }
        Ok(())
    }

    /// Returns the child that a step of an execution has called.
    pub fn called(&self, parent: u8, step: u8) -> Option<(u8, link::Child)> {
        self.world.children(parent).into_iter().find_map(|child| {
            let (link, state) = self.world.get(child).child()?;
            (link.step == step).then_some((child, state))
        })
    }
}
