//! What is to be done with the executions of a database that is opened.

use std::collections::HashSet;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _, params};
use workflow_runtime::{Fault, Timestamp};

use crate::{beyond, executions};

/// From how many crashes on an execution is under suspicion: it runs when all others do, and at no time with another suspect.
pub const SUSPECT: i64 = 2;

/// From how many on it runs first, and nothing else does before it has got on or has run for a while.
const ALONE: i64 = 4;

/// An execution that was under way when a process ended is not what ended it as long as others were. One that has run alone so
/// often in a row when that happened is parked.
const PARKED: i64 = 3;

/// After so many runs in a row that ended without a shutdown, it is noted of every execution that it runs before its code
/// does: even that may be what ends the process.
const CAREFUL: i64 = 2;

/// How long an execution runs alone, at first and at most. That is doubled with each crash, for some come late.
const WINDOW: Duration = Duration::from_secs(2);
const DOUBLED: i64 = 5;

/// What is to be done.
#[derive(Default)]
pub struct Recovered {
    /// This run of the engine.
    pub epoch: i64,
    /// Whether runs have ended before it that should not have.
    pub careful: bool,
    /// Executions that can go on at once.
    pub ready: Vec<i64>,
    /// Those that are to run first and alone, for so long.
    pub alone: Vec<(i64, Duration)>,
    /// Those that may be what ends the process.
    pub suspects: Vec<i64>,
    /// All of which that is to be thought when they have something to do.
    pub suspected: HashSet<i64>,
    /// Those that have nothing to do before a time, or before something arrives.
    pub waiting: Vec<(i64, Option<Timestamp>)>,
    /// The executions that run, where not all do.
    pub only: Option<HashSet<i64>>,
}

/// An execution that had begun, or had been about to.
struct Begun {
    number: i64,
    queued: bool,
    epoch: Option<i64>,
    tried: bool,
    crashes: i64,
    alone: Option<i64>,
    was_alone: i64,
    crashes_alone: i64,
    deadline: Option<i64>,
    wake: Option<i64>,
    under_way: bool,
    task: Option<String>,
    state: Option<String>,
    arrived: bool,
}

impl Begun {
    /// Counts that a run of the engine has ended while it was under way.
    fn count(&mut self, c: &Connection, last: i64, clean: bool) -> rusqlite::Result<()> {
        if !clean && self.epoch == Some(last) && (self.under_way || self.tried) {
            self.crashes += 1;
            self.crashes_alone += i64::from(self.alone == Some(last));
        }
        let text = "UPDATE executions SET crashes = ?2, crashes_alone = ?3, alone = NULL, tried = 0
                    WHERE number = ?1 AND (crashes <> ?2 OR crashes_alone <> ?3 OR alone IS NOT NULL OR tried)";
        c.prepare_cached(text)?.execute(params![self.number, self.crashes, self.crashes_alone])?;
        Ok(())
    }
}

