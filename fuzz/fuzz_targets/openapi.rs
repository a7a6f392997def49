//! Reads any text as an OpenAPI document. A state machine calls its first operations. A first line
//! in braces holds the arguments.
#![no_main]

#[expect(dead_code, reason = "the readers are checked by other targets")]
mod checks;

use libfuzzer_sys::fuzz_target;
use workflow_compiler::Files;
use workflow_compiler::diagnostics::{Diagnostic, Severity, json, render};
use workflow_compiler::source::Source;
use workflow_compiler::{Options, Output, compile, pretty};

/// The number of operations that the state machine calls.
const CALLED: usize = 4;

fuzz_target!(|text: &str| {
    let first = text.split_once('\n').filter(|(first, _)| first.starts_with('{') && first.ends_with('}'));
    let (arguments, document) = first.unwrap_or(("{}", text));
    for path in ["api.json", "api.yaml"] {
        check_document(path, document, arguments);
    }
});

/// Compiles a state machine that calls operations of a document, twice. Both results must be
/// equal.
fn check_document(path: &'static str, document: &str, arguments: &str) {
    let ids = operation_ids(document);
    let functions: Vec<String> =
        ids.iter().map(|id| format!(r#"{{ "name": "{id}", "operation": "{path}#{id}" }}"#)).collect();
    let action = |id: &str| {
        format!(
            r#"{{ "type": "invokeFunction", "functionName": "{id}", "waitForCompletion": true, "arguments": {arguments} }}"#
        )
    };
    let states: Vec<String> = ids
        .iter()
        .enumerate()
        .map(|(at, id)| format!(r#"{{ "name": "s{at}", "start": {}, "enterAction": {} }}"#, at == 0, action(id)))
        .collect();
    let definition = format!(
        r#"{{ "name": "flow", "version": "1", "functions": [{}], "states": [{}] }}"#,
        functions.join(", "),
        states.join(", ")
    );
    let document = document.to_owned();
    let compiled = || {
        let document = document.clone();
        let files = Files::new(move |asked| match asked.as_str() == path {
            true => Ok(document.clone().into_bytes()),
            false => Err("does not exist".to_owned()),
        });
        compile(Source::new("flow.sm4c.json", &*definition).with_files(files), &Options::default())
    };
    let output = compiled();
    output.diagnostics.iter().for_each(|found| check_finding(found, &output));
    let refused = output.diagnostics.iter().any(|found| found.severity() == Severity::Error);
    assert_eq!(output.is_refused(), refused);
    let code = pretty(&output);
    assert_eq!(code.is_none(), refused);
    assert_eq!(code, pretty(&compiled()));
}

/// Checks that all spans of a diagnostic are within their files, and that it can be rendered.
fn check_finding(found: &Diagnostic, output: &Output) {
    for span in std::iter::once(found.span).chain(found.related.iter().map(|(span, _)| *span)) {
        let text = &output.sources.get(span.file).text;
        assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?} is no place in {text:?}");
    }
    render::render(found, &output.sources, true);
    json::line(found, &output.sources);
}

/// Returns the values of `operationId`, in JSON or YAML, that are plain words.
fn operation_ids(document: &str) -> Vec<&str> {
    let mut ids: Vec<&str> = document
        .split("operationId")
        .skip(1)
        .filter_map(|rest| {
            let rest = rest.trim_start_matches(['"', '\'', ':', ' ']);
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            Some(&rest[..end]).filter(|id| !id.is_empty())
        })
        .take(CALLED)
        .collect();
    ids.sort_unstable();
    ids.dedup();
    if ids.is_empty() { vec!["op"] } else { ids }
}
