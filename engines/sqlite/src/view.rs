//! Read-only views of executions, which need no program with their definitions.

mod interface;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rusqlite::types::Value as SqlValue;
use rusqlite::{Connection, OptionalExtension as _, params_from_iter};
use workflow_runtime::Timestamp;
use workflow_runtime::engine::{Child, Deadline, Description, Filter, HistoryPage, Summary, WaitsAt, WaitsFor};
use workflow_runtime::machine::Outcome;

use crate::executions::{self, Status};
use crate::rows::{awaited_events, map_counts, wait_kind};
use crate::{Error, codec, history, schema};

/// Read-only connection to a database. It does not disturb the engine that holds the lease.
///
/// ```no_run
/// use workflow_sqlite::{Error, Filter, Status, View};
///
/// # fn view() -> Result<(), Error> {
/// let view = View::open("orders.db")?;
/// for running in view.list(&Filter::all().status(Status::Running).limit(10))? {
///     println!("{} of {} since {:?}", running.id, running.workflow, running.created);
///     for line in view.history(&running.id)? {
///         println!("{line}");
///     }
/// }
/// # Ok(())
/// # }
/// ```
pub struct View {
    connection: Mutex<Connection>,
    path: PathBuf,
}

impl View {
    /// Opens an existing database for reading.
    pub fn open(path: impl AsRef<Path>) -> Result<View, Error> {
        let path = path.as_ref().to_owned();
        Ok(View { connection: Mutex::new(schema::open_to_read(&path)?), path })
    }

    /// Lists executions, newest first.
    pub fn list(&self, filter: &Filter) -> Result<Vec<Summary>, Error> {
        self.read(|c| list(c, filter))
    }

    /// Describes one execution.
    pub fn describe(&self, id: &str) -> Result<Description, Error> {
        self.read(|c| describe(c, id))?.ok_or_else(|| Error::UnknownExecution(id.to_owned()))
    }

    /// Returns the waiting branches of an execution. Does not read its documents.
    pub fn waiting(&self, of: &Summary) -> Result<Vec<WaitsAt>, Error> {
        Ok(self.read(|c| waiting_of(c, &of.id))?.unwrap_or_default())
    }

    /// Returns the history of one execution as lines of JSON, oldest first.
    pub fn history(&self, id: &str) -> Result<Vec<String>, Error> {
        Ok(self.page(id, 0, usize::MAX, usize::MAX)?.events)
    }

    /// Returns at most `limit` events after the one numbered `after`; the first event has the
    /// number 1. A page ends early at 16 MiB.
    pub fn history_after(&self, id: &str, after: u64, limit: usize) -> Result<HistoryPage, Error> {
        self.page(id, after, limit, PAGE_BYTES)
    }

    pub(crate) fn page(&self, id: &str, after: u64, limit: usize, bytes: usize) -> Result<HistoryPage, Error> {
        self.read(|c| history(c, id, after, limit, bytes))?.ok_or_else(|| Error::UnknownExecution(id.to_owned()))
    }

    pub(crate) fn read<T>(&self, read: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Error> {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        read(&connection).map_err(|error| schema::store_error(&self.path, &error))
    }
}

/// Returns the number of the execution of this id.
pub(crate) fn number(c: &Connection, id: &str) -> rusqlite::Result<Option<i64>> {
    c.prepare_cached("SELECT number FROM executions WHERE id = ?1")?.query_row([id], |row| row.get(0)).optional()
}

/// Returns the `SELECT` of summaries. An older schema version keeps start events among the keys.
fn summaries(c: &Connection) -> rusqlite::Result<String> {
    let event = if has_column(c, "executions", "event_source")? { "event_source, event_id" } else { "NULL, NULL" };
    Ok(format!("SELECT number, id, workflow, status, key, created, due, started, ended, hash, {event} FROM executions"))
}

/// Number of executions up to which a range of times is searched by the index of its column. A
/// list of a wider range reads the newest executions first, and ends at its limit.
const MAX_NARROW: u32 = 1_000;

/// Condition for a key of whichever workflow. Finds the names of all workflows by one search each.
const KEY_OF_ANY_WORKFLOW: &str = "workflow IN (
    WITH RECURSIVE names (name) AS (
        SELECT min(workflow) FROM executions UNION ALL
        SELECT (SELECT min(workflow) FROM executions WHERE workflow > name) FROM names WHERE name IS NOT NULL
    ) SELECT name FROM names WHERE name IS NOT NULL
) AND key = ?";

