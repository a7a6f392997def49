//! Commands about executions in a database, which then end. They run no executions but the ones
//! that they change. If a server has the database, it carries the changes out.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use workflow_runtime::engine::{Engine, EngineError};
use workflow_runtime::machine::Definition;

use super::order::{Keeper, Order};
use super::remote::Remote;
use super::run::{ExecutionMonitor, WaitEnd, leave, report_end, until_it_ends};
use super::{GRACE, must_exist};
use crate::command_line::{INTERRUPTED, block_on_many, interrupted};
use crate::console::{complain, print};
use crate::database::report_on;
use crate::engines::sqlite::EngineSetup;
use crate::engines::{OpenOptions, Opened};
use crate::progress::{Mode, clean};
use crate::serve::Token;
use crate::sink::Sink;
use workflow_runtime::objects::ObjectAccess;

/// The redrive of an execution.
pub struct Redrive {
    pub id: String,
    /// `true` if the execution is left to the next `run` or `serve`.
    pub detach: bool,
    pub progress: Mode,
    pub sink: Option<Sink>,
    /// The object stores of distributed Maps.
    pub objects: Option<ObjectAccess>,
    /// The token of the server, if one has the database.
    pub token: Option<Token>,
}

/// Carries out an order, and prints the result.
pub fn execute(
    db: &Path,
    order: Order,
    events_known_for: Option<Duration>,
    token: Option<Token>,
    definition: &'static Definition,
    setup: EngineSetup,
) -> Result<ExitCode, String> {
    if let Order::Report(report) = &order {
        return print(&report_on(db, report)?);
    }
    must_exist(db)?;
    let only: Vec<String> = match &order {
        Order::Cancel { id, .. } => vec![id.clone()],
        _ => Vec::new(),
    };
    let options = OpenOptions {
        only: Some(only),
        on_problem: Some(Box::new(report_problem)),
        events_known_for,
        ..OpenOptions::default()
    };
    let done = block_on_many(async {
        match setup.open(db, options).await? {
            Opened::Here(engine) => {
                let done = order.execute(&*engine, &Keeper::Nobody(db.to_owned())).await;
                engine.shut_down(GRACE).await;
                done
            }
            Opened::InUse { .. } if events_known_for.is_some() => {
                Err("`--events-known-for` cannot be used while a server has the database: pass it to `serve`"
                    .to_owned())
            }
            Opened::InUse { address, .. } => {
                let server = Remote::at(&address, token, db, definition)?;
                order.execute(&server, &Keeper::Server).await
            }
        }
    })?;
    print(&done?)
}

/// Redrives an execution: continues it from the state that failed. Runs it to its end unless
/// `detach` is set; then a later `run` or `serve` runs it. If a server has the database, the
/// server runs it.
pub fn redrive(
    db: &Path,
    redrive: Redrive,
    definition: &'static Definition,
    setup: EngineSetup,
) -> Result<ExitCode, String> {
    must_exist(db)?;
    let Redrive { id, detach, progress, sink, objects, token } = redrive;
    let refused = match (sink.is_some(), objects.is_some()) {
        (true, _) => Some(("--sink", "the server has its own sink")),
        (_, true) => Some(("--store", "it is an option of `serve`")),
        _ => None,
    };
    let setup = setup.with_sink(sink).with_objects(objects);
    let monitor = ExecutionMonitor::new(Some(id.clone()), progress, None)?;
    let only = if detach { Vec::new() } else { vec![id.clone()] };
    let mut is_served = false;
    let ended = block_on_many(async {
        // The execution can run a task before this future waits for its end.
        let signal = interrupted();
        let options = OpenOptions { only: Some(only), ..monitor.options() };
        let engine: Arc<dyn Engine> = match setup.open(db, options).await? {
            Opened::Here(engine) => engine,
            Opened::InUse { address, .. } => {
                if let Some((option, reason)) = refused {
                    let when = format!("while the server at {address} has the database");
                    return Err(format!("`{option}` cannot be used {when}: {reason}"));
                }
                is_served = true;
                let server = Remote::at(&address, token, db, definition)?;
                if progress != Mode::None && !detach {
                    complain(&format!("the server at {address} runs the execution `{id}`"));
                }
                Arc::new(server)
            }
        };
        let ended = tokio::select! {
            ended = async {
                engine.redrive(&id).await?;
                Ok(if detach { None } else { Some(until_it_ends(&*engine, &id, &monitor).await) })
            } => ended.map_err(|error: EngineError| error.to_string()),
            () = signal => Ok(Some(WaitEnd::Interrupted)),
        };
        leave(&*engine, GRACE).await;
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
pub fn report_problem(error: &EngineError) {
    complain(&format!("warning: {}", clean(&error.to_string(), 4_000)));
}
