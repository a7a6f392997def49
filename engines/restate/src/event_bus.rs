//! Event bus of a service: publishers send events to the bus, and the bus delivers them to every
//! running execution of the service.
//!
//! The bus is a virtual object with one key, which handles one request after the other. So it
//! orders and numbers the events. An execution subscribes when it begins, receives the number of
//! the next event, and processes events in that order, each once. Every service whose definition
//! waits for events has a bus. The bus also decides which events [start](crate::event_triggers)
//! executions.

use hyper::body::Bytes;
use restate_sdk_shared_core::{Error, Input, PayloadOptions, Target, VM, Value as Notified};
use workflow_runtime::value::TEXT_LIMIT;
use workflow_runtime::{CloudEvent, Timestamp, Value, value};

use crate::connection::{self, Connection, Waited, any_payload};
use crate::directory;
use crate::endpoint::Service;
use crate::event_triggers;
use crate::handlers::{self, read_json};
use crate::inbox;
use crate::links::StartVisit;

/// Suffix of a bus name after the name of its service.
const SUFFIX: &str = ".events";

/// Key of the bus. Other keys of the same object are those of events.
pub(crate) const KEY: &str = "all";

/// State entry: the number of the next event.
const NEXT: &str = "next";

/// State entry: the deployment time of the workflow, in microseconds since 1970.
const DEPLOYED: &str = "deployed";

/// Prefix of the state entries of subscribers. The value is the number of the subscriber's first
/// event, if it is not the next one at its start.
const SUBSCRIBER: &str = "to/";

/// Message for an event that cannot be encoded.
pub(crate) const TOO_DEEP: &str = "the data of the event is nested too deeply";

/// Handler of an event bus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BusHandler {
    /// Subscribes an execution that begins. Returns the number of the next event.
    Subscribe,
    /// Unsubscribes an execution that has ended.
    Unsubscribe,
    /// Publishes an event to all running executions. Returns their number.
    Publish,
    /// Returns the deployment time, and stores the time of the first request.
    Deployed,
    /// Publishes an event from outside, which may start executions. Returns the numbers of
    /// deliveries and of starts.
    Start,
    /// Processes an event once. The key is that of the event.
    Once,
    /// Removes the record that an event was processed.
    Forget,
    /// Offers an event to the executions that wait for it in their start state, or starts an
    /// execution.
    Take,
    /// An execution has left its start state.
    LeftStartState,
    /// An execution has re-entered its start state, or waits for other events there than the bus
    /// assumes.
    ReenteredStartState,
    /// An event for an execution's start state was undeliverable or declined.
    Undeliverable,
    /// Removes the claims of an execution that was killed long ago.
    PurgeClaims,
}

impl BusHandler {
    pub const ALL: [BusHandler; 12] = [
        BusHandler::Subscribe,
        BusHandler::Unsubscribe,
        BusHandler::Publish,
        BusHandler::Deployed,
        BusHandler::Start,
        BusHandler::Once,
        BusHandler::Forget,
        BusHandler::Take,
        BusHandler::LeftStartState,
        BusHandler::ReenteredStartState,
        BusHandler::Undeliverable,
        BusHandler::PurgeClaims,
    ];

