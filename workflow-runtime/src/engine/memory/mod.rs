//! The engine that runs executions in memory: tasks are futures, waits are timers, and nothing is
//! persisted.

mod builder;
mod event_triggers;
mod hub;
mod reloading;

pub use super::driver::{Callbacks, UnknownToken};
pub use builder::Builder;
pub(in crate::engine) use event_triggers::StartVisit;
pub use hub::{Hub, Subscription, subscribe};

use crate::fault::Fault;
use crate::machine::{Outcome, Workflow};
use crate::task::{Invoke, Read, Write, mismatch};
use crate::value::Value;

/// Runs an execution to its end, with the defaults of [`Builder`].
pub async fn run<W: Workflow>(tasks: &dyn Invoke, input: Value) -> Outcome {
    Builder::<W>::new().run(tasks, input).await
}

/// Runs an execution as [`run`] does, with typed input and output.
pub async fn typed_run<W: Workflow, I, O>(
    tasks: &dyn Invoke,
    write: Write<I>,
    input: I,
    read: Read<O>,
) -> Result<O, Fault> {
    let name = W::DEFINITION.name;
    let input =
        write(input).map_err(|error| mismatch::<I>(format_args!("the input of the workflow `{name}`"), &error))?;
    let output = run::<W>(tasks, input).await?;
    read(output).map_err(|error| mismatch::<O>(format_args!("the output of the workflow `{name}`"), &error))
}
