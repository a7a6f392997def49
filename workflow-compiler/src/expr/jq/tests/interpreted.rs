//! Tests that run expressions by the reference interpreter, before and after the passes, and
//! compare the results with those of jq.

use super::super::{ResultMode, lower, names, parse};
use super::try_read;
use crate::expr::core::CoreFunction;
use crate::expr::core::interpret::jq::{Jq, NoOuts, Outs};
use crate::expr::core::interpret::{self, Operand};
use crate::expr::tests::shape::{admits, exact, views};
use std::collections::BTreeSet;
use std::path::Path;
use std::{env, fs, thread};
use workflow_runtime::__private::jq;
use workflow_runtime::{FunctionLimits, Value};

/// The variable that names a list of expressions, one a line.
const LIST: &str = "JQ_EXPRESSIONS";
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

/// Names the expression whose run panics.
struct Current<'s>(&'s str);

impl Drop for Current<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("the expression is {}", self.0);
        }
    }
}

/// Runs a program on inputs before and after the passes. Returns `false` if it is not translated.
#[track_caller]
fn check(source: &str, mode: ResultMode, inputs: &[Value]) -> bool {
    let _current = Current(source);
    let Some([lowered, optimised]) = functions(source, mode) else { return false };
    for input in inputs {
        let (before, after) = (interpreted(&lowered, input), interpreted(&optimised, input));
        assert_eq!(before, after, "{source}\n{mode:?} of {input}\n{lowered}\n{optimised}");
    }
    true
}

#[test]
fn random_expressions_have_one_result_before_and_after_the_passes() {
    let text = env::var_os(LIST).map_or_else(|| file("random.txt"), |list| fs::read_to_string(list).expect("a list"));
    let inputs = list("inputs.json");
    let expressions = text.lines().zip(MODES.into_iter().cycle());
    let translated = expressions.filter(|(source, mode)| check(source, *mode, &inputs)).count();
    println!("{translated} of {} expressions are translated", text.lines().count());
    assert!(translated >= 19_000 || env::var_os(LIST).is_some());
}

#[test]
fn an_error_leaves_a_value_that_is_read_behind_its_handler() {
    let inputs = ["[1]", "{\"a\": {\"b\": 2}}", "{\"a\": 1}", "null"];
    let inputs = inputs.map(|input| Value::from_json(input).expect("the input is JSON"));
    for source in
        ["add(.a? | to_entries)", "add(.a? | tojson)", "reduce (.a, 1) as $v ([]; try (. + ($v | keys)) catch .)"]
    {
        MODES.into_iter().for_each(|mode| assert!(check(source, mode, &inputs), "{source} is not translated"));
    }
}

#[test]
fn shapes_admit_the_results_of_recorded_expressions() {
    let inputs = list("inputs.json");
    let of_inputs: Vec<_> = inputs.iter().map(|input| views(input, &inputs)).collect();
    let (mut results, mut known, mut wrong) = (0, 0, Vec::new());
    for entry in list("expected.json") {
        let source = entry.get(0).and_then(Value::as_str).expect("an expression");
        for mode in MODES {
            let (Some([function, _]), Some(filter)) = (functions(source, mode), try_read(source, mode).0) else {
                continue;
            };
            for (input, shapes) in inputs.iter().zip(&of_inputs) {
                let Ok(value) = interpreted(&function, input) else { continue };
                results += 1;
                for shape in shapes {
                    let variables: Vec<_> = filter.variables.iter().map(|_| exact(&Value::Int(3))).collect();
                    let found = filter.outcome(shape, &variables).value;
                    known += usize::from(!found.is_any());
                    if !admits(&found, &value) {
                        wrong.push(format!("{source}\n  {mode:?} of {input}, {shape}\n  yields {value}, not {found}"));
                    }
                }
            }
        }
    }
    println!("{results} results, {known} known shapes");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong[..wrong.len().min(30)].join("\n"));
    assert!(results > 10_000 && known > 5_000, "{results} results, {known} known shapes");
}
