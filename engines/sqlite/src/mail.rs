//! Events for executions, until those have seen them, each step within a transaction.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use rusqlite::Error::FromSqlConversionFailure;
use rusqlite::types::Type;
use rusqlite::{Connection, params};
use workflow_runtime::CloudEvent;
use workflow_runtime::machine::{EVENTS_KEPT, EVENTS_SPARE};

use crate::beyond::Notice;
use crate::executions::{self, New, Ordered, Status};
use crate::registry::{Addressed, Kind};
use crate::{codec, parts, starting};

/// A point in time, in microseconds since 1970, and what is forgotten then.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    pub at: i64,
    /// Which events executions were given before this is not known any more.
    pub forgotten: i64,
}

/// How many executions an event has reached that was published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Reached {
    /// Those that have it: all that have not ended and whose definitions wait for such events, but for the next.
    pub executions: usize,
    /// Those that it has started.
    pub started: usize,
    /// Those that keep so many events already that they did not take it.
    pub full: usize,
}

/// Delivers events from outside to an execution: all of them or none. Those that it was given before are not delivered again.
pub fn send(c: &Connection, id: &str, events: &[Addressed], now: Moment) -> rusqlite::Result<Ordered> {
    let Some((execution, status)) = executions::find(c, id)? else { return Ok(Ordered::Unknown) };
    let (mut new, mut names) = (Vec::new(), HashSet::new());
    for one in events {
        let is_new = names.insert((&one.event.source, &one.event.id));
        if is_new && !is_known(c, execution, &one.event, now)? {
            new.push(one);
        }
    }
    let mut notices = Vec::new();
    if new.is_empty() {
        return Ok(Ordered::Done(notices));
    }
    if status.is_over() && status != Status::Parked {
        return Ok(Ordered::NotNow(status));
    }
    let workflow = executions::workflow(c, execution)?;
    let mut only = Vec::new();
    for one in &new {
        let kinds = one.workflows.get(&*workflow).map(Vec::as_slice);
        only = names_for(c, execution, kinds.unwrap_or_default())?;
        if only.is_empty() {
            return Ok(Ordered::Unwanted);
        }
    }
    if new.len() > 1 {
        only.clear();
    }
    if !has_room(c, execution, new.len(), &only)? {
        return Ok(Ordered::Full);
    }
    for one in new {
        note(c, execution, &one.event, now)?;
        put(c, execution, &one.event, &mut notices)?;
    }
    Ok(Ordered::Done(notices))
}

/// The executions that an event is to start where none waits for it, by the names of their workflows: none where one cannot be
/// started now.
pub type Starts = BTreeMap<&'static str, Option<New>>;

/// Delivers an event from outside to all executions that have not ended and whose definitions wait for such events, unless they
/// were given it before; and to those that it starts.
pub fn publish_from_outside(
    c: &Connection,
    published: &Addressed,
    starts: &Starts,
    now: Moment,
    notices: &mut Vec<Notice>,
) -> rusqlite::Result<Reached> {
    deliver(c, published, starts, now, notices).map(|(reached, _)| reached)
}

/// Delivers an event that an execution publishes, likewise: a state that is tried again publishes the same one again. This is a
/// part of the transaction in which the execution begins to do so.
pub fn publish(c: &Connection, published: &Addressed, now: Moment, notices: &mut Vec<Notice>) -> rusqlite::Result<()> {
    // Of many, one is told: who looks finds the others.
    if let (_, Some(full)) = deliver(c, published, &Starts::new(), now, notices)? {
        let text = "SELECT id FROM executions WHERE number = ?1";
        notices.push(Notice::Full(c.prepare_cached(text)?.query_row([full], |row| row.get(0))?));
    }
    Ok(())
}

