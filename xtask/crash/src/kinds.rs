//! The kinds of executions, with their inputs and results.

use workflow_runtime::machine::Outcome;
use workflow_runtime::{Value, value};

use crate::engines;
use crate::workload::Plan;

/// The executions that are submitted.
pub const PLAN: Plan = Plan { planned, number, verdict };

/// The number of kinds.
const KINDS: u64 = 7;

/// The rounds of an execution of `Rounds`.
const ROUNDS: i64 = 150;

/// The beginning of the correlation keys of executions that events start.
pub const STARTED_BY_EVENTS: &str = "s-";

/// An execution to be started.
pub struct Planned {
    /// Its id.
    pub id: String,
    /// The name of its workflow.
    pub workflow: &'static str,
    /// Its input.
    pub input: Value,
}

/// Returns the execution of this number.
fn planned(number: u64) -> Planned {
    let n = number as i64;
    let (workflow, input) = match number % KINDS {
        0 => ("sequence", value!({ "key": "start", "n": n })),
        1 => ("fan", value!({ "key": "start", "n": n })),
        2 => ("each", value!({ "key": "start", "n": n, "items": [n, 1, 2, 3, 4, 5, 6, 7] })),
        3 => ("ask", value!({ "key": "start", "n": n })),
        4 if number.is_multiple_of(5) => ("rounds", value!({ "key": "start", "n": n, "left": ROUNDS })),
        4 => ("rounds", value!({ "key": "start", "n": n, "left": 3 })),
        5 => ("bank", value!({ "key": "start", "n": n })),
        _ => ("deal", value!({ "key": "start", "n": n })),
    };
    Planned { id: format!("e-{number}"), workflow, input }
}

/// Returns the number of an execution. `None` if another execution has started it.
fn number(id: &str) -> Option<u64> {
    id.strip_prefix("e-")?.parse().ok()
}

/// Returns the number that is the result of an execution.
fn expected(number: u64) -> i64 {
    let n = number as i64;
    match number % KINDS {
        // The flaky task and the compensating task count.
        0 => n + 2,
        // The branches add three, two and one.
        1 => (n + 3) + (n + 2) + (n + 1) + 1,
        2 => (n + 28) + 2 * 8 + 1,
        3 => n + 3,
        4 if number.is_multiple_of(5) => n + ROUNDS,
        4 => n + 3,
        // The child execution, the event, and the step.
        6 => n + 3,
        // If the action in the middle fails, its handler counts anew.
        _ if (n + 1) % 2 != 0 => 2,
        _ => n + 3,
    }
}

fn verdict(outcome: &Outcome, number: u64) -> String {
    engines::verdict(outcome, expected(number))
}
