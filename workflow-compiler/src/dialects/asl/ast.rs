//! The Amazon States Language as its specification speaks of it. Every part has its place.

use super::functions::Comparison;
use crate::hir::Retrier;
use crate::source::{Span, Spanned};
use crate::syntax::{Node, Text};
use std::sync::Arc;

pub use super::expressions::{Path, PathOrIntrinsic, Template};

/// A state machine.
#[derive(Debug)]
pub struct Machine {
    /// `Comment`.
    pub comment: Option<String>,
    /// `TimeoutSeconds`.
    pub timeout: Option<Spanned<u64>>,
    /// `StartAt` and `States`.
    pub scope: Scope,
}

/// `StartAt` and `States`: of the machine, of a branch, or of an item processor.
#[derive(Debug)]
pub struct Scope {
    /// `StartAt`.
    pub start: Spanned<Arc<str>>,
    /// `States`, in source order.
    pub states: Vec<State>,
    /// The object that holds both.
    pub span: Span,
}

/// A state.
#[derive(Debug)]
pub struct State {
    /// Its name.
    pub name: Spanned<Arc<str>>,
    /// `Comment`.
    pub comment: Option<String>,
    /// The whole state.
    pub span: Span,
    /// What its type has of its own.
    pub kind: Kind,
}

/// The types of states.
#[derive(Debug)]
pub enum Kind {
    /// `Pass`.
    Pass(Pass),
    /// `Task`.
    Task(Box<Task>),
    /// `Choice`.
    Choice(Choice),
    /// `Wait`.
    Wait(Wait),
    /// `Succeed`.
    Succeed(Flow),
    /// `Fail`.
    Fail(Fail),
    /// `Parallel`.
    Parallel(Box<Parallel>),
    /// `Map`.
    Map(Box<Map>),
}

/// The fields that say what becomes of a state's input and result. Those that a type of state does not have are absent.
#[derive(Debug, Default)]
pub struct Flow {
    /// `InputPath`.
    pub input_path: Option<Selection>,
    /// `Parameters` (of a Map: [`Map::selector`]).
    pub parameters: Option<Template>,
    /// `ResultSelector`.
    pub result_selector: Option<Template>,
    /// `ResultPath`.
    pub result_path: ResultPath,
    /// `OutputPath`.
    pub output_path: Option<Selection>,
    /// `Assign`.
    pub assign: Option<Assign>,
}

/// What `InputPath` or `OutputPath` selects.
#[derive(Debug)]
pub enum Selection {
    /// `null`: an empty object.
    Nothing(Span),
    /// What a path leads to.
    Path(Path),
}

/// Where a result goes.
#[derive(Debug, Default)]
pub enum ResultPath {
    /// In place of the input: `$`, or no field.
    #[default]
    Replace,
    /// Nowhere: `null`.
    Discard,
    /// Into the input.
    Put(Path),
}

/// `Assign`.
#[derive(Debug)]
pub struct Assign {
    /// The names assigned, without `.$`, in the order of the template's members.
    pub names: Vec<Spanned<String>>,
    /// The values: a template whose members are the variables.
    pub values: Template,
    /// The place of the field.
    pub span: Span,
}

/// `Next` or `End`.
#[derive(Debug)]
pub enum Transition {
    /// To a state.
    Next(Spanned<Arc<str>>),
    /// The scope ends.
    End,
}

/// A Pass state.
#[derive(Debug)]
pub struct Pass {
    /// Input and output.
    pub flow: Flow,
    /// `Result`.
    pub result: Option<Node>,
    /// The way on.
    pub next: Transition,
}

/// A Task state.
#[derive(Debug)]
pub struct Task {
    /// Input and output.
    pub flow: Flow,
    /// `Retry` and `Catch`.
    pub handlers: Handlers,
    /// `Resource`.
    pub resource: Resource,
    /// `TimeoutSeconds` or `TimeoutSecondsPath`.
    pub timeout: Option<Amount>,
    /// `HeartbeatSeconds` or `HeartbeatSecondsPath`.
    pub heartbeat: Option<Amount>,
    /// `Credentials`.
    pub credentials: Option<Template>,
    /// The way on.
    pub next: Transition,
}

/// What a task invokes.
#[derive(Debug)]
pub struct Resource {
    /// As written.
    pub text: String,
    /// What programs bind the task by (ruling A9).
    pub key: String,
    /// How the result arrives.
    pub pattern: Pattern,
    /// Its place.
    pub span: Span,
}

/// How the result of a resource arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pattern {
    /// With the answer.
    RequestResponse,
    /// When a job has ended: `.sync`, `.sync:2`.
    RunJob,
    /// By task token: `.waitForTaskToken`.
    Callback,
    /// From an activity worker.
    Activity,
}

/// `Retry` and `Catch`.
#[derive(Debug, Default)]
pub struct Handlers {
    /// `Retry`.
    pub retriers: Vec<Retrier>,
    /// `Catch`.
    pub catchers: Vec<Catcher>,
    /// The place of the fields.
    pub span: Option<Span>,
}

