//! Looking for what has happened to an execution: tasks, what has arrived, timers.

use std::task::{Context, Poll};

use super::timers::{Purpose, Timer};
use super::{Arrival, Driver, IN_A_ROW, Journal, Letter, Mailbox, is_pending};
use crate::event::CloudEvent;
use crate::fault::Fault;
use crate::machine::{Delivery, Outcome};
use crate::task::TaskContext;
use crate::time::Timestamp;
use crate::value::Value;

impl<J: Journal> Driver<'_, J> {
    /// The next thing that happens. While nothing does, the clock is told.
    pub(super) fn poll_arrival(&mut self, cx: &mut Context<'_>, rounds: &mut u32) -> Poll<Arrival> {
        let arrival = self.poll_due(cx);
        // The one that others come from knows when none of them has anything to do.
        if arrival.is_pending() && self.beyond.is_first() && self.environment.clock.idle(*rounds) {
            *rounds += 1;
            cx.waker().wake_by_ref();
        }
        arrival
    }

    /// Runs on what goes on beside the execution. Whether that is over.
    pub(super) fn poll_beyond(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let (clock, execution) = (&self.environment.clock, &mut *self.execution);
        self.beyond.poll(cx, &mut |call, fault| execution.tell_failed(clock.now(), call, fault))
    }

    /// The next thing that has happened.
    pub(super) fn poll_due(&mut self, cx: &mut Context<'_>) -> Poll<Arrival> {
        let _over = self.poll_beyond(cx);
        loop {
            if let Some(arrived) = self.poll_tasks(cx) {
                return Poll::Ready(arrived);
            }
            let timer = self.timers.earliest(|op| is_pending(&self.pending, op));
            let deadline = self.execution.deadline();
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
            match timer.filter(|timer| timer.at == next) {
                None => return Poll::Ready(Arrival::Deadline),
                Some(timer) => {
                    self.timers.pop();
                    if let Some(outcome) = self.rings(timer) {
                        return Poll::Ready(Arrival::Rings(timer.op, outcome));
                    }
                }
            }
        }
    }

    /// Delivers an event, and those that are next in the mailbox up to the first that is waited for: what is only kept for later
    /// causes nothing, and many of it are kept at once.
    pub(super) fn receive(&mut self, event: &CloudEvent, number: u64) {
        let mut delivery = self.deliver(event, number);
        for _ in 1..IN_A_ROW {
            if !J::KEEPS || matches!(delivery, Some(Delivery::Taken | Delivery::Ended)) {
                return;
            }
            let Some((event, number)) = self.mailbox.as_ref().and_then(Mailbox::take_event) else { return };
            delivery = self.deliver(&event, number);
        }
    }

    /// Delivers an event, unless it was before.
    fn deliver(&mut self, event: &CloudEvent, number: u64) -> Option<Delivery> {
        let is_new = self.journal.receives(number);
        self.unkept |= J::KEEPS && is_new;
        let now = self.now();
        is_new.then(|| self.execution.offer(now, event))
    }

    /// The next task that has ended, by itself or by its token.
    fn poll_tasks(&mut self, cx: &mut Context<'_>) -> Option<Arrival> {
        while let Some((op, outcome)) = self.flights.next(cx) {
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
        match self.mailbox.as_ref()?.poll(cx.waker()) {
            // It may not have begun here. One that nobody waits for changes nothing.
            Poll::Ready(Letter::Outcome(op, outcome)) => Some(Arrival::Completion(op, outcome)),
            Poll::Ready(Letter::Event(event, number)) => Some(Arrival::Event(event, number)),
            Poll::Ready(Letter::End(outcome)) => Some(Arrival::End(outcome)),
            Poll::Ready(Letter::Leave) => Some(Arrival::Leave),
            Poll::Pending => None,
        }
    }

    /// Whether it is time.
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

    /// A timer has come up: what that means for its operation, if it means anything.
    pub(super) fn rings(&mut self, timer: Timer) -> Option<Outcome> {
        match timer.purpose {
            Purpose::Sleep => Some(Ok(Value::Null)),
            Purpose::Timeout => Some(Err(Fault::timeout())),
            Purpose::Heartbeat => {
                let pending = self.pending.get(timer.op.frame.0 as usize)?.as_ref()?;
                let silent = pending.cx()?.silence_deadline()?;
                if silent <= self.now() {
                    return Some(Err(Fault::heartbeat_timeout()));
                }
                self.add_timer(timer.op, silent, Purpose::Heartbeat);
                None
            }
        }
    }
}
