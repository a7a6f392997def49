//! Support for tests of workflows: mocked tasks, workflows and events, virtual time, and a runner
//! that reports the course of an execution.
//!
//! ```text
//! let mocks = Mocks::new().task("ChargeCard", [Reply::error("Flaky", "try later"), Reply::ok("receipt")]);
//! let report = testing::run(Builder::<Order>::new(), &mocks, input);
//! assert_eq!(report.outcome, Ok(expected));
//! assert_eq!(report.visited, ["Charge", "Ship"]);
//! assert_eq!(report.elapsed, Duration::from_secs(1)); // the retry's interval
//! ```

mod clock;
mod context;
mod mocks;
mod run;

pub use clock::VirtualClock;
pub use context::task_context;
pub use mocks::{Mocks, Reply, TaskCall, Unanswered};
pub use run::{Report, alongside, block_on, publish, run};
