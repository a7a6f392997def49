//! Parser from the spanned tree to the AST. It reports all errors in fields and their values.

mod assign;
mod choice;
mod distributed;
pub mod fields;
mod handlers;
pub mod map;
pub mod names;
mod simple;
mod task;

use super::ast::{
    DataFlow, PayloadTemplate, QueryLanguage, ResultPath, Scope, Selection, State, StateKind, StateMachine, Transition,
};
use super::context::{ExpressionPlace, Iteration, Owner};
use super::expressions;
use super::jsonata;
use super::placeholders::BoundDefinition;
use super::resource;
use crate::Options;
use crate::diagnostics::{Diagnostic, Diagnostics, codes::fields as codes};
use crate::dialects::asl::codes as own;
use crate::dialects::object::Object;
use crate::dialects::object::numbers::NumberRange;
use crate::expr::jsonata::{StatesMembers, Yields};
use crate::source::Spanned;
use crate::syntax::wrong_type;
use crate::syntax::{Entry, Node, Text, Tree};
use fields::{number, unbound, word};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Context of the parser.
pub struct AslParseCx<'a> {
    /// Options of the user.
    pub options: &'a Options,
    /// Definition after the substitution of placeholders.
    pub bound: &'a BoundDefinition<'a>,
    /// Sink of diagnostics.
    pub diagnostics: &'a mut Diagnostics,
    /// Place of the fields that are read now.
    pub place: ExpressionPlace,
    /// Query language of the state machine.
    machine: QueryLanguage,
    /// Query language of the state whose fields are read now.
    pub language: QueryLanguage,
    /// Name of the field that is read now, as faults have it: `Catch[0]/Output`.
    pub field: String,
    /// Missing fields for which the object has a misspelt one, as the start of the object and the
    /// name. The misspelling has been reported, and the missing field is not.
    misspelled: BTreeSet<(u32, &'static str)>,
}

impl<'a> AslParseCx<'a> {
    /// Creates the context of a parser that has read nothing.
    pub fn new(
        options: &'a Options,
        bound: &'a BoundDefinition<'a>,
        diagnostics: &'a mut Diagnostics,
    ) -> AslParseCx<'a> {
        let place = ExpressionPlace { iteration: Iteration::None, state: Owner::Other };
        let (machine, language) = Default::default();
        AslParseCx {
            options,
            bound,
            diagnostics,
            place,
            machine,
            language,
            field: String::new(),
            misspelled: BTreeSet::new(),
        }
    }

    /// Reads fields as those of a place: restores the previous place afterwards.
    fn at<T>(&mut self, place: ExpressionPlace, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.place, place);
        let value = read(self);
        self.place = outer;
        value
    }

    /// Reads the fields of a state in its query language: restores the one of the state around it
    /// afterwards.
    fn of_state<T>(&mut self, language: QueryLanguage, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = (std::mem::replace(&mut self.language, language), std::mem::take(&mut self.field));
        let value = read(self);
        (self.language, self.field) = outer;
        value
    }

    /// Reads a field, or an element of one. `part` is its key, or its index in brackets.
    pub fn in_field<T>(&mut self, part: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.field.len();
        jsonata::add_to_field(&mut self.field, part);
        let value = read(self);
        self.field.truncate(outer);
        value
    }

    /// Returns `true` if the fields are those of a state in JSONata.
    pub fn is_jsonata(&self) -> bool {
        self.language == QueryLanguage::Jsonata
    }

    /// Adds a diagnostic.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }
}

/// Types of states.
pub const TYPES: &[&str] = &["Task", "Pass", "Choice", "Wait", "Succeed", "Fail", "Parallel", "Map"];
const LANGUAGES: &[&str] = &["JSONPath", "JSONata"];
/// Maximal length of the name of a state or a variable, in characters (ASL §States, §State Machine
/// Variables).
const LONGEST_NAME: usize = 80;
/// Longest time that AWS accepts, in seconds.
const LONGEST_TIME: u32 = 99_999_999;

/// Parses a state machine. Returns `None` after reporting an error.
pub fn parse(cx: &mut AslParseCx) -> Option<StateMachine> {
    let bound = cx.bound;
    let fields = Object::exact(&bound.node, "a state machine", cx.diagnostics)?;
    fields.allow(&[&["StartAt", "States", "Version", "TimeoutSeconds", "QueryLanguage"]], cx);
    if let Some(version) = fields.get("Version") {
        word(version, "Version", &["1.0"], cx);
    }
    let timeout = fields.get("TimeoutSeconds").and_then(|node| {
        let seconds = number(node, "TimeoutSeconds", NumberRange::Whole(1..=LONGEST_TIME), cx)?;
        Some(Spanned::new(seconds.value as u64, seconds.span))
    });
    let comment = fields.comment(cx);
    cx.machine = query_language(&fields, cx).unwrap_or_default();
    let scope = scope(&fields, cx)?;
    let before = cx.diagnostics.errors();
    distributed::check_labels(scope.labels().into_iter(), cx);
    (cx.diagnostics.errors() == before).then_some(StateMachine { comment, timeout, scope })
}

