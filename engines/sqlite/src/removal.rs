//! Removal of executions that have ended, among them the children of Map runs: there are as many
//! as items, and nothing refers to them once the run has their outcomes. Each function runs within
//! a transaction.

use rusqlite::{Connection, params};
use workflow_runtime::machine::{Changes, Row};

use crate::{history, rows};

/// Removes an execution that has ended, and all that belongs to it. The links to its own children
/// are theirs.
pub fn remove(c: &Connection, number: i64) -> rusqlite::Result<()> {
    // Before the header row, which points to the recent events.
    history::remove(c, number)?;
    rows::remove(c, number)?;
    c.prepare_cached("DELETE FROM children WHERE child = ?1")?.execute([number])?;
    c.prepare_cached("DELETE FROM delivered_events WHERE execution = ?1")?.execute([number])?;
    c.prepare_cached("DELETE FROM executions WHERE number = ?1")?.execute([number]).map(drop)
}

/// Removes the children whose outcomes a run takes in this commit.
pub fn remove_taken(c: &Connection, run: i64, changes: &Changes) -> rusqlite::Result<()> {
    let text = concat!(
        "SELECT c.child, p.op FROM snapshot_rows p JOIN children c ON c.parent = p.execution AND c.op = p.op
                JOIN executions e ON e.number = c.child
                WHERE p.execution = ?1 AND p.kind = ",
        sql!(frame),
        " AND p.number = ?2 AND e.status IN ",
        sql!(ended)
    );
    let mut statement = c.prepare_cached(text)?;
    let mut waiting = changes.waiting.iter();
    for (row, data) in &changes.rows {
        let Row::Frame(frame) = row else { continue };
        let op = data.as_ref().and_then(|_| waiting.next()).map_or(0, |waiting| waiting.op.id as i64);
        let ended: rusqlite::Result<Vec<(i64, i64)>> =
            statement.query_map(params![run, frame.0], |row| Ok((row.get(0)?, row.get(1)?)))?.collect();
        let taken = ended?.into_iter().filter(|(_, before)| *before != op).map(|(child, _)| child).collect();
        remove_all(c, taken)?;
    }
    Ok(())
}

/// Removes the ended children of a run that has succeeded. A run that has failed may be redriven,
/// and its children with it.
pub fn remove_ended(c: &Connection, run: i64) -> rusqlite::Result<()> {
    let text = concat!(
        "SELECT c.child FROM children c JOIN executions e ON e.number = c.child WHERE c.parent = ?1 AND e.status IN ",
        sql!(ended)
    );
    let children: rusqlite::Result<Vec<i64>> = c.prepare_cached(text)?.query_map([run], |row| row.get(0))?.collect();
    remove_all(c, children?)
}

/// Removes an execution that has ended, if it is a part of a workflow whose parent was removed:
/// the parent was cancelled while it awaited the part, and was removed before the part ended.
pub fn remove_orphan(c: &Connection, execution: i64) -> rusqlite::Result<()> {
    let text = "SELECT 1 FROM children c WHERE c.child = ?1 AND c.entry IS NOT NULL AND c.call IS NULL
                AND NOT EXISTS (SELECT 1 FROM executions p WHERE p.number = c.parent)";
    match c.prepare_cached(text)?.exists([execution])? {
        true => remove_all(c, vec![execution]),
        false => Ok(()),
    }
}

/// Removes ended executions, and those of their descendants that are parts of the workflow, were
/// awaited, and have ended: runs of nested Maps and their children.
fn remove_all(c: &Connection, mut ended: Vec<i64>) -> rusqlite::Result<()> {
    let text = concat!(
        "SELECT c.child FROM children c JOIN executions e ON e.number = c.child
                WHERE c.parent = ?1 AND c.entry IS NOT NULL AND c.call IS NULL AND e.status IN ",
        sql!(ended)
    );
    let mut statement = c.prepare_cached(text)?;
    while let Some(execution) = ended.pop() {
        for child in statement.query_map([execution], |row| row.get(0))? {
            ended.push(child?);
        }
        remove(c, execution)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema;

    #[test]
    fn an_awaited_part_is_removed_at_its_end_if_its_parent_was_removed() {
        // The parent, the number of the part, and the call of a detached child.
        for (parent, entry, call, is_removed) in [
            (9, Some(0), None, true),
            (9, Some(-1), None, true),
            (1, Some(0), None, false),
            (9, None, None, false),
            (9, Some(0), Some(&b"call"[..]), false),
        ] {
            let c = schema::in_memory();
            let text = "INSERT INTO executions (number, id, workflow, request_hash, status, created, start)
                        VALUES (1, 'p', 'w', 0, 1, 0, X''), (2, 'c', 'w', 0, 4, 0, X''), (3, 'g', 'w', 0, 4, 0, X'')";
            c.execute(text, []).expect("executions");
            let text = "INSERT INTO children (child, parent, op, frame, entry, awaited, call)
                        VALUES (2, ?1, 1, 0, ?2, 0, ?3), (3, 2, 1, 0, 0, 0, NULL)";
            c.execute(text, params![parent, entry, call]).expect("links");
            remove_orphan(&c, 2).expect("a database");
            let left = |table: &str| c.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0));
            let expected: (i64, i64) = if is_removed { (1, 0) } else { (3, 2) };
            assert_eq!((left("executions"), left("children")), (Ok(expected.0), Ok(expected.1)), "{parent} {entry:?}");
        }
    }
}
