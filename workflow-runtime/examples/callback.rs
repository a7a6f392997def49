//! Waits for an answer that arrives by a task token.

use serde::{Deserialize, Serialize};
use std::sync::mpsc::{Sender, channel};
use workflow_runtime::prelude::*;

#[derive(Serialize)]
struct Expense {
    amount: f64,
}

#[derive(Deserialize)]
struct Answer {
    approved: bool,
}

/// What the manager receives.
#[derive(Deserialize)]
struct Question {
    amount: f64,
    token: String,
}

include_workflow!(
    "flows/approval.asl.json",
    tasks: { "Approve" => ask(Question) -> Value },
    input: Expense,
    output: Answer,
);

struct Office {
    manager: Sender<Question>,
}

impl approval::Tasks for Office {
    /// Asks the question. The output is ignored: the answer arrives by the token.
    async fn ask(&self, question: Question, _: TaskContext) -> Result<Value, Fault> {
        self.manager.send(question).or_fault("Office.Closed")?;
        Ok(Value::Null)
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (manager, questions) = channel();
    let callbacks = Callbacks::new();
    let answers = callbacks.clone();
    std::thread::spawn(move || {
        for Question { amount, token } in questions {
            // Usually, the token travels: in a message, or in a link. Here it comes back at once.
            let answer = answers.succeed(&token, value!({ "approved": amount < 100.0 }));
            answer.expect("the execution waits for this token");
        }
    });
    let office = Office { manager };
    let execution = approval::Approval::builder(&office).name("expense-17").callbacks(&callbacks);
    let answer: Answer = execution.run(Expense { amount: 42.5 }).await?;
    println!("approved: {}", answer.approved);
    Ok(())
}
