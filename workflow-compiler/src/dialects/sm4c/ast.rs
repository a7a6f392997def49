//! A state machine of SM4C as written. Every part has its place, and names are resolved: a [`Reference`] knows what it names.

use crate::source::{Span, Spanned};
use crate::syntax::{Node, Text};
use std::ops::Range;
use std::time::Duration;

pub use crate::dialects::names::{Name, Reference};
pub use crate::dialects::timespan::Timespan;

/// A state machine.
#[derive(Debug, Clone)]
pub struct StateMachine {
    /// `name`.
    pub name: Name,
    /// `version`.
    pub version: Spanned<String>,
    /// `description`.
    pub description: Option<String>,
    /// `timeout`, or `execTimeout`.
    pub timeout: Option<ExecutionTimeout>,
    /// `events`, wherever they are written.
    pub events: Vec<EventDefinition>,
    /// `functions`, wherever they are written.
    pub functions: Vec<FunctionDefinition>,
    /// `retries`, wherever they are written.
    pub retries: Vec<RetryPolicy>,
    /// `states`, in source order.
    pub states: Vec<State>,
    /// Which of the states is the first.
    pub start: usize,
    /// The place of the whole.
    pub span: Span,
}

/// How long an execution may take (ruling S15: its output is null when it took longer).
#[derive(Debug, Clone)]
pub struct ExecutionTimeout {
    /// `duration`.
    pub duration: Timespan,
    /// `action`: what is done then.
    pub action: Option<Action>,
    /// The place of the whole.
    pub span: Span,
}

/// What events of a name look like.
#[derive(Debug, Clone)]
pub struct EventDefinition {
    /// `name`.
    pub name: Name,
    /// `source`, which events must have.
    pub source: Option<Spanned<String>>,
    /// `type`, which events must have.
    pub kind: Option<Spanned<String>>,
    /// `correlation`.
    pub correlation: Vec<Correlation>,
    /// The place of the whole.
    pub span: Span,
}

/// An attribute that events must have (ruling S12).
#[derive(Debug, Clone)]
pub struct Correlation {
    /// `contextAttributeName`.
    pub name: Spanned<String>,
    /// `contextAttributeValue`; without one the attribute says nothing.
    pub value: Option<Spanned<String>>,
}

/// A function that actions call by its name.
#[derive(Debug, Clone)]
pub struct FunctionDefinition {
    /// `name`.
    pub name: Name,
    /// `type` and `operation`.
    pub operation: Operation,
    /// The place of `operation`.
    pub operation_span: Span,
    /// The place of the whole.
    pub span: Span,
}

/// What a function is.
#[derive(Debug, Clone)]
pub enum Operation {
    /// `URI#operationId`: an operation of an OpenAPI document.
    Rest {
        /// The document, as it is written.
        document: Text,
        /// The identifier of the operation.
        operation: Spanned<String>,
    },
    /// An expression.
    Expression(Expression),
    /// `FILE#package.Service/Method` (ruling S17): a method of a gRPC service.
    Rpc {
        /// A `.proto` file or a descriptor set, as it is written.
        file: Spanned<String>,
        /// The service with its package.
        service: Spanned<String>,
        /// The method.
        method: Spanned<String>,
    },
}

/// How often and when an action is tried again (ruling S9).
#[derive(Debug, Clone)]
pub struct RetryPolicy {
    /// `name`.
    pub name: Name,
    /// `maxAttempts`: executions in all.
    pub max_attempts: Spanned<u32>,
    /// `delay`, before the first retry.
    pub delay: Option<Timespan>,
    /// `maxDelay`.
    pub max_delay: Option<Timespan>,
    /// `increment`, which each further delay has more.
    pub increment: Option<Timespan>,
    /// `multiplier`, by which each further delay is longer.
    pub multiplier: Option<Spanned<f64>>,
    /// `jitter`.
    pub jitter: Option<Spanned<Jitter>>,
    /// The place of the whole.
    pub span: Span,
}

/// By how much a delay is longer or shorter at random.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Jitter {
    /// By this part of it at the most, from 0 to 1.
    Fraction(f64),
    /// By this time at the most.
    Time(Duration),
}

