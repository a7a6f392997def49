//! Children, and events between executions, across crashes of the process.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::errand::Errand;
use crate::place::{Place, clock, process, until};
use workflow_runtime::event::EventSink;
use workflow_runtime::machine::Task;
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::testing::VirtualClock;
use workflow_runtime::{CloudEvent, Fault, TaskContext, Value, value};
use workflow_sqlite::{Builder, Engine, Error, Filter, Reached, Status, View, WaitsFor};

/// Tasks that record their calls.
#[derive(Default)]
struct Tasks {
    calls: Mutex<Vec<(String, Value)>>,
    /// Next results of the task; `None` never ends. Without an entry the task returns its name.
    work: Mutex<Vec<Option<Fault>>>,
}

impl Invoke for Tasks {
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        Box::pin(async move {
            self.calls.lock().unwrap().push((format!("{} {}", task.key, cx.idempotency_key()), input));
            let next = if task.key == "Work" { self.work.lock().unwrap().pop() } else { None };
            match next {
                Some(Some(fault)) => Err(fault),
                Some(None) => std::future::pending().await,
                None => Ok(task.key.into()),
            }
        })
    }
}

impl Tasks {
    fn calls(&self, of: &str) -> Vec<String> {
        let calls = self.calls.lock().unwrap();
        calls.iter().map(|(key, _)| key.clone()).filter(|key| key.starts_with(of)).collect()
    }
}

fn set_up(place: &Place, tasks: &Arc<Tasks>, clock: &VirtualClock) -> Builder {
    Engine::at(place.file()).workflow::<Errand>(tasks.clone()).clock(clock.clone())
}

fn paid(data: impl Into<Value>) -> CloudEvent {
    let data = data.into();
    CloudEvent::new(data.to_string(), "/bank", "payment").subject("paid").data(data)
}

fn member(value: &Value, name: &str) -> Value {
    value.as_object().and_then(|members| members.get(name)).cloned().unwrap_or_default()
}

/// Returns the only wait of an execution.
fn waits_for(engine: &Engine, id: &str) -> Option<WaitsFor> {
    let waiting = engine.execution(id).ok()?.describe().ok()?.waiting;
    waiting.into_iter().next().map(|one| one.waits_for)
}

