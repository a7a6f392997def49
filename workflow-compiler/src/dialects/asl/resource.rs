//! `Resource` of a task: the service integration pattern, and the task key
//! ([A9](docs/amazon-states-language.md#a9)).

use super::ast::IntegrationPattern;
use super::placeholders::{placeholders_as_names, placeholders_in_resource};
use crate::DefaultTimeout;
use crate::syntax::Node;
use std::ops::Range;

/// Default of `TimeoutSeconds`, in seconds (ASL §Timeouts).
const DEFAULT_TIMEOUT: f64 = 60.0;
/// Suffixes of service integrations, with their patterns. The first match counts.
const SUFFIXES: [(&str, IntegrationPattern); 4] = [
    (".waitForTaskToken", IntegrationPattern::Callback),
    (".sync:2", IntegrationPattern::RunJob),
    (".sync", IntegrationPattern::RunJob),
    ("", IntegrationPattern::RequestResponse),
];

/// Returns the service integration pattern of a resource.
pub fn pattern(resource: &str) -> IntegrationPattern {
    let parts = parts(resource);
    match &parts[..] {
        [arn, _, service, _, _, kind, ..] if arn == "arn" && service == "states" && kind == "activity" => {
            IntegrationPattern::Activity
        }
        [arn, _, service, ..] if arn == "arn" && service == "states" => split_suffix(resource).1,
        _ => IntegrationPattern::RequestResponse,
    }
}

/// Returns `true` if the task of a resource has a token in its context object, or may have one
/// because the text is not known. Recorded on AWS: a job that is awaited has a token, too.
pub fn may_have_token(resource: &Node) -> bool {
    let text = resource.as_text().map(|text| text.value.as_str());
    text.is_none_or(|text| [".waitForTaskToken", ".sync", "${"].iter().any(|part| text.contains(part)))
}

/// Returns the suffixes of service integrations.
pub fn suffixes() -> impl Iterator<Item = &'static str> {
    SUFFIXES.iter().map(|(suffix, _)| *suffix).filter(|suffix| !suffix.is_empty())
}

/// Returns the byte offset and the text of a suffix of a service integration that AWS does not
/// know. No action of a service has a dot in its name, and none is named like a suffix.
pub fn unknown_suffix(resource: &str) -> Option<(usize, &str)> {
    let segments = segments(resource);
    let [arn, _, states, _, _, service, ..] = &segments[..] else { return None };
    let text = |segment: &Range<usize>| &resource[segment.clone()];
    let action = &resource[service.start..];
    if text(arn) != "arn" || text(states) != "states" || text(service) == "activity" || action.contains("${") {
        return None;
    }
    let last = segments.last().filter(|last| {
        let is_suffix = |suffix: &str| suffix.trim_start_matches('.').eq_ignore_ascii_case(text(last));
        suffixes().any(is_suffix)
    });
    let at = match last {
        Some(last) => last.start - 1,
        None => service.start + action.find('.')?,
    };
    let suffix = &resource[at..];
    suffixes().all(|known| known != suffix).then_some((at, suffix))
}

/// Returns `true` if the resource is `lambda:invoke`, whose parameter `FunctionName` names the
/// function.
pub fn invokes_function(resource: &str) -> bool {
    let (bare, _) = split_suffix(resource);
    let parts = parts(bare);
    matches!(&parts[..], [arn, _, states, .., service, action]
        if arn == "arn" && states == "states" && service == "lambda" && action == "invoke")
}

/// Returns the service and the action of a service integration, such as `lambda` and `invoke`.
pub fn action(resource: &str) -> Option<(String, String)> {
    match &parts(split_suffix(resource).0)[..] {
        [arn, _, states, _, _, service, action] if arn == "arn" && states == "states" && service != "activity" => {
            Some((service.clone(), action.clone()))
        }
        _ => None,
    }
}

/// Returns the task key. `function` is the literal `FunctionName` of the task's parameters,
/// `state` the name of its state.
pub fn task_key(resource: &str, function: Option<&str>, state: &str) -> String {
    if let Some(function) = function.filter(|_| invokes_function(resource)) {
        return function_name(function);
    }
    let key = match (&parts(resource)[..], &parts(split_suffix(resource).0)[..]) {
        ([arn, _, service, _, _, kind, name, ..], _) if arn == "arn" && names_task(service, kind) => name.clone(),
        (_, [arn, _, states, .., service, action]) if arn == "arn" && states == "states" => {
            format!("{service}:{action}")
        }
        (parts, _) => last_segment(parts),
    };
    if key.is_empty() { state.to_owned() } else { key }
}

