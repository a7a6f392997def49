//! Runs that are driven by hand: children are completed by the test, and nothing is generated.

mod bounds;
mod hostile;
mod marks;
mod records;
mod redrives;
mod updates;
mod versions;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{MapCounts, MapRun};
use crate::fault::Fault;
use crate::machine::{
    Call, Command, Definition, DistributedMap, Execution, FrameAction, Machine, Occurrence, Op, Outcome, Part, Program,
    ReaderKind, Row, Start, StateInfo, Stop, SuspensionPoint, Target, Turn, TurnResult, Workflow,
};
use crate::objects::{ChildOutcome, ItemChunk, WriteResults};
use crate::time::Timestamp;
use crate::value;
use crate::value::codec::{LoadError, Reader, Writer};
use crate::value::{Str, Value};

/// A workflow with distributed Maps. Its entry 1 is a selector, which doubles the value.
struct Flow;

#[derive(Debug, Clone, PartialEq)]
struct Selector(Value);

impl Machine for Selector {
    const POINTS: &'static [SuspensionPoint] = &[];

    fn start(input: Value) -> Selector {
        Selector(input)
    }

    fn entry(number: u32, input: &Value) -> Option<Selector> {
        (number == 1).then(|| Selector(input.clone()))
    }

    fn enter(self, _: &mut Turn<Selector>) -> TurnResult<Selector> {
        match self.0.get("value").and_then(Value::as_i64) {
            Some(number) => Ok(FrameAction::Done(value!({ "twice": number * 2, "of": self.0.get("source") }))),
            None => Err(Fault::new("NotANumber", "the item is not a number")),
        }
    }

    fn resume(self, _: Outcome, _: &mut Turn<Selector>) -> TurnResult<Selector> {
        Err(Fault::runtime("nothing waits"))
    }

    fn point(&self) -> &'static SuspensionPoint {
        const { &SuspensionPoint::new("", "", 0) }
    }

    fn save(&self, _: &mut Writer) {}

    fn load(point: &str, _: &mut Reader<'_>) -> Result<Selector, LoadError> {
        Err(LoadError::unknown_point(point))
    }
}

impl Workflow for Flow {
    type State = Selector;
    const DEFINITION: &'static Definition = &Definition {
        name: "flow",
        dialect: "asl",
        source: "flow.asl.json",
        states: &[StateInfo::new("Each", "Map", 1, &[])],
        maps: &[
            DistributedMap::new("Each", "each", 0),
            DistributedMap::new("Each", "selected", 0).selector(1),
            DistributedMap::new("Each", "read", 0).reader(ReaderKind::GetObject),
        ],
        ..Definition::VERSION_0_1_0
    };
}

const PLAIN: u32 = 0;
const SELECTED: u32 = 1;
const READ: u32 = 2;

/// A run with the commands that were fetched and not completed.
struct Run {
    run: Box<dyn Execution>,
    commands: BTreeMap<Op, Command>,
    /// Saves and loads the run before each step.
    reload: Reload,
    rows: BTreeMap<Row, Vec<u8>>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Reload {
    Never,
    Whole,
    Rows,
}

const RELOADS: [Reload; 3] = [Reload::Never, Reload::Whole, Reload::Rows];

impl Run {
    /// Begins a run whose writer is found to be right.
    fn begin(map: u32, settings: Value, reload: Reload) -> Run {
        let mut run = Run::begin_unchecked(map, settings, reload);
        if let Some((op, request)) = run.written()
            && !request.is_last
        {
            run.complete(op, Ok(Value::Null));
        }
        run
    }

    fn begin_unchecked(map: u32, settings: Value, reload: Reload) -> Run {
        let mut start = Start::new(settings);
        start.part = Some(Part::Map(map));
        start.name = Some("parent.1-0".into());
        start.time = Some(Timestamp::from_seconds(1_000));
        let run = Program::of::<Flow>().start(start);
        let mut run = Run { run, commands: BTreeMap::new(), reload, rows: BTreeMap::new() };
        run.step();
        run
    }

