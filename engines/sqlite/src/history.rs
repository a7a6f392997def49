//! History of executions: what observers receive, in the tables `history` and `recent_history`.
//!
//! A row of `history` holds consecutive events of an execution, and has the number of the first.
//! The newest events of each execution are collected in `recent_history`, so that the executions
//! of a transaction change few pages.

mod encoding;

use std::sync::{Arc, Mutex, PoisonError};

use encoding::{Names, Segment};
use rusqlite::Error::FromSqlConversionFailure;
use rusqlite::types::{Type, ValueRef};
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use workflow_runtime::engine::HistoryPage;
use workflow_runtime::observe::{Event, HistoryFields, Observer};

/// Size in bytes at which recent events become a row of the history. A longer row of that table
/// takes pages of its own.
const MAX_RECENT: usize = 900;

/// Observer that collects the events of an execution for the next commit.
pub struct Recorder {
    fields: HistoryFields,
    workflow: String,
    execution: String,
    events: Events,
}

impl Recorder {
    /// Creates the recorder of an execution.
    pub fn new(fields: HistoryFields, workflow: &str, execution: &str, events: Events) -> Recorder {
        Recorder { fields, workflow: workflow.to_owned(), execution: execution.to_owned(), events }
    }
}

impl Observer for Recorder {
    fn observe(&mut self, event: &Event<'_>) {
        let own = Names { workflow: &self.workflow, execution: &self.execution };
        let mut segment = self.events.0.lock().unwrap_or_else(PoisonError::into_inner);
        self.fields.visit(event, |key, field| segment.add(key, field, own));
        segment.end_event();
    }
}

/// Events that are not committed yet. A clone is the same buffer.
#[derive(Clone, Default)]
pub struct Events(Arc<Mutex<Segment>>);

