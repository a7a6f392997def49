//! Check of an engine: the engine under test, its tasks, and common steps.

use std::sync::Arc;
use std::time::Duration;

use workflow_runtime::engine::{
    Capability, Engine, EngineError, Filter, Publication, Signal, StartRequest, Status, Summary, TaskToken, WaitsAt,
    WaitsFor,
};
use workflow_runtime::{CloudEvent, Fault, Object, Outcome, Value};

use crate::expect::{equal, holds};
use crate::flows::{Names, Workflows};
use crate::folder::Folder;
use crate::{Desk, Open, Verdict, Violation};

/// The time between two looks at an execution.
const INTERVAL: Duration = Duration::from_millis(5);

/// A check of an engine.
pub struct Case {
    open: Arc<dyn Open>,
    pub(crate) engine: Arc<dyn Engine>,
    workflows: Workflows,
    folder: Folder,
    patience: Duration,
}

impl Case {
    /// Opens the engine with these workflows.
    pub(crate) async fn new(open: Arc<dyn Open>, workflows: Workflows, patience: Duration) -> Result<Case, Violation> {
        let folder = Folder::new().map_err(|error| Violation::new(format!("cannot create a folder: {error}")))?;
        let engine = open.open(workflows.clone(), folder.path().to_owned()).await;
        Ok(Case { open, engine, workflows, folder, patience })
    }

    /// Shuts the engine down, and opens it again.
    pub(crate) async fn reopen(&mut self) {
        self.engine.shut_down(Duration::ZERO).await;
        self.engine = self.open.open(self.workflows.clone(), self.folder.path().to_owned()).await;
    }

    /// Shuts the engine down.
    pub(crate) async fn close(&self) {
        self.engine.shut_down(Duration::ZERO).await;
    }

    /// Returns the tasks.
    pub(crate) fn desk(&self) -> &Desk {
        &self.workflows.desk
    }

    /// Returns the time that the engine has for anything that takes no time.
    pub(crate) fn patience(&self) -> Duration {
        self.patience
    }

    /// Returns `true` if the engine has a capability.
    pub(crate) fn has(&self, capability: Capability) -> bool {
        self.engine.capabilities().have(capability)
    }

    /// Starts an execution of this id.
    pub(crate) async fn start(&self, workflow: &str, id: &str) -> Verdict {
        self.start_with(workflow, id, Object::new()).await
    }

    /// Starts an execution of this id with an input.
    pub(crate) async fn start_with(&self, workflow: &str, id: &str, input: impl Into<Value>) -> Verdict {
        let started = self.engine.start(StartRequest::new(workflow, input).id(id)).await?;
        equal("the id of the started execution", started.id.as_str(), id)?;
        holds("the execution is new", started.is_new)
    }

    /// Runs an execution of two tasks, of which the second fails, and succeeds after a redrive.
    pub(crate) async fn redrive_once(&self, id: &str) -> Result<Value, Violation> {
        self.desk().fail("second", "Broken");
        self.start(Names::STEPS, id).await?;
        self.fails(id, "Broken", Status::Failed).await?;
        self.desk().mend("second");
        self.engine.redrive(id).await?;
        self.succeeds(id).await
    }

    /// Starts an execution of two tasks, and waits until the first is running. The desk holds it.
    pub(crate) async fn start_held(&self, id: &str) -> Verdict {
        self.desk().hold("first");
        self.start(Names::STEPS, id).await?;
        self.eventually("the first task runs", async || self.desk().calls_for(id, "first") == 1).await
    }

    /// Starts an execution that waits for an outcome by token. Returns the token.
    pub(crate) async fn start_asking(&self, id: &str) -> Result<String, Violation> {
        self.start(Names::ASK, id).await?;
        self.token(id).await
    }

    /// Waits for the token of an execution, and until only the token's outcome is awaited.
    pub(crate) async fn token(&self, id: &str) -> Result<String, Violation> {
        let mut token = None;
        self.eventually(&format!("`{id}` waits for the outcome by its token"), async || {
            let waiting = self.engine.waiting(id).await.unwrap_or_default();
            let mut asking = waiting.into_iter().filter(|wait| matches!(wait.waits_for, WaitsFor::Token(_)));
            token = asking.find_map(|wait| wait.token);
            token.is_some()
        })
        .await?;
        token.ok_or_else(|| Violation::new("the token is there"))
    }

    /// Waits until an execution waits in this state.
    pub(crate) async fn waiting(&self, id: &str, state: &str) -> Result<WaitsAt, Violation> {
        let mut found = None;
        self.eventually(&format!("`{id}` waits in `{state}`"), async || {
            let waiting = self.engine.waiting(id).await.unwrap_or_default();
            found = waiting.into_iter().find(|wait| wait.state == state);
            found.is_some()
        })
        .await?;
        found.ok_or_else(|| Violation::new("the wait is there"))
    }

