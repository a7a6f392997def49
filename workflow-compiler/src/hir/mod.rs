//! The one workflow model: what an author would say, whatever the dialect.
//!
//! A workflow is a tree of [`Scope`]s (the top level, the branches of a Parallel, the body of a Map), each with states.
//! A [`State`] is a list of [`Step`]s and a way on. Every node keeps its authored name and its place.

mod events;
pub mod operation;
mod outline;
mod parts;
mod print;
mod starts;
mod walk;
mod workflow;

use crate::expr::{Expr, Literal, LocalId, Script};
use crate::schema::Schema;
use crate::source::{Span, Spanned};
use std::sync::Arc;

pub use events::{AwaitedEvent, Correlation, Publish, ReadCorrelation};
pub use operation::Operation;
pub use outline::{Outline, ScopeOutline, StateOutline};
pub use parts::{Guard, Part, Parts, Retry};
pub use starts::{Active, Schedule, StartsOn};

/// A checked or unchecked workflow.
#[derive(Debug, Clone)]
pub struct Workflow {
    /// The name of the workflow: its file's, or the one its header gives.
    pub name: String,
    /// The dialect it was written in.
    pub dialect: &'static str,
    /// The author's comment.
    pub comment: Option<String>,
    /// The definition's own version, as written.
    pub version: Option<String>,
    /// What the definition says of itself to tools and users, if it does: an object.
    pub metadata: Option<Literal>,
    /// What others call it, where the dialect has them start it by id and version.
    pub called: Option<Called>,
    /// The whole definition.
    pub span: Span,
    /// The scopes; the first is the top level. A scope comes before those nested in it.
    pub scopes: Vec<Scope>,
    /// What the locals are.
    pub locals: Vec<Local>,
    /// Where variables are read, for findings about them.
    pub reads: Vec<(LocalId, Span)>,
    /// The tasks it may invoke.
    pub tasks: Vec<Task>,
    /// The functions that its states carry in another language.
    pub scripts: Vec<AuthoredScript>,
    /// The local that holds the execution's input at the start.
    pub input: LocalId,
    /// Whether an execution's input is to be an object; no input is the empty one. One whose input is not is refused.
    pub takes_object: bool,
    /// What an execution's input is to be: one whose input is not is refused.
    pub input_schema: Option<Schema>,
    /// What its output is to be: an execution whose output is not fails.
    pub output_schema: Option<Schema>,
    /// The kinds of events that it waits for.
    pub events: Vec<AwaitedEvent>,
    /// By what events are told to be for an execution.
    pub correlation: Correlation,
    /// Events that start an execution. Its first state waits for them.
    pub starts_on: Option<StartsOn>,
    /// When executions can be started, if that is not always.
    pub schedule: Option<Schedule>,
    /// How long an execution may take, in seconds.
    pub timeout: Option<Spanned<u64>>,
    /// What an execution that takes longer ends with.
    pub on_timeout: OnTimeout,
    /// Whether the dialect refuses states that no state leads to, and scopes without an end.
    pub refuses_dead_ends: bool,
    /// Values that must be given when an execution starts: the local, and the name of the setting.
    pub settings: Vec<(LocalId, String)>,
}

/// Index of a scope in [`Workflow::scopes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScopeId(pub u32);

/// Index of a task in [`Workflow::tasks`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(pub u32);

/// Index of a script in [`Workflow::scripts`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScriptId(pub u32);

/// Index of a kind of event in [`Workflow::events`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(pub u32);

/// What others call a workflow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Called {
    /// Its id.
    pub id: String,
    /// Its version, if it has one.
    pub version: Option<String>,
    /// Whether others may start it.
    pub is_child: bool,
}

/// What an execution that takes too long ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnTimeout {
    /// It fails.
    #[default]
    Fail,
    /// It ends with null.
    Null,
    /// It goes on in this scope, with the document of the top level as its input, and ends with what that yields.
    GoOn {
        /// The scope.
        scope: ScopeId,
        /// The local that holds the document.
        document: LocalId,
        /// Receives it in that scope.
        input: LocalId,
    },
}

/// What a local is.
#[derive(Debug, Clone, PartialEq)]
pub struct Local {
    /// The name that generated code uses if it can.
    pub name: String,
    /// What it holds.
    pub kind: LocalKind,
    /// Where it is declared; for a variable, where it is first assigned.
    pub span: Span,
}

