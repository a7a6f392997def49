//! Read-only views of executions, which need no program with their definitions.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension as _, params};
use workflow_runtime::machine::{AwaitedEvent, Outcome};
use workflow_runtime::{Timestamp, Value};

use crate::executions::{self, Status};
use crate::rows::{awaited_events, wait_kind};
use crate::{Error, codec, schema};

/// Read-only connection to a database. It does not disturb the engine that holds the lease.
///
/// ```no_run
/// use workflow_sqlite::{Error, Filter, Status, View};
///
/// # fn view() -> Result<(), Error> {
/// let view = View::open("orders.db")?;
/// for running in view.list(&Filter::all().status(Status::Running).limit(10))? {
///     println!("{} of {} since {}", running.id, running.workflow, running.created);
///     for line in view.history(&running.id)? {
///         println!("{line}");
///     }
/// }
/// # Ok(())
/// # }
/// ```
pub struct View {
    connection: Connection,
    path: std::path::PathBuf,
}

/// Summary of an execution.
///
/// See the example of [`View`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Summary {
    /// Id.
    pub id: String,
    /// Name of the workflow.
    pub workflow: String,
    /// Status.
    pub status: Status,
    /// Idempotency key of the start, if any.
    pub key: Option<String>,
    /// Source and id of the start event, if any.
    pub event: Option<(String, String)>,
    /// Time of the start request.
    pub created: Timestamp,
    /// Scheduled start, if not at once.
    pub due: Option<Timestamp>,
    /// Start time.
    pub started: Option<Timestamp>,
    /// Time when it ended or was parked.
    pub ended: Option<Timestamp>,
    /// Hash of the definition that it was started with.
    pub hash: Option<u64>,
    number: i64,
}

/// Full description of an execution.
///
/// ```no_run
/// use workflow_sqlite::{Error, View, WaitsFor};
///
/// # fn describe(view: &View) -> Result<(), Error> {
/// let description = view.describe("order-17")?;
/// for wait in &description.waiting {
///     match (&wait.waits_for, &wait.token) {
///         (WaitsFor::Token(task), Some(token)) => println!("{}: {task} waits for {token}", wait.state),
///         (WaitsFor::Event(_), _) => println!("{}: an event, until {:?} ({:?})", wait.state, wait.until, wait.deadline),
///         _ => println!("{}", wait.state),
///     }
/// }
/// for child in &description.children {
///     println!("{} of {}: {}", child.id, child.workflow, child.status.name());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Description {
    /// Summary.
    pub summary: Summary,
    /// Input.
    pub input: Value,
    /// Outcome, or the reason for parking.
    pub outcome: Option<Outcome>,
    /// Time-out of the execution.
    pub deadline: Option<Timestamp>,
    /// Correlation key. `None` if an older program has stored the execution.
    pub correlation: Option<String>,
    /// Waiting branches. Of a failed execution, those before the failure.
    pub waiting: Vec<WaitsAt>,
    /// Number of recent crashes of the process while it was running.
    pub crashes: u32,
    /// Number of times that another engine run has continued it.
    pub restarts: u32,
    /// Number of redrives.
    pub redrives: u32,
    /// Id of the parent, if any.
    pub parent: Option<String>,
    /// Children, newest first, at most 100.
    pub children: Vec<Child>,
}

/// Child execution.
///
/// See the example of [`Description`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Child {
    /// Id.
    pub id: String,
    /// Name of the workflow.
    pub workflow: String,
    /// Status.
    pub status: Status,
    /// Set if the parent awaits the child's end, or did.
    pub awaited: bool,
}

/// Waiting branch of an execution.
///
/// See the example of [`Description`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct WaitsAt {
    /// Frame number, 0 for the top level.
    pub frame: u32,
    /// Name of the state.
    pub state: String,
    /// Event, task or other thing that it waits for.
    pub waits_for: WaitsFor,
    /// Time at which it continues or times out.
    pub until: Option<Timestamp>,
    /// Kind of `until`; `None` if an earlier version has written the wait.
    pub deadline: Option<Deadline>,
    /// Token by which an outcome can arrive.
    pub token: Option<String>,
    /// Set if the outcome of the wait is stored, and the execution has not processed it yet.
    pub has_outcome: bool,
    /// Id of the awaited child.
    pub child: Option<String>,
}