#[test]
fn children_and_events_survive_the_ends_of_processes() {
    let (place, tasks, clock) = (Place::new("beyond"), Arc::new(Tasks::default()), clock());
    tasks.work.lock().unwrap().push(None);
    process(async {
        let engine = set_up(&place, &tasks, &clock).open().await.expect("a new database");
        let other = value!({"do": "wait", "events": 2});
        engine.start::<Errand>(other).id("other").submit().await.expect("a start");
        let input = value!({"ask": {"do": "work"}, "aside": 3, "events": 2});
        engine.start::<Errand>(input).id("one").submit().await.expect("a start");
        until("the child works", || !tasks.calls("Work").is_empty()).await;
        until("what is not waited for has ended", || {
            engine.execution("one.2-0").is_ok_and(|one| one.outcome() == Ok(Some(Ok("Later".into()))))
        })
        .await;
        let description = engine.execution("one").expect("it is there").describe().expect("a description");
        let [waiting] = &description.waiting[..] else { panic!("{description:?}") };
        assert_eq!(waiting.waits_for, WaitsFor::Child("errand".to_owned()));
        assert_eq!((waiting.child.as_deref(), &description.parent), (Some("one.3-0"), &None));
        let children: Vec<_> = description.children.iter().map(|one| (&*one.id, one.status, one.awaited)).collect();
        assert_eq!(children, [("one.3-0", Status::Running, true), ("one.2-0", Status::Succeeded, false)]);
        let description = engine.execution("one.3-0").expect("it is there").describe().expect("a description");
        assert_eq!((description.parent.as_deref(), description.children), (Some("one"), Vec::new()));
        // An event that is not awaited yet, and one that is.
        assert_eq!(engine.publish(paid(1)).await.map(|reached| (reached.executions, reached.full)), Ok((3, 0)));
        let unwanted = CloudEvent::new("9", "/x", "unknown");
        assert_eq!(engine.publish(unwanted.clone()).await, Ok(Reached::default()));
        let one = engine.execution("one").expect("it is there");
        let refused = one.send(unwanted).await.expect_err("nothing waits for it");
        assert_eq!(
            refused.to_string(),
            "the execution `one` does not wait for this event: `paid` needs the subject `Paid`, found none; `done` needs \
             the type `errand.done`, found `unknown`; `shipped` needs the type `order.shipped`, found `unknown`, and \
             the tenant `a`, found none"
        );
    });
    process(async {
        let engine = set_up(&place, &tasks, &clock).open().await.expect("the database");
        until("the parent waits for an event", || {
            waits_for(&engine, "one").is_some_and(|waits| matches!(waits, WaitsFor::Event(_)))
        })
        .await;
        let Some(WaitsFor::Event(kinds)) = waits_for(&engine, "one") else { panic!("it waits for an event") };
        let kinds: Vec<String> = kinds.iter().map(ToString::to_string).collect();
        assert_eq!(kinds, ["`paid` (subject `Paid`)", "`shipped` (type `order.shipped`, tenant `a`)"]);
        // The running task was repeated under the same key, and nothing else.
        let work = tasks.calls("Work");
        assert_eq!(work, ["Work errand/one.3-0/2-0", "Work errand/one.3-0/2-0"]);
        assert_eq!(tasks.calls("Later"), ["Later errand/one.2-0/1-0"]);
    });
    process(async {
        let engine = set_up(&place, &tasks, &clock).open().await.expect("the database");
        for id in ["one", "other"] {
            engine.execution(id).expect("it is there").send(paid(2)).await.expect("it is waited for");
        }
        for id in ["one", "other"] {
            let outcome = engine.execution(id).expect("it is there").result().await.expect("a result").expect("well");
            assert_eq!(member(&outcome, "got"), value!([1, 2]), "{id}: {outcome}");
        }
        let outcome = engine.execution("one").expect("it is there").result().await.expect("a result").expect("well");
        assert_eq!((member(&outcome, "answer"), member(&outcome, "detached")), ("Work".into(), "one.2-0".into()));
        let ended = engine.execution("one").expect("it is there").send(paid(3)).await;
        assert!(matches!(ended, Err(Error::NotNow { .. })), "{ended:?}");
        // Their rows are removed.
        assert_eq!(engine.purge(Duration::ZERO).await, Ok(0));
        clock.advance(Duration::from_secs(1));
        assert_eq!(engine.purge(Duration::ZERO).await, Ok(4));
        assert_eq!(engine.list(&Filter::all()), Ok(Vec::new()));
    });
}

#[test]
fn an_event_that_one_sends_reaches_the_other_once() {
    let (place, tasks, clock) = (Place::new("sends"), Arc::new(Tasks::default()), clock());
    process(async {
        let engine = set_up(&place, &tasks, &clock).open().await.expect("a new database");
        // No execution waits for `errand.done`, but the definition does, so the event is kept.
        let waits =
            engine.start::<Errand>(value!({"do": "wait", "events": 1})).id("waits").submit().await.expect("a start");
        until("it waits", || matches!(waits_for(&engine, "waits"), Some(WaitsFor::Event(_)))).await;
        let sends = engine.start::<Errand>(value!({"do": "wait", "n": 7})).id("sends").submit().await.expect("a start");
        assert!(sends.result().await.expect("a result").is_ok());
        waits.send(paid(1)).await.expect("it is waited for");
        let outcome = waits.result().await.expect("a result").expect("well");
        assert_eq!(member(&outcome, "got"), value!([1]));
        let seen = |history: Vec<String>| history.iter().filter(|line| line.contains("EventReceived")).count();
        assert_eq!(seen(waits.history().expect("a history")), 1);
    });
}

/// Sink that accepts events once it is open.
#[derive(Clone, Default)]
struct Sink {
    open: Arc<AtomicBool>,
    /// Number of events to refuse next.
    refuses: Arc<AtomicU32>,
    ids: Arc<Mutex<Vec<String>>>,
}

impl EventSink for Sink {
    fn send<'a>(&'a self, event: &'a CloudEvent) -> Pin<Box<dyn Future<Output = Result<(), Fault>> + Send + 'a>> {
        self.ids.lock().unwrap().push(event.id.to_string());
        let refuse = |left: u32| left.checked_sub(1);
        let refused = self.refuses.fetch_update(Ordering::SeqCst, Ordering::SeqCst, refuse).is_ok();
        Box::pin(async move {
            match self.open.load(Ordering::SeqCst) {
                _ if refused => Err(Fault::new("Sink.Closed", "later")),
                true => Ok(()),
                false => std::future::pending().await,
            }
        })
    }
}

