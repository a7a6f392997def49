//! What is written, and who writes: a thread, for all that has come in meanwhile, so that many have one sync of the disk; or,
//! where nothing else comes in, who has something to write, for two threads that wake each other take longer than writing.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::mpsc::error::TryRecvError;
use tokio::sync::{mpsc, oneshot};

use crate::writer::{Failure, Job, PATIENCE, Writer};
use crate::{Error, schema};

/// How much can wait to be written. Who brings more waits, too.
const WAITING: usize = 4_096;

/// How many connections are kept for those who read.
const READERS: usize = 4;

/// How long the thread looks for more before it sleeps.
const MOST_WAKEFUL: Duration = Duration::from_micros(200);

/// The database, to write and to read.
pub struct Store {
    path: PathBuf,
    jobs: Mutex<Option<mpsc::Sender<Box<dyn Job>>>>,
    /// How much is on its way to the thread, or written by it just now.
    coming: Arc<AtomicUsize>,
    writer: Arc<Mutex<Writer>>,
    /// Whether who has something to write may write it itself.
    shares: bool,
    failed: Arc<Failure>,
    /// Connections that nobody reads with just now.
    readers: Mutex<Vec<Connection>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Store {
    /// Opens the database, for programs that run in this runtime.
    pub fn open(path: &Path, pages: Option<u32>, runtime: &Handle) -> Result<Store, Error> {
        let connection = schema::open(path)?;
        if let Some(pages) = pages {
            let limited = connection.pragma_update(None, "max_page_count", pages);
            limited.map_err(|error| schema::said(path, &error))?;
        }
        let readers = Mutex::new(vec![schema::open_to_read(path)?]);
        let (sender, receiver) = mpsc::channel(WAITING);
        let failed = Arc::new(Failure::new(path));
        let writer = Arc::new(Mutex::new(Writer::new(connection, failed.clone())));
        let coming = Arc::<AtomicUsize>::default();
        let thread = Thread { jobs: receiver, coming: coming.clone(), writer: writer.clone(), failed: failed.clone() };
        let spawned = std::thread::Builder::new().name("workflow-sqlite".to_owned()).spawn(move || thread.run());
        let spawned = spawned.map_err(|error| Error::Store { path: path.to_owned(), problem: error.to_string() })?;
        // The only thread of a runtime has others to run.
        let shares = runtime.runtime_flavor() == RuntimeFlavor::MultiThread && runtime.metrics().num_workers() > 1;
        Ok(Store {
            path: path.to_owned(),
            jobs: Mutex::new(Some(sender)),
            coming,
            writer,
            shares,
            failed,
            readers,
            thread: Mutex::new(Some(spawned)),
        })
    }

    /// Writes, and waits until that is durable. `job` is called again if it was written with others that cannot be.
    pub async fn write<T: Send + 'static>(
        &self,
        job: impl FnMut(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, Error> {
        self.write_then(job, |_| {}).await
    }

    /// As [`Store::write`]. When it is durable others are told, also if who has asked does not wait any more.
    pub async fn write_then<T: Send + 'static>(
        &self,
        job: impl FnMut(&Connection) -> rusqlite::Result<T> + Send + 'static,
        tell: impl FnOnce(&T) + Send + 'static,
    ) -> Result<T, Error> {
        let (sender, receiver) = oneshot::channel();
        let job = Box::new(Asked { job, tell, value: None, sender });
        let jobs = lock(&self.jobs).clone();
        let Some(jobs) = jobs else { return Err(self.problem()) };
        let coming = Coming::one(&self.coming);
        if jobs.send(job).await.is_ok() {
            coming.arrived();
            if let Ok(result) = receiver.await {
                return result;
            }
        }
        // The thread that writes ends, and says why before it does.
        jobs.closed().await;
        Err(self.problem())
    }

    /// Writes a little that others wait for, at once if nothing else is to be written. If it cannot be written at once, `job`
    /// is as it was.
    pub fn write_at_once<T>(
        &self,
        job: &mut impl FnMut(&Connection) -> rusqlite::Result<T>,
    ) -> Option<Result<T, Error>> {
        if !self.shares || self.coming.load(Ordering::Acquire) > 0 {
            return None;
        }
        let mut writer = self.writer.try_lock().ok().filter(|writer| writer.is_quiet())?;
        writer.write_one(job)
    }

    /// Reads what is durable. Nobody else waits meanwhile, but for what this thread does.
    pub fn read<T>(&self, read: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Error> {
        let idle = lock(&self.readers).pop();
        let reader = idle.map_or_else(|| schema::open_to_read(&self.path), Ok)?;
        let found = read(&reader).map_err(|error| schema::said(&self.path, &error));
        let mut readers = lock(&self.readers);
        if readers.len() < READERS {
            readers.push(reader);
        }
        found
    }

    /// Writes what has come in, and no more.
    pub fn close(&self) {
        drop(lock(&self.jobs).take());
        let thread = lock(&self.thread).take();
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

    /// Waits until nothing is written any more. One can wait.
    pub async fn fails(&self) {
        self.failed.told().await;
    }

    /// Whether nothing is written any more.
    pub fn has_failed(&self) -> bool {
        self.failed.get().is_some()
    }
}

/// Something to be written, and who waits for it.
struct Asked<T, J, F> {
    job: J,
    tell: F,
    value: Option<T>,
    sender: oneshot::Sender<Result<T, Error>>,
}

impl<T, J, F> Job for Asked<T, J, F>
where
    T: Send,
    J: FnMut(&Connection) -> rusqlite::Result<T> + Send,
    F: FnOnce(&T) + Send,
{
    fn write(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        self.value = Some((self.job)(connection)?);
        Ok(())
    }

    fn told(self: Box<Self>, result: Result<(), Error>) {
        let Asked { tell, value, sender, .. } = *self;
        let result = match (result, value) {
            (Ok(()), Some(value)) => {
                tell(&value);
                Ok(value)
            }
            (Ok(()), None) => Err(Error::Stopped),
            (Err(error), _) => Err(error),
        };
        // Who asked may have gone.
        let _ = sender.send(result);
    }
}

/// Something that is on its way to the thread, unless who brings it goes away before.
struct Coming<'a>(&'a AtomicUsize);

impl Coming<'_> {
    fn one(coming: &AtomicUsize) -> Coming<'_> {
        coming.fetch_add(1, Ordering::AcqRel);
        Coming(coming)
    }

