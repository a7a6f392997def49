//! Rows of snapshots in the table `snapshot_rows`: written after each turn, read to restore an
//! execution.

use std::borrow::Cow;

use rusqlite::{Connection, OptionalExtension as _, params};
use workflow_runtime::engine::MapCounts;
use workflow_runtime::machine::{AwaitedEvent, Changes, EventInfo, FrameId, Row, StoredRow, Target, Waiting, WaitsFor};
use workflow_runtime::value::DOCUMENT_LIMIT;
use workflow_runtime::{Timestamp, Value};

use crate::awaited;
use crate::error::damaged;

/// Returns the columns `kind`, `number` and `position` of a row.
fn columns(row: Row) -> (i64, i64, i64) {
    match row {
        Row::Header => (HEADER, 0, 0),
        Row::Progress => (PROGRESS, 0, 0),
        Row::Frame(frame) => (FRAME, frame.0.into(), 0),
        Row::Output { of, index } => (OUTPUT, of.0.into(), index.into()),
        Row::Shared(number) => (SHARED, number as i64, 0),
        Row::Event(number) => (EVENT, number as i64, 0),
    }
}

const HEADER: i64 = 0;
/// The kind of the row of a turn's progress, if the turn moved no frame.
pub const PROGRESS: i64 = 1;

/// The kind of the row of a frame.
pub const FRAME: i64 = 2;

/// The kind of the row of an iteration's output, kept until its siblings have ended.
pub const OUTPUT: i64 = 3;

const SHARED: i64 = 4;

/// The kind of the row of an event that the execution keeps for a later state.
pub const EVENT: i64 = 5;

/// Values of the column `wait_kind` of a frame.
pub mod wait_kind {
    /// Outcome of a running task.
    pub const TASK: i64 = 0;
    /// Time.
    pub const TIME: i64 = 1;
    /// Outcome by token; the task has handed over its work.
    pub const TOKEN: i64 = 2;
    /// Branches or iterations.
    pub const BRANCHES: i64 = 3;
    /// Event.
    pub const EVENT: i64 = 4;
    /// Child execution.
    pub const CHILD: i64 = 5;
    /// Nothing: the frame continues at once, when its command is written.
    pub const WRITTEN: i64 = 6;
    /// Children of a distributed Map.
    pub const MAP: i64 = 7;
}

fn row(kind: i64, number: i64, position: i64) -> Option<Row> {
    Some(match kind {
        HEADER => Row::Header,
        PROGRESS => Row::Progress,
        FRAME => Row::Frame(FrameId(number.try_into().ok()?)),
        OUTPUT => Row::Output { of: FrameId(number.try_into().ok()?), index: position.try_into().ok()? },
        SHARED => Row::Shared(number as u64),
        EVENT => Row::Event(number as u64),
        _ => return None,
    })
}

/// Reads all rows of an execution, and the number of its last turn, which is at most `i64::MAX`.
pub fn read(connection: &Connection, execution: i64) -> rusqlite::Result<(Vec<StoredRow>, u64)> {
    let text = "SELECT kind, number, position, data, progress FROM snapshot_rows WHERE execution = ?1";
    let mut statement = connection.prepare_cached(text)?;
    let mut sql_rows = statement.query([execution])?;
    let (mut rows, mut progress): (Vec<StoredRow>, Option<(u64, Vec<u8>)>) = (Vec::new(), None);
    while let Some(sql_row) = sql_rows.next()? {
        let row = row(sql_row.get(0)?, sql_row.get(1)?, sql_row.get(2)?);
        let found = match (row, sql_row.get_ref(4)?.as_blob_or_null()?) {
            (_, Some(bytes)) => match bytes.split_first_chunk().map(|(turn, rest)| (u64::from_be_bytes(*turn), rest)) {
                Some((turn, rest)) if i64::try_from(turn).is_ok() => Some((turn, rest.to_vec())),
                _ => {
                    let (kind, number): (i64, i64) = (sql_row.get(0)?, sql_row.get(1)?);
                    let place = format!("in the row ({kind}, {number})");
                    return Err(damaged(format!("the progress of the execution is damaged {place}")));
                }
            },
            // Earlier versions number no turns.
            (Some(Row::Progress), None) => Some((0, sql_row.get(3)?)),
            _ => None,
        };
        progress = progress.max(found);
        if let Some(row) = row.filter(|row| *row != Row::Progress) {
            rows.push((row, sql_row.get(3)?));
        }
    }
    let turn = progress.as_ref().map_or(0, |(turn, _)| *turn);
    rows.extend(progress.map(|(_, bytes)| (Row::Progress, bytes)));
    Ok((rows, turn))
}

