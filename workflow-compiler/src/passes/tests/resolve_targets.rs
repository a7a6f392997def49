//! Tests of the check of transitions.

use super::*;
use crate::diagnostics::MAX_ERRORS;

#[test]
fn transitions_within_their_scope_are_accepted() {
    let found = diagnostics(
        "asl",
        "
        StartAt: All
        States:
          All:
            Type: Map
            ItemProcessor: { StartAt: One, States: { One: { Type: Pass, Next: Two }, Two: { Type: Succeed } } }
            Next: Done
          Done: { Type: Succeed }
        ",
    );
    assert_eq!(found, "");
}

#[test]
fn an_unknown_target_is_refused() {
    let found = diagnostics(
        "asl",
        "
        StartAt: First
        States:
          First: { Type: Pass, Next: Dome }
          Done: { Type: Succeed }
        ",
    );
    insta::assert_snapshot!(found, @r"
    error[WF0201]: state `Dome` does not exist
     --> flow.asl.yaml:3:30
      |
    3 |   First: { Type: Pass, Next: Dome }
      |                              ^^^^ not found in this scope
      = help: did you mean `Done`?
    ");
}

#[test]
fn an_unknown_first_state_is_refused() {
    let found = diagnostics(
        "asl",
        "
        StartAt: Beginning
        States: { First: { Type: Pass, Next: Done }, Done: { Type: Succeed } }
        ",
    );
    insta::assert_snapshot!(found, @r"
    error[WF0201]: state `Beginning` does not exist
     --> flow.asl.yaml:1:10
      |
    1 | StartAt: Beginning
      |          ^^^^^^^^^ no state of this scope has this name
      = help: the states of this scope are `First` and `Done`
    ");
}

#[test]
fn a_transition_into_another_scope_is_refused() {
    let found = diagnostics(
        "asl",
        "
        StartAt: All
        States:
          All:
            Type: Map
            ItemProcessor: { StartAt: One, States: { One: { Type: Pass, Next: Done } } }
            Next: Done
          Done: { Type: Succeed }
        ",
    );
    insta::assert_snapshot!(found, @r"
    error[WF0203]: state `Done` is not in this scope
     --> flow.asl.yaml:5:71
      |
    5 |     ItemProcessor: { StartAt: One, States: { One: { Type: Pass, Next: Done } } }
      |                                                                       ^^^^ this scope is the item processor of `All`
    6 |     Next: Done
    7 |   Done: { Type: Succeed }
      |   ---- defined in the top level
      = help: end the branch or iterator, and continue after it: a transition cannot leave its scope
    ");
}

#[test]
fn a_name_of_an_enclosing_scope_is_refused() {
    let found = diagnostics(
        "asl",
        "
        StartAt: All
        States:
          All:
            Type: Map
            ItemProcessor:
              StartAt: Each
              States:
                Each:
                  Type: Map
                  ItemProcessor: { StartAt: Done, States: { Done: { Type: Succeed } } }
                  End: true
            Next: Done
          Done: { Type: Succeed }
        ",
    );
    insta::assert_snapshot!(found, @r"
    error[WF0202]: duplicate state `Done`
      --> flow.asl.yaml:10:53
       |
    10 |           ItemProcessor: { StartAt: Done, States: { Done: { Type: Succeed } } }
       |                                                     ^^^^ duplicate name
    ...
    13 |   Done: { Type: Succeed }
       |   ---- first defined here
       = help: rename one: state names are unique in the whole workflow, including branches and iterators
    ");
}

#[test]
fn a_name_of_a_sibling_branch_is_a_warning() {
    let found = diagnostics(
        "asl",
        "
        StartAt: Both
        States:
          Both:
            Type: Parallel
            Branches:
              - { StartAt: Work, States: { Work: { Type: Succeed } } }
              - { StartAt: Work, States: { Work: { Type: Succeed } } }
            End: true
        ",
    );
    insta::assert_snapshot!(found, @r"
    warning[WF0254]: duplicate state `Work`
     --> flow.asl.yaml:7:36
      |
    6 |       - { StartAt: Work, States: { Work: { Type: Succeed } } }
      |                                    ---- first defined here
    7 |       - { StartAt: Work, States: { Work: { Type: Succeed } } }
      |                                    ^^^^ duplicate name
      = help: rename one: state names are unique in the whole workflow, including branches and iterators
    ");
}

#[test]
fn an_unknown_target_leaves_no_state_unreachable() {
    let found = diagnostics(
        "asl",
        "
        StartAt: First
        States:
          First: { Type: Pass, Next: Secund }
          Second: { Type: Pass, Next: Done }
          Done: { Type: Succeed }
        ",
    );
    insta::assert_snapshot!(heads(&found), @"error[WF0201]: state `Secund` does not exist");
}

/// A refused definition can have unknown targets too.
#[test]
fn the_targets_of_a_refused_definition_are_checked() {
    let found = diagnostics(
        "asl",
        "
        StartAt: First
        States:
          First: { Type: Wait, Seconds: soon, Next: Dome }
          Done: { Type: Succeed }
        ",
    );
    insta::assert_snapshot!(heads(&found), @r"
    error[WF0403]: `Seconds` must be a whole number, found a string
    error[WF0201]: state `Dome` does not exist
    ");
    let found = diagnostics(
        "asl",
        "
        StartAt: Beginning
        States:
          First: { Type: Wait, Seconds: soon, Next: Done }
          Done: { Type: Succeed }
        ",
    );
    insta::assert_snapshot!(heads(&found), @r"
    error[WF0201]: state `Beginning` does not exist
    error[WF0403]: `Seconds` must be a whole number, found a string
    ");
}

#[test]
fn the_number_of_reports_is_limited() {
    let unknown: String = (0..200).map(|at| format!("\n  S{at}: {{ Type: Pass, Next: X{at} }}")).collect();
    let found = diagnostics("asl", &format!("StartAt: S0\nStates:{unknown}"));
    assert_eq!(found.matches("error[WF0201]").count(), MAX_ERRORS, "{found}");
    assert!(found.contains("the rest of the definition was not checked"), "{found}");
    let names: String = (0..200).map(|at| format!("S{at}: {{ Type: Succeed }}, ")).collect();
    let found = diagnostics(
        "asl",
        &format!(
            "StartAt: All\nStates: {{ {names} All: {{ Type: Map, Next: S0, ItemProcessor: {{ StartAt: S0, States: {{ {names} }} }} }} }}"
        ),
    );
    assert_eq!(found.matches("error[WF0202]").count(), MAX_ERRORS, "{found}");
}
