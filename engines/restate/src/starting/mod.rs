//! Events from outside that start executions: once each, unless an execution takes them that is in its first state.
//!
//! Who has an event posts it. A virtual object for that event, whose key is the name of the execution that it starts, knows
//! whether it was taken before; it asks the bus, which does one thing after the other. The bus keeps, for each execution in its
//! first state, what that has been given for it, and so knows before the execution has seen them which events it takes still.
//!
//! Only the execution itself knows when it has left that state, because a time was over, or somebody else has sent it what it waited
//! for. It says so with the number of the first event that it has not taken there, and the bus finds another one for those. When it
//! comes back, it says so, too: that is another stay, with numbers of its own. One that was killed says nothing: whoever brings
//! it an event then tells the bus of that one.

mod record;
mod stays;

use std::time::Duration;

use hyper::body::Bytes;
use restate_sdk_shared_core::{
    AttachInvocationTarget, Error, Header, Input, NonEmptyValue, PayloadOptions, Target, TerminalFailure, VM,
    Value as Notified,
};
use workflow_runtime::machine::{EVENTS_KEPT, First, Opening};
use workflow_runtime::{Array, CloudEvent, Object, Timestamp, Value, value};

pub(crate) use record::mark;
use record::{Posted, Record, shared};
pub(crate) use stays::{back, clear, gone, left, lost, tell_back, tell_left, tell_lost, tell_open, tell_refused};

use crate::beyond;
use crate::bus::{self, Handler};
use crate::drive::END_OF_TIME;
use crate::endpoint::Service;
use crate::events::kept_time;
use crate::handlers::{self, read_json};
use crate::journal;
use crate::link::{self, Link, any_payload};

/// In the state of the object of an event: that it was taken.
const TAKEN: &str = "taken";

/// How many events one request can carry.
const MOST: usize = 1_000;

/// Starts to keep what an execution has been given, as soon as it begins, if events start such. The number of the first event that it
/// is given in its first state.
pub(crate) async fn enter(
    service: &Service,
    link: &mut Link,
    key: &str,
    correlation: &str,
    is_known: bool,
) -> Result<Option<u64>, Error> {
    // One that nobody has started with an event may have the key of another one that was killed.
    let known = Record::find(service, link, key).await?;
    if let Some(known) = known.as_ref().filter(|_| is_known) {
        return Ok(Some(known.from));
    }
    // What that was given has other numbers.
    gone(service, link, key).await?;
    let from = known.map_or(1, |known| known.next.max(1));
    let Some(first) = First::new(service.program.definition, correlation.into()) else { return Ok(None) };
    let record = Record { first, next: from, from, stay: 0 };
    record.keep(link, key)?;
    Ok(Some(record.from))
}

/// Notes an event that executions in their first states are told as all are.
pub(crate) async fn note(service: &Service, link: &mut Link, keys: &[String], event: &CloudEvent) -> Result<(), Error> {
    for (key, mut record) in Record::all(service, link, keys).await? {
        let before = record.first.open().len();
        record.first.note(event);
        if record.first.open().len() != before {
            record.keep(link, &key)?;
        }
    }
    Ok(())
}

/// What became of an event, or of several.
#[derive(Clone, Copy, Default)]
struct Reached {
    executions: i64,
    started: i64,
    /// Whether it is taken: then it starts nothing more.
    taken: bool,
}

impl Reached {
    fn to_value(self) -> Value {
        value!({ "executions": self.executions, "started": self.started })
    }
}

/// Takes an event that is posted, or a list of such.
pub(crate) async fn start(service: &Service, link: &mut Link, input: Input) -> Result<(), Error> {
    let read = read_json(&input.input).and_then(|body| match &body {
        Value::Array(events) if events.len() > MOST => {
            Err(format!("at most {MOST} events are taken at once, and these are {}", events.len()))
        }
        Value::Array(events) => Ok((events.iter().map(read_posted).collect::<Result<Vec<_>, _>>()?, true)),
        body => Ok((vec![read_posted(body)?], false)),
    });
    let (events, is_list) = match read {
        Ok(read) => read,
        Err(problem) => return link.fail(400, problem),
    };
    let mut all = Vec::new();
    for event in &events {
        match post(service, link, event).await? {
            Ok(answer) => all.push(answer),
            Err(failure) => return link.end(NonEmptyValue::Failure(failure)),
        }
    }
    match (is_list, all.pop()) {
        (false, Some(one)) => link.succeed(&one),
        (_, last) => link.succeed(&Array::from(all.into_iter().chain(last).collect::<Vec<_>>()).into()),
    }
}

/// Reads an event that somebody posts.
fn read_posted(event: &Value) -> Result<CloudEvent, String> {
    let event = read_event(event)?;
    match is_uri_reference(&event.source) {
        true => Ok(event),
        false => Err(format!("`source` is a URI or a part of one, and not {}", event.source)),
    }
}

