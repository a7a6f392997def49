//! The interface that all engines have in common.

use std::future::ready;
use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::timeout;
use workflow_runtime::engine::{
    Capabilities, Capability, Description, Engine as Interface, EngineError, EngineFuture, MapUpdate, Publication,
    Reached, Signal, StartRequest, StartTime, Started, Status, Summary, TaskToken, WaitsAt,
};
use workflow_runtime::machine::{Definition, Outcome};
use workflow_runtime::{CloudEvent, Value};

use super::{Engine, Found, NOBODY, NOT_KNOWN, PATIENCE, Served, description};
use crate::CANCELLED;
use crate::client::ClientError;
use crate::events::full_execution;
use crate::status::MAX_WAITS;

/// Phrase of a refusal, behind which the reason stands.
const UNWANTED: &str = "does not wait for this event: ";

/// Command of a delivery, as text.
const SENT: &str = "sent an event";

/// Command of a redrive, as text.
const REDRIVEN: &str = "redriven";

/// Command of a change, as text.
const UPDATED: &str = "updated";

impl Engine {
    async fn outcome(&self, id: &str, found: &Found<'_>) -> Result<Option<Outcome>, EngineError> {
        match found.status.is_over() {
            true => found.of.executions.outcome(id).await.map_err(|error| self.error(error, found.of)),
            false => Ok(None),
        }
    }

    /// Publishes an event to the executions of one workflow.
    async fn publish_to(&self, of: &Served, event: &CloudEvent, starts: bool) -> Result<Reached, EngineError> {
        let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let publish = async {
            let reached = match starts {
                true => of.executions.publish_and_start(event).await?,
                false => of.executions.publish_to_running(event).await?,
            };
            Ok(Reached::new(count(reached.executions), count(reached.started), count(reached.full)))
        };
        let published = timeout(PATIENCE, publish).await.map_err(|_| EngineError::TimedOut(NOT_KNOWN.to_owned()))?;
        published.map_err(|error| self.publication_error(error, of))
    }

    /// Converts an error of a publication.
    fn publication_error(&self, error: ClientError, of: &Served) -> EngineError {
        match error {
            ClientError::Refused { status: 429, message } => EngineError::InboxFull(
                // Programs of earlier versions do not name the execution.
                full_execution(&message).map_or_else(|| format!("one of {}", of.definition.name), str::to_owned),
            ),
            ClientError::Refused { status: 400 | 422, message } => EngineError::Invalid(message),
            error => self.error(error, of),
        }
    }

    /// Converts an error of an event for one execution. The execution was running when it was
    /// asked before.
    fn delivery_error(&self, error: ClientError, id: &str, of: &Served) -> EngineError {
        match error {
            ClientError::Refused { status: 422, message } => EngineError::UnwantedEvent {
                execution: id.to_owned(),
                problem: message.split_once(UNWANTED).map_or(message.as_str(), |(_, rest)| rest).to_owned(),
                reason: None,
            },
            ClientError::Refused { status: 429, .. } => EngineError::InboxFull(id.to_owned()),
            ClientError::Refused { status: 400, message } => EngineError::Invalid(message),
            ClientError::Refused { status: 404, .. } => EngineError::UnknownExecution(id.to_owned()),
            error => self.error(error, of),
        }
    }
}

/// Returns the status of an execution with this outcome, or without one.
pub(super) fn status_of(outcome: Option<&Outcome>) -> Status {
    match outcome {
        None => Status::Running,
        Some(Ok(_)) => Status::Succeeded,
        Some(Err(fault)) if fault.error() == Some(CANCELLED) => Status::Cancelled,
        Some(Err(_)) => Status::Failed,
    }
}

impl Interface for Engine {
    fn capabilities(&self) -> Capabilities {
        Engine::supported()
    }

