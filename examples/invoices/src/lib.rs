//! Invoices: amounts and taxes by rate, letters, payment, and reminders. All expressions of the
//! definition are in JSONata, and become Rust.
//!
//! The macro compiles `flows/invoice.asl.yaml` to the module [`invoice`].

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use workflow_runtime::{Fault, TaskContext, Timestamp, Value};

workflow_runtime::include_workflow!(
    "flows/invoice.asl.yaml",
    tasks: {
        "send-letter" => send_letter(Letter),
        "charge-card" => charge_card(Charge) -> Payment,
        "book-tax" => book_tax(Tax),
    },
);

/// A letter to a customer.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Letter {
    /// The address.
    pub to: String,
    /// The subject.
    pub subject: String,
    /// The text.
    pub text: String,
}

/// A request to charge a card.
#[derive(Debug, Deserialize)]
pub struct Charge {
    /// The number of the card.
    pub card: String,
    /// The amount.
    pub amount: f64,
    /// The number of the invoice.
    pub reference: String,
}

/// A completed charge.
#[derive(Debug, Serialize)]
pub struct Payment {
    /// The id of the receipt.
    pub receipt: String,
}

/// The tax of an invoice at one rate.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Tax {
    /// The rate in percent.
    pub rate: f64,
    /// The amount.
    pub amount: f64,
}

/// An office that performs the tasks. It keeps everything in memory.
#[derive(Debug, Default)]
pub struct Office(Mutex<Files>);

/// The files of the office.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Files {
    /// Letters that the office has sent, and when.
    pub letters: Vec<(Timestamp, Letter)>,
    /// Addresses whose mailboxes were busy.
    pub busy: Vec<String>,
    /// Amounts that customers have paid.
    pub paid: Vec<f64>,
    /// Booked taxes.
    pub taxes: Vec<Tax>,
}

/// A card that the bank always declines.
const EMPTY_CARD: &str = "4000 0000 0000 0002";
/// A card that the bank declines until the customer has received a reminder.
const LATE_CARD: &str = "4000 0000 0000 9995";

/// An address whose mailbox is busy at the first letter.
const BUSY_ADDRESS: &str = "grace@example.org";

impl Office {
    /// Returns a copy of the files.
    pub fn files(&self) -> Files {
        self.open().clone()
    }

    fn open(&self) -> MutexGuard<'_, Files> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl invoice::Tasks for Office {
    async fn send_letter(&self, letter: Letter, cx: TaskContext) -> Result<Value, Fault> {
        let mut files = self.open();
        if letter.to == BUSY_ADDRESS && files.busy.is_empty() {
            files.busy.push(letter.to);
            return Err(Fault::new("MailboxBusy", "too many letters at the same time"));
        }
        files.letters.push((cx.now(), letter));
        Ok(Value::Null)
    }

    async fn charge_card(&self, charge: Charge, _cx: TaskContext) -> Result<Payment, Fault> {
        let mut files = self.open();
        let was_reminded = files.letters.iter().any(|(_, letter)| letter.subject.starts_with("Reminder"));
        if charge.card == EMPTY_CARD || charge.card == LATE_CARD && !was_reminded {
            return Err(Fault::new("CardDeclined", "insufficient funds"));
        }
        files.paid.push(charge.amount);
        Ok(Payment { receipt: format!("r-{}", charge.reference) })
    }

    async fn book_tax(&self, tax: Tax, _cx: TaskContext) -> Result<Value, Fault> {
        self.open().taxes.push(tax);
        Ok(Value::Null)
    }
}
