//! The engine in memory, under virtual time, with mocked and with real tasks.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::extremes::{self, Extremes};
use crate::order::Order;
use workflow_runtime::__private::{self as rt, Invoke, TaskFuture};
use workflow_runtime::observe::{Event, Observer};
use workflow_runtime::testing::{self, Mocks, Reply, VirtualClock};
use workflow_runtime::{Builder, Callbacks, Fault, TaskContext, Value, value};

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn input() -> Value {
    value!({ "id": "o-1", "card": "4111", "count": 1, "items": [1, 2] })
}

/// Returns mocks of all tasks but the charge, for an order that succeeds.
fn others() -> Mocks {
    Mocks::new()
        .task("Reserve", [Reply::ok("reserved").after(seconds(3))])
        .task("Label", [Reply::ok("label")])
        .state("Pack", [Reply::ok("second").to(value!({ "order": "o-1", "item": 2 })), Reply::ok("first")])
        .task("sqs:sendMessage", [Reply::ok("approved").after(seconds(600))])
}

fn run(mocks: &Mocks) -> testing::Report {
    testing::run(Builder::<Order>::new().seed(1).name("run-1"), mocks, input())
}

const ALL: [&str; 12] =
    ["Charge", "Count", "Less", "Count", "Cool", "Fan", "Reserve", "Rest", "Label", "Each", "Pack", "Pack"];

#[test]
fn an_order_goes_well_and_takes_no_time() {
    let mocks = others().task("ChargeCard", [Reply::ok("receipt")]);
    let report = run(&mocks);
    let expected = value!({
        "id": "o-1", "card": "4111", "count": 0, "items": [1, 2], "charge": "receipt",
        "fan": ["reserved", "label"], "packed": ["first", "second"], "approval": "approved"
    });
    assert_eq!(report.outcome, Ok(expected));
    assert_eq!(report.visited[..12], ALL);
    assert_eq!(report.visited[12..], ["Approve"]);
    assert_eq!(report.elapsed, seconds(30 + 5 + 600));
    assert_eq!(mocks.unused(), []);
    let keys: Vec<_> = report.calls.iter().map(|call| call.idempotency_key.as_str()).collect();
    assert_eq!(keys[..3], ["order/run-1/1-0", "order/run-1/7-0", "order/run-1/9-0"]);
}

#[test]
fn a_name_is_an_id_or_nothing_runs() {
    for (name, problem) in
        [("..", "the id `..` is a relative path"), ("event /shop 7", "the id `event /shop 7` starts with `event `")]
    {
        let mocks = others();
        let report = testing::run(Builder::<Order>::new().seed(1).name(name), &mocks, input());
        let fault = report.outcome.expect_err(name);
        assert!(fault.cause().and_then(Value::as_str).is_some_and(|cause| cause.starts_with(problem)), "{fault}");
        assert!(report.calls.is_empty());
    }
}

#[test]
fn reloading_at_every_completion_changes_nothing() {
    let replies = || {
        let flaky = Reply::error("Flaky", "busy").after(seconds(2));
        others().task("ChargeCard", [flaky, Reply::never(), Reply::ok("receipt").after(seconds(1))])
    };
    let builder = || Builder::<Order>::new().seed(3).name("run-1");
    let plain = testing::run(builder(), &replies(), input());
    let reloaded = testing::run(builder().reload_at_every_completion(true), &replies(), input());
    assert_eq!(plain, reloaded);
    // A fault after 2 s, a delay of 1 s, 20 s without a heartbeat, a delay of 2 s, and 1 s.
    assert_eq!(plain.elapsed, seconds(2 + 1 + 20 + 2 + 1) + seconds(30 + 5 + 600));
}

