//! What one evaluation may use up: steps of loops, time, and memory that is made.
//!
//! Operators have no state at hand, so that the budget is the thread's. There is one evaluation at a time on a thread, and
//! it does not wait.

use std::cell::Cell;
use std::time::{Duration, Instant};

use super::{Error, Result, number};
use crate::fault::Fault;
use crate::machine::FunctionLimits;
use crate::value::Value;

/// How many bytes may be made at once while there is no evaluation.
const MOST: usize = 1 << 30;
/// After how many steps the clock is looked at.
const INTERVAL: u64 = 4096;
/// How many bytes may be gone through for the price of a step.
const STRIDE: usize = 64;
/// What an element or a member counts, in bytes.
pub(super) const ELEMENT: usize = 32;

thread_local! {
    static BUDGET: Budget = const {
        Budget {
            running: Cell::new(false),
            steps: Cell::new(0),
            check: Cell::new(u64::MAX),
            most_steps: Cell::new(u64::MAX),
            spent: Cell::new(0),
            memory: Cell::new(usize::MAX),
            started: Cell::new(None),
            time: Cell::new(Duration::MAX),
        }
    };
}

struct Budget {
    /// Whether there is an evaluation. Without one there are no limits but [`MOST`].
    running: Cell<bool>,
    steps: Cell<u64>,
    /// At which step it is looked at whether there is something left.
    check: Cell<u64>,
    most_steps: Cell<u64>,
    /// How many bytes were made, whether they are still held or not.
    spent: Cell<usize>,
    memory: Cell<usize>,
    /// When the clock was first looked at.
    started: Cell<Option<Instant>>,
    time: Cell<Duration>,
}

/// Evaluates an expression within limits; what leaves it is JSON.
pub fn run<T: Finish>(limits: FunctionLimits, expression: impl FnOnce() -> Result<T>) -> std::result::Result<T, Fault> {
    let ended = bounded(limits, expression);
    // Not before an error was told, which may be of such a number.
    ended.map(T::finish).map_err(Fault::from)
}

/// [`run`], without what is done at the end.
pub(super) fn bounded<T>(limits: FunctionLimits, expression: impl FnOnce() -> Result<T>) -> Result<T> {
    number::forget();
    let _ended = Ended;
    BUDGET.with(|budget| {
        budget.running.set(true);
        budget.steps.set(0);
        budget.most_steps.set(limits.steps);
        budget.check.set(INTERVAL.min(limits.steps.saturating_add(1)));
        budget.spent.set(0);
        budget.memory.set(usize::try_from(limits.memory).unwrap_or(usize::MAX));
        budget.started.set(None);
        budget.time.set(limits.time);
    });
    expression()
}

/// Takes the limits off the thread, also where the expression panics.
struct Ended;

impl Drop for Ended {
    fn drop(&mut self) {
        BUDGET.with(|budget| {
            budget.running.set(false);
            budget.check.set(u64::MAX);
            budget.memory.set(usize::MAX);
        });
    }
}

/// Counts one turn of a loop. Fails when the budget is used up.
#[inline]
pub fn tick() -> Result<()> {
    steps(1)
}

/// Counts turns of a loop.
#[inline]
pub(in crate::expr) fn steps(number: u64) -> Result<()> {
    BUDGET.with(|budget| {
        let steps = budget.steps.get().saturating_add(number);
        budget.steps.set(steps);
        if steps >= budget.check.get() { budget.look(steps) } else { Ok(()) }
    })
}

/// Counts memory that is about to be made.
#[inline]
pub fn charge(bytes: usize) -> Result<()> {
    BUDGET.with(|budget| {
        let spent = budget.spent.get().saturating_add(bytes);
        budget.spent.set(spent);
        if spent > budget.memory.get() || bytes > MOST {
            return Err(Error::exceeded("memory"));
        }
        Ok(())
    })?;
    if bytes >= STRIDE { steps((bytes / STRIDE) as u64) } else { Ok(()) }
}

/// Counts elements of an array or object that is about to be made.
#[inline]
pub fn charge_elements(number: usize) -> Result<()> {
    charge(number.saturating_mul(ELEMENT))
}

impl Budget {
    #[cold]
    fn look(&self, steps: u64) -> Result<()> {
        if !self.running.get() {
            return Ok(());
        }
        if steps > self.most_steps.get() {
            return Err(Error::exceeded("steps"));
        }
        self.check.set(steps.saturating_add(INTERVAL).min(self.most_steps.get().saturating_add(1)));
        match self.started.get() {
            None => self.started.set(Some(Instant::now())),
            Some(started) if started.elapsed() > self.time.get() => return Err(Error::exceeded("time")),
            Some(_) => {}
        }
        Ok(())
    }
}

/// What an expression yields, made into what JSON can tell. See [`number::finish`].
pub trait Finish {
    /// The same, with finite numbers.
    fn finish(self) -> Self;
}

impl Finish for Value {
    fn finish(self) -> Value {
        number::finish(self)
    }
}

impl Finish for bool {
    fn finish(self) -> bool {
        self
    }
}

impl<T: Finish> Finish for Option<T> {
    fn finish(self) -> Option<T> {
        self.map(T::finish)
    }
}

impl<T: Finish> Finish for Vec<T> {
    fn finish(self) -> Vec<T> {
        self.into_iter().map(T::finish).collect()
    }
}
