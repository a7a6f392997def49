//! What executions do to each other, each within a transaction: those that others have started.

use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension as _, params};
use workflow_runtime::fault::names::CANCELLED;
use workflow_runtime::machine::{Op, Outcome};
use workflow_runtime::{CloudEvent, Fault, Value};

use crate::codec::{self, Stored};
use crate::executions::{self, End, Status};
use crate::mail;

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
    /// An event that another one has published was not delivered to this execution, for it keeps too many.
    Full(String),
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
                mail::forget(c, child)?;
                notices.push(Notice::Queued);
            }
        }
    }
    Ok(())
}

/// Removes what is kept of who has started an execution, and of whom it has started.
pub fn forget(c: &Connection, execution: i64) -> rusqlite::Result<()> {
    c.prepare_cached("DELETE FROM children WHERE child = ?1")?.execute([execution])?;
    c.prepare_cached("DELETE FROM children WHERE parent = ?1")?.execute([execution])?;
    mail::forget(c, execution)
}

/// How an execution ends that was ended from outside.
pub fn cancelled(at: i64, cause: &str) -> End {
    End { at, outcome: Err(Fault::new(CANCELLED, cause.to_owned())), last: None }
}
