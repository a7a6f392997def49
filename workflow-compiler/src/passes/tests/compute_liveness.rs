//! Tests of the pass that computes parameters and payloads.

mod handlers;

use super::*;
use crate::machine::Terminator;
use std::collections::BTreeSet;

#[cfg(feature = "sm4c")]
use crate::hir::OnTimeout;
#[cfg(feature = "sm4c")]
use crate::model::{Seconds, Wait};

#[test]
fn blocks_and_resume_points_carry_what_is_read_later() {
    let workflow = asl("
        StartAt: Count
        States:
          Count: { Type: Pass, Assign: { count.$: $.count }, Next: Rest }
          Rest: { Type: Wait, Seconds: 1, Next: Sum }
          Sum: { Type: Pass, Parameters: { count.$: $count }, End: true }
        ");
    insta::assert_snapshot!(changes(&workflow, "compute_liveness"), @r#"
    - point Entry "entry" () enter entry
    - point Rest "Rest" () elapsed sum
    - block entry()
    -   declare count
    + point Entry "entry" (d) enter entry
    + point Rest "Rest" (d, count) elapsed sum
    + block entry(d)
        goto count2
    - block count2()
    + block count2(d)
        enter "Count" d
        assign count = asl::field(d, ["count"], "count.$")
        goto rest
    - block rest()
    + block rest(d, count)
        enter "Rest" d
        wait 1 s at Rest
    - block sum()
    + block sum(d, count)
        enter "Sum" d
        d = {"count": asl::variable(count, "count")}
        done d
    "#);
}

#[test]
fn a_frame_carries_what_its_branches_and_iterations_read() {
    let workflow = asl("
        StartAt: Order
        States:
          Order: { Type: Pass, Assign: { to.$: $.to, by.$: $.by }, Next: Both }
          Both:
            Type: Parallel
            Branches:
              - StartAt: Send
                States: { Send: { Type: Task, Resource: send, Parameters: { to.$: $to }, End: true } }
            Next: All
          All:
            Type: Map
            ItemProcessor:
              StartAt: Pack
              States: { Pack: { Type: Task, Resource: pack, Parameters: { by.$: $by, it.$: $ }, End: true } }
            End: true
        ");
    let machine = after(&workflow, "compute_liveness").to_string();
    let points = machine.lines().filter(|line| line.starts_with("point "));
    insta::assert_snapshot!(points.collect::<Vec<_>>().join("\n"), @r#"
    point Entry "entry" (d) enter entry
    point BothEntrySend "Both entry Send" (d, to) enter send
    point AllEntryPack "All entry Pack" (item, by) enter all_entry_pack
    point Both "Both" (d, by, to) fork [BothEntrySend] then both_joined
    point All "All" (by) for each item AllEntryPack then all_joined
    point Send "Send" () resume send_done
    point Pack "Pack" () resume pack_done
    "#);
}

#[test]
fn an_operation_whose_value_is_not_read_is_dropped() {
    let mut workflow = asl("
        StartAt: First
        States: { First: { Type: Pass, Result: 1, End: true } }
        ");
    let document = workflow.input;
    let (unread, copy) =
        (local(&mut workflow, "unread", LocalKind::Value), local(&mut workflow, "copy", LocalKind::Value));
    add_steps(&mut workflow, "First", vec![set(unread, Expr::Local(document)), set(copy, Expr::Local(unread))]);
    insta::assert_snapshot!(changes(&workflow, "compute_liveness"), @r#"
    - point Entry "entry" () enter first
    - block first()
    + point Entry "entry" (d) enter first
    + block first(d)
        enter "First" d
        d = 1
    -   unread = d
    -   copy = unread
        done d
    "#);
}

#[test]
fn an_operation_that_can_fail_stays() {
    let workflow = asl("
        StartAt: First
        States: { First: { Type: Pass, Parameters: { name.$: $.name }, OutputPath: null, End: true } }
        ");
    insta::assert_snapshot!(changes(&workflow, "compute_liveness"), @r#"
    - point Entry "entry" () enter first
    - block first()
    + point Entry "entry" (d) enter first
    + block first(d)
        enter "First" d
        d = {"name": asl::field(d, ["name"], "name.$")}
        d = {}
        done d
    "#);
}

#[test]
fn an_assignment_of_a_variable_that_is_not_read_is_dropped() {
    let workflow = asl("
        StartAt: First
        States:
          First: { Type: Pass, Assign: { read: 1, unread: 2, failing.$: $.name }, Next: Second }
          Second: { Type: Pass, Assign: { unread: 3 }, Parameters: { read.$: $read }, End: true }
        ");
    insta::assert_snapshot!(changes(&workflow, "compute_liveness"), @r#"
    - point Entry "entry" () enter entry
    - block entry()
    -   declare failing
    -   declare read
    -   declare unread
    + point Entry "entry" (d) enter entry
    + block entry(d)
        goto first
    - block first()
    + block first(d)
        enter "First" d
    -   assign read = 1; unread = 2; failing = asl::field(d, ["name"], "failing.$")
    +   assign read = 1; failing = asl::field(d, ["name"], "failing.$")
        goto second
    - block second()
    + block second(d, read)
        enter "Second" d
        result = {"read": asl::variable(read, "read")}
    -   assign unread = 3
        d = result
        done d
    "#);
}

#[test]
fn a_local_that_only_a_dropped_assignment_reads_is_not_carried() {
    let workflow = asl("
        StartAt: Rest
        States:
          Rest: { Type: Wait, Seconds: 1, OutputPath: null, Assign: { read: 1, unread.$: $ }, Next: Last }
          Last: { Type: Pass, Parameters: { read.$: $read }, End: true }
        ");
    insta::assert_snapshot!(changes(&workflow, "compute_liveness"), @r#"
    - point Entry "entry" () enter entry
    + point Entry "entry" (d) enter entry
    - block entry()
    -   declare read
    -   declare unread
    + block entry(d)
        goto rest
    - block rest()
    + block rest(d)
        enter "Rest" d
        wait 1 s at Rest
    - block last()
    + block last(d, read)
        enter "Last" d
        d = {"read": asl::variable(read, "read")}
        done d
      block rest_over()
        output = {}
    -   assign read = 1; unread = d
    +   assign read = 1
        d = output
        goto last
    "#);
}

/// The analysis of a cycle visits its blocks again.
#[test]
fn a_cycle_carries_what_any_of_its_blocks_reads() {
    let states = [
        "Begin: { Type: Pass, Assign: { first: 1, last: 2 }, Next: Ask }",
        "Ask: { Type: Task, Resource: ask, Parameters: { first.$: $first }, Next: Ready }",
        "Ready: { Type: Choice, Choices: [{ Variable: $.ready, BooleanEquals: true, Next: Last }], Default: Rest }",
        "Rest: { Type: Wait, Seconds: 1, Next: Ask }",
        "Last: { Type: Pass, Parameters: { last.$: $last }, End: true }",
    ];
    let carried = |states: Vec<&str>| {
        let states: String = states.into_iter().map(|state| format!("\n  {state}")).collect();
        let machine = after(&asl(&format!("StartAt: Begin\nStates:{states}")), "compute_liveness").to_string();
        let mut points: Vec<String> =
            machine.lines().filter(|line| line.starts_with("point ")).map(str::to_owned).collect();
        points.sort();
        points
    };
    insta::assert_snapshot!(carried(states.to_vec()).join("\n"), @r#"
    point Ask "Ask" (first, last) resume ask_done
    point Entry "entry" (d) enter entry
    point Rest "Rest" (d, first, last) elapsed ask
    "#);
    assert_eq!(carried(states.iter().rev().copied().collect()), carried(states.to_vec()));
}

#[test]
fn a_fault_is_computed_from_what_it_reads() {
    let workflow = asl("
        StartAt: Begin
        States:
          Begin: { Type: Pass, Assign: { error: Lost, cause: none }, Next: Rest }
          Rest: { Type: Wait, Seconds: 1, Next: Refuse }
          Refuse: { Type: Fail, ErrorPath: $error, CausePath: $cause }
        ");
    let machine = after(&workflow, "compute_liveness").to_string();
    assert!(machine.contains("point Rest \"Rest\" (d, cause, error) elapsed refuse\n"), "{machine}");
}

/// Returns each operation of a block with the locals that are live after it.
fn live_after(machine: &Machine, block: &str) -> String {
    let block = machine.blocks.iter().find(|other| other.name == block).expect("the machine has the block");
    let names = |locals: &BTreeSet<LocalId>| {
        locals.iter().map(|local| &*machine.local(*local).name).collect::<Vec<_>>().join(", ")
    };
    let mut shown: Vec<String> = block
        .body
        .ops
        .iter()
        .map(|op| {
            let sets = op.kind.sets().into_iter().collect();
            format!("sets {{{}}}, live after {{{}}}", names(&sets), names(&op.live_after))
        })
        .collect();
    if let Terminator::Wait { live_after, .. } = &block.body.terminator {
        shown.push(format!("waits, live after {{{}}}", names(live_after)));
    }
    shown.join("\n")
}

/// The emitter moves a local that is not live after an operation.
#[test]
fn an_operation_lists_what_the_block_and_its_handler_read_later() {
    let mut workflow = asl("
        StartAt: Count
        States:
          Count: { Type: Pass, Assign: { count: 1 }, Next: Pay }
          Pay:
            Type: Task
            Resource: pay
            ResultPath: $.receipt
            Catch: [{ ErrorEquals: [Lost], Next: Sum }]
            Next: Done
          Sum: { Type: Pass, Parameters: { count.$: $count }, End: true }
          Done: { Type: Pass, Result: 1, End: true }
        ");
    make_synthetic(&mut workflow, &["Done"]);
    let machine = after(&workflow, "compute_liveness");
    insta::assert_snapshot!(live_after(&machine, "pay"), @r"
    sets {}, live after {d, count}
    waits, live after {d, count}
    ");
    insta::assert_snapshot!(live_after(&machine, "pay_done"), @r"
    sets {result}, live after {d, count}
    sets {d}, live after {count}
    sets {d}, live after {}
    ");
}

#[cfg(feature = "sm4c")]
#[test]
fn the_top_level_carries_the_document_for_the_time_out() {
    let mut workflow = workflow(
        "sm4c",
        r#"
        name: t
        version: "1"
        timeout: { duration: PT1H, action: { type: delay, timeout: PT1S } }
        states: [{ name: Ask, start: true, enterAction: { type: delay, timeout: PT2S } }]
        "#,
    );
    let carried = |workflow: &Workflow| {
        let machine = after(workflow, "compute_liveness").to_string();
        machine.lines().filter(|line| line.starts_with("point ")).collect::<Vec<_>>().join("\n")
    };
    // Without an output nothing else reads the document.
    state(&mut workflow, "Ask").body.next = Next::End(Expr::NULL);
    add_steps(&mut workflow, "Ask", vec![StepKind::Wait(Wait::For(Seconds::Fixed(1.0)))]);
    insta::assert_snapshot!(carried(&workflow), @r#"
    point Entry "entry" (d) enter entry
    point AskEntryAsk1 "Ask entry Ask 1" () enter ask_1
    point Ask "Ask" (d) elapsed ask_over2
    point Ask2 "Ask #2" (d) elapsed ask_over
    point Ask1 "Ask 1" () elapsed ask_1_over
    "#);
    workflow.on_timeout = OnTimeout::Fail;
    insta::assert_snapshot!(carried(&workflow), @r#"
    point Entry "entry" (d) enter entry
    point AskEntryAsk1 "Ask entry Ask 1" () enter ask_1
    point Ask "Ask" () elapsed ask_over2
    point Ask2 "Ask #2" () elapsed ask_over
    point Ask1 "Ask 1" () elapsed ask_1_over
    "#);
}
