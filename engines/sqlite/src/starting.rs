//! Events that start executions: whether one does, or an execution waits for it in its first state.

use rusqlite::{Connection, params};
use workflow_runtime::machine::{First, Opening};
use workflow_runtime::{CloudEvent, Timestamp};

use crate::beyond::Notice;
use crate::executions::{self, New, Put};
use crate::mail::Moment;
use crate::{beyond, codec, mail, parts};

/// In the place of an execution: all of a workflow that an event has been for. No execution has this number.
const WORKFLOW: i64 = 0;

/// The executions of a workflow that wait for an event in their first state, and those that are about to begin: the oldest
/// first.
pub fn candidates(
    c: &Connection,
    workflow: &str,
    opening: &Opening,
    event: &CloudEvent,
    now: i64,
) -> rusqlite::Result<Vec<i64>> {
    // Where all kinds correlate, by the same value most often, others need not be looked at.
    let value = opening.only_correlation(event);
    let text = "SELECT number FROM executions e WHERE workflow = ?1 AND status IN (0, 1, 5)
                    AND (?6 IS NULL OR coalesce(correlation, id) = ?6) AND (
                    (status = 0 AND (due IS NULL OR due <= ?2)) OR (status = 1 AND EXISTS (
                        SELECT 1 FROM parts WHERE execution = e.number AND kind = ?3 AND waits = ?4 AND state = ?5)))
                ORDER BY number";
    let values = params![workflow, now, parts::FRAME, parts::waits::EVENT, opening.state(), value.as_deref()];
    c.prepare_cached(text)?.query_map(values, |row| row.get(0))?.collect()
}

/// Whether one of these takes this event in its first state.
pub fn takes(
    c: &Connection,
    execution: i64,
    opening: &Opening,
    event: &CloudEvent,
    now: i64,
) -> rusqlite::Result<bool> {
    let correlation = executions::correlation(c, execution)?;
    let Some(mut first) = First::new(opening.definition(), correlation.into()) else { return Ok(false) };
    let text = "SELECT detail, wake FROM parts WHERE execution = ?1 AND kind = ?2 AND waits = ?3 AND state = ?4";
    let mut statement = c.prepare_cached(text)?;
    let mut rows = statement.query(params![execution, parts::FRAME, parts::waits::EVENT, opening.state()])?;
    match rows.next()? {
        // It has not begun. One that runs a part of the workflow does not begin with the first state.
        None if beyond::entry(c, execution)?.is_some() => return Ok(false),
        None => {}
        Some(row) => {
            let names = format!(", {}, ", row.get_ref(0)?.as_str_or_null()?.unwrap_or_default());
            let until = row.get::<_, Option<i64>>(1)?.map(Timestamp::from_micros);
            first = first.waiting(|name| names.contains(&format!(", {name}, ")), until);
            if first.keeps() && !note_kept(c, execution, &mut first)? {
                return Ok(false);
            }
        }
    }
    for (_, unseen) in mail::read(c, execution)? {
        first.note(&unseen);
    }
    Ok(first.takes(event, Timestamp::from_micros(now)))
}

/// Notes what an execution keeps. False if that cannot be told: a new execution is better than a lost event.
fn note_kept(c: &Connection, execution: i64, first: &mut First) -> rusqlite::Result<bool> {
    let mut statement = c.prepare_cached("SELECT data FROM parts WHERE execution = ?1 AND kind = ?2 ORDER BY a")?;
    let mut rows = statement.query(params![execution, parts::EVENT])?;
    while let Some(row) = rows.next()? {
        let Ok(event) = codec::read_attributes(row.get_ref(0)?.as_blob()?) else { return Ok(false) };
        first.note(&event);
    }
    Ok(true)
}

/// Whether an event was taken by an execution in its first state, or has started one: lately, or one that is still kept.
pub fn is_known(c: &Connection, workflow: &str, event: &CloudEvent, now: Moment) -> rusqlite::Result<bool> {
    let given = mail::is_noted(c, WORKFLOW, &event.source, &name(workflow, event), now)?;
    let text = "SELECT 1 FROM executions WHERE workflow = ?1 AND event_source = ?2 AND event_id = ?3";
    Ok(given || c.prepare_cached(text)?.exists(params![workflow, &*event.source, &*event.id])?)
}

/// Notes that one has.
pub fn note(c: &Connection, workflow: &str, event: &CloudEvent, now: Moment) -> rusqlite::Result<()> {
    let text = "INSERT OR REPLACE INTO given (execution, source, id, at) VALUES (?1, ?2, ?3, ?4)";
    c.prepare_cached(text)?.execute(params![WORKFLOW, &*event.source, name(workflow, event), now.at]).map(|_| ())
}

/// What an event is to a workflow.
fn name(workflow: &str, event: &CloudEvent) -> String {
    format!("{workflow} {}", event.id)
}

/// Puts in the execution that an event starts; its number. `None` if it was there.
pub fn start(c: &Connection, new: &New, notices: &mut Vec<Notice>) -> rusqlite::Result<Option<i64>> {
    Ok(match executions::put(c, new)? {
        Put::New(number) => {
            notices.push(Notice::Queued);
            Some(number)
        }
        Put::Known { .. } | Put::KeyReused(_) | Put::IdTaken | Put::Refused(_) => None,
    })
}
