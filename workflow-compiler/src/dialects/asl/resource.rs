//! What the `Resource` of a task says: how the result arrives, and what programs bind the task by (ruling A9).

use super::ast::Pattern;
use super::placeholders::{names_in_place, placeholders};
use crate::DefaultTimeout;

/// In seconds (ASL §Timeouts).
const DEFAULT_TIMEOUT: f64 = 60.0;
/// The suffixes of service integrations, with what they mean.
const SUFFIXES: [(&str, Pattern); 4] = [
    (".waitForTaskToken", Pattern::Callback),
    (".sync:2", Pattern::RunJob),
    (".sync", Pattern::RunJob),
    ("", Pattern::RequestResponse),
];

/// How the result of a resource arrives.
pub fn pattern(resource: &str) -> Pattern {
    let parts = parts(resource);
    match &parts[..] {
        [arn, _, service, _, _, kind, ..] if arn == "arn" && service == "states" && kind == "activity" => {
            Pattern::Activity
        }
        [arn, _, service, ..] if arn == "arn" && service == "states" => split_suffix(resource).1,
        _ => Pattern::RequestResponse,
    }
}

/// Whether a `FunctionName` in the parameters says what is invoked.
pub fn invokes_function(resource: &str) -> bool {
    let (bare, _) = split_suffix(resource);
    let parts = parts(bare);
    matches!(&parts[..], [arn, _, states, .., service, action]
        if arn == "arn" && states == "states" && service == "lambda" && action == "invoke")
}

/// The task key. `function` is the literal `FunctionName` of the task's parameters, `state` the name of its state.
pub fn task_key(resource: &str, function: Option<&str>, state: &str) -> String {
    if let Some(function) = function.filter(|_| invokes_function(resource)) {
        return function_name(function);
    }
    let key = match (&parts(resource)[..], &parts(split_suffix(resource).0)[..]) {
        ([arn, _, service, _, _, kind, name, ..], _) if arn == "arn" && names_one(service, kind) => name.clone(),
        (_, [arn, _, states, .., service, action]) if arn == "arn" && states == "states" => {
            format!("{service}:{action}")
        }
        (parts, _) => last_segment(parts),
    };
    if key.is_empty() { state.to_owned() } else { key }
}

/// Whether what follows `kind` in an ARN of this service is the name of a function or activity.
fn names_one(service: &str, kind: &str) -> bool {
    matches!((service, kind), ("lambda", "function") | ("states", "activity"))
}

impl Pattern {
    /// How long a task may take that states no time-out: as long as it likes where people or jobs take their time
    /// (ruling A2).
    pub fn default_timeout(self, option: DefaultTimeout) -> Option<f64> {
        match option {
            DefaultTimeout::Seconds(seconds) => Some(f64::from(seconds)),
            DefaultTimeout::Unlimited => None,
            DefaultTimeout::Dialect => (self == Pattern::RequestResponse).then_some(DEFAULT_TIMEOUT),
        }
    }
}

/// The resource without the suffix of a service integration, and what the suffix means.
fn split_suffix(resource: &str) -> (&str, Pattern) {
    SUFFIXES
        .iter()
        .find_map(|(suffix, pattern)| Some((resource.strip_suffix(suffix)?, *pattern)))
        .unwrap_or((resource, Pattern::RequestResponse))
}

/// The name in a `FunctionName`: a name, a part of an ARN or a whole one, each with or without a version.
fn function_name(function: &str) -> String {
    let parts = parts(function);
    match parts.iter().position(|part| part == "function") {
        Some(at) if at + 1 < parts.len() => parts[at + 1].clone(),
        _ => parts[0].clone(),
    }
}

fn last_segment(parts: &[String]) -> String {
    let last = parts.iter().rev().find(|part| !part.is_empty()).map(String::as_str).unwrap_or_default();
    let path = last.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    path.rsplit('/').next().unwrap_or_default().to_owned()
}

/// The parts between colons; a placeholder is one name, whatever is in it.
fn parts(resource: &str) -> Vec<String> {
    let inside: Vec<_> = placeholders(resource).map(|found| found.at).collect();
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, _) in resource.match_indices(':') {
        if inside.iter().all(|range| !range.contains(&at)) {
            parts.push(names_in_place(&resource[start..at]));
            start = at + 1;
        }
    }
    parts.push(names_in_place(&resource[start..]));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_follow_ruling_a9() {
        for (resource, function, expected) in [
            ("arn:aws:lambda:eu-west-1:123456789012:function:charge", None, "charge"),
            ("arn:aws:lambda:eu-west-1:123456789012:function:charge:$LATEST", None, "charge"),
            ("arn:aws:lambda:eu-west-1:123456789012:function:${Charge}", None, "Charge"),
            ("${ChargeFunction}", None, "ChargeFunction"),
            ("${charge.arn}", None, "charge.arn"),
            ("${module:charge}", None, "module:charge"),
            ("arn:aws:states:::lambda:invoke", Some("charge"), "charge"),
            ("arn:aws:states:::lambda:invoke", Some("charge:3"), "charge"),
            ("arn:aws:states:::lambda:invoke", Some("123456789012:function:charge"), "charge"),
            ("arn:aws:states:::lambda:invoke", Some("arn:aws:lambda:r:1:function:charge:live"), "charge"),
            ("arn:aws:states:::lambda:invoke.waitForTaskToken", Some("${Charge}"), "Charge"),
            ("arn:aws:states:::lambda:invoke", None, "lambda:invoke"),
            ("arn:aws:states:::sqs:sendMessage.waitForTaskToken", Some("ignored"), "sqs:sendMessage"),
            ("arn:aws:states:::states:startExecution.sync:2", None, "states:startExecution"),
            ("arn:aws:states:::aws-sdk:s3:getObject", None, "s3:getObject"),
            ("arn:${Partition}:states:::batch:submitJob.sync", None, "batch:submitJob"),
            ("arn:aws:states:eu-west-1:123456789012:activity:approve", None, "approve"),
            ("arn:aws:swf:us-east-1:123456789012:task:X", None, "X"),
            ("https://example.org/tasks/charge/?v=2", None, "charge"),
            ("foo:bar", None, "bar"),
            ("charge", None, "charge"),
            ("://", None, "Charge it"),
        ] {
            assert_eq!(task_key(resource, function, "Charge it"), expected, "{resource} {function:?}");
        }
    }

    #[test]
    fn suffixes_say_how_results_arrive() {
        for (resource, expected) in [
            ("arn:aws:states:::sqs:sendMessage", Pattern::RequestResponse),
            ("arn:aws:states:::sqs:sendMessage.waitForTaskToken", Pattern::Callback),
            ("arn:aws:states:::ecs:runTask.sync", Pattern::RunJob),
            ("arn:aws:states:::states:startExecution.sync:2", Pattern::RunJob),
            ("arn:aws:states:eu-west-1:123456789012:activity:approve", Pattern::Activity),
            ("arn:aws:lambda:eu-west-1:123456789012:function:a.sync", Pattern::RequestResponse),
            ("${Fn}", Pattern::RequestResponse),
        ] {
            assert_eq!(pattern(resource), expected, "{resource}");
        }
    }
}
