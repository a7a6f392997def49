//! Tests of what handlers carry.

use super::*;
use crate::hir::{Arm, Body, Catcher};
use crate::model::{ErrorMatch, Wait};

#[test]
fn a_resume_point_carries_what_the_handler_of_its_result_reads() {
    let workflow = asl("
        StartAt: Order
        States:
          Order: { Type: Pass, Assign: { to.$: $.to }, Next: Pay }
          Pay: { Type: Task, Resource: pay, Catch: [{ ErrorEquals: [Lost], Next: Mend }], End: true }
          Mend: { Type: Task, Resource: mend, Parameters: { to.$: $to, why.$: $.Cause }, End: true }
        ");
    insta::assert_snapshot!(changes(&workflow, "compute_liveness"), @r#"
    - point Entry "entry" () enter entry
    - point Pay "Pay" () resume pay_done
    + point Entry "entry" (d) enter entry
    + point Pay "Pay" (to) resume pay_done
    - block entry()
    -   declare to
    + block entry(d)
        goto order
    - block order()
    + block order(d)
        enter "Order" d
        assign to = asl::field(d, ["to"], "to.$")
        goto pay
    - block pay()
    + block pay(d, to)
        enter "Pay" d
        invoke task 0 with d timeout 60 s at Pay
    - block mend()
    + block mend(d, to)
        enter "Mend" d
        invoke task 1 with {"to": asl::variable(to, "to"), "why": asl::field(d, ["Cause"], "why.$")} timeout 60 s at Mend
    - block pay_failed()
    + block pay_failed(to, fault)
        locate fault
        handle fault
        catch Lost
          result = fault
          d = result
          goto mend
        otherwise
          raise fault
    "#);
}

#[test]
fn the_fault_is_the_last_parameter_of_a_handler() {
    let mut workflow = asl("
        StartAt: Pay
        States:
          Pay: { Type: Task, Resource: pay, Catch: [{ ErrorEquals: [Lost], Next: Done }], Next: Done }
          Done: { Type: Succeed }
        ");
    let (document, late) = (workflow.input, local(&mut workflow, "late", LocalKind::Value));
    let span = workflow.span;
    let steps = &mut state(&mut workflow, "Pay").body.steps;
    let StepKind::Try(guarded) = &mut steps[0].kind else { panic!("the state has a catcher") };
    guarded.catchers[0].body.steps.push(Step { kind: set(document, Expr::Local(late)), span });
    steps.insert(0, Step { kind: set(late, text("late")), span });
    insta::assert_snapshot!(changes(&workflow, "compute_liveness"), @r#"
    - point Entry "entry" () enter pay
    - point Pay "Pay" () resume pay_done
    - block pay()
    + point Entry "entry" (d) enter pay
    + point Pay "Pay" (late) resume pay_done
    + block pay(d)
        enter "Pay" d
        late = "late"
        invoke task 0 with d timeout 60 s at Pay
    - block done()
    + block done(d)
        enter "Done" d
        done d
    - block pay_failed()
    + block pay_failed(late, fault)
        locate fault
        handle fault
        catch Lost
    -     result = fault
    -     d = result
          d = late
          goto done
        otherwise
          raise fault
    "#);
}

#[test]
fn a_handler_carries_what_the_next_attempt_reads() {
    let workflow = asl("
        StartAt: Order
        States:
          Order: { Type: Pass, Assign: { to.$: $.to }, Next: Pay }
          Pay: { Type: Task, Resource: pay, Parameters: { to.$: $to }, Retry: [{ ErrorEquals: [Busy] }], End: true }
        ");
    insta::assert_snapshot!(changes(&workflow, "compute_liveness"), @r#"
    - point Entry "entry" () enter entry
    - point PayRetry "Pay retry" () elapsed pay_try
    - point Pay "Pay" () resume pay_done
    + point Entry "entry" (d) enter entry
    + point PayRetry "Pay retry" (to, retries) elapsed pay_try
    + point Pay "Pay" (to, retries) resume pay_done
    - block entry()
    -   declare to
    + block entry(d)
        goto order
    - block order()
    + block order(d)
        enter "Order" d
        assign to = asl::field(d, ["to"], "to.$")
        goto pay
    - block pay()
    + block pay(d, to)
        enter "Pay" d
        retries = new retries
        goto pay_try
    - block pay_failed()
    + block pay_failed(to, retries, fault)
        locate fault
        handle fault
        retry PAY_RETRY retries at PayRetry
        otherwise
          raise fault
    - block pay_try()
    + block pay_try(to, retries)
        invoke task 0 with {"to": asl::variable(to, "to")} timeout 60 s at Pay
    "#);
}

/// The handler needs a variable of the states before, to which it leads back.
#[test]
fn a_block_carries_what_the_handler_of_its_result_reads_in_a_cycle() {
    let workflow = asl("
        StartAt: Order
        States:
          Order: { Type: Pass, Assign: { to.$: $.to }, Next: Again }
          Again: { Type: Pass, Parameters: { to.$: $to }, Next: Pay }
          Pay: { Type: Task, Resource: pay, Catch: [{ ErrorEquals: [Lost], Next: Again }], End: true }
        ");
    let machine = after(&workflow, "compute_liveness").to_string();
    assert!(machine.contains("block pay(d, to)\n"), "{machine}");
}

/// Returns a workflow whose first state sets a local that only the handler of `step` reads.
fn guarded(step: impl FnOnce(LocalId) -> StepKind) -> Workflow {
    let mut workflow = asl("
        StartAt: First
        States: { First: { Type: Pass, Next: Done }, Done: { Type: Succeed } }
        ");
    let (document, span) = (workflow.input, workflow.span);
    let late = local(&mut workflow, "late", LocalKind::Value);
    add_steps(&mut workflow, "First", vec![step(document)]);
    guard_steps(&mut workflow, "First");
    let body = &mut state(&mut workflow, "First").body;
    let StepKind::Try(inner) = &mut body.steps[0].kind else { panic!("the step is under a handler") };
    let restore = Step { kind: set(document, Expr::Local(late)), span };
    let body_of_catcher = Body { steps: vec![restore], next: body.next.clone() };
    inner.catchers = vec![Catcher { errors: vec![ErrorMatch::Named("Lost".to_owned())], body: body_of_catcher, span }];
    body.steps.insert(0, Step { kind: set(late, text("late")), span });
    workflow
}

#[test]
fn a_wait_keeps_what_the_handler_of_its_time_reads() {
    let workflow = guarded(|document| StepKind::Wait(Wait::Until(caught(Expr::Local(document)))));
    insta::assert_snapshot!(live_after(&after(&workflow, "compute_liveness"), "first"), @r"
    sets {}, live after {d}
    sets {late}, live after {d}
    waits, live after {d, late}
    ");
}

/// Each handler handles the faults of more than one operation, so that it is a block.
#[test]
fn a_handler_carries_what_the_handler_around_it_reads() {
    let mut workflow = guarded(|document| set(document, caught(Expr::Local(document))));
    let fault = local(&mut workflow, "fault", LocalKind::Fault);
    let (document, span) = (workflow.input, workflow.span);
    let StepKind::Try(outer) = &mut state(&mut workflow, "First").body.steps[1].kind else { panic!("it is guarded") };
    let step = || Step { kind: set(document, caught(text("x"))), span };
    let inner = attempt(Label(101), vec![step(), step()], fault);
    outer.body.steps.push(Step { kind: StepKind::Try(Box::new(inner)), span });
    insta::assert_snapshot!(changes(&workflow, "compute_liveness"), @r#"
    - point Entry "entry" () enter first
    - block first()
    + point Entry "entry" (d) enter first
    + block first(d)
        enter "First" d
        late = "late"
        d = test::caught(d) else first_failed
        d = test::caught("x") else first_failed2
        d = test::caught("x") else first_failed2
        goto done
    - block done()
    + block done(d)
        enter "Done" d
        done d
    - block first_failed()
    + block first_failed(late, fault)
        locate fault
        handle fault
        catch Lost
          d = late
          goto done
        otherwise
          raise fault
    - block first_failed2()
    + block first_failed2(late, fault2)
        locate fault2
        handle fault2
        otherwise
          raise fault2 to first_failed
    "#);
}

/// In no text does only the handler of a condition read a local.
#[test]
fn a_choice_carries_what_the_handler_of_its_conditions_reads() {
    let mut workflow = guarded(|document| set(document, text("x")));
    let span = workflow.span;
    let body = &mut state(&mut workflow, "First").body;
    let StepKind::Try(inner) = &mut body.steps[1].kind else { panic!("it is guarded") };
    let arm = |next: &Next| Arm { condition: caught(text("x")), body: Body::to(next.clone()), span, on_error: false };
    let otherwise = Box::new(Body::to(body.next.clone()));
    inner.body = Body::to(Next::Choose { arms: vec![arm(&body.next)], otherwise });
    body.next = Next::Never;
    insta::assert_snapshot!(changes(&workflow, "compute_liveness"), @r#"
    - point Entry "entry" () enter first
    - block first()
    + point Entry "entry" (d) enter first
    + block first(d)
        enter "First" d
        late = "late"
        choose else first_failed
        if test::caught("x")
          goto done
        else
          goto done
    - block done()
    + block done(d)
        enter "Done" d
        done d
    - block first_failed()
    + block first_failed(late, fault)
        locate fault
        handle fault
        catch Lost
          d = late
          goto done
        otherwise
          raise fault
    "#);
}

#[cfg(all(feature = "sm4c", feature = "openapi"))]
#[test]
fn a_handler_needs_what_the_handler_around_it_reads() {
    let workflow = workflow(
        "sm4c",
        r#"
        name: t
        version: "1"
        functions: [{ name: pay, operation: shop.json#pay }]
        states:
          - name: Pay
            start: true
            enterAction:
              type: sequence
              errorHandlers: [{ resultHandler: "${ .failed = true }" }]
              actions:
                - type: invokeFunction
                  functionName: pay
                  waitForCompletion: true
                  errorHandlers: [{ condition: "${ .Message == \"busy\" }" }]
        "#,
    );
    insta::assert_snapshot!(changes(&workflow, "compute_liveness"), @r#"
    - point Entry "entry" () enter entry
    - point Pay "Pay" () resume pay_done
    - block entry()
    + point Entry "entry" (d) enter entry
    + point Pay "Pay" (d) resume pay_done
    + block entry(d)
        d = sm4c::input(d)
        goto pay
    - block pay()
    + block pay(d)
        enter "Pay" d
        invoke task 0 with {} at Pay
    - block pay_failed()
    + block pay_failed(d, fault)
        locate fault
        handle fault
        catch any error
    -     error2 = sm4c::error(fault)
          d = {.failed = true}(d)
    -     result = null
          goto pay_go_on2
        otherwise
          raise fault
    - block pay_go_on2()
    + block pay_go_on2(d)
        done d
    - block pay_failed2()
    + block pay_failed2(d, fault2)
        locate fault2
        handle fault2
        catch any error
          error = sm4c::error(fault2)
          choose else pay_failed
          if {.Message == "busy"}(error)
    -       result2 = null
            goto pay_go_on
          else
            raise fault2 to pay_failed
        otherwise
          raise fault2 to pay_failed
    - block pay_go_on()
    -   result = {"0": result2}
    + block pay_go_on(d)
        goto pay_go_on2
    - block pay_done()
    + block pay_done(d)
        result2 = received else pay_failed2
        goto pay_go_on
    "#);
}
