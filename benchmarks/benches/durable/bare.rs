//! A bare loop around `rusqlite` that writes the same records as the engine writes for a step,
//! with the same pragmas.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::types::Value;
use rusqlite::{Connection, params, params_from_iter};

/// The records of one step: the rows of an execution that a step changes, and its events.
#[derive(Clone)]
pub struct Records {
    parts: Vec<Vec<Value>>,
    events: Option<Events>,
}

/// The events of one step. Each step appends its events to the log. After `steps` steps, their
/// events are written as one row of the history instead.
#[derive(Clone)]
struct Events {
    bytes: Vec<u8>,
    number: i64,
    steps: i64,
}

/// The rows of the log that are kept, and removed at once, as in the engine.
const KEPT_ROWS: i64 = 8_192;
const TRIMMED_ROWS: i64 = 512;

/// An execution's rows of the log that are not in the history yet.
#[derive(Clone, Copy)]
struct List {
    /// The positions of the last row and of the first.
    last: i64,
    oldest: i64,
    /// The turn that wrote the first row.
    began: i64,
}

/// The loop, on a database with the engine's tables, which are empty.
pub struct Bare {
    connection: Connection,
    records: Records,
    executions: i64,
    steps: i64,
    turns: i64,
    /// The lists of the executions in the log.
    lists: Vec<Option<List>>,
}

impl Bare {
    /// Opens a loop for `executions` executions.
    pub fn open(file: &Path, records: &Records, executions: i64) -> Bare {
        let connection = Connection::open(file).expect("a database");
        connection.pragma_update(None, "synchronous", "FULL").expect("a pragma");
        connection.pragma_update(None, "wal_autocheckpoint", 1_000).expect("a pragma");
        Bare {
            connection,
            records: records.clone(),
            executions,
            steps: 0,
            turns: 0,
            lists: vec![None; executions as usize],
        }
    }

    /// Runs for this time, with a step of each execution in one transaction. Returns the number of
    /// steps in a second.
    pub fn run(&mut self, time: Duration) -> f64 {
        let (began, before) = (Instant::now(), self.steps);
        while began.elapsed() < time {
            self.execute("BEGIN IMMEDIATE");
            self.records.change(self.steps);
            for (execution, list) in (1..).zip(&mut self.lists) {
                self.records.write(&self.connection, execution, self.turns, list).expect("rows are written");
            }
            self.execute("COMMIT");
            self.steps += self.executions;
            self.turns += 1;
        }
        (self.steps - before) as f64 / began.elapsed().as_secs_f64()
    }

    fn execute(&self, text: &str) {
        self.connection.prepare_cached(text).and_then(|mut statement| statement.execute([])).expect("a transaction");
    }
}

impl Records {
    /// Reads the records from a database in which an execution has made some steps. `history`: the
    /// engine has kept a history.
    pub fn read(file: &Path, history: bool) -> Records {
        let connection = Connection::open(file).expect("a database");
        let text = "SELECT kind, number, position, op, state, wait_kind, detail, wake_at, token, wakes_for_heartbeat, progress, data
                    FROM snapshot_rows WHERE kind < 3";
        let mut statement = connection.prepare(text).expect("a statement");
        let rows = statement.query_map([], |row| (0..12).map(|at| row.get(at)).collect());
        let parts = rows.and_then(Iterator::collect).expect("rows");
        let events = history.then(|| {
            let text = "SELECT event FROM history ORDER BY number DESC LIMIT 1";
            let row: Vec<u8> = connection.query_row(text, [], |row| row.get(0)).expect("a full row of the history");
            Events::of(&row)
        });
        Records { parts, events }
    }

    /// Returns the size of the records in bytes.
    pub fn bytes(&self) -> usize {
        let data = |part: &Vec<Value>| match part.last() {
            Some(Value::Blob(data)) => data.len(),
            _ => 0,
        };
        self.changed().map(data).sum::<usize>() + self.events.as_ref().map_or(0, |events| events.bytes.len())
    }

    /// Returns the number of rows that a step writes.
    pub fn rows(&self) -> usize {
        // A row of events, and the header row, which points to it.
        self.changed().count() + if self.events.is_some() { 2 } else { 0 }
    }

