//! The engine in memory without a tokio runtime, and its limits.

use std::time::Duration;

use workflow_runtime::engine::{Engine, EngineError, Filter, Purge, StartRequest};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::testing::{alongside, block_on};
use workflow_runtime::{MemoryEngine, MemoryEngineBuilder, Task, TaskContext, Value, include_workflow, value};

include_workflow!("flows/steps.asl.json");

/// Tasks that return their keys.
struct Keys;

impl Invoke for Keys {
    fn invoke<'a>(&'a self, task: &'static Task, _: Value, _: TaskContext) -> TaskFuture<'a> {
        Box::pin(std::future::ready(Ok(Value::from(task.key))))
    }
}

/// Runs a test on an engine, without a tokio runtime.
fn check(builder: MemoryEngineBuilder, test: impl AsyncFnOnce(MemoryEngine)) {
    let (engine, run) = builder.workflow::<steps::Steps>(Keys).open();
    assert_eq!(block_on(alongside(test(engine), run)), Some(()), "the test waits for something that never happens");
}

/// Runs an execution of this id to its end.
async fn run(engine: &MemoryEngine, id: &str) {
    engine.start(StartRequest::new("steps", value!({})).id(id)).await.expect("a start");
    let outcome = engine.attach(id).await.expect("an outcome");
    assert_eq!(outcome, Ok(value!({ "first": "first", "second": "second" })), "{id}");
}

#[test]
fn executions_run_without_a_tokio_runtime() {
    check(MemoryEngine::builder(), async |engine| {
        run(&engine, "one").await;
        run(&engine, "two").await;
        engine.shut_down(Duration::ZERO).await;
        let answer = engine.start(StartRequest::new("steps", value!({}))).await;
        assert!(matches!(answer, Err(EngineError::Stopped)), "{answer:?}");
    });
}

#[test]
fn executions_that_ended_first_are_removed_first() {
    check(MemoryEngine::builder().keep_ended(2), async |engine| {
        for id in ["a", "b", "c"] {
            run(&engine, id).await;
        }
        let listed = engine.list(&Filter::all()).await.expect("a list");
        assert_eq!(listed.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["c", "b"]);
        let answer = engine.attach("a").await;
        assert!(matches!(answer, Err(EngineError::UnknownExecution(_))), "{answer:?}");
    });
}

#[test]
fn an_outcome_reaches_those_who_wait_for_it_even_if_nothing_is_kept() {
    check(MemoryEngine::builder().keep_ended(0), async |engine| {
        run(&engine, "one").await;
        let answer = engine.attach("one").await;
        assert!(matches!(answer, Err(EngineError::UnknownExecution(_))), "{answer:?}");
        assert!(engine.list(&Filter::all()).await.expect("a list").is_empty());
    });
}

#[test]
fn a_history_can_be_short_or_missing() {
    for (events, expected) in [(0, 0), (2, 2)] {
        check(MemoryEngine::builder().history_events(events), async |engine| {
            run(&engine, "one").await;
            let page = engine.history("one", 0, 100, 1 << 20).await.expect("a history");
            assert_eq!(page.events.len(), expected);
            assert!(page.events.last().is_none_or(|last| last.contains("ExecutionSucceeded")));
        });
    }
}

#[test]
fn dropping_the_future_stops_the_engine() {
    let (engine, run) = MemoryEngine::builder().workflow::<steps::Steps>(Keys).open();
    let started = block_on(engine.start(StartRequest::new("steps", value!({})).id("one")));
    assert!(started.is_some_and(|started| started.is_ok()));
    assert!(block_on(engine.attach("one")).is_none(), "nobody polls the future of the engine");
    drop(run);
    let answer = block_on(engine.attach("one"));
    assert!(matches!(answer, Some(Err(EngineError::Stopped))), "{answer:?}");
    let purged = block_on(engine.purge(Duration::ZERO, Purge::Executions));
    assert!(matches!(purged, Some(Err(EngineError::Stopped))), "{purged:?}");
}
