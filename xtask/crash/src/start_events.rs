//! Executions of `Gate`, which events start. Each has three events, which start one execution, and
//! each of which reaches it once. Events of even numbers are published again after each kill, so
//! that they come twice. Those of odd numbers are not, once all are acknowledged: they must not be
//! lost.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use workflow_runtime::engine::{EngineError, Filter, Publication, Reached};
use workflow_runtime::{CloudEvent, Object, value};

use crate::effects::Effects;
use crate::engines::{Engines, Known, Load, outcome, verdict};
use crate::gate::ATTRIBUTE;
use crate::kinds::STARTED_BY_EVENTS;
use crate::tasks;

/// The number of executions among which an unfinished one is listed.
const LISTED: u32 = 512;

/// The ids of executions, by the ids of the events that have started them.
type Started = HashMap<String, Vec<String>>;

/// The source of the events.
const SOURCE: &str = "/crash";

/// The kinds of events either of which may start an execution.
const STARTS: [&str; 2] = ["opened", "confirmed"];

/// Returns the number that is the result of an execution: the sum of the events' numbers, and one
/// for the task.
fn expected(number: u64) -> i64 {
    3 * number as i64 + 1
}

/// Returns the name of an execution in the effects, which is its correlation key.
fn name(number: u64) -> String {
    format!("{STARTED_BY_EVENTS}{number}")
}

/// Returns the number of a name.
pub fn number(name: &str) -> Option<u64> {
    name.strip_prefix(STARTED_BY_EVENTS)?.parse().ok()
}

/// Returns the id of an event.
fn event_id(number: u64, kind: &str) -> String {
    format!("{number}-{kind}")
}

/// Publishes events, until the process is killed.
pub async fn publish(engines: Arc<Engines>, effects: Arc<Effects>, known: Known, load: Load) {
    let permits = Arc::new(Semaphore::new(load.gates_at_once));
    let first = known.first(load.gates_at_once);
    for number in known.open().into_iter().filter(|number| *number < first).chain(first..) {
        let permit = permits.clone().acquire_owned().await.ok();
        let publishes = must_publish(&known, number);
        tokio::spawn(run(engines.clone(), effects.clone(), number, publishes, permit));
    }
}

/// Returns `true` if the events of this number are to be published, perhaps once more.
fn must_publish(known: &Known, number: u64) -> bool {
    number.is_multiple_of(2) || !known.is_sent(number)
}

/// Waits for the end of one execution. Publishes its events before that, if they are to be
/// published.
async fn run(
    engines: Arc<Engines>,
    effects: Arc<Effects>,
    number: u64,
    publishes: bool,
    _permit: Option<OwnedSemaphorePermit>,
) {
    if publishes {
        publish_all(&engines, &effects, number).await;
    }
    follow(&engines, &effects, number, &started(&engines, number).await).await;
}

/// Publishes the events of one execution.
async fn publish_all(engines: &Engines, effects: &Effects, number: u64) {
    let name = name(number);
    let event = |kind: &str| {
        let event = CloudEvent::new(event_id(number, kind), SOURCE, format!("gate.{kind}"));
        event.data(value!({ "key": "start", "n": number as i64 })).extension(ATTRIBUTE, name.as_str())
    };
    let kinds = if number.is_multiple_of(2) { STARTS } else { [STARTS[1], STARTS[0]] };
    for kind in kinds {
        let publication = Publication::of(vec![event(kind)]).starting(Object::new());
        for _ in 0..reached(engines, publication).await.started {
            effects.note(&format!("new {name}"));
        }
        tokio::time::sleep(Duration::from_micros(tasks::random() % 20_000)).await;
    }
    effects.note(&format!("ack {name}"));
    // Early, while the task runs, or when the execution waits for it.
    reached(engines, Publication::of(vec![event("closed")])).await;
    effects.note(&format!("sent {name}"));
}

async fn reached(engines: &Engines, publication: Publication) -> Reached {
    let asked = engines.ask(|engine| {
        let publication = publication.clone();
        async move { engine.publish(publication).await }
    });
    asked.await.expect("it is published").into_iter().next().expect("a count for each event")
}

/// Publishes the events of unfinished executions once more, and waits until all have ended.
pub async fn end(engines: &Engines, effects: &Effects, known: &Known) {
    for number in known.open() {
        if must_publish(known, number) {
            publish_all(engines, effects, number).await;
        }
    }
    // Each number would list all executions again.
    let all = match engines.have_lists() {
        true => Some(listed(engines, 0).await),
        false => None,
    };
    for number in &known.all {
        let found = match &all {
            Some(all) => among(all, *number),
            None => started(engines, *number).await,
        };
        follow(engines, effects, *number, &found).await;
    }
}

/// Waits for the end of the execution that the events of this number have started: the only one
/// that was found.
async fn follow(engines: &Engines, effects: &Effects, number: u64, found: &[String]) {
    let name = name(number);
    let [id] = found else {
        return effects.note(&format!("result {name} wrong {} executions", found.len()));
    };
    effects.note(&format!(
        "result {name} {}",
        verdict(&outcome(engines, id).await.expect("an outcome"), expected(number))
    ));
}

/// Returns the newest executions, up to a limit (0: all), by the ids of the events that have
/// started them.
async fn listed(engines: &Engines, limit: u32) -> Started {
    let listed = engines.0[0].list(&Filter::all().workflow("gate").limit(limit)).await.expect("a list");
    let mut started = Started::new();
    for one in listed {
        if let Some((_, event)) = one.event {
            started.entry(event).or_default().push(one.id);
        }
    }
    started
}

/// Returns the ids of the executions that the events of this number have started.
fn among(all: &Started, number: u64) -> Vec<String> {
    STARTS.iter().filter_map(|kind| all.get(&event_id(number, kind))).flatten().cloned().collect()
}

/// Returns the ids of the executions that the events of this number have started.
async fn started(engines: &Engines, number: u64) -> Vec<String> {
    if engines.have_lists() {
        let newest = among(&listed(engines, LISTED).await, number);
        return if newest.is_empty() { among(&listed(engines, 0).await, number) } else { newest };
    }
    let events = STARTS.map(|kind| event_id(number, kind));
    let mut found = Vec::new();
    // Restate names the execution after the event that has started it, with one more space if the
    // event does so again.
    let keys = events.iter().flat_map(|event| [" ", "  "].map(|spaces| format!("event{spaces}{SOURCE} {event}")));
    for id in keys {
        let asked = engines.ask(|engine| {
            let id = id.clone();
            async move {
                match engine.summary(&id).await {
                    Ok(_) => Ok(true),
                    Err(EngineError::UnknownExecution(_)) => Ok(false),
                    Err(error) => Err(error),
                }
            }
        });
        if asked.await.expect("a summary") {
            found.push(id);
        }
    }
    found
}
