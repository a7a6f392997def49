//! Cancellations of executions.

use std::time::Duration;

use workflow_runtime::engine::{Capability, EngineError, StartRequest, Status};
use workflow_runtime::fault::names::CANCELLED;
use workflow_runtime::{Fault, value};

use crate::Verdict;
use crate::case::Case;
use crate::expect::{equal, refused};
use crate::flows::Names;

/// Checks the cause of a cancellation.
fn check_cause(case: &Case, fault: &Fault) -> Verdict {
    match case.has(Capability::Causes) {
        true => equal("the cause", fault.cause().cloned(), Some(value!("not needed"))),
        false => Ok(()),
    }
}

/// Returns the cause to cancel with.
fn cause(case: &Case) -> &'static str {
    if case.has(Capability::Causes) { "not needed" } else { "" }
}

pub async fn a_delayed_execution_is_cancelled_before_it_starts(case: &mut Case) -> Verdict {
    if !case.has(Capability::Delays) {
        return Ok(());
    }
    case.engine.start(StartRequest::new(Names::STEPS, value!({})).id("one").after(Duration::from_secs(1))).await?;
    case.engine.cancel("one", cause(case)).await?;
    let fault = case.fails("one", CANCELLED, Status::Cancelled).await?;
    check_cause(case, &fault)?;
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    equal("the number of runs", case.desk().calls("first"), 0)
}

pub async fn a_running_execution_is_cancelled(case: &mut Case) -> Verdict {
    case.start_held("one").await?;
    case.engine.cancel("one", cause(case)).await?;
    let fault = case.fails("one", CANCELLED, Status::Cancelled).await?;
    check_cause(case, &fault)?;
    case.eventually("the running task is dropped", async || case.desk().dropped("first") == 1).await?;
    case.desk().release("first");
    case.pause().await;
    equal("the number of runs of the next task", case.desk().calls("second"), 0)
}

pub async fn a_waiting_execution_is_cancelled(case: &mut Case) -> Verdict {
    case.start_asking("asking").await?;
    case.start(Names::PARCEL, "listening").await?;
    case.waiting("listening", "Order").await?;
    for id in ["asking", "listening"] {
        case.engine.cancel(id, cause(case)).await?;
        let fault = case.fails(id, CANCELLED, Status::Cancelled).await?;
        check_cause(case, &fault)?;
    }
    Ok(())
}

pub async fn an_ended_execution_is_not_cancelled(case: &mut Case) -> Verdict {
    case.start(Names::STEPS, "good").await?;
    case.succeeds("good").await?;
    case.desk().fail("first", "Broken");
    case.start(Names::STEPS, "bad").await?;
    case.fails("bad", "Broken", Status::Failed).await?;
    for (id, status) in [("good", Status::Succeeded), ("bad", Status::Failed)] {
        let answer = case.engine.cancel(id, "").await;
        refused(id, answer, |error| matches!(error, EngineError::NotNow { status: found, .. } if *found == status))?;
        case.has_status(id, status).await?;
    }
    Ok(())
}
