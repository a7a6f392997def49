//! Events that arrive for an execution: sent to it alone, or published to all executions of its service. Each becomes a
//! numbered promise, and the execution takes them one after the other.
//!
//! An event is given to an execution once: that it was is a promise, too. And so is that the execution has no
//! room for more: it says so, and says when it has again.

use std::time::Duration;

use restate_sdk_shared_core::{
    AttachInvocationTarget, Error, Input, NonEmptyValue, NotificationHandle, VM, Value as Notified,
};
use workflow_runtime::machine::{Definition, Opening};
use workflow_runtime::{CloudEvent, Timestamp, Value};

use crate::endpoint::{KNOWN, Service};
use crate::handlers::{next_of, read_json, resolve};
use crate::link::{Link, Waited, any_payload};
use crate::{bus, directory, journal, promises, starting};

/// Takes an event that is sent to one execution.
pub(crate) async fn send(service: &Service, link: &mut Link, key: &str, event: &Value) -> Result<(), Error> {
    let event = match CloudEvent::from_value(event) {
        Ok(event) => event,
        Err(problem) => return link.fail(400, format!("the event is no CloudEvent: {problem}")),
    };
    let definition = service.program.definition;
    if !directory::waits_for(definition, &event) {
        let CloudEvent { kind, source, .. } = &event;
        let subject = event.subject.as_deref().map(|subject| format!(" and the subject `{subject}`"));
        let event = format!("the type `{kind}`, the source `{source}`{}", subject.unwrap_or_default());
        return link.fail(422, format!("`{}` waits for no event that has {event}", definition.name));
    }
    // All is asked at once.
    let given = Given::ask(link, &event)?;
    let alive = ask_life(service, link, key)?;
    let room = Room::ask(link)?;
    let correlation = Correlation::ask(link, definition)?;
    let Found::Not(given) = given.find(service, link, &event).await? else { return link.succeed(&Value::Null) };
    match read_life(link, alive).await? {
        Life::Runs => {}
        Life::Unknown => return link.fail(404, format!("there is no execution `{key}`")),
        Life::Ended => return link.fail(409, format!("the execution `{key}` has ended")),
    }
    let correlation = correlation.read(service, link, key).await?;
    if !is_for(definition, &event, &correlation) {
        let problem = format!("waits for such events with the correlation value `{correlation}` only");
        return link.fail(422, format!("the execution `{key}` {problem}"));
    }
    if !room.takes(link, definition, &event, &correlation).await? {
        let problem = "keeps as many events as it may that it does not wait for yet, and takes no more";
        return link.fail(429, format!("the execution `{key}` {problem}"));
    }
    if resolve(link, given, Timestamp::now(), Ok(Value::Null)).await?.is_some() {
        // Somebody else has sent it meanwhile.
        return link.succeed(&Value::Null);
    }
    let mut tried = None;
    loop {
        let number = next_of(link, promises::sent).await?;
        let refused = resolve(link, promises::sent(number), Timestamp::now(), Ok(event.to_value())).await?;
        match refused {
            None => return link.succeed(&Value::Null),
            // Another one came in between: the next number is this one's.
            Some(_) if tried != Some(number) => tried = Some(number),
            Some(problem) => return link.fail(500, format!("the event cannot be kept: {problem}")),
        }
    }
}

/// Takes an event that was published. Its number is in it: so it is taken once, and in the order of the bus.
pub(crate) async fn hear(service: &Service, link: &mut Link, input: Input) -> Result<(), Error> {
    let published = read_json(&input.input).unwrap_or_default();
    let number = published.get("number").and_then(bus::number_of);
    let Some((number, event)) = number.zip(published.get("event")) else {
        return link.fail(400, "what is published has a `number` and an `event`");
    };
    if event.is_null() {
        // It has that in another way.
        resolve(link, promises::published(number), Timestamp::now(), Ok(Value::Null)).await?;
        return link.succeed(&Value::Null);
    }
    let Ok(event) = CloudEvent::from_value(event) else {
        return link.fail(400, "what is published is a CloudEvent");
    };
    if published.get("first").and_then(Value::as_bool) == Some(true) {
        let at = published.get("at").and_then(Value::as_i64).map_or_else(Timestamp::now, Timestamp::from_micros);
        let stay = published.get("stay").and_then(bus::number_of);
        return take_first(service, link, &input.key, stay.unwrap_or_default(), number, at, &event).await;
    }
    let again = published.get("again").and_then(Value::as_str);
    let given = Given::ask(link, &event)?;
    let alive = ask_life(service, link, &input.key)?;
    let room = Room::ask(link)?;
    let definition = service.program.definition;
    let correlation = Correlation::ask(link, definition)?;
    let given = given.find(service, link, &event).await?;
    match read_life(link, alive).await? {
        Life::Runs => {}
        // It was killed, or else it would have said so.
        Life::Unknown | Life::Ended => {
            bus::unsubscribe_dead(service, link, &input.key)?;
            return link.succeed(&Value::Null);
        }
    }
    // One that it was given in its first state, and has not taken there, it does not have.
    let is_new = match &given {
        Found::Not(_) => true,
        Found::Before(mark) => mark.is_some() && mark.as_deref() == again,
    };
    let mut takes = false;
    if is_new {
        let correlation = correlation.read(service, link, &input.key).await?;
        takes = is_for(definition, &event, &correlation) && room.takes(link, definition, &event, &correlation).await?;
    }
    let mut has_it_already = false;
    match given {
        Found::Not(given) if takes => {
            let refused = resolve(link, given.clone(), Timestamp::now(), Ok(mark_value(again))).await?;
            if refused.is_some() {
                // Somebody else has given it meanwhile: for the first state, it may be.
                takes = again.is_some() && mark_of(link, given).await?.as_deref() == again;
                has_it_already = !takes;
            }
        }
        Found::Not(_) => {}
        Found::Before(_) => has_it_already = !is_new,
    }
    // What it does not take has a number all the same: the next event has the next one.
    let told = match takes {
        true => event.to_value(),
        false if has_it_already && again.is_none() => HAS_IT,
        false => Value::Null,
    };
    resolve(link, promises::published(number), Timestamp::now(), Ok(told)).await?;
    link.succeed(&Value::Null)
}

