//! The threads that run turns. A turn may compute for long, so it runs where it stops no input or output, no timers and no
//! signals: on a bounded pool of threads with a fair queue.

use std::any::Any;
use std::collections::VecDeque;
use std::future::poll_fn;
use std::num::NonZeroUsize;
use std::ops::{Deref, DerefMut};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Poll, Waker};
use std::thread;
use std::time::Duration;

use tokio::runtime::{Handle, RuntimeFlavor};

use crate::machine::Execution;
use crate::panics::catch;

/// How long a turn may compute, unless an engine is set up with another limit.
pub const TURN_TIME: Duration = Duration::from_secs(30);
/// How long a turn runs before others that wait for a worker do.
const SLICE: Duration = Duration::from_millis(5);
/// How long a worker without work stays.
const IDLE: Duration = Duration::from_secs(10);

/// Where an engine runs turns, and how long a turn may compute.
#[derive(Clone)]
pub struct Turns {
    workers: Option<Workers>,
    limit: Duration,
}

impl Default for Turns {
    /// Runs turns on the thread that polls the execution, for thirty seconds at most.
    fn default() -> Turns {
        Turns { workers: None, limit: TURN_TIME }
    }
}

impl Turns {
    /// Sets how long a turn may compute.
    pub fn with_limit(self, limit: Duration) -> Turns {
        Turns { limit, ..self }
    }

    /// Runs turns on these workers.
    pub fn with_workers(self, workers: Workers) -> Turns {
        Turns { workers: Some(workers), ..self }
    }

    /// Moves turns to the workers of the process if none are set and the caller is a task of a tokio runtime with several threads:
    /// such a task shares its thread with input and output, timers and other tasks. Elsewhere, as in `block_on`, nothing but the
    /// execution waits for its turns.
    pub(super) fn off_runtime(self) -> Turns {
        let shares_thread = || {
            tokio::task::try_id().is_some()
                && Handle::try_current().is_ok_and(|handle| handle.runtime_flavor() == RuntimeFlavor::MultiThread)
        };
        if self.workers.is_none() && shares_thread() { self.with_workers(Workers::shared()) } else { self }
    }

    /// Runs the turn here if that is where turns run. Returns `false` if the turn is still to be run.
    pub(super) fn run_here(&self, execution: &mut dyn Execution) -> bool {
        if self.workers.is_none() {
            execution.compute(Duration::MAX, self.limit);
        }
        self.workers.is_none()
    }

    /// Runs the turn of an execution that [computes](Execution::is_computing). If the turn panics, so does the caller. If the
    /// future is dropped, so is the execution, as soon as the turn pauses.
    pub async fn run(&self, execution: &mut Held) {
        self.run_for(execution, self.limit).await;
    }

    /// Runs a turn that has run before, for a replay. It has ten times the limit: a turn that kept to the limit then keeps to
    /// it on a slower machine too, and one that did not fails once more.
    pub async fn run_again(&self, execution: &mut Held) {
        self.run_for(execution, self.limit.saturating_mul(10)).await;
    }

    async fn run_for(&self, execution: &mut Held, limit: Duration) {
        if !execution.is_computing() {
            return;
        }
        match &self.workers {
            None => execution.compute(Duration::MAX, limit),
            Some(workers) => {
                let away = execution.0.take().expect(AWAY);
                // In a box, because executions that wait hold the future that would run their next turn.
                execution.0 = Some(Box::pin(workers.run(away, limit)).await);
            }
        }
    }
}

/// An execution that a worker may have for the length of a turn. The caller borrows it mutably meanwhile, so nothing else can
/// access it.
///
/// If a future that runs a turn is dropped, the execution is gone: any access panics then.
pub struct Held(Option<Box<dyn Execution>>);

const AWAY: &str = "the execution was dropped with the future that ran its turn";

impl Held {
    /// Holds this execution.
    pub fn new(execution: Box<dyn Execution>) -> Held {
        Held(Some(execution))
    }

    /// Gives the execution back.
    pub fn into_inner(self) -> Box<dyn Execution> {
        self.0.expect(AWAY)
    }

    pub(super) fn as_box(&mut self) -> &mut Box<dyn Execution> {
        self.0.as_mut().expect(AWAY)
    }

    /// The execution, unless a future that ran its turn was dropped.
    pub(super) fn if_here(&mut self) -> Option<&mut dyn Execution> {
        Some(&mut **self.0.as_mut()?)
    }
}

impl Deref for Held {
    type Target = dyn Execution;

    fn deref(&self) -> &(dyn Execution + 'static) {
        self.0.as_deref().expect(AWAY)
    }
}

impl DerefMut for Held {
    fn deref_mut(&mut self) -> &mut (dyn Execution + 'static) {
        self.0.as_deref_mut().expect(AWAY)
    }
}

