//! What is read of an execution to run it. That is done in the task that runs it, so that many are loaded at the same time.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _};
use workflow_runtime::engine::turns::Held;
use workflow_runtime::machine::{self, StoredRow};
use workflow_runtime::observe::Observer;
use workflow_runtime::{CloudEvent, Timestamp};

use crate::beyond::{self, Notice};
use crate::codec::Stored;
use crate::engine::Shared;
use crate::executions::{self, Arrived, End};
use crate::journal::{Events, Journal};
use crate::registry::{Found, Registered};
use crate::{Error, mail, parts};

/// How an execution runs.
#[derive(Clone, Copy)]
pub struct How {
    /// The run of the engine.
    pub epoch: i64,
    /// Whether it is noted that it runs before its code does, and whether nothing else does.
    pub tried: bool,
    pub alone: bool,
}

/// What runs, and what keeps it.
pub type Running = (Registered, Box<dyn machine::Execution>, Journal);

/// Events for an execution, with their numbers.
struct Mail {
    events: Vec<(u64, Arc<CloudEvent>)>,
    /// The number of the last event of all.
    last: u64,
}

/// What is read of an execution to run it.
enum Loaded {
    /// It is to be started.
    Start {
        id: String,
        workflow: String,
        hash: Option<u64>,
        entry: Option<u32>,
        correlation: Option<String>,
        start: Vec<u8>,
        mail: Mail,
        redriven: bool,
        events: i64,
    },
    /// It is to go on.
    GoOn {
        found: Found,
        rows: Vec<StoredRow>,
        arrived: Vec<Arrived>,
        mail: Mail,
        suspect: bool,
        redriven: bool,
        events: i64,
    },
}

/// Makes an execution ready to run. `None` if it ended meanwhile, or cannot go on: then it was said why.
pub async fn load(shared: &Arc<Shared>, number: i64, how: How) -> Option<Running> {
    if how.tried {
        let tried = shared.store.write(move |c| executions::try_out(c, number, how.epoch, how.alone)).await;
        if let Err(error) = tried {
            if !shared.store.has_failed() {
                shared.refuse(number, error);
            }
            return None;
        }
    }
    // All of it is of one time.
    let all = |c: &Connection| {
        let transaction = c.unchecked_transaction()?;
        let found = read(&transaction, number)?;
        transaction.commit()?;
        Ok(found)
    };
    let begun = match shared.store.read(all) {
        Ok(loaded) => begin(shared, number, loaded?, how).await,
        Err(error) => Err(error),
    };
    match begun {
        Ok(running) => {
            shared.accept(number);
            Some(running)
        }
        Err(error) => {
            shared.refuse(number, error);
            None
        }
    }
}

async fn begin(shared: &Arc<Shared>, number: i64, loaded: Loaded, how: How) -> Result<Running, Error> {
    let events = Events::default();
    let mut journal = Journal {
        shared: shared.clone(),
        execution: number,
        epoch: Some(how.epoch),
        begins: false,
        suspect: how.tried,
        arrivals: false,
        commits: 0,
        abandoned: Vec::new(),
        terminated: Vec::new(),
        seen: Vec::new(),
        mail_read: 0,
        not_begun: HashMap::new(),
        blocked: Duration::ZERO,
        events: events.clone(),
        next_event: 1,
        events_kept: shared.settings.history.events.into(),
    };
    let (now, turns) = (shared.settings.clock.now(), &shared.settings.turns);
    let (registered, execution) = match loaded {
        Loaded::Start { id, workflow, hash, entry, correlation, start, mail, redriven, events: next } => {
            journal.next_event = next;
            let unknown = || Error::UnknownWorkflow(workflow.clone());
            let registered = shared.registry.of_hash(&workflow, hash).ok_or_else(unknown)?;
            if entry.is_some() && Some(registered.program.definition.hash) != hash {
                return Err(Error::Mismatch(Box::new(shared.registry.without_part(id, workflow, hash))));
            }
            let stored = Stored::read(&start).map_err(|error| {
                shared.store.damaged(format!("the start of the execution `{id}` cannot be read: {error}"))
            })?;
            let mut start = stored.start(&id, now);
            start.entry = entry;
            start.correlation = correlation.map(Into::into);
            start.observers = observers(shared, &id, &events);
            let mut execution = Held::new(registered.program.begin(start));
            execution.track();
            turns.run(&mut execution).await;
            if redriven {
                execution.redriven(now);
            }
            journal.mail_read = mail.last;
            journal.hand_over(&mut execution, mail.events, now).await;
            (journal.begins, journal.next_event) = (true, next);
            (registered.clone(), execution)
        }
        Loaded::GoOn { found, rows, arrived, mail, suspect, redriven, events: next } => {
            let restored = shared.registry.restore(&found, &rows);
            let (registered, execution) = restored.map_err(|mismatch| {
                end_without(shared, number, arrived.clone(), now);
                Error::Mismatch(mismatch)
            })?;
            let mut execution = Held::new(execution);
            execution.observe(observers(shared, &found.id, &events));
            if redriven {
                execution.redriven(now);
            }
            // Before its tasks begin: one whose outcome is there must not begin again.
            for arrived in arrived {
                match arrived {
                    Arrived::Outcome(op, outcome) => {
                        execution.accept(op, now, outcome);
                        turns.run(&mut execution).await;
                    }
                    Arrived::End(Err(fault)) if fault.is_termination() => {
                        execution.terminate(now, fault.terminated_with());
                    }
                    Arrived::End(outcome) => execution.end(now, outcome),
                }
            }
            journal.mail_read = mail.last;
            journal.hand_over(&mut execution, mail.events, now).await;
            // Which definition it goes on with is written.
            let other = registered.program.definition.hash != found.hash;
            (journal.begins, journal.next_event) = (redriven || other, next);
            journal.suspect |= suspect;
            journal.arrivals = true;
            (registered.clone(), execution)
        }
    };
    Ok((registered, execution.into_inner(), journal))
}

