//! Tests of the queries of lists.

use rusqlite::params_from_iter;
use workflow_runtime::Timestamp;
use workflow_runtime::engine::{Filter, Status};

use super::{list, selection};
use crate::schema;

/// Returns a database of executions: each starts when its number says, and ends ten microseconds
/// later; every seventh still runs.
fn database(executions: u32) -> rusqlite::Connection {
    let c = schema::in_memory();
    let text = "WITH RECURSIVE n (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < ?1)
                INSERT INTO executions (id, workflow, key, request_hash, status, created, started, ended, start)
                SELECT 'id' || n, 'w' || (n % 3), 'id' || n, 0, iif(n % 7, 2, 1), n, n, iif(n % 7, n + 10, NULL),
                       zeroblob(200) FROM n";
    c.execute(text, [executions]).expect("executions");
    c
}

#[test]
fn a_filter_of_times_reads_the_executions_of_these_times_only() {
    let c = database(2_000);
    let at = |micros| Some(Timestamp::from_micros(micros));
    let all = Filter::all;
    for (filter, index, expected) in [
        (all().started(at(100), at(104)), "executions_by_start", &[103, 102, 101, 100][..]),
        (all().started(at(1_998), None), "executions_by_start", &[2_000, 1_999, 1_998]),
        (all().started(None, at(4)).before("id3"), "executions_by_start", &[2, 1]),
        (all().ended(at(20), at(24)), "executions_by_end", &[13, 12, 11, 10]),
        (all().started(at(10), None).ended(None, at(22)), "executions_by_end", &[11, 10]),
        (all().started(at(10), at(20)).workflow("w2"), "executions_by_start", &[17, 14, 11]),
        (all().started(at(10), at(30)).status(Status::Running), "executions_by_start", &[28, 21, 14]),
    ] {
        let ids: Vec<String> = expected.iter().map(|number: &u32| format!("id{number}")).collect();
        let found = list(&c, &filter).expect("a list").into_iter().map(|one| one.id.clone()).collect::<Vec<_>>();
        let (text, values) = selection(&c, &filter).expect("a query");
        assert_eq!(found, ids, "{text}");
        let mut statement = c.prepare(&format!("EXPLAIN QUERY PLAN {text}")).expect("a plan");
        let plan = statement.query_map(params_from_iter(values), |row| row.get::<_, String>(3)).expect("steps");
        let plan = plan.collect::<rusqlite::Result<Vec<_>>>().expect("steps");
        let searches = |index: &str| plan.iter().any(|step| step.contains(&format!("COVERING INDEX {index}")));
        assert!(searches(index) && plan.iter().all(|step| !step.contains("SCAN executions")), "{text}: {plan:?}");
    }
}

#[test]
fn a_wide_range_of_times_reads_no_more_executions_than_its_limit() {
    let c = database(20_000);
    let all = || Filter::all().started(Some(Timestamp::from_micros(1)), None).limit(2);
    for (filter, expected) in [
        (all(), vec!["id20000", "id19999"]),
        (all().status(Status::Running), vec!["id19999", "id19992"]),
        (all().workflow("w2"), vec!["id20000", "id19997"]),
        (all().workflow("w2").key("id20"), vec!["id20"]),
    ] {
        let (text, values) = selection(&c, &filter).expect("a query");
        let mut statement = c.prepare(&text).expect("a statement");
        let found = statement.query_map(params_from_iter(values), |row| row.get::<_, String>("id")).expect("rows");
        assert_eq!(found.collect::<rusqlite::Result<Vec<_>>>().expect("rows"), expected, "{text}");
        let steps = statement.get_status(rusqlite::StatementStatus::VmStep);
        assert!(steps < 1_000, "{steps} steps: {text}");
    }
}
