//! The workload, the same for each engine: executions that are submitted, answered, and followed
//! to their ends. A restarted process reads in the file of effects what is unfinished.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use workflow_runtime::engine::{EngineError, Filter, Signal, StartRequest, Status, TaskToken};
use workflow_runtime::value;

use crate::effects::{Asked, Effects};
use crate::engines::{Engines, Known, Load, outcome, verdict};
use crate::plan::Plan;
use crate::{Mode, kinds, start_events, tasks};

/// The executions of several kinds.
const MIXED: Plan = Plan {
    planned: kinds::planned,
    number: kinds::number,
    verdict: |outcome, number| verdict(outcome, kinds::expected(number)),
};

/// Works until the process is killed, or lets all executions come to their ends.
pub async fn work(
    engines: Engines,
    folder: &Path,
    effects: Arc<Effects>,
    asked: mpsc::UnboundedReceiver<Asked>,
    load: Load,
    mode: Mode,
) {
    assert_ne!(mode, Mode::Serve, "one process serves this workload");
    let engines = Arc::new(engines);
    let plan = MIXED;
    let known = Known::read(folder, plan.number);
    let gates = Known::read(folder, start_events::number);
    tokio::spawn(answer(engines.clone(), effects.clone(), asked));
    if mode == Mode::Submit {
        tokio::spawn(start_events::publish(engines.clone(), effects.clone(), gates, load));
        return submit(engines, effects, known, load.at_once, plan).await;
    }
    for number in &known.all {
        follow(&engines, *number, &effects, None, plan).await;
    }
    start_events::end(&engines, &effects, &gates).await;
    println!("executions {}", known.all.len());
    println!("gates {}", gates.all.len());
    end(&engines).await;
}

/// Reports what was parked, and ends the process.
pub async fn end(engines: &Engines) {
    if engines.have_lists() {
        let filter = Filter::all().status(Status::Parked);
        println!("parked {}", engines.0[0].list(&filter).await.expect("a list").len());
    }
    for engine in &engines.0 {
        engine.shut_down(Duration::from_secs(10)).await;
    }
    println!("ended");
    std::process::exit(0);
}

/// Submits executions, until the process is killed.
pub async fn submit(engines: Arc<Engines>, effects: Arc<Effects>, known: Known, at_once: usize, plan: Plan) {
    let permits = Arc::new(Semaphore::new(at_once));
    let first = known.first(at_once);
    for number in known.open().into_iter().filter(|number| *number < first) {
        let permit = permits.clone().try_acquire_owned().ok();
        let (engines, effects) = (engines.clone(), effects.clone());
        tokio::spawn(async move { follow(&engines, number, &effects, permit, plan).await });
    }
    for number in first.. {
        let permit = permits.clone().acquire_owned().await.ok();
        let (engines, effects) = (engines.clone(), effects.clone());
        tokio::spawn(async move {
            let planned = (plan.planned)(number);
            let started = engines.ask(|engine| {
                let request = StartRequest::new(planned.workflow, planned.input.clone()).id(planned.id.as_str());
                async move { engine.start(request).await }
            });
            if started.await.expect("a start").is_new {
                effects.note(&format!("new {}", planned.id));
            }
            effects.note(&format!("ack {}", planned.id));
            follow(&engines, number, &effects, permit, plan).await;
        });
    }
}

/// Waits for the end of an execution.
pub async fn follow(
    engines: &Engines,
    number: u64,
    effects: &Effects,
    permit: Option<OwnedSemaphorePermit>,
    plan: Plan,
) {
    let id = (plan.planned)(number).id;
    let outcome = outcome(engines, &id).await.expect("an outcome");
    effects.note(&format!("result {id} {}", (plan.verdict)(&outcome, number)));
    drop(permit);
}

/// Answers the tasks that wait for an outcome, a little later.
async fn answer(engines: Arc<Engines>, effects: Arc<Effects>, mut asked: mpsc::UnboundedReceiver<Asked>) {
    while let Some(asked) = asked.recv().await {
        let (engines, effects) = (engines.clone(), effects.clone());
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_micros(tasks::random() % 30_000)).await;
            if let Some((id, event)) = asked.event() {
                let sent = engines.ask(|engine| {
                    let (id, event) = (id.to_owned(), event.clone());
                    async move { engine.send(&id, vec![event]).await.map(drop) }
                });
                arrived(sent.await);
                return effects.used(&asked.token);
            }
            let id = asked.key.split('/').nth(1).unwrap_or_default();
            let signal = engines.ask(|engine| {
                let (id, token) = (id.to_owned(), asked.token.clone());
                let answer = value!({ "key": asked.key.as_str(), "n": asked.n + 1 });
                async move { engine.signal(TaskToken::new(&token).of(&id), Signal::Succeed(answer)).await }
            });
            if arrived(signal.await) {
                effects.note(&format!("answered {}", asked.key));
            }
            effects.used(&asked.token);
        });
    }
}

/// Returns `true` if something was delivered now, not before the last kill.
fn arrived(delivered: Result<(), EngineError>) -> bool {
    match delivered {
        Ok(()) => true,
        Err(EngineError::NotNow { .. } | EngineError::UnknownToken { .. }) => false,
        Err(error) => panic!("{error}"),
    }
}
