//! Tests of the pass that drops unreachable blocks.

use super::*;
use crate::passes::drop_unreachable::drop_unreachable;

/// Returns the changes of the pass to the machine that `lower_machine` makes.
fn dropped(workflow: &Workflow) -> String {
    let before = after(workflow, "lower_machine");
    let mut after = before.clone();
    drop_unreachable(&mut after);
    difference(&before.to_string(), &after.to_string())
}

#[test]
fn states_that_nothing_leads_to_are_dropped() {
    let workflow = asl("
        StartAt: First
        States:
          Lost: { Type: Pass, Next: Again }
          First: { Type: Pass, Next: Last }
          Again: { Type: Pass, Next: Lost }
          Last: { Type: Succeed }
        ");
    insta::assert_snapshot!(dropped(&workflow), @r#"
    - block lost()
    -   enter "Lost" d
    -   goto again
    - block again()
    -   enter "Again" d
    -   goto lost
    "#);
    let mut machine = after(&workflow, "lower_machine");
    drop_unreachable(&mut machine);
    insta::assert_snapshot!(machine, @r#"
    entry Entry
    point Entry "entry" () enter entry

    block entry()
      goto first

    block first()
      enter "First" d
      goto last

    block last()
      enter "Last" d
      done d
    "#);
}

#[test]
fn the_handler_of_operations_that_cannot_fail_is_dropped() {
    let mut workflow = asl("
        StartAt: Pay
        States:
          Pay: { Type: Task, Resource: pay, Catch: [{ ErrorEquals: [Lost], Next: Done }], Next: Done }
          Done: { Type: Succeed }
        ");
    assert_eq!(dropped(&workflow), "");
    for step in &mut state(&mut workflow, "Pay").body.steps {
        if let StepKind::Try(guarded) = &mut step.kind {
            for step in &mut guarded.body.steps {
                if let StepKind::Invoke(invoke) = &step.kind {
                    step.kind = set(invoke.result, text("paid"));
                }
            }
        }
    }
    insta::assert_snapshot!(dropped(&workflow), @r"
    - block pay_failed()
    -   locate fault
    -   handle fault
    -   catch Lost
    -     result = fault
    -     d = result
    -     goto done
    -   otherwise
    -     raise fault
    ");
}

/// A snapshot can be at every resume point.
#[test]
fn a_block_after_a_resume_point_stays() {
    let workflow = asl("
        StartAt: First
        States:
          First: { Type: Succeed }
          Lost: { Type: Wait, Seconds: 1, Next: Again }
          Again: { Type: Wait, Seconds: 2, Next: Lost }
        ");
    assert_eq!(dropped(&workflow), "");
}
