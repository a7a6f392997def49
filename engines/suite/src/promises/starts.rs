//! Starts of executions, and their outcomes.

use std::time::Duration;

use workflow_runtime::engine::{Capability, EngineError, Filter, Signal, StartRequest, Status};
use workflow_runtime::value;

use crate::Verdict;
use crate::case::{Case, noted};
use crate::expect::{equal, holds, refused};
use crate::flows::Names;

pub async fn an_execution_runs_to_its_end(case: &mut Case) -> Verdict {
    case.start_with(Names::STEPS, "one", value!({ "number": 1 })).await?;
    let output = case.succeeds("one").await?;
    equal("the output", output, value!({ "number": 1, "first": "first", "second": "second" }))?;
    equal("the number of attempts of a task", case.desk().calls("first"), 1)?;
    // An outcome can be read any number of times.
    case.succeeds("one").await.map(drop)
}

pub async fn a_failed_execution_has_its_fault(case: &mut Case) -> Verdict {
    case.desk().fail("second", "Broken");
    case.start(Names::STEPS, "one").await?;
    let fault = case.fails("one", "Broken", Status::Failed).await?;
    equal("the cause", fault.cause().cloned(), Some(value!("the test lets it fail")))?;
    let outcome = case.engine.summary("one").await?.1;
    holds("a summary has the outcome", outcome.is_some_and(|outcome| outcome.is_err()))
}

pub async fn a_repeated_start_returns_the_same_execution(case: &mut Case) -> Verdict {
    let request = || StartRequest::new(Names::STEPS, value!({ "number": 1, "text": "a" })).id("one");
    holds("the first start is new", case.engine.start(request()).await?.is_new)?;
    let again = case.engine.start(request()).await?;
    equal("the second start", (again.id.as_str(), again.is_new), ("one", false))?;
    case.succeeds("one").await?;
    // The order of members does not count.
    let request = StartRequest::new(Names::STEPS, value!({ "text": "a", "number": 1 })).id("one");
    holds("a start after the end is not new", !case.engine.start(request).await?.is_new)?;
    equal("the number of runs", case.desk().calls("first"), 1)
}

pub async fn an_id_is_refused_for_another_request(case: &mut Case) -> Verdict {
    case.start_with(Names::STEPS, "one", value!({ "number": 1 })).await?;
    for (what, workflow, input) in [
        ("another input", Names::STEPS, value!({ "number": 2 })),
        ("another workflow", Names::ASK, value!({ "number": 1 })),
    ] {
        let answer = case.engine.start(StartRequest::new(workflow, input).id("one")).await;
        refused(what, answer, |error| matches!(error, EngineError::IdTaken(id) if id == "one"))?;
    }
    case.succeeds("one").await?;
    equal("the number of runs", case.desk().calls("first"), 1)
}

pub async fn an_invalid_id_is_refused(case: &mut Case) -> Verdict {
    for id in ["", "a/b", "event 7"] {
        let answer = case.engine.start(StartRequest::new(Names::STEPS, value!({})).id(id)).await;
        refused(&format!("the id `{id}`"), answer, |error| matches!(error, EngineError::InvalidId(_)))?;
    }
    Ok(())
}

pub async fn an_unknown_workflow_is_refused(case: &mut Case) -> Verdict {
    let answer = case.engine.start(StartRequest::new("unheard of", value!({}))).await;
    refused("an unknown workflow", answer, |error| matches!(error, EngineError::UnknownWorkflow(_)))
}

pub async fn a_key_starts_one_execution(case: &mut Case) -> Verdict {
    if !case.has(Capability::Keys) {
        return Ok(());
    }
    let starts = (0..8).map(|_| {
        let engine = case.engine.clone();
        let request = StartRequest::new(Names::STEPS, value!({ "number": 1 })).key("17");
        tokio::spawn(async move { engine.start(request).await })
    });
    let (mut ids, mut new) = (Vec::new(), 0);
    for start in starts.collect::<Vec<_>>() {
        let Ok(started) = start.await else { continue };
        let started = started?;
        new += usize::from(started.is_new);
        ids.push(started.id);
    }
    ids.dedup();
    equal("the number of executions of a key", ids.len(), 1)?;
    equal("the number of new executions", new, 1)?;
    case.succeeds(&ids[0]).await?;
    let again = case.engine.start(StartRequest::new(Names::STEPS, value!({ "number": 1 })).key("17")).await?;
    equal("the id of a start after the end", (again.id, again.is_new), (ids[0].clone(), false))?;
    equal("the number of runs", case.desk().calls("first"), 1)?;
    if let Some(listed) = case.list(&Filter::all().key("17")).await? {
        equal("the number of listed executions", listed.len(), 1)?;
    }
    Ok(())
}

pub async fn a_key_is_refused_for_another_input(case: &mut Case) -> Verdict {
    if !case.has(Capability::Keys) {
        return Ok(());
    }
    let request = |number: u64| StartRequest::new(Names::STEPS, value!({ "number": number })).key("17");
    let first = case.engine.start(request(1)).await?;
    let answer = case.engine.start(request(2)).await;
    let is_reused = |error: &EngineError| match error {
        EngineError::KeyReused { key, execution } => key == "17" && *execution == first.id,
        _ => false,
    };
    refused("a key with another input", answer, is_reused)
}

pub async fn workflows_have_keys_of_their_own(case: &mut Case) -> Verdict {
    if !case.has(Capability::Keys) {
        return Ok(());
    }
    let first = case.engine.start(StartRequest::new(Names::STEPS, value!({})).key("17")).await?;
    let second = case.engine.start(StartRequest::new(Names::CHILD, value!({})).key("17")).await?;
    holds("the same key starts an execution of another workflow", second.is_new && first.id != second.id)
}

pub async fn a_delayed_start_waits_for_its_time(case: &mut Case) -> Verdict {
    if !case.has(Capability::Delays) {
        return Ok(());
    }
    let delay = Duration::from_secs(1);
    let begin = std::time::Instant::now();
    case.engine.start(StartRequest::new(Names::STEPS, value!({})).id("one").after(delay)).await?;
    case.has_status("one", Status::Queued).await?;
    case.succeeds("one").await?;
    holds("the execution does not start too early", begin.elapsed() >= delay)
}

pub async fn unknown_executions_are_reported(case: &mut Case) -> Verdict {
    let engine = &case.engine;
    let is_unknown = |error: &EngineError| matches!(error, EngineError::UnknownExecution(id) if id == "none");
    refused("attach", engine.attach("none").await, is_unknown)?;
    refused("cancel", engine.cancel("none", "").await, is_unknown)?;
    refused("summary", engine.summary("none").await, is_unknown)?;
    refused("describe", engine.describe("none").await, is_unknown)?;
    refused("waiting", engine.waiting("none").await, is_unknown)?;
    refused("send", engine.send("none", vec![noted(1)]).await, is_unknown)?;
    refused("signal", case.signal("none", "a token", Signal::Check).await, is_unknown)?;
    if case.has(Capability::Redrives) {
        refused("redrive", engine.redrive("none").await, is_unknown)?;
    }
    if case.has(Capability::Histories) {
        refused("history", engine.history("none", 0, 10, 1_000).await, is_unknown)?;
    }
    if case.has(Capability::Lists) {
        refused("list", engine.list(&Filter::all().before("none")).await, is_unknown)?;
    }
    Ok(())
}