impl Events {
    fn take(&self) -> Segment {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Newest events of an execution, which are not in the table `history` yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Recent {
    /// Number of the first event.
    first: i64,
    /// Number of the next event.
    next: i64,
    /// Segments of events, each of a commit.
    segments: Vec<u8>,
}

impl Default for Recent {
    fn default() -> Recent {
        Recent { first: 1, next: 1, segments: Vec::new() }
    }
}

/// Part of a commit that concerns the history.
#[derive(Debug, PartialEq)]
pub enum Change {
    /// Nothing has happened.
    None,
    /// Recent events, with the number of the first.
    Recent(i64, Vec<u8>),
    /// Events that leave the recent ones, with the number of the first; the oldest event to keep,
    /// if earlier ones are to be removed; set if none are recent any more.
    Row { first: i64, segments: Vec<u8>, keep_from: Option<i64>, is_last: bool },
}

impl Recent {
    /// Takes the events of a commit. `kept` is the limit of events for one execution; `ends` is
    /// set if the execution ends.
    pub fn commit(&mut self, events: &Events, kept: i64, ends: bool) -> Change {
        let before = self.segments.len();
        let added = events.take().append_to(&mut self.segments);
        self.next += added as i64;
        // Removes many events at once, so that not every commit has to.
        let chunk = (kept / 16).max(1);
        let is_full = self.segments.len() > MAX_RECENT || self.next - self.first >= chunk;
        if self.segments.is_empty() || added == 0 && !ends {
            return Change::None;
        }
        if !ends && !is_full {
            debug_assert!(self.segments.len() > before);
            return Change::Recent(self.first, self.segments.clone());
        }
        let (first, last) = (self.first, self.next - 1);
        self.first = self.next;
        let removed = last / chunk * chunk + chunk - 1 - kept;
        let keep_from = (removed > 0 && last / chunk > (first - 1) / chunk).then_some(removed + 1);
        Change::Row { first, segments: std::mem::take(&mut self.segments), keep_from, is_last: ends }
    }
}

/// Writes the change of a commit.
pub fn write(c: &Connection, execution: i64, change: &Change) -> rusqlite::Result<()> {
    match change {
        Change::None => Ok(()),
        Change::Recent(first, segments) => {
            let text = "INSERT OR REPLACE INTO recent_history (execution, number, events) VALUES (?1, ?2, ?3)";
            c.prepare_cached(text)?.execute(params![execution, first, segments]).map(drop)
        }
        Change::Row { first, segments, keep_from, is_last } => {
            let text = "INSERT INTO history (execution, number, event) VALUES (?1, ?2, ?3)";
            c.prepare_cached(text)?.execute(params![execution, first, segments])?;
            if let Some(keep_from) = keep_from {
                // A row can be removed when the next row begins at or before the first event to
                // keep.
                let text = "DELETE FROM history WHERE execution = ?1 AND number <
                            (SELECT max(number) FROM history WHERE execution = ?1 AND number <= ?2)";
                c.prepare_cached(text)?.execute(params![execution, keep_from])?;
            }
            if *is_last {
                remove_recent(c, execution)?;
            }
            Ok(())
        }
    }
}

/// Removes the history of an execution.
pub fn remove(c: &Connection, execution: i64) -> rusqlite::Result<()> {
    c.prepare_cached("DELETE FROM history WHERE execution = ?1")?.execute([execution])?;
    remove_recent(c, execution)
}

fn remove_recent(c: &Connection, execution: i64) -> rusqlite::Result<()> {
    c.prepare_cached("DELETE FROM recent_history WHERE execution = ?1")?.execute([execution]).map(drop)
}

/// Condition on `recent_history`: its events have not become a row of the history. A row that they
/// have become keeps their number.
macro_rules! is_recent {
    () => {
        "execution = ?1 AND number > coalesce((SELECT max(number) FROM history WHERE execution = ?1), 0)"
    };
}

/// Reads the recent events of an execution, to continue them.
pub fn recent(c: &Connection, execution: i64) -> rusqlite::Result<Recent> {
    let text = concat!("SELECT number, events FROM recent_history WHERE ", is_recent!());
    let read = |row: &Row<'_>| {
        let (first, segments): (i64, Vec<u8>) = (row.get(0)?, row.get(1)?);
        Ok(Recent { first, next: first + count(ValueRef::Blob(&segments))?, segments })
    };
    if let Some(recent) = c.prepare_cached(text)?.query_row([execution], read).optional()? {
        return Ok(recent);
    }
    let text = "SELECT number, event FROM history WHERE execution = ?1 ORDER BY number DESC LIMIT 1";
    let read = |row: &Row<'_>| Ok(row.get::<_, i64>(0)? + count(row.get_ref(1)?)?);
    let next = c.prepare_cached(text)?.query_row([execution], read).optional()?.unwrap_or(1);
    Ok(Recent { first: next, next, segments: Vec::new() })
}

/// Returns a page of the history of an execution: at most `limit` events, and as many bytes, after
/// the event of a number.
pub fn page(
    c: &Connection,
    execution: i64,
    after: u64,
    limit: usize,
    bytes: usize,
    has_recent: bool,
) -> rusqlite::Result<HistoryPage> {
    let names = "SELECT workflow, id FROM executions WHERE number = ?1";
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let (workflow, id): (String, String) = c.prepare_cached(names)?.query_row([execution], read)?;
    let own = Names { workflow: &workflow, execution: &id };
    // One statement, so that events are not overlooked that become a row meanwhile.
    let text = concat!(
        "SELECT number, event FROM history WHERE execution = ?1 AND number >=
            (SELECT coalesce(max(number), 0) FROM history WHERE execution = ?1 AND number <= ?2)
         UNION ALL SELECT number, events FROM recent_history WHERE ",
        is_recent!(),
        " ORDER BY 1"
    );
    // A view may read a database of an older schema.
    let old = "SELECT number, event FROM history WHERE execution = ?1 AND number >=
               (SELECT coalesce(max(number), 0) FROM history WHERE execution = ?1 AND number <= ?2) ORDER BY 1";
    let mut statement = c.prepare_cached(if has_recent { text } else { old })?;
    let first = i64::try_from(after).unwrap_or(i64::MAX).saturating_add(1);
    let mut rows = statement.query(params![execution, first])?;
    let (mut page, mut left) = (HistoryPage::after(after), bytes);
    while let Some(row) = rows.next()? {
        let first = row.get::<_, i64>(0)? as u64;
        for (event, number) in lines(row.get_ref(1)?, own)?.into_iter().zip(first..) {
            if number <= after {
                continue;
            }
            // A page has at least one event, however long.
            if page.events.len() == limit || !page.events.is_empty() && event.len() >= left {
                page.next = Some(page.last);
                return Ok(page);
            }
            left = left.saturating_sub(event.len() + 1);
            page.events.push(event);
            page.last = number;
        }
    }
    Ok(page)
}

/// Returns the number of events in a column. Until version 10, it had lines of JSON.
fn count(events: ValueRef<'_>) -> rusqlite::Result<i64> {
    match events {
        ValueRef::Blob(segments) => encoding::count(segments).map(|count| count as i64).map_err(damaged),
        text => Ok(text.as_str()?.lines().count() as i64),
    }
}

/// Returns the events in a column as lines of JSON.
fn lines(events: ValueRef<'_>, own: Names<'_>) -> rusqlite::Result<Vec<String>> {
    match events {
        ValueRef::Blob(segments) => encoding::lines(segments, own).map_err(damaged),
        text => Ok(text.as_str()?.lines().map(str::to_owned).collect()),
    }
}

fn damaged(error: workflow_runtime::value::codec::LoadError) -> rusqlite::Error {
    FromSqlConversionFailure(1, Type::Blob, Box::new(error))
}

#[cfg(test)]
mod tests {
    use workflow_runtime::observe::HistoryField;
    use workflow_runtime::{Timestamp, Value};

