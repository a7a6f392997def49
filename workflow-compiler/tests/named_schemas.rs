//! Schemas that options name for the data of workflows and tasks, in every dialect, and the
//! descriptions of the operations that definitions name.

#![cfg(all(
    feature = "asl",
    feature = "composer",
    feature = "json-schema",
    feature = "serverless-workflow",
    feature = "sm4c",
    feature = "workflow-dsl"
))]

use workflow_compiler::diagnostics::Diagnostic;
use workflow_compiler::passes::infer_tasks;
use workflow_compiler::source::Source;
use workflow_compiler::{
    DescribedValue, Files, Options, Output, SchemaBinding, SchemaFolder, check_only, compile, compile_versions,
};

const RECEIPT: &str = r#"{
    "type": "object", "required": ["id"], "additionalProperties": false,
    "properties": { "id": { "type": "string" }, "amount": { "type": "number" } }
}"#;
/// An object of any members. Of `recept` and `reciept` nothing is known but that they may exist.
const OPEN: &str = r#"{ "properties": { "receipt": { "type": "string" }, "recept": {} },
    "anyOf": [{ "properties": { "reciept": { "type": "string" } } }, true] }"#;
const CHARGE: &str = r#"{ "definitions": { "Charge": {
    "type": "object", "required": ["amount", "card"], "additionalProperties": false,
    "properties": { "amount": { "type": "number" }, "card": { "$ref": "common.json#/definitions/Card" }, "note": {} }
} } }"#;
const COMMON: &str = r#"{ "definitions": { "Card": { "enum": ["visa", "giro"] } } }"#;

fn schema_folder() -> SchemaFolder {
    let files = Files::new(|path| match path.as_str() {
        "schemas/receipt.json" => Ok(RECEIPT.into()),
        "schemas/charge.json" => Ok(CHARGE.into()),
        "schemas/common.json" => Ok(COMMON.into()),
        "schemas/open.json" => Ok(OPEN.into()),
        "schemas/broken.json" => Ok(br#"{ "type": "objet" }"#.to_vec()),
        _ => Err("does not exist".to_owned()),
    });
    SchemaFolder { name: String::new(), files }
}

fn binding(task: &str, value: DescribedValue, file: &str) -> SchemaBinding {
    let task = (!task.is_empty()).then(|| task.to_owned());
    SchemaBinding { task, value, file: file.to_owned(), is_shared: false }
}

fn options(schemas: &[SchemaBinding]) -> Options {
    Options { schemas: schemas.to_vec(), schema_folder: schema_folder(), ..Options::default() }
}

fn receipt(task: &str) -> Options {
    options(&[binding(task, DescribedValue::Output, "schemas/receipt.json")])
}

fn charge() -> Options {
    options(&[binding("ChargeCard", DescribedValue::Input, "schemas/charge.json#/definitions/Charge")])
}

/// Returns a definition in the Amazon States Language with a task and what follows it.
fn asl(parameters: &str, output: &str) -> Source {
    let text = format!(
        r#"{{ "StartAt": "Charge", "States": {{
            "Charge": {{ "Type": "Task", "Resource": "ChargeCard", {parameters} "ResultPath": "$.receipt", "Next": "Use" }},
            "Use": {{ "Type": "Pass", {output} "End": true }} }} }}"#
    );
    Source::new("order.asl.json", text)
}

/// Returns the code, the message, the text at the place, and the text of each related place.
fn shown(output: &Output, found: &Diagnostic) -> String {
    let related = found.related.iter().map(|(span, label)| {
        let place = output.sources.place(*span);
        format!("\n  {place}: {label}")
    });
    let text = output.sources.text(found.span);
    let kind = format!("{:?}", found.severity()).to_lowercase();
    format!("{kind} {} at `{text}`: {}{}", found.code.id, found.message, related.collect::<String>())
}

fn all(output: &Output) -> String {
    output.diagnostics.iter().map(|found| shown(output, found)).collect::<Vec<_>>().join("\n")
}

/// An OpenAPI document that says nothing of data.
const BANK: &str = r#"{
    "openapi": "3.0.0", "info": { "title": "Bank", "version": "1" }, "servers": [{ "url": "https://bank.example.com" }],
    "paths": { "/charge": { "post": { "operationId": "charge", "responses": {} } } }
}"#;

