//! A workflow of the Workflow DSL as written. Every part has its place, and names are resolved: a [`Reference`] knows what it
//! names.

pub use crate::dialects::names::{Name, Reference};
pub use crate::dialects::timespan::Timespan;
use crate::hir::operation::SecretHeader;
use crate::source::{Span, Spanned};
use crate::syntax::{Node, Text};

/// A workflow.
#[derive(Debug, Clone)]
pub struct Definition {
    /// `id`, by which others call it.
    pub id: Option<Spanned<String>>,
    /// `description`.
    pub description: Option<String>,
    /// `version`.
    pub version: Option<Spanned<String>>,
    /// `isChild`: whether others may call it.
    pub is_child: bool,
    /// `workflowDataFilter`.
    pub filter: DataFilter,
    /// `activities`, in source order.
    pub activities: Vec<Activity>,
    /// `messages`.
    pub messages: Vec<Message>,
    /// Which of the activities is the first: `firstActivity`, or `start`; else that of the list.
    pub first: usize,
    /// The place of the whole.
    pub span: Span,
}

/// What goes in and what comes out, of the whole or of an activity.
#[derive(Debug, Clone, Default)]
pub struct DataFilter {
    /// `input`.
    pub input: Filter,
    /// `output`.
    pub output: Filter,
}

/// A filter of data.
#[derive(Debug, Clone, Default)]
pub enum Filter {
    /// Everything: a blank filter.
    #[default]
    All,
    /// `{a: .b, .c}`: an object of members of the data, and of all of them (ruling W1).
    Map(Vec<Mapped>, Span),
    /// `{a, b}`: members of the data, merged.
    Merge(Vec<Spanned<String>>, Span),
    /// jq.
    Jq(Expression),
}

/// A member of what a filter makes.
#[derive(Debug, Clone)]
pub struct Mapped {
    /// The member of the data that is read; all of them, where it is none.
    pub source: Option<Spanned<String>>,
    /// The member that is written.
    pub target: Spanned<String>,
}

/// An expression in jq.
#[derive(Debug, Clone)]
pub struct Expression {
    /// What stands between `${` and `}`.
    pub text: Text,
    /// The place of it.
    pub span: Span,
}

/// A value that expressions may be in.
#[derive(Debug, Clone)]
pub enum Templated {
    /// A constant.
    Constant(Node),
    /// `"${ … }"`.
    Expression(Expression),
    /// A text with expressions in it.
    Text(Vec<Piece>),
    /// An array.
    Array(Vec<Templated>),
    /// An object.
    Object(Vec<(String, Templated)>),
}

/// A piece of a text.
#[derive(Debug, Clone)]
pub enum Piece {
    /// As it is.
    Text(String),
    /// What an expression yields.
    Expression(Expression),
}

/// An activity.
#[derive(Debug, Clone)]
pub struct Activity {
    /// `name`.
    pub name: Name,
    /// `type`, and what belongs to it.
    pub kind: ActivityKind,
    /// `sleep`.
    pub sleep: Sleep,
    /// `timeout`.
    pub timeout: Timeout,
    /// `retry`.
    pub retry: Option<Retry>,
    /// `activityDataFilter`.
    pub filter: DataFilter,
    /// Where it leads.
    pub next: Way,
    /// The place of the whole.
    pub span: Span,
}

/// Where an activity or a condition leads.
#[derive(Debug, Clone)]
pub enum Way {
    /// `transition`.
    To(Reference),
    /// `end`.
    End,
}

