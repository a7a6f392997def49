//! Transactions: one for each commit that is alone, and one for many that come in together.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode};
use tokio::sync::{Notify, mpsc};

use crate::{Error, schema};

/// How much goes into one transaction.
const GROUP: usize = 1_024;

/// A transaction is held open for others for such a part of the time that a sync takes, and no longer than this.
pub const PATIENCE: u32 = 2;
const MOST_PATIENCE: Duration = Duration::from_millis(2);

/// A commit that takes longer is left to the thread: who brings it has others to run.
const MOST_BLOCKING: Duration = Duration::from_millis(2);

/// Something to be written. It is written once more if what came in with it cannot be.
pub trait Job: Send {
    /// Writes it.
    fn write(&mut self, connection: &Connection) -> rusqlite::Result<()>;

    /// It is durable, or has failed.
    fn told(self: Box<Self>, result: Result<(), Error>);
}

/// Why nothing is written any more.
pub struct Failure {
    path: PathBuf,
    error: OnceLock<Error>,
    /// Who is told.
    told: Notify,
}

impl Failure {
    pub fn new(path: &Path) -> Failure {
        Failure { path: path.to_owned(), error: OnceLock::new(), told: Notify::new() }
    }

    pub fn get(&self) -> Option<&Error> {
        self.error.get()
    }

    /// Waits for it. One can wait.
    pub async fn told(&self) {
        self.told.notified().await;
    }

    fn fail(&self, error: Error) -> Error {
        let error = self.error.get_or_init(|| error).clone();
        self.told.notify_one();
        error
    }
}

/// Nobody is to wait for a database whose writer has panicked.
struct Watch<'a>(&'a Failure);

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let problem = "what writes it has panicked".to_owned();
            self.0.fail(Error::Store { path: self.0.path.clone(), problem });
        }
    }
}

/// Who has it writes.
pub struct Writer {
    /// `None` when all was written.
    connection: Option<Connection>,
    failed: Arc<Failure>,
    files: Option<Files>,
    /// How much the transaction before had in it, and how long it took to make it durable.
    before: (usize, Duration),
}

impl Writer {
    pub fn new(connection: Connection, failed: Arc<Failure>) -> Writer {
        Writer { connection: Some(connection), failed, files: None, before: Default::default() }
    }

    /// How long it took to make the last transaction durable.
    pub fn last_sync(&self) -> Duration {
        self.before.1
    }

    /// Whether the transaction before had nothing else in it, and took no time to speak of.
    pub fn is_quiet(&self) -> bool {
        let (expected, sync) = self.before;
        expected <= 1 && sync < MOST_BLOCKING && self.failed.get().is_none()
    }

    /// As if the disk were a fast one.
    #[cfg(test)]
    pub fn hurry(&mut self) {
        self.before.1 = Duration::ZERO;
    }

    /// Writes this and nothing else, unless that cannot be begun at once.
    pub fn write_one<T>(
        &mut self,
        job: &mut impl FnMut(&Connection) -> rusqlite::Result<T>,
    ) -> Option<Result<T, Error>> {
        let failed = self.failed.clone();
        let _watch = Watch(&failed);
        let connection = self.connection.as_ref().filter(|_| failed.get().is_none())?;
        // Who is in a hurry does not wait for other programs.
        let begun = connection.busy_timeout(Duration::ZERO).and_then(|()| execute(connection, "BEGIN IMMEDIATE"));
        let begun = begun.and_then(|()| connection.busy_timeout(schema::PATIENCE));
        if begun.is_err() {
            let _ = connection.busy_timeout(schema::PATIENCE);
            return None;
        }
        let mut sync = Duration::ZERO;
        let written = job(connection).and_then(|value| {
            sync = commit(connection)?;
            Ok(value)
        });
        self.before = (1, sync);
        Some(match written {
            Ok(value) => self.kept().map(|()| value),
            Err(error) => Err(self.refused(&error)),
        })
    }

    /// Writes this, and what comes in meanwhile. How much that was.
    pub fn write_all(&mut self, first: Box<dyn Job>, jobs: &mut mpsc::Receiver<Box<dyn Job>>) -> usize {
        let failed = self.failed.clone();
        let _watch = Watch(&failed);
        let mut group = vec![first];
        let Some(connection) = self.connection.as_ref().filter(|_| failed.get().is_none()) else { return 1 };
        let mut refused = Vec::new();
        let written = match gather(connection, &mut group, jobs, self.before) {
            // One of them is at fault: which, is found out.
            Err(error) if !concerns_all(&error) => one_by_one(connection, &mut group, &mut refused),
            written => written,
        };
        let written = written.and_then(|()| commit(connection));
        self.before = (group.len(), written.as_ref().copied().unwrap_or_default());
        let result = match written {
            Ok(_) => self.kept(),
            Err(error) => Err(self.give_up(&error)),
        };
        let all = group.len();
        let mut refused = refused.into_iter().peekable();
        for (job, at) in group.into_iter().zip(0..) {
            let own = refused.next_if(|(number, _)| *number == at).map(|(_, error)| Err(error));
            job.told(result.clone().and(own.unwrap_or(Ok(()))));
        }
        all
    }

