//! What can be seen of executions in a database, also without the program that they belong to.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension as _, params};
use workflow_runtime::machine::Outcome;
use workflow_runtime::{Timestamp, Value};

use crate::executions::Status;
use crate::parts::waits;
use crate::{Error, codec, schema};

/// A database that is only looked at. The engine that has it is not disturbed.
pub struct View {
    connection: Connection,
    path: std::path::PathBuf,
}

/// What is seen of an execution at a glance.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Summary {
    /// Its id.
    pub id: String,
    /// Its workflow.
    pub workflow: String,
    /// What it does.
    pub status: Status,
    /// The key that it was started with, where there is one.
    pub key: Option<String>,
    /// The source and the id of the event that has started it, where one has.
    pub event: Option<(String, String)>,
    /// When it was asked for.
    pub created: Timestamp,
    /// When it is to start, if not at once.
    pub due: Option<Timestamp>,
    /// When it began.
    pub started: Option<Timestamp>,
    /// When it ended, or was parked.
    pub ended: Option<Timestamp>,
    /// The hash of the definition that it was started with.
    pub hash: Option<u64>,
    number: i64,
}

/// What is seen of an execution.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Description {
    /// What is seen at a glance.
    pub summary: Summary,
    /// What it was started with.
    pub input: Value,
    /// How it ended, or why it was parked.
    pub outcome: Option<Outcome>,
    /// When it is to end if it has not.
    pub deadline: Option<Timestamp>,
    /// What it waits for; of one that failed, what it waited for before.
    pub waiting: Vec<WaitsAt>,
    /// How often a process ended lately while it was under way.
    pub crashes: u32,
    /// The id of the execution that has started it, where one has.
    pub parent: Option<String>,
    /// Executions that it has started, the newest first: those that it waits for, and others, 100 of them at most.
    pub children: Vec<Child>,
}

/// An execution that another one has started.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Child {
    /// Its id.
    pub id: String,
    /// Its workflow.
    pub workflow: String,
    /// What it does.
    pub status: Status,
    /// Whether the one that has started it waits for its end, or did.
    pub awaited: bool,
}

/// A branch of an execution that waits.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct WaitsAt {
    /// The frame, 0 for the top level.
    pub frame: u32,
    /// The state.
    pub state: String,
    /// What it waits for.
    pub waits_for: WaitsFor,
    /// When it goes on, or gives up.
    pub until: Option<Timestamp>,
    /// The token by which an outcome can arrive.
    pub token: Option<String>,
    /// The id of the execution that is waited for.
    pub child: Option<String>,
}

/// What a branch waits for.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum WaitsFor {
    /// A task that is under way, by its key.
    Task(String),
    /// The outcome, by token, of a task that was handed over.
    Token(String),
    /// A time.
    Time,
    /// Branches of its own.
    Branches,
    /// One of these events.
    Event(String),
    /// An execution that it has started, of this workflow; of a part of its own, if that is empty.
    Child(String),
    /// Nothing: it goes on at once.
    Nothing,
}

/// A part of what observers saw of an execution.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HistoryPage {
    /// Lines of JSON, the oldest first.
    pub events: Vec<String>,
    /// The number of the last of them, after which there are more; `None` if there are none so far.
    pub next: Option<u64>,
}

/// Which executions are listed.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Filter {
    /// Only those of this workflow.
    pub workflow: Option<String>,
    /// Only those that do this.
    pub status: Option<Status>,
    /// Only the one that was started with this key, one for each workflow.
    pub key: Option<String>,
    /// At most so many; 0 is any number.
    pub limit: u32,
    /// Only those older than the one of this id.
    pub before: Option<String>,
}

impl Filter {
    /// All.
    pub fn all() -> Filter {
        Filter::default()
    }

    /// Only those of this workflow.
    pub fn workflow(mut self, workflow: impl Into<String>) -> Filter {
        self.workflow = Some(workflow.into());
        self
    }

    /// Only those that do this.
    pub fn status(mut self, status: Status) -> Filter {
        self.status = Some(status);
        self
    }

    /// Only those that were started with this key.
    pub fn key(mut self, key: impl Into<String>) -> Filter {
        self.key = Some(key.into());
        self
    }

    /// At most so many.
    pub fn limit(mut self, limit: u32) -> Filter {
        self.limit = limit;
        self
    }

    /// Only those older than this one.
    pub fn before(mut self, id: impl Into<String>) -> Filter {
        self.before = Some(id.into());
        self
    }
}

