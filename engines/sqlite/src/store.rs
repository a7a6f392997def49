//! The thread that writes: all that has come in meanwhile goes into one transaction, and into one sync of the disk.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tokio::sync::mpsc::error::TryRecvError;
use tokio::sync::{Notify, mpsc, oneshot};

use crate::{Error, schema};

/// How much can wait to be written. Who brings more waits, too.
const WAITING: usize = 4_096;

/// How much goes into one transaction.
const GROUP: usize = 1_024;

/// A transaction is held open for others for such a part of the time that a sync takes, and no longer than this.
const PATIENCE: u32 = 2;
const MOST_PATIENCE: Duration = Duration::from_millis(2);

/// How long the thread looks for more before it sleeps.
const MOST_WAKEFUL: Duration = Duration::from_micros(200);

/// Something to be written. What it returns is done when that is durable, or has failed.
type Job = Box<dyn FnOnce(&Connection) -> rusqlite::Result<Reply> + Send>;

type Reply = Box<dyn FnOnce(Result<(), Error>) + Send>;

/// Why nothing is written any more.
#[derive(Default)]
struct Failure {
    error: OnceLock<Error>,
    /// Who is told.
    told: Notify,
}

/// The database, to write and to read.
pub struct Store {
    path: PathBuf,
    jobs: Mutex<Option<mpsc::Sender<Job>>>,
    failed: Arc<Failure>,
    reader: Mutex<Connection>,
    writer: Mutex<Option<JoinHandle<()>>>,
}

impl Store {
    /// Opens the database.
    pub fn open(path: &Path, pages: Option<u32>) -> Result<Store, Error> {
        let connection = schema::open(path)?;
        if let Some(pages) = pages {
            let limited = connection.pragma_update(None, "max_page_count", pages);
            limited.map_err(|error| schema::said(path, &error))?;
        }
        let reader = Mutex::new(schema::open_to_read(path)?);
        let (sender, receiver) = mpsc::channel(WAITING);
        let failed = Arc::<Failure>::default();
        let writer = Writer {
            path: path.to_owned(),
            connection,
            jobs: receiver,
            failed: failed.clone(),
            before: Default::default(),
        };
        let thread = std::thread::Builder::new().name("workflow-sqlite".to_owned());
        let thread = thread.spawn(move || writer.run());
        let thread = thread.map_err(|error| Error::Store { path: path.to_owned(), problem: error.to_string() })?;
        let jobs = Mutex::new(Some(sender));
        Ok(Store { path: path.to_owned(), jobs, failed, reader, writer: Mutex::new(Some(thread)) })
    }

    /// Writes, and waits until that is durable.
    pub async fn write<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, Error> {
        self.write_then(job, |_| {}).await
    }

    /// As [`Store::write`]. When it is durable others are told, also if who has asked does not wait any more.
    pub async fn write_then<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
        tell: impl FnOnce(&T) + Send + 'static,
    ) -> Result<T, Error> {
        let (sender, receiver) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            let value = job(connection)?;
            Ok(Box::new(move |result| {
                // Who asked may have gone.
                if result.is_ok() {
                    tell(&value);
                }
                let _ = sender.send(result.map(|()| value));
            }))
        });
        let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(jobs) = jobs else { return Err(self.problem()) };
        if jobs.send(job).await.is_ok()
            && let Ok(result) = receiver.await
        {
            return result;
        }
        // The thread that writes ends, and says why before it does.
        jobs.closed().await;
        Err(self.problem())
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
        self.failed.error.get().cloned().unwrap_or(Error::Stopped)
    }

    /// Waits until nothing is written any more. One can wait.
    pub async fn fails(&self) {
        self.failed.told.notified().await;
    }

    /// Whether nothing is written any more.
    pub fn has_failed(&self) -> bool {
        self.failed.error.get().is_some()
    }
}

struct Writer {
    path: PathBuf,
    connection: Connection,
    jobs: mpsc::Receiver<Job>,
    failed: Arc<Failure>,
    /// How much the transaction before had in it, and how long it took to make it durable.
    before: (usize, Duration),
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

impl Drop for Writer {
    /// Nobody is to wait for a thread that is gone.
    fn drop(&mut self) {
        if std::thread::panicking() {
            let problem = "the thread that writes has panicked".to_owned();
            self.fail(Error::Store { path: self.path.clone(), problem });
        }
    }
}

impl Writer {
    fn run(mut self) {
        let mut files = None;
        while let Some(first) = self.next() {
            let mut replies = Vec::new();
            let written = self.write(first, &mut replies);
            let written = written.map_err(|error| {
                // As long as the connection is, so is the transaction.
                let _ = self.connection.execute_batch("ROLLBACK");
                schema::said(&self.path, &error)
            });
            // What was written to files that nobody finds any more is not durable.
            let found = files.get_or_insert_with(|| Files::find(&self.path));
            let result = written.and_then(|()| found.are_there(&self.path)).map_err(|error| self.fail(error));
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

    fn fail(&self, error: Error) -> Error {
        let error = self.failed.error.get_or_init(|| error).clone();
        self.failed.told.notify_one();
        error
    }

    /// The next thing to be written. Who was told just now may bring it at once: to be woken takes longer than to look.
    fn next(&mut self) -> Option<Job> {
        let patience = (self.before.1 / PATIENCE).min(MOST_WAKEFUL);
        let began = Instant::now();
        loop {
            match self.jobs.try_recv() {
                Ok(job) => return Some(job),
                Err(TryRecvError::Disconnected) => return None,
                Err(TryRecvError::Empty) if began.elapsed() < patience => std::thread::yield_now(),
                Err(TryRecvError::Empty) => return self.jobs.blocking_recv(),
            }
        }
    }

    /// Writes this, and what has come in meanwhile.
    fn write(&mut self, first: Job, replies: &mut Vec<Reply>) -> rusqlite::Result<()> {
        self.connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        replies.push(first(&self.connection)?);
        // Those that were told of the transaction before are about to bring more: a sync for each would take longer.
        let (expected, sync) = self.before;
        let patience = (sync / PATIENCE).min(MOST_PATIENCE);
        let began = Instant::now();
        while replies.len() < GROUP {
            match self.jobs.try_recv() {
                Ok(job) => replies.push(job(&self.connection)?),
                Err(_) if replies.len() < expected && began.elapsed() < patience => std::thread::yield_now(),
                Err(_) => break,
            }
        }
        let began = Instant::now();
        self.connection.prepare_cached("COMMIT")?.execute([])?;
        self.before = (replies.len(), began.elapsed());
        Ok(())
    }
}
