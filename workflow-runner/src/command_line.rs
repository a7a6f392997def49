//! The command line of a program around one workflow.
//!
//! [`Where`] names the place of the execution of `run`. A further engine is a further variant,
//! which `--engine` names.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{BufWriter, IsTerminal, Write};
#[cfg(feature = "durable")]
use std::path::PathBuf;
use std::pin::pin;
use std::process::ExitCode;
#[cfg(unix)]
use std::task::{Context, Poll};

use futures_util::future::{Either, select};
use lexopt::Arg::{Long, Short};
use lexopt::ValueExt;
use workflow_runtime::engine::turns::Workers;
use workflow_runtime::machine::{CONTEXT_SETTING, Definition, Outcome};
use workflow_runtime::task::Invoke;
use workflow_runtime::value::{DOCUMENT_LIMIT, TEXT_LIMIT};
use workflow_runtime::{Builder, Object, Timestamp, Value, Workflow, id};

#[cfg(feature = "callbacks")]
use crate::callbacks::Port;
use crate::console::{complain, print, printed};
use crate::engine::{Engine, EngineOptions, Where};
use crate::history_file::HistoryFile;
use crate::input::{json_or_text, read_input};
use crate::progress::{self, Mode, Running};
use crate::sink::{self, Sink};
use crate::stores::StoreOptions;
use crate::tasks::{Binding, Bound};
use crate::{bindings, help, inspect, suite};

/// The execution or a test failed.
pub(crate) const FAILED: u8 = 1;
/// The execution could not be started.
const REFUSED: u8 = 2;
/// The execution was interrupted.
pub(crate) const INTERRUPTED: u8 = 130;

/// Runs the command line of a program with the tasks of the workflow `W`: `run`, `test`, `graph`,
/// `help`. The exit status is 0 if the execution succeeded, 1 if it failed, 2 if it could not be
/// started, and 130 if it was interrupted.
///
/// ```no_run
/// use std::process::ExitCode;
/// use workflow_runtime::Workflow;
/// use workflow_runtime::task::Invoke;
///
/// /// The tasks are `Order::bind(&Shop)`.
/// fn program<Order: Workflow>(tasks: &dyn Invoke) -> ExitCode {
///     workflow_runner::main::<Order>(tasks)
/// }
/// ```
pub fn main<W: Workflow>(tasks: &dyn Invoke) -> ExitCode {
    main_with::<W>(tasks, |builder| builder)
}

/// Does the same as [`main`]. `setup` configures executions further: callbacks for outcomes by
/// token, observers, the clock.
///
/// ```no_run
/// use std::process::ExitCode;
/// use workflow_runtime::Workflow;
/// use workflow_runtime::observe::History;
/// use workflow_runtime::task::Invoke;
///
/// fn program<Order: Workflow>(tasks: &dyn Invoke) -> ExitCode {
///     workflow_runner::main_with::<Order>(tasks, |builder| builder.observer(History::new(std::io::stderr())))
/// }
/// ```
pub fn main_with<W: Workflow>(tasks: &dyn Invoke, setup: impl FnOnce(Builder<W>) -> Builder<W>) -> ExitCode {
    program::<W>(Kind::InMemory, |command| match command {
        ProgramCommand::Run(options) => run::<W>(options, tasks, setup(builder())),
        #[cfg(feature = "durable")]
        ProgramCommand::Durable(_) => Err("this program keeps executions only in memory".to_owned()),
    })
}

