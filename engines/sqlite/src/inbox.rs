//! Inboxes: events for executions until they have processed them, and their deduplication. Each
//! function runs within a transaction.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use rusqlite::Error::FromSqlConversionFailure;
use rusqlite::types::Type;
use rusqlite::{Connection, params};
use workflow_runtime::CloudEvent;
use workflow_runtime::engine::Reached;
use workflow_runtime::machine::{INBOX_CAPACITY, INBOX_OVERFLOW};

use crate::children::AfterCommit;
use crate::executions::{self, CommandResult, NewExecution, Status};
use crate::registry::{Kind, RoutedEvent};
use crate::{codec, event_triggers, rows};

/// Time in microseconds since 1970, with the start of the deduplication window.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    pub at: i64,
    /// Deliveries before this time no longer count for deduplication.
    pub dedup_since: i64,
}

/// Delivers events from outside to an execution, all or none. Duplicates are skipped.
pub fn send(c: &Connection, id: &str, events: &[RoutedEvent], now: Moment) -> rusqlite::Result<CommandResult> {
    let Some((execution, status)) = executions::find(c, id)? else { return Ok(CommandResult::Unknown) };
    let (mut new, mut names) = (Vec::new(), HashSet::new());
    for one in events {
        let is_new = names.insert((&one.event.source, &one.event.id));
        if is_new && !is_duplicate(c, execution, &one.event, now)? {
            new.push(one);
        }
    }
    let mut effects = Vec::new();
    if new.is_empty() {
        return Ok(CommandResult::Done(effects));
    }
    if status.is_over() && status != Status::Parked {
        return Ok(CommandResult::NotNow(status));
    }
    let workflow = executions::workflow(c, execution)?;
    let mut only = Vec::new();
    for one in &new {
        let kinds = one.workflows.get(&*workflow).map(Vec::as_slice);
        only = events_for(c, execution, kinds.unwrap_or_default())?;
        if only.is_empty() {
            let correlation = executions::correlation(c, execution)?;
            return Ok(CommandResult::Unwanted { event: one.event.clone(), workflow, correlation });
        }
    }
    if new.len() > 1 {
        only.clear();
    }
    if !has_capacity(c, execution, new.len(), &only)? {
        return Ok(CommandResult::Full);
    }
    for one in new {
        mark_delivered(c, execution, &one.event, now)?;
        enqueue(c, execution, &one.event, &mut effects)?;
    }
    Ok(CommandResult::Done(effects))
}

/// Executions that an event is to start, by workflow. `None` if the schedule does not admit a
/// start now.
pub type Starts = BTreeMap<&'static str, Option<NewExecution>>;

/// Delivers an event from outside to all unfinished executions whose definitions wait for it,
/// without duplicates. Starts executions if no execution accepts the event as its start event.
pub fn publish_from_outside(
    c: &Connection,
    published: &RoutedEvent,
    starts: &Starts,
    now: Moment,
    effects: &mut Vec<AfterCommit>,
) -> rusqlite::Result<Reached> {
    deliver(c, published, starts, now, effects).map(|(reached, _)| reached)
}

/// Delivers an event that an execution publishes, as [`publish_from_outside`] does. The delivery
/// is part of the transaction in which the publishing state begins. A retried state publishes the
/// same event again, which is a duplicate.
pub fn publish(
    c: &Connection,
    published: &RoutedEvent,
    now: Moment,
    effects: &mut Vec<AfterCommit>,
) -> rusqlite::Result<()> {
    // Reports the first execution with a full inbox only.
    if let (_, Some(full)) = deliver(c, published, &Starts::new(), now, effects)? {
        let text = "SELECT id FROM executions WHERE number = ?1";
        effects.push(AfterCommit::InboxFull(c.prepare_cached(text)?.query_row([full], |row| row.get(0))?));
    }
    Ok(())
}

