//! `cargo workflow`: checks, draws, runs and tests workflow definitions, and generates crates from
//! them.

mod arguments;
mod bindings;
mod commands;
mod config;
mod diff;
mod failure;
mod generate;
mod help;
mod options;
mod output;
mod source;
mod stores;
mod task_table;
mod tree;

use failure::Failure;
use std::process::ExitCode;
use workflow_compiler::escape::visible_lines;

/// The exit statuses of all commands.
mod status {
    /// A definition has errors, or an execution or a test failed.
    pub const FAILED: u8 = 1;
    /// The command could not be carried out.
    pub const REFUSED: u8 = 2;
}

fn main() -> ExitCode {
    let mut arguments: Vec<_> = std::env::args_os().skip(1).collect();
    // `cargo workflow …` runs `cargo-workflow workflow …`.
    if arguments.first().is_some_and(|first| first == "workflow") {
        arguments.remove(0);
    }
    match commands::dispatch(lexopt::Parser::from_args(arguments)) {
        Ok(status) => ExitCode::from(status),
        Err(Failure::NobodyReads | Failure::Help) => ExitCode::SUCCESS,
        Err(Failure::Reported(status)) => ExitCode::from(status),
        Err(Failure::Message { message, help }) => {
            // Messages can have names of files in them, which are untrusted.
            output::complain(&visible_lines(&format!("error: {message}")));
            if let Some(help) = help {
                output::complain(&visible_lines(&format!("  = help: {help}")));
            }
            ExitCode::from(status::REFUSED)
        }
    }
}
