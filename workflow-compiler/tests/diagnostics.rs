//! All errors of a definition are reported at once, without errors that only follow from another.

#![cfg(all(feature = "asl", feature = "yaml"))]

use workflow_compiler::diagnostics::Diagnostic;
use workflow_compiler::source::Source;
use workflow_compiler::{Options, Output, check_only};

fn check(text: &str) -> Output {
    let name = if text.starts_with('{') { "order.asl.json" } else { "order.asl.yaml" };
    check_only(Source::new(name, text), &Options::default())
}

/// Returns the diagnostics as `code text`, with the source text of their spans.
fn reported(output: &Output) -> Vec<String> {
    let show = |diagnostic: &Diagnostic| format!("{} {}", diagnostic.code.id, output.sources.text(diagnostic.span));
    output.diagnostics.iter().map(show).collect()
}

#[track_caller]
fn assert_finds(text: &str, expected: &[&str]) {
    assert_eq!(reported(&check(text)), expected, "{text}");
}

/// Returns the help of the only diagnostic.
#[track_caller]
fn help(text: &str) -> String {
    let output = check(text);
    assert_eq!(output.diagnostics.len(), 1, "{text}: {:?}", reported(&output));
    output.diagnostics[0].help.clone().unwrap_or_default()
}

#[test]
fn a_duplicate_key_hides_no_other_mistake() {
    assert_finds(
        r#"{"StartAt": "A", "States": {
            "A": {"Type": "Pass", "Comment": "x", "Comment": "y", "InputPath": "x", "Next": "C"},
            "B": {"Type": "Wait", "Seconds": -1, "End": true}}}"#,
        &["WF0112 \"Comment\"", "WF0301 x", "WF0201 \"C\"", "WF0404 -1"],
    );
    // The state with the error may lead to `B`.
    assert_finds(
        r#"{"StartAt": "A", "States": {
            "A": {"Type": "Pass", "Next": "A", "Next": "B"}, "B": {"Type": "Succeed"}}}"#,
        &["WF0112 \"Next\""],
    );
    assert_finds(
        "StartAt: A\nStates:\n  A: {Type: Pass, Next: B}\n  A: {Type: Pass, End: true}\n",
        &["WF0201 B", "WF0112 A"],
    );
}

#[test]
fn unknown_targets_are_reported_along_with_broken_fields() {
    assert_finds(
        r#"{"StartAt": "Strat", "States": {
            "Start": {"Type": "Task", "Resource": "a:b", "TimeoutSeconds": 0, "Next": "Fork",
                "Catch": [{"ErrorEquals": ["X"], "Next": "Caugth"}]},
            "Fork": {"Type": "Parallel", "Next": "Which", "Branches": [
                {"StartAt": "Inner", "States": {"Inner": {"Type": "Pass", "Next": "Which"}}}]},
            "Which": {"Type": "Choice", "Default": "Nowhere", "Choices": [
                {"Variable": "$.x", "IsNull": 1, "Next": "Elsewhere"}]},
            "Caught": {"Type": "Succeed"}}}"#,
        &[
            "WF0201 \"Strat\"",
            "WF0404 0",
            "WF0201 \"Caugth\"",
            "WF0203 \"Which\"",
            "WF0201 \"Nowhere\"",
            "WF0403 1",
            "WF0201 \"Elsewhere\"",
        ],
    );
}