/// What an activity is.
#[derive(Debug, Clone)]
pub enum ActivityKind {
    /// `message`.
    Message {
        /// `onMessages`.
        entries: Vec<OnMessages>,
        /// `exclusive` (ruling W6).
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
        conditions: Vec<Condition>,
        /// `defaultCondition`.
        default: Option<Way>,
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

/// What is done when messages have arrived.
#[derive(Debug, Clone)]
pub struct OnMessages {
    /// `messageRefs`.
    pub messages: Vec<Reference>,
    /// `actions`.
    pub actions: Vec<Action>,
    /// The place of the whole.
    pub span: Span,
}

/// A condition of a switch.
#[derive(Debug, Clone)]
pub struct Condition {
    /// `condition`.
    pub condition: Expression,
    /// Where it leads.
    pub next: Way,
    /// The place of the whole.
    pub span: Span,
}

/// An action.
#[derive(Debug, Clone)]
pub struct Action {
    /// `name`.
    pub name: Option<Spanned<String>>,
    /// `type`, and what belongs to it.
    pub kind: ActionKind,
    /// `sleep`.
    pub sleep: Sleep,
    /// The place of the whole.
    pub span: Span,
}

/// What an action is.
#[derive(Debug, Clone)]
pub enum ActionKind {
    /// `rest`.
    Rest(Rest),
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

/// What secrets of the program are members of, in headers.
pub const SECRETS: &str = "$SECRETS";

/// A call over HTTP.
#[derive(Debug, Clone)]
pub struct Rest {
    /// `operation`: the address.
    pub url: Vec<Piece>,
    /// The place of the address.
    pub url_span: Span,
    /// The address as it is written.
    pub written: String,
    /// `method`, in capitals.
    pub method: String,
    /// `query-parameters`, and `arguments` where the method has no body.
    pub query: Vec<(String, Templated)>,
    /// `header`, but for secrets.
    pub headers: Vec<(String, Templated)>,
    /// Headers whose values only the program knows.
    pub secrets: Vec<SecretHeader>,
    /// `arguments`, where the method has a body.
    pub body: Option<Templated>,
}

/// Times to wait around something.
#[derive(Debug, Clone, Default)]
pub struct Sleep {
    /// `before`.
    pub before: Option<Timespan>,
    /// `after`.
    pub after: Option<Timespan>,
}

/// How long an activity may take, in seconds.
#[derive(Debug, Clone, Default)]
pub struct Timeout {
    /// `scheduleToClose`: with all tries.
    pub schedule_to_close: Option<Spanned<f64>>,
    /// `scheduleToStart`: until its first action begins.
    pub schedule_to_start: Option<Spanned<f64>>,
    /// `startToClose`: one try.
    pub start_to_close: Option<Spanned<f64>>,
}

/// How often and when an activity is tried again (ruling W5).
#[derive(Debug, Clone)]
pub struct Retry {
    /// `maxAttempts`: retries after the first failure.
    pub retries: u32,
    /// `initialInterval`, in seconds.
    pub interval: f64,
    /// `backoffCoefficient`.
    pub coefficient: f64,
    /// `maximumInterval`, in seconds.
    pub most: f64,
    /// The place of the whole.
    pub span: Span,
}

/// A message that a workflow consumes or produces.
#[derive(Debug, Clone)]
pub struct Message {
    /// `name`.
    pub name: Name,
    /// `messageType`.
    pub kind: MessageKind,
    /// `kind`.
    pub direction: Direction,
    /// `type`.
    pub event_type: Option<Spanned<String>>,
    /// `source`.
    pub source: Option<Spanned<String>>,
    /// `messageDataFilter`.
    pub filter: DataFilter,
    /// The place of the whole.
    pub span: Span,
}

/// How messages find their way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageKind {
    /// `event`: by what they are.
    Event,
    /// `signal`: by their name, to one execution.
    Signal,
}

/// Whether messages come or go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// `consumed`.
    Consumed,
    /// `produced`.
    Produced,
}

impl Templated {
    /// Whether there is no expression in it.
    pub fn is_constant(&self) -> bool {
        matches!(self, Templated::Constant(_))
    }

    /// Calls `visit` with every expression in it.
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

impl Piece {
    /// Calls `visit` with the expression that it is.
    pub fn expressions<'t>(&'t self, visit: &mut dyn FnMut(&'t Expression)) {
        if let Piece::Expression(expression) = self {
            visit(expression);
        }
    }
}
