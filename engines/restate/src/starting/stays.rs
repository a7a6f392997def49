//! Executions leave their first states, come back, or are not there any more when an event for that reaches them.

use std::time::Duration;

use hyper::body::Bytes;
use restate_sdk_shared_core::{Error, Input, PayloadOptions, VM, Value as Notified};
use workflow_runtime::machine::{First, Opening};
use workflow_runtime::{CloudEvent, Value, value};

use super::record::{Kept, Posted, Record, entry, given, mark, shared};
use super::{Round, dispatch, moment};
use crate::beyond::Stay;
use crate::bus::{self, Handler};
use crate::drive::END_OF_TIME;
use crate::endpoint::Service;
use crate::events::{self, Life, kept_time};
use crate::handlers::read_json;
use crate::link::{self, Link, any_payload};

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
            true => taken(link, &given(key, stay, number)).await?,
            false => give_again(service, link, key, stay, number).await?,
        }
    }
    Ok(())
}

/// An event was taken: neither the execution nor others that were given it have to hand it on.
async fn taken(link: &mut Link, given: &str) -> Result<(), Error> {
    let kept = link.vm.sys_state_get(given.to_owned(), None, PayloadOptions::default())?;
    let Notified::Success(kept) = link.finished(kept).await? else { return Ok(()) };
    link.vm.sys_state_clear(given.to_owned(), None)?;
    if let Some(Kept { event, is_shared: true, .. }) = Kept::read(&kept) {
        link.vm.sys_state_clear(shared(&event), None)?;
    }
    Ok(())
}

/// Whether an event is not for others yet that this one has not taken which was given it: they may take it, or have.
async fn is_for_others(link: &mut Link, event: &CloudEvent) -> Result<bool, Error> {
    let left = link.vm.sys_state_get(shared(event), None, PayloadOptions::default())?;
    let left = match link.finished(left).await? {
        Notified::Success(left) => Value::from_json_slice(&left).ok().and_then(|left| left.as_i64()),
        _ => None,
    };
    // One of them has.
    let Some(left) = left else { return Ok(true) };
    match left > 1 {
        true => link.vm.sys_state_set(shared(event), Bytes::from((left - 1).to_string()), None, any_payload())?,
        false => link.vm.sys_state_clear(shared(event), None)?,
    }
    Ok(left > 1)
}

/// An execution has ended. It has said before what it took in its first state; one that was killed has not: what it was given is its
/// own, unless it is not there any more when that reaches it.
pub(crate) async fn gone(service: &Service, link: &mut Link, key: &str) -> Result<(), Error> {
    let Some(record) = Record::find(service, link, key).await? else { return Ok(()) };
    remove(link, key)?;
    let (stay, from, next) = (record.stay as i64, record.from as i64, record.next as i64);
    let told = value!({ "key": key, "stay": stay, "from": from, "next": next });
    let (now, known) = kept_time(service, link).await?;
    let at = Duration::from_micros(u64::try_from(now.plus(known).as_micros()).unwrap_or_default());
    let clear = bus::target(&service.name, Handler::Clear);
    link.vm.sys_send(clear, Bytes::from(told.to_string()), Some(at.min(END_OF_TIME)), None, any_payload())?;
    Ok(())
}

/// Forgets what an execution was given in its first state that was killed, unless another one has its key.
pub(crate) async fn clear(service: &Service, link: &mut Link, input: Input) -> Result<(), Error> {
    let read = read_stay(&input)
        .and_then(|(told, key, stay)| Some((key, stay, number_in(&told, "from")?, number_in(&told, "next")?)));
    let Some((key, stay, from, next)) = read else {
        return link.fail(400, "the `key` of an execution is expected, its `stay`, and the numbers `from` and `next`");
    };
    let other = Record::find(service, link, &key).await?.filter(|other| other.stay == stay);
    let next = other.map_or(next, |other| next.min(other.from));
    for number in from.max(1)..next {
        taken(link, &given(&key, stay, number)).await?;
    }
    link.succeed(&Value::Null)
}

/// An execution that is not there any more was to be brought an event for its first state: others get it.
pub(crate) async fn lost(service: &Service, link: &mut Link, input: Input) -> Result<(), Error> {
    let read = read_stay(&input).and_then(|(told, key, stay)| Some((number_in(&told, "number")?, told, key, stay)));
    let Some((number, told, key, stay)) = read else {
        return link.fail(400, "the `key` of an execution is expected, its `stay`, and the `number` of an event");
    };
    // It takes nothing more, unless it has only refused this one, or another one has the key meanwhile.
    if told.get("refused").is_none() && !matches!(events::life(service, link, &key).await?, Life::Runs) {
        gone(service, link, &key).await?;
    }
    give_again(service, link, &key, stay, number).await?;
    link.succeed(&Value::Null)
}

/// An execution takes no more events in its first state, as far as the bus knows.
fn remove(link: &mut Link, key: &str) -> Result<(), Error> {
    link.vm.sys_state_clear(entry(key), None)
}

