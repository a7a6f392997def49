//! Tests of the HIR that states are lowered to.

use super::{assert_lines, lowered};
use crate::Options;

/// Checks that a state without fields has no step.
#[test]
fn nothing_costs_nothing() {
    let state = r#"{"Type": "Pass", "Next": "B"}"#;
    assert_lines(
        &lowered(state, &Options::default()),
        r#"
            Pass "A" (d)
              goto "B"
        "#,
    );
}

#[test]
fn pass_with_result_and_places() {
    let state = r#"{"Type": "Pass", "Result": {"x.$": "$.y"}, "ResultPath": "$.a['b'][0]", "Next": "B"}"#;
    assert_lines(
        &lowered(state, &Options::default()),
        r#"
            Pass "A" (d)
              result = {"x.$":"$.y"}
              d = asl::put_at(mut d, ["a"]["b"][0], result)
              goto "B"
        "#,
    );
}

#[test]
fn pass_filters_go_straight_into_the_document() {
    let state = r#"{"Type": "Pass", "InputPath": "$.a", "Parameters": {"x.$": "$.b", "y.$": "$$.State.Name"}, "OutputPath": "$.x[*]", "End": true}"#;
    assert_lines(
        &lowered(state, &Options::default()),
        r#"
            Pass "A" (d)
              d = asl::path(d, ["a"])
              d = {"x": asl::field(d, ["b"], "x.$"), "y": asl::context_field(["State", "Name"], d, "y.$")}
              d = asl::require_path(all d["x"][*], d, "$.x[*]", ["x"])
              end d
        "#,
    );
}

/// Checks that a value put into the document is not the document itself, which is edited in place.
#[test]
fn pass_puts_its_input_into_itself() {
    let state = r#"{"Type": "Pass", "ResultPath": "$.a", "Next": "B"}"#;
    assert_lines(
        &lowered(state, &Options::default()),
        r#"
            Pass "A" (d)
              result = d
              d = asl::put(mut d, ["a"], result)
              goto "B"
        "#,
    );
}

/// Checks `null` paths.
#[test]
fn nulls() {
    let state = r#"{"Type": "Pass", "InputPath": null, "ResultPath": null, "OutputPath": null, "End": true}"#;
    assert_lines(
        &lowered(state, &Options::default()),
        r#"
            Pass "A" (d)
              result = {}
              d = {}
              end d
        "#,
    );
}

#[test]
fn pass_assigns_from_its_result_and_puts_it() {
    let state = r#"{"Type": "Pass", "Parameters": {"n.$": "$.n"}, "ResultPath": "$.r", "OutputPath": "$.r", "Assign": {"x.$": "$.n", "y.$": "$x"}, "Next": "B"}"#;
    assert_lines(
        &lowered(state, &Options::default()),
        r#"
            Pass "A" (d)
              result = {"n": asl::field(d, ["n"], "n.$")}
              d = asl::put(mut d, ["r"], result)
              d = asl::path(d, ["r"])
              assign $x = asl::field(result, ["n"], "x.$"); $y = asl::variable($x, "x")
              goto "B"
        "#,
    );
}

/// Checks that `Assign` does not see the stages after the result.
#[test]
fn pass_assigns_from_its_input() {
    let state = r#"{"Type": "Pass", "OutputPath": "$.r", "Assign": {"x.$": "$.n"}, "Next": "B"}"#;
    assert_lines(
        &lowered(state, &Options::default()),
        r#"
            Pass "A" (d)
              output = asl::path(d, ["r"])
              assign $x = asl::field(d, ["n"], "x.$")
              d = output
              goto "B"
        "#,
    );
}

