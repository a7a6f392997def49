//! Database schema: the tables, recognition of a database, and migration of older versions.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::error::damage_of;
use crate::{Error, private};

/// `PRAGMA application_id` of a workflow database.
const APPLICATION: i32 = 0x574b_464c;

/// Longest time to wait for another program's lock.
pub const LOCK_TIMEOUT: Duration = Duration::from_secs(10);

/// Current schema version, `PRAGMA user_version`. Entry `n` of [`STEPS`] migrates version `n` to
/// the next.
pub const VERSION: i64 = STEPS.len() as i64;

const STEPS: &[&str] = &[
    FIRST,
    SECOND,
    CHILDREN,
    DELIVERED,
    CORRELATION,
    IDENTITY,
    NAMES,
    RESTARTS,
    DEADLINES,
    AWAITED,
    RECENT,
    DETACHED,
    LOG,
    ITEMS,
];

const FIRST: &str = "
-- Facts about the database as a whole. Version 7 renames the table to `metadata`.
CREATE TABLE facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO facts VALUES ('epoch', 0), ('clean', 1);

-- Times are microseconds since 1970. Outcomes and starts are in the binary format of the runtime.
CREATE TABLE executions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    workflow TEXT NOT NULL,
    -- Idempotency key of the start.
    key TEXT,
    request INTEGER NOT NULL,
    -- Hash of the definition that the execution was started with; NULL before the start.
    hash INTEGER,
    status INTEGER NOT NULL,
    created INTEGER NOT NULL,
    -- Scheduled start.
    due INTEGER,
    started INTEGER,
    ended INTEGER,
    -- Time-out of the execution.
    deadline INTEGER,
    -- Input, settings and limits.
    start BLOB NOT NULL,
    -- Outcome, or the reason for parking.
    outcome BLOB,
    -- Last completion, if it was a success that made the execution fail.
    last BLOB,
    -- Last engine run in which the execution did something; number of engine runs that crashed meanwhile.
    epoch INTEGER,
    crashes INTEGER NOT NULL DEFAULT 0,
    -- Set when the execution is redriven.
    redriven INTEGER NOT NULL DEFAULT 0,
    -- Set until the history is purged.
    has_history INTEGER NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX executions_by_key ON executions (workflow, key) WHERE key IS NOT NULL;
CREATE INDEX executions_by_status ON executions (status, number);
CREATE INDEX executions_by_workflow ON executions (workflow, number);
CREATE INDEX executions_by_due ON executions (due) WHERE status = 0 AND due IS NOT NULL;
CREATE INDEX executions_by_end ON executions (ended) WHERE ended IS NOT NULL;
CREATE INDEX executions_with_history ON executions (ended) WHERE ended IS NOT NULL AND has_history;

-- Rows of snapshots: kind 0 header, 1 progress, 2 frame, 3 output, 4 shared value, 5 event. The columns of
-- a frame serve tools and the lookup by token. Version 7 renames the table to `snapshot_rows`.
CREATE TABLE parts (
    execution INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    a INTEGER NOT NULL,
    b INTEGER NOT NULL,
    op INTEGER,
    state TEXT,
    -- 0 task, 1 time, 2 outcome by token, 3 branches, 4 event, 5 child execution, 6 publication of an event.
    waits INTEGER,
    detail TEXT,
    wake INTEGER,
    token TEXT,
    data BLOB NOT NULL,
    PRIMARY KEY (execution, kind, a, b)
) WITHOUT ROWID;
CREATE UNIQUE INDEX parts_by_token ON parts (token) WHERE token IS NOT NULL;

-- Outcomes that executions have not processed yet. Frame -1 is an order to the execution as a whole: end now
-- (op 0), or terminate when running tasks have completed (op 1).
CREATE TABLE arrivals (
    execution INTEGER NOT NULL,
    frame INTEGER NOT NULL,
    op INTEGER NOT NULL,
    outcome BLOB NOT NULL,
    PRIMARY KEY (execution, frame, op)
) WITHOUT ROWID;

-- History events as JSON.
CREATE TABLE history (
    execution INTEGER NOT NULL,
    number INTEGER NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (execution, number)
) WITHOUT ROWID;
";

