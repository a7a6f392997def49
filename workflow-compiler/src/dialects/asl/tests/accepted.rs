//! Tests of definitions that cause no diagnostic.

use super::{machine, read, render};

const STATES: &[&str] = &[
    r#"{"Type": "Pass", "Comment": "", "QueryLanguage": "JSONPath", "InputPath": null, "ResultPath": null, "OutputPath": null, "End": true}"#,
    r#"{"Type": "Pass", "Next": "B", "End": false}"#,
    r#"{"Type": "Pass", "Parameters": [1, {"x.$": "$$.State.Name"}], "Next": "B"}"#,
    r#"{"Type": "Pass", "Assign": {"größe.$": "$.size", "x_1": [1]}, "Next": "B"}"#,
    r#"{"Type": "Task", "Resource": "a:b", "Retry": [], "Catch": [], "End": true}"#,
    r#"{"Type": "Task", "Resource": "a:b", "TimeoutSeconds": 300.0, "HeartbeatSecondsPath": "$.beat", "End": true}"#,
    r#"{"Type": "Task", "Resource": "a:b", "Credentials": {"RoleArn.$": "$.role", "Extra": 1}, "End": true}"#,
    r#"{"Type": "Task", "Resource": "a:b", "Next": "B", "Retry": [{"Comment": "c", "ErrorEquals": ["X", "States.Http.StatusCode.404"],
        "IntervalSeconds": 1, "MaxAttempts": 0, "BackoffRate": 1, "MaxDelaySeconds": 1, "JitterStrategy": "NONE"}, {"ErrorEquals": ["States.ALL"]}]}"#,
    r#"{"Type": "Choice", "InputPath": "$.x", "OutputPath": "$", "Choices": [
        {"Comment": "c", "Variable": "$$.Execution.Name", "StringMatches": "a*\\*\\\\", "Next": "B"},
        {"Not": {"Or": [{"Comment": "c", "Variable": "$.x[0]", "IsTimestamp": false}, {"Variable": "$.y[?(@.z>1)]", "IsPresent": true},
            {"Variable": "$$.Execution.None", "IsPresent": true}, {"Variable": "$$.Map.Item", "IsPresent": true}]}, "Next": "C"}], "Default": "B"}"#,
    r#"{"Type": "Choice", "Choices": [{"Variable": "$.x", "TimestampLessThanEqualsPath": "$.y", "Next": "B"}], "Default": "C"}"#,
    r#"{"Type": "Wait", "Timestamp": "2016-03-14T01:59:00.5+01:00", "Next": "B"}"#,
    r#"{"Type": "Wait", "Seconds": 0, "Next": "B"}"#,
    r#"{"Type": "Succeed", "InputPath": "$.a", "OutputPath": "$.b"}"#,
    r#"{"Type": "Fail"}"#,
    r#"{"Type": "Fail", "ErrorPath": "$$.State.Name", "CausePath": "States.Format('{}', $.x)"}"#,
    r#"{"Type": "Parallel", "Parameters": {}, "ResultSelector": {"a.$": "$[0]"}, "Branches": [{"Comment": "c", "StartAt": "I", "States": {"I": {"Type": "Fail"}}}], "End": true}"#,
    r#"{"Type": "Map", "ItemsPath": "$$.Execution.Input.x", "MaxConcurrency": 0, "ToleratedFailureCount": 1, "ToleratedFailurePercentagePath": "$.p",
        "ItemSelector": {"v.$": "$$.Map.Item.Value"}, "End": true, "ItemProcessor": {"Comment": "c",
        "ProcessorConfig": {"Mode": "INLINE"}, "StartAt": "I", "States": {"I": {"Type": "Succeed"}}}}"#,
    // Members of the context object that exist at some places only.
    r#"{"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken", "TimeoutSeconds": 9,
        "Parameters": {"t.$": "$$.Task.Token", "n.$": "$$.State.RetryCount"}, "End": true}"#,
    r#"{"Type": "Task", "Resource": "arn:aws:states:::ecs:runTask.sync", "TimeoutSeconds": 9, "Parameters": {"t.$": "$$.Task.Token"}, "End": true}"#,
    r#"{"Type": "Task", "Resource": "${Task}", "TimeoutSeconds": 9, "Parameters": {"t.$": "$$.Task"}, "End": true}"#,
    r#"{"Type": "Map", "Parameters": {"v.$": "$$.Map.Item.Index"}, "ResultSelector": {"n.$": "$$.State.RetryCount"}, "End": true,
        "Iterator": {"StartAt": "I", "States": {"I": {"Type": "Parallel", "End": true, "Branches": [
            {"StartAt": "J", "States": {"J": {"Type": "Pass", "InputPath": "$$.Map.Item.Value", "End": true}}}]}}}}"#,
    r#"{"Type": "Pass", "QueryLanguage": "JSONata", "Assign": {"x": "{% $states.input.a %}"}, "Output": null, "Next": "B"}"#,
    r#"{"Type": "Pass", "QueryLanguage": "JSONata", "Output": {"a.$": "{%10%}", "b": "$.x", "c": "States.UUID()"}, "Next": "B"}"#,
    r#"{"Type": "Wait", "QueryLanguage": "JSONata", "Timestamp": "{% $states.input.at %}", "Next": "B"}"#,
    r#"{"Type": "Choice", "QueryLanguage": "JSONata", "Choices": [{"Condition": true, "Output": 1, "Next": "B"}], "Default": "C"}"#,
    r#"{"Type": "Parallel", "QueryLanguage": "JSONata", "Arguments": {"a": "{% $states.input %}"}, "Output": "{% $states.result[0] %}",
        "Branches": [{"StartAt": "I", "States": {"I": {"Type": "Pass", "InputPath": "$.a", "End": true}}}],
        "Catch": [{"ErrorEquals": ["X"], "Output": "{% $states.errorOutput.Cause %}", "Next": "B"}], "End": true}"#,
    r#"{"Type": "Map", "QueryLanguage": "JSONata", "Items": [1, "{% $states.input %}"], "ItemSelector": "{% $states.context.Map.Item.Value %}",
        "ToleratedFailurePercentage": "{% 50 %}", "End": true, "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Succeed"}}}}"#,
    r#"{"Type": "Map", "Parameters": {"v.$": "$"}, "Iterator": {"StartAt": "I", "States": {"I": {"Type": "Succeed"}}}, "End": true}"#,
    // Distributed Maps.
    r#"{"Type": "Map", "ItemReader": {"Resource": "arn:aws:states:::s3:listObjectsV2", "Parameters": {"Bucket.$": "$.b"}},
        "ItemSelector": {"k.$": "$$.Map.Item.Key", "s.$": "$$.Map.Item.Source"}, "End": true, "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "EXPRESS"}, "StartAt": "I", "States": {"I": {"Type": "Succeed"}}}}"#,
    r#"{"Type": "Map", "ItemReader": {"Resource": "arn:aws:states:::s3:listObjectsV2", "Parameters": {"Bucket": "b"},
        "ReaderConfig": {"InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW", "CSVDelimiter": "PIPE", "Transformation": "LOAD_AND_FLATTEN"}}, "End": true, "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "EXPRESS"}, "StartAt": "I", "States": {"I": {"Type": "Succeed"}}}}"#,
    r#"{"Type": "Map", "ItemReader": {"Resource": "arn:aws:states:::s3:getObject", "Parameters": {"Bucket": "b", "Key": "k"},
        "ReaderConfig": {"InputType": "MANIFEST", "ManifestType": "S3_INVENTORY", "MaxItems": 5}}, "End": true, "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "EXPRESS"}, "StartAt": "I", "States": {"I": {"Type": "Succeed"}}}}"#,
    r#"{"Type": "Map", "ItemReader": {"Resource": "arn:aws:states:::s3:getObject", "Parameters": {"Bucket": "b", "Key": "k"},
        "ReaderConfig": {"InputType": "CSV", "CSVHeaderLocation": "GIVEN", "CSVHeaders": ["a"]}},
        "ResultWriter": {"Resource": "arn:aws:states:::s3:putObject", "Parameters": {"Bucket": "b", "Prefix.$": "$.p"}}, "End": true, "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "EXPRESS"}, "StartAt": "I", "States": {"I": {"Type": "Succeed"}}}}"#,
    r#"{"Type": "Map", "QueryLanguage": "JSONata", "Items": {"a": "{% $states.input %}"}, "Label": "Each", "End": true, "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "EXPRESS"}, "StartAt": "I", "States": {"I": {"Type": "Succeed"}}},
        "ItemBatcher": {"BatchInput": "{% $states.input %}", "MaxInputBytesPerBatch": "{% 9 %}"}}"#,
];

