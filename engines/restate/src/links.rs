//! Links of an execution: its parent, its children, and its events.

use restate_sdk_shared_core::{AttachInvocationTarget, Header};
use workflow_runtime::machine::{Call, Definition, Target};
use workflow_runtime::{Array, CloudEvent, Object, Str, Timestamp, Value, uri, value};

use std::collections::{BTreeMap, VecDeque};

use crate::event_bus::number_of;

/// Header with the entry point of a child that runs only a part of the workflow.
const ENTRY: &str = "workflow-entry";

/// Header that marks an awaited child.
const AWAITED: &str = "workflow-waits";

/// Header with the service and key of the parent.
const PARENT: &str = "workflow-parent";

/// Header with the execution's correlation key, percent-encoded.
pub(crate) const CORRELATION: &str = "workflow-correlation";

/// Header that marks an execution started by an event.
pub(crate) const EVENT: &str = "workflow-event";

/// Links that the next invocation of an execution has to know.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct ExecutionLinks {
    /// Parent, which may cancel this execution.
    pub parent: Option<String>,
    /// Awaited children, by operation number.
    pub children: BTreeMap<u64, Child>,
    /// Number of the next event sent to this execution.
    pub next_sent: u32,
    /// Number of the next published event, if the execution is subscribed.
    pub next_published: Option<u64>,
    /// Visit to the start state, if events start executions of its workflow.
    pub start_visit: Option<StartVisit>,
    /// Reported inbox capacity.
    pub capacity: InboxCapacity,
}

/// Visit of an execution to its start state, the first state of a workflow that events start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StartVisit {
    /// Number of the visit.
    pub number: u64,
    /// Number of the next event there. Number 0 is the start event.
    pub next: u64,
    /// Set if the execution has left the state.
    pub has_left: bool,
    /// Number of its last state entry there, among all its state entries; 0 while unknown.
    pub visit: u64,
    /// Last operation that waited there.
    pub op: u64,
}

impl StartVisit {
    /// Returns the first visit of an execution whose first event has this number.
    pub fn from(next: u64) -> StartVisit {
        StartVisit { number: 0, next, has_left: false, visit: 0, op: 0 }
    }

    /// Returns `true` if the start event has not arrived yet.
    pub fn awaits_start_event(self) -> bool {
        (self.number, self.next, self.has_left) == (0, 0, false)
    }

    fn load(saved: &Value) -> Option<StartVisit> {
        // Form of earlier versions, without re-entry.
        let Some(parts) = saved.as_array() else { return number_of(saved).map(StartVisit::from) };
        let [number, next, Value::Bool(has_left), visit, op] = &parts[..] else { return None };
        let [number, next, visit, op] = [number, next, visit, op].map(number_of);
        Some(StartVisit { number: number?, next: next?, has_left: *has_left, visit: visit?, op: op? })
    }
}

/// Inbox capacity as reported to senders, and the overflow.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct InboxCapacity {
    /// Number of reports.
    pub reports: u32,
    /// Last report: null if there is capacity, otherwise the names of the awaited events, which
    /// are accepted all the same.
    pub last_report: Value,
    /// Overflow: events with their times that arrived before senders could know that the inbox is
    /// full.
    pub overflow: VecDeque<(Timestamp, CloudEvent)>,
}

/// Child execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Child {
    pub service: String,
    pub key: String,
}

impl Child {
    /// Returns the child that a call starts.
    ///
    /// The key is unique to its service. Executions that await each other may have equal ids, so
    /// the key of a child in another service starts with the caller's service.
    pub fn of(call: &Call, caller: Caller<'_>, service: &str) -> Child {
        Child { service: service.to_owned(), key: Child::key(call, caller) }
    }

    /// Returns the key of the child that a call starts.
    pub fn key(call: &Call, caller: Caller<'_>) -> String {
        let id = call.execution_id(caller.id);
        match caller.names_own_workflow(call) {
            true => id,
            false => format!("{}/{id}", caller.service),
        }
    }

    /// Returns the child as a target for Restate.
    pub fn execution(&self) -> AttachInvocationTarget {
        AttachInvocationTarget::WorkflowId { name: self.service.clone(), key: self.key.clone(), scope: None }
    }
}

/// Execution that starts a child.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Caller<'a> {
    pub service: &'a str,
    pub definition: &'static Definition,
    pub id: &'a Str,
}

impl Caller<'_> {
    /// Returns its name among the executions of all services.
    pub fn name(&self) -> String {
        format!("{}/{}", self.service, self.id)
    }

    /// Returns `true` if a call certainly names its own workflow. Calls by id and version are
    /// looked up in the directory.
    pub fn names_own_workflow(&self, call: &Call) -> bool {
        match &call.target {
            Target::Entry(_) => true,
            Target::Workflow(name) => self.definition.workflow_id.is_none() && **name == *self.definition.name,
        }
    }
}

/// Returns the headers of a call: entry point, parent, awaited or not, and correlation key.
pub(crate) fn headers_of(call: &Call, caller: Caller<'_>, correlation: Option<Str>) -> impl Iterator<Item = Header> {
    let waits = (!call.detached).then(|| Header { key: AWAITED.into(), value: "true".into() });
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

/// Returns the header of a correlation key.
pub(crate) fn correlation_header(value: &str) -> Header {
    Header { key: CORRELATION.into(), value: uri::encode(value).into() }
}

/// Returns `true` if an event started the execution.
pub(crate) fn is_started_by_event(headers: &[Header]) -> bool {
    find_header(headers, EVENT).is_some()
}

fn find_header<'a>(headers: &'a [Header], key: &str) -> Option<&'a str> {
    let header = headers.iter().find(|header| header.key.eq_ignore_ascii_case(key));
    header.map(|header| &*header.value)
}

