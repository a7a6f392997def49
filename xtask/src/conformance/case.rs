//! What a case is, whatever the dialect: a definition, how far to take it, and how to judge what
//! comes out.

use super::observed::Observed;
use serde_json::Value;
use std::collections::HashMap;
use workflow_compiler::Options;
use workflow_compiler::files::Files;

/// The cases of one file.
pub struct CaseFile {
    /// The name that reports and floors use: `asl/executions.json`.
    pub name: String,
    /// The cases, in the order of the file.
    pub cases: Vec<Case>,
}

/// One case.
pub struct Case {
    /// Its name in reports, unique over all files.
    pub id: String,
    /// What is done with it.
    pub plan: Plan,
    /// The reason for which it is meant to fail, if it is.
    pub decided: Option<&'static str>,
}

/// What is done with a case.
pub enum Plan {
    /// Nothing, for this reason.
    Unsupported(String),
    /// It is tried.
    Try(Trial),
}

/// A case that is tried.
pub struct Trial {
    /// The definition.
    pub definition: DefinitionId,
    /// How far it is taken.
    pub goal: Goal,
    /// Whether what comes out is right.
    pub judge: Judge,
}

/// How far a definition is taken.
pub enum Goal {
    /// The compiler reads and checks it.
    Check,
    /// rustc builds what is generated.
    Build,
    /// It is run so: see `conformance_runner::plan`.
    Run(Value),
}

/// Decides whether what came of a case is right.
pub type Judge = Box<dyn Fn(&Outcome<'_>) -> Verdict>;

/// What came of a case.
pub enum Outcome<'a> {
    /// The compiler refused the definition.
    Refused(&'a [Finding]),
    /// The compiler accepted the definition, and rustc what was generated if it came to that.
    Accepted,
    /// It was run.
    Ran(&'a Observed),
}

/// An error that the compiler reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Its code.
    pub code: &'static str,
    /// What it says.
    pub message: String,
    /// The line, from 1.
    pub line: u32,
    /// The innermost value it is about, as a JSON pointer.
    pub place: String,
}

/// The judgement of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// As it must be.
    Passed,
    /// Not as it must be.
    Failed {
        /// What it must be.
        expected: String,
        /// What it is.
        actual: String,
    },
    /// Not meant to be tried, for this reason.
    Unsupported(String),
}

impl Verdict {
    /// A failure.
    pub fn failed(expected: impl Into<String>, actual: impl Into<String>) -> Verdict {
        Verdict::Failed { expected: expected.into(), actual: actual.into() }
    }

    /// A failure with the reason for which it is meant, if it is.
    pub fn decided(self, reason: Option<&str>) -> Verdict {
        match (self, reason) {
            (Verdict::Failed { expected, actual }, Some(reason)) => {
                Verdict::Failed { expected, actual: format!("{actual}\n  decided:  {reason}") }
            }
            (verdict, _) => verdict,
        }
    }

    /// What comes of a comparison whose error says expected and actual.
    pub fn from(result: Result<(), Mismatch>) -> Verdict {
        match result {
            Ok(()) => Verdict::Passed,
            Err(mismatch) => Verdict::failed(mismatch.expected, mismatch.actual),
        }
    }

    /// The verdict on a definition that had to be accepted and was refused.
    pub fn refused(findings: &[Finding]) -> Verdict {
        Verdict::failed("to be accepted", format!("refused: {}", list(findings)))
    }
}

/// A difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// What it must be.
    pub expected: String,
    /// What it is.
    pub actual: String,
}

impl Mismatch {
    /// Between these two.
    pub fn new(expected: impl Into<String>, actual: impl Into<String>) -> Mismatch {
        Mismatch { expected: expected.into(), actual: actual.into() }
    }
}

/// Findings in one line.
pub fn list(findings: &[Finding]) -> String {
    let each =
        findings.iter().map(|found| format!("{} line {} {}: {}", found.code, found.line, found.place, found.message));
    each.collect::<Vec<_>>().join("; ")
}

/// A definition of the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DefinitionId(pub usize);

/// A definition with the options it is compiled with.
#[derive(Debug, Clone)]
pub struct Definition {
    /// The name of the file, by which the dialect is found.
    pub file: String,
    /// The text.
    pub text: String,
    /// The options.
    pub options: Options,
    /// The files around it.
    pub files: Files,
}

/// The distinct definitions.
#[derive(Default)]
pub struct Catalogue {
    list: Vec<Definition>,
    index: HashMap<String, DefinitionId>,
}

impl Catalogue {
    /// Takes a definition in, if it is not there yet.
    pub fn add(&mut self, definition: Definition) -> DefinitionId {
        let key = format!("{definition:?}");
        *self.index.entry(key).or_insert_with(|| {
            self.list.push(definition);
            DefinitionId(self.list.len() - 1)
        })
    }

    /// The definition `id`.
    pub fn get(&self, id: DefinitionId) -> &Definition {
        &self.list[id.0]
    }
}
