//! Tests of deadlines: what each bounds, and the faults of those that pass.

#![cfg(any(feature = "serverless-workflow", feature = "sm4c", feature = "workflow-dsl"))]

use super::*;

/// Returns the commands and the operations that concern time in a machine, with the blocks that
/// they are in.
fn timed(workflow: &Workflow) -> String {
    let machine = after(workflow, "lower_machine").to_string();
    let is_shown = |line: &&str| {
        ["block ", "goto ", "choose"].iter().any(|start| line.trim_start().starts_with(start))
            || [" at ", "deadline::", "is_null"].iter().any(|part| line.contains(part))
    };
    machine.lines().filter(is_shown).collect::<Vec<_>>().join("\n")
}

#[cfg(feature = "workflow-dsl")]
#[test]
fn a_deadline_bounds_all_that_its_body_waits_for() {
    let workflow = workflow(
        "workflow-dsl",
        "
        id: t
        messages: [{ name: Sent, kind: produced, type: sent }]
        activities:
          - name: Pay
            type: operation
            timeout: { startToClose: 10 }
            actions:
              - { type: rest, operation: 'https://a.example', sleep: { after: PT1S } }
              - { type: produceMessage, messageRef: Sent }
          - { name: Ship, type: subFlow, workflowId: ship, timeout: { scheduleToClose: 60 } }
        ",
    );
    insta::assert_snapshot!(lowered(&workflow), @r#"
    the top level, from "Pay"
      data = workflow_dsl::input(data)
      operation "Pay" (data)
        try 0
          deadline 1 of 10 s (close_of_try), then fault "the activity timed out: `startToClose` is 10 s"
            response = null
            answer = invoke task 0 with {"method": "GET", "url": "https://a.example", "query": {}, "headers": {}}
            response = workflow_dsl::answer(answer)
            data = workflow_dsl::with_result(data, workflow_dsl::member(response, "body"))
            wait 1 s
            published = publish "sent" from None about Some("Sent") []: data
          goto "Ship"
        catch [any error] as fault
          fail with workflow_dsl::failed("Pay", fault)
        never
      subFlow "Ship" (data)
        try 0
          deadline 1 of 60 s (close), then fault "the activity timed out: `scheduleToClose` is 60 s"
            response#8 = null
            result = call "ship" with data
            data = workflow_dsl::with_result(data, result)
          end data
        catch [any error] as fault#6
          fail with workflow_dsl::failed("Ship", fault#6)
        never

    entry Entry
    point Entry "entry" () enter entry
    point Pay "Pay" () resume pay_done
    point Pay2 "Pay #2" () elapsed pay_over
    point Pay3 "Pay #3" () resume pay_sent
    point Ship "Ship" () resume ship_done

    block entry()
      data = workflow_dsl::input(data)
      goto pay

    block pay()
      enter "Pay" data
      close_of_try = deadline::in_seconds(10.0)
      response = null
      invoke task 0 with {"method": "GET", "url": "https://a.example", "query": {}, "headers": {}} timeout deadline::remaining(close_of_try) at Pay

    block ship()
      enter "Ship" data
      close = deadline::in_seconds(60.0)
      response2 = null
      call workflow "ship" with data timeout deadline::remaining(close) at Ship

    block pay_failed()
      locate fault
      handle fault
      catch any error
        fail with workflow_dsl::failed("Pay", fault)
      otherwise
        raise fault

    block pay_done2()
      fail with null

    block pay_done()
      answer = received else pay_failed
      response = workflow_dsl::answer(answer)
      data = workflow_dsl::with_result(data, workflow_dsl::member(response, "body"))
      wait until deadline::earlier(deadline::in_seconds(1.0), close_of_try) at Pay2

    block pay_over()
      close_of_try = deadline::in_time(close_of_try, "the activity timed out: `startToClose` is 10 s") else pay_failed
      publish "sent": data at Pay3

    block pay_sent()
      published = received else pay_failed
      close_of_try = deadline::in_time(close_of_try, "the activity timed out: `startToClose` is 10 s") else pay_failed
      goto ship

    block ship_failed()
      locate fault2
      handle fault2
      catch any error
        fail with workflow_dsl::failed("Ship", fault2)
      otherwise
        raise fault2

    block ship_done2()
      fail with null

    block ship_done()
      result = received else ship_failed
      data = workflow_dsl::with_result(data, result)
      done data
    "#);
}

#[cfg(feature = "workflow-dsl")]
#[test]
fn a_deadline_passes_no_later_than_the_one_around_it() {
    let workflow = workflow(
        "workflow-dsl",
        "
        id: t
        messages: [{ name: Paid, kind: consumed, type: paid }]
        activities:
          - name: Pay
            type: message
            timeout: { scheduleToStart: 5, startToClose: 10, scheduleToClose: 30 }
            retry: { maxAttempts: 1 }
            onMessages: { messageRefs: Paid, actions: [{ type: rest, operation: 'https://a.example' }] }
        ",
    );
    insta::assert_snapshot!(timed(&workflow), @r#"
    block entry()
      goto pay
    block pay()
      close = deadline::in_seconds(30.0)
      start = deadline::earlier(deadline::in_seconds(5.0), close)
      receive [0] until start at Pay
    block pay_failed()
    block pay_done2()
    block pay_received()
      event = deadline::received(event, "the activity timed out: `scheduleToStart` is 5 s, `scheduleToClose` is 30 s") else pay_failed
      goto pay_try
    block pay_failed2()
        choose
          goto pay_case
    block pay_try()
      close_of_try = deadline::earlier(deadline::in_seconds(10.0), close)
      invoke task 0 with {"method": "GET", "url": "https://a.example", "query": {}, "headers": {}} timeout deadline::remaining(close_of_try) at Pay2
    block pay_case()
      retry PAY_RETRY tries at PayRetry
    block pay_done()
    "#);
}

#[cfg(feature = "serverless-workflow")]
#[test]
fn a_deadline_of_events_yields_null() {
    let workflow = workflow(
        "sw",
        "
        id: t
        name: t
        events: [{ name: Paid, source: /bank, type: paid }, { name: Sent, source: /shop, type: sent }]
        states:
          - { name: First, type: inject, data: {}, start: { kind: default }, transition: { nextState: All } }
          - name: All
            type: event
            exclusive: false
            eventsActions: [{ eventRefs: [Paid, Sent] }]
            timeout: PT1M
            end: { kind: default }
        ",
    );
    insta::assert_snapshot!(timed(&workflow), @"
    block entry()
      goto first
    block first()
      goto all
    block all()
      until = deadline::in_seconds(60.0)
      goto all_collect
    block all_collected()
      choose
        goto all_case
        goto all_done
    block all_collect()
      receive [0, 1] after set until until at All
    block all_received()
      choose
      if serverless_workflow::is_null(event)
        goto all_collected
        goto all_got
    block all_got()
      choose
        goto all_collected
        goto all_collect
    block all_done()
    block all_case()
      goto all_done
    ");
}

/// The action of a transition is in the body of the deadline, and has all the time that it needs.
#[cfg(all(feature = "sm4c", feature = "openapi"))]
#[test]
fn a_deadline_of_events_does_not_bound_a_task() {
    let workflow = workflow(
        "sm4c",
        r#"
        name: t
        version: "1"
        functions: [{ name: pay, operation: shop.json#pay }]
        events: [{ name: Paid, kind: consumed, source: /bank, type: paid }]
        states:
          - name: Wait
            start: true
            transitions:
              - { timeout: PT1M, nextState: Done }
              - eventGroups: [{ events: [Paid] }]
                action: { type: invokeFunction, functionName: pay, waitForCompletion: true }
                nextState: Done
          - { name: Done }
        "#,
    );
    insta::assert_snapshot!(timed(&workflow), @r#"
    block entry()
      goto wait
    block wait()
      until = deadline::in_seconds(60.0)
      goto wait_listen
    block done()
    block wait_leave()
    block wait_follow()
      goto done
    block wait_listen()
      receive [0] until until at Wait
    block wait_received()
      choose
      if sm4c::is_null(event)
        goto wait_follow
        goto wait_hear
    block wait_hear()
      choose
      if (sm4c::is_null(sm4c::seen(seen, 0)) and sm4c::is_event(event, ["0"]))
        goto wait_case
        goto wait_heard
    block wait_heard()
      choose
      if (not sm4c::is_null(sm4c::seen(seen, 0)))
        goto wait_case2
        goto wait_listen
    block wait_case()
      goto wait_heard
    block wait_case2()
      invoke task 0 with {} at Wait2
    block wait_done()
      goto done
    "#);
}
