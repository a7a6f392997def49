//! Shutdowns, and what is left when a durable engine is opened again.

use std::time::Duration;

use workflow_runtime::engine::{Capability, EngineError, Signal, StartRequest, Status};
use workflow_runtime::value;

use crate::Verdict;
use crate::case::{Case, noted, noted_last, ordered};
use crate::expect::{equal, holds, refused};
use crate::flows::Names;

pub async fn an_engine_that_was_shut_down_starts_nothing(case: &mut Case) -> Verdict {
    case.engine.shut_down(Duration::ZERO).await;
    let is_stopped = |error: &EngineError| matches!(error, EngineError::Stopped | EngineError::Unavailable(_));
    refused("a start", case.engine.start(StartRequest::new(Names::STEPS, value!({}))).await, is_stopped)?;
    case.pause().await;
    equal("the number of runs", case.desk().calls("first"), 0)
}

pub async fn a_shutdown_waits_for_running_tasks(case: &mut Case) -> Verdict {
    if !case.has(Capability::Workers) {
        return Ok(());
    }
    case.start_held("one").await?;
    let (engine, grace) = (case.engine.clone(), case.patience());
    let shutdown = tokio::spawn(async move { engine.shut_down(grace).await });
    case.pause().await;
    equal("the number of dropped tasks", case.desk().dropped("first"), 0)?;
    holds("the shutdown waits", !shutdown.is_finished())?;
    case.desk().release("first");
    let is_over = case.desk().within(case.patience(), shutdown).await.is_some();
    holds("the shutdown ends with the task", is_over)?;
    equal("the number of dropped tasks", case.desk().dropped("first"), 0)
}

pub async fn a_durable_engine_continues_after_it_is_opened_again(case: &mut Case) -> Verdict {
    if !case.has(Capability::Durability) {
        return Ok(());
    }
    case.start(Names::STEPS, "ended").await?;
    let output = case.succeeds("ended").await?;
    case.start_held("running").await?;
    case.start(Names::GATHER, "listening").await?;
    case.engine.send("listening", vec![noted(1)]).await?;
    let token = case.start_asking("asking").await?;
    case.engine.start(StartRequest::new(Names::PARCEL, value!({})).id("waiting").correlate("17")).await?;
    case.reopen().await;
    equal("the output of the ended execution", case.succeeds("ended").await?, output)?;
    case.desk().release("first");
    case.succeeds("running").await?;
    case.signal("asking", &token, Signal::Succeed(value!(1))).await?;
    case.succeeds("asking").await?;
    case.engine.send("listening", vec![noted_last(2)]).await?;
    case.succeeds("listening").await?;
    case.waiting("waiting", "Order").await?;
    case.has_status("waiting", Status::Running).await
}

pub async fn a_durable_engine_remembers_requests_and_events(case: &mut Case) -> Verdict {
    if !case.has(Capability::Durability) {
        return Ok(());
    }
    case.start(Names::GATHER, "one").await?;
    case.engine.send("one", vec![noted(1)]).await?;
    // A task that a shutdown interrupts runs again.
    case.eventually("the event is noted", async || case.desk().calls("note") == 1).await?;
    case.waiting("one", "Listen").await?;
    equal("started", case.publish(ordered("o", "17"), true).await?.0, 1)?;
    let keyed = || StartRequest::new(Names::STEPS, value!({})).key("17");
    let first = match case.has(Capability::Keys) {
        true => Some(case.engine.start(keyed()).await?.id),
        false => None,
    };
    case.reopen().await;
    let again = case.engine.start(StartRequest::new(Names::GATHER, value!({})).id("one")).await?;
    holds("a repeated start is not new", !again.is_new)?;
    equal("a duplicate of an event", case.engine.send("one", vec![noted(1)]).await?, 0)?;
    equal("started by a duplicate", case.publish(ordered("o", "17"), true).await?.0, 0)?;
    if let Some(first) = first {
        let again = case.engine.start(keyed()).await?;
        equal("a start with a known key", (again.id, again.is_new), (first, false))?;
    }
    case.engine.send("one", vec![noted_last(2)]).await?;
    case.succeeds("one").await?;
    equal("the number of noted events", case.desk().calls("note"), 2)
}
