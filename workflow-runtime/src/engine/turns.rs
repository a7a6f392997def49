//! The threads that run turns. A turn can compute for a long time. A bounded pool of threads with
//! a fair queue keeps long turns from blocking input and output, timers and signals. Most turns
//! are short, and run where they stand: waking two threads takes longer.

mod callers;

use std::any::Any;
use std::collections::VecDeque;
use std::future::poll_fn;
use std::num::NonZeroUsize;
use std::ops::{Deref, DerefMut};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

use tokio::runtime::{Handle, RuntimeFlavor};

use crate::machine::Execution;
use crate::panics::catch;

use callers::{Callers, FIRST_SLICE};

/// The default time limit of a turn.
pub const TURN_TIME: Duration = Duration::from_secs(30);
/// The time slice of a turn, after which waiting turns run.
const SLICE: Duration = Duration::from_millis(5);
/// The time after which an idle worker thread ends.
const IDLE: Duration = Duration::from_secs(10);

/// The threads that run an engine's turns, and the time limit of a turn.
#[derive(Clone)]
pub struct Turns {
    workers: Option<Workers>,
    /// The time limit, in nanoseconds. Every execution has one.
    limit: u64,
}

impl Default for Turns {
    /// Runs turns on the thread that polls the execution, with a limit of 30 seconds.
    fn default() -> Turns {
        Turns { workers: None, limit: 0 }.with_limit(TURN_TIME)
    }
}

impl Turns {
    /// Sets the time limit of a turn.
    pub fn with_limit(self, limit: Duration) -> Turns {
        Turns { limit: u64::try_from(limit.as_nanos()).unwrap_or(u64::MAX), ..self }
    }

    /// Moves long turns to these workers.
    pub fn with_workers(self, workers: Workers) -> Turns {
        Turns { workers: Some(workers), ..self }
    }

    /// Moves long turns to the workers of the process if no workers are set and the caller is a
    /// task of a tokio runtime with several threads. Such a task shares its thread with input and
    /// output, timers and other tasks. Elsewhere, as in `block_on`, a turn blocks only its own
    /// execution.
    pub(super) fn off_runtime(self) -> Turns {
        let shares_thread = || {
            tokio::task::try_id().is_some()
                && Handle::try_current().is_ok_and(|handle| handle.runtime_flavor() == RuntimeFlavor::MultiThread)
        };
        if self.workers.is_none() && shares_thread() { self.with_workers(Workers::shared()) } else { self }
    }

    /// Runs the turn on this thread, unless it takes long. Returns `false` if the caller has to
    /// [give up its thread](Turns::continue_elsewhere).
    pub(super) fn run_here(&self, execution: &mut dyn Execution) -> bool {
        self.run_here_for(execution, self.limit())
    }

    /// Continues a turn on a worker. If it has ended, yields to other tasks.
    pub(super) async fn continue_elsewhere(&self, execution: &mut ExecutionSlot) {
        self.continue_for(execution, self.limit()).await;
    }

    /// Runs the turn of an execution that
    /// [computes](crate::machine::ExecutionInfo::is_computing). A panic of the turn becomes a
    /// panic of the caller. Dropping the future drops the execution as soon as the turn pauses.
    pub async fn run(&self, execution: &mut ExecutionSlot) {
        self.run_for(execution, self.limit()).await;
    }

    /// Runs a turn again for a replay, with ten times the limit. A turn that kept the limit before
    /// must keep it on a slower machine, too. A turn that exceeded the limit fails again.
    pub async fn run_again(&self, execution: &mut ExecutionSlot) {
        let limit = self.limit().saturating_mul(10);
        match &self.workers {
            // The turn may have been a long one. It does not begin where it stands.
            Some(workers) if execution.info().is_computing() => workers.run(execution, limit).await,
            Some(_) => {}
            None => self.run_for(execution, limit).await,
        }
    }

    fn limit(&self) -> Duration {
        Duration::from_nanos(self.limit)
    }

    async fn run_for(&self, execution: &mut ExecutionSlot, limit: Duration) {
        if execution.info().is_computing() && !self.run_here_for(&mut **execution, limit) {
            self.continue_for(execution, limit).await;
        }
    }

