//! Turns that compute for long: their limits, their pauses, and the workers that run them.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use workflow_runtime::engine::driver::{Driver, DriverExit, Environment, Volatile};
use workflow_runtime::engine::turns::{ExecutionSlot, Turns, Workers};
use workflow_runtime::machine::{Program, Start};
use workflow_runtime::observe::{Event, Observer};
use workflow_runtime::testing::Mocks;
use workflow_runtime::{Builder, Value, value};

use crate::extremes::Extremes;

/// Starts an execution that enters this many states without waiting, with no limit on their
/// number.
fn spin(mode: &str, states: u64) -> Start {
    Start { step_limit: u32::MAX, ..Start::new(value!({ "mode": mode, "n": states })) }
}

/// Runs an execution with its turns on these workers.
async fn run(workers: Workers, limit: Duration, start: Start) -> Result<DriverExit, String> {
    let environment =
        Environment { turns: Turns::default().with_workers(workers).with_limit(limit), ..Environment::default() };
    let (program, tasks) = (Program::of::<Extremes>(), Mocks::new());
    let mut driver = Driver::new(program, program.begin(start), environment, &tasks, Volatile);
    driver.run().await.map_err(|stopped| format!("{stopped:?}"))
}

fn threads(number: usize) -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(number).enable_time().build().expect("a runtime")
}

#[test]
fn a_turn_that_computes_for_too_long_fails_with_a_name() {
    for mode in ["spin", "spin-fork"] {
        let builder = Builder::<Extremes>::new().step_limit(u32::MAX).turn_time(Duration::from_millis(20));
        let input = value!({ "mode": mode, "n": i64::MAX });
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let fault = runtime.block_on(builder.tasks(&Mocks::new()).run(input)).expect_err("it spins");
        assert_eq!(fault.error(), Some("Workflow.TurnLimitExceeded"), "{mode}");
        assert!(fault.is_uncatchable());
        let cause = fault.cause().and_then(Value::as_str).expect("a cause");
        assert!(cause.ends_with("the execution computed for more than 0.02 s without waiting"), "{cause}");
    }
}

/// Iterations that do not wait are part of the turn, and tolerated failures do not cover the fault
/// of the turn.
#[test]
fn a_map_ends_with_the_turn() {
    let items: Vec<Value> = (0..200_000).map(Value::from).collect();
    let start =
        || Start::new(value!({ "mode": "wide", "n": 1, "pure": true, "percentage": 100.0, "items": items.clone() }));
    let mut execution = Program::of::<Extremes>().begin(start());
    let mut slices = 0;
    while execution.info().is_computing() {
        execution.compute(Duration::ZERO, Duration::MAX);
        slices += 1;
    }
    assert!(slices > 1_000, "{slices} slices");
    assert!(matches!(execution.result(), Some(Ok(_))));
    let mut execution = Program::of::<Extremes>().begin(start());
    execution.compute(Duration::ZERO, Duration::MAX);
    assert!(execution.info().is_computing());
    execution.compute(Duration::MAX, Duration::ZERO);
    assert!(!execution.info().is_computing());
    let fault = execution.result().and_then(|result| result.as_ref().err()).expect("the turn has ended");
    assert_eq!(fault.error(), Some("Workflow.TurnLimitExceeded"));
}

#[test]
fn a_worker_outlives_executions_that_are_dropped() {
    struct Bomb;
    impl Observer for Bomb {
        fn observe(&mut self, _: &Event<'_>) {}
    }
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("an observer that panics when it is dropped");
        }
    }
    let runtime = threads(1);
    runtime.block_on(async {
        let workers = Workers::new(1);
        for _ in 0..3 {
            let start = Start { observers: vec![Box::new(Bomb)], ..spin("spin", u64::MAX >> 1) };
            let spinning = tokio::spawn(run(workers.clone(), Duration::MAX, start));
            tokio::time::sleep(Duration::from_millis(20)).await;
            spinning.abort();
        }
        let again = run(workers, Duration::MAX, spin("spin", 1_000)).await;
        assert_eq!(again, Ok(DriverExit::Ended(Ok("spun".into()))));
    });
}

#[test]
fn a_turn_pauses_between_states_without_effect() {
    for mode in ["spin", "spin-fork"] {
        let program = Program::of::<Extremes>();
        let mut execution = program.begin(spin(mode, 10_000));
        let mut slices = 0;
        while execution.info().is_computing() {
            execution.compute(Duration::ZERO, Duration::MAX);
            slices += 1;
        }
        assert!(slices > 100, "{mode}: {slices} slices");
        assert_eq!(execution.result(), Some(&Ok(Value::from("spun"))), "{mode}");
    }
}

