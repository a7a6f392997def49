//! Limits of one evaluation: steps of loops, time, and allocated memory.
//!
//! Operators have no parameter for state, so the budget is thread-local. A thread runs one
//! evaluation at a time, and an evaluation never waits. Its steps count against the turn as well
//! ([`turn`]), and so do steps outside of an evaluation.

use std::cell::Cell;
use std::time::{Duration, Instant};

use super::{Error, Result, number};
use crate::budget as turn;
use crate::fault::Fault;
use crate::machine::FunctionLimits;
use crate::pattern_cost::Positions;
use crate::value::Value;

/// The limit of a single allocation outside of an evaluation, in bytes.
const MOST: usize = 1 << 30;
/// The number of steps between two checks of the clock.
const INTERVAL: u64 = 4096;
/// The number of bytes that may be scanned for the cost of one step.
pub(super) const STRIDE: usize = 64;
/// The counted size of an element or a member, in bytes.
pub(super) const ELEMENT: usize = 32;

thread_local! {
    static BUDGET: Budget = const {
        Budget {
            running: Cell::new(false),
            steps: Cell::new(0),
            check: Cell::new(INTERVAL),
            most_steps: Cell::new(u64::MAX),
            spent: Cell::new(0),
            memory: Cell::new(usize::MAX),
            started: Cell::new(None),
            time: Cell::new(Duration::MAX),
            exceeded: Cell::new(None),
        }
    };
}

struct Budget {
    /// `true` during an evaluation. Outside of one, the only limit is [`MOST`].
    running: Cell<bool>,
    steps: Cell<u64>,
    /// The step of the next check of the limits.
    check: Cell<u64>,
    most_steps: Cell<u64>,
    /// The number of allocated bytes, including freed ones.
    spent: Cell<usize>,
    memory: Cell<usize>,
    /// The time of the first check of the clock.
    started: Cell<Option<Instant>>,
    time: Cell<Duration>,
    /// The exhausted budget, until the evaluation ends. Comparisons cannot return an error.
    exceeded: Cell<Option<&'static str>>,
}

/// Evaluates an expression within limits and converts the result to JSON.
pub fn run<T: Finish>(limits: FunctionLimits, expression: impl FnOnce() -> Result<T>) -> std::result::Result<T, Fault> {
    let ended = bounded(limits, expression);
    // Errors must not be converted: their messages can contain numbers without a JSON form.
    ended.map(T::finish).map_err(Fault::from)
}

/// Runs an expression as [`run`] does, without the conversion of the result.
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
        budget.exceeded.set(None);
    });
    let result = expression();
    walked().and(result)
}

/// A guard that removes the limits from the thread, also on a panic.
struct Ended;

impl Drop for Ended {
    fn drop(&mut self) {
        BUDGET.with(|budget| {
            budget.running.set(false);
            budget.steps.set(0);
            budget.check.set(INTERVAL);
            budget.memory.set(usize::MAX);
            budget.exceeded.set(None);
        });
    }
}

/// Counts one iteration of a loop. Fails if the budget is exhausted.
#[inline]
pub fn tick() -> Result<()> {
    steps(1)
}

/// Counts iterations of a loop.
#[inline]
pub(in crate::expr) fn steps(number: u64) -> Result<()> {
    BUDGET.with(|budget| {
        let steps = budget.steps.get().saturating_add(number);
        budget.steps.set(steps);
        if steps >= budget.check.get() { budget.look(steps) } else { Ok(()) }
    })
}

/// Counts iterations of a loop that cannot fail. Returns `false` if the budget is exhausted. The
/// loop should then stop with any result, because the evaluation fails when it ends, or at the
/// next [`walked`].
#[inline]
pub(in crate::expr) fn walk(number: usize) -> bool {
    steps(number as u64).is_ok()
}

/// Fails if the budget of the evaluation or of the turn is exhausted.
#[inline]
pub(in crate::expr) fn walked() -> Result<()> {
    match BUDGET.with(|budget| budget.exceeded.get()) {
        Some(what) => Err(Error::exceeded(what)),
        None if turn::is_spent() => Err(Error::exceeded("time")),
        None => Ok(()),
    }
}

/// Counts the bytes of a text that is scanned.
#[inline]
pub(super) fn read(text: &str) -> Result<()> {
    if text.len() >= STRIDE { steps((text.len() / STRIDE) as u64) } else { Ok(()) }
}

/// Counts memory that is about to be allocated.
#[inline]
pub fn charge(bytes: usize) -> Result<()> {
    BUDGET.with(|budget| {
        let spent = budget.spent.get().saturating_add(bytes);
        budget.spent.set(spent);
        if spent > budget.memory.get() || bytes > MOST {
            return Err(budget.exceed("memory"));
        }
        Ok(())
    })?;
    if bytes >= STRIDE { steps((bytes / STRIDE) as u64) } else { Ok(()) }
}

/// Counts the elements of an array or object that is about to be allocated.
#[inline]
pub fn charge_elements(number: usize) -> Result<()> {
    charge(number.saturating_mul(ELEMENT))
}

/// Performs a match of a regular expression. Fails if the time does not suffice.
pub(in crate::expr) fn search<T>(positions: Positions, length: usize, search: impl FnOnce() -> T) -> Result<T> {
    let spend = |units: usize| steps(units as u64).is_ok();
    let look = || BUDGET.with(|budget| budget.look(budget.steps.get())).is_ok() && turn::look();
    // An exhausted budget has its reason already.
    positions.within(length, spend, look, search).ok_or_else(|| BUDGET.with(|budget| budget.exceed("time")))
}

impl Budget {
    #[cold]
    fn look(&self, steps: u64) -> Result<()> {
        if !self.running.get() {
            // When the turn's time is over, every step takes this path.
            if !turn::spend(usize::try_from(steps).unwrap_or(usize::MAX)) {
                return Err(self.exceed("time"));
            }
            self.steps.set(0);
            return Ok(());
        }
        if let Some(what) = self.exceeded.get() {
            return Err(Error::exceeded(what));
        }
        if steps > self.most_steps.get() {
            return Err(self.exceed("steps"));
        }
        self.check.set(steps.saturating_add(INTERVAL).min(self.most_steps.get().saturating_add(1)));
        let is_late = match self.started.get() {
            None => {
                self.started.set(Some(Instant::now()));
                false
            }
            Some(started) => started.elapsed() > self.time.get(),
        };
        // These steps were counted without the turn, which checks the clock here.
        if is_late || !turn::spend(INTERVAL as usize) { Err(self.exceed("time")) } else { Ok(()) }
    }

    /// Makes every further check of the budget fail.
    #[cold]
    fn exceed(&self, what: &'static str) -> Error {
        if self.running.get() {
            self.exceeded.set(self.exceeded.get().or(Some(what)));
            self.check.set(0);
        }
        Error::exceeded(what)
    }
}

/// Conversion of the result of an expression to values with a JSON form. See [`number::finish`].
pub trait Finish {
    /// Replaces numbers that are not finite.
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