/// Delivers an event to whom it is for. How many have it, and the first that does not take it.
fn deliver(
    c: &Connection,
    published: &Addressed,
    starts: &Starts,
    now: Moment,
    notices: &mut Vec<Notice>,
) -> rusqlite::Result<(Reached, Option<i64>)> {
    let (event, mut reached, mut full) = (&published.event, Reached::default(), None);
    for (workflow, kinds) in &published.workflows {
        let starting = published.starts.get(workflow).zip(starts.get(workflow));
        let first = match starting {
            Some((opening, _)) => starting::candidates(c, workflow, opening, event, now.at)?,
            None => Vec::new(),
        };
        let once_more = starting.is_some() && starting::is_known(c, workflow, event, now)?;
        // Whether it needs to start none.
        let (mut has_it, mut is_taken) = (false, false);
        let listeners = match starting {
            Some((opening, _)) if !opening.is_for_later() => first.clone(),
            _ => listeners(c, workflow, kinds)?,
        };
        for execution in listeners {
            let names = names_for(c, execution, kinds)?;
            if names.is_empty() {
                continue;
            }
            if is_known(c, execution, event, now)? {
                reached.executions += 1;
                has_it = true;
                continue;
            }
            let takes = match starting {
                Some((opening, _)) if !once_more && first.binary_search(&execution).is_ok() => {
                    starting::takes(c, execution, opening, event, now.at)?
                }
                _ => false,
            };
            if !takes && starting.is_some_and(|(opening, _)| !opening.is_for_later()) {
                continue;
            }
            if has_room(c, execution, 1, &names)? {
                note(c, execution, event, now)?;
                put(c, execution, event, notices)?;
                reached.executions += 1;
                is_taken |= takes;
            } else {
                reached.full += 1;
                full = full.or(Some(execution));
            }
        }
        let Some((_, new)) = starting else { continue };
        if once_more {
            // The one that has it may have ended.
            reached.executions += usize::from(!has_it);
            continue;
        }
        if !is_taken {
            // Outside of its schedule a workflow does not listen.
            let Some(new) = new else { continue };
            if let Some(execution) = starting::start(c, new, notices)? {
                note(c, execution, event, now)?;
                put(c, execution, event, notices)?;
                reached.started += 1;
            }
        }
        starting::note(c, workflow, event, now)?;
    }
    Ok((reached, full))
}

/// The executions of a workflow that have not ended, where those that an event of these kinds is for are among them.
fn listeners(c: &Connection, workflow: &str, kinds: &[Kind]) -> rusqlite::Result<Vec<i64>> {
    if let Some(values) = kinds.iter().map(|kind| kind.correlation.as_deref()).collect::<Option<BTreeSet<&str>>>() {
        let mut found = Vec::new();
        for value in values {
            let text = "SELECT number FROM executions
                        WHERE workflow = ?1 AND coalesce(correlation, id) = ?2 AND status IN (0, 1, 5)";
            let mut statement = c.prepare_cached(text)?;
            for number in statement.query_map([workflow, value], |row| row.get::<_, i64>(0))? {
                found.push(number?);
            }
        }
        found.sort_unstable();
        return Ok(found);
    }
    let text = "SELECT number FROM executions WHERE workflow = ?1 AND status IN (0, 1, 5) ORDER BY number";
    c.prepare_cached(text)?.query_map([workflow], |row| row.get(0))?.collect()
}

/// The names of those of these kinds whose events are for an execution.
fn names_for(c: &Connection, execution: i64, kinds: &[Kind]) -> rusqlite::Result<Vec<&'static str>> {
    if kinds.iter().all(|kind| kind.correlation.is_none()) {
        return Ok(kinds.iter().map(|kind| kind.name).collect());
    }
    let own = executions::correlation(c, execution)?;
    let for_it = kinds.iter().filter(|kind| kind.correlation.as_deref().is_none_or(|value| *value == *own));
    Ok(for_it.map(|kind| kind.name).collect())
}

/// Whether an execution takes so many more events. An event of these kinds that is waited for it takes in any case: that many
/// are kept that it does not wait for must not keep it from going on.
fn has_room(c: &Connection, execution: i64, more: usize, kinds: &[&str]) -> rusqlite::Result<bool> {
    let (most, spare, more) = (EVENTS_KEPT as i64, EVENTS_SPARE as i64, more as i64);
    let text = "SELECT count(*) FROM mail WHERE execution = ?1";
    let unseen: i64 = c.prepare_cached(text)?.query_row([execution], |row| row.get(0))?;
    // They have numbers in a row, but for those that were taken out. To count them is to read them all.
    let text = "SELECT (SELECT max(a) FROM parts WHERE execution = ?1 AND kind = ?2)
                - (SELECT min(a) FROM parts WHERE execution = ?1 AND kind = ?2) + 1";
    let values = params![execution, parts::EVENT];
    let at_most: Option<i64> = c.prepare_cached(text)?.query_row(values, |row| row.get(0))?;
    if unseen + at_most.unwrap_or_default() + more <= most {
        return Ok(true);
    }
    let text = "SELECT count(*) FROM parts WHERE execution = ?1 AND kind = ?2";
    let kept: i64 = c.prepare_cached(text)?.query_row(values, |row| row.get(0))?;
    if unseen + kept + more <= most {
        return Ok(true);
    }
    // What it has not seen may end the wait.
    Ok(unseen == 0 && kept < most + spare && waits_for(c, execution, kinds)?)
}

