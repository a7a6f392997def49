//! Tests of the HIR that states are lowered to.

use super::{composition, read, render};

/// Returns the HIR of a composition from its first state on.
fn lowered(states: &str) -> String {
    let read = read(&composition(states));
    let Some(workflow) = &read.workflow else { return render(&read).join("\n") };
    let shown = workflow.to_string();
    let from = shown.find("\n  ").map_or(0, |at| at + 1);
    shown[from..].to_owned()
}

#[track_caller]
fn assert_lines(actual: &str, expected: &str) {
    let clean = |text: &str| {
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let indent = lines.iter().map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
        lines.iter().map(|line| line[indent..].trim_end().to_owned()).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(clean(actual), clean(expected), "\n{actual}");
}

/// Checks that Push, Task and Pop keep the level of the stack in a local.
#[test]
fn what_is_saved_is_a_local() {
    let states = r#""a": {"Type": "Push", "Next": "b"}, "b": {"Type": "Task", "Action": "pay", "Next": "z"},
        "z": {"Type": "Pop"}"#;
    assert_lines(
        &lowered(states),
        r#"
              d = composer::parameters(d)
              Push "a" (d)
                saved = d
                goto "b"
              Task "b" (d)
                d = invoke task 0 with d
                d = composer::outcome(d)
                choose
                if composer::is_error(d)
                  fail with composer::failure(d)
                otherwise
                  goto "z"
              Pop "z" (d)
                d = {"result": d, "params": saved}
                choose
                if composer::is_error(d)
                  fail with composer::failure(d)
                otherwise
                  end d
        "#,
    );
}

/// Checks that a handler is a transition, that the levels below it stay unchanged, and that a
/// constant error leads directly to the handler.
#[test]
fn handlers_are_transitions() {
    let states = r#""a": {"Type": "Try", "Handler": "h", "Next": "b"},
        "b": {"Type": "Task", "Value": {"error": 1, "more": 2}, "Next": "c"},
        "c": {"Type": "Catch", "Next": "z"}, "h": {"Type": "Pass", "Next": "z"}, "z": {"Type": "Task", "Value": 3}"#;
    assert_lines(
        &lowered(states),
        r#"
              d = composer::parameters(d)
              Try "a" (d)
                goto "b"
              Task "b" (d)
                d = {"error":1}
                goto "h"
              Catch "c" (d)
                goto "z"
              Pass "h" (d)
                goto "z"
              Task "z" (d)
                d = {"value":3}
                end d
        "#,
    );
}

/// Checks that a handler receives the fault of an action as an error object.
#[test]
fn faults_of_actions_are_caught() {
    let states = r#""a": {"Type": "Try", "Handler": "h", "Next": "b"},
        "b": {"Type": "Task", "Action": "/acme/bank/pay", "Next": "c"},
        "c": {"Type": "Catch", "Next": "z"}, "h": {"Type": "Pass", "Next": "z"}, "z": {"Type": "Pass"}"#;
    let shown = lowered(states);
    assert_lines(
        shown.split("  Catch").next().unwrap_or_default(),
        r#"
              d = composer::parameters(d)
              Try "a" (d)
                goto "b"
              Task "b" (d)
                try 0
                  d = invoke task 0 with d
                catch [any error] as fault
                  d = composer::error_object(fault)
                  goto "h"
                d = composer::outcome(d)
                choose
                if composer::is_error(d)
                  goto "h"
                otherwise
                  goto "c"
        "#,
    );
}

/// Checks that `Then` and `Else` both restore the saved parameters.
#[test]
fn choices_restore_what_was_saved() {
    let states = r#""a": {"Type": "Push", "Next": "b"}, "b": {"Type": "Choice", "Then": "a", "Else": "z"},
        "z": {"Type": "Task", "Action": "pay"}"#;
    let shown = lowered(states);
    assert_lines(
        shown.split("  Task").next().unwrap_or_default(),
        r#"
              d = composer::parameters(d)
              Push "a" (d)
                saved = d
                goto "b"
              Choice "b" (d)
                choose
                if composer::is_true(d["value"])
                  d = saved
                  goto "a"
                otherwise
                  d = saved
                  goto "z"
        "#,
    );
}

/// Checks that variables of one name at two depths are two locals.
#[test]
fn variables_are_locals_by_depth() {
    let states = r#""a": {"Type": "Let", "Symbol": "n", "Value": 1, "Next": "b"},
        "b": {"Type": "Let", "Symbol": "n", "Value": null, "Next": "c"},
        "c": {"Type": "End", "Next": "z"}, "z": {"Type": "End"}"#;
    let shown = lowered(states);
    assert_lines(
        shown.split("  End").next().unwrap_or_default(),
        r#"
              d = composer::parameters(d)
              Let "a" (d)
                n = 1
                goto "b"
              Let "b" (d)
                n#2 = null
                goto "c"
        "#,
    );
}

/// Checks that two shapes cause a stack at run time, on which an error finds its handler.
#[test]
fn a_stack_without_a_shape_is_checked() {
    let states = r#""a": {"Type": "Try", "Handler": "h", "Next": "b"}, "h": {"Type": "Push", "Next": "i"},
        "i": {"Type": "Choice", "Then": "b", "Else": "c"}, "b": {"Type": "Task", "Value": {"error": 1}, "Next": "z"},
        "c": {"Type": "Try", "Handler": "h", "Next": "d"}, "d": {"Type": "Catch", "Next": "z"}, "z": {"Type": "Pass"}"#;
    let shown = lowered(states);
    assert_lines(
        shown.split("  Pass \"z\"").next().unwrap_or_default(),
        r#"
              d = composer::parameters(d)
              stack = []
              Try "a" (d)
                stack = composer::push_handler(mut stack, "h")
                goto "b"
              Push "h" (d)
                stack = composer::push_params(mut stack, d)
                goto "i"
              Choice "i" (d)
                taken = composer::params(stack, "i")
                stack = composer::pop(mut stack)
                choose
                if composer::is_true(d["value"])
                  d = taken
                  goto "b"
                otherwise
                  d = taken
                  goto "c"
              Task "b" (d)
                d = {"error":1}
                stack = composer::unwind(mut stack)
                choose
                if composer::is_handler(stack, "h")
                  stack = composer::pop(mut stack)
                  goto "h"
                otherwise
                  fail with composer::failure(d)
              Try "c" (d)
                stack = composer::push_handler(mut stack, "h")
                goto "d"
              Catch "d" (d)
                taken#3 = composer::handler(stack, "d")
                stack = composer::pop(mut stack)
                goto "z"
        "#,
    );
}