#[test]
fn a_task_has_the_result_that_its_schema_describes() {
    let sm4c = r#"{ "name": "order", "version": "1", "functions": [{ "name": "ChargeCard", "operation": "bank.json#charge" }],
        "states": [{ "name": "Charge", "start": true, "enterResultHandler": "${ { paid: $value.ammount } }", "enterAction":
            { "type": "invokeFunction", "functionName": "ChargeCard", "waitForCompletion": true } }] }"#;
    let sm4c = Source::new("order.sm4c.json", sm4c).with_files(Files::new(|_| Ok(BANK.into())));
    for (dialect, source, expected) in [
        (
            "asl",
            asl("", r#""OutputPath": "$.receipt.ammount","#),
            "error WF1901 at `ammount`: `$.receipt` has no member `ammount`\n  schemas/receipt.json:1: `$.receipt` is ",
        ),
        (
            "sm4c",
            sm4c,
            "warning WF1955 at `ammount`: the member `ammount` is always null: the value has no such member\n  \
             schemas/receipt.json:1: the value is ",
        ),
    ] {
        for name in ["ChargeCard", "Charge"] {
            let found = all(&check_only(source.clone(), &receipt(name)));
            let origin =
                "the output of `ChargeCard` in the schema `schemas/receipt.json`: { amount?: number, id: string }";
            assert_eq!(found, format!("{expected}{origin}"), "{dialect} by {name}");
        }
        assert_eq!(all(&check_only(source, &Options::default())), "", "{dialect}");
    }
}

