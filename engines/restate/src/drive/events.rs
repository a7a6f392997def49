//! Events of an execution: those that it receives, its reports to the object of its correlation
//! key, and the events that it publishes.

use std::collections::BTreeSet;
use std::sync::Arc;

use restate_sdk_shared_core::{Error, VM, Value as Notified};
use workflow_runtime::machine::{Occurrence, Op, Reception, StartCondition, TriggerMatch, WaitsFor};
use workflow_runtime::{Array, CloudEvent, Fault, Timestamp, Value, value};

use super::{Drive, Run, Wait, read};
use crate::connection::any_payload;
use crate::events::{self, EventHandler, REPORT_EVERY, SubscriptionEnd, kinds_to_value, number_in};
use crate::promises;

impl Drive<'_> {
    /// Waits for the next event, if the definition waits for events.
    pub(super) fn expect_event(&mut self) -> Result<(), Error> {
        let Some(subscription) = &self.state.links.subscription else { return Ok(()) };
        let promise = promises::event(subscription.id, subscription.next);
        self.command();
        let handle = self.connection.vm.sys_get_promise(promise)?;
        self.waits.insert(handle, Wait::Event);
        Ok(())
    }

    /// Handles an event.
    pub(super) async fn on_event(&mut self, value: Notified) -> Result<(), Error> {
        let (at, delivery) = read(value);
        let delivery = delivery.unwrap_or_default();
        if let Some(subscription) = &mut self.state.links.subscription {
            subscription.next += 1;
            // The object did not have the last report when it sent the event.
            subscription.is_stale |= number_in(&delivery, "reports") < Some(subscription.reports);
        }
        // An unreadable event is ignored.
        if let Ok(event) = CloudEvent::from_value(delivery.get("event").unwrap_or(&Value::Null)) {
            self.record(&event);
            let is_declined = delivery.get("posted").is_some() && !self.accepts_in_start_state(at, &event);
            if is_declined {
                self.report(Some(&delivery))?;
            }
            // A later state may await an event that this state declined.
            let trigger = TriggerMatch::of(self.execution.info().definition(), &event);
            let is_kept = !is_declined || trigger.is_none_or(|trigger| trigger.is_awaited_later());
            if is_kept && self.is_for_this(&event) {
                self.take(at, event).await;
            }
        }
        self.expect_event()
    }

    /// Delivers an event, or keeps it aside.
    async fn take(&mut self, at: Timestamp, event: CloudEvent) {
        let has_overflow = self.state.links.subscription.as_ref().is_some_and(|it| !it.overflow.is_empty());
        match !has_overflow && self.has_capacity() || self.is_awaited(at, &event) {
            true => self.deliver(at, &event).await,
            // The sender could not know that the inbox is full, and has an acknowledgement.
            false => {
                if let Some(subscription) = &mut self.state.links.subscription {
                    subscription.overflow.push_back((at, event));
                }
            }
        }
    }

    /// Records an event in the start condition, as the object has done.
    fn record(&mut self, event: &CloudEvent) {
        let condition =
            StartCondition::new(self.execution.info().definition(), self.execution.info().correlation().clone());
        if let (Some(subscription), Some(condition)) = (&mut self.state.links.subscription, condition)
            && !subscription.unmatched.is_empty()
        {
            let mut condition = condition.with_unmatched(std::mem::take(&mut subscription.unmatched));
            condition.record(event);
            subscription.unmatched = condition.unmatched().to_vec();
        }
    }

    /// Returns `true` if the execution accepts an event of this time in its start state.
    fn accepts_in_start_state(&mut self, at: Timestamp, event: &CloudEvent) -> bool {
        let Some(here) = StartCondition::awaited_by(&*self.execution) else { return false };
        if here.condition.until().is_some_and(|until| until < at)
            && let Some(subscription) = &mut self.state.links.subscription
        {
            // A late event has not ended the wait yet.
            subscription.over = Some(here.op);
            return false;
        }
        here.condition.accepts(event, at)
    }

    /// Returns the pending start condition of an execution in its start state.
    fn pending_condition(&self) -> Option<StartCondition> {
        if self.execution.result().is_some() || self.execution.info().is_terminating() {
            return None;
        }
        let over = self.state.links.subscription.as_ref().and_then(|subscription| subscription.over);
        let here = StartCondition::awaited_by(&*self.execution).filter(|here| over != Some(here.op))?;
        Some(here.condition)
    }

    /// Delivers overflow, and reports what the object of the correlation key does not know:
    /// another start condition than it assumes, for example after a time-out or a return to the
    /// start state; a changed inbox capacity; and now and then, how many events were seen.
    pub(super) async fn update_subscription(&mut self) -> Result<(), Error> {
        self.deliver_overflow().await?;
        let full = self.full_inbox();
        let Some(subscription) = &self.state.links.subscription else { return Ok(()) };
        if self.execution.result().is_some() || subscription.awaits_start_event() {
            return Ok(());
        }
        let is_unknown = subscription.begins && {
            let condition = self.pending_condition();
            let unmatched = condition.as_ref().map(StartCondition::unmatched).unwrap_or_default();
            unmatched != subscription.unmatched || subscription.is_stale && !unmatched.is_empty()
        };
        // Objects know what an execution with a full inbox has seen. So the overflow is bounded.
        let patience = if full.is_null() { REPORT_EVERY } else { 1 };
        match is_unknown || full != subscription.full || subscription.next - subscription.seen >= patience {
            true => self.report(None),
            false => Ok(()),
        }
    }

    /// Reports the start condition and the inbox capacity, and possibly a declined event.
    fn report(&mut self, declined: Option<&Value>) -> Result<(), Error> {
        let (condition, full) = (self.pending_condition(), self.full_inbox());
        let Some(subscription) = &mut self.state.links.subscription else { return Ok(()) };
        let unmatched = condition.as_ref().filter(|_| subscription.begins).map(StartCondition::unmatched);
        let unmatched = unmatched.unwrap_or_default().to_vec();
        let is_entry = !unmatched.is_empty() && unmatched != subscription.unmatched;
        subscription.unmatched = unmatched;
        subscription.full = full;
        subscription.reports += 1;
        subscription.seen = subscription.next;
        subscription.is_stale = false;
        let mut report = value!({
            "id": subscription.id as i64,
            "reports": subscription.reports as i64,
            "seen": subscription.seen as i64,
            "start": kinds_to_value(&subscription.unmatched),
            "full": subscription.full.clone(),
        });
        if let Some(report) = report.as_object_mut() {
            if let Some(until) = condition.and_then(|condition| condition.until()) {
                report.insert("until", until.as_micros());
            }
            if let Some(declined) = declined {
                report.insert("declined", declined.clone());
            }
        }
        self.command();
        let object = events::keyed_target(self.service, EventHandler::Report, self.execution.info().correlation());
        if !is_entry {
            return events::send(self.connection, object, &report);
        }
        // The object receives the report before anybody sees the execution in its start state.
        let call = self.connection.vm.sys_call(object, events::encode(&report), None, any_payload())?;
        self.waits.insert(call.call_notification_handle, Wait::Reported);
        Ok(())
    }

    /// Ends the subscription of an execution that ends.
    pub(super) async fn unsubscribe(&mut self) -> Result<(), Error> {
        let Some(subscription) = self.state.links.subscription.take() else { return Ok(()) };
        let correlation = self.execution.info().correlation().clone();
        let ended = SubscriptionEnd { correlation: &correlation, id: subscription.id, next: subscription.next };
        let key = self.execution.info().id().clone();
        events::unsubscribe(self.service, self.connection, &key, &ended).await
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
        self.awaited(&self.receptions(), at, event)
    }

    /// Returns the waits for events.
    fn receptions(&self) -> Vec<Arc<Reception>> {
        let frames = self.execution.describe().into_iter();
        let receptions = frames.filter_map(|frame| match frame.waits_for {
            WaitsFor::Event(reception) => Some(reception),
            _ => None,
        });
        receptions.collect()
    }

    fn awaited(&self, receptions: &[Arc<Reception>], at: Timestamp, event: &CloudEvent) -> bool {
        let correlation = self.execution.info().correlation();
        let does = |reception: &Arc<Reception>| {
            reception.until.is_none_or(|until| at <= until)
                && (reception.discards_unmatched || reception.events.iter().any(|kind| kind.is_for(event, correlation)))
        };
        receptions.iter().any(does)
    }

    /// Delivers overflow as far as the inbox has capacity, or the events are awaited.
    async fn deliver_overflow(&mut self) -> Result<(), Error> {
        while self.execution.result().is_none() {
            let Some(subscription) = &self.state.links.subscription else { break };
            let overflow = &subscription.overflow;
            let next = match overflow.is_empty() {
                true => None,
                false if self.has_capacity() => Some(0),
                false => {
                    let receptions = self.receptions();
                    overflow.iter().position(|(at, event)| self.awaited(&receptions, *at, event))
                }
            };
            let subscription = self.state.links.subscription.as_mut();
            let Some((at, event)) =
                next.and_then(|next| subscription.and_then(|subscription| subscription.overflow.remove(next)))
            else {
                break;
            };
            self.deliver(at, &event).await;
            self.execute_commands().await?;
        }
        Ok(())
    }

    /// Returns the names of the events that the execution awaits now if its inbox is full, and
    /// null otherwise.
    fn full_inbox(&self) -> Value {
        if self.has_capacity() {
            return Value::Null;
        }
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

    /// Journals the recipients of an event: objects of services, and `true` for the sink.
    pub(super) fn publish(&mut self, op: Op, event: Arc<CloudEvent>) -> Result<(), Error> {
        let objects = self.service.directory.recipients(&event);
        let sink = self.service.sink.is_some().then_some(Value::Bool(true));
        let recipients = Array::from(objects.into_iter().chain(sink).collect::<Vec<_>>());
        let handle = self.journal_run("publish", Run::Keep(Ok(recipients.into())))?;
        self.pending.entry(op).or_default();
        self.wait(op, handle, Wait::Recipients(op, event));
        Ok(())
    }

    /// Sends an event to the objects that deliver it, then to the sink. Once the journal has a
    /// send, the object receives it, in the order of the sends.
    pub(super) async fn send_to_recipients(
        &mut self,
        op: Op,
        event: Arc<CloudEvent>,
        recipients: Notified,
    ) -> Result<(), Error> {
        let (at, recipients) = read(recipients);
        let recipients = recipients.unwrap_or_default();
        let all = || recipients.as_array().into_iter().flat_map(|all| all.iter());
        if let Err(fault) = event.to_json() {
            return self.complete(op, at, Err(fault)).await;
        }
        if !events::is_encodable(&event) {
            return self.complete(op, at, Err(Fault::runtime(events::TOO_DEEP))).await;
        }
        let has_sink = all().any(|one| one.as_bool() == Some(true));
        let mut is_spread = false;
        for recipient in all() {
            let Some(service) = recipient.get(0).and_then(Value::as_str) else { continue };
            let correlation = recipient.get(1).and_then(Value::as_str);
            let (target, offer) = events::publication(service, correlation, &event);
            self.command();
            if correlation.is_some() {
                events::send(self.connection, target, &offer)?;
                continue;
            }
            // An execution that starts after the publication does not receive the event.
            is_spread = true;
            let call = self.connection.vm.sys_call(target, events::encode(&offer), None, any_payload())?;
            self.wait(op, call.call_notification_handle, Wait::Spread(op, at, event.clone(), has_sink));
        }
        match is_spread {
            true => Ok(()),
            false => self.after_spread(op, at, event, has_sink).await,
        }
    }

    /// Continues a publication once all executions have the event: sends it to the sink, if there
    /// is one.
    pub(super) async fn after_spread(
        &mut self,
        op: Op,
        at: Timestamp,
        event: Arc<CloudEvent>,
        has_sink: bool,
    ) -> Result<(), Error> {
        if self.waits.values().any(|wait| matches!(wait, Wait::Spread(of, ..) if *of == op)) {
            return Ok(());
        }
        if has_sink {
            let handle = self.journal_run("sink", Run::Send(op, event))?;
            self.wait(op, handle, Wait::Sink(op));
            return Ok(());
        }
        self.complete(op, at, Ok(Value::Null)).await
    }
}
