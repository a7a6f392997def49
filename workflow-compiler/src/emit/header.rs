//! Facts about a definition in generated code: names, places, tasks.

use crate::expr::Script;
use crate::hir::Workflow;
use crate::model::{AuthoredScript, TaskId};
use crate::options::RustCode;
use crate::passes::TaskNames;
use crate::schema::Types;
use crate::source::{Sources, Span};

/// The input of the emitter besides the machine.
pub struct Header<'a> {
    /// The workflow.
    pub workflow: &'a Workflow,
    /// The files, for the places of spans.
    pub sources: &'a Sources,
    /// The module to emit.
    pub module: String,
    /// The type that stands for the workflow.
    pub name: String,
    /// The hash of the definition's meaning.
    pub hash: u64,
    /// Rust names of the tasks, by [`TaskId`].
    pub tasks: Vec<TaskNames>,
    /// The maximum size of a state's output, in bytes.
    pub payload_limit: Option<usize>,
    /// The Rust type of the input, if it is not `Value`.
    pub input: Option<RustCode>,
    /// The Rust type of the output, if it is not `Value`.
    pub output: Option<RustCode>,
    /// The Rust types of the input and the output, where schemas determine them.
    pub types: Types,
    /// For an older version: the current version, which is emitted beside it.
    pub current: Option<CurrentVersion>,
}

/// The current version of a workflow, as an older version refers to it.
#[derive(Debug, Clone)]
pub struct CurrentVersion {
    /// Its module.
    pub module: String,
    /// The names of its tasks. An older version inherits the methods of the tasks that it shares.
    pub tasks: Vec<TaskNames>,
}

impl CurrentVersion {
    /// Returns `true` if the current version has the same method.
    pub fn has(&self, task: &TaskNames) -> bool {
        let is_same =
            |own: &TaskNames| own.method == task.method && own.input == task.input && own.output == task.output;
        self.tasks.iter().any(is_same)
    }
}

impl Header<'_> {
    /// Returns the place of a span, such as `order.asl.json:14`.
    pub fn place(&self, span: Span) -> String {
        self.sources.place(span)
    }

    /// Returns `true` if types or functions of the program are used.
    pub fn is_typed(&self) -> bool {
        let is_own = |script: &AuthoredScript| matches!(script.code, Script::Rust { .. });
        self.input.is_some()
            || self.output.is_some()
            || self.tasks.iter().any(TaskNames::is_typed)
            || self.workflow.scripts.iter().any(is_own)
    }

    /// Returns the names of a task.
    pub fn task(&self, id: TaskId) -> &TaskNames {
        &self.tasks[id.0 as usize]
    }
}
