//! The command line of a program around one workflow.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{ErrorKind, IsTerminal, Read, Write};
use std::pin::pin;
use std::process::ExitCode;
#[cfg(unix)]
use std::task::{Context, Poll};

use futures_util::future::{Either, select};
use lexopt::Arg::{Long, Short};
use lexopt::ValueExt;
use workflow_runtime::machine::{Definition, Outcome};
use workflow_runtime::task::Invoke;
use workflow_runtime::{Builder, Object, Value, Workflow};

use crate::progress::{self, Mode};
use crate::tasks::{Binding, Bound};
use crate::{bindings, help, inspect, suite};

/// The execution failed, or a test did.
const FAILED: u8 = 1;
/// The execution could not be started.
const REFUSED: u8 = 2;
/// The execution was interrupted.
const INTERRUPTED: u8 = 130;

/// The command line of a program with the tasks of the workflow `W`: `run`, `test`, `graph`, `help`. The exit status is
/// that of the program: 0 if the execution succeeded, 1 if it failed, 2 if it could not be started, 130 if it was
/// interrupted.
pub fn main<W: Workflow>(tasks: &dyn Invoke) -> ExitCode {
    main_with::<W>(tasks, |builder| builder)
}

/// As [`main`], with executions set up further: where outcomes by token arrive, who observes, which clock.
pub fn main_with<W: Workflow>(tasks: &dyn Invoke, setup: impl FnOnce(Builder<W>) -> Builder<W>) -> ExitCode {
    program::<W>(|options| run::<W>(options, tasks, setup(Builder::new())), false)
}

/// As [`main`], but tasks are bound by options: `--task 'ChargeCard=./charge.py'`. What they mean is told by `help`.
pub fn bound_main<W: Workflow>() -> ExitCode {
    let start = |options: Options| {
        let bound = Bound::new(options.bindings.clone(), W::DEFINITION)?;
        run::<W>(options, &bound, Builder::new().callbacks(bound.callbacks()))
    };
    program::<W>(start, true)
}

/// `bound`: whether tasks are bound by options.
fn program<W: Workflow>(start: impl FnOnce(Options) -> Result<ExitCode, String>, bound: bool) -> ExitCode {
    let result = read(lexopt::Parser::from_env(), bound).and_then(|command| match command {
        Command::Help => print(&help::help(W::DEFINITION, bound)),
        Command::Graph => print(W::DEFINITION.graph),
        Command::Run(options) => start(options),
        Command::Inspect(options) => {
            missing_settings(W::DEFINITION, &options.settings)?;
            let bound = Bound::new(options.bindings, W::DEFINITION)?;
            let told = inspect::inspect::<W>(&bound, read_input(options.input)?, options.settings)?;
            let Some(told) = told else { return finish_run(None) };
            print(&told.text)?;
            Ok(ExitCode::from(if told.failed { FAILED } else { 0 }))
        }
        Command::Test { file, filter } => {
            let report = suite::run::<W>(&file, filter.as_deref())?;
            print(&report.text)?;
            Ok(ExitCode::from(if report.failed { FAILED } else { 0 }))
        }
    });
    result.unwrap_or_else(|message| {
        complain(&format!("error: {message}"));
        ExitCode::from(REFUSED)
    })
}

enum Command {
    Help,
    Graph,
    Run(Options),
    Inspect(Options),
    Test { file: String, filter: Option<String> },
}

struct Options {
    input: Option<OsString>,
    name: Option<String>,
    settings: Object,
    progress: Mode,
    history: Option<OsString>,
    bindings: BTreeMap<String, Binding>,
}

