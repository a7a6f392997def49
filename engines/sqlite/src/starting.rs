//! Events that start executions: whether one does, or an execution waits for it in its first state.

use std::sync::Arc;

use rusqlite::{Connection, params};
use workflow_runtime::machine::{EventInfo, StartsOn};
use workflow_runtime::{CloudEvent, Str};

use crate::beyond::Notice;
use crate::executions::{self, New, Put};
use crate::mail::Moment;
use crate::{beyond, codec, mail, parts};

/// In the place of an execution: all of a workflow that an event has been for. No execution has this number.
const WORKFLOW: i64 = 0;

/// What a workflow makes of an event that starts executions of it.
pub struct Starting {
    pub rule: StartsOn,
    /// The kinds of events of the definition.
    pub events: &'static [EventInfo],
    /// The kinds of those that the event is of.
    pub kinds: Vec<&'static EventInfo>,
    /// Whether such events are waited for elsewhere, too: then all executions keep them.
    pub elsewhere: bool,
}

impl Starting {
    /// The correlation value of an execution that the event starts.
    pub fn correlation(&self, event: &CloudEvent) -> Option<Str> {
        self.kinds.iter().find_map(|kind| kind.correlation_of(event))
    }

    fn kinds(&self, numbers: &[u32]) -> impl Iterator<Item = &'static EventInfo> {
        numbers.iter().filter_map(|number| self.events.get(*number as usize))
    }

    /// What ends the wait of an execution that has not begun: an event of these kinds is not for it any more.
    fn enough(&self) -> Vec<&'static EventInfo> {
        match self.rule.in_a_row {
            [] => self.kinds(self.rule.events).collect(),
            _ => self.kinds.clone(),
        }
    }
}

/// The idempotency key of an execution that an event starts. A source is a URI, and has no spaces.
pub fn key(event: &CloudEvent) -> String {
    format!("event {} {}", event.source, event.id)
}

/// The executions of a workflow that wait for an event in their first state, and those that are about to begin: the oldest
/// first.
pub fn candidates(
    c: &Connection,
    workflow: &str,
    starting: &Starting,
    event: &CloudEvent,
    now: i64,
) -> rusqlite::Result<Vec<i64>> {
    // Where all kinds correlate, by the same value most often, others need not be looked at.
    let correlates = starting.kinds.iter().all(|kind| kind.correlation.is_some());
    let value = starting.correlation(event).filter(|value| {
        correlates && starting.kinds.iter().all(|kind| kind.correlation_of(event).is_some_and(|own| own == *value))
    });
    let text = "SELECT number FROM executions e WHERE workflow = ?1 AND status IN (0, 1, 5)
                    AND (?6 IS NULL OR coalesce(correlation, id) = ?6) AND (
                    (status = 0 AND (due IS NULL OR due <= ?2)) OR (status = 1 AND EXISTS (
                        SELECT 1 FROM parts WHERE execution = e.number AND kind = ?3 AND waits = ?4 AND state = ?5)))
                ORDER BY number";
    let values = params![workflow, now, parts::FRAME, parts::waits::EVENT, starting.rule.state, value.as_deref()];
    c.prepare_cached(text)?.query_map(values, |row| row.get(0))?.collect()
}

/// Whether one of these waits for this event, and for no other of its kind that it was given before; or collects such.
pub fn waits(
    c: &Connection,
    execution: i64,
    starting: &Starting,
    event: &CloudEvent,
    now: i64,
) -> rusqlite::Result<bool> {
    let correlation = executions::correlation(c, execution)?;
    if !starting.kinds.iter().any(|kind| kind.is_for(event, &correlation)) {
        return Ok(false);
    }
    let unseen = mail::read(c, execution)?;
    if starting.rule.collects {
        return collects(c, execution, starting, unseen, now);
    }
    let is_there = |kinds: &[&EventInfo]| unseen.iter().any(|(_, event)| kinds.iter().any(|kind| kind.matches(event)));
    let text = "SELECT detail FROM parts WHERE execution = ?1 AND kind = ?2 AND waits = ?3 AND state = ?4";
    let mut statement = c.prepare_cached(text)?;
    let values = params![execution, parts::FRAME, parts::waits::EVENT, starting.rule.state];
    let mut rows = statement.query(values)?;
    let Some(row) = rows.next()? else {
        // It has not begun. One that runs a part of the workflow does not begin with the first state.
        return Ok(!is_there(&starting.enough()) && beyond::entry(c, execution)?.is_none());
    };
    let names = format!(", {}, ", row.get_ref(0)?.as_str_or_null()?.unwrap_or_default());
    let is_awaited = |kind: &EventInfo| names.contains(&format!(", {}, ", kind.name));
    if starting.kinds.iter().any(|kind| is_awaited(kind)) {
        let awaited: Vec<&EventInfo> = starting.events.iter().filter(|kind| is_awaited(kind)).collect();
        return Ok(!is_there(&awaited));
    }
    // Of several that have to come, this one may be waited for next.
    let next = starting.kinds(starting.rule.in_a_row).skip_while(|kind| !is_awaited(kind)).skip(1);
    let next: Vec<&EventInfo> = next.filter(|kind| starting.kinds.contains(kind)).collect();
    Ok(!next.is_empty() && !is_there(&next) && !keeps(c, execution, &next)?)
}

