//! Redrives of failed executions.
//!
//! The output of `run` is final, so that each redrive is a further *try* of the execution, with a
//! name and promises of its own. An invocation of `segment` continues from the state before the
//! failure. Clients and parents ask the handler `status` for the outcome of a try: a registration
//! keeps the handlers that the service had at the time.

use restate_sdk_shared_core::{Error, NonEmptyValue, NotificationHandle, VM, Value as Notified};
use workflow_runtime::engine::Status;
use workflow_runtime::{Value, value};

use crate::answers::execution;
use crate::connection::{Connection, Waited, any_payload, target};
use crate::endpoint::Service;
use crate::handlers::{Handler, is_resolved, next_of, resolve};
use crate::journal::{self, NO_TIME};
use crate::segment::Segment;
use crate::{inbox, promises, proof};

/// Latest try of an execution.
pub(crate) struct Latest {
    /// Its name.
    pub name: String,
    /// Number of redrives.
    pub redrives: u32,
    /// Its end: [`Notified::Void`] while it runs, and the failure 404 of an unknown execution.
    pub end: Notified,
}

/// Returns the latest try of an execution, and its end.
pub(crate) async fn latest(service: &Service, connection: &mut Connection, key: &str) -> Result<Latest, Error> {
    let output = connection.vm.sys_get_invocation_output(execution(service, key))?;
    let end = connection.finished(output).await?;
    latest_after(connection, end).await
}

/// Returns the latest try of an execution whose first one has this end.
pub(crate) async fn latest_after(connection: &mut Connection, first: Notified) -> Result<Latest, Error> {
    let has_failed = matches!(&first, Notified::Failure(failure) if failure.code != 404);
    let (redrives, name) = if has_failed { redriven(connection).await? } else { (0, String::new()) };
    if redrives == 0 {
        return Ok(Latest { name, redrives, end: first });
    }
    let peeked = connection.vm.sys_peek_promise(promises::of_try(&name, promises::RESULT))?;
    let end = connection.finished(peeked).await?;
    let end = ended_in(&name, end);
    Ok(Latest { name, redrives, end })
}

/// Returns the number of redrives, and the name of the last one, which is empty without redrives.
async fn redriven(connection: &mut Connection) -> Result<(u32, String), Error> {
    let redrives = next_of(connection, promises::redrive).await?;
    let Some(last) = redrives.checked_sub(1) else { return Ok((0, String::new())) };
    Ok((redrives, name_of(connection, last).await?))
}

