//! Parser of actions and their error handlers.

use super::super::ast::{
    Action, ActionKind, Completion, ErrorHandler, EventAttribute, Expression, Invocation, InvocationArgument,
    InvocationValue, Name,
};
use super::super::expression::{expression, has_form, looks_like, warn_of_constant};
use super::super::{FunctionCall, Sm4cParseCx};
use super::maybe_expression;
use super::timespan::maybe_timespan;
use crate::diagnostics::{Diagnostic, codes::fields as codes, codes::graph::WF0202};
use crate::dialects::object::Object;
use crate::dialects::object::any_case::{member, word};
use crate::dialects::object::values::{all, text};
use crate::dialects::sm4c::codes as own;
use crate::source::Span;
use crate::syntax::wrong_type;
use crate::syntax::{Node, Tree};
use std::collections::BTreeMap;

/// Type of actions: its name, the noun phrase for messages, and the members of the type.
struct Type {
    name: &'static str,
    owner: &'static str,
    required: &'static [&'static str],
    optional: &'static [&'static str],
}

const TYPES: [Type; 8] = [
    Type { name: "delay", owner: "a `delay` action", required: &["timeout"], optional: &[] },
    Type { name: "foreach", owner: "a `foreach` action", required: &["input", "action"], optional: &["maxParallel"] },
    Type { name: "injectData", owner: "an `injectData` action", required: &["expression"], optional: &[] },
    Type {
        name: "invokeFunction",
        owner: "an `invokeFunction` action",
        required: &["functionName"],
        optional: &["timeout", "waitForCompletion", "arguments"],
    },
    Type {
        name: "invokeSubflow",
        owner: "an `invokeSubflow` action",
        required: &["subflowName"],
        optional: &["timeout", "waitForCompletion", "arguments"],
    },
    Type { name: "parallel", owner: "a `parallel` action", required: &["actions"], optional: &["completionType", "n"] },
    Type {
        name: "sendEvent",
        owner: "a `sendEvent` action",
        required: &["event"],
        optional: &["expression", "contextAttributes"],
    },
    Type { name: "sequence", owner: "a `sequence` action", required: &["actions"], optional: &[] },
];

/// Parses an action.
pub fn action(node: &Node, cx: &mut Sm4cParseCx) -> Option<Action> {
    let fields = Object::of(node, "an action", cx.diagnostics)?;
    let names = TYPES.each_ref().map(|kind| kind.name);
    let Some(written) = member(node, "type").filter(|node| node.tree != Tree::Null) else {
        missing_type(&fields, cx);
        return None;
    };
    let name = word(written, "type", &names, cx.diagnostics)?;
    let kind = TYPES.iter().find(|kind| kind.name == name)?;
    let optional: Vec<&'static str> = ["type", "name", "errorHandlers"].iter().chain(kind.optional).copied().collect();
    let members = Object::any_case(node, kind.owner, kind.required, &optional, cx.diagnostics)?;
    let name = members.name("name", cx.diagnostics);
    let error_handlers = error_handlers(&members, cx);
    let kind = match kind.name {
        "delay" => maybe_timespan(&members, "timeout", cx).map(|timeout| ActionKind::Delay { timeout }),
        "foreach" => for_each(&members, cx),
        "injectData" => {
            maybe_expression(&members, "expression", cx).map(|expression| ActionKind::InjectData { expression })
        }
        "invokeFunction" => {
            let function = members.name("functionName", cx.diagnostics).and_then(|name| cx.function(name));
            let call = call(&members, "function", cx);
            function.zip(call).map(|(function, call)| {
                let without_effect = ["arguments", "timeout"].into_iter().filter_map(|name| {
                    // A separate warning covers the timeout of a call that does not wait.
                    let is_reported = name == "timeout" && !call.waits;
                    Some((name, members.entry(name).filter(|_| !is_reported)?.key.span))
                });
                let unobserved = Some(function.name.span).filter(|_| !call.waits);
                cx.calls.push(FunctionCall {
                    function: function.index,
                    without_effect: without_effect.collect(),
                    unobserved,
                });
                ActionKind::InvokeFunction { function, call }
            })
        }
        "invokeSubflow" => {
            let subflow = members.name("subflowName", cx.diagnostics);
            let call = call(&members, "state machine", cx);
            subflow.zip(call).map(|(subflow, call)| ActionKind::InvokeSubflow { subflow, call })
        }
        "parallel" => parallel(&members, cx),
        "sendEvent" => send_event(&members, cx),
        _ => actions(&members, cx).map(|actions| ActionKind::Sequence { actions }),
    };
    Some(Action { name, kind: kind?, error_handlers: error_handlers?, span: node.span })
}

