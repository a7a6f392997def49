//! An engine that is broken on purpose, in one of several ways.

use std::collections::HashSet;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use workflow_runtime::engine::{
    Capabilities, Description, Engine, EngineError, EngineFuture, Filter, HistoryPage, MapUpdate, Publication, Purge,
    Reached, Signal, StartRequest, Started, Status, Summary, TaskToken, WaitsAt,
};
use workflow_runtime::fault::names::CANCELLED;
use workflow_runtime::{CloudEvent, Definition, Fault, Outcome};

/// The way in which the engine is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Defect {
    /// An event of a large batch is lost.
    LosesAnEvent,
    /// Each event is delivered twice.
    DeliversTwice,
    /// A key starts any number of executions.
    IgnoresKeys,
    /// A cancellation is acknowledged and forgotten.
    ForgetsCancellations,
    /// The outcome of a task that waits no longer is acknowledged.
    AnswersLapsedTokens,
    /// A description says that a running execution has succeeded.
    ReportsTheEndTooEarly,
    /// The first two events of each page of a history are exchanged.
    MixesHistories,
    /// Each page of a list but the first lacks an execution.
    SkipsAnEntry,
    /// A purge removes running executions.
    PurgesRunningExecutions,
    /// The awaited children of a cancelled parent go on.
    KeepsChildren,
    /// A change of a run of a Map is acknowledged and forgotten.
    ForgetsUpdates,
    /// Histories lack redrives, restarts, and failures of children.
    ForgetsWhatHappened,
}

/// The events that a history lacks.
const FORGOTTEN: [&str; 3] = ["ExecutionRedriven", "ExecutionResumed", "ChildFailed"];

/// The number of events of a large batch.
const LARGE: usize = 4;

/// A broken engine.
pub struct Broken {
    pub engine: Arc<dyn Engine>,
    pub defect: Defect,
    pub memory: Mutex<Memory>,
}

/// The data by which the engine goes wrong.
#[derive(Default)]
pub struct Memory {
    tokens: HashSet<String>,
    purged: HashSet<String>,
    cancelled: HashSet<String>,
}

impl Broken {
    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn check_purged(&self, id: &str) -> Result<(), EngineError> {
        match self.memory().purged.contains(id) {
            true => Err(EngineError::UnknownExecution(id.to_owned())),
            false => Ok(()),
        }
    }

    fn is_cancelled(&self, id: &str) -> bool {
        self.memory().cancelled.contains(id)
    }

    /// Returns the events that the engine delivers instead of these.
    fn falsify(&self, mut events: Vec<CloudEvent>) -> Vec<CloudEvent> {
        match self.defect {
            Defect::LosesAnEvent if events.len() >= LARGE => drop(events.remove(events.len() / 2)),
            Defect::DeliversTwice => {
                let copies: Vec<_> = events.iter().cloned().map(copy).collect();
                events.extend(copies);
            }
            _ => {}
        }
        events
    }
}

/// Returns a copy of an event with another id.
fn copy(mut event: CloudEvent) -> CloudEvent {
    event.id = format!("{} again", event.id).into();
    event
}

fn cancelled() -> Outcome {
    Err(Fault::from_parts(Some(CANCELLED.into()), None))
}

impl Engine for Broken {
    fn capabilities(&self) -> Capabilities {
        self.engine.capabilities()
    }