/// Does the same as [`main`], but tasks are bound by options: `--task 'ChargeCard=./charge.py'`.
/// `help` explains these options.
///
/// On Unix the program starts itself once more for each shell command, to supervise the command.
/// Call this function first in `main`.
///
/// ```no_run
/// use std::process::ExitCode;
/// use workflow_runtime::Workflow;
///
/// fn program<Order: Workflow>() -> ExitCode {
///     workflow_runner::bound_main::<Order>()
/// }
/// ```
pub fn bound_main<W: Workflow>() -> ExitCode {
    program::<W>(Kind::Bound, |command| match command {
        #[cfg(feature = "durable")]
        ProgramCommand::Run(options) if matches!(options.place, Where::Database(_)) => {
            let bound = Bound::new(options.bindings.clone(), W::DEFINITION)?;
            let setup = crate::durable::bound::<W>(bound, options.callback_port)?;
            crate::durable::run::<W>(options, setup)
        }
        ProgramCommand::Run(options) => {
            #[cfg_attr(not(feature = "callbacks"), expect(unused_mut, reason = "only an endpoint changes it"))]
            let mut bound = Bound::new(options.bindings.clone(), W::DEFINITION)?;
            #[cfg(feature = "callbacks")]
            if let Some(port) = options.callback_port {
                bound.listen(port)?;
            }
            run::<W>(options, &bound, builder().callbacks(bound.callbacks()))
        }
        #[cfg(feature = "durable")]
        ProgramCommand::Durable(_) => Err("this program binds tasks only for `run`".to_owned()),
    })
}

/// The kinds of programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A program whose executions are in memory.
    InMemory,
    /// A program whose tasks are bound by options.
    Bound,
    /// A program whose executions are in a database by default.
    #[cfg(feature = "durable")]
    Durable,
}

impl Kind {
    /// Returns `true` if executions can be kept in a database.
    pub fn can_keep(self) -> bool {
        cfg!(feature = "durable") && self != Kind::InMemory
    }
}

/// A command that needs the tasks of the program.
pub(crate) enum ProgramCommand {
    Run(RunOptions),
    #[cfg(feature = "durable")]
    Durable(crate::durable::Command),
}

/// Runs the command line of a program of this kind. `start` carries out the commands that need
/// tasks.
pub(crate) fn program<W: Workflow>(
    kind: Kind,
    start: impl FnOnce(ProgramCommand) -> Result<ExitCode, String>,
) -> ExitCode {
    #[cfg(unix)]
    if kind == Kind::Bound
        && let Some(status) = crate::tasks::supervise()
    {
        return status;
    }
    let result = read(lexopt::Parser::from_env(), kind, W::DEFINITION).and_then(|command| match command {
        Command::Help(None) => print(&help::help(W::DEFINITION, kind)),
        Command::Help(Some(name)) => match help::of_command(W::DEFINITION, kind, &name) {
            Some(text) => print(&text),
            None => Err(unknown_command(&name, kind)),
        },
        Command::Graph => print(W::DEFINITION.graph),
        Command::Start(command) => start(command),
        Command::Inspect(options) => {
            missing_settings(W::DEFINITION, &options.settings)?;
            let mut bound = Bound::new(options.bindings, W::DEFINITION)?;
            bound.answer_at_once();
            let report = inspect::inspect::<W>(&bound, read_input(options.input)?, options.settings, &options.trial)?;
            let Some(report) = report else { return finish_run(None) };
            print(&report.text)?;
            Ok(ExitCode::from(if report.failed { FAILED } else { 0 }))
        }
        Command::Test { file, options } => {
            let suite = suite::run::<W>(&file, &options)?;
            print(&suite.report(options.format))?;
            Ok(ExitCode::from(if suite.failed() { FAILED } else { 0 }))
        }
    });
    result.unwrap_or_else(|message| {
        complain(&format!("error: {message}"));
        ExitCode::from(REFUSED)
    })
}

enum Command {
    /// The help of the program, or of the command of this name.
    Help(Option<String>),
    Graph,
    Start(ProgramCommand),
    Inspect(RunOptions),
    Test {
        file: String,
        options: suite::SuiteOptions,
    },
}

