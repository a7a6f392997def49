//! Tests of the pass that marks the blocks whose functions take the turn.

use super::*;
use crate::machine::{BlockBody, BlockId, Terminator};

/// Returns the first line of each block after the pass: its name and its parameters.
fn heads_of_blocks(workflow: &Workflow) -> String {
    let printed = after(workflow, "mark_turns").to_string();
    let heads = printed.lines().filter_map(|line| line.strip_prefix("block "));
    heads.collect::<Vec<_>>().join("\n")
}

/// Returns the parameters of the entry of a workflow whose states do nothing but this step, which
/// is made of the document.
fn params_around(step: impl FnOnce(LocalId) -> StepKind) -> String {
    let mut workflow = asl("
        StartAt: First
        States: { First: { Type: Pass, Next: Last }, Last: { Type: Succeed } }
        ");
    let document = workflow.input;
    make_synthetic(&mut workflow, &["First", "Last"]);
    add_steps(&mut workflow, "First", vec![step(document)]);
    heads_of_blocks(&workflow)
}

#[test]
fn a_block_that_only_ends_takes_no_turn() {
    let workflow = asl("
        StartAt: Pay
        States: { Pay: { Type: Task, Resource: pay, Catch: [{ ErrorEquals: [Busy], Next: Wait }], End: true },
                  Wait: { Type: Wait, Seconds: 1, End: true } }
        ");
    insta::assert_snapshot!(heads_of_blocks(&workflow), @r"
    pay(d, turn)
    pay_done()
    pay_failed(fault, turn)
    wait(d, turn)
    wait_over(d)
    ");
}

#[test]
fn a_block_takes_the_turn_for_the_blocks_that_it_calls() {
    let definition = |end: &str| {
        let mut workflow = asl(&format!(
            "
            StartAt: Large
            States:
              Large:
                Type: Choice
                Choices: [{{ Variable: $.total, NumericGreaterThan: 100, Next: Left }}]
                Default: Right
              Left: {{ Type: Pass, Result: 1, Next: Done }}
              Right: {{ Type: Pass, Result: 2, Next: Done }}
              Done: {end}
            "
        ));
        make_synthetic(&mut workflow, &["Large", "Left", "Right", "Done"]);
        heads_of_blocks(&workflow)
    };
    insta::assert_snapshot!(definition("{ Type: Succeed }"), @r"
    large(d)
    done(d)
    ");
    insta::assert_snapshot!(definition("{ Type: Wait, Seconds: 1, End: true }"), @r"
    large(d, turn)
    done(d, turn)
    done_over(d)
    ");
}

/// The frame returns to the runtime, which enters the block of the resume point.
#[test]
fn a_transition_through_a_resume_point_is_no_call() {
    let mut workflow = asl("
        StartAt: Large
        States:
          Large:
            Type: Choice
            Choices: [{ Variable: $.total, NumericGreaterThan: 100, Next: Less }]
            Default: Done
          Less: { Type: Pass, Result: 1, ResultPath: $.total, Next: Large }
          Done: { Type: Succeed }
        ");
    make_synthetic(&mut workflow, &["Large", "Less", "Done"]);
    assert_eq!(heads_of_blocks(&workflow), "large(d)");
}

/// Returns the blocks that take the turn in a workflow with a handler that retries, after a change
/// of its machine. The change gets the handler and its fault.
fn takers(change: impl FnOnce(&mut Machine, BlockId, LocalId)) -> Vec<String> {
    let mut workflow = asl("
        StartAt: Pay
        States:
          Pay:
            Type: Task
            Resource: pay
            Retry: [{ ErrorEquals: [Busy] }]
            Catch: [{ ErrorEquals: [Lost], Next: Large }]
            Next: Large
          Large:
            Type: Choice
            Choices: [{ Variable: $.total, NumericGreaterThan: 100, Next: Less }]
            Default: Done
          Less: { Type: Pass, Result: 1, Next: Done }
          Done: { Type: Succeed }
        ");
    make_synthetic(&mut workflow, &["Large", "Less", "Done"]);
    let mut machine = after(&workflow, "name_programs");
    let handler = machine.blocks.entries().find(|(_, block)| block.name == "pay_failed").map(|(at, _)| at);
    let handler = handler.expect("a block handles the fault");
    let fault = machine.block(handler).body.handled_fault().expect("it handles a fault");
    change(&mut machine, handler, fault);
    crate::passes::mark_turns::mark_turns(&mut machine, &workflow);
    let blocks = machine.blocks.iter().filter(|block| block.takes_turn);
    blocks.map(|block| block.name.clone()).collect()
}

fn body<'m>(machine: &'m mut Machine, name: &str) -> &'m mut BlockBody {
    &mut machine.blocks.iter_mut().find(|block| block.name == name).expect("the machine has the block").body
}

/// The handler retries with the turn. The resume point of the task enters it, and not the block
/// that receives the result.
#[test]
fn a_block_takes_no_turn_for_the_handler_of_the_result_that_it_receives() {
    let takers = takers(|machine, handler, _| {
        assert_eq!(body(machine, "pay_done").ops[0].handler(), Some(handler));
    });
    assert_eq!(takers, ["pay", "pay_try", "pay_failed"]);
}

#[test]
fn a_block_takes_the_turn_for_the_handler_to_which_it_raises_a_fault() {
    let raise = |handler| {
        move |machine: &mut Machine, _, fault| {
            body(machine, "large").terminator = Terminator::Raise { fault, handler };
        }
    };
    assert_eq!(takers(raise(None)), ["pay", "pay_try", "pay_failed"]);
    let raised = takers(|machine, handler, fault| raise(Some(handler))(machine, handler, fault));
    assert_eq!(raised, ["pay", "pay_try", "pay_done", "pay_failed", "large"]);
}

#[test]
fn a_block_takes_the_turn_for_the_handler_of_its_conditions() {
    let takers = takers(|machine, handler, _| {
        let Terminator::Choose { on_fault, .. } = &mut body(machine, "large").terminator else { panic!("it decides") };
        *on_fault = Some(handler);
    });
    assert_eq!(takers, ["pay", "pay_try", "pay_done", "pay_failed", "large"]);
}

#[test]
fn a_failure_takes_the_turn_that_its_cause_needs() {
    let head = |cause: &str| {
        let mut workflow = asl(&format!(
            "
            StartAt: First
            States: {{ First: {{ Type: Fail, {cause} }} }}
            "
        ));
        make_synthetic(&mut workflow, &["First"]);
        heads_of_blocks(&workflow)
    };
    assert_eq!(head("Cause: x"), "first()");
    assert_eq!(head("CausePath: $.x"), "first(d)");
    assert_eq!(head("CausePath: $$.Execution.Id"), "first(d, turn)");
    assert_eq!(head("ErrorPath: $$.Execution.Id, Cause: x"), "first(d, turn)");
}

#[test]
fn steps_take_the_turn_that_their_values_need() {
    static TIMED: Function = Function { turn: true, ..CAUGHT };
    let member = |value| Expr::Object(vec![("x".to_owned(), value)]);
    let timed = || Expr::call(&TIMED, vec![Arg::Value(text("x"))]);
    let without = [text("x"), member(text("x")), caught(text("x"))];
    for (at, value) in without.into_iter().enumerate() {
        assert_eq!(params_around(|document| set(document, value)), "first()", "value {at}");
    }
    let with = [Expr::Context, timed(), member(timed()), caught(timed())];
    for (at, value) in with.into_iter().enumerate() {
        assert_eq!(params_around(|document| set(document, value.clone())), "first(turn)", "value {at}");
        let assign = |document| StepKind::Assign(vec![(document, value)]);
        assert_eq!(params_around(assign), "first(turn)", "assigned value {at}");
    }
    let inspect = |document| StepKind::Inspect { stage: "x", value: Expr::Local(document) };
    assert_eq!(params_around(inspect), "first(d, turn)");
}

/// A handler adds the name of the state to the fault with the turn.
#[test]
fn a_block_takes_the_turn_for_its_handlers() {
    let guarded = |value: Expr| {
        let mut workflow = asl("
            StartAt: First
            States: { First: { Type: Pass, Next: Last }, Last: { Type: Succeed } }
            ");
        let document = workflow.input;
        make_synthetic(&mut workflow, &["First", "Last"]);
        add_steps(&mut workflow, "First", vec![set(document, value)]);
        guard_steps(&mut workflow, "First");
        heads_of_blocks(&workflow)
    };
    assert_eq!(guarded(text("x")), "first()");
    assert_eq!(guarded(caught(text("x"))), "first(turn)");
    let both = Expr::Array(vec![caught(text("x")), caught(text("y"))]);
    assert_eq!(guarded(both), "first(turn)");
}

#[test]
fn expressions_in_jsonata_take_the_turn() {
    let mut workflow = asl(r#"
        QueryLanguage: JSONata
        StartAt: First
        States: { First: { Type: Pass, Output: "{% 1 + $states.input.x %}", End: true } }
        "#);
    make_synthetic(&mut workflow, &["First"]);
    assert_eq!(heads_of_blocks(&workflow), "first(d, turn)");
}

#[cfg(feature = "jq")]
#[test]
fn jq_programs_take_the_turn_for_their_limits_and_for_the_time() {
    use crate::expr::{Apply, Program, jq};
    let head = |program: &str| {
        let filter = jq::read_text(program, &[], jq::ResultMode::Value).expect("jq accepts the program");
        let (program, input) = (Program::Jq(filter).into(), Box::new(text("x")));
        let (name, variables) = ("program".to_owned(), Vec::new());
        let apply = Apply { program, name, input, variables, fallibility: Fallibility::Fatal };
        params_around(|document| set(document, Expr::Apply(apply)))
    };
    assert_eq!(head(".a"), "first()");
    assert_eq!(head("[range(.a)]"), "first(turn)");
    assert_eq!(head("{a: now}"), "first(turn)");
}

#[cfg(feature = "composer")]
#[test]
fn functions_of_the_program_take_no_turn() {
    let head = |functions: Vec<crate::FunctionBinding>| {
        let text = r#"{ Entry: First, Exit: First, States: { First: { Type: Task, Function: "p => p" } } }"#;
        let options = Options { functions, ..Options::default() };
        let mut workflow = checked("composer", text, &options).workflow.expect("the definition is accepted");
        make_synthetic(&mut workflow, &["First"]);
        heads_of_blocks(&workflow)
    };
    assert_eq!(head(Vec::new()), "entry(d, turn)");
    let (state, function) = ("First".to_owned(), crate::RustCode::from("crate::price"));
    assert_eq!(head(vec![crate::FunctionBinding { state, function }]), "entry(d)");
}
