//! Virtual time.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use crate::clock::{Clock, Sleep};
use crate::time::Timestamp;

/// A clock that stands still until nothing else can proceed, and then jumps to the next awaited
/// time. Clones share the time.
///
/// The clock jumps for one execution. If several executions share a clock, or the test itself
/// advances the time, create it with [`VirtualClock::steered`].
///
/// ```
/// use std::time::Duration;
/// use workflow_runtime::clock::Clock;
/// use workflow_runtime::testing::VirtualClock;
///
/// let clock = VirtualClock::new().steered();
/// let start = clock.now();
/// clock.advance(Duration::from_secs(3_600));
/// assert_eq!(clock.now().since(start), Duration::from_secs(3_600));
/// ```
#[derive(Clone)]
pub struct VirtualClock(Arc<Mutex<State>>);

struct State {
    now: Timestamp,
    steered: bool,
    /// The waits, by time and number.
    sleepers: BTreeMap<(Timestamp, u64), Option<Waker>>,
    last: u64,
}

impl VirtualClock {
    /// Creates a clock that starts at 2026-01-01T00:00:00Z.
    pub fn new() -> VirtualClock {
        VirtualClock::at(Timestamp::from_seconds(1_767_225_600))
    }

    /// Creates a clock that starts at this time.
    pub fn at(start: Timestamp) -> VirtualClock {
        let state = State { now: start, steered: false, sleepers: BTreeMap::new(), last: 0 };
        VirtualClock(Arc::new(Mutex::new(state)))
    }

    /// Stops the clock from jumping by itself: only the test advances it.
    pub fn steered(self) -> VirtualClock {
        self.lock().steered = true;
        self
    }

    /// Advances the clock by this duration.
    pub fn advance(&self, duration: Duration) {
        let mut state = self.lock();
        let time = state.now.plus(duration);
        let due = state.move_to(time);
        drop(state);
        due.into_iter().for_each(Waker::wake);
    }

    /// Jumps to the next awaited time. Returns `false` if nothing waits.
    pub fn jump(&self) -> bool {
        let mut state = self.lock();
        let Some((&(time, _), _)) = state.sleepers.first_key_value() else { return false };
        let due = state.move_to(time);
        drop(state);
        due.into_iter().for_each(Waker::wake);
        true
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for VirtualClock {
    fn default() -> VirtualClock {
        VirtualClock::new()
    }
}

impl State {
    /// Sets the time. Returns the wakers of the waits that end.
    fn move_to(&mut self, time: Timestamp) -> Vec<Waker> {
        self.now = self.now.max(time);
        let later = self.sleepers.split_off(&(self.now, u64::MAX));
        let due = std::mem::replace(&mut self.sleepers, later);
        due.into_values().flatten().collect()
    }
}

impl Clock for VirtualClock {
    fn now(&self) -> Timestamp {
        self.lock().now
    }

    fn sleep_until(&self, until: Timestamp) -> Sleep {
        let mut state = self.lock();
        state.last += 1;
        let place = (until, state.last);
        if until > state.now {
            state.sleepers.insert(place, None);
        }
        Box::pin(Sleeper { clock: self.clone(), place })
    }

    fn idle(&self, rounds: u32) -> bool {
        // Other tasks run before every jump: a task may wait for something that another task is
        // about to do.
        rounds.is_multiple_of(2) || !self.lock().steered && self.jump()
    }
}

/// A wait. Dropping it withdraws it.
struct Sleeper {
    clock: VirtualClock,
    place: (Timestamp, u64),
}

impl Future for Sleeper {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.clock.lock();
        match state.sleepers.get_mut(&self.place) {
            Some(waker) => {
                *waker = Some(cx.waker().clone());
                Poll::Pending
            }
            None => Poll::Ready(()),
        }
    }
}

impl Drop for Sleeper {
    fn drop(&mut self) {
        self.clock.lock().sleepers.remove(&self.place);
    }
}
