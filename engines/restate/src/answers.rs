//! Answers to questions about an execution: its status, and values of promises that it resolves
//! when it begins.

use std::time::Duration;

use hyper::body::Bytes;
use restate_sdk_shared_core::{AttachInvocationTarget, Error, Input, VM, Value as Notified};
use workflow_runtime::{Timestamp, Value, value};

use crate::connection::Connection;
use crate::endpoint::Service;
use crate::handlers::{next_of, read_json, resolve};
use crate::redrives::Latest;
use crate::{journal, promises, redrives};

/// Time for which a handler waits for an execution, which does nothing without a process.
pub(crate) const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// Answer of an execution to a question.
pub(crate) enum Answer {
    /// Its waits.
    Waits(Bytes),
    /// None, because it has ended.
    Ended(Notified),
    /// None within five seconds: it has not begun, is busy, or no process serves it.
    Nothing,
}

/// Asks a try of an execution for its waits. The invocation that runs it answers once it has
/// begun.
pub(crate) async fn ask(
    service: &Service,
    connection: &mut Connection,
    key: &str,
    of_try: &str,
) -> Result<Answer, Error> {
    let number = next_of(connection, promises::question).await?;
    // Another client may have asked just now.
    resolve(connection, promises::question(number), Timestamp::now(), Ok(Value::Null)).await?;
    let answer = connection.vm.sys_get_promise(promises::answer(number))?;
    let patience = connection.vm.sys_sleep(String::new(), after(ANSWER_TIMEOUT), None)?;
    let ended = redrives::end_of(service, connection, key, of_try)?;
    loop {
        match connection.first(&[answer, ended, patience]).await? {
            Some((first, Notified::Success(waits))) if first == answer => return Ok(Answer::Waits(waits)),
            Some((first, end)) if first == ended => return Ok(Answer::Ended(end)),
            Some(_) => return Ok(Answer::Nothing),
            // A cancelled question ends soon without it.
            None => {}
        }
    }
}

/// Returns the status and the waits of an execution, or the outcome of a try if the input asks for
/// that.
pub(crate) async fn status(service: &Service, connection: &mut Connection, input: Input) -> Result<(), Error> {
    let asked = read_json(&input.input).unwrap_or_default();
    if let Some(asked) = asked.get("outcome") {
        return redrives::outcome(service, connection, &input.key, asked).await;
    }
    let key = input.key;
    let output = connection.vm.sys_get_invocation_output(execution(service, &key))?;
    let first = connection.finished(output).await?;
    let first = match end_or_waits(service, connection, &key, "", first).await? {
        Ok(first) => first,
        Err(waits) => return connection.succeed(&running(waits, 0)),
    };
    let mut items = items_of(connection, "").await?;
    let Latest { name, redrives, end } = redrives::latest_after(connection, first).await?;
    let end = match redrives {
        0 => end,
        _ => match end_or_waits(service, connection, &key, &name, end).await? {
            Ok(end) => {
                items = items_of(connection, &name).await?;
                end
            }
            Err(waits) => return connection.succeed(&running(waits, redrives)),
        },
    };
    let status = match end {
        Notified::Failure(failure) if failure.code == 404 => "unknown",
        Notified::Failure(failure) if failure.code == 409 => "cancelled",
        Notified::Failure(_) => "failed",
        _ => "succeeded",
    };
    let answer = match items {
        Some(items) => value!({ "status": status, "items": items }),
        None => value!({ "status": status }),
    };
    connection.succeed(&with_redrives(answer, redrives))
}

/// Returns the end of a try that was `end` a moment ago, or the waits of one that runs.
async fn end_or_waits(
    service: &Service,
    connection: &mut Connection,
    key: &str,
    of_try: &str,
    end: Notified,
) -> Result<Result<Notified, Value>, Error> {
    if end != Notified::Void {
        return Ok(Ok(end));
    }
    Ok(match ask(service, connection, key, of_try).await? {
        Answer::Waits(waits) => Err(Value::from_json_slice(&waits).unwrap_or_default()),
        Answer::Nothing => Err(Value::Null),
        Answer::Ended(end) => Ok(redrives::ended_in(of_try, end)),
    })
}

/// Returns the numbers of items, if the try is an ended run of a Map.
async fn items_of(connection: &mut Connection, of_try: &str) -> Result<Option<Value>, Error> {
    let items = connection.vm.sys_peek_promise(promises::of_try(of_try, promises::ITEMS))?;
    Ok(match connection.finished(items).await? {
        Notified::Success(items) => Some(journal::decode(&items).1.unwrap_or_default()),
        _ => None,
    })
}

fn running(waits: Value, redrives: u32) -> Value {
    with_redrives(value!({ "status": "running", "waits": waits }), redrives)
}

/// Adds the number of redrives to a status, if there are any.
fn with_redrives(mut status: Value, redrives: u32) -> Value {
    if let Some(status) = status.as_object_mut().filter(|_| redrives > 0) {
        status.insert("redrives", redrives);
    }
    status
}

/// Returns the identity of the request that started an execution. Returns null if there is none,
/// or if the execution has not begun within five seconds.
pub(crate) async fn request(service: &Service, connection: &mut Connection, key: String) -> Result<(), Error> {
    let peeked = connection.vm.sys_peek_promise(promises::REQUEST.into())?;
    let request = match connection.finished(peeked).await? {
        Notified::Success(entry) => Some(entry),
        _ => wait_until_resolved(service, connection, &key, promises::REQUEST, Some(ANSWER_TIMEOUT)).await?,
    };
    let request = request.map(|entry| journal::decode(&entry).1.unwrap_or_default());
    connection.succeed(&request.unwrap_or_default())
}

/// Waits until an execution that begins has resolved a promise. Returns `None` if it ends before,
/// or if the time limit is over.
pub(crate) async fn wait_until_resolved(
    service: &Service,
    connection: &mut Connection,
    key: &str,
    promise: &str,
    limit: Option<Duration>,
) -> Result<Option<Bytes>, Error> {
    let promise = connection.vm.sys_get_promise(promise.into())?;
    let ended = connection.vm.sys_attach_invocation(execution(service, key))?;
    let patience = limit.map(|limit| connection.vm.sys_sleep(String::new(), after(limit), None)).transpose()?;
    let first: Vec<_> = [promise, ended].into_iter().chain(patience).collect();
    loop {
        match connection.first(&first).await? {
            Some((first, Notified::Success(entry))) if first == promise => return Ok(Some(entry)),
            Some(_) => return Ok(None),
            None => {}
        }
    }
}

/// Returns the target of an execution.
pub(crate) fn execution(service: &Service, key: &str) -> AttachInvocationTarget {
    AttachInvocationTarget::WorkflowId { name: service.name.clone(), key: key.to_owned(), scope: None }
}

/// Returns the end of a time limit that begins now, since 1970.
fn after(limit: Duration) -> Duration {
    let end = Timestamp::now().plus(limit);
    Duration::from_micros(u64::try_from(end.as_micros()).unwrap_or_default())
}
