//! Start conditions: events from outside that start executions, once each, unless an execution in
//! its start state accepts them.
//!
//! A client posts an event. A virtual object for the event, whose key is the name of the execution
//! that it starts, records whether it was processed. The object asks the event bus, which handles
//! one request after the other. For each execution in its start state the bus records the claims:
//! the events that it has offered. So the bus knows which events the execution still accepts, even
//! before the execution has processed its claims.
//!
//! The bus does not see timers or events from elsewhere. An execution therefore reports when it
//! leaves its start state, with the number of the first event that it has not consumed there. The
//! bus dispatches the later claims again. Re-entering the start state begins a new visit with its
//! own numbers. A killed execution reports nothing: if a delivery finds it dead, the bus
//! dispatches only that event again.

mod record;
mod start_visits;

use std::time::Duration;

use hyper::body::Bytes;
use restate_sdk_shared_core::{
    AttachInvocationTarget, Error, Header, Input, NonEmptyValue, PayloadOptions, Target, TerminalFailure, VM,
    Value as Notified,
};
use workflow_runtime::machine::{INBOX_CAPACITY, StartCondition, TriggerMatch};
use workflow_runtime::{Array, CloudEvent, Object, Timestamp, Value, value};

pub(crate) use record::claim_mark;
use record::{PostedEvent, StartRecord, shared_claim_key};
pub(crate) use start_visits::{
    on_ended, on_left, on_reentered, on_undeliverable, purge_claims, send_declined, send_left, send_reentered,
    send_undeliverable, send_unmatched,
};

use crate::connection::{self, Connection, any_payload};
use crate::drive::END_OF_TIME;
use crate::endpoint::Service;
use crate::event_bus::{self, BusHandler};
use crate::handlers::{self, read_json};
use crate::inbox::journal_time;
use crate::journal;
use crate::links;

/// State entry of an event's object: the event was processed.
const TAKEN: &str = "taken";

/// Largest number of events in a request.
const MAX_EVENTS: usize = 1_000;

/// Records an execution that begins, if events start executions of its workflow. Returns the
/// number of the first event for its start state.
pub(crate) async fn record_start(
    service: &Service,
    connection: &mut Connection,
    key: &str,
    correlation: &str,
    was_started_by_event: bool,
) -> Result<Option<u64>, Error> {
    // An execution that no event started may have the key of a killed one.
    let known = StartRecord::find(service, connection, key).await?;
    if let Some(known) = known.as_ref().filter(|_| was_started_by_event) {
        return Ok(Some(known.from));
    }
    // The claims of the killed one have other numbers.
    on_ended(service, connection, key).await?;
    let from = known.map_or(1, |known| known.next.max(1));
    let Some(condition) = StartCondition::new(service.program.definition, correlation.into()) else { return Ok(None) };
    let record = StartRecord { condition, next: from, from, visit: 0 };
    record.keep(connection, key)?;
    Ok(Some(record.from))
}

/// Records a published event for executions in their start states.
pub(crate) async fn record_published(
    service: &Service,
    connection: &mut Connection,
    keys: &[String],
    event: &CloudEvent,
) -> Result<(), Error> {
    for (key, mut record) in StartRecord::all(service, connection, keys).await? {
        let before = record.condition.unmatched().len();
        record.condition.record(event);
        if record.condition.unmatched().len() != before {
            record.keep(connection, &key)?;
        }
    }
    Ok(())
}

/// Result of dispatching one event or several.
#[derive(Clone, Copy, Default)]
struct Reached {
    executions: i64,
    started: i64,
    /// Set if the event is processed: it starts nothing more.
    taken: bool,
}

impl Reached {
    fn to_value(self) -> Value {
        value!({ "executions": self.executions, "started": self.started })
    }
}

