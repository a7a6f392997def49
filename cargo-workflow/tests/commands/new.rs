//! Tests of `new`: the files of a starter crate. Tests of `programs` build one.

use super::GOOD;
use super::common::Folder;

#[test]
fn a_crate_to_start_from_has_the_documents_and_describes_their_operations() {
    let definition = r#"{
      "name": "charging", "version": "1",
      "functions": [{ "name": "charge", "operation": "apis/bank.json#charge" }],
      "states": [{ "name": "Charge", "start": true,
        "enterAction": { "type": "invokeFunction", "functionName": "charge", "arguments": { "account": "${ .id }" } } }]
    }"#;
    let bank = r#"{ "openapi": "3.0.0", "paths": { "/accounts/{account}": { "post": { "operationId": "charge",
      "parameters": [{ "name": "account", "in": "path", "required": true }] } } } }"#;
    let folder = Folder::new("services").with("flow.sm4c.json", definition).with("apis/bank.json", bank);
    let done = folder.run(["new", "flow.sm4c.json", "--out", "made"]);
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    assert_eq!(folder.read("made/flows/apis/bank.json"), bank);
    let tasks = folder.read("made/src/tasks.rs");
    for part in ["/// Operation: `POST /accounts/{account}` of `apis/bank.json`.\n", "self.rest.call(input, &cx).await"]
    {
        assert!(tasks.contains(part), "{tasks}");
    }
    let manifest = folder.read("made/Cargo.toml");
    let line = manifest.lines().find(|line| line.starts_with("workflow-connectors = "));
    assert!(line.is_some_and(|line| line.ends_with("features = [\"rest\"] }")), "{manifest}");
    let line = manifest.lines().find(|line| line.starts_with("workflow-runtime = "));
    assert!(line.is_some_and(|line| line.contains("\"openapi\"")), "{manifest}");
}

#[test]
fn a_crate_to_start_from_has_the_features_that_its_definition_needs() {
    let definition = r#"{
      "id": "visit", "version": "1.0", "dataInputSchema": "patient.json", "functions": [{ "name": "examine", "resource": "ward" }],
      "states": [{ "name": "Examine", "type": "operation", "start": { "kind": "default" },
        "actions": [{ "functionRef": { "refName": "examine" } }], "end": { "kind": "default" } }]
    }"#;
    let schema = r#"{ "type": "object", "required": ["name"] }"#;
    let folder = Folder::new("features").with("visit.sw.json", definition).with("patient.json", schema);
    let done = folder.run(["new", "visit.sw.json", "--out", "made"]);
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    let manifest = folder.read("made/Cargo.toml");
    let line = manifest.lines().find(|line| line.starts_with("workflow-runtime = "));
    let features = "features = [\"macros\", \"serverless-workflow\", \"json-schema\"] }";
    assert!(line.is_some_and(|line| line.ends_with(features)), "{manifest}");
    assert!(folder.read("made/src/tasks.rs").contains("async fn examine("));
    let library = folder.read("made/src/lib.rs");
    assert!(library.contains("        \"examine\" => examine(ExamineInput),\n"), "{library}");
    // The files of the configuration and of the definition are copied to one folder.
    let folder = Folder(folder.0.clone())
        .with("conf/workflow.toml", "[schemas]\nexamine = { output = 'patient.json' }\n")
        .with("conf/patient.json", "{}");
    let done = folder.run(["new", "visit.sw.json", "--config", "conf/workflow.toml", "--out", "two"]);
    assert!(done.err.contains("`patient.json` is the path of two different files"), "{}", done.err);
    assert_eq!(done.status, 2);
}

