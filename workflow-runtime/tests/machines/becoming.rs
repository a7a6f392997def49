//! Outcomes for the commands of the order workflow.

use workflow_runtime::machine::{Command, Outcome};
use workflow_runtime::{Fault, Timestamp, Value, value};

/// Returns the outcome of a command and its time. The outcome of a task depends on its call alone.
pub fn become_of(command: &Command, now: Timestamp, luck: u64) -> (Timestamp, Outcome) {
    match command {
        Command::Sleep { until } => (*until, Ok(Value::Null)),
        Command::Invoke(invocation) => {
            let outcome = match (invocation.task.key, invocation.attempt) {
                ("ChargeCard", 1 | 2) => Err(Fault::new("Flaky", "try again")),
                ("Pack", _) if (invocation.call.visit + luck).is_multiple_of(9) => Err(Fault::new("Busy", "later")),
                _ => Ok(value!({ "by": invocation.task.key, "call": invocation.call.to_string() })),
            };
            (Timestamp::from_micros(now.as_micros() + 1_500_000), outcome)
        }
        other => panic!("unknown command {other:?}"),
    }
}
