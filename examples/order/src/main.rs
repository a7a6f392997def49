//! Runs three orders: one that succeeds, one whose card is declined, and one that is too large for
//! the truck.

use order::order::Order;
use order::shop::Shop;
use order::timeline::Timeline;
use workflow_runtime::testing::VirtualClock;
use workflow_runtime::{Value, value};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let orders: [(&str, Value); 3] = [
        (
            "a good order",
            value!({
                "id": 7, "email": "ada@example.org", "card": "4242 4242 4242 4242",
                "items": [{ "sku": "book", "quantity": 2 }, { "sku": "lamp", "quantity": 1 }]
            }),
        ),
        (
            "a declined card",
            value!({
                "id": 8, "email": "bob@example.org", "card": "4000 0000 0000 0002",
                "items": [{ "sku": "piano", "quantity": 1 }]
            }),
        ),
        (
            "a full truck",
            value!({
                "id": 9, "email": "eve@example.org", "card": "4242 4242 4242 4242",
                "items": [{ "sku": "book", "quantity": 50 }]
            }),
        ),
    ];
    let shop = Shop::default();
    for (title, order) in orders {
        println!("{title}");
        // The clock is virtual, so that twenty minutes of waiting for a truck pass at once. With
        // the real clock, they take twenty minutes.
        let execution = Order::builder(&shop)
            .name(title.replace(' ', "-"))
            .clock(VirtualClock::new())
            .observer(Timeline::new(std::io::stdout()));
        // The timeline has reported the outcome.
        let _outcome = execution.run(order).await;
        println!();
    }
    let books = shop.books();
    println!("on the books: {} charge, {} shipments", books.charged.len(), books.shipped.len());
}
