//! A workflow of Serverless Workflow (draft of June 2020), as it is read: names are resolved, paths and expressions are texts.

pub use crate::dialects::names::{Name, Reference};
pub use crate::dialects::timespan::Timespan;

use super::schedule::Schedule;
use crate::source::{Span, Spanned};
use crate::syntax::{Node, Text};

/// A workflow ("Workflow Definition").
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

/// An event that is waited for or produced ("Event Definition").
#[derive(Debug)]
pub struct EventDefinition {
    pub name: Name,
    pub source: Option<Spanned<String>>,
    pub kind: Spanned<String>,
    /// The attribute of the context whose value tells whose event it is.
    pub correlation: Option<Spanned<String>>,
    pub span: Span,
}

/// A function that actions call ("Function Definition").
#[derive(Debug)]
pub struct FunctionDefinition {
    pub name: Name,
    pub resource: Option<Text>,
    pub kind: Option<Spanned<String>>,
    /// What the metadata say of the method of a request.
    pub method: Option<Spanned<String>>,
}

/// States that lead to each other: those of the workflow, of a branch, or of the body of a foreach state.
#[derive(Debug)]
pub struct Flow {
    pub states: Vec<State>,
    /// The number of the first state.
    pub start: usize,
    /// When the first state is active, if not always.
    pub schedule: Option<Spanned<Schedule>>,
    pub span: Span,
}

/// A state ("State Definition").
#[derive(Debug)]
pub struct State {
    pub name: Name,
    pub kind: StateKind,
    pub filter: DataFilter,
    pub input_schema: Option<Text>,
    pub output_schema: Option<Text>,
    pub retries: Vec<Retry>,
    pub handlers: Vec<ErrorHandler>,
    /// Where it leads; a switch says that itself.
    pub exit: Option<Exit>,
    pub span: Span,
}

/// What a state does.
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
    /// As a definition says it.
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

/// The paths of a filter of state data.
#[derive(Debug, Default)]
pub struct DataFilter {
    pub input: Option<Text>,
    pub output: Option<Text>,
}

/// Events, and what is done about them ("Event State: Event Actions").
#[derive(Debug)]
pub struct EventActions {
    pub events: Vec<Reference>,
    pub actions: Actions,
    /// What of the event's data is merged.
    pub filter: Option<Text>,
    pub span: Span,
}

/// Actions, and whether they run beside each other.
#[derive(Debug)]
pub struct Actions {
    pub parallel: bool,
    pub list: Vec<Action>,
}

/// The call of a function ("Action Definition").
#[derive(Debug)]
pub struct Action {
    pub function: Reference,
    pub parameters: Option<Template>,
    pub timeout: Option<Timespan>,
    pub input: Option<Text>,
    pub results: Option<Text>,
    pub span: Span,
}

/// A value in which texts may be paths (ruling R25).
#[derive(Debug)]
pub enum Template {
    Constant(Node),
    Path(Text),
    Array(Vec<Template>),
    Object(Vec<(Text, Template)>),
}

/// A condition of a switch on data ("Switch State: Data Conditions").
#[derive(Debug)]
pub struct DataCondition {
    pub path: Text,
    pub operator: Operator,
    pub value: Spanned<String>,
    pub transition: Transition,
    pub span: Span,
}

/// How the data that a path selects are compared with a value (ruling R4).
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
    /// A task of this name decides.
    Custom(Spanned<String>),
}

/// A condition of a switch on events ("Switch State: Event Conditions").
#[derive(Debug)]
pub struct EventCondition {
    pub event: Reference,
    pub filter: Option<Text>,
    pub transition: Transition,
    pub span: Span,
}

/// A branch of a parallel state.
#[derive(Debug)]
pub struct Branch {
    pub name: Name,
    pub flow: Flow,
}

/// A foreach state ("ForEach State").
#[derive(Debug)]
pub struct ForEach {
    pub input: Text,
    pub parameter: Text,
    pub output: Option<Text>,
    /// How many iterations may run at the same time; 0 for any number.
    pub max: u32,
    pub delay: Option<Timespan>,
    pub flow: Flow,
}

/// When and how often a state is tried again ("Retry Definition").
#[derive(Debug)]
pub struct Retry {
    pub expression: Expression,
    /// How often at the most.
    pub attempts: u32,
    /// Seconds before the first further attempt.
    pub interval: f64,
    /// So many seconds more before each one after it.
    pub increment: f64,
    pub span: Span,
}

/// What is done about an error ("Error Definition").
#[derive(Debug)]
pub struct ErrorHandler {
    pub expression: Expression,
    /// What of the error is merged.
    pub filter: Option<Text>,
    /// Where it leads; without one, where the state leads.
    pub transition: Option<Transition>,
    pub span: Span,
}

/// An expression ("Expression Definition").
#[derive(Debug)]
pub struct Expression {
    pub language: Language,
    pub body: Text,
}

/// The languages of expressions (ruling R7).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    SpEl,
    JsonPath,
    Jq,
    Cel,
}

/// Where a state leads.
#[derive(Debug)]
pub enum Exit {
    Transition(Transition),
    End(End),
}

/// A way to another state ("Transition Definition").
#[derive(Debug)]
pub struct Transition {
    pub target: Reference,
    /// What must hold.
    pub guard: Option<Expression>,
    pub event: Option<ProducedEvent>,
}

/// How a flow ends ("End Definition").
#[derive(Debug)]
pub enum End {
    Default,
    Terminate,
    Event(ProducedEvent),
}

/// An event that is produced ("ProduceEvent Definition").
#[derive(Debug)]
pub struct ProducedEvent {
    pub event: Reference,
    pub data: Option<Template>,
    pub span: Span,
}

impl State {
    /// Whether it says what becomes of its errors.
    pub fn handles_errors(&self) -> bool {
        !self.retries.is_empty() || !self.handlers.is_empty()
    }

    /// The transitions, in the order in which they are written.
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