#[test]
fn a_sink_is_given_an_event_until_it_has_it() {
    let (place, tasks, clock) = (Place::new("sink"), Arc::new(Tasks::default()), clock());
    let sink = Sink::default();
    process(async {
        let engine = set_up(&place, &tasks, &clock).sink(sink.clone()).open().await.expect("a new database");
        engine.start::<Errand>(value!({"do": "wait", "n": 7})).id("sends").submit().await.expect("a start");
        until("the sink is asked", || sink.ids.lock().unwrap().len() == 1).await;
    });
    sink.open.store(true, Ordering::SeqCst);
    process(async {
        let engine = set_up(&place, &tasks, &clock).sink(sink.clone()).open().await.expect("the database");
        let sends = engine.execution("sends").expect("it is there");
        assert!(sends.result().await.expect("a result").is_ok());
    });
    let ids = sink.ids.lock().unwrap().clone();
    assert_eq!(ids.len(), 2);
    assert_eq!(ids[0], ids[1]);
}

#[test]
fn an_event_has_one_id_however_often_it_is_sent_and_executions_get_it_once() {
    let (place, tasks, clock) = (Place::new("one-id"), Arc::new(Tasks::default()), clock());
    let sink = Sink::default();
    sink.refuses.store(2, Ordering::SeqCst);
    process(async {
        let engine = set_up(&place, &tasks, &clock).sink(sink.clone()).open().await.expect("a new database");
        let hears = value!({"do": "wait", "events": 3, "done": true});
        engine.start::<Errand>(hears).id("hears").submit().await.expect("a start");
        let input = value!({"do": "wait", "n": 1, "retries": 1, "again": 1});
        engine.start::<Errand>(input).id("one").submit().await.expect("a start");
        // The refused event is sent again after a second, and refused again. The event of the next
        // visit gets no answer.
        let asked = || {
            clock.advance(Duration::from_millis(20));
            sink.ids.lock().unwrap().len() == 3
        };
        until("the sink is asked for the last time", asked).await;
    });
    sink.open.store(true, Ordering::SeqCst);
    process(async {
        let engine = set_up(&place, &tasks, &clock).sink(sink.clone()).open().await.expect("the database");
        let one = engine.execution("one").expect("it is there");
        assert!(one.result().await.expect("a result").is_ok());
        // An execution with the name of a removed one is another execution.
        clock.advance(Duration::from_secs(1));
        assert_eq!(engine.purge(Duration::ZERO).await, Ok(1));
        let again = engine.start::<Errand>(value!({"do": "wait", "n": 2})).id("one").submit().await.expect("a start");
        assert!(again.result().await.expect("a result").is_ok());
        let hears = engine.execution("hears").expect("it is there").result().await.expect("a result").expect("well");
        let data = member(&hears, "got");
        let heard: Vec<Value> = data.as_array().expect("a list").iter().map(|data| member(data, "n")).collect();
        assert_eq!(heard, [1.into(), 1.into(), 2.into()]);
    });
    let ids = sink.ids.lock().unwrap().clone();
    let [one, retried, other, after_crash, new, ..] = &ids[..] else { panic!("{ids:?}") };
    assert!(one == retried && other == after_crash && one != other && one != new, "{ids:?}");
}

