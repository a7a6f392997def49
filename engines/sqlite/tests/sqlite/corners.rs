//! Rare cases: many outcomes at once, executions that fail at their start, and time-outs of tasks
//! while others wait.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::place::{Place, clock, process, until};
use corners::Corners;
use workflow_runtime::testing::VirtualClock;
use workflow_runtime::{Fault, TaskContext, Value, include_workflow, value};
use workflow_sqlite::{Builder, Engine, Error, Status};

include_workflow!("tests/flows/corners.asl.json");

#[derive(Default)]
struct Tasks {
    /// Tokens of each execution, by item.
    tokens: Mutex<HashMap<(String, i64), String>>,
    slow: Mutex<Vec<Option<Fault>>>,
    begun: Mutex<u32>,
    after: Mutex<u32>,
}

impl corners::Tasks for Tasks {
    async fn sqs_send_message(&self, input: Value, cx: TaskContext) -> Result<Value, Fault> {
        let item = input.get("MessageBody").and_then(Value::as_i64).expect("an item");
        let token = cx.token().expect("a token").to_owned();
        self.tokens.lock().unwrap().insert((cx.execution_id().to_owned(), item), token);
        Ok(Value::Null)
    }

    async fn slow(&self, _: Value, _: TaskContext) -> Result<Value, Fault> {
        *self.begun.lock().unwrap() += 1;
        let now = self.slow.lock().unwrap().pop();
        match now {
            Some(Some(fault)) => Err(fault),
            Some(None) => std::future::pending().await,
            None => Ok("at last".into()),
        }
    }

    async fn after(&self, input: Value, _: TaskContext) -> Result<Value, Fault> {
        *self.after.lock().unwrap() += 1;
        Ok(input)
    }
}

fn engine(place: &Place, tasks: &Arc<Tasks>, clock: &VirtualClock) -> Builder {
    Engine::at(place.file()).workflow::<Corners>(Corners::bind(tasks.clone())).clock(clock.clone())
}

fn asked(tasks: &Tasks) -> usize {
    tasks.tokens.lock().unwrap().len()
}

/// The execution waits for more outcomes than it begins at once.
#[test]
fn every_outcome_of_many_is_taken_in() {
    let (place, tasks, clock) = (Place::new("many"), Arc::new(Tasks::default()), clock());
    let items: Vec<i64> = (0..300).collect();
    process(async {
        let engine = engine(&place, &tasks, &clock).open().await.expect("a new database");
        let input = value!({ "what": "ask", "items": (items.clone()) });
        let execution = engine.start::<Corners>(input).id("many").submit().await.expect("a start");
        until("all are asked", || asked(&tasks) == 300).await;
        until("nothing is under way", || {
            let waiting = execution.describe().expect("a description").waiting;
            waiting.iter().filter(|one| matches!(one.waits_for, workflow_sqlite::WaitsFor::Token(_))).count() == 300
        })
        .await;
    });
    process(async {
        let engine = engine(&place, &tasks, &clock).open().await.expect("the database");
        let execution = engine.execution("many").expect("the execution");
        for item in (0..300).rev() {
            let token = tasks.tokens.lock().unwrap()[&("many".to_owned(), item)].clone();
            engine.succeed(&token, item * 2).await.expect("the token is known");
        }
        let doubled: Vec<i64> = items.iter().map(|item| item * 2).collect();
        let outcome = tokio::time::timeout(Duration::from_secs(60), execution.result()).await.expect("it ends");
        assert_eq!(outcome.expect("a result"), Ok(doubled.into()));
    });
}

