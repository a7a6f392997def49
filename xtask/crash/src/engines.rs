//! The engines under test, and what is known of their executions.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use workflow_runtime::engine::{Capability, Engine, EngineError};
use workflow_runtime::machine::Outcome;

use crate::tasks;

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

/// The numbers of executions in the file of effects.
pub struct Known {
    /// Those that were submitted.
    pub all: BTreeSet<u64>,
    ended: BTreeSet<u64>,
}

impl Known {
    /// Reads the numbers of the ids that have one.
    pub fn read(folder: &Path, number: impl Fn(&str) -> Option<u64>) -> Known {
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

/// Returns the outcome of an execution. A failure is asked for twice: a server that is being
/// killed may answer with a failure of its own.
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