/// An execution that cannot go on can still be ended, if somebody has asked for that.
fn end_without(shared: &Arc<Shared>, number: i64, arrived: Vec<Arrived>, now: Timestamp) {
    let asked = arrived.into_iter().find_map(|arrived| match arrived {
        Arrived::End(outcome) => Some(outcome),
        Arrived::Outcome(..) => None,
    });
    if let Some(outcome) = asked {
        let (shared, told) = (shared.clone(), shared.clone());
        let end = End { at: now.as_micros(), outcome, last: None };
        tokio::spawn(async move {
            let write = move |c: &Connection| {
                let mut notices = vec![Notice::Ended(number)];
                executions::write_end(c, number, &end, &mut notices)?;
                Ok(notices)
            };
            // If it cannot be written, nothing can: that is told elsewhere.
            let _ = shared.store.write_then(write, move |notices: &Vec<Notice>| told.tell(notices)).await;
        });
    }
}

fn observers(shared: &Shared, id: &str, events: &Events) -> Vec<Box<dyn Observer>> {
    let settings = &shared.settings;
    let mut observers: Vec<Box<dyn Observer>> = settings.observers.iter().filter_map(|make| make(id)).collect();
    if settings.history.kept {
        // The builder has tried the paths.
        if let Ok(history) = settings.history.observer(events.clone()) {
            observers.push(Box::new(history));
        }
    }
    observers
}

fn read(c: &Connection, number: i64) -> rusqlite::Result<Option<Loaded>> {
    struct Head {
        id: String,
        workflow: String,
        status: i64,
        hash: Option<i64>,
        start: Vec<u8>,
        correlation: Option<String>,
        crashes: i64,
        redriven: bool,
    }
    let text = "SELECT id, workflow, status, hash, start, correlation, crashes, redriven FROM executions
                WHERE number = ?1";
    let read = |row: &rusqlite::Row<'_>| {
        Ok(Head {
            id: row.get(0)?,
            workflow: row.get(1)?,
            status: row.get(2)?,
            hash: row.get(3)?,
            start: row.get(4)?,
            correlation: row.get(5)?,
            crashes: row.get(6)?,
            redriven: row.get(7)?,
        })
    };
    let Some(head) = c.prepare_cached(text)?.query_row([number], read).optional()? else { return Ok(None) };
    let Head { id, workflow, status, hash, start, correlation, crashes, redriven } = head;
    Ok(match status {
        0 => Some(Loaded::Start {
            id,
            workflow,
            hash: hash.map(|hash| hash as u64),
            entry: beyond::entry(c, number)?,
            correlation,
            start,
            mail: Mail { last: mail::last(c)?, events: mail::read(c, number)? },
            redriven,
            events: next_event(c, number)?,
        }),
        1 => Some(Loaded::GoOn {
            found: Found { id, workflow, hash: hash.unwrap_or_default() as u64, states: states(c, number)? },
            rows: parts::read(c, number)?,
            arrived: executions::arrivals(c, number)?,
            mail: Mail { last: mail::last(c)?, events: mail::read(c, number)? },
            suspect: crashes > 0,
            redriven,
            events: next_event(c, number)?,
        }),
        _ => None,
    })
}

/// What is stored of an execution that has begun.
pub fn stored(c: &Connection, number: i64) -> rusqlite::Result<Option<(Found, Vec<StoredRow>)>> {
    let text = "SELECT id, workflow, hash FROM executions WHERE number = ?1 AND hash IS NOT NULL";
    let read = |row: &rusqlite::Row<'_>| {
        let hash: i64 = row.get(2)?;
        Ok(Found { id: row.get(0)?, workflow: row.get(1)?, hash: hash as u64, states: states(c, number)? })
    };
    let Some(found) = c.prepare_cached(text)?.query_row([number], read).optional()? else { return Ok(None) };
    let rows = parts::read(c, number)?;
    Ok((!rows.is_empty()).then_some((found, rows)))
}

/// The states that an execution waits in.
fn states(c: &Connection, number: i64) -> rusqlite::Result<Vec<String>> {
    let text = "SELECT DISTINCT state FROM parts WHERE execution = ?1 AND kind = 2 AND state <> ''";
    c.prepare_cached(text)?.query_map([number], |row| row.get(0))?.collect()
}

/// The number of the next event in the history of an execution.
fn next_event(c: &Connection, number: i64) -> rusqlite::Result<i64> {
    let text = "SELECT number, event FROM history WHERE execution = ?1 ORDER BY number DESC LIMIT 1";
    let read = |row: &rusqlite::Row<'_>| Ok(row.get::<_, i64>(0)? + row.get_ref(1)?.as_str()?.lines().count() as i64);
    Ok(c.prepare_cached(text)?.query_row([number], read).optional()?.unwrap_or(1))
}
