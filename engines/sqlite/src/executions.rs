//! What is done to executions in the tables, each within a transaction.

use rusqlite::{Connection, OptionalExtension as _, params};
use workflow_runtime::fault::names::CANCELLED;
use workflow_runtime::id::InvalidId;
use workflow_runtime::machine::{Changes, FrameId, Inactive, Op, Outcome};
use workflow_runtime::value::TEXT_LIMIT;
use workflow_runtime::{Fault, Value};

use crate::beyond::{self, Child, Notice};
use crate::identity::{self, Identity};
use crate::mail::Moment;
use crate::registry::Addressed;
use crate::{codec, mail, parts};

/// What an execution does, as the table has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(i64)]
pub enum Status {
    /// It is to be started.
    Queued = 0,
    /// It has begun and not ended.
    Running = 1,
    /// It has ended well.
    Succeeded = 2,
    /// It has failed.
    Failed = 3,
    /// It was ended from outside.
    Cancelled = 4,
    /// The process ended again and again while it ran: it waits for somebody to look at it.
    Parked = 5,
}

impl Status {
    /// All of them.
    pub const ALL: [Status; 6] =
        [Status::Queued, Status::Running, Status::Succeeded, Status::Failed, Status::Cancelled, Status::Parked];

    /// Its name, for people and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Status::Queued => "queued",
            Status::Running => "running",
            Status::Succeeded => "succeeded",
            Status::Failed => "failed",
            Status::Cancelled => "cancelled",
            Status::Parked => "parked",
        }
    }

    /// The status of this name.
    pub fn named(name: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.name() == name)
    }

    /// Whether nothing more happens, as long as nobody takes it up again.
    pub fn is_over(self) -> bool {
        !matches!(self, Status::Queued | Status::Running)
    }

    pub(crate) fn of(number: i64) -> Status {
        Status::ALL.into_iter().find(|status| *status as i64 == number).unwrap_or(Status::Parked)
    }
}

/// An execution to be put in.
pub struct New {
    pub id: String,
    pub workflow: &'static str,
    pub key: Option<Key>,
    pub request: Request,
    pub created: i64,
    pub due: Option<i64>,
    pub start: Vec<u8>,
    /// The value by which events are told to be for it, if that is not its id.
    pub correlation: Option<String>,
    /// Why it is not started, unless it is there.
    pub refused: Option<Refused>,
}

/// What makes a start the same one if it is asked for twice. Keys chosen by clients and keys of
/// events live in separate columns.
pub enum Key {
    /// What who asks has chosen.
    Chosen(String),
    /// The event that starts the execution, by its source and id.
    Event(String, String),
}

/// What is asked for.
pub struct Request {
    pub identity: Identity,
    /// For executions of earlier versions: the input, and the correlation value if one was given.
    pub input: Value,
    pub correlation: Option<String>,
}

impl Request {
    pub fn new(input: &Value, correlation: Option<&str>) -> Request {
        let (identity, correlation) = (identity::of(input, correlation), correlation.map(str::to_owned));
        Request { identity, input: input.clone(), correlation }
    }

    /// Whether an execution was started with this request.
    fn is_of(&self, known: &Known) -> bool {
        match &known.identity {
            Some(identity) => identity[..] == self.identity,
            None => known.request == self.former(),
        }
    }

    /// What stood for a request before schema 6: a hash of its text.
    fn former(&self) -> i64 {
        // What was longer could not be written then, either.
        let input = self.input.to_json(TEXT_LIMIT).unwrap_or_default();
        let parts = [Some(input.as_bytes()), self.correlation.as_deref().map(str::as_bytes)];
        codec::fingerprint(&parts.into_iter().flatten().collect::<Vec<_>>())
    }
}

/// Why an execution cannot be started.
#[derive(Debug, Clone)]
pub enum Refused {
    /// Its workflow cannot be, now.
    Inactive(Inactive),
    /// It cannot have this id.
    Id(InvalidId),
}

