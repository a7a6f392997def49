//! Executions in a database: to their end, across restarts, and refusals.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::place::{Place, clock, process, until};
use order::Order;
use workflow_runtime::fault::names::CANCELLED;
use workflow_runtime::testing::VirtualClock;
use workflow_runtime::{Fault, TaskContext, Value, include_workflow, value};
use workflow_sqlite::{Builder, Engine, Error, Filter, Status, View, WaitsFor};

include_workflow!("tests/flows/order.asl.json");
include_workflow!("tests/flows/circle.asl.json");

/// Tasks that record their calls.
#[derive(Default)]
struct Tasks {
    /// Number of calls, by idempotency key.
    calls: Mutex<HashMap<String, u32>>,
    tokens: Mutex<Vec<String>>,
    /// Names of tasks that never end.
    hang: Mutex<Vec<&'static str>>,
    charge: Mutex<Vec<Fault>>,
}

impl Tasks {
    async fn called(&self, name: &'static str, cx: &TaskContext) {
        *self.calls.lock().unwrap().entry(format!("{name} {}", cx.idempotency_key())).or_default() += 1;
        if self.hang.lock().unwrap().contains(&name) {
            std::future::pending::<()>().await;
        }
    }

    fn hang(&self, names: &[&'static str]) {
        *self.hang.lock().unwrap() = names.to_vec();
    }

    fn count(&self, name: &str) -> usize {
        self.calls.lock().unwrap().keys().filter(|key| key.starts_with(name)).count()
    }

    fn repeats(&self, name: &str) -> u32 {
        let calls = self.calls.lock().unwrap();
        calls.iter().filter(|(key, _)| key.starts_with(name)).map(|(_, count)| count - 1).sum()
    }
}

impl order::Tasks for Tasks {
    async fn charge(&self, _: Value, cx: TaskContext) -> Result<Value, Fault> {
        self.called("charge", &cx).await;
        let fault = self.charge.lock().unwrap().pop();
        fault.map_or_else(|| Ok("charged".into()), Err)
    }

    async fn box_(&self, input: Value, cx: TaskContext) -> Result<Value, Fault> {
        self.called("box", &cx).await;
        tokio::task::yield_now().await;
        Ok(input)
    }

    async fn label(&self, _: Value, cx: TaskContext) -> Result<Value, Fault> {
        self.called("label", &cx).await;
        Ok("labelled".into())
    }

