//! The types of tasks: what the workflow gives them, and what they give back.

use serde::{Deserialize, Serialize};

/// What a customer sends.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Order {
    /// The number of the order.
    pub id: u64,
    /// Where the receipt goes.
    pub email: String,
    /// The number of the card.
    pub card: String,
    /// What is ordered.
    pub items: Vec<Item>,
}

/// A line of an order.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Item {
    /// The article.
    pub sku: String,
    /// How many.
    pub quantity: u32,
}

/// Whether an order can be taken, and at which price.
#[derive(Debug, Serialize)]
pub struct Validation {
    /// Whether it can.
    pub accepted: bool,
    /// The price of all of it.
    pub total: f64,
    /// Why not, if it cannot.
    pub remark: String,
}

/// What is to be charged.
#[derive(Debug, Deserialize)]
pub struct Charge {
    /// The number of the card.
    pub card: String,
    /// How much.
    pub amount: f64,
    /// What the customer's bank shows.
    pub reference: String,
}

/// A charge that was made.
#[derive(Debug, Serialize)]
pub struct Payment {
    /// By what it can be refunded.
    pub id: String,
    /// How much it was.
    pub amount: f64,
}

/// What a warehouse is to ship.
#[derive(Debug, Deserialize)]
pub struct Shipment {
    /// The warehouse.
    pub warehouse: String,
    /// The number of the order.
    pub order: u64,
    /// The goods.
    pub reservation: String,
}

/// A shipment under way.
#[derive(Debug, Serialize)]
pub struct Tracking {
    /// By what it can be followed.
    pub tracking: String,
}
