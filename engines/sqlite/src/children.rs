//! Child executions. Each function runs within a transaction.

use std::collections::HashSet;
use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension as _, params};
use workflow_runtime::fault::names::CANCELLED;
use workflow_runtime::machine::{FrameId, Op, Outcome};
use workflow_runtime::{CloudEvent, Fault, Str, Value};

use crate::codec::{self, Stored};
use crate::executions::{self, End, Status};
use crate::inbox;

/// Value of `children.awaited`: the child is awaited, and restarts once its cancellation is
/// complete.
const RESTART_AFTER_CANCEL: i64 = 2;

/// Post-commit effect of a transaction.
#[derive(Debug)]
pub enum AfterCommit {
    /// An execution was queued.
    Queued,
    /// An outcome arrived for an operation of an execution.
    Arrived(i64, Op, Outcome),
    /// An event was stored in the inbox of an execution, under this number.
    Event(i64, u64, Arc<CloudEvent>),
    /// An order to an execution as a whole arrived, or the execution may continue.
    LookAt(i64),
    /// An execution that was not running has ended.
    Ended(i64),
    /// An event was not delivered to the execution of this id, because its inbox is full.
    InboxFull(String),
}

/// Child to start.
pub struct NewChild {
    pub op: Op,
    pub id: String,
    pub workflow: String,
    pub entry: Option<u32>,
    /// Hash of the definition, where the name alone does not identify it.
    pub hash: Option<u64>,
    pub input: Value,
    pub seed: u64,
    pub awaited: bool,
    pub correlation: Option<Str>,
    /// Set if the schedule of its workflow does not admit a start: the call completes at once,
    /// with its input.
    pub inactive: bool,
}

/// Inserts a child unless it exists.
pub fn insert_child(
    c: &Connection,
    parent: i64,
    child: &NewChild,
    now: i64,
    effects: &mut Vec<AfterCommit>,
) -> rusqlite::Result<()> {
    if let Some(existing) = find_child(c, parent, &child.id)? {
        // A parent that was cancelled and restarted asks for the same children, perhaps in another
        // order.
        let text = "UPDATE children SET op = ?2, frame = ?3, awaited = ?4 WHERE child = ?1";
        c.prepare_cached(text)?.execute(params![
            existing.child,
            child.op.id as i64,
            child.op.frame.0,
            child.awaited
        ])?;
        let waits_again = child.awaited && !existing.awaited;
        return if waits_again {
            await_again(c, parent, ExistingChild { op: child.op, ..existing }, effects)
        } else {
            Ok(())
        };
    }
    if child.inactive {
        let output = if child.awaited { child.input.clone() } else { Value::from(child.id.clone()) };
        return record_outcome(c, parent, child.op, Ok(output), effects);
    }
    let start: Vec<u8> =
        c.prepare_cached("SELECT start FROM executions WHERE number = ?1")?.query_row([parent], |row| row.get(0))?;
    let is_inserted = match Stored::read(&start) {
        Ok(of_parent) => {
            let stored = Stored { input: child.input.clone(), machine: None, seed: child.seed, ..of_parent };
            let text = "INSERT INTO executions (id, workflow, request_hash, status, created, start, hash, correlation,
                        request_identity)
                        VALUES (?1, ?2, 0, 0, ?3, ?4, ?5, ?6, X'') ON CONFLICT (id) DO NOTHING";
            let NewChild { id, workflow, hash, correlation, .. } = child;
            let hash = hash.map(|hash| hash as i64);
            let values = params![id, workflow, now, stored.write(), hash, correlation.as_deref()];
            c.prepare_cached(text)?.execute(values)? == 1
        }
        Err(_) => false,
    };
    if !is_inserted {
        let cause = format!("an execution with the id `{}` already exists", child.id);
        return record_outcome(c, parent, child.op, Err(Fault::new("Execution.IdTaken", cause)), effects);
    }
    let text = "INSERT INTO children (child, parent, op, frame, entry, awaited) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let NewChild { op, entry, awaited, .. } = child;
    let number = c.last_insert_rowid();
    c.prepare_cached(text)?.execute(params![number, parent, op.id as i64, op.frame.0, entry, awaited])?;
    effects.push(AfterCommit::Queued);
    Ok(())
}

