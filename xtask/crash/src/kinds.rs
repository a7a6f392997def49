//! The kinds of executions, what they are started with, and what they end with.

use workflow_runtime::{Value, value};

/// How many kinds there are.
pub const KINDS: u64 = 7;

/// How many rounds an execution of `Rounds` has.
const ROUNDS: i64 = 150;

/// An execution to be started.
pub struct Planned {
    /// Its id.
    pub id: String,
    /// The name of its workflow.
    pub workflow: &'static str,
    /// Its input.
    pub input: Value,
}

/// The execution of this number.
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

/// The number of an execution; none, if another one has started it.
pub fn number(id: &str) -> Option<u64> {
    id.strip_prefix("e-")?.parse().ok()
}

/// The number that an execution ends with.
pub fn expected(number: u64) -> i64 {
    let n = number as i64;
    match number % KINDS {
        // The flaky task and the one that makes amends count.
        0 => n + 2,
        // What the branches bring: three, two and one more than it was.
        1 => (n + 3) + (n + 2) + (n + 1) + 1,
        2 => (n + 28) + 2 * 8 + 1,
        3 => n + 3,
        4 if number.is_multiple_of(5) => n + ROUNDS,
        4 => n + 3,
        // The part, the event, and the step.
        6 => n + 3,
        // Where the action in the middle fails, its handler counts anew.
        _ if (n + 1) % 2 != 0 => 2,
        _ => n + 3,
    }
}