/// What became of one.
pub enum Put {
    /// It is there now.
    New(i64),
    /// It was there before.
    Known { number: i64, id: String },
    /// The key was used for something else.
    KeyReused(String),
    /// The id was used for something else.
    IdTaken,
    /// It was not there, and cannot be started.
    Refused(Refused),
}

/// Puts in an execution, unless it is there.
pub fn put(c: &Connection, new: &New) -> rusqlite::Result<Put> {
    let known = match &new.key {
        Some(Key::Chosen(key)) => find_known(c, "key = ?2", params![new.workflow, key])?,
        Some(Key::Event(source, id)) => {
            find_known(c, "event_source = ?2 AND event_id = ?3", params![new.workflow, source, id])?
        }
        None => None,
    };
    if let Some(known) = known {
        let is_same = new.request.is_of(&known);
        let Known { number, id, .. } = known;
        return Ok(if is_same { Put::Known { number, id } } else { Put::KeyReused(id) });
    }
    if let Some(known) = find_known(c, "id = ?2", params![new.workflow, new.id])? {
        let is_same = new.request.is_of(&known);
        let Known { number, id, .. } = known;
        return Ok(if is_same { Put::Known { number, id } } else { Put::IdTaken });
    }
    if let Some(refused) = &new.refused {
        return Ok(Put::Refused(refused.clone()));
    }
    let text = "INSERT INTO executions (id, workflow, key, request, status, created, due, start, correlation, identity,
                event_source, event_id)
                VALUES (?1, ?2, ?3, 0, 0, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT (id) DO NOTHING";
    let New { id, workflow, key, request, created, due, start, correlation, refused: _ } = new;
    let (key, source, event) = match key {
        Some(Key::Chosen(key)) => (Some(key), None, None),
        Some(Key::Event(source, id)) => (None, Some(source), Some(id)),
        None => (None, None, None),
    };
    let identity = &request.identity[..];
    let values = params![id, workflow, key, created, due, start, correlation, identity, source, event];
    let made = c.prepare_cached(text)?.execute(values)?;
    Ok(if made == 1 { Put::New(c.last_insert_rowid()) } else { Put::IdTaken })
}

/// An execution that is there, and the request that it was started with.
struct Known {
    number: i64,
    id: String,
    request: i64,
    identity: Option<Vec<u8>>,
}

/// The execution of a workflow, the first value, for which this holds.
fn find_known(c: &Connection, condition: &str, values: &[&dyn rusqlite::ToSql]) -> rusqlite::Result<Option<Known>> {
    let text = format!("SELECT number, id, request, identity FROM executions WHERE workflow = ?1 AND {condition}");
    let read = |row: &rusqlite::Row<'_>| {
        Ok(Known { number: row.get(0)?, id: row.get(1)?, request: row.get(2)?, identity: row.get(3)? })
    };
    c.prepare_cached(&text)?.query_row(values, read).optional()
}

/// What a completion has changed, to be written at once.
pub struct Commit {
    pub execution: i64,
    pub changes: Changes,
    pub end: Option<End>,
    /// The run of the engine, where that is to be noted.
    pub epoch: Option<i64>,
    /// Where the execution starts: the hash of its definition, when, and when it is to end.
    pub begin: Option<(u64, i64, Option<i64>)>,
    /// Whether anything may have arrived for it.
    pub arrivals: bool,
    /// Executions that it starts, events that it sends, executions that it does not wait for any more, and those that are to
    /// end with it.
    pub children: Vec<Child>,
    pub published: Vec<Addressed>,
    pub abandoned: Vec<Op>,
    pub terminated: Vec<Op>,
    /// Whether it is about to end with the whole run: then it need not be told so any more.
    pub is_terminating: bool,
    /// Events that it has seen.
    pub seen: Vec<u64>,
    pub now: Moment,
    /// Whether it has got on, where it may have been what ended processes.
    pub survived: bool,
    /// What observers saw: so many lines, the first of them with this number.
    pub events: String,
    pub count: i64,
    pub first_event: i64,
    /// How many events are kept of one execution.
    pub events_kept: i64,
}

