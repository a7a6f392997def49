//! Events that an execution had not processed when it ended: they return to the object of its
//! correlation key, which offers those for the start state again.

use restate_sdk_shared_core::{Error, VM, Value as Notified};
use workflow_runtime::{Value, value};

use super::keyed::SubscriptionEnd;
use super::{EventHandler, call, keyed_target, number_in, send};
use crate::connection::{self, Connection};
use crate::endpoint::Service;
use crate::handlers::{Handler, resolve};
use crate::{journal, promises};

/// Number of events that one invocation returns at the end of an execution: each has up to eight
/// journal entries, mostly two.
const RETURNS: u64 = 100;

/// Returns the events that an execution has not processed, before the one of number `end`. If they
/// are many, other invocations return them, and this one waits for each: the execution cannot be
/// removed before they have ended.
pub(super) async fn return_events(
    service: &Service,
    connection: &mut Connection,
    key: &str,
    of: &SubscriptionEnd<'_>,
    end: u64,
) -> Result<(), Error> {
    if end.saturating_sub(of.next) <= RETURNS {
        return return_part(service, connection, of, end).await;
    }
    let mut next = of.next;
    while next < end {
        let rest = end.min(next.saturating_add(RETURNS));
        let part = value!({ "of": of.correlation, "id": of.id as i64, "next": next as i64, "end": rest as i64 });
        let target = connection::target(&service.name, Handler::Deliver.name(), key);
        // The events of a part that an operator kills are lost.
        let _killed = call(connection, target, &value!({ "returns": part })).await?;
        next = rest;
    }
    Ok(())
}

/// Returns the events that an execution has not processed, before the one of number `end`, in this
/// invocation.
pub(super) async fn return_part(
    service: &Service,
    connection: &mut Connection,
    of: &SubscriptionEnd<'_>,
    end: u64,
) -> Result<(), Error> {
    for number in of.next..end {
        if let Some(delivery) = unprocessed(connection, promises::event(of.id, number)).await? {
            return_event(service, connection, of.correlation, of.id, &delivery, false)?;
        }
    }
    Ok(())
}

/// Marks the events as returned: from here on, a delivery that finds the execution ended has
/// nothing to return. It is last, because deliveries return the events if an operator ends this.
/// An event that is returned twice is offered once.
pub(super) async fn end_returns(connection: &mut Connection, id: u64) -> Result<(), Error> {
    resolve(connection, promises::ended(id), journal::NO_TIME, Ok(Value::Null)).await?;
    Ok(())
}

/// Returns a part of the events of an execution that ends.
pub(crate) async fn on_return(service: &Service, connection: &mut Connection, part: &Value) -> Result<(), Error> {
    let read = || {
        let [id, next, end] = ["id", "next", "end"].map(|name| number_in(part, name));
        Some((SubscriptionEnd { correlation: part.get("of")?.as_str()?, id: id?, next: next? }, end?))
    };
    let Some((of, end)) = read() else {
        return connection.fail(400, "events are returned with `of`, `id`, `next` and `end`");
    };
    return_part(service, connection, &of, end).await?;
    connection.succeed(&Value::Null)
}

/// Returns the delivery that this promise has. One that has not arrived finds the promise resolved
/// without an event, and returns its event itself. So nothing waits for a delivery that an
/// operator has killed.
async fn unprocessed(connection: &mut Connection, promise: String) -> Result<Option<Value>, Error> {
    let delivery = delivery_at(connection, promise.clone()).await?;
    if delivery.is_some() || resolve(connection, promise.clone(), journal::NO_TIME, Ok(Value::Null)).await?.is_none() {
        return Ok(delivery);
    }
    delivery_at(connection, promise).await
}

/// Returns the delivery that a promise has: null if the execution ended before it arrived.
pub(crate) async fn delivery_at(connection: &mut Connection, promise: String) -> Result<Option<Value>, Error> {
    let peeked = connection.vm.sys_peek_promise(promise)?;
    Ok(match connection.finished(peeked).await? {
        Notified::Success(entry) => Some(journal::decode(&entry).1.unwrap_or_default()),
        _ => None,
    })
}

/// Returns an event that was delivered and not processed.
pub(crate) fn return_event(
    service: &Service,
    connection: &mut Connection,
    correlation: &str,
    id: u64,
    delivery: &Value,
    was_killed: bool,
) -> Result<(), Error> {
    let mut report = value!({ "id": id as i64 });
    if let Some(report) = report.as_object_mut() {
        if was_killed {
            report.insert("gone", true);
        }
        if delivery.get("posted").is_some() {
            report.insert("declined", delivery.clone());
        }
    }
    match was_killed || report.get("declined").is_some() {
        true => send(connection, keyed_target(service, EventHandler::Report, correlation), &report),
        false => Ok(()),
    }
}
