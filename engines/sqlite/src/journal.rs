//! What an execution has done, written before it does more.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use workflow_runtime::engine::driver::{self, Begun, Caller, Stopped};
use workflow_runtime::engine::turns::Held;
use workflow_runtime::machine::{Call, Changes, Execution, Op, Outcome, Program, Target, WaitsFor};
use workflow_runtime::{CloudEvent, Fault, Timestamp, Value};

use crate::Error;
use crate::beyond::{self, Child, Notice};
use crate::engine::Shared;
use crate::executions::{self, Commit, End};
use crate::registry::Addressed;
use crate::scheduler::Signal;

/// An execution that waits for longer than this, and for no task, is let go of: what is stored is enough.
const LONG: Duration = Duration::from_secs(5);

/// How long an execution keeps its thread with writing before others have a turn.
const MOST_BLOCKED: Duration = Duration::from_micros(500);

/// Writes what one execution has done.
pub struct Journal {
    pub shared: Arc<Shared>,
    pub execution: i64,
    /// The run of the engine, until it is noted.
    pub epoch: Option<i64>,
    /// Whether it is still to be noted that the execution has begun, or goes on after it had failed.
    pub begins: bool,
    /// Whether it may have been what ended processes, and has not got on since.
    pub suspect: bool,
    /// Whether anything can have arrived for it that its rows know nothing of: a row was written of a frame that
    /// waits for an outcome by token, or for an execution.
    pub arrivals: bool,
    pub commits: u64,
    /// Executions that nobody waits for any more, until that is written.
    pub abandoned: Vec<Op>,
    /// Executions that are to end with this one, until that is written.
    pub terminated: Vec<Op>,
    /// Events that it has seen, until that is written.
    pub seen: Vec<u64>,
    /// The number of the last event of all when it was loaded: of those it may be told once more.
    pub mail_read: u64,
    /// Executions that it does not wait for and that could not be begun.
    pub not_begun: HashMap<Op, Fault>,
    /// How long it has kept the thread with writing.
    pub blocked: Duration,
    pub events: Events,
    pub next_event: i64,
    pub events_kept: i64,
}

impl driver::Journal for Journal {
    const KEEPS: bool = true;

    async fn commit(&mut self, execution: &mut Box<dyn Execution>, program: Program) -> Result<(), Stopped> {
        let now = self.shared.settings.clock.now().as_micros();
        let end = execution.ending().map(|outcome| End {
            at: now,
            outcome,
            last: execution.last_completion().map(|(op, outcome)| (op, outcome.clone())),
        });
        let deadline = execution.deadline().map(Timestamp::as_micros);
        let (events, count) = self.events.take();
        let changes = execution.changes();
        let arrivals = self.arrivals;
        self.arrivals |= changes.waiting.iter().any(|waiting| hears(&waiting.waits_for));
        let (children, published) = self.asked_for(execution.as_ref(), &changes, program);
        let detached: Vec<Op> = children.iter().filter(|child| !child.awaited).map(|child| child.op).collect();
        // The first commit only tells that it is under way.
        let survived = self.suspect && self.commits == 1;
        let commit = Commit {
            execution: self.execution,
            changes,
            end,
            epoch: self.epoch.take(),
            begin: std::mem::take(&mut self.begins).then_some((program.definition.hash, now, deadline)),
            arrivals,
            children,
            published,
            abandoned: std::mem::take(&mut self.abandoned),
            terminated: std::mem::take(&mut self.terminated),
            is_terminating: execution.is_terminating(),
            seen: std::mem::take(&mut self.seen),
            now: self.shared.moment(),
            survived,
            events,
            count,
            first_event: self.next_event,
            events_kept: self.events_kept,
        };
        self.next_event += count;
        self.commits += 1;
        let mut job = move |c: &Connection| executions::commit(c, &commit);
        let written = match self.at_once(&mut job) {
            Some(written) => {
                self.let_others().await;
                written
            }
            None => {
                let told = self.shared.clone();
                let tell = move |notices: &Option<Vec<Notice>>| told.tell(notices.as_deref().unwrap_or_default());
                self.shared.store.write_then(job, tell).await
            }
        };
        if let Err(Error::Unwritten { problem }) = written {
            let execution = execution.id().to_string();
            self.shared.refuse(self.execution, Error::Unkept { execution, problem });
            return Err(Stopped);
        }
        let Some(notices) = written.map_err(|_| Stopped)? else {
            // It was ended before it began.
            return Err(Stopped);
        };
        for notice in notices {
            if let Notice::Arrived(execution, op, Err(fault)) = notice
                && execution == self.execution
                && detached.contains(&op)
            {
                self.not_begun.insert(op, fault);
            }
        }
        if survived {
            self.shared.signal(Signal::GotOn(self.execution));
        }
        Ok(())
    }

    fn lets_go(&self, until: Option<Timestamp>) -> bool {
        until.is_none_or(|until| until > self.shared.settings.clock.now().plus(LONG))
    }

