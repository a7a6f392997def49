//! What is to be done with the executions of a database that is opened.

use std::collections::HashSet;

use rusqlite::{Connection, OptionalExtension as _, params};
use workflow_runtime::{Fault, Timestamp};

use crate::executions;

/// An execution that was under way when so many processes ended one after the other is parked.
const CRASHES: i64 = 5;

/// From how many on an execution is under suspicion: it runs when all others do, and at no time with another suspect.
const SUSPECT: i64 = 2;

/// What is to be done.
#[derive(Default)]
pub struct Recovered {
    /// This run of the engine.
    pub epoch: i64,
    /// Executions that can go on at once.
    pub ready: Vec<i64>,
    /// Those that may be what ends the process.
    pub suspects: Vec<i64>,
    /// Those that have nothing to do before a time, or before something arrives.
    pub waiting: Vec<(i64, Option<Timestamp>)>,
    /// The executions that run, where not all do.
    pub only: Option<HashSet<i64>>,
}

/// An execution that had begun.
struct Begun {
    number: i64,
    crashes: i64,
    epoch: Option<i64>,
    deadline: Option<i64>,
    wake: Option<i64>,
    under_way: bool,
    task: Option<String>,
    state: Option<String>,
    arrived: bool,
}

/// Begins a run of the engine, for all executions or for some of them.
pub fn begin(c: &Connection, now: i64, only: Option<&[String]>) -> rusqlite::Result<Recovered> {
    let fact = |name: &str| c.query_row("SELECT value FROM facts WHERE name = ?1", [name], |row| row.get::<_, i64>(0));
    let (last, clean) = (fact("epoch")?, fact("clean")? != 0);
    let mut recovered = Recovered { epoch: last + 1, ..Recovered::default() };
    c.execute("UPDATE facts SET value = ?1 WHERE name = 'epoch'", [recovered.epoch])?;
    c.execute("UPDATE facts SET value = 0 WHERE name = 'clean'", [])?;
    for begun in begun(c)? {
        let mut crashes = begun.crashes;
        if begun.under_way && !clean && begun.epoch == Some(last) {
            crashes += 1;
            c.prepare_cached("UPDATE executions SET crashes = ?2 WHERE number = ?1")?
                .execute(params![begun.number, crashes])?;
        }
        if crashes > CRASHES {
            executions::park(c, begun.number, &Err(reason(&begun, crashes)), now)?;
        } else if crashes >= SUSPECT && begun.under_way {
            recovered.suspects.push(begun.number);
        } else if begun.under_way || begun.arrived {
            recovered.ready.push(begun.number);
        } else {
            let until = begun.wake.into_iter().chain(begun.deadline).min();
            recovered.waiting.push((begun.number, until.map(Timestamp::from_micros)));
        }
    }
    recovered.only = only.map(|ids| numbers(c, ids)).transpose()?;
    if let Some(only) = &recovered.only {
        recovered.ready.retain(|number| only.contains(number));
        recovered.suspects.retain(|number| only.contains(number));
        recovered.waiting.retain(|(number, _)| only.contains(number));
    }
    Ok(recovered)
}

fn numbers(c: &Connection, ids: &[String]) -> rusqlite::Result<HashSet<i64>> {
    let mut statement = c.prepare("SELECT number FROM executions WHERE id = ?1")?;
    let number = |id: &String| statement.query_row([id], |row| row.get(0)).optional().transpose();
    ids.iter().filter_map(number).collect()
}

fn begun(c: &Connection) -> rusqlite::Result<Vec<Begun>> {
    let text = "SELECT e.number, e.crashes, e.epoch, e.deadline, min(CASE WHEN p.waits > 0 THEN p.wake END),
                total(p.waits = 0) > 0, max(CASE WHEN p.waits = 0 THEN p.detail END),
                max(CASE WHEN p.waits = 0 THEN p.state END),
                e.redriven OR EXISTS (SELECT 1 FROM arrivals a WHERE a.execution = e.number)
                OR EXISTS (SELECT 1 FROM mail m WHERE m.execution = e.number)
                FROM executions e LEFT JOIN parts p ON p.execution = e.number AND p.kind = 2
                WHERE e.status = 1 GROUP BY e.number";
    let read = |row: &rusqlite::Row<'_>| {
        Ok(Begun {
            number: row.get(0)?,
            crashes: row.get(1)?,
            epoch: row.get(2)?,
            deadline: row.get(3)?,
            wake: row.get(4)?,
            under_way: row.get(5)?,
            task: row.get(6)?,
            state: row.get(7)?,
            arrived: row.get(8)?,
        })
    };
    c.prepare(text)?.query_map([], read)?.collect()
}

fn reason(begun: &Begun, crashes: i64) -> Fault {
    let task = begun.task.as_deref().unwrap_or("?");
    let state = begun.state.as_deref().unwrap_or("?");
    let cause = format!(
        "the process ended {crashes} times in a row while the task `{task}` of the state `{state}` was under way"
    );
    Fault::new("Execution.Parked", cause)
}
