//! The stubs of a case as functions of the runner: an answer, a list of answers, one for each
//! call, or `{"throws": {"name", "message"?, "trace"?}}`.

use super::around::{FAILING, collect};
use crate::conformance::fields;
use serde_json::{Map, Value, json};

/// Answers that cases describe in words, as jq over the arguments.
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

/// The stubs of a case in the form that the runner reads.
pub struct Stubs {
    /// By the names of the functions of the definition.
    pub functions: Map<String, Value>,
    /// By the names of the workflows that the definition starts.
    pub workflows: Map<String, Value>,
}

/// Reads the stubs of a case for a definition. A function without a stub yields null. A workflow
/// without a stub yields its input and the data that the case adds in words. Fails if a stub
/// matches nothing in the definition.
pub fn read(case: &Value, definition: &Value) -> Result<Stubs, String> {
    let stubs = &case["stubs"];
    let (mut functions, mut workflows) = (Map::new(), Map::new());
    let mut used = Vec::new();
    for function in definition["functions"].as_array().into_iter().flatten() {
        let name = function["name"].as_str().ok_or("a function has no name")?;
        let found = find(stubs, name, function);
        used.extend(found.iter().map(|(key, _)| key.clone()));
        let stub = match found {
            None if name == FAILING => json!({ "throws": { "name": "Failure", "message": "it fails" } }),
            None => json!({ "result": "null" }),
            Some((key, stub)) => answers(stub).map_err(|problem| format!("the stub `{key}`: {problem}"))?,
        };
        functions.insert(name.to_owned(), stub);
    }
    let mut ids = Vec::new();
    collect(definition, "workflowId", &mut ids);
    let children = children(case)?;
    for id in ids {
        let (key, stub) = match stubs.get(&id) {
            Some(stub) => (id.clone(), Some(stub)),
            None => (format!("subflow:{id}"), stubs.get(format!("subflow:{id}"))),
        };
        let runs = match stub {
            Some(stub) => answers(stub).map_err(|problem| format!("the stub `{key}`: {problem}"))?,
            None => json!({ "result": format!(". + {}", children.get(&id).unwrap_or(&json!({}))) }),
        };
        used.push(key);
        workflows.insert(id, runs);
    }
    match stubs.as_object().into_iter().flatten().find(|(key, stub)| !used.contains(key) && !is_remark(key, stub)) {
        Some((key, _)) => Err(format!("the stub `{key}` is for nothing that the definition has")),
        None => Ok(Stubs { functions, workflows }),
    }
}

/// Finds the stub of a function: by the name of the function, by its resource, or by a text that
/// begins with its type.
fn find<'s>(stubs: &'s Value, name: &str, function: &Value) -> Option<(String, &'s Value)> {
    let stubs = stubs.as_object()?;
    let by = |key: &str| stubs.get(key).map(|stub| (key.to_owned(), stub));
    let by_type =
        |kind: &str| stubs.iter().find(|(key, _)| key.starts_with(kind)).map(|(key, stub)| (key.clone(), stub));
    by(name)
        .or_else(|| function["resource"].as_str().and_then(by))
        .or_else(|| function["type"].as_str().filter(|kind| !kind.is_empty()).and_then(by_type))
}

/// Returns `true` for a member that only remarks on all stubs of a kind, such as: workflows are
/// not run.
fn is_remark(key: &str, stub: &Value) -> bool {
    key == "subflows" && stub == "stub"
}

/// Reads a stub.
fn answers(stub: &Value) -> Result<Value, String> {
    match stub {
        Value::Array(list) => Ok(json!({ "answers": list.iter().map(answer).collect::<Result<Vec<_>, _>>()? })),
        stub => answer(stub),
    }
}

fn answer(stub: &Value) -> Result<Value, String> {
    if let Some(thrown) = stub.get("throws") {
        fields::check("a stub that throws", stub, &["throws"])?;
        return Ok(json!({ "throws": fault(thrown)? }));
    }
    let result = match stub {
        Value::String(text) => match IN_WORDS.iter().find(|(words, _)| words == text) {
            Some((_, program)) => (*program).to_owned(),
            None => stub.to_string(),
        },
        value => value.to_string(),
    };
    Ok(json!({ "result": result }))
}