    async fn sqs_send_message(&self, _: Value, cx: TaskContext) -> Result<Value, Fault> {
        self.called("courier", &cx).await;
        self.tokens.lock().unwrap().push(cx.token().expect("a token").to_owned());
        Ok(Value::Null)
    }
}

fn set_up(place: &Place, tasks: &Arc<Tasks>, clock: &VirtualClock) -> Builder {
    Engine::at(place.file()).workflow::<Order>(Order::bind(tasks.clone())).clock(clock.clone())
}

fn order() -> Value {
    value!({ "items": ["a", "b", "c", "d", "e"] })
}

fn expected() -> Value {
    value!({
        "items": ["a", "b", "c", "d", "e"],
        "receipt": "charged",
        "done": [["a", "b", "c", "d", "e"], "labelled"],
        "courier": { "ok": true },
    })
}

#[test]
fn an_execution_survives_the_end_of_its_process_wherever_it_is() {
    let (place, tasks, clock) = (Place::new("survives"), Arc::new(Tasks::default()), clock());
    tasks.hang(&["charge"]);
    process(async {
        let engine = set_up(&place, &tasks, &clock).open().await.expect("a new database");
        let first = engine.start::<Order>(order()).id("o-1").key("k").submit().await.expect("a start");
        assert!(first.is_new());
        let again = engine.start::<Order>(order()).id("o-1").key("k").submit().await.expect("the same start");
        assert!(!again.is_new() && again.id() == "o-1");
        until("the card is charged", || tasks.count("charge") == 1).await;
    });
    tasks.hang(&["box"]);
    process(async {
        let engine = set_up(&place, &tasks, &clock).open().await.expect("the database");
        until("items are packed", || tasks.count("box") == 2).await;
        let waiting = engine.execution("o-1").and_then(|one| one.describe()).expect("a description").waiting;
        let mut states: Vec<&str> = waiting.iter().map(|one| one.state.as_str()).collect();
        states.sort_unstable();
        assert_eq!(states, ["Both", "Box", "Box", "Cool", "Pack"], "{waiting:#?}");
        assert_eq!(waiting.iter().filter(|one| one.waits_for == WaitsFor::Time).count(), 1);
    });
    tasks.hang(&[]);
    process(async {
        let engine = set_up(&place, &tasks, &clock).open().await.expect("the database");
        until("all items are packed", || tasks.count("box") == 5).await;
        until("nothing is under way", || {
            let waiting = engine.execution("o-1").and_then(|one| one.describe()).expect("a description").waiting;
            waiting.iter().all(|one| !matches!(one.waits_for, WaitsFor::Task(_)))
        })
        .await;
    });
    assert_eq!((tasks.count("label"), tasks.count("courier")), (0, 0));
    clock.advance(Duration::from_secs(61));
    let token = process(async {
        let engine = set_up(&place, &tasks, &clock).open().await.expect("the database");
        until("the courier was called", || tasks.count("courier") == 1).await;
        until("that is durable", || {
            let waiting = engine.execution("o-1").and_then(|one| one.describe()).expect("a description").waiting;
            matches!(&waiting[..], [one] if one.waits_for == WaitsFor::Token("sqs:sendMessage".to_owned()))
        })
        .await;
        tasks.tokens.lock().unwrap()[0].clone()
    });
    process(async {
        let engine = set_up(&place, &tasks, &clock).open().await.expect("the database");
        engine.heartbeat(&token).expect("it is waited for");
        assert_eq!(engine.succeed("other", value!({})).await, Err(Error::UnknownToken));
        engine.succeed(&token, value!({ "ok": true })).await.expect("the token is known");
        assert_eq!(engine.fail(&token, Fault::new("Late", "")).await, Err(Error::UnknownToken));
    });
    process(async {
        let engine = set_up(&place, &tasks, &clock).open().await.expect("the database");
        let execution = engine.execution("o-1").expect("the execution");
        assert_eq!(execution.result().await.expect("it ends"), Ok(expected()));
        assert_eq!(execution.describe().expect("a description").waiting, []);
        let history = execution.history().expect("a history");
        let entered = history.iter().filter(|line| line.contains(r#""event":"StateEntered""#)).count();
        assert_eq!(entered, 13, "{history:#?}");
        engine.shut_down(Duration::from_secs(5)).await;
    });
    // Tasks that were running at the crash ran again with the same key; nothing else did.
    assert_eq!((tasks.count("charge"), tasks.repeats("charge")), (1, 1));
    assert_eq!((tasks.count("box"), tasks.repeats("box")), (5, 2));
    assert_eq!((tasks.count("label"), tasks.repeats("label")), (1, 0));
    assert_eq!((tasks.count("courier"), tasks.repeats("courier")), (1, 0));
    let view = View::open(place.file()).expect("a view");
    let listed = view.list(&Filter::all().status(Status::Succeeded)).expect("a list");
    assert_eq!(listed.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["o-1"]);
}

#[test]
fn an_execution_that_failed_is_taken_up_where_it_failed() {
    let (place, tasks, clock) = (Place::new("redrive"), Arc::new(Tasks::default()), clock());
    process(async {
        let engine = set_up(&place, &tasks, &clock).open().await.expect("a new database");
        // The task failed, so it runs again.
        tasks.charge.lock().unwrap().push(Fault::new("Other", "no"));
        let one = engine.start::<Order>(order()).id("one").submit().await.expect("a start");
        assert_eq!(one.result().await.expect("it ends").expect_err("a fault").error(), Some("Other"));
        assert_eq!(one.describe().expect("a description").waiting.len(), 1, "what it waited for is kept");
        one.redrive().await.expect("it has failed");
        until("the next state is there", || tasks.count("box") == 5).await;
        assert_eq!((tasks.count("charge"), tasks.repeats("charge")), (1, 1));
        assert!(matches!(one.redrive().await, Err(Error::NotNow { status: Status::Running, .. })));
        clock.advance(Duration::from_secs(61));
        until("the courier was called", || !tasks.tokens.lock().unwrap().is_empty()).await;
        // The state failed with the task's output, so the task does not run again.
        let token = tasks.tokens.lock().unwrap()[0].clone();
        engine.succeed(&token, value!({ "ok": false })).await.expect("the token is known");
        assert_eq!(one.result().await.expect("it ends").expect_err("a fault").error(), Some("Refused"));
        one.redrive().await.expect("it has failed");
        assert_eq!(one.result().await.expect("it ends").expect_err("a fault").error(), Some("Refused"));
        assert_eq!((tasks.count("courier"), tasks.repeats("courier")), (1, 0));
    });
}

#[test]
fn executions_are_cancelled_before_and_while_they_run() {
    let (place, tasks, clock) = (Place::new("cancel"), Arc::new(Tasks::default()), clock());
    process(async {
        let engine = set_up(&place, &tasks, &clock).open().await.expect("a new database");
        let later = engine.start::<Order>(order()).id("later").after(Duration::from_secs(10));
        let later = later.submit().await.expect("a start");
        assert_eq!(later.describe().expect("a description").summary.status, Status::Queued);
        later.cancel("not needed").await.expect("it has not begun");
        assert_eq!(later.result().await.expect("it ends").expect_err("a fault").error(), Some(CANCELLED));
        tasks.hang(&["charge"]);
        let now = engine.start::<Order>(order()).id("now").submit().await.expect("a start");
        until("the card is charged", || tasks.count("charge") == 1).await;
        now.cancel("not any more").await.expect("it runs");
        let fault = now.result().await.expect("it ends").expect_err("a fault");
        assert_eq!((fault.error(), fault.cause()), (Some(CANCELLED), Some(&Value::from("not any more"))));
        assert!(matches!(now.cancel("again").await, Err(Error::NotNow { status: Status::Cancelled, .. })));
        assert_eq!(now.describe().expect("a description").waiting, []);
        let soon = engine.start::<Order>(order()).id("soon").after(Duration::from_secs(10));
        soon.submit().await.expect("a start");
        assert_eq!(tasks.count("charge"), 1);
        clock.advance(Duration::from_secs(11));
        until("it starts when it is due", || tasks.count("charge") == 2).await;
        clock.advance(Duration::from_secs(3_600));
        assert_eq!(engine.purge(Duration::from_secs(1_800)).await, Ok(2));
        let left = engine.list(&Filter::all()).expect("a list");
        assert_eq!(left.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["soon"]);
    });
}

#[test]
fn an_execution_in_which_the_process_ends_again_and_again_is_parked() {
    let (place, tasks, clock) = (Place::new("parked"), Arc::new(Tasks::default()), clock());
    tasks.hang(&["charge"]);
    for run in 0..=7 {
        process(async {
            let engine = set_up(&place, &tasks, &clock).open().await.expect("the database");
            let execution = engine.start::<Order>(order()).id("bad").submit().await.expect("a start");
            if run < 7 {
                until("it runs", || tasks.calls.lock().unwrap().values().sum::<u32>() == run + 1).await;
                // The execution is recorded before its tasks begin, so that this crash counts.
                return;
            }
            let fault = execution.result().await.expect("it is parked").expect_err("a fault");
            let cause = fault.cause().map(Value::to_string).expect("a cause");
            assert!(cause.contains("7 times in a row while the task `charge` of the state `Charge`"), "{cause}");
            assert!(cause.contains("3 times without any other running execution"), "{cause}");
            tasks.hang(&[]);
            execution.redrive().await.expect("it was parked");
            until("it goes on", || tasks.count("box") == 5).await;
        });
    }
}

/// A process that is killed from outside repeatedly hits the running execution.
#[test]
fn executions_that_run_with_others_are_not_parked() {
    let (place, tasks, clock) = (Place::new("innocent"), Arc::new(Tasks::default()), clock());
    let calls = || tasks.calls.lock().unwrap().values().sum::<u32>();
    tasks.hang(&["charge"]);
    let ids = ["one", "two", "three", "four"];
    for _ in 0..10 {
        process(async {
            let before = calls();
            let engine = set_up(&place, &tasks, &clock).open().await.expect("the database");
            for id in ids {
                engine.start::<Order>(order()).id(id).submit().await.expect("a start");
            }
            // An execution that has crashed twice runs alone. The others must all run before the
            // crash, or the first of them runs alone, too, and is to blame.
            let crashes =
                ids.map(|id| engine.execution(id).and_then(|one| one.describe()).expect("a description").crashes);
            let run_together = crashes.iter().filter(|crashes| **crashes < 2).count().max(1);
            until("they run", || calls() >= before + run_together as u32).await;
        });
    }
    tasks.hang(&[]);
    process(async {
        let engine = set_up(&place, &tasks, &clock).open().await.expect("the database");
        until("all get on", || tasks.count("box") == 5 * ids.len()).await;
        for id in ids {
            let described = engine.execution(id).and_then(|one| one.describe()).expect("a description");
            assert_eq!(described.summary.status, Status::Running);
        }
        engine.shut_down(Duration::from_secs(5)).await;
    });
}

#[test]
fn only_executions_that_are_named_run() {
    let (place, tasks, clock) = (Place::new("only"), Arc::new(Tasks::default()), clock());
    tasks.hang(&["charge"]);
    process(async {
        let engine = set_up(&place, &tasks, &clock).open().await.expect("a new database");
        for id in ["one", "two"] {
            engine.start::<Order>(order()).id(id).key(id).submit().await.expect("a start");
        }
        until("both charge the card", || tasks.count("charge") == 2).await;
    });
    let seen = Arc::new(Mutex::new(Vec::new()));
    process(async {
        let asked = seen.clone();
        let builder = set_up(&place, &tasks, &clock).only(["two"]).observer(move |id| {
            asked.lock().unwrap().push(id.to_owned());
            None
        });
        let engine = builder.open().await.expect("the database");
        engine.announce("http://127.0.0.1:1");
        let message =
            set_up(&place, &tasks, &clock).open().await.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(message.contains(", which serves http://127.0.0.1:1)"), "{message}");
        let keyed = engine.list(&Filter::all().key("one")).expect("a list");
        assert_eq!(keyed.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["one"]);
        engine.execution("two").expect("an execution").cancel("not needed").await.expect("it runs");
        let outcome = engine.execution("two").expect("an execution").result().await.expect("it ends");
        assert_eq!(outcome.expect_err("a fault").error(), Some(CANCELLED));
        engine.execution("one").expect("an execution").cancel("nor this").await.expect("it is noted");
        engine.shut_down(Duration::from_secs(5)).await;
        assert_eq!(*seen.lock().unwrap(), ["two"]);
    });
    let view = View::open(place.file()).expect("a view");
    let statuses: Vec<Status> = view.list(&Filter::all()).expect("a list").iter().map(|one| one.status).collect();
    assert_eq!(statuses, [Status::Cancelled, Status::Running]);
    let calls = tasks.calls.lock().unwrap();
    let calls: u32 = calls.iter().filter(|(key, _)| key.contains("/one/")).map(|(_, count)| *count).sum();
    assert_eq!(calls, 1, "it was not taken up");
}

#[test]
fn ids_and_keys_stand_for_one_request() {
    let (place, tasks, clock) = (Place::new("keys"), Arc::new(Tasks::default()), clock());
    process(async {
        let engine = set_up(&place, &tasks, &clock).open().await.expect("a new database");
        let one = engine.start::<Order>(order()).key("k").submit().await.expect("a start");
        let same = engine.start::<Order>(order()).key("k").submit().await.expect("the same");
        assert_eq!((one.id(), same.is_new()), (same.id(), false));
        let other = engine.start::<Order>(value!({ "items": [] })).key("k").submit().await;
        assert!(matches!(other.err(), Some(Error::KeyReused { execution, .. }) if execution == one.id()));
        engine.start::<Order>(order()).id("i").submit().await.expect("a start");
        let taken = engine.start::<Order>(value!({})).id("i").submit().await;
        assert_eq!(taken.err(), Some(Error::IdTaken("i".to_owned())));
        assert_eq!(engine.start_named("Nothing", value!({})).err(), Some(Error::UnknownWorkflow("Nothing".to_owned())));
    });
}

#[test]
fn only_one_process_has_the_database_and_only_if_it_is_one() {
    let (place, tasks, clock) = (Place::new("refused"), Arc::new(Tasks::default()), clock());
    let text = place.0.join("notes.txt");
    std::fs::write(&text, "not a database, but something dear to somebody").expect("a file");
    process(async {
        let engine = set_up(&place, &tasks, &clock).open().await.expect("a new database");
        let second = set_up(&place, &tasks, &clock).open().await;
        let message = second.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(message.contains("is in use by another process (process "), "{message}");
        engine.shut_down(Duration::from_secs(1)).await;
        set_up(&place, &tasks, &clock).open().await.expect("it is free").shut_down(Duration::ZERO).await;

        let foreign = Engine::at(&text).open().await.err().expect("no database");
        assert!(matches!(foreign, Error::Foreign { .. }), "{foreign}");
        assert!(std::fs::read_to_string(&text).expect("the file").starts_with("not a database"));
        assert!(matches!(View::open(&text).err(), Some(Error::Foreign { .. })));

        let other = place.0.join("other.db");
        let connection = rusqlite::Connection::open(&other).expect("a database");
        connection.execute_batch("CREATE TABLE dear (x)").expect("a table");
        drop(connection);
        assert!(matches!(Engine::at(&other).open().await.err(), Some(Error::Foreign { .. })));

        let connection = rusqlite::Connection::open(place.file()).expect("a database");
        connection.pragma_update(None, "user_version", 1_000).expect("a version");
        drop(connection);
        let newer = set_up(&place, &tasks, &clock).open().await.err();
        assert!(matches!(newer, Some(Error::TooNew { found: 1_000, .. })), "{newer:?}");
    });
}

#[test]
fn suspects_get_on_one_after_the_other() {
    let (place, tasks, clock) = (Place::new("suspects"), Arc::new(Tasks::default()), clock());
    tasks.hang(&["charge"]);
    for run in 1..=2 {
        process(async {
            let engine = set_up(&place, &tasks, &clock).open().await.expect("the database");
            for id in ["one", "two", "three"] {
                engine.start::<Order>(order()).id(id).submit().await.expect("a start");
            }
            until("all run", || tasks.calls.lock().unwrap().values().sum::<u32>() == 3 * run).await;
        });
    }
    tasks.hang(&[]);
    process(async {
        let engine = set_up(&place, &tasks, &clock).open().await.expect("the database");
        until("all get on", || tasks.count("box") == 15).await;
        // They ended by themselves, and their crash counts are reset.
        for id in ["one", "two", "three"] {
            let execution = engine.execution(id).expect("the execution");
            until("nothing is held against it", || execution.describe().expect("a description").crashes == 0).await;
        }
        engine.shut_down(Duration::from_secs(5)).await;
    });
    assert_eq!((tasks.count("charge"), tasks.repeats("charge")), (3, 6));
}

/// Task that is ready at once, repeatedly.
#[derive(Default)]
struct Circle(std::sync::atomic::AtomicU32);

impl circle::Tasks for Circle {
    async fn turn(&self, _: Value, _: TaskContext) -> Result<Value, Fault> {
        self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Ok(value!({ "stop": false }))
    }
}

#[test]
fn an_execution_that_never_rests_listens() {
    let (place, tasks) = (Place::new("circle"), Arc::new(Circle::default()));
    process(async {
        let engine = Engine::at(place.file()).workflow::<circle::Circle>(circle::Circle::bind(tasks.clone()));
        let engine = engine.open().await.expect("a new database");
        let mut executions = Vec::new();
        for id in ["one", "two"] {
            let started = engine.start::<circle::Circle>(value!({})).id(id).submit().await;
            executions.push(started.expect("a start"));
        }
        until("it turns", || tasks.0.load(std::sync::atomic::Ordering::Relaxed) > 50).await;
        executions[0].cancel("enough").await.expect("it runs");
        let ended = tokio::time::timeout(Duration::from_secs(20), executions[0].result()).await.expect("it listens");
        assert_eq!(ended.expect("a result").expect_err("a fault").error(), Some(CANCELLED));
        let left = tokio::time::timeout(Duration::from_secs(20), engine.shut_down(Duration::from_secs(60))).await;
        left.expect("it leaves before it must");
    });
}
