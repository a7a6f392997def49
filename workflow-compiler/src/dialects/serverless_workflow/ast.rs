//! AST of Serverless Workflow, draft of June 2020. Names are resolved. Paths and expressions are
//! texts, which lowering compiles. Headings in quotes name sections of that draft.

pub use crate::dialects::names::{Name, Reference};
pub use crate::dialects::timespan::Timespan;

use super::schedule::Schedule;
use crate::source::{Span, Spanned};
use crate::syntax::{Node, Text};

/// Workflow ("Workflow Definition").
#[derive(Debug)]
pub struct Definition {
    pub id: Option<Spanned<String>>,
    pub description: Option<String>,
    pub version: Option<Spanned<String>>,
    pub events: Vec<EventDefinition>,
    pub functions: Vec<FunctionDefinition>,
    pub input_schema: Option<Text>,
    pub output_schema: Option<Text>,
    pub flow: Flow,
    pub span: Span,
}

/// Event that a workflow awaits or produces ("Event Definition").
#[derive(Debug)]
pub struct EventDefinition {
    pub name: Name,
    pub source: Option<Spanned<String>>,
    pub kind: Spanned<String>,
    /// `correlationToken`: the context attribute that holds the correlation key.
    pub correlation: Option<Spanned<String>>,
    pub span: Span,
}

/// Function that actions call ("Function Definition").
#[derive(Debug)]
pub struct FunctionDefinition {
    pub name: Name,
    pub resource: Option<Text>,
    pub kind: Option<Spanned<String>>,
    /// `method` in the metadata: the HTTP method of the request.
    pub method: Option<Spanned<String>>,
}

/// States of the workflow, of a branch, or of the body of a foreach state.
#[derive(Debug)]
pub struct Flow {
    pub states: Vec<State>,
    /// Index of the start state.
    pub start: usize,
    /// Time interval in which the start state is active. Absent means always.
    pub schedule: Option<Spanned<Schedule>>,
    pub span: Span,
}

/// State ("State Definition").
#[derive(Debug)]
pub struct State {
    pub name: Name,
    pub kind: StateKind,
    pub filter: DataFilter,
    pub input_schema: Option<Text>,
    pub output_schema: Option<Text>,
    pub retries: Vec<Retry>,
    pub handlers: Vec<ErrorHandler>,
    /// `transition` or `end`. A switch has its targets in its conditions instead.
    pub exit: Option<Exit>,
    pub span: Span,
}

/// Types of states, with their members.
#[derive(Debug)]
pub enum StateKind {
    Event { exclusive: bool, entries: Vec<EventActions>, timeout: Option<Timespan> },
    Operation { actions: Actions },
    DataSwitch { conditions: Vec<DataCondition>, default: Option<Transition> },
    EventSwitch { conditions: Vec<EventCondition>, timeout: Option<Timespan>, default: Option<Transition> },
    Delay { time: Timespan },
    Parallel { branches: Vec<Branch>, first: u32 },
    SubFlow { workflow: Spanned<String>, waits: bool },
    Inject { data: Option<Node> },
    ForEach(Box<ForEach>),
    Callback { action: Box<Action>, event: Reference, timeout: Option<Timespan>, filter: Option<Text> },
}

impl StateKind {
    /// Returns the type as a definition writes it.
    pub fn word(&self) -> &'static str {
        match self {
            StateKind::Event { .. } => "event",
            StateKind::Operation { .. } => "operation",
            StateKind::DataSwitch { .. } | StateKind::EventSwitch { .. } => "switch",
            StateKind::Delay { .. } => "delay",
            StateKind::Parallel { .. } => "parallel",
            StateKind::SubFlow { .. } => "subflow",
            StateKind::Inject { .. } => "inject",
            StateKind::ForEach(_) => "foreach",
            StateKind::Callback { .. } => "callback",
        }
    }
}

/// Paths of a filter of state data.
#[derive(Debug, Default)]
pub struct DataFilter {
    pub input: Option<Text>,
    pub output: Option<Text>,
}

/// Events with their actions ("Event State: Event Actions").
#[derive(Debug)]
pub struct EventActions {
    pub events: Vec<Reference>,
    pub actions: Actions,
    /// Path that selects the part of the event's data to merge.
    pub filter: Option<Text>,
    pub span: Span,
}

/// Actions, and `true` if they run concurrently.
#[derive(Debug)]
pub struct Actions {
    pub parallel: bool,
    pub list: Vec<Action>,
}

