//! Redrives of failed executions.

use workflow_runtime::engine::{Capability, EngineError};

use crate::Verdict;
use crate::case::Case;
use crate::expect::{equal, refused};

pub async fn a_redrive_continues_from_the_failed_state(case: &mut Case) -> Verdict {
    if !case.has(Capability::Redrives) {
        return Ok(());
    }
    case.redrive_once("one").await?;
    equal("the number of runs of the completed task", case.desk().calls("first"), 1)?;
    equal("the number of runs of the failed task", case.desk().calls("second"), 2)
}

pub async fn only_failed_executions_are_redriven(case: &mut Case) -> Verdict {
    if !case.has(Capability::Redrives) {
        return Ok(());
    }
    case.start_held("one").await?;
    let is_not_now = |error: &EngineError| matches!(error, EngineError::NotNow { .. });
    refused("a running execution", case.engine.redrive("one").await, is_not_now)?;
    case.desk().release("first");
    case.succeeds("one").await?;
    refused("an execution that has succeeded", case.engine.redrive("one").await, is_not_now)
}