/// Begins a run of the engine, for all executions or for some of them.
pub fn begin(c: &Connection, now: i64, only: Option<&[String]>) -> rusqlite::Result<Recovered> {
    let fact = |name: &str| c.query_row("SELECT value FROM facts WHERE name = ?1", [name], |row| row.get::<_, i64>(0));
    let set = |name: &str, value: i64| c.execute("UPDATE facts SET value = ?2 WHERE name = ?1", params![name, value]);
    let (last, clean) = (fact("epoch")?, fact("clean")? != 0);
    let unclean = if clean { 0 } else { fact("unclean")? + 1 };
    let mut recovered = Recovered { epoch: last + 1, careful: unclean >= CAREFUL, ..Recovered::default() };
    set("epoch", recovered.epoch)?;
    set("clean", 0)?;
    set("unclean", unclean)?;
    let (mut alone, mut suspects) = (Vec::new(), Vec::new());
    for mut begun in begun(c)? {
        begun.count(c, last, clean)?;
        let (number, crashes) = (begun.number, begun.crashes);
        let has_to_do = begun.queued || begun.under_way || begun.arrived;
        if begun.crashes_alone >= PARKED {
            executions::park(c, number, &Err(reason(&begun)), now)?;
            continue;
        }
        if crashes >= SUSPECT {
            recovered.suspected.insert(number);
        }
        if crashes >= ALONE && has_to_do {
            let window = WINDOW * (1 << (crashes - ALONE).min(DOUBLED));
            alone.push((begun.was_alone, begun.epoch, number, window));
        } else if crashes >= SUSPECT && has_to_do {
            suspects.push((begun.epoch, number));
        } else if begun.queued {
            // It is in the queue.
        } else if has_to_do {
            recovered.ready.push(number);
        } else {
            let until = begun.wake.into_iter().chain(begun.deadline).min();
            recovered.waiting.push((number, until.map(Timestamp::from_micros)));
        }
    }
    // Whose turn it was the last time runs after all others: who ends a process from outside hits whoever runs.
    alone.sort_unstable();
    if alone.len() + suspects.len() > 1 {
        let again = alone.extract_if(.., |(was_alone, ..)| *was_alone == last);
        suspects.extend(again.map(|(_, epoch, number, _)| (epoch, number)));
    }
    suspects.sort_unstable();
    recovered.alone = alone.into_iter().map(|(_, _, number, window)| (number, window)).collect();
    recovered.suspects = suspects.into_iter().map(|(_, number)| number).collect();
    recovered.only = only.map(|ids| numbers(c, ids)).transpose()?;
    if let Some(only) = &mut recovered.only {
        only.extend(beyond::descendants(c, only)?);
    }
    if let Some(only) = &recovered.only {
        recovered.ready.retain(|number| only.contains(number));
        recovered.alone.retain(|(number, _)| only.contains(number));
        recovered.suspects.retain(|number| only.contains(number));
        recovered.waiting.retain(|(number, _)| only.contains(number));
    }
    Ok(recovered)
}

/// Notes that this run of the engine has lasted for a while.
pub fn lasts(c: &Connection) -> rusqlite::Result<()> {
    c.execute("UPDATE facts SET value = 0 WHERE name = 'unclean'", []).map(|_| ())
}

fn numbers(c: &Connection, ids: &[String]) -> rusqlite::Result<HashSet<i64>> {
    let mut statement = c.prepare("SELECT number FROM executions WHERE id = ?1")?;
    let number = |id: &String| statement.query_row([id], |row| row.get(0)).optional().transpose();
    ids.iter().filter_map(number).collect()
}

fn begun(c: &Connection) -> rusqlite::Result<Vec<Begun>> {
    let text =
        "SELECT e.number, e.status = 0, e.epoch, e.tried, e.crashes, e.alone, e.was_alone, e.crashes_alone, e.deadline,
                min(CASE WHEN p.waits > 0 THEN p.wake END),
                total(p.waits = 0) > 0, max(CASE WHEN p.waits = 0 THEN p.detail END),
                max(CASE WHEN p.waits = 0 THEN p.state END),
                e.redriven OR EXISTS (SELECT 1 FROM arrivals a WHERE a.execution = e.number)
                OR EXISTS (SELECT 1 FROM mail m WHERE m.execution = e.number)
                FROM executions e LEFT JOIN parts p ON p.execution = e.number AND p.kind = 2
                WHERE e.status = 1 OR e.status = 0 AND (e.tried OR e.crashes > 0) GROUP BY e.number";
    let read = |row: &rusqlite::Row<'_>| {
        Ok(Begun {
            number: row.get(0)?,
            queued: row.get(1)?,
            epoch: row.get(2)?,
            tried: row.get(3)?,
            crashes: row.get(4)?,
            alone: row.get(5)?,
            was_alone: row.get(6)?,
            crashes_alone: row.get(7)?,
            deadline: row.get(8)?,
            wake: row.get(9)?,
            under_way: row.get(10)?,
            task: row.get(11)?,
            state: row.get(12)?,
            arrived: row.get(13)?,
        })
    };
    c.prepare(text)?.query_map([], read)?.collect()
}

fn reason(begun: &Begun) -> Fault {
    let Begun { crashes, crashes_alone, .. } = begun;
    let what = match (&begun.task, &begun.state) {
        (Some(task), Some(state)) => format!("the task `{task}` of the state `{state}` was under way"),
        _ if begun.queued => "it began".to_owned(),
        _ => "it ran, and no task of it".to_owned(),
    };
    let cause = format!(
        "the process ended {crashes} times in a row while {what}, and {crashes_alone} times nothing else ran meanwhile"
    );
    Fault::new("Execution.Parked", cause)
}
