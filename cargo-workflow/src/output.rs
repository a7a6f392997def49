//! Output to standard output, standard error and files.

use crate::failure::Failure;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;

/// Writes a text to standard output, with a line break at the end.
pub fn print(text: &str) -> Result<(), Failure> {
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    print_as_it_is(&format!("{text}{end}"))
}

/// Writes a text to standard output unchanged.
pub fn print_as_it_is(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Failure::NobodyReads),
        Err(error) => Err(Failure::new(format!("cannot write to standard output: {error}"))),
        Ok(()) => Ok(()),
    }
}

/// Writes a text to standard error, with a line break at the end.
pub fn complain(text: &str) {
    // If standard error is closed, the exit status alone reports the failure.
    let _unread = writeln!(io::stderr(), "{}", text.trim_end_matches('\n'));
}

/// Writes a text to a file, or to standard output if no file is given. A file that already has
/// this text is not written.
pub fn write(file: Option<&Path>, text: &str) -> Result<(), Failure> {
    let Some(file) = file else { return print(text) };
    if std::fs::read(file).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(());
    }
    std::fs::write(file, text).map_err(|error| Failure::file("write", file, &error))
}

/// The mode of coloured output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Colour {
    /// Colours on a terminal, unless `NO_COLOR` is set in the environment.
    #[default]
    Auto,
    Always,
    Never,
}

impl Colour {
    /// Returns `true` if text on standard error is to be coloured.
    pub fn on_stderr(self) -> bool {
        match self {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => {
                io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
        }
    }
}
