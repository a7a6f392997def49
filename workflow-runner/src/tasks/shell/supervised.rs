//! The engine's end of the connection to a [supervisor](super::supervisor).

use std::ffi::OsStr;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream as Line;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};

use futures_util::future::join;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;

use super::supervisor::{FAILED, READ, STATUS, SUPERVISE};
use super::{ProcessEnd, read};

/// The lock that is held while a process is started. Some systems create a descriptor first, and
/// mark it close-on-exec in a second step. A process that starts in between would keep the
/// connection open, and the task alive, after this program has died.
static STARTING: Mutex<()> = Mutex::new(());

/// Runs a command to its end. `set_up` sets the folder and the environment of the process. If the
/// future is dropped or this process dies, the command is ended with all processes that it has
/// started, except those that have left for a process group of their own.
pub async fn run(command: &str, input: &[u8], set_up: impl FnOnce(&mut Command)) -> io::Result<ProcessEnd> {
    let mut process = Command::new(this_program()?);
    set_up(&mut process);
    process.arg0("workflow-task").args([OsStr::new(SUPERVISE), OsStr::new(command)]).process_group(0);
    let (mut child, line) = start(process)?;
    line.set_nonblocking(true)?;
    let mut line = UnixStream::from_std(line)?;
    let give = async {
        line.write_all(&(input.len() as u64).to_le_bytes()).await?;
        line.write_all(input).await
    };
    // A supervisor that has died has not answered. The answer is checked below.
    let _died = give.await;
    let (output, errors) = join(read(child.stdout.take()), read(child.stderr.take())).await;
    let _died = line.write_all(&[READ]).await;
    let mut answer = Vec::new();
    let _died = line.read_to_end(&mut answer).await;
    let ended = child.wait().await?;
    match answer[..] {
        [STATUS, a, b, c, d] => {
            Ok(ProcessEnd { status: ExitStatus::from_raw(i32::from_le_bytes([a, b, c, d])), output, errors })
        }
        [FAILED, ref problem @ ..] => Err(io::Error::other(String::from_utf8_lossy(problem).into_owned())),
        _ => Err(io::Error::other(format!("the supervisor process ended unexpectedly: {ended}"))),
    }
}

fn start(mut process: Command) -> io::Result<(tokio::process::Child, Line)> {
    let _alone = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
    let (line, other) = Line::pair()?;
    process.stdin(OwnedFd::from(other)).stdout(Stdio::piped()).stderr(Stdio::piped());
    // The supervisor is not killed. It kills the command when this end of the connection is
    // closed.
    let child = tokio::process::Command::from(process).spawn()?;
    Ok((child, line))
}

/// Returns the path of this program. On Linux the path also works if the file was replaced
/// meanwhile.
fn this_program() -> io::Result<PathBuf> {
    match cfg!(any(target_os = "linux", target_os = "android")) {
        true => Ok(PathBuf::from("/proc/self/exe")),
        false => std::path::absolute(std::env::current_exe()?),
    }
}