pub(crate) fn list(c: &Connection, filter: &Filter) -> rusqlite::Result<Vec<Summary>> {
    let (text, values) = selection(c, filter)?;
    c.prepare_cached(&text)?.query_map(params_from_iter(values), read_summary)?.collect()
}

/// Returns `true` if a range of times has at most [`MAX_NARROW`] executions.
fn has_few(c: &Connection, range: &str, times: &[i64]) -> rusqlite::Result<bool> {
    let count = format!("SELECT count(*) FROM (SELECT 1 FROM executions WHERE {range} LIMIT {MAX_NARROW} + 1)");
    let count: u32 = c.prepare_cached(&count)?.query_row(params_from_iter(times), |row| row.get(0))?;
    Ok(count <= MAX_NARROW)
}

/// Returns the query of a list, and its values.
fn selection(c: &Connection, filter: &Filter) -> rusqlite::Result<(String, Vec<SqlValue>)> {
    let micros = |range: [Option<Timestamp>; 2]| range.map(|time| time.map(Timestamp::as_micros));
    let (started, ended) = (micros(filter.started), micros(filter.ended));
    // Only the requested conditions, so that an index applies.
    let mut conditions: Vec<String> = Vec::new();
    let mut values: Vec<SqlValue> = Vec::new();
    let mut is_narrow = false;
    for (column, range) in [("started", started), ("ended", ended)] {
        let limits = [" >= ?", " < ?"].into_iter().zip(range).filter_map(|(limit, time)| Some((limit, time?)));
        let (limits, times): (Vec<&str>, Vec<i64>) = limits.unzip();
        if times.is_empty() {
            continue;
        }
        let range =
            |column: &str| limits.iter().map(|limit| format!("{column}{limit}")).collect::<Vec<_>>().join(" AND ");
        if filter.key.is_none() && has_few(c, &range(column), &times)? {
            // The index of the column is enough to find the numbers: executions outside the range
            // are not read.
            conditions.push(format!("number IN (SELECT number FROM executions WHERE {})", range(column)));
            is_narrow = true;
        } else {
            // The newest executions are read one by one, up to the limit of the filter.
            conditions.push(range(&format!("+{column}")));
        }
        values.extend(times.into_iter().map(SqlValue::from));
    }
    // A narrow range has fewer executions than the other conditions.
    let other = if is_narrow { "+" } else { "" };
    if let Some(workflow) = &filter.workflow {
        conditions.push(format!("{other}workflow = ?"));
        values.push(workflow.clone().into());
    }
    if let Some(status) = filter.status {
        conditions.push(format!("{other}status = ?"));
        values.push((status as i64).into());
    }
    if let Some(key) = &filter.key {
        // The index of keys begins with the workflow.
        conditions.push(if filter.workflow.is_some() { "key = ?" } else { KEY_OF_ANY_WORKFLOW }.to_owned());
        values.push(key.clone().into());
    }
    if let Some(before) = &filter.before {
        conditions.push("number < (SELECT number FROM executions WHERE id = ?)".to_owned());
        values.push(before.clone().into());
    }
    let mut text = summaries(c)?;
    for (at, condition) in conditions.iter().enumerate() {
        text.push_str(if at == 0 { " WHERE " } else { " AND " });
        text.push_str(condition);
    }
    text.push_str(" ORDER BY number DESC LIMIT ?");
    let limit = if filter.limit == 0 { -1 } else { i64::from(filter.limit) };
    values.push(limit.into());
    Ok((text, values))
}

fn read_summary(row: &rusqlite::Row<'_>) -> rusqlite::Result<Summary> {
    let time = |at: usize| row.get::<_, Option<i64>>(at).map(|micros| micros.map(Timestamp::from_micros));
    let mut summary = Summary::new(row.get::<_, String>(1)?, row.get::<_, String>(2)?, Status::of(row.get(3)?));
    summary.key = row.get(4)?;
    summary.created = time(5)?;
    summary.due = time(6)?;
    summary.started = time(7)?;
    summary.ended = time(8)?;
    summary.hash = row.get::<_, Option<i64>>(9)?.map(|hash| hash as u64);
    summary.event = row.get::<_, Option<String>>(10)?.zip(row.get(11)?);
    Ok(summary)
}

/// Returns the number and the summary of an execution.
fn summary(c: &Connection, id: &str) -> rusqlite::Result<Option<(i64, Summary)>> {
    let text = format!("{} WHERE id = ?1", summaries(c)?);
    c.prepare_cached(&text)?.query_row([id], |row| Ok((row.get(0)?, read_summary(row)?))).optional()
}

