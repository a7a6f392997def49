//! The machine without an engine: the test carries out the commands itself.

use std::collections::BTreeMap;

use crate::becoming::become_of;
use crate::chance::Random;
use crate::extremes::Extremes;
use crate::order::Order;
use workflow_runtime::machine::{Command, Execution, Occurrence, Op, Outcome, Program, Start, Stop, WaitsFor};
use workflow_runtime::{Fault, Timestamp, Value, value};

/// The seed of the executions in this file.
const SEED: u64 = 7;

fn start(program: Program, input: Value) -> Box<dyn Execution> {
    let start = Start { seed: Some(SEED), time: Some(Timestamp::from_seconds(1_000)), ..Start::new(input) };
    program.start(start)
}

fn order_input() -> Value {
    value!({ "id": "o-1", "card": "4111", "count": 3, "items": ["a", "b", "c", "d", "e", "f", "g"] })
}

/// The course of an execution: all commands, the operations of all completions, and the end.
#[derive(Debug, PartialEq)]
struct Run {
    log: Vec<String>,
    outcome: Outcome,
    largest: usize,
}

/// Drives an execution, choosing the next completion at random. The outcome of a task depends on
/// its call alone.
fn drive(program: Program, input: Value, order: u64, reload: bool) -> Run {
    let (mut random, mut log, mut largest) = (Random(order), Vec::new(), 0);
    let mut execution = start(program, input);
    let mut open: BTreeMap<Op, Command> = BTreeMap::new();
    let mut now = Timestamp::from_seconds(1_000);
    loop {
        while let Some(Stop::Op(op)) = execution.next_stop() {
            log.push(format!("cancelled {op:?}"));
            open.remove(&op);
        }
        while let Some((op, command)) = execution.next_command() {
            log.push(format!("{op:?} {command:?}"));
            assert_eq!(open.insert(op, command), None);
        }
        if let Some(outcome) = execution.result() {
            return Run { log, outcome: outcome.clone(), largest };
        }
        if reload {
            let snapshot = execution.save();
            largest = largest.max(snapshot.len());
            let before = execution.describe();
            execution = program.load(&snapshot).expect("a snapshot loads");
            assert_eq!(execution.describe(), before);
            let mut again = BTreeMap::new();
            while let Some((op, command)) = execution.next_command() {
                again.insert(op, command);
            }
            assert_eq!(again, open, "all that is waited for is asked for again");
        }
        let at = random.below(open.len());
        let (op, command) = open.iter().nth(at).map(|(op, command)| (*op, command.clone())).expect("a wait");
        open.remove(&op);
        let (time, outcome) = become_of(&command, now, order);
        now = now.max(time);
        log.push(format!("completed {op:?}"));
        assert!(execution.complete(op, now, outcome));
    }
}

#[test]
fn saving_and_loading_at_every_completion_changes_nothing() {
    let program = Program::of::<Order>();
    let mut outcomes = Vec::new();
    for seed in 1..=60 {
        let plain = drive(program, order_input(), seed, false);
        let reloaded = drive(program, order_input(), seed, true);
        assert_eq!(plain.log, reloaded.log, "completion order {seed}");
        assert_eq!(plain.outcome, reloaded.outcome, "completion order {seed}");
        assert!(reloaded.largest < 6_000, "{}", reloaded.largest);
        outcomes.push(plain);
    }
    assert!(outcomes.iter().any(|run| run.log.iter().any(|line| line.starts_with("cancelled"))));
    assert!(outcomes.iter().any(|run| run.outcome.as_ref().is_ok_and(|output| output.get("approval").is_some())));
}