/// A state.
#[derive(Debug, Clone)]
pub struct State {
    /// `name`.
    pub name: Name,
    /// `inputFilter`.
    pub input_filter: Option<Expression>,
    /// `enterAction` and `enterResultHandler`.
    pub enter: Step,
    /// `exitAction` and `exitResultHandler`.
    pub exit: Step,
    /// `transitions`, in source order. At most one is [implicit](Trigger::Implicit), and at most one is by
    /// [time-out](Trigger::Timeout).
    pub transitions: Vec<Transition>,
    /// The place of the whole.
    pub span: Span,
}

/// An action with the handler of its result. A handler without an action handles null.
#[derive(Debug, Clone, Default)]
pub struct Step {
    /// The action.
    pub action: Option<Action>,
    /// The handler, which changes the global data.
    pub handler: Option<Expression>,
}

/// A way out of a state, or back to its transitions.
#[derive(Debug, Clone)]
pub struct Transition {
    /// What triggers it.
    pub trigger: Trigger,
    /// `nextState`; without one the transition is internal: the state is not left.
    pub next: Option<Reference>,
    /// `action` and `resultHandler`.
    pub step: Step,
    /// The place of the whole.
    pub span: Span,
}

/// What triggers a transition.
#[derive(Debug, Clone)]
pub enum Trigger {
    /// Nothing: it wins over all others. It has a `nextState`.
    Implicit,
    /// `condition`, when it is true.
    Condition(Expression),
    /// `eventGroups`, when each has had one of its events. There is one at least.
    Events(Vec<EventGroup>),
    /// `timeout`, when it is over. It has a `nextState` or an `action`.
    Timeout(Timespan),
}

/// Events of which one is waited for.
#[derive(Debug, Clone)]
pub struct EventGroup {
    /// `events`; there is one at least.
    pub events: Vec<Reference>,
    /// `condition`, which the event must satisfy.
    pub condition: Option<Expression>,
    /// `resultHandler`, with the event as the value.
    pub handler: Option<Expression>,
    /// The place of the whole.
    pub span: Span,
}

/// An action.
#[derive(Debug, Clone)]
pub struct Action {
    /// `name`.
    pub name: Option<Name>,
    /// `type`, and what goes with it.
    pub kind: ActionKind,
    /// `errorHandlers`, in the order in which they are asked.
    pub error_handlers: Vec<ErrorHandler>,
    /// The place of the whole.
    pub span: Span,
}

/// What an action does.
#[derive(Debug, Clone)]
pub enum ActionKind {
    /// `delay`.
    Delay {
        /// `timeout`.
        timeout: Timespan,
    },
    /// `foreach`.
    ForEach {
        /// `input`: the array.
        input: Expression,
        /// `action`, whose input is an element.
        action: Box<Action>,
        /// `maxParallel`: how many elements make a batch; one where absent (ruling S5).
        max_parallel: Option<Spanned<u32>>,
    },
    /// `injectData`.
    InjectData {
        /// `expression`.
        expression: Expression,
    },
    /// `invokeFunction`.
    InvokeFunction {
        /// `functionName`.
        function: Reference,
        /// How it is called.
        call: Call,
    },
    /// `invokeSubflow`.
    InvokeSubflow {
        /// `subflowName`: which state machine that is, is known at run time.
        subflow: Name,
        /// How it is called.
        call: Call,
    },
    /// `parallel`.
    Parallel {
        /// `actions`; there is one at least.
        actions: Vec<Action>,
        /// `completionType` and `n`.
        completion: Completion,
    },
    /// `sendEvent`.
    SendEvent {
        /// `event`.
        event: Reference,
        /// `expression`: the data of the event; `{}` where absent.
        expression: Option<Expression>,
        /// `contextAttributes`.
        attributes: Vec<Attribute>,
    },
    /// `sequence`.
    Sequence {
        /// `actions`; there is one at least.
        actions: Vec<Action>,
    },
}

/// How a function or another state machine is called.
#[derive(Debug, Clone)]
pub struct Call {
    /// `waitForCompletion`; false where absent (ruling S4).
    pub waits: bool,
    /// `timeout`, after which the result is null.
    pub timeout: Option<Timespan>,
    /// `arguments`. Where a state machine is given none, it gets the current data (ruling S6).
    pub arguments: Option<Vec<Argument>>,
}

