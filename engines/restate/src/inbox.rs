//! Inbox of an execution: events that clients send to it, and events from the event bus. Each
//! event becomes a numbered promise, which the execution processes in order.
//!
//! Promises also record deliveries, for deduplication, and reports of the execution whether its
//! inbox has capacity.

use std::time::Duration;

use restate_sdk_shared_core::{
    AttachInvocationTarget, Error, Input, NonEmptyValue, NotificationHandle, VM, Value as Notified,
};
use workflow_runtime::machine::{Definition, TriggerMatch, UnwantedEvent};
use workflow_runtime::{CloudEvent, Timestamp, Value};

use crate::connection::{Connection, Waited, any_payload};
use crate::endpoint::{DEDUPLICATION_TIME, Service};
use crate::handlers::{next_of, read_json, resolve};
use crate::{directory, event_bus, event_triggers, journal, promises};

/// Delivers an event that a client sends to one execution. Answers with the number of events
/// without duplicates: 1 or 0.
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
    if !directory::waits_for(definition, &event) {
        let reason = UnwantedEvent::new(definition.events, &event, None);
        return connection.fail(422, format!("`{}` does not wait for this event: {reason}", definition.name));
    }
    // Sends all requests at once.
    let dedup = DedupQuery::ask(connection, &event)?;
    let alive = ask_liveness(service, connection, key)?;
    let capacity = CapacityQuery::ask(connection)?;
    let correlation = CorrelationQuery::ask(connection, definition)?;
    let Dedup::New(dedup) = dedup.find(service, connection, &event).await? else {
        return connection.succeed(&Value::from(0));
    };
    match read_liveness(connection, alive).await? {
        Liveness::Runs => {}
        Liveness::Unknown => return connection.fail(404, format!("execution `{key}` not found")),
        Liveness::Ended => return connection.fail(409, format!("the execution `{key}` has ended")),
    }
    let correlation = correlation.read(service, connection, key).await?;
    if !is_for(definition, &event, &correlation) {
        let reason = UnwantedEvent::new(definition.events, &event, Some(&correlation));
        return connection.fail(422, format!("the execution `{key}` does not wait for this event: {reason}"));
    }
    if !capacity.takes(connection, definition, &event, &correlation).await? {
        return connection.fail(429, format!("the inbox of the execution `{key}` is full"));
    }
    if resolve(connection, dedup, Timestamp::now(), Ok(Value::Null)).await?.is_some() {
        // Another client has sent the event meanwhile.
        return connection.succeed(&Value::from(0));
    }
    let mut tried = None;
    loop {
        let number = next_of(connection, promises::sent).await?;
        let refused = resolve(connection, promises::sent(number), Timestamp::now(), Ok(event.to_value())).await?;
        match refused {
            None => return connection.succeed(&Value::from(1)),
            // Another event took this number. The next one is for this event.
            Some(_) if tried != Some(number) => tried = Some(number),
            Some(problem) => return connection.fail(500, format!("cannot save the event: {problem}")),
        }
    }
}

