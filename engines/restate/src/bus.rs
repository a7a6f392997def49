//! The bus of a service: who publishes an event tells the bus, and the bus tells every execution of the service that runs.
//!
//! It is a virtual object with one key, which does one thing after the other. So the events that it takes have an order, and
//! it numbers them; an execution is told when it begins which number comes next, and takes them in that order, each once.
//! There is one for each service whose definition waits for events. It also knows what [starts](crate::starting) executions.

use hyper::body::Bytes;
use restate_sdk_shared_core::{Error, Input, PayloadOptions, Target, VM, Value as Notified};
use workflow_runtime::value::TEXT_LIMIT;
use workflow_runtime::{CloudEvent, Timestamp, Value, value};

use crate::beyond::Stay;
use crate::directory;
use crate::endpoint::Service;
use crate::events;
use crate::handlers::{self, read_json};
use crate::link::{self, Link, Waited, any_payload};
use crate::starting;

/// What the name of a bus has after that of its service.
const SUFFIX: &str = ".events";

/// The only key of the bus. Others are those of events.
pub(crate) const KEY: &str = "all";

/// The number of the next event, in the state of the bus.
const NEXT: &str = "next";

/// When the workflow was deployed, in the state of the bus: microseconds since 1970.
const DEPLOYED: &str = "deployed";

/// What the names of executions have before them in the state of the bus: an entry for each that runs. It is the number of the next
/// event, if that is not the one that comes next when the execution begins.
const LISTENER: &str = "to/";

/// What is said of an event that cannot be told.
pub(crate) const TOO_DEEP: &str = "what the event carries is nested too deeply to be kept";

/// A handler of a bus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Handler {
    /// An execution begins. Yields the number of the next event.
    Subscribe,
    /// An execution has ended.
    Unsubscribe,
    /// Tells all executions that run of an event. Yields how many those are.
    Publish,
    /// An execution asks when the workflow was deployed; the first one says when it was started, and that is it.
    Deployed,
    /// As `Publish`, from outside, and events start executions. Yields how many have the event, and how many it has started.
    Start,
    /// Has an event taken once. The key is that of the event.
    Once,
    /// It was, long ago.
    Forget,
    /// Gives an event to those that take it in their first state, or starts an execution with it.
    Take,
    /// An execution is not in its first state any more.
    Left,
    /// An execution is in its first state again, or waits for something else there than the bus knows.
    Back,
    /// An execution is not there any more, and has not taken an event there.
    Lost,
    /// What an execution was given there that was killed long ago is not kept any more.
    Clear,
}

impl Handler {
    pub const ALL: [Handler; 12] = [
        Handler::Subscribe,
        Handler::Unsubscribe,
        Handler::Publish,
        Handler::Deployed,
        Handler::Start,
        Handler::Once,
        Handler::Forget,
        Handler::Take,
        Handler::Left,
        Handler::Back,
        Handler::Lost,
        Handler::Clear,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Handler::Subscribe => "subscribe",
            Handler::Unsubscribe => "unsubscribe",
            Handler::Publish => "publish",
            Handler::Deployed => "deployed",
            Handler::Start => "start",
            Handler::Once => "once",
            Handler::Forget => "forget",
            Handler::Take => "take",
            Handler::Left => "left",
            Handler::Back => "back",
            Handler::Lost => "lost",
            Handler::Clear => "clear",
        }
    }

    /// Whether the bus of a service has it.
    pub fn is_there(self, service: &Service) -> bool {
        match self {
            Handler::Deployed => service.counts_from_deployment(),
            Handler::Subscribe | Handler::Unsubscribe | Handler::Publish | Handler::Start => true,
            Handler::Once
            | Handler::Forget
            | Handler::Take
            | Handler::Left
            | Handler::Back
            | Handler::Lost
            | Handler::Clear => service.program.definition.starts_on.is_some(),
        }
    }

    /// Whether others call it than those that are served.
    pub fn is_public(self) -> bool {
        matches!(self, Handler::Publish | Handler::Start)
    }

    /// Whether several can be handled at the same time.
    pub fn is_shared(self) -> bool {
        self == Handler::Start
    }

    pub async fn handle(self, service: &Service, link: &mut Link) -> Result<(), Error> {
        let input = link.input().await?;
        match self {
            Handler::Subscribe => add(service, link, input).await,
            Handler::Unsubscribe => remove(service, link, input).await,
            Handler::Publish => publish(service, link, input).await,
            Handler::Deployed => keep_deployment(link, input).await,
            Handler::Start => starting::start(service, link, input).await,
            Handler::Once => starting::once(service, link, input).await,
            Handler::Forget => starting::forget(link),
            Handler::Take => starting::take(service, link, input).await,
            Handler::Left => starting::left(service, link, input).await,
            Handler::Back => starting::back(service, link, input).await,
            Handler::Lost => starting::lost(service, link, input).await,
            Handler::Clear => starting::clear(service, link, input).await,
        }
    }
}

