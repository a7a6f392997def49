//! Kinds of events that frames wait for, in the indexed table `awaited_events`: the delivery of an
//! event reads the executions that it is for, and no others.

use rusqlite::{Connection, Row, Rows, params};
use workflow_runtime::machine::{FrameId, Reception, StartCondition, TriggerMatch};
use workflow_runtime::{CloudEvent, Timestamp};

/// Records the wait of a frame for events.
pub fn insert(
    c: &Connection,
    execution: i64,
    frame: FrameId,
    state: &str,
    reception: &Reception,
) -> rusqlite::Result<()> {
    let text = "INSERT OR IGNORE INTO awaited_events (execution, frame, kind, workflow, state, correlation, until)
                SELECT number, ?2, ?3, workflow, ?4, coalesce(correlation, id), ?5 FROM executions WHERE number = ?1";
    let mut statement = c.prepare_cached(text)?;
    let until = reception.until.map(Timestamp::as_micros);
    for kind in &reception.events {
        statement.execute(params![execution, frame.0, kind.name, state, until])?;
    }
    Ok(())
}

/// Removes the wait of a frame that has moved.
pub fn remove(c: &Connection, execution: i64, frame: FrameId) -> rusqlite::Result<()> {
    let text = "DELETE FROM awaited_events WHERE execution = ?1 AND frame = ?2";
    c.prepare_cached(text)?.execute(params![execution, frame.0]).map(drop)
}

/// Removes all waits of an execution.
pub fn remove_all(c: &Connection, execution: i64) -> rusqlite::Result<()> {
    c.prepare_cached("DELETE FROM awaited_events WHERE execution = ?1")?.execute([execution]).map(drop)
}

/// Returns `true` if a frame of an execution waits for an event of one of these kinds.
pub fn awaits(c: &Connection, execution: i64, kinds: &[&str]) -> rusqlite::Result<bool> {
    let mut statement = c.prepare_cached("SELECT 1 FROM awaited_events WHERE execution = ?1 AND kind = ?2")?;
    for kind in kinds {
        if statement.exists(params![execution, kind])? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the executions of a workflow that wait for an event in their first state, and those
/// about to begin, oldest first.
pub fn in_start_state(
    c: &Connection,
    trigger: &TriggerMatch,
    event: &CloudEvent,
    now: i64,
) -> rusqlite::Result<Vec<i64>> {
    let workflow = trigger.definition().name;
    // If all kinds correlate by the same key, only executions of that key are candidates.
    let only = trigger.only_correlation(event);
    let mut found = about_to_begin(c, workflow, only.as_deref(), now)?;
    // The tables are read in this order: few executions wait for the event.
    let text = concat!(
        "SELECT a.execution FROM awaited_events a CROSS JOIN executions e ON e.number = a.execution
         WHERE a.workflow = ?1 AND a.state = ?2 AND a.kind = ?3 AND e.status = ",
        sql!(running),
        " AND NOT EXISTS (SELECT 1 FROM arrivals o WHERE o.execution = a.execution AND o.frame = ",
        sql!(execution),
        ")"
    );
    let mut statement = match only {
        Some(_) => c.prepare_cached(&format!("{text} AND a.correlation = ?4"))?,
        None => c.prepare_cached(text)?,
    };
    for kind in trigger.awaited_kinds(event) {
        let rows = match &only {
            Some(key) => statement.query(params![workflow, trigger.state(), kind, &**key])?,
            None => statement.query(params![workflow, trigger.state(), kind])?,
        };
        found.extend(numbers(rows)?);
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// Query for queued executions of a correlation key, of which few exist.
const BEGINS_BY_KEY: &str = concat!(
    "SELECT number FROM executions WHERE workflow = ?1 AND coalesce(correlation, id) = ?3 AND status IN ",
    sql!(unfinished),
    " AND status = ",
    sql!(queued),
    " AND (due IS NULL OR due <= ?2)"
);

/// Returns the executions that are queued and whose time has come, of one correlation key or of
/// all.
fn about_to_begin(c: &Connection, workflow: &str, key: Option<&str>, now: i64) -> rusqlite::Result<Vec<i64>> {
    match key {
        Some(key) => numbers(c.prepare_cached(BEGINS_BY_KEY)?.query(params![workflow, now, key])?),
        None => {
            // Two searches of an index: executions that are due later are not read.
            let text = concat!("SELECT number FROM executions WHERE workflow = ?1 AND status = ", sql!(queued));
            let text = format!("{text} AND due IS NULL UNION ALL {text} AND due <= ?2");
            numbers(c.prepare_cached(&text)?.query(params![workflow, now])?)
        }
    }
}

fn numbers(mut rows: Rows<'_>) -> rusqlite::Result<Vec<i64>> {
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(row.get(0)?);
    }
    Ok(found)
}

/// Returns the start condition of an execution in its first state, or about to enter it. `None` if
/// it is elsewhere.
pub fn start_condition(
    c: &Connection,
    execution: i64,
    trigger: &TriggerMatch,
) -> rusqlite::Result<Option<StartCondition>> {
    // An execution that runs a part of the workflow does not begin with the first state.
    let text = concat!(
        "SELECT coalesce(correlation, id), status = ",
        sql!(queued),
        " AND NOT EXISTS (SELECT 1 FROM children WHERE child = number AND entry IS NOT NULL)
         FROM executions WHERE number = ?1"
    );
    let read = |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get(1)?));
    let (correlation, begins) = c.prepare_cached(text)?.query_row([execution], read)?;
    let Some(first) = StartCondition::new(trigger.definition(), correlation.into()) else { return Ok(None) };
    let text = "SELECT kind, until FROM awaited_events WHERE execution = ?1 AND state = ?2";
    let mut statement = c.prepare_cached(text)?;
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let found = statement.query_map(params![execution, trigger.state()], read)?;
    let found: Vec<(String, Option<i64>)> = found.collect::<rusqlite::Result<_>>()?;
    let Some((_, until)) = found.first() else {
        return Ok(Some(first).filter(|_| begins));
    };
    let until = until.map(Timestamp::from_micros);
    Ok(Some(first.awaiting(|name| found.iter().any(|(kind, _)| kind == name), until)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_finds_the_executions_about_to_begin() {
        let c = crate::schema::in_memory();
        let text = "WITH RECURSIVE n (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < 100)
                    INSERT INTO executions (id, workflow, request_hash, status, created, due, start, correlation)
                    SELECT 'id' || n, 'w', 0, n % 2, 0, nullif(n % 4, 0), X'', 'key' || (n / 10) FROM n";
        c.execute(text, []).expect("executions");
        // Even numbers are queued, and those of 4 n + 2 are due at 2.
        assert_eq!(about_to_begin(&c, "w", Some("key1"), 2), Ok(vec![10, 12, 14, 16, 18]));
        assert_eq!(about_to_begin(&c, "w", Some("key1"), 1), Ok(vec![12, 16]));
        assert_eq!(about_to_begin(&c, "w", Some("key2"), 1), Ok(vec![20, 24, 28]));
        assert_eq!(about_to_begin(&c, "w", None, 1).map(|all| all.len()), Ok(25));
        let mut plan = c.prepare(&format!("EXPLAIN QUERY PLAN {BEGINS_BY_KEY}")).expect("a plan");
        let plan: rusqlite::Result<Vec<String>> =
            plan.query_map(params!["w", 0, "key1"], |row| row.get(3)).expect("steps").collect();
        assert!(matches!(&plan.expect("steps")[..], [only] if only.contains("executions_by_correlation")));
    }
}
