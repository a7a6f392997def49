//! Parser from the spanned tree to the AST: the workflow, its events and functions, and its
//! states. It reports all errors in members and names. The published schema refuses the draft's
//! own examples, so that the parser accepts their deviations with a warning.

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
use crate::diagnostics::codes::graph as graph_codes;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::dialects::names::NameTable;
use crate::dialects::object::values::all;
use crate::dialects::serverless_workflow::codes as own;
use crate::source::Span;
use crate::syntax::{Node, Text, shown};
use flow::StateNames;
use std::collections::BTreeMap;

/// Noun phrase for a workflow in messages, as in the draft.
const WORKFLOW: &str = "a workflow";

/// Context of the parser.
pub struct SwParseCx<'a> {
    events: NameTable,
    functions: NameTable,
    /// States of the flow that is being parsed.
    states: StateNames,
    /// Spans of the states of all flows, by name and by id.
    state_spans: BTreeMap<String, Span>,
    /// Language of expressions without `language`.
    language: Language,
    pub diagnostics: &'a mut Diagnostics,
}

impl SwParseCx<'_> {
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Warns of a deviation from the draft that is accepted.
    fn warn(&mut self, span: Span, message: String, help: impl Into<String>) {
        self.push(Diagnostic::new(&own::WF1251, span, message).help(help));
    }

    /// Resolves the target of a transition.
    fn target(&mut self, text: &Text) -> Option<Reference> {
        if let Some(resolved) = self.states.find(text, self.diagnostics) {
            return resolved;
        }
        if let Some(place) = self.state_spans.get(&text.value) {
            let message = format!("the state `{}` is outside of this transition's scope", shown(&text.value));
            self.diagnostics.push(
                Diagnostic::new(&graph_codes::WF0203, text.span, message)
                    .related(*place, "defined here")
                    .help("choose a state of the same workflow, branch or foreach body"),
            );
            return None;
        }
        self.states.unknown(text, self.diagnostics)
    }

    fn event(&mut self, text: &Text) -> Option<Reference> {
        self.events.resolve(values::name_of(text), self.diagnostics)
    }

    fn function(&mut self, text: &Text) -> Option<Reference> {
        self.functions.resolve(values::name_of(text), self.diagnostics)
    }
}

/// Members at the top of definitions of later versions, which the draft does not have.
const LATER: [&str; 3] = ["specVersion", "dsl", "document"];

/// Reports a definition of a later version. No other diagnostic would be useful then.
fn is_later(definition: &Node, diagnostics: &mut Diagnostics) -> bool {
    let mut members = definition.as_object().unwrap_or_default().iter();
    let Some(mark) = members.find(|entry| LATER.contains(&entry.key.value.as_str())) else { return false };
    let name = &mark.key.value;
    let message = format!(
        "`{name}` is not part of the draft of June 2020: the definition is for a later version of Serverless Workflow"
    );
    let help = format!("rewrite the workflow for that draft, without `{name}`");
    diagnostics.push(Diagnostic::new(&own::WF1216, mark.key.span, message).help(help));
    true
}

/// Parses a workflow. Returns `None` after reporting an error.
pub fn parse(definition: &Node, diagnostics: &mut Diagnostics) -> Option<Definition> {
    if is_later(definition, diagnostics) {
        return None;
    }
    let (events, functions) =
        (NameTable::case_sensitive("event", "events"), NameTable::case_sensitive("function", "functions"));
    let mut cx = SwParseCx {
        events,
        functions,
        states: StateNames::empty(),
        state_spans: BTreeMap::new(),
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
    let id = workflow.label("id", cx.diagnostics);
    workflow.label("name", cx.diagnostics);
    let version = workflow.label("version", cx.diagnostics);
    workflow.label("schemaVersion", cx.diagnostics);
    let description = workflow.string("description", cx.diagnostics).map(|text| text.value);
    if let Some(text) = workflow.text("expressionLanguage", cx.diagnostics) {
        // An unknown language has been reported. Its expressions are most probably SpEL.
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
        flow::collect_spans(node, &mut cx.state_spans);
    }
    let flow = states.and_then(|states| flow::flow(states, definition.span, flow::FlowOwner::Workflow, cx));
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
