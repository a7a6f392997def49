//! `graph`: draws a definition.

use crate::arguments::{Argument, Arguments};
use crate::failure::Failure;
use crate::options::Common;
use crate::{output, source, status};
use std::path::{Path, PathBuf};
use workflow_compiler::check_only;
use workflow_compiler::graph::mermaid;
use workflow_tools::pictures::{Legend, dot, svg};

#[derive(Clone, Copy)]
enum Format {
    Mermaid,
    Dot,
    Svg,
}

pub fn run(mut arguments: Arguments) -> Result<u8, Failure> {
    let mut common = Common::default();
    let (mut format, mut out) = (None, None);
    let mut legend = Legend::Shown;
    let formats = [("mermaid", Format::Mermaid), ("dot", Format::Dot), ("svg", Format::Svg)];
    while let Some(argument) = arguments.next()? {
        match &argument {
            Argument::Option(name) if name == "format" => format = Some(arguments.one_of("format", &formats)?),
            Argument::Option(name) if name == "out" => out = Some(PathBuf::from(arguments.value()?)),
            Argument::Option(name) if name == "no-legend" => legend = Legend::Hidden,
            _ => common.take(argument, &mut arguments)?,
        }
    }
    let format = match (format, &out) {
        (Some(format), _) => format,
        (None, Some(out)) => format_of(out)?,
        (None, None) => Format::Mermaid,
    };
    let (checked, _) = source::accept(common.file("graph")?, &common, check_only)?;
    let Some(workflow) = checked.workflow else { return Err(Failure::Reported(status::FAILED)) };
    let drawn = match format {
        Format::Mermaid => mermaid(&workflow),
        Format::Dot => dot(&workflow),
        Format::Svg => svg(&workflow, legend)
            .map_err(|error| Failure::with_help(error.to_string(), "use `--format dot`, which has no limit"))?,
    };
    output::write(out.as_deref(), &drawn)?;
    Ok(0)
}

/// Returns the format that the extension of an output file stands for.
fn format_of(out: &Path) -> Result<Format, Failure> {
    let extension = out.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    match extension.as_str() {
        "mmd" | "mermaid" => Ok(Format::Mermaid),
        "dot" | "gv" => Ok(Format::Dot),
        "svg" => Ok(Format::Svg),
        _ => Err(Failure::with_help(
            format!("cannot determine the format from the file name `{}`", out.display()),
            "use the extension `.svg`, `.mmd`, `.mermaid`, `.dot` or `.gv`, or add `--format`",
        )),
    }
}
