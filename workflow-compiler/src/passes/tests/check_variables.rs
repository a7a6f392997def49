//! Tests of the check that variables have a value where they are read.

use super::*;
use crate::diagnostics::MAX_ERRORS;
use crate::hir::{Arm, Block, Body, Label};
use crate::passes::check_variables::check_variables;

#[test]
fn a_variable_that_an_earlier_state_assigns_is_accepted() {
    let found = diagnostics(
        "asl",
        "
        StartAt: Count
        States:
          Count: { Type: Pass, Assign: { count: 1 }, Next: Sum }
          Sum: { Type: Pass, Parameters: { count.$: $count }, End: true }
        ",
    );
    assert_eq!(found, "");
}

#[test]
fn a_variable_that_no_earlier_state_assigns_is_refused() {
    let found = diagnostics(
        "asl",
        "
        StartAt: Sum
        States:
          Sum: { Type: Pass, Parameters: { two: 2, count.$: $count }, Next: Count }
          Count: { Type: Pass, Assign: { count: 1 }, End: true }
        ",
    );
    insta::assert_snapshot!(found, @r"
    error[WF0204]: variable `$count` has no value here
     --> flow.asl.yaml:3:53
      |
    3 |   Sum: { Type: Pass, Parameters: { two: 2, count.$: $count }, Next: Count }
      |                                                     ^^^^^^ no path to this state assigns it
    4 |   Count: { Type: Pass, Assign: { count: 1 }, End: true }
      |                                  ----- assigned only here
      = help: assign it in an earlier state: only later states can read the values of an `Assign`
    ");
}

#[test]
fn a_variable_that_only_one_path_assigns_is_a_warning() {
    let found = diagnostics(
        "asl",
        "
        StartAt: Large
        States:
          Large: { Type: Choice, Choices: [{ Variable: $.n, NumericEquals: 1, Next: Count }], Default: Sum }
          Count: { Type: Pass, Assign: { count: 1 }, Next: Sum }
          Sum: { Type: Pass, Parameters: { count.$: $count }, End: true }
        ",
    );
    insta::assert_snapshot!(found, @r"
    warning[WF0253]: variable `$count` may not have a value here
     --> flow.asl.yaml:5:45
      |
    4 |   Count: { Type: Pass, Assign: { count: 1 }, Next: Sum }
      |                                  ----- assigned here
    5 |   Sum: { Type: Pass, Parameters: { count.$: $count }, End: true }
      |                                             ^^^^^^ not assigned on every path to this state
      = help: assign it in a state on every path
    ");
}

/// The paths to a state are analysed in any order.
#[test]
fn a_variable_that_another_path_does_not_assign_is_a_warning() {
    for (left, right) in [("Count", "Skip"), ("Skip", "Count")] {
        let found = diagnostics(
            "asl",
            &format!(
                "
                StartAt: Large
                States:
                  Large: {{ Type: Choice, Choices: [{{ Variable: $.n, NumericEquals: 1, Next: {left} }}], Default: {right} }}
                  Count: {{ Type: Pass, Assign: {{ count: 1 }}, Next: Sum }}
                  Skip: {{ Type: Pass, Next: Sum }}
                  Sum: {{ Type: Pass, Parameters: {{ count.$: $count }}, End: true }}
                "
            ),
        );
        assert_eq!(heads(&found), "warning[WF0253]: variable `$count` may not have a value here");
    }
}

#[test]
fn a_variable_that_every_path_assigns_is_accepted() {
    let found = diagnostics(
        "asl",
        "
        StartAt: Large
        States:
          Large: { Type: Choice, Choices: [{ Variable: $.n, NumericEquals: 1, Next: Left }], Default: Right }
          Left: { Type: Pass, Assign: { count: 1 }, Next: Sum }
          Right: { Type: Pass, Assign: { count: 2 }, Next: Sum }
          Sum: { Type: Pass, Parameters: { count.$: $count }, End: true }
        ",
    );
    assert_eq!(found, "");
}

/// The first pass through the cycle finds no value.
#[test]
fn a_variable_that_a_cycle_assigns_after_the_read_is_a_warning() {
    let found = diagnostics(
        "asl",
        "
        StartAt: Sum
        States:
          Sum: { Type: Pass, Parameters: { count.$: $count }, Next: Count }
          Count: { Type: Pass, Assign: { count: 1 }, Next: Again }
          Again: { Type: Choice, Choices: [{ Variable: $.n, NumericEquals: 1, Next: Sum }], Default: Done }
          Done: { Type: Succeed }
        ",
    );
    assert!(found.starts_with("warning[WF0253]: variable `$count` may not have a value here"), "{found}");
}

/// Returns the codes of the diagnostics of a workflow whose first state has this rule. `Yes` and
/// `No` read the variable, which one path assigns.
fn codes_of(rule: &str) -> Vec<String> {
    let found = diagnostics(
        "asl",
        &format!(
            "
        StartAt: Begin
        States:
          Begin: {{ Type: Choice, Choices: [{{ Variable: $.n, NumericEquals: 1, Next: Count }}], Default: Test }}
          Count: {{ Type: Pass, Assign: {{ count: 1 }}, Next: Test }}
          Test: {{ Type: Choice, Choices: [{{ {rule}, Next: Yes }}], Default: No }}
          Yes: {{ Type: Pass, Parameters: {{ count.$: $count }}, End: true }}
          No: {{ Type: Pass, Parameters: {{ count.$: $count }}, End: true }}
        "
        ),
    );
    let place = |block: &str| {
        let line = block.lines().find_map(|line| line.trim().strip_prefix("--> flow.asl.yaml:"))?;
        let states = ["Begin", "Count", "Test", "Yes", "No"];
        let line: usize = line.split(':').next()?.parse().ok()?;
        Some(format!("{} in {}", &block[..block.find(']')? + 1], states.get(line - 3)?))
    };
    found.split("\n\n").filter_map(place).collect()
}

#[test]
fn a_variable_has_a_value_where_a_test_of_its_presence_succeeds() {
    let present = "Variable: $count, IsPresent: true";
    let absent = "Variable: $count, IsPresent: false";
    let other = "Variable: $.n, NumericEquals: 2";
    let one = "Variable: $count, NumericEquals: 1";
    let warning =
        |states: &[&str]| states.iter().map(|state| format!("warning[WF0253] in {state}")).collect::<Vec<_>>();
    for (rule, warned) in [
        (present.to_owned(), &["No"][..]),
        (absent.to_owned(), &["Yes"]),
        (format!("Not: {{ {absent} }}"), &["No"]),
        (format!("And: [{{ {present} }}, {{ {other} }}]"), &["No"]),
        (format!("Or: [{{ {absent} }}, {{ {other} }}]"), &["Yes"]),
        (format!("Or: [{{ {present} }}, {{ {other} }}]"), &["Yes", "No"]),
        (format!("Not: {{ And: [{{ {present} }}, {{ {other} }}] }}"), &["Yes"]),
        // The later operands are read only where the test holds.
        (format!("And: [{{ {present} }}, {{ {one} }}]"), &["No"]),
        (format!("Or: [{{ {absent} }}, {{ {one} }}]"), &["Yes"]),
        (format!("And: [{{ {one} }}, {{ {present} }}]"), &["Test", "No"]),
        (format!("Or: [{{ {present} }}, {{ {one} }}]"), &["Test", "Yes", "No"]),
        (one.to_owned(), &["Test", "Yes", "No"]),
        ("Variable: $count.sum, IsPresent: true".to_owned(), &["No"]),
    ] {
        assert_eq!(codes_of(&rule), warning(warned), "{rule}");
    }
}

/// A test does not give a value to a variable that no path assigns.
#[test]
fn a_test_of_presence_assigns_nothing() {
    let found = diagnostics(
        "asl",
        "
        StartAt: Test
        States:
          Test: { Type: Choice, Choices: [{ Variable: $count, IsPresent: true, Next: Yes }], Default: Count }
          Yes: { Type: Pass, Parameters: { count.$: $count }, End: true }
          Count: { Type: Pass, Assign: { count: 1 }, End: true }
        ",
    );
    assert!(found.starts_with("error[WF0204]"), "{found}");
}

#[test]
fn a_later_rule_knows_that_the_earlier_ones_do_not_hold() {
    let found = diagnostics(
        "asl",
        "
        StartAt: Begin
        States:
          Begin: { Type: Choice, Choices: [{ Variable: $.n, NumericEquals: 1, Next: Count }], Default: Test }
          Count: { Type: Pass, Assign: { count: 1 }, Next: Test }
          Test:
            Type: Choice
            Choices:
              - { Variable: $count, IsPresent: false, Next: Done }
              - { Variable: $count, NumericEquals: 1, Next: Done }
            Default: Sum
          Sum: { Type: Pass, Parameters: { count.$: $count }, End: true }
          Done: { Type: Succeed }
        ",
    );
    assert_eq!(found, "");
}

#[test]
fn a_catcher_may_run_before_the_assignment() {
    let found = diagnostics("asl", "
        StartAt: Pay
        States:
          Pay: { Type: Task, Resource: pay, Assign: { paid: true }, Catch: [{ ErrorEquals: [Lost], Next: Log }], Next: Done }
          Log: { Type: Pass, Parameters: { paid.$: $paid }, Next: Done }
          Done: { Type: Succeed }
        ");
    assert!(found.starts_with("warning[WF0253]: variable `$paid` may not have a value here"), "{found}");
}

#[test]
fn a_branch_knows_the_variables_of_the_scope_around_it() {
    let states = |next: &str| {
        format!("
        StartAt: Begin
        States:
          Begin: {{ Type: Pass, Next: {next} }}
          Count: {{ Type: Pass, Assign: {{ count.$: $.count }}, Next: Both }}
          Both:
            Type: Parallel
            Branches: [{{ StartAt: Sum, States: {{ Sum: {{ Type: Pass, Parameters: {{ count.$: $count }}, End: true }} }} }}]
            Next: All
          All:
            Type: Map
            ItemProcessor: {{ StartAt: One, States: {{ One: {{ Type: Pass, Parameters: {{ count.$: $count }}, End: true }} }} }}
            Next: Done
          Done: {{ Type: Choice, Choices: [{{ Variable: '$[0].count', NumericEquals: 1, Next: Count }}], Default: End }}
          End: {{ Type: Succeed }}
        ")
    };
    assert_eq!(diagnostics("asl", &states("Count")), "");
    let found = diagnostics("asl", &states("Both"));
    assert_eq!(found.matches("warning[WF0253]: variable `$count` may not have a value here").count(), 2, "{found}");
}

#[test]
fn the_number_of_reports_is_limited() {
    let sum = |at: usize| format!("\n  S{at}: {{ Type: Pass, Parameters: {{ count.$: $count }}, Next: S{} }}", at + 1);
    let states: String = (0..200).map(sum).collect();
    let last = "S200: { Type: Pass, Assign: { count: 1 }, End: true }";
    let found = diagnostics("asl", &format!("StartAt: S0\nStates:{states}\n  {last}"));
    assert_eq!(found.matches("error[WF0204]").count(), MAX_ERRORS, "{found}");
}

#[test]
fn an_unreachable_state_is_not_checked() {
    let found = diagnostics(
        "asl",
        "
        StartAt: Done
        States:
          Done: { Type: Pass, Assign: { count: 1 }, End: true }
          Lost: { Type: Pass, Parameters: { count.$: $count }, Next: Again }
          Again: { Type: Pass, Next: Lost }
        ",
    );
    assert!(!found.contains("variable `$count`"), "{found}");
}

/// The check analyses a limited number of variables at once.
#[test]
fn every_one_of_many_variables_is_checked() {
    let count = 5_000;
    let names: String = (0..count).map(|at| format!("v{at}: 1, ")).collect();
    let found = diagnostics(
        "asl",
        &format!(
            "
        StartAt: First
        States:
          First: {{ Type: Pass, Parameters: {{ a.$: $v0, b.$: $v{} }}, Next: Last }}
          Last: {{ Type: Pass, Assign: {{ {names} }}, End: true }}
        ",
            count - 1
        ),
    );
    let heads: Vec<&str> = found.lines().filter(|line| line.starts_with("error[")).collect();
    assert_eq!(
        heads,
        ["error[WF0204]: variable `$v0` has no value here", "error[WF0204]: variable `$v4999` has no value here",]
    );
}

/// The first analysis of a block does not know all paths to it. No text has blocks and variables.
#[test]
fn a_repeated_block_is_reported_once_all_paths_to_it_are_known() {
    let mut workflow = asl("
        StartAt: First
        States: { First: { Type: Pass, Assign: { count: 1 }, Next: Last }, Last: { Type: Succeed } }
        ");
    let (document, span) = (workflow.input, workflow.span);
    let variable =
        LocalId(workflow.locals.iter().position(|local| local.name == "count").expect("it is assigned") as u32);
    let body = &mut state(&mut workflow, "First").body;
    let (assign, last) = (std::mem::take(&mut body.steps), body.next.clone());
    let read = Step { kind: set(document, Expr::Local(variable)), span };
    let label = Label(0);
    let again = Body { steps: assign, next: Next::Repeat(label) };
    let arm = Arm { condition: Expr::NULL, body: again, span, on_error: false };
    let otherwise = Box::new(Body::to(last));
    let inner = Body { steps: vec![read], next: Next::Choose { arms: vec![arm], otherwise } };
    let block = Block { label, body: inner, repeated: Some("again"), exits: Vec::new(), after: "goes on" };
    *body = Body { steps: vec![Step { kind: StepKind::Block(Box::new(block)), span }], next: Next::Never };
    let mut diagnostics = Diagnostics::default();
    check_variables(&workflow, &mut diagnostics);
    assert_eq!(messages(diagnostics), ["WF0253 variable `$count` may not have a value here"]);
}

/// No text has retried bodies that set variables.
#[cfg(feature = "workflow-dsl")]
#[test]
fn the_bodies_of_a_state_know_what_earlier_bodies_assign() {
    let mut workflow = workflow(
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
    let found = |workflow: &Workflow| {
        let mut diagnostics = Diagnostics::default();
        check_variables(workflow, &mut diagnostics);
        messages(diagnostics)
    };
    let data = workflow.locals.id_of(|local| local.name == "activity_data").expect("it is retried");
    workflow.locals[data].kind = LocalKind::Variable;
    assert_eq!(found(&workflow), [""; 0]);
    drop_assignments(&mut state(&mut workflow, "Pay").body, data);
    assert_eq!(found(&workflow), ["WF0204 variable `$activity_data` has no value here"]);
}

/// Removes the steps that set a local.
#[cfg(feature = "workflow-dsl")]
fn drop_assignments(body: &mut Body, dropped: LocalId) {
    body.steps.retain(|step| !matches!(&step.kind, StepKind::Let { local, .. } if *local == dropped));
    let inner = body.steps.iter_mut().flat_map(Step::bodies_mut).chain(body.next.bodies_mut());
    inner.for_each(|body| drop_assignments(body, dropped));
}
