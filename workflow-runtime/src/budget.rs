//! The budget of a turn: the time that an execution may compute between two suspension points.
//!
//! Code whose time depends on data counts its work with [`spend`]. Operators have no state at hand, so the budget belongs to
//! the thread. A budget that is spent stays spent until the turn ends: whatever follows may return early with any value, because
//! the machine discards the turn and fails the execution.

use std::cell::Cell;
use std::time::{Duration, Instant};

/// The units of work between two looks at the clock.
const INTERVAL: u64 = 4096;
/// The bytes that cost one unit of work.
pub(crate) const STRIDE: usize = 64;
/// The number of values that a path of JSONPath reaches at the most, counting a value once for each way that leads to it.
pub(crate) const MOST_NODES: usize = 8 << 20;

thread_local! {
    static TURN: Turn = const {
        Turn { units: Cell::new(0), deadline: Cell::new(None), spent: Cell::new(false) }
    };
}

struct Turn {
    /// Work since the clock was last looked at.
    units: Cell<u64>,
    /// `None` outside of a turn: there is no limit.
    deadline: Cell<Option<Instant>>,
    spent: Cell<bool>,
}

/// Counts units of work: one for each element visited, one for each [`STRIDE`] bytes read or written. Returns `false` when the
/// turn has no time left; a loop should end then.
#[inline]
pub(crate) fn spend(units: usize) -> bool {
    TURN.with(|turn| {
        let total = turn.units.get().saturating_add(units as u64);
        turn.units.set(total);
        total < INTERVAL || turn.look()
    })
}

/// Counts the work of going through so many bytes, as [`spend`] does.
#[inline]
pub(crate) fn spend_bytes(bytes: usize) -> bool {
    spend(bytes / STRIDE + 1)
}

/// Counts the work of going through a text. A short one costs nothing.
#[inline]
pub(crate) fn spend_text(text: &str) -> bool {
    text.len() < STRIDE || spend_bytes(text.len())
}

/// Returns `true` if the turn has no time left.
#[inline]
pub(crate) fn is_spent() -> bool {
    TURN.with(|turn| turn.spent.get())
}

/// Ends the turn: what it has been asked for is more than it may make. Returns `false` outside of a turn, where there is no
/// limit.
#[cold]
pub(crate) fn exhaust() -> bool {
    TURN.with(|turn| {
        let is_turn = turn.deadline.get().is_some();
        turn.spent.set(turn.spent.get() || is_turn);
        is_turn
    })
}

/// The budget of the thread's turn, to be taken to another thread that works for it.
#[cfg(any(feature = "cel", feature = "jq-engine", feature = "javascript"))]
#[derive(Clone, Copy)]
pub(crate) struct Lent {
    deadline: Option<Instant>,
    spent: bool,
}

#[cfg(any(feature = "cel", feature = "jq-engine", feature = "javascript"))]
impl Lent {
    /// The budget of this thread.
    pub(crate) fn here() -> Lent {
        TURN.with(|turn| Lent { deadline: turn.deadline.get(), spent: turn.spent.get() })
    }

    /// The time at which the turn has none left.
    #[cfg(feature = "javascript")]
    pub(crate) fn deadline(self) -> Option<Instant> {
        self.deadline
    }

    /// Works with this budget on the current thread.
    #[cfg(any(feature = "cel", feature = "jq-engine"))]
    pub(crate) fn run<T>(self, work: impl FnOnce() -> T) -> T {
        let _previous = TURN.with(|turn| Restore {
            units: turn.units.replace(0),
            deadline: turn.deadline.replace(self.deadline),
            spent: turn.spent.replace(self.spent),
        });
        work()
    }

    /// Looks at the clock for what another thread has taken.
    pub(crate) fn end(self) {
        spend(INTERVAL as usize);
    }
}

impl Turn {
    #[cold]
    fn look(&self) -> bool {
        self.units.set(0);
        if self.deadline.get().is_some_and(|deadline| Instant::now() > deadline) {
            self.spent.set(true);
        }
        !self.spent.get()
    }
}

/// Runs a part of a turn, which may take this long. Returns how long it took.
pub(crate) fn run<T>(time: Duration, part: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let _previous = TURN.with(|turn| Restore {
        units: turn.units.replace(0),
        deadline: turn.deadline.replace(start.checked_add(time)),
        spent: turn.spent.replace(time.is_zero()),
    });
    let result = part();
    (result, start.elapsed())
}

/// Puts back the budget of the thread, also after a panic.
struct Restore {
    units: u64,
    deadline: Option<Instant>,
    spent: bool,
}

impl Drop for Restore {
    fn drop(&mut self) {
        TURN.with(|turn| {
            turn.units.set(self.units);
            turn.deadline.set(self.deadline);
            turn.spent.set(self.spent);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_ends_when_the_time_is_over() {
        let (steps, took) = run(Duration::from_millis(5), || (0u64..).take_while(|_| spend(1)).count());
        assert!(steps > 0 && took >= Duration::from_millis(5));
        assert!(!is_spent(), "the budget ends with the turn");
        assert!(spend(usize::MAX), "there is no limit outside of a turn");
    }

    #[test]
    fn what_is_too_much_ends_the_turn() {
        let ((), _) = run(Duration::from_secs(60), || {
            assert!(exhaust());
            assert!(is_spent() && !spend(INTERVAL as usize));
        });
        assert!(!exhaust());
        assert!(!is_spent(), "there is no turn");
    }

    #[test]
    fn a_spent_budget_stays_spent() {
        let ((), _) = run(Duration::ZERO, || {
            assert!(is_spent());
            assert!(!spend(INTERVAL as usize));
        });
    }
}
