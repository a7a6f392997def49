//! Events of an execution: its inbox, its start state, and the events that it publishes.

use std::collections::BTreeSet;
use std::sync::Arc;

use hyper::body::Bytes;
use restate_sdk_shared_core::{Error, NonEmptyValue, VM, Value as Notified};
use workflow_runtime::machine::{Occurrence, Op, Reception, StartCondition, StartStateWait, WaitsFor};
use workflow_runtime::{Array, CloudEvent, Fault, Timestamp, Value};

use super::{Drive, Run, Wait, read};
use crate::connection::any_payload;
use crate::event_bus::{self, BusHandler};
use crate::journal::{self, NO_TIME};
use crate::links::StartVisit;
use crate::{event_triggers, promises};

/// Source of an event.
#[derive(Clone, Copy)]
pub(super) enum EventSource {
    /// Sent to the execution alone.
    Sent,
    /// Published to all executions of the service.
    Published,
    /// Offered for the start state of the execution.
    StartState,
}

impl Drive<'_> {
    /// Waits for events from now on, if the definition does.
    pub(super) fn expect_events(&mut self) -> Result<(), Error> {
        if self.execution.info().definition().events.is_empty() {
            return Ok(());
        }
        // The start event comes first, so nothing else is expected before it.
        if !self.state.links.start_visit.is_some_and(StartVisit::awaits_start_event) {
            self.expect_other_events()?;
        }
        self.expect_event(EventSource::StartState)
    }

    fn expect_other_events(&mut self) -> Result<(), Error> {
        self.expect_event(EventSource::Sent)?;
        self.expect_event(EventSource::Published)
    }

    fn expect_event(&mut self, source: EventSource) -> Result<(), Error> {
        let links = &self.state.links;
        let promise = match source {
            EventSource::Sent => Some(promises::sent(links.next_sent)),
            EventSource::Published => links.next_published.map(promises::published),
            EventSource::StartState => {
                let start_visit = links.start_visit.filter(|start_visit| !start_visit.has_left);
                start_visit.map(|start_visit| promises::start_state_event(start_visit.number, start_visit.next))
            }
        };
        let Some(promise) = promise else { return Ok(()) };
        self.command();
        let handle = self.connection.vm.sys_get_promise(promise)?;
        self.waits.insert(handle, Wait::Event(source));
        Ok(())
    }

    /// Handles an event.
    pub(super) async fn on_event(&mut self, source: EventSource, value: Notified) -> Result<(), Error> {
        let (at, event) = read(value);
        // A null event is a placeholder for one that is not for this execution. An unreadable one
        // is ignored.
        let event = event.unwrap_or_default();
        let is_duplicate = event.as_bool() == Some(true);
        let event = CloudEvent::from_value(&event).ok();
        // The execution accepts its start event in any case.
        let begins = matches!(source, EventSource::StartState)
            && self.state.links.start_visit.is_some_and(StartVisit::awaits_start_event);
        if matches!(source, EventSource::StartState) && !begins {
            let here = StartCondition::awaited_by(&*self.execution);
            let Some(here) = here.filter(|here| here.condition.until().is_none_or(|until| at <= until)) else {
                return self.leave_start_state();
            };
            if event.as_ref().is_some_and(|event| !here.condition.accepts(event, at)) {
                return self.decline(here.condition);
            }
        }
        let links = &mut self.state.links;
        match source {
            EventSource::Sent => links.next_sent += 1,
            EventSource::Published => links.next_published = links.next_published.map(|next| next + 1),
            EventSource::StartState => {
                links.start_visit =
                    links.start_visit.map(|start_visit| StartVisit { next: start_visit.next + 1, ..start_visit })
            }
        }
        if let Some(event) = event.filter(|event| self.is_for_this(event)) {
            match self.state.links.capacity.overflow.is_empty() && self.has_capacity() || self.is_awaited(at, &event) {
                true => self.deliver(at, &event).await,
                // The sender could not know that the inbox is full, and has an acknowledgement.
                false => self.state.links.capacity.overflow.push_back((at, event)),
            }
        }
        if is_duplicate {
            self.report_unmatched()?;
        }
        self.expect_event(source)?;
        if begins { self.expect_other_events() } else { Ok(()) }
    }

    /// Declines an event for the start state, where the execution waits for other events than the
    /// bus assumed.
    fn decline(&mut self, condition: StartCondition) -> Result<(), Error> {
        let Some(start_visit) = &mut self.state.links.start_visit else { return Ok(()) };
        let number = start_visit.next;
        start_visit.next += 1;
        let start_visit = *start_visit;
        self.command();
        // Reports the awaited events first, or the bus would offer this event again.
        event_triggers::send_unmatched(
            self.service,
            self.connection,
            self.execution.info().id(),
            start_visit,
            condition,
        )?;
        self.command();
        event_triggers::send_declined(self.service, self.connection, self.execution.info().id(), start_visit, number)?;
        self.expect_event(EventSource::StartState)
    }

    /// Reports that the execution has left its start state, or re-entered it, or both in turn.
    pub(super) fn update_start_visit(&mut self) -> Result<(), Error> {
        let Some(start_visit) = self.state.links.start_visit else { return Ok(()) };
        if self.execution.result().is_some() || self.execution.info().is_terminating() {
            return self.leave_start_state();
        }
        match StartCondition::awaited_by(&*self.execution) {
            None if start_visit.awaits_start_event() => Ok(()),
            None => self.leave_start_state(),
            // A late event has not ended the wait yet.
            Some(here) if start_visit.has_left && start_visit.op == here.op => Ok(()),
            Some(here) if !start_visit.has_left && [0, here.visit].contains(&start_visit.visit) => {
                self.state.links.start_visit = Some(StartVisit { visit: here.visit, op: here.op, ..start_visit });
                Ok(())
            }
            Some(here) => {
                self.leave_start_state()?;
                self.reenter_start_state(start_visit, here)
            }
        }
    }

    /// Reports the awaited events of the start state, because the bus has counted a duplicate.
    fn report_unmatched(&mut self) -> Result<(), Error> {
        let Some(start_visit) = self.state.links.start_visit.filter(|start_visit| !start_visit.has_left) else {
            return Ok(());
        };
        let Some(here) = StartCondition::awaited_by(&*self.execution).filter(|here| here.visit == start_visit.visit)
        else {
            return Ok(());
        };
        self.command();
        event_triggers::send_unmatched(
            self.service,
            self.connection,
            self.execution.info().id(),
            start_visit,
            here.condition,
        )
    }

    /// Leaves the start state: the bus dispatches unconsumed events again.
    fn leave_start_state(&mut self) -> Result<(), Error> {
        let Some(start_visit) = self.state.links.start_visit.as_mut().filter(|start_visit| !start_visit.has_left)
        else {
            return Ok(());
        };
        start_visit.has_left = true;
        let visit = *start_visit;
        self.waits.retain(|_, wait| !matches!(wait, Wait::Event(EventSource::StartState)));
        self.command();
        event_triggers::send_left(self.service, self.connection, self.execution.info().id(), visit)
    }

    /// Re-enters the start state.
    fn reenter_start_state(&mut self, before: StartVisit, here: StartStateWait) -> Result<(), Error> {
        let start_visit =
            StartVisit { number: before.number + 1, next: 1, has_left: false, visit: here.visit, op: here.op };
        self.state.links.start_visit = Some(start_visit);
        self.command();
        event_triggers::send_reentered(
            self.service,
            self.connection,
            self.execution.info().id(),
            start_visit,
            here.condition,
        )?;
        self.expect_event(EventSource::StartState)
    }

    async fn deliver(&mut self, at: Timestamp, event: &CloudEvent) {
        self.attach_observers();
        self.now = self.now.max(at);
        self.execution.apply(at, Occurrence::Event(event));
        self.run_turn().await;
        self.unmarked = true;
    }

    /// Returns `true` if the definition waits for such events with this correlation key.
    fn is_for_this(&self, event: &CloudEvent) -> bool {
        let events = self.execution.info().definition().events;
        events.iter().any(|kind| kind.is_for(event, self.execution.info().correlation()))
    }

    fn has_capacity(&self) -> bool {
        self.execution.info().inbox_len() < self.state.limits.events as usize
    }

    /// Returns `true` if the execution waits for an event of this time, or discards it, rather
    /// than keep it.
    fn is_awaited(&self, at: Timestamp, event: &CloudEvent) -> bool {
        let correlation = self.execution.info().correlation();
        let does = |reception: &Reception| {
            reception.until.is_none_or(|until| at <= until)
                && (reception.discards_unmatched || reception.events.iter().any(|kind| kind.is_for(event, correlation)))
        };
        self.execution.describe().iter().any(|frame| match &frame.waits_for {
            WaitsFor::Event(reception) => does(reception),
            _ => false,
        })
    }

    /// Delivers overflow, and reports the inbox capacity to senders if it has changed.
    pub(super) async fn report_capacity(&mut self) -> Result<(), Error> {
        if self.execution.info().definition().events.is_empty() || self.state.batch.is_some() {
            return Ok(());
        }
        self.deliver_overflow().await?;
        if self.execution.result().is_some() {
            return Ok(());
        }
        let report = match self.has_capacity() {
            true => Value::Null,
            false => self.awaited_events(),
        };
        let capacity = &mut self.state.links.capacity;
        if capacity.last_report == report {
            return Ok(());
        }
        let promise = promises::inbox_capacity(capacity.reports);
        capacity.reports += 1;
        capacity.last_report = report.clone();
        self.command();
        let report = NonEmptyValue::Success(journal::encode(NO_TIME, &Ok(report)));
        self.connection.vm.sys_complete_promise(promise, report, any_payload())?;
        Ok(())
    }

    /// Delivers overflow as far as the inbox has capacity, or the events are awaited.
    async fn deliver_overflow(&mut self) -> Result<(), Error> {
        while self.execution.result().is_none() {
            let overflow = &self.state.links.capacity.overflow;
            let next = match overflow.is_empty() {
                true => None,
                false if self.has_capacity() => Some(0),
                false => overflow.iter().position(|(at, event)| self.is_awaited(*at, event)),
            };
            let Some((at, event)) = next.and_then(|next| self.state.links.capacity.overflow.remove(next)) else {
                break;
            };
            self.deliver(at, &event).await;
            self.execute_commands().await?;
        }
        Ok(())
    }

    /// Returns the names of the events that the execution awaits now.
    fn awaited_events(&self) -> Value {
        let waits = self.execution.describe();
        let receptions = waits.iter().filter_map(|frame| match &frame.waits_for {
            WaitsFor::Event(reception) => Some(&reception.events),
            _ => None,
        });
        let names: BTreeSet<&str> = receptions.flatten().map(|kind| kind.name).collect();
        Array::from(names.into_iter().map(Value::from).collect::<Vec<_>>()).into()
    }

    /// Waits for an event until its time-out. Events are delivered in any case.
    pub(super) fn receive(&mut self, op: Op, reception: &Reception) -> Result<(), Error> {
        self.pending.entry(op).or_default();
        if let Some(until) = reception.until {
            let handle = self.sleep(until)?;
            self.wait(op, handle, Wait::Sleep(op, until));
        }
        Ok(())
    }

    /// Journals the recipients of an event: services, and `true` for the sink.
    pub(super) fn publish(&mut self, op: Op, event: Arc<CloudEvent>) -> Result<(), Error> {
        let services = self.service.directory.subscribed_services(&event);
        let sink = self.service.sink.is_some().then_some(Value::Bool(true));
        let recipients = services.as_array().into_iter().flat_map(|all| all.iter()).cloned().chain(sink);
        let recipients = Array::from(recipients.collect::<Vec<_>>());
        let handle = self.journal_run("publish", Run::Keep(Ok(recipients.into())))?;
        self.pending.entry(op).or_default();
        self.wait(op, handle, Wait::Recipients(op, event));
        Ok(())
    }

    /// Sends an event to the event buses of its recipients, then to the sink. Once the journal has
    /// a send, the bus receives it.
    pub(super) async fn send_to_recipients(
        &mut self,
        op: Op,
        event: Arc<CloudEvent>,
        recipients: Notified,
    ) -> Result<(), Error> {
        let (at, recipients) = read(recipients);
        let recipients = recipients.unwrap_or_default();
        let all = || recipients.as_array().into_iter().flat_map(|all| all.iter());
        let text = match event.to_json() {
            Ok(text) => Bytes::from(text),
            Err(fault) => return self.complete(op, at, Err(fault)).await,
        };
        if !event_bus::is_encodable(&event) {
            return self.complete(op, at, Err(Fault::runtime(event_bus::TOO_DEEP))).await;
        }
        for service in all().filter_map(Value::as_str) {
            self.command();
            let publish = event_bus::target(service, BusHandler::Publish);
            self.connection.vm.sys_send(publish, text.clone(), None, None, any_payload())?;
        }
        if all().any(|one| one.as_bool() == Some(true)) {
            let handle = self.journal_run("sink", Run::Send(op, event))?;
            self.wait(op, handle, Wait::Sink(op));
            return Ok(());
        }
        self.complete(op, at, Ok(Value::Null)).await
    }
}