/// Handles a delivery from the event bus. The delivery contains its number, so that it is
/// processed once and in order.
pub(crate) async fn deliver(service: &Service, connection: &mut Connection, input: Input) -> Result<(), Error> {
    let published = read_json(&input.input).unwrap_or_default();
    let number = published.get("number").and_then(event_bus::number_of);
    let Some((number, event)) = number.zip(published.get("event")) else {
        return connection.fail(400, "a published event needs `number` and `event`");
    };
    if event.is_null() {
        // An empty delivery: the execution has the event, or does not need it.
        resolve(connection, promises::published(number), Timestamp::now(), Ok(Value::Null)).await?;
        return connection.succeed(&Value::Null);
    }
    let Ok(event) = CloudEvent::from_value(event) else {
        return connection.fail(400, "the published event must be a CloudEvent");
    };
    if published.get("first").and_then(Value::as_bool) == Some(true) {
        let at = published.get("at").and_then(Value::as_i64).map_or_else(Timestamp::now, Timestamp::from_micros);
        let visit = published.get("stay").and_then(event_bus::number_of);
        return deliver_to_start_state(service, connection, &input.key, visit.unwrap_or_default(), number, at, &event)
            .await;
    }
    let again = published.get("again").and_then(Value::as_str);
    let dedup = DedupQuery::ask(connection, &event)?;
    let alive = ask_liveness(service, connection, &input.key)?;
    let capacity = CapacityQuery::ask(connection)?;
    let definition = service.program.definition;
    let correlation = CorrelationQuery::ask(connection, definition)?;
    let dedup = dedup.find(service, connection, &event).await?;
    match read_liveness(connection, alive).await? {
        Liveness::Runs => {}
        // The execution was killed: it did not unsubscribe.
        Liveness::Unknown | Liveness::Ended => {
            event_bus::unsubscribe_dead(service, connection, &input.key)?;
            return connection.succeed(&Value::Null);
        }
    }
    // An event that the execution declined in its start state is not a duplicate.
    let is_new = match &dedup {
        Dedup::New(_) => true,
        Dedup::Duplicate(mark) => mark.is_some() && mark.as_deref() == again,
    };
    let mut takes = false;
    if is_new {
        let correlation = correlation.read(service, connection, &input.key).await?;
        takes = is_for(definition, &event, &correlation)
            && capacity.takes(connection, definition, &event, &correlation).await?;
    }
    let mut is_duplicate = false;
    match dedup {
        Dedup::New(dedup) if takes => {
            let refused = resolve(connection, dedup.clone(), Timestamp::now(), Ok(mark_to_value(again))).await?;
            if refused.is_some() {
                // Another delivery came first, possibly for the start state.
                takes = again.is_some() && mark_of_delivery(connection, dedup).await?.as_deref() == again;
                is_duplicate = !takes;
            }
        }
        Dedup::New(_) => {}
        Dedup::Duplicate(_) => is_duplicate = !is_new,
    }
    // A declined event uses its number, because the next event has the next number.
    let delivery = match takes {
        true => event.to_value(),
        false if is_duplicate && again.is_none() => DUPLICATE,
        false => Value::Null,
    };
    resolve(connection, promises::published(number), Timestamp::now(), Ok(delivery)).await?;
    connection.succeed(&Value::Null)
}

/// Delivers an event for the start state of an execution, as the event bus has decided.
async fn deliver_to_start_state(
    service: &Service,
    connection: &mut Connection,
    key: &str,
    visit: u64,
    number: u64,
    at: Timestamp,
    event: &CloudEvent,
) -> Result<(), Error> {
    // The execution that the event starts may not have begun.
    if number > 0 && !matches!(liveness(service, connection, key).await?, Liveness::Runs) {
        // The execution was killed, or has ended before it could process the event.
        event_triggers::send_undeliverable(service, connection, key, visit, number)?;
        event_bus::unsubscribe_dead(service, connection, key)?;
        return connection.succeed(&Value::Null);
    }
    let dedup = DedupQuery::ask(connection, event)?.find(service, connection, event).await?;
    let mark = event_triggers::claim_mark(visit, number);
    // The execution declined the event in an earlier visit; otherwise the bus would not offer it
    // again. If a later state may await the event, the execution received it then.
    let is_new_here = |earlier: Option<String>| {
        let opening = TriggerMatch::of(service.program.definition, event);
        earlier.is_some_and(|earlier| earlier != mark) && opening.is_some_and(|opening| !opening.is_awaited_later())
    };
    let takes = match dedup {
        Dedup::New(dedup) => {
            let refused = resolve(connection, dedup.clone(), Timestamp::now(), Ok(mark_to_value(Some(&mark)))).await?;
            refused.is_none() || is_new_here(mark_of_delivery(connection, dedup).await?)
        }
        Dedup::Duplicate(earlier) => is_new_here(earlier),
    };
    let delivery = if takes { event.to_value() } else { DUPLICATE };
    resolve(connection, promises::start_state_event(visit, number), at, Ok(delivery)).await?;
    connection.succeed(&Value::Null)
}

