//! The engine that runs executions in memory: tasks are futures, waits are timers, and nothing is kept.

mod builder;
mod callbacks;
mod driver;
mod flight;
mod timers;

pub use builder::Builder;
pub use callbacks::{Callbacks, UnknownToken};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::fault::Fault;
use crate::machine::{Outcome, Workflow};
use crate::task::Invoke;
use crate::value::{Value, ValueError};

/// Runs an execution to its end, with the defaults of [`Builder`].
pub async fn run<W: Workflow>(tasks: &dyn Invoke, input: Value) -> Outcome {
    Builder::<W>::new().run(tasks, input).await
}

/// [`run`], for a workflow whose input and output are types of the program.
pub async fn typed_run<W, I, O>(tasks: &dyn Invoke, input: I) -> Result<O, Fault>
where
    W: Workflow,
    I: Serialize,
    O: DeserializeOwned,
{
    let input = Value::from_serialize(&input).map_err(|error| mismatch("input", &error))?;
    let output = run::<W>(tasks, input).await?;
    output.deserialize_into().map_err(|error| mismatch("output", &error))
}

fn mismatch(what: &str, error: &ValueError) -> Fault {
    Fault::runtime(format!("the {what} of the workflow does not fit its Rust type: {error}"))
}