pub(crate) fn describe(c: &Connection, id: &str) -> rusqlite::Result<Option<Description>> {
    let Some((number, summary)) = summary(c, id)? else { return Ok(None) };
    let runs = if has_column(c, "executions", "restarts")? { "restarts, redrives" } else { "0, 0" };
    let items = if has_column(c, "executions", "items")? { "items" } else { "NULL" };
    let text = format!("SELECT start, outcome, deadline, crashes, {runs}, {items} FROM executions WHERE number = ?1");
    let mut described = Description::new(summary);
    c.prepare_cached(&text)?.query_row([number], |row| {
        let start: Vec<u8> = row.get(0)?;
        let outcome: Option<Vec<u8>> = row.get(1)?;
        described.input = Some(codec::Stored::read(&start).map(|stored| stored.input).unwrap_or_default());
        described.outcome = outcome.map(|bytes| codec::read_result(&bytes));
        described.deadline = row.get::<_, Option<i64>>(2)?.map(Timestamp::from_micros);
        described.crashes = row.get(3)?;
        described.restarts = row.get(4)?;
        described.redrives = row.get(5)?;
        let items: Option<String> = row.get(6)?;
        // The column of a run that was redriven has the numbers of its last end.
        let has_ended = matches!(described.summary.status, Status::Succeeded | Status::Failed | Status::Cancelled);
        described.items = items.filter(|_| has_ended).and_then(|items| map_counts(&items));
        Ok(())
    })?;
    described.correlation = correlation(c, number)?;
    described.waiting = waiting(c, number)?;
    if described.items.is_some() {
        described.waiting.retain(|waits| !matches!(waits.waits_for, WaitsFor::Map(_)));
    }
    described.parent = parent(c, number)?;
    described.children = children(c, number)?;
    Ok(Some(described))
}

/// Returns the summary and the outcome, if any.
pub(crate) fn outcome(c: &Connection, id: &str) -> rusqlite::Result<Option<(Summary, Option<Outcome>)>> {
    let Some((number, summary)) = summary(c, id)? else { return Ok(None) };
    let mut statement = c.prepare_cached("SELECT outcome FROM executions WHERE number = ?1")?;
    let outcome: Option<Vec<u8>> = statement.query_row([number], |row| row.get(0))?;
    Ok(Some((summary, outcome.map(|bytes| codec::read_result(&bytes)))))
}

/// Returns the waiting branches of the execution of this id.
pub(crate) fn waiting_of(c: &Connection, id: &str) -> rusqlite::Result<Option<Vec<WaitsAt>>> {
    number(c, id)?.map(|number| waiting(c, number)).transpose()
}

fn waiting(c: &Connection, number: i64) -> rusqlite::Result<Vec<WaitsAt>> {
    // A view may read a database of an older schema, which names table and columns otherwise.
    let (table, frame_number, wait_kind, wake_at) = match has_table(c, "snapshot_rows")? {
        true => ("snapshot_rows", "number", "wait_kind", "wake_at"),
        false => ("parts", "a", "waits", "wake"),
    };
    let of_heartbeat = match has_column(c, table, "wakes_for_heartbeat")? {
        true => "p.wakes_for_heartbeat",
        false => "NULL",
    };
    let child = match has_table(c, "children")? {
        true => format!(
            "(SELECT e.id FROM children c JOIN executions e ON e.number = c.child
              WHERE p.{wait_kind} = {} AND c.parent = p.execution AND c.op = p.op)",
            sql!(child),
        ),
        false => "NULL".to_owned(),
    };
    let has_outcome = match table == "snapshot_rows" {
        true => format!(
            "EXISTS (SELECT 1 FROM arrivals a WHERE a.execution = p.execution AND a.frame = p.{frame_number} AND a.op = p.op)"
        ),
        false => "0".to_owned(),
    };
    let text = format!(
        "SELECT p.{frame_number}, p.state, p.{wait_kind}, p.detail, p.{wake_at}, p.token, {child}, {of_heartbeat},
                {has_outcome} FROM {table} p
         WHERE p.execution = ?1 AND p.kind = {} ORDER BY p.{frame_number}",
        sql!(frame),
    );
    let mut statement = c.prepare_cached(&text)?;
    let read = |row: &rusqlite::Row<'_>| {
        let detail = row.get::<_, Option<String>>(3)?.unwrap_or_default();
        let until = row.get::<_, Option<i64>>(4)?.map(Timestamp::from_micros);
        let deadline = match row.get(2)? {
            wait_kind::TIME => Some(Deadline::Wait),
            wait_kind::EVENT | wait_kind::CHILD => Some(Deadline::Timeout),
            wait_kind::TASK | wait_kind::TOKEN => match row.get(7)? {
                Some(true) => Some(Deadline::Heartbeat),
                Some(false) => Some(Deadline::Timeout),
                None => None,
            },
            _ => None,
        };
        let waits_for = match row.get(2)? {
            wait_kind::TIME => WaitsFor::Time,
            wait_kind::TOKEN => WaitsFor::Token(detail),
            wait_kind::BRANCHES => WaitsFor::Branches,
            wait_kind::EVENT => WaitsFor::Event(awaited_events(&detail)),
            wait_kind::CHILD => WaitsFor::Child(detail),
            wait_kind::WRITTEN => WaitsFor::Nothing,
            wait_kind::MAP => WaitsFor::Map(map_counts(&detail).unwrap_or_default()),
            _ => WaitsFor::Task(detail),
        };
        let mut waits = WaitsAt::new(row.get::<_, Option<String>>(1)?.unwrap_or_default(), waits_for);
        waits.frame = row.get(0)?;
        waits.until = until;
        waits.deadline = deadline.filter(|_| until.is_some());
        waits.token = row.get(5)?;
        waits.child = row.get(6)?;
        waits.has_outcome = row.get(8)?;
        Ok(waits)
    };
    statement.query_map([number], read)?.collect()
}

