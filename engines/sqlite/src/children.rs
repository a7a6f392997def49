//! Child executions. Each function runs within a transaction.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use rusqlite::{Connection, OptionalExtension as _, ToSql, params};
use workflow_runtime::coordination::lifecycle;
use workflow_runtime::coordination::link::{self, Action, Awaited, Child, FirstRequest, Transition};
use workflow_runtime::fault::names::CANCELLED;
use workflow_runtime::machine::{FrameId, Op, Outcome, Part};
use workflow_runtime::{CloudEvent, Fault, Str, Value};

use crate::codec::{self, Stored};
use crate::error::damaged;
use crate::executions::{self, End, Status};
use crate::failures::FailedChild;
use crate::{inbox, rows};

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
    /// A detached child has failed.
    ChildFailed(Box<FailedChild>),
    /// Recent events of an execution are damaged. Those that can be read are kept.
    HistoryDamaged(String),
}

/// Child to start.
pub struct NewChild {
    pub op: Op,
    pub id: String,
    pub workflow: String,
    pub part: Option<Part>,
    /// Hash of the definition, where the name alone does not identify it.
    pub hash: Option<u64>,
    pub input: Value,
    pub seed: u64,
    pub awaited: bool,
    /// Call of a detached child, without the input.
    pub call: Option<Vec<u8>>,
    pub correlation: Option<Str>,
    /// Set if the schedule of its workflow does not admit a start: the call completes at once,
    /// with its input.
    pub inactive: bool,
}

/// Start of a parent without its input, once a child has needed it: the input of a Map run is as
/// large as its items, and the run has a child for each.
pub type ParentStart = OnceLock<Stored>;

/// Starts a child, or awaits it again if it exists.
pub fn insert_child(
    c: &Connection,
    parent: i64,
    of_parent: &ParentStart,
    child: &NewChild,
    now: i64,
    effects: &mut Vec<AfterCommit>,
) -> rusqlite::Result<()> {
    let text = format!("{LINK} WHERE c.parent = ?1 AND e.id = ?2");
    if let Some(existing) = c.prepare_cached(&text)?.query_row(params![parent, child.id], Link::read).optional()? {
        // The parent may ask in another order.
        let text = "UPDATE children SET op = ?2, frame = ?3 WHERE child = ?1";
        c.prepare_cached(text)?.execute(params![existing.number, child.op.id as i64, child.op.frame.0])?;
        let link = Link { op: child.op, ..existing };
        return link.transit(c, link::requested_again(link.child, child.awaited), now, effects);
    }
    let awaited = match link::requested_first(child.awaited, !child.inactive) {
        FirstRequest::Start(awaited) => awaited,
        FirstRequest::CompleteWithInput => {
            return record_outcome(c, parent, child.op, Ok(child.input.clone()), effects);
        }
        FirstRequest::CompleteWithId => {
            return record_outcome(c, parent, child.op, Ok(child.id.clone().into()), effects);
        }
    };
    let is_inserted = match start_of(c, parent, of_parent)? {
        Some(of_parent) => {
            let stored = Stored { input: child.input.clone(), machine: None, seed: child.seed, ..of_parent.clone() };
            let text = "INSERT INTO executions (id, workflow, request_hash, status, created, start, hash, correlation,
                        request_identity)
                        VALUES (?1, ?2, 0, 0, ?3, ?4, ?5, ?6, X'') ON CONFLICT (id) DO NOTHING";
            let NewChild { id, workflow, hash, correlation, .. } = child;
            let hash = hash.map(|hash| hash as i64);
            let values = params![id, workflow, now, stored.write(), hash, correlation.as_deref()];
            c.prepare_cached(text)?.execute(values)? == 1
        }
        None => false,
    };
    if !is_inserted {
        let cause = format!("an execution with the id `{}` already exists", child.id);
        return record_outcome(c, parent, child.op, Err(Fault::new("Execution.IdTaken", cause)), effects);
    }
    let text = "INSERT INTO children (child, parent, op, frame, entry, awaited, call)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let NewChild { op, part, call, .. } = child;
    let entry = part.map(Part::to_number);
    let (number, op, frame) = (c.last_insert_rowid(), op.id as i64, op.frame.0);
    c.prepare_cached(text)?.execute(params![number, parent, op, frame, entry, column(awaited), call])?;
    effects.push(AfterCommit::Queued);
    Ok(())
}

