//! The parts of executions in their table: what a completion has changed, and what is restored.

use std::borrow::Cow;

use rusqlite::{Connection, Row as SqlRow, params};
use workflow_runtime::Timestamp;
use workflow_runtime::machine::{Changes, FrameId, Row, StoredRow, Target, Waiting, WaitsFor};

/// Where a part is in the table.
fn place(row: Row) -> (i64, i64, i64) {
    match row {
        Row::Header => (0, 0, 0),
        Row::Progress => (1, 0, 0),
        Row::Frame(frame) => (FRAME, frame.0.into(), 0),
        Row::Output { of, index } => (3, of.0.into(), index.into()),
        Row::Shared(number) => (4, number as i64, 0),
        Row::Event(number) => (EVENT, number as i64, 0),
    }
}

/// The kind of frames.
pub const FRAME: i64 = 2;

/// The kind of events that are kept.
pub const EVENT: i64 = 5;

/// What a frame waits for, as the table has it.
pub mod waits {
    /// The outcome of a task that is under way.
    pub const TASK: i64 = 0;
    /// A time.
    pub const TIME: i64 = 1;
    /// An outcome by token; the task has handed its work over.
    pub const TOKEN: i64 = 2;
    /// Branches or iterations.
    pub const BRANCHES: i64 = 3;
    /// An event.
    pub const EVENT: i64 = 4;
    /// An execution that it has started.
    pub const CHILD: i64 = 5;
    /// Nothing: it goes on at once, when what it asks for is written.
    pub const WRITTEN: i64 = 6;
}

fn row(kind: i64, a: i64, b: i64) -> Option<Row> {
    Some(match kind {
        0 => Row::Header,
        1 => Row::Progress,
        FRAME => Row::Frame(FrameId(a.try_into().ok()?)),
        3 => Row::Output { of: FrameId(a.try_into().ok()?), index: b.try_into().ok()? },
        4 => Row::Shared(a as u64),
        EVENT => Row::Event(a as u64),
        _ => return None,
    })
}

/// All parts of an execution.
pub fn read(connection: &Connection, execution: i64) -> rusqlite::Result<Vec<StoredRow>> {
    let mut statement = connection.prepare_cached("SELECT kind, a, b, data FROM parts WHERE execution = ?1")?;
    let part = |found: &SqlRow<'_>| Ok((row(found.get(0)?, found.get(1)?, found.get(2)?), found.get(3)?));
    let parts: rusqlite::Result<Vec<(Option<Row>, Vec<u8>)>> = statement.query_map([execution], part)?.collect();
    Ok(parts?.into_iter().filter_map(|(row, data)| Some((row?, data))).collect())
}

/// Writes what has changed.
pub fn write(connection: &Connection, execution: i64, changes: &Changes) -> rusqlite::Result<()> {
    for frame in &changes.joined {
        let text = "DELETE FROM parts WHERE execution = ?1 AND kind = 3 AND a = ?2";
        connection.prepare_cached(text)?.execute(params![execution, frame.0])?;
    }
    // In the order of the frames that are written.
    let mut waiting = changes.waiting.iter();
    for (row, data) in &changes.rows {
        let (kind, a, b) = place(*row);
        match (data, row) {
            (None, _) => {
                let text = "DELETE FROM parts WHERE execution = ?1 AND kind = ?2 AND a = ?3 AND b = ?4";
                connection.prepare_cached(text)?.execute(params![execution, kind, a, b])?;
            }
            (Some(data), Row::Frame(frame)) => {
                write_frame(connection, execution, *frame, data, waiting.next())?;
            }
            (Some(data), _) => {
                let text = "INSERT INTO parts (execution, kind, a, b, data) VALUES (?1, ?2, ?3, ?4, ?5)
                            ON CONFLICT (execution, kind, a, b) DO UPDATE SET data = excluded.data";
                connection.prepare_cached(text)?.execute(params![execution, kind, a, b, data])?;
            }
        }
    }
    Ok(())
}