/// A catcher.
#[derive(Debug)]
pub struct Catcher {
    /// `ErrorEquals`.
    pub errors: Vec<String>,
    /// `ResultPath`.
    pub result_path: ResultPath,
    /// `Assign`.
    pub assign: Option<Assign>,
    /// `Next`.
    pub next: Spanned<Arc<str>>,
    /// Its place.
    pub span: Span,
}

/// A number that is written down, computed from a path, or set when an execution starts.
#[derive(Debug)]
pub enum Amount {
    /// Written down.
    Fixed(Spanned<f64>),
    /// Where the path leads: a `…Path` field.
    Path(Path),
    /// The value of a placeholder that is not bound (ruling A10).
    Setting(Text),
}

/// A Choice state.
#[derive(Debug)]
pub struct Choice {
    /// Input and output, and the `Assign` that goes with `Default`.
    pub flow: Flow,
    /// `Choices`.
    pub rules: Vec<Rule>,
    /// `Default`.
    pub default: Option<Spanned<Arc<str>>>,
}

/// A top-level Choice rule.
#[derive(Debug)]
pub struct Rule {
    /// When it is chosen.
    pub condition: Condition,
    /// `Assign`.
    pub assign: Option<Assign>,
    /// `Next`.
    pub next: Spanned<Arc<str>>,
    /// Its place.
    pub span: Span,
}

/// A condition of a Choice rule.
#[derive(Debug)]
pub enum Condition {
    /// `And`.
    And(Vec<Condition>),
    /// `Or`.
    Or(Vec<Condition>),
    /// `Not`.
    Not(Box<Condition>),
    /// A data-test expression: a variable and an operator.
    Test(Path, Test),
}

/// An operator of a data-test expression with its operand.
#[derive(Debug)]
pub enum Test {
    /// A comparison.
    Compare(Family, Comparison, Operand),
    /// `StringMatches`.
    Matches(Text),
    /// `Is…`: the test, and whether it is to hold.
    Is(IsTest, bool),
}

/// What kind of values a comparison is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// `String…`.
    String,
    /// `Numeric…`.
    Numeric,
    /// `Boolean…`.
    Boolean,
    /// `Timestamp…`.
    Timestamp,
}

/// The other side of a comparison.
#[derive(Debug)]
pub enum Operand {
    /// A constant of the family's type; a text may have placeholders.
    Literal(Node),
    /// Where a path leads: the `…Path` twin of an operator.
    Path(Path),
}

/// The `Is…` operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IsTest {
    /// `IsPresent`.
    Present,
    /// `IsNull`.
    Null,
    /// `IsBoolean`.
    Boolean,
    /// `IsNumeric`.
    Numeric,
    /// `IsString`.
    String,
    /// `IsTimestamp`.
    Timestamp,
}

/// A Wait state.
#[derive(Debug)]
pub struct Wait {
    /// Input and output.
    pub flow: Flow,
    /// For how long.
    pub until: Until,
    /// The way on.
    pub next: Transition,
}

/// How long a Wait state waits.
#[derive(Debug)]
pub enum Until {
    /// `Seconds`, `SecondsPath`.
    Seconds(Amount),
    /// `Timestamp`; it may be a placeholder.
    Timestamp(Text),
    /// `TimestampPath`.
    TimestampPath(Path),
}

/// A Fail state.
#[derive(Debug)]
pub struct Fail {
    /// `Error` or `ErrorPath`.
    pub error: Option<Message>,
    /// `Cause` or `CausePath`.
    pub cause: Option<Message>,
}

/// A text of a Fail state.
#[derive(Debug)]
pub enum Message {
    /// Written down.
    Text(Text),
    /// Computed.
    Path(PathOrIntrinsic),
}

/// A Parallel state.
#[derive(Debug)]
pub struct Parallel {
    /// Input and output.
    pub flow: Flow,
    /// `Retry` and `Catch`.
    pub handlers: Handlers,
    /// `Branches`.
    pub branches: Vec<Scope>,
    /// The way on.
    pub next: Transition,
}

/// A Map state.
#[derive(Debug)]
pub struct Map {
    /// Input and output.
    pub flow: Flow,
    /// `Retry` and `Catch`.
    pub handlers: Handlers,
    /// `ItemsPath`.
    pub items_path: Option<Path>,
    /// `ItemSelector`, or `Parameters` as it was called.
    pub selector: Option<Template>,
    /// `ItemProcessor`, or `Iterator` as it was called.
    pub processor: Scope,
    /// `MaxConcurrency` or `MaxConcurrencyPath`.
    pub max_concurrency: Option<Amount>,
    /// `ToleratedFailureCount` or `ToleratedFailureCountPath`.
    pub tolerated_count: Option<Amount>,
    /// `ToleratedFailurePercentage` or `ToleratedFailurePercentagePath`.
    pub tolerated_percentage: Option<Amount>,
    /// The way on.
    pub next: Transition,
}