/// Returns the start of a parent, which is read once. `None` if it is damaged.
fn start_of<'a>(c: &Connection, parent: i64, known: &'a ParentStart) -> rusqlite::Result<Option<&'a Stored>> {
    if known.get().is_none() {
        let text = "SELECT start FROM executions WHERE number = ?1";
        let start: Vec<u8> = c.prepare_cached(text)?.query_row([parent], |row| row.get(0))?;
        if let Ok(stored) = Stored::read(&start) {
            known.get_or_init(|| Stored { input: Value::Null, ..stored });
        }
    }
    Ok(known.get())
}

/// Returns the part of its workflow that an execution runs, if it does not run all of it.
pub fn part(c: &Connection, execution: i64) -> rusqlite::Result<Option<Part>> {
    let text = "SELECT entry FROM children WHERE child = ?1";
    let number: Option<Option<i64>> = c.prepare_cached(text)?.query_row([execution], |row| row.get(0)).optional()?;
    let part = |number| Part::from_number(number).ok_or_else(|| damaged("a child has an unknown part".to_owned()));
    number.flatten().map(part).transpose()
}

/// Delivers the outcome of an ended child to its parent, if the parent awaits it. Reports the
/// failure of a detached child.
pub fn on_ended(
    c: &Connection,
    child: i64,
    outcome: &Outcome,
    now: i64,
    effects: &mut Vec<AfterCommit>,
) -> rusqlite::Result<()> {
    let text = format!("{LINK} WHERE c.child = ?1");
    let Some(link) = c.prepare_cached(&text)?.query_row([child], Link::read).optional()? else { return Ok(()) };
    if link.child.awaited == Awaited::No {
        effects
            .extend(FailedChild::find(c, child, outcome, now)?.map(|failed| AfterCommit::ChildFailed(failed.into())));
        return Ok(());
    }
    let text = "SELECT status FROM executions WHERE number = ?1";
    let parent = c.prepare_cached(text)?.query_row([link.parent], |row| Ok(Status::of(row.get(0)?))).optional()?;
    let Some(parent) = parent else { return Ok(()) };
    let ended = Child { status: Status::after(outcome), ..link.child };
    let Transition { awaited, action } = link::child_ended(ended, parent);
    link.write(c, awaited)?;
    match action {
        Action::DeliverOutcome => record_outcome(c, link.parent, link.op, outcome.clone(), effects),
        action => link.act(c, action, now, effects),
    }
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
    let condition = "c.parent = ?1 AND c.op = ?2 AND c.awaited";
    transit_all(c, condition, params![parent, op.id as i64], link::abandoned, now, effects)
}

/// Terminates the child of an operation, because the parent terminates.
pub fn terminate(
    c: &Connection,
    parent: i64,
    op: Op,
    now: i64,
    effects: &mut Vec<AfterCommit>,
) -> rusqlite::Result<()> {
    let condition = "c.parent = ?1 AND c.op = ?2 AND c.awaited";
    transit_all(c, condition, params![parent, op.id as i64], link::parent_terminates, now, effects)
}

/// Cancels all awaited children of an ended execution.
pub fn abandon_all(
    c: &Connection,
    parent: i64,
    status: Status,
    now: i64,
    effects: &mut Vec<AfterCommit>,
) -> rusqlite::Result<()> {
    // Only a cancelled parent may start again, and await children that have ended.
    let condition = match status {
        Status::Cancelled => "c.parent = ?1 AND c.awaited",
        _ => concat!("c.parent = ?1 AND c.awaited AND e.status IN ", sql!(unfinished)),
    };
    transit_all(c, condition, params![parent], link::abandoned, now, effects)
}

/// Redrives the awaited children of an execution that is redriven, unless their outcomes have
/// arrived.
pub fn redrive_children(c: &Connection, parent: i64, now: i64, effects: &mut Vec<AfterCommit>) -> rusqlite::Result<()> {
    let condition = concat!(
        "c.parent = ?1 AND EXISTS (SELECT 1 FROM snapshot_rows p WHERE p.execution = c.parent AND p.kind = ",
        sql!(frame),
        " AND p.number = c.frame AND p.op = c.op AND p.wait_kind = ",
        sql!(child),
        ") AND NOT EXISTS (SELECT 1 FROM arrivals a WHERE a.execution = c.parent AND a.frame = c.frame AND a.op = c.op)"
    );
    transit_all(c, condition, params![parent], link::parent_redriven, now, effects)
}

