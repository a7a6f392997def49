//! Events that executions wait for. What has arrived and is not waited for yet stays with the execution, in the order of
//! arrival, and is a part of it as its frames are.

use std::collections::VecDeque;
use std::sync::Arc;

use super::command::{Command, Op};
use super::core::{Core, Job};
use super::definition::Definition;
use super::frame::Wait;
use super::snapshot::COUNT_LIMIT;
use crate::event::CloudEvent;
use crate::observe::EventKind;
use crate::time::Timestamp;
use crate::value::codec::{LoadError, Reader, Writer};
use crate::value::{Str, Value};

/// How many events an execution keeps that it does not wait for yet.
pub const EVENTS_KEPT: usize = 10_000;

/// How many more it keeps, so that an engine can take in an event that is waited for although so many are kept: it may not be
/// waited for any more when it is delivered.
pub const EVENTS_SPARE: usize = 100;

/// A kind of event that a definition waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct EventInfo {
    /// What the definition calls it.
    pub name: &'static str,
    /// The `subject` it must have, if that matters.
    pub subject: Option<&'static str>,
    /// The `type` it must have, if that matters.
    pub kind: Option<&'static str>,
    /// The `source` it must have, if that matters.
    pub source: Option<&'static str>,
    /// Other attributes it must have, with their values as text.
    pub attributes: &'static [(&'static str, &'static str)],
    /// The attribute that must have the correlation value of the execution, if one must; of an event that is published, the one
    /// that has it.
    pub correlation: Option<&'static str>,
    /// Whether case matters in the subject.
    pub any_case: bool,
}

impl EventInfo {
    /// Any event at all, under this name.
    pub const fn new(name: &'static str) -> EventInfo {
        EventInfo { name, subject: None, kind: None, source: None, attributes: &[], correlation: None, any_case: false }
    }

    /// Sets the `subject` it must have.
    pub const fn subject(mut self, subject: &'static str) -> EventInfo {
        self.subject = Some(subject);
        self
    }

    /// Sets the `type` it must have.
    pub const fn kind(mut self, kind: &'static str) -> EventInfo {
        self.kind = Some(kind);
        self
    }

    /// Sets the `source` it must have.
    pub const fn source(mut self, source: &'static str) -> EventInfo {
        self.source = Some(source);
        self
    }

    /// Sets the values that other attributes must have.
    pub const fn attributes(mut self, attributes: &'static [(&'static str, &'static str)]) -> EventInfo {
        self.attributes = attributes;
        self
    }

    /// Sets the attribute that must have the correlation value of the execution.
    pub const fn correlation(mut self, attribute: &'static str) -> EventInfo {
        self.correlation = Some(attribute);
        self
    }

    /// Lets the case of the subject not matter.
    pub const fn any_case(mut self) -> EventInfo {
        self.any_case = true;
        self
    }

    /// Whether an event is of this kind, for whichever execution it may be.
    pub fn matches(&self, event: &CloudEvent) -> bool {
        let is_subject = |wanted: &str| match &event.subject {
            Some(subject) if self.any_case => subject.to_lowercase() == wanted.to_lowercase(),
            Some(subject) => **subject == *wanted,
            None => false,
        };
        let has = |(name, wanted): &(&str, &str)| event.token(name).is_some_and(|text| *text == **wanted);
        self.subject.is_none_or(is_subject)
            && self.kind.is_none_or(|wanted| *event.kind == *wanted)
            && self.source.is_none_or(|wanted| *event.source == *wanted)
            && self.attributes.iter().all(has)
            && self.correlation.is_none_or(|attribute| event.token(attribute).is_some())
    }

    /// Whether an event is of this kind, and for an execution that has this correlation value.
    pub fn is_for(&self, event: &CloudEvent, correlation: &str) -> bool {
        self.matches(event) && self.correlation_of(event).is_none_or(|text| *text == *correlation)
    }

