//! Parser of activities.

use super::super::ast::{
    Activity, ActivityKind, MessageDirection, Name, OnMessages, Retry, Sleep, SwitchCondition, Timeout, Transition,
};
use super::action::actions;
use super::expression::expression;
use super::filter::data_filter;
use super::message::references;
use super::{DslParseCx, name_of};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::fields as codes;
use crate::dialects::object::Object;
use crate::dialects::object::any_case::{member, word};
use crate::dialects::object::lenient::one_or_more;
use crate::dialects::object::values::{all, text};
use crate::dialects::workflow_dsl::codes as own;
use crate::syntax::{Node, Tree};
use std::collections::BTreeMap;

const TYPES: [&str; 5] = ["message", "operation", "switch", "inject", "subFlow"];

/// Parses the list of activities.
pub fn activities(nodes: &[Node], cx: &mut DslParseCx) -> Option<Vec<Activity>> {
    let mut at = 0;
    all(nodes, |node| {
        at += 1;
        activity(node, at, nodes, cx)
    })
}

/// Parses the activity `number`, counted from 1.
fn activity(node: &Node, number: usize, all: &[Node], cx: &mut DslParseCx) -> Option<Activity> {
    let Some(kind) = member(node, "type").filter(|node| node.tree != Tree::Null) else {
        Object::any_case(node, "an activity", &["type"], &COMMON, cx.diagnostics)?;
        return None;
    };
    let kind = word(kind, "type", &TYPES, cx.diagnostics)?;
    let (owner, required, more): (_, &[&'static str], &[&'static str]) = match kind {
        "message" => ("a `message` activity", &["onMessages"], &["exclusive"]),
        "operation" => ("an `operation` activity", &["actions"], &[]),
        "switch" => ("a `switch` activity", &["dataConditions"], &["defaultCondition"]),
        "inject" => ("an `inject` activity", &["data"], &[]),
        _ => ("a `subFlow` activity", &["workflowId"], &[]),
    };
    // Every activity may have `version`, which has an effect only in a sub-flow.
    let optional: Vec<&'static str> = COMMON.iter().chain(more).copied().collect();
    let members = Object::any_case(node, owner, required, &optional, cx.diagnostics)?;
    let name = match members.has("name") {
        true => members.name("name", cx.diagnostics),
        false => Some(Name::new(format!("Activity {number}").into(), node.span.at_start())),
    };
    let filter = data_filter(&members, "activityDataFilter", "the filter of an activity", cx);
    let sleep = sleep(&members, cx);
    let mut timeout = timeout(&members, cx);
    let mut retry = match members.get("retry") {
        Some(node) => retry(node, cx).map(Some),
        None => Some(None),
    };
    if matches!(kind, "switch" | "inject") {
        // These members have no effect on an activity without calls
        // ([W10](docs/workflow-dsl.md#w10)).
        for name in ["retry", "timeout"] {
            no_effect(&members, name, &format!("{owner} makes no calls"), cx);
        }
        (timeout, retry) = (timeout.map(|_| Timeout::default()), retry.map(|_| None));
    }
    let next = transition_or_end(&members, cx);
    if let Some(Timeout { schedule_to_start: Some(start), .. }) = &timeout
        && matches!(kind, "operation" | "subFlow")
    {
        let message = format!("`scheduleToStart` has no effect: {owner} starts at once");
        cx.push(Diagnostic::new(&codes::WF0455, start.span, message).help("remove it, or write `scheduleToClose`"));
    }
    let after = match next {
        Some(Some(way)) => Some(way),
        Some(None) => Some(next_activity(number, all)),
        None => None,
    };
    let kind = match kind {
        "message" => messages(&members, cx),
        "operation" => actions(&members, cx).map(|actions| ActivityKind::Operation { actions }),
        "switch" => {
            for name in ["transition", "end"] {
                no_effect(&members, name, "the conditions of a `switch` activity choose the next activity", cx);
            }
            switch(&members, cx)
        }
        "inject" => inject(&members, cx),
        _ => members
            .non_empty_label("workflowId", cx.diagnostics)
            .map(|workflow| ActivityKind::SubFlow { workflow, version: members.label("version", cx.diagnostics) }),
    };
    Some(Activity {
        name: name?,
        kind: kind?,
        sleep: sleep?,
        timeout: timeout?,
        retry: retry?,
        filter: filter?,
        next: after?,
        span: node.span,
    })
}

const COMMON: [&str; 9] =
    ["type", "name", "version", "transition", "end", "sleep", "timeout", "retry", "activityDataFilter"];

fn no_effect(members: &Object<'_>, name: &str, why: &str, cx: &mut DslParseCx) {
    if let Some(entry) = members.entry(name) {
        let message = format!("`{name}` has no effect: {why}");
        cx.push(Diagnostic::new(&codes::WF0455, entry.key.span, message).help("remove it"));
    }
}

