//! Tests of the tables of the history.

use workflow_runtime::observe::HistoryField;
use workflow_runtime::{Timestamp, Value};

use super::*;
use crate::schema;

const OWN: Names<'static> = Names { workflow: "order", execution: "one" };

fn database() -> Connection {
    let c = schema::in_memory();
    let rows = "INSERT INTO executions (number, id, workflow, request_hash, status, created, start)
                VALUES (1, 'one', 'order', 0, 1, 0, X''), (2, 'two', 'order', 0, 1, 0, X'');
                INSERT INTO snapshot_rows (execution, kind, number, position, data) VALUES (1, 0, 0, 0, X'');";
    c.execute_batch(rows).expect("rows");
    c
}

fn number(c: &Connection, text: &str) -> i64 {
    c.query_row(text, [], |row| row.get(0)).expect("a number")
}

/// Commits events with these numbers. Returns the damage that was found.
fn commit(c: &Connection, numbers: std::ops::Range<i64>, kept: i64, ends: bool) -> Option<String> {
    let events = Events::default();
    for number in numbers {
        let mut segment = events.0.lock().expect("a segment");
        segment.add("time", HistoryField::Time(Timestamp::from_micros(number)), OWN);
        segment.add("event", HistoryField::Data(Value::from(number)), OWN);
        segment.end_event();
    }
    add(c, 1, &events.take(), None, kept, ends).expect("it is written").damage
}

/// Returns the events of a page, by their numbers.
fn numbers(c: &Connection, after: u64, limit: usize) -> (Vec<i64>, Option<u64>) {
    let page = page(c, 1, OWN, after, limit, usize::MAX, Layout::Log).expect("a page");
    let number = |line: &String| Value::from_json(line).ok().and_then(|line| line.get("event")?.as_i64());
    (page.events.iter().map(|line| number(line).expect("a number")).collect(), page.next)
}

#[test]
fn events_are_read_in_order_whether_they_are_recent_or_not() {
    let c = database();
    let mut first = 1;
    for step in 0..200 {
        let events = step % 5 + 1;
        commit(&c, first..first + events, 1 << 40, step == 199);
        first += events;
        assert_eq!(numbers(&c, 0, usize::MAX), ((1..first).collect(), None), "{step}");
        assert_eq!(numbers(&c, (first - 2) as u64, 5).0, [first - 1]);
    }
    assert_eq!(numbers(&c, 3, 4), (vec![4, 5, 6, 7], Some(7)));
    assert_eq!(number(&c, "SELECT count(recent) FROM snapshot_rows"), 0);
    assert!((2..10).contains(&number(&c, "SELECT count(*) FROM history")));
    assert_eq!(page(&c, 2, OWN, 0, 9, 9, Layout::Log).expect("a page").events, Vec::<String>::new());
    remove(&c, 1).expect("it is removed");
    assert_eq!(numbers(&c, 0, 9), (Vec::new(), None));
}

#[test]
fn events_are_added_behind_lines_of_version_10() {
    let rows = "INSERT INTO executions (number, id, workflow, request_hash, status, created, start)
                VALUES (1, 'one', 'order', 0, 1, 0, X'');
                INSERT INTO snapshot_rows (execution, kind, number, position, data) VALUES (1, 0, 0, 0, X'');
                INSERT INTO history VALUES (1, 1, '{\"event\":1}' || char(10) || '{\"event\":2}');";
    let c = schema::migrated(10, rows);
    assert_eq!(damage_of_newest(&c, 1), Ok(None));
    let newest = recent::newest(&c, 1).expect("a row").newest;
    assert_eq!(newest, Newest { next: 3, can_point: true, pointer: None, list: None });
    commit(&c, 3..5, 1 << 40, false);
    for (after, limit, expected) in [
        (0, 9, (vec![1, 2, 3, 4], None)),
        (0, 1, (vec![1], Some(1))),
        (1, 2, (vec![2, 3], Some(3))),
        (3, 9, (vec![4], None)),
    ] {
        assert_eq!(numbers(&c, after, limit), expected, "{after}");
    }
    // They become a row of their own.
    commit(&c, 5..6, 1 << 40, true);
    assert_eq!(numbers(&c, 0, 9), (vec![1, 2, 3, 4, 5], None));
    let rows: i64 = c.query_row("SELECT sum(number) FROM history", [], |row| row.get(0)).expect("rows");
    assert_eq!(rows, 1 + 3);
}

