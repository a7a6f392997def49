//! Shells that run the commands of tasks.
//!
//! A command has its whole input in a file, as standard input, before it starts: a program that
//! dies does not leave a command behind that acts on half of its input. On Unix a command dies
//! with the program, by its [`supervisor`].

#[cfg(not(unix))]
mod direct;
#[cfg(unix)]
mod supervised;
#[cfg(unix)]
pub mod supervisor;

use std::ffi::OsStr;
use std::io;
use std::process::{Command, ExitStatus};

#[cfg(not(unix))]
pub use direct::run;
#[cfg(unix)]
pub use supervised::run;
use tokio::io::{AsyncRead, AsyncReadExt};

/// The most bytes that are read of a command's output.
const MOST_OUTPUT: u64 = 64 << 20;

/// A command that has ended.
pub struct ProcessEnd {
    pub status: ExitStatus,
    /// Standard output, or the error of reading it.
    pub output: io::Result<String>,
    /// Standard error, or the error of reading it.
    pub errors: io::Result<String>,
}

/// Returns the shell that runs a command.
pub fn shell(command: impl AsRef<OsStr>) -> Command {
    let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut process = Command::new(shell);
    process.arg(flag).arg(command);
    process
}

async fn read(from: Option<impl AsyncRead + Unpin>) -> io::Result<String> {
    let mut bytes = Vec::new();
    if let Some(from) = from {
        from.take(MOST_OUTPUT + 1).read_to_end(&mut bytes).await?;
    }
    if bytes.len() as u64 > MOST_OUTPUT {
        return Err(io::Error::other(format!("the output is larger than {} MiB", MOST_OUTPUT >> 20)));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
