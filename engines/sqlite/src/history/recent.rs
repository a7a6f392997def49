//! Newest events of executions, in the table `recent_events`.
//!
//! A commit appends its events as a row, so that the executions of a transaction share pages. The
//! rows of an execution form a list: each row has the position of the one before, and the header
//! row of the snapshot has the position of the newest. A driver remembers the end of its list,
//! which is checked at each commit. An execution that is not loaded keeps nothing in memory: it
//! may wait for years.
//!
//! An execution's own commits move its list to `history`. Rows that are in no list are removed
//! when the log is trimmed. The rows of lists stay, so that no execution depends on the rows of
//! another. An execution removes those that the log has left behind when it moves its list.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::{Added, MAX_NUMBER, MAX_RECENT, WRONG_NUMBER, count, damage, encoding};
use crate::error::damaged;

/// Number of rows at the end of the log that are not looked at when it is trimmed, and number of
/// rows that are looked at together.
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
        "WITH RECURSIVE list (position, previous, number, events, first) AS (
            SELECT r.position, r.previous, r.number, r.events, r.first FROM snapshot_rows s
            JOIN recent_events r ON r.position = s.recent AND r.execution = s.execution
            WHERE s.execution = ?1 AND s.kind = 0 AND s.number = 0 AND s.position = 0
            UNION ALL SELECT r.position, r.previous, r.number, r.events, r.first FROM list l
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
    /// List of recent events, unless it is empty.
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

/// Newest events of an execution.
pub struct Found {
    /// Where the history continues, if the list is given up in case of damage.
    pub newest: Newest,
    /// Set if the list is damaged.
    pub is_list_damaged: bool,
    /// Damage of the list or of the newest row of `history`. New events begin behind it.
    pub damage: Option<String>,
}

/// Finds where the history of an execution continues.
pub fn newest(c: &Connection, execution: i64) -> rusqlite::Result<Found> {
    let (can_point, problem) = match header(c, execution)? {
        Header::List(newest) => return Ok(Found { newest, is_list_damaged: false, damage: None }),
        Header::Damaged(problem) => (true, Some(problem)),
        Header::Empty => (true, None),
        Header::Missing => (false, None),
    };
    let (next, mut damage) = newest_row(c, execution)?;
    let is_list_damaged = problem.is_some();
    if let Some(problem) = problem {
        damage = Some(damage_of_list(c, execution, next, problem)?);
    }
    Ok(Found { newest: Newest { next, can_point, pointer: None, list: None }, is_list_damaged, damage })
}

/// The reference of an execution's header row to its recent events.
pub enum Header {
    /// There is no such row.
    Missing,
    /// There are no recent events.
    Empty,
    List(Newest),
    /// The newest row is missing or damaged.
    Damaged(String),
}

/// Finds the list of an execution.
pub fn header(c: &Connection, execution: i64) -> rusqlite::Result<Header> {
    let found = c.prepare_cached(NEWEST_RECENT)?.query_row([execution], |row| {
        Ok(match row.get_ref(0)? {
            ValueRef::Null => Header::Empty,
            _ => list(row, execution).map_or_else(Header::Damaged, Header::List),
        })
    });
    Ok(found.optional()?.unwrap_or(Header::Missing))
}

/// Reads the list of an execution from its newest row.
fn list(row: &Row<'_>, execution: i64) -> Result<Newest, String> {
    let number = |at| row.get::<_, i64>(at).map_err(|error| error.to_string());
    let position = number(0)?;
    if row.get_ref(1) != Ok(ValueRef::Integer(execution)) {
        return Err(MISSING.to_owned());
    }
    let oldest = row.get::<_, Option<i64>>(2).map_err(|error| error.to_string())?.unwrap_or(position);
    let (first, size, last) = (number(3)?, number(4)?, number(5)?);
    let events = count_segments(row.get_ref(6).map_err(|error| error.to_string())?)?;
    let next = last.checked_add_unsigned(events).filter(|next| (1..=MAX_NUMBER).contains(next));
    let next = next.filter(|_| (1..=last).contains(&first) && (1..=position).contains(&oldest) && size >= 0);
    let next = next.ok_or(WRONG_NUMBER)?;
    Ok(Newest { next, can_point: true, pointer: Some(position), list: Some(List { oldest, first, size }) })
}

