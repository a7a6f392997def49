//! A type that cannot go to the thread that a task runs on.

use serde::Deserialize;
use std::marker::PhantomData;
use workflow_runtime::{Fault, TaskContext, Value, include_workflow};

#[derive(Deserialize)]
pub struct Order {
    pub id: u64,
    place: PhantomData<*const u8>,
}

include_workflow!("flows/order.asl.json", tasks: { "ValidateOrder" => validate(Order) });

struct Shop;

impl order::Tasks for Shop {
    async fn validate(&self, order: Order, _: TaskContext) -> Result<Value, Fault> {
        Ok(order.id.into())
    }

    async fn charge_card(&self, input: Value, _: TaskContext) -> Result<Value, Fault> {
        Ok(input)
    }
}

fn main() {}
