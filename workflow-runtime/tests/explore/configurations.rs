//! The configurations that are explored.

use crate::model::{Command, Configuration};
use crate::programs::{
    AWAITS_LATER, CALLS, CALLS_A_CALLER, COLLECTS, ENTERS_AGAIN, FAILS, IN_ORDER, STARTS_ON_ONE, TIMES_OUT, WAITS,
};

/// Enough for all events of a configuration, also if they are delivered again.
const AMPLE: (usize, usize) = (6, 1);

/// The capacity of two events, and one more for an event that is awaited.
const SMALL: (usize, usize) = (2, 1);

pub static ALL: [&Configuration; 13] =
    [&STARTS, &LATER, &SETS, &ROWS, &TIMED, &AGAIN, &FULL, &BESIDE, &SENT, &CHILDREN, &FAMILY, &KILLED, &HELD];

/// Two executions wait in their start states, and a third begins; an event is delivered again.
pub static STARTS: Configuration = Configuration {
    name: "STARTS",
    executions: &[(STARTS_ON_ONE, 0), (STARTS_ON_ONE, 1)],
    events: &[("a", 0), ("a", 1), ("a", 0)],
    publications: &[0, 1, 2, 0],
    commands: &[Command::Cancel(0)],
    crashes: 1,
    limits: AMPLE,
};

/// Events that a later state awaits, too, and that clients send.
pub static LATER: Configuration = Configuration {
    name: "LATER",
    executions: &[(AWAITS_LATER, 0), (WAITS, 0)],
    events: &[("a", 0), ("b", 0), ("b", 1)],
    publications: &[0, 1, 2, 0],
    commands: &[Command::Send(0, 1)],
    crashes: 1,
    limits: AMPLE,
};

/// Executions that collect one event of each kind, by their key.
pub static SETS: Configuration = Configuration {
    name: "SETS",
    executions: &[(COLLECTS, 0), (COLLECTS, 1)],
    events: &[("a", 0), ("b", 0), ("b", 1)],
    publications: &[0, 1, 2, 1],
    commands: &[Command::Cancel(1)],
    crashes: 1,
    limits: AMPLE,
};

/// Executions that await events one after the other, whatever arrives first.
pub static ROWS: Configuration = Configuration {
    name: "ROWS",
    executions: &[(IN_ORDER, 0)],
    events: &[("a", 0), ("b", 0), ("b", 0)],
    publications: &[0, 1, 2, 1],
    commands: &[Command::Cancel(0)],
    crashes: 1,
    limits: AMPLE,
};

/// A wait in a start state that may end before an event arrives.
pub static TIMED: Configuration = Configuration {
    name: "TIMED",
    executions: &[(TIMES_OUT, 0), (TIMES_OUT, 0)],
    events: &[("a", 0), ("a", 0)],
    publications: &[0, 1, 0],
    commands: &[Command::PassTime],
    crashes: 1,
    limits: AMPLE,
};

/// An execution that enters its start state a second time, and an event from an execution.
pub static AGAIN: Configuration = Configuration {
    name: "AGAIN",
    executions: &[(ENTERS_AGAIN, 0)],
    events: &[("a", 0), ("a", 0), ("a", 0)],
    publications: &[0, 1, 2, 0],
    commands: &[Command::PublishFromInside(1)],
    crashes: 1,
    limits: AMPLE,
};

/// Inboxes that are full.
pub static FULL: Configuration = Configuration {
    name: "FULL",
    executions: &[(WAITS, 0), (AWAITS_LATER, 0)],
    events: &[("a", 0), ("b", 0), ("b", 0), ("b", 0)],
    publications: &[1, 2, 3, 0],
    commands: &[Command::Send(0, 0)],
    crashes: 1,
    limits: SMALL,
};

/// A full inbox beside one of the same workflow that is not full.
pub static BESIDE: Configuration = Configuration {
    name: "BESIDE",
    executions: &[(WAITS, 0), (WAITS, 0)],
    events: &[("b", 0), ("b", 0), ("b", 0)],
    publications: &[0, 1],
    commands: &[Command::Send(0, 2), Command::PublishFromInside(1)],
    crashes: 1,
    limits: SMALL,
};

/// An event that is sent to an inbox that may be full, and has no overflow.
pub static SENT: Configuration = Configuration {
    name: "SENT",
    executions: &[(WAITS, 0)],
    events: &[("b", 0), ("b", 0), ("b", 0)],
    publications: &[0, 1],
    commands: &[Command::Send(0, 2)],
    crashes: 1,
    limits: (2, 0),
};

/// A parent with an awaited and a detached child, which wait for events, and commands to each.
pub static CHILDREN: Configuration = Configuration {
    name: "CHILDREN",
    executions: &[(CALLS, 0)],
    events: &[("a", 0), ("b", 0)],
    publications: &[0, 1, 0],
    commands: &[Command::Cancel(0), Command::Fail(1), Command::Redrive(0), Command::Terminate(0), Command::Cancel(1)],
    crashes: 1,
    limits: AMPLE,
};

/// Three generations: the first fails and is redriven while the others are being cancelled.
pub static FAMILY: Configuration = Configuration {
    name: "FAMILY",
    executions: &[(CALLS_A_CALLER, 0)],
    events: &[("a", 0)],
    publications: &[0],
    commands: &[Command::Fail(0), Command::Redrive(0), Command::Park(1), Command::Park(2)],
    crashes: 1,
    limits: AMPLE,
};

/// Executions that an operator removes, parks or redrives while events are on their way.
pub static KILLED: Configuration = Configuration {
    name: "KILLED",
    executions: &[(STARTS_ON_ONE, 0), (AWAITS_LATER, 0), (FAILS, 0)],
    events: &[("a", 0), ("b", 0)],
    publications: &[0, 1],
    commands: &[Command::Kill(0), Command::Kill(1), Command::Redrive(2), Command::Park(1)],
    crashes: 1,
    limits: AMPLE,
};

/// Two executions take the same event, and an operator removes one of them.
pub static HELD: Configuration = Configuration {
    name: "HELD",
    executions: &[(STARTS_ON_ONE, 0), (STARTS_ON_ONE, 0)],
    events: &[("a", 0)],
    publications: &[0, 0],
    commands: &[Command::Kill(0), Command::Kill(1)],
    crashes: 1,
    limits: AMPLE,
};
