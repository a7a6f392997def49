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
                "WF0207 {: the workflow has no start state | add `\"start\": { \"kind\": \"default\" }` to a state, for example `A`",
                inject!("A", r#""end": {"kind": "default"}"#),
            ),
            (
                "WF0207 {: the workflow already has a start state | remove `start` from one of them",
                concat!(
                    inject!("A", r#"START "transition": {"nextState": "B"}"#),
                    ",",
                    inject!("B", r#"START "end": {"kind": "default"}"#)
                ),
            ),
            (
                "WF0207 {: this branch has no start state | add `\"start\": { \"kind\": \"default\" }` to a state, for example `X`",
                r#"{"name": "A", "type": "parallel", START "end": {"kind": "default"}, "branches": [{"name": "b", "states": [
                    {"name": "X", "type": "inject", "data": {}, "end": {"kind": "default"}}]}]}"#,
            ),
            (
                "WF0206 {: the body of this foreach state has no end state | add `\"end\": { \"kind\": \"default\" }` to the last state
                 WF0207 {: the body of this foreach state has no start state | add `\"start\": { \"kind\": \"default\" }` to a state, for example `X`",
                r#"{"name": "A", "type": "foreach", START "end": {"kind": "default"}, "inputCollection": "$.items", "inputParameter": "$.item",
                    "states": [{"name": "X", "type": "inject", "data": {}, "transition": {"nextState": "X"}}]}"#,
            ),
            (
                "WF0206 {: this branch has no end state | add `\"end\": { \"kind\": \"default\" }` to the last state",
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
            ("WF0401 {: missing member `states` in a workflow | add `states`", r#"{"id": "t"}"#),
            ("WF0412 []: `states` is empty | add an element, or remove `states`", r#"{"states": []}"#),
            ("WF0403 7: a workflow must be an object, found a number | write an object: `{ … }`", "7"),
        ],
        as_it_is,
    );
    check(
        &[
            ("WF0401 {: missing member `type` in a state | add `type`", r#""data": {}"#),
            ("WF0401 \"tpye\": missing member `type` in a state | did you mean `type`?", r#""tpye": "inject""#),
            ("WF0407 \"injekt\": `type` cannot be `injekt` | did you mean `inject`?", r#""type": "injekt""#),
            (
                "WF0403 [1]: `data` must be an object, found an array | write an object: `{ … }`",
                r#""type": "inject", "data": [1]"#,
            ),
            ("WF0401 {: missing member `timeDelay` in a delay state | add `timeDelay`", r#""type": "delay""#),
            ("WF0421 \"1 minute\": `1 minute` is not an ISO 8601 duration | write `PT1M`", r#""type": "delay", "timeDelay": "1 minute""#),
            ("WF0401 {: missing member `workflowId` in a subflow state | add `workflowId`", r#""type": "subflow""#),
            ("WF0401 {: missing member `actions` in an operation state | add `actions`", r#""type": "operation""#),
            ("WF0401 {: missing member `branches` in a parallel state | add `branches`", r#""type": "parallel""#),
            ("WF0401 {: missing member `eventsActions` in an event state | add `eventsActions`", r#""type": "event""#),
            (
                "WF0408 \"end\": `transition` and `end` cannot be used together in an inject state | keep one of the two",
                r#""type": "inject", "data": {}, "transition": {"nextState": "A"}"#,
            ),
            (
                "WF0412 \" \": `dataInputPath` is empty | use `$` for all of the data",
                r#""type": "inject", "data": {}, "stateDataFilter": {"dataInputPath": " "}"#,
            ),
            (
                "WF1252 \"outputPath\": `outputPath` of the filter of a state is read as `dataOutputPath` | write `dataOutputPath`
                 WF0405 \"resultPath\": `outputPath` and `resultPath` of the filter of a state are two names of one path | keep one of the two",
                r#""type": "inject", "data": {}, "stateDataFilter": {"outputPath": "$", "resultPath": "$"}"#,
            ),
        ],
        state,
    );
    check(
        &[(
            "WF0408 {: an inject state has neither `transition` nor `end` | add `\"transition\": { \"nextState\": \"Pay\" }` or `\"end\": { \"kind\": \"default\" }`",
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
                "WF0202 \"A\": duplicate state `A` | rename one of the two",
                concat!(
                    inject!("A", r#"START "transition": {"nextState": "A"}"#),
                    ",",
                    inject!("A", r#""end": {"kind": "default"}"#)
                ),
            ),
            (
                "WF0202 \"x\": duplicate state id `x` | give each state a unique id",
                concat!(
                    inject!("A", r#"START "id": "x", "transition": {"nextState": "B"}"#),
                    ",",
                    inject!("B", r#""id": "x", "end": {"kind": "default"}"#)
                ),
            ),
            (
                "WF1203 \"s2\": `s2` is the name of one state and the id of another | change the name or the id",
                concat!(
                    inject!("A", r#"START "transition": {"nextState": "s2"}"#),
                    ",",
                    inject!("s2", r#""id": "s1", "end": {"kind": "default"}"#),
                    ",",
                    inject!("Ship", r#""id": "s2", "end": {"kind": "default"}"#)
                ),
            ),
            (
                "WF0201 \"Shp\": state `Shp` does not exist | did you mean `Ship`?",
                concat!(
                    inject!("A", r#"START "transition": {"nextState": "Shp"}"#),
                    ",",
                    inject!("Ship", r#""end": {"kind": "default"}"#)
                ),
            ),
            (
                "WF0203 \"B\": the state `B` is outside of this transition's scope | choose a state of the same workflow, branch or foreach body",
                concat!(
                    r#"{"name": "A", "type": "parallel", START "transition": {"nextState": "B"}, "branches": [{"name": "b", "states": [
                        {"name": "X", "type": "inject", START "data": {}, "transition": {"nextState": "B"}},
                        {"name": "Y", "type": "inject", "data": {}, "end": {"kind": "default"}}]}]},"#,
                    inject!("B", r#""end": {"kind": "default"}"#)
                ),
            ),
            (
                "WF0203 \"X\": the state `X` is outside of this transition's scope | choose a state of the same workflow, branch or foreach body",
                r#"{"name": "A", "type": "foreach", START "transition": {"nextState": "X"}, "inputCollection": "$.items", "inputParameter": "$.item",
                    "states": [{"name": "X", "type": "inject", START "data": {}, "end": {"kind": "default"}}]}"#,
            ),
        ],
        with_start,
    );
    check(
        &[
            (
                "WF0208 \"chrage\": function `chrage` is not defined | did you mean `charge`?",
                r#""type": "operation", "end": {"kind": "default"}, "actions": [{"functionRef": {"refName": "chrage"}}]"#,
            ),
            (
                "WF0208 \"Payd\": event `Payd` is not defined | did you mean `Paid`?",
                r#""type": "event", "end": {"kind": "default"}, "eventsActions": [{"eventRefs": ["Sent", "Payd"]}]"#,
            ),
            (
                "WF0208 \"Gone\": event `Gone` is not defined | the events are `Paid` and `Sent`",
                r#""type": "callback", "end": {"kind": "default"}, "action": {"functionRef": {"refName": "charge"}}, "eventRef": "Gone""#,
            ),
            (
                "WF0208 \"paid\": event `paid` is not defined | did you mean `Paid`?",
                r#""type": "delay", "timeDelay": "PT1S", "transition": {"nextState": "B", "produceEvent": {"eventRef": "paid"}}"#,
            ),
        ],
        first_state,
    );
    check(
        &[(
            "WF0202 \"e\": duplicate event `e` | rename one of the two
             WF0202 \"f\": duplicate function `f` | rename one of the two",
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
                "WF1206 \"end\": a switch cannot have `end`: its conditions choose the next state | remove it, or move it to one of the next states",
                r#""type": "switch", "dataConditions": [{"path": "$.a", "operator": "exists", "transition": {"nextState": "B"}}],
                "default": {"nextState": "B"}, "end": {"kind": "default"}"#,
            ),
            (
                "WF1206 \"transition\": a switch cannot have `transition`: its conditions choose the next state | remove it, or move it to one of the next states",
                r#""type": "switch", "dataConditions": [{"path": "$.a", "operator": "exists", "transition": {"nextState": "B"}}],
                "default": {"nextState": "B"}, "transition": {"nextState": "B"}"#,
            ),
            (
                "WF1207 \"eventConditions\": `dataConditions` and `eventConditions` cannot be used together | split the switch into two successive switches",
                r#""type": "switch", "dataConditions": [], "eventConditions": [], "default": {"nextState": "B"}"#,
            ),
            (
                "WF1207 {: the switch has neither `dataConditions` nor `eventConditions` | add one of the two",
                r#""type": "switch", "default": {"nextState": "B"}"#,
            ),
            (
                "WF0401 {: missing `value` in a condition | add `value`, to which the selected value is compared",
                r#""type": "switch", "dataConditions": [{"path": "$.a", "operator": "equals", "transition": {"nextState": "B"}}],
                "default": {"nextState": "B"}"#,
            ),
            (
                "WF0403 [1]: `value` must be a string, found an array | write a string in double quotes",
                r#""type": "switch", "dataConditions": [{"path": "$.a", "operator": "equals", "value": [1], "transition": {"nextState": "B"}}],
                "default": {"nextState": "B"}"#,
            ),
            (
                "WF1213 \"operator\": missing task name for the operator `custom` | add `\"metadata\": { \"function\": \"isEligible\" }`",
                r#""type": "switch", "dataConditions": [{"path": "$.a", "operator": "custom", "metadata": {"function": " "}, "transition": {"nextState": "B"}}],
                "default": {"nextState": "B"}"#,
            ),
            (
                "WF0304 \"[A-\": the regular expression is not valid: unclosed character class | write a pattern such as `[A-Z]+`, without look-around, back references or large numbers of repetitions",
                r#""type": "switch", "dataConditions": [{"path": "$.a", "operator": "matches", "value": "[A-", "transition": {"nextState": "B"}}],
                "default": {"nextState": "B"}"#,
            ),
            (
                "WF0304 \"(\\\\w{100}){100}\": the regular expression is too large: it compiles to more than 1048576 bytes | write a pattern such as `[A-Z]+`, without look-around, back references or large numbers of repetitions",
                r#""type": "switch", "dataConditions": [{"path": "$.a", "operator": "notmatches", "value": "(\\w{100}){100}", "transition": {"nextState": "B"}}],
                "default": {"nextState": "B"}"#,
            ),
            (
                "WF0304 '(\\\\\\\\w{100}){100}': the regular expression is too large: it compiles to more than 1048576 bytes | write a regular expression such as `[A-Z]+`, without look-around and back references",
                r#""type": "switch", "dataConditions": [{"path": "$.a[?match(@.b, '(\\\\w{100}){100}')]", "operator": "exists", "transition": {"nextState": "B"}}],
                "default": {"nextState": "B"}"#,
            ),
            (
                "WF0401 {: missing `transition` in an error handler of a switch | add `transition`",
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
                "WF0422 \"completionType\": missing `n`, the number of branches that `n_of_m` waits for | add `\"n\": 1`",
                r#""completionType": "n_of_m""#,
            ),
            (
                "WF0422 0: `n` is 0, but at least one branch must end | write a number from 1 to 2",
                r#""completionType": "n_of_m", "n": 0"#,
            ),
            (
                "WF0422 3: `n` is 3, but there are only 2 branches | write a number from 1 to 2",
                r#""completionType": "n_of_m", "n": 3"#,
            ),
            (
                "WF0455 2: `n` has no effect: `completionType` is `xor` | write `\"completionType\": \"n_of_m\"`",
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
                "WF1209 {: missing `schedule` in a scheduled start | add `\"schedule\": { \"interval\": \"2020-03-20T09:00:00Z/PT6H\" }`",
                r#"{"kind": "scheduled"}"#,
            ),
            (
                "WF0455 \"schedule\": `schedule` has no effect: the kind of the start is `default` | write `\"kind\": \"scheduled\"`",
                r#"{"kind": "default", "schedule": {"interval": "P1D"}}"#,
            ),
        ],
        start,
    );
    for (interval, predicate, help) in [
        ("soon", "is not an ISO 8601 time interval", FORMS),
        ("P1D/P2D", "consists of two durations: one of them must be a time", FORMS),
        ("2020-03-21T00:00:00Z/2020-03-20T00:00:00Z", "ends before it begins", "swap the two times"),
        ("2020-03-20T00:00:00Z/2020-03-20T00:00:00Z", "is empty", "use an interval longer than 0 seconds"),
        ("PT0S", "is empty", "use an interval longer than 0 seconds"),
        ("2020-03-20T00:00:00Z/P1X", "contains `P1X`, which is not a duration", "write two days as `P2D`"),
        (
            "2020-03-20T09:00:00/P1D",
            "contains `2020-03-20T09:00:00`, which is not a time",
            "add a time zone, such as UTC: `2020-03-20T09:00:00Z`",
        ),
        (
            "2020-03-20/P1D",
            "contains `2020-03-20`, which is not a time",
            "add a time zone, such as UTC: `2020-03-20T00:00:00Z`",
        ),
        ("2020-03-20T00:00:00Z/P9999Y", "exceeds the supported range of years", "use a shorter duration"),
    ] {
        let expected = format!("WF1209 \"{interval}\": `{interval}` {predicate} | {help}");
        check(&[(&expected, &format!(r#"{{"kind": "scheduled", "schedule": {{"interval": "{interval}"}}}}"#))], start);
    }
    check(
        &[
            (
                "WF0401 {: missing `produceEvent` in an end of the kind `event` | add `\"produceEvent\": { \"eventRef\": … }`",
                r#""type": "delay", "timeDelay": "PT1S", "end": {"kind": "event"}"#,
            ),
            (
                "WF0455 \"produceEvent\": `produceEvent` has no effect: the kind of the end is `terminate` | write `\"kind\": \"event\"`",
                r#""type": "delay", "timeDelay": "PT1S", "end": {"kind": "terminate", "produceEvent": {"eventRef": "Paid"}}"#,
            ),
            (
                "WF0403 7: `data` must be a path or an object, found a number | write a path or an object",
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
                "WF0421 \"4 x 1 minute\": `4 x 1 minute` is not an ISO 8601 duration | write ten seconds as `PT10S`, and two days as `P2D`",
                r#""retry": [{"expression": "true", "interval": "4 x 1 minute"}]"#,
            ),
            (
                "WF0421 \"Rx/PT1M\": `Rx/PT1M` has the repeat count `x`, which is not a number | write four retries, each after a minute, as `R4/PT1M`",
                r#""retry": [{"expression": "true", "interval": "Rx/PT1M"}]"#,
            ),
            (
                "WF0404 -1: `maxAttempts` must be a number of at least 0 | the minimum is 0",
                r#""retry": [{"expression": "true", "maxAttempts": -1}]"#,
            ),
            (
                "WF0421 \"soon\": `soon` is not an ISO 8601 duration | write ten seconds as `PT10S`, and two days as `P2D`
                 WF0404 -1: `maxAttempts` must be a number of at least 0 | the minimum is 0",
                r#""retry": [{"expression": "true", "interval": "soon", "maxAttempts": -1}]"#,
            ),
            ("WF0412 \" \": the expression is empty | write a condition", r#""retry": [{"expression": " "}]"#),
            (
                "WF0407 \"jexl\": unknown expression language `jexl` | use one of `spel`, `jsonpath`, `jq`, `cel`",
                r#""retry": [{"expression": {"language": "jexl", "body": "1"}}]"#,
            ),
            (
                "WF0407 \"jsonpth\": unknown expression language `jsonpth` | did you mean `jsonpath`?",
                r#""onError": [{"expression": {"language": "jsonpth", "body": "1"}, "transition": {"nextState": "B"}}]"#,
            ),
            ("WF0401 {: missing member `expression` in a retry | add `expression`", r#""retry": [{"interval": "PT1S"}]"#),
            (
                "WF0403 {}: `retry` must be an array, found an object | put it in brackets: `[{ … }]`",
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
    const ADDRESS: &str = "write the URL of a service: `https://api.example.com/orders/{id}`";
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
        let expected = format!("WF0423 \"{resource}\": `{resource}` does not name an operation of a service | {how}");
        check(&[(&expected, &format!(r#""type": "{kind}", "resource": "{resource}""#))], function);
    }
    check(
        &[
            (
                "WF0423 \"f\": missing `resource` in a function of the type `rest` | add `resource`, the operation to call",
                r#""type": "rest""#,
            ),
            (
                "WF0423 \"https://shop.example.com/a?b=c\": the URL `https://shop.example.com/a?b=c` must not have a query | remove it, and pass its values as `parameters`",
                r#""type": "rest", "resource": "https://shop.example.com/a?b=c""#,
            ),
            (
                "WF0423 \"BREW\": `BREW` is not a supported HTTP method | use one of `GET`, `POST`, `PUT`, `PATCH`, `DELETE`, `HEAD`, `OPTIONS`",
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
                "WF0302 \"$\": `inputParameter` must be the path of a member | use only names, as in `$.order.item`",
                r#""inputCollection": "$.items", "inputParameter": "$""#,
            ),
            (
                "WF0302 \"$.a[0]\": `outputCollection` must be the path of a member | use only names, as in `$.order.item`",
                r#""inputCollection": "$.items", "inputParameter": "$.item", "outputCollection": "$.a[0]""#,
            ),
            (
                "WF0401 {: missing member `inputCollection` in a foreach state | add `inputCollection`",
                r#""inputParameter": "$.item""#,
            ),
            (
                "WF0404 1.5: `max` must be a whole number from 0 to 4294967295 | use a whole number, such as 2",
                r#""inputCollection": "$.items", "inputParameter": "$.item", "max": 1.5"#,
            ),
            (
                "WF0306 $order: variables are not supported: paths start at the data | write `$.order`",
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
            "WF0132 \"a == 1\": the compiler was built without CEL | enable the feature `cel`, or write the expression in SpEL, JSONPath or jq",
            r#""onError": [{"expression": {"language": "cel", "body": "a == 1"}, "transition": {"nextState": "B"}}]"#,
        )],
        operation,
    );
}

#[test]
#[cfg(not(feature = "openapi"))]
fn openapi_is_a_feature() {
    check(
        &[(
            "WF0132 shop.json: the document `shop.json` cannot be read: the compiler was built without OpenAPI | enable the feature `openapi`",
            r#"{"functions": [{"name": "f", "type": "openapi", "resource": "shop.json#pay"}],
            "states": [{"name": "A", "type": "inject", "data": {}, "start": {"kind": "default"}, "end": {"kind": "default"}}]}"#,
        )],
        str::to_owned,
    );
}
