//! Iterations that are divided among executions have the results that they have in one execution.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use workflow_runtime::clock::Clock;
use workflow_runtime::engine::driver::{Callbacks, Driver, DriverExit, Environment, Volatile};
use workflow_runtime::engine::turns::Turns;
use workflow_runtime::fault::names;
use workflow_runtime::machine::{
    Batching, Command, Execution, Occurrence, Outcome, Program, Start, Stop, Task, WaitsFor,
};
use workflow_runtime::observe::{Event, EventKind, Observer};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::testing::{self, VirtualClock};
use workflow_runtime::{Array, Fault, TaskContext, Value, include_workflow, value};
use workflow_tests::divided::Divided;

include_workflow!("../engines/restate/tests/flows/parcels.asl.json");

use parcels::Parcels;

/// Tasks that weigh, print and wait for an answer. Clones share their notes.
#[derive(Clone, Default)]
struct Depot(Arc<Mutex<Notes>>, Callbacks);

#[derive(Default)]
struct Notes {
    /// The requested calls: task, input, attempt.
    calls: Vec<String>,
    tokens: Vec<String>,
    at_once: usize,
    most_at_once: usize,
    events: BTreeMap<String, Vec<String>>,
}

impl Depot {
    fn note<T>(&self, note: impl FnOnce(&mut Notes) -> T) -> T {
        note(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Invoke for Depot {
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        Box::pin(async move {
            let payload = input.get("Payload").cloned();
            let place = [&input, payload.as_ref().unwrap_or(&input)];
            let place = place.into_iter().find_map(|of| of.get("place")).and_then(Value::as_i64).unwrap_or_default();
            if let Some(token) = cx.token() {
                self.note(|notes| notes.tokens.push(token.to_owned()));
                let (callbacks, token) = (self.1.clone(), token.to_owned());
                callbacks.succeed(&token, place * 10).expect("it is waited for");
                return Ok(Value::Null);
            }
            let parcel = input.get("parcel").unwrap_or(&input).clone();
            self.note(|notes| {
                notes.calls.push(format!("{} {input}, attempt {}", task.key, cx.attempt()));
                notes.at_once += 1;
                notes.most_at_once = notes.most_at_once.max(notes.at_once);
            });
            cx.sleep(Duration::from_millis(10 + place as u64 * 7 % 40)).await;
            self.note(|notes| notes.at_once -= 1);
            match parcel.get("kind").and_then(Value::as_str) {
                Some("busy") if cx.attempt() < 2 => Err(Fault::new("Busy", "later")),
                Some("broken") => Err(Fault::new("Broken", parcel.get("number").cloned().unwrap_or_default())),
                _ => Ok(place.into()),
            }
        })
    }
}

/// An observer that notes the events of each branch.
struct Watcher(Depot);

impl Observer for Watcher {
    fn observe(&mut self, event: &Event<'_>) {
        let path = event.path.iter().map(|step| format!("{}[{}]", step.state, step.index)).collect::<Vec<_>>();
        let what = match &event.kind {
            EventKind::StateEntered { input } if event.state != "Ask" => format!("entered with {input}"),
            EventKind::StateExited { output } => format!("exited with {output}"),
            EventKind::TaskFailed { fault, .. } => format!("failed: {fault}"),
            other => other.name().to_owned(),
        };
        let line = format!("{} {what}", event.state);
        self.0.note(|notes| notes.events.entry(path.join("/")).or_default().push(line));
    }
}

/// Runs an execution, divided into batches of this size or whole. Returns its outcome.
fn run(input: &Value, size: Option<u32>, reloads: bool) -> (Option<Outcome>, Depot) {
    let (clock, depot) = (VirtualClock::new(), Depot::default());
    let start = Start {
        name: Some("e".into()),
        seed: Some(1),
        time: Some(Clock::now(&clock)),
        batching: size.map(|size| Batching { above: 5, size }),
        ..Start::new(input.clone())
    };
    let program = Program::of::<Parcels>();
    let watcher = depot.clone();
    let execution: Box<dyn Execution> = match size {
        None => program.start(Start { observers: vec![Box::new(Watcher(watcher))], ..start }),
        Some(_) => Box::new(Divided::start(program, start, reloads, move || Box::new(Watcher(watcher.clone())))),
    };
    let callbacks = Some(depot.1.clone());
    let environment = Environment {
        clock: Arc::new(clock),
        callbacks,
        tasks_at_once: usize::MAX,
        hub: None,
        sink: None,
        objects: None,
        turns: Turns::default(),
    };
    let mut driver = Driver::new(program, execution, environment, &depot, Volatile);
    let outcome = match testing::block_on(driver.run()) {
        Some(Ok(DriverExit::Ended(outcome))) => Some(outcome),
        _ => None,
    };
    drop(driver);
    (outcome, depot)
}

fn parcels(count: i64, parcel: impl Fn(i64) -> Value) -> Array {
    (0..count).map(parcel).collect::<Vec<_>>().into()
}

#[test]
fn outputs_histories_and_calls_are_those_of_the_whole() {
    let kinds = |number: i64| match number % 7 {
        1 => value!({ "number": number, "kind": "busy" }),
        3 => value!({ "number": number, "labels": ["a", "b", "c", "d", "e", "f", "g"] }),
        5 => value!({ "number": number, "ask": true }),
        _ => value!({ "number": number }),
    };
    let input = value!({ "sender": "Ada", "limit": 0, "parcels": parcels(50, kinds) });
    let (expected, whole) = run(&input, None, false);
    assert!(expected.as_ref().unwrap().as_ref().unwrap().get(49).is_some(), "{expected:?}");
    for size in [1, 7, 49, 50, 1000] {
        let (outcome, depot) = run(&input, Some(size), size != 7);
        assert_eq!(outcome, expected, "{size}");
        let sorted = |depot: &Depot| {
            let mut calls = depot.note(|notes| notes.calls.clone());
            calls.sort_unstable();
            calls
        };
        assert_eq!(sorted(&depot), sorted(&whole), "{size}");
        let events = depot.note(|notes| notes.events.clone());
        assert_eq!(events, whole.note(|notes| notes.events.clone()), "{size}");
        let tokens = depot.note(|notes| notes.tokens.clone());
        assert_eq!((tokens.len(), tokens.iter().collect::<BTreeSet<_>>().len()), (7, 7), "{size}");
    }
}

#[test]
fn the_limit_is_one_of_the_whole() {
    for limit in [1, 3, 10, 25, 40] {
        let input =
            value!({ "sender": "Ada", "limit": limit, "parcels": parcels(60, |number| value!({ "number": number })) });
        for size in [4, 10] {
            let (outcome, depot) = run(&input, Some(size), false);
            assert_eq!(outcome, run(&input, None, false).0);
            let most = depot.note(|notes| notes.most_at_once);
            // As many batches as fit run, with all their iterations. If the limit is smaller than
            // a batch, one batch runs with that many iterations.
            let expected = if limit < i64::from(size) { limit } else { limit / i64::from(size) * i64::from(size) };
            assert_eq!(most as i64, expected, "limit {limit}, size {size}");
        }
    }
}

#[test]
fn the_first_fault_ends_all_batches() {
    let broken = |number: i64| match number {
        33 => value!({ "number": number, "kind": "broken" }),
        _ => value!({ "number": number }),
    };
    for limit in [0, 2, 10] {
        let input = value!({ "sender": "Ada", "limit": limit, "parcels": parcels(50, broken) });
        let (outcome, depot) = run(&input, Some(10), true);
        assert_eq!(outcome, Some(Ok(value!({ "Error": "Broken", "Cause": 33 }))));
        assert_eq!(outcome, run(&input, None, false).0);
        // Iterations of later batches do not begin any more.
        let begun = depot.note(|notes| notes.calls.len());
        assert!(if limit == 0 { begun == 50 } else { begun <= 40 }, "{begun}");
    }
}

#[test]
fn what_is_tolerated_is_counted_over_the_whole() {
    // Two of each ten fail.
    let broken = |number: i64| match number % 10 {
        3 | 8 => value!({ "number": number, "kind": "broken" }),
        _ => value!({ "number": number }),
    };
    for (tolerated, limit) in [(10, 0), (9, 0), (10, 10), (9, 10), (1, 3), (0, 0)] {
        let input = value!({ "limit": limit, "tolerated": tolerated, "parcels": parcels(50, broken) });
        let (outcome, depot) = run(&input, Some(10), true);
        assert_eq!(outcome, run(&input, None, false).0, "{tolerated} {limit}");
        match outcome.unwrap() {
            Ok(outputs) => {
                assert_eq!(tolerated, 10);
                let outputs = outputs.as_array().unwrap().clone();
                assert_eq!(outputs.iter().filter(|output| output.is_null()).count(), 10);
            }
            Err(fault) => assert_eq!(fault.error(), Some(names::EXCEED_TOLERATED_FAILURE_THRESHOLD)),
        }
        if limit == 3 {
            // The second batch stops at the first failure beyond the tolerance.
            assert!(depot.note(|notes| notes.calls.len()) <= 12);
        }
    }
}

#[test]
fn what_is_cancelled_and_what_is_late_ends_with_the_whole() {
    let program = Program::of::<Parcels>();
    let input = value!({ "sender": "Ada", "limit": 20, "parcels": parcels(50, |number| value!({ "number": number })) });
    let start = || Start { batching: Some(Batching { above: 49, size: 10 }), ..Start::new(input.clone()) };
    let mut execution = program.start(start());
    let next = |execution: &mut Box<dyn Execution>| {
        std::iter::from_fn(|| execution.next_command())
            .map(|(op, command)| match command {
                Command::Batch(batch) => (op, batch),
                other => panic!("{other:?}"),
            })
            .collect::<Vec<_>>()
    };
    let batches = next(&mut execution);
    assert_eq!(batches.iter().map(|(_, batch)| (batch.first, batch.items)).collect::<Vec<_>>(), [(0, 10), (10, 10)]);
    let waiting = execution.describe();
    let waits = waiting.iter().filter(|one| one.waits_for == WaitsFor::Batch { first: 10, items: 10 });
    assert_eq!(waits.map(|one| (one.state, one.path.len())).collect::<Vec<_>>(), [("Strict", 0)]);

    // The batch that has ended makes room for another one. A loaded execution requests its pending
    // operations again.
    let mut first = program.load_batch(&execution.batch(batches[0].0).unwrap(), Vec::new()).unwrap();
    first.finish_turn();
    assert_eq!((first.info().id(), first.info().deadline()), (execution.info().id(), execution.info().deadline()));
    while let Some((op, command)) = first.next_command() {
        assert!(matches!(command, Command::Invoke(_)));
        first.complete(op, execution.info().deadline().unwrap(), Ok(Value::Null));
    }
    let outcome = first.result().unwrap().clone();
    assert_eq!(outcome.as_ref().unwrap().get("failed"), Some(&Value::from(0)));
    let ended = execution.info().deadline().unwrap();
    assert!(execution.complete(batches[0].0, ended, outcome.clone()));
    assert!(!execution.complete(batches[0].0, ended, outcome), "it is not waited for any more");
    let mut execution = program.load(&execution.save()).unwrap();
    let batches = next(&mut execution);
    assert_eq!(batches.iter().map(|(_, batch)| batch.first).collect::<Vec<_>>(), [10, 20]);

    // An outcome without the outputs of the batch yields a fault, and is not ignored.
    let mut other = program.load(&execution.save()).unwrap();
    assert!(other.complete(batches[0].0, ended, Ok(value!({ "outputs": [1, 2], "failed": 0 }))));
    assert!(other.result().unwrap().as_ref().unwrap_err().to_string().contains("does not match its items"));

    // A batch that ends after the deadline of the execution counts as late.
    let late = workflow_runtime::Timestamp::from_micros(ended.as_micros() + 1);
    let mut second = program.load_batch(&execution.batch(batches[0].0).unwrap(), Vec::new()).unwrap();
    second.finish_turn();
    let (op, _) = second.next_command().unwrap();
    assert!(second.complete(op, late, Ok(Value::Null)));
    let mut other = program.load(&execution.save()).unwrap();
    assert!(other.complete(batches[0].0, late, second.result().unwrap().clone()));
    assert_eq!(other.result(), Some(&Err(Fault::timeout())));

    execution.apply(ended, Occurrence::Ended(Err(Fault::new(names::CANCELLED, ""))));
    let stops: Vec<Stop> = std::iter::from_fn(|| execution.next_stop()).collect();
    assert_eq!(stops, [Stop::Op(batches[0].0), Stop::Op(batches[1].0)]);
}

#[test]
fn what_is_no_batch_is_refused() {
    let program = Program::of::<Parcels>();
    let input = value!({ "sender": "Ada", "limit": 0, "parcels": parcels(9, |number| value!({ "number": number })) });
    let start =
        |above| Start { batching: Some(Batching { above, size: 4 }), seed: Some(1), ..Start::new(input.clone()) };
    let mut whole = program.start(start(9));
    assert!(matches!(whole.next_command(), Some((_, Command::Invoke(_)))), "it has not too many items");
    let refused = |bytes: &[u8]| program.load_batch(bytes, Vec::new()).err().map(|error| error.to_string());
    assert!(refused(&whole.save()).unwrap().contains("it is not the start of a batch"));
    let mut execution = program.start(start(8));
    let (op, _) = execution.next_command().unwrap();
    let bytes = execution.batch(op).unwrap();
    assert!(program.load(&bytes).is_err());
    let mut batch = program.load_batch(&bytes, Vec::new()).unwrap();
    batch.finish_turn();
    assert!(refused(&batch.save()).unwrap().contains("it has already started"));
    // Loading returns an error or an execution, whatever the bytes.
    for bytes in [bytes, batch.save(), execution.save()] {
        for at in 0..bytes.len() {
            for change in [1, 0x80, 0xff] {
                let mut changed = bytes.clone();
                changed[at] ^= change;
                let loaded = [program.load(&changed), program.load_batch(&changed, Vec::new())];
                loaded.into_iter().flatten().for_each(|mut execution| run_through(&mut *execution));
            }
        }
    }
}

/// Runs an execution to its end.
fn run_through(execution: &mut dyn Execution) {
    let at = workflow_runtime::Timestamp::from_seconds(0);
    execution.finish_turn();
    while let Some((op, command)) = execution.next_command() {
        let outcome = match command {
            Command::Batch(_) => {
                execution.batch(op).map_or(Value::Null, |_| value!({ "outputs": [1, 2, 3, 4], "failed": 4 }))
            }
            _ => Value::Null,
        };
        execution.complete(op, at, Ok(outcome));
    }
    let _saved = execution.save();
}
