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

/// Returns `true` if the turn has no time left.
#[inline]
pub(crate) fn is_spent() -> bool {
    TURN.with(|turn| turn.spent.get())
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
    fn a_spent_budget_stays_spent() {
        let ((), _) = run(Duration::ZERO, || {
            assert!(is_spent());
            assert!(!spend(INTERVAL as usize));
        });
    }
}