/// The options of `run`.
pub(crate) struct RunOptions {
    /// The kind of the program.
    pub kind: Kind,
    pub place: Where,
    pub input: Option<OsString>,
    pub id: Option<String>,
    pub key: Option<String>,
    /// The correlation key, as `ATTRIBUTE=VALUE`.
    pub correlate: Option<String>,
    /// The time at which the program was deployed.
    pub deployed_at: Option<Timestamp>,
    pub settings: Object,
    pub progress: Mode,
    pub history: Option<OsString>,
    /// The sink of the events that the execution publishes.
    pub sink: Option<Sink>,
    /// The object stores of distributed Maps.
    pub objects: Option<workflow_runtime::objects::ObjectAccess>,
    /// The port for outcomes by token.
    #[cfg(feature = "callbacks")]
    pub callback_port: Option<Port>,
    /// The token of the server, if one has the database.
    #[cfg(feature = "durable")]
    pub token: Option<crate::serve::Token>,
    bindings: BTreeMap<String, Binding>,
    /// The differences of the trial of a state, which `inspect` reports.
    trial: inspect::TrialOptions,
}

fn read(mut arguments: lexopt::Parser, kind: Kind, definition: &Definition) -> Result<Command, String> {
    let command = match arguments.next().map_err(text)? {
        None | Some(Short('h') | Long("help")) => return Ok(Command::Help(None)),
        Some(lexopt::Arg::Value(command)) => command,
        Some(other) => return Err(text(other.unexpected())),
    };
    match command.to_str() {
        Some("help") => match arguments.next().map_err(text)? {
            None | Some(Short('h') | Long("help")) => Ok(Command::Help(None)),
            Some(lexopt::Arg::Value(name)) => {
                let name = name.to_string_lossy().into_owned();
                finish(arguments, Command::Help(Some(name).filter(|name| name != "help")))
            }
            Some(other) => Err(text(other.unexpected())),
        },
        Some("graph") => match arguments.next().map_err(text)? {
            None => Ok(Command::Graph),
            Some(Short('h') | Long("help")) => Ok(help_of("graph")),
            Some(other) => Err(text(other.unexpected())),
        },
        Some("run") => {
            let options = read_options(arguments, kind, definition)?;
            Ok(options.map_or_else(|| help_of("run"), |options| Command::Start(ProgramCommand::Run(options))))
        }
        Some("inspect") if kind == Kind::Bound => {
            let options = read_options(arguments, kind, definition)?;
            Ok(options.map_or_else(|| help_of("run"), Command::Inspect))
        }
        Some("test") => read_test(arguments),
        #[cfg(feature = "durable")]
        Some(name) if kind == Kind::Durable && crate::durable::is_command(name) => {
            let command = crate::durable::read(name, arguments)?;
            Ok(command.map_or_else(|| help_of(name), |command| Command::Start(ProgramCommand::Durable(command))))
        }
        _ => Err(unknown_command(&command.to_string_lossy(), kind)),
    }
}

fn unknown_command(name: &str, kind: Kind) -> String {
    let more = match kind {
        #[cfg(feature = "durable")]
        Kind::Durable => crate::durable::COMMANDS.map(|name| format!("`{name}`, ")).concat(),
        _ => String::new(),
    };
    format!("unknown command `{name}`: expected one of `run`, {more}`test`, `graph`, `help`")
}

fn help_of(command: &str) -> Command {
    Command::Help(Some(command.to_owned()))
}

fn finish(mut arguments: lexopt::Parser, command: Command) -> Result<Command, String> {
    match arguments.next().map_err(text)? {
        None => Ok(command),
        Some(other) => Err(text(other.unexpected())),
    }
}