#[test]
fn task_without_handlers() {
    let state = r#"{"Type": "Task", "Resource": "arn:aws:lambda:r:1:function:charge", "InputPath": "$.order", "ResultSelector": {"id.$": "$.Id"}, "ResultPath": "$.charge", "OutputPath": "$.charge", "Next": "B"}"#;
    assert_lines(
        &lowered(state, &Options::default()),
        r#"
            task 0 "charge" = "arn:aws:lambda:r:1:function:charge" of "A"
              Task "A" (d)
                input = asl::path(d, ["order"])
                result = invoke task 0 with input timeout 60 s
                result = {"id": asl::field(result, ["Id"], "id.$")}
                d = asl::put(mut d, ["charge"], result)
                d = asl::path(d, ["charge"])
                goto "B"
        "#,
    );
}

/// Checks that handlers see the raw input for as long as a fault can be caught.
#[test]
fn task_keeps_its_input_for_handlers() {
    let state = r#"{"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken", "Parameters": {"token.$": "$$.Task.Token"}, "TimeoutSeconds": 9, "HeartbeatSecondsPath": "$.beat", "Credentials": {"RoleArn.$": "$.role"},
        "ResultPath": "$.sent", "Assign": {"sent.$": "$"}, "Next": "B",
        "Retry": [{"ErrorEquals": ["Flaky", "States.Timeout"], "IntervalSeconds": 2, "MaxAttempts": 5, "BackoffRate": 1.5, "MaxDelaySeconds": 9, "JitterStrategy": "FULL"}, {"ErrorEquals": ["States.ALL"]}],
        "Catch": [{"ErrorEquals": ["Declined"], "ResultPath": "$.error", "Assign": {"why.$": "$.Cause"}, "Next": "B"}, {"ErrorEquals": ["Late"], "ResultPath": null, "Next": "B"}, {"ErrorEquals": ["States.ALL"], "Next": "C"}]}"#;
    assert_lines(
        &lowered(state, &Options::default()),
        r#"
            task 0 "sqs:sendMessage" = "arn:aws:states:::sqs:sendMessage.waitForTaskToken" of "A"
              Task "A" (d)
                try 0 (retries)
                  result = invoke task 0 by token with {"token": asl::context_field(["Task", "Token"], d, "token.$")} timeout 9 s heartbeat asl::timeout_path(asl::at(d, ["beat"]), "HeartbeatSecondsPath") s as {"RoleArn": asl::field(d, ["role"], "RoleArn.$")}
                  d = asl::put(mut d, ["sent"], result)
                  assign $sent = result
                retry [Flaky, States.Timeout] 5 times after 2 s, rate 1.5, at most 9 s, with jitter
                retry [States.ALL] 3 times after 1 s, rate 2
                catch [Declined] as fault
                  result = fault
                  d = asl::put(mut d, ["error"], result)
                  assign $why = asl::field(result, ["Cause"], "why.$")
                  goto "B"
                catch [Late] as fault
                  goto "B"
                catch [States.ALL] as fault
                  result = fault
                  d = result
                  goto "C"
                goto "B"
        "#,
    );
}

/// Checks that the document is changed in place although `Assign` can fail: no handler catches a
/// fault of an intrinsic function.
#[test]
fn assignments_need_no_raw_input() {
    let state = r#"{"Type": "Task", "Resource": "a:b", "ResultPath": "$.r", "Assign": {"n.$": "States.MathAdd($.n, 1)"}, "Next": "B",
        "Catch": [{"ErrorEquals": ["States.ALL"], "ResultPath": null, "Next": "C"}]}"#;
    assert_lines(
        &lowered(state, &Options::default()),
        r#"
            task 0 "b" = "a:b" of "A"
              Task "A" (d)
                try 0
                  result = invoke task 0 with d timeout 60 s
                  d = asl::put(mut d, ["r"], result)
                  assign $n = asl::math_add(asl::argument(result, ["n"], "States.MathAdd($.n, 1)"), 1, "States.MathAdd($.n, 1)")
                catch [States.ALL] as fault
                  goto "C"
                goto "B"
        "#,
    );
}

