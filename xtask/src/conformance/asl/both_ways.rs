//! The distinct expressions in JSONata of the definitions in a file, or those that were measured
//! on AWS. Each is run in both ways, on the inputs of its cases and on made documents.

use super::documents::documents;
use crate::conformance::case::{Case, CaseFile, Catalogue, Goal, Outcome, Plan, Trial, Verdict};
use crate::conformance::expressions::{Expression, both_ways};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The file with the expressions that were measured.
const MEASURED: &str = "expressions_measured.json";

/// The most inputs of cases for one expression.
const INPUTS: usize = 3;

/// The distinct expressions of a file.
type Expressions = BTreeMap<String, Uses>;

/// The uses of an expression.
#[derive(Debug, Default)]
struct Uses {
    /// The inputs of its cases.
    inputs: Vec<Value>,
    /// The variables that its definitions assign.
    assigned: BTreeSet<String>,
}

/// Returns the cases of the expressions in a file. `None` if it has none, or is of another
/// dialect.
pub fn both_ways_of(folder: &str, file: &str, document: &Value, catalogue: &mut Catalogue) -> Option<CaseFile> {
    // Definitions that are refused have expressions that are no expressions.
    if !folder.starts_with("asl") || file == "invalid.json" {
        return None;
    }
    let expressions = expressions(file, document);
    let name = format!("{folder}/{file}, expressions");
    let case = |(text, uses): (String, Uses)| {
        let plan = plan(&text, uses, catalogue);
        Case { id: format!("{name}: {text}"), plan, fails: false, decided: None }
    };
    let cases: Vec<Case> = expressions.into_iter().map(case).collect();
    (!cases.is_empty()).then_some(CaseFile { name, cases })
}

fn expressions(file: &str, document: &Value) -> Expressions {
    let mut expressions = Expressions::new();
    for case in document["cases"].as_array().into_iter().flatten() {
        let input = case.get("input").cloned().unwrap_or_else(|| json!({}));
        let mut note = |text: &str, assigned: &BTreeSet<String>| {
            let uses = expressions.entry(text.to_owned()).or_default();
            uses.assigned.extend(assigned.iter().cloned());
            if uses.inputs.len() < INPUTS && !uses.inputs.contains(&input) {
                uses.inputs.push(input.clone());
            }
        };
        match case["expr"].as_str().filter(|_| file == MEASURED) {
            Some(text) => note(text.trim(), &BTreeSet::new()),
            None => {
                let written = case["definition_text"].as_str().map(serde_json::from_str::<Value>);
                let definition = written.and_then(Result::ok).unwrap_or_else(|| case["definition"].clone());
                let mut assigned = BTreeSet::new();
                add_assigned(&definition, &mut assigned);
                each_expression(&definition, &mut |text| note(text, &assigned));
            }
        }
    }
    expressions
}

/// Calls a function with every expression in the strings of a value.
fn each_expression(value: &Value, found: &mut dyn FnMut(&str)) {
    match value {
        Value::String(text) => {
            if let Some(inner) = text.strip_prefix("{%").and_then(|text| text.strip_suffix("%}")) {
                found(inner.trim());
            }
        }
        Value::Array(items) => items.iter().for_each(|item| each_expression(item, found)),
        Value::Object(members) => members.values().for_each(|member| each_expression(member, found)),
        _ => {}
    }
}

/// Adds the variables that a definition assigns.
fn add_assigned(value: &Value, assigned: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| add_assigned(item, assigned)),
        Value::Object(members) => {
            assigned.extend(
                members.get("Assign").and_then(Value::as_object).into_iter().flat_map(|all| all.keys().cloned()),
            );
            members.values().for_each(|member| add_assigned(member, assigned));
        }
        _ => {}
    }
}

fn plan(text: &str, uses: Uses, catalogue: &mut Catalogue) -> Plan {
    let expression = Expression::of_state(text, &uses.assigned);
    // An expression that reads nothing always has the same outcome.
    let most = if expression.names.is_empty() { 1 } else { usize::MAX };
    let all = uses.inputs.into_iter().chain(documents(text)).take(most);
    let rounds: Vec<Value> = all.enumerate().map(|(at, document)| round(&expression.names, &document, at)).collect();
    let goal = Goal::Run(json!({ "rounds": rounds }));
    let judge = Box::new(|outcome: &Outcome<'_>| Verdict::from(both_ways(outcome)));
    Plan::Try(Trial { definition: catalogue.add_expression(expression), goal, judge })
}

/// Returns a round in which a document is the value of every name. In some rounds, the variables
/// have other values, or none.
fn round(names: &[String], document: &Value, at: usize) -> Value {
    let variable = match at % 4 {
        0 => Some(document.clone()),
        1 => Some(json!(3)),
        2 => Some(json!("a-b c")),
        _ => None,
    };
    let value = |name: &String| if name.starts_with("states.") { Some(document.clone()) } else { variable.clone() };
    let values: Map<String, Value> =
        names.iter().filter_map(|name| value(name).map(|value| (name.clone(), value))).collect();
    json!({ "values": values })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_expressions_are_one_case_with_the_inputs_of_both() {
        let machine =
            |text: &str| json!({ "States": { "A": { "Assign": { "v": 1 }, "Output": { "a": [text, "b"] } } } });
        let document = json!({ "cases": [
            { "definition": machine("{% $a %}"), "input": 1 },
            { "definition_text": machine("{%$a%}").to_string(), "input": 2 },
            { "definition": machine("{% $b %}") },
        ] });
        let found = expressions("valid.json", &document);
        assert_eq!(found["$a"].inputs, [json!(1), json!(2)]);
        assert!(found["$a"].assigned.contains("v"));
        let read = |file: &str, document: &Value| {
            let cases = both_ways_of("asl2", file, document, &mut Catalogue::default()).map(|file| file.cases);
            cases.unwrap_or_default().into_iter().map(|case| case.id).collect::<Vec<_>>()
        };
        let ids = ["$a", "$b"].map(|text| format!("asl2/valid.json, expressions: {text}"));
        assert_eq!(read("valid.json", &document), ids);
        assert!(read("invalid.json", &document).is_empty());
        let measured = json!({ "cases": [{ "expr": " 1 + 1 " }] });
        assert_eq!(read(MEASURED, &measured), [format!("asl2/{MEASURED}, expressions: 1 + 1")]);
    }
}
