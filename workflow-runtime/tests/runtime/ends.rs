//! Termination by a state, without an engine and in memory: commands in progress complete, and
//! nothing new begins.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::chance::Random;
use crate::relay::Relay;
use workflow_runtime::clock::Clock as _;
use workflow_runtime::engine::driver;
use workflow_runtime::engine::turns::Turns;
use workflow_runtime::machine::{
    Command, Delivery, Execution, Occurrence, Op, Outcome, Program, Row, Start, Stop, Task,
};
use workflow_runtime::observe::{Event, EventKind, Observer};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::testing::{self, Mocks, VirtualClock, block_on};
use workflow_runtime::{Builder, Callbacks, CloudEvent, Fault, Hub, TaskContext, Timestamp, Value, value};

fn at(seconds: u64) -> Timestamp {
    Timestamp::default().plus(Duration::from_secs(seconds))
}

fn start(input: Value) -> Box<dyn Execution> {
    let start = Start { name: Some("one".into()), seed: Some(7), time: Some(at(0)), ..Start::new(input) };
    Program::of::<Relay>().start(start)
}

fn commands(execution: &mut dyn Execution) -> Vec<(Op, Command)> {
    std::iter::from_fn(|| execution.next_command()).collect()
}

fn cancelled(execution: &mut dyn Execution) -> Vec<Op> {
    let stops = std::iter::from_fn(|| execution.next_stop());
    stops
        .filter_map(|stop| match stop {
            Stop::All => None,
            Stop::Op(op) => Some(op),
        })
        .collect()
}

/// Returns the operation of the task with this input.
fn of(commands: &[(Op, Command)], input: &str) -> Op {
    let is =
        |command: &Command| matches!(command, Command::Invoke(invocation) if invocation.input == Value::from(input));
    commands.iter().find(|(_, command)| is(command)).map(|(op, _)| *op).expect("it is asked for")
}

/// The treatment of an execution between two completions.
#[derive(Clone, Copy, PartialEq)]
enum Between {
    Nothing,
    Saved,
    Rows,
}

/// Drives an execution whose tasks complete in a random order, every third with a fault.
fn drive(order: u64, between: Between) -> (Vec<String>, Outcome) {
    let program = Program::of::<Relay>();
    let nested = value!([{ "items": [["c", "d"], [{ "sleep": 5 }, "e"], ["f", { "stop": "inner" }, "g"], [{ "items": [["h"]] }]] }]);
    let input = value!({ "max": 4, "items": [["a", "b"], nested, [{ "ask": "k" }], [{ "hear": 1 }], ["i"], ["j", { "stop": "outer" }]] });
    let mut execution = start(input);
    let mut rows: BTreeMap<Row, Vec<u8>> = BTreeMap::new();
    if between == Between::Rows {
        execution.changes().apply(&mut rows);
    }
    let (mut random, mut log, mut now) = (Random(order), Vec::new(), at(0));
    let mut open: BTreeMap<Op, Command> = BTreeMap::new();
    let mut terminating = false;
    loop {
        for op in cancelled(&mut *execution) {
            log.push(format!("cancelled {op:?}"));
            open.remove(&op);
        }
        let ends = std::mem::replace(&mut terminating, execution.info().is_terminating()) != terminating;
        for (op, command) in commands(&mut *execution) {
            if terminating {
                assert!(ends, "nothing begins any more: {command:?}");
                execution.apply(at(0), Occurrence::Abandoned(op));
                continue;
            }
            log.push(format!("{op:?} {command:?}"));
            open.insert(op, command);
        }
        if let Some(outcome) = execution.result() {
            assert!(open.is_empty(), "what was being done is completed: {open:?}");
            return (log, outcome.clone());
        }
        if execution.info().is_terminating() {
            let done = |command: &Command| matches!(command, Command::Invoke(_));
            assert!(open.values().all(done), "what only waits is over: {open:?}");
        }
        match between {
            Between::Nothing => {}
            Between::Saved => execution = program.load(&execution.save()).expect("a snapshot loads"),
            Between::Rows => {
                execution.changes().apply(&mut rows);
                let list: Vec<(Row, Vec<u8>)> = rows.clone().into_iter().collect();
                execution = program.restore(&list).expect("rows are restored");
            }
        }
        if between != Between::Nothing {
            let again: BTreeMap<Op, Command> = commands(&mut *execution).into_iter().collect();
            assert_eq!(again, open, "all that is waited for is asked for again");
        }
        let at = random.below(open.len());
        let (op, command) = open.iter().nth(at).map(|(op, command)| (*op, command.clone())).expect("a wait");
        log.push(format!("completed {op:?}"));
        now = now.plus(Duration::from_secs(1));
        let outcome = match &command {
            Command::Invoke(invocation) if invocation.call.visit % 3 == 1 => Err(Fault::new("Odd", "a number")),
            Command::Receive(_) => {
                let news = CloudEvent::new("1", "/x", "news");
                assert_eq!(execution.deliver(now, &news), Delivery::Consumed);
                continue;
            }
            _ => Ok(Value::Null),
        };
        open.remove(&op);
        assert!(execution.complete(op, now, outcome));
    }
}

