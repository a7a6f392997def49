//! A test that the effects of runtime functions on shapes admit what the functions yield.

use super::shape::{admits, views};
use crate::shapes::functions::{FunctionRule, rule};
use workflow_runtime::__private::{composer, serverless_workflow};
use workflow_runtime::Value;

#[test]
fn effects_admit_what_the_functions_yield() {
    type Function = fn(Value, Value) -> Value;
    let functions: [(&str, Function); 6] = [
        ("composer::outcome", |value, _| composer::outcome(value)),
        ("composer::parameters", |value, _| composer::parameters(value)),
        ("serverless_workflow::with", |data, result| serverless_workflow::with(data, result, "Call")),
        ("serverless_workflow::injected", serverless_workflow::injected),
        ("serverless_workflow::error_view", |data, error| serverless_workflow::error_view(&data, &error)),
        ("serverless_workflow::error_data", |error, _| serverless_workflow::error_data(&error)),
    ];
    let texts = [
        "null",
        "true",
        "7",
        "\"Ada\"",
        "[1, null]",
        "{}",
        r#"{"a": 1, "b": {"c": 2}}"#,
        r#"{"a": null, "b": 5, "d": "x"}"#,
        r#"{"b": {"c": "text", "e": []}, "error": "no"}"#,
        r#"{"error": null}"#,
    ];
    let values = texts.map(|text| Value::from_json(text).expect("JSON"));
    let mut wrong = Vec::new();
    for (path, function) in functions {
        let FunctionRule::Call(_, effect) = rule(path) else { panic!("{path} has an effect") };
        for first in &values {
            for second in &values {
                let result = function(first.clone(), second.clone());
                for first_shape in views(first, &values) {
                    for second_shape in views(second, &values) {
                        let shape = effect(&[first_shape.clone(), second_shape.clone()]);
                        if !admits(&shape, &result) {
                            wrong.push(format!("{path} of {first} and {second} is {result}, not {shape}"));
                        }
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
