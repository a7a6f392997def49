//! The cost of JavaScript functions, from document to document. No cost may depend on the size of
//! values that a function does not read.
//!
//! `cargo bench -p workflow-runtime --features composer --bench javascript`

use std::hint::black_box;

use divan::Bencher;
use divan::counter::ItemsCount;
use workflow_runtime::__private::js::{self, Js, Run, Var};
use workflow_runtime::__private::{self as rt, Outcome};
use workflow_runtime::machine::{Execution, Program, Start};
use workflow_runtime::{Timestamp, Value, value};

fn main() {
    divan::main();
}

/// The number of calls in one execution.
const CALLS: usize = 1000;

/// A workflow that calls the function that its input names, many times.
struct Calls;

impl rt::Workflow for Calls {
    type State = State;
    const DEFINITION: &'static rt::Definition = &DEFINITION;
}

static DEFINITION: rt::Definition = rt::Definition {
    name: "calls",
    dialect: "composer",
    source: "calls.composer.json",
    hash: 1,
    states: &[rt::StateInfo::new("Call", "Task", 1, &[])],
    points: &POINTS,
    ..rt::Definition::VERSION_0_1_0
};

static POINTS: [rt::SuspensionPoint; 1] = [rt::SuspensionPoint::new("Start", "", 1)];

struct State(Value);

impl rt::Machine for State {
    const POINTS: &'static [rt::SuspensionPoint] = &POINTS;

    fn start(input: Value) -> State {
        State(input)
    }

    fn enter(self, turn: &mut rt::Turn<State>) -> rt::TurnResult<State> {
        let State(mut document) = self;
        let function: fn(&Run, Js, [Var; 0]) -> js::Result = match document.get("function").and_then(Value::as_str) {
            Some("increment") => increment,
            Some("increment nested") => increment_nested,
            Some("merge") => merge,
            Some("predicate") => predicate,
            _ => |_: &Run, params: Js, _: [Var; 0]| Ok(params),
        };
        // The result of a predicate is not the document.
        let keeps = document.get("function").and_then(Value::as_str) == Some("predicate");
        for _ in 0..CALLS {
            if keeps {
                js::run(black_box(&mut document.clone()), [], function, turn);
            } else {
                js::run(&mut document, [], function, turn);
            }
        }
        rt::done(document)
    }

    fn resume(self, _: Outcome, _: &mut rt::Turn<State>) -> rt::TurnResult<State> {
        rt::done(self.0)
    }

    fn point(&self) -> &'static rt::SuspensionPoint {
        &POINTS[0]
    }

    fn save(&self, w: &mut rt::Writer) {
        rt::Save::save(&self.0, w);
    }

    fn load(_: &str, r: &mut rt::Reader<'_>) -> Result<State, rt::LoadError> {
        rt::Load::load(r).map(State)
    }
}

/// `params => { params.count++; return params }`
fn increment(_: &Run, params: Js, []: [Var; 0]) -> js::Result {
    js::set(&params, "count", Js::from(js::number(&js::get(&params, "count")?)? + 1.0))?;
    Ok(params)
}

/// `params => { params.meta.count++; return params }`
fn increment_nested(_: &Run, params: Js, []: [Var; 0]) -> js::Result {
    let meta = js::get(&params, "meta")?;
    js::set(&meta, "count", Js::from(js::number(&js::get(&meta, "count")?)? + 1.0))?;
    Ok(params)
}

/// `params => Object.assign({}, params, { count: 1 })`
fn merge(run: &Run, params: Js, []: [Var; 0]) -> js::Result {
    js::builtin::object_assign(run, &[js::object([]), params, js::object([("count", Js::from(1.0))])])
}

/// `params => params.count % 2 === 0`
fn predicate(_: &Run, params: Js, []: [Var; 0]) -> js::Result {
    Ok(Js::from(js::number(&js::get(&params, "count")?)? % 2.0 == 0.0))
}

/// Returns a document of this many orders: 630 are about 90 KB.
fn document(function: &str, orders: i32) -> Value {
    let order = |n: i32| {
        value!({
            "orderId": format!("order-{n:06}"), "total": f64::from(n) * 1.25, "quantity": n % 7,
            "customer": {"name": format!("Customer {n}"), "vip": n % 10 == 0}, "tags": ["new", "web"],
        })
    };
    value!({
        "function": function, "count": 0, "meta": {"source": "import", "count": 0},
        "orders": (0..orders).map(order).collect::<Vec<_>>(),
    })
}

fn bench(bencher: Bencher, function: &str, orders: i32) {
    let input = document(function, orders);
    bencher.counter(ItemsCount::new(CALLS)).bench_local(|| {
        let execution: Box<dyn Execution> = Program::of::<Calls>().start(Start {
            seed: Some(1),
            time: Some(Timestamp::default()),
            ..Start::new(black_box(input.clone()))
        });
        execution
    });
}

const ORDERS: [i32; 3] = [0, 7, 630];

#[divan::bench(args = ORDERS)]
fn pass_on(bencher: Bencher, orders: i32) {
    bench(bencher, "pass on", orders);
}

#[divan::bench(args = ORDERS)]
fn increment_count(bencher: Bencher, orders: i32) {
    bench(bencher, "increment", orders);
}

#[divan::bench(args = ORDERS)]
fn increment_nested_count(bencher: Bencher, orders: i32) {
    bench(bencher, "increment nested", orders);
}

#[divan::bench(args = ORDERS)]
fn merge_into_new(bencher: Bencher, orders: i32) {
    bench(bencher, "merge", orders);
}

#[divan::bench(args = ORDERS)]
fn test_count(bencher: Bencher, orders: i32) {
    bench(bencher, "predicate", orders);
}
