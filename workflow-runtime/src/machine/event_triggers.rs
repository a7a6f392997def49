//! Event triggers: the start conditions of workflows, and their match with events and with
//! executions in their start states.
//!
//! Each engine stores what executions have received in its own way. The rules that decide between
//! starting an execution and delivering to a waiting one are here, for all engines.

use super::definition::{Definition, StartsOn};
use super::events::EventInfo;
use super::execution::{Execution, WaitsFor};
use crate::event::CloudEvent;
#[cfg(doc)]
use crate::id;
use crate::id::EVENT_PREFIX;
use crate::time::Timestamp;
use crate::value::Str;

/// The match of an event with the start condition of a workflow.
#[derive(Debug, Clone)]
pub struct TriggerMatch {
    definition: &'static Definition,
    /// The kinds of the start condition that the event is of.
    kinds: Vec<&'static EventInfo>,
    awaited_later: bool,
}

impl TriggerMatch {
    /// Matches an event. Returns `None` if it does not start executions of the workflow.
    pub fn of(definition: &'static Definition, event: &CloudEvent) -> Option<TriggerMatch> {
        let rule = definition.starts_on?;
        let kinds = numbered(definition.events, rule.events).map(|(_, kind)| kind);
        let kinds: Vec<_> = kinds.filter(|kind| kind.matches(event)).collect();
        (!kinds.is_empty()).then(|| TriggerMatch {
            definition,
            kinds,
            awaited_later: is_awaited_later(definition, event),
        })
    }

    /// Returns the workflow.
    pub fn definition(&self) -> &'static Definition {
        self.definition
    }

    /// Returns the name of the start state, in which executions wait for the start events.
    pub fn state(&self) -> &'static str {
        self.definition.starts_on.map_or("", |rule| rule.state)
    }

    /// Returns `true` if another state awaits the event, too. The event then goes to the inboxes
    /// of all executions that it correlates with. Otherwise only executions in their start state
    /// receive it.
    pub fn is_awaited_later(&self) -> bool {
        self.awaited_later
    }

    /// Takes into account that executions of an older or newer definition of the workflow exist.
    pub fn add_version(&mut self, other: &'static Definition, event: &CloudEvent) {
        self.awaited_later |= is_awaited_later(other, event);
    }

    /// Returns the correlation key of an execution that the event starts. `None` stands for the
    /// execution's id.
    pub fn correlation(&self, event: &CloudEvent) -> Option<Str> {
        self.kinds.iter().find_map(|kind| kind.correlation_of(event))
    }

    /// Returns the only correlation key of executions that may accept the event in their start
    /// state. `None` if the key may be any.
    pub fn only_correlation(&self, event: &CloudEvent) -> Option<Str> {
        let value = self.kinds.first()?.correlation_of(event)?;
        self.kinds.iter().all(|kind| kind.correlation_of(event).as_ref() == Some(&value)).then_some(value)
    }

    /// Returns names of kinds: an execution in its start state that may accept the event awaits at
    /// least one of them.
    pub fn awaited_kinds(&self, event: &CloudEvent) -> Vec<&'static str> {
        let Some(rule) = self.definition.starts_on else { return Vec::new() };
        let events = self.definition.events;
        if rule.all_of {
            return numbered(events, rule.events).map(|(_, kind)| kind.name).collect();
        }
        if rule.sequence.is_empty() {
            return self.kinds.iter().map(|kind| kind.name).collect();
        }
        // The execution awaits one of the kinds, and accepts those after it, too.
        let sequence: Vec<_> = numbered(events, rule.sequence).map(|(_, kind)| kind).collect();
        let last = sequence.iter().rposition(|kind| kind.matches(event));
        sequence.iter().take(last.map_or(0, |last| last + 1)).map(|kind| kind.name).collect()
    }

    /// Returns the name of an execution that an event starts, for engines that derive the name
    /// from the event: equal events have equal names.
    ///
    /// The source is a URI and has no spaces. No caller can choose such a name ([`id::check`]).
    pub fn execution_name(event: &CloudEvent) -> String {
        format!("{EVENT_PREFIX}{} {}", event.source, event.id)
    }
}