/// Returns the entry point of an execution that runs only a part of its workflow.
pub fn entry(c: &Connection, execution: i64) -> rusqlite::Result<Option<u32>> {
    let text = "SELECT entry FROM children WHERE child = ?1";
    c.prepare_cached(text)?.query_row([execution], |row| row.get(0)).optional().map(Option::flatten)
}

/// Delivers the outcome of an ended child to its parent, if the parent awaits it. A failed parent
/// does not wait: it reads the outcome when it is redriven.
pub fn on_ended(c: &Connection, child: i64, outcome: &Outcome, effects: &mut Vec<AfterCommit>) -> rusqlite::Result<()> {
    let text = concat!(
        "SELECT c.parent, c.op, c.frame, c.awaited FROM children c JOIN executions e ON e.number = c.parent
                WHERE c.child = ?1 AND c.awaited AND e.status IN ",
        sql!(begun)
    );
    let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get::<_, i64>(1)?, row.get(2)?, row.get(3)?));
    let awaiting: Option<(i64, i64, u32, i64)> = c.prepare_cached(text)?.query_row([child], read).optional()?;
    let Some((parent, op, frame, awaited)) = awaiting else { return Ok(()) };
    let is_cancelled = matches!(outcome, Err(fault) if fault.error() == Some(CANCELLED));
    if awaited == RESTART_AFTER_CANCEL && is_cancelled {
        return restart(c, child, effects);
    }
    let op = Op { id: op as u64, frame: FrameId(frame) };
    record_outcome(c, parent, op, outcome.clone(), effects)
}

fn record_outcome(
    c: &Connection,
    execution: i64,
    op: Op,
    outcome: Outcome,
    effects: &mut Vec<AfterCommit>,
) -> rusqlite::Result<()> {
    let text = "INSERT INTO arrivals VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING";
    c.prepare_cached(text)?.execute(params![execution, op.frame.0, op.id as i64, codec::outcome(&outcome)])?;
    effects.push(AfterCommit::Arrived(execution, op, outcome));
    Ok(())
}

/// Cancels the child of an abandoned operation.
pub fn abandon(c: &Connection, parent: i64, op: Op, now: i64, effects: &mut Vec<AfterCommit>) -> rusqlite::Result<()> {
    let text = "SELECT child FROM children WHERE parent = ?1 AND op = ?2 AND awaited";
    let child = c.prepare_cached(text)?.query_row(params![parent, op.id as i64], |row| row.get(0)).optional()?;
    child.map_or(Ok(()), |child| cancel_abandoned(c, child, now, effects))
}

/// Terminates the child of an operation, because the parent terminates.
pub fn terminate(
    c: &Connection,
    parent: i64,
    op: Op,
    now: i64,
    effects: &mut Vec<AfterCommit>,
) -> rusqlite::Result<()> {
    let text = "SELECT c.child, e.status FROM children c JOIN executions e ON e.number = c.child
                WHERE c.parent = ?1 AND c.op = ?2 AND c.awaited";
    let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, Status::of(row.get(1)?)));
    let child = c.prepare_cached(text)?.query_row(params![parent, op.id as i64], read).optional()?;
    child.map_or(Ok(()), |(child, status)| executions::terminate_number(c, child, status, now, effects))
}

/// Cancels all awaited children of an ended execution.
pub fn abandon_all(c: &Connection, parent: i64, now: i64, effects: &mut Vec<AfterCommit>) -> rusqlite::Result<()> {
    let text = concat!(
        "SELECT c.child FROM children c JOIN executions e ON e.number = c.child
                WHERE c.parent = ?1 AND c.awaited AND e.status IN ",
        sql!(unfinished)
    );
    let children: rusqlite::Result<Vec<i64>> = c.prepare_cached(text)?.query_map([parent], |row| row.get(0))?.collect();
    children?.into_iter().try_for_each(|child| cancel_abandoned(c, child, now, effects))
}

fn cancel_abandoned(c: &Connection, child: i64, now: i64, effects: &mut Vec<AfterCommit>) -> rusqlite::Result<()> {
    c.prepare_cached("UPDATE children SET awaited = 0 WHERE child = ?1")?.execute([child])?;
    let status = c
        .prepare_cached("SELECT status FROM executions WHERE number = ?1")?
        .query_row([child], |row| Ok(Status::of(row.get(0)?)))?;
    let cause = "the parent execution no longer awaits the child";
    executions::cancel_number(c, child, status, cause, now, effects).map(|_| ())
}

