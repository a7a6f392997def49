//! What executions do to each other, each within a transaction: those that others have started, and events.

use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension as _, params};
use workflow_runtime::fault::names::CANCELLED;
use workflow_runtime::machine::{Op, Outcome};
use workflow_runtime::{CloudEvent, Fault, Value};

use crate::codec::{self, Stored};
use crate::executions::{self, End, Status};

/// Whom a transaction is to be told of once it is durable.
#[derive(Debug)]
pub enum Notice {
    /// Something is to be started.
    Queued,
    /// The outcome of what an execution waits for is there.
    Arrived(i64, Op, Outcome),
    /// An event was delivered to an execution, under this number.
    Mail(i64, u64, Arc<CloudEvent>),
    /// Something arrived for an execution as a whole, or it can go on.
    LookAt(i64),
    /// An execution has ended that was not running.
    Ended(i64),
}

/// An execution that another one starts.
pub struct Child {
    pub op: Op,
    pub id: String,
    pub workflow: String,
    pub entry: Option<u32>,
    /// The hash of the definition that the part is of.
    pub hash: Option<u64>,
    pub input: Value,
    pub seed: u64,
    pub awaited: bool,
}

/// An event that is published: it is for the executions of these workflows.
pub struct Published {
    pub event: Arc<CloudEvent>,
    pub workflows: Vec<&'static str>,
}

/// Puts in an execution that another one starts, unless it is there.
pub fn put_child(
    c: &Connection,
    parent: i64,
    child: &Child,
    now: i64,
    notices: &mut Vec<Notice>,
) -> rusqlite::Result<()> {
    let text = "SELECT 1 FROM children WHERE parent = ?1 AND op = ?2";
    if c.prepare_cached(text)?.exists(params![parent, child.op.id as i64])? {
        return Ok(());
    }
    let start: Vec<u8> =
        c.prepare_cached("SELECT start FROM executions WHERE number = ?1")?.query_row([parent], |row| row.get(0))?;
    let made = match Stored::read(&start) {
        Ok(of_parent) => {
            let stored = Stored { input: child.input.clone(), machine: None, seed: child.seed, ..of_parent };
            let text = "INSERT INTO executions (id, workflow, request, status, created, start, hash)
                        VALUES (?1, ?2, 0, 0, ?3, ?4, ?5) ON CONFLICT (id) DO NOTHING";
            let Child { id, workflow, hash, .. } = child;
            let values = params![id, workflow, now, stored.write(), hash.map(|hash| hash as i64)];
            c.prepare_cached(text)?.execute(values)? == 1
        }
        Err(_) => false,
    };
    if !made {
        let cause = format!("there is another execution `{}`", child.id);
        return arrive(c, parent, child.op, Err(Fault::new("Execution.IdTaken", cause)), notices);
    }
    let text = "INSERT INTO children (child, parent, op, frame, entry, awaited) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let Child { op, entry, awaited, .. } = child;
    let number = c.last_insert_rowid();
    c.prepare_cached(text)?.execute(params![number, parent, op.id as i64, op.frame.0, entry, awaited])?;
    notices.push(Notice::Queued);
    Ok(())
}

/// The part of its workflow that an execution runs, if not the whole.
pub fn entry(c: &Connection, execution: i64) -> rusqlite::Result<Option<u32>> {
    let text = "SELECT entry FROM children WHERE child = ?1";
    c.prepare_cached(text)?.query_row([execution], |row| row.get(0)).optional().map(Option::flatten)
}

