//! Loading of executions. It happens in the task that runs the execution, so that many load at the
//! same time.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _};
use workflow_runtime::engine::MapUpdate;
use workflow_runtime::engine::turns::ExecutionSlot;
use workflow_runtime::machine::{self, Occurrence, Part, StoredRow};
use workflow_runtime::observe::Observer;
use workflow_runtime::{CloudEvent, Timestamp};

use crate::children::{self, AfterCommit};
use crate::codec::Stored;
use crate::engine::Shared;
use crate::executions::{self, Arrived, End, Status};
use crate::history::{self, Events};
use crate::journal::Journal;
use crate::map_slots::MapSlot;
use crate::registry::{Registered, StoredExecution};
use crate::runs::{EngineRun, Recorded};
use crate::{Error, inbox, map_updates, rows};

/// Mode in which the scheduler runs an execution.
#[derive(Clone, Copy)]
pub struct RunMode {
    /// Number of the engine run.
    pub epoch: i64,
    /// Set to record the execution before its code runs; set if nothing else runs meanwhile.
    pub record_entry: bool,
    pub in_quarantine: bool,
}

/// Workflow with its tasks, execution, and journal.
pub type Running = (Registered, Box<dyn machine::Execution>, Journal);

/// Inbox of an execution: numbered events.
struct Inbox {
    events: Vec<(u64, Arc<CloudEvent>)>,
    /// Number of the newest event of any execution.
    last: u64,
}

/// Stored state of an execution.
enum Loaded {
    /// Not started yet.
    Start {
        id: String,
        workflow: String,
        hash: Option<u64>,
        part: Option<Part>,
        correlation: Option<String>,
        start: Vec<u8>,
        /// Changes of a run of a distributed Map.
        update: Option<MapUpdate>,
        inbox: Inbox,
        runs: Recorded,
        /// Damage of the newest events of the history.
        damage: Option<String>,
    },
    /// Started.
    Continue {
        found: StoredExecution,
        rows: Vec<StoredRow>,
        turn: u64,
        arrived: Vec<Arrived>,
        inbox: Inbox,
        on_probation: bool,
        runs: Recorded,
        /// Damage of the newest events of the history.
        damage: Option<String>,
    },
}

/// Loads an execution and makes it ready to run. Returns `None` if it has ended meanwhile, or if
/// it cannot continue, which is reported.
pub async fn load(shared: &Arc<Shared>, number: i64, mode: RunMode) -> Option<Running> {
    if mode.record_entry {
        let recorded =
            shared.store.write(move |c| executions::mark_entered(c, number, mode.epoch, mode.in_quarantine)).await;
        if let Err(error) = recorded {
            if !shared.store.has_failed() {
                shared.mark_stuck(number, error);
            }
            return None;
        }
    }
    // One transaction, so that all data is of one moment.
    let all = |c: &Connection| {
        let transaction = c.unchecked_transaction()?;
        let found = read(&transaction, number)?;
        transaction.commit()?;
        Ok(found)
    };
    let begun = match shared.store.read(all) {
        Ok(loaded) => begin(shared, number, loaded?, mode).await,
        Err(error) => Err(error),
    };
    match begun {
        Ok(running) => {
            shared.clear_stuck(number);
            Some(running)
        }
        Err(error) => {
            shared.mark_stuck(number, error);
            None
        }
    }
}