    pub fn name(self) -> &'static str {
        match self {
            BusHandler::Subscribe => "subscribe",
            BusHandler::Unsubscribe => "unsubscribe",
            BusHandler::Publish => "publish",
            BusHandler::Deployed => "deployed",
            BusHandler::Start => "start",
            BusHandler::Once => "once",
            BusHandler::Forget => "forget",
            BusHandler::Take => "take",
            BusHandler::LeftStartState => "left_start_state",
            BusHandler::ReenteredStartState => "reentered_start_state",
            BusHandler::Undeliverable => "undeliverable",
            BusHandler::PurgeClaims => "purge_claims",
        }
    }

    /// Returns `true` if the bus of a service has this handler.
    pub fn is_served_by(self, service: &Service) -> bool {
        match self {
            BusHandler::Deployed => service.counts_from_deployment(),
            BusHandler::Subscribe | BusHandler::Unsubscribe | BusHandler::Publish | BusHandler::Start => true,
            BusHandler::Once
            | BusHandler::Forget
            | BusHandler::Take
            | BusHandler::LeftStartState
            | BusHandler::ReenteredStartState
            | BusHandler::Undeliverable
            | BusHandler::PurgeClaims => service.program.definition.starts_on.is_some(),
        }
    }

    /// Returns `true` if clients may call this handler.
    pub fn is_public(self) -> bool {
        matches!(self, BusHandler::Publish | BusHandler::Start)
    }

    /// Returns `true` if requests are handled concurrently.
    pub fn is_shared(self) -> bool {
        self == BusHandler::Start
    }

    pub async fn handle(self, service: &Service, connection: &mut Connection) -> Result<(), Error> {
        let input = connection.input().await?;
        match self {
            BusHandler::Subscribe => on_subscribe(service, connection, input).await,
            BusHandler::Unsubscribe => on_unsubscribe(service, connection, input).await,
            BusHandler::Publish => on_publish(service, connection, input).await,
            BusHandler::Deployed => on_deployed(connection, input).await,
            BusHandler::Start => event_triggers::on_start(service, connection, input).await,
            BusHandler::Once => event_triggers::on_once(service, connection, input).await,
            BusHandler::Forget => event_triggers::on_forget(connection),
            BusHandler::Take => event_triggers::on_take(service, connection, input).await,
            BusHandler::LeftStartState => event_triggers::on_left(service, connection, input).await,
            BusHandler::ReenteredStartState => event_triggers::on_reentered(service, connection, input).await,
            BusHandler::Undeliverable => event_triggers::on_undeliverable(service, connection, input).await,
            BusHandler::PurgeClaims => event_triggers::purge_claims(service, connection, input).await,
        }
    }
}

/// Returns the name of the bus of a service.
pub(crate) fn name(service: &str) -> String {
    format!("{service}{SUFFIX}")
}

/// Returns the name of the service of a bus.
pub(crate) fn service_of(name: &str) -> Option<&str> {
    name.strip_suffix(SUFFIX)
}

/// Returns the path of a handler at the ingress.
pub(crate) fn path(service: &str, handler: BusHandler) -> String {
    format!("{}/{KEY}/{}", name(service), handler.name())
}

/// Returns the target of a handler of the bus.
pub(crate) fn target(service: &str, handler: BusHandler) -> Target {
    connection::target(&name(service), handler.name(), KEY)
}

/// Result of a subscription.
pub(crate) enum Subscribed {
    /// The numbers of the first events.
    From(FirstNumbers),
    /// The execution is being cancelled.
    Cancelled,
}

/// Numbers of the first events of a subscriber.
#[derive(Default)]
pub(crate) struct FirstNumbers {
    /// Number among published events; `None` without a subscription.
    pub published: Option<u64>,
    /// Number among events for its start state, if events start executions of the workflow.
    pub start_state: Option<u64>,
}

/// Execution that subscribes.
pub(crate) struct Subscriber<'a> {
    pub key: &'a str,
    /// Correlation key of an execution that begins with its start state.
    pub correlation: Option<&'a str>,
    /// Set if an event started it: then the bus has a record of it.
    pub is_started_by_event: bool,
}

/// Subscribes an execution, if its definition waits for events.
pub(crate) async fn subscribe(
    service: &Service,
    connection: &mut Connection,
    of: &Subscriber<'_>,
) -> Result<Subscribed, Error> {
    if !service.has_bus() {
        return Ok(Subscribed::From(FirstNumbers::default()));
    }
    let subscriber = match of.correlation.filter(|_| service.program.definition.starts_on.is_some()) {
        Some(correlation) => {
            let request = value!({ "key": of.key, "correlation": correlation, "started": of.is_started_by_event });
            Bytes::from(request.to_string())
        }
        None => subscriber_json(of.key),
    };
    let call = connection.vm.sys_call(target(&service.name, BusHandler::Subscribe), subscriber, None, any_payload())?;
    match connection.wait(call.call_notification_handle).await? {
        Waited::Done(Notified::Success(from)) => {
            let from = Value::from_json_slice(&from).unwrap_or_default();
            let part = |name: &str| from.get(name).and_then(number_of);
            let published = number_of(&from).or_else(|| part("published"));
            Ok(Subscribed::From(FirstNumbers { published, start_state: part("first") }))
        }
        Waited::Done(other) => Err(connection
            .operator_error(format!("unexpected answer of the event bus `{}`: {other:?}", name(&service.name)))),
        Waited::Cancelled => Ok(Subscribed::Cancelled),
    }
}

