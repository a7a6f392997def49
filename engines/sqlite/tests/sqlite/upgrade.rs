//! Upgrade of a database from an earlier version of the engine: its executions continue.

// The definition is that of the database, and has a task without a time-out.
#![allow(deprecated)]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::place::{Place, clock, process, until};
use kept::Kept;
use workflow_runtime::{Fault, TaskContext, Value, include_workflow, value};
use workflow_sqlite::{Engine, Error, Filter, Status, View};

include_workflow!("tests/flows/kept.asl.json");

/// Database that a killed engine of schema 1 left behind. Its executions wait for an outcome by
/// token, for a time, in two branches, or with a running task. One has failed, and one is to start
/// later.
const VERSION_1: &str = include_str!("../fixtures/version-1.sql");

#[derive(Default)]
struct Tasks(Mutex<BTreeMap<String, u32>>);

impl Tasks {
    fn called(&self, cx: &TaskContext) -> Result<Value, Fault> {
        *self.0.lock().unwrap().entry(cx.idempotency_key().to_owned()).or_default() += 1;
        Ok(cx.idempotency_key().into())
    }
}

impl kept::Tasks for Tasks {
    async fn first(&self, _: Value, cx: TaskContext) -> Result<Value, Fault> {
        self.called(&cx)
    }

    async fn last(&self, _: Value, cx: TaskContext) -> Result<Value, Fault> {
        self.called(&cx)
    }

    async fn sqs_send_message(&self, _: Value, cx: TaskContext) -> Result<Value, Fault> {
        self.called(&cx).map(|_| Value::Null)
    }
}

fn restore(place: &Place) {
    let connection = rusqlite::Connection::open(place.file()).expect("a database");
    connection.execute_batch(VERSION_1).expect("the statements");
}

fn version(place: &Place) -> i64 {
    let connection = rusqlite::Connection::open(place.file()).expect("a database");
    connection.pragma_query_value(None, "user_version", |row| row.get(0)).expect("a version")
}

#[test]
fn executions_of_the_first_schema_go_on() {
    let (place, tasks, clock) = (Place::new("upgrade"), Arc::new(Tasks::default()), clock());
    restore(&place);
    // A view does not upgrade the database.
    let view = View::open(place.file()).expect("a view");
    assert_eq!(view.describe("asked").expect("an execution").waiting[0].state, "Ask");
    let history = view.history("asked").expect("a history");
    assert_eq!((history.len(), version(&place)), (9, 1), "{history:#?}");
    drop(view);
    process(async {
        let engine = Engine::at(place.file()).workflow::<Kept>(Kept::bind(tasks.clone())).clock(clock.clone());
        let engine = engine.open().await.expect("the database");
        let described = |id: &str| engine.execution(id).and_then(|one| one.describe()).expect("an execution");
        let again = engine.start::<Kept>(described("asked").input).key("asked").submit().await.expect("the same start");
        assert!(!again.is_new() && again.id() == "asked");
        let other = engine.start::<Kept>(value!({ "way": "another" })).key("asked").submit().await;
        assert!(matches!(other, Err(Error::KeyReused { .. })));
        let token = described("asked").waiting[0].token.clone().expect("a token");
        engine.succeed(&token, value!("yes")).await.expect("the token is known");
        let end = async |id: &str| {
            let execution = engine.execution(id).expect("an execution");
            let outcome = tokio::time::timeout(Duration::from_secs(30), execution.result()).await.expect("it ends");
            outcome.expect("a result").expect("it ends well")
        };
        let output = end("asked").await;
        assert_eq!(output.get("answer"), Some(&"yes".into()));
        assert_eq!(output.get("last"), Some(&"kept/asked/4-0".into()), "{output}");
        until("the task that was under way is repeated", || {
            described("under-way").waiting.iter().any(|one| one.state == "Sleep")
        })
        .await;
        let has_one = || described("both").waiting.iter().any(|one| one.state == "One");
        until("the task of the branch is repeated", || !has_one()).await;
        clock.advance(Duration::from_secs(3_601));
        for id in ["sleeping", "both", "under-way"] {
            end(id).await;
        }
        assert_eq!(described("failed").summary.status, Status::Failed);
        let failed = engine.execution("failed").expect("it");
        failed.redrive().await.expect("it has failed");
        until("it rests", || described("failed").waiting.iter().any(|one| one.state == "Rest")).await;
        clock.advance(Duration::from_secs(61));
        end("failed").await;
        until("the one that was to start later waits", || {
            described("later").waiting.iter().any(|one| one.state == "Ask")
        })
        .await;
        // The history before and after the upgrade is one.
        let all = engine.execution("asked").expect("it").history().expect("a history");
        assert_eq!(all[..history.len()], history);
        assert!(all.last().is_some_and(|line| line.contains("ExecutionSucceeded")), "{all:#?}");
        let continued = |id: &str, event: &str| {
            let lines = engine.execution(id).and_then(|one| one.history()).expect("a history");
            lines.iter().filter(|line| line.contains(event)).count()
        };
        assert_eq!(continued("asked", r#""event":"ExecutionResumed","restart":1}"#), 1);
        assert_eq!(continued("under-way", r#""attempt":1,"again":true"#), 1);
        assert_eq!(continued("failed", r#""event":"ExecutionRedriven","redrive":1}"#), 1);
        assert_eq!((described("asked").restarts, described("failed").redrives), (1, 1));
        let (mut paged, mut after) = (Vec::new(), 0);
        loop {
            let page = engine.execution("asked").expect("it").history_after(after, 3, usize::MAX).expect("a page");
            assert!(page.events.len() <= 3);
            paged.extend(page.events);
            match page.next {
                Some(next) => after = next,
                None => break,
            }
        }
        assert_eq!(paged, all);
        engine.shut_down(Duration::from_secs(5)).await;
    });
    assert_eq!(version(&place), 14);
    let calls = tasks.0.lock().unwrap();
    // Completed tasks did not run again, and nothing ran twice.
    assert!(!calls.contains_key("kept/asked/1-0") && !calls.contains_key("kept/asked/3-0"), "{calls:?}");
    assert!(calls.contains_key("kept/under-way/1-0") && calls.values().all(|count| *count == 1), "{calls:?}");
    let statuses = View::open(place.file()).expect("a view").list(&Filter::all()).expect("a list");
    assert_eq!(statuses.iter().filter(|one| one.status == Status::Succeeded).count(), 5);
}
