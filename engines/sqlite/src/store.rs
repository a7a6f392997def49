//! The thread that writes: all that has come in meanwhile goes into one transaction, and into one sync of the disk.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use crate::{Error, schema};

/// How much can wait to be written. Who brings more waits, too.
const WAITING: usize = 4_096;

/// How much goes into one transaction.
const GROUP: usize = 1_024;

/// Something to be written. What it returns is done when that is durable, or has failed.
type Job = Box<dyn FnOnce(&Connection) -> rusqlite::Result<Reply> + Send>;

type Reply = Box<dyn FnOnce(Result<(), Error>) + Send>;

/// The database, to write and to read.
pub struct Store {
    path: PathBuf,
    jobs: Mutex<Option<mpsc::Sender<Job>>>,
    failed: Arc<OnceLock<Error>>,
    reader: Mutex<Connection>,
    writer: Mutex<Option<JoinHandle<()>>>,
}

impl Store {
    /// Opens the database.
    pub fn open(path: &Path) -> Result<Store, Error> {
        let connection = schema::open(path)?;
        let reader = Mutex::new(schema::open_to_read(path)?);
        let (sender, receiver) = mpsc::channel(WAITING);
        let failed = Arc::<OnceLock<Error>>::default();
        let writer = Writer { path: path.to_owned(), connection, failed: failed.clone() };
        let thread = std::thread::Builder::new().name("workflow-sqlite".to_owned());
        let thread = thread.spawn(move || writer.run(receiver));
        let thread = thread.map_err(|error| Error::Store { path: path.to_owned(), problem: error.to_string() })?;
        let jobs = Mutex::new(Some(sender));
        Ok(Store { path: path.to_owned(), jobs, failed, reader, writer: Mutex::new(Some(thread)) })
    }

    /// Writes, and waits until that is durable.
    pub async fn write<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, Error> {
        let (sender, receiver) = oneshot::channel();
        let (path, failed) = (self.path.clone(), self.failed.clone());
        let job: Job = Box::new(move |connection| {
            // Who waits looks for the reason as soon as the sender is gone.
            let fails = |error: &rusqlite::Error| {
                failed.get_or_init(|| schema::said(&path, error));
            };
            let value = job(connection).inspect_err(fails)?;
            Ok(Box::new(move |result| {
                // Who asked may have gone.
                let _ = sender.send(result.map(|()| value));
            }))
        });
        let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let sent = match jobs {
            Some(jobs) => jobs.send(job).await.is_ok(),
            None => false,
        };
        match receiver.await {
            Ok(result) if sent => result,
            _ => Err(self.problem()),
        }
    }

    /// Reads what is durable. Not for more than a moment: others wait.
    pub fn read<T>(&self, read: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Error> {
        let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        read(&reader).map_err(|error| schema::said(&self.path, &error))
    }

    /// Writes what has come in, and no more.
    pub fn close(&self) {
        drop(self.jobs.lock().unwrap_or_else(PoisonError::into_inner).take());
        let thread = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            let _ = thread.join();
        }
    }

    /// That what is stored is not what was stored.
    pub fn damaged(&self, problem: String) -> Error {
        Error::Damaged { path: self.path.clone(), problem }
    }

    /// Why nothing is written any more.
    pub fn problem(&self) -> Error {
        self.failed.get().cloned().unwrap_or(Error::Stopped)
    }

    /// Whether nothing is written any more.
    pub fn has_failed(&self) -> bool {
        self.failed.get().is_some()
    }
}

struct Writer {
    path: PathBuf,
    connection: Connection,
    failed: Arc<OnceLock<Error>>,
}

impl Writer {
    fn run(self, mut jobs: mpsc::Receiver<Job>) {
        while let Some(first) = jobs.blocking_recv() {
            let mut replies = Vec::new();
            let rest = std::iter::from_fn(|| jobs.try_recv().ok()).take(GROUP);
            // Those that are not written are kept until the reason is there.
            let mut group = std::iter::once(first).chain(rest);
            let written = self.write(&mut group, &mut replies);
            let result = written.map_err(|error| {
                // As long as the connection is, so is the transaction.
                let _ = self.connection.execute_batch("ROLLBACK");
                self.failed.get_or_init(|| schema::said(&self.path, &error)).clone()
            });
            for reply in replies {
                reply(result.clone());
            }
            if result.is_err() {
                // The others find the channel closed, and the reason here.
                return;
            }
        }
        // So that the next one to open it has nothing to recover.
        let _ = self.connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)");
    }

    fn write(&self, jobs: impl Iterator<Item = Job>, replies: &mut Vec<Reply>) -> rusqlite::Result<()> {
        self.connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        for job in jobs {
            replies.push(job(&self.connection)?);
        }
        self.connection.prepare_cached("COMMIT")?.execute([])?;
        Ok(())
    }
}
