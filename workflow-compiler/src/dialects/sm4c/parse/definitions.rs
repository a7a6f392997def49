//! Parser of definitions: events, functions and retry policies, in place or in files.

use super::super::Sm4cParseCx;
use super::super::ast::{
    CorrelationAttribute, EventDefinition, FunctionDefinition, FunctionOperation, Jitter, RetryPolicy, Timespan,
};
use super::super::expression::{expression, has_form, looks_like};
use super::timespan::{maybe_timespan, timespan};
use crate::diagnostics::{Diagnostic, codes::fields as codes};
use crate::dialects::object::Object;
use crate::dialects::object::any_case::{member, word};
use crate::dialects::object::numbers::{NumberRange, number, out_of_range};
use crate::dialects::object::values::all;
use crate::dialects::sm4c::codes as own;
use crate::files::Inputs;
use crate::source::Spanned;
use crate::syntax::wrong_type;
use crate::syntax::{Node, Text, Tree, shown};
use std::borrow::Cow;

/// Returns the definitions of one kind: an array, or the array in the file that a string names
/// ([S17](docs/sm4c.md#s17)). The file holds the array itself or an object with a member of the
/// same name. Returns `None` after reporting an error.
pub fn nodes<'a>(
    machine: &Object<'a>,
    name: &'static str,
    inputs: &mut Inputs,
    cx: &mut Sm4cParseCx,
) -> Option<Cow<'a, [Node]>> {
    let Some(node) = machine.get(name) else { return Some(Cow::Borrowed(&[])) };
    let path = match &node.tree {
        Tree::Array(items) => return Some(Cow::Borrowed(items)),
        Tree::String(path) => path,
        _ => {
            let message = format!("`{name}` must be an array or the name of a file, found {}", node.kind());
            cx.push(Diagnostic::new(&codes::WF0403, node.span, message).help("write a list: `[ … ]`"));
            return None;
        }
    };
    let tree = inputs.tree(path, cx.diagnostics)?;
    let list = member(&tree, name).unwrap_or(&tree);
    match &list.tree {
        Tree::Array(items) => Some(Cow::Owned(items.clone())),
        _ if std::ptr::eq(list, &tree) && tree.as_object().is_some() => {
            let message = format!("a file of `{name}` must be a list, or an object with a list in `{name}`");
            let span = tree.span.opening();
            cx.push(
                Diagnostic::new(&codes::WF0403, span, message)
                    .related(path.span, "the file is named here")
                    .help(format!("write `{{ \"{name}\": [ … ] }}`")),
            );
            None
        }
        _ => {
            wrong_type(list, name, "an array", cx.diagnostics);
            None
        }
    }
}

/// Parses an event.
pub fn event(node: &Node, cx: &mut Sm4cParseCx) -> Option<EventDefinition> {
    let members = Object::any_case(node, "an event", &["name"], &["source", "type", "correlation"], cx.diagnostics)?;
    let name = members.name("name", cx.diagnostics);
    let source = members.string("source", cx.diagnostics);
    let kind = members.string("type", cx.diagnostics);
    for text in source.iter().chain(&kind).filter(|text| text.value.is_empty()) {
        let help = "remove it to match any value";
        cx.diagnostics.push(
            Diagnostic::new(&codes::WF0412, text.span, "the source or type of an event must not be empty").help(help),
        );
    }
    let correlation = members.maybe_list("correlation", cx.diagnostics).unwrap_or_default();
    let correlation = all(correlation, |node| self::correlation(node, cx));
    Some(EventDefinition { name: name?, source, kind, correlation: correlation?, span: node.span })
}

fn correlation(node: &Node, cx: &mut Sm4cParseCx) -> Option<CorrelationAttribute> {
    let members =
        Object::any_case(node, "a correlation", &["contextAttributeName"], &["contextAttributeValue"], cx.diagnostics)?;
    let value = members.string("contextAttributeValue", cx.diagnostics);
    let name = members.name("contextAttributeName", cx.diagnostics)?;
    Some(CorrelationAttribute { name: Spanned::new(name.value.to_string(), name.span), value })
}

/// Parses a function.
pub fn function(node: &Node, cx: &mut Sm4cParseCx) -> Option<FunctionDefinition> {
    let members = Object::any_case(node, "a function", &["name", "operation"], &["type"], cx.diagnostics)?;
    let name = members.name("name", cx.diagnostics);
    let kind = match members.get("type") {
        Some(kind) => word(kind, "type", &["rest", "expression", "rpc"], cx.diagnostics)?,
        None => "rest",
    };
    let written = members.get("operation")?;
    let operation = match kind {
        "expression" => expression(written, "operation", cx).map(FunctionOperation::Expression),
        _ => {
            let text = members.text("operation", cx.diagnostics)?;
            if has_form(&text.value) || looks_like(&text.value) {
                let message = format!("the operation is an expression, but the type of the function is `{kind}`");
                let help =
                    if members.has("type") { "set `type` to `expression`" } else { "add `\"type\": \"expression\"`" };
                cx.push(Diagnostic::new(&codes::WF0423, text.span, message).help(help));
                return None;
            }
            if kind == "rest" { rest(text, cx) } else { rpc(text, cx) }
        }
    };
    Some(FunctionDefinition { name: name?, operation: operation?, operation_span: written.span, span: node.span })
}

