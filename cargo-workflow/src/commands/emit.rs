//! `emit`: prints the generated Rust.

use crate::arguments::{Argument, Arguments};
use crate::failure::Failure;
use crate::options::Common;
use crate::{output, source};
use std::path::PathBuf;
use workflow_compiler::{Output, compile, pretty_file, rustfmt};

pub fn run(mut arguments: Arguments) -> Result<u8, Failure> {
    let mut common = Common::default();
    let mut out = None;
    while let Some(argument) = arguments.next()? {
        match &argument {
            Argument::Option(name) if name == "out" => out = Some(PathBuf::from(arguments.value()?)),
            _ => common.take(argument, &mut arguments)?,
        }
    }
    let (compiled, _) = source::accept(common.file("emit")?, &common, compile)?;
    output::write(out.as_deref(), &formatted(&compiled)?)?;
    Ok(0)
}

/// Returns the generated module as formatted Rust, for a file that is a module itself.
pub fn formatted(compiled: &Output) -> Result<String, Failure> {
    pretty_file(compiled)
        .map(rustfmt)
        .ok_or_else(|| Failure::new("the definition was refused without a diagnostic; this is a bug in the compiler"))
}
