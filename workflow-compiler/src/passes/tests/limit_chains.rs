//! Tests of the pass that limits call chains.

use super::*;
use crate::index::IndexVec;
use crate::machine::{BlockId, ResumePointKind};
use crate::passes::limit_chains::LONGEST_CHAIN;

#[test]
fn a_transition_that_closes_a_cycle_goes_through_a_resume_point() {
    let workflow = asl("
        StartAt: Begin
        States:
          Begin: { Type: Pass, Result: { n: 0 }, Next: Count }
          Count: { Type: Pass, Parameters: { n.$: \"States.MathAdd($.n, 1)\" }, Next: Enough }
          Enough:
            Type: Choice
            Choices: [{ Variable: $.n, NumericGreaterThan: 9, Next: Done }]
            Default: Count
          Done: { Type: Succeed }
        ");
    insta::assert_snapshot!(changes(&workflow, "limit_chains"), @r#"
    + point CountEnter "Count enter" () enter count
      block enough()
        enter "Enough" d
        choose
        if asl::numeric_greater_than(asl::subject(d, ["n"]), 9)
          goto done
        else
    -     goto count
    +     goto count through CountEnter
    "#);
}

#[test]
fn transitions_back_to_one_block_share_its_resume_point() {
    let workflow = asl("
        StartAt: Count
        States:
          Count: { Type: Pass, Parameters: { n.$: \"States.MathAdd($.n, 1)\" }, Next: Enough }
          Enough:
            Type: Choice
            Choices: [{ Variable: $.n, NumericGreaterThan: 9, Next: Done }, { Variable: $.n, NumericEquals: 1, Next: Count }]
            Default: Count
          Done: { Type: Succeed }
        ");
    let machine = after(&workflow, "limit_chains");
    let names: Vec<&str> = machine.points.iter().map(|point| &*point.name).collect();
    assert_eq!(names, ["Entry", "CountEnter"]);
    assert_eq!(machine.to_string().matches("goto count through CountEnter").count(), 2, "{machine}");
}

#[test]
fn a_cycle_that_waits_needs_no_resume_point() {
    let workflow = asl("
        StartAt: Ask
        States:
          Ask: { Type: Task, Resource: ask, Next: Ready }
          Ready: { Type: Choice, Choices: [{ Variable: $.ready, BooleanEquals: true, Next: Done }], Default: Rest }
          Rest: { Type: Wait, Seconds: 1, Next: Ask }
          Done: { Type: Succeed }
        ");
    assert_eq!(changes(&workflow, "limit_chains"), "");
}

#[test]
fn a_block_that_two_blocks_call_is_no_cycle() {
    let workflow = asl("
        StartAt: Large
        States:
          Large:
            Type: Choice
            Choices: [{ Variable: $.total, NumericGreaterThan: 100, Next: Left }]
            Default: Right
          Left: { Type: Pass, Result: 1, Next: Done }
          Right: { Type: Pass, Result: 2, Next: Done }
          Done: { Type: Succeed }
        ");
    assert_eq!(changes(&workflow, "limit_chains"), "");
}

/// Returns a chain of states.
fn chain(length: u32) -> Workflow {
    let mut states = String::new();
    for at in 1..length {
        states.push_str(&format!("\n          S{at}: {{ Type: Pass, Next: S{} }}", at + 1));
    }
    asl(&format!(
        "
        StartAt: S1
        States:{states}
          S{length}: {{ Type: Succeed }}
        "
    ))
}

#[test]
fn one_transition_in_every_long_chain_goes_through_a_resume_point() {
    assert_eq!(changes(&chain(LONGEST_CHAIN), "limit_chains"), "");
    insta::assert_snapshot!(changes(&chain(LONGEST_CHAIN + 1), "limit_chains"), @r#"
    + point S65Enter "S65 enter" () enter s65
      block s64()
        enter "S64" d
    -   goto s65
    +   goto s65 through S65Enter
    "#);
    assert_eq!(changes(&chain(2 * LONGEST_CHAIN), "limit_chains").matches(" through ").count(), 1);
    assert_eq!(changes(&chain(2 * LONGEST_CHAIN + 1), "limit_chains").matches(" through ").count(), 2);
}

/// Both the long path and the short one lead to the second half of the chain.
#[test]
fn the_longest_path_to_a_block_counts() {
    for (left, right) in [("Short", "S0"), ("S0", "Short")] {
        let states: String = (0..2 * LONGEST_CHAIN - 10)
            .map(|at| format!("\n          S{at}: {{ Type: Pass, Next: S{} }}", at + 1))
            .collect();
        let workflow = asl(&format!(
            "
        StartAt: Large
        States:
          Large: {{ Type: Choice, Choices: [{{ Variable: $.n, NumericEquals: 1, Next: {left} }}], Default: {right} }}
          Short: {{ Type: Pass, Next: S{} }}{states}
          S{}: {{ Type: Succeed }}
        ",
            LONGEST_CHAIN - 10,
            2 * LONGEST_CHAIN - 10
        ));
        let longest = longest_chain(&mut after(&workflow, "limit_chains")) as u32;
        assert!(longest <= LONGEST_CHAIN, "{left}: {longest}");
    }
}

#[test]
fn the_resume_point_continues_at_the_head_of_the_chain() {
    let machine = after(&chain(LONGEST_CHAIN + 1), "limit_chains");
    let point = machine.points.last().expect("the chain is long");
    let ResumePointKind::Enter(head) = point.kind else { panic!("the point does not enter") };
    assert_eq!((&*machine.block(head).name, &*point.tag, &*point.name), ("s65", "S65 enter", "S65Enter"));
    assert_eq!(point.origin, machine.block(head).origin);
}

/// Gives every task an input that can fail with a fault that handlers catch.
fn fail_inputs(workflow: &mut Workflow) {
    let steps = workflow.scopes.iter_mut().flat_map(|scope| &mut scope.states).flat_map(|state| &mut state.body.steps);
    for step in steps {
        let StepKind::Try(guarded) = &mut step.kind else { continue };
        for step in &mut guarded.body.steps {
            if let StepKind::Invoke(invoke) = &mut step.kind {
                invoke.input = caught(invoke.input.clone());
            }
        }
    }
}

/// Returns the length of the longest call chain. Calls through a resume point do not count. Fails
/// if a chain is endless.
fn longest_chain(machine: &mut Machine) -> usize {
    let calls = machine.blocks.iter_mut().map(|block| {
        let mut callees = block.body.calls();
        block.body.gotos_mut(&mut |callee, bounce| callees.retain(|other| *other != callee || bounce.is_none()));
        callees
    });
    let calls: IndexVec<BlockId, Vec<BlockId>> = calls.collect();
    let mut depth = IndexVec::filled_like(&calls, 0);
    // Each round makes every chain longer by one call.
    for _ in 0..=calls.len() {
        let before = depth.clone();
        for (block, callees) in calls.entries() {
            callees.iter().for_each(|callee| depth[*callee] = depth[*callee].max(before[block] + 1));
        }
        if depth == before {
            return depth.into_iter().max().unwrap_or_default();
        }
    }
    panic!("a cycle of calls has no end");
}

#[test]
fn chains_through_handlers_are_as_short_as_others() {
    let state = |number: usize| {
        format!(
            "
          S{number}: {{ Type: Task, Resource: f, Next: End, Catch: [{{ ErrorEquals: [States.ALL], Next: {} }}] }}",
            if number < 300 { format!("S{}", number + 1) } else { "End".to_owned() }
        )
    };
    for first in ["", "\n          First: { Type: Pass, Next: S0 }"] {
        let start = if first.is_empty() { "S0" } else { "First" };
        let states: String = (0..=300).map(state).collect();
        let text = format!(
            "
        StartAt: {start}
        States:{first}{states}
          End: {{ Type: Succeed }}
        "
        );
        let mut workflow = asl(&text);
        fail_inputs(&mut workflow);
        let longest = longest_chain(&mut after(&workflow, "limit_chains")) as u32;
        assert!((LONGEST_CHAIN / 2..=LONGEST_CHAIN + 1).contains(&longest), "{start}: {longest}");
    }
}

/// The call of a handler cannot go through a resume point, so that the transition out of the
/// handler does.
#[test]
fn a_cycle_through_a_handler_is_bounded() {
    let mut workflow = asl("
        StartAt: Pay
        States:
          Pay: { Type: Task, Resource: pay, Catch: [{ ErrorEquals: [States.ALL], Next: Pay }], End: true }
        ");
    fail_inputs(&mut workflow);
    insta::assert_snapshot!(changes(&workflow, "limit_chains"), @r#"
    + point PayEnter "Pay enter" () enter pay
      block pay_failed()
        locate fault
        handle fault
        catch any error
          result = fault
          d = result
    -     goto pay
    +     goto pay through PayEnter
        otherwise
          raise fault
    "#);
    longest_chain(&mut after(&workflow, "limit_chains"));
}
