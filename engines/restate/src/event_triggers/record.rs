//! Records of the event bus: executions in their start states, and the events that they have
//! claimed.

use hyper::body::Bytes;
use restate_sdk_shared_core::{Error, PayloadOptions, VM, Value as Notified};
use workflow_runtime::machine::{Definition, StartCondition, TriggerMatch};
use workflow_runtime::{Array, CloudEvent, Timestamp, Value, value};

use super::read_event;
use crate::connection::{self, Connection, any_payload};
use crate::endpoint::Service;
use crate::event_bus::number_of;
use crate::handlers::{self, read_json};

/// Prefix of the state entries of executions in their start states.
const RECORD: &str = "first/";

/// Record of an execution in its start state.
pub(super) struct StartRecord {
    pub condition: StartCondition,
    /// Number of the next event for that state. Number 0 is the start event, if any.
    pub next: u64,
    /// Number of the first event.
    pub from: u64,
    /// Number of the visit: how often it had left the state before.
    pub visit: u64,
}

impl StartRecord {
    /// Returns the stored form.
    pub fn save(&self) -> Bytes {
        let open = Array::from(self.condition.unmatched().iter().map(|kind| Value::from(*kind)).collect::<Vec<_>>());
        let kept = value!({
            "correlation": &**self.condition.correlation(),
            "open": open,
            "from": self.from as i64,
            "next": self.next as i64,
            "stay": self.visit as i64,
        });
        Bytes::from(kept.to_string())
    }

    pub fn load(definition: &'static Definition, kept: &[u8]) -> Option<StartRecord> {
        let kept = Value::from_json_slice(kept).ok()?;
        let number = |name: &str| kept.get(name).and_then(number_of);
        let open = kept.get("open")?.as_array()?.iter();
        let open = open.filter_map(|kind| kind.as_i64().and_then(|kind| u32::try_from(kind).ok())).collect();
        let condition =
            StartCondition::new(definition, kept.get("correlation")?.as_str()?.into())?.with_unmatched(open);
        Some(StartRecord {
            condition,
            next: number("next")?,
            from: number("from")?,
            visit: number("stay").unwrap_or_default(),
        })
    }

    /// Reads the record of an execution, if there is one.
    pub async fn find(service: &Service, connection: &mut Connection, key: &str) -> Result<Option<StartRecord>, Error> {
        let kept = connection.vm.sys_state_get(record_key(key), None, PayloadOptions::default())?;
        Ok(match connection.finished(kept).await? {
            Notified::Success(kept) => StartRecord::load(service.program.definition, &kept),
            _ => None,
        })
    }

    /// Reads all records, with the keys of the executions.
    pub async fn all(
        service: &Service,
        connection: &mut Connection,
        keys: &[String],
    ) -> Result<Vec<(String, StartRecord)>, Error> {
        let mut reads = Vec::new();
        for key in keys.iter().filter_map(|key| key.strip_prefix(RECORD)) {
            reads.push((key, connection.vm.sys_state_get(record_key(key), None, PayloadOptions::default())?));
        }
        let mut all = Vec::new();
        for (key, kept) in reads {
            if let Notified::Success(kept) = connection.finished(kept).await? {
                all.extend(StartRecord::load(service.program.definition, &kept).map(|record| (key.to_owned(), record)));
            }
        }
        Ok(all)
    }

    pub fn keep(&self, connection: &mut Connection, key: &str) -> Result<(), Error> {
        connection.vm.sys_state_set(record_key(key), self.save(), None, any_payload())
    }

    /// Offers an event to the execution for its start state, at this time.
    pub fn offer(
        &mut self,
        service: &Service,
        connection: &mut Connection,
        key: &str,
        posted: &PostedEvent<'_>,
        at: Timestamp,
    ) -> Result<(), Error> {
        let event = posted.event;
        let number = self.next;
        self.next += 1;
        self.condition.record(event);
        if number > 0 {
            // A claim: the execution may have left that state.
            let mut kept = value!({ "event": event.to_value(), "posted": posted.at.as_micros() });
            if let Some(kept) = kept.as_object_mut() {
                kept.extend(posted.is_shared.then_some(("shared".into(), true.into())));
                kept.extend(posted.published_as.map(|number| ("told".into(), Value::from(number as i64))));
            }
            connection.vm.sys_state_set(
                claim_key(key, self.visit, number),
                Bytes::from(kept.to_string()),
                None,
                any_payload(),
            )?;
        }
        let delivery = value!({
            "number": number as i64,
            "event": event.to_value(),
            "first": true,
            "stay": self.visit as i64,
            "at": at.as_micros(),
        });
        let deliver = connection::target(&service.name, handlers::Handler::Deliver.name(), key);
        connection.vm.sys_send(deliver, Bytes::from(delivery.to_string()), None, None, any_payload())?;
        self.keep(connection, key)
    }
}

/// Returns the state entry of a record.
pub(super) fn record_key(key: &str) -> String {
    format!("{RECORD}{key}")
}

/// Returns the state entry of a claim in a visit.
pub(super) fn claim_key(key: &str, visit: u64, number: u64) -> String {
    match visit {
        0 => format!("given/{number}/{key}"),
        _ => format!("given/{}/{key}", claim_mark(visit, number).replace('/', ".")),
    }
}

/// Returns the mark that identifies a claim in delivery records.
pub(crate) fn claim_mark(visit: u64, number: u64) -> String {
    format!("{visit}/{number}")
}

/// Returns the state entry of an event that several executions have claimed: how many of them may
/// still consume it. The entry is removed when one has.
pub(super) fn shared_claim_key(event: &CloudEvent) -> String {
    format!("shared/{}", TriggerMatch::execution_name(event))
}

/// Posted event.
pub(super) struct PostedEvent<'a> {
    pub event: &'a CloudEvent,
    pub at: Timestamp,
    /// Set if several executions claim it.
    pub is_shared: bool,
    /// Number of its publication to executions that may await it in a later state.
    pub published_as: Option<u64>,
}

/// Claim of an execution on an event for its start state.
pub(super) struct Claim {
    pub event: CloudEvent,
    pub posted: Option<Timestamp>,
    pub is_shared: bool,
    pub published_as: Option<u64>,
}

impl Claim {
    pub fn read(kept: &[u8]) -> Option<Claim> {
        let read = read_json(kept).ok()?;
        let event = read_event(read.get("event").unwrap_or(&read)).ok()?;
        let posted = read.get("posted").and_then(Value::as_i64).map(Timestamp::from_micros);
        let published_as = read.get("told").and_then(number_of);
        Some(Claim { event, posted, is_shared: read.get("shared").is_some(), published_as })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    workflow_runtime::include_workflow!("tests/flows/gloves.sw.json");

    #[test]
    fn records_round_trip() {
        let mut condition = StartCondition::new(&gloves::DEFINITION, "a \"b\"".into()).unwrap();
        condition.record(&CloudEvent::new("1", "/shop", "glove.left").extension("pair", "a \"b\""));
        let record = StartRecord { condition, next: 3, from: 1, visit: 2 };
        let read = StartRecord::load(&gloves::DEFINITION, &record.save()).unwrap();
        assert_eq!((read.condition.unmatched().len(), read.next, read.from, read.visit), (1, 3, 1, 2));
        assert_eq!(read.condition, record.condition);
        for wrong in ["", "true", "{}", r#"{"correlation": "a", "open": [0], "from": 1, "next": -1}"#] {
            assert!(StartRecord::load(&gloves::DEFINITION, wrong.as_bytes()).is_none(), "{wrong}");
        }
    }
}
