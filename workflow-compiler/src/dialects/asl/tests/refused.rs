//! Tests of errors and warnings: the code, and the source at the span.

use super::{machine, read, read_with, render};
use crate::Options;
use crate::codes;
use crate::diagnostics::codes::fields;
use crate::dialects::asl::codes as own;

#[test]
fn a_field_among_the_states_is_named_without_errors_that_follow() {
    let read = read(
        r#"{ "StartAt": "A", "States": { "QueryLanguage": "JSONata",
            "A": { "Type": "Pass", "Output": "{% $states.input %}", "End": true } } }"#,
    );
    let found: Vec<&str> = read.diagnostics.iter().map(|found| found.message.as_str()).collect();
    assert_eq!(found, ["`QueryLanguage` is not a state: it is a field of the state machine or a state"]);
    assert_eq!(read.diagnostics[0].help.as_deref(), Some("move it out of `States`"));
}

/// Fragments that consist of one state.
const STATES: &[(&str, &str)] = &[
    (
        "WF0307 .Itm",
        r#"{"Type": "Map", "ItemSelector": {"x.$": "$$.Map.Itm.Value"}, "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Succeed"}}}, "End": true}"#,
    ),
    (
        "WF0307 ['Val']",
        r#"{"Type": "Map", "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Pass", "InputPath": "$$.Map.Item['Val']", "End": true}}}, "End": true}"#,
    ),
    (
        "WF0307 .Key",
        r#"{"Type": "Map", "ItemSelector": {"x.$": "$$.Map.Item.Key"}, "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Succeed"}}}, "End": true}"#,
    ),
    ("WF0307 .Map", r#"{"Type": "Pass", "Parameters": {"x.$": "$$.Map.Item.Value"}, "End": true}"#),
    (
        "WF0307 .Map",
        r#"{"Type": "Map", "ItemsPath": "$$.Map.Item.Value", "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Succeed"}}}, "End": true}"#,
    ),
    (
        "WF0307 .Map",
        r#"{"Type": "Parallel", "Branches": [{"StartAt": "I", "States": {"I": {"Type": "Pass", "InputPath": "$$.Map", "End": true}}}], "End": true}"#,
    ),
    ("WF0307 .Task", r#"{"Type": "Pass", "InputPath": "$$.Task.Token", "End": true}"#),
    (
        "WF0307 .Task",
        r#"{"Type": "Choice", "Choices": [{"Variable": "$$.Task.Token", "IsString": true, "Next": "B"}], "Default": "C"}"#,
    ),
    ("WF0307 .RetryCount", r#"{"Type": "Wait", "SecondsPath": "$$.State.RetryCount", "End": true}"#),
    ("WF0307 .x", r#"{"Type": "Pass", "OutputPath": "$$.Execution.Name.x", "End": true}"#),
    ("WF0307 [0]", r#"{"Type": "Pass", "InputPath": "$$.State[0]", "End": true}"#),
    ("WF0307 .RedriveTime", r#"{"Type": "Pass", "InputPath": "$$.Execution.RedriveTime", "End": true}"#),
    (
        "WF0307 .Executon",
        r#"{"Type": "Pass", "Parameters": {"x.$": "States.Format('{}', $$.Executon.Name)"}, "End": true}"#,
    ),
    (
        "WF0419 .waitForTasktoken",
        r#"{"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage.waitForTasktoken", "TimeoutSeconds": 9, "End": true}"#,
    ),
    (
        "WF0419 .sync:3",
        r#"{"Type": "Task", "Resource": "arn:aws:states:::ecs:runTask.sync:3", "TimeoutSeconds": 9, "End": true}"#,
    ),
    ("WF0401 {", r#"{"Type": "Task", "End": true}"#),
    ("WF0401 {", r#"{"Next": "B"}"#),
    ("WF0401 {", r#"{"Type": "Wait", "Next": "B"}"#),
    ("WF0401 {", r#"{"Type": "Choice", "Default": "B"}"#),
    ("WF0401 {", r#"{"Type": "Choice", "Choices": [{"Variable": "$.x", "IsNull": true}]}"#),
    ("WF0401 {", r#"{"Type": "Choice", "Choices": [{"IsNull": true, "Next": "B"}]}"#),
    ("WF0401 {", r#"{"Type": "Parallel", "End": true}"#),
    ("WF0401 {", r#"{"Type": "Map", "End": true}"#),
    ("WF0401 {", r#"{"Type": "Map", "ItemProcessor": {"States": {"I": {"Type": "Succeed"}}}, "End": true}"#),
    ("WF0401 {", r#"{"Type": "Task", "Resource": "a:b", "Retry": [{"MaxAttempts": 1}], "End": true}"#),
    ("WF0401 {", r#"{"Type": "Task", "Resource": "a:b", "Catch": [{"ErrorEquals": ["X"]}], "End": true}"#),
    ("WF0401 \"Credentials\"", r#"{"Type": "Task", "Resource": "a:b", "Credentials": {}, "End": true}"#),
    ("WF0402 \"Resouce\"", r#"{"Type": "Task", "Resource": "a:b", "Resouce": "c:d", "End": true}"#),
    ("WF0402 \"comment\"", r#"{"Type": "Pass", "comment": "lower case", "End": true}"#),
    ("WF0402 \"X\"", r#"{"Type": "Choice", "Choices": [{"Variable": "$.x", "IsNull": true, "X": 1, "Next": "B"}]}"#),
    (
        "WF0402 \"X\"",
        r#"{"Type": "Map", "ItemProcessor": {"ProcessorConfig": {"X": 1}, "StartAt": "I", "States": {"I": {"Type": "Succeed"}}}, "End": true}"#,
    ),
    ("WF0403 \"30\"", r#"{"Type": "Wait", "Seconds": "30", "Next": "B"}"#),
    ("WF0403 7", r#"{"Type": "Pass", "Comment": 7, "Next": "B"}"#),
    ("WF0403 \"yes\"", r#"{"Type": "Pass", "End": "yes"}"#),
    ("WF0403 null", r#"{"Type": "Pass", "Next": null}"#),
    ("WF0403 5", r#"{"Type": "Pass", "InputPath": 5, "End": true}"#),
    ("WF0403 true", r#"{"Type": "Pass", "ResultPath": true, "End": true}"#),
    ("WF0403 []", r#"{"Type": "Pass", "Assign": [], "End": true}"#),
    ("WF0403 \"$.x\"", r#"{"Type": "Task", "Resource": "a:b", "ResultSelector": "$.x", "End": true}"#),
    ("WF0403 null", r#"{"Type": "Task", "Resource": "a:b", "Credentials": null, "End": true}"#),
    ("WF0403 {}", r#"{"Type": "Task", "Resource": "a:b", "Retry": {}, "End": true}"#),
    ("WF0403 1", r#"{"Type": "Task", "Resource": "a:b", "Catch": [1], "End": true}"#),
    ("WF0403 true", r#"{"Type": "Task", "Resource": "a:b", "Retry": [{"ErrorEquals": [true]}], "End": true}"#),
    ("WF0403 \"1\"", r#"{"Type": "Choice", "Choices": [{"Variable": "$.x", "NumericEquals": "1", "Next": "B"}]}"#),
    ("WF0403 1", r#"{"Type": "Choice", "Choices": [{"Variable": "$.x", "StringEquals": 1, "Next": "B"}]}"#),
    (
        "WF0403 \"true\"",
        r#"{"Type": "Choice", "Choices": [{"Variable": "$.x", "BooleanEquals": "true", "Next": "B"}]}"#,
    ),
    ("WF0403 \"true\"", r#"{"Type": "Choice", "Choices": [{"Variable": "$.x", "IsNull": "true", "Next": "B"}]}"#),
    ("WF0403 7", r#"{"Type": "Choice", "Choices": [{"Variable": "$.x", "StringEqualsPath": 7, "Next": "B"}]}"#),
    (
        "WF0403 null",
        r#"{"Type": "Map", "ItemsPath": null, "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Succeed"}}}, "End": true}"#,
    ),
    ("WF0404 0", r#"{"Type": "Task", "Resource": "a:b", "TimeoutSeconds": 0, "End": true}"#),
    ("WF0404 1.5", r#"{"Type": "Wait", "Seconds": 1.5, "Next": "B"}"#),
    ("WF0404 100000000", r#"{"Type": "Wait", "Seconds": 100000000, "Next": "B"}"#),
    (
        "WF0404 0",
        r#"{"Type": "Task", "Resource": "a:b", "Retry": [{"ErrorEquals": ["X"], "IntervalSeconds": 0}], "End": true}"#,
    ),
    (
        "WF0404 -1",
        r#"{"Type": "Task", "Resource": "a:b", "Retry": [{"ErrorEquals": ["X"], "MaxAttempts": -1}], "End": true}"#,
    ),
    (
        "WF0404 0.9",
        r#"{"Type": "Task", "Resource": "a:b", "Retry": [{"ErrorEquals": ["X"], "BackoffRate": 0.9}], "End": true}"#,
    ),
    (
        "WF0404 31622401",
        r#"{"Type": "Task", "Resource": "a:b", "Retry": [{"ErrorEquals": ["X"], "MaxDelaySeconds": 31622401}], "End": true}"#,
    ),
    (
        "WF0404 101",
        r#"{"Type": "Map", "ToleratedFailurePercentage": 101, "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Succeed"}}}, "End": true}"#,
    ),
    (
        "WF0404 -1",
        r#"{"Type": "Map", "MaxConcurrency": -1, "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Succeed"}}}, "End": true}"#,
    ),
    ("WF0405 \"SecondsPath\"", r#"{"Type": "Wait", "Seconds": 1, "SecondsPath": "$.x", "Next": "B"}"#),
    ("WF0405 \"Timestamp\"", r#"{"Type": "Wait", "Seconds": 1, "Timestamp": "2016-03-14T01:59:00Z", "Next": "B"}"#),
    (
        "WF0405 \"TimeoutSecondsPath\"",
        r#"{"Type": "Task", "Resource": "a:b", "TimeoutSeconds": 1, "TimeoutSecondsPath": "$.x", "End": true}"#,
    ),
    ("WF0405 \"ErrorPath\"", r#"{"Type": "Fail", "Error": "x", "ErrorPath": "$.x"}"#),
    (
        "WF0405 \"Parameters\"",
        r#"{"Type": "Map", "ItemSelector": {}, "Parameters": {}, "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Succeed"}}}, "End": true}"#,
    ),
    ("WF0406 \"ResultPath\"", r#"{"Type": "Wait", "Seconds": 1, "ResultPath": "$.x", "Next": "B"}"#),
    ("WF0406 \"Next\"", r#"{"Type": "Succeed", "Next": "B"}"#),
    ("WF0406 \"InputPath\"", r#"{"Type": "Fail", "InputPath": "$.x"}"#),
    ("WF0406 \"Retry\"", r#"{"Type": "Pass", "Retry": [], "Next": "B"}"#),
    ("WF0503 \"Arguments\"", r#"{"Type": "Task", "Resource": "a:b", "Arguments": {}, "End": true}"#),
    (
        "WF0406 \"End\"",
        r#"{"Type": "Choice", "Choices": [{"Variable": "$.x", "IsNull": true, "Next": "B"}], "End": true}"#,
    ),
    (
        "WF0406 \"Next\"",
        r#"{"Type": "Choice", "Choices": [{"Not": {"Variable": "$.x", "IsNull": true, "Next": "C"}, "Next": "B"}]}"#,
    ),
    (
        "WF0406 \"Assign\"",
        r#"{"Type": "Choice", "Choices": [{"And": [{"Variable": "$.x", "IsNull": true, "Assign": {}}], "Next": "B"}]}"#,
    ),
    (
        "WF0406 \"Variable\"",
        r#"{"Type": "Choice", "Choices": [{"Variable": "$.x", "Not": {"Variable": "$.x", "IsNull": true}, "Next": "B"}]}"#,
    ),
    ("WF0407 \"task\"", r#"{"Type": "task", "Resource": "a:b", "End": true}"#),
    ("WF0407 \"JSONPAth\"", r#"{"Type": "Pass", "QueryLanguage": "JSONPAth", "End": true}"#),
    (
        "WF0407 \"full\"",
        r#"{"Type": "Task", "Resource": "a:b", "Retry": [{"ErrorEquals": ["X"], "JitterStrategy": "full"}], "End": true}"#,
    ),
    (
        "WF0407 \"INLIN\"",
        r#"{"Type": "Map", "ItemProcessor": {"ProcessorConfig": {"Mode": "INLIN"}, "StartAt": "I", "States": {"I": {"Type": "Succeed"}}}, "End": true}"#,
    ),
    ("WF0407 \"States.MathAdd(1, 2)\"", r#"{"Type": "Fail", "ErrorPath": "States.MathAdd(1, 2)"}"#),
    ("WF0408 {", r#"{"Type": "Pass"}"#),
    ("WF0408 \"Next\"", r#"{"Type": "Pass", "Next": "B", "End": true}"#),
    ("WF0408 false", r#"{"Type": "Pass", "End": false}"#),
    (
        "WF0409 \"States.ALL\"",
        r#"{"Type": "Task", "Resource": "a:b", "Retry": [{"ErrorEquals": ["States.ALL", "X"]}], "End": true}"#,
    ),
    (
        "WF0409 \"States.ALL\"",
        r#"{"Type": "Task", "Resource": "a:b", "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "B"}, {"ErrorEquals": ["X"], "Next": "C"}], "End": true}"#,
    ),
    (
        "WF0410 \"\"",
        r#"{"Type": "Parallel", "Branches": [{"StartAt": "", "States": {"": {"Type": "Succeed"}}}], "End": true}"#,
    ),
    ("WF0410 order-id", r#"{"Type": "Pass", "Assign": {"order-id": 1}, "End": true}"#),
    ("WF0410 1st", r#"{"Type": "Pass", "Assign": {"1st.$": "$.x"}, "End": true}"#),
    ("WF0410 states", r#"{"Type": "Pass", "Assign": {"states": 1}, "End": true}"#),
    (
        "WF0410 :",
        r#"{"Type": "Map", "Label": "a:b", "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Succeed"}}}, "End": true}"#,
    ),
    (
        "WF0410 \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"",
        r#"{"Type": "Map", "Label": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Succeed"}}}, "End": true}"#,
    ),
    ("WF0411 \"2016-03-14\"", r#"{"Type": "Wait", "Timestamp": "2016-03-14", "Next": "B"}"#),
    (
        "WF0411 \"2016-03-14t01:59:00Z\"",
        r#"{"Type": "Choice", "Choices": [{"Variable": "$.x", "TimestampEquals": "2016-03-14t01:59:00Z", "Next": "B"}]}"#,
    ),
    ("WF0412 []", r#"{"Type": "Choice", "Choices": [], "Default": "B"}"#),
    ("WF0412 []", r#"{"Type": "Choice", "Choices": [{"And": [], "Next": "B"}]}"#),
    ("WF0412 []", r#"{"Type": "Parallel", "Branches": [], "End": true}"#),
    ("WF0412 []", r#"{"Type": "Task", "Resource": "a:b", "Retry": [{"ErrorEquals": []}], "End": true}"#),
    ("WF0412 \" \"", r#"{"Type": "Task", "Resource": " ", "End": true}"#),
    ("WF0412 {}", r#"{"Type": "Parallel", "Branches": [{"StartAt": "X", "States": {}}], "End": true}"#),
    ("WF0413 {", r#"{"Type": "Choice", "Choices": [{"Variable": "$.x", "Next": "B"}]}"#),
    (
        "WF0413 \"StringEqual\"",
        r#"{"Type": "Choice", "Choices": [{"Variable": "$.x", "StringEqual": "y", "Next": "B"}]}"#,
    ),
    (
        "WF0413 \"IsString\"",
        r#"{"Type": "Choice", "Choices": [{"Variable": "$.x", "IsNull": false, "IsString": true, "Next": "B"}]}"#,
    ),
    ("WF0414 \"$total\"", r#"{"Type": "Pass", "ResultPath": "$total", "End": true}"#),
    ("WF0414 \"$$.x\"", r#"{"Type": "Pass", "ResultPath": "$$.x", "End": true}"#),
    ("WF0458 $totl", r#"{"Type": "Pass", "Assign": {"total": 1}, "Parameters": {"x.$": "$totl"}, "End": true}"#),
    ("WF0416 60", r#"{"Type": "Task", "Resource": "a:b", "TimeoutSeconds": 60, "HeartbeatSeconds": 60, "End": true}"#),
    ("WF0418 \\\\", r#"{"Type": "Choice", "Choices": [{"Variable": "$.x", "StringMatches": "a\\b", "Next": "B"}]}"#),
    ("WF0418 \\\\", r#"{"Type": "Choice", "Choices": [{"Variable": "$.x", "StringMatches": "a\\", "Next": "B"}]}"#),
    ("WF0419 ${Charge", r#"{"Type": "Task", "Resource": "arn:${P}:${Charge", "End": true}"#),
    ("WF0503 \"Output\"", r#"{"Type": "Pass", "Output": 1, "End": true}"#),
    ("WF0503 \"Condition\"", r#"{"Type": "Choice", "Choices": [{"Condition": true, "Next": "B"}]}"#),
    ("WF0503 \"OutputPath\"", r#"{"Type": "Pass", "QueryLanguage": "JSONata", "OutputPath": "$", "End": true}"#),
    (
        "WF0463 \"FIRST_ROW\"",
        r#"{"Type": "Map", "ItemReader": {"Resource": "arn:aws:states:::s3:getObject", "Parameters": {"Bucket": "b", "Key": "k"}, "ReaderConfig": {"InputType": "CSV", "ManifestType": "ATHENA_DATA", "CSVHeaderLocation": "FIRST_ROW"}}, "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "I", "States": {"I": {"Type": "Succeed"}}}, "End": true}"#,
    ),
    (
        "WF0503 \"MaxItemsPath\"",
        r#"{"Type": "Map", "QueryLanguage": "JSONata", "ItemReader": {"Resource": "arn:aws:states:::s3:listObjectsV2", "Arguments": {"Bucket": "b"}, "ReaderConfig": {"MaxItemsPath": "$.x"}}, "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "I", "States": {"I": {"Type": "Succeed"}}}, "End": true}"#,
    ),
    (
        "WF0503 \"MaxItemsPerBatchPath\"",
        r#"{"Type": "Map", "QueryLanguage": "JSONata", "ItemBatcher": {"MaxItemsPerBatchPath": "$.x"}, "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "I", "States": {"I": {"Type": "Succeed"}}}, "End": true}"#,
    ),
    (
        "WF0503 \"MaxInputBytesPerBatchPath\"",
        r#"{"Type": "Map", "QueryLanguage": "JSONata", "ItemBatcher": {"MaxInputBytesPerBatchPath": "$.x"}, "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "I", "States": {"I": {"Type": "Succeed"}}}, "End": true}"#,
    ),
    ("WF0406 \"Arguments\"", r#"{"Type": "Pass", "QueryLanguage": "JSONata", "Arguments": 1, "End": true}"#),
    ("WF0406 \"Output\"", r#"{"Type": "Fail", "QueryLanguage": "JSONata", "Output": 1}"#),
    ("WF0410 a.$", r#"{"Type": "Pass", "QueryLanguage": "JSONata", "Assign": {"a.$": 1}, "End": true}"#),
    ("WF1801 \"{% 1\"", r#"{"Type": "Pass", "QueryLanguage": "JSONata", "Output": "{% 1", "End": true}"#),
    (
        "WF1803 /a(?=b)/",
        r#"{"Type": "Pass", "QueryLanguage": "JSONata", "Output": "{% $x.$contains(/a(?=b)/) %}", "End": true}"#,
    ),
    ("WF1802 phone", r#"{"Type": "Pass", "QueryLanguage": "JSONata", "Output": "{% phone %}", "End": true}"#),
    ("WF0457 \"{% 1 %}\"", r#"{"Type": "Pass", "Parameters": {"a": "{% 1 %}"}, "End": true}"#),
    (
        "WF0307 .Map",
        r#"{"Type": "Map", "ResultSelector": {"a.$": "$$.Map.Item.Source"}, "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "I", "States": {"I": {"Type": "Succeed"}}}, "End": true}"#,
    ),
    (
        "WF0462 \"ItemBatcher\"",
        r#"{"Type": "Map", "ItemBatcher": {"MaxItemsPerBatch": 1}, "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Succeed"}}}, "End": true}"#,
    ),
    (
        "WF0451 \"States.TimeOut\"",
        r#"{"Type": "Task", "Resource": "a:b", "Retry": [{"ErrorEquals": ["States.TimeOut"]}], "End": true}"#,
    ),
    (
        "WF0451 \"State.ALL\"",
        r#"{"Type": "Task", "Resource": "a:b", "Retry": [{"ErrorEquals": ["State.ALL"]}], "End": true}"#,
    ),
    (
        "WF0452 \"States.Runtime\"",
        r#"{"Type": "Task", "Resource": "a:b", "Catch": [{"ErrorEquals": ["States.Runtime"], "Next": "B"}], "End": true}"#,
    ),
    (
        "WF0452 \"States.ParameterPathFailure\"",
        r#"{"Type": "Task", "Resource": "a:b", "Catch": [{"ErrorEquals": ["States.ParameterPathFailure"], "Next": "B"}], "End": true}"#,
    ),
    (
        "WF0453 \"arn:aws:states:::ecs:runTask.sync\"",
        r#"{"Type": "Task", "Resource": "arn:aws:states:::ecs:runTask.sync", "End": true}"#,
    ),
    (
        "WF0454 \"X\"",
        r#"{"Type": "Task", "Resource": "a:b", "Retry": [{"ErrorEquals": ["X"]}, {"ErrorEquals": ["X", "Y"]}], "End": true}"#,
    ),
    ("WF0455 \"Parameters\"", r#"{"Type": "Pass", "Result": 1, "Parameters": {}, "End": true}"#),
    ("WF0455 60", r#"{"Type": "Task", "Resource": "a:b", "HeartbeatSeconds": 60, "End": true}"#),
    ("WF0456 \"roleArn\"", r#"{"Type": "Task", "Resource": "a:b", "Credentials": {"roleArn": "x"}, "End": true}"#),
    ("WF0457 \"$.x\"", r#"{"Type": "Pass", "Parameters": {"x": ["$.x"]}, "End": true}"#),
    ("WF0459 {", r#"{"Type": "Choice", "Choices": [{"Variable": "$.x", "IsNull": true, "Next": "B"}]}"#),
    (
        "WF0355 .Task",
        r#"{"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage", "Parameters": {"x.$": "$$.Task.Token"}, "End": true}"#,
    ),
    ("WF0457 \"x.$\"", r#"{"Type": "Pass", "Result": {"x.$": "$.x"}, "End": true}"#),
];

/// Complete definitions.
const MACHINES: &[(&str, &str)] = &[
    ("WF0401 {", r#"{"States": {"A": {"Type": "Succeed"}}}"#),
    ("WF0401 {", r#"{"StartAt": "A"}"#),
    ("WF0402 \"Startat\"", r#"{"StartAt": "A", "Startat": "A", "States": {"A": {"Type": "Succeed"}}}"#),
    ("WF0403 [\"A\"]", r#"{"StartAt": ["A"], "States": {"A": {"Type": "Succeed"}}}"#),
    ("WF0403 []", r#"{"StartAt": "A", "States": []}"#),
    ("WF0403 1", r#"{"StartAt": "A", "States": {"A": 1}}"#),
    ("WF0404 0", r#"{"StartAt": "A", "TimeoutSeconds": 0, "States": {"A": {"Type": "Succeed"}}}"#),
    ("WF0407 \"2.0\"", r#"{"StartAt": "A", "Version": "2.0", "States": {"A": {"Type": "Succeed"}}}"#),
    ("WF0412 {}", r#"{"StartAt": "A", "States": {}}"#),
    (
        "WF0415 total",
        r#"{"StartAt": "A", "States": {
            "A": {"Type": "Pass", "Assign": {"total": 1}, "Next": "M"},
            "M": {"Type": "Map", "ItemProcessor": {"StartAt": "I", "States": {
                "I": {"Type": "Pass", "Assign": {"total.$": "$"}, "End": true}}}, "End": true}}}"#,
    ),
    (
        "WF0458 $inner",
        r#"{"StartAt": "M", "States": {
            "M": {"Type": "Map", "Next": "A", "ItemProcessor": {"StartAt": "I", "States": {
                "I": {"Type": "Pass", "Assign": {"inner": 1}, "End": true}}}},
            "A": {"Type": "Pass", "OutputPath": "$inner", "End": true}}}"#,
    ),
    (
        "WF0417 ${Error}",
        r#"{"StartAt": "A", "States": {"A": {"Type": "Task", "Resource": "a:b", "Retry": [{"ErrorEquals": ["${Error}"]}], "End": true}}}"#,
    ),
    (
        "WF0417 ${N}",
        r#"{"StartAt": "A", "States": {"A": {"Type": "Task", "Resource": "a:b", "Retry": [{"ErrorEquals": ["X"], "MaxAttempts": "${N}"}], "End": true}}}"#,
    ),
    ("WF0417 ${Path}", r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "InputPath": "$.${Path}", "End": true}}}"#),
    ("WF0417 ${Next}", r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "Next": "${Next}"}}}"#),
    ("WF0417 ${Name}", r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "Assign": {"${Name}": 1}, "End": true}}}"#),
    (
        "WF0417 ${Name}",
        r#"{"StartAt": "A", "QueryLanguage": "JSONata", "States": {"A": {"Type": "Succeed", "Output": "{% 'a ${Name}' %}"}}}"#,
    ),
    (
        "WF0503 \"JSONPath\"",
        r#"{"StartAt": "A", "QueryLanguage": "JSONata", "States": {"A": {"Type": "Succeed", "QueryLanguage": "JSONPath"}}}"#,
    ),
];

#[test]
fn diagnostics_have_their_code_and_span() {
    let states = STATES.iter().map(|(expected, state)| (expected, machine(state)));
    let machines = MACHINES.iter().map(|(expected, text)| (expected, (*text).to_owned()));
    for (expected, text) in states.chain(machines) {
        let read = read(&text);
        let rendered = render(&read);
        assert!(rendered.iter().any(|line| line == expected), "expected `{expected}` in {rendered:?}\n{text}");
        assert_eq!(read.workflow.is_none(), rendered.iter().any(|line| codes::is_error(line)), "{text}");
    }
}

#[test]
fn every_code_of_the_table_is_tested() {
    // This dialect names no files and no functions, counts no branches, and has no ISO 8601
    // durations. It refuses unknown fields.
    const ELSEWHERE: [&str; 6] = ["WF0420", "WF0421", "WF0422", "WF0423", "WF0460", "WF0461"];
    for code in fields::ALL.iter().chain(own::ALL).filter(|code| !ELSEWHERE.contains(&code.id)) {
        let tested = STATES.iter().chain(MACHINES).any(|(expected, _)| expected.starts_with(code.id));
        assert!(tested, "{} has no test", code.id);
    }
}

#[test]
fn all_that_is_wrong_is_reported_at_once() {
    let text = machine(
        r#"{"Type": "Task", "TimeoutSeconds": -1, "Retry": [{"ErrorEquals": []}], "InputPath": "x", "Nxt": "B"}"#,
    );
    let rendered = render(&read(&text));
    let codes: Vec<&str> = rendered.iter().map(|rendered| &rendered[..6]).collect();
    assert_eq!(codes, ["WF0401", "WF0404", "WF0412", "WF0301", "WF0402"], "{rendered:?}");
}

#[test]
fn the_nearest_name_is_suggested() {
    for (state, expected) in [
        (r#"{"Type": "Task", "Resource": "a:b", "ResultPaht": "$.x", "End": true}"#, "did you mean `ResultPath`?"),
        (r#"{"Type": "Tsk", "Resource": "a:b", "End": true}"#, "did you mean `Task`?"),
        (
            r#"{"Type": "Choice", "Choices": [{"Variable": "$.x", "NumericLesThan": 1, "Next": "B"}]}"#,
            "did you mean `NumericLessThan`?",
        ),
        (
            r#"{"Type": "Task", "Resource": "a:b", "Catch": [{"ErrorEquals": ["States.Al"], "Next": "B"}], "End": true}"#,
            "did you mean `States.ALL`?",
        ),
        (r#"{"Type": "Pass", "Assign": {"total": 1}, "OutputPath": "$totl", "End": true}"#, "did you mean `total`?"),
        (r#"{"Type": "Wait", "Seconds": "30", "Next": "B"}"#, "remove the quotes: `30`"),
    ] {
        let read = read(&machine(state));
        let helps: Vec<&str> = read.diagnostics.iter().filter_map(|diagnostic| diagnostic.help.as_deref()).collect();
        assert!(helps.contains(&expected), "{helps:?}");
    }
}

#[test]
fn express_workflows_refuse_what_aws_refuses() {
    let express = Options { express: true, ..Options::default() };
    for (resource, refused) in [
        ("arn:aws:states:::sqs:sendMessage.waitForTaskToken", true),
        ("arn:aws:states:::states:startExecution.sync:2", true),
        ("arn:aws:states:eu-west-1:123456789012:activity:approve", true),
        ("activity", true),
        ("arn:aws:states:::sqs:sendMessage", false),
        ("arn:aws:lambda:eu-west-1:123456789012:function:charge", false),
        ("${Charge}", false),
    ] {
        let text = machine(&format!(r#"{{"Type": "Task", "Resource": "{resource}", "End": true}}"#));
        let rendered = render(&read_with(&text, &express));
        assert_eq!(rendered.iter().any(|line| line.starts_with("WF0419")), refused, "{resource}: {rendered:?}");
        assert!(!render(&read(&text)).iter().any(|line| codes::is_error(line)), "{resource}");
    }
}

#[test]
fn reading_stops_where_there_are_too_many_errors() {
    let fields: Vec<String> = (0..1000).map(|n| format!(r#""x{n}": 1"#)).collect();
    let rules = vec![r#"{"Next": 1}"#; 1000].join(", ");
    let choice = format!(r#"{{"Type": "Choice", "Choices": [{rules}]}}"#);
    let pass = format!(r#"{{"Type": "Pass", {}, "End": true}}"#, fields.join(", "));
    let states: Vec<String> =
        (0..200).map(|n| format!(r#""S{n}": {{"Type": "Pass", "ResultPath": "$v{n}", "End": true}}"#)).collect();
    let states = format!(r#"{{"StartAt": "S0", "States": {{{}}}}}"#, states.join(", "));
    for text in [machine(&choice), machine(&pass), states] {
        let rendered = render(&read(&text));
        assert!((100..110).contains(&rendered.len()), "{}", rendered.len());
    }
}