#[test]
fn events_of_several_writers_have_numbers_in_the_order_of_their_transactions() {
    let c = database();
    for number in 1..500 {
        // Taken before another writer commits.
        let events = Events::default();
        events.0.lock().expect("a segment").add("event", HistoryField::Data(Value::from(2 * number)), OWN);
        events.0.lock().expect("a segment").end_event();
        let added = events.take();
        commit(&c, 2 * number - 1..2 * number, 1 << 40, false);
        add(&c, 1, &added, None, 1 << 40, false).expect("it is written");
    }
    assert_eq!(numbers(&c, 0, usize::MAX), ((1..999).collect(), None));
}

#[test]
fn a_hostile_row_ends_with_an_error_in_bounded_time() {
    let c = database();
    // Each array has the one before twice.
    let mut value = Value::from("text");
    for _ in 0..60 {
        value = Value::from_iter([value.clone(), value]);
    }
    let mut segment = Segment::default();
    segment.add("event", HistoryField::Data(value), OWN);
    segment.end_event();
    let mut bytes = Vec::new();
    assert_eq!(segment.append_to(&mut bytes), 1);
    assert!(bytes.len() < 10_000);
    c.execute("INSERT INTO recent_events VALUES (7, 1, 1, NULL, NULL, 1, 100, ?1)", [bytes]).expect("a row");
    c.execute("UPDATE snapshot_rows SET recent = 7", []).expect("a row");
    let began = std::time::Instant::now();
    assert!(page(&c, 1, OWN, 0, 1, usize::MAX, Layout::Log).is_err());
    assert!(began.elapsed() < std::time::Duration::from_secs(60));
    // The execution continues.
    commit(&c, 2..3, 1 << 40, true);
    assert_eq!(numbers(&c, 1, 9), (vec![2], None));
}

#[test]
fn the_oldest_events_are_removed() {
    for kept in [1, 2, 16, 100, 250] {
        let c = database();
        for number in 1..1_000 {
            commit(&c, number..number + 1, kept, false);
            let found = numbers(&c, 0, usize::MAX).0;
            let least = kept.min(number) - (kept / 16).max(1).min(kept - 1);
            assert_eq!(found.last(), Some(&number));
            assert!((least..=kept + 2 * (kept / 16).max(1)).contains(&(found.len() as i64)), "{kept} {number}");
        }
    }
}

#[test]
fn the_newest_row_is_found_by_statements_that_are_planned_once() {
    let c = schema::in_memory();
    for execution in 1..10 {
        recent::newest(&c, execution).expect("no row");
    }
    for text in [recent::NEWEST_RECENT, recent::NEWEST] {
        let statement = c.prepare_cached(text).expect("a statement");
        assert_eq!(statement.get_status(rusqlite::StatementStatus::Run), 9, "{text}");
        assert_eq!(statement.get_status(rusqlite::StatementStatus::RePrepare), 0, "{text}");
    }
}

/// Adds an empty event to the history of an execution. Returns the damage that was found.
fn add_empty(c: &Connection, execution: i64, kept: i64) -> Option<String> {
    let events = Events::default();
    events.0.lock().expect("a segment").end_event();
    add(c, execution, &events.take(), None, kept, false).expect("it is written").damage
}

/// Creates a database in which execution 2 has a header row, too.
fn database_of_two() -> Connection {
    let c = database();
    let text = "INSERT INTO snapshot_rows (execution, kind, number, position, data) VALUES (2, 0, 0, 0, X'')";
    c.execute(text, []).expect("a row");
    c
}