/// An argument of a call.
#[derive(Debug, Clone)]
pub struct Argument {
    /// Its name.
    pub name: Text,
    /// Its value.
    pub value: ArgumentValue,
}

/// The value of an argument.
#[derive(Debug, Clone)]
pub enum ArgumentValue {
    /// A text that is an expression.
    Expression(Expression),
    /// Anything else, as it is: expressions inside of objects and arrays are texts.
    Constant(Node),
}

/// An attribute of an event that is sent.
#[derive(Debug, Clone)]
pub struct Attribute {
    /// Its name.
    pub name: Text,
    /// Its value, which is no expression.
    pub value: Text,
}

/// When a parallel action is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completion {
    /// `and`: when all are.
    All,
    /// `xor`: when the first one is.
    First,
    /// `n_of_m`: when so many are, from one to all.
    Count(u32),
}

/// What is done when an action fails.
#[derive(Debug, Clone)]
pub struct ErrorHandler {
    /// `condition` on the error; without one it is for every error.
    pub condition: Option<Expression>,
    /// `resultHandler`, with the error as the value.
    pub handler: Option<Expression>,
    /// `retryPolicy`; without one the result of the action is null.
    pub retry: Option<Reference>,
    /// The place of the whole.
    pub span: Span,
}

/// An expression: `${ … }`.
#[derive(Debug, Clone)]
pub struct Expression {
    /// The whole text, `${ ` and ` }` included.
    pub text: Text,
    /// Which bytes of the text are the expression.
    pub range: Range<usize>,
    /// The place of the expression, without `${ ` and ` }`.
    pub span: Span,
    /// What stands there.
    pub kind: ExpressionKind,
}

/// What stands between `${ ` and ` }`.
#[derive(Debug, Clone)]
pub enum ExpressionKind {
    /// An expression in jq.
    Jq,
    /// `fn:name`: the expression that is the operation of a function. It is one, and leads back to itself nowhere.
    Function(Reference),
}

impl Expression {
    /// What stands between `${ ` and ` }`.
    pub fn source(&self) -> &str {
        &self.text.value[self.range.clone()]
    }

    /// The place of the bytes `start..end` of [`Expression::source`].
    pub fn span_of(&self, start: usize, end: usize) -> Span {
        self.text.span_of(self.range.start + start, self.range.start + end)
    }
}

impl Action {
    /// The key of its result in that of a sequence or a parallel action, of which it is the member `index`.
    pub fn key(&self, index: usize) -> String {
        self.name.as_ref().map_or_else(|| index.to_string(), |name| name.value.to_string())
    }

    /// The type as the source text calls it.
    pub fn type_name(&self) -> &'static str {
        match &self.kind {
            ActionKind::Delay { .. } => "delay",
            ActionKind::ForEach { .. } => "foreach",
            ActionKind::InjectData { .. } => "injectData",
            ActionKind::InvokeFunction { .. } => "invokeFunction",
            ActionKind::InvokeSubflow { .. } => "invokeSubflow",
            ActionKind::Parallel { .. } => "parallel",
            ActionKind::SendEvent { .. } => "sendEvent",
            ActionKind::Sequence { .. } => "sequence",
        }
    }

    /// Whether a handler of an error, its own or of an action inside of it, does anything to the data.
    pub fn has_error_result_handlers(&self) -> bool {
        let inner: &[Action] = match &self.kind {
            ActionKind::Parallel { actions, .. } | ActionKind::Sequence { actions } => actions,
            ActionKind::ForEach { action, .. } => std::slice::from_ref(action),
            _ => &[],
        };
        self.error_handlers.iter().any(|handler| handler.handler.is_some())
            || inner.iter().any(Action::has_error_result_handlers)
    }

    /// How it calls a function or another state machine, if it does.
    pub fn call(&self) -> Option<&Call> {
        match &self.kind {
            ActionKind::InvokeFunction { call, .. } | ActionKind::InvokeSubflow { call, .. } => Some(call),
            _ => None,
        }
    }
}
