//! Database access. A writer thread commits all pending writes in one transaction, so that they
//! share a sync of the disk (group commit). If no other write is pending, the caller commits on
//! its own thread, because waking the writer takes longer than writing.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::mpsc::error::TryRecvError;
use tokio::sync::{mpsc, oneshot};

use crate::measures::{self, Measures};
use crate::writer::{Failure, Job, PanicGuard, SYNC_SHARE, Writer};
use crate::{Error, schema};

/// Capacity of the write queue. A full queue delays writers.
const QUEUE_CAPACITY: usize = 4_096;

/// Number of idle connections kept for readers.
const MAX_IDLE_READERS: usize = 4;

/// Longest time for which the thread polls for more writes before it sleeps.
const MAX_SPIN: Duration = Duration::from_micros(200);

/// Database for writing and reading.
pub struct Store {
    path: PathBuf,
    jobs: Mutex<Option<mpsc::Sender<Box<dyn Job>>>>,
    /// Number of writes that are queued or in progress on the writer thread.
    queued: Arc<AtomicUsize>,
    writer: Arc<Mutex<Writer>>,
    /// Set if callers may commit on their own thread.
    shares: bool,
    failed: Arc<Failure>,
    /// Idle connections for reading.
    readers: Mutex<Vec<Connection>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    measures: Option<Measures>,
}

impl Store {
    /// Opens the database for programs that run in this runtime.
    pub fn open(path: &Path, pages: Option<u32>, runtime: &Handle, measures: Option<Measures>) -> Result<Store, Error> {
        let connection = schema::open(path)?;
        if let Some(pages) = pages {
            let limited = connection.pragma_update(None, "max_page_count", pages);
            limited.map_err(|error| schema::store_error(path, &error))?;
        }
        if measures.is_some() {
            measures::install(&connection, path)?;
        }
        let readers = Mutex::new(vec![schema::open_to_read(path)?]);
        let (sender, receiver) = mpsc::channel(QUEUE_CAPACITY);
        let failed = Arc::new(Failure::new(path));
        let writer = Arc::new(Mutex::new(Writer::new(connection, failed.clone())));
        let queued = Arc::<AtomicUsize>::default();
        let thread = Thread {
            jobs: receiver,
            queued: queued.clone(),
            writer: writer.clone(),
            failed: failed.clone(),
            measures: measures.clone(),
        };
        let spawned = std::thread::Builder::new().name("workflow-sqlite".to_owned()).spawn(move || thread.run());
        let spawned = spawned.map_err(|error| Error::Store { path: path.to_owned(), problem: error.to_string() })?;
        // A runtime with one thread must not block it: it has other executions to run.
        let shares = runtime.runtime_flavor() == RuntimeFlavor::MultiThread && runtime.metrics().num_workers() > 1;
        Ok(Store {
            path: path.to_owned(),
            jobs: Mutex::new(Some(sender)),
            queued,
            writer,
            shares,
            failed,
            readers,
            thread: Mutex::new(Some(spawned)),
            measures,
        })
    }

    /// Writes, and waits until the write is durable. `job` runs again if another job of its
    /// transaction fails.
    pub async fn write<T: Send + 'static>(
        &self,
        job: impl FnMut(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, Error> {
        self.write_then(job, |_| {}).await
    }

    /// Writes as [`Store::write`] does, and calls `on_durable` once the write is durable, even if
    /// the caller no longer waits.
    pub async fn write_then<T: Send + 'static>(
        &self,
        job: impl FnMut(&Connection) -> rusqlite::Result<T> + Send + 'static,
        on_durable: impl FnOnce(&T) + Send + 'static,
    ) -> Result<T, Error> {
        let (sender, receiver) = oneshot::channel();
        let job = Box::new(PendingWrite { job, on_durable, value: None, sender });
        let jobs = lock(&self.jobs).clone();
        let Some(jobs) = jobs else { return Err(self.problem()) };
        let queued = Queued::one(&self.queued);
        if jobs.send(job).await.is_ok() {
            queued.arrived();
            if let Ok(result) = receiver.await {
                return result;
            }
        }
        // The writer thread stores the reason before it ends.
        jobs.closed().await;
        Err(self.problem())
    }

