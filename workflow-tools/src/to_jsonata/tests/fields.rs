//! Tests of the fields of states.

use super::state;

fn check(cases: &[(&str, &str)]) {
    for (written, expected) in cases {
        assert_eq!(state(written).as_deref(), Ok(*expected), "{written}");
    }
}

const TASK: &str = r#""Type":"Task","Resource":"arn:aws:lambda:eu-west-1:123456789012:function:F""#;

fn check_task(cases: &[(&str, &str)]) {
    for (written, expected) in cases {
        assert_eq!(state(&format!("{TASK},{written}")), Ok(format!("{TASK},{expected}")), "{written}");
    }
}

#[test]
fn the_result_of_a_pass_state_becomes_its_output() {
    check(&[
        (r#""Type":"Pass""#, r#""Type":"Pass""#),
        (r#""Type":"Pass","Result":{"a.$":"$.b"}"#, r#""Type":"Pass","Output":{"a.$":"$.b"}"#),
        (r#""Type":"Pass","Result":1,"ResultPath":null"#, r#""Type":"Pass""#),
        (
            r#""Type":"Pass","Result":1,"ResultPath":"$.a""#,
            r#""Type":"Pass","Output":"{% $merge([$states.input, {'a': 1}]) %}""#,
        ),
        (r#""Type":"Pass","Result":{"a":{"b":2}},"OutputPath":"$.a.b""#, r#""Type":"Pass","Output":"{% 2 %}""#),
        (r#""Type":"Pass","Result":"{% x %}""#, r#""Type":"Pass","Output":"{% '{% x %}' %}""#),
        (r#""Type":"Pass","InputPath":"$.a""#, r#""Type":"Pass","Output":"{% $states.input.a %}""#),
        (r#""Type":"Pass","InputPath":null"#, r#""Type":"Pass","Output":"{% {} %}""#),
        (r#""Type":"Pass","InputPath":"$","OutputPath":"$""#, r#""Type":"Pass""#),
        (r#""Type":"Pass","OutputPath":null"#, r#""Type":"Pass","Output":"{% {} %}""#),
        (
            r#""Type":"Pass","InputPath":"$.a","Parameters":{"x.$":"$.b","y":[1,{"z.$":"$"}]}"#,
            r#""Type":"Pass","Output":{"x":"{% $states.input.a.b %}","y":[1,{"z":"{% $states.input.a %}"}]}"#,
        ),
        (
            r#""Type":"Pass","Parameters":{"x.$":"$.b"},"Assign":{"v.$":"$.x","w.$":"$"}"#,
            r#""Type":"Pass","Output":{"x":"{% $states.input.b %}"},"Assign":{"v":"{% $states.input.b %}","w":"{% {'x': $states.input.b} %}"}"#,
        ),
    ]);
}

#[test]
fn the_fields_of_a_task_become_arguments_and_output() {
    check_task(&[
        (r#""Comment":"c""#, r#""Comment":"c""#),
        (r#""InputPath":"$.a""#, r#""Arguments":"{% $states.input.a %}""#),
        (r#""InputPath":null"#, r#""Arguments":"{% {} %}""#),
        (
            r#""InputPath":"$.a","Parameters":{"x.$":"$.b"},"TimeoutSecondsPath":"$.t","HeartbeatSecondsPath":"$.h""#,
            r#""Arguments":{"x":"{% $states.input.a.b %}"},"TimeoutSeconds":"{% $states.input.a.t %}","HeartbeatSeconds":"{% $states.input.a.h %}""#,
        ),
        (r#""Credentials":{"RoleArn.$":"$.role"}"#, r#""Credentials":{"RoleArn":"{% $states.input.role %}"}"#),
        (r#""ResultPath":null"#, r#""Output":"{% $states.input %}""#),
        (r#""OutputPath":"$.a""#, r#""Output":"{% $states.result.a %}""#),
        (r#""ResultSelector":{"x.$":"$.Payload.y"}"#, r#""Output":{"x":"{% $states.result.Payload.y %}"}"#),
        (
            r#""ResultPath":"$.a.b""#,
            r#""Output":"{% $merge([$states.input, {'a': $merge([$states.input.a, {'b': $states.result}])}]) %}""#,
        ),
        (r#""ResultPath":"$.a.b","OutputPath":"$.a.b.c""#, r#""Output":"{% $states.result.c %}""#),
        (r#""ResultPath":"$.a","OutputPath":"$.b""#, r#""Output":"{% $states.input.b %}""#),
        (
            r#""ResultPath":"$.a.b","OutputPath":"$.a""#,
            r#""Output":"{% $merge([$states.input.a, {'b': $states.result}]) %}""#,
        ),
        (
            r#""ResultSelector":{"x.$":"$.y"},"ResultPath":"$.a""#,
            r#""Output":"{% $merge([$states.input, {'a': {'x': $states.result.y}}]) %}""#,
        ),
        (
            r#""ResultSelector":{"x.$":"$.y"},"Assign":{"v.$":"$.y"}"#,
            r#""Output":{"x":"{% $states.result.y %}"},"Assign":{"v":"{% $states.result.y %}"}"#,
        ),
    ]);
    assert_eq!(state(&format!(r#"{TASK},"ResultPath":"$""#)), Ok(TASK.to_owned()));
}

#[test]
fn a_catcher_has_an_output_of_its_own() {
    check_task(&[
        (
            r#""Catch":[{"ErrorEquals":["A"],"ResultPath":"$.error","Next":"Z"}]"#,
            r#""Catch":[{"ErrorEquals":["A"],"Output":"{% $merge([$states.input, {'error': $states.errorOutput}]) %}","Next":"Z"}]"#,
        ),
        (
            r#""Catch":[{"ResultPath":"$","ErrorEquals":["A"],"Next":"Z"},{"ErrorEquals":["B"],"Next":"Z","ResultPath":null}]"#,
            r#""Catch":[{"ErrorEquals":["A"],"Next":"Z"},{"ErrorEquals":["B"],"Next":"Z","Output":"{% $states.input %}"}]"#,
        ),
        (
            r#""Catch":[{"ErrorEquals":["A"],"Assign":{"why.$":"$.Cause"},"Next":"Z"}]"#,
            r#""Catch":[{"ErrorEquals":["A"],"Assign":{"why":"{% $states.errorOutput.Cause %}"},"Next":"Z"}]"#,
        ),
    ]);
}

#[test]
fn computed_fields_lose_the_suffix_of_their_names() {
    check(&[
        (r#""Type":"Wait","SecondsPath":"$.s""#, r#""Type":"Wait","Seconds":"{% $states.input.s %}""#),
        (
            r#""Type":"Wait","InputPath":"$.a","TimestampPath":"$.t","OutputPath":"$.o""#,
            r#""Type":"Wait","Timestamp":"{% $states.input.a.t %}","Output":"{% $states.input.a.o %}""#,
        ),
        (r#""Type":"Wait","Seconds":5"#, r#""Type":"Wait","Seconds":5"#),
    ]);
    let fail = |fields: &str| {
        let text = format!(r#"{{"StartAt":"S","States":{{"S":{{"Type":"Fail",{fields}}}}}}}"#);
        super::convert(&text).text.to_string()
    };
    let text = fail(r#""ErrorPath":"$.e","CausePath":"States.Format('no {}', $.c)""#);
    assert!(text.contains(r#""Error":"{% $states.input.e %}","Cause":"{% 'no ' & $states.input.c %}""#), "{text}");
    let text = fail(r#""Error":"E","Cause":"{% c %}""#);
    assert!(text.contains(r#""Error":"E","Cause":"{% '{% c %}' %}""#), "{text}");
}

#[test]
fn a_map_state_gets_items_and_a_selector() {
    let scope = r#"{"StartAt":"P","States":{"P":{"Type":"Pass","End":true}}}"#;
    let cases = [
        (
            r#""ItemsPath":"$.list","Parameters":{"v.$":"$$.Map.Item.Value","x.$":"$.x"},"MaxConcurrencyPath":"$.m""#,
            r#""Items":"{% $states.input.list %}","ItemSelector":{"v":"{% $states.context.Map.Item.Value %}","x":"{% $states.input.x %}"},"MaxConcurrency":"{% $states.input.m %}""#,
        ),
        (
            r#""InputPath":"$.a","ItemsPath":"$.list","ToleratedFailureCountPath":"$.c""#,
            r#""Items":"{% $states.input.a.list %}","ToleratedFailureCount":"{% $states.input.a.c %}""#,
        ),
        (
            r#""InputPath":"$.a","ToleratedFailurePercentagePath":"$.p","ResultPath":"$.r""#,
            r#""Items":"{% $states.input.a %}","ToleratedFailurePercentage":"{% $states.input.a.p %}","Output":"{% $merge([$states.input, {'r': $states.result}]) %}""#,
        ),
    ];
    for (written, expected) in cases {
        let text = format!(r#""Type":"Map",{written},"Iterator":{scope}"#);
        assert_eq!(state(&text), Ok(format!(r#""Type":"Map",{expected},"ItemProcessor":{scope}"#)), "{written}");
    }
}

#[test]
fn a_parallel_state_passes_arguments_to_its_branches() {
    let scope = r#"{"StartAt":"P","States":{"P":{"Type":"Pass","End":true}}}"#;
    check(&[(
        &format!(r#""Type":"Parallel","Parameters":{{"x.$":"$.a"}},"OutputPath":"$[0]","Branches":[{scope}]"#),
        &format!(
            r#""Type":"Parallel","Arguments":{{"x":"{{% $states.input.a %}}"}},"Output":"{{% $states.result[0] %}}","Branches":[{scope}]"#
        ),
    )]);
}

#[test]
fn a_result_in_an_element_of_an_array_is_refused() {
    let refused = state(r#""Type":"Pass","Result":1,"ResultPath":"$.a[0]""#);
    assert_eq!(refused, Err("JSONata has no expression that replaces one element of an array".to_owned()));
}

#[test]
fn the_fields_of_a_distributed_map_state_are_converted() {
    let scope = r#"{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},"StartAt":"P","States":{"P":{"Type":"Pass","End":true}}}"#;
    let text = |fields: &str| format!(r#""Type":"Map",{fields},"ItemProcessor":{scope}"#);
    let written = r#""InputPath":"$.a","ItemsPath":"$.ignored","ItemReader":{"Resource":"arn:aws:states:::s3:getObject","ReaderConfig":{"InputType":"JSON","MaxItemsPath":"$.m"},"Parameters":{"Bucket":"b","Key.$":"$.k"}},"ItemBatcher":{"BatchInput":{"x.$":"$.x"},"MaxItemsPerBatchPath":"$.n"},"ResultWriter":{"Resource":"arn:aws:states:::s3:putObject","Parameters":{"Bucket":"b","Prefix.$":"$.p"}}"#;
    let expected = r#""ItemReader":{"Resource":"arn:aws:states:::s3:getObject","ReaderConfig":{"InputType":"JSON","MaxItems":"{% $states.input.a.m %}"},"Arguments":{"Bucket":"b","Key":"{% $states.input.a.k %}"}},"ItemBatcher":{"BatchInput":{"x":"{% $states.input.a.x %}"},"MaxItemsPerBatch":"{% $states.input.a.n %}"},"ResultWriter":{"Resource":"arn:aws:states:::s3:putObject","Arguments":{"Bucket":"b","Prefix":"{% $states.input.a.p %}"}}"#;
    assert_eq!(state(&text(written)), Ok(text(expected)));
}

#[test]
fn the_result_of_a_pass_state_takes_the_place_of_parameters() {
    check(&[
        (r#""Type":"Pass","Result":1,"Parameters":{"a":2}"#, r#""Type":"Pass","Output":1"#),
        (
            r#""Type":"Pass","Parameters":{"a":2},"Result":1,"ResultPath":"$.x""#,
            r#""Type":"Pass","Output":"{% $merge([$states.input, {'x': 1}]) %}""#,
        ),
    ]);
}

#[test]
fn an_expression_that_exceeds_the_levels_is_refused() {
    let task = |names: usize| state(&format!(r#"{TASK},"ResultPath":"$.{}""#, vec!["a"; names].join(".")));
    assert!(task(32).is_ok());
    let refused = Err("the expression would be nested too deeply for JSONata".to_owned());
    assert_eq!(task(34), refused);
    let nested = format!("{}1{}", r#"{"a":"#.repeat(98), "}".repeat(98));
    assert_eq!(state(&format!(r#""Type":"Pass","Result":{nested},"ResultPath":"$.x""#)), refused);
    assert!(state(&format!(r#""Type":"Pass","Result":{nested}"#)).is_ok());
}