fn read_options(
    mut arguments: lexopt::Parser,
    kind: Kind,
    definition: &Definition,
) -> Result<Option<RunOptions>, String> {
    let bound = kind == Kind::Bound;
    let (mut engine, mut sink, mut stores) = <(EngineOptions, sink::SinkOptions, StoreOptions)>::default();
    let mut options = RunOptions {
        kind,
        place: Where::Default,
        input: None,
        id: None,
        key: None,
        correlate: None,
        deployed_at: None,
        settings: Object::new(),
        progress: Mode::Auto,
        history: None,
        sink: None,
        objects: None,
        #[cfg(feature = "callbacks")]
        callback_port: None,
        #[cfg(feature = "durable")]
        token: None,
        bindings: BTreeMap::new(),
        trial: inspect::TrialOptions::default(),
    };
    while let Some(argument) = arguments.next().map_err(text)? {
        match argument {
            Long("input") | Short('i') => options.input = Some(arguments.value().map_err(text)?),
            Long("name" | "id") => options.id = Some(string(&mut arguments)?),
            Long("db") if kind.can_keep() => engine.db = Some(arguments.value().map_err(text)?.into()),
            Long("memory") if kind.can_keep() => engine.memory = true,
            Long("engine") => engine.engine = Some(Engine::named(&string(&mut arguments)?)?),
            Long("ingress") if kind.can_keep() => engine.ingress = Some(string(&mut arguments)?),
            Long("key") if kind.can_keep() => options.key = Some(string(&mut arguments)?),
            Long("correlate") => options.correlate = Some(string(&mut arguments)?),
            Long("deployed-at") => options.deployed_at = Some(moment("deployed-at", &mut arguments)?),
            Long("set") => {
                let (name, value) = setting(&mut arguments)?;
                options.settings.insert(name, value);
            }
            Long("progress") => options.progress = progress::named(&string(&mut arguments)?)?,
            Long("history") => options.history = Some(arguments.value().map_err(text)?),
            Long(option) if sink::OPTIONS.contains(&option) => {
                let option = option.to_owned();
                sink.take(&option, &mut arguments)?;
            }
            Long("store") => stores.take(&mut arguments)?,
            Long("task") if bound => {
                let (name, binding) = bindings::parse(&string(&mut arguments)?)?;
                options.bindings.insert(name, binding);
            }
            #[cfg(feature = "callbacks")]
            Long("callback-port") if kind != Kind::InMemory => {
                options.callback_port = Some(Port::read(&string(&mut arguments)?)?);
            }
            #[cfg(feature = "durable")]
            Long("token-env") if kind == Kind::Durable => {
                options.token = Some(crate::serve::from_env(&string(&mut arguments)?)?);
            }
            #[cfg(feature = "durable")]
            Long("token-file") if kind == Kind::Durable => {
                options.token = Some(crate::serve::from_file(&path(&mut arguments)?)?);
            }
            Long(option @ ("retries" | "items" | "failures")) if bound => {
                let option = option.to_owned();
                options.trial.set(&option, &string(&mut arguments)?)?;
            }
            Long("context") if bound => inspect::set_context(&mut options.settings, &string(&mut arguments)?)?,
            Long("bindings") if bound => options.bindings.extend(bindings::from_json(&string(&mut arguments)?)?),
            Short('h') | Long("help") => return Ok(None),
            other => return Err(text(other.unexpected())),
        }
    }
    if bound {
        // Other programs may have more workflows, or older versions of this one.
        stores.must_be_of_use(!definition.maps.is_empty())?;
    }
    options.place = engine.decide(kind)?;
    (options.sink, options.objects) = (sink.beside_result("run")?, stores.access()?);
    Ok(Some(options))
}

fn read_test(mut arguments: lexopt::Parser) -> Result<Command, String> {
    let (mut file, mut options) = (None, suite::SuiteOptions::default());
    while let Some(argument) = arguments.next().map_err(text)? {
        match argument {
            Long("run") => options.filter = Some(string(&mut arguments)?),
            Long("min-coverage") => options.min_coverage = Some(suite::percent(&string(&mut arguments)?)?),
            Long("format") => options.format = suite::ReportFormat::named(&string(&mut arguments)?)?,
            Short('h') | Long("help") => return Ok(help_of("test")),
            lexopt::Arg::Value(value) if file.is_none() => file = Some(value.string().map_err(text)?),
            other => return Err(text(other.unexpected())),
        }
    }
    Ok(Command::Test { file: file.unwrap_or_else(|| "case.toml".to_owned()), options })
}