/// Redrives the awaited children of an execution that is redriven, unless their outcomes have
/// arrived.
pub fn redrive_children(c: &Connection, parent: i64, effects: &mut Vec<AfterCommit>) -> rusqlite::Result<()> {
    let text = format!(
        "{EXISTING_CHILD} JOIN snapshot_rows p ON p.execution = c.parent AND p.kind = {frame} AND p.number = c.frame AND p.op = c.op
         WHERE c.parent = ?1 AND p.wait_kind = {child}
         AND NOT EXISTS (SELECT 1 FROM arrivals a WHERE a.execution = c.parent AND a.frame = c.frame AND a.op = c.op)",
        frame = sql!(frame),
        child = sql!(child),
    );
    let found: rusqlite::Result<Vec<ExistingChild>> =
        c.prepare_cached(&text)?.query_map([parent], ExistingChild::read)?.collect();
    for existing in found? {
        c.prepare_cached("UPDATE children SET awaited = 1 WHERE child = ?1")?.execute([existing.child])?;
        await_again(c, parent, existing, effects)?;
    }
    Ok(())
}

/// Existing child of an execution.
struct ExistingChild {
    child: i64,
    op: Op,
    awaited: bool,
    status: Status,
    outcome: Option<Vec<u8>>,
    /// Set if an order to end the child is pending.
    is_ending: bool,
}