/// Call of a function ("Action Definition").
#[derive(Debug)]
pub struct Action {
    pub function: Reference,
    pub parameters: Option<Template>,
    pub timeout: Option<Timespan>,
    pub input: Option<Text>,
    pub results: Option<Text>,
    pub span: Span,
}

/// Value whose strings may be paths ([R25](docs/serverless-workflow.md#r25)).
#[derive(Debug)]
pub enum Template {
    Constant(Node),
    Path(Text),
    Array(Vec<Template>),
    Object(Vec<(Text, Template)>),
}

/// Condition of a switch on data ("Switch State: Data Conditions").
#[derive(Debug)]
pub struct DataCondition {
    pub path: Text,
    pub operator: Operator,
    pub value: Spanned<String>,
    pub transition: Transition,
    pub span: Span,
}

/// Operator that compares the selected data with a value ([R4](docs/serverless-workflow.md#r4)).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operator {
    Exists,
    NotExists,
    Null,
    NotNull,
    Equals,
    NotEquals,
    LessThan,
    LessThanOrEquals,
    GreaterThan,
    GreaterThanOrEquals,
    Matches,
    NotMatches,
    /// Decision by the task of this name.
    Custom(Spanned<String>),
}

/// Condition of a switch on events ("Switch State: Event Conditions").
#[derive(Debug)]
pub struct EventCondition {
    pub event: Reference,
    pub filter: Option<Text>,
    pub transition: Transition,
    pub span: Span,
}

/// Branch of a parallel state.
#[derive(Debug)]
pub struct Branch {
    pub name: Name,
    pub flow: Flow,
}

/// Foreach state ("ForEach State").
#[derive(Debug)]
pub struct ForEach {
    pub input: Text,
    pub parameter: Text,
    pub output: Option<Text>,
    /// Maximal number of concurrent iterations; 0 means no limit.
    pub max: u32,
    pub delay: Option<Timespan>,
    pub flow: Flow,
}

/// Retry policy of a state ("Retry Definition").
#[derive(Debug)]
pub struct Retry {
    pub expression: Expression,
    /// Maximal number of retries.
    pub attempts: u32,
    /// Seconds before the first retry.
    pub interval: f64,
    /// Seconds by which each further delay is longer.
    pub increment: f64,
    pub span: Span,
}

/// Error handler of a state ("Error Definition").
#[derive(Debug)]
pub struct ErrorHandler {
    pub expression: Expression,
    /// Path that selects the part of the error to merge.
    pub filter: Option<Text>,
    /// Target. Without it, the handler continues as the state does.
    pub transition: Option<Transition>,
    pub span: Span,
}

/// Expression ("Expression Definition").
#[derive(Debug)]
pub struct Expression {
    pub language: Language,
    pub body: Text,
}

/// Languages of expressions ([R7](docs/serverless-workflow.md#r7)).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    SpEl,
    JsonPath,
    Jq,
    Cel,
}

/// Transition or end of a state.
#[derive(Debug)]
pub enum Exit {
    Transition(Transition),
    End(End),
}

/// Transition to another state ("Transition Definition").
#[derive(Debug)]
pub struct Transition {
    pub target: Reference,
    /// Condition that must hold.
    pub guard: Option<Expression>,
    pub event: Option<ProducedEvent>,
}

/// End of a flow ("End Definition").
#[derive(Debug)]
pub enum End {
    Default,
    Terminate,
    Event(ProducedEvent),
}

/// Event that a state produces ("ProduceEvent Definition").
#[derive(Debug)]
pub struct ProducedEvent {
    pub event: Reference,
    pub data: Option<Template>,
    pub span: Span,
}

impl State {
    /// Returns `true` if the state has retries or error handlers.
    pub fn handles_errors(&self) -> bool {
        !self.retries.is_empty() || !self.handlers.is_empty()
    }

    /// Returns the transitions of the state in source order.
    pub fn transitions(&self) -> impl Iterator<Item = &Transition> {
        let own: Vec<&Transition> = match &self.kind {
            StateKind::DataSwitch { conditions, default } => {
                conditions.iter().map(|condition| &condition.transition).chain(default).collect()
            }
            StateKind::EventSwitch { conditions, default, .. } => {
                conditions.iter().map(|condition| &condition.transition).chain(default).collect()
            }
            _ => Vec::new(),
        };
        let exit = self.exit.iter().filter_map(|exit| match exit {
            Exit::Transition(transition) => Some(transition),
            Exit::End(_) => None,
        });
        own.into_iter().chain(self.handlers.iter().filter_map(|handler| handler.transition.as_ref())).chain(exit)
    }
}
