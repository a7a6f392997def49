//! Turns of executions: each processes a message or runs a step, and commits.

use workflow_runtime::coordination::Status;
use workflow_runtime::coordination::link::{self, Awaited, FirstRequest};

use crate::events::{consumes, missing};
use crate::faults::Fault;
use crate::invariants;
use crate::programs::Step;
use crate::store::{Crash, Transaction};
use crate::world::{Execution, Message, Order, Parent};

impl Transaction<'_> {
    /// Begins a queued execution.
    pub fn begin(&mut self, number: u8) -> Result<(), Crash> {
        self.write(number)?.status = Status::Running;
        let messages = self.world.get(number).messages().unwrap_or_default();
        self.world.messages.insert(number, messages);
        Ok(())
    }

    /// Runs a turn of a running execution.
    pub fn turn(&mut self, number: u8) -> Result<(), Crash> {
        if self.world.timed_out.contains(&number) {
            return self.time_out(number);
        }
        let messages = self.world.messages.entry(number).or_default();
        if messages.is_empty() {
            return self.step(number);
        }
        match messages.remove(0) {
            Message::Event(id, event) => self.see(number, id, event),
            Message::Arrival => self.arrive(number),
            Message::Order(Order::Cancel) => self.end(number, Status::Cancelled),
            Message::Order(Order::Terminate) => {
                self.write(number)?.orders.retain(|order| *order != Order::Terminate);
                self.terminate(number)
            }
        }
    }

    fn see(&mut self, number: u8, id: u8, event: u8) -> Result<(), Crash> {
        self.write(number)?.inbox.retain(|(other, _)| *other != id);
        self.write(number)?.kept.push(event);
        self.settle(number)
    }

    /// Consumes kept events that the execution waits for, the oldest first.
    fn settle(&mut self, number: u8) -> Result<(), Crash> {
        loop {
            let execution = self.world.get(number);
            let is_next = |event: &u8| consumes(self.model, execution, &execution.collected, *event);
            let Some(at) = execution.kept.iter().position(is_next) else { return Ok(()) };
            let execution = self.write(number)?;
            let event = execution.kept.remove(at);
            execution.collected.push(event);
            let life = self.world.life(number);
            let is_second = life.consumed.has(event);
            life.consumed.add(event);
            if is_second {
                self.world.violate(invariants::CONSUMED_ONCE);
            }
            let execution = self.world.get(number);
            let is_complete = execution
                .receive()
                .is_some_and(|receive| missing(&receive, &execution.collected, &self.model.events).is_empty());
            if is_complete {
                self.advance(number)?;
            }
        }
    }

    /// Commits that the wait of an execution has ended by its time-out.
    fn time_out(&mut self, number: u8) -> Result<(), Crash> {
        self.world.timed_out.retain(|other| *other != number);
        self.advance(number)?;
        self.settle(number)
    }

    fn advance(&mut self, number: u8) -> Result<(), Crash> {
        let execution = self.write(number)?;
        execution.at += 1;
        execution.collected.clear();
        execution.is_calling = false;
        Ok(())
    }

    fn arrive(&mut self, number: u8) -> Result<(), Crash> {
        let Some(outcome) = self.write(number)?.arrival.take() else { return Ok(()) };
        if !self.world.get(number).is_calling {
            return Ok(());
        }
        if self.world.get(number).is_terminating {
            return self.end(number, Status::Succeeded);
        }
        match outcome {
            Status::Succeeded => {
                self.advance(number)?;
                self.settle(number)
            }
            _ => self.end(number, Status::Failed),
        }
    }

    /// Terminates a running execution: it ends once its awaited child has.
    pub fn terminate(&mut self, number: u8) -> Result<(), Crash> {
        let execution = self.write(number)?;
        execution.is_terminating = true;
        let at = execution.at;
        if !execution.is_calling {
            return self.end(number, Status::Succeeded);
        }
        match self.called(number, at) {
            Some((child, state)) if !self.model.has(Fault::TerminationSparesChildren) => {
                self.follow(child, link::parent_terminates(state))
            }
            _ => Ok(()),
        }
    }

    fn step(&mut self, number: u8) -> Result<(), Crash> {
        let execution = self.world.get(number);
        let (at, visit, is_redriven) = (execution.at, usize::from(execution.visits), execution.is_redriven);
        match execution.step() {
            Some(Step::Receive(_)) => Ok(()),
            Some(Step::Work) => {
                let life = self.world.life(number);
                let is_second = life.worked[visit] & (1 << at) != 0;
                life.worked[visit] |= 1 << at;
                if is_second {
                    self.world.violate(invariants::STEP_ONCE);
                }
                if self.model.has(Fault::StepsAreNotStored) {
                    return self.count();
                }
                self.advance(number)?;
                match self.model.has(Fault::KeptEventsAreOverlooked) {
                    true => Ok(()),
                    false => self.settle(number),
                }
            }
            Some(Step::FailOnce) if !is_redriven => self.end(number, Status::Failed),
            Some(Step::FailOnce) => {
                self.advance(number)?;
                self.settle(number)
            }
            Some(Step::Again) if visit == 0 => {
                let execution = self.write(number)?;
                execution.visits = 1;
                execution.at = 0;
                self.settle(number)
            }
            Some(Step::Again) => self.advance(number),
            Some(Step::Call { script, awaited }) => self.call(number, script, awaited),
            None => self.end(number, Status::Succeeded),
        }
    }

    fn call(&mut self, number: u8, script: u8, awaited: bool) -> Result<(), Crash> {
        let at = self.world.get(number).at;
        if awaited {
            self.write(number)?.is_calling = true;
        }
        match self.called(number, at) {
            Some((child, state)) => {
                let mut transition = link::requested_again(state, awaited);
                if self.model.has(Fault::RestartsAreForgotten) && transition.awaited == Awaited::RestartAfterCancel {
                    transition.awaited = Awaited::Yes;
                }
                self.follow(child, transition)?;
            }
            None => {
                let FirstRequest::Start(link) = link::requested_first(awaited, true) else { return Ok(()) };
                let parent = Parent { execution: number, step: at, awaited: link, was_awaited: awaited };
                let key = self.world.get(number).key;
                self.count()?;
                self.world.add(Execution::new(script, key, Some(parent)));
            }
        }
        match awaited {
            true => Ok(()),
            false => self.advance(number),
        }
    }
}
