//! `clean`: removes all generated programs.

use crate::arguments::{Argument, Arguments};
use crate::failure::Failure;
use crate::generate::empty_cache;
use crate::output;
use workflow_compiler::escape::visible;

pub fn run(mut arguments: Arguments) -> Result<u8, Failure> {
    if let Some(argument) = arguments.next()? {
        return Err(match argument {
            Argument::Option(name) if name == "help" => Failure::Help,
            other => arguments.unexpected(&other),
        });
    }
    match empty_cache()? {
        Some(folder) => output::complain(&format!("removed `{}`", visible(&folder.to_string_lossy()))),
        None => output::complain("no generated programs found"),
    }
    Ok(0)
}
