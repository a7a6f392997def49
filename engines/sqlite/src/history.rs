//! History of executions: what observers receive, in the tables `history` and `recent_events`.
//!
//! A row of `history` holds consecutive events of an execution, and has the number of the first.
//! The newest events of all executions are in `recent_events`, a log, so that a transaction
//! changes few pages. When enough events of an execution are there, they become a row of
//! `history`. Damage harms only the execution that it belongs to: it is reported, and the events
//! that are left keep their numbers.

mod encoding;
#[macro_use]
mod recent;

use std::sync::{Arc, Mutex, PoisonError};

pub use encoding::Names;
use encoding::Segment;
pub use recent::Newest;
use recent::{Found, Header, List};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, params};
use workflow_runtime::Value;
use workflow_runtime::engine::HistoryPage;
use workflow_runtime::observe::{Event, HistoryFields, Observer};
use workflow_runtime::value::{TEXT_LIMIT, TooLarge};

use crate::error::damaged;

/// Size in bytes at which recent events become a row of the history. The row fills two pages of
/// its own and a part of another. Rows of one page would change almost as many pages.
const MAX_RECENT: i64 = 8_200;

/// Least size of a commit's events. It limits the number of commits in one row.
const MIN_SIZE: i64 = 64;

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
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let segment = std::mem::take(&mut *lock());
        let mut bytes = Vec::new();
        let events = segment.append_to(&mut bytes);
        // The next commit often has as many events.
        lock().expect_size(bytes.len());
        Added { segment: bytes, events: events as i64 }
    }
}

/// Events of a commit.
#[derive(Debug)]
pub struct Added {
    segment: Vec<u8>,
    events: i64,
}

/// Result of adding to a history.
pub struct Continued {
    /// Where the history continues, if new events are recent.
    pub newest: Option<Newest>,
    /// Damage of recent events that was found.
    pub damage: Option<String>,
}

/// Adds the events of a commit to the history of an execution. Their numbers are found in the
/// transaction: an execution and its detached children add to one history. `known` is where the
/// history continued after the last commit of the execution. `kept` is the limit of events for one
/// execution; `ends` is set if the execution ends: its list is empty then.
pub fn add(
    c: &Connection,
    execution: i64,
    added: &Added,
    known: Option<&Newest>,
    kept: i64,
    ends: bool,
) -> rusqlite::Result<Continued> {
    if added.events == 0 && !ends {
        return Ok(Continued { newest: known.cloned(), damage: None });
    }
    if let Some(known) = known.filter(|known| !ends && known.list.is_some())
        && let Some(newest) = add_recent(c, execution, added, known, kept)?
    {
        return Ok(Continued { newest: Some(newest), damage: None });
    }
    let Found { mut newest, is_list_damaged, damage } = recent::newest(c, execution)?;
    // The damage of an older row was reported when the execution was loaded.
    let mut damage = damage.filter(|_| is_list_damaged);
    if is_list_damaged {
        newest = recent::give_up(c, execution)?;
    }
    if !ends && let Some(newest) = add_recent(c, execution, added, &newest, kept)? {
        return Ok(Continued { newest: Some(newest), damage });
    }
    let row = add_row(c, execution, newest, &added.segment)?;
    damage = damage.or(row.damage);
    if let Some(number) = oldest_to_keep(row.first, row.next + added.events - 1, kept) {
        remove_before(c, execution, number)?;
    }
    Ok(Continued { newest: None, damage })
}

/// Adds events to the recent ones. Returns `None` if they have to become a row of `history`, or if
/// the history does not continue at `newest`.
fn add_recent(
    c: &Connection,
    execution: i64,
    added: &Added,
    newest: &Newest,
    kept: i64,
) -> rusqlite::Result<Option<Newest>> {
    let list = List::with(newest, (added.segment.len() as i64).max(MIN_SIZE));
    let is_full = list.size > MAX_RECENT || newest.next + added.events - list.first >= chunk(kept);
    match newest.can_point && !is_full {
        true => recent::append(c, execution, newest, list, added),
        false => Ok(None),
    }
}

/// Returns the number of events that are removed at once, so that not every commit has to remove
/// some.
fn chunk(kept: i64) -> i64 {
    (kept / 16).max(1)
}

/// Moves the recent events of an execution to the table `history`. Returns their damage, if there
/// is some.
pub fn settle(c: &Connection, execution: i64) -> rusqlite::Result<Option<String>> {
    match recent::header(c, execution)? {
        Header::Missing | Header::Empty => Ok(None),
        Header::List(newest) => Ok(add_row(c, execution, newest, &[])?.damage),
        Header::Damaged(_) => {
            let damage = recent::newest(c, execution)?.damage;
            recent::give_up(c, execution)?;
            Ok(damage)
        }
    }
}

/// Row of `history` that was added.
struct AddedRow {
    /// Number of its first event, and of the first event that was not recent.
    first: i64,
    next: i64,
    /// Damage of the recent events.
    damage: Option<String>,
}

/// Adds a row to the table `history`: the recent events, and these.
fn add_row(c: &Connection, execution: i64, newest: Newest, segments: &[u8]) -> rusqlite::Result<AddedRow> {
    let Some(list) = &newest.list else {
        insert_row(c, execution, newest.next, segments)?;
        return Ok(AddedRow { first: newest.next, next: newest.next, damage: None });
    };
    if let Some(rows) = recent::read(c, execution, &newest, list)?
        && insert_row(c, execution, list.first, &[&rows.segments[..], segments].concat())?
    {
        recent::clear(c, execution, &rows)?;
        return Ok(AddedRow { first: list.first, next: newest.next, damage: None });
    }
    let damage = recent::damage_of_list(c, execution, list.first, recent::MISSING.to_owned())?;
    let Newest { next, .. } = recent::give_up(c, execution)?;
    insert_row(c, execution, next, segments)?;
    Ok(AddedRow { first: next, next, damage: Some(damage) })
}

