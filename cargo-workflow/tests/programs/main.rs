//! Tests of the commands that build a program. There are few, because each one compiles the
//! runtime crates into one folder. They take minutes, so that `cargo test` skips them, and
//! `cargo xtask ci` runs them.

mod cache;
mod callbacks;
#[path = "../common/mod.rs"]
mod common;
mod first_day;
#[path = "../common/ledger.rs"]
mod ledger;
mod maps;
mod services;

use common::{Done, Folder, target};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// A workflow that charges with retries, then notifies. It catches a refusal.
const FLOW: &str = r#"{
  "StartAt": "Charge",
  "States": {
    "Charge": {
      "Type": "Task", "Resource": "arn:aws:lambda:eu-west-1:123456789012:function:ChargeCard",
      "Parameters": { "sum.$": "$.sum" }, "ResultSelector": { "receipt.$": "$.id" }, "ResultPath": "$.paid",
      "Retry": [{ "ErrorEquals": ["Flaky"], "IntervalSeconds": 1, "MaxAttempts": 2 }],
      "Catch": [{ "ErrorEquals": ["ExitStatus.3", "Declined"], "ResultPath": "$.error", "Next": "Refused" }],
      "Next": "Notify"
    },
    "Notify": {
      "Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken",
      "Parameters": { "token.$": "$$.Task.Token", "paid.$": "$.paid" }, "HeartbeatSeconds": 60, "ResultPath": "$.notified", "End": true
    },
    "Refused": { "Type": "Fail", "Error": "Refused", "CausePath": "$.error.Cause" }
  }
}
"#;

const CASES: &str = r#"
[[run]]
name = "it is paid"
input = { sum = 3 }
expect = { output = { sum = 3, paid = { receipt = 7 }, notified = "ok" } }
visited = ["Charge", "Notify"]
virtual_time = "1s"
[run.tasks]
ChargeCard = [{ error = "Flaky" }, { ok = { id = 7 } }]
Notify = [{ ok = "ok" }]

[[run]]
name = "it is refused"
input = '{ "sum": 3 }'
expect = { error = "Refused", cause = "no funds" }
[run.tasks]
ChargeCard = [{ error = "Declined", cause = "no funds" }]
"#;

/// Returns the lock that is held while a program is built. The programs share the target folder,
/// so a program reuses the crates that the previous one has built.
fn building() -> MutexGuard<'static, ()> {
    static BUILDING: LazyLock<Mutex<()>> = LazyLock::new(Mutex::default);
    BUILDING.lock().unwrap_or_else(PoisonError::into_inner)
}

fn flow(name: &str) -> Folder {
    Folder::new(name).with("flow.asl.json", FLOW).with("case.toml", CASES)
}

