//! The tables, how a database is recognized, and how an older one becomes one of today.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::{Error, private};

/// `PRAGMA application_id`: that a database is one of workflows.
const APPLICATION: i32 = 0x574b_464c;

/// How long another program may lock the database.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// The version of the schema, `PRAGMA user_version`. Entry `n` of [`STEPS`] leads from version `n` to the next.
pub const VERSION: i64 = STEPS.len() as i64;

const STEPS: &[&str] = &[FIRST, SECOND, BEYOND, GIVEN, CORRELATION, IDENTITY];

const FIRST: &str = "
-- Facts of the database as a whole.
CREATE TABLE facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO facts VALUES ('epoch', 0), ('clean', 1);

-- Times are microseconds since 1970; outcomes and starts are in the binary form of the runtime.
CREATE TABLE executions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    workflow TEXT NOT NULL,
    -- What makes a start the same one if it is asked for twice.
    key TEXT,
    request INTEGER NOT NULL,
    -- The hash of the definition that it was started with; none before.
    hash INTEGER,
    status INTEGER NOT NULL,
    created INTEGER NOT NULL,
    -- When it is to start.
    due INTEGER,
    started INTEGER,
    ended INTEGER,
    -- When it is to end if it has not.
    deadline INTEGER,
    -- What it is to be started with.
    start BLOB NOT NULL,
    -- How it ended, or why it was parked.
    outcome BLOB,
    -- What was delivered last, if that was well and the execution failed of it.
    last BLOB,
    -- The run of the engine in which it last did something, and how often one ended meanwhile.
    epoch INTEGER,
    crashes INTEGER NOT NULL DEFAULT 0,
    -- Whether it is taken up again after it had failed.
    redriven INTEGER NOT NULL DEFAULT 0,
    -- Whether its history was not purged.
    has_history INTEGER NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX executions_by_key ON executions (workflow, key) WHERE key IS NOT NULL;
CREATE INDEX executions_by_status ON executions (status, number);
CREATE INDEX executions_by_workflow ON executions (workflow, number);
CREATE INDEX executions_by_due ON executions (due) WHERE status = 0 AND due IS NOT NULL;
CREATE INDEX executions_by_end ON executions (ended) WHERE ended IS NOT NULL;
CREATE INDEX executions_with_history ON executions (ended) WHERE ended IS NOT NULL AND has_history;

-- The parts of executions: kind 0 header, 1 progress, 2 frame, 3 output, 4 shared value,
-- 5 event. What is said of a frame is for
-- tools, and for finding it by its token.
CREATE TABLE parts (
    execution INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    a INTEGER NOT NULL,
    b INTEGER NOT NULL,
    op INTEGER,
    state TEXT,
    -- 0 a task, 1 a time, 2 an outcome by token, 3 branches, 4 an event, 5 an execution, 6 that an event was published.
    waits INTEGER,
    detail TEXT,
    wake INTEGER,
    token TEXT,
    data BLOB NOT NULL,
    PRIMARY KEY (execution, kind, a, b)
) WITHOUT ROWID;
CREATE UNIQUE INDEX parts_by_token ON parts (token) WHERE token IS NOT NULL;

-- What has arrived for executions and was not taken in yet. Frame -1 is the execution as a whole: it is to end,
-- at once or, by the number 1, when what it does is completed.
CREATE TABLE arrivals (
    execution INTEGER NOT NULL,
    frame INTEGER NOT NULL,
    op INTEGER NOT NULL,
    outcome BLOB NOT NULL,
    PRIMARY KEY (execution, frame, op)
) WITHOUT ROWID;

-- What observers saw, as JSON.
CREATE TABLE history (
    execution INTEGER NOT NULL,
    number INTEGER NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (execution, number)
) WITHOUT ROWID;
";

/// From here on a row of the history holds all events of a commit, one in a line, and its number is that of the first.
const SECOND: &str = "
-- Consecutive runs of the engine that ended without a shutdown.
INSERT INTO facts VALUES ('unclean', 0);

-- Whether the run `epoch` has begun to run its code and written nothing since. Noted only when runs have ended unexpectedly.
ALTER TABLE executions ADD COLUMN tried INTEGER NOT NULL DEFAULT 0;
-- The run in which it runs while nothing else does, and the last one in which it did so.
ALTER TABLE executions ADD COLUMN alone INTEGER;
ALTER TABLE executions ADD COLUMN was_alone INTEGER NOT NULL DEFAULT 0;
-- How many of its crashes came then.
ALTER TABLE executions ADD COLUMN crashes_alone INTEGER NOT NULL DEFAULT 0;
";

const BEYOND: &str = "
-- Executions that others have started.
CREATE TABLE children (
    child INTEGER PRIMARY KEY,
    parent INTEGER NOT NULL,
    op INTEGER NOT NULL,
    frame INTEGER NOT NULL,
    -- The part of the workflow that it runs, if not the whole.
    entry INTEGER,
    -- Whether its end is waited for; 2 if it is to begin anew when it has been cancelled.
    awaited INTEGER NOT NULL
);
CREATE INDEX children_by_parent ON children (parent, op);

