//! Child executions.

use workflow_runtime::engine::{Child, Status};
use workflow_runtime::fault::names::CANCELLED;
use workflow_runtime::value;

use crate::case::Case;
use crate::expect::{equal, holds};
use crate::flows::Names;
use crate::{Verdict, Violation};

/// Waits until the child of an execution runs its first task. Returns the child.
async fn child_of(case: &Case, parent: &str) -> Result<Child, Violation> {
    let mut found = Vec::new();
    case.eventually("the child is described", async || {
        found = case.engine.describe(parent).await.map_or_else(|_| Vec::new(), |parent| parent.children);
        !found.is_empty()
    })
    .await?;
    equal("the number of children", found.len(), 1)?;
    case.eventually("the child runs", async || case.desk().calls("work") == 1).await?;
    found.pop().ok_or_else(|| Violation::new("the child is there"))
}

pub async fn an_awaited_child_delivers_its_outcome(case: &mut Case) -> Verdict {
    case.desk().hold("work");
    case.start(Names::FAMILY, "one").await?;
    let child = child_of(case, "one").await?;
    holds("the child is awaited", child.awaited)?;
    case.has_status("one", Status::Running).await?;
    equal("the number of runs after the child", case.desk().calls("after"), 0)?;
    case.desk().release("work");
    case.succeeds("one").await?;
    case.succeeds(&child.id).await?;
    let runs = ["work", "more", "after"].map(|key| case.desk().calls(key));
    equal("the number of runs", runs, [1, 1, 1])
}

pub async fn the_failure_of_a_child_is_caught(case: &mut Case) -> Verdict {
    case.desk().fail("more", "Spilled");
    case.start(Names::FAMILY, "one").await?;
    let output = case.succeeds("one").await?;
    equal("the output has what the handler adds", output.get("mended").cloned(), Some(value!(true)))?;
    let children = case.engine.describe("one").await?.children;
    let statuses: Vec<_> = children.iter().map(|child| child.status).collect();
    equal("the statuses of the children", statuses, vec![Status::Failed])
}

pub async fn a_cancelled_parent_leaves_no_awaited_child(case: &mut Case) -> Verdict {
    case.desk().hold("work");
    case.start(Names::FAMILY, "one").await?;
    let child = child_of(case, "one").await?;
    case.engine.cancel("one", "").await?;
    case.fails("one", CANCELLED, Status::Cancelled).await?;
    case.fails(&child.id, CANCELLED, Status::Cancelled).await?;
    case.desk().release("work");
    case.pause().await;
    equal("the number of runs of the child's next task", case.desk().calls("more"), 0)
}

pub async fn a_detached_child_outlives_its_parent(case: &mut Case) -> Verdict {
    case.desk().hold("work");
    case.start_with(Names::FAMILY, "one", value!({ "detached": true })).await?;
    let child = child_of(case, "one").await?;
    holds("the child is detached", !child.awaited)?;
    case.succeeds("one").await?;
    case.has_status(&child.id, Status::Running).await?;
    case.desk().release("work");
    case.succeeds(&child.id).await?;
    equal("the number of runs of the child's last task", case.desk().calls("more"), 1)
}

pub async fn a_cancelled_child_fails_its_parent(case: &mut Case) -> Verdict {
    case.desk().hold("work");
    case.start(Names::FAMILY, "one").await?;
    let child = child_of(case, "one").await?;
    case.engine.cancel(&child.id, "").await?;
    case.fails(&child.id, CANCELLED, Status::Cancelled).await?;
    holds("the parent fails", case.outcome("one").await?.is_err())?;
    equal("the number of runs after the child", case.desk().calls("after"), 0)
}

pub async fn terminate_ends_the_whole_execution_once(case: &mut Case) -> Verdict {
    case.desk().hold("decide");
    case.desk().hold("work");
    case.start(Names::ENDING, "one").await?;
    let child = child_of(case, "one").await?;
    case.desk().release("decide");
    // The order can be a message to the child, which begins tasks until it has the order.
    tokio::time::sleep(case.patience() / 20).await;
    // Running tasks complete, and nothing new begins.
    equal("the number of dropped tasks", case.desk().dropped("work"), 0)?;
    case.desk().release("work");
    case.succeeds("one").await?;
    drop(case.outcome(&child.id).await?);
    case.pause().await;
    let runs = ["work", "more", "never"].map(|key| case.desk().calls(key));
    equal("the number of runs", runs, [1, 0, 0])
}

pub async fn terminate_in_a_child_ends_the_parent_that_awaits_it(case: &mut Case) -> Verdict {
    case.desk().hold("decide");
    case.desk().hold("work");
    case.start(Names::OUTER, "one").await?;
    let grandchild_runs = async || case.desk().calls("work") == 1 && case.desk().calls("decide") == 1;
    case.eventually("the child and its own child run", grandchild_runs).await?;
    let child = child_of(case, "one").await?;
    let grandchild = child_of(case, &child.id).await?;
    case.desk().release("decide");
    // The order can be a message, and the grandchild begins tasks until it has the order.
    tokio::time::sleep(case.patience() / 20).await;
    case.desk().release("work");
    case.succeeds("one").await?;
    case.succeeds(&child.id).await?;
    drop(case.outcome(&grandchild.id).await?);
    case.pause().await;
    let runs = ["decide", "work", "more", "never", "beyond"].map(|key| case.desk().calls(key));
    equal("the number of runs", runs, [1, 1, 0, 0, 0])
}