/// An execution has ended: the one that waits for it, if one does, has the outcome. One that has failed does not wait: it
/// has it when it is taken up again.
pub fn ended(c: &Connection, child: i64, outcome: &Outcome, notices: &mut Vec<Notice>) -> rusqlite::Result<()> {
    let text = "SELECT c.parent, c.op, c.frame FROM children c JOIN executions e ON e.number = c.parent
                WHERE c.child = ?1 AND c.awaited AND e.status IN (1, 5)";
    let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get::<_, i64>(1)?, row.get(2)?));
    let found: Option<(i64, i64, u32)> = c.prepare_cached(text)?.query_row([child], read).optional()?;
    let Some((parent, op, frame)) = found else { return Ok(()) };
    let op = Op { id: op as u64, frame: workflow_runtime::machine::FrameId(frame) };
    arrive(c, parent, op, outcome.clone(), notices)
}

fn arrive(c: &Connection, execution: i64, op: Op, outcome: Outcome, notices: &mut Vec<Notice>) -> rusqlite::Result<()> {
    let text = "INSERT INTO arrivals VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING";
    c.prepare_cached(text)?.execute(params![execution, op.frame.0, op.id as i64, codec::outcome(&outcome)])?;
    notices.push(Notice::Arrived(execution, op, outcome));
    Ok(())
}

/// Nobody waits any more for what this operation has started.
pub fn abandon(c: &Connection, parent: i64, op: Op, now: i64, notices: &mut Vec<Notice>) -> rusqlite::Result<()> {
    let text = "SELECT child FROM children WHERE parent = ?1 AND op = ?2 AND awaited";
    let child = c.prepare_cached(text)?.query_row(params![parent, op.id as i64], |row| row.get(0)).optional()?;
    child.map_or(Ok(()), |child| give_up(c, child, now, notices))
}

/// An execution has ended: those that it waits for do, too.
pub fn abandon_all(c: &Connection, parent: i64, now: i64, notices: &mut Vec<Notice>) -> rusqlite::Result<()> {
    let text = "SELECT c.child FROM children c JOIN executions e ON e.number = c.child
                WHERE c.parent = ?1 AND c.awaited AND e.status IN (0, 1, 5)";
    let children: rusqlite::Result<Vec<i64>> = c.prepare_cached(text)?.query_map([parent], |row| row.get(0))?.collect();
    children?.into_iter().try_for_each(|child| give_up(c, child, now, notices))
}

fn give_up(c: &Connection, child: i64, now: i64, notices: &mut Vec<Notice>) -> rusqlite::Result<()> {
    c.prepare_cached("UPDATE children SET awaited = 0 WHERE child = ?1")?.execute([child])?;
    let status = c
        .prepare_cached("SELECT status FROM executions WHERE number = ?1")?
        .query_row([child], |row| Ok(Status::of(row.get(0)?)))?;
    let cause = "the execution that has started it does not wait for it any more";
    executions::cancel_number(c, child, status, cause, now, notices).map(|_| ())
}

/// An execution that has failed is taken up again: what it waits for is, too.
pub fn redrive_children(c: &Connection, parent: i64, notices: &mut Vec<Notice>) -> rusqlite::Result<()> {
    let text = "SELECT c.child, c.op, c.frame, e.status, e.outcome FROM children c
                JOIN executions e ON e.number = c.child
                JOIN parts p ON p.execution = c.parent AND p.kind = 2 AND p.a = c.frame AND p.op = c.op
                WHERE c.parent = ?1 AND p.waits = 5";
    struct Found {
        child: i64,
        op: Op,
        status: Status,
        outcome: Option<Vec<u8>>,
    }
    let read = |row: &rusqlite::Row<'_>| {
        let frame = workflow_runtime::machine::FrameId(row.get(2)?);
        let op = Op { id: row.get::<_, i64>(1)? as u64, frame };
        Ok(Found { child: row.get(0)?, op, status: Status::of(row.get(3)?), outcome: row.get(4)? })
    };
    let found: rusqlite::Result<Vec<Found>> = c.prepare_cached(text)?.query_map([parent], read)?.collect();
    for Found { child, op, status, outcome } in found? {
        c.prepare_cached("UPDATE children SET awaited = 1 WHERE child = ?1")?.execute([child])?;
        match status {
            Status::Queued | Status::Running => {}
            Status::Succeeded => {
                let outcome = outcome.map(|outcome| codec::read_outcome(&outcome)).unwrap_or(Ok(Value::Null));
                arrive(c, parent, op, outcome, notices)?;
            }
            Status::Failed | Status::Parked => {
                executions::redrive_number(c, child, notices)?;
            }
            // Nothing is left of what it had done.
            Status::Cancelled => {
                let text = "UPDATE executions SET status = 0, started = NULL, ended = NULL, outcome = NULL, deadline = NULL, redriven = 0 WHERE number = ?1";
                c.prepare_cached(text)?.execute([child])?;
                notices.push(Notice::Queued);
            }
        }
    }
    Ok(())
}

