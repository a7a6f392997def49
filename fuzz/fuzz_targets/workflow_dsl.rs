//! Compiles any text as a workflow of the Workflow DSL, and as a filter and an address in one.
#![no_main]

#[expect(dead_code, reason = "the readers are checked by other targets")]
mod checks;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for name in ["flow.workflow-dsl.json", "flow.workflow-dsl.yaml"] {
        checks::check_compiled(name, text);
    }
    let escaped: String = text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
    let quoted = format!("\"{escaped}\"");
    let within = format!(
        r#"{{ "id": "t", "activities": [{{
            "name": "A", "type": "operation", "activityDataFilter": {{ "input": {quoted}, "output": {quoted} }},
            "actions": [{{ "type": "rest", "operation": {quoted}, "method": "POST", "arguments": [{quoted}] }}]
        }}] }}"#
    );
    checks::check_compiled("flow.workflow-dsl.json", &within);
});
