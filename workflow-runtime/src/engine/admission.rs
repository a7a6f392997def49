//! Checks of inputs before executions are started.

use std::panic::resume_unwind;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

use crate::budget;
use crate::fault::Fault;
use crate::machine::Definition;
use crate::value::Value;

/// The time for the check of an input, before the start of an execution.
pub const INPUT_TIME: Duration = Duration::from_secs(5);

/// Checks an input as [`Definition::admit`] does, in bounded time. A check against a schema can
/// take that long, so that it must not delay the other tasks of a tokio runtime.
pub async fn admit(definition: &'static Definition, input: &Value) -> Result<(), Fault> {
    if definition.check_input.is_none() || Handle::try_current().is_err() {
        return admit_here(definition, input);
    }
    let input = input.clone();
    match spawn_blocking(move || admit_here(definition, &input)).await {
        Ok(admitted) => admitted,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            Err(error) => Err(Fault::runtime(error.to_string())),
        },
    }
}

/// Checks an input like [`admit`], on this thread.
pub(super) fn admit_here(definition: &'static Definition, input: &Value) -> Result<(), Fault> {
    budget::run(Duration::MAX, INPUT_TIME, || definition.admit(input)).0
}
