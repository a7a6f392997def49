//! A path into a type with parameters. What is in a type without a shape is not checked.

use serde::Serialize;
use workflow_runtime::{Shape, include_workflow};

#[derive(Serialize, Shape)]
pub struct Page<T, A> {
    id: u32,
    ammount: f64,
    address: A,
    items: Vec<T>,
}

#[derive(Serialize, Shape)]
pub struct Item {
    prize: u32,
}

/// A type without a shape, which is written as any JSON.
#[derive(Serialize)]
pub struct Foreign(workflow_runtime::Value);

pub mod unchecked {
    use super::*;

    include_workflow!("flows/receipt.asl.json", tasks: { "ChargeCard" => charge_card -> Page<Foreign, String> });
}

pub mod checked {
    use super::*;

    include_workflow!("flows/receipt.asl.json", tasks: { "ChargeCard" => charge_card -> Page<Item, String> });
}

fn main() {}
