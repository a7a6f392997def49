//! Engine over the client of a Restate server, with the interface that all engines have in common.

mod description;
mod interface;
mod relatives;
mod starts;
mod tokens;

use std::hash::BuildHasher as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};
use workflow_runtime::engine::{Capabilities, Capability, EngineError, Status};
use workflow_runtime::machine::Definition;
use workflow_runtime::{Value, Workflow, id};

use crate::client::{Client, ClientError, Executions};
use crate::name;

/// Largest number of reports to tokens at a time. Each waits for answers of the server.
const REPORTS_AT_ONCE: usize = 64;

/// Time that the program which serves a workflow has to answer.
const PATIENCE: Duration = Duration::from_secs(10);

const NOBODY: &str = "no response in 10 seconds, and nothing was changed: check that the program that serves the workflow runs, \
                      `serve --engine restate`";

const NOT_KNOWN: &str =
    "no response in 10 seconds: the event may still be delivered when `serve --engine restate` runs";

/// Executions of some workflows on a Restate server, as an [engine](workflow_runtime::engine). A
/// clone shares its settings.
///
/// The server lacks some [capabilities](Engine::supported). A task token needs the id of its
/// execution ([`TaskToken::of`](workflow_runtime::engine::TaskToken::of)).
///
/// ```no_run
/// use workflow_restate::{Client, Engine};
/// use workflow_runtime::engine::{Engine as _, EngineError, StartRequest};
/// use workflow_runtime::{Workflow, value};
///
/// # async fn run<Order: Workflow>() -> Result<(), EngineError> {
/// let engine = Engine::new(Client::new("http://127.0.0.1:8080", "http://127.0.0.1:9070")).workflow::<Order>();
/// let started = engine.start(StartRequest::new("order", value!({ "amount": 25 })).id("order-17")).await?;
/// println!("{:?}", engine.attach(&started.id).await?);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Engine {
    client: Client,
    workflows: Vec<Served>,
    /// Permits for reports to tokens.
    reports: Arc<Semaphore>,
    is_stopped: Arc<AtomicBool>,
}

/// Workflow with the executions of its service.
#[derive(Debug, Clone)]
struct Served {
    definition: &'static Definition,
    executions: Executions,
}

/// Execution that exists.
struct Found<'a> {
    of: &'a Served,
    status: Status,
    /// Answer of the handler `status`.
    answer: Value,
}

impl Engine {
    /// Returns an engine without workflows.
    pub fn new(client: Client) -> Engine {
        let reports = Arc::new(Semaphore::new(REPORTS_AT_ONCE));
        Engine { client, workflows: Vec::new(), reports, is_stopped: Arc::default() }
    }

    /// Adds the workflow `W` under its default service name.
    pub fn workflow<W: Workflow>(self) -> Engine {
        self.service(W::DEFINITION, &name::hashed(W::DEFINITION))
    }

    /// Adds a workflow under the name of its service.
    pub fn service(mut self, definition: &'static Definition, name: &str) -> Engine {
        self.workflows.push(Served { definition, executions: self.client.service(name) });
        self
    }

    /// Returns the capabilities of engines on Restate.
    pub fn supported() -> Capabilities {
        [
            (
                Capability::Lists,
                "use the UI of the Restate server, the admin address with `/ui` (http://127.0.0.1:9070/ui), or \
                 `restate invocations list`; `show ID` shows one execution",
            ),
            (
                Capability::Histories,
                "use the UI of the Restate server, the admin address with `/ui` (http://127.0.0.1:9070/ui), or `restate \
                 invocations describe`; `show ID` shows the state of an execution",
            ),
            (
                Capability::Purges,
                "the Restate server removes executions after its retention time, by default one day; use `restate invocations \
                 purge` to remove one now",
            ),
            (Capability::Keys, "use the id of the execution: each id has one execution"),
            (Capability::Delays, "start the execution when it is due, or begin the workflow with a wait"),
            (Capability::Settings, "pass settings to the program that serves the workflow"),
            (Capability::Causes, "cancel without a cause, which Restate does not record"),
            (Capability::BareTokens, "name the execution of the token, too"),
            (Capability::Batches, "send the events one by one"),
            (Capability::Workers, "stop the program that serves the workflows, which lets running tasks end"),
            (Capability::Counts, "the Restate server has metrics of its own, at its node's address with `/metrics`"),
        ]
        .into_iter()
        .fold(Capabilities::all("restate"), |all, (missing, instead)| all.without(missing, instead))
    }

