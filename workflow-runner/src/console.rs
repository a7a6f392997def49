//! Output of a program: results on standard output, reports on standard error.

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use crate::progress;

/// Writes to standard output. A closed standard output is not an error.
pub(crate) fn print(text: &str) -> Result<ExitCode, String> {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes());
    let written =
        written.and_then(|()| if text.is_empty() || text.ends_with('\n') { Ok(()) } else { out.write_all(b"\n") });
    printed(written.and_then(|()| out.flush()))
}

pub(crate) fn printed(written: std::io::Result<()>) -> Result<ExitCode, String> {
    match written {
        Err(error) if error.kind() == ErrorKind::FileTooLarge => Err(format!("cannot print the output: {error}")),
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(format!("cannot write to standard output: {error}")),
        _ => Ok(ExitCode::SUCCESS),
    }
}

/// Writes a line to standard error.
pub(crate) fn complain(message: &str) {
    // If standard error is closed, the exit status alone reports the failure.
    let _unread = writeln!(std::io::stderr(), "{}", progress::clean(message, 4000));
}
