//! Tests that run expressions by the reference interpreter, before and after the passes, and
//! compare the results with those of jq.

use super::super::{ResultMode, lower, names, parse};
use crate::expr::core::CoreFunction;
use crate::expr::core::interpret::jq::{Jq, NoOuts, Outs};
use crate::expr::core::interpret::{self, Operand};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use workflow_runtime::__private::jq;
use workflow_runtime::{FunctionLimits, Value};

/// The modes, that with all outputs first.
const MODES: [ResultMode; 3] = [ResultMode::All, ResultMode::Value, ResultMode::Test];

fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../differential/jq/data").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn list(name: &str) -> Vec<Value> {
    let value = Value::from_json(&file(name)).expect("the file is JSON");
    value.as_array().expect("the file has a list").to_vec()
}

/// Returns the result for an input and `$value`, or the message of the error.
fn interpreted(function: &CoreFunction, input: &Value) -> Result<Value, String> {
    let arguments = vec![Operand::Value(input.clone()), Operand::Value(Value::Int(3))];
    let code = || interpret::interpret::<Jq>(function, arguments, &mut (&NoOuts as Outs<'_>));
    jq::run(FunctionLimits::default(), code).map_err(|fault| fault.to_string())
}

/// Returns a program before and after the passes, or nothing if it is not translated.
fn functions(source: &str, mode: ResultMode) -> Option<[CoreFunction; 2]> {
    let program = parse::parse(source).ok().filter(|program| names::check(program, source, &["value"]).is_empty())?;
    let lowered = lower::function(&program, &["value".to_owned()], mode).ok()?.function;
    let mut optimised = lowered.clone();
    optimised.optimise();
    Some([lowered, optimised])
}

#[test]
fn recorded_expressions_have_one_result_before_and_after_the_passes_and_in_jq() {
    let (inputs, differences) = (list("inputs.json"), file("differences.txt"));
    let known: BTreeSet<&str> = differences.lines().filter_map(|line| Some(line.split_once('\t')?.0)).collect();
    let (mut translated, mut different) = (0, Vec::new());
    for entry in list("expected.json") {
        let source = entry.get(0).and_then(Value::as_str).expect("an expression");
        for mode in MODES {
            let Some([lowered, optimised]) = functions(source, mode) else { continue };
            translated += 1;
            for (at, input) in inputs.iter().enumerate() {
                let (before, after) = (interpreted(&lowered, input), interpreted(&optimised, input));
                let recorded = entry.get(1).and_then(|all| all.get(at as i64)).expect("a record for each input");
                let recorded = recorded.get("values").filter(|_| recorded.get("error").is_none()).cloned();
                let is_expected = mode != ResultMode::All || before.clone().ok() == recorded || known.contains(source);
                if before != after || !is_expected {
                    different.push(format!(
                        "{source}\n  {mode:?} of {input}\n  before the passes {before:?}\n  after {after:?}\n  \
                         jq {recorded:?}\n{lowered}\n{optimised}"
                    ));
                    break;
                }
            }
        }
    }
    println!("{translated} functions");
    assert!(
        different.is_empty(),
        "{} different:\n{}",
        different.len(),
        different[..different.len().min(10)].join("\n")
    );
    assert!(translated > 3_300, "only {translated} functions");
}