/// From version 2 on, a history row holds all events of a commit, one a line. Its number is that
/// of the first event.
const SECOND: &str = "
-- Consecutive engine runs that ended without a shutdown.
INSERT INTO facts VALUES ('unclean', 0);

-- Set when the engine run `epoch` has entered the code of the execution and not committed since. Recorded only in a
-- crash loop and in quarantine.
ALTER TABLE executions ADD COLUMN tried INTEGER NOT NULL DEFAULT 0;
-- Engine run in which the execution is in quarantine; last engine run in which it was.
ALTER TABLE executions ADD COLUMN alone INTEGER;
ALTER TABLE executions ADD COLUMN was_alone INTEGER NOT NULL DEFAULT 0;
-- Number of its crashes in quarantine.
ALTER TABLE executions ADD COLUMN crashes_alone INTEGER NOT NULL DEFAULT 0;
";

const CHILDREN: &str = "
-- Child executions.
CREATE TABLE children (
    child INTEGER PRIMARY KEY,
    parent INTEGER NOT NULL,
    op INTEGER NOT NULL,
    frame INTEGER NOT NULL,
    -- Entry point of a child that runs only a part of the workflow.
    entry INTEGER,
    -- 0 detached, 1 awaited, 2 awaited and to restart once its cancellation is complete.
    awaited INTEGER NOT NULL
);
CREATE INDEX children_by_parent ON children (parent, op);

-- Inboxes: events, in the binary format of the runtime, that executions have not processed yet.
CREATE TABLE mail (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    execution INTEGER NOT NULL,
    event BLOB NOT NULL
);
CREATE INDEX mail_by_execution ON mail (execution, number);

-- Executions that events are delivered to.
CREATE INDEX executions_that_listen ON executions (workflow, number) WHERE status IN (0, 1, 5);
";

const DELIVERED: &str = "
-- Deduplication of events from outside, by execution, source and id.
CREATE TABLE given (
    number INTEGER PRIMARY KEY,
    execution INTEGER NOT NULL,
    source TEXT NOT NULL,
    id TEXT NOT NULL,
    -- Time of the delivery.
    at INTEGER NOT NULL
);
CREATE UNIQUE INDEX given_by_event ON given (execution, source, id);
";

const CORRELATION: &str = "
-- Correlation key of the execution; by default its id.
ALTER TABLE executions ADD COLUMN correlation TEXT;
CREATE INDEX executions_by_correlation ON executions (workflow, coalesce(correlation, id)) WHERE status IN (0, 1, 5);