    /// Writes on this thread if no other write is pending. Returns `None` if it cannot, and has
    /// not called `job` then.
    pub fn write_at_once<T>(
        &self,
        job: &mut impl FnMut(&Connection) -> rusqlite::Result<T>,
    ) -> Option<Result<T, Error>> {
        if !self.shares || self.queued.load(Ordering::Acquire) > 0 {
            return None;
        }
        let mut writer = self.writer.try_lock().ok().filter(|writer| writer.is_quiet())?;
        let written = writer.write_one(job);
        report(writer, &self.failed, self.measures.as_ref());
        written
    }

    /// Reads durable data. Blocks only this thread.
    pub fn read<T>(&self, read: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Error> {
        let idle = lock(&self.readers).pop();
        let reader = idle.map_or_else(|| schema::open_to_read(&self.path), Ok)?;
        let found = read(&reader).map_err(|error| schema::store_error(&self.path, &error));
        let mut readers = lock(&self.readers);
        if readers.len() < MAX_IDLE_READERS {
            readers.push(reader);
        }
        found
    }

    /// Reads on the connection that writes, which has data in memory. Blocks this thread until no
    /// transaction is in progress.
    pub fn read_by_writer<T>(&self, read: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Error> {
        let writer = lock(&self.writer);
        let connection = writer.connection().ok_or_else(|| self.problem())?;
        read(connection).map_err(|error| schema::store_error(&self.path, &error))
    }

    /// Writes the pending jobs, then closes the database.
    pub fn close(&self) {
        drop(lock(&self.jobs).take());
        let thread = lock(&self.thread).take();
        if let Some(thread) = thread {
            let _ = thread.join();
        }
    }

    /// Returns the error for stored data that cannot be read.
    pub fn damaged(&self, problem: String) -> Error {
        Error::Damaged { path: self.path.clone(), problem }
    }

    /// Returns the reason why nothing is written any more.
    pub fn problem(&self) -> Error {
        self.failed.get().cloned().unwrap_or(Error::Stopped)
    }

    /// Waits until the store has failed. Only one caller can wait.
    pub async fn fails(&self) {
        self.failed.wait().await;
    }

    /// Returns `true` if the store has failed.
    pub fn has_failed(&self) -> bool {
        self.failed.get().is_some()
    }
}

/// Job with the channel of its caller.
struct PendingWrite<T, J, F> {
    job: J,
    on_durable: F,
    value: Option<T>,
    sender: oneshot::Sender<Result<T, Error>>,
}

impl<T, J, F> Job for PendingWrite<T, J, F>
where
    T: Send,
    J: FnMut(&Connection) -> rusqlite::Result<T> + Send,
    F: FnOnce(&T) + Send,
{
    fn write(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        self.value = Some((self.job)(connection)?);
        Ok(())
    }

    fn on_result(self: Box<Self>, result: Result<(), Error>) {
        let PendingWrite { on_durable, value, sender, .. } = *self;
        let result = match (result, value) {
            (Ok(()), Some(value)) => {
                on_durable(&value);
                Ok(value)
            }
            (Ok(()), None) => Err(Error::Stopped),
            (Err(error), _) => Err(error),
        };
        // The caller may be gone.
        let _ = sender.send(result);
    }
}

/// Count of a queued job, undone if its caller goes away before the job is queued.
struct Queued<'a>(&'a AtomicUsize);

impl Queued<'_> {
    fn one(queued: &AtomicUsize) -> Queued<'_> {
        queued.fetch_add(1, Ordering::AcqRel);
        Queued(queued)
    }

    /// From here on the writer thread counts the job.
    fn arrived(self) {
        std::mem::forget(self);
    }
}

impl Drop for Queued<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

struct Thread {
    jobs: mpsc::Receiver<Box<dyn Job>>,
    queued: Arc<AtomicUsize>,
    writer: Arc<Mutex<Writer>>,
    failed: Arc<Failure>,
    measures: Option<Measures>,
}

impl Thread {
    fn run(mut self) {
        let mut patience = Duration::ZERO;
        while let Some(first) = self.next(patience) {
            let mut writer = lock(&self.writer);
            let written = writer.write_all(first, &mut self.jobs);
            patience = (writer.last_sync() / SYNC_SHARE).min(MAX_SPIN);
            self.queued.fetch_sub(written, Ordering::AcqRel);
            report(writer, &self.failed, self.measures.as_ref());
            if self.failed.get().is_some() {
                // Other callers find the channel closed, and the reason here.
                return;
            }
        }
        lock(&self.writer).close();
    }