/// Whether an execution waits for an event of one of these kinds, as far as is written.
fn waits_for(c: &Connection, execution: i64, kinds: &[&str]) -> rusqlite::Result<bool> {
    let text = "SELECT detail FROM parts WHERE execution = ?1 AND kind = ?2 AND waits = ?3";
    let mut statement = c.prepare_cached(text)?;
    let mut rows = statement.query(params![execution, parts::FRAME, parts::waits::EVENT])?;
    while let Some(row) = rows.next()? {
        let names = format!(", {}, ", row.get_ref(0)?.as_str_or_null()?.unwrap_or_default());
        if kinds.iter().any(|kind| names.contains(&format!(", {kind}, "))) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn put(c: &Connection, execution: i64, event: &Arc<CloudEvent>, notices: &mut Vec<Notice>) -> rusqlite::Result<()> {
    let text = "INSERT INTO mail (execution, event) VALUES (?1, ?2)";
    c.prepare_cached(text)?.execute(params![execution, codec::event(event)])?;
    notices.push(Notice::Mail(execution, c.last_insert_rowid() as u64, event.clone()));
    Ok(())
}

/// Whether an execution was given an event of this source and id.
fn is_known(c: &Connection, execution: i64, event: &CloudEvent, now: Moment) -> rusqlite::Result<bool> {
    is_noted(c, execution, &event.source, &event.id, now)
}

/// Whether it is noted that an execution was given an event, and still counts.
pub fn is_noted(c: &Connection, execution: i64, source: &str, id: &str, now: Moment) -> rusqlite::Result<bool> {
    let text = "SELECT 1 FROM given WHERE execution = ?1 AND source = ?2 AND id = ?3 AND at >= ?4";
    c.prepare_cached(text)?.exists(params![execution, source, id, now.forgotten])
}

/// Notes that it was, and forgets some that are no longer to be known: more than come in.
fn note(c: &Connection, execution: i64, event: &CloudEvent, now: Moment) -> rusqlite::Result<()> {
    let text = "DELETE FROM given WHERE number IN (SELECT number FROM given ORDER BY number LIMIT 4) AND at < ?1";
    c.prepare_cached(text)?.execute([now.forgotten])?;
    // What comes once more has a new number: the oldest have the lowest.
    let text = "INSERT OR REPLACE INTO given (execution, source, id, at) VALUES (?1, ?2, ?3, ?4)";
    c.prepare_cached(text)?.execute(params![execution, &*event.source, &*event.id, now.at])?;
    Ok(())
}

/// The number of the last event of all.
pub fn last(c: &Connection) -> rusqlite::Result<u64> {
    let text = "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'mail'), 0)";
    c.prepare_cached(text)?.query_row([], |row| row.get::<_, i64>(0)).map(|last| last as u64)
}

/// The events that an execution has not seen.
pub fn read(c: &Connection, execution: i64) -> rusqlite::Result<Vec<(u64, Arc<CloudEvent>)>> {
    let text = "SELECT number, event FROM mail WHERE execution = ?1 ORDER BY number";
    let mut statement = c.prepare_cached(text)?;
    let read = |row: &rusqlite::Row<'_>| {
        let event = codec::read_event(row.get_ref(1)?.as_blob()?);
        let event = event.map_err(|error| FromSqlConversionFailure(1, Type::Blob, Box::new(error)))?;
        Ok((row.get::<_, i64>(0)? as u64, Arc::new(event)))
    };
    statement.query_map([execution], read)?.collect()
}

/// Whether there are any.
pub fn is_there(c: &Connection, execution: i64) -> rusqlite::Result<bool> {
    c.prepare_cached("SELECT 1 FROM mail WHERE execution = ?1")?.exists([execution])
}

/// An execution has seen these.
pub fn take(c: &Connection, seen: &[u64]) -> rusqlite::Result<()> {
    let mut statement = c.prepare_cached("DELETE FROM mail WHERE number = ?1")?;
    seen.iter().try_for_each(|number| statement.execute([*number as i64]).map(|_| ()))
}

/// Removes all that is kept for an execution, and what it was given.
pub fn forget(c: &Connection, execution: i64) -> rusqlite::Result<()> {
    c.prepare_cached("DELETE FROM mail WHERE execution = ?1")?.execute([execution])?;
    c.prepare_cached("DELETE FROM given WHERE execution = ?1")?.execute([execution])?;
    Ok(())
}