#[test]
fn nothing_is_found_in_good_states() {
    for state in STATES {
        let read = read(&machine(state));
        assert!(read.workflow.is_some() && read.diagnostics.is_empty(), "{:?}\n{state}", render(&read));
    }
}

#[test]
fn an_inner_scope_may_assign_what_the_outer_scope_assigns_later() {
    let text = |next: &str| {
        let inner = r#"{"StartAt": "I", "States": {"I": {"Type": "Pass", "Assign": {"x": 1}, "End": true}}}"#;
        format!(
            r#"{{"StartAt": "A", "States": {{"A": {{"Type": "Parallel", "Branches": [{inner}], "Assign": {{"x": 2}}, "Next": "B"}},
            "B": {{"Type": "Pass", "Assign": {{"x": 3}}, {next}}}, "C": {{"Type": "Choice", "Choices": [{{"Variable": "$.a", "IsNull": true,
            "Next": "A"}}], "Default": "D"}}, "D": {{"Type": "Succeed"}}}}}}"#
        )
    };
    // Without the way back, `C` is not reachable.
    let found = |text: &str| render(&read(text)).iter().any(|line| line.contains("WF0415"));
    assert!(!found(&text(r#""End": true"#)));
    assert!(found(&text(r#""Next": "C""#)));
}

#[test]
fn the_top_level_may_say_all_it_can() {
    let text = r#"{"Comment": "c", "Version": "1.0", "QueryLanguage": "JSONPath", "TimeoutSeconds": 60, "StartAt": "A", "States": {"A": {"Type": "Succeed"}}}"#;
    let read = read(text);
    assert!(read.diagnostics.is_empty(), "{:?}", render(&read));
    let workflow = read.workflow.expect("accepted");
    assert_eq!(workflow.timeout.map(|timeout| timeout.value), Some(60));
    assert_eq!(workflow.comment.as_deref(), Some("c"));
}

#[test]
fn inner_scopes_read_outer_variables() {
    let text = r#"{"StartAt": "A", "States": {
        "A": {"Type": "Pass", "Assign": {"total": 1}, "Next": "M"},
        "M": {"Type": "Map", "End": true, "ItemProcessor": {"StartAt": "I", "States": {
            "I": {"Type": "Pass", "Parameters": {"t.$": "$total"}, "Assign": {"own.$": "$total"}, "End": true}}}}}}"#;
    let read = read(text);
    assert!(read.diagnostics.is_empty(), "{:?}", render(&read));
}