#[test]
fn retries_are_used_up_and_a_catcher_may_handle_the_rest() {
    let flaky = || Reply::error("Flaky", "busy");
    let report = run(&Mocks::new().task("ChargeCard", [flaky(), flaky(), flaky(), flaky()]));
    assert_eq!(report.outcome.expect_err("used up").error(), Some("Flaky"));
    assert_eq!(report.elapsed, seconds(1 + 2 + 4));

    let declined = [Reply::error("Declined", "no money")];
    let report = run(&Mocks::new().task("ChargeCard", declined).task("Notify", [Reply::ok("sent")]));
    assert_eq!(report.outcome, Ok("sent".into()));
    assert_eq!(report.visited, ["Charge", "Notify"]);
    let error = report.calls[1].input.get("error");
    assert_eq!(error, Some(&value!({ "Error": "Declined", "Cause": "no money" })));

    let report = run(&Mocks::new().task("ChargeCard", [Reply::error("Unknown", "")]));
    assert_eq!(report.outcome, Err(Fault::new("Unknown", "")));
}

#[test]
fn a_task_that_takes_too_long_times_out() {
    // Heartbeats are due every 20 s. A task without heartbeats times out first, which the retrier
    // treats as a timeout.
    let report = run(&Mocks::new().task("ChargeCard", [Reply::never(), Reply::error("Other", "")]));
    assert_eq!(report.elapsed, seconds(20 + 1));
    assert_eq!(report.calls.len(), 2);

    let mocks = Mocks::new()
        .task("ChargeCard", [Reply::ok("receipt")])
        .task("Reserve", [Reply::ok("")])
        .task("Label", [Reply::ok("")])
        .task("Pack", [Reply::ok(""), Reply::ok("")])
        .task("sqs:sendMessage", [Reply::never()]);
    let report = run(&mocks);
    let fault = report.outcome.expect_err("no approval");
    assert_eq!((fault.error(), fault.cause()), (Some("States.Timeout"), None));
    assert_eq!(report.elapsed, seconds(30 + 5 + 3_600));
}

#[test]
fn the_execution_as_a_whole_times_out() {
    let mocks = Mocks::new().task("ChargeCard", [Reply::ok("receipt")]).task("Reserve", [Reply::never()]);
    let mocks = mocks.task("Label", [Reply::ok("")]);
    let report = run(&mocks);
    assert_eq!(report.outcome, Err(Fault::timeout()));
    assert_eq!(report.elapsed, seconds(86_400));
}

#[test]
fn a_test_that_cannot_go_on_says_so() {
    let report = testing::run(
        Builder::<Extremes>::new(),
        &Mocks::new().task("Item", [Reply::never()]),
        value!({ "mode": "deep", "n": 1 }),
    );
    let fault = report.outcome.expect_err("stuck");
    let expected = "States.Runtime: the execution waits forever, in `Deep`, `Deep`";
    assert_eq!(fault.to_string(), expected);
    assert_eq!(report.waiting.len(), 2);

    let report = run(&Mocks::new());
    let fault = report.outcome.expect_err("no reply");
    let text = "no reply left for the task `ChargeCard` of the state `Charge` with the input \"4111\"";
    assert!(fault.to_string().contains(text), "{fault}");
}

/// A task that runs a closure.
struct Closure<F>(F);

impl<F: Fn(Value, TaskContext) -> TaskFuture<'static> + Send + Sync> Invoke for Closure<F> {
    fn invoke<'a>(&'a self, _task: &'static rt::Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        self.0(input, cx)
    }
}

fn one_task(tasks: &dyn Invoke, clock: VirtualClock) -> impl Future<Output = Result<Value, Fault>> + Send {
    Builder::<Extremes>::new().clock(clock).tasks(tasks).run(value!({ "mode": "beside", "n": 1 }))
}

