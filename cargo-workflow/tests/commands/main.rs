//! Tests of the commands that build nothing.

mod check;
#[path = "../common/mod.rs"]
mod common;
mod foreign;
mod new;

use common::Folder;
use std::process::{Command, Stdio};
use workflow_compiler::passes::MACHINE_PASSES;

const GOOD: &str = r#"{
  "StartAt": "Pay",
  "States": {
    "Pay": { "Type": "Task", "Resource": "arn:aws:lambda:eu-west-1:123456789012:function:ChargeCard", "Next": "Big" },
    "Big": { "Type": "Choice", "Choices": [{ "Variable": "$.sum", "NumericGreaterThan": 5, "Next": "Done" }], "Default": "Pay" },
    "Done": { "Type": "Succeed" }
  }
}
"#;
const EACH: &str = r#"{
  "StartAt": "Each",
  "States": { "Each": { "Type": "Map", "ItemProcessor": {
    "ProcessorConfig": { "Mode": "DISTRIBUTED", "ExecutionType": "STANDARD" },
    "StartAt": "Keep", "States": { "Keep": { "Type": "Pass", "End": true } } }, "End": true } }
}"#;

const READER: &str =
    r#""ItemReader": { "Resource": "arn:aws:states:::s3:listObjectsV2", "Parameters": { "Bucket": "a" } }"#;

const BOTH: &str = r#"{
  "StartAt": "Both",
  "States": {
    "Both": { "Type": "Parallel", "Branches": [{ "StartAt": "A", "States": { "A": { "Type": "Succeed" } } }], "End": true }
  }
}
"#;
const WARNED: &str = r#"{
  "StartAt": "A",
  "States": {
    "A": { "Type": "Choice", "Choices": [{ "Variable": "$.x", "IsNull": true, "Next": "Round" }], "Default": "Done" },
    "Round": { "Type": "Pass", "Next": "Round" },
    "Done": { "Type": "Succeed" }
  }
}
"#;
const BAD: &str = r#"{
  "StartAt": "Pay",
  "States": { "Pay": { "Type": "Pass", "Next": "Shipp" }, "Ship": { "Type": "Succeed" } }
}
"#;

