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
    events: Vec<String>,
}

/// The loop, on a database with the engine's tables, which are empty.
pub struct Bare {
    connection: Connection,
    records: Records,
    executions: i64,
    steps: i64,
    number: i64,
}

impl Bare {
    /// Opens a loop for `executions` executions.
    pub fn open(file: &Path, records: &Records, executions: i64) -> Bare {
        let connection = Connection::open(file).expect("a database");
        connection.pragma_update(None, "synchronous", "FULL").expect("a pragma");
        connection.pragma_update(None, "wal_autocheckpoint", 1_000).expect("a pragma");
        Bare { connection, records: records.clone(), executions, steps: 0, number: 0 }
    }

    /// Runs for this time, with a step of each execution in one transaction. Returns the number of
    /// steps in a second.
    pub fn run(&mut self, time: Duration) -> f64 {
        let (began, before) = (Instant::now(), self.steps);
        while began.elapsed() < time {
            self.execute("BEGIN IMMEDIATE");
            self.records.change(self.steps);
            for execution in 1..=self.executions {
                self.records.write(&self.connection, execution, self.number).expect("rows are written");
            }
            self.execute("COMMIT");
            self.steps += self.executions;
            self.number += self.records.events.len() as i64;
        }
        (self.steps - before) as f64 / began.elapsed().as_secs_f64()
    }

    fn execute(&self, text: &str) {
        self.connection.prepare_cached(text).and_then(|mut statement| statement.execute([])).expect("a transaction");
    }
}

impl Records {
    /// Reads the records from a database in which an execution has made some steps.
    pub fn read(file: &Path) -> Records {
        let connection = Connection::open(file).expect("a database");
        let text = "SELECT kind, number, position, op, state, wait_kind, detail, wake_at, token, data FROM snapshot_rows WHERE kind IN (1, 2)";
        let mut statement = connection.prepare(text).expect("a statement");
        let rows = statement.query_map([], |row| (0..10).map(|at| row.get(at)).collect());
        let parts = rows.and_then(Iterator::collect).expect("rows");
        // A row holds the events of a step.
        let text = "SELECT event FROM history WHERE event LIKE '%TaskSucceeded%' ORDER BY number DESC LIMIT 1";
        let mut statement = connection.prepare(text).expect("a statement");
        let rows = statement.query_map([], |row| row.get(0)).expect("rows");
        let events = rows.collect::<Result<_, _>>().expect("rows");
        Records { parts, events }
    }

    /// Returns the size of the records in bytes.
    pub fn bytes(&self) -> usize {
        let data = |part: &Vec<Value>| match part.last() {
            Some(Value::Blob(data)) => data.len(),
            _ => 0,
        };
        self.parts.iter().map(data).sum::<usize>() + self.events.iter().map(String::len).sum::<usize>()
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.parts.len() + self.events.len()
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

    fn write(&self, connection: &Connection, execution: i64, number: i64) -> rusqlite::Result<()> {
        let text = "INSERT INTO snapshot_rows (execution, kind, number, position, op, state, wait_kind, detail, wake_at, token, data)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT DO UPDATE SET data = excluded.data,
                    op = excluded.op, state = excluded.state, wait_kind = excluded.wait_kind, detail = excluded.detail,
                    wake_at = excluded.wake_at, token = excluded.token";
        let mut statement = connection.prepare_cached(text)?;
        for part in &self.parts {
            statement.execute(params_from_iter(std::iter::once(&Value::Integer(execution)).chain(part)))?;
        }
        let mut statement = connection.prepare_cached("INSERT INTO history VALUES (?1, ?2, ?3)")?;
        for (event, number) in self.events.iter().zip(number..) {
            statement.execute(params![execution, number, event])?;
        }
        Ok(())
    }
}