fn read(mut arguments: lexopt::Parser, bound: bool) -> Result<Command, String> {
    let command = match arguments.next().map_err(text)? {
        None | Some(Short('h') | Long("help")) => return Ok(Command::Help),
        Some(lexopt::Arg::Value(command)) => command,
        Some(other) => return Err(text(other.unexpected())),
    };
    match command.to_str() {
        Some("help") => Ok(Command::Help),
        Some("graph") => finish(arguments, Command::Graph),
        Some("run") => Ok(read_options(arguments, bound)?.map_or(Command::Help, Command::Run)),
        Some("inspect") if bound => Ok(read_options(arguments, bound)?.map_or(Command::Help, Command::Inspect)),
        Some("test") => read_test(arguments),
        _ => Err(format!("unknown command `{}`: there are `run`, `test`, `graph`, `help`", command.to_string_lossy())),
    }
}

fn finish(mut arguments: lexopt::Parser, command: Command) -> Result<Command, String> {
    match arguments.next().map_err(text)? {
        None => Ok(command),
        Some(other) => Err(text(other.unexpected())),
    }
}

fn read_options(mut arguments: lexopt::Parser, bound: bool) -> Result<Option<Options>, String> {
    let mut options = Options {
        input: None,
        name: None,
        settings: Object::new(),
        progress: Mode::Auto,
        history: None,
        bindings: BTreeMap::new(),
    };
    while let Some(argument) = arguments.next().map_err(text)? {
        match argument {
            Long("input") | Short('i') => options.input = Some(arguments.value().map_err(text)?),
            Long("name") => options.name = Some(string(&mut arguments)?),
            Long("set") => {
                let pair = string(&mut arguments)?;
                let (name, value) =
                    pair.split_once('=').ok_or_else(|| format!("`--set {pair}`: write `--set NAME=VALUE`"))?;
                options.settings.insert(name, json_or_text(value));
            }
            Long("progress") => {
                let name = string(&mut arguments)?;
                let mode = progress::mode(&name);
                options.progress =
                    mode.ok_or_else(|| format!("`--progress {name}`: there are `auto`, `live`, `lines`, `none`"))?;
            }
            Long("history") => options.history = Some(arguments.value().map_err(text)?),
            Long("task") if bound => {
                let (name, binding) = bindings::parse(&string(&mut arguments)?)?;
                options.bindings.insert(name, binding);
            }
            Long("bindings") if bound => options.bindings.extend(bindings::from_json(&string(&mut arguments)?)?),
            Short('h') | Long("help") => return Ok(None),
            other => return Err(text(other.unexpected())),
        }
    }
    Ok(Some(options))
}

fn read_test(mut arguments: lexopt::Parser) -> Result<Command, String> {
    let (mut file, mut filter) = (None, None);
    while let Some(argument) = arguments.next().map_err(text)? {
        match argument {
            Long("run") => filter = Some(string(&mut arguments)?),
            Short('h') | Long("help") => return Ok(Command::Help),
            lexopt::Arg::Value(value) if file.is_none() => file = Some(value.string().map_err(text)?),
            other => return Err(text(other.unexpected())),
        }
    }
    Ok(Command::Test { file: file.unwrap_or_else(|| "case.toml".to_owned()), filter })
}

fn string(arguments: &mut lexopt::Parser) -> Result<String, String> {
    arguments.value().and_then(|value| value.string()).map_err(text)
}

fn text(error: lexopt::Error) -> String {
    error.to_string()
}

/// JSON where it is, a string otherwise.
fn json_or_text(text: &str) -> Value {
    Value::from_json(text).unwrap_or_else(|_| Value::from(text))
}

/// The input: JSON, the name of a file, or `-` for standard input; an empty object if there is none.
fn read_input(input: Option<OsString>) -> Result<Value, String> {
    let Some(input) = input else { return Ok(Value::from(Object::new())) };
    let given = input.to_string_lossy();
    let (from, text) = if given == "-" {
        let mut text = String::new();
        let read = std::io::stdin().read_to_string(&mut text);
        read.map_err(|error| format!("cannot read the input from standard input: {error}"))?;
        ("standard input".to_owned(), text)
    } else if let Ok(value) = Value::from_json(&given) {
        return Ok(value);
    } else {
        let looks_like_json = given.trim_start().starts_with(['{', '[', '"']);
        match (std::fs::read_to_string(&input), looks_like_json) {
            (Ok(text), _) => (given.into_owned(), text),
            (Err(_), true) => ("`--input`".to_owned(), given.into_owned()),
            (Err(error), false) => return Err(format!("`--input {given}` is no JSON, and no file: {error}")),
        }
    };
    Value::from_json(&text).map_err(|error| format!("the input from {from} is not JSON: {error}"))
}

