//! The types of tasks: their inputs and their outputs. rustc checks the paths of the definition
//! into the outputs, whose types derive `Shape`.

use serde::{Deserialize, Serialize};
use workflow_runtime::Shape;

/// An order as the customer sends it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Order {
    /// The number of the order.
    pub id: u64,
    /// The address for the receipt.
    pub email: String,
    /// The number of the card.
    pub card: String,
    /// The articles.
    pub items: Vec<Item>,
}

/// A line of an order.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Item {
    /// The article.
    pub sku: String,
    /// The number of pieces.
    pub quantity: u32,
}

/// The result of the validation.
#[derive(Debug, Serialize, Shape)]
pub struct Validation {
    /// `true` if the order is accepted.
    pub accepted: bool,
    /// The price of the whole order.
    pub total: f64,
    /// The reason for a refusal.
    pub remark: String,
}

/// A request to charge a card.
#[derive(Debug, Deserialize)]
pub struct Charge {
    /// The number of the card.
    pub card: String,
    /// The amount.
    pub amount: f64,
    /// The text on the customer's statement.
    pub reference: String,
}

/// A completed charge.
#[derive(Debug, Serialize, Shape)]
pub struct Payment {
    /// The id of the charge, for a refund.
    pub id: String,
    /// The amount.
    pub amount: f64,
}

/// A request to ship goods.
#[derive(Debug, Deserialize)]
pub struct Shipment {
    /// The warehouse.
    pub warehouse: String,
    /// The number of the order.
    pub order: u64,
    /// The reserved goods.
    pub reservation: String,
}

/// A shipment in transit.
#[derive(Debug, Serialize, Shape)]
pub struct Tracking {
    /// The tracking number.
    pub tracking: String,
}
