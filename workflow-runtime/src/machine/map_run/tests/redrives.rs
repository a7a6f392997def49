//! Redrives: the children that have failed run again, and the results of the others are kept.

use super::bounds::writer;
use super::*;
use crate::machine::MapUpdate;
use crate::machine::map_run::failed::{ChildQueue, FailedChild, KEPT, KEPT_BYTES};
use crate::machine::map_run::results::Ended;
use crate::value::EXCERPT;

impl Run {
    /// Redrives the run from what an engine has stored of it before it ended.
    fn redrive(&mut self) {
        assert_eq!(self.reload, Reload::Rows);
        let rows: Vec<_> = self.rows.iter().map(|(row, bytes)| (*row, bytes.clone())).collect();
        self.run = Program::of::<Flow>().restore(&rows).expect("it is restored");
        self.commands.clear();
        self.run.changes();
        self.run.apply(Timestamp::from_seconds(2_000), Occurrence::Redriven);
        self.step();
    }

    /// Fails the child with this input.
    fn break_child(&mut self, input: i64) {
        let with_input = |(_, call): &(Op, Arc<Call>)| call.input == Value::from(input);
        let (op, _) = self.calls().into_iter().find(with_input).expect("it runs");
        self.complete(op, broken());
    }

    /// Returns the inputs of the calls with their attempts.
    fn attempts(&self) -> Vec<(String, u32)> {
        self.calls().iter().map(|(_, call)| (call.input.to_string(), call.attempt)).collect()
    }

    /// Completes the write in progress. Returns the statuses and inputs of its records.
    fn end_write(&mut self, state: &str) -> Vec<(String, String)> {
        let (op, request) = self.written().expect("it writes");
        self.complete(op, Ok(state.into()));
        let of = |record: &crate::objects::ChildRecord| (record.outcome.status().to_string(), record.input.to_string());
        request.records.iter().map(of).collect()
    }
}

fn broken() -> Outcome {
    Err(Fault::new("Broken", "it"))
}

fn pair(first: &str, second: &str) -> (String, String) {
    (first.to_owned(), second.to_owned())
}