/// Returns `true` if a redrive of the execution has this name.
async fn is_try(connection: &mut Connection, name: &str) -> Result<bool, Error> {
    for before in (0..next_of(connection, promises::redrive).await?).rev() {
        if name_of(connection, before).await? == name {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the name of a redrive, which has begun after `before` others.
async fn name_of(connection: &mut Connection, before: u32) -> Result<String, Error> {
    let peeked = connection.vm.sys_peek_promise(promises::redrive(before))?;
    match connection.finished(peeked).await? {
        Notified::Success(entry) => Ok(name_in(&entry)),
        other => Err(Error::internal(format!("unexpected redrive: {other:?}"))),
    }
}

fn name_in(entry: &[u8]) -> String {
    let name = journal::decode(entry).1.unwrap_or_default();
    name.as_str().unwrap_or_default().to_owned()
}

/// Returns the end of a try as `run` would return it: the result of another try is a promise.
pub(crate) fn ended_in(of_try: &str, result: Notified) -> Notified {
    match result {
        Notified::Success(entry) if !of_try.is_empty() => match journal::decode(&entry).1 {
            Ok(_) => Notified::Success(entry),
            Err(fault) if fault.is_termination() => Notified::Success(entry),
            Err(fault) => Notified::Failure(journal::failure(&fault)),
        },
        other => other,
    }
}

/// Returns the notification of the end of a try.
pub(crate) fn end_of(
    service: &Service,
    connection: &mut Connection,
    key: &str,
    of_try: &str,
) -> Result<NotificationHandle, Error> {
    match of_try {
        "" => connection.vm.sys_attach_invocation(execution(service, key)),
        name => connection.vm.sys_get_promise(promises::of_try(name, promises::RESULT)),
    }
}

/// Answers with the outcome of a try, once it has ended: by default of the latest one. With `now`,
/// answers null if it has not ended.
pub(crate) async fn outcome(
    service: &Service,
    connection: &mut Connection,
    key: &str,
    asked: &Value,
) -> Result<(), Error> {
    let (name, end) = match asked.get("try").and_then(Value::as_str) {
        // Nothing would ever resolve the promise of its outcome.
        Some(name) if !name.is_empty() && !is_try(connection, name).await? => {
            return connection.fail(404, format!("the execution `{key}` has no try `{name}`"));
        }
        Some(name) => (name.to_owned(), Notified::Void),
        None => {
            let Latest { name, end, .. } = latest(service, connection, key).await?;
            (name, end)
        }
    };
    let is_now = asked.get("now").and_then(Value::as_bool) == Some(true);
    if end == Notified::Void && is_now {
        return connection.succeed(&Value::Null);
    }
    let end = match end {
        Notified::Void => {
            let end = end_of(service, connection, key, &name)?;
            match connection.wait(end).await? {
                Waited::Done(end) => end,
                Waited::Cancelled => return connection.fail(409, "the question was cancelled"),
            }
        }
        end => end,
    };
    let outcome = match end {
        Notified::Success(entry) if !name.is_empty() => journal::decode(&entry).1,
        Notified::Success(output) => journal::read_output(&output),
        Notified::Failure(failure) if failure.code == 404 => return inbox::refuse_unknown(connection, key),
        Notified::Failure(failure) => Err(journal::fault_of_message(&failure.message)),
        _ => Ok(Value::Null),
    };
    connection.end(NonEmptyValue::Success(journal::encode(NO_TIME, &outcome)))
}

/// Redrives an execution that has failed, for a client or for its parent: `by` has the parent, and
/// the name for the new try, which is that of the parent's try. Answers with the name of the try
/// whose outcome counts: `{"try": …}`.
///
/// A parent that is redriven has ended the children that it awaited. It waits until they have
/// ended, and awaits the outcome of those that succeeded.
pub(crate) async fn redrive(
    service: &Service,
    connection: &mut Connection,
    key: &str,
    by: Option<(&str, &str)>,
) -> Result<(), Error> {
    let refuse = |connection: &mut Connection, problem: &str| {
        connection.fail(422, format!("the execution `{key}` cannot be redriven: {problem}"))
    };
    let Latest { name, redrives, end } = loop {
        let tried = latest(service, connection, key).await?;
        if by.is_none() {
            break tried;
        }
        // The parent may have failed before the server refused its call.
        if is_resolved(connection, promises::REQUEST).await? {
            return refuse(connection, "a client has started it");
        }
        if tried.end != Notified::Void {
            break tried;
        }
        let end = end_of(service, connection, key, &tried.name)?;
        let _ended = connection.finished(end).await?;
    };
    let of_try = |name: &str| value!({ "try": name });
    let status = match &end {
        Notified::Failure(failure) if failure.code == 404 => return inbox::refuse_unknown(connection, key),
        Notified::Failure(failure) => Status::after(&Err(journal::fault_of_message(&failure.message))),
        Notified::Void => Status::Running,
        _ => Status::Succeeded,
    };
    let may = match by {
        Some(_) if status == Status::Succeeded => return connection.succeed(&of_try(&name)),
        // The parent has ended it.
        Some(_) => true,
        None => status == Status::Failed,
    };
    if !may {
        return connection
            .fail(409, format!("the execution `{key}` is {}: only one that has failed is redriven", status.name()));
    }
    let peeked = connection.vm.sys_peek_promise(promises::of_try(&name, promises::FAILED))?;
    let failed = match connection.finished(peeked).await? {
        Notified::Success(failed) => failed,
        // It fails again in the same way.
        _ if by.is_some() && status == Status::Failed => return connection.succeed(&of_try(&name)),
        _ => {
            let problem = "its state before the failure is not stored: it began under an earlier version, or ended before it \
                           waited for anything; start a new one with another id";
            return refuse(connection, problem);
        }
    };
    if let Some(reason) = Segment::refusal_in(&failed) {
        return refuse(connection, &format!("{reason}; start a new one with another id"));
    }
    if by.is_some_and(|(by, _)| Segment::parent_of(&failed).as_deref() != Some(by)) {
        return refuse(connection, "another execution has started it");
    }
    let next = by.map_or_else(proof::new_secret, |(_, name)| name.to_owned());
    if by.is_some() && is_resolved(connection, promises::of_try(&next, promises::RESULT)).await? {
        return refuse(connection, "a try of this name has ended");
    }
    let next = match connection.keep("redrive", &next.into()).await? {
        Waited::Done(Notified::Success(entry)) => entry,
        Waited::Done(other) => return Err(Error::internal(format!("unexpected redrive entry: {other:?}"))),
        Waited::Cancelled => return connection.fail(409, "the redrive was cancelled"),
    };
    let (at, next_name) = (journal::decode(&next).0, name_in(&next));
    let Some(snapshot) = Segment::redriven(&failed, &next_name, at) else {
        return refuse(connection, "its stored state is unreadable");
    };
    // Another program may have another definition.
    let loaded = Segment::load(&service.program, key, &snapshot).map(drop);
    let loaded = loaded.err().map_or(Value::Null, Value::from);
    let loaded = match connection.keep("load", &loaded).await? {
        Waited::Done(Notified::Success(entry)) => journal::decode(&entry).1.unwrap_or_default(),
        _ => return connection.fail(409, "the redrive was cancelled"),
    };
    if let Some(problem) = loaded.as_str() {
        return refuse(connection, problem);
    }
    // Another client may have redriven the execution just now.
    let redrive = promises::redrive(redrives);
    if resolve(connection, redrive, at, Ok(next_name.as_str().into())).await?.is_some() {
        return match by {
            Some(_) => {
                let (_, name) = redriven(connection).await?;
                connection.succeed(&of_try(&name))
            }
            None => {
                connection.fail(409, format!("the execution `{key}` is running: only one that has failed is redriven"))
            }
        };
    }
    let segment = target(&service.name, Handler::Segment.name(), key);
    connection.vm.sys_send(segment, snapshot, None, None, any_payload())?;
    connection.succeed(&of_try(&next_name))
}
