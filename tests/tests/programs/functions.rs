//! A composition some of whose functions the program replaces, with a method, a closure and a path
//! that the build script binds.

use serde::{Deserialize, Serialize};
use workflow_runtime::machine::Outcome;
use workflow_runtime::{Fault, TaskContext, Value, Variables, testing, value};

/// The input of the method.
#[derive(Deserialize)]
pub struct Order {
    /// The number of pieces.
    pub count: u32,
}

/// The output of the method.
#[derive(Serialize)]
pub struct Priced {
    /// The price of all pieces.
    pub price: f64,
}

include!(concat!(env!("OUT_DIR"), "/prices.rs"));

/// The function that the build script names by its path.
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

/// Runs the composition on an input. Checks that saving and loading does not change the outcome.
fn run(input: Value) -> Outcome {
    let shop = Shop { each: 2.75 };
    let run = |reload| {
        let builder = prices::Prices::builder(&shop).reload_at_every_completion(reload);
        testing::block_on(builder.run(input.clone()))
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

/// An included file cannot have documentation of its own.
#[test]
fn a_comment_says_what_it_was_made_from() {
    let made = include_str!(concat!(env!("OUT_DIR"), "/prices.rs"));
    assert!(made.starts_with("// Generated from `prices.composer.json` by workflow-compiler "), "{made}");
}