fn write_frame(
    connection: &Connection,
    execution: i64,
    frame: FrameId,
    data: &[u8],
    waiting: Option<&Waiting>,
) -> rusqlite::Result<()> {
    let text = "INSERT INTO parts (execution, kind, a, b, data, op, state, waits, detail, wake, token)
                VALUES (?1, 2, ?2, 0, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
                ON CONFLICT (execution, kind, a, b) DO UPDATE SET data = excluded.data, op = excluded.op, state = excluded.state,
                waits = excluded.waits, detail = excluded.detail, wake = excluded.wake, token = excluded.token";
    let (op, state) = (waiting.map(|waiting| waiting.op.id as i64), waiting.map(|waiting| waiting.state));
    let told = waiting.map(tell).unwrap_or_default();
    let Told { waits, detail, wake, token } = told;
    connection.prepare_cached(text)?.execute(params![
        execution,
        frame.0,
        data,
        op,
        state,
        waits,
        detail,
        wake.map(Timestamp::as_micros),
        token
    ])?;
    Ok(())
}

#[derive(Default)]
struct Told<'a> {
    waits: i64,
    detail: Option<Cow<'a, str>>,
    wake: Option<Timestamp>,
    token: Option<&'a str>,
}

fn tell(waiting: &Waiting) -> Told<'_> {
    match &waiting.waits_for {
        WaitsFor::Task { key, deadline, token, handed_over } => Told {
            waits: if *handed_over { waits::TOKEN } else { waits::TASK },
            detail: Some(Cow::Borrowed(key)),
            wake: *deadline,
            token: token.as_deref(),
        },
        WaitsFor::Time(until) => Told { waits: waits::TIME, wake: Some(*until), ..Told::default() },
        WaitsFor::Children { .. } => Told { waits: waits::BRANCHES, ..Told::default() },
        WaitsFor::Event(reception) => {
            let names: Vec<&str> = reception.events.iter().map(|kind| kind.name).collect();
            Told {
                waits: waits::EVENT,
                detail: Some(names.join(", ").into()),
                wake: reception.until,
                ..Told::default()
            }
        }
        WaitsFor::Child(call) if !call.detached => {
            let name = match &call.target {
                Target::Workflow(name) => Some(Cow::Borrowed(&**name)),
                Target::Entry(_) => None,
            };
            Told { waits: waits::CHILD, detail: name, wake: call.deadline(), ..Told::default() }
        }
        WaitsFor::Child(_) | WaitsFor::Published(_) => {
            Told { waits: waits::WRITTEN, wake: Some(Timestamp::default()), ..Told::default() }
        }
        _ => Told::default(),
    }
}

/// Takes back that something has arrived for what a completion has changed.
pub fn take_arrivals(connection: &Connection, execution: i64, changes: &Changes) -> rusqlite::Result<()> {
    let mut waiting = changes.waiting.iter();
    for (row, data) in &changes.rows {
        let Row::Frame(frame) = row else { continue };
        let op = data.as_ref().and_then(|_| waiting.next()).map_or(0, |waiting| waiting.op.id);
        let text = "DELETE FROM arrivals WHERE execution = ?1 AND frame = ?2 AND op <> ?3";
        connection.prepare_cached(text)?.execute(params![execution, frame.0, op as i64])?;
    }
    Ok(())
}

/// Removes all parts of an execution, and what has arrived for it.
pub fn remove(connection: &Connection, execution: i64) -> rusqlite::Result<()> {
    connection.prepare_cached("DELETE FROM parts WHERE execution = ?1")?.execute([execution])?;
    connection.prepare_cached("DELETE FROM arrivals WHERE execution = ?1")?.execute([execution])?;
    connection.prepare_cached("DELETE FROM mail WHERE execution = ?1")?.execute([execution])?;
    Ok(())
}
