//! Measurements of an engine for monitoring: numbers of executions and of waiting events, and the
//! times of transactions.
//!
//! The numbers are counted by temporary triggers on the connection that writes, so that nobody
//! scans tables to read them, and so that a transaction that is rolled back changes none. They lie
//! in memory. They are exact, because one process at a time writes to a database.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rusqlite::{Connection, Row};

use workflow_runtime::engine::{Counts, Status};

use crate::{Error, schema};

/// Measurements of one engine. A clone is the same measurements.
///
/// ```no_run
/// # use workflow_runtime::{Workflow, task::Invoke};
/// use workflow_sqlite::{Engine, Error, Measures};
///
/// # async fn open<Order: Workflow>(tasks: impl Invoke + 'static) -> Result<(), Error> {
/// let measures = Measures::new(|transaction| println!("{:?}", transaction.duration));
/// let engine = Engine::at("orders.db").workflow::<Order>(tasks).measures(&measures).open().await?;
/// for (workflow, status, number) in measures.read()?.executions {
///     println!("{number} executions of {workflow} are {}", status.name());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Measures {
    counts: Arc<OnceLock<ReadCounts>>,
    on_transaction: Arc<dyn Fn(Transaction) + Send + Sync>,
}

/// Function that reads the numbers of an engine.
type ReadCounts = Box<dyn Fn() -> Result<Counts, Error> + Send + Sync>;

/// Transaction of the engine. See the example of [`Measures`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Transaction {
    /// Time from its beginning until it was durable or had failed.
    pub duration: Duration,
    /// Number of writes that shared it.
    pub writes: usize,
    /// Set if it was committed.
    pub committed: bool,
}

impl Measures {
    /// Creates measurements. The engine calls the function after each transaction, on the thread
    /// that has written it, when others can write again. The function must not panic.
    pub fn new(on_transaction: impl Fn(Transaction) + Send + Sync + 'static) -> Measures {
        Measures { counts: Arc::default(), on_transaction: Arc::new(on_transaction) }
    }

    /// Returns the current numbers; none before the engine was opened. Blocks this thread until
    /// the transaction in progress has ended.
    ///
    /// # Errors
    ///
    /// Returns an error if the engine has stopped, or its database cannot be written any more.
    pub fn read(&self) -> Result<Counts, Error> {
        self.counts.get().map_or_else(|| Ok(Counts::default()), |read| read())
    }

    /// Sets the function that reads the numbers. Of several engines with the same measurements,
    /// the first is measured.
    pub(crate) fn attach(&self, read: impl Fn() -> Result<Counts, Error> + Send + Sync + 'static) {
        let _later = self.counts.set(Box::new(read));
    }

    pub(crate) fn report(&self, transaction: Transaction) {
        (self.on_transaction)(transaction);
    }
}

/// Counts what the database has, and installs the triggers that keep count from now on.
pub(crate) fn install(c: &Connection, path: &std::path::Path) -> Result<(), Error> {
    // The setting cannot be changed within a transaction.
    let installed = c.pragma_update(None, "temp_store", "MEMORY").and_then(|()| c.execute_batch(INSTALL));
    installed.map_err(|error| schema::store_error(path, &error))
}

/// Reads the numbers on the connection that writes.
pub(crate) fn read(c: &Connection) -> rusqlite::Result<Counts> {
    let mut statement = c.prepare_cached("SELECT workflow, status, executions FROM temp.execution_counts")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, Status::of(row.get(1)?), number(row, 2)?)))?;
    let executions = rows.collect::<rusqlite::Result<Vec<(String, Status, u64)>>>()?;
    let mut statement = c.prepare_cached("SELECT executions, events FROM temp.inbox_counts")?;
    let (inboxes, events) = statement.query_row([], |row| Ok((number(row, 0)?, number(row, 1)?)))?;
    Ok(Counts::new(executions, inboxes, events))
}

/// Returns a column that is a number from 0 on.
fn number(row: &Row<'_>, at: usize) -> rusqlite::Result<u64> {
    row.get::<_, i64>(at).map(|number| number.try_into().unwrap_or(0))
}

/// An execution has an entry in the inbox count from its first event to its last.
const INSTALL: &str = "
BEGIN IMMEDIATE;
CREATE TEMP TABLE execution_counts (
    workflow TEXT NOT NULL, status INTEGER NOT NULL, executions INTEGER NOT NULL, PRIMARY KEY (workflow, status)
) WITHOUT ROWID;
INSERT INTO temp.execution_counts SELECT workflow, status, count(*) FROM main.executions GROUP BY workflow, status;
CREATE TEMP TABLE inbox_counts (executions INTEGER NOT NULL, events INTEGER NOT NULL);
INSERT INTO temp.inbox_counts SELECT count(DISTINCT execution), count(*) FROM main.inbox;