#[test]
#[ignore = "builds programs: run by `cargo xtask ci`"]
fn cases_run_under_virtual_time_and_coverage_is_reported() {
    let _building = building();
    let folder = flow("test");
    let done = folder.run(["test", "flow.asl.json"]);
    assert_eq!((done.status, done.err.as_str()), (0, ""), "{}", done.out);
    assert_eq!(
        done.out,
        "ok      it is paid (1s)\nok      it is refused (0s)\n\n2 passed, 0 failed\n\
         states visited: 3 of 3\ntransitions taken: 2 of 2\n"
    );
    let done = folder.run(["test", "flow.asl.json", "--run", "refused"]);
    assert_eq!(
        done.out,
        "ok      it is refused (0s)\n\n1 passed, 0 failed, 1 skipped\n\
         states visited: 2 of 3; not Notify\ntransitions taken: 1 of 2; not Charge → Notify\n"
    );
    // For CI: a report as XML or JSON, and a part of the states that the cases have to visit.
    let done = folder.run(["test", "flow.asl.json", "--format", "junit", "--min-coverage", "100"]);
    assert_eq!((done.status, done.err.as_str()), (0, ""), "{}", done.out);
    assert!(done.out.contains("<testsuite name=\"flow\" tests=\"3\" failures=\"0\" "), "{}", done.out);
    let few = ["test", "flow.asl.json", "--run", "refused", "--min-coverage", "67", "--format", "json"];
    let done = folder.run(few);
    assert_eq!((done.status, done.err.as_str()), (1, ""), "{}", done.out);
    let summary: serde_json::Value = serde_json::from_str(done.out.lines().last().expect("a line")).expect("JSON");
    assert_eq!(
        (&summary["status"], &summary["states"]["missed"][0]),
        (&"failed".into(), &"Notify".into()),
        "{summary}"
    );
    for (arguments, expected) in [
        (["--min-coverage", "120"], "error: `--min-coverage 120`: expected a whole number from 0 to 100\n"),
        (["--format", "xml"], "error: `--format xml`: expected one of `text`, `json`, `junit`\n"),
        (
            ["--run", "x"],
            "error: no run in case.toml has a name that contains \"x\": the runs are \"it is paid\", \"it is refused\"\n",
        ),
    ] {
        let done = folder.run([&["test", "flow.asl.json"], &arguments[..]].concat());
        assert_eq!((done.status, done.out.as_str(), done.err.as_str()), (2, "", expected));
    }
    let wrong =
        CASES.replace("receipt = 7", "receipt = 8").replace("\"1s\"", "\"2s\"").replace("Notify = [", "Notfy = [");
    let folder = folder.with("flow.case.toml", &wrong);
    let done = folder.run(["test", "flow.asl.json"]);
    assert_eq!(done.status, 1, "{}", done.err);
    for part in [
        "FAILED  it is paid (flow.case.toml:2)\n",
        "  `Notfy` (line 10) is neither a task nor a state that invokes one: the tasks are `ChargeCard`, `sqs:sendMessage`\n",
        "  expected output {",
        "no reply left for the task `sqs:sendMessage`",
        "  expected a duration of 2s\n       got 1s\n",
        "1 passed, 1 failed\n",
    ] {
        assert!(done.out.contains(part), "{part}\n{}", done.out);
    }
    let done = folder.with("flow.case.toml", "[[run]]\nx = 1").run(["test", "flow.asl.json"]);
    assert_eq!(done.status, 2);
    assert!(done.err.starts_with("error: flow.case.toml:2:1: unknown key `x`"), "{}", done.err);
}

