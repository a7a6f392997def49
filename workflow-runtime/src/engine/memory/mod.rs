//! The engine that runs executions in memory: tasks are futures, waits are timers, and nothing is kept.

mod builder;
mod callbacks;
mod driver;
mod flight;
mod timers;

pub use builder::Builder;
pub use callbacks::{Callbacks, UnknownToken};

use crate::machine::{Outcome, Workflow};
use crate::task::Invoke;
use crate::value::Value;

/// Runs an execution to its end, with the defaults of [`Builder`].
pub async fn run<W: Workflow>(tasks: &dyn Invoke, input: Value) -> Outcome {
    Builder::<W>::new().run(tasks, input).await
}