#[test]
fn the_limit_is_one_of_the_turn_and_not_of_a_slice() {
    let mut execution = Program::of::<Extremes>().begin(spin("spin", u64::MAX >> 1));
    let (slice, limit) = (Duration::from_millis(1), Duration::from_millis(500));
    let mut slices = 0;
    while execution.info().is_computing() {
        execution.compute(slice, limit);
        slices += 1;
    }
    assert!(slices > 1);
    let fault = execution.result().and_then(|result| result.as_ref().err()).expect("it spins");
    assert_eq!(fault.error(), Some("Workflow.TurnLimitExceeded"));
}

#[test]
fn executions_that_compute_stop_no_timers_and_no_other_executions() {
    let runtime = threads(1);
    runtime.block_on(async {
        let workers = Workers::new(2);
        let spinning: Vec<_> =
            (0..4).map(|_| tokio::spawn(run(workers.clone(), Duration::MAX, spin("spin", u64::MAX >> 1)))).collect();
        // The queue is fair: a short turn ends long before the earlier long turns.
        let short = tokio::spawn(run(workers.clone(), Duration::MAX, spin("spin", 1_000)));
        tokio::time::sleep(Duration::from_millis(1)).await;
        let rest = short.await.expect("it does not panic");
        assert_eq!(rest, Ok(DriverExit::Ended(Ok("spun".into()))));
        assert!(spinning.iter().all(|execution| !execution.is_finished()));
        spinning.iter().for_each(tokio::task::JoinHandle::abort);
        // The workers have released their turns.
        let again = run(workers, Duration::MAX, spin("spin", 1_000)).await;
        assert_eq!(again, Ok(DriverExit::Ended(Ok("spun".into()))));
    });
}

#[test]
fn a_runtime_with_several_threads_keeps_them_for_others() {
    let runtime = threads(1);
    runtime.block_on(async {
        let spinning = tokio::spawn(async {
            let builder = Builder::<Extremes>::new().step_limit(u32::MAX).turn_time(Duration::from_secs(3_600));
            builder.tasks(&Mocks::new()).run(value!({ "mode": "spin", "n": i64::MAX })).await
        });
        // Both tasks share the one thread of the runtime.
        tokio::spawn(tokio::time::sleep(Duration::from_millis(1))).await.expect("a timer");
        assert!(!spinning.is_finished());
        spinning.abort();
        let started = Instant::now();
        assert!(spinning.await.is_err_and(|error| error.is_cancelled()), "{:?}", started.elapsed());
    });
}

/// Records for each event of an execution if a worker makes it. The second event takes this long,
/// unless the gate opens.
struct Places {
    threads: Arc<Mutex<Vec<bool>>>,
    slow: Duration,
    gate: Arc<AtomicBool>,
}

impl Observer for Places {
    fn observe(&mut self, _: &Event<'_>) {
        let is_worker = std::thread::current().name() == Some("workflow-turns");
        let mut threads = self.threads.lock().unwrap();
        threads.push(is_worker);
        let is_second = threads.len() == 2;
        drop(threads);
        let began = Instant::now();
        while is_second && began.elapsed() < self.slow && !self.gate.load(Ordering::Relaxed) {
            std::thread::sleep(self.slow.min(Duration::from_millis(5)));
        }
    }
}

const SHORT: Duration = Duration::ZERO;
const SLOW: Duration = Duration::from_millis(200);

/// Runs an execution, and returns for each event of its turn if a worker has made it. The first
/// event is its start.
async fn places(workers: &Workers, states: u64, slow: Duration) -> Vec<bool> {
    gated_places(workers.clone(), states, slow, Arc::default()).await
}

async fn gated_places(workers: Workers, states: u64, slow: Duration, gate: Arc<AtomicBool>) -> Vec<bool> {
    let threads = Arc::<Mutex<Vec<bool>>>::default();
    let observers: Vec<Box<dyn Observer>> = vec![Box::new(Places { threads: threads.clone(), slow, gate })];
    let end = run(workers, Duration::MAX, Start { observers, ..spin("spin", states) }).await;
    assert_eq!(end, Ok(DriverExit::Ended(Ok("spun".into()))));
    threads.lock().unwrap().split_off(1)
}