/// Delivers an event to all executions of these workflows that have not ended. How many those are.
pub fn publish(c: &Connection, published: &Published, notices: &mut Vec<Notice>) -> rusqlite::Result<usize> {
    let mut reached = 0;
    for workflow in &published.workflows {
        let text = "SELECT number FROM executions WHERE workflow = ?1 AND status IN (0, 1, 5) ORDER BY number";
        let numbers: rusqlite::Result<Vec<i64>> =
            c.prepare_cached(text)?.query_map([workflow], |row| row.get(0))?.collect();
        for number in numbers? {
            send(c, number, &published.event, notices)?;
            reached += 1;
        }
    }
    Ok(reached)
}

/// Delivers an event to an execution.
pub fn send(
    c: &Connection,
    execution: i64,
    event: &Arc<CloudEvent>,
    notices: &mut Vec<Notice>,
) -> rusqlite::Result<()> {
    let text = "INSERT INTO mail (execution, event) VALUES (?1, ?2)";
    c.prepare_cached(text)?.execute(params![execution, codec::event(event)])?;
    notices.push(Notice::Mail(execution, c.last_insert_rowid() as u64, event.clone()));
    Ok(())
}

/// The events that an execution has not seen. One that cannot be read is none.
pub fn mail(c: &Connection, execution: i64) -> rusqlite::Result<Vec<(u64, Arc<CloudEvent>)>> {
    let text = "SELECT number, event FROM mail WHERE execution = ?1 ORDER BY number";
    let mut statement = c.prepare_cached(text)?;
    let read = |row: &rusqlite::Row<'_>| {
        let event = codec::read_event(row.get_ref(1)?.as_blob()?);
        Ok((row.get::<_, i64>(0)? as u64, event))
    };
    let found: rusqlite::Result<Vec<_>> = statement.query_map([execution], read)?.collect();
    Ok(found?.into_iter().filter_map(|(number, event)| Some((number, Arc::new(event.ok()?)))).collect())
}

/// Whether there are any.
pub fn has_mail(c: &Connection, execution: i64) -> rusqlite::Result<bool> {
    c.prepare_cached("SELECT 1 FROM mail WHERE execution = ?1")?.exists([execution])
}

/// An execution has seen these.
pub fn take_mail(c: &Connection, seen: &[u64]) -> rusqlite::Result<()> {
    let mut statement = c.prepare_cached("DELETE FROM mail WHERE number = ?1")?;
    seen.iter().try_for_each(|number| statement.execute([*number as i64]).map(|_| ()))
}

/// Removes what is kept of who has started an execution, and of whom it has started.
pub fn forget(c: &Connection, execution: i64) -> rusqlite::Result<()> {
    c.prepare_cached("DELETE FROM children WHERE child = ?1")?.execute([execution])?;
    c.prepare_cached("DELETE FROM children WHERE parent = ?1")?.execute([execution])?;
    c.prepare_cached("DELETE FROM mail WHERE execution = ?1")?.execute([execution])?;
    Ok(())
}

/// How an execution ends that was ended from outside.
pub fn cancelled(at: i64, cause: &str) -> End {
    End { at, outcome: Err(Fault::new(CANCELLED, cause.to_owned())), last: None }
}
