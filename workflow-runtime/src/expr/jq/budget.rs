//! What one evaluation may use up: steps of loops, time, and memory that is made.
//!
//! Operators have no state at hand, so that the budget is the thread's. There is one evaluation at a time on a thread, and
//! it does not wait. What it counts is counted against the turn, too ([`turn`]), and so is what is counted outside of an
//! evaluation.

use std::cell::Cell;
use std::time::{Duration, Instant};

use super::{Error, Result, number};
use crate::budget as turn;
use crate::fault::Fault;
use crate::machine::FunctionLimits;
use crate::value::Value;

/// How many bytes may be made at once while there is no evaluation.
const MOST: usize = 1 << 30;
/// After how many steps the clock is looked at.
const INTERVAL: u64 = 4096;
/// How many bytes may be gone through for the price of a step.
pub(super) const STRIDE: usize = 64;
/// What an element or a member counts, in bytes.
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
    /// The budget that is used up, until the evaluation ends. Comparisons have no error of their own for it.
    exceeded: Cell<Option<&'static str>>,
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
        budget.exceeded.set(None);
    });
    let result = expression();
    walked().and(result)
}

/// Takes the limits off the thread, also where the expression panics.
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

/// Counts turns of a loop that cannot fail. Returns `false` when there is no budget left: the loop should end, with any result,
/// because the evaluation fails when it ends, or with [`walked`].
#[inline]
pub(in crate::expr) fn walk(number: usize) -> bool {
    steps(number as u64).is_ok()
}

/// Fails if a budget is used up, of the evaluation or of the turn.
#[inline]
pub(in crate::expr) fn walked() -> Result<()> {
    match BUDGET.with(|budget| budget.exceeded.get()) {
        Some(what) => Err(Error::exceeded(what)),
        None if turn::is_spent() => Err(Error::exceeded("time")),
        None => Ok(()),
    }
}

/// Counts the bytes of a text that is gone through.
#[inline]
pub(super) fn read(text: &str) -> Result<()> {
    if text.len() >= STRIDE { steps((text.len() / STRIDE) as u64) } else { Ok(()) }
}

/// Counts memory that is about to be made.
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

/// Counts elements of an array or object that is about to be made.
#[inline]
pub fn charge_elements(number: usize) -> Result<()> {
    charge(number.saturating_mul(ELEMENT))
}

impl Budget {
    #[cold]
    fn look(&self, steps: u64) -> Result<()> {
        if !self.running.get() {
            // As long as there is no time left every step comes here.
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
        // The work of many steps: the turn looks at the clock, too.
        if is_late || !turn::spend(INTERVAL as usize) { Err(self.exceed("time")) } else { Ok(()) }
    }

    /// From now on every look at the budget fails.
    #[cold]
    fn exceed(&self, what: &'static str) -> Error {
        if self.running.get() {
            self.exceeded.set(self.exceeded.get().or(Some(what)));
            self.check.set(0);
        }
        Error::exceeded(what)
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
