//! Clocks: the source of an engine's time and waits.

use std::pin::Pin;

use crate::time::Timestamp;

/// A wait until a point in time.
pub type Sleep = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A clock of an engine.
///
/// ```
/// use workflow_runtime::Timestamp;
/// use workflow_runtime::clock::{Clock, Sleep};
///
/// /// A clock for a test in which every wait takes no time.
/// struct Impatient;
///
/// impl Clock for Impatient {
///     fn now(&self) -> Timestamp {
///         Timestamp::now()
///     }
///
///     fn sleep_until(&self, _: Timestamp) -> Sleep {
///         Box::pin(std::future::ready(()))
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a clock",
    label = "this is not a clock",
    note = "`SystemClock` is the clock of the system, and `testing::VirtualClock` a clock for tests"
)]
pub trait Clock: Send + Sync {
    /// Returns the current time.
    fn now(&self) -> Timestamp;

    /// Waits until this time, or not at all if it has passed.
    fn sleep_until(&self, until: Timestamp) -> Sleep;

    /// Reports that the engine has nothing to do but to wait, for the `rounds`th time in a row.
    /// Returns `true` if the engine is to look for work again, because other tasks ran or the
    /// clock advanced. Only virtual clocks implement it.
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

    /// The longest nap. A wait ends at most this late after the system's clock was put forward.
    const NAP: Duration = Duration::from_secs(3600);

    /// The clock of the system, which waits with tokio's timers.
    ///
    /// ```
    /// use workflow_runtime::Timestamp;
    /// use workflow_runtime::clock::{Clock, SystemClock};
    ///
    /// assert!(SystemClock.now() <= Timestamp::now());
    /// ```
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
