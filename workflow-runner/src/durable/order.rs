//! Orders about executions, and their results in words. An order is the same on every engine.

use std::path::PathBuf;
use std::time::Duration;

use workflow_runtime::engine::{Engine, EngineError, MapUpdate, Publication, Purge, Reached, Signal, TaskToken};
use workflow_runtime::fault::names::CANCELLED;
#[cfg(feature = "restate")]
use workflow_runtime::machine::TriggerMatch;
use workflow_runtime::{CloudEvent, Object};

use crate::executions::ExecutionReport;

/// A question about executions or a change of them.
pub enum Order {
    Report(ExecutionReport),
    Cancel {
        id: String,
        cause: String,
    },
    /// The redrive of an execution on a Restate server. The program that serves it runs it.
    #[cfg(feature = "restate")]
    Redrive {
        id: String,
    },
    /// The change of a run of a distributed Map.
    Update {
        id: String,
        update: MapUpdate,
    },
    Signal {
        token: String,
        /// The id of the execution, for engines that need it.
        execution: Option<String>,
        signal: Signal,
    },
    Send {
        id: String,
        event: CloudEvent,
    },
    Publish {
        event: CloudEvent,
        /// `true` if the event starts executions, too.
        starts: bool,
    },
    Purge {
        older_than: Duration,
        what: Purge,
    },
}

/// The one that runs the executions after an order. The words of a result depend on it.
pub enum Keeper {
    /// Nobody: this process has the database of this path only for the order.
    Nobody(PathBuf),
    /// The server that has the database.
    Server,
    /// A Restate server, with the address of its ingress.
    #[cfg(feature = "restate")]
    Restate { ingress: String, service: String },
}

/// The time that a cancelled execution has to end. It only has to process the cancellation.
const CANCEL_TIME: Duration = Duration::from_secs(10);

impl Order {
    /// Executes the order, and returns the result in words.
    pub async fn execute(self, engine: &dyn Engine, keeper: &Keeper) -> Result<String, String> {
        let result = match self {
            Order::Report(report) => report.of(engine).await,
            Order::Cancel { id, cause } => keeper.cancel(engine, &id, &cause).await,
            #[cfg(feature = "restate")]
            Order::Redrive { id } => engine
                .redrive(&id)
                .await
                .map(|()| format!("`{id}` continues: `run --engine restate --id {id}` waits for its end")),
            Order::Update { id, update } => engine.update_map(&id, update).await.map(|()| keeper.updated(&id)),
            Order::Signal { token, execution, signal } => {
                let task = TaskToken::new(&token);
                let task = execution.as_deref().map_or(task, |id| task.of(id));
                let is_heartbeat = signal == Signal::Heartbeat;
                match engine.signal(task, signal).await {
                    Ok(()) if is_heartbeat => return keeper.beaten(),
                    signalled => signalled.map(|()| keeper.goes_on().to_owned()),
                }
            }
            Order::Send { id, event } => match engine.send(&id, vec![event]).await {
                Ok(0) => Ok(format!("duplicate event: `{id}` already received an event with this source and id")),
                sent => sent.map(|_| keeper.sent().to_owned()),
            },
            Order::Publish { event, starts } => {
                let publication = Publication::of(vec![event.clone()]);
                let publication = if starts { publication.starting(Object::new()) } else { publication };
                let reached = engine.publish(publication).await;
                reached.map(|reached| keeper.published(&event, reached.first().copied().unwrap_or_default()))
            }
            Order::Purge { older_than, what } => {
                let removed = engine.purge(older_than, what).await;
                removed.map(|executions| {
                    let what = if what == Purge::Histories { "the histories of " } else { "" };
                    format!("removed {what}{}", counted(executions))
                })
            }
        };
        result.map_err(|error| keeper.text(error))
    }
}

