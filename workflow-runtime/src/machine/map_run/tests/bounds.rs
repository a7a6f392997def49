//! The limits of what a run holds at once.

use super::{PLAIN, READ, RELOADS, Reload, Run, SELECTED, chunk, exceeded, numbers};
use crate::fault::Fault;
use crate::machine::{Command, Occurrence, Op, Program};
use crate::objects::ChildOutcome;
use crate::time::Timestamp;
use crate::value;
use crate::value::{DOCUMENT_LIMIT, Str, Value};

const MEGABYTE: usize = 1 << 20;

fn text(bytes: usize) -> Value {
    Value::from("x".repeat(bytes))
}

pub(super) fn writer() -> Value {
    value!({ "Parameters": { "Bucket": "b" } })
}

#[test]
fn a_wrong_writer_is_found_before_a_child_starts() {
    for reload in RELOADS {
        let settings = value!({ "items": [1, 2], "writer": writer() });
        let mut run = Run::begin_unchecked(PLAIN, settings.clone(), reload);
        let (op, request) = run.written().expect("it writes");
        assert!(request.records.is_empty() && !request.is_last && run.calls().is_empty(), "{reload:?}");
        run.complete(op, Err(Fault::new("States.ResultWriterFailed", "no bucket")));
        assert_eq!(run.result(), Some(Err(("States.ResultWriterFailed".into(), "no bucket".into()))));
        let mut run = Run::begin_unchecked(PLAIN, settings, reload);
        let (op, _) = run.written().expect("it writes");
        run.complete(op, Ok("state".into()));
        assert_eq!((run.calls().len(), run.written().is_none()), (2, true), "{reload:?}");
        run.echo();
        let (_, request) = run.written().expect("it writes");
        assert_eq!((&request.state, request.is_last), (&Value::from("state"), true), "{reload:?}");
    }
}

#[test]
fn a_write_goes_on_when_the_run_fails() {
    let settings = value!({ "items": numbers(20), "concurrency": 2, "writer": writer() });
    let mut run = Run::begin(PLAIN, settings, Reload::Never);
    while run.written().is_none() {
        run.child(0, Ok(text(MEGABYTE)));
    }
    let (first, request) = run.written().expect("it writes");
    let count = request.records.len();
    run.child(0, Err(Fault::new("Broken", "it")));
    let (op, _) = run.written().expect("it writes");
    assert_eq!((op, run.calls().len(), run.result()), (first, 0, None));
    run.complete(first, Ok("one file".into()));
    let (op, request) = run.written().expect("it writes the rest");
    assert_eq!((request.state.as_str(), request.is_last), (Some("one file"), true));
    assert_eq!(request.records.len(), 20 - count);
    run.complete(op, Ok(Value::Null));
    assert_eq!(run.result(), exceeded());
}

#[test]
fn results_behind_a_slow_child_are_limited_by_their_bytes() {
    let settings = value!({ "items": numbers(100), "concurrency": 2, "writer": writer() });
    let mut run = Run::begin(PLAIN, settings, Reload::Never);
    let mut ended = 0;
    while run.calls().len() == 2 {
        run.child(1, Ok(text(MEGABYTE)));
        ended += 1;
    }
    assert_eq!((ended, run.written().is_none()), (16, true));
    run.child(0, Ok(Value::Null));
    let mut sizes = Vec::new();
    while let Some((op, request)) = run.written().filter(|(_, request)| !request.is_last) {
        sizes.push(request.records.len());
        run.complete(op, Ok("state".into()));
    }
    // A file has about 8 MiB.
    assert_eq!(sizes, [9, 8]);
    assert_eq!(run.calls().len(), 2);
}

#[test]
fn results_that_exceed_the_limit_end_the_run_at_once() {
    let half = text(DOCUMENT_LIMIT as usize / 2 + 20);
    for transformation in ["NONE", "COMPACT", "FLATTEN"] {
        let writer = value!({ "WriterConfig": { "Transformation": transformation } });
        let mut run = Run::begin(PLAIN, value!({ "items": numbers(10), "writer": writer }), Reload::Never);
        run.child(0, Ok(half.clone()));
        assert_eq!(run.result(), None);
        run.child(0, Ok(half.clone()));
        let result = run.result().map(|result| result.map_err(|(error, _)| error));
        assert_eq!(result, Some(Err("States.DataLimitExceeded".into())), "{transformation}");
        assert!(run.calls().is_empty());
    }
}

#[test]
fn a_child_whose_input_is_too_long_fails() {
    let items = value!([1, text(DOCUMENT_LIMIT as usize), 3]);
    let run = Run::begin(PLAIN, value!({ "items": items.clone() }), Reload::Never);
    assert_eq!(run.result(), exceeded());
    let settings = value!({ "items": items, "tolerated_count": 1, "writer": writer() });
    let mut run = Run::begin(PLAIN, settings, Reload::Never);
    assert_eq!(run.counts(), [0, 2, 0, 1]);
    run.reload = Reload::Whole;
    run.child(0, Ok(Value::Null));
    run.reload = Reload::Never;
    run.echo();
    let (_, request) = run.written().expect("it writes");
    let record = &request.records[1];
    assert!(record.input.as_str().is_some_and(|input| input.len() < MEGABYTE));
    let ChildOutcome::Failed { cause: Some(cause), .. } = &record.outcome else { panic!("{:?}", record.outcome) };
    assert!(cause.starts_with("The input of a child execution of the Map 'Each'"), "{cause}");
}

