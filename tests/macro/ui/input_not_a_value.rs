//! A type of the program where the workflow takes a `Value`.

use workflow_runtime::{Fault, TaskContext, Value, include_workflow};

include_workflow!("flows/order.asl.json");

struct Shop;

impl order::Tasks for Shop {
    async fn validate_order(&self, _: Value, _: TaskContext) -> Result<Value, Fault> {
        Ok(Value::Null)
    }

    async fn charge_card(&self, _: Value, _: TaskContext) -> Result<Value, Fault> {
        Ok(Value::Null)
    }
}

struct Purchase;

fn main() {
    let _ = order::Order::run(&Shop, Purchase);
    let _ = order::Order::builder(&Shop).run(Purchase);
}
