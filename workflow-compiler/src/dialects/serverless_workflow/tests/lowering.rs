//! Tests of the HIR that states are lowered to.

use super::{first_state, operation, read, render, state};
use crate::hir::Workflow;
use crate::model::Active;

#[track_caller]
fn workflow(text: &str) -> Workflow {
    let read = read(text);
    let rendered = render(&read);
    read.workflow.unwrap_or_else(|| panic!("{rendered:?}"))
}

#[track_caller]
fn lowered(text: &str) -> String {
    workflow(text).to_string()
}

/// Checks that these lines occur in the HIR in this order, with any lines between them.
#[track_caller]
fn assert_in_order(shown: &str, expected: &[&str]) {
    let mut lines = shown.lines().map(str::trim);
    for line in expected {
        assert!(lines.any(|shown| shown == *line), "`{line}` is not there, or not in its place, in\n{shown}");
    }
}

/// Checks filters ([R1](docs/serverless-workflow.md#r1), [R2](docs/serverless-workflow.md#r2) and
/// [R3](docs/serverless-workflow.md#r3)).
#[test]
fn filters_stand_around_what_a_state_does() {
    let inject = r#""type": "inject", "data": {"a": 1}, "stateDataFilter""#;
    assert_in_order(
        &lowered(&state(&format!(r#"{inject}: {{"dataInputPath": "$.in", "dataOutputPath": "$.out"}}"#))),
        &[
            "data = serverless_workflow::input(data)",
            r#"data = serverless_workflow::filtered(data[through "in"], data)"#,
            r#"data = serverless_workflow::injected(data, {"a":1})"#,
            r#"data = serverless_workflow::filtered(data[through "out"], data)"#,
            "end data",
        ],
    );
    // The path `$` has no step, and a filter that selects one element yields the element.
    let shown = lowered(&state(&format!(r#"{inject}: {{"dataInputPath": "$", "dataOutputPath": "$.a[?(@.b)]"}}"#)));
    assert_eq!(shown.matches("filtered").count(), 1, "{shown}");
    let selected = r#"serverless_workflow::one_or_more(all data[through "a"][?jsonpath::holds(@[through "b"])])"#;
    assert_in_order(&shown, &[&format!("data = serverless_workflow::filtered({selected}, data)")]);
    assert_in_order(
        &lowered(&state(&format!(r#"{inject}: {{"dataInputPath": "$..a"}}"#))),
        &[r#"data = serverless_workflow::filtered(serverless_workflow::some(all data..["a"]), data)"#],
    );
}

/// Checks actions ([R1](docs/serverless-workflow.md#r1), [R15](docs/serverless-workflow.md#r15)
/// and [R25](docs/serverless-workflow.md#r25)).
#[test]
fn an_action_sees_some_data_and_adds_some() {
    let action = r#""functionRef": {"refName": "charge", "parameters": {"a": "$.x", "b": "$5.00"}}"#;
    let filter = r#""actionDataFilter": {"dataInputPath": "$.in", "dataResultsPath": "$.p.q"}"#;
    let shown = lowered(&first_state(&format!(
        r#""type": "operation", "end": {{"kind": "default"}}, "actions": [{{{action}, "timeout": "PT5S", {filter}}}]"#
    )));
    assert_in_order(
        &shown,
        &[
            r#"action_data = serverless_workflow::filtered(data[through "in"], data)"#,
            r#"result = invoke task 0 with {"a": serverless_workflow::or_null(action_data[through "x"]), "b": "$5.00"} timeout 5 s"#,
            r#"data = serverless_workflow::with_selected(data, result[through "p"][through "q"], result, "q", ["p", "q"])"#,
            r#"catch [time-out] as fault"#,
            "leave 0",
            "end data",
        ],
    );
    // Without a timeout, nothing is caught.
    let shown = lowered(&first_state(&format!(
        r#""type": "operation", "end": {{"kind": "default"}}, "actions": [{{{action}}}]"#
    )));
    assert!(!shown.contains("catch"), "{shown}");
    assert_in_order(&shown, &[r#"data = serverless_workflow::with(data, result, "charge")"#]);
}

/// Checks retries and handlers ([R8](docs/serverless-workflow.md#r8) and
/// [R19](docs/serverless-workflow.md#r19)).
#[test]
fn retries_come_before_handlers() {
    let busy =
        r#"{"expression": "$.error.name eq 'Busy'", "interval": "PT1M", "multiplier": "PT2M", "maxAttempts": 4}"#;
    let declined = r#"{"expression": "name eq 'Declined'", "transition": {"nextState": "B"}}"#;
    assert_in_order(
        &lowered(&operation(&format!(r#""retry": [{busy}], "onError": [{declined}]"#))),
        &[
            "kept = data",
            "block 0",
            "try 1 (tries)",
            "data = kept",
            "result = invoke task 0 with data",
            r#"if (serverless_workflow::has_new_error(kept, data) and spel::equals(data[through "error"][through "name"], "Busy"))"#,
            r#"none = serverless_workflow::refuse_results(data, "A")"#,
            r#"catch [any error] as fault"#,
            r#"error = serverless_workflow::error(fault, "A")"#,
            "seen = serverless_workflow::error_view(data, error)",
            r#"if (not serverless_workflow::is_null(error) and spel::equals(seen[through "error"][through "name"], "Busy"))"#,
            r#"retry 1 after fault (tries), retry [any error] 4 times after 60 s, rate 1, 120 s more each time"#,
            "leave 0",
            "after 0 (handle)",
            r#"if spel::equals(serverless_workflow::or_null(error["name"]), "Declined")"#,
            "data = serverless_workflow::with_error(data, error)",
            r#"goto "B""#,
            "raise fault",
        ],
    );
}

/// Checks transitions ([R12](docs/serverless-workflow.md#r12) and
/// [R27](docs/serverless-workflow.md#r27)).
#[test]
fn a_transition_is_guarded_before_its_event_is_produced() {
    let transition = r#"{"nextState": "B", "expression": "$.ok", "produceEvent": {"eventRef": "Sent", "data": "$.x"}}"#;
    assert_in_order(
        &lowered(&first_state(&format!(r#""type": "delay", "timeDelay": "PT1S", "transition": {transition}"#))),
        &[
            "wait 1 s",
            r#"if spel::is_true(data[through "ok"])"#,
            r#"fail with serverless_workflow::guard("A", "$.ok", data)"#,
            r#"published = publish "sent" from Some("/shop") about None []: serverless_workflow::filtered(data[through "x"], data)"#,
            r#"goto "B""#,
        ],
    );
}

/// Checks start events and `terminate` ([R13](docs/serverless-workflow.md#r13) and
/// [R16](docs/serverless-workflow.md#r16)).
#[test]
fn events_that_start_a_run_are_collected() {
    let listen = |exclusive: bool| {
        first_state(&format!(
            r#""type": "event", "exclusive": {exclusive}, "timeout": "PT1M", "end": {{"kind": "terminate"}},
            "eventsActions": [{{"eventRefs": ["Paid", "Sent"]}}]"#
        ))
    };
    assert_in_order(
        &lowered(&listen(false)),
        &[
            "starts on [0, 1], collects them",
            "set = serverless_workflow::no_events(2)",
            r#"block 0, repeated as "collect""#,
            "deadline 1 of 60 s (until), then null",
            "event = receive [Paid, Sent] after set",
            r#"fail with serverless_workflow::incomplete("A", set)"#,
            r#"set = serverless_workflow::note(set, event, ["0", "1"])"#,
            "repeat 0",
            r#"data = serverless_workflow::with(data, event_data, "Paid")"#,
            r#"data = serverless_workflow::with(data, event_data#7, "Sent")"#,
            "terminate data",
        ],
    );
    // Each event starts an execution, so that no timeout applies.
    let shown = lowered(&listen(true));
    assert_in_order(&shown, &["starts on [0, 1]", "event = receive [Paid, Sent]"]);
    assert!(!shown.contains("collects") && !shown.contains("deadline"), "{shown}");
}

/// Checks foreach, callback and subflow states ([R11](docs/serverless-workflow.md#r11),
/// [R14](docs/serverless-workflow.md#r14) and [R18](docs/serverless-workflow.md#r18)).
#[test]
fn callbacks_subflows_and_iterations() {
    let callback = r#""type": "callback", "timeout": "PT1M", "end": {"kind": "default"}, "action": {"functionRef": {"refName": "pack"}}, "eventRef": "Sent""#;
    assert_in_order(
        &lowered(&first_state(callback)),
        &[
            "result = invoke task 0 with data",
            r#"data = serverless_workflow::with(data, result, "pack")"#,
            "deadline 0 of 60 s (until), then null",
            "event = receive [Sent]",
            "if serverless_workflow::is_null(event)",
            r#"data = serverless_workflow::with(data, event_data, "Sent")"#,
        ],
    );
    assert_in_order(
        &lowered(&state(r#""type": "subflow", "workflowId": "w", "waitForCompletion": true"#)),
        &[r#"result = call "w" with data"#, r#"data = serverless_workflow::with(data, result, "w")"#],
    );
    let shown = lowered(&state(r#""type": "subflow", "workflowId": "w""#));
    assert!(!shown.contains("serverless_workflow::with"), "{shown}");
    assert_in_order(
        &lowered(&state(
            r#""type": "foreach", "inputCollection": "$.items", "inputParameter": "$.a.item", "outputCollection": "$.done", "max": 2,
            "timeDelay": "PT3S", "states": [{"name": "X", "type": "inject", "data": {}, "start": {"kind": "default"}, "end": {"kind": "default"}}]"#,
        )),
        &[
            r#"items = serverless_workflow::elements(data[through "items"], "$.items")"#,
            "outputs = for each item of items [each element in `A`] limit 2 every 3 s",
            r#"data = serverless_workflow::set(data, ["done"], outputs)"#,
            r#"data#3 = serverless_workflow::set(data, ["a", "item"], item)"#,
            "end data#3",
        ],
    );
}

/// Checks the schedule of a workflow ([R17](docs/serverless-workflow.md#r17)).
#[test]
fn a_schedule_is_kept() {
    let scheduled = |interval: &str| {
        let start = format!(r#"{{"kind": "scheduled", "schedule": {{"interval": "{interval}"}}}}"#);
        let schedule = workflow(
            &state(r#""type": "inject""#).replace(r#"{"kind": "default"}, "end""#, &format!(r#"{start}, "end""#)),
        )
        .schedule;
        schedule.map(|schedule| (schedule.written, schedule.active))
    };
    let second = 1_000_000;
    assert_eq!(scheduled("P1DT1S"), Some(("P1DT1S".to_owned(), Active::AfterDeployment(86_401 * second as u64))));
    let written = "1970-01-01T00:00:10Z/PT20S";
    assert_eq!(
        scheduled(written),
        Some((written.to_owned(), Active::Between { from: 10 * second, until: 30 * second }))
    );
    assert_eq!(workflow(&state(r#""type": "inject""#)).schedule.map(|schedule| schedule.written), None);
}

/// Checks that a retry keeps the events of the first attempt
/// ([R19](docs/serverless-workflow.md#r19)).
#[test]
fn attempts_keep_their_events() {
    let retry = r#"{"expression": "$.error ne null"}"#;
    let listen = first_state(&format!(
        r#""type": "event", "retry": [{retry}], "end": {{"kind": "default"}}, "eventsActions": [
            {{"eventRefs": ["Paid"], "actions": [{{"functionRef": {{"refName": "charge"}}}}]}}]"#
    ));
    assert_in_order(&lowered(&listen), &["event = receive [Paid]", "kept = data", "try 1 (tries)", "data = kept"]);
}

/// Checks schedules of branches ([R17](docs/serverless-workflow.md#r17)).
#[test]
fn branches_begin_if_they_are_active() {
    let branch = |interval: &str| {
        state(&format!(
            r#""type": "parallel", "branches": [{{"name": "b", "states": [{{"name": "I", "type": "inject", "data": {{}},
            "start": {{"kind": "scheduled", "schedule": {{"interval": "{interval}"}}}}, "end": {{"kind": "default"}}}}]}}]"#
        ))
    };
    let between = lowered(&branch("2020-01-01T00:00:00Z/P1D"));
    let begins = ["if serverless_workflow::is_between(1577836800000000, 1577923200000000)", r#"goto "I""#, "otherwise"];
    assert_in_order(&between, &begins);
    assert_in_order(&lowered(&branch("PT1H")), &["if serverless_workflow::is_younger(3600.0)", r#"goto "I""#]);
}

/// Checks the output schema on every path ([R20](docs/serverless-workflow.md#r20)).
#[test]
#[cfg(feature = "json-schema")]
fn what_a_state_leaves_is_checked_on_every_way() {
    let files = crate::source::Files::new(|_| Ok(br#"{"type": "object"}"#.to_vec()));
    let handler = r#""onError": [{"expression": "true", "transition": {"nextState": "B"}}]"#;
    let text = operation(&format!(
        r#"{handler}, "stateDataFilter": {{"dataOutputPath": "$.error"}}, "dataOutputSchema": "order.json""#
    ));
    let read = super::read_file("flow.sw.json", &text, files);
    let shown = read.workflow.as_ref().map(Workflow::to_string).unwrap_or_default();
    let checked: Vec<usize> = shown.match_indices("the output of the state").map(|(at, _)| at).collect();
    assert_eq!(checked.len(), 2, "{shown}\n{:?}", render(&read));
    // The handler merges the error and applies the filter before the check.
    let handled = shown.find("serverless_workflow::with_error").expect("an error that is merged");
    let filtered = shown[handled..].find("serverless_workflow::filtered").expect("a filter") + handled;
    assert!(filtered < checked[1], "{shown}");
}
