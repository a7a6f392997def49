//! Tests of `cargo workflow fix`.

mod common;

use common::Folder;
use std::process::{Command, Stdio};

const GOOD: &str = r#"{
  "StartAt": "Pay",
  "States": {
    "Pay": { "Type": "Task", "Resource": "arn:aws:lambda:eu-west-1:123456789012:function:ChargeCard", "Next": "Big" },
    "Big": { "Type": "Choice", "Choices": [{ "Variable": "$.sum", "NumericGreaterThan": 5, "Next": "Done" }], "Default": "Pay" },
    "Done": { "Type": "Succeed" }
  }
}
"#;
const BAD: &str = r#"{
  "StartAt": "Pay",
  "States": { "Pay": { "Type": "Pass", "Next": "Shipp" }, "Ship": { "Type": "Succeed" } }
}
"#;

#[test]
fn what_is_certain_is_mended() {
    let crooked = GOOD.replace("\"Next\": \"Big\" },", "\"Next\": \"Big\", }");
    let crooked = crooked.replace("  \"StartAt\": \"Pay\",\n", "\t \"StartAt\" = 'Pay' ,\r\n");
    let mended = crooked.replace("\"Big\", }", "\"Big\" },").replace("= 'Pay'", ": \"Pay\"");
    let folder = Folder::new("fix").with("flow.asl.json", &crooked).with("good.asl.json", GOOD);

    let done = folder.run(["fix", "--dry-run", "flow.asl.json"]);
    let diagnostics = "\
flow.asl.json:2:13: unexpected `=` between a key and its value; write `:`
flow.asl.json:2:15: a JSON string must be in straight double quotes; write `\"Pay\"`
flow.asl.json:4:116: trailing comma before `}`; remove this comma
flow.asl.json:4:119: missing comma; write `,` here
";
    let expected = format!("{diagnostics}flow.asl.json: 4 places to fix\n");
    assert_eq!((done.status, done.err.as_str()), (0, expected.as_str()));
    assert!(done.out.contains("\n- \t \"StartAt\" = 'Pay' ,\n+ \t \"StartAt\" : \"Pay\" ,\n"), "{}", done.out);
    assert_eq!(folder.read("flow.asl.json"), crooked);

    let done = folder.run(["fix", "flow.asl.json", "good.asl.json"]);
    let expected = format!("{diagnostics}flow.asl.json: 4 places fixed\ngood.asl.json: nothing to fix\n");
    assert_eq!((done.status, done.out.as_str(), done.err.as_str()), (0, "", expected.as_str()));
    assert_eq!((folder.read("flow.asl.json"), folder.read("good.asl.json")), (mended.clone(), GOOD.to_owned()));

    // The text from standard input is on standard output, byte by byte.
    let text = crooked.trim_end();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-workflow"));
    let mut child = command
        .args(["fix", "--dialect", "asl", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    std::io::Write::write_all(&mut child.stdin.take().expect("it is piped"), text.as_bytes()).expect("it is read");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(
        (output.status.code(), String::from_utf8(output.stdout).expect("text").as_str()),
        (Some(0), mended.trim_end())
    );
}

#[test]
fn what_is_not_certain_is_left() {
    let two = "{ \"StartAt\": \"A\", \"States\": { \"A\": { \"Type\": \"Succeed\", } \n";
    let folder =
        Folder::new("fix-left").with("two.asl.json", two).with("bad.asl.json", BAD).with("x.asl.yaml", "a: b: c\n");
    let done = folder.run(["fix", "two.asl.json"]);
    assert_eq!(done.status, 1);
    for part in [
        "two.asl.json:1:55: trailing comma before `}`; remove this comma",
        "error[WF0102]: the file ends before `}}`\n",
        "two.asl.json: 1 place fixed, 1 error remains\n",
    ] {
        assert!(done.err.contains(part), "{part}\n{}", done.err);
    }
    assert_eq!(folder.read("two.asl.json"), two.replace("\", }", "\" }"));
    // A similar name is a guess, so it is not applied.
    let done = folder.run(["fix", "bad.asl.json", "x.asl.yaml"]);
    assert_eq!(done.status, 1);
    assert!(done.err.contains("bad.asl.json: nothing to fix, "), "{}", done.err);
    assert!(done.err.contains("x.asl.yaml: nothing to fix, 1 error remains\n"), "{}", done.err);
    assert_eq!((folder.read("bad.asl.json").as_str(), folder.read("x.asl.yaml").as_str()), (BAD, "a: b: c\n"));

    let done = folder.run(["fix", "none.asl.json"]);
    assert!(done.status == 2 && done.err.starts_with("error: cannot read `none.asl.json`"), "{}", done.err);
    assert!(folder.run(["fix"]).err.starts_with("error: `cargo workflow fix` needs a definition\n"));
}

/// Definitions in the notation of the Workflow DSL's examples are fixed. Bytes outside the fixes
/// are unchanged.
#[test]
fn what_is_almost_json_is_mended_in_the_one_language() {
    let crooked = "\"id\": \"mail\",\t\"firstActivity\" : “Send”,\r
\"activities\": [{\r
    \"name\": \"Send\", \"type\": \"operation\"\r
    \"activityDataFilter\": { \"input\": ${ {emailInfo: .mail} } },  \r
    \"actions\": [{ \"type\": \"produceMessage\", \"messageRef\": { \"emailSent\" }, \"data\": ${ .mail } }],\r
  }],\r
\"messages\": [{ \"name\": \"emailSent\", \"messageType\": \"event\", \"kind\": \"produced\", \"type\": \"é\", \"source\": \"s\" }]\r\n\r\n";
    let mended = format!("{{\r\n{}\r\n}}\r\n\r\n", crooked.trim_end())
        .replace("“Send”", "\"Send\"")
        .replace("\"operation\"\r", "\"operation\",\r")
        .replace("${ {emailInfo: .mail} }", "\"${ {emailInfo: .mail} }\"")
        .replace("{ \"emailSent\" }", "[ \"emailSent\" ]")
        .replace("${ .mail }", "\"${ .mail }\"")
        .replace("}],\r\n  }]", "}]\r\n  }]");
    let folder = Folder::new("fix-almost").with("mail.workflow-dsl.json", crooked).with("mail.json", crooked);
    let folder = folder.with("workflow.toml", "allow = [\"WF0152\"]\n");

    assert_eq!(folder.run(["check", "mail.workflow-dsl.json"]).err, "1 definition checked: no problems found\n");
    let folder = folder.with("workflow.toml", "");
    let done = folder.run(["check", "mail.workflow-dsl.json", "mail.json"]);
    assert_eq!(done.status, 0, "{}", done.err);
    assert!(done.err.ends_with("2 definitions checked: 14 warnings\n"), "{}", done.err);
    assert_eq!(folder.run(["check", "--deny", "WF0152", "mail.json"]).status, 1);

    // Allowed warnings are fixed, too.
    let folder = folder.with("workflow.toml", "allow = [\"WF0152\"]\n");
    let done = folder.run(["fix", "mail.workflow-dsl.json", "mail.json"]);
    let report = |name: &str| {
        format!(
            "\
{name}:1:1: missing braces around these members; write `{{` before them, and `}}` after them
{name}:1:33: a JSON string must be in straight double quotes; write `\"Send\"`
{name}:3:40: missing comma; write `,` here
{name}:4:38: the expression is not in quotes; write `\"${{ {{emailInfo: .mail}} }}\"`
{name}:5:59: the list is in braces instead of brackets; write `[ \"emailSent\" ]`
{name}:5:84: the expression is not in quotes; write `\"${{ .mail }}\"`
{name}:5:97: trailing comma before `}}`; remove this comma
{name}: 7 places fixed
"
        )
    };
    assert_eq!((done.status, done.out.as_str()), (0, ""));
    assert_eq!(done.err, report("mail.workflow-dsl.json") + &report("mail.json"));
    for name in ["mail.workflow-dsl.json", "mail.json"] {
        assert_eq!(folder.read(name), mended, "{name}");
    }
    let folder = folder.with("workflow.toml", "");
    let done = folder.run(["check", "--deny", "warnings", "mail.workflow-dsl.json", "mail.json"]);
    assert_eq!((done.status, done.err.as_str()), (0, "2 definitions checked: no problems found\n"));
}