#[cfg(feature = "cel")]
#[test]
fn a_crate_with_expressions_in_cel_can_evaluate_them() {
    let definition = r#"{
      "id": "grant", "version": "1.0", "expressionLanguage": "cel", "functions": [{ "name": "score", "resource": "bureau" }],
      "states": [{ "name": "Score", "type": "operation", "start": { "kind": "default" },
        "actions": [{ "functionRef": { "refName": "score" } }],
        "retry": [{ "expression": "error.name == 'Busy'", "interval": "PT1M", "maxAttempts": 2 }], "end": { "kind": "default" } }]
    }"#;
    let folder = Folder::new("in-cel").with("grant.sw.json", definition);
    let done = folder.run(["new", "grant.sw.json", "--out", "made"]);
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    let manifest = folder.read("made/Cargo.toml");
    let line = manifest.lines().find(|line| line.starts_with("workflow-runtime = "));
    assert!(
        line.is_some_and(|line| line.ends_with("features = [\"macros\", \"serverless-workflow\", \"cel\"] }")),
        "{manifest}"
    );
}

/// All options that change the generated module are arguments of the macro.
#[test]
fn a_crate_to_start_from_has_the_options_of_the_command_and_of_the_configuration() {
    let config = "allow = [\"WF0251\"]\npayload_limit = 1000\njsonata_limits = { bytes = 9 }\n[substitutions]\nStage = \"a \\\"b\\\"\"\n";
    let folder = Folder::new("options").with("good.asl.json", GOOD).with("workflow.toml", config);
    let options = ["--name", "Shop v2", "--dialect", "asl", "--default-task-timeout", "none", "--express", "--docker"];
    let done = folder.run(["new", "good.asl.json", "--out", "made"].iter().chain(&options));
    assert_eq!(done.status, 0, "{}", done.err);
    let library = folder.read("made/src/lib.rs");
    for line in [
        "    name: \"Shop v2\",",
        "    dialect: \"asl\",",
        "        \"Stage\" => \"a \\\"b\\\"\",",
        "    allow: [\"WF0251\"],",
        "    default_task_timeout: none,",
        "    payload_limit: 1000,",
        "    jsonata_limits: { depth = 100, bytes = 9 },",
        "    express: true,",
    ] {
        assert!(library.lines().any(|has| has == line), "{line}\n{library}");
    }
    // The Dockerfile has the folders from which the paths of the manifest lead to the checkout.
    let (manifest, docker) = (folder.read("made/Cargo.toml"), folder.read("made/Dockerfile"));
    let path = manifest.split("path = \"").nth(1).and_then(|rest| rest.split("/workflow-runner\"").next());
    let path = path.unwrap_or_else(|| panic!("{manifest}"));
    assert!(
        docker.contains(&format!("docker build -t shop-v2 --build-context workflow-compiler={path} .\n")),
        "{docker}"
    );
    assert!(docker.contains("\nWORKDIR /build/1/2/3/shop-v2\n") == (path == "../../../.."), "{path}\n{docker}");
    assert!(folder.read("made/.dockerignore").starts_with("target\n"));
    let done = folder.run(["new", "good.asl.json", "--out", "other", "--name", "tasks"]);
    assert!(done.status == 2 && done.err.contains("= help: choose another name"), "{} {}", done.status, done.err);
}

/// Names of files come with archives and repositories. They must not become code.
#[cfg(unix)]
#[test]
fn a_crate_to_start_from_has_no_code_from_the_name_of_a_file() {
    let name = "x\nfn evil(){compile_error!(\"PWN\")}\n```\n; `touch pwned`.asl.json";
    let folder = Folder::new("new-name").with(name, GOOD);
    let done = folder.run(["new", name, "--out", "made", "--docker"]);
    assert_eq!(done.status, 0, "{}", done.err);
    for file in
        ["src/lib.rs", "src/main.rs", "src/tasks.rs", "tests/cases.rs", "tests/tasks.rs", "Cargo.toml", "Dockerfile"]
    {
        let text = folder.read(&format!("made/{file}"));
        assert!(text.lines().all(|line| !line.contains("evil()") || is_inert(line)), "{file}\n{text}");
    }
    // In the shell command to copy, the name of the file is one word.
    let readme = folder.read("made/README.md");
    assert!(
        readme.contains(
            "cargo workflow graph 'flows/x fn evil(){compile_error!(\"PWN\")} ``` ; `touch pwned`.asl.json' --out"
        ),
        "{readme}"
    );
    for arguments in [&["check", name][..], &["fix", name], &["check", "no\u{1b}[2J\nsuch.asl.json"]] {
        let done = folder.run(arguments);
        assert!(!done.err.contains('\u{1b}') && !done.err.contains("\nfn evil"), "{}", done.err);
    }
}

