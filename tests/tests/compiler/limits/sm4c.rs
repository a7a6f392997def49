//! State machines of SM4C that attempt to exhaust the machine that compiles them. Actions nest
//! without states between them, and a state can have any number of actions, transitions and
//! handlers.

use super::hostile::{compiled_source, refused};
use workflow_compiler::Files;
use workflow_compiler::Output;
use workflow_compiler::source::Source;
use workflow_tests::golden::findings;

const DELAY: &str = r#"{"type": "delay", "timeout": "PT1S"}"#;
const INVOKE: &str = r#"{"type": "invokeFunction", "functionName": "f", "waitForCompletion": true}"#;
const GUARDED: &str = r#"{"type": "invokeFunction", "functionName": "f", "waitForCompletion": true,
    "errorHandlers": [{"retryPolicy": "r", "resultHandler": "${ .e = $value }"}]}"#;
const HANDLERS: &str = r#""errorHandlers": [{"retryPolicy": "r", "resultHandler": "${ .e = $value }"}]"#;

/// Compiles a definition of one state with these members.
fn state(members: &str) -> Output {
    let text = format!(
        r#"{{"name": "t", "version": "1.0", "events": [{{"name": "e"}}],
        "functions": [{{"name": "f", "operation": "a.json#f"}}], "retries": [{{"name": "r", "maxAttempts": 2}}],
        "states": [{{"name": "S", "start": true, {members}}}]}}"#
    );
    let document = r#"{"openapi": "3.0.3", "info": {"title": "a", "version": "1"}, "paths": {"/f": {"post": {
        "operationId": "f", "responses": {"200": {"description": "f"}}}}}}"#;
    let files = Files::new(move |_| Ok(document.as_bytes().to_vec()));
    compiled_source(Source::new("flow.sm4c.json", text).with_files(files))
}

#[track_caller]
fn accepted(output: &Output) {
    assert!(!output.is_refused(), "{}", findings(output));
}

/// Returns `one` repeated `count` times, with commas between.
fn times(count: usize, one: &str) -> String {
    vec![one; count].join(", ")
}

fn sequence(count: usize, one: &str) -> String {
    format!(r#""type": "sequence", "actions": [{}]"#, times(count, one))
}

#[test]
fn long_sequences() {
    for (count, action) in [(20_000, DELAY), (10_000, INVOKE), (2_000, GUARDED)] {
        let actions = sequence(count, action);
        accepted(&state(&format!(r#""enterAction": {{{actions}}}, "enterResultHandler": "${{ .r = $value }}""#)));
    }
    let actions = sequence(5_000, INVOKE);
    accepted(&state(&format!(r#""enterAction": {{{HANDLERS}, {actions}}}"#)));
}

#[test]
fn many_actions_at_once() {
    accepted(&state(&format!(r#""enterAction": {{"type": "parallel", "actions": [{}]}}"#, times(5_000, INVOKE))));
    accepted(&state(&format!(
        r#""enterAction": {{{HANDLERS}, "type": "parallel", "actions": [{}]}}"#,
        times(1_000, GUARDED)
    )));
}

#[test]
fn many_transitions_and_handlers() {
    let exit = sequence(200, INVOKE);
    let transition = r#"{"nextState": "S", "condition": "${ .a }"}"#;
    accepted(&state(&format!(r#""exitAction": {{{exit}}}, "transitions": [{}]"#, times(2_000, transition))));
    let transition = r#"{"nextState": "S", "eventGroups": [{"events": ["e"], "resultHandler": "${ .e = $value }"}]}"#;
    accepted(&state(&format!(r#""transitions": [{}]"#, times(2_000, transition))));
    let handlers = times(2_000, r#"{"condition": "${ .a }", "resultHandler": "${ .e = $value }"}"#);
    accepted(&state(&format!(
        r#""enterAction": {{"type": "delay", "timeout": "PT1S", "errorHandlers": [{handlers}]}}"#
    )));
}

#[test]
fn deep_actions() {
    let handlers = format!(", {HANDLERS}");
    for handlers in ["", &handlers] {
        for (open, close) in [
            (r#"{"type": "sequence", "actions": ["#, format!("]{handlers}}}")),
            (r#"{"type": "parallel", "actions": ["#, format!("]{handlers}}}")),
            (r#"{"type": "foreach", "input": "${ .a }", "action": "#, format!("{handlers}}}")),
        ] {
            let nested = |depth: usize| {
                let action = format!("{}{GUARDED}{}", open.repeat(depth), close.repeat(depth));
                state(&format!(r#""enterAction": {action}"#))
            };
            accepted(&nested(60));
            for depth in [200, 20_000] {
                let output = nested(depth);
                assert!(refused(&output).starts_with("WF0113"), "{}", findings(&output));
            }
        }
    }
}