/// Placeholder for an event that the execution has.
const DUPLICATE: Value = Value::Bool(true);

/// Returns the value of a delivery record: the claim mark for the start state, or null.
fn mark_to_value(mark: Option<&str>) -> Value {
    mark.map_or(Value::Null, Value::from)
}

fn mark_from_entry(entry: &[u8]) -> Option<String> {
    journal::decode(entry).1.ok().and_then(|mark| mark.as_str().map(str::to_owned))
}

/// Returns the claim mark of a delivery record.
async fn mark_of_delivery(connection: &mut Connection, dedup: String) -> Result<Option<String>, Error> {
    let entry = connection.vm.sys_peek_promise(dedup)?;
    Ok(match connection.finished(entry).await? {
        Notified::Success(entry) => mark_from_entry(&entry),
        _ => None,
    })
}

/// Result of a deduplication.
enum Dedup {
    /// Not delivered: the promise to resolve with the delivery.
    New(String),
    /// Delivered, with the claim mark if it was for the start state.
    Duplicate(Option<String>),
}

/// Pending query whether an event was delivered to the execution.
struct DedupQuery(NotificationHandle);

impl DedupQuery {
    fn ask(connection: &mut Connection, event: &CloudEvent) -> Result<DedupQuery, Error> {
        connection.vm.sys_peek_promise(promises::delivered_event(&event.source, &event.id, 0)).map(DedupQuery)
    }

    async fn find(self, service: &Service, connection: &mut Connection, event: &CloudEvent) -> Result<Dedup, Error> {
        let (mut peeked, mut before) = (self.0, 0);
        let mut now = None;
        while let Notified::Success(entry) = connection.finished(peeked).await? {
            // The current time and the deduplication time must be the same in a replay.
            let (now, known) = match now {
                Some(now) => now,
                None => *now.insert(journal_time(service, connection).await?),
            };
            if journal::decode(&entry).0.plus(known) > now {
                return Ok(Dedup::Duplicate(mark_from_entry(&entry)));
            }
            before += 1;
            peeked = connection.vm.sys_peek_promise(promises::delivered_event(&event.source, &event.id, before))?;
        }
        Ok(Dedup::New(promises::delivered_event(&event.source, &event.id, before)))
    }
}

/// Journals and returns the current time and the deduplication time.
pub(crate) async fn journal_time(
    service: &Service,
    connection: &mut Connection,
) -> Result<(Timestamp, Duration), Error> {
    let known = i64::try_from(service.events_known_for.as_micros()).unwrap_or(i64::MAX);
    loop {
        if let Waited::Done(Notified::Success(entry)) = connection.keep("now", &Value::from(known)).await? {
            let (now, known) = journal::decode(&entry);
            let known = known.ok().and_then(|known| u64::try_from(known.as_i64()?).ok());
            return Ok((now, known.map_or(DEDUPLICATION_TIME, Duration::from_micros)));
        }
    }
}

/// Pending query for the correlation key of an execution, if it matters.
struct CorrelationQuery(Option<NotificationHandle>);

/// Returns `true` if a definition correlates events by key.
fn correlates(definition: &Definition) -> bool {
    definition.events.iter().any(|kind| kind.correlation.is_some())
}

impl CorrelationQuery {
    fn ask(connection: &mut Connection, definition: &Definition) -> Result<CorrelationQuery, Error> {
        if !correlates(definition) {
            return Ok(CorrelationQuery(None));
        }
        connection.vm.sys_peek_promise(promises::CORRELATION.into()).map(|asked| CorrelationQuery(Some(asked)))
    }

