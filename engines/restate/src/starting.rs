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

use std::time::Duration;

use hyper::body::Bytes;
use restate_sdk_shared_core::{
    AttachInvocationTarget, Error, Header, Input, NonEmptyValue, PayloadOptions, Target, TerminalFailure, VM,
    Value as Notified,
};
use workflow_runtime::machine::{Definition, EVENTS_KEPT, First, Opening};
use workflow_runtime::{Array, CloudEvent, Object, Timestamp, Value, value};

use crate::beyond::{self, Stay};
use crate::bus::{self, Handler};
use crate::drive::END_OF_TIME;
use crate::endpoint::Service;
use crate::events::kept_time;
use crate::handlers::{self, read_json};
use crate::journal;
use crate::link::{self, Link, any_payload};

/// What the names of executions that are in their first state have before them in the state of the bus.
const FIRST: &str = "first/";

/// In the state of the object of an event: that it was taken.
const TAKEN: &str = "taken";

/// How many events one request can carry.
const MOST: usize = 1_000;

/// What the bus knows of an execution in its first state.
struct Record {
    first: First,
    /// The number of the next event that it is given for that state. Number 0 is the one that has started it, if one has.
    next: u64,
    /// The number of the first one.
    from: u64,
    /// How often it had left the state before.
    stay: u64,
}

impl Record {
    /// As it is kept.
    fn save(&self) -> Bytes {
        let open = Array::from(self.first.open().iter().map(|kind| Value::from(*kind)).collect::<Vec<_>>());
        let kept = value!({
            "correlation": &**self.first.correlation(),
            "open": open,
            "from": self.from as i64,
            "next": self.next as i64,
            "stay": self.stay as i64,
        });
        Bytes::from(kept.to_string())
    }

    fn load(definition: &'static Definition, kept: &[u8]) -> Option<Record> {
        let kept = Value::from_json_slice(kept).ok()?;
        let number = |name: &str| kept.get(name)?.as_i64().and_then(|number| u64::try_from(number).ok());
        let open = kept.get("open")?.as_array()?.iter();
        let open = open.filter_map(|kind| kind.as_i64().and_then(|kind| u32::try_from(kind).ok())).collect();
        let first = First::new(definition, kept.get("correlation")?.as_str()?.into())?.with_open(open);
        Some(Record { first, next: number("next")?, from: number("from")?, stay: number("stay").unwrap_or_default() })
    }

    /// The one of an execution, if the bus has it.
    async fn find(service: &Service, link: &mut Link, key: &str) -> Result<Option<Record>, Error> {
        let kept = link.vm.sys_state_get(entry(key), None, PayloadOptions::default())?;
        Ok(match link.finished(kept).await? {
            Notified::Success(kept) => Record::load(service.program.definition, &kept),
            _ => None,
        })
    }

    /// All that the bus has, by the keys of the executions.
    async fn all(service: &Service, link: &mut Link, keys: &[String]) -> Result<Vec<(String, Record)>, Error> {
        let mut asked = Vec::new();
        for key in keys.iter().filter_map(|key| key.strip_prefix(FIRST)) {
            asked.push((key, link.vm.sys_state_get(entry(key), None, PayloadOptions::default())?));
        }
        let mut all = Vec::new();
        for (key, kept) in asked {
            if let Notified::Success(kept) = link.finished(kept).await? {
                all.extend(Record::load(service.program.definition, &kept).map(|record| (key.to_owned(), record)));
            }
        }
        Ok(all)
    }

    fn keep(&self, link: &mut Link, key: &str) -> Result<(), Error> {
        link.vm.sys_state_set(entry(key), self.save(), None, any_payload())
    }

    /// Gives the execution an event for its first state, at this time.
    fn give(
        &mut self,
        service: &Service,
        link: &mut Link,
        key: &str,
        posted: &Posted<'_>,
        at: Timestamp,
    ) -> Result<(), Error> {
        let event = posted.event;
        let number = self.next;
        self.next += 1;
        self.first.note(event);
        if number > 0 {
            // It may have left that state.
            let kept = value!({ "event": event.to_value(), "posted": posted.at.as_micros() });
            link.vm.sys_state_set(given(key, self.stay, number), Bytes::from(kept.to_string()), None, any_payload())?;
        }
        let told = value!({
            "number": number as i64,
            "event": event.to_value(),
            "first": true,
            "stay": self.stay as i64,
            "at": at.as_micros(),
        });
        let hear = link::target(&service.name, handlers::Handler::Hear.name(), key);
        link.vm.sys_send(hear, Bytes::from(told.to_string()), None, None, any_payload())?;
        self.keep(link, key)
    }
}