/// How an execution ended.
pub struct End {
    pub at: i64,
    /// As the one that waits for it is told.
    pub outcome: Outcome,
    /// What was delivered last.
    pub last: Option<(Op, Outcome)>,
}

/// Writes what a completion has changed. `None`, and nothing is written, if the execution was ended before it began.
pub fn commit(c: &Connection, commit: &Commit) -> rusqlite::Result<Option<Vec<Notice>>> {
    let (execution, mut notices) = (commit.execution, Vec::new());
    if let Some((hash, started, deadline)) = commit.begin {
        let text = "UPDATE executions SET status = 1, hash = ?2, started = coalesce(started, ?3), deadline = ?4,
                    redriven = 0 WHERE number = ?1 AND status IN (0, 1)";
        if c.prepare_cached(text)?.execute(params![execution, hash as i64, started, deadline])? == 0 {
            return Ok(None);
        }
    }
    if let Some(epoch) = commit.epoch {
        let text = "UPDATE executions SET epoch = ?2 WHERE number = ?1";
        c.prepare_cached(text)?.execute(params![execution, epoch])?;
    }
    if commit.survived {
        let text = "UPDATE executions SET crashes = 0, crashes_alone = 0, alone = NULL, tried = 0 WHERE number = ?1";
        c.prepare_cached(text)?.execute([execution])?;
    }
    match &commit.end {
        None => {
            parts::write(c, execution, &commit.changes)?;
            if commit.arrivals {
                parts::take_arrivals(c, execution, &commit.changes)?;
            }
            for child in &commit.children {
                beyond::put_child(c, execution, child, commit.now.at, &mut notices)?;
            }
            for published in &commit.published {
                mail::publish(c, published, commit.now, &mut notices)?;
            }
            for op in &commit.abandoned {
                beyond::abandon(c, execution, *op, commit.now.at, &mut notices)?;
            }
            if commit.is_terminating {
                let text = "DELETE FROM arrivals WHERE execution = ?1 AND frame = -1 AND op = 1";
                c.prepare_cached(text)?.execute([execution])?;
            }
            for op in &commit.terminated {
                beyond::terminate(c, execution, *op, commit.now.at, &mut notices)?;
            }
            mail::take(c, &commit.seen)?;
        }
        Some(end) => write_end(c, execution, end, &mut notices)?,
    }
    if commit.count > 0 {
        let text = "INSERT INTO history (execution, number, event) VALUES (?1, ?2, ?3)";
        c.prepare_cached(text)?.execute(params![execution, commit.first_event, commit.events])?;
    }
    // Many are removed at once, so that not every step has to.
    let last = commit.first_event + commit.count - 1;
    let chunk = (commit.events_kept / 16).max(1);
    let removed = last / chunk * chunk + chunk - 1 - commit.events_kept;
    if removed > 0 && last / chunk > (commit.first_event - 1) / chunk {
        // A row goes when the next one begins with what is kept, or before.
        let text = "DELETE FROM history WHERE execution = ?1 AND number <
                    (SELECT max(number) FROM history WHERE execution = ?1 AND number <= ?2 + 1)";
        c.prepare_cached(text)?.execute(params![execution, removed])?;
    }
    Ok(Some(notices))
}

