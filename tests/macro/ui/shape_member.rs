//! A definition that reads members that the output of a task never has.

use serde::Serialize;
use workflow_runtime::{Fault, Shape, TaskContext, Value, include_workflow};

#[derive(Serialize, Shape)]
pub struct Receipt {
    id: String,
    amount: f64,
    address: Address,
    items: Vec<Item>,
}

#[derive(Serialize, Shape)]
pub struct Address {
    street: String,
}

#[derive(Serialize, Shape)]
pub struct Item {
    price: u32,
}

include_workflow!("flows/receipt.asl.json", tasks: { "ChargeCard" => charge_card -> Receipt });

struct Shop;

impl receipt::Tasks for Shop {
    async fn charge_card(&self, _: Value, _: TaskContext) -> Result<Receipt, Fault> {
        Err(Fault::new("NoCard", ""))
    }
}

fn main() {}