/// The name of the bus of a service.
pub(crate) fn name(service: &str) -> String {
    format!("{service}{SUFFIX}")
}

/// The name of the service, by that of its bus.
pub(crate) fn service_of(name: &str) -> Option<&str> {
    name.strip_suffix(SUFFIX)
}

/// Where the bus of a service is reached from outside.
pub(crate) fn path(service: &str, handler: Handler) -> String {
    format!("{}/{KEY}/{}", name(service), handler.name())
}

/// A handler of the bus of a service.
pub(crate) fn target(service: &str, handler: Handler) -> Target {
    link::target(&name(service), handler.name(), KEY)
}

/// From where on an execution hears of events.
pub(crate) enum Subscribed {
    /// From these on, if it does at all.
    From(From),
    /// It is to be cancelled.
    Cancelled,
}

/// The numbers of the events that an execution hears of next.
#[derive(Default)]
pub(crate) struct From {
    /// Of those that are published to all.
    pub published: Option<u64>,
    /// Of those that it takes in its first state, if events start executions of its workflow.
    pub first: Option<u64>,
}

/// An execution that begins.
pub(crate) struct Listener<'a> {
    pub key: &'a str,
    /// The value of one that begins with its first state.
    pub correlation: Option<&'a str>,
    /// Whether an event has started it: then the bus knows of it already.
    pub is_started_by_event: bool,
}

/// Lets an execution hear of events, if its definition waits for any.
pub(crate) async fn subscribe(service: &Service, link: &mut Link, of: &Listener<'_>) -> Result<Subscribed, Error> {
    if !service.has_bus() {
        return Ok(Subscribed::From(From::default()));
    }
    let listener = match of.correlation.filter(|_| service.program.definition.starts_on.is_some()) {
        Some(correlation) => {
            let told = value!({ "key": of.key, "correlation": correlation, "started": of.is_started_by_event });
            Bytes::from(told.to_string())
        }
        None => listener(of.key),
    };
    let call = link.vm.sys_call(target(&service.name, Handler::Subscribe), listener, None, any_payload())?;
    match link.wait(call.call_notification_handle).await? {
        Waited::Done(Notified::Success(from)) => {
            let from = Value::from_json_slice(&from).unwrap_or_default();
            let part = |name: &str| from.get(name).and_then(number_of);
            let published = number_of(&from).or_else(|| part("published"));
            Ok(Subscribed::From(From { published, first: part("first") }))
        }
        Waited::Done(other) => Err(link.needs_people(format!("the bus `{}` answers {other:?}", name(&service.name)))),
        Waited::Cancelled => Ok(Subscribed::Cancelled),
    }
}

/// When the workflow of a service was deployed: when an execution of it was started first, which may be this one, at this time. None
/// if that is to be cancelled.
pub(crate) async fn deployed(service: &Service, link: &mut Link, at: Timestamp) -> Result<Option<Timestamp>, Error> {
    let own = Bytes::from(at.as_micros().to_string());
    let call = link.vm.sys_call(target(&service.name, Handler::Deployed), own, None, any_payload())?;
    match link.wait(call.call_notification_handle).await? {
        Waited::Done(Notified::Success(time)) => {
            let time = Value::from_json_slice(&time).ok().and_then(|time| time.as_i64());
            Ok(Some(time.map_or(at, Timestamp::from_micros)))
        }
        Waited::Done(other) => Err(link.needs_people(format!("the bus `{}` answers {other:?}", name(&service.name)))),
        Waited::Cancelled => Ok(None),
    }
}

async fn keep_deployment(link: &mut Link, input: Input) -> Result<(), Error> {
    let at = Value::from_json_slice(&input.input).ok().and_then(|at| at.as_i64()).unwrap_or_default();
    let deployed = deployment(link, Timestamp::from_micros(at)).await?;
    link.succeed(&deployed.as_micros().into())
}

