//! The turns that run where they stand, on the threads of their callers. A state cannot be moved
//! once it runs. So turns never take all threads of a runtime, and begin in the pool while one of
//! them is long, and for a while after it.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread::LocalKey;
use std::time::{Duration, Instant};

use tokio::runtime::{Handle, RuntimeFlavor};

/// The time for which a turn may keep its caller's thread. It pauses between two states.
pub const FIRST_SLICE: Duration = Duration::from_millis(1);
/// After a turn that took longer than [`FIRST_SLICE`], all turns begin on workers for this many
/// times as long.
const CAUTION: u64 = 4;
/// The number of turns that can run where they stand at the same time.
const SEATS: usize = 64;

/// The turns of a pool's users that run where they stand.
pub struct Callers {
    /// The start of the pool. All times are nanoseconds from it.
    origin: Instant,
    /// The time until which turns begin on workers.
    cautious_until: AtomicU64,
    /// The time before which none of the turns can be long.
    next_look: AtomicU64,
    seats: [Seat; SEATS],
}

/// The place of a turn that runs where it stands. Each has its own line of the processor's cache,
/// because threads that run short turns change their places all the time.
#[derive(Default)]
#[repr(align(64))]
struct Seat {
    /// The start of the turn, or 0 if the place is free.
    began: AtomicU64,
    /// The time of the turns at this place since one of them was the reason for its caller to
    /// yield.
    spent: AtomicU64,
}

/// A turn that runs where it stands. A panic of the turn drops it.
pub struct RunningTurn<'a> {
    callers: &'a Callers,
    seat: &'a Seat,
    began: u64,
}

impl Callers {
    pub fn new() -> Callers {
        Callers {
            origin: Instant::now(),
            cautious_until: AtomicU64::new(0),
            next_look: AtomicU64::new(0),
            seats: std::array::from_fn(|_| Seat::default()),
        }
    }

    /// Begins a turn on this thread. Returns `None` if it has to begin on a worker.
    pub fn begin(&self) -> Option<RunningTurn<'_>> {
        let now = self.now();
        if self.is_cautious(now) { None } else { self.take_seat(seats_here(), now) }
    }

    /// Begins a turn in one of the first places, unless all of them are taken.
    fn take_seat(&self, number: usize, now: u64) -> Option<RunningTurn<'_>> {
        let seats = &self.seats[..number.min(SEATS)];
        let (before, from) = seats.split_at(thread_number().checked_rem(seats.len())?);
        let takes = |seat: &&Seat| seat.began.compare_exchange(0, now, Ordering::Acquire, Ordering::Relaxed).is_ok();
        let seat = from.iter().chain(before).find(takes)?;
        Some(RunningTurn { callers: self, seat, began: now })
    }

    /// Returns `true` if a turn is long, or was recently, so that the next one may be, too.
    fn is_cautious(&self, now: u64) -> bool {
        if now < self.cautious_until.load(Ordering::Relaxed) {
            return true;
        }
        if now < self.next_look.load(Ordering::Relaxed) {
            return false;
        }
        let began = |seat: &Seat| Some(seat.began.load(Ordering::Relaxed)).filter(|began| *began > 0);
        let oldest = self.seats.iter().filter_map(began).fold(now, u64::min);
        self.next_look.store(oldest.saturating_add(nanoseconds(FIRST_SLICE)), Ordering::Relaxed);
        self.note(now - oldest, now);
        now < self.cautious_until.load(Ordering::Relaxed)
    }

    /// Notes a turn, or a part of it, that has taken this long until now.
    fn note(&self, took: u64, now: u64) {
        if took > nanoseconds(FIRST_SLICE) {
            let until = now.saturating_add(took.saturating_mul(CAUTION));
            self.cautious_until.fetch_max(until, Ordering::Relaxed);
        }
    }

    /// Notes a part of a turn that a worker has run since this time.
    pub fn note_worker(&self, began: Instant) {
        self.note(nanoseconds(began.elapsed()), self.now());
    }

    /// Returns the current time, which is never 0.
    fn now(&self) -> u64 {
        nanoseconds(self.origin.elapsed()).max(1)
    }
}

