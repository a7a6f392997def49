//! Tests of the workflow with its own tasks: the manager answers by token, and heartbeats keep a
//! question open.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use approval::approval::Approval;
use approval::manager::{self, Question};
use approval::tasks::Tasks;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use workflow_runtime::testing::VirtualClock;
use workflow_runtime::{Builder, Callbacks, Fault, Value, value};

/// Returns the builder of an execution, with a clock that only the test advances.
fn execution(callbacks: &Callbacks) -> (Builder<Approval>, VirtualClock) {
    let clock = VirtualClock::new().steered();
    (Builder::<Approval>::new().clock(clock.clone()).callbacks(callbacks), clock)
}

fn expense(amount: i64) -> Value {
    value!({ "employee": "ada", "purpose": "train to Basel", "amount": amount })
}

#[tokio::test]
async fn the_manager_answers_from_another_thread() {
    let callbacks = Callbacks::new();
    let (queue, questions) = unbounded_channel();
    manager::start(questions, Arc::new(OnceLock::from(callbacks.clone())), Duration::from_millis(5));
    let tasks = Tasks::new(queue);
    for (amount, outcome) in [(20, "approved"), (180, "approved"), (720, "declined")] {
        let (execution, _clock) = execution(&callbacks);
        let booked = execution.tasks(Approval::bind(&tasks)).run(expense(amount)).await.expect("an answer");
        assert_eq!(booked.get("outcome"), Some(&outcome.into()), "{amount}");
    }
}

/// Keeps the question open with heartbeats for five days, and then declines.
async fn think_it_over(
    mut questions: UnboundedReceiver<Question>,
    callbacks: Callbacks,
    clock: VirtualClock,
) -> Question {
    let question = questions.recv().await.expect("a question");
    for _ in 0..6 {
        clock.advance(Duration::from_secs(20 * 3600));
        callbacks.heartbeat(&question.token).expect("the question is open");
        tokio::task::yield_now().await;
    }
    callbacks.fail(&question.token, Fault::new("OnHoliday", "ask my deputy")).expect("the question is open");
    question
}

#[tokio::test]
async fn signs_of_life_keep_a_question_open() {
    let callbacks = Callbacks::new();
    let (queue, questions) = unbounded_channel();
    let tasks = Tasks::new(queue);
    let (execution, clock) = execution(&callbacks);
    let bound = Approval::bind(&tasks);
    let run = execution.tasks(&bound).run(expense(180));
    let (booked, question) = tokio::join!(run, think_it_over(questions, callbacks.clone(), clock));
    assert_eq!(question.reminder, 0);
    // This version does not ask the deputy. Any failure by the manager counts as an unanswered
    // question.
    assert_eq!(booked.expect("a booking").get("outcome"), Some(&"unanswered".into()));
}
