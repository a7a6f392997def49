//! Tests of handlers, retries, and nested bodies.

use super::*;

#[test]
fn only_an_operation_with_a_catchable_fault_has_the_handler() {
    let workflow = asl("
        StartAt: Pay
        States:
          Pay:
            Type: Task
            Resource: pay
            ResultSelector: { id.$: $.id }
            ResultPath: $.receipt
            Catch: [{ ErrorEquals: [Lost], Next: Done }]
            Next: Done
          Done: { Type: Succeed }
        ");
    insta::assert_snapshot!(lowered(&workflow), @r#"
    the top level, from "Pay"
      Task "Pay" (d)
        try 0
          result = invoke task 0 with d timeout 60 s
          result = {"id": asl::field(result, ["id"], "id.$")}
          d = asl::put(mut d, ["receipt"], result)
        catch [Lost] as fault
          result = fault
          d = result
          goto "Done"
        goto "Done"
      Succeed "Done" (d)
        end d

    entry Entry
    point Entry "entry" () enter entry
    point Pay "Pay" () resume pay_done

    block entry()
      goto pay

    block pay()
      enter "Pay" d
      invoke task 0 with d timeout 60 s at Pay

    block done()
      enter "Done" d
      done d

    block pay_failed()
      locate fault
      handle fault
      catch Lost
        result = fault
        d = result
        goto done
      otherwise
        raise fault

    block pay_done()
      result = received else pay_failed
      result = {"id": asl::field(result, ["id"], "id.$")}
      d = asl::put(mut d, ["receipt"], result) else pay_failed
      goto done
    "#);
}

#[test]
fn the_steps_that_a_retry_repeats_are_a_block() {
    let workflow = asl("
        StartAt: Pay
        States:
          Pay: { Type: Task, Resource: pay, Retry: [{ ErrorEquals: [Busy] }], End: true }
        ");
    insta::assert_snapshot!(lowered(&workflow), @r#"
    the top level, from "Pay"
      Task "Pay" (d)
        try 0 (retries)
          result = invoke task 0 with d timeout 60 s
        retry [Busy] 3 times after 1 s, rate 2
        d = result
        end d

    entry Entry
    point Entry "entry" () enter entry
    point PayRetry "Pay retry" () elapsed pay_try
    point Pay "Pay" () resume pay_done
    retriers PAY_RETRY: 1 of them

    block entry()
      goto pay

    block pay()
      enter "Pay" d
      retries = new retries
      goto pay_try

    block pay_failed()
      locate fault
      handle fault
      retry PAY_RETRY retries at PayRetry
      otherwise
        raise fault

    block pay_try()
      invoke task 0 with d timeout 60 s at Pay

    block pay_done()
      result = received else pay_failed
      d = result
      done d
    "#);
}

#[cfg(feature = "workflow-dsl")]
#[test]
fn the_bodies_of_a_state_are_blocks_and_so_are_its_handlers() {
    let workflow = workflow(
        "workflow-dsl",
        r#"
        id: t
        activities:
          - name: Pay
            type: operation
            retry: { maxAttempts: 3 }
            actions: [{ type: rest, operation: "https://shop.example.com/pay" }]
        "#,
    );
    insta::assert_snapshot!(lowered(&workflow), @r#"
    the top level, from "Pay"
      data = workflow_dsl::input(data)
      operation "Pay" (data)
        try 0
          try 1 (tries)
            activity_data = data
            response = null
            answer = invoke task 0 with {"method": "GET", "url": "https://shop.example.com/pay", "query": {}, "headers": {}}
            response = workflow_dsl::answer(answer)
            activity_data = workflow_dsl::with_result(activity_data, workflow_dsl::member(response, "body"))
          catch [any error] as fault#5
            retry 1 after fault#5 (tries), retry [any error] 3 times after 1 s, rate 2, at most 100 s
            otherwise
              raise fault#5
          data = activity_data
          end data
        catch [any error] as fault
          fail with workflow_dsl::failed("Pay", fault)
        never

    entry Entry
    point Entry "entry" () enter entry
    point PayRetry "Pay retry" () elapsed pay_try
    point Pay "Pay" () resume pay_done
    retriers PAY_RETRY: 1 of them

    block entry()
      data = workflow_dsl::input(data)
      goto pay

    block pay()
      enter "Pay" data
      tries = begin tries
      goto pay_try

    block pay_failed()
      locate fault
      handle fault
      catch any error
        fail with workflow_dsl::failed("Pay", fault)
      otherwise
        raise fault

    block pay_done2()
      fail with null

    block pay_failed2()
      locate fault2
      handle fault2
      catch any error
        handle fault2
        retry PAY_RETRY tries at PayRetry
        otherwise
          raise fault2 to pay_failed
      otherwise
        raise fault2 to pay_failed

    block pay_try()
      activity_data = data
      response = null
      invoke task 0 with {"method": "GET", "url": "https://shop.example.com/pay", "query": {}, "headers": {}} at Pay

    block pay_done()
      answer = received else pay_failed2
      response = workflow_dsl::answer(answer)
      activity_data = workflow_dsl::with_result(activity_data, workflow_dsl::member(response, "body"))
      data = activity_data
      done data
    "#);
}

#[cfg(feature = "workflow-dsl")]
#[test]
fn a_condition_has_the_handler_of_its_catchable_fault() {
    let with = |activity: &str| {
        let workflow = workflow("workflow-dsl", &format!("id: t\nactivities:\n  - {activity}\n{MESSAGES}"));
        let shown = after(&workflow, "lower_machine").to_string();
        let choose = shown.lines().find(|line| line.trim().starts_with("choose")).map(str::trim).map(str::to_owned);
        choose.expect("the state chooses")
    };
    let switch =
        r#"{ name: Large, type: switch, dataConditions: [{ condition: "${ .total > 1 }", end: true }], end: true }"#;
    assert_eq!(with(switch), "choose else large_failed");
    let message = "{ name: Wait, type: message, onMessages: [{ messageRefs: [A] }, { messageRefs: [B] }] }";
    assert_eq!(with(message), "choose");
}

#[cfg(feature = "workflow-dsl")]
const MESSAGES: &str = r#"messages:
  - { name: A, kind: consumed, type: a, messageDataFilter: { input: "${ {a} }" } }
  - { name: B, kind: consumed, type: b }
"#;

/// Returns the operations that number calls, and the calls, in the order of the blocks.
#[cfg(any(feature = "serverless-workflow", feature = "sm4c"))]
fn numbering(workflow: &Workflow) -> String {
    let machine = after(workflow, "merge_blocks").to_string();
    let is_shown = |line: &&str| {
        line.starts_with("block ") || ["begin ", "count ", "invoke ", "race "].iter().any(|word| line.contains(word))
    };
    machine.lines().filter(is_shown).collect::<Vec<_>>().join("\n")
}

/// The members of an action that calls a task.
#[cfg(all(feature = "sm4c", feature = "openapi"))]
const PAY: &str = "type: invokeFunction, functionName: pay, waitForCompletion: true";

/// The member of an action that is retried.
#[cfg(all(feature = "sm4c", feature = "openapi"))]
const RETRIED: &str = "errorHandlers: [{ retryPolicy: again }]";

/// Returns a state machine that does this action.
#[cfg(all(feature = "sm4c", feature = "openapi"))]
fn machine_of(action: &str) -> Workflow {
    workflow(
        "sm4c",
        &format!(
            r#"
            name: t
            version: "1"
            functions: [{{ name: pay, operation: shop.json#pay }}]
            retries: [{{ name: again, maxAttempts: 3 }}]
            states: [{{ name: Pay, start: true, enterAction: {action} }}]
            "#
        ),
    )
}

/// The second call has the same number whether the first one succeeded or not.
#[cfg(all(feature = "sm4c", feature = "openapi"))]
#[test]
fn calls_after_a_skipped_one_are_renumbered_in_a_retried_attempt() {
    let sequence = format!("[{{ {PAY}, errorHandlers: [{{}}] }}, {{ {PAY} }}]");
    let retried = machine_of(&format!("{{ type: sequence, {RETRIED}, actions: {sequence} }}"));
    insta::assert_snapshot!(numbering(&retried), @"
    block entry()
    block pay()
      retries = begin tries
    block pay_failed()
    block pay_try()
      invoke task 0 with {} at Pay
    block pay_failed2()
        count 1 calls since retries
    block pay_go_on()
      invoke task 0 with {} at Pay2
    block pay_done()
    block pay_done2()
    ");
    // Without a retry around it, the call is made once.
    let numbered = numbering(&machine_of(&format!("{{ type: sequence, actions: {sequence} }}")));
    assert!(!numbered.contains("count"), "{numbered}");
}

/// An attempt starts its branches anew, so that their calls are counted from the start of the
/// branch.
#[cfg(all(feature = "sm4c", feature = "openapi"))]
#[test]
fn calls_in_a_branch_of_a_retried_attempt_are_counted_from_its_start() {
    let sequence = format!("[{{ {PAY} }}, {{ {PAY}, errorHandlers: [{{}}] }}, {{ {PAY} }}]");
    let branches = format!("[{{ type: sequence, actions: {sequence} }}]");
    let retried = machine_of(&format!("{{ type: parallel, {RETRIED}, actions: {branches} }}"));
    insta::assert_snapshot!(numbering(&retried), @"
    block entry()
    block pay()
      retries = begin tries
    block pay_failed()
    block pay_try()
    block pay_joined()
    block pay_1()
      invoke task 0 with {} at Pay1
    block pay_1_done3()
      invoke task 0 with {} at Pay1_2
    block pay_1_failed()
        count 2 calls
    block pay_1_go_on()
      invoke task 0 with {} at Pay1_3
    block pay_1_done()
    block pay_1_done2()
    ");
}

/// An event that a handler publishes never has the idempotency key of an earlier call.
#[cfg(feature = "serverless-workflow")]
#[test]
fn handlers_of_a_retried_state_number_their_calls_above_its_own() {
    let state = |members: &str| {
        let text = format!(
            r#"
            id: t
            functions: [{{ name: pay, resource: bank }}]
            states:
              - name: Pay
                type: operation
                start: {{ kind: default }}
                actions: [{{ functionRef: {{ refName: pay }} }}, {{ functionRef: {{ refName: pay }} }}]
                {members}
                transition: {{ nextState: Rest }}
              - {{ name: Rest, type: delay, timeDelay: PT1S, end: {{ kind: default }} }}
            "#
        );
        numbering(&workflow("sw", &text))
    };
    let handler = "onError: [{ expression: \"name eq 'Lost'\", transition: { nextState: Rest } }]";
    let retry = "retry: [{ expression: \"name eq 'Busy'\", interval: PT1S, maxAttempts: 3 }]";
    let retried = state(&format!("{retry}\n                {handler}"));
    assert!(retried.contains("count 2 calls since tries"), "{retried}");
    // Without a retry, no call was made before.
    let once = state(handler);
    assert!(!once.contains("count "), "{once}");
}