/// When the workflow was deployed, as the bus knows it: at this time, if it does not.
pub(crate) async fn deployment(link: &mut Link, at: Timestamp) -> Result<Timestamp, Error> {
    let kept = link.vm.sys_state_get(DEPLOYED.into(), None, PayloadOptions::default())?;
    match link.finished(kept).await? {
        Notified::Success(kept) => {
            let kept = Value::from_json_slice(&kept).ok().and_then(|kept| kept.as_i64());
            Ok(kept.map_or(at, Timestamp::from_micros))
        }
        _ => {
            let now = Bytes::from(at.as_micros().to_string());
            link.vm.sys_state_set(DEPLOYED.into(), now, None, any_payload())?;
            Ok(at)
        }
    }
}

/// Lets an execution hear of events no more.
pub(crate) fn unsubscribe(service: &Service, link: &mut Link, key: &str) -> Result<(), Error> {
    if service.has_bus() {
        let unsubscribe = target(&service.name, Handler::Unsubscribe);
        link.vm.sys_send(unsubscribe, listener(key), None, None, any_payload())?;
    }
    Ok(())
}

/// An execution has ended before it began. Where an event has started it, the bus knows of it, and may have given it others.
pub(crate) fn never_began(service: &Service, link: &mut Link, key: &str) -> Result<(), Error> {
    if service.program.definition.starts_on.is_some() {
        starting::tell_left(service, link, key, Stay::from(1))?;
    }
    unsubscribe(service, link, key)
}

/// An execution was not there when something was to be brought to it: it was killed, or else it would have said so.
pub(crate) fn unsubscribe_dead(service: &Service, link: &mut Link, key: &str) -> Result<(), Error> {
    let told = Bytes::from(value!({ "key": key, "dead": true }).to_string());
    link.vm.sys_send(target(&service.name, Handler::Unsubscribe), told, None, None, any_payload())?;
    Ok(())
}

/// How an execution tells the bus who it is.
fn listener(key: &str) -> Bytes {
    Bytes::from(Value::from(key).to_string())
}

/// The execution that tells the bus of itself.
fn key_in(input: &Input) -> Option<String> {
    let told = Value::from_json_slice(&input.input).ok()?;
    told.get("key").unwrap_or(&told).as_str().map(str::to_owned)
}

/// The entry of an execution in the state of the bus.
fn entry(key: &str) -> String {
    format!("{LISTENER}{key}")
}

async fn add(service: &Service, link: &mut Link, input: Input) -> Result<(), Error> {
    let Some(key) = key_in(&input) else { return link.fail(400, "the name of an execution is expected") };
    let told = Value::from_json_slice(&input.input).unwrap_or_default();
    let is_known = told.get("started").and_then(Value::as_bool) != Some(false);
    let first = match told.get("correlation").and_then(Value::as_str) {
        Some(correlation) => starting::enter(service, link, &key, correlation, is_known).await?,
        None => None,
    };
    let Some(first) = first else {
        let next = next(link).await?;
        link.vm.sys_state_set(entry(&key), Bytes::from_static(b"true"), None, any_payload())?;
        return link.succeed(&Value::from(next as i64));
    };
    // One that an event has started hears of what was published since then.
    let from = heard_from(link, &key).await?.filter(|_| is_known);
    let from = match from {
        Some(from) => from,
        None => add_from_now(link, &key).await?,
    };
    link.succeed(&value!({ "published": from as i64, "first": first as i64 }))
}

/// Lets an execution hear of what is published from now on. The number of the next event.
pub(crate) async fn add_from_now(link: &mut Link, key: &str) -> Result<u64, Error> {
    let next = next(link).await?;
    link.vm.sys_state_set(entry(key), Bytes::from(next.to_string()), None, any_payload())?;
    Ok(next)
}

async fn remove(service: &Service, link: &mut Link, input: Input) -> Result<(), Error> {
    let told = Value::from_json_slice(&input.input).unwrap_or_default();
    if let Some(key) = key_in(&input) {
        // Another one may have the key meanwhile.
        if told.get("dead").is_some() && matches!(events::life(service, link, &key).await?, events::Life::Runs) {
            return link.succeed(&Value::Null);
        }
        link.vm.sys_state_clear(entry(&key), None)?;
        if service.program.definition.starts_on.is_some() {
            starting::gone(service, link, &key).await?;
        }
    }
    link.succeed(&Value::Null)
}

async fn publish(service: &Service, link: &mut Link, input: Input) -> Result<(), Error> {
    let read = read_json(&input.input).and_then(|event| {
        CloudEvent::from_value(&event).map_err(|problem| format!("the event is no CloudEvent: {problem}"))
    });
    let event = match read {
        Ok(event) => event,
        Err(problem) => return link.fail(400, problem),
    };
    if !directory::waits_for(service.program.definition, &event) {
        return link.succeed(&Value::from(0));
    }
    if !can_be_told(&event) {
        return link.fail(400, TOO_DEEP);
    }
    let keys = keys(link).await?;
    if service.program.definition.starts_on.is_some() {
        starting::note(service, link, &keys, &event).await?;
    }
    let count = tell(service, link, &keys, &event, &[]).await?;
    link.succeed(&Value::from(count))
}

