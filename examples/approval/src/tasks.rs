//! The tasks of the workflow.

use tokio::sync::mpsc::UnboundedSender;
use workflow_runtime::{Fault, OrFault, TaskContext, Value, value};

use crate::approval;
use crate::manager::Question;

/// The tasks.
pub struct Tasks {
    queue: UnboundedSender<Question>,
}

impl Tasks {
    /// Returns tasks that put questions into this queue.
    pub fn new(queue: UnboundedSender<Question>) -> Tasks {
        Tasks { queue }
    }
}

impl approval::Tasks for Tasks {
    /// `sqs:sendMessage`, invoked by `AskManager` (`flows/approval.asl.json:13`).
    ///
    /// Completes when the question is in the queue. The result of the state is the answer, which
    /// arrives by the token.
    async fn sqs_send_message(&self, input: Value, cx: TaskContext) -> Result<Value, Fault> {
        let body = input.get("MessageBody").cloned().unwrap_or_default();
        let mut question: Question = body.deserialize_into().or_task_failed()?;
        question.execution = cx.execution_id().to_string();
        self.queue.send(question).or_fault("NoQueue")?;
        Ok(Value::Null)
    }

    /// `BookExpense`, invoked by `BookExpense` (`flows/approval.asl.json:43`).
    ///
    /// Returns the number of the booking. A real program keeps its books elsewhere, and uses the
    /// idempotency key so that a repeated call makes no second booking.
    async fn book_expense(&self, input: Value, cx: TaskContext) -> Result<Value, Fault> {
        let outcome = input.get("outcome").cloned().unwrap_or_default();
        Ok(value!({ "booking": cx.idempotency_key(), "outcome": outcome }))
    }
}
