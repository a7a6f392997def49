//! Inbox of an execution: events that clients send to it, and deliveries. Each delivery becomes a
//! numbered promise, which the execution processes in order.

use hyper::body::Bytes;
use restate_sdk_shared_core::{
    AttachInvocationTarget, Error, Input, NonEmptyValue, NotificationHandle, VM, Value as Notified,
};
use workflow_runtime::machine::UnwantedEvent;
use workflow_runtime::{CloudEvent, Timestamp, Value, value};

use crate::answers::wait_until_resolved;
use crate::connection::{Connection, any_payload};
use crate::endpoint::Service;
use crate::events::{self, EventHandler, number_in};
use crate::handlers::read_json;
use crate::{journal, promises};

/// Delivers an event that a client sends to one execution: the object of its correlation key
/// decides. Answers with the number of events without duplicates: 1 or 0.
pub(crate) async fn send(
    service: &Service,
    connection: &mut Connection,
    key: &str,
    event: &Value,
) -> Result<(), Error> {
    let event = match CloudEvent::from_value(event) {
        Ok(event) => event,
        Err(problem) => return connection.fail(400, format!("the event is not a CloudEvent: {problem}")),
    };
    let definition = service.program.definition;
    if !definition.events.iter().any(|kind| kind.matches(&event)) {
        let reason = UnwantedEvent::new(definition.events, &event, None);
        return connection.fail(422, format!("`{}` does not wait for this event: {reason}", definition.name));
    }
    if !events::is_encodable(&event) {
        return connection.fail(400, events::TOO_DEEP);
    }
    // Sends both requests at once.
    let subscription = connection.vm.sys_peek_promise(promises::SUBSCRIPTION.into())?;
    let alive = ask_liveness(service, connection, key)?;
    let subscription = connection.finished(subscription).await?;
    let subscription = match (read_liveness(connection, alive).await?, subscription) {
        (Liveness::Unknown, _) => return refuse_unknown(connection, key),
        (_, Notified::Success(subscription)) => Some(subscription),
        (Liveness::Ended, _) => None,
        (Liveness::Runs, _) => wait_until_resolved(service, connection, key, promises::SUBSCRIPTION, None).await?,
    };
    // An execution that ended before it subscribed accepts nothing.
    let subscription = subscription.map(|entry| journal::decode(&entry).1.unwrap_or_default());
    let of = |name: &str| subscription.as_ref()?.get(name);
    let Some((correlation, id)) = of("of").and_then(Value::as_str).zip(of("id").and_then(Value::as_i64)) else {
        return refuse_ended(connection, key);
    };
    if !definition.events.iter().any(|kind| kind.is_for(&event, correlation)) {
        let reason = UnwantedEvent::new(definition.events, &event, Some(correlation));
        return connection.fail(422, format!("the execution `{key}` does not wait for this event: {reason}"));
    }
    let request = value!({ "key": key, "id": id, "event": event.to_value() });
    match events::call(connection, events::keyed_target(service, EventHandler::Send, correlation), &request).await? {
        Ok(count) => connection.succeed(&count),
        Err(refused) => connection.end(refused),
    }
}

