//! The client's view of executions on a Restate server: they are started, awaited, shown and
//! changed.

use std::process::ExitCode;
use std::time::Duration;

use workflow_restate::{ClientError, Executions};
use workflow_runtime::machine::{AwaitedEvent, Definition, Outcome, TriggerMatch};
use workflow_runtime::{CloudEvent, Fault, Object, Value};

use super::{ADMIN, client};
use crate::command_line::{INTERRUPTED, RunOptions, block_on, correlation, finish_run, read_input};
use crate::console::{complain, print};
use crate::executions::{Format, awaited, outcome_json, pretty};
use crate::progress::{Mode, clean};

/// The pause before the ingress is tried again.
const PAUSE: Duration = Duration::from_millis(500);

/// The time that the serving program has to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// An operation on an execution.
pub enum ExecutionCommand {
    Show { id: String, format: Format },
    Cancel { id: String },
    Succeed { id: String, token: String, output: Value },
    Fail { id: String, token: String, fault: Fault },
    Heartbeat { id: String, token: String },
    Send { id: String, event: CloudEvent },
}

/// Checks that a command exists for executions on Restate. The error names the alternative.
pub fn must_be_there(command: &str) -> Result<(), String> {
    let instead = match command {
        "list" => {
            "use the UI of the Restate server, the admin address with `/ui` (http://127.0.0.1:9070/ui), or \
             `restate invocations list`; `show ID` shows one execution"
        }
        "history" => {
            "use the UI of the Restate server, the admin address with `/ui` (http://127.0.0.1:9070/ui), or `restate \
             invocations describe`; `show ID` shows the state of an execution"
        }
        "redrive" => "a failed execution on Restate cannot be continued: start a new one with another id",
        "purge" => {
            "the Restate server removes executions after its retention time, by default one day; use `restate invocations \
             purge` to remove one now"
        }
        _ => return Ok(()),
    };
    Err(format!("`{command}` does not support `--engine restate`: {instead}"))
}

/// Starts an execution or attaches to an existing one, and waits for its outcome.
pub fn run(options: RunOptions, definition: &Definition, ingress: String, service: &str) -> Result<ExitCode, String> {
    let refused = if options.key.is_some() {
        "`--key` cannot be used with `--engine restate`: use `--id`"
    } else if !options.settings.is_empty() {
        "`--set` cannot be used with `--engine restate`: pass it to `serve`"
    } else if options.sink.is_some() {
        "`--sink` cannot be used with `--engine restate`: pass it to `serve`"
    } else if options.deployed_at.is_some() {
        "`--deployed-at` cannot be used with `--engine restate`: pass it to `serve`"
    } else if options.callback_port.is_some() {
        "`--callback-port` cannot be used with `--engine restate`: use `succeed ID TOKEN --engine restate`"
    } else if options.token.is_some() {
        "`--token-env` and `--token-file` cannot be used with `--engine restate`: use `--identity-key` of `serve` to \
         authenticate the server"
    } else if options.history.is_some() {
        "`--history` cannot be used with `--engine restate`: the UI of the Restate server shows the history"
    } else {
        ""
    };
    if !refused.is_empty() {
        return Err(refused.to_owned());
    }
    let id = options
        .id
        .ok_or("`run --engine restate` needs `--id ID`: runs with the same id attach to the same execution")?;
    let correlation = options.correlate.map(|pair| correlation(definition, &pair)).transpose()?;
    let with_input = options.input.is_some();
    let input = read_input(options.input)?;
    let quiet = options.progress == Mode::None;
    if matches!(options.progress, Mode::Live | Mode::Lines) {
        complain(&format!(
            "note: `--progress` has no effect with `--engine restate`: `show {id} --engine restate` shows what the \
             execution waits for"
        ));
    }
    let executions = client(&ingress, ADMIN).service(service);
    let ended = block_on(async {
        let started = executions
            .start_correlated(&id, input, correlation.as_deref())
            .await
            .map_err(|error| text(error, &ingress, service))?;
        if started.existed && !quiet {
            let input = if with_input { ", and keeps its input" } else { "" };
            complain(&format!("the execution `{id}` already exists{input}: waiting for its outcome"));
        }
        attach(&executions, &id).await.map_err(|error| text(error, &ingress, service))
    })?;
    match ended {
        Some(outcome) => finish_run(Some(outcome?)),
        None => {
            complain(&format!(
                "interrupted: a started execution continues on Restate. Use `run --engine restate --id {id}` to wait for it \
                 again, `show {id} --engine restate` to see its state, and `cancel {id} --engine restate` to end it"
            ));
            Ok(ExitCode::from(INTERRUPTED))
        }
    }
}