/// A bounded pool of threads for turns. A clone is the same pool.
///
/// A thread is started when there is a turn and no idle thread, and ends when it was idle for ten seconds. Turns wait in one
/// queue, first in, first out. A turn that takes longer than five milliseconds goes to the end of the queue after its state, if
/// others wait.
#[derive(Clone)]
pub struct Workers(Arc<Pool>);

struct Pool {
    queue: Mutex<Queue>,
    work: Condvar,
    most: usize,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    threads: usize,
    idle: usize,
}

struct Job {
    execution: Away,
    limit: Duration,
    seat: Arc<Mutex<Seat>>,
    /// What observers may need: they run in a turn, and may start tasks of tokio.
    runtime: Option<Handle>,
}

/// Where the one who waits for a turn gets the execution back.
enum Seat {
    Waiting(Option<Waker>),
    Done(Result<Away, Box<dyn Any + Send>>),
    Empty,
}

/// An execution on its way. If nobody waits for it any more, it can do no harm: an observer may panic when it is dropped.
struct Away(Option<Box<dyn Execution>>);

impl Drop for Away {
    fn drop(&mut self) {
        let _said = catch(|| drop(self.0.take()));
    }
}

impl Workers {
    /// A pool of at most so many threads, and at least one.
    pub fn new(threads: usize) -> Workers {
        Workers(Arc::new(Pool { queue: Mutex::default(), work: Condvar::new(), most: threads.max(1) }))
    }

    /// The pool of the process, which has a thread for each processor.
    pub fn shared() -> Workers {
        static SHARED: OnceLock<Workers> = OnceLock::new();
        let new = || Workers::new(thread::available_parallelism().map_or(1, NonZeroUsize::get));
        SHARED.get_or_init(new).clone()
    }

    async fn run(&self, execution: Box<dyn Execution>, limit: Duration) -> Box<dyn Execution> {
        let seat = Arc::new(Mutex::new(Seat::Waiting(None)));
        let execution = Away(Some(execution));
        self.submit(Job { execution, limit, seat: seat.clone(), runtime: Handle::try_current().ok() });
        let done = poll_fn(|cx| {
            let mut seat = lock(&seat);
            match std::mem::replace(&mut *seat, Seat::Empty) {
                Seat::Done(done) => Poll::Ready(done),
                Seat::Waiting(_) | Seat::Empty => {
                    *seat = Seat::Waiting(Some(cx.waker().clone()));
                    Poll::Pending
                }
            }
        });
        match done.await {
            Ok(mut execution) => execution.0.take().expect(AWAY),
            Err(panic) => resume_unwind(panic),
        }
    }

    fn submit(&self, job: Job) {
        let mut queue = lock(&self.0.queue);
        queue.jobs.push_back(job);
        if queue.idle >= queue.jobs.len() {
            drop(queue);
            self.0.work.notify_one();
        } else if queue.threads < self.0.most {
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
    /// No thread could be started. If there is none at all, one turn runs on the thread that has asked for it.
    fn without_thread(&self) {
        let mut queue = lock(&self.queue);
        queue.threads -= 1;
        let job = if queue.threads == 0 { queue.jobs.pop_front() } else { None };
        drop(queue);
        if let Some(job) = job {
            job.run(&mut || false);
        }
    }

    /// Runs turns until there was none for a while.
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
            let paused = job.run(&mut || !lock(&self.queue).jobs.is_empty());
            queue = lock(&self.queue);
            queue.jobs.extend(paused);
        }
    }
}

impl Job {
    /// Runs the turn until it is over, or has paused and others wait: then it is returned.
    fn run(self, others_wait: &mut dyn FnMut() -> bool) -> Option<Job> {
        let Job { mut execution, limit, seat, runtime } = self;
        // Nobody waits for an execution whose future was dropped.
        let is_awaited = || Arc::strong_count(&seat) > 1;
        let entered = runtime.as_ref().map(Handle::enter);
        let ended = catch_unwind(AssertUnwindSafe(|| {
            let Some(execution) = &mut execution.0 else { return false };
            while is_awaited() && execution.is_computing() {
                execution.compute(SLICE, limit);
                if others_wait() {
                    break;
                }
            }
            execution.is_computing()
        }));
        drop(entered);
        let ended = match ended {
            Ok(true) if is_awaited() => return Some(Job { execution, limit, seat, runtime }),
            Ok(true) => return None,
            Ok(false) => Ok(execution),
            Err(panic) => {
                drop(execution);
                Err(panic)
            }
        };
        let waker = match std::mem::replace(&mut *lock(&seat), Seat::Done(ended)) {
            Seat::Waiting(waker) => waker,
            Seat::Done(_) | Seat::Empty => None,
        };
        waker.into_iter().for_each(Waker::wake);
        None
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
