//! Tests of the pass that skips blocks that only jump.

use super::*;

#[test]
fn a_resume_point_skips_a_block_that_only_jumps() {
    let workflow = asl("
        StartAt: Rest
        States:
          Rest: { Type: Wait, Seconds: 1, Next: Pay }
          Pay: { Type: Task, Resource: pay, End: true }
        ");
    insta::assert_snapshot!(changes(&workflow, "thread_jumps"), @r#"
    - point Entry "entry" () enter entry
    - point Rest "Rest" () elapsed rest_over
    + point Entry "entry" () enter rest
    + point Rest "Rest" () elapsed pay
    - block entry()
    -   goto rest
    - block rest_over()
    -   goto pay
    "#);
}

/// Synthetic states without steps only jump.
#[test]
fn a_transition_skips_blocks_that_only_jump() {
    let mut workflow = asl("
        StartAt: Large
        States:
          Large:
            Type: Choice
            Choices: [{ Variable: $.total, NumericGreaterThan: 100, Next: First }]
            Default: Done
          First: { Type: Pass, Next: Second }
          Second: { Type: Pass, Next: Done }
          Done: { Type: Succeed }
        ");
    make_synthetic(&mut workflow, &["First", "Second"]);
    insta::assert_snapshot!(changes(&workflow, "thread_jumps"), @r#"
    - point Entry "entry" () enter entry
    - block entry()
    -   goto large
    + point Entry "entry" () enter large
      block large()
        enter "Large" d
        choose
        if asl::numeric_greater_than(asl::subject(d, ["total"]), 100)
    -     goto first
    +     goto done
        else
          goto done
    - block first()
    -   goto second
    - block second()
    -   goto done
    "#);
}

#[test]
fn a_block_with_an_operation_stays() {
    let mut workflow = asl("
        StartAt: First
        States:
          First: { Type: Pass, Next: Second }
          Second: { Type: Pass, Result: 1, Next: Done }
          Done: { Type: Succeed }
        ");
    make_synthetic(&mut workflow, &["First", "Second"]);
    insta::assert_snapshot!(changes(&workflow, "thread_jumps"), @r#"
    - point Entry "entry" () enter entry
    - block entry()
    -   goto first
    - block first()
    -   goto second
    + point Entry "entry" () enter second
    "#);
}

#[test]
fn a_cycle_of_jumps_stays() {
    let mut workflow = asl("
        StartAt: Large
        States:
          Large:
            Type: Choice
            Choices: [{ Variable: $.total, NumericGreaterThan: 100, Next: First }]
            Default: Done
          First: { Type: Pass, Next: Second }
          Second: { Type: Pass, Next: First }
          Done: { Type: Succeed }
        ");
    make_synthetic(&mut workflow, &["First", "Second"]);
    insta::assert_snapshot!(changes(&workflow, "thread_jumps"), @r#"
    - point Entry "entry" () enter entry
    - block entry()
    -   goto large
    + point Entry "entry" () enter large
    "#);
}

#[test]
fn a_block_that_receives_a_result_stays() {
    let workflow = asl("
        StartAt: Pay
        States:
          Pay: { Type: Task, Resource: pay, ResultPath: null, Next: Done }
          Done: { Type: Succeed }
        ");
    assert!(
        after(&workflow, "thread_jumps").to_string().contains("block pay_done()\n  result = received\n  goto done\n")
    );
}