/// An execution that fails keeps the parts that it had before, and the events that it had not seen then, so that it can be
/// taken up again from there.
pub fn write_end(c: &Connection, execution: i64, end: &End, notices: &mut Vec<Notice>) -> rusqlite::Result<()> {
    let (status, last) = match &end.outcome {
        Ok(_) => (Status::Succeeded, None),
        Err(fault) if fault.is_termination() => (Status::Succeeded, None),
        Err(fault) if fault.error() == Some(CANCELLED) => (Status::Cancelled, None),
        // What a task has yielded need not be brought about again; what it has failed with is.
        Err(_) => {
            let well = end.last.as_ref().filter(|(_, outcome)| outcome.is_ok());
            (Status::Failed, well.map(|(op, outcome)| codec::completion(*op, outcome)))
        }
    };
    let text = "UPDATE executions SET status = ?2, ended = ?3, outcome = ?4, last = ?5, crashes = 0, crashes_alone = 0,
                alone = NULL, tried = 0 WHERE number = ?1";
    let outcome = codec::outcome(&end.outcome);
    c.prepare_cached(text)?.execute(params![execution, status as i64, end.at, outcome, last])?;
    beyond::abandon_all(c, execution, end.at, notices)?;
    beyond::ended(c, execution, &end.outcome, notices)?;
    match status {
        // What has arrived for what the parts wait for is taken in once more; what it has failed of is not.
        Status::Failed => {
            let failed_of = end.last.as_ref().filter(|(_, outcome)| outcome.is_err()).map_or(0, |(op, _)| op.id);
            let text = "DELETE FROM arrivals WHERE execution = ?1 AND (frame = -1 OR op = ?2)";
            c.prepare_cached(text)?.execute(params![execution, failed_of as i64]).map(|_| ())
        }
        _ => parts::remove(c, execution),
    }
}

/// What arrived by a token.
pub struct Delivered {
    pub execution: i64,
    pub op: Op,
}

/// Keeps what has arrived by a token, until the execution has taken it in. `None` if nothing waits for it.
pub fn deliver(c: &Connection, token: &str, outcome: &Outcome) -> rusqlite::Result<Option<Delivered>> {
    let text = "SELECT p.execution, p.a, p.op FROM parts p JOIN executions e ON e.number = p.execution
                WHERE p.token = ?1 AND e.status = 1";
    let found: Option<(i64, u32, i64)> =
        c.prepare_cached(text)?.query_row([token], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()?;
    let Some((execution, frame, op)) = found else { return Ok(None) };
    let text = "INSERT INTO arrivals VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING";
    let new = c.prepare_cached(text)?.execute(params![execution, frame, op, codec::outcome(outcome)])?;
    Ok((new == 1).then_some(Delivered { execution, op: Op { id: op as u64, frame: FrameId(frame) } }))
}

/// Whether a task waits for an outcome by this token.
pub fn has_token(c: &Connection, token: &str) -> rusqlite::Result<bool> {
    let text = "SELECT count(*) FROM parts p JOIN executions e ON e.number = p.execution
                WHERE p.token = ?1 AND e.status = 1";
    c.prepare_cached(text)?.query_row([token], |row| row.get::<_, i64>(0)).map(|count| count > 0)
}

/// What has arrived for an execution.
#[derive(Debug, Clone, PartialEq)]
pub enum Arrived {
    Outcome(Op, Outcome),
    End(Outcome),
}

/// What has arrived for an execution, was not taken in, and is waited for.
pub fn arrivals(c: &Connection, execution: i64) -> rusqlite::Result<Vec<Arrived>> {
    let text = "SELECT a.frame, a.op, a.outcome FROM arrivals a LEFT JOIN parts p
                ON p.execution = a.execution AND p.kind = 2 AND p.a = a.frame AND p.op = a.op
                WHERE a.execution = ?1 AND (a.frame = -1 OR p.op IS NOT NULL)";
    let mut statement = c.prepare_cached(text)?;
    let read = |row: &rusqlite::Row<'_>| {
        let (frame, op): (i64, i64) = (row.get(0)?, row.get(1)?);
        let outcome = codec::read_outcome(row.get_ref(2)?.as_blob()?);
        Ok(match u32::try_from(frame) {
            Ok(frame) => Arrived::Outcome(Op { id: op as u64, frame: FrameId(frame) }, outcome),
            Err(_) => Arrived::End(outcome),
        })
    };
    statement.query_map([execution], read)?.collect()
}

