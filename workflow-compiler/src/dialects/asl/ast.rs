//! AST of the Amazon States Language. Every node has a span.

use super::functions::ChoiceComparison;
use crate::model::{ErrorMatch, ReaderKind, Retrier};
use crate::source::{Span, Spanned};
use crate::syntax::{Node, Text};
use std::sync::Arc;

pub use super::expressions::{Path, PathOrIntrinsic, PayloadTemplate};
use crate::expr::jsonata::CheckedJsonata;

/// Query language of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum QueryLanguage {
    /// JSONPath, with intrinsic functions.
    #[default]
    JsonPath,
    /// JSONata.
    Jsonata,
}

/// State machine.
#[derive(Debug)]
pub struct StateMachine {
    /// `Comment`.
    pub comment: Option<String>,
    /// `TimeoutSeconds`.
    pub timeout: Option<Spanned<u64>>,
    /// `StartAt` and `States`.
    pub scope: Scope,
}

/// `StartAt` and `States` of the machine, of a branch, or of an item processor.
#[derive(Debug)]
pub struct Scope {
    /// `StartAt`.
    pub start: Spanned<Arc<str>>,
    /// `States`, in source order.
    pub states: Vec<State>,
    /// Object that holds both fields.
    pub span: Span,
}

/// State.
#[derive(Debug)]
pub struct State {
    /// Name of the state.
    pub name: Spanned<Arc<str>>,
    /// `Comment`.
    pub comment: Option<String>,
    /// Span of the key and the value.
    pub span: Span,
    /// Fields of the state's type.
    pub kind: StateKind,
}

/// Types of states, with their fields.
#[derive(Debug)]
pub enum StateKind {
    /// `Pass`.
    Pass(Pass),
    /// `Task`.
    Task(Box<Task>),
    /// `Choice`.
    Choice(Choice),
    /// `Wait`.
    Wait(Wait),
    /// `Succeed`.
    Succeed(DataFlow),
    /// `Fail`.
    Fail(Fail),
    /// `Parallel`.
    Parallel(Box<Parallel>),
    /// `Map`.
    Map(Box<Map>),
}

/// Fields of input and output processing. Fields that a type of state does not have are absent.
#[derive(Debug, Default)]
pub struct DataFlow {
    /// Query language of the fields.
    pub language: QueryLanguage,
    /// `InputPath`.
    pub input_path: Option<Selection>,
    /// `Parameters` (of a Map: [`Map::selector`]), or `Arguments`.
    pub parameters: Option<PayloadTemplate>,
    /// `ResultSelector`.
    pub result_selector: Option<PayloadTemplate>,
    /// `ResultPath`.
    pub result_path: ResultPath,
    /// `OutputPath`.
    pub output_path: Option<Selection>,
    /// `Output`.
    pub output: Option<PayloadTemplate>,
    /// `Assign`.
    pub assign: Option<Assign>,
}

/// Value of `InputPath` or `OutputPath`.
#[derive(Debug)]
pub enum Selection {
    /// `null`, which selects an empty object.
    Nothing(Span),
    /// Path, which selects its value.
    Path(Path),
}

/// Destination of a result.
#[derive(Debug, Default)]
pub enum ResultPath {
    /// Replacement of the input: `$`, or no field.
    #[default]
    Replace,
    /// No destination: `null`.
    Discard,
    /// Location in the input.
    Put(Path),
}

/// `Assign`.
#[derive(Debug)]
pub struct Assign {
    /// Names assigned, without `.$`, in the order of the template's members.
    pub names: Vec<Spanned<String>>,
    /// Values, as a template whose members are the variables.
    pub values: PayloadTemplate,
    /// Span of the field.
    pub span: Span,
}

/// `Next` or `End`.
#[derive(Debug)]
pub enum Transition {
    /// Transition to a state.
    Next(Spanned<Arc<str>>),
    /// End of the scope.
    End,
}

/// Pass state.
#[derive(Debug)]
pub struct Pass {
    /// Input and output processing.
    pub flow: DataFlow,
    /// `Result`.
    pub result: Option<Node>,
    /// `Next` or `End`.
    pub next: Transition,
}

/// Task state.
#[derive(Debug)]
pub struct Task {
    /// Input and output processing.
    pub flow: DataFlow,
    /// `Retry` and `Catch`.
    pub handlers: Handlers,
    /// `Resource`.
    pub resource: Resource,
    /// `TimeoutSeconds` or `TimeoutSecondsPath`.
    pub timeout: Option<Amount>,
    /// `HeartbeatSeconds` or `HeartbeatSecondsPath`.
    pub heartbeat: Option<Amount>,
    /// `Credentials`.
    pub credentials: Option<PayloadTemplate>,
    /// `Next` or `End`.
    pub next: Transition,
}