/// Waits for the outcome. Retries while the server is unreachable.
async fn attach(executions: &Executions, id: &str) -> Result<Outcome, ClientError> {
    let mut reported = false;
    loop {
        match executions.attach(id).await {
            Err(error @ ClientError::Unreachable { .. }) => {
                if !reported {
                    complain(&format!("{error}: retrying; the execution continues when Restate is available"));
                }
                reported = true;
                tokio::time::sleep(PAUSE).await;
            }
            other => return other,
        }
    }
}

/// Carries out an operation on an existing execution.
pub fn execute(ingress: String, command: ExecutionCommand, service: &str) -> Result<ExitCode, String> {
    let executions = client(&ingress, ADMIN).service(service);
    let done = block_on(async { apply(&executions, command, &ingress, service).await })?;
    match done {
        Some(done) => print(&done?),
        None => Ok(ExitCode::from(INTERRUPTED)),
    }
}

/// Publishes an event. With `start`, the event can also start executions.
pub fn publish(ingress: &str, event: &CloudEvent, start: bool, service: &str) -> Result<ExitCode, String> {
    let executions = client(ingress, ADMIN).service(service);
    let published = block_on(async {
        let publish = async {
            match start {
                true => executions.publish_and_start(event).await.map(|reached| (reached.executions, reached.started)),
                false => executions.publish(event).await.map(|reached| (reached, 0)),
            }
        };
        tokio::time::timeout(PATIENCE, publish).await
    })?;
    let Some(published) = published else { return Ok(ExitCode::from(INTERRUPTED)) };
    let (reached, started) =
        published.map_err(|_| NOT_KNOWN.to_owned())?.map_err(|error| text(error, ingress, service))?;
    let noted = format!("event accepted for {reached} execution{}", if reached == 1 { "" } else { "s" });
    print(&match started {
        0 => noted,
        _ => format!("started the execution `{}`; {noted}", TriggerMatch::execution_name(event)),
    })
}

async fn apply(
    executions: &Executions,
    command: ExecutionCommand,
    ingress: &str,
    service: &str,
) -> Result<String, String> {
    let text = |error| text(error, ingress, service);
    let (ExecutionCommand::Show { id, .. }
    | ExecutionCommand::Cancel { id }
    | ExecutionCommand::Succeed { id, .. }
    | ExecutionCommand::Fail { id, .. }
    | ExecutionCommand::Heartbeat { id, .. }
    | ExecutionCommand::Send { id, .. }) = &command;
    // Restate would also accept messages to an execution that does not exist, and deliver them to
    // a later execution of that name.
    let description = tokio::time::timeout(PATIENCE, executions.status(id)).await.map_err(|_| NOBODY.to_owned())?;
    let description = description.map_err(text)?;
    let status = description.get("status").and_then(Value::as_str).unwrap_or_default();
    if status == "unknown" {
        return Err(format!("execution `{id}` of `{service}` not found at {ingress}"));
    }
    let runs = status == "running";
    Ok(match command {
        ExecutionCommand::Show { id, format } => {
            let outcome = if runs { None } else { executions.outcome(&id).await.map_err(text)? };
            show(&id, service, &description, outcome, format)?
        }
        ExecutionCommand::Cancel { id } if !runs => format!("`{id}` ended before it could be cancelled"),
        ExecutionCommand::Cancel { id } => {
            executions.cancel(&id).await.map_err(text)?;
            format!("cancellation of `{id}` requested")
        }
        ExecutionCommand::Succeed { id, .. }
        | ExecutionCommand::Fail { id, .. }
        | ExecutionCommand::Heartbeat { id, .. }
            if !runs =>
        {
            return Err(format!("the execution `{id}` has ended and waits for no outcome"));
        }
        ExecutionCommand::Send { id, .. } if !runs => return Err(format!("the execution `{id}` has ended")),
        ExecutionCommand::Send { id, event } => {
            let sent = tokio::time::timeout(PATIENCE, executions.send(&id, &event)).await;
            sent.map_err(|_| NOT_KNOWN.to_owned())?.map_err(|error| match error {
                ClientError::Refused { message, .. } => message,
                error => text(error),
            })?;
            "event accepted: the execution consumes it as soon as it waits for it".to_owned()
        }
        ExecutionCommand::Succeed { id, token, output } => {
            executions.succeed(&id, &token, output).await.map_err(|error| of_token(error, &id, text))?;
            GOES_ON.to_owned()
        }
        ExecutionCommand::Fail { id, token, fault } => {
            executions.fail(&id, &token, &fault).await.map_err(|error| of_token(error, &id, text))?;
            GOES_ON.to_owned()
        }
        ExecutionCommand::Heartbeat { id, token } => {
            executions.heartbeat(&id, &token).await.map_err(|error| of_token(error, &id, text))?;
            "heartbeat recorded".to_owned()
        }
    })
}