-- Deployment times of workflows with a schedule relative to the deployment.
CREATE TABLE deployments (workflow TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
";

/// In version 5, an execution started by an event has the key `event SOURCE ID` and the input
/// `{}`. A source has no spaces.
const IDENTITY: &str = "
-- Start event of the execution, separate from the idempotency keys of clients.
ALTER TABLE executions ADD COLUMN event_source TEXT;
ALTER TABLE executions ADD COLUMN event_id TEXT;
UPDATE executions SET key = NULL,
    event_source = substr(key, 7, instr(substr(key, 7), ' ') - 1),
    event_id = substr(key, 7 + instr(substr(key, 7), ' '))
WHERE key GLOB 'event [^ ]* ?*' AND substr(start, 1, 2) = X'0700';
CREATE UNIQUE INDEX executions_by_event ON executions (workflow, event_source, event_id) WHERE event_source IS NOT NULL;

-- Identity of the start request, 32 bytes; empty if no request started the execution. If it is NULL, an earlier
-- version has written `request`, the FNV-1a hash of the request's text. Otherwise `request` is 0.
ALTER TABLE executions ADD COLUMN identity BLOB;
";

const NAMES: &str = "
ALTER TABLE facts RENAME TO metadata;
UPDATE metadata SET name = 'clean_shutdown' WHERE name = 'clean';
UPDATE metadata SET name = 'unclean_runs' WHERE name = 'unclean';

-- `number` is the number of a frame, shared value or event; `position` is the index of an output among its siblings.
ALTER TABLE parts RENAME TO snapshot_rows;
ALTER TABLE snapshot_rows RENAME COLUMN a TO number;
ALTER TABLE snapshot_rows RENAME COLUMN b TO position;
ALTER TABLE snapshot_rows RENAME COLUMN waits TO wait_kind;
ALTER TABLE snapshot_rows RENAME COLUMN wake TO wake_at;
DROP INDEX parts_by_token;
CREATE UNIQUE INDEX snapshot_rows_by_token ON snapshot_rows (token) WHERE token IS NOT NULL;

ALTER TABLE mail RENAME TO inbox;
DROP INDEX mail_by_execution;
CREATE INDEX inbox_by_execution ON inbox (execution, number);

ALTER TABLE given RENAME TO delivered_events;
ALTER TABLE delivered_events RENAME COLUMN at TO delivered_at;
DROP INDEX given_by_event;
CREATE UNIQUE INDEX delivered_events_by_event ON delivered_events (execution, source, id);

ALTER TABLE executions RENAME COLUMN last TO last_completion;
ALTER TABLE executions RENAME COLUMN tried TO entered;
ALTER TABLE executions RENAME COLUMN alone TO quarantine_epoch;
ALTER TABLE executions RENAME COLUMN was_alone TO last_quarantine_epoch;
ALTER TABLE executions RENAME COLUMN crashes_alone TO quarantine_crashes;
ALTER TABLE executions RENAME COLUMN request TO request_hash;
ALTER TABLE executions RENAME COLUMN identity TO request_identity;
DROP INDEX executions_that_listen;
CREATE INDEX executions_unfinished ON executions (workflow, number) WHERE status IN (0, 1, 5);
";

const RESTARTS: &str = "
-- Number of engine runs that have continued the execution, and the last one that its history names.
ALTER TABLE executions ADD COLUMN restarts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE executions ADD COLUMN history_epoch INTEGER;
-- Number of redrives.
ALTER TABLE executions ADD COLUMN redrives INTEGER NOT NULL DEFAULT 0;
";

const DEADLINES: &str = "
-- Of a frame that waits for a task: 1 if `wake_at` is when the first heartbeat is due, 0 if it is the time-out; NULL if
-- an earlier version has written the row.
ALTER TABLE snapshot_rows ADD COLUMN wakes_for_heartbeat INTEGER;
";

/// In version 9, only the column `detail` has the awaited kinds: as objects, or in rows of older
/// programs as names that are separated by commas.
const AWAITED: &str = "
-- Kinds of events, by their names in the definition, that frames wait for. Workflow, state and correlation key find the
-- executions that an event is for.
CREATE TABLE awaited_events (
    execution INTEGER NOT NULL,
    frame INTEGER NOT NULL,
    kind TEXT NOT NULL,
    workflow TEXT NOT NULL,
    state TEXT NOT NULL,
    correlation TEXT NOT NULL,
    -- Time-out of the wait.
    until INTEGER,
    PRIMARY KEY (execution, frame, kind)
) WITHOUT ROWID;
INSERT OR IGNORE INTO awaited_events
    SELECT p.execution, p.number, CASE k.type WHEN 'object' THEN k.value ->> 'name' ELSE k.value END,
           e.workflow, coalesce(p.state, ''), coalesce(e.correlation, e.id), p.wake_at
    FROM snapshot_rows p JOIN executions e ON e.number = p.execution
    JOIN json_each(CASE WHEN json_valid(p.detail) AND json_type(p.detail) = 'array' THEN p.detail
                        ELSE '[' || replace(json_quote(p.detail), ', ', '\",\"') || ']' END) k
    WHERE p.kind = 2 AND p.wait_kind = 4 AND p.detail <> '';
CREATE INDEX awaited_events_by_kind ON awaited_events (workflow, state, kind, correlation);
CREATE INDEX executions_queued ON executions (workflow, due) WHERE status = 0;
";

/// Until version 10, each commit adds a row to the history: its events as lines of JSON. From
/// version 11 on, a row has segments of events in binary format.
const RECENT: &str = "
-- Newest events of each execution, which are not in `history` yet. When they are copied to `history`, the row stays
-- until the next commit. It counts only if its number is above all numbers of the execution in `history`.
CREATE TABLE recent_history (
    execution INTEGER PRIMARY KEY,
    -- Number of the first event.
    number INTEGER NOT NULL,
    events BLOB NOT NULL
);

-- Progress of the execution, in the row of a frame that moved in the same turn, behind the number of the turn (8 bytes,
-- the highest byte first). Only the progress of the last turn counts. A turn that moves no frame writes a row of kind 1.
ALTER TABLE snapshot_rows ADD COLUMN progress BLOB;

CREATE INDEX executions_by_start ON executions (started) WHERE started IS NOT NULL;
";

const DETACHED: &str = "
-- Call of a child that was detached from the beginning, without its input, in the binary format of the runtime. NULL if
-- an earlier version has written the row.
ALTER TABLE children ADD COLUMN call BLOB;
";

/// Versions 11 and 12 rewrite a row of recent events at each commit. The rows of the executions of
/// a transaction are in almost as many pages.
const LOG: &str = "
-- Newest events of all executions, in the order of their commits.
CREATE TABLE recent_events (
    position INTEGER PRIMARY KEY,
    execution INTEGER NOT NULL,
    -- Number of the first event.
    number INTEGER NOT NULL,
    -- Rows of the execution that are not in `history` yet: the one before, and the oldest; NULL if this is the oldest.
    previous INTEGER,
    oldest INTEGER,
    -- Number of the first event in these rows, and their size in bytes.
    first INTEGER NOT NULL,
    size INTEGER NOT NULL,
    events BLOB NOT NULL
);

-- Of the header row: position of the execution's newest row in `recent_events`; NULL if all its events are in
-- `history`.
ALTER TABLE snapshot_rows ADD COLUMN recent INTEGER;

INSERT INTO history SELECT execution, number, events FROM recent_history r
    WHERE number > coalesce((SELECT max(number) FROM history h WHERE h.execution = r.execution), 0);
DROP TABLE recent_history;
";

const ITEMS: &str = "
-- Of a run of a distributed Map that has ended: the numbers of its items, as JSON. An earlier version has not written
-- them.
ALTER TABLE executions ADD COLUMN items TEXT;
";

/// Opens the database for writing, and creates or migrates it if necessary. Does not write to a
/// file of another kind.
pub fn open(path: &Path) -> Result<Connection, Error> {
    check_kind(path)?;
    private::create(path).map_err(|error| Error::Store { path: path.to_owned(), problem: error.to_string() })?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(|error| store_error(path, &error))?;
    prepare(&connection, path).map_err(|error| store_error(path, &error))??;
    Ok(connection)
}

/// Opens an existing database for reading. An older schema version is read as it is.
///
/// Only SQLite opens the file. If this process also writes the database, closing another
/// descriptor of the file would release all its locks (POSIX), and another program could take the
/// database.
pub fn open_to_read(path: &Path) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(|error| store_error(path, &error))?;
    let checked = || {
        connection.busy_timeout(LOCK_TIMEOUT)?;
        plan_once(&connection)?;
        check_version(&connection, path)
    };
    match checked().map_err(|error| store_error(path, &error))?? {
        0 => Err(Error::Foreign { path: path.to_owned(), is: "an empty database".to_owned() }),
        _ => Ok(connection),
    }
}