/// Handles a posted event or list of events.
pub(crate) async fn on_start(service: &Service, connection: &mut Connection, input: Input) -> Result<(), Error> {
    let read = read_json(&input.input).and_then(|body| match &body {
        Value::Array(events) if events.len() > MAX_EVENTS => {
            Err(format!("a request can have at most {MAX_EVENTS} events, found {}", events.len()))
        }
        Value::Array(events) => Ok((events.iter().map(read_posted).collect::<Result<Vec<_>, _>>()?, true)),
        body => Ok((vec![read_posted(body)?], false)),
    });
    let (events, is_list) = match read {
        Ok(read) => read,
        Err(problem) => return connection.fail(400, problem),
    };
    let mut all = Vec::new();
    for event in &events {
        match post(service, connection, event).await? {
            Ok(answer) => all.push(answer),
            Err(failure) => return connection.end(NonEmptyValue::Failure(failure)),
        }
    }
    match (is_list, all.pop()) {
        (false, Some(one)) => connection.succeed(&one),
        (_, last) => connection.succeed(&Array::from(all.into_iter().chain(last).collect::<Vec<_>>()).into()),
    }
}

/// Reads a posted event.
fn read_posted(event: &Value) -> Result<CloudEvent, String> {
    let event = read_event(event)?;
    match is_uri_reference(&event.source) {
        true => Ok(event),
        false => Err(format!("`source` must be a URI reference, found {}", event.source)),
    }
}

fn is_uri_reference(source: &str) -> bool {
    fluent_uri::UriRef::parse(source).is_ok()
}

fn read_event(event: &Value) -> Result<CloudEvent, String> {
    let event = CloudEvent::from_value(event).map_err(|problem| format!("the event is not a CloudEvent: {problem}"))?;
    // The names of executions that events start consist of source and id.
    if event.source.contains(char::is_whitespace) {
        return Err(format!("`source` must be a URI reference, found {}", event.source));
    }
    match event_bus::is_encodable(&event) {
        true => Ok(event),
        false => Err(event_bus::TOO_DEEP.to_owned()),
    }
}

/// Processes one event. Returns the answer, or the refusal.
async fn post(
    service: &Service,
    connection: &mut Connection,
    event: &CloudEvent,
) -> Result<Result<Value, TerminalFailure>, Error> {
    let (handler, key) = match TriggerMatch::of(service.program.definition, event) {
        Some(_) => (BusHandler::Once, TriggerMatch::execution_name(event)),
        None => (BusHandler::Publish, event_bus::KEY.to_owned()),
    };
    let target = connection::target(&event_bus::name(&service.name), handler.name(), &key);
    let answer = call(connection, target, event).await?;
    Ok(answer.map(|answer| match answer {
        Value::Object(_) => answer,
        // The answer is only the number of executions.
        executions => value!({ "executions": executions, "started": 0 }),
    }))
}

async fn call(
    connection: &mut Connection,
    target: Target,
    event: &CloudEvent,
) -> Result<Result<Value, TerminalFailure>, Error> {
    let event = Bytes::from(event.to_value().to_string());
    let call = connection.vm.sys_call(target, event, None, any_payload())?;
    Ok(match connection.finished(call.call_notification_handle).await? {
        Notified::Success(answer) => Ok(Value::from_json_slice(&answer).unwrap_or_default()),
        Notified::Failure(failure) => Err(failure),
        _ => Ok(Value::Null),
    })
}

/// Lets the bus process an event unless it was processed before. Runs on the object of the event.
pub(crate) async fn on_once(service: &Service, connection: &mut Connection, input: Input) -> Result<(), Error> {
    let event = match read_json(&input.input).and_then(|event| read_event(&event)) {
        Ok(event) => event,
        Err(problem) => return connection.fail(400, problem),
    };
    let taken = connection.vm.sys_state_get(TAKEN.into(), None, PayloadOptions::default())?;
    if let Notified::Success(_) = connection.finished(taken).await? {
        return connection.succeed(&Reached { executions: 1, ..Reached::default() }.to_value());
    }
    let answer = match call(connection, event_bus::target(&service.name, BusHandler::Take), &event).await? {
        Ok(answer) => answer,
        Err(failure) => return connection.end(NonEmptyValue::Failure(failure)),
    };
    let number = |name: &str| answer.get(name).and_then(Value::as_i64).unwrap_or_default();
    if answer.get("taken").and_then(Value::as_bool) == Some(true) {
        connection.vm.sys_state_set(TAKEN.into(), Bytes::from_static(b"true"), None, any_payload())?;
        let (now, known) = journal_time(service, connection).await?;
        let forget = connection::target(&event_bus::name(&service.name), BusHandler::Forget.name(), &input.key);
        let at = Duration::from_micros(u64::try_from(now.plus(known).as_micros()).unwrap_or_default());
        connection.vm.sys_send(forget, Bytes::new(), Some(at.min(END_OF_TIME)), None, any_payload())?;
    }
    let (executions, started) = (number("executions"), number("started"));
    connection.succeed(&Reached { executions, started, taken: true }.to_value())
}

