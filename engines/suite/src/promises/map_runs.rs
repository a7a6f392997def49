//! Runs of distributed Maps, which are executions with a child for each item.

use workflow_runtime::engine::{Capability, EngineError, MapCounts, MapUpdate, Status, WaitsFor};
use workflow_runtime::fault::names::CANCELLED;
use workflow_runtime::{Value, value};

use crate::case::Case;
use crate::expect::{equal, refused};
use crate::flows::Names;
use crate::{Verdict, Violation};

/// The number of items, and how many children run at once.
const ITEMS: u64 = 9;
const AT_ONCE: usize = 2;

/// Starts an execution whose Map has started as many children as it may. Returns the id of the
/// Map's run.
async fn start_held(case: &Case, id: &str) -> Result<String, Violation> {
    case.desk().hold("row");
    let items: Vec<Value> = (0..ITEMS).map(Value::from).collect();
    case.start_with(Names::ROWS, id, value!({ "items": Value::from(items) })).await?;
    case.eventually("the first items run", async || case.desk().calls("row") == AT_ONCE).await?;
    let mut run = None;
    case.eventually("the run of the Map is described", async || {
        let parent = case.engine.describe(id).await;
        run = parent.ok().and_then(|parent| Some(parent.children.first()?.id.clone()));
        run.is_some()
    })
    .await?;
    run.ok_or_else(|| Violation::new("the run is there"))
}

/// Returns the numbers of items of a run, once it shows them.
async fn counts(case: &Case, run: &str) -> Result<MapCounts, Violation> {
    let mut counts = None;
    case.eventually("the run shows its items", async || {
        let waiting = case.engine.waiting(run).await.unwrap_or_default();
        counts = waiting.iter().find_map(|waits| match waits.waits_for {
            WaitsFor::Map(counts) => Some(counts),
            _ => None,
        });
        counts.is_some()
    })
    .await?;
    counts.ok_or_else(|| Violation::new("the numbers are there"))
}

/// Checks the numbers of items of a run that has ended.
async fn ended_with(case: &Case, run: &str, expected: [u64; 4]) -> Verdict {
    let described = case.engine.describe(run).await;
    let description = described.map_err(|error| Violation::new(format!("the run is described: {error}")))?;
    let numbers = |items: MapCounts| [items.pending, items.running, items.succeeded, items.failed];
    equal("the numbers of items at the end", description.items.map(numbers), Some(expected))
}

pub async fn a_map_runs_an_execution_for_each_item(case: &mut Case) -> Verdict {
    let run = start_held(case, "one").await?;
    let MapCounts { pending, running, succeeded, failed, .. } = counts(case, &run).await?;
    equal("the numbers of items", [pending, running, succeeded, failed], [ITEMS - 2, 2, 0, 0])?;
    case.pause().await;
    equal("the number of items at once", case.desk().calls("row"), AT_ONCE)?;
    case.desk().release("row");
    let output = case.succeeds("one").await?;
    let rows: Value = (0..ITEMS).map(|_| "row").collect();
    equal("the output", output, rows)?;
    let mut items: Vec<_> = case.desk().inputs("row").iter().filter_map(Value::as_i64).collect();
    items.sort_unstable();
    equal("the items", items, (0..ITEMS as i64).collect::<Vec<_>>())?;
    ended_with(case, &run, [0, 0, ITEMS, 0]).await
}

pub async fn tolerated_failures_are_results_of_a_map(case: &mut Case) -> Verdict {
    case.desk().fail("row", "Spilled");
    case.start_with(Names::ROWS, "one", value!({ "items": [1] })).await?;
    let output = case.succeeds("one").await?;
    let error = output.get(0).and_then(|result| result.get("Error")).and_then(Value::as_str);
    equal("the error of the result", error, Some("Spilled"))
}

pub async fn a_cancelled_parent_ends_the_run_of_its_map(case: &mut Case) -> Verdict {
    let run = start_held(case, "one").await?;
    case.engine.cancel("one", "").await?;
    case.fails("one", CANCELLED, Status::Cancelled).await?;
    case.fails(&run, CANCELLED, Status::Cancelled).await?;
    ended_with(case, &run, [ITEMS - 2, 0, 0, 2]).await?;
    case.eventually("the items are dropped", async || case.desk().dropped("row") == AT_ONCE).await?;
    case.desk().release("row");
    case.pause().await;
    equal("the number of items that ran", case.desk().calls("row"), AT_ONCE)
}

pub async fn a_run_of_a_map_is_changed_while_it_runs(case: &mut Case) -> Verdict {
    if !case.has(Capability::MapUpdates) {
        return Ok(());
    }
    let run = start_held(case, "one").await?;
    case.engine.update_map(&run, MapUpdate::new().max_concurrency(5)).await?;
    case.eventually("three more items are processed", async || case.desk().calls("row") == 5).await?;
    case.engine.update_map(&run, MapUpdate::new().max_concurrency(3)).await?;
    case.pause().await;
    equal("the number of dropped tasks", case.desk().dropped("row"), 0)?;
    equal("the number of tasks", case.desk().calls("row"), 5)?;
    if case.has(Capability::Durability) {
        case.reopen().await;
        // Those that ran run again, and no others: the limit is kept.
        case.eventually("five items are processed again", async || case.desk().calls("row") == 10).await?;
        case.pause().await;
        equal("the number of tasks", case.desk().calls("row"), 10)?;
    }
    case.engine.update_map(&run, MapUpdate::new().max_concurrency(0)).await?;
    let before = if case.has(Capability::Durability) { 10 } else { 5 };
    case.eventually("all items are processed", async || case.desk().calls("row") == before + 4).await?;
    case.desk().release("row");
    let output = case.succeeds("one").await?;
    equal("the number of results", output.as_array().map(|results| results.len()), Some(ITEMS as usize))
}

pub async fn tolerated_failures_of_a_run_are_changed(case: &mut Case) -> Verdict {
    if !case.has(Capability::MapUpdates) {
        return Ok(());
    }
    let run = start_held(case, "one").await?;
    case.engine.update_map(&run, MapUpdate::new().tolerated_failure_count(ITEMS)).await?;
    case.desk().fail("row", "Broken");
    case.desk().release("row");
    let output = case.succeeds("one").await?;
    equal("the number of results", output.as_array().map(|results| results.len()), Some(ITEMS as usize))
}

pub async fn other_changes_of_executions_are_refused(case: &mut Case) -> Verdict {
    if !case.has(Capability::MapUpdates) {
        return Ok(());
    }
    let run = start_held(case, "one").await?;
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
    case.desk().release("row");
    case.succeeds("one").await?;
    // An engine may have removed what nothing refers to.
    let has_ended = |error: &EngineError| matches!(error, EngineError::NotNow { .. }) || is_unknown(error);
    refused("a run that has ended", case.engine.update_map(&run, update).await, has_ended)
}
