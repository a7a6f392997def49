//! Histories of executions.

use workflow_runtime::engine::Capability;
use workflow_runtime::{Value, value};

use crate::case::Case;
use crate::expect::{equal, holds};
use crate::flows::Names;
use crate::{Verdict, Violation};

/// A page of any size.
const ALL: (usize, usize) = (1_000, 1 << 20);

/// Returns the whole history of an execution.
async fn whole(case: &Case, id: &str) -> Result<Vec<String>, Violation> {
    let page = case.engine.history(id, 0, ALL.0, ALL.1).await?;
    equal("the next page of a whole history", page.next, None)?;
    Ok(page.events)
}

/// Returns the event and the state of a line.
fn parts(line: &str) -> Result<(String, String), Violation> {
    let invalid = |_| Violation::new(format!("a history has a line that is not JSON: {line}"));
    let line = Value::from_json(line).map_err(invalid)?;
    let text = |name: &str| line.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    Ok((text("event"), text("state")))
}

pub async fn a_history_is_in_order(case: &mut Case) -> Verdict {
    if !case.has(Capability::Histories) {
        return Ok(());
    }
    case.start(Names::STEPS, "one").await?;
    case.succeeds("one").await?;
    let events: Result<Vec<_>, _> = whole(case, "one").await?.iter().map(|line| parts(line)).collect();
    let events = events?;
    let position = |event: &str, state: &str| {
        let found = events.iter().position(|one| *one == (event.to_owned(), state.to_owned()));
        found.ok_or_else(|| Violation::new(format!("a history lacks {event} of `{state}`: {events:?}")))
    };
    let order = [
        position("ExecutionStarted", "")?,
        position("StateEntered", "First")?,
        position("TaskScheduled", "First")?,
        position("TaskSucceeded", "First")?,
        position("StateEntered", "Second")?,
        position("TaskSucceeded", "Second")?,
        position("ExecutionSucceeded", "")?,
    ];
    holds("the events are in the order in which they happened", order.is_sorted())?;
    equal("the position of the last event", order[6], events.len() - 1)
}

pub async fn pages_of_a_history_have_each_event_once(case: &mut Case) -> Verdict {
    if !case.has(Capability::Histories) {
        return Ok(());
    }
    case.start(Names::STEPS, "one").await?;
    case.succeeds("one").await?;
    let all = whole(case, "one").await?;
    for limit in [1, 2, 3, all.len(), all.len() + 1] {
        let (mut found, mut after) = (Vec::new(), Some(0));
        while let Some(number) = after {
            let page = case.engine.history("one", number, limit, ALL.1).await?;
            if page.events.len() > limit || page.next.is_some_and(|next| next <= number) {
                return Err(Violation::new(format!("a page after {number} is too long or does not advance")));
            }
            found.extend(page.events);
            after = page.next;
        }
        equal(&format!("the pages of {limit}"), found, all.clone())?;
    }
    Ok(())
}

pub async fn a_page_of_a_history_has_at_least_one_event(case: &mut Case) -> Verdict {
    if !case.has(Capability::Histories) {
        return Ok(());
    }
    case.start(Names::STEPS, "one").await?;
    case.succeeds("one").await?;
    let all = whole(case, "one").await?;
    let page = case.engine.history("one", 0, ALL.0, 1).await?;
    equal("a page of one byte", (page.events, page.next), (vec![all[0].clone()], Some(1)))?;
    let page = case.engine.history("one", all.len() as u64, ALL.0, ALL.1).await?;
    equal("a page after the end", (page.events.len(), page.next), (0, None))
}

/// Returns the events of a history that concern the whole execution, in their order.
async fn of_the_execution(case: &Case, id: &str) -> Result<Vec<String>, Violation> {
    let parts: Result<Vec<_>, _> = whole(case, id).await?.iter().map(|line| parts(line)).collect();
    Ok(parts?.into_iter().map(|(event, _)| event).filter(|event| event.starts_with("Execution")).collect())
}

pub async fn a_history_shows_redrives(case: &mut Case) -> Verdict {
    if !case.has(Capability::Histories) || !case.has(Capability::Redrives) {
        return Ok(());
    }
    case.redrive_once("one").await?;
    let expected = ["ExecutionStarted", "ExecutionFailed", "ExecutionRedriven", "ExecutionSucceeded"];
    equal("the history", of_the_execution(case, "one").await?, expected.map(str::to_owned).to_vec())
}

pub async fn a_history_shows_restarts(case: &mut Case) -> Verdict {
    if !case.has(Capability::Histories) || !case.has(Capability::Durability) {
        return Ok(());
    }
    case.start_held("one").await?;
    case.reopen().await;
    case.desk().release("first");
    case.succeeds("one").await?;
    let expected = ["ExecutionStarted", "ExecutionResumed", "ExecutionSucceeded"];
    equal("the history", of_the_execution(case, "one").await?, expected.map(str::to_owned).to_vec())
}

pub async fn a_history_shows_the_failure_of_a_detached_child(case: &mut Case) -> Verdict {
    if !case.has(Capability::Histories) {
        return Ok(());
    }
    case.desk().hold("work");
    case.desk().fail("more", "Spilled");
    case.start_with(Names::FAMILY, "one", value!({ "detached": true })).await?;
    case.succeeds("one").await?;
    case.desk().release("work");
    case.eventually("the history of the parent has the failure of the child", async || {
        let lines = whole(case, "one").await.unwrap_or_default();
        lines.iter().any(|line| line.contains("ChildFailed") && line.contains("Spilled"))
    })
    .await
}