    /// The thread counts it from here.
    fn arrived(self) {
        std::mem::forget(self);
    }
}

impl Drop for Coming<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

struct Thread {
    jobs: mpsc::Receiver<Box<dyn Job>>,
    coming: Arc<AtomicUsize>,
    writer: Arc<Mutex<Writer>>,
    failed: Arc<Failure>,
}

impl Thread {
    fn run(mut self) {
        let mut patience = Duration::ZERO;
        while let Some(first) = self.next(patience) {
            let mut writer = lock(&self.writer);
            let written = writer.write_all(first, &mut self.jobs);
            patience = (writer.last_sync() / PATIENCE).min(MOST_WAKEFUL);
            drop(writer);
            self.coming.fetch_sub(written, Ordering::AcqRel);
            if self.failed.get().is_some() {
                // The others find the channel closed, and the reason here.
                return;
            }
        }
        lock(&self.writer).close();
    }

    /// The next thing to be written. Who was told just now may bring it at once: to be woken takes longer than to look.
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

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().expect("a runtime")
    }

    fn note(number: i64) -> impl FnMut(&Connection) -> rusqlite::Result<i64> + Send {
        move |c| {
            c.execute("INSERT INTO facts VALUES (?1, ?1)", [number])?;
            Ok(number)
        }
    }

    fn noted(store: &Store) -> i64 {
        store
            .read(|c| c.query_row("SELECT total(value) FROM facts", [], |row| row.get(0)))
            .map_or(-1, |sum: f64| sum as i64)
    }

    #[test]
    fn who_is_alone_writes_at_once() {
        let folder = std::env::temp_dir().join(format!("workflow-sqlite-store-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let runtime = runtime();
        let store = Store::open(&folder.join("alone.db"), None, runtime.handle()).expect("a database");
        let before = noted(&store);
        assert_eq!(store.write_at_once(&mut note(1)), Some(Ok(1)));
        assert_eq!(noted(&store), before + 1);
        lock(&store.writer).hurry();
        // What is on its way to the thread has its turn.
        store.coming.fetch_add(1, Ordering::AcqRel);
        assert_eq!(store.write_at_once(&mut note(2)), None);
        store.coming.fetch_sub(1, Ordering::AcqRel);
        // Where the database is locked, the thread waits.
        let other = Connection::open(folder.join("alone.db")).expect("a connection");
        other.execute_batch("BEGIN IMMEDIATE").expect("a lock");
        let began = Instant::now();
        assert_eq!(store.write_at_once(&mut note(2)), None);
        assert!(began.elapsed() < schema::PATIENCE / 2);
        other.execute_batch("ROLLBACK").expect("no lock");
        assert_eq!(noted(&store), before + 1);
        // What cannot be written is told, and was not.
        lock(&store.writer).hurry();
        assert!(matches!(store.write_at_once(&mut note(1)), Some(Err(Error::Unwritten { .. }))));
        assert_eq!(runtime.block_on(store.write(note(2))), Ok(2));
        store.close();
        assert_eq!(store.write_at_once(&mut note(3)), None);
        assert_eq!(runtime.block_on(store.write(note(3))), Err(Error::Stopped));
        // A runtime with one thread has others to run.
        let one = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let store = Store::open(&folder.join("one.db"), None, one.handle()).expect("a database");
        assert_eq!(store.write_at_once(&mut note(1)), None);
        store.close();
        let _ = std::fs::remove_dir_all(&folder);
    }

    /// One thing that cannot be written spoils nothing else of its transaction.
    #[test]
    fn what_cannot_be_written_fails_alone() {
        let folder = std::env::temp_dir().join(format!("workflow-sqlite-group-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let runtime = runtime();
        let store = Store::open(&folder.join("group.db"), None, runtime.handle()).expect("a database");
        let before = noted(&store);
        // All come in while the writer is taken.
        let writer = lock(&store.writer);
        let mut all: Vec<_> = (0..10).map(|number| Box::pin(store.write(note(number / 2)))).collect();
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
        assert_eq!(noted(&store), before + 10);
        assert!(!store.has_failed());
        store.close();
        let _ = std::fs::remove_dir_all(&folder);
    }
}