    fn workflows(&self) -> Vec<&'static Definition> {
        self.workflows.iter().map(|one| one.definition).collect()
    }

    fn start(&self, request: StartRequest) -> EngineFuture<'_, Started> {
        Box::pin(async move {
            let can = self.capabilities();
            for (asked, needed) in [
                (request.key.is_some(), Capability::Keys),
                (request.time != StartTime::Now, Capability::Delays),
                (!request.settings.is_empty(), Capability::Settings),
            ] {
                if asked {
                    can.check(needed)?;
                }
            }
            self.start_once(request).await
        })
    }

    fn attach<'a>(&'a self, id: &'a str) -> EngineFuture<'a, Outcome> {
        Box::pin(async move {
            // The program that serves the workflow may come later.
            for of in &self.workflows {
                if of.executions.exists(id).await.map_err(|error| self.error(error, of))? {
                    return of.executions.attach(id).await.map_err(|error| self.error(error, of));
                }
            }
            Err(EngineError::UnknownExecution(id.to_owned()))
        })
    }

    fn cancel<'a>(&'a self, id: &'a str, cause: &'a str) -> EngineFuture<'a, ()> {
        Box::pin(async move {
            if !cause.is_empty() {
                self.capabilities().check(Capability::Causes)?;
            }
            let of = self.running(id, "cancelled").await?.of;
            of.executions.cancel(id).await.map_err(|error| self.error(error, of))
        })
    }

    fn redrive<'a>(&'a self, id: &'a str) -> EngineFuture<'a, ()> {
        Box::pin(async move {
            let found = self.found(id).await?;
            let refused = |status| EngineError::NotNow { execution: id.to_owned(), status, asked: REDRIVEN };
            if found.status != Status::Failed {
                return Err(refused(found.status));
            }
            match found.of.executions.redrive(id).await {
                // Another client was faster.
                Err(ClientError::Refused { status: 409, .. }) => Err(refused(self.found(id).await?.status)),
                Err(ClientError::Refused { status: 422, message }) => Err(EngineError::Invalid(message)),
                redriven => redriven.map_err(|error| self.error(error, found.of)),
            }
        })
    }

    fn update_map<'a>(&'a self, id: &'a str, update: MapUpdate) -> EngineFuture<'a, ()> {
        Box::pin(async move {
            update.check().map_err(|invalid| EngineError::Invalid(invalid.to_string()))?;
            let found = self.running(id, UPDATED).await?;
            // The answer of a busy execution has no waits: then only the handler can say.
            let waits = found.answer.get("waits").and_then(Value::as_array);
            if waits.is_some_and(|all| all.iter().all(|wait| wait.get("map").is_none())) {
                return Err(EngineError::no_map_run(id));
            }
            match found.of.executions.update_map(id, update).await {
                Err(ClientError::Refused { status: 422, .. }) => Err(EngineError::no_map_run(id)),
                Err(ClientError::Refused { status: 404, .. }) => Err(EngineError::UnknownExecution(id.to_owned())),
                Err(ClientError::Refused { status: 503, message }) => Err(EngineError::Unavailable(message)),
                // It has ended since: `running` returns how.
                Err(ClientError::Refused { status: 409, message }) => {
                    self.running(id, UPDATED).await?;
                    Err(EngineError::other(message))
                }
                updated => updated.map_err(|error| self.error(error, found.of)),
            }
        })
    }

    fn signal<'a>(&'a self, task: TaskToken<'a>, signal: Signal) -> EngineFuture<'a, ()> {
        Box::pin(async move {
            let Some(id) = task.execution else { return self.capabilities().refusal(Capability::BareTokens).await };
            let _permit = self.permit()?;
            let found = self.running(id, "signalled").await?;
            let executions = &found.of.executions;
            let unknown = || EngineError::UnknownToken { execution: Some(id.to_owned()) };
            let done = match signal {
                Signal::Succeed(output) => executions.succeed(id, task.token, output).await,
                Signal::Fail(fault) => executions.fail(id, task.token, &fault).await,
                Signal::Heartbeat => executions.heartbeat(id, task.token).await,
                // The answer has only the first waits, or none from a busy execution: then the
                // outcome itself is checked.
                _ => {
                    let waits = found.answer.get("waits").and_then(Value::as_array);
                    let is_token = |wait: &Value| wait.get("token").and_then(Value::as_str) == Some(task.token);
                    let may_wait = waits.is_none_or(|all| all.len() >= MAX_WAITS || all.iter().any(is_token));
                    return if may_wait { Ok(()) } else { Err(unknown()) };
                }
            };
            done.map_err(|error| match error {
                ClientError::Refused { status: 404 | 409, .. } => unknown(),
                error => self.error(error, found.of),
            })
        })
    }

    fn send<'a>(&'a self, id: &'a str, events: Vec<CloudEvent>) -> EngineFuture<'a, usize> {
        Box::pin(async move {
            let found = self.running(id, SENT).await?;
            if events.len() > 1 {
                self.capabilities().check(Capability::Batches)?;
            }
            let mut delivered = 0;
            for event in &events {
                let sent = timeout(PATIENCE, found.of.executions.send_once(id, event)).await;
                let sent = sent.map_err(|_| EngineError::TimedOut(NOT_KNOWN.to_owned()))?;
                delivered += match sent {
                    Ok(is_new) => usize::from(is_new),
                    // It has ended since: `running` returns how.
                    Err(ClientError::Refused { status: 409, message }) => {
                        self.running(id, SENT).await?;
                        return Err(EngineError::other(message));
                    }
                    Err(error) => return Err(self.delivery_error(error, id, found.of)),
                };
            }
            Ok(delivered)
        })
    }

    fn publish(&self, publication: Publication) -> EngineFuture<'_, Vec<Reached>> {
        Box::pin(async move {
            self.check_open()?;
            if publication.starts.as_ref().is_some_and(|settings| !settings.is_empty()) {
                self.capabilities().check(Capability::Settings)?;
            }
            let mut all = Vec::with_capacity(publication.events.len());
            for event in &publication.events {
                let mut reached = Reached::default();
                let receive = |one: &&Served| !one.definition.events.is_empty();
                for of in self.workflows.iter().filter(receive) {
                    let one = self.publish_to(of, event, publication.starts.is_some()).await?;
                    reached.executions += one.executions;
                    reached.started += one.started;
                }
                all.push(reached);
            }
            Ok(all)
        })
    }

    fn summary<'a>(&'a self, id: &'a str) -> EngineFuture<'a, (Summary, Option<Outcome>)> {
        Box::pin(async move {
            // The server is faster than the execution.
            for of in &self.workflows {
                // A program has to answer for an execution that has failed.
                let outcome = timeout(PATIENCE, of.executions.outcome(id)).await;
                let outcome = match outcome.map_err(|_| EngineError::TimedOut(NOBODY.to_owned()))? {
                    Err(ClientError::Refused { status: 400 | 404 | 405, .. }) => continue,
                    outcome => outcome.map_err(|error| self.error(error, of))?,
                };
                return Ok((description::summary(id, of, status_of(outcome.as_ref())), outcome));
            }
            Err(EngineError::UnknownExecution(id.to_owned()))
        })
    }

    fn describe<'a>(&'a self, id: &'a str) -> EngineFuture<'a, Description> {
        Box::pin(async move {
            let found = self.found(id).await?;
            let mut description = description::description(id, &found);
            description.outcome = self.outcome(id, &found).await?;
            let relatives = self.relatives(id, found.of).await?;
            (description.parent, description.children) = (relatives.parent, relatives.children);
            Ok(description)
        })
    }

    fn waiting<'a>(&'a self, id: &'a str) -> EngineFuture<'a, Vec<WaitsAt>> {
        Box::pin(async move { Ok(description::description(id, &self.found(id).await?).waiting) })
    }

    fn without_tokens(&self, text: String) -> EngineFuture<'_, String> {
        Box::pin(self.masked(text))
    }

    fn shut_down(&self, _: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        self.is_stopped.store(true, Ordering::Relaxed);
        Box::pin(ready(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Client;

    static SHOP: Definition = Definition { name: "shop", ..Definition::VERSION_0_1_0 };

    /// Returns the kind of an error: the name of its variant.
    fn kind(error: &EngineError) -> String {
        let text = format!("{error:?}");
        text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_owned()
    }

    #[test]
    fn a_refused_event_has_the_error_of_its_status() {
        let client = Client::new("http://127.0.0.1:1", "http://127.0.0.1:1");
        let engine = Engine::new(client).service(&SHOP, "shop");
        let of = &engine.workflows[0];
        for (status, published, delivered) in [
            (400, "Invalid", "Invalid"),
            (404, "Other", "UnknownExecution"),
            (413, "Invalid", "Invalid"),
            (422, "Invalid", "UnwantedEvent"),
            (429, "InboxFull", "InboxFull"),
            (500, "Other", "Other"),
            (503, "Other", "Other"),
        ] {
            let refused = || ClientError::Refused { status, message: "no".to_owned() };
            assert_eq!(kind(&engine.publication_error(refused(), of)), published, "publication: {status}");
            assert_eq!(kind(&engine.delivery_error(refused(), "one", of)), delivered, "delivery: {status}");
        }
        let unreachable = ClientError::Unreachable { url: String::new(), problem: String::new() };
        assert_eq!(kind(&engine.publication_error(unreachable.clone(), of)), "Unavailable");
        assert_eq!(kind(&engine.delivery_error(unreachable, "one", of)), "Unavailable");
    }
}
