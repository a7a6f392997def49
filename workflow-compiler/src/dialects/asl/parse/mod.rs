//! Reads the spanned tree into the AST. All that is wrong with fields and their values is reported here.

mod assign;
mod choice;
pub mod fields;
mod handlers;
mod map;
pub mod names;
mod simple;
mod task;

use super::ast::{Flow, Kind, Machine, ResultPath, Scope, Selection, State, Transition};
use super::expressions;
use super::placeholders::Bound;
use crate::Options;
use crate::diagnostics::{Diagnostic, Diagnostics, codes::fields as codes};
use crate::source::Spanned;
use crate::syntax::{Entry, Node, Text, Tree};
use fields::{Fields, Number, fields, number, opening, unbound, word};
use std::collections::BTreeSet;
use std::sync::Arc;

use fields::wrong_type;

/// What reading needs beside the tree.
pub struct Cx<'a> {
    /// The user's decisions.
    pub options: &'a Options,
    /// The definition with its placeholders bound.
    pub bound: &'a Bound<'a>,
    /// Where findings go.
    pub diagnostics: &'a mut Diagnostics,
    /// The fields that are not there and were probably meant by others that are: where their object starts, and their
    /// names. That they are missing goes without saying.
    meant: BTreeSet<(u32, &'static str)>,
}

impl<'a> Cx<'a> {
    /// Starts with nothing read.
    pub fn new(options: &'a Options, bound: &'a Bound<'a>, diagnostics: &'a mut Diagnostics) -> Cx<'a> {
        Cx { options, bound, diagnostics, meant: BTreeSet::new() }
    }

    /// Takes note of a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }
}

/// The types of states.
pub const TYPES: &[&str] = &["Task", "Pass", "Choice", "Wait", "Succeed", "Fail", "Parallel", "Map"];
const LANGUAGES: &[&str] = &["JSONPath", "JSONata"];
/// The longest name of a state or a variable, in characters (ASL §States, §State Machine Variables).
const LONGEST_NAME: usize = 80;
/// The longest time that AWS accepts, in seconds.
const LONGEST_TIME: u32 = 99_999_999;

/// Reads a state machine. `None` where that failed; why has been reported then.
pub fn parse(cx: &mut Cx) -> Option<Machine> {
    let bound = cx.bound;
    let fields = fields(&bound.node, "a state machine", cx)?;
    fields.allow(&[&["StartAt", "States", "Version", "TimeoutSeconds", "QueryLanguage"]], cx);
    if let Some(version) = fields.get("Version") {
        word(version, "Version", &["1.0"], cx);
    }
    let timeout = fields.get("TimeoutSeconds").and_then(|node| {
        let found = number(node, "TimeoutSeconds", Number::Whole(1..=LONGEST_TIME), cx)?;
        Some(Spanned::new(found.value as u64, found.span))
    });
    let comment = fields.comment(cx);
    is_jsonpath(&fields, cx)?;
    Some(Machine { comment, timeout, scope: scope(&fields, cx)? })
}

/// `StartAt` and `States` of a state machine, a branch or an item processor.
fn scope(fields: &Fields, cx: &mut Cx) -> Option<Scope> {
    let start = fields.require("StartAt", cx).and_then(|_| fields.state_name("StartAt", cx));
    let entries = fields.require("States", cx).and_then(|node| match &node.tree {
        Tree::Object(entries) if entries.is_empty() => {
            cx.push(Diagnostic::new(&codes::E0412, node.span, "`States` is empty").help("give it a state"));
            None
        }
        Tree::Object(entries) => Some(entries),
        _ => {
            wrong_type(node, "States", "an object", cx.diagnostics);
            None
        }
    });
    let entries = entries?;
    let states: Vec<_> = entries.iter().filter_map(|entry| state(entry, cx)).collect();
    let complete = states.len() == entries.len();
    Some(Scope { start: start?, states, span: fields.span }).filter(|_| complete)
}

fn state(entry: &Entry, cx: &mut Cx) -> Option<State> {
    let name = state_name(&entry.key, cx);
    let fields = fields(&entry.value, "a state", cx)?;
    fields.find_meant("Type", cx);
    let kind = word(fields.require("Type", cx)?, "Type", TYPES, cx)?;
    is_jsonpath(&fields, cx)?;
    let comment = fields.comment(cx);
    let kind = match kind {
        "Pass" => simple::pass(Fields { owner: "a Pass state", ..fields }, cx).map(Kind::Pass),
        "Task" => task::task(Fields { owner: "a Task state", ..fields }, &entry.key.value, cx).map(Kind::Task),
        "Choice" => choice::choice(Fields { owner: "a Choice state", ..fields }, cx).map(Kind::Choice),
        "Wait" => simple::wait(Fields { owner: "a Wait state", ..fields }, cx).map(Kind::Wait),
        "Succeed" => simple::succeed(Fields { owner: "a Succeed state", ..fields }, cx).map(Kind::Succeed),
        "Fail" => simple::fail(Fields { owner: "a Fail state", ..fields }, cx).map(Kind::Fail),
        "Parallel" => map::parallel(Fields { owner: "a Parallel state", ..fields }, cx).map(Kind::Parallel),
        _ => map::map(Fields { owner: "a Map state", ..fields }, cx).map(Kind::Map),
    }?;
    Some(State { name: name?, comment, span: entry.key.span.to(entry.value.span), kind })
}

