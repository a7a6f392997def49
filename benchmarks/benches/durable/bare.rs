//! The same records as the engine writes for a step, written by a loop around `rusqlite` and nothing else, with the same
//! pragmas.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::types::Value;
use rusqlite::{Connection, params, params_from_iter};

/// What the engine writes for one step: the parts of an execution that a step changes, and its events.
pub struct Records {
    parts: Vec<Vec<Value>>,
    events: Vec<String>,
}

impl Records {
    /// Reads them from a database in which an execution has made some steps and goes on.
    pub fn read(file: &Path, events_of_a_step: usize) -> Records {
        let connection = Connection::open(file).expect("a database");
        let text = "SELECT kind, a, b, op, state, waits, detail, wake, token, data FROM parts WHERE kind IN (1, 2)";
        let mut statement = connection.prepare(text).expect("a statement");
        let rows = statement.query_map([], |row| (0..10).map(|at| row.get(at)).collect());
        let parts = rows.and_then(Iterator::collect).expect("rows");
        let mut statement = connection.prepare("SELECT event FROM history ORDER BY number DESC").expect("a statement");
        let rows = statement.query_map([], |row| row.get(0)).expect("rows");
        let mut events: Vec<String> = rows.take(events_of_a_step).collect::<Result<_, _>>().expect("rows");
        events.reverse();
        Records { parts, events }
    }

    /// How many bytes that is.
    pub fn bytes(&self) -> usize {
        let data = |part: &Vec<Value>| match part.last() {
            Some(Value::Blob(data)) => data.len(),
            _ => 0,
        };
        self.parts.iter().map(data).sum::<usize>() + self.events.iter().map(String::len).sum::<usize>()
    }

    /// How many rows.
    pub fn rows(&self) -> usize {
        self.parts.len() + self.events.len()
    }

    /// Steps each second, of so many executions, a step of each in one transaction. The tables are the engine's.
    pub fn steps_per_second(&self, file: &Path, executions: i64, time: Duration) -> f64 {
        let connection = Connection::open(file).expect("a database");
        connection.pragma_update(None, "synchronous", "FULL").expect("a pragma");
        connection.pragma_update(None, "wal_autocheckpoint", 1_000).expect("a pragma");
        let mut records = Records { parts: self.parts.clone(), events: self.events.clone() };
        let (began, mut steps, mut number) = (Instant::now(), 0_u64, 0_i64);
        while began.elapsed() < time {
            connection.prepare_cached("BEGIN IMMEDIATE").and_then(|mut begin| begin.execute([])).expect("a begin");
            records.change(steps as i64);
            for execution in 1..=executions {
                records.write(&connection, execution, number).expect("rows are written");
            }
            connection.prepare_cached("COMMIT").and_then(|mut commit| commit.execute([])).expect("a commit");
            steps += executions as u64;
            number += self.events.len() as i64;
        }
        steps as f64 / began.elapsed().as_secs_f64()
    }

    /// What is written again must be something else: SQLite leaves out what has not changed.
    fn change(&mut self, number: i64) {
        for part in &mut self.parts {
            part[3] = Value::Integer(number);
            if let Some(Value::Blob(data)) = part.last_mut() {
                data.iter_mut().zip(number.to_le_bytes()).for_each(|(byte, new)| *byte = new);
            }
        }
    }

    fn write(&self, connection: &Connection, execution: i64, number: i64) -> rusqlite::Result<()> {
        let text = "INSERT INTO parts (execution, kind, a, b, op, state, waits, detail, wake, token, data)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT DO UPDATE SET data = excluded.data,
                    op = excluded.op, state = excluded.state, waits = excluded.waits, detail = excluded.detail,
                    wake = excluded.wake, token = excluded.token";
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
