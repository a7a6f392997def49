//! Tests of the rules for events, on a store of maps. The interleavings are explored in
//! `tests/explore`.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::Arc;

use super::{
    Addressee, InboxLimits, Published, Recipient, RoutedEvent, RoutedKind, Sent, Started, Status, Store, publish, send,
};
use crate::event::CloudEvent;
use crate::machine::{Definition, EventInfo, StartCondition, StartsOn, TriggerMatch};
use crate::time::Timestamp;
use crate::value::Str;

const EVENTS: &[EventInfo] = &[
    EventInfo::new("ordered").kind("ordered"),
    EventInfo::new("paid").kind("paid").correlation("order"),
    EventInfo::new("changed").kind("changed"),
];

const fn definition(name: &'static str, rule: Option<StartsOn>) -> Definition {
    Definition {
        name,
        dialect: "none",
        source: "order.json",
        hash: 1,
        events: EVENTS,
        starts_on: rule,
        ..Definition::VERSION_0_1_0
    }
}

static ORDER: Definition = definition("order", Some(StartsOn::new("Ordered", &[0])));
static AUDIT: Definition = definition("audit", None);

/// An execution: its workflow, its correlation key, and its inbox.
#[derive(Clone)]
struct Record {
    workflow: &'static str,
    key: &'static str,
    is_in_start_state: bool,
    unseen: Vec<Str>,
    kept: usize,
    /// The number of events that it sees when its kept events are counted next: it runs beside.
    sees: usize,
    awaits: &'static [&'static str],
}

fn record(workflow: &'static str, key: &'static str) -> Record {
    Record { workflow, key, is_in_start_state: false, unseen: Vec::new(), kept: 0, sees: 0, awaits: &[] }
}

fn starting(key: &'static str) -> Record {
    Record { is_in_start_state: true, ..record("order", key) }
}

#[derive(Default)]
struct Maps {
    executions: Vec<Record>,
    delivered: BTreeSet<(Option<usize>, String, Str)>,
    is_outside_of_schedule: bool,
}

fn name(to: Recipient<'_, usize>, event: &CloudEvent) -> (Option<usize>, String, Str) {
    match to {
        Recipient::Execution(execution) => (Some(execution), String::new(), event.id.clone()),
        Recipient::Workflow(workflow) => (None, workflow.to_owned(), event.id.clone()),
    }
}

impl Store for Maps {
    type Execution = usize;
    type Error = Infallible;

    fn subscribers(&mut self, workflow: &str, _: &[RoutedKind]) -> Result<Vec<usize>, Infallible> {
        Ok((0..self.executions.len()).filter(|number| self.executions[*number].workflow == workflow).collect())
    }

    fn in_start_state(&mut self, _: &TriggerMatch, _: &CloudEvent) -> Result<Vec<usize>, Infallible> {
        Ok((0..self.executions.len()).filter(|number| self.executions[*number].is_in_start_state).collect())
    }

    fn correlation(&mut self, of: usize) -> Result<Str, Infallible> {
        Ok(self.executions[of].key.into())
    }

    fn start_condition(&mut self, of: usize, trigger: &TriggerMatch) -> Result<Option<StartCondition>, Infallible> {
        Ok(StartCondition::new(trigger.definition(), self.executions[of].key.into()))
    }

    fn inbox_limits(&self) -> InboxLimits {
        InboxLimits { capacity: 2, overflow: 1 }
    }

    fn unseen_events(&mut self, of: usize) -> Result<usize, Infallible> {
        Ok(self.executions[of].unseen.len())
    }

    fn kept_events(&mut self, of: usize) -> Result<usize, Infallible> {
        let one = &mut self.executions[of];
        let seen = std::mem::take(&mut one.sees);
        one.unseen.drain(..seen);
        one.kept += seen;
        Ok(one.kept)
    }

    fn kept_events_at_most(&mut self, of: usize) -> Result<usize, Infallible> {
        Ok(self.kept_events(of)? * 2)
    }

    fn awaits(&mut self, of: usize, kinds: &[&str]) -> Result<bool, Infallible> {
        Ok(self.executions[of].awaits.iter().any(|kind| kinds.contains(kind)))
    }

    fn was_delivered(&mut self, to: Recipient<'_, usize>, event: &CloudEvent) -> Result<bool, Infallible> {
        Ok(self.delivered.contains(&name(to, event)))
    }

    fn mark_delivered(&mut self, to: Recipient<'_, usize>, event: &CloudEvent) -> Result<(), Infallible> {
        self.delivered.insert(name(to, event));
        Ok(())
    }

