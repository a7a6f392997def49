//! Tests of errors and their spans.

use super::{composition, read, render};

/// Diagnostic, and states from `a` to `z`.
const REFUSED: &[(&str, &str)] = &[
    (
        "WF0410 \"/ns/\": `/ns/` is not a valid action name",
        r#""a": {"Type": "Task", "Action": "/ns/", "Next": "z"}, "z": {"Type": "Pass"}"#,
    ),
    (
        "WF0410 \"a/b/c\": `a/b/c` is not a valid action name",
        r#""a": {"Type": "Task", "Action": "a/b/c", "Next": "z"}, "z": {"Type": "Pass"}"#,
    ),
    (
        "WF0701 \"z\": state `z` pops saved parameters, but the stack is empty",
        r#""a": {"Type": "Pass", "Next": "z"}, "z": {"Type": "Pop"}"#,
    ),
    (
        "WF0701 \"c\": state `c` pops saved parameters, but the stack is empty",
        r#""a": {"Type": "Pass", "Next": "c"}, "c": {"Type": "Choice", "Then": "z", "Else": "z"}, "z": {"Type": "Pass"}"#,
    ),
    (
        "WF0701 \"z\": state `z` pops a handler, but the stack is empty",
        r#""a": {"Type": "Pass", "Next": "z"}, "z": {"Type": "Catch"}"#,
    ),
    (
        "WF0702 \"z\": state `z` pops saved parameters, but the top of the stack is the handler `z`",
        r#""a": {"Type": "Try", "Handler": "z", "Next": "z"}, "z": {"Type": "Pop"}"#,
    ),
    (
        "WF0702 \"z\": state `z` pops a handler, but the top of the stack is saved parameters",
        r#""a": {"Type": "Push", "Next": "z"}, "z": {"Type": "Catch"}"#,
    ),
    (
        "WF0702 \"z\": state `z` pops saved parameters, but the top of the stack is the variable `n`",
        r#""a": {"Type": "Let", "Symbol": "n", "Value": 1, "Next": "z"}, "z": {"Type": "Pop"}"#,
    ),
    (
        "WF0703 \"z\": the final state `z` is unreachable",
        r#""a": {"Type": "Pass", "Next": "b"}, "b": {"Type": "Pass", "Next": "a"}, "z": {"Type": "Pass"}"#,
    ),
    ("WF0201 \"y\": state `y` does not exist", r#""a": {"Type": "Pass", "Next": "y"}, "z": {"Type": "Pass"}"#),
    (
        "WF0201 \"zz\": state `zz` does not exist",
        r#""a": {"Type": "Try", "Handler": "zz", "Next": "z"}, "z": {"Type": "Pass"}"#,
    ),
    (
        "WF0408 \"Next\": the final state `z` has a `Next`",
        r#""a": {"Type": "Pass", "Next": "z"}, "z": {"Type": "Pass", "Next": "a"}"#,
    ),
    (
        "WF0408 {: the final state `z` cannot be a Choice",
        r#""a": {"Type": "Push", "Next": "z"}, "z": {"Type": "Choice", "Then": "a", "Else": "a"}"#,
    ),
    ("WF0401 {: missing field `Next` in a Pass state", r#""a": {"Type": "Pass"}, "z": {"Type": "Pass"}"#),
    (
        "WF0401 \"Nxt\": missing field `Next` in a Pass state",
        r#""a": {"Type": "Pass", "Nxt": "z"}, "z": {"Type": "Pass"}"#,
    ),
    (
        "WF0401 {: missing field `Then` in a Choice state",
        r#""a": {"Type": "Choice", "Else": "z"}, "z": {"Type": "Pass"}"#,
    ),
    ("WF0401 {: missing field `Handler` in a Try state", r#""a": {"Type": "Try", "Next": "z"}, "z": {"Type": "Pass"}"#),
    (
        "WF0401 {: missing field `Symbol` in a Let state",
        r#""a": {"Type": "Let", "Value": 1, "Next": "z"}, "z": {"Type": "Pass"}"#,
    ),
    (
        "WF0401 {: missing field `Value` in a Let state",
        r#""a": {"Type": "Let", "Symbol": "n", "Next": "z"}, "z": {"Type": "Pass"}"#,
    ),
    (
        "WF0401 {: missing `Action`, `Function` or `Value` in a Task state",
        r#""a": {"Type": "Task", "Next": "z"}, "z": {"Type": "Pass"}"#,
    ),
    (
        "WF0401 \"Functon\": missing `Action`, `Function` or `Value` in a Task state",
        r#""a": {"Type": "Task", "Functon": "x => x", "Next": "z"}, "z": {"Type": "Pass"}"#,
    ),
    (
        "WF0403 42: `Action` must be a string, found a number",
        r#""a": {"Type": "Task", "Action": 42, "Next": "z"}, "z": {"Type": "Pass"}"#,
    ),
    ("WF0407 \"pass\": unknown state type `pass`", r#""a": {"Type": "pass", "Next": "z"}, "z": {"Type": "Pass"}"#),
    (
        "WF0410 \"1n\": `1n` is not a valid JavaScript variable name",
        r#""a": {"Type": "Let", "Symbol": "1n", "Value": 1, "Next": "z"}, "z": {"Type": "Pass"}"#,
    ),
    (
        "WF0410 \"class\": `class` is a reserved word of JavaScript",
        r#""a": {"Type": "Let", "Symbol": "class", "Value": 1, "Next": "z"}, "z": {"Type": "Pass"}"#,
    ),
];

#[test]
fn ill_formed_compositions_are_refused_with_a_place() {
    for (expected, states) in REFUSED {
        let read = read(&composition(states));
        assert_eq!(render(&read), [*expected], "{states}");
        assert!(read.workflow.is_none(), "{states}");
    }
}

#[test]
fn fields_of_the_composition_must_be_there() {
    let cases = [
        (r#"{"States": {"a": {"Type": "Pass"}}, "Exit": "a"}"#, "WF0401 {: missing field `Entry` in a composition"),
        (r#"{"States": {"a": {"Type": "Pass"}}, "Entry": "a"}"#, "WF0401 {: missing field `Exit` in a composition"),
        (r#"{"Entry": "a", "Exit": "a"}"#, "WF0401 {: missing field `States` in a composition"),
        (r#"{"Entry": "a", "Exit": "a", "States": {}}"#, "WF0412 {}: `States` is empty"),
        (r#"{"Entry": "a", "Exit": "a", "States": []}"#, "WF0403 []: `States` must be an object, found an array"),
    ];
    for (definition, expected) in cases {
        assert_eq!(render(&read(definition)), [expected]);
    }
}

/// Checks that the diagnostic shows the path, and the state that pushed the wrong entry.
#[test]
fn stack_faults_show_their_path() {
    let states = r#"
        "a": {"Type": "Try", "Handler": "h", "Next": "b"},
        "b": {"Type": "Push", "Next": "c"},
        "c": {"Type": "Task", "Action": "pay", "Next": "z"},
        "h": {"Type": "Pass", "Next": "d"},
        "d": {"Type": "Catch", "Next": "e"},
        "e": {"Type": "Pass", "Next": "z"},
        "z": {"Type": "Catch"}"#;
    let read = read(&composition(states));
    let shown: Vec<(&str, Option<&str>, Vec<&str>)> = read
        .diagnostics
        .iter()
        .map(|diagnostic| {
            let related = diagnostic.related.iter().map(|(_, text)| text.as_str()).collect();
            (diagnostic.code.id, diagnostic.label.as_deref(), related)
        })
        .collect();
    assert_eq!(
        shown,
        [
            ("WF0701", Some("reached through `a` → `b` → `c` → `h` → `d`"), vec![]),
            ("WF0702", Some("reached through `a` → `b` → `c` → `z`"), vec!["pushed by `b`"]),
        ]
    );
}

/// Checks that the order of paths has no effect. A state that fails on one path only is checked at
/// run time, and a state that fails on all is an error.
#[test]
fn the_order_of_ways_makes_no_difference() {
    for (then, otherwise) in [("save", "pass"), ("pass", "save")] {
        let states = format!(
            r#""a": {{"Type": "Push", "Next": "c"}}, "c": {{"Type": "Choice", "Then": "{then}", "Else": "{otherwise}"}},
            "save": {{"Type": "Push", "Next": "z"}}, "pass": {{"Type": "Pass", "Next": "z"}}, "z": {{"Type": "Pop"}}"#
        );
        let read = read(&composition(&states));
        assert!(read.workflow.is_some(), "{:?}", render(&read));
        assert!(read.diagnostics.iter().any(|diagnostic| diagnostic.code.id == "WF0751"));
    }
}

#[test]
fn all_errors_are_reported_at_once() {
    let states = r#""a": {"Type": "Pop", "Next": "f"}, "f": {"Type": "Task", "Function": "x =>", "Next": "z"},
        "g": {"Type": "Task", "Function": "y =>", "Next": "z"}, "z": {"Type": "Pass"}"#;
    let codes: Vec<&str> = read(&composition(states)).diagnostics.iter().map(|diagnostic| diagnostic.code.id).collect();
    assert_eq!(codes, ["WF0701", "WF0330", "WF0330"]);
    // Functions of unreachable states are checked, too.
    let states = r#""a": {"Type": "Pass", "Next": "z"}, "g": {"Type": "Task", "Function": "y =>", "Next": "z"},
        "z": {"Type": "Pass"}"#;
    let codes: Vec<&str> = read(&composition(states)).diagnostics.iter().map(|diagnostic| diagnostic.code.id).collect();
    assert_eq!(codes, ["WF0330"]);
}

#[test]
fn a_stack_that_is_too_deep_is_refused() {
    let mut states = String::new();
    for at in 0..1000 {
        states.push_str(&format!(r#""s{at}": {{"Type": "Push", "Next": "s{}"}},"#, at + 1));
    }
    states.push_str(
        r#""a": {"Type": "Pass", "Next": "s0"}, "s1000": {"Type": "Pass", "Next": "z"}, "z": {"Type": "Pass"}"#,
    );
    let rendered = render(&read(&composition(&states)));
    assert_eq!(rendered, ["WF0113 : the stacks of all states have more than 100000 levels"]);
}

#[test]
fn a_state_with_two_shapes_is_reported_with_both_paths() {
    let states = r#"
        "a": {"Type": "Try", "Handler": "h", "Next": "b"},
        "h": {"Type": "Pass", "Next": "b"},
        "b": {"Type": "Task", "Action": "pay", "Next": "z"},
        "z": {"Type": "Pass"}"#;
    let read = read(&composition(states));
    assert!(read.workflow.is_some());
    let diagnostic = read.diagnostics.iter().find(|diagnostic| diagnostic.code.id == "WF0751").expect("a note");
    assert_eq!(diagnostic.label.as_deref(), Some("handler `h` on the stack, through `a` → `b`"));
    assert_eq!(diagnostic.related[0].1, "nothing on the stack, through `a` → `b` → `h` → `b`");
}