/// Appends rows that are in no list, until all earlier rows were looked at when the log is
/// trimmed.
fn fill(c: &Connection) {
    for _ in 0..=recent::KEPT_ROWS / recent::TRIMMED_ROWS + 1 {
        let text = "WITH RECURSIVE places (at) AS (SELECT 1 + max(position) FROM recent_events
                        UNION ALL SELECT at + 1 FROM places WHERE (at + 1) % ?1 <> 0)
                    INSERT INTO recent_events SELECT at, 3, 1, NULL, NULL, 1, 64, X'0100' FROM places WHERE at % ?1 <> 0";
        c.execute(text, [recent::TRIMMED_ROWS]).expect("rows");
        // A full list becomes a row of the history instead.
        while number(c, "SELECT max(position) FROM recent_events") % recent::TRIMMED_ROWS != 0 {
            add_empty(c, 2, 1 << 40);
        }
    }
}

#[test]
fn a_trimmed_log_loses_no_events() {
    let c = database_of_two();
    // One execution rests, and one goes on.
    add_empty(&c, 2, 1 << 40);
    let last = recent::KEPT_ROWS + 2 * recent::TRIMMED_ROWS + 100;
    (1..=last).for_each(|number| assert_eq!(commit(&c, number..number + 1, 1 << 40, false), None));
    assert_eq!(number(&c, "SELECT count(*) FROM history WHERE execution = 2"), 0);
    let rows = number(&c, "SELECT count(*) FROM recent_events WHERE execution = 1");
    assert!((1..=recent::KEPT_ROWS + recent::TRIMMED_ROWS).contains(&rows), "{rows}");
    assert_eq!(numbers(&c, 0, usize::MAX), ((1..=last).collect(), None));
    assert_eq!(page(&c, 2, OWN, 0, 9, 99, Layout::Log).expect("a page").events, ["{}"]);
    // The one that rested goes on.
    add_empty(&c, 2, 1 << 40);
    assert_eq!(page(&c, 2, OWN, 0, 9, 99, Layout::Log).expect("a page").last, 2);
    // It removes what the log has left behind.
    assert_eq!(settle(&c, 2), Ok(None));
    assert_eq!(number(&c, "SELECT count(*) FROM recent_events WHERE execution = 2"), 1);
    assert_eq!(page(&c, 2, OWN, 0, 9, 99, Layout::Log).expect("a page").last, 2);
}

#[test]
fn an_execution_that_commits_seldom_keeps_no_more_events_than_another() {
    let (c, kept) = (database_of_two(), 64);
    add_empty(&c, 2, kept);
    for number in 0..40 {
        commit(&c, 3 * number + 1..3 * number + 4, kept, false);
        fill(&c);
        assert!(numbers(&c, 0, usize::MAX).0.len() as i64 <= kept + 2 * (kept / 16), "{number}");
    }
    assert_eq!(numbers(&c, 0, usize::MAX).0.last(), Some(&120));
    let rows = number(&c, "SELECT count(*) FROM recent_events");
    assert!(rows <= recent::KEPT_ROWS + recent::TRIMMED_ROWS + 128, "{rows}");
}

