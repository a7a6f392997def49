//! Start conditions: decides whether an event starts an execution, or an execution waits for it in
//! its first state.

use rusqlite::{Connection, params};
use workflow_runtime::machine::{StartCondition, TriggerMatch};
use workflow_runtime::{CloudEvent, Timestamp};

use crate::children::AfterCommit;
use crate::executions::{self, Inserted, NewExecution};
use crate::inbox::Moment;
use crate::{awaited, codec, inbox, rows};

/// Sentinel execution number of the deduplication records of a workflow. No execution has this
/// number.
const WORKFLOW_RECORD: i64 = 0;

/// Returns `true` if an execution accepts the event in its first state.
pub fn accepts(
    c: &Connection,
    execution: i64,
    trigger: &TriggerMatch,
    event: &CloudEvent,
    now: i64,
) -> rusqlite::Result<bool> {
    let Some(mut first) = awaited::start_condition(c, execution, trigger)? else { return Ok(false) };
    if first.is_ordered() && !record_kept(c, execution, &mut first)? {
        return Ok(false);
    }
    for (_, unseen) in inbox::read(c, execution)? {
        first.record(&unseen);
    }
    Ok(first.accepts(event, Timestamp::from_micros(now)))
}

/// Records the events that an execution keeps. Returns `false` if one cannot be read: a new
/// execution is better than a lost event.
fn record_kept(c: &Connection, execution: i64, first: &mut StartCondition) -> rusqlite::Result<bool> {
    let mut statement =
        c.prepare_cached("SELECT data FROM snapshot_rows WHERE execution = ?1 AND kind = ?2 ORDER BY number")?;
    let mut rows = statement.query(params![execution, rows::EVENT])?;
    while let Some(row) = rows.next()? {
        let Ok(event) = codec::read_attributes(row.get_ref(0)?.as_blob()?) else { return Ok(false) };
        first.record(&event);
    }
    Ok(true)
}

/// Returns `true` if an execution accepted the event in its first state, or was started by it,
/// within the deduplication window; also if the started execution is still stored.
pub fn is_duplicate(c: &Connection, workflow: &str, event: &CloudEvent, now: Moment) -> rusqlite::Result<bool> {
    let is_delivered = inbox::was_delivered(c, WORKFLOW_RECORD, &event.source, &dedup_id(workflow, event), now)?;
    let text = "SELECT 1 FROM executions WHERE workflow = ?1 AND event_source = ?2 AND event_id = ?3";
    Ok(is_delivered || c.prepare_cached(text)?.exists(params![workflow, &*event.source, &*event.id])?)
}

/// Records that an execution accepted the event, or was started by it.
pub fn mark_delivered(c: &Connection, workflow: &str, event: &CloudEvent, now: Moment) -> rusqlite::Result<()> {
    let text = "INSERT OR REPLACE INTO delivered_events (execution, source, id, delivered_at) VALUES (?1, ?2, ?3, ?4)";
    c.prepare_cached(text)?
        .execute(params![WORKFLOW_RECORD, &*event.source, dedup_id(workflow, event), now.at])
        .map(|_| ())
}

/// Returns the id of an event in the deduplication records of a workflow.
fn dedup_id(workflow: &str, event: &CloudEvent) -> String {
    format!("{workflow} {}", event.id)
}

/// Inserts the execution that an event starts, and returns its number. Returns `None` if it
/// exists.
pub fn start(c: &Connection, new: &NewExecution, effects: &mut Vec<AfterCommit>) -> rusqlite::Result<Option<i64>> {
    Ok(match executions::insert(c, new)? {
        Inserted::New(number) => {
            effects.push(AfterCommit::Queued);
            Some(number)
        }
        Inserted::Known { .. } | Inserted::KeyReused(_) | Inserted::IdTaken | Inserted::Refused(_) => None,
    })
}