/// Parses `StartAt` and `States` of a state machine, a branch or an item processor.
fn scope(fields: &Object, cx: &mut AslParseCx) -> Option<Scope> {
    let start = fields.required("StartAt", cx).and_then(|_| fields.state_name("StartAt", cx));
    let entries = fields.required("States", cx).and_then(|node| match &node.tree {
        Tree::Object(entries) if entries.is_empty() => {
            cx.push(Diagnostic::new(&codes::WF0412, node.span, "`States` is empty").help("add a state"));
            None
        }
        Tree::Object(entries) => Some(entries),
        _ => {
            wrong_type(node, "States", "an object", cx.diagnostics);
            None
        }
    });
    let entries = entries?;
    // The query language is meant for all states, although it stands among them.
    if let Some(misplaced) = entries.iter().find(|entry| entry.key.value == "QueryLanguage")
        && misplaced.value.as_text().is_some_and(|text| text.value == "JSONata")
    {
        cx.machine = QueryLanguage::Jsonata;
    }
    let states: Vec<_> = entries.iter().filter_map(|entry| state(entry, cx)).collect();
    let complete = states.len() == entries.len();
    Some(Scope { start: start?, states, span: fields.span }).filter(|_| complete)
}

fn state(entry: &Entry, cx: &mut AslParseCx) -> Option<State> {
    let name = state_name(&entry.key, cx);
    if let (Some(owners), false) = (names::owners_of(&entry.key.value), matches!(entry.value.tree, Tree::Object(_))) {
        let message = format!("`{}` is not a state: it is a field of {owners}", entry.key.value);
        cx.push(Diagnostic::new(&codes::WF0403, entry.key.span, message).help("move it out of `States`"));
        return None;
    }
    let fields = Object::exact(&entry.value, "a state", cx.diagnostics)?;
    fields.report_misspelling("Type", cx);
    let kind = word(fields.required("Type", cx)?, "Type", TYPES, cx)?;
    let language = query_language(&fields, cx).unwrap_or(cx.machine);
    if language != cx.machine && cx.machine == QueryLanguage::Jsonata {
        let span = fields.get("QueryLanguage").map_or(fields.span, |node| node.span);
        let message = "'QueryLanguage' can not be 'JSONPath' if set to 'JSONata' for whole state machine";
        let help = "set the query language of the machine to `JSONPath`, and of single states to `JSONata`";
        cx.push(Diagnostic::new(&own::WF0503, span, message).help(help));
        return None;
    }
    let comment = fields.comment(cx);
    let owner = match kind {
        "Task" => Owner::Task { has_token: fields.get("Resource").is_none_or(resource::may_have_token) },
        "Parallel" | "Map" => Owner::Retried,
        _ => Owner::Other,
    };
    let place = ExpressionPlace { state: owner, ..cx.place };
    let kind = cx.of_state(language, |cx| cx.at(place, |cx| state_kind(kind, &entry.key.value, fields, cx)))?;
    Some(State { name: name?, comment, span: entry.key.span.to(entry.value.span), kind })
}

/// Parses the fields of a state of the type `kind`.
fn state_kind(kind: &str, name: &str, fields: Object, cx: &mut AslParseCx) -> Option<StateKind> {
    match kind {
        "Pass" => simple::pass(fields.named("a Pass state"), cx).map(StateKind::Pass),
        "Task" => task::task(fields.named("a Task state"), name, cx).map(StateKind::Task),
        "Choice" => choice::choice(fields.named("a Choice state"), cx).map(StateKind::Choice),
        "Wait" => simple::wait(fields.named("a Wait state"), cx).map(StateKind::Wait),
        "Succeed" => simple::succeed(fields.named("a Succeed state"), cx).map(StateKind::Succeed),
        "Fail" => simple::fail(fields.named("a Fail state"), cx).map(StateKind::Fail),
        "Parallel" => map::parallel(fields.named("a Parallel state"), cx).map(StateKind::Parallel),
        _ => map::map(fields.named("a Map state"), cx).map(StateKind::Map),
    }
}

/// Returns `true` if an unknown field of a scope is a state that was written outside of `States`.
pub fn looks_like_state(entry: &Entry) -> bool {
    let kind = entry.value.get("Type").and_then(Node::as_text);
    kind.is_some_and(|kind| TYPES.contains(&kind.value.as_str())) && names::owners_of(&entry.key.value).is_none()
}

fn state_name(key: &Text, cx: &mut AslParseCx) -> Option<Spanned<Arc<str>>> {
    let length = key.value.chars().count();
    if length == 0 || length > LONGEST_NAME {
        let message = match length {
            0 => "the name of a state is empty".to_owned(),
            _ => format!("the name of a state has {length} characters, but the maximum is {LONGEST_NAME}"),
        };
        cx.push(Diagnostic::new(&codes::WF0410, key.span, message).help("choose another name"));
    }
    let usable = !unbound(key, "the name of a state", cx);
    usable.then(|| Spanned::new(Arc::from(key.value.as_str()), key.span))
}

