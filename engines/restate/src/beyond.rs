//! What an execution is to others: those that it has started and waits for, and the events that reach it.

use restate_sdk_shared_core::{AttachInvocationTarget, Header};
use workflow_runtime::machine::{Call, Definition, Target};
use workflow_runtime::{Array, CloudEvent, Object, Str, Timestamp, Value, value};

use std::collections::{BTreeMap, VecDeque};

use crate::bus::number_of;
use crate::client::escape;

/// The header by which an execution says which part of its workflow the one that it starts is to run.
const ENTRY: &str = "workflow-entry";

/// The header by which an execution says to the one that it starts that it waits for it.
const WAITS: &str = "workflow-waits";

/// The header by which an execution says who it is to the one that it starts.
const PARENT: &str = "workflow-parent";

/// The header by which the value is told by which events are told to be for an execution; percent-encoded.
pub(crate) const CORRELATION: &str = "workflow-correlation";

/// The header by which the bus says to an execution that an event has started it.
pub(crate) const EVENT: &str = "workflow-event";

/// What the next invocation that goes on with an execution has to know of others.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Beyond {
    /// The execution that has started this one: it may end it.
    pub parent: Option<String>,
    /// The executions that this one waits for, by the numbers of the operations that do.
    pub children: BTreeMap<u64, Child>,
    /// The number of the next event that is sent to this execution alone.
    pub next_sent: u32,
    /// The number of the next event that is published to all of its service, if it hears of those.
    pub next_published: Option<u64>,
    /// What it takes in its first state, if events start executions of its workflow.
    pub stay: Option<Stay>,
    /// Whether there is room for more.
    pub room: Room,
}

/// What an execution takes in the first state of its workflow, which waits for the events that start it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stay {
    /// How often it has come back to that state.
    pub number: u64,
    /// The number of the next event that it takes there. Number 0 is the one that has started it.
    pub next: u64,
    /// Whether it is somewhere else now.
    pub left: bool,
    /// Which of its entries into states it was when it was there last; 0 before that is known.
    pub visit: u64,
    /// The operation that waited there last.
    pub op: u64,
}

impl Stay {
    /// Of an execution that begins, and takes the event of this number first.
    pub fn from(next: u64) -> Stay {
        Stay { number: 0, next, left: false, visit: 0, op: 0 }
    }

    /// Whether the event is still to come that has started the execution.
    pub fn awaits_its_start(self) -> bool {
        (self.number, self.next, self.left) == (0, 0, false)
    }

    fn load(saved: &Value) -> Option<Stay> {
        // As it was written before executions could come back.
        let Some(parts) = saved.as_array() else { return number_of(saved).map(Stay::from) };
        let [number, next, Value::Bool(left), visit, op] = &parts[..] else { return None };
        let [number, next, visit, op] = [number, next, visit, op].map(number_of);
        Some(Stay { number: number?, next: next?, left: *left, visit: visit?, op: op? })
    }
}

/// What is told of the room for events that are not waited for.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Room {
    /// How often it was.
    pub told: u32,
    /// What was told last: null if there is room, or else the names of the events that are taken all the same.
    pub last: Value,
    /// The events that came when there was none, with when they did: before those who send them could know.
    pub beside: VecDeque<(Timestamp, CloudEvent)>,
}

/// An execution that another one has started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Child {
    pub service: String,
    pub key: String,
}

impl Child {
    /// The one that a call starts, by an execution of this service and id.
    ///
    /// Keys are of a service, and the ids of executions that wait for each other may meet: those of another service are told
    /// apart by the caller's.
    pub fn of(call: &Call, caller: Caller<'_>, service: &str) -> Child {
        Child { service: service.to_owned(), key: Child::key(call, caller) }
    }

    /// The key of the one that a call starts.
    pub fn key(call: &Call, caller: Caller<'_>) -> String {
        let id = call.execution_id(caller.id);
        match caller.is_meant_by(call) {
            true => id,
            false => format!("{}/{id}", caller.service),
        }
    }

