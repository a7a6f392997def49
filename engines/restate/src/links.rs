//! Links of an execution: its parent, its children, and its events.

use restate_sdk_shared_core::{AttachInvocationTarget, Header};
use workflow_runtime::machine::{Call, Definition, Part, Target};
use workflow_runtime::{Array, CloudEvent, Object, Str, Timestamp, Value, uri, value};

use std::collections::{BTreeMap, VecDeque};

use crate::events::{kinds_from_value, kinds_to_value, number_in, number_of};

/// Header with the number of the part of the workflow that a child runs, if it runs only a part.
const PART: &str = "workflow-entry";

/// Header that marks an awaited child.
const AWAITED: &str = "workflow-waits";

/// Header with the service and key of the parent.
const PARENT: &str = "workflow-parent";

/// Header with the secret of the parent, if the child runs only a part.
const SECRET: &str = "workflow-secret";

/// Header with the execution's correlation key, percent-encoded.
pub(crate) const CORRELATION: &str = "workflow-correlation";

/// Header of an execution that an event starts: the identity of its subscription.
pub(crate) const EVENT: &str = "workflow-event";

/// Links that the next invocation of an execution has to know.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct ExecutionLinks {
    /// Parent, which may cancel this execution.
    pub parent: Option<String>,
    /// Awaited children, by operation number.
    pub children: BTreeMap<u64, Child>,
    /// Subscription to events, if its workflow waits for events.
    pub subscription: Option<Subscription>,
    /// Secret that its parts show. Executions that earlier versions began have none.
    pub secret: Option<String>,
}

/// Subscription of an execution at the object of its correlation key, and the last reports to that
/// object.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Subscription {
    /// Its identity.
    pub id: u64,
    /// Set if an event started the execution: it is the first one.
    pub is_started: bool,
    /// Set if the execution begins with its start state, in which events for it may arrive.
    pub begins: bool,
    /// Number of the next event.
    pub next: u64,
    /// Number of the next event at the last report.
    pub seen: u64,
    /// Number of reports.
    pub reports: u64,
    /// Unmatched kinds of the start condition that the object assumes.
    pub unmatched: Vec<u32>,
    /// Set if the object may assume another one, because it sent events before it had the last
    /// report.
    pub is_stale: bool,
    /// Operation that waits in the start state although its time is over.
    pub over: Option<u64>,
    /// Last report about the inbox: null if there is capacity, otherwise the names of the
    /// awaited events, which are accepted all the same.
    pub full: Value,
    /// Overflow: events with their times that arrived before senders could know that the inbox is
    /// full.
    pub overflow: VecDeque<(Timestamp, CloudEvent)>,
}

impl Subscription {
    /// Returns `true` if the start event has not arrived yet.
    pub fn awaits_start_event(&self) -> bool {
        self.is_started && self.next == 0
    }

    fn save(&self) -> Value {
        let overflow = self.overflow.iter().map(|(at, event)| value!([at.as_micros(), event.to_value()]));
        value!({
            "id": self.id as i64,
            "started": self.is_started,
            "begins": self.begins,
            "next": self.next as i64,
            "seen": self.seen as i64,
            "reports": self.reports as i64,
            "start": kinds_to_value(&self.unmatched),
            "stale": self.is_stale,
            "over": self.over.map_or(Value::Null, |op| (op as i64).into()),
            "full": self.full.clone(),
            "overflow": Array::from(overflow.collect::<Vec<_>>()),
        })
    }