/// Kind of wait of a branch.
///
/// See the example of [`Description`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum WaitsFor {
    /// Running task, by its key.
    Task(String),
    /// Outcome by token of the task with this key.
    Token(String),
    /// Time.
    Time,
    /// Its own branches.
    Branches,
    /// One of these events. Of a wait that an older program has stored, only the names are known.
    Event(Vec<AwaitedEvent>),
    /// Child execution of this workflow; empty for a part of the same workflow.
    Child(String),
    /// Nothing: it continues at once.
    Nothing,
}

/// Kind of the time until which a branch waits.
///
/// See the example of [`Description`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Deadline {
    /// End of a wait for a time.
    Wait,
    /// Time-out of a task, of a child execution, or of a wait for an event.
    Timeout,
    /// Time by which the first heartbeat of a task is due. Later heartbeats move the time on; the
    /// database does not record them.
    Heartbeat,
}

/// Page of a history.
///
/// ```no_run
/// use workflow_sqlite::{Error, View};
///
/// # fn print(view: &View) -> Result<(), Error> {
/// let mut after = Some(0);
/// while let Some(number) = after {
///     let page = view.history_after("order-17", number, 100)?;
///     page.events.iter().for_each(|line| println!("{line}"));
///     after = page.next;
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HistoryPage {
    /// Lines of JSON, oldest first.
    pub events: Vec<String>,
    /// Number of the last event if more follow; otherwise `None`.
    pub next: Option<u64>,
    /// Number of the last event; of the one before the page if it has none.
    pub last: u64,
}

/// Filter for lists of executions.
///
/// ```
/// use workflow_sqlite::{Filter, Status};
///
/// let filter = Filter::all().workflow("order").status(Status::Failed).limit(20);
/// assert_eq!(filter.status.map(Status::name), Some("failed"));
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Filter {
    /// Name of the workflow.
    pub workflow: Option<String>,
    /// Status.
    pub status: Option<Status>,
    /// Idempotency key; it is unique for each workflow.
    pub key: Option<String>,
    /// Range of times of the start: from the first, and before the second.
    pub started: [Option<Timestamp>; 2],
    /// Range of times when they ended or were parked.
    pub ended: [Option<Timestamp>; 2],
    /// Limit; 0 is no limit.
    pub limit: u32,
    /// Only executions older than the one of this id.
    pub before: Option<String>,
}

impl Filter {
    /// Selects all executions.
    pub fn all() -> Filter {
        Filter::default()
    }

    /// Selects executions of this workflow.
    pub fn workflow(mut self, workflow: impl Into<String>) -> Filter {
        self.workflow = Some(workflow.into());
        self
    }

    /// Selects executions of this status.
    pub fn status(mut self, status: Status) -> Filter {
        self.status = Some(status);
        self
    }

    /// Selects the executions that were started with this key.
    pub fn key(mut self, key: impl Into<String>) -> Filter {
        self.key = Some(key.into());
        self
    }

    /// Selects the executions that have started since the first time and before the second.
    pub fn started(mut self, since: Option<Timestamp>, until: Option<Timestamp>) -> Filter {
        self.started = [since, until];
        self
    }

    /// Selects the executions that ended, or were parked, since the first time and before the
    /// second.
    pub fn ended(mut self, since: Option<Timestamp>, until: Option<Timestamp>) -> Filter {
        self.ended = [since, until];
        self
    }

    /// Limits the number of executions.
    pub fn limit(mut self, limit: u32) -> Filter {
        self.limit = limit;
        self
    }

    /// Selects executions older than this one.
    pub fn before(mut self, id: impl Into<String>) -> Filter {
        self.before = Some(id.into());
        self
    }
}

impl View {
    /// Opens an existing database for reading.
    pub fn open(path: impl AsRef<Path>) -> Result<View, Error> {
        let path = path.as_ref().to_owned();
        Ok(View { connection: schema::open_to_read(&path)?, path })
    }

    /// Lists executions, newest first.
    pub fn list(&self, filter: &Filter) -> Result<Vec<Summary>, Error> {
        list(&self.connection, filter).map_err(|error| schema::store_error(&self.path, &error))
    }

    /// Describes one execution.
    pub fn describe(&self, id: &str) -> Result<Description, Error> {
        let found = describe(&self.connection, id).map_err(|error| schema::store_error(&self.path, &error))?;
        found.ok_or_else(|| Error::UnknownExecution(id.to_owned()))
    }