fn is_uri_reference(source: &str) -> bool {
    fluent_uri::UriRef::parse(source).is_ok()
}

fn read_event(event: &Value) -> Result<CloudEvent, String> {
    let event = CloudEvent::from_value(event).map_err(|problem| format!("the event is no CloudEvent: {problem}"))?;
    // Executions that events start are named by the source and the id.
    if event.source.contains(char::is_whitespace) {
        return Err(format!("`source` is a URI or a part of one, and not {}", event.source));
    }
    match bus::can_be_told(&event) {
        true => Ok(event),
        false => Err(bus::TOO_DEEP.to_owned()),
    }
}

/// Has one event taken. What is answered, or why it is not.
async fn post(service: &Service, link: &mut Link, event: &CloudEvent) -> Result<Result<Value, TerminalFailure>, Error> {
    let (handler, key) = match Opening::of(service.program.definition, event) {
        Some(_) => (Handler::Once, Opening::name(event)),
        None => (Handler::Publish, bus::KEY.to_owned()),
    };
    let target = link::target(&bus::name(&service.name), handler.name(), &key);
    let answer = call(link, target, event).await?;
    Ok(answer.map(|answer| match answer {
        Value::Object(_) => answer,
        // All that is answered is how many have it.
        executions => value!({ "executions": executions, "started": 0 }),
    }))
}

async fn call(link: &mut Link, target: Target, event: &CloudEvent) -> Result<Result<Value, TerminalFailure>, Error> {
    let event = Bytes::from(event.to_value().to_string());
    let call = link.vm.sys_call(target, event, None, any_payload())?;
    Ok(match link.finished(call.call_notification_handle).await? {
        Notified::Success(answer) => Ok(Value::from_json_slice(&answer).unwrap_or_default()),
        Notified::Failure(failure) => Err(failure),
        _ => Ok(Value::Null),
    })
}

/// Has an event taken by the bus, unless it was before: this is the object of the event.
pub(crate) async fn once(service: &Service, link: &mut Link, input: Input) -> Result<(), Error> {
    let event = match read_json(&input.input).and_then(|event| read_event(&event)) {
        Ok(event) => event,
        Err(problem) => return link.fail(400, problem),
    };
    let taken = link.vm.sys_state_get(TAKEN.into(), None, PayloadOptions::default())?;
    if let Notified::Success(_) = link.finished(taken).await? {
        return link.succeed(&Reached { executions: 1, ..Reached::default() }.to_value());
    }
    let answer = match call(link, bus::target(&service.name, Handler::Take), &event).await? {
        Ok(answer) => answer,
        Err(failure) => return link.end(NonEmptyValue::Failure(failure)),
    };
    let number = |name: &str| answer.get(name).and_then(Value::as_i64).unwrap_or_default();
    if answer.get("taken").and_then(Value::as_bool) == Some(true) {
        link.vm.sys_state_set(TAKEN.into(), Bytes::from_static(b"true"), None, any_payload())?;
        let (now, known) = kept_time(service, link).await?;
        let forget = link::target(&bus::name(&service.name), Handler::Forget.name(), &input.key);
        let at = Duration::from_micros(u64::try_from(now.plus(known).as_micros()).unwrap_or_default());
        link.vm.sys_send(forget, Bytes::new(), Some(at.min(END_OF_TIME)), None, any_payload())?;
    }
    let (executions, started) = (number("executions"), number("started"));
    link.succeed(&Reached { executions, started, taken: true }.to_value())
}

/// It is not known any more that the event of this object was taken.
pub(crate) fn forget(link: &mut Link) -> Result<(), Error> {
    link.vm.sys_state_clear(TAKEN.into(), None)?;
    link.succeed(&Value::Null)
}

/// Gives an event to those that take it in their first states, or starts an execution with it. This is the bus.
pub(crate) async fn take(service: &Service, link: &mut Link, input: Input) -> Result<(), Error> {
    let event = match read_json(&input.input).and_then(|event| read_event(&event)) {
        Ok(event) => event,
        Err(problem) => return link.fail(400, problem),
    };
    let (now, deployed) = moment(service, link).await?;
    let posted = Posted { event: &event, at: now, is_shared: false, told: None };
    let reached = dispatch(service, link, &posted, Round::First, now, deployed).await?;
    let mut answer = reached.to_value();
    if let Some(answer) = answer.as_object_mut() {
        answer.insert("taken", reached.taken);
    }
    link.succeed(&answer)
}

/// How often an event was given to executions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Round {
    First,
    /// The one that was to take it has not.
    Again,
}