#[test]
fn children_in_flight_continue_and_tolerated_failures_run_again() {
    let settings = value!({ "items": numbers(8), "concurrency": 3, "tolerated_count": 2 });
    let mut run = Run::begin(PLAIN, settings, Reload::Rows);
    run.child(0, Ok("zero".into()));
    run.break_child(1);
    run.break_child(3);
    run.child(0, Ok("two".into()));
    assert_eq!((run.counts(), run.inputs()), ([1, 3, 2, 2], ["4", "5", "6"].map(str::to_owned).to_vec()));
    run.break_child(5);
    assert_eq!(run.result(), exceeded());

    run.redrive();
    // The engine redrives the three, of which one has failed.
    let attempts = |expected: &[(&str, u32)]| {
        expected.iter().map(|(input, attempt)| ((*input).to_owned(), *attempt)).collect::<Vec<_>>()
    };
    assert_eq!(run.attempts(), attempts(&[("4", 1), ("5", 1), ("6", 1)]));
    assert_eq!(run.counts(), [3, 3, 2, 0]);
    run.child(0, Ok("four".into()));
    // Those that have failed before go first, as second attempts, with names of their own.
    assert_eq!(run.attempts(), attempts(&[("1", 2), ("5", 1), ("6", 1)]));
    assert_eq!(run.calls()[0].1.execution_id("run"), "run.2-0.2");
    run.break_child(5);
    run.break_child(6);
    assert_eq!(run.attempts(), attempts(&[("1", 2), ("3", 2), ("7", 1)]));
    run.break_child(1);
    assert_eq!(run.result(), exceeded());

    run.redrive();
    assert_eq!(run.attempts(), attempts(&[("1", 2), ("3", 2), ("7", 1)]));
    run.child(0, Ok("one".into()));
    run.echo();
    assert_eq!(run.result(), ok(r#"["zero","one","two",3,"four",5,6,7]"#));
}

#[test]
fn a_redriven_run_reads_on_behind_its_last_child() {
    let mut run = Run::begin(READ, value!({ "reader": {}, "concurrency": 1, "tolerated_count": 1 }), Reload::Rows);
    run.read(chunk(&[1, 2, 3], "after 3", false));
    run.break_child(1);
    run.read(chunk(&[1, 2, 3], "after 3", false));
    run.break_child(2);
    assert_eq!(run.result(), exceeded());
    run.redrive();
    assert_eq!(run.inputs(), ["2"]);
    run.echo();
    // The first item is not read again: its input was kept.
    assert_eq!((run.position(), run.result()), (Some(Value::Null), None));
    run.read(chunk(&[1, 2, 3], "after 3", true));
    assert_eq!(run.inputs(), ["3"]);
    run.echo();
    assert_eq!(run.result(), ok("[1,2,3]"));
}

#[test]
fn a_reader_that_has_failed_reads_again() {
    let mut run = Run::begin(READ, value!({ "reader": {}, "concurrency": 1 }), Reload::Rows);
    let read = |run: &Run| run.commands.iter().find(|(_, one)| matches!(one, Command::Read(_))).map(|(op, _)| *op);
    let op = read(&run).expect("it reads");
    run.complete(op, Err(Fault::new("States.ItemReaderFailed", "there is no bucket")));
    assert!(run.result().is_some_and(|result| result.is_err()));
    run.redrive();
    run.read(chunk(&[1], "after 1", true));
    run.echo();
    assert_eq!(run.result(), ok("[1]"));
}

#[test]
fn a_run_with_a_writer_writes_the_results_of_both() {
    let settings = value!({ "items": numbers(6), "concurrency": 2, "tolerated_count": 1, "writer": writer() });
    let mut run = Run::begin(PLAIN, settings, Reload::Rows);
    run.break_child(0);
    run.child(0, Ok("one".into()));
    run.break_child(2);
    let records = run.end_write("the manifest");
    let expected =
        [("FAILED", "0"), ("SUCCEEDED", "1"), ("FAILED", "2"), ("FAILED", "3"), ("PENDING", "4"), ("PENDING", "5")];
    let expected: Vec<(String, String)> = expected.iter().map(|(status, input)| pair(status, input)).collect();
    assert!(records == expected || records[3] == pair("ABORTED", "3"), "{records:?}");
    assert_eq!(run.result(), exceeded());

    run.redrive();
    let (op, request) = run.written().expect("it tries the writer again");
    assert_eq!((request.is_redriven, request.records.len(), request.is_last), (true, 0, false));
    assert_eq!(run.counts(), [5, 0, 1, 0]);
    run.complete(op, Ok("files of those that succeeded".into()));
    let all =
        |run: &Run| run.attempts().into_iter().map(|(input, attempt)| format!("{input}:{attempt}")).collect::<Vec<_>>();
    assert_eq!(all(&run), ["0:2", "2:2"]);
    run.child(0, Ok("zero".into()));
    assert_eq!(all(&run), ["2:2", "3:2"]);
    run.echo();
    let (_, request) = run.written().expect("it writes");
    assert_eq!((request.state.as_str(), request.is_redriven), (Some("files of those that succeeded"), false));
    let counts: Vec<u64> = request.records.iter().map(|record| record.redrive_count).collect();
    assert_eq!(counts, [1, 0, 1, 1, 0, 0]);
    let records = run.end_write("the manifest");
    let expected: Vec<(String, String)> = (0..6).map(|input| pair("SUCCEEDED", &input.to_string())).collect();
    assert_eq!(records, expected);
    assert!(run.result().is_some_and(|result| result.is_ok()));
}

#[test]
fn children_whose_records_are_in_files_are_written_again_under_new_numbers() {
    let long = || Value::from("x".repeat(1 << 20));
    let settings = value!({ "items": numbers(24), "concurrency": 1, "tolerated_count": 1, "writer": writer() });
    let mut run = Run::begin(PLAIN, settings, Reload::Rows);
    run.break_child(0);
    while run.written().is_none() {
        run.child(0, Ok(long()));
    }
    let records = run.end_write("one file");
    assert_eq!(records[0], pair("FAILED", "0"));
    let next = run.inputs();
    run.child(0, broken());
    run.end_write("the manifest");
    assert_eq!(run.result(), exceeded());

    run.redrive();
    let (op, request) = run.written().expect("it tries the writer again");
    assert_eq!((request.is_redriven, request.state.as_str()), (true, Some("one file")));
    run.complete(op, Ok("one file".into()));
    // The one whose place is here goes first.
    let mut inputs = Vec::new();
    while let Some((op, call)) = run.calls().pop() {
        inputs.push((call.input.to_string(), call.attempt));
        run.complete(op, Ok(call.input.clone()));
    }
    assert_eq!(inputs[..2], [(next[0].clone(), 2), ("0".to_owned(), 2)]);
    assert_eq!(inputs.len(), 24 - (records.len() - 1));
    let written = run.end_write("the manifest");
    assert!(written.iter().all(|(status, _)| status == "SUCCEEDED"), "{written:?}");
    let mut numbers: Vec<i64> = written.iter().map(|(_, input)| input.parse().expect("a number")).collect();
    numbers.extend(records[1..].iter().map(|(_, input)| input.parse::<i64>().expect("a number")));
    numbers.sort_unstable();
    assert_eq!(numbers, (0..24).collect::<Vec<i64>>());
}

#[test]
fn a_redriven_run_with_a_writer_can_fail_and_be_redriven_again() {
    let settings = value!({ "items": numbers(5), "concurrency": 1, "writer": writer() });
    let mut run = Run::begin(PLAIN, settings, Reload::Rows);
    run.child(0, Ok("zero".into()));
    for round in 1..=3 {
        run.break_child(round);
        assert_eq!(run.end_write("the manifest").len(), 5, "round {round}");
        assert_eq!(run.result(), exceeded());
        run.redrive();
        assert!(run.end_write("files").is_empty());
        assert_eq!(run.inputs(), [round.to_string()]);
        run.child(0, Ok("well".into()));
    }
    run.echo();
    let records = run.end_write("the manifest");
    let expected: Vec<(String, String)> = (0..5).map(|input| pair("SUCCEEDED", &input.to_string())).collect();
    assert_eq!(records, expected);
}

#[test]
fn items_that_never_start_are_pending() {
    let settings = value!({ "items": numbers(6), "concurrency": 3, "writer": writer() });
    let mut run = Run::begin(PLAIN, settings, Reload::Rows);
    run.update(MapUpdate::new().max_concurrency(1));
    run.break_child(0);
    assert_eq!(run.counts(), [3, 0, 0, 3]);
    run.end_write("the manifest");

    run.redrive();
    run.end_write("files");
    assert_eq!((run.inputs(), run.counts()), (vec!["0".to_owned()], [5, 1, 0, 0]));
    // Two that are to start again have not started when the run fails.
    run.break_child(0);
    assert_eq!(run.counts(), [5, 0, 0, 1]);
    assert_eq!(run.end_write("the manifest").len(), 6);

    run.redrive();
    run.end_write("files");
    assert_eq!(run.counts(), [5, 1, 0, 0]);
    run.echo();
    assert_eq!(run.counts(), [0, 0, 6, 0]);
    run.end_write("the manifest");
    assert!(run.result().is_some_and(|result| result.is_ok()));
}

#[test]
fn the_first_result_that_is_missing_goes_first_when_there_are_many_results() {
    let settings = value!({ "items": numbers(40), "concurrency": 2, "tolerated_count": 5, "writer": writer() });
    let mut run = Run::begin(PLAIN, settings, Reload::Rows);
    // A child fails while the first one takes long. The results of others are held.
    run.break_child(1);
    while run.calls().len() > 1 {
        run.child(1, Ok("x".repeat(1 << 20).into()));
    }
    run.break_child(0);
    let (op, _) = run.written().expect("it writes");
    run.complete(op, Err(Fault::new("States.ResultWriterFailed", "the store is full")));
    assert!(run.result().is_some_and(|result| result.is_err()));

    run.redrive();
    run.end_write("files");
    assert_eq!(run.attempts(), [("0".to_owned(), 2)]);
    run.child(0, Ok("zero".into()));
    assert_eq!(run.attempts(), [("1".to_owned(), 2)]);
    run.child(0, Ok("one".into()));
    let mut statuses = Vec::new();
    while run.result().is_none() {
        match run.written() {
            Some(_) => statuses.extend(run.end_write("files")),
            None => run.child(0, Ok(Value::Null)),
        }
    }
    assert!(statuses.len() == 40 && statuses.iter().all(|(status, _)| status == "SUCCEEDED"), "{statuses:?}");
}

#[test]
fn a_run_that_fails_by_its_writer_writes_again() {
    let mut run = Run::begin(PLAIN, value!({ "items": [1], "writer": writer() }), Reload::Rows);
    run.echo();
    let (op, _) = run.written().expect("it writes");
    run.complete(op, Err(Fault::new("States.ResultWriterFailed", "the store is full")));
    assert!(run.result().is_some_and(|result| result.is_err()));
    run.redrive();
    assert!(run.end_write("files").is_empty());
    assert_eq!(run.end_write("where it is"), [pair("SUCCEEDED", "1")]);
    assert!(run.result().is_some_and(|result| result.is_ok()));
}

#[test]
fn an_input_that_is_too_long_fails_again() {
    let long = Value::from("x".repeat(crate::value::DOCUMENT_LIMIT as usize));
    for writes in [false, true] {
        let mut settings = value!({ "items": [1, long.clone(), 2], "concurrency": 1, "tolerated_count": 1 });
        if let Some(settings) = settings.as_object_mut().filter(|_| writes) {
            settings.insert("writer", writer());
        }
        let mut run = Run::begin(PLAIN, settings, Reload::Rows);
        run.child(0, Ok(1.into()));
        assert_eq!(run.counts(), [0, 1, 1, 1], "{writes}");
        run.break_child(2);
        if writes {
            assert_eq!(run.end_write("the manifest").len(), 3);
        }
        assert_eq!(run.result(), exceeded());
        run.redrive();
        if writes {
            assert!(run.end_write("files").is_empty());
        }
        assert_eq!((run.inputs(), run.counts()), (vec!["2".to_owned()], [0, 1, 1, 1]), "{writes}");
        run.echo();
        if writes {
            let statuses: Vec<String> = run.end_write("the manifest").into_iter().map(|(status, _)| status).collect();
            assert_eq!(statuses, ["SUCCEEDED", "FAILED", "SUCCEEDED"]);
        }
        assert!(run.result().is_some_and(|result| result.is_ok()), "{:?}", run.result());
    }
}

#[test]
fn the_records_of_children_that_never_start_count_to_what_is_kept() {
    let outcome = ChildOutcome::Failed { status: "FAILED".into(), error: None, cause: Some("it is too long".into()) };
    let input = Some(Value::from("x".repeat(EXCERPT)));
    let refused = Some(Box::new(Ended { input, outcome, started: None, ended: None, redrives: 0 }));
    let mut queue = ChildQueue::default();
    let mut count = 0;
    while !queue.is_full() {
        let refused = refused.clone();
        queue.push(FailedChild { number: count, attempt: 1, items: 1, input: Value::Null, refused });
        count += 1;
    }
    assert_eq!(count, KEPT_BYTES / (EXCERPT as u64 + 20) + 1);
    queue.pop();
    assert!(!queue.is_full());
    assert_eq!(queue.take().len() as u64, count - 1);
}

#[test]
fn failed_children_beyond_the_limit_cannot_be_redriven() {
    // Each input has a mebibyte, of which 32 are kept.
    let items: Value = (0..50).map(|_| Value::from("x".repeat(1 << 20))).collect();
    let mut run = Run::begin(PLAIN, value!({ "items": items, "concurrency": 1, "tolerated_count": 40 }), Reload::Never);
    run.reload = Reload::Never;
    for _ in 0..40 {
        run.child(0, broken());
    }
    run.reload = Reload::Rows;
    run.step();
    run.child(0, broken());
    assert_eq!(run.result(), exceeded());
    run.redrive();
    let Some(Err((error, cause))) = run.result() else { panic!("it fails") };
    assert_eq!(error, "States.ExceedToleratedFailureThreshold");
    let kept = format!("it keeps the inputs of up to {KEPT} failed children and 32 MiB, and 8 more have failed");
    assert!(cause.contains(&kept), "{cause}");
    assert!(run.commands.is_empty());
}
