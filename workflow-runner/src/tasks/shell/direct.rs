//! Shells on systems without a supervisor.

use std::io::{self, Seek, Write};
use std::process::{Command, Stdio};

use futures_util::future::join;

use super::{ProcessEnd, read, shell};

/// Runs a command to its end. `set_up` sets the folder and the environment of the process.
/// Dropping the future ends the shell.
pub async fn run(command: &str, input: &[u8], set_up: impl FnOnce(&mut Command)) -> io::Result<ProcessEnd> {
    let mut file = tempfile::tempfile()?;
    file.write_all(input)?;
    file.rewind()?;
    let mut process = shell(command);
    set_up(&mut process);
    process.stdin(file).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = tokio::process::Command::from(process).kill_on_drop(true).spawn()?;
    let (output, errors) = join(read(child.stdout.take()), read(child.stderr.take())).await;
    Ok(ProcessEnd { status: child.wait().await?, output, errors })
}