    use super::*;
    use crate::schema;

    const OWN: Names<'static> = Names { workflow: "order", execution: "one" };

    fn database() -> Connection {
        let c = schema::in_memory();
        let rows = "INSERT INTO executions (number, id, workflow, request_hash, status, created, start)
                    VALUES (1, 'one', 'order', 0, 1, 0, X''), (2, 'two', 'order', 0, 1, 0, X'');";
        c.execute_batch(rows).expect("rows");
        c
    }

    /// Commits events with these numbers.
    fn commit(c: &Connection, recent: &mut Recent, numbers: std::ops::Range<i64>, kept: i64, ends: bool) {
        let events = Events::default();
        for number in numbers {
            let mut segment = events.0.lock().expect("a segment");
            segment.add("time", HistoryField::Time(Timestamp::from_micros(number)), OWN);
            segment.add("event", HistoryField::Value(Value::from(number)), OWN);
            segment.end_event();
        }
        write(c, 1, &recent.commit(&events, kept, ends)).expect("it is written");
    }

    /// Returns the events of a page, by their numbers.
    fn numbers(c: &Connection, after: u64, limit: usize) -> (Vec<i64>, Option<u64>) {
        let page = page(c, 1, after, limit, usize::MAX, true).expect("a page");
        let number = |line: &String| Value::from_json(line).ok().and_then(|line| line.get("event")?.as_i64());
        (page.events.iter().map(|line| number(line).expect("a number")).collect(), page.next)
    }

    #[test]
    fn events_are_read_in_order_whether_they_are_recent_or_not() {
        let c = database();
        let mut recent = Recent::default();
        let mut first = 1;
        for step in 0..200 {
            let events = step % 5 + 1;
            commit(&c, &mut recent, first..first + events, 1 << 40, step == 199);
            first += events;
            assert_eq!(numbers(&c, 0, usize::MAX), ((1..first).collect(), None), "{step}");
            assert_eq!(numbers(&c, (first - 2) as u64, 5).0, [first - 1]);
            // A restart continues them.
            assert_eq!(super::recent(&c, 1), Ok(recent.clone()));
        }
        assert_eq!(numbers(&c, 3, 4), (vec![4, 5, 6, 7], Some(7)));
        let rows = |table| c.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get::<_, i64>(0));
        assert_eq!(rows("recent_history"), Ok(0));
        assert!(rows("history").is_ok_and(|rows| (2..40).contains(&rows)));
        assert_eq!(page(&c, 2, 0, 9, 9, true).expect("a page").events, Vec::<String>::new());
        remove(&c, 1).expect("it is removed");
        assert_eq!(numbers(&c, 0, 9), (Vec::new(), None));
    }

    #[test]
    fn the_oldest_events_are_removed() {
        for kept in [1, 2, 16, 100, 250] {
            let c = database();
            let mut recent = Recent::default();
            for number in 1..1_000 {
                commit(&c, &mut recent, number..number + 1, kept, false);
                let found = numbers(&c, 0, usize::MAX).0;
                let least = kept.min(number) - (kept / 16).max(1).min(kept - 1);
                assert_eq!(found.last(), Some(&number));
                assert!((least..=kept + 2 * (kept / 16).max(1)).contains(&(found.len() as i64)), "{kept} {number}");
            }
        }
    }
}
