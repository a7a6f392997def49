//! The client's view of executions on a Restate server: they are started, awaited, shown and
//! changed.

use std::process::ExitCode;
use std::time::Duration;

use workflow_restate::{ClientError, Executions};
use workflow_runtime::machine::{Definition, Outcome, TriggerMatch};
use workflow_runtime::{CloudEvent, Fault, Object, Value};

use super::{ADMIN, client};
use crate::command_line::{INTERRUPTED, Options, block_on, complain, correlation, finish_run, print, read_input};
use crate::executions::{Format, outcome_json, pretty};
use crate::progress::{Mode, clean};

/// The pause before the ingress is tried again.
const PAUSE: Duration = Duration::from_millis(500);

/// The time that the serving program has to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// An operation on an execution.
pub enum Order {
    Show { id: String, format: Format },
    Cancel { id: String },
    Succeed { id: String, token: String, output: Value },
    Fail { id: String, token: String, fault: Fault },
    Send { id: String, event: CloudEvent },
}

/// Checks that a command exists for executions on Restate. The error names the alternative.
pub fn must_be_there(command: &str) -> Result<(), String> {
    let instead = match command {
        "list" => {
            "Restate tells what there is: its page, the admin address with `/ui` (http://127.0.0.1:9070/ui), or \
             `restate invocations list`; `show ID` tells of one"
        }
        "history" => {
            "Restate has the journal: its page, the admin address with `/ui` (http://127.0.0.1:9070/ui), or `restate \
             invocations describe`; `show ID` tells what an execution waits for"
        }
        "redrive" => "an execution that failed has ended for Restate: run it with another id",
        "purge" => {
            "Restate removes executions itself, a day after they ended, if nothing else is set there; `restate invocations \
             purge` removes one now"
        }
        _ => return Ok(()),
    };
    Err(format!("there is no `{command}` with `--engine restate`: {instead}"))
}

/// Starts an execution or attaches to an existing one, and waits for its outcome.
pub fn run(options: Options, definition: &Definition, ingress: String, service: &str) -> Result<ExitCode, String> {
    let refused = if options.key.is_some() {
        "`--key`: an execution on Restate has one name, which is its key there: give it with `--id`"
    } else if !options.settings.is_empty() {
        "`--set`: with `--engine restate` the settings are those of `serve --engine restate`"
    } else if options.sink.is_some() {
        "`--sink`: with `--engine restate` events go to the sink of `serve --engine restate`"
    } else if options.deployed_at.is_some() {
        "`--deployed-at`: with `--engine restate` it is an option of `serve --engine restate`"
    } else if options.history.is_some() {
        "`--history`: with `--engine restate` the history is the server's: its page tells it"
    } else if matches!(options.progress, Mode::Live | Mode::Lines) {
        "`--progress`: with `--engine restate` the execution runs elsewhere, and only its outcome is told here"
    } else {
        ""
    };
    if !refused.is_empty() {
        return Err(refused.to_owned());
    }
    let id = options
        .id
        .ok_or("`run --engine restate` needs `--id ID`: run again with the same one, it is the same execution")?;
    let correlation = options.correlate.map(|given| correlation(definition, &given)).transpose()?;
    let with_input = options.input.is_some();
    let input = read_input(options.input)?;
    let quiet = options.progress == Mode::None;
    let executions = client(&ingress, ADMIN).service(service);
    let ended = block_on(async {
        let started = executions
            .start_correlated(&id, input, correlation.as_deref())
            .await
            .map_err(|error| text(error, &ingress, service))?;
        if started.existed && !quiet {
            let input = if with_input { ", with the input that it has" } else { "" };
            complain(&format!("the execution `{id}` was started before{input}: its outcome is waited for"));
        }
        attach(&executions, &id).await.map_err(|error| text(error, &ingress, service))
    })?;
    match ended {
        Some(outcome) => finish_run(Some(outcome?)),
        None => {
            complain(&format!(
                "no longer waits: once it is started, the execution goes on on Restate. `run --engine restate --id {id}` waits \
                 for it again, `show {id} --engine restate` tells what it waits for, and `cancel {id} --engine restate` ends it"
            ));
            Ok(ExitCode::from(INTERRUPTED))
        }
    }
}

/// Waits for the outcome. Retries while the server is unreachable.
async fn attach(executions: &Executions, id: &str) -> Result<Outcome, ClientError> {
    let mut told = false;
    loop {
        match executions.attach(id).await {
            Err(error @ ClientError::Unreachable { .. }) => {
                if !told {
                    complain(&format!("{error}: trying again; the execution goes on when Restate does"));
                }
                told = true;
                tokio::time::sleep(PAUSE).await;
            }
            other => return other,
        }
    }
}

/// Carries out an operation on an existing execution.
pub fn carry_out(ingress: String, order: Order, service: &str) -> Result<ExitCode, String> {
    let executions = client(&ingress, ADMIN).service(service);
    let done = block_on(async { give(&executions, order, &ingress, service).await })?;
    match done {
        Some(done) => print(&done?),
        None => Ok(ExitCode::from(INTERRUPTED)),
    }
}