    /// The correlation value of executions that an event of this kind is for, if it is not for all of them.
    pub fn correlation_of(&self, event: &CloudEvent) -> Option<Str> {
        event.token(self.correlation?)
    }
}

/// A wait for an event.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Reception {
    /// The kinds of which any one will do.
    pub events: Vec<&'static EventInfo>,
    /// When the wait is over in any case. Its outcome is null then.
    pub until: Option<Timestamp>,
    /// Whether other events that arrive before, or arrived before and were not waited for, are lost.
    pub drops_others: bool,
}

impl Reception {
    /// Ends the wait at this time in any case.
    pub fn until(&mut self, until: Timestamp) -> &mut Reception {
        self.until = Some(until);
        self
    }

    /// Does not wait for kinds of which events were received before: each of those takes the first kind that it is of.
    pub fn beside(&mut self, collected: &Value) -> &mut Reception {
        let collected = collected.as_array().map(|events| events.as_slice()).unwrap_or_default();
        for event in collected.iter().filter_map(|event| CloudEvent::from_value(event).ok()) {
            if let Some(taken) = self.events.iter().position(|kind| kind.matches(&event)) {
                self.events.remove(taken);
            }
        }
        self
    }

    /// Lets other events be lost that arrive before.
    pub fn drop_others(&mut self) -> &mut Reception {
        self.drops_others = true;
        self
    }

    fn takes(&self, event: &CloudEvent, correlation: &str) -> bool {
        self.events.iter().any(|kind| kind.is_for(event, correlation))
    }
}

/// What became of an event that was delivered to an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// It was waited for.
    Taken,
    /// It is kept until it is waited for.
    Kept,
    /// It is lost: the execution waits for others, and its definition says that those between are.
    Dropped,
    /// The definition waits for no such event, or those that it waits for are for executions of another correlation value.
    Unwanted,
    /// The execution keeps so many events already that it takes no more.
    Full,
    /// The execution has ended, or is about to.
    Ended,
}

/// Events that an execution has been given and does not wait for yet.
#[derive(Debug, Default)]
pub(super) struct Inbox {
    /// The number of the next one, counted over the execution.
    next: u64,
    events: VecDeque<(u64, CloudEvent)>,
}

impl Inbox {
    /// An inbox as it was.
    pub fn restored(next: u64, events: Vec<(u64, CloudEvent)>) -> Result<Inbox, LoadError> {
        let ordered = events.windows(2).all(|pair| pair[0].0 < pair[1].0);
        match ordered && next <= COUNT_LIMIT && events.last().is_none_or(|(number, _)| *number < next) {
            true => Ok(Inbox { next, events: events.into() }),
            false => Err(LoadError::new("the events that an execution keeps are not numbered one by one")),
        }
    }

    /// The number of the next one.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// The event of this number.
    pub fn get(&self, number: u64) -> Option<&CloudEvent> {
        let at = self.events.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        Some(&self.events[at].1)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// All of them, with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &(u64, CloudEvent)> {
        self.events.iter()
    }

    pub fn save(&self, w: &mut Writer) {
        w.put(&self.next);
        w.count(self.events.len());
        for (number, event) in &self.events {
            w.put(number);
            w.put(event);
        }
    }

    pub fn load(r: &mut Reader<'_>) -> Result<Inbox, LoadError> {
        let next = r.take()?;
        let mut events = Vec::new();
        for _ in 0..r.count()? {
            events.push((r.take()?, r.take()?));
        }
        Inbox::restored(next, events)
    }
}

impl Core {
    /// Whether an event is of the kind that the definition lists under this number.
    pub fn is_event(&self, number: usize, event: &CloudEvent) -> bool {
        self.header.definition.events.get(number).is_some_and(|kind| kind.is_for(event, self.correlation()))
    }

