//! The commands.

mod answer;
mod check;
mod clean;
mod diff;
mod dump;
mod emit;
mod executions;
mod explain;
mod fix;
mod graph;
mod new;
mod run;
mod test;
mod types;

pub use emit::formatted;

use crate::arguments::{Arguments, quoted};
use crate::failure::Failure;
use crate::{help, output};
use workflow_compiler::diagnostics::suggest;

type Run = fn(Arguments) -> Result<u8, Failure>;

/// The commands: name, help text, function.
const COMMANDS: [(&str, &str, Run); 16] = [
    ("check", help::CHECK, check::run),
    ("fix", help::FIX, fix::run),
    ("diff", help::DIFF, diff::run),
    ("explain", help::EXPLAIN, explain::run),
    ("dump", help::DUMP, dump::run),
    ("types", help::TYPES, types::run),
    ("emit", help::EMIT, emit::run),
    ("graph", help::GRAPH, graph::run),
    ("new", help::NEW, new::run),
    ("run", help::RUN, run::run),
    ("succeed", help::ANSWER, answer::succeed),
    ("fail", help::ANSWER, answer::fail),
    ("heartbeat", help::ANSWER, answer::heartbeat),
    ("test", help::TEST, test::run),
    ("executions", help::EXECUTIONS, executions::run),
    ("clean", help::CLEAN, clean::run),
];

/// Runs the command that the arguments name, and returns its exit status.
pub fn dispatch(mut parser: lexopt::Parser) -> Result<u8, Failure> {
    let name = match parser.next()? {
        None | Some(lexopt::Arg::Short('h') | lexopt::Arg::Long("help")) => return print(help::ALL),
        Some(lexopt::Arg::Short('V') | lexopt::Arg::Long("version")) => {
            return print(concat!("cargo-workflow ", env!("CARGO_PKG_VERSION")));
        }
        Some(lexopt::Arg::Value(name)) => name.to_string_lossy().into_owned(),
        Some(other) => return Err(other.unexpected().into()),
    };
    if name == "help" {
        return help_about(parser);
    }
    let Some((_, help, run)) = find(&name) else { return Err(unknown(&name)) };
    match run(Arguments::new(parser, help)) {
        Err(Failure::Help) => print(help),
        result => result,
    }
}

fn find(name: &str) -> Option<&'static (&'static str, &'static str, Run)> {
    COMMANDS.iter().find(|(known, ..)| *known == name)
}

fn unknown(name: &str) -> Failure {
    let names = COMMANDS.map(|(name, ..)| name);
    let help = suggest::did_you_mean(name, names);
    let help = help.unwrap_or_else(|| format!("the commands are {} and `help`", quoted(&names)));
    Failure::with_help(format!("unknown command `{name}`"), help)
}

fn help_about(mut parser: lexopt::Parser) -> Result<u8, Failure> {
    let topic = match parser.next()? {
        Some(lexopt::Arg::Value(topic)) => topic.to_string_lossy().into_owned(),
        _ => return print(help::ALL),
    };
    match topic.as_str() {
        "options" => print(help::OPTIONS),
        "toml" => print(help::TOML),
        "cases" => print(help::CASES),
        command => print(find(command).ok_or_else(|| unknown(command))?.1),
    }
}

fn print(text: &str) -> Result<u8, Failure> {
    output::print(text)?;
    Ok(0)
}
