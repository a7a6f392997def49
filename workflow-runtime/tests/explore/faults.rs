//! Deliberate faults of the reference store and of rules. The exploration finds each.

use crate::configurations as all;
use crate::invariants as rules;
use crate::model::Configuration;
use crate::search::{Limits, explore, replay};

/// A fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    DeliveriesAreForgotten,
    DeliveryIsNotStored,
    StartEventsAreForgotten,
    ReenteredStateIsOverlooked,
    TransactionsAreNotAtomic,
    MessagesAreNotReloaded,
    StepsAreNotStored,
    ChildrenOfEndedParentsRun,
    TerminationSparesChildren,
    EndedChildrenStayAwaited,
    RestartsAreForgotten,
    EndedExecutionsAreCancelled,
    InboxWithoutLimit,
    InboxSeemsFuller,
    DeliveriesBesideFullInboxesAreLost,
    TimersGoFirst,
    TimeIsTakenBeforehand,
    EventsAtTheTimeOutAreTaken,
    EventsFromInsideStart,
    EventsFromInsideAreForgotten,
    SentEventsAreLost,
    SendIgnoresLimits,
    KeysAreIgnored,
    KeptEventsAreOverlooked,
    HeldEventsAreOfferedAgain,
}

#[test]
fn each_fault_is_found() {
    let expected: [(Fault, &'static Configuration, &str); 25] = [
        (Fault::DeliveriesAreForgotten, &all::LATER, rules::CONSUMED_ONCE),
        (Fault::DeliveryIsNotStored, &all::LATER, rules::NOT_LOST),
        (Fault::StartEventsAreForgotten, &all::STARTS, rules::ONE_START),
        (Fault::ReenteredStateIsOverlooked, &all::AGAIN, rules::ONE_START),
        (Fault::TransactionsAreNotAtomic, &all::LATER, rules::NOT_LOST),
        (Fault::MessagesAreNotReloaded, &all::LATER, rules::NOT_STUCK),
        (Fault::StepsAreNotStored, &all::LATER, rules::STEP_ONCE),
        (Fault::ChildrenOfEndedParentsRun, &all::CHILDREN, rules::CHILDREN_END),
        (Fault::TerminationSparesChildren, &all::CHILDREN, rules::TERMINATED),
        (Fault::EndedChildrenStayAwaited, &all::FAMILY, rules::NOT_STUCK),
        (Fault::RestartsAreForgotten, &all::FAMILY, rules::NOT_CANCELLED),
        (Fault::EndedExecutionsAreCancelled, &all::CHILDREN, rules::ONE_END),
        (Fault::InboxWithoutLimit, &all::FULL, rules::PUSHED_BACK),
        (Fault::InboxSeemsFuller, &all::FULL, rules::PUSHED_BACK),
        (Fault::DeliveriesBesideFullInboxesAreLost, &all::BESIDE, rules::NOT_LOST),
        (Fault::TimersGoFirst, &all::TIMED, rules::NOT_LOST),
        (Fault::TimeIsTakenBeforehand, &all::TIMED, rules::FOR_IT),
        (Fault::EventsAtTheTimeOutAreTaken, &all::TIMED, rules::FOR_IT),
        (Fault::EventsFromInsideStart, &all::AGAIN, rules::STARTS_NOTHING),
        (Fault::EventsFromInsideAreForgotten, &all::AGAIN, rules::ONE_START),
        (Fault::SentEventsAreLost, &all::LATER, rules::NOT_LOST),
        (Fault::SendIgnoresLimits, &all::SENT, rules::LIMITED),
        (Fault::KeysAreIgnored, &all::LATER, rules::FOR_IT),
        (Fault::KeptEventsAreOverlooked, &all::LATER, rules::NOT_STUCK),
        (Fault::HeldEventsAreOfferedAgain, &all::HELD, rules::ONE_START),
    ];
    let mut wrong = Vec::new();
    for (fault, configuration, invariant) in expected {
        match explore(configuration, Some(fault), Limits::default()).violation {
            None => wrong.push(format!("{fault:?} is not found")),
            Some(found) if found.invariant != invariant => {
                wrong.push(format!("{fault:?}: {}\n{}", found.invariant, found.replay(configuration)));
            }
            Some(found) => {
                println!("{fault:?}: {} actions: {invariant}", found.schedule.len());
                assert_eq!(replay(configuration, Some(fault), &found.schedule).0, Some(invariant));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