#[tokio::test]
async fn a_panicking_task_is_a_fault() {
    let at_once = Closure(|_, _| -> TaskFuture<'static> { panic!("before there is a future") });
    let in_first_poll =
        Closure(|_, _| -> TaskFuture<'static> { Box::pin(async { panic!("in the {}", "first poll") }) });
    let later = Closure(|_, _| -> TaskFuture<'static> {
        Box::pin(async {
            tokio::task::yield_now().await;
            std::panic::panic_any(7)
        })
    });
    for (tasks, text) in [
        (&at_once as &dyn Invoke, "before there is a future"),
        (&in_first_poll, "in the first poll"),
        (&later, "no message"),
    ] {
        let fault = one_task(tasks, VirtualClock::new()).await.expect_err("a panic");
        assert_eq!(fault.error(), Some("States.TaskFailed"));
        assert_eq!(fault.cause(), Some(&format!("the task panicked: {text}").into()));
    }
}

#[tokio::test]
async fn a_task_whose_outcome_cannot_arrive_fails_before_it_runs() {
    let tasks = Closure(|_, cx: TaskContext| -> TaskFuture<'static> {
        assert!(!cx.awaits_callback(), "the task runs");
        Box::pin(std::future::ready(Ok(1.into())))
    });
    let execution = Builder::<Order>::new().clock(VirtualClock::new()).tasks(&tasks);
    let fault = execution.run(input()).await.expect_err("no callbacks");
    assert_eq!(
        fault.to_string(),
        "Workflow.NoCallbacks: the task `sqs:sendMessage` of the state `Approve` waits for an outcome by token, and the \
         execution has no `Callbacks`: set them with `Builder::callbacks`"
    );
    // No handler hides the mistake of the program.
    assert!(fault.is_uncatchable() && !fault.is(&["States.ALL", "Workflow.NoCallbacks"]));
}

#[tokio::test]
async fn heartbeats_keep_a_task_alive() {
    let tasks = Closure(|_, cx: TaskContext| -> TaskFuture<'static> {
        Box::pin(async move {
            for _ in 0..3 {
                cx.sleep(seconds(15)).await;
                cx.heartbeat();
            }
            cx.sleep(seconds(14)).await;
            Err(Fault::new("Alive", cx.now().to_string()))
        })
    });
    let order = || Builder::<Order>::new().clock(VirtualClock::new());
    let fault = order().tasks(&tasks).run(input()).await.expect_err("a fault of the task");
    assert_eq!(fault.to_string(), "Alive: 2026-01-01T00:00:59.000Z");

    let attempts = Arc::new(Mutex::new(Vec::new()));
    let log = attempts.clone();
    let silent = Closure(move |_, cx: TaskContext| -> TaskFuture<'static> {
        log.lock().expect("a lock").push(cx.now().to_string());
        Box::pin(async move {
            cx.sleep(seconds(15)).await;
            cx.heartbeat();
            std::future::pending().await
        })
    });
    let fault = order().tasks(&silent).run(input()).await.expect_err("silence");
    assert_eq!((fault.error(), fault.is_heartbeat_timeout()), (Some("States.Timeout"), true));
    let expected = ["00:00:00", "00:00:36", "00:01:13", "00:01:52"].map(|time| format!("2026-01-01T{time}.000Z"));
    assert_eq!(*attempts.lock().expect("a lock"), expected);
}

/// A value that counts its drops.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[tokio::test]
async fn cancelled_tasks_are_dropped_and_notified() {
    let (dropped, notified) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (counter, notify) = (dropped.clone(), notified.clone());
    let tasks = Closure(move |input: Value, cx: TaskContext| -> TaskFuture<'static> {
        let counted = Counted(counter.clone());
        let (detached, notify) = (cx.clone(), notify.clone());
        tokio::spawn(async move {
            detached.cancelled().await;
            notify.fetch_add(1, Ordering::SeqCst);
        });
        Box::pin(async move {
            let _counted = counted;
            if input == 3.into() {
                cx.sleep(seconds(5)).await;
                return Err(Fault::new("Third", "fails"));
            }
            std::future::pending().await
        })
    });
    let input = value!({ "mode": "wide", "n": 0, "items": [1, 2, 3, 4] });
    let fault = Builder::<Extremes>::new().clock(VirtualClock::new()).tasks(&tasks).run(input.clone()).await;
    assert_eq!(fault.expect_err("a fault").error(), Some("Third"));
    assert_eq!(dropped.load(Ordering::SeqCst), 4);
    tokio::task::yield_now().await;
    assert_eq!(notified.load(Ordering::SeqCst), 4);

    let running = Builder::<Extremes>::new().clock(VirtualClock::new().steered()).tasks(&tasks).run(input);
    assert!(tokio::time::timeout(Duration::from_millis(20), running).await.is_err());
    assert_eq!(dropped.load(Ordering::SeqCst), 8, "an execution that is dropped drops its tasks");
    tokio::task::yield_now().await;
    assert_eq!(notified.load(Ordering::SeqCst), 8);
}

