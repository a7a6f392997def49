//! The workflow of `payment.asl.json` with types for its input, its output and its task.

use serde::{Deserialize, Serialize};
use workflow_runtime::prelude::*;

/// The input of the workflow, and of its task.
#[derive(Serialize, Deserialize)]
struct Charge {
    card: String,
    amount: f64,
}

/// The result of the task.
#[derive(Serialize, Deserialize)]
struct Receipt {
    id: String,
    amount: f64,
}

/// The output of the workflow. Other members of the document are ignored.
#[derive(Deserialize)]
struct Paid {
    receipt: Receipt,
}

include_workflow!(
    "flows/payment.asl.json",
    tasks: { "ChargeCard" => charge_card(Charge) -> Receipt },
    input: Charge,
    output: Paid,
);

struct Bank;

impl payment::Tasks for Bank {
    async fn charge_card(&self, charge: Charge, cx: TaskContext) -> Result<Receipt, Fault> {
        if charge.card.is_empty() {
            return Err(Fault::new("CardDeclined", "the card has no number"));
        }
        Ok(Receipt { id: cx.idempotency_key(), amount: charge.amount })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Fault> {
    let charge = Charge { card: "4242 4242 4242 4242".to_owned(), amount: 25.0 };
    let paid: Paid = payment::Payment::run(&Bank, charge).await?;
    println!("paid {} with {}", paid.receipt.amount, paid.receipt.id);
    Ok(())
}
