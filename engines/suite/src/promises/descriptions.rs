//! Summaries and descriptions of executions.

use workflow_runtime::engine::{StartRequest, Status, WaitsFor};
use workflow_runtime::value;

use crate::Verdict;
use crate::case::Case;
use crate::expect::{equal, holds};
use crate::flows::Names;

pub async fn a_description_shows_a_wait_for_a_token(case: &mut Case) -> Verdict {
    let token = case.start_asking("one").await?;
    let description = case.engine.describe("one").await?;
    equal("the id", description.summary.id.as_str(), "one")?;
    equal("the workflow", description.summary.workflow.as_str(), Names::ASK)?;
    equal("the status", description.summary.status, Status::Running)?;
    equal("the outcome", description.outcome, None)?;
    holds("the input is that of the start", description.input.is_none_or(|input| input == value!({})))?;
    equal("the number of waits", description.waiting.len(), 1)?;
    let wait = &description.waiting[0];
    equal("the state", wait.state.as_str(), "Ask")?;
    equal("the token", wait.token.as_deref(), Some(token.as_str()))?;
    holds("it waits for a token", matches!(&wait.waits_for, WaitsFor::Token(_)))?;
    equal("a masked text", case.engine.without_tokens("no token".to_owned()).await?, "no token")
}

pub async fn a_description_shows_a_wait_for_an_event(case: &mut Case) -> Verdict {
    case.engine.start(StartRequest::new(Names::PARCEL, value!({})).id("one").correlate("17")).await?;
    let wait = case.waiting("one", "Order").await?;
    let events = match wait.waits_for {
        WaitsFor::Event(events) => events.iter().map(|event| event.name.to_string()).collect(),
        _ => Vec::new(),
    };
    equal("the awaited events", events, vec!["Ordered"])?;
    let correlation = case.engine.describe("one").await?.correlation;
    holds("the correlation key is that of the start", correlation.is_none_or(|key| key == "17"))
}

pub async fn a_running_execution_is_not_reported_as_ended(case: &mut Case) -> Verdict {
    case.start_held("one").await?;
    let (summary, outcome) = case.engine.summary("one").await?;
    equal("the status of the summary", summary.status, Status::Running)?;
    equal("the time of the end", summary.ended, None)?;
    equal("the outcome", outcome, None)?;
    equal("the status of the description", case.engine.describe("one").await?.summary.status, Status::Running)?;
    case.desk().release("first");
    case.succeeds("one").await?;
    let (summary, outcome) = case.engine.summary("one").await?;
    equal("the status after the end", summary.status, Status::Succeeded)?;
    holds("the outcome is there", outcome.is_some_and(|outcome| outcome.is_ok()))?;
    let description = case.engine.describe("one").await?;
    equal("the number of waits after the end", description.waiting.len(), 0)?;
    let times = (summary.started, summary.ended);
    holds("it ended after it started", times.0.zip(times.1).is_none_or(|(started, ended)| started <= ended))
}

pub async fn parents_and_children_know_each_other(case: &mut Case) -> Verdict {
    case.start(Names::FAMILY, "one").await?;
    case.succeeds("one").await?;
    let parent = case.engine.describe("one").await?;
    equal("the number of children", parent.children.len(), 1)?;
    let child = &parent.children[0];
    equal("the workflow of the child", child.workflow.as_str(), Names::CHILD)?;
    equal("the status of the child", child.status, Status::Succeeded)?;
    let child = case.engine.describe(&child.id).await?;
    equal("the parent of the child", child.parent.as_deref(), Some("one"))?;
    equal("the parent of the parent", parent.parent, None)
}

pub async fn all_workflows_are_there(case: &mut Case) -> Verdict {
    let mut names: Vec<&str> = case.engine.workflows().iter().map(|definition| definition.name).collect();
    names.sort_unstable();
    let children = [Names::FAMILY, Names::CHILD, Names::ENDING, Names::OUTER];
    let mut expected =
        [vec![Names::ASK, Names::GATHER, Names::PARCEL, Names::ROWS, Names::STEPS], children.to_vec()].concat();
    expected.sort_unstable();
    equal("the workflows", names, expected)
}
