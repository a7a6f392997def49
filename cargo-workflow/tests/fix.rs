//! `cargo workflow fix`.

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
    let told = "\
flow.asl.json:2:13: `=` stands between a key and its value; write `:`
flow.asl.json:2:15: a string of JSON is written in straight double quotes; write `\"Pay\"`
flow.asl.json:4:116: a comma before `}`; remove this comma: none follows the last value
flow.asl.json:4:119: a comma is missing here; write `,` here
";
    let expected = format!("{told}flow.asl.json: 4 places to be mended\n");
    assert_eq!((done.status, done.err.as_str()), (0, expected.as_str()));
    assert!(done.out.contains("\n- \t \"StartAt\" = 'Pay' ,\n+ \t \"StartAt\" : \"Pay\" ,\n"), "{}", done.out);
    assert_eq!(folder.read("flow.asl.json"), crooked);

    let done = folder.run(["fix", "flow.asl.json", "good.asl.json"]);
    let expected = format!("{told}flow.asl.json: 4 places mended\ngood.asl.json: nothing to mend\n");
    assert_eq!((done.status, done.out.as_str(), done.err.as_str()), (0, "", expected.as_str()));
    assert_eq!((folder.read("flow.asl.json"), folder.read("good.asl.json")), (mended.clone(), GOOD.to_owned()));

    // From standard input to standard output, to the byte.
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
        "two.asl.json:1:55: a comma before `}`; remove this comma",
        "error[E0102]: the file ends before `}}`\n",
        "two.asl.json: 1 place mended, 1 error is left\n",
    ] {
        assert!(done.err.contains(part), "{part}\n{}", done.err);
    }
    assert_eq!(folder.read("two.asl.json"), two.replace("\", }", "\" }"));
    // A name that is near is a guess.
    let done = folder.run(["fix", "bad.asl.json", "x.asl.yaml"]);
    assert_eq!(done.status, 1);
    assert!(done.err.contains("bad.asl.json: nothing to mend, "), "{}", done.err);
    assert!(done.err.contains("x.asl.yaml: nothing to mend, 1 error is left\n"), "{}", done.err);
    assert_eq!((folder.read("bad.asl.json").as_str(), folder.read("x.asl.yaml").as_str()), (BAD, "a: b: c\n"));

    let done = folder.run(["fix", "none.asl.json"]);
    assert!(done.status == 2 && done.err.starts_with("error: cannot read `none.asl.json`"), "{}", done.err);
    assert!(folder.run(["fix"]).err.starts_with("error: `cargo workflow fix` needs a definition\n"));
}
