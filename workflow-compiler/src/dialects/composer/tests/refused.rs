//! Tests of errors and their spans.

use super::{composition, read, render};

/// Diagnostic, and states from `a` to `z`.
const REFUSED: &[(&str, &str)] = &[
    (
        "E0410 \"/ns/\": `/ns/` is no name of an action",
        r#""a": {"Type": "Task", "Action": "/ns/", "Next": "z"}, "z": {"Type": "Pass"}"#,
    ),
    (
        "E0410 \"a/b/c\": `a/b/c` is no name of an action",
        r#""a": {"Type": "Task", "Action": "a/b/c", "Next": "z"}, "z": {"Type": "Pass"}"#,
    ),
    (
        "E0701 \"z\": state `z` takes saved parameters from the stack, and the stack is empty",
        r#""a": {"Type": "Pass", "Next": "z"}, "z": {"Type": "Pop"}"#,
    ),
    (
        "E0701 \"c\": state `c` takes saved parameters from the stack, and the stack is empty",
        r#""a": {"Type": "Pass", "Next": "c"}, "c": {"Type": "Choice", "Then": "z", "Else": "z"}, "z": {"Type": "Pass"}"#,
    ),
    (
        "E0701 \"z\": state `z` takes a handler from the stack, and the stack is empty",
        r#""a": {"Type": "Pass", "Next": "z"}, "z": {"Type": "Catch"}"#,
    ),
    (
        "E0702 \"z\": state `z` takes saved parameters from the stack, and on top there is the handler `z`",
        r#""a": {"Type": "Try", "Handler": "z", "Next": "z"}, "z": {"Type": "Pop"}"#,
    ),
    (
        "E0702 \"z\": state `z` takes a handler from the stack, and on top there are saved parameters",
        r#""a": {"Type": "Push", "Next": "z"}, "z": {"Type": "Catch"}"#,
    ),
    (
        "E0702 \"z\": state `z` takes saved parameters from the stack, and on top there is the variable `n`",
        r#""a": {"Type": "Let", "Symbol": "n", "Value": 1, "Next": "z"}, "z": {"Type": "Pop"}"#,
    ),
    (
        "E0703 \"z\": the final state `z` is never reached",
        r#""a": {"Type": "Pass", "Next": "b"}, "b": {"Type": "Pass", "Next": "a"}, "z": {"Type": "Pass"}"#,
    ),
    ("E0201 \"y\": state `y` does not exist", r#""a": {"Type": "Pass", "Next": "y"}, "z": {"Type": "Pass"}"#),
    (
        "E0201 \"zz\": state `zz` does not exist",
        r#""a": {"Type": "Try", "Handler": "zz", "Next": "z"}, "z": {"Type": "Pass"}"#,
    ),
    (
        "E0408 \"Next\": the final state `z` has a `Next`",
        r#""a": {"Type": "Pass", "Next": "z"}, "z": {"Type": "Pass", "Next": "a"}"#,
    ),
    (
        "E0408 {: the final state `z` is a Choice, which always leads on",
        r#""a": {"Type": "Push", "Next": "z"}, "z": {"Type": "Choice", "Then": "a", "Else": "a"}"#,
    ),
    ("E0401 {: a Pass state needs `Next`", r#""a": {"Type": "Pass"}, "z": {"Type": "Pass"}"#),
    ("E0401 \"Nxt\": a Pass state needs `Next`", r#""a": {"Type": "Pass", "Nxt": "z"}, "z": {"Type": "Pass"}"#),
    ("E0401 {: a Choice state needs `Then`", r#""a": {"Type": "Choice", "Else": "z"}, "z": {"Type": "Pass"}"#),
    ("E0401 {: a Try state needs `Handler`", r#""a": {"Type": "Try", "Next": "z"}, "z": {"Type": "Pass"}"#),
    ("E0401 {: a Let state needs `Symbol`", r#""a": {"Type": "Let", "Value": 1, "Next": "z"}, "z": {"Type": "Pass"}"#),
    (
        "E0401 {: a Let state needs `Value`",
        r#""a": {"Type": "Let", "Symbol": "n", "Next": "z"}, "z": {"Type": "Pass"}"#,
    ),
    (
        "E0401 {: a Task state needs `Action`, `Function` or `Value`",
        r#""a": {"Type": "Task", "Next": "z"}, "z": {"Type": "Pass"}"#,
    ),
    (
        "E0401 \"Functon\": a Task state needs `Action`, `Function` or `Value`",
        r#""a": {"Type": "Task", "Functon": "x => x", "Next": "z"}, "z": {"Type": "Pass"}"#,
    ),
    (
        "E0403 42: `Action` must be a string, and this is a number",
        r#""a": {"Type": "Task", "Action": 42, "Next": "z"}, "z": {"Type": "Pass"}"#,
    ),
    ("E0407 \"pass\": there is no state type `pass`", r#""a": {"Type": "pass", "Next": "z"}, "z": {"Type": "Pass"}"#),
    (
        "E0410 \"1n\": `1n` is no name of a variable in JavaScript",
        r#""a": {"Type": "Let", "Symbol": "1n", "Value": 1, "Next": "z"}, "z": {"Type": "Pass"}"#,
    ),
    (
        "E0410 \"class\": `class` is a word of JavaScript, and no name of a variable",
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
        (r#"{"States": {"a": {"Type": "Pass"}}, "Exit": "a"}"#, "E0401 {: a composition needs `Entry`"),
        (r#"{"States": {"a": {"Type": "Pass"}}, "Entry": "a"}"#, "E0401 {: a composition needs `Exit`"),
        (r#"{"Entry": "a", "Exit": "a"}"#, "E0401 {: a composition needs `States`"),
        (r#"{"Entry": "a", "Exit": "a", "States": {}}"#, "E0412 {}: `States` is empty"),
        (r#"{"Entry": "a", "Exit": "a", "States": []}"#, "E0403 []: `States` must be an object, and this is an array"),
    ];
    for (definition, expected) in cases {
        assert_eq!(render(&read(definition)), [expected]);
    }
}

/// Checks that the diagnostic shows the path, and the state that pushed the wrong entry.
#[test]
fn stack_faults_tell_how_they_come_about() {
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
            ("E0701", Some("it gets there by `a` → `b` → `c` → `h` → `d`"), vec![]),
            ("E0702", Some("it gets there by `a` → `b` → `c` → `z`"), vec!["`b` put it there"]),
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
        assert!(read.diagnostics.iter().any(|diagnostic| diagnostic.code.id == "N0701"));
    }
}

#[test]
fn all_errors_are_reported_at_once() {
    let states = r#""a": {"Type": "Pop", "Next": "f"}, "f": {"Type": "Task", "Function": "x =>", "Next": "z"},
        "g": {"Type": "Task", "Function": "y =>", "Next": "z"}, "z": {"Type": "Pass"}"#;
    let codes: Vec<&str> = read(&composition(states)).diagnostics.iter().map(|diagnostic| diagnostic.code.id).collect();
    assert_eq!(codes, ["E0701", "E0330", "E0330"]);
    // Functions of unreachable states are checked, too.
    let states = r#""a": {"Type": "Pass", "Next": "z"}, "g": {"Type": "Task", "Function": "y =>", "Next": "z"},
        "z": {"Type": "Pass"}"#;
    let codes: Vec<&str> = read(&composition(states)).diagnostics.iter().map(|diagnostic| diagnostic.code.id).collect();
    assert_eq!(codes, ["E0330"]);
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
    assert_eq!(rendered, ["E0113 : the states carry more than 100000 levels of the stack"]);
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
    let diagnostic = read.diagnostics.iter().find(|diagnostic| diagnostic.code.id == "N0701").expect("a note");
    assert_eq!(diagnostic.label.as_deref(), Some("handler `h` on the stack, by `a` → `b`"));
    assert_eq!(diagnostic.related[0].1, "nothing on the stack, by `a` → `b` → `h` → `b`");
}
