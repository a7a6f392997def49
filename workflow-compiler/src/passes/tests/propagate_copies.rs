//! Tests of the pass that removes copies.

use super::*;
use crate::dialects::asl::functions::{PUT, put};
use crate::expr::PathStep;

/// Returns a workflow of one state that does nothing, two locals, and the document.
fn empty() -> (Workflow, [LocalId; 3]) {
    let mut workflow = asl("
        StartAt: First
        States: { First: { Type: Pass, Next: Last }, Last: { Type: Succeed } }
        ");
    let (a, b) = (local(&mut workflow, "a", LocalKind::Value), local(&mut workflow, "b", LocalKind::Value));
    let document = workflow.input;
    (workflow, [a, b, document])
}

/// Returns the changes of the pass to a state with these steps.
fn folded(make: impl FnOnce([LocalId; 3]) -> Vec<StepKind>) -> String {
    let (mut workflow, locals) = empty();
    add_steps(&mut workflow, "First", make(locals));
    changes(&workflow, "propagate_copies")
}

/// Returns the call that puts a local into another one, at the member `x`.
fn put_into(document: LocalId, value: LocalId) -> Expr {
    put(document, vec![PathStep::Key("x".to_owned())], value)
}

#[test]
fn a_result_that_becomes_the_document_is_received_as_the_document() {
    let workflow = asl("
        StartAt: Pay
        States: { Pay: { Type: Task, Resource: pay, Next: Done }, Done: { Type: Succeed } }
        ");
    insta::assert_snapshot!(changes(&workflow, "propagate_copies"), @r"
      block pay_done()
    -   result = received
    -   d = result
    +   d = received
        goto done
    ");
}

#[test]
fn a_value_that_is_copied_is_computed_into_the_copy() {
    insta::assert_snapshot!(folded(|[a, _, document]| vec![set(a, text("x")), set(document, Expr::Local(a))]), @r#"
      block first(d)
        enter "First" d
    -   a = "x"
    -   d = a
    +   d = "x"
        goto last
    "#);
}

#[test]
fn a_value_that_is_put_into_the_document_is_computed_there() {
    let workflow = asl("
        StartAt: First
        States: { First: { Type: Pass, Result: 1, ResultPath: $.one, Next: Last }, Last: { Type: Succeed } }
        ");
    insta::assert_snapshot!(changes(&workflow, "propagate_copies"), @r#"
      block first(d)
        enter "First" d
    -   result = 1
    -   d = asl::put(mut d, ["one"], result)
    +   d = asl::put(mut d, ["one"], 1)
        goto last
    "#);
}

#[test]
fn the_output_is_computed_at_the_end() {
    let workflow = asl("
        StartAt: First
        States: { First: { Type: Pass, Parameters: { name.$: $.name }, End: true } }
        ");
    insta::assert_snapshot!(changes(&workflow, "propagate_copies"), @r#"
      block first(d)
        enter "First" d
    -   d = {"name": asl::field(d, ["name"], "name.$")}
    -   done d
    +   done {"name": asl::field(d, ["name"], "name.$")}
    "#);
}

#[test]
fn arms_and_catchers_are_folded_too() {
    let mut workflow = asl("
        StartAt: Pay
        States:
          Pay: { Type: Task, Resource: pay, Catch: [{ ErrorEquals: [Lost], ResultPath: $.error, Next: Large }], Next: Large }
          Large:
            Type: Choice
            Choices: [{ Variable: $.total, NumericGreaterThan: 100, Next: Refuse }]
            Default: Accept
          Refuse: { Type: Pass, Result: 1, End: true }
          Accept: { Type: Pass, Result: 2, End: true }
        ");
    make_synthetic(&mut workflow, &["Refuse", "Accept"]);
    insta::assert_snapshot!(changes(&workflow, "propagate_copies"), @r#"
      block large(d)
        enter "Large" d
        choose
        if asl::numeric_greater_than(asl::subject(d, ["total"]), 100)
    -     d = 1
    -     done d
    +     done 1
        else
    -     d = 2
    -     done d
    +     done 2
      block pay_failed(d, fault)
        locate fault
        handle fault
        catch Lost
    -     result = fault
    -     d = asl::put(mut d, ["error"], result)
    +     d = asl::put(mut d, ["error"], fault)
          goto large
        otherwise
          raise fault
      block pay_done()
    -   result = received else pay_failed
    -   d = result
    +   d = received else pay_failed
        goto large
    "#);
}

#[test]
fn a_copy_of_a_local_that_is_read_again_stays() {
    let both = |a, b| Expr::Array(vec![Expr::Local(a), Expr::Local(b)]);
    let shown = folded(|[a, b, document]| vec![set(a, text("x")), set(b, Expr::Local(a)), set(document, both(a, b))]);
    assert_eq!(shown, "");
}

/// A variable can be without a value, so that its Rust type differs.
#[test]
fn a_copy_of_a_variable_stays() {
    let (mut workflow, [a, _, document]) = empty();
    workflow.locals[a].kind = LocalKind::Variable;
    for last in [Expr::Local(a), put_into(document, a)] {
        let mut workflow = workflow.clone();
        add_steps(&mut workflow, "First", vec![set(a, text("x")), set(document, last)]);
        assert_eq!(changes(&workflow, "propagate_copies"), "");
    }
    add_steps(&mut workflow, "First", vec![set(a, text("x"))]);
    state(&mut workflow, "First").body.next = Next::End(Expr::Local(a));
    assert_eq!(changes(&workflow, "propagate_copies"), "");
}

#[test]
fn a_copy_of_a_local_that_another_operation_sets_stays() {
    let both = |a, b| Expr::Array(vec![Expr::Local(a), Expr::Local(b)]);
    let shown = folded(|[a, b, document]| {
        let last = set(document, both(b, document));
        vec![set(a, Expr::Array(vec![Expr::Local(document)])), set(document, text("x")), set(b, Expr::Local(a)), last]
    });
    assert_eq!(shown, "");
}

#[test]
fn a_value_that_reads_the_document_stays_before_the_edit() {
    let workflow = asl("
        StartAt: First
        States:
          First: { Type: Pass, Parameters: { name.$: $.name }, ResultPath: $.copy, Next: Last }
          Last: { Type: Succeed }
        ");
    assert_eq!(changes(&workflow, "propagate_copies"), "");
}

#[test]
fn a_value_that_is_read_after_the_edit_stays() {
    let shown = folded(|[a, b, document]| {
        let read = Expr::Array(vec![Expr::Local(a), Expr::Local(document)]);
        vec![set(a, text("x")), set(document, put_into(document, a)), set(b, read), set(document, Expr::Local(b))]
    });
    insta::assert_snapshot!(shown, @r#"
      block first(d)
        enter "First" d
        a = "x"
        d = asl::put(mut d, ["x"], a)
    -   b = [a, d]
    -   d = b
    +   d = [a, d]
        goto last
    "#);
}

#[test]
fn a_value_that_can_fail_moves_only_without_a_handler() {
    let (mut workflow, [a, _, document]) = empty();
    let steps = vec![set(a, caught(text("x"))), set(document, put_into(document, a))];
    add_steps(&mut workflow, "First", steps);
    insta::assert_snapshot!(changes(&workflow, "propagate_copies"), @r#"
      block first(d)
        enter "First" d
    -   a = test::caught("x")
    -   d = asl::put(mut d, ["x"], a)
    +   d = asl::put(mut d, ["x"], test::caught("x"))
        goto last
    "#);
    guard_steps(&mut workflow, "First");
    assert_eq!(changes(&workflow, "propagate_copies"), "");
}

#[test]
fn a_value_that_cannot_fail_moves_to_an_edit_with_a_handler() {
    let (mut workflow, [a, _, document]) = empty();
    add_steps(&mut workflow, "First", vec![set(a, text("x")), set(document, put_into(document, a))]);
    guard_steps(&mut workflow, "First");
    insta::assert_snapshot!(changes(&workflow, "propagate_copies"), @r#"
      block first(d)
        enter "First" d
    -   a = "x"
    -   d = asl::put(mut d, ["x"], a) else
    +   d = asl::put(mut d, ["x"], "x") else
          locate fault
          handle fault
          otherwise
            raise fault
        goto last
    "#);
}

#[test]
fn a_value_that_an_edit_reads_twice_stays() {
    let twice = |document, arg: Arg, a| Expr::call(&PUT, vec![Arg::Edit(document), arg, Arg::Owned(Expr::Local(a))]);
    for make in [Arg::Owned, Arg::Value] {
        let shown =
            folded(|[a, _, document]| vec![set(a, text("x")), set(document, twice(document, make(Expr::Local(a)), a))]);
        assert_eq!(shown, "");
    }
}

/// An edit is an operation of its own.
#[test]
fn a_value_that_edits_a_local_stays() {
    let shown = folded(|[a, b, document]| {
        vec![
            set(b, text("x")),
            set(a, Expr::Array(Vec::new())),
            set(a, put_into(a, b)),
            set(document, put_into(document, a)),
        ]
    });
    assert_eq!(shown, "");
}

#[test]
fn an_edited_document_is_not_the_output_expression() {
    let workflow = asl("
        StartAt: Pay
        States: { Pay: { Type: Task, Resource: pay, ResultPath: $.receipt, End: true } }
        ");
    assert_eq!(changes(&workflow, "propagate_copies"), "");
}

#[test]
fn an_output_whose_fault_is_handled_stays() {
    let mut workflow = asl("
        StartAt: First
        States: { First: { Type: Pass, End: true } }
        ");
    let document = workflow.input;
    add_steps(&mut workflow, "First", vec![set(document, caught(Expr::Local(document)))]);
    insta::assert_snapshot!(changes(&workflow, "propagate_copies"), @r#"
      block first(d)
        enter "First" d
    -   d = test::caught(d)
    -   done d
    +   done test::caught(d)
    "#);
    guard_steps(&mut workflow, "First");
    assert_eq!(changes(&workflow, "propagate_copies"), "");
}

#[test]
fn an_operation_that_does_not_set_the_output_stays() {
    let (mut workflow, [a, _, document]) = empty();
    add_steps(&mut workflow, "First", vec![set(a, caught(text("x")))]);
    state(&mut workflow, "First").body.next = Next::End(Expr::Local(document));
    assert_eq!(changes(&workflow, "propagate_copies"), "");
}
