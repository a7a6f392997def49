//! The workload, the same for each engine: executions that are submitted, answered, and followed to
//! their ends. The file of effects tells a restarted process what is unfinished.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use workflow_runtime::engine::{Capability, Engine, EngineError, Filter, Signal, StartRequest, Status, TaskToken};
use workflow_runtime::machine::Outcome;
use workflow_runtime::value;

use crate::effects::{Asked, Effects};
use crate::{kinds, start_events, tasks};

/// The pause before an engine is asked again.
const PAUSE: Duration = Duration::from_millis(100);

/// The time for an answer. Whoever waits longer asks again.
const PATIENCE: Duration = Duration::from_secs(20);

/// The amount of work.
#[derive(Clone, Copy)]
pub struct Load {
    /// The number of unfinished executions at any time.
    pub at_once: usize,
    /// The number of unfinished executions at any time that events start.
    pub gates_at_once: usize,
}

/// Engines over the same executions: one, or one for each node of a cluster.
pub struct Engines(pub Vec<Arc<dyn Engine>>);

impl Engines {
    /// Asks one engine after the other until one answers. An error that another attempt can change
    /// is no answer: a server may have been killed.
    pub async fn ask<T, F>(&self, ask: impl Fn(Arc<dyn Engine>) -> F) -> Result<T, EngineError>
    where
        F: Future<Output = Result<T, EngineError>>,
    {
        for engine in self.0.iter().cycle() {
            match tokio::time::timeout(PATIENCE, ask(engine.clone())).await {
                Ok(Err(error)) if self.is_passing(&error) => tokio::time::sleep(PAUSE).await,
                Ok(answer) => return answer,
                Err(_) => {}
            }
        }
        Err(EngineError::Stopped)
    }

    /// Returns `true` if the engines list executions.
    pub fn list(&self) -> bool {
        self.has(Capability::Lists)
    }

    fn has(&self, capability: Capability) -> bool {
        self.0.iter().all(|engine| engine.capabilities().have(capability))
    }

    /// Returns `true` for an error of a server that is starting or ending. An engine that does the
    /// work itself has none.
    fn is_passing(&self, error: &EngineError) -> bool {
        let is_settled = matches!(
            error,
            EngineError::NotNow { .. }
                | EngineError::UnknownToken { .. }
                | EngineError::IdTaken(_)
                | EngineError::UnwantedEvent { .. }
                | EngineError::Unsupported { .. }
                | EngineError::UnknownWorkflow(_)
        );
        !is_settled && !self.has(Capability::Workers)
    }
}

/// Works until the process is killed, or lets all executions come to their ends.
pub async fn work(
    engines: Engines,
    folder: &Path,
    effects: Arc<Effects>,
    asked: mpsc::UnboundedReceiver<Asked>,
    load: Load,
    finish: bool,
) {
    let engines = Arc::new(engines);
    let known = Known::read(folder, kinds::number);
    let gates = Known::read(folder, start_events::number);
    tokio::spawn(answer(engines.clone(), effects.clone(), asked));
    if !finish {
        tokio::spawn(start_events::publish(engines.clone(), effects.clone(), gates, load));
        return submit(engines, effects, known, load).await;
    }
    for number in known.open() {
        follow(&engines, number, &effects, None).await;
    }
    start_events::end(&engines, &effects, &gates).await;
    println!("executions {}", known.all.len() + gates.all.len());
    if engines.list() {
        let filter = Filter::all().status(Status::Parked);
        println!("parked {}", engines.0[0].list(&filter).await.expect("a list").len());
    }
    for engine in &engines.0 {
        engine.shut_down(Duration::from_secs(10)).await;
    }
    println!("ended");
    std::process::exit(0);
}

/// The numbers of executions in the file of effects.
pub struct Known {
    /// Those that were submitted.
    pub all: BTreeSet<u64>,
    ended: BTreeSet<u64>,
}

impl Known {
    /// Reads the numbers of the ids that have one.
    fn read(folder: &Path, number: impl Fn(&str) -> Option<u64>) -> Known {
        let text = std::fs::read_to_string(folder.join("effects")).expect("effects can be read");
        let mut known = Known { all: BTreeSet::new(), ended: BTreeSet::new() };
        for line in text.lines() {
            let mut words = line.split(' ');
            match (words.next(), words.next().and_then(&number)) {
                (Some("new" | "ack"), Some(number)) => drop(known.all.insert(number)),
                (Some("result"), Some(number)) => drop(known.ended.insert(number)),
                _ => {}
            }
        }
        known
    }

    /// Returns those that have not ended.
    pub fn open(&self) -> Vec<u64> {
        self.all.difference(&self.ended).copied().collect()
    }

    /// Returns the first number to submit. All that may have been on their way are submitted once
    /// more.
    pub fn first(&self, at_once: usize) -> u64 {
        self.all.last().map_or(0, |newest| (newest + 1).saturating_sub(at_once as u64))
    }
}

/// Submits executions, until the process is killed.
async fn submit(engines: Arc<Engines>, effects: Arc<Effects>, known: Known, load: Load) {
    let permits = Arc::new(Semaphore::new(load.at_once));
    let first = known.first(load.at_once);
    for number in known.open().into_iter().filter(|number| *number < first) {
        let permit = permits.clone().try_acquire_owned().ok();
        let (engines, effects) = (engines.clone(), effects.clone());
        tokio::spawn(async move { follow(&engines, number, &effects, permit).await });
    }
    for number in first.. {
        let permit = permits.clone().acquire_owned().await.ok();
        let (engines, effects) = (engines.clone(), effects.clone());
        tokio::spawn(async move {
            let planned = kinds::planned(number);
            let started = engines.ask(|engine| {
                let request = StartRequest::new(planned.workflow, planned.input.clone()).id(planned.id.as_str());
                async move { engine.start(request).await }
            });
            if started.await.expect("a start").is_new {
                effects.note(&format!("new {}", planned.id));
            }
            effects.note(&format!("ack {}", planned.id));
            follow(&engines, number, &effects, permit).await;
        });
    }
}

/// Waits for the end of an execution.
async fn follow(engines: &Engines, number: u64, effects: &Effects, permit: Option<OwnedSemaphorePermit>) {
    let id = kinds::planned(number).id;
    let outcome = outcome(engines, &id).await;
    effects.note(&format!("result {id} {}", verdict(&outcome, kinds::expected(number))));
    drop(permit);
}

/// Returns the outcome of an execution. A failure is asked for twice: a server that is being killed
/// may answer with a failure of its own.
pub async fn outcome(engines: &Engines, id: &str) -> Outcome {
    let attach = || {
        let asked = engines.ask(|engine| {
            let id = id.to_owned();
            async move { engine.attach(&id).await }
        });
        async { asked.await.expect("an outcome") }
    };
    let first = attach().await;
    match first {
        Ok(output) => Ok(output),
        Err(_) => {
            tokio::time::sleep(PAUSE).await;
            attach().await
        }
    }
}

/// Returns the verdict about an outcome, for the file of effects.
pub fn verdict(outcome: &Outcome, expected: i64) -> String {
    match outcome {
        Ok(output) if tasks::number(output) == expected => "right".to_owned(),
        Ok(output) => format!("wrong {output} instead of {expected}"),
        Err(fault) => format!("wrong {fault:?}").replace('\n', " "),
    }
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
