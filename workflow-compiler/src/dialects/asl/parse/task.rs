//! Task states.

use super::fields::{Fields, Number, text};
use super::names::{FILTERS, HANDLERS, NEXT, STATE};
use super::{Cx, LONGEST_TIME, flow, handlers, transition};
use crate::diagnostics::{Diagnostic, codes::fields as codes};
use crate::dialects::asl::ast::{Amount, Pattern, Resource, Task};
use crate::dialects::asl::placeholders::names_in_place;
use crate::dialects::asl::{expressions, resource};
use crate::source::Spanned;
use crate::syntax::{Entry, Node, Text, Tree};

const FIELDS: &[&str] = &[
    "Resource",
    "Parameters",
    "ResultSelector",
    "ResultPath",
    "Assign",
    "TimeoutSeconds",
    "TimeoutSecondsPath",
    "HeartbeatSeconds",
    "HeartbeatSecondsPath",
    "Credentials",
];

pub fn task(fields: Fields, state: &str, cx: &mut Cx) -> Option<Box<Task>> {
    fields.allow(&[STATE, FILTERS, NEXT, HANDLERS, FIELDS], cx);
    let mut flow = flow(&fields, cx);
    let invokes_function = fields.text("Resource", cx).is_some_and(|text| resource::invokes_function(&text.value));
    flow.parameters = fields.get("Parameters").and_then(|node| {
        let named = if invokes_function { named(node, "FunctionName") } else { node.clone() };
        expressions::payload(&named, "Parameters", cx)
    });
    let handlers = handlers::handlers(&fields, cx);
    let seconds = Number::Whole(1..=LONGEST_TIME);
    let timeout = fields.amount("TimeoutSeconds", "TimeoutSecondsPath", seconds.clone(), cx);
    let heartbeat = fields.amount("HeartbeatSeconds", "HeartbeatSecondsPath", seconds, cx);
    check_credentials(&fields, cx);
    let credentials = fields.get("Credentials").map(|node| named(node, "RoleArn"));
    let credentials = credentials.and_then(|node| expressions::template(&node, "Credentials", cx));
    let next = transition(&fields, cx);
    let resource = resource(&fields, state, cx)?;
    check_heartbeat(timeout.as_ref(), heartbeat.as_ref(), resource.pattern, cx);
    check_forever(&fields, &resource, timeout.is_some() || heartbeat.is_some(), cx);
    Some(Box::new(Task { flow, handlers, resource, timeout, heartbeat, credentials, next: next? }))
}

fn resource(fields: &Fields, state: &str, cx: &mut Cx) -> Option<Resource> {
    let text = text(fields.require("Resource", cx)?, "Resource", cx)?;
    let written = text.value.as_str();
    if written.trim().is_empty() {
        cx.push(Diagnostic::new(&codes::E0412, text.span, "`Resource` is empty").help("name what the task invokes"));
        return None;
    }
    let open = written.rfind("${").filter(|at| !written[*at..].contains('}'));
    if let Some(at) = open {
        cx.push(
            Diagnostic::new(
                &codes::E0419,
                text.span_of(at, written.len()),
                "the placeholder in `Resource` is not closed",
            )
            .help("write it as `${Name}`"),
        );
        return None;
    }
    let function = fields.get("Parameters").and_then(|node| node.get("FunctionName")).and_then(|node| node.as_text());
    let function = function.map(|text| text.value.as_str());
    let pattern = resource::pattern(written);
    check_express(text, pattern, cx);
    let key = resource::task_key(written, function, state);
    Some(Resource { text: written.to_owned(), key, pattern, span: text.span })
}

/// What AWS refuses in workflows of its type Express (ruling A12). It also takes ARNs only.
fn check_express(text: &Text, pattern: Pattern, cx: &mut Cx) {
    if !cx.options.express {
        return;
    }
    let what = match pattern {
        Pattern::Callback => "`.waitForTaskToken`",
        Pattern::RunJob => "`.sync`",
        Pattern::Activity => "activities",
        Pattern::RequestResponse if text.value.starts_with("arn:") || text.value.contains("${") => return,
        Pattern::RequestResponse => "resources that are no ARN",
    };
    cx.push(
        Diagnostic::new(&codes::E0419, text.span, format!("Express workflows do not support {what}"))
            .help("use a resource that answers when it is called, or compile the workflow as a standard one"),
    );
}

