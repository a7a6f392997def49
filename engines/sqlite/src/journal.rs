//! Journal of an execution: commits each turn before anything that the turn caused begins.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use workflow_runtime::coordination::RoutedEvent;
use workflow_runtime::engine::driver::{self, Caller, ChildStart, Stopped};
use workflow_runtime::engine::turns::ExecutionSlot;
use workflow_runtime::machine::{Call, Changes, Execution, Occurrence, Op, Outcome, Program, Target, WaitsFor};
use workflow_runtime::{CloudEvent, Fault, Timestamp, Value};

use crate::Error;
use crate::children::{self, AfterCommit, NewChild, ParentStart};
use crate::codec;
use crate::engine::Shared;
use crate::executions::{self, Commit, Committed, End};
use crate::history::{Events, Newest};
use crate::map_slots::MapSlot;
use crate::runs::EngineRun;
use crate::scheduler::Signal;

/// An execution that waits longer than this, and for no task, is unloaded.
const UNLOAD_AFTER: Duration = Duration::from_secs(5);

/// Time for which an execution may block its thread with commits before others have a turn.
const MAX_BLOCKED: Duration = Duration::from_micros(500);

/// Journal of one execution.
pub struct Journal {
    pub shared: Arc<Shared>,
    pub execution: i64,
    /// Engine run, until a commit records it.
    pub run: Option<EngineRun>,
    /// Set until a commit records that the execution has begun, or was redriven.
    pub begins: bool,
    /// Set if the execution is suspected of crashing the process, and has not progressed since.
    pub on_probation: bool,
    /// Set if arrivals are possible: a row was written of a frame that waits for an outcome by
    /// token, or for a child.
    pub arrivals: bool,
    pub commits: u64,
    /// Number of the last turn that is committed, also by earlier engine runs.
    pub turn: u64,
    /// Children abandoned since the last commit.
    pub abandoned: Vec<Op>,
    /// Children to terminate, since the last commit.
    pub terminated: Vec<Op>,
    /// Events processed since the last commit.
    pub seen: Vec<u64>,
    /// Number of the newest event of any execution when this one was loaded. Events up to it may
    /// be signalled once more.
    pub inbox_read: u64,
    /// Faults of detached children that could not be started.
    pub start_faults: HashMap<Op, Fault>,
    /// Time spent in commits on this thread since the last yield.
    pub blocked: Duration,
    /// Start of the execution, for its children.
    pub start: Arc<ParentStart>,
    /// The slot of a run of a distributed Map.
    pub map_slot: Option<MapSlot>,
    /// Events since the last commit.
    pub events: Events,
    /// Limit of history events for one execution.
    pub events_kept: i64,
    /// Where the history continued after the last commit.
    pub newest: Option<Newest>,
}

impl driver::Journal for Journal {
    const IS_DURABLE: bool = true;

    async fn commit(&mut self, execution: &mut Box<dyn Execution>, program: Program) -> Result<(), Stopped> {
        let now = self.shared.settings.clock.now().as_micros();
        let end = execution.info().outcome_for_parent().map(|outcome| End {
            at: now,
            outcome,
            last: execution.info().last_completion().map(|(op, outcome)| (op, outcome.clone())),
        });
        let deadline = execution.info().deadline().map(Timestamp::as_micros);
        let changes = execution.changes();
        let arrivals = self.arrivals;
        self.arrivals |= changes.waiting.iter().any(|waiting| expects_outcome(&waiting.waits_for));
        let (children, published) = self.children_and_events(execution.as_ref(), &changes, program);
        let detached: Vec<Op> = children.iter().filter(|child| !child.awaited).map(|child| child.op).collect();
        // The first commit only records that the execution runs.
        let has_progressed = self.on_probation && self.commits == 1;
        let commit = Commit {
            execution: self.execution,
            changes,
            turn: self.turn + 1,
            listens: !program.definition.events.is_empty(),
            items: execution.map_counts(),
            end,
            run: self.run.take(),
            begin: std::mem::take(&mut self.begins).then_some((program.definition.hash, now, deadline)),
            arrivals,
            children,
            published,
            abandoned: std::mem::take(&mut self.abandoned),
            terminated: std::mem::take(&mut self.terminated),
            start: self.start.clone(),
            is_terminating: execution.info().is_terminating(),
            seen: std::mem::take(&mut self.seen),
            has_progressed,
            history: self.events.take(),
            events_kept: self.events_kept,
            newest: self.newest.take(),
        };
        self.commits += 1;
        self.turn += 1;
        let shared = self.shared.clone();
        let mut job = move |c: &Connection| {
            // The time of the transaction decides if a wait has timed out.
            let committed = executions::commit(c, &commit, shared.moment())?;
            shared.record_failures(c, effects(committed.as_ref()))?;
            Ok(committed)
        };
        let written = match self.write_at_once(&mut job) {
            Some(written) => {
                self.yield_if_blocking().await;
                written
            }
            None => {
                let shared = self.shared.clone();
                let run_effects = move |committed: &Option<Committed>| shared.run_effects(effects(committed.as_ref()));
                self.shared.store.write_then(job, run_effects).await
            }
        };
        if let Err(Error::Unwritten { problem }) = written {
            let execution = execution.info().id().to_string();
            self.shared.mark_stuck(self.execution, Error::Unkept { execution, problem });
            return Err(Stopped);
        }
        let Some(Committed { effects, newest }) = written.map_err(|_| Stopped)? else {
            // The execution was ended before it began.
            return Err(Stopped);
        };
        self.newest = newest;
        for effect in effects {
            if let AfterCommit::Arrived(execution, op, Err(fault)) = effect
                && execution == self.execution
                && detached.contains(&op)
            {
                self.start_faults.insert(op, fault);
            }
        }
        if has_progressed {
            self.shared.signal(Signal::Progressed(self.execution));
        }
        Ok(())
    }

