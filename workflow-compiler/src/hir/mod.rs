//! The workflow model (HIR) that all dialects lower to.
//!
//! A workflow is a tree of [`Scope`]s: the top level, the branches of a parallel state, the body
//! of a map. Each scope has states. A [`State`] is a list of [`Step`]s and a transition. Every
//! node keeps its authored name and its span.
//!
#![doc = include_str!("README.md")]

mod distributed_map;
mod for_each;
mod nested;
mod outline;
mod print;
mod walk;
mod workflow;

use crate::expr::{Expr, Literal, LocalId, PathStep, ProgramText};
use crate::index::IndexVec;
use crate::model::{
    AuthoredScript, AwaitedEvent, Correlation, ErrorMatch, ErrorNames, EventId, Invoke, Join, LocalKind, Publish,
    Receive, Retrier, Run, Schedule, ScopeId, ScriptId, Seconds, StartsOn, Task, TaskId, Wait, WorkflowId,
};
use crate::schema::Schema;
use crate::source::{Span, Spanned};
use std::sync::Arc;

pub use distributed_map::{DistributedMap, ItemSelection};
pub use for_each::ForEach;
pub use nested::{ASK, Block, BlockExit, Deadline, Expiry, Label, Retry, Try};
pub use outline::{Outline, ScopeOutline, StateOutline};

/// A workflow. The front end creates it before it is checked.
#[derive(Debug, Clone)]
pub struct Workflow {
    /// The name from the definition's header, or else from its file.
    pub name: String,
    /// The dialect of the definition.
    pub dialect: &'static str,
    /// The author's comment.
    pub comment: Option<String>,
    /// The definition's own version, as written.
    pub version: Option<String>,
    /// Metadata for tools and users: an object.
    pub metadata: Option<Literal>,
    /// The id and version by which other workflows start this one, in dialects that have them.
    pub id: Option<WorkflowId>,
    /// The span of the whole definition.
    pub span: Span,
    /// The scopes. The first is the top level. A scope comes before the scopes nested in it.
    pub scopes: IndexVec<ScopeId, Scope>,
    /// The locals.
    pub locals: IndexVec<LocalId, Local>,
    /// Reads of variables, for diagnostics.
    pub reads: Vec<(LocalId, Span)>,
    /// The paths from locals, for diagnostics.
    pub paths: Vec<PathRead>,
    /// The texts of programs, for diagnostics.
    pub programs: Vec<ProgramText>,
    /// The tasks that it invokes.
    pub tasks: IndexVec<TaskId, Task>,
    /// The authored functions in another language.
    pub scripts: IndexVec<ScriptId, AuthoredScript>,
    /// The local that holds the execution's input at the start.
    pub input: LocalId,
    /// `true` if the input must be an object. A missing input is the empty object. The runtime
    /// refuses other inputs.
    pub input_must_be_object: bool,
    /// The schema of the input. The runtime refuses inputs that do not match.
    pub input_schema: Option<Schema>,
    /// The schema of the output. An execution whose output does not match fails.
    pub output_schema: Option<Schema>,
    /// The kinds of events that it awaits.
    pub events: IndexVec<EventId, AwaitedEvent>,
    /// The correlation keys of its executions.
    pub correlation: Correlation,
    /// The events that start an execution. The first state awaits them.
    pub starts_on: Option<StartsOn>,
    /// The interval in which executions can be started. `None` is always.
    pub schedule: Option<Schedule>,
    /// The execution time-out, in seconds.
    pub timeout: Option<Spanned<u64>>,
    /// The outcome of an execution that exceeds the time-out.
    pub on_timeout: OnTimeout,
    /// The names that users of the dialect know for errors.
    pub error_names: ErrorNames,
    /// `true` if the dialect refuses unreachable states and scopes without an end.
    pub refuses_dead_ends: bool,
    /// Settings, given when an execution starts: the local and the name of each.
    pub settings: Vec<(LocalId, String)>,
}

/// A path that an expression reads from a local.
#[derive(Debug, Clone, PartialEq)]
pub struct PathRead {
    /// The local.
    pub base: LocalId,
    /// The definite steps at the beginning of the path, each with its span.
    pub steps: Vec<(PathStep, Span)>,
    /// The names of the members behind these steps, each with its span.
    pub names: Vec<(String, Span)>,
    /// The span of the whole path.
    pub span: Span,
}

/// The outcome of an execution that exceeds its time-out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnTimeout {
    /// The execution fails.
    #[default]
    Fail,
    /// The execution succeeds with null.
    Null,
    /// The execution continues in another scope, whose output is its output.
    Continue {
        /// The scope.
        scope: ScopeId,
        /// The local of the top level that holds the document.
        document: LocalId,
        /// The local of that scope that receives the document.
        input: LocalId,
    },
}

/// A local of the HIR.
#[derive(Debug, Clone, PartialEq)]
pub struct Local {
    /// The preferred name in generated code.
    pub name: String,
    /// The kind of its value.
    pub kind: LocalKind,
    /// The span of its declaration, or of the first assignment of a variable.
    pub span: Span,
}

/// States that share variables and are the targets of each other's transitions.
#[derive(Debug, Clone)]
pub struct Scope {
    /// Description: `the top level`, or the branch and its state.
    pub label: String,
    /// The enclosing scope, and the state in it that this scope belongs to.
    pub parent: Option<(ScopeId, Arc<str>)>,
    /// Steps before the first state, none with an inner body. They make the document from the
    /// input.
    pub entry: Vec<Step>,
    /// The first state.
    pub start: Spanned<Arc<str>>,
    /// The states, in source order.
    pub states: Vec<State>,
    /// The span of the scope.
    pub span: Span,
}

