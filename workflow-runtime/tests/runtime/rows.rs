//! Executions stored row by row: restoring changes nothing, and a turn writes only what moved.

use std::collections::BTreeMap;

use crate::becoming::become_of;
use crate::chance::Random;
use crate::extremes::Extremes;
use crate::order::Order;
use workflow_runtime::machine::{Command, Execution, Op, Outcome, Program, Row, Start, Stop, Waiting};
use workflow_runtime::{Fault, Timestamp, Value, value};

/// The rows of an execution, as an engine stores them, and the bytes written.
#[derive(Default, Clone)]
struct Store {
    rows: BTreeMap<Row, Vec<u8>>,
    bytes: usize,
    writes: usize,
}

impl Store {
    fn keep(&mut self, execution: &mut dyn Execution) {
        let changes = execution.changes();
        self.writes += changes.rows.len();
        self.bytes += changes.rows.iter().filter_map(|(_, bytes)| bytes.as_ref()).map(Vec::len).sum::<usize>();
        changes.apply(&mut self.rows);
    }

    fn restored(&self, program: Program) -> Box<dyn Execution> {
        program.restore(&self.list()).expect("what was stored can be restored")
    }

    fn list(&self) -> Vec<(Row, Vec<u8>)> {
        self.rows.iter().rev().map(|(row, bytes)| (*row, bytes.clone())).collect()
    }

    /// Returns the number of stored bytes.
    fn size(&self) -> usize {
        self.rows.values().map(Vec::len).sum()
    }
}

fn started(program: Program, input: Value) -> (Box<dyn Execution>, Store) {
    started_within(program, input, None)
}

/// Starts an execution with a limit of documents.
fn started_within(program: Program, input: Value, data_limit: Option<u64>) -> (Box<dyn Execution>, Store) {
    let start = Start { seed: Some(7), time: Some(Timestamp::from_seconds(1_000)), data_limit, ..Start::new(input) };
    let mut execution = program.start(start);
    let mut store = Store::default();
    store.keep(&mut *execution);
    (execution, store)
}

/// Drives an execution. Returns all commands, and the end.
fn drive(order: u64, restores: bool) -> (Vec<String>, Outcome) {
    let program = Program::of::<Order>();
    let items = ["a", "b", "c", "d", "e", "f", "g"].map(Value::from).to_vec();
    let input = value!({ "id": "o-1", "card": "4111", "count": 3, "items": items, "blob": "b".repeat(3_000) });
    let (mut execution, mut store) = started(program, input);
    let (mut random, mut log) = (Random(order), Vec::new());
    let mut open: BTreeMap<Op, Command> = BTreeMap::new();
    let mut now = Timestamp::from_seconds(1_000);
    loop {
        while let Some(Stop::Op(op)) = execution.next_stop() {
            log.push(format!("cancelled {op:?}"));
            open.remove(&op);
        }
        while let Some((op, command)) = execution.next_command() {
            log.push(format!("{op:?} {command:?}"));
            open.insert(op, command);
        }
        if let Some(outcome) = execution.result() {
            assert!(store.rows.keys().all(|row| matches!(row, Row::Header | Row::Progress | Row::Shared(_))));
            return (log, outcome.clone());
        }
        if restores {
            let before = execution.describe();
            execution = store.restored(program);
            assert_eq!(execution.describe(), before);
            assert!(execution.changes().rows.iter().all(|(row, _)| *row == Row::Progress), "nothing has changed");
            let again: BTreeMap<Op, Command> = std::iter::from_fn(|| execution.next_command()).collect();
            assert_eq!(again, open, "all that is waited for is asked for again");
        }
        let at = random.below(open.len());
        let (op, command) = open.iter().nth(at).map(|(op, command)| (*op, command.clone())).expect("a wait");
        open.remove(&op);
        let (time, outcome) = become_of(&command, now, order);
        now = now.max(time);
        log.push(format!("completed {op:?}"));
        assert!(execution.complete(op, now, outcome));
        store.keep(&mut *execution);
    }
}