/// Reads the value of an option that is a path.
#[cfg(feature = "durable")]
pub(crate) fn path(arguments: &mut lexopt::Parser) -> Result<PathBuf, String> {
    arguments.value().map(PathBuf::from).map_err(text)
}

/// Returns the correlation key in `ATTRIBUTE=VALUE`. The attribute must be one by which events of
/// the workflow correlate.
pub(crate) fn correlation(definition: &Definition, pair: &str) -> Result<String, String> {
    let (attribute, value) =
        pair.split_once('=').ok_or_else(|| format!("`{pair}` is not a correlation: write `ATTRIBUTE=VALUE`"))?;
    let mut known: Vec<&str> = definition.correlation.iter().flat_map(|by| by.attributes).copied().collect();
    if known.contains(&attribute) {
        return match value {
            "" => Err(format!("`{pair}` has no value: write `{attribute}=VALUE`")),
            value => Ok(value.to_owned()),
        };
    }
    known.sort_unstable();
    known.dedup();
    let there_are = match known.is_empty() {
        true => "its events have no correlation attributes".to_owned(),
        false => format!("the correlation attributes are `{}`", known.join("`, `")),
    };
    Err(format!("no event of `{}` correlates by `{attribute}`: {there_are}", definition.name))
}

/// Reads the value of an option that is a point in time.
pub(crate) fn moment(option: &str, arguments: &mut lexopt::Parser) -> Result<Timestamp, String> {
    let value = string(arguments)?;
    value.parse().map_err(|_| format!("invalid `--{option} {value}`: write a time such as `2026-01-31T12:30:00Z`"))
}

/// Reads the value of `--set`.
pub(crate) fn setting(arguments: &mut lexopt::Parser) -> Result<(String, Value), String> {
    let pair = string(arguments)?;
    let (name, value) =
        pair.split_once('=').ok_or_else(|| format!("invalid `--set {pair}`: write `--set NAME=VALUE`"))?;
    if name == CONTEXT_SETTING {
        return Err(format!("`--set {name}`: no definition has a setting of this name"));
    }
    Ok((name.to_owned(), json_or_text(value).map_err(|error| format!("`--set {name}`: {error}"))?))
}

pub(crate) fn string(arguments: &mut lexopt::Parser) -> Result<String, String> {
    arguments.value().and_then(|value| value.string()).map_err(text)
}

pub(crate) fn text(error: lexopt::Error) -> String {
    error.to_string()
}

/// Returns the builder of an execution in memory. Its turns run on shared worker threads, so that
/// they do not block the thread that waits for signals.
pub(crate) fn builder<W: Workflow>() -> Builder<W> {
    Builder::new().workers(Workers::shared())
}

/// Runs an execution in memory.
pub(crate) fn run<W: Workflow>(
    options: RunOptions,
    tasks: &dyn Invoke,
    builder: Builder<W>,
) -> Result<ExitCode, String> {
    if options.key.is_some() {
        return Err("`--key` needs `--db FILE`".to_owned());
    }
    missing_settings(W::DEFINITION, &options.settings)?;
    let input = read_input(options.input)?;
    let mut builder = builder.settings(options.settings);
    if let Some(id) = options.id {
        id::check(&id).map_err(|invalid| format!("`--id`: {invalid}"))?;
        builder = builder.name(id);
    }
    if let Some(pair) = &options.correlate {
        builder = builder.correlate(correlation(W::DEFINITION, pair)?);
    }
    if W::DEFINITION.schedule.is_some() {
        // This program is the engine. By default its time of deployment is now.
        let deployed = options.deployed_at.unwrap_or_else(Timestamp::now);
        W::DEFINITION.check_schedule(Timestamp::now(), || deployed).map_err(|inactive| inactive.to_string())?;
        builder = builder.deployed_at(deployed);
    }
    builder = options.sink.into_iter().fold(builder, Builder::sink);
    builder = options.objects.into_iter().fold(builder, Builder::objects);
    // The first observer: a signal that follows the line about a task finds that task in it.
    let running = Running::default();
    builder = builder.observer(running.clone());
    if let Some(file) = &options.history {
        builder = builder.observer(HistoryFile::open(file)?.observer());
    }
    let (observer, screen) = progress::observer(options.progress).unzip();
    if let Some(observer) = observer {
        builder = builder.observer(observer);
    }
    let outcome = block_on(builder.tasks(tasks).run(input))?;
    drop(screen);
    if outcome.is_some() {
        return finish_run(outcome);
    }
    let cut_off = running.all().map_or(String::new(), |tasks| format!(" during {tasks}"));
    complain(&format!("the execution was interrupted{cut_off}"));
    match options.kind {
        Kind::InMemory => {}
        Kind::Bound => {
            complain("an execution in memory cannot be resumed: with `--db FILE --id ID`, the next run resumes it");
        }
        #[cfg(feature = "durable")]
        Kind::Durable => {
            complain("an execution in memory cannot be resumed: without `--memory`, `run --id ID` resumes it");
        }
    }
    Ok(ExitCode::from(INTERRUPTED))
}

