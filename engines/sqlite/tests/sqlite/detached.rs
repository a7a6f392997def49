//! Failures of detached children, in the histories of their parents.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::errand::Errand;
use crate::place::{Place, clock, process, until};
use workflow_runtime::machine::Task;
use workflow_runtime::observe::{Event, EventKind, Observer};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::{Fault, TaskContext, Value, value};
use workflow_sqlite::{Builder, Engine};

/// Tasks of which `Later` fails, and `Work` ends once the gate is open.
#[derive(Clone, Default)]
struct Tasks {
    is_open: Arc<AtomicBool>,
}

impl Invoke for Tasks {
    fn invoke<'a>(&'a self, task: &'static Task, _: Value, _: TaskContext) -> TaskFuture<'a> {
        Box::pin(async move {
            if task.key == "Later" {
                return Err(Fault::new("Spilled", "on the floor"));
            }
            while !self.is_open.load(Ordering::SeqCst) {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            Ok(task.key.into())
        })
    }
}

/// Inputs and errors of the detached children of the execution `one` that have failed, as its
/// observers receive them; and the number of all events.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<(Vec<String>, usize)>>);

impl Observer for Seen {
    fn observe(&mut self, event: &Event<'_>) {
        let mut seen = self.0.lock().unwrap();
        seen.1 += 1;
        if let EventKind::ChildFailed { call, fault } = event.kind {
            assert!(call.detached);
            seen.0.push(format!("{} {} {}", event.workflow, call.input, fault.error().unwrap_or_default()));
        }
    }
}

fn set_up(place: &Place, tasks: &Tasks, seen: &Seen) -> Builder {
    let seen = seen.clone();
    let observe = move |id: &str| (id == "one").then(|| Box::new(seen.clone()) as Box<dyn Observer>);
    Engine::at(place.file()).workflow::<Errand>(tasks.clone()).clock(clock()).observer(observe)
}

fn history(engine: &Engine, id: &str) -> Vec<String> {
    engine.execution(id).and_then(|one| one.history()).expect("a history")
}

fn failures(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.contains(r#""event":"ChildFailed""#) && line.contains("Spilled")).count()
}

async fn start(engine: &Engine) {
    let input = value!({ "aside": 3, "ask": { "do": "work" } });
    engine.start::<Errand>(input).id("one").submit().await.expect("a start");
    until("the failure is reported", || failures(&history(engine, "one")) == 1).await;
}

#[test]
fn a_running_parent_has_the_failure_of_a_detached_child_among_its_own_events() {
    let (place, tasks, seen) = (Place::new("detached-running"), Tasks::default(), Seen::default());
    process(async {
        let engine = set_up(&place, &tasks, &seen).open().await.expect("a new database");
        start(&engine).await;
        tasks.is_open.store(true, Ordering::SeqCst);
        let one = engine.execution("one").expect("it is there");
        assert!(one.result().await.is_ok_and(|outcome| outcome.is_ok()));
        let lines = history(&engine, "one");
        assert_eq!(failures(&lines), 1);
        assert!(lines.iter().all(|line| line.contains(r#""workflow":"errand","execution":"one""#)), "{lines:?}");
        let seen = seen.0.lock().unwrap();
        assert_eq!((&seen.0[..], seen.1), (&["errand 3 Spilled".to_owned()][..], lines.len()));
    });
}

#[test]
fn a_parent_continues_its_history_behind_the_failure_after_a_crash() {
    let (place, tasks, seen) = (Place::new("detached-crash"), Tasks::default(), Seen::default());
    let before = process(async {
        let engine = set_up(&place, &tasks, &seen).open().await.expect("a new database");
        start(&engine).await;
        until("the child works", || engine.execution("one.3-0").is_ok()).await;
        history(&engine, "one")
    });
    tasks.is_open.store(true, Ordering::SeqCst);
    process(async {
        let engine = set_up(&place, &tasks, &seen).open().await.expect("the database");
        let one = engine.execution("one").expect("it is there");
        assert!(one.result().await.is_ok_and(|outcome| outcome.is_ok()));
        let after = history(&engine, "one");
        assert_eq!(after[..before.len()], before);
        assert!(failures(&after) == 1 && after.len() > before.len());
        assert_eq!(seen.0.lock().unwrap().0.len(), 1);
    });
}