/// Handles a delivery, whose number says which event of the execution it is, or a part of the
/// events that an execution [returns](events::on_return) at its end.
pub(crate) async fn deliver(service: &Service, connection: &mut Connection, input: Input) -> Result<(), Error> {
    let delivery = read_json(&input.input).unwrap_or_default();
    if let Some(part) = delivery.get("returns") {
        return events::on_return(service, connection, part).await;
    }
    let read = || {
        let at = delivery.get("at").and_then(Value::as_i64).map(Timestamp::from_micros)?;
        Some((number_in(&delivery, "id")?, number_in(&delivery, "number")?, at, delivery.get("of")?.as_str()?))
    };
    let Some((id, number, at, correlation)) = read() else {
        return connection.fail(400, "a delivery needs `of`, `id`, `number` and `at`");
    };
    // A promise would remain if the key was purged. Not asked for the event that started the
    // execution: its start arrives before the event. The journals of deliveries of earlier
    // versions begin with the promise.
    let is_first = number == 0 && delivery.get("posted").is_none();
    let asks = !is_first && delivery.get("asks").is_some();
    if asks {
        let alive = ask_liveness(service, connection, &input.key)?;
        if matches!(read_liveness(connection, alive).await?, Liveness::Unknown) {
            events::return_event(service, connection, correlation, id, &delivery, true)?;
            return connection.succeed(&Value::Null);
        }
    }
    let promise = promises::event(id, number);
    let entry = NonEmptyValue::Success(journal::encode(at, &Ok(delivery.clone())));
    let resolved = connection.vm.sys_complete_promise(promise.clone(), entry, any_payload())?;
    // The execution may have been killed before: asked after the promise, so that an event for an
    // execution that is running now is one that it has.
    let alive = ask_liveness(service, connection, &input.key)?;
    let subscription = connection.vm.sys_peek_promise(promises::SUBSCRIPTION.into())?;
    let is_late = matches!(connection.finished(resolved).await?, Notified::Failure(_));
    let is_there = match (read_liveness(connection, alive).await?, connection.finished(subscription).await?) {
        // Another execution may have its key.
        (Liveness::Runs, Notified::Success(subscription)) => has_id(&subscription, id),
        (Liveness::Runs, _) => {
            let subscription =
                wait_until_resolved(service, connection, &input.key, promises::SUBSCRIPTION, None).await?;
            subscription.is_some_and(|subscription| has_id(&subscription, id))
        }
        (Liveness::Unknown, _) => is_first,
        (Liveness::Ended, _) => false,
    };
    if is_late && events::delivery_at(connection, promise).await?.is_some_and(|it| it.is_null()) {
        // It has ended, and did not wait for this event.
        events::return_event(service, connection, correlation, id, &delivery, false)?;
    } else if !is_there {
        // One that ends returns what it has not processed.
        let ended = connection.vm.sys_peek_promise(promises::ended(id))?;
        if !matches!(connection.finished(ended).await?, Notified::Success(_)) {
            events::return_event(service, connection, correlation, id, &delivery, true)?;
        }
    }
    connection.succeed(&Value::Null)
}

/// Returns `true` if a journaled subscription has this identity.
fn has_id(subscription: &Bytes, id: u64) -> bool {
    number_in(&journal::decode(subscription).1.unwrap_or_default(), "id") == Some(id)
}

/// Refuses a request to an execution that is not there.
pub(crate) fn refuse_unknown(connection: &mut Connection, key: &str) -> Result<(), Error> {
    connection.fail(404, format!("execution `{key}` not found"))
}

/// Refuses a request to an execution that has ended.
pub(crate) fn refuse_ended(connection: &mut Connection, key: &str) -> Result<(), Error> {
    connection.fail(409, format!("the execution `{key}` has ended"))
}

/// Liveness of an execution.
pub(crate) enum Liveness {
    Runs,
    Ended,
    Unknown,
}

/// Asks for the end of the first try: an execution that receives events has no other.
fn ask_liveness(service: &Service, connection: &mut Connection, key: &str) -> Result<NotificationHandle, Error> {
    let (name, key) = (service.name.clone(), key.to_owned());
    connection.vm.sys_get_invocation_output(AttachInvocationTarget::WorkflowId { name, key, scope: None })
}

async fn read_liveness(connection: &mut Connection, asked: NotificationHandle) -> Result<Liveness, Error> {
    Ok(liveness_at(&connection.finished(asked).await?))
}

/// Returns the liveness of an execution whose latest try has this end.
pub(crate) fn liveness_at(end: &Notified) -> Liveness {
    match end {
        Notified::Void => Liveness::Runs,
        Notified::Failure(failure) if failure.code == 404 => Liveness::Unknown,
        _ => Liveness::Ended,
    }
}