/// Resource that a task invokes.
#[derive(Debug)]
pub struct Resource {
    /// `Resource` as written.
    pub text: String,
    /// Task key ([A9](docs/amazon-states-language.md#a9)).
    pub key: String,
    /// Way in which the result arrives.
    pub pattern: IntegrationPattern,
    /// Span of the value.
    pub span: Span,
}

/// Service integration pattern: the way in which the result of a resource arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntegrationPattern {
    /// Result in the response.
    RequestResponse,
    /// Result at the end of a job: `.sync`, `.sync:2`.
    RunJob,
    /// Result by task token: `.waitForTaskToken`.
    Callback,
    /// Result from an activity worker.
    Activity,
}

/// `Retry` and `Catch`.
#[derive(Debug, Default)]
pub struct Handlers {
    /// `Retry`.
    pub retriers: Vec<Retrier>,
    /// `Catch`.
    pub catchers: Vec<Catcher>,
    /// Span of the fields.
    pub span: Option<Span>,
}

/// Catcher.
#[derive(Debug)]
pub struct Catcher {
    /// `ErrorEquals`.
    pub errors: Vec<ErrorMatch>,
    /// Query language of the fields.
    pub language: QueryLanguage,
    /// `ResultPath`.
    pub result_path: ResultPath,
    /// `Output`.
    pub output: Option<PayloadTemplate>,
    /// `Assign`.
    pub assign: Option<Assign>,
    /// `Next`.
    pub next: Spanned<Arc<str>>,
    /// Span of the catcher.
    pub span: Span,
}

/// Number that is a literal, or that a path or a run-time setting yields.
#[derive(Debug)]
pub enum Amount {
    /// Literal.
    Fixed(Spanned<f64>),
    /// Value of a path: a `…Path` field.
    Path(Path),
    /// Value of an unbound placeholder ([A10](docs/amazon-states-language.md#a10)).
    Setting(Text),
    /// Value of an expression in JSONata.
    Expression(Box<CheckedJsonata>),
}

/// Choice state.
#[derive(Debug)]
pub struct Choice {
    /// Input and output processing, with the `Assign` that goes with `Default`.
    pub flow: DataFlow,
    /// `Choices`.
    pub rules: Vec<Rule>,
    /// `Default`.
    pub default: Option<Spanned<Arc<str>>>,
}

/// Choice rule at the top level.
#[derive(Debug)]
pub struct Rule {
    /// Condition under which the rule is chosen.
    pub condition: Condition,
    /// `Output`.
    pub output: Option<PayloadTemplate>,
    /// `Assign`.
    pub assign: Option<Assign>,
    /// `Next`.
    pub next: Spanned<Arc<str>>,
    /// Span of the rule.
    pub span: Span,
}

/// Condition of a Choice rule.
#[derive(Debug)]
pub enum Condition {
    /// `And`.
    And(Vec<Condition>),
    /// `Or`.
    Or(Vec<Condition>),
    /// `Not`.
    Not(Box<Condition>),
    /// Data-test expression: a variable and an operator.
    Test(Path, Test),
    /// Literal boolean of a field `Condition`.
    Constant(bool),
    /// Expression of a field `Condition`.
    Expression(Box<CheckedJsonata>),
}

/// Operator of a data-test expression with its operand.
#[derive(Debug)]
pub enum Test {
    /// Comparison operator.
    Compare(Family, ChoiceComparison, Operand),
    /// `StringMatches`.
    Matches(Text),
    /// `Is…` operator, with `true` if the test has to hold.
    Is(IsTest, bool),
}

/// Type of values that a comparison operator is for.
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