/// The entry of an execution that is in its first state.
fn entry(key: &str) -> String {
    format!("{FIRST}{key}")
}

/// The entry of an event that it is given there, in a stay.
fn given(key: &str, stay: u64, number: u64) -> String {
    match stay {
        0 => format!("given/{number}/{key}"),
        _ => format!("given/{}/{key}", mark(stay, number).replace('/', ".")),
    }
}

/// By which it is known that an execution was given an event for its first state.
pub(crate) fn mark(stay: u64, number: u64) -> String {
    format!("{stay}/{number}")
}

/// An event, and when it was posted.
struct Posted<'a> {
    event: &'a CloudEvent,
    at: Timestamp,
}

/// Starts to keep what an execution has been given, as soon as it begins, if events start such. The number of the first event that it
/// is given in its first state.
pub(crate) async fn enter(
    service: &Service,
    link: &mut Link,
    key: &str,
    correlation: &str,
) -> Result<Option<u64>, Error> {
    if let Some(known) = Record::find(service, link, key).await? {
        return Ok(Some(known.from));
    }
    let Some(first) = First::new(service.program.definition, correlation.into()) else { return Ok(None) };
    let record = Record { first, next: 1, from: 1, stay: 0 };
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
        Value::Array(events) => Ok((events.iter().map(read_event).collect::<Result<Vec<_>, _>>()?, true)),
        body => Ok((vec![read_event(body)?], false)),
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
    let posted = Posted { event: &event, at: now };
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
    let mut takers = Vec::new();
    for (key, mut record) in Record::all(service, link, &keys).await? {
        // One that has as many as an execution keeps takes no more: another one is started.
        let is_full = record.next - record.from >= EVENTS_KEPT as u64;
        if !is_full && record.first.takes(event, now) {
            record.give(service, link, &key, posted, now)?;
            reached.executions += 1;
            takers.push(key);
        }
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
    let key = Opening::name(event);
    let execution = AttachInvocationTarget::WorkflowId { name: service.name.clone(), key: key.clone(), scope: None };
    let there = link.vm.sys_get_invocation_output(execution)?;
    if !matches!(link.finished(there).await?, Notified::Failure(TerminalFailure { code: 404, .. })) {
        return Ok(false);
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

/// An execution is not in its first state any more: whoever else takes what it has not taken there gets that.
pub(crate) async fn left(service: &Service, link: &mut Link, input: Input) -> Result<(), Error> {
    let Some((told, key, stay)) = read_stay(&input) else {
        return link.fail(400, "the `key` of an execution is expected, and the `stay` in its first state");
    };
    let Some(next) = number_in(&told, "next") else {
        return link.fail(400, "the number of the `next` event is expected that the execution would take");
    };
    leave(service, link, &key, stay, next).await?;
    link.succeed(&Value::Null)
}

/// Forgets what an execution was given in a stay in its first state, and gives what it has not taken from this number on to others,
/// and to itself, if it waits for such later. The one that it was started with is its own in any case.
async fn leave(service: &Service, link: &mut Link, key: &str, stay: u64, next: u64) -> Result<(), Error> {
    let Some(record) = Record::find(service, link, key).await?.filter(|record| record.stay == stay) else {
        return Ok(());
    };
    remove(link, key)?;
    for number in record.from.max(1)..record.next {
        match number < next {
            true => link.vm.sys_state_clear(given(key, stay, number), None)?,
            false => give_again(service, link, key, stay, number).await?,
        }
    }
    Ok(())
}

/// An execution that is not there any more was to be brought an event for its first state: others get it.
pub(crate) async fn lost(service: &Service, link: &mut Link, input: Input) -> Result<(), Error> {
    let read = read_stay(&input).and_then(|(told, key, stay)| Some((key, stay, number_in(&told, "number")?)));
    let Some((key, stay, number)) = read else {
        return link.fail(400, "the `key` of an execution is expected, its `stay`, and the `number` of an event");
    };
    // It takes nothing more.
    remove(link, &key)?;
    give_again(service, link, &key, stay, number).await?;
    link.succeed(&Value::Null)
}

/// An execution takes no more events in its first state, as far as the bus knows.
pub(crate) fn remove(link: &mut Link, key: &str) -> Result<(), Error> {
    link.vm.sys_state_clear(entry(key), None)
}

/// Gives an event to others that was given to an execution in its first state, and that it has not taken there; once.
async fn give_again(service: &Service, link: &mut Link, key: &str, stay: u64, number: u64) -> Result<(), Error> {
    let kept = given(key, stay, number);
    let event = link.vm.sys_state_get(kept.clone(), None, PayloadOptions::default())?;
    let Notified::Success(event) = link.finished(event).await? else { return Ok(()) };
    link.vm.sys_state_clear(kept, None)?;
    let Ok(read) = read_json(&event) else { return Ok(()) };
    let Ok(event) = read_event(read.get("event").unwrap_or(&read)) else { return Ok(()) };
    let (now, deployed) = moment(service, link).await?;
    let at = read.get("posted").and_then(Value::as_i64).map_or(now, Timestamp::from_micros);
    let reached = dispatch(service, link, &Posted { event: &event, at }, Round::Again, now, deployed).await?;
    // All others that wait for such later have it.
    if Opening::of(service.program.definition, &event).is_some_and(|opening| opening.is_for_later()) {
        bus::tell_again(service, link, key, &event, &mark(stay, number)).await?;
    }
    if !reached.taken {
        // It did not come at a time when executions are started. Another time it may.
        let forget = link::target(&bus::name(&service.name), Handler::Forget.name(), &Opening::name(&event));
        link.vm.sys_send(forget, Bytes::new(), None, None, any_payload())?;
    }
    Ok(())
}

/// An execution is in its first state again: from now on it is given what it takes there.
pub(crate) async fn back(service: &Service, link: &mut Link, input: Input) -> Result<(), Error> {
    let Some((told, key, stay)) = read_stay(&input) else {
        return link.fail(400, "the `key` of an execution is expected, and the `stay` in its first state");
    };
    let mut record = told;
    if let Some(record) = record.as_object_mut() {
        record.insert("from", 1);
        record.insert("next", 1);
    }
    match Record::load(service.program.definition, record.to_string().as_bytes()) {
        Some(record) if record.stay == stay => record.keep(link, &key)?,
        _ => return link.fail(400, "the `correlation` value is expected, and the kinds of events that are `open`"),
    }
    link.succeed(&Value::Null)
}

/// What is told of an execution and a stay of it in its first state.
fn read_stay(input: &Input) -> Option<(Value, String, u64)> {
    let told = read_json(&input.input).ok()?;
    let (key, stay) = (told.get("key")?.as_str()?.to_owned(), number_in(&told, "stay")?);
    Some((told, key, stay))
}

fn number_in(told: &Value, name: &str) -> Option<u64> {
    told.get(name).and_then(Value::as_i64).and_then(|number| u64::try_from(number).ok())
}

/// Tells the bus that an execution is not in its first state any more, and did not take the next event there, nor those that
/// come after it.
pub(crate) fn tell_left(service: &Service, link: &mut Link, key: &str, stay: Stay) -> Result<(), Error> {
    let told = value!({ "key": key, "stay": stay.number as i64, "next": stay.next as i64 });
    tell(service, link, Handler::Left, &told)
}

/// Tells the bus that an execution is in its first state again, and what it waits for there.
pub(crate) fn tell_back(service: &Service, link: &mut Link, key: &str, stay: Stay, first: First) -> Result<(), Error> {
    let record = Record { first, next: 1, from: 1, stay: stay.number };
    let mut told = Value::from_json_slice(&record.save()).unwrap_or_default();
    if let Some(told) = told.as_object_mut() {
        told.insert("key", key);
    }
    tell(service, link, Handler::Back, &told)
}

/// Tells the bus that an execution is not there any more, and was not brought an event for its first state.
pub(crate) fn tell_lost(service: &Service, link: &mut Link, key: &str, stay: u64, number: u64) -> Result<(), Error> {
    let told = value!({ "key": key, "stay": stay as i64, "number": number as i64 });
    tell(service, link, Handler::Lost, &told)
}

fn tell(service: &Service, link: &mut Link, handler: Handler, told: &Value) -> Result<(), Error> {
    let target = bus::target(&service.name, handler);
    link.vm.sys_send(target, Bytes::from(told.to_string()), None, None, any_payload())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    workflow_runtime::include_workflow!("tests/flows/gloves.sw.json");

    #[test]
    fn what_the_bus_knows_of_an_execution_is_read_as_it_was_written() {
        let mut first = First::new(&gloves::DEFINITION, "a \"b\"".into()).unwrap();
        first.note(&CloudEvent::new("1", "/shop", "glove.left").extension("pair", "a \"b\""));
        let record = Record { first, next: 3, from: 1, stay: 2 };
        let read = Record::load(&gloves::DEFINITION, &record.save()).unwrap();
        assert_eq!((read.first.open().len(), read.next, read.from, read.stay), (1, 3, 1, 2));
        assert_eq!(read.first, record.first);
        for wrong in ["", "true", "{}", r#"{"correlation": "a", "open": [0], "from": 1, "next": -1}"#] {
            assert!(Record::load(&gloves::DEFINITION, wrong.as_bytes()).is_none(), "{wrong}");
        }
    }
}
