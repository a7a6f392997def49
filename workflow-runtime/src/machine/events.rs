//! Events that executions wait for. The inbox of an execution holds the events that were delivered
//! and not yet consumed, in the order of arrival. It is saved with the frames.

use std::collections::VecDeque;
use std::sync::Arc;

use super::command::{Command, Op};
use super::core::{Core, Job};
use super::definition::Definition;
use super::frame::Wait;
use super::observer::EventKind;
use super::snapshot::COUNT_LIMIT;
use crate::event::CloudEvent;
use crate::time::Timestamp;
use crate::value::codec::{LoadError, Reader, Writer};
use crate::value::{Str, Value};

/// The inbox capacity: the number of delivered and not yet consumed events that an execution
/// holds.
pub const INBOX_CAPACITY: usize = 10_000;

/// The number of events that the inbox holds beyond its capacity.
///
/// An engine may deliver an event that a frame waits for although the inbox is full. The frame may
/// have stopped waiting by the time of the delivery.
pub const INBOX_OVERFLOW: usize = 100;

/// A kind of event that a definition waits for or publishes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct EventInfo {
    /// Its name in the definition.
    pub name: &'static str,
    /// The required `subject`, if any. An event may lack it if the kind also requires a `type`.
    pub subject: Option<&'static str>,
    /// The required `type`, if any.
    pub kind: Option<&'static str>,
    /// The required `source`, if any.
    pub source: Option<&'static str>,
    /// Other required attributes, with their values as text.
    pub attributes: &'static [(&'static str, &'static str)],
    /// The attribute that carries the correlation key: of awaited events it must equal the
    /// execution's, of published events it is set to it.
    pub correlation: Option<&'static str>,
    /// Set if the comparison of the subject ignores case.
    pub any_case: bool,
}

impl EventInfo {
    /// Creates a kind that any event matches, under this name.
    pub const fn new(name: &'static str) -> EventInfo {
        EventInfo { name, subject: None, kind: None, source: None, attributes: &[], correlation: None, any_case: false }
    }

    /// Sets the required `subject`. An event may lack it if the kind also requires a `type`.
    pub const fn subject(mut self, subject: &'static str) -> EventInfo {
        self.subject = Some(subject);
        self
    }

    /// Sets the required `type`.
    pub const fn kind(mut self, kind: &'static str) -> EventInfo {
        self.kind = Some(kind);
        self
    }

    /// Sets the required `source`.
    pub const fn source(mut self, source: &'static str) -> EventInfo {
        self.source = Some(source);
        self
    }

    /// Sets the required values of other attributes.
    pub const fn attributes(mut self, attributes: &'static [(&'static str, &'static str)]) -> EventInfo {
        self.attributes = attributes;
        self
    }

    /// Sets the attribute that carries the correlation key.
    pub const fn correlation(mut self, attribute: &'static str) -> EventInfo {
        self.correlation = Some(attribute);
        self
    }

    /// Ignores the case of the subject.
    pub const fn any_case(mut self) -> EventInfo {
        self.any_case = true;
        self
    }

    /// Returns `true` if the event is of this kind, whatever its correlation key.
    pub fn matches(&self, event: &CloudEvent) -> bool {
        self.mismatches(event, None).next().is_none()
    }

    /// Returns `true` if the event is of this kind, and for an execution with this correlation
    /// key.
    pub fn is_for(&self, event: &CloudEvent, correlation: &str) -> bool {
        self.mismatches(event, Some(correlation)).next().is_none()
    }

    /// Returns the attributes in which the event differs from this kind, with the values that it
    /// should have. Without a correlation key, any correlation value will do.
    pub(super) fn mismatches<'a>(
        &'a self,
        event: &'a CloudEvent,
        correlation: Option<&'a str>,
    ) -> impl Iterator<Item = (&'static str, Option<&'a str>)> {
        let kind = self.kind.filter(|wanted| *event.kind != **wanted).map(|wanted| ("type", Some(wanted)));
        let source = self.source.filter(|wanted| *event.source != **wanted).map(|wanted| ("source", Some(wanted)));
        let subject = self.subject.filter(|wanted| !self.is_subject(event, wanted));
        let subject = subject.map(|wanted| ("subject", Some(wanted)));
        let attributes = self.attributes.iter().filter(|(name, wanted)| {
            let found = event.correlation_text(name);
            found.is_none_or(|text| *text != **wanted)
        });
        let attributes = attributes.map(|(name, wanted)| (*name, Some(*wanted)));
        let correlating = self.correlation.filter(|attribute| match event.correlation_text(attribute) {
            Some(text) => correlation.is_some_and(|key| *text != *key),
            None => true,
        });
        let correlating = correlating.map(|attribute| (attribute, correlation));
        kind.into_iter().chain(source).chain(subject).chain(attributes).chain(correlating)
    }

    /// Returns `true` if the event has this subject, or needs none because its type is known.
    fn is_subject(&self, event: &CloudEvent, wanted: &str) -> bool {
        match &event.subject {
            Some(subject) if self.any_case => subject.to_lowercase() == wanted.to_lowercase(),
            Some(subject) => **subject == *wanted,
            None => self.kind.is_some(),
        }
    }

    /// Returns the correlation key that the event carries. `None` if events of this kind are for
    /// all executions.
    pub fn correlation_of(&self, event: &CloudEvent) -> Option<Str> {
        event.correlation_text(self.correlation?)
    }
}