    /// The kinds of events that the definition lists.
    #[cfg(feature = "serverless-workflow")]
    pub(crate) fn events(&self) -> &'static [EventInfo] {
        self.header.definition.events
    }

    /// Delivers an event from outside: to every frame that waits for it, or else to the first that will.
    pub(super) fn deliver(&mut self, at: Timestamp, event: &CloudEvent) -> Delivery {
        if self.result.is_some() || self.header.terminating.is_some() {
            return Delivery::Ended;
        }
        let correlation = self.correlation();
        if !self.header.definition.events.iter().any(|kind| kind.is_for(event, correlation)) {
            return Delivery::Unwanted;
        }
        let mut takers = Vec::new();
        let mut dropped = false;
        for (id, frame) in self.frames.iter() {
            if let Wait::Command(Command::Receive(reception)) = &frame.wait {
                // Its time was over: the engine has yet to say so.
                if reception.until.is_some_and(|until| at > until) {
                    continue;
                }
                match reception.takes(event, correlation) {
                    true => takers.push(Op { id: frame.op, frame: id }),
                    false => dropped |= reception.drops_others,
                }
            }
        }
        if takers.is_empty() && dropped {
            return Delivery::Dropped;
        }
        if takers.is_empty() && self.inbox.events.len() >= EVENTS_KEPT + EVENTS_SPARE {
            return Delivery::Full;
        }
        self.header.now = self.header.now.max(at);
        if takers.is_empty() {
            let number = self.inbox.next;
            self.inbox.next += 1;
            self.inbox.events.push_back((number, event.clone()));
            self.track(|tracker| tracker.event(number));
            return Delivery::Kept;
        }
        self.epoch += 1;
        takers.sort_unstable();
        // An engine that takes up an execution that has failed of an event delivers that once more.
        self.track(|tracker| tracker.last = None);
        let value = event.to_value();
        for op in takers.into_iter().rev() {
            self.frames.get_mut(op.frame).steps = 0;
            if self.observed {
                self.notify(op.frame, EventKind::EventReceived { event });
            }
            // The engine may have a timer for it.
            self.cancelled.push(op);
            self.work.push(Job::Resume(op, Ok(value.clone())));
        }
        Delivery::Taken
    }

    /// The value by which events are told to be for this execution.
    pub fn correlation(&self) -> &Str {
        self.header.correlation.as_ref().unwrap_or(&self.header.name)
    }

    /// How many events are kept.
    pub(super) fn events_kept(&self) -> usize {
        self.inbox.len()
    }

    pub(super) fn kept_events(&self) -> Vec<&CloudEvent> {
        self.inbox.events.iter().map(|(_, event)| event).collect()
    }

    /// The frame that runs begins to wait for an event, and does not wait long if one is kept.
    pub(super) fn receive_kept(&mut self, op: Op, reception: Arc<Reception>) -> Wait {
        if self.observed {
            let Reception { ref events, until, .. } = *reception;
            self.notify(self.at, EventKind::EventAwaited { events, until });
        }
        if let Some(event) = self.take_kept(&reception) {
            if self.observed {
                self.notify(self.at, EventKind::EventReceived { event: &event });
            }
            self.work.push(Job::Resume(op, Ok(event.to_value())));
        }
        Wait::Command(Command::Receive(reception))
    }

    /// The first event kept that is waited for. With it go those before it, if the wait says so; and all, if none is.
    fn take_kept(&mut self, reception: &Reception) -> Option<CloudEvent> {
        let found = self.inbox.events.iter().position(|(_, event)| reception.takes(event, self.correlation()));
        let lost = match (reception.drops_others, found) {
            (true, Some(at)) => at,
            (true, None) => self.inbox.events.len(),
            (false, _) => 0,
        };
        for (number, _) in self.inbox.events.drain(..lost) {
            if let Some(tracker) = &mut self.tracker {
                tracker.event(number);
            }
        }
        let (number, event) = self.inbox.events.remove(found? - lost)?;
        self.track(|tracker| tracker.event(number));
        Some(event)
    }
}

impl Definition {
    /// The events of these numbers.
    pub(super) fn events_at(&'static self, numbers: &[usize]) -> Vec<&'static EventInfo> {
        numbers.iter().filter_map(|number| self.events.get(*number)).collect()
    }
}
