//! Transactions of the writer: one for a single job, or one for a group of pending jobs (group
//! commit).

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode};
use tokio::sync::{Notify, mpsc};

use crate::measures::Transaction;
use crate::{Error, schema};

/// Largest number of jobs in a transaction.
const MAX_GROUP: usize = 1_024;

/// A transaction is held open for more jobs for this share of a sync's time, and no longer than
/// [`MAX_GROUP_WAIT`].
pub const SYNC_SHARE: u32 = 2;
const MAX_GROUP_WAIT: Duration = Duration::from_millis(2);

/// A longer commit is left to the writer thread, because the calling thread has other executions
/// to run.
const MAX_BLOCKING: Duration = Duration::from_millis(2);

/// Unit of work of a transaction. It runs again if its transaction has to be repeated without a
/// failed job.
pub trait Job: Send {
    /// Runs the statements of the job.
    fn write(&mut self, connection: &Connection) -> rusqlite::Result<()>;

    /// Receives the result: durable, or failed.
    fn on_result(self: Box<Self>, result: Result<(), Error>);
}

/// Reason why the store has failed, once it has.
pub struct Failure {
    path: PathBuf,
    error: OnceLock<Error>,
    /// Notified on failure.
    notify: Notify,
}

impl Failure {
    pub fn new(path: &Path) -> Failure {
        Failure { path: path.to_owned(), error: OnceLock::new(), notify: Notify::new() }
    }

    pub fn get(&self) -> Option<&Error> {
        self.error.get()
    }

    /// Waits for the failure. Only one caller can wait.
    pub async fn wait(&self) {
        self.notify.notified().await;
    }

    fn set(&self, error: Error) -> Error {
        let error = self.error.get_or_init(|| error).clone();
        self.notify.notify_one();
        error
    }
}

/// Fails the store if the writer panics, so that nobody waits for it.
pub struct PanicGuard<'a>(pub &'a Failure);

impl Drop for PanicGuard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let problem = "the writer thread panicked".to_owned();
            self.0.set(Error::Store { path: self.0.path.clone(), problem });
        }
    }
}

/// Owner of the connection for writing.
pub struct Writer {
    /// `None` once closed.
    connection: Option<Connection>,
    failed: Arc<Failure>,
    files: Option<Files>,
    /// Number of jobs and sync time of the transaction before.
    before: (usize, Duration),
    /// The last transaction, until it is reported.
    unreported: Option<Transaction>,
}

impl Writer {
    pub fn new(connection: Connection, failed: Arc<Failure>) -> Writer {
        Writer { connection: Some(connection), failed, files: None, before: Default::default(), unreported: None }
    }

    /// Returns the connection; `None` if the store was closed or has failed.
    pub fn connection(&self) -> Option<&Connection> {
        self.connection.as_ref().filter(|_| self.failed.get().is_none())
    }

    /// Returns the last transaction once.
    pub fn take_transaction(&mut self) -> Option<Transaction> {
        self.unreported.take()
    }

    /// Returns the sync time of the last transaction.
    pub fn last_sync(&self) -> Duration {
        self.before.1
    }

    /// Returns `true` if the transaction before had one job at most, and a short sync.
    pub fn is_quiet(&self) -> bool {
        let (expected, sync) = self.before;
        expected <= 1 && sync < MAX_BLOCKING && self.failed.get().is_none()
    }

    /// Pretends that the last sync took no time.
    #[cfg(test)]
    pub fn assume_fast_disk(&mut self) {
        self.before.1 = Duration::ZERO;
    }

    /// Commits one job in a transaction of its own. Returns `None` if the transaction cannot begin
    /// at once.
    pub fn write_one<T>(
        &mut self,
        job: &mut impl FnMut(&Connection) -> rusqlite::Result<T>,
    ) -> Option<Result<T, Error>> {
        let failed = self.failed.clone();
        let _watch = PanicGuard(&failed);
        let connection = self.connection.as_ref().filter(|_| failed.get().is_none())?;
        let began = Instant::now();
        // A caller that blocks its thread does not wait for the locks of other programs.
        let begun = connection.busy_timeout(Duration::ZERO).and_then(|()| execute(connection, "BEGIN IMMEDIATE"));
        let begun = begun.and_then(|()| connection.busy_timeout(schema::LOCK_TIMEOUT));
        if begun.is_err() {
            let _ = connection.busy_timeout(schema::LOCK_TIMEOUT);
            return None;
        }
        let mut sync = Duration::ZERO;
        let written = job(connection).and_then(|value| {
            sync = commit(connection)?;
            Ok(value)
        });
        let committed = written.is_ok();
        self.unreported = Some(Transaction { duration: began.elapsed(), writes: 1, committed });
        self.before = (1, sync);
        Some(match written {
            Ok(value) => self.check_files().map(|()| value),
            Err(error) => Err(self.refused(&error)),
        })
    }