/// Returns `true` if the segment after `kind` in an ARN of this service names a function or an
/// activity.
fn names_task(service: &str, kind: &str) -> bool {
    matches!((service, kind), ("lambda", "function") | ("states", "activity"))
}

impl IntegrationPattern {
    /// Returns the timeout in seconds of a task that sets none, or `None` for an unlimited time.
    /// Jobs, callbacks and activities are unlimited by default, because people and jobs take
    /// longer ([A2](docs/amazon-states-language.md#a2)).
    pub fn default_timeout(self, option: DefaultTimeout) -> Option<f64> {
        match option {
            DefaultTimeout::Seconds(seconds) => Some(f64::from(seconds)),
            DefaultTimeout::Unlimited => None,
            DefaultTimeout::Dialect => (self == IntegrationPattern::RequestResponse).then_some(DEFAULT_TIMEOUT),
        }
    }
}

/// Returns the resource without the suffix of its service integration, and the pattern that the
/// suffix means.
fn split_suffix(resource: &str) -> (&str, IntegrationPattern) {
    SUFFIXES
        .iter()
        .find_map(|(suffix, pattern)| Some((resource.strip_suffix(suffix)?, *pattern)))
        .unwrap_or((resource, IntegrationPattern::RequestResponse))
}

/// Returns the name in a `FunctionName`, which is a name, a partial ARN or an ARN, each with or
/// without a version.
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

/// Splits a resource at its colons.
fn parts(resource: &str) -> Vec<String> {
    segments(resource).into_iter().map(|segment| placeholders_as_names(&resource[segment])).collect()
}

/// Returns the ranges of the text between the colons of a resource. A placeholder is one name,
/// even if it contains a colon.
fn segments(resource: &str) -> Vec<Range<usize>> {
    let mut placeholders = placeholders_in_resource(resource).map(|placeholder| placeholder.at).peekable();
    let mut segments = Vec::new();
    let mut start = 0;
    for (at, _) in resource.match_indices(':') {
        while placeholders.next_if(|placeholder| placeholder.end <= at).is_some() {}
        if placeholders.peek().is_none_or(|placeholder| at < placeholder.start) {
            segments.push(start..at);
            start = at + 1;
        }
    }
    segments.push(start..resource.len());
    segments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn task_keys_come_from_resources() {
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
            ("arn:aws:states:::sqs:sendMessage", IntegrationPattern::RequestResponse),
            ("arn:aws:states:::sqs:sendMessage.waitForTaskToken", IntegrationPattern::Callback),
            ("arn:aws:states:::ecs:runTask.sync", IntegrationPattern::RunJob),
            ("arn:aws:states:::states:startExecution.sync:2", IntegrationPattern::RunJob),
            ("arn:aws:states:eu-west-1:123456789012:activity:approve", IntegrationPattern::Activity),
            ("arn:aws:lambda:eu-west-1:123456789012:function:a.sync", IntegrationPattern::RequestResponse),
            ("${Fn}", IntegrationPattern::RequestResponse),
        ] {
            assert_eq!(pattern(resource), expected, "{resource}");
            assert_eq!(unknown_suffix(resource), None, "{resource}");
        }
    }

    #[test]
    fn unknown_suffixes_belong_to_service_integrations() {
        for (resource, expected) in [
            ("arn:aws:states:::sqs:sendMessage.waitForTaskTokens", Some(".waitForTaskTokens")),
            ("arn:aws:states:::ecs:runTask.SYNC", Some(".SYNC")),
            ("arn:aws:states:::ecs:runTask.sync:1", Some(".sync:1")),
            ("arn:${AWS::Partition}:states:::sqs:sendMessage.waitForTasktoken", Some(".waitForTasktoken")),
            ("arn:aws:states:::sqs:sendMessage:waitForTaskToken", Some(":waitForTaskToken")),
            ("arn:aws:states:::ecs:runTask:sync", Some(":sync")),
            ("arn:aws:states:::aws-sdk:s3:getObject", None),
            ("arn:aws:states:::ecs:runTask${Suffix.Of}", None),
            ("arn:aws:states:eu-west-1:123456789012:activity:a.b", None),
            ("arn:aws:lambda:eu-west-1:123456789012:function:a.b", None),
            ("https://example.org/states:::a.b", None),
        ] {
            assert_eq!(unknown_suffix(resource).map(|(_, suffix)| suffix), expected, "{resource}");
        }
    }
}
