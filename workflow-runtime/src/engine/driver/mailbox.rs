//! Where what others have to say to one execution arrives.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

use super::{Driver, Journal, Stay};
use crate::event::CloudEvent;
#[cfg(doc)]
use crate::fault::Fault;
use crate::machine::{Op, Outcome};

/// What has arrived for one execution. A clone is the same.
#[derive(Clone, Default)]
pub struct Mailbox(Arc<Mutex<Inbox>>);

#[derive(Default)]
struct Inbox {
    arrived: VecDeque<Letter>,
    waker: Option<Waker>,
}

/// What can arrive for an execution.
#[derive(Debug, Clone, PartialEq)]
pub enum Letter {
    /// The outcome of an operation. Nothing happens if it is not waited for.
    Outcome(Op, Outcome),
    /// An event. It has a number by which an engine knows it.
    Event(Arc<CloudEvent>, u64),
    /// The execution is to end like this; at once, or if it is a [termination](Fault::is_termination), when what it does is
    /// completed.
    End(Outcome),
    /// The execution is to be let go as soon as no task is under way. No further ones begin.
    Leave,
}

impl Mailbox {
    /// Delivers.
    pub fn push(&self, letter: Letter) {
        let waker = {
            let mut inbox = self.lock();
            inbox.arrived.push_back(letter);
            inbox.waker.take()
        };
        waker.into_iter().for_each(Waker::wake);
    }

    /// Whether nothing has arrived that was not taken.
    pub(super) fn is_empty(&self) -> bool {
        self.lock().arrived.is_empty()
    }

    /// The outcome of an operation, if it has arrived before the operation was begun.
    pub(super) fn take_outcome(&self, op: Op) -> Option<Outcome> {
        let mut inbox = self.lock();
        let of_it = |letter: &Letter| matches!(letter, Letter::Outcome(other, _) if *other == op);
        let at = inbox.arrived.iter().position(of_it)?;
        match inbox.arrived.remove(at) {
            Some(Letter::Outcome(_, outcome)) => Some(outcome),
            _ => None,
        }
    }

    /// The next thing that has arrived, if it is an event.
    pub(super) fn take_event(&self) -> Option<(Arc<CloudEvent>, u64)> {
        let mut inbox = self.lock();
        let Some(Letter::Event(event, number)) = inbox.arrived.front() else { return None };
        let event = (event.clone(), *number);
        inbox.arrived.pop_front();
        Some(event)
    }

    /// The next thing that has arrived.
    pub(super) fn poll(&self, waker: &Waker) -> Poll<Letter> {
        let mut inbox = self.lock();
        match inbox.arrived.pop_front() {
            Some(arrived) => Poll::Ready(arrived),
            None => {
                inbox.waker = Some(waker.clone());
                Poll::Pending
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inbox> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<J: Journal> Driver<'_, J> {
    /// Takes outcomes by token and orders from here.
    pub fn take_mail_from(&mut self, mailbox: Mailbox) {
        self.mailbox = Some(mailbox);
    }

    /// Where outcomes by token and orders are taken from.
    pub(in crate::engine) fn mailbox(&mut self) -> Mailbox {
        self.mailbox.get_or_insert_default().clone()
    }

    /// Tells whether the execution is in its first state.
    pub(in crate::engine) fn watch_first(&mut self, stay: Arc<Stay>) {
        self.stay = Some(stay);
    }
}
