//! How a case is run: its stubs and events in the words of the runner.

use serde_json::{Map, Value, json};

/// What an action of the cases yields whose stub is told in words.
const IN_WORDS: &[(&str, &str)] = &[
    (
        "evaluates (x = multiply)",
        r#".expression | capture("^(?<l>[0-9]+)(?<op>[-+x/])(?<r>[0-9]+)$") | (.l | tonumber) as $l | (.r | tonumber) as $r
            | if .op == "+" then $l + $r elif .op == "-" then $l - $r elif .op == "x" then $l * $r else $l / $r end"#,
    ),
    (
        "per order -> {provisionedOrders:[{id,outcome}]}",
        r#"{ provisionedOrders: [{ id: (if $n == 1 then "123" else "456" end), outcome: "SUCCESS" }] }"#,
    ),
    ("{result:'Hello '+name}", r#"{ result: ("Hello " + .name) }"#),
    ("adult=age>=18", r#"{ person: { adult: (if (.person.age | tonumber) >= 18 then "true" else "false" end) } }"#),
    ("noop", "null"),
];

/// The plan of a case for a definition.
pub fn plan(case: &Value, definition: &Value) -> Result<Value, String> {
    let mut functions = Map::new();
    let stubs = &case["stubs"];
    for function in definition["functions"].as_array().into_iter().flatten() {
        let name = function["name"].as_str().ok_or("a function has no name")?;
        // A stub may be for all functions of a type.
        let stub = stubs.get(name).or_else(|| {
            let kinds = stubs
                .as_object()?
                .iter()
                .filter(|(kind, _)| kind.starts_with(function["type"].as_str().unwrap_or("-")));
            kinds.map(|(_, stub)| stub).next()
        });
        functions.insert(name.to_owned(), stubbed(stub)?);
    }
    if case["expect"].get("waits").is_some() {
        functions.insert("fails".to_owned(), json!({ "error": "\"it fails\"" }));
    }
    let mut workflows = Map::new();
    subflows(definition, &mut workflows, case);
    let events = case["events"].as_array().into_iter().flatten().enumerate();
    let events: Vec<Value> = events.map(|(at, one)| json!({ "at": 1, "event": event(one, at) })).collect();
    let mut plan = json!({ "input": case["input"], "functions": functions, "workflows": workflows, "events": events });
    if let Some(value) = correlation(case, definition) {
        plan["correlation"] = value;
    }
    Ok(plan)
}

fn stubbed(stub: Option<&Value>) -> Result<Value, String> {
    let result = match stub {
        None => "null".to_owned(),
        Some(Value::String(text)) => match IN_WORDS.iter().find(|(words, _)| words == text) {
            Some((_, program)) => (*program).to_owned(),
            None => json!(text).to_string(),
        },
        Some(value) => value.to_string(),
    };
    Ok(json!({ "result": result }))
}

/// What runs in the place of other workflows: those that a case has inject data, and the others do nothing.
fn subflows(definition: &Value, workflows: &mut Map<String, Value>, case: &Value) {
    let mut ids = Vec::new();
    collect(definition, &mut ids);
    for id in ids {
        let texts = case["subflow_texts"].as_object().into_iter().flatten();
        let mut children = texts.filter_map(|(_, text)| serde_json::from_str::<Value>(text.as_str()?).ok());
        let child = children.find(|child| child["id"] == *id);
        let data = child.map_or_else(|| json!({}), |child| child["states"][0]["data"].clone());
        workflows.insert(id, json!({ "result": format!(". + {data}") }));
    }
}

fn collect(value: &Value, ids: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            ids.extend(members.get("workflowId").and_then(Value::as_str).map(str::to_owned));
            members.values().for_each(|member| collect(member, ids));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, ids)),
        _ => {}
    }
}

/// An event with the attributes that it must have.
fn event(event: &Value, at: usize) -> Value {
    let mut whole = json!({ "specversion": "1.0", "id": (at + 1).to_string(), "source": "case", "type": "came" });
    for (name, value) in event.as_object().into_iter().flatten() {
        whole[name] = value.clone();
    }
    whole
}

/// The value that the first event correlates by.
fn correlation(case: &Value, definition: &Value) -> Option<Value> {
    let event = case["events"].as_array()?.first()?;
    let tokens = definition["events"].as_array()?.iter().filter_map(|event| event["correlationToken"].as_str());
    tokens.filter_map(|token| event.get(token)).next().cloned()
}
