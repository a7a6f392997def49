//! Support for tests of workflows: mocked tasks, workflows and events, virtual time, and a runner
//! that reports the course of an execution.
//!
#![cfg_attr(all(feature = "asl", feature = "macros"), doc = "```")]
#![cfg_attr(not(all(feature = "asl", feature = "macros")), doc = "```ignore")]
//! use std::time::Duration;
//! use workflow_runtime::prelude::*;
//! use workflow_runtime::testing::{self, Mocks, Reply};
//!
//! include_workflow!("flows/payment.asl.json");
//!
//! # fn main() {
//! let replies = [Reply::error("GatewayDown", "try later"), Reply::ok("receipt")];
//! let mocks = Mocks::new().task("ChargeCard", replies);
//! let execution = Builder::<payment::Payment>::new();
//! let report = testing::run(execution, &mocks, value!({ "amount": 25 }));
//! assert_eq!(report.outcome, Ok(value!({ "amount": 25, "receipt": "receipt" })));
//! assert_eq!(report.visited, ["ChargeCard"]);
//! assert_eq!(report.elapsed, Duration::from_secs(1)); // the retry's interval
//! # }
//! ```

mod clock;
mod context;
mod maps;
mod mocks;
mod run;

pub use crate::polling::{alongside, block_on};
pub use clock::VirtualClock;
pub use context::task_context;
pub use maps::MapItems;
#[doc(hidden)]
pub use maps::map_failures;
pub use mocks::{Mocks, Reply, TaskCall, Unanswered};
pub use run::{Report, publish, publish_by, run};