/// Returns the bytes `start..end` of a text with their span.
fn part(text: &Text, start: usize, end: usize) -> Spanned<String> {
    Spanned::new(text.value[start..end].to_owned(), text.span_of(start, end))
}

/// Returns the position of the one `#` of a text with text on both sides.
fn position_of_hash(text: &Text) -> Option<usize> {
    let at = text.value.find('#')?;
    let (before, after) = (&text.value[..at], &text.value[at + 1..]);
    (!before.trim().is_empty() && !after.trim().is_empty() && !after.contains('#')).then_some(at)
}

fn rest(text: &Text, cx: &mut Sm4cParseCx) -> Option<FunctionOperation> {
    let Some(at) = position_of_hash(text) else {
        let message = format!("`{}` does not name an operation of an OpenAPI document", shown(&text.value));
        let help = "write the document and the `operationId`, as in `bank.json#charge`";
        cx.push(Diagnostic::new(&codes::WF0423, text.span, message).help(help));
        return None;
    };
    Some(FunctionOperation::Rest { document: text.slice(0, at), operation: part(text, at + 1, text.value.len()) })
}

fn rpc(text: &Text, cx: &mut Sm4cParseCx) -> Option<FunctionOperation> {
    let split = position_of_hash(text).and_then(|at| {
        let (service, method) = text.value[at + 1..].split_once('/')?;
        let is_name = |name: &str| {
            let start = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            start && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        (service.split('.').all(is_name) && is_name(method)).then_some((at, at + 1 + service.len()))
    });
    let Some((hash, slash)) = split else {
        let message = format!("`{}` does not name a method of a gRPC service", shown(&text.value));
        let help = "write the file, the service and the method, as in `bank.proto#acme.Bank/Charge`";
        cx.push(Diagnostic::new(&codes::WF0423, text.span, message).help(help));
        return None;
    };
    Some(FunctionOperation::Rpc {
        file: part(text, 0, hash),
        service: part(text, hash + 1, slash),
        method: part(text, slash + 1, text.value.len()),
    })
}

/// Parses a retry policy.
pub fn retry(node: &Node, cx: &mut Sm4cParseCx) -> Option<RetryPolicy> {
    let optional = &["delay", "maxDelay", "increment", "multiplier", "jitter"];
    let members = Object::any_case(node, "a retry policy", &["name", "maxAttempts"], optional, cx.diagnostics)?;
    let name = members.name("name", cx.diagnostics);
    let max_attempts = members.whole_from("maxAttempts", 0, cx.diagnostics);
    let delay = maybe_timespan(&members, "delay", cx);
    let max_delay = maybe_timespan(&members, "maxDelay", cx);
    let increment = maybe_timespan(&members, "increment", cx);
    let range = NumberRange::Real(0.0, f64::INFINITY);
    let multiplier = members.get("multiplier").and_then(|node| number(node, "multiplier", range, cx.diagnostics));
    let jitter = members.get("jitter").and_then(|node| jitter(node, cx));
    let no_effect = |name: &str, why: &str, help: &str, cx: &mut Sm4cParseCx| {
        if let Some(entry) = members.entry(name) {
            let message = format!("`{name}` has no effect {why}");
            cx.push(Diagnostic::new(&codes::WF0455, entry.key.span, message).help(help));
        }
    };
    if members.has("increment") {
        no_effect("multiplier", "together with `increment`", "remove one of the two", cx);
    } else if !members.has("delay") {
        for name in ["multiplier", "maxDelay"] {
            no_effect(name, "without `delay`", "add `delay`, or remove it", cx);
        }
    }
    let is_less = |least: &Timespan, most: &Timespan| most.value < least.value;
    if let (Some(first), Some(most)) = (&delay, &max_delay)
        && is_less(first, most)
    {
        cx.push(
            Diagnostic::new(&codes::WF0455, first.span, "`delay` is longer than `maxDelay`")
                .related(most.span, "`maxDelay` is set here")
                .help("make `maxDelay` longer"),
        );
    }
    Some(RetryPolicy {
        name: name?,
        max_attempts: max_attempts?,
        delay,
        max_delay,
        increment,
        multiplier,
        jitter,
        span: node.span,
    })
}

/// Parses `jitter`: a fraction of the delay, or a timespan. The original engine takes no integer
/// for either.
fn jitter(node: &Node, cx: &mut Sm4cParseCx) -> Option<Spanned<Jitter>> {
    let jitter = match node.tree {
        Tree::Float(value) if (0.0..=1.0).contains(&value) => Jitter::Fraction(value),
        Tree::Float(value) => {
            out_of_range(node, "jitter", "a fraction from 0.0 to 1.0 or a timespan", value, 0.0..=1.0, cx.diagnostics);
            return None;
        }
        Tree::Int(0) => return None,
        Tree::Int(value) => {
            let message = format!("`jitter` is ignored: {value} is a whole number, not a fraction");
            let help = match value {
                1 => "write `1.0` for all of the delay, or a timespan like `\"00:00:01\"`",
                _ => "write a fraction of the delay from `0.0` to `1.0`, or a timespan like `\"00:00:01\"`",
            };
            cx.push(Diagnostic::new(&own::WF0854, node.span, message).help(help));
            return None;
        }
        Tree::String(_) => Jitter::Time(timespan(node, "jitter", cx)?.value),
        _ => {
            wrong_type(node, "jitter", "a number or a timespan", cx.diagnostics);
            return None;
        }
    };
    Some(Spanned::new(jitter, node.span))
}