#[test]
fn a_batch_without_a_limit_of_bytes_has_that_of_inputs() {
    let items: Value = (0..3).map(|_| text(DOCUMENT_LIMIT as usize / 2 - 100)).collect();
    let settings = value!({ "items": items, "batcher": { "MaxItemsPerBatch": 100 } });
    let mut run = Run::begin(PLAIN, settings, Reload::Never);
    let mut counts = Vec::new();
    while let Some((op, call)) = run.calls().first().cloned() {
        counts.push(call.input.get("Items").and_then(Value::as_array).map_or(0, |items| items.len()));
        run.complete(op, Ok(Value::Null));
    }
    assert_eq!(counts, [2, 1]);
}

#[test]
fn the_inputs_of_running_children_are_limited_by_their_bytes() {
    let items: Value = (0..4).map(|_| text(DOCUMENT_LIMIT as usize / 2)).collect();
    let mut run = Run::begin(PLAIN, value!({ "items": items }), Reload::Never);
    assert_eq!(run.calls().len(), 2);
    run.reload = Reload::Whole;
    run.child(0, Ok(Value::Null));
    assert_eq!(run.calls().len(), 2);
}

#[test]
fn all_items_that_cannot_be_selected_are_listed() {
    let settings = value!({
        "items": ["x", 2, "y", 4], "scope": [], "writer": writer(), "batcher": { "MaxItemsPerBatch": 2 },
    });
    for reload in RELOADS {
        let mut run = Run::begin(SELECTED, settings.clone(), reload);
        let (op, request) = run.written().expect("it writes");
        let inputs: Vec<String> = request.records.iter().map(|record| record.input.to_string()).collect();
        let two = r#"{"twice":4,"of":"STATE_DATA"}"#;
        let four = r#"{"twice":8,"of":"STATE_DATA"}"#;
        assert_eq!(inputs, [format!(r#"{{"Items":["x",{two}]}}"#), format!(r#"{{"Items":["y",{four}]}}"#)]);
        run.complete(op, Ok(Value::Null));
        assert_eq!(run.result(), Some(Err(("NotANumber".into(), "the item is not a number".into()))));
    }
}

#[test]
fn a_run_that_terminates_can_be_restored() {
    let mut run = Run::begin(PLAIN, value!({ "items": [1, 2, 3] }), Reload::Rows);
    run.child(1, Ok("out".into()));
    let ops: Vec<Op> = run.calls().into_iter().map(|(op, _)| op).collect();
    run.run.apply(Timestamp::from_seconds(2_000), Occurrence::Terminated("over".into()));
    for op in ops {
        run.run.finish_turn();
        run.run.changes().apply(&mut run.rows);
        let rows: Vec<_> = run.rows.iter().map(|(row, bytes)| (*row, bytes.clone())).collect();
        run.run = Program::of::<super::Flow>().restore(&rows).expect("it is restored");
        run.run.apply(Timestamp::from_seconds(2_001), Occurrence::Completed(op, Ok(Value::Null)));
    }
    assert_eq!(run.result(), super::ok("\"over\""));
}

#[test]
fn the_state_of_the_writer_is_stored_when_it_changes() {
    let settings = value!({ "items": numbers(9), "concurrency": 1, "writer": writer() });
    let mut run = Run::begin_unchecked(PLAIN, settings, Reload::Rows);
    let (op, _) = run.written().expect("it writes");
    let files = Value::from("a list of files ".repeat(1_000));
    run.complete(op, Ok(files.clone()));
    for _ in 0..3 {
        let (op, call) = run.calls().remove(0);
        run.run.apply(Timestamp::from_seconds(1_001), Occurrence::Completed(op, Ok(call.input.clone())));
        run.run.finish_turn();
        run.fetch();
        let changes = run.run.changes();
        let bytes: usize = changes.rows.iter().filter_map(|(_, bytes)| bytes.as_ref().map(|bytes| bytes.len())).sum();
        assert!(bytes < 2_000, "{bytes}");
        changes.apply(&mut run.rows);
        run.commands.remove(&op);
    }
    run.reload = Reload::Never;
    run.echo();
    let (_, request) = run.written().expect("it writes");
    assert_eq!(request.state, files);
}

#[test]
fn items_that_were_not_taken_are_listed() {
    let settings = value!({ "reader": {}, "concurrency": 1, "writer": writer() });
    for reload in RELOADS {
        let mut run = Run::begin(READ, settings.clone(), reload);
        run.read(chunk(&[1, 2], "after 2", true));
        run.child(0, Err(Fault::new("Broken", "it")));
        if reload != Reload::Never {
            run.read(chunk(&[1, 2], "after 2", true));
        }
        let (_, request) = run.written().expect("it writes");
        let outcomes: Vec<Str> = request.records.iter().map(|record| record.outcome.status()).collect();
        assert_eq!(outcomes, ["FAILED", "PENDING"], "{reload:?}");
        assert!(!run.commands.values().any(|one| matches!(one, Command::Read(_))));
    }
}
