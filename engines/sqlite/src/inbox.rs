//! Inboxes: events for executions until they have processed them. Each function runs within a
//! transaction.

use std::sync::Arc;

use rusqlite::Connection;
use rusqlite::Error::FromSqlConversionFailure;
use rusqlite::types::Type;
use workflow_runtime::coordination::{self, Addressee, Published, RoutedEvent, Sent};
use workflow_runtime::engine::Reached;
use workflow_runtime::{CloudEvent, Timestamp};

use crate::children::AfterCommit;
use crate::codec;
use crate::executions::{self, CommandResult};
use crate::records::{Records, Starts};

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
    let (workflow, mut effects) = (executions::workflow(c, execution)?, Vec::new());
    let mut records = Records { c, now, starts: &Starts::new(), effects: &mut effects };
    let to = Addressee { execution, workflow: &workflow, status: status };
    Ok(match coordination::send(&mut records, to, events)? {
        Sent::Delivered(_) => CommandResult::Done(effects),
        Sent::NotNow(_) => CommandResult::NotNow(status),
        Sent::Unwanted(one) => {
            let correlation = executions::correlation(c, execution)?;
            CommandResult::Unwanted { event: one.event.clone(), workflow, correlation }
        }
        Sent::Full => CommandResult::Full,
    })
}

/// Delivers an event from outside to all unfinished executions whose definitions wait for it. With
/// `starts`, it may also start executions.
pub fn publish_from_outside(
    c: &Connection,
    event: &RoutedEvent,
    starts: Option<&Starts>,
    now: Moment,
    effects: &mut Vec<AfterCommit>,
) -> rusqlite::Result<Reached> {
    let (may_start, none) = (starts.is_some(), Starts::new());
    let mut records = Records { c, now, starts: starts.unwrap_or(&none), effects };
    let published = coordination::publish(&mut records, event, may_start, Timestamp::from_micros(now.at))?;
    let Published { executions, started, full, .. } = published;
    Ok(Reached::new(executions, started, full))
}

/// Delivers an event that an execution publishes. The delivery is part of the transaction in which
/// the publishing state begins. A retried state publishes the same event again, which is a
/// duplicate.
pub fn publish(
    c: &Connection,
    event: &RoutedEvent,
    now: Moment,
    effects: &mut Vec<AfterCommit>,
) -> rusqlite::Result<()> {
    let mut records = Records { c, now, starts: &Starts::new(), effects };
    let published = coordination::publish(&mut records, event, false, Timestamp::from_micros(now.at))?;
    // Reports the first execution with a full inbox only.
    if let Some(full) = published.first_full {
        let text = "SELECT id FROM executions WHERE number = ?1";
        effects.push(AfterCommit::InboxFull(c.prepare_cached(text)?.query_row([full], |row| row.get(0))?));
    }
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
    if seen.is_empty() {
        return Ok(());
    }
    let mut statement = c.prepare_cached("DELETE FROM inbox WHERE number = ?1")?;
    seen.iter().try_for_each(|number| statement.execute([*number as i64]).map(|_| ()))
}

/// Removes the inbox of an execution, and its delivery records.
pub fn purge(c: &Connection, execution: i64) -> rusqlite::Result<()> {
    c.prepare_cached("DELETE FROM inbox WHERE execution = ?1")?.execute([execution])?;
    c.prepare_cached("DELETE FROM delivered_events WHERE execution = ?1")?.execute([execution])?;
    Ok(())
}