/// Returns `true` if an execution may await the event after its start state, or in another state.
fn is_awaited_later(definition: &Definition, event: &CloudEvent) -> bool {
    let kinds = definition.events.iter().zip(0_u32..).filter(|(kind, _)| kind.matches(event));
    let rule = definition.starts_on;
    kinds.map(|(_, number)| number).any(|number| {
        rule.is_none_or(|rule| !rule.events.contains(&number) || rule.also_awaited_later.contains(&number))
    })
}

fn numbered<'a>(
    events: &'static [EventInfo],
    numbers: &'a [u32],
) -> impl Iterator<Item = (u32, &'static EventInfo)> + use<'a> {
    numbers.iter().filter_map(|number| Some((*number, events.get(*number as usize)?)))
}

/// The pending start condition of an execution that is in its start state or about to enter it. It
/// records the delivered events, so that an engine can decide before the execution has seen them.
#[derive(Debug, Clone, PartialEq)]
pub struct StartCondition {
    rule: StartsOn,
    events: &'static [EventInfo],
    correlation: Str,
    /// The kinds that are still unmatched, as indexes into the definition's events. If a single
    /// event completes the condition, one match completes it.
    unmatched: Vec<u32>,
    until: Option<Timestamp>,
}

/// The wait of an execution in its start state.
#[derive(Debug, Clone, PartialEq)]
pub struct StartStateWait {
    /// The number of the visit to the start state. Re-entering the state is another visit.
    pub visit: u64,
    /// The number of the operation that waits.
    pub op: u64,
    /// The pending start condition.
    pub condition: StartCondition,
}

impl StartCondition {
    /// Returns the condition of an execution that has received no event. `None` if events do not
    /// start executions of its workflow.
    pub fn new(definition: &'static Definition, correlation: Str) -> Option<StartCondition> {
        let rule = definition.starts_on?;
        let unmatched = if rule.sequence.is_empty() { rule.events } else { rule.sequence };
        Some(StartCondition {
            rule,
            events: definition.events,
            correlation,
            unmatched: unmatched.to_vec(),
            until: None,
        })
    }

    /// Returns the wait of an execution in its start state, with the events of its inbox recorded.
    /// `None` if the execution is elsewhere, or events do not start executions of its workflow.
    pub fn awaited_by(execution: &dyn Execution) -> Option<StartStateWait> {
        let condition = StartCondition::new(execution.info().definition(), execution.info().correlation().clone())?;
        let (visit, op, reception) = execution.describe().into_iter().find_map(|frame| match frame.waits_for {
            WaitsFor::Event(reception) if frame.state == condition.rule.state => {
                Some((frame.visit, frame.op.id, reception))
            }
            _ => None,
        })?;
        let mut condition =
            condition.awaiting(|name| reception.events.iter().any(|kind| kind.name == name), reception.until);
        if condition.is_ordered() {
            execution.info().inbox_events().into_iter().for_each(|event| condition.record(event));
        }
        Some(StartStateWait { visit, op, condition })
    }

    /// Restricts the condition to the awaited kinds, by their names, and to a time-out. If the
    /// condition is [ordered](StartCondition::is_ordered), events of the inbox are still to be
    /// recorded.
    pub fn awaiting(mut self, is_awaited: impl Fn(&str) -> bool, until: Option<Timestamp>) -> StartCondition {
        let is_awaited = |(_, kind): &(u32, &'static EventInfo)| is_awaited(kind.name);
        let unmatched: Vec<_> = if !self.rule.sequence.is_empty() {
            numbered(self.events, self.rule.sequence).skip_while(|kind| !is_awaited(kind)).collect()
        } else if self.rule.all_of {
            numbered(self.events, self.rule.events).filter(is_awaited).collect()
        } else {
            (0..).zip(self.events).filter(is_awaited).collect()
        };
        self.unmatched = unmatched.into_iter().map(|(number, _)| number).collect();
        self.until = until;
        self
    }

    /// Replaces the unmatched kinds, as returned by [`StartCondition::unmatched`].
    pub fn with_unmatched(mut self, unmatched: Vec<u32>) -> StartCondition {
        self.unmatched = unmatched;
        self
    }

    /// Returns the time-out of the wait, if it has one.
    pub fn until(&self) -> Option<Timestamp> {
        self.until
    }

    /// Sets the time-out of the wait.
    pub fn set_until(&mut self, until: Option<Timestamp>) {
        self.until = until;
    }

    /// Returns the unmatched kinds, as indexes into the definition's events.
    pub fn unmatched(&self) -> &[u32] {
        &self.unmatched
    }

    /// Returns the correlation key.
    pub fn correlation(&self) -> &Str {
        &self.correlation
    }

    /// Returns `true` if the kinds are awaited one after the other. Events that arrive early then
    /// count, too.
    pub fn is_ordered(&self) -> bool {
        !self.rule.sequence.is_empty()
    }

    fn first_unmatched(&self, event: &CloudEvent) -> Option<usize> {
        let is_for =
            |number: &u32| self.events.get(*number as usize).is_some_and(|kind| kind.is_for(event, &self.correlation));
        self.unmatched.iter().position(is_for)
    }

    /// Records a delivered event.
    pub fn record(&mut self, event: &CloudEvent) {
        let Some(taken) = self.first_unmatched(event) else { return };
        match self.rule.all_of || !self.rule.sequence.is_empty() {
            true => drop(self.unmatched.remove(taken)),
            // A single event completes the condition.
            false => self.unmatched.clear(),
        }
    }

    /// Returns `true` if the execution accepts an event of this time in its start state: the kind
    /// is unmatched, or the execution collects events and is not complete. An accepted event
    /// starts no other execution.
    pub fn accepts(&self, event: &CloudEvent, at: Timestamp) -> bool {
        // At the very time of the time-out the execution may be leaving the state already.
        if self.until.is_some_and(|until| until <= at) {
            return false;
        }
        match self.rule.all_of {
            true => {
                let mut kinds = numbered(self.events, self.rule.events);
                !self.unmatched.is_empty() && kinds.any(|(_, kind)| kind.is_for(event, &self.correlation))
            }
            false => self.first_unmatched(event).is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GLOVES: &[EventInfo] = &[
        EventInfo::new("left").kind("left").correlation("pair"),
        EventInfo::new("right").kind("right").correlation("pair"),
        EventInfo::new("any").correlation("pair"),
        EventInfo::new("changed").kind("changed").correlation("pair"),
    ];

    const fn gloves(rule: StartsOn) -> Definition {
        Definition {
            name: "gloves",
            dialect: "none",
            source: "gloves.json",
            hash: 1,
            events: GLOVES,
            starts_on: Some(rule),
            ..Definition::VERSION_0_1_0
        }
    }

    static ONE: Definition = gloves(StartsOn::new("Match", &[0, 1]).also_awaited_later(&[1]));
    static ROW: Definition = gloves(StartsOn::new("Match", &[1, 2]).sequence(&[1, 2]));
    static SET: Definition = gloves(StartsOn::new("Match", &[0, 1]).all_of());

    fn event(kind: &str, pair: &str) -> CloudEvent {
        CloudEvent::new("1", "/shop", kind).extension("pair", pair)
    }

    fn condition(definition: &'static Definition, noted: &[&str]) -> StartCondition {
        let mut condition = StartCondition::new(definition, "a".into()).unwrap();
        noted.iter().for_each(|kind| condition.record(&event(kind, "a")));
        condition
    }

    /// Returns the kinds that the condition accepts.
    fn takes(condition: &StartCondition) -> Vec<&'static str> {
        let kinds = ["left", "right", "other"];
        kinds.into_iter().filter(|kind| condition.accepts(&event(kind, "a"), Timestamp::from_seconds(60))).collect()
    }

    #[test]
    fn one_event_is_enough_or_each_is_needed() {
        assert_eq!(takes(&condition(&ONE, &[])), ["left", "right"]);
        assert_eq!(takes(&condition(&ONE, &["other"])), ["left", "right"]);
        assert_eq!(takes(&condition(&ONE, &["right"])), [""; 0]);
        // An event of two kinds matches the first that is unmatched.
        assert_eq!(takes(&condition(&ROW, &["left"])), ["right"]);
        assert_eq!(takes(&condition(&ROW, &["right"])), ["left", "right", "other"]);
        assert_eq!(takes(&condition(&ROW, &["right", "right"])), [""; 0]);
        // All events of the kinds go to the collecting execution until it is complete.
        assert_eq!(takes(&condition(&SET, &["left", "left"])), ["left", "right"]);
        assert_eq!(takes(&condition(&SET, &["left", "right"])), [""; 0]);
    }

    #[test]
    fn events_with_another_key_or_at_the_timeout_are_not_accepted() {
        let mut condition = condition(&SET, &["left"]);
        let (before, until) = (Timestamp::from_seconds(60), Timestamp::from_seconds(61));
        condition.record(&event("right", "b"));
        assert!(!condition.accepts(&event("right", "b"), before));
        condition.set_until(Some(until));
        assert!(condition.accepts(&event("right", "a"), before) && !condition.accepts(&event("right", "a"), until));
    }

    #[test]
    fn awaited_kinds_determine_the_unmatched_kinds() {
        let waiting = |definition, names: &[&str]| {
            StartCondition::new(definition, "a".into()).unwrap().awaiting(|name| names.contains(&name), None)
        };
        assert_eq!(takes(&waiting(&SET, &["right"])), ["left", "right"]);
        assert_eq!(takes(&waiting(&SET, &[])), [""; 0]);
        // The kinds after it are unmatched, too.
        assert_eq!(waiting(&ROW, &["right"]).unmatched(), [1, 2]);
        assert_eq!(waiting(&ROW, &["any"]).unmatched(), [2]);
        // An event that starts nothing may end the wait.
        let mut other = waiting(&ONE, &["left", "right", "any"]);
        other.record(&event("other", "a"));
        assert_eq!(takes(&other), [""; 0]);
        assert_eq!(condition(&ROW, &["right"]).unmatched(), [2]);
        assert_eq!(condition(&ROW, &[]).with_unmatched(vec![2]), condition(&ROW, &["right"]));
    }

    #[test]
    fn an_event_starts_those_that_begin_with_it() {
        let of = |definition, kind: &str| TriggerMatch::of(definition, &event(kind, "a b"));
        assert!(of(&ONE, "changed").is_none() && of(&ONE, "other").is_none());
        let left = of(&SET, "left").unwrap();
        assert_eq!(left.correlation(&event("left", "a b")).as_deref(), Some("a b"));
        assert_eq!(left.only_correlation(&event("left", "a b")).as_deref(), Some("a b"));
        // No start state awaits its kind.
        assert!(left.is_awaited_later() && of(&ONE, "right").unwrap().is_awaited_later());
        assert!(!of(&ROW, "right").unwrap().is_awaited_later());
        for (definition, kind, awaited) in [
            (&SET, "left", &["left", "right"][..]),
            (&ONE, "right", &["right"]),
            (&ROW, "right", &["right", "any"]),
            (&ROW, "left", &["right", "any"]),
        ] {
            assert_eq!(of(definition, kind).unwrap().awaited_kinds(&event(kind, "a b")), awaited, "{kind}");
        }
        assert_eq!((left.state(), &*TriggerMatch::execution_name(&event("left", "a"))), ("Match", "event /shop 1"));
    }
}