/// Reads the error of a stub: its name, or an object. The engine makes the trace of an error, so
/// that the trace in a case is ignored.
fn fault(thrown: &Value) -> Result<Value, String> {
    fields::check("`throws`", thrown, &["name", "message", "trace"])?;
    let name = if thrown.is_string() { thrown } else { &thrown["name"] };
    match (name.as_str(), thrown.get("message")) {
        (None, _) => Err("`throws` has no `name`".to_owned()),
        (Some(name), None | Some(Value::Null)) => Ok(json!({ "name": name })),
        (Some(name), Some(message)) => Ok(json!({ "name": name, "message": message })),
    }
}

/// Reads the texts about the workflows that a definition starts: the data that each workflow adds,
/// by its id.
fn children(case: &Value) -> Result<Map<String, Value>, String> {
    let mut children = Map::new();
    for (file, text) in case["subflow_texts"].as_object().into_iter().flatten() {
        let text = text.as_str().unwrap_or_default();
        let child = super::transcript::tree(super::file_name(text), text)?;
        let states = child["states"].as_array().map(Vec::as_slice).unwrap_or_default();
        match (states, child["id"].as_str()) {
            ([only], Some(id)) if only["type"] == "inject" => children.insert(id.to_owned(), only["data"].clone()),
            _ => return Err(format!("`subflow_texts`: {file} is more than a state of the type `inject`")),
        };
    }
    Ok(children)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stubs(stubs: Value) -> Result<Stubs, String> {
        let definition = json!({
            "functions": [{ "name": "f", "resource": "r" }, { "name": "g", "type": "script" }],
            "states": [{ "workflowId": "child" }],
        });
        read(&json!({ "stubs": stubs }), &definition)
    }

    fn function(stub: Value) -> Result<Value, String> {
        stubs(json!({ "f": stub })).map(|mut stubs| stubs.functions["f"].take())
    }

    #[test]
    fn a_stub_is_an_answer_a_list_of_answers_or_throws() {
        assert_eq!(function(json!({ "a": 1 })), Ok(json!({ "result": "{\"a\":1}" })));
        assert_eq!(function(json!("noop")), Ok(json!({ "result": "null" })));
        assert_eq!(function(json!("Hola")), Ok(json!({ "result": "\"Hola\"" })));
        let list = json!([{ "a": 1 }, { "throws": "E" }, [2]]);
        let answers = json!([{ "result": "{\"a\":1}" }, { "throws": { "name": "E" } }, { "result": "[2]" }]);
        assert_eq!(function(list), Ok(json!({ "answers": answers })));
        let thrown = json!({ "throws": { "name": "E", "message": "m", "trace": "t" } });
        assert_eq!(function(thrown), Ok(json!({ "throws": { "name": "E", "message": "m" } })));
        for (stub, problem) in [
            (json!({ "throws": { "name": "E", "after": 2 } }), "`after`"),
            (json!({ "throws": { "name": "E" }, "times": 2 }), "`times`"),
            (json!([{ "throws": {} }]), "no `name`"),
        ] {
            assert!(function(stub.clone()).is_err_and(|text| text.contains(problem)), "{stub}");
        }
    }

    #[test]
    fn a_stub_is_for_a_function_or_a_workflow() {
        let read =
            stubs(json!({ "r": 1, "script": 2, "child": { "throws": "E" }, "subflows": "stub" })).expect("stubs");
        assert_eq!(read.functions, *json!({ "f": { "result": "1" }, "g": { "result": "2" } }).as_object().expect("it"));
        assert_eq!(read.workflows["child"], json!({ "throws": { "name": "E" } }));
        let read = stubs(json!({ "subflow:child": [1] })).expect("stubs");
        assert_eq!(read.workflows["child"], json!({ "answers": [{ "result": "1" }] }));
        assert_eq!(read.functions["f"], json!({ "result": "null" }));
        assert!(stubs(json!({ "h": 1 })).is_err_and(|problem| problem.contains("`h`")));
        assert!(stubs(json!({ "subflows": 1 })).is_err_and(|problem| problem.contains("`subflows`")));
    }
}
