//! Delays between the starts of iterations.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use crate::chance::Random;
use crate::relay::Relay;
use workflow_runtime::clock::Clock as _;
use workflow_runtime::machine::{Command, Execution, Op, Program, Row, Start, Task, WaitsFor};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::testing::{VirtualClock, block_on};
use workflow_runtime::{Builder, TaskContext, Timestamp, Value, value};

/// Tasks that take as many seconds as their input says, and record their starts.
struct Tasks {
    clock: VirtualClock,
    start: Timestamp,
    begun: Mutex<Vec<(u64, i64)>>,
}

impl Tasks {
    fn new() -> Tasks {
        let clock = VirtualClock::new();
        let start = clock.now();
        Tasks { clock, start, begun: Mutex::default() }
    }
}

impl Invoke for Tasks {
    fn invoke<'a>(&'a self, _: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        Box::pin(async move {
            let number = input.get("n").and_then(Value::as_i64).unwrap_or_default();
            self.begun.lock().expect("the notes").push((cx.now().since(self.start).as_secs(), number));
            let seconds = input.get("for").and_then(Value::as_f64).unwrap_or_default();
            cx.sleep(Duration::from_secs_f64(seconds)).await;
            Ok(Value::Null)
        })
    }
}

/// Returns the start times of iterations of these lengths.
#[track_caller]
fn starts(max: i64, delay: f64, lengths: &[f64], reload: bool) -> Vec<u64> {
    let tasks = Tasks::new();
    let item = |(n, length): (usize, &f64)| value!([{ "n": (n as i64), "for": *length }]);
    let items: Vec<Value> = lengths.iter().enumerate().map(item).collect();
    let input = value!({ "max": max, "delay": delay, "items": items });
    let builder = Builder::<Relay>::new().seed(1).clock(tasks.clock.clone()).reload_at_every_completion(reload);
    let outcome = block_on(builder.tasks(&tasks).run(input)).expect("it ends");
    assert_eq!(outcome, Ok(Value::from(vec![Value::from("well"); lengths.len()])));
    let begun = tasks.begun.into_inner().expect("the notes");
    let order: Vec<i64> = begun.iter().map(|(_, number)| *number).collect();
    assert_eq!(order, (0..lengths.len() as i64).collect::<Vec<i64>>(), "in the order of the items");
    begun.into_iter().map(|(time, _)| time).collect()
}

#[test]
fn iterations_begin_one_after_the_other_and_no_more_at_a_time_than_may() {
    for reload in [false, true] {
        // Unlimited concurrency: only the delay matters.
        assert_eq!(starts(0, 5.0, &[100.0, 1.0, 1.0, 1.0], reload), [0, 5, 10, 15]);
        // Concurrency 1: the longer of length and delay matters.
        assert_eq!(starts(1, 5.0, &[1.0, 9.0, 2.0, 1.0], reload), [0, 5, 14, 19]);
        // Concurrency 2, without batches.
        assert_eq!(starts(2, 5.0, &[12.0, 20.0, 1.0, 1.0, 1.0], reload), [0, 5, 12, 17, 22]);
        assert_eq!(starts(2, 0.0, &[3.0, 5.0, 1.0, 1.0], reload), [0, 0, 3, 4]);
        assert_eq!(starts(1, 0.0, &[0.0, 0.0], reload), [0, 0]);
    }
}

fn at(seconds: u64) -> Timestamp {
    Timestamp::default().plus(Duration::from_secs(seconds))
}

fn start(input: Value) -> Box<dyn Execution> {
    let start = Start { name: Some("one".into()), seed: Some(7), time: Some(at(0)), ..Start::new(input) };
    Program::of::<Relay>().start(start)
}

