//! Definitions that run well, of which nothing is reported: the files `sound.txt` with single
//! expressions and `sound_flows.txt` with whole definitions.

#![cfg(all(
    feature = "asl",
    feature = "cel",
    feature = "composer",
    feature = "serverless-workflow",
    feature = "sm4c",
    feature = "yaml"
))]

use workflow_compiler::source::Source;
use workflow_compiler::{Options, check_only};

/// The output of the state before an expression.
const DATA: &str = r#"{
    "id": 7, "text": "x", "state": "done", "price": 1.5, "flag": true, "none": null, "digits": "12",
    "time": "2024-05-01T10:00:00Z", "json": "{\"a\": 1}", "receipt": { "amount": 12 },
    "items": [{ "name": "a", "price": 1 }, { "name": "b" }], "empty": [], "one": [5],
    "nested": { "list": [[1, 2], [3]] } }"#;

/// Returns the heads of the errors, and of the warnings of shapes.
fn found(file: &str, text: &str) -> Vec<String> {
    let output = check_only(Source::new(file, text), &Options::default());
    let of_interest = output
        .diagnostics
        .iter()
        .filter(|found| found.severity() == workflow_compiler::Severity::Error || found.code.id.starts_with("WF19"));
    of_interest.map(|found| format!("{}: {}", found.code.id, found.message)).collect()
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a text is valid JSON")
}

/// Returns the file name and the text of a definition with an expression.
fn definition(language: &str, expression: &str) -> (&'static str, String) {
    let machine = |language: &str, field: &str, states: &str| {
        format!(
            r#"{{ {language}"StartAt": "Prepare", "States": {{
                "Prepare": {{ "Type": "Pass", "{field}": {DATA}, "Next": "Use" }}, {states} }} }}"#
        )
    };
    let file = "flow.asl.json";
    match language {
        "JSONPath parameters" => {
            let value = quoted(expression);
            let state = format!(r#""Use": {{ "Type": "Pass", "Parameters": {{ "x.$": {value} }}, "End": true }}"#);
            (file, machine("", "Result", &state))
        }
        "JSONPath rules" => {
            let rule = expression.replacen('{', r#"{ "Next": "E", "#, 1);
            let state = format!(
                r#""Use": {{ "Type": "Choice", "Choices": [{rule}], "Default": "F" }},
                   "E": {{ "Type": "Succeed" }}, "F": {{ "Type": "Succeed" }}"#
            );
            (file, machine("", "Result", &state))
        }
        "JSONata" => {
            let value = quoted(&format!("{{% {expression} %}}"));
            let state = format!(r#""Use": {{ "Type": "Pass", "Output": {value}, "End": true }}"#);
            (file, machine(r#""QueryLanguage": "JSONata", "#, "Output", &state))
        }
        "jq" => {
            let prepare = quoted(&format!("${{ {DATA} }}"));
            let value = quoted(&format!("${{ {expression} }}"));
            let text = format!(
                r#"{{ "name": "flow", "version": "1.0", "states": [
                    {{ "name": "Prepare", "start": true, "enterResultHandler": {prepare},
                       "transitions": [{{ "nextState": "Use" }}] }},
                    {{ "name": "Use", "enterResultHandler": {value} }}] }}"#
            );
            ("flow.sm4c.json", text)
        }
        "SpEL" | "CEL" => {
            let text = format!(
                r#"{{ "id": "flow", "states": [
                    {{ "name": "Prepare", "type": "inject", "start": {{ "kind": "default" }}, "data": {DATA},
                       "transition": {{ "nextState": "Use" }} }},
                    {{ "name": "Use", "type": "inject", "data": {{}},
                       "transition": {{ "nextState": "E", "expression": {{ "language": "{}", "body": {} }} }} }},
                    {{ "name": "E", "type": "inject", "data": {{}}, "end": {{ "kind": "default" }} }}] }}"#,
                language.to_lowercase(),
                quoted(expression)
            );
            ("flow.serverless-workflow.json", text)
        }
        "JavaScript" => {
            let text = format!(
                r#"{{ "Entry": "Prepare", "Exit": "E", "States": {{
                    "Prepare": {{ "Type": "Task", "Value": {DATA}, "Next": "Use" }},
                    "Use": {{ "Type": "Task", "Function": {}, "Next": "E" }}, "E": {{ "Type": "Pass" }} }} }}"#,
                quoted(expression)
            );
            ("flow.composer.json", text)
        }
        _ => panic!("no language: {language}"),
    }
}

#[test]
fn nothing_is_reported_of_sound_expressions() {
    let mut reported = Vec::new();
    for block in include_str!("sound.txt").split("\n\n") {
        let (language, expressions) = block.split_once('\n').expect("a language and expressions");
        for expression in expressions.lines() {
            let (file, text) = definition(language, expression);
            reported.extend(found(file, &text).into_iter().map(|found| format!("{language}: {expression}\n  {found}")));
        }
    }
    assert!(reported.is_empty(), "{}", reported.join("\n"));
}

#[test]
fn nothing_is_reported_of_sound_definitions() {
    let mut reported = Vec::new();
    for block in include_str!("sound_flows.txt").split("\n\n") {
        let (name, text) = block.split_once('\n').expect("a name and a definition");
        let (dialect, name) = name.split_once(": ").expect("a dialect and a name");
        let found = found(&format!("flow.{dialect}.yaml"), text);
        reported.extend(found.into_iter().map(|found| format!("{dialect}: {name}\n  {found}")));
    }
    assert!(reported.is_empty(), "{}", reported.join("\n"));
}
