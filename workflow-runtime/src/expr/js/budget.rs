//! Limits of one call of a function from a state, and the cleanup after the call.

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::ops::Deref;
use std::rc::{Rc, Weak};
use std::time::{Duration, Instant};

use super::object::{Backing, Inner};
use super::value::Variable;
use super::{Result, Throw, error, text};
use crate::budget as turn;
use crate::machine::{FunctionLimits, RandomStream};
use crate::time::Timestamp;

/// The limit of a single allocation outside of a run, in bytes.
const MOST: usize = 1 << 30;
/// The nesting limit of calls. It is not configurable, because each call takes native stack.
const DEPTH: u32 = 200;
/// The limit of a run's native stack, in bytes. Threads of tokio have two megabytes.
const STACK: usize = 768 << 10;
/// The number of steps between two checks of the clock.
const INTERVAL: u64 = 128;
/// The number of bytes that a built-in may scan for the cost of one step.
const STRIDE: usize = 256;
/// The counted size of an element or a member that a built-in visits without allocating, in bytes.
pub(super) const ELEMENT: usize = 16;

thread_local! {
    static BUDGET: Budget = const {
        Budget {
            running: Cell::new(false),
            steps: Cell::new(0),
            check: Cell::new(INTERVAL),
            walked: Cell::new(0),
            most_steps: Cell::new(u64::MAX),
            time: Cell::new(Duration::MAX),
            spent: Cell::new(0),
            memory: Cell::new(usize::MAX),
            depth: Cell::new(0),
            bottom: Cell::new(0),
            started: Cell::new(None),
            now: Cell::new(0.0),
            random: Cell::new([0; 3]),
        }
    };
    /// The objects and variables that may be part of a cycle. The end of the run takes them apart.
    static CYCLE_CANDIDATES: RefCell<Vec<CycleCandidate>> = const { RefCell::new(Vec::new()) };
}

/// The consumption of the run. Operators have no parameter for the `Run`, so it is thread-local.
struct Budget {
    /// `true` during a run. Outside of one, there are no limits.
    running: Cell<bool>,
    /// The number of loop iterations and calls, plus the scans of built-ins.
    steps: Cell<u64>,
    /// The step of the next check of the limits.
    check: Cell<u64>,
    /// The scanned bytes that do not amount to a step so far.
    walked: Cell<usize>,
    most_steps: Cell<u64>,
    time: Cell<Duration>,
    /// The number of allocated bytes, including freed ones.
    spent: Cell<usize>,
    memory: Cell<usize>,
    depth: Cell<u32>,
    /// The position of the native stack at the start of the run.
    bottom: Cell<usize>,
    /// The time of the first check of the clock.
    started: Cell<Option<Instant>>,
    now: Cell<f64>,
    random: Cell<[u64; 3]>,
}

enum CycleCandidate {
    Object(Weak<Inner>),
    Variable(Weak<Variable>),
}

/// A call of a function from a state. The thread has a budget of steps, time, memory and depth
/// for it.
pub struct Run {
    /// Makes the type `!Send` and prevents construction elsewhere.
    thread: PhantomData<*const ()>,
}

/// The guard of a run. A thread has one run at a time.
pub struct Session(Run);

impl Session {
    /// Starts a run at this time, with random numbers from this seed and the default limits.
    pub fn new(now: Timestamp, seed: u64) -> Session {
        Session::with_random(now, &RandomStream::seeded(seed), FunctionLimits::default())
    }

    pub(super) fn with_random(now: Timestamp, random: &RandomStream, limits: FunctionLimits) -> Session {
        let session = Session(Run::of_thread());
        BUDGET.with(|budget| {
            budget.running.set(true);
            budget.most_steps.set(limits.steps);
            budget.time.set(limits.time);
            budget.memory.set(usize::try_from(limits.memory).unwrap_or(usize::MAX));
            budget.depth.set(0);
            budget.bottom.set(stack_place());
            // Milliseconds, rounded down as clocks are.
            budget.now.set(now.as_micros().div_euclid(1000) as f64);
            budget.random.set(random.parts());
        });
        session.renew();
        session
    }

    /// Resets the consumption of steps, memory and time.
    pub(super) fn renew(&self) {
        BUDGET.with(|budget| {
            budget.steps.set(0);
            budget.check.set(INTERVAL.min(budget.most_steps.get().saturating_add(1)));
            budget.walked.set(0);
            budget.spent.set(0);
            budget.started.set(None);
        });
    }
}

impl Deref for Session {
    type Target = Run;

    fn deref(&self) -> &Run {
        &self.0
    }
}

impl Run {
    /// Returns the run of the thread, for functions that operators call.
    pub(super) fn of_thread() -> Run {
        Run { thread: PhantomData }
    }

    /// Counts one iteration of a loop or one call. Fails if a budget is exhausted.
    #[inline]
    pub fn tick(&self) -> Result<()> {
        BUDGET.with(|budget| {
            let steps = budget.steps.get().saturating_add(1);
            budget.steps.set(steps);
            if steps >= budget.check.get() || budget.spent.get() > budget.memory.get() {
                return budget.check();
            }
            Ok(())
        })
    }

    /// Returns the number of steps.
    #[cfg(test)]
    pub(super) fn steps(&self) -> u64 {
        BUDGET.with(|budget| budget.steps.get())
    }

    /// Returns the time of the call, in milliseconds since 1970.
    pub(super) fn now(&self) -> f64 {
        BUDGET.with(|budget| budget.now.get())
    }

    /// Returns the state of the random number generator.
    pub(super) fn random_stream(&self) -> RandomStream {
        RandomStream::restored(BUDGET.with(|budget| budget.random.get()))
    }