/// Whether a field that no scope has is a state that was written beside `States`.
pub fn looks_like_state(entry: &Entry) -> bool {
    let kind = entry.value.get("Type").and_then(Node::as_text);
    kind.is_some_and(|kind| TYPES.contains(&kind.value.as_str())) && names::belongs(&entry.key.value).is_none()
}

fn state_name(key: &Text, cx: &mut Cx) -> Option<Spanned<Arc<str>>> {
    let length = key.value.chars().count();
    if length == 0 || length > LONGEST_NAME {
        let message = match length {
            0 => "the name of a state is empty".to_owned(),
            _ => format!("the name of a state has {length} characters, and {LONGEST_NAME} is the most"),
        };
        cx.push(Diagnostic::new(&codes::E0410, key.span, message).help("choose another name"));
    }
    let usable = !unbound(key, "the name of a state", cx);
    usable.then(|| Spanned::new(Arc::from(key.value.as_str()), key.span))
}

/// Whether the query language is JSONPath; another one has been reported.
fn is_jsonpath(fields: &Fields, cx: &mut Cx) -> Option<()> {
    let Some(node) = fields.get("QueryLanguage") else { return Some(()) };
    // What is no language at all is read as if it were not there, so that the rest is checked, too.
    if word(node, "QueryLanguage", LANGUAGES, cx) != Some("JSONata") {
        return Some(());
    }
    let message = format!("{} with the query language JSONata cannot be compiled yet", fields.owner);
    cx.push(
        Diagnostic::new(&codes::E0501, node.span, message)
            .help("write it with JSONPath: `Parameters`, `ResultPath`, and intrinsic functions"),
    );
    None
}

/// The fields that say what becomes of input and result, as far as they are there; which may be is checked elsewhere.
fn flow(fields: &Fields, cx: &mut Cx) -> Flow {
    Flow {
        input_path: selection(fields, "InputPath", cx),
        parameters: None,
        result_selector: template(fields, "ResultSelector", cx),
        result_path: result_path(fields, cx),
        output_path: selection(fields, "OutputPath", cx),
        assign: assign::assign(fields, cx),
    }
}

fn template(fields: &Fields, name: &str, cx: &mut Cx) -> Option<expressions::Template> {
    expressions::template(fields.get(name)?, name, cx)
}

fn parameters(fields: &Fields, cx: &mut Cx) -> Option<expressions::Template> {
    expressions::payload(fields.get("Parameters")?, "Parameters", cx)
}

fn selection(fields: &Fields, name: &str, cx: &mut Cx) -> Option<Selection> {
    let node = fields.get(name)?;
    match &node.tree {
        Tree::Null => Some(Selection::Nothing(node.span)),
        _ => expressions::path(node, name, cx).map(Selection::Path),
    }
}

fn result_path(fields: &Fields, cx: &mut Cx) -> ResultPath {
    let Some(node) = fields.get("ResultPath") else { return ResultPath::Replace };
    if node.tree == Tree::Null {
        return ResultPath::Discard;
    }
    let Some(path) = expressions::reference_path(node, "ResultPath", cx) else { return ResultPath::Replace };
    let (is_input, is_whole) = (path.is_input(), path.is_whole());
    if !is_input {
        let written = node.as_text().map(|text| text.value.as_str()).unwrap_or_default();
        let message = format!("`ResultPath` cannot put a result into `{written}`");
        cx.push(
            Diagnostic::new(&codes::E0414, node.span, message)
                .help("begin it with `$.` for a place in the state's input; `Assign` sets variables"),
        );
    }
    if is_whole { ResultPath::Replace } else { ResultPath::Put(path) }
}

/// `Next` or `End`.
fn transition(fields: &Fields, cx: &mut Cx) -> Option<Transition> {
    let ends = match fields.get("End") {
        Some(node) => fields::boolean(node, "End", cx)?,
        None => false,
    };
    match (ends, fields.entry("Next")) {
        (true, Some(next)) => {
            cx.push(
                Diagnostic::new(&codes::E0408, next.key.span, format!("{} has both `Next` and `End`", fields.owner))
                    .help("remove `End` to go on, or `Next` to end"),
            );
            None
        }
        (true, None) => Some(Transition::End),
        (false, Some(_)) => fields.state_name("Next", cx).map(Transition::Next),
        (false, None) if fields.is_meant(&["Next", "End"], cx) => None,
        (false, None) => {
            let span = fields.get("End").map_or_else(|| opening(fields.span), |end| end.span);
            let message = format!("{} has neither `Next` nor `\"End\": true`", fields.owner);
            cx.push(
                Diagnostic::new(&codes::E0408, span, message)
                    .help("name the state that follows, or end the workflow here"),
            );
            None
        }
    }
}
