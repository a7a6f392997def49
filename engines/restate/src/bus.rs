//! The bus of a service: who publishes an event tells the bus, and the bus tells every execution of the service that runs.
//!
//! It is a virtual object with one key, which does one thing after the other. So the events that it takes have an order, and
//! it numbers them; an execution is told when it begins which number comes next, and takes them in that order, each once.
//! There is one for each service whose definition waits for events.

use hyper::body::Bytes;
use restate_sdk_shared_core::{Error, Input, PayloadOptions, Target, VM, Value as Notified};
use workflow_runtime::{CloudEvent, Timestamp, Value, value};

use crate::directory;
use crate::endpoint::Service;
use crate::handlers::{self, read_json};
use crate::link::{self, Link, Waited, any_payload};

/// What the name of a bus has after that of its service.
const SUFFIX: &str = ".events";

/// The only key.
const KEY: &str = "all";

/// The number of the next event, in the state of the bus.
const NEXT: &str = "next";

/// When the workflow was deployed, in the state of the bus: microseconds since 1970.
const DEPLOYED: &str = "deployed";

/// What the names of executions have before them in the state of the bus: an entry for each that runs.
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
}

impl Handler {
    pub const ALL: [Handler; 4] = [Handler::Subscribe, Handler::Unsubscribe, Handler::Publish, Handler::Deployed];

    pub fn name(self) -> &'static str {
        match self {
            Handler::Subscribe => "subscribe",
            Handler::Unsubscribe => "unsubscribe",
            Handler::Publish => "publish",
            Handler::Deployed => "deployed",
        }
    }

    /// Whether the bus of a service has it.
    pub fn is_there(self, service: &Service) -> bool {
        self != Handler::Deployed || service.counts_from_deployment()
    }

    pub async fn handle(self, service: &Service, link: &mut Link) -> Result<(), Error> {
        let input = link.input().await?;
        match self {
            Handler::Subscribe => add(link, input).await,
            Handler::Unsubscribe => remove(link, input),
            Handler::Publish => publish(service, link, input).await,
            Handler::Deployed => keep_deployment(link, input).await,
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
    /// From this number, if it does at all.
    From(Option<u64>),
    /// It is to be cancelled.
    Cancelled,
}

/// Lets an execution hear of events, if its definition waits for any.
pub(crate) async fn subscribe(service: &Service, link: &mut Link, key: &str) -> Result<Subscribed, Error> {
    if !service.has_bus() {
        return Ok(Subscribed::From(None));
    }
    let call = link.vm.sys_call(target(&service.name, Handler::Subscribe), listener(key), None, any_payload())?;
    match link.wait(call.call_notification_handle).await? {
        Waited::Done(Notified::Success(number)) => Ok(Subscribed::From(read_number(&number))),
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
    let kept = link.vm.sys_state_get(DEPLOYED.into(), None, PayloadOptions::default())?;
    let kept = match link.finished(kept).await? {
        Notified::Success(kept) => kept,
        _ => {
            link.vm.sys_state_set(DEPLOYED.into(), input.input.clone(), None, any_payload())?;
            input.input
        }
    };
    link.succeed(&Value::from_json_slice(&kept).unwrap_or_default())
}

/// Lets an execution hear of events no more.
pub(crate) fn unsubscribe(service: &Service, link: &mut Link, key: &str) -> Result<(), Error> {
    if service.has_bus() {
        let unsubscribe = target(&service.name, Handler::Unsubscribe);
        link.vm.sys_send(unsubscribe, listener(key), None, None, any_payload())?;
    }
    Ok(())
}

/// How an execution tells the bus who it is.
fn listener(key: &str) -> Bytes {
    Bytes::from(Value::from(key).to_string())
}

/// The entry of an execution in the state of the bus.
fn entry(input: &Input) -> Option<String> {
    Some(format!("{LISTENER}{}", Value::from_json_slice(&input.input).ok()?.as_str()?))
}

async fn add(link: &mut Link, input: Input) -> Result<(), Error> {
    let Some(entry) = entry(&input) else { return link.fail(400, "the name of an execution is expected") };
    let next = next(link).await?;
    link.vm.sys_state_set(entry, Bytes::from_static(b"true"), None, any_payload())?;
    link.succeed(&Value::from(next as i64))
}

fn remove(link: &mut Link, input: Input) -> Result<(), Error> {
    if let Some(entry) = entry(&input) {
        link.vm.sys_state_clear(entry, None)?;
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
    let number = next(link).await?;
    let keys = link.vm.sys_state_get_keys(None)?;
    let Notified::StateKeys(mut keys) = link.finished(keys).await? else {
        return Err(Error::internal("what is asked for are the keys of the state"));
    };
    keys.sort_unstable();
    let told = told(number, &event);
    let mut count = 0;
    for key in keys.iter().filter_map(|key| key.strip_prefix(LISTENER)) {
        let hear = link::target(&service.name, handlers::Handler::Hear.name(), key);
        link.vm.sys_send(hear, told.clone(), None, None, any_payload())?;
        count += 1;
    }
    let next = Bytes::from((number + 1).to_string());
    link.vm.sys_state_set(NEXT.into(), next, None, any_payload())?;
    link.succeed(&Value::from(count))
}

/// What executions are told.
fn told(number: u64, event: &CloudEvent) -> Bytes {
    Bytes::from(value!({ "number": number as i64, "event": event.to_value() }).to_string())
}

/// Whether executions can read what they are told of an event.
pub(crate) fn can_be_told(event: &CloudEvent) -> bool {
    Value::from_json_slice(&told(0, event)).is_ok()
}

/// The number of the next event.
async fn next(link: &mut Link) -> Result<u64, Error> {
    let next = link.vm.sys_state_get(NEXT.into(), None, PayloadOptions::default())?;
    match link.finished(next).await? {
        Notified::Success(number) => {
            read_number(&number).ok_or_else(|| Error::internal("the number of the next event is none"))
        }
        _ => Ok(0),
    }
}

fn read_number(json: &[u8]) -> Option<u64> {
    Value::from_json_slice(json).ok()?.as_i64().and_then(|number| u64::try_from(number).ok())
}
