//! Commands about executions on a Restate server. A program that serves the workflow runs them.

mod in_flight;
mod serve;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use workflow_runtime::engine::{Engine, EngineError, StartRequest};
use workflow_runtime::machine::Outcome;
use workflow_runtime::{Value, Workflow};

use crate::command_line::{INTERRUPTED, RunOptions, block_on, correlation, finish_run};
use crate::console::{complain, print};
use crate::durable::{Keeper, Order};
use crate::engine::Where;
use crate::engines::restate::{INGRESS, ServiceSetup, engine};
use crate::input::read_input;
use crate::progress::Mode;

pub(crate) use serve::{RestateServeOptions, serve};

/// The pause before the ingress is tried again.
const PAUSE: Duration = Duration::from_millis(500);

/// Returns the engine for the executions of the program's service.
fn open<W: Workflow>(ingress: String, setup: ServiceSetup) -> (Arc<dyn Engine>, Keeper) {
    let service = setup.name::<W>();
    (engine(&ingress, None, W::DEFINITION, &service), Keeper::Restate { ingress, service })
}

/// Starts an execution or attaches to an existing one, and waits for its outcome.
pub fn run<W: Workflow>(options: RunOptions, setup: ServiceSetup) -> Result<ExitCode, String> {
    let ingress = match &options.place {
        Where::Restate(ingress) => ingress.clone(),
        _ => INGRESS.to_owned(),
    };
    let refused = if options.key.is_some() {
        "`--key` cannot be used with `--engine restate`: use `--id`"
    } else if !options.settings.is_empty() {
        "`--set` cannot be used with `--engine restate`: pass it to `serve`"
    } else if options.sink.is_some() {
        "`--sink` cannot be used with `--engine restate`: pass it to `serve`"
    } else if options.objects.is_some() {
        "`--store` cannot be used with `--engine restate`: pass it to `serve`"
    } else if options.deployed_at.is_some() {
        "`--deployed-at` cannot be used with `--engine restate`: pass it to `serve`"
    } else if options.callback_port.is_some() {
        "`--callback-port` cannot be used with `--engine restate`: use `succeed ID TOKEN --engine restate`"
    } else if options.token.is_some() {
        "`--token-env` and `--token-file` cannot be used with `--engine restate`: use `--identity-key` of `serve` to \
         authenticate the server"
    } else if options.history.is_some() {
        "`--history` cannot be used with `--engine restate`: the UI of the Restate server shows the history"
    } else {
        ""
    };
    if !refused.is_empty() {
        return Err(refused.to_owned());
    }
    let id = options
        .id
        .ok_or("`run --engine restate` needs `--id ID`: runs with the same id attach to the same execution")?;
    let with_input = options.input.is_some();
    let mut request = StartRequest::new(W::DEFINITION.name, Value::Null).id(&id);
    request.correlation = options.correlate.map(|pair| correlation(W::DEFINITION, &pair)).transpose()?;
    request.input = read_input(options.input)?;
    let quiet = options.progress == Mode::None;
    if matches!(options.progress, Mode::Live | Mode::Lines) {
        complain(&format!(
            "note: `--progress` has no effect with `--engine restate`: `show {id} --engine restate` shows what the \
             execution waits for"
        ));
    }
    let (engine, keeper) = open::<W>(ingress, setup);
    let ended = block_on(async {
        let started = engine.start(request).await?;
        if !started.is_new && !quiet {
            let input = if with_input { ", and keeps its input" } else { "" };
            complain(&format!("the execution `{id}` already exists{input}: waiting for its outcome"));
        }
        attach(&*engine, &id).await
    })?;
    match ended {
        Some(outcome) => finish_run(Some(outcome.map_err(|error| keeper.text(error))?)),
        None => {
            complain(&format!(
                "interrupted: a started execution continues on Restate. Use `run --engine restate --id {id}` to wait for it \
                 again, `show {id} --engine restate` to see its state, and `cancel {id} --engine restate` to end it"
            ));
            Ok(ExitCode::from(INTERRUPTED))
        }
    }
}

/// Waits for the outcome. Retries while the server is unreachable.
async fn attach(engine: &dyn Engine, id: &str) -> Result<Outcome, EngineError> {
    let mut reported = false;
    loop {
        match engine.attach(id).await {
            Err(error @ EngineError::Unavailable(_)) => {
                if !reported {
                    complain(&format!("{error}: retrying; the execution continues when Restate is available"));
                }
                reported = true;
                tokio::time::sleep(PAUSE).await;
            }
            other => return other,
        }
    }
}

/// Carries out an order, and prints the result.
pub fn execute<W: Workflow>(ingress: String, order: Order, setup: ServiceSetup) -> Result<ExitCode, String> {
    let (engine, keeper) = open::<W>(ingress, setup);
    match block_on(order.execute(&*engine, &keeper))? {
        Some(done) => print(&done?),
        None => Ok(ExitCode::from(INTERRUPTED)),
    }
}
