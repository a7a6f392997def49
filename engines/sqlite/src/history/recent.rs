//! Newest events of executions, in the table `recent_events`.
//!
//! A commit appends its events as a row, so that the executions of a transaction share pages. The
//! rows of an execution form a list: each row has the position of the one before, and the header
//! row of the snapshot has the position of the newest. Nothing is kept in memory: an execution may
//! wait for years. Rows that are in no list any more are removed when the log is trimmed.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::{Added, MAX_NUMBER, WRONG_NUMBER, count, damage, settle};
use crate::error::damaged;

/// Number of rows that the log has at least, once it had as many, and number of rows that are
/// removed at once. Recent events that are among the removed become a row of `history`.
pub const KEPT_ROWS: i64 = 8_192;
pub const TRIMMED_ROWS: i64 = 512;

/// Condition on `snapshot_rows`: the header row of an execution.
macro_rules! is_header {
    () => {
        "execution = ?1 AND kind = 0 AND number = 0 AND position = 0"
    };
}

/// Common table `list`: the recent events of execution ?1. Positions decrease, so that the list
/// has an end.
macro_rules! recent_list {
    () => {
        "WITH RECURSIVE list (position, previous, number, events) AS (
            SELECT r.position, r.previous, r.number, r.events FROM snapshot_rows s
            JOIN recent_events r ON r.position = s.recent AND r.execution = s.execution
            WHERE s.execution = ?1 AND s.kind = 0 AND s.number = 0 AND s.position = 0
            UNION ALL SELECT r.position, r.previous, r.number, r.events FROM list l
            JOIN recent_events r ON r.position = l.previous AND r.execution = ?1
            WHERE r.position < l.position AND r.number < l.number)"
    };
}

/// Where the history of an execution continues.
#[derive(Debug, Clone, PartialEq)]
pub struct Newest {
    /// Number of the next event.
    pub next: i64,
    /// Set if the execution has a header row, which can point to recent events.
    pub can_point: bool,
    /// Position of the newest of them.
    pub pointer: Option<i64>,
    /// List of recent events, unless it is empty or damaged.
    pub list: Option<List>,
}

/// List of recent events of an execution.
#[derive(Debug, Clone, PartialEq)]
pub struct List {
    /// Position of its oldest row.
    oldest: i64,
    /// Number of its first event.
    pub first: i64,
    /// Size of its rows in bytes.
    pub size: i64,
}

/// Query for the newest row of an execution's list.
pub const NEWEST_RECENT: &str = "SELECT s.recent, r.execution, r.oldest, r.first, r.size, r.number, r.events
     FROM snapshot_rows s LEFT JOIN recent_events r ON r.position = s.recent
     WHERE s.execution = ?1 AND s.kind = 0 AND s.number = 0 AND s.position = 0";

/// Query for the newest row of the history of an execution.
pub const NEWEST: &str = "SELECT number, event FROM history WHERE execution = ?1 ORDER BY number DESC LIMIT 1";

/// Finds where the history of an execution continues. Also returns the damage of the newest row,
/// if it has some. New events begin behind it then, and a damaged list is given up.
pub fn newest(c: &Connection, execution: i64) -> rusqlite::Result<(Newest, Option<String>)> {
    let recent = c.prepare_cached(NEWEST_RECENT)?.query_row([execution], |row| {
        let pointer = row.get::<_, Option<i64>>(0)?;
        let (Some(position), true) = (pointer, row.get::<_, Option<i64>>(1)? == Some(execution)) else {
            return Ok((Newest { next: 1, can_point: true, pointer, list: None }, None, false));
        };
        let oldest = row.get::<_, Option<i64>>(2)?.unwrap_or(position);
        let list = List { oldest, first: row.get(3)?, size: row.get(4)? };
        let (next, problem) = behind(c, execution, row.get(5)?, row.get_ref(6)?)?;
        let is_list = problem.is_none() && list.oldest <= position && (1..next).contains(&list.first);
        Ok((Newest { next, can_point: true, pointer, list: is_list.then_some(list) }, problem, true))
    });
    let (mut newest, problem, is_found) =
        recent.optional()?.unwrap_or((Newest { next: 1, can_point: false, pointer: None, list: None }, None, false));
    if is_found {
        return Ok((newest, problem));
    }
    let found =
        c.prepare_cached(NEWEST)?.query_row([execution], |row| behind(c, execution, row.get(0)?, row.get_ref(1)?));
    let (next, mut problem) = found.optional()?.unwrap_or((1, None));
    newest.next = next;
    if newest.pointer.is_some() && problem.is_none() {
        problem = Some(damage(&id(c, execution)?, next, "its recent events are missing".to_owned()));
    }
    Ok((newest, problem))
}