/// Parses `sleep` of an activity or an action.
pub fn sleep(members: &Object<'_>, cx: &mut DslParseCx) -> Option<Sleep> {
    let Some(node) = members.get("sleep") else { return Some(Sleep::default()) };
    let before = cx.diagnostics.errors();
    let members = Object::any_case(node, "`sleep`", &[], &["before", "after"], cx.diagnostics)?;
    let read =
        Sleep { before: members.duration("before", cx.diagnostics), after: members.duration("after", cx.diagnostics) };
    (cx.diagnostics.errors() == before).then_some(read)
}

fn timeout(members: &Object<'_>, cx: &mut DslParseCx) -> Option<Timeout> {
    let Some(node) = members.get("timeout") else { return Some(Timeout::default()) };
    let before = cx.diagnostics.errors();
    let names = &["scheduleToClose", "scheduleToStart", "startToClose"];
    let members = Object::any_case(node, "`timeout`", &[], names, cx.diagnostics)?;
    let mut seconds = |name: &str| {
        let seconds = members.seconds(name, cx.diagnostics)?;
        if seconds.value > 0.0 {
            return Some(seconds);
        }
        let message = format!("`{name}` must be greater than 0");
        cx.push(Diagnostic::new(&codes::WF0404, seconds.span, message).help("remove it, or write a number of seconds"));
        None
    };
    let read = Timeout {
        schedule_to_close: seconds("scheduleToClose"),
        schedule_to_start: seconds("scheduleToStart"),
        start_to_close: seconds("startToClose"),
    };
    if let (Some(all), Some(one)) = (&read.schedule_to_close, &read.start_to_close)
        && all.value < one.value
    {
        let diagnostic = Diagnostic::new(&codes::WF0455, one.span, "`startToClose` is longer than `scheduleToClose`");
        cx.push(
            diagnostic
                .label("`scheduleToClose` always expires first")
                .related(all.span, "`scheduleToClose` is set here")
                .help("increase `scheduleToClose`, the time for all attempts"),
        );
    }
    (cx.diagnostics.errors() == before).then_some(read)
}

fn retry(node: &Node, cx: &mut DslParseCx) -> Option<Retry> {
    let before = cx.diagnostics.errors();
    let names = &["maxAttempts", "initialInterval", "backoffCoefficient", "maximumInterval"];
    let members = Object::any_case(node, "`retry`", &[], names, cx.diagnostics)?;
    let retries = members.whole("maxAttempts", cx.diagnostics);
    let interval = members.seconds("initialInterval", cx.diagnostics).map_or(1.0, |value| value.value);
    let coefficient = members.number("backoffCoefficient", 0.0, cx.diagnostics).map_or(2.0, |value| value.value);
    let most = members.seconds("maximumInterval", cx.diagnostics);
    if cx.diagnostics.errors() > before {
        return None;
    }
    if retries.as_ref().is_none_or(|retries| retries.value == 0) {
        let span = retries.as_ref().map_or(node.span.at_start(), |retries| retries.span);
        let diagnostic = Diagnostic::new(&own::WF1153, span, "a failing activity is retried without limit");
        cx.push(diagnostic.help("set `maxAttempts` to the maximum number of retries"));
    }
    if let Some(most) = most.as_ref().filter(|most| most.value < interval) {
        let message = format!("`maximumInterval` is shorter than the initial interval of {interval} s");
        let diagnostic = Diagnostic::new(&codes::WF0455, most.span, message);
        cx.push(diagnostic.help("increase `maximumInterval`, or decrease `initialInterval`"));
    }
    Some(Retry {
        retries: retries.map(|retries| retries.value).filter(|retries| *retries > 0).unwrap_or(u32::MAX),
        interval,
        coefficient,
        most: most.map_or(interval * 100.0, |most| most.value),
        span: node.span,
    })
}

/// Parses `transition` and `end`. Returns `Some(None)` if both are absent, and `None` after
/// reporting an error.
fn transition_or_end(members: &Object<'_>, cx: &mut DslParseCx) -> Option<Option<Transition>> {
    let end = match members.has("end") {
        true => members.flag("end", cx.diagnostics)?,
        false => false,
    };
    let target = match members.get("transition") {
        Some(node) => Some(transition(node, cx)?),
        None => None,
    };
    if end {
        if let (Some(entry), Some(_)) = (members.entry("transition"), &target) {
            let diagnostic =
                Diagnostic::new(&codes::WF0455, entry.key.span, "`transition` has no effect together with `end`");
            cx.push(diagnostic.help("remove one of the two"));
        }
        return Some(Some(Transition::End));
    }
    Some(target.map(Transition::To))
}

/// Parses a transition: `"Name"`, or `{ "nextState": "Name" }`.
fn transition(node: &Node, cx: &mut DslParseCx) -> Option<super::super::ast::Reference> {
    let node = match &node.tree {
        Tree::Object(_) => {
            let members = Object::any_case(node, "a transition", &["nextState"], &[], cx.diagnostics)?;
            members.get("nextState")?
        }
        _ => node,
    };
    let text = text(node, "transition", cx.diagnostics)?;
    cx.activities.resolve(name_of(text), cx.diagnostics)
}