/// Reports that an action has no type. The help line names the type whose required members the
/// action has, if there is only one.
fn missing_type(fields: &Object<'_>, cx: &mut Sm4cParseCx) {
    let has = |name: &&str| fields.entries.iter().any(|entry| entry.key.value.eq_ignore_ascii_case(name));
    let mut fitting = TYPES.iter().filter(|kind| kind.required.iter().all(has));
    let intended = fitting.next().filter(|_| fitting.next().is_none());
    let stray = fields.entries.iter().find(|entry| {
        let key = entry.key.value.to_ascii_lowercase();
        crate::diagnostics::suggest::nearest(&key, ["type"]).is_some()
    });
    let help = match (stray, intended) {
        (Some(_), _) => "did you mean `type`?".to_owned(),
        (None, Some(intended)) => format!("add `\"type\": \"{}\"`", intended.name),
        (None, None) => "add `type`".to_owned(),
    };
    let span = stray.map_or_else(|| fields.span.opening(), |entry| entry.key.span);
    cx.push(Diagnostic::new(&codes::WF0401, span, "missing `type` in an action").help(help));
}

fn for_each(members: &Object<'_>, cx: &mut Sm4cParseCx) -> Option<ActionKind> {
    let input = maybe_expression(members, "input", cx);
    let max_parallel = members.whole_from("maxParallel", 1, cx.diagnostics);
    let action = members.get("action").and_then(|node| action(node, cx));
    Some(ActionKind::ForEach { input: input?, action: Box::new(action?), max_parallel })
}

fn parallel(members: &Object<'_>, cx: &mut Sm4cParseCx) -> Option<ActionKind> {
    let actions = actions(members, cx);
    let written = members.get("completionType");
    let kind = match written {
        Some(node) => word(node, "completionType", &["and", "xor", "n_of_m"], cx.diagnostics)?,
        None => "and",
    };
    let count = members.entry("n");
    let refuse = |span: Span, message: String, help: String, cx: &mut Sm4cParseCx| {
        cx.push(Diagnostic::new(&codes::WF0422, span, message).help(help));
    };
    let completion = match (kind, count) {
        ("n_of_m", None) => {
            let span = written.map_or(members.span, |node| node.span);
            let help = "add `n`, the number of actions to wait for".to_owned();
            refuse(span, "missing `n` for the completion type `n_of_m`".to_owned(), help, cx);
            return None;
        }
        ("n_of_m", Some(entry)) => {
            let most = members.get("actions").and_then(Node::as_array).map_or(0, <[Node]>::len);
            match (&entry.value.tree, number(&entry.value)) {
                (_, Some(n)) if n >= 1 && n as usize <= most => Completion::Count(n),
                (Tree::Int(_) | Tree::Float(_), _) => {
                    // An empty list has been reported.
                    if most > 0 {
                        let message = match most {
                            1 => "`n` must be 1, because there is only one action".to_owned(),
                            _ => format!("`n` must be a whole number from 1 to {most}, the number of actions"),
                        };
                        let help = "to wait for all actions, remove `completionType` and `n`".to_owned();
                        refuse(entry.value.span, message, help, cx);
                    }
                    return None;
                }
                _ => {
                    wrong_type(&entry.value, "n", "a whole number", cx.diagnostics);
                    return None;
                }
            }
        }
        (kind, Some(entry)) => {
            let message = format!("`n` is not allowed with the completion type `{kind}`");
            let help = "remove it, or add `\"completionType\": \"n_of_m\"`";
            let help = if written.is_some() { "remove it, or set `completionType` to `n_of_m`" } else { help };
            refuse(entry.key.span, message, help.to_owned(), cx);
            return None;
        }
        ("xor", None) => Completion::First,
        (_, None) => Completion::All,
    };
    Some(ActionKind::Parallel { actions: actions?, completion })
}