impl View {
    /// Looks at a database. It must be one.
    pub fn open(path: impl AsRef<Path>) -> Result<View, Error> {
        let path = path.as_ref().to_owned();
        Ok(View { connection: schema::open_to_read(&path)?, path })
    }

    /// The executions, the newest first.
    pub fn list(&self, filter: &Filter) -> Result<Vec<Summary>, Error> {
        list(&self.connection, filter).map_err(|error| schema::said(&self.path, &error))
    }

    /// One execution.
    pub fn describe(&self, id: &str) -> Result<Description, Error> {
        let found = describe(&self.connection, id).map_err(|error| schema::said(&self.path, &error))?;
        found.ok_or_else(|| Error::UnknownExecution(id.to_owned()))
    }

    /// What an execution waits for. Reads nothing of its documents.
    pub fn waiting(&self, of: &Summary) -> Result<Vec<WaitsAt>, Error> {
        waiting(&self.connection, of.number).map_err(|error| schema::said(&self.path, &error))
    }

    /// What observers saw of one execution: lines of JSON, the oldest first.
    pub fn history(&self, id: &str) -> Result<Vec<String>, Error> {
        Ok(self.page(id, 0, usize::MAX, usize::MAX)?.events)
    }

    /// At most so many events after the one of this number: the first one has the number 1. They are fewer where they have more
    /// than 16 MiB together.
    pub fn history_after(&self, id: &str, after: u64, limit: usize) -> Result<HistoryPage, Error> {
        self.page(id, after, limit, PAGE_BYTES)
    }

    fn page(&self, id: &str, after: u64, limit: usize, bytes: usize) -> Result<HistoryPage, Error> {
        let found =
            history(&self.connection, id, after, limit, bytes).map_err(|error| schema::said(&self.path, &error))?;
        found.ok_or_else(|| Error::UnknownExecution(id.to_owned()))
    }
}

/// Selects what is seen at a glance. A database that is only looked at may be of an older version,
/// which has the events that have started executions among the keys.
fn summaries(c: &Connection) -> rusqlite::Result<String> {
    let text = "SELECT 1 FROM pragma_table_info('executions') WHERE name = 'event_source'";
    let event = if c.prepare_cached(text)?.exists([])? { "event_source, event_id" } else { "NULL, NULL" };
    Ok(format!("SELECT number, id, workflow, status, key, created, due, started, ended, hash, {event} FROM executions"))
}