/// Removes the record that the event of this object was processed.
pub(crate) fn on_forget(connection: &mut Connection) -> Result<(), Error> {
    connection.vm.sys_state_clear(TAKEN.into(), None)?;
    connection.succeed(&Value::Null)
}

/// Offers an event to executions in their start states, or starts an execution. Runs on the bus.
pub(crate) async fn on_take(service: &Service, connection: &mut Connection, input: Input) -> Result<(), Error> {
    let event = match read_json(&input.input).and_then(|event| read_event(&event)) {
        Ok(event) => event,
        Err(problem) => return connection.fail(400, problem),
    };
    let (now, deployed) = time_and_deployment(service, connection).await?;
    let posted = PostedEvent { event: &event, at: now, is_shared: false, published_as: None };
    let reached = dispatch(service, connection, &posted, Attempt::Initial, now, deployed).await?;
    let mut answer = reached.to_value();
    if let Some(answer) = answer.as_object_mut() {
        answer.insert("taken", reached.taken);
    }
    connection.succeed(&answer)
}

/// Attempt to dispatch an event.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attempt {
    Initial,
    /// The execution that claimed it has declined.
    Repeated,
}

async fn dispatch(
    service: &Service,
    connection: &mut Connection,
    posted: &PostedEvent<'_>,
    attempt: Attempt,
    now: Timestamp,
    deployed: Option<Timestamp>,
) -> Result<Reached, Error> {
    let (definition, event) = (service.program.definition, posted.event);
    let Some(opening) = TriggerMatch::of(definition, event) else { return Ok(Reached::default()) };
    let keys = event_bus::state_keys(connection).await?;
    let mut reached = Reached::default();
    let mut all = StartRecord::all(service, connection, &keys).await?;
    all.retain(|(_, record)| {
        // An execution with as many claims as an inbox holds accepts no more: another one is
        // started.
        let is_full = record.next - record.from >= INBOX_CAPACITY as u64;
        !is_full && record.condition.accepts(event, now)
    });
    let published_as = match posted.published_as {
        // Subscribers at the time of the publication have the event.
        Some(number) => {
            let mut others = Vec::new();
            for (key, record) in all {
                if event_bus::subscribed_from(connection, &key).await?.is_none_or(|from| from > number) {
                    others.push((key, record));
                }
            }
            all = others;
            Some(number)
        }
        None if opening.is_awaited_later() && attempt == Attempt::Initial => {
            Some(event_bus::next_number(connection).await?)
        }
        None => None,
    };
    let posted = &PostedEvent { is_shared: all.len() > 1, published_as, ..*posted };
    if posted.is_shared {
        connection.vm.sys_state_set(
            shared_claim_key(event),
            Bytes::from(all.len().to_string()),
            None,
            any_payload(),
        )?;
    }
    let mut takers = Vec::new();
    for (key, mut record) in all {
        record.offer(service, connection, &key, posted, now)?;
        reached.executions += 1;
        takers.push(key);
    }
    // Other subscribers keep the event if a later state may await it.
    if opening.is_awaited_later() && attempt == Attempt::Initial {
        reached.executions += event_bus::broadcast(service, connection, &keys, event, &takers).await?;
    }
    if takers.is_empty() {
        // The time of the posting counts, also if an execution claimed the event first and
        // declined.
        if !admits_start(service, connection, posted.at, deployed).await? {
            return Ok(reached);
        }
        match start_execution(service, connection, &opening, posted, now).await? {
            true => reached.started += 1,
            // The event had started the execution before, and that record has expired.
            false => reached.executions += 1,
        }
    }
    reached.taken = true;
    Ok(reached)
}