#[test]
fn an_execution_that_fails_at_its_start_is_taken_up_and_disturbs_no_other() {
    let (place, tasks, clock) = (Place::new("start"), Arc::new(Tasks::default()), clock());
    process(async {
        let engine = engine(&place, &tasks, &clock).open().await.expect("a new database");
        let bad = engine.start::<Corners>(value!({ "what": "nothing" })).id("bad").submit().await.expect("a start");
        for _ in 0..3 {
            let fault = bad.result().await.expect("it ends").expect_err("a fault");
            assert_eq!(fault.error(), Some("States.Runtime"));
            bad.redrive().await.expect("it has failed");
        }
        bad.result().await.expect("it ends").expect_err("a fault");
        let good = engine.start::<Corners>(value!({ "what": "slow" })).submit().await.expect("a start");
        assert_eq!(good.result().await.expect("it ends"), Ok(value!({ "what": "slow", "slow": "at last" })));
        let history = bad.history().expect("a history");
        let count = |event: &str| history.iter().filter(|line| line.contains(event)).count();
        assert_eq!((count("ExecutionStarted"), count("ExecutionFailed")), (1, 4), "{history:#?}");
        for redrive in 1..=3 {
            assert_eq!(count(&format!(r#""event":"ExecutionRedriven","redrive":{redrive}}}"#)), 1, "{history:#?}");
        }
        assert_eq!(bad.describe().expect("a description").redrives, 3);
    });
}

/// An abandoned task does not count towards the limit.
#[test]
fn one_task_at_a_time_goes_on_after_a_timeout() {
    let (place, tasks, clock) = (Place::new("one"), Arc::new(Tasks::default()), clock());
    process(async {
        let engine = engine(&place, &tasks, &clock).tasks_at_once(1).open().await.expect("a new database");
        tasks.slow.lock().unwrap().push(None);
        let execution = engine.start::<Corners>(value!({ "what": "slow" })).submit().await.expect("a start");
        until("it is under way", || *tasks.begun.lock().unwrap() == 1).await;
        clock.advance(Duration::from_secs(61));
        let outcome = tokio::time::timeout(Duration::from_secs(60), execution.result()).await.expect("it ends");
        assert!(outcome.expect("a result").is_ok());
        assert_eq!(*tasks.after.lock().unwrap(), 1);
    });
}

#[test]
fn a_task_has_all_its_time_when_it_is_taken_up_later() {
    let (place, tasks, clock) = (Place::new("later"), Arc::new(Tasks::default()), clock());
    process(async {
        let engine = engine(&place, &tasks, &clock).open().await.expect("a new database");
        tasks.slow.lock().unwrap().push(Some(Fault::new("Other", "no")));
        let execution = engine.start::<Corners>(value!({ "what": "slow" })).submit().await.expect("a start");
        assert_eq!(execution.result().await.expect("it ends").expect_err("a fault").error(), Some("Other"));
        clock.advance(Duration::from_secs(3_600));
        execution.redrive().await.expect("it has failed");
        let output = execution.result().await.expect("it ends").expect("it ends well");
        assert_eq!(output.get("slow"), Some(&"at last".into()));
        assert_eq!(*tasks.begun.lock().unwrap(), 2);
    });
}

#[test]
fn executions_of_one_seed_have_tokens_of_their_own() {
    let (place, tasks, clock) = (Place::new("seeds"), Arc::new(Tasks::default()), clock());
    process(async {
        let engine = engine(&place, &tasks, &clock).open().await.expect("a new database");
        let input = value!({ "what": "ask", "items": [1] });
        for id in ["a", "b"] {
            let start = engine.start::<Corners>(input.clone()).id(id).seed(7);
            assert!(start.submit().await.expect("a start").is_new());
        }
        until("both are asked", || asked(&tasks) == 2).await;
        let tokens: Vec<String> = tasks.tokens.lock().unwrap().values().cloned().collect();
        assert_ne!(tokens[0], tokens[1]);
        // The same request, although others share its input.
        let shared = engine.start::<Corners>(input.clone()).key("k").submit().await.expect("a start");
        let alone = engine.start::<Corners>(value!({ "what": "ask", "items": [1] })).key("k").submit().await;
        assert_eq!(alone.expect("the same start").id(), shared.id());
    });
}

/// Executions that are cancelled before they begin, in any order of the signals.
#[test]
fn what_was_cancelled_at_once_does_not_run() {
    let (place, tasks, clock) = (Place::new("at_once"), Arc::new(Tasks::default()), clock());
    process(async {
        let engine = engine(&place, &tasks, &clock).open().await.expect("a new database");
        tasks.slow.lock().unwrap().extend((0..100).map(|_| None));
        for number in 0..100 {
            let id = format!("e-{number}");
            let execution = engine.start::<Corners>(value!({ "what": "slow" })).id(id).submit().await.expect("a start");
            match execution.cancel("not needed").await {
                Ok(()) | Err(Error::NotNow { .. }) => {}
                Err(error) => panic!("{error}"),
            }
            execution.result().await.expect("it ends").expect_err("a fault");
            assert_eq!(execution.describe().expect("a description").summary.status, Status::Cancelled);
        }
    });
}

/// If the process lost its locks, any program that opens and closes the database would remove the
/// log.
#[cfg(target_os = "linux")]
#[test]
fn the_engine_keeps_its_locks_on_the_file_while_others_look_at_it() {
    use std::os::unix::fs::MetadataExt as _;
    let (place, tasks, clock) = (Place::new("locks"), Arc::new(Tasks::default()), clock());
    process(async {
        let engine = engine(&place, &tasks, &clock).open().await.expect("a new database");
        let execution = engine.start::<Corners>(value!({ "what": "slow" })).id("e").submit().await.expect("a start");
        execution.result().await.expect("it ends").expect("well");
        drop(workflow_sqlite::View::open(place.file()).expect("a view"));
        let inode = std::fs::metadata(place.file()).expect("the file").ino().to_string();
        let locks = std::fs::read_to_string("/proc/locks").expect("the locks");
        let ours = format!(" {} ", std::process::id());
        let holds = |line: &&str| line.contains(&ours) && line.contains(&format!(":{inode} "));
        assert!(locks.lines().filter(holds).any(|line| line.contains("POSIX")), "{inode}\n{locks}");
    });
}
