//! Functions of a composition in whose place a program has its own: a method, a closure and a
//! path, bound by the build script.

use serde::{Deserialize, Serialize};
use workflow_runtime::machine::Outcome;
use workflow_runtime::{Fault, TaskContext, Value, Variables, testing, value};

/// What the method is given.
#[derive(Deserialize)]
pub struct Order {
    /// How many.
    pub count: u32,
}

/// What it yields.
#[derive(Serialize)]
pub struct Priced {
    /// What they cost together.
    pub price: f64,
}

include!(concat!(env!("OUT_DIR"), "/prices.rs"));

/// What the build script names by its path.
pub fn round(params: Value, _: &mut Variables<'_>) -> Result<Value, Fault> {
    let price = params.get("price").and_then(Value::as_f64).unwrap_or_default();
    Ok(value!({ "price": price.floor() }))
}

struct Shop {
    each: f64,
}

impl prices::Tasks for Shop {
    async fn price(&self, order: Order, _: TaskContext) -> Result<Priced, Fault> {
        if order.count == 0 {
            return Err(Fault::new("Nothing", "is ordered"));
        }
        Ok(Priced { price: self.each * f64::from(order.count) })
    }
}

/// What comes of an input, whether the execution is saved and loaded in between or not.
fn run(input: Value) -> Outcome {
    let shop = Shop { each: 2.75 };
    let run = |reload| {
        let builder = prices::Prices::builder().reload_at_every_completion(reload);
        testing::block_on(builder.run(&prices::Prices::bind(&shop), input.clone()))
    };
    let plain = run(false);
    assert_eq!(run(true), plain);
    plain.expect("it ends")
}

#[test]
fn a_method_a_closure_and_a_path_stand_in() {
    assert_eq!(run(value!({ "count": 3 })), Ok(value!({ "price": 8.0, "asked": 10 })));
}

#[test]
fn a_fault_of_the_method_goes_to_the_handler() {
    assert_eq!(run(value!({ "count": 0 })), Ok(value!({ "refused": "Nothing: is ordered" })));
}

#[test]
fn the_task_has_the_name_of_the_function() {
    use workflow_runtime::Workflow as _;
    let tasks = prices::Prices::DEFINITION.tasks;
    let named: Vec<_> = tasks.iter().map(|task| (task.key, task.state, task.resource)).collect();
    assert_eq!(named, [("price", "price", "self.price")]);
}

/// What a program includes cannot have documentation of its own.
#[test]
fn a_comment_says_what_it_was_made_from() {
    let made = include_str!(concat!(env!("OUT_DIR"), "/prices.rs"));
    assert!(made.starts_with("// Generated from `prices.composer.json` by workflow-compiler "), "{made}");
}
