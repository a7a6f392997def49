//! `graph`: draws a definition.

use crate::arguments::{Argument, Arguments};
use crate::failure::Failure;
use crate::options::Common;
use crate::{output, source, status};
use std::path::PathBuf;
use workflow_compiler::check_only;
use workflow_compiler::emit::graph::{dot, mermaid, svg};

#[derive(Clone, Copy)]
enum Format {
    Mermaid,
    Dot,
    Svg,
}

pub fn run(mut arguments: Arguments) -> Result<u8, Failure> {
    let mut common = Common::default();
    let (mut format, mut out) = (None, None);
    let formats = [("mermaid", Format::Mermaid), ("dot", Format::Dot), ("svg", Format::Svg)];
    while let Some(argument) = arguments.next()? {
        match &argument {
            Argument::Option(name) if name == "format" => format = Some(arguments.one_of("format", &formats)?),
            Argument::Option(name) if name == "out" => out = Some(PathBuf::from(arguments.value()?)),
            _ => common.take(argument, &mut arguments)?,
        }
    }
    // A file's name tells what it is to hold.
    let by_name = |out: &PathBuf| match out.extension()?.to_str()? {
        "svg" => Some(Format::Svg),
        "dot" | "gv" => Some(Format::Dot),
        _ => None,
    };
    let format = format.or_else(|| out.as_ref().and_then(by_name)).unwrap_or(Format::Mermaid);
    let (checked, _) = source::accept(common.file("graph")?, &common, check_only)?;
    let Some(workflow) = checked.workflow else { return Err(Failure::Told(status::FAILED)) };
    let drawn = match format {
        Format::Mermaid => mermaid(&workflow),
        Format::Dot => dot(&workflow),
        Format::Svg => {
            svg(&workflow).map_err(|error| Failure::with_help(error.to_string(), "`--format dot` has no limit"))?
        }
    };
    output::write(out.as_deref(), &drawn)?;
    Ok(0)
}