#[test]
fn a_turn_keeps_its_callers_thread_only_while_it_is_short() {
    let runtime = threads(1);
    runtime.block_on(async {
        // A turn that goes on after a millisecond moves once.
        let long = places(&Workers::new(1), 200_000, SHORT).await;
        let here = long.iter().take_while(|is_worker| !**is_worker).count();
        assert!((1..long.len() / 2).contains(&here), "{here} of {}", long.len());
        assert!(long[here..].iter().all(|is_worker| *is_worker));
    });
}

#[test]
fn after_a_long_turn_all_turns_begin_on_workers_for_a_while() {
    let runtime = threads(1);
    runtime.block_on(async {
        // On a loaded machine, a short turn is a long one. It is no warning for these workers.
        assert!(!places(&Workers::new(1), 1, SHORT).await[0]);
        let workers = Workers::new(1);
        // A state keeps the thread for as long as it takes: 200 ms.
        assert!(!places(&workers, 1, SLOW).await[0]);
        let began = Instant::now();
        let next = places(&workers, 1, SHORT).await;
        assert!(next[0] || began.elapsed() > SLOW * 4, "{next:?}");
        // A long turn on a worker counts, too: the effect of the first one ends before.
        let slow = places(&workers, 1, SLOW).await;
        assert!(slow[0] || began.elapsed() > SLOW * 4, "{slow:?}");
        let began = Instant::now();
        tokio::time::sleep(Duration::from_millis(700)).await;
        let next = places(&workers, 1, SHORT).await;
        assert!(next[0] || began.elapsed() > Duration::from_millis(780), "{next:?}");
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert!(!places(&workers, 1, SHORT).await[0]);
    });
}

/// States that all begin at once are no warning for each other.
#[test]
fn long_states_leave_one_thread_of_a_runtime_free() {
    let one = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    for (runtime, number) in [(one, 1), (threads(1), 1), (threads(2), 2), (threads(4), 4)] {
        runtime.block_on(async {
            let (workers, gate, began) = (Workers::new(8), Arc::<AtomicBool>::default(), Instant::now());
            let slow = Duration::from_secs(60);
            let start = || tokio::spawn(gated_places(workers.clone(), 1, slow, gate.clone()));
            let executions: Vec<_> = (0..8).map(|_| start()).collect();
            tokio::spawn(tokio::time::sleep(Duration::from_millis(20))).await.expect("a timer");
            gate.store(true, Ordering::Relaxed);
            assert!(began.elapsed() < slow, "{number} threads");
            let mut here = 0;
            for execution in executions {
                here += usize::from(!execution.await.expect("it does not panic")[0]);
            }
            assert!(here < number && (number == 1 || here > 0), "{here} of {number} threads");
        });
    }
}

#[test]
fn a_turn_that_runs_again_begins_on_a_worker() {
    let runtime = threads(1);
    runtime.block_on(async {
        let threads = Arc::<Mutex<Vec<bool>>>::default();
        let places = Places { threads: threads.clone(), slow: SHORT, gate: Arc::default() };
        let start = Start { observers: vec![Box::new(places)], ..spin("spin", 1) };
        let mut execution = ExecutionSlot::new(Program::of::<Extremes>().begin(start));
        let turns = Turns::default().with_workers(Workers::new(1));
        turns.run_again(&mut execution).await;
        assert!(threads.lock().unwrap()[1..].iter().all(|is_worker| *is_worker));
        // A turn that has ended does not run again.
        turns.run_again(&mut execution).await;
        assert_eq!(execution.result(), Some(&Ok(Value::from("spun"))));
    });
}

#[test]
fn short_turns_that_follow_each_other_yield_to_other_tasks() {
    let runtime = threads(1);
    let work = async |workers: &Workers| {
        for _ in 0..40 {
            places(workers, 1, Duration::from_micros(300)).await;
        }
    };
    let ended = Cell::new(false);
    let others = async || {
        let mut polls = 0;
        while !ended.get() {
            polls += 1;
            tokio::task::yield_now().await;
        }
        polls
    };
    let workers = Workers::new(1);
    let (polls, ()) = runtime.block_on(async {
        tokio::join!(others(), async {
            work(&workers).await;
            ended.set(true);
        })
    });
    // The turns take more than 12 ms together.
    assert!(polls > 5, "{polls} polls");
}