    fn call(&mut self, caller: Caller<'_>, op: Op, call: &Arc<Call>) -> Begun {
        if let Some(fault) = self.not_begun.remove(&op) {
            return Begun::Done(Err(fault));
        }
        if let Target::Workflow(name) = &call.target
            && let Err(fault) = self.shared.registry.called(name)
        {
            // One that was begun by a program that had it is waited for.
            return match self.shared.store.read(|c| beyond::has_begun(c, self.execution, op)) {
                Ok(true) if !call.detached => Begun::ByMail,
                _ => Begun::Done(Err(fault)),
            };
        }
        match call.detached {
            // It was put in when it was written that this one waits for it.
            true => Begun::Done(Ok(call.execution_id(caller.execution.id()).into())),
            false => Begun::ByMail,
        }
    }

    fn abandon(&mut self, op: Op) {
        self.abandoned.push(op);
    }

    fn terminate(&mut self, op: Op) {
        self.terminated.push(op);
    }

    fn publish(&mut self, _: Caller<'_>, _: &Arc<CloudEvent>) -> Outcome {
        // It was, when it was written that this one waits for that.
        Ok(Value::Null)
    }

    fn receives(&mut self, number: u64) -> bool {
        let new = number > self.mail_read;
        if new {
            self.seen.push(number);
        }
        new
    }
}

impl Journal {
    /// Gives an execution that was loaded the events that are there for it.
    pub async fn hand_over(&mut self, execution: &mut Held, mail: Vec<(u64, Arc<CloudEvent>)>, now: Timestamp) {
        for (number, event) in mail {
            execution.offer(now, &event);
            self.shared.settings.turns.run(execution).await;
            self.seen.push(number);
        }
    }

    /// The executions and events that frames ask for which begin to wait.
    fn asked_for(
        &self,
        execution: &dyn Execution,
        changes: &Changes,
        program: Program,
    ) -> (Vec<Child>, Vec<Addressed>) {
        let (mut children, mut published) = (Vec::new(), Vec::new());
        let now = self.shared.settings.clock.now();
        // Rows that are only written anew, in another form, ask for nothing once more.
        for waiting in changes.waiting.iter().filter(|waiting| waiting.op.id > changes.asked_before) {
            match &waiting.waits_for {
                WaitsFor::Child(call) => {
                    let (definition, entry) = match &call.target {
                        Target::Entry(entry) => (program.definition, Some(*entry)),
                        Target::Workflow(name) => match self.shared.registry.called(name) {
                            Ok(registered) => (registered.program.definition, None),
                            Err(_) => continue,
                        },
                    };
                    // Of one name there may be several versions.
                    let exactly = entry.is_some() || definition.called.is_some();
                    children.push(Child {
                        op: waiting.op,
                        id: call.execution_id(execution.id()),
                        workflow: definition.name.to_owned(),
                        entry,
                        hash: exactly.then_some(definition.hash),
                        input: call.input.clone(),
                        seed: self.shared.random_u64(),
                        awaited: !call.detached,
                        correlation: match entry {
                            Some(_) => execution.correlation_of(call),
                            None => definition.correlation(&call.input, None, execution.correlation_of(call)),
                        },
                        inactive: entry.is_none() && self.shared.admits(definition.name, now).is_err(),
                    });
                }
                WaitsFor::Published(event) => {
                    published.push(self.shared.registry.address(event.clone()));
                }
                _ => {}
            }
        }
        (children, published)
    }

    /// Writes at once if nothing else is to be written.
    fn at_once(
        &mut self,
        job: &mut impl FnMut(&Connection) -> rusqlite::Result<Option<Vec<Notice>>>,
    ) -> Option<Result<Option<Vec<Notice>>, Error>> {
        let began = Instant::now();
        let written = self.shared.store.write_at_once(job)?;
        if let Ok(Some(notices)) = &written {
            self.shared.tell(notices);
        }
        self.blocked += began.elapsed();
        Some(written)
    }

    /// This thread has others to run than those that write at once.
    async fn let_others(&mut self) {
        if self.blocked > MOST_BLOCKED {
            self.blocked = Duration::ZERO;
            tokio::task::yield_now().await;
        }
    }
}

fn hears(waits_for: &WaitsFor) -> bool {
    matches!(waits_for, WaitsFor::Task { token: Some(_), .. } | WaitsFor::Child(_))
}

/// The lines of a history that were not written yet. A clone is the same.
#[derive(Clone, Default)]
pub struct Events(Arc<Mutex<Vec<u8>>>);

impl Events {
    /// The lines, without the end of the last one, and how many there are.
    fn take(&self) -> (String, i64) {
        let mut bytes = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        if bytes.is_empty() {
            return (String::new(), 0);
        }
        bytes.pop_if(|byte| *byte == b'\n');
        let text =
            String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        let count = text.lines().count() as i64;
        (text, count)
    }
}

impl Write for Events {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