/// What became of an order to an execution.
pub enum Ordered {
    /// No such execution.
    Unknown,
    /// It is not in a state in which that can be done.
    NotNow(Status),
    /// Its definition does not wait for such events.
    Unwanted,
    /// It keeps too many events.
    Full,
    /// It is done, or will be when the execution is told.
    Done(Vec<Notice>),
}

/// Ends an execution from outside: at once if it has not begun, else when it is told.
pub fn cancel(c: &Connection, id: &str, cause: &str, at: i64) -> rusqlite::Result<Ordered> {
    let Some((number, status)) = find(c, id)? else { return Ok(Ordered::Unknown) };
    let mut notices = Vec::new();
    Ok(match cancel_number(c, number, status, cause, at, &mut notices)? {
        true => Ordered::Done(notices),
        false => Ordered::NotNow(status),
    })
}

/// As [`cancel`]. Whether it has not ended before.
pub fn cancel_number(
    c: &Connection,
    number: i64,
    status: Status,
    cause: &str,
    at: i64,
    notices: &mut Vec<Notice>,
) -> rusqlite::Result<bool> {
    let end = beyond::cancelled(at, cause);
    match status {
        Status::Running => {
            let text = "INSERT INTO arrivals VALUES (?1, -1, 0, ?2) ON CONFLICT DO NOTHING";
            c.prepare_cached(text)?.execute(params![number, codec::outcome(&end.outcome)])?;
            notices.push(Notice::LookAt(number));
        }
        Status::Queued | Status::Parked => {
            write_end(c, number, &end, notices)?;
            notices.push(Notice::Ended(number));
        }
        Status::Succeeded | Status::Failed | Status::Cancelled => return Ok(false),
    }
    Ok(true)
}

/// Lets an execution end from outside when what it does is completed; at once if it does nothing.
pub fn terminate_number(
    c: &Connection,
    number: i64,
    status: Status,
    at: i64,
    notices: &mut Vec<Notice>,
) -> rusqlite::Result<()> {
    if status != Status::Running {
        let cause = "the whole run has ended";
        return cancel_number(c, number, status, cause, at, notices).map(|_| ());
    }
    let outcome = codec::outcome(&Err(Fault::terminated(Value::Null)));
    let text = "INSERT INTO arrivals VALUES (?1, -1, 1, ?2) ON CONFLICT DO NOTHING";
    c.prepare_cached(text)?.execute(params![number, outcome])?;
    notices.push(Notice::LookAt(number));
    Ok(())
}

/// Takes up an execution that has failed or was parked, from where it was.
pub fn redrive(c: &Connection, id: &str) -> rusqlite::Result<Ordered> {
    let Some((number, status)) = find(c, id)? else { return Ok(Ordered::Unknown) };
    if !matches!(status, Status::Failed | Status::Parked) {
        return Ok(Ordered::NotNow(status));
    }
    let mut notices = Vec::new();
    redrive_number(c, number, &mut notices)?;
    Ok(Ordered::Done(notices))
}

/// As [`redrive`], of one that has failed or was parked. What it waits for is taken up, too.
pub fn redrive_number(c: &Connection, number: i64, notices: &mut Vec<Notice>) -> rusqlite::Result<()> {
    let last: Option<Vec<u8>> =
        c.query_row("SELECT last FROM executions WHERE number = ?1", [number], |row| row.get(0))?;
    if let Some(Ok((op, outcome))) = last.map(|last| codec::read_completion(&last)) {
        let text = "INSERT INTO arrivals VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING";
        c.prepare_cached(text)?.execute(params![number, op.frame.0, op.id as i64, codec::outcome(&outcome)])?;
    }
    let parts: i64 = c.query_row("SELECT count(*) FROM parts WHERE execution = ?1", [number], |row| row.get(0))?;
    let status = if parts == 0 { Status::Queued } else { Status::Running };
    let text =
        "UPDATE executions SET status = ?2, ended = NULL, outcome = NULL, last = NULL, crashes = 0, crashes_alone = 0,
                due = NULL, redriven = 1, has_history = 1 WHERE number = ?1";
    c.prepare_cached(text)?.execute(params![number, status as i64])?;
    beyond::redrive_children(c, number, notices)?;
    notices.push(Notice::LookAt(number));
    Ok(())
}

