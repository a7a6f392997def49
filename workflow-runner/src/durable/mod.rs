//! Programs whose executions are kept in a database, with commands that run, serve, show and
//! change them.

mod commands;
mod event;
mod options;
mod order;
mod remote;
mod run;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use workflow_runtime::Workflow;
use workflow_runtime::task::Invoke;

use crate::callbacks::{Announced, Endpoint, Port};
use crate::command_line::{self, Kind, ProgramCommand};
use crate::engine::Where;
use crate::engines::sqlite::{Builder, EngineSetup, Sqlite};
use crate::outcomes::Outcomes;
use crate::serve;
use crate::tasks::Bound;

pub(crate) use options::{COMMANDS, Command, HAVE_A_SERVER, Place, is_command, read};
#[cfg(feature = "restate")]
pub(crate) use order::{Keeper, Order};
pub(crate) use run::run;

/// The time that running tasks have to end after a signal to end the program.
pub(crate) const GRACE: Duration = Duration::from_secs(10);

/// A function that configures executions in memory.
type InMemory<W> = Box<dyn FnOnce(workflow_runtime::Builder<W>) -> workflow_runtime::Builder<W>>;

/// A program with a command line around the workflow `W`. It keeps its executions in an SQLite
/// database. Its commands are `run`, `serve`, and commands that show and change executions; `help`
/// lists them.
///
/// ```no_run
/// use std::process::ExitCode;
/// use workflow_runner::Durable;
/// use workflow_runtime::Workflow;
/// use workflow_runtime::task::Invoke;
///
/// /// The tasks are `Order::bind(Arc::new(Shop))`.
/// fn program<Order: Workflow>(tasks: impl Invoke + 'static) -> ExitCode {
///     Durable::<Order>::new(tasks).engine(|engine| engine.executions_at_once(100)).main()
/// }
/// ```
pub struct Durable<W: Workflow> {
    tasks: Arc<dyn Invoke>,
    engine: EngineSetup,
    in_memory: InMemory<W>,
    #[cfg(feature = "restate")]
    service: crate::engines::restate::ConfigureService,
}

impl<W: Workflow> Durable<W> {
    /// Creates a program with these tasks: `Order::bind(Arc::new(tasks))`.
    pub fn new(tasks: impl Invoke + 'static) -> Durable<W> {
        let tasks: Arc<dyn Invoke> = Arc::new(tasks);
        Durable {
            engine: EngineSetup::new::<W>(tasks.clone()),
            tasks,
            in_memory: Box::new(|builder| builder),
            #[cfg(feature = "restate")]
            service: Box::new(|service| service),
        }
    }

    /// Configures the engine further: older versions of the workflow, other workflows, the
    /// retention of the history, and the receiver of its problems.
    pub fn engine(mut self, setup: impl FnOnce(Builder) -> Builder + 'static) -> Durable<W> {
        self.engine.builder = Box::new(setup);
        self
    }

    /// Sets a function that is called with the engine as soon as it runs. A clone of the engine
    /// can deliver outcomes by token, for example. Executions that continue from an earlier
    /// process may have invoked tasks before the call.
    pub fn opened(mut self, on_open: impl FnOnce(&Sqlite) + 'static) -> Durable<W> {
        self.engine.opened = Box::new(on_open);
        self
    }

    /// Configures the executions in memory, of `run --memory`: observers, the clock, and callbacks
    /// for outcomes by token. Without callbacks of the program, `run` receives these outcomes at a
    /// port of this machine.
    pub fn in_memory(
        mut self,
        setup: impl FnOnce(workflow_runtime::Builder<W>) -> workflow_runtime::Builder<W> + 'static,
    ) -> Durable<W> {
        self.in_memory = Box::new(setup);
        self
    }

    /// Configures the service that `serve --engine restate` serves to Restate: its version, time
    /// limits of tasks. Executions have the settings of `serve --set`, unless `start_with` of the
    /// service sets others.
    #[cfg(feature = "restate")]
    pub fn restate(
        mut self,
        setup: impl FnOnce(crate::engines::restate::Service) -> crate::engines::restate::Service + 'static,
    ) -> Durable<W> {
        self.service = Box::new(setup);
        self
    }

