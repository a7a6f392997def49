//! Tasks that are shell commands.
//!
//! A command reads its input as JSON from standard input and writes its result as JSON to standard output; nothing is
//! null. If it exits with another status than 0, that is an error `ExitStatus.<n>` whose cause is what it wrote to
//! standard error; if that is an object with `Error` and `Cause`, these are meant. The environment tells it of its
//! invocation: `WORKFLOW_TASK`, `WORKFLOW_STATE`, `WORKFLOW_EXECUTION`, `WORKFLOW_ATTEMPT`, `WORKFLOW_IDEMPOTENCY_KEY`,
//! `WORKFLOW_TASK_TOKEN`.

use std::process::{ExitStatus, Stdio};

use futures_util::future::join3;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use workflow_runtime::machine::Outcome;
use workflow_runtime::value::TEXT_LIMIT;
use workflow_runtime::{Fault, TaskContext, Value};

use super::{answer, told_fault};

/// The most that is read of a command's output.
const MOST_OUTPUT: u64 = 64 << 20;
/// The most of a command's standard error that becomes a cause: its end.
const MOST_CAUSE: usize = 16 << 10;

/// Runs a command to its end. If the future is dropped, the command is ended, with all that it has started.
pub async fn run(command: &str, folder: &str, input: Value, cx: TaskContext) -> Outcome {
    let text = input.to_json(TEXT_LIMIT);
    let text = text.map_err(|error| Fault::too_large(format_args!("The input of `{command}`"), error))?;
    let mut shell = Shell::start(told(&mut in_shell(command, folder), &cx))
        .map_err(|error| Fault::new("States.TaskFailed", format!("cannot run `{command}`: {error}")))?;
    let (stdin, stdout, stderr) = (shell.0.stdin.take(), shell.0.stdout.take(), shell.0.stderr.take());
    let give = async move {
        if let Some(mut stdin) = stdin {
            // A command need not read its input.
            let _closed_early = stdin.write_all(text.as_bytes()).await;
        }
    };
    let (_, output, errors) = join3(give, read(stdout), read(stderr)).await;
    let failed = |error: std::io::Error| Fault::new("States.TaskFailed", format!("`{command}`: {error}"));
    let status = shell.0.wait().await.map_err(failed)?;
    if !status.success() {
        return Err(fault(status, &errors.map_err(failed)?));
    }
    answer(&output.map_err(failed)?, &format!("`{command}`"))
}

fn in_shell(command: &str, folder: &str) -> Command {
    let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut process = Command::new(shell);
    process.args([flag, command]);
    if !folder.is_empty() {
        process.current_dir(folder);
    }
    process
}

/// Tells a process of its invocation.
fn told<'a>(process: &'a mut Command, cx: &TaskContext) -> &'a mut Command {
    process
        .env("WORKFLOW_TASK", cx.task().key)
        .env("WORKFLOW_STATE", cx.task().state)
        .env("WORKFLOW_EXECUTION", cx.execution_id())
        .env("WORKFLOW_CORRELATION", cx.correlation())
        .env("WORKFLOW_ATTEMPT", cx.attempt().to_string())
        .env("WORKFLOW_IDEMPOTENCY_KEY", cx.idempotency_key())
        .env("WORKFLOW_TASK_TOKEN", cx.token().unwrap_or_default())
}

/// A shell that runs. If nobody waits for it to the end, it is ended; on Unix with all that it has started, unless that
/// has left for a process group of its own.
struct Shell(Child);

impl Shell {
    fn start(process: &mut Command) -> std::io::Result<Shell> {
        #[cfg(unix)]
        process.process_group(0);
        let process = process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        process.kill_on_drop(true).spawn().map(Shell)
    }
}

#[cfg(unix)]
impl Drop for Shell {
    fn drop(&mut self) {
        use rustix::process::{Pid, Signal, kill_process_group};
        // Once it was waited for, its number may be somebody else's; then it has none here.
        let group = self.0.id().and_then(|id| Pid::from_raw(id.try_into().ok()?));
        if let Some(group) = group {
            let _all_gone = kill_process_group(group, Signal::KILL);
        }
    }
}

async fn read(from: Option<impl AsyncRead + Unpin>) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    if let Some(from) = from {
        from.take(MOST_OUTPUT + 1).read_to_end(&mut bytes).await?;
    }
    if bytes.len() as u64 > MOST_OUTPUT {
        return Err(std::io::Error::other(format!("it wrote more than {} MiB", MOST_OUTPUT >> 20)));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn fault(status: ExitStatus, errors: &str) -> Fault {
    if let Some(fault) = told_fault(errors) {
        return fault;
    }
    let mut start = errors.len().saturating_sub(MOST_CAUSE);
    while !errors.is_char_boundary(start) {
        start += 1;
    }
    let told = errors[start..].trim();
    let (error, cause) = match status.code() {
        Some(code) => (format!("ExitStatus.{code}"), told.to_owned()),
        None => ("ExitStatus.signal".to_owned(), format!("{status}\n{told}").trim_end().to_owned()),
    };
    Fault::from_parts(Some(error.into()), (!cause.is_empty()).then(|| cause.into()))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};
    use tokio::io::{AsyncBufReadExt, BufReader};

    /// Whether a process is there and is no zombie.
    fn runs(id: &str) -> bool {
        let state = std::process::Command::new("ps").args(["-o", "stat=", "-p", id]).output().expect("ps");
        let state = String::from_utf8_lossy(&state.stdout).trim().to_owned();
        !state.is_empty() && !state.starts_with('Z')
    }

    #[test]
    fn what_a_shell_has_started_ends_with_it() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let mut shell = Shell::start(&mut in_shell("sleep 1000 & echo $!; wait", "")).expect("a shell");
            let mut lines = BufReader::new(shell.0.stdout.take().expect("its output")).lines();
            let id = lines.next_line().await.expect("a line").expect("the number of a process");
            assert!(runs(&id));
            drop(shell);
            let started = Instant::now();
            while runs(&id) {
                assert!(started.elapsed() < Duration::from_secs(10), "the process {id} goes on");
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        });
    }
}