/// What a local holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LocalKind {
    /// A value, always there.
    Value,
    /// A variable of the author's: may not have been assigned yet.
    Variable,
    /// A fault that was caught.
    Fault,
    /// How often each retrier of a [`StepKind::Try`] has retried.
    Retries,
    /// How often a part was tried again ([`Next::Retry`]), and where its calls begin.
    Tries,
}

/// States that run together: they share variables, and transitions stay among them.
#[derive(Debug, Clone)]
pub struct Scope {
    /// What it is: `the top level`, or which branch of which state.
    pub label: String,
    /// The state it is a part of, and the scope that one is in.
    pub parent: Option<(ScopeId, Arc<str>)>,
    /// What happens before the first state: the document is made from the input.
    pub entry: Vec<Step>,
    /// The first state.
    pub start: Spanned<Arc<str>>,
    /// The states, in source order.
    pub states: Vec<State>,
    /// The place of the scope.
    pub span: Span,
}

/// A state as authored.
#[derive(Debug, Clone)]
pub struct State {
    /// Its name and the place of the name.
    pub name: Spanned<Arc<str>>,
    /// The author's comment.
    pub comment: Option<String>,
    /// The kind as the dialect calls it: `Task`, `Choice`, …
    pub kind: &'static str,
    /// The place of the whole state.
    pub span: Span,
    /// The local that holds the state's input on entry; observers are shown it.
    pub input: LocalId,
    /// What it does.
    pub body: Body,
    /// Whether an author would call it a state: what is not is a part of one that runs beside others, and nobody is told of it.
    pub is_authored: bool,
}

/// Steps, and the way on.
#[derive(Debug, Clone)]
pub struct Body {
    /// What is done, in order.
    pub steps: Vec<Step>,
    /// Where it leads.
    pub next: Next,
}

/// The way on from a body.
#[derive(Debug, Clone)]
pub enum Next {
    /// To a state of the same scope.
    Goto(Spanned<Arc<str>>),
    /// The scope ends with this output.
    End(Expr),
    /// The whole run ends with this output, from however deep inside of it, and so does the one that waits for it as its child.
    /// Tasks under way are completed first; nothing else begins any more, and nothing handles what becomes of them.
    Terminate(Expr),
    /// The scope fails. Both parts may be absent.
    Fail {
        /// The error's name; yields a string.
        error: Option<Expr>,
        /// The cause.
        cause: Option<Expr>,
    },
    /// The fault in this local is raised again.
    Raise(LocalId),
    /// The scope fails with a fault: a call that yields one.
    FailWith(Expr),
    /// The first arm whose condition holds.
    Choose {
        /// The arms, in order.
        arms: Vec<Arm>,
        /// Where to go when none holds.
        otherwise: Box<Body>,
    },
    /// On with the first of these parts of the state, among which [`Next::Part`] leads. A state has them once, at the most.
    Parts(Parts),
    /// To a part of the same state, by its number.
    Part(u32),
    /// To a part of the same state, after a while; or on, if that was done often enough.
    Retry(Box<Retry>),
}

/// An arm of a [`Next::Choose`].
#[derive(Debug, Clone)]
pub struct Arm {
    /// The condition; yields a boolean.
    pub condition: Expr,
    /// What follows.
    pub body: Body,
    /// The place of the rule.
    pub span: Span,
    /// Whether it is taken because of an error.
    pub on_error: bool,
}

/// One step of a body.
#[derive(Debug, Clone)]
pub struct Step {
    /// What is done.
    pub kind: StepKind,
    /// The place of the field or construct it comes from.
    pub span: Span,
}