fn number(node: &Node) -> Option<u32> {
    match node.tree {
        Tree::Int(value) => u32::try_from(value).ok(),
        Tree::Float(value) if value.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&value) => {
            Some(value as u32)
        }
        _ => None,
    }
}

/// Parses the members of a sequence or a parallel action. Their keys in the result must differ.
fn actions(members: &Object<'_>, cx: &mut Sm4cParseCx) -> Option<Vec<Action>> {
    let nodes = members.list("actions", cx.diagnostics)?;
    let mut keys: BTreeMap<String, Span> = BTreeMap::new();
    for (index, node) in nodes.iter().enumerate() {
        let name = member(node, "name").and_then(Node::as_text);
        let (key, span) = match name {
            Some(name) => (name.value.clone(), name.span),
            None => (index.to_string(), node.span.opening()),
        };
        let Some(first) = keys.insert(key.clone(), span) else { continue };
        let message = match name {
            Some(_) => format!("duplicate action name `{key}` in {}", members.owner),
            None => format!("duplicate result key `{key}`: another action has this name"),
        };
        cx.push(
            Diagnostic::new(&WF0202, span, message)
                .related(first, "first used here")
                .help("give each action its own name: the names are the keys of the object with the results"),
        );
    }
    all(nodes, |node| action(node, cx))
}

fn send_event(members: &Object<'_>, cx: &mut Sm4cParseCx) -> Option<ActionKind> {
    let event = members.name("event", cx.diagnostics).and_then(|name| cx.event(name));
    let expression = maybe_expression(members, "expression", cx);
    let attributes = members.get("contextAttributes").map(|node| attributes(node, cx));
    let attributes = attributes.unwrap_or_else(|| Some(Vec::new()));
    Some(ActionKind::SendEvent { event: event?, expression, attributes: attributes? })
}

/// Attributes and members that CloudEvents defines (CloudEvents 1.0, "Context Attributes" and
/// "Event Data").
const OWN: [&str; 10] =
    ["data", "data_base64", "datacontenttype", "dataschema", "id", "source", "specversion", "subject", "time", "type"];

