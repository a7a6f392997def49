//! The kinds of executions, with their inputs and results.

use workflow_runtime::value;

use crate::plan::Planned;

/// The number of kinds.
const KINDS: u64 = 7;

/// The rounds of an execution of `Rounds`.
const ROUNDS: i64 = 150;

/// The beginning of the correlation keys of executions that events start.
pub const STARTED_BY_EVENTS: &str = "s-";

/// Returns the execution of this number.
pub fn planned(number: u64) -> Planned {
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
pub fn number(id: &str) -> Option<u64> {
    id.strip_prefix("e-")?.parse().ok()
}

/// Returns the number that is the result of an execution.
pub fn expected(number: u64) -> i64 {
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
