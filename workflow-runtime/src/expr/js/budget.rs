//! What one call of a function from a state may use up, and what is cleared away after it.

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::ops::Deref;
use std::rc::{Rc, Weak};
use std::time::{Duration, Instant};

use super::object::{Body, Inner};
use super::value::Variable;
use super::{Result, Throw, error, text};
use crate::budget as turn;
use crate::machine::{FunctionLimits, RandomStream};
use crate::time::Timestamp;

/// How many bytes may be made at once while there is no run.
const MOST: usize = 1 << 30;
/// How deep calls may be nested. Each takes native stack, so that it is no setting.
const DEPTH: u32 = 200;
/// How many bytes of native stack a run may take. Threads of tokio have two megabytes.
const STACK: usize = 768 << 10;
/// After how many steps the clock is looked at.
const INTERVAL: u64 = 128;
/// How many bytes a built-in may go through for the price of a step.
const STRIDE: usize = 256;
/// What an element or a member counts, in bytes, that a built-in goes through and makes nothing of.
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
    /// What may be part of a cycle, and is taken apart when the run ends.
    static HELD: RefCell<Vec<Held>> = const { RefCell::new(Vec::new()) };
}

/// What the run has used up. Operators have no `Run` at hand, so that it is the thread's.
struct Budget {
    /// Whether there is a run. Without one there are no limits.
    running: Cell<bool>,
    /// How many loops and calls there were, and what built-ins went through.
    steps: Cell<u64>,
    /// At which step it is looked at whether there is something left.
    check: Cell<u64>,
    /// The bytes that were gone through and make no step yet.
    walked: Cell<usize>,
    most_steps: Cell<u64>,
    time: Cell<Duration>,
    /// How many bytes were made, whether they are still held or not.
    spent: Cell<usize>,
    memory: Cell<usize>,
    depth: Cell<u32>,
    /// Where the native stack was when the run began.
    bottom: Cell<usize>,
    /// When the clock was first looked at.
    started: Cell<Option<Instant>>,
    now: Cell<f64>,
    random: Cell<[u64; 3]>,
}

enum Held {
    Object(Weak<Inner>),
    Variable(Weak<Variable>),
}

/// One call of a function from a state. The thread has a budget of steps, time, memory and depth for it.
pub struct Run {
    /// Not to be sent to another thread, nor made elsewhere.
    thread: PhantomData<*const ()>,
}

/// The span of a run. There is one at a time on a thread.
pub struct Session(Run);

impl Session {
    /// A run at this time, with random numbers of this seed and the default limits.
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

    /// Starts to count anew.
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
    /// The run of the thread, for what is called by operators.
    pub(super) fn of_thread() -> Run {
        Run { thread: PhantomData }
    }

    /// Counts one turn of a loop, or one call. Fails when the budget is used up.
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

    /// How many steps there were.
    #[cfg(test)]
    pub(super) fn steps(&self) -> u64 {
        BUDGET.with(|budget| budget.steps.get())
    }

    /// The time of the call, in milliseconds since 1970.
    pub(super) fn now(&self) -> f64 {
        BUDGET.with(|budget| budget.now.get())
    }

    /// The random numbers that are left.
    pub(super) fn random_stream(&self) -> RandomStream {
        RandomStream::restored(BUDGET.with(|budget| budget.random.get()))
    }

    /// A random number, at least 0 and less than 1.
    pub(super) fn random(&self) -> f64 {
        BUDGET.with(|budget| {
            let mut random = RandomStream::restored(budget.random.get());
            let number = random.fraction();
            budget.random.set(random.parts());
            number
        })
    }

    /// Calls with the depth counted.
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
        for held in HELD.take() {
            match held {
                // Emptied, it holds nothing that could hold it.
                Held::Object(object) => {
                    let body = object.upgrade().map(|object| object.body.replace(Body::Items(Vec::new())));
                    drop(body);
                }
                Held::Variable(variable) => {
                    let value = variable.upgrade().map(|variable| variable.value.take());
                    drop(value);
                }
            }
        }
    }
}

/// Where the native stack is, as a number to compare.
#[inline(never)]
fn stack_place() -> usize {
    let here = 0u8;
    std::ptr::addr_of!(here) as usize
}

impl Budget {
    /// Whether the run has taken much of the native stack: what calls take of it depends on the functions.
    fn is_deep(&self) -> bool {
        stack_place().abs_diff(self.bottom.get()) > STACK && self.running.get()
    }

    /// Counts steps for bytes.
    #[inline]
    fn walk(&self, bytes: usize) {
        let walked = self.walked.get().saturating_add(bytes);
        if walked >= STRIDE {
            self.steps.set(self.steps.get().saturating_add((walked / STRIDE) as u64));
        }
        self.walked.set(walked % STRIDE);
    }

    /// What was made was gone through, too.
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
        // The work of many steps: the turn looks at the clock, too.
        if is_late || !turn::spend(INTERVAL as usize) { Err(exceeded("time")) } else { Ok(()) }
    }
}

#[cold]
fn exceeded(what: &str) -> Throw {
    Throw::Abort(format!("the function used up its budget of {what}"))
}

/// Counts memory that was made. The next tick fails if it was too much.
pub(super) fn spend(bytes: usize) {
    BUDGET.with(|budget| budget.spend(bytes));
}

/// Counts what a built-in went through and made nothing of. The next tick fails if it was too much.
pub(super) fn walk(bytes: usize) {
    BUDGET.with(|budget| budget.walk(bytes));
}

/// As [`walk`], where one call of a built-in may go through many times what there is.
pub(super) fn walk_on(bytes: usize) -> Result<()> {
    BUDGET.with(|budget| {
        budget.walk(bytes);
        if budget.steps.get() >= budget.check.get() { budget.check() } else { Ok(()) }
    })
}

/// Counts memory that is about to be made.
pub(super) fn charge(bytes: usize) -> Result<()> {
    BUDGET.with(|budget| {
        budget.spend(bytes);
        let most = if budget.running.get() { budget.memory.get() } else { MOST };
        if budget.spent.get() > most { Err(exceeded("memory")) } else { Ok(()) }
    })
}

/// The object was given another object: that may have made a cycle, which would never be freed.
pub(super) fn hold_object(object: &Rc<Inner>) {
    if BUDGET.with(|budget| budget.running.get()) {
        HELD.with_borrow_mut(|held| held.push(Held::Object(Rc::downgrade(object))));
    }
}

/// As [`hold_object`], of a variable that was given an object.
pub(super) fn hold_variable(variable: &Rc<Variable>) {
    if BUDGET.with(|budget| budget.running.get()) {
        HELD.with_borrow_mut(|held| held.push(Held::Variable(Rc::downgrade(variable))));
    }
}

/// Goes one level deeper into data. What is nested deeper than calls may be is a RangeError, which can be caught.
pub(super) fn deeper<R>(inside: impl FnOnce() -> Result<R>) -> Result<R> {
    let depth = BUDGET.with(|budget| budget.depth.replace(budget.depth.get() + 1));
    let result = match depth >= DEPTH || BUDGET.with(Budget::is_deep) {
        true => Err(error::range_error("Maximum call stack size exceeded")),
        false => inside(),
    };
    BUDGET.with(|budget| budget.depth.set(depth));
    result
}
