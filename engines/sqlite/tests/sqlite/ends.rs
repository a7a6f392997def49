//! Termination of an execution, and sequential iterations, across crashes of the process.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::place::{Place, clock, process, until};
use crate::relay::Relay;
use workflow_runtime::fault::names::CANCELLED;
use workflow_runtime::machine::Task;
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::testing::VirtualClock;
use workflow_runtime::{TaskContext, Value, value};
use workflow_sqlite::{Builder, Engine, Filter, Status};

/// Tasks that record their inputs. The task named in `hangs` never ends.
#[derive(Default)]
struct Tasks {
    calls: Mutex<Vec<(String, String)>>,
    hangs: Mutex<HashSet<String>>,
}

impl Invoke for Tasks {
    fn invoke<'a>(&'a self, _: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        Box::pin(async move {
            let name = input.as_str().unwrap_or_default().to_owned();
            self.calls.lock().unwrap().push((name.clone(), cx.idempotency_key()));
            if self.hangs.lock().unwrap().contains(&name) {
                std::future::pending::<()>().await;
            }
            Ok(Value::Null)
        })
    }
}

impl Tasks {
    fn hanging(names: &[&str]) -> Arc<Tasks> {
        let tasks = Tasks::default();
        tasks.hangs.lock().unwrap().extend(names.iter().map(|name| (*name).to_owned()));
        Arc::new(tasks)
    }

    fn let_go(&self) {
        self.hangs.lock().unwrap().clear();
    }

    /// Returns the keys of the calls of a task.
    fn calls(&self, of: &str) -> Vec<String> {
        let calls = self.calls.lock().unwrap();
        calls.iter().filter(|(name, _)| name == of).map(|(_, key)| key.clone()).collect()
    }
}

async fn open(place: &Place, tasks: &Arc<Tasks>, clock: &VirtualClock) -> Engine {
    builder(place, tasks, clock).open().await.expect("a database")
}

fn builder(place: &Place, tasks: &Arc<Tasks>, clock: &VirtualClock) -> Builder {
    Engine::at(place.file()).workflow::<Relay>(tasks.clone()).clock(clock.clone())
}

async fn start(engine: &Engine, input: Value) {
    engine.start::<Relay>(input).id("one").submit().await.expect("a start");
}

fn waits(engine: &Engine, id: &str) -> usize {
    engine.execution(id).map_or(0, |one| one.describe().map_or(0, |described| described.waiting.len()))
}

fn status(engine: &Engine, id: &str) -> Status {
    engine.execution(id).expect("it is there").describe().expect("a description").summary.status
}

#[test]
fn a_run_that_is_about_to_end_goes_on_to_end_in_the_next_process() {
    let (place, tasks, clock) = (Place::new("drains"), Tasks::hanging(&["slow", "slower"]), clock());
    process(async {
        let engine = open(&place, &tasks, &clock).await;
        let nested = value!([{ "items": [["slow", "x"], [{ "sleep": 1_000_000 }]] }]);
        let input = value!({ "max": 4, "items": [nested, [{ "sleep": 5 }, "quick", { "stop": "enough" }], ["slower", "x"], [{ "hear": 1 }], ["x"]] });
        start(&engine, input).await;
        until("the tasks are under way", || tasks.calls("slow").len() + tasks.calls("slower").len() == 2).await;
        clock.advance(Duration::from_secs(5));
        // The two tasks, and the frames above them.
        until("it is about to end", || waits(&engine, "one") == 4).await;
        assert_eq!(status(&engine, "one"), Status::Running);
    });
    tasks.let_go();
    process(async {
        let engine = open(&place, &tasks, &clock).await;
        let one = engine.execution("one").expect("it is there");
        assert_eq!(one.result().await.expect("a result"), Ok("enough".into()));
        assert_eq!((status(&engine, "one"), waits(&engine, "one")), (Status::Succeeded, 0));
    });
    for name in ["slow", "slower"] {
        let calls = tasks.calls(name);
        assert!(calls.len() == 2 && calls[0] == calls[1], "{name} is done once more, as the same call: {calls:?}");
    }
    assert_eq!((tasks.calls("quick").len(), tasks.calls("x").len()), (1, 0));
}

