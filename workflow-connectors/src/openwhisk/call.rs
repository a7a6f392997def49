//! Call of an action: the request, its retries and polls, within one time limit.

use std::time::Duration;

use reqwest::RequestBuilder;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use tokio::time::{Instant, sleep_until, timeout_at};
use workflow_runtime::fault::names;
use workflow_runtime::machine::Outcome;
use workflow_runtime::value::TEXT_LIMIT;
use workflow_runtime::{Fault, Value, value};

use super::OpenWhisk;
use super::answer::{ActivationResponse, Invoked, Record, invoked, record};
use super::name::{DEFAULT_NAMESPACE, Name, below};
use crate::http::{self, BodyError};
use crate::http::{Backoff, retry_after};

/// Longest time, in place of one that a clock cannot represent.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);
/// Header with the id of the run that a response is about.
const ACTIVATION: &str = "X-OpenWhisk-Activation-Id";

/// Reason why there is no response.
enum Failure {
    /// The connection was refused: nothing was sent.
    Refused(String),
    /// There is no connection for another reason: nothing was sent.
    Unreachable(String),
    /// The request may have arrived.
    Disconnected(String),
    TooLarge,
    Timeout,
}

/// Invokes an action, within a time.
pub(super) async fn call(openwhisk: &OpenWhisk, action: &str, input: Value, limit: Duration) -> Outcome {
    let name = Name::parse(action).map_err(|problem| Fault::new("OpenWhisk.InvalidName", problem))?;
    let mut address = name.address(&openwhisk.api, &openwhisk.namespace);
    address.set_query(Some("blocking=true&result=true"));
    let body = parameters(input).to_json(TEXT_LIMIT);
    let body = body.map_err(|error| Fault::too_large(format_args!("The input of the action `{action}`"), error))?;
    let call = Call { openwhisk, action, limit, deadline: Instant::now() + limit.min(LONGEST) };
    let mut backoff = Backoff::new();
    let mut left = openwhisk.retries;
    loop {
        let request = openwhisk.client.post(address.clone()).header(CONTENT_TYPE, "application/json");
        let (fault, asked) = match call.send(request.body(body.clone())).await {
            Ok(answer) => match invoked(&answer, action, |text| openwhisk.key.redact(text)) {
                Invoked::Over(outcome) => return outcome,
                Invoked::Running(id) => return call.wait_for(&id).await,
                Invoked::Refused(fault) => (fault, answer.retry_after),
            },
            Err(Failure::Refused(what)) => (call.unreachable(&what), None),
            Err(failure) => return Err(call.fault(failure, None)),
        };
        let next = Instant::now() + backoff.next(asked);
        if left == 0 || next >= call.deadline {
            return Err(fault);
        }
        left -= 1;
        sleep_until(next).await;
    }
}

/// Wraps an input as an object.
fn parameters(input: Value) -> Value {
    match input {
        Value::Object(_) => input,
        Value::Null => value!({}),
        other => value!({ "value": other }),
    }
}

/// Call in progress.
struct Call<'c> {
    openwhisk: &'c OpenWhisk,
    action: &'c str,
    limit: Duration,
    deadline: Instant,
}

impl Call<'_> {
    /// Sends a request once, and reads its response.
    async fn send(&self, request: RequestBuilder) -> Result<ActivationResponse, Failure> {
        let request = request.header(AUTHORIZATION, self.openwhisk.key.header()).header(ACCEPT, "application/json");
        let answered = async {
            let response = request.send().await.map_err(|error| {
                if !error.is_connect() {
                    return Failure::Disconnected(http::describe(error));
                }
                let refused = http::is_refused(&error);
                let problem = http::describe(error);
                if refused { Failure::Refused(problem) } else { Failure::Unreachable(problem) }
            })?;
            let status = response.status();
            let retry_after = retry_after(response.headers());
            let activation = response.headers().get(ACTIVATION).and_then(|id| id.to_str().ok()).map(str::to_owned);
            let body =
                http::read(response, self.openwhisk.max_response_bytes).await.map_err(|unread| match unread {
                    BodyError::TooLarge => Failure::TooLarge,
                    BodyError::Broken(error) => Failure::Disconnected(http::describe(error)),
                })?;
            Ok(ActivationResponse { status, retry_after, activation, body })
        };
        timeout_at(self.deadline, answered).await.unwrap_or(Err(Failure::Timeout))
    }

    /// Polls for the record of a run. Polling has no effect, so every transient failure is
    /// retried.
    async fn wait_for(&self, id: &str) -> Outcome {
        // Runs are stored in the namespace of the key's owner, wherever the action is.
        let address = below(&self.openwhisk.api, &["namespaces", DEFAULT_NAMESPACE, "activations", id]);
        let mut backoff = Backoff::new();
        let mut asked = None;
        let mut problem = None;
        loop {
            let next = Instant::now() + backoff.next(asked.take());
            if next >= self.deadline {
                sleep_until(self.deadline).await;
                return Err(self.timeout(Some((id, problem))));
            }
            sleep_until(next).await;
            problem = match self.send(self.openwhisk.client.get(address.clone())).await {
                Ok(answer) => match record(&answer, self.action, id, |text| self.openwhisk.key.redact(text)) {
                    Record::Over(outcome) => return outcome,
                    Record::NotYet(problem) => {
                        asked = answer.retry_after;
                        problem
                    }
                },
                Err(Failure::Refused(what) | Failure::Unreachable(what) | Failure::Disconnected(what)) => Some(what),
                Err(Failure::Timeout) => return Err(self.timeout(Some((id, problem)))),
                Err(failure @ Failure::TooLarge) => return Err(self.fault(failure, Some(id))),
            };
        }
    }

    fn fault(&self, failure: Failure, id: Option<&str>) -> Fault {
        let action = self.action;
        match failure {
            Failure::Refused(what) | Failure::Unreachable(what) => self.unreachable(&what),
            Failure::Disconnected(what) => {
                let what = format!("`{action}`: the connection was lost, and the action may have run: {what}");
                Fault::new("OpenWhisk.Disconnected", what)
            }
            Failure::TooLarge => {
                let most = self.openwhisk.max_response_bytes;
                Fault::new("OpenWhisk.InvalidResponse", format!("`{action}`: the response is larger than {most} bytes"))
            }
            Failure::Timeout => self.timeout(id.map(|id| (id, None))),
        }
    }

    fn unreachable(&self, what: &str) -> Fault {
        let host = self.openwhisk.api.origin().ascii_serialization();
        Fault::new("OpenWhisk.Unreachable", format!("`{}`: cannot connect to {host}: {what}", self.action))
    }

    fn timeout(&self, activation: Option<(&str, Option<String>)>) -> Fault {
        let (action, limit) = (self.action, self.limit);
        let mut what = format!("`{action}` did not complete within {limit:.1?}, and may still run");
        if let Some((id, problem)) = activation {
            what.push_str(&format!(" as the activation `{id}`"));
            what.extend(problem.map(|problem| format!("; the last request for its outcome failed: {problem}")));
        }
        Fault::new(names::TIMEOUT, what)
    }
}