#[test]
fn whatever_ends_first_a_run_ends_alike_when_it_is_saved_and_loaded() {
    let mut outcomes = Vec::new();
    for order in 1..=80 {
        let plain = drive(order, Between::Nothing);
        assert_eq!(plain, drive(order, Between::Saved), "completion order {order}");
        assert_eq!(plain, drive(order, Between::Rows), "completion order {order}");
        outcomes.push(plain.1);
    }
    for output in ["inner", "outer"] {
        assert!(outcomes.contains(&Ok(output.into())), "{output}");
    }
}

#[test]
fn commands_in_progress_complete_and_waits_end() {
    let input = value!([["a", "x"], [{ "sleep": 9 }], [{ "hear": 1 }], [{ "ask": "q" }, "x"], [{ "ask": "r" }], ["b", { "stop": 3 }], [{ "send": 1 }, "x"]]);
    let mut execution = start(input);
    let open = commands(&mut *execution);
    assert_eq!(open.len(), 7);
    execution.apply(at(0), Occurrence::HandedOver(of(&open, "q")));
    assert!(execution.complete(of(&open, "b"), at(1), Ok(Value::Null)));
    assert!(execution.info().is_terminating() && execution.result().is_none());
    let mut gone = cancelled(&mut *execution);
    gone.sort_unstable();
    let expected: Vec<Op> = [1, 2, 3].map(|at| open[at].0).to_vec();
    assert_eq!(gone, expected, "a wait for a time, for an event, and for an answer to what was asked");
    assert_eq!(execution.deliver(at(2), &CloudEvent::new("1", "/x", "news")), Delivery::Ended);
    assert!(execution.complete(of(&open, "a"), at(2), Err(Fault::new("Odd", "a number"))));
    // The task runs to its end, and its outcome by token is not awaited.
    execution.apply(at(0), Occurrence::HandedOver(of(&open, "r")));
    assert_eq!(cancelled(&mut *execution), [of(&open, "r")]);
    assert!(execution.result().is_none());
    assert!(execution.complete(open[6].0, at(3), Ok(Value::Null)));
    assert_eq!(execution.result(), Some(&Ok(3.into())));
    assert_eq!(execution.info().outcome_for_parent(), Some(Err(Fault::terminated(3.into()))));
    assert_eq!(commands(&mut *execution), []);
}

#[test]
fn a_termination_is_requested_once_and_before_cancellations() {
    for (title, terminate) in [
        ("by a state", None),
        ("from outside", Some(Occurrence::Terminated(1.into()))),
        ("by an outcome", Some(Occurrence::end(Err(Fault::terminated(1.into()))))),
    ] {
        let mut execution = start(value!([["a"], [{ "sleep": 9 }], ["b", { "stop": 1 }]]));
        let open = commands(&mut *execution);
        execution.apply(at(1), terminate.unwrap_or(Occurrence::Completed(of(&open, "b"), Ok(Value::Null))));
        execution.finish_turn();
        assert!(execution.info().is_terminating(), "{title}");
        let stops: Vec<Stop> = std::iter::from_fn(|| execution.next_stop()).collect();
        assert_eq!(stops, [Stop::All, Stop::Op(open[1].0)], "{title}");
    }
}

