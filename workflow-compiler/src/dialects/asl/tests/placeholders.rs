//! Tests of placeholders of deployment templates, bound and unbound
//! ([A10](docs/amazon-states-language.md#a10)).

use super::{assert_lines, lowered, machine, read_with, render};
use crate::Options;
use crate::expr::Literal;

fn bound(values: &[(&str, &str)]) -> Options {
    let substitutions = values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Options { substitutions, ..Options::default() }
}

#[test]
fn unbound_placeholders_become_settings() {
    let state = r#"{"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage", "TimeoutSeconds": "${Limit}", "Next": "B", "Parameters": {
        "QueueUrl": "${Queue}", "Text": "from ${Queue} at ${Stage}", "${Queue}": [{"${Stage}-x.$": "$.x"}],
        "Key.$": "States.Format('s3://${Bucket}/{}', $.key)"}}"#;
    assert_lines(
        &lowered(state, &Options::default()),
        r#"
            setting "Queue" -> Queue
            setting "Stage" -> Stage
            setting "Bucket" -> Bucket
            setting "Limit" -> Limit
            task 0 "sqs:sendMessage" = "arn:aws:states:::sqs:sendMessage" of "A"
              Task "A" (d)
                result = invoke task 0 with asl::keyed_object(["QueueUrl", Queue, "Text", asl::format(["from ", " at ", ""], [Queue, Stage]), Queue, [asl::keyed_object([asl::format(["", "-x"], [Stage]), asl::field(d, ["x"], "${Stage}-x.$")])], "Key", asl::format(["s3://", "/", ""], [Bucket, asl::argument(d, ["key"], "States.Format('s3://${Bucket}/{}', $.key)")])]) timeout asl::timeout_path(asl::computed(Limit, "${Limit}"), "TimeoutSeconds") s
                d = result
                goto "B"
        "#,
    );
}

/// Texts of programs contain `${…}` with paths and calls
/// ([A39](docs/amazon-states-language.md#a39)).
#[test]
fn other_text_in_braces_is_plain() {
    let state = r#"{"Type": "Pass", "Parameters": {"script": "throw `${payload.name} of ${names()}`"}, "Next": "B"}"#;
    let shown = lowered(state, &Options::default());
    assert!(shown.contains("throw `${payload.name} of ${names()}`") && !shown.contains("setting"), "{shown}");
    let shown = lowered(state, &bound(&[("payload.name", "Ada")]));
    assert!(shown.contains("throw `Ada of ${names()}`"), "{shown}");
}

#[test]
fn functions_and_roles_keep_the_name() {
    let state = r#"{"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Next": "B",
        "Parameters": {"FunctionName": "${Charge}", "Payload.$": "$"}, "Credentials": {"RoleArn": "${Role}"}}"#;
    assert_lines(
        &lowered(state, &Options::default()),
        r#"
            task 0 "Charge" = "arn:aws:states:::lambda:invoke" of "A"
              Task "A" (d)
                result = invoke task 0 with {"FunctionName": "Charge", "Payload": d} timeout 60 s as {"RoleArn":"Role"}
                d = result
                goto "B"
        "#,
    );
}

#[test]
fn settings_are_compared_and_waited_for() {
    let state = r#"{"Type": "Choice", "Choices": [{"Variable": "$.stage", "StringEquals": "${Stage}", "Next": "B"},
        {"Variable": "$.n", "NumericLessThan": "${Most}", "Next": "B"}], "Default": "C"}"#;
    assert_lines(
        &lowered(state, &Options::default()),
        r#"
            setting "Stage" -> Stage
            setting "Most" -> Most
              Choice "A" (d)
                choose
                if asl::string_equals_path(asl::subject(d, ["stage"]), Stage)
                  goto "B"
                if asl::numeric_less_than_path(asl::subject(d, ["n"]), Most)
                  goto "B"
                otherwise
                  goto "C"
        "#,
    );
    let state = r#"{"Type": "Wait", "Seconds": "${Pause}", "Next": "B"}"#;
    assert_lines(
        &lowered(state, &Options::default()),
        r#"
            setting "Pause" -> Pause
              Wait "A" (d)
                wait asl::seconds_path(asl::computed(Pause, "${Pause}")) s
                goto "B"
        "#,
    );
}

/// Checks that a placeholder in quotes may stand for a number. Templates quote it, because they
/// are JSON too.
#[test]
fn bound_placeholders_may_be_numbers() {
    let options = bound(&[("Limit", "300"), ("Most", "5"), ("Rate", "1.5"), ("Last", "true"), ("Fn", "charge")]);
    let state = r#"{"Type": "Task", "Resource": "arn:aws:lambda:r:1:function:${Fn}", "TimeoutSeconds": "${Limit}", "End": "${Last}",
        "Retry": [{"ErrorEquals": ["X"], "MaxAttempts": "${Most}", "BackoffRate": "${Rate}"}]}"#;
    assert_lines(
        &lowered(state, &options),
        r#"
            task 0 "charge" = "arn:aws:lambda:r:1:function:charge" of "A"
              Task "A" (d)
                try 0 (retries)
                  result = invoke task 0 with d timeout 300 s
                retry [X] 5 times after 1 s, rate 1.5
                d = result
                end d
        "#,
    );
    let wrong =
        read_with(&machine(r#"{"Type": "Wait", "Seconds": "${Pause}", "Next": "B"}"#), &bound(&[("Pause", "soon")]));
    assert_eq!(render(&wrong)[..1], [r#"WF0403 "${Pause}""#]);
}

#[test]
fn bound_placeholders_are_part_of_paths_and_names() {
    let options = bound(&[("Field", "order.id"), ("Next", "B"), ("Name", "total")]);
    let state = r#"{"Type": "Pass", "InputPath": "$.${Field}", "Assign": {"${Name}": "${Field}"}, "Next": "${Next}"}"#;
    assert_lines(
        &lowered(state, &options),
        r#"
            Pass "A" (d)
              result = asl::path(d, ["order", "id"])
              assign $total = "order.id"
              d = result
              goto "B"
        "#,
    );
}

/// Checks that a diagnostic inside a text with a placeholder has the right span.
#[test]
fn places_survive_substitution() {
    let read = read_with(
        &machine(r#"{"Type": "Pass", "InputPath": "$.${Field}.[", "End": true}"#),
        &bound(&[("Field", "a.b.c.d.e.f")]),
    );
    let rendered = render(&read);
    assert!(rendered[0].starts_with("WF0301"), "{rendered:?}");
    let line = read.sources.text(read.diagnostics[0].span);
    assert!(!line.contains("Field"), "{rendered:?}");
}

#[test]
fn texts_that_only_look_like_placeholders_stay() {
    let state = r#"{"Type": "Pass", "Result": "${} ${a-b} $x} ${open", "End": true}"#;
    let read = read_with(&machine(state), &Options::default());
    let workflow = read.workflow.expect("accepted");
    assert!(workflow.settings.is_empty());
    let mut texts = Vec::new();
    workflow.walk_exprs(&mut |expr| {
        if let crate::expr::Expr::Literal(Literal::String(text)) = expr {
            texts.push(text.clone());
        }
    });
    assert_eq!(texts, ["${} ${a-b} $x} ${open"]);
}
