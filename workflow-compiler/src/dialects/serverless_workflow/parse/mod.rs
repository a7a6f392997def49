//! Reads the spanned tree into the AST: the workflow, its events and functions, and its states. All that is wrong with members
//! and names is reported. The published schema refuses the specification's own examples, so that what they do is read, with a
//! warning.

mod action;
mod definitions;
mod exit;
mod filter;
mod flow;
mod handlers;
mod state;
mod switch;
mod values;

use super::ast::{Definition, Language, Reference};
use crate::diagnostics::codes::{graph as graph_codes, serverless_workflow as own};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::dialects::names::Names;
use crate::dialects::values::label;
use crate::source::Span;
use crate::syntax::{Node, Text, shown};
use flow::States;
use std::collections::BTreeMap;

/// What the text of the specification calls a workflow, in messages.
const WORKFLOW: &str = "a workflow";

/// What reading needs beside the tree.
pub struct Cx<'a> {
    events: Names,
    functions: Names,
    /// The states of the flow that is being read.
    states: States,
    /// The states of all flows, and where they are.
    everywhere: BTreeMap<String, Span>,
    /// The language of expressions that do not say theirs.
    language: Language,
    pub diagnostics: &'a mut Diagnostics,
}

impl Cx<'_> {
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Warns of something that is not as the text of the specification has it, and is read all the same.
    fn warn(&mut self, span: Span, message: String, help: impl Into<String>) {
        self.push(Diagnostic::new(&own::W1201, span, message).help(help));
    }

    /// The state that a transition leads to.
    fn target(&mut self, text: &Text) -> Option<Reference> {
        if let Some(found) = self.states.find(text, self.diagnostics) {
            return found;
        }
        if let Some(place) = self.everywhere.get(&text.value) {
            let message = format!("the state `{}` is not one of those around this transition", shown(&text.value));
            self.diagnostics.push(
                Diagnostic::new(&graph_codes::E0203, text.span, message).related(*place, "it is here").help(
                    "states of a branch or of a foreach state lead to each other only, and nothing else leads to them",
                ),
            );
            return None;
        }
        self.states.unknown(text, self.diagnostics)
    }

    fn event(&mut self, text: &Text) -> Option<Reference> {
        self.events.resolve(values::name_of(text), &own::E1204, self.diagnostics)
    }

    fn function(&mut self, text: &Text) -> Option<Reference> {
        self.functions.resolve(values::name_of(text), &own::E1204, self.diagnostics)
    }
}

/// What definitions of later versions have at their top, and those of the draft do not.
const LATER: [&str; 3] = ["specVersion", "dsl", "document"];

/// Reports a definition of a later version, of which nothing else is worth being told.
fn is_later(definition: &Node, diagnostics: &mut Diagnostics) -> bool {
    let mut members = definition.as_object().unwrap_or_default().iter();
    let Some(mark) = members.find(|entry| LATER.contains(&entry.key.value.as_str())) else { return false };
    let name = &mark.key.value;
    let message =
        format!("`{name}` is of a later version of Serverless Workflow, and this compiles the draft of June 2020");
    let help = format!("write the workflow as that draft has it, without `{name}`");
    diagnostics.push(Diagnostic::new(&own::E1216, mark.key.span, message).help(help));
    true
}

/// Reads a workflow. `None` where that failed; why has been reported then.
pub fn parse(definition: &Node, diagnostics: &mut Diagnostics) -> Option<Definition> {
    if is_later(definition, diagnostics) {
        return None;
    }
    let (events, functions) = (Names::exact("event", "events"), Names::exact("function", "functions"));
    let mut cx = Cx {
        events,
        functions,
        states: States::none(),
        everywhere: BTreeMap::new(),
        language: Language::SpEl,
        diagnostics,
    };
    let cx = &mut cx;
    let workflow = values::members(
        definition,
        WORKFLOW,
        &["states"],
        &[
            "id",
            "name",
            "description",
            "version",
            "schemaVersion",
            "expressionLanguage",
            "dataInputSchema",
            "dataOutputSchema",
            "events",
            "functions",
            "extensions",
            "metadata",
        ],
        cx.diagnostics,
    )?;
    let id = label(&workflow, "id", cx.diagnostics);
    label(&workflow, "name", cx.diagnostics);
    let version = label(&workflow, "version", cx.diagnostics);
    label(&workflow, "schemaVersion", cx.diagnostics);
    let description = workflow.string("description", cx.diagnostics).map(|text| text.value);
    if let Some(text) = workflow.text("expressionLanguage", cx.diagnostics) {
        // One that is not known has been reported, and its expressions are read as what they most probably are.
        cx.language = handlers::language(text, cx).unwrap_or(Language::SpEl);
    }
    let input_schema = workflow.text("dataInputSchema", cx.diagnostics).cloned();
    let output_schema = workflow.text("dataOutputSchema", cx.diagnostics).cloned();
    let event_nodes = workflow.maybe_list("events", cx.diagnostics).unwrap_or_default();
    let function_nodes = workflow.maybe_list("functions", cx.diagnostics).unwrap_or_default();
    definitions::declare(event_nodes, function_nodes, cx);
    let events = all(event_nodes, |node| definitions::event(node, cx));
    let functions = all(function_nodes, |node| definitions::function(node, cx));
    let states = workflow.list("states", cx.diagnostics);
    for node in states.unwrap_or_default() {
        flow::note_everywhere(node, &mut cx.everywhere);
    }
    let flow = states.and_then(|states| flow::flow(states, definition.span, flow::Of::Workflow, cx));
    Some(Definition {
        id,
        description,
        version,
        events: events?,
        functions: functions?,
        input_schema,
        output_schema,
        flow: flow?,
        span: definition.span,
    })
}

/// Every member of a list, or nothing: indices must stay what they are.
fn all<T>(nodes: &[Node], mut read: impl FnMut(&Node) -> Option<T>) -> Option<Vec<T>> {
    let read: Vec<T> = nodes.iter().filter_map(&mut read).collect();
    (read.len() == nodes.len()).then_some(read)
}
