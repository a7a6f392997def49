//! What executions do to each other, each within a transaction: those that others have started.

use std::collections::HashSet;
use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension as _, params};
use workflow_runtime::fault::names::CANCELLED;
use workflow_runtime::machine::{FrameId, Op, Outcome};
use workflow_runtime::{CloudEvent, Fault, Str, Value};

use crate::codec::{self, Stored};
use crate::executions::{self, End, Status};
use crate::mail;

/// In the place of whether an execution is waited for: it is, and begins anew when it has been cancelled.
const ONCE_MORE: i64 = 2;

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
    /// The hash of the definition, where it matters which one of that name it is.
    pub hash: Option<u64>,
    pub input: Value,
    pub seed: u64,
    pub awaited: bool,
    pub correlation: Option<Str>,
    /// Whether its workflow is not active now: it completes at once, with its input.
    pub inactive: bool,
}

/// Puts in an execution that another one starts, unless it is there.
pub fn put_child(
    c: &Connection,
    parent: i64,
    child: &Child,
    now: i64,
    notices: &mut Vec<Notice>,
) -> rusqlite::Result<()> {
    if let Some(known) = find(c, parent, &child.id)? {
        // One that was cancelled and begins once more asks for the same executions, in another order perhaps.
        let text = "UPDATE children SET op = ?2, frame = ?3, awaited = ?4 WHERE child = ?1";
        c.prepare_cached(text)?.execute(params![known.child, child.op.id as i64, child.op.frame.0, child.awaited])?;
        let waits_again = child.awaited && !known.awaited;
        return if waits_again { go_on(c, parent, Known { op: child.op, ..known }, notices) } else { Ok(()) };
    }
    if child.inactive {
        let output = if child.awaited { child.input.clone() } else { Value::from(child.id.clone()) };
        return arrive(c, parent, child.op, Ok(output), notices);
    }
    let start: Vec<u8> =
        c.prepare_cached("SELECT start FROM executions WHERE number = ?1")?.query_row([parent], |row| row.get(0))?;
    let made = match Stored::read(&start) {
        Ok(of_parent) => {
            let stored = Stored { input: child.input.clone(), machine: None, seed: child.seed, ..of_parent };
            let text =
                "INSERT INTO executions (id, workflow, request, status, created, start, hash, correlation, identity)
                        VALUES (?1, ?2, 0, 0, ?3, ?4, ?5, ?6, X'') ON CONFLICT (id) DO NOTHING";
            let Child { id, workflow, hash, correlation, .. } = child;
            let hash = hash.map(|hash| hash as i64);
            let values = params![id, workflow, now, stored.write(), hash, correlation.as_deref()];
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
    let text = "SELECT c.parent, c.op, c.frame, c.awaited FROM children c JOIN executions e ON e.number = c.parent
                WHERE c.child = ?1 AND c.awaited AND e.status IN (1, 5)";
    let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get::<_, i64>(1)?, row.get(2)?, row.get(3)?));
    let found: Option<(i64, i64, u32, i64)> = c.prepare_cached(text)?.query_row([child], read).optional()?;
    let Some((parent, op, frame, awaited)) = found else { return Ok(()) };
    let cancelled = matches!(outcome, Err(fault) if fault.error() == Some(CANCELLED));
    if awaited == ONCE_MORE && cancelled {
        return begin_anew(c, child, notices);
    }
    let op = Op { id: op as u64, frame: FrameId(frame) };
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

/// The whole run is about to end: what this operation has started is to end, too, when what it does is completed.
pub fn terminate(c: &Connection, parent: i64, op: Op, now: i64, notices: &mut Vec<Notice>) -> rusqlite::Result<()> {
    let text = "SELECT c.child, e.status FROM children c JOIN executions e ON e.number = c.child
                WHERE c.parent = ?1 AND c.op = ?2 AND c.awaited";
    let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, Status::of(row.get(1)?)));
    let child = c.prepare_cached(text)?.query_row(params![parent, op.id as i64], read).optional()?;
    child.map_or(Ok(()), |(child, status)| executions::terminate_number(c, child, status, now, notices))
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

