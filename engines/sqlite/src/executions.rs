//! Operations on executions in the tables, each within a transaction.

use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension as _, params};
use workflow_runtime::coordination::RoutedEvent;
use workflow_runtime::coordination::lifecycle::{self, End as Ending};
pub use workflow_runtime::engine::Status;
use workflow_runtime::engine::identity::{self, RequestIdentity};
use workflow_runtime::engine::{MapCounts, MapUpdate};
use workflow_runtime::id::InvalidId;
use workflow_runtime::machine::{Changes, FrameId, Inactive, Op, Outcome, Part};
use workflow_runtime::value::TEXT_LIMIT;
use workflow_runtime::{CloudEvent, Fault, Value};

use crate::children::{self, AfterCommit, NewChild, ParentStart};
use crate::inbox::Moment;
use crate::runs::{self, EngineRun};
use crate::{codec, history, inbox, removal, rows};

/// Values of `arrivals.op` of an order to the execution as a whole.
pub const END_NOW: i64 = 0;
pub const TERMINATE: i64 = 1;

/// Value of `arrivals.frame` of the changes of a run of a distributed Map.
pub const UPDATE: i64 = -2;

/// Execution to be inserted.
pub struct NewExecution {
    pub id: String,
    pub workflow: &'static str,
    pub key: Option<Key>,
    pub request: Request,
    pub created: i64,
    pub due: Option<i64>,
    pub start: Vec<u8>,
    /// Correlation key, if it is not the id.
    pub correlation: Option<String>,
    /// Reason to refuse the start, unless the execution exists already.
    pub refused: Option<Refusal>,
}

/// Idempotency key of a start. Keys of clients and of start events live in separate columns.
pub enum Key {
    /// Chosen by the client.
    Chosen(String),
    /// Source and id of the start event.
    Event(String, String),
}

/// Start request, to recognize a repetition.
pub struct Request {
    pub identity: RequestIdentity,
    /// For executions of earlier versions: the input, and the correlation key if the request had
    /// one.
    pub input: Value,
    pub correlation: Option<String>,
}

impl Request {
    pub fn new(input: &Value, correlation: Option<&str>) -> Request {
        let (identity, correlation) = (identity::of(input, correlation), correlation.map(str::to_owned));
        Request { identity, input: input.clone(), correlation }
    }

    /// Returns `true` if the execution was started with this request.
    fn is_of(&self, known: &ExistingExecution) -> bool {
        match &known.identity {
            Some(identity) => identity[..] == self.identity,
            None => known.request == self.legacy_hash(),
        }
    }

    /// Returns the hash of the request's text that versions before schema 6 stored.
    fn legacy_hash(&self) -> i64 {
        // Earlier versions could not store a longer text either.
        let input = self.input.to_json(TEXT_LIMIT).unwrap_or_default();
        let parts = [Some(input.as_bytes()), self.correlation.as_deref().map(str::as_bytes)];
        codec::fingerprint(&parts.into_iter().flatten().collect::<Vec<_>>())
    }
}

/// Reason why an execution cannot be started.
#[derive(Debug, Clone)]
pub enum Refusal {
    /// The workflow's schedule does not admit a start now.
    Inactive(Inactive),
    /// The id is invalid.
    Id(InvalidId),
}

/// Result of an insertion.
pub enum Inserted {
    /// Inserted under this number.
    New(i64),
    /// The same request was made before.
    Known { number: i64, id: String },
    /// The key belongs to another request.
    KeyReused(String),
    /// The id belongs to another request.
    IdTaken,
    /// No such execution exists, and it cannot be started.
    Refused(Refusal),
}