/// Link of a child and its parent.
#[derive(Clone, Copy)]
struct Link {
    /// Number of the child.
    number: i64,
    parent: i64,
    op: Op,
    child: Child,
}

const LINK: &str = concat!(
    "SELECT c.child, c.parent, c.op, c.frame, c.awaited, e.status,
    EXISTS (SELECT 1 FROM arrivals x WHERE x.execution = c.child AND x.frame = ",
    sql!(execution),
    ")
    FROM children c JOIN executions e ON e.number = c.child"
);

/// Returns the value of the column `awaited`.
fn column(awaited: Awaited) -> i64 {
    match awaited {
        Awaited::No => 0,
        Awaited::Yes => 1,
        Awaited::RestartAfterCancel => 2,
    }
}

/// Carries out a transition of the links that meet a condition.
fn transit_all(
    c: &Connection,
    condition: &str,
    values: &[&dyn ToSql],
    transition: fn(Child) -> Transition,
    now: i64,
    effects: &mut Vec<AfterCommit>,
) -> rusqlite::Result<()> {
    let text = format!("{LINK} WHERE {condition}");
    let links: rusqlite::Result<Vec<Link>> = c.prepare_cached(&text)?.query_map(values, Link::read)?.collect();
    links?.iter().try_for_each(|link| link.transit(c, transition(link.child), now, effects))
}

impl Link {
    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Link> {
        let awaited = match row.get(4)? {
            0 => Awaited::No,
            2 => Awaited::RestartAfterCancel,
            _ => Awaited::Yes,
        };
        Ok(Link {
            number: row.get(0)?,
            parent: row.get(1)?,
            op: Op { id: row.get::<_, i64>(2)? as u64, frame: FrameId(row.get(3)?) },
            child: Child { awaited, status: Status::of(row.get(5)?), is_ending: row.get(6)? },
        })
    }

    fn transit(
        &self,
        c: &Connection,
        Transition { awaited, action }: Transition,
        now: i64,
        effects: &mut Vec<AfterCommit>,
    ) -> rusqlite::Result<()> {
        self.write(c, awaited)?;
        self.act(c, action, now, effects)
    }

    /// Writes what the link becomes.
    fn write(&self, c: &Connection, awaited: Awaited) -> rusqlite::Result<()> {
        if awaited != self.child.awaited {
            let text = "UPDATE children SET awaited = ?2 WHERE child = ?1";
            c.prepare_cached(text)?.execute(params![self.number, column(awaited)])?;
        }
        Ok(())
    }

    fn act(&self, c: &Connection, action: Action, now: i64, effects: &mut Vec<AfterCommit>) -> rusqlite::Result<()> {
        let status = self.child.status;
        match action {
            Action::Nothing => Ok(()),
            Action::DeliverOutcome => {
                let text = "SELECT outcome FROM executions WHERE number = ?1";
                let outcome: Option<Vec<u8>> = c.prepare_cached(text)?.query_row([self.number], |row| row.get(0))?;
                let outcome = outcome.map_or(Ok(Value::Null), |outcome| codec::read_outcome(&outcome));
                record_outcome(c, self.parent, self.op, outcome, effects)
            }
            // A cancelled execution with rows is an aborted run of a Map: it continues as one that
            // has failed.
            Action::Restart if rows::exist(c, self.number)? => {
                executions::redrive_number(c, self.number, Status::Failed, now, effects).map(drop)
            }
            Action::Restart => restart(c, self.number, effects),
            Action::Redrive => executions::redrive_number(c, self.number, status, now, effects).map(drop),
            Action::Cancel => {
                let end = cancellation(now, "the parent execution no longer awaits the child");
                executions::end_from_outside(c, self.number, lifecycle::cancel(status), end, effects)
            }
            Action::Terminate => {
                let end = cancellation(now, "the whole execution was terminated");
                executions::end_from_outside(c, self.number, lifecycle::terminate(status), end, effects)
            }
        }
    }
}

/// Returns `true` if this operation of the parent has started a child.
pub fn was_started_by(c: &Connection, parent: i64, op: Op) -> rusqlite::Result<bool> {
    c.prepare_cached("SELECT 1 FROM children WHERE parent = ?1 AND op = ?2")?.exists(params![parent, op.id as i64])
}

/// Returns `true` if a redrive of the parent, which has ended an execution, continues it: the
/// rows of the parent still wait for it.
pub fn continues_with_parent(c: &Connection, child: i64) -> rusqlite::Result<bool> {
    let text = concat!(
        "SELECT 1 FROM children c JOIN snapshot_rows p ON p.execution = c.parent AND p.kind = ",
        sql!(frame),
        " AND p.number = c.frame AND p.op = c.op WHERE c.child = ?1 AND c.awaited <> ?2"
    );
    c.prepare_cached(text)?.exists([child, column(Awaited::Yes)])
}

/// Restarts a cancelled child from its input, because nothing of it is stored.
fn restart(c: &Connection, child: i64, effects: &mut Vec<AfterCommit>) -> rusqlite::Result<()> {
    let text = concat!(
        "UPDATE executions SET status = ",
        sql!(queued),
        ", started = NULL, ended = NULL, outcome = NULL, deadline = NULL,
                redriven = 0, history_epoch = NULL, has_history = 1 WHERE number = ?1"
    );
    c.prepare_cached(text)?.execute([child])?;
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
            part: None,
            hash: None,
            input,
            seed: 2,
            awaited: true,
            call: None,
            correlation,
            inactive: false,
        }
    }

    fn insert(c: &Connection, child: &NewChild, now: i64, effects: &mut Vec<AfterCommit>) -> rusqlite::Result<()> {
        insert_child(c, 1, &ParentStart::new(), child, now, effects)
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
        insert(&c, &child(5), 0, &mut effects).expect("it is put in");
        insert(&c, &child(5), 0, &mut effects).expect("it is there");
        abandon(&c, 1, child(5).op, 0, &mut effects).expect("the child is abandoned");
        assert_eq!((status(&c, 2), arrived(&c)), (Status::Cancelled, 0));
        // The parent has restarted, too, and asks in another order.
        insert(&c, &child(7), 0, &mut effects).expect("it is waited for");
        assert_eq!(status(&c, 2), Status::Queued);
        assert!(was_started_by(&c, 1, child(7).op).expect("a database"));
        on_ended(&c, 2, &Ok(1.into()), 0, &mut effects).expect("it ends");
        assert!(matches!(effects.last(), Some(AfterCommit::Arrived(1, op, Ok(_))) if *op == child(7).op));
    }

    #[test]
    fn a_child_restarts_after_a_pending_cancellation() {
        let (_folder, c) = database("about");
        let mut effects = Vec::new();
        insert(&c, &child(5), 0, &mut effects).expect("it is put in");
        c.execute("UPDATE executions SET status = 1 WHERE number = 2", []).expect("it runs");
        abandon(&c, 1, child(5).op, 0, &mut effects).expect("the child is abandoned");
        // The parent asks again, and repeats that after a crash.
        insert(&c, &child(5), 0, &mut effects).expect("it is waited for");
        insert(&c, &child(5), 0, &mut effects).expect("it is waited for");
        executions::write_end(&c, 2, &cancellation(1, "nobody waits"), &mut effects).expect("it ends");
        assert_eq!((status(&c, 2), arrived(&c)), (Status::Queued, 0));
        executions::write_end(&c, 2, &cancellation(1, "somebody's order"), &mut effects).expect("it ends");
        assert_eq!((status(&c, 2), arrived(&c)), (Status::Cancelled, 1));
    }

    #[test]
    fn the_start_of_a_parent_is_read_once() {
        let (_folder, c) = database("once");
        let (mut effects, start) = (Vec::new(), ParentStart::new());
        let damage = "UPDATE executions SET start = X'' WHERE number = 1";
        for op in [5, 6] {
            let new = NewChild { id: format!("p.{op}-0"), ..child(op) };
            insert_child(&c, 1, &start, &new, 0, &mut effects).expect("it is put in");
            c.execute(damage, []).expect("the parent is there");
        }
        assert_eq!((status(&c, 2), status(&c, 3), arrived(&c)), (Status::Queued, Status::Queued, 0));
        let seed = |number: i64| {
            let text = "SELECT start FROM executions WHERE number = ?1";
            let start: Vec<u8> = c.query_row(text, [number], |row| row.get(0)).expect("a start");
            Stored::read(&start).map(|stored| (stored.account, stored.seed)).expect("it is read")
        };
        assert_eq!((seed(2), seed(3)), (("a".into(), 2), ("a".into(), 2)));
    }

    #[test]
    fn only_failures_of_children_that_are_detached_from_the_beginning_are_reported() {
        let (_folder, c) = database("detached");
        let mut effects = Vec::new();
        let (mut call, input) = (codec::tests::detached_call(), Value::from(7));
        let id = |op| format!("p.{op}-0");
        for (op, call) in [(5, None), (6, Some(codec::call(&call))), (7, Some(codec::call(&call)))] {
            let new = NewChild { id: id(op), input: input.clone(), awaited: call.is_none(), call, ..child(op) };
            insert(&c, &new, 0, &mut effects).expect("it is put in");
        }
        abandon(&c, 1, child(5).op, 0, &mut effects).expect("the child is abandoned");
        effects.clear();
        call.input = input;
        for (number, outcome, expected) in [
            (2, Err(Fault::new("Spilled", "it")), None),
            (3, Ok(Value::Null), None),
            (3, Err(Fault::terminated(Value::Null)), None),
            (3, Err(Fault::new("Spilled", "it")), Some(&call)),
            (4, cancellation(1, "an order").outcome, Some(&call)),
        ] {
            on_ended(&c, number, &outcome, 9, &mut effects).expect("it ends");
            let found = effects.pop();
            let found = found.as_ref().map(|effect| match effect {
                AfterCommit::ChildFailed(failed) => &failed.call,
                other => panic!("{other:?}"),
            });
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_restarted_parent_gets_the_outcome_of_a_child_that_has_succeeded() {
        let (_folder, c) = database("ended");
        let mut effects = Vec::new();
        insert(&c, &child(5), 0, &mut effects).expect("it is put in");
        let end = End { at: 1, outcome: Ok("well".into()), last: None };
        executions::write_end(&c, 2, &end, &mut effects).expect("it ends");
        executions::write_end(&c, 1, &cancellation(2, "an order"), &mut effects).expect("the parent ends");
        assert_eq!((status(&c, 1), arrived(&c)), (Status::Cancelled, 0));
        c.execute("UPDATE executions SET status = 1 WHERE number = 1", []).expect("it runs again");
        insert(&c, &child(3), 3, &mut effects).expect("it is waited for");
        assert_eq!((status(&c, 2), arrived(&c)), (Status::Succeeded, 1));
        let Some(AfterCommit::Arrived(1, op, Ok(output))) = effects.last() else { panic!("{effects:?}") };
        assert_eq!((*op, output), (child(3).op, &Value::from("well")));
    }

    #[test]
    fn a_run_that_its_failed_parent_has_aborted_keeps_its_rows() {
        // The execution that ends, and its error.
        for (number, error, is_kept) in [(1, CANCELLED, false), (1, "Spilled", true), (2, CANCELLED, false)] {
            let (_folder, c) = database(&format!("aborted-{number}-{is_kept}"));
            insert(&c, &child(1), 0, &mut Vec::new()).expect("a child");
            let rows = r#"UPDATE executions SET status = 5 WHERE number = 2;
                        INSERT INTO snapshot_rows (execution, kind, number, position, data, op, wait_kind, detail)
                        VALUES (1, 2, 0, 0, X'', 1, 5, ''),
                               (2, 2, 0, 0, X'', 0, 7, '{"pending":1,"running":2,"succeeded":3,"failed":4}')"#;
            c.execute_batch(rows).expect("rows");
            let end = End { at: 1, outcome: Err(Fault::new(error, "")), last: None };
            executions::write_end(&c, number, &end, &mut Vec::new()).expect("an end");
            assert_eq!((status(&c, 2), rows::exist(&c, 2)), (Status::Cancelled, Ok(is_kept)), "{number} {error}");
        }
    }
}
