//! What the bus keeps of executions in their first states, and of what it has given them.

use hyper::body::Bytes;
use restate_sdk_shared_core::{Error, PayloadOptions, VM, Value as Notified};
use workflow_runtime::machine::{Definition, First, Opening};
use workflow_runtime::{Array, CloudEvent, Timestamp, Value, value};

use super::read_event;
use crate::bus::number_of;
use crate::endpoint::Service;
use crate::handlers::{self, read_json};
use crate::link::{self, Link, any_payload};

/// What the names of executions that are in their first state have before them in the state of the bus.
const FIRST: &str = "first/";

/// What the bus knows of an execution in its first state.
pub(super) struct Record {
    pub first: First,
    /// The number of the next event that it is given for that state. Number 0 is the one that has started it, if one has.
    pub next: u64,
    /// The number of the first one.
    pub from: u64,
    /// How often it had left the state before.
    pub stay: u64,
}

impl Record {
    /// As it is kept.
    pub fn save(&self) -> Bytes {
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

    pub fn load(definition: &'static Definition, kept: &[u8]) -> Option<Record> {
        let kept = Value::from_json_slice(kept).ok()?;
        let number = |name: &str| kept.get(name).and_then(number_of);
        let open = kept.get("open")?.as_array()?.iter();
        let open = open.filter_map(|kind| kind.as_i64().and_then(|kind| u32::try_from(kind).ok())).collect();
        let first = First::new(definition, kept.get("correlation")?.as_str()?.into())?.with_open(open);
        Some(Record { first, next: number("next")?, from: number("from")?, stay: number("stay").unwrap_or_default() })
    }

    /// The one of an execution, if the bus has it.
    pub async fn find(service: &Service, link: &mut Link, key: &str) -> Result<Option<Record>, Error> {
        let kept = link.vm.sys_state_get(entry(key), None, PayloadOptions::default())?;
        Ok(match link.finished(kept).await? {
            Notified::Success(kept) => Record::load(service.program.definition, &kept),
            _ => None,
        })
    }

    /// All that the bus has, by the keys of the executions.
    pub async fn all(service: &Service, link: &mut Link, keys: &[String]) -> Result<Vec<(String, Record)>, Error> {
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

    pub fn keep(&self, link: &mut Link, key: &str) -> Result<(), Error> {
        link.vm.sys_state_set(entry(key), self.save(), None, any_payload())
    }

    /// Gives the execution an event for its first state, at this time.
    pub fn give(
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
            let mut kept = value!({ "event": event.to_value(), "posted": posted.at.as_micros() });
            if let Some(kept) = kept.as_object_mut() {
                kept.extend(posted.is_shared.then_some(("shared".into(), true.into())));
                kept.extend(posted.told.map(|told| ("told".into(), Value::from(told as i64))));
            }
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
pub(super) fn entry(key: &str) -> String {
    format!("{FIRST}{key}")
}

/// The entry of an event that it is given there, in a stay.
pub(super) fn given(key: &str, stay: u64, number: u64) -> String {
    match stay {
        0 => format!("given/{number}/{key}"),
        _ => format!("given/{}/{key}", mark(stay, number).replace('/', ".")),
    }
}

/// By which it is known that an execution was given an event for its first state.
pub(crate) fn mark(stay: u64, number: u64) -> String {
    format!("{stay}/{number}")
}

/// The entry of an event that several executions were given in their first states: how many of them may still take it. It is gone
/// as soon as one has.
pub(super) fn shared(event: &CloudEvent) -> String {
    format!("shared/{}", Opening::name(event))
}

/// An event, and when it was posted.
pub(super) struct Posted<'a> {
    pub event: &'a CloudEvent,
    pub at: Timestamp,
    /// Whether several executions are given it.
    pub is_shared: bool,
    /// The number under which those were told of it that may wait for it in a later state.
    pub told: Option<u64>,
}

/// What is kept of an event that an execution was given in its first state.
pub(super) struct Kept {
    pub event: CloudEvent,
    pub posted: Option<Timestamp>,
    pub is_shared: bool,
    pub told: Option<u64>,
}

impl Kept {
    pub fn read(kept: &[u8]) -> Option<Kept> {
        let read = read_json(kept).ok()?;
        let event = read_event(read.get("event").unwrap_or(&read)).ok()?;
        let posted = read.get("posted").and_then(Value::as_i64).map(Timestamp::from_micros);
        let told = read.get("told").and_then(number_of);
        Some(Kept { event, posted, is_shared: read.get("shared").is_some(), told })
    }
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