    fn deliver(&mut self, to: usize, event: &Arc<CloudEvent>) -> Result<(), Infallible> {
        self.executions[to].unseen.push(event.id.clone());
        Ok(())
    }

    fn start(&mut self, trigger: &TriggerMatch, _: &Arc<CloudEvent>) -> Result<Started<usize>, Infallible> {
        if self.is_outside_of_schedule {
            return Ok(Started::Declined);
        }
        self.executions.push(record(trigger.definition().name, "new"));
        Ok(Started::New(self.executions.len() - 1))
    }
}

fn event(id: &str, kind: &str, order: &str) -> RoutedEvent {
    let event = CloudEvent::new(id, "/shop", kind).extension("order", order);
    RoutedEvent::new(Arc::new(event), [&ORDER, &AUDIT])
}

/// Publishes an event. Returns the numbers of executions that have it, were started, and are full.
fn published(store: &mut Maps, event: &RoutedEvent, may_start: bool) -> [usize; 3] {
    let Ok(Published { executions, started, full, .. }) = publish(store, event, may_start, Timestamp::from_seconds(0));
    [executions, started, full]
}

/// Returns the ids of the unseen events of each execution.
fn inboxes(store: &Maps) -> Vec<String> {
    store.executions.iter().map(|one| one.unseen.join(" ")).collect()
}

#[test]
fn an_event_goes_once_to_each_execution_that_it_is_for() {
    let executions = vec![record("order", "1"), record("order", "2"), record("audit", "1"), record("other", "1")];
    let mut store = Maps { executions, ..Maps::default() };
    let paid = event("a", "paid", "1");
    assert_eq!(published(&mut store, &paid, true), [2, 0, 0]);
    assert_eq!(published(&mut store, &paid, true), [2, 0, 0]);
    assert_eq!(inboxes(&store), ["a", "", "a", ""]);
    assert_eq!(published(&mut store, &event("b", "changed", "1"), false), [3, 0, 0]);
    assert_eq!(published(&mut store, &event("c", "unknown", "1"), true), [0, 0, 0]);
    assert_eq!(inboxes(&store), ["a b", "b", "a b", ""]);
}

#[test]
fn a_start_event_is_taken_by_those_that_wait_for_it_or_starts_one_execution() {
    let mut store = Maps { executions: vec![record("order", "1"), starting("2"), starting("3")], ..Maps::default() };
    let ordered = event("a", "ordered", "");
    assert_eq!(published(&mut store, &ordered, true), [2, 0, 0]);
    assert_eq!(inboxes(&store), ["", "a", "a"]);
    // Those that have taken it have ended: the duplicate counts as delivered.
    store.executions.truncate(1);
    assert_eq!(published(&mut store, &ordered, true), [1, 0, 0]);
    let again = event("b", "ordered", "");
    store.is_outside_of_schedule = true;
    assert_eq!(published(&mut store, &again, true), [0, 0, 0]);
    store.is_outside_of_schedule = false;
    assert_eq!(published(&mut store, &again, true), [0, 1, 0]);
    assert_eq!(published(&mut store, &again, true), [1, 0, 0]);
    assert_eq!(inboxes(&store), ["", "b"]);
}

#[test]
fn a_start_event_that_may_start_nothing_is_taken_all_the_same() {
    let mut store = Maps { executions: vec![record("order", "1")], ..Maps::default() };
    let ordered = event("a", "ordered", "");
    // Nobody takes it, so it is not recorded.
    assert_eq!(published(&mut store, &ordered, false), [0, 0, 0]);
    store.executions.push(starting("2"));
    assert_eq!(published(&mut store, &ordered, false), [1, 0, 0]);
    assert_eq!(inboxes(&store), ["", "a"]);
    // Published once more, it starts nothing, and another execution does not take it.
    store.executions.push(starting("3"));
    assert_eq!(published(&mut store, &ordered, true), [1, 0, 0]);
    assert_eq!(inboxes(&store), ["", "a", ""]);
}

#[test]
fn nobody_takes_a_start_event_while_one_that_would_has_a_full_inbox() {
    let full = Record { unseen: vec!["x".into(), "y".into()], ..starting("1") };
    let mut store = Maps { executions: vec![full, starting("2")], ..Maps::default() };
    let ordered = event("a", "ordered", "");
    assert_eq!(published(&mut store, &ordered, true), [0, 0, 1]);
    assert_eq!(inboxes(&store), ["x y", ""]);
    store.executions[0].unseen.clear();
    assert_eq!(published(&mut store, &ordered, true), [2, 0, 0]);
    assert_eq!(inboxes(&store), ["a", "a"]);
}