    /// Nothing more is written.
    pub fn close(&mut self) {
        // So that the next one to open it has nothing to recover.
        if let Some(connection) = self.connection.take().filter(|_| self.failed.get().is_none()) {
            let _ = connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)");
        }
    }

    /// What was written to files that nobody finds any more is not durable.
    fn kept(&mut self) -> Result<(), Error> {
        let path = &self.failed.path;
        let found = self.files.get_or_insert_with(|| Files::find(path));
        found.are_there(path).map_err(|error| self.failed.fail(error))
    }

    /// What could not be written was not, and others can be.
    fn refused(&self, error: &rusqlite::Error) -> Error {
        match self.connection.as_ref().filter(|_| !concerns_all(error)).map(|c| execute(c, "ROLLBACK")) {
            Some(Ok(())) => unwritten(error),
            Some(Err(error)) => self.give_up(&error),
            None => self.give_up(error),
        }
    }

    /// Nothing can be written any more.
    fn give_up(&self, error: &rusqlite::Error) -> Error {
        if let Some(connection) = &self.connection {
            // As long as the connection is, so is the transaction.
            let _ = connection.execute_batch("ROLLBACK");
        }
        self.failed.fail(schema::said(&self.failed.path, error))
    }
}

/// Writes all of them as they come in.
fn gather(
    connection: &Connection,
    group: &mut Vec<Box<dyn Job>>,
    jobs: &mut mpsc::Receiver<Box<dyn Job>>,
    before: (usize, Duration),
) -> rusqlite::Result<()> {
    execute(connection, "BEGIN IMMEDIATE")?;
    group.iter_mut().try_for_each(|job| job.write(connection))?;
    // Those that were told of the transaction before are about to bring more: a sync for each would take longer.
    let (expected, sync) = before;
    let patience = (sync / PATIENCE).min(MOST_PATIENCE);
    let began = Instant::now();
    while group.len() < GROUP {
        match jobs.try_recv() {
            Ok(mut job) => {
                let written = job.write(connection);
                group.push(job);
                written?;
            }
            Err(_) if group.len() < expected && began.elapsed() < patience => std::thread::yield_now(),
            Err(_) => break,
        }
    }
    Ok(())
}

/// Writes all that can be written of a group, of which something cannot be.
fn one_by_one(
    connection: &Connection,
    group: &mut [Box<dyn Job>],
    refused: &mut Vec<(usize, Error)>,
) -> rusqlite::Result<()> {
    execute(connection, "ROLLBACK")?;
    execute(connection, "BEGIN IMMEDIATE")?;
    for (job, at) in group.iter_mut().zip(0..) {
        execute(connection, "SAVEPOINT job")?;
        match job.write(connection) {
            Ok(()) => {}
            Err(error) if concerns_all(&error) => return Err(error),
            Err(error) => {
                execute(connection, "ROLLBACK TO job")?;
                refused.push((at, unwritten(&error)));
            }
        }
        execute(connection, "RELEASE job")?;
    }
    Ok(())
}

/// Makes it durable, and tells how long that took.
fn commit(connection: &Connection) -> rusqlite::Result<Duration> {
    let began = Instant::now();
    execute(connection, "COMMIT")?;
    Ok(began.elapsed())
}

fn execute(connection: &Connection, text: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(text)?.execute([]).map(|_| ())
}

/// Whether the database is at fault, and not what was to be written.
fn concerns_all(error: &rusqlite::Error) -> bool {
    use ErrorCode::{ConstraintViolation, ParameterOutOfRange, TooBig, TypeMismatch, Unknown};
    let of_one = |code| matches!(code, ConstraintViolation | ParameterOutOfRange | TooBig | TypeMismatch | Unknown);
    error.sqlite_error_code().is_some_and(|code| !of_one(code))
}

fn unwritten(error: &rusqlite::Error) -> Error {
    Error::Unwritten { problem: error.to_string() }
}

/// The files of the database: which they are, that is, not their names.
struct Files([Option<Identity>; 2]);

#[cfg(unix)]
type Identity = (u64, u64);

#[cfg(not(unix))]
type Identity = ();

impl Files {
    fn find(path: &Path) -> Files {
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        Files([identity(path), identity(Path::new(&log))])
    }

    /// They must still be where the next process will look for them.
    fn are_there(&self, path: &Path) -> Result<(), Error> {
        match Files::find(path).0 == self.0 {
            true => Ok(()),
            false => {
                let problem = "its files were removed or replaced while it was in use".to_owned();
                Err(Error::Store { path: path.to_owned(), problem })
            }
        }
    }
}

fn identity(path: &Path) -> Option<Identity> {
    let found = std::fs::metadata(path).ok()?;
    #[cfg(unix)]
    return Some((std::os::unix::fs::MetadataExt::dev(&found), std::os::unix::fs::MetadataExt::ino(&found)));
    #[cfg(not(unix))]
    return found.is_file().then_some(());
}
