//! Events of a service: virtual objects that decide which executions receive an event, and which
//! events start executions.
//!
//! The service `NAME.events` has an object for each correlation key (`k/KEY`), with the executions
//! of this key. An execution without a correlation key has its id as its key. The object numbers
//! the events of each execution, so that an execution has one sequence of events, whoever sends
//! them. It handles one request after the other, and decides with the coordination core of the
//! runtime: deduplication, start conditions, inbox capacity. An event of a kind that correlates
//! goes straight to the object of its value.
//!
//! Events of other kinds are for all executions. They go through the object `all`, which keeps
//! their order, and from there through [tries](trie) of correlation keys. The state of an object
//! grows with the executions of its correlation key only.

mod decision;
mod keyed;
mod members;
mod post;
mod returns;
mod route;
mod schedule;
mod spread;
mod trie;

use hyper::body::Bytes;
use restate_sdk_shared_core::{Error, Input, NonEmptyValue, PayloadOptions, Target, VM, Value as Notified};
use workflow_runtime::value::TEXT_LIMIT;
use workflow_runtime::{CloudEvent, Value, value};

pub(crate) use decision::REPORT_EVERY;
pub(crate) use keyed::{Subscriber, SubscriptionEnd, drop_unstarted, subscribe, unsubscribe};
pub(crate) use members::{kinds_from_value, kinds_to_value};
pub(crate) use post::full_execution;
pub(crate) use returns::{delivery_at, on_return, return_event};
pub(crate) use route::recipients;
pub(crate) use schedule::request_deployment_time;

use crate::connection::{self, Connection, any_payload};
use crate::endpoint::Service;
use crate::handlers::read_json;

/// Suffix of the name of these objects after the name of their service.
const SUFFIX: &str = ".events";

/// Key of the object that clients call, and that sends events to all executions.
const ALL: &str = "all";

/// Prefix of the objects of correlation keys.
const KEYED: &str = "k/";

/// Message for an event that cannot be encoded.
pub(crate) const TOO_DEEP: &str = "the data of the event is nested too deeply";

/// Handler of the objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EventHandler {
    /// Publishes an event to running executions. Returns their number.
    Publish,
    /// Publishes an event from outside, which may start executions. Returns the numbers of
    /// deliveries and of starts.
    Start,
    /// Sends an event to all executions, and decides whether it starts one.
    Spread,
    /// All executions of a correlation key have declined an event that they were offered.
    Declined,
    /// Returns the deployment time, and stores the time of the first request.
    Deployed,
    /// Offers an event to the executions of a correlation key.
    Offer,
    /// Delivers an event to one execution.
    Send,
    /// Subscribes an execution that begins. Returns its number.
    Subscribe,
    /// Unsubscribes an execution that has ended. Returns the number of its next event.
    Unsubscribe,
    /// An execution reports its start state, its inbox capacity, or an event that it declined.
    Report,
    /// Removes the record that an event was delivered.
    Forget,
    /// Adds a correlation key to a leaf of a trie, or removes it.
    Change,
    /// Sends an event to the correlation keys below a node of a trie.
    Visit,
}

impl EventHandler {
    pub const ALL: [(EventHandler, &str); 13] = [
        (EventHandler::Publish, "publish"),
        (EventHandler::Start, "start"),
        (EventHandler::Spread, "spread"),
        (EventHandler::Declined, "declined"),
        (EventHandler::Deployed, "deployed"),
        (EventHandler::Offer, "offer"),
        (EventHandler::Send, "send"),
        (EventHandler::Subscribe, "subscribe"),
        (EventHandler::Unsubscribe, "unsubscribe"),
        (EventHandler::Report, "report"),
        (EventHandler::Forget, "forget"),
        (EventHandler::Change, "change"),
        (EventHandler::Visit, "visit"),
    ];

    pub fn name(self) -> &'static str {
        EventHandler::ALL.iter().find(|(handler, _)| *handler == self).map_or("", |(_, name)| name)
    }

    /// Returns `true` if a service has this handler.
    pub fn is_served_by(self, service: &Service) -> bool {
        match self {
            EventHandler::Deployed => service.counts_from_deployment(),
            _ => service.waits_for_events(),
        }
    }

    /// Returns `true` if clients may call this handler.
    pub fn is_public(self) -> bool {
        matches!(self, EventHandler::Publish | EventHandler::Start)
    }

    /// Returns `true` if requests are handled concurrently.
    pub fn is_shared(self) -> bool {
        matches!(self, EventHandler::Publish | EventHandler::Start | EventHandler::Visit)
    }

    pub async fn handle(self, service: &Service, connection: &mut Connection) -> Result<(), Error> {
        let input = connection.input().await?;
        let answer = match self {
            EventHandler::Publish => post::on_publish(service, connection, input).await,
            EventHandler::Start => post::on_start(service, connection, input).await,
            EventHandler::Spread => spread::on_spread(service, connection, input).await,
            EventHandler::Declined => spread::on_declined(service, connection, input).await,
            EventHandler::Deployed => schedule::on_deployed(connection, input).await,
            EventHandler::Offer => keyed::on_offer(service, connection, input).await,
            EventHandler::Send => keyed::on_send(service, connection, input).await,
            EventHandler::Subscribe => keyed::on_subscribe(service, connection, input).await,
            EventHandler::Unsubscribe => keyed::on_unsubscribe(service, connection, input).await,
            EventHandler::Report => keyed::on_report(service, connection, input).await,
            EventHandler::Forget => keyed::on_forget(connection, input).await,
            EventHandler::Change => trie::on_change(service, connection, input).await,
            EventHandler::Visit => trie::on_visit(service, connection, input).await,
        };
        match answer {
            Ok(answer) => connection.succeed(&answer),
            Err(Stop::Refused(code, message)) => connection.fail(code, message),
            Err(Stop::Failed(failure)) => connection.end(failure),
            Err(Stop::Journal(error)) => Err(error),
        }
    }
}