impl RunningTurn<'_> {
    /// Ends the turn, or the part of it that runs here. Returns `false` if the caller has to yield
    /// before it runs another: its thread has run turns for long enough.
    pub fn end(self) -> bool {
        let seat = self.seat;
        drop(self);
        let continues = seat.spent.load(Ordering::Relaxed) <= nanoseconds(FIRST_SLICE);
        if !continues {
            seat.spent.store(0, Ordering::Relaxed);
        }
        continues
    }
}

impl Drop for RunningTurn<'_> {
    fn drop(&mut self) {
        let now = self.callers.now();
        let took = now.saturating_sub(self.began);
        self.callers.note(took, now);
        let spent = self.seat.spent.load(Ordering::Relaxed);
        self.seat.spent.store(spent.saturating_add(took), Ordering::Relaxed);
        self.seat.began.store(0, Ordering::Release);
    }
}

/// Returns the number of turns that may run where they stand at the same time. One thread of a
/// runtime always stays free for input and output, timers and signals. Outside of a task, as in
/// `block_on` of a runtime with several threads, a turn blocks only its own execution.
fn seats_here() -> usize {
    match Handle::try_current() {
        Ok(runtime) if runtime.runtime_flavor() != RuntimeFlavor::MultiThread => 0,
        Ok(runtime) if tokio::task::try_id().is_some() => runtime.metrics().num_workers().saturating_sub(1),
        Ok(_) | Err(_) => SEATS,
    }
}

/// Returns a number of this thread. Threads that exist at the same time begin at different places.
fn thread_number() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static NUMBER: Cell<usize> = Cell::new(NEXT.fetch_add(1, Ordering::Relaxed));
    }
    LocalKey::get(&NUMBER)
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;

    use super::*;

    const MILLISECOND: u64 = 1_000_000;

    fn began(callers: &Callers, now: u64) -> bool {
        !callers.is_cautious(now) && callers.take_seat(SEATS, now).is_some_and(RunningTurn::end)
    }

    #[test]
    fn one_place_less_than_threads_is_taken_and_each_is_free_again() {
        for places in [0, 1, 3, SEATS] {
            let callers = Callers::new();
            for _ in 0..2 {
                let turns: Vec<_> = (0..places).map(|_| callers.take_seat(places, callers.now())).collect();
                assert!(turns.iter().all(Option::is_some), "{places}");
                assert!(callers.take_seat(places, callers.now()).is_none(), "{places}");
            }
        }
    }

    #[test]
    fn a_turn_that_runs_for_long_is_a_warning_before_it_ends() {
        let callers = Callers::new();
        let running = callers.take_seat(SEATS, MILLISECOND).expect("a place");
        // It has run for one, two and ten milliseconds. The warning lasts for four times as long,
        // and begins anew as long as it runs.
        for (now, is_cautious) in [(2, false), (3, true), (10, true), (11, true), (46, true), (47, true)] {
            assert_eq!(callers.is_cautious(now * MILLISECOND), is_cautious, "{now}");
        }
        assert_eq!(callers.cautious_until.load(Ordering::Relaxed), (11 + 40) * MILLISECOND);
        drop(running);
        assert!(!callers.is_cautious(u64::MAX / 2));
    }

    #[test]
    fn short_turns_yield_before_they_take_long_together() {
        let callers = Callers::new();
        let seat = &callers.seats[thread_number() % SEATS];
        assert!(began(&callers, callers.now()));
        for _ in 0..2 {
            seat.spent.store(nanoseconds(FIRST_SLICE), Ordering::Relaxed);
            assert!(!callers.take_seat(SEATS, callers.now()).expect("a place").end());
            assert_eq!(seat.spent.load(Ordering::Relaxed), 0);
        }
    }

    #[test]
    fn a_turn_that_panics_leaves_its_place_and_is_noted() {
        let callers = Callers::new();
        let _panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _running = callers.take_seat(1, callers.now());
            sleep(FIRST_SLICE * 2);
            std::panic::resume_unwind(Box::new("a turn"));
        }));
        assert!(callers.is_cautious(callers.now()));
        assert!(callers.take_seat(1, callers.now()).is_some());
    }
}
