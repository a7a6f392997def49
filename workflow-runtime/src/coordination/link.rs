//! The link of a parent and a child execution.
//!
//! A parent starts children by commands. An *awaited* child ends with its parent: its outcome is
//! the outcome of the command, and when the command is abandoned, the child is cancelled. A
//! *detached* child lives on its own.
//!
//! A parent that is started again from its input, or redriven, asks for the same children again,
//! by the same ids. Then existing children are awaited again instead of starting a second time.
//!
//! Each function takes the child as it is stored, and returns what the link becomes and what to
//! do. An engine writes the link before it carries out the action, in the same transaction.

use super::lifecycle::Status;

/// The interest of a parent in the outcome of a child.
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
    /// The interest of the parent in its outcome.
    pub awaited: Awaited,
    /// Its status.
    pub status: Status,
    /// `true` if an order to end it is pending. A child that was parked meanwhile still has it.
    pub is_ending: bool,
}

/// An action on a child or its parent.
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
    /// The link after the transition.
    pub awaited: Awaited,
    /// The action to carry out.
    pub action: Action,
}

/// The beginning of a command that calls a workflow whose child does not exist.
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
        // It continues only to carry out the order.
        Status::Parked if child.is_ending => {
            return Transition { awaited: Awaited::RestartAfterCancel, action: Action::Redrive };
        }
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
/// When the parent ends, that holds for all its children, also those that have ended: a parent
/// that is restarted after its cancellation has lost their outcomes, and awaits them again.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn child(awaited: Awaited, status: Status, is_ending: bool) -> Child {
        Child { awaited, status, is_ending }
    }

    fn to(awaited: Awaited, action: Action) -> Transition {
        Transition { awaited, action }
    }

    #[test]
    fn a_child_that_is_awaited_again_continues_in_its_status() {
        use Awaited::{No, RestartAfterCancel, Yes};
        let expected = [
            (Status::Queued, false, to(Yes, Action::Nothing)),
            (Status::Running, false, to(Yes, Action::Nothing)),
            (Status::Running, true, to(RestartAfterCancel, Action::Nothing)),
            (Status::Succeeded, false, to(Yes, Action::DeliverOutcome)),
            (Status::Failed, false, to(Yes, Action::Redrive)),
            (Status::Cancelled, false, to(Yes, Action::Restart)),
            (Status::Parked, false, to(Yes, Action::Redrive)),
            (Status::Parked, true, to(RestartAfterCancel, Action::Redrive)),
        ];
        for (status, is_ending, transition) in expected {
            assert_eq!(requested_again(child(No, status, is_ending), true), transition, "{status:?}");
            assert_eq!(parent_redriven(child(Yes, status, is_ending)), transition, "{status:?}");
            // It was awaited before, or is not awaited now.
            assert_eq!(requested_again(child(Yes, status, is_ending), true), to(Yes, Action::Nothing));
            assert_eq!(requested_again(child(Yes, status, is_ending), false), to(No, Action::Nothing));
        }
        let restarting = child(RestartAfterCancel, Status::Running, true);
        assert_eq!(requested_again(restarting, true), to(RestartAfterCancel, Action::Nothing));
    }

    #[test]
    fn the_outcome_of_a_child_goes_to_a_parent_that_awaits_it() {
        use Awaited::{No, RestartAfterCancel, Yes};
        let ended = |awaited, status, parent| child_ended(child(awaited, status, false), parent);
        for parent in Status::ALL {
            assert_eq!(ended(No, Status::Succeeded, parent), to(No, Action::Nothing));
            let is_delivered = matches!(parent, Status::Running | Status::Parked);
            let action = if is_delivered { Action::DeliverOutcome } else { Action::Nothing };
            assert_eq!(ended(Yes, Status::Cancelled, parent), to(Yes, action), "{parent:?}");
        }
        assert_eq!(ended(RestartAfterCancel, Status::Cancelled, Status::Running), to(Yes, Action::Restart));
        assert_eq!(ended(RestartAfterCancel, Status::Failed, Status::Running), to(Yes, Action::DeliverOutcome));
    }

    #[test]
    fn an_awaited_child_ends_with_its_parent() {
        use Awaited::{No, RestartAfterCancel, Yes};
        for (awaited, left, terminating) in [
            (No, to(No, Action::Nothing), to(No, Action::Nothing)),
            (Yes, to(No, Action::Cancel), to(Yes, Action::Terminate)),
            (RestartAfterCancel, to(No, Action::Cancel), to(Yes, Action::Nothing)),
        ] {
            let child = child(awaited, Status::Running, true);
            assert_eq!((abandoned(child), parent_terminates(child)), (left, terminating), "{awaited:?}");
        }
        assert_eq!(requested_first(false, true), FirstRequest::Start(No));
        assert_eq!(requested_first(true, false), FirstRequest::CompleteWithInput);
        assert_eq!(requested_first(false, false), FirstRequest::CompleteWithId);
    }
}
