//! Tests of the values of fields. Tests of whole definitions are in `tests/cases/workflow-dsl`.

use super::*;
use crate::codes;
use crate::diagnostics::Diagnostic;
use crate::source::{Source, Sources};
use crate::syntax;

fn read_with(text: &str, options: &Options) -> (Option<Workflow>, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let file = sources.add(Source::new("flow.workflow-dsl.json", text));
    let mut diagnostics = Diagnostics::default();
    let node = syntax::json::read(file, text, &mut diagnostics);
    let read = read(&node, "flow", options, &mut Inputs::new(sources, file), &mut diagnostics);
    assert_eq!(read.is_ok(), !diagnostics.has_errors(), "{text}");
    (read.ok(), diagnostics.finish())
}

fn codes_of(text: &str) -> Vec<&'static str> {
    let mut codes: Vec<&str> =
        read_with(text, &Options::default()).1.iter().map(|diagnostic| diagnostic.code.id).collect();
    codes.dedup();
    codes
}

fn activity(inner: &str) -> String {
    format!(r#"{{ "id": "t", "activities": [{{ "name": "A", "type": "operation", "actions": [], {inner} }}] }}"#)
}

#[test]
fn numbers_and_truth_are_taken_as_texts() {
    for inner in [
        r#""end": "TRUE""#,
        r#""end": true"#,
        r#""timeout": { "startToClose": "10", "scheduleToClose": 10.5 }"#,
        r#""retry": { "maxAttempts": "3", "initialInterval": " 0.5 ", "backoffCoefficient": "1.2", "maximumInterval": 60 }"#,
        r#""sleep": { "before": "PT0.5S", "after": "P1DT2H" }"#,
        r#""sleep": null, "retry": { "maxAttempts": 3, "initialInterval": null }"#,
        r#""version": 1.0"#,
    ] {
        assert_eq!(codes_of(&activity(inner)), [] as [&str; 0], "{inner}");
    }
    for (inner, code) in [
        (r#""end": "yes""#, "WF0403"),
        (r#""timeout": { "startToClose": "NaN" }"#, "WF0403"),
        (r#""timeout": { "startToClose": "1e999" }"#, "WF0403"),
        (r#""timeout": { "startToClose": true }"#, "WF0403"),
        (r#""retry": { "maxAttempts": 4294967296 }"#, "WF0404"),
        (r#""retry": { "maxAttempts": "-1" }"#, "WF0404"),
        (r#""retry": 3"#, "WF0403"),
        (r#""retry": { "maxAttempts": 1, "initialInterval": 60, "maximumInterval": 1 }"#, "WF0455"),
        (r#""timeout": { "startToClose": 10, "scheduleToClose": 5 }"#, "WF0455"),
        (r#""sleep": { "before": "P1Y2X" }"#, "WF0421"),
        (r#""sleep": { "before": "-PT1S" }"#, "WF0421"),
    ] {
        assert_eq!(codes_of(&activity(inner)), [code], "{inner}");
    }
}

#[test]
fn a_path_without_its_dot_is_distinguished_from_a_function() {
    let with = |expression: &str| {
        let body =
            r#""actions": [{ "type": "rest", "operation": "https://example.com", "arguments": { "a": "${ X }" } }]"#;
        let text = activity(&body.replace('X', expression));
        codes_of(&text.replace(r#""actions": [], "#, ""))
    };
    for (expression, codes) in [
        (".cart.items", &[] as &[&str]),
        ("cart.items", &["WF1151"]),
        ("cart.items | length", &["WF0341"]),
        ("now.items", &[]),
        ("env.HOME", &["WF0343"]),
        ("cart", &["WF0341"]),
        ("now", &[]),
    ] {
        assert_eq!(with(expression), codes, "{expression}");
    }
}

#[test]
fn sub_flows_are_compared_with_the_definitions_that_are_given() {
    let visa = |header: &str| format!(r#"{{ {header} "activities": [] }}"#);
    let child = |version: &str| visa(&format!(r#""id": "visa", "version": {version}, "isChild": "TRUE","#));
    let (one, two) = (child(r#""1.0""#), child("2.0"));
    let (stern, bare) = (visa(r#""id": "visa", "version": "3", "isChild": false,"#), visa(r#""ISCHILD": true,"#));
    let other = r#"{ "StartAt": "A", "States": { "A": { "Type": "Pass", "End": true } } }"#;
    for (given, call, expected) in [
        (&[&*one][..], r#""workflowId": "visa""#, None),
        (&[&one, &two], r#""workflowId": "visa", "version": 2.0"#, None),
        (&[&one, &stern], r#""workflowId": "visa""#, None),
        (
            &[&one, &stern],
            r#""workflowId": "visa", "version": 3"#,
            Some(("WF1107", "the sub-flow `visa` is not a child")),
        ),
        (&[&stern], r#""workflowId": "visa""#, Some(("WF1107", "the sub-flow `visa` is not a child"))),
        (
            &[&one, &two],
            r#""workflowId": "visa", "version": "1.1""#,
            Some(("WF1107", "the sub-flow `visa` has no version 1.1")),
        ),
        // A definition without an id is known by the name of its file.
        (&[&bare], r#""workflowId": "given0""#, None),
        (
            &[&bare],
            r#""workflowId": "given0", "version": "1""#,
            Some(("WF1107", "the sub-flow `given0` has no version 1")),
        ),
        (&[other], r#""workflowId": "given0""#, None),
        (&[other], r#""workflowId": "givn0""#, Some(("WF1154", "unknown sub-flow `givn0`"))),
        (&[&one], r#""workflowId": "vsia""#, Some(("WF1154", "unknown sub-flow `vsia`"))),
        // A sub-flow that was not given is looked up when the activity starts.
        (&[&one], r#""workflowId": "passport""#, None),
        (&[], r#""workflowId": "vsia""#, None),
        // The workflow calls itself and is not a child.
        (&[&one], r#""workflowId": "t""#, Some(("WF1107", "the sub-flow `t` is not a child"))),
        (&[], r#""workflowId": "t""#, None),
        (&["{", "[]", "null", ""], r#""workflowId": "visa""#, None),
    ] {
        let source = |(at, text): (usize, &&str)| {
            let name = if text.contains("StartAt") { "asl" } else { "workflow-dsl" };
            Source::new(format!("given{at}.{name}.json"), *text)
        };
        let options = Options { subflows: given.iter().enumerate().map(source).collect(), ..Options::default() };
        let text = format!(r#"{{ "id": "t", "activities": [{{ "name": "A", "type": "subFlow", {call} }}] }}"#);
        let diagnostics = read_with(&text, &options).1;
        let diagnostics: Vec<(&str, &str)> =
            diagnostics.iter().map(|diagnostics| (diagnostics.code.id, &*diagnostics.message)).collect();
        assert_eq!(diagnostics, expected.into_iter().collect::<Vec<_>>(), "{given:?}: {call}");
    }
}

#[test]
fn the_longest_task_is_bounded_by_the_time_outs_of_its_activity() {
    let activity = |name: &str, timeout: &str| {
        format!(
            r#"{{ "name": "{name}", "type": "operation", {timeout}
                 "actions": [{{ "name": "a {name}", "type": "rest", "operation": "https://example.com" }}] }}"#
        )
    };
    for (timeouts, longest) in [
        (&[r#""timeout": { "startToClose": 10 },"#][..], Some(10.0)),
        (&[r#""timeout": { "scheduleToClose": "2.5" },"#], Some(2.5)),
        (
            &[r#""timeout": { "startToClose": 10, "scheduleToClose": 30 },"#, r#""timeout": { "startToClose": 20 },"#],
            Some(20.0),
        ),
        (&[r#""timeout": { "startToClose": 10 },"#, ""], None),
        (&[r#""timeout": { "scheduleToStart": 10 },"#], None),
        (&[], Some(0.0)),
    ] {
        let called: Vec<String> =
            timeouts.iter().enumerate().map(|(at, timeout)| activity(&at.to_string(), timeout)).collect();
        let last = r#"{ "name": "last", "type": "inject", "data": {} }"#;
        let text = format!(
            r#"{{ "activities": [{}{last}] }}"#,
            called.iter().map(|one| format!("{one}, ")).collect::<String>()
        );
        let workflow = read_with(&text, &Options::default()).0.expect("it is accepted");
        assert_eq!(workflow.longest_task(), longest, "{timeouts:?}");
    }
}

#[test]
fn what_is_no_definition_is_refused_without_a_panic() {
    for text in [
        "{}",
        r#"{ "activities": [] }"#,
        r#"{ "activities": {} }"#,
        r#"{ "id": "", "activities": [1] }"#,
        r#"{ "id": "t", "activities": [null] }"#,
        r#"{ "id": "t", "activities": [{ "type": null }] }"#,
        r#"{ "id": "t", "activities": [{ "type": "switch", "dataConditions": [] }] }"#,
        r#"{ "id": "t", "activities": [{ "type": "message", "onMessages": [{ "messageRefs": [] }] }] }"#,
        r#"{ "id": "t", "start": "A", "firstActivity": "A", "activities": [{ "name": "A", "type": "inject", "data": {} }] }"#,
        r#"{ "id": "t", "activities": [{ "name": "A", "type": "inject", "data": 5 }] }"#,
        r#"{ "id": "t", "activities": [{ "name": "", "type": "inject", "data": {} }] }"#,
    ] {
        let codes = codes_of(text);
        assert!(codes.iter().any(|code| codes::is_error(code)), "{text}: {codes:?}");
    }
}

#[test]
fn events_that_the_first_activity_waits_for_start_the_workflow() {
    let starts_on = |header: &str, refs: &str| {
        let text = format!(
            r#"{{ "id": "t", {header} "messages": [
                {{ "name": "A", "kind": "consumed", "type": "a" }}, {{ "name": "B", "kind": "consumed", "type": "b" }},
                {{ "name": "S", "kind": "consumed", "messageType": "signal" }}
            ], "activities": [
                {{ "name": "Other", "type": "message", "onMessages": {{ "messageRefs": "B" }}, "end": true }},
                {{ "name": "First", "type": "message", {refs}, "transition": "Other" }}
            ] }}"#
        );
        let mut sources = Sources::default();
        let file = sources.add(Source::new("flow.workflow-dsl.json", &*text));
        let mut diagnostics = Diagnostics::default();
        let node = syntax::json::read(file, &text, &mut diagnostics);
        let mut inputs = Inputs::new(sources, file);
        let workflow = read(&node, "flow", &Options::default(), &mut inputs, &mut diagnostics).expect("it is accepted");
        workflow.starts_on.as_ref().map(|starts| {
            let shown = |events: &[crate::model::EventId]| -> Vec<(String, bool)> {
                let name = |event: &crate::model::EventId| workflow.events[*event].name.clone();
                events.iter().map(|event| (name(event), workflow.is_awaited_later(*event))).collect()
            };
            (shown(&starts.events), shown(&starts.sequence).len())
        })
    };
    let event = |name: &str, later: bool| (name.to_owned(), later);
    let first = r#""firstActivity": "First","#;
    let all = r#""onMessages": { "messageRefs": ["S", "A", "B"] }"#;
    assert_eq!(starts_on(first, all), Some((vec![event("A", false), event("B", true)], 0)));
    let sequence = format!(r#"{all}, "exclusive": false"#);
    assert_eq!(starts_on(first, &sequence), Some((vec![event("A", false), event("B", true)], 3)));
    assert_eq!(starts_on(first, r#""onMessages": { "messageRefs": "S" }"#), None);
    let only = r#""onMessages": { "messageRefs": "A" }"#;
    assert_eq!(starts_on("", only), Some((vec![event("B", false)], 0)));
    assert_eq!(starts_on(r#""firstActivity": "First", "isChild": true,"#, all), None);
}

#[test]
fn addresses_are_looked_at_as_far_as_they_are_constant() {
    let with = |operation: &str| {
        let action = format!(r#"{{ "type": "rest", "operation": "{operation}" }}"#);
        codes_of(&format!(
            r#"{{ "id": "t", "activities": [{{ "name": "A", "type": "operation", "actions": [{action}], "end": true }}] }}"#
        ))
    };
    for operation in [
        "  ${ .x }/a  ",
        " https://a.example/a ",
        "HTTPS://${ .host }:8443",
        "${ .x }://a.example/a@b?q=a@b&r=/../",
        "${ .x }?next=https://me@a.example",
        "https://a.example/..a/${ .x }./a..",
        "https://a.example/${ .a + \\\" @ /../ }\\\" }",
    ] {
        assert_eq!(with(operation), [] as [&str; 0], "{operation}");
    }
    for operation in [
        "  ",
        "a ${ .x }",
        "${ .x }://me@a.example",
        "${ .x } ${ .y }",
        "https://a.example\\\\..\\\\b",
        "https://a.example/${ .x }/..%2fb",
        "https://é@a.example",
        "httpsé://a.example",
    ] {
        assert_eq!(with(operation), ["WF0419"], "{operation}");
    }
}