    fn should_suspend(&self, until: Option<Timestamp>) -> bool {
        until.is_none_or(|until| until > self.shared.settings.clock.now().plus(UNLOAD_AFTER))
    }

    fn keeps_loaded(&self) -> bool {
        // A run that is suspected of crashing the process, and waits for its children, is unloaded
        // as other parents are: it rests, and the children have to run.
        self.map_slot.is_some() && (!self.on_probation || self.commits > 1)
    }

    fn call(&mut self, caller: Caller<'_>, op: Op, call: &Arc<Call>) -> ChildStart {
        if let Some(fault) = self.start_faults.remove(&op) {
            return ChildStart::Completed(Err(fault));
        }
        if let Target::Workflow(name) = &call.target
            && let Err(fault) = self.shared.registry.resolve(name)
        {
            // A child that was started by a program with that workflow is still awaited.
            return match self.shared.store.read(|c| children::was_started_by(c, self.execution, op)) {
                Ok(true) if !call.detached => ChildStart::Remote,
                _ => ChildStart::Completed(Err(fault)),
            };
        }
        match call.detached {
            // The commit of the call has inserted the child.
            true => ChildStart::Completed(Ok(call.execution_id(caller.execution.info().id()).into())),
            false => ChildStart::Remote,
        }
    }

    fn abandon(&mut self, op: Op) {
        self.abandoned.push(op);
    }

    fn terminate(&mut self, op: Op) {
        self.terminated.push(op);
    }

    fn publish(&mut self, _: Caller<'_>, _: &Arc<CloudEvent>) -> Outcome {
        // The commit of the command has published the event.
        Ok(Value::Null)
    }

    fn is_new_event(&mut self, number: u64) -> bool {
        let new = number > self.inbox_read;
        if new {
            self.seen.push(number);
        }
        new
    }
}

impl Journal {
    /// Offers an execution that was loaded the events of its inbox.
    pub async fn offer_events(
        &mut self,
        execution: &mut ExecutionSlot,
        inbox: Vec<(u64, Arc<CloudEvent>)>,
        now: Timestamp,
    ) {
        for (number, event) in inbox {
            execution.apply(now, Occurrence::AcceptedEvent(&event));
            self.shared.settings.turns.run(execution).await;
            self.seen.push(number);
        }
    }

    /// Returns the children to start and the events to publish that new waits of this turn ask
    /// for.
    fn children_and_events(
        &self,
        execution: &dyn Execution,
        changes: &Changes,
        program: Program,
    ) -> (Vec<NewChild>, Vec<RoutedEvent>) {
        let (mut children, mut published) = (Vec::new(), Vec::new());
        let now = self.shared.settings.clock.now();
        // Rows rewritten in another format repeat no commands.
        for waiting in changes.waiting.iter().filter(|waiting| waiting.op.id > changes.issued_before) {
            match &waiting.waits_for {
                WaitsFor::Child(call) => {
                    let part = call.part();
                    let definition = match &call.target {
                        Target::Entry(_) | Target::Map(_) => program.definition,
                        Target::Workflow(name) => match self.shared.registry.resolve(name) {
                            Ok(registered) => registered.program.definition,
                            Err(_) => continue,
                        },
                    };
                    // Several versions may have one name.
                    let needs_hash = part.is_some() || definition.workflow_id.is_some();
                    children.push(NewChild {
                        op: waiting.op,
                        id: call.execution_id(execution.info().id()),
                        workflow: definition.name.to_owned(),
                        part,
                        hash: needs_hash.then_some(definition.hash),
                        input: call.input.clone(),
                        seed: self.shared.random_u64(),
                        awaited: !call.detached,
                        call: call.detached.then(|| codec::call(call)),
                        correlation: match part {
                            Some(_) => execution.info().child_correlation(call),
                            None => definition.correlation(&call.input, None, execution.info().child_correlation(call)),
                        },
                        inactive: part.is_none() && self.shared.admits(definition.name, now).is_err(),
                    });
                }
                WaitsFor::Published(event) => {
                    published.push(self.shared.registry.route(event.clone()));
                }
                _ => {}
            }
        }
        (children, published)
    }

    /// Commits on this thread if no other write is pending.
    fn write_at_once(
        &mut self,
        job: &mut impl FnMut(&Connection) -> rusqlite::Result<Option<Committed>>,
    ) -> Option<Result<Option<Committed>, Error>> {
        let began = Instant::now();
        let written = self.shared.store.write_at_once(job)?;
        if let Ok(committed) = &written {
            self.shared.run_effects(effects(committed.as_ref()));
        }
        self.blocked += began.elapsed();
        Some(written)
    }

    /// Yields to other executions of this thread after [`MAX_BLOCKED`].
    async fn yield_if_blocking(&mut self) {
        if self.blocked > MAX_BLOCKED {
            self.blocked = Duration::ZERO;
            tokio::task::yield_now().await;
        }
    }
}

/// Returns what follows a commit.
fn effects(committed: Option<&Committed>) -> &[AfterCommit] {
    committed.map_or(&[], |committed| &committed.effects)
}

fn expects_outcome(waits_for: &WaitsFor) -> bool {
    matches!(waits_for, WaitsFor::Task { token: Some(_), .. } | WaitsFor::Child(_))
}