    /// The execution, as Restate is asked for it.
    pub fn execution(&self) -> AttachInvocationTarget {
        AttachInvocationTarget::WorkflowId { name: self.service.clone(), key: self.key.clone(), scope: None }
    }
}

/// An execution that starts another one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Caller<'a> {
    pub service: &'a str,
    pub definition: &'static Definition,
    pub id: &'a Str,
}

impl Caller<'_> {
    /// Its name among the executions of all services.
    pub fn name(&self) -> String {
        format!("{}/{}", self.service, self.id)
    }

    /// Whether its own workflow is to be started for sure: which one is meant where there are ids and versions is looked up.
    pub fn is_meant_by(&self, call: &Call) -> bool {
        match &call.target {
            Target::Entry(_) => true,
            Target::Workflow(name) => self.definition.called.is_none() && **name == *self.definition.name,
        }
    }
}

/// The headers that tell which part of the workflow is to be run, for whom, whether that one waits for it, and by which value events
/// are told to be for it.
pub(crate) fn headers_of(call: &Call, caller: Caller<'_>, correlation: Option<Str>) -> impl Iterator<Item = Header> {
    let waits = (!call.detached).then(|| Header { key: WAITS.into(), value: "true".into() });
    let correlation = correlation.map(|value| correlation_header(&value));
    let entry = match &call.target {
        Target::Entry(entry) => Some(Header { key: ENTRY.into(), value: entry.to_string().into() }),
        Target::Workflow(_) => None,
    };
    [Header { key: PARENT.into(), value: caller.name().into() }]
        .into_iter()
        .chain(entry)
        .chain(waits)
        .chain(correlation)
}

/// The header that tells a correlation value.
pub(crate) fn correlation_header(value: &str) -> Header {
    Header { key: CORRELATION.into(), value: escape(value).into() }
}

/// Whether an event has started the execution.
pub(crate) fn is_started_by_event(headers: &[Header]) -> bool {
    find(headers, EVENT).is_some()
}

fn find<'a>(headers: &'a [Header], key: &str) -> Option<&'a str> {
    let header = headers.iter().find(|header| header.key.eq_ignore_ascii_case(key));
    header.map(|header| &*header.value)
}

/// The execution that has started this one, if one has.
pub(crate) fn parent_in(headers: &[Header]) -> Option<String> {
    find(headers, PARENT).map(str::to_owned)
}

/// Whether the execution that has started this one waits for it.
pub(crate) fn is_waited_for(headers: &[Header]) -> bool {
    find(headers, WAITS).is_some()
}

/// The value by which events are told to be for the execution, if one is given.
pub(crate) fn correlation_in(headers: &[Header]) -> Result<Option<String>, String> {
    let Some(value) = find(headers, CORRELATION) else { return Ok(None) };
    unescape(value)
        .map(Some)
        .ok_or_else(|| format!("the header `{CORRELATION}` is to be percent-encoded, and not `{value}`"))
}

