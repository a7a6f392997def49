//! Tests of scopes: their entries, variables and outputs.

use super::*;
use crate::hir::{CallTarget, CallWorkflow};
use crate::machine::OpKind;
use crate::model::ScopeId;

#[cfg(all(feature = "serverless-workflow", feature = "json-schema"))]
use crate::hir::OnTimeout;

#[test]
fn branches_and_iterations_have_entries() {
    let workflow = asl("
        StartAt: Both
        States:
          Both:
            Type: Parallel
            Branches:
              - { StartAt: Left, States: { Left: { Type: Succeed } } }
              - { StartAt: Right, States: { Right: { Type: Succeed } } }
            Next: All
          All:
            Type: Map
            ItemProcessor: { StartAt: One, States: { One: { Type: Succeed } } }
            End: true
        ");
    insta::assert_snapshot!(lowered(&workflow), @r#"
    the top level, from "Both"
      Parallel "Both" (d)
        result = fork [branch 1 of `Both`, branch 2 of `Both`]
        d = result
        goto "All"
      Map "All" (d)
        items = asl::items_array(asl::computed(d, "$"))
        result = for each item of items [the item processor of `All`]
        d = result
        end d

    branch 1 of `Both`, from "Left"
      Succeed "Left" (d)
        end d

    branch 2 of `Both`, from "Right"
      Succeed "Right" (d)
        end d

    the item processor of `All`, from "One"
      d = item
      Succeed "One" (d)
        end d

    entry Entry
    point Entry "entry" () enter entry
    point BothEntryLeft "Both entry Left" () enter both_entry_left
    point BothEntryRight "Both entry Right" () enter both_entry_right
    point AllEntryOne "All entry One" () enter all_entry_one
    point Both "Both" () fork [BothEntryLeft, BothEntryRight] then both_joined
    point All "All" () for each item AllEntryOne then all_joined

    block entry()
      goto both

    block both_entry_left()
      goto left

    block both_entry_right()
      goto right

    block all_entry_one()
      d = item
      goto one

    block both()
      enter "Both" d
      fork 2 at Both

    block all()
      enter "All" d
      items = asl::items_array(asl::computed(d, "$"))
      for each of items at All

    block both_joined()
      result = received
      d = result
      goto all

    block all_joined()
      result = received
      d = result
      done d

    block left()
      enter "Left" d
      done d

    block right()
      enter "Right" d
      done d

    block one()
      enter "One" d
      done d
    "#);
}

#[test]
fn a_scope_declares_the_variables_that_it_assigns() {
    let workflow = asl("
        StartAt: Count
        States:
          Count: { Type: Pass, Assign: { count: 1, sum: 0 }, Next: All }
          All:
            Type: Map
            ItemProcessor:
              StartAt: One
              States: { One: { Type: Pass, Assign: { own.$: $count }, End: true } }
            End: true
        ");
    let machine = after(&workflow, "lower_machine");
    let declares = machine.blocks.iter().map(|block| {
        let body = block.body.ops.iter().filter(|op| matches!(op.kind, OpKind::Declare(_))).count();
        (block.name.as_str(), body)
    });
    assert_eq!(declares.filter(|(_, count)| *count > 0).collect::<Vec<_>>(), [("entry", 2), ("all_entry_one", 1)]);
}

/// No text assigns a variable of an enclosing scope.
#[test]
fn an_outer_scope_declares_a_variable_that_an_inner_scope_assigns_too() {
    let mut workflow = asl("
        StartAt: Count
        States:
          Count: { Type: Pass, Assign: { count: 1 }, Next: All }
          All:
            Type: Map
            ItemProcessor: { StartAt: One, States: { One: { Type: Pass, Assign: { own: 2 }, End: true } } }
            End: true
        ");
    let count = workflow.locals.iter().position(|local| local.name == "count").expect("it is assigned");
    for step in &mut state(&mut workflow, "One").body.steps {
        if let StepKind::Assign(values) = &mut step.kind {
            values[0].0 = LocalId(count as u32);
        }
    }
    let (before, after) = (workflow.to_string(), after(&workflow, "lower_machine").to_string());
    assert_eq!((before.matches("assign $count = ").count(), after.matches("declare").count()), (2, 1), "{after}");
    assert!(after.contains("block entry()\n  declare count\n"), "{after}");
}

#[test]
fn the_entry_of_the_top_level_reads_the_settings() {
    let workflow = asl(r#"
        StartAt: All
        States:
          All:
            Type: Map
            ItemProcessor: { StartAt: One, States: { One: { Type: Pass, Result: "${Bank}", End: true } } }
            End: true
        "#);
    insta::assert_snapshot!(lowered(&workflow), @r#"
    the top level, from "All"
      Map "All" (d)
        items = asl::items_array(asl::computed(d, "$"))
        result = for each item of items [the item processor of `All`]
        d = result
        end d

    the item processor of `All`, from "One"
      d = item
      Pass "One" (d)
        d = Bank
        end d

    entry Entry
    point Entry "entry" () enter entry
    point AllEntryOne "All entry One" () enter all_entry_one
    point All "All" () for each item AllEntryOne then all_joined

    block entry()
      bank = setting("Bank")
      goto all

    block all_entry_one()
      d = item
      goto one

    block all()
      enter "All" d
      items = asl::items_array(asl::computed(d, "$"))
      for each of items at All

    block all_joined()
      result = received
      d = result
      done d

    block one()
      enter "One" d
      d = bank
      done d
    "#);
}

/// The continuation after the time-out, and a detached call of a function.
#[cfg(all(feature = "sm4c", feature = "openapi"))]
#[test]
fn a_scope_that_runs_as_an_execution_is_an_entry_of_the_machine() {
    let workflow = workflow(
        "sm4c",
        r#"
        name: t
        version: "1"
        timeout: { duration: PT1H, action: { type: invokeFunction, functionName: pay } }
        functions: [{ name: pay, operation: shop.json#pay }]
        states: [{ name: Ask, start: true }]
        "#,
    );
    insta::assert_snapshot!(lowered(&workflow), @r#"
    the top level, from "Ask"
      d = sm4c::input(d)
      State "Ask" (d)
        end d

    the action of the time-out, from "Ask 1"
       "Ask 1" (data)
        handled = []
        result = start [the call of `pay`] with {}
        result = null
        end null

    the call of `pay`, from "Ask 2"
       "Ask 2" (arguments)
        result#5 = invoke task 0 with arguments
        end result#5

    entry Entry
    point Entry "entry" () enter entry
    point AskEntryAsk1 "Ask entry Ask 1" () enter ask_entry_ask_1
    point AskEntryAsk2 "Ask entry Ask 2" () enter ask_entry_ask_2
    point Ask1 "Ask 1" () resume ask_1_done
    point Ask2 "Ask 2" () resume ask_2_done
    entry 0 AskEntryAsk1 (data)
    entry 1 AskEntryAsk2 (arguments)

    block entry()
      d = sm4c::input(d)
      goto ask

    block ask_entry_ask_1()
      goto ask_1

    block ask_entry_ask_2()
      goto ask_2

    block ask()
      enter "Ask" d
      done d

    block ask_1()
      handled = []
      start entry 1 with {} at Ask1

    block ask_1_done()
      result = received
      result = null
      done null

    block ask_2()
      invoke task 0 with arguments at Ask2

    block ask_2_done()
      result2 = received
      done result2
    "#);
    let machine = after(&workflow, "lower_machine");
    assert!(machine.on_timeout.is_some_and(|(entry, document)| entry.0 == 0 && document == workflow.input));
}

/// The schema checks the output of the workflow, wherever the execution ends.
#[cfg(all(feature = "serverless-workflow", feature = "json-schema"))]
#[test]
fn the_output_of_the_workflow_conforms_to_its_schema_and_that_of_a_branch_need_not() {
    let mut workflow = workflow(
        "sw",
        "
        id: t
        name: t
        dataOutputSchema: shop.json
        states:
          - name: Both
            type: parallel
            start: { kind: default }
            branches:
              - name: near
                states: [{ name: Near, type: inject, data: {}, start: { kind: default }, end: { kind: default } }]
              - name: far
                states: [{ name: Far, type: inject, data: {}, start: { kind: default }, end: { kind: terminate } }]
            end: { kind: default }
        ",
    );
    let ends = |workflow: &Workflow| {
        let machine = after(workflow, "lower_machine").to_string();
        let ends = machine.lines().filter(|line| line.contains("done ") || line.contains("terminate "));
        ends.map(str::trim).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(ends(&workflow), @r#"
    done schema::check(data, schema "shop.json", "the output")
    done data2
    terminate schema::check_end(data3, schema "shop.json", "the output")
    "#);
    // The output of the continuation after the time-out is that of the workflow.
    let document = workflow.input;
    workflow.on_timeout = OnTimeout::Continue { scope: ScopeId(1), document, input: document };
    insta::assert_snapshot!(ends(&workflow), @r#"
    done schema::check(data, schema "shop.json", "the output")
    done schema::check(data2, schema "shop.json", "the output")
    terminate schema::check_end(data3, schema "shop.json", "the output")
    "#);
}

#[test]
fn a_block_knows_the_states_around_its_scope() {
    let workflow = asl("
        StartAt: All
        States:
          All:
            Type: Map
            ItemProcessor:
              StartAt: Each
              States:
                Each:
                  Type: Map
                  ItemProcessor: { StartAt: One, States: { One: { Type: Succeed } } }
                  End: true
            End: true
        ");
    let machine = after(&workflow, "lower_machine");
    let one = machine.blocks.iter().find(|block| block.name == "one").and_then(|block| block.origin.as_ref());
    assert_eq!(one.map(|origin| origin.within.join("/")), Some("All/Each".to_owned()));
}

/// No text starts a scope twice.
#[test]
fn a_scope_that_two_steps_start_is_one_entry() {
    let mut workflow = asl("
        StartAt: All
        States:
          All:
            Type: Map
            ItemProcessor: { StartAt: One, States: { One: { Type: Succeed } } }
            End: true
        ");
    let result = workflow.input;
    let item = workflow.locals.iter().position(|local| local.name == "item").expect("the map has items");
    let call = || {
        let target = CallTarget::Scope { scope: ScopeId(1), input: LocalId(item as u32) };
        let call = CallWorkflow { target, input: Expr::NULL, detached: true, timeout: None, result };
        StepKind::Call(Box::new(call))
    };
    add_steps(&mut workflow, "All", vec![call(), call()]);
    let machine = after(&workflow, "lower_machine").to_string();
    assert_eq!(machine.matches("start entry 0 with").count(), 2, "{machine}");
    assert_eq!(machine.lines().filter(|line| line.starts_with("entry 0 ")).count(), 1, "{machine}");
    assert!(!machine.contains("entry 1 "), "{machine}");
}
