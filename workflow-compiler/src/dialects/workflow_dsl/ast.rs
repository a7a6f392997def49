//! AST of the Workflow DSL. Every node has a span. Names are resolved: a [`Reference`] has the
//! index of its definition.

pub use crate::dialects::names::{Name, Reference};
pub use crate::dialects::timespan::Timespan;
use crate::model::operation::SecretHeader;
use crate::source::{Span, Spanned};
use crate::syntax::{Node, Text};

/// Workflow.
#[derive(Debug, Clone)]
pub struct Definition {
    /// `id`, by which other workflows call it.
    pub id: Option<Spanned<String>>,
    /// `description`.
    pub description: Option<String>,
    /// `version`.
    pub version: Option<Spanned<String>>,
    /// `isChild`: `true` if other workflows may call it.
    pub is_child: bool,
    /// `workflowDataFilter`.
    pub filter: DataFilter,
    /// `activities`, in source order.
    pub activities: Vec<Activity>,
    /// `messages`.
    pub messages: Vec<Message>,
    /// Index of the first activity: `firstActivity` or `start`, or else the first one of the list.
    pub first: usize,
    /// Span of the node.
    pub span: Span,
}

/// Input and output filter of the workflow, an activity or a message.
#[derive(Debug, Clone, Default)]
pub struct DataFilter {
    /// `input`.
    pub input: Filter,
    /// `output`.
    pub output: Filter,
}

/// Filter of data.
#[derive(Debug, Clone, Default)]
pub enum Filter {
    /// Identity: a blank filter.
    #[default]
    All,
    /// `{a: .b, .c}`: an object of members of the data, and of the whole data
    /// ([W1](docs/workflow-dsl.md#w1)).
    Map(Vec<MappedMember>, Span),
    /// `{a, b}`: union of members of the data.
    Merge(Vec<Spanned<String>>, Span),
    /// Filter in jq.
    Jq(Expression),
}

/// Member of the object that a filter builds.
#[derive(Debug, Clone)]
pub struct MappedMember {
    /// Member of the data that is read, or `None` for the whole data.
    pub source: Option<Spanned<String>>,
    /// Member that is written.
    pub target: Spanned<String>,
}

/// Expression in jq.
#[derive(Debug, Clone)]
pub struct Expression {
    /// Source between `${` and `}`.
    pub text: Text,
    /// Span of the source.
    pub span: Span,
}

/// Value that may contain expressions.
#[derive(Debug, Clone)]
pub enum Templated {
    /// Constant.
    Constant(Node),
    /// `"${ … }"`.
    Expression(Expression),
    /// String that contains expressions.
    Text(Vec<StringPiece>),
    /// Array.
    Array(Vec<Templated>),
    /// Object.
    Object(Vec<(String, Templated)>),
}

/// Piece of a string.
#[derive(Debug, Clone)]
pub enum StringPiece {
    /// Literal text.
    Text(String),
    /// Value of an expression.
    Expression(Expression),
}

/// Activity.
#[derive(Debug, Clone)]
pub struct Activity {
    /// `name`.
    pub name: Name,
    /// `type`, with the members of the type.
    pub kind: ActivityKind,
    /// `sleep`.
    pub sleep: Sleep,
    /// `timeout`.
    pub timeout: Timeout,
    /// `retry`.
    pub retry: Option<Retry>,
    /// `activityDataFilter`.
    pub filter: DataFilter,
    /// `transition` or `end`, or else the next activity of the list.
    pub next: Transition,
    /// Span of the node.
    pub span: Span,
}

/// Target of an activity or a condition.
#[derive(Debug, Clone)]
pub enum Transition {
    /// `transition`.
    To(Reference),
    /// `end`.
    End,
}

/// Types of activities, with their members.
#[derive(Debug, Clone)]
pub enum ActivityKind {
    /// `message`.
    Message {
        /// `onMessages`.
        entries: Vec<OnMessages>,
        /// `exclusive` ([W6](docs/workflow-dsl.md#w6)).
        exclusive: bool,
    },
    /// `operation`.
    Operation {
        /// `actions`.
        actions: Vec<Action>,
    },
    /// `switch`.
    Switch {
        /// `dataConditions`.
        conditions: Vec<SwitchCondition>,
        /// `defaultCondition`.
        default: Option<Transition>,
    },
    /// `inject`.
    Inject {
        /// `data`.
        data: Node,
    },
    /// `subFlow`.
    SubFlow {
        /// `workflowId`.
        workflow: Spanned<String>,
        /// `version`.
        version: Option<Spanned<String>>,
    },
}

/// Actions that run when messages have arrived.
#[derive(Debug, Clone)]
pub struct OnMessages {
    /// `messageRefs`.
    pub messages: Vec<Reference>,
    /// `actions`.
    pub actions: Vec<Action>,
    /// Span of the node.
    pub span: Span,
}

