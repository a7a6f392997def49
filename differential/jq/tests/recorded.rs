//! Compares the results of compiled expressions with those that jq 1.8.2 has produced
//! (`record.py`).

use std::collections::BTreeMap;
use workflow_differential_jq::{Compiled, EXPRESSIONS, MODE, made_of};
use workflow_runtime::__private::jq;
use workflow_runtime::{FunctionLimits, Value};

const INPUTS: &str = include_str!("../data/inputs.json");
const EXPECTED: &str = include_str!("../data/expected.json");
/// Lines of an expression with another result, a tab, and the reason.
const DIFFERENCES: &str = include_str!("../data/differences.txt");
/// Lines of an expression that an engine runs, a tab, and the construct that is not translated.
const ENGINE: &str = include_str!("../data/engine.txt");

fn table(text: &'static str) -> BTreeMap<&'static str, &'static str> {
    text.lines().filter(|line| !line.is_empty()).map(|line| line.split_once('\t').expect("two columns")).collect()
}

fn parse(text: &str) -> Vec<Value> {
    let value = Value::from_json(text).expect("the record is JSON");
    value.as_array().expect("the record is an array").iter().cloned().collect()
}

#[test]
fn expressions_yield_what_jq_yields() {
    let (inputs, expected) = (parse(INPUTS), parse(EXPECTED));
    let (known, engine) = (table(DIFFERENCES), table(ENGINE));
    let compiled: BTreeMap<&str, &Compiled> = EXPRESSIONS.iter().map(|(source, compiled)| (*source, compiled)).collect();
    let (mut cases, mut different, mut messages, mut native) = (0, 0, 0, 0);
    let mut found = Vec::new();
    for entry in &expected {
        let source = entry.get(0).and_then(Value::as_str).expect("an expression");
        let function = match compiled[source] {
            Compiled::Native(function) => function,
            Compiled::Engine(reason) => {
                if engine.get(source) != Some(reason) {
                    found.push(format!("{source}\truns on an engine: {reason}"));
                }
                continue;
            }
            Compiled::Refused(reason) => {
                found.push(format!("{source}\trefused: {reason}"));
                continue;
            }
        };
        native += 1;
        let mut differs = None;
        for (at, input) in inputs.iter().enumerate() {
            cases += 1;
            let recorded = entry.get(1).and_then(|all| all.get(at as i64)).expect("a record for each input");
            let error = recorded.get("error").and_then(Value::as_str);
            let ended = jq::run(FunctionLimits::default(), || function(input, &Value::Int(3)));
            let (same, actual) = match (ended, error) {
                (Ok(values), None) => (Some(&values) == recorded.get("values").map(made_of).as_ref(), values.to_string()),
                (Ok(values), Some(_)) => (false, values.to_string()),
                (Err(fault), None) => (false, fault.to_string()),
                (Err(fault), Some(message)) => {
                    messages += u32::from(!fault.to_string().ends_with(message));
                    (true, fault.to_string())
                }
            };
            if !same {
                different += 1;
                differs.get_or_insert_with(|| format!("{source}\t{input}\n  {actual}\n  {recorded}"));
            }
        }
        match (differs, known.contains_key(source)) {
            (Some(differs), false) => found.push(differs),
            (None, true) if MODE == "all" => found.push(format!("{source}\tis listed, and does not differ")),
            _ => {}
        }
    }
    println!("{native} expressions, {cases} cases, {different} different, {messages} errors in other words");
    assert!(found.is_empty(), "{} not listed:\n{}", found.len(), found.join("\n"));
    assert!(native >= 400 && different * 200 <= cases, "{different} of {cases} cases are different");
}

/// Expressions in definitions of Serverless Workflow, one a line.
const SERVERLESS: &str = include_str!("../data/serverless.txt");

#[test]
fn what_people_write_is_translated() {
    let compiled: BTreeMap<&str, &Compiled> = EXPRESSIONS.iter().map(|(source, compiled)| (*source, compiled)).collect();
    let all: Vec<&str> = SERVERLESS.lines().collect();
    let left: Vec<_> = all.iter().filter(|source| !matches!(compiled[**source], Compiled::Native(_))).collect();
    assert!(all.len() >= 150 && left.len() * 20 <= all.len(), "of {}: {left:?}", all.len());
}