#[test]
fn damage_of_an_execution_does_not_stop_others() {
    for damage in [
        "UPDATE recent_events SET number = 9000000000000000000 WHERE execution = 2",
        "UPDATE recent_events SET number = -7 WHERE execution = 2",
        "UPDATE recent_events SET number = 'a' WHERE execution = 2",
        "UPDATE recent_events SET events = 7 WHERE execution = 2",
        "UPDATE recent_events SET execution = 'a' WHERE execution = 2",
        "UPDATE recent_events SET oldest = 'a' WHERE execution = 2",
        "UPDATE recent_events SET oldest = 9000000000000000000 WHERE execution = 2",
        "UPDATE recent_events SET first = 'a' WHERE execution = 2",
        "UPDATE recent_events SET first = 0 WHERE execution = 2",
        "UPDATE recent_events SET size = 'a' WHERE execution = 2",
        "UPDATE recent_events SET previous = 'a' WHERE execution = 2",
        "UPDATE snapshot_rows SET recent = 'a' WHERE execution = 2",
        "UPDATE snapshot_rows SET recent = -1 WHERE execution = 2",
        "DELETE FROM recent_events WHERE execution = 2 AND number = 2",
        "DELETE FROM executions WHERE number = 2",
        "INSERT INTO history VALUES (2, 1, X'0100')",
        "INSERT INTO history VALUES (2, 2, X'0100')",
    ] {
        let c = database_of_two();
        (0..3).for_each(|_| assert_eq!(add_empty(&c, 2, 1 << 40), None));
        c.execute_batch(damage).expect("rows");
        let last = recent::KEPT_ROWS + recent::TRIMMED_ROWS;
        c.execute("UPDATE recent_events SET position = position + ?1", [recent::TRIMMED_ROWS - 5]).expect("rows");
        c.execute(
            "UPDATE recent_events SET previous = previous + ?1, oldest = oldest + ?1",
            [recent::TRIMMED_ROWS - 5],
        )
        .expect("rows");
        let text = "UPDATE snapshot_rows SET recent = recent + ?1 WHERE typeof(recent) = 'integer'";
        c.execute(text, [recent::TRIMMED_ROWS - 5]).expect("rows");
        (1..=last).for_each(|number| assert_eq!(commit(&c, number..number + 1, 1 << 40, false), None));
        assert_eq!(numbers(&c, last as u64 - 9, usize::MAX).0.len(), 9, "{damage}");
        // The execution itself goes on, and may end.
        add_empty(&c, 2, 1 << 40);
        let events = Events::default();
        events.0.lock().expect("a segment").end_event();
        add(&c, 2, &events.take(), None, 1 << 40, true).expect(damage);
        assert_eq!(settle(&c, 2), Ok(None), "{damage}");
        assert_eq!(number(&c, "SELECT count(recent) FROM snapshot_rows WHERE execution = 2"), 0);
    }
}

#[test]
fn a_damaged_list_is_reported_and_given_up() {
    // The damage, whether it is found at once, and the number of the next event.
    for (damage, is_found, next) in [
        ("UPDATE snapshot_rows SET recent = 77", true, 5),
        ("UPDATE snapshot_rows SET recent = 'a'", true, 5),
        ("DELETE FROM recent_events WHERE number = 4", true, 4),
        ("UPDATE recent_events SET execution = 2", true, 1),
        ("UPDATE recent_events SET number = 0", true, 1),
        ("UPDATE recent_events SET number = 0 WHERE number = 4", true, 4),
        ("UPDATE recent_events SET number = 9000000000000000000 WHERE number = 4", true, 4),
        ("UPDATE recent_events SET number = 3 WHERE number = 4", false, 5),
        ("UPDATE recent_events SET events = X'0102' WHERE number = 4", true, 6),
        ("UPDATE recent_events SET events = 7 WHERE number = 4", true, 4),
        ("UPDATE recent_events SET size = 'a' WHERE number = 4", true, 5),
        ("UPDATE recent_events SET first = 5 WHERE number = 4", true, 5),
        ("UPDATE recent_events SET first = 2", false, 5),
        ("DELETE FROM recent_events WHERE number = 2", false, 5),
        ("UPDATE recent_events SET previous = position", false, 5),
        ("UPDATE recent_events SET previous = NULL", false, 5),
        ("UPDATE recent_events SET events = X'0102' WHERE number = 2", false, 5),
        ("UPDATE recent_events SET events = 7 WHERE number = 2", false, 5),
        ("INSERT INTO history VALUES (1, 1, X'0100')", false, 5),
    ] {
        for ends in [false, true] {
            let c = database();
            (1..5).for_each(|number| assert_eq!(commit(&c, number..number + 1, 1 << 40, false), None));
            c.execute_batch(damage).expect("rows");
            let is_damage =
                |problem: Option<String>| problem.is_some_and(|problem| problem.contains("`one` is damaged"));
            assert_eq!(is_damage(damage_of_newest(&c, 1).expect(damage)), is_found, "{damage}");
            let reported = [
                commit(&c, next..next + 1, 1 << 40, ends),
                // Its events move to the history at the latest when the execution ends.
                settle(&c, 1).expect(damage),
            ];
            assert_eq!(reported.into_iter().filter(|problem| is_damage(problem.clone())).count(), 1, "{damage} {ends}");
            assert_eq!(number(&c, "SELECT count(recent) FROM snapshot_rows"), 0, "{damage}");
            // The next commit is not affected, and no number is used twice.
            let last = recent::newest(&c, 1).expect("a row").newest.next;
            assert_eq!(commit(&c, last..last + 1, 1 << 40, false), None, "{damage}");
            assert_eq!(numbers(&c, last as u64 - 1, 9).0, [last], "{damage}");
            let numbers = "SELECT count(DISTINCT number) = count(*) FROM
                           (SELECT number FROM history UNION ALL SELECT number FROM recent_events r
                            WHERE r.position = (SELECT recent FROM snapshot_rows))";
            assert_eq!(number(&c, numbers), 1, "{damage}");
        }
    }
}

