//! Tests of the pass that cuts states into blocks.

mod deadlines;
mod handlers;
mod scopes;

use super::*;

/// Returns the printed states of a workflow, and the machine to which the pass lowers them.
fn lowered(workflow: &Workflow) -> String {
    let shown = workflow.to_string();
    let (_, scopes) = shown.split_once("\n\n").expect("a workflow has states");
    format!("{scopes}\n{}", after(workflow, "lower_machine"))
}

#[test]
fn a_state_is_cut_where_it_waits() {
    let workflow = asl("
        StartAt: Pay
        States:
          Pay: { Type: Task, Resource: pay, ResultPath: $.receipt, Next: Rest }
          Rest: { Type: Wait, Seconds: 5, End: true }
        ");
    insta::assert_snapshot!(lowered(&workflow), @r#"
    the top level, from "Pay"
      Task "Pay" (d)
        result = invoke task 0 with d timeout 60 s
        d = asl::put(mut d, ["receipt"], result)
        goto "Rest"
      Wait "Rest" (d)
        wait 5 s
        end d

    entry Entry
    point Entry "entry" () enter entry
    point Pay "Pay" () resume pay_done
    point Rest "Rest" () elapsed rest_over

    block entry()
      goto pay

    block pay()
      enter "Pay" d
      invoke task 0 with d timeout 60 s at Pay

    block rest()
      enter "Rest" d
      wait 5 s at Rest

    block pay_done()
      result = received
      d = asl::put(mut d, ["receipt"], result)
      goto rest

    block rest_over()
      done d
    "#);
}

#[test]
fn a_state_that_does_not_wait_is_one_block() {
    let workflow = asl("
        StartAt: Large
        States:
          Large:
            Type: Choice
            Choices: [{ Variable: $.total, NumericGreaterThan: 100, Next: Refuse }]
            Default: Accept
          Refuse: { Type: Fail, Error: Large }
          Accept: { Type: Pass, Result: yes, End: true }
        ");
    insta::assert_snapshot!(lowered(&workflow), @r#"
    the top level, from "Large"
      Choice "Large" (d)
        choose
        if asl::numeric_greater_than(asl::subject(d, ["total"]), 100)
          goto "Refuse"
        otherwise
          goto "Accept"
      Fail "Refuse" (d)
        fail "Large" because none
      Pass "Accept" (d)
        d = "yes"
        end d

    entry Entry
    point Entry "entry" () enter entry

    block entry()
      goto large

    block large()
      enter "Large" d
      choose
      if asl::numeric_greater_than(asl::subject(d, ["total"]), 100)
        goto refuse
      else
        goto accept

    block refuse()
      enter "Refuse" d
      fail "Large" because none

    block accept()
      enter "Accept" d
      d = "yes"
      done d
    "#);
}

#[test]
fn observers_are_not_notified_of_synthetic_states() {
    let mut workflow = asl("
        StartAt: First
        States:
          First: { Type: Pass, Result: 1, Next: Last }
          Last: { Type: Succeed }
        ");
    let notified = |workflow: &Workflow| after(workflow, "lower_machine").to_string().contains("enter \"First\"");
    assert!(notified(&workflow));
    make_synthetic(&mut workflow, &["First"]);
    assert!(!notified(&workflow));
}

#[cfg(feature = "serverless-workflow")]
#[test]
fn races_calls_and_events_are_waits() {
    let workflow = workflow(
        "sw",
        "
        id: t
        name: t
        events: [{ name: Paid, source: /bank, type: paid }, { name: Sent, source: /shop, type: sent }]
        functions: [{ name: ask, resource: ask }]
        states:
          - name: First
            type: parallel
            start: { kind: default }
            completionType: n_of_m
            n: 1
            branches:
              - name: near
                states: [{ name: Near, type: inject, data: {}, start: { kind: default }, end: { kind: default } }]
              - name: far
                states: [{ name: Far, type: inject, data: {}, start: { kind: default }, end: { kind: terminate } }]
            transition: { nextState: Bill }
          - { name: Bill, type: subflow, workflowId: bill, waitForCompletion: true, transition: { nextState: Store } }
          - { name: Store, type: subflow, workflowId: store, waitForCompletion: false, transition: { nextState: Ask } }
          - name: Ask
            type: callback
            action: { functionRef: { refName: ask } }
            eventRef: Paid
            end: { kind: event, produceEvent: { eventRef: Sent } }
        ",
    );
    let machine = after(&workflow, "lower_machine").to_string();
    let waits = machine.lines().filter(|line| line.contains(" at ") || line.contains("terminate"));
    insta::assert_snapshot!(waits.map(str::trim).collect::<Vec<_>>().join("\n"), @r#"
    fork 1 of 2 at First
    call workflow "bill" with data at Bill
    start workflow "store" with data at Store
    invoke task 0 with data at Ask
    receive [0] at Ask2
    publish "sent": data at Ask3
    terminate data3
    "#);
}

#[test]
fn resume_points_of_one_name_are_numbered() {
    let workflow = asl("
        StartAt: Both
        States:
          Both:
            Type: Parallel
            Branches:
              - { StartAt: Rest, States: { Rest: { Type: Wait, Seconds: 1, End: true } } }
              - { StartAt: Rest, States: { Rest: { Type: Wait, Seconds: 2, End: true } } }
            End: true
        ");
    let machine = after(&workflow, "lower_machine");
    let rests =
        machine.points.iter().filter(|point| point.origin.as_ref().is_some_and(|origin| origin.state == "Rest"));
    let shown = rests.map(|point| {
        let within = point.origin.as_ref().map(|origin| origin.within.join("/")).unwrap_or_default();
        (point.name.as_str(), point.tag.as_str(), point.among, within)
    });
    let both = || "Both".to_owned();
    assert_eq!(shown.collect::<Vec<_>>(), [("Rest", "Rest", (1, 2), both()), ("Rest2", "Rest #2", (2, 2), both())]);
}

#[test]
fn the_first_block_of_a_state_has_the_comment_of_its_author() {
    let workflow = asl("
        StartAt: Pay
        States: { Pay: { Type: Task, Comment: Pays., Resource: pay, End: true } }
        ");
    let machine = after(&workflow, "lower_machine");
    let docs: Vec<(&str, &str)> = machine.blocks.iter().map(|block| (&*block.name, &*block.doc)).collect();
    let done = "Continues with the result of the task.";
    assert_eq!(docs, [("entry", "The start of the top level."), ("pay", "Pays."), ("pay_done", done)]);
}

#[test]
fn a_machine_that_reads_the_context_object_says_so() {
    for (path, reads) in [("$$.State.Name", true), ("$.name", false)] {
        let workflow = asl(&format!(
            "
            StartAt: Name
            States: {{ Name: {{ Type: Pass, Parameters: {{ name.$: {path} }}, End: true }} }}
            "
        ));
        assert_eq!(after(&workflow, "lower_machine").context, reads, "{path}");
    }
}