async fn begin(shared: &Arc<Shared>, number: i64, loaded: Loaded, mode: RunMode) -> Result<Running, Error> {
    let events = Events::default();
    let mut journal = Journal {
        shared: shared.clone(),
        execution: number,
        run: None,
        begins: false,
        on_probation: mode.record_entry,
        arrivals: false,
        commits: 0,
        turn: 0,
        abandoned: Vec::new(),
        terminated: Vec::new(),
        seen: Vec::new(),
        inbox_read: 0,
        start_faults: HashMap::new(),
        blocked: Duration::ZERO,
        start: Arc::default(),
        map_slot: None,
        events: events.clone(),
        events_kept: shared.settings.history.events.into(),
        newest: None,
    };
    let (now, turns) = (shared.settings.clock.now(), &shared.settings.turns);
    let (registered, execution) = match loaded {
        Loaded::Start { id, workflow, hash, part, correlation, start, update, inbox, runs, damage } => {
            let redrives = runs.redriven.then(|| runs.redrives.saturating_add(1));
            journal.run = Some(EngineRun { epoch: mode.epoch, restarts: None, redrives });
            let unknown = || Error::UnknownWorkflow(workflow.clone());
            let registered = shared.registry.of_hash(&workflow, hash).ok_or_else(unknown)?;
            if part.is_some() && Some(registered.program.definition.hash) != hash {
                return Err(Error::Mismatch(Box::new(shared.registry.without_part(id, workflow, hash))));
            }
            let stored = Stored::read(&start).map_err(|error| {
                shared.store.damaged(format!("cannot read the start of the execution `{id}`: {error}"))
            })?;
            let mut start = stored.start(&id, now);
            start.part = part;
            start.correlation = correlation.map(Into::into);
            start.redrives = redrives.unwrap_or_default();
            start.observers = observers(shared, &id, &events);
            let mut execution = ExecutionSlot::new(registered.program.begin(start));
            if let Some(update) = update {
                execution.apply(now, Occurrence::Updated(update));
            }
            turns.run(&mut execution).await;
            journal.inbox_read = inbox.last;
            journal.offer_events(&mut execution, inbox.events, now).await;
            report(shared, damage);
            journal.begins = true;
            (registered.clone(), execution)
        }
        Loaded::Continue { found, rows, turn, arrived, inbox, on_probation, runs, damage } => {
            let restored = shared.registry.restore(&found, &rows);
            let (registered, execution) = restored.map_err(|mismatch| {
                end_stuck(shared, number, arrived.clone(), now);
                Error::Mismatch(mismatch)
            })?;
            let mut execution = ExecutionSlot::new(execution);
            execution.observe(observers(shared, &found.id, &events));
            let redrives = runs.redriven.then(|| {
                execution.apply(now, Occurrence::Redriven);
                execution.info().redrives()
            });
            let is_restart = redrives.is_none() && runs.epoch != Some(mode.epoch);
            let restarts = is_restart.then(|| runs.restarts.saturating_add(1));
            if let Some(restart) = restarts {
                execution.apply(now, Occurrence::Resumed { restart });
            }
            journal.run = Some(EngineRun { epoch: mode.epoch, restarts, redrives });
            // Before its tasks begin: a task whose outcome has arrived must not run again.
            for arrived in arrived {
                match arrived {
                    Arrived::Outcome(op, outcome) => {
                        execution.apply(now, Occurrence::Completed(op, outcome));
                        turns.run(&mut execution).await;
                    }
                    Arrived::End(outcome) => {
                        execution.apply(now, Occurrence::end(outcome));
                    }
                    Arrived::Update(update) => {
                        execution.apply(now, Occurrence::Updated(update));
                        turns.run(&mut execution).await;
                    }
                }
            }
            journal.inbox_read = inbox.last;
            journal.offer_events(&mut execution, inbox.events, now).await;
            execution.apply(now, Occurrence::Rescheduled);
            // Records the definition that it continues with.
            let other = registered.program.definition.hash != found.hash;
            report(shared, damage);
            journal.begins = runs.redriven || other;
            journal.on_probation |= on_probation;
            (journal.arrivals, journal.turn) = (true, turn);
            (registered.clone(), execution)
        }
    };
    journal.map_slot = execution.map_counts().and_then(|_| MapSlot::take(shared));
    Ok((registered, execution.into_inner(), journal))
}

/// Reports the damage of a history, which does not stop the execution.
fn report(shared: &Shared, damage: Option<String>) {
    if let Some(problem) = damage {
        shared.problem(&shared.store.damaged(problem));
    }
}