/// Converts an error of SQLite about the database.
pub fn store_error(path: &Path, error: &rusqlite::Error) -> Error {
    let (path, problem) = (path.to_owned(), error.to_string());
    if let Some(problem) = damage_of(error) {
        return Error::Damaged { path, problem: problem.to_owned() };
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => {
            Error::Foreign { path, is: "a file of another kind or an encrypted file".to_owned() }
        }
        Some(ErrorCode::DatabaseCorrupt) => Error::Damaged { path, problem },
        _ => Error::Store { path, problem },
    }
}

fn check_kind(path: &Path) -> Result<(), Error> {
    const MAGIC: &[u8] = b"SQLite format 3\0";
    let foreign = |is: &str| Err(Error::Foreign { path: path.to_owned(), is: is.to_owned() });
    let mut start = Vec::new();
    match File::open(path).and_then(|file| file.take(MAGIC.len() as u64).read_to_end(&mut start)) {
        Ok(0) => Ok(()),
        Ok(_) if start == MAGIC => Ok(()),
        Ok(_) => foreign("a file of another kind"),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Error::Store { path: path.to_owned(), problem: error.to_string() }),
    }
}

fn prepare(connection: &Connection, path: &Path) -> rusqlite::Result<Result<(), Error>> {
    let version = match check_version(connection, path)? {
        Ok(version) => version,
        Err(error) => return Ok(Err(error)),
    };
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.busy_timeout(LOCK_TIMEOUT)?;
    // Checkpoint at 4 MB. The log is not truncated, which would cost two more syncs each time.
    connection.pragma_update(None, "wal_autocheckpoint", 1_000)?;
    plan_once(connection)?;
    let steps = STEPS.iter().skip(usize::try_from(version).unwrap_or(0));
    for (step, version) in steps.zip(version + 1..) {
        let text = format!(
            "BEGIN IMMEDIATE; {step} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {version}; COMMIT;"
        );
        connection.execute_batch(&text)?;
    }
    Ok(Ok(()))
}