/// Inserts a row into the table `history`, unless it is empty. Returns `false` if there is a row
/// with its number.
fn insert_row(c: &Connection, execution: i64, first: i64, segments: &[u8]) -> rusqlite::Result<bool> {
    let text = "INSERT INTO history (execution, number, event) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
    Ok(segments.is_empty() || c.prepare_cached(text)?.execute(params![execution, first, segments])? > 0)
}

/// Returns the oldest event to keep, if earlier ones are to be removed now that the events from
/// `first` to `last` have become a row.
fn oldest_to_keep(first: i64, last: i64, kept: i64) -> Option<i64> {
    let chunk = chunk(kept);
    let removed = last / chunk * chunk + chunk - 1 - kept;
    (removed > 0 && last / chunk > (first - 1) / chunk).then_some(removed + 1)
}

/// Removes the rows before the one with this event. A row can be removed when the next row begins
/// at or before the first event to keep.
fn remove_before(c: &Connection, execution: i64, number: i64) -> rusqlite::Result<()> {
    let text = "DELETE FROM history WHERE execution = ?1 AND number <
                (SELECT max(number) FROM history WHERE execution = ?1 AND number <= ?2)";
    c.prepare_cached(text)?.execute(params![execution, number]).map(drop)
}

/// Removes the history of an execution, but for its rows in the log: [`remove_purged`] removes
/// them.
pub fn remove(c: &Connection, execution: i64) -> rusqlite::Result<()> {
    c.prepare_cached("DELETE FROM history WHERE execution = ?1")?.execute([execution])?;
    recent::remove(c, execution)
}

/// Removes from the log what it still has of removed executions and histories.
pub fn remove_purged(c: &Connection) -> rusqlite::Result<()> {
    recent::remove_purged(c)
}

/// Condition on `history`: from the row on that has event ?2 of execution ?1.
macro_rules! from_event {
    () => {
        "execution = ?1 AND number >=
            (SELECT coalesce(max(number), 0) FROM history WHERE execution = ?1 AND number <= ?2)"
    };
}

/// Largest number of an event that is believed.
const MAX_NUMBER: i64 = 1 << 62;

/// Returns the damage of the newest events of an execution, if there is some.
///
/// # Errors
///
/// Returns an error if no events can be added behind them.
pub fn damage_of_newest(c: &Connection, execution: i64) -> rusqlite::Result<Option<String>> {
    Ok(recent::newest(c, execution)?.damage)
}

/// Tables of the history. A view may read a database of an older schema.
#[derive(Clone, Copy, PartialEq)]
pub enum Layout {
    /// `history` only, until version 10.
    Rows,
    /// `history` and `recent_history`, in versions 11 and 12.
    RecentRows,
    /// `history` and `recent_events`.
    Log,
}

impl Layout {
    /// Returns the query for the rows of an execution, from the one that has an event on: their
    /// numbers, their events, and the number that the first row should have.
    fn query(self) -> &'static str {
        // One statement: events that move from one table to the other meanwhile are not missed.
        match self {
            Layout::Rows => {
                concat!("SELECT number, event, number FROM history WHERE ", from_event!(), " ORDER BY 1")
            }
            Layout::RecentRows => concat!(
                "SELECT number, event, number FROM history WHERE ",
                from_event!(),
                " UNION ALL SELECT number, events, number FROM recent_history WHERE execution = ?1 AND number >
                    coalesce((SELECT max(number) FROM history WHERE execution = ?1), 0) ORDER BY 1"
            ),
            Layout::Log => concat!(
                recent_list!(),
                " SELECT number, event, number FROM history WHERE ",
                from_event!(),
                " UNION ALL SELECT number, events, first FROM list
                    WHERE number >= coalesce((SELECT max(number) FROM list WHERE number <= ?2), number) ORDER BY 1"
            ),
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
    layout: Layout,
) -> rusqlite::Result<HistoryPage> {
    let mut statement = c.prepare_cached(layout.query())?;
    let first = i64::try_from(after).unwrap_or(i64::MAX).saturating_add(1);
    let mut rows = statement.query(params![execution, first])?;
    let (mut page, mut left) = (HistoryPage::after(after), bytes);
    let of = |number: i64, problem: String| damaged(damage(own.execution, number, problem));
    // Number behind the last event that was read.
    let mut next = None;
    while let Some(row) = rows.next()? {
        if page.events.len() == limit && limit > 0 {
            page.next = Some(page.last);
            return Ok(page);
        }
        let number = |at| row.get::<_, i64>(at).map_err(|error| of(next.unwrap_or(first), error.to_string()));
        let (number, expected) = (number(0)?, next.map_or_else(|| number(2), Ok)?);
        if !(1..=MAX_NUMBER).contains(&number) || number < expected {
            return Err(of(number, WRONG_NUMBER.to_owned()));
        }
        if expected < number && first < number {
            return Err(of(expected.max(first), format!("events are missing up to {}", number - 1)));
        }
        let lines = lines(row.get_ref(1)?, own).map_err(|problem| of(number, problem))?;
        next = Some(number);
        // A row has fewer events than bytes: the numbers do not overflow.
        for (line, number) in lines.zip(number..) {
            let line = line.map_err(|problem| of(number, problem))?;
            next = Some(number + 1);
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
    if layout == Layout::Log && recent::is_missing(c, execution)? {
        return Err(of(next.unwrap_or(first), recent::MISSING.to_owned()));
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
mod tests;
