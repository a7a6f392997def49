//! History of executions: what observers receive, in the tables `history` and `recent_history`.
//!
//! A row of `history` holds consecutive events of an execution, and has the number of the first.
//! The newest events of each execution are collected in `recent_history`, so that the executions
//! of a transaction change few pages.

mod encoding;

use std::sync::{Arc, Mutex, PoisonError};

pub use encoding::Names;
use encoding::Segment;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use workflow_runtime::Value;
use workflow_runtime::engine::HistoryPage;
use workflow_runtime::observe::{Event, HistoryFields, Observer};
use workflow_runtime::value::{TEXT_LIMIT, TooLarge};

use crate::error::damaged;

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
        let added = events.take().append_to(&mut self.segments);
        self.next += added as i64;
        // Removes many events at once, so that not every commit has to.
        let chunk = (kept / 16).max(1);
        let is_full = self.segments.len() > MAX_RECENT || self.next - self.first >= chunk;
        if self.segments.is_empty() || added == 0 && !ends {
            return Change::None;
        }
        if !ends && !is_full {
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

/// Condition on `recent_history`: its events are not in `history` yet. A row that was copied there
/// has the same number in both tables.
macro_rules! is_recent {
    () => {
        "execution = ?1 AND number > coalesce((SELECT max(number) FROM history WHERE execution = ?1), 0)"
    };
}

/// Largest number of an event that is believed.
const MAX_NUMBER: i64 = 1 << 62;

/// Reads the recent events of the execution of this number and id, to continue them. Also returns
/// the damage of the newest row, if it has some. New events begin behind it then, and replace it
/// if it is a row of recent events.
pub fn recent(c: &Connection, execution: i64, id: &str) -> rusqlite::Result<(Recent, Option<String>)> {
    let text = concat!("SELECT number, events FROM recent_history WHERE ", is_recent!());
    if let Some(found) = c.prepare_cached(text)?.query_row([execution], |row| newest(row, id, true)).optional()? {
        return Ok(found);
    }
    let text = "SELECT number, event FROM history WHERE execution = ?1 ORDER BY number DESC LIMIT 1";
    let found = c.prepare_cached(text)?.query_row([execution], |row| newest(row, id, false)).optional()?;
    Ok(found.unwrap_or_default())
}

/// Reads the newest row of an execution, and whether it is damaged.
fn newest(row: &Row<'_>, id: &str, is_recent: bool) -> rusqlite::Result<(Recent, Option<String>)> {
    let (first, events): (i64, _) = (row.get(0)?, row.get_ref(1)?);
    let behind = |events: u64| first.checked_add_unsigned(events).filter(|next| (1..=MAX_NUMBER).contains(next));
    let segments = |next| match events {
        ValueRef::Blob(segments) if is_recent => Recent { first, next, segments: segments.to_vec() },
        _ => Recent { first: next, next, segments: Vec::new() },
    };
    let counted = match first {
        ..1 => Err(WRONG_NUMBER.to_owned()),
        _ => count(events).and_then(|events| behind(events).ok_or_else(|| WRONG_NUMBER.to_owned())),
    };
    match counted {
        Ok(next) => Ok((segments(next), None)),
        Err(problem) => {
            let problem = damage(id, first, problem);
            // An event has at least one byte: no number is used twice.
            let bytes = events.as_bytes_or_null().ok().flatten().map_or(0, <[u8]>::len) as u64;
            match behind(bytes.max(1)) {
                Some(next) => Ok((Recent { first: next, next, segments: Vec::new() }, Some(problem))),
                None => Err(damaged(problem)),
            }
        }
    }
}

/// Returns a page of the history of an execution: at most `limit` events, and as many bytes, after
/// the event of a number.
pub fn page(
    c: &Connection,
    execution: i64,
    own: Names<'_>,
    after: u64,
    limit: usize,
    bytes: usize,
    has_recent: bool,
) -> rusqlite::Result<HistoryPage> {
    // One statement: events that move from one table to the other meanwhile are not missed.
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
        let first: i64 = row.get(0)?;
        let of = |number: i64, problem: String| damaged(damage(own.execution, number, problem));
        if !(1..=MAX_NUMBER).contains(&first) {
            return Err(of(first, WRONG_NUMBER.to_owned()));
        }
        let lines = lines(row.get_ref(1)?, own).map_err(|problem| of(first, problem))?;
        // A row has fewer events than bytes: the numbers do not overflow.
        for (line, number) in lines.zip(first..) {
            let line = line.map_err(|problem| of(number, problem))?;
            if number as u64 <= after {
                continue;
            }
            if page.events.len() == limit {
                page.next = Some(page.last);
                return Ok(page);
            }
            // A page has at least one event, however long.
            let most =
                if page.events.is_empty() { TEXT_LIMIT } else { TEXT_LIMIT.min((left as u64).saturating_sub(1)) };
            let event = match line.into_json(most) {
                Ok(event) if page.events.is_empty() || event.len() < left => event,
                Err(error) if most == TEXT_LIMIT => return Err(of(number, error.to_string())),
                _ => {
                    page.next = Some(page.last);
                    return Ok(page);
                }
            };
            left = left.saturating_sub(event.len() + 1);
            page.events.push(event);
            page.last = number as u64;
        }
    }
    Ok(page)
}

