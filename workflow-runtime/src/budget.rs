//! The budget of a turn: the time that an execution may compute between two suspension points.
//!
//! Code whose running time depends on data counts its work with [`spend`]. Operators have no state
//! to carry the budget, so that it belongs to the thread. An exhausted budget stays exhausted
//! until the turn ends: everything after it may return early with any value, because the machine
//! discards the turn and fails the execution.

use std::cell::Cell;
use std::time::{Duration, Instant};

/// The units of work between two looks at the clock.
const INTERVAL: u64 = 4096;
/// The bytes that cost one unit of work.
pub(crate) const STRIDE: usize = 64;
/// The largest number of values that a JSONPath selects. A value counts once for each path that
/// leads to it.
pub(crate) const MOST_NODES: usize = 8 << 20;

thread_local! {
    static TURN: Turn = const {
        Turn {
            runs: Cell::new(false),
            units: Cell::new(0),
            started: Cell::new(None),
            slice: Cell::new(Duration::MAX),
            left: Cell::new(Duration::MAX),
            paused: Cell::new(false),
            spent: Cell::new(false),
            cause: Cell::new(None),
        }
    };
}

struct Turn {
    /// Set during a turn. Outside of a turn there is no limit.
    runs: Cell<bool>,
    /// Work since the last look at the clock.
    units: Cell<u64>,
    /// The time of the first look at the clock. A turn that does little never looks.
    started: Cell<Option<Instant>>,
    /// The time at which this slice of the turn should pause, and the time at which the turn
    /// fails, counted from `started`.
    slice: Cell<Duration>,
    left: Cell<Duration>,
    paused: Cell<bool>,
    spent: Cell<bool>,
    cause: Cell<Option<&'static str>>,
}

/// Counts units of work: one for each element visited, one for each [`STRIDE`] bytes read or
/// written. Returns `false` when the turn has no time left; a loop should end then.
#[inline]
pub(crate) fn spend(units: usize) -> bool {
    TURN.with(|turn| {
        let total = turn.units.get().saturating_add(units as u64);
        turn.units.set(total);
        total < INTERVAL || turn.look()
    })
}

/// Counts the work of reading this many bytes, as [`spend`] does.
#[inline]
pub(crate) fn spend_bytes(bytes: usize) -> bool {
    spend(bytes / STRIDE + 1)
}

/// Counts the work of reading a text. A short text costs nothing.
#[inline]
pub(crate) fn spend_text(text: &str) -> bool {
    text.len() < STRIDE || spend_bytes(text.len())
}

/// Looks at the clock. Returns `false` when the turn has no time left.
#[cfg(any(test, feature = "cel", feature = "javascript", feature = "jq-engine", feature = "regex"))]
pub(crate) fn look() -> bool {
    spend(INTERVAL as usize)
}

/// Returns `true` if the turn has no time left.
#[inline]
pub(crate) fn is_spent() -> bool {
    TURN.with(|turn| turn.spent.get())
}

/// Returns `true` if the turn should pause at the next state, because its slice is over.
#[inline]
pub(crate) fn is_paused() -> bool {
    TURN.with(|turn| turn.paused.get())
}

/// Exhausts the budget, because the turn exceeds another limit than its time. `cause` is the
/// sentence for the fault. Returns `false` outside of a turn, where there is no limit.
#[cold]
pub(crate) fn exhaust(cause: &'static str) -> bool {
    TURN.with(|turn| {
        if turn.runs.get() && !turn.spent.replace(true) {
            turn.cause.set(Some(cause));
        }
        turn.runs.get()
    })
}

/// Returns the time that the turn had at its start or at its last pause.
pub(crate) fn left() -> Duration {
    TURN.with(|turn| turn.left.get())
}

/// Returns the cause, if the budget was [exhausted](exhaust) by another limit than its time.
pub(crate) fn cause() -> Option<&'static str> {
    TURN.with(|turn| turn.cause.get())
}

/// The budget of a turn, for another thread that works on its behalf.
#[cfg(any(feature = "cel", feature = "jq-engine", feature = "javascript"))]
#[derive(Clone, Copy)]
pub(crate) struct SharedBudget {
    started: Option<Instant>,
    left: Duration,
    #[cfg(any(feature = "cel", feature = "jq-engine"))]
    spent: bool,
}

#[cfg(any(feature = "cel", feature = "jq-engine", feature = "javascript"))]
impl SharedBudget {
    /// Returns the budget of this thread.
    pub(crate) fn current() -> SharedBudget {
        TURN.with(|turn| {
            if turn.runs.get() && turn.started.get().is_none() {
                turn.started.set(Some(Instant::now()));
            }
            SharedBudget {
                started: turn.started.get(),
                left: turn.left.get(),
                #[cfg(any(feature = "cel", feature = "jq-engine"))]
                spent: turn.spent.get(),
            }
        })
    }

