//! Definitions around examples of the text that are a part of one only, or that leave the beginning to the reader.

use serde_json::{Value, json};

/// The event filter of the figure that has no text.
const FIGURE: &str = "$.vegetables[?(@.veggieLike)]";

/// The definition of a case.
pub fn definition_of(case: &Value) -> Result<String, String> {
    let Some(text) = case["definition_text"].as_str() else { return figure(case) };
    // YAML is read as it is.
    let Ok(mut written) = serde_json::from_str::<Value>(text) else { return Ok(text.to_owned()) };
    if written.get("states").is_none() {
        // A state alone: it is the first one, and leads to one that does nothing.
        written["start"] = json!({ "kind": "default" });
        let next = written["transition"]["nextState"].clone();
        let last = json!({ "name": next, "type": "inject", "end": { "kind": "default" } });
        return Ok(json!({ "states": [written, last] }).to_string());
    }
    let has_start = written["states"].as_array().into_iter().flatten().any(|state| state.get("start").is_some());
    if !has_start {
        written["states"][0]["start"] = json!({ "kind": "default" });
        return Ok(written.to_string());
    }
    Ok(text.to_owned())
}

/// What the text says without a definition: a figure of a filter, or the intervals of a retry.
fn figure(case: &Value) -> Result<String, String> {
    let end = json!({ "kind": "default" });
    let mut state = json!({ "name": "Case", "start": end, "end": end });
    let mut definition = json!({});
    let parts = if case["expect"].get("merged").is_some() {
        definition["events"] = json!([{ "name": "Came", "type": "came", "source": "case" }]);
        let entry = json!({ "eventRefs": ["Came"], "actions": [], "eventDataFilter": { "dataOutputPath": FIGURE } });
        json!({ "type": "event", "eventsActions": [entry] })
    } else if case["expect"].get("waits").is_some() {
        definition["functions"] = json!([{ "name": "fails", "resource": "case" }]);
        let retry = json!({
            "expression": "$.error ne null",
            "interval": "R4/PT1M",
            "multiplier": "PT2M",
            "maxAttempts": 4,
        });
        json!({ "type": "operation", "actions": [{ "functionRef": { "refName": "fails" } }], "retry": [retry] })
    } else {
        return Err("it has no definition".to_owned());
    };
    for (name, value) in parts.as_object().into_iter().flatten() {
        state[name] = value.clone();
    }
    definition["states"] = json!([state]);
    Ok(definition.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_become_definitions() {
        let of = |text: Value| {
            let case = json!({ "definition_text": text.to_string() });
            serde_json::from_str::<Value>(&definition_of(&case).expect("a definition")).expect("JSON")
        };
        let alone = of(json!({ "name": "A", "type": "inject", "transition": { "nextState": "B" } }));
        assert_eq!(alone["states"][1]["name"], "B");
        assert_eq!(alone["states"][0]["start"]["kind"], "default");
        assert_eq!(of(json!({ "states": [{ "name": "A" }] }))["states"][0]["start"]["kind"], "default");
        let whole = json!({ "states": [{ "name": "A" }, { "name": "B", "start": true }] });
        assert_eq!(of(whole.clone()), whole);
        assert!(definition_of(&json!({ "expect": {} })).is_err());
        let waits = definition_of(&json!({ "expect": { "waits": [] } })).expect("a definition");
        assert!(waits.contains("R4/PT1M"));
    }
}
