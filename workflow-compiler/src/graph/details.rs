//! Details of states: what they wait for, how often they retry, how they iterate.

use super::labels;
use crate::expr::Expr;
use crate::hir::{DistributedMap, ForEach, Workflow};
use crate::model::{ErrorMatch, ErrorNames, Invoke, Receive, Retrier, Wait};

/// Returns the detail of a wait for a time.
pub fn time(workflow: &Workflow, wait: &Wait) -> String {
    match wait {
        Wait::For(seconds) => labels::seconds(seconds, workflow),
        Wait::Until(time) => format!("until {}", labels::label(time, workflow)),
    }
}

/// Returns the label of iterations.
pub fn iterations(workflow: &Workflow, each: &ForEach) -> String {
    // 0 is no limit.
    let limit = each.limit.as_ref().map(|limit| labels::label(limit, workflow)).filter(|limit| limit != "0");
    let limit = limit.map(|limit| format!(", {limit} at a time"));
    let delay = each.delay.as_ref().map(|delay| format!(", one every {}", labels::seconds(delay, workflow)));
    format!("for each item{}{}", limit.unwrap_or_default(), delay.unwrap_or_default())
}

/// Returns the label of the executions of a distributed Map.
pub fn executions(workflow: &Workflow, map: &DistributedMap) -> String {
    let Expr::Object(settings) = &map.settings else { return "an execution for each item".to_owned() };
    let setting = |name: &str| settings.iter().find(|(key, _)| key == name).map(|(_, value)| value);
    let limit = setting("concurrency").map(|limit| labels::label(limit, workflow)).filter(|limit| limit != "0");
    let limit = limit.map(|limit| format!(", {limit} at a time")).unwrap_or_default();
    let unit = if setting("batcher").is_some() { "batch" } else { "item" };
    format!("an execution for each {unit}{limit}")
}

/// Returns the details of retriers: `retries: 6× on A and 2 others`, `5× on any other error`.
pub fn retries(retriers: &[&Retrier], names: &ErrorNames) -> Vec<String> {
    let mut details: Vec<String> = Vec::new();
    for retrier in retriers.iter().filter(|retrier| retrier.max_attempts > 0) {
        let is_first = details.is_empty();
        let errors = match &retrier.errors[..] {
            [ErrorMatch::Any] if is_first => String::new(),
            [ErrorMatch::Any] => " on any other error".to_owned(),
            [] => String::new(),
            [only] => format!(" on {}", names.name(only)),
            [first, other] => format!(" on {} and {}", names.name(first), names.name(other)),
            [first, others @ ..] => format!(" on {} and {} others", names.name(first), others.len()),
        };
        let before = if is_first { "retries: " } else { "" };
        let detail = format!("{before}{}×{errors}", retrier.max_attempts);
        if !details.contains(&detail)
            && details.last().map(|last| last.trim_start_matches("retries: ")) != Some(&detail)
        {
            details.push(detail);
        }
    }
    details
}

/// Returns the detail of a task that waits for an answer with its token.
pub fn answer(workflow: &Workflow, invoke: &Invoke) -> String {
    let most = invoke.timeout.as_ref().map(|most| format!(", at most {}", labels::seconds(most, workflow)));
    let heartbeat =
        invoke.heartbeat.as_ref().map(|every| format!(", a heartbeat every {}", labels::seconds(every, workflow)));
    format!("waits for an answer{}{}", most.unwrap_or_default(), heartbeat.unwrap_or_default())
}

/// Returns the detail of a wait for events.
pub fn events(workflow: &Workflow, receive: &Receive, most: Option<f64>) -> String {
    let names = labels::names(receive.events.iter().copied(), workflow);
    let events = match (receive.collected.is_some(), &names[..]) {
        (true, [_, _, ..]) => format!("all of: {}", names.join(", ")),
        _ => names.join(" or "),
    };
    let most = most.map(|most| format!(" (at most {})", labels::duration(most)));
    format!("waits for {events}{}", most.unwrap_or_default())
}