/// Inserts an execution unless it exists.
pub fn insert(c: &Connection, new: &NewExecution) -> rusqlite::Result<Inserted> {
    let known = match &new.key {
        Some(Key::Chosen(key)) => find_existing(c, "key = ?2", params![new.workflow, key])?,
        Some(Key::Event(source, id)) => {
            find_existing(c, "event_source = ?2 AND event_id = ?3", params![new.workflow, source, id])?
        }
        None => None,
    };
    if let Some(known) = known {
        let is_same = new.request.is_of(&known);
        let ExistingExecution { number, id, .. } = known;
        return Ok(if is_same { Inserted::Known { number, id } } else { Inserted::KeyReused(id) });
    }
    if let Some(known) = find_existing(c, "id = ?2", params![new.workflow, new.id])? {
        let is_same = new.request.is_of(&known);
        let ExistingExecution { number, id, .. } = known;
        return Ok(if is_same { Inserted::Known { number, id } } else { Inserted::IdTaken });
    }
    if let Some(refused) = &new.refused {
        return Ok(Inserted::Refused(refused.clone()));
    }
    let text = "INSERT INTO executions (id, workflow, key, request_hash, status, created, due, start, correlation,
                request_identity, event_source, event_id)
                VALUES (?1, ?2, ?3, 0, 0, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT (id) DO NOTHING";
    let NewExecution { id, workflow, key, request, created, due, start, correlation, refused: _ } = new;
    let (key, source, event) = match key {
        Some(Key::Chosen(key)) => (Some(key), None, None),
        Some(Key::Event(source, id)) => (None, Some(source), Some(id)),
        None => (None, None, None),
    };
    let identity = &request.identity[..];
    let values = params![id, workflow, key, created, due, start, correlation, identity, source, event];
    let inserted = c.prepare_cached(text)?.execute(values)?;
    Ok(if inserted == 1 { Inserted::New(c.last_insert_rowid()) } else { Inserted::IdTaken })
}

/// Existing execution, and the request that started it.
struct ExistingExecution {
    number: i64,
    id: String,
    request: i64,
    identity: Option<Vec<u8>>,
}

/// Finds the execution of a workflow that meets a condition. The first value is the workflow.
fn find_existing(
    c: &Connection,
    condition: &str,
    values: &[&dyn rusqlite::ToSql],
) -> rusqlite::Result<Option<ExistingExecution>> {
    let text = format!(
        "SELECT number, id, request_hash, request_identity FROM executions WHERE workflow = ?1 AND {condition}"
    );
    let read = |row: &rusqlite::Row<'_>| {
        Ok(ExistingExecution { number: row.get(0)?, id: row.get(1)?, request: row.get(2)?, identity: row.get(3)? })
    };
    c.prepare_cached(&text)?.query_row(values, read).optional()
}

/// Changes of one turn, committed at once.
pub struct Commit {
    pub execution: i64,
    pub changes: Changes,
    /// Number of the turn.
    pub turn: u64,
    /// Set if the definition has events.
    pub listens: bool,
    /// Numbers of items, if the execution is a run of a distributed Map.
    pub items: Option<MapCounts>,
    pub end: Option<End>,
    /// Engine run, if it has to be recorded.
    pub run: Option<EngineRun>,
    /// Of an execution that starts: the hash of its definition, the start time, and the deadline.
    pub begin: Option<(u64, i64, Option<i64>)>,
    /// Set if outcomes may have arrived for the execution.
    pub arrivals: bool,
    /// Children to start, events to publish, children to abandon, and children to terminate.
    pub children: Vec<NewChild>,
    pub published: Vec<RoutedEvent>,
    pub abandoned: Vec<Op>,
    pub terminated: Vec<Op>,
    /// Start of the execution, for its children.
    pub start: Arc<ParentStart>,
    /// Set if the execution is terminating: the order to do so is obsolete then.
    pub is_terminating: bool,
    /// Numbers of the events that it has processed.
    pub seen: Vec<u64>,
    /// Set if a suspected execution has made progress.
    pub has_progressed: bool,
    /// Events for the history, of which this many are kept.
    pub history: history::Added,
    pub events_kept: i64,
    /// Where the history continued after the last commit.
    pub newest: Option<history::Newest>,
}

/// End of an execution.
pub struct End {
    pub at: i64,
    /// Outcome as the awaiting execution receives it.
    pub outcome: Outcome,
    /// Last completion.
    pub last: Option<(Op, Outcome)>,
}

/// Result of a commit.
pub struct Committed {
    pub effects: Vec<AfterCommit>,
    /// Where the history continues.
    pub newest: Option<history::Newest>,
}