pub(crate) fn list(c: &Connection, filter: &Filter) -> rusqlite::Result<Vec<Summary>> {
    // Only what is asked for, so that there is an index for it.
    let mut wanted: Vec<(&str, &dyn rusqlite::ToSql)> = Vec::new();
    let status = filter.status.map(|status| status as i64);
    if let Some(workflow) = &filter.workflow {
        wanted.push(("workflow = ", workflow));
    }
    if let Some(status) = &status {
        wanted.push(("status = ", status));
    }
    if let Some(key) = &filter.key {
        wanted.push(("key = ", key));
    }
    if let Some(before) = &filter.before {
        wanted.push(("number < (SELECT number FROM executions WHERE id = ?)", before));
    }
    let mut text = summaries(c)?;
    for (at, (condition, _)) in wanted.iter().enumerate() {
        text.push_str(if at == 0 { " WHERE " } else { " AND " });
        text.push_str(condition);
        if condition.ends_with("= ") {
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
    let text = "SELECT start, outcome, deadline, crashes FROM executions WHERE number = ?1";
    c.prepare_cached(text)?.query_row([summary.number], |row| {
        let start: Vec<u8> = row.get(0)?;
        let outcome: Option<Vec<u8>> = row.get(1)?;
        Ok(Some(Description {
            input: codec::Stored::read(&start).map(|stored| stored.input).unwrap_or_default(),
            outcome: outcome.map(|bytes| codec::read_result(&bytes)),
            deadline: row.get::<_, Option<i64>>(2)?.map(Timestamp::from_micros),
            crashes: row.get(3)?,
            waiting: waiting(c, summary.number)?,
            parent: parent(c, summary.number)?,
            children: children(c, summary.number)?,
            summary: summary.clone(),
        }))
    })
}

/// What is seen of an execution at a glance, and its outcome if it has one.
pub(crate) fn outcome(c: &Connection, id: &str) -> rusqlite::Result<Option<(Summary, Option<Outcome>)>> {
    let summary =
        c.prepare_cached(&format!("{} WHERE id = ?1", summaries(c)?))?.query_row([id], read_summary).optional()?;
    let Some(summary) = summary else { return Ok(None) };
    let mut statement = c.prepare_cached("SELECT outcome FROM executions WHERE number = ?1")?;
    let outcome: Option<Vec<u8>> = statement.query_row([summary.number], |row| row.get(0))?;
    Ok(Some((summary, outcome.map(|bytes| codec::read_result(&bytes)))))
}

pub(crate) fn waiting(c: &Connection, number: i64) -> rusqlite::Result<Vec<WaitsAt>> {
    let child = match has_children(c)? {
        true => {
            "(SELECT e.id FROM children c JOIN executions e ON e.number = c.child
                  WHERE p.waits = 5 AND c.parent = p.execution AND c.op = p.op)"
        }
        false => "NULL",
    };
    let text = format!(
        "SELECT p.a, p.state, p.waits, p.detail, p.wake, p.token, {child} FROM parts p
         WHERE p.execution = ?1 AND p.kind = 2 ORDER BY p.a"
    );
    let mut statement = c.prepare_cached(&text)?;
    let read = |row: &rusqlite::Row<'_>| {
        let detail = row.get::<_, Option<String>>(3)?.unwrap_or_default();
        Ok(WaitsAt {
            frame: row.get(0)?,
            state: row.get::<_, Option<String>>(1)?.unwrap_or_default(),
            waits_for: match row.get(2)? {
                waits::TIME => WaitsFor::Time,
                waits::TOKEN => WaitsFor::Token(detail),
                waits::BRANCHES => WaitsFor::Branches,
                waits::EVENT => WaitsFor::Event(detail),
                waits::CHILD => WaitsFor::Child(detail),
                waits::WRITTEN => WaitsFor::Nothing,
                _ => WaitsFor::Task(detail),
            },
            until: row.get::<_, Option<i64>>(4)?.map(Timestamp::from_micros),
            token: row.get(5)?,
            child: row.get(6)?,
        })
    };
    statement.query_map([number], read)?.collect()
}

/// Whether executions can have started others. A database that is only looked at may be of an older version.
fn has_children(c: &Connection) -> rusqlite::Result<bool> {
    c.prepare_cached("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'children'")?.exists([])
}

fn parent(c: &Connection, number: i64) -> rusqlite::Result<Option<String>> {
    if !has_children(c)? {
        return Ok(None);
    }
    let text = "SELECT e.id FROM children c JOIN executions e ON e.number = c.parent WHERE c.child = ?1";
    c.prepare_cached(text)?.query_row([number], |row| row.get(0)).optional()
}

fn children(c: &Connection, number: i64) -> rusqlite::Result<Vec<Child>> {
    if !has_children(c)? {
        return Ok(Vec::new());
    }
    let text = "SELECT e.id, e.workflow, e.status, c.awaited FROM children c JOIN executions e ON e.number = c.child
                WHERE c.parent = ?1 ORDER BY c.op DESC LIMIT 100";
    let read = |row: &rusqlite::Row<'_>| {
        Ok(Child { id: row.get(0)?, workflow: row.get(1)?, status: Status::of(row.get(2)?), awaited: row.get(3)? })
    };
    c.prepare_cached(text)?.query_map([number], read)?.collect()
}

/// The bytes of a part of a history that ends it.
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
    // A row holds the events of a commit, a line each, and has the number of the first.
    let text = "SELECT number, event FROM history WHERE execution = ?1 AND number >=
                (SELECT coalesce(max(number), 0) FROM history WHERE execution = ?1 AND number <= ?2) ORDER BY number";
    let mut statement = c.prepare_cached(text)?;
    let mut rows = statement.query(params![number, i64::try_from(after).unwrap_or(i64::MAX).saturating_add(1)])?;
    let (mut page, mut last, mut left) = (HistoryPage { events: Vec::new(), next: None }, 0, bytes);
    while let Some(row) = rows.next()? {
        let first: u64 = row.get::<_, i64>(0)? as u64;
        for (event, number) in row.get_ref(1)?.as_str()?.lines().zip(first..).skip_while(|(_, number)| *number <= after)
        {
            if page.events.len() == limit || left == 0 {
                page.next = Some(last);
                return Ok(Some(page));
            }
            left = left.saturating_sub(event.len());
            page.events.push(event.to_owned());
            last = number;
        }
    }
    Ok(Some(page))
}
