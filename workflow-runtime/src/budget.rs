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
        Turn {
            units: Cell::new(0),
            started: Cell::new(None),
            slice: Cell::new(Duration::MAX),
            left: Cell::new(Duration::MAX),
            paused: Cell::new(false),
            spent: Cell::new(false),
        }
    };
}

struct Turn {
    /// Work since the clock was last looked at.
    units: Cell<u64>,
    /// When the clock was first looked at. A turn that does little never does.
    started: Cell<Option<Instant>>,
    /// How long this part of the turn should take, and how long it may. There is no limit outside of a turn.
    slice: Cell<Duration>,
    left: Cell<Duration>,
    paused: Cell<bool>,
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

/// Returns `true` if the turn should pause at the next state, because it has computed for as long as its slice is.
#[inline]
pub(crate) fn is_paused() -> bool {
    TURN.with(|turn| turn.paused.get())
}

impl Turn {
    #[cold]
    fn look(&self) -> bool {
        self.units.set(0);
        if self.left.get() == Duration::MAX && self.slice.get() == Duration::MAX {
            return !self.spent.get();
        }
        let now = Instant::now();
        let took = now - self.started.get().unwrap_or(now);
        self.started.set(Some(now - took));
        self.paused.set(self.paused.get() || took >= self.slice.get());
        self.spent.set(self.spent.get() || took >= self.left.get());
        !self.spent.get()
    }
}

/// Runs a part of a turn: it should pause after `slice`, and ends after `left`. Returns how long it took, which is zero for a
/// part that did too little to look at the clock.
pub(crate) fn run<T>(slice: Duration, left: Duration, part: impl FnOnce() -> T) -> (T, Duration) {
    let _previous = TURN.with(|turn| Restore {
        units: turn.units.replace(0),
        started: turn.started.replace(None),
        slice: turn.slice.replace(slice),
        left: turn.left.replace(left),
        paused: turn.paused.replace(false),
        spent: turn.spent.replace(left.is_zero()),
    });
    let result = part();
    let started = TURN.with(|turn| turn.started.get());
    (result, started.map_or(Duration::ZERO, |started| started.elapsed()))
}

/// Puts back the budget of the thread, also after a panic.
struct Restore {
    units: u64,
    started: Option<Instant>,
    slice: Duration,
    left: Duration,
    paused: bool,
    spent: bool,
}

impl Drop for Restore {
    fn drop(&mut self) {
        TURN.with(|turn| {
            turn.units.set(self.units);
            turn.started.set(self.started);
            turn.slice.set(self.slice);
            turn.left.set(self.left);
            turn.paused.set(self.paused);
            turn.spent.set(self.spent);
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