const NOBODY: &str = "no response in 10 seconds, and nothing was changed: check that the program that serves the workflow runs, \
                      `serve --engine restate`";

const NOT_KNOWN: &str =
    "no response in 10 seconds: the event may still be delivered when `serve --engine restate` runs";

/// The message for an accepted outcome. The client does not see if the task still waits for it.
const GOES_ON: &str = "outcome accepted: the execution continues unless the task was abandoned meanwhile";

/// Returns the reason why an outcome by token was refused. The execution itself exists.
fn of_token(error: ClientError, id: &str, text: impl FnOnce(ClientError) -> String) -> String {
    match error {
        ClientError::Refused { status: 404, .. } => format!("no task of the execution `{id}` waits for this token"),
        error => text(error),
    }
}

fn show(
    id: &str,
    service: &str,
    description: &Value,
    outcome: Option<Outcome>,
    format: Format,
) -> Result<String, String> {
    let part = |name: &str| description.get(name).cloned().unwrap_or_default();
    let waits = part("waits");
    if format == Format::Json {
        let mut object = Object::new();
        object.insert("id", id);
        object.insert("service", service);
        object.insert("status", part("status"));
        if !waits.is_null() {
            object.insert("waits", waits);
        }
        if let Some(outcome) = &outcome {
            object.insert("outcome", outcome_json(outcome));
        }
        return pretty(&Value::from(object));
    }
    let status = part("status");
    let mut lines = vec![
        ("execution", clean(id, 300)),
        ("service", service.to_owned()),
        ("status", status.as_str().unwrap_or_default().to_owned()),
    ];
    for wait in waits.as_array().into_iter().flat_map(|waits| waits.iter()) {
        lines.push(("waits for", waits_for(wait)));
    }
    match outcome {
        Some(Ok(output)) => lines.push(("output", clean(&output.excerpt(16_000), 4_000))),
        Some(Err(fault)) => lines.push(("failed with", clean(&fault.to_string(), 4_000))),
        None => {}
    }
    Ok(lines.into_iter().map(|(name, value)| format!("{name:12} {value}\n")).collect())
}

/// Returns the text of a wait: `AskManager: an outcome by token (sqs:sendMessage), times out …,
/// token …`.
fn waits_for(wait: &Value) -> String {
    let part = |name: &str| wait.get(name).and_then(Value::as_str);
    let path = part("path").map_or(String::new(), |path| format!("{path}/"));
    let what = if let (Some(task), Some(_)) = (part("task"), part("token")) {
        format!("an outcome by token ({task})")
    } else if let Some(task) = part("task") {
        format!("the task {task}")
    } else if let Some(items) = part("items") {
        format!("the items {items}")
    } else if let Some(execution) = part("execution") {
        format!("the execution {execution} of {}", part("workflow").unwrap_or_default())
    } else if let Some(events) = wait.get("events").and_then(Value::as_array) {
        awaited(&events.iter().filter_map(AwaitedEvent::from_value).collect::<Vec<_>>())
    } else {
        "a timer".to_owned()
    };
    // The `until` of an event is a time-out, too.
    let is_time = part("until").is_some() && wait.get("events").is_none();
    let until = part("until").or(part("deadline")).map_or(String::new(), |until| match is_time {
        true => format!(", until {until}"),
        false => format!(", times out {until}"),
    });
    let token = part("token").map_or(String::new(), |token| format!(", token {token}"));
    clean(&format!("{path}{}: {what}{until}", part("state").unwrap_or_default()), 2_000) + &clean(&token, 200)
}

/// Returns the message for an error of the server, with a way to fix it.
fn text(error: ClientError, ingress: &str, service: &str) -> String {
    match &error {
        ClientError::Unreachable { .. } => {
            format!("{error}; check that the Restate server runs, or set its ingress with `--ingress URL`")
        }
        ClientError::Refused { status: 404, message } => format!(
            "Restate at {ingress} has no service `{service}`: {message}; register it by `serve --engine restate` with the \
             same definition"
        ),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use workflow_runtime::value;

    use super::*;

    #[test]
    fn a_wait_says_what_ends_it() {
        let until = "2026-01-31T12:30:00.000Z";
        for (wait, expected) in [
            (
                value!({"state": "Ask", "task": "send", "deadline": until, "token": "7-f"}),
                format!("Ask: an outcome by token (send), times out {until}, token 7-f"),
            ),
            (value!({"state": "Pay", "task": "pay"}), "Pay: the task pay".to_owned()),
            (
                value!({"state": "Rest", "path": "All[1]", "until": until}),
                format!("All[1]/Rest: a timer, until {until}"),
            ),
            (
                value!({"state": "Get", "events": [{"name": "paid"}], "until": until}),
                format!("Get: the event `paid`, times out {until}"),
            ),
        ] {
            assert_eq!(waits_for(&wait), expected);
        }
    }
}
