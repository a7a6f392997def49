//! Runs of distributed Maps.

use workflow_runtime::Value;
use workflow_runtime::engine::{Capability, EngineError, MapUpdate};

use crate::case::Case;
use crate::expect::{equal, refused};
use crate::flows::Names;
use crate::{Verdict, Violation};

/// Starts an execution with a Map of nine items, of which two run. Returns the id of the run.
async fn start_held(case: &Case) -> Result<String, Violation> {
    case.desk().hold("each");
    let items: Value = (0..9).collect();
    case.start_with(Names::SPREAD, "one", items).await?;
    case.eventually("two items are processed", async || case.desk().calls("each") == 2).await?;
    let children = case.engine.describe("one").await?.children;
    let run = children.first().ok_or_else(|| Violation::new("the run is not among the children of its parent"))?;
    Ok(run.id.clone())
}

pub async fn a_run_of_a_map_is_changed_while_it_runs(case: &mut Case) -> Verdict {
    if !case.has(Capability::MapUpdates) {
        return Ok(());
    }
    let run = start_held(case).await?;
    case.engine.update_map(&run, MapUpdate::new().max_concurrency(5)).await?;
    case.eventually("three more items are processed", async || case.desk().calls("each") == 5).await?;
    case.engine.update_map(&run, MapUpdate::new().max_concurrency(3)).await?;
    case.pause().await;
    equal("the number of dropped tasks", case.desk().dropped("each"), 0)?;
    equal("the number of tasks", case.desk().calls("each"), 5)?;
    let mut before = 5;
    if case.has(Capability::Durability) {
        case.reopen().await;
        // Those that ran in this process run again, and no others: the limit is kept.
        before += if case.has(Capability::Workers) { 5 } else { 0 };
        case.eventually("five items are processed", async || case.desk().calls("each") == before).await?;
        case.pause().await;
        equal("the number of tasks", case.desk().calls("each"), before)?;
    }
    case.engine.update_map(&run, MapUpdate::new().max_concurrency(0)).await?;
    case.eventually("all items are processed", async || case.desk().calls("each") == before + 4).await?;
    case.desk().release("each");
    let output = case.succeeds("one").await?;
    equal("the number of results", output.as_array().map(|results| results.len()), Some(9))
}

pub async fn tolerated_failures_of_a_run_are_changed(case: &mut Case) -> Verdict {
    if !case.has(Capability::MapUpdates) {
        return Ok(());
    }
    let run = start_held(case).await?;
    case.engine.update_map(&run, MapUpdate::new().tolerated_failure_percentage(100.0)).await?;
    case.desk().fail("each", "Broken");
    case.desk().release("each");
    let output = case.succeeds("one").await?;
    equal("the number of results", output.as_array().map(|results| results.len()), Some(9))
}

pub async fn other_changes_of_executions_are_refused(case: &mut Case) -> Verdict {
    if !case.has(Capability::MapUpdates) {
        return Ok(());
    }
    let run = start_held(case).await?;
    let update = MapUpdate::new().max_concurrency(1);
    let is_invalid = |error: &EngineError| matches!(error, EngineError::Invalid(_));
    refused("an execution that is no run", case.engine.update_map("one", update).await, is_invalid)?;
    for wrong in [
        MapUpdate::new(),
        MapUpdate::new().max_concurrency(10_001),
        MapUpdate::new().tolerated_failure_percentage(100.5),
        MapUpdate::new().tolerated_failure_percentage(-1.0),
    ] {
        refused(&format!("{wrong:?}"), case.engine.update_map(&run, wrong).await, is_invalid)?;
    }
    let is_unknown = |error: &EngineError| matches!(error, EngineError::UnknownExecution(_));
    refused("an unknown execution", case.engine.update_map("none", update).await, is_unknown)?;
    case.desk().release("each");
    case.succeeds("one").await?;
    // An engine may have removed what nothing refers to.
    let has_ended = |error: &EngineError| matches!(error, EngineError::NotNow { .. }) || is_unknown(error);
    refused("a run that has ended", case.engine.update_map(&run, update).await, has_ended)
}
