//! Reads and compiles definitions, and reports their diagnostics.

use crate::failure::Failure;
use crate::options::Common;
use crate::{output, status};
use std::io::Read;
use std::path::Path;
use workflow_compiler::Files;
use workflow_compiler::diagnostics::{Severity, render};
use workflow_compiler::files::read_named;
use workflow_compiler::source::MAX_FILE_BYTES;
use workflow_compiler::source::Source;
use workflow_compiler::{Options, Output};

/// Reads a definition; `-` is standard input. The definition can name files in its folder and
/// below, or in `root` and below.
pub fn read(path: &Path, root: Option<&Path>) -> Result<Source, Failure> {
    let mut bytes = Vec::new();
    if path.as_os_str() == "-" {
        let read = std::io::stdin().take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes);
        read.map_err(|error| Failure::new(format!("cannot read standard input: {error}")))?;
    } else {
        bytes = read_named(path).map_err(|error| Failure::file("read", path, &error))?;
    }
    let name = if path.as_os_str() == "-" { "stdin".to_owned() } else { path.display().to_string() };
    let source = Source::from_bytes(name, bytes).map_err(|error| Failure::with_help(error.message, error.help))?;
    // The folder of standard input is the current folder.
    let folder = path.parent().unwrap_or(Path::new(""));
    let files = match root {
        Some(root) => Files::below(root, folder).map_err(|error| Failure::new(error.to_string()))?,
        None => Files::in_folder(folder),
    };
    Ok(source.with_files(files))
}

/// Compiles a definition by `compile`, and reports its errors and warnings. Fails if there are
/// errors.
pub fn accept(
    path: &Path,
    common: &Common,
    compile: impl FnOnce(Source, &Options) -> Output,
) -> Result<(Output, Options), Failure> {
    let options = common.options(path)?;
    let output = compile(read(path, common.root(path)?.as_deref())?, &options);
    let colour = common.colour.on_stderr();
    for found in output.diagnostics.iter().filter(|found| found.severity() > Severity::Note) {
        output::complain(&format!("{}\n\n", render::render(found, &output.sources, colour)));
    }
    if output.diagnostics.iter().any(|found| found.severity() == Severity::Error) {
        return Err(Failure::Reported(status::FAILED));
    }
    Ok((output, options))
}
