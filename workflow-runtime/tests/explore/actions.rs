//! The actions of the model: what can happen next in a state, and what it does.

use workflow_runtime::Timestamp;
use workflow_runtime::coordination::lifecycle::{self, End};
use workflow_runtime::coordination::{Addressee, Published, Sent, Status, publish_to, send};

use crate::events::{Answer, answer, due};
use crate::faults::Fault;
use crate::invariants::{self, can_run};
use crate::model::{Command, Model};
use crate::programs::{Step, named, script};
use crate::store::{Crash, Transaction, time};
use crate::world::{Events, World};

/// An action, in which the process may crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Action {
    pub what: What,
    pub crash: Option<When>,
}

/// One step of a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    Begin(u8),
    Turn(u8),
    /// The wait of an execution ends by its time-out. Its next turn commits that.
    TimeOut(u8),
    /// A publication of the configuration, by its number. It is repeated until it is answered
    /// without full inboxes.
    Publish(u8),
    /// A command of the configuration, by its number.
    Command(u8),
}

/// When the process crashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// At a write of the transaction, which is undone.
    AtWrite(u32),
    /// After the commit: its effects and its answer are lost.
    AfterCommit,
}

/// Returns what can happen in a state.
pub fn possible(model: &Model, world: &World) -> Vec<What> {
    let mut possible = Vec::new();
    for number in world.numbers().filter(|number| can_run(world, *number)) {
        possible.push(match world.get(number).status {
            Status::Queued => What::Begin(number),
            _ => What::Turn(number),
        });
    }
    let times_out = |number: &u8| {
        let execution = world.get(*number);
        // Messages that have arrived are processed first.
        let is_first = model.has(Fault::TimersGoFirst) || world.messages.get(number).is_none_or(Vec::is_empty);
        execution.status == Status::Running
            && is_first
            && !world.timed_out.contains(number)
            && matches!(execution.step(), Some(Step::Receive(receive)) if receive.has_timeout)
    };
    if world.is_late {
        possible.extend(world.numbers().filter(times_out).map(What::TimeOut));
    }
    possible.extend(world.publications.iter().copied().map(What::Publish));
    possible.extend(world.commands.iter().copied().map(What::Command));
    possible
}

/// Returns the state after an action, and its number of writes.
pub fn apply(model: &Model, world: &World, action: Action) -> (World, u32) {
    let crash_at = match action.crash {
        Some(When::AtWrite(number)) => Some(number),
        Some(When::AfterCommit) | None => None,
    };
    let mut transaction = Transaction::new(model, world.clone(), crash_at);
    let done = transaction.run(action.what);
    let writes = transaction.writes;
    let is_answered = match done {
        Ok(is_answered) => is_answered && action.crash.is_none(),
        Err(Crash) => false,
    };
    let mut after = match done {
        Err(Crash) if !model.has(Fault::TransactionsAreNotAtomic) => world.clone(),
        // A crash loses the effects.
        Ok(_) | Err(Crash) if action.crash.is_some() => transaction.world,
        Ok(_) | Err(Crash) => transaction.commit(),
    };
    match action.what {
        What::Publish(number) if is_answered => after.publications.retain(|other| *other != number),
        What::Command(number) if is_answered || action.crash == Some(When::AfterCommit) => {
            after.commands.retain(|other| *other != number);
        }
        _ => {}
    }
    if action.crash.is_some() {
        after.crashes -= 1;
        after.reload();
        if model.has(Fault::MessagesAreNotReloaded) {
            after.messages.values_mut().for_each(Vec::clear);
        }
    }
    (after, writes)
}

