//! For tests of workflows: mocked tasks, workflows and events, time that takes no time, and a runner that tells what happened.
//!
//! ```text
//! let mocks = Mocks::new().task("ChargeCard", [Reply::error("Flaky", "try later"), Reply::ok("receipt")]);
//! let report = testing::run(Order::builder(), &mocks, input);
//! assert_eq!(report.outcome, Ok(expected));
//! assert_eq!(report.visited, ["Charge", "Ship"]);
//! assert_eq!(report.elapsed, Duration::from_secs(1)); // the retry's interval
//! ```

mod clock;
mod mocks;
mod run;

pub use clock::VirtualClock;
pub use mocks::{Call, Mocks, Reply};
pub use run::{Report, beside, block_on, publish, run};