    /// Returns the correlation key. Waits for it if necessary, because the execution reports it
    /// when it begins. An execution that ended before has none, and accepts nothing.
    async fn read(self, service: &Service, connection: &mut Connection, key: &str) -> Result<String, Error> {
        let Some(asked) = self.0 else { return Ok(key.to_owned()) };
        let mut answer = connection.finished(asked).await?;
        if !matches!(answer, Notified::Success(_)) {
            let promise = connection.vm.sys_get_promise(promises::CORRELATION.into())?;
            let (name, workflow_key) = (service.name.clone(), key.to_owned());
            let execution = AttachInvocationTarget::WorkflowId { name, key: workflow_key, scope: None };
            let ended = connection.vm.sys_attach_invocation(execution)?;
            answer = loop {
                match connection.first(&[promise, ended]).await? {
                    Some((first, answer)) if first == promise => break answer,
                    Some(_) => break Notified::Void,
                    None => {}
                }
            };
        }
        let answer = match answer {
            Notified::Success(answer) => journal::decode(&answer).1.ok(),
            _ => None,
        };
        Ok(answer.and_then(|answer| answer.as_str().map(str::to_owned)).unwrap_or_else(|| key.to_owned()))
    }
}

/// Reports the correlation key of the execution to senders of events.
pub(crate) fn report_correlation(
    connection: &mut Connection,
    definition: &Definition,
    value: &str,
) -> Result<(), Error> {
    if correlates(definition) {
        let value = NonEmptyValue::Success(journal::encode(journal::NO_TIME, &Ok(value.into())));
        connection.vm.sys_complete_promise(promises::CORRELATION.into(), value, any_payload())?;
    }
    Ok(())
}

/// Returns `true` if a definition waits for such an event with this correlation key.
fn is_for(definition: &Definition, event: &CloudEvent, correlation: &str) -> bool {
    definition.events.iter().any(|kind| kind.is_for(event, correlation))
}

/// Pending query for the inbox capacity of the execution.
struct CapacityQuery(NotificationHandle);

impl CapacityQuery {
    fn ask(connection: &mut Connection) -> Result<CapacityQuery, Error> {
        connection.vm.sys_peek_promise(promises::inbox_capacity(0)).map(CapacityQuery)
    }

    async fn takes(
        self,
        connection: &mut Connection,
        definition: &Definition,
        event: &CloudEvent,
        correlation: &str,
    ) -> Result<bool, Error> {
        // Usually the execution has reported nothing.
        let Notified::Success(_) = connection.finished(self.0).await? else { return Ok(true) };
        let reports = next_of(connection, promises::inbox_capacity).await?;
        let last = connection.vm.sys_peek_promise(promises::inbox_capacity(reports.saturating_sub(1)))?;
        let Notified::Success(last) = connection.finished(last).await? else { return Ok(true) };
        let waits_for = match journal::decode(&last).1 {
            Ok(Value::Array(names)) => names,
            _ => return Ok(true),
        };
        let is_awaited = |name: &Value| {
            let name = name.as_str();
            definition.events.iter().any(|kind| name == Some(kind.name) && kind.is_for(event, correlation))
        };
        Ok(waits_for.iter().any(is_awaited))
    }
}

/// Liveness of an execution.
pub(crate) enum Liveness {
    Runs,
    Ended,
    Unknown,
}

pub(crate) async fn liveness(service: &Service, connection: &mut Connection, key: &str) -> Result<Liveness, Error> {
    let asked = ask_liveness(service, connection, key)?;
    read_liveness(connection, asked).await
}

fn ask_liveness(service: &Service, connection: &mut Connection, key: &str) -> Result<NotificationHandle, Error> {
    let (name, key) = (service.name.clone(), key.to_owned());
    connection.vm.sys_get_invocation_output(AttachInvocationTarget::WorkflowId { name, key, scope: None })
}

async fn read_liveness(connection: &mut Connection, asked: NotificationHandle) -> Result<Liveness, Error> {
    Ok(match connection.finished(asked).await? {
        Notified::Void => Liveness::Runs,
        Notified::Failure(failure) if failure.code == 404 => Liveness::Unknown,
        _ => Liveness::Ended,
    })
}