/// Loading rewrites the stored waits in the current format, which repeats no commands.
#[test]
fn an_event_is_published_once_though_its_rows_are_of_an_earlier_form() {
    let (place, tasks, clock) = (Place::new("former"), Arc::new(Tasks::default()), clock());
    let sink = Sink::default();
    process(async {
        let engine = set_up(&place, &tasks, &clock).sink(sink.clone()).open().await.expect("a new database");
        engine.start::<Errand>(value!({"do": "wait", "events": 1})).id("waits").submit().await.expect("a start");
        until("it waits", || matches!(waits_for(&engine, "waits"), Some(WaitsFor::Event(_)))).await;
        engine.start::<Errand>(value!({"do": "wait", "n": 7})).id("sends").submit().await.expect("a start");
        until("the sink is asked", || sink.ids.lock().unwrap().len() == 1).await;
    });
    let of = |id: &str| format!("execution = (SELECT number FROM executions WHERE id = '{id}')");
    let connection = rusqlite::Connection::open(place.file()).expect("a database");
    // Format 4 is the same for executions without branches. The header names the format of all
    // rows.
    let header = format!("kind = 0 AND {}", of("sends"));
    let text = format!("SELECT data FROM snapshot_rows WHERE {header}");
    let mut data: Vec<u8> = connection.query_row(&text, [], |row| row.get(0)).expect("a header");
    data[0] = 4;
    // It has no correlation key and no limits of JSONata, which come last.
    assert_eq!([data.pop(), data.pop()], [Some(0); 2]);
    assert_eq!(connection.execute(&format!("UPDATE snapshot_rows SET data = ?1 WHERE {header}"), [data]), Ok(1));
    // It has no termination, which precedes the number of the next event.
    let text = format!("SELECT substr(max(progress), 9) FROM snapshot_rows WHERE {}", of("sends"));
    let mut data: Vec<u8> = connection.query_row(&text, [], |row| row.get(0)).expect("the progress");
    let end = data.len() - 2;
    assert_eq!(data.remove(end), 0);
    // The progress has a row of its own.
    let text = format!("UPDATE snapshot_rows SET progress = NULL WHERE {}", of("sends"));
    assert!(connection.execute(&text, []).is_ok_and(|rows| rows > 0));
    let text = "INSERT OR REPLACE INTO snapshot_rows (execution, kind, number, position, data)
                SELECT number, 1, 0, 0, ?1 FROM executions WHERE id = 'sends'";
    assert_eq!(connection.execute(text, [data]), Ok(1));
    drop(connection);
    sink.open.store(true, Ordering::SeqCst);
    process(async {
        let engine = set_up(&place, &tasks, &clock).sink(sink.clone()).open().await.expect("the database");
        let sends = engine.execution("sends").expect("it is there");
        assert!(sends.result().await.expect("a result").is_ok());
        engine.shut_down(Duration::from_secs(10)).await;
    });
    let of = of("waits");
    let text = format!(
        "SELECT (SELECT count(*) FROM inbox WHERE {of}) + (SELECT count(*) FROM snapshot_rows WHERE kind = 5 AND {of}),
                (SELECT hex(substr(data, 1, 1)) FROM snapshot_rows WHERE kind = 0 AND {of})"
    );
    let connection = rusqlite::Connection::open(place.file()).expect("a database");
    let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?));
    assert_eq!(connection.query_row(&text, [], read), Ok((1, "08".to_owned())));
    assert_eq!(sink.ids.lock().unwrap().len(), 2);
}

#[test]
fn a_child_ends_with_the_one_that_waits_for_it() {
    let (place, tasks, clock) = (Place::new("ends"), Arc::new(Tasks::default()), clock());
    *tasks.work.lock().unwrap() = vec![None, None];
    process(async {
        let engine = set_up(&place, &tasks, &clock).open().await.expect("a new database");
        let ask = || value!({"ask": {"do": "work"}});
        let one = engine.start::<Errand>(ask()).id("one").submit().await.expect("a start");
        until("the child works", || tasks.calls("Work").len() == 1).await;
        one.cancel("enough").await.expect("it runs");
        let child = engine.execution("one.3-0").expect("it is there");
        assert!(child.result().await.expect("a result").is_err());
        assert_eq!(child.describe().expect("it is there").summary.status, Status::Cancelled);
        // A call that times out is abandoned, and the parent continues.
        let two = engine.start::<Errand>(ask()).id("two").submit().await.expect("a start");
        until("the child works", || tasks.calls("Work").len() == 2).await;
        clock.advance(Duration::from_secs(601));
        let outcome = two.result().await.expect("a result").expect("well");
        assert_eq!(member(&member(&outcome, "answer"), "Error"), "States.Timeout".into());
        let child = engine.execution("two.3-0").expect("it is there");
        assert!(child.result().await.expect("a result").is_err());
    });
}