/// The object with the placeholders of one member replaced by their names: those of functions and roles are names by
/// themselves (ruling A10).
fn named(node: &Node, member: &str) -> Node {
    let mut node = node.clone();
    if let Tree::Object(entries) = &mut node.tree {
        for Entry { key, value } in entries {
            if let (true, Tree::String(text)) = (key.value == member, &mut value.tree) {
                text.value = names_in_place(&text.value);
            }
        }
    }
    node
}

/// ASL §Timeouts: the heartbeat must be the smaller of the two.
fn check_heartbeat(timeout: Option<&Amount>, heartbeat: Option<&Amount>, pattern: Pattern, cx: &mut Cx) {
    let Some(Amount::Fixed(heartbeat)) = heartbeat else { return };
    let timeout = match timeout {
        Some(Amount::Fixed(timeout)) => timeout,
        None => return check_default(heartbeat, pattern, cx),
        Some(_) => return,
    };
    if heartbeat.value >= timeout.value {
        let message = format!(
            "`HeartbeatSeconds` ({}) must be smaller than `TimeoutSeconds` ({})",
            heartbeat.value, timeout.value
        );
        cx.push(
            Diagnostic::new(&codes::E0416, heartbeat.span, message)
                .related(timeout.span, "the time-out is here")
                .help("make the time-out longer, or the heartbeat shorter"),
        );
    }
}

/// A heartbeat that the default time-out (ruling A2) leaves no time for.
fn check_default(heartbeat: &Spanned<f64>, pattern: Pattern, cx: &mut Cx) {
    let Some(timeout) = pattern.default_timeout(cx.options.default_task_timeout) else { return };
    if heartbeat.value >= timeout {
        let message =
            format!("the heartbeat never comes into play: without `TimeoutSeconds` the task has {timeout} seconds");
        cx.push(Diagnostic::new(&codes::W0405, heartbeat.span, message).help("add a `TimeoutSeconds` that is longer"));
    }
}

/// AWS wants `RoleArn` and nothing else; the language leaves credentials to whoever runs the task (ASL §Credentials).
fn check_credentials(fields: &Fields, cx: &mut Cx) {
    let Some(entry) = fields.entry("Credentials") else { return };
    let Tree::Object(members) = &entry.value.tree else { return };
    if members.iter().any(|member| matches!(member.key.value.as_str(), "RoleArn" | "RoleArn.$")) {
        return;
    }
    let code = if members.is_empty() { &codes::E0401 } else { &codes::W0406 };
    let near = members.iter().find(|member| member.key.value.eq_ignore_ascii_case("RoleArn"));
    let span = near.map_or(entry.key.span, |member| member.key.span);
    cx.push(Diagnostic::new(code, span, "`Credentials` name no `RoleArn`").help(if near.is_some() {
        "did you mean `RoleArn`?"
    } else {
        "add `RoleArn`, or `RoleArn.$` for a computed one"
    }));
}

/// Ruling A2: no default time-out where people and jobs take their time.
fn check_forever(fields: &Fields, resource: &Resource, limited: bool, cx: &mut Cx) {
    let what = match resource.pattern {
        Pattern::RequestResponse => return,
        Pattern::Callback => "a task token",
        Pattern::RunJob => "a job",
        Pattern::Activity => "an activity",
    };
    let by_option = cx.options.default_task_timeout != crate::DefaultTimeout::Dialect;
    if limited || by_option {
        return;
    }
    let message = format!("nothing limits how long {} waits for {what}", fields.owner);
    cx.push(Diagnostic::new(&codes::W0403, resource.span, message).help("add `TimeoutSeconds` or `HeartbeatSeconds`"));
}
