//! Paths into types with parameters, renamed and flattened fields, and a type without a shape,
//! where a build script compiled the definition. The two errors are those of the renamed fields.

use serde::Serialize;
use workflow_runtime::{Shape, Value};

#[derive(Serialize, Shape)]
pub struct Receipt<T> {
    #[serde(rename = "id")]
    pub number: u64,
    #[serde(flatten)]
    pub total: Total,
    pub address: Foreign,
    pub items: Vec<T>,
}

#[derive(Serialize, Shape)]
#[serde(rename_all = "UPPERCASE")]
pub struct Total {
    #[serde(rename = "amount")]
    pub ammount: f64,
    pub currency: String,
}

/// A type without a shape, which is written as any JSON.
#[derive(Serialize)]
pub struct Foreign(pub Value);

#[derive(Serialize, Shape)]
pub struct Item {
    #[serde(rename = "prize")]
    pub price: u32,
}

include!("../generated/receipt.snap.rs");

fn main() {}
