//! By what events are told to be for an execution (ruling R14), and what the definition says of itself.

use super::{as_it_is, check, findings, read};

/// A workflow that begins with the event `Begun`, of these members more; then it has these states.
fn begun(token: &str, entry: &str, states: &str) -> String {
    format!(
        r#"{{"events": [{{"name": "Begun", "source": "/shop", "type": "begun"{token}}},
            {{"name": "Paid", "source": "/bank", "type": "paid", "correlationToken": "order"}},
            {{"name": "Told", "source": "/shop", "type": "told"}}],
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

const NEVER: &str = "W1204 \"Paid\": no event `Paid` can be for an execution that an event starts: who sends it would have to know the id | add \
                     `\"correlationToken\": \"order\"` to the events that start it";

#[test]
fn an_event_whose_sender_cannot_know_the_value_is_told() {
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
    // What is done about the event comes after it.
    let acts = waits(END).replace(NOTHING, ASKS);
    for states in [waits(END), acts, switch.to_owned(), inner(&waits(END))] {
        assert_eq!(findings(&read(&begun("", NOTHING, &states))), [NEVER], "{states}");
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
    let told = r#""transition": {"nextState": "Ask", "produceEvent": {"eventRef": "Told"}}"#;
    for text in [
        // The event that starts it says for whom it is.
        begun(r#", "correlationToken": "order""#, NOTHING, &waits(END)),
        // A function is called first, here or on some way to the state.
        begun("", ASKS, &waits(END)),
        begun("", NOTHING, &callback),
        begun("", NOTHING, &format!("{}, {asks}", waits(r#""transition": {"nextState": "Ask"}"#))),
        // An event is published, whose source is the execution.
        begun("", NOTHING, &format!("{}, {asks}", waits(told))),
        // A state that nothing leads to is told as such.
        begun("", NOTHING, &after(&asks))
            .replace(r#"{"nextState": "Wait"}}, {"name": "Rest""#, r#"{"nextState": "Rest"}}, {"name": "Rest""#),
    ] {
        let found: Vec<String> = findings(&read(&text)).into_iter().filter(|found| found.starts_with("W12")).collect();
        assert!(found.is_empty(), "{text}\n{found:?}");
    }
    // Who starts an execution without an event gives it the value, or its id.
    let text = begun("", NOTHING, &waits(END)).replacen(r#", "start": {"kind": "default"}"#, "", 1);
    let text = text.replacen(r#""name": "Wait", "#, r#""name": "Wait", "start": {"kind": "default"}, "#, 1);
    assert_eq!(findings(&read(&text)), [""; 0]);
}

#[test]
fn a_token_is_the_name_of_an_attribute() {
    let text = |token: &str| {
        begun(&format!(r#", "correlationToken": "{token}""#), NOTHING, &waits(END))
            .replace(r#""order""#, &format!(r#""{token}""#))
    };
    for name in ["patientId", "patientid", "order7", "subject", "id"] {
        assert_eq!(findings(&read(&text(name))), [""; 0], "{name}");
    }
    let found = findings(&read(&text("data")));
    assert!(found.len() == 2 && found[0].starts_with("W1204 \"data\": nothing correlates by `data`"), "{found:?}");
    for name in ["patient_id", "patient-id", "$.patient", "data_base64", "größe"] {
        let found = findings(&read(&text(name)));
        assert!(found.iter().all(|found| found.starts_with(&format!("W1204 \"{name}\""))), "{found:?}");
        assert_eq!(found.len(), 2);
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
        let told = format!("publish \"begun\" from Some(\"/shop\") about None [], correlates by {attribute:?}: ");
        assert!(published(token).contains(&told), "{token}: {}", published(token));
    }
    for token in ["id", "source", "type", "time", "specversion", "data", "patient_id"] {
        assert!(!published(token).contains("about None [], correlates by"), "{token}");
    }
}

#[test]
fn branches_of_one_name_are_told() {
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
    let twice = "W1205 \"a\": another branch is named `a`, too | rename one of the two: histories tell them apart by their names, and what they leave is stored under these, if it is no object";
    check(&[(twice, &text(["a", "b", "a"]))], as_it_is);
    let read = read(&text(["a", "a", "b"]));
    let related = &read.findings[0].related;
    assert_eq!(related.len(), 1);
}

#[test]
fn metadata_and_extensions_are_kept() {
    let text = r#"{"metadata": {"team": "shop", "loglevel": "Info"}, "extensions": [{"kind": "logging"}],
        "functions": [{"name": "ask", "resource": "ask", "metadata": {"owner": "bank"}}, {"name": "tell", "resource": "tell"}],
        "states": [{"name": "Each", "type": "foreach", "start": {"kind": "default"}, "end": {"kind": "default"}, "metadata": {},
            "inputCollection": "$.all", "inputParameter": "$.one", "states": [{"name": "Ask", "type": "operation",
            "start": {"kind": "default"}, "end": {"kind": "default"}, "metadata": {"x": "7"},
            "actions": [{"functionRef": {"refName": "ask"}}]}]}]}"#;
    let told = |text: &str| read(text).workflow.expect("it is right").metadata.map(|metadata| metadata.to_string());
    assert_eq!(
        told(text).as_deref(),
        Some(concat!(
            r#"{"metadata":{"team":"shop","loglevel":"Info"},"extensions":[{"kind":"logging"}],"#,
            r#""functions":[{"name":"ask","metadata":{"owner":"bank"}}],"states":[{"name":"Ask","metadata":{"x":"7"}}]}"#
        ))
    );
    assert_eq!(told(&super::state(r#""type": "inject", "data": {}"#)), None);
}