/// A subscription: the wait of a frame for an event.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Reception {
    /// The kinds that the frame waits for. The first event of any of them ends the wait.
    pub events: Vec<&'static EventInfo>,
    /// The time-out of the wait. Its outcome is null then.
    pub until: Option<Timestamp>,
    /// Set if other events that arrive during the wait, or are in the inbox when it begins, are
    /// discarded.
    pub discards_unmatched: bool,
}

impl Reception {
    /// Sets the time-out of the wait.
    pub fn until(&mut self, until: Timestamp) -> &mut Reception {
        self.until = Some(until);
        self
    }

    /// Excludes the kinds that `collected` has events of. Each collected event counts for the
    /// first kind that it matches.
    pub fn except_collected(&mut self, collected: &Value) -> &mut Reception {
        let collected = collected.as_array().map(|events| events.as_slice()).unwrap_or_default();
        for event in collected.iter().filter_map(|event| CloudEvent::from_value(event).ok()) {
            if let Some(taken) = self.events.iter().position(|kind| kind.matches(&event)) {
                self.events.remove(taken);
            }
        }
        self
    }

    /// Discards other events that arrive during the wait.
    pub fn discard_unmatched(&mut self) -> &mut Reception {
        self.discards_unmatched = true;
        self
    }

    fn matches(&self, event: &CloudEvent, correlation: &str) -> bool {
        self.events.iter().any(|kind| kind.is_for(event, correlation))
    }
}

/// The result of delivering an event to an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// A frame waited for the event and consumed it.
    Consumed,
    /// The event is in the inbox.
    Queued,
    /// The event is discarded: the execution waits for others, and its definition discards events
    /// in between.
    Discarded,
    /// The definition waits for no event like it, or only for events with another correlation key.
    Declined,
    /// The inbox is full.
    Full,
    /// The execution has ended or is terminating.
    Ended,
}

/// The inbox: events that were delivered and not yet consumed.
#[derive(Debug, Default)]
pub(super) struct Inbox {
    /// The number of the next event, counted per execution.
    next: u64,
    events: VecDeque<(u64, CloudEvent)>,
}

impl Inbox {
    /// Restores an inbox that was saved.
    pub fn restored(next: u64, events: Vec<(u64, CloudEvent)>) -> Result<Inbox, LoadError> {
        let ordered = events.windows(2).all(|pair| pair[0].0 < pair[1].0);
        match ordered && next <= COUNT_LIMIT && events.last().is_none_or(|(number, _)| *number < next) {
            true => Ok(Inbox { next, events: events.into() }),
            false => Err(LoadError::new("the events in the inbox are not numbered consecutively")),
        }
    }

    /// Returns the number of the next event.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Returns the event of this number.
    pub fn get(&self, number: u64) -> Option<&CloudEvent> {
        let at = self.events.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        Some(&self.events[at].1)
    }

    /// Appends an event. Returns its number.
    pub fn append(&mut self, event: CloudEvent) -> u64 {
        let number = self.next;
        self.next += 1;
        self.events.push_back((number, event));
        number
    }

    /// Returns the number of events.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Returns all events, with their numbers.
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
    /// Returns `true` if the event is of the kind that the definition lists under this number.
    pub fn is_event(&self, number: usize, event: &CloudEvent) -> bool {
        self.header.definition.events.get(number).is_some_and(|kind| kind.is_for(event, self.correlation()))
    }

