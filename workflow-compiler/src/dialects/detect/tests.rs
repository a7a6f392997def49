//! Tests of dialect detection.

use super::*;
use crate::diagnostics::render;
use crate::source::{Source, Sources};
use crate::syntax;

fn detect_in(name: &str, text: &str) -> (Option<&'static str>, Vec<String>) {
    let mut sources = Sources::default();
    let file = sources.add(Source::new(name, text));
    let mut diagnostics = Diagnostics::default();
    let node = syntax::json::read(file, text, &mut diagnostics);
    let dialect = detect(&node, name, &mut diagnostics);
    let lines = diagnostics.finish();
    (dialect, lines.iter().map(|line| render::render(line, &sources, false)).collect())
}

#[test]
#[cfg(feature = "asl")]
fn what_is_built_in_is_named() {
    for (name, text) in [
        ("flow.json", r#"{"StartAt": "A", "States": {}}"#),
        ("flow.json", r#"{"StartAt": "A", "States": {}, "Comment": "x", "activity": 1}"#),
        ("flow.asl.json", "{}"),
        ("dir/FLOW.ASL.YAML", "{}"),
        ("flow.asl.yml", r#"{"States": {}}"#),
        ("flow.asl.json", r#"{"StartAt": "A", "States": {}, "Entry": "A", "Exit": "A"}"#),
        // A file name with a known suffix decides even if the definition is cut off.
        ("flow.asl.json", r#"{"StartAt": "A", "Sta"#),
    ] {
        let (dialect, lines) = detect_in(name, text);
        assert_eq!(dialect, Some("asl"), "{name}: {text}: {lines:?}");
    }
}

#[test]
fn states_with_a_type_are_detected_by_the_type_or_the_name() {
    for (name, text) in [
        ("flow.json", r#"{"states": [{"type": "inject"}]}"#),
        ("flow.json", r#"{"id": "t", "states": [{"name": "A", "type": "delay"}, {"name": "B", "type": "inject"}]}"#),
        ("flow.sw.json", "{}"),
        ("flow.sw.yml", r#"{"states": []}"#),
    ] {
        let (dialect, lines) = detect_in(name, text);
        if cfg!(feature = "serverless-workflow") {
            assert_eq!(dialect, Some("serverless-workflow"), "{name}: {text}: {lines:?}");
        } else {
            let head = "error[WF0132]: the definition is in Serverless Workflow, but the compiler was built without this dialect\n";
            assert!(dialect.is_none() && lines.len() == 1 && lines[0].starts_with(head), "{lines:?}");
            let help = "= help: the compiler was built with: Amazon States Language";
            assert!(!cfg!(feature = "asl") || lines[0].contains(help), "{lines:?}");
        }
    }
}

#[test]
fn state_machines_are_detected_by_states_without_a_type() {
    for (name, text) in [
        ("flow.json", r#"{"states": [{"name": "A"}, {"name": "B"}]}"#),
        ("flow.json", r#"{"name": "t", "Version": "1", "STATES": [{"Name": "A", "enterAction": {"type": "delay"}}]}"#),
        ("flow.sm4c.json", r#"{"states": []}"#),
        ("flow.sm4c.yml", "{}"),
    ] {
        let (dialect, lines) = detect_in(name, text);
        if cfg!(feature = "sm4c") {
            assert_eq!(dialect, Some("sm4c"), "{name}: {text}: {lines:?}");
        } else {
            let head = "error[WF0132]: the definition is in SM4C, but the compiler was built without this dialect\n";
            assert!(dialect.is_none() && lines.len() == 1 && lines[0].starts_with(head), "{lines:?}");
        }
    }
    let (dialect, lines) = detect_in("flow.json", r#"{"States": [{"Name": "A", "Type": "inject"}]}"#);
    assert!(dialect.is_none() && lines[0].starts_with("error[WF0130]"), "{lines:?}");
    let (dialect, lines) = detect_in("flow.json", r#"{"states": []}"#);
    assert!(dialect.is_none() && lines[0].starts_with("error[WF0131]"), "{lines:?}");
}

#[test]
fn activities_are_detected_by_the_list_or_the_name() {
    for (name, text) in [
        ("flow.json", r#"{"activities": []}"#),
        ("flow.json", r#"{"ID": "t", "Activities": [{"Name": "A"}]}"#),
        ("flow.workflow-dsl.json", "{}"),
        ("dir/FLOW.WORKFLOW-DSL.yaml", "{}"),
        ("flow.workflow-dsl.yml", "{}"),
    ] {
        let (dialect, lines) = detect_in(name, text);
        if cfg!(feature = "workflow-dsl") {
            assert_eq!(dialect, Some("workflow-dsl"), "{name}: {text}: {lines:?}");
        } else {
            let head =
                "error[WF0132]: the definition is in Workflow DSL, but the compiler was built without this dialect\n";
            assert!(dialect.is_none() && lines.len() == 1 && lines[0].starts_with(head), "{lines:?}");
        }
    }
}

#[test]
fn the_dialect_of_the_tests_needs_its_feature() {
    let of_tests = DIALECTS.iter().filter(|dialect| !dialect.is_published).count();
    assert_eq!(of_tests, usize::from(cfg!(feature = "_test-dialect")));
}

#[test]
fn an_ambiguous_file_is_refused_with_what_points_where() {
    for (name, text, reasons) in [
        (
            "flow.json",
            r#"{"StartAt": "A", "Entry": "A", "Exit": "A", "States": {}}"#,
            "Amazon States Language (by `StartAt` + `States`) or Composer FSM (by `Entry` + `Exit` + `States`)",
        ),
        (
            "flow.json",
            r#"{"states": [{"type": "inject"}, {}]}"#,
            "Serverless Workflow (by `states`, a list whose states have a `type`) or \
             SM4C (by `states`, a list whose states have no `type`)",
        ),
        (
            "flow.sw.json",
            r#"{"activities": []}"#,
            "Serverless Workflow (by its suffix) or Workflow DSL (by `activities`)",
        ),
    ] {
        let (dialect, lines) = detect_in(name, text);
        assert_eq!(dialect, None, "{name}: {text}");
        let head = format!("error[WF0131]: ambiguous dialect: the file could be {reasons}\n");
        assert!(lines.len() == 1 && lines[0].starts_with(&head), "{lines:?}");
    }
    let (_, lines) = detect_in("flow.json", r#"{"StartAt": "A", "States": {}, "activities": []}"#);
    let expected = r#"error[WF0131]: ambiguous dialect: the file could be Amazon States Language (by `StartAt` + `States`) or Workflow DSL (by `activities`)
 --> flow.json:1:1
  |
1 | {"StartAt": "A", "States": {}, "activities": []}
  |                                ------------ this field is of Workflow DSL
  |  --------- this field is of Amazon States Language
  | ^
  = help: set the dialect, as in `dialect = "asl"`"#;
    assert_eq!(lines, [expected]);
}

#[test]
fn an_unknown_file_is_refused_with_what_was_looked_at() {
    let (dialect, lines) = detect_in("dir/flow.json", r#"{"StartsAt": "A", "States": {}}"#);
    assert_eq!(dialect, None);
    assert_eq!(lines.len(), 1);
    for part in [
        "error[WF0130]: cannot determine the dialect of `flow.json` from its name or its fields\n",
        "^ expected the suffix `.asl.json`, `.asl.yaml`, `.asl.yml`, `.composer.json`, `.composer.yaml`, \
         `.composer.yml`, `.sw.json`, `.sw.yaml`, `.sw.yml`, `.sm4c.json`, `.sm4c.yaml`, `.sm4c.yml`, \
         `.workflow-dsl.json`, `.workflow-dsl.yaml`, `.workflow-dsl.yml`, or the fields `StartAt` + `States`, `Entry` + `Exit` + `States`, `states`, `activities`\n",
        "---------- unknown field",
        "= help: did you mean `StartAt`?",
    ] {
        assert!(lines[0].contains(part), "{part} in {}", lines[0]);
    }
    let (_, lines) = detect_in("flow.json", r#"{"something": "else"}"#);
    assert!(lines[0].ends_with("= help: set the dialect, as in `dialect = \"asl\"`, or rename the file"), "{lines:?}");
    let (_, lines) = detect_in("flow.json", r#"{"states": {}}"#);
    assert!(lines[0].starts_with("error[WF0130]"), "{lines:?}");
}

#[test]
fn a_definition_is_an_object() {
    let (dialect, lines) = detect_in("flow.asl.json", "[1]");
    assert_eq!(dialect, None);
    assert!(lines.len() == 1 && lines[0].starts_with("error[WF0130]: a definition must be an object, found an array"));
}

#[test]
fn what_follows_from_an_error_of_syntax_is_not_reported() {
    for text in ["", "{\"StartAt\": \"A\"", "[1"] {
        let (dialect, lines) = detect_in("flow.json", text);
        assert_eq!((dialect, lines.len()), (None, 1), "{lines:?}");
    }
}

#[test]
fn a_dialect_that_options_name_must_exist() {
    for (name, head, help) in [
        ("ASL", "error[WF0133]: unknown dialect `ASL`", "did you mean `asl`?"),
        ("composser", "error[WF0133]: unknown dialect `composser`", "did you mean `composer`?"),
        (
            "bpmn",
            "error[WF0133]: unknown dialect `bpmn`",
            "the dialects are `asl`, `composer`, `serverless-workflow`, `sm4c`, `workflow-dsl`",
        ),
    ] {
        let mut sources = Sources::default();
        let file = sources.add(Source::new("flow.json", "{}"));
        let mut diagnostics = Diagnostics::default();
        let node = syntax::json::read(file, "{}", &mut diagnostics);
        assert!(front_end(name, &node, &Options::default(), &mut diagnostics).is_none());
        let lines = diagnostics.finish();
        assert_eq!(lines.len(), 1);
        let shown = render::render(&lines[0], &sources, false);
        assert!(shown.starts_with(head) && shown.contains(help), "{shown}");
    }
    let mut diagnostics = Diagnostics::default();
    let node = syntax::json::read(crate::source::FileId(0), "{}", &mut diagnostics);
    assert_eq!(front_end("asl", &node, &Options::default(), &mut diagnostics).is_some(), cfg!(feature = "asl"));
    let is_built_in = front_end("serverless-workflow", &node, &Options::default(), &mut diagnostics).is_some();
    assert_eq!(is_built_in, cfg!(feature = "serverless-workflow"));
    let codes: Vec<&str> = diagnostics.finish().iter().map(|diagnostic| diagnostic.code.id).collect();
    assert_eq!(codes.contains(&"WF0132"), !cfg!(all(feature = "asl", feature = "serverless-workflow")), "{codes:?}");
}
