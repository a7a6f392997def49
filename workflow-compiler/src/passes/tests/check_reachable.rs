//! Tests of the check for unreachable states and for cycles without an exit.

use super::*;
use crate::diagnostics::MAX_ERRORS;

#[test]
fn a_cycle_with_an_exit_is_accepted() {
    let found = diagnostics(
        "asl",
        "
        StartAt: Ask
        States:
          Ask: { Type: Task, Resource: ask, Next: Ready }
          Ready: { Type: Choice, Choices: [{ Variable: $.ready, BooleanEquals: true, Next: Done }], Default: Ask }
          Done: { Type: Succeed }
        ",
    );
    assert_eq!(found, "");
}

#[test]
fn a_state_that_no_transition_leads_to_is_refused() {
    let found = diagnostics(
        "asl",
        "
        StartAt: First
        States:
          First: { Type: Succeed }
          Lost: { Type: Pass, Next: First }
        ",
    );
    insta::assert_snapshot!(found, @r"
    error[WF0205]: state `Lost` is unreachable
     --> flow.asl.yaml:4:3
      |
    3 |   First: { Type: Succeed }
      |   ----- the first state of the top level
    4 |   Lost: { Type: Pass, Next: First }
      |   ^^^^ no transition leads here
      = help: add a transition to it, or remove it
    ");
}

#[test]
fn a_state_that_only_leads_to_itself_is_refused() {
    let found = diagnostics(
        "asl",
        "
        StartAt: First
        States:
          First: { Type: Succeed }
          Lost: { Type: Choice, Choices: [{ Variable: $.n, NumericEquals: 1, Next: Lost }], Default: First }
        ",
    );
    assert!(found.starts_with("error[WF0205]") && found.contains("no transition leads here"), "{found}");
}

#[test]
fn an_unreachable_cycle_is_a_warning() {
    let found = diagnostics(
        "asl",
        "
        StartAt: First
        States:
          First: { Type: Succeed }
          Lost: { Type: Pass, Next: Again }
          Again: { Type: Pass, Next: Lost }
        ",
    );
    insta::assert_snapshot!(found, @r"
    warning[WF0251]: state `Lost` is unreachable
     --> flow.asl.yaml:4:3
      |
    3 |   First: { Type: Succeed }
      |   ----- the first state of the top level
    4 |   Lost: { Type: Pass, Next: Again }
      |   ^^^^ only unreachable states lead here
      = help: add a transition to it, or remove it

    warning[WF0251]: state `Again` is unreachable
     --> flow.asl.yaml:5:3
      |
    3 |   First: { Type: Succeed }
      |   ----- the first state of the top level
    4 |   Lost: { Type: Pass, Next: Again }
    5 |   Again: { Type: Pass, Next: Lost }
      |   ^^^^^ only unreachable states lead here
      = help: add a transition to it, or remove it
    ");
}

#[test]
fn a_scope_without_an_end_is_refused() {
    let found = diagnostics(
        "asl",
        "
        StartAt: First
        States:
          First: { Type: Pass, Next: Second }
          Second: { Type: Pass, Next: First }
        ",
    );
    insta::assert_snapshot!(found, @r"
    error[WF0206]: no path leads from states `First`, `Second` to an end
     --> flow.asl.yaml:3:3
      |
    3 |   First: { Type: Pass, Next: Second }
      |   ^^^^^ an execution that reaches this state never ends
      = help: end the scope in one of these states, or add a transition out of the cycle
    ");
}

#[test]
fn a_cycle_that_never_leads_to_an_end_is_a_warning() {
    let found = diagnostics(
        "asl",
        "
        StartAt: Large
        States:
          Large: { Type: Choice, Choices: [{ Variable: $.n, NumericEquals: 1, Next: Again }], Default: Done }
          Again: { Type: Pass, Next: Again }
          Done: { Type: Succeed }
        ",
    );
    insta::assert_snapshot!(found, @r"
    warning[WF0252]: no path leads from state `Again` to an end
     --> flow.asl.yaml:4:3
      |
    4 |   Again: { Type: Pass, Next: Again }
      |   ^^^^^ an execution that reaches this state never ends
      = help: end the scope in one of these states, or add a transition out of the cycle
    ");
}

#[test]
fn a_failure_is_an_end() {
    let found = diagnostics(
        "asl",
        "
        StartAt: First
        States: { First: { Type: Pass, Next: Refuse }, Refuse: { Type: Fail } }
        ",
    );
    assert_eq!(found, "");
}

#[test]
fn a_message_names_eight_states_at_most() {
    let states: String = (0..10).map(|at| format!("\n  S{at}: {{ Type: Pass, Next: S{} }}", (at + 1) % 10)).collect();
    let found = diagnostics("asl", &format!("StartAt: S0\nStates:{states}"));
    let message = found.lines().next().unwrap_or_default();
    insta::assert_snapshot!(message, @"error[WF0206]: no path leads from states `S0`, `S1`, `S2`, `S3`, `S4`, `S5`, `S6`, `S7` and 2 more to an end");
}

#[test]
fn every_scope_is_checked() {
    let found = diagnostics(
        "asl",
        "
        StartAt: All
        States:
          All:
            Type: Map
            ItemProcessor: { StartAt: One, States: { One: { Type: Succeed }, Lost: { Type: Succeed } } }
            End: true
        ",
    );
    assert!(
        found.starts_with("error[WF0205]") && found.contains("the first state of the item processor of `All`"),
        "{found}"
    );
}

#[cfg(feature = "workflow-dsl")]
#[test]
fn a_dialect_that_allows_dead_ends_has_warnings() {
    let found = diagnostics(
        "workflow-dsl",
        "
        id: t
        firstActivity: First
        activities:
          - { name: Lost, type: inject, data: {} }
          - { name: First, type: inject, data: {}, end: true }
        ",
    );
    insta::assert_snapshot!(found, @r"
    warning[WF0251]: state `Lost` is unreachable
     --> flow.workflow-dsl.yaml:4:13
      |
    4 |   - { name: Lost, type: inject, data: {} }
      |             ^^^^ no transition leads here
    5 |   - { name: First, type: inject, data: {}, end: true }
      |             ----- the first state of the top level
      = help: add a transition to it, or remove it
    ");
}

#[test]
fn the_number_of_reports_is_limited() {
    let lost: String = (0..200).map(|at| format!("\n  Lost{at}: {{ Type: Succeed }}")).collect();
    let found = diagnostics("asl", &format!("StartAt: First\nStates:\n  First: {{ Type: Succeed }}{lost}"));
    assert_eq!(found.matches("error[WF0205]").count(), MAX_ERRORS, "{found}");
}
