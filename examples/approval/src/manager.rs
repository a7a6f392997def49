//! The manager: reads the questions in the queue, and answers each by its task token.
//!
//! She stands for whatever answers in earnest: a web page, a chat, an e-mail with two links. All it needs is the token and
//! a clone of the [`Callbacks`].

use serde::Deserialize;
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
}

/// What she approves without asking back.
const LIMIT: f64 = 500.0;

/// Lets her work on a thread of her own. She takes the `pause` to open a question, and again to think about it.
pub fn start(mut questions: UnboundedReceiver<Question>, callbacks: Callbacks, pause: Duration) {
    thread::spawn(move || {
        while let Some(question) = questions.blocking_recv() {
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
