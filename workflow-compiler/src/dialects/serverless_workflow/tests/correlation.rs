//! Tests of correlation keys ([R14](docs/serverless-workflow.md#r14)), and of the metadata of a
//! definition.

use super::{as_it_is, check, read, render};

/// Returns a workflow that starts with the event `Begun`. `token` adds members to the event,
/// `entry` is its reaction, and `states` follow.
fn begun(token: &str, entry: &str, states: &str) -> String {
    format!(
        r#"{{"events": [{{"name": "Begun", "source": "/shop", "type": "begun"{token}}},
            {{"name": "Paid", "source": "/bank", "type": "paid", "correlationToken": "order"}},
            {{"name": "Sent", "source": "/shop", "type": "sent"}}],
        "functions": [{{"name": "ask", "resource": "ask"}}],
        "states": [{{"name": "Begin", "type": "event", "start": {{"kind": "default"}},
            "eventsActions": [{{"eventRefs": ["Begun"], {entry}}}], "transition": {{"nextState": "Wait"}}}}, {states}]}}"#
    )
}

const NOTHING: &str = r#""actions": []"#;
const ASKS: &str = r#""actions": [{"functionRef": {"refName": "ask"}}]"#;
const END: &str = r#""end": {"kind": "default"}"#;

fn waits(next: &str) -> String {
    format!(r#"{{"name": "Wait", "type": "event", "eventsActions": [{{"eventRefs": ["Paid"], {NOTHING}}}], {next}}}"#)
}

const NEVER: &str = "WF1254 \"Paid\": the event `Paid` can never reach an execution that an event started: the sender cannot know the id of the execution | add \
                     `\"correlationToken\": \"order\"` to the events that start the execution";

#[test]
fn an_event_whose_sender_cannot_know_the_key_is_reported() {
    let switch = r#"{"name": "Wait", "type": "switch", "eventConditions": [{"eventRef": "Paid", "transition":
        {"nextState": "Last"}}], "eventTimeout": "PT1M", "default": {"nextState": "Last"}},
        {"name": "Last", "type": "inject", "data": {}, "end": {"kind": "default"}}"#;
    let inner = |waits: &str| {
        format!(
            r#"{{"name": "Wait", "type": "parallel", "branches": [{{"name": "One", "states": [{}]}}, {{"name": "Two", "states":
            [{{"name": "Rest", "type": "delay", "timeDelay": "PT1S", "start": {{"kind": "default"}}, {END}}}]}}], {END}}}"#,
            waits.replacen('{', r#"{"start": {"kind": "default"}, "#, 1)
        )
    };
    // The actions follow the event.
    let acts = waits(END).replace(NOTHING, ASKS);
    for states in [waits(END), acts, switch.to_owned(), inner(&waits(END))] {
        assert_eq!(render(&read(&begun("", NOTHING, &states))), [NEVER], "{states}");
    }
}

