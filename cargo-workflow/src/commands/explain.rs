//! `explain`: explains a diagnostic code, or lists all codes.

use crate::arguments::{Argument, Arguments};
use crate::failure::Failure;
use crate::options::code;
use crate::output;
use workflow_compiler::codes;

pub fn run(mut arguments: Arguments) -> Result<u8, Failure> {
    let mut wanted = Vec::new();
    while let Some(argument) = arguments.next()? {
        match argument {
            Argument::Value(value) => wanted.push(code(&value.to_string_lossy())?),
            Argument::Option(name) if name == "help" => return Err(Failure::Help),
            other => return Err(arguments.unexpected(&other)),
        }
    }
    if wanted.is_empty() {
        let lines = codes::published().map(|code| format!("{}  {}\n", code.id, code.title));
        output::print(&lines.collect::<String>())?;
    }
    for (at, code) in wanted.iter().enumerate() {
        let gap = if at > 0 { "\n" } else { "" };
        output::print(&format!("{gap}{}: {} (`{}`)\n\n{}", code.id, code.title, code.name, code.explanation))?;
    }
    Ok(0)
}
