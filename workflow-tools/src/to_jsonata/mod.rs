//! Conversion of definitions in the Amazon States Language from JSONPath to JSONata.
//!
//! A state is converted completely or not at all. A state that JSONata has no equal for keeps
//! JSONPath, and the definition then has states in both languages. An execution that succeeds
//! gives the same output, except where a [`Difference`] says otherwise. An execution that JSONPath
//! ends with `States.Runtime`, because a path leads nowhere, can go on.

mod choice;
mod code;
mod edits;
mod filters;
mod functions;
mod paths;
mod printer;
mod report;
mod states;
mod template;
#[cfg(test)]
mod tests;

pub use report::{Difference, Refusal};

use edits::{Edits, Members};
use printer::Setting;
use report::Differences;
use states::State;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use workflow_compiler::syntax::{Entry, Node, Text, Tree};
use workflow_compiler::{Diagnostic, Options, Output, Severity, Source, Sources, Span, check_only, read_tree};

/// The outcome of a conversion as a whole.
///
/// See the example of [`to_jsonata`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The text is converted, as far as JSONata has equals. The text is the original if nothing
    /// was to convert.
    Converted,
    /// The original has errors.
    OriginalHasErrors,
    /// The text is the original, because the converted text has errors.
    ResultHasErrors,
    /// The text is the original, because its states share parts by aliases of YAML that they need
    /// in different forms.
    SharesText,
    /// The definition is not in the Amazon States Language.
    OtherDialect,
    /// The definition has no state of the name.
    UnknownState,
}

/// The result of a conversion.
///
/// See the example of [`to_jsonata`].
#[derive(Debug)]
pub struct Conversion {
    /// The converted text, or the original.
    pub text: Arc<str>,
    /// The outcome as a whole.
    pub status: Status,
    /// The names of the states that were converted, in the order of the text.
    pub converted: Vec<String>,
    /// The states that keep JSONPath, with the reasons.
    pub refused: Vec<Refusal>,
    /// The differences that depend on the data. Their spans refer to the original text.
    pub notes: Vec<Difference>,
    /// The files that the spans of refusals and notes refer to.
    pub sources: Sources,
    /// The result of checking the converted text, or the original if that has errors.
    pub output: Output,
}

/// Converts all states of a definition, or only those of one name, from JSONPath to JSONata.
///
/// The text keeps its form, and its comments outside of what becomes one expression. States that
/// are in JSONata are left unchanged.
///
/// ```
/// use workflow_compiler::{Options, Source};
/// use workflow_tools::to_jsonata::{Conversion, Difference, Refusal, Status, to_jsonata};
///
/// let text = r#"{ "StartAt": "Greet", "States": {
///     "Greet": { "Type": "Pass", "Parameters": { "text.$": "States.Format('Hello {}', $.name)" }, "Next": "Draw" },
///     "Draw": { "Type": "Pass", "Parameters": { "n.$": "States.MathRandom(1, 7, 3)" }, "End": true } } }"#;
/// let converted: Conversion = to_jsonata(Source::new("greet.asl.json", text), &Options::default(), None);
/// assert_eq!(converted.status, Status::Converted);
/// assert!(converted.text.contains(r#""Output": { "text": "{% 'Hello ' & $states.input.name %}" }"#));
///
/// let refused: &[Refusal] = &converted.refused;
/// assert_eq!(refused[0].state, "Draw");
/// let notes: &[Difference] = &converted.notes;
/// assert!(notes[0].message.starts_with("an array or object in a text is written as JSON"));
/// ```
pub fn to_jsonata(source: Source, options: &Options, state: Option<&str>) -> Conversion {
    let original = source.text.clone();
    let checked = check_only(source.clone(), options);
    // The tree without the values of placeholders: they are not in the text.
    let (tree, sources, _) = read_tree(source.clone(), options);
    let mut conversion = Conversion {
        text: Arc::clone(&original),
        status: Status::Converted,
        converted: Vec::new(),
        refused: Vec::new(),
        notes: Vec::new(),
        sources,
        output: checked,
    };
    let status = match &conversion.output.workflow {
        _ if has_errors(&conversion.output) => Some(Status::OriginalHasErrors),
        Some(workflow) if workflow.dialect != "asl" => Some(Status::OtherDialect),
        _ => None,
    };
    if let Some(status) = status {
        return Conversion { status, ..conversion };
    }
    let mut faults = BTreeMap::new();
    loop {
        let mut definition = Definition::new(&tree, &original, state, &faults);
        definition.scope(&tree, language(&tree).unwrap_or(false));
        if state.is_some() && !definition.is_found {
            return Conversion { status: Status::UnknownState, ..conversion };
        }
        let (text, converted, refused, notes) = definition.finish();
        conversion.refused = refused;
        let Some(text) = text else { return Conversion { status: Status::SharesText, ..conversion } };
        if *text == *original {
            return conversion;
        }
        let result = Source { text: text.as_str().into(), ..source.clone() };
        let output = check_only(result.clone(), options);
        if !has_errors(&output) {
            return Conversion { text: text.into(), converted, notes, output, ..conversion };
        }
        let known = faults.len();
        faulty(&read_tree(result, options).0, &converted, &output, &mut faults);
        // Each round refuses a state more, and several rounds are rare.
        if faults.len() == known || known > MOST_FAULTS {
            return Conversion { status: Status::ResultHasErrors, output, ..conversion };
        }
    }
}

