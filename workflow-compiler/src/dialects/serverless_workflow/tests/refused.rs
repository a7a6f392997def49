//! Tests of diagnostics with their spans and help lines.

use super::{as_it_is, check, first_state, operation, state};

fn states(text: &str) -> String {
    format!(r#"{{"states": [{text}]}}"#)
}

/// Definition whose state injects nothing.
macro_rules! inject {
    ($name:literal, $more:literal) => {
        concat!(r#"{"name": ""#, $name, r#"", "type": "inject", "data": {}, "#, $more, "}")
    };
}

const START: &str = r#""start": {"kind": "default"}, "#;

fn with_start(text: &str) -> String {
    states(&text.replace("START ", START))
}

#[test]
fn one_state_is_the_first() {
    check(
        &[
            (
                "E1201 {: no state is the first one of the workflow | write `\"start\": { \"kind\": \"default\" }` into the one that is, as `A` may be",
                inject!("A", r#""end": {"kind": "default"}"#),
            ),
            (
                "E1201 {: another state is the first one of the workflow already | remove `start` from one of them",
                concat!(
                    inject!("A", r#"START "transition": {"nextState": "B"}"#),
                    ",",
                    inject!("B", r#"START "end": {"kind": "default"}"#)
                ),
            ),
            (
                "E1201 {: no state is the first one of this branch | write `\"start\": { \"kind\": \"default\" }` into the one that is, as `X` may be",
                r#"{"name": "A", "type": "parallel", START "end": {"kind": "default"}, "branches": [{"name": "b", "states": [
                    {"name": "X", "type": "inject", "data": {}, "end": {"kind": "default"}}]}]}"#,
            ),
            (
                "E1201 {: no state is the first one of the body of this foreach state | write `\"start\": { \"kind\": \"default\" }` into the one that is, as `X` may be
                 E1205 {: no state ends the body of this foreach state | write `\"end\": { \"kind\": \"default\" }` into the last state",
                r#"{"name": "A", "type": "foreach", START "end": {"kind": "default"}, "inputCollection": "$.items", "inputParameter": "$.item",
                    "states": [{"name": "X", "type": "inject", "data": {}, "transition": {"nextState": "X"}}]}"#,
            ),
            (
                "E1205 {: no state ends this branch | write `\"end\": { \"kind\": \"default\" }` into the last state",
                r#"{"name": "A", "type": "parallel", START "end": {"kind": "default"}, "branches": [{"name": "b", "states": [
                    {"name": "X", START "type": "delay", "timeDelay": "PT1S", "transition": {"nextState": "X"}}]}]}"#,
            ),
        ],
        with_start,
    );
}