/// A state.
#[derive(Debug, Clone)]
pub struct State {
    /// The name and its span.
    pub name: Spanned<Arc<str>>,
    /// The author's comment.
    pub comment: Option<String>,
    /// The kind as the dialect calls it: `Task`, `Choice`, …
    pub kind: &'static str,
    /// The span of the whole state.
    pub span: Span,
    /// The local that holds the state's input on entry, which observers see.
    pub input: LocalId,
    /// The steps and the transition.
    pub body: Body,
    /// `true` if the compiler made the state. Observers are not notified of synthetic states.
    pub is_synthetic: bool,
}

/// Steps and a transition.
#[derive(Debug, Clone)]
pub struct Body {
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// The transition.
    pub next: Next,
}

impl Body {
    /// Returns a body without steps.
    pub fn to(next: Next) -> Body {
        Body { steps: Vec::new(), next }
    }
}

/// The transition at the end of a body.
#[derive(Debug, Clone)]
pub enum Next {
    /// Continues with a state of the same scope.
    Goto(Spanned<Arc<str>>),
    /// Ends the scope with this output.
    End(Expr),
    /// Ends the whole execution with this output, from any depth of scopes, and the execution that
    /// awaits it as a child. Tasks in flight complete first. No further step starts, and no
    /// handler receives their faults.
    Terminate(Expr),
    /// Fails the scope. `error` and `cause` are both optional.
    Fail {
        /// The error name: an expression that yields a string.
        error: Option<Expr>,
        /// The cause.
        cause: Option<Expr>,
    },
    /// Raises the fault in this local again.
    Raise(LocalId),
    /// Fails the scope with the fault that this call yields.
    FailWith(Expr),
    /// Continues with the first arm whose condition holds.
    Choose {
        /// The arms, in order.
        arms: Vec<Arm>,
        /// The continuation where no condition holds.
        otherwise: Box<Body>,
    },
    /// Leaves the step with this label, which is around the body, and continues after it. With the
    /// label of an exit, continues at the exit.
    Leave(Label),
    /// Runs the body of the block with this label again. The block is around this body.
    Repeat(Label),
    /// Runs the attempt around the catcher again after an interval, or continues if the limit is
    /// reached.
    Retry(Box<Retry>),
    /// Marks the end of a body whose last step never continues.
    Never,
}

/// An arm of a [`Next::Choose`].
#[derive(Debug, Clone)]
pub struct Arm {
    /// The condition: an expression that yields a boolean.
    pub condition: Expr,
    /// The continuation.
    pub body: Body,
    /// The span of the rule.
    pub span: Span,
    /// `true` if the arm handles an error.
    pub on_error: bool,
}

/// A step of a body.
#[derive(Debug, Clone)]
pub struct Step {
    /// The operation.
    pub kind: StepKind,
    /// The span of the field or construct that it comes from.
    pub span: Span,
}

/// The operation of a step.
#[derive(Debug, Clone)]
pub enum StepKind {
    /// Sets a local.
    Let {
        /// The local.
        local: LocalId,
        /// Its new value.
        value: Expr,
    },
    /// Sets several locals at once. All values are computed before the first is set.
    Assign(Vec<(LocalId, Expr)>),
    /// Reports an intermediate value of the state to an inspector. The step exists only if
    /// inspection was requested.
    Inspect {
        /// The stage, such as `afterInputPath`.
        stage: &'static str,
        /// The value.
        value: Expr,
    },
    /// Runs a nested body.
    Block(Box<Block>),
    /// Runs a nested body with retriers and catchers for its faults.
    Try(Box<Try>),
    /// Runs a nested body with a time limit.
    Deadline(Box<Deadline>),
    /// Invokes a task and awaits its result.
    Invoke(Box<Invoke>),
    /// Runs an authored function in another language.
    Run(Box<Run>),
    /// Waits for a time.
    Wait(Wait),
    /// Runs branches concurrently.
    Fork {
        /// The branches, in order.
        branches: Vec<ScopeId>,
        /// The branches that the step awaits.
        join: Join,
        /// Receives the result of the join.
        result: LocalId,
    },
    /// Awaits an event.
    Receive(Box<Receive>),
    /// Publishes an event.
    Publish(Box<Publish>),
    /// Starts a child execution.
    Call(Box<CallWorkflow>),
    /// Runs a scope once for each item, several iterations concurrently, and awaits all.
    ForEach(Box<ForEach>),
    /// Runs a scope as an execution of its own for each item or batch of items, and awaits all.
    DistributedMap(Box<DistributedMap>),
}

/// A rule that handles a fault.
#[derive(Debug, Clone)]
pub struct Catcher {
    /// The errors that it matches.
    pub errors: Vec<ErrorMatch>,
    /// The continuation.
    pub body: Body,
    /// The span of the rule.
    pub span: Span,
}

/// The start of a child execution.
#[derive(Debug, Clone)]
pub struct CallWorkflow {
    /// The workflow or scope to start.
    pub target: CallTarget,
    /// The input.
    pub input: Expr,
    /// `true` for a detached child: the step does not await its end.
    pub detached: bool,
    /// The time-out of the child, in seconds.
    pub timeout: Option<Seconds>,
    /// Receives the output of an awaited child, or the id of a detached child.
    pub result: LocalId,
}

/// The workflow or scope that a child execution runs.
#[derive(Debug, Clone, PartialEq)]
pub enum CallTarget {
    /// Another workflow, by its name, by its id, or by its id and version as `id@version`.
    Workflow(String),
    /// A scope of this workflow that runs as an execution of its own.
    Scope {
        /// The scope.
        scope: ScopeId,
        /// The local of that scope that receives the input.
        input: LocalId,
    },
}