/// Runs a future on a new runtime of one thread. Returns `None` if a signal to end the program
/// arrives first.
pub fn block_on<T>(future: impl Future<Output = T>) -> Result<Option<T>, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("cannot start the runtime: {error}"))?;
    let value = runtime.block_on(async {
        match select(pin!(future), pin!(interrupted())).await {
            Either::Left((value, _)) => Some(value),
            Either::Right(_) => None,
        }
    });
    // An abandoned request must not keep the program from ending.
    runtime.shutdown_background();
    Ok(value)
}

/// Runs a future, and the tasks that it spawns, on a new runtime of several threads.
#[cfg(feature = "durable")]
pub(crate) fn block_on_many<T>(future: impl Future<Output = T>) -> Result<T, String> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("cannot start the runtime: {error}"))?;
    let value = runtime.block_on(future);
    runtime.shutdown_background();
    Ok(value)
}

/// Waits for a signal to end the program, also for one that arrives before the first poll. The
/// program then has to end the processes of its tasks: the signal does not reach them.
#[cfg(unix)]
pub(crate) fn interrupted() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    let signals = [SignalKind::interrupt(), SignalKind::terminate()].map(signal);
    let mut signals: Vec<_> = signals.into_iter().flatten().collect();
    let mut is_signalled = move |cx: &mut Context<'_>| signals.iter_mut().any(|signal| signal.poll_recv(cx).is_ready());
    std::future::poll_fn(move |cx| if is_signalled(cx) { Poll::Ready(()) } else { Poll::Pending })
}

#[cfg(not(unix))]
pub(crate) async fn interrupted() {
    let _signal = tokio::signal::ctrl_c().await;
}

/// Checks that all settings of the definition have values.
pub(crate) fn missing_settings(definition: &Definition, settings: &Object) -> Result<(), String> {
    let missing = definition.settings.iter().filter(|name| !settings.contains_key(name));
    let missing: Vec<String> = missing.map(|name| format!("`--set {name}=VALUE`")).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!("settings without a value: add {}", missing.join(", ")))
}

/// Writes the outcome of an execution, and returns the exit status. `None` stands for an execution
/// that was interrupted.
pub(crate) fn finish_run(outcome: Option<Outcome>) -> Result<ExitCode, String> {
    match outcome {
        Some(Ok(output)) => {
            let mut out = BufWriter::new(std::io::stdout().lock());
            let pretty = std::io::stdout().is_terminal().then(|| output.to_json_pretty(DOCUMENT_LIMIT).ok()).flatten();
            let written = match pretty {
                Some(text) => out.write_all(text.as_bytes()),
                None => output.write_json(TEXT_LIMIT, &mut out),
            };
            printed(written.and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush()))
        }
        Some(Err(fault)) => {
            complain(&format!("the execution failed: {fault}"));
            Ok(ExitCode::from(FAILED))
        }
        None => {
            complain("the execution was interrupted");
            Ok(ExitCode::from(INTERRUPTED))
        }
    }
}