/// Asks the bus for the deployment time of the workflow: the time `at` if this is the first start.
/// Returns `None` if the execution is being cancelled.
pub(crate) async fn request_deployment_time(
    service: &Service,
    connection: &mut Connection,
    at: Timestamp,
) -> Result<Option<Timestamp>, Error> {
    let own = Bytes::from(at.as_micros().to_string());
    let call = connection.vm.sys_call(target(&service.name, BusHandler::Deployed), own, None, any_payload())?;
    match connection.wait(call.call_notification_handle).await? {
        Waited::Done(Notified::Success(time)) => {
            let time = Value::from_json_slice(&time).ok().and_then(|time| time.as_i64());
            Ok(Some(time.map_or(at, Timestamp::from_micros)))
        }
        Waited::Done(other) => Err(connection
            .operator_error(format!("unexpected answer of the event bus `{}`: {other:?}", name(&service.name)))),
        Waited::Cancelled => Ok(None),
    }
}

async fn on_deployed(connection: &mut Connection, input: Input) -> Result<(), Error> {
    let at = Value::from_json_slice(&input.input).ok().and_then(|at| at.as_i64()).unwrap_or_default();
    let deployed = deployment_time(connection, Timestamp::from_micros(at)).await?;
    connection.succeed(&deployed.as_micros().into())
}

/// Returns the stored deployment time, and stores `at` if there is none.
pub(crate) async fn deployment_time(connection: &mut Connection, at: Timestamp) -> Result<Timestamp, Error> {
    let kept = connection.vm.sys_state_get(DEPLOYED.into(), None, PayloadOptions::default())?;
    match connection.finished(kept).await? {
        Notified::Success(kept) => {
            let kept = Value::from_json_slice(&kept).ok().and_then(|kept| kept.as_i64());
            Ok(kept.map_or(at, Timestamp::from_micros))
        }
        _ => {
            let now = Bytes::from(at.as_micros().to_string());
            connection.vm.sys_state_set(DEPLOYED.into(), now, None, any_payload())?;
            Ok(at)
        }
    }
}

/// Unsubscribes an execution.
pub(crate) fn unsubscribe(service: &Service, connection: &mut Connection, key: &str) -> Result<(), Error> {
    if service.has_bus() {
        let unsubscribe = target(&service.name, BusHandler::Unsubscribe);
        connection.vm.sys_send(unsubscribe, subscriber_json(key), None, None, any_payload())?;
    }
    Ok(())
}

/// Unsubscribes an execution that ended before it began. If an event started it, the bus has a
/// record of it, and may have offered it events.
pub(crate) fn unsubscribe_unstarted(service: &Service, connection: &mut Connection, key: &str) -> Result<(), Error> {
    if service.program.definition.starts_on.is_some() {
        event_triggers::send_left(service, connection, key, StartVisit::from(1))?;
    }
    unsubscribe(service, connection, key)
}

/// Unsubscribes an execution that was killed: a delivery has not found it, and it did not
/// unsubscribe.
pub(crate) fn unsubscribe_dead(service: &Service, connection: &mut Connection, key: &str) -> Result<(), Error> {
    let request = Bytes::from(value!({ "key": key, "dead": true }).to_string());
    connection.vm.sys_send(target(&service.name, BusHandler::Unsubscribe), request, None, None, any_payload())?;
    Ok(())
}

/// Returns the request of a subscriber that only names itself.
fn subscriber_json(key: &str) -> Bytes {
    Bytes::from(Value::from(key).to_string())
}

