//! Tests of the checks of a machine. Each breaks a machine that is consistent.

use super::*;
use crate::machine::{BlockId, Callee, Command, EntryId, OnFault, ResumePointId, RetriersId, Stage, Terminator};

/// Returns the machine of a workflow with a handler, a wait and a branch, after all passes.
fn machine() -> Machine {
    let workflow = asl("
        StartAt: Pay
        States:
          Pay:
            Type: Task
            Resource: pay
            Retry: [{ ErrorEquals: [Busy] }]
            Catch: [{ ErrorEquals: [Lost], Next: Mend }]
            Next: All
          Mend: { Type: Wait, Seconds: 1, Next: All }
          All:
            Type: Map
            ItemProcessor: { StartAt: One, States: { One: { Type: Succeed } } }
            End: true
        ");
    after(&workflow, MACHINE_PASSES[MACHINE_PASSES.len() - 1])
}

/// Returns the first defect of the machine that `broken` changes.
fn defect(broken: impl FnOnce(&mut Machine)) -> String {
    let mut machine = machine();
    assert_eq!(machine.verify(Stage::Marked), Ok(()));
    broken(&mut machine);
    machine.verify(Stage::Marked).expect_err("the machine is broken")
}

fn block<'m>(machine: &'m mut Machine, name: &str) -> &'m mut crate::machine::Block {
    machine.blocks.iter_mut().find(|block| block.name == name).expect("the machine has the block")
}

#[test]
fn a_transition_leads_to_a_block() {
    let found = defect(|machine| {
        block(machine, "mend").body.terminator = Terminator::Goto { block: BlockId(99), bounce: None };
    });
    assert_eq!(found, "mend: there is no block 99");
    let found = defect(|machine| {
        let Terminator::Wait { point, .. } = &mut block(machine, "mend").body.terminator else { panic!("it waits") };
        *point = ResumePointId(99);
    });
    assert_eq!(found, "mend: there is no resume point 99");
    let found =
        defect(|machine| machine.points[ResumePointId(0)].kind = crate::machine::ResumePointKind::Elapsed(BlockId(99)));
    assert_eq!(found, "entry: there is no block 99");
}

#[test]
fn a_child_starts_at_an_entry_of_the_machine() {
    let found = defect(|machine| machine.on_timeout = Some((EntryId(4), machine.input)));
    assert_eq!(found, "there is no entry 4");
    let found = defect(|machine| {
        let Terminator::Wait { command, .. } = &mut block(machine, "mend").body.terminator else { panic!("it waits") };
        let target = Callee::Entry(EntryId(5));
        *command = Command::Call { target, input: Expr::NULL, detached: true, timeout: None };
    });
    assert_eq!(found, "mend: there is no entry 5");
}

#[test]
fn a_handler_receives_a_fault() {
    let found = defect(|machine| {
        let pay = (0..).zip(&machine.blocks).find(|(_, block)| block.name == "pay").map(|(at, _)| BlockId(at));
        block(machine, "pay_done").body.ops[0].on_fault = pay.map(OnFault::Call);
    });
    assert_eq!(found, "pay_done: `pay` handles no fault");
}

#[test]
fn what_a_block_takes_is_saved() {
    let found = defect(|machine| {
        let point = machine.points.iter_mut().find(|point| point.tag == "Mend").expect("the state waits");
        point.payload.clear();
    });
    assert_eq!(found, "Mend: `d` has no value");
}

#[test]
fn what_is_read_has_a_value() {
    let found = defect(|machine| block(machine, "mend").params.clear());
    assert!(found.starts_with("mend: `") && found.ends_with("` has no value"), "{found}");
    let found = defect(|machine| block(machine, "pay_done").body.ops.clear());
    assert!(found.starts_with("pay_done: `") && found.ends_with("` has no value"), "{found}");
}

#[test]
fn a_retrier_exists() {
    let found = defect(|machine| {
        let failed = block(machine, "pay_failed");
        let Terminator::Handle { retry, fault, .. } = &mut failed.body.terminator else { panic!("it handles a fault") };
        *retry = Some((RetriersId(3), *fault, ResumePointId(0)));
    });
    assert_eq!(found, "pay_failed: there is no list of retriers 3");
}

#[test]
fn a_frame_starts_at_an_entry() {
    let found = defect(|machine| {
        let waits = machine.points.iter().position(|point| point.tag == "Mend").expect("the state waits");
        for point in &mut machine.points {
            if let crate::machine::ResumePointKind::ForEach { child, .. } = &mut point.kind {
                *child = ResumePointId(waits as u32);
            }
        }
    });
    assert_eq!(found, "All: a frame starts at `Mend`, which is not an entry");
}

#[test]
fn parameters_have_different_identifiers() {
    let found = defect(|machine| block(machine, "mend").names.clear());
    assert!(found.starts_with("mend: `") && found.ends_with("` has no identifier"), "{found}");
    let found = defect(|machine| {
        let failed = block(machine, "pay_failed");
        let same = failed.params.iter().map(|local| (*local, "same".to_owned()));
        failed.names = same.collect();
    });
    assert_eq!(found, "pay_failed: two locals have the identifier `same`");
}

/// A resume point passes a fault in place of a result to its handler.
#[test]
fn what_the_handler_of_a_result_takes_is_saved() {
    let found = defect(|machine| {
        let point = machine.points.iter_mut().find(|point| point.tag == "Pay").expect("the state waits");
        let retries = point.payload.iter().position(|local| machine.locals[*local].kind == LocalKind::Retries);
        point.payload.remove(retries.expect("its retries are counted"));
    });
    assert_eq!(found, "Pay: `retries` has no value");
}

#[test]
fn what_a_frame_takes_is_saved() {
    let found = defect(|machine| {
        let child = machine.points.iter_mut().find(|point| point.tag.starts_with("All entry")).expect("it is an entry");
        child.payload.push(LocalId(0));
        let point = machine.points.iter_mut().find(|point| point.tag == "All").expect("the state waits");
        point.payload.retain(|local| *local != LocalId(0));
    });
    assert_eq!(found, "All: `d` has no value");
}

#[test]
fn a_transition_through_a_resume_point_enters_its_block() {
    let found = defect(|machine| {
        let point = (0..).zip(&machine.points).find(|(_, point)| point.tag == "Mend").map(|(at, _)| ResumePointId(at));
        let next = (0..).zip(&machine.blocks).find(|(_, block)| block.name == "all").map(|(at, _)| BlockId(at));
        let terminator = Terminator::Goto { block: next.expect("it is a state"), bounce: point };
        block(machine, "mend").body.terminator = terminator;
    });
    assert_eq!(found, "mend: `Mend` does not enter the block of its transition");
}

#[test]
fn a_block_has_the_turn_for_the_blocks_that_it_calls() {
    let found = defect(|machine| block(machine, "pay_failed").takes_turn = false);
    assert_eq!(found, "pay_failed: `mend` takes the turn, which this block does not have");
}
