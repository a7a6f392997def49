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

/// Commits events with these numbers.
fn commit(c: &Connection, numbers: std::ops::Range<i64>, kept: i64, ends: bool) {
    let events = Events::default();
    for number in numbers {
        let mut segment = events.0.lock().expect("a segment");
        segment.add("time", HistoryField::Time(Timestamp::from_micros(number)), OWN);
        segment.add("event", HistoryField::Data(Value::from(number)), OWN);
        segment.end_event();
    }
    add(c, 1, &events.take(), None, kept, ends).expect("it is written");
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
    assert_eq!(recent::newest(&c, 1), Ok((Newest { next: 3, can_point: true, pointer: None, list: None }, None)));
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

#[test]
fn a_trimmed_log_loses_no_events() {
    let c = database();
    c.execute("INSERT INTO snapshot_rows (execution, kind, number, position, data) VALUES (2, 0, 0, 0, X'')", [])
        .expect("a row");
    let events = Events::default();
    events.0.lock().expect("a segment").end_event();
    // One execution rests, and one goes on.
    add(&c, 2, &events.take(), None, 1 << 40, false).expect("it is written");
    let last = recent::KEPT_ROWS + 2 * recent::TRIMMED_ROWS + 100;
    for number in 1..=last {
        commit(&c, number..number + 1, 1 << 40, false);
        if number == 1 {
            assert_eq!(self::number(&c, "SELECT count(*) FROM history"), 0);
        }
    }
    assert_eq!(number(&c, "SELECT count(*) FROM history WHERE execution = 2"), 1);
    assert_eq!(number(&c, "SELECT count(*) FROM snapshot_rows WHERE execution = 2 AND recent IS NULL"), 1);
    let rows = number(&c, "SELECT count(*) FROM recent_events");
    assert!((1..=recent::KEPT_ROWS + recent::TRIMMED_ROWS).contains(&rows), "{rows}");
    assert_eq!(numbers(&c, 0, usize::MAX), ((1..=last).collect(), None));
    assert_eq!(page(&c, 2, OWN, 0, 9, 99, Layout::Log).expect("a page").events, ["{}"]);
    // The one that rested goes on.
    events.0.lock().expect("a segment").end_event();
    add(&c, 2, &events.take(), None, 1 << 40, false).expect("it is written");
    assert_eq!(page(&c, 2, OWN, 0, 9, 99, Layout::Log).expect("a page").last, 2);
}

#[test]
fn a_damaged_list_is_reported_and_given_up() {
    for (damage, next) in [
        ("UPDATE snapshot_rows SET recent = 77", 1),
        ("DELETE FROM recent_events WHERE number = 4", 1),
        ("UPDATE recent_events SET execution = 2", 1),
        ("UPDATE recent_events SET number = 0", 0),
        ("UPDATE recent_events SET events = X'0102' WHERE number = 4", 6),
    ] {
        let c = database();
        (1..5).for_each(|number| commit(&c, number..number + 1, 1 << 40, false));
        c.execute_batch(damage).expect("rows");
        match damage_of_newest(&c, 1) {
            Ok(problem) => {
                assert!(problem.is_some_and(|problem| problem.contains("`one` is damaged from event")), "{damage}")
            }
            Err(_) => assert_eq!(next, 0, "{damage}"),
        }
        if next > 0 {
            commit(&c, next..next + 1, 1 << 40, false);
            assert_eq!(numbers(&c, next as u64 - 1, 9).0, [next], "{damage}");
        }
    }
    // A list without its oldest rows ends there.
    let c = database();
    (1..5).for_each(|number| commit(&c, number..number + 1, 1 << 40, false));
    c.execute_batch("DELETE FROM recent_events WHERE number = 2; UPDATE recent_events SET previous = position")
        .expect("rows");
    assert_eq!((damage_of_newest(&c, 1), numbers(&c, 0, 9).0), (Ok(None), vec![4]));
    settle(&c, 1).expect("it is written");
    assert_eq!(numbers(&c, 0, 9).0, [4]);
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
        add(&c, 1, &events.take(), known, 1 << 40, false).expect("it is written")
    };
    let first = one(None, 1);
    assert!(first.is_some());
    let second = one(first.as_ref(), 2);
    // Another writer adds an event meanwhile.
    commit(&c, 3..4, 1 << 40, false);
    let fourth = one(second.as_ref(), 4);
    assert_eq!(numbers(&c, 0, 9).0, [1, 2, 3, 4]);
    assert_eq!(fourth, Some(recent::newest(&c, 1).expect("a row").0));
    // The events leave the list.
    settle(&c, 1).expect("it is written");
    assert!(one(fourth.as_ref(), 5).is_some());
    assert_eq!(numbers(&c, 0, 9).0, [1, 2, 3, 4, 5]);
    assert_eq!(number(&c, "SELECT count(*) FROM recent_events"), 5);
}