/// Returns the key of the execution that sent a request.
fn subscriber_key(input: &Input) -> Option<String> {
    let request = Value::from_json_slice(&input.input).ok()?;
    request.get("key").unwrap_or(&request).as_str().map(str::to_owned)
}

/// Returns the state entry of a subscriber.
fn entry(key: &str) -> String {
    format!("{SUBSCRIBER}{key}")
}

async fn on_subscribe(service: &Service, connection: &mut Connection, input: Input) -> Result<(), Error> {
    let Some(key) = subscriber_key(&input) else { return connection.fail(400, "expected the name of an execution") };
    let request = Value::from_json_slice(&input.input).unwrap_or_default();
    let was_started_by_event = request.get("started").and_then(Value::as_bool) != Some(false);
    let start_state = match request.get("correlation").and_then(Value::as_str) {
        Some(correlation) => {
            event_triggers::record_start(service, connection, &key, correlation, was_started_by_event).await?
        }
        None => None,
    };
    let Some(start_state) = start_state else {
        let next = next_number(connection).await?;
        connection.vm.sys_state_set(entry(&key), Bytes::from_static(b"true"), None, any_payload())?;
        return connection.succeed(&Value::from(next as i64));
    };
    // An execution that was started by an event receives what was published since then.
    let from = subscribed_from(connection, &key).await?.filter(|_| was_started_by_event);
    let from = match from {
        Some(from) => from,
        None => subscribe_from_now(connection, &key).await?,
    };
    connection.succeed(&value!({ "published": from as i64, "first": start_state as i64 }))
}

/// Subscribes an execution from now on. Returns the number of the next event.
pub(crate) async fn subscribe_from_now(connection: &mut Connection, key: &str) -> Result<u64, Error> {
    let next = next_number(connection).await?;
    connection.vm.sys_state_set(entry(key), Bytes::from(next.to_string()), None, any_payload())?;
    Ok(next)
}

async fn on_unsubscribe(service: &Service, connection: &mut Connection, input: Input) -> Result<(), Error> {
    let request = Value::from_json_slice(&input.input).unwrap_or_default();
    if let Some(key) = subscriber_key(&input) {
        // Another execution may have the key by now.
        if request.get("dead").is_some()
            && matches!(inbox::liveness(service, connection, &key).await?, inbox::Liveness::Runs)
        {
            return connection.succeed(&Value::Null);
        }
        connection.vm.sys_state_clear(entry(&key), None)?;
        if service.program.definition.starts_on.is_some() {
            event_triggers::on_ended(service, connection, &key).await?;
        }
    }
    connection.succeed(&Value::Null)
}

async fn on_publish(service: &Service, connection: &mut Connection, input: Input) -> Result<(), Error> {
    let read = read_json(&input.input).and_then(|event| {
        CloudEvent::from_value(&event).map_err(|problem| format!("the event is not a CloudEvent: {problem}"))
    });
    let event = match read {
        Ok(event) => event,
        Err(problem) => return connection.fail(400, problem),
    };
    if !directory::waits_for(service.program.definition, &event) {
        return connection.succeed(&Value::from(0));
    }
    if !is_encodable(&event) {
        return connection.fail(400, TOO_DEEP);
    }
    let keys = state_keys(connection).await?;
    if service.program.definition.starts_on.is_some() {
        event_triggers::record_published(service, connection, &keys, &event).await?;
    }
    let count = broadcast(service, connection, &keys, &event, &[]).await?;
    connection.succeed(&Value::from(count))
}

/// Redelivers an event to one execution, which declined it in its start state and may wait for it
/// in a later state. `mark` names the declined claim.
pub(crate) async fn redeliver_to(
    service: &Service,
    connection: &mut Connection,
    key: &str,
    event: &CloudEvent,
    mark: &str,
) -> Result<(), Error> {
    let keys = state_keys(connection).await?;
    if keys.binary_search(&entry(key)).is_err() {
        return Ok(());
    }
    deliver_to_each(service, connection, &keys, |number, to| match to == key {
        true => {
            let delivery = value!({ "number": number as i64, "event": event.to_value(), "again": mark });
            Some(Bytes::from(delivery.to_json(TEXT_LIMIT).unwrap_or_default()))
        }
        false => None,
    })
    .await?;
    Ok(())
}