#[test]
fn members_are_checked() {
    check(
        &[
            ("E0401 {: a workflow needs `states` | add `states`", r#"{"id": "t"}"#),
            ("E0412 []: `states` is empty | give it a member, or remove `states`", r#"{"states": []}"#),
            ("E0403 7: a workflow must be an object, and this is a number | write it as `{ … }`", "7"),
        ],
        as_it_is,
    );
    check(
        &[
            ("E0401 {: a state needs `type` | add `type`", r#""data": {}"#),
            ("E0401 \"tpye\": a state needs `type` | did you mean `type`?", r#""tpye": "inject""#),
            ("E0407 \"injekt\": `type` cannot be `injekt` | did you mean `inject`?", r#""type": "injekt""#),
            (
                "E0403 [1]: `data` must be an object, and this is an array | write it as `{ … }`",
                r#""type": "inject", "data": [1]"#,
            ),
            ("E0401 {: a delay state needs `timeDelay` | add `timeDelay`", r#""type": "delay""#),
            ("E1105 \"1 minute\": `1 minute` is no duration of ISO 8601 | write `PT1M`", r#""type": "delay", "timeDelay": "1 minute""#),
            ("E0401 {: a subflow state needs `workflowId` | add `workflowId`", r#""type": "subflow""#),
            ("E0401 {: an operation state needs `actions` | add `actions`", r#""type": "operation""#),
            ("E0401 {: a parallel state needs `branches` | add `branches`", r#""type": "parallel""#),
            ("E0401 {: an event state needs `eventsActions` | add `eventsActions`", r#""type": "event""#),
            (
                "E0408 \"end\": an inject state has both `transition` and `end` | keep one of the two",
                r#""type": "inject", "data": {}, "transition": {"nextState": "A"}"#,
            ),
            (
                "E0412 \" \": `dataInputPath` is empty | `$` is all of the data",
                r#""type": "inject", "data": {}, "stateDataFilter": {"dataInputPath": " "}"#,
            ),
            (
                "W1202 \"outputPath\": `outputPath` of the filter of a state is read as `dataOutputPath` | write `dataOutputPath`
                 E0405 \"resultPath\": `outputPath` and `resultPath` of the filter of a state are the same | keep one of the two",
                r#""type": "inject", "data": {}, "stateDataFilter": {"outputPath": "$", "resultPath": "$"}"#,
            ),
        ],
        state,
    );
    check(
        &[(
            "E0408 {: an inject state has neither `transition` nor `end` | say where it leads, as in `\"transition\": { \"nextState\": \"Pay\" }`, or write `\"end\": { \"kind\": \"default\" }`",
            r#"{"name": "A", "type": "inject", START "data": {}}"#,
        )],
        with_start,
    );
}

#[test]
fn names_are_checked() {
    check(
        &[
            (
                "E0202 \"A\": the state `A` is defined twice | rename one of the two",
                concat!(
                    inject!("A", r#"START "transition": {"nextState": "A"}"#),
                    ",",
                    inject!("A", r#""end": {"kind": "default"}"#)
                ),
            ),
            (
                "E0202 \"x\": two states have the id `x` | give each an id of its own",
                concat!(
                    inject!("A", r#"START "id": "x", "transition": {"nextState": "B"}"#),
                    ",",
                    inject!("B", r#""id": "x", "end": {"kind": "default"}"#)
                ),
            ),
            (
                "E1203 \"s2\": `s2` is the name of one state and the id of another | change the name or the id",
                concat!(
                    inject!("A", r#"START "transition": {"nextState": "s2"}"#),
                    ",",
                    inject!("s2", r#""id": "s1", "end": {"kind": "default"}"#),
                    ",",
                    inject!("Ship", r#""id": "s2", "end": {"kind": "default"}"#)
                ),
            ),
            (
                "E0201 \"Shp\": state `Shp` does not exist | did you mean `Ship`?",
                concat!(
                    inject!("A", r#"START "transition": {"nextState": "Shp"}"#),
                    ",",
                    inject!("Ship", r#""end": {"kind": "default"}"#)
                ),
            ),
            (
                "E0203 \"B\": the state `B` is not one of those around this transition | states of a branch or of a foreach state lead to each other only, and nothing else leads to them",
                concat!(
                    r#"{"name": "A", "type": "parallel", START "transition": {"nextState": "B"}, "branches": [{"name": "b", "states": [
                        {"name": "X", "type": "inject", START "data": {}, "transition": {"nextState": "B"}},
                        {"name": "Y", "type": "inject", "data": {}, "end": {"kind": "default"}}]}]},"#,
                    inject!("B", r#""end": {"kind": "default"}"#)
                ),
            ),
            (
                "E0203 \"X\": the state `X` is not one of those around this transition | states of a branch or of a foreach state lead to each other only, and nothing else leads to them",
                r#"{"name": "A", "type": "foreach", START "transition": {"nextState": "X"}, "inputCollection": "$.items", "inputParameter": "$.item",
                    "states": [{"name": "X", "type": "inject", START "data": {}, "end": {"kind": "default"}}]}"#,
            ),
        ],
        with_start,
    );
    check(
        &[
            (
                "E1204 \"chrage\": function `chrage` is not defined | did you mean `charge`?",
                r#""type": "operation", "end": {"kind": "default"}, "actions": [{"functionRef": {"refName": "chrage"}}]"#,
            ),
            (
                "E1204 \"Payd\": event `Payd` is not defined | did you mean `Paid`?",
                r#""type": "event", "end": {"kind": "default"}, "eventsActions": [{"eventRefs": ["Sent", "Payd"]}]"#,
            ),
            (
                "E1204 \"Gone\": event `Gone` is not defined | the events are `Paid`, `Sent`",
                r#""type": "callback", "end": {"kind": "default"}, "action": {"functionRef": {"refName": "charge"}}, "eventRef": "Gone""#,
            ),
            (
                "E1204 \"paid\": event `paid` is not defined | did you mean `Paid`?",
                r#""type": "delay", "timeDelay": "PT1S", "transition": {"nextState": "B", "produceEvent": {"eventRef": "paid"}}"#,
            ),
        ],
        first_state,
    );
    check(
        &[(
            "E1202 \"e\": the event `e` is defined twice | rename one of the two
             E1202 \"f\": the function `f` is defined twice | rename one of the two",
            r#"{"events": [{"name": "e", "type": "x", "source": "s"}, {"name": "e", "type": "y", "source": "s"}],
            "functions": [{"name": "f", "resource": "x"}, {"name": "f", "resource": "y"}],
            "states": [{"name": "A", "type": "inject", "data": {}, "start": {"kind": "default"}, "end": {"kind": "default"}}]}"#,
        )],
        as_it_is,
    );
}

#[test]
fn switches_lead_where_conditions_lead() {
    check(
        &[
            (
                "E1206 \"end\": a switch leads where its conditions lead, and has no `end` | lead to a state that has it",
                r#""type": "switch", "dataConditions": [{"path": "$.a", "operator": "exists", "transition": {"nextState": "B"}}],
                "default": {"nextState": "B"}, "end": {"kind": "default"}"#,
            ),
            (
                "E1206 \"transition\": a switch leads where its conditions lead, and has no `transition` | lead to a state that has it",
                r#""type": "switch", "dataConditions": [{"path": "$.a", "operator": "exists", "transition": {"nextState": "B"}}],
                "default": {"nextState": "B"}, "transition": {"nextState": "B"}"#,
            ),
            (
                "E1207 \"eventConditions\": a switch has conditions on data or on events, and not both | make two switches of it, one after the other",
                r#""type": "switch", "dataConditions": [], "eventConditions": [], "default": {"nextState": "B"}"#,
            ),
            (
                "E1207 {: a switch has `dataConditions` or `eventConditions`, and this has neither | add one of the two",
                r#""type": "switch", "default": {"nextState": "B"}"#,
            ),
            (
                "E0401 {: a condition needs `value` | add the text that is compared with",
                r#""type": "switch", "dataConditions": [{"path": "$.a", "operator": "equals", "transition": {"nextState": "B"}}],
                "default": {"nextState": "B"}"#,
            ),
            (
                "E0403 [1]: `value` must be a string, and this is an array | write one text in double quotes",
                r#""type": "switch", "dataConditions": [{"path": "$.a", "operator": "equals", "value": [1], "transition": {"nextState": "B"}}],
                "default": {"nextState": "B"}"#,
            ),
            (
                "E1213 \"operator\": the operator `custom` needs the name of a task that decides | add `\"metadata\": { \"function\": \"isEligible\" }`",
                r#""type": "switch", "dataConditions": [{"path": "$.a", "operator": "custom", "metadata": {"function": " "}, "transition": {"nextState": "B"}}],
                "default": {"nextState": "B"}"#,
            ),
            (
                "E0304 \"[A-\": the regular expression is not valid: unclosed character class | write one such as `[A-Z]+`, without look-around and back references, and without large numbers of repetitions",
                r#""type": "switch", "dataConditions": [{"path": "$.a", "operator": "matches", "value": "[A-", "transition": {"nextState": "B"}}],
                "default": {"nextState": "B"}"#,
            ),
            (
                "E0304 \"(\\\\w{100}){100}\": the regular expression is too large: compiled, it takes more than 1048576 bytes | write one such as `[A-Z]+`, without look-around and back references, and without large numbers of repetitions",
                r#""type": "switch", "dataConditions": [{"path": "$.a", "operator": "notmatches", "value": "(\\w{100}){100}", "transition": {"nextState": "B"}}],
                "default": {"nextState": "B"}"#,
            ),
            (
                "E0304 '(\\\\\\\\w{100}){100}': the regular expression is too large: compiled, it takes more than 1048576 bytes | write a regular expression such as `[A-Z]+`, without look-around and back references",
                r#""type": "switch", "dataConditions": [{"path": "$.a[?match(@.b, '(\\\\w{100}){100}')]", "operator": "exists", "transition": {"nextState": "B"}}],
                "default": {"nextState": "B"}"#,
            ),
            (
                "E0401 {: a handler of errors of a switch needs `transition` | say where it leads",
                r#""type": "switch", "dataConditions": [{"path": "$.a", "operator": "exists", "transition": {"nextState": "B"}}],
                "default": {"nextState": "B"}, "onError": [{"expression": "true"}]"#,
            ),
        ],
        first_state,
    );
}

#[test]
fn as_many_branches_end_as_there_are() {
    fn parallel(members: &str) -> String {
        state(&format!(
            r#""type": "parallel", {members}, "branches": [
                {{"name": "b", "states": [{{"name": "X", "type": "inject", "data": {{}}, "start": {{"kind": "default"}}, "end": {{"kind": "default"}}}}]}},
                {{"name": "c", "states": [{{"name": "Y", "type": "inject", "data": {{}}, "start": {{"kind": "default"}}, "end": {{"kind": "default"}}}}]}}]"#
        ))
    }
    check(
        &[
            (
                "E1208 \"completionType\": `n_of_m` needs `n`, the number of branches that must end | add `\"n\": 1`",
                r#""completionType": "n_of_m""#,
            ),
            (
                "E1208 0: `n` is 0, and one branch must end at least | write a number from 1 to 2",
                r#""completionType": "n_of_m", "n": 0"#,
            ),
            (
                "E1208 3: `n` is 3, and there are 2 branches | write a number from 1 to 2",
                r#""completionType": "n_of_m", "n": 3"#,
            ),
            (
                "W0405 2: `n` has no effect: `completionType` is `xor` | write `\"completionType\": \"n_of_m\"`",
                r#""completionType": "xor", "n": 2"#,
            ),
            ("", r#""completionType": "n_of_m", "n": 2"#),
        ],
        parallel,
    );
}

#[test]
fn starts_and_ends_are_whole() {
    fn start(text: &str) -> String {
        states(&format!(
            r#"{{"name": "A", "type": "inject", "data": {{}}, "end": {{"kind": "default"}}, "start": {text}}}"#
        ))
    }
    const FORMS: &str =
        "write `START/END`, `START/DURATION`, `DURATION/END` or `DURATION`, as in `2020-03-20T13:00:00Z/P1M` or `P30D`";
    check(
        &[
            (
                "E1209 {: a scheduled start needs `schedule` | add `\"schedule\": { \"interval\": \"2020-03-20T09:00:00Z/PT6H\" }`",
                r#"{"kind": "scheduled"}"#,
            ),
            (
                "W0405 \"schedule\": `schedule` has no effect: the kind of the start is `default` | write `\"kind\": \"scheduled\"`",
                r#"{"kind": "default", "schedule": {"interval": "P1D"}}"#,
            ),
        ],
        start,
    );
    for (interval, predicate, help) in [
        ("soon", "is no time interval of ISO 8601", FORMS),
        ("P1D/P2D", "has two durations and no time", FORMS),
        ("2020-03-21T00:00:00Z/2020-03-20T00:00:00Z", "ends before it begins", "exchange the two times"),
        ("2020-03-20T00:00:00Z/2020-03-20T00:00:00Z", "is empty", "give it some time between its ends"),
        ("PT0S", "is empty", "give it some time between its ends"),
        ("2020-03-20T00:00:00Z/P1X", "has `P1X` in it, which is no duration", "two days are `P2D`"),
        (
            "2020-03-20T09:00:00/P1D",
            "has `2020-03-20T09:00:00` in it, which is no time",
            "say in which zone: `2020-03-20T09:00:00Z` is in UTC",
        ),
        (
            "2020-03-20/P1D",
            "has `2020-03-20` in it, which is no time",
            "say in which zone: `2020-03-20T00:00:00Z` is in UTC",
        ),
        ("2020-03-20T00:00:00Z/P9999Y", "leads out of the years that there are", "give it a shorter duration"),
    ] {
        let expected = format!("E1209 \"{interval}\": `{interval}` {predicate} | {help}");
        check(&[(&expected, &format!(r#"{{"kind": "scheduled", "schedule": {{"interval": "{interval}"}}}}"#))], start);
    }
    check(
        &[
            (
                "E1210 {: an end of the kind `event` needs `produceEvent` | add `\"produceEvent\": { \"eventRef\": … }`",
                r#""type": "delay", "timeDelay": "PT1S", "end": {"kind": "event"}"#,
            ),
            (
                "W0405 \"produceEvent\": `produceEvent` has no effect: the kind of the end is `terminate` | write `\"kind\": \"event\"`",
                r#""type": "delay", "timeDelay": "PT1S", "end": {"kind": "terminate", "produceEvent": {"eventRef": "Paid"}}"#,
            ),
            (
                "E0403 7: `data` must be a path or an object, and this is a number | write a path or an object",
                r#""type": "delay", "timeDelay": "PT1S", "end": {"kind": "event", "produceEvent": {"eventRef": "Paid", "data": 7}}"#,
            ),
        ],
        first_state,
    );
}

#[test]
fn retries_and_expressions_are_checked() {
    check(
        &[
            (
                "E1211 \"4 x 1 minute\": `4 x 1 minute` is no duration of ISO 8601 | ten seconds are `PT10S`, two days `P2D`",
                r#""retry": [{"expression": "true", "interval": "4 x 1 minute"}]"#,
            ),
            (
                "E1211 \"Rx/PT1M\": `Rx/PT1M` repeats `x` times, which is no number | four times after a minute each is `R4/PT1M`",
                r#""retry": [{"expression": "true", "interval": "Rx/PT1M"}]"#,
            ),
            (
                "E0404 -1: `maxAttempts` must be a number of at least 0 | the nearest that is allowed is 0",
                r#""retry": [{"expression": "true", "maxAttempts": -1}]"#,
            ),
            (
                "E1211 \"soon\": `soon` is no duration of ISO 8601 | ten seconds are `PT10S`, two days `P2D`
                 E0404 -1: `maxAttempts` must be a number of at least 0 | the nearest that is allowed is 0",
                r#""retry": [{"expression": "true", "interval": "soon", "maxAttempts": -1}]"#,
            ),
            ("E0412 \" \": the expression is empty | write a condition", r#""retry": [{"expression": " "}]"#),
            (
                "E1212 \"jexl\": there is no language `jexl` for expressions | the languages are `spel`, `jsonpath`, `jq`, `cel`",
                r#""retry": [{"expression": {"language": "jexl", "body": "1"}}]"#,
            ),
            (
                "E1212 \"jsonpth\": there is no language `jsonpth` for expressions | did you mean `jsonpath`?",
                r#""onError": [{"expression": {"language": "jsonpth", "body": "1"}, "transition": {"nextState": "B"}}]"#,
            ),
            ("E0401 {: a retry needs `expression` | add `expression`", r#""retry": [{"interval": "PT1S"}]"#),
            (
                "E0403 {}: `retry` must be an array, and this is an object | put it in brackets: `[{ … }]`",
                r#""retry": {}"#,
            ),
        ],
        operation,
    );
}

#[test]
fn resources_fit_their_types() {
    fn function(members: &str) -> String {
        format!(
            r#"{{"functions": [{{"name": "f", {members}}}],
            "states": [{{"name": "A", "type": "inject", "data": {{}}, "start": {{"kind": "default"}}, "end": {{"kind": "default"}}}}]}}"#
        )
    }
    const ADDRESS: &str = "write the address of a service: `https://api.example.com/orders/{id}`";
    const DOCUMENT: &str = "write the document and the operation: `bank.yaml#charge`";
    const METHOD: &str = "write the file, the service and the method: `bank.proto#acme.Bank/Charge`";
    for (kind, resource, how) in [
        ("rest", "shop.example.com", ADDRESS),
        ("REST", "ftp://shop.example.com/a", ADDRESS),
        ("rest", "https://me@shop.example.com", ADDRESS),
        ("rest", "https://shop.example.com/{", ADDRESS),
        ("rest", "https://shop.example.com/{}", ADDRESS),
        ("rest", "https://", ADDRESS),
        ("openapi", "bank.yaml", DOCUMENT),
        ("openapi", "bank.yaml#", DOCUMENT),
        ("openapi", "a#b#c", DOCUMENT),
        ("grpc", "bank.proto#Bank.Charge", METHOD),
        ("grpc", "bank.proto", METHOD),
    ] {
        let expected = format!("E1214 \"{resource}\": `{resource}` names no operation of a service | {how}");
        check(&[(&expected, &format!(r#""type": "{kind}", "resource": "{resource}""#))], function);
    }
    check(
        &[
            (
                "E1214 \"f\": a function of the type `rest` needs `resource` | say what it calls
                 W1201 \"f\": the function `f` has no `resource` | add `resource`, the URI of what it calls",
                r#""type": "rest""#,
            ),
            (
                "E1214 \"https://shop.example.com/a?b=c\": `https://shop.example.com/a?b=c` has a query, and the parameters of a call make one | leave it out, and give them as `parameters`",
                r#""type": "rest", "resource": "https://shop.example.com/a?b=c""#,
            ),
            (
                "E1214 \"BREW\": `BREW` is no method of HTTP | the methods are `GET`, `POST`, `PUT`, `PATCH`, `DELETE`, `HEAD`, `OPTIONS`",
                r#""type": "rest", "resource": "https://shop.example.com", "metadata": {"method": "BREW"}"#,
            ),
            (
                "",
                r#""type": "rest", "resource": "https://shop.example.com/orders/{id}/items", "metadata": {"method": "get"}"#,
            ),
            ("", r#""type": "lambda", "resource": "whatever it is""#),
        ],
        function,
    );
}

#[test]
fn places_in_the_data_are_names() {
    fn foreach(members: &str) -> String {
        state(&format!(
            r#""type": "foreach", {members}, "states": [
                {{"name": "X", "type": "inject", "data": {{}}, "start": {{"kind": "default"}}, "end": {{"kind": "default"}}}}]"#
        ))
    }
    check(
        &[
            (
                "E0302 \"$\": `inputParameter` is the place of a member | it is made of names: `$.order.item`",
                r#""inputCollection": "$.items", "inputParameter": "$""#,
            ),
            (
                "E0302 \"$.a[0]\": `outputCollection` is the place of a member | it is made of names: `$.order.item`",
                r#""inputCollection": "$.items", "inputParameter": "$.item", "outputCollection": "$.a[0]""#,
            ),
            (
                "E0401 {: a foreach state needs `inputCollection` | add `inputCollection`",
                r#""inputParameter": "$.item""#,
            ),
            (
                "E0404 1.5: `max` must be a whole number from 0 to 4294967295 | the nearest that is allowed is 2",
                r#""inputCollection": "$.items", "inputParameter": "$.item", "max": 1.5"#,
            ),
            (
                "E0306 $order: there are no variables here: paths start from the data | write `$.order`",
                r#""inputCollection": "$order.items", "inputParameter": "$.item""#,
            ),
        ],
        foreach,
    );
}

/// Checks that expressions in CEL ([R7](docs/serverless-workflow.md#r7)) need the feature `cel`.
#[test]
#[cfg(not(feature = "cel"))]
fn cel_is_a_feature() {
    check(
        &[(
            "E1215 \"a == 1\": expressions in CEL are not built in | turn on the feature `cel`, or write the expression in SpEL, JSONPath or jq",
            r#""onError": [{"expression": {"language": "cel", "body": "a == 1"}, "transition": {"nextState": "B"}}]"#,
        )],
        operation,
    );
}
