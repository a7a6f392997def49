//! The tasks of the workflow.

use serde::{Deserialize, Serialize};
use workflow_runtime::{Fault, OrFault, TaskContext, Value};

use crate::order;

/// The implementation of the tasks.
pub struct Tasks;

impl order::Tasks for Tasks {
    async fn quote(&self, input: Value, _cx: TaskContext) -> Result<QuoteOutput, Fault> {
        let pieces = input.get("pieces").and_then(Value::as_str).unwrap_or_default();
        let pieces: u32 = pieces.parse().or_fault("NoNumber")?;
        Ok(QuoteOutput { price: f64::from(pieces) * 2.5 })
    }

    async fn ask(&self, input: AskInput, cx: TaskContext) -> Result<Value, Fault> {
        let file = format!("{}.token", cx.execution_id());
        std::fs::write(file, &input.payload.token).or_task_failed()?;
        Ok(Value::Null)
    }
}

#[derive(Debug, Serialize)]
pub struct QuoteOutput {
    pub price: f64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct AskInput {
    pub payload: Question,
}

#[derive(Debug, Deserialize)]
pub struct Question {
    pub token: String,
}