async fn dispatch(
    service: &Service,
    link: &mut Link,
    posted: &Posted<'_>,
    round: Round,
    now: Timestamp,
    deployed: Option<Timestamp>,
) -> Result<Reached, Error> {
    let (definition, event) = (service.program.definition, posted.event);
    let Some(opening) = Opening::of(definition, event) else { return Ok(Reached::default()) };
    let keys = bus::keys(link).await?;
    let mut reached = Reached::default();
    let mut all = Record::all(service, link, &keys).await?;
    all.retain(|(_, record)| {
        // One that has as many as an execution keeps takes no more: another one is started.
        let is_full = record.next - record.from >= EVENTS_KEPT as u64;
        !is_full && record.first.takes(event, now)
    });
    let told = match posted.told {
        // Who was told of it has it, wherever it was then.
        Some(told) => {
            let mut others = Vec::new();
            for (key, record) in all {
                if bus::heard_from(link, &key).await?.is_none_or(|from| from > told) {
                    others.push((key, record));
                }
            }
            all = others;
            Some(told)
        }
        None if opening.is_for_later() && round == Round::First => Some(bus::next(link).await?),
        None => None,
    };
    let posted = &Posted { is_shared: all.len() > 1, told, ..*posted };
    if posted.is_shared {
        link.vm.sys_state_set(shared(event), Bytes::from(all.len().to_string()), None, any_payload())?;
    }
    let mut takers = Vec::new();
    for (key, mut record) in all {
        record.give(service, link, &key, posted, now)?;
        reached.executions += 1;
        takers.push(key);
    }
    // Others keep it, if they wait for such later.
    if opening.is_for_later() && round == Round::First {
        reached.executions += bus::tell(service, link, &keys, event, &takers).await?;
    }
    if takers.is_empty() {
        // What counts is when it came, also where it was given to one first that has not taken it.
        if !is_active(service, link, posted.at, deployed).await? {
            return Ok(reached);
        }
        match begin(service, link, &opening, posted, now).await? {
            true => reached.started += 1,
            // It was started by this event before, and that is not known any more.
            false => reached.executions += 1,
        }
    }
    reached.taken = true;
    Ok(reached)
}

/// What time it is, and when the workflow was deployed, if that was said.
async fn moment(service: &Service, link: &mut Link) -> Result<(Timestamp, Option<Timestamp>), Error> {
    let deployed = service.deployed_at.map_or(Value::Null, |at| at.as_micros().into());
    loop {
        if let link::Waited::Done(Notified::Success(entry)) = link.keep("now", &deployed).await? {
            let (now, deployed) = journal::decode(&entry);
            return Ok((now, deployed.ok().and_then(|at| at.as_i64()).map(Timestamp::from_micros)));
        }
    }
}

/// Whether an execution can be started at this time. The first one that is says when the workflow was deployed.
async fn is_active(
    service: &Service,
    link: &mut Link,
    now: Timestamp,
    deployed: Option<Timestamp>,
) -> Result<bool, Error> {
    let definition = service.program.definition;
    let Some(schedule) = definition.schedule else { return Ok(true) };
    let deployed = match deployed {
        None if schedule.needs_deployment() => bus::deployment(link, now).await?,
        deployed => deployed.unwrap_or_default(),
    };
    Ok(schedule.admits(definition.name, now, deployed).is_ok())
}

/// Starts an execution with an event. False if it was started before.
async fn begin(
    service: &Service,
    link: &mut Link,
    opening: &Opening,
    posted: &Posted<'_>,
    now: Timestamp,
) -> Result<bool, Error> {
    let event = posted.event;
    let mut key = Opening::name(event);
    loop {
        let execution =
            AttachInvocationTarget::WorkflowId { name: service.name.clone(), key: key.clone(), scope: None };
        let there = link.vm.sys_get_invocation_output(execution)?;
        match link.finished(there).await? {
            Notified::Failure(TerminalFailure { code: 404, .. }) => break,
            // Somebody has called the service with this key, and was refused. Restate keeps that,
            // and takes the key for used.
            Notified::Failure(TerminalFailure { code: handlers::REFUSED_KEY, .. }) => key = next_key(&key),
            _ => return Ok(false),
        }
    }
    let correlation = opening.correlation(event);
    let mut run = link::target(&service.name, handlers::Handler::Run.name(), &key);
    run.headers.push(Header { key: beyond::EVENT.into(), value: "true".into() });
    run.headers.extend(correlation.as_ref().map(|value| beyond::correlation_header(value)));
    link.vm.sys_send(run, Bytes::from(Value::from(Object::new()).to_string()), None, None, any_payload())?;
    // What is published from now on is for it, although it has not begun.
    bus::add_from_now(link, &key).await?;
    let correlation = correlation.unwrap_or_else(|| key.as_str().into());
    if let Some(first) = First::new(service.program.definition, correlation) {
        let mut record = Record { first, next: 0, from: 0, stay: 0 };
        record.give(service, link, &key, posted, now)?;
    }
    Ok(true)
}

/// The key to be used where one that an event gives an execution cannot be: with one more space
/// before the source, which has none.
fn next_key(key: &str) -> String {
    key.replacen(' ', "  ", 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_events_are_of_one_event_and_of_nobody_else() {
        let event = |source: &str, id: &str| Opening::name(&CloudEvent::new(id, source, "t"));
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
