//! The example `order`, with a misspelt member of a payment in its definition.

#[path = "../../../examples/order/src/types.rs"]
mod types;

use types::{Charge, Payment, Shipment, Tracking, Validation};

workflow_runtime::include_workflow!(
    "flows/order_misspelt.asl.json",
    tasks: {
        "ValidateOrder" => validate_order(types::Order) -> Validation,
        "ChargeCard" => charge_card(Charge) -> Payment,
        "ShipGoods" => ship_goods(Shipment) -> Tracking,
    },
);

fn main() {}
