//! Tests of `check`: notes, and options that have no effect.

use super::GOOD;
use super::common::Folder;

fn good(name: &str) -> Folder {
    Folder::new(name).with("good.asl.json", GOOD)
}

#[test]
fn notes_do_not_fail_the_check() {
    let open = GOOD.replace(", \"Default\": \"Pay\"", "");
    let folder = good("note").with("open.asl.json", &open);
    let done = folder.run(["check", "open.asl.json", "--deny", "warnings"]);
    assert_eq!(done.status, 0);
    assert!(done.err.starts_with("note[WF0459]: a Choice state without `Default`\n"), "{}", done.err);
    assert!(done.err.ends_with("1 definition checked: 1 note\n"), "{}", done.err);
    assert_eq!(folder.run(["check", "open.asl.json", "--deny", "notes"]).status, 1);
    assert_eq!(folder.run(["check", "open.asl.json", "--deny", "notes", "--allow", "WF0459"]).status, 0);
    assert_eq!(folder.run(["emit", "open.asl.json"]).err, "");
    assert_eq!(folder.read("open.asl.json"), open, "`check` changes nothing");
}

#[test]
fn a_substitution_without_a_placeholder_is_reported() {
    let stage = GOOD.replace("ChargeCard", "${Stage}Card");
    let folder = good("substitute").with("stage.asl.json", &stage).with("open.asl.json", GOOD);
    let done = folder.run(["check", "stage.asl.json", "--substitute", "Stag=test"]);
    let expected = "warning[WF0651]: the definition has no placeholder `${Stag}`\n";
    assert!(done.status == 0 && done.err.starts_with(expected), "{}", done.err);
    assert!(done.err.contains("= help: did you mean `Stage`?\n"), "{}", done.err);
    let unused = |arguments: &[&str]| folder.run([&["check"], arguments].concat()).err.contains("WF0651");
    assert!(!unused(&["stage.asl.json", "--substitute", "Stage=test"]));
    // It is enough that one of the definitions has the placeholder.
    assert!(!unused(&["good.asl.json", "stage.asl.json", "--substitute", "Stage=test"]));
    assert!(unused(&["good.asl.json", "open.asl.json", "--substitute", "Stage=test"]));
    // The definitions of a folder share its `workflow.toml`.
    let folder = folder.with("workflow.toml", "[substitutions]\nStage = \"test\"\n");
    assert!(!folder.run(["check", "good.asl.json"]).err.contains("WF0651"));
    assert!(folder.run(["check", "good.asl.json", "--substitute", "Stage=prod"]).err.contains("WF0651"));
}

#[test]
fn an_option_for_another_language_is_reported() {
    let composition = r#"{ "Entry": "pay", "Exit": "pay", "States": { "pay": { "Type": "Task", "Action": "pay" } } }"#;
    let folder = good("express").with("pay.composer.json", composition);
    let done = folder.run(["check", "--express", "pay.composer.json"]);
    assert_eq!(done.status, 0);
    assert!(done.err.starts_with("warning[WF0180]: `express` has no effect on a composition\n"), "{}", done.err);
    let done = folder.run(["check", "--express", "good.asl.json"]);
    assert_eq!(done.err, "1 definition checked: no problems found\n");
    let done = folder.run(["check", "--express", "--allow", "WF0180", "pay.composer.json"]);
    assert_eq!(done.err, "1 definition checked: no problems found\n");
}

#[test]
fn schemas_come_from_the_file_beside_the_definition() {
    let reads = GOOD.replace("\"Next\": \"Big\"", "\"OutputPath\": \"$.receit\", \"Next\": \"Big\"");
    let receipt = r#"{ "type": "object", "properties": { "receipt": {} }, "additionalProperties": false }"#;
    let toml = |schemas: &str| format!("[schemas]\n{schemas}\n");
    let folder = Folder::new("schemas").with("good.asl.json", &reads).with("schemas/receipt.json", receipt).with(
        "workflow.toml",
        &toml("ChargeCard = { output = 'schemas/receipt.json' }\nShip = { input = 'none.json' }"),
    );
    for command in ["check", "emit", "types"] {
        let done = folder.run([command, "good.asl.json"]);
        let error = "error[WF1901]: `$` has no member `receit`\n";
        assert!(done.status == 1 && done.err.starts_with(error), "{command}: {}", done.err);
        assert!(done.err.contains("schemas/receipt.json:1:1"), "{}", done.err);
        assert!(done.err.contains("help: did you mean `receipt`?"), "{}", done.err);
    }
    for (schemas, status, expected) in [
        (
            "Pay = { output = 'schemas/receit.json' }",
            1,
            "error[WF0420]: the file `schemas/receit.json` does not exist\n",
        ),
        ("ChargeCrd = { output = 'x.json' }", 0, "warning[WF0652]: the definition has no task `ChargeCrd`\n"),
        ("Pay = { output = '../receipt.json' }", 1, "error[WF0420]: the file `../receipt.json` is outside of the root"),
        ("Pay = 'schemas/receipt.json'", 2, "error: in `workflow.toml`: `Pay` of `[schemas]` names no schema: write"),
        ("Pay = { result = 'schemas/receipt.json' }", 2, "error: in `workflow.toml`: `Pay` of `[schemas]` names no"),
        ("Pay = {}", 2, "error: in `workflow.toml`: `Pay` of `[schemas]` names no schema: write"),
        ("input = 7", 2, "error: in `workflow.toml`: `input` of `[schemas]` names no schema: write"),
    ] {
        let folder = Folder(folder.0.clone()).with("good.asl.json", GOOD).with("workflow.toml", &toml(schemas));
        let done = folder.run(["check", "good.asl.json"]);
        assert!(done.status == status && done.err.starts_with(expected), "{schemas}: {}", done.err);
    }
    let folder = Folder(folder.0.clone())
        .with("good.asl.json", GOOD)
        .with("schemas/sum.json", &receipt.replace("receipt", "sum"))
        .with("workflow.toml", &toml("input = 'schemas/sum.json'\nPay = { output = 'schemas/sum.json' }"));
    let types = folder.run(["types", "good.asl.json"]).out;
    assert!(types.contains("input: { sum?: any }"), "{types}");
    let done = folder.run(["new", "good.asl.json", "--out", "made"]);
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    assert_eq!(folder.read("made/flows/schemas/sum.json"), receipt.replace("receipt", "sum"));
    let library = folder.read("made/src/lib.rs");
    let schemas = "    schemas: {\n        input = \"flows/schemas/sum.json\",\n        \
                   \"Pay\" => { output = \"flows/schemas/sum.json\" },\n    },\n";
    assert!(library.contains(schemas), "{library}");
}