#[test]
fn events_beside_a_damaged_row_are_kept_and_the_gap_is_reported() {
    let problem = |c: &Connection, after| match page(c, 1, OWN, after, 9, usize::MAX, Layout::Log) {
        Ok(page) => panic!("{page:?}"),
        Err(error) => crate::error::damage_of(&error).expect("damage").to_owned(),
    };
    let of = |problem: &str| format!("the history of the execution `one` is damaged from event {problem}");
    for (damage, gap) in [
        ("DELETE FROM recent_events WHERE number = 2", "2 on: events are missing up to 2"),
        ("UPDATE recent_events SET events = 7 WHERE number = 2", "2 on: events are missing up to 2"),
        ("UPDATE recent_events SET number = -7 WHERE number = 2", "2 on: events are missing up to 2"),
    ] {
        let c = database();
        (1..5).for_each(|number| assert_eq!(commit(&c, number..number + 1, 1 << 40, false), None));
        c.execute_batch(damage).expect("rows");
        // In the list already: it ends there.
        assert!(problem(&c, 0).contains("damaged from event"), "{damage}");
        assert_eq!(numbers(&c, 2, 9).0, [3, 4], "{damage}");
        assert!(settle(&c, 1).expect(damage).is_some());
        assert_eq!(problem(&c, 0), of(gap), "{damage}");
        assert_eq!(numbers(&c, 0, 1).0, [1], "{damage}");
        assert_eq!(numbers(&c, 2, 9).0, [3, 4], "{damage}");
    }
    let c = database();
    (1..5).for_each(|number| assert_eq!(commit(&c, number..number + 1, 1 << 40, false), None));
    c.execute_batch("DELETE FROM recent_events").expect("rows");
    assert_eq!(problem(&c, 0), of("1 on: recent events are missing"));
    // A row with an event that another row has.
    let c = database();
    (1..5).for_each(|number| assert_eq!(commit(&c, number..number + 1, 1 << 40, number == 4), None));
    c.execute_batch("INSERT INTO history VALUES (1, 2, X'0100')").expect("rows");
    assert_eq!(problem(&c, 0), of("2 on: the number of the event is wrong"));
}