impl Transaction<'_> {
    /// Carries out an action. Returns `false` if it is to be repeated.
    fn run(&mut self, what: What) -> Result<bool, Crash> {
        match what {
            What::Begin(number) => self.begin(number)?,
            What::Turn(number) => self.turn(number)?,
            What::TimeOut(number) => self.world.timed_out.push(number),
            What::Publish(number) => {
                return self.publish(self.model.configuration.publications[usize::from(number)], true);
            }
            What::Command(number) => self.command(self.model.configuration.commands[usize::from(number)])?,
        }
        Ok(true)
    }

    /// Publishes an event, which may start executions if it is published from outside. Returns
    /// `false` if an inbox is full.
    fn publish(&mut self, number: u8, is_from_outside: bool) -> Result<bool, Crash> {
        let event = &self.model.events[usize::from(number)];
        let mut is_answered = true;
        let now = match self.model.has(Fault::TimeIsTakenBeforehand) {
            true => Timestamp::default(),
            false => time(&self.world),
        };
        let may_start = is_from_outside || self.model.has(Fault::EventsFromInsideStart);
        for workflow in event.workflows.keys() {
            let due = due(self.model, &self.world, number, named(workflow), is_from_outside);
            let before = self.recipients(number);
            let mut published = Published::default();
            self.is_inside = !is_from_outside;
            publish_to(self, event, workflow, may_start, now, &mut published)?;
            is_answered &= published.full == 0;
            if published.full != due.full.len()
                || published.first_full != due.full.first().copied()
                || published.undecided.is_some() != due.is_declined
            {
                self.world.violate(invariants::PUSHED_BACK);
            }
            if published.started > 0 && !due.starts {
                self.world.violate(if is_from_outside { invariants::ONE_START } else { invariants::STARTS_NOTHING });
            }
            if due.starts && published.started == 0 {
                self.world.violate(invariants::NOT_LOST);
            }
            if due.is_declined && self.world.has_start_event(due.script, number) {
                self.world.violate(invariants::NOT_LOST);
            }
            let past = &mut self.world.past;
            if !due.accepting.is_empty() {
                past.accepted.entry(due.script).or_default().add(number);
            }
            let has = |events: Option<&Events>| events.is_some_and(|events| events.has(number));
            if has(past.accepted.get(&due.script)) && has(past.started.get(&due.script)) {
                self.world.violate(invariants::ONE_START);
            }
            let newest = self.world.numbers().last().filter(|_| published.started > 0);
            let mut expected: Vec<u8> = due.accepting.iter().chain(&due.others).copied().chain(newest).collect();
            expected.sort_unstable();
            let mut reached = self.recipients(number);
            reached.retain(|one| !before.contains(one));
            if reached.iter().any(|one| !expected.contains(one)) {
                self.world.violate(invariants::FOR_IT);
            } else if reached != expected {
                self.world.violate(invariants::NOT_LOST);
            }
            for execution in due.accepting.into_iter().chain(newest) {
                self.owe(execution, number);
                self.world.life(execution).taken.add(number);
            }
            for execution in due.others {
                self.owe(execution, number);
            }
        }
        Ok(is_answered)
    }

    /// Returns the executions that an event was delivered to.
    fn recipients(&self, event: u8) -> Vec<u8> {
        self.world.numbers().filter(|one| self.world.get(*one).delivered.has(event)).collect()
    }

    /// Sends an event to an execution, and compares the answer.
    fn send(&mut self, number: u8, event: u8) -> Result<(), Crash> {
        let execution = self.world.get(number);
        let due = answer(self.model, execution, event);
        let workflow = script(execution.script).definition.name;
        let to = Addressee { execution: number, workflow, status: execution.status };
        self.is_sending = true;
        let sent = match self.model.has(Fault::SentEventsAreLost) {
            true => Sent::Delivered(usize::from(due == Answer::Delivered)),
            false => send(self, to, std::slice::from_ref(&self.model.events[usize::from(event)]))?,
        };
        let answer = match sent {
            Sent::Delivered(0) => Answer::Duplicate,
            Sent::Delivered(_) => Answer::Delivered,
            Sent::NotNow(_) => Answer::NotNow,
            Sent::Unwanted(_) => Answer::Unwanted,
            Sent::Full => Answer::Full,
        };
        if answer != due {
            self.world.violate(match (due, answer) {
                (Answer::Full, _) | (_, Answer::Full) => invariants::PUSHED_BACK,
                (Answer::Delivered, _) => invariants::NOT_LOST,
                (Answer::Duplicate, Answer::Delivered) => invariants::CONSUMED_ONCE,
                _ => invariants::FOR_IT,
            });
        }
        if due == Answer::Delivered {
            self.owe(number, event);
        }
        Ok(())
    }

    fn owe(&mut self, execution: u8, event: u8) {
        self.world.life(execution).owed.add(event);
    }

    fn command(&mut self, command: Command) -> Result<(), Crash> {
        match command {
            Command::Cancel(number) if self.exists(number) => {
                let status = self.world.get(number).status;
                match lifecycle::cancel(status) {
                    End::Nothing if self.model.has(Fault::EndedExecutionsAreCancelled) => {
                        self.end(number, Status::Cancelled)
                    }
                    end => self.stop(number, end),
                }
            }
            Command::Redrive(number) if self.exists(number) => self.redrive(number).map(drop),
            Command::Fail(number) if self.is_running(number) => self.end(number, Status::Failed),
            Command::Terminate(number) if self.is_running(number) => self.terminate(number),
            Command::Park(number) if self.is_running(number) => {
                self.world.forget(number);
                self.write(number)?.status = Status::Parked;
                Ok(())
            }
            Command::Kill(number) if self.exists(number) => self.kill(number),
            Command::Send(number, event) if self.exists(number) => self.send(number, event),
            // A declined event is reported, and not published again.
            Command::PublishFromInside(event) => self.publish(event, false).map(drop),
            Command::PassTime => {
                self.world.is_late = true;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn exists(&self, number: u8) -> bool {
        usize::from(number) < self.world.executions.len()
    }

    fn is_running(&self, number: u8) -> bool {
        self.exists(number) && self.world.get(number).status == Status::Running
    }
}