#[test]
fn an_outcome_that_is_no_longer_awaited_is_declined() {
    let mut execution = start(value!([["a"]]));
    let open = commands(&mut *execution);
    for expected in [Delivery::Consumed, Delivery::Declined] {
        let occurrence = Occurrence::Completed(open[0].0, Ok(Value::Null));
        assert_eq!(execution.apply(at(1), occurrence), expected);
        execution.finish_turn();
    }
}

#[test]
fn commands_that_have_not_begun_do_not_begin() {
    let mut execution = start(value!([["a", { "items": [["x"], [{ "stop": 1 }], ["y"]] }], ["b"]]));
    let open = commands(&mut *execution);
    assert!(execution.complete(of(&open, "a"), at(1), Ok(Value::Null)));
    // The engine reports the commands that it has not begun.
    let asked = commands(&mut *execution);
    execution.apply(at(0), Occurrence::Abandoned(of(&asked, "x")));
    assert_eq!((asked.len(), execution.result()), (1, None));
    execution.apply(at(0), Occurrence::Abandoned(of(&open, "b")));
    assert_eq!(execution.result(), Some(&Ok(1.into())));
    // An execution that does not terminate ignores the report.
    let mut execution = start(value!([["a"]]));
    let open = commands(&mut *execution);
    execution.apply(at(0), Occurrence::Abandoned(open[0].0));
    assert!(execution.complete(open[0].0, at(1), Ok(Value::Null)));
    assert_eq!(execution.result(), Some(&Ok(value!(["well"]))));
}

#[test]
fn it_can_be_cancelled_or_take_too_long_while_it_ends() {
    let ending = || {
        let mut execution = start(value!([["a"], ["b", { "stop": 1 }]]));
        let open = commands(&mut *execution);
        execution.complete(of(&open, "b"), at(1), Ok(Value::Null));
        (execution, of(&open, "a"))
    };
    let (mut execution, open) = ending();
    execution.apply(at(2), Occurrence::Ended(Err(Fault::new("Execution.Cancelled", "enough"))));
    assert_eq!(cancelled(&mut *execution), [open]);
    let cause = execution.result().and_then(|outcome| outcome.as_ref().err()).and_then(Fault::error);
    assert_eq!(cause, Some("Execution.Cancelled"));
    // The output is certain. Only the commands in progress are no longer awaited.
    let (mut execution, open) = ending();
    execution.apply(at(1_000_001), Occurrence::TimedOut);
    execution.finish_turn();
    assert_eq!((cancelled(&mut *execution), execution.result()), (vec![open], Some(&Ok(1.into()))));
    let (mut execution, open) = ending();
    assert!(execution.complete(open, at(2_000_000), Ok(Value::Null)));
    assert_eq!(execution.result(), Some(&Ok(1.into())));
    // A second termination, from outside, has no effect.
    let (mut execution, open) = ending();
    execution.apply(at(3), Occurrence::Terminated(2.into()));
    assert!(execution.complete(open, at(4), Ok(Value::Null)));
    assert_eq!(execution.result(), Some(&Ok(1.into())));
}

#[test]
fn a_task_cannot_end_the_run_of_its_execution() {
    let mut execution = start(value!([["a"]]));
    let open = commands(&mut *execution);
    execution.complete(open[0].0, at(1), Err(Fault::terminated(1.into())));
    let (op, command) = execution.next_command().expect("it is tried again");
    assert!(matches!(command, Command::Sleep { .. }), "{command:?}");
    execution.complete(op, at(2), Ok(Value::Null));
    assert!(!execution.info().is_terminating());
}

#[test]
fn damaged_snapshots_of_a_run_that_ends_do_no_harm() {
    let mut execution = start(value!([[{ "items": [["a"], ["c"]] }], ["d"], ["b", { "stop": 1 }]]));
    let open = commands(&mut *execution);
    execution.complete(of(&open, "b"), at(1), Ok(Value::Null));
    let whole = execution.save();
    for place in 0..whole.len() {
        for change in [1, 2, 3, 8, 255] {
            let mut damaged = whole.clone();
            damaged[place] = damaged[place].wrapping_add(change);
            let Ok(mut execution) = Program::of::<Relay>().load(&damaged) else { continue };
            for (op, _) in commands(&mut *execution) {
                execution.complete(op, at(2), Ok(Value::Null));
            }
            let _description = execution.describe();
        }
    }
}