/// Returns `true` if a line is a comment or has the name in a string.
#[cfg(unix)]
fn is_inert(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("//") || line.starts_with('#') || line.contains("\\\"PWN\\\"")
}

/// The structs have the members that templates pass, and those that the definition reads.
#[test]
fn tasks_have_the_types_that_the_definition_shows() {
    let definition = r#"{ "StartAt": "Charge", "States": {
      "Charge": { "Type": "Task", "Resource": "arn:aws:lambda:eu-west-1:123456789012:function:ChargeCard",
        "Parameters": { "orderId.$": "$.id", "currency": "EUR", "retries": 3, "type": { "now": true, "tags": ["a"], "Type": 1, "type": 2 } },
        "ResultPath": "$.receipt", "Next": "Big" },
      "Big": { "Type": "Choice", "Choices": [{ "Variable": "$.receipt.total", "NumericGreaterThan": 5, "Next": "Each" }],
        "Default": "Again" },
      "Each": { "Type": "Map", "ItemsPath": "$.receipt.lineItems", "Next": "Done", "ItemProcessor": { "StartAt": "Pack", "States": {
        "Pack": { "Type": "Task", "Resource": "arn:aws:lambda:eu-west-1:123456789012:function:Pack",
          "Parameters": { "sku.$": "$.sku" }, "End": true } } } },
      "Again": { "Type": "Task", "Resource": "arn:aws:lambda:eu-west-1:123456789012:function:ChargeCard",
        "Parameters": { "orderId.$": "$.id", "currency": "EUR" }, "ResultPath": "$.receipt", "Next": "Done" },
      "Done": { "Type": "Succeed" } } }"#;
    let folder = Folder::new("types").with("shop.asl.json", definition);
    let done = folder.run(["new", "shop.asl.json", "--out", "made"]);
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    let tasks = folder.read("made/src/tasks.rs");
    for part in [
        "use serde::{Deserialize, Serialize};\nuse workflow_runtime::{Fault, Shape, TaskContext, Value};\n",
        "_input: ChargeCardInput, _cx: TaskContext) -> Result<ChargeCardOutput, Fault> {",
        "_input: PackInput, _cx: TaskContext) -> Result<Value, Fault> {",
        "#[derive(Debug, Default, Deserialize)]\npub struct ChargeCardInput {\n    pub currency: String,\n    \
         #[serde(rename = \"orderId\")]\n    pub order_id: Value,\n    pub retries: Option<i64>,\n    \
         #[serde(rename = \"type\")]\n    pub type_: Option<ChargeCardInputType>,\n}\n",
        "pub struct ChargeCardInputType {\n    #[serde(rename = \"Type\")]\n    pub type_: i64,\n    pub now: bool,\n    \
         pub tags: Vec<String>,\n    #[serde(rename = \"type\")]\n    pub type_2: i64,\n}\n",
        "#[derive(Debug, Serialize, Shape)]\npub struct ChargeCardOutput {\n    \
         #[serde(rename = \"lineItems\", skip_serializing_if = \"Option::is_none\")]\n    \
         pub line_items: Option<Vec<ChargeCardOutputLineItemsItem>>,\n    \
         #[serde(skip_serializing_if = \"Option::is_none\")]\n    pub total: Option<f64>,\n}\n",
    ] {
        assert!(tasks.contains(part), "{part}\n{tasks}");
    }
    let library = folder.read("made/src/lib.rs");
    for line in [
        "use tasks::{ChargeCardInput, ChargeCardOutput, PackInput};",
        "        \"ChargeCard\" => charge_card(ChargeCardInput) -> ChargeCardOutput,",
        "        \"Pack\" => pack(PackInput),",
    ] {
        assert!(library.lines().any(|has| has == line), "{line}\n{library}");
    }
    let tests = folder.read("made/tests/tasks.rs");
    assert!(tests.contains("let output = Tasks.charge_card(ChargeCardInput::default(), cx).await;"), "{tests}");
}