/// Writes the rows that turn `turn` has changed. `listens`: the definition has events, which
/// frames may wait for.
pub fn write(
    connection: &Connection,
    execution: i64,
    changes: &Changes,
    listens: bool,
    turn: u64,
) -> rusqlite::Result<()> {
    let progress = changes.rows.iter().find(|(row, _)| *row == Row::Progress).and_then(|(_, data)| data.as_deref());
    // Goes to the first row of a frame.
    let mut progress = progress.map(|data| [&turn.to_be_bytes(), data].concat());
    for frame in &changes.joined {
        let text =
            concat!("DELETE FROM snapshot_rows WHERE execution = ?1 AND kind = ", sql!(output), " AND number = ?2");
        connection.prepare_cached(text)?.execute(params![execution, frame.0])?;
    }
    // In the order in which frames occur in the rows.
    let mut waiting = changes.waiting.iter();
    for (row, data) in &changes.rows {
        let (kind, number, position) = columns(*row);
        if let (true, Row::Frame(frame)) = (listens, row) {
            awaited::remove(connection, execution, *frame)?;
        }
        match (data, row) {
            (_, Row::Progress) => {}
            (None, _) => {
                let text =
                    "DELETE FROM snapshot_rows WHERE execution = ?1 AND kind = ?2 AND number = ?3 AND position = ?4";
                connection.prepare_cached(text)?.execute(params![execution, kind, number, position])?;
            }
            (Some(data), Row::Frame(frame)) => {
                let waiting = waiting.next();
                write_frame(connection, execution, *frame, data, waiting, progress.take())?;
                if let Some(Waiting { waits_for: WaitsFor::Event(reception), state, .. }) = waiting {
                    awaited::insert(connection, execution, *frame, state, reception)?;
                }
            }
            (Some(data), _) => {
                let text =
                    "INSERT INTO snapshot_rows (execution, kind, number, position, data) VALUES (?1, ?2, ?3, ?4, ?5)
                            ON CONFLICT (execution, kind, number, position) DO UPDATE SET data = excluded.data";
                connection.prepare_cached(text)?.execute(params![execution, kind, number, position, data])?;
            }
        }
    }
    if let Some(progress) = progress {
        let text = concat!(
            "INSERT OR REPLACE INTO snapshot_rows (execution, kind, number, position, data, progress) VALUES (?1, ",
            sql!(progress),
            ", 0, 0, X'', ?2)"
        );
        connection.prepare_cached(text)?.execute(params![execution, progress])?;
    }
    Ok(())
}

fn write_frame(
    connection: &Connection,
    execution: i64,
    frame: FrameId,
    data: &[u8],
    waiting: Option<&Waiting>,
    progress: Option<Vec<u8>>,
) -> rusqlite::Result<()> {
    let text = concat!("INSERT INTO snapshot_rows (execution, kind, number, position, data, op, state, wait_kind, detail, wake_at, token, wakes_for_heartbeat,
                progress) VALUES (?1, ", sql!(frame), ", ?2, 0, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
                ON CONFLICT (execution, kind, number, position) DO UPDATE SET data = excluded.data, op = excluded.op, state = excluded.state,
                wait_kind = excluded.wait_kind, detail = excluded.detail, wake_at = excluded.wake_at, token = excluded.token,
                wakes_for_heartbeat = excluded.wakes_for_heartbeat, progress = excluded.progress");
    let (op, state) = (waiting.map(|waiting| waiting.op.id as i64), waiting.map(|waiting| waiting.state));
    let WaitColumns { wait_kind, detail, wake_at, is_heartbeat, token } = waiting.map(wait_columns).unwrap_or_default();
    connection.prepare_cached(text)?.execute(params![
        execution,
        frame.0,
        data,
        op,
        state,
        wait_kind,
        detail,
        wake_at.map(Timestamp::as_micros),
        token,
        is_heartbeat,
        progress,
    ])?;
    Ok(())
}

#[derive(Default)]
struct WaitColumns<'a> {
    wait_kind: i64,
    detail: Option<Cow<'a, str>>,
    wake_at: Option<Timestamp>,
    /// Of a task: set if `wake_at` is the time of the first heartbeat.
    is_heartbeat: Option<bool>,
    token: Option<&'a str>,
}