/// Second operand of a comparison.
#[derive(Debug)]
pub enum Operand {
    /// Constant of the family's type. A string may have placeholders.
    Literal(Node),
    /// Value of a path: the `…Path` twin of an operator.
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

/// Wait state.
#[derive(Debug)]
pub struct Wait {
    /// Input and output processing.
    pub flow: DataFlow,
    /// End of the wait.
    pub until: Until,
    /// `Next` or `End`.
    pub next: Transition,
}

/// End of a wait.
#[derive(Debug)]
pub enum Until {
    /// `Seconds`, `SecondsPath`.
    Seconds(Amount),
    /// `Timestamp`, which may be a placeholder.
    Timestamp(Text),
    /// `TimestampPath`.
    TimestampPath(Path),
    /// `Timestamp` in JSONata.
    TimestampExpression(Box<CheckedJsonata>),
}

/// Fail state.
#[derive(Debug)]
pub struct Fail {
    /// Query language of the fields.
    pub language: QueryLanguage,
    /// `Error` or `ErrorPath`.
    pub error: Option<FailText>,
    /// `Cause` or `CausePath`.
    pub cause: Option<FailText>,
}

/// String of a Fail state.
#[derive(Debug)]
pub enum FailText {
    /// Literal.
    Text(Text),
    /// Computed value.
    Path(PathOrIntrinsic),
    /// Value of an expression in JSONata.
    Expression(Box<CheckedJsonata>),
}

/// Parallel state.
#[derive(Debug)]
pub struct Parallel {
    /// Input and output processing.
    pub flow: DataFlow,
    /// `Retry` and `Catch`.
    pub handlers: Handlers,
    /// `Branches`.
    pub branches: Vec<Scope>,
    /// `Next` or `End`.
    pub next: Transition,
}

/// Map state.
#[derive(Debug)]
pub struct Map {
    /// Input and output processing.
    pub flow: DataFlow,
    /// `Retry` and `Catch`.
    pub handlers: Handlers,
    /// `ItemsPath`.
    pub items_path: Option<Path>,
    /// `Items`.
    pub items: Option<PayloadTemplate>,
    /// `ItemSelector`, or `Parameters` under its old name.
    pub selector: Option<PayloadTemplate>,
    /// `ItemProcessor`, or `Iterator` under its old name.
    pub processor: Scope,
    /// Fields of a distributed Map. `None` for an inline one.
    pub distributed: Option<Distributed>,
    /// `MaxConcurrency` or `MaxConcurrencyPath`.
    pub max_concurrency: Option<Amount>,
    /// `ToleratedFailureCount` or `ToleratedFailureCountPath`.
    pub tolerated_count: Option<Amount>,
    /// `ToleratedFailurePercentage` or `ToleratedFailurePercentagePath`.
    pub tolerated_percentage: Option<Amount>,
    /// `Next` or `End`.
    pub next: Transition,
}

/// Fields of a distributed Map state.
#[derive(Debug)]
pub struct Distributed {
    /// `Label`.
    pub label: Option<Spanned<String>>,
    /// `ItemReader`.
    pub reader: Option<ItemReader>,
    /// `ItemBatcher`.
    pub batcher: Option<ItemBatcher>,
    /// `ResultWriter`.
    pub writer: Option<ResultWriter>,
}

/// `ItemReader`.
#[derive(Debug)]
pub struct ItemReader {
    /// `Resource`.
    pub kind: ReaderKind,
    /// `Parameters`, or `Arguments`.
    pub arguments: PayloadTemplate,
    /// `ReaderConfig`.
    pub config: Option<ReaderConfig>,
}

/// `ReaderConfig`.
#[derive(Debug)]
pub struct ReaderConfig {
    /// Fields with constant values, in source order.
    pub constants: Vec<(String, Node)>,
    /// `MaxItems` or `MaxItemsPath`.
    pub max_items: Option<Amount>,
}

/// `ItemBatcher`.
#[derive(Debug)]
pub struct ItemBatcher {
    /// `BatchInput`.
    pub input: Option<PayloadTemplate>,
    /// `MaxItemsPerBatch` or `MaxItemsPerBatchPath`.
    pub max_items: Option<Amount>,
    /// `MaxInputBytesPerBatch` or `MaxInputBytesPerBatchPath`.
    pub max_bytes: Option<Amount>,
}

/// `ResultWriter`.
#[derive(Debug)]
pub struct ResultWriter {
    /// `Parameters`, or `Arguments`. `None` without `Resource`: the results are not written.
    pub arguments: Option<PayloadTemplate>,
    /// `WriterConfig`.
    pub config: Option<Node>,
}

impl Scope {
    /// Returns the authored labels of the distributed Maps in the scope and in its inner scopes.
    pub fn labels(&self) -> Vec<&Spanned<String>> {
        let mut found = Vec::new();
        let mut open = vec![self];
        while let Some(scope) = open.pop() {
            for state in &scope.states {
                match &state.kind {
                    StateKind::Parallel(parallel) => open.extend(&parallel.branches),
                    StateKind::Map(map) => {
                        open.push(&map.processor);
                        found.extend(map.distributed.as_ref().and_then(|distributed| distributed.label.as_ref()));
                    }
                    _ => {}
                }
            }
        }
        found.sort_by_key(|label| label.span.start);
        found
    }
}