/// What a step does.
#[derive(Debug, Clone)]
pub enum StepKind {
    /// Sets a local.
    Let {
        /// The local.
        local: LocalId,
        /// Its new value.
        value: Expr,
    },
    /// Sets several locals at once: every value is computed before any is set (variables of a state).
    Assign(Vec<(LocalId, Expr)>),
    /// Shows an intermediate value of the state to an inspector; made only where inspection was asked for.
    Inspect {
        /// The stage, such as `afterInputPath`.
        stage: &'static str,
        /// The value.
        value: Expr,
    },
    /// Does the steps; a fault in them is retried, caught, or passed on.
    Try(Box<Try>),
    /// Invokes a task and waits for its result.
    Invoke(Box<Invoke>),
    /// Runs a function that the author wrote in another language.
    Run(Box<Run>),
    /// Waits.
    Wait(Wait),
    /// Runs branches at the same time and waits for all; the first fault fails the step and cancels the others.
    Fork {
        /// The branches, in order.
        branches: Vec<ScopeId>,
        /// Receives the array of their outputs, in order.
        result: LocalId,
    },
    /// Runs branches at the same time and waits for the first so many; the others are cancelled.
    Race {
        /// The branches, in order.
        branches: Vec<ScopeId>,
        /// For how many it waits.
        first: u32,
        /// Receives an array of the number and output of each that has ended, in the order in which they have.
        result: LocalId,
    },
    /// Waits for an event.
    Receive(Box<Receive>),
    /// Publishes an event.
    Publish(Box<Publish>),
    /// Starts an execution.
    Call(Box<CallWorkflow>),
    /// Makes fresh counters, and lets what follows be the first try ([`Next::Retry`]).
    BeginTries {
        /// The counters.
        tries: LocalId,
        /// Whether that is inside of what may be tried again, too.
        inner: bool,
    },
    /// From here on calls are numbered as if all before had been made, also where a fault has kept some from it: what
    /// follows has the numbers that it has in every other try.
    CountCalls {
        /// The counters of what they are counted from, or else the frame was made for it.
        tries: Option<LocalId>,
        /// How many there are from there to here ([`StepKind::is_call`]).
        calls: u32,
    },
    /// Runs a body once for every item, several at the same time, and waits for all.
    ForEach(Box<ForEach>),
}

/// Steps whose faults are handled.
#[derive(Debug, Clone)]
pub struct Try {
    /// The steps.
    pub body: Vec<Step>,
    /// Holds the retriers' counters ([`LocalKind::Retries`]).
    pub retries: LocalId,
    /// Asked in order when a step fails; the first that names the error decides.
    pub retriers: Vec<Retrier>,
    /// Asked in order when no retrier retries.
    pub catchers: Vec<Catcher>,
    /// Receives the fault that a catcher handles ([`LocalKind::Fault`]).
    pub fault: LocalId,
}

/// When and how often to try again.
#[derive(Debug, Clone, PartialEq)]
pub struct Retrier {
    /// The errors it is for, as the dialect names them.
    pub errors: Vec<String>,
    /// Seconds before the first retry.
    pub interval_seconds: f64,
    /// How often to retry at the most; 0: never.
    pub max_attempts: u32,
    /// What the interval is multiplied with after each retry.
    pub backoff_rate: f64,
    /// The longest interval, in seconds.
    pub max_delay_seconds: Option<f64>,
    /// What is added to the interval after each retry, in seconds.
    pub increment_seconds: f64,
    /// What chance has to do with the interval.
    pub jitter: Jitter,
    /// Its place.
    pub span: Span,
}

/// What chance has to do with the interval before a retry.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Jitter {
    /// Nothing.
    None,
    /// It is drawn from between 0 and what it would be.
    Full,
    /// It differs by such a share of what it would be, at the most.
    Share(f64),
    /// It differs by so many seconds, at the most.
    Seconds(f64),
}

/// What to do about a fault.
#[derive(Debug, Clone)]
pub struct Catcher {
    /// The errors it is for, as the dialect names them.
    pub errors: Vec<String>,
    /// What follows.
    pub body: Body,
    /// Its place.
    pub span: Span,
}

/// The invocation of a task.
#[derive(Debug, Clone)]
pub struct Invoke {
    /// The task.
    pub task: TaskId,
    /// What it is given.
    pub input: Expr,
    /// Seconds until it is given up.
    pub timeout: Option<Seconds>,
    /// What that is at the most, in seconds, where it is computed and has a bound.
    pub at_most: Option<f64>,
    /// Seconds between signs of life, at the most.
    pub heartbeat: Option<Seconds>,
    /// Whom the task is to act as, where the definition says so.
    pub credentials: Option<Expr>,
    /// Whether the result arrives later, by task token, and not with the return of the task.
    pub callback: bool,
    /// Receives the result.
    pub result: LocalId,
}

