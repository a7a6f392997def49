//! Tasks and scripts, and their invocation.

use super::{Operation, ScriptId, Seconds, TaskId};
use crate::expr::{Expr, LocalId, Script};
use crate::shapes::Shape;
use crate::source::Span;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A task that the workflow invokes.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// The task key, by which programs bind it.
    pub key: String,
    /// The text from which its method is named.
    pub method: String,
    /// The resource as written.
    pub resource: String,
    /// The state that invokes it.
    pub state: Arc<str>,
    /// The span of the resource.
    pub span: Span,
    /// `true` if it stands for a function of the definition that a method of the program replaces.
    pub is_function: bool,
    /// The service operation that it is, if known.
    pub operation: Option<Arc<Operation>>,
    /// The shapes of its data.
    pub shapes: TaskShapes,
}

/// A service operation that a function of a definition names, with the shapes of its data.
#[derive(Debug, Clone)]
pub struct ServiceFunction {
    /// The operation.
    pub operation: Arc<Operation>,
    /// The shapes of its data.
    pub shapes: TaskShapes,
}

impl ServiceFunction {
    /// Returns an operation with the shapes of its data.
    pub fn new(operation: Operation, shapes: TaskShapes) -> ServiceFunction {
        ServiceFunction { operation: Arc::new(operation), shapes }
    }
}

/// The shapes of a task's data, as far as schemas or the service operation describe them. Their
/// origins are the descriptions.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskShapes {
    /// The inputs that the task accepts.
    pub input: Shape,
    /// The inputs that it accepts in the place of these if they have the whole body of a request.
    pub whole: Option<WholeBody>,
    /// The results.
    pub output: Shape,
    /// The results as the service documents them, where nothing else describes the task and the
    /// program names no type.
    pub documented: Shape,
    /// The names of the members that the descriptions have. A shape lacks those of which nothing
    /// is known.
    pub names: BTreeSet<String>,
}

impl Default for TaskShapes {
    fn default() -> TaskShapes {
        let [input, output, documented] = [Shape::any(), Shape::any(), Shape::any()];
        TaskShapes { input, whole: None, output, documented, names: BTreeSet::new() }
    }
}

/// The inputs of a task that have the whole body of a request in one member. The body then has no
/// members of its own among the others.
#[derive(Debug, Clone, PartialEq)]
pub struct WholeBody {
    /// The names of the member.
    pub names: Vec<String>,
    /// The inputs.
    pub input: Shape,
}

impl TaskShapes {
    /// Returns the inputs that the task accepts in the place of an input of a shape.
    pub fn wanted(&self, input: &Shape) -> &Shape {
        let object = input.kinds().and_then(|kinds| kinds.object.as_ref());
        let has = |name: &String| object.is_none_or(|object| !object.field(name).shape.is_never());
        self.whole.as_ref().filter(|whole| whole.names.iter().any(has)).map_or(&self.input, |whole| &whole.input)
    }
}

/// The invocation of a task.
#[derive(Debug, Clone)]
pub struct Invoke {
    /// The task.
    pub task: TaskId,
    /// The input.
    pub input: Expr,
    /// The template of the input, for diagnostics.
    pub template: InputTemplate,
    /// The time-out, in seconds.
    pub timeout: Option<Seconds>,
    /// The maximum interval between heartbeats, in seconds.
    pub heartbeat: Option<Seconds>,
    /// The identity that the task acts as, if the definition names one.
    pub credentials: Option<Expr>,
    /// `true` if the result arrives by a task token after the task has returned.
    pub callback: bool,
    /// Receives the result.
    pub result: LocalId,
}

/// The place of the template from which a task's input is made.
#[derive(Debug, Clone, Default)]
pub struct InputTemplate {
    /// The span, if there is a template.
    pub span: Option<Span>,
    /// The names of the members, each with its span.
    pub names: Vec<(String, Span)>,
}

/// An authored function in another language.
#[derive(Debug, Clone)]
pub struct AuthoredScript {
    /// The state that runs it.
    pub state: Arc<str>,
    /// The span of its text.
    pub span: Span,
    /// The compiled script.
    pub code: Script,
}

/// The run of a script. The script receives the document and replaces it by its outcome. The step
/// cannot fail: a thrown error is an outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The script.
    pub script: ScriptId,
    /// The document before the run, the outcome after it.
    pub document: LocalId,
    /// The variables that the script mentions, in the order of its parameters. The script may
    /// change each.
    pub variables: Vec<LocalId>,
}

impl Run {
    /// Returns the locals that the script takes and may change: the document, then the variables.
    pub fn locals(&self) -> Vec<LocalId> {
        std::iter::once(self.document).chain(self.variables.iter().copied()).collect()
    }
}