/// Tells one execution of an event that it was given by this mark in its first state, and has not taken there.
pub(crate) async fn tell_again(
    service: &Service,
    link: &mut Link,
    key: &str,
    event: &CloudEvent,
    mark: &str,
) -> Result<(), Error> {
    let keys = keys(link).await?;
    if keys.binary_search(&entry(key)).is_err() {
        return Ok(());
    }
    tell_each(service, link, &keys, |number, to| match to == key {
        true => {
            let told = value!({ "number": number as i64, "event": event.to_value(), "again": mark });
            Some(Bytes::from(told.to_json(TEXT_LIMIT).unwrap_or_default()))
        }
        false => None,
    })
    .await?;
    Ok(())
}

/// The names of what is in the state of the bus, in order.
pub(crate) async fn keys(link: &mut Link) -> Result<Vec<String>, Error> {
    let keys = link.vm.sys_state_get_keys(None)?;
    let Notified::StateKeys(mut keys) = link.finished(keys).await? else {
        return Err(Error::internal("what is asked for are the keys of the state"));
    };
    keys.sort_unstable();
    Ok(keys)
}

/// Tells all executions of an event but those that have it. How many those are.
pub(crate) async fn tell(
    service: &Service,
    link: &mut Link,
    keys: &[String],
    event: &CloudEvent,
    having: &[String],
) -> Result<i64, Error> {
    let mut telling = None;
    tell_each(service, link, keys, |number, to| match having.iter().any(|having| having == to) {
        true => None,
        false => Some(telling.get_or_insert_with(|| told(number, event)).clone()),
    })
    .await
}

/// Tells each execution something, under the next number; how many those are. The next event has the next number, also for those
/// that are told nothing.
async fn tell_each(
    service: &Service,
    link: &mut Link,
    keys: &[String],
    mut what: impl FnMut(u64, &str) -> Option<Bytes>,
) -> Result<i64, Error> {
    let number = next(link).await?;
    let none = Bytes::from(value!({ "number": number as i64, "event": Value::Null }).to_string());
    let mut count = 0;
    for key in keys.iter().filter_map(|key| key.strip_prefix(LISTENER)) {
        let hear = link::target(&service.name, handlers::Handler::Hear.name(), key);
        let told = what(number, key);
        count += i64::from(told.is_some());
        link.vm.sys_send(hear, told.unwrap_or_else(|| none.clone()), None, None, any_payload())?;
    }
    let next = Bytes::from((number + 1).to_string());
    link.vm.sys_state_set(NEXT.into(), next, None, any_payload())?;
    Ok(count)
}

/// What executions are told.
fn told(number: u64, event: &CloudEvent) -> Bytes {
    // The text of a longer one is empty, which `can_be_told` refuses before anybody is told.
    let told = value!({ "number": number as i64, "event": event.to_value() });
    Bytes::from(told.to_json(TEXT_LIMIT).unwrap_or_default())
}

/// Whether executions can read what they are told of an event.
pub(crate) fn can_be_told(event: &CloudEvent) -> bool {
    Value::from_json_slice(&told(0, event)).is_ok()
}

/// From which number on an execution has heard of what is published, if the bus knows of it.
pub(crate) async fn heard_from(link: &mut Link, key: &str) -> Result<Option<u64>, Error> {
    let from = link.vm.sys_state_get(entry(key), None, PayloadOptions::default())?;
    Ok(match link.finished(from).await? {
        Notified::Success(from) => read_number(&from),
        _ => None,
    })
}

/// The number of the next event.
pub(crate) async fn next(link: &mut Link) -> Result<u64, Error> {
    let next = link.vm.sys_state_get(NEXT.into(), None, PayloadOptions::default())?;
    match link.finished(next).await? {
        Notified::Success(number) => {
            read_number(&number).ok_or_else(|| Error::internal("the number of the next event is none"))
        }
        _ => Ok(0),
    }
}

fn read_number(json: &[u8]) -> Option<u64> {
    number_of(&Value::from_json_slice(json).ok()?)
}

/// A number that is none of those below zero.
pub(crate) fn number_of(value: &Value) -> Option<u64> {
    value.as_i64().and_then(|number| u64::try_from(number).ok())
}