/// Returns `true` if a text is a valid name of an attribute (CloudEvents 1.0, "Naming
/// Conventions").
fn is_attribute(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

fn attributes(node: &Node, cx: &mut Sm4cParseCx) -> Option<Vec<EventAttribute>> {
    let Some(entries) = node.as_object() else {
        wrong_type(node, "contextAttributes", "an object", cx.diagnostics);
        return None;
    };
    let mut attributes = Vec::new();
    for entry in entries {
        let Some(value) = text(&entry.value, &entry.key.value, cx.diagnostics) else { continue };
        let name = &entry.key;
        if OWN.contains(&&*name.value) || !is_attribute(&name.value) {
            let message = format!("`{}` is not a valid name of an event attribute", name.value);
            let help = "use the letters a to z and digits; names such as `id` are reserved by CloudEvents, and `expression` \
                        sets the data";
            cx.diagnostics.push(Diagnostic::new(&codes::WF0410, name.span, message).help(help));
            continue;
        }
        if looks_like(&value.value) {
            warn_of_constant(value, "event attributes are constants", cx);
        }
        attributes.push(EventAttribute { name: entry.key.clone(), value: value.clone() });
    }
    (attributes.len() == entries.len()).then_some(attributes)
}

/// Parses the common members of calls of functions and of state machines.
fn call(members: &Object<'_>, what: &str, cx: &mut Sm4cParseCx) -> Option<Invocation> {
    let waits = members.boolean("waitForCompletion", cx.diagnostics).unwrap_or(false);
    let timeout = maybe_timespan(members, "timeout", cx);
    let arguments = members.get("arguments").map(|node| arguments(node, cx));
    if !waits {
        let late = [
            ("timeout", format!("`timeout` has no effect: the action does not wait for the {what}")),
            ("errorHandlers", format!("`errorHandlers` has no effect: the action does not wait for the {what}")),
        ];
        for (name, message) in late {
            if let Some(entry) = members.entry(name) {
                cx.push(
                    Diagnostic::new(&own::WF0853, entry.key.span, message)
                        .help("add `\"waitForCompletion\": true` to the action"),
                );
            }
        }
    }
    Some(Invocation { waits, timeout, arguments: arguments.map_or(Some(None), |read| read.map(Some))? })
}

fn arguments(node: &Node, cx: &mut Sm4cParseCx) -> Option<Vec<InvocationArgument>> {
    let Some(entries) = node.as_object() else {
        wrong_type(node, "arguments", "an object", cx.diagnostics);
        return None;
    };
    let mut arguments = Vec::new();
    for entry in entries {
        let value = match &entry.value.tree {
            Tree::String(text) if has_form(&text.value) => {
                let Some(value) = expression(&entry.value, &entry.key.value, cx) else { continue };
                InvocationValue::Expression(value)
            }
            Tree::String(text) => {
                if looks_like(&text.value) {
                    warn_of_constant(text, "an expression needs a space after `${` and one before `}`", cx);
                }
                InvocationValue::Constant(entry.value.clone())
            }
            _ => {
                warn_inside(&entry.value, cx);
                InvocationValue::Constant(entry.value.clone())
            }
        };
        arguments.push(InvocationArgument { name: entry.key.clone(), value });
    }
    (arguments.len() == entries.len()).then_some(arguments)
}

/// Warns of strings inside a constant that look like expressions.
fn warn_inside(node: &Node, cx: &mut Sm4cParseCx) {
    match &node.tree {
        Tree::String(text) if looks_like(&text.value) => {
            warn_of_constant(text, "only a whole argument can be an expression", cx);
        }
        Tree::Array(items) => items.iter().for_each(|item| warn_inside(item, cx)),
        Tree::Object(entries) => entries.iter().for_each(|entry| warn_inside(&entry.value, cx)),
        _ => {}
    }
}

fn error_handlers(members: &Object<'_>, cx: &mut Sm4cParseCx) -> Option<Vec<ErrorHandler>> {
    let nodes = members.maybe_list("errorHandlers", cx.diagnostics).unwrap_or_default();
    let mut catches_all: Option<Span> = None;
    let mut handlers = Vec::new();
    for node in nodes {
        let optional = &["condition", "resultHandler", "retryPolicy"];
        let Some(members) = Object::any_case(node, "an error handler", &[], optional, cx.diagnostics) else { continue };
        if let Some(first) = catches_all {
            cx.push(
                Diagnostic::new(&codes::WF0455, node.span.opening(), "unreachable error handler")
                    .related(first, "this handler has no condition and handles every error")
                    .help("move the handler without a `condition` to the end"),
            );
        }
        if !members.has("condition") {
            catches_all.get_or_insert(node.span.opening());
        }
        let condition: Option<Expression> = maybe_expression(&members, "condition", cx);
        let handler = maybe_expression(&members, "resultHandler", cx);
        let policy: Option<Name> = members.name("retryPolicy", cx.diagnostics);
        let retry = policy.and_then(|name| cx.retry(name));
        handlers.push(ErrorHandler { condition, handler, retry, span: node.span });
    }
    (handlers.len() == nodes.len()).then_some(handlers)
}