/// Writes the changes of one turn. Returns `None` and writes nothing if the execution was ended
/// before it began.
pub fn commit(c: &Connection, commit: &Commit, now: Moment) -> rusqlite::Result<Option<Committed>> {
    let (execution, mut effects) = (commit.execution, Vec::new());
    if let Some((hash, started, deadline)) = commit.begin {
        let text = concat!(
            "UPDATE executions SET status = ",
            sql!(running),
            ", hash = ?2, started = coalesce(started, ?3), deadline = ?4,
                    redriven = 0 WHERE number = ?1 AND status IN ",
            sql!(active)
        );
        if c.prepare_cached(text)?.execute(params![execution, hash as i64, started, deadline])? == 0 {
            return Ok(None);
        }
    }
    if let Some(run) = commit.run {
        runs::record(c, execution, run)?;
    }
    if commit.has_progressed {
        let text = "UPDATE executions SET crashes = 0, quarantine_crashes = 0, quarantine_epoch = NULL, entered = 0
                    WHERE number = ?1";
        c.prepare_cached(text)?.execute([execution])?;
    }
    match &commit.end {
        None => {
            if commit.items.is_some() {
                removal::remove_taken(c, execution, &commit.changes)?;
            }
            rows::write(c, execution, &commit.changes, commit.listens, commit.turn)?;
            if commit.arrivals {
                rows::remove_arrivals(c, execution, &commit.changes)?;
            }
            for child in &commit.children {
                children::insert_child(c, execution, &commit.start, child, now.at, &mut effects)?;
            }
            for published in &commit.published {
                inbox::publish(c, published, now, &mut effects)?;
            }
            for op in &commit.abandoned {
                children::abandon(c, execution, *op, now.at, &mut effects)?;
            }
            if commit.is_terminating {
                let text = concat!(
                    "DELETE FROM arrivals WHERE execution = ?1 AND frame = ",
                    sql!(execution),
                    " AND op = ",
                    sql!(terminate)
                );
                c.prepare_cached(text)?.execute([execution])?;
            }
            for op in &commit.terminated {
                children::terminate(c, execution, *op, now.at, &mut effects)?;
            }
            inbox::remove(c, &commit.seen)?;
        }
        Some(end) => {
            let added = history::add(c, execution, &commit.history, None, commit.events_kept, true)?;
            effects.extend(added.damage.map(AfterCommit::HistoryDamaged));
            write_outcome(c, execution, end, commit.items, &mut effects)?;
            if commit.items.is_some() && end.outcome.is_ok() {
                removal::remove_ended(c, execution)?;
            }
            removal::remove_orphan(c, execution)?;
            return Ok(Some(Committed { effects, newest: None }));
        }
    }
    let added = history::add(c, execution, &commit.history, commit.newest.as_ref(), commit.events_kept, false)?;
    effects.extend(added.damage.map(AfterCommit::HistoryDamaged));
    Ok(Some(Committed { effects, newest: added.newest }))
}

/// Writes the end of an execution that is not loaded. A failed execution keeps its last snapshot
/// and inbox, so that it can be redriven.
pub fn write_end(c: &Connection, execution: i64, end: &End, effects: &mut Vec<AfterCommit>) -> rusqlite::Result<()> {
    // The row that points to the recent events is removed.
    effects.extend(history::settle(c, execution)?.map(AfterCommit::HistoryDamaged));
    let items = rows::items(c, execution)?.map(MapCounts::ended);
    write_outcome(c, execution, end, items, effects)
}

/// Writes the end of an execution without recent events.
fn write_outcome(
    c: &Connection,
    execution: i64,
    end: &End,
    items: Option<MapCounts>,
    effects: &mut Vec<AfterCommit>,
) -> rusqlite::Result<()> {
    let status = Status::after(&end.outcome);
    // A redrive repeats a failed task, but not a successful one.
    let last = end.last.as_ref().filter(|(_, outcome)| status.keeps_records() && outcome.is_ok());
    let last = last.map(|(op, outcome)| codec::completion(*op, outcome));
    let text = "UPDATE executions SET status = ?2, ended = ?3, outcome = ?4, last_completion = ?5, crashes = 0,
                quarantine_crashes = 0, quarantine_epoch = NULL, entered = 0, items = ?6 WHERE number = ?1";
    let (outcome, items) =
        (codec::outcome(&end.outcome), items.and_then(|items| items.to_value().to_json(TEXT_LIMIT).ok()));
    c.prepare_cached(text)?.execute(params![execution, status as i64, end.at, outcome, last, items])?;
    // A run of a Map that its parent has aborted continues when that is redriven.
    let is_aborted = items.is_some() && status == Status::Cancelled;
    match status.keeps_records() || is_aborted && children::continues_with_parent(c, execution)? {
        // A redrive processes other arrivals again, but not the failure itself. Changes of a Map
        // run have no operation.
        true => {
            let failed_of = end.last.as_ref().filter(|(_, outcome)| outcome.is_err()).map_or(0, |(op, _)| op.id);
            let text = concat!(
                "DELETE FROM arrivals WHERE execution = ?1 AND (frame = ",
                sql!(execution),
                " OR (frame >= 0 AND op = ?2))"
            );
            c.prepare_cached(text)?.execute(params![execution, failed_of as i64])?;
        }
        false => rows::remove(c, execution)?,
    }
    children::abandon_all(c, execution, status, end.at, effects)?;
    children::on_ended(c, execution, &end.outcome, end.at, effects)
}

