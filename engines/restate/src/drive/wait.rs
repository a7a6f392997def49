//! Meanings of notifications.

use std::sync::Arc;

use workflow_runtime::machine::{Call, Invocation, Op, Outcome};
use workflow_runtime::{CloudEvent, Timestamp};

use super::callbacks::PendingEnd;
use crate::links::Child;

/// Meaning of a notification.
pub(super) enum Wait {
    /// A task has ended.
    Task(Op),
    /// The token is registered, so the task can hand it out.
    TokenRegistered(Op, Arc<Invocation>),
    /// A task has handed its token out.
    HandOut(Op),
    /// The outcome for a token has arrived.
    Token(Op),
    /// A heartbeat for a token has arrived.
    Heartbeat(Op),
    /// A sleep has ended.
    Sleep(Op, Timestamp),
    /// A callback has timed out.
    Timeout(Op, Timestamp),
    /// No heartbeat for a token has arrived in time.
    Silence(Op),
    /// The answer whether a further heartbeat arrived before a pending end.
    Sign(Op, PendingEnd),
    /// A batch has ended.
    Batch(Op),
    /// The end time of an operation is journaled. It is no earlier than that of the sleep.
    Time(Op, Timestamp, Outcome),
    /// The service of a child to start is known.
    Service(Op, Arc<Call>),
    /// A child has ended.
    Child(Op),
    /// The try of a child that a redrive continues is known.
    ChildRedriven(Op, Arc<Call>),
    /// The time at which children of a run of a Map have ended is journaled.
    ChildrenEnded,
    /// The start of a child is decided: it was started, or its key is taken.
    Started,
    /// The answer whether a detached child's key is taken.
    DetachedKey(Op, Arc<Call>, Child),
    /// The recipients of an event are known: services, and possibly the sink.
    Recipients(Op, Arc<CloudEvent>),
    /// All executions of a service have an event. There may be a sink for it.
    Spread(Op, Timestamp, Arc<CloudEvent>, bool),
    /// The sink has answered.
    Sink(Op),
    /// An event has arrived.
    Event,
    /// The object of the correlation key has handled a report.
    Reported,
    /// The execution has timed out.
    Deadline(Timestamp),
    /// The execution is to be cancelled or terminated.
    Cancel,
    /// A client asks for the waits.
    Question,
    /// A client changes the run of a Map.
    Update,
}
