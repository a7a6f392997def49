//! Serves a workflow to a Restate server on this machine, and registers it there.
//!
//! Arguments: the address to serve at, the server's ingress, and its admin interface.

use tokio::net::TcpListener;
use workflow_restate::{Client, Endpoint};
use workflow_runtime::prelude::*;

include_workflow!("flows/orders.asl.json");

use orders::Orders;

struct Shop;

impl orders::Tasks for Shop {
    async fn charge(&self, order: Value, cx: TaskContext) -> Result<Value, Fault> {
        println!("{}: charged", cx.execution_id());
        // External effects are idempotent by key, because a task that a crash interrupts runs
        // again.
        Ok(value!({ "payment": cx.idempotency_key(), "amount": order.get("amount").cloned().unwrap_or_default() }))
    }

    async fn pack(&self, item: Value, cx: TaskContext) -> Result<Value, Fault> {
        println!("{}: packed {item}", cx.execution_id());
        Ok(value!({ "parcel": item }))
    }

    async fn ship(&self, order: Value, cx: TaskContext) -> Result<Value, Fault> {
        println!("{}: shipped", cx.execution_id());
        Ok(order)
    }
}

static SHOP: Shop = Shop;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut argument = |default: &str| arguments.next().unwrap_or_else(|| default.to_owned());
    let address = argument("127.0.0.1:9080");
    let client = Client::new(argument("http://127.0.0.1:8080"), argument("http://127.0.0.1:9070"));
    let endpoint =
        Endpoint::new().workflow::<Orders>(Orders::bind(&SHOP)).register(&client, format!("http://{address}"));
    println!("serving {} at {address}", client.workflow::<Orders>().name());
    match endpoint.serve(TcpListener::bind(address).await?).await? {}
}