#[test]
fn what_cannot_be_started_is_a_fault_of_the_state() {
    let (place, tasks, clock) = (Place::new("unknown"), Arc::new(Tasks::default()), clock());
    process(async {
        let engine = set_up(&place, &tasks, &clock).open().await.expect("a new database");
        engine.start::<Errand>(value!({"do": "work"})).id("taken.3-0").submit().await.expect("a start");
        for (id, workflow, error) in [("one", "nothing", "Workflow.Unknown"), ("taken", "errand", "Execution.IdTaken")]
        {
            let one = engine.start::<Errand>(value!({"workflow": workflow})).id(id).submit().await.expect("a start");
            let outcome = one.result().await.expect("a result").expect("well");
            assert_eq!(member(&member(&outcome, "answer"), "Error"), error.into());
        }
    });
}

#[test]
fn one_execution_at_once_is_enough_for_a_child() {
    let (place, tasks, clock) = (Place::new("room"), Arc::new(Tasks::default()), clock());
    process(async {
        let engine = set_up(&place, &tasks, &clock).executions_at_once(1).open().await.expect("a new database");
        let one = engine.start::<Errand>(value!({"ask": {"do": "work"}})).id("one").submit().await.expect("a start");
        let outcome = one.result().await.expect("a result").expect("well");
        assert_eq!(member(&outcome, "answer"), "Work".into());
    });
}

#[test]
fn what_a_failed_execution_waited_for_is_taken_up_with_it() {
    let (place, tasks, clock) = (Place::new("redrive"), Arc::new(Tasks::default()), clock());
    tasks.work.lock().unwrap().push(Some(Fault::new("Broken", "once")));
    process(async {
        let engine = set_up(&place, &tasks, &clock).open().await.expect("a new database");
        // The state catches no fault of its own execution: it fails with its task, and has no
        // child.
        let one = engine.start::<Errand>(value!({"do": "nested"})).id("one").submit().await.expect("a start");
        assert!(one.result().await.expect("a result").is_err());
        assert_eq!(
            engine.execution("one.2-0").expect("a child").describe().expect("it").summary.status,
            Status::Failed
        );
        one.redrive().await.expect("it has failed");
        assert_eq!(one.result().await.expect("a result"), Ok("Work".into()));
        assert_eq!(tasks.calls("Work"), ["Work errand/one.2-0/2-0", "Work errand/one.2-0/2-0"]);
    });
}

/// Event of a kind in the definition for which no execution waits.
fn done(number: usize) -> CloudEvent {
    CloudEvent::new(number.to_string(), "/errands", "errand.done").data(number as i64)
}