    /// Stores and loads the run, as an engine that crashes would, then fetches commands.
    fn step(&mut self) {
        self.run.finish_turn();
        self.fetch();
        let program = Program::of::<Flow>();
        match self.reload {
            Reload::Never => return,
            _ if self.run.result().is_some() => return,
            Reload::Whole => self.run = program.load(&self.run.save()).expect("it loads"),
            Reload::Rows => {
                self.run.changes().apply(&mut self.rows);
                let rows: Vec<_> = self.rows.iter().map(|(row, bytes)| (*row, bytes.clone())).collect();
                self.run = program.restore(&rows).expect("it is restored");
            }
        }
        let before: Vec<Op> = self.commands.iter().filter(|(_, one)| is_call(one)).map(|(op, _)| *op).collect();
        self.commands.clear();
        self.run.finish_turn();
        self.fetch();
        let after: Vec<Op> = self.commands.iter().filter(|(_, one)| is_call(one)).map(|(op, _)| *op).collect();
        assert_eq!(after, before, "the same children are in flight");
    }

    fn fetch(&mut self) {
        loop {
            while let Some(stop) = self.run.next_stop() {
                if let Stop::Op(op) = stop {
                    self.commands.remove(&op);
                }
            }
            match self.run.next_command() {
                Some((op, command)) => drop(self.commands.insert(op, command)),
                None if self.run.info().is_computing() => {}
                None => return,
            }
            self.run.finish_turn();
        }
    }

    /// Returns the calls in flight, by the numbers of the children.
    fn calls(&self) -> Vec<(Op, Arc<Call>)> {
        let calls = self.commands.iter().filter_map(|(op, command)| match command {
            Command::Call(call) => Some((*op, call.clone())),
            _ => None,
        });
        let mut calls: Vec<_> = calls.collect();
        calls.sort_by_key(|(_, call)| call.call.visit);
        calls
    }

    fn complete(&mut self, op: Op, outcome: Outcome) {
        self.commands.remove(&op);
        let at = Timestamp::from_seconds(1_001);
        self.run.apply(at, Occurrence::Completed(op, outcome));
        self.step();
    }

    /// Completes the child in flight at this place.
    fn child(&mut self, at: usize, outcome: Outcome) {
        let (op, call) = self.calls().swap_remove(at);
        assert_eq!(call.target, Target::Entry(0));
        self.complete(op, outcome);
    }

    /// Completes all children with their inputs, the last ones first.
    fn echo(&mut self) {
        while let Some((op, call)) = self.calls().pop() {
            self.complete(op, Ok(call.input.clone()));
        }
    }

    fn inputs(&self) -> Vec<String> {
        self.calls().iter().map(|(_, call)| call.input.to_string()).collect()
    }

    fn counts(&self) -> [u64; 4] {
        let MapCounts { pending, running, succeeded, failed } = self.run.map_counts().expect("it is a Map run");
        [pending, running, succeeded, failed]
    }

    fn read(&mut self, chunk: ItemChunk) {
        let op = self.commands.iter().find(|(_, one)| matches!(one, Command::Read(_))).map(|(op, _)| *op);
        self.complete(op.expect("it reads"), Ok(chunk.into_value()));
    }

    fn position(&self) -> Option<Value> {
        self.commands.values().find_map(|command| match command {
            Command::Read(request) => Some(request.position.clone()),
            _ => None,
        })
    }

    fn written(&self) -> Option<(Op, Arc<WriteResults>)> {
        self.commands.iter().find_map(|(op, command)| match command {
            Command::Write(request) => Some((*op, request.clone())),
            _ => None,
        })
    }

