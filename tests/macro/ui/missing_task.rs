//! A program that lacks a task.

use workflow_runtime::{Fault, TaskContext, Value, include_workflow};

include_workflow!("flows/order.asl.json");

struct Shop;

impl order::Tasks for Shop {
    async fn validate_order(&self, input: Value, _: TaskContext) -> Result<Value, Fault> {
        Ok(input)
    }
}

fn main() {}