fn run<W: Workflow>(options: Options, tasks: &dyn Invoke, builder: Builder<W>) -> Result<ExitCode, String> {
    missing_settings(W::DEFINITION, &options.settings)?;
    let input = read_input(options.input)?;
    let mut builder = builder.settings(options.settings);
    if let Some(name) = options.name {
        builder = builder.name(name);
    }
    if let Some(file) = &options.history {
        let file =
            std::fs::File::create(file).map_err(|error| format!("cannot write {}: {error}", file.to_string_lossy()))?;
        builder = builder.observer(workflow_runtime::observe::History::new(std::io::LineWriter::new(file)));
    }
    let (observer, screen) = progress::observer(options.progress).unzip();
    if let Some(observer) = observer {
        builder = builder.observer(observer);
    }
    let outcome = block_on(builder.run(tasks, input))?;
    drop(screen);
    finish_run(outcome)
}

/// Runs a future on a runtime of its own; `None` if the program is to end before it has.
pub fn block_on<T>(future: impl Future<Output = T>) -> Result<Option<T>, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("cannot start the runtime: {error}"))?;
    let value = runtime.block_on(async {
        match select(pin!(future), pin!(interrupted())).await {
            Either::Left((value, _)) => Some(value),
            Either::Right(_) => None,
        }
    });
    // A request that nobody waits for any more must not keep the program.
    runtime.shutdown_background();
    Ok(value)
}

/// Waits until the program is told to end. What tasks have started has to be ended then: no signal reaches it.
#[cfg(unix)]
async fn interrupted() {
    use tokio::signal::unix::{SignalKind, signal};
    let signals = [SignalKind::interrupt(), SignalKind::terminate()].map(signal);
    let mut signals: Vec<_> = signals.into_iter().flatten().collect();
    let mut told = |cx: &mut Context<'_>| signals.iter_mut().any(|signal| signal.poll_recv(cx).is_ready());
    std::future::poll_fn(|cx| if told(cx) { Poll::Ready(()) } else { Poll::Pending }).await;
}

#[cfg(not(unix))]
async fn interrupted() {
    let _told = tokio::signal::ctrl_c().await;
}

/// A definition's settings have to be given.
fn missing_settings(definition: &Definition, settings: &Object) -> Result<(), String> {
    let missing = definition.settings.iter().filter(|name| !settings.contains_key(name));
    let missing: Vec<String> = missing.map(|name| format!("`--set {name}=VALUE`")).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!("values are left open: give them with {}", missing.join(", ")))
}

fn finish_run(outcome: Option<Outcome>) -> Result<ExitCode, String> {
    match outcome {
        Some(Ok(output)) if std::io::stdout().is_terminal() => print(&output.to_string_pretty()),
        Some(Ok(output)) => print(&output.to_string()),
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

/// Writes to standard output. That nobody reads it is no error.
fn print(text: &str) -> Result<ExitCode, String> {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes());
    let written = written.and_then(|()| if text.ends_with('\n') { Ok(()) } else { out.write_all(b"\n") });
    match written.and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(format!("cannot write to standard output: {error}")),
        _ => Ok(ExitCode::SUCCESS),
    }
}

fn complain(message: &str) {
    // Where standard error is closed, the exit status has to do.
    let _unread = writeln!(std::io::stderr(), "{}", progress::clean(message, 4000));
}