fn wait_columns(waiting: &Waiting) -> WaitColumns<'_> {
    match &waiting.waits_for {
        WaitsFor::Task { key, deadline, first_heartbeat, token, handed_over } => {
            let heartbeat_first = first_heartbeat.is_some_and(|at| deadline.is_none_or(|deadline| at < deadline));
            WaitColumns {
                wait_kind: if *handed_over { wait_kind::TOKEN } else { wait_kind::TASK },
                detail: Some(Cow::Borrowed(key)),
                wake_at: if heartbeat_first { *first_heartbeat } else { *deadline },
                is_heartbeat: Some(heartbeat_first),
                token: token.as_deref(),
            }
        }
        WaitsFor::Time(until) => {
            WaitColumns { wait_kind: wait_kind::TIME, wake_at: Some(*until), ..WaitColumns::default() }
        }
        WaitsFor::Children { .. } => WaitColumns { wait_kind: wait_kind::BRANCHES, ..WaitColumns::default() },
        WaitsFor::Map(counts) => WaitColumns {
            wait_kind: wait_kind::MAP,
            detail: counts.to_value().to_json(DOCUMENT_LIMIT).ok().map(Cow::Owned),
            ..WaitColumns::default()
        },
        WaitsFor::Event(reception) => WaitColumns {
            wait_kind: wait_kind::EVENT,
            detail: Some(awaited_json(&reception.events).into()),
            wake_at: reception.until,
            ..WaitColumns::default()
        },
        WaitsFor::Child(call) if !call.detached => {
            let name = match &call.target {
                Target::Workflow(name) => Some(Cow::Borrowed(&**name)),
                Target::Entry(_) | Target::Map(_) => None,
            };
            WaitColumns {
                wait_kind: wait_kind::CHILD,
                detail: name,
                wake_at: call.deadline(),
                ..WaitColumns::default()
            }
        }
        WaitsFor::Child(_) | WaitsFor::Published(_) => {
            WaitColumns { wait_kind: wait_kind::WRITTEN, wake_at: Some(Timestamp::default()), ..WaitColumns::default() }
        }
        _ => WaitColumns::default(),
    }
}

/// Returns the column `detail` of a wait for these events: an array of their kinds.
fn awaited_json(events: &[&EventInfo]) -> String {
    Value::from_iter(events.iter().map(|kind| AwaitedEvent::from(*kind).to_value())).to_string()
}

/// Reads the column `detail` of a wait for events. Older programs have written names, separated by
/// commas.
pub fn awaited_events(detail: &str) -> Vec<AwaitedEvent> {
    match Value::from_json(detail) {
        Ok(Value::Array(kinds)) => kinds.iter().filter_map(AwaitedEvent::from_value).collect(),
        _ => detail.split(", ").filter(|name| !name.is_empty()).map(AwaitedEvent::named).collect(),
    }
}

/// Returns `true` if an execution has rows.
pub fn exist(connection: &Connection, execution: i64) -> rusqlite::Result<bool> {
    connection.prepare_cached("SELECT 1 FROM snapshot_rows WHERE execution = ?1")?.exists([execution])
}

/// Returns the numbers of items of a run of a distributed Map, as its rows have them.
pub fn items(connection: &Connection, execution: i64) -> rusqlite::Result<Option<MapCounts>> {
    let text = concat!(
        "SELECT detail FROM snapshot_rows WHERE execution = ?1 AND kind = ",
        sql!(frame),
        " AND number = 0 AND wait_kind = ",
        sql!(map)
    );
    let detail: Option<Option<String>> =
        connection.prepare_cached(text)?.query_row([execution], |row| row.get(0)).optional()?;
    Ok(detail.flatten().and_then(|detail| map_counts(&detail)))
}

/// Reads the column `detail` of a run of a distributed Map, or the column `items` of one that has
/// ended.
pub fn map_counts(text: &str) -> Option<MapCounts> {
    MapCounts::from_value(&Value::from_json(text).ok()?)
}