-- Events, in the binary form of the runtime, for executions that have not seen them yet.
CREATE TABLE mail (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    execution INTEGER NOT NULL,
    event BLOB NOT NULL
);
CREATE INDEX mail_by_execution ON mail (execution, number);

-- Those that events are delivered to.
CREATE INDEX executions_that_listen ON executions (workflow, number) WHERE status IN (0, 1, 5);
";

const GIVEN: &str = "
-- Events from outside that executions were given lately: none is given twice.
CREATE TABLE given (
    number INTEGER PRIMARY KEY,
    execution INTEGER NOT NULL,
    source TEXT NOT NULL,
    id TEXT NOT NULL,
    -- When it was.
    at INTEGER NOT NULL
);
CREATE UNIQUE INDEX given_by_event ON given (execution, source, id);
";

const CORRELATION: &str = "
-- The value by which events are told to be for an execution, if that is not its id.
ALTER TABLE executions ADD COLUMN correlation TEXT;
CREATE INDEX executions_by_correlation ON executions (workflow, coalesce(correlation, id)) WHERE status IN (0, 1, 5);

-- When workflows were there first that can be started for a while from then on.
CREATE TABLE deployments (workflow TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
";

/// Executions that events had started had the key `event SOURCE ID`, and the input `{}`. A source
/// has no spaces.
const IDENTITY: &str = "
-- The event that has started the execution, apart from the keys of those who ask for executions.
ALTER TABLE executions ADD COLUMN event_source TEXT;
ALTER TABLE executions ADD COLUMN event_id TEXT;
UPDATE executions SET key = NULL,
    event_source = substr(key, 7, instr(substr(key, 7), ' ') - 1),
    event_id = substr(key, 7 + instr(substr(key, 7), ' '))
WHERE key GLOB 'event [^ ]* ?*' AND substr(start, 1, 2) = X'0700';
CREATE UNIQUE INDEX executions_by_event ON executions (workflow, event_source, event_id) WHERE event_source IS NOT NULL;

-- The identity of the request, 32 bytes; empty if no request has asked for the execution. Where it is NULL, an earlier
-- version has written `request`, the FNV-1a of the text of the request; that is 0 otherwise.
ALTER TABLE executions ADD COLUMN identity BLOB;
";

/// Opens the database to write it; makes or upgrades it where that is due. Nothing is written to a file of another kind.
pub fn open(path: &Path) -> Result<Connection, Error> {
    check_kind(path)?;
    private::create(path).map_err(|error| Error::Store { path: path.to_owned(), problem: error.to_string() })?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(|error| said(path, &error))?;
    prepare(&connection, path).map_err(|error| said(path, &error))??;
    Ok(connection)
}

/// Opens the database to read it. It must be one.
///
/// The file is opened by SQLite and by nobody else: where this process writes the database, too, closing the file would end
/// all its locks on it (POSIX), and any other program could take the database away.
pub fn open_to_read(path: &Path) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(|error| said(path, &error))?;
    let checked = || {
        connection.busy_timeout(PATIENCE)?;
        check_version(&connection, path)
    };
    match checked().map_err(|error| said(path, &error))?? {
        0 => Err(Error::Foreign { path: path.to_owned(), is: "an empty database".to_owned() }),
        _ => Ok(connection),
    }
}

/// What a problem of SQLite's means for the database.
pub fn said(path: &Path, error: &rusqlite::Error) -> Error {
    let (path, problem) = (path.to_owned(), error.to_string());
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => {
            Error::Foreign { path, is: "a file of another kind, or an encrypted one".to_owned() }
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
    connection.busy_timeout(PATIENCE)?;
    // A log of 4 MB is written back; it is not cut off, which would cost two more syncs each time.
    connection.pragma_update(None, "wal_autocheckpoint", 1_000)?;
    connection.set_prepared_statement_cache_capacity(64);
    let steps = STEPS.iter().skip(usize::try_from(version).unwrap_or(0));
    for (step, version) in steps.zip(version + 1..) {
        let text = format!(
            "BEGIN IMMEDIATE; {step} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {version}; COMMIT;"
        );
        connection.execute_batch(&text)?;
    }
    Ok(Ok(()))
}

/// The version of the schema; 0 of a database that has nothing in it.
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
        _ => Err(Error::Foreign { path: path.to_owned(), is: "an SQLite database of something else".to_owned() }),
    })
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
        };
        stored.write()
    }

    #[test]
    fn events_of_schema_5_are_told_from_keys() {
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
        let told = |texts: [Option<&str>; 3]| texts.map(|text| text.map(str::to_owned));
        assert_eq!(
            found.expect("texts"),
            [
                ("event".to_owned(), told([None, Some("/ward"), Some("777 b")])),
                ("chosen".to_owned(), told([Some("event /ward 777"), None, None])),
                ("short".to_owned(), told([Some("event /ward"), None, None])),
                ("other".to_owned(), told([Some("order 7"), None, None])),
                ("none".to_owned(), told([None, None, None])),
            ]
        );
    }
}