/// An execution that has failed is taken up again: what it waits for is, too, unless it has the outcome already.
pub fn redrive_children(c: &Connection, parent: i64, notices: &mut Vec<Notice>) -> rusqlite::Result<()> {
    let text = format!(
        "{KNOWN} JOIN parts p ON p.execution = c.parent AND p.kind = 2 AND p.a = c.frame AND p.op = c.op
         WHERE c.parent = ?1 AND p.waits = 5
         AND NOT EXISTS (SELECT 1 FROM arrivals a WHERE a.execution = c.parent AND a.frame = c.frame AND a.op = c.op)"
    );
    let found: rusqlite::Result<Vec<Known>> = c.prepare_cached(&text)?.query_map([parent], Known::read)?.collect();
    for known in found? {
        c.prepare_cached("UPDATE children SET awaited = 1 WHERE child = ?1")?.execute([known.child])?;
        go_on(c, parent, known, notices)?;
    }
    Ok(())
}

/// An execution that another one has started, as it is.
struct Known {
    child: i64,
    op: Op,
    awaited: bool,
    status: Status,
    outcome: Option<Vec<u8>>,
    /// Whether it is to be cancelled.
    is_ending: bool,
}

const KNOWN: &str = "SELECT c.child, c.op, c.frame, c.awaited, e.status, e.outcome,
    EXISTS (SELECT 1 FROM arrivals x WHERE x.execution = c.child AND x.frame = -1)
    FROM children c JOIN executions e ON e.number = c.child";

impl Known {
    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Known> {
        Ok(Known {
            child: row.get(0)?,
            op: Op { id: row.get::<_, i64>(1)? as u64, frame: FrameId(row.get(2)?) },
            awaited: row.get(3)?,
            status: Status::of(row.get(4)?),
            outcome: row.get(5)?,
            is_ending: row.get(6)?,
        })
    }
}

fn find(c: &Connection, parent: i64, id: &str) -> rusqlite::Result<Option<Known>> {
    let text = format!("{KNOWN} WHERE c.parent = ?1 AND e.id = ?2");
    c.prepare_cached(&text)?.query_row(params![parent, id], Known::read).optional()
}

/// Whether an execution has begun another one by this operation.
pub fn has_begun(c: &Connection, parent: i64, op: Op) -> rusqlite::Result<bool> {
    c.prepare_cached("SELECT 1 FROM children WHERE parent = ?1 AND op = ?2")?.exists(params![parent, op.id as i64])
}

/// An execution is waited for once more.
fn go_on(c: &Connection, parent: i64, known: Known, notices: &mut Vec<Notice>) -> rusqlite::Result<()> {
    match known.status {
        // It is about to be cancelled, for nobody waited for it.
        Status::Running if known.is_ending => {
            let text = "UPDATE children SET awaited = ?2 WHERE child = ?1";
            c.prepare_cached(text)?.execute(params![known.child, ONCE_MORE]).map(|_| ())
        }
        Status::Queued | Status::Running => Ok(()),
        Status::Succeeded => {
            let outcome = known.outcome.map(|outcome| codec::read_outcome(&outcome)).unwrap_or(Ok(Value::Null));
            arrive(c, parent, known.op, outcome, notices)
        }
        Status::Failed | Status::Parked => executions::redrive_number(c, known.child, notices),
        Status::Cancelled => begin_anew(c, known.child, notices),
    }
}

/// Of a cancelled execution nothing is left: it begins from its start.
fn begin_anew(c: &Connection, child: i64, notices: &mut Vec<Notice>) -> rusqlite::Result<()> {
    let text = "UPDATE executions SET status = 0, started = NULL, ended = NULL, outcome = NULL, deadline = NULL,
                redriven = 0 WHERE number = ?1";
    c.prepare_cached(text)?.execute([child])?;
    c.prepare_cached("UPDATE children SET awaited = 1 WHERE child = ?1")?.execute([child])?;
    mail::forget(c, child)?;
    notices.extend([Notice::Queued, Notice::LookAt(child)]);
    Ok(())
}

/// Those that these executions have started, and those that these have, which have not ended.
pub fn descendants(c: &Connection, of: &HashSet<i64>) -> rusqlite::Result<HashSet<i64>> {
    let text = "SELECT c.child FROM children c JOIN executions e ON e.number = c.child
                WHERE c.parent = ?1 AND e.status IN (0, 1)";
    let mut statement = c.prepare_cached(text)?;
    let (mut found, mut open): (HashSet<i64>, Vec<i64>) = (HashSet::new(), of.iter().copied().collect());
    while let Some(parent) = open.pop() {
        for child in statement.query_map([parent], |row| row.get::<_, i64>(0))? {
            let child = child?;
            if !of.contains(&child) && found.insert(child) {
                open.push(child);
            }
        }
    }
    Ok(found)
}

