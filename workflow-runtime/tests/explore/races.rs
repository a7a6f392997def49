//! Races that an engine had, as schedules on the core.

use crate::actions::{Action, What, When};
use crate::configurations as all;
use crate::model::Configuration;
use crate::search::replay;
use crate::world::World;

/// Carries out a schedule that must not break an invariant, and returns the last state.
fn check(configuration: &'static Configuration, schedule: &[What]) -> World {
    let schedule: Vec<Action> = schedule.iter().map(|what| Action { what: *what, crash: None }).collect();
    check_with_crashes(configuration, &schedule)
}

fn check_with_crashes(configuration: &'static Configuration, schedule: &[Action]) -> World {
    let (broken, world) = replay(configuration, None, schedule);
    assert_eq!(broken, None);
    world
}

fn turns(execution: u8, number: usize) -> Vec<What> {
    [vec![What::Begin(execution)], vec![What::Turn(execution); number]].concat()
}

#[test]
fn an_execution_that_reenters_its_start_state_is_offered_what_is_published() {
    let mut schedule = vec![What::Publish(0)];
    // It consumes the event, works, and enters its start state again.
    schedule.extend(turns(0, 3));
    schedule.extend([What::Publish(1), What::Turn(0)]);
    let world = check(&all::AGAIN, &schedule);
    assert_eq!(world.executions.len(), 1);
    assert!(world.past.lives[0].consumed.has(0) && world.past.lives[0].consumed.has(1));
}

#[test]
fn a_start_event_is_not_overtaken_when_its_delivery_is_repeated() {
    // The answer of the first publication is lost, the second event arrives, and the first is
    // published again.
    let (what, crash) = (What::Publish(0), Some(When::AfterCommit));
    let plain = |what| Action { what, crash: None };
    let schedule = [Action { what, crash }, plain(What::Publish(1)), plain(what)];
    let world = check_with_crashes(&all::AGAIN, &schedule);
    // The execution that waits takes the first event, and the second starts another one.
    let inboxes: Vec<Vec<u8>> =
        world.executions.iter().map(|one| one.inbox.iter().map(|(_, event)| *event).collect()).collect();
    assert_eq!(inboxes, [vec![0], vec![1]]);
}

#[test]
fn an_event_that_the_start_condition_refuses_is_offered_to_later_states() {
    // The first event completes the wait in the start state, and the second is for a later state.
    let mut schedule = vec![What::Publish(0), What::Publish(1)];
    schedule.extend(turns(0, 3));
    let world = check(&all::LATER, &schedule);
    assert!(world.past.lives[0].consumed.has(0) && world.past.lives[0].consumed.has(1));
}

#[test]
fn events_for_a_removed_execution_are_offered_again() {
    let kill = What::Command(0);
    let world = check(&all::KILLED, &[What::Publish(0), kill, What::Publish(0)]);
    let waiting: Vec<usize> = (0..).zip(&world.executions).filter(|(_, one)| one.script == 0).map(|(n, _)| n).collect();
    // One execution has started instead of it.
    assert_eq!(waiting.len(), 2);
    assert_eq!(world.executions[waiting[1]].inbox.len(), 1);
}

#[test]
fn an_event_that_is_delivered_again_much_later_is_neither_lost_nor_repeated() {
    // The execution has consumed the event, which is published a second time.
    let mut schedule = vec![What::Publish(0)];
    schedule.extend(turns(0, 2));
    schedule.push(What::Publish(3));
    let world = check(&all::LATER, &schedule);
    assert_eq!(world.executions.len(), 2);
    assert!(world.executions[0].inbox.is_empty() && world.executions[1].inbox.len() == 1);
}