#[test]
fn in_all_other_languages_what_is_almost_json_is_an_error() {
    let asl = r#"{ "StartAt": "A", "States": { "A": { "Type": "Pass", "Result": ${ .a }, "End": true } } }"#;
    let folder = Folder::new("fix-others").with("a.asl.json", asl);
    let done = folder.run(["fix", "a.asl.json"]);
    assert_eq!(done.status, 1);
    assert!(done.err.contains("error[WF01") && !done.err.contains("WF0152"), "{}", done.err);
    // The extension decides on the dialect; an option overrides it.
    let folder =
        folder.with("b.workflow-dsl.json", "{ \"activities\": [], }").with("c.asl.json", "{ \"activities\": [], }");
    let codes = |arguments: &[&str]| folder.run(["check"].iter().chain(arguments)).err.contains("warning[WF0152]");
    assert!(codes(&["b.workflow-dsl.json"]) && !codes(&["c.asl.json"]));
    assert!(
        codes(&["c.asl.json", "--dialect", "workflow-dsl"]) && !codes(&["b.workflow-dsl.json", "--dialect", "asl"])
    );
}

#[test]
fn expressions_without_quotes_are_mended_in_yaml() {
    let yaml = "\
id: mail # of é
activities:
  - name: Send
    type: inject
    activityDataFilter: { output: ${ {data: .mail} } }  # said
    data: {}
    end: true
workflowDataFilter:
  input: ${ {mail : .mail} }
";
    let mended = yaml.replace("${ {data: .mail} }", "\"${ {data: .mail} }\"");
    let mended = mended.replace("${ {mail : .mail} }", "\"${ {mail : .mail} }\"");
    let folder = Folder::new("fix-yaml").with("mail.workflow-dsl.yaml", yaml);
    let done = folder.run(["check", "mail.workflow-dsl.yaml"]);
    assert!(
        done.status == 1 && done.err.starts_with("error[WF0120]: the expression is not in quotes\n"),
        "{}",
        done.err
    );
    assert_eq!(folder.run(["fix", "mail.workflow-dsl.yaml"]).status, 0);
    assert_eq!(folder.read("mail.workflow-dsl.yaml"), mended);
}