/// Tasks that take as many seconds as their input says, and record their ends.
#[derive(Default)]
struct Tasks {
    clock: VirtualClock,
    done: Mutex<Vec<String>>,
    begun: Mutex<Vec<String>>,
}

impl Invoke for Tasks {
    fn invoke<'a>(&'a self, _: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        Box::pin(async move {
            let name = format!("{} {input}", cx.execution_id());
            self.begun.lock().expect("the notes").push(name.clone());
            let seconds = input.get("for").and_then(Value::as_f64).unwrap_or(0.0);
            cx.sleep(Duration::from_secs_f64(seconds)).await;
            self.done.lock().expect("the notes").push(name);
            Ok(Value::Null)
        })
    }
}

/// Records the ends of tasks and executions.
#[derive(Clone, Default)]
struct Notes(std::sync::Arc<Mutex<Vec<String>>>);

impl Observer for Notes {
    fn observe(&mut self, event: &Event<'_>) {
        let what = match &event.kind {
            EventKind::TaskSucceeded { .. } => "task",
            EventKind::ChildSucceeded { .. } => "child",
            EventKind::ExecutionSucceeded { .. } => "end",
            EventKind::ExecutionFailed { .. } => "failed",
            _ => return,
        };
        self.0.lock().expect("the notes").push(format!("{what} {}", event.execution));
    }
}

#[track_caller]
fn ran(input: Value, reload: bool) -> (Outcome, Tasks, Vec<String>) {
    let (tasks, notes) = (Tasks::default(), Notes::default());
    let hub = Hub::new().observer({
        let notes = notes.clone();
        move || notes.clone()
    });
    let builder = Builder::<Relay>::new().name("one").seed(1).clock(tasks.clock.clone()).hub(&hub);
    let builder = builder.observer(notes.clone()).callbacks(&Callbacks::default()).reload_at_every_completion(reload);
    let outcome = block_on(builder.tasks(&tasks).run(input)).expect("it ends");
    let notes = notes.0.lock().expect("the notes").clone();
    (outcome, tasks, notes)
}

fn lines(of: &Mutex<Vec<String>>) -> Vec<String> {
    of.lock().expect("the notes").clone()
}

#[test]
fn tasks_under_way_are_completed_and_others_do_not_begin() {
    for reload in [false, true] {
        let input = value!({ "max": 3, "items": [[{ "for": 10 }, { "for": 1 }], [{ "sleep": 50 }], [{ "for": 3 }, { "stop": "early" }], [{ "for": 1 }]] });
        let (outcome, tasks, notes) = ran(input, reload);
        assert_eq!(outcome, Ok("early".into()));
        assert_eq!(lines(&tasks.done), ["one {\"for\":3}", "one {\"for\":10}"]);
        assert_eq!(lines(&tasks.begun).len(), 2);
        assert_eq!(notes, ["task one", "task one", "end one"]);
        // The wait for a time ends, too.
        assert_eq!(tasks.clock.now().since(VirtualClock::new().now()).as_secs(), 10);
    }
}

#[test]
fn an_execution_ends_with_its_child() {
    for reload in [false, true] {
        let inner = value!([[{ "for": 2 }, { "stop": "deep" }], [{ "for": 4 }, "x"]]);
        let child = value!([[{ "call": inner }, "y"], [{ "for": 6 }, "x"]]);
        let (outcome, tasks, notes) = ran(value!([[{ "call": child }, "x"], [{ "for": 8 }, "x"]]), reload);
        assert_eq!(outcome, Ok("deep".into()));
        let done = lines(&tasks.done);
        assert_eq!(done.len(), 4, "{done:?}");
        assert_eq!(done.last().map(String::as_str), Some("one {\"for\":8}"));
        assert_eq!(notes.iter().filter(|note| note.starts_with("end")).count(), 3, "{notes:?}");
        assert!(notes.contains(&"child one".to_owned()), "{notes:?}");
    }
}

