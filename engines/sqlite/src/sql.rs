//! SQL literals of the numbers that the tables hold.
//!
//! They are literals, not parameters: SQLite uses a partial index only for a query that repeats
//! the index's condition.

/// Expands to the SQL literal of a named number or list of numbers, for `concat!`.
macro_rules! sql {
    // Values of `executions.status`.
    (queued) => {
        "0"
    };
    (running) => {
        "1"
    };
    (parked) => {
        "5"
    };
    // Executions that the engine runs, or will run.
    (active) => {
        "(0, 1)"
    };
    // Executions that can still change: the condition of the partial indexes.
    (unfinished) => {
        "(0, 1, 5)"
    };
    (ended) => {
        "(2, 3, 4)"
    };
    // Values of `snapshot_rows.kind`.
    (progress) => {
        "1"
    };
    (frame) => {
        "2"
    };
    (output) => {
        "3"
    };
    // Values of `snapshot_rows.wait_kind`.
    (task) => {
        "0"
    };
    (child) => {
        "5"
    };
    (map) => {
        "7"
    };
    // `arrivals.frame` of an order to the execution as a whole; `arrivals.op` of the order to
    // terminate.
    (execution) => {
        "-1"
    };
    (terminate) => {
        "1"
    };
    // `arrivals.frame` of the changes of a run of a distributed Map.
    (update) => {
        "-2"
    };
}

#[cfg(test)]
mod tests {
    use crate::executions::{self, Status};
    use crate::rows;

    fn list(statuses: &[Status]) -> String {
        let numbers: Vec<String> = statuses.iter().map(|status| (*status as i64).to_string()).collect();
        format!("({})", numbers.join(", "))
    }

    #[test]
    fn literals_are_the_numbers_of_the_constants() {
        use Status::{Cancelled, Failed, Parked, Queued, Running, Succeeded};
        for (literal, status) in [(sql!(queued), Queued), (sql!(running), Running), (sql!(parked), Parked)] {
            assert_eq!(literal, (status as i64).to_string());
        }
        assert_eq!(sql!(active), list(&[Queued, Running]));
        assert_eq!(sql!(unfinished), list(&[Queued, Running, Parked]));
        assert_eq!(sql!(ended), list(&[Succeeded, Failed, Cancelled]));
        let kinds = [rows::PROGRESS, rows::FRAME, rows::OUTPUT];
        assert_eq!([sql!(progress), sql!(frame), sql!(output)], kinds.map(|kind| kind.to_string()));
        let kinds = [rows::wait_kind::TASK, rows::wait_kind::CHILD, rows::wait_kind::MAP];
        assert_eq!([sql!(task), sql!(child), sql!(map)], kinds.map(|kind| kind.to_string()));
        assert_eq!(sql!(terminate), executions::TERMINATE.to_string());
        assert_eq!(sql!(update), executions::UPDATE.to_string());
    }
}