/// Takes an event for the first state of an execution: who gives it has found that it is for that.
async fn take_first(
    service: &Service,
    link: &mut Link,
    key: &str,
    stay: u64,
    number: u64,
    at: Timestamp,
    event: &CloudEvent,
) -> Result<(), Error> {
    // The one that is started with it may not have begun.
    if number > 0 && !matches!(life(service, link, key).await?, Life::Runs) {
        // It was killed, or has ended before it could see this.
        starting::tell_lost(service, link, key, stay, number)?;
        bus::unsubscribe_dead(service, link, key)?;
        return link.succeed(&Value::Null);
    }
    let given = Given::ask(link, event)?.find(service, link, event).await?;
    let mark = starting::mark(stay, number);
    // It was given in an earlier stay, and not taken there: else it would not be again. Where a later state waits for such, it was
    // told of it then.
    let is_new_here = |earlier: Option<String>| {
        let opening = Opening::of(service.program.definition, event);
        earlier.is_some_and(|earlier| earlier != mark) && opening.is_some_and(|opening| !opening.is_for_later())
    };
    let takes = match given {
        Found::Not(given) => {
            let refused = resolve(link, given.clone(), Timestamp::now(), Ok(mark_value(Some(&mark)))).await?;
            refused.is_none() || is_new_here(mark_of(link, given).await?)
        }
        Found::Before(earlier) => is_new_here(earlier),
    };
    let told = if takes { event.to_value() } else { HAS_IT };
    resolve(link, promises::first(stay, number), at, Ok(told)).await?;
    link.succeed(&Value::Null)
}

/// What is told in the place of an event that an execution has already.
const HAS_IT: Value = Value::Bool(true);

/// What is kept of how an event was given: the mark of one that was for the first state, else nothing.
fn mark_value(mark: Option<&str>) -> Value {
    mark.map_or(Value::Null, Value::from)
}

fn mark_in(entry: &[u8]) -> Option<String> {
    journal::decode(entry).1.ok().and_then(|mark| mark.as_str().map(str::to_owned))
}

/// The mark with which an event was given, by the promise of that.
async fn mark_of(link: &mut Link, given: String) -> Result<Option<String>, Error> {
    let entry = link.vm.sys_peek_promise(given)?;
    Ok(match link.finished(entry).await? {
        Notified::Success(entry) => mark_in(&entry),
        _ => None,
    })
}

/// Whether an event was given to an execution within the time in which that is known.
enum Found {
    /// The promise that is to be resolved by who gives it.
    Not(String),
    /// With the mark, if it was given for the first state.
    Before(Option<String>),
}

/// Whether an event was given to an execution: a question that was asked.
struct Given(NotificationHandle);

impl Given {
    fn ask(link: &mut Link, event: &CloudEvent) -> Result<Given, Error> {
        link.vm.sys_peek_promise(promises::given(&event.source, &event.id, 0)).map(Given)
    }

    async fn find(self, service: &Service, link: &mut Link, event: &CloudEvent) -> Result<Found, Error> {
        let (mut peeked, mut before) = (self.0, 0);
        let mut now = None;
        while let Notified::Success(entry) = link.finished(peeked).await? {
            // What time it is must be the same in a replay, and so must what is known.
            let (now, known) = match now {
                Some(now) => now,
                None => *now.insert(kept_time(service, link).await?),
            };
            if journal::decode(&entry).0.plus(known) > now {
                return Ok(Found::Before(mark_in(&entry)));
            }
            before += 1;
            peeked = link.vm.sys_peek_promise(promises::given(&event.source, &event.id, before))?;
        }
        Ok(Found::Not(promises::given(&event.source, &event.id, before)))
    }
}