/// Returns the parent, if any.
pub(crate) fn parent_in(headers: &[Header]) -> Option<String> {
    find_header(headers, PARENT).map(str::to_owned)
}

/// Returns `true` if the parent awaits the execution.
pub(crate) fn is_awaited(headers: &[Header]) -> bool {
    find_header(headers, AWAITED).is_some()
}

/// Returns the given correlation key, if any.
pub(crate) fn correlation_in(headers: &[Header]) -> Result<Option<String>, String> {
    let Some(value) = find_header(headers, CORRELATION) else { return Ok(None) };
    uri::decode(value)
        .map(Some)
        .ok_or_else(|| format!("the header `{CORRELATION}` must be percent-encoded, found `{value}`"))
}

/// Returns the entry point, if only a part of the workflow is to run.
pub(crate) fn entry_in(headers: &[Header]) -> Result<Option<u32>, String> {
    let Some(entry) = find_header(headers, ENTRY) else { return Ok(None) };
    entry.parse().map(Some).map_err(|_| format!("the header `{ENTRY}` must be a number, found `{entry}`"))
}

impl ExecutionLinks {
    /// Adds the links to the header of a snapshot.
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
        if let Some(StartVisit { number, next, has_left, visit, op }) = self.start_visit {
            header.insert("first", value!([number as i64, next as i64, has_left, visit as i64, op as i64]));
        }
        if self.capacity.reports > 0 {
            header.insert("room", value!([self.capacity.reports, self.capacity.last_report.clone()]));
        }
        let overflow = self.capacity.overflow.iter().map(|(at, event)| value!([at.as_micros(), event.to_value()]));
        let overflow = overflow.collect::<Vec<_>>();
        if !overflow.is_empty() {
            header.insert("beside", Array::from(overflow));
        }
    }

    /// Reads the links from the header of a snapshot.
    pub fn load(header: &Value) -> ExecutionLinks {
        let number = |of: Option<&Value>| of.and_then(Value::as_i64).and_then(|number| u64::try_from(number).ok());
        let events = header.get("events");
        let sent = number(events.and_then(|events| events.get(0))).and_then(|sent| u32::try_from(sent).ok());
        let list = |name: &str| header.get(name).and_then(Value::as_array).into_iter().flat_map(|all| all.iter());
        let child = |child: &Value| {
            let text = |at: i64| child.get(at).and_then(Value::as_str).map(str::to_owned);
            Some((number(child.get(0))?, Child { service: text(1)?, key: text(2)? }))
        };
        let capacity = header.get("room");
        let reports =
            number(capacity.and_then(|capacity| capacity.get(0))).and_then(|reports| u32::try_from(reports).ok());
        let event = |event: &Value| {
            let at = event.get(0)?.as_i64().map(Timestamp::from_micros)?;
            Some((at, CloudEvent::from_value(event.get(1)?).ok()?))
        };
        ExecutionLinks {
            parent: header.get("parent").and_then(Value::as_str).map(str::to_owned),
            children: list("children").filter_map(child).collect(),
            next_sent: sent.unwrap_or_default(),
            next_published: number(events.and_then(|events| events.get(1))),
            start_visit: header.get("first").and_then(StartVisit::load),
            capacity: InboxCapacity {
                reports: reports.unwrap_or_default(),
                last_report: capacity.and_then(|capacity| capacity.get(1)).cloned().unwrap_or_default(),
                overflow: list("beside").filter_map(event).collect(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_round_trip() {
        let child = Child { service: "order-1".to_owned(), key: "errand-2/one \"1\".2-0".to_owned() };
        let event = CloudEvent::new("1", "/bank", "payment").data(3);
        let capacity = InboxCapacity {
            reports: 3,
            last_report: value!(["paid"]),
            overflow: [(Timestamp::from_seconds(7), event)].into(),
        };
        let links = ExecutionLinks {
            parent: Some("order-1/one".to_owned()),
            children: [(7, child)].into(),
            next_sent: 3,
            next_published: Some(9),
            start_visit: Some(StartVisit { number: 2, next: 1, has_left: true, visit: 7, op: 9 }),
            capacity,
        };
        let begins = ExecutionLinks { start_visit: Some(StartVisit::from(0)), ..ExecutionLinks::default() };
        for links in [links, begins, ExecutionLinks::default()] {
            let mut header = Object::new();
            links.save(&mut header);
            assert_eq!(ExecutionLinks::load(&header.into()), links);
        }
        // Form of earlier versions.
        assert_eq!(ExecutionLinks::load(&value!({ "first": 1 })).start_visit, Some(StartVisit::from(1)));
        assert_eq!(ExecutionLinks::load(&value!({ "first": [1] })).start_visit, None);
    }

    #[test]
    fn a_correlation_value_survives_its_header() {
        let read =
            |value: String| correlation_in(&[Header { key: "Workflow-Correlation".into(), value: value.into() }]);
        for value in ["17", "order 17/ü%", ""] {
            assert_eq!(read(uri::encode(value)), Ok(Some(value.to_owned())));
        }
        for wrong in ["%", "%4", "%zz", "%ff"] {
            assert!(read(wrong.to_owned()).is_err(), "{wrong}");
        }
        assert_eq!(correlation_in(&[]), Ok(None));
    }

    #[test]
    fn an_invalid_entry_point_is_refused() {
        let entry = |value: &'static str| entry_in(&[Header { key: "Workflow-Entry".into(), value: value.into() }]);
        assert_eq!(entry("3"), Ok(Some(3)));
        assert!(entry("first").is_err());
        assert_eq!(entry_in(&[]), Ok(None));
    }
}
