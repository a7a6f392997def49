//! The manager: reads the questions in the queue, and answers each by its task token.
//!
//! She stands for a real channel: a web page, a chat, an e-mail with two links. The channel needs
//! only the token, and a clone of the [`Callbacks`] or a call of `serve`.

use serde::Deserialize;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedReceiver;
use workflow_runtime::{Callbacks, value};

/// A question for the manager.
#[derive(Debug, Deserialize)]
pub struct Question {
    /// The token that the answer needs.
    pub token: String,
    /// The employee who has spent the money.
    pub employee: String,
    /// The purpose of the expense.
    pub purpose: String,
    /// The amount.
    pub amount: f64,
    /// The number of earlier reminders.
    pub reminder: u32,
    /// The id of the execution. On Restate, the answer needs it together with the token.
    #[serde(default)]
    pub execution: String,
}

/// The largest amount that she approves.
const LIMIT: f64 = 500.0;

/// Starts a thread that simulates the manager. She takes the `pause` to open a question, and again
/// to think about it. Without `callbacks`, a person is the manager, and the question is printed
/// for that person.
pub fn start(mut questions: UnboundedReceiver<Question>, callbacks: Arc<OnceLock<Callbacks>>, pause: Duration) {
    thread::spawn(move || {
        while let Some(question) = questions.blocking_recv() {
            let Some(callbacks) = callbacks.get() else {
                hand_on(&question);
                continue;
            };
            thread::sleep(pause);
            // A question whose task has timed out needs no answer.
            if callbacks.heartbeat(&question.token).is_err() {
                continue;
            }
            thread::sleep(pause);
            let answer = value!({ "approved": question.amount <= LIMIT, "by": "the manager" });
            let _abandoned = callbacks.succeed(&question.token, answer);
        }
    });
}

fn hand_on(question: &Question) {
    let Question { token, employee, purpose, amount, execution, .. } = question;
    eprintln!("{employee} has spent {amount} on {purpose}: is that approved?");
    eprintln!("  to `serve`: POST /callbacks/{token}/succeed with {{\"approved\": true}}");
    eprintln!("  on Restate: approval succeed {execution} {token} '{{\"approved\": true}}' --engine restate");
    eprintln!("  otherwise, when this has ended: approval succeed {token} '{{\"approved\": true}}'");
}
