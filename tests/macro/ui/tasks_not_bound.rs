//! An implementation of `Tasks` where a dispatcher of tasks is expected.

use workflow_runtime::{Builder, Fault, TaskContext, Value, include_workflow};

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

fn main() {
    let _ = Builder::<order::Order>::new().tasks(&Shop).run(Value::Null);
}
