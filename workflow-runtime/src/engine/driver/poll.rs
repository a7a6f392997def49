//! Polling for the next arrival: completed tasks, messages, timers.

use std::task::{Context, Poll};

use super::timers::{Purpose, Timer};
use super::{Arrival, Driver, Journal, MAX_BURST, Message, MessageQueue, is_pending};
use crate::event::CloudEvent;
use crate::fault::Fault;
use crate::machine::{Delivery, Occurrence, Outcome};
use crate::task::TaskContext;
use crate::time::Timestamp;
use crate::value::Value;

impl<J: Journal> Driver<'_, J> {
    /// Polls for the next arrival. If nothing arrives, the root execution reports to the clock
    /// that it is idle.
    pub(super) fn poll_arrival(&mut self, cx: &mut Context<'_>, rounds: &mut u32) -> Poll<Arrival> {
        let arrival = self.poll_due(cx);
        // Only the root execution knows that none of its children has anything to do.
        if arrival.is_pending() && self.children.is_root() && self.environment.clock.idle(*rounds) {
            *rounds += 1;
            cx.waker().wake_by_ref();
        }
        arrival
    }

    /// Polls the detached children. Returns `Ready` when all have ended.
    pub(super) fn poll_children(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let (clock, execution) = (&self.environment.clock, &mut *self.execution);
        self.children.poll(cx, &mut |call, fault| {
            execution.apply(clock.now(), Occurrence::ChildFailed(call, fault));
        })
    }

    /// Polls for an arrival that is already due.
    pub(super) fn poll_due(&mut self, cx: &mut Context<'_>) -> Poll<Arrival> {
        let _over = self.poll_children(cx);
        loop {
            if let Some(arrived) = self.poll_tasks(cx) {
                return Poll::Ready(arrived);
            }
            let timer = self.timers.earliest(|op| is_pending(&self.pending, op));
            let deadline = self.execution.info().deadline();
            let Some(next) = timer.map(|timer| timer.at).into_iter().chain(deadline).min() else {
                self.sleep = None;
                return Poll::Pending;
            };
            if next > self.now() {
                if !self.poll_sleep(next, cx) {
                    return Poll::Pending;
                }
                continue;
            }
            // An event may have arrived since, which was accepted before this time.
            if let Some(arrived) = self.poll_tasks(cx) {
                return Poll::Ready(arrived);
            }
            match timer.filter(|timer| timer.at == next) {
                None => return Poll::Ready(Arrival::Deadline),
                Some(timer) => {
                    self.timers.pop();
                    if let Some(outcome) = self.expire_timer(timer) {
                        return Poll::Ready(Arrival::TimerExpired(timer.op, outcome));
                    }
                }
            }
        }
    }

    /// Delivers an event, and the next events in the queue, up to the first that the execution
    /// consumes. An event that is only buffered causes no command, so that many events share one
    /// commit.
    pub(super) fn receive(&mut self, event: &CloudEvent, number: u64) {
        let mut delivery = self.deliver(event, number);
        for _ in 1..MAX_BURST {
            if !J::IS_DURABLE || matches!(delivery, Some(Delivery::Consumed | Delivery::Ended)) {
                return;
            }
            let Some((event, number)) = self.messages.as_ref().and_then(MessageQueue::take_event) else { return };
            delivery = self.deliver(&event, number);
        }
    }

    /// Delivers an event, unless it was delivered before.
    fn deliver(&mut self, event: &CloudEvent, number: u64) -> Option<Delivery> {
        let is_new = self.journal.is_new_event(number);
        self.is_dirty |= J::IS_DURABLE && is_new;
        let now = self.now();
        let delivery = is_new.then(|| self.execution.apply(now, Occurrence::AcceptedEvent(event)));
        if let Some(progress) = &self.progress {
            progress.update_inbox(&*self.execution);
        }
        delivery
    }

    /// Polls for a task that has completed, by itself or by its token.
    fn poll_tasks(&mut self, cx: &mut Context<'_>) -> Option<Arrival> {
        while let Some((op, outcome)) = self.task_runs.next(cx) {
            let Some(outcome) = outcome else { continue };
            let Some(Some(pending)) = self.pending.get(op.frame.0 as usize) else { continue };
            if pending.op == op.id {
                let by_token = pending.cx().is_some_and(TaskContext::awaits_callback);
                return Some(match outcome {
                    Ok(_) if by_token => Arrival::HandedOver(op),
                    outcome => Arrival::Completion(op, outcome),
                });
            }
        }
        match self.messages.as_ref()?.poll(cx.waker()) {
            // The operation may have begun before the execution was loaded. An outcome that is not
            // awaited has no effect.
            Poll::Ready(Message::Outcome(op, outcome)) => Some(Arrival::Completion(op, outcome)),
            Poll::Ready(Message::Event(event, number)) => Some(Arrival::Event(event, number)),
            Poll::Ready(Message::End(outcome)) => Some(Arrival::End(outcome)),
            Poll::Ready(Message::Update(update)) => Some(Arrival::Update(update)),
            Poll::Ready(Message::Suspend) => Some(Arrival::Suspend),
            Poll::Ready(Message::Inspect) => Some(Arrival::Inspect),
            Poll::Pending => None,
        }
    }

    /// Returns `true` if the time has come.
    fn poll_sleep(&mut self, until: Timestamp, cx: &mut Context<'_>) -> bool {
        let clock = &self.environment.clock;
        let sleep = match &mut self.sleep {
            Some((at, sleep)) if *at == until => sleep,
            other => &mut other.insert((until, clock.sleep_until(until))).1,
        };
        let over = sleep.as_mut().poll(cx).is_ready();
        if over {
            self.sleep = None;
        }
        over
    }

    /// Returns the outcome of an operation whose timer has expired, if the timer still applies.
    pub(super) fn expire_timer(&mut self, timer: Timer) -> Option<Outcome> {
        match timer.purpose {
            Purpose::Sleep => Some(Ok(Value::Null)),
            Purpose::Timeout => Some(Err(Fault::timeout())),
            Purpose::Heartbeat => {
                let pending = self.pending.get(timer.op.frame.0 as usize)?.as_ref()?;
                let silent = pending.cx()?.heartbeat_deadline()?;
                if silent <= self.now() {
                    return Some(Err(Fault::heartbeat_timeout()));
                }
                self.add_timer(timer.op, silent, Purpose::Heartbeat);
                None
            }
        }
    }
}