/// Gives an event to others that was given to an execution in its first state, and that it has not taken there; once.
async fn give_again(service: &Service, link: &mut Link, key: &str, stay: u64, number: u64) -> Result<(), Error> {
    let kept = given(key, stay, number);
    let event = link.vm.sys_state_get(kept.clone(), None, PayloadOptions::default())?;
    let Notified::Success(event) = link.finished(event).await? else { return Ok(()) };
    link.vm.sys_state_clear(kept, None)?;
    let Some(Kept { event, posted, is_shared, told }) = Kept::read(&event) else { return Ok(()) };
    // All others that wait for such later have it.
    if Opening::of(service.program.definition, &event).is_some_and(|opening| opening.is_for_later()) {
        bus::tell_again(service, link, key, &event, &mark(stay, number)).await?;
    }
    if is_shared && is_for_others(link, &event).await? {
        return Ok(());
    }
    let (now, deployed) = moment(service, link).await?;
    let posted = Posted { event: &event, at: posted.unwrap_or(now), is_shared: false, told };
    let reached = dispatch(service, link, &posted, Round::Again, now, deployed).await?;
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
    let Some(record) = Record::load(service.program.definition, told.to_string().as_bytes()) else {
        return link.fail(400, "the `correlation` value is expected, and the kinds of events that are `open`");
    };
    let known = Record::find(service, link, &key).await?.filter(|known| known.stay == stay);
    match (known, told.get("again")) {
        (Some(known), _) => {
            let mut first = record.first;
            // What is on its way to it counts.
            for number in record.next.max(1)..known.next {
                let kept = link.vm.sys_state_get(given(&key, stay, number), None, PayloadOptions::default())?;
                if let Notified::Success(kept) = link.finished(kept).await?
                    && let Some(Kept { event, .. }) = Kept::read(&kept)
                {
                    first.note(&event);
                }
            }
            Record { first, ..known }.keep(link, &key)?;
        }
        (None, None) => record.keep(link, &key)?,
        // It is not there any more.
        (None, Some(_)) => {}
    }
    link.succeed(&Value::Null)
}

/// What is told of an execution and a stay of it in its first state.
fn read_stay(input: &Input) -> Option<(Value, String, u64)> {
    let told = read_json(&input.input).ok()?;
    let key = told.get("key")?.as_str()?.to_owned();
    // Without a number it is the first.
    let stay = number_in(&told, "stay").unwrap_or_default();
    Some((told, key, stay))
}

fn number_in(told: &Value, name: &str) -> Option<u64> {
    told.get(name).and_then(bus::number_of)
}

/// Tells the bus that an execution is not in its first state any more, and did not take the next event there, nor those that
/// come after it.
pub(crate) fn tell_left(service: &Service, link: &mut Link, key: &str, stay: Stay) -> Result<(), Error> {
    let told = value!({ "key": key, "stay": stay.number as i64, "next": stay.next as i64 });
    tell(service, link, Handler::Left, &told)
}

/// Tells the bus that an execution is in its first state again, and what it waits for there.
pub(crate) fn tell_back(service: &Service, link: &mut Link, key: &str, stay: Stay, first: First) -> Result<(), Error> {
    tell(service, link, Handler::Back, &waiting(key, stay, first))
}

/// Tells the bus what an execution waits for in its first state, where the bus may think otherwise.
pub(crate) fn tell_open(service: &Service, link: &mut Link, key: &str, stay: Stay, first: First) -> Result<(), Error> {
    let mut told = waiting(key, stay, first);
    if let Some(told) = told.as_object_mut() {
        told.insert("again", true);
    }
    tell(service, link, Handler::Back, &told)
}

fn waiting(key: &str, stay: Stay, first: First) -> Value {
    let record = Record { first, next: stay.next, from: 1, stay: stay.number };
    let mut told = Value::from_json_slice(&record.save()).unwrap_or_default();
    if let Some(told) = told.as_object_mut() {
        told.insert("key", key);
    }
    told
}

/// Tells the bus that an execution is not there any more, and was not brought an event for its first state.
pub(crate) fn tell_lost(service: &Service, link: &mut Link, key: &str, stay: u64, number: u64) -> Result<(), Error> {
    let told = value!({ "key": key, "stay": stay as i64, "number": number as i64 });
    tell(service, link, Handler::Lost, &told)
}

/// Tells the bus that an execution that is in its first state has not taken an event of this number there, and goes on.
pub(crate) fn tell_refused(
    service: &Service,
    link: &mut Link,
    key: &str,
    stay: Stay,
    number: u64,
) -> Result<(), Error> {
    let told = value!({ "key": key, "stay": stay.number as i64, "number": number as i64, "refused": true });
    tell(service, link, Handler::Lost, &told)
}

fn tell(service: &Service, link: &mut Link, handler: Handler, told: &Value) -> Result<(), Error> {
    let target = bus::target(&service.name, handler);
    link.vm.sys_send(target, Bytes::from(told.to_string()), None, None, any_payload())?;
    Ok(())
}
