//! Events that start executions: whether one does, or an execution takes it that waits for it in its first state. What is known of
//! that, each engine keeps in its way; what follows from it is decided here, for all of them.

use super::definition::{Definition, StartsOn};
use super::events::EventInfo;
use super::execution::{Execution, WaitsFor};
use crate::event::CloudEvent;
#[cfg(doc)]
use crate::id;
use crate::id::EVENT;
use crate::time::Timestamp;
use crate::value::Str;

/// What an event is to a workflow whose executions it starts.
#[derive(Debug, Clone)]
pub struct Opening {
    definition: &'static Definition,
    /// The kinds that start executions, and that the event is of.
    kinds: Vec<&'static EventInfo>,
    elsewhere: bool,
}

impl Opening {
    /// Of an event; none if it starts no executions of the workflow.
    pub fn of(definition: &'static Definition, event: &CloudEvent) -> Option<Opening> {
        let rule = definition.starts_on?;
        let kinds = numbered(definition.events, rule.events).map(|(_, kind)| kind);
        let kinds: Vec<_> = kinds.filter(|kind| kind.matches(event)).collect();
        (!kinds.is_empty()).then(|| Opening { definition, kinds, elsewhere: is_for_later(definition, event) })
    }

    /// The workflow.
    pub fn definition(&self) -> &'static Definition {
        self.definition
    }

    /// The name of the state that an execution begins with, and waits in for such events.
    pub fn state(&self) -> &'static str {
        self.definition.starts_on.map_or("", |rule| rule.state)
    }

    /// Whether such events are waited for elsewhere, too: then all executions keep them that they are for. Else only those have
    /// them that take them in their first state.
    pub fn is_for_later(&self) -> bool {
        self.elsewhere
    }

    /// An older or a newer definition of the workflow has executions, too.
    pub fn beside(&mut self, other: &'static Definition, event: &CloudEvent) {
        self.elsewhere |= is_for_later(other, event);
    }

    /// The correlation value of an execution that the event starts; by default it is the execution's id.
    pub fn correlation(&self, event: &CloudEvent) -> Option<Str> {
        self.kinds.iter().find_map(|kind| kind.correlation_of(event))
    }

    /// The correlation value of all executions that may take the event in their first state; none if they may have any.
    pub fn only_correlation(&self, event: &CloudEvent) -> Option<Str> {
        let value = self.kinds.first()?.correlation_of(event)?;
        self.kinds.iter().all(|kind| kind.correlation_of(event).as_ref() == Some(&value)).then_some(value)
    }

    /// The name of an execution that an event starts, where the engine names it by the event: the
    /// same event has the same name. A source is a URI, and has no spaces. Nobody else can give an
    /// execution such a name ([`id::check`]).
    pub fn name(event: &CloudEvent) -> String {
        format!("{EVENT}{} {}", event.source, event.id)
    }
}

/// Whether executions that are past their first state may wait for an event, or do in another one.
fn is_for_later(definition: &Definition, event: &CloudEvent) -> bool {
    let kinds = definition.events.iter().zip(0_u32..).filter(|(kind, _)| kind.matches(event));
    let rule = definition.starts_on;
    kinds
        .map(|(_, number)| number)
        .any(|number| rule.is_none_or(|rule| !rule.events.contains(&number) || rule.also_later.contains(&number)))
}