    fn load(saved: &Value) -> Option<Subscription> {
        let is_set = |name: &str| saved.get(name).and_then(Value::as_bool) == Some(true);
        let overflow = saved.get("overflow").and_then(Value::as_array).into_iter().flat_map(|all| all.iter());
        let event = |event: &Value| {
            let at = event.get(0)?.as_i64().map(Timestamp::from_micros)?;
            Some((at, CloudEvent::from_value(event.get(1)?).ok()?))
        };
        Some(Subscription {
            id: number_in(saved, "id")?,
            is_started: is_set("started"),
            begins: is_set("begins"),
            next: number_in(saved, "next")?,
            seen: number_in(saved, "seen")?,
            reports: number_in(saved, "reports")?,
            unmatched: kinds_from_value(saved.get("start")),
            is_stale: is_set("stale"),
            over: number_in(saved, "over"),
            full: saved.get("full").cloned().unwrap_or_default(),
            overflow: overflow.map(event).collect::<Option<_>>()?,
        })
    }
}

/// Child execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Child {
    pub service: String,
    pub key: String,
    /// Name of the try whose outcome the parent awaits: empty for the first one.
    pub of_try: String,
}

impl Child {
    /// Returns the child that a call starts.
    ///
    /// The key is unique to its service. Executions that await each other may have equal ids, so
    /// the key of a child in another service starts with the caller's service.
    pub fn of(call: &Call, caller: Caller<'_>, service: &str) -> Child {
        Child { service: service.to_owned(), key: Child::key(call, caller), of_try: String::new() }
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
            Target::Entry(_) | Target::Map(_) => true,
            Target::Workflow(name) => self.definition.workflow_id.is_none() && **name == *self.definition.name,
        }
    }
}

/// Returns the headers of a call: part with the secret, parent, awaited or not, and correlation
/// key.
pub(crate) fn headers_of(
    call: &Call,
    caller: Caller<'_>,
    correlation: Option<Str>,
    secret: Option<&str>,
) -> impl Iterator<Item = Header> {
    let waits = (!call.detached).then(|| Header { key: AWAITED.into(), value: "true".into() });
    let correlation = correlation.map(|value| correlation_header(&value));
    let part = call.part().map(|part| Header { key: PART.into(), value: part.to_number().to_string().into() });
    let secret = secret.filter(|_| part.is_some());
    let secret = secret.map(|secret| Header { key: SECRET.into(), value: secret.to_owned().into() });
    let parent = Header { key: PARENT.into(), value: caller.name().into() };
    [parent].into_iter().chain(part).chain(waits).chain(correlation).chain(secret)
}

/// Returns the header of a correlation key.
pub(crate) fn correlation_header(value: &str) -> Header {
    Header { key: CORRELATION.into(), value: uri::encode(value).into() }
}

/// Returns `true` if an event started the execution.
pub(crate) fn is_started_by_event(headers: &[Header]) -> bool {
    find_header(headers, EVENT).is_some()
}

/// Returns the identity of the subscription of an execution that an event started.
pub(crate) fn started_by_event(headers: &[Header]) -> Option<u64> {
    find_header(headers, EVENT)?.parse().ok()
}

fn find_header<'a>(headers: &'a [Header], key: &str) -> Option<&'a str> {
    let header = headers.iter().find(|header| header.key.eq_ignore_ascii_case(key));
    header.map(|header| &*header.value)
}

/// Returns the parent, if any.
pub(crate) fn parent_in(headers: &[Header]) -> Option<String> {
    find_header(headers, PARENT).map(str::to_owned)
}