    /// Waits for the next job. Polls for a while first: a caller whose write has just completed
    /// often queues another at once.
    fn next(&mut self, patience: Duration) -> Option<Box<dyn Job>> {
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
}

/// Releases the writer, and reports its last transaction. The store fails if the receiver of the
/// report panics.
fn report(mut writer: MutexGuard<'_, Writer>, failed: &Failure, measures: Option<&Measures>) {
    let _watch = PanicGuard(failed);
    let transaction = writer.take_transaction();
    drop(writer);
    if let Some((measures, transaction)) = measures.zip(transaction) {
        measures.report(transaction);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().expect("a runtime")
    }

    fn insert(number: i64) -> impl FnMut(&Connection) -> rusqlite::Result<i64> + Send {
        move |c| {
            c.execute("INSERT INTO metadata VALUES (?1, ?1)", [number])?;
            Ok(number)
        }
    }

    fn sum(store: &Store) -> i64 {
        store
            .read(|c| c.query_row("SELECT total(value) FROM metadata", [], |row| row.get(0)))
            .map_or(-1, |sum: f64| sum as i64)
    }

    #[test]
    fn a_single_write_is_committed_at_once() {
        let folder = std::env::temp_dir().join(format!("workflow-sqlite-store-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let runtime = runtime();
        let store = Store::open(&folder.join("alone.db"), None, runtime.handle(), None).expect("a database");
        let before = sum(&store);
        assert_eq!(store.write_at_once(&mut insert(1)), Some(Ok(1)));
        assert_eq!(sum(&store), before + 1);
        lock(&store.writer).assume_fast_disk();
        // A queued job has its turn first.
        store.queued.fetch_add(1, Ordering::AcqRel);
        assert_eq!(store.write_at_once(&mut insert(2)), None);
        store.queued.fetch_sub(1, Ordering::AcqRel);
        // The thread waits for the lock of another program.
        let other = Connection::open(folder.join("alone.db")).expect("a connection");
        other.execute_batch("BEGIN IMMEDIATE").expect("a lock");
        let began = Instant::now();
        assert_eq!(store.write_at_once(&mut insert(2)), None);
        assert!(began.elapsed() < schema::LOCK_TIMEOUT / 2);
        other.execute_batch("ROLLBACK").expect("no lock");
        assert_eq!(sum(&store), before + 1);
        // A failed write is reported, and has no effect.
        lock(&store.writer).assume_fast_disk();
        assert!(matches!(store.write_at_once(&mut insert(1)), Some(Err(Error::Unwritten { .. }))));
        assert_eq!(runtime.block_on(store.write(insert(2))), Ok(2));
        store.close();
        assert_eq!(store.write_at_once(&mut insert(3)), None);
        assert_eq!(runtime.block_on(store.write(insert(3))), Err(Error::Stopped));
        // A runtime with one thread never commits on the calling thread.
        let one = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let store = Store::open(&folder.join("one.db"), None, one.handle(), None).expect("a database");
        assert_eq!(store.write_at_once(&mut insert(1)), None);
        store.close();
        let _ = std::fs::remove_dir_all(&folder);
    }

    /// A failed job has no effect on others of its transaction.
    #[test]
    fn a_failed_job_fails_alone() {
        let folder = std::env::temp_dir().join(format!("workflow-sqlite-group-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let runtime = runtime();
        let store = Store::open(&folder.join("group.db"), None, runtime.handle(), None).expect("a database");
        let before = sum(&store);
        // All are queued while the writer is busy.
        let writer = lock(&store.writer);
        let mut all: Vec<_> = (0..10).map(|number| Box::pin(store.write(insert(number / 2)))).collect();
        for one in &mut all {
            let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
            assert!(one.as_mut().poll(&mut cx).is_pending());
        }
        drop(writer);
        let results: Vec<Result<i64, Error>> = all.into_iter().map(|one| runtime.block_on(one)).collect();
        for (result, number) in results.iter().zip(0..) {
            match number % 2 {
                0 => assert_eq!(*result, Ok(number / 2)),
                _ => assert!(matches!(result, Err(Error::Unwritten { problem }) if problem.contains("UNIQUE"))),
            }
        }
        assert_eq!(sum(&store), before + 10);
        assert!(!store.has_failed());
        store.close();
        let _ = std::fs::remove_dir_all(&folder);
    }
}