fn numbered<'a>(
    events: &'static [EventInfo],
    numbers: &'a [u32],
) -> impl Iterator<Item = (u32, &'static EventInfo)> + use<'a> {
    numbers.iter().filter_map(|number| Some((*number, events.get(*number as usize)?)))
}

/// An execution that is in the first state of its workflow, which waits for the events that start it, or is about to begin with
/// it. What it was given is noted; so it is known what it takes before it has seen that.
#[derive(Debug, Clone, PartialEq)]
pub struct First {
    rule: StartsOn,
    events: &'static [EventInfo],
    correlation: Str,
    /// The kinds, by their numbers, that it needs an event of each of; or of one of them, if that is enough.
    open: Vec<u32>,
    until: Option<Timestamp>,
}

/// An execution that waits in its first state.
#[derive(Debug, Clone, PartialEq)]
pub struct Here {
    /// Which of its entries into states that was: when it comes back, it is another one.
    pub visit: u64,
    /// The operation that waits.
    pub op: u64,
    /// What it waits for.
    pub first: First,
}

impl First {
    /// An execution that was given nothing yet; none if events start no executions of its workflow.
    pub fn new(definition: &'static Definition, correlation: Str) -> Option<First> {
        let rule = definition.starts_on?;
        let open = if rule.in_a_row.is_empty() { rule.events } else { rule.in_a_row };
        Some(First { rule, events: definition.events, correlation, open: open.to_vec(), until: None })
    }

    /// What an execution waits for in its first state, with what it keeps; none if it is somewhere else, or events start no executions
    /// of its workflow.
    pub fn here(execution: &dyn Execution) -> Option<Here> {
        let first = First::new(execution.definition(), execution.correlation().clone())?;
        let (visit, op, reception) = execution.describe().into_iter().find_map(|frame| match frame.waits_for {
            WaitsFor::Event(reception) if frame.state == first.rule.state => {
                Some((frame.visit, frame.op.id, reception))
            }
            _ => None,
        })?;
        let mut first = first.waiting(|name| reception.events.iter().any(|kind| kind.name == name), reception.until);
        if first.keeps() {
            execution.kept_events().into_iter().for_each(|event| first.note(event));
        }
        Some(Here { visit, op, first })
    }

    /// One that waits for these kinds of events, by what their names are, and for no longer than this. What it keeps beside is to
    /// be noted, if it [keeps](First::keeps) what counts.
    pub fn waiting(mut self, is_awaited: impl Fn(&str) -> bool, until: Option<Timestamp>) -> First {
        let is_awaited = |(_, kind): &(u32, &'static EventInfo)| is_awaited(kind.name);
        let open: Vec<_> = if !self.rule.in_a_row.is_empty() {
            numbered(self.events, self.rule.in_a_row).skip_while(|kind| !is_awaited(kind)).collect()
        } else if self.rule.collects {
            numbered(self.events, self.rule.events).filter(is_awaited).collect()
        } else {
            (0..).zip(self.events).filter(is_awaited).collect()
        };
        self.open = open.into_iter().map(|(number, _)| number).collect();
        self.until = until;
        self
    }

    /// One that needs these kinds still, by their numbers, as [`First::open`] told.
    pub fn with_open(mut self, open: Vec<u32>) -> First {
        self.open = open;
        self
    }

    /// Until when it waits, if that has an end.
    pub fn until(&self) -> Option<Timestamp> {
        self.until
    }

    /// Sets for how long it waits, if that has an end.
    pub fn set_until(&mut self, until: Option<Timestamp>) {
        self.until = until;
    }

    /// The kinds that it needs still, by their numbers among the events of the definition.
    pub fn open(&self) -> &[u32] {
        &self.open
    }

    /// Its correlation value.
    pub fn correlation(&self) -> &Str {
        &self.correlation
    }

    /// Whether events that it keeps and does not wait for yet count for its first state.
    pub fn keeps(&self) -> bool {
        !self.rule.in_a_row.is_empty()
    }

    fn first_open(&self, event: &CloudEvent) -> Option<usize> {
        let is_for =
            |number: &u32| self.events.get(*number as usize).is_some_and(|kind| kind.is_for(event, &self.correlation));
        self.open.iter().position(is_for)
    }

    /// Notes an event that it is given.
    pub fn note(&mut self, event: &CloudEvent) {
        let Some(taken) = self.first_open(event) else { return };
        match self.rule.collects || !self.rule.in_a_row.is_empty() {
            true => drop(self.open.remove(taken)),
            // One is enough.
            false => self.open.clear(),
        }
    }

    /// Whether an event of this time is for it, and taken in its first state: it waits for such, will after others that have to
    /// come before, or collects such and has not all yet. Where it does, nothing else has to start.
    pub fn takes(&self, event: &CloudEvent, at: Timestamp) -> bool {
        if self.until.is_some_and(|until| until < at) {
            return false;
        }
        match self.rule.collects {
            true => {
                let mut kinds = numbered(self.events, self.rule.events);
                !self.open.is_empty() && kinds.any(|(_, kind)| kind.is_for(event, &self.correlation))
            }
            false => self.first_open(event).is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{OnTimeout, VERSION_0_1_0};

    const GLOVES: &[EventInfo] = &[
        EventInfo::new("left").kind("left").correlation("pair"),
        EventInfo::new("right").kind("right").correlation("pair"),
        EventInfo::new("any").correlation("pair"),
        EventInfo::new("changed").kind("changed").correlation("pair"),
    ];

    const fn gloves(rule: StartsOn) -> Definition {
        Definition {
            version: VERSION_0_1_0,
            name: "gloves",
            dialect: "none",
            source: "gloves.json",
            hash: 1,
            called: None,
            timeout_seconds: None,
            on_timeout: OnTimeout::Fail,
            data_limit: None,
            context: false,
            longest_task_seconds: None,
            states: &[],
            tasks: &[],
            check_input: None,
            events: GLOVES,
            correlation: None,
            starts_on: Some(rule),
            schedule: None,
            points: &[],
            settings: &[],
            graph: "",
        }
    }

    static ONE: Definition = gloves(StartsOn::new("Match", &[0, 1]).also_later(&[1]));
    static ROW: Definition = gloves(StartsOn::new("Match", &[1, 2]).in_a_row(&[1, 2]));
    static SET: Definition = gloves(StartsOn::new("Match", &[0, 1]).collects());

    fn event(kind: &str, pair: &str) -> CloudEvent {
        CloudEvent::new("1", "/shop", kind).extension("pair", pair)
    }

    fn first(definition: &'static Definition, noted: &[&str]) -> First {
        let mut first = First::new(definition, "a".into()).unwrap();
        noted.iter().for_each(|kind| first.note(&event(kind, "a")));
        first
    }

    /// Which of these are taken now.
    fn takes(first: &First) -> Vec<&'static str> {
        let kinds = ["left", "right", "other"];
        kinds.into_iter().filter(|kind| first.takes(&event(kind, "a"), Timestamp::from_seconds(60))).collect()
    }

    #[test]
    fn one_event_is_enough_or_each_is_needed() {
        assert_eq!(takes(&first(&ONE, &[])), ["left", "right"]);
        assert_eq!(takes(&first(&ONE, &["other"])), ["left", "right"]);
        assert_eq!(takes(&first(&ONE, &["right"])), [""; 0]);
        // What is two kinds is the one that is listed first, as long as that is needed.
        assert_eq!(takes(&first(&ROW, &["left"])), ["right"]);
        assert_eq!(takes(&first(&ROW, &["right"])), ["left", "right", "other"]);
        assert_eq!(takes(&first(&ROW, &["right", "right"])), [""; 0]);
        // All of a set go to who collects it, until that has all.
        assert_eq!(takes(&first(&SET, &["left", "left"])), ["left", "right"]);
        assert_eq!(takes(&first(&SET, &["left", "right"])), [""; 0]);
    }

    #[test]
    fn what_is_of_another_value_or_too_late_is_for_another_one() {
        let mut first = first(&SET, &["left"]);
        let (before, after) = (Timestamp::from_seconds(60), Timestamp::from_seconds(61));
        first.note(&event("right", "b"));
        assert!(!first.takes(&event("right", "b"), before));
        first.set_until(Some(before));
        assert!(first.takes(&event("right", "a"), before) && !first.takes(&event("right", "a"), after));
    }

    #[test]
    fn what_a_state_waits_for_is_what_it_needs() {
        let waiting = |definition, names: &[&str]| {
            First::new(definition, "a".into()).unwrap().waiting(|name| names.contains(&name), None)
        };
        assert_eq!(takes(&waiting(&SET, &["right"])), ["left", "right"]);
        assert_eq!(takes(&waiting(&SET, &[])), [""; 0]);
        // Those that come after it are needed, too.
        assert_eq!(waiting(&ROW, &["right"]).open(), [1, 2]);
        assert_eq!(waiting(&ROW, &["any"]).open(), [2]);
        // An event of a kind that starts nothing may be what ends the wait.
        let mut other = waiting(&ONE, &["left", "right", "any"]);
        other.note(&event("other", "a"));
        assert_eq!(takes(&other), [""; 0]);
        assert_eq!(first(&ROW, &["right"]).open(), [2]);
        assert_eq!(first(&ROW, &[]).with_open(vec![2]), first(&ROW, &["right"]));
    }

    #[test]
    fn an_event_starts_those_that_begin_with_it() {
        let of = |definition, kind: &str| Opening::of(definition, &event(kind, "a b"));
        assert!(of(&ONE, "changed").is_none() && of(&ONE, "other").is_none());
        let left = of(&SET, "left").unwrap();
        assert_eq!(left.correlation(&event("left", "a b")).as_deref(), Some("a b"));
        assert_eq!(left.only_correlation(&event("left", "a b")).as_deref(), Some("a b"));
        // It is of a kind that no first state waits for.
        assert!(left.is_for_later() && of(&ONE, "right").unwrap().is_for_later());
        assert!(!of(&ROW, "right").unwrap().is_for_later());
        assert_eq!((left.state(), &*Opening::name(&event("left", "a"))), ("Match", "event /shop 1"));
    }
}
