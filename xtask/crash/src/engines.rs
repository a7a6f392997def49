//! The engines under test, and what is known of their executions.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use workflow_runtime::engine::{Capability, Engine, EngineError};
use workflow_runtime::machine::Outcome;

use crate::tasks;

/// The pause before an engine is asked again.
pub const PAUSE: Duration = Duration::from_millis(100);

/// The time limit of a request. After it, the request is repeated.
const PATIENCE: Duration = Duration::from_secs(20);

/// The time after which a request that is still repeated is reported.
const REPORTED: Duration = Duration::from_secs(60);

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
        let began = Instant::now();
        let mut is_reported = false;
        for engine in self.0.iter().cycle() {
            let problem = match tokio::time::timeout(PATIENCE, ask(engine.clone())).await {
                Ok(Err(error)) if self.is_passing(&error) => {
                    tokio::time::sleep(PAUSE).await;
                    error.to_string()
                }
                Ok(answer) => return answer,
                Err(_) => "no answer".to_owned(),
            };
            if began.elapsed() > REPORTED && !std::mem::replace(&mut is_reported, true) {
                eprintln!("repeated for {} s: {problem}", began.elapsed().as_secs());
            }
        }
        Err(EngineError::Stopped)
    }

    /// Returns `true` if the engines list executions.
    pub fn have_lists(&self) -> bool {
        self.has(Capability::Lists)
    }

    /// Returns `true` if the engines do the work themselves, and no server does.
    pub fn have_workers(&self) -> bool {
        self.has(Capability::Workers)
    }

    fn has(&self, capability: Capability) -> bool {
        self.0.iter().all(|engine| engine.capabilities().have(capability))
    }

    /// Returns `true` for an error of a server that is starting or ending. An engine that does the
    /// work itself has none.
    fn is_passing(&self, error: &EngineError) -> bool {
        // A server that is ending may refuse an event, and the engine then calls it invalid.
        let can_pass = matches!(
            error,
            EngineError::Unavailable(_)
                | EngineError::Invalid(_)
                | EngineError::TimedOut(_)
                | EngineError::Busy(_)
                | EngineError::InboxFull(_)
                | EngineError::Other(_)
        );
        can_pass && !self.have_workers()
    }
}

/// The numbers of executions in the file of effects.
pub struct Known {
    /// Those that were submitted.
    pub all: BTreeSet<u64>,
    ended: BTreeSet<u64>,
    sent: BTreeSet<u64>,
}

impl Known {
    /// Reads the numbers of the ids that have one.
    pub fn read(folder: &Path, number: impl Fn(&str) -> Option<u64>) -> Known {
        let text = std::fs::read_to_string(folder.join("effects")).expect("effects can be read");
        let mut known = Known { all: BTreeSet::new(), ended: BTreeSet::new(), sent: BTreeSet::new() };
        for line in text.lines() {
            let mut words = line.split(' ');
            match (words.next(), words.next().and_then(&number)) {
                (Some("new" | "ack"), Some(number)) => drop(known.all.insert(number)),
                (Some("sent"), Some(number)) => drop(known.sent.insert(number)),
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

    /// Returns `true` if all events of this number were acknowledged.
    pub fn is_sent(&self, number: u64) -> bool {
        self.sent.contains(&number)
    }

    /// Returns the first number to submit: the first one that is not known, or earlier, so that
    /// some known ones are submitted once more.
    pub fn first(&self, at_once: usize) -> u64 {
        let latest = self.all.last().map_or(0, |newest| (newest + 1).saturating_sub(at_once as u64));
        (0..latest).find(|number| !self.all.contains(number)).unwrap_or(latest)
    }
}

/// Returns the outcome of an execution. A failure is asked for twice: a server that is being
/// killed may answer with a failure of its own.
pub async fn outcome(engines: &Engines, id: &str) -> Result<Outcome, EngineError> {
    let attach = || {
        engines.ask(|engine| {
            let id = id.to_owned();
            async move { engine.attach(&id).await }
        })
    };
    match attach().await? {
        Ok(output) => Ok(Ok(output)),
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
