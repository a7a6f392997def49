//! Termination and failure in iterations that run in batches.

use std::time::Duration;

use workflow_runtime::machine::Outcome;
use workflow_runtime::{Array, Builder, Value, include_workflow, value};

use crate::server::server;
use crate::{Served, eventually};

include_workflow!("tests/flows/rounds.sw.json");
include_workflow!("tests/flows/tills.sw.json");

use rounds::Rounds;
use tills::Tills;

/// Number of items of five batches.
const ITEMS: i64 = 40;

/// Item of the second batch that terminates the execution.
const STOPS: i64 = 11;

fn items(stops: Option<i64>) -> Value {
    let item = |number: i64| match stops == Some(number) {
        true => value!({ "number": number, "stop": true }),
        false => value!({ "number": number }),
    };
    Array::from((0..ITEMS).map(item).collect::<Vec<_>>()).into()
}

impl Served {
    async fn end_of(&self, key: &str) -> Outcome {
        tokio::time::timeout(Duration::from_secs(60), self.executions.attach(key)).await.expect("it ends").unwrap()
    }

    /// Waits until the service has no running invocations. Returns those of a handler.
    async fn rest(&self, key: &str, handler: &str) -> usize {
        let service = self.executions.name();
        let query = format!("SELECT target FROM sys_invocation WHERE target_service_name = '{service}'");
        let open = format!("{query} AND status <> 'completed'");
        eventually(async || (!server().unwrap().query(&open).contains("\"target\"")).then_some(())).await;
        server().unwrap().query(&query).matches(&format!("{service}/{key}/{handler}")).count()
    }

    /// Returns the number of starts of a task in an execution.
    fn count(&self, key: &str, task: &str) -> usize {
        self.desk.begun(key).iter().filter(|begun| **begun == task).count()
    }
}

/// Output of the state that terminates the execution.
fn ended(outcome: Outcome) {
    let output = outcome.expect("an output");
    assert_eq!(output.get("stopped"), Some(&true.into()), "{output}");
    assert_eq!(output.get("item").and_then(|item| item.get("number")), Some(&STOPS.into()), "{output}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_state_in_a_batch_ends_the_whole_run() {
    for limit in [2_000, 3] {
        let set_up = move |service: workflow_restate::Service| service.batches(20, 8).journal_limit(limit);
        let Some(served) = Served::start::<Rounds>(set_up).await else { return };
        served.executions.start("wide", value!({ "items": items(Some(STOPS)) })).await.unwrap();
        ended(served.end_of("wide").await);
        // The others wait for an hour. They terminate, and what follows the wait does not begin.
        assert_eq!(served.rest("wide", "batch").await, 5);
        assert_eq!((served.count("wide", "left"), served.count("wide", "release")), (0, 0));
        assert!(served.count("wide", "double") <= ITEMS as usize, "{:?}", served.desk.begun("wide"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn batches_that_have_not_begun_do_not_begin_then() {
    for limit in [2_000, 3] {
        let set_up = move |service: workflow_restate::Service| service.batches(20, 8).journal_limit(limit);
        let Some(served) = Served::start::<Rounds>(set_up).await else { return };
        served.executions.start("narrow", value!({ "items": items(Some(STOPS)), "max": 2 })).await.unwrap();
        ended(served.end_of("narrow").await);
        // Two run at the same time: later items of the second batch do not begin, and neither does
        // a third batch.
        assert_eq!(served.rest("narrow", "batch").await, 2);
        assert!(served.count("narrow", "double") <= STOPS as usize + 3, "{:?}", served.desk.begun("narrow"));
        assert_eq!(served.count("narrow", "release"), 0);
        // Without termination the execution continues after all of them.
        served.executions.start("whole", value!({ "items": items(None), "max": 2 })).await.unwrap();
        let output = served.end_of("whole").await.expect("an output");
        assert_eq!(output.get("release"), Some(&"released".into()), "{output}");
        assert_eq!(served.count("whole", "double"), ITEMS as usize);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_waits_for_the_run_that_a_batch_ends_ends_too() {
    let set_up = |service: workflow_restate::Service| service.batches(20, 8);
    let Some(mut served) = Served::start::<Rounds>(set_up).await else { return };
    let nested = value!({ "ask": { "ask": { "items": items(Some(STOPS)) } } });
    served.executions.start("family", nested).await.unwrap();
    // Also if the process crashes meanwhile.
    let has_begun = || served.keys().iter().any(|key| !served.desk.begun(key).is_empty());
    eventually(async || has_begun().then_some(())).await;
    served.restart().await;
    ended(served.end_of("family").await);
    served.rest("family", "batch").await;
    for key in served.keys() {
        assert_eq!((served.count(&key, "left"), served.count(&key, "release")), (0, 0), "{key}");
    }
    assert_eq!(served.keys().len(), 3);
}

/// The fault names its origin, including the path inside of the batch.
#[tokio::test(flavor = "multi_thread")]
async fn an_error_in_a_batch_names_its_origin() {
    let Some(served) = Served::start::<Tills>(|service| service.batches(3, 2)).await else { return };
    let input = value!({ "cards": ["good", "good", "good", "broken", "good"] });
    let output = served.run("broken", input.clone()).await.expect("an output");
    let trace = output.get("error").and_then(|error| error.get("trace"));
    assert_eq!(trace, Some(&"in the action `charge` of the state `Pay`, in the state `Each`".into()), "{output}");
    let whole = Builder::<Tills>::new().tasks(&crate::tasks::Desk::default()).run(input).await;
    assert_eq!(whole, Ok(output));
    assert!(served.rest("broken", "batch").await >= 2);
}
