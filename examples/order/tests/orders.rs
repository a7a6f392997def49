//! Tests of orders in virtual time: their outcomes, and the books afterwards.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use order::order::Order;
use order::shop::{Books, Shop};
use order::timeline::Timeline;
use order::types;
use workflow_runtime::clock::Clock;
use workflow_runtime::testing::{self, Mocks, Reply, VirtualClock};
use workflow_runtime::{Builder, Fault, Value, value};

const GOOD_CARD: &str = "4242 4242 4242 4242";
const EMPTY_CARD: &str = "4000 0000 0000 0002";

fn order(card: &str, sku: &str, quantity: u32) -> Value {
    let items = vec![types::Item { sku: sku.to_owned(), quantity }];
    let order = types::Order { id: 7, email: "ada@example.org".to_owned(), card: card.to_owned(), items };
    Value::serialize_from(&order).expect("a value")
}

/// Runs an order. Returns its outcome, the books afterwards, and its duration.
fn place(order: Value) -> (Result<Value, Fault>, Books, Duration) {
    let (shop, clock) = (Shop::default(), VirtualClock::new());
    let started = clock.now();
    let execution = Order::builder(&shop).name("test").clock(clock.clone()).reload_at_every_completion(true);
    let outcome = testing::block_on(execution.run(order)).expect("an end");
    (outcome, shop.books(), clock.now().since(started))
}

#[test]
fn a_good_order_is_charged_once_and_shipped_from_both_warehouses() {
    let (outcome, books, elapsed) = place(order(GOOD_CARD, "book", 2));
    let done = value!({ "order": 7, "paid": 50.0, "tracking": ["north-r-7", "south-r-7"] });
    assert_eq!(outcome, Ok(done));
    assert_eq!(books.charged.into_values().collect::<Vec<_>>(), [50.0]);
    assert_eq!(books.shipped, [(7, "north".to_owned()), (7, "south".to_owned())]);
    assert_eq!(books.receipts, ["ada@example.org"]);
    assert_eq!(elapsed, Duration::from_millis(200 + 1000 + 200 + 800 + 30_000));
}

#[test]
fn what_was_done_is_undone() {
    let cases = [
        (order(EMPTY_CARD, "book", 2), "OrderRejected", "order 7 was undone: CardDeclined", 3),
        (order(GOOD_CARD, "book", 50), "OrderRejected", "order 7 was undone: TruckFull", 1301),
        (order(GOOD_CARD, "piano", 3), "InvalidOrder", "order 7 is not taken: it comes to 12600", 0),
        (order(GOOD_CARD, "boat", 1), "InvalidOrder", "order 7 is not taken: there is no article `boat`", 0),
    ];
    for (order, error, cause, at_most) in cases {
        let (outcome, books, elapsed) = place(order);
        assert_eq!(outcome, Err(Fault::new(error, cause)));
        assert_eq!(books, Books::default(), "{cause}");
        assert!(elapsed <= Duration::from_secs(at_most), "{cause}: {elapsed:?}");
    }
}

#[test]
fn an_invalid_order_is_reported() {
    let (outcome, books, _) = place(value!({ "id": 7, "items": [] }));
    let fault = outcome.expect_err("no order");
    assert_eq!(fault.error(), Some("States.TaskFailed"));
    let cause = fault.cause().and_then(Value::as_str).unwrap_or_default();
    assert!(cause.contains("`ValidateOrder` does not match the type `Order`: missing field `email`"), "{cause}");
    assert_eq!(books, Books::default());
}

#[test]
fn a_lost_receipt_does_not_undo_the_order() {
    let mocks = Mocks::new()
        .task("ValidateOrder", [Reply::ok(value!({ "accepted": true, "total": 5, "remark": "" }))])
        .task("ReserveGoods", [Reply::ok(value!({ "id": "r" }))])
        .task("ChargeCard", [Reply::ok(value!({ "id": "p", "amount": 5 }))])
        .state("ShipFromNorth", [Reply::ok(value!({ "tracking": "n" }))])
        .state("ShipFromSouth", [Reply::ok(value!({ "tracking": "s" }))])
        .task("SendReceipt", (0..3).map(|_| Reply::error("NoSuchMailbox", "bounced")));
    let report = testing::run(Builder::<Order>::new(), &mocks, order(GOOD_CARD, "book", 1));
    assert_eq!(report.outcome, Ok(value!({ "order": 7, "paid": 5, "tracking": ["n", "s"] })));
    assert_eq!(mocks.unused(), []);
}

/// A writer whose clones share a buffer.
#[derive(Clone, Default)]
struct Page(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Page {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("a page").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn the_timeline_shows_retries_branches_and_handlers() {
    let (shop, page) = (Shop::default(), Page::default());
    let execution = Order::builder(&shop).clock(VirtualClock::new()).observer(Timeline::new(page.clone()));
    let outcome = testing::block_on(execution.run(order(GOOD_CARD, "book", 50)));
    assert!(matches!(outcome, Some(Err(_))), "{outcome:?}");
    let text = String::from_utf8(page.0.lock().expect("a page").clone()).expect("text");
    for line in [
        "     0.2 s  ReserveGoods: StoreBusy: somebody else is counting; retry 1 in 1 s\n",
        "    32.2 s    ShipFromSouth: TruckFull: no truck for 50 pieces; retry 1 in 600 s\n",
        "  1292.2 s  Ship: caught TruckFull: no truck for 50 pieces\n",
        "  1300.0 s  failed: OrderRejected: order 7 was undone: TruckFull\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
}