    /// Returns the waiting branches of an execution. Does not read its documents.
    pub fn waiting(&self, of: &Summary) -> Result<Vec<WaitsAt>, Error> {
        waiting(&self.connection, of.number).map_err(|error| schema::store_error(&self.path, &error))
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

    fn page(&self, id: &str, after: u64, limit: usize, bytes: usize) -> Result<HistoryPage, Error> {
        let found = history(&self.connection, id, after, limit, bytes)
            .map_err(|error| schema::store_error(&self.path, &error))?;
        found.ok_or_else(|| Error::UnknownExecution(id.to_owned()))
    }
}

/// Returns the `SELECT` of summaries. An older schema version keeps start events among the keys.
fn summaries(c: &Connection) -> rusqlite::Result<String> {
    let event = if has_column(c, "executions", "event_source")? { "event_source, event_id" } else { "NULL, NULL" };
    Ok(format!("SELECT number, id, workflow, status, key, created, due, started, ended, hash, {event} FROM executions"))
}

/// Condition for a key of whichever workflow. Finds the names of all workflows by one search each.
const KEY_OF_ANY_WORKFLOW: &str = "workflow IN (
    WITH RECURSIVE names (name) AS (
        SELECT min(workflow) FROM executions UNION ALL
        SELECT (SELECT min(workflow) FROM executions WHERE workflow > name) FROM names WHERE name IS NOT NULL
    ) SELECT name FROM names WHERE name IS NOT NULL
) AND key = ";

pub(crate) fn list(c: &Connection, filter: &Filter) -> rusqlite::Result<Vec<Summary>> {
    // Only the requested conditions, so that an index applies.
    let mut wanted: Vec<(&str, &dyn rusqlite::ToSql)> = Vec::new();
    let status = filter.status.map(|status| status as i64);
    if let Some(workflow) = &filter.workflow {
        wanted.push(("workflow = ", workflow));
    }
    if let Some(status) = &status {
        wanted.push(("status = ", status));
    }
    if let Some(key) = &filter.key {
        // The index of keys begins with the workflow.
        wanted.push((if filter.workflow.is_some() { "key = " } else { KEY_OF_ANY_WORKFLOW }, key));
    }
    let micros = |range: [Option<Timestamp>; 2]| range.map(|time| time.map(Timestamp::as_micros));
    let (started, ended) = (micros(filter.started), micros(filter.ended));
    let ranges =
        [("started >= ", &started[0]), ("started < ", &started[1]), ("ended >= ", &ended[0]), ("ended < ", &ended[1])];
    for (condition, time) in ranges {
        if let Some(time) = time {
            wanted.push((condition, time));
        }
    }
    if let Some(before) = &filter.before {
        wanted.push(("number < (SELECT number FROM executions WHERE id = ?)", before));
    }
    let mut text = summaries(c)?;
    for (at, (condition, _)) in wanted.iter().enumerate() {
        text.push_str(if at == 0 { " WHERE " } else { " AND " });
        text.push_str(condition);
        if condition.ends_with(' ') {
            text.push('?');
        }
    }
    text.push_str(" ORDER BY number DESC LIMIT ?");
    let limit = if filter.limit == 0 { -1 } else { i64::from(filter.limit) };
    let mut values: Vec<&dyn rusqlite::ToSql> = wanted.into_iter().map(|(_, value)| value).collect();
    values.push(&limit);
    c.prepare_cached(&text)?.query_map(&values[..], read_summary)?.collect()
}

fn read_summary(row: &rusqlite::Row<'_>) -> rusqlite::Result<Summary> {
    let time = |at: usize| row.get::<_, Option<i64>>(at).map(|micros| micros.map(Timestamp::from_micros));
    Ok(Summary {
        number: row.get(0)?,
        id: row.get(1)?,
        workflow: row.get(2)?,
        status: Status::of(row.get(3)?),
        key: row.get(4)?,
        created: Timestamp::from_micros(row.get(5)?),
        due: time(6)?,
        started: time(7)?,
        ended: time(8)?,
        hash: row.get::<_, Option<i64>>(9)?.map(|hash| hash as u64),
        event: row.get::<_, Option<String>>(10)?.zip(row.get(11)?),
    })
}

