//! A case of any dialect: a definition, the steps to take, and the judgement of the outcome.

use super::expressions::Expression;
use super::observed::Observed;
use serde_json::Value;
use std::collections::HashMap;
use workflow_compiler::Files;
use workflow_compiler::Options;

/// The cases of one file.
pub struct CaseFile {
    /// The name that reports and floors use: `asl/executions.json`.
    pub name: String,
    /// The cases, in the order of the file.
    pub cases: Vec<Case>,
}

/// A case.
pub struct Case {
    /// Its name in reports, unique over all files.
    pub id: String,
    /// The treatment of the case.
    pub plan: Plan,
    /// `true` if the definition is invalid, or if its execution fails with an error that shapes
    /// can predict.
    pub fails: bool,
    /// The reason why the failure of the case is intended, if it is.
    pub decided: Option<&'static str>,
}

/// The treatment of a case.
pub enum Plan {
    /// The case is not tried, for this reason.
    Unsupported(String),
    /// The case is tried.
    Try(Trial),
}

/// A case that is tried.
pub struct Trial {
    /// The definition.
    pub definition: DefinitionId,
    /// The last step that is taken.
    pub goal: Goal,
    /// The judge of the outcome.
    pub judge: Judge,
}

/// The last step that is taken with a definition.
pub enum Goal {
    /// The compiler reads and checks it.
    Check,
    /// rustc builds the generated code.
    Build,
    /// The runner runs this plan: see `conformance_runner::plan`.
    Run(Value),
}

/// A function that judges the outcome of a case.
pub type Judge = Box<dyn Fn(&Outcome<'_>) -> Verdict>;

/// The outcome of a case.
pub enum Outcome<'a> {
    /// The compiler refused the definition.
    Refused(&'a [Finding]),
    /// The compiler accepted the definition. rustc accepted the generated code, if it was built.
    Accepted,
    /// The program ran.
    Ran(&'a Observed),
}

/// An error that the compiler reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Its code.
    pub code: &'static str,
    /// Its message.
    pub message: String,
    /// The line, from 1.
    pub line: u32,
    /// The JSON pointer of the innermost value that the error is about.
    pub place: String,
}

/// The judgement of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The outcome is right.
    Passed,
    /// The outcome is wrong.
    Failed {
        /// The expected outcome.
        expected: String,
        /// The actual outcome.
        actual: String,
    },
    /// The case is not tried, for this reason.
    Unsupported(String),
}

impl Verdict {
    /// Returns a failure.
    pub fn failed(expected: impl Into<String>, actual: impl Into<String>) -> Verdict {
        Verdict::Failed { expected: expected.into(), actual: actual.into() }
    }

    /// Returns this verdict, and adds the reason to a failure that is intended.
    pub fn decided(self, reason: Option<&str>) -> Verdict {
        match (self, reason) {
            (Verdict::Failed { expected, actual }, Some(reason)) => {
                Verdict::Failed { expected, actual: format!("{actual}\n  decided:  {reason}") }
            }
            (verdict, _) => verdict,
        }
    }

    /// Returns the verdict of a comparison.
    pub fn from(result: Result<(), Mismatch>) -> Verdict {
        match result {
            Ok(()) => Verdict::Passed,
            Err(mismatch) => Verdict::failed(mismatch.expected, mismatch.actual),
        }
    }

    /// Returns the verdict on a definition that the compiler should have accepted.
    pub fn refused(findings: &[Finding]) -> Verdict {
        Verdict::failed("to be accepted", format!("refused: {}", list(findings)))
    }
}

/// A difference between expected and actual.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The expected text.
    pub expected: String,
    /// The actual text.
    pub actual: String,
}

impl Mismatch {
    /// Returns the difference between these two texts.
    pub fn new(expected: impl Into<String>, actual: impl Into<String>) -> Mismatch {
        Mismatch { expected: expected.into(), actual: actual.into() }
    }
}

/// Prints findings in one line.
pub fn list(findings: &[Finding]) -> String {
    let each =
        findings.iter().map(|found| format!("{} line {} {}: {}", found.code, found.line, found.place, found.message));
    each.collect::<Vec<_>>().join("; ")
}

/// The number of a definition or expression in the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DefinitionId(pub usize);

/// The text that a case is about.
#[derive(Debug, Clone)]
pub enum Subject {
    /// The definition of a workflow.
    Workflow(Box<Definition>),
    /// An expression in JSONata, outside of a workflow.
    Expression(Expression),
}

/// A definition with its options and files.
#[derive(Debug, Clone)]
pub struct Definition {
    /// The name of the file, which determines the dialect.
    pub file: String,
    /// The text.
    pub text: String,
    /// The options.
    pub options: Options,
    /// The other files that the definition names.
    pub files: Files,
    /// The state that is compiled by itself, if only one is.
    pub state: Option<SingleState>,
}

/// A state that is compiled by itself.
#[derive(Debug, Clone)]
pub struct SingleState {
    /// The name.
    pub name: String,
    /// `true` if one task takes the place of its branches or iterations.
    pub is_mocked: bool,
}

/// The distinct definitions and expressions.
#[derive(Default)]
pub struct Catalogue {
    documents: HashMap<String, Value>,
    list: Vec<Subject>,
    index: HashMap<String, DefinitionId>,
}

impl Catalogue {
    /// Adds a definition, unless an equal one is there already. Returns its number.
    pub fn add(&mut self, definition: Definition) -> DefinitionId {
        self.add_subject(Subject::Workflow(Box::new(definition)))
    }

    /// Adds an expression, unless an equal one is there already. Returns its number.
    pub fn add_expression(&mut self, expression: Expression) -> DefinitionId {
        self.add_subject(Subject::Expression(expression))
    }

    fn add_subject(&mut self, subject: Subject) -> DefinitionId {
        let key = format!("{subject:?}");
        *self.index.entry(key).or_insert_with(|| {
            self.list.push(subject);
            DefinitionId(self.list.len() - 1)
        })
    }

    /// Adds a file that cases of other files refer to.
    pub fn add_documents(&mut self, file: &str, documents: Value) {
        self.documents.insert(file.to_owned(), documents);
    }

    /// Returns a file that cases refer to, if it has been read.
    pub fn documents(&self, file: &str) -> Option<&Value> {
        self.documents.get(file)
    }

    /// Returns the definition or expression `id`.
    pub fn get(&self, id: DefinitionId) -> &Subject {
        &self.list[id.0]
    }

    /// Returns the definition `id`. `None` for an expression.
    pub fn definition(&self, id: DefinitionId) -> Option<&Definition> {
        match self.get(id) {
            Subject::Workflow(definition) => Some(definition),
            Subject::Expression(_) => None,
        }
    }
}