/// The run of a script: it takes the document, and leaves its outcome there. It cannot fail: what is thrown is an outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The script.
    pub script: ScriptId,
    /// Holds the argument before, the outcome after.
    pub document: LocalId,
    /// The variables that the script mentions, in the order in which it takes them. It may change each.
    pub variables: Vec<LocalId>,
}

/// A number of seconds, known or computed.
#[derive(Debug, Clone, PartialEq)]
pub enum Seconds {
    /// Known.
    Fixed(f64),
    /// Computed: a call that yields a checked number of seconds as a value.
    Computed(Expr),
}

/// How long to wait.
#[derive(Debug, Clone)]
pub enum Wait {
    /// So many seconds.
    For(Seconds),
    /// Until a time: a call that yields a checked RFC 3339 time as a value.
    Until(Expr),
}

/// A wait for an event.
#[derive(Debug, Clone)]
pub struct Receive {
    /// The kinds of which any one will do.
    pub events: Vec<EventId>,
    /// When the wait is over in any case: a call that yields an RFC 3339 time as a value. The result is null then.
    pub until: Option<Expr>,
    /// Whether other events are lost that arrive before.
    pub drops_others: bool,
    /// Events that were received before, where one of each kind is to come: yields an array of them, as `result` has them.
    /// Each takes the first kind that it is of, and those that are taken are not waited for any more.
    pub collected: Option<Expr>,
    /// Receives the event, in the JSON format of CloudEvents.
    pub result: LocalId,
}

/// The start of an execution.
#[derive(Debug, Clone)]
pub struct CallWorkflow {
    /// What is started.
    pub target: CallTarget,
    /// What it is given.
    pub input: Expr,
    /// Whether its end is not waited for.
    pub detached: bool,
    /// Seconds until it is given up.
    pub timeout: Option<Seconds>,
    /// Receives its output; or its id, if its end is not waited for.
    pub result: LocalId,
}

/// What is started.
#[derive(Debug, Clone, PartialEq)]
pub enum CallTarget {
    /// Another workflow, by its name, or by its id, or by its id and version as `id@version`.
    Workflow(String),
    /// A scope of this one, which is a part that runs on its own.
    Scope {
        /// The scope.
        scope: ScopeId,
        /// Receives what it is given, in that scope.
        input: LocalId,
    },
}

/// The body of a Map or foreach.
#[derive(Debug, Clone)]
pub struct ForEach {
    /// What is done for an item.
    pub body: ScopeId,
    /// The local that holds the array.
    pub items: LocalId,
    /// Receives the item, in the body.
    pub item: LocalId,
    /// How many may run at the same time: a call that yields a checked number; 0 is any number.
    pub limit: Option<Expr>,
    /// Seconds between the starts of two, of which the first starts at once.
    pub delay: Option<Seconds>,
    /// How many may fail: a call that yields a checked number.
    pub tolerated_count: Option<Expr>,
    /// What share may fail, in percent: a call that yields a checked number.
    pub tolerated_percentage: Option<Expr>,
    /// Whether as many as may run at the same time are started together, when all before them have ended.
    pub in_batches: bool,
    /// Whether the result has the number and output of each that has ended, in the order in which they have.
    pub in_order: bool,
    /// Receives the array of outputs, in the order of the items.
    pub result: LocalId,
}

/// A task the workflow invokes.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// What programs bind it by.
    pub key: String,
    /// What its method is named after.
    pub method: String,
    /// The resource as written.
    pub resource: String,
    /// The state that invokes it.
    pub state: Arc<str>,
    /// The place of the resource.
    pub span: Span,
    /// Whether it is a function of the definition's own in whose place the program has a method.
    pub is_function: bool,
    /// What is known of the operation of a service that it is.
    pub operation: Option<Operation>,
}

/// A function that an author wrote into a definition.
#[derive(Debug, Clone)]
pub struct AuthoredScript {
    /// The state that runs it.
    pub state: Arc<str>,
    /// The place of its text.
    pub span: Span,
    /// What it is compiled to.
    pub code: Script,
}

impl Run {
    /// The locals it takes, and leaves changed: the document, and the variables.
    pub fn locals(&self) -> Vec<LocalId> {
        std::iter::once(self.document).chain(self.variables.iter().copied()).collect()
    }
}