    fn run_here_for(&self, execution: &mut dyn Execution, limit: Duration) -> bool {
        let Some(workers) = &self.workers else {
            execution.compute(Duration::MAX, limit);
            return true;
        };
        let Some(running) = workers.0.callers.begin() else { return false };
        execution.compute(FIRST_SLICE, limit);
        running.end() && !execution.info().is_computing()
    }

    async fn continue_for(&self, execution: &mut ExecutionSlot, limit: Duration) {
        match &self.workers {
            Some(workers) if execution.info().is_computing() => workers.run(execution, limit).await,
            _ => tokio::task::yield_now().await,
        }
    }
}

/// An execution that a worker can take for the length of a turn. The caller borrows it mutably
/// meanwhile, so that nothing else can access it.
///
/// If a future that runs a turn is dropped, the execution is gone, and any access panics.
pub struct ExecutionSlot(Option<Box<dyn Execution>>);

const DROPPED: &str = "the execution was dropped with the future that ran its turn";

impl ExecutionSlot {
    /// Creates a slot with this execution.
    pub fn new(execution: Box<dyn Execution>) -> ExecutionSlot {
        ExecutionSlot(Some(execution))
    }

    /// Returns the execution.
    pub fn into_inner(self) -> Box<dyn Execution> {
        self.0.expect(DROPPED)
    }

    /// Takes the execution, unless a future that ran its turn was dropped.
    pub(super) fn take(&mut self) -> Option<Box<dyn Execution>> {
        self.0.take()
    }

    pub(super) fn as_box(&mut self) -> &mut Box<dyn Execution> {
        self.0.as_mut().expect(DROPPED)
    }

    /// Returns the execution, unless a future that ran its turn was dropped.
    pub(super) fn get_mut(&mut self) -> Option<&mut dyn Execution> {
        Some(&mut **self.0.as_mut()?)
    }
}

impl Deref for ExecutionSlot {
    type Target = dyn Execution;

    fn deref(&self) -> &(dyn Execution + 'static) {
        self.0.as_deref().expect(DROPPED)
    }
}

impl DerefMut for ExecutionSlot {
    fn deref_mut(&mut self) -> &mut (dyn Execution + 'static) {
        self.0.as_deref_mut().expect(DROPPED)
    }
}

/// A bounded pool of threads for turns. A clone is the same pool.
///
/// A turn begins on the thread of its caller, and continues in the pool if it still computes after
/// a millisecond. It moves only between two states: a state that computes for longer keeps the
/// thread of its caller. While such a turn runs, and afterwards for four times as long as it took,
/// all turns begin in the pool. Turns never take all threads of a tokio runtime: on the last free
/// one, or on the only one, they begin in the pool.
///
/// The pool starts a thread for a turn if no thread is idle, and ends a thread that was idle for
/// ten seconds. Turns wait in one queue, first in, first out. A turn that takes longer than five
/// milliseconds goes to the end of the queue after its current state if others wait.
///
/// ```
/// use workflow_runtime::{Builder, Workers, Workflow};
///
/// fn configured<Order: Workflow>() -> Builder<Order> {
///     Builder::new().workers(Workers::new(2))
/// }
/// ```
#[derive(Clone)]
pub struct Workers(Arc<Pool>);

struct Pool {
    callers: Callers,
    queue: Mutex<Queue>,
    work: Condvar,
    max_threads: usize,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    threads: usize,
    idle: usize,
}

struct Job {
    execution: InTransit,
    limit: Duration,
    reply: Arc<Mutex<Reply>>,
    /// The runtime for observers, which run in a turn and can spawn tasks of tokio.
    runtime: Option<Handle>,
}

/// The slot through which the caller of a turn gets the execution back.
enum Reply {
    Waiting(Option<Waker>),
    Done(Result<InTransit, Box<dyn Any + Send>>),
    Empty,
}

/// An execution on its way between threads. If the caller is gone, a panic of an observer's drop
/// has no effect.
struct InTransit(Option<Box<dyn Execution>>);

impl Drop for InTransit {
    fn drop(&mut self) {
        let _panic = catch(|| drop(self.0.take()));
    }
}

impl Workers {
    /// Creates a pool of at most this many threads, and at least one.
    pub fn new(threads: usize) -> Workers {
        Workers(Arc::new(Pool {
            callers: Callers::new(),
            queue: Mutex::default(),
            work: Condvar::new(),
            max_threads: threads.max(1),
        }))
    }

