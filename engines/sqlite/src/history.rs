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
    events: Events,
}

impl Recorder {
    /// Creates the recorder of an execution.
    pub fn new(fields: HistoryFields, events: Events) -> Recorder {
        Recorder { fields, events }
    }
}

impl Observer for Recorder {
    fn observe(&mut self, event: &Event<'_>) {
        let own = Names { workflow: event.workflow, execution: event.execution };
        let mut segment = self.events.0.lock().unwrap_or_else(PoisonError::into_inner);
        self.fields.visit(event, |key, field| segment.add(key, field, own));
        segment.end_event();
    }
}

/// Events that are not committed yet. A clone is the same buffer.
#[derive(Clone, Default)]
pub struct Events(Arc<Mutex<Segment>>);

impl Events {
    /// Takes the events for a commit.
    pub fn take(&self) -> Added {
        let segment = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let mut bytes = Vec::new();
        let events = segment.append_to(&mut bytes);
        Added { segment: bytes, events: events as i64 }
    }
}

/// Events of a commit.
#[derive(Debug)]
pub struct Added {
    segment: Vec<u8>,
    events: i64,
}

/// Newest events of an execution, which are not in the table `history` yet. They are not kept in
/// memory: an execution may wait for years.
#[derive(Debug, Clone, PartialEq)]
struct Recent {
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
enum Change {
    /// Nothing has happened.
    None,
    /// Recent events, with the number of the first.
    Recent(i64, Vec<u8>),
    /// Events that leave the recent ones, with the number of the first; the oldest event to keep,
    /// if earlier ones are to be removed; set if none are recent any more.
    Row { first: i64, segments: Vec<u8>, keep_from: Option<i64>, is_last: bool },
}

impl Recent {
    /// Adds the events of a commit. `kept` is the limit of events for one execution; `ends` is set
    /// if the execution ends.
    fn add(mut self, added: &Added, kept: i64, ends: bool) -> Change {
        self.segments.extend_from_slice(&added.segment);
        self.next += added.events;
        // Removes many events at once, so that not every commit has to.
        let chunk = (kept / 16).max(1);
        let is_full = self.segments.len() > MAX_RECENT || self.next - self.first >= chunk;
        if self.segments.is_empty() {
            return Change::None;
        }
        if !ends && !is_full {
            return Change::Recent(self.first, self.segments);
        }
        let (first, last) = (self.first, self.next - 1);
        let removed = last / chunk * chunk + chunk - 1 - kept;
        let keep_from = (removed > 0 && last / chunk > (first - 1) / chunk).then_some(removed + 1);
        Change::Row { first, segments: self.segments, keep_from, is_last: ends }
    }
}

/// Adds the events of a commit to the history of an execution. Their numbers are found in the
/// transaction: an execution and its detached children add to one history. `kept` is the limit of
/// events for one execution; `ends` is set if the execution ends.
pub fn add(c: &Connection, execution: i64, added: &Added, kept: i64, ends: bool) -> rusqlite::Result<()> {
    if added.events == 0 && !ends {
        return Ok(());
    }
    let (recent, _) = recent(c, execution)?;
    write(c, execution, &recent.add(added, kept, ends))
}

/// Writes the change of a commit.
fn write(c: &Connection, execution: i64, change: &Change) -> rusqlite::Result<()> {
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

/// Query for the row of recent events of an execution.
const NEWEST_RECENT: &str = concat!("SELECT number, events FROM recent_history WHERE ", is_recent!());

/// Query for the newest row of the history of an execution.
const NEWEST: &str = "SELECT number, event FROM history WHERE execution = ?1 ORDER BY number DESC LIMIT 1";

/// Largest number of an event that is believed.
const MAX_NUMBER: i64 = 1 << 62;

/// Returns the damage of the newest row of a history, if it has some.
///
/// # Errors
///
/// Returns an error if no events can be added behind it.
pub fn damage_of_newest(c: &Connection, execution: i64) -> rusqlite::Result<Option<String>> {
    Ok(recent(c, execution)?.1)
}

/// Reads the recent events of an execution, to continue them. Also returns the damage of the
/// newest row, if it has some. New events begin behind it then, and replace it if it is a row of
/// recent events.
fn recent(c: &Connection, execution: i64) -> rusqlite::Result<(Recent, Option<String>)> {
    let read = |row: &Row<'_>| newest(c, execution, row, true);
    if let Some(found) = c.prepare_cached(NEWEST_RECENT)?.query_row([execution], read).optional()? {
        return Ok(found);
    }
    let found = c.prepare_cached(NEWEST)?.query_row([execution], |row| newest(c, execution, row, false)).optional()?;
    Ok(found.unwrap_or_default())
}

/// Reads the newest row of an execution, and whether it is damaged.
fn newest(
    c: &Connection,
    execution: i64,
    row: &Row<'_>,
    is_recent: bool,
) -> rusqlite::Result<(Recent, Option<String>)> {
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
            let text = "SELECT id FROM executions WHERE number = ?1";
            let id: String = c.query_row(text, [execution], |row| row.get(0))?;
            let problem = damage(&id, first, problem);
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
    fn commit(c: &Connection, numbers: std::ops::Range<i64>, kept: i64, ends: bool) {
        let events = Events::default();
        for number in numbers {
            let mut segment = events.0.lock().expect("a segment");
            segment.add("time", HistoryField::Time(Timestamp::from_micros(number)), OWN);
            segment.add("event", HistoryField::Data(Value::from(number)), OWN);
            segment.end_event();
        }
        add(c, 1, &events.take(), kept, ends).expect("it is written");
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
        let mut first = 1;
        for step in 0..200 {
            let events = step % 5 + 1;
            commit(&c, first..first + events, 1 << 40, step == 199);
            first += events;
            assert_eq!(numbers(&c, 0, usize::MAX), ((1..first).collect(), None), "{step}");
            assert_eq!(numbers(&c, (first - 2) as u64, 5).0, [first - 1]);
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
    fn events_are_added_behind_lines_of_version_10() {
        let rows = "INSERT INTO executions (number, id, workflow, request_hash, status, created, start)
                    VALUES (1, 'one', 'order', 0, 1, 0, X'');
                    INSERT INTO history VALUES (1, 1, '{\"event\":1}' || char(10) || '{\"event\":2}');";
        let c = schema::migrated(10, rows);
        assert_eq!(damage_of_newest(&c, 1), Ok(None));
        assert_eq!(recent(&c, 1), Ok((Recent { first: 3, next: 3, segments: Vec::new() }, None)));
        commit(&c, 3..5, 1 << 40, false);
        for (after, limit, expected) in [
            (0, 9, (vec![1, 2, 3, 4], None)),
            (0, 1, (vec![1], Some(1))),
            (1, 2, (vec![2, 3], Some(3))),
            (3, 9, (vec![4], None)),
        ] {
            assert_eq!(numbers(&c, after, limit), expected, "{after}");
        }
        // They become a row of their own.
        commit(&c, 5..6, 1 << 40, true);
        assert_eq!(numbers(&c, 0, 9), (vec![1, 2, 3, 4, 5], None));
        let rows: i64 = c.query_row("SELECT sum(number) FROM history", [], |row| row.get(0)).expect("rows");
        assert_eq!(rows, 1 + 3);
    }

    #[test]
    fn events_of_several_writers_have_numbers_in_the_order_of_their_transactions() {
        let c = database();
        for number in 1..500 {
            // Taken before another writer commits.
            let events = Events::default();
            events.0.lock().expect("a segment").add("event", HistoryField::Data(Value::from(2 * number)), OWN);
            events.0.lock().expect("a segment").end_event();
            let added = events.take();
            commit(&c, 2 * number - 1..2 * number, 1 << 40, false);
            add(&c, 1, &added, 1 << 40, false).expect("it is written");
        }
        assert_eq!(numbers(&c, 0, usize::MAX), ((1..999).collect(), None));
    }

    #[test]
    fn a_hostile_row_ends_with_an_error_in_bounded_time() {
        let c = database();
        // Each array has the one before twice.
        let mut value = Value::from("text");
        for _ in 0..60 {
            value = Value::from_iter([value.clone(), value]);
        }
        let mut segment = Segment::default();
        segment.add("event", HistoryField::Data(value), OWN);
        segment.end_event();
        let mut bytes = Vec::new();
        assert_eq!(segment.append_to(&mut bytes), 1);
        assert!(bytes.len() < 10_000);
        c.execute("INSERT INTO recent_history VALUES (1, 1, ?1)", [bytes]).expect("a row");
        let began = std::time::Instant::now();
        assert!(page(&c, 1, OWN, 0, 1, usize::MAX, true).is_err());
        assert!(began.elapsed() < std::time::Duration::from_secs(60));
        // The execution continues.
        commit(&c, 2..3, 1 << 40, true);
        assert_eq!(numbers(&c, 1, 9), (vec![2], None));
    }

    #[test]
    fn the_oldest_events_are_removed() {
        for kept in [1, 2, 16, 100, 250] {
            let c = database();
            for number in 1..1_000 {
                commit(&c, number..number + 1, kept, false);
                let found = numbers(&c, 0, usize::MAX).0;
                let least = kept.min(number) - (kept / 16).max(1).min(kept - 1);
                assert_eq!(found.last(), Some(&number));
                assert!((least..=kept + 2 * (kept / 16).max(1)).contains(&(found.len() as i64)), "{kept} {number}");
            }
        }
    }

    #[test]
    fn the_newest_row_is_found_by_statements_that_are_planned_once() {
        let c = schema::in_memory();
        for execution in 1..10 {
            recent(&c, execution).expect("no row");
        }
        for text in [NEWEST_RECENT, NEWEST] {
            let statement = c.prepare_cached(text).expect("a statement");
            assert_eq!(statement.get_status(rusqlite::StatementStatus::Run), 9, "{text}");
            assert_eq!(statement.get_status(rusqlite::StatementStatus::RePrepare), 0, "{text}");
        }
    }
}