#[test]
fn an_event_that_is_sent_again_is_not_delivered_again() {
    let (place, tasks, clock) = (Place::new("again"), Arc::new(Tasks::default()), clock());
    process(async {
        let engine = set_up(&place, &tasks, &clock).open().await.expect("a new database");
        for (id, events) in [("one", 2), ("two", 2), ("short", 1)] {
            let input = value!({"do": "wait", "events": events});
            engine.start::<Errand>(input).id(id).submit().await.expect("a start");
        }
        let one = engine.execution("one").expect("it is there");
        assert_eq!(one.send_all(vec![paid(1), paid(1)]).await, Ok(1));
        assert_eq!(one.send_all(vec![paid(1)]).await, Ok(0));
        // The count includes an execution that had the event before.
        let reached = engine.publish_all(vec![paid(1), paid(1)]).await.expect("it is published");
        assert_eq!(reached.iter().map(|reached| reached.executions).collect::<Vec<_>>(), [3, 3]);
        // Ids are unique to a source only.
        let other = CloudEvent::new("1", "/other", "payment").subject("paid").data(1);
        assert_eq!(engine.execution("two").expect("it is there").send_all(vec![other]).await, Ok(1));
        assert!(engine.execution("short").expect("it is there").result().await.is_ok_and(|outcome| outcome.is_ok()));
    });
    process(async {
        let engine = set_up(&place, &tasks, &clock).open().await.expect("the database");
        let two = engine.execution("two").expect("it is there").result().await.expect("a result").expect("well");
        assert_eq!(member(&two, "got"), value!([1, 1]));
        // A client that missed the answer may ask again, even if the execution has ended with the
        // event.
        let short = engine.execution("short").expect("it is there");
        assert_eq!(short.send(paid(1)).await, Ok(()));
        assert!(matches!(short.send_all(vec![paid(1), paid(2)]).await, Err(Error::NotNow { .. })));
        let one = engine.execution("one").expect("it is there");
        assert_eq!(one.send_all(vec![paid(1)]).await, Ok(0));
        // All events or none.
        let unwanted = CloudEvent::new("9", "/x", "unknown");
        let refused = one.send_all(vec![paid(2), unwanted]).await;
        assert!(matches!(refused, Err(Error::UnwantedEvent { execution, .. }) if execution == "one"));
        assert!(one.outcome().expect("it is there").is_none());
        // After more than a day it is another event.
        clock.advance(Duration::from_secs(600));
        assert_eq!(one.send_all(vec![paid(1)]).await, Ok(0));
        let input = value!({"do": "wait", "events": 1});
        let kept = engine.start::<Errand>(input).id("kept").submit().await.expect("a start");
        assert_eq!(kept.send_all(vec![done(1)]).await, Ok(1));
        // Its time-out starts with its wait.
        until("it waits", || matches!(waits_for(&engine, "kept"), Some(WaitsFor::Event(_)))).await;
        clock.advance(Duration::from_secs(25 * 3600));
        kept.result().await.expect("a result").expect("its wait is over");
        let input = value!({"do": "wait", "events": 1});
        let late = engine.start::<Errand>(input).id("late").submit().await.expect("a start");
        for (number, new) in [(1, 1), (2, 1), (3, 1), (1, 0)] {
            assert_eq!(late.send_all(vec![done(number)]).await, Ok(new));
        }
    });
    let connection = rusqlite::Connection::open(place.file()).expect("a database");
    let count = |of: &str| connection.query_row(of, [], |row| row.get::<_, i64>(0)).expect("a number");
    // The events between executions are recent.
    let outside = "SELECT count(*) FROM delivered_events WHERE id NOT LIKE 'errand/%'";
    assert_eq!(count(outside), 3, "what is older is forgotten");
}

#[test]
fn an_execution_that_keeps_too_many_events_takes_none_but_those_it_waits_for() {
    const MOST: usize = workflow_runtime::machine::INBOX_CAPACITY;
    let (place, tasks, clock) = (Place::new("full"), Arc::new(Tasks::default()), clock());
    process(async {
        let problems = Arc::new(Mutex::new(Vec::new()));
        let heard = problems.clone();
        let engine = set_up(&place, &tasks, &clock).on_problem(move |error| heard.lock().unwrap().push(error.clone()));
        let engine = engine.open().await.expect("a new database");
        let waits = value!({"do": "wait", "events": 2});
        let one = engine.start::<Errand>(waits.clone()).id("one").submit().await.expect("a start");
        let later = engine.start::<Errand>(waits).id("later").after(Duration::from_secs(600));
        let later = later.submit().await.expect("a start");
        until("it waits", || matches!(waits_for(&engine, "one"), Some(WaitsFor::Event(_)))).await;
        let full = Err(Error::TooManyEvents("one".to_owned()));
        assert_eq!(one.send_all((0..=MOST).map(done).collect()).await, full);
        assert_eq!(one.send_all((1..MOST).map(done).collect()).await, Ok(MOST - 1));
        assert_eq!(later.send_all((1..=MOST).map(done).collect()).await, Ok(MOST));
        assert_eq!(one.send_all(vec![done(MOST), done(MOST + 1)]).await, full);
        assert_eq!(one.send(done(MOST)).await, Ok(()));
        // Processed or not.
        assert_eq!(one.send(done(0)).await, full.clone().map(drop));
        let seen = || {
            let view = rusqlite::Connection::open(place.file()).expect("a database");
            let text = "SELECT count(*) FROM inbox WHERE execution = 1";
            view.query_row(text, [], |row| row.get::<_, i64>(0)).expect("a number") == 0
        };
        until("it has seen them", seen).await;
        assert_eq!(one.send(done(0)).await, full.map(drop));
        assert_eq!(one.send(done(1)).await, Ok(()), "it has this one");
        let reached = engine.publish(done(0)).await.expect("it is published");
        assert_eq!((reached.executions, reached.full), (0, 2));
        // An event published by an execution is lost for full inboxes, which is reported.
        let sends = engine.start::<Errand>(value!({"do": "wait"})).id("sends").submit().await.expect("a start");
        sends.result().await.expect("a result").expect("well");
        let reported = problems.lock().unwrap().clone();
        assert_eq!(reported, [Error::TooManyEvents("one".to_owned())]);
        // It waits for this event.
        assert_eq!(one.send(paid(1)).await, Ok(()));
        until("it waits again", seen).await;
        assert_eq!(one.send(paid(2)).await, Ok(()));
        let outcome = one.result().await.expect("a result").expect("well");
        assert_eq!(member(&outcome, "got"), value!([1, 2]));
    });
}

