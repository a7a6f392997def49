//! The plan of a workload: its executions, and their outcomes.

use workflow_runtime::Value;
use workflow_runtime::machine::Outcome;

/// The executions of a workload, by number.
#[derive(Clone, Copy)]
pub struct Plan {
    /// The execution of a number.
    pub planned: fn(u64) -> Planned,
    /// The number of an execution. `None` if another execution has started it.
    pub number: fn(&str) -> Option<u64>,
    /// The verdict about an outcome, for the file of effects.
    pub verdict: fn(&Outcome, u64) -> String,
}

/// An execution to be started.
pub struct Planned {
    /// Its id.
    pub id: String,
    /// The name of its workflow.
    pub workflow: &'static str,
    /// Its input.
    pub input: Value,
}