#[test]
fn the_time_until_the_next_one_is_a_timer_that_ends_with_the_step() {
    let input = value!({ "delay": 60, "items": [["a", { "fail": "Odd" }], ["b"], ["c"]] });
    let mut execution = start(input);
    let (first, _) = execution.next_command().expect("the first begins at once");
    let (timer, command) = execution.next_command().expect("the second waits");
    assert_eq!(command, Command::Sleep { until: at(60) });
    assert_eq!(execution.next_command(), None, "only one waits for its time");
    let waiting = execution.describe();
    let held = waiting.iter().find(|waiting| waiting.op == timer).expect("it is described");
    assert_eq!((held.waits_for.clone(), held.path[0].index, held.state), (WaitsFor::Time(at(60)), 1, "All"));
    // A loaded snapshot keeps the delays. A late start delays the next start, too.
    execution = Program::of::<Relay>().load(&execution.save()).expect("a snapshot loads");
    let again: Vec<(Op, Command)> = std::iter::from_fn(|| execution.next_command()).collect();
    assert_eq!(again.iter().map(|(op, _)| *op).collect::<Vec<Op>>(), [first, timer]);
    assert!(execution.complete(timer, at(75), Ok(Value::Null)));
    let next: Vec<Command> = std::iter::from_fn(|| execution.next_command()).map(|(_, command)| command).collect();
    assert!(matches!(&next[..], [Command::Invoke(_), Command::Sleep { until }] if *until == at(135)), "{next:?}");
    // The iteration fails, and with it the iterations that have not begun.
    assert!(execution.complete(first, at(80), Ok(Value::Null)));
    let cancelled = std::iter::from_fn(|| execution.next_stop()).count();
    assert_eq!((cancelled, execution.result()), (2, Some(&Ok("Odd".into()))));
}

/// Drives an execution in a random order, and saves it as rows or as a snapshot.
fn drive(order: u64, rows: Option<bool>) -> Vec<String> {
    let items: Vec<Value> = (0..12).map(|n| value!([n, (n + 100)])).collect();
    let mut execution = start(value!({ "max": 3, "delay": 2, "items": items }));
    let mut stored: BTreeMap<Row, Vec<u8>> = BTreeMap::new();
    if rows == Some(true) {
        execution.changes().apply(&mut stored);
    }
    let (mut random, mut log, mut now) = (Random(order), Vec::new(), at(0));
    let mut open: BTreeMap<Op, Command> = BTreeMap::new();
    loop {
        while let Some((op, command)) = execution.next_command() {
            log.push(format!("{op:?} {command:?}"));
            open.insert(op, command);
        }
        if execution.result().is_some() {
            return log;
        }
        let running = open.values().filter(|command| matches!(command, Command::Invoke(_))).count();
        assert!(running <= 3 && open.len() <= 3, "{open:?}");
        let (op, command) = open.iter().nth(random.below(open.len())).map(|(op, c)| (*op, c.clone())).expect("a wait");
        open.remove(&op);
        now = match command {
            Command::Sleep { until } => now.max(until),
            _ => now.plus(Duration::from_millis(900)),
        };
        assert!(execution.complete(op, now, Ok(Value::Null)));
        let program = Program::of::<Relay>();
        match rows {
            None => continue,
            Some(false) => execution = program.load(&execution.save()).expect("a snapshot loads"),
            Some(true) => {
                execution.changes().apply(&mut stored);
                let list: Vec<(Row, Vec<u8>)> = stored.clone().into_iter().collect();
                if execution.result().is_none() {
                    execution = program.restore(&list).expect("rows are restored");
                }
            }
        }
        if execution.result().is_none() {
            let before = open.clone();
            let again: BTreeMap<Op, Command> = std::iter::from_fn(|| execution.next_command()).collect();
            let fresh = again.iter().filter(|(op, _)| !before.contains_key(op));
            for (op, command) in fresh {
                log.push(format!("{op:?} {command:?}"));
            }
            open = again;
        }
    }
}

#[test]
fn saving_and_loading_changes_no_start() {
    for order in 1..=40 {
        let plain = drive(order, None);
        assert_eq!(plain, drive(order, Some(false)), "completion order {order}");
        assert_eq!(plain, drive(order, Some(true)), "completion order {order}");
    }
}