/// Returns the number of the event behind a row, and the damage of the row, if it has some.
fn behind(c: &Connection, execution: i64, first: i64, events: ValueRef<'_>) -> rusqlite::Result<(i64, Option<String>)> {
    let behind = |events: u64| first.checked_add_unsigned(events).filter(|next| (1..=MAX_NUMBER).contains(next));
    let counted = match first {
        ..1 => Err(WRONG_NUMBER.to_owned()),
        _ => count(events).and_then(|events| behind(events).ok_or_else(|| WRONG_NUMBER.to_owned())),
    };
    match counted {
        Ok(next) => Ok((next, None)),
        Err(problem) => {
            let problem = damage(&id(c, execution)?, first, problem);
            // An event has at least one byte: no number is used twice.
            let bytes = events.as_bytes_or_null().ok().flatten().map_or(0, <[u8]>::len) as u64;
            match behind(bytes.max(1)) {
                Some(next) => Ok((next, Some(problem))),
                None => Err(damaged(problem)),
            }
        }
    }
}

fn id(c: &Connection, execution: i64) -> rusqlite::Result<String> {
    c.query_row("SELECT id FROM executions WHERE number = ?1", [execution], |row| row.get(0))
}

/// Appends the events of a commit: a row with number `newest.next`. `list` describes the list with
/// them. Returns where the history continues, or `None` if it does not continue at `newest`.
pub fn append(
    c: &Connection,
    execution: i64,
    newest: &Newest,
    list: List,
    added: &Added,
) -> rusqlite::Result<Option<Newest>> {
    let previous = newest.pointer.filter(|_| newest.list.is_some());
    let oldest = newest.list.as_ref().map(|list| list.oldest);
    let text = "INSERT INTO recent_events (execution, number, previous, oldest, first, size, events)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let values = params![execution, newest.next, previous, oldest, list.first, list.size, added.segment];
    c.prepare_cached(text)?.execute(values)?;
    let position = c.last_insert_rowid();
    let text = concat!("UPDATE snapshot_rows SET recent = ?2 WHERE ", is_header!(), " AND recent IS ?3");
    if c.prepare_cached(text)?.execute(params![execution, position, newest.pointer])? == 0 {
        c.prepare_cached("DELETE FROM recent_events WHERE position = ?1")?.execute([position])?;
        return Ok(None);
    }
    if position % TRIMMED_ROWS == 0 {
        trim(c, position - KEPT_ROWS)?;
    }
    let list = List { oldest: oldest.unwrap_or(position), ..list };
    let next = newest.next + added.events;
    Ok(Some(Newest { next, can_point: true, pointer: Some(position), list: Some(list) }))
}

impl List {
    /// Returns the list with the events of a commit, if they have this size together.
    pub fn with(newest: &Newest, size: i64) -> List {
        match &newest.list {
            Some(list) => List { size: list.size.saturating_add(size), ..list.clone() },
            None => List { oldest: 0, first: newest.next, size },
        }
    }
}

/// Empties the list of an execution. Returns the number of its first event, and the segments.
pub fn take(c: &Connection, execution: i64, newest: &Newest) -> rusqlite::Result<Option<(i64, Vec<u8>)>> {
    let text = "SELECT previous, number, events FROM recent_events WHERE position = ?1 AND execution = ?2";
    let mut statement = c.prepare_cached(text)?;
    let (mut first, mut rows, mut at) = (i64::MAX, Vec::new(), newest.pointer);
    // Positions and numbers decrease, so that the list has an end.
    while let Some(position) = at {
        let read = |row: &Row<'_>| {
            let (previous, number): (Option<i64>, i64) = (row.get(0)?, row.get(1)?);
            let segments = row.get_ref(2)?.as_bytes_or_null()?.unwrap_or_default();
            Ok((previous, number, segments.to_vec()))
        };
        let found = statement.query_row([position, execution], read).optional()?;
        let Some((previous, number, segments)) = found.filter(|(_, number, _)| *number < first) else { break };
        first = number;
        rows.push(segments);
        at = previous.filter(|previous| *previous < position);
    }
    forget(c, execution)?;
    rows.reverse();
    Ok((!rows.is_empty()).then(|| (first, rows.concat())))
}

/// Removes the events of an execution's list. The rows stay until the log is trimmed.
pub fn forget(c: &Connection, execution: i64) -> rusqlite::Result<()> {
    let text = concat!("UPDATE snapshot_rows SET recent = NULL WHERE ", is_header!(), " AND recent IS NOT NULL");
    c.prepare_cached(text)?.execute([execution]).map(drop)
}

/// Removes the rows up to a position.
fn trim(c: &Connection, until: i64) -> rusqlite::Result<()> {
    if until <= 0 {
        return Ok(());
    }
    let mut statement = c.prepare_cached("SELECT DISTINCT execution FROM recent_events WHERE position <= ?1")?;
    let executions: rusqlite::Result<Vec<i64>> = statement.query_map([until], |row| row.get(0))?.collect();
    for execution in executions? {
        let text =
            "SELECT coalesce(r.oldest, r.position) FROM snapshot_rows s JOIN recent_events r ON r.position = s.recent
                    WHERE s.execution = ?1 AND s.kind = 0 AND s.number = 0 AND s.position = 0";
        let oldest: Option<i64> = c.prepare_cached(text)?.query_row([execution], |row| row.get(0)).optional()?;
        if oldest.is_some_and(|oldest| oldest <= until) {
            settle(c, execution)?;
        }
    }
    c.prepare_cached("DELETE FROM recent_events WHERE position <= ?1")?.execute([until]).map(drop)
}