#[test]
fn a_full_inbox_accepts_only_what_the_execution_waits_for() {
    let paid = event("a", "paid", "1");
    let table: [(usize, usize, &[&str], bool); 6] = [
        (1, 0, &[], true),
        (0, 1, &[], true),
        (1, 1, &[], false),
        (0, 2, &[], false),
        (0, 2, &["paid"], true),
        // The overflow is full, too.
        (0, 3, &["paid"], false),
    ];
    for (unseen, kept, awaits, fits) in table {
        let awaits = if awaits.is_empty() { &[][..] } else { &["paid"][..] };
        let one = Record { unseen: vec!["x".into(); unseen], kept, awaits, ..record("audit", "1") };
        let mut store = Maps { executions: vec![one], ..Maps::default() };
        let expected = if fits { [1, 0, 0] } else { [0, 0, 1] };
        assert_eq!(published(&mut store, &paid, true), expected, "{unseen} {kept} {awaits:?}");
    }
}

#[test]
fn an_event_that_is_seen_while_the_inbox_is_counted_counts_once() {
    let one = Record { unseen: vec!["x".into()], sees: 1, ..record("audit", "1") };
    let mut store = Maps { executions: vec![one], ..Maps::default() };
    assert_eq!(published(&mut store, &event("a", "paid", "1"), true), [1, 0, 0]);
}

#[test]
fn events_for_one_execution_are_delivered_all_or_none() {
    let check = |store: &mut Maps, status: Status, events: &[RoutedEvent]| {
        let to = Addressee { execution: 0, workflow: "audit", status };
        let Ok(sent) = send(store, to, events);
        match sent {
            Sent::Delivered(new) => format!("{new} new"),
            Sent::NotNow(status) => format!("{status:?}"),
            Sent::Unwanted(event) => format!("{} is unwanted", event.event.id),
            Sent::Full => "full".to_owned(),
        }
    };
    let mut store = Maps { executions: vec![record("audit", "1")], ..Maps::default() };
    let (a, b, c) = (event("a", "paid", "1"), event("b", "changed", ""), event("c", "paid", "1"));
    let (other_key, unknown) = (event("d", "paid", "2"), event("e", "unknown", "1"));
    assert_eq!(check(&mut store, Status::Running, &[a.clone(), other_key]), "d is unwanted");
    assert_eq!(check(&mut store, Status::Running, &[a.clone(), unknown]), "e is unwanted");
    assert_eq!(check(&mut store, Status::Running, &[a.clone(), b.clone(), c.clone()]), "full");
    assert_eq!(inboxes(&store), [""]);
    assert_eq!(check(&mut store, Status::Parked, &[a.clone(), a.clone()]), "1 new");
    assert_eq!(check(&mut store, Status::Failed, &[a.clone(), b.clone()]), "Failed");
    // Duplicates count as delivered, also after the end.
    assert_eq!(check(&mut store, Status::Succeeded, std::slice::from_ref(&a)), "0 new");
    assert_eq!(check(&mut store, Status::Queued, &[b, a]), "1 new");
    assert_eq!(inboxes(&store), ["a b"]);
    // A single event that it waits for exceeds the capacity; several do not.
    store.executions[0] = Record { kept: 2, awaits: &["paid"], ..record("audit", "1") };
    assert_eq!(check(&mut store, Status::Running, &[c.clone(), event("f", "paid", "1")]), "full");
    assert_eq!(check(&mut store, Status::Running, &[c]), "1 new");
}

#[test]
fn an_event_is_routed_to_all_versions_and_started_by_the_current_one() {
    static OLDER: Definition = definition("order", Some(StartsOn::new("Ordered", &[0]).also_awaited_later(&[0])));
    let event = Arc::new(CloudEvent::new("1", "/shop", "ordered"));
    let routed = RoutedEvent::new(event, [&ORDER, &OLDER, &AUDIT]);
    let kinds: BTreeMap<&str, usize> = routed.workflows.iter().map(|(name, kinds)| (*name, kinds.len())).collect();
    assert_eq!(kinds, BTreeMap::from([("audit", 1), ("order", 1)]));
    let trigger = &routed.starts["order"];
    assert!(std::ptr::eq(trigger.definition(), &ORDER) && trigger.is_awaited_later());
    assert!(!routed.starts.contains_key("audit") && routed.kinds("other").is_empty());
}