#[test]
fn a_restored_execution_continues_identically() {
    let mut cancelled = false;
    for order in 1..=60 {
        let (plain, restored) = (drive(order, false), drive(order, true));
        assert_eq!(plain, restored, "completion order {order}");
        cancelled |= plain.0.iter().any(|line| line.starts_with("cancelled"));
    }
    assert!(cancelled);
}

#[test]
fn the_first_changes_are_all_rows_at_any_time() {
    let program = Program::of::<Order>();
    let items = ["a", "b", "c"].map(Value::from).to_vec();
    let input = value!({ "id": "o-1", "card": "4111", "count": 3, "items": items });
    let mut steps = 0;
    loop {
        // The execution is stored for the first time after this number of completions.
        let mut execution = program.start(Start { seed: Some(7), ..Start::new(input.clone()) });
        let mut now = Timestamp::from_seconds(1_000);
        for _ in 0..steps {
            let Some((op, command)) = execution.next_command() else { break };
            let (time, outcome) = become_of(&command, now, 1);
            now = now.max(time);
            execution.complete(op, now, outcome);
        }
        if execution.result().is_some() {
            break;
        }
        let mut store = Store::default();
        store.keep(&mut *execution);
        assert_eq!(store.restored(program).describe(), execution.describe(), "after {steps} completions");
        let rows: Vec<Row> = execution.changes().rows.iter().map(|(row, _)| *row).collect();
        assert_eq!(rows, [Row::Progress], "after {steps} completions");
        steps += 1;
    }
    assert!(steps > 3);
}

#[test]
fn rows_rewritten_in_a_new_format_were_issued_before() {
    let program = Program::of::<Order>();
    let (_, mut store) = started(program, value!({ "id": "o-1", "card": "4111", "count": 3, "items": [] }));
    // An earlier format has the same content for a frame without branches, and no termination,
    // correlation key or limits of JSONata.
    let Some(header) = store.rows.get_mut(&Row::Header) else { panic!("a header") };
    header[0] -= 4;
    assert_eq!([header.pop(), header.pop()], [Some(0); 2]);
    let Some(progress) = store.rows.get_mut(&Row::Progress) else { panic!("the progress") };
    let end = progress.len() - 2;
    assert_eq!(progress.remove(end), 0);
    let mut former = store.restored(program);
    let mut asked = Vec::new();
    for new in [0, 1] {
        let changes = former.changes();
        let is_new = |waiting: &&Waiting| waiting.op.id > changes.issued_before;
        assert_eq!((changes.waiting.len(), changes.waiting.iter().filter(is_new).count()), (1, new), "{changes:?}");
        asked.extend(former.next_command());
        let (op, command) = asked.last().expect("a command");
        let (at, outcome) = become_of(command, Timestamp::from_seconds(2_000), 1);
        former.complete(*op, at, outcome);
    }
}

#[test]
fn every_step_of_a_loop_beside_a_wait_writes_the_same() {
    let program = Program::of::<Extremes>();
    let (mut execution, mut store) = started(program, value!({ "mode": "beside", "n": 101_000 }));
    let (month, _) = execution.next_command().expect("the wait");
    let mut written = Vec::new();
    for n in 0..101_000 {
        let (op, _) = execution.next_command().expect("the work");
        let before = (store.bytes, store.writes);
        execution.complete(op, Timestamp::from_seconds(2_000), Ok(Value::Null));
        store.keep(&mut *execution);
        written.push((store.bytes - before.0, store.writes - before.1));
        if n % 50_000 == 0 {
            execution = store.restored(program);
            assert_eq!(execution.next_command().map(|(op, _)| op), Some(month));
        }
    }
    let (early, late) = (written[100], written[100_000]);
    assert_eq!(early.1, late.1);
    // The numbers of operations have grown by two bytes.
    assert!(late.0 <= early.0 + 10, "{early:?} {late:?}");
    assert!(store.size() < 600, "{}", store.size());
}

