//! An order: payment, retries, shipping from two warehouses at the same time, and compensation
//! when something fails.
//!
//! The macro compiles `flows/order.asl.json` to the module [`order`]. Three of its tasks have
//! types of this program, the others take and return [`Value`](workflow_runtime::Value)s.

pub mod shop;
pub mod timeline;
pub mod types;

use types::{Charge, Order, Payment, Shipment, Tracking, Validation};

workflow_runtime::include_workflow!(
    "flows/order.asl.json",
    tasks: {
        "ValidateOrder" => validate_order(Order) -> Validation,
        "ChargeCard" => charge_card(Charge) -> Payment,
        "ShipGoods" => ship_goods(Shipment) -> Tracking,
    },
);
