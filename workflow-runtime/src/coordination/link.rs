//! The link of a parent and a child execution.
//!
//! A parent starts children by commands. An *awaited* child ends with its parent: its outcome is
//! the outcome of the command, and when the command is abandoned, the child is cancelled. A
//! *detached* child lives on its own.
//!
//! A parent that is started again from its input, or redriven, asks for the same children again, by
//! the same ids. Then existing children are awaited again instead of starting a second time.
//!
//! Each function takes the child as it is stored, and returns what the link becomes and what to do.
//! An engine writes the link before it carries out the action, in the same transaction.

use super::lifecycle::Status;

/// Whether a parent awaits a child.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Awaited {
    /// The child is detached or abandoned.
    No,
    /// The child's outcome goes to the parent.
    Yes,
    /// The child is being cancelled because nobody awaited it. Since then the parent awaits it
    /// again: once it is cancelled, it restarts from its input.
    RestartAfterCancel,
}

/// A child as it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Child {
    /// Whether the parent awaits it.
    pub awaited: Awaited,
    /// Its status.
    pub status: Status,
    /// `true` if it is running and an order to end it is pending.
    pub is_ending: bool,
}

/// What to do about a child or its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// Nothing.
    Nothing,
    /// Deliver the stored outcome of the child to the operation of the parent.
    DeliverOutcome,
    /// Restart the cancelled child from its input, with an empty inbox and without records of
    /// delivered events.
    Restart,
    /// Redrive the child.
    Redrive,
    /// Cancel the child, as [`cancel`](super::lifecycle::cancel) says.
    Cancel,
    /// Terminate the child, as [`terminate`](super::lifecycle::terminate) says.
    Terminate,
}

/// A link after a transition, and what to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Transition {
    /// What the link becomes.
    pub awaited: Awaited,
    /// What to do.
    pub action: Action,
}

/// How a command that calls a workflow begins if the child does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FirstRequest {
    /// Start the child with this link.
    Start(Awaited),
    /// Start nothing, because the schedule of the workflow does not admit a start. The command
    /// completes at once with its input.
    CompleteWithInput,
    /// Start nothing. The command completes at once with the id of the child, as commands that
    /// start detached children do.
    CompleteWithId,
}

/// Returns how a command begins whose child does not exist.
pub fn requested_first(is_awaited: bool, is_active: bool) -> FirstRequest {
    match (is_awaited, is_active) {
        (_, true) => FirstRequest::Start(Awaited::from(is_awaited)),
        (true, false) => FirstRequest::CompleteWithInput,
        (false, false) => FirstRequest::CompleteWithId,
    }
}

/// The parent asks for an existing child again: it was started again, or it repeats the command
/// after a crash.
pub fn requested_again(child: Child, is_awaited: bool) -> Transition {
    match (child.awaited, is_awaited) {
        (Awaited::No, true) => await_again(child),
        // A repeated command does not undo that the child is to restart.
        (Awaited::RestartAfterCancel, true) => Awaited::RestartAfterCancel.without_action(),
        _ => Awaited::from(is_awaited).without_action(),
    }
}

/// The parent is redriven, its command waits for the child, and no outcome has arrived.
pub fn parent_redriven(child: Child) -> Transition {
    await_again(child)
}

fn await_again(child: Child) -> Transition {
    let action = match child.status {
        Status::Running if child.is_ending => return Awaited::RestartAfterCancel.without_action(),
        Status::Queued | Status::Running => Action::Nothing,
        Status::Succeeded => Action::DeliverOutcome,
        Status::Failed | Status::Parked => Action::Redrive,
        Status::Cancelled => Action::Restart,
    };
    Transition { awaited: Awaited::Yes, action }
}

/// The child has ended: its status is [`Status::after`] the outcome. The outcome goes to a parent
/// that [receives outcomes](Status::receives_outcomes).
pub fn child_ended(child: Child, parent: Status) -> Transition {
    match child.awaited {
        Awaited::No => Awaited::No.without_action(),
        _ if !parent.receives_outcomes() => child.awaited.without_action(),
        Awaited::RestartAfterCancel if child.status == Status::Cancelled => {
            Transition { awaited: Awaited::Yes, action: Action::Restart }
        }
        _ => Transition { awaited: Awaited::Yes, action: Action::DeliverOutcome },
    }
}

/// The parent has abandoned the command, or has ended.
///
/// When the parent ends, that holds for all its children, also those that have ended: a parent that
/// is restarted after its cancellation has lost their outcomes, and awaits them again.
pub fn abandoned(child: Child) -> Transition {
    match child.awaited {
        Awaited::No => Awaited::No.without_action(),
        _ => Transition { awaited: Awaited::No, action: Action::Cancel },
    }
}

/// The parent terminates and waits for its running commands.
pub fn parent_terminates(child: Child) -> Transition {
    match child.awaited {
        Awaited::No => Awaited::No.without_action(),
        // It is being cancelled, and must not restart.
        Awaited::RestartAfterCancel => Awaited::Yes.without_action(),
        Awaited::Yes => Transition { awaited: Awaited::Yes, action: Action::Terminate },
    }
}

impl Awaited {
    fn without_action(self) -> Transition {
        Transition { awaited: self, action: Action::Nothing }
    }
}

impl From<bool> for Awaited {
    fn from(is_awaited: bool) -> Awaited {
        if is_awaited { Awaited::Yes } else { Awaited::No }
    }
}
