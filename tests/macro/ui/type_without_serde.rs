//! Types that cannot be read from data, or written as it.

use workflow_runtime::{Fault, TaskContext, Value, include_workflow};

pub struct Order {
    pub id: u64,
}

pub struct Validation {
    pub ok: bool,
}

include_workflow!(
    "flows/order.asl.json",
    input: Order,
    output: Validation,
    tasks: { "ValidateOrder" => validate(Vec<Order>) -> Validation },
);

struct Shop;

impl order::Tasks for Shop {
    async fn validate(&self, orders: Vec<Order>, _: TaskContext) -> Result<Validation, Fault> {
        Ok(Validation { ok: !orders.is_empty() })
    }

    async fn charge_card(&self, input: Value, _: TaskContext) -> Result<Value, Fault> {
        Ok(input)
    }
}

fn main() {}
