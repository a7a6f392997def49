//! Commands that change executions in a database, and then end. They run no executions but the
//! ones that they change.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use workflow_runtime::{CloudEvent, Fault, Value};
use workflow_sqlite::{Builder, Engine, Error};

use super::remote::Remote;
use super::run::{ExecutionMonitor, WaitEnd, leave, report_end, until_it_ends};
use super::{EngineSetup, GRACE, must_exist};
use crate::command_line::{INTERRUPTED, block_on_many, interrupted};
use crate::console::{complain, print};
use crate::progress::{Mode, clean};
use crate::serve::Token;
use crate::sink::Sink;

/// A change of an execution or of the database.
pub enum DatabaseCommand {
    Cancel { id: String, cause: String },
    Succeed { token: String, output: Value },
    Fail { token: String, error: String, cause: Option<Value> },
    Heartbeat { token: String },
    Send { id: String, event: CloudEvent },
    Publish { event: CloudEvent },
    Purge { older_than: Duration, history_only: bool },
}

/// The redrive of an execution.
pub struct Redrive {
    pub id: String,
    /// `true` if the execution is left to the next `run` or `serve`.
    pub detach: bool,
    pub progress: Mode,
    pub sink: Option<Sink>,
    /// The token of the server, if one has the database.
    pub token: Option<Token>,
}

/// The time that a cancelled execution has to end. It only has to process the cancellation.
pub const CANCEL_TIME: Duration = Duration::from_secs(10);

/// Carries out a change, and prints the result. If a server has the database, the server carries
/// the change out.
pub fn execute(
    db: &Path,
    command: DatabaseCommand,
    events_known_for: Option<Duration>,
    token: Option<Token>,
    setup: EngineSetup,
) -> Result<ExitCode, String> {
    must_exist(db)?;
    let done = block_on_many(async {
        let only: Vec<String> = match &command {
            DatabaseCommand::Cancel { id, .. } => vec![id.clone()],
            _ => Vec::new(),
        };
        let set_up = |builder: Builder| {
            events_known_for.into_iter().fold(builder.only(only).on_problem(report_problem), Builder::events_known_for)
        };
        let engine = match setup.open(db, set_up).await {
            Err(Error::InUse { address: Some(address), .. }) => {
                let only_without =
                    |option| format!("`--{option}` cannot be used while a server has the database: pass it to `serve`");
                return match events_known_for {
                    Some(_) => Err(only_without("events-known-for")),
                    None => Remote::at(&address, token)?.execute(command).await,
                };
            }
            opened => opened.map_err(|error| error.to_string())?,
        };
        let is_heartbeat = matches!(command, DatabaseCommand::Heartbeat { .. });
        let done = apply(&engine, command).await.map_err(|error| error.to_string());
        engine.shut_down(GRACE).await;
        match done {
            // The time-out of the task begins when a process runs the execution.
            Ok(_) if is_heartbeat => Err(format!(
                "no process runs the executions of `{}`: a heartbeat needs a running `serve`",
                db.display()
            )),
            done => done,
        }
    })?;
    print(&done?)
}

async fn apply(engine: &Engine, command: DatabaseCommand) -> Result<String, Error> {
    Ok(match command {
        DatabaseCommand::Cancel { id, cause } => {
            let execution = engine.execution(&id)?;
            execution.cancel(&cause).await?;
            match tokio::time::timeout(CANCEL_TIME, execution.result()).await {
                Ok(outcome) => {
                    let ended = outcome?.err().and_then(|fault| fault.error().map(str::to_owned));
                    match ended.as_deref() {
                        Some(workflow_runtime::fault::names::CANCELLED) => format!("`{id}` was cancelled"),
                        _ => format!("`{id}` ended before it could be cancelled"),
                    }
                }
                Err(_) => format!("`{id}` will be cancelled when it runs next"),
            }
        }
        DatabaseCommand::Succeed { token, output } => {
            engine.succeed(&token, output).await?;
            GOES_ON.to_owned()
        }
        DatabaseCommand::Fail { token, error, cause } => {
            let fault = Fault::from_parts(Some(error.into()), cause);
            engine.fail(&token, fault).await?;
            GOES_ON.to_owned()
        }
        DatabaseCommand::Heartbeat { token } => {
            engine.heartbeat(&token)?;
            String::new()
        }
        DatabaseCommand::Send { id, event } => match engine.execution(&id)?.send_all(vec![event]).await? {
            0 => is_duplicate(&id),
            _ => "event saved: the execution receives it when it runs next, with `run --id ID` or `serve`".to_owned(),
        },
        DatabaseCommand::Publish { event } => {
            let reached = engine.publish(event).await?;
            published(reached.executions, ", delivered when they run next", reached.full)
        }
        DatabaseCommand::Purge { older_than, history_only } => {
            let removed = match history_only {
                true => engine.purge_history(older_than).await?,
                false => engine.purge(older_than).await?,
            };
            purged(removed, history_only)
        }
    })
}

