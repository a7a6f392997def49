//! A task whose method takes another type than the binding says.

use serde::Deserialize;
use workflow_runtime::{Fault, TaskContext, Value, include_workflow};

#[derive(Deserialize)]
pub struct Order {
    pub id: u64,
}

#[derive(Deserialize)]
pub struct Cart {
    pub orders: Vec<Order>,
}

include_workflow!("flows/order.asl.json", tasks: { "ValidateOrder" => validate(Vec<Order>) });

struct Shop;

impl order::Tasks for Shop {
    async fn validate(&self, cart: Cart, _: TaskContext) -> Result<Value, Fault> {
        Ok(cart.orders.is_empty().into())
    }

    async fn charge_card(&self, input: Value, _: TaskContext) -> Result<Value, Fault> {
        Ok(input)
    }
}

fn main() {}
