//! The definitions of cases. Parts of definitions are completed.

use super::transcript::tree;
use serde_json::{Map, Value, json};

/// The function that fails, in definitions made around a part of a state.
pub const FAILING: &str = "fails";

/// The members of a case that can hold its definition. The first that the case has counts.
const WRITTEN: &[&str] = &["definition_text", "definition", "excerpt"];

/// The event filter of a figure that has no text.
const FIGURE: &str = "$.vegetables[?(@.veggieLike)]";

/// Returns the definition of a case as text.
pub fn definition_of(case: &Value) -> Result<String, String> {
    let written = WRITTEN.iter().map(|name| &case[*name]).find(|written| !written.is_null());
    let text = match written {
        None => return stated(case),
        Some(Value::String(text)) => text.clone(),
        Some(value) => format!("{value:#}\n"),
    };
    let read = |text: &str| tree(super::file_name(text), text);
    match read(&text) {
        Ok(tree) => Ok(completed(&tree).map_or(text, |whole| whole.to_string())),
        // The text may be members without the braces around them. The compiler reports the errors
        // of any other text that cannot be read.
        Err(_) => match read(&format!("{{{text}}}")) {
            Ok(tree) => Ok(completed(&tree).unwrap_or(tree).to_string()),
            Err(_) => Ok(text),
        },
    }
}

/// Completes a definition. `None` if it is complete.
fn completed(tree: &Value) -> Option<Value> {
    match tree {
        Value::Array(_) => completed(&json!({ "states": tree })).or_else(|| Some(json!({ "states": tree }))),
        Value::Object(members) if !members.contains_key("states") => Some(around_state(tree)),
        _ => {
            let mut states = tree["states"].as_array()?.iter();
            if states.any(|state| state.get("start").is_some()) {
                return None;
            }
            let mut whole = tree.clone();
            whole["states"].get_mut(0)?.as_object_mut()?.insert("start".to_owned(), kind());
            Some(whole)
        }
    }
}

fn kind() -> Value {
    json!({ "kind": "default" })
}

/// Returns a definition around one state, or around a part of a state such as its retries. The
/// state is the first one, and leads to states that do nothing. A part of a state is put into a
/// state whose action fails.
fn around_state(part: &Value) -> Value {
    let mut state = json!({ "name": "Case", "type": "operation", "start": kind() });
    if part.get("type").is_none() && part.get("actions").is_none() {
        state["actions"] = json!([{ "functionRef": { "refName": FAILING } }]);
    }
    for (name, value) in part.as_object().into_iter().flatten() {
        state[name] = value.clone();
    }
    let mut targets = Vec::new();
    collect(&state, "nextState", &mut targets);
    if state.get("transition").is_none() && state.get("end").is_none() && state["type"] != "switch" {
        state["end"] = kind();
    }
    targets.retain(|target| state["name"] != *target);
    let mut functions = Vec::new();
    collect(&state, "refName", &mut functions);
    let mut states = vec![state.clone()];
    states.extend(targets.iter().map(|name| json!({ "name": name, "type": "inject", "end": kind() })));
    let functions = functions.iter().map(|name| json!({ "name": name, "resource": "case" }));
    json!({ "functions": functions.collect::<Vec<_>>(), "states": states })
}

/// Collects the texts in all members `key` of a value, each once.
pub fn collect(value: &Value, key: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                match member.as_str() {
                    Some(text) if name == key && !found.iter().any(|known| known == text) => {
                        found.push(text.to_owned());
                    }
                    _ => collect(member, key, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, key, found)),
        _ => {}
    }
}

/// Returns the definition that the source of a case states in words: a figure of a filter, or the
/// intervals of a retry.
fn stated(case: &Value) -> Result<String, String> {
    let source = case["source"].as_str().unwrap_or_default();
    let mut definition = Map::new();
    let mut state = if source.contains("event-data-filter-example1") {
        definition.insert("events".to_owned(), json!([{ "name": "Came", "type": "came", "source": "case" }]));
        let entry = json!({ "eventRefs": ["Came"], "actions": [], "eventDataFilter": { "dataOutputPath": FIGURE } });
        json!({ "type": "event", "eventsActions": [entry] })
    } else if source.contains("(R4/PT1M + PT2M, maxAttempts 4)") {
        definition.insert("functions".to_owned(), json!([{ "name": FAILING, "resource": "case" }]));
        let retry = json!({
            "expression": "$.error ne null",
            "interval": "R4/PT1M",
            "multiplier": "PT2M",
            "maxAttempts": 4,
        });
        json!({ "type": "operation", "actions": [{ "functionRef": { "refName": FAILING } }], "retry": [retry] })
    } else {
        return Err("it has no definition of its own".to_owned());
    };
    for (name, value) in [("name", json!("Case")), ("start", kind()), ("end", kind())] {
        state[name] = value;
    }
    definition.insert("states".to_owned(), json!([state]));
    Ok(Value::Object(definition).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(case: Value) -> Value {
        let text = definition_of(&case).unwrap_or_else(|problem| panic!("{case}: {problem}"));
        tree(super::super::file_name(&text), &text).unwrap_or_else(|problem| panic!("{text}: {problem}"))
    }

    #[test]
    fn parts_become_definitions() {
        let alone = of(json!({ "excerpt": { "name": "A", "type": "inject", "transition": { "nextState": "B" } } }));
        assert_eq!(alone["states"][1]["name"], "B");
        assert_eq!(alone["states"][0]["start"]["kind"], "default");
        assert!(alone["states"][0].get("end").is_none());

        let retries = "retry:\n- expression: $.error ne null\nonError:\n- transition: {nextState: After}\n";
        let bare = r#""retry": [{ "expression": "$.error ne null" }], "onError": [{ "transition": { "nextState": "After" } }]"#;
        for (form, text) in [("definition_text", retries), ("excerpt", retries), ("excerpt", bare)] {
            let part = of(json!({ form: text }));
            assert_eq!(part["functions"], json!([{ "name": FAILING, "resource": "case" }]), "{form}");
            assert_eq!(part["states"][0]["actions"][0]["functionRef"]["refName"], FAILING);
            assert_eq!(part["states"][0]["retry"][0]["expression"], "$.error ne null");
            assert_eq!(part["states"][0]["end"]["kind"], "default");
            assert_eq!(part["states"][1]["name"], "After");
        }
    }

    #[test]
    fn a_first_state_is_marked_and_what_is_whole_stays_as_it_is() {
        let states = json!([{ "name": "A" }, { "name": "B" }]);
        for form in [json!({ "definition": { "states": states } }), json!({ "excerpt": states })] {
            let whole = of(form);
            assert_eq!(whole["states"][0]["start"]["kind"], "default");
            assert!(whole["states"][1].get("start").is_none());
        }
        let yaml = "states:\n- name: A\n- name: B\n  start: true\n";
        assert_eq!(definition_of(&json!({ "definition_text": yaml })), Ok(yaml.to_owned()));
    }

    #[test]
    fn without_a_definition_there_is_only_what_a_source_states() {
        for case in [json!({}), json!({ "definition": null, "expect": { "waits": [] }, "source": "README" })] {
            assert_eq!(definition_of(&case), Err("it has no definition of its own".to_owned()));
        }
        let waits = of(json!({ "source": "README L934-953 (R4/PT1M + PT2M, maxAttempts 4)" }));
        assert_eq!(waits["states"][0]["retry"][0]["interval"], "R4/PT1M");
        assert!(of(json!({ "source": "figure event-data-filter-example1" })).to_string().contains(FIGURE));
    }
}
