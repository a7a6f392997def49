//! jq expressions, translated, compared with `jaq` on its own values, with its program compiled
//! once.

use divan::Bencher;
use jaq_core::load::{Arena, File, Loader};
use jaq_core::{Ctx, Vars, data, unwrap_valr};
use jaq_json::{Val, read};
use workflow_benchmarks::filters::{self, SOURCES};
use workflow_runtime::__private::jq;
use workflow_runtime::{Value, value};

fn main() {
    divan::main();
}

const NAMES: [&str; 5] = ["condition", "construction", "selection", "update", "fold"];

/// The numbers of orders that make a document of 1 KB and of 90 KB.
const SMALL: i64 = 10;
const LARGE: i64 = 1200;

fn document(orders: i64) -> Value {
    let order = |n: i64| value!({ "id": n, "total": (n % 20) as f64 + 0.5, "customer": format!("c-{n:04}"), "open": true, "tags": ["a", "b"] });
    let document = value!({
        "applicant": { "name": "Ada", "age": 36, "email": "ada@example.com" },
        "fruits": ["apple", "orange", "pear"],
        "nuts": ["almond", "walnut"],
        "a": { "b": 1, "c": "d" },
        "status": "open",
        "created": "2024-05-17T09:30:00Z",
        "note": "leave it at the door of the neighbour, who is always at home",
        "orders": (1..=orders).map(order).collect::<Vec<_>>(),
    });
    let bytes = document.to_string().len();
    assert!((900..1100).contains(&bytes) || (85_000..95_000).contains(&bytes), "{bytes} bytes");
    document
}

fn source(name: &str) -> &'static str {
    SOURCES.lines().filter_map(|line| line.split_once('\t')).find(|(known, _)| *known == name).expect("it is listed").1
}

fn translated(name: &str, input: &Value, given: &Value) -> jq::Result<Value> {
    match name {
        "condition" => filters::condition(input).map(Value::Bool),
        "construction" => filters::construction(input),
        "selection" => filters::selection(input),
        "update" => filters::update(input.clone(), given),
        _ => filters::fold(input),
    }
}

fn jaq(bencher: Bencher<'_, '_>, name: &str, orders: i64) {
    let document = document(orders);
    let input = read::parse_single(document.to_string().as_bytes()).expect("it is JSON");
    let functions = jaq_core::funs();
    let (loader, arena) = (Loader::new(jaq_core::defs()), Arena::default());
    let modules = loader.load(&arena, File { code: source(name), path: () }).expect("the expression is sound");
    let compiler = jaq_core::Compiler::default().with_funs(functions).with_global_vars(["$value"]);
    let filter = compiler.compile(modules).expect("the expression is sound");
    let once = || {
        let context = Ctx::<data::JustLut<Val>>::new(&filter.lut, Vars::new([Val::from(3_isize)]));
        filter.id.run((context, input.clone())).map(unwrap_valr).next().expect("a value").expect("no error")
    };
    let expected = translated(name, &document, &Value::Int(3)).expect("no error");
    assert_eq!(Value::from_json(&once().to_string()).expect("it is JSON"), expected);
    bencher.bench_local(once);
}

fn native(bencher: Bencher<'_, '_>, name: &str, orders: i64) {
    let (input, given) = (document(orders), Value::Int(3));
    bencher.bench_local(|| translated(name, divan::black_box(&input), divan::black_box(&given)));
}

// A sample is many calls: one call is shorter than reading the clock.
#[divan::bench(args = NAMES, sample_count = 1000, sample_size = 100)]
fn filter(bencher: Bencher<'_, '_>, name: &str) {
    native(bencher, name, SMALL);
}

#[divan::bench(args = NAMES)]
fn filter_90_kb(bencher: Bencher<'_, '_>, name: &str) {
    native(bencher, name, LARGE);
}

#[divan::bench(args = NAMES, sample_count = 1000, sample_size = 100)]
fn filter_by_jaq(bencher: Bencher<'_, '_>, name: &str) {
    jaq(bencher, name, SMALL);
}

#[divan::bench(args = NAMES)]
fn filter_90_kb_by_jaq(bencher: Bencher<'_, '_>, name: &str) {
    jaq(bencher, name, LARGE);
}
