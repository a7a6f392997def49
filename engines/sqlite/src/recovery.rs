//! Recovery: classifies the executions of a database when an engine opens it, and contains those
//! that crash the process.

use std::collections::HashSet;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _, params};
use workflow_runtime::{Fault, Timestamp};

use crate::{children, executions};

/// Number of crashes from which an execution is on probation: it runs when all others do, and
/// never together with another one on probation.
pub const PROBATION_AFTER: i64 = 2;

/// Number of crashes from which an execution is in quarantine: it runs first, and nothing else
/// runs before it has progressed or its time is over.
const QUARANTINE_AFTER: i64 = 4;

/// Number of consecutive crashes in quarantine from which an execution is parked. An execution
/// that crashed together with others is not to blame.
const PARK_AFTER: i64 = 3;

/// Number of consecutive engine runs without a shutdown that count as a crash loop. In a crash
/// loop every execution is recorded before its code runs, because even that may crash the process.
const CRASH_LOOP_AFTER: i64 = 2;

/// Time in quarantine. It doubles with each crash, at most [`MAX_DOUBLINGS`] times, because some
/// crashes come late.
const QUARANTINE_TIME: Duration = Duration::from_secs(2);
const MAX_DOUBLINGS: i64 = 5;

/// Result of the recovery.
#[derive(Default)]
pub struct Recovered {
    /// Number of this engine run.
    pub epoch: i64,
    /// Set if the engine runs before this one crashed.
    pub is_crash_loop: bool,
    /// Executions that can continue at once.
    pub ready: Vec<i64>,
    /// Executions in quarantine, each with its time.
    pub quarantined: Vec<(i64, Duration)>,
    /// Executions on probation that have work, in the order in which they run.
    pub probation: Vec<i64>,
    /// All executions with enough crashes for probation.
    pub on_probation: HashSet<i64>,
    /// Executions that wait for a time or an arrival.
    pub waiting: Vec<(i64, Option<Timestamp>)>,
    /// The only executions to run; `None` runs all.
    pub only: Option<HashSet<i64>>,
}

/// Execution that had begun, or was about to.
struct StartedExecution {
    number: i64,
    queued: bool,
    epoch: Option<i64>,
    entered: bool,
    crashes: i64,
    quarantine: Option<i64>,
    last_quarantine: i64,
    quarantine_crashes: i64,
    deadline: Option<i64>,
    wake_at: Option<i64>,
    was_running: bool,
    /// Set for a run of a distributed Map. Its rows do not show whether it was reading items or
    /// writing results.
    is_map_run: bool,
    task: Option<String>,
    state: Option<String>,
    arrived: bool,
}

impl StartedExecution {
    /// Counts a crash of the engine run `last` if the execution was running in it.
    fn count(&mut self, c: &Connection, last: i64, is_clean: bool) -> rusqlite::Result<()> {
        if !is_clean && self.epoch == Some(last) && (self.was_running || self.entered) {
            self.crashes += 1;
            self.quarantine_crashes += i64::from(self.quarantine == Some(last));
        }
        let text = "UPDATE executions SET crashes = ?2, quarantine_crashes = ?3, quarantine_epoch = NULL, entered = 0
                    WHERE number = ?1 AND (crashes <> ?2 OR quarantine_crashes <> ?3 OR quarantine_epoch IS NOT NULL OR entered)";
        c.prepare_cached(text)?.execute(params![self.number, self.crashes, self.quarantine_crashes])?;
        Ok(())
    }
}

