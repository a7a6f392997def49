//! Mistakes in the data flow of definitions, each with its diagnostic: the file `mistakes.txt`.
//! The page `docs/shapes.md` has them as a table.

#![cfg(all(
    feature = "asl",
    feature = "cel",
    feature = "composer",
    feature = "json-schema",
    feature = "serverless-workflow",
    feature = "sm4c",
    feature = "workflow-dsl"
))]

use workflow_compiler::source::Source;
use workflow_compiler::{Files, Options, check_only};

/// A mistake.
struct Mistake {
    /// The language of the expressions, or the dialect: `JsonPath`, `Jsonata`, `Sm4c`, `Dsl`,
    /// `Serverless`, `Spel`, `Cel` or `Composer`.
    language: &'static str,
    what: &'static str,
    /// The state `Use`, and what follows it. In the dialects with conditions the expression.
    states: &'static str,
    /// The text at which it is reported. Empty if that does not matter.
    place: &'static str,
    /// The code and the message.
    expected: &'static str,
}

/// The output of the state before.
const DATA: &str =
    r#"{ "id": 7, "text": "x", "state": "done", "receipt": { "amount": 12 }, "items": [{ "price": 1 }] }"#;
/// The same in jq.
const JQ: &str = r#"{ id: 7, text: \"x\", state: \"done\", receipt: { amount: 12 }, items: [{ price: 1 }] }"#;
/// The schema of such data.
const SCHEMA: &str = r#"{
    "type": "object", "required": ["id", "text", "state", "receipt"], "additionalProperties": false,
    "properties": {
        "id": { "type": "integer" }, "text": { "type": "string" }, "state": { "enum": ["open", "done"] },
        "receipt": {
            "type": "object", "additionalProperties": false, "required": ["amount"],
            "properties": { "amount": { "type": "number" } }
        },
        "items": { "type": "array", "items": { "type": "object", "properties": { "price": { "type": "number" } } } }
    } }"#;
/// The text for `{}` in a Map state, and in a Choice state.
const EACH: &str = r#""ItemProcessor": { "StartAt": "E", "States": { "E": { "Type": "Succeed" } } }, "End": true }"#;
const THEN: &str = r#", "Next": "E" }], "Default": "F" }, "E": { "Type": "Succeed" }, "F": { "Type": "Succeed" }"#;

/// Returns the mistakes of the file. Each has four lines, and an empty line follows.
fn mistakes() -> Vec<Mistake> {
    let read = |block: &'static str| {
        let lines: Vec<&str> = block.lines().collect();
        let [head, states, place, expected] = lines[..] else { panic!("four lines: {block}") };
        let (language, what) = head.split_once(": ").expect("a language and a mistake");
        Mistake { language, what, states, place: place.trim_start_matches("at").trim_start(), expected }
    };
    include_str!("mistakes.txt").split("\n\n").map(read).collect()
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a text is valid JSON")
}

fn definition(mistake: &Mistake) -> String {
    let rest = if mistake.states.contains("\"Map\"") { EACH } else { THEN };
    let states = mistake.states.replace("{}", rest);
    let machine = |language: &str, field: &str| {
        format!(
            r#"{{ {language}"StartAt": "Prepare", "States": {{
                "Prepare": {{ "Type": "Pass", "{field}": {DATA}, "Next": "Use" }}, "Use": {states} }} }}"#
        )
    };
    match mistake.language {
        "JsonPath" => machine("", "Result"),
        "Jsonata" => machine(r#""QueryLanguage": "JSONata", "#, "Output"),
        "Dsl" => format!(
            r#"{{ "id": "flow", "firstActivity": "Prepare", "activities": [
                {{ "name": "Prepare", "type": "inject", "data": {DATA}, "transition": "Use" }},
                {{ "name": "Use", "type": "switch", "dataConditions":
                    [{{ "name": "is", "condition": {}, "end": true }}],
                   "defaultCondition": {{ "transition": "E" }} }},
                {{ "name": "E", "type": "inject", "data": {{}}, "end": true }}] }}"#,
            quoted(&format!("${{ {} }}", mistake.states))
        ),
        "Serverless" => format!(
            r#"{{ "id": "flow", "dataInputSchema": "order.json", "states": [
                {{ "name": "Use", "type": "inject", "start": {{ "kind": "default" }}, "data": {{}},
                   "transition": {{ "nextState": "E", "expression": {{ "language": "jq", "body": {} }} }} }},
                {{ "name": "E", "type": "inject", "data": {{}}, "end": {{ "kind": "default" }} }}] }}"#,
            quoted(mistake.states)
        ),
        "Spel" | "Cel" => format!(
            r#"{{ "id": "flow", "states": [
                {{ "name": "Prepare", "type": "inject", "start": {{ "kind": "default" }}, "data": {DATA},
                   "transition": {{ "nextState": "Use" }} }},
                {{ "name": "Use", "type": "inject", "data": {{}},
                   "transition": {{ "nextState": "E", "expression": {{ "language": "{}", "body": {} }} }} }},
                {{ "name": "E", "type": "inject", "data": {{}}, "end": {{ "kind": "default" }} }}] }}"#,
            mistake.language.to_lowercase(),
            quoted(mistake.states)
        ),
        "Composer" => format!(
            r#"{{ "Entry": "Prepare", "Exit": "E", "States": {{
                "Prepare": {{ "Type": "Task", "Value": {DATA}, "Next": "Use" }}, "Use": {states},
                "E": {{ "Type": "Pass" }} }} }}"#
        ),
        _ => format!(
            r#"{{ "name": "flow", "version": "1.0", "states": [{{ "name": "Prepare", "start": true,
                "enterResultHandler": "${{ {JQ} }}", "transitions": [{{ "nextState": "Use" }}] }}, {states}] }}"#
        ),
    }
}