    /// Returns the rows of the snapshot that a step changes: all but the header.
    fn changed(&self) -> impl Iterator<Item = &Vec<Value>> {
        self.parts.iter().filter(|part| part[0] != Value::Integer(0))
    }

    /// Changes the records: SQLite does not write pages that have not changed.
    fn change(&mut self, number: i64) {
        for part in &mut self.parts {
            part[3] = Value::Integer(number);
            if let Some(Value::Blob(data)) = part.last_mut() {
                data.iter_mut().zip(number.to_le_bytes()).for_each(|(byte, new)| *byte = new);
            }
        }
    }

    /// Writes the records of this turn of an execution.
    fn write(
        &self,
        connection: &Connection,
        execution: i64,
        turn: i64,
        list: &mut Option<List>,
    ) -> rusqlite::Result<()> {
        let text = "INSERT INTO snapshot_rows (execution, kind, number, position, op, state, wait_kind, detail, wake_at, token,
                    wakes_for_heartbeat, progress, data)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) ON CONFLICT DO UPDATE SET data = excluded.data,
                    op = excluded.op, state = excluded.state, wait_kind = excluded.wait_kind, detail = excluded.detail,
                    wake_at = excluded.wake_at, token = excluded.token,
                    wakes_for_heartbeat = excluded.wakes_for_heartbeat, progress = excluded.progress";
        let mut statement = connection.prepare_cached(text)?;
        // The first turn writes the header.
        let written = self.parts.iter().filter(|part| turn == 0 || part[0] != Value::Integer(0));
        for part in written {
            statement.execute(params_from_iter(std::iter::once(&Value::Integer(execution)).chain(part)))?;
        }
        let Some(Events { bytes, number, steps }) = &self.events else { return Ok(()) };
        // The executions fill their rows at different times.
        let place = (turn + execution * 5) % steps;
        let began = list.map_or(turn, |list| list.began);
        let (first, rows) = (began * number + 1, turn - began + 1);
        let point =
            "UPDATE snapshot_rows SET recent = ?2 WHERE execution = ?1 AND kind = 0 AND number = 0 AND position = 0";
        let mut point = connection.prepare_cached(point)?;
        if place + 1 == *steps {
            let text = "INSERT INTO history (execution, number, event) VALUES (?1, ?2, ?3)";
            let events = bytes.repeat(usize::try_from(rows).unwrap_or(1));
            connection.prepare_cached(text)?.execute(params![execution, first, events])?;
            *list = None;
            return point.execute(params![execution, None::<i64>]).map(drop);
        }
        let text = "INSERT INTO recent_events (execution, number, previous, oldest, first, size, events)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        let (previous, oldest) = list.map(|list| (list.last, list.oldest)).unzip();
        let size = rows * bytes.len() as i64;
        let values = params![execution, turn * number + 1, previous, oldest, first, size, bytes];
        connection.prepare_cached(text)?.execute(values)?;
        let position = connection.last_insert_rowid();
        point.execute([execution, position])?;
        *list = Some(List { last: position, oldest: oldest.unwrap_or(position), began });
        if position % TRIMMED_ROWS == 0 {
            let text = "DELETE FROM recent_events WHERE position <= ?1";
            connection.prepare_cached(text)?.execute([position - KEPT_ROWS])?;
        }
        Ok(())
    }
}

impl Events {
    /// Reads the events of the last step of a row. A row has the events of each step behind the
    /// others: their number, their size, and they themselves.
    fn of(row: &[u8]) -> Events {
        let (mut left, mut events, mut steps) = (row, Events { bytes: Vec::new(), number: 0, steps: 0 }, 0);
        while !left.is_empty() {
            let step = left;
            let number = take_number(&mut left);
            let size = usize::try_from(take_number(&mut left)).expect("a size");
            left = left.split_at(size).1;
            steps += 1;
            events = Events { bytes: step[..step.len() - left.len()].to_vec(), number, steps };
        }
        events
    }
}

/// Reads a number that is written in groups of seven bits.
fn take_number(bytes: &mut &[u8]) -> i64 {
    let mut number = 0;
    for shift in (0..63).step_by(7) {
        let (byte, rest) = bytes.split_first().expect("a number");
        *bytes = rest;
        number |= i64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            break;
        }
    }
    number
}