/// What time it is, and how long events are known.
pub(crate) async fn kept_time(service: &Service, link: &mut Link) -> Result<(Timestamp, Duration), Error> {
    let known = i64::try_from(service.events_known_for.as_micros()).unwrap_or(i64::MAX);
    loop {
        if let Waited::Done(Notified::Success(entry)) = link.keep("now", &Value::from(known)).await? {
            let (now, known) = journal::decode(&entry);
            let known = known.ok().and_then(|known| u64::try_from(known.as_i64()?).ok());
            return Ok((now, known.map_or(KNOWN, Duration::from_micros)));
        }
    }
}

/// The correlation value of an execution: a question that was asked, where it matters.
struct Correlation(Option<NotificationHandle>);

/// Whether events are told to be for executions of a definition by a correlation value.
fn correlates(definition: &Definition) -> bool {
    definition.events.iter().any(|kind| kind.correlation.is_some())
}

impl Correlation {
    fn ask(link: &mut Link, definition: &Definition) -> Result<Correlation, Error> {
        if !correlates(definition) {
            return Ok(Correlation(None));
        }
        link.vm.sys_peek_promise(promises::CORRELATION.into()).map(|asked| Correlation(Some(asked)))
    }

    /// The one that it has: it says so when it begins, which is waited for. One that ended before it did has none, and takes nothing.
    async fn read(self, service: &Service, link: &mut Link, key: &str) -> Result<String, Error> {
        let Some(asked) = self.0 else { return Ok(key.to_owned()) };
        let mut told = link.finished(asked).await?;
        if !matches!(told, Notified::Success(_)) {
            let promise = link.vm.sys_get_promise(promises::CORRELATION.into())?;
            let (name, workflow_key) = (service.name.clone(), key.to_owned());
            let execution = AttachInvocationTarget::WorkflowId { name, key: workflow_key, scope: None };
            let ended = link.vm.sys_attach_invocation(execution)?;
            told = loop {
                match link.first(&[promise, ended]).await? {
                    Some((first, told)) if first == promise => break told,
                    Some(_) => break Notified::Void,
                    None => {}
                }
            };
        }
        let told = match told {
            Notified::Success(told) => journal::decode(&told).1.ok(),
            _ => None,
        };
        Ok(told.and_then(|told| told.as_str().map(str::to_owned)).unwrap_or_else(|| key.to_owned()))
    }
}

/// Tells those who deliver events the correlation value of an execution: the one that it is given, or else its key.
pub(crate) fn tell_correlation(link: &mut Link, definition: &Definition, value: &str) -> Result<(), Error> {
    if correlates(definition) {
        let value = NonEmptyValue::Success(journal::encode(journal::NO_TIME, &Ok(value.into())));
        link.vm.sys_complete_promise(promises::CORRELATION.into(), value, any_payload())?;
    }
    Ok(())
}

/// Whether a definition waits for such an event, where the execution has this correlation value.
fn is_for(definition: &Definition, event: &CloudEvent, correlation: &str) -> bool {
    definition.events.iter().any(|kind| kind.is_for(event, correlation))
}

/// Whether an execution has room for events that it does not wait for: a question that was asked.
struct Room(NotificationHandle);

impl Room {
    fn ask(link: &mut Link) -> Result<Room, Error> {
        link.vm.sys_peek_promise(promises::room(0)).map(Room)
    }

    async fn takes(
        self,
        link: &mut Link,
        definition: &Definition,
        event: &CloudEvent,
        correlation: &str,
    ) -> Result<bool, Error> {
        // Most often nothing was ever told.
        let Notified::Success(_) = link.finished(self.0).await? else { return Ok(true) };
        let told = next_of(link, promises::room).await?;
        let last = link.vm.sys_peek_promise(promises::room(told.saturating_sub(1)))?;
        let Notified::Success(last) = link.finished(last).await? else { return Ok(true) };
        let waits_for = match journal::decode(&last).1 {
            Ok(Value::Array(names)) => names,
            _ => return Ok(true),
        };
        let is_waited_for = |name: &Value| {
            let name = name.as_str();
            definition.events.iter().any(|kind| name == Some(kind.name) && kind.is_for(event, correlation))
        };
        Ok(waits_for.iter().any(is_waited_for))
    }
}

/// Whether there is an execution.
pub(crate) enum Life {
    Runs,
    Ended,
    Unknown,
}

pub(crate) async fn life(service: &Service, link: &mut Link, key: &str) -> Result<Life, Error> {
    let asked = ask_life(service, link, key)?;
    read_life(link, asked).await
}

fn ask_life(service: &Service, link: &mut Link, key: &str) -> Result<NotificationHandle, Error> {
    let (name, key) = (service.name.clone(), key.to_owned());
    link.vm.sys_get_invocation_output(AttachInvocationTarget::WorkflowId { name, key, scope: None })
}

async fn read_life(link: &mut Link, asked: NotificationHandle) -> Result<Life, Error> {
    Ok(match link.finished(asked).await? {
        Notified::Void => Life::Runs,
        Notified::Failure(failure) if failure.code == 404 => Life::Unknown,
        _ => Life::Ended,
    })
}