/// Outcome that arrived by a token.
pub struct Delivered {
    pub execution: i64,
    pub op: Op,
}

/// Stores an outcome that arrived by token. Returns `None` if no task waits for it.
pub fn deliver(c: &Connection, token: &str, outcome: &Outcome) -> rusqlite::Result<Option<Delivered>> {
    let text = concat!(
        "SELECT p.execution, p.number, p.op FROM snapshot_rows p JOIN executions e ON e.number = p.execution
                WHERE p.token = ?1 AND e.status = ",
        sql!(running)
    );
    let found: Option<(i64, u32, i64)> =
        c.prepare_cached(text)?.query_row([token], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()?;
    let Some((execution, frame, op)) = found else { return Ok(None) };
    let text = "INSERT INTO arrivals VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING";
    let new = c.prepare_cached(text)?.execute(params![execution, frame, op, codec::outcome(outcome)])?;
    Ok((new == 1).then_some(Delivered { execution, op: Op { id: op as u64, frame: FrameId(frame) } }))
}

/// Returns `true` if the token is one of the execution of this id, and a task waits for an outcome
/// by it.
pub fn is_token_of(c: &Connection, token: &str, id: &str) -> rusqlite::Result<bool> {
    let text = concat!(
        "SELECT 1 FROM snapshot_rows p JOIN executions e ON e.number = p.execution
         WHERE p.token = ?1 AND e.id = ?2 AND e.status = ",
        sql!(running)
    );
    c.prepare_cached(text)?.exists([token, id])
}

/// Returns `true` if a task waits for an outcome by this token.
pub fn has_token(c: &Connection, token: &str) -> rusqlite::Result<bool> {
    let text = concat!(
        "SELECT count(*) FROM snapshot_rows p JOIN executions e ON e.number = p.execution
                WHERE p.token = ?1 AND e.status = ",
        sql!(running)
    );
    c.prepare_cached(text)?.query_row([token], |row| row.get::<_, i64>(0)).map(|count| count > 0)
}

/// Arrival for an execution.
#[derive(Debug, Clone, PartialEq)]
pub enum Arrived {
    Outcome(Op, Outcome),
    End(Outcome),
    /// Changes of a run of a distributed Map. They stay.
    Update(MapUpdate),
}

/// Returns the arrivals that an execution has not processed and still waits for.
pub fn arrivals(c: &Connection, execution: i64) -> rusqlite::Result<Vec<Arrived>> {
    let text = concat!(
        "SELECT a.frame, a.op, a.outcome FROM arrivals a LEFT JOIN snapshot_rows p
                ON p.execution = a.execution AND p.kind = ",
        sql!(frame),
        " AND p.number = a.frame AND p.op = a.op
                WHERE a.execution = ?1 AND (a.frame = ",
        sql!(execution),
        " OR a.frame = ",
        sql!(update),
        " OR p.op IS NOT NULL)"
    );
    let mut statement = c.prepare_cached(text)?;
    let read = |row: &rusqlite::Row<'_>| {
        let (frame, op): (i64, i64) = (row.get(0)?, row.get(1)?);
        let outcome = codec::read_outcome(row.get_ref(2)?.as_blob()?);
        Ok(match u32::try_from(frame) {
            Ok(frame) => Arrived::Outcome(Op { id: op as u64, frame: FrameId(frame) }, outcome),
            Err(_) if frame == UPDATE => Arrived::Update(map_update(&outcome).unwrap_or_default()),
            Err(_) => Arrived::End(outcome),
        })
    };
    statement.query_map([execution], read)?.collect()
}

/// Reads stored changes of a run.
pub fn map_update(outcome: &Outcome) -> Option<MapUpdate> {
    MapUpdate::from_value(outcome.as_ref().ok()?).ok()
}

/// Result of a command to an execution.
pub enum CommandResult {
    /// Unknown execution.
    Unknown,
    /// The execution's status does not allow the command.
    NotNow(Status),
    /// The definition does not wait for this event, or not with this correlation key of the
    /// execution.
    Unwanted { event: Arc<CloudEvent>, workflow: String, correlation: String },
    /// The inbox is full.
    Full,
    /// The execution is not the run of a distributed Map.
    NoMapRun,
    /// The command is durable; the effects complete it.
    Done(Vec<AfterCommit>),
}

/// Cancels an execution: at once if it has not begun, otherwise when the scheduler delivers the
/// order.
pub fn cancel(c: &Connection, id: &str, cause: &str, at: i64) -> rusqlite::Result<CommandResult> {
    let Some((number, status)) = find(c, id)? else { return Ok(CommandResult::Unknown) };
    let (mut effects, how) = (Vec::new(), lifecycle::cancel(status));
    end_from_outside(c, number, how, children::cancellation(at, cause), &mut effects)?;
    Ok(if how == Ending::Nothing { CommandResult::NotNow(status) } else { CommandResult::Done(effects) })
}

/// Ends an execution from outside. `end` is its end if it is ended at once, or in order to be.
pub fn end_from_outside(
    c: &Connection,
    number: i64,
    how: Ending,
    end: End,
    effects: &mut Vec<AfterCommit>,
) -> rusqlite::Result<()> {
    let (op, outcome) = match how {
        Ending::OrderCancel => (END_NOW, end.outcome),
        Ending::OrderTerminate => (TERMINATE, Err(Fault::terminated(Value::Null))),
        Ending::Now => {
            write_end(c, number, &end, effects)?;
            effects.push(AfterCommit::Ended(number));
            return Ok(());
        }
        Ending::Nothing => return Ok(()),
    };
    let text = concat!("INSERT INTO arrivals VALUES (?1, ", sql!(execution), ", ?2, ?3) ON CONFLICT DO NOTHING");
    c.prepare_cached(text)?.execute(params![number, op, codec::outcome(&outcome)])?;
    effects.push(AfterCommit::LookAt(number));
    Ok(())
}

/// Redrives an execution that has failed or was parked.
pub fn redrive(c: &Connection, id: &str, at: i64) -> rusqlite::Result<CommandResult> {
    let Some((number, status)) = find(c, id)? else { return Ok(CommandResult::Unknown) };
    let mut effects = Vec::new();
    Ok(match redrive_number(c, number, status, at, &mut effects)? {
        true => CommandResult::Done(effects),
        false => CommandResult::NotNow(status),
    })
}

/// Redrives an execution by number, and the children that it awaits. Returns `false` if its status
/// does not allow that.
pub fn redrive_number(
    c: &Connection,
    number: i64,
    status: Status,
    at: i64,
    effects: &mut Vec<AfterCommit>,
) -> rusqlite::Result<bool> {
    let Some(status) = lifecycle::redrive(status, rows::exist(c, number)?) else { return Ok(false) };
    let last: Option<Vec<u8>> =
        c.query_row("SELECT last_completion FROM executions WHERE number = ?1", [number], |row| row.get(0))?;
    if let Some(Ok((op, outcome))) = last.map(|last| codec::read_completion(&last)) {
        let text = "INSERT INTO arrivals VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING";
        c.prepare_cached(text)?.execute(params![number, op.frame.0, op.id as i64, codec::outcome(&outcome)])?;
    }
    let text = "UPDATE executions SET status = ?2, ended = NULL, outcome = NULL, last_completion = NULL, crashes = 0,
                quarantine_crashes = 0, due = NULL, redriven = 1, has_history = 1 WHERE number = ?1";
    c.prepare_cached(text)?.execute(params![number, status as i64])?;
    if matches!(children::part(c, number)?, Some(Part::Map(_))) {
        remove_failures(c, number)?;
    }
    children::redrive_children(c, number, at, effects)?;
    effects.push(AfterCommit::LookAt(number));
    Ok(true)
}

/// Removes the failures that have arrived at a run of a distributed Map and were not processed:
/// its children are redriven instead. There are at most as many as children at once.
fn remove_failures(c: &Connection, run: i64) -> rusqlite::Result<()> {
    let text = "SELECT op, outcome FROM arrivals WHERE execution = ?1 AND frame >= 0";
    let mut statement = c.prepare_cached(text)?;
    let arrived = statement.query_map([run], |row| {
        let outcome = codec::read_outcome(row.get_ref(1)?.as_blob()?);
        Ok((row.get::<_, i64>(0)?, outcome.is_err()))
    })?;
    let arrived: rusqlite::Result<Vec<(i64, bool)>> = arrived.collect();
    let mut remove = c.prepare_cached("DELETE FROM arrivals WHERE execution = ?1 AND op = ?2 AND frame >= 0")?;
    for (op, _) in arrived?.into_iter().filter(|(_, failed)| *failed) {
        remove.execute(params![run, op])?;
    }
    Ok(())
}

/// Returns the workflow name of an execution.
pub fn workflow(c: &Connection, number: i64) -> rusqlite::Result<String> {
    let text = "SELECT workflow FROM executions WHERE number = ?1";
    c.prepare_cached(text)?.query_row([number], |row| row.get(0))
}

/// Returns the correlation key of an execution.
pub fn correlation(c: &Connection, number: i64) -> rusqlite::Result<String> {
    let text = "SELECT coalesce(correlation, id) FROM executions WHERE number = ?1";
    c.prepare_cached(text)?.query_row([number], |row| row.get(0))
}

/// Finds an execution by id.
pub fn find(c: &Connection, id: &str) -> rusqlite::Result<Option<(i64, Status)>> {
    let text = "SELECT number, status FROM executions WHERE id = ?1";
    c.prepare_cached(text)?.query_row([id], |row| Ok((row.get(0)?, Status::of(row.get(1)?)))).optional()
}

/// Records, before the execution's code runs, that this engine run enters it, and whether in
/// quarantine.
pub fn mark_entered(c: &Connection, number: i64, epoch: i64, alone: bool) -> rusqlite::Result<()> {
    let text = concat!(
        "UPDATE executions SET epoch = ?2, entered = 1, quarantine_epoch = ?3,
                last_quarantine_epoch = coalesce(?3, last_quarantine_epoch)
                WHERE number = ?1 AND status IN ",
        sql!(active)
    );
    c.prepare_cached(text)?.execute(params![number, epoch, alone.then_some(epoch)])?;
    Ok(())
}

/// Records that an execution has left quarantine: it is at rest (`rests`), or others run as well.
pub fn leave_quarantine(c: &Connection, number: i64, rests: bool) -> rusqlite::Result<()> {
    let text = "UPDATE executions SET quarantine_epoch = NULL, entered = entered AND NOT ?2 WHERE number = ?1";
    c.prepare_cached(text)?.execute(params![number, rests])?;
    Ok(())
}

/// Parks an execution, and keeps its snapshot.
pub fn park(c: &Connection, number: i64, reason: &Outcome, at: i64) -> rusqlite::Result<()> {
    let text = concat!("UPDATE executions SET status = ", sql!(parked), ", outcome = ?2, ended = ?3 WHERE number = ?1");
    c.prepare_cached(text)?.execute(params![number, codec::outcome(reason), at])?;
    Ok(())
}

/// Removes at most `most` executions that ended before this time. Returns how many.
pub fn purge(c: &Connection, before: i64, most: i64) -> rusqlite::Result<usize> {
    let text = concat!("SELECT number FROM executions WHERE ended < ?1 AND +status IN ", sql!(ended), " LIMIT ?2");
    let numbers: rusqlite::Result<Vec<i64>> =
        c.prepare_cached(text)?.query_map(params![before, most], |row| row.get(0))?.collect();
    let numbers = numbers?;
    numbers.iter().try_for_each(|number| removal::remove(c, *number))?;
    if !numbers.is_empty() {
        history::remove_purged(c)?;
    }
    Ok(numbers.len())
}

/// Removes the history of at most `most` executions that ended before this time. Returns how many.
pub fn purge_history(c: &Connection, before: i64, most: i64) -> rusqlite::Result<usize> {
    let text = concat!(
        "SELECT number FROM executions WHERE has_history AND ended < ?1 AND +status IN ",
        sql!(ended),
        " LIMIT ?2"
    );
    let numbers: rusqlite::Result<Vec<i64>> =
        c.prepare_cached(text)?.query_map(params![before, most], |row| row.get(0))?.collect();
    let numbers = numbers?;
    for number in &numbers {
        history::remove(c, *number)?;
        c.prepare_cached("UPDATE executions SET has_history = 0 WHERE number = ?1")?.execute([number])?;
    }
    if !numbers.is_empty() {
        history::remove_purged(c)?;
    }
    Ok(numbers.len())
}
