//! Tasks that are endpoints.
//!
//! The input is posted as JSON; an answer with a status from 200 to 299 is the result, as JSON; nothing is null. Any other
//! status is an error `Http.StatusCode.<n>` whose cause is the answer; if that is an object with `Error` and `Cause`,
//! these are meant. An endpoint that cannot be reached is the error `Http.Socket`.

use std::time::Duration;

use workflow_runtime::machine::Outcome;
use workflow_runtime::value::TEXT_LIMIT;
use workflow_runtime::{Fault, TaskContext, Value};

use super::variables::expand;
use super::{answer, told_fault};

/// The most that is read of an answer.
const MOST: u64 = 64 << 20;
/// How long a task without a time-out waits for an answer.
const LONGEST: Duration = Duration::from_secs(3600);

/// Posts the input and reads the answer.
pub async fn post(url: &str, headers: &[(String, String)], input: Value, cx: TaskContext) -> Outcome {
    let headers = headers.iter().map(|(name, value)| Ok((name.clone(), expand("a header", value)?)));
    let headers = headers.collect::<Result<Vec<(String, String)>, String>>();
    let headers = headers.map_err(|cause| Fault::new("States.TaskFailed", cause))?;
    let limit = cx.deadline().map_or(LONGEST, |deadline| deadline.since(cx.now()).max(Duration::from_millis(1)));
    let body = input.to_json(TEXT_LIMIT);
    let body = body.map_err(|error| Fault::too_large(format_args!("The input of {url}"), error))?;
    let url = url.to_owned();
    let about = [
        ("Content-Type", "application/json".to_owned()),
        ("Accept", "application/json".to_owned()),
        ("Idempotency-Key", cx.idempotency_key()),
        ("Workflow-Execution", cx.execution_id().to_owned()),
        ("Workflow-Correlation", cx.correlation().to_owned()),
        ("Workflow-State", cx.task().state.to_owned()),
    ];
    let sent = tokio::task::spawn_blocking(move || send(&url, &about, &headers, &body, limit)).await;
    sent.unwrap_or_else(|error| Err(Fault::new("States.TaskFailed", error.to_string())))
}

fn send(url: &str, about: &[(&str, String)], headers: &[(String, String)], body: &str, limit: Duration) -> Outcome {
    let config = ureq::Agent::config_builder().timeout_global(Some(limit)).http_status_as_error(false);
    // A redirect is told as the error that it is.
    let config = config.max_redirects(0).max_redirects_will_error(false);
    let agent: ureq::Agent = config.build().into();
    let mut request = agent.post(url);
    for (name, value) in about {
        // A name of a state may have characters that a header cannot carry.
        if value.bytes().all(|byte| (0x20..0x7f).contains(&byte)) {
            request = request.header(*name, value);
        }
    }
    for (name, value) in headers {
        request = request.header(name, value);
    }
    let socket = |error: ureq::Error| Fault::new("Http.Socket", format!("{url}: {error}"));
    let mut response = request.send(body).map_err(socket)?;
    let status = response.status();
    let text = response.body_mut().with_config().limit(MOST).read_to_string().map_err(socket)?;
    if !status.is_success() {
        let fault = || Fault::new(format!("Http.StatusCode.{}", status.as_u16()), text.trim());
        return Err(told_fault(&text).unwrap_or_else(fault));
    }
    answer(&text, url)
}