#[test]
fn executions_end_with_the_child_that_they_wait_for_and_their_other_children_with_them() {
    let (place, tasks, clock) = (Place::new("family"), Tasks::hanging(&["slow"]), clock());
    process(async {
        let engine = open(&place, &tasks, &clock).await;
        let stops = value!([[{ "sleep": 5 }, { "stop": "deep" }]]);
        let works = value!([["slow", "x"], [{ "sleep": 1_000_000 }]]);
        let aside = value!([[{ "sleep": 100 }, "aside"]]);
        let input = value!([[{ "aside": aside }, { "call": works }, "x"], ["first", { "call": [[{ "call": stops }, "x"]] }, "x"]]);
        start(&engine, input).await;
        until("all work", || tasks.calls("slow").len() == 1 && tasks.calls("first").len() == 1).await;
        let all = || engine.list(&Filter::all()).expect("a list");
        until("all have begun", || all().len() == 5 && all().iter().all(|one| waits(&engine, &one.id) > 1)).await;
        clock.advance(Duration::from_secs(5));
        let ends = |engine: &Engine| {
            let described = engine.execution("one").expect("it is there").describe().expect("a description");
            let awaited: Vec<String> =
                described.children.iter().filter(|child| child.awaited).map(|c| c.id.clone()).collect();
            awaited.len() == 2 && described.waiting.len() == 2
        };
        until("only the child that works is waited for", || ends(&engine) && tasks.calls("slow").len() == 1).await;
        let described = engine.execution("one").expect("it is there").describe().expect("a description");
        let child = described.children.iter().find(|child| child.awaited && child.status == Status::Running);
        let child = child.expect("the child that works").id.clone();
        until("nothing else of it is left", || waits(&engine, &child) == 2).await;
    });
    tasks.let_go();
    process(async {
        let engine = open(&place, &tasks, &clock).await;
        let one = engine.execution("one").expect("it is there");
        assert_eq!(one.result().await.expect("a result"), Ok("deep".into()));
        let described = one.describe().expect("a description");
        assert_eq!(described.outcome, Some(Ok("deep".into())));
        for child in described.children.iter().filter(|child| child.awaited) {
            assert_eq!(child.status, Status::Succeeded, "{child:?}");
        }
        // A detached child continues.
        let aside = described.children.iter().find(|child| !child.awaited).expect("a child").id.clone();
        clock.advance(Duration::from_secs(200));
        let aside = engine.execution(&aside).expect("it is there");
        assert_eq!(aside.result().await.expect("a result"), Ok(value!(["well"])));
    });
    let calls = tasks.calls("slow");
    assert!(calls.len() == 2 && calls[0] == calls[1], "{calls:?}");
    assert_eq!((tasks.calls("x").len(), tasks.calls("aside").len()), (0, 1));
}

#[test]
fn a_run_that_is_about_to_end_can_be_cancelled() {
    let (place, tasks, clock) = (Place::new("cancelled"), Tasks::hanging(&["slow"]), clock());
    process(async {
        let engine = open(&place, &tasks, &clock).await;
        start(&engine, value!([["slow"], [{ "sleep": 5 }, { "stop": 1 }], [{ "call": [["slow"]] }]])).await;
        until("all work", || tasks.calls("slow").len() == 2).await;
        clock.advance(Duration::from_secs(5));
        until("it is about to end", || waits(&engine, "one") == 3).await;
        let one = engine.execution("one").expect("it is there");
        one.cancel("at once").await.expect("it runs");
        let fault = one.result().await.expect("a result").expect_err("it is cancelled");
        assert_eq!(fault.error(), Some(CANCELLED));
        let described = one.describe().expect("a description");
        let child = described.children.first().expect("a child").id.clone();
        until("the child is cancelled, too", || status(&engine, &child) == Status::Cancelled).await;
    });
}

#[test]
fn tasks_that_are_held_back_do_not_begin() {
    let (place, tasks, clock) = (Place::new("held"), Tasks::hanging(&["slow"]), clock());
    process(async {
        let engine = builder(&place, &tasks, &clock).tasks_at_once(2).open().await.expect("a database");
        start(&engine, value!([["slow"], ["quick", { "stop": 1 }], ["slow"], ["x"], ["x"]])).await;
        // The third begins once the second has ended, unless it is too late.
        until("it is about to end", || waits(&engine, "one") == 2).await;
    });
    let before = tasks.calls("slow").len();
    tasks.let_go();
    process(async {
        let engine = open(&place, &tasks, &clock).await;
        let one = engine.execution("one").expect("it is there");
        assert_eq!(one.result().await.expect("a result"), Ok(1.into()));
    });
    assert_eq!((before, tasks.calls("slow").len(), tasks.calls("x").len()), (1, 2, 0));
}

#[test]
fn the_time_until_an_iteration_begins_runs_while_no_process_does() {
    let (place, tasks, clock) = (Place::new("pace"), Tasks::hanging(&[]), clock());
    let begun = |tasks: &Tasks| ["a", "b", "c"].map(|name| tasks.calls(name).len());
    process(async {
        let engine = open(&place, &tasks, &clock).await;
        start(&engine, value!({ "delay": 60, "items": [["a"], ["b"], ["c"]] })).await;
        until("the first has ended, and the second waits", || begun(&tasks) == [1, 0, 0] && waits(&engine, "one") == 2)
            .await;
    });
    clock.advance(Duration::from_secs(70));
    process(async {
        let engine = open(&place, &tasks, &clock).await;
        until("the second begins", || begun(&tasks) == [1, 1, 0] && waits(&engine, "one") == 2).await;
        // A minute after the second, not two after the first.
        clock.advance(Duration::from_secs(59));
        tokio::time::sleep(Duration::from_millis(30)).await;
        assert_eq!(begun(&tasks), [1, 1, 0]);
        clock.advance(Duration::from_secs(1));
        let one = engine.execution("one").expect("it is there");
        assert_eq!(one.result().await.expect("a result"), Ok(value!(["well", "well", "well"])));
    });
    assert_eq!(begun(&tasks), [1, 1, 1]);
}
