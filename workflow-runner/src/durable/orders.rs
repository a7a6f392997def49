//! Commands that change executions in a database, and then end. They run no executions but the
//! ones that they change.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use workflow_runtime::{CloudEvent, Fault, Value};
use workflow_sqlite::{Builder, Engine, Error};

use super::run::{Watched, leave, tell_end, until_it_ends};
use super::{GRACE, Setup, must_exist};
use crate::command_line::{block_on_many, complain, print};
use crate::progress::{Mode, clean};

/// A change of an execution or of the database.
pub enum Order {
    Cancel { id: String, cause: String },
    Succeed { token: String, output: Value },
    Fail { token: String, error: String, cause: Option<Value> },
    Send { id: String, event: CloudEvent },
    Publish { event: CloudEvent },
    Purge { older_than: Duration, history_only: bool },
}

/// The time that a cancelled execution has to end. It only has to process the cancellation.
const TOLD: Duration = Duration::from_secs(10);

/// Carries out a change, and prints the result.
pub fn carry_out(
    db: &Path,
    order: Order,
    events_known_for: Option<Duration>,
    setup: Setup,
) -> Result<ExitCode, String> {
    must_exist(db)?;
    let done = block_on_many(async {
        let only: Vec<String> = match &order {
            Order::Cancel { id, .. } => vec![id.clone()],
            _ => Vec::new(),
        };
        let set_up = |builder: Builder| {
            events_known_for.into_iter().fold(builder.only(only).on_problem(told), Builder::events_known_for)
        };
        let engine = setup.open(db, set_up).await?;
        let done = give(&engine, order).await.map_err(|error| error.to_string());
        engine.shut_down(GRACE).await;
        done
    })?;
    print(&done?)
}

async fn give(engine: &Engine, order: Order) -> Result<String, Error> {
    Ok(match order {
        Order::Cancel { id, cause } => {
            let execution = engine.execution(&id)?;
            execution.cancel(&cause).await?;
            match tokio::time::timeout(TOLD, execution.result()).await {
                Ok(outcome) => {
                    let ended = outcome?.err().and_then(|fault| fault.error().map(str::to_owned));
                    match ended.as_deref() {
                        Some(workflow_runtime::fault::names::CANCELLED) => format!("`{id}` is cancelled"),
                        _ => format!("`{id}` has ended before it could be cancelled"),
                    }
                }
                Err(_) => format!("`{id}` will be cancelled when it is run next"),
            }
        }
        Order::Succeed { token, output } => {
            engine.succeed(&token, output).await?;
            GOES_ON.to_owned()
        }
        Order::Fail { token, error, cause } => {
            let fault = Fault::from_parts(Some(error.into()), cause);
            engine.fail(&token, fault).await?;
            GOES_ON.to_owned()
        }
        Order::Send { id, event } => match engine.execution(&id)?.send_all(vec![event]).await? {
            0 => format!("`{id}` has this event already: it was given one of the same source and id before"),
            _ => "it is noted: the execution has it when it is run next, by `run --id ID` or `serve`".to_owned(),
        },
        Order::Publish { event } => {
            let reached = engine.publish(event).await?;
            let executions = |count: usize| match count {
                1 => "1 execution".to_owned(),
                count => format!("{count} executions"),
            };
            let full = match reached.full {
                0 => String::new(),
                full => format!("; {} did not take it, for they keep too many", executions(full)),
            };
            format!("it is noted for {}, which have it when they are run next{full}", executions(reached.executions))
        }
        Order::Purge { older_than, history_only } => {
            let (purged, what) = match history_only {
                true => (engine.purge_history(older_than).await?, "the histories of "),
                false => (engine.purge(older_than).await?, ""),
            };
            format!("removed {what}{purged} execution{}", if purged == 1 { "" } else { "s" })
        }
    })
}

const GOES_ON: &str = "it is noted: the execution goes on with it when it is run next, by `run --id ID` or `serve`";

/// Redrives an execution: continues it from the state that failed. Runs it to its end unless
/// `detach` is set; then a later `run` or `serve` runs it.
pub fn redrive(db: &Path, id: &str, detach: bool, progress: Mode, setup: Setup) -> Result<ExitCode, String> {
    must_exist(db)?;
    let watched = Watched::new(Some(id.to_owned()), progress, None)?;
    let only: Vec<String> = if detach { Vec::new() } else { vec![id.to_owned()] };
    let ended = block_on_many(async {
        let engine = setup.open(db, |builder| watched.watch(builder.only(only))).await?;
        let ended = async {
            let execution = engine.execution(id)?;
            execution.redrive().await?;
            match detach {
                true => Ok(None),
                false => Ok(Some(until_it_ends(&execution, &watched).await)),
            }
        };
        let ended = ended.await.map_err(|error: Error| error.to_string());
        leave(&engine, GRACE).await;
        ended
    })?;
    drop(watched);
    match ended? {
        Some(ended) => tell_end(ended, id, db),
        None => print(&format!("`{id}` goes on when it is run next, by `run --id {id}` or `serve`")),
    }
}

/// Reports a problem of the engine as a warning.
pub fn told(error: &Error) {
    complain(&format!("warning: {}", clean(&error.to_string(), 4_000)));
}