#[test]
fn awaited_children_terminate_too() {
    for reload in [false, true] {
        let child = value!([[{ "for": 5 }, { "for": 1 }], [{ "sleep": 100 }]]);
        let (outcome, tasks, _) = ran(value!([[{ "call": child }, "x"], [{ "for": 2 }, { "stop": 1 }]]), reload);
        assert_eq!(outcome, Ok(1.into()));
        assert_eq!(lines(&tasks.done).len(), 2, "the task of the child is completed, and its next does not begin");
        assert_eq!(lines(&tasks.begun).len(), 2);
    }
}

/// Tasks that are ready at once. Counts them.
#[derive(Default)]
struct ReadyTasks(AtomicU32);

impl Invoke for ReadyTasks {
    fn invoke<'a>(&'a self, _: &'static Task, _: Value, _: TaskContext) -> TaskFuture<'a> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Box::pin(std::future::ready(Ok(Value::Null)))
    }
}

#[test]
fn an_execution_of_ready_tasks_ends_when_it_is_terminated() {
    // The driver handles messages after 128 commands.
    let (tasks, mailbox) = (ReadyTasks::default(), driver::MessageQueue::default());
    let environment = driver::Environment {
        clock: Arc::new(VirtualClock::at(at(0))),
        callbacks: None,
        tasks_at_once: 8,
        hub: None,
        sink: None,
        objects: None,
        turns: Turns::default(),
    };
    let steps = vec![Value::from("x"); 300];
    let execution = start(Value::from(vec![Value::from(steps)]));
    let mut driver = driver::Driver::new(Program::of::<Relay>(), execution, environment, &tasks, driver::Volatile);
    driver.receive_from(mailbox.clone());
    mailbox.push(driver::Message::End(Err(Fault::terminated("over".into()))));
    let exit = block_on(driver.run()).expect("it ends");
    assert_eq!(exit, Ok(driver::DriverExit::Ended(Ok("over".into()))));
    assert_eq!(tasks.0.load(Ordering::SeqCst), 128);
}

#[test]
fn an_outcome_whose_turn_has_yet_to_run_is_not_awaited_by_a_termination() {
    let mut execution = start(value!([["a", "b"]]));
    let open = commands(&mut *execution);
    execution.apply(at(1), Occurrence::Completed(of(&open, "a"), Ok(Value::Null)));
    execution.apply(at(1), Occurrence::Terminated("over".into()));
    assert_eq!(execution.result(), Some(&Ok("over".into())));
}

#[test]
fn detached_children_end_by_themselves() {
    let aside = value!([[{ "for": 2 }, { "stop": "aside" }]]);
    let (outcome, tasks, _) = ran(value!([[{ "aside": aside }, { "for": 5 }, { "for": 1 }]]), false);
    assert_eq!(outcome, Ok(value!(["well"])));
    assert_eq!(lines(&tasks.done).len(), 3);
    // The detached execution continues after the other one has ended.
    let aside = value!([[{ "for": 5 }, { "for": 1 }]]);
    let (outcome, tasks, _) = ran(value!([[{ "aside": aside }, { "for": 2 }, { "stop": 1 }]]), false);
    assert_eq!(outcome, Ok(1.into()));
    assert_eq!(lines(&tasks.done).len(), 3);
}

/// Counts the executions that report a failure.
struct Failures(Arc<Mutex<usize>>);

impl Observer for Failures {
    fn observe(&mut self, event: &Event<'_>) {
        *self.0.lock().unwrap() += usize::from(matches!(event.kind, EventKind::ChildFailed { .. }));
    }
}

#[test]
fn a_detached_entry_that_terminates_has_not_failed() {
    let failures = Arc::new(Mutex::new(0));
    let builder = Builder::<Relay>::new().observer(Failures(failures.clone()));
    let aside = value!([[{ "sleep": 2 }, { "stop": "aside" }]]);
    let report = testing::run(builder, &Mocks::new(), value!([[{ "aside": aside }]]));
    assert!(report.outcome.is_ok(), "{:?}", report.outcome);
    assert_eq!(*failures.lock().unwrap(), 0);
}
