//! Tests of invoices in virtual time.

use std::time::Duration;

use invoices::invoice::Invoice;
use invoices::{Files, Office, Tax};
use workflow_runtime::clock::Clock;
use workflow_runtime::testing::{self, VirtualClock};
use workflow_runtime::{Fault, Timestamp, Value, value};

const DAY: u64 = 24 * 60 * 60;
const ADDRESS: &str = "ada@example.org";

/// The outcome of an execution, the files afterwards, its start, and its duration.
type Sent = (Result<Value, Fault>, Files, Timestamp, Duration);

/// Sends an invoice.
fn send(email: &str, card: &str, lines: Value) -> Sent {
    let (office, clock) = (Office::default(), VirtualClock::new());
    let started = clock.now();
    let customer = value!({ "email": email, "card": card });
    let execution = Invoice::builder(&office).name("test").clock(clock.clone()).reload_at_every_completion(true);
    let invoice = value!({ "number": "2026-1", "customer": customer, "lines": lines });
    let outcome = testing::block_on(execution.run(invoice)).expect("an end");
    (outcome, office.files(), started, clock.now().since(started))
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
    let (outcome, files, _, elapsed) = send(ADDRESS, "4242 4242 4242 4242", lines());
    let total = 1293.73;
    let done = value!({ "invoice": "2026-1", "total": total, "receipt": "r-2026-1", "booked": [19, 7] });
    assert_eq!(outcome, Ok(done));
    assert_eq!(files.paid, [total]);
    assert_eq!(files.taxes, [Tax { rate: 19.0, amount: 193.8 }, Tax { rate: 7.0, amount: 5.23 }]);
    let (_, letter) = &files.letters[0];
    assert_eq!((&*letter.subject, &*letter.text), ("Invoice 2026-1", "Please pay 1,293.73 within 14 days."));
    assert_eq!(elapsed, Duration::ZERO);
}

#[test]
fn an_invoice_is_given_up_three_weeks_after_it_is_sent() {
    let (outcome, files, started, elapsed) = send(ADDRESS, "4000 0000 0000 0002", lines());
    assert_eq!(outcome, Err(Fault::new("Unpaid", "invoice 2026-1 is not paid: insufficient funds")));
    let letters = files.letters.iter().map(|(sent, letter)| (sent.since(started).as_secs() / DAY, &*letter.subject));
    let expected = [(0, "Invoice 2026-1"), (0, "Reminder 1 for invoice 2026-1"), (7, "Reminder 2 for invoice 2026-1")];
    assert!(letters.eq(expected), "{:?}", files.letters);
    assert_eq!((elapsed, files.paid), (Duration::from_secs(21 * DAY), Vec::new()));
}

#[test]
fn a_letter_to_a_busy_mailbox_is_sent_again_a_minute_later() {
    let email = "grace@example.org";
    let (outcome, files, _, elapsed) = send(email, "4242 4242 4242 4242", lines());
    assert!(outcome.is_ok(), "{outcome:?}");
    assert_eq!((files.letters.len(), &files.busy[..]), (1, &[email.to_owned()][..]));
    assert_eq!(elapsed, Duration::from_secs(60));
}

#[test]
fn an_invoice_is_paid_after_a_reminder() {
    let (outcome, files, _, elapsed) = send(ADDRESS, "4000 0000 0000 9995", lines());
    assert!(outcome.is_ok(), "{outcome:?}");
    assert_eq!((elapsed, files.paid.len()), (Duration::from_secs(7 * DAY), 1));
}

#[test]
fn an_invoice_without_an_amount_is_not_sent() {
    let (outcome, files, ..) =
        send(ADDRESS, "4242 4242 4242 4242", value!([{ "quantity": 1, "price": 0, "rate": 19 }]));
    assert_eq!(outcome, Ok(value!({ "invoice": "2026-1", "total": 0, "receipt": null, "booked": [] })));
    assert_eq!(files, Files::default());
}