/// Answer of a handler.
type Answer = Result<Value, Stop>;

/// Reason for which a handler gives no answer.
enum Stop {
    Journal(Error),
    Refused(u16, String),
    /// Another object has refused its part.
    Failed(NonEmptyValue),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Journal(error)
    }
}

impl From<String> for Stop {
    fn from(problem: String) -> Stop {
        Stop::Refused(400, problem)
    }
}

/// Returns the name of the objects of a service.
pub(crate) fn name(service: &str) -> String {
    format!("{service}{SUFFIX}")
}

/// Returns the name of the service of these objects.
pub(crate) fn service_of(name: &str) -> Option<&str> {
    name.strip_suffix(SUFFIX)
}

/// Returns the path of a public handler at the ingress.
pub(crate) fn path(service: &str, handler: EventHandler) -> String {
    format!("{}/{ALL}/{}", name(service), handler.name())
}

/// Returns the target of a handler of an object.
pub(crate) fn target(service: &str, handler: EventHandler, key: &str) -> Target {
    connection::target(&name(service), handler.name(), key)
}

/// Returns the target of a handler of the object of a correlation key.
pub(crate) fn keyed_target(service: &Service, handler: EventHandler, correlation: &str) -> Target {
    target(&service.name, handler, &format!("{KEYED}{correlation}"))
}

/// Sends a request without waiting for its result.
pub(crate) fn send(connection: &mut Connection, target: Target, request: &Value) -> Result<(), Error> {
    connection.vm.sys_send(target, encode(request), None, None, any_payload())?;
    Ok(())
}

/// Calls a handler. Returns its answer, or the failure with which it ended.
pub(crate) async fn call(
    connection: &mut Connection,
    target: Target,
    request: &Value,
) -> Result<Result<Value, NonEmptyValue>, Error> {
    let call = connection.vm.sys_call(target, encode(request), None, any_payload())?;
    Ok(match connection.finished(call.call_notification_handle).await? {
        Notified::Success(answer) => Ok(Value::from_json_slice(&answer).unwrap_or_default()),
        Notified::Failure(failure) => Err(NonEmptyValue::Failure(failure)),
        _ => Ok(Value::Null),
    })
}

/// Calls many objects at the same time. Returns the sum of their answers.
async fn call_all(
    connection: &mut Connection,
    requests: impl Iterator<Item = (Target, Bytes)>,
) -> Result<route::Reach, Error> {
    let mut calls = Vec::new();
    for (target, request) in requests {
        calls.push(connection.vm.sys_call(target, request, None, any_payload())?.call_notification_handle);
    }
    let mut reached = route::Reach::default();
    for call in calls {
        if let Notified::Success(answer) = connection.finished(call).await? {
            reached.add(&Value::from_json_slice(&answer).unwrap_or_default());
        }
    }
    Ok(reached)
}

/// Returns the request that publishes an event to the executions of a service, and its target:
/// those of a correlation key, or all.
pub(crate) fn publication(service: &str, correlation: Option<&str>, event: &CloudEvent) -> (Target, Value) {
    let target = match correlation {
        Some(correlation) => target(service, EventHandler::Offer, &format!("{KEYED}{correlation}")),
        None => target(service, EventHandler::Spread, ALL),
    };
    (target, spread::offer_json(event, decision::Mode::Publish, None, None))
}

/// Encodes a request. The text is empty if it is too long, which [`is_encodable`] excludes for
/// events.
pub(crate) fn encode(request: &Value) -> Bytes {
    Bytes::from(request.to_json(TEXT_LIMIT).unwrap_or_default())
}

/// Returns `true` if executions can decode a delivery of this event, and a snapshot that has it.
pub(crate) fn is_encodable(event: &CloudEvent) -> bool {
    // A snapshot has it in the deepest place: in a pair in a list in a member of a member.
    let header = value!({ "events": { "overflow": [[0, event.to_value()]] } });
    header.to_json(TEXT_LIMIT).is_ok_and(|text| Value::from_json(&text).is_ok())
}

/// Reads an event from a request.
fn read_event(event: &Value) -> Result<CloudEvent, String> {
    let event = CloudEvent::from_value(event).map_err(|problem| format!("the event is not a CloudEvent: {problem}"))?;
    match is_encodable(&event) {
        true => Ok(event),
        false => Err(TOO_DEEP.to_owned()),
    }
}

/// Reads a request of the service itself, with its event.
fn read_request(input: &Input) -> Result<(Value, CloudEvent), String> {
    let request = read_json(&input.input)?;
    let event = read_event(request.get("event").unwrap_or(&Value::Null))?;
    Ok((request, event))
}

/// Returns a state entry of this object as JSON.
async fn state(connection: &mut Connection, entry: &str) -> Result<Option<Value>, Error> {
    let kept = connection.vm.sys_state_get(entry.to_owned(), None, PayloadOptions::default())?;
    Ok(match connection.finished(kept).await? {
        Notified::Success(kept) => Value::from_json_slice(&kept).ok(),
        _ => None,
    })
}

/// Stores a state entry of this object.
fn set_state(connection: &mut Connection, entry: &str, kept: &Value) -> Result<(), Error> {
    connection.vm.sys_state_set(entry.to_owned(), encode(kept), None, any_payload())
}

/// Reads a number that is not negative.
pub(crate) fn number_of(value: &Value) -> Option<u64> {
    value.as_i64().and_then(|number| u64::try_from(number).ok())
}

/// Reads a member that is a number.
pub(crate) fn number_in(object: &Value, name: &str) -> Option<u64> {
    object.get(name).and_then(number_of)
}