/// Event as it is stored.
enum Line<'a> {
    Event(Value),
    Text(&'a str),
}

impl Line<'_> {
    /// Returns the event as JSON of at most this many bytes. A text is as long as it is stored.
    fn into_json(self, limit: u64) -> Result<String, TooLarge> {
        match self {
            Line::Event(event) => event.to_json(limit),
            Line::Text(text) => Ok(text.to_owned()),
        }
    }
}

/// Returns the number of events in a column. Until version 10, it had lines of JSON.
fn count(events: ValueRef<'_>) -> Result<u64, String> {
    match events {
        ValueRef::Blob(segments) => encoding::count(segments).map_err(|error| error.to_string()),
        text => Ok(text.as_str().map_err(|error| error.to_string())?.lines().count() as u64),
    }
}

/// Returns the events in a column.
fn lines<'a>(
    events: ValueRef<'a>,
    own: Names<'a>,
) -> Result<Box<dyn Iterator<Item = Result<Line<'a>, String>> + 'a>, String> {
    match events {
        ValueRef::Blob(segments) => Ok(Box::new(
            encoding::events(segments, own).map(|event| event.map(Line::Event).map_err(|error| error.to_string())),
        )),
        text => {
            let text = text.as_str().map_err(|error| error.to_string())?;
            Ok(Box::new(text.lines().map(|line| Ok(Line::Text(line)))))
        }
    }
}

const WRONG_NUMBER: &str = "the number of the event is wrong";

fn damage(id: &str, number: i64, problem: String) -> String {
    format!("the history of the execution `{id}` is damaged from event {number} on: {problem}")
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
            segment.add("event", HistoryField::Data(Value::from(number)), OWN);
            segment.end_event();
        }
        write(c, 1, &recent.commit(&events, kept, ends)).expect("it is written");
    }

    /// Returns the events of a page, by their numbers.
    fn numbers(c: &Connection, after: u64, limit: usize) -> (Vec<i64>, Option<u64>) {
        let page = page(c, 1, OWN, after, limit, usize::MAX, true).expect("a page");
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
            assert_eq!(super::recent(&c, 1, "one"), Ok((recent.clone(), None)));
        }
        assert_eq!(numbers(&c, 3, 4), (vec![4, 5, 6, 7], Some(7)));
        let rows = |table| c.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get::<_, i64>(0));
        assert_eq!(rows("recent_history"), Ok(0));
        assert!(rows("history").is_ok_and(|rows| (2..40).contains(&rows)));
        assert_eq!(page(&c, 2, OWN, 0, 9, 9, true).expect("a page").events, Vec::<String>::new());
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
