//! Tests of the AST of valid definitions.

use super::super::lower;
use super::{first_state, machine, read, read_file, render};
use crate::diagnostics::Diagnostics;
use crate::dialects::sm4c::ast::{
    Action, ActionKind, Completion, ExpressionKind, FunctionOperation, InvocationValue, Jitter, StateMachine,
    Transition, Trigger,
};
use crate::options::Options;
use crate::source::Files;
use std::time::Duration;

#[track_caller]
fn accepted(text: &str) -> StateMachine {
    let read = read(text);
    assert_eq!(render(&read), [] as [&str; 0]);
    read.machine.expect("a state machine, as nothing is wrong")
}

#[track_caller]
fn action(text: &str) -> Action {
    let machine = accepted(&first_state(&format!(r#""enterAction": {text}"#)));
    machine.states[0].enter.action.clone().expect("it is there")
}

const SECOND: Duration = Duration::from_secs(1);

/// Checks that names of members and types ignore case, and that `id` and similar members are
/// ignored.
#[test]
fn case_does_not_matter() {
    let machine = accepted(
        r#"{"Name": "t", "VERSION": "1", "id": 7, "$schema": "x", "Description": "d", "States": [
            {"NAME": "Äpfel", "Start": true, "kind": "k", "Transitions": [{"NextState": "ÄPFEL", "eventgroups": [{"EVENTS": ["PAID"]}]}],
             "EnterAction": {"TYPE": "ForEach", "Input": "${ .list }", "action": {"type": "DELAY", "timeout": "PT1S"}}}],
            "events": [{"name": "paid"}]}"#,
    );
    assert_eq!((&*machine.name.value, &*machine.version.value), ("t", "1"));
    assert_eq!(machine.description.as_deref(), Some("d"));
    let state = &machine.states[0];
    let next = state.transitions[0].next.as_ref().expect("it leads on");
    assert_eq!((&*state.name.value, &*next.name.value, next.index), ("Äpfel", "ÄPFEL", 0));
    let action = state.enter.action.as_ref().expect("there is one");
    assert_eq!(action.type_name(), "foreach");
    let Trigger::Events(groups) = &state.transitions[0].trigger else { panic!("{:?}", state.transitions) };
    assert_eq!(groups[0].events[0].index, 0);
}

/// Checks that a member that is null counts as absent.
#[test]
fn null_is_nothing() {
    let machine = accepted(&first_state(
        r#""inputFilter": null, "enterAction": null, "transitions": [{"condition": null, "timeout": null, "nextState": "b"}]"#,
    ));
    assert!(machine.states[0].input_filter.is_none() && machine.states[0].enter.action.is_none());
    assert!(matches!(machine.states[0].transitions[0].trigger, Trigger::Implicit));
}

#[test]
fn transitions_have_their_triggers() {
    let transitions = |text: &str| -> Vec<Transition> {
        let machine = accepted(&first_state(&format!(r#""transitions": [{text}]"#)));
        machine.states[0].transitions.clone()
    };
    let all = transitions(
        r#"{"condition": "${ .paid }", "action": {"type": "injectData", "expression": "${ 1 }"}, "resultHandler": "${ .n = $value }"},
        {"eventGroups": [{"events": ["Paid", "packed"], "condition": "${ .ok }", "resultHandler": "${ .e = $value }"},
            {"events": ["Packed"]}], "nextState": "B"},
        {"timeout": "00:00:01", "nextState": "B"}"#,
    );
    let [internal, events, timeout] = &all[..] else { panic!("{all:?}") };
    assert!(internal.next.is_none() && internal.step.action.is_some() && internal.step.handler.is_some());
    assert!(matches!(&internal.trigger, Trigger::Condition(condition) if condition.source() == ".paid"));
    let Trigger::Events(groups) = &events.trigger else { panic!("{events:?}") };
    assert_eq!(groups.iter().map(|group| group.events.len()).collect::<Vec<_>>(), [2, 1]);
    assert!(groups[0].condition.is_some() && groups[0].handler.is_some() && groups[1].condition.is_none());
    assert!(matches!(&timeout.trigger, Trigger::Timeout(time) if time.value == SECOND));
    let internal = transitions(r#"{"timeout": "PT1S", "action": {"type": "sendEvent", "event": "paid"}}"#);
    assert!(internal[0].next.is_none());
}

#[test]
fn every_action_is_read() {
    assert!(
        matches!(action(r#"{"type": "delay", "timeout": "PT1S"}"#).kind, ActionKind::Delay { timeout } if timeout.value == SECOND)
    );
    let ActionKind::ForEach { input, action: each, max_parallel } = action(
        r#"{"type": "foreach", "input": "${ .list }", "maxParallel": 2, "action": {"type": "injectData", "expression": "${ . }"}}"#,
    )
    .kind
    else {
        panic!("another action")
    };
    assert_eq!(
        (input.source(), max_parallel.map(|most| most.value), each.type_name()),
        (".list", Some(2), "injectData")
    );

    let invoked = action(
        r#"{"type": "invokeFunction", "name": "pay", "functionName": "CHARGE", "timeout": "PT1S", "waitForCompletion": true,
            "arguments": {"sum": "${ fn:total }", "currency": "EUR", "count": 1},
            "errorHandlers": [{"condition": "${ .ClassName == \"Busy\" }", "retryPolicy": "Patient"}, {"resultHandler": "${ .e = $value }"}]}"#,
    );
    assert_eq!(invoked.key(3), "pay");
    assert_eq!(invoked.error_handlers[0].retry.as_ref().map(|retry| retry.index), Some(0));
    let condition = invoked.error_handlers[0].condition.as_ref().map(|condition| condition.source());
    assert_eq!(condition, Some(r#".ClassName == "Busy""#));
    let ActionKind::InvokeFunction { function, call } = invoked.kind else { panic!("another action") };
    assert_eq!((function.index, call.waits, call.timeout.map(|time| time.value)), (0, true, Some(SECOND)));
    let arguments = call.arguments.expect("they are there");
    let [sum, currency, count] = &arguments[..] else { panic!("{arguments:?}") };
    assert!(
        matches!(&sum.value, InvocationValue::Expression(value) if matches!(&value.kind, ExpressionKind::Function(f) if f.index == 1))
    );
    assert!(matches!((&currency.value, &count.value), (InvocationValue::Constant(_), InvocationValue::Constant(_))));

    let ActionKind::InvokeSubflow { subflow, call } =
        action(r#"{"type": "invokeSubflow", "subflowName": "whoever"}"#).kind
    else {
        panic!("another action")
    };
    assert_eq!((&*subflow.value, call.waits, call.arguments.is_some()), ("whoever", false, false));

    let two = r#""actions": [{"type": "injectData", "expression": "${ 1 }"}, {"name": "x", "type": "injectData", "expression": "${ 2 }"}]"#;
    for (written, expected) in [
        ("", Completion::All),
        (r#""completionType": "AND","#, Completion::All),
        (r#""completionType": "xor","#, Completion::First),
        (r#""completionType": "n_of_m", "n": 2,"#, Completion::Count(2)),
    ] {
        let parallel = action(&format!(r#"{{"type": "parallel", {written} {two}}}"#)).kind;
        assert!(
            matches!(&parallel, ActionKind::Parallel { completion, .. } if *completion == expected),
            "{parallel:?}"
        );
    }
    let ActionKind::Sequence { actions } = action(&format!(r#"{{"type": "sequence", {two}}}"#)).kind else {
        panic!("another action")
    };
    assert_eq!([actions[0].key(0), actions[1].key(1)], ["0", "x"]);

    let ActionKind::SendEvent { event, expression, attributes } = action(
        r#"{"type": "sendEvent", "event": "packed", "expression": "${ .order }", "contextAttributes": {"order": "7"}}"#,
    )
    .kind
    else {
        panic!("another action")
    };
    assert_eq!((event.index, expression.is_some()), (1, true));
    assert_eq!((&*attributes[0].name.value, &*attributes[0].value.value), ("order", "7"));
}

#[test]
fn definitions_are_read() {
    let machine = accepted(&machine(
        r#""timeout": {"duration": "P1D", "action": {"type": "sendEvent", "event": "late"}},
        "events": [{"name": "late", "source": "s", "type": "t", "correlation": [{"contextAttributeName": "order", "contextAttributeValue": "7"},
            {"contextAttributeName": "customer"}]}],
        "functions": [{"name": "r", "type": "REST", "operation": "https://example.org/a.json#op"},
            {"name": "g", "type": "rpc", "operation": "proto/bank.proto#acme.v1.Bank/Charge"}],
        "retries": [{"name": "a", "maxAttempts": 0}, {"name": "b", "maxAttempts": 5.0, "delay": "PT1S", "maxDelay": "PT9S",
            "multiplier": 2, "jitter": 0.5}, {"name": "c", "maxAttempts": 2, "delay": "PT1S", "increment": "PT2S", "jitter": "PT1S"}],
        "states": [{"name": "A", "start": true}]"#,
    ));
    assert_eq!(machine.timeout.as_ref().map(|timeout| timeout.duration.value), Some(86_400 * SECOND));
    assert!(machine.timeout.is_some_and(|timeout| timeout.action.is_some()));
    let event = &machine.events[0];
    let given = |text: &Option<crate::source::Spanned<String>>| text.as_ref().map(|text| text.value.clone());
    assert_eq!((given(&event.source).as_deref(), given(&event.kind).as_deref()), (Some("s"), Some("t")));
    assert_eq!(event.correlation.iter().filter(|correlation| correlation.value.is_some()).count(), 1);
    let FunctionOperation::Rest { document, operation } = &machine.functions[0].operation else { panic!() };
    assert_eq!((&*document.value, &*operation.value), ("https://example.org/a.json", "op"));
    let FunctionOperation::Rpc { file, service, method } = &machine.functions[1].operation else { panic!() };
    assert_eq!((&*file.value, &*service.value, &*method.value), ("proto/bank.proto", "acme.v1.Bank", "Charge"));
    let [a, b, c] = &machine.retries[..] else { panic!() };
    assert_eq!((a.max_attempts.value, b.max_attempts.value), (0, 5));
    assert_eq!(b.jitter.as_ref().map(|jitter| jitter.value), Some(Jitter::Fraction(0.5)));
    assert_eq!(c.jitter.as_ref().map(|jitter| jitter.value), Some(Jitter::Time(SECOND)));
    assert_eq!(c.increment.as_ref().map(|increment| increment.value), Some(2 * SECOND));
}

/// Checks that spans inside an expression are right in spite of escapes.
#[test]
fn expressions_have_places_inside_of_the_text() {
    let text = first_state(r#""inputFilter": "${ {\"\u0061\": .other} }""#);
    let read = read(&text);
    let filter = read.machine.as_ref().and_then(|machine| machine.states[0].input_filter.clone()).expect("it is there");
    assert_eq!(filter.source(), r#"{"a": .other}"#);
    assert_eq!(read.sources.text(filter.span), r#"{\"\u0061\": .other}"#);
    assert_eq!(read.sources.text(filter.span_of(6, 12)), ".other");
    assert_eq!(read.sources.text(filter.span_of(2, 3)), r"\u0061");
}

fn files(path: &str) -> Result<Vec<u8>, String> {
    let text = match path {
        "events.json" => r#"[{"name": "Paid"}]"#,
        "common/functions.yaml" => "functions:\n- name: charge\n  operation: bank.json#charge\n",
        "../retries.json" => r#"{"Retries": [{"name": "patient", "maxAttempts": 3}], "other": 1}"#,
        _ => return Err("does not exist".into()),
    };
    Ok(text.as_bytes().to_vec())
}

#[test]
fn definitions_can_be_in_files() {
    let text = machine(
        r#""events": "events.json", "functions": "file://common/functions.yaml", "retries": "./../retries.json",
        "states": [{"name": "A", "start": true, "enterAction": {"type": "invokeFunction", "functionName": "charge",
            "waitForCompletion": true, "errorHandlers": [{"retryPolicy": "patient"}]},
            "transitions": [{"eventGroups": [{"events": ["paid"]}], "nextState": "A"}]}]"#,
    );
    let read = read_file("flows/flow.json", &text, Files::new(|path| files(path.as_str())).with_levels_up(1));
    assert_eq!(render(&read), [] as [&str; 0]);
    let machine = read.machine.expect("nothing is wrong");
    let place = |span| read.sources.exact_place(span);
    assert_eq!(place(machine.events[0].name.span), "flows/events.json:1:11");
    assert_eq!(place(machine.functions[0].name.span), "flows/common/functions.yaml:2:9");
    assert_eq!(place(machine.retries[0].name.span), "flows/../retries.json:1:23");
}

#[test]
fn yaml_is_read_alike() {
    let text = "\
name: t
version: '1.0'
states:
- name: A
  start: true
  enterAction: {type: delay, timeout: 00:00:01}
  transitions:
  - nextState: B
    condition: >-
      ${ .paid and
      .packed }
- name: B
";
    let read = read_file("flow.sm4c.yaml", text, Files::default());
    assert_eq!(render(&read), [] as [&str; 0]);
    let machine = read.machine.expect("nothing is wrong");
    let Trigger::Condition(condition) = &machine.states[0].transitions[0].trigger else { panic!() };
    assert_eq!(condition.source(), ".paid and .packed");
    assert_eq!(read.sources.text(condition.span_of(10, 17)), ".packed");
}

#[test]
fn a_multiplier_counts_only_with_a_delay_and_without_an_increment() {
    for (policy, rate) in [
        (r#""delay": "PT2S", "multiplier": 3"#, 3.0),
        (r#""delay": "PT2S", "multiplier": 3, "increment": "PT1S""#, 1.0),
        (r#""multiplier": 1e200"#, 1.0),
    ] {
        let read = read(&machine(&format!(
            r#""retries": [{{"name": "r", "maxAttempts": 4, {policy}}}],
            "functions": [{{"name": "f", "operation": "a.json#b"}}],
            "states": [{{"name": "A", "start": true, "enterAction": {{"type": "invokeFunction", "functionName": "f",
                "waitForCompletion": true, "errorHandlers": [{{"retryPolicy": "r"}}]}}}}]"#
        )));
        let workflow =
            lower::lower(&read.machine.expect("a machine"), &[], "t", &Options::default(), &mut Diagnostics::default())
                .expect("a workflow");
        let rates =
            format!("{workflow:?}").split("backoff_rate: ").nth(1).map(|rest| rest.starts_with(&format!("{rate:?},")));
        assert_eq!(rates, Some(true), "{policy}");
    }
}