#[test]
fn choice_conditions() {
    let state = r#"{"Type": "Choice", "InputPath": "$.in", "OutputPath": "$.out", "Assign": {"x": 0}, "Default": "C", "Choices": [
        {"Variable": "$.a", "StringEquals": "s", "Assign": {"x.$": "$.a"}, "Next": "B"},
        {"And": [{"Variable": "$.a", "NumericLessThanPath": "$.b"}, {"Or": [{"Variable": "$.c", "BooleanEquals": true}, {"Not": {"Variable": "$.d", "IsPresent": true}}]}], "Next": "B"},
        {"Variable": "$", "IsNull": false, "Next": "B"},
        {"Variable": "$x", "IsPresent": true, "Next": "B"},
        {"Variable": "$.t", "TimestampGreaterThanEquals": "2016-03-14T01:59:00Z", "Next": "B"},
        {"Variable": "$.n", "NumericEquals": 1.5, "Next": "B"},
        {"Variable": "$.list[*]", "StringMatches": "a*", "Next": "B"}]}"#;
    assert_lines(
        &lowered(state, &Options::default()),
        r#"
            Choice "A" (d)
              d = asl::path(d, ["in"])
              choose
              if asl::string_equals(asl::subject(d, ["a"]), "s")
                output = asl::path(d, ["out"])
                assign $x = asl::field(d, ["a"], "x.$")
                d = output
                goto "B"
              if (asl::numeric_less_than_path(asl::subject(d, ["a"]), asl::subject(d, ["b"])) and (asl::boolean_equals(asl::subject(d, ["c"]), true) or not asl::is_present(d["d"])))
                d = asl::path(d, ["out"])
                goto "B"
              if not asl::is_null(d)
                d = asl::path(d, ["out"])
                goto "B"
              if asl::is_present($x)
                d = asl::path(d, ["out"])
                goto "B"
              if asl::timestamp_greater_than_equals(asl::subject(d, ["t"]), "2016-03-14T01:59:00Z")
                d = asl::path(d, ["out"])
                goto "B"
              if asl::numeric_equals(asl::subject(d, ["n"]), 1.5)
                d = asl::path(d, ["out"])
                goto "B"
              if asl::string_matches(asl::choice_variable(all d["list"][*], "$.list[*]"), "a*")
                d = asl::path(d, ["out"])
                goto "B"
              otherwise
                output = asl::path(d, ["out"])
                assign $x = 0
                d = output
                goto "C"
        "#,
    );
}

#[test]
fn choice_without_default_fails() {
    let state = r#"{"Type": "Choice", "Choices": [{"Variable": "$.a", "IsString": true, "Next": "B"}]}"#;
    assert_lines(
        &lowered(state, &Options::default()),
        r#"
            Choice "A" (d)
              choose
              if asl::is_string(asl::subject(d, ["a"]))
                goto "B"
              otherwise
                fail with asl::no_transition()
        "#,
    );
}

#[test]
fn waits() {
    let state = r#"{"Type": "Wait", "InputPath": "$.w", "SecondsPath": "$.s", "OutputPath": "$.o", "Assign": {"x.$": "$.a"}, "Next": "B"}"#;
    assert_lines(
        &lowered(state, &Options::default()),
        r#"
            Wait "A" (d)
              d = asl::path(d, ["w"])
              wait asl::seconds_path(asl::at(d, ["s"])) s
              output = asl::path(d, ["o"])
              assign $x = asl::field(d, ["a"], "x.$")
              d = output
              goto "B"
        "#,
    );
}

#[test]
fn waits_until() {
    let state = r#"{"Type": "Wait", "TimestampPath": "$$.Execution.Input.at", "Next": "B"}"#;
    assert_lines(
        &lowered(state, &Options::default()),
        r#"
            Wait "A" (d)
              wait until asl::timestamp_path(asl::selected($$["Execution"]["Input"]["at"], $$, "$$.Execution.Input.at", ["Execution"]["Input"]["at"]))
              goto "B"
        "#,
    );
}