const EXISTING_CHILD: &str = concat!(
    "SELECT c.child, c.op, c.frame, c.awaited, e.status, e.outcome,
    EXISTS (SELECT 1 FROM arrivals x WHERE x.execution = c.child AND x.frame = ",
    sql!(execution),
    ")
    FROM children c JOIN executions e ON e.number = c.child"
);

impl ExistingChild {
    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<ExistingChild> {
        Ok(ExistingChild {
            child: row.get(0)?,
            op: Op { id: row.get::<_, i64>(1)? as u64, frame: FrameId(row.get(2)?) },
            awaited: row.get(3)?,
            status: Status::of(row.get(4)?),
            outcome: row.get(5)?,
            is_ending: row.get(6)?,
        })
    }
}

fn find_child(c: &Connection, parent: i64, id: &str) -> rusqlite::Result<Option<ExistingChild>> {
    let text = format!("{EXISTING_CHILD} WHERE c.parent = ?1 AND e.id = ?2");
    c.prepare_cached(&text)?.query_row(params![parent, id], ExistingChild::read).optional()
}

/// Returns `true` if this operation of the parent has started a child.
pub fn was_started_by(c: &Connection, parent: i64, op: Op) -> rusqlite::Result<bool> {
    c.prepare_cached("SELECT 1 FROM children WHERE parent = ?1 AND op = ?2")?.exists(params![parent, op.id as i64])
}

/// Lets the parent await an existing child again.
fn await_again(
    c: &Connection,
    parent: i64,
    existing: ExistingChild,
    effects: &mut Vec<AfterCommit>,
) -> rusqlite::Result<()> {
    match existing.status {
        // The child is being cancelled, because nobody awaited it.
        Status::Running if existing.is_ending => {
            let text = "UPDATE children SET awaited = ?2 WHERE child = ?1";
            c.prepare_cached(text)?.execute(params![existing.child, RESTART_AFTER_CANCEL]).map(|_| ())
        }
        Status::Queued | Status::Running => Ok(()),
        Status::Succeeded => {
            let outcome = existing.outcome.map(|outcome| codec::read_outcome(&outcome)).unwrap_or(Ok(Value::Null));
            record_outcome(c, parent, existing.op, outcome, effects)
        }
        Status::Failed | Status::Parked => executions::redrive_number(c, existing.child, effects),
        Status::Cancelled => restart(c, existing.child, effects),
    }
}

/// Restarts a cancelled child from its input, because nothing of it is stored.
fn restart(c: &Connection, child: i64, effects: &mut Vec<AfterCommit>) -> rusqlite::Result<()> {
    let text = concat!(
        "UPDATE executions SET status = ",
        sql!(queued),
        ", started = NULL, ended = NULL, outcome = NULL, deadline = NULL,
                redriven = 0, history_epoch = NULL WHERE number = ?1"
    );
    c.prepare_cached(text)?.execute([child])?;
    c.prepare_cached("UPDATE children SET awaited = 1 WHERE child = ?1")?.execute([child])?;
    inbox::purge(c, child)?;
    effects.extend([AfterCommit::Queued, AfterCommit::LookAt(child)]);
    Ok(())
}

/// Returns the unfinished descendants of these executions.
pub fn descendants(c: &Connection, of: &HashSet<i64>) -> rusqlite::Result<HashSet<i64>> {
    let text = concat!(
        "SELECT c.child FROM children c JOIN executions e ON e.number = c.child
                WHERE c.parent = ?1 AND e.status IN ",
        sql!(active)
    );
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

/// Removes the link of an execution to its parent, and its inbox.
pub fn purge(c: &Connection, execution: i64) -> rusqlite::Result<()> {
    // The links to its own children are theirs.
    c.prepare_cached("DELETE FROM children WHERE child = ?1")?.execute([execution])?;
    inbox::purge(c, execution)
}

/// Returns the end of a cancelled execution.
pub fn cancellation(at: i64, cause: &str) -> End {
    End { at, outcome: Err(Fault::new(CANCELLED, cause.to_owned())), last: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use workflow_runtime::Object;
    use workflow_runtime::machine::FunctionLimits;

    /// Temporary folder, removed on drop.
    struct Folder(std::path::PathBuf);

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    /// Returns a database with a running execution, number 1.
    fn database(name: &str) -> (Folder, Connection) {
        let folder = std::env::temp_dir().join(format!("workflow-sqlite-children-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let connection = crate::schema::open(&folder.join("children.db")).expect("a database");
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
            jsonata_limits: None,
        };
        let text = "INSERT INTO executions (id, workflow, request_hash, status, created, start) VALUES ('p', 'w', 0, 1, 0, ?1)";
        connection.execute(text, [start.write()]).expect("an execution");
        (Folder(folder), connection)
    }

    fn child(op: u64) -> NewChild {
        let op = Op { id: op, frame: FrameId(0) };
        let (id, workflow) = ("p.1-0".to_owned(), "w".to_owned());
        let (input, correlation) = (Value::Null, None);
        NewChild {
            op,
            id,
            workflow,
            entry: None,
            hash: None,
            input,
            seed: 2,
            awaited: true,
            correlation,
            inactive: false,
        }
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
    fn a_cancelled_child_restarts_when_it_is_awaited_again() {
        let (_folder, c) = database("anew");
        let mut effects = Vec::new();
        insert_child(&c, 1, &child(5), 0, &mut effects).expect("it is put in");
        insert_child(&c, 1, &child(5), 0, &mut effects).expect("it is there");
        abandon(&c, 1, child(5).op, 0, &mut effects).expect("the child is abandoned");
        assert_eq!((status(&c, 2), arrived(&c)), (Status::Cancelled, 0));
        // The parent has restarted, too, and asks in another order.
        insert_child(&c, 1, &child(7), 0, &mut effects).expect("it is waited for");
        assert_eq!(status(&c, 2), Status::Queued);
        assert!(was_started_by(&c, 1, child(7).op).expect("a database"));
        on_ended(&c, 2, &Ok(1.into()), &mut effects).expect("it ends");
        assert!(matches!(effects.last(), Some(AfterCommit::Arrived(1, op, Ok(_))) if *op == child(7).op));
    }

    #[test]
    fn a_child_restarts_after_a_pending_cancellation() {
        let (_folder, c) = database("about");
        let mut effects = Vec::new();
        insert_child(&c, 1, &child(5), 0, &mut effects).expect("it is put in");
        c.execute("UPDATE executions SET status = 1 WHERE number = 2", []).expect("it runs");
        abandon(&c, 1, child(5).op, 0, &mut effects).expect("the child is abandoned");
        insert_child(&c, 1, &child(5), 0, &mut effects).expect("it is waited for");
        executions::write_end(&c, 2, &cancellation(1, "nobody waits"), &mut effects).expect("it ends");
        assert_eq!((status(&c, 2), arrived(&c)), (Status::Queued, 0));
        executions::write_end(&c, 2, &cancellation(1, "somebody's order"), &mut effects).expect("it ends");
        assert_eq!((status(&c, 2), arrived(&c)), (Status::Cancelled, 1));
    }
}