    /// Returns the pool of the process, which has one thread for each processor.
    pub fn shared() -> Workers {
        static SHARED: OnceLock<Workers> = OnceLock::new();
        let new = || Workers::new(thread::available_parallelism().map_or(1, NonZeroUsize::get));
        SHARED.get_or_init(new).clone()
    }

    /// Runs a turn in the pool.
    async fn run(&self, slot: &mut ExecutionSlot, limit: Duration) {
        let reply = Arc::new(Mutex::new(Reply::Waiting(None)));
        let execution = InTransit(Some(slot.0.take().expect(DROPPED)));
        self.submit(Job { execution, limit, reply: reply.clone(), runtime: Handle::try_current().ok() });
        let done = poll_fn(|cx| {
            let mut reply = lock(&reply);
            match std::mem::replace(&mut *reply, Reply::Empty) {
                Reply::Done(done) => Poll::Ready(done),
                Reply::Waiting(_) | Reply::Empty => {
                    *reply = Reply::Waiting(Some(cx.waker().clone()));
                    Poll::Pending
                }
            }
        });
        match done.await {
            Ok(mut execution) => slot.0 = execution.0.take(),
            Err(panic) => resume_unwind(panic),
        }
    }

    fn submit(&self, job: Job) {
        let mut queue = lock(&self.0.queue);
        queue.jobs.push_back(job);
        if queue.idle >= queue.jobs.len() {
            drop(queue);
            self.0.work.notify_one();
        } else if queue.threads < self.0.max_threads {
            queue.threads += 1;
            drop(queue);
            let pool = self.0.clone();
            let started = thread::Builder::new().name("workflow-turns".to_owned()).spawn(move || pool.work());
            if started.is_err() {
                self.0.without_thread();
            }
        }
    }
}

impl Pool {
    /// Handles the failure to start a thread. If the pool has no thread at all, the caller's
    /// thread runs one turn.
    fn without_thread(&self) {
        let mut queue = lock(&self.queue);
        queue.threads -= 1;
        let job = if queue.threads == 0 { queue.jobs.pop_front() } else { None };
        drop(queue);
        if let Some(job) = job {
            job.run(&mut || false);
        }
    }

    /// Runs turns until the thread has been idle for a while.
    fn work(self: Arc<Pool>) {
        let mut queue = lock(&self.queue);
        loop {
            let Some(job) = queue.jobs.pop_front() else {
                queue.idle += 1;
                let (guard, timeout) = self.work.wait_timeout(queue, IDLE).unwrap_or_else(PoisonError::into_inner);
                queue = guard;
                queue.idle -= 1;
                if timeout.timed_out() && queue.jobs.is_empty() {
                    queue.threads -= 1;
                    return;
                }
                continue;
            };
            drop(queue);
            let began = Instant::now();
            let paused = job.run(&mut || !lock(&self.queue).jobs.is_empty());
            self.callers.note_worker(began);
            queue = lock(&self.queue);
            queue.jobs.extend(paused);
        }
    }
}

impl Job {
    /// Runs the turn until it completes, or until it pauses and other turns wait. In the latter
    /// case, returns the job.
    fn run(self, others_wait: &mut dyn FnMut() -> bool) -> Option<Job> {
        let Job { mut execution, limit, reply, runtime } = self;
        // The caller is gone if its future was dropped.
        let is_awaited = || Arc::strong_count(&reply) > 1;
        let entered = runtime.as_ref().map(Handle::enter);
        let ended = catch_unwind(AssertUnwindSafe(|| {
            let Some(execution) = &mut execution.0 else { return false };
            while is_awaited() && execution.info().is_computing() {
                execution.compute(SLICE, limit);
                if others_wait() {
                    break;
                }
            }
            execution.info().is_computing()
        }));
        drop(entered);
        let ended = match ended {
            Ok(true) if is_awaited() => return Some(Job { execution, limit, reply, runtime }),
            Ok(true) => return None,
            Ok(false) => Ok(execution),
            Err(panic) => {
                drop(execution);
                Err(panic)
            }
        };
        let waker = match std::mem::replace(&mut *lock(&reply), Reply::Done(ended)) {
            Reply::Waiting(waker) => waker,
            Reply::Done(_) | Reply::Empty => None,
        };
        waker.into_iter().for_each(Waker::wake);
        None
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
