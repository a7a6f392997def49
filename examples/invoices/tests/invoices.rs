//! Tests of invoices in virtual time.

use std::time::Duration;

use invoices::invoice::Invoice;
use invoices::{Files, Office, Tax};
use workflow_runtime::clock::Clock;
use workflow_runtime::testing::{self, VirtualClock};
use workflow_runtime::{Fault, Value, value};

const DAY: u64 = 24 * 60 * 60;

/// Sends an invoice. Returns its outcome, the files afterwards, and its duration.
fn send(card: &str, lines: Value) -> (Result<Value, Fault>, Files, Duration) {
    let (office, clock) = (Office::default(), VirtualClock::new());
    let started = clock.now();
    let customer = value!({ "email": "ada@example.org", "card": card });
    let execution = Invoice::builder(&office).name("test").clock(clock.clone()).reload_at_every_completion(true);
    let invoice = value!({ "number": "2026-1", "customer": customer, "lines": lines });
    let outcome = testing::block_on(execution.run(invoice)).expect("an end");
    (outcome, office.files(), clock.now().since(started))
}

fn lines() -> Value {
    value!([
        { "quantity": 2, "price": 450, "rate": 19 },
        { "quantity": 3, "price": 24.9, "rate": 7 },
        { "quantity": 1, "price": 120, "rate": 19 }
    ])
}

#[test]
fn an_invoice_is_paid_and_its_taxes_are_booked_by_rate() {
    let (outcome, files, elapsed) = send("4242 4242 4242 4242", lines());
    let total = 1293.73;
    let done = value!({ "invoice": "2026-1", "total": total, "receipt": "r-2026-1", "booked": [19, 7] });
    assert_eq!(outcome, Ok(done));
    assert_eq!(files.paid, [total]);
    assert_eq!(files.taxes, [Tax { rate: 19.0, amount: 193.8 }, Tax { rate: 7.0, amount: 5.23 }]);
    let letter = &files.letters[0];
    assert_eq!((&*letter.subject, &*letter.text), ("Invoice 2026-1", "Please pay 1,293.73 within 14 days."));
    assert_eq!(elapsed, Duration::ZERO);
}

#[test]
fn a_customer_receives_two_reminders_a_week_and_two_weeks_apart() {
    let (outcome, files, elapsed) = send("4000 0000 0000 0002", lines());
    assert_eq!(outcome, Err(Fault::new("Unpaid", "invoice 2026-1 is not paid: insufficient funds")));
    let subjects: Vec<&str> = files.letters.iter().map(|letter| &*letter.subject).collect();
    assert_eq!(subjects, ["Invoice 2026-1", "Reminder 1 for invoice 2026-1", "Reminder 2 for invoice 2026-1"]);
    assert_eq!((elapsed, files.paid), (Duration::from_secs(21 * DAY), Vec::new()));
}

#[test]
fn an_invoice_is_paid_after_a_reminder() {
    let (outcome, files, elapsed) = send("4000 0000 0000 9995", lines());
    assert!(outcome.is_ok(), "{outcome:?}");
    assert_eq!((elapsed, files.paid.len()), (Duration::from_secs(7 * DAY), 1));
}

#[test]
fn an_invoice_without_an_amount_is_not_sent() {
    let (outcome, files, _) = send("4242 4242 4242 4242", value!([{ "quantity": 1, "price": 0, "rate": 19 }]));
    assert_eq!(outcome, Ok(value!({ "invoice": "2026-1", "total": 0, "receipt": null, "booked": [] })));
    assert_eq!(files, Files::default());
}