    /// Runs the command line. The exit status is 0 if the execution succeeded, 1 if it failed, 2
    /// if the command could not be carried out, and 130 if the execution was interrupted.
    pub fn main(self) -> ExitCode {
        #[cfg(feature = "restate")]
        let restate = crate::engines::restate::ServiceSetup { tasks: self.tasks.clone(), service: self.service };
        let (tasks, engine, in_memory) = (self.tasks, self.engine, self.in_memory);
        command_line::program::<W>(Kind::Durable, move |command| match command {
            ProgramCommand::Run(options) => match &options.place {
                Where::Memory => run_in_memory::<W>(options, tasks, in_memory(command_line::builder())),
                Where::Default | Where::Database(_) => {
                    let port = options.callback_port.or(waits_for_tokens::<W>().then_some(Port::Auto));
                    let setup = match port {
                        Some(port) => engine.listen(port)?,
                        None => engine,
                    };
                    run::<W>(options, setup)
                }
                #[cfg(feature = "restate")]
                Where::Restate(_) => crate::restate::run::<W>(options, restate),
            },
            #[cfg(feature = "restate")]
            ProgramCommand::Durable(Command::ServeRestate(options)) => crate::restate::serve::<W>(*options, restate),
            #[cfg(feature = "restate")]
            ProgramCommand::Durable(Command::Order(order, Place::Restate { ingress })) => {
                crate::restate::execute::<W>(ingress, order, restate)
            }
            ProgramCommand::Durable(command) => execute::<W>(command, engine),
        })
    }
}

/// Configures an engine for this workflow with tasks that are bound by options. Outcomes by token
/// can arrive at a port of this machine.
pub(crate) fn bound<W: Workflow>(mut bound: Bound, port: Option<Port>) -> Result<EngineSetup, String> {
    let outcomes = bound.deliver_to_engine();
    let endpoint = port.map(|port| bound.listen(port)).transpose()?;
    let mut setup = EngineSetup::new::<W>(Arc::new(bound));
    setup.outcomes = Some(outcomes);
    setup.endpoint = endpoint;
    Ok(setup)
}

/// Runs an execution in memory. Outcomes by token arrive at a port of this machine, unless the
/// program has another source of them.
fn run_in_memory<W: Workflow>(
    options: command_line::RunOptions,
    tasks: Arc<dyn Invoke>,
    builder: workflow_runtime::Builder<W>,
) -> Result<ExitCode, String> {
    let own = builder.source_of_outcomes().cloned();
    let needs_port = own.is_none() && waits_for_tokens::<W>();
    let Some(port) = options.callback_port.or(needs_port.then_some(Port::Auto)) else {
        return command_line::run::<W>(options, &tasks, builder);
    };
    let callbacks = own.unwrap_or_default();
    let endpoint = Arc::new(Endpoint::open(port, Outcomes::new(callbacks.clone()))?);
    command_line::run::<W>(options, &Announced { tasks, endpoint }, builder.callbacks(&callbacks))
}

/// Returns `true` if a task of the workflow waits for its outcome by token.
fn waits_for_tokens<W: Workflow>() -> bool {
    W::DEFINITION.tasks.iter().any(|task| task.waits_for_token())
}

/// Carries out a command for a database.
fn execute<W: Workflow>(command: Command, engine: EngineSetup) -> Result<ExitCode, String> {
    let db = |db: Option<PathBuf>| db.unwrap_or_else(|| default_db(W::DEFINITION.name));
    match command {
        Command::Serve(mut options) => {
            command_line::missing_settings(W::DEFINITION, &options.settings)?;
            let (path, sink) = (db(options.db.clone()), options.sink.take());
            let engine = engine.with_sink(sink).with_objects(options.objects.take());
            serve::serve(*options, &path, engine)
        }
        Command::Redrive { db: path, redrive } => commands::redrive(&db(path), redrive, W::DEFINITION, engine),
        Command::Order(order, Place::Database { db: path, events_known_for, token }) => {
            commands::execute(&db(path), order, events_known_for, token, W::DEFINITION, engine)
        }
        #[cfg(feature = "restate")]
        _ => Err("this command needs `--engine restate`".to_owned()),
    }
}

/// Returns the default database of a workflow: `NAME.db` in the current folder.
fn default_db(workflow: &str) -> PathBuf {
    let name: String =
        workflow.chars().map(|c| if c.is_alphanumeric() || "-_".contains(c) { c } else { '-' }).collect();
    format!("{name}.db").into()
}

/// Checks that the database exists. Commands on existing executions do not create it.
fn must_exist(db: &Path) -> Result<(), String> {
    if db.exists() { Ok(()) } else { Err(format!("database `{}` not found: name it with `--db FILE`", db.display())) }
}
