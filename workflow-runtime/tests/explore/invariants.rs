//! The invariants.

use workflow_runtime::coordination::Status;
use workflow_runtime::coordination::link::Awaited;

use crate::events::consumes;
use crate::model::Model;
use crate::world::World;

pub const CONSUMED_ONCE: &str = "a subscriber consumes an event at most once";
/// The cancellation before a restart removes the inbox, and what the execution is owed.
pub const NOT_LOST: &str = "an event is not lost while a subscriber lives, unless an operator removes it, \
                            or it restarts from its input";
pub const FOR_IT: &str = "an event reaches only executions that it is for";
pub const ONE_START: &str = "a start event starts one execution, or is accepted by one that waits for it";
pub const STEP_ONCE: &str = "a completed step is not repeated";
pub const CHILDREN_END: &str = "an ended parent leaves no awaited child running";
pub const TERMINATED: &str = "a child ends with a parent that terminates";
pub const ONE_END: &str = "an execution ends once";
pub const LIMITED: &str = "an inbox holds no more than its limits";
pub const PUSHED_BACK: &str = "an inbox declines an event if it is full, and only then";
pub const STARTS_NOTHING: &str = "an event from an execution starts nothing";
pub const NOT_STUCK: &str = "an execution is not stuck: what it waits for will come";
pub const NOT_CANCELLED: &str = "a child that is awaited again is not cancelled as abandoned";

/// Returns the first invariant that does not hold in a state.
pub fn broken(model: &Model, world: &World) -> Option<&'static str> {
    let (capacity, overflow) = model.configuration.limits;
    // A rule that ignores the limits breaks another invariant, too.
    if world.executions.iter().any(|one| one.inbox.len() + one.kept.len() > capacity + overflow) {
        return Some(LIMITED);
    }
    if let Some(broken) = world.past.violation {
        return Some(broken);
    }
    for (number, life) in world.numbers().zip(&world.past.lives) {
        let execution = world.get(number);
        let has = |event: u8| {
            life.consumed.has(event)
                || execution.kept.contains(&event)
                || execution.inbox.iter().any(|(_, other)| *other == event)
        };
        if !life.is_killed && life.owed.iter().any(|event| !has(event)) {
            return Some(NOT_LOST);
        }
        if let Some(link) = execution.parent.filter(|link| link.was_awaited) {
            let parent = world.get(link.execution).status;
            let has_ended = matches!(parent, Status::Succeeded | Status::Failed | Status::Cancelled);
            let is_spared = execution.status.receives_events() && execution.orders.is_empty();
            if has_ended && is_spared {
                return Some(CHILDREN_END);
            }
            if parent == Status::Running && world.get(link.execution).is_terminating && is_spared {
                return Some(TERMINATED);
            }
        }
    }
    let is_at_rest = !world.numbers().any(|number| can_run(world, number));
    (is_at_rest && world.numbers().any(|number| is_stuck(model, world, number))).then_some(NOT_STUCK)
}

/// Returns `true` if an execution can begin, or has a turn to run.
pub fn can_run(world: &World, number: u8) -> bool {
    let execution = world.get(number);
    match execution.status {
        Status::Queued => true,
        Status::Running => {
            execution.can_continue()
                || world.timed_out.contains(&number)
                || world.messages.get(&number).is_some_and(|messages| !messages.is_empty())
        }
        _ => false,
    }
}

fn is_stuck(model: &Model, world: &World, number: u8) -> bool {
    let execution = world.get(number);
    if execution.status != Status::Running {
        return false;
    }
    let is_awaited = |event: &u8| consumes(model, execution, &execution.collected, *event);
    if !execution.inbox.is_empty() || !execution.orders.is_empty() || execution.kept.iter().any(is_awaited) {
        return true;
    }
    let mut children = world.children(number).into_iter().map(|child| world.get(child));
    let mut awaited = |at: u8| {
        children.any(|child| {
            let is_of_step = child.parent.is_some_and(|link| link.step == at && link.awaited != Awaited::No);
            is_of_step && child.status.receives_events()
        })
    };
    execution.is_calling && !awaited(execution.at)
}