    /// Waits for the outcome of an execution.
    pub(crate) async fn outcome(&self, id: &str) -> Result<Outcome, Violation> {
        match self.desk().within(self.patience, self.engine.attach(id)).await {
            Some(outcome) => Ok(outcome?),
            None => Err(Violation::new(format!("`{id}` does not end"))),
        }
    }

    /// Expects an execution to succeed.
    pub(crate) async fn succeeds(&self, id: &str) -> Result<Value, Violation> {
        let outcome = self.outcome(id).await?;
        let output = outcome.map_err(|fault| Violation::new(format!("`{id}` fails: {fault}")))?;
        self.has_status(id, Status::Succeeded).await?;
        Ok(output)
    }

    /// Expects an execution to fail with this error.
    pub(crate) async fn fails(&self, id: &str, error: &str, status: Status) -> Result<Fault, Violation> {
        match self.outcome(id).await? {
            Err(fault) => {
                equal("the error", fault.error(), Some(error))?;
                self.has_status(id, status).await?;
                Ok(fault)
            }
            Ok(output) => Err(Violation::new(format!("`{id}` succeeds with {output}"))),
        }
    }

    /// Returns the status of an execution.
    pub(crate) async fn status(&self, id: &str) -> Result<Status, Violation> {
        Ok(self.engine.summary(id).await?.0.status)
    }

    /// Expects an execution to have this status.
    pub(crate) async fn has_status(&self, id: &str, status: Status) -> Verdict {
        equal(&format!("the status of `{id}`"), self.status(id).await?, status)
    }

    /// Waits until a condition holds.
    pub(crate) async fn eventually(&self, what: &str, mut condition: impl AsyncFnMut() -> bool) -> Verdict {
        let holds = async {
            while !condition().await {
                tokio::time::sleep(INTERVAL).await;
            }
        };
        let held = self.desk().within(self.patience, holds).await;
        held.ok_or_else(|| Violation::new(format!("it never comes to this: {what}")))
    }

    /// Gives the engine time to do what it must not do.
    pub(crate) async fn pause(&self) {
        tokio::time::sleep((self.patience / 40).clamp(INTERVAL * 10, Duration::from_millis(300))).await;
    }

    /// Lists executions; if the engine cannot list, returns `None`.
    pub(crate) async fn list(&self, filter: &Filter) -> Result<Option<Vec<Summary>>, Violation> {
        match self.has(Capability::Lists) {
            true => Ok(Some(self.engine.list(filter).await?)),
            false => Ok(None),
        }
    }

    /// Sends events, as a batch if the engine can. Returns the number of delivered events.
    pub(crate) async fn send(&self, id: &str, events: Vec<CloudEvent>) -> Result<usize, Violation> {
        if self.has(Capability::Batches) {
            return Ok(self.engine.send(id, events).await?);
        }
        let mut delivered = 0;
        for event in events {
            delivered += self.engine.send(id, vec![event]).await?;
        }
        Ok(delivered)
    }

    /// Publishes an event. Returns the number of executions that it starts and of those that it
    /// reaches.
    pub(crate) async fn publish(&self, event: CloudEvent, may_start: bool) -> Result<(usize, usize), Violation> {
        let mut publication = Publication::of(vec![event]);
        if may_start {
            publication = publication.starting(Object::new());
        }
        let reached = self.engine.publish(publication).await?;
        equal("the number of counts", reached.len(), 1)?;
        Ok((reached[0].started, reached[0].executions))
    }

    /// Reports to the task of a token.
    pub(crate) async fn signal(&self, id: &str, token: &str, signal: Signal) -> Result<(), EngineError> {
        self.engine.signal(TaskToken::new(token).of(id), signal).await
    }
}

/// Returns an order, as an event of this id.
pub(crate) fn ordered(id: &str, order: &str) -> CloudEvent {
    CloudEvent::new(id, "/suite", "suite.ordered").extension("order", order)
}

/// Returns a payment, as an event of this id.
pub(crate) fn paid(id: &str, order: &str) -> CloudEvent {
    CloudEvent::new(id, "/suite", "suite.paid").extension("order", order)
}

/// Returns an event with a number, whose id is the number.
pub(crate) fn noted(number: usize) -> CloudEvent {
    noted_as(number, &[("number", Value::from(number as u64))])
}

/// Returns the last event with a number.
pub(crate) fn noted_last(number: usize) -> CloudEvent {
    noted_as(number, &[("number", Value::from(number as u64)), ("last", Value::from(true))])
}

fn noted_as(number: usize, data: &[(&'static str, Value)]) -> CloudEvent {
    let mut object = Object::new();
    for (name, value) in data {
        object.insert(*name, value.clone());
    }
    CloudEvent::new(number.to_string(), "/suite", "suite.noted").data(object)
}