#[test]
fn a_member_that_a_schema_names_is_not_misspelt() {
    let options = options(&[binding("Charge", DescribedValue::Output, "schemas/open.json")]);
    for (name, is_similar) in [("recept", false), ("reciept", false), ("receit", true), ("another", false)] {
        let found = all(&check_only(asl("", &format!(r#""OutputPath": "$.receipt.{name}","#)), &options));
        assert_eq!(found.contains("WF1957"), is_similar, "{name}: {found}");
    }
}

#[test]
fn the_input_of_a_task_is_checked_in_any_dialect() {
    let serverless = r#"{ "id": "order", "functions": [{ "name": "ChargeCard", "resource": "charge" }], "states": [
        { "name": "Charge", "type": "operation", "start": { "kind": "default" }, "end": { "kind": "default" },
          "actions": [{ "functionRef": { "refName": "ChargeCard", "parameters": { "ammount": 5, "card": "visa" } } }] }] }"#;
    let sm4c = r#"{ "name": "order", "version": "1", "functions": [{ "name": "ChargeCard", "operation": "bank.json#charge" }],
        "states": [{ "name": "Charge", "start": true, "enterAction": { "type": "invokeFunction",
            "functionName": "ChargeCard", "arguments": { "ammount": 5, "card": "visa" } } }] }"#;
    for (file, text) in [("order.serverless-workflow.json", serverless), ("order.sm4c.json", sm4c)] {
        let source = Source::new(file, text).with_files(Files::new(|_| Ok(BANK.into())));
        let found = all(&check_only(source, &charge()));
        let expected = " WF1904 at `ammount`: the input of `ChargeCard` lacks the member `amount`";
        assert!(found.contains(expected), "{file}: {found}");
    }
}

#[test]
fn the_input_of_a_task_must_fit_its_schema() {
    for (parameters, expected) in [
        (r#""amount": 5, "card": "visa""#, ""),
        (r#""amount.$": "$.amount", "card.$": "$.card", "note": 1"#, ""),
        (
            r#""amount": 5"#,
            "error WF1904 at `{ \"amount\": 5 }`: the input of `ChargeCard` lacks the member `card`\n  \
             schemas/charge.json:1: this is the input of `ChargeCard` in the schema \
             `schemas/charge.json#/definitions/Charge`",
        ),
        (
            r#""ammount.$": "$.x", "card": "visa""#,
            "error WF1904 at `ammount`: the input of `ChargeCard` lacks the member `amount`",
        ),
        (
            r#""amount": 5, "card": "visa", "tip": 1"#,
            "error WF1905 at `tip`: the input of `ChargeCard` has the member `tip`, which the schema does not allow",
        ),
        (
            r#""amount": "5", "card": "visa""#,
            "error WF1906 at `amount`: `amount` of the input of `ChargeCard` must be a number, found a string",
        ),
        (
            r#""amount": 5, "card": "gold""#,
            "error WF1906 at `card`: `card` of the input of `ChargeCard` must be \"giro\" | \"visa\", found \"gold\"",
        ),
    ] {
        let output = check_only(asl(&format!(r#""Parameters": {{ {parameters} }},"#), ""), &charge());
        let found = all(&output);
        assert!(found.starts_with(expected) && found.is_empty() == expected.is_empty(), "{parameters}: {found}");
    }
    let misspelt = check_only(asl(r#""Parameters": { "ammount": 5, "card": "visa" },"#, ""), &charge());
    let [found] = &misspelt.diagnostics[..] else { panic!("{:?}", misspelt.diagnostics) };
    assert_eq!(found.help.as_deref(), Some("rename `ammount` to `amount`"));
    let (span, replacement) = found.fix.clone().expect("it has a fix");
    assert_eq!((misspelt.sources.text(span), &*replacement), ("ammount", "amount"));
    let caught = r#""Parameters": { "amount": 5 }, "Catch": [{ "ErrorEquals": ["States.ALL"], "Next": "Use" }],"#;
    let output = check_only(asl(caught, ""), &charge());
    assert!(all(&output).starts_with("warning WF1904"), "{}", all(&output));
}

#[test]
fn the_input_and_the_output_of_a_workflow_have_schemas_in_any_dialect() {
    let input = binding("", DescribedValue::Input, "schemas/receipt.json");
    let path = r#""InputPath": "$.ammount","#;
    let output = check_only(asl(path, ""), &options(std::slice::from_ref(&input)));
    assert_eq!(
        all(&output),
        "error WF1901 at `ammount`: `$` has no member `ammount`\n  schemas/receipt.json:1: `$` is described by the \
         schema `schemas/receipt.json`: { amount?: number, id: string }"
    );
    let output = options(&[binding("", DescribedValue::Output, "schemas/receipt.json")]);
    let checked = check_only(asl("", r#""Parameters": { "id": 5 },"#), &output);
    assert!(all(&checked).starts_with("error WF1906 at "), "{}", all(&checked));
    assert!(all(&checked).contains(": `id` of the output of the workflow must be a string, found a number"));
    // The runtime checks both, so that they are part of the meaning. Those of tasks are not.
    let hash = |options: &Options| compile(asl("", ""), options).hash;
    let plain = hash(&Options::default());
    let hash_of_input = hash(&options(std::slice::from_ref(&input)));
    assert!(plain != hash_of_input && plain != hash(&output) && plain == hash(&charge()));
    assert_ne!(hash_of_input, hash(&output));
    // Executions of an older version end as they began.
    let hash_of_older = |options: &Options| {
        let older = vec![("old".to_owned(), asl("", r#""Comment": "old","#))];
        compile_versions(asl("", ""), older, options)[1].hash
    };
    assert_eq!(hash_of_older(&Options::default()), hash_of_older(&options(&[input])));
    let tokens = compile(asl("", r#""OutputPath": "$.receipt","#), &output).tokens.expect("it is accepted").to_string();
    assert!(tokens.contains("the output"), "{tokens}");
}

#[test]
fn the_files_that_were_read_are_listed() {
    let output = check_only(asl(r#""Parameters": { "amount": 5, "card": "visa" },"#, ""), &charge());
    let read: Vec<&str> = output.schema_inputs.iter().map(|input| input.path.as_str()).collect();
    assert_eq!((read, output.inputs.len()), (vec!["schemas/charge.json", "schemas/common.json"], 0));
}

#[test]
fn mistakes_in_options_have_a_key_and_a_help() {
    use DescribedValue::{Input, Output};
    let both = [Input, Input].map(|value| binding("ChargeCard", value, "schemas/charge.json"));
    for (schemas, key, expected, help) in [
        (
            vec![binding("ChargeCrd", Output, "schemas/receipt.json")],
            "ChargeCrd.output",
            "WF0602 the definition has no task `ChargeCrd`",
            "did you mean `ChargeCard`?",
        ),
        (
            vec![binding("ChargeCard", Output, "schemas/receit.json")],
            "ChargeCard.output",
            "WF0420 the file `schemas/receit.json` does not exist",
            "paths are relative to the folder of the package, or to that of `workflow.toml`",
        ),
        (
            vec![binding("ChargeCard", Output, "schemas/charge.json#/definitions/Chrge")],
            "ChargeCard.output",
            "WF1403 cannot resolve `schemas/charge.json#/definitions/Chrge`: `Chrge` does not exist",
            "did you mean `Charge`?",
        ),
        (both.to_vec(), "ChargeCard.input", "WF0607 two schemas are named for the input of `ChargeCard`", "keep one"),
    ] {
        let output = check_only(asl("", ""), &options(&schemas));
        let [found] = &output.diagnostics[..] else { panic!("{expected}: {:?}", output.diagnostics) };
        let argument = found.argument.as_ref().map(|at| (at.argument, &*at.key));
        assert_eq!(
            (format!("{} {}", found.code.id, found.message).as_str(), argument),
            (expected, Some(("schemas", key)))
        );
        assert!(found.help.as_deref().is_some_and(|own| own.starts_with(help)), "{found:?}");
    }
    // A mistake in the file is at its place there.
    let broken = check_only(asl("", ""), &options(&[binding("Charge", Output, "schemas/broken.json")]));
    let [found] = &broken.diagnostics[..] else { panic!("{:?}", broken.diagnostics) };
    assert_eq!((found.code.id, broken.sources.text(found.span)), ("WF1401", "\"objet\""));
    assert_eq!(broken.sources.place(found.span), "schemas/broken.json:1");
    // Definitions share a `workflow.toml`: only a similar name is reported.
    let shared = |name: &str| SchemaBinding { is_shared: true, ..binding(name, Output, "schemas/receipt.json") };
    let output = check_only(asl("", ""), &options(&[shared("ChargeCrd"), shared("Ship")]));
    assert_eq!(all(&output), "warning WF0652 at ``: the definition has no task `ChargeCrd`");
    // The similar task has a schema of its own.
    let both = [shared("ChargeCrd"), shared("Charge")];
    assert_eq!(all(&check_only(asl("", ""), &options(&both))), "");
    // A schema of its input says nothing about its output.
    let both = [shared("ChargeCrd"), binding("Charge", Input, "schemas/charge.json")];
    let output = check_only(asl("", ""), &options(&both));
    assert_eq!(all(&output), "warning WF0652 at ``: the definition has no task `ChargeCrd`");
}

#[test]
fn a_definition_with_a_schema_of_its_own_keeps_it() {
    let text = r#"{ "id": "order", "dataInputSchema": "own.json", "states": [
        { "name": "E", "type": "inject", "start": { "kind": "default" }, "data": {}, "end": { "kind": "default" } }] }"#;
    let source = Source::new("order.serverless-workflow.json", text).with_files(Files::new(|_| Ok(b"{}".to_vec())));
    let input = binding("", DescribedValue::Input, "schemas/receipt.json");
    let output = check_only(source.clone(), &options(std::slice::from_ref(&input)));
    assert_eq!(all(&output), "error WF0607 at ``: the definition names a schema for its input itself");
    let output = check_only(source, &options(&[SchemaBinding { is_shared: true, ..input }]));
    assert_eq!(all(&output), "");
}

#[cfg(all(feature = "openapi", feature = "rpc"))]
mod services {
    use super::*;

    const DESCRIBED_BANK: &str = r##"{
        "openapi": "3.0.0", "info": { "title": "Bank", "version": "1" }, "servers": [{ "url": "https://bank.example.com" }],
        "paths": { "/charge": { "post": { "operationId": "charge",
            "parameters": [{ "name": "account", "in": "query", "schema": { "type": "string" } },
                { "name": "tags", "in": "query", "schema": { "type": "array", "items": { "type": "string" } } }],
            "requestBody": { "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Charge" } } } },
            "responses": {
                "200": { "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Receipt" } } } },
                "default": { "content": { "application/json": { "schema": { "type": "string" } } } } } } },
            "/range": { "get": { "operationId": "range", "responses": { "200": { "content": {
                "*/*": { "schema": { "$ref": "#/components/schemas/Receipt" } } } } } } },
            "/text": { "get": { "operationId": "text", "responses": { "200": { "content": {
                "text/plain": { "schema": { "type": "string" } } } } } } },
            "/head": { "head": { "operationId": "head", "responses": { "200": { "content": {
                "application/json": { "schema": { "$ref": "#/components/schemas/Receipt" } } } } } } } },
        "components": { "schemas": {
            "Charge": { "type": "object", "properties": { "amount": { "type": "number" }, "card": { "type": "object",
                "properties": { "number": { "type": "string" }, "id": { "type": "string", "readOnly": true } },
                "required": ["number", "id"] } } },
            "Receipt": { "type": "object", "additionalProperties": false, "required": ["id", "state", "secret"], "properties": {
                "id": { "type": "string" }, "secret": { "type": "string", "writeOnly": true },
                "note": { "type": "string", "nullable": true }, "state": { "enum": ["paid", "open"] },
                "next": { "$ref": "#/components/schemas/Receipt" }, "broken": { "$ref": "missing.json#/Thing" } } } } }
    }"##;
    const PROTO: &str = r#"
        syntax = "proto3"; package acme;
        service Bank { rpc Charge(Order) returns (Receipt); }
        message Order { double amount = 1; }
        message Receipt { string id = 1; int64 cents = 2; State state = 3; repeated Receipt parts = 4; optional bool late = 5;
            map<string, bytes> notes = 6; }
        enum State { OPEN = 0; PAID = 1; }"#;

    /// Checks a state machine that calls an operation with arguments, and reads its result.
    fn called(operation: &str, arguments: &str, read: &str) -> String {
        called_with(operation, arguments, read, &Options::default())
    }

    fn called_with(operation: &str, arguments: &str, read: &str, options: &Options) -> String {
        all(&checked(operation, arguments, read, options))
    }

    fn checked(operation: &str, arguments: &str, read: &str, options: &Options) -> Output {
        let kind = if operation.contains(".proto") { "rpc" } else { "rest" };
        let text = format!(
            r#"{{ "name": "order", "version": "1", "functions": [{{ "name": "charge", "type": "{kind}", "operation": "{operation}" }}], "states": [
                {{ "name": "Charge", "start": true, "enterAction": {{ "type": "invokeFunction", "functionName": "charge",
                    "waitForCompletion": true, "arguments": {{ {arguments} }} }},
                  "enterResultHandler": "${{ {{ found: ($value | [{read}]) }} }}" }}] }}"#
        );
        let files = Files::new(|path| match path.as_str() {
            "bank.json" => Ok(DESCRIBED_BANK.into()),
            "bank.proto" => Ok(PROTO.into()),
            _ => Err("does not exist".to_owned()),
        });
        check_only(Source::new("order.sm4c.json", text).with_files(files), options)
    }

    #[test]
    fn the_result_of_an_operation_has_the_shape_of_its_response() {
        for (read, expected) in [
            (".id, .note, .next.next.id, .broken.anything", ""),
            (".idd", "the member `idd` is always null: the value has no such member"),
            (".id.x", "the value is a string and has no member `x`"),
            (".state == \\\"piad\\\"", "the two values are never equal: \"open\" | \"paid\" and \"piad\""),
        ] {
            let found = called("bank.json#charge", "", read);
            assert!(found.contains(expected) && found.is_empty() == expected.is_empty(), "{read}: {found}");
            let origin = "the value is the response of `charge` in `bank.json`";
            assert!(expected.is_empty() || found.contains(origin), "{read}: {found}");
        }
    }

    #[test]
    fn a_file_that_only_a_response_needs_is_still_reported_where_it_is_needed() {
        let text = r#"{ "name": "order", "version": "1", "functions": [
            { "name": "charge", "type": "rest", "operation": "bank.json#charge" },
            { "name": "other", "type": "rest", "operation": "missing.json#other" }], "states": [
            { "name": "Done", "start": true }] }"#;
        let files = Files::new(|path| match path.as_str() {
            "bank.json" => Ok(DESCRIBED_BANK.into()),
            _ => Err("does not exist".to_owned()),
        });
        let output = check_only(Source::new("order.sm4c.json", text).with_files(files), &Options::default());
        assert!(all(&output).contains("error WF0420"), "{}", all(&output));
    }

    #[test]
    fn a_task_of_the_program_has_no_description() {
        let bound = workflow_compiler::TaskBinding {
            task: "charge".to_owned(),
            method: "charge".to_owned(),
            input: None,
            output: None,
        };
        let options = Options { tasks: vec![bound], ..Options::default() };
        assert_eq!(called_with("bank.json#charge", "", ".idd", &options), "");
    }

    #[test]
    fn a_response_is_of_each_kind_that_its_media_types_allow() {
        for (operation, read, expected) in [
            ("range", "(. == \\\"x\\\"), (. == null), (.id? == \\\"x\\\")", ""),
            ("range", ". == 5", "the two values are never equal"),
            ("text", "(. == \\\"x\\\"), (. == null)", ""),
            ("text", ". == 5", "the two values are never equal"),
            ("head", ". == 5", ""),
        ] {
            let found = called(&format!("bank.json#{operation}"), "", read);
            assert!(found.contains(expected) && found.is_empty() == expected.is_empty(), "{operation} {read}: {found}");
        }
    }

    #[test]
    fn the_arguments_of_an_operation_must_fit_its_request() {
        for (arguments, expected) in [
            (r#""account": "${ .x }", "amount": "${ 7 }", "card": "${ { number: \"1\" } }""#, ""),
            (r#""account": "${ [null] | .[0] }", "tags": "${ [[1, 2]] | .[0] }""#, ""),
            (r#""tags": "${ [1] | .[0] }""#, ""),
            (
                r#""tags": "${ [{ a: 1 }] | .[0] }""#,
                "`tags` of the input of `charge` must be an array, a string, a number, a boolean or null, found an object",
            ),
            (
                r#""account": "${ [[1]] | .[0] }""#,
                "`account` of the input of `charge` must be a string, a number, a boolean or null, found an array",
            ),
            (
                r#""amount": "${ [[1]] | .[0] }""#,
                "`amount` of the input of `charge` must be a number or null, found an array",
            ),
            (r#""card": "${ { nmber: \"1\" } }""#, "`card` of the input of `charge` lacks the member `number`"),
        ] {
            let found = called("bank.json#charge", arguments, ".id");
            assert!(found.contains(expected) && found.is_empty() == expected.is_empty(), "{arguments}: {found}");
        }
    }

    #[test]
    fn beside_a_whole_body_its_members_are_no_arguments() {
        let members = r#""amount": "${ [[1]] | .[0] }""#;
        let wrong = "`amount` of the input of `charge` must be a number or null, found an array";
        assert!(called("bank.json#charge", members, ".id").contains(wrong));
        let whole = format!(r#""body": "${{ .body }}", {members}"#);
        let found = called("bank.json#charge", &whole, ".id");
        assert!(found.contains("has no argument `amount`: the argument is not sent"), "{found}");
        assert!(!found.contains(wrong), "{found}");
        let found = called("bank.json#charge", r#""body": "${ [7] | .[0] }""#, ".id");
        assert!(found.contains("`body` of the input of `charge` must be an object"), "{found}");
        // The types of a new crate have the arguments that the definition passes.
        let own = " amount?: number | null";
        for (arguments, has_members) in [(r#""amount": 7"#, true), (r#""body": "${ .body }""#, false)] {
            let output = checked("bank.json#charge", arguments, ".id", &Options::default());
            let tasks = infer_tasks(output.workflow.as_ref().expect("it is valid")).expect("it is small");
            let inputs: Vec<String> = tasks.iter().map(|task| task.input.to_string()).collect();
            assert!(inputs.len() == 1 && inputs[0].contains(own) == has_members, "{arguments}: {inputs:?}");
        }
    }

    #[test]
    fn files_that_only_describe_results_are_listed_while_they_are_missing() {
        let text = r#"{ "name": "order", "version": "1", "functions": [
            { "name": "charge", "type": "rest", "operation": "bank.json#charge" }], "states": [
            { "name": "Done", "start": true, "enterAction": { "type": "invokeFunction", "functionName": "charge",
                "waitForCompletion": true } }] }"#;
        let missing = |existing: Option<&'static str>| {
            let files = Files::new(move |path| match path.as_str() {
                "bank.json" => Ok(DESCRIBED_BANK.into()),
                path if Some(path) == existing => Ok(r#"{ "Thing": { "type": "string" } }"#.into()),
                _ => Err("does not exist".to_owned()),
            });
            let output = check_only(Source::new("order.sm4c.json", text).with_files(files), &Options::default());
            assert_eq!(all(&output), "");
            output.missing_inputs.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(missing(None), ["missing.json"]);
        assert_eq!(missing(Some("missing.json")), [""; 0]);
    }

    #[test]
    fn the_result_of_a_method_has_the_shape_of_its_response() {
        for (read, expected) in [
            (".id, .cents, .late, .parts[0].parts[0].id, .notes.anything", ""),
            (".cent", "the member `cent` is always null: the value has no such member"),
            (".cents - 1", "`-` cannot be applied to a string and a number"),
            (".id.x", "the value is a string and has no member `x`"),
            (".parts.x", "the value is an array and has no member `x`"),
        ] {
            let found = called("bank.proto#acme.Bank/Charge", "", read);
            assert!(found.contains(expected) && found.is_empty() == expected.is_empty(), "{read}: {found}");
        }
    }
}
