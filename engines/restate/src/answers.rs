//! Answers to questions about an execution: its status, and values of promises that it resolves
//! when it begins.

use std::time::Duration;

use hyper::body::Bytes;
use restate_sdk_shared_core::{AttachInvocationTarget, Error, VM, Value as Notified};
use workflow_runtime::{Timestamp, Value, value};

use crate::connection::Connection;
use crate::endpoint::Service;
use crate::handlers::{next_of, resolve};
use crate::{journal, promises};

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

/// Asks an execution for its waits. The invocation that runs it answers once it has begun.
pub(crate) async fn ask(service: &Service, connection: &mut Connection, key: &str) -> Result<Answer, Error> {
    let number = next_of(connection, promises::question).await?;
    // Another client may have asked just now.
    resolve(connection, promises::question(number), Timestamp::now(), Ok(Value::Null)).await?;
    let answer = connection.vm.sys_get_promise(promises::answer(number))?;
    let patience = connection.vm.sys_sleep(String::new(), after(ANSWER_TIMEOUT), None)?;
    let ended = connection.vm.sys_attach_invocation(execution(service, key))?;
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

/// Returns the status and the waits of an execution.
pub(crate) async fn status(service: &Service, connection: &mut Connection, key: String) -> Result<(), Error> {
    let output = connection.vm.sys_get_invocation_output(execution(service, &key))?;
    let mut ended = connection.finished(output).await?;
    if ended == Notified::Void {
        let waits = match ask(service, connection, &key).await? {
            Answer::Waits(waits) => Some(Value::from_json_slice(&waits).unwrap_or_default()),
            Answer::Nothing => Some(Value::Null),
            Answer::Ended(end) => {
                ended = end;
                None
            }
        };
        if let Some(waits) = waits {
            return connection.succeed(&value!({ "status": "running", "waits": waits }));
        }
    }
    let status = match ended {
        Notified::Failure(failure) if failure.code == 404 => "unknown",
        Notified::Failure(failure) if failure.code == 409 => "cancelled",
        Notified::Failure(_) => "failed",
        _ => "succeeded",
    };
    let items = connection.vm.sys_peek_promise(promises::ITEMS.into())?;
    let answer = match connection.finished(items).await? {
        Notified::Success(items) => {
            let items = journal::decode(&items).1.unwrap_or_default();
            value!({ "status": status, "items": items })
        }
        _ => value!({ "status": status }),
    };
    connection.succeed(&answer)
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

fn execution(service: &Service, key: &str) -> AttachInvocationTarget {
    AttachInvocationTarget::WorkflowId { name: service.name.clone(), key: key.to_owned(), scope: None }
}

/// Returns the end of a time limit that begins now, since 1970.
fn after(limit: Duration) -> Duration {
    let end = Timestamp::now().plus(limit);
    Duration::from_micros(u64::try_from(end.as_micros()).unwrap_or_default())
}
