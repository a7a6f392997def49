//! Tests of tasks that are service operations, and of events that are sent to an address.

use crate::common::{Done, Folder, target};
use crate::ledger::{self, Call, Ledger};
use crate::{Server, building};
use std::process::Command;

/// A state machine that charges an account by the operation of a service.
const CHARGING: &str = r#"{
  "name": "charging", "version": "1",
  "functions": [{ "name": "charge", "operation": "apis/bank.json#charge" }],
  "states": [{ "name": "Charge", "start": true,
    "enterAction": { "type": "invokeFunction", "functionName": "charge", "arguments": { "account": "${ .id }", "amount": 5 }, "waitForCompletion": true },
    "enterResultHandler": "${ .charge = $value }" }]
}"#;
const BANK: &str = r#"{
  "openapi": "3.0.0",
  "paths": { "/{account}": { "post": { "operationId": "charge", "security": [{ "token": [] }],
    "parameters": [{ "name": "account", "in": "path", "required": true, "schema": { "type": "string" } }],
    "requestBody": { "required": true, "content": { "application/json": { "schema": { "type": "object" } } } } } } },
  "components": { "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } } }
}"#;

/// Runs the definition of a folder with these arguments and environment variables.
fn run(folder: &Folder, arguments: &[&str], variables: &[(&str, &str)]) -> Done {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-workflow"));
    command.args(["run", "flow.sm4c.json", "--progress", "none", "--input", "{\"id\": \"ok\"}"]).args(arguments);
    variables.iter().for_each(|(name, value)| _ = command.env(name, value));
    folder.execute(command)
}

#[test]
#[ignore = "builds programs: run by `cargo xtask ci`"]
fn functions_are_operations_of_services() {
    let _building = building();
    let server = Server::start();
    let folder = Folder::new("rest").with("flow.sm4c.json", CHARGING).with("apis/bank.json", BANK);
    let run = |arguments: &[&str], variables: &[(&str, &str)]| run(&folder, arguments, variables);
    let url = server.url("");
    let called = |done: &Done| {
        assert_eq!((done.status, done.err.as_str()), (0, ""), "{}", done.out);
        assert_eq!(done.out.trim_end(), r#"{"id":"ok","charge":{"ok":true}}"#);
        let asked = server.asked();
        assert!(asked.starts_with("POST /ok HTTP/1.1\r\n") && asked.ends_with("{\"amount\":5}"), "{asked}");
        assert!(asked.to_ascii_lowercase().contains("authorization: bearer secret-1\r\n"), "{asked}");
    };
    called(&run(&["--rest"], &[("WORKFLOW_REST_BANK_URL", &url), ("WORKFLOW_REST_BANK_TOKEN", "secret-1")]));
    let done = run(&["--rest"], &[("WORKFLOW_REST_BANK_URL", &url)]);
    let needed = "cannot call `charge`: the operation `charge` of the service `bank` needs credentials: `WORKFLOW_REST_BANK_TOKEN` (a token)";
    assert!(done.status == 2 && done.err.contains(needed), "{} {}", done.status, done.err);
    let bound =
        format!("[tasks]\ncharge = {{ rest = \"{url}\", credentials = {{ token = \"secret-${{NUMBER}}\" }} }}\n");
    let folder = &folder;
    std::fs::write(folder.0.join("workflow.toml"), bound).expect("a file");
    called(&run(&[], &[("NUMBER", "1")]));
    let done = run(&[], &[]);
    let needed = "cannot call `charge`: the scheme `token` needs the environment variable `NUMBER`";
    assert!(done.status == 2 && done.err.contains(needed), "{} {}", done.status, done.err);
}

/// The same workflow, and then a method of a gRPC service.
const TRANSFER: &str = r#"{
  "name": "transfer", "version": "1",
  "functions": [
    { "name": "charge", "operation": "apis/bank.json#charge" },
    { "name": "book", "type": "rpc", "operation": "ledger.proto#acme.Ledger/Book" }
  ],
  "states": [
    { "name": "Charge", "start": true,
      "enterAction": { "type": "invokeFunction", "functionName": "charge", "arguments": { "account": "${ .id }", "amount": 5 }, "waitForCompletion": true },
      "enterResultHandler": "${ .charge = $value }",
      "transitions": [{ "nextState": "Book" }] },
    { "name": "Book",
      "enterAction": { "type": "invokeFunction", "functionName": "book", "arguments": { "account": "${ .id }" }, "waitForCompletion": true },
      "enterResultHandler": "${ .booked = $value }" }
  ]
}"#;
const TRANSFERRED: &str = r#"{"id":"ok","charge":{"ok":true},"booked":{"account":"seen"}}"#;

fn transfer(name: &str) -> Folder {
    Folder::new(name).with("flow.sm4c.json", TRANSFER).with("apis/bank.json", BANK).with("ledger.proto", ledger::PROTO)
}

fn booked(token: &str) -> Option<Call> {
    let authorization = if token.is_empty() { String::new() } else { format!("Bearer {token}") };
    Some(Call { path: "/acme.Ledger/Book".to_owned(), authorization, request: b"\n\x02ok".to_vec() })
}