#[test]
fn items_of_a_map_over_a_large_document_do_not_write_it_again() {
    let program = Program::of::<Extremes>();
    let line = |n: usize| value!({ "n": n, "text": "0123456789".repeat(4) });
    let document: Vec<Value> = (0..1_500).map(line).collect();
    let document = Value::from(document);
    let items: Vec<Value> = (0..10_000).map(|n| value!([n, (document.clone())])).collect();
    let input = value!({ "mode": "wide", "n": 64, "items": items.clone() });
    // The text of the output has nearly a gigabyte.
    let (mut execution, mut store) = started_within(program, input, Some(1 << 30));
    let mut open: Vec<(Op, Value)> = Vec::new();
    let mut random = Random(5);
    loop {
        while let Some((op, command)) = execution.next_command() {
            let Command::Invoke(invocation) = command else { panic!("{command:?}") };
            open.push((op, invocation.input.clone()));
        }
        if open.is_empty() {
            break;
        }
        let (op, input) = open.swap_remove(random.below(open.len()));
        execution.complete(op, Timestamp::default(), Ok(input));
        store.keep(&mut *execution);
        if store.writes % 10_007 == 0 {
            execution = store.restored(program);
            open.clear();
        }
    }
    assert!(execution.result() == Some(&Ok(items.into())));
    let once = document.to_string().len();
    assert!(once > 90_000);
    assert!(store.bytes < 60 * once, "{} bytes for a document of {once}", store.bytes);
}

/// The count of tolerated failures survives a restart.
#[test]
fn failed_children_are_counted_after_a_restart() {
    let input = value!({ "mode": "wide", "n": 1, "items": [0, 1, 2, 3, 4, 5], "count": 2 });
    let program = Program::of::<Extremes>();
    let (mut execution, mut store) = started(program, input);
    let mut made = 0;
    while let Some((op, _)) = execution.next_command() {
        execution.complete(op, Timestamp::default(), Err(Fault::new("Odd", "number")));
        store.keep(&mut *execution);
        made += 1;
        if execution.result().is_none() {
            execution = store.restored(program);
        }
    }
    assert_eq!(made, 3);
    let fault = execution.result().and_then(|outcome| outcome.as_ref().err()).expect("a fault");
    assert_eq!(fault.error(), Some("States.ExceedToleratedFailureThreshold"));
}

#[test]
fn a_damaged_store_is_an_error_and_no_panic() {
    let program = Program::of::<Extremes>();
    let input = value!({ "mode": "wide", "n": 3, "items": ["a".repeat(2_000), "b", "c", "d", "e"], "count": 2 });
    let (mut wide, mut store) = started(program, input);
    for outcome in [Ok("c".repeat(1_500).into()), Err(Fault::new("Second", "failed"))] {
        let (op, _) = wide.next_command().expect("a command");
        wide.complete(op, Timestamp::default(), outcome);
        store.keep(&mut *wide);
    }
    let whole = store.list();
    assert!(whole.iter().any(|(row, _)| matches!(row, Row::Shared(_))));
    for at in 0..whole.len() {
        let mut rows = whole.clone();
        let (row, _) = rows.remove(at);
        // Without the row of the newest child, the child counts as not started.
        let newest = row == Row::Frame(wide.describe().iter().map(|waiting| waiting.op).max().expect("children").frame);
        assert!(newest || program.restore(&rows).is_err(), "without {row:?}");
        rows.extend([whole[at].clone(), whole[at].clone()]);
        assert!(program.restore(&rows).is_err(), "{row:?} twice");
    }
    let mut random = Random(3);
    for _ in 0..20_000 {
        let mut rows = whole.clone();
        let at = random.below(rows.len());
        let bytes = &mut rows[at].1;
        match random.below(8) {
            0 => bytes.truncate(random.below(bytes.len())),
            _ => {
                let at = random.below(bytes.len());
                bytes[at] = random.below(256) as u8;
            }
        }
        let Ok(mut execution) = program.restore(&rows) else { continue };
        // Any set of rows that can be restored is an execution.
        execution.describe();
        for _ in 0..50 {
            let Some((op, command)) = execution.next_command() else { break };
            let (time, outcome) = become_of(&command, Timestamp::from_seconds(5_000), 0);
            execution.complete(op, time, outcome);
            execution.changes();
        }
    }
}