/// Journals and returns the current time and the configured deployment time.
async fn time_and_deployment(
    service: &Service,
    connection: &mut Connection,
) -> Result<(Timestamp, Option<Timestamp>), Error> {
    let deployed = service.deployed_at.map_or(Value::Null, |at| at.as_micros().into());
    loop {
        if let connection::Waited::Done(Notified::Success(entry)) = connection.keep("now", &deployed).await? {
            let (now, deployed) = journal::decode(&entry);
            return Ok((now, deployed.ok().and_then(|at| at.as_i64()).map(Timestamp::from_micros)));
        }
    }
}

/// Returns `true` if the schedule admits a start at this time. The first admitted start is the
/// deployment time by default.
async fn admits_start(
    service: &Service,
    connection: &mut Connection,
    now: Timestamp,
    deployed: Option<Timestamp>,
) -> Result<bool, Error> {
    let definition = service.program.definition;
    let Some(schedule) = definition.schedule else { return Ok(true) };
    let deployed = match deployed {
        None if schedule.needs_deployment() => event_bus::deployment_time(connection, now).await?,
        deployed => deployed.unwrap_or_default(),
    };
    Ok(definition.check_schedule(now, || deployed).is_ok())
}

/// Starts an execution with an event. Returns `false` if the event started it before.
async fn start_execution(
    service: &Service,
    connection: &mut Connection,
    opening: &TriggerMatch,
    posted: &PostedEvent<'_>,
    now: Timestamp,
) -> Result<bool, Error> {
    let event = posted.event;
    let mut key = TriggerMatch::execution_name(event);
    loop {
        let execution =
            AttachInvocationTarget::WorkflowId { name: service.name.clone(), key: key.clone(), scope: None };
        let there = connection.vm.sys_get_invocation_output(execution)?;
        match connection.finished(there).await? {
            Notified::Failure(TerminalFailure { code: 404, .. }) => break,
            // A client has used this key and was refused. Restate stores the refusal, so the key
            // is taken.
            Notified::Failure(TerminalFailure { code: handlers::REFUSED_KEY, .. }) => key = next_key(&key),
            _ => return Ok(false),
        }
    }
    let correlation = opening.correlation(event);
    let mut run = connection::target(&service.name, handlers::Handler::Run.name(), &key);
    run.headers.push(Header { key: links::EVENT.into(), value: "true".into() });
    run.headers.extend(correlation.as_ref().map(|value| links::correlation_header(value)));
    connection.vm.sys_send(run, Bytes::from(Value::from(Object::new()).to_string()), None, None, any_payload())?;
    // From here on the execution receives published events, although it has not begun.
    event_bus::subscribe_from_now(connection, &key).await?;
    let correlation = correlation.unwrap_or_else(|| key.as_str().into());
    if let Some(condition) = StartCondition::new(service.program.definition, correlation) {
        let mut record = StartRecord { condition, next: 0, from: 0, visit: 0 };
        record.offer(service, connection, &key, posted, now)?;
    }
    Ok(true)
}

/// Returns an alternative for the key of an event: with one more space before the source, which
/// contains none.
fn next_key(key: &str) -> String {
    key.replacen(' ', "  ", 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_events_are_unique_and_reserved() {
        let event = |source: &str, id: &str| TriggerMatch::execution_name(&CloudEvent::new(id, source, "t"));
        let key = event("/ward", "777");
        assert_eq!((&*key, &*next_key(&key)), ("event /ward 777", "event  /ward 777"));
        assert_ne!(next_key(&key), next_key(&next_key(&key)));
        for key in [&key, &next_key(&key), &event("urn:x", "7")] {
            assert!(workflow_runtime::id::check(key).is_err(), "{key}");
        }
    }

    #[test]
    fn sources_are_uri_references() {
        for (source, is_taken) in
            [("/ward", true), ("urn:x", true), ("http://[::1]/a", true), ("http://[", false), ("a b", false)]
        {
            assert_eq!(is_uri_reference(source), is_taken, "{source}");
        }
    }
}