/// A waker that counts its drops.
struct CountedWaker {
    _counted: Counted,
}

impl std::task::Wake for CountedWaker {
    fn wake(self: Arc<Self>) {}
}

#[tokio::test]
async fn an_abandoned_wait_for_cancellation_leaves_no_waker() {
    let gone = Arc::new(AtomicUsize::new(0));
    let counter = gone.clone();
    let tasks = Closure(move |_, cx: TaskContext| -> TaskFuture<'static> {
        let counter = counter.clone();
        Box::pin(async move {
            for _ in 0..100 {
                let waker = Arc::new(CountedWaker { _counted: Counted(counter.clone()) }).into();
                let mut wait = Box::pin(cx.cancelled());
                for _ in 0..2 {
                    assert!(wait.as_mut().poll(&mut std::task::Context::from_waker(&waker)).is_pending());
                }
            }
            Err(Fault::new("Waited", counter.load(Ordering::SeqCst).to_string()))
        })
    });
    let fault = one_task(&tasks, VirtualClock::new()).await.expect_err("a fault of the task");
    assert_eq!(fault.to_string(), "Waited: 100");
}

#[tokio::test]
async fn an_outcome_arrives_by_token_from_elsewhere() {
    let callbacks = Callbacks::new();
    let inbox = callbacks.clone();
    let tasks = Closure(move |_, cx: TaskContext| -> TaskFuture<'static> {
        if !cx.awaits_callback() {
            return Box::pin(async { Ok("done".into()) });
        }
        let (inbox, token) = (inbox.clone(), cx.token().expect("a token").to_owned());
        tokio::spawn(async move {
            inbox.heartbeat(&token).expect("it waits");
            inbox.succeed(&token, "from elsewhere").expect("it waits");
            inbox.succeed(&token, "again").expect_err("it has an outcome");
        });
        Box::pin(async { Ok("this does not count".into()) })
    });
    let builder = Builder::<Order>::new().clock(VirtualClock::new()).callbacks(&callbacks);
    let output = builder.tasks(&tasks).run(input()).await.expect("an output");
    assert_eq!(output.get("approval"), Some(&"from elsewhere".into()));
    assert!(callbacks.succeed("no such token", Value::Null).is_err());
}

#[tokio::test]
async fn a_workflow_of_tasks_that_are_always_ready_lets_others_run() {
    let others = Arc::new(AtomicUsize::new(0));
    let count = others.clone();
    let other = tokio::spawn(async move {
        loop {
            count.fetch_add(1, Ordering::SeqCst);
            tokio::task::yield_now().await;
        }
    });
    let tasks = Closure(|_, _| -> TaskFuture<'static> { Box::pin(async { Ok(Value::Null) }) });
    let input = value!({ "mode": "beside", "n": 100_000 });
    let output = Builder::<Extremes>::new().clock(VirtualClock::new()).tasks(&tasks).run(input).await;
    assert_eq!(output, Ok(value!(["a month later", null])));
    assert!(others.load(Ordering::SeqCst) > 500);
    other.abort();
}

#[tokio::test]
async fn a_branch_that_is_always_ready_lets_other_branches_run() {
    let (clock, calls) = (VirtualClock::new(), Arc::new(AtomicUsize::new(0)));
    let (moved, counted) = (clock.clone(), calls.clone());
    // Every call takes a day without a wait. The other branch is due after thirty calls.
    let tasks = Closure(move |_, _| -> TaskFuture<'static> {
        moved.advance(seconds(86_400));
        counted.fetch_add(1, Ordering::SeqCst);
        Box::pin(async { Ok(Value::Null) })
    });
    let slept = Arc::new(AtomicUsize::new(0));
    let noted = slept.clone();
    let observer = Watch(move |event: &Event<'_>| {
        if event.state == "Sleep" && event.kind.name() == "StateExited" {
            noted.store(calls.load(Ordering::SeqCst), Ordering::SeqCst);
        }
    });
    let builder = Builder::<Extremes>::new().clock(clock).observer(observer);
    builder.tasks(&tasks).run(value!({ "mode": "beside", "n": 10_000 })).await.expect("an output");
    assert!((30..1_000).contains(&slept.load(Ordering::SeqCst)), "{slept:?}");
}

