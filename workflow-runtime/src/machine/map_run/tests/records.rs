//! The records that are written, how many are held, and where they are written.

use std::time::Duration;

use super::{Flow, PLAIN, READ, RELOADS, Reload, Run, SELECTED, chunk};
use crate::fault::Fault;
use crate::machine::{Command, Execution, Occurrence, Op, Part, Program, Start};
use crate::time::Timestamp;
use crate::value;
use crate::value::{DOCUMENT_LIMIT, Str, Value};

#[test]
fn short_results_are_written_before_there_are_many() {
    for (transformation, has_names) in [("NONE", true), ("COMPACT", false), ("FLATTEN", false)] {
        let items: Value = (0..30_000).map(|_| Value::Null).collect();
        let writer = value!({ "Parameters": {}, "WriterConfig": { "Transformation": transformation } });
        let mut run = Run::begin(PLAIN, value!({ "items": items, "concurrency": 1, "writer": writer }), Reload::Never);
        while run.written().is_none() {
            run.child(0, Ok(1.into()));
        }
        let (_, request) = run.written().expect("it writes");
        // A file has about 8 MiB of records.
        assert!((15_000..21_000).contains(&request.records.len()), "{}", request.records.len());
        let record = &request.records[1];
        let names = [&record.name, &record.execution_arn, &record.state_machine_arn];
        assert!(names.iter().all(|name| name.is_empty() != has_names), "{record:?}");
        assert_eq!(record.start_date.is_some(), has_names);
    }
}

#[test]
fn items_of_a_batch_that_waits_for_an_item_that_cannot_be_read_are_listed() {
    let settings = value!({
        "reader": {}, "concurrency": 1, "batcher": { "MaxItemsPerBatch": 3 }, "writer": { "Parameters": {} },
    });
    for reload in RELOADS {
        let mut run = Run::begin(READ, settings.clone(), reload);
        while run.written().is_none() {
            let read = run.commands.iter().find_map(|(op, command)| match command {
                Command::Read(request) => Some((*op, request.position.clone())),
                _ => None,
            });
            match read {
                Some((_, Value::Null)) => run.read(chunk(&[1, 2, 3, 4, 5], "after 5", false)),
                Some((op, _)) => run.complete(op, Err(Fault::new("States.ItemReaderFailed", "row 6"))),
                None => {
                    run.child(0, Ok(Value::Null));
                    // A run that is loaded reads the batch again.
                    run.reload = Reload::Never;
                }
            }
        }
        let (op, request) = run.written().expect("it writes");
        let record = |at: usize| (request.records[at].outcome.status(), request.records[at].input.to_string());
        assert_eq!((request.records.len(), request.is_last), (2, true), "{reload:?}");
        assert_eq!(record(0).1, r#"{"Items":[1,2,3]}"#, "{reload:?}");
        assert_eq!(record(1), (Str::from("PENDING"), r#"{"Items":[4,5]}"#.to_owned()), "{reload:?}");
        run.complete(op, Ok(Value::Null));
        assert_eq!(run.result(), Some(Err(("States.ItemReaderFailed".into(), "row 6".into()))));
    }
}

fn begin(map: u32, settings: Value, seed: u64) -> Box<dyn Execution> {
    let mut start = Start::new(settings);
    (start.part, start.seed, start.name) = (Some(Part::Map(map)), Some(seed), Some("daily.1-0".into()));
    Program::of::<Flow>().begin(start)
}

/// Fetches the commands of a turn.
fn commands(run: &mut dyn Execution) -> Vec<(Op, Command)> {
    std::iter::from_fn(|| run.next_command()).collect()
}

#[test]
fn runs_with_one_id_write_into_different_folders() {
    let folder = |seed: u64| {
        let mut run = begin(PLAIN, value!({ "items": [1], "writer": { "Parameters": {} } }), seed);
        run.finish_turn();
        let mut loaded = Program::of::<Flow>().load(&run.save()).expect("it loads");
        loaded.finish_turn();
        let folders = [&mut run, &mut loaded].map(|run| match commands(&mut **run).pop() {
            Some((_, Command::Write(request))) => {
                assert!(request.map_run_arn.ends_with(&format!(":{}", request.run)));
                request.run.clone()
            }
            other => panic!("it writes: {other:?}"),
        });
        assert_eq!((folders[0].len(), &folders[0]), (36, &folders[1]));
        folders[0].clone()
    };
    assert_eq!(folder(1), folder(1));
    assert_ne!(folder(1), folder(2));
}

#[test]
fn a_turn_measures_one_input_that_is_too_long() {
    let long = Value::from("x".repeat(DOCUMENT_LIMIT as usize));
    let items: Value = (0..4).map(|_| long.clone()).collect();
    let mut run = begin(PLAIN, value!({ "items": items, "tolerated_percentage": 100 }), 1);
    for failed in 1..=4 {
        run.compute(Duration::MAX, Duration::MAX);
        let counts = run.map_counts().expect("it is a Map run");
        assert_eq!((counts.failed, counts.pending), (failed, 4 - failed));
        assert!(commands(&mut *run).is_empty() && run.info().is_computing());
    }
    run.finish_turn();
    assert!(run.result().is_some_and(|result| result.is_ok()));
}

#[test]
fn a_turn_lists_a_limited_number_of_items_that_never_start() {
    let long = Value::from("x".repeat(DOCUMENT_LIMIT as usize));
    let short = std::iter::once(Value::from("not a number")).chain((0..2_500).map(Value::from));
    let items: Value = short.chain([long, Value::Null]).collect();
    let mut run = begin(SELECTED, value!({ "items": items, "scope": [], "writer": { "Parameters": {} } }), 1);
    run.finish_turn();
    let (op, _) = commands(&mut *run).pop().expect("it tries the writer");
    run.apply(Timestamp::default(), Occurrence::Completed(op, Ok(Value::Null)));
    let mut pending = Vec::new();
    let records = loop {
        run.compute(Duration::MAX, Duration::MAX);
        pending.push(run.map_counts().map_or(0, |counts| counts.pending));
        if let Some((_, Command::Write(request))) = commands(&mut *run).pop() {
            break request.records.len();
        }
        assert!(run.info().is_computing());
    };
    // The first turn finds the item that cannot be selected. Those that are listed stay pending.
    assert_eq!((pending, records), (vec![2_503; 5], 2_503));
}