/// Returns the names of all state entries, in order.
pub(crate) async fn state_keys(connection: &mut Connection) -> Result<Vec<String>, Error> {
    let keys = connection.vm.sys_state_get_keys(None)?;
    let Notified::StateKeys(mut keys) = connection.finished(keys).await? else {
        return Err(Error::internal("unexpected answer to the request for the state keys"));
    };
    keys.sort_unstable();
    Ok(keys)
}

/// Delivers an event to all subscribers except those in `having`. Returns the number of
/// deliveries.
pub(crate) async fn broadcast(
    service: &Service,
    connection: &mut Connection,
    keys: &[String],
    event: &CloudEvent,
    having: &[String],
) -> Result<i64, Error> {
    let mut delivery = None;
    deliver_to_each(service, connection, keys, |number, to| match having.iter().any(|having| having == to) {
        true => None,
        false => Some(delivery.get_or_insert_with(|| delivery_json(number, event)).clone()),
    })
    .await
}

/// Delivers something to each subscriber under the next number. Returns the number of deliveries.
/// Subscribers without a delivery receive an empty one, so that numbers are consecutive.
async fn deliver_to_each(
    service: &Service,
    connection: &mut Connection,
    keys: &[String],
    mut delivery: impl FnMut(u64, &str) -> Option<Bytes>,
) -> Result<i64, Error> {
    let number = next_number(connection).await?;
    let none = Bytes::from(value!({ "number": number as i64, "event": Value::Null }).to_string());
    let mut count = 0;
    for key in keys.iter().filter_map(|key| key.strip_prefix(SUBSCRIBER)) {
        let deliver = connection::target(&service.name, handlers::Handler::Deliver.name(), key);
        let delivery = delivery(number, key);
        count += i64::from(delivery.is_some());
        connection.vm.sys_send(deliver, delivery.unwrap_or_else(|| none.clone()), None, None, any_payload())?;
    }
    let next = Bytes::from((number + 1).to_string());
    connection.vm.sys_state_set(NEXT.into(), next, None, any_payload())?;
    Ok(count)
}

/// Encodes a delivery.
fn delivery_json(number: u64, event: &CloudEvent) -> Bytes {
    // The text is empty if it is too long, which `is_encodable` refuses before any delivery.
    let delivery = value!({ "number": number as i64, "event": event.to_value() });
    Bytes::from(delivery.to_json(TEXT_LIMIT).unwrap_or_default())
}

/// Returns `true` if executions can decode a delivery of this event.
pub(crate) fn is_encodable(event: &CloudEvent) -> bool {
    Value::from_json_slice(&delivery_json(0, event)).is_ok()
}

/// Returns the first event number of a subscriber.
pub(crate) async fn subscribed_from(connection: &mut Connection, key: &str) -> Result<Option<u64>, Error> {
    let from = connection.vm.sys_state_get(entry(key), None, PayloadOptions::default())?;
    Ok(match connection.finished(from).await? {
        Notified::Success(from) => read_number(&from),
        _ => None,
    })
}

/// Returns the number of the next event.
pub(crate) async fn next_number(connection: &mut Connection) -> Result<u64, Error> {
    let next = connection.vm.sys_state_get(NEXT.into(), None, PayloadOptions::default())?;
    match connection.finished(next).await? {
        Notified::Success(number) => {
            read_number(&number).ok_or_else(|| Error::internal("the number of the next event is invalid"))
        }
        _ => Ok(0),
    }
}

fn read_number(json: &[u8]) -> Option<u64> {
    number_of(&Value::from_json_slice(json).ok()?)
}

/// Reads a number that is not negative.
pub(crate) fn number_of(value: &Value) -> Option<u64> {
    value.as_i64().and_then(|number| u64::try_from(number).ok())
}