/// Condition of a switch.
#[derive(Debug, Clone)]
pub struct SwitchCondition {
    /// `condition`.
    pub condition: Expression,
    /// `transition` or `end`.
    pub next: Transition,
    /// Span of the node.
    pub span: Span,
}

/// Action.
#[derive(Debug, Clone)]
pub struct Action {
    /// `name`.
    pub name: Option<Spanned<String>>,
    /// `type`, with the members of the type.
    pub kind: ActionKind,
    /// `sleep`.
    pub sleep: Sleep,
    /// Span of the node.
    pub span: Span,
}

/// Types of actions, with their members.
#[derive(Debug, Clone)]
pub enum ActionKind {
    /// `rest`.
    Rest(RestCall),
    /// `sleep`.
    Sleep,
    /// `produceMessage`.
    Produce {
        /// `messageRef`.
        messages: Vec<Reference>,
        /// `data`.
        data: Option<Templated>,
    },
}

/// Name of the object that holds the secrets of the program, in headers.
pub const SECRETS: &str = "$SECRETS";

/// HTTP call.
#[derive(Debug, Clone)]
pub struct RestCall {
    /// `operation`: the URL.
    pub url: Vec<StringPiece>,
    /// Span of the URL.
    pub url_span: Span,
    /// URL as written.
    pub written: String,
    /// `method`, in upper case.
    pub method: String,
    /// `query-parameters`, and `arguments` if the method has no body.
    pub query: Vec<(String, Templated)>,
    /// `header` without secrets.
    pub headers: Vec<(String, Templated)>,
    /// Headers whose values only the program knows.
    pub secrets: Vec<SecretHeader>,
    /// `arguments`, if the method has a body.
    pub body: Option<Templated>,
}

/// Waits around an activity or an action.
#[derive(Debug, Clone, Default)]
pub struct Sleep {
    /// `before`.
    pub before: Option<Timespan>,
    /// `after`.
    pub after: Option<Timespan>,
}

/// Time limits of an activity, in seconds.
#[derive(Debug, Clone, Default)]
pub struct Timeout {
    /// `scheduleToClose`: limit of all attempts together.
    pub schedule_to_close: Option<Spanned<f64>>,
    /// `scheduleToStart`: limit until the first action begins.
    pub schedule_to_start: Option<Spanned<f64>>,
    /// `startToClose`: limit of one attempt.
    pub start_to_close: Option<Spanned<f64>>,
}

/// Retry policy of an activity ([W5](docs/workflow-dsl.md#w5)).
#[derive(Debug, Clone)]
pub struct Retry {
    /// `maxAttempts`: number of retries after the first failure.
    pub retries: u32,
    /// `initialInterval`, in seconds.
    pub interval: f64,
    /// `backoffCoefficient`.
    pub coefficient: f64,
    /// `maximumInterval`, in seconds.
    pub most: f64,
    /// Span of the node.
    pub span: Span,
}

/// Message that a workflow consumes or produces.
#[derive(Debug, Clone)]
pub struct Message {
    /// `name`.
    pub name: Name,
    /// `messageType`.
    pub kind: MessageKind,
    /// `kind`.
    pub direction: MessageDirection,
    /// `type`.
    pub event_type: Option<Spanned<String>>,
    /// `source`.
    pub source: Option<Spanned<String>>,
    /// `messageDataFilter`.
    pub filter: DataFilter,
    /// Span of the node.
    pub span: Span,
}

/// Routing of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageKind {
    /// `event`: matched by type and source.
    Event,
    /// `signal`: addressed to one execution and matched by name.
    Signal,
}

/// Direction of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageDirection {
    /// `consumed`.
    Consumed,
    /// `produced`.
    Produced,
}

impl Templated {
    /// Returns `true` if the value contains no expression.
    pub fn is_constant(&self) -> bool {
        matches!(self, Templated::Constant(_))
    }

    /// Calls `visit` with every expression of the value.
    pub fn expressions<'t>(&'t self, visit: &mut dyn FnMut(&'t Expression)) {
        match self {
            Templated::Constant(_) => {}
            Templated::Expression(expression) => visit(expression),
            Templated::Text(pieces) => pieces.iter().for_each(|piece| piece.expressions(visit)),
            Templated::Array(items) => items.iter().for_each(|item| item.expressions(visit)),
            Templated::Object(members) => members.iter().for_each(|(_, value)| value.expressions(visit)),
        }
    }
}

impl StringPiece {
    /// Calls `visit` with the expression of the piece, if it is one.
    pub fn expressions<'t>(&'t self, visit: &mut dyn FnMut(&'t Expression)) {
        if let StringPiece::Expression(expression) = self {
            visit(expression);
        }
    }
}
