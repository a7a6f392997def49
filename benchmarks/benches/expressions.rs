//! Expressions in JSONata, translated, compared with the evaluator and with `jsonata-core` on its
//! own values, with its program compiled once.

use divan::Bencher;
use jsonata_core::Expression;
use jsonata_core::value::JValue;
use workflow_benchmarks::calibration;
use workflow_benchmarks::expressions::{self, SOURCES};
use workflow_runtime::__private::jsonata::{
    self, JsonataEnvironment, JsonataLimits, JsonataOutcome, JsonataProgram, Random, States,
};
use workflow_runtime::{Value, value};

fn main() {
    divan::main();
    calibration::print("expressions");
}

const NAMES: [&str; 3] = ["condition", "selection", "merge"];

/// The numbers of items that make an input of 150 bytes, of 1 KB and of 4 KB.
const SMALL: i64 = 1;
const MEDIUM: i64 = 24;
const LARGE: i64 = 100;

fn input(items: i64) -> Value {
    let item = |n: i64| value!({ "id": format!("sku-{n:04}"), "price": 4.5 + (n * 7 % 20) as f64, "qty": n % 3 + 1 });
    let input = value!({
        "order": { "id": "o-2026-0042", "total": 129.5 },
        "customer": { "name": "Ada Lovelace", "vip": true },
        "items": (1..=items).map(item).collect::<Vec<_>>(),
    });
    let bytes = input.to_string().len();
    let is_known = [100..200, 900..1100, 3500..4500].iter().any(|range| range.contains(&bytes));
    assert!(is_known, "{bytes} bytes");
    input
}

fn source(name: &str) -> &'static str {
    SOURCES.lines().filter_map(|line| line.split_once('\t')).find(|(known, _)| *known == name).expect("it is listed").1
}

/// Random numbers, which these expressions do not draw.
struct Constant;

impl Random for Constant {
    fn number(&mut self) -> u64 {
        0
    }

    fn uuid(&mut self) -> String {
        String::new()
    }
}

fn environment<'a>(input: &'a Value, random: &'a mut Constant) -> JsonataEnvironment<'a> {
    let states = States { input: Some(input), ..States::default() };
    JsonataEnvironment { states, values: &[], now: 0, random, limits: JsonataLimits::default() }
}

fn result(outcome: jsonata::Result<JsonataOutcome>) -> Value {
    match outcome {
        Ok(JsonataOutcome::Value(value)) => value,
        other => panic!("not a value: {other:?}"),
    }
}

fn translated(name: &str, input: &Value) -> Value {
    let mut random = Constant;
    let environment = environment(input, &mut random);
    result(match name {
        "condition" => jsonata::evaluate_translated(environment, |run| expressions::condition(Some(input), run)),
        "selection" => jsonata::evaluate_translated(environment, |run| expressions::selection(Some(input), run)),
        _ => jsonata::evaluate_translated(environment, |run| expressions::merge(Some(input), run)),
    })
}

fn native(bencher: Bencher<'_, '_>, name: &str, items: i64) {
    let input = input(items);
    bencher.bench_local(|| translated(name, divan::black_box(&input)));
}

fn evaluated(bencher: Bencher<'_, '_>, name: &str, items: i64) {
    let input = input(items);
    let program = JsonataProgram::new(source(name), &[]);
    let once = || result(program.evaluate(environment(divan::black_box(&input), &mut Constant)));
    assert_eq!(once(), translated(name, &input));
    bencher.bench_local(once);
}

/// Measures the bytecode of `jsonata-core`, which is faster than its evaluator and has no
/// variables: the document has the members of `$states`.
fn core(bencher: Bencher<'_, '_>, name: &str, items: i64) {
    let input = input(items);
    let document = format!("{{\"input\":{input}}}");
    let document = JValue::from_json_str(&document).expect("it is JSON");
    let expression = Expression::compile(&source(name).replace("$states.", "")).expect("the expression is sound");
    let once = || expression.evaluate(divan::black_box(&document)).expect("no error");
    let found = once().to_json_string().expect("it is JSON");
    let expected = translated(name, &input);
    assert_eq!(Value::from_json(&found), Value::from_json(&expected.to_string()), "{name}");
    bencher.bench_local(once);
}

// A sample is many calls: one call is shorter than reading the clock.
#[divan::bench(args = NAMES, sample_count = 1000, sample_size = 100)]
fn expression(bencher: Bencher<'_, '_>, name: &str) {
    native(bencher, name, SMALL);
}

#[divan::bench(args = NAMES, sample_count = 1000, sample_size = 50)]
fn expression_1_kb(bencher: Bencher<'_, '_>, name: &str) {
    native(bencher, name, MEDIUM);
}

#[divan::bench(args = NAMES, sample_count = 1000, sample_size = 10)]
fn expression_100_items(bencher: Bencher<'_, '_>, name: &str) {
    native(bencher, name, LARGE);
}

#[divan::bench(args = NAMES, sample_count = 1000, sample_size = 100)]
fn expression_evaluated(bencher: Bencher<'_, '_>, name: &str) {
    evaluated(bencher, name, SMALL);
}

#[divan::bench(args = NAMES, sample_count = 1000, sample_size = 50)]
fn expression_1_kb_evaluated(bencher: Bencher<'_, '_>, name: &str) {
    evaluated(bencher, name, MEDIUM);
}

#[divan::bench(args = NAMES, sample_count = 1000, sample_size = 10)]
fn expression_100_items_evaluated(bencher: Bencher<'_, '_>, name: &str) {
    evaluated(bencher, name, LARGE);
}

#[divan::bench(args = NAMES, sample_count = 1000, sample_size = 100)]
fn expression_by_core(bencher: Bencher<'_, '_>, name: &str) {
    core(bencher, name, SMALL);
}

#[divan::bench(args = NAMES, sample_count = 1000, sample_size = 50)]
fn expression_1_kb_by_core(bencher: Bencher<'_, '_>, name: &str) {
    core(bencher, name, MEDIUM);
}

#[divan::bench(args = NAMES, sample_count = 1000, sample_size = 10)]
fn expression_100_items_by_core(bencher: Bencher<'_, '_>, name: &str) {
    core(bencher, name, LARGE);
}