    /// Returns a random number, at least 0 and less than 1.
    pub(super) fn random(&self) -> f64 {
        BUDGET.with(|budget| {
            let mut random = RandomStream::restored(budget.random.get());
            let number = random.fraction();
            budget.random.set(random.parts());
            number
        })
    }

    /// Runs a call one level deeper.
    pub(super) fn nested<R>(&self, call: impl FnOnce() -> Result<R>) -> Result<R> {
        self.tick()?;
        let depth = BUDGET.with(|budget| budget.depth.replace(budget.depth.get() + 1));
        let result = match depth >= DEPTH || BUDGET.with(Budget::is_deep) {
            true => Err(exceeded("depth of calls")),
            false => call(),
        };
        BUDGET.with(|budget| budget.depth.set(depth));
        result
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        BUDGET.with(|budget| {
            budget.running.set(false);
            budget.most_steps.set(u64::MAX);
            budget.time.set(Duration::MAX);
            budget.memory.set(usize::MAX);
        });
        text::forget();
        for candidate in CYCLE_CANDIDATES.take() {
            match candidate {
                // An emptied object holds no reference to itself.
                CycleCandidate::Object(object) => {
                    let body = object.upgrade().map(|object| object.body.replace(Backing::Items(Vec::new())));
                    drop(body);
                }
                CycleCandidate::Variable(variable) => {
                    let value = variable.upgrade().map(|variable| variable.value.take());
                    drop(value);
                }
            }
        }
    }
}

/// Returns the position of the native stack, as a number to compare.
#[inline(never)]
fn stack_place() -> usize {
    let here = 0u8;
    std::ptr::addr_of!(here) as usize
}

impl Budget {
    /// Returns `true` if the run has used up its share of the native stack. The stack use of a
    /// call depends on the function.
    fn is_deep(&self) -> bool {
        stack_place().abs_diff(self.bottom.get()) > STACK && self.running.get()
    }

    /// Counts scanned bytes as steps.
    #[inline]
    fn walk(&self, bytes: usize) {
        let walked = self.walked.get().saturating_add(bytes);
        if walked >= STRIDE {
            self.steps.set(self.steps.get().saturating_add((walked / STRIDE) as u64));
        }
        self.walked.set(walked % STRIDE);
    }

    /// Counts allocated bytes. Allocated memory is also scanned.
    #[inline]
    fn spend(&self, bytes: usize) {
        self.spent.set(self.spent.get().saturating_add(bytes));
        self.walk(bytes);
    }

    #[cold]
    fn check(&self) -> Result<()> {
        let (steps, most) = (self.steps.get(), self.most_steps.get());
        if steps > most {
            return Err(exceeded("steps"));
        }
        self.check.set(steps.saturating_add(INTERVAL).min(most.saturating_add(1)));
        if self.spent.get() > self.memory.get() {
            return Err(exceeded("memory"));
        }
        let is_late = match self.started.get() {
            None => {
                self.started.set(Some(Instant::now()));
                false
            }
            Some(started) => started.elapsed() > self.time.get(),
        };
        // These steps were counted without the turn, which checks the clock here.
        if is_late || !turn::spend(INTERVAL as usize) { Err(exceeded("time")) } else { Ok(()) }
    }
}

#[cold]
fn exceeded(what: &str) -> Throw {
    Throw::Abort(format!("the function used up its budget of {what}"))
}

/// Counts memory that was allocated. The next tick fails if the limit is exceeded.
pub(super) fn spend(bytes: usize) {
    BUDGET.with(|budget| budget.spend(bytes));
}

/// Counts memory that a built-in has scanned. The next tick fails if the limit is exceeded.
pub(super) fn walk(bytes: usize) {
    BUDGET.with(|budget| budget.walk(bytes));
}

/// Counts as [`walk`] does, and fails immediately: for built-ins whose single call can scan much
/// more than the size of their operands.
pub(super) fn walk_on(bytes: usize) -> Result<()> {
    BUDGET.with(|budget| {
        budget.walk(bytes);
        if budget.steps.get() >= budget.check.get() { budget.check() } else { Ok(()) }
    })
}

/// Counts memory that is about to be allocated. Fails if the limit is exceeded.
pub(super) fn charge(bytes: usize) -> Result<()> {
    BUDGET.with(|budget| {
        budget.spend(bytes);
        let most = if budget.running.get() { budget.memory.get() } else { MOST };
        if budget.spent.get() > most { Err(exceeded("memory")) } else { Ok(()) }
    })
}

/// Registers an object that has received a reference to another object. The two may form a cycle,
/// which reference counting would never free.
pub(super) fn track_object(object: &Rc<Inner>) {
    if BUDGET.with(|budget| budget.running.get()) {
        CYCLE_CANDIDATES.with_borrow_mut(|candidates| candidates.push(CycleCandidate::Object(Rc::downgrade(object))));
    }
}

/// Registers a variable that has received a reference to an object, as [`track_object`] does for
/// objects.
pub(super) fn track_variable(variable: &Rc<Variable>) {
    if BUDGET.with(|budget| budget.running.get()) {
        CYCLE_CANDIDATES
            .with_borrow_mut(|candidates| candidates.push(CycleCandidate::Variable(Rc::downgrade(variable))));
    }
}

/// Goes one level deeper into data. Nesting beyond the limit of calls is a RangeError, which can
/// be caught.
pub(super) fn deeper<R>(inside: impl FnOnce() -> Result<R>) -> Result<R> {
    let depth = BUDGET.with(|budget| budget.depth.replace(budget.depth.get() + 1));
    let result = match depth >= DEPTH || BUDGET.with(Budget::is_deep) {
        true => Err(error::range_error("Maximum call stack size exceeded")),
        false => inside(),
    };
    BUDGET.with(|budget| budget.depth.set(depth));
    result
}