#[test]
fn a_value_that_somebody_can_know_is_none_of_our_business() {
    let asks = format!(
        r#"{{"name": "Ask", "type": "operation", "actionMode": "sequential", {ASKS}, "transition": {{"nextState": "Wait"}}}}"#
    );
    let after = |state: &str| {
        format!(r#"{{"name": "Rest", "type": "delay", "timeDelay": "PT1S", {END}}}, {}, {state}"#, waits(END))
    };
    let callback = format!(
        r#"{{"name": "Wait", "type": "callback", "action": {{"functionRef": {{"refName": "ask"}}}}, "eventRef": "Paid", {END}}}"#
    );
    let publishes = r#""transition": {"nextState": "Ask", "produceEvent": {"eventRef": "Sent"}}"#;
    for text in [
        // The start event carries the correlation key.
        begun(r#", "correlationToken": "order""#, NOTHING, &waits(END)),
        // A function is called before, here or on another path to the state.
        begun("", ASKS, &waits(END)),
        begun("", NOTHING, &callback),
        begun("", NOTHING, &format!("{}, {asks}", waits(r#""transition": {"nextState": "Ask"}"#))),
        // The execution publishes an event with its id as the source.
        begun("", NOTHING, &format!("{}, {asks}", waits(publishes))),
        // The unreachable state has a warning of its own.
        begun("", NOTHING, &after(&asks))
            .replace(r#"{"nextState": "Wait"}}, {"name": "Rest""#, r#"{"nextState": "Rest"}}, {"name": "Rest""#),
    ] {
        let rendered: Vec<String> = render(&read(&text)).into_iter().filter(|line| line.starts_with("WF12")).collect();
        assert!(rendered.is_empty(), "{text}\n{rendered:?}");
    }
    // A caller that starts an execution without an event sets its key, or knows its id.
    let text = begun("", NOTHING, &waits(END)).replacen(r#", "start": {"kind": "default"}"#, "", 1);
    let text = text.replacen(r#""name": "Wait", "#, r#""name": "Wait", "start": {"kind": "default"}, "#, 1);
    assert_eq!(render(&read(&text)), [""; 0]);
}

#[test]
fn a_token_is_the_name_of_an_attribute() {
    let text = |token: &str| {
        begun(&format!(r#", "correlationToken": "{token}""#), NOTHING, &waits(END))
            .replace(r#""order""#, &format!(r#""{token}""#))
    };
    for name in ["patientId", "patientid", "order7", "subject", "id"] {
        assert_eq!(render(&read(&text(name))), [""; 0], "{name}");
    }
    let rendered = render(&read(&text("data")));
    assert!(
        rendered.len() == 2 && rendered[0].starts_with("WF1254 \"data\": events cannot be correlated by `data`"),
        "{rendered:?}"
    );
    for name in ["patient_id", "patient-id", "$.patient", "data_base64", "größe"] {
        let rendered = render(&read(&text(name)));
        assert!(rendered.iter().all(|line| line.starts_with(&format!("WF1254 \"{name}\""))), "{rendered:?}");
        assert_eq!(rendered.len(), 2);
    }
}

#[test]
fn what_is_produced_has_the_attribute_that_it_can_have() {
    let published = |token: &str| {
        let text = begun(
            &format!(r#", "correlationToken": "{token}""#),
            NOTHING,
            r#"{"name": "Wait", "type": "inject", "data": {}, "end": {"kind": "event", "produceEvent": {"eventRef": "Begun"}}}"#,
        );
        read(&text).workflow.expect("it is right").to_string()
    };
    for (token, attribute) in [("order", "order"), ("patientId", "patientid"), ("subject", "subject")] {
        let expected = format!("publish \"begun\" from Some(\"/shop\") about None [], correlates by {attribute:?}: ");
        assert!(published(token).contains(&expected), "{token}: {}", published(token));
    }
    for token in ["id", "source", "type", "time", "specversion", "data", "patient_id"] {
        assert!(!published(token).contains("about None [], correlates by"), "{token}");
    }
}

#[test]
fn branches_of_one_name_are_reported() {
    let branch = |name: &str| {
        format!(
            r#"{{"name": "{name}", "states": [{{"name": "Rest", "type": "delay", "timeDelay": "PT1S", "start": {{"kind": "default"}}, {END}}}]}}"#
        )
    };
    let text = |names: [&str; 3]| {
        let branches = names.map(branch).join(", ");
        format!(
            r#"{{"states": [{{"name": "Both", "type": "parallel", "start": {{"kind": "default"}}, "branches": [{branches}], {END}}}]}}"#
        )
    };
    check(&[("", &text(["a", "b", "c"]))], as_it_is);
    let twice = "WF1255 \"a\": duplicate branch name `a` | rename one of the two: histories and outputs identify branches by name";
    check(&[(twice, &text(["a", "b", "a"]))], as_it_is);
    let read = read(&text(["a", "a", "b"]));
    let related = &read.diagnostics[0].related;
    assert_eq!(related.len(), 1);
}

#[test]
fn metadata_and_extensions_are_kept() {
    let text = r#"{"metadata": {"team": "shop", "loglevel": "Info"}, "extensions": [{"kind": "logging"}],
        "functions": [{"name": "ask", "resource": "ask", "metadata": {"owner": "bank"}}, {"name": "notify", "resource": "notify"}],
        "states": [{"name": "Each", "type": "foreach", "start": {"kind": "default"}, "end": {"kind": "default"}, "metadata": {},
            "inputCollection": "$.all", "inputParameter": "$.one", "states": [{"name": "Ask", "type": "operation",
            "start": {"kind": "default"}, "end": {"kind": "default"}, "metadata": {"x": "7"},
            "actions": [{"functionRef": {"refName": "ask"}}]}]}]}"#;
    let metadata = |text: &str| read(text).workflow.expect("it is right").metadata.map(|metadata| metadata.to_string());
    assert_eq!(
        metadata(text).as_deref(),
        Some(concat!(
            r#"{"metadata":{"team":"shop","loglevel":"Info"},"extensions":[{"kind":"logging"}],"#,
            r#""functions":[{"name":"ask","metadata":{"owner":"bank"}}],"states":[{"name":"Ask","metadata":{"x":"7"}}]}"#
        ))
    );
    assert_eq!(metadata(&super::state(r#""type": "inject", "data": {}"#)), None);
}
