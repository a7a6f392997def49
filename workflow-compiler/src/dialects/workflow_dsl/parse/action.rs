//! Parser of actions.

use super::super::ast::{Action, ActionKind, Expression, MessageDirection, RestCall, SECRETS, StringPiece, Templated};
use super::expression::{pieces, templated};
use super::message::references;
use super::{DslParseCx, call};
use crate::diagnostics::{Diagnostic, codes::fields as codes};
use crate::dialects::object::Object;
use crate::dialects::object::any_case::{member, word};
use crate::dialects::object::values::all;
use crate::model::operation::SecretHeader;
use crate::syntax::wrong_type;
use crate::syntax::{Node, Tree};

/// HTTP methods of actions.
const METHODS: [&str; 7] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/// Parses the actions of an activity, or of an entry of `onMessages`.
pub fn actions(members: &Object<'_>, cx: &mut DslParseCx) -> Option<Vec<Action>> {
    let nodes = members.maybe_list("actions", cx.diagnostics)?;
    all(nodes, |node| action(node, cx))
}

fn action(node: &Node, cx: &mut DslParseCx) -> Option<Action> {
    let kind = member(node, "type").filter(|node| node.tree != Tree::Null);
    let kind = match kind {
        Some(kind) => word(kind, "type", &["rest", "sleep", "produceMessage"], cx.diagnostics)?,
        None => {
            Object::any_case(node, "an action", &["type"], &["name", "sleep"], cx.diagnostics)?;
            return None;
        }
    };
    let (owner, required, more): (_, &[&'static str], &[&'static str]) = match kind {
        "rest" => ("a `rest` action", &["operation"], &["method", "query-parameters", "arguments", "header"]),
        "sleep" => ("a `sleep` action", &[], &[]),
        _ => ("a `produceMessage` action", &["messageRef"], &["data"]),
    };
    let optional: Vec<&'static str> = ["type", "name", "sleep"].iter().chain(more).copied().collect();
    let members = Object::any_case(node, owner, required, &optional, cx.diagnostics)?;
    let name = members.non_empty_label("name", cx.diagnostics);
    let sleep = super::activity::sleep(&members, cx);
    let kind = match kind {
        "rest" => rest(&members, cx).map(ActionKind::Rest),
        "sleep" => {
            if sleep.as_ref().is_some_and(|sleep| sleep.before.is_none() && sleep.after.is_none()) {
                let diagnostic = Diagnostic::new(&codes::WF0455, members.span.at_start(), "this action does not sleep");
                cx.push(diagnostic.help("add `\"sleep\": { \"before\": \"PT10S\" }`"));
            }
            Some(ActionKind::Sleep)
        }
        _ => {
            let messages = references(&members, "messageRef", MessageDirection::Produced, cx);
            let data = members.get("data").map(|node| templated(node, cx));
            match data {
                Some(None) => None,
                data => messages.map(|messages| ActionKind::Produce { messages, data: data.flatten() }),
            }
        }
    };
    Some(Action { name, kind: kind?, sleep: sleep?, span: node.span })
}

fn rest(members: &Object<'_>, cx: &mut DslParseCx) -> Option<RestCall> {
    let written = members.text("operation", cx.diagnostics);
    let url = written.and_then(|text| call::address(text, pieces(text, cx)?, cx));
    let method = match members.get("method") {
        Some(node) => word(node, "method", &METHODS, cx.diagnostics)?,
        None => "GET",
    };
    let has_body = matches!(method, "POST" | "PUT" | "PATCH");
    let query = parameters(members, "query-parameters", cx);
    let headers = parameters(members, "header", cx);
    let entries = |name: &str| members.get(name).and_then(Node::as_object).unwrap_or_default();
    call::headers(entries("header"), cx)?;
    let (mut query, (secrets, headers)) = (query?, split_secrets(headers?));
    let mut body = None;
    if let Some(node) = members.get("arguments") {
        if has_body {
            body = Some(templated(node, cx)?);
        } else {
            call::check_unique_parameters(entries("query-parameters"), entries("arguments"), cx)?;
            query.extend(parameters(members, "arguments", cx)?);
        }
    }
    let (written, url) = written.zip(url)?;
    Some(RestCall {
        url,
        url_span: written.span,
        written: written.value.clone(),
        method: method.to_owned(),
        query,
        headers,
        secrets,
        body,
    })
}

/// Parses an object whose values become strings of the request.
fn parameters(members: &Object<'_>, name: &str, cx: &mut DslParseCx) -> Option<Vec<(String, Templated)>> {
    let Some(node) = members.get(name) else { return Some(Vec::new()) };
    let Some(entries) = node.as_object() else {
        wrong_type(node, name, "an object", cx.diagnostics);
        return None;
    };
    let read: Vec<_> =
        entries.iter().filter_map(|entry| Some((entry.key.value.clone(), templated(&entry.value, cx)?))).collect();
    (read.len() == entries.len()).then_some(read)
}

/// Splits headers into those whose values are secrets or end in one, such as `Bearer ${
/// $SECRETS.token }`, and the others.
fn split_secrets(headers: Vec<(String, Templated)>) -> (Vec<SecretHeader>, Vec<(String, Templated)>) {
    let mut secrets = Vec::new();
    let mut others = Vec::new();
    for (header, value) in headers {
        let secret_part = match &value {
            Templated::Expression(expression) => secret(expression).map(|secret| (String::new(), secret)),
            Templated::Text(pieces) => match &pieces[..] {
                [StringPiece::Text(before), StringPiece::Expression(expression)] => {
                    secret(expression).map(|secret| (before.clone(), secret))
                }
                _ => None,
            },
            _ => None,
        };
        match secret_part {
            Some((before, secret)) => secrets.push(SecretHeader { header, before, secret }),
            None => others.push((header, value)),
        }
    }
    (secrets, others)
}

/// Returns the name in `$SECRETS.name`.
fn secret(expression: &Expression) -> Option<String> {
    let name = expression.text.value.strip_prefix(SECRETS)?.strip_prefix('.')?;
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (is_name && name.starts_with(|c: char| !c.is_ascii_digit())).then(|| name.to_owned())
}
