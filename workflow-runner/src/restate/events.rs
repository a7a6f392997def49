//! Events for executions on a Restate server.

use workflow_restate::Executions;
use workflow_runtime::CloudEvent;

const NOT_THERE: &str = "executions on Restate are given no events yet, and nothing was sent";

/// Delivers an event to an execution. What is told of it.
pub async fn send(executions: &Executions, id: &str, event: &CloudEvent) -> Result<String, String> {
    Err(format!("the event `{}` for `{id}` of `{}`: {NOT_THERE}", event.kind, executions.name()))
}

/// Delivers an event to all executions that wait for such. What is told of it.
pub async fn publish(executions: &Executions, event: &CloudEvent) -> Result<String, String> {
    Err(format!("the event `{}` for `{}`: {NOT_THERE}", event.kind, executions.name()))
}
