//! The MIR of a generated module: the machine, and the tables that describe the workflow.

use super::Machine;
use crate::expr::Script;
use crate::index::IndexVec;
use crate::model::{
    AuthoredScript, AwaitedEvent, Correlation, EventId, Schedule, ScriptId, StartsOn, Task, TaskId, WorkflowId,
};
use crate::options::RustCode;
use crate::schema::{Schema, Types};
use crate::shapes::TypedPaths;
use crate::source::{Sources, Span};
use workflow_model::JsonataLimits;

/// A generated module: all that the emitter prints.
#[derive(Debug)]
pub struct Module<'a> {
    /// The Rust identifier of the module.
    pub name: String,
    /// The Rust identifier of the type that stands for the workflow.
    pub type_name: String,
    /// The hash of the definition's meaning.
    pub hash: u64,
    /// The maximum size of a state's output, in bytes.
    pub data_limit: Option<usize>,
    /// The limits of JSONata, if they are not the defaults.
    pub jsonata_limits: Option<JsonataLimits>,
    /// The files that spans refer to.
    pub sources: &'a Sources,
    /// The control-flow graph of the states.
    pub machine: Machine,
    /// The workflow as data.
    pub tables: Tables<'a>,
    /// The Rust names of the tasks.
    pub task_names: IndexVec<TaskId, TaskNames>,
    /// The Rust type of the input, if it is not `Value`.
    pub input: Option<RustCode>,
    /// The Rust type of the output, if it is not `Value`.
    pub output: Option<RustCode>,
    /// The Rust types of the input and the output, where schemas determine them.
    pub types: Types,
    /// The paths into values of the program's types.
    pub paths: TypedPaths,
    /// For an older version: the current version, which is emitted beside it.
    pub current: Option<CurrentVersion>,
}

/// The data of a workflow that is emitted beside its machine.
#[derive(Debug)]
pub struct Tables<'a> {
    /// The name of the workflow.
    pub name: &'a str,
    /// The dialect of the definition.
    pub dialect: &'static str,
    /// The author's comment.
    pub comment: &'a str,
    /// The span of the whole definition.
    pub span: Span,
    /// The id and version by which other workflows start this one.
    pub id: Option<&'a WorkflowId>,
    /// The execution time-out, in seconds.
    pub timeout: Option<u64>,
    /// `true` if an execution that exceeds the time-out succeeds with null.
    pub null_on_timeout: bool,
    /// The longest task time-out, in seconds, if all tasks have a constant one.
    pub longest_task: Option<f64>,
    /// `true` if the input must be an object.
    pub input_must_be_object: bool,
    /// The schema of the input.
    pub input_schema: Option<&'a Schema>,
    /// The names of the settings.
    pub settings: Vec<&'a str>,
    /// The kinds of events that the workflow awaits.
    pub events: &'a IndexVec<EventId, AwaitedEvent>,
    /// The correlation keys of executions.
    pub correlation: &'a Correlation,
    /// The events that start an execution.
    pub starts_on: Option<StartRow<'a>>,
    /// The interval in which executions can be started.
    pub schedule: Option<&'a Schedule>,
    /// The authored states, by scope. The states of a nested scope come after those of its parent.
    pub states: Vec<StateRow<'a>>,
    /// The tasks.
    pub tasks: &'a IndexVec<TaskId, Task>,
    /// The authored functions in another language.
    pub scripts: &'a IndexVec<ScriptId, AuthoredScript>,
    /// Metadata for tools and users: a JSON object.
    pub metadata: Option<String>,
    /// The graph of the states, in Mermaid's language.
    pub graph: String,
}

/// The start condition, with its state and the start events that later states await.
#[derive(Debug)]
pub struct StartRow<'a> {
    /// The start condition.
    pub condition: &'a StartsOn,
    /// The name of the first state.
    pub state: &'a str,
    /// The start events that a later state awaits, too.
    pub later: Vec<EventId>,
}

/// An authored state.
#[derive(Debug)]
pub struct StateRow<'a> {
    /// Its name.
    pub name: &'a str,
    /// The span of its name.
    pub span: Span,
    /// The dialect's name of its kind.
    pub kind: &'static str,
    /// The states that it can continue with, each once.
    pub targets: Vec<&'a str>,
}

/// The Rust names and types of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskNames {
    /// The static that describes it.
    pub constant: String,
    /// The method of the `Tasks` trait.
    pub method: String,
    /// The type of its input, if it is not `Value`.
    pub input: Option<RustCode>,
    /// The type of its result, if it is not `Value`.
    pub output: Option<RustCode>,
}

impl TaskNames {
    /// Returns `true` if the user gave it types.
    pub fn is_typed(&self) -> bool {
        self.input.is_some() || self.output.is_some()
    }
}

/// The current version of a workflow, as an older version refers to it.
#[derive(Debug, Clone)]
pub struct CurrentVersion {
    /// The Rust identifier of its module.
    pub module: String,
    /// The names of its tasks. An older version inherits the methods of the tasks that it shares.
    pub tasks: IndexVec<TaskId, TaskNames>,
}

impl CurrentVersion {
    /// Returns `true` if the current version has the same method.
    pub fn has(&self, task: &TaskNames) -> bool {
        let is_same =
            |own: &TaskNames| own.method == task.method && own.input == task.input && own.output == task.output;
        self.tasks.iter().any(is_same)
    }
}

impl Module<'_> {
    /// Returns the place of a span, such as `order.asl.json:14`.
    pub fn place(&self, span: Span) -> String {
        self.sources.place(span)
    }

    /// Returns the name of the definition's file.
    pub fn file(&self) -> &str {
        &self.sources.get(self.tables.span.file).name
    }

    /// Returns `true` if types or functions of the program are used.
    pub fn is_typed(&self) -> bool {
        let is_own = |script: &AuthoredScript| matches!(script.code, Script::Rust { .. });
        self.input.is_some()
            || self.output.is_some()
            || self.task_names.iter().any(TaskNames::is_typed)
            || self.tables.scripts.iter().any(is_own)
    }

    /// Returns the names of a task.
    pub fn names_of(&self, id: TaskId) -> &TaskNames {
        &self.task_names[id]
    }
}