    /// Returns the execution of this id. Restate would also accept messages to an execution that
    /// does not exist, and deliver them to a later execution of that name.
    async fn found(&self, id: &str) -> Result<Found<'_>, EngineError> {
        for of in &self.workflows {
            let answer = tokio::time::timeout(PATIENCE, of.executions.status(id)).await;
            let answer = answer.map_err(|_| EngineError::TimedOut(NOBODY.to_owned()))?;
            let answer = answer.map_err(|error| self.error(error, of))?;
            let status = answer.get("status").and_then(Value::as_str).and_then(Status::named);
            if let Some(status) = status {
                return Ok(Found { of, status, answer });
            }
        }
        Err(EngineError::UnknownExecution(id.to_owned()))
    }

    /// Returns the execution of this id if it has not ended.
    async fn running(&self, id: &str, asked: &'static str) -> Result<Found<'_>, EngineError> {
        let found = self.found(id).await?;
        match found.status.is_over() {
            true => Err(EngineError::NotNow { execution: id.to_owned(), status: found.status, asked }),
            false => Ok(found),
        }
    }

    /// Returns the error of an engine that was shut down.
    fn check_open(&self) -> Result<(), EngineError> {
        match self.is_stopped.load(Ordering::Relaxed) {
            true => Err(EngineError::Stopped),
            false => Ok(()),
        }
    }

    /// Returns a permit for a report to a token, which ends with the report.
    fn permit(&self) -> Result<SemaphorePermit<'_>, EngineError> {
        let busy = || format!("{REPORTS_AT_ONCE} reports to tasks wait for the server already: nothing was changed");
        self.reports.try_acquire().map_err(|_| EngineError::Busy(busy()))
    }

    fn of_name(&self, workflow: &str) -> Result<&Served, EngineError> {
        let found = self.workflows.iter().rev().find(|one| one.definition.name == workflow);
        found.ok_or_else(|| EngineError::UnknownWorkflow(workflow.to_owned()))
    }

    /// Converts an error of a request to a service.
    fn error(&self, error: ClientError, of: &Served) -> EngineError {
        match error {
            ClientError::Unreachable { .. } => EngineError::Unavailable(error.to_string()),
            ClientError::InvalidId(invalid) => EngineError::InvalidId(invalid),
            ClientError::Refused { status: 404, message } => EngineError::other(format!(
                "Restate at {} has no service `{}`: {message}; register it by `serve --engine restate` with the same definition",
                self.client.ingress(),
                of.executions.name(),
            )),
            ClientError::Refused { status: 413, .. } => EngineError::Invalid(error.to_string()),
            error => EngineError::other(error),
        }
    }
}

/// Returns an id for an execution that the caller has not named.
fn random_id() -> String {
    let random = || std::hash::RandomState::new().hash_one(std::process::id());
    id::uuid_v4([random(), random()])
}

#[cfg(test)]
mod tests {
    use workflow_runtime::engine::{Engine as _, StartRequest};
    use workflow_runtime::value;

    use super::*;

    /// Returns an engine that asks no server.
    fn engine() -> Engine {
        Engine::new(Client::new("http://127.0.0.1:1", "http://127.0.0.1:1"))
    }

    #[test]
    fn reports_beyond_the_limit_are_refused_until_others_have_ended() {
        let engine = engine();
        let mut permits: Vec<_> = (0..REPORTS_AT_ONCE).map(|_| engine.permit().expect("a permit")).collect();
        let Err(EngineError::Busy(message)) = engine.permit() else { panic!("one report too many") };
        assert!(message.contains("nothing was changed"), "{message}");
        // A clone shares the permits.
        assert!(engine.clone().permit().is_err());
        permits.pop();
        assert!(engine.permit().is_ok());
    }

    #[tokio::test]
    async fn an_engine_that_was_shut_down_starts_nothing() {
        let engine = engine();
        let start = || engine.start(StartRequest::new("order", value!({})));
        assert!(matches!(start().await, Err(EngineError::UnknownWorkflow(_))));
        engine.clone().shut_down(Duration::ZERO).await;
        assert!(matches!(start().await, Err(EngineError::Stopped)));
    }
}
