//! Sends four invoices: one that is paid at once, one that is paid after a reminder, one that is
//! never paid, and one without an amount.

use invoices::Office;
use invoices::invoice::Invoice;
use workflow_runtime::clock::Clock;
use workflow_runtime::testing::VirtualClock;
use workflow_runtime::{Value, value};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let lines = value!([
        { "text": "course", "quantity": 2, "price": 450, "rate": 19 },
        { "text": "book", "quantity": 3, "price": 24.9, "rate": 7 },
        { "text": "travel", "quantity": 1, "price": 120, "rate": 19 }
    ]);
    let invoices: [(&str, &str, Value); 4] = [
        ("2026-117", "4242 4242 4242 4242", lines.clone()),
        ("2026-118", "4000 0000 0000 9995", lines.clone()),
        ("2026-119", "4000 0000 0000 0002", lines),
        ("2026-120", "4242 4242 4242 4242", value!([{ "text": "sample", "quantity": 1, "price": 0, "rate": 19 }])),
    ];
    for (number, card, lines) in invoices {
        let office = Office::default();
        let clock = VirtualClock::new();
        let started = clock.now();
        let customer = value!({ "email": "ada@example.org", "card": card });
        let invoice = value!({ "number": number, "customer": customer, "lines": lines });
        // The clock is virtual, so that weeks pass at once.
        match Invoice::builder(&office).name(number).clock(clock.clone()).run(invoice).await {
            Ok(done) => println!("{done}"),
            Err(fault) => println!("{fault}"),
        }
        let days = clock.now().since(started).as_secs() / (24 * 60 * 60);
        for (_, letter) in office.files().letters {
            println!("    {}: {}", letter.subject, letter.text);
        }
        println!("    after {days} days");
    }
}
