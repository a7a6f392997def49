//! Compiles any text as a workflow of Serverless Workflow, and as a path, an expression, a value,
//! a duration, an interval and an address in one.
#![no_main]

#[expect(dead_code, reason = "the readers are checked by other targets")]
mod checks;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for name in ["flow.sw.json", "flow.sw.yaml"] {
        checks::check_compiled(name, text);
    }
    let escaped: String = text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
    let quoted = format!("\"{escaped}\"");
    let start = r#""start": { "kind": "default" }, "end": { "kind": "default" }"#;
    let paths = format!(
        r#"{{ "functions": [{{ "name": "f", "resource": {quoted}, "type": "rest" }}, {{ "name": "g", "resource": "x" }}], "states": [{{
            "name": "A", "type": "operation", {start}, "stateDataFilter": {{ "dataInputPath": {quoted}, "dataOutputPath": {quoted} }},
            "actions": [{{ "functionRef": {{ "refName": "g", "parameters": {{ "p": [{quoted}] }} }}, "timeout": {quoted},
                "actionDataFilter": {{ "dataInputPath": {quoted}, "dataResultsPath": {quoted} }} }}]
        }}] }}"#
    );
    checks::check_compiled("flow.sw.json", &paths);
    for language in ["spel", "jsonpath", "jq"] {
        let conditions = format!(
            r#"{{ "expressionLanguage": "{language}", "states": [{{ "name": "A", "type": "foreach", {start},
                "inputCollection": {quoted}, "inputParameter": {quoted}, "outputCollection": {quoted},
                "retry": [{{ "expression": {quoted}, "interval": {quoted} }}],
                "onError": [{{ "expression": {quoted}, "errorDataFilter": {{ "dataOutputPath": {quoted} }}, "transition": {{ "nextState": "A" }} }}],
                "states": [{{ "name": "B", "type": "switch", "start": {{ "kind": "default" }}, "default": {{ "nextState": "C" }}, "dataConditions": [
                    {{ "path": {quoted}, "operator": "matches", "value": {quoted}, "transition": {{ "nextState": "C", "expression": {quoted} }} }}] }},
                    {{ "name": "C", "type": "inject", "data": {{}}, "end": {{ "kind": "default" }} }}]
            }}] }}"#
        );
        checks::check_compiled("flow.sw.json", &conditions);
    }
    let scheduled = format!(
        r#"{{ "states": [{{ "name": "A", "type": "inject", "data": {{}}, "end": {{ "kind": "default" }},
            "start": {{ "kind": "scheduled", "schedule": {{ "interval": {quoted} }} }} }}] }}"#
    );
    checks::check_compiled("flow.sw.json", &scheduled);
});