/// Returns the transition to the activity after `number`, or the end after the last one.
fn next_activity(number: usize, all: &[Node]) -> Transition {
    let Some(next) = all.get(number) else { return Transition::End };
    let name = member(next, "name").and_then(Node::as_text);
    let name = name.map_or_else(
        || Name::new(format!("Activity {}", number + 1).into(), next.span.at_start()),
        |text| Name::new(text.value.as_str().into(), text.span),
    );
    Transition::To(super::super::ast::Reference { name, index: number })
}

fn messages(members: &Object<'_>, cx: &mut DslParseCx) -> Option<ActivityKind> {
    let exclusive = match members.has("exclusive") {
        true => members.flag("exclusive", cx.diagnostics)?,
        false => true,
    };
    let nodes = one_or_more(members.get("onMessages")?);
    if nodes.is_empty() {
        let span = members.get("onMessages").map_or(members.span, |node| node.span);
        let diagnostic = Diagnostic::new(&codes::WF0412, span, "`onMessages` is empty");
        cx.push(diagnostic.help("add an entry: `{ \"messageRefs\": [\"Paid\"], \"actions\": [] }`"));
        return None;
    }
    let entries = all(nodes, |node| {
        let entry = Object::any_case(node, "an entry of `onMessages`", &["messageRefs"], &["actions"], cx.diagnostics)?;
        let messages = references(&entry, "messageRefs", MessageDirection::Consumed, cx);
        let actions = if entry.has("actions") { actions(&entry, cx) } else { Some(Vec::new()) };
        Some(OnMessages { messages: messages?, actions: actions?, span: node.span })
    })?;
    if exclusive {
        let mut seen: BTreeMap<usize, crate::source::Span> = BTreeMap::new();
        for message in entries.iter().flat_map(|entry| &entry.messages) {
            if let Some(first) = seen.get(&message.index) {
                let message_name = &message.name.value;
                let text = format!("`{message_name}` has no effect: a message triggers the first entry that lists it");
                cx.push(
                    Diagnostic::new(&codes::WF0455, message.name.span, text)
                        .related(*first, "first listed here")
                        .help("remove it"),
                );
            }
            seen.entry(message.index).or_insert(message.name.span);
        }
    }
    Some(ActivityKind::Message { entries, exclusive })
}

fn switch(members: &Object<'_>, cx: &mut DslParseCx) -> Option<ActivityKind> {
    let nodes = members.list("dataConditions", cx.diagnostics)?;
    let conditions = all(nodes, |node| {
        let names = &["name", "transition", "end"];
        let members = Object::any_case(node, "a condition", &["condition"], names, cx.diagnostics)?;
        members.label("name", cx.diagnostics);
        let condition = members.get("condition").and_then(|node| expression(node, "condition", cx));
        let next = required_transition(&members, "a condition", cx);
        Some(SwitchCondition { condition: condition?, next: next?, span: node.span })
    });
    let default = match members.get("defaultCondition") {
        Some(node) => {
            let names = &["name", "transition", "end"];
            let members = Object::any_case(node, "the default of a `switch`", &[], names, cx.diagnostics)?;
            Some(required_transition(&members, "the default of a `switch`", cx)?)
        }
        None => None,
    };
    Some(ActivityKind::Switch { conditions: conditions?, default })
}

/// Parses a required `transition` or `end`.
fn required_transition(members: &Object<'_>, owner: &str, cx: &mut DslParseCx) -> Option<Transition> {
    let target = transition_or_end(members, cx)?;
    if target.is_none() {
        let diagnostic = Diagnostic::new(
            &codes::WF0401,
            members.span.at_start(),
            format!("missing `transition` or `end` in {owner}"),
        );
        cx.push(diagnostic.help("add `\"transition\": \"Name of an activity\"`, or `\"end\": true`"));
    }
    target
}

fn inject(members: &Object<'_>, cx: &mut DslParseCx) -> Option<ActivityKind> {
    let data = members.get("data")?;
    if data.as_object().is_none() {
        let message = format!("`data` must be an object, found {}", data.kind());
        cx.push(
            Diagnostic::new(&codes::WF0403, data.span, message)
                .help("name the value, as in `{ \"result\": … }`: members of `data` become members of the data"),
        );
        return None;
    }
    warn_of_expressions(data, cx);
    Some(ActivityKind::Inject { data: data.clone() })
}

/// Warns of expressions in injected data, which are constant.
fn warn_of_expressions(node: &Node, cx: &mut DslParseCx) {
    match &node.tree {
        Tree::String(text) if text.value.contains("${") => {
            let message =
                format!("`{}` is not evaluated: injected data is constant", crate::syntax::shown(&text.value));
            let diagnostic = Diagnostic::new(&codes::WF0457, text.span, message);
            cx.push(
                diagnostic.help("compute it in an output filter: `\"activityDataFilter\": { \"output\": \"${ … }\" }`"),
            );
        }
        Tree::Array(items) => items.iter().for_each(|item| warn_of_expressions(item, cx)),
        Tree::Object(entries) => entries.iter().for_each(|entry| warn_of_expressions(&entry.value, cx)),
        _ => {}
    }
}
