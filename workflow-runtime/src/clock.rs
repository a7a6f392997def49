//! Clocks: where an engine takes the time from, and how it waits.

use std::pin::Pin;

use crate::time::Timestamp;

/// A wait until a point in time.
pub type Sleep = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Tells an engine the time, and lets it wait.
pub trait Clock: Send + Sync {
    /// The time.
    fn now(&self) -> Timestamp;

    /// Waits until this time, or not at all if it has passed.
    fn sleep_until(&self, until: Timestamp) -> Sleep;

    /// The engine has nothing to do but to wait, and asks for the `rounds`th time in a row. `true` if it is to look again,
    /// as others ran or the clock has moved on. A clock that goes by itself has no use for this.
    fn idle(&self, rounds: u32) -> bool {
        let _ = rounds;
        false
    }
}

#[cfg(feature = "memory")]
pub use system::SystemClock;

#[cfg(feature = "memory")]
mod system {
    use std::time::Duration;

    use super::{Clock, Sleep};
    use crate::time::Timestamp;

    /// The longest nap: how late a wait can end after somebody has put the clock forward.
    const NAP: Duration = Duration::from_secs(3600);

    /// The clock of the system, waiting with tokio's timers.
    #[derive(Debug, Clone, Copy, Default)]
    pub struct SystemClock;

    impl Clock for SystemClock {
        fn now(&self) -> Timestamp {
            Timestamp::now()
        }

        fn sleep_until(&self, until: Timestamp) -> Sleep {
            Box::pin(async move {
                loop {
                    let left = until.since(Timestamp::now());
                    if left.is_zero() {
                        return;
                    }
                    tokio::time::sleep(left.min(NAP)).await;
                }
            })
        }
    }
}