#[test]
#[ignore = "builds programs: run by `cargo xtask ci`"]
fn functions_are_methods_of_services() {
    let _building = building();
    let (server, ledger) = (Server::start(), Ledger::start(ledger::SEEN));
    let folder = transfer("rpc");
    let run = |arguments: &[&str], variables: &[(&str, &str)]| run(&folder, arguments, variables);
    let url = server.url("");
    let bank = [("WORKFLOW_REST_BANK_URL", &*url), ("WORKFLOW_REST_BANK_TOKEN", "secret-1")];
    let of_ledger = [("WORKFLOW_RPC_ACME_LEDGER_ADDRESS", &*ledger.address), ("WORKFLOW_RPC_ACME_LEDGER_TOKEN", "t")];
    let done = run(&["--rest", "--rpc"], &[bank, of_ledger].concat());
    assert_eq!((done.status, done.err.as_str(), done.out.trim_end()), (0, "", TRANSFERRED));
    assert_eq!(ledger.called(), booked("t"));
    let done = run(&["--rest", "--rpc"], &bank);
    let needed = "cannot call `book`: `acme.Ledger/Book`: the address of the service is unknown: set `WORKFLOW_RPC_ACME_LEDGER_ADDRESS`";
    assert!(done.status == 2 && done.err.contains(needed), "{} {}", done.status, done.err);
    let done = run(&["--rest"], &bank);
    let needed = "no binding for `book`";
    assert!(done.status == 2 && done.err.contains(needed) && done.err.contains("`--rpc`"), "{}", done.err);
    let bound = format!("[tasks]\nbook = {{ rpc = \"{}\", token = \"secret-${{NUMBER}}\" }}\n", ledger.address);
    std::fs::write(folder.0.join("workflow.toml"), bound).expect("a file");
    let done = run(&["--rest"], &[bank, [("NUMBER", "2"), ("UNUSED", "")]].concat());
    assert_eq!((done.status, done.err.as_str(), done.out.trim_end()), (0, "", TRANSFERRED));
    assert_eq!(ledger.called(), booked("secret-2"));
    let done = run(&["--rest"], &bank);
    let needed = "cannot call `book`: the token needs the environment variable `NUMBER`";
    assert!(done.status == 2 && done.err.contains(needed), "{} {}", done.status, done.err);
}

#[test]
#[ignore = "builds programs: run by `cargo xtask ci`"]
fn a_new_crate_calls_the_services_of_its_functions() {
    let _building = building();
    let (server, ledger) = (Server::start(), Ledger::start(ledger::SEEN));
    let folder = transfer("new-services");
    let done = folder.run(["new", "flow.sm4c.json", "--out", "made"]);
    assert_eq!(done.status, 0, "{}", done.err);
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--manifest-path"]).arg(folder.0.join("made/Cargo.toml"));
    build.arg("--target-dir").arg(target());
    let built = folder.execute(build);
    assert_eq!((built.status, built.err.as_str()), (0, ""), "no warnings");
    let program = target().join("debug").join(format!("flow{}", std::env::consts::EXE_SUFFIX));
    let run = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = Command::new(&program);
        command.args(arguments);
        variables.iter().for_each(|(name, value)| _ = command.env(name, value));
        folder.execute(command)
    };
    let url = server.url("");
    let variables = [
        ("WORKFLOW_REST_BANK_URL", &*url),
        ("WORKFLOW_REST_BANK_TOKEN", "secret-1"),
        ("WORKFLOW_RPC_ACME_LEDGER_ADDRESS", &*ledger.address),
    ];
    let arguments = ["run", "--memory", "--progress", "none", "--input", "{\"id\": \"ok\"}"];
    let done = run(&arguments, &variables);
    assert_eq!((done.status, done.err.as_str(), done.out.trim_end()), (0, "", TRANSFERRED));
    assert_eq!(ledger.called(), booked(""));
    assert!(server.asked().starts_with("POST /ok HTTP/1.1\r\n"));
    // A missing variable is an error before the execution starts. Commands that only show
    // something do not need it.
    for (known, needed) in [(0, "set `WORKFLOW_REST_BANK_URL`"), (2, "set `WORKFLOW_RPC_ACME_LEDGER_ADDRESS`")] {
        let done = run(&arguments, &variables[..known]);
        assert!(done.status == 2 && done.err.starts_with("error: ") && done.err.contains(needed), "{}", done.err);
    }
    assert_eq!(run(&["graph"], &[]).status, 0);
    let tasks = folder.read("made/src/tasks.rs");
    variables.iter().for_each(|(name, _)| assert!(tasks.contains(&format!("/// * `{name}`\n")), "{tasks}"));
}

/// A state machine that sends an event.
const SENDING: &str = r#"{
  "name": "sending", "version": "1",
  "events": [{ "name": "sent", "type": "order.sent" }],
  "states": [{ "name": "Send", "start": true,
    "enterAction": { "type": "sendEvent", "event": "sent", "expression": "${ .id }" } }]
}"#;

#[test]
#[ignore = "builds programs: run by `cargo xtask ci`"]
fn events_leave_for_an_address() {
    let _building = building();
    let server = Server::start();
    let folder = Folder::new("sink").with("flow.sm4c.json", SENDING).with("token", "secret-1\n");
    let run = |to: &str| {
        let arguments = ["run", "flow.sm4c.json", "--progress", "none", "--input", "{\"id\": 7}"];
        folder.run([&arguments[..], &["--sink", &server.url(to), "--sink-token-file", "token"]].concat())
    };
    let done = run("/ok");
    assert_eq!((done.status, done.err.as_str()), (0, ""), "{}", done.out);
    let asked = server.asked();
    assert!(asked.to_ascii_lowercase().contains("authorization: bearer secret-1\r\n"), "{asked}");
    assert!(asked.contains("\"type\":\"order.sent\"") && asked.ends_with("\"data\":7}"), "{asked}");
    let done = run("/gone");
    assert!(done.status == 1 && done.err.contains("Event.NotDelivered"), "{} {}", done.status, done.err);
}