#[test]
fn waits_for_known_times() {
    let state = r#"{"Type": "Wait", "Timestamp": "2016-03-14T01:59:00Z", "End": true}"#;
    assert_lines(
        &lowered(state, &Options::default()),
        r#"
            Wait "A" (d)
              wait until "2016-03-14T01:59:00Z"
              end d
        "#,
    );
}

#[test]
fn fails() {
    let state = r#"{"Type": "Fail", "ErrorPath": "$.e", "CausePath": "States.Format('no {}', $.what)"}"#;
    assert_lines(
        &lowered(state, &Options::default()),
        r#"
            Fail "A" (d)
              fail asl::fault_string(asl::at(d, ["e"]), d, "ErrorPath") because asl::fault_string(asl::computed(asl::format(["no ", ""], [asl::argument(d, ["what"], "States.Format('no {}', $.what)")]), "States.Format('no {}', $.what)"), d, "CausePath")
        "#,
    );
}

#[test]
fn parallel_hands_its_input_to_branches() {
    let state = r#"{"Type": "Parallel", "InputPath": "$.p", "ResultPath": "$.r", "Next": "B", "Branches": [
        {"StartAt": "L", "States": {"L": {"Type": "Pass", "End": true}}},
        {"StartAt": "R", "States": {"R": {"Type": "Fail", "Error": "E", "Cause": "c"}}}],
        "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "C"}]}"#;
    assert_lines(
        &lowered(state, &Options::default()),
        r#"
              Parallel "A" (d)
                try 0
                  input = asl::path(d, ["p"])
                  result = fork [branch 1 of `A`, branch 2 of `A`]
                  d = asl::put(mut d, ["r"], result)
                catch [States.ALL] as fault
                  result = fault
                  d = result
                  goto "C"
                goto "B"
            branch 1 of `A`, from "L"
              d = input
              Pass "L" (d)
                end d
            branch 2 of `A`, from "R"
              d = input
              Fail "R" (d)
                fail "E" because "c"
        "#,
    );
}

#[test]
fn parallel_branches_start_with_the_document() {
    let state =
        r#"{"Type": "Parallel", "End": true, "Branches": [{"StartAt": "L", "States": {"L": {"Type": "Succeed"}}}]}"#;
    assert_lines(
        &lowered(state, &Options::default()),
        r#"
              Parallel "A" (d)
                result = fork [branch 1 of `A`]
                d = result
                end d
            branch 1 of `A`, from "L"
              Succeed "L" (d)
                end d
        "#,
    );
}

#[test]
fn map_items_and_limits() {
    let state = r#"{"Type": "Map", "InputPath": "$.m", "ItemsPath": "$.items", "MaxConcurrencyPath": "$.most", "ToleratedFailureCount": 2, "ToleratedFailurePercentage": 12.5,
        "ItemSelector": {"item.$": "$$.Map.Item.Value", "all.$": "$.all"}, "ResultSelector": {"n.$": "States.ArrayLength($)"}, "ResultPath": "$.out", "Next": "B",
        "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Pass", "Assign": {"mine": 1}, "End": true}}}}"#;
    assert_lines(
        &lowered(state, &Options::default()),
        r#"
              Map "A" (d)
                input = asl::path(d, ["m"])
                items = asl::items_array(asl::at(input, ["items"]))
                result = for each item of items [the item processor of `A`] limit asl::max_concurrency_path(asl::at(input, ["most"])) tolerate 2 tolerate % 12.5
                result = {"n": asl::array_length(result, "States.ArrayLength($)")}
                d = asl::put(mut d, ["out"], result)
                goto "B"
            the item processor of `A`, from "I"
              d = {"item": asl::context_field(["Map", "Item", "Value"], input, "item.$"), "all": asl::field(input, ["all"], "all.$")}
              Pass "I" (d)
                assign $mine = 1
                end d
        "#,
    );
}

