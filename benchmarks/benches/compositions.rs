//! Functions of compositions, translated, compared with QuickJS, and a loop of functions.

use std::hint::black_box;

use divan::Bencher;
use rquickjs::{Context, Ctx, Function, Runtime};
use workflow_benchmarks::calibration;
use workflow_benchmarks::compositions::{countdown, increment, increment_on_engine, predicate, predicate_on_engine};
use workflow_runtime::__private::{Builder, Invoke, Task, TaskContext, TaskFuture, composer, task_future};
use workflow_runtime::{Value, Workflow, value};

fn main() {
    divan::main();
    calibration::print("compositions");
}

const FUNCTIONS: [&str; 2] = ["increment", "predicate"];

/// The calls of each function in an execution.
const CALLS: usize = 100;

/// The tasks: these compositions have no actions.
struct Nobody;

impl Invoke for Nobody {
    fn invoke<'a>(&'a self, task: &'static Task, _: Value, _: TaskContext) -> TaskFuture<'a> {
        task_future(async move { unreachable!("there is no action {}", task.key) })
    }
}

fn run<W: Workflow>(bencher: Bencher<'_, '_>, input: &Value, output: &Value) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let once = || runtime.block_on(Builder::<W>::new().name("bench").seed(1).tasks(&Nobody).run(input.clone()));
    assert_eq!(once().as_ref(), Ok(output));
    bencher.with_inputs(calibration::interleave).bench_local_values(|()| once());
}

/// Returns the parameters of a function. Those of the predicate have 1 KB, and satisfy it.
fn input(function: &str) -> Value {
    if function == "increment" {
        return value!({ "count": 0 });
    }
    let item = |n: i64| value!({ "sku": format!("sku-{n:05}"), "count": n % 3 + 1, "price": 199.5, "name": "a thing" });
    let input = value!({
        "id": "2f1c9c1e-8d0b-4c55-9f8e-0d3b3f1f6a11",
        "created": "2024-05-17T09:30:00Z",
        "channel": "web",
        "order": {
            "id": 7, "total": 1197.0, "currency": "EUR", "items": (0..8).map(item).collect::<Vec<_>>(),
            "notes": ["gift", "leave at the door"],
        },
        "customer": {
            "id": "c-1009", "name": "Erika Mustermann", "country": "DE", "vip": false, "orders": 12,
            "address": { "street": "Heidestrasse 17", "zip": "51147", "city": "Koeln" },
            "contact": { "mail": "erika@example.com", "phone": "+49 221 1234567" },
        },
        "shipping": { "carrier": "north", "express": false, "price": 4.9, "label": "https://example.com/labels/2f1c9c1e" },
    });
    let bytes = input.to_string().len();
    assert!((1000..1050).contains(&bytes), "{bytes} bytes");
    input
}

/// Returns the result after all calls.
fn output(function: &str) -> Value {
    match function {
        "increment" => value!({ "count": (CALLS as i64) }),
        other => input(other),
    }
}

/// Runs the function as the compiler translates it. An execution is short, so that some of the
/// many samples are undisturbed.
#[divan::bench(args = FUNCTIONS, sample_count = 2000)]
fn translated(bencher: Bencher<'_, '_>, function: &str) {
    let (input, output) = (input(function), output(function));
    match function {
        "increment" => run::<increment::Increment>(bencher, &input, &output),
        _ => run::<predicate::Predicate>(bencher, &input, &output),
    }
}

/// Runs the function as the runtime runs functions that are not translated.
#[divan::bench(args = FUNCTIONS, sample_count = 20)]
fn on_engine(bencher: Bencher<'_, '_>, function: &str) {
    let (input, output) = (input(function), output(function));
    match function {
        "increment" => run::<increment_on_engine::IncrementOnEngine>(bencher, &input, &output),
        _ => run::<predicate_on_engine::PredicateOnEngine>(bencher, &input, &output),
    }
}

/// Runs the function on QuickJS alone: one context for all calls, and the function compiled once.
/// Parameters and result are converted as JSON text.
#[divan::bench(args = FUNCTIONS, sample_count = 500)]
fn on_reused_engine(bencher: Bencher<'_, '_>, function: &str) {
    let source = match function {
        "increment" => include_str!("../flows/increment.js"),
        _ => include_str!("../flows/predicate.js"),
    };
    let runtime = Runtime::new().expect("an engine");
    let context = Context::full(&runtime).expect("a context");
    context.with(|ctx| {
        let compiled: Function = ctx.eval(source.trim_end()).expect("a function");
        let input = input(function);
        let once = || {
            let mut document = input.clone();
            for _ in 0..CALLS {
                let result = call(&ctx, &compiled, black_box(&document));
                match function {
                    "increment" => document = result,
                    _ => assert!(composer::is_true(result.get("value"))),
                }
            }
            document
        };
        assert_eq!(once(), output(function));
        bencher.bench_local(once);
    });
}

fn call<'js>(ctx: &Ctx<'js>, function: &Function<'js>, parameters: &Value) -> Value {
    let parameters = ctx.json_parse(parameters.to_string()).expect("JSON");
    let result: rquickjs::Value = function.call((parameters,)).expect("it does not throw");
    let text = ctx.json_stringify(result).expect("it has a text").expect("it is JSON");
    composer::outcome(Value::from_json(&text.to_string().expect("it is UTF-8")).expect("JSON"))
}

/// Runs a `while` loop of 1,000 passes, each through Push, a Task, Choice and the Task in the
/// loop.
#[divan::bench(sample_count = 500)]
fn countdown_loop(bencher: Bencher<'_, '_>) {
    run::<countdown::Countdown>(bencher, &value!({ "n": 1000 }), &value!({ "n": 0 }));
}