    fn workflows(&self) -> Vec<&'static Definition> {
        self.engine.workflows()
    }

    fn start(&self, mut request: StartRequest) -> EngineFuture<'_, Started> {
        if self.defect == Defect::IgnoresKeys {
            request.key = None;
        }
        self.engine.start(request)
    }

    fn attach<'a>(&'a self, id: &'a str) -> EngineFuture<'a, Outcome> {
        Box::pin(async move {
            self.check_purged(id)?;
            if self.is_cancelled(id) { Ok(cancelled()) } else { self.engine.attach(id).await }
        })
    }

    fn update_map<'a>(&'a self, id: &'a str, update: MapUpdate) -> EngineFuture<'a, ()> {
        match self.defect {
            Defect::ForgetsUpdates => Box::pin(async { Ok(()) }),
            _ => self.engine.update_map(id, update),
        }
    }

    fn cancel<'a>(&'a self, id: &'a str, cause: &'a str) -> EngineFuture<'a, ()> {
        Box::pin(async move {
            let description = self.engine.describe(id).await?;
            if description.summary.status == Status::Running {
                match self.defect {
                    Defect::ForgetsCancellations => return Ok(()),
                    Defect::KeepsChildren if description.children.iter().any(|child| child.awaited) => {
                        self.memory().cancelled.insert(id.to_owned());
                        return Ok(());
                    }
                    _ => {}
                }
            }
            self.engine.cancel(id, cause).await
        })
    }

    fn signal<'a>(&'a self, task: TaskToken<'a>, signal: Signal) -> EngineFuture<'a, ()> {
        Box::pin(async move {
            let (token, answer) = (task.token, self.engine.signal(task, signal).await);
            let is_unknown = matches!(answer, Err(EngineError::UnknownToken { .. }));
            if self.defect == Defect::AnswersLapsedTokens && is_unknown && self.memory().tokens.contains(token) {
                let is_lapsed = self.engine.signal(TaskToken::new(token), Signal::Check).await.is_err();
                return if is_lapsed { Ok(()) } else { answer };
            }
            answer
        })
    }

    fn send<'a>(&'a self, id: &'a str, events: Vec<CloudEvent>) -> EngineFuture<'a, usize> {
        Box::pin(async move {
            let sent = events.len();
            let delivered = self.engine.send(id, self.falsify(events)).await?;
            // Nobody is to notice.
            Ok(match self.defect {
                Defect::LosesAnEvent if sent >= LARGE => delivered + 1,
                Defect::DeliversTwice => delivered / 2,
                _ => delivered,
            })
        })
    }

    fn publish(&self, mut publication: Publication) -> EngineFuture<'_, Vec<Reached>> {
        Box::pin(async move {
            let most = publication.events.len();
            publication.events = self.falsify(publication.events);
            let mut reached = self.engine.publish(publication).await?;
            reached.truncate(most);
            Ok(reached)
        })
    }

    fn list<'a>(&'a self, filter: &'a Filter) -> EngineFuture<'a, Vec<Summary>> {
        Box::pin(async move {
            let mut found = self.engine.list(filter).await?;
            if self.defect == Defect::SkipsAnEntry && filter.before.is_some() && !found.is_empty() {
                found.remove(0);
            }
            Ok(found)
        })
    }

    fn summary<'a>(&'a self, id: &'a str) -> EngineFuture<'a, (Summary, Option<Outcome>)> {
        Box::pin(async move {
            self.check_purged(id)?;
            let (mut summary, outcome) = self.engine.summary(id).await?;
            if self.is_cancelled(id) {
                summary.status = Status::Cancelled;
                return Ok((summary, Some(cancelled())));
            }
            Ok((summary, outcome))
        })
    }

    fn describe<'a>(&'a self, id: &'a str) -> EngineFuture<'a, Description> {
        Box::pin(async move {
            self.check_purged(id)?;
            let mut description = self.engine.describe(id).await?;
            if self.defect == Defect::ReportsTheEndTooEarly && description.summary.status == Status::Running {
                description.summary.status = Status::Succeeded;
            }
            Ok(description)
        })
    }

    fn waiting<'a>(&'a self, id: &'a str) -> EngineFuture<'a, Vec<WaitsAt>> {
        Box::pin(async move {
            self.check_purged(id)?;
            let waiting = self.engine.waiting(id).await?;
            self.memory().tokens.extend(waiting.iter().filter_map(|wait| wait.token.clone()));
            Ok(waiting)
        })
    }

    fn history<'a>(&'a self, id: &'a str, after: u64, limit: usize, bytes: usize) -> EngineFuture<'a, HistoryPage> {
        Box::pin(async move {
            let mut page = self.engine.history(id, after, limit, bytes).await?;
            if self.defect == Defect::MixesHistories && page.events.len() > 1 {
                page.events.swap(0, 1);
            }
            if self.defect == Defect::ForgetsWhatHappened {
                page.events.retain(|line| !FORGOTTEN.iter().any(|event| line.contains(event)));
            }
            Ok(page)
        })
    }

    fn redrive<'a>(&'a self, id: &'a str) -> EngineFuture<'a, ()> {
        self.engine.redrive(id)
    }

    fn purge(&self, older_than: Duration, what: Purge) -> EngineFuture<'_, usize> {
        Box::pin(async move {
            if self.defect == Defect::PurgesRunningExecutions && what == Purge::Executions {
                let running = self.engine.list(&Filter::all().status(Status::Running)).await?;
                self.memory().purged.extend(running.into_iter().map(|one| one.id));
            }
            self.engine.purge(older_than, what).await
        })
    }

    fn without_tokens(&self, text: String) -> EngineFuture<'_, String> {
        self.engine.without_tokens(text)
    }

    fn shut_down(&self, grace: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        self.engine.shut_down(grace)
    }
}