/// Returns `true` if the newest row of an execution's list is missing.
pub fn is_missing(c: &Connection, execution: i64) -> rusqlite::Result<bool> {
    let text =
        "SELECT 1 FROM snapshot_rows s LEFT JOIN recent_events r ON r.position = s.recent AND r.execution = s.execution
                WHERE s.execution = ?1 AND s.kind = 0 AND s.number = 0 AND s.position = 0
                AND s.recent IS NOT NULL AND r.position IS NULL";
    c.prepare_cached(text)?.exists([execution])
}

/// Returns the number of events in a row of the log.
fn count_segments(events: ValueRef<'_>) -> Result<u64, String> {
    match events {
        ValueRef::Blob(segments) => encoding::count(segments).map_err(|error| error.to_string()),
        other => Err(format!("the events are of type {}", other.data_type())),
    }
}

/// Problem of a list without some of its rows.
pub const MISSING: &str = "recent events are missing";

/// Describes the damage of a list.
pub fn damage_of_list(c: &Connection, execution: i64, first: i64, problem: String) -> rusqlite::Result<String> {
    Ok(damage(&id(c, execution)?, first, problem))
}

/// Returns the number behind the newest row of `history`, and its damage, if it has some.
fn newest_row(c: &Connection, execution: i64) -> rusqlite::Result<(i64, Option<String>)> {
    let read = |row: &Row<'_>| behind(c, execution, row.get(0)?, row.get_ref(1)?);
    Ok(c.prepare_cached(NEWEST)?.query_row([execution], read).optional()?.unwrap_or((1, None)))
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

/// Returns the id of an execution, or its number if it has no row.
fn id(c: &Connection, execution: i64) -> rusqlite::Result<String> {
    let id = c.query_row("SELECT id FROM executions WHERE number = ?1", [execution], |row| row.get(0)).optional()?;
    Ok(id.unwrap_or_else(|| execution.to_string()))
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
        trim(c, trimmed(position))?;
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

/// Rows of a list.
pub struct Rows {
    /// Events, oldest first.
    pub segments: Vec<u8>,
    positions: Vec<i64>,
}

/// Reads the rows of a list. Returns `None` if some are missing or damaged.
pub fn read(c: &Connection, execution: i64, newest: &Newest, list: &List) -> rusqlite::Result<Option<Rows>> {
    let text = "SELECT previous, number, events FROM recent_events WHERE position = ?1 AND execution = ?2";
    let mut statement = c.prepare_cached(text)?;
    let (mut first, mut size, mut at) = (newest.next, 0, newest.pointer);
    let (mut rows, mut positions) = (Vec::new(), Vec::new());
    // Positions decrease, so that the list has an end.
    while let Some(position) = at {
        let mut found = statement.query([position, execution])?;
        let Some(row) = found.next()? else { return Ok(None) };
        let (Ok(previous), Ok(number)) = (row.get::<_, Option<i64>>(0), row.get::<_, i64>(1)) else { return Ok(None) };
        let (ValueRef::Blob(segments), Ok(events)) = (row.get_ref(2)?, count_segments(row.get_ref(2)?)) else {
            return Ok(None);
        };
        size += segments.len() as i64;
        if number.checked_add_unsigned(events) != Some(first) || size > MAX_RECENT {
            return Ok(None);
        }
        first = number;
        rows.push(segments.to_vec());
        positions.push(position);
        at = previous.filter(|previous| *previous < position);
    }
    rows.reverse();
    Ok((first == list.first).then(|| Rows { segments: rows.concat(), positions }))
}

/// Empties the list of an execution, whose rows these are.
pub fn clear(c: &Connection, execution: i64, rows: &Rows) -> rusqlite::Result<()> {
    forget(c, execution)?;
    let left = trimmed(last_position(c)?);
    for position in rows.positions.iter().filter(|position| **position <= left) {
        c.prepare_cached("DELETE FROM recent_events WHERE position = ?1")?.execute([position])?;
    }
    Ok(())
}

/// Gives up a damaged list. Its readable events become rows of `history`, each with its own
/// number, so that readers find what is missing. Returns where the history continues.
pub fn give_up(c: &Connection, execution: i64) -> rusqlite::Result<Newest> {
    let (next, _) = newest_row(c, execution)?;
    // Rows of earlier lists have lower numbers.
    let text = "INSERT OR IGNORE INTO history (execution, number, event)
                SELECT execution, number, events FROM recent_events WHERE execution = ?1 AND typeof(number) = 'integer'
                AND number BETWEEN ?2 AND ?3 AND typeof(events) = 'blob' ORDER BY number, position";
    c.execute(text, [execution, next, MAX_NUMBER - i64::from(u32::MAX)])?;
    remove(c, execution)?;
    let (next, _) = newest_row(c, execution)?;
    Ok(Newest { next, can_point: true, pointer: None, list: None })
}

/// Removes the list of an execution, and all its rows. Rows of an empty list stay.
pub fn remove(c: &Connection, execution: i64) -> rusqlite::Result<()> {
    if forget(c, execution)? > 0 {
        // The newest row stays without its events: positions are not used twice.
        let text = "UPDATE recent_events SET execution = 0, events = X''
                    WHERE position = (SELECT max(position) FROM recent_events) AND execution = ?1";
        c.execute(text, [execution])?;
        c.execute("DELETE FROM recent_events WHERE execution = ?1", [execution])?;
    }
    Ok(())
}

/// Removes the rows of executions that have no history any more, and empty lists.
pub fn remove_purged(c: &Connection) -> rusqlite::Result<()> {
    let last = last_position(c)?;
    // Earlier rows are in lists.
    let text = "UPDATE recent_events SET execution = 0, events = X'' WHERE position = ?1 AND NOT EXISTS
                (SELECT 1 FROM executions WHERE number = recent_events.execution AND has_history)";
    c.prepare_cached(text)?.execute([last])?;
    let text = "DELETE FROM recent_events WHERE position > ?1 AND position < ?2 AND NOT EXISTS
                (SELECT 1 FROM executions WHERE number = recent_events.execution AND has_history)";
    c.prepare_cached(text)?.execute([trimmed(last), last]).map(drop)
}

/// Lets the header row point to no recent events. Returns the number of changed rows.
fn forget(c: &Connection, execution: i64) -> rusqlite::Result<usize> {
    let text = concat!("UPDATE snapshot_rows SET recent = NULL WHERE ", is_header!(), " AND recent IS NOT NULL");
    c.prepare_cached(text)?.execute([execution])
}

fn last_position(c: &Connection) -> rusqlite::Result<i64> {
    c.prepare_cached("SELECT coalesce(max(position), 0) FROM recent_events")?.query_row([], |row| row.get(0))
}

/// Returns the position up to which the log is trimmed when this is its last one.
fn trimmed(last: i64) -> i64 {
    last - last % TRIMMED_ROWS - KEPT_ROWS
}

/// Removes those of the [`TRIMMED_ROWS`] up to a position that are in no list.
fn trim(c: &Connection, until: i64) -> rusqlite::Result<()> {
    // A row before the oldest of its execution's list is in no list.
    let text = "DELETE FROM recent_events WHERE position > ?1 AND position <= ?2 AND NOT EXISTS
                (SELECT 1 FROM snapshot_rows s JOIN recent_events r ON r.position = s.recent AND r.execution = s.execution
                 WHERE s.execution = recent_events.execution AND s.kind = 0 AND s.number = 0 AND s.position = 0
                 AND CAST(coalesce(r.oldest, r.position) AS INTEGER) <= recent_events.position)";
    c.prepare_cached(text)?.execute([until - TRIMMED_ROWS, until]).map(drop)
}