/// An observer that is a closure.
struct Watch<F>(F);

impl<F: FnMut(&Event<'_>) + Send> Observer for Watch<F> {
    fn observe(&mut self, event: &Event<'_>) {
        (self.0)(event);
    }
}

/// A task that panics when it is dropped.
struct Spiteful;

impl Drop for Spiteful {
    fn drop(&mut self) {
        panic!("not so fast");
    }
}

#[tokio::test]
async fn a_task_that_panics_when_it_is_dropped_does_not_take_the_execution_along() {
    let tasks = Closure(|input: Value, cx: TaskContext| -> TaskFuture<'static> {
        let spiteful = Spiteful;
        Box::pin(async move {
            if input == 2.into() {
                cx.sleep(seconds(5)).await;
                std::mem::forget(spiteful);
                return Err(Fault::new("Second", "fails"));
            }
            std::future::pending().await
        })
    });
    let input = value!({ "mode": "wide", "n": 0, "items": [1, 2, 3] });
    let fault = Builder::<Extremes>::new().clock(VirtualClock::new()).tasks(&tasks).run(input).await;
    assert_eq!(fault.expect_err("a fault").error(), Some("Second"));

    // A task whose outcome arrives by token, and which returns at once.
    let callbacks = Callbacks::new();
    let tasks = Closure(|_, cx: TaskContext| -> TaskFuture<'static> {
        struct Ready(bool);
        impl Future for Ready {
            type Output = Result<Value, Fault>;
            fn poll(self: std::pin::Pin<&mut Self>, _: &mut std::task::Context<'_>) -> std::task::Poll<Self::Output> {
                std::task::Poll::Ready(Ok(Value::Null))
            }
        }
        impl Drop for Ready {
            fn drop(&mut self) {
                assert!(!self.0, "not so fast");
            }
        }
        Box::pin(Ready(cx.awaits_callback()))
    });
    let builder = Builder::<Order>::new().clock(VirtualClock::new()).callbacks(&callbacks);
    let fault = builder.tasks(&tasks).run(self::input()).await.expect_err("a panic");
    assert_eq!(fault.to_string(), "States.TaskFailed: the task panicked: not so fast");
}

#[tokio::test]
async fn the_clock_of_the_system_ticks() {
    let tasks = Closure(|_, cx: TaskContext| -> TaskFuture<'static> {
        Box::pin(async move {
            cx.sleep(Duration::from_millis(20)).await;
            Ok("slept".into())
        })
    });
    let started = std::time::Instant::now();
    let output = Builder::<Extremes>::new().tasks(&tasks).run(value!({ "mode": "deep", "n": 1 })).await;
    assert_eq!(output, Ok(value!([["slept"], 1])));
    assert!(started.elapsed() >= Duration::from_millis(20));
}

#[test]
fn a_missing_setting_is_reported_before_anything_runs() {
    struct Needy;
    static DEFINITION: rt::Definition = rt::Definition { settings: &["table"], ..copy(&extremes::DEFINITION) };
    impl rt::Workflow for Needy {
        type State = extremes::State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }
    let report = testing::run(Builder::<Needy>::new(), &Mocks::new(), value!({}));
    let text = "the required setting `table` has no value";
    assert!(report.outcome.expect_err("a setting is missing").to_string().contains(text));
    let builder = Builder::<Needy>::new().setting("table", "orders");
    assert_eq!(testing::run(builder, &Mocks::new(), value!({})).outcome, Ok(value!({})));
}

/// Returns a copy of a definition, as a base for changes.
pub const fn copy(of: &rt::Definition) -> rt::Definition {
    rt::Definition {
        name: of.name,
        dialect: of.dialect,
        source: of.source,
        hash: of.hash,
        workflow_id: of.workflow_id,
        timeout_seconds: of.timeout_seconds,
        data_limit: of.data_limit,
        context: of.context,
        longest_task_seconds: of.longest_task_seconds,
        states: of.states,
        tasks: of.tasks,
        points: of.points,
        settings: of.settings,
        events: of.events,
        graph: of.graph,
        ..rt::Definition::VERSION_0_1_0
    }
}
