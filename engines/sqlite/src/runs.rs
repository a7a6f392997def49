//! Engine runs in which an execution has run. The history names restarts and redrives by their
//! numbers.

use rusqlite::{Connection, params};

/// Recorded restarts and redrives of an execution.
#[derive(Clone, Copy)]
pub struct Recorded {
    /// Last engine run that the history names.
    pub epoch: Option<i64>,
    pub restarts: u32,
    pub redrives: u32,
    /// Set if a redrive was requested and has not begun.
    pub redriven: bool,
}

/// Engine run of an execution, recorded by the execution's first commit in this run.
#[derive(Clone, Copy)]
pub struct EngineRun {
    pub epoch: i64,
    /// Number of restarts, if the run continues an execution of an earlier run.
    pub restarts: Option<u32>,
    /// Number of redrives, if the run redrives the execution.
    pub redrives: Option<u32>,
}

/// Records the engine run of an execution.
pub fn record(c: &Connection, execution: i64, run: EngineRun) -> rusqlite::Result<()> {
    let text = "UPDATE executions SET epoch = ?2, history_epoch = ?2, restarts = coalesce(?3, restarts),
                redrives = coalesce(?4, redrives) WHERE number = ?1";
    c.prepare_cached(text)?.execute(params![execution, run.epoch, run.restarts, run.redrives]).map(drop)
}
