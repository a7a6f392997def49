//! A task whose result is of another type than the binding says.

use serde::{Deserialize, Serialize};
use workflow_runtime::{Fault, TaskContext, Value, include_workflow};

#[derive(Deserialize)]
struct Order {
    id: u64,
}

#[derive(Serialize)]
struct Validation {
    ok: bool,
}

// The workflow's own type is called `Order`, too.
include_workflow!(
    "flows/order.asl.json",
    tasks: { "ValidateOrder" => validate(Order) -> Validation },
);

struct Shop;

impl order::Tasks for Shop {
    async fn validate(&self, order: Order, _: TaskContext) -> Result<bool, Fault> {
        Ok(order.id > 0)
    }

    async fn charge_card(&self, input: Value, _: TaskContext) -> Result<Value, Fault> {
        Ok(input)
    }
}

fn main() {
    let _ = Validation { ok: true };
}