    /// Returns the time at which the budget ends.
    #[cfg(feature = "javascript")]
    pub(crate) fn deadline(self) -> Option<Instant> {
        self.started?.checked_add(self.left)
    }

    /// Works on the current thread within this budget.
    #[cfg(any(feature = "cel", feature = "jq-engine"))]
    pub(crate) fn run<T>(self, work: impl FnOnce() -> T) -> T {
        let _previous = TURN.with(|turn| turn.replace(self.started, Duration::MAX, self.left, self.spent));
        TURN.with(|turn| turn.runs.set(self.started.is_some()));
        work()
    }

    /// Accounts for the time that the other thread has used.
    pub(crate) fn end(self) {
        look();
    }
}

impl Turn {
    #[cold]
    fn look(&self) -> bool {
        self.units.set(0);
        if !self.runs.get() {
            return true;
        }
        let now = Instant::now();
        let took = now - self.started.get().unwrap_or(now);
        self.started.set(Some(now - took));
        self.paused.set(self.paused.get() || took >= self.slice.get());
        self.spent.set(self.spent.get() || took >= self.left.get());
        !self.spent.get()
    }

    /// Begins the budget of a thread that has none.
    fn begin(&self, slice: Duration, left: Duration) -> End {
        self.runs.set(true);
        self.units.set(0);
        self.started.set(None);
        self.slice.set(slice);
        self.left.set(left);
        self.spent.set(left.is_zero());
        End
    }

    /// Replaces the thread's budget.
    fn replace(&self, started: Option<Instant>, slice: Duration, left: Duration, spent: bool) -> Restore {
        Restore {
            runs: self.runs.replace(true),
            units: self.units.replace(0),
            started: self.started.replace(started),
            slice: self.slice.replace(slice),
            left: self.left.replace(left),
            paused: self.paused.replace(false),
            spent: self.spent.replace(spent),
            cause: self.cause.replace(None),
        }
    }
}

/// Runs a slice of a turn: it should pause after `slice`, and ends after `left`. Returns its
/// duration, which is zero for a slice that did too little to look at the clock.
pub(crate) fn run<T>(slice: Duration, left: Duration, part: impl FnOnce() -> T) -> (T, Duration) {
    // A turn inside of another turn is rare.
    let is_nested = TURN.with(|turn| turn.runs.get());
    let _previous = is_nested.then(|| TURN.with(|turn| turn.replace(None, slice, left, left.is_zero())));
    let _end = (!is_nested).then(|| TURN.with(|turn| turn.begin(slice, left)));
    let result = part();
    let started = TURN.with(|turn| turn.started.get());
    (result, started.map_or(Duration::ZERO, |started| started.elapsed()))
}

/// Ends the thread's budget, also after a panic.
struct End;

impl Drop for End {
    fn drop(&mut self) {
        TURN.with(|turn| {
            turn.runs.set(false);
            turn.paused.set(false);
            turn.spent.set(false);
            turn.cause.set(None);
        });
    }
}

/// Restores the thread's budget, also after a panic.
struct Restore {
    runs: bool,
    units: u64,
    started: Option<Instant>,
    slice: Duration,
    left: Duration,
    paused: bool,
    spent: bool,
    cause: Option<&'static str>,
}

impl Drop for Restore {
    fn drop(&mut self) {
        TURN.with(|turn| {
            turn.runs.set(self.runs);
            turn.units.set(self.units);
            turn.started.set(self.started);
            turn.slice.set(self.slice);
            turn.left.set(self.left);
            turn.paused.set(self.paused);
            turn.spent.set(self.spent);
            turn.cause.set(self.cause);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_ends_when_the_time_is_over() {
        let (steps, took) = run(Duration::MAX, Duration::from_millis(5), || (0u64..).take_while(|_| spend(1)).count());
        assert!(steps > 0 && took >= Duration::from_millis(5));
        assert!(!is_spent(), "the budget ends with the turn");
        assert!(spend(usize::MAX), "there is no limit outside of a turn");
    }

    #[test]
    fn another_limit_ends_the_turn() {
        let ((), _) = run(Duration::MAX, Duration::from_secs(60), || {
            assert!(exhaust("a text"));
            assert_eq!(cause(), Some("a text"));
            assert!(is_spent() && !spend(INTERVAL as usize));
        });
        assert!(!exhaust("a text"));
        assert!(!is_spent(), "there is no turn");
    }

    #[test]
    fn a_slice_asks_for_a_pause_and_ends_nothing() {
        let ((), _) = run(Duration::ZERO, Duration::MAX, || {
            assert!(!is_paused(), "some work is done in every slice");
            assert!(spend(INTERVAL as usize) && is_paused() && !is_spent());
        });
        assert!(!is_paused());
    }

    #[test]
    fn a_spent_budget_stays_spent() {
        let ((), _) = run(Duration::MAX, Duration::ZERO, || {
            assert!(is_spent());
            assert!(!spend(INTERVAL as usize));
        });
    }
}
