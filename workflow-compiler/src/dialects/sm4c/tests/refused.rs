//! Tests of diagnostics with their spans and help lines.

use super::{first_state, machine, read, read_file, render};
use crate::files::Files;

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
        let refused = rendered.iter().any(|line| line.starts_with('E'));
        if refused != read.machine.is_none() {
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

fn as_it_is(text: &str) -> String {
    text.to_owned()
}

#[test]
fn members_are_checked() {
    check(
        &[
            ("E0401 {: a state machine needs `version` | add `version`", r#"{"name": "t", "states": [{"name": "A", "start": true}]}"#),
            (
                "E0401 \"versoin\": a state machine needs `version` | did you mean `version`?",
                r#"{"name": "t", "versoin": "1", "states": [{"name": "A", "start": true}]}"#,
            ),
            (
                "E0401 null: a state machine needs `version` | write a value in place of null",
                r#"{"name": "t", "version": null, "states": [{"name": "A", "start": true}]}"#,
            ),
            (
                "E0403 1: `version` must be a string, and this is a number | put it in double quotes",
                r#"{"name": "t", "version": 1, "states": [{"name": "A", "start": true}]}"#,
            ),
            (
                "E0412 \" \": `name` is empty | write a name",
                r#"{"name": " ", "version": "1", "states": [{"name": "A", "start": true}]}"#,
            ),
            (
                "E0812 \"Start\": `start` and `Start` are the same member | remove one of the two",
                r#"{"name": "t", "version": "1", "states": [{"name": "A", "start": true, "Start": false}]}"#,
            ),
            (
                "W0801 \"onEntry\": `onEntry` is not a member of a state, and is ignored | remove it
                 W0801 \"exitActoin\": `exitActoin` is not a member of a state, and is ignored | did you mean `exitAction`?",
                r#"{"name": "t", "version": "1", "states": [{"name": "A", "start": true, "onEntry": {}, "exitActoin": {}}]}"#,
            ),
            (
                "E0403 \"yes\": `start` must be `true` or `false`, and this is a string | write `true`, without quotes",
                r#"{"name": "t", "version": "1", "states": [{"name": "A", "start": "yes"}]}"#,
            ),
            (
                "E0412 []: `states` is empty | give it a member, or remove `states`",
                r#"{"name": "t", "version": "1", "states": []}"#,
            ),
            (
                "E0403 7: a state must be an object, and this is a number | write it as `{ … }`",
                r#"{"name": "t", "version": "1", "states": [7]}"#,
            ),
            (
                "E0405 \"execTimeout\": `timeout` and `execTimeout` exclude each other | keep one of the two: they mean the same",
                r#"{"name": "t", "version": "1", "timeout": {"duration": "PT1S"}, "execTimeout": {"duration": "PT1S"},
                "states": [{"name": "A", "start": true}]}"#,
            ),
            (
                "E0403 \"PT1S\": the time-out of a state machine must be an object, and this is a string | write it as `{ \"duration\": … }`",
                r#"{"name": "t", "version": "1", "timeout": "PT1S", "states": [{"name": "A", "start": true}]}"#,
            ),
        ],
        as_it_is,
    );
}

#[test]
fn names_are_checked() {
    check(
        &[
            (
                "E0801 \"states\": no state is the first one | write `\"start\": true` into the one that is, as `A` may be",
                r#""states": [{"name": "A", "start": false}, {"name": "B"}]"#,
            ),
            (
                "E0801 true: another state is the first one already | remove `start` from one of them",
                r#""states": [{"name": "A", "start": true}, {"name": "B", "start": true}]"#,
            ),
            (
                "E0202 \"a\": the state `a` is defined twice | rename one of the two: names that differ in case only are the same",
                r#""states": [{"name": "A", "start": true}, {"name": "a"}]"#,
            ),
            (
                "E0802 \"E\": the event `E` is defined twice | rename one of the two: names that differ in case only are the same
                 E0802 \"f\": the function `f` is defined twice | rename one of the two: names that differ in case only are the same
                 E0802 \"r\": the retry policy `r` is defined twice | rename one of the two: names that differ in case only are the same",
                r#""events": [{"name": "e"}, {"name": "E"}],
                "functions": [{"name": "f", "operation": "a#b"}, {"name": "f", "operation": "a#c"}],
                "retries": [{"name": "R", "maxAttempts": 1}, {"name": "r", "maxAttempts": 1}],
                "states": [{"name": "A", "start": true}]"#,
            ),
            (
                "E0803 \"ship\": event `ship` is not defined | define it in `events`",
                r#""states": [{"name": "A", "start": true, "enterAction": {"type": "sendEvent", "event": "ship"}}]"#,
            ),
        ],
        machine,
    );
    check(
        &[
            ("E0201 \"bb\": state `bb` does not exist | the states are `A`, `B`", r#"{"nextState": "bb"}"#),
            (
                "E0803 \"Payd\": event `Payd` is not defined | did you mean `Paid`?",
                r#"{"nextState": "B", "eventGroups": [{"events": ["Payd"]}]}"#,
            ),
            (
                "E0412 []: `events` is empty | give it a member, or remove `events`",
                r#"{"nextState": "B", "eventGroups": [{"events": []}]}"#,
            ),
            (
                "E0412 []: `eventGroups` is empty | give it a member, or remove `eventGroups`",
                r#"{"nextState": "B", "eventGroups": []}"#,
            ),
        ],
        transitions,
    );
    check(
        &[
            (
                "E0803 \"refund\": function `refund` is not defined | the functions are `charge`, `total`",
                r#"{"type": "invokeFunction", "functionName": "refund"}"#,
            ),
            (
                "E0803 \"patent\": retry policy `patent` is not defined | did you mean `patient`?",
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
                "E0805 {: two transitions of a state have no condition, no events and no time-out | give one of them a `condition`",
                r#"{"nextState": "B"}, {"nextState": "A"}"#,
            ),
            (
                "E0805 \"PT2S\": two transitions of a state have a time-out | keep the one that is shorter",
                r#"{"nextState": "B", "timeout": "PT1S"}, {"nextState": "A", "timeout": "PT2S"}"#,
            ),
            (
                "E0804 \"eventGroups\": a transition with `condition` and `eventGroups` is never triggered | move `condition` into the event groups, or make two transitions with the same `nextState`",
                r#"{"nextState": "B", "condition": "${ .a }", "eventGroups": [{"events": ["Paid"]}]}"#,
            ),
            (
                "E0804 \"timeout\": a transition with `condition` and `timeout` is never triggered | make two transitions with the same `nextState`",
                r#"{"nextState": "B", "condition": "${ .a }", "timeout": "PT1S"}"#,
            ),
            (
                "E0804 \"timeout\": a transition with `eventGroups` and `timeout` is never triggered | make two transitions with the same `nextState`",
                r#"{"nextState": "B", "timeout": "PT1S", "eventGroups": [{"events": ["Paid"]}]}"#,
            ),
            (
                "E0806 \"timeout\": a transition by time-out needs `nextState` or an `action` | name the state that it leads to",
                r#"{"timeout": "PT1S"}"#,
            ),
            (
                "E0806 {: a transition without `nextState` needs a condition, events or a time-out | name the state that it leads to, or what triggers it",
                r#"{"action": {"type": "delay", "timeout": "PT1S"}}"#,
            ),
            (
                "W0405 {: this transition is never triggered | remove it, or give the other one a `condition`",
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
                "E0407 \"invokeFunctoin\": `type` cannot be `invokeFunctoin` | did you mean `invokeFunction`?",
                r#"{"type": "invokeFunctoin", "functionName": "charge"}"#,
            ),
            (
                "E0407 \"inject\": `type` cannot be `inject` | it is one of `delay`, `foreach`, `injectData`, `invokeFunction`, `invokeSubflow`, `parallel`, `sendEvent`, `sequence`",
                r#"{"type": "inject"}"#,
            ),
            ("E0401 {: an action needs `type` | add `\"type\": \"delay\"`", r#"{"timeout": "00:00:10"}"#),
            (
                "E0401 \"Typ\": an action needs `type` | did you mean `type`?",
                r#"{"Typ": "delay", "timeout": "00:00:10"}"#,
            ),
            ("E0401 {: an action needs `type` | add `type`", r#"{"actions": []}"#),
            ("E0401 {: a `foreach` action needs `action` | add `action`", r#"{"type": "foreach", "input": "${ . }"}"#),
            (
                "E0404 0: `maxParallel` must be a whole number from 1 to 4294967295 | the nearest that is allowed is 1",
                r#"{"type": "foreach", "input": "${ . }", "maxParallel": 0, "action": {"type": "delay", "timeout": "PT1S"}}"#,
            ),
            (
                "E0412 []: `actions` is empty | give it a member, or remove `actions`",
                r#"{"type": "sequence", "actions": []}"#,
            ),
            (
                "W0801 \"expression\": `expression` is not a member of a `delay` action, and is ignored | remove it",
                r#"{"type": "delay", "timeout": "PT1S", "expression": "${ . }"}"#,
            ),
            (
                "E0802 \"x\": two actions of a `sequence` action are called `x` | give it another name: the results are put into one object under these names",
                r#"{"type": "sequence", "actions": [{"name": "x", "type": "delay", "timeout": "PT1S"}, {"name": "X", "type": "delay", "timeout": "PT1S"},
                {"name": "x", "type": "delay", "timeout": "PT1S"}]}"#,
            ),
            (
                "E0802 {: the result of this action is called `1`, as another action is | give it another name: the results are put into one object under these names",
                r#"{"type": "parallel", "actions": [{"name": "1", "type": "delay", "timeout": "PT1S"}, {"type": "delay", "timeout": "PT1S"}]}"#,
            ),
            (
                "E0403 [1]: `arguments` must be an object, and this is an array | write it as `{ … }`",
                r#"{"type": "invokeSubflow", "subflowName": "s", "arguments": [1]}"#,
            ),
            (
                "E0403 1: `n` must be a string, and this is a number | put it in double quotes",
                r#"{"type": "sendEvent", "event": "Paid", "contextAttributes": {"n": 1}}"#,
            ),
            (
                "W0405 {: this error handler is never asked | put the one without a `condition` last",
                r#"{"type": "delay", "timeout": "PT1S", "errorHandlers": [{}, {"condition": "${ true }"}]}"#,
            ),
        ],
        action,
    );
    let whole = "`n` must be a whole number from 1 to 2, the number of actions | where all are waited for, remove `completionType` and `n`";
    check(
        &[
            (
                "E0809 \"n_of_m\": the completion type `n_of_m` needs `n` | add `n`: how many of the actions are waited for",
                &parallel(r#""completionType": "n_of_m","#),
            ),
            (&format!("E0809 0: {whole}"), &parallel(r#""completionType": "n_of_m", "n": 0,"#)),
            (&format!("E0809 3: {whole}"), &parallel(r#""completionType": "n_of_m", "n": 3,"#)),
            (&format!("E0809 -1: {whole}"), &parallel(r#""completionType": "n_of_m", "n": -1,"#)),
            (&format!("E0809 1.5: {whole}"), &parallel(r#""completionType": "n_of_m", "n": 1.5,"#)),
            (
                "E0403 \"2\": `n` must be a whole number, and this is a string | leave out the quotes: `2`",
                &parallel(r#""completionType": "n_of_m", "n": "2","#),
            ),
            (
                "E0809 \"n\": `n` says nothing with the completion type `and` | remove it, or add `\"completionType\": \"n_of_m\"`",
                &parallel(r#""n": 2,"#),
            ),
            (
                "E0809 \"n\": `n` says nothing with the completion type `xor` | remove it, or let `completionType` be `n_of_m`",
                &parallel(r#""completionType": "xor", "n": 2,"#),
            ),
            (
                "E0407 \"n-of-m\": `completionType` cannot be `n-of-m` | did you mean `n_of_m`?",
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
                &format!("W0803 \"enterResultHandler\": `enterResultHandler` is given null, not the result | {add}"),
                r#""enterAction": {"type": "invokeSubflow", "subflowName": "s"}, "enterResultHandler": "${ .r = $value }""#,
            ),
            (
                &format!(
                    "W0405 \"total\": this call has no effect: the function `total` is an expression, whose value nobody sees | set `waitForCompletion` to true
                     W0803 \"exitResultHandler\": `exitResultHandler` is given null, not the result | {add}"
                ),
                r#""exitAction": {"type": "invokeFunction", "functionName": "total", "waitForCompletion": false}, "exitResultHandler": "${ .r = $value }""#,
            ),
            (
                &format!("W0803 \"resultHandler\": `resultHandler` is given null, not the result | {add}"),
                r#""transitions": [{"nextState": "B", "action": {"type": "invokeFunction", "functionName": "charge"}, "resultHandler": "${ .r = $value }"}]"#,
            ),
            (
                &format!(
                    "W0803 \"timeout\": `timeout` has no effect: the action does not wait for the function | {add}
                    W0803 \"errorHandlers\": `errorHandlers` are not asked when the function fails: the action does not wait | {add}"
                ),
                r#""enterAction": {"type": "invokeFunction", "functionName": "charge", "timeout": "PT1S", "errorHandlers": [{}]}"#,
            ),
            ("", r#""enterAction": {"type": "delay", "timeout": "PT1S"}, "enterResultHandler": "${ .n += 1 }", "exitResultHandler": "${ .n += 1 }""#),
        ],
        first_state,
    );
    check(
        &[(
            "W0405 \"timeout\": `timeout` has no effect: the function `total` is an expression | remove it
             W0405 \"arguments\": `arguments` has no effect: the function `total` is an expression | remove it: the expression sees the input of the action",
            r#"{"type": "invokeFunction", "functionName": "total", "waitForCompletion": true, "timeout": "PT1S", "arguments": {"a": 1}}"#,
        )],
        action,
    );
}

#[test]
fn expressions_have_their_form() {
    let blanks = "the expression of `inputFilter` needs a blank after `${` and one before `}`";
    let around = "blanks or line breaks stand around the expression of `inputFilter`";
    let empty = "the expression of `inputFilter` is empty | `${ . }` is all of the data";
    check(
        &[
            (&format!("E0807 \"${{.a}}\": {blanks} | write `${{ .a }}`"), r#""inputFilter": "${.a}""#),
            (&format!("E0807 \"${{ .a}}\": {blanks} | write `${{ .a }}`"), r#""inputFilter": "${ .a}""#),
            ("E0807 \".a\": `inputFilter` is not an expression | write `${ .a }`", r#""inputFilter": ".a""#),
            ("E0807 \"$.a\": `inputFilter` is not an expression | write `${ .a }`", r#""inputFilter": "$.a""#),
            (
                "E0807 \"${ .a\": the expression of `inputFilter` is not closed | write `${ .a }`",
                r#""inputFilter": "${ .a""#,
            ),
            (&format!("E0807 \"${{ .a }} \": {around} | write `${{ .a }}`"), r#""inputFilter": "${ .a } ""#),
            (
                &format!(
                    "E0807 \"${{ .a }}\\n\": {around} | begin the block with `|-` or `>-`, which leave out the last line break"
                ),
                r#""inputFilter": "${ .a }\n""#,
            ),
            (&format!("E0412 \"${{ }}\": {empty}"), r#""inputFilter": "${ }""#),
            (&format!("E0412 \"${{  }}\": {empty}"), r#""inputFilter": "${  }""#),
            (&format!("E0412 \"${{   }}\": {empty}"), r#""inputFilter": "${   }""#),
            (&format!("E0412 \"\": {empty}"), r#""inputFilter": """#),
            (
                "E0403 true: `inputFilter` must be an expression, and this is a boolean | write `\"${ true }\"`",
                r#""inputFilter": true"#,
            ),
            ("E0803 totl: function `totl` is not defined | did you mean `total`?", r#""inputFilter": "${ fn:totl }""#),
            (
                "E0811 charge: the function `charge` is not an expression | call it by an action of the type `invokeFunction`, and use its result",
                r#""inputFilter": "${ fn: charge }""#,
            ),
        ],
        first_state,
    );
    check(
        &[
            (
                "W0407 \"${.a}\": `${.a}` stays as it is: an expression has a blank after `${` and one before `}` | write `${ .a }`
                 W0407 \"${ .c }\": `${ .c }` stays as it is: inside of an argument nothing is an expression | make it a value of its own, or build the object in one expression",
                r#"{"type": "invokeSubflow", "subflowName": "s", "arguments": {"a": "${.a}", "b": {"c": ["${ .c }", "$"]}, "d": "{}"}}"#,
            ),
            (
                "W0407 \"${ .id }\": `${ .id }` stays as it is: attributes of events are no expressions | make it a value of its own, or build the object in one expression",
                r#"{"type": "sendEvent", "event": "Paid", "contextAttributes": {"order": "${ .id }"}}"#,
            ),
            (
                "E0803 no: function `no` is not defined | the functions are `charge`, `total`",
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
            ("E0808 \"10s\": `10s` is no timespan | write `PT10S`", r#"{"type": "delay", "timeout": "10s"}"#),
            (
                "E0808 \"-00:01\": `-00:01` is negative, and no time can pass that is | write `00:01`",
                r#"{"type": "delay", "timeout": "-00:01"}"#,
            ),
            (
                "E0403 10: `timeout` must be a timespan, and this is a number | 10 seconds are `\"00:00:10\"` or `\"PT10S\"`",
                r#"{"type": "delay", "timeout": 10}"#,
            ),
            (
                "W0802 \"30\": `30` is 30 days | write `P30D` for days, `00:00:30` for seconds",
                r#"{"type": "delay", "timeout": "30"}"#,
            ),
            (
                "W0802 \"90\": `90` is 90 days | write `P90D` for days, `PT90S` for seconds",
                r#"{"type": "delay", "timeout": "90"}"#,
            ),
            ("", r#"{"type": "delay", "timeout": "0"}"#),
        ],
        action,
    );
    let part = "`jitter` must be a part from 0.0 to 1.0 or a timespan";
    check(
        &[
            (
                "W0804 1: `jitter` is 1, a whole number, and is ignored | write `1.0` for all of the delay, or a timespan like `\"00:00:01\"`",
                r#""delay": "PT1S", "jitter": 1"#,
            ),
            ("", r#""delay": "PT1S", "jitter": 0"#),
            (&format!("E0404 1.5: {part} | the nearest that is allowed is 1"), r#""delay": "PT1S", "jitter": 1.5"#),
            (&format!("E0404 -0.5: {part} | the nearest that is allowed is 0"), r#""delay": "PT1S", "jitter": -0.5"#),
            (
                "E0404 -2: `multiplier` must be a number of at least 0 | the nearest that is allowed is 0",
                r#""delay": "PT1S", "multiplier": -2"#,
            ),
            (
                "E0403 \"2\": `multiplier` must be a number, and this is a string | leave out the quotes: `2`",
                r#""delay": "PT1S", "multiplier": "2""#,
            ),
            (
                "W0405 \"multiplier\": `multiplier` has no effect beside `increment` | remove one of the two",
                r#""delay": "PT1S", "multiplier": 2, "increment": "PT1S""#,
            ),
            (
                "W0405 \"maxDelay\": `maxDelay` has no effect without `delay` | add `delay`, or remove it",
                r#""maxDelay": "PT1S""#,
            ),
            (
                "W0405 \"PT9S\": `delay` is longer than `maxDelay`, which is what counts | make `maxDelay` longer",
                r#""delay": "PT9S", "maxDelay": "PT1S""#,
            ),
        ],
        retry,
    );
    let limits = "`maxAttempts` must be a whole number from 0 to 4294967295";
    check(
        &[
            (&format!("E0404 -1: {limits} | the nearest that is allowed is 0"), "-1"),
            (&format!("E0404 1.5: {limits} | the nearest that is allowed is 2"), "1.5"),
            (&format!("E0404 5000000000: {limits} | the nearest that is allowed is 4294967295"), "5000000000"),
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
                &format!("E0810 \"bank.json\": `bank.json` names no operation of an OpenAPI document | {document}"),
                r#""operation": "bank.json""#,
            ),
            (
                &format!("E0810 \"#a\": `#a` names no operation of an OpenAPI document | {document}"),
                r##""operation": "#a""##,
            ),
            (
                &format!("E0810 \"a#b#c\": `a#b#c` names no operation of an OpenAPI document | {document}"),
                r#""operation": "a#b#c""#,
            ),
            (
                "E0810 \"${ .a }\": this operation is an expression, and the function is of another type | add `\"type\": \"expression\"`",
                r#""operation": "${ .a }""#,
            ),
            (
                "E0810 \"${ .a }\": this operation is an expression, and the function is of another type | let its `type` be `expression`",
                r#""operation": "${ .a }", "type": "rest""#,
            ),
            (
                "E0807 \"a#b\": `operation` is not an expression | write `${ a#b }`",
                r#""operation": "a#b", "type": "expression""#,
            ),
            (
                &format!("E0810 \"a.proto#Charge\": `a.proto#Charge` names no method of a gRPC service | {method}"),
                r#""operation": "a.proto#Charge", "type": "rpc""#,
            ),
            (
                &format!("E0810 \"a.proto#.B/C\": `a.proto#.B/C` names no method of a gRPC service | {method}"),
                r#""operation": "a.proto#.B/C", "type": "rpc""#,
            ),
            (
                "E0407 \"grpc\": `type` cannot be `grpc` | did you mean `rpc`?",
                r#""operation": "a.proto#B/C", "type": "grpc""#,
            ),
            (
                "E0811 \"${ fn:F }\": the function `f` stands for itself | write an expression in jq for one of them",
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
    let expected = "E0811 \"${ fn:b }\": the functions `a`, `b`, `c` stand for each other | write an expression in jq for one of them";
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
    let network = "is not read: what a definition means does not depend on a network | put a copy of it beside the definition, and name that";
    for (written, expected) in [
        ("\"missing.json\"", "E0420 \"missing.json\": the file `missing.json` does not exist | paths are relative to flows/".to_owned()),
        ("\"http://example.org/f.json\"", format!("E0420 \"http://example.org/f.json\": `http://example.org/f.json` {network}")),
        ("\"HTTPS://example.org/f.json\"", format!("E0420 \"HTTPS://example.org/f.json\": `HTTPS://example.org/f.json` {network}")),
        ("\"ftp://f\"", format!("E0420 \"ftp://f\": `ftp://f` is not a file beside the definition | {relative}")),
        ("\"/etc/f.json\"", format!("E0420 \"/etc/f.json\": `/etc/f.json` is not a path relative to the definition | {relative}")),
        ("\"file:///f.json\"", format!("E0420 \"file:///f.json\": `file:///f.json` is not a path relative to the definition | {relative}")),
        ("\"\"", format!("E0420 \"\": `` names no file | {relative}")),
        (
            "7",
            "E0403 7: `functions` must be an array or the name of a file, and this is a number | write a list: `[ … ]`".to_owned(),
        ),
        ("\"broken.json\"", "E0104 ,: a comma too many | remove it".to_owned()),
        (
            "\"object.json\"",
            "E0403 {: a file of `functions` holds a list, by itself or as a member `functions` | write `{ \"functions\": [ … ] }`".to_owned(),
        ),
        ("\"text.json\"", "E0403 \"a\": `functions` must be an array, and this is a string | put it in brackets: `[\"a\"]`".to_owned()),
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
        "E0403 7: a function must be an object, and this is a number | write it as `{ … }`",
        "E0401 {: a function needs `operation` | add `operation`",
    ];
    assert_eq!(render(&read), expected);
    let places: Vec<String> = read.diagnostics.iter().map(|rendered| read.sources.exact_place(rendered.span)).collect();
    assert_eq!(places, ["list.json:1:2", "list.json:1:5"]);
    let text = machine(r#""functions": "latin.json", "states": [{"name": "A", "start": true}]"#);
    let read = read_file("flow.json", &text, Files::new(move |path| files(path.as_str())));
    assert!(
        render(&read)[0].starts_with("E0420 \"latin.json\": `latin.json` is not UTF-8 text"),
        "{:?}",
        render(&read)
    );
}
