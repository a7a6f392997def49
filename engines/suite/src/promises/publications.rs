//! Events that are published to all executions, and start some.

use workflow_runtime::engine::{Capability, Filter, StartRequest, Status};
use workflow_runtime::value;

use crate::case::{Case, ordered, paid};
use crate::expect::equal;
use crate::flows::Names;
use crate::{Verdict, Violation};

/// Returns the executions of parcels, newest first.
async fn parcels(case: &Case) -> Result<Option<Vec<String>>, Violation> {
    let listed = case.list(&Filter::all().workflow(Names::PARCEL)).await?;
    Ok(listed.map(|found| found.into_iter().map(|one| one.id).collect()))
}

/// Returns the execution that an event has started.
async fn started(case: &Case) -> Result<Option<String>, Violation> {
    if !case.has(Capability::Lists) {
        return Ok(None);
    }
    let mut found = Vec::new();
    case.eventually("the started execution is listed", async || {
        found = parcels(case).await.ok().flatten().unwrap_or_default();
        !found.is_empty()
    })
    .await?;
    equal("the number of executions", found.len(), 1)?;
    Ok(found.pop())
}

pub async fn a_published_event_reaches_the_correlated_execution(case: &mut Case) -> Verdict {
    for (id, order) in [("one", "17"), ("other", "18")] {
        case.engine.start(StartRequest::new(Names::PARCEL, value!({})).id(id).correlate(order)).await?;
        case.waiting(id, "Order").await?;
    }
    equal("reached", case.publish(ordered("o", "17"), false).await?, (0, 1))?;
    case.waiting("one", "Payment").await?;
    equal("reached", case.publish(paid("p", "17"), false).await?, (0, 1))?;
    case.succeeds("one").await?;
    case.waiting("other", "Order").await?;
    equal("an event for nobody", case.publish(paid("q", "19"), false).await?, (0, 0))
}

pub async fn a_start_event_starts_one_execution(case: &mut Case) -> Verdict {
    equal("started", case.publish(ordered("o", "17"), true).await?.0, 1)?;
    let Some(id) = started(case).await? else { return Ok(()) };
    case.waiting(&id, "Payment").await?;
    let event = case.engine.summary(&id).await?.0.event;
    equal("the start event", event, Some(("/suite".to_owned(), "o".to_owned())))?;
    // The correlation key is that of the event.
    equal("reached", case.publish(paid("p", "18"), true).await?, (0, 0))?;
    equal("reached", case.publish(paid("q", "17"), true).await?, (0, 1))?;
    case.succeeds(&id).await.map(drop)
}

pub async fn a_duplicate_of_a_start_event_starts_nothing(case: &mut Case) -> Verdict {
    equal("started", case.publish(ordered("o", "17"), true).await?.0, 1)?;
    equal("started by the duplicate", case.publish(ordered("o", "17"), true).await?.0, 0)?;
    if let Some(id) = started(case).await? {
        case.waiting(&id, "Payment").await?;
        equal("started by a later duplicate", case.publish(ordered("o", "17"), true).await?.0, 0)?;
        case.publish(paid("p", "17"), true).await?;
        case.succeeds(&id).await?;
    }
    equal("started by a duplicate after the end", case.publish(ordered("o", "17"), true).await?.0, 0)?;
    case.pause().await;
    equal("the number of executions", parcels(case).await?.map_or(1, |all| all.len()), 1)
}

pub async fn a_start_event_reaches_the_execution_that_waits_for_it(case: &mut Case) -> Verdict {
    case.engine.start(StartRequest::new(Names::PARCEL, value!({})).id("one").correlate("17")).await?;
    case.waiting("one", "Order").await?;
    equal("reached", case.publish(ordered("o", "17"), true).await?, (0, 1))?;
    case.waiting("one", "Payment").await?;
    equal("started by a duplicate", case.publish(ordered("o", "17"), true).await?.0, 0)?;
    // The execution has left its first state: another event starts another execution.
    equal("started", case.publish(ordered("second", "17"), true).await?.0, 1)?;
    case.engine.send("one", vec![paid("p", "17")]).await?;
    case.succeeds("one").await.map(drop)
}

pub async fn an_event_starts_nothing_unless_it_may(case: &mut Case) -> Verdict {
    equal("reached", case.publish(ordered("o", "17"), false).await?, (0, 0))?;
    case.pause().await;
    equal("the number of executions", parcels(case).await?.map_or(0, |all| all.len()), 0)?;
    // The event does not count as consumed.
    equal("started", case.publish(ordered("o", "17"), true).await?.0, 1)?;
    let Some(id) = started(case).await? else { return Ok(()) };
    case.waiting(&id, "Payment").await?;
    case.has_status(&id, Status::Running).await
}
