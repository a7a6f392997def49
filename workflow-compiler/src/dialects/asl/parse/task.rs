//! Parser of Task states.

use super::names::{FILTERS, HANDLERS, NEXT, STATE};
use super::{AslParseCx, LONGEST_TIME, computed, data_flow, handlers, transition};
use crate::diagnostics::suggest::nearest;
use crate::diagnostics::{Diagnostic, codes::fields as codes};
use crate::dialects::asl::ast::{Amount, IntegrationPattern, PayloadTemplate, Resource, Task};
use crate::dialects::asl::codes as own;
use crate::dialects::asl::placeholders::placeholders_as_names;
use crate::dialects::asl::{expressions, jsonata, resource};
use crate::dialects::object::Object;
use crate::dialects::object::numbers::NumberRange;
use crate::dialects::object::values::text;
use crate::expr::jsonata::StatesMembers;
use crate::source::{Span, Spanned};
use crate::syntax::{Entry, Node, Text, Tree, shown};

const FIELDS: &[&str] = &[
    "Resource",
    "Arguments",
    "Output",
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

pub fn task(fields: Object, state: &str, cx: &mut AslParseCx) -> Option<Box<Task>> {
    fields.allow(&[STATE, FILTERS, NEXT, HANDLERS, FIELDS], cx);
    let mut flow = data_flow(&fields, cx);
    let invokes_function =
        fields.text("Resource", cx.diagnostics).is_some_and(|text| resource::invokes_function(&text.value));
    flow.parameters = match cx.is_jsonata() {
        true => fields.get("Arguments").and_then(|node| {
            let node = if invokes_function { with_placeholder_names(node, "FunctionName") } else { node.clone() };
            computed(&node, "Arguments", StatesMembers::InputOnly, cx)
        }),
        false => fields.get("Parameters").and_then(|node| {
            let with_placeholder_names =
                if invokes_function { with_placeholder_names(node, "FunctionName") } else { node.clone() };
            expressions::payload(&with_placeholder_names, "Parameters", cx)
        }),
    };
    let handlers = handlers::handlers(&fields, cx);
    let seconds = NumberRange::Whole(1..=LONGEST_TIME);
    let timeout = fields.amount("TimeoutSeconds", "TimeoutSecondsPath", seconds.clone(), cx);
    let heartbeat = fields.amount("HeartbeatSeconds", "HeartbeatSecondsPath", seconds, cx);
    check_credentials(&fields, cx);
    let credentials = fields.get("Credentials").map(|node| with_placeholder_names(node, "RoleArn"));
    let credentials = credentials.and_then(|node| match cx.is_jsonata() {
        true => jsonata::object(&node, "Credentials", "RoleArn", cx).map(PayloadTemplate::Jsonata),
        false => expressions::template(&node, "Credentials", cx),
    });
    let next = transition(&fields, cx);
    let resource = resource(&fields, state, cx)?;
    check_heartbeat(timeout.as_ref(), heartbeat.as_ref(), resource.pattern, cx);
    check_unlimited(&fields, &resource, timeout.is_some() || heartbeat.is_some(), cx);
    Some(Box::new(Task { flow, handlers, resource, timeout, heartbeat, credentials, next: next? }))
}

fn resource(fields: &Object, state: &str, cx: &mut AslParseCx) -> Option<Resource> {
    let text = text(fields.required("Resource", cx)?, "Resource", cx.diagnostics)?;
    let written = text.value.as_str();
    if written.trim().is_empty() {
        cx.push(
            Diagnostic::new(&codes::WF0412, text.span, "`Resource` is empty")
                .help("name the resource that the task invokes"),
        );
        return None;
    }
    let open = written.rfind("${").filter(|at| !written[*at..].contains('}'));
    if let Some(at) = open {
        cx.push(
            Diagnostic::new(&codes::WF0419, text.span_of(at, written.len()), "unclosed placeholder in `Resource`")
                .help("write it as `${Name}`"),
        );
        return None;
    }
    if let Some((at, suffix)) = resource::unknown_suffix(written) {
        report_suffix(text.span_of(at, written.len()), suffix, cx);
        return None;
    }
    let payload = if cx.is_jsonata() { "Arguments" } else { "Parameters" };
    let function = fields.get(payload).and_then(|node| node.get("FunctionName")).and_then(|node| node.as_text());
    let function = function.map(|text| text.value.as_str());
    // A computed name is not known.
    let function = function.filter(|name| !cx.is_jsonata() || !jsonata::has_delimiters(name));
    let pattern = resource::pattern(written);
    check_express(text, pattern, cx);
    let key = resource::task_key(written, function, state);
    Some(Resource { text: written.to_owned(), key, pattern, span: text.span })
}

/// Reports a resource that ends in no suffix of a service integration. Without the suffix that the
/// author meant, the task would not wait.
fn report_suffix(span: Span, suffix: &str, cx: &mut AslParseCx) {
    let message = format!("unknown service integration suffix `{}`", shown(suffix));
    let diagnostic = Diagnostic::new(&codes::WF0419, span, message);
    cx.push(match nearest(suffix, resource::suffixes()) {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")).fix(span, near),
        None => diagnostic.help("the suffixes are `.waitForTaskToken`, `.sync` and `.sync:2`"),
    });
}

/// Reports resources that AWS refuses in workflows of its type Express: activities, `.sync`,
/// `.waitForTaskToken`, and resources that are not ARNs
/// ([A12](docs/amazon-states-language.md#a12)).
fn check_express(text: &Text, pattern: IntegrationPattern, cx: &mut AslParseCx) {
    if !cx.options.express {
        return;
    }
    let what = match pattern {
        IntegrationPattern::Callback => "`.waitForTaskToken`",
        IntegrationPattern::RunJob => "`.sync`",
        IntegrationPattern::Activity => "activities",
        IntegrationPattern::RequestResponse if text.value.starts_with("arn:") || text.value.contains("${") => return,
        IntegrationPattern::RequestResponse => "resources other than ARNs",
    };
    cx.push(
        Diagnostic::new(&codes::WF0419, text.span, format!("Express workflows do not support {what}"))
            .help("use a request-response resource, or compile the workflow as a Standard workflow"),
    );
}

/// Returns the object with the placeholders of one member replaced by their names. In a function
/// name or a role, the name of a placeholder is the value
/// ([A10](docs/amazon-states-language.md#a10)).
fn with_placeholder_names(node: &Node, member: &str) -> Node {
    let mut node = node.clone();
    if let Tree::Object(entries) = &mut node.tree {
        for Entry { key, value } in entries {
            if let (true, Tree::String(text)) = (key.value == member, &mut value.tree) {
                text.value = placeholders_as_names(&text.value);
            }
        }
    }
    node
}

/// Reports a heartbeat that is not smaller than the timeout (ASL §Timeouts).
fn check_heartbeat(
    timeout: Option<&Amount>,
    heartbeat: Option<&Amount>,
    pattern: IntegrationPattern,
    cx: &mut AslParseCx,
) {
    let Some(Amount::Fixed(heartbeat)) = heartbeat else { return };
    let timeout = match timeout {
        Some(Amount::Fixed(timeout)) => timeout,
        None => return check_default_timeout(heartbeat, pattern, cx),
        Some(_) => return,
    };
    if heartbeat.value >= timeout.value {
        let message = format!(
            "`HeartbeatSeconds` ({}) must be smaller than `TimeoutSeconds` ({})",
            heartbeat.value, timeout.value
        );
        cx.push(
            Diagnostic::new(&own::WF0416, heartbeat.span, message)
                .related(timeout.span, "the time-out")
                .help("make the time-out longer, or the heartbeat shorter"),
        );
    }
}

/// Reports a heartbeat that is not smaller than the default timeout
/// ([A2](docs/amazon-states-language.md#a2)).
fn check_default_timeout(heartbeat: &Spanned<f64>, pattern: IntegrationPattern, cx: &mut AslParseCx) {
    let Some(timeout) = pattern.default_timeout(cx.options.default_task_timeout) else { return };
    if heartbeat.value >= timeout {
        let message =
            format!("the heartbeat has no effect: without `TimeoutSeconds`, the time-out is {timeout} seconds");
        cx.push(Diagnostic::new(&codes::WF0455, heartbeat.span, message).help("add a longer `TimeoutSeconds`"));
    }
}

/// Checks `Credentials`. The language leaves their contents to the implementation (ASL
/// §Credentials), and AWS wants `RoleArn` only.
fn check_credentials(fields: &Object, cx: &mut AslParseCx) {
    let Some(entry) = fields.entry("Credentials") else { return };
    let Tree::Object(members) = &entry.value.tree else { return };
    let is_role = |key: &str| key == "RoleArn" || key == "RoleArn.$" && !cx.is_jsonata();
    if members.iter().any(|member| is_role(&member.key.value)) {
        return;
    }
    let code = if members.is_empty() { &codes::WF0401 } else { &own::WF0456 };
    let near = members.iter().find(|member| member.key.value.eq_ignore_ascii_case("RoleArn"));
    let span = near.map_or(entry.key.span, |member| member.key.span);
    cx.push(Diagnostic::new(code, span, "`Credentials` has no `RoleArn`").help(if near.is_some() {
        "did you mean `RoleArn`?"
    } else if cx.is_jsonata() {
        "add `RoleArn`"
    } else {
        "add `RoleArn`, or `RoleArn.$` with a path"
    }));
}

/// Warns of a task that waits for people or jobs without a timeout: such tasks have no default
/// timeout ([A2](docs/amazon-states-language.md#a2)).
fn check_unlimited(fields: &Object, resource: &Resource, limited: bool, cx: &mut AslParseCx) {
    let what = match resource.pattern {
        IntegrationPattern::RequestResponse => return,
        IntegrationPattern::Callback => "a task token",
        IntegrationPattern::RunJob => "a job",
        IntegrationPattern::Activity => "an activity",
    };
    let by_option = cx.options.default_task_timeout != crate::DefaultTimeout::Dialect;
    if limited || by_option {
        return;
    }
    let message = format!("{} waits for {what} without a time-out", fields.owner);
    cx.push(Diagnostic::new(&own::WF0453, resource.span, message).help("add `TimeoutSeconds` or `HeartbeatSeconds`"));
}