/// Lets SQLite plan each statement once. Otherwise it may plan a cached statement again whenever a
/// parameter is bound, which takes longer than a step: see [the query planner stability
/// guarantee](https://sqlite.org/queryplanner-ng.html#qpstab).
fn plan_once(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_prepared_statement_cache_capacity(128);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map(drop)
}

/// Returns the schema version, or 0 for an empty database.
fn check_version(connection: &Connection, path: &Path) -> rusqlite::Result<Result<i64, Error>> {
    let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    Ok(match (application, version, tables) {
        (0, 0, 0) => Ok(0),
        (APPLICATION, 1..=VERSION, _) => Ok(version),
        (APPLICATION, found, _) if found > VERSION => {
            Err(Error::TooNew { path: path.to_owned(), found, known: VERSION })
        }
        _ => Err(Error::Foreign { path: path.to_owned(), is: "an SQLite database of another application".to_owned() }),
    })
}

/// Returns a new database in memory.
#[cfg(test)]
pub fn in_memory() -> Connection {
    migrated(STEPS.len(), "")
}

/// Returns a database in memory with these rows of a schema version, migrated to the current one.
#[cfg(test)]
pub fn migrated(version: usize, rows: &str) -> Connection {
    let connection = Connection::open_in_memory().expect("a database");
    let (before, after) = STEPS.split_at(version);
    let steps = before.iter().chain([&rows]).chain(after);
    steps.for_each(|step| connection.execute_batch(step).expect("it is valid"));
    plan_once(&connection).expect("a configuration");
    connection
}

#[cfg(test)]
mod tests {
    use workflow_runtime::machine::FunctionLimits;
    use workflow_runtime::{Object, Value, value};

    use super::*;
    use crate::codec::Stored;

    fn started_with(input: Value) -> Vec<u8> {
        let (account, region, role) = ("a".into(), "r".into(), "x".into());
        let (settings, function_limits) = (Object::new(), FunctionLimits::default());
        let stored = Stored {
            input,
            settings,
            machine: None,
            account,
            region,
            role,
            seed: 1,
            data_limit: None,
            step_limit: 1,
            function_limits,
            jsonata_limits: None,
        };
        stored.write()
    }