#[test]
fn unreachable_states_are_reported_where_all_transitions_are_known() {
    // `{}` stands for an error that has no influence on transitions.
    let machine = |state: &str| {
        format!(
            r#"{{"StartAt": "A", "States": {{"A": {state}, "B": {{"Type": "Pass", "Next": "C"}}, "C": {{"Type": "Succeed"}}}}}}"#
        )
    };
    for (state, expected) in [
        (r#"{"Type": "Wait", "Seconds": -1, "Next": "C"}"#, &["WF0404 -1", "WF0205 \"B\""][..]),
        (r#"{"Type": "Wait", "Seconds": -1, "Next": "D"}"#, &["WF0404 -1", "WF0201 \"D\""]),
        (r#"{"Type": "Wait", "Seconds": 1, "Nxt": "B"}"#, &["WF0402 \"Nxt\""]),
        (r#"{"Type": "Wait", "Seconds": 1, "Next": 1}"#, &["WF0403 1"]),
        (r#"{"Type": "Wait", "Seconds": 1}"#, &["WF0408 {"]),
        (r#"{"Type": "Wiat", "Seconds": 1, "Next": "C"}"#, &["WF0407 \"Wiat\""]),
        (r#"{"Tpye": "Wait", "Seconds": 1, "Next": "C"}"#, &["WF0402 \"Tpye\""]),
        (r#"{"Type": "Succeed", "Next": "C"}"#, &["WF0406 \"Next\""]),
        (r#"{"Type": "Pass", "Next": "${Next}"}"#, &["WF0417 ${Next}"]),
        (r#"[]"#, &["WF0403 []"]),
        (r#"{"Type": "Task", "Resource": "a:b", "Catch": {}, "Next": "C"}"#, &["WF0403 {}"]),
        (r#"{"Type": "Task", "Resource": "a:b", "Ctach": [], "Next": "C"}"#, &["WF0402 \"Ctach\""]),
        (
            r#"{"Type": "Task", "Resource": "a:b", "Catch": [{"ErrorEquals": ["X"], "Nxet": "B"}], "Next": "C"}"#,
            &["WF0402 \"Nxet\""],
        ),
        (
            r#"{"Type": "Choice", "Choices": [{"Variable": "$.x", "IsNull": true, "Nxt": "B"}], "Default": "C"}"#,
            &["WF0402 \"Nxt\""],
        ),
        (
            r#"{"Type": "Choice", "Choices": [{"Nxt": "B", "Variable": "$.x", "IsNul": true}], "Default": "C"}"#,
            &["WF0402 \"Nxt\"", "WF0413 \"IsNul\""],
        ),
    ] {
        assert_finds(&machine(state), expected);
    }
    assert_finds(
        r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "ResultPath": "x", "Next": "A"}}}"#,
        &["WF0206 \"A\"", "WF0301 x"],
    );
}

#[test]
fn a_misspelt_field_is_not_missing_too() {
    let state = |state: &str| format!(r#"{{"StartAt": "A", "States": {{"A": {state}}}}}"#);
    for (text, expected) in [
        (state(r#"{"Type": "Task", "Resorce": "a:b", "End": true}"#), "did you mean `Resource`?"),
        (state(r#"{"type": "Pass", "End": true}"#), "did you mean `Type`?"),
        (state(r#"{"Type": "Pass", "Edn": true}"#), "did you mean `End`?"),
        (state(r#"{"Type": "Wait", "seconds": 1, "End": true}"#), "did you mean `Seconds`?"),
        (
            state(r#"{"Type": "Task", "Resource": "a:b", "Retry": [{"ErrorEqual": ["X"]}], "End": true}"#),
            "did you mean `ErrorEquals`?",
        ),
        (state(r#"{"Type": "Parallel", "Branchs": [], "End": true}"#), "did you mean `Branches`?"),
        (state(r#"{"Type": "Map", "ItemProcesor": {}, "End": true}"#), "did you mean `ItemProcessor`?"),
        (r#"{"StartsAt": "A", "States": {"A": {"Type": "Succeed"}}}"#.to_owned(), "did you mean `StartAt`?"),
        (r#"{"StartAt": "A", "states": {"A": {"Type": "Succeed"}}}"#.to_owned(), "did you mean `States`?"),
    ] {
        assert_eq!(help(&text), expected, "{text}");
    }
    // The diagnostic suggests another field.
    assert_finds(&state(r#"{"Type": "Task", "Cacth": [], "End": true}"#), &["WF0401 {", "WF0402 \"Cacth\""]);
}

#[test]
fn a_state_beside_the_states_is_shown_where_to_go() {
    let text = r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "Next": "B"}}, "B": {"Type": "Succeed"}}"#;
    assert_finds(text, &["WF0406 \"B\""]);
    assert_eq!(help(text), "move it into `States`");
}

#[test]
fn a_test_of_presence_needs_no_value() {
    // Only one of the two paths to `Guard` assigns `$v`.
    let guarded = |choices: &str| {
        format!(
            r#"{{"StartAt": "A", "States": {{
                "A": {{"Type": "Choice", "Choices": [{{"Variable": "$.x", "IsNull": true, "Next": "B"}}], "Default": "Guard"}},
                "B": {{"Type": "Pass", "Assign": {{"v": {{"a": 1}}}}, "Next": "Guard"}},
                "Guard": {{"Type": "Choice", "Choices": [{choices}], "Default": "Without"}},
                "With": {{"Type": "Pass", "OutputPath": "$v", "End": true}},
                "Without": {{"Type": "Succeed"}}}}}}"#
        )
    };
    for (choices, expected) in [
        (r#"{"Variable": "$v", "IsPresent": true, "Next": "With"}"#, &[][..]),
        (r#"{"Variable": "$v.a", "IsPresent": true, "Next": "With"}"#, &[]),
        (
            r#"{"Variable": "$v", "IsPresent": false, "Next": "Without"}, {"Variable": "$v.a", "IsNull": true, "Next": "With"}"#,
            &[],
        ),
        (
            r#"{"And": [{"Variable": "$v", "IsPresent": true}, {"Variable": "$v.a", "NumericEquals": 1}], "Next": "With"}"#,
            &[],
        ),
        (
            r#"{"Or": [{"Variable": "$v", "IsPresent": false}, {"Variable": "$v.a", "NumericEquals": 1}], "Next": "Without"}, {"Variable": "$.x", "IsNull": true, "Next": "With"}"#,
            &[],
        ),
        (r#"{"Not": {"Not": {"Variable": "$v", "IsPresent": true}}, "Next": "With"}"#, &[]),
        (r#"{"Variable": "$v", "IsPresent": false, "Next": "With"}"#, &["WF0253 $v"]),
        (
            r#"{"And": [{"Variable": "$v.a", "NumericEquals": 1}, {"Variable": "$v", "IsPresent": true}], "Next": "With"}"#,
            &["WF0253 $v"],
        ),
        (
            // The state before has read `$.x`, so that it exists.
            r#"{"Or": [{"Variable": "$v", "IsPresent": true}, {"Variable": "$.x", "IsPresent": true}], "Next": "With"}"#,
            &["WF1954 \"Without\"", "WF0253 $v"],
        ),
    ] {
        assert_finds(&guarded(choices), expected);
    }
}

#[test]
fn helps_say_what_to_write() {
    let state = |state: &str| format!(r#"{{"StartAt": "A", "States": {{"A": {state}}}}}"#);
    let task = |more: &str| state(&format!(r#"{{"Type": "Task", "Resource": "a:b", {more}, "End": true}}"#));
    for (text, expected) in [
        (task(r#""Retry": [{"ErrorEquals": "States.ALL"}]"#), "put it in brackets: `[\"States.ALL\"]`"),
        (task(r#""Retry": {"ErrorEquals": ["States.ALL"]}"#), "put it in brackets: `[{ … }]`"),
        (task(r#""Catch": {"ErrorEquals": ["States.ALL"], "Next": "A"}"#), "put it in brackets: `[{ … }]`"),
        (state(r#"{"Type": "Choice", "Choices": {}, "Default": "A"}"#), "put it in brackets: `[{ … }]`"),
        (state(r#"{"Type": "Parallel", "Branches": {}, "End": true}"#), "put it in brackets: `[{ … }]`"),
        ("StartAt: A\nStates:\n  A:\n    Type: Pass\n    End: yes\n".to_owned(), "write `true`"),
        (
            "StartAt: A\nStates:\n  A: {Type: Choice, Choices: [{Variable: $.x, IsNull: no, Next: A}]}\n".to_owned(),
            "write `false`",
        ),
        (state(r#"{"Type": "Pass", "End": "yes"}"#), "write `true`, without quotes"),
        (
            "StartAt: A\nStates:\n  A:\n    Type: Parallel\n    End: true\n    Branches:\n      StartAt: B\n"
                .to_owned(),
            "begin each element with `- `",
        ),
        (
            "StartAt: A\nStates:\n  A: {Type: Task, Resource: a, Retry: [{ErrorEquals: States.ALL}], End: true}\n"
                .to_owned(),
            "put it in brackets: `[States.ALL]`",
        ),
        (task(r#""InputPath": "order.id""#), "write `$.order.id`"),
        (task(r#""ResultPath": "result""#), "write `$.result`"),
        (task(r#""InputPath": """#), "write `$` for all of the data, or `$.name` for a part"),
        (
            task(r#""InputPath": "States.UUID()""#),
            "compute the value in `Parameters` of an earlier Pass state, and write the path of the value here",
        ),
        (task(r#""Parameters": {"x.$": "States.Max($.a, $.b)"}"#), "run `cargo workflow explain WF0311` for a list"),
        (
            state(r#"{"Type": "Choice", "Choices": [{"Condition": "{% $a %}", "Next": "A"}]}"#),
            "use `Variable` and an operator, or set `QueryLanguage` to `JSONata`",
        ),
        (
            r#"{"StartAt": "A", "States": [{"Name": "A", "Type": "Succeed"}]}"#.to_owned(),
            "write it as `{ \"Name\": { … } }`, with the names as keys",
        ),
        ("StartAt: A\nStates:\n  A: {Type: Wait, Seconds: 10s, End: true}\n".to_owned(), "write a whole number"),
        (task(r#""InputPath": "order[0]""#), "start it with `$.`"),
        (task(r#""Parameters": {"x.$": "States.JsonParse($.text)"}"#), "did you mean `States.StringToJson`?"),
        (task(r#""Parameters": {"x.$": "States.JSONStringify($)"}"#), "did you mean `States.JsonToString`?"),
        (task(r#""Parameters": {"x.$": "States.Concat('a', 'b')"}"#), "did you mean `States.Format`?"),
        (task(r#""Parameters": {"x.$": "States.Random(1, 2)"}"#), "did you mean `States.MathRandom`?"),
        (task(r#""Parameters": {"x.$": "States.Length($.list)"}"#), "did you mean `States.ArrayLength`?"),
        (
            task(r#""Retry": [{"ErrorEquals": ["States.BranchFailed"]}]"#),
            "name the error with which the branch fails, or use `States.ALL`",
        ),
        (
            r#"{"StartAt": "A", "States": {"A": {"Type": "Succeed"}}} and more"#.to_owned(),
            "remove the text, or the bracket that ends the definition too early",
        ),
    ] {
        assert_eq!(help(&text), expected, "{text}");
    }
}