/// Whether an execution collects events in its first state, and has not all of them by what it has not seen yet.
fn collects(
    c: &Connection,
    execution: i64,
    starting: &Starting,
    unseen: Vec<(u64, Arc<CloudEvent>)>,
    now: i64,
) -> rusqlite::Result<bool> {
    let text = "SELECT detail, wake FROM parts WHERE execution = ?1 AND kind = ?2 AND waits = ?3 AND state = ?4";
    let mut statement = c.prepare_cached(text)?;
    let mut rows = statement.query(params![execution, parts::FRAME, parts::waits::EVENT, starting.rule.state])?;
    let all = starting.kinds(starting.rule.events);
    let mut awaited: Vec<&EventInfo> = match rows.next()? {
        None if beyond::entry(c, execution)?.is_some() => return Ok(false),
        None => all.collect(),
        // Its time is over: it is about to be told so.
        Some(row) if row.get::<_, Option<i64>>(1)?.is_some_and(|until| until < now) => return Ok(false),
        Some(row) => {
            let names = format!(", {}, ", row.get_ref(0)?.as_str_or_null()?.unwrap_or_default());
            all.filter(|kind| names.contains(&format!(", {}, ", kind.name))).collect()
        }
    };
    for (_, event) in unseen {
        if let Some(taken) = awaited.iter().position(|kind| kind.matches(&event)) {
            awaited.remove(taken);
        }
    }
    Ok(!awaited.is_empty())
}

/// Whether an execution keeps an event of one of these kinds.
fn keeps(c: &Connection, execution: i64, kinds: &[&EventInfo]) -> rusqlite::Result<bool> {
    let mut statement = c.prepare_cached("SELECT data FROM parts WHERE execution = ?1 AND kind = ?2")?;
    let mut rows = statement.query(params![execution, parts::EVENT])?;
    while let Some(row) = rows.next()? {
        // What cannot be told apart is taken for one of them: a new execution is better than a lost event.
        let kept = codec::read_attributes(row.get_ref(0)?.as_blob()?);
        if kept.map_or(true, |event| kinds.iter().any(|kind| kind.matches(&event))) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether an event was taken by an execution in its first state, or has started one: lately, or one that is still kept.
pub fn is_known(c: &Connection, workflow: &str, event: &CloudEvent, now: Moment) -> rusqlite::Result<bool> {
    let given = mail::is_noted(c, WORKFLOW, &event.source, &name(workflow, event), now)?;
    let text = "SELECT 1 FROM executions WHERE workflow = ?1 AND key = ?2";
    Ok(given || c.prepare_cached(text)?.exists(params![workflow, key(event)])?)
}

/// Notes that one has.
pub fn note(c: &Connection, workflow: &str, event: &CloudEvent, now: Moment) -> rusqlite::Result<()> {
    let text = "INSERT OR REPLACE INTO given (execution, source, id, at) VALUES (?1, ?2, ?3, ?4)";
    c.prepare_cached(text)?.execute(params![WORKFLOW, &*event.source, name(workflow, event), now.at]).map(|_| ())
}

/// What an event is to a workflow.
fn name(workflow: &str, event: &CloudEvent) -> String {
    format!("{workflow} {}", event.id)
}

/// Puts in the execution that an event starts; its number. `None` if it was there.
pub fn start(c: &Connection, new: &New, notices: &mut Vec<Notice>) -> rusqlite::Result<Option<i64>> {
    Ok(match executions::put(c, new)? {
        Put::New(number) => {
            notices.push(Notice::Queued);
            Some(number)
        }
        Put::Known { .. } | Put::KeyReused(_) | Put::IdTaken | Put::Inactive(_) => None,
    })
}