/// The most states with errors after which states are refused for the errors of their results.
const MOST_FAULTS: usize = 16;

/// Adds the states with errors in a converted definition, each with the first of them.
fn faulty(tree: &Node, converted: &[String], output: &Output, faults: &mut BTreeMap<String, String>) {
    let mut states = Vec::new();
    collect_states(tree, &mut states);
    // A later round finds what remains: this bounds the time that many errors in many states take.
    for error in errors(output).take(100) {
        let is_around =
            |span: Span| span.file == error.span.file && span.start <= error.span.start && error.span.start < span.end;
        // The innermost state is the last one: it comes after those around it.
        let around = states.iter().rev().find(|entry| is_around(entry.key.span) || is_around(entry.value.span));
        if let Some(entry) = around.filter(|entry| converted.contains(&entry.key.value)) {
            faults.entry(entry.key.value.clone()).or_insert_with(|| error.message.clone());
        }
    }
}

/// Collects the states of a definition in the order of the text.
fn collect_states<'n>(node: &'n Node, states: &mut Vec<&'n Entry>) {
    for entry in node.get("States").and_then(Node::as_object).unwrap_or_default() {
        states.push(entry);
        inner_scopes(&entry.value).for_each(|inner| collect_states(inner, states));
    }
}

/// Returns the definitions inside of a state.
fn inner_scopes(state: &Node) -> impl Iterator<Item = &Node> {
    let branches = state.get("Branches").and_then(Node::as_array).unwrap_or_default().iter();
    branches.chain(["ItemProcessor", "Iterator"].into_iter().filter_map(|name| state.get(name)))
}

/// Returns `true` if a definition has errors that make its meaning uncertain.
fn has_errors(output: &Output) -> bool {
    errors(output).next().is_some()
}

fn errors(output: &Output) -> impl Iterator<Item = &Diagnostic> {
    output.diagnostics.iter().filter(|found| found.severity() == Severity::Error)
}

/// Returns `true` if the object has the query language JSONata, and `None` if it names none.
fn language(node: &Node) -> Option<bool> {
    node.get("QueryLanguage").and_then(Node::as_text).map(|language| language.value == "JSONata")
}

/// A definition whose states are converted one by one.
struct Definition<'n> {
    tree: &'n Node,
    text: &'n str,
    /// The name of the states to convert. `None` stands for all.
    only: Option<&'n str>,
    /// The states whose conversions have errors, with the first of them.
    faults: &'n BTreeMap<String, String>,
    setting: Setting,
    plans: Vec<(String, State<'n>)>,
    refused: Vec<Refusal>,
    notes: Differences,
    /// `true` if a state is left in JSONPath because of its name.
    is_partial: bool,
    /// `true` if a state has the name of those to convert.
    is_found: bool,
}

