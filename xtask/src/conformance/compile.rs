//! Compiles each definition and expression once, with the library.

use super::case::{Case, Catalogue, Definition, DefinitionId, Finding, Plan, Subject};
use super::expressions;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use workflow_compiler::diagnostics::{Diagnostics, Severity};
use workflow_compiler::names;
use workflow_compiler::source::{Source, Sources, Span};
use workflow_compiler::syntax::{self, Node, Tree};
use workflow_tools::single_state::{compile_mocked_state, compile_state};
use workflow_tools::to_jsonata::to_jsonata;

/// The results of all definitions that the cases need.
pub type All = BTreeMap<DefinitionId, Compiled>;

/// The result of compiling a definition.
pub enum Compiled {
    /// The compiler refused the definition.
    Refused(Vec<Finding>),
    /// The compiler accepted the definition.
    Accepted(GeneratedModule),
    /// The compiler panicked.
    Panicked(String),
}

/// Generated code.
pub struct GeneratedModule {
    /// The module, as text.
    pub code: String,
    /// The program that the module has.
    pub program: GeneratedProgram,
}

/// The program of a generated module.
pub enum GeneratedProgram {
    /// A workflow. The path of its type in the module: `order::Order`.
    Workflow(String),
    /// An expression, which is the module's constant `EXPRESSION`.
    Expression(Ways),
}

/// The ways in which an expression runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ways {
    /// As translated code, and by the evaluator.
    Both,
    /// Only by the evaluator, for this reason.
    Evaluated(String),
    /// Not at all: the text has a syntax error, which the evaluator reports.
    Neither,
}

/// Compiles the definitions of these cases, converted to JSONata if `converts` is true.
pub fn compile_all(catalogue: &Catalogue, cases: &[&Case], converts: bool) -> All {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let mut all = All::new();
    for case in cases {
        if let Plan::Try(trial) = &case.plan {
            all.entry(trial.definition).or_insert_with(|| guarded(catalogue.get(trial.definition), converts));
        }
    }
    std::panic::set_hook(hook);
    all
}

fn guarded(subject: &Subject, converts: bool) -> Compiled {
    let attempt = catch_unwind(AssertUnwindSafe(|| match subject {
        Subject::Workflow(definition) => compile(definition, converts),
        Subject::Expression(expression) => Compiled::Accepted(expressions::compile(expression)),
    }));
    attempt.unwrap_or_else(|panic| Compiled::Panicked(message(panic.as_ref())))
}

fn compile(definition: &Definition, converts: bool) -> Compiled {
    let source = Source::new(definition.file.as_str(), definition.text.as_str()).with_files(definition.files.clone());
    let options = &definition.options;
    let source = match converts {
        true => Source { text: to_jsonata(source.clone(), options, None).text, ..source },
        false => source,
    };
    let output = match &definition.state {
        None => workflow_compiler::compile(source, options),
        Some(state) if state.is_mocked => compile_mocked_state(source, options, &state.name),
        Some(state) => compile_state(source, options, &state.name),
    };
    match (workflow_compiler::pretty(&output), &output.workflow) {
        (Some(code), Some(workflow)) => {
            let path = format!("{}::{}", names::snake_case(&workflow.name), names::type_name(&workflow.name));
            Compiled::Accepted(GeneratedModule { code, program: GeneratedProgram::Workflow(path) })
        }
        (None, Some(_)) if output.tokens.is_some() => Compiled::Panicked("the generated code is not Rust".to_owned()),
        _ => Compiled::Refused(findings(&output)),
    }
}

fn findings(output: &workflow_compiler::Output) -> Vec<Finding> {
    let errors = output.diagnostics.iter().filter(|found| found.severity() == Severity::Error);
    errors
        .map(|found| Finding {
            code: found.code.id,
            message: found.message.clone(),
            line: output.sources.line_of(found.span),
            place: place(&output.sources, found.span),
        })
        .collect()
}

/// Returns the JSON pointer of the innermost value or member around a span.
fn place(sources: &Sources, span: Span) -> String {
    let tree = syntax::read(span.file, sources, &mut Diagnostics::default());
    let mut pointer = String::new();
    let mut at = &tree;
    while let Some((key, inner)) = child(at, span) {
        pointer.push('/');
        pointer.push_str(&key);
        at = inner;
    }
    pointer
}

fn child(node: &Node, span: Span) -> Option<(String, &Node)> {
    let within = |start: u32, end: u32| start <= span.start && span.start < end;
    match &node.tree {
        Tree::Object(entries) => {
            let entry = entries.iter().find(|entry| within(entry.key.span.start, entry.value.span.end))?;
            Some((entry.key.value.clone(), &entry.value))
        }
        Tree::Array(items) => {
            let at = items.iter().position(|item| within(item.span.start, item.span.end))?;
            Some((at.to_string(), &items[at]))
        }
        _ => None,
    }
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
    text.unwrap_or_else(|| "without a message".to_owned())
}