impl Keeper {
    async fn cancel(&self, engine: &dyn Engine, id: &str, cause: &str) -> Result<String, EngineError> {
        let ended_before = || format!("`{id}` ended before it could be cancelled");
        #[cfg(feature = "restate")]
        if let Keeper::Restate { .. } = self {
            return match engine.cancel(id, cause).await {
                Err(EngineError::NotNow { .. }) => Ok(ended_before()),
                cancelled => cancelled.map(|()| format!("cancellation of `{id}` requested")),
            };
        }
        engine.cancel(id, cause).await?;
        match tokio::time::timeout(CANCEL_TIME, engine.attach(id)).await {
            Ok(outcome) => Ok(match outcome?.err().as_ref().and_then(|fault| fault.error()) {
                Some(CANCELLED) => format!("`{id}` was cancelled"),
                _ => ended_before(),
            }),
            Err(_) => Ok(format!("`{id}` will be cancelled when it runs next")),
        }
    }

    /// Returns the result of a change of a run.
    fn updated(&self, id: &str) -> String {
        match self {
            Keeper::Nobody(_) => {
                format!("`{id}` is updated when it runs next, with `run --id ID` of its parent or `serve`")
            }
            _ => format!("`{id}` was updated"),
        }
    }

    /// Returns the result of an outcome by token.
    fn goes_on(&self) -> &'static str {
        match self {
            Keeper::Nobody(_) => {
                "outcome saved: the execution continues when it runs next, with `run --id ID` or `serve`"
            }
            Keeper::Server => "outcome saved: the execution continues",
            // The client does not see if the task still waits for it.
            #[cfg(feature = "restate")]
            Keeper::Restate { .. } => {
                "outcome accepted: the execution continues unless the task was abandoned meanwhile"
            }
        }
    }

    /// Returns the result of a heartbeat.
    fn beaten(&self) -> Result<String, String> {
        match self {
            // The time-out of the task begins when a process runs the execution.
            Keeper::Nobody(db) => Err(format!(
                "no process runs the executions of `{}`: a heartbeat needs a running `serve`",
                db.display()
            )),
            _ => Ok("heartbeat recorded".to_owned()),
        }
    }

    /// Returns the result of an event for one execution.
    fn sent(&self) -> &'static str {
        match self {
            Keeper::Nobody(_) => {
                "event saved: the execution receives it when it runs next, with `run --id ID` or `serve`"
            }
            Keeper::Server => "event saved: the execution receives it",
            #[cfg(feature = "restate")]
            Keeper::Restate { .. } => "event accepted: the execution consumes it as soon as it waits for it",
        }
    }

    /// Returns the result of an event for all executions.
    #[cfg_attr(not(feature = "restate"), expect(unused_variables, reason = "only Restate names the execution"))]
    fn published(&self, event: &CloudEvent, reached: Reached) -> String {
        let when = match self {
            Keeper::Nobody(_) => ", delivered when they run next",
            Keeper::Server => "",
            #[cfg(feature = "restate")]
            Keeper::Restate { .. } => {
                let noted = format!("event accepted for {}", counted(reached.executions));
                return match reached.started {
                    0 => noted,
                    _ => format!("started the execution `{}`; {noted}", TriggerMatch::execution_name(event)),
                };
            }
        };
        let full = match reached.full {
            0 => String::new(),
            full => format!("; the inboxes of {} are full", counted(full)),
        };
        format!("event saved for {}{when}{full}", counted(reached.executions))
    }

    /// Returns the message for an error of the engine.
    pub fn text(&self, error: EngineError) -> String {
        match (self, error) {
            #[cfg(feature = "restate")]
            (Keeper::Restate { ingress, service }, error) => match error {
                EngineError::Unavailable(problem) => {
                    format!("{problem}; check that the Restate server runs, or set its ingress with `--ingress URL`")
                }
                EngineError::UnknownExecution(id) => format!("execution `{id}` of `{service}` not found at {ingress}"),
                EngineError::NotNow { execution, asked: "signalled", .. } => {
                    format!("the execution `{execution}` has ended and waits for no outcome")
                }
                error @ EngineError::NotNow { asked: "redriven", .. } => error.to_string(),
                EngineError::NotNow { execution, .. } => format!("the execution `{execution}` has ended"),
                error => error.to_string(),
            },
            (_, error) => error.to_string(),
        }
    }
}

/// Returns the text for so many executions.
fn counted(executions: usize) -> String {
    match executions {
        1 => "1 execution".to_owned(),
        executions => format!("{executions} executions"),
    }
}
