//! Tests of the pass that merges blocks into their only predecessors.

use super::*;

#[test]
fn a_block_with_one_predecessor_joins_it() {
    let mut workflow = asl("
        StartAt: First
        States:
          First: { Type: Pass, Result: { one: 1 }, Next: Second }
          Second: { Type: Pass, ResultPath: $.two, Result: 2, Next: Third }
          Third: { Type: Pass, ResultPath: $.three, Result: 3, End: true }
        ");
    make_synthetic(&mut workflow, &["Second", "Third"]);
    insta::assert_snapshot!(changes(&workflow, "merge_blocks"), @r#"
      block first()
        enter "First" d
        d = {"one":1}
    -   goto second
    - block second()
        result = 2
        d = asl::put(mut d, ["two"], result)
    -   goto third
    - block third()
        result = 3
        d = asl::put(mut d, ["three"], result)
        done d
    "#);
}

#[test]
fn a_block_joins_the_arm_that_leads_to_it() {
    let mut workflow = asl("
        StartAt: Large
        States:
          Large:
            Type: Choice
            Choices: [{ Variable: $.total, NumericGreaterThan: 100, Next: Refuse }]
            Default: Accept
          Refuse: { Type: Fail, Error: Large }
          Accept: { Type: Pass, Result: 1, End: true }
        ");
    make_synthetic(&mut workflow, &["Refuse", "Accept"]);
    insta::assert_snapshot!(changes(&workflow, "merge_blocks"), @r#"
      block large()
        enter "Large" d
        choose
        if asl::numeric_greater_than(asl::subject(d, ["total"]), 100)
    -     goto refuse
    +     fail "Large" because none
        else
    -     goto accept
    - block refuse()
    -   fail "Large" because none
    - block accept()
    -   d = 1
    -   done d
    +     d = 1
    +     done d
    "#);
}

#[test]
fn a_block_with_two_predecessors_stays() {
    let mut workflow = asl("
        StartAt: Large
        States:
          Large:
            Type: Choice
            Choices: [{ Variable: $.total, NumericGreaterThan: 100, Next: Both }]
            Default: Both
          Both: { Type: Pass, Result: 1, End: true }
        ");
    make_synthetic(&mut workflow, &["Both"]);
    assert_eq!(changes(&workflow, "merge_blocks"), "");
}

#[test]
fn the_first_block_of_a_state_stays() {
    let workflow = asl("
        StartAt: First
        States:
          First: { Type: Pass, Result: 1, Next: Second }
          Second: { Type: Succeed }
        ");
    assert_eq!(changes(&workflow, "merge_blocks"), "");
}

#[test]
fn a_retried_block_stays() {
    let workflow = asl("
        StartAt: Pay
        States:
          Pay: { Type: Task, Resource: pay, Retry: [{ ErrorEquals: [Busy] }], End: true }
        ");
    assert_eq!(changes(&workflow, "merge_blocks"), "");
    assert!(after(&workflow, "merge_blocks").to_string().contains("goto pay_try\n"));
}

#[test]
fn the_handler_of_a_result_stays() {
    let mut workflow = asl("
        StartAt: Pay
        States:
          Pay: { Type: Task, Resource: pay, Catch: [{ ErrorEquals: [Lost], Next: Mend }], End: true }
          Mend: { Type: Pass, Result: 1, End: true }
        ");
    make_synthetic(&mut workflow, &["Mend"]);
    insta::assert_snapshot!(changes(&workflow, "merge_blocks"), @r"
    - block mend()
    -   d = 1
    -   done d
      block pay_failed()
        locate fault
        handle fault
        catch Lost
          result = fault
          d = result
    -     goto mend
    +     d = 1
    +     done d
        otherwise
          raise fault
    ");
}

#[cfg(feature = "workflow-dsl")]
#[test]
fn the_handler_of_one_value_joins_its_operation() {
    let workflow = workflow(
        "workflow-dsl",
        r#"
        id: t
        activities:
          - { name: Pay, type: operation, actions: [], activityDataFilter: { output: "${ {receipt} }" } }
        "#,
    );
    insta::assert_snapshot!(changes(&workflow, "merge_blocks"), @r#"
      block pay()
        enter "Pay" data
        activity_data = data
        response = null
    -   output = workflow_dsl::merged(activity_data, ["receipt"]) else pay_failed
    +   output = workflow_dsl::merged(activity_data, ["receipt"]) else
    +     locate fault
    +     handle fault
    +     catch any error
    +       fail with workflow_dsl::failed("Pay", fault)
    +     otherwise
    +       raise fault
        data = workflow_dsl::merge(data, output)
        done data
    - block pay_failed()
    -   locate fault
    -   handle fault
    -   catch any error
    -     fail with workflow_dsl::failed("Pay", fault)
    -   otherwise
    -     raise fault
    "#);
}

#[cfg(feature = "workflow-dsl")]
#[test]
fn the_handler_of_two_operations_stays() {
    let workflow = workflow(
        "workflow-dsl",
        r#"
        id: t
        activities:
          - name: Pay
            type: operation
            actions: []
            activityDataFilter: { input: "${ {order} }", output: "${ {receipt} }" }
        "#,
    );
    let machine = after(&workflow, "merge_blocks").to_string();
    assert_eq!(machine.matches("else pay_failed\n").count(), 2, "{machine}");
}

/// Returns the blocks of a task that is followed by choices after the pass. Each choice leads to
/// the next one.
fn nested(task: &str) -> String {
    let states = (0..8).map(|at| {
        format!(
            "
          C{at}:
            Type: Choice
            Choices: [{{ Variable: $.c{at}, BooleanEquals: true, Next: Done }}]
            Default: {}",
            if at == 7 { "Done".to_owned() } else { format!("C{}", at + 1) }
        )
    });
    let text = format!(
        "
        StartAt: Pay
        States:
          Pay: {{ {task} }}{}
          Done: {{ Type: Succeed }}
        ",
        states.collect::<String>()
    );
    let mut workflow = asl(&text);
    make_synthetic(&mut workflow, &["C0", "C1", "C2", "C3", "C4", "C5", "C6", "C7"]);
    let machine = after(&workflow, "merge_blocks").to_string();
    let (_, blocks) = machine.split_once("\n\n").expect("there are blocks");
    blocks.to_owned()
}

/// The names of the blocks that are left.
fn left(blocks: &str) -> Vec<&str> {
    blocks.lines().filter_map(|line| line.strip_prefix("block ")?.strip_suffix("()")).collect()
}

/// A catcher is a condition too.
#[test]
fn a_deep_block_in_a_catcher_stays() {
    let blocks =
        nested("Type: Task, Resource: pay, Catch: [{ ErrorEquals: [Lost], ResultPath: $.lost, Next: C0 }], End: true");
    assert_eq!(left(&blocks), ["pay", "c4", "done", "pay_failed", "pay_done"], "{blocks}");
}

/// Code in five conditions is the deepest.
#[test]
fn a_deep_block_stays() {
    let blocks = nested("Type: Pass, Next: C0");
    insta::assert_snapshot!(blocks, @r#"
    block pay()
      enter "Pay" d
      choose
      if asl::boolean_equals(asl::subject(d, ["c0"]), true)
        goto done
      else
        choose
        if asl::boolean_equals(asl::subject(d, ["c1"]), true)
          goto done
        else
          choose
          if asl::boolean_equals(asl::subject(d, ["c2"]), true)
            goto done
          else
            choose
            if asl::boolean_equals(asl::subject(d, ["c3"]), true)
              goto done
            else
              choose
              if asl::boolean_equals(asl::subject(d, ["c4"]), true)
                goto done
              else
                goto c5

    block c5()
      choose
      if asl::boolean_equals(asl::subject(d, ["c5"]), true)
        goto done
      else
        choose
        if asl::boolean_equals(asl::subject(d, ["c6"]), true)
          goto done
        else
          choose
          if asl::boolean_equals(asl::subject(d, ["c7"]), true)
            goto done
          else
            goto done

    block done()
      enter "Done" d
      done d
    "#);
}

#[cfg(feature = "workflow-dsl")]
#[test]
fn a_handler_that_two_handlers_pass_faults_on_to_stays() {
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
    // The retried attempt can fail at the call, and its retrier can be exhausted.
    let machine = after(&workflow, "merge_blocks").to_string();
    assert_eq!(machine.matches("raise fault2 to pay_failed").count(), 2, "{machine}");
}

#[cfg(all(feature = "sm4c", feature = "openapi"))]
#[test]
fn the_handler_of_a_handler_joins_it() {
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
              errorHandlers: [{}]
              actions: [{ type: invokeFunction, functionName: pay, waitForCompletion: true, errorHandlers: [{}] }]
        "#,
    );
    insta::assert_snapshot!(changes(&workflow, "merge_blocks"), @"
    - block pay_failed()
    -   locate fault
    -   handle fault
    -   catch any error
    -     error2 = sm4c::error(fault)
    -     result = null
    -     goto pay_go_on2
    -   otherwise
    -     raise fault
      block pay_failed2()
        locate fault2
        handle fault2
        catch any error
          error = sm4c::error(fault2)
          result2 = null
          goto pay_go_on
        otherwise
    -     raise fault2 to pay_failed
    +     fault = fault2
    +     locate fault
    +     handle fault
    +     catch any error
    +       error2 = sm4c::error(fault)
    +       result = null
    +       goto pay_go_on2
    +     otherwise
    +       raise fault
    ");
}

/// The code after the last catcher is no deeper than the handler.
#[cfg(all(feature = "sm4c", feature = "openapi"))]
#[test]
fn many_handlers_join_one() {
    let call = "{ type: invokeFunction, functionName: pay, waitForCompletion: true, errorHandlers: [{}] }";
    let nest = |inner: String, _| format!("{{ type: sequence, errorHandlers: [{{}}], actions: [{inner}] }}");
    let action = (0..8).fold(call.to_owned(), nest);
    let workflow = workflow(
        "sm4c",
        &format!(
            r#"
            name: t
            version: "1"
            functions: [{{ name: pay, operation: shop.json#pay }}]
            states: [{{ name: Pay, start: true, enterAction: {action} }}]
            "#
        ),
    );
    let machine = after(&workflow, "merge_blocks").to_string();
    assert_eq!(machine.lines().filter(|line| line.starts_with("block pay_failed")).count(), 1, "{machine}");
    assert_eq!(machine.matches("  locate fault").count(), 9, "{machine}");
}