/// What [`escape`] has written.
fn unescape(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
                u8::try_from(digit(rest.next())? * 16 + digit(rest.next())?).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

/// The part of the workflow that is to be run, if not the whole.
pub(crate) fn entry_in(headers: &[Header]) -> Result<Option<u32>, String> {
    let Some(entry) = find(headers, ENTRY) else { return Ok(None) };
    entry.parse().map(Some).map_err(|_| format!("the header `{ENTRY}` is a number, and not `{entry}`"))
}

impl Beyond {
    /// Writes it to the header of what is saved.
    pub fn save(&self, header: &mut Object) {
        let children = self
            .children
            .iter()
            .map(|(op, Child { service, key })| value!([*op as i64, service.as_str(), key.as_str()]));
        let children = children.collect::<Vec<_>>();
        if !children.is_empty() {
            header.insert("children", Array::from(children));
        }
        if let Some(parent) = &self.parent {
            header.insert("parent", parent.as_str());
        }
        if let Some(published) = self.next_published {
            header.insert("events", value!([self.next_sent, published as i64]));
        }
        if let Some(Stay { number, next, left, visit, op }) = self.stay {
            header.insert("first", value!([number as i64, next as i64, left, visit as i64, op as i64]));
        }
        if self.room.told > 0 {
            header.insert("room", value!([self.room.told, self.room.last.clone()]));
        }
        let beside = self.room.beside.iter().map(|(at, event)| value!([at.as_micros(), event.to_value()]));
        let beside = beside.collect::<Vec<_>>();
        if !beside.is_empty() {
            header.insert("beside", Array::from(beside));
        }
    }

    /// Reads it.
    pub fn load(header: &Value) -> Beyond {
        let number = |of: Option<&Value>| of.and_then(Value::as_i64).and_then(|number| u64::try_from(number).ok());
        let events = header.get("events");
        let sent = number(events.and_then(|events| events.get(0))).and_then(|sent| u32::try_from(sent).ok());
        let list = |name: &str| header.get(name).and_then(Value::as_array).into_iter().flat_map(|all| all.iter());
        let child = |child: &Value| {
            let text = |at: i64| child.get(at).and_then(Value::as_str).map(str::to_owned);
            Some((number(child.get(0))?, Child { service: text(1)?, key: text(2)? }))
        };
        let room = header.get("room");
        let told = number(room.and_then(|room| room.get(0))).and_then(|told| u32::try_from(told).ok());
        let beside = |event: &Value| {
            let at = event.get(0)?.as_i64().map(Timestamp::from_micros)?;
            Some((at, CloudEvent::from_value(event.get(1)?).ok()?))
        };
        Beyond {
            parent: header.get("parent").and_then(Value::as_str).map(str::to_owned),
            children: list("children").filter_map(child).collect(),
            next_sent: sent.unwrap_or_default(),
            next_published: number(events.and_then(|events| events.get(1))),
            stay: header.get("first").and_then(Stay::load),
            room: Room {
                told: told.unwrap_or_default(),
                last: room.and_then(|room| room.get(1)).cloned().unwrap_or_default(),
                beside: list("beside").filter_map(beside).collect(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_of_others_is_read_as_it_was_written() {
        let child = Child { service: "order-1".to_owned(), key: "errand-2/one \"1\".2-0".to_owned() };
        let event = CloudEvent::new("1", "/bank", "payment").data(3);
        let room = Room { told: 3, last: value!(["paid"]), beside: [(Timestamp::from_seconds(7), event)].into() };
        let beyond = Beyond {
            parent: Some("order-1/one".to_owned()),
            children: [(7, child)].into(),
            next_sent: 3,
            next_published: Some(9),
            stay: Some(Stay { number: 2, next: 1, left: true, visit: 7, op: 9 }),
            room,
        };
        let begins = Beyond { stay: Some(Stay::from(0)), ..Beyond::default() };
        for beyond in [beyond, begins, Beyond::default()] {
            let mut header = Object::new();
            beyond.save(&mut header);
            assert_eq!(Beyond::load(&header.into()), beyond);
        }
        // As it was written before.
        assert_eq!(Beyond::load(&value!({ "first": 1 })).stay, Some(Stay::from(1)));
        assert_eq!(Beyond::load(&value!({ "first": [1] })).stay, None);
    }

    #[test]
    fn a_correlation_value_survives_its_header() {
        let read =
            |value: String| correlation_in(&[Header { key: "Workflow-Correlation".into(), value: value.into() }]);
        for value in ["17", "order 17/ü%", ""] {
            assert_eq!(read(escape(value)), Ok(Some(value.to_owned())));
        }
        for wrong in ["%", "%4", "%zz", "%ff"] {
            assert!(read(wrong.to_owned()).is_err(), "{wrong}");
        }
        assert_eq!(correlation_in(&[]), Ok(None));
    }

    #[test]
    fn a_header_that_names_no_part_is_refused() {
        let entry = |value: &'static str| entry_in(&[Header { key: "Workflow-Entry".into(), value: value.into() }]);
        assert_eq!(entry("3"), Ok(Some(3)));
        assert!(entry("first").is_err());
        assert_eq!(entry_in(&[]), Ok(None));
    }
}