    fn result(&self) -> Option<Result<String, (String, String)>> {
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        Some(match self.run.result()? {
            Ok(output) => Ok(output.to_string()),
            Err(fault) => Err((fault.error().unwrap_or_default().to_owned(), text(fault.cause()))),
        })
    }
}

fn is_call(command: &Command) -> bool {
    matches!(command, Command::Call(_))
}

fn ok(json: &str) -> Option<Result<String, (String, String)>> {
    Some(Ok(json.to_owned()))
}

fn numbers(count: i64) -> Value {
    (0..count).collect()
}

fn exceeded() -> Option<Result<String, (String, String)>> {
    let cause = "The specified tolerated failure threshold was exceeded";
    Some(Err(("States.ExceedToleratedFailureThreshold".into(), cause.into())))
}

#[test]
fn results_are_in_the_order_of_the_items() {
    for reload in RELOADS {
        let mut run = Run::begin(PLAIN, value!({ "items": [5, "a", [1], null] }), reload);
        assert_eq!(run.inputs(), ["5", "\"a\"", "[1]", "null"]);
        assert_eq!(run.counts(), [0, 4, 0, 0]);
        run.child(2, Ok("third".into()));
        run.child(0, Ok("first".into()));
        assert_eq!((run.counts(), run.result()), ([0, 2, 2, 0], None));
        run.echo();
        assert_eq!(run.result(), ok(r#"["first","a","third",null]"#), "{reload:?}");
    }
}

#[test]
fn without_items_the_result_is_empty() {
    for items in [value!([]), value!({}), value!(null)] {
        assert_eq!(Run::begin(PLAIN, value!({ "items": items }), Reload::Never).result(), ok("[]"));
    }
}

#[test]
fn members_of_an_object_are_pairs() {
    let mut run = Run::begin(PLAIN, value!({ "items": { "a": 1, "b": 2 } }), Reload::Whole);
    run.echo();
    assert_eq!(run.result(), ok(r#"[{"Key":"a","Value":1},{"Key":"b","Value":2}]"#));
}

#[test]
fn no_more_children_run_than_the_concurrency_allows() {
    for reload in RELOADS {
        let mut run = Run::begin(PLAIN, value!({ "items": numbers(200), "concurrency": 3 }), reload);
        let mut ended = 0;
        while run.result().is_none() {
            let running = run.calls().len();
            assert_eq!(running as u64, (200 - ended).min(3), "{reload:?}");
            assert_eq!(run.counts(), [200 - ended - running as u64, running as u64, ended, 0]);
            run.child(running / 2, Ok(Value::Null));
            ended += 1;
        }
        assert_eq!(ended, 200);
    }
}

#[test]
fn without_a_limit_all_children_run_at_once_up_to_the_limit_of_aws() {
    let run = Run::begin(PLAIN, value!({ "items": numbers(10_500), "concurrency": 0 }), Reload::Never);
    assert_eq!(run.counts(), [500, 10_000, 0, 0]);
}

#[test]
fn children_have_ids_of_their_own_that_survive_a_reload() {
    for reload in RELOADS {
        let run = Run::begin(PLAIN, value!({ "items": [1, 2] }), reload);
        let ids: Vec<String> = run.calls().iter().map(|(_, call)| call.execution_id("parent.1-0")).collect();
        assert_eq!(ids, ["parent.1-0.1-0", "parent.1-0.2-0"]);
    }
}

#[test]
fn a_selector_makes_the_inputs() {
    let mut run = Run::begin(SELECTED, value!({ "items": [1, 2], "scope": [] }), Reload::Rows);
    assert_eq!(run.inputs()[1], r#"{"twice":4,"of":"STATE_DATA"}"#);
    run.echo();
    assert!(run.result().is_some_and(|result| result.is_ok()));
    let run = Run::begin(SELECTED, value!({ "items": [1, "x"], "scope": [] }), Reload::Never);
    assert_eq!(run.result(), Some(Err(("NotANumber".into(), "the item is not a number".into()))));
}

#[test]
fn batches_are_closed_before_a_limit_is_exceeded() {
    let of = |batcher: Value, items: Value| {
        let mut run = Run::begin(PLAIN, value!({ "items": items, "batcher": batcher }), Reload::Whole);
        let inputs = run.inputs();
        let counts = run.counts();
        run.echo();
        assert!(run.result().is_some_and(|result| result.is_ok()));
        assert_eq!(run.counts()[2], counts[1]);
        inputs
    };
    assert_eq!(
        of(value!({ "MaxItemsPerBatch": 2, "BatchInput": { "x": 1 } }), numbers(3)),
        [r#"{"BatchInput":{"x":1},"Items":[0,1]}"#, r#"{"BatchInput":{"x":1},"Items":[2]}"#]
    );
    // `{"Items":[0,1]}` has 15 bytes.
    for (bytes, expected) in [(15, &[2, 2, 1][..]), (16, &[2, 2, 1]), (17, &[3, 2]), (1, &[1, 1, 1, 1, 1])] {
        let inputs = of(value!({ "MaxInputBytesPerBatch": bytes }), numbers(5));
        let sizes: Vec<usize> = inputs.iter().map(|input| input.matches(',').count() + 1).collect();
        assert_eq!(sizes, expected, "{bytes}: {inputs:?}");
    }
}

#[test]
fn a_failure_that_is_not_tolerated_stops_the_other_children() {
    for reload in RELOADS {
        let mut run = Run::begin(PLAIN, value!({ "items": [1, 2, 3] }), reload);
        run.child(1, Err(Fault::new("Broken", "it")));
        assert_eq!((run.result(), run.calls().len()), (exceeded(), 0));
    }
}

#[test]
fn tolerated_failures_have_their_place_among_the_results() {
    for reload in RELOADS {
        let mut run = Run::begin(PLAIN, value!({ "items": [1, 2, 3], "tolerated_count": 1 }), reload);
        run.child(1, Err(Fault::new("Broken", "it")));
        assert_eq!(run.counts(), [0, 2, 0, 1]);
        run.echo();
        assert_eq!(run.result(), ok(r#"[1,{"Status":"FAILED","Error":"Broken","Cause":"it"},3]"#));
    }
    let mut run = Run::begin(PLAIN, value!({ "items": [1, 2, 3, 4], "tolerated_percentage": 25 }), Reload::Whole);
    run.child(1, Err(Fault::new("Broken", "it")));
    assert_eq!(run.result(), None);
    run.child(1, Err(Fault::new("Broken", "it")));
    assert_eq!(run.result(), exceeded());
}

#[test]
fn all_items_of_a_failed_batch_count() {
    let settings = value!({ "items": numbers(4), "batcher": { "MaxItemsPerBatch": 2 }, "tolerated_count": 1 });
    let mut run = Run::begin(PLAIN, settings, Reload::Rows);
    run.child(0, Err(Fault::new("Broken", "it")));
    assert_eq!(run.result(), exceeded());
}

#[test]
fn flattened_results_join_arrays() {
    let settings = value!({ "items": [[1, 2], 3, []], "writer": { "WriterConfig": { "Transformation": "FLATTEN" } } });
    let mut run = Run::begin(PLAIN, settings, Reload::Whole);
    run.echo();
    assert_eq!(run.result(), ok("[1,2,3]"));
}

#[test]
fn records_name_the_child_as_aws_does() {
    let settings = value!({ "items": [7], "writer": { "WriterConfig": { "Transformation": "NONE" } } });
    let mut run = Run::begin(PLAIN, settings, Reload::Rows);
    run.echo();
    let Some(Ok(output)) = run.run.result() else { panic!("it succeeds") };
    let record = output.get(0).expect("a record");
    let text = |name: &str| record.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    assert_eq!((text("Input"), text("Output"), text("Status")), ("7".into(), "7".into(), "SUCCEEDED".into()));
    assert_eq!(text("StateMachineArn"), "arn:aws:states:local:000000000000:stateMachine:flow/each");
    let arn = format!("arn:aws:states:local:000000000000:execution:flow/each:{}", text("Name"));
    assert_eq!((text("ExecutionArn"), text("Name").len()), (arn, 36));
}

fn chunk(values: &[i64], position: &str, is_last: bool) -> ItemChunk {
    let mut chunk = ItemChunk { position: position.into(), is_last, ..ItemChunk::default() };
    values.iter().for_each(|value| chunk.push((*value).into(), None, &Str::from("s3://b/k")));
    chunk
}

#[test]
fn a_run_continues_at_its_cursor() {
    for reload in RELOADS {
        let settings = value!({ "reader": { "Bucket": "b", "Key": "k" }, "concurrency": 2 });
        let mut run = Run::begin(READ, settings, reload);
        assert_eq!(run.position(), Some(Value::Null));
        run.read(chunk(&[10, 11, 12], "after 12", false));
        if reload != Reload::Never {
            // The run has read the chunk ahead, and has lost it.
            assert_eq!((run.position(), run.inputs().len()), (None, 2), "{reload:?}");
        }
        run.child(0, Ok(Value::Null));
        if reload != Reload::Never {
            assert_eq!(run.position(), Some(Value::Null));
            run.read(chunk(&[10, 11, 12], "after 12", false));
        }
        assert_eq!(run.inputs(), ["11", "12"]);
        run.child(0, Ok(Value::Null));
        assert_eq!(run.position(), Some("after 12".into()));
        run.read(chunk(&[13], "after 13", true));
        assert_eq!(run.inputs(), ["12", "13"]);
        run.echo();
        assert_eq!((run.result(), run.counts()), (ok("[null,null,12,13]"), [0, 0, 4, 0]));
    }
}

#[test]
fn a_batch_spans_chunks_and_is_read_again_after_a_reload() {
    let settings = value!({ "reader": {}, "batcher": { "MaxItemsPerBatch": 3 } });
    let mut run = Run::begin(READ, settings, Reload::Rows);
    run.read(chunk(&[1, 2], "after 2", false));
    // The batch is not full, and the run was loaded: it begins again.
    assert_eq!((run.position(), run.inputs().len()), (Some(Value::Null), 0));
    run.reload = Reload::Never;
    run.read(chunk(&[1, 2], "after 2", false));
    assert_eq!((run.position(), run.run.begins_first_input()), (Some("after 2".into()), true));
    run.read(chunk(&[3, 4], "after 4", true));
    assert_eq!(run.inputs(), [r#"{"Items":[1,2,3]}"#, r#"{"Items":[4]}"#]);
    assert!(!run.run.begins_first_input());
}

#[test]
fn a_reader_that_fails_ends_the_run() {
    let mut run = Run::begin(READ, value!({ "reader": {} }), Reload::Never);
    run.read(chunk(&[1], "after 1", false));
    let read = run.commands.iter().find(|(_, one)| matches!(one, Command::Read(_))).map(|(op, _)| *op);
    run.complete(read.expect("it reads"), Err(Fault::new("States.ItemReaderFailed", "bad data")));
    assert_eq!(run.result(), Some(Err(("States.ItemReaderFailed".into(), "bad data".into()))));
    assert_eq!(run.calls().len(), 0);
}

#[test]
fn results_are_written_also_by_a_run_that_fails() {
    for reload in RELOADS {
        let settings = value!({
            "items": numbers(4), "concurrency": 2, "tolerated_count": 0,
            "writer": { "Parameters": { "Bucket": "b", "Prefix": "p" } },
        });
        let mut run = Run::begin(PLAIN, settings, reload);
        run.child(0, Ok("well".into()));
        run.child(1, Err(Fault::new("Broken", "it")));
        let (op, request) = run.written().expect("it writes");
        assert!(request.is_last);
        let outcomes: Vec<Str> = request.records.iter().map(|record| record.outcome.status()).collect();
        assert_eq!(outcomes, ["SUCCEEDED", "ABORTED", "FAILED", "PENDING"], "{reload:?}");
        assert_eq!(request.records[3].input, Value::from(3));
        assert!(
            matches!(&request.records[2].outcome, ChildOutcome::Failed { error: Some(error), .. } if error == "Broken")
        );
        assert_eq!(run.result(), None);
        run.complete(op, Ok(Value::Null));
        assert_eq!(run.result(), exceeded());
    }
}

#[test]
fn a_selector_that_fails_ends_a_run_that_writes() {
    for reload in RELOADS {
        let settings = value!({ "items": [1, "x", 3], "scope": [], "writer": { "Parameters": { "Bucket": "b" } } });
        let mut run = Run::begin(SELECTED, settings, reload);
        let (op, request) = run.written().expect("it writes");
        let outcomes: Vec<Str> = request.records.iter().map(|record| record.outcome.status()).collect();
        assert_eq!(outcomes, ["ABORTED", "PENDING", "PENDING"], "{reload:?}");
        // The item that cannot be selected is listed as it is.
        let inputs: Vec<String> = request.records.iter().map(|record| record.input.to_string()).collect();
        assert_eq!(inputs[1..], ["\"x\"", r#"{"twice":6,"of":"STATE_DATA"}"#], "{reload:?}");
        run.complete(op, Ok(Value::Null));
        assert_eq!(run.result(), Some(Err(("NotANumber".into(), "the item is not a number".into()))));
    }
}

#[test]
fn a_run_that_terminates_starts_nothing() {
    let mut run = Run::begin(PLAIN, value!({ "items": numbers(500), "concurrency": 400 }), Reload::Never);
    let ops: Vec<Op> = run.calls().into_iter().map(|(op, _)| op).collect();
    run.run.apply(Timestamp::from_seconds(2_000), Occurrence::Terminated("over".into()));
    run.fetch();
    for op in ops {
        run.run.complete(op, Timestamp::from_seconds(2_001), Ok(Value::Null));
        run.fetch();
    }
    assert_eq!((run.result(), run.commands.len()), (ok("\"over\""), 400));
}

#[test]
fn the_result_of_a_run_that_writes_is_that_of_the_writer() {
    for reload in RELOADS {
        let settings = value!({ "items": ["a"], "writer": { "Parameters": { "Bucket": "b" } } });
        let mut run = Run::begin(PLAIN, settings.clone(), reload);
        run.echo();
        let (op, request) = run.written().expect("it writes");
        let arn = format!("arn:aws:states:local:000000000000:mapRun:flow/each:{}", request.run);
        assert_eq!((request.map_run_arn.as_str(), request.records.len()), (arn.as_str(), 1));
        run.complete(op, Ok("where it is".into()));
        assert_eq!(run.result(), ok("\"where it is\""));
        let mut run = Run::begin(PLAIN, settings, reload);
        run.echo();
        let (op, _) = run.written().expect("it writes");
        run.complete(op, Err(Fault::new("States.ResultWriterFailed", "no bucket")));
        assert_eq!(run.result(), Some(Err(("States.ResultWriterFailed".into(), "no bucket".into()))));
    }
}

#[test]
fn full_files_are_written_before_the_run_ends() {
    for reload in RELOADS {
        let settings = value!({ "items": numbers(20), "concurrency": 1, "writer": { "Parameters": {} } });
        let mut run = Run::begin(PLAIN, settings, reload);
        let megabyte = Value::from("x".repeat(1 << 20));
        let mut written = 0;
        while run.result().is_none() {
            if let Some((op, request)) = run.written() {
                assert_eq!(request.state, if written == 0 { Value::Null } else { Value::from(written) });
                written += request.records.len() as i64;
                let outcome = if request.is_last { Value::from("done") } else { Value::from(written) };
                run.complete(op, Ok(outcome));
            } else {
                run.child(0, Ok(megabyte.clone()));
            }
        }
        assert_eq!((written, run.result()), (20, ok("\"done\"")), "{reload:?}");
    }
}

#[test]
fn an_ended_run_and_one_that_terminates_can_be_loaded() {
    let mut run = Run::begin(PLAIN, value!({ "items": [1] }), Reload::Never);
    run.run.apply(Timestamp::from_seconds(2_000), Occurrence::Terminated("over".into()));
    let mut loaded = Program::of::<Flow>().load(&run.run.save()).expect("it loads");
    for run in [&mut run.run, &mut loaded] {
        assert!(run.info().is_terminating() && run.result().is_none());
        let op = run.describe().iter().map(|waiting| waiting.op).max().expect("it waits for the child");
        run.complete(op, Timestamp::from_seconds(2_001), Ok(Value::Null));
        assert_eq!(run.result(), Some(&Ok("over".into())));
    }
    let loaded = Program::of::<Flow>().load(&run.run.save()).expect("it loads");
    assert_eq!(loaded.result(), Some(&Ok("over".into())));
}

#[test]
fn a_damaged_snapshot_is_refused() {
    let mut run = Run::begin(PLAIN, value!({ "items": [1, 2, 3], "tolerated_count": 1 }), Reload::Never);
    run.child(0, Ok("out".into()));
    let snapshot = run.run.save();
    let program = Program::of::<Flow>();
    assert!(program.load(&snapshot).is_ok());
    for end in 0..snapshot.len() {
        assert!(program.load(&snapshot[..end]).is_err(), "{end}");
    }
    for at in 0..snapshot.len() {
        for bit in 0..8 {
            let mut damaged = snapshot.clone();
            damaged[at] ^= 1 << bit;
            if let Ok(mut loaded) = program.load(&damaged) {
                loaded.finish_turn();
                drop((loaded.describe(), loaded.save()));
            }
        }
    }
}

#[test]
fn a_map_that_does_not_exist_is_a_fault() {
    let mut start = Start::new(Value::Null);
    start.part = Some(Part::Map(9));
    let run = Program::of::<Flow>().start(start);
    assert!(matches!(run.result(), Some(Err(_))));
}

#[test]
fn a_run_has_one_size() {
    // Each run in memory has one. Children are far more numerous.
    assert!(size_of::<MapRun>() < 1_600, "{}", size_of::<MapRun>());
}