/// Delivers an event to its subscribers. Returns the number of deliveries, and the first execution
/// whose inbox is full.
fn deliver(
    c: &Connection,
    published: &RoutedEvent,
    starts: &Starts,
    now: Moment,
    effects: &mut Vec<AfterCommit>,
) -> rusqlite::Result<(Reached, Option<i64>)> {
    let (event, mut reached, mut full) = (&published.event, Reached::default(), None);
    for (workflow, kinds) in &published.workflows {
        let starting = published.starts.get(workflow).zip(starts.get(workflow));
        let first = match starting {
            Some((trigger, _)) => event_triggers::candidates(c, workflow, trigger, event, now.at)?,
            None => Vec::new(),
        };
        let is_duplicate_start = starting.is_some() && event_triggers::is_duplicate(c, workflow, event, now)?;
        // `has_it`: an execution had the event before. `is_taken`: an execution accepts it as its
        // start event.
        let (mut has_it, mut is_taken) = (false, false);
        let subscribers = match starting {
            Some((trigger, _)) if !trigger.is_awaited_later() => first.clone(),
            _ => subscribers(c, workflow, kinds)?,
        };
        for execution in subscribers {
            let names = events_for(c, execution, kinds)?;
            if names.is_empty() {
                continue;
            }
            if is_duplicate(c, execution, event, now)? {
                reached.executions += 1;
                has_it = true;
                continue;
            }
            let takes = match starting {
                Some((trigger, _)) if !is_duplicate_start && first.binary_search(&execution).is_ok() => {
                    event_triggers::accepts(c, execution, trigger, event, now.at)?
                }
                _ => false,
            };
            if !takes && starting.is_some_and(|(trigger, _)| !trigger.is_awaited_later()) {
                continue;
            }
            if has_capacity(c, execution, 1, &names)? {
                mark_delivered(c, execution, event, now)?;
                enqueue(c, execution, event, effects)?;
                reached.executions += 1;
                is_taken |= takes;
            } else {
                reached.full += 1;
                full = full.or(Some(execution));
            }
        }
        let Some((_, new)) = starting else { continue };
        if is_duplicate_start {
            // The execution that has the event may have ended.
            reached.executions += usize::from(!has_it);
            continue;
        }
        if !is_taken {
            // Outside of its schedule a workflow does not listen.
            let Some(new) = new else { continue };
            if let Some(execution) = event_triggers::start(c, new, effects)? {
                mark_delivered(c, execution, event, now)?;
                enqueue(c, execution, event, effects)?;
                reached.started += 1;
            }
        }
        event_triggers::mark_delivered(c, workflow, event, now)?;
    }
    Ok((reached, full))
}

/// Returns the unfinished executions of a workflow that may be subscribers of an event of these
/// kinds.
fn subscribers(c: &Connection, workflow: &str, kinds: &[Kind]) -> rusqlite::Result<Vec<i64>> {
    if let Some(values) = kinds.iter().map(|kind| kind.correlation.as_deref()).collect::<Option<BTreeSet<&str>>>() {
        let mut found = Vec::new();
        for value in values {
            let text = concat!(
                "SELECT number FROM executions
                        WHERE workflow = ?1 AND coalesce(correlation, id) = ?2 AND status IN ",
                sql!(unfinished)
            );
            let mut statement = c.prepare_cached(text)?;
            for number in statement.query_map([workflow, value], |row| row.get::<_, i64>(0))? {
                found.push(number?);
            }
        }
        found.sort_unstable();
        return Ok(found);
    }
    let text = concat!(
        "SELECT number FROM executions WHERE workflow = ?1 AND status IN ",
        sql!(unfinished),
        " ORDER BY number"
    );
    c.prepare_cached(text)?.query_map([workflow], |row| row.get(0))?.collect()
}

/// Returns the names of the kinds whose events are for an execution.
fn events_for(c: &Connection, execution: i64, kinds: &[Kind]) -> rusqlite::Result<Vec<&'static str>> {
    if kinds.iter().all(|kind| kind.correlation.is_none()) {
        return Ok(kinds.iter().map(|kind| kind.name).collect());
    }
    let own = executions::correlation(c, execution)?;
    let for_it = kinds.iter().filter(|kind| kind.correlation.as_deref().is_none_or(|value| *value == *own));
    Ok(for_it.map(|kind| kind.name).collect())
}

/// Returns `true` if an execution has inbox capacity for `more` events. An event that it waits for
/// (one of these kinds) is accepted beyond the capacity, or stored events could keep the execution
/// from continuing.
fn has_capacity(c: &Connection, execution: i64, more: usize, kinds: &[&str]) -> rusqlite::Result<bool> {
    let (most, overflow, more) = (INBOX_CAPACITY as i64, INBOX_OVERFLOW as i64, more as i64);
    let text = "SELECT count(*) FROM inbox WHERE execution = ?1";
    let unseen: i64 = c.prepare_cached(text)?.query_row([execution], |row| row.get(0))?;
    // Kept events have consecutive numbers, with gaps where events were consumed. An exact count
    // reads all rows.
    let text = "SELECT (SELECT max(number) FROM snapshot_rows WHERE execution = ?1 AND kind = ?2)
                - (SELECT min(number) FROM snapshot_rows WHERE execution = ?1 AND kind = ?2) + 1";
    let values = params![execution, rows::EVENT];
    let at_most: Option<i64> = c.prepare_cached(text)?.query_row(values, |row| row.get(0))?;
    if unseen + at_most.unwrap_or_default() + more <= most {
        return Ok(true);
    }
    let text = "SELECT count(*) FROM snapshot_rows WHERE execution = ?1 AND kind = ?2";
    let kept: i64 = c.prepare_cached(text)?.query_row(values, |row| row.get(0))?;
    if unseen + kept + more <= most {
        return Ok(true);
    }
    // Unprocessed events may end the wait.
    Ok(unseen == 0 && kept < most + overflow && waits_for(c, execution, kinds)?)
}

