//! Events that are sent to one execution.

use workflow_runtime::engine::{Capability, EngineError, StartRequest, Status};
use workflow_runtime::machine::INBOX_CAPACITY;
use workflow_runtime::{Value, value};

use crate::Verdict;
use crate::case::{Case, noted, noted_last, ordered, paid};
use crate::expect::{equal, refused};
use crate::flows::Names;

/// The number of events that are sent as one batch.
const BATCH: usize = 1_000;

/// Returns the numbers of the events that the execution has noted, in their order.
fn noted_numbers(case: &Case) -> Vec<u64> {
    let number =
        |input: &Value| input.get("number").and_then(Value::as_i64).and_then(|number| u64::try_from(number).ok());
    case.desk().inputs("note").iter().filter_map(number).collect()
}

pub async fn a_sent_event_is_received(case: &mut Case) -> Verdict {
    case.start(Names::GATHER, "one").await?;
    case.waiting("one", "Listen").await?;
    equal("the number of delivered events", case.engine.send("one", vec![noted_last(7)]).await?, 1)?;
    case.succeeds("one").await?;
    equal("the noted events", noted_numbers(case), vec![7])
}

pub async fn an_event_waits_until_it_is_awaited(case: &mut Case) -> Verdict {
    case.engine.start(StartRequest::new(Names::PARCEL, value!({})).id("one").correlate("17")).await?;
    case.waiting("one", "Order").await?;
    equal("the number of delivered events", case.engine.send("one", vec![paid("p", "17")]).await?, 1)?;
    case.pause().await;
    case.has_status("one", Status::Running).await?;
    case.engine.send("one", vec![ordered("o", "17")]).await?;
    case.succeeds("one").await.map(drop)
}

pub async fn events_are_received_in_order(case: &mut Case) -> Verdict {
    case.desk().hold("hold");
    case.start(Names::GATHER, "one").await?;
    case.send("one", (1..=10).map(noted).collect()).await?;
    for number in 11..20 {
        case.engine.send("one", vec![noted(number)]).await?;
    }
    case.engine.send("one", vec![noted_last(20)]).await?;
    case.desk().release("hold");
    case.succeeds("one").await?;
    equal("the noted events", noted_numbers(case), (1..=20).collect::<Vec<u64>>())
}

pub async fn a_duplicate_is_received_once(case: &mut Case) -> Verdict {
    case.start(Names::GATHER, "one").await?;
    equal("a first event", case.engine.send("one", vec![noted(1)]).await?, 1)?;
    equal("its duplicate", case.engine.send("one", vec![noted(1)]).await?, 0)?;
    case.eventually("the event is noted", async || noted_numbers(case) == [1]).await?;
    equal("its duplicate, when it is consumed", case.engine.send("one", vec![noted(1)]).await?, 0)?;
    equal("a batch with duplicates", case.send("one", vec![noted(1), noted(2), noted(2)]).await?, 1)?;
    case.publish(noted(2), false).await?;
    case.engine.send("one", vec![noted_last(3)]).await?;
    case.succeeds("one").await?;
    equal("the noted events", noted_numbers(case), vec![1, 2, 3])
}

pub async fn events_to_ended_executions_are_refused(case: &mut Case) -> Verdict {
    case.start(Names::GATHER, "one").await?;
    case.engine.send("one", vec![noted_last(1)]).await?;
    case.succeeds("one").await?;
    let is_ended = |error: &EngineError| matches!(error, EngineError::NotNow { status: Status::Succeeded, .. });
    refused("an event to an ended execution", case.engine.send("one", vec![noted(2)]).await, is_ended)
}

pub async fn unwanted_events_are_refused_with_their_batch(case: &mut Case) -> Verdict {
    case.engine.start(StartRequest::new(Names::PARCEL, value!({})).id("one").correlate("17")).await?;
    let is_unwanted = |error: &EngineError| matches!(error, EngineError::UnwantedEvent { .. });
    let other = ordered("o", "18");
    refused("another correlation key", case.engine.send("one", vec![other.clone()]).await, is_unwanted)?;
    refused("another kind", case.engine.send("one", vec![noted(1)]).await, is_unwanted)?;
    if !case.has(Capability::Batches) {
        return Ok(());
    }
    let batch = vec![ordered("a", "17"), paid("b", "17"), other];
    refused("a batch with an unwanted event", case.engine.send("one", batch).await, is_unwanted)?;
    case.pause().await;
    case.waiting("one", "Order").await?;
    // Nothing of the batch counts as delivered.
    let sent = case.engine.send("one", vec![ordered("a", "17"), paid("b", "17")]).await?;
    equal("the number of delivered events", sent, 2)?;
    case.succeeds("one").await.map(drop)
}

pub async fn a_full_inbox_pushes_back_and_loses_nothing(case: &mut Case) -> Verdict {
    // One by one, so many events would take too long.
    if !case.has(Capability::Batches) {
        return Ok(());
    }
    let fitting = INBOX_CAPACITY;
    case.desk().hold("note");
    case.start(Names::GATHER, "one").await?;
    // The first event is consumed, and its task is held.
    case.engine.send("one", vec![noted(0)]).await?;
    case.eventually("the first event is consumed", async || case.desk().calls("note") == 1).await?;
    for first in (1..=fitting).step_by(BATCH) {
        let events: Vec<_> = (first..first + BATCH).map(noted).collect();
        equal("the number of delivered events", case.engine.send("one", events).await?, BATCH)?;
    }
    let is_full = |error: &EngineError| matches!(error, EngineError::InboxFull(_));
    refused("an event beyond the capacity", case.engine.send("one", vec![noted_last(fitting + 1)]).await, is_full)?;
    equal("a duplicate fits", case.engine.send("one", vec![noted(fitting)]).await?, 0)?;
    case.desk().release("note");
    case.eventually("there is capacity again", async || {
        case.engine.send("one", vec![noted_last(fitting + 1)]).await.is_ok()
    })
    .await?;
    loop {
        let before = case.desk().calls("note");
        if before >= fitting + 2 {
            break;
        }
        case.eventually("another event is noted", async || case.desk().calls("note") > before).await?;
    }
    case.succeeds("one").await?;
    equal("the noted events", noted_numbers(case) == (0..=fitting as u64 + 1).collect::<Vec<_>>(), true)
}
