//! A shop with an HTTP server of its own, which starts executions of two workflows. The workflows
//! and the requests share a database, the stock.

pub mod server;
pub mod stock;
pub mod tasks;

use std::path::Path;
use std::sync::Arc;

use stock::{Line, Parcel, Stock};
use tasks::Shop;
use workflow_runtime::include_workflow;
use workflow_sqlite::{Engine, Error};

include_workflow!(
    "flows/order.asl.json",
    tasks: { "Reserve" => reserve(Line), "sqs:sendMessage" => ask_packer(Parcel) },
);
include_workflow!("flows/restock.asl.json", tasks: { "Add" => add(Line) });

use order::Order;
use restock::Restock;

/// Opens the database of executions, and continues those that have not ended.
///
/// # Errors
///
/// Fails if the database cannot be opened, for example because another process has it.
pub async fn open(database: impl AsRef<Path>, stock: &Stock) -> Result<Engine, Error> {
    let shop = Arc::new(Shop::new(stock.clone()));
    let engine =
        Engine::at(database).workflow::<Order>(Order::bind(shop.clone())).workflow::<Restock>(Restock::bind(shop));
    engine.open().await
}