    /// Returns the kinds of events that the definition lists.
    #[cfg(feature = "serverless-workflow")]
    pub(crate) fn events(&self) -> &'static [EventInfo] {
        self.header.definition.events
    }

    /// Delivers an event from outside: to every frame that waits for it, or else into the inbox.
    /// Frames whose time-out is before `accepted` no longer wait for it.
    pub(super) fn deliver(&mut self, at: Timestamp, event: &CloudEvent, accepted: Option<Timestamp>) -> Delivery {
        if self.result.is_some() || self.header.is_terminating() {
            return Delivery::Ended;
        }
        let correlation = self.correlation();
        if !self.header.definition.events.iter().any(|kind| kind.is_for(event, correlation)) {
            return Delivery::Declined;
        }
        let mut consumers = Vec::new();
        let mut dropped = false;
        for (id, frame) in self.frames.iter() {
            if let Wait::Command(Command::Receive(reception)) = &frame.wait {
                // The wait has timed out: the timer of the engine has yet to fire.
                if reception.until.zip(accepted).is_some_and(|(until, accepted)| accepted > until) {
                    continue;
                }
                match reception.matches(event, correlation) {
                    true => consumers.push(Op { id: frame.op, frame: id }),
                    false => dropped |= reception.discards_unmatched,
                }
            }
        }
        if consumers.is_empty() && dropped {
            return Delivery::Discarded;
        }
        if consumers.is_empty() && self.inbox_len() >= INBOX_CAPACITY + INBOX_OVERFLOW {
            return Delivery::Full;
        }
        self.header.now = self.header.now.max(at);
        if consumers.is_empty() {
            let number = self.occasional().inbox.append(event.clone());
            self.track(|tracker| tracker.inbox_changed(number));
            return Delivery::Queued;
        }
        self.epoch += 1;
        consumers.sort_unstable();
        // An engine that redrives an execution that failed on an event delivers the event again.
        self.track(|tracker| tracker.last = None);
        let value = event.to_value();
        for op in consumers.into_iter().rev() {
            self.frames.get_mut(op.frame).steps = 0;
            if self.observed {
                self.notify(op.frame, EventKind::EventReceived { event });
            }
            // The engine may have a timer for the wait.
            self.cancel(op);
            self.work.push(Job::Resume(op, Ok(value.clone())));
        }
        Delivery::Consumed
    }

    /// Returns the correlation key of this execution.
    pub fn correlation(&self) -> &Str {
        self.header.correlation().map_or(&self.header.name, |correlation| correlation)
    }

    /// Returns the number of events in the inbox.
    pub(super) fn inbox_len(&self) -> usize {
        self.inbox().map_or(0, Inbox::len)
    }

    pub(super) fn inbox_events(&self) -> Vec<&CloudEvent> {
        self.inbox().into_iter().flat_map(Inbox::iter).map(|(_, event)| event).collect()
    }

    /// Suspends the running frame until an event arrives. An event of the inbox resumes it at
    /// once.
    pub(super) fn receive_from_inbox(&mut self, op: Op, reception: Arc<Reception>) -> Wait {
        if self.observed {
            let Reception { ref events, until, .. } = *reception;
            self.notify(self.at, EventKind::EventAwaited { events, until });
        }
        if let Some(event) = self.take_from_inbox(&reception) {
            if self.observed {
                self.notify(self.at, EventKind::EventReceived { event: &event });
            }
            self.work.push(Job::Resume(op, Ok(event.to_value())));
        }
        Wait::Command(Command::Receive(reception))
    }

    /// Takes the first awaited event from the inbox. If the wait discards unmatched events, all
    /// events before it are removed, or all events if none is awaited.
    fn take_from_inbox(&mut self, reception: &Reception) -> Option<CloudEvent> {
        let position = self.inbox()?.iter().position(|(_, event)| reception.matches(event, self.correlation()));
        let events = &mut self.occasional.as_mut()?.inbox.events;
        let discarded = match (reception.discards_unmatched, position) {
            (true, Some(at)) => at,
            (true, None) => events.len(),
            (false, _) => 0,
        };
        for (number, _) in events.drain(..discarded) {
            if let Some(tracker) = &mut self.tracker {
                tracker.inbox_changed(number);
            }
        }
        let (number, event) = events.remove(position? - discarded)?;
        self.track(|tracker| tracker.inbox_changed(number));
        Some(event)
    }
}

impl Definition {
    /// Returns the kinds of events of these numbers.
    pub(super) fn events_at(&'static self, numbers: &[usize]) -> Vec<&'static EventInfo> {
        numbers.iter().filter_map(|number| self.events.get(*number)).collect()
    }
}