impl<'n> Definition<'n> {
    fn new(
        tree: &'n Node,
        text: &'n str,
        only: Option<&'n str>,
        faults: &'n BTreeMap<String, String>,
    ) -> Definition<'n> {
        let mut variables = BTreeSet::new();
        collect_variables(tree, &mut variables);
        let setting = Setting { variables, ..Setting::default() };
        let (plans, refused, notes) = Default::default();
        Definition { tree, text, only, faults, setting, plans, refused, notes, is_partial: false, is_found: false }
    }

    /// Converts the states of an object with `States`, and those inside of them.
    fn scope(&mut self, node: &'n Node, is_jsonata: bool) {
        let states = node.get("States").and_then(Node::as_object).unwrap_or_default();
        for entry in states {
            let state = &entry.value;
            self.is_found |= self.only.is_some_and(|only| *only == *entry.key.value);
            if !language(state).unwrap_or(is_jsonata) {
                self.state(&entry.key, state);
            }
            inner_scopes(state).for_each(|inner| self.scope(inner, is_jsonata));
        }
    }

    fn state(&mut self, key: &Text, node: &'n Node) {
        let name = key.value.as_str();
        if self.only.is_some_and(|only| only != name) {
            self.is_partial = true;
            return;
        }
        if let Some(error) = self.faults.get(name) {
            let refusal = Refusal::new(key.span, format!("the converted state would have an error: {error}"));
            self.refused.push(Refusal { state: name.to_owned(), ..refusal });
            return;
        }
        self.setting.notes.take();
        match states::convert(node, self.text, &mut self.setting) {
            Ok(state) => {
                let notes = self.setting.notes.take();
                self.notes.extend(notes);
                self.plans.push((name.to_owned(), state));
            }
            Err(refusal) => self.refused.push(Refusal { state: name.to_owned(), ..refusal }),
        }
    }

    /// Returns the converted text, the names of the converted states, the refusals and the notes.
    /// There is no text if states that need different forms share a part of it.
    fn finish(self) -> (Option<String>, Vec<String>, Vec<Refusal>, Vec<Difference>) {
        let mut edits = Edits::new(self.text);
        let mut converted = Vec::with_capacity(self.plans.len());
        let is_whole = self.refused.is_empty() && !self.is_partial;
        // A machine in JSONata is converted already.
        if is_whole && language(self.tree) != Some(true) {
            let mut machine = Members::new(self.tree);
            machine.set_language();
            machine.finish(&mut edits);
        }
        for (name, mut state) in self.plans {
            if is_whole {
                state.members.remove("QueryLanguage");
            } else {
                state.members.set_language();
            }
            edits.extend(state.edits);
            state.members.finish(&mut edits);
            converted.push(name);
        }
        let mut refused = self.refused;
        refused.sort_by_key(|refusal| refusal.span.start);
        let text = if is_whole || !shares_text(self.tree) { edits.apply() } else { None };
        (text, converted, refused, self.notes.finish())
    }
}

/// Collects the names of all variables that a definition assigns.
fn collect_variables(node: &Node, variables: &mut BTreeSet<String>) {
    match &node.tree {
        Tree::Object(entries) => {
            for entry in entries {
                if entry.key.value == "Assign" {
                    let names = entry.value.as_object().unwrap_or_default().iter();
                    variables.extend(names.map(|name| name.key.value.trim_end_matches(".$").to_owned()));
                }
                collect_variables(&entry.value, variables);
            }
        }
        Tree::Array(items) => items.iter().for_each(|item| collect_variables(item, variables)),
        _ => {}
    }
}

/// Returns `true` if a value is repeated by an alias of YAML: its text is outside of the value
/// around it.
fn shares_text(node: &Node) -> bool {
    let is_inside = |inner: Span| node.span.start <= inner.start && inner.end <= node.span.end;
    match &node.tree {
        Tree::Object(entries) => entries
            .iter()
            .any(|Entry { key, value }| !is_inside(key.span) || !is_inside(value.span) || shares_text(value)),
        Tree::Array(items) => items.iter().any(|item| !is_inside(item.span) || shares_text(item)),
        _ => false,
    }
}