/// Publishes an event. With `start`, the event can also start executions.
pub fn publish(ingress: &str, event: &CloudEvent, start: bool, service: &str) -> Result<ExitCode, String> {
    let executions = client(ingress, ADMIN).service(service);
    let told = block_on(async {
        let publish = async {
            match start {
                true => executions.publish_and_start(event).await.map(|reached| (reached.executions, reached.started)),
                false => executions.publish(event).await.map(|reached| (reached, 0)),
            }
        };
        tokio::time::timeout(PATIENCE, publish).await
    })?;
    let Some(told) = told else { return Ok(ExitCode::from(INTERRUPTED)) };
    let (reached, started) = told.map_err(|_| NOT_KNOWN.to_owned())?.map_err(|error| text(error, ingress, service))?;
    let noted = format!("it is noted for {reached} execution{}", if reached == 1 { "" } else { "s" });
    print(&match started {
        0 => noted,
        _ => format!("it has started the execution `{}`; {noted}", TriggerMatch::execution_name(event)),
    })
}

async fn give(executions: &Executions, order: Order, ingress: &str, service: &str) -> Result<String, String> {
    let text = |error| text(error, ingress, service);
    let (Order::Show { id, .. }
    | Order::Cancel { id }
    | Order::Succeed { id, .. }
    | Order::Fail { id, .. }
    | Order::Send { id, .. }) = &order;
    // Restate would also accept messages to an execution that does not exist, and deliver them to
    // a later execution of that name.
    let told = tokio::time::timeout(PATIENCE, executions.status(id)).await.map_err(|_| NOBODY.to_owned())?;
    let told = told.map_err(text)?;
    let status = told.get("status").and_then(Value::as_str).unwrap_or_default();
    if status == "unknown" {
        return Err(format!("there is no execution `{id}` of `{service}` at {ingress}"));
    }
    let runs = status == "running";
    Ok(match order {
        Order::Show { id, format } => {
            let outcome = if runs { None } else { executions.outcome(&id).await.map_err(text)? };
            show(&id, service, &told, outcome, format)?
        }
        Order::Cancel { id } if !runs => format!("`{id}` has ended before it could be cancelled"),
        Order::Cancel { id } => {
            executions.cancel(&id).await.map_err(text)?;
            format!("`{id}` is told to end")
        }
        Order::Succeed { id, .. } | Order::Fail { id, .. } if !runs => {
            return Err(format!("the execution `{id}` has ended: none of its tasks waits for an outcome"));
        }
        Order::Send { id, .. } if !runs => return Err(format!("the execution `{id}` has ended")),
        Order::Send { id, event } => {
            let sent = tokio::time::timeout(PATIENCE, executions.send(&id, &event)).await;
            sent.map_err(|_| NOT_KNOWN.to_owned())?.map_err(|error| match error {
                ClientError::Refused { message, .. } => message,
                error => text(error),
            })?;
            "it is noted: the execution has it as soon as it waits for such".to_owned()
        }
        Order::Succeed { id, token, output } => {
            executions.succeed(&id, &token, output).await.map_err(|error| of_token(error, &id, text))?;
            GOES_ON.to_owned()
        }
        Order::Fail { id, token, fault } => {
            executions.fail(&id, &token, &fault).await.map_err(|error| of_token(error, &id, text))?;
            GOES_ON.to_owned()
        }
    })
}

const NOBODY: &str = "no answer in 10 seconds, and nothing was changed: it is the program that serves the workflow which answers \
                      this; does `serve --engine restate` run?";

const NOT_KNOWN: &str =
    "no answer in 10 seconds: the event may arrive nevertheless, when `serve --engine restate` runs";

/// The message for an accepted outcome. The client does not see if the task still waits for it.
const GOES_ON: &str = "it is noted: the execution goes on with it, unless the task was given up meanwhile";

/// Returns the reason why an outcome by token was refused. The execution itself exists.
fn of_token(error: ClientError, id: &str, text: impl FnOnce(ClientError) -> String) -> String {
    match error {
        ClientError::Refused { status: 404, .. } => format!("no task of the execution `{id}` waits for this token"),
        error => text(error),
    }
}

fn show(id: &str, service: &str, told: &Value, outcome: Option<Outcome>, format: Format) -> Result<String, String> {
    let part = |name: &str| told.get(name).cloned().unwrap_or_default();
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

/// Returns the text of a wait: `AskManager: the task sqs:sendMessage, until …`.
fn waits_for(wait: &Value) -> String {
    let part = |name: &str| wait.get(name).and_then(Value::as_str);
    let path = part("path").map_or(String::new(), |path| format!("{path}/"));
    let what = if let Some(task) = part("task") {
        format!("the task {task}")
    } else if let Some(items) = part("items") {
        format!("the items {items}")
    } else if let Some(execution) = part("execution") {
        format!("the execution {execution} of {}", part("workflow").unwrap_or_default())
    } else if let Some(events) = wait.get("events").and_then(Value::as_array) {
        let names: Vec<&str> = events.iter().filter_map(Value::as_str).collect();
        format!("an event: {}", names.join(", "))
    } else {
        "a time".to_owned()
    };
    let until = part("until").or(part("deadline")).map_or(String::new(), |until| format!(", until {until}"));
    clean(&format!("{path}{}: {what}{until}", part("state").unwrap_or_default()), 400)
}

/// Returns the message for an error of the server, with a way to fix it.
fn text(error: ClientError, ingress: &str, service: &str) -> String {
    match &error {
        ClientError::Unreachable { .. } => {
            format!("{error}; is a Restate server there? Where its ingress is, is said with `--ingress URL`")
        }
        ClientError::Refused { status: 404, message } => format!(
            "Restate at {ingress} has no `{service}`: {message}; `serve --engine restate` serves and registers it, and must \
             have the same definition"
        ),
        _ => error.to_string(),
    }
}
