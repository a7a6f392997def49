//! The manager: reads the questions in the queue, and answers each by its task token.
//!
//! She stands for whatever answers in earnest: a web page, a chat, an e-mail with two links. All
//! it needs is the token, and a clone of the [`Callbacks`] or a call of `serve`.

use serde::Deserialize;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedReceiver;
use workflow_runtime::{Callbacks, value};

/// What she is asked.
#[derive(Debug, Deserialize)]
pub struct Question {
    /// Goes back with the answer.
    pub token: String,
    /// Who has spent the money.
    pub employee: String,
    /// What for.
    pub purpose: String,
    /// How much.
    pub amount: f64,
    /// How often she has been asked before.
    pub reminder: u32,
    /// The execution that asks: on Restate, it goes back with the token.
    #[serde(default)]
    pub execution: String,
}

/// What she approves without asking back.
const LIMIT: f64 = 500.0;

/// Lets her work on a thread of her own. She takes the `pause` to open a question, and again to
/// think about it. Without `callbacks` she is real, and the question is handed on to her.
pub fn start(mut questions: UnboundedReceiver<Question>, callbacks: Arc<OnceLock<Callbacks>>, pause: Duration) {
    thread::spawn(move || {
        while let Some(question) = questions.blocking_recv() {
            let Some(callbacks) = callbacks.get() else {
                hand_on(&question);
                continue;
            };
            thread::sleep(pause);
            // A question that was given up meanwhile needs no answer.
            if callbacks.heartbeat(&question.token).is_err() {
                continue;
            }
            thread::sleep(pause);
            let answer = value!({ "approved": question.amount <= LIMIT, "by": "the manager" });
            let _given_up = callbacks.succeed(&question.token, answer);
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