/// Begins an engine run, for all executions or for some of them.
pub fn begin(c: &Connection, now: i64, only: Option<&[String]>) -> rusqlite::Result<Recovered> {
    let metadata =
        |name: &str| c.query_row("SELECT value FROM metadata WHERE name = ?1", [name], |row| row.get::<_, i64>(0));
    let set =
        |name: &str, value: i64| c.execute("UPDATE metadata SET value = ?2 WHERE name = ?1", params![name, value]);
    let (last, is_clean) = (metadata("epoch")?, metadata("clean_shutdown")? != 0);
    let unclean_runs = if is_clean { 0 } else { metadata("unclean_runs")? + 1 };
    let mut recovered =
        Recovered { epoch: last + 1, is_crash_loop: unclean_runs >= CRASH_LOOP_AFTER, ..Recovered::default() };
    set("epoch", recovered.epoch)?;
    set("clean_shutdown", 0)?;
    set("unclean_runs", unclean_runs)?;
    let (mut quarantined, mut probation) = (Vec::new(), Vec::new());
    for mut started in started(c)? {
        started.count(c, last, is_clean)?;
        let (number, crashes) = (started.number, started.crashes);
        let has_work = started.queued || started.was_running || started.is_map_run || started.arrived;
        if started.quarantine_crashes >= PARK_AFTER {
            executions::park(c, number, &Err(reason(&started)), now)?;
            continue;
        }
        if crashes >= PROBATION_AFTER {
            recovered.on_probation.insert(number);
        }
        if crashes >= QUARANTINE_AFTER && has_work {
            let window = QUARANTINE_TIME * (1 << (crashes - QUARANTINE_AFTER).min(MAX_DOUBLINGS));
            quarantined.push((started.last_quarantine, started.epoch, number, window));
        } else if crashes >= PROBATION_AFTER && has_work {
            probation.push((started.epoch, number));
        } else if started.queued {
            // The queue has it.
        } else if has_work {
            recovered.ready.push(number);
        } else {
            let until = started.wake_at.into_iter().chain(started.deadline).min();
            recovered.waiting.push((number, until.map(Timestamp::from_micros)));
        }
    }
    // The execution that was in quarantine last runs after all others: whoever kills the process
    // from outside hits the one that runs.
    quarantined.sort_unstable();
    if quarantined.len() + probation.len() > 1 {
        let again = quarantined.extract_if(.., |(last_quarantine, ..)| *last_quarantine == last);
        probation.extend(again.map(|(_, epoch, number, _)| (epoch, number)));
    }
    probation.sort_unstable();
    recovered.quarantined = quarantined.into_iter().map(|(_, _, number, window)| (number, window)).collect();
    recovered.probation = probation.into_iter().map(|(_, number)| number).collect();
    recovered.only = only.map(|ids| numbers(c, ids)).transpose()?;
    if let Some(only) = &mut recovered.only {
        only.extend(children::descendants(c, only)?);
    }
    if let Some(only) = &recovered.only {
        recovered.ready.retain(|number| only.contains(number));
        recovered.quarantined.retain(|(number, _)| only.contains(number));
        recovered.probation.retain(|number| only.contains(number));
        recovered.waiting.retain(|(number, _)| only.contains(number));
    }
    Ok(recovered)
}

/// Records that this engine run is stable.
pub fn mark_stable(c: &Connection) -> rusqlite::Result<()> {
    c.execute("UPDATE metadata SET value = 0 WHERE name = 'unclean_runs'", []).map(|_| ())
}

fn numbers(c: &Connection, ids: &[String]) -> rusqlite::Result<HashSet<i64>> {
    let mut statement = c.prepare("SELECT number FROM executions WHERE id = ?1")?;
    let number = |id: &String| statement.query_row([id], |row| row.get(0)).optional().transpose();
    ids.iter().filter_map(number).collect()
}

fn started(c: &Connection) -> rusqlite::Result<Vec<StartedExecution>> {
    let text = concat!(
        "SELECT e.number, e.status = ",
        sql!(queued),
        ", e.epoch, e.entered, e.crashes, e.quarantine_epoch,
                e.last_quarantine_epoch, e.quarantine_crashes, e.deadline,
                min(CASE WHEN p.wait_kind > ",
        sql!(task),
        " THEN p.wake_at END),
                total(p.wait_kind = ",
        sql!(task),
        ") > 0, max(CASE WHEN p.wait_kind = ",
        sql!(task),
        " THEN p.detail END),
                max(CASE WHEN p.wait_kind = ",
        sql!(task),
        " THEN p.state END),
                e.redriven OR EXISTS (SELECT 1 FROM arrivals a WHERE a.execution = e.number)
                OR EXISTS (SELECT 1 FROM inbox m WHERE m.execution = e.number),
                total(p.wait_kind = ",
        sql!(map),
        ") > 0
                FROM executions e LEFT JOIN snapshot_rows p ON p.execution = e.number AND p.kind = ",
        sql!(frame),
        "
                WHERE e.status = ",
        sql!(running),
        " OR e.status = ",
        sql!(queued),
        " AND (e.entered OR e.crashes > 0) GROUP BY e.number"
    );
    let read = |row: &rusqlite::Row<'_>| {
        Ok(StartedExecution {
            number: row.get(0)?,
            queued: row.get(1)?,
            epoch: row.get(2)?,
            entered: row.get(3)?,
            crashes: row.get(4)?,
            quarantine: row.get(5)?,
            last_quarantine: row.get(6)?,
            quarantine_crashes: row.get(7)?,
            deadline: row.get(8)?,
            wake_at: row.get(9)?,
            was_running: row.get(10)?,
            task: row.get(11)?,
            state: row.get(12)?,
            arrived: row.get(13)?,
            is_map_run: row.get(14)?,
        })
    };
    c.prepare(text)?.query_map([], read)?.collect()
}

fn reason(started: &StartedExecution) -> Fault {
    let StartedExecution { crashes, quarantine_crashes, .. } = started;
    let what = match (&started.task, &started.state) {
        (Some(task), Some(state)) => format!("the task `{task}` of the state `{state}` was running"),
        _ if started.queued => "the execution started".to_owned(),
        _ => "the execution ran without a running task".to_owned(),
    };
    let cause = format!(
        "the process crashed {crashes} times in a row while {what}, {quarantine_crashes} times without any other running execution"
    );
    Fault::new("Execution.Parked", cause)
}
