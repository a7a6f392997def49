//! Executions that wait for events, publish them, and start child executions, without an engine
//! and in memory.

use std::collections::BTreeMap;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

use workflow_runtime::__private as rt;
use workflow_runtime::clock::Clock as _;
use workflow_runtime::engine::driver;
use workflow_runtime::engine::turns::Turns;
use workflow_runtime::event::EventSink;
use workflow_runtime::machine::{
    Call, Command, Delivery, Execution, INBOX_CAPACITY, INBOX_OVERFLOW, Occurrence, Op, Outcome, Program, Row, Start,
    Stop, WaitsFor,
};
use workflow_runtime::observe::{Event, EventKind, History, Observer};
use workflow_runtime::testing::{self, Mocks, Reply, VirtualClock, block_on};
use workflow_runtime::{Builder, CloudEvent, Fault, Hub, Timestamp, Value, value};

use crate::errand::{self, Errand};

/// Returns the environment of a driver without callbacks, hub and sink.
fn environment(clock: VirtualClock) -> driver::Environment {
    driver::Environment {
        clock: Arc::new(clock),
        callbacks: None,
        tasks_at_once: 8,
        hub: None,
        sink: None,
        objects: None,
        turns: Turns::default(),
    }
}

fn start(input: Value) -> Box<dyn Execution> {
    let mut start = Start::new(input);
    (start.name, start.seed, start.time) = (Some("one".into()), Some(7), Some(Timestamp::default()));
    Program::of::<Errand>().start(start)
}

fn at(seconds: u64) -> Timestamp {
    Timestamp::default().plus(Duration::from_secs(seconds))
}

fn paid(data: impl Into<Value>) -> CloudEvent {
    let data = data.into();
    CloudEvent::new(data.to_string(), "/bank", "payment").subject("paid").data(data)
}

fn shipped(tenant: &str) -> CloudEvent {
    CloudEvent::new("2", "/depot", "order.shipped").extension("tenant", tenant).data("parcel")
}

/// Returns the data of the events that an execution has received.
fn got(execution: &dyn Execution) -> Value {
    match execution.result() {
        Some(Ok(output)) => output.as_object().and_then(|output| output.get("got")).cloned().unwrap_or_default(),
        other => panic!("it has not ended well: {other:?}"),
    }
}

/// Lets the execution publish its event, and end.
fn publish_and_end(execution: &mut dyn Execution) {
    while let Some((op, command)) = execution.next_command() {
        if let Command::Publish(event) = command {
            assert_eq!(event.subject.as_deref(), Some("Done"));
            assert!(execution.complete(op, at(100), Ok(Value::Null)));
        }
    }
}

#[test]
fn an_event_stays_in_the_inbox_until_it_is_awaited() {
    let mut execution = start(value!({"do": "wait", "events": 3}));
    let (op, Command::Receive(reception)) = execution.next_command().expect("a command") else { panic!() };
    assert_eq!(reception.until, Some(at(3600)));
    assert_eq!(execution.deliver(at(1), &shipped("b")), Delivery::Declined);
    assert_eq!(execution.deliver(at(1), &shipped("a")), Delivery::Consumed);
    assert_eq!(execution.next_stop(), Some(Stop::Op(op)));
    // No frame waits for it in this state.
    let done = CloudEvent::new("3", "/errands", "errand.done");
    assert_eq!(execution.deliver(at(2), &done), Delivery::Queued);
    assert_eq!(execution.deliver(at(3), &paid(1)), Delivery::Consumed);
    assert_eq!(execution.deliver(at(3), &paid(2)), Delivery::Consumed);
    publish_and_end(&mut *execution);
    assert_eq!(got(&*execution), value!(["parcel", 1, 2]));
    assert_eq!(execution.deliver(at(4), &paid(3)), Delivery::Ended);
}

#[test]
fn an_event_that_comes_when_its_time_was_over_leaves_the_time_out_to_come() {
    let mut execution = start(value!({"do": "wait", "events": 1}));
    let (op, Command::Receive(_)) = execution.next_command().expect("a command") else { panic!() };
    assert_eq!(execution.deliver(at(3601), &paid(1)), Delivery::Queued);
    assert!(execution.complete(op, at(3601), Ok(Value::Null)));
}

