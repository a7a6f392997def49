//! Messages from other threads and executions to the driver of one execution.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

use super::{Driver, Journal, SubscriberState};
use crate::event::CloudEvent;
#[cfg(doc)]
use crate::fault::Fault;
use crate::machine::{MapUpdate, Occurrence, Op, Outcome};

/// A queue of messages to a driver. A clone shares the same queue.
#[derive(Clone, Default)]
pub struct MessageQueue(Arc<Mutex<Queue>>);

#[derive(Default)]
struct Queue {
    arrived: VecDeque<Message>,
    waker: Option<Waker>,
}

/// A message to a driver.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// The outcome of an operation. Ignored if the operation is not awaited.
    Outcome(Op, Outcome),
    /// An event, with the number by which the engine identifies it.
    Event(Arc<CloudEvent>, u64),
    /// A request to end the execution with this outcome: immediately, or, for a
    /// [termination](Fault::is_termination), after its running operations have completed.
    End(Outcome),
    /// A change of a run of a distributed Map.
    Update(MapUpdate),
    /// A request to suspend the execution as soon as no task is running. No further commands
    /// begin.
    Suspend,
    /// A request to [inspect](Journal::inspect) the execution.
    Inspect,
}

impl MessageQueue {
    /// Appends a message and wakes the driver.
    pub fn push(&self, message: Message) {
        self.append(message).into_iter().for_each(Waker::wake);
    }

    /// Appends a message. Returns the waker of the driver.
    pub(in crate::engine) fn append(&self, message: Message) -> Option<Waker> {
        let mut queue = self.lock();
        queue.arrived.push_back(message);
        queue.waker.take()
    }

    /// Returns `true` if the queue is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.lock().arrived.is_empty()
    }

    /// Takes the outcome of an operation, if it arrived before the operation began.
    pub(super) fn take_outcome(&self, op: Op) -> Option<Outcome> {
        let mut queue = self.lock();
        let of_it = |message: &Message| matches!(message, Message::Outcome(other, _) if *other == op);
        let at = queue.arrived.iter().position(of_it)?;
        match queue.arrived.remove(at) {
            Some(Message::Outcome(_, outcome)) => Some(outcome),
            _ => None,
        }
    }

    /// Takes the next message if it is an event.
    pub(super) fn take_event(&self) -> Option<(Arc<CloudEvent>, u64)> {
        let mut queue = self.lock();
        let Some(Message::Event(event, number)) = queue.arrived.front() else { return None };
        let event = (event.clone(), *number);
        queue.arrived.pop_front();
        Some(event)
    }

    /// Takes the next message, or registers the waker.
    pub(super) fn poll(&self, waker: &Waker) -> Poll<Message> {
        let mut queue = self.lock();
        match queue.arrived.pop_front() {
            Some(arrived) => Poll::Ready(arrived),
            None => {
                queue.waker = Some(waker.clone());
                Poll::Pending
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<J: Journal> Driver<'_, J> {
    /// Makes the driver receive messages from this queue.
    pub fn receive_from(&mut self, messages: MessageQueue) {
        self.messages = Some(messages);
    }

    /// Changes a run of a distributed Map. Other executions ignore it.
    pub(super) fn update(&mut self, update: MapUpdate) {
        let now = self.now();
        self.execution.apply(now, Occurrence::Updated(update));
        self.is_dirty = J::IS_DURABLE;
    }

    /// Returns the queue of the driver.
    pub(in crate::engine) fn messages(&mut self) -> MessageQueue {
        self.messages.get_or_insert_default().clone()
    }

    /// Makes the driver update this progress.
    pub(in crate::engine) fn track_progress(&mut self, progress: Arc<SubscriberState>) {
        self.progress = Some(progress);
    }
}