#[test]
fn removed_executions_and_histories_leave_nothing_in_the_log() {
    let c = database_of_two();
    let of_one = "SELECT count(*) FROM recent_events WHERE execution = 1";
    // Its list is in `history`, and its rows are still in the log; or the list is not empty.
    for ends in [true, false] {
        for is_newest in [true, false] {
            for text in
                ["DELETE FROM executions WHERE number = 1", "UPDATE executions SET has_history = 0 WHERE number = 1"]
            {
                let first = number(&c, "SELECT coalesce(max(position), 0) FROM recent_events") + 1;
                c.execute_batch("SAVEPOINT one").expect("a savepoint");
                (1..5).for_each(|number| assert_eq!(commit(&c, number..number + 1, 1 << 40, false), None));
                if ends {
                    settle(&c, 1).expect("it is written");
                }
                if !is_newest {
                    add_empty(&c, 2, 1 << 40);
                }
                let last = number(&c, "SELECT max(position) FROM recent_events");
                assert_eq!(number(&c, of_one), 4);
                remove(&c, 1).expect("it is removed");
                c.execute(text, []).expect("it is removed");
                remove_purged(&c).expect("it is removed");
                assert_eq!(number(&c, of_one), 0);
                assert_eq!(
                    number(&c, "SELECT coalesce(sum(length(events)), 0) FROM recent_events WHERE execution <> 2"),
                    0
                );
                // Positions are not used twice.
                add_empty(&c, 2, 1 << 40);
                assert_eq!(number(&c, "SELECT max(position) FROM recent_events"), last + 1);
                assert!(last > first);
                let last = page(&c, 2, OWN, 0, 9, 99, Layout::Log).expect("a page").last;
                assert_eq!(last, 1 + u64::from(!is_newest));
                c.execute_batch("ROLLBACK TO one; RELEASE one").expect("a savepoint");
            }
        }
    }
}

#[test]
fn recent_events_of_version_12_are_kept() {
    let rows = "INSERT INTO executions (number, id, workflow, request_hash, status, created, start)
                VALUES (1, 'one', 'order', 0, 1, 0, X''), (2, 'two', 'order', 0, 1, 0, X'');
                INSERT INTO snapshot_rows (execution, kind, number, position, data) VALUES (1, 0, 0, 0, X'');
                INSERT INTO history VALUES (1, 1, '{\"event\":1}'), (2, 1, '{\"event\":1}');
                INSERT INTO recent_history VALUES (1, 2, X'02020000'), (2, 1, X'02020000');";
    let c = schema::migrated(12, "");
    c.execute_batch(
        "CREATE TABLE recent_history (execution INTEGER PRIMARY KEY, number INTEGER NOT NULL, events BLOB NOT NULL)",
    )
    .expect("a table");
    c.execute_batch(rows).expect("rows");
    assert_eq!(page(&c, 1, OWN, 0, 9, 99, Layout::RecentRows).expect("a page").last, 3);
    let c = schema::migrated(12, rows);
    assert_eq!(page(&c, 1, OWN, 0, 9, 99, Layout::Log).expect("a page").last, 3);
    assert_eq!(page(&c, 2, OWN, 0, 9, 99, Layout::Log).expect("a page").last, 1);
    commit(&c, 4..5, 1 << 40, false);
    assert_eq!(numbers(&c, 3, 9).0, [4]);
}

#[test]
fn a_remembered_end_of_the_history_is_checked() {
    let c = database();
    let one = |known: Option<&Newest>, number: i64| {
        let events = Events::default();
        events.0.lock().expect("a segment").add("event", HistoryField::Data(Value::from(number)), OWN);
        events.0.lock().expect("a segment").end_event();
        add(&c, 1, &events.take(), known, 1 << 40, false).expect("it is written").newest
    };
    let first = one(None, 1);
    assert!(first.is_some());
    let second = one(first.as_ref(), 2);
    // Another writer adds an event meanwhile.
    commit(&c, 3..4, 1 << 40, false);
    let fourth = one(second.as_ref(), 4);
    assert_eq!(numbers(&c, 0, 9).0, [1, 2, 3, 4]);
    assert_eq!(fourth, Some(recent::newest(&c, 1).expect("a row").newest));
    // The events leave the list.
    settle(&c, 1).expect("it is written");
    assert!(one(fourth.as_ref(), 5).is_some());
    assert_eq!(numbers(&c, 0, 9).0, [1, 2, 3, 4, 5]);
    assert_eq!(number(&c, "SELECT count(*) FROM recent_events"), 5);
}
