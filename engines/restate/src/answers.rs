//! Answers to questions about an execution: those that it gives itself, and promises that it
//! resolves when it begins.

use std::time::Duration;

use restate_sdk_shared_core::{AttachInvocationTarget, Error, VM, Value as Notified};
use workflow_runtime::{Timestamp, Value, value};

use crate::connection::Connection;
use crate::endpoint::Service;
use crate::handlers::{next_of, resolve};
use crate::{journal, promises};

/// Time for which `status` waits for an answer of the execution, which cannot answer without a
/// process.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// Returns the status and the waits of an execution. The invocation that runs it answers.
pub(crate) async fn status(service: &Service, connection: &mut Connection, key: String) -> Result<(), Error> {
    let execution = || AttachInvocationTarget::WorkflowId { name: service.name.clone(), key: key.clone(), scope: None };
    let output = connection.vm.sys_get_invocation_output(execution())?;
    let mut ended = connection.finished(output).await?;
    if ended == Notified::Void {
        let number = next_of(connection, promises::question).await?;
        // Another client may have asked just now.
        resolve(connection, promises::question(number), Timestamp::now(), Ok(Value::Null)).await?;
        let answer = connection.vm.sys_get_promise(promises::answer(number))?;
        let patience = connection.vm.sys_sleep(String::new(), after_patience(), None)?;
        let output = connection.vm.sys_attach_invocation(execution())?;
        match connection.first(&[answer, output, patience]).await? {
            Some((first, end)) if first == output => ended = end,
            Some((first, Notified::Success(waits))) if first == answer => {
                let waits = Value::from_json_slice(&waits).unwrap_or_default();
                return connection.succeed(&value!({ "status": "running", "waits": waits }));
            }
            _ => return connection.succeed(&value!({ "status": "running", "waits": Value::Null })),
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
    let request = match resolved_soon(service, connection, &key, promises::REQUEST).await? {
        Notified::Success(entry) => journal::decode(&entry).1.unwrap_or_default(),
        _ => Value::Null,
    };
    connection.succeed(&request)
}

/// Returns the value of a promise that an execution resolves when it begins. Returns no value if
/// the execution ends before, or has not resolved it within five seconds.
pub(crate) async fn resolved_soon(
    service: &Service,
    connection: &mut Connection,
    key: &str,
    promise: &str,
) -> Result<Notified, Error> {
    let peeked = connection.vm.sys_peek_promise(promise.into())?;
    let value = connection.finished(peeked).await?;
    if matches!(value, Notified::Success(_)) {
        return Ok(value);
    }
    let resolved = connection.vm.sys_get_promise(promise.into())?;
    let (name, key) = (service.name.clone(), key.to_owned());
    let ended = connection.vm.sys_attach_invocation(AttachInvocationTarget::WorkflowId { name, key, scope: None })?;
    let patience = connection.vm.sys_sleep(String::new(), after_patience(), None)?;
    match connection.first(&[resolved, ended, patience]).await? {
        Some((first, value)) if first == resolved => Ok(value),
        _ => Ok(Notified::Void),
    }
}

/// Returns the end of the time for an answer, since 1970.
fn after_patience() -> Duration {
    let end = Timestamp::now().plus(ANSWER_TIMEOUT);
    Duration::from_micros(u64::try_from(end.as_micros()).unwrap_or_default())
}
