//! Runs three orders: one that goes well, one whose card is declined, and one that is too much for
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
        // Twenty minutes of waiting for a truck pass at once here: without this clock, they take
        // twenty minutes.
        let execution = Order::builder()
            .name(title.replace(' ', "-"))
            .clock(VirtualClock::new())
            .observer(Timeline::new(std::io::stdout()));
        // The timeline has told how it ended.
        let _outcome = execution.run(&Order::bind(&shop), order).await;
        println!();
    }
    let books = shop.books();
    println!("on the books: {} charge, {} shipments", books.charged.len(), books.shipped.len());
}
