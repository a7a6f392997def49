//! The supervisor of one command: a second process of this program, between the engine and the
//! shell.
//!
//! The supervisor's standard input is a socket whose other end only the engine has. The engine
//! sends the command's input. When the input is complete, the supervisor starts the shell as a
//! process group, and waits. When the engine has read the command's output, it sends [`READ`], and
//! the supervisor answers with the exit status. If the socket is closed before that, the engine
//! has died or has abandoned the task, and the supervisor kills the group. At no moment does a
//! command run without a supervisor that would notice.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ExitCode};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use rustix::stdio::{dup2_stderr, dup2_stdout};

use super::shell;

/// The first argument of a supervisor.
pub const SUPERVISE: &str = "__supervise-task";
/// The message to the supervisor that the engine has read the output of the command to its end.
pub const READ: u8 = b'r';
/// The first byte of an answer with the status of the command, in the encoding of `wait`.
pub const STATUS: u8 = b's';
/// The first byte of an answer with the reason why the command was not run.
pub const FAILED: u8 = b'f';

/// Supervises a command if this process was started as a supervisor. Returns `None` otherwise.
pub fn supervise() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next()? != SUPERVISE {
        return None;
    }
    let supervised = ignore_signals().and_then(|()| {
        arguments.next().ok_or_else(|| io::Error::other("no command")).and_then(|command| {
            let line = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
            run(line, command)
        })
    });
    Some(if supervised.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Catches the signals that end the engine, which may reach every process of a terminal or of a
/// service: the supervisor ends when the engine has ended. The signals are caught and not ignored,
/// because a shell would inherit that they are ignored.
fn ignore_signals() -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let _entered = runtime.enter();
    for kind in [SignalKind::hangup(), SignalKind::interrupt(), SignalKind::terminate()] {
        // The handlers stay registered when the runtime is dropped.
        drop(signal(kind)?);
    }
    Ok(())
}

fn run(mut line: UnixStream, command: OsString) -> io::Result<()> {
    let mut child = match start(&mut line, command) {
        Ok(child) => child,
        Err(error) => return line.write_all(&[&[FAILED], error.to_string().as_bytes()].concat()),
    };
    let mut said = [0];
    if line.read_exact(&mut said).is_err() || said != [READ] {
        return kill(&mut child);
    }
    // The command may still run when its output has ended. Meanwhile the engine can die or abandon
    // the task.
    let group = group(&child);
    let mut end = line.try_clone()?;
    let over = Arc::new(Mutex::new(false));
    let is_over = over.clone();
    std::thread::spawn(move || {
        let _until_it_ends = end.read(&mut said);
        // After the wait for the command, its process id may belong to another process.
        let over = is_over.lock().unwrap_or_else(PoisonError::into_inner);
        let _ended = group.filter(|_| !*over).map(|group| kill_process_group(group, Signal::KILL));
    });
    if let Some(group) = group {
        let _ended = waitid(WaitId::Pid(group), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
    }
    *over.lock().unwrap_or_else(PoisonError::into_inner) = true;
    let status = child.wait()?.into_raw();
    line.write_all(&[&[STATUS], &status.to_le_bytes()[..]].concat())
}

/// Starts the command when its whole input has arrived. An incomplete input is an error.
fn start(line: &mut UnixStream, command: OsString) -> io::Result<Child> {
    let mut length = [0; 8];
    line.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    let mut input = anonymous_file()?;
    if io::copy(&mut line.take(length), &mut input)? < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    input.rewind()?;
    let nowhere = File::options().write(true).open("/dev/null")?;
    let mut child = shell(&command).stdin(input).process_group(0).spawn()?;
    // The output has to end with the command, and not with the supervisor.
    match dup2_stdout(&nowhere).and_then(|()| dup2_stderr(&nowhere)) {
        Ok(()) => Ok(child),
        Err(error) => kill(&mut child).and(Err(error.into())),
    }
}

/// Creates a file without a name, in memory if the system supports that: the root file system may
/// be read-only.
fn anonymous_file() -> io::Result<File> {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    return Ok(rustix::fs::memfd_create("workflow-task-input", rustix::fs::MemfdFlags::CLOEXEC)?.into());
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    tempfile::tempfile()
}

/// Kills the command with all processes of its group. Before the wait for the command, its process
/// id cannot belong to another process.
fn kill(child: &mut Child) -> io::Result<()> {
    group(child).map_or(Ok(()), |group| kill_process_group(group, Signal::KILL))?;
    child.wait().map(drop)
}

fn group(child: &Child) -> Option<Pid> {
    Pid::from_raw(child.id().try_into().ok()?)
}