/// Removes arrivals for frames that have moved.
pub fn remove_arrivals(connection: &Connection, execution: i64, changes: &Changes) -> rusqlite::Result<()> {
    let mut waiting = changes.waiting.iter();
    for (row, data) in &changes.rows {
        let Row::Frame(frame) = row else { continue };
        let op = data.as_ref().and_then(|_| waiting.next()).map_or(0, |waiting| waiting.op.id);
        let text = "DELETE FROM arrivals WHERE execution = ?1 AND frame = ?2 AND op <> ?3";
        connection.prepare_cached(text)?.execute(params![execution, frame.0, op as i64])?;
    }
    Ok(())
}

/// Removes all rows of an execution, its waits for events, its arrivals, and its inbox.
pub fn remove(connection: &Connection, execution: i64) -> rusqlite::Result<()> {
    awaited::remove_all(connection, execution)?;
    connection.prepare_cached("DELETE FROM snapshot_rows WHERE execution = ?1")?.execute([execution])?;
    connection.prepare_cached("DELETE FROM arrivals WHERE execution = ?1")?.execute([execution])?;
    connection.prepare_cached("DELETE FROM inbox WHERE execution = ?1")?.execute([execution])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema;

    #[test]
    fn the_progress_of_the_last_turn_is_read_whichever_row_has_it() {
        let c = schema::in_memory();
        let frame = |number| Row::Frame(FrameId(number));
        // Rows of earlier versions come first.
        let old = "INSERT INTO snapshot_rows (execution, kind, number, position, data) VALUES (1, 1, 0, 0, X'63')";
        c.execute(old, []).expect("a row");
        assert_eq!(read(&c, 1), Ok((vec![(Row::Progress, vec![99])], 0)));
        let mut expected = std::collections::BTreeMap::new();
        for (turn, written, removed) in [
            (1u64, &[0, 3][..], &[][..]),
            (2, &[3], &[]),
            (3, &[], &[]),
            (4, &[0], &[3]),
            (5, &[], &[0]),
            (300, &[7, 2], &[]),
            (301, &[2], &[7]),
        ] {
            let mut changes = Changes::default();
            changes.rows.extend(written.iter().map(|number| (frame(*number), Some(vec![turn as u8]))));
            changes.rows.extend(removed.iter().map(|number| (frame(*number), None)));
            changes.rows.push((Row::Progress, Some(turn.to_le_bytes().to_vec())));
            write(&c, 1, &changes, false, turn).expect("it is written");
            changes.apply(&mut expected);
            let (found, last) = read(&c, 1).expect("rows");
            assert_eq!((last, found.into_iter().collect()), (turn, expected.clone()));
        }
    }

    #[test]
    fn a_damaged_progress_is_refused_with_its_row() {
        let beyond = (i64::MAX as u64 + 1).to_be_bytes();
        for damaged in [&[][..], &[0; 7], &beyond, &[0xff; 9]] {
            let c = schema::in_memory();
            let text = "INSERT INTO snapshot_rows (execution, kind, number, position, data, progress)
                        VALUES (1, 2, 3, 0, X'', ?1), (1, 2, 7, 0, X'', ?2)";
            c.execute(text, params![&[0u8; 9][..], damaged]).expect("rows");
            let error = read(&c, 1).expect_err("it is damaged");
            let expected = "the progress of the execution is damaged in the row (2, 7)";
            assert_eq!(crate::error::damage_of(&error), Some(expected), "{damaged:?}");
            let last = i64::MAX.to_be_bytes();
            c.execute("UPDATE snapshot_rows SET progress = ?1 WHERE number = 7", [&last[..]]).expect("a row");
            assert_eq!(read(&c, 1).map(|(_, turn)| turn), Ok(i64::MAX as u64));
        }
    }

    #[test]
    fn awaited_events_are_read_back_also_those_of_older_programs() {
        const PAID: EventInfo = EventInfo::new("paid, in full").kind("paid").source("/bank");
        const ANY: EventInfo = EventInfo::new("any");
        let kinds = [AwaitedEvent::from(&PAID), AwaitedEvent::from(&ANY)];
        assert_eq!(awaited_events(&awaited_json(&[&PAID, &ANY])), kinds);
        assert_eq!(awaited_events("paid, any"), ["paid", "any"].map(AwaitedEvent::named));
        assert_eq!(awaited_events(""), []);
    }
}
