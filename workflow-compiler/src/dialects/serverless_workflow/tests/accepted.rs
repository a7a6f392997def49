//! Tests of the AST of valid definitions, and of deviations that are accepted with a warning.

use super::{as_it_is, check, first_state, operation, read, read_file, render, state};
use crate::dialects::serverless_workflow::ast::{Definition, End, Exit, Language, Operator, StateKind, Template};
use crate::dialects::serverless_workflow::schedule::Active;
use crate::source::Files;
use std::time::Duration;

#[track_caller]
fn accepted(text: &str) -> Definition {
    let read = read(text);
    assert_eq!(render(&read), [] as [&str; 0]);
    read.definition.expect("nothing is wrong")
}

/// Returns the type of the first state with its members.
#[track_caller]
fn kind(members: &str) -> StateKind {
    let text = first_state(&format!(r#"{members}, "transition": {{"nextState": "B"}}"#));
    accepted(&text).flow.states.swap_remove(0).kind
}

#[test]
fn a_definition_is_read() {
    let definition = accepted(
        r#"{"id": "clinic", "name": "Clinic", "description": "d", "version": "1.2", "schemaVersion": "0.2", "expressionLanguage": "JQ",
            "metadata": {"team": "x"}, "extensions": [],
            "events": [{"name": "Paid", "source": "/bank", "type": "paid", "correlationToken": "patient", "metadata": {}}],
            "functions": [{"name": "send", "resource": "mail", "type": "lambda", "metadata": {"x": 1}}, {"name": "own"}],
            "states": [{"id": "s1", "name": "A", "type": "delay", "timeDelay": "P1DT2H", "start": {"kind": "default"}, "metadata": {},
                "transition": {"nextState": "s2", "expression": ".ok"}},
                {"id": "s2", "name": "B", "type": "inject", "data": {}, "end": {"kind": "terminate"}}]}"#,
    );
    assert_eq!(definition.id.map(|id| id.value).as_deref(), Some("clinic"));
    assert_eq!(definition.version.map(|version| version.value).as_deref(), Some("1.2"));
    assert_eq!(definition.events[0].correlation.as_ref().map(|name| &*name.value), Some("patient"));
    assert_eq!(definition.functions[0].resource.as_ref().map(|resource| &*resource.value), Some("mail"));
    // A function of the program has no resource, and no warning.
    assert!(definition.functions[1].resource.is_none());
    let [a, b] = &definition.flow.states[..] else { panic!("{:?}", definition.flow) };
    assert!(matches!(&a.kind, StateKind::Delay { time } if time.value == Duration::from_secs(26 * 3600)));
    // The transition names an id ([R21](docs/serverless-workflow.md#r21)). The expression has the
    // language of the workflow ([R22](docs/serverless-workflow.md#r22)).
    let Some(Exit::Transition(transition)) = &a.exit else { panic!("{:?}", a.exit) };
    assert_eq!(
        (transition.target.index, transition.guard.as_ref().map(|guard| guard.language)),
        (1, Some(Language::Jq))
    );
    assert!(matches!(b.exit, Some(Exit::End(End::Terminate))));
    assert_eq!([a, b].map(|state| state.kind.word()), ["delay", "inject"]);
}

#[test]
fn every_kind_of_state_is_read() {
    let StateKind::Event { exclusive, entries, timeout } = kind(
        r#""type": "event", "exclusive": false, "timeout": "PT1M", "eventsActions": [
            {"eventRefs": ["Paid", "Sent"], "eventDataFilter": {"dataOutputPath": "$.a"}, "actionMode": "parallel",
             "actions": [{"functionRef": {"refName": "pack"}}]}, {"eventRefs": ["Sent"]}]"#,
    ) else {
        panic!("another kind")
    };
    assert!(!exclusive && timeout.is_some() && entries[0].actions.parallel && entries[1].actions.list.is_empty());
    assert_eq!(entries[0].events.iter().map(|event| event.index).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(entries[0].filter.as_ref().map(|path| &*path.value), Some("$.a"));

    let StateKind::Operation { actions } = kind(
        r#""type": "operation", "actionMode": "sequential", "actions": [{"name": "x", "timeout": "PT5S",
            "functionRef": {"refName": "charge", "parameters": {"a": "$.b", "c": ["$[0]", "$5.00", 1], "d": {"e": "$"}}},
            "actionDataFilter": {"dataInputPath": "$.in", "dataResultsPath": "$.out"}}]"#,
    ) else {
        panic!("another kind")
    };
    let action = &actions.list[0];
    assert_eq!(
        (action.function.index, action.timeout.as_ref().map(|time| time.value)),
        (0, Some(Duration::from_secs(5)))
    );
    assert_eq!(
        [&action.input, &action.results].map(|path| path.as_ref().map(|path| &*path.value)),
        [Some("$.in"), Some("$.out")]
    );
    // A string may be a path ([R25](docs/serverless-workflow.md#r25)).
    let Some(Template::Object(members)) = &action.parameters else { panic!("{:?}", action.parameters) };
    assert!(matches!(&members[0].1, Template::Path(path) if path.value == "$.b"));
    let Template::Array(items) = &members[1].1 else { panic!("{members:?}") };
    assert!(matches!(&items[..], [Template::Path(_), Template::Constant(_), Template::Constant(_)]));
    assert!(matches!(&members[2].1, Template::Constant(_)));

    assert!(matches!(kind(r#""type": "subflow", "workflowId": "w""#), StateKind::SubFlow { waits: false, .. }));
    assert!(matches!(
        kind(r#""type": "subflow", "workflowId": "w", "waitForCompletion": true"#),
        StateKind::SubFlow { waits: true, .. }
    ));
    assert!(matches!(kind(r#""type": "inject""#), StateKind::Inject { data: None }));

    let body =
        r#"[{"name": "X", "type": "inject", "data": {}, "start": {"kind": "default"}, "end": {"kind": "default"}}]"#;
    for (completion, expected) in [
        ("", 2),
        (r#""completionType": "and","#, 2),
        (r#""completionType": "xor","#, 1),
        (r#""completionType": "n_of_m", "n": 2,"#, 2),
    ] {
        let body =
            format!(r#"{{"name": "b", "states": {body}}}, {{"name": "c", "states": {}}}"#, body.replace('X', "Y"));
        let StateKind::Parallel { branches, first } =
            kind(&format!(r#""type": "parallel", {completion} "branches": [{body}]"#))
        else {
            panic!("another kind")
        };
        assert_eq!((branches.len(), first), (2, expected), "{completion}");
    }
    let StateKind::ForEach(each) = kind(&format!(
        r#""type": "foreach", "inputCollection": "$.items", "inputParameter": "$.item", "outputCollection": "$.done", "max": 3,
            "timeDelay": "PT2S", "states": {body}"#
    )) else {
        panic!("another kind")
    };
    assert_eq!((&*each.input.value, &*each.parameter.value, each.max), ("$.items", "$.item", 3));
    assert!(each.output.is_some() && each.delay.is_some_and(|delay| delay.value == Duration::from_secs(2)));
    let StateKind::Callback { action, event, timeout, .. } = kind(
        r#""type": "callback", "action": {"functionRef": {"refName": "pack"}}, "eventRef": "Sent", "timeout": "P1D""#,
    ) else {
        panic!("another kind")
    };
    assert_eq!((action.function.index, event.index, timeout.is_some()), (1, 1, true));
}

/// Checks the operators of data conditions ([R4](docs/serverless-workflow.md#r4)).
#[test]
fn every_operator_is_read() {
    for (word, operator) in [
        ("exists", Operator::Exists),
        ("notexists", Operator::NotExists),
        ("null", Operator::Null),
        ("notnull", Operator::NotNull),
        ("equals", Operator::Equals),
        ("notequals", Operator::NotEquals),
        ("lessthan", Operator::LessThan),
        ("lessthanorequals", Operator::LessThanOrEquals),
        ("greaterthan", Operator::GreaterThan),
        ("greaterthanorequals", Operator::GreaterThanOrEquals),
        ("matches", Operator::Matches),
        ("notmatches", Operator::NotMatches),
    ] {
        let text = first_state(&format!(
            r#""type": "switch", "default": {{"nextState": "B"}},
            "dataConditions": [{{"path": "$.a", "operator": "{word}", "value": "1", "transition": {{"nextState": "B"}}}}]"#
        ));
        let definition = accepted(&text);
        let StateKind::DataSwitch { conditions, default } = &definition.flow.states[0].kind else {
            panic!("another kind")
        };
        assert_eq!(
            (&conditions[0].operator, &*conditions[0].value.value, default.is_some()),
            (&operator, "1", true),
            "{word}"
        );
    }
}

/// Checks the number of retries ([R8](docs/serverless-workflow.md#r8)).
#[test]
fn attempts_are_counted_as_they_are_said() {
    for (members, attempts, interval, increment) in [
        ("", 1, 0.0, 0.0),
        (r#", "interval": "PT1M""#, 1, 60.0, 0.0),
        (r#", "interval": "R4/PT1M""#, 4, 60.0, 0.0),
        (r#", "interval": "R4/PT1M", "maxAttempts": 2"#, 2, 60.0, 0.0),
        (r#", "interval": "R4/PT1M", "maxAttempts": 0"#, 0, 60.0, 0.0),
        (r#", "interval": "R/PT1M""#, u32::MAX, 60.0, 0.0),
        (r#", "interval": "PT1M", "multiplier": "PT2M", "maxAttempts": 4"#, 4, 60.0, 120.0),
    ] {
        let definition =
            accepted(&operation(&format!(r#""retry": [{{"expression": "$.error.name eq 'X'"{members}}}]"#)));
        let retry = &definition.flow.states[0].retries[0];
        assert_eq!((retry.attempts, retry.interval, retry.increment), (attempts, interval, increment), "{members}");
    }
}

/// Checks the four forms of intervals ([R17](docs/serverless-workflow.md#r17)).
#[test]
fn intervals_have_four_forms() {
    let at = |text: &str| text.parse().expect("it is a time");
    let march = |from: &str, until: &str| Active::Between { from: at(from), until: at(until) };
    for (interval, active) in [
        ("2020-03-20T09:00:00Z/2020-03-20T15:00:00Z", march("2020-03-20T09:00:00Z", "2020-03-20T15:00:00Z")),
        ("2020-01-31T09:00:00Z/P1M", march("2020-01-31T09:00:00Z", "2020-02-29T09:00:00Z")),
        ("PT6H/2020-03-20T15:00:00Z", march("2020-03-20T09:00:00Z", "2020-03-20T15:00:00Z")),
        ("2020-03-20T09:00:00+02:00/PT1H", march("2020-03-20T07:00:00Z", "2020-03-20T08:00:00Z")),
        (" P30D ", Active::For(Duration::from_secs(30 * 86_400))),
    ] {
        let definition = accepted(&format!(
            r#"{{"states": [{{"name": "A", "type": "inject", "data": {{}}, "end": {{"kind": "default"}},
            "start": {{"kind": "scheduled", "schedule": {{"interval": "{interval}"}}}}}}]}}"#
        ));
        assert_eq!(definition.flow.schedule.map(|schedule| schedule.value.active), Some(active), "{interval}");
    }
}

/// Checks deviations of the draft's own examples, which the published schema refuses.
#[test]
fn what_is_not_as_it_should_be_is_read_with_a_warning() {
    let start = |text: &str| {
        format!(
            r#"{{"states": [{{"name": "A", "type": "inject", "data": {{}}, "start": {text}, "end": {{"kind": "default"}}}}]}}"#
        )
    };
    let end = |text: &str| first_state(&format!(r#""type": "delay", "timeDelay": "PT1S", "end": {text}"#));
    let must = |name: &str, written: &str| {
        let kind = if written.contains("terminate") { "terminate" } else { "default" };
        format!(
            "WF1251 {written}: `{name}` should be an object: it is read as the kind `{kind}` | write `{{ \"kind\": \"{kind}\" }}`"
        )
    };
    check(
        &[
            (&must("start", "\"default\""), &start("\"default\"")),
            (&must("start", "true"), &start("true")),
            (&must("end", "true"), &end("true")),
            (&must("end", "\"terminate\""), &end("\"terminate\"")),
            ("WF1251 \"TimeDelay\": `TimeDelay` is read as `timeDelay` | write `timeDelay`", &state(r#""type": "delay", "TimeDelay": "PT1S""#)),
            ("WF1251 \"DEFAULT\": `DEFAULT` is read as `default` | write `default`", &start(r#"{"kind": "DEFAULT"}"#)),
            ("WF1251 \"Terminate\": `Terminate` is read as `terminate` | write `terminate`", &end(r#"{"kind": "Terminate"}"#)),
            ("WF1251 \"INJECT\": `INJECT` is read as `inject` | write `inject`", &state(r#""type": "INJECT", "data": {}"#)),
            (
                "WF1251 \"Sequential\": `Sequential` is read as `sequential` | write `sequential`",
                &first_state(
                    r#""type": "operation", "end": {"kind": "default"}, "actionMode": "Sequential", "actions": [{"functionRef": {"refName": "pack"}}]"#,
                ),
            ),
            (
                "WF1251 \"pack\": `functionRef` should be an object: the string is read as `refName` | write `{ \"refName\": … }`",
                &first_state(r#""type": "operation", "end": {"kind": "default"}, "actions": [{"functionRef": "pack"}]"#),
            ),
            (
                "WF1251 \"B\": `transition` should be an object: the string is read as `nextState` | write `{ \"nextState\": … }`",
                &first_state(r#""type": "delay", "timeDelay": "PT1S", "transition": "B""#),
            ),
            (
                "WF1251 {: the switch has no `default`: it fails if no condition holds | add `\"default\": { \"nextState\": … }`",
                &first_state(r#""type": "switch", "dataConditions": [{"path": "$.a", "operator": "exists", "transition": {"nextState": "B"}}]"#),
            ),
            (
                "WF1251 \"LessThan\": `LessThan` is read as `lessthan` | write `lessthan`",
                &first_state(
                    r#""type": "switch", "dataConditions": [{"path": "$.a", "operator": "LessThan", "value": 7, "transition": {"nextState": "B"}}],
                    "default": {"nextState": "B"}"#,
                ),
            ),
            (
                "WF1251 \"e\": the event `e` has no `source`: it matches events from any source | add `source`, the URI of the events' producer",
                r#"{"events": [{"name": "e", "type": "x"}], "functions": [{"name": "f"}],
                "states": [{"name": "A", "type": "inject", "data": {}, "start": {"kind": "default"}, "end": {"kind": "default"}}]}"#,
            ),
            (
                "WF1251 {: an error handler has no `transition`: the transition of the state is taken instead | add `transition`",
                &operation(r#""onError": [{"expression": "$.error != null"}]"#),
            ),
            (
                "WF1252 \"inputPath\": `inputPath` of the filter of a state is read as `dataInputPath` | write `dataInputPath`
                 WF1252 \"resultPath\": `resultPath` of the filter of a state is read as `dataOutputPath` | write `dataOutputPath`",
                &state(r#""type": "inject", "data": {}, "stateDataFilter": {"inputPath": "$.a", "resultPath": "$.b"}"#),
            ),
            (
                "WF1252 \"dataInputPath\": `dataInputPath` of the filter of an event is read as `dataOutputPath` | write `dataOutputPath`",
                &first_state(
                    r#""type": "event", "end": {"kind": "default"}, "eventsActions": [{"eventRefs": ["Paid"], "eventDataFilter": {"dataInputPath": "$.a"}}]"#,
                ),
            ),
            (
                "WF1251 \"a\": `dataInputPath` should begin with `$`: it is read as `$.a` | write `$.a`
                 WF1251 \"['b'].c\": `dataOutputPath` should begin with `$`: it is read as `$['b'].c` | write `$['b'].c`",
                &state(r#""type": "inject", "data": {}, "stateDataFilter": {"dataInputPath": "a", "dataOutputPath": "['b'].c"}"#),
            ),
            (
                "WF1252 \"outputPath\": `outputPath` of the filter of an action is read as `dataResultsPath` | write `dataResultsPath`",
                &first_state(
                    r#""type": "operation", "end": {"kind": "default"}, "actions": [{"functionRef": {"refName": "pack"}, "actionDataFilter": {"outputPath": "$.a"}}]"#,
                ),
            ),
        ],
        as_it_is,
    );
}

/// Checks that a flag with the value false counts as absent.
#[test]
fn what_is_false_or_null_is_nothing() {
    accepted(
        r#"{"events": null, "functions": null, "states": [{"name": "A", "type": "inject", "data": {}, "start": {"kind": "default"}, "end": false,
            "onError": null, "stateDataFilter": null, "transition": {"nextState": "B", "expression": null}},
            {"name": "B", "type": "inject", "data": null, "start": false, "transition": null, "end": {"kind": "default", "produceEvent": null}}]}"#,
    );
}

#[test]
fn yaml_is_read_alike() {
    let text = "\
functions:
- name: charge
  resource: bank
states:
- name: Pay
  type: operation
  start:
    kind: default
  actions:
  - functionRef:
      refName: charge
      parameters:
        sum: $.order.sum
  onError:
  - expression: >-
      name eq 'Declined' and
      $.order.sum gt 5
    transition:
      nextState: Refuse
  end:
    kind: default
- name: Refuse
  type: inject
  data: {refused: true}
  end:
    kind: default
";
    let read = read_file("flow.sw.yaml", text, Files::default());
    assert_eq!(render(&read), [] as [&str; 0]);
    let definition = read.definition.expect("nothing is wrong");
    let handler = &definition.flow.states[0].handlers[0];
    assert_eq!(handler.expression.body.value, "name eq 'Declined' and $.order.sum gt 5");
    assert_eq!(read.sources.text(handler.expression.body.span_of(23, 34)), "$.order.sum");
}