fn flows(name: &str) -> Folder {
    Folder::new(name)
        .with("good.asl.json", GOOD)
        .with("warned.asl.json", WARNED)
        .with("bad.asl.json", BAD)
        .with("both.asl.json", BOTH)
        .with("each.asl.json", EACH)
        .with("read.asl.json", &EACH.replace(r#""ItemP"#, &format!("{READER}, \"ItemP")))
}

#[test]
fn check_reports_problems_and_fails_on_errors() {
    let folder = flows("check");
    let done = folder.run(["check", "good.asl.json"]);
    assert_eq!(
        (done.status, done.out.as_str(), done.err.as_str()),
        (0, "", "1 definition checked: no problems found\n")
    );

    let done = folder.run(["workflow", "check", "bad.asl.json", "good.asl.json", "warned.asl.json"]);
    assert_eq!(done.status, 1);
    for part in
        ["error[WF0201]", "--> bad.asl.json:3:", "`Ship`", "warning[WF0252]", "3 definitions checked: 1 error, "]
    {
        assert!(done.err.contains(part), "{part}\n{}", done.err);
    }
    assert!(!done.err.contains('\u{1b}'), "no colour without a terminal");
    assert!(folder.run(["check", "--color", "always", "bad.asl.json"]).err.contains('\u{1b}'));
}

#[test]
fn check_compares_sub_flows_with_what_is_checked_beside_them() {
    let call = r#"{ "id": "application", "activities": [{ "name": "Visa", "type": "subFlow", "workflowId": "visa", "version": "VERSION" }] }"#;
    let visa = r#"{ "id": "visa", "version": "1.0", "isChild": true, "activities": [{ "name": "Yes", "type": "inject", "data": {} }] }"#;
    let folder = Folder::new("check-sub-flows")
        .with("old.workflow-dsl.json", &call.replace("VERSION", "1.0"))
        .with("new.workflow-dsl.json", &call.replace("VERSION", "2.0"))
        .with("visa.workflow-dsl.json", visa);
    let done = folder.run(["check", "new.workflow-dsl.json"]);
    assert_eq!((done.status, done.err.as_str()), (0, "1 definition checked: no problems found\n"));
    let done = folder.run(["check", "old.workflow-dsl.json", "visa.workflow-dsl.json"]);
    assert_eq!((done.status, done.err.as_str()), (0, "2 definitions checked: no problems found\n"));
    let done = folder.run(["check", "new.workflow-dsl.json", "visa.workflow-dsl.json"]);
    assert_eq!(done.status, 1);
    for part in ["error[WF1107]", "--> new.workflow-dsl.json:1:", "visa.workflow-dsl.json:1:", "this is version 1.0"] {
        assert!(done.err.contains(part), "{part}\n{}", done.err);
    }
}

#[test]
fn check_prints_findings_as_json() {
    let done = flows("check-json").run(["check", "--format", "json", "warned.asl.json", "bad.asl.json"]);
    assert_eq!((done.status, done.err.as_str()), (1, ""));
    let findings: Vec<serde_json::Value> =
        done.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let line = |finding: &serde_json::Value| format!("{} {} {}", finding["file"], finding["code"], finding["severity"]);
    let lines: Vec<String> = findings.iter().map(line).collect();
    assert_eq!(lines[0], r#""warned.asl.json" "WF0252" "warning""#);
    assert!(lines.contains(&r#""bad.asl.json" "WF0201" "error""#.to_owned()), "{lines:?}");
}

#[test]
fn warnings_are_denied_and_allowed() {
    let folder = flows("deny");
    for (arguments, status) in [
        (&["--deny", "warnings"][..], 1),
        (&["--deny", "WF0252"], 1),
        (&["--deny", "no_way_to_an_end"], 1),
        (&["--deny", "notes"], 0),
        (&[], 0),
        (&["--deny", "warnings", "--allow", "WF0252"], 0),
        (&["--deny", "warnings", "--allow", "no_way_to_an_end"], 0),
        // The code of the first releases.
        (&["--deny", "W0202"], 1),
        (&["--deny", "warnings", "--allow", "w0202"], 0),
    ] {
        let done = folder.run(["check", "warned.asl.json"].iter().chain(arguments));
        assert_eq!(done.status, status, "{arguments:?}: {}", done.err);
    }
    let folder = folder.with("workflow.toml", "allow = [\"wf0252\"]\n");
    assert_eq!(folder.run(["check", "warned.asl.json", "--deny", "warnings"]).status, 0);
    let folder = folder.with("workflow.toml", "allow = [\"W0202\"]\n");
    assert_eq!(folder.run(["check", "warned.asl.json", "--deny", "warnings"]).status, 0);
}

#[test]
fn versions_are_compared() {
    let slower = GOOD.replace("\"Next\": \"Big\"", "\"TimeoutSeconds\": 9, \"Next\": \"Big\"");
    let other_task = GOOD.replace("function:ChargeCard", "function:ChargeAnyCard");
    let renamed = GOOD.replace("\"Pay\"", "\"Charge\"");
    let folder = flows("diff").with("slower.asl.json", &slower).with("task.asl.json", &other_task);
    let early = GOOD.replace("\"StartAt\": \"Pay\"", "\"StartAt\": \"Rest\"");
    let early = early
        .replace("\"Pay\": {", "\"Rest\": { \"Type\": \"Wait\", \"Seconds\": 9, \"Next\": \"Pay\" },\n    \"Pay\": {");
    let late = early.replace("\"Pay\"", "\"Charge\"").replace("ChargeCard", "ChargeAnyCard");
    let folder = folder.with("renamed.asl.json", &renamed).with("early.asl.json", &early).with("late.asl.json", &late);
    let total = |safe, migration, breaking| {
        let needs = if migration == 1 { "needs" } else { "need" };
        format!(
            "1 state at which an execution can wait: {safe} safe, {migration} {needs} migration, {breaking} breaking\n"
        )
    };
    for (arguments, status, said) in [
        (
            &["good.asl.json", "good.asl.json"][..],
            0,
            "nothing changed: both definitions have the same meaning (".to_owned(),
        ),
        (
            &["good.asl.json", "slower.asl.json"],
            0,
            "good.asl.json:4: `Pay`: safe, but later states differ: `Pay` (its time-outs)\n".to_owned()
                + &total(1, 0, 0),
        ),
        (
            &["good.asl.json", "task.asl.json"],
            0,
            "good.asl.json:4: `Pay`: needs migration\n  its task changed from `ChargeCard` to `ChargeAnyCard`\n"
                .to_owned()
                + &total(0, 1, 0),
        ),
        (&["good.asl.json", "task.asl.json", "--deny", "migration"], 1, String::new()),
        (
            &["good.asl.json", "renamed.asl.json"],
            1,
            "good.asl.json:4: `Pay`: breaking\n  the new definition has no state `Pay` at the top level\n  \
             = help: `Charge` (renamed.asl.json:4) has the same definition: was the state renamed?\n"
                .to_owned()
                + &total(0, 0, 1),
        ),
        // The worst verdict comes first, also if its state comes last.
        (
            &["early.asl.json", "late.asl.json"],
            1,
            "early.asl.json:5: `Pay`: breaking\n  the new definition has no state `Pay` at the top level\n  \
             = help: `Charge` (late.asl.json:5) has the same definition: was the state renamed?\n\
             early.asl.json:4: `Rest`: safe, but later states differ: "
                .to_owned(),
        ),
    ] {
        let done = folder.run([&["diff"], arguments].concat());
        assert!(done.out.starts_with(&said), "{arguments:?}: {}", done.out);
        assert_eq!((done.status, done.err.as_str()), (status, ""), "{arguments:?}");
    }
    let done = folder.run(["diff", "--format", "json", "good.asl.json", "task.asl.json"]);
    let lines: Vec<serde_json::Value> =
        done.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 2);
    // The name of the old file is not used as the name of the old workflow.
    assert_eq!((&lines[0]["workflow"], &lines[0]["same"]), (&"task".into(), &false.into()));
    assert_eq!((&lines[1]["state"], &lines[1]["verdict"]), (&"Pay".into(), &"migration".into()));

    let done = folder.run(["diff", "--format", "json", "early.asl.json", "late.asl.json"]);
    let states = done.out.lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON"));
    let states: Vec<String> = states.map(|line: serde_json::Value| line["state"].to_string()).collect();
    assert_eq!(states, ["\"Pay\"", "\"Rest\""]);

    let done = folder.run(["diff", "good.asl.json", "bad.asl.json"]);
    assert_eq!((done.status, done.out.as_str()), (1, ""));
    assert!(done.err.contains("error[WF0201]"), "{}", done.err);
    let done = folder.run(["diff", "good.asl.json"]);
    assert_eq!(done.status, 2);
    assert!(done.err.contains("needs two definitions"), "{}", done.err);
}

#[test]
fn codes_are_explained() {
    let folder = Folder::new("explain");
    let done = folder.run(["explain", "wf0201"]);
    assert!(done.out.starts_with("WF0201: unknown state (`unknown_state`)\n\n"));
    assert_eq!(folder.run(["explain", "unknown_state"]).out, done.out);
    assert_eq!(folder.run(["explain", "E0201"]).out, format!("`E0201` is now WF0201.\n\n{}", done.out));
    let start_state = folder.run(["explain", "start_state"]).out;
    for former in ["WF0801", "WF1201", "start_definition"] {
        assert_eq!(folder.run(["explain", former]).out, format!("`{former}` is now WF0207.\n\n{start_state}"));
    }
    assert!(folder.run(["explain"]).out.lines().any(|line| line.starts_with("WF0252  ")));
    let done = folder.run(["explain", "unknown_stat"]);
    assert_eq!(done.status, 2);
    assert_eq!(done.err, "error: unknown code `unknown_stat`\n  = help: did you mean `unknown_state`?\n");
}

#[test]
fn passes_are_dumped_and_compared() {
    let folder = flows("dump");
    assert!(
        folder
            .run(["dump", "--pass", "tree", "good.asl.json"])
            .out
            .starts_with("object @ 1:1-8:2\n  \"StartAt\": \"Pay\" @ 2:14")
    );
    assert!(folder.run(["dump", "--pass", "hir", "good.asl.json"]).out.starts_with("workflow \"good\" (asl)\n"));
    assert!(folder.run(["dump", "--pass", "propagate_copies", "good.asl.json"]).out.starts_with("entry "));
    let all = folder.run(["dump", "good.asl.json"]).out;
    let help = folder.run(["help", "dump"]).out;
    for pass in MACHINE_PASSES.iter().chain(&["hir", "infer_shapes"]) {
        assert!(all.contains(&format!("== {pass} ==\n")), "{pass}");
        assert!(help.contains(pass), "{pass}");
    }
    let changes = folder.run(["dump", "--diff", "--pass", "compute_liveness", "good.asl.json"]).out;
    assert!(changes.lines().any(|line| line.starts_with("+ point ")), "{changes}");
    assert!(changes.lines().any(|line| line.starts_with("- point ")), "{changes}");
    let refused = folder.run(["dump", "--pass", "hir", "bad.asl.json"]);
    assert_eq!((refused.status, refused.out.as_str()), (1, ""));
    assert!(refused.err.contains("error[WF0201]"));
}

#[test]
fn shapes_of_data_are_printed() {
    let folder = flows("types");
    let shown = folder.run(["types", "good.asl.json"]).out;
    assert!(shown.starts_with("the top level:\n  Pay\n    input: any\n"), "{shown}");
    let schema = folder.run(["types", "--format", "json-schema", "--state", "Pay", "good.asl.json"]).out;
    assert!(schema.starts_with(r#"[{"scope":"the top level","states":{"Pay":{"input":true,"#), "{schema}");
    let unknown = folder.run(["types", "--state", "Pya", "good.asl.json"]);
    assert_eq!(unknown.err, "error: the definition has no state `Pya`\n  = help: did you mean `Pay`?\n");
}

#[test]
fn rust_and_pictures_are_written() {
    let folder = flows("emit");
    let code = folder.run(["emit", "good.asl.json"]).out;
    assert!(code.contains("pub mod good {") && code.contains("fn charge_card("));
    let head = format!("//! Generated from `good.asl.json` by workflow-compiler {}. ", env!("CARGO_PKG_VERSION"));
    assert!(code.starts_with(&(head + "Changes will be lost.\n\n/// The workflow ")), "{code}");
    let whole = folder.0.join("good.asl.json").to_string_lossy().into_owned();
    assert_eq!(folder.run(["emit", &whole]).out.lines().next(), code.lines().next(), "no folder of this machine");
    assert_eq!(folder.run(["emit", "good.asl.json", "--out", "good.rs"]).out, "");
    assert_eq!(folder.read("good.rs"), code);
    assert!(folder.run(["emit", "good.asl.json", "--name", "other"]).out.contains("pub mod other {"));

    assert!(folder.run(["graph", "good.asl.json"]).out.starts_with("stateDiagram-v2\n"));
    assert!(folder.run(["graph", "--format", "dot", "good.asl.json"]).out.starts_with("digraph \"good\" {\n"));
    for (file, start) in [("good.mmd", "stateDiagram-v2\n"), ("good.MERMAID", "stateD"), ("good.gv", "digraph ")] {
        folder.run(["graph", "good.asl.json", "-o", file]);
        assert!(folder.read(file).starts_with(start), "{file}");
    }
    folder.run(["graph", "good.asl.json", "-o", "good.txt", "--format", "dot"]);
    assert!(folder.read("good.txt").starts_with("digraph "));
    folder.run(["graph", "good.asl.json", "-o", "good.svg"]);
    let svg = folder.read("good.svg");
    assert!(svg.starts_with("<svg ") && svg.contains(">$.sum &gt; 5<"), "{svg}");
    assert!(svg.contains(">next<"), "{svg}");
    let bare = folder.run(["graph", "good.asl.json", "--format", "svg", "--no-legend"]).out;
    assert!(bare.starts_with("<svg ") && !bare.contains(">next<"), "{bare}");
}

#[test]
fn options_come_from_the_file_beside_the_definition() {
    let definition = GOOD.replace("ChargeCard", "${Function}");
    let folder = Folder::new("config")
        .with("flow.asl.json", &definition)
        .with("workflow.toml", "name = \"shop\"\n[substitutions]\nFunction = \"TakeMoney\"\n");
    let code = folder.run(["emit", "flow.asl.json"]).out;
    assert!(code.contains("pub mod shop {") && code.contains("fn take_money("));
    let code = folder.run(["emit", "flow.asl.json", "--substitute", "Function=Other", "--name", "own"]).out;
    assert!(code.contains("pub mod own {") && code.contains("fn other("));
    let folder = folder.with("else.toml", "name = \"elsewhere\"\n");
    assert!(folder.run(["emit", "flow.asl.json", "--config", "else.toml"]).out.contains("pub mod elsewhere {"));
}

#[test]
fn mistakes_are_reported_with_help() {
    let folder = flows("mistakes").with("latin.asl.json", "{}").with("toml/flow.asl.json", GOOD);
    std::fs::write(folder.0.join("wide.asl.json"), b"\xff\xfe{\0}\0").expect("it is written");
    std::fs::write(folder.0.join("latin.asl.json"), b"{ \"a\": \"\xe9\" }").expect("it is written");
    for (arguments, expected) in [
        (&["chek"][..], "error: unknown command `chek`\n  = help: did you mean `check`?\n"),
        (
            &["check"],
            "error: `cargo workflow check` needs a definition\n  = help: for example: cargo workflow check order.asl.json\n",
        ),
        (&["check", "none.json"], "error: cannot read `none.json`: "),
        (&["check", "."], "error: cannot read `.`: "),
        (
            &["check", "latin.asl.json"],
            "error: `latin.asl.json` is not valid UTF-8: unexpected byte 0xE9 at 1:9\n  = help: save the file as UTF-8",
        ),
        (
            &["check", "wide.asl.json"],
            "error: `wide.asl.json` is encoded in UTF-16, expected UTF-8\n  = help: save the file as UTF-8",
        ),
        (
            &["graph", "good.asl.json", "--out", "x.png"],
            "error: cannot determine the format from the file name `x.png`\n  = help: use the extension `.svg`, ",
        ),
        (&["graph", "good.asl.json", "--out", "x"], "error: cannot determine the format from the file name `x`\n"),
        (&["check", "--fromat", "json"], "error: unknown option `--fromat`\n  = help: did you mean `--format`?\n"),
        (&["check", "-x"], "error: unknown option `-x`\n"),
        (&["check", "--format", "xml"], "error: `--format xml`: expected one of `text`, `json`\n"),
        (&["check", "--allow", "WF0201", "x"], "error: `WF0201` is an error and cannot be allowed\n"),
        (&["check", "--allow", "W9999", "x"], "error: unknown code `W9999`\n"),
        (&["check", "--substitute", "x", "f"], "error: invalid `--substitute x`\n"),
        (&["check", "--payload-limit", "x", "f"], "error: `--payload-limit x`: expected a number of bytes\n"),
        (
            &["graph", "good.asl.json", "bad.asl.json"],
            "error: `cargo workflow graph` takes one definition: unexpected argument `bad.asl.json`\n",
        ),
        (&["new", "good.asl.json"], "error: `cargo workflow new` needs an output folder\n"),
        (&["new", "good.asl.json", "--out", "."], "error: the folder `.` is not empty\n"),
        (&["new", "good.asl.json", "--out", "x", "--runtime", "/none"], "error: cannot find the folder `/none`: "),
        (&["run", "good.asl.json"], "error: no binding for `ChargeCard`\n"),
        (
            &["run", "good.asl.json", "--task", "ChargeCrd=true"],
            "error: the definition has no task `ChargeCrd`\n  = help: did you mean `ChargeCard`?\n",
        ),
        (&["run", "good.asl.json", "--task", "ChargeCard"], "error: invalid binding `--task ChargeCard`\n"),
        (&["test", "good.asl.json"], "error: found neither `good.case.toml` nor `case.toml`\n"),
        (&["test", "good.asl.json", "--input", "1"], "error: `--input` needs a single state\n"),
        (
            &["test", "good.asl.json", "--state", "Pya", "--result", "1"],
            "error: the definition has no state `Pya`\n  = help: did you mean `Pay`?\n",
        ),
        (&["test", "good.asl.json", "--state", "Pay", "--result", "{"], "error: `--result {` is not JSON: "),
        (&["test", "good.asl.json", "--state", "Pay", "--cause", "c"], "error: `--cause` needs `--error`\n"),
        (&["test", "good.asl.json", "--retries", "1"], "error: `--retries` needs a single state\n"),
        (
            &["test", "good.asl.json", "--state", "Pay", "--retries", "-1"],
            "error: `--retries -1` is not a number of retries\n",
        ),
        (&["test", "good.asl.json", "--state", "Pay", "--context", "[]"], "error: `--context []` is not an object\n"),
        (
            &["test", "good.asl.json", "--state", "Pay", "--whole", "--result", "1"],
            "error: `--whole`: the state `Pay` has no branches or iterations\n",
        ),
        (
            &["test", "both.asl.json", "--state", "Both", "--whole"],
            "error: `--whole` needs `--result`, `--error` or `--task`\n",
        ),
        (&["test", "good.asl.json", "--items", "[]"], "error: `--items` needs a single state\n"),
        (
            &["test", "good.asl.json", "--state", "Pay", "--items", "1"],
            "error: `--items 1` is neither an array nor an object\n",
        ),
        (
            &["test", "good.asl.json", "--state", "Pay", "--items", "[]"],
            "error: `--items`: the state `Pay` is no distributed Map with an `ItemReader`\n",
        ),
        (
            &["test", "each.asl.json", "--state", "Each", "--items", "[]"],
            "error: `--items`: the state `Each` is no distributed Map with an `ItemReader`\n  \
             = help: its items are those of its input: use `--input`\n",
        ),
        (
            &["test", "read.asl.json", "--state", "Each", "--items", "[]", "--whole", "--result", "1"],
            "error: `--items` has no effect with `--whole`: the reader does not run\n  \
             = help: add `--failures N`, or remove `--whole`\n",
        ),
        (
            &["test", "good.asl.json", "--state", "Pay", "--failures", "1"],
            "error: `--failures`: the state `Pay` is no Map\n",
        ),
        (
            &["test", "each.asl.json", "--state", "Each", "--failures", "1"],
            "error: `--failures` needs a result in place of the iterations\n  = help: add `--whole`\n",
        ),
        (
            &["test", "each.asl.json", "--state", "Each", "--failures", "-1"],
            "error: `--failures -1` is not a number of failures\n",
        ),
        (
            &["test", "good.asl.json", "--state", "Pay", "--set", "$$=1"],
            "error: `--set $$`: no definition has a setting of this name\n",
        ),
        (&["run", "good.asl.json", "--set", "$$=1"], "error: `--set $$`: no definition has a setting of this name\n"),
    ] {
        let done = folder.run(arguments);
        assert_eq!((done.status, done.out.as_str()), (2, ""), "{arguments:?}: {}", done.err);
        assert!(done.err.starts_with(expected), "{arguments:?}\n{}", done.err);
    }
    for (toml, expected) in [
        ("nam = 1", "unknown field `nam`"),
        ("express = 1", "expected a boolean"),
        ("default_task_timeout = \"soon\"", "`default_task_timeout` must be a number of seconds or \"none\""),
        ("allow = [\"nothing\"]", "unknown code `nothing`"),
        ("jsonata_limits = { depth = 101 }", "`depth` of `jsonata_limits` must be a number from 1 to 100"),
        ("settings = { \"$$\" = 1 }", "no definition has a setting `$$`"),
        ("jsonata_limits = { steps = 1 }", "unknown field `steps`"),
        (
            "[tasks]\nChargeCard = 1",
            "in `workflow.toml:2:14`: the task `ChargeCard` must be bound to a string or a table, found a number\n",
        ),
        (
            "[tasks]\nChargeCard = { comand = \"x\" }",
            "in `workflow.toml:2:16`: unknown key `comand` of the task `ChargeCard`",
        ),
        (
            "[tasks]\nChargeCard = { run = \"x\" }",
            "in `workflow.toml:2:14`: the task `ChargeCard` must have exactly one of",
        ),
        (
            "[tasks.ChargeCard]\ncommand = [\"x\"]",
            "in `workflow.toml:2:11`: `command` of the task `ChargeCard` must be a string, found an array\n",
        ),
        (
            "[tasks]\nChargeCard = { http = \"http://x\", headers = 1 }",
            "in `workflow.toml:2:45`: `headers` of the task `ChargeCard` must be a table, found a number\n",
        ),
        (
            "[tasks]\nCharge = { rest = true, credentials = { token = \"x\" } }",
            "in `workflow.toml:2:25`: `credentials` of the task `Charge` needs an address in `rest`: with `true`, the environment provides the address and the credentials\n",
        ),
        (
            "[tasks]\nCharge = { rpc = true, token = \"x\" }",
            "in `workflow.toml:2:24`: `token` of the task `Charge` needs an address in `rpc`: ",
        ),
        (
            "[tasks]\nCharge = { rpc = \"x\", plaintext = \"yes\" }",
            "in `workflow.toml:2:35`: `plaintext` of the task `Charge` must be a boolean, found a string\n",
        ),
        (
            "[tasks]\nCharge = { command = \"x\", headers = { A = \"b\" } }",
            "in `workflow.toml:2:27`: `headers` of the task `Charge` requires the key `http`\n",
        ),
        (
            "[tasks]\nNone = { http = \"http://x\", headers = { Accept = true } }",
            "in `workflow.toml:2:50`: the header `Accept` of the task `None` must be a string, found a boolean\n",
        ),
    ] {
        let folder = Folder(folder.0.join("toml")).with("workflow.toml", toml);
        for command in ["check", "run"] {
            let done = folder.run([command, "flow.asl.json"]);
            assert_eq!(done.status, 2, "{command} {toml}: {}", done.err);
            assert!(done.err.contains("workflow.toml") || toml.starts_with("allow"), "{}", done.err);
            assert!(done.err.contains(expected), "{command} {toml}\n{}", done.err);
        }
    }
}

#[test]
fn help_is_there_for_every_command_and_topic() {
    let folder = Folder::new("help");
    assert!(folder.run(["help"]).out.contains("cargo workflow check FILE"));
    assert_eq!(folder.run([""; 0]).out, folder.run(["--help"]).out);
    for topic in ["check", "fix", "explain", "dump", "emit", "graph", "new", "run", "test", "toml", "cases"] {
        let done = folder.run(["help", topic]);
        assert!(done.status == 0 && done.out.lines().count() > 3, "{topic}: {}", done.err);
        if !matches!(topic, "toml" | "cases") {
            assert_eq!(folder.run([topic, "--help"]).out, done.out, "{topic}");
        }
    }
    assert_eq!(folder.run(["help", "chek"]).status, 2);
    assert!(folder.run(["--version"]).out.starts_with("cargo-workflow "));
}

#[cfg(unix)]
#[test]
fn a_broken_pipe_is_quiet() {
    let folder = flows("pipe");
    for arguments in [&["explain"][..], &["emit", "good.asl.json"], &["help"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-workflow"));
        command.current_dir(&folder.0).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{arguments:?}");
    }
}

#[test]
fn files_that_are_not_databases_are_reported() {
    let folder = Folder::new("executions").with("notes.txt", "something dear to somebody").with("empty.db", "");
    for (arguments, expected) in [
        (&["list", "none.db"][..], "error: database `none.db` not found\n"),
        (
            &["list", "notes.txt"],
            "error: `notes.txt` is not a workflow database: it is a file of another kind or an encrypted ",
        ),
        (&["show", "empty.db", "x"], "error: `empty.db` is not a workflow database: it is an empty database, and "),
        (
            &["lits", "none.db"],
            "error: unknown subcommand `lits` of `cargo workflow executions`\n  = help: did you mean `list`?\n",
        ),
        (&[], "error: `cargo workflow executions` needs a subcommand\n"),
        (&["show", "none.db"], "error: wrong arguments for `cargo workflow executions show`\n"),
        (&["show", "none.db", "x", "--limit", "1"], "error: `--limit` is only valid for `executions list`\n"),
        (&["list", "none.db", "--limit", "0"], "error: `--limit 0`: expected a positive number\n"),
        (
            &["list", "none.db", "--status", "lost"],
            "error: unknown status `lost`: expected one of `queued`, `running`, ",
        ),
        (
            &["list", "none.db", "--fromat", "json"],
            "error: unknown option `--fromat`\n  = help: did you mean `--format`?\n",
        ),
    ] {
        let done = folder.run(["executions"].iter().chain(arguments));
        assert_eq!((done.status, done.out.as_str()), (2, ""), "{arguments:?}");
        assert!(done.err.starts_with(expected), "{arguments:?}\n{}", done.err);
    }
    assert_eq!(folder.read("notes.txt"), "something dear to somebody");
    assert!(folder.run(["help", "executions"]).out.starts_with("Shows the executions in a database"));
    let done =
        folder.with("flow.asl.json", GOOD).run(["run", "flow.asl.json", "--key", "k", "--task", "ChargeCard=true"]);
    assert!(done.status == 2 && done.err.starts_with("error: `--key` needs a database\n"), "{}", done.err);
}

#[test]
fn files_outside_of_the_folder_take_a_root() {
    let definition = |document: &str| {
        format!(
            r#"{{ "name": "t", "version": "1", "functions": [{{ "name": "get", "operation": "{document}#getA" }}],
            "states": [{{ "name": "A", "start": true, "enterAction": {{ "type": "invokeFunction", "functionName": "get",
                "waitForCompletion": true }} }}] }}"#
        )
    };
    let document = r#"{ "openapi": "3.0.0", "paths": { "/a": { "get": { "operationId": "getA" } } } }"#;
    let folder = Folder::new("root")
        .with("flows/t.sm4c.json", &definition("../api/bank.json"))
        .with("flows/leak.sm4c.json", &definition("../secret"))
        .with("api/bank.json", document)
        .with("secret", "root:x:0:0:root:/root:/bin/sh\n")
        .with("other/none", "");
    for file in ["flows/t.sm4c.json", "flows/leak.sm4c.json"] {
        let done = folder.run(["check", file]);
        assert_eq!(done.status, 1);
        for part in ["error[WF0420]", "is outside of the root", "`--root` of `cargo workflow`"] {
            assert!(done.err.contains(part), "{part}\n{}", done.err);
        }
        assert!(!done.err.contains("root:x:0:0"), "{}", done.err);
    }
    for root in [".", "../root"] {
        let done = folder.run(["check", "--root", root, "flows/t.sm4c.json"]);
        assert_eq!(done.status, 0, "{root}: {}", done.err);
    }
    let done = folder.run(["check", "--root", "api", "flows/t.sm4c.json"]);
    assert_eq!(
        (done.status, done.err.as_str()),
        (2, "error: the root `api` does not contain the folder of the definition\n")
    );
    let folder = folder.with("flows/workflow.toml", "root = \"..\"\n");
    // This `workflow.toml` was not named on the command line: it comes with the definition.
    let done = folder.run(["check", "flows/t.sm4c.json"]);
    assert_eq!(done.status, 2, "{}", done.err);
    assert!(
        done.err.contains("name the folder with `--root FOLDER`, or the file with `--config FILE`"),
        "{}",
        done.err
    );
    let config = "--config=flows/workflow.toml";
    assert_eq!(folder.run(["check", config, "flows/t.sm4c.json"]).status, 0);
    assert_eq!(folder.run(["emit", config, "flows/t.sm4c.json", "--out", "made.rs"]).status, 0);
    // The new crate would not have the document.
    let done = folder.run(["new", config, "flows/t.sm4c.json", "--out", "made"]);
    assert!(done.err.contains("names the file `../api/bank.json`, which is outside its folder"), "{}", done.err);
    assert_eq!(folder.run(["check", "--root", "flows", "flows/t.sm4c.json"]).status, 1);
}
