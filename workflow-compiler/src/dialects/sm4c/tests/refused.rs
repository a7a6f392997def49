//! Tests of diagnostics with their spans and help lines.

use super::{first_state, machine, read, read_file, render};
use crate::codes;
use crate::source::Files;

/// Compares all diagnostics of each definition.
#[track_caller]
fn check(cases: &[(&str, &str)], definition: fn(&str) -> String) {
    let mut problems = Vec::new();
    for (expected, text) in cases {
        let read = read(&definition(text));
        let rendered = render(&read);
        if rendered != expected.lines().map(str::trim).collect::<Vec<_>>() {
            problems.push(format!("{text}\n{}", rendered.join("\n")));
        }
        if rendered.iter().any(|line| codes::is_error(line)) != read.machine.is_none() {
            problems.push(format!("{text}\nrefused without an error, or accepted with one"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
}

fn action(text: &str) -> String {
    first_state(&format!(r#""enterAction": {text}"#))
}

fn transitions(text: &str) -> String {
    first_state(&format!(r#""transitions": [{text}]"#))
}

fn retry(members: &str) -> String {
    machine(&format!(
        r#""retries": [{{"name": "r", "maxAttempts": 2, {members}}}], "states": [{{"name": "A", "start": true}}]"#
    ))
}

fn function(members: &str) -> String {
    machine(&format!(r#""functions": [{{"name": "f", {members}}}], "states": [{{"name": "A", "start": true}}]"#))
}

#[test]
fn members_are_checked() {
    check(
        &[
            (
                "WF0401 {: missing member `version` in a state machine | add `version`",
                r#"{"name":"t","states":[{"name":"A","start":true}]}"#,
            ),
            (
                "WF0401 \"versoin\": missing member `version` in a state machine | did you mean `version`?",
                r#"{"name": "t", "versoin": "1", "states": [{"name": "A", "start": true}]}"#,
            ),
            (
                "WF0401 null: missing member `version` in a state machine | replace null with a value",
                r#"{"name": "t", "version": null, "states": [{"name": "A", "start": true}]}"#,
            ),
            (
                "WF0403 1: `version` must be a string, found a number | put it in double quotes",
                r#"{"name": "t", "version": 1, "states": [{"name": "A", "start": true}]}"#,
            ),
            (
                "WF0412 \" \": `name` is empty | write a name",
                r#"{"name": " ", "version": "1", "states": [{"name": "A", "start": true}]}"#,
            ),
            (
                "WF0112 \"Start\": duplicate member `Start`: names of members are not case-sensitive | remove one of the two",
                r#"{"name": "t", "version": "1", "states": [{"name": "A", "start": true, "Start": false}]}"#,
            ),
            (
                "WF0460 \"onEntry\": unknown member `onEntry` of a state is ignored | remove it
                 WF0460 \"exitActoin\": unknown member `exitActoin` of a state is ignored | did you mean `exitAction`?",
                r#"{"name": "t", "version": "1", "states": [{"name": "A", "start": true, "onEntry": {}, "exitActoin": {}}]}"#,
            ),
            (
                "WF0403 \"yes\": `start` must be `true` or `false`, found a string | write `true`, without quotes",
                r#"{"name": "t", "version": "1", "states": [{"name": "A", "start": "yes"}]}"#,
            ),
            (
                "WF0412 []: `states` is empty | add an element, or remove `states`",
                r#"{"name": "t", "version": "1", "states": []}"#,
            ),
            (
                "WF0403 7: a state must be an object, found a number | write an object: `{ … }`",
                r#"{"name": "t", "version": "1", "states": [7]}"#,
            ),
            (
                "WF0405 \"execTimeout\": `timeout` and `execTimeout` cannot be used together | keep one of the two: they mean the same",
                r#"{"name": "t", "version": "1", "timeout": {"duration": "PT1S"}, "execTimeout": {"duration": "PT1S"},
                "states": [{"name": "A", "start": true}]}"#,
            ),
            (
                "WF0403 \"PT1S\": the time-out of a state machine must be an object, found a string | write it as `{ \"duration\": … }`",
                r#"{"name": "t", "version": "1", "timeout": "PT1S", "states": [{"name": "A", "start": true}]}"#,
            ),
        ],
        str::to_owned,
    );
}

#[test]
fn names_are_checked() {
    check(
        &[
            (
                "WF0207 \"states\": the state machine has no start state | add `\"start\": true` to a state, for example `A`",
                r#""states": [{"name": "A", "start": false}, {"name": "B"}]"#,
            ),
            (
                "WF0207 true: the state machine already has a start state | remove `start` from one of them",
                r#""states": [{"name": "A", "start": true}, {"name": "B", "start": true}]"#,
            ),
            (
                "WF0202 \"a\": duplicate state `a` | rename one of the two: names are not case-sensitive",
                r#""states": [{"name": "A", "start": true}, {"name": "a"}]"#,
            ),
            (
                "WF0202 \"E\": duplicate event `E` | rename one of the two: names are not case-sensitive
                 WF0202 \"f\": duplicate function `f` | rename one of the two: names are not case-sensitive
                 WF0202 \"r\": duplicate retry policy `r` | rename one of the two: names are not case-sensitive",
                r#""events": [{"name": "e"}, {"name": "E"}],
                "functions": [{"name": "f", "operation": "a#b"}, {"name": "f", "operation": "a#c"}],
                "retries": [{"name": "R", "maxAttempts": 1}, {"name": "r", "maxAttempts": 1}],
                "states": [{"name": "A", "start": true}]"#,
            ),
            (
                "WF0208 \"ship\": event `ship` is not defined | define it in `events`",
                r#""states": [{"name": "A", "start": true, "enterAction": {"type": "sendEvent", "event": "ship"}}]"#,
            ),
        ],
        machine,
    );
    check(
        &[
            ("WF0201 \"bb\": state `bb` does not exist | the states are `A` and `B`", r#"{"nextState": "bb"}"#),
            (
                "WF0208 \"Payd\": event `Payd` is not defined | did you mean `Paid`?",
                r#"{"nextState": "B", "eventGroups": [{"events": ["Payd"]}]}"#,
            ),
            (
                "WF0412 []: `events` is empty | add an element, or remove `events`",
                r#"{"nextState": "B", "eventGroups": [{"events": []}]}"#,
            ),
            (
                "WF0412 []: `eventGroups` is empty | add an element, or remove `eventGroups`",
                r#"{"nextState": "B", "eventGroups": []}"#,
            ),
        ],
        transitions,
    );
    check(
        &[
            (
                "WF0208 \"refund\": function `refund` is not defined | the functions are `charge` and `total`",
                r#"{"type": "invokeFunction", "functionName": "refund"}"#,
            ),
            (
                "WF0208 \"patent\": retry policy `patent` is not defined | did you mean `patient`?",
                r#"{"type": "delay", "timeout": "PT1S", "errorHandlers": [{"retryPolicy": "patent"}]}"#,
            ),
        ],
        action,
    );
}

#[test]
fn transitions_exclude_each_other() {
    check(
        &[
            (
                "WF0805 {: a state can have only one transition without `condition`, `eventGroups` and `timeout` | add a `condition` to one of the two transitions",
                r#"{"nextState": "B"}, {"nextState": "A"}"#,
            ),
            (
                "WF0805 \"PT2S\": a state can have only one transition with a time-out | keep the shorter time-out",
                r#"{"nextState": "B", "timeout": "PT1S"}, {"nextState": "A", "timeout": "PT2S"}"#,
            ),
            (
                "WF0804 \"eventGroups\": a transition with `condition` and `eventGroups` is never triggered | move `condition` into the event groups, or make two transitions with the same `nextState`",
                r#"{"nextState": "B", "condition": "${ .a }", "eventGroups": [{"events": ["Paid"]}]}"#,
            ),
            (
                "WF0804 \"timeout\": a transition with `condition` and `timeout` is never triggered | make two transitions with the same `nextState`",
                r#"{"nextState": "B", "condition": "${ .a }", "timeout": "PT1S"}"#,
            ),
            (
                "WF0804 \"timeout\": a transition with `eventGroups` and `timeout` is never triggered | make two transitions with the same `nextState`",
                r#"{"nextState": "B", "timeout": "PT1S", "eventGroups": [{"events": ["Paid"]}]}"#,
            ),
            (
                "WF0806 \"timeout\": a time-out transition needs `nextState` or `action` | add one of the two",
                r#"{"timeout": "PT1S"}"#,
            ),
            (
                "WF0806 {: a transition without `nextState` needs a condition, events or a time-out | add `nextState` or a trigger",
                r#"{"action": {"type": "delay", "timeout": "PT1S"}}"#,
            ),
            (
                "WF0455 {: unreachable transition | remove it, or add a `condition` to the other transition",
                r#"{"nextState": "B"}, {"nextState": "A", "condition": "${ .a }"}"#,
            ),
        ],
        transitions,
    );
}

#[test]
fn actions_are_checked() {
    let two = r#""actions": [{"type": "delay", "timeout": "PT1S"}, {"type": "delay", "timeout": "PT1S"}]"#;
    let parallel = |members: &str| format!(r#"{{"type": "parallel", {members} {two}}}"#);
    check(
        &[
            (
                "WF0407 \"invokeFunctoin\": `type` cannot be `invokeFunctoin` | did you mean `invokeFunction`?",
                r#"{"type": "invokeFunctoin", "functionName": "charge"}"#,
            ),
            (
                "WF0407 \"inject\": `type` cannot be `inject` | use one of `delay`, `foreach`, `injectData`, `invokeFunction`, `invokeSubflow`, `parallel`, `sendEvent`, `sequence`",
                r#"{"type": "inject"}"#,
            ),
            ("WF0401 {: missing `type` in an action | add `\"type\": \"delay\"`", r#"{"timeout": "00:00:10"}"#),
            (
                "WF0401 \"Typ\": missing `type` in an action | did you mean `type`?",
                r#"{"Typ": "delay", "timeout": "00:00:10"}"#,
            ),
            ("WF0401 {: missing `type` in an action | add `type`", r#"{"actions": []}"#),
            (
                "WF0401 {: missing member `action` in a `foreach` action | add `action`",
                r#"{"type":"foreach","input":"${ . }"}"#,
            ),
            (
                "WF0404 0: `maxParallel` must be a whole number from 1 to 4294967295 | the minimum is 1",
                r#"{"type": "foreach", "input": "${ . }", "maxParallel": 0, "action": {"type": "delay", "timeout": "PT1S"}}"#,
            ),
            (
                "WF0412 []: `actions` is empty | add an element, or remove `actions`",
                r#"{"type": "sequence", "actions": []}"#,
            ),
            (
                "WF0460 \"expression\": unknown member `expression` of a `delay` action is ignored | remove it",
                r#"{"type": "delay", "timeout": "PT1S", "expression": "${ . }"}"#,
            ),
            (
                "WF0202 \"x\": duplicate action name `x` in a `sequence` action | give each action its own name: the names are the keys of the object with the results",
                r#"{"type": "sequence", "actions": [{"name": "x", "type": "delay", "timeout": "PT1S"}, {"name": "X", "type": "delay", "timeout": "PT1S"},
                {"name": "x", "type": "delay", "timeout": "PT1S"}]}"#,
            ),
            (
                "WF0202 {: duplicate result key `1`: another action has this name | give each action its own name: the names are the keys of the object with the results",
                r#"{"type": "parallel", "actions": [{"name": "1", "type": "delay", "timeout": "PT1S"}, {"type": "delay", "timeout": "PT1S"}]}"#,
            ),
            (
                "WF0403 [1]: `arguments` must be an object, found an array | write an object: `{ … }`",
                r#"{"type": "invokeSubflow", "subflowName": "s", "arguments": [1]}"#,
            ),
            (
                "WF0403 1: `n` must be a string, found a number | put it in double quotes",
                r#"{"type": "sendEvent", "event": "Paid", "contextAttributes": {"n": 1}}"#,
            ),
            (
                "WF0455 {: unreachable error handler | move the handler without a `condition` to the end",
                r#"{"type": "delay", "timeout": "PT1S", "errorHandlers": [{}, {"condition": "${ true }"}]}"#,
            ),
        ],
        action,
    );
    let whole = "`n` must be a whole number from 1 to 2, the number of actions | to wait for all actions, remove `completionType` and `n`";
    check(
        &[
            (
                "WF0422 \"n_of_m\": missing `n` for the completion type `n_of_m` | add `n`, the number of actions to wait for",
                &parallel(r#""completionType": "n_of_m","#),
            ),
            (&format!("WF0422 0: {whole}"), &parallel(r#""completionType": "n_of_m", "n": 0,"#)),
            (&format!("WF0422 3: {whole}"), &parallel(r#""completionType": "n_of_m", "n": 3,"#)),
            (&format!("WF0422 -1: {whole}"), &parallel(r#""completionType": "n_of_m", "n": -1,"#)),
            (&format!("WF0422 1.5: {whole}"), &parallel(r#""completionType": "n_of_m", "n": 1.5,"#)),
            (
                "WF0403 \"2\": `n` must be a whole number, found a string | remove the quotes: `2`",
                &parallel(r#""completionType": "n_of_m", "n": "2","#),
            ),
            (
                "WF0422 \"n\": `n` is not allowed with the completion type `and` | remove it, or add `\"completionType\": \"n_of_m\"`",
                &parallel(r#""n": 2,"#),
            ),
            (
                "WF0422 \"n\": `n` is not allowed with the completion type `xor` | remove it, or set `completionType` to `n_of_m`",
                &parallel(r#""completionType": "xor", "n": 2,"#),
            ),
            (
                "WF0407 \"n-of-m\": `completionType` cannot be `n-of-m` | did you mean `n_of_m`?",
                &parallel(r#""completionType": "n-of-m", "n": 1,"#),
            ),
        ],
        action,
    );
}

/// Checks warnings about calls that do not wait ([S4](docs/sm4c.md#s4)).
#[test]
fn members_without_effect_on_a_detached_call_are_reported() {
    let add = "add `\"waitForCompletion\": true` to the action";
    check(
        &[
            (
                &format!("WF0853 \"enterResultHandler\": `enterResultHandler` receives null, not the result | {add}"),
                r#""enterAction": {"type": "invokeSubflow", "subflowName": "s"}, "enterResultHandler": "${ .r = $value }""#,
            ),
            (
                &format!(
                    "WF0455 \"total\": this call has no effect: the function `total` is an expression, and its value is discarded | add `\"waitForCompletion\": true`
                     WF0853 \"exitResultHandler\": `exitResultHandler` receives null, not the result | {add}"
                ),
                r#""exitAction": {"type": "invokeFunction", "functionName": "total", "waitForCompletion": false}, "exitResultHandler": "${ .r = $value }""#,
            ),
            (
                &format!("WF0853 \"resultHandler\": `resultHandler` receives null, not the result | {add}"),
                r#""transitions": [{"nextState": "B", "action": {"type": "invokeFunction", "functionName": "charge"}, "resultHandler": "${ .r = $value }"}]"#,
            ),
            (
                &format!(
                    "WF0853 \"timeout\": `timeout` has no effect: the action does not wait for the function | {add}
                    WF0853 \"errorHandlers\": `errorHandlers` has no effect: the action does not wait for the function | {add}"
                ),
                r#""enterAction": {"type": "invokeFunction", "functionName": "charge", "timeout": "PT1S", "errorHandlers": [{}]}"#,
            ),
            ("", r#""enterAction": {"type": "delay", "timeout": "PT1S"}, "enterResultHandler": "${ .n += 1 }", "exitResultHandler": "${ .n += 1 }""#),
        ],
        first_state,
    );
    check(
        &[(
            "WF0455 \"timeout\": `timeout` has no effect: the function `total` is an expression | remove it
             WF0455 \"arguments\": `arguments` has no effect: the function `total` is an expression | remove it: the expression reads the input of the action",
            r#"{"type": "invokeFunction", "functionName": "total", "waitForCompletion": true, "timeout": "PT1S", "arguments": {"a": 1}}"#,
        )],
        action,
    );
}

#[test]
fn expressions_have_their_form() {
    let blanks = "the expression of `inputFilter` needs a space after `${` and one before `}`";
    let around = "the expression of `inputFilter` has surrounding white space";
    let empty = "the expression of `inputFilter` is empty | use `${ . }` for all of the data";
    check(
        &[
            (&format!("WF0325 \"${{.a}}\": {blanks} | write `${{ .a }}`"), r#""inputFilter": "${.a}""#),
            (&format!("WF0325 \"${{ .a}}\": {blanks} | write `${{ .a }}`"), r#""inputFilter": "${ .a}""#),
            ("WF0325 \".a\": `inputFilter` is not an expression | write `${ .a }`", r#""inputFilter": ".a""#),
            ("WF0325 \"$.a\": `inputFilter` is not an expression | write `${ .a }`", r#""inputFilter": "$.a""#),
            ("WF0325 \"${ .a\": unclosed expression in `inputFilter` | write `${ .a }`", r#""inputFilter": "${ .a""#),
            (&format!("WF0325 \"${{ .a }} \": {around} | write `${{ .a }}`"), r#""inputFilter": "${ .a } ""#),
            (
                &format!(
                    "WF0325 \"${{ .a }}\\n\": {around} | begin the block with `|-` or `>-`, which strip the last line break"
                ),
                r#""inputFilter": "${ .a }\n""#,
            ),
            (&format!("WF0412 \"${{ }}\": {empty}"), r#""inputFilter": "${ }""#),
            (&format!("WF0412 \"${{  }}\": {empty}"), r#""inputFilter": "${  }""#),
            (&format!("WF0412 \"${{   }}\": {empty}"), r#""inputFilter": "${   }""#),
            (&format!("WF0412 \"\": {empty}"), r#""inputFilter": """#),
            (
                "WF0403 true: `inputFilter` must be an expression, found a boolean | write `\"${ true }\"`",
                r#""inputFilter": true"#,
            ),
            ("WF0208 totl: function `totl` is not defined | did you mean `total`?", r#""inputFilter": "${ fn:totl }""#),
            (
                "WF0811 charge: the function `charge` is not an expression | call it with an `invokeFunction` action, and use the result",
                r#""inputFilter": "${ fn: charge }""#,
            ),
        ],
        first_state,
    );
    check(
        &[
            (
                "WF0457 \"${.a}\": `${.a}` is not evaluated: an expression needs a space after `${` and one before `}` | write `${ .a }`
                 WF0457 \"${ .c }\": `${ .c }` is not evaluated: only a whole argument can be an expression | make it a separate argument, or build the object in one expression",
                r#"{"type": "invokeSubflow", "subflowName": "s", "arguments": {"a": "${.a}", "b": {"c": ["${ .c }", "$"]}, "d": "{}"}}"#,
            ),
            (
                "WF0457 \"${ .id }\": `${ .id }` is not evaluated: event attributes are constants | make it a separate argument, or build the object in one expression",
                r#"{"type": "sendEvent", "event": "Paid", "contextAttributes": {"order": "${ .id }"}}"#,
            ),
            (
                "WF0208 no: function `no` is not defined | the functions are `charge` and `total`",
                r#"{"type": "invokeSubflow", "subflowName": "s", "arguments": {"a": "${ fn:no }"}}"#,
            ),
        ],
        action,
    );
}

/// Checks that the fix of a malformed expression replaces the whole string.
#[test]
fn expressions_can_be_mended() {
    let text =
        first_state(r#""inputFilter": "${.a}", "transitions": [{"condition": "${.a == \"b\"}", "nextState": "B"}]"#);
    let read = read(&text);
    let fixes: Vec<_> = read.diagnostics.iter().map(|diagnostic| diagnostic.fix.clone()).collect();
    let [Some((span, fix)), None] = &fixes[..] else { panic!("{fixes:?}") };
    assert_eq!((read.sources.text(*span), &**fix), ("${.a}", "${ .a }"));
}

#[test]
fn timespans_and_numbers_are_checked() {
    check(
        &[
            ("WF0421 \"10s\": `10s` is not a timespan | write `PT10S`", r#"{"type": "delay", "timeout": "10s"}"#),
            (
                "WF0421 \"-00:01\": `-00:01` must not be negative | write `00:01`",
                r#"{"type": "delay", "timeout": "-00:01"}"#,
            ),
            (
                "WF0403 10: `timeout` must be a timespan, found a number | write 10 seconds as `\"00:00:10\"` or `\"PT10S\"`",
                r#"{"type": "delay", "timeout": 10}"#,
            ),
            (
                "WF0852 \"30\": `30` is read as 30 days, because it has no unit | write `P30D` for days, `00:00:30` for seconds",
                r#"{"type": "delay", "timeout": "30"}"#,
            ),
            (
                "WF0852 \"90\": `90` is read as 90 days, because it has no unit | write `P90D` for days, `PT90S` for seconds",
                r#"{"type": "delay", "timeout": "90"}"#,
            ),
            ("", r#"{"type": "delay", "timeout": "0"}"#),
        ],
        action,
    );
    let part = "`jitter` must be a fraction from 0.0 to 1.0 or a timespan";
    check(
        &[
            (
                "WF0854 1: `jitter` is ignored: 1 is a whole number, not a fraction | write `1.0` for all of the delay, or a timespan like `\"00:00:01\"`",
                r#""delay": "PT1S", "jitter": 1"#,
            ),
            ("", r#""delay": "PT1S", "jitter": 0"#),
            (&format!("WF0404 1.5: {part} | the maximum is 1"), r#""delay": "PT1S", "jitter": 1.5"#),
            (&format!("WF0404 -0.5: {part} | the minimum is 0"), r#""delay": "PT1S", "jitter": -0.5"#),
            (
                "WF0404 -2: `multiplier` must be a number of at least 0 | the minimum is 0",
                r#""delay": "PT1S", "multiplier": -2"#,
            ),
            (
                "WF0403 \"2\": `multiplier` must be a number, found a string | remove the quotes: `2`",
                r#""delay": "PT1S", "multiplier": "2""#,
            ),
            (
                "WF0455 \"multiplier\": `multiplier` has no effect together with `increment` | remove one of the two",
                r#""delay": "PT1S", "multiplier": 2, "increment": "PT1S""#,
            ),
            (
                "WF0455 \"maxDelay\": `maxDelay` has no effect without `delay` | add `delay`, or remove it",
                r#""maxDelay": "PT1S""#,
            ),
            (
                "WF0455 \"PT9S\": `delay` is longer than `maxDelay` | make `maxDelay` longer",
                r#""delay": "PT9S", "maxDelay": "PT1S""#,
            ),
        ],
        retry,
    );
    let limits = "`maxAttempts` must be a whole number from 0 to 4294967295";
    check(
        &[
            (&format!("WF0404 -1: {limits} | the minimum is 0"), "-1"),
            (&format!("WF0404 1.5: {limits} | use a whole number, such as 2"), "1.5"),
            (&format!("WF0404 5000000000: {limits} | the maximum is 4294967295"), "5000000000"),
        ],
        |attempts| {
            machine(&format!(
                r#""retries": [{{"name": "r", "maxAttempts": {attempts}}}], "states": [{{"name": "A", "start": true}}]"#
            ))
        },
    );
}

#[test]
fn functions_are_checked() {
    let document = "write the document and the `operationId`, as in `bank.json#charge`";
    let method = "write the file, the service and the method, as in `bank.proto#acme.Bank/Charge`";
    check(
        &[
            (
                &format!(
                    "WF0423 \"bank.json\": `bank.json` does not name an operation of an OpenAPI document | {document}"
                ),
                r#""operation": "bank.json""#,
            ),
            (
                &format!("WF0423 \"#a\": `#a` does not name an operation of an OpenAPI document | {document}"),
                r##""operation": "#a""##,
            ),
            (
                &format!("WF0423 \"a#b#c\": `a#b#c` does not name an operation of an OpenAPI document | {document}"),
                r#""operation": "a#b#c""#,
            ),
            (
                "WF0423 \"${ .a }\": the operation is an expression, but the type of the function is `rest` | add `\"type\": \"expression\"`",
                r#""operation": "${ .a }""#,
            ),
            (
                "WF0423 \"${ .a }\": the operation is an expression, but the type of the function is `rest` | set `type` to `expression`",
                r#""operation": "${ .a }", "type": "rest""#,
            ),
            (
                "WF0325 \"a#b\": `operation` is not an expression | write `${ a#b }`",
                r#""operation": "a#b", "type": "expression""#,
            ),
            (
                &format!(
                    "WF0423 \"a.proto#Charge\": `a.proto#Charge` does not name a method of a gRPC service | {method}"
                ),
                r#""operation": "a.proto#Charge", "type": "rpc""#,
            ),
            (
                &format!("WF0423 \"a.proto#.B/C\": `a.proto#.B/C` does not name a method of a gRPC service | {method}"),
                r#""operation": "a.proto#.B/C", "type": "rpc""#,
            ),
            (
                "WF0407 \"grpc\": `type` cannot be `grpc` | did you mean `rpc`?",
                r#""operation": "a.proto#B/C", "type": "grpc""#,
            ),
            (
                "WF0811 \"${ fn:F }\": the function `f` refers to itself | define the function by a jq expression without `fn:`",
                r#""operation": "${ fn:F }", "type": "expression""#,
            ),
        ],
        function,
    );
    let read = read(&machine(
        r#""functions": [{"name": "in", "type": "expression", "operation": "${ fn:a }"},
            {"name": "a", "type": "expression", "operation": "${ fn:b }"},
            {"name": "b", "type": "expression", "operation": "${ fn:c }"},
            {"name": "c", "type": "expression", "operation": "${ fn:a }"}], "states": [{"name": "A", "start": true}]"#,
    ));
    let expected = "WF0811 \"${ fn:b }\": the functions `a`, `b`, `c` refer to each other | define one of the functions by a jq expression without `fn:`";
    assert_eq!(render(&read), [expected]);
}

/// Checks that an unreadable file causes one diagnostic, and none about its contents.
#[test]
fn unreadable_files_are_reported() {
    let files = |path: &str| match path {
        "list.json" => Ok(b"[7, {\"name\": \"a\"}]".to_vec()),
        "broken.json" => Ok(b"[{\"name\": \"a\",}]".to_vec()),
        "object.json" => Ok(b"{\"function\": []}".to_vec()),
        "text.json" => Ok(b"\"a\"".to_vec()),
        "latin.json" => Ok(b"[\"\xe9\"]".to_vec()),
        _ => Err("does not exist".into()),
    };
    let relative = "write a path relative to the definition, like `common/events.json`";
    let network = "is a URL: the compiler does not read from the network | copy the file to the folder of the definition, and write the path of the copy";
    for (written, expected) in [
        ("\"missing.json\"", "WF0420 \"missing.json\": the file `missing.json` does not exist | paths are relative to flows/".to_owned()),
        ("\"http://example.org/f.json\"", format!("WF0420 \"http://example.org/f.json\": `http://example.org/f.json` {network}")),
        ("\"HTTPS://example.org/f.json\"", format!("WF0420 \"HTTPS://example.org/f.json\": `HTTPS://example.org/f.json` {network}")),
        ("\"ftp://f\"", format!("WF0420 \"ftp://f\": `ftp://f` is not the path of a file | {relative}")),
        ("\"/etc/f.json\"", format!("WF0420 \"/etc/f.json\": `/etc/f.json` is not a path relative to the definition | {relative}")),
        ("\"file:///f.json\"", format!("WF0420 \"file:///f.json\": `file:///f.json` is not a path relative to the definition | {relative}")),
        ("\"\"", format!("WF0420 \"\": `` is not the path of a file | {relative}")),
        (
            "7",
            "WF0403 7: `functions` must be an array or the name of a file, found a number | write a list: `[ … ]`".to_owned(),
        ),
        ("\"broken.json\"", "WF0104 ,: a comma too many | remove it".to_owned()),
        (
            "\"object.json\"",
            "WF0403 {: a file of `functions` must be a list, or an object with a list in `functions` | write `{ \"functions\": [ … ] }`".to_owned(),
        ),
        ("\"text.json\"", "WF0403 \"a\": `functions` must be an array, found a string | put it in brackets: `[\"a\"]`".to_owned()),
    ] {
        let text = machine(&format!(
            r#""functions": {written}, "states": [{{"name": "A", "start": true, "enterAction": {{"type": "invokeFunction", "functionName": "f"}}}}]"#
        ));
        let read = read_file("flows/flow.json", &text, Files::new(move |path| files(path.as_str())));
        let rendered = render(&read);
        assert!(rendered.len() == 1 && read.machine.is_none(), "{written}: {rendered:?}");
        if written != "\"broken.json\"" {
            assert_eq!(rendered, [expected], "{written}");
        }
    }
    let text = machine(r#""functions": "list.json", "states": [{"name": "A", "start": true}]"#);
    let read = read_file("flow.json", &text, Files::new(move |path| files(path.as_str())));
    let expected = [
        "WF0403 7: a function must be an object, found a number | write an object: `{ … }`",
        "WF0401 {: missing member `operation` in a function | add `operation`",
    ];
    assert_eq!(render(&read), expected);
    let places: Vec<String> = read.diagnostics.iter().map(|rendered| read.sources.exact_place(rendered.span)).collect();
    assert_eq!(places, ["list.json:1:2", "list.json:1:5"]);
    let text = machine(r#""functions": "latin.json", "states": [{"name": "A", "start": true}]"#);
    let first = &render(&read_file("flow.json", &text, Files::new(move |path| files(path.as_str()))))[0];
    assert!(first.starts_with("WF0420 \"latin.json\": `latin.json` is not valid UTF-8"), "{first}");
}
