//! Tests of the pass that sorts blocks.

use super::*;

fn order(workflow: &Workflow) -> String {
    listed(workflow, "sort_blocks", |machine| machine.blocks.iter().map(|block| block.name.clone()).collect())
}

#[test]
fn blocks_follow_the_definition() {
    let workflow = asl("
        StartAt: Last
        States:
          First: { Type: Task, Resource: pay, Catch: [{ ErrorEquals: [Lost], Next: Second }], Next: Second }
          Second: { Type: Succeed }
          Last: { Type: Wait, Seconds: 1, Assign: { n: 1 }, Next: First }
        ");
    insta::assert_snapshot!(order(&workflow), @r"
      entry
      first
    + first_done
    + first_failed
      second
      last
    - first_failed
    - first_done
      last_over
    ");
}

#[test]
fn an_inner_scope_follows_the_scopes_around_it() {
    let workflow = asl("
        StartAt: All
        States:
          All:
            Type: Map
            ItemProcessor:
              StartAt: Ask
              States:
                Ask: { Type: Task, Resource: ask, Next: Each }
                Each:
                  Type: Map
                  ItemProcessor: { StartAt: One, States: { One: { Type: Task, Resource: one, End: true } } }
                  End: true
            Next: Pay
          Pay: { Type: Task, Resource: pay, End: true }
        ");
    insta::assert_snapshot!(order(&workflow), @r"
    - all_entry_ask
    - each_entry_one
      all
    - pay
      all_joined
    + pay
      pay_done
    + all_entry_ask
      ask
    - each
      ask_done
    + each
      each_joined
    + each_entry_one
      one
      one_done
    ");
}

#[cfg(feature = "serverless-workflow")]
#[test]
fn the_blocks_of_a_state_follow_its_control_flow_and_handlers_come_last() {
    let workflow = workflow(
        "sw",
        "
        id: t
        name: t
        functions: [{ name: ask, resource: ask }, { name: pay, resource: pay }, { name: log, resource: log }]
        states:
          - name: Pay
            type: operation
            start: { kind: default }
            actionMode: sequential
            actions: [{ functionRef: { refName: ask } }, { functionRef: { refName: pay } }, { functionRef: { refName: log } }]
            retry: [{ expression: \"name eq 'Busy'\", maxAttempts: 2 }]
            onError: [{ expression: \"name eq 'Lost'\", transition: { nextState: Done } }]
            transition: { nextState: Done }
          - { name: Done, type: inject, data: {}, end: { kind: default } }
        ",
    );
    insta::assert_snapshot!(order(&workflow), @"
      entry
      pay
    - done
    - pay_handle
    - pay_failed
      pay_try
      pay_done3
      pay_done2
      pay_done
    + pay_failed
    + pay_handle
    + done
    ");
}

#[test]
fn blocks_in_order_stay() {
    let workflow = asl("
        StartAt: First
        States: { First: { Type: Pass, Next: Second }, Second: { Type: Succeed } }
        ");
    insta::assert_snapshot!(order(&workflow), @r"
    first
    second
    ");
}