#[test]
fn a_wait_consumes_an_event_that_was_accepted_before_its_timer_fires() {
    let mut execution = start(value!({"do": "wait", "events": 1}));
    execution.next_command().expect("a command");
    assert_eq!(execution.apply(at(3601), Occurrence::AcceptedEvent(&paid(1))), Delivery::Consumed);
    // The driver handles its messages before its timers.
    let (mailbox, mocks) = (driver::MessageQueue::default(), mocks());
    let clock = VirtualClock::at(at(3601));
    let environment = environment(clock);
    let (program, journal) = (Program::of::<Errand>(), Commits::default());
    let execution = start(value!({"do": "wait", "events": 1}));
    let mut driver = driver::Driver::new(program, execution, environment, &mocks, journal);
    driver.receive_from(mailbox.clone());
    mailbox.push(driver::Message::Event(Arc::new(paid(1)), 1));
    block_on(driver.run()).expect("it ends").expect("it is kept");
    assert_eq!(got(driver.execution()), value!([1]));
}

#[test]
fn the_inbox_keeps_the_order_of_arrival_after_saving_too() {
    let mut execution = start(value!({"events": 3}));
    for number in 1..=4 {
        assert_eq!(execution.deliver(at(1), &paid(number)), Delivery::Queued);
    }
    let mut execution = Program::of::<Errand>().load(&execution.save()).expect("it loads");
    // The execution starts a detached child, then an awaited one. Both commands are issued by now.
    let (op, Command::Call(call)) = execution.next_command().expect("a command") else { panic!() };
    assert!(call.detached);
    assert_eq!(call.execution_id("one"), "one.2-0");
    assert!(execution.complete(op, at(2), Ok("one.2-0".into())));
    let (op, Command::Call(call)) = execution.next_command().expect("a command") else { panic!() };
    assert_eq!((call.workflow("errand"), call.deadline()), ("errand", Some(at(602))));
    assert!(execution.complete(op, at(3), Err(Fault::new("Lost", "no answer"))));
    publish_and_end(&mut *execution);
    assert_eq!(got(&*execution), value!([1, 2, 3]));
}

#[test]
fn a_wait_for_an_event_ends_at_its_time() {
    let mut execution = start(value!({"do": "wait", "events": 1}));
    let (op, _) = execution.next_command().expect("a command");
    assert!(execution.complete(op, at(3600), Ok(Value::Null)));
    publish_and_end(&mut *execution);
    assert_eq!(got(&*execution), value!(["time-out"]));
}

#[test]
fn others_are_lost_where_the_wait_says_so() {
    let mut execution = start(value!({"strict": true, "events": 2}));
    let done = || CloudEvent::new("3", "/errands", "errand.done");
    assert_eq!(execution.deliver(at(1), &done()), Delivery::Queued);
    assert_eq!(execution.deliver(at(1), &paid(1)), Delivery::Queued);
    let mut rows = BTreeMap::new();
    execution.changes().apply(&mut rows);
    assert_eq!(rows.keys().filter(|row| matches!(row, Row::Event(_))).count(), 2);
    for _ in 0..2 {
        let (op, _) = execution.next_command().expect("a command");
        assert!(execution.complete(op, at(2), Ok(Value::Null)));
    }
    execution.changes().apply(&mut rows);
    assert_eq!(rows.keys().filter(|row| matches!(row, Row::Event(_))).count(), 0);
    let rows: Vec<(Row, Vec<u8>)> = rows.into_iter().collect();
    let mut execution = Program::of::<Errand>().restore(&rows).expect("it is restored");
    assert_eq!(execution.deliver(at(3), &done()), Delivery::Discarded);
    assert_eq!(execution.deliver(at(3), &paid(2)), Delivery::Consumed);
    publish_and_end(&mut *execution);
    assert_eq!(got(&*execution), value!([1, 2]));
}

#[test]
fn an_execution_keeps_so_many_events_and_no_more() {
    let mut execution = start(value!({"events": 0}));
    let kept = (0..=10_100).filter(|_| execution.deliver(at(1), &paid(1)) == Delivery::Queued).count();
    assert_eq!((kept, INBOX_CAPACITY + INBOX_OVERFLOW), (10_100, 10_100));
    assert_eq!(execution.deliver(at(1), &paid(1)), Delivery::Full);
}

#[test]
fn describe_returns_the_awaited_events() {
    let mut execution = start(value!({"do": "wait", "events": 1}));
    let waiting = execution.describe();
    let [one] = &waiting[..] else { panic!("{waiting:?}") };
    let WaitsFor::Event(reception) = &one.waits_for else { panic!("{one:?}") };
    assert_eq!(reception.events.iter().map(|kind| kind.name).collect::<Vec<_>>(), ["paid", "shipped"]);
    assert_eq!(one.state, "Await");
    execution.apply(at(1), Occurrence::Ended(Err(Fault::timeout())));
    assert_eq!(execution.describe(), []);
}