#[test]
fn every_mistake_is_found_at_its_place() {
    let mut wrong = Vec::new();
    for mistake in mistakes() {
        let file = match mistake.language {
            "Sm4c" => "flow.sm4c.json",
            "Dsl" => "flow.workflow-dsl.json",
            "Serverless" | "Spel" | "Cel" => "flow.serverless-workflow.json",
            "Composer" => "flow.composer.json",
            _ => "flow.asl.json",
        };
        let text = definition(&mistake);
        let source = Source::new(file, text.clone()).with_files(Files::new(|_| Ok(SCHEMA.as_bytes().to_vec())));
        let output = check_only(source, &Options::default());
        let found: Vec<String> =
            output.diagnostics.iter().map(|found| format!("{}: {}", found.code.id, found.message)).collect();
        let at = output.diagnostics.first().map_or("", |found| output.sources.text(found.span));
        if found != [mistake.expected] || !mistake.place.is_empty() && at != mistake.place {
            wrong.push(format!("{}: {}: {found:?} at {at}", mistake.language, mistake.what));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_help_names_the_text_of_the_data() {
    let help = |mistake: &Mistake| {
        let source = Source::new(
            if mistake.language == "Sm4c" { "flow.sm4c.json" } else { "flow.asl.json" },
            definition(mistake),
        );
        let output = check_only(source, &Options::default());
        output.diagnostics.first().and_then(|found| found.help.clone()).unwrap_or_default()
    };
    let misspelt = |mistake: &Mistake| {
        mistake.expected.ends_with("\"done\" and \"doen\"") || mistake.expected.ends_with("is \"done\"")
    };
    let found = mistakes().into_iter().filter(|found| matches!(found.language, "JsonPath" | "Jsonata" | "Sm4c"));
    let mut found: Vec<String> = found.filter(misspelt).map(|mistake| help(&mistake)).collect();
    found.sort();
    found.dedup();
    assert_eq!(found, ["did you mean `StringEquals: \"done\"`?", "did you mean `done`?"]);
}

#[test]
fn a_schema_is_the_origin_of_the_shape_that_it_describes() {
    let state = |name: &str, schema: &str, transition: &str| {
        format!(
            r#"{{ "name": "{name}", "type": "inject", "data": {{}}, {schema} "start": {{ "kind": "default" }},
                "transition": {{ "nextState": "E" {transition} }} }}"#
        )
    };
    let misspelt = r#", "expression": { "language": "jq", "body": ".receipt.ammount > 5" }"#;
    let end = r#"{ "name": "E", "type": "inject", "data": {}, "end": { "kind": "default" } }"#;
    for (field, definition) in [
        (
            "the workflow",
            format!(
                r#"{{ "id": "flow", "dataInputSchema": "order.json", "states": [{}, {end}] }}"#,
                state("A", "", misspelt)
            ),
        ),
        (
            "the input of a state",
            format!(
                r#"{{ "id": "flow", "states": [{}, {end}] }}"#,
                state("A", r#""dataInputSchema": "order.json","#, misspelt)
            ),
        ),
        (
            "the output of a state",
            format!(
                r#"{{ "id": "flow", "states": [{}, {}, {end}] }}"#,
                state("A", r#""dataOutputSchema": "order.json","#, "").replace("\"E\"", "\"B\""),
                state("B", "", misspelt).replace(r#""start": { "kind": "default" },"#, "")
            ),
        ),
    ] {
        let source = Source::new("flow.serverless-workflow.json", definition.clone());
        let source = source.with_files(Files::new(|_| Ok(SCHEMA.as_bytes().to_vec())));
        let output = check_only(source, &Options::default());
        let [found] = &output.diagnostics[..] else { panic!("{field}: {:?}\n{definition}", output.diagnostics) };
        assert_eq!(found.message, "the member `ammount` is always null: the value has no such member", "{field}");
        let [(_, label)] = &found.related[..] else { panic!("{field}: {found:?}") };
        let expected = "the value is described by the schema `order.json`: { amount: number }";
        assert_eq!(label, expected, "{field}");
    }
}

/// Returns the table of the page.
fn table() -> String {
    let mut table = "| language | mistake | diagnostic | asl-validator |\n|---|---|---|---|\n".to_owned();
    for Mistake { language, what, expected, .. } in mistakes() {
        let language = match language {
            "JsonPath" => "JSONPath",
            "Jsonata" => "JSONata",
            "Dsl" => "jq in the Workflow DSL",
            "Serverless" => "jq in Serverless Workflow",
            "Spel" => "SpEL in Serverless Workflow",
            "Cel" => "CEL in Serverless Workflow",
            "Composer" => "JavaScript in Composer",
            _ => "jq in State Machines For Cloud",
        };
        // The pipes of unions would end the cell.
        let expected = expected.replace(" | ", " \\| ");
        let peer = if language.starts_with("JSON") { "accepts" } else { "not run" };
        table.push_str(&format!("| {language} | {what} | {expected} | {peer} |\n"));
    }
    table
}

#[test]
fn the_page_lists_the_mistakes() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/shapes.md");
    let page = std::fs::read_to_string(path).expect("the page exists");
    let (before, rest) = page.split_once("<!-- mistakes -->\n").expect("the table begins");
    let (shown, after) = rest.split_once("<!-- end of mistakes -->").expect("the table ends");
    if std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
        let page = format!("{before}<!-- mistakes -->\n{}<!-- end of mistakes -->{after}", table());
        std::fs::write(path, page).expect("the page is written");
        return;
    }
    assert_eq!(shown, table());
}
