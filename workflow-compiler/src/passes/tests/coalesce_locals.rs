//! Tests of the pass that coalesces locals.

use super::*;
use crate::dialects::asl::functions::put;
use crate::expr::PathStep;

/// Returns the changes of the pass to a synthetic state with these steps.
fn coalesced(make: impl FnOnce([LocalId; 3]) -> Vec<StepKind>) -> String {
    let mut workflow = asl("
        StartAt: First
        States: { First: { Type: Pass, Next: Last }, Last: { Type: Succeed } }
        ");
    let (a, b) = (local(&mut workflow, "a", LocalKind::Value), local(&mut workflow, "b", LocalKind::Value));
    let document = workflow.input;
    make_synthetic(&mut workflow, &["First"]);
    add_steps(&mut workflow, "First", make([a, b, document]));
    changes(&workflow, "coalesce_locals")
}

/// Returns a call that reads a local.
fn read(local: LocalId) -> Expr {
    caught(Expr::Local(local))
}

#[test]
fn the_input_of_a_branch_is_its_document() {
    let workflow = asl("
        StartAt: Both
        States:
          Both:
            Type: Parallel
            Parameters: { x.$: $.x }
            Branches: [{ StartAt: Wait, States: { Wait: { Type: Wait, Seconds: 1, End: true } } }]
            ResultPath: $.both
            End: true
        ");
    insta::assert_snapshot!(changes(&workflow, "coalesce_locals"), @r"
      block both_entry_wait(input)
    -   d = input
    +   d is input
        goto wait
    ");
}

#[test]
fn a_last_value_has_one_identifier() {
    insta::assert_snapshot!(coalesced(|[a, b, document]| vec![
        set(a, read(document)),
        set(b, read(document)),
        set(document, Expr::Local(a)),
        StepKind::Inspect { stage: "b", value: read(b) },
        set(document, put(document, vec![PathStep::Key("x".to_owned())], b)),
    ]), @r#"
      block first(d)
        a = test::caught(d)
        b = test::caught(d)
    -   d = a
    +   d is a
        inspect b test::caught(b)
        d = asl::put(mut d, ["x"], b)
        goto last
    "#);
}

#[test]
fn a_local_that_is_read_again_is_copied() {
    let shown = coalesced(|[a, b, document]| {
        let both = Expr::Array(vec![Expr::Local(a), Expr::Local(b)]);
        vec![set(a, read(document)), set(b, Expr::Local(a)), set(document, both)]
    });
    assert_eq!(shown, "");
}

/// Both would be bound under one identifier at once.
#[test]
fn a_local_that_is_bound_again_is_copied() {
    let shown = coalesced(|[a, b, document]| {
        let both = Expr::Array(vec![Expr::Local(a), Expr::Local(b)]);
        vec![
            set(a, read(document)),
            StepKind::Inspect { stage: "a", value: Expr::Local(a) },
            set(b, Expr::Local(a)),
            set(a, read(document)),
            set(document, both),
        ]
    });
    assert_eq!(shown, "");
}

/// The document is still read by the condition, and each arm takes the other local as it.
#[test]
fn an_arm_has_identifiers_of_its_own() {
    let mut workflow = asl("
        StartAt: First
        States:
          First:
            Type: Choice
            Choices: [{ Variable: $.x, BooleanEquals: true, Next: Yes }]
            Default: No
          Yes: { Type: Wait, Seconds: 1, End: true }
          No: { Type: Succeed }
        ");
    let a = local(&mut workflow, "a", LocalKind::Value);
    let document = workflow.input;
    add_steps(&mut workflow, "First", vec![set(a, text("x")), StepKind::Inspect { stage: "a", value: Expr::Local(a) }]);
    make_synthetic(&mut workflow, &["Yes"]);
    let span = workflow.span;
    state(&mut workflow, "Yes").body.steps.insert(0, Step { kind: set(document, Expr::Local(a)), span });
    insta::assert_snapshot!(changes(&workflow, "coalesce_locals"), @r#"
      block first(d)
        enter "First" d
        a = "x"
        inspect a a
        choose
        if asl::boolean_equals(asl::subject(d, ["x"]), true)
    -     d = a
    +     d is a
          wait 1 s at Yes
        else
          goto no
    "#);
}

#[test]
fn a_variable_without_a_value_is_no_value() {
    let mut workflow = asl("
        StartAt: First
        States: { First: { Type: Pass, Next: Last }, Last: { Type: Succeed } }
        ");
    let variable = local(&mut workflow, "variable", LocalKind::Variable);
    let document = workflow.input;
    let steps = vec![StepKind::Assign(vec![(variable, read(document))]), set(document, Expr::Local(variable))];
    add_steps(&mut workflow, "First", steps);
    assert_eq!(changes(&workflow, "coalesce_locals"), "");
}
