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
use workflow_runtime::{Fault, TaskContext, Value};

use super::{answer, told_fault};

/// The most that is read of a command's output.
const MOST_OUTPUT: u64 = 64 << 20;
/// The most of a command's standard error that becomes a cause: its end.
const MOST_CAUSE: usize = 16 << 10;

/// Runs a command to its end. If the future is dropped, the command is ended.
pub async fn run(command: &str, folder: &str, input: Value, cx: TaskContext) -> Outcome {
    let mut child = start(command, folder, &cx)
        .map_err(|error| Fault::new("States.TaskFailed", format!("cannot run `{command}`: {error}")))?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let give = async move {
        if let Some(mut stdin) = stdin {
            // A command need not read its input.
            let _closed_early = stdin.write_all(input.to_string().as_bytes()).await;
        }
    };
    let (_, output, errors) = join3(give, read(stdout), read(stderr)).await;
    let failed = |error: std::io::Error| Fault::new("States.TaskFailed", format!("`{command}`: {error}"));
    let status = child.wait().await.map_err(failed)?;
    if !status.success() {
        return Err(fault(status, &errors.map_err(failed)?));
    }
    answer(&output.map_err(failed)?, &format!("`{command}`"))
}

fn start(command: &str, folder: &str, cx: &TaskContext) -> std::io::Result<Child> {
    let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut process = Command::new(shell);
    process.args([flag, command]);
    if !folder.is_empty() {
        process.current_dir(folder);
    }
    process
        .env("WORKFLOW_TASK", cx.task().key)
        .env("WORKFLOW_STATE", cx.task().state)
        .env("WORKFLOW_EXECUTION", cx.execution_id())
        .env("WORKFLOW_ATTEMPT", cx.attempt().to_string())
        .env("WORKFLOW_IDEMPOTENCY_KEY", cx.idempotency_key())
        .env("WORKFLOW_TASK_TOKEN", cx.token().unwrap_or_default())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
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
