//! Executions of `Gate`, which events start. Each has three events, which are published again and
//! again after kills: they start one execution, and each reaches it once.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use workflow_runtime::{CloudEvent, Object, value};
use workflow_sqlite::{Engine, Filter, Summary};

use crate::effects::Effects;
use crate::gate::ATTRIBUTE;
use crate::kinds::STARTED_BY_EVENTS;
use crate::{AGAIN, tasks};

/// The number of unfinished executions at any time.
const AT_ONCE: usize = 16;

/// The number of executions among which an unfinished one is.
const LISTED: u32 = 512;

/// Returns the number that is the result of an execution: the sum of the events' numbers, and one
/// for the task.
fn expected(number: u64) -> i64 {
    3 * number as i64 + 1
}

/// Returns the name of an execution in the effects, which is its correlation key.
fn name(number: u64) -> String {
    format!("{STARTED_BY_EVENTS}{number}")
}

/// Publishes events, until the process is killed.
pub async fn publish(engine: Engine, effects: Arc<Effects>) {
    let permits = Arc::new(Semaphore::new(AT_ONCE));
    let listed = listed(&engine, LISTED);
    let newest = listed.keys().next_back().copied();
    let again = newest.map_or(0, |newest| (newest + 1).saturating_sub(AGAIN));
    let unfinished = listed.iter().filter(|(number, all)| **number < again && is_unfinished(all));
    let unfinished: Vec<u64> = unfinished.map(|(number, _)| *number).collect();
    for number in unfinished.into_iter().chain(again..) {
        let permit = permits.clone().acquire_owned().await.ok();
        tokio::spawn(run(engine.clone(), effects.clone(), number, permit));
    }
}

/// Publishes the events of one execution, and waits for its end.
async fn run(engine: Engine, effects: Arc<Effects>, number: u64, _permit: Option<OwnedSemaphorePermit>) {
    publish_all(&engine, &effects, number).await;
    let found = listed(&engine, LISTED).remove(&number).unwrap_or_default();
    follow(&engine, &effects, number, &found).await;
}

/// Publishes the events of one execution.
async fn publish_all(engine: &Engine, effects: &Effects, number: u64) {
    let name = name(number);
    let event = |kind: &str| {
        let event = CloudEvent::new(format!("{number}-{kind}"), "/crash", format!("gate.{kind}"));
        event.data(value!({ "key": "start", "n": number as i64 })).extension(ATTRIBUTE, name.as_str())
    };
    // Either may start the execution.
    let kinds = if number.is_multiple_of(2) { ["opened", "confirmed"] } else { ["confirmed", "opened"] };
    for kind in kinds {
        let reached = engine.publish_and_start(vec![event(kind)], &Object::new()).await.expect("it is published");
        for _ in 0..reached[0].started {
            effects.note(&format!("new {name}"));
        }
        tokio::time::sleep(Duration::from_micros(tasks::random() % 20_000)).await;
    }
    effects.note(&format!("ack {name}"));
    // Early, while the task runs, or when the execution waits for it.
    engine.publish(event("closed")).await.expect("it is published");
}

/// Publishes the events of unfinished executions once more, and waits until all have ended.
pub async fn end(engine: &Engine, effects: &Effects) {
    for (number, _) in listed(engine, 0).iter().filter(|(_, all)| is_unfinished(all)) {
        publish_all(engine, effects, *number).await;
    }
    for (number, found) in listed(engine, 0) {
        follow(engine, effects, number, &found).await;
    }
}

fn is_unfinished(found: &[Summary]) -> bool {
    found.iter().any(|one| !one.status.is_over())
}

/// Waits for the end of the execution that the events of this number have started.
async fn follow(engine: &Engine, effects: &Effects, number: u64, found: &[Summary]) {
    let name = name(number);
    let [one] = found else {
        return effects.note(&format!("result {name} wrong {} executions", found.len()));
    };
    let outcome = engine.execution(&one.id).expect("it was listed").result().await.expect("a result");
    let verdict = match outcome {
        Ok(output) if tasks::number(&output) == expected(number) => "right".to_owned(),
        Ok(output) => format!("wrong {output} instead of {}", expected(number)),
        Err(fault) => format!("wrong {fault:?}").replace('\n', " "),
    };
    effects.note(&format!("result {name} {verdict}"));
}

/// Returns the newest executions, by the number of the event that has started them.
fn listed(engine: &Engine, limit: u32) -> BTreeMap<u64, Vec<Summary>> {
    let listed = engine.list(&Filter::all().workflow("gate").limit(limit)).expect("a list");
    let mut all = BTreeMap::<u64, Vec<Summary>>::new();
    for one in listed {
        let number = one.event.as_ref().and_then(|(_, id)| id.split('-').next()?.parse().ok());
        all.entry(number.expect("an event of ours")).or_default().push(one);
    }
    all
}
