//! Definitions around examples that are only a part of a definition: of a workflow, an activity,
//! or the data.

use serde_json::{Value, json};

/// Returns a definition that contains the example `raw`, whose value is `normalized`, in its
/// proper place.
pub fn definition_with(raw: &str, normalized: &Value) -> String {
    let has = |key: &str| normalized.get(key).is_some();
    if has("activities") {
        return raw.to_owned();
    }
    let members = members(raw);
    if has("workflowDataFilter") {
        return workflow(members, &step(""), &[]);
    }
    if has("messages") {
        let refs =
            normalized["messages"].as_array().into_iter().flatten().filter_map(|message| message["name"].as_str());
        let wait = json!({ "messageRefs": refs.collect::<Vec<_>>(), "actions": [] });
        let activity = format!(r#"{{ "name": "Case", "type": "message", "onMessages": [{wait}] }}"#);
        return workflow(members, &activity, &[]);
    }
    if has("type") {
        let name = if has("name") { "" } else { r#""name": "Case", "# };
        return workflow(&declared(normalized), &format!("{{ {name}{members} }}"), &targets(normalized));
    }
    if has("actions") {
        let activity = format!(r#"{{ "name": "Case", "type": "operation", {members} }}"#);
        return workflow(&declared(normalized), &activity, &[]);
    }
    let is_part = ["activityDataFilter", "sleep", "timeout", "retry"].iter().any(|key| has(key));
    if is_part {
        return workflow("", &step(members), &[]);
    }
    workflow("", &format!(r#"{{ "name": "Case", "type": "inject", "data": {{ "value": {raw} }} }}"#), &[])
}

/// Returns the text between the braces of an example, if it has braces.
fn members(raw: &str) -> &str {
    let raw = raw.trim();
    raw.strip_prefix('{').and_then(|inner| inner.strip_suffix('}')).unwrap_or(raw)
}

/// Returns an activity that does something, with further members.
fn step(members: &str) -> String {
    let pause = r#""actions": [{ "type": "sleep", "sleep": { "before": "PT1S" } }]"#;
    format!("{{ \"name\": \"Case\", \"type\": \"operation\", {pause},\n{members} }}")
}

/// Returns a workflow of one activity, with further members and the activities that it leads to.
fn workflow(members: &str, activity: &str, targets: &[&str]) -> String {
    let targets: String = targets
        .iter()
        .map(|name| format!(",\n{}", json!({ "name": name, "type": "inject", "data": {}, "end": true })))
        .collect();
    // The template adds a comma behind the members.
    let members = members.trim_end().trim_end_matches(',');
    let comma = if members.is_empty() { "" } else { "," };
    format!("{{ \"id\": \"case\", \"version\": \"1.0\", \"activities\": [{activity}{targets}]{comma}\n{members} }}\n")
}

/// Returns the declarations of the messages that actions send.
fn declared(normalized: &Value) -> String {
    let mut names = Vec::new();
    collect(normalized, "messageRef", &mut names);
    let produced = names.iter().map(|name| (*name, "produced")).collect::<Vec<_>>();
    let mut consumed = Vec::new();
    collect(normalized, "messageRefs", &mut consumed);
    let all = produced.into_iter().chain(consumed.into_iter().map(|name| (name, "consumed")));
    let messages: Vec<Value> = all
        .map(|(name, kind)| json!({ "name": name, "messageType": "event", "kind": kind, "type": name, "source": "case" }))
        .collect();
    if messages.is_empty() { String::new() } else { format!("\"messages\": {}", Value::from(messages)) }
}

/// Returns the activities that an activity leads to.
fn targets(normalized: &Value) -> Vec<&str> {
    let mut names = Vec::new();
    collect(normalized, "transition", &mut names);
    names
}

/// Collects the names in all members `key` of a value.
fn collect<'v>(value: &'v Value, key: &str, names: &mut Vec<&'v str>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                match member {
                    Value::String(found) if name == key => names.push(found),
                    Value::Array(found) if name == key => names.extend(found.iter().filter_map(Value::as_str)),
                    _ => collect(member, key, names),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, key, names)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_is_put_where_it_belongs() {
        for (raw, normalized, parts) in [
            (
                "\"retry\": { \"maxAttempts\": 3, },",
                json!({ "retry": { "maxAttempts": 3 } }),
                &["\"type\": \"operation\"", "\n\"retry\": { \"maxAttempts\": 3, }, }]\n"][..],
            ),
            ("{ [1] }", json!([[1]]), &["\"data\": { \"value\": { [1] } }"]),
            (
                "{ \"type\": \"switch\", \"transition\": \"B\" }",
                json!({ "type": "switch", "transition": "B" }),
                &["\"name\": \"Case\",  \"type\": \"switch\"", "\"name\":\"B\""],
            ),
            (
                "{ \"actions\": [{ \"messageRef\": { \"sent\" } }] }",
                json!({ "actions": [{ "messageRef": ["sent"] }] }),
                &["\"actions\": [{ \"messageRef\": { \"sent\" } }]", "\"kind\":\"produced\"", "\"name\":\"sent\""],
            ),
            ("{ \"activities\": [] }", json!({ "activities": [] }), &["{ \"activities\": [] }"]),
        ] {
            let text = definition_with(raw, &normalized);
            for part in parts {
                assert!(text.contains(part), "{part} in {text}");
            }
        }
    }
}