/// Ends a stuck execution if somebody has asked for that.
fn end_stuck(shared: &Arc<Shared>, number: i64, arrived: Vec<Arrived>, now: Timestamp) {
    let end = arrived.into_iter().find_map(|arrived| match arrived {
        Arrived::End(outcome) => Some(outcome),
        Arrived::Outcome(..) | Arrived::Update(_) => None,
    });
    if let Some(outcome) = end {
        let (shared, store, after) = (shared.clone(), shared.store.clone(), shared.clone());
        let end = End { at: now.as_micros(), outcome, last: None };
        tokio::spawn(async move {
            let write = move |c: &Connection| {
                let mut effects = vec![AfterCommit::Ended(number)];
                executions::write_end(c, number, &end, &mut effects)?;
                shared.record_failures(c, &effects)?;
                Ok(effects)
            };
            // If this write fails, the store has failed, which the store reports.
            let _ = store.write_then(write, move |effects: &Vec<AfterCommit>| after.run_effects(effects)).await;
        });
    }
}

fn observers(shared: &Shared, id: &str, events: &Events) -> Vec<Box<dyn Observer>> {
    let mut observers = shared.observers(id);
    if let Some(recorder) = shared.recorder(events) {
        observers.push(Box::new(recorder));
    }
    observers
}

fn read(c: &Connection, number: i64) -> rusqlite::Result<Option<Loaded>> {
    struct Head {
        id: String,
        workflow: String,
        status: Status,
        hash: Option<i64>,
        start: Vec<u8>,
        correlation: Option<String>,
        crashes: i64,
        runs: Recorded,
    }
    let text = "SELECT id, workflow, status, hash, start, correlation, crashes, history_epoch, restarts, redrives,
                redriven FROM executions WHERE number = ?1";
    let read = |row: &rusqlite::Row<'_>| {
        Ok(Head {
            id: row.get(0)?,
            workflow: row.get(1)?,
            status: Status::of(row.get(2)?),
            hash: row.get(3)?,
            start: row.get(4)?,
            correlation: row.get(5)?,
            crashes: row.get(6)?,
            runs: Recorded { epoch: row.get(7)?, restarts: row.get(8)?, redrives: row.get(9)?, redriven: row.get(10)? },
        })
    };
    let Some(head) = c.prepare_cached(text)?.query_row([number], read).optional()? else { return Ok(None) };
    let Head { id, workflow, status, hash, start, correlation, crashes, runs } = head;
    Ok(match status {
        Status::Queued => Some(Loaded::Start {
            damage: history::damage_of_newest(c, number)?,
            id,
            workflow,
            hash: hash.map(|hash| hash as u64),
            part: children::part(c, number)?,
            correlation,
            start,
            update: map_updates::update_of(c, number)?,
            inbox: Inbox { last: inbox::last_number(c)?, events: inbox::read(c, number)? },
            runs,
        }),
        Status::Running => {
            let (rows, turn) = rows::read(c, number)?;
            Some(Loaded::Continue {
                damage: history::damage_of_newest(c, number)?,
                found: StoredExecution {
                    id,
                    workflow,
                    hash: hash.unwrap_or_default() as u64,
                    states: states(c, number)?,
                },
                rows,
                turn,
                arrived: executions::arrivals(c, number)?,
                inbox: Inbox { last: inbox::last_number(c)?, events: inbox::read(c, number)? },
                on_probation: crashes > 0,
                runs,
            })
        }
        _ => None,
    })
}

/// Reads the stored state of an execution that has begun.
pub fn stored(c: &Connection, number: i64) -> rusqlite::Result<Option<(StoredExecution, Vec<StoredRow>)>> {
    let text = "SELECT id, workflow, hash FROM executions WHERE number = ?1 AND hash IS NOT NULL";
    let read = |row: &rusqlite::Row<'_>| {
        let hash: i64 = row.get(2)?;
        Ok(StoredExecution { id: row.get(0)?, workflow: row.get(1)?, hash: hash as u64, states: states(c, number)? })
    };
    let Some(found) = c.prepare_cached(text)?.query_row([number], read).optional()? else { return Ok(None) };
    let (rows, _) = rows::read(c, number)?;
    Ok((!rows.is_empty()).then_some((found, rows)))
}

/// Returns the states that an execution waits in.
fn states(c: &Connection, number: i64) -> rusqlite::Result<Vec<String>> {
    let text = concat!(
        "SELECT DISTINCT state FROM snapshot_rows WHERE execution = ?1 AND kind = ",
        sql!(frame),
        " AND state <> ''"
    );
    c.prepare_cached(text)?.query_map([number], |row| row.get(0))?.collect()
}