CREATE TEMP TRIGGER count_added AFTER INSERT ON main.executions BEGIN
    INSERT INTO execution_counts SELECT new.workflow, new.status, 0 WHERE NOT EXISTS
        (SELECT 1 FROM execution_counts WHERE workflow = new.workflow AND status = new.status);
    UPDATE execution_counts SET executions = executions + 1 WHERE workflow = new.workflow AND status = new.status;
END;
CREATE TEMP TRIGGER count_changed AFTER UPDATE OF status ON main.executions WHEN old.status <> new.status BEGIN
    UPDATE execution_counts SET executions = executions - 1 WHERE workflow = old.workflow AND status = old.status;
    INSERT INTO execution_counts SELECT new.workflow, new.status, 0 WHERE NOT EXISTS
        (SELECT 1 FROM execution_counts WHERE workflow = new.workflow AND status = new.status);
    UPDATE execution_counts SET executions = executions + 1 WHERE workflow = new.workflow AND status = new.status;
END;
CREATE TEMP TRIGGER count_removed AFTER DELETE ON main.executions BEGIN
    UPDATE execution_counts SET executions = executions - 1 WHERE workflow = old.workflow AND status = old.status;
END;
CREATE TEMP TRIGGER count_event AFTER INSERT ON main.inbox BEGIN
    UPDATE inbox_counts SET events = events + 1, executions = executions + NOT EXISTS
        (SELECT 1 FROM inbox WHERE execution = new.execution AND number <> new.number);
END;
CREATE TEMP TRIGGER count_no_event AFTER DELETE ON main.inbox BEGIN
    UPDATE inbox_counts SET events = events - 1, executions = executions - NOT EXISTS
        (SELECT 1 FROM inbox WHERE execution = old.execution);
END;
COMMIT;
";

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn database() -> Connection {
        let c = schema::in_memory();
        let rows = "INSERT INTO executions (number, id, workflow, request_hash, status, created, start)
                    VALUES (1, 'a', 'order', 0, 1, 0, X''), (2, 'b', 'order', 0, 1, 0, X''), (3, 'c', 'refund', 0, 2, 0, X'');
                    INSERT INTO inbox (execution, event) VALUES (1, X''), (1, X''), (2, X'');";
        c.execute_batch(rows).expect("rows");
        install(&c, Path::new("memory")).expect("triggers");
        c
    }

    /// Returns the numbers by a scan of the tables.
    fn counted(c: &Connection) -> Counts {
        let text = "SELECT workflow, status, count(*) FROM executions GROUP BY workflow, status";
        let mut statement = c.prepare(text).expect("a statement");
        let read = |row: &Row<'_>| Ok((row.get(0)?, Status::of(row.get(1)?), number(row, 2)?));
        let executions: rusqlite::Result<_> = statement.query_map([], read).expect("rows").collect();
        let inbox = "SELECT count(DISTINCT execution), count(*) FROM inbox";
        let (inboxes, events) = c.query_row(inbox, [], |row| Ok((number(row, 0)?, number(row, 1)?))).expect("numbers");
        Counts::new(executions.expect("rows"), inboxes, events)
    }

    fn shown(c: &Connection) -> (String, u64, u64) {
        let Counts { executions, inboxes, events, .. } = read(c).expect("numbers");
        let show = |(workflow, status, number): (String, Status, u64)| format!("{workflow} {} {number}", status.name());
        (executions.into_iter().map(show).collect::<Vec<_>>().join(", "), inboxes, events)
    }

    #[test]
    fn numbers_are_those_of_the_tables_after_every_change() {
        let c = database();
        assert_eq!(shown(&c), ("order running 2, refund succeeded 1".to_owned(), 2, 3));
        for text in [
            "UPDATE executions SET status = 2 WHERE number = 1",
            "UPDATE executions SET status = 2, ended = 5",
            "UPDATE executions SET ended = 6",
            "INSERT INTO executions (id, workflow, request_hash, status, created, start) VALUES ('d', 'order', 0, 0, 0, X'')",
            "INSERT INTO inbox (execution, event) SELECT number, X'' FROM executions",
            "DELETE FROM inbox WHERE number = 1",
            "DELETE FROM inbox WHERE execution = 1",
            "DELETE FROM executions WHERE workflow = 'order'",
            "DELETE FROM inbox",
            "DELETE FROM executions",
        ] {
            for end in ["ROLLBACK TO one; RELEASE one;", "RELEASE one;"] {
                c.execute_batch(&format!("BEGIN; SAVEPOINT one; {text}; {end} COMMIT;")).expect(text);
                let mut counts = read(&c).expect("numbers");
                counts.executions.retain(|(_, _, number)| *number > 0);
                assert_eq!(counts, counted(&c), "{text}");
            }
        }
    }
}