/// The name of the workflow of an execution.
pub fn workflow(c: &Connection, number: i64) -> rusqlite::Result<String> {
    let text = "SELECT workflow FROM executions WHERE number = ?1";
    c.prepare_cached(text)?.query_row([number], |row| row.get(0))
}

/// The value by which events are told to be for an execution.
pub fn correlation(c: &Connection, number: i64) -> rusqlite::Result<String> {
    let text = "SELECT coalesce(correlation, id) FROM executions WHERE number = ?1";
    c.prepare_cached(text)?.query_row([number], |row| row.get(0))
}

/// An execution, by its id.
pub fn find(c: &Connection, id: &str) -> rusqlite::Result<Option<(i64, Status)>> {
    let text = "SELECT number, status FROM executions WHERE id = ?1";
    c.prepare_cached(text)?.query_row([id], |row| Ok((row.get(0)?, Status::of(row.get(1)?)))).optional()
}

/// Notes, before its code runs, that an execution runs: in this run of the engine, and whether nothing else does.
pub fn try_out(c: &Connection, number: i64, epoch: i64, alone: bool) -> rusqlite::Result<()> {
    let text = "UPDATE executions SET epoch = ?2, tried = 1, alone = ?3, was_alone = coalesce(?3, was_alone)
                WHERE number = ?1 AND status IN (0, 1)";
    c.prepare_cached(text)?.execute(params![number, epoch, alone.then_some(epoch)])?;
    Ok(())
}

/// Notes that it rests, or that others run, too.
pub fn not_alone(c: &Connection, number: i64, rests: bool) -> rusqlite::Result<()> {
    let text = "UPDATE executions SET alone = NULL, tried = tried AND NOT ?2 WHERE number = ?1";
    c.prepare_cached(text)?.execute(params![number, rests])?;
    Ok(())
}

/// Parks an execution: what it has is kept.
pub fn park(c: &Connection, number: i64, reason: &Outcome, at: i64) -> rusqlite::Result<()> {
    let text = "UPDATE executions SET status = 5, outcome = ?2, ended = ?3 WHERE number = ?1";
    c.prepare_cached(text)?.execute(params![number, codec::outcome(reason), at])?;
    Ok(())
}

/// Removes executions that ended before this time, at most so many.
pub fn purge(c: &Connection, before: i64, most: i64) -> rusqlite::Result<usize> {
    let text = "SELECT number FROM executions WHERE ended < ?1 AND +status IN (2, 3, 4) LIMIT ?2";
    let numbers: rusqlite::Result<Vec<i64>> =
        c.prepare_cached(text)?.query_map(params![before, most], |row| row.get(0))?.collect();
    let numbers = numbers?;
    for number in &numbers {
        parts::remove(c, *number)?;
        beyond::forget(c, *number)?;
        c.prepare_cached("DELETE FROM history WHERE execution = ?1")?.execute([number])?;
        c.prepare_cached("DELETE FROM executions WHERE number = ?1")?.execute([number])?;
    }
    Ok(numbers.len())
}

/// Removes the history of executions that ended before this time, of at most so many.
pub fn purge_history(c: &Connection, before: i64, most: i64) -> rusqlite::Result<usize> {
    let text = "SELECT number FROM executions WHERE has_history AND ended < ?1 AND +status IN (2, 3, 4) LIMIT ?2";
    let numbers: rusqlite::Result<Vec<i64>> =
        c.prepare_cached(text)?.query_map(params![before, most], |row| row.get(0))?.collect();
    let numbers = numbers?;
    for number in &numbers {
        c.prepare_cached("DELETE FROM history WHERE execution = ?1")?.execute([number])?;
        c.prepare_cached("UPDATE executions SET has_history = 0 WHERE number = ?1")?.execute([number])?;
    }
    Ok(numbers.len())
}