#[test]
fn map_items_default_to_the_input() {
    let state = r#"{"Type": "Map", "End": true, "Iterator": {"StartAt": "I", "States": {"I": {"Type": "Succeed"}}}}"#;
    assert_lines(
        &lowered(state, &Options::default()),
        r#"
              Map "A" (d)
                items = asl::items_array(asl::computed(d, "$"))
                result = for each item of items [the item processor of `A`]
                d = result
                end d
            the item processor of `A`, from "I"
              d = item
              Succeed "I" (d)
                end d
        "#,
    );
}

#[test]
fn the_executions_of_a_distributed_map_are_scopes_of_their_own() {
    let state = r#"{"Type": "Map", "ItemReader": {"Resource": "arn:aws:states:::s3:getObject", "Parameters": {"Bucket": "b", "Key.$": "$.key"},
            "ReaderConfig": {"InputType": "JSON", "MaxItemsPath": "$.most"}},
        "ItemSelector": {"item.$": "$$.Map.Item.Value", "all.$": "$.all"},
        "ItemBatcher": {"BatchInput": {"x.$": "$.x"}, "MaxItemsPerBatch": 2},
        "ResultWriter": {"WriterConfig": {"OutputType": "JSON"}}, "MaxConcurrency": 5, "ItemsPath": "$.ignored", "End": true,
        "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
            "StartAt": "I", "States": {"I": {"Type": "Succeed"}}}}"#;
    assert_lines(
        &lowered(state, &Options::default()),
        r#"
              Map "A" (d)
                result = run "A" [the item processor of `A`] over GetObject selected by [the item selector of `A`] with {"reader": {"Bucket": "b", "Key": asl::field(d, ["key"], "Key.$")}, "config": {"InputType": "JSON", "MaxItems": asl::max_items_path(asl::at(d, ["most"]))}, "batcher": {"BatchInput": {"x": asl::field(d, ["x"], "x.$")}, "MaxItemsPerBatch": 2}, "writer": {"WriterConfig": {"OutputType":"JSON"}}, "concurrency": 5, "scope": [d]}
                d = result
                end d
            the item processor of `A`, from "I"
              d = input
              Succeed "I" (d)
                end d
            the item selector of `A`, from "ItemSelector"
              input#7 = asl::value_in_scope(element, 0)
               "ItemSelector" (element)
                d = {"item": asl::element_member(element, "value"), "all": asl::field(input#7, ["all"], "all.$")}
                end d
        "#,
    );
}

#[test]
fn a_selector_in_jsonata_captures_what_it_reads_of_the_context_object() {
    for (selector, captured) in [
        ("{% $states.context.Map.Item.Value %}", r#""scope": [{}]"#),
        (
            "{% [$states.context.Map.Item.Key, $states.context.State.Name] %}",
            r#""scope": [{"State": asl::element_member($$, "State")}]"#,
        ),
        ("{% $states.context.Task.Token %}", r#""scope": [$$]"#),
        ("{% $keys($states.context) %}", r#""scope": [$$]"#),
        ("{% $states.input.x %}", r#""scope": [d]"#),
    ] {
        let state = format!(
            r#"{{"Type": "Map", "QueryLanguage": "JSONata", "End": true, "ItemSelector": {{"a": [{selector:?}]}},
            "ItemProcessor": {{"ProcessorConfig": {{"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}},
                "StartAt": "I", "States": {{"I": {{"Type": "Succeed"}}}}}}}}"#
        );
        let text = lowered(&state, &Options::default());
        assert!(text.contains(captured), "{selector}: {text}");
    }
}

/// Checks that stages are named as in the `inspectionData` of AWS's TestState.
#[test]
fn stages_are_shown_where_inspection_is_wanted() {
    let inspect = Options { inspect: true, ..Options::default() };
    for (state, expected) in [
        (
            r#"{"Type": "Pass", "InputPath": "$.a", "Parameters": {"x": 1}, "ResultPath": "$.r", "End": true}"#,
            r#"
            Pass "A" (d)
              result = asl::path(d, ["a"])
              inspect afterInputPath result
              result = {"x":1}
              inspect afterParameters result
              inspect afterResultSelector result
              d = asl::put(mut d, ["r"], result)
              inspect afterResultPath d
              end d
        "#,
        ),
        (
            r#"{"Type": "Pass", "Result": 1, "End": true}"#,
            r#"
            Pass "A" (d)
              d = 1
              inspect result d
              inspect afterResultSelector d
              inspect afterResultPath d
              end d
        "#,
        ),
        (
            r#"{"Type": "Task", "Resource": "a:b", "End": true}"#,
            r#"
            task 0 "b" = "a:b" of "A"
              Task "A" (d)
                inspect afterInputPath d
                output = d
                inspect afterParameters output
                result = invoke task 0 with output timeout 60 s
                inspect result result
                inspect afterResultSelector result
                inspect afterResultPath result
                d = result
                end d
        "#,
        ),
        (
            r#"{"Type": "Task", "Resource": "a:b", "End": true, "Retry": [{"ErrorEquals": ["E"]}], "Catch": [{"ErrorEquals": ["F"], "Next": "B"}]}"#,
            r#"
            task 0 "b" = "a:b" of "A"
              Task "A" (d)
                try 0 (retries)
                  try 1
                    inspect afterInputPath d
                    output = d
                    inspect afterParameters output
                    result = invoke task 0 with output timeout 60 s
                    inspect result result
                    inspect afterResultSelector result
                    inspect afterResultPath result
                  catch [E] as fault
                    inspect errorDetails {"retryIndex":0}
                    raise fault
                retry [E] 3 times after 1 s, rate 2
                catch [F] as fault
                  inspect errorDetails {"catchIndex":0}
                  result = fault
                  d = result
                  goto "B"
                d = result
                end d
        "#,
        ),
        (
            r#"{"Type": "Choice", "Choices": [{"Variable": "$", "IsNull": true, "Next": "B"}], "Default": "C"}"#,
            r#"
            Choice "A" (d)
              inspect afterInputPath d
              choose
              if asl::is_null(d)
                inspect chosen "rule 1 of 1"
                goto "B"
              otherwise
                inspect chosen "`Default`, because no rule holds"
                goto "C"
        "#,
        ),
        (
            r#"{"Type": "Fail"}"#,
            r#"
            Fail "A" (d)
              inspect afterInputPath d
              fail none because none
        "#,
        ),
        (
            r#"{"Type": "Parallel", "End": true, "Branches": [{"StartAt": "L", "States": {"L": {"Type": "Fail"}}}]}"#,
            r#"
              Parallel "A" (d)
                result = fork [branch 1 of `A`]
                inspect afterResultSelector result
                inspect afterResultPath result
                d = result
                end d
            branch 1 of `A`, from "L"
              Fail "L" (d)
                inspect afterInputPath d
                fail none because none
        "#,
        ),
        (
            r#"{"Type": "Map", "ItemsPath": "$.i", "MaxConcurrency": 2, "ItemSelector": {"a": 1}, "End": true, "Iterator": {"StartAt": "I", "States": {"I": {"Type": "Fail"}}}}"#,
            r#"
              Map "A" (d)
                items = asl::items_array(asl::at(d, ["i"]))
                inspect afterItemsPath items
                inspect maxConcurrency 2
                result = for each item of items [the item processor of `A`] limit 2
                inspect afterResultSelector result
                inspect afterResultPath result
                d = result
                end d
            the item processor of `A`, from "I"
              d = {"a":1}
              inspect afterItemSelector d
              Fail "I" (d)
                inspect afterInputPath d
                fail none because none
        "#,
        ),
    ] {
        assert_lines(&lowered(state, &inspect), expected);
    }
}

#[test]
fn the_default_of_the_concurrency_is_shown() {
    let inspect = Options { inspect: true, ..Options::default() };
    let state = r#"{"Type": "Map", "End": true, "Iterator": {"StartAt": "I", "States": {"I": {"Type": "Succeed"}}}}"#;
    assert!(lowered(state, &inspect).contains("inspect maxConcurrency 0"));
}
