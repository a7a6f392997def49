//! Charges a card with a task that has types of its own.

use serde::{Deserialize, Serialize};
use workflow_runtime::prelude::*;

#[derive(Deserialize)]
struct Charge {
    card: String,
    amount: f64,
}

#[derive(Serialize)]
struct Receipt {
    id: String,
    amount: f64,
}

include_workflow!(
    "flows/payment.asl.json",
    tasks: { "ChargeCard" => charge_card(Charge) -> Receipt },
);

struct Bank;

impl payment::Tasks for Bank {
    async fn charge_card(&self, charge: Charge, cx: TaskContext) -> Result<Receipt, Fault> {
        if charge.card == "4000 0000 0000 0002" {
            return Err(Fault::new("CardDeclined", "there is no money on the card"));
        }
        Ok(Receipt { id: cx.idempotency_key(), amount: charge.amount })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    for card in ["4242 4242 4242 4242", "4000 0000 0000 0002"] {
        let input = value!({ "card": card, "amount": 25 });
        match payment::Payment::run(&Bank, input).await {
            Ok(output) => println!("paid: {output}"),
            Err(fault) => println!("not paid: {fault}"),
        }
    }
}
