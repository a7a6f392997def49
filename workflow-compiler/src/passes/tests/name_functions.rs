//! Tests of the pass that names functions.

use super::*;

fn names(workflow: &Workflow) -> String {
    listed(workflow, "name_functions", |machine| machine.blocks.iter().map(|block| block.name.clone()).collect())
}

#[test]
fn a_function_is_named_after_its_state_and_its_role() {
    let workflow = asl("
        StartAt: Charge card
        States:
          Charge card: { Type: Task, Resource: pay, Retry: [{ ErrorEquals: [Busy] }], Next: Rest }
          Rest: { Type: Wait, Seconds: 1, Assign: { n: 1 }, Next: Done }
          Done: { Type: Pass, Parameters: { n.$: $n }, End: true }
        ");
    insta::assert_snapshot!(names(&workflow), @r"
    entry
    charge_card
    charge_card_try
    charge_card_done
    charge_card_failed
    rest
    rest_over
    done
    ");
}

#[test]
fn states_of_one_name_in_sibling_branches_have_numbers() {
    let branch = "StartAt: Work, States: { Work: { Type: Task, Resource: pay, End: true } }";
    let workflow = asl(&format!(
        "
        StartAt: Both
        States: {{ Both: {{ Type: Parallel, Branches: [{{ {branch} }}, {{ {branch} }}], End: true }} }}
        "
    ));
    insta::assert_snapshot!(names(&workflow), @r"
    both
    both_joined
    work
    work_done
    work2
    work_done2
    ");
}

/// A `let` of that name would hide the function.
#[test]
fn a_function_does_not_have_the_name_of_a_local() {
    let workflow = asl("
        StartAt: Result
        States: { Result: { Type: Task, Resource: pay, ResultPath: $.receipt, Next: D }, D: { Type: Succeed } }
        ");
    insta::assert_snapshot!(names(&workflow), @r"
    result2
    result_done
    d2
    ");
}

#[cfg(feature = "serverless-workflow")]
#[test]
fn several_blocks_of_one_role_are_named_after_what_they_await() {
    let workflow = workflow(
        "sw",
        "
        id: t
        name: t
        functions: [{ name: ask, resource: ask }, { name: pay, resource: pay }]
        states:
          - name: Order
            type: operation
            start: { kind: default }
            actionMode: sequential
            actions: [{ functionRef: { refName: ask } }, { functionRef: { refName: pay } }, { functionRef: { refName: pay } }]
            end: { kind: default }
        ",
    );
    insta::assert_snapshot!(names(&workflow), @r"
      entry
      order
    - order_done3
    - order_done2
    - order_done
    + order_ask_done
    + order_pay_done
    + order_pay_done2
    ");
}

#[cfg(feature = "serverless-workflow")]
#[test]
fn an_event_a_publication_and_a_child_execution_have_names() {
    let workflow = workflow(
        "sw",
        "
        id: t
        name: t
        events: [{ name: Paid, source: /bank, type: paid }, { name: Sent, source: /shop, type: sent }]
        functions: [{ name: ask, resource: ask }]
        states:
          - name: Order
            type: callback
            start: { kind: default }
            action: { functionRef: { refName: ask } }
            eventRef: Paid
            transition: { nextState: Bill, produceEvent: { eventRef: Sent } }
          - { name: Bill, type: subflow, workflowId: billing, waitForCompletion: true, end: { kind: default } }
        ",
    );
    let machine = after(&workflow, "name_functions");
    let awaited = machine.blocks.iter().filter(|block| !block.label.awaited.is_empty());
    let shown = awaited.map(|block| format!("{}: {} awaited {}", block.name, block.label.state, block.label.awaited));
    insta::assert_snapshot!(shown.collect::<Vec<_>>().join("\n"), @r"
    order_done: Order awaited ask
    order_received: Order awaited Paid
    order_sent: Order awaited sent
    bill_done: Bill awaited billing
    ");
}