const ORDER: &str = r#"{ "StartAt": "Charge", "States": {
  "Charge": { "Type": "Task", "Resource": "arn:aws:lambda:eu-west-1:123456789012:function:Charge",
    "Parameters": { "total.$": "States.MathAdd($.total, 1)" }, "ResultPath": "$.charge", "Next": "Draw" },
  "Draw": { "Type": "Pass", "Parameters": { "n.$": "States.MathRandom(1, 9, 7)" }, "Next": "Done" },
  "Done": { "Type": "Succeed" } } }
"#;

#[test]
fn definitions_are_converted_to_jsonata() {
    let folder = Folder::new("fix-jsonata").with("order.asl.json", ORDER);
    let done = folder.run(["fix", "--to-jsonata", "--dry-run", "order.asl.json"]);
    let expected = "\
order.asl.json:3:32: note: fractions are added as they are, where `States.MathAdd` rounds its arguments
order.asl.json:4:52: `Draw` keeps JSONPath: JSONata has no function that yields the number of `States.MathRandom` with a seed
order.asl.json: 2 states converted to JSONata, 1 state keeps JSONPath
";
    assert_eq!((done.status, done.err.as_str()), (1, expected));
    assert!(
        done.out.contains("+ ") && done.out.contains("$merge([$states.input, {'charge': $states.result}])"),
        "{}",
        done.out
    );
    assert_eq!(folder.read("order.asl.json"), ORDER);

    let folder = folder.with("order.asl.json", &ORDER.replace(", 7)", ")"));
    let done = folder.run(["fix", "--to-jsonata", "--state", "Done", "order.asl.json"]);
    assert_eq!((done.status, done.err.as_str()), (0, "order.asl.json: 1 state converted to JSONata\n"));
    let done = folder.run(["fix", "--to-jsonata", "order.asl.json"]);
    assert_eq!(done.status, 0, "{}", done.err);
    assert!(done.err.ends_with("order.asl.json: 2 states converted to JSONata\n"), "{}", done.err);
    let done = folder.run(["fix", "--to-jsonata", "order.asl.json"]);
    assert_eq!((done.status, done.err.as_str()), (0, "order.asl.json: nothing to convert\n"));
    assert_eq!(folder.run(["check", "order.asl.json"]).status, 0);
}

#[test]
fn what_cannot_be_converted_is_left_unchanged() {
    let folder = Folder::new("fix-jsonata-left")
        .with("bad.asl.json", BAD)
        .with("good.asl.json", GOOD)
        .with("mail.composer.json", r#"{ "Entry": "a", "Exit": "a", "States": { "a": { "Type": "Pass" } } }"#);
    let cases: [(&[&str], &str); 3] = [
        (&["bad.asl.json"], "bad.asl.json: left unchanged, because the definition has errors\n"),
        (
            &["mail.composer.json"],
            "mail.composer.json: left unchanged, because only the Amazon States Language has JSONata\n",
        ),
        (&["--state", "Missing", "good.asl.json"], "good.asl.json: no state has the name `Missing`\n"),
    ];
    for (arguments, last) in cases {
        let done = folder.run(["fix", "--to-jsonata"].iter().chain(arguments));
        assert!(done.status == 1 && done.err.ends_with(last), "{}", done.err);
    }
    assert_eq!((folder.read("bad.asl.json").as_str(), folder.read("good.asl.json").as_str()), (BAD, GOOD));
    let done = folder.run(["fix", "--state", "A", "good.asl.json"]);
    assert!(done.status == 2 && done.err.contains("add `--to-jsonata`"), "{}", done.err);
    let done = folder.run(["fix", "--to-jsonata", "--state", "Pay", "--state", "Big", "good.asl.json"]);
    assert!(done.status == 2 && done.err.contains("`--state` is written twice"), "{}", done.err);
}