#[test]
fn retries_wait_longer_and_longer_and_keep_their_call() {
    let mut execution = start(Program::of::<Order>(), order_input());
    let (mut waits, mut keys, mut attempts) = (Vec::new(), Vec::new(), Vec::new());
    let mut now = Timestamp::from_seconds(1_000);
    while let Some((op, command)) = execution.next_command() {
        match command {
            Command::Invoke(invocation) => {
                keys.push(invocation.call.to_string());
                attempts.push(invocation.attempt);
                execution.complete(op, now, Err(Fault::new("Flaky", "no")));
            }
            Command::Sleep { until } => {
                waits.push(until.since(now).as_secs());
                now = until;
                execution.complete(op, now, Ok(Value::Null));
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(waits, [1, 2, 4]);
    assert_eq!(attempts, [1, 2, 3, 4]);
    assert_eq!(keys, ["1-0"; 4]);
    assert_eq!(execution.result().and_then(|outcome| outcome.as_ref().err()).and_then(Fault::error), Some("Flaky"));
}

#[test]
fn a_fault_in_one_branch_cancels_the_others_and_late_completions_are_ignored() {
    let (mut execution, ops) = at_fan();
    let reserve = ops["Reserve"];
    let rest = ops["Rest"];
    let now = Timestamp::from_seconds(2_000);
    assert!(execution.complete(reserve, now, Err(Fault::new("SoldOut", "none left"))));
    assert_eq!(execution.next_stop(), Some(Stop::Op(rest)));
    assert_eq!(execution.next_stop(), None);
    assert!(!execution.complete(rest, now, Ok(Value::Null)), "a cancelled sibling");
    assert!(!execution.complete(reserve, now, Ok(Value::Null)), "twice");
    let (notify, Command::Invoke(invocation)) = execution.next_command().expect("a command") else { panic!() };
    assert_eq!(invocation.task.key, "Notify");
    assert_eq!(invocation.input.get("error"), Some(&value!({ "Error": "SoldOut", "Cause": "none left" })));
    assert!(!execution.complete(Op { id: notify.id, frame: rest.frame }, now, Ok(Value::Null)), "another frame");
    assert!(!execution.complete(Op { id: 0, ..notify }, now, Ok(Value::Null)));
    assert!(execution.complete(notify, now, Ok("sent".into())));
    assert_eq!(execution.result(), Some(&Ok("sent".into())));
    assert!(!execution.complete(notify, now, Ok(Value::Null)), "after the end");
}

/// Returns an order whose two branches wait, and the operations by state.
fn at_fan() -> (Box<dyn Execution>, BTreeMap<&'static str, Op>) {
    let mut execution = start(Program::of::<Order>(), order_input());
    for _ in 0..2 {
        let (op, command) = execution.next_command().expect("a command");
        let time = match command {
            Command::Sleep { until } => until,
            _ => Timestamp::from_seconds(1_000),
        };
        execution.complete(op, time, Ok("charged".into()));
    }
    let ops = execution.describe().into_iter().map(|waiting| (waiting.state, waiting.op)).collect();
    while execution.next_command().is_some() {}
    (execution, ops)
}

#[test]
fn describe_speaks_the_authors_words() {
    let (execution, _) = at_fan();
    let waits: Vec<String> = execution
        .describe()
        .iter()
        .map(|waiting| {
            let path: Vec<_> = waiting.path.iter().map(|step| format!("{}[{}]", step.state, step.index)).collect();
            let what = match &waiting.waits_for {
                WaitsFor::Task { key, .. } => format!("task {key}"),
                WaitsFor::Time(time) => format!("until {time}"),
                WaitsFor::Children { total, ended } => format!("{ended} of {total}"),
                other => panic!("{other:?}"),
            };
            format!("{} {} {what}", path.join("/"), waiting.state)
        })
        .collect();
    let expected = [" Fan 0 of 2", "Fan[0] Reserve task Reserve", "Fan[1] Rest until 1970-01-01T00:17:15.000Z"];
    assert_eq!(waits, expected);
}

#[test]
fn the_context_object_is_shaped_as_by_aws() {
    let settings = Start {
        name: Some("run-1".into()),
        machine: Some("Orders".into()),
        account: "111111111111".into(),
        region: "us-east-1".into(),
        role: "orders_role".into(),
        seed: Some(SEED),
        time: Some("2026-01-31T12:30:00.5Z".parse().expect("a time")),
        ..Start::new(value!({ "card": "4111", "items": [] }))
    };
    let mut execution = Program::of::<Order>().start(settings);
    let mut contexts = Vec::new();
    let mut now = Timestamp::from_micros(0);
    while let Some((op, command)) = execution.next_command() {
        match command {
            Command::Sleep { until } => {
                now = until;
                execution.complete(op, now, Ok(Value::Null));
            }
            Command::Invoke(invocation) => {
                contexts.push((invocation.task.key, invocation.input.clone(), invocation.token().cloned()));
                execution.complete(op, now, Ok(Value::Null));
            }
            other => panic!("{other:?}"),
        }
    }
    let label = contexts.iter().find(|(key, ..)| *key == "Label").expect("the label task");
    let expected = r#"{"Execution":{"Id":"arn:aws:states:us-east-1:111111111111:execution:Orders:run-1","Input":{"card":"4111","items":[]},"StartTime":"2026-01-31T12:30:00.500Z","Name":"run-1","RoleArn":"orders_role","RedriveCount":0},"StateMachine":{"Id":"arn:aws:states:us-east-1:111111111111:stateMachine:Orders","Name":"Orders"},"State":{"Name":"Label","EnteredTime":"2026-01-31T12:30:35.500Z","RetryCount":0}}"#;
    assert_eq!(label.1.get("context").map(Value::to_string).as_deref(), Some(expected));
    let approve = contexts.iter().find(|(key, ..)| *key == "sqs:sendMessage").expect("the task with a token");
    let token = approve.2.as_deref().expect("a token");
    assert_eq!(approve.1, value!({ "token": token }), "the context object and the command have one token");
}

#[test]
fn a_setting_takes_the_place_of_the_context_object() {
    let given = value!({ "State": { "Name": "given" } });
    let settings = workflow_runtime::value::object([("$$", given.clone())]);
    let input = value!({ "card": "4111", "items": [] });
    let start = Start { settings: settings.as_object().cloned().unwrap_or_default(), ..Start::new(input) };
    let mut execution = Program::of::<Order>().start(start);
    let mut contexts = Vec::new();
    while let Some((op, command)) = execution.next_command() {
        let now = match &command {
            Command::Sleep { until } => *until,
            Command::Invoke(invocation) => {
                contexts.extend(invocation.input.get("context").cloned());
                Timestamp::from_micros(0)
            }
            other => panic!("{other:?}"),
        };
        execution.complete(op, now, Ok(Value::Null));
    }
    assert_eq!(contexts, [given]);
}

#[test]
fn the_execution_as_a_whole_can_time_out() {
    let mut execution = start(Program::of::<Order>(), order_input());
    let (op, _) = execution.next_command().expect("a command");
    let deadline = execution.info().deadline().expect("a deadline");
    assert_eq!(deadline, Timestamp::from_seconds(1_000 + 86_400));
    let mut loaded = Program::of::<Order>().load(&execution.save()).expect("a snapshot loads");
    assert_eq!(loaded.info().deadline(), Some(deadline));
    loaded.apply(deadline, Occurrence::Ended(Err(Fault::timeout())));
    assert_eq!(loaded.result(), Some(&Err(Fault::timeout())));
    assert_eq!(loaded.next_stop(), Some(Stop::Op(op)));
    assert!(!loaded.complete(op, deadline, Ok(Value::Null)));
    assert!(execution.complete(op, Timestamp::from_seconds(100_000), Ok(Value::Null)), "too late");
    assert_eq!(execution.result(), Some(&Err(Fault::timeout())));
}

#[test]
fn frames_nest_3000_deep_on_a_small_stack() {
    let run = || {
        let program = Program::of::<Extremes>();
        let mut execution = start(program, value!({ "mode": "deep", "n": 3_000 }));
        let mut execution = {
            let (op, _) = execution.next_command().expect("a command");
            let snapshot = execution.save();
            let loaded = program.load(&snapshot).expect("a snapshot loads");
            assert!(execution.complete(op, Timestamp::default(), Ok("bottom".into())));
            let mut output = execution.result().and_then(|outcome| outcome.clone().ok()).expect("an output");
            for _ in 0..6_000 {
                output = output.get(0).cloned().expect("nested");
            }
            assert_eq!(output, "bottom".into());
            loaded
        };
        assert_eq!(execution.describe().len(), 3_001);
        let (op, _) = execution.next_command().expect("a command");
        execution.complete(op, Timestamp::default(), Err(Fault::new("Bottom", "fell out")));
        assert!(execution.result().is_some_and(Result::is_err));
        let mut cancelled = start(program, value!({ "mode": "deep", "n": 3_000 }));
        cancelled.apply(Timestamp::default(), Occurrence::Ended(Err(Fault::timeout())));
        assert!(cancelled.describe().is_empty());
    };
    let thread = std::thread::Builder::new().stack_size(128 * 1024).spawn(run).expect("a thread");
    thread.join().expect("no overflow");
}

#[test]
fn a_map_over_10_000_items_keeps_as_many_frames_as_run_at_once() {
    let items: Vec<i64> = (0..10_000).collect();
    let mut execution = start(Program::of::<Extremes>(), value!({ "mode": "wide", "n": 40, "items": items.clone() }));
    let mut random = Random(11);
    let mut open = Vec::new();
    let mut frames = 0;
    loop {
        while let Some((op, command)) = execution.next_command() {
            let Command::Invoke(invocation) = command else { panic!("{command:?}") };
            open.push((op, invocation.input.clone()));
        }
        if open.is_empty() {
            break;
        }
        assert!(open.len() <= 40);
        let (op, input) = open.swap_remove(random.below(open.len()));
        frames = frames.max(op.frame.0);
        execution.complete(op, Timestamp::default(), Ok(input));
    }
    assert_eq!(execution.result(), Some(&Ok(items.into())), "results are in the order of the items");
    assert_eq!(frames, 40);
}

#[test]
fn a_branch_loops_a_million_times_in_bounded_space_beside_one_that_waits() {
    let program = Program::of::<Extremes>();
    let mut execution = start(program, value!({ "mode": "beside", "n": 1_000_000 }));
    let (month, _) = execution.next_command().expect("the wait");
    let mut largest = 0;
    for n in 0..1_000_000 {
        let (op, _) = execution.next_command().expect("the work");
        execution.complete(op, Timestamp::from_seconds(2_000), Ok(Value::Null));
        if n % 50_000 == 0 {
            let snapshot = execution.save();
            largest = largest.max(snapshot.len());
            execution = program.load(&snapshot).expect("a snapshot loads");
            assert_eq!(execution.next_command().map(|(op, _)| op), Some(month));
        }
    }
    assert!(largest < 400, "{largest}");
    assert_eq!(execution.describe().len(), 2);
    execution.complete(month, Timestamp::from_seconds(9_000_000), Ok(Value::Null));
    assert_eq!(execution.result(), Some(&Ok(value!(["a month later", null]))));
}

#[test]
fn an_endless_cycle_ends_with_a_fault() {
    for (mode, n, ends) in [
        ("spin", 999_999, true),
        ("spin", 1_000_001, false),
        ("spin-fork", 499_999, true),
        ("spin-fork", 2_000_000, false),
    ] {
        let execution = start(Program::of::<Extremes>(), value!({ "mode": mode, "n": n }));
        match execution.result() {
            Some(Ok(output)) if ends => assert_eq!(output, &Value::from("spun")),
            Some(Err(fault)) if !ends => {
                assert_eq!(fault.error(), Some("Workflow.TurnLimitExceeded"));
                let cause = fault.cause().and_then(Value::as_str).expect("a cause");
                assert!(cause.ends_with("the execution entered more than 1000000 states without waiting"), "{cause}");
            }
            other => panic!("{mode} {n}: {other:?}"),
        }
    }
}

#[test]
fn a_map_tolerates_as_many_failures_as_it_says() {
    let run = |limits: Value| {
        let mut input = value!({ "mode": "wide", "n": 2, "items": [0, 1, 2, 3] });
        for (key, limit) in limits.as_object().expect("limits").iter() {
            input.as_object_mut().expect("an object").insert(key.clone(), limit.clone());
        }
        let mut execution = start(Program::of::<Extremes>(), input);
        while let Some((op, command)) = execution.next_command() {
            let Command::Invoke(invocation) = command else { panic!("{command:?}") };
            let odd = invocation.input.as_i64().is_some_and(|n| n % 2 == 1);
            let outcome = if odd { Err(Fault::new("Odd", "number")) } else { Ok(invocation.input.clone()) };
            execution.complete(op, Timestamp::default(), outcome);
        }
        execution.result().cloned().expect("an end")
    };
    assert_eq!(run(value!({ "count": 2 })), Ok(value!([0, null, 2, null])));
    assert_eq!(run(value!({ "percentage": 50.0 })), Ok(value!([0, null, 2, null])));
    let exceeded = run(value!({ "count": 1 })).expect_err("too many");
    assert_eq!(exceeded.error(), Some("States.ExceedToleratedFailureThreshold"));
    assert_eq!(run(value!({})).expect_err("none is tolerated").error(), Some("Odd"));
}

#[test]
fn nothing_to_iterate_over_is_an_empty_result() {
    for pure in [true, false] {
        let mut input = value!({ "mode": "wide", "n": 0, "items": [] });
        if pure {
            input.as_object_mut().expect("an object").insert("pure", true);
        }
        assert_eq!(start(Program::of::<Extremes>(), input).result(), Some(&Ok(value!([]))));
    }
    let items: Vec<i64> = (0..5_000).collect();
    let input = value!({ "mode": "wide", "n": 1, "pure": true, "items": items.clone() });
    assert_eq!(start(Program::of::<Extremes>(), input).result(), Some(&Ok(items.into())));
    let execution = start(Program::of::<Extremes>(), value!({ "mode": "wide", "n": 1, "items": "text" }));
    assert!(execution.result().is_some_and(Result::is_err));
}

#[test]
fn code_that_breaks_the_rules_is_a_fault_and_no_panic() {
    for (mode, text) in [("bad", "the state has no branch 0"), ("nothing", "the state does not wait for anything")] {
        let execution = start(Program::of::<Extremes>(), value!({ "mode": mode }));
        let fault = execution.result().and_then(|outcome| outcome.as_ref().err()).expect("a fault");
        assert!(fault.to_string().contains(text), "{fault}");
    }
}

#[test]
fn the_data_limit_holds_for_tasks_and_states() {
    let started = |limit| {
        let start = Start { data_limit: Some(limit), ..Start::new(order_input()) };
        Program::of::<Order>().start(start)
    };
    let mut execution = started(400);
    let (op, _) = execution.next_command().expect("a command");
    execution.complete(op, Timestamp::default(), Ok("x".repeat(399).into()));
    let fault = execution.result().and_then(|outcome| outcome.as_ref().err()).expect("a fault");
    let expected = "States.DataLimitExceeded: The state/task 'arn:aws:lambda:us-east-1:1:function:ChargeCard' returned \
                    a result with a size exceeding the maximum number of bytes service limit.";
    assert_eq!(fault.to_string(), expected);
    assert!(["States.ALL", "States.DataLimitExceeded", "States.TaskFailed"].iter().all(|name| fault.is(&[name])));

    let mut execution = started(400);
    let (op, _) = execution.next_command().expect("a command");
    execution.complete(op, Timestamp::default(), Ok("x".repeat(398).into()));
    let fault = execution.result().and_then(|outcome| outcome.as_ref().err()).expect("a fault");
    assert!(fault.to_string().contains("The state/task 'Charge' returned a result"), "{fault}");
    assert!(!fault.is(&["States.ALL", "States.DataLimitExceeded"]));

    let mut execution = started(600);
    let (op, _) = execution.next_command().expect("a command");
    execution.complete(op, Timestamp::default(), Ok("x".repeat(398).into()));
    assert_eq!(execution.result(), None);
}

/// Returns a document of 2^60 leaves in a few hundred bytes.
fn doubled() -> Value {
    (0..60).fold(value!(1), |part, _| value!({ "a": part.clone(), "b": part }))
}

fn fault_of(execution: &dyn Execution) -> String {
    let fault = execution.result().and_then(|outcome| outcome.as_ref().err()).expect("a fault");
    fault.to_string()
}

#[test]
fn data_that_leaves_an_execution_has_a_default_limit() {
    for data_limit in [None, Some(u64::MAX)] {
        let begin = |input: Value| Program::of::<Extremes>().start(Start { data_limit, ..Start::new(input) });
        let wide = |item: Value| begin(value!({ "mode": "wide", "n": 1, "items": [item] }));
        let limit = data_limit.map_or(64 << 20, |_| 1 << 30);

        let execution = begin(doubled());
        assert!(fault_of(&*execution).starts_with("States.DataLimitExceeded: The state/task '' returned"));
        let execution = wide(doubled());
        let expected =
            format!("The input of the task 'Item' has a size exceeding the maximum of {limit} bytes as JSON.");
        assert_eq!(fault_of(&*execution), format!("States.DataLimitExceeded: {expected}"));

        let mut execution = wide(value!("small"));
        let (op, _) = execution.next_command().expect("a command");
        execution.complete(op, Timestamp::default(), Ok(doubled()));
        assert!(fault_of(&*execution).starts_with("States.DataLimitExceeded: The state/task 'item' returned"));

        let mut execution = wide(value!("small"));
        let (op, _) = execution.next_command().expect("a command");
        execution.complete(op, Timestamp::default(), Err(Fault::new("Declined", doubled())));
        let fault = fault_of(&*execution);
        assert!(fault.starts_with(r#"Declined: {"a":{"a":"#) && fault.ends_with('…'), "{fault}");
        assert!(fault.len() < 40_000);
    }
}

#[test]
fn a_small_limit_of_outputs_is_none_of_inputs() {
    let input = value!({ "mode": "wide", "n": 1, "items": ["more than ten bytes"] });
    let mut execution = Program::of::<Extremes>().start(Start { data_limit: Some(10), ..Start::new(input) });
    assert!(execution.next_command().is_some());
    assert_eq!(execution.result(), None);
}

#[test]
fn a_damaged_snapshot_is_an_error_and_no_panic() {
    let (order, _) = at_fan();
    damage(Program::of::<Order>(), &order.save());
    let input = value!({ "mode": "wide", "n": 3, "items": [0, 1, 2, 3, 4], "count": 2 });
    let mut wide = start(Program::of::<Extremes>(), input);
    for outcome in [Ok("first".into()), Err(Fault::new("Second", "failed"))] {
        let (op, _) = wide.next_command().expect("a command");
        wide.complete(op, Timestamp::default(), outcome);
    }
    damage(Program::of::<Extremes>(), &wide.save());
}

fn damage(program: Program, snapshot: &[u8]) {
    for length in 0..snapshot.len() {
        assert!(program.load(&snapshot[..length]).is_err(), "cut off at {length}");
    }
    let mut random = Random(3);
    for _ in 0..10_000 {
        let mut damaged = snapshot.to_vec();
        for _ in 0..1 + random.below(3) {
            let at = random.below(damaged.len());
            damaged[at] = random.below(256) as u8;
        }
        let Ok(mut execution) = program.load(&damaged) else { continue };
        // Any snapshot that loads is an execution: it can be saved, described and driven.
        assert!(program.load(&execution.save()).is_ok());
        execution.describe();
        for _ in 0..50 {
            let Some((op, command)) = execution.next_command() else { break };
            let (time, outcome) = become_of(&command, Timestamp::from_seconds(5_000), 0);
            execution.complete(op, time, outcome);
        }
    }
}

#[test]
fn a_snapshot_of_something_else_is_refused() {
    let (execution, _) = at_fan();
    let error = Program::of::<Extremes>().load(&execution.save()).err().expect("another workflow");
    assert!(error.to_string().contains("the snapshot is of the workflow `order`, not of `extremes`"), "{error}");
    let error = Program::of::<Order>().load(&[9, 9, 9]).err().expect("another format");
    assert!(error.to_string().contains("the snapshot has the format 9"), "{error}");
}
