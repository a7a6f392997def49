//! Parser from the spanned tree to the AST: the workflow, its activities and its messages. It
//! reports all errors in fields and names.

mod action;
mod activity;
mod call;
pub mod expression;
pub mod filter;
mod message;

use super::ast::{Definition, Name};
use crate::diagnostics::codes::fields::WF0405;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::dialects::names::NameTable;
use crate::dialects::object::Object;
use crate::dialects::object::any_case::member;
use crate::dialects::object::values::{all, text};
use crate::syntax::{Node, Text};
use message::Declared;
use std::sync::Arc;

/// Context of the parser.
pub struct DslParseCx<'a> {
    activities: NameTable,
    messages: NameTable,
    /// Facts about each message that are known before it is parsed.
    declared: Vec<Declared>,
    pub diagnostics: &'a mut Diagnostics,
}

impl DslParseCx<'_> {
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }
}

/// Parses a workflow. Returns `None` after reporting an error.
pub fn parse(definition: &Node, diagnostics: &mut Diagnostics) -> Option<Definition> {
    let (activities, messages) =
        (NameTable::case_sensitive("activity", "activities"), NameTable::case_sensitive("message", "messages"));
    let mut cx = DslParseCx { activities, messages, declared: Vec::new(), diagnostics };
    let cx = &mut cx;
    let workflow = Object::any_case(
        definition,
        "a workflow",
        &["activities"],
        &[
            "id",
            "namespace",
            "name",
            "description",
            "version",
            "specVersion",
            "hash",
            "isChild",
            "firstActivity",
            "start",
            "workflowDataFilter",
            "messages",
        ],
        cx.diagnostics,
    )?;
    for name in ["namespace", "name", "specVersion", "hash"] {
        workflow.label(name, cx.diagnostics);
    }
    let id = workflow.non_empty_label("id", cx.diagnostics);
    let version = workflow.label("version", cx.diagnostics);
    let description = workflow.string("description", cx.diagnostics).map(|text| text.value);
    let is_child = workflow.flag("isChild", cx.diagnostics).unwrap_or(false);
    let filter = filter::data_filter(&workflow, "workflowDataFilter", "the filter of a workflow", cx);
    let nodes = workflow.list("activities", cx.diagnostics);
    let message_nodes = workflow.maybe_list("messages", cx.diagnostics).unwrap_or_default();
    for (at, node) in nodes.unwrap_or_default().iter().enumerate() {
        if let Some(name) = member(node, "name").and_then(Node::as_text) {
            cx.activities.define(name, at, cx.diagnostics);
        }
    }
    for (at, node) in message_nodes.iter().enumerate() {
        if let Some(name) = member(node, "name").and_then(Node::as_text) {
            cx.messages.define(name, at, cx.diagnostics);
        }
        cx.declared.push(Declared::of(node));
    }
    let messages = all(message_nodes, |node| message::message(node, cx));
    let activities = nodes.and_then(|nodes| activity::activities(nodes, cx));
    let first = first(&workflow, cx);
    Some(Definition {
        id,
        description,
        version,
        is_child,
        filter: filter?,
        activities: activities?,
        messages: messages?,
        first: first?,
        span: definition.span,
    })
}

/// Returns the index of the first activity.
fn first(workflow: &Object<'_>, cx: &mut DslParseCx) -> Option<usize> {
    let (by_text, alias) = (workflow.entry("firstActivity"), workflow.entry("start"));
    if let (Some(first), Some(other)) = (by_text, alias) {
        cx.push(
            Diagnostic::new(&WF0405, other.key.span, "`firstActivity` and `start` are two names of one member")
                .related(first.key.span, "`firstActivity` is set here")
                .help("remove `start`: it is another name for `firstActivity`"),
        );
    }
    let Some(entry) = by_text.or(alias) else { return Some(0) };
    let text = text(&entry.value, &entry.key.value, cx.diagnostics)?;
    let activity = cx.activities.resolve(name_of(text), cx.diagnostics)?;
    Some(activity.index)
}

fn name_of(text: &Text) -> Name {
    Name::new(Arc::from(text.value.as_str()), text.span)
}
