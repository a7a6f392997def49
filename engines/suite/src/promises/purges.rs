//! Removal of executions that have ended.

use std::time::Duration;

use workflow_runtime::engine::{Capability, EngineError, Purge, StartRequest, Status};
use workflow_runtime::value;

use crate::Verdict;
use crate::case::Case;
use crate::expect::{equal, holds, refused};
use crate::flows::Names;

/// Runs an execution to its end, and lets it age.
async fn run(case: &Case, id: &str) -> Verdict {
    case.start(Names::STEPS, id).await?;
    case.succeeds(id).await?;
    tokio::time::sleep(Duration::from_millis(20)).await;
    Ok(())
}

pub async fn a_purge_removes_ended_executions(case: &mut Case) -> Verdict {
    if !case.has(Capability::Purges) {
        return Ok(());
    }
    run(case, "one").await?;
    equal("the number of removed executions", case.engine.purge(Duration::ZERO, Purge::Executions).await?, 1)?;
    let is_unknown = |error: &EngineError| matches!(error, EngineError::UnknownExecution(_));
    refused("a removed execution", case.engine.summary("one").await, is_unknown)?;
    // The id is free again.
    let started = case.engine.start(StartRequest::new(Names::STEPS, value!({ "number": 2 })).id("one")).await?;
    holds("an execution of the same id is new", started.is_new)?;
    case.succeeds("one").await.map(drop)
}

pub async fn a_purge_keeps_young_executions(case: &mut Case) -> Verdict {
    if !case.has(Capability::Purges) {
        return Ok(());
    }
    run(case, "one").await?;
    let hour = Duration::from_secs(3_600);
    equal("the number of removed executions", case.engine.purge(hour, Purge::Executions).await?, 0)?;
    case.has_status("one", Status::Succeeded).await
}

pub async fn a_purge_keeps_running_executions(case: &mut Case) -> Verdict {
    if !case.has(Capability::Purges) {
        return Ok(());
    }
    let token = case.start_asking("asks").await?;
    run(case, "one").await?;
    equal("the number of removed executions", case.engine.purge(Duration::ZERO, Purge::Executions).await?, 1)?;
    case.has_status("asks", Status::Running).await?;
    case.signal("asks", &token, workflow_runtime::engine::Signal::Succeed(value!(1))).await?;
    case.succeeds("asks").await.map(drop)
}

pub async fn a_purge_can_remove_histories_only(case: &mut Case) -> Verdict {
    if !case.has(Capability::Purges) || !case.has(Capability::Histories) {
        return Ok(());
    }
    run(case, "one").await?;
    equal("the number of executions", case.engine.purge(Duration::ZERO, Purge::Histories).await?, 1)?;
    case.has_status("one", Status::Succeeded).await?;
    equal("the history", case.engine.history("one", 0, 10, 1_000).await?.events.len(), 0)
}