/// The tasks of the errand.
fn mocks() -> Mocks {
    Mocks::new().task("Work", [Reply::ok("worked").after(Duration::from_secs(5))]).task("Later", [Reply::ok("later")])
}

/// Runs both futures to their ends.
async fn both<A, B>(one: impl Future<Output = A>, other: impl Future<Output = B>) -> (A, B) {
    let (mut one, mut other) = (pin!(one), pin!(other));
    let (mut first, mut second) = (None, None);
    std::future::poll_fn(move |cx| {
        if first.is_none()
            && let Poll::Ready(value) = one.as_mut().poll(cx)
        {
            first = Some(value);
        }
        if second.is_none()
            && let Poll::Ready(value) = other.as_mut().poll(cx)
        {
            second = Some(value);
        }
        match (first.take(), second.take()) {
            (Some(first), Some(second)) => Poll::Ready((first, second)),
            (one, other) => {
                (first, second) = (one, other);
                Poll::Pending
            }
        }
    })
    .await
}

/// Lets all other tasks proceed.
async fn others_run() {
    for _ in 0..20 {
        let mut yielded = false;
        std::future::poll_fn(|cx| {
            cx.waker().wake_by_ref();
            if std::mem::replace(&mut yielded, true) { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }
}

/// Records the ends of executions.
#[derive(Clone, Default)]
struct Ends(Arc<Mutex<Vec<(String, bool)>>>);

impl Observer for Ends {
    fn observe(&mut self, event: &Event<'_>) {
        if let EventKind::ExecutionSucceeded { .. } | EventKind::ExecutionFailed { .. } = event.kind {
            let well = matches!(event.kind, EventKind::ExecutionSucceeded { .. });
            self.0.lock().unwrap().push((event.execution.to_owned(), well));
        }
    }
}

#[test]
fn executions_in_memory_start_others_and_send_each_other_events() {
    for reload in [false, true] {
        let (clock, ends, mocks) = (VirtualClock::new().steered(), Ends::default(), mocks());
        let watched = ends.clone();
        let hub = Hub::new().observer(move || watched.clone());
        let builder = |name: &'static str| {
            let builder = Builder::<Errand>::new().name(name).clock(clock.clone());
            builder.hub(&hub).reload_at_every_completion(reload)
        };
        let asks = value!({"ask": {"do": "work"}, "aside": 3, "events": 1});
        let waits = value!({"do": "wait", "events": 2});
        let (outcome, other) = block_on(async {
            let one = builder("one").tasks(&mocks).run(asks);
            let other = builder("other").tasks(&mocks).run(waits);
            let sends = async {
                others_run().await;
                clock.advance(Duration::from_secs(5));
                others_run().await;
                assert_eq!(hub.publish(paid(17)), 2);
                assert!(!hub.send("nobody", paid(18)));
                assert!(hub.send("other", shipped("a")));
                assert!(!hub.send("one", CloudEvent::new("9", "/x", "unknown")));
            };
            let (outcome, (other, ())) = both(one, both(other, sends)).await;
            (outcome, other)
        })
        .expect("nothing waits for ever");
        let outcome = outcome.expect("it ends well");
        let member = |name: &str| outcome.as_object().and_then(|output| output.get(name)).cloned().unwrap_or_default();
        assert_eq!(member("answer"), "worked".into(), "{outcome}");
        assert_eq!(member("detached"), "one.2-0".into());
        assert_eq!(member("got"), value!([17]));
        let other = other.expect("it ends well");
        assert_eq!(other.as_object().and_then(|other| other.get("got")), Some(&value!([17, "parcel"])));
        let ended = ends.0.lock().unwrap().clone();
        assert_eq!(ended, [("one.2-0".to_owned(), true), ("one.3-0".to_owned(), true)]);
    }
}

#[test]
fn a_full_inbox_in_memory_declines_events_until_it_has_capacity() {
    const MOST: i64 = INBOX_CAPACITY as i64;
    let clock = VirtualClock::new().steered();
    let mocks = mocks().workflow("other", [Reply::ok("yes").after(Duration::from_secs(7))]);
    let hub = mocks.share(Hub::new());
    let run = Builder::<Errand>::new().name("one").clock(clock.clone()).hub(&hub).tasks(&mocks);
    let run = run.run(value!({"workflow": "other", "ask": 5, "events": 2}));
    let sends = async {
        others_run().await;
        (0..MOST).for_each(|number| assert_eq!(hub.publish(paid(number)), 1, "{number}"));
        for _ in 0..2 {
            // Unseen events fill the inbox, and then those that it keeps.
            let reached = hub.publish_and_count(paid(MOST));
            assert_eq!((reached.executions, reached.full), (0, 1));
            assert!(!hub.send("one", paid(MOST)));
            // It has this one.
            let reached = hub.publish_and_count(paid(MOST - 1));
            assert_eq!((reached.executions, reached.full), (1, 0));
            assert!(hub.publish(paid(MOST - 1)) == 0 && hub.send("one", paid(MOST - 1)));
            others_run().await;
        }
        clock.advance(Duration::from_secs(7));
        others_run().await;
    };
    let (outcome, ()) = block_on(both(run, sends)).expect("nothing waits for ever");
    assert_eq!(outcome.expect("it ends well").get("got"), Some(&value!([0, 1])));
}

#[test]
fn a_child_times_out_and_an_unknown_workflow_is_a_fault() {
    let mocks = Mocks::new().task("Work", [Reply::never()]).task("Later", [Reply::ok(1), Reply::ok(1)]);
    let clock = VirtualClock::new();
    let builder = || Builder::<Errand>::new().name("one").clock(clock.clone());
    let outcome =
        block_on(builder().tasks(&mocks).run(value!({"ask": {"do": "work"}}))).expect("it ends").expect("well");
    let error = |outcome: &Value| {
        outcome.as_object().and_then(|o| o.get("answer")).and_then(|a| a.as_object()?.get("Error").cloned())
    };
    assert_eq!(error(&outcome), Some("States.Timeout".into()));
    assert_eq!(clock.now().since(VirtualClock::new().now()), Duration::from_secs(600));
    let outcome =
        block_on(builder().tasks(&mocks).run(value!({"workflow": "nothing"}))).expect("it ends").expect("well");
    assert_eq!(error(&outcome), Some("Workflow.Unknown".into()));
}

#[test]
fn events_and_workflows_are_mocked() {
    let seconds = Duration::from_secs;
    let run = |mocks: &Mocks, input: Value, reload: bool| {
        let builder = Builder::<Errand>::new().name("one").seed(1).reload_at_every_completion(reload);
        testing::run(builder, mocks, input)
    };
    for reload in [false, true] {
        let mocks = || mocks().event(seconds(10), paid(2)).event(seconds(3), paid(1));
        let asks = value!({"workflow": "other", "ask": 5, "events": 2});
        let answering = mocks().workflow("other", [Reply::ok("no").to(6), Reply::ok("yes").after(seconds(7))]);
        let report = run(&answering, asks.clone(), reload);
        let output = report.outcome.expect("it ends well");
        assert_eq!((output.get("answer"), output.get("got")), (Some(&"yes".into()), Some(&value!([1, 2]))));
        assert_eq!(report.elapsed, seconds(10));
        assert!(answering.unused().contains(&("other".to_owned(), 1)));

        let silent = mocks().workflow("other", []);
        let output = run(&silent, asks, reload).outcome.expect("it goes on");
        let cause = output.get("answer").and_then(|answer| answer.get("Cause")?.as_str()).unwrap_or_default();
        assert!(cause.contains("no reply left for the workflow `other` with the input 5"), "{output}");

        // Detached executions continue after the end, and do not delay it.
        for (later, calls) in [(Reply::ok(1).after(seconds(5)), 1), (Reply::never(), 1)] {
            let aside = Mocks::new().task("Later", [later]).workflow("other", [Reply::ok(2)]);
            let report = run(&aside, value!({"workflow": "other"}), reload);
            assert!(report.outcome.is_ok(), "{:?}", report.outcome);
            assert_eq!(report.calls.len(), calls);
        }

        // An event precedes a time-out at the same time.
        let late = Mocks::new().event(seconds(3600), paid(3)).event(seconds(3601), paid(4));
        let report = run(&late, value!({"do": "wait", "events": 1}), reload);
        assert_eq!(report.outcome.expect("it ends well").get("got"), Some(&value!([3])));
        assert_eq!(report.elapsed, seconds(3600));
    }
}

#[test]
fn a_history_contains_events_and_children() {
    let lines = Lines::default();
    let mocks = mocks();
    let hub = Hub::new();
    let builder = Builder::<Errand>::new().name("one").clock(VirtualClock::new()).hub(&hub);
    let input = value!({"ask": {"do": "work"}, "events": 1});
    block_on(builder.observer(History::new(lines.clone())).tasks(&mocks).run(input)).expect("it ends").expect("well");
    let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
    let events: Vec<String> = text
        .lines()
        .map(|line| Value::from_json(line).unwrap())
        .map(|line| line.as_object().unwrap().get("event").unwrap().as_str().unwrap().to_owned())
        .filter(|event| !event.starts_with("State") && !event.starts_with("Execution"))
        .collect();
    assert_eq!(events, ["ChildStarted", "ChildStarted", "ChildSucceeded", "EventAwaited", "EventSent"]);
    assert!(text.contains(r#""events":["paid","shipped"]"#), "{text}");
}

/// Names of CloudEvents attributes are in lower case. Those of definitions need not be.
#[test]
fn an_attribute_is_found_by_its_name_in_any_case() {
    let info = rt::EventInfo::new("shipped").attributes(&[("orderId", "7")]);
    let event = |name: &'static str, id: &'static str| CloudEvent::new("1", "/shop", "shipped").extension(name, id);
    assert!(info.matches(&event("orderid", "7")) && info.matches(&event("orderId", "7")));
    assert!(!info.matches(&event("orderid", "8")) && !info.matches(&event("order", "7")));
}

/// A detached child may take longer than its parent's time-out. Its failure is reported to the
/// parent's observers.
#[test]
fn a_detached_child_has_no_deadline_and_its_failure_is_reported() {
    struct Timed;
    static DEFINITION: rt::Definition =
        rt::Definition { timeout_seconds: Some(10), ..crate::memory::copy(&errand::DEFINITION) };
    impl rt::Workflow for Timed {
        type State = errand::State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }
    let day = Duration::from_secs(86_400);
    for (reply, ends) in [
        (Reply::ok("late"), &["ExecutionSucceeded"][..]),
        (Reply::error("Lost", "at sea"), &["ExecutionSucceeded", "ChildFailed"]),
    ] {
        let lines = Lines::default();
        let mocks = Mocks::new().task("Later", [reply.after(day)]).workflow("errand", [Reply::ok("done")]);
        let builder = Builder::<Timed>::new().observer(History::new(lines.clone()));
        let report = testing::run(builder, &mocks, value!({}));
        assert!(report.outcome.is_ok(), "{:?}", report.outcome);
        assert_eq!(report.elapsed, Duration::ZERO);
        let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
        let from = text.find("ExecutionSucceeded").expect("its end");
        let reported = ["ExecutionSucceeded", "ChildFailed"].into_iter().filter(|name| text[from..].contains(name));
        assert_eq!(reported.collect::<Vec<_>>(), ends, "{text}");
        assert_eq!(text.contains("at sea"), ends.len() == 2, "{text}");
    }
}

/// A journal that stores nothing and counts its commits.
#[derive(Default)]
struct Commits(Arc<AtomicU32>);

impl driver::Journal for Commits {
    const IS_DURABLE: bool = true;

    async fn commit(&mut self, _: &mut Box<dyn Execution>, _: Program) -> Result<(), driver::Stopped> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }

    fn should_suspend(&self, _: Option<Timestamp>) -> bool {
        false
    }

    fn call(&mut self, _: driver::Caller<'_>, _: Op, _: &Arc<Call>) -> driver::ChildStart {
        driver::ChildStart::Remote
    }

    fn abandon(&mut self, _: Op) {}

    fn terminate(&mut self, _: Op) {}

    fn publish(&mut self, _: driver::Caller<'_>, _: &Arc<CloudEvent>) -> Outcome {
        Ok(Value::Null)
    }

    fn is_new_event(&mut self, number: u64) -> bool {
        number != 7
    }
}

#[test]
fn events_that_are_kept_for_later_are_committed_together() {
    let (commits, mailbox, mocks) = (Arc::new(AtomicU32::new(0)), driver::MessageQueue::default(), mocks());
    let clock = VirtualClock::new();
    let mut start = Start::new(value!({"do": "wait", "events": 2}));
    start.time = Some(clock.now());
    let execution = Program::of::<Errand>().start(start);
    let environment = environment(clock);
    let journal = Commits(commits.clone());
    let mut driver = driver::Driver::new(Program::of::<Errand>(), execution, environment, &mocks, journal);
    driver.receive_from(mailbox.clone());
    let done = Arc::new(CloudEvent::new("3", "/errands", "errand.done"));
    (0..1_000).for_each(|number| mailbox.push(driver::Message::Event(done.clone(), number)));
    // An event that the journal has is not delivered again. Awaited events are committed one by
    // one.
    for (number, data) in [(7, 1), (1_001, 2), (1_002, 3)] {
        mailbox.push(driver::Message::Event(Arc::new(paid(data)), number));
    }
    block_on(driver.run()).expect("it ends").expect("it is kept");
    assert_eq!((driver.execution().info().inbox_len(), got(driver.execution())), (999, value!([2, 3])));
    // The start, the events of the inbox, two awaited events, and the end.
    let commits = commits.load(Ordering::SeqCst);
    assert!(commits <= 1 + 1_000 / 100 + 2 + 1, "{commits}");
}

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A sink that records event ids and answers from a list. At the end of the list it never answers.
#[derive(Clone, Default)]
struct Sink {
    ids: Arc<Mutex<Vec<String>>>,
    answers: Arc<Mutex<Vec<Result<(), Fault>>>>,
}

impl EventSink for Sink {
    fn send<'a>(&'a self, event: &'a CloudEvent) -> Pin<Box<dyn Future<Output = Result<(), Fault>> + Send + 'a>> {
        self.ids.lock().unwrap().push(event.id.to_string());
        let answer = self.answers.lock().unwrap().pop();
        Box::pin(async move {
            match answer {
                Some(answer) => answer,
                None => std::future::pending().await,
            }
        })
    }
}

#[test]
fn an_event_has_one_id_however_often_it_is_sent_and_each_its_own() {
    for reload in [false, true] {
        let (hub, clock, sink, mocks) = (Hub::new(), VirtualClock::new(), Sink::default(), mocks());
        let refused = || Err(Fault::new("Sink.Closed", "later"));
        // Answers are taken from the end of the list.
        *sink.answers.lock().unwrap() = vec![Ok(()), refused(), refused(), Ok(()), refused()];
        let run = |name: &'static str, input: Value| {
            let builder = Builder::<Errand>::new().name(name).hub(&hub).clock(clock.clone()).sink(sink.clone());
            builder.reload_at_every_completion(reload).tasks(&mocks).run(input)
        };
        // The last event that it awaits does not come.
        let hears = value!({"do": "wait", "events": 4, "done": true, "seconds": 60});
        let hears = Builder::<Errand>::new().name("hears").hub(&hub).clock(clock.clone()).tasks(&mocks).run(hears);
        let publish = async {
            run("one", value!({"do": "wait", "n": 1, "retries": 1})).await.expect("well");
            run("two", value!({"do": "wait", "n": 2, "retries": 1, "again": 1})).await.expect("well");
        };
        let (heard, ()) = block_on(both(hears, publish)).expect("both end");
        let got = heard.expect("well").get("got").cloned().expect("what it got");
        let numbers: Vec<_> = got.as_array().expect("a list").iter().map(|data| data.get("n").cloned()).collect();
        assert_eq!(numbers, [Some(1.into()), Some(2.into()), Some(2.into()), None]);
        let ids = sink.ids.lock().unwrap().clone();
        let [one, one_again, two, two_again, other] = &ids[..] else { panic!("{ids:?}") };
        assert!(one == one_again && two == two_again && one != two && two != other, "{ids:?}");
        assert!(one.starts_with("errand/one/3-0/") && two.starts_with("errand/two/3-0/"), "{ids:?}");
    }
}

#[test]
fn an_execution_continues_when_the_sink_accepts_and_fails_when_it_refuses() {
    for reload in [false, true] {
        let sink = Sink::default();
        let input = value!({"do": "wait", "events": 0});
        let run = || {
            let builder = Builder::<Errand>::new().name("one").seed(7).clock(VirtualClock::new());
            let builder = builder.sink(sink.clone()).reload_at_every_completion(reload);
            block_on(builder.tasks(&mocks()).run(input.clone()))
        };
        assert_eq!(run(), None, "it waits for the sink");
        *sink.answers.lock().unwrap() = vec![Err(Fault::new("Sink.Closed", "later")), Ok(())];
        run().expect("it ends").expect("well");
        let fault = run().expect("it ends").expect_err("the sink has refused");
        assert_eq!(fault.error(), Some("Sink.Closed"));
        let ids = sink.ids.lock().unwrap().clone();
        assert_eq!(ids, vec![ids[0].clone(); 3], "the same execution sends the same event");
    }
}