/// Removes what is kept of who has started an execution.
pub fn forget(c: &Connection, execution: i64) -> rusqlite::Result<()> {
    // What says which part of a workflow those run that it has started is theirs.
    c.prepare_cached("DELETE FROM children WHERE child = ?1")?.execute([execution])?;
    mail::forget(c, execution)
}

/// How an execution ends that was ended from outside.
pub fn cancelled(at: i64, cause: &str) -> End {
    End { at, outcome: Err(Fault::new(CANCELLED, cause.to_owned())), last: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use workflow_runtime::Object;
    use workflow_runtime::machine::FunctionLimits;

    /// A folder that is removed in the end.
    struct Folder(std::path::PathBuf);

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    /// A database with an execution that runs, number 1.
    fn database(name: &str) -> (Folder, Connection) {
        let folder = std::env::temp_dir().join(format!("workflow-sqlite-beyond-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let connection = crate::schema::open(&folder.join("beyond.db")).expect("a database");
        let start = Stored {
            input: Value::Null,
            settings: Object::new(),
            machine: None,
            account: "a".into(),
            region: "r".into(),
            role: "x".into(),
            seed: 1,
            data_limit: None,
            step_limit: 1,
            function_limits: FunctionLimits::default(),
        };
        let text =
            "INSERT INTO executions (id, workflow, request, status, created, start) VALUES ('p', 'w', 0, 1, 0, ?1)";
        connection.execute(text, [start.write()]).expect("an execution");
        (Folder(folder), connection)
    }

    fn child(op: u64) -> Child {
        let op = Op { id: op, frame: FrameId(0) };
        let (id, workflow) = ("p.1-0".to_owned(), "w".to_owned());
        let (input, correlation) = (Value::Null, None);
        Child { op, id, workflow, entry: None, hash: None, input, seed: 2, awaited: true, correlation, inactive: false }
    }

    fn status(c: &Connection, number: i64) -> Status {
        let text = "SELECT status FROM executions WHERE number = ?1";
        c.query_row(text, [number], |row| Ok(Status::of(row.get(0)?))).expect("a status")
    }

    fn arrived(c: &Connection) -> i64 {
        let text = "SELECT count(*) FROM arrivals WHERE execution = 1";
        c.query_row(text, [], |row| row.get(0)).expect("a number")
    }

    #[test]
    fn one_that_nobody_waited_for_begins_anew_when_it_is_asked_for_again() {
        let (_folder, c) = database("anew");
        let mut notices = Vec::new();
        put_child(&c, 1, &child(5), 0, &mut notices).expect("it is put in");
        put_child(&c, 1, &child(5), 0, &mut notices).expect("it is there");
        abandon(&c, 1, child(5).op, 0, &mut notices).expect("it is given up");
        assert_eq!((status(&c, 2), arrived(&c)), (Status::Cancelled, 0));
        // The execution that asks has begun anew, too, and asks in another order.
        put_child(&c, 1, &child(7), 0, &mut notices).expect("it is waited for");
        assert_eq!(status(&c, 2), Status::Queued);
        assert!(has_begun(&c, 1, child(7).op).expect("a database"));
        ended(&c, 2, &Ok(1.into()), &mut notices).expect("it is told");
        assert!(matches!(notices.last(), Some(Notice::Arrived(1, op, Ok(_))) if *op == child(7).op));
    }

    #[test]
    fn one_that_is_about_to_be_cancelled_begins_anew_then() {
        let (_folder, c) = database("about");
        let mut notices = Vec::new();
        put_child(&c, 1, &child(5), 0, &mut notices).expect("it is put in");
        c.execute("UPDATE executions SET status = 1 WHERE number = 2", []).expect("it runs");
        abandon(&c, 1, child(5).op, 0, &mut notices).expect("it is given up");
        put_child(&c, 1, &child(5), 0, &mut notices).expect("it is waited for");
        executions::write_end(&c, 2, &cancelled(1, "nobody waits"), &mut notices).expect("it ends");
        assert_eq!((status(&c, 2), arrived(&c)), (Status::Queued, 0));
        executions::write_end(&c, 2, &cancelled(1, "somebody's order"), &mut notices).expect("it ends");
        assert_eq!((status(&c, 2), arrived(&c)), (Status::Cancelled, 1));
    }
}
