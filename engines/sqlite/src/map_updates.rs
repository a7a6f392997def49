//! Changes of runs of distributed Maps. Each function runs within a transaction.
//!
//! The changes of a run are one arrival, which stays until the run's rows are removed: a run that
//! is loaded applies it again, which changes nothing.

use rusqlite::{Connection, OptionalExtension as _, params};
use workflow_runtime::engine::MapUpdate;
use workflow_runtime::machine::Part;

use crate::children::{self, AfterCommit};
use crate::codec;
use crate::executions::{self, CommandResult};

/// Changes a run that has not ended.
pub fn update(c: &Connection, id: &str, update: MapUpdate) -> rusqlite::Result<CommandResult> {
    let Some((number, status)) = executions::find(c, id)? else { return Ok(CommandResult::Unknown) };
    if !matches!(children::part(c, number)?, Some(Part::Map(_))) {
        return Ok(CommandResult::NoMapRun);
    }
    if status.is_over() {
        return Ok(CommandResult::NotNow(status));
    }
    let all = update_of(c, number)?.unwrap_or_default().then(update);
    let text = concat!("INSERT OR REPLACE INTO arrivals VALUES (?1, ", sql!(update), ", 0, ?2)");
    c.prepare_cached(text)?.execute(params![number, codec::outcome(&Ok(all.to_value()))])?;
    Ok(CommandResult::Done(vec![AfterCommit::LookAt(number)]))
}

/// Returns the changes of a run.
pub fn update_of(c: &Connection, execution: i64) -> rusqlite::Result<Option<MapUpdate>> {
    let text = concat!("SELECT outcome FROM arrivals WHERE execution = ?1 AND frame = ", sql!(update));
    let stored: Option<Vec<u8>> = c.prepare_cached(text)?.query_row([execution], |row| row.get(0)).optional()?;
    Ok(stored.and_then(|stored| executions::map_update(&codec::read_outcome(&stored))))
}
