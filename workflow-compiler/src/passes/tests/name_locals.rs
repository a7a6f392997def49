//! Tests of the pass that names locals.

use super::*;

#[test]
fn numbers_distinguish_locals_of_one_name_in_one_function() {
    let workflow = asl("
        StartAt: Order
        States:
          Order: { Type: Pass, Assign: { userId: 1, user_id: 2 }, Next: Left }
          Left: { Type: Pass, Parameters: { id.$: $userId }, ResultPath: $.left, Next: Right }
          Right: { Type: Pass, Parameters: { id.$: $user_id }, ResultPath: $.right, End: true }
        ");
    insta::assert_snapshot!(changes(&workflow, "name_locals"), @r#"
    - block right(d, user_id2)
    + block right(d, user_id)
        enter "Right" d
    -   d = asl::put(mut d, ["right"], {"id": asl::variable(user_id2, "user_id")})
    +   d = asl::put(mut d, ["right"], {"id": asl::variable(user_id, "user_id")})
        done d
    "#);
}

#[test]
fn a_name_that_generated_code_uses_has_a_number() {
    let workflow = asl("
        StartAt: Order
        States:
          Order: { Type: Pass, Assign: { turn: 1 }, Next: Rest }
          Rest: { Type: Wait, Seconds: 1, Next: Last }
          Last: { Type: Pass, Parameters: { turn.$: $turn }, End: true }
        ");
    insta::assert_snapshot!(changes(&workflow, "name_locals"), @r#"
    - point Rest "Rest" (d, turn) elapsed last
    + point Rest "Rest" (d, turn2) elapsed last
      block order(d)
        enter "Order" d
    -   assign turn = 1
    +   assign turn2 = 1
        goto rest
    - block rest(d, turn)
    + block rest(d, turn2)
        enter "Rest" d
        wait 1 s at Rest
    - block last(d, turn)
    + block last(d, turn2)
        enter "Last" d
    -   done {"turn": asl::variable(turn, "turn")}
    +   done {"turn": asl::variable(turn2, "turn")}
    "#);
}

#[test]
fn an_unused_result_has_no_name() {
    let workflow = asl("
        StartAt: Pay
        States: { Pay: { Type: Task, Resource: pay, ResultPath: null, End: true } }
        ");
    insta::assert_snapshot!(changes(&workflow, "name_locals"), @r"
      block pay_done(d)
    -   result = received
    +   _ = received
        done d
    ");
}

#[test]
fn a_result_that_is_read_has_its_name() {
    let workflow = asl("
        StartAt: Pay
        States: { Pay: { Type: Task, Resource: pay, ResultPath: $.receipt, End: true } }
        ");
    assert_eq!(changes(&workflow, "name_locals"), "");
}

#[cfg(feature = "workflow-dsl")]
#[test]
fn every_fault_is_called_fault() {
    let workflow = workflow(
        "workflow-dsl",
        r#"
        id: t
        activities:
          - name: Pay
            type: operation
            actions: [{ type: rest, operation: "https://shop.example.com/pay" }]
          - name: Log
            type: operation
            actions: [{ type: rest, operation: "https://shop.example.com/log" }]
        "#,
    );
    insta::assert_snapshot!(changes(&workflow, "name_locals"), @r#"
      block log_done(data)
    -   answer2 = received else log_failed
    -   response2 = workflow_dsl::answer(answer2)
    -   done workflow_dsl::with_result(data, workflow_dsl::member(response2, "body"))
    - block log_failed(fault2)
    -   locate fault2
    -   handle fault2
    +   answer = received else log_failed
    +   response = workflow_dsl::answer(answer)
    +   done workflow_dsl::with_result(data, workflow_dsl::member(response, "body"))
    + block log_failed(fault)
    +   locate fault
    +   handle fault
        catch any error
    -     fail with workflow_dsl::failed("Log", fault2)
    +     fail with workflow_dsl::failed("Log", fault)
        otherwise
    -     raise fault2
    +     raise fault
    "#);
}