    /// Commits a job together with pending ones. Returns their number.
    pub fn write_all(&mut self, first: Box<dyn Job>, jobs: &mut mpsc::Receiver<Box<dyn Job>>) -> usize {
        let failed = self.failed.clone();
        let _watch = PanicGuard(&failed);
        let mut group = vec![first];
        let Some(connection) = self.connection.as_ref().filter(|_| failed.get().is_none()) else { return 1 };
        let mut refused = Vec::new();
        let began = Instant::now();
        let written = match gather(connection, &mut group, jobs, self.before) {
            // One of the jobs is at fault: run them one by one.
            Err(error) if !is_database_error(&error) => one_by_one(connection, &mut group, &mut refused),
            written => written,
        };
        let written = written.and_then(|()| commit(connection));
        let (writes, committed) = (group.len(), written.is_ok());
        self.unreported = Some(Transaction { duration: began.elapsed(), writes, committed });
        self.before = (group.len(), written.as_ref().copied().unwrap_or_default());
        let result = match written {
            Ok(_) => self.check_files(),
            Err(error) => Err(self.fail(&error)),
        };
        let all = group.len();
        let mut refused = refused.into_iter().peekable();
        for (job, at) in group.into_iter().zip(0..) {
            let own = refused.next_if(|(number, _)| *number == at).map(|(_, error)| Err(error));
            job.on_result(result.clone().and(own.unwrap_or(Ok(()))));
        }
        all
    }

    /// Closes the database.
    pub fn close(&mut self) {
        // A checkpoint leaves nothing to recover for the next process.
        if let Some(connection) = self.connection.take().filter(|_| self.failed.get().is_none()) {
            let _ = connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)");
        }
    }

    /// Fails the store if its files were removed or replaced: what was written there is not
    /// durable.
    fn check_files(&mut self) -> Result<(), Error> {
        let path = &self.failed.path;
        let files = self.files.get_or_insert_with(|| Files::find(path));
        files.check_in_place(path).map_err(|error| self.failed.set(error))
    }

    /// Rolls back a failed job. Others can still be written.
    fn refused(&self, error: &rusqlite::Error) -> Error {
        match self.connection.as_ref().filter(|_| !is_database_error(error)).map(|c| execute(c, "ROLLBACK")) {
            Some(Ok(())) => unwritten(error),
            Some(Err(error)) => self.fail(&error),
            None => self.fail(error),
        }
    }

    /// Fails the store.
    fn fail(&self, error: &rusqlite::Error) -> Error {
        if let Some(connection) = &self.connection {
            // The transaction would live as long as the connection.
            let _ = connection.execute_batch("ROLLBACK");
        }
        self.failed.set(schema::store_error(&self.failed.path, error))
    }
}

/// Runs jobs in a transaction as they come in.
fn gather(
    connection: &Connection,
    group: &mut Vec<Box<dyn Job>>,
    jobs: &mut mpsc::Receiver<Box<dyn Job>>,
    before: (usize, Duration),
) -> rusqlite::Result<()> {
    execute(connection, "BEGIN IMMEDIATE")?;
    group.iter_mut().try_for_each(|job| job.write(connection))?;
    // Callers of the transaction before are about to queue more jobs. A sync for each would take
    // longer.
    let (expected, sync) = before;
    let patience = (sync / SYNC_SHARE).min(MAX_GROUP_WAIT);
    let began = Instant::now();
    while group.len() < MAX_GROUP {
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

/// Runs a group again, each job in a savepoint, and collects those that fail.
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
            Err(error) if is_database_error(&error) => return Err(error),
            Err(error) => {
                execute(connection, "ROLLBACK TO job")?;
                refused.push((at, unwritten(&error)));
            }
        }
        execute(connection, "RELEASE job")?;
    }
    Ok(())
}

/// Commits, and returns the time of the sync.
fn commit(connection: &Connection) -> rusqlite::Result<Duration> {
    let began = Instant::now();
    execute(connection, "COMMIT")?;
    Ok(began.elapsed())
}

fn execute(connection: &Connection, text: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(text)?.execute([]).map(|_| ())
}

/// Returns `true` if the error concerns the database, not a single job.
fn is_database_error(error: &rusqlite::Error) -> bool {
    use ErrorCode::{ConstraintViolation, ParameterOutOfRange, TooBig, TypeMismatch, Unknown};
    let of_one = |code| matches!(code, ConstraintViolation | ParameterOutOfRange | TooBig | TypeMismatch | Unknown);
    error.sqlite_error_code().is_some_and(|code| !of_one(code))
}

fn unwritten(error: &rusqlite::Error) -> Error {
    Error::Unwritten { problem: error.to_string() }
}

/// Identities of the database files, independent of their names.
struct Files([Option<FileId>; 2]);

#[cfg(unix)]
type FileId = (u64, u64);

#[cfg(not(unix))]
type FileId = ();

impl Files {
    fn find(path: &Path) -> Files {
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        Files([identity(path), identity(Path::new(&log))])
    }

    /// Fails unless the files are where the next process will look for them.
    fn check_in_place(&self, path: &Path) -> Result<(), Error> {
        match Files::find(path).0 == self.0 {
            true => Ok(()),
            false => {
                let problem = "its files were removed or replaced while in use".to_owned();
                Err(Error::Store { path: path.to_owned(), problem })
            }
        }
    }
}

fn identity(path: &Path) -> Option<FileId> {
    let metadata = std::fs::metadata(path).ok()?;
    #[cfg(unix)]
    return Some((std::os::unix::fs::MetadataExt::dev(&metadata), std::os::unix::fs::MetadataExt::ino(&metadata)));
    #[cfg(not(unix))]
    return metadata.is_file().then_some(());
}
