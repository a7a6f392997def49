//! Tasks that are shell commands.
//!
//! A command reads its input as JSON from standard input, which is a file with the whole input. It
//! writes its result as JSON to standard output. No output means null. An exit status other than 0
//! is an error `ExitStatus.<n>`. The cause of the error is the text on standard error. If that
//! text is an object with `Error` and `Cause`, these are the error and the cause. The environment
//! describes the invocation: `WORKFLOW_TASK`, `WORKFLOW_STATE`, `WORKFLOW_EXECUTION`,
//! `WORKFLOW_CORRELATION`, `WORKFLOW_ATTEMPT`, `WORKFLOW_IDEMPOTENCY_KEY`, `WORKFLOW_TASK_TOKEN`,
//! `WORKFLOW_CALLBACK_URL`.

use std::process::{Command, ExitStatus};

use workflow_runtime::machine::Outcome;
use workflow_runtime::value::TEXT_LIMIT;
use workflow_runtime::{Fault, TaskContext, Value};

use super::{answer, read_fault, shell};

/// The most bytes of a command's standard error that become a cause: its end.
const MOST_CAUSE: usize = 16 << 10;

/// Runs a command to its end. Dropping the future ends the command, with all processes that it has
/// started. `callback` is the address for the answers of a task that waits for its token.
pub async fn run(command: &str, folder: &str, callback: Option<String>, input: Value, cx: TaskContext) -> Outcome {
    let text = input.to_json(TEXT_LIMIT);
    let text = text.map_err(|error| Fault::too_large(format_args!("The input of `{command}`"), error))?;
    let set_up = |process: &mut Command| {
        if !folder.is_empty() {
            process.current_dir(folder);
        }
        describe_invocation(process, &cx);
        process.env("WORKFLOW_CALLBACK_URL", callback.as_deref().unwrap_or_default());
    };
    let ended = shell::run(command, text.as_bytes(), set_up).await;
    let ended = ended.map_err(|error| Fault::new("States.TaskFailed", format!("cannot run `{command}`: {error}")))?;
    let failed = |error: std::io::Error| Fault::new("States.TaskFailed", format!("`{command}`: {error}"));
    if !ended.status.success() {
        return Err(fault(ended.status, &ended.errors.map_err(failed)?));
    }
    answer(&ended.output.map_err(failed)?, &format!("`{command}`"))
}

/// Describes the invocation in the environment of a process.
fn describe_invocation(process: &mut Command, cx: &TaskContext) {
    process
        .env("WORKFLOW_TASK", cx.task().key)
        .env("WORKFLOW_STATE", cx.task().state)
        .env("WORKFLOW_EXECUTION", cx.execution_id())
        .env("WORKFLOW_CORRELATION", cx.correlation())
        .env("WORKFLOW_ATTEMPT", cx.attempt().to_string())
        .env("WORKFLOW_IDEMPOTENCY_KEY", cx.idempotency_key())
        .env("WORKFLOW_TASK_TOKEN", cx.token().unwrap_or_default());
}

fn fault(status: ExitStatus, errors: &str) -> Fault {
    if let Some(fault) = read_fault(errors) {
        return fault;
    }
    let mut start = errors.len().saturating_sub(MOST_CAUSE);
    while !errors.is_char_boundary(start) {
        start += 1;
    }
    let message = errors[start..].trim();
    let (error, cause) = match status.code() {
        Some(code) => (format!("ExitStatus.{code}"), message.to_owned()),
        None => ("ExitStatus.signal".to_owned(), format!("{status}\n{message}").trim_end().to_owned()),
    };
    Fault::from_parts(Some(error.into()), (!cause.is_empty()).then(|| cause.into()))
}