#[test]
fn a_database_from_before_events_can_be_looked_at() {
    let (place, tasks, clock) = (Place::new("first"), Arc::new(Tasks::default()), clock());
    process(async {
        let engine = set_up(&place, &tasks, &clock).open().await.expect("a new database");
        let input = value!({"do": "wait", "events": 1});
        engine.start::<Errand>(input).id("one").submit().await.expect("a start");
        until("it waits", || waits_for(&engine, "one").is_some()).await;
        engine.shut_down(Duration::from_secs(10)).await;
    });
    let before = "ALTER TABLE metadata RENAME TO facts;
                  UPDATE facts SET name = 'clean' WHERE name = 'clean_shutdown';
                  UPDATE facts SET name = 'unclean' WHERE name = 'unclean_runs';
                  DROP INDEX snapshot_rows_by_token; ALTER TABLE snapshot_rows DROP COLUMN wakes_for_heartbeat;
                  ALTER TABLE snapshot_rows RENAME TO parts;
                  ALTER TABLE parts RENAME COLUMN number TO a; ALTER TABLE parts RENAME COLUMN position TO b;
                  ALTER TABLE parts RENAME COLUMN wait_kind TO waits; ALTER TABLE parts RENAME COLUMN wake_at TO wake;
                  CREATE UNIQUE INDEX parts_by_token ON parts (token) WHERE token IS NOT NULL;
                  ALTER TABLE executions RENAME COLUMN entered TO tried;
                  ALTER TABLE executions RENAME COLUMN quarantine_epoch TO alone;
                  ALTER TABLE executions RENAME COLUMN last_quarantine_epoch TO was_alone;
                  ALTER TABLE executions RENAME COLUMN quarantine_crashes TO crashes_alone;
                  ALTER TABLE executions RENAME COLUMN last_completion TO last;
                  ALTER TABLE executions RENAME COLUMN request_hash TO request;
                  DROP TABLE recent_events; ALTER TABLE parts DROP COLUMN recent; DROP INDEX executions_by_start;
                  INSERT OR REPLACE INTO parts (execution, kind, a, b, data)
                  SELECT execution, 1, 0, 0, substr(max(progress), 9) FROM parts WHERE progress <> '' GROUP BY execution;
                  ALTER TABLE parts DROP COLUMN progress;
                  DROP TABLE awaited_events; DROP INDEX executions_queued;
                  DROP TABLE children; DROP TABLE inbox; DROP TABLE delivered_events; DROP INDEX executions_unfinished;
                  DROP TABLE deployments; DROP INDEX executions_by_correlation;
                  ALTER TABLE executions DROP COLUMN correlation; DROP INDEX executions_by_event;
                  ALTER TABLE executions DROP COLUMN event_source; ALTER TABLE executions DROP COLUMN event_id;
                  ALTER TABLE executions DROP COLUMN request_identity; ALTER TABLE executions DROP COLUMN items;
                  ALTER TABLE executions DROP COLUMN restarts; ALTER TABLE executions DROP COLUMN redrives;
                  ALTER TABLE executions DROP COLUMN history_epoch; PRAGMA user_version = 2;";
    rusqlite::Connection::open(place.file()).and_then(|c| c.execute_batch(before)).expect("an older database");
    let description = View::open(place.file()).and_then(|view| view.describe("one")).expect("a description");
    assert_eq!((description.waiting.len(), description.parent, description.children), (1, None, Vec::new()));
    // The database is upgraded, and the execution continues.
    process(async {
        let engine = set_up(&place, &tasks, &clock).open().await.expect("the database");
        let one = engine.execution("one").expect("it is there");
        assert_eq!(one.send(paid(1)).await, Ok(()));
        assert!(one.result().await.is_ok_and(|outcome| outcome.is_ok()));
    });
}