pub(crate) fn describe(c: &Connection, id: &str) -> rusqlite::Result<Option<Description>> {
    let summary =
        c.prepare_cached(&format!("{} WHERE id = ?1", summaries(c)?))?.query_row([id], read_summary).optional()?;
    let Some(summary) = summary else { return Ok(None) };
    let runs = if has_column(c, "executions", "restarts")? { "restarts, redrives" } else { "0, 0" };
    let text = format!("SELECT start, outcome, deadline, crashes, {runs} FROM executions WHERE number = ?1");
    c.prepare_cached(&text)?.query_row([summary.number], |row| {
        let start: Vec<u8> = row.get(0)?;
        let outcome: Option<Vec<u8>> = row.get(1)?;
        Ok(Some(Description {
            input: codec::Stored::read(&start).map(|stored| stored.input).unwrap_or_default(),
            outcome: outcome.map(|bytes| codec::read_result(&bytes)),
            deadline: row.get::<_, Option<i64>>(2)?.map(Timestamp::from_micros),
            crashes: row.get(3)?,
            correlation: correlation(c, summary.number)?,
            restarts: row.get(4)?,
            redrives: row.get(5)?,
            waiting: waiting(c, summary.number)?,
            parent: parent(c, summary.number)?,
            children: children(c, summary.number)?,
            summary: summary.clone(),
        }))
    })
}

/// Returns the summary and the outcome, if any.
pub(crate) fn outcome(c: &Connection, id: &str) -> rusqlite::Result<Option<(Summary, Option<Outcome>)>> {
    let summary =
        c.prepare_cached(&format!("{} WHERE id = ?1", summaries(c)?))?.query_row([id], read_summary).optional()?;
    let Some(summary) = summary else { return Ok(None) };
    let mut statement = c.prepare_cached("SELECT outcome FROM executions WHERE number = ?1")?;
    let outcome: Option<Vec<u8>> = statement.query_row([summary.number], |row| row.get(0))?;
    Ok(Some((summary, outcome.map(|bytes| codec::read_result(&bytes)))))
}

pub(crate) fn waiting(c: &Connection, number: i64) -> rusqlite::Result<Vec<WaitsAt>> {
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
        Ok(WaitsAt {
            frame: row.get(0)?,
            state: row.get::<_, Option<String>>(1)?.unwrap_or_default(),
            waits_for: match row.get(2)? {
                wait_kind::TIME => WaitsFor::Time,
                wait_kind::TOKEN => WaitsFor::Token(detail),
                wait_kind::BRANCHES => WaitsFor::Branches,
                wait_kind::EVENT => WaitsFor::Event(awaited_events(&detail)),
                wait_kind::CHILD => WaitsFor::Child(detail),
                wait_kind::WRITTEN => WaitsFor::Nothing,
                _ => WaitsFor::Task(detail),
            },
            until,
            deadline: deadline.filter(|_| until.is_some()),
            token: row.get(5)?,
            child: row.get(6)?,
            has_outcome: row.get(8)?,
        })
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
        Ok(Child { id: row.get(0)?, workflow: row.get(1)?, status: Status::of(row.get(2)?), awaited: row.get(3)? })
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
    let number = c.query_row("SELECT number FROM executions WHERE id = ?1", [id], |row| row.get(0)).optional()?;
    let Some(number): Option<i64> = number else { return Ok(None) };
    // A row holds the events of a commit, one a line, and has the number of the first.
    let text = "SELECT number, event FROM history WHERE execution = ?1 AND number >=
                (SELECT coalesce(max(number), 0) FROM history WHERE execution = ?1 AND number <= ?2) ORDER BY number";
    let mut statement = c.prepare_cached(text)?;
    let mut rows = statement.query(params![number, i64::try_from(after).unwrap_or(i64::MAX).saturating_add(1)])?;
    let (mut page, mut left) = (HistoryPage { events: Vec::new(), next: None, last: after }, bytes);
    while let Some(row) = rows.next()? {
        let first: u64 = row.get::<_, i64>(0)? as u64;
        for (event, number) in row.get_ref(1)?.as_str()?.lines().zip(first..).skip_while(|(_, number)| *number <= after)
        {
            // A page has at least one event, however long.
            if page.events.len() == limit || !page.events.is_empty() && event.len() >= left {
                page.next = Some(page.last);
                return Ok(Some(page));
            }
            left = left.saturating_sub(event.len() + 1);
            page.events.push(event.to_owned());
            page.last = number;
        }
    }
    Ok(Some(page))
}
