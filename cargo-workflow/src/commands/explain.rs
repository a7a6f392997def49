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
            Argument::Value(value) => {
                let text = value.to_string_lossy().into_owned();
                wanted.push((code(&text)?, text));
            }
            Argument::Option(name) if name == "help" => return Err(Failure::Help),
            other => return Err(arguments.unexpected(&other)),
        }
    }
    if wanted.is_empty() {
        let lines = codes::published().map(|code| format!("{}  {}\n", code.id, code.title));
        output::print(&lines.collect::<String>())?;
    }
    for (at, (code, text)) in wanted.iter().enumerate() {
        let gap = if at > 0 { "\n" } else { "" };
        let is_former = !text.eq_ignore_ascii_case(code.id) && !text.eq_ignore_ascii_case(code.name);
        let renamed = if is_former { format!("`{text}` is now {}.\n\n", code.id) } else { String::new() };
        output::print(&format!("{gap}{renamed}{}: {} (`{}`)\n\n{}", code.id, code.title, code.name, code.explanation))?;
    }
    Ok(0)
}