/// Returns `true` if the database has a table of this name. A view may read a database of an older
/// schema.
fn has_table(c: &Connection, name: &str) -> rusqlite::Result<bool> {
    c.prepare_cached("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1")?.exists([name])
}

/// Returns `true` if the table has a column of this name.
fn has_column(c: &Connection, table: &str, name: &str) -> rusqlite::Result<bool> {
    c.prepare_cached("SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2")?.exists([table, name])
}

/// Returns the correlation key of an execution. An older schema version has no such column.
fn correlation(c: &Connection, number: i64) -> rusqlite::Result<Option<String>> {
    match has_column(c, "executions", "correlation")? {
        true => executions::correlation(c, number).map(Some),
        false => Ok(None),
    }
}

fn parent(c: &Connection, number: i64) -> rusqlite::Result<Option<String>> {
    if !has_table(c, "children")? {
        return Ok(None);
    }
    let text = "SELECT e.id FROM children c JOIN executions e ON e.number = c.parent WHERE c.child = ?1";
    c.prepare_cached(text)?.query_row([number], |row| row.get(0)).optional()
}

fn children(c: &Connection, number: i64) -> rusqlite::Result<Vec<Child>> {
    if !has_table(c, "children")? {
        return Ok(Vec::new());
    }
    let text = "SELECT e.id, e.workflow, e.status, c.awaited FROM children c JOIN executions e ON e.number = c.child
                WHERE c.parent = ?1 ORDER BY c.op DESC LIMIT 100";
    let read = |row: &rusqlite::Row<'_>| {
        let (id, workflow): (String, String) = (row.get(0)?, row.get(1)?);
        Ok(Child::new(id, workflow, Status::of(row.get(2)?), row.get(3)?))
    };
    c.prepare_cached(text)?.query_map([number], read)?.collect()
}

/// Size in bytes at which a page ends.
pub(crate) const PAGE_BYTES: usize = 16 << 20;

pub(crate) fn history(
    c: &Connection,
    id: &str,
    after: u64,
    limit: usize,
    bytes: usize,
) -> rusqlite::Result<Option<HistoryPage>> {
    // One transaction: the execution may be purged, and the database migrated, meanwhile.
    let _transaction = c.is_autocommit().then(|| c.unchecked_transaction()).transpose()?;
    let text = "SELECT number, workflow FROM executions WHERE id = ?1";
    let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?));
    let Some((number, workflow)) = c.prepare_cached(text)?.query_row([id], read).optional()? else { return Ok(None) };
    let own = history::Names { workflow: &workflow, execution: id };
    let layout = match (has_table(c, "recent_events")?, has_table(c, "recent_history")?) {
        (true, _) => history::Layout::Log,
        (false, true) => history::Layout::RecentRows,
        (false, false) => history::Layout::Rows,
    };
    history::page(c, number, own, after, limit, bytes, layout).map(Some)
}