/// Returns the text for an event that the execution already has.
pub fn is_duplicate(id: &str) -> String {
    format!("duplicate event: `{id}` already received an event with this source and id")
}

/// Returns the text for so many executions that were removed, or whose histories were.
pub fn purged(executions: usize, history_only: bool) -> String {
    let what = if history_only { "the histories of " } else { "" };
    format!("removed {what}{executions} execution{}", if executions == 1 { "" } else { "s" })
}

/// Returns the text for an event that was published to so many executions, and to so many whose
/// inboxes are full.
pub fn published(reached: usize, when: &str, full: usize) -> String {
    let executions = |count: usize| match count {
        1 => "1 execution".to_owned(),
        count => format!("{count} executions"),
    };
    let full = match full {
        0 => String::new(),
        full => format!("; the inboxes of {} are full", executions(full)),
    };
    format!("event saved for {}{when}{full}", executions(reached))
}

const GOES_ON: &str = "outcome saved: the execution continues when it runs next, with `run --id ID` or `serve`";

/// Redrives an execution: continues it from the state that failed. Runs it to its end unless
/// `detach` is set; then a later `run` or `serve` runs it. If a server has the database, the
/// server runs it.
pub fn redrive(db: &Path, redrive: Redrive, setup: EngineSetup) -> Result<ExitCode, String> {
    must_exist(db)?;
    let Redrive { id, detach, progress, sink, token } = redrive;
    let has_sink = sink.is_some();
    let setup = setup.with_sink(sink);
    let monitor = ExecutionMonitor::new(Some(id.clone()), progress, None)?;
    let only: Vec<String> = if detach { Vec::new() } else { vec![id.clone()] };
    let mut is_served = false;
    let ended = block_on_many(async {
        // The execution can run a task before this future waits for its end.
        let signal = interrupted();
        let engine = match setup.open(db, |builder| monitor.watch(builder.only(only))).await {
            Err(Error::InUse { address: Some(address), .. }) if has_sink => {
                return Err(format!(
                    "`--sink` cannot be used while the server at {address} has the database: the server has its own sink"
                ));
            }
            Err(Error::InUse { address: Some(address), .. }) => {
                is_served = true;
                let remote = Remote::at(&address, token)?;
                if progress != Mode::None && !detach {
                    complain(&format!("the server at {address} runs the execution `{id}`"));
                }
                return tokio::select! {
                    outcome = remote.redrive(db, &id, detach) => Ok(outcome?.map(WaitEnd::With)),
                    () = signal => Ok(Some(WaitEnd::Interrupted)),
                };
            }
            opened => opened.map_err(|error| error.to_string())?,
        };
        let ended = async {
            let execution = engine.execution(&id)?;
            execution.redrive().await?;
            match detach {
                true => Ok(None),
                false => Ok(Some(until_it_ends(&execution, &monitor, signal).await)),
            }
        };
        let ended = ended.await.map_err(|error: Error| error.to_string());
        leave(&engine, GRACE).await;
        ended
    })?;
    let running = monitor.running.clone();
    drop(monitor);
    match ended? {
        Some(WaitEnd::Interrupted) if is_served => {
            complain(&format!("interrupted: the server may have redriven the execution `{id}`"));
            Ok(ExitCode::from(INTERRUPTED))
        }
        Some(ended) => report_end(ended, &id, db, &running),
        None if is_served => print(&format!("`{id}` continues")),
        None => print(&format!("`{id}` continues when it runs next, with `run --id {id}` or `serve`")),
    }
}

/// Reports a problem of the engine as a warning.
pub fn report_problem(error: &Error) {
    complain(&format!("warning: {}", clean(&error.to_string(), 4_000)));
}