/// Returns the query language that a field sets. An unknown one is reported, and counts as absent,
/// so that the rest is checked, too.
fn query_language(fields: &Object, cx: &mut AslParseCx) -> Option<QueryLanguage> {
    match word(fields.get("QueryLanguage")?, "QueryLanguage", LANGUAGES, cx)? {
        "JSONata" => Some(QueryLanguage::Jsonata),
        _ => Some(QueryLanguage::JsonPath),
    }
}

/// Parses the fields of input and output processing that are present. The caller checks which ones
/// are allowed.
fn data_flow(fields: &Object, cx: &mut AslParseCx) -> DataFlow {
    if cx.is_jsonata() {
        let members = match cx.place.state {
            Owner::Task { .. } | Owner::Retried => StatesMembers::WithResult,
            Owner::Other => StatesMembers::InputOnly,
        };
        return DataFlow {
            language: cx.language,
            output: fields.get("Output").and_then(|node| computed(node, "Output", members, cx)),
            assign: assign::assign(fields, members, cx),
            ..DataFlow::default()
        };
    }
    DataFlow {
        language: cx.language,
        output: None,
        input_path: selection(fields, "InputPath", cx),
        parameters: None,
        result_selector: template(fields, "ResultSelector", cx),
        result_path: result_path(fields, cx),
        output_path: selection(fields, "OutputPath", cx),
        assign: assign::assign(fields, StatesMembers::InputOnly, cx),
    }
}

fn template(fields: &Object, name: &str, cx: &mut AslParseCx) -> Option<PayloadTemplate> {
    expressions::template(fields.get(name)?, name, cx)
}

/// Parses `Parameters`, or `Arguments` in JSONata.
fn parameters(fields: &Object, cx: &mut AslParseCx) -> Option<PayloadTemplate> {
    if cx.is_jsonata() {
        return computed(fields.get("Arguments")?, "Arguments", StatesMembers::InputOnly, cx);
    }
    expressions::payload(fields.get("Parameters")?, "Parameters", cx)
}

/// Parses a field of any type with expressions in JSONata.
fn computed(node: &Node, name: &str, members: StatesMembers, cx: &mut AslParseCx) -> Option<PayloadTemplate> {
    jsonata::template(node, name, members, Yields::Any, cx).map(PayloadTemplate::Jsonata)
}

fn selection(fields: &Object, name: &str, cx: &mut AslParseCx) -> Option<Selection> {
    let node = fields.get(name)?;
    match &node.tree {
        Tree::Null => Some(Selection::Nothing(node.span)),
        _ => expressions::path(node, name, cx).map(Selection::Path),
    }
}

fn result_path(fields: &Object, cx: &mut AslParseCx) -> ResultPath {
    let Some(node) = fields.get("ResultPath") else { return ResultPath::Replace };
    if node.tree == Tree::Null {
        return ResultPath::Discard;
    }
    let Some(path) = expressions::reference_path(node, "ResultPath", cx) else { return ResultPath::Replace };
    let (is_input, is_whole) = (path.is_input(), path.is_whole());
    if !is_input {
        let written = node.as_text().map(|text| text.value.as_str()).unwrap_or_default();
        let message = format!("`ResultPath` must select a location in the state's input, found `{written}`");
        cx.push(
            Diagnostic::new(&own::WF0414, node.span, message)
                .help("begin it with `$.` to select a location in the state's input, or set variables with `Assign`"),
        );
    }
    if is_whole { ResultPath::Replace } else { ResultPath::Put(path) }
}

/// Parses `Next` or `End`.
fn transition(fields: &Object, cx: &mut AslParseCx) -> Option<Transition> {
    let ends = match fields.get("End") {
        Some(node) => fields::boolean(node, "End", cx)?,
        None => false,
    };
    match (ends, fields.entry("Next")) {
        (true, Some(next)) => {
            cx.push(
                Diagnostic::new(
                    &codes::WF0408,
                    next.key.span,
                    format!("`Next` and `End` cannot be used together in {}", fields.owner),
                )
                .help("remove `End` to continue, or `Next` to end"),
            );
            None
        }
        (true, None) => Some(Transition::End),
        (false, Some(_)) => fields.state_name("Next", cx).map(Transition::Next),
        (false, None) if fields.is_misspelled(&["Next", "End"], cx) => None,
        (false, None) => {
            let span = fields.get("End").map_or_else(|| fields.span.opening(), |end| end.span);
            let message = format!("{} has neither `Next` nor `\"End\": true`", fields.owner);
            cx.push(
                Diagnostic::new(&codes::WF0408, span, message)
                    .help("add `Next` to continue, or `\"End\": true` to end"),
            );
            None
        }
    }
}