/// Returns the secret of the parent, if the headers have one.
pub(crate) fn secret_in(headers: &[Header]) -> Option<String> {
    find_header(headers, SECRET).map(str::to_owned)
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

/// Returns the part of the workflow that is to run, if not the whole one.
pub(crate) fn part_in(headers: &[Header]) -> Result<Option<Part>, String> {
    let Some(number) = find_header(headers, PART) else { return Ok(None) };
    let part = number.parse().ok().and_then(Part::from_number);
    part.map(Some).ok_or_else(|| format!("the header `{PART}` must be the number of a part, found `{number}`"))
}

impl ExecutionLinks {
    /// Adds the links to the header of a snapshot.
    pub fn save(&self, header: &mut Object) {
        let children = self.children.iter().map(|(op, Child { service, key, of_try })| {
            value!([*op as i64, service.as_str(), key.as_str(), of_try.as_str()])
        });
        let children = children.collect::<Vec<_>>();
        if !children.is_empty() {
            header.insert("children", Array::from(children));
        }
        if let Some(parent) = &self.parent {
            header.insert("parent", parent.as_str());
        }
        if let Some(subscription) = &self.subscription {
            header.insert("events", subscription.save());
        }
        if let Some(secret) = &self.secret {
            header.insert("secret", secret.as_str());
        }
    }

    /// Reads the links from the header of a snapshot.
    ///
    /// # Errors
    ///
    /// Returns the problem if the header has a subscription or a kept event that cannot be read.
    pub fn load(header: &Value) -> Result<ExecutionLinks, String> {
        let list = |name: &str| header.get(name).and_then(Value::as_array).into_iter().flat_map(|all| all.iter());
        let child = |child: &Value| {
            let text = |at: i64| child.get(at).and_then(Value::as_str).map(str::to_owned);
            // Earlier versions redrive nothing.
            let of_try = text(3).unwrap_or_default();
            Some((number_of(child.get(0)?)?, Child { service: text(1)?, key: text(2)?, of_try }))
        };
        let subscription = match header.get("events") {
            Some(saved) => Some(Subscription::load(saved).ok_or("a kept event, or its subscription, is unreadable")?),
            None => None,
        };
        Ok(ExecutionLinks {
            parent: header.get("parent").and_then(Value::as_str).map(str::to_owned),
            children: list("children").filter_map(child).collect(),
            subscription,
            secret: header.get("secret").and_then(Value::as_str).map(str::to_owned),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_round_trip() {
        let child =
            Child { service: "order-1".to_owned(), key: "errand-2/one \"1\".2-0".to_owned(), of_try: "7f".to_owned() };
        let event = CloudEvent::new("1", "/bank", "payment").data(3);
        let subscription = Subscription {
            id: u64::MAX >> 1,
            is_started: true,
            begins: true,
            next: 1 << 40,
            seen: 7,
            reports: 3,
            unmatched: vec![0, 2],
            is_stale: true,
            over: Some(9),
            full: value!(["paid"]),
            overflow: [(Timestamp::from_seconds(7), event)].into(),
        };
        let links = ExecutionLinks {
            parent: Some("order-1/one".to_owned()),
            children: [(7, child)].into(),
            subscription: Some(subscription),
            secret: Some("17".to_owned()),
        };
        let begins = ExecutionLinks { subscription: Some(Subscription::default()), ..ExecutionLinks::default() };
        for links in [links, begins, ExecutionLinks::default()] {
            let mut header = Object::new();
            links.save(&mut header);
            assert_eq!(ExecutionLinks::load(&header.into()), Ok(links));
        }
    }

    #[test]
    fn an_unreadable_event_is_not_dropped() {
        let subscription = Subscription {
            overflow: [(Timestamp::from_micros(7), CloudEvent::new("1", "/bank", "payment"))].into(),
            ..Subscription::default()
        };
        let mut saved = subscription.save();
        assert_eq!(Subscription::load(&saved), Some(subscription));
        saved.as_object_mut().expect("an object").insert("overflow", value!([[7, { "id": "1" }]]));
        let header = value!({ "events": saved });
        assert_eq!(ExecutionLinks::load(&header), Err("a kept event, or its subscription, is unreadable".to_owned()));
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
    fn an_invalid_part_is_refused() {
        let part = |value: &'static str| part_in(&[Header { key: "Workflow-Entry".into(), value: value.into() }]);
        assert_eq!([part("3"), part("-1")], [Ok(Some(Part::Entry(3))), Ok(Some(Part::Map(0)))]);
        assert!(part("first").is_err() && part("-9223372036854775808").is_err());
        assert_eq!(part_in(&[]), Ok(None));
    }
}