#[test]
#[ignore = "builds programs: run by `cargo xtask ci`"]
fn a_state_is_tried_by_itself() {
    let _building = building();
    let folder = flow("state");
    let charge = |arguments: &[&str]| {
        let input = ["test", "flow.asl.json", "--state", "Charge", "--input", r#"{"sum": 3}"#];
        folder.run(input.iter().chain(arguments))
    };
    let compact = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let done = charge(&["--result", r#"{"id": 7, "more": 1}"#]);
    assert_eq!((done.status, done.err.as_str()), (0, ""));
    assert_eq!(
        compact(&done.out),
        r#"input { "sum": 3 } after InputPath { "sum": 3 } after Parameters { "sum": 3 } "#.to_owned()
            + r#"input of task ChargeCard { "sum": 3 } result { "id": 7, "more": 1 } "#
            + r#"after ResultSelector { "receipt": 7 } after ResultPath { "sum": 3, "paid": { "receipt": 7 } } "#
            + r#"output { "sum": 3, "paid": { "receipt": 7 } } next Notify"#
    );
    let done = charge(&["--error", "Flaky", "--cause", "again"]);
    assert!(compact(&done.out).ends_with("failed and is retried Flaky: again retry 1 in 1s"), "{}", done.out);
    let done = charge(&["--error", "Flaky", "--retries", "1"]);
    assert!(compact(&done.out).contains("errorDetails { \"retryIndex\": 0 } failed and is retried"), "{}", done.out);
    assert!(compact(&done.out).ends_with("retry 2 in 2s"), "{}", done.out);
    assert!(compact(&done.out).starts_with(r#"input { "sum": 3 } after InputPath"#), "{}", done.out);
    let done = charge(&["--error", "Flaky", "--retries", "9"]);
    assert!(done.status == 1 && compact(&done.out).ends_with("failed Flaky"), "{}", done.out);
    let done = charge(&["--error", "Declined"]);
    assert!(compact(&done.out).ends_with("next Refused") && done.out.contains("caught\n    Declined"), "{}", done.out);
    let done = charge(&["--error", "Other"]);
    assert!(done.status == 1 && compact(&done.out).ends_with("failed Other"), "{}", done.out);
}

/// A parallel state with three branches: the first counts in a variable, the second reads a
/// setting, the third runs a task.
const NESTED: &str = r#"{
  "StartAt": "Init",
  "States": {
    "Init": { "Type": "Pass", "Assign": { "total": 1, "step": 2 }, "Next": "Both" },
    "Both": {
      "Type": "Parallel",
      "Branches": [
        { "StartAt": "Count", "States": {
          "Count": { "Type": "Pass", "Parameters": { "was.$": "$sum", "by.$": "$step" }, "Assign": { "sum.$": "States.MathAdd($sum, $step)" }, "Next": "Again" },
          "Again": { "Type": "Choice", "Choices": [{ "Variable": "$sum", "NumericLessThan": 9, "Next": "Count" }], "Default": "Out" },
          "Out": { "Type": "Succeed" } } },
        { "StartAt": "Ask", "States": { "Ask": { "Type": "Task", "Resource": "arn:aws:states:us-east-1:1:activity:Ask", "Parameters": { "stage": "${Stage}" }, "TimeoutSeconds": 9, "End": true } } }
      ],
      "Catch": [{ "ErrorEquals": ["States.ALL"], "Next": "Saved" }],
      "End": true
    },
    "Saved": { "Type": "Pass", "End": true }
  }
}
"#;

/// A Map state before the state `Saved`.
const EACH: &str = r#""Each": {
      "Type": "Map",
      "ItemSelector": { "item.$": "$$.Map.Item.Value" },
      "ItemProcessor": { "StartAt": "Item", "States": {
        "Item": { "Type": "Pass", "Parameters": { "item.$": "$$.Map.Item.Value" }, "Next": "Do" },
        "Do": { "Type": "Task", "Resource": "arn:aws:states:us-east-1:1:activity:Do", "TimeoutSeconds": 9, "End": true } } },
      "ResultSelector": { "first.$": "$[0]" },
      "Next": "Saved"
    },
    "Saved": {"#;

#[test]
#[ignore = "builds programs: run by `cargo xtask ci`"]
fn a_state_is_given_its_variables_and_runs_what_is_inside_of_it() {
    let _building = building();
    let nested = NESTED.replace("\"Next\": \"Saved\"", "\"Next\": \"Each\"").replace("\"Saved\": {", EACH);
    let nested = nested.replace("\"StartAt\": \"Count\"", "\"StartAt\": \"Zero\"").replace(
        "\"Count\": {",
        "\"Zero\": { \"Type\": \"Pass\", \"Assign\": { \"sum\": 0 }, \"Next\": \"Count\" }, \"Count\": {",
    );
    let folder = Folder::new("nested").with("nested.asl.json", &nested);
    let compact = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let run = |arguments: &[&str]| folder.run(["test", "nested.asl.json", "--state"].iter().chain(arguments));
    let done = run(&["Count", "--input", "{}", "--set", "sum=4", "--set", "step=2"]);
    // The whole machine would bring no array to `Each`.
    let warns = done.err.starts_with("warning[WF1902]: `$` must be an array") && !done.err.contains("error");
    assert!(done.status == 0 && warns, "{}\n{}", done.out, done.err);
    assert!(
        compact(&done.out).ends_with(r#"output { "was": 4, "by": 2 } variables changed { "sum": 6 } next Again"#),
        "{}",
        done.out
    );
    // Neither state has a ResultSelector.
    assert!(!done.out.contains("ResultSelector"), "{}", done.out);
    let done = run(&["Again", "--set", "sum=9"]);
    assert!(compact(&done.out).ends_with("next Out"), "{}", done.out);
    assert!(done.out.contains("chosen\n    `Default`, because no rule holds\n"), "{}", done.out);
    let done = run(&["Again", "--set", "sum=8"]);
    assert!(done.out.contains("chosen\n    rule 1 of 1\n"), "{}", done.out);
    let done = run(&["Both", "--set", "step=5", "--set", "Stage=test", "--result", "\"hi\""]);
    assert!(compact(&done.out).ends_with(r#"next end"#) && done.out.contains("\"hi\""), "{}\n{}", done.out, done.err);
    assert!(done.out.contains("\nresult\n") && !done.out.contains("ResultSelector"), "{}", done.out);
    let done = run(&["Both", "--set", "step=5", "--set", "Stage=test", "--error", "Gone"]);
    assert!(compact(&done.out).ends_with("next Each") && done.out.contains("caught\n    Gone"), "{}", done.out);
    // The outcome can be that of the state as a whole.
    let both = ["Both", "--set", "Stage=test", "--set", "step=5", "--whole"];
    let done = run(&[&both[..], &["--result", "[1, 2]"]].concat());
    assert!(compact(&done.out).ends_with("output [ 1, 2 ] next end"), "{}{}", done.out, done.err);
    let done = run(&[&both[..], &["--error", "Gone"]].concat());
    assert!(compact(&done.out).ends_with("next Each") && !done.out.contains("input of task"), "{}", done.out);
    let context = r#"{"Map": {"Item": {"Value": 7}}}"#;
    let done = run(&["Item", "--input", "5", "--context", context]);
    assert!(compact(&done.out).contains(r#"after Parameters { "item": 7 }"#), "{}{}", done.out, done.err);
    // The iterations of a Map state get the values of its ItemSelector.
    let done = run(&["Each", "--input", "[7, 8]", "--result", "1"]);
    let shown = compact(&done.out);
    for part in [
        r#"after ItemSelector, iteration 0 { "item": 7 }"#,
        r#"after ItemSelector, iteration 1 { "item": 8 }"#,
        r#"result [ 1, 1 ] after ResultSelector { "first": 1 }"#,
    ] {
        assert!(shown.contains(part), "{part}\n{}\n{}", done.out, done.err);
    }
}

/// A composition with a function that counts, a function that only writes, and a handler that is
/// reached with two different stacks.
const COMPOSITION: &str = r#"{
  "Entry": "counter",
  "Exit": "done",
  "States": {
    "counter": { "Type": "Let", "Symbol": "n", "Value": 0, "Next": "seen" },
    "seen": { "Type": "Let", "Symbol": "last", "Value": null, "Next": "count" },
    "count": { "Type": "Task", "Function": "p => { n += 1; return { value: n < 3 } }", "Next": "note" },
    "note": { "Type": "Task", "Function": "p => { last = p; return p }", "Next": "save" },
    "save": { "Type": "Push", "Next": "pay" },
    "pay": { "Type": "Task", "Action": "/acme/shop/pay", "Next": "merge" },
    "merge": { "Type": "Pop", "Next": "report" },
    "report": { "Type": "Task", "Function": "p => ({ ...p, n, last })", "Next": "forget" },
    "forget": { "Type": "End", "Next": "close" },
    "close": { "Type": "End", "Next": "done" },
    "done": { "Type": "Pass" }
  }
}
"#;

#[test]
#[ignore = "builds programs: run by `cargo xtask ci`"]
fn a_state_of_a_composition_is_given_what_it_reads_and_shows_what_it_changes() {
    let _building = building();
    let looped = COMPOSITION.replace("\"Next\": \"merge\"", "\"Next\": \"again\"").replace(
        "\"merge\":",
        "\"again\": { \"Type\": \"Choice\", \"Then\": \"save2\", \"Else\": \"report\" }, \"save2\": { \"Type\": \"Push\", \"Next\": \"save\" }, \"merge\":",
    );
    let folder = Folder::new("one").with("one.composer.json", COMPOSITION).with("two.composer.json", &looped);
    let compact = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let run = |arguments: &[&str]| {
        let done = folder.run(["test", "one.composer.json", "--state"].iter().chain(arguments));
        (done.status, compact(&done.out), done.err)
    };
    let (status, out, err) = run(&["count", "--set", "n=1"]);
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(out.ends_with(r#"output { "value": true } variables changed { "n": 2 } next note"#), "{out}");
    // Variables that the state only writes need no value. Variables that it leaves unchanged are
    // not reported.
    let (_, out, err) = run(&["note", "--input", "{\"a\": 1}"]);
    assert!(out.ends_with(r#"output { "a": 1 } variables changed { "last": { "a": 1 } } next save"#), "{out}{err}");
    let (_, out, err) = run(&["report", "--set", "n=1", "--set", "last=2"]);
    assert!(out.ends_with(r#"output { "n": 1, "last": 2 } next forget"#), "{out}{err}");
    let (status, _, err) = run(&["report", "--set", "n=1"]);
    assert_eq!((status, err.as_str()), (2, "error: settings without a value: add `--set last=VALUE`\n"));
    let (_, out, err) = run(&["merge", "--set", "saved={\"id\": 7}", "--input", "{\"ok\": 1}"]);
    assert!(out.ends_with(r#"output { "result": { "ok": 1 }, "params": { "id": 7 } } next report"#), "{out}{err}");

    // A stack that exists at run time.
    let stack = r#"stack=[{"let": {"n": 1}}, {"let": {"last": 2}}, {"params": {"id": 7}}]"#;
    let done = folder.run(["test", "two.composer.json", "--state", "count", "--set", stack]);
    let expected = r#"variables changed { "stack": [ { "let": { "n": 2 } }, { "let": { "last": 2 } }, { "params": { "id": 7 } } ] } next note"#;
    assert!(compact(&done.out).ends_with(expected), "{}{}", done.out, done.err);
}

#[test]
#[ignore = "builds programs: run by `cargo xtask ci`"]
fn actions_are_those_of_the_platform() {
    let _building = building();
    let server = Server::start();
    let folder = Folder::new("openwhisk").with("flow.composer.json", COMPOSITION);
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-workflow"));
    command.args(["run", "flow.composer.json", "--progress", "none", "--input", "{\"id\": 7}", "--openwhisk"]);
    command.env("__OW_API_HOST", server.url("")).env("__OW_API_KEY", "user:secret").env("__OW_NAMESPACE", "_");
    let done = folder.execute(command);
    assert_eq!((done.status, done.err.as_str()), (0, ""), "{}", done.out);
    let expected = r#"{"result":{"ok":true},"params":{"value":true},"n":1,"last":{"value":true}}"#;
    assert_eq!(done.out.trim_end(), expected);
    let asked = server.asked();
    assert!(asked.starts_with("POST /api/v1/namespaces/acme/actions/shop/pay?blocking=true&result=true "), "{asked}");
    assert!(asked.ends_with("{\"value\":true}"), "{asked}");
    assert!(asked.to_ascii_lowercase().contains("authorization: basic dxnlcjpzzwnyzxq="), "{asked}");
}

#[cfg(unix)]
#[test]
#[ignore = "builds programs: run by `cargo xtask ci`"]
fn tasks_are_commands_endpoints_and_mocks() {
    let _building = building();
    let server = Server::start();
    // Another test has tasks that wait for their token.
    let at_once =
        [(".waitForTaskToken", ""), ("\"token.$\": \"$$.Task.Token\", ", ""), ("\"HeartbeatSeconds\": 60, ", "")];
    let at_once = at_once.iter().fold(FLOW.to_owned(), |flow, (old, new)| flow.replace(old, new));
    let folder = flow("run")
        .with("flow.asl.json", &at_once)
        .with("workflow.toml", "[tasks]\nChargeCard = \"sh ./charge.sh\"\n")
        .with("charge.sh", CHARGE)
        .with("input.json", "{ \"sum\": 9 }");
    let run = |arguments: &[&str]| folder.run(["run", "flow.asl.json", "--progress", "none"].iter().chain(arguments));
    let notify = format!("Notify={}", server.url("/ok"));
    let input = ["--input", r#"{"sum": 3}"#];
    // The command fails once, is retried, and succeeds.
    let done = run(&["--task", &notify, input[0], input[1], "--history", "history.jsonl", "--execution", "e1"]);
    assert_eq!((done.status, done.err.as_str()), (0, ""), "{}", done.out);
    assert_eq!(
        done.out,
        "{\"sum\":3,\"paid\":{\"receipt\":\"3 for Charge of e1, attempt 2\"},\"notified\":{\"ok\":true}}\n"
    );
    let asked = server.asked();
    assert!(asked.starts_with("POST /ok HTTP/1.1\r\n") && asked.contains("\"receipt\":\"3 for Charge"), "{asked}");
    assert!(asked.to_ascii_lowercase().contains("idempotency-key: flow/e1/"), "{asked}");
    assert!(folder.read("history.jsonl").lines().any(|line| line.contains("\"event\":\"StateRetried\"")));

    // A non-zero exit status is an error. A caught error leads to the next state.
    let done = run(&["--task", &notify, "--task", "ChargeCard=echo no funds >&2; exit 3", input[0], input[1]]);
    assert_eq!((done.status, done.out.as_str()), (1, ""));
    assert_eq!(done.err, "the execution failed: Refused: no funds\n");
    let done = run(&["--task", &notify, "--task", "ChargeCard=echo '[1'", input[0], input[1]]);
    assert!(done.err.contains("the response of `echo '[1'` is not JSON: "), "{}", done.err);
    // The status of an endpoint is an error, too.
    let gone = format!("Notify={}", server.url("/gone"));
    let done = run(&["--task", &gone, "--task", "ChargeCard=mock:case.toml#it is paid", input[0], input[1]]);
    assert_eq!((done.status, done.err.as_str()), (1, "the execution failed: Http.StatusCode.410: it is gone\n"));
    let done = run(&["--task", "Notify=http://127.0.0.1:1/", "--mock", "case.toml", input[0], input[1]]);
    assert!(done.err.starts_with("the execution failed: Http.Socket: "), "{}", done.err);

    // The same execution in a database: after its end, it is not run again.
    let kept = [input[0], input[1], "--db", "kept.db", "--id", "e2"];
    let done = run(&[&["--task", &notify][..], &kept].concat());
    assert_eq!((done.status, done.err.as_str()), (0, ""), "{}", done.out);
    let out = done.out;
    assert!(out.contains("3 for Charge of e2, attempt 2") && out.contains("\"notified\":{\"ok\":true}"), "{out}");
    let done = run(&["--mock", "case.toml#it is refused", "--db", "kept.db", "--id", "e2"]);
    assert_eq!((done.status, done.out.as_str()), (0, out.as_str()), "{}", done.err);
    let done = run(&["--mock", "case.toml#it is paid", input[0], input[1], "--db", "kept.db", "--key", "k"]);
    assert_eq!(
        (done.status, done.out.as_str()),
        (0, "{\"sum\":3,\"paid\":{\"receipt\":7},\"notified\":\"ok\"}\n"),
        "{}",
        done.err
    );
    let done = run(&["--mock", "case.toml", "--db", "kept.db", "--key", "k", "--input", "{}"]);
    assert!(done.status == 2 && done.err.starts_with("error: the key `k` was already used to start "), "{}", done.err);

    // All tasks are mocked, the input comes from a file, and progress is shown in lines.
    let done = folder.run(["run", "flow.asl.json", "--mock", "case.toml#it is paid", "--input", "input.json"]);
    assert_eq!((done.status, done.out.as_str()), (0, "{\"sum\":9,\"paid\":{\"receipt\":7},\"notified\":\"ok\"}\n"));
    for part in [
        "flow: started as ",
        "Charge: entered",
        "Charge: failed: Flaky; retry 1 in 1s",
        "Notify: left",
        "flow: succeeded",
    ] {
        assert!(done.err.contains(part), "{part}\n{}", done.err);
    }
    for (arguments, expected) in [
        (&["--input", "{"][..], "error: the input from `--input` is not JSON: "),
        (&["--input", "none.json"], "error: `--input none.json` is neither JSON nor a readable file: "),
        (&["--progress", "loud"], "error: `--progress loud`: expected one of `auto`, `live`, `lines`, `none`\n"),
        (&["--task", "ChargeCard=mock:none.toml"], "error: cannot read none.toml: "),
        (&["--task", "ChargeCard=mock:case.toml#x"], "error: case.toml:1:1: unknown run"),
    ] {
        let done = run(&[&["--task", &notify], arguments].concat());
        assert_eq!((done.status, done.out.as_str()), (2, ""), "{arguments:?}");
        assert!(done.err.starts_with(expected), "{arguments:?}\n{}", done.err);
    }
}

const CHARGE: &str = r#"
case $WORKFLOW_ATTEMPT in
1) echo '{"Error": "Flaky"}' >&2; exit 1;;
*) sum=$(tr -dc 0-9); echo "{\"id\": \"$sum for $WORKFLOW_STATE of $WORKFLOW_EXECUTION, attempt $WORKFLOW_ATTEMPT\"}";;
esac
"#;

#[test]
#[ignore = "builds programs: run by `cargo xtask ci`"]
fn a_new_crate_builds_tests_and_runs_untouched() {
    let _building = building();
    // The new crate is inside another workspace.
    let folder = flow("new").with("Cargo.toml", "[workspace]\nmembers = []\n");
    let done = folder.run(["new", "flow.asl.json", "--out", "shop/flow"]);
    assert_eq!(done.status, 0, "{}", done.err);
    let root = Folder(folder.0.clone());
    let cargo = |arguments: &[&str]| -> Done {
        let mut command = Command::new(env!("CARGO"));
        command.args(arguments).current_dir(root.0.join("shop/flow"));
        let manifest = root.0.join("shop/flow/Cargo.toml");
        command.arg("--manifest-path").arg(manifest).arg("--target-dir").arg(target());
        root.execute(command)
    };
    // Nothing is tested yet, so no test passes.
    let tested = cargo(&["test", "--quiet", "--tests"]);
    assert_eq!((tested.status, tested.err.as_str()), (0, ""), "{}", tested.out);
    for part in ["0 passed; 0 failed; 1 ignored", "0 passed; 0 failed; 2 ignored"] {
        assert!(tested.out.contains(part), "{part}\n{}", tested.out);
    }
    // The crate has no copy of the generated module that could become stale.
    let definition = folder.read("shop/flow/flows/flow.asl.json");
    let folder = folder
        .with("shop/flow/flows/flow.asl.json", &definition.replace("\"Next\": \"Notify\"", "\"Next\": \"Notfy\""));
    let refused = cargo(&["build", "--quiet"]);
    assert!(refused.status != 0 && refused.err.contains("= help: did you mean `Notify`?"), "{}", refused.err);
    let folder = folder.with("shop/flow/flows/flow.asl.json", &definition);
    let linted = cargo(&["build", "--quiet"]);
    assert_eq!((linted.status, linted.err.as_str()), (0, ""), "no warnings");
    // The crate and the checkout can be moved together.
    let manifest = folder.read("shop/flow/Cargo.toml");
    assert!(manifest.contains("\nworkflow-runtime = { path = \"../../../"), "{manifest}");
    let program = target().join("debug").join(format!("flow{}", std::env::consts::EXE_SUFFIX));
    let run = |arguments: &[&str]| {
        let mut command = Command::new(&program);
        command.args(arguments);
        folder.execute(command)
    };
    let failed = "the execution failed: NotImplemented: not implemented: ChargeCard\n";
    let done = run(&["run", "--memory", "--input", "{\"sum\": 1}", "--progress", "none"]);
    assert_eq!((done.status, done.err.as_str()), (1, failed));
    assert!(!folder.0.join("flow.db").exists());
    // Executions are kept by default, and can be shown.
    let done = run(&["run", "--id", "one", "--input", "{\"sum\": 1}", "--progress", "none"]);
    assert_eq!((done.status, done.err.starts_with(failed)), (1, true), "{}", done.err);
    let done = folder.run(["executions", "list", "flow.db", "--status", "failed"]);
    assert!(done.status == 0 && done.out.contains("\none        flow      failed  "), "{}", done.out);
    let done = folder.run(["executions", "show", "flow.db", "one"]);
    assert!(done.out.contains("\nerror          NotImplemented: not implemented: ChargeCard\n"), "{}", done.out);
    assert!(done.out.contains("\nwaited for     Charge: the task ChargeCard\n"), "{}", done.out);
    let done = folder.run(["executions", "history", "flow.db", "one", "--format", "json"]);
    assert!(done.out.lines().any(|line| line.contains("\"event\":\"ExecutionFailed\"")), "{}", done.out);
    assert!(run(&["graph"]).out.starts_with("stateDiagram-v2\n"));
    assert!(run(&["help"]).out.contains("Tasks: ChargeCard, sqs:sendMessage\n"));
    assert!(run(&["test", "case.toml"]).out.contains("2 passed, 0 failed"));
    for (arguments, expected) in [
        (&["rnu"][..], "error: unknown command `rnu`: expected one of `run`, `serve`, `list`, `show`, "),
        (&["run", "--task", "ChargeCard=true"], "error: invalid option '--task'\n"),
        (&["run", "--set", "x"], "error: invalid `--set x`: write `--set NAME=VALUE`\n"),
        (&["test", "none.toml"], "error: cannot read none.toml: "),
    ] {
        let done = run(arguments);
        assert_eq!(done.status, 2, "{arguments:?}");
        assert!(done.err.starts_with(expected), "{arguments:?}\n{}", done.err);
    }
}

/// A server on the loopback interface. It answers `/ok` and requests of OpenWhisk with JSON, and
/// all others with 410.
struct Server {
    port: u16,
    asked: std::sync::Arc<Mutex<String>>,
}

impl Server {
    fn start() -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let asked = std::sync::Arc::new(Mutex::new(String::new()));
        let heard = asked.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if let Some(request) = answer(stream) {
                    *heard.lock().unwrap_or_else(PoisonError::into_inner) = request;
                }
            }
        });
        Server { port, asked }
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Returns the last request.
    fn asked(&self) -> String {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn answer(mut stream: TcpStream) -> Option<String> {
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let count = stream.read(&mut buffer).ok().filter(|count| *count > 0)?;
        request.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&request).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length =
            head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
        if body.len() < length.unwrap_or(0) {
            continue;
        }
        let is_known = text.starts_with("POST /ok ") || text.starts_with("POST /api/v1/namespaces/");
        let (status, answer) = if is_known { ("200 OK", "{\"ok\": true}") } else { ("410 Gone", "it is gone\n") };
        let length = answer.len();
        let answer = format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{answer}");
        stream.write_all(answer.as_bytes()).ok()?;
        return Some(text);
    }
}