/// Returns `true` if the stored frames of an execution wait for an event of one of these kinds.
fn waits_for(c: &Connection, execution: i64, kinds: &[&str]) -> rusqlite::Result<bool> {
    let text = "SELECT detail FROM snapshot_rows WHERE execution = ?1 AND kind = ?2 AND wait_kind = ?3";
    let mut statement = c.prepare_cached(text)?;
    let mut found = statement.query(params![execution, rows::FRAME, rows::wait_kind::EVENT])?;
    while let Some(row) = found.next()? {
        let awaited = rows::awaited_events(row.get_ref(0)?.as_str_or_null()?.unwrap_or_default());
        if awaited.iter().any(|awaited| kinds.contains(&&*awaited.name)) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn enqueue(
    c: &Connection,
    execution: i64,
    event: &Arc<CloudEvent>,
    effects: &mut Vec<AfterCommit>,
) -> rusqlite::Result<()> {
    let text = "INSERT INTO inbox (execution, event) VALUES (?1, ?2)";
    c.prepare_cached(text)?.execute(params![execution, codec::event(event)])?;
    effects.push(AfterCommit::Event(execution, c.last_insert_rowid() as u64, event.clone()));
    Ok(())
}

/// Returns `true` if an event of this source and id was delivered to the execution within the
/// deduplication window.
fn is_duplicate(c: &Connection, execution: i64, event: &CloudEvent, now: Moment) -> rusqlite::Result<bool> {
    was_delivered(c, execution, &event.source, &event.id, now)
}

/// Returns `true` if a delivery to the execution is recorded within the deduplication window.
pub fn was_delivered(c: &Connection, execution: i64, source: &str, id: &str, now: Moment) -> rusqlite::Result<bool> {
    let text = "SELECT 1 FROM delivered_events WHERE execution = ?1 AND source = ?2 AND id = ?3 AND delivered_at >= ?4";
    c.prepare_cached(text)?.exists(params![execution, source, id, now.dedup_since])
}

/// Records a delivery. Also removes up to four expired records, more than it adds.
fn mark_delivered(c: &Connection, execution: i64, event: &CloudEvent, now: Moment) -> rusqlite::Result<()> {
    let text = "DELETE FROM delivered_events WHERE number IN (SELECT number FROM delivered_events ORDER BY number LIMIT 4) AND delivered_at < ?1";
    c.prepare_cached(text)?.execute([now.dedup_since])?;
    // A repeated event gets a new number, so that the oldest records have the lowest numbers.
    let text = "INSERT OR REPLACE INTO delivered_events (execution, source, id, delivered_at) VALUES (?1, ?2, ?3, ?4)";
    c.prepare_cached(text)?.execute(params![execution, &*event.source, &*event.id, now.at])?;
    Ok(())
}

/// Returns the number of the newest event in any inbox.
pub fn last_number(c: &Connection) -> rusqlite::Result<u64> {
    let text = "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'inbox'), 0)";
    c.prepare_cached(text)?.query_row([], |row| row.get::<_, i64>(0)).map(|last_number| last_number as u64)
}

/// Returns the unprocessed events of an execution.
pub fn read(c: &Connection, execution: i64) -> rusqlite::Result<Vec<(u64, Arc<CloudEvent>)>> {
    let text = "SELECT number, event FROM inbox WHERE execution = ?1 ORDER BY number";
    let mut statement = c.prepare_cached(text)?;
    let read = |row: &rusqlite::Row<'_>| {
        let event = codec::read_event(row.get_ref(1)?.as_blob()?);
        let event = event.map_err(|error| FromSqlConversionFailure(1, Type::Blob, Box::new(error)))?;
        Ok((row.get::<_, i64>(0)? as u64, Arc::new(event)))
    };
    statement.query_map([execution], read)?.collect()
}

/// Returns `true` if an inbox holds events.
pub fn has_events(c: &Connection, execution: i64) -> rusqlite::Result<bool> {
    c.prepare_cached("SELECT 1 FROM inbox WHERE execution = ?1")?.exists([execution])
}

/// Removes processed events.
pub fn remove(c: &Connection, seen: &[u64]) -> rusqlite::Result<()> {
    let mut statement = c.prepare_cached("DELETE FROM inbox WHERE number = ?1")?;
    seen.iter().try_for_each(|number| statement.execute([*number as i64]).map(|_| ()))
}

/// Removes the inbox of an execution, and its delivery records.
pub fn purge(c: &Connection, execution: i64) -> rusqlite::Result<()> {
    c.prepare_cached("DELETE FROM inbox WHERE execution = ?1")?.execute([execution])?;
    c.prepare_cached("DELETE FROM delivered_events WHERE execution = ?1")?.execute([execution])?;
    Ok(())
}