    #[test]
    fn rows_of_schema_6_keep_their_values_under_new_names() {
        let connection = Connection::open_in_memory().expect("a database");
        for step in &STEPS[..6] {
            connection.execute_batch(step).expect("it is valid");
        }
        let rows = "INSERT INTO parts (execution, kind, a, b, waits, wake, data) VALUES (1, 2, 3, 4, 5, 6, X'07');
                    INSERT INTO mail (number, execution, event) VALUES (9, 1, X'07');
                    INSERT INTO given (execution, source, id, at) VALUES (1, '/ward', '777', 8);
                    UPDATE facts SET value = 2 WHERE name = 'unclean';";
        connection.execute_batch(rows).expect("rows");
        connection.execute_batch(NAMES).expect("it is upgraded");
        for (text, expected) in [
            ("SELECT number * 1000 + position * 100 + wait_kind * 10 + wake_at FROM snapshot_rows", 3456),
            ("SELECT seq FROM sqlite_sequence WHERE name = 'inbox'", 9),
            ("SELECT delivered_at FROM delivered_events", 8),
            ("SELECT value FROM metadata WHERE name = 'unclean_runs'", 2),
            ("SELECT value FROM metadata WHERE name = 'clean_shutdown'", 1),
        ] {
            let value: i64 = connection.query_row(text, [], |row| row.get(0)).expect("a value");
            assert_eq!(value, expected, "{text}");
        }
    }

    #[test]
    fn awaited_kinds_of_schema_9_are_found_by_index() {
        let connection = Connection::open_in_memory().expect("a database");
        for step in &STEPS[..9] {
            connection.execute_batch(step).expect("it is valid");
        }
        let rows = r#"INSERT INTO executions (number, id, workflow, request_hash, status, created, start, correlation)
                      VALUES (1, 'one', 'w', 0, 1, 0, X'', 'key'), (2, 'two', 'w', 0, 1, 0, X'', NULL);
                      INSERT INTO snapshot_rows (execution, kind, number, position, data, state, wait_kind, detail, wake_at)
                      VALUES (1, 2, 0, 0, X'', 'Pay', 4, '[{"name":"paid","type":"x"},{"name":"left \"it\""}]', 7),
                             (2, 2, 0, 0, X'', 'Pay', 4, 'paid, any "one"', NULL),
                             (2, 2, 1, 0, X'', 'Rest', 1, NULL, 9);"#;
        connection.execute_batch(rows).expect("rows");
        connection.execute_batch(AWAITED).expect("it is upgraded");
        let text = "SELECT format('%s %s %s %s', execution, kind, correlation, until) FROM awaited_events";
        let mut statement = connection.prepare(text).expect("a question");
        let found: rusqlite::Result<Vec<String>> =
            statement.query_map([], |row| row.get(0)).expect("answers").collect();
        let expected = ["1 left \"it\" key 7", "1 paid key 7", "2 any \"one\" two ", "2 paid two "];
        assert_eq!(found.expect("texts"), expected);
    }

    #[test]
    fn events_of_schema_5_become_start_events() {
        let connection = Connection::open_in_memory().expect("a database");
        for step in &STEPS[..5] {
            connection.execute_batch(step).expect("it is valid");
        }
        let text = "INSERT INTO executions (id, workflow, key, request, status, created, start)
                    VALUES (?1, 'w', ?2, 7, 0, 0, ?3)";
        for (id, key, input) in [
            ("event", Some("event /ward 777 b"), value!({})),
            ("chosen", Some("event /ward 777"), value!({ "bed": 7 })),
            ("short", Some("event /ward"), value!({})),
            ("other", Some("order 7"), value!({})),
            ("none", None, value!({})),
        ] {
            connection.execute(text, rusqlite::params![id, key, started_with(input)]).expect("an execution");
        }
        connection.execute_batch(IDENTITY).expect("it is upgraded");
        let text = "SELECT id, key, event_source, event_id FROM executions WHERE identity IS NULL ORDER BY number";
        let mut statement = connection.prepare(text).expect("a question");
        let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, [row.get(1)?, row.get(2)?, row.get(3)?]));
        let found: rusqlite::Result<Vec<(String, [Option<String>; 3])>> =
            statement.query_map([], read).expect("answers").collect();
        let owned = |texts: [Option<&str>; 3]| texts.map(|text| text.map(str::to_owned));
        assert_eq!(
            found.expect("texts"),
            [
                ("event".to_owned(), owned([None, Some("/ward"), Some("777 b")])),
                ("chosen".to_owned(), owned([Some("event /ward 777"), None, None])),
                ("short".to_owned(), owned([Some("event /ward"), None, None])),
                ("other".to_owned(), owned([Some("order 7"), None, None])),
                ("none".to_owned(), owned([None, None, None])),
            ]
        );
    }
}
