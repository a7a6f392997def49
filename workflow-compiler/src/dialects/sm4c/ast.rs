//! AST of SM4C. Every node has a span. Names are resolved: a [`Reference`] has the index of its
//! definition.

use crate::source::{Span, Spanned};
use crate::syntax::{Node, Text};
use std::ops::Range;
use std::time::Duration;

pub use crate::dialects::names::{Name, Reference};
pub use crate::dialects::timespan::Timespan;

/// State machine.
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
    /// `events`, in place or from a file.
    pub events: Vec<EventDefinition>,
    /// `functions`, in place or from a file.
    pub functions: Vec<FunctionDefinition>,
    /// `retries`, in place or from a file.
    pub retries: Vec<RetryPolicy>,
    /// `states`, in source order.
    pub states: Vec<State>,
    /// Index of the start state.
    pub start: usize,
    /// Span of the node.
    pub span: Span,
}

/// Time limit of an execution. On expiry, the output is null ([S15](docs/sm4c.md#s15)).
#[derive(Debug, Clone)]
pub struct ExecutionTimeout {
    /// `duration`.
    pub duration: Timespan,
    /// `action`, which runs on expiry.
    pub action: Option<Action>,
    /// Span of the node.
    pub span: Span,
}

/// Definition of an event.
#[derive(Debug, Clone)]
pub struct EventDefinition {
    /// `name`.
    pub name: Name,
    /// `source`, which an event must have.
    pub source: Option<Spanned<String>>,
    /// `type`, which an event must have.
    pub kind: Option<Spanned<String>>,
    /// `correlation`.
    pub correlation: Vec<CorrelationAttribute>,
    /// Span of the node.
    pub span: Span,
}

/// Attribute that an event must have ([S12](docs/sm4c.md#s12)).
#[derive(Debug, Clone)]
pub struct CorrelationAttribute {
    /// `contextAttributeName`.
    pub name: Spanned<String>,
    /// `contextAttributeValue`. Without it, the attribute is not compared.
    pub value: Option<Spanned<String>>,
}

/// Function that actions call by name.
#[derive(Debug, Clone)]
pub struct FunctionDefinition {
    /// `name`.
    pub name: Name,
    /// `type` and `operation`.
    pub operation: FunctionOperation,
    /// Span of `operation`.
    pub operation_span: Span,
    /// Span of the node.
    pub span: Span,
}

/// Operation of a function.
#[derive(Debug, Clone)]
pub enum FunctionOperation {
    /// `URI#operationId`: operation of an OpenAPI document.
    Rest {
        /// Path of the document as written.
        document: Text,
        /// Identifier of the operation.
        operation: Spanned<String>,
    },
    /// Expression.
    Expression(Expression),
    /// `FILE#package.Service/Method`: method of a gRPC service ([S17](docs/sm4c.md#s17)).
    Rpc {
        /// Path of a `.proto` file or a descriptor set as written.
        file: Spanned<String>,
        /// Service with its package.
        service: Spanned<String>,
        /// Method of the service.
        method: Spanned<String>,
    },
}

/// Retry policy of actions ([S9](docs/sm4c.md#s9)).
#[derive(Debug, Clone)]
pub struct RetryPolicy {
    /// `name`.
    pub name: Name,
    /// `maxAttempts`: maximal number of executions, with the first one.
    pub max_attempts: Spanned<u32>,
    /// `delay` before the first retry.
    pub delay: Option<Timespan>,
    /// `maxDelay`.
    pub max_delay: Option<Timespan>,
    /// `increment` of each further delay.
    pub increment: Option<Timespan>,
    /// `multiplier` of each further delay.
    pub multiplier: Option<Spanned<f64>>,
    /// `jitter`.
    pub jitter: Option<Spanned<Jitter>>,
    /// Span of the node.
    pub span: Span,
}

/// Random change of a delay, in both directions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Jitter {
    /// Largest change as a fraction of the delay, from 0 to 1.
    Fraction(f64),
    /// Largest change.
    Time(Duration),
}

/// State.
#[derive(Debug, Clone)]
pub struct State {
    /// `name`.
    pub name: Name,
    /// `inputFilter`.
    pub input_filter: Option<Expression>,
    /// `enterAction` and `enterResultHandler`.
    pub enter: HandledAction,
    /// `exitAction` and `exitResultHandler`.
    pub exit: HandledAction,
    /// `transitions`, in source order. At most one is [implicit](Trigger::Implicit), and at most
    /// one is triggered by a [timeout](Trigger::Timeout).
    pub transitions: Vec<Transition>,
    /// Span of the node.
    pub span: Span,
}

/// Action with the handler of its result. A handler without an action handles null.
#[derive(Debug, Clone, Default)]
pub struct HandledAction {
    /// Action.
    pub action: Option<Action>,
    /// Handler, which changes the global data.
    pub handler: Option<Expression>,
}

/// Transition out of a state, or back to the choice of a transition.
#[derive(Debug, Clone)]
pub struct Transition {
    /// Trigger of the transition.
    pub trigger: Trigger,
    /// `nextState`. Without it, the transition is internal and the state is not left.
    pub next: Option<Reference>,
    /// `action` and `resultHandler`.
    pub step: HandledAction,
    /// Span of the node.
    pub span: Span,
}

/// Trigger of a transition.
#[derive(Debug, Clone)]
pub enum Trigger {
    /// No trigger. An implicit transition wins over all others and has a `nextState`.
    Implicit,
    /// `condition`, which triggers when it is true.
    Condition(Expression),
    /// `eventGroups`, which trigger when each group has received one of its events. Not empty.
    Events(Vec<EventGroup>),
    /// `timeout`, which triggers on expiry. The transition has a `nextState` or an `action`.
    Timeout(Timespan),
}

/// Group of alternative events.
#[derive(Debug, Clone)]
pub struct EventGroup {
    /// `events`; not empty.
    pub events: Vec<Reference>,
    /// `condition` that the event must satisfy.
    pub condition: Option<Expression>,
    /// `resultHandler`, whose `$value` is the event.
    pub handler: Option<Expression>,
    /// Span of the node.
    pub span: Span,
}

/// Action.
#[derive(Debug, Clone)]
pub struct Action {
    /// `name`.
    pub name: Option<Name>,
    /// `type`, with the members of the type.
    pub kind: ActionKind,
    /// `errorHandlers`, in the order in which they are tried.
    pub error_handlers: Vec<ErrorHandler>,
    /// Span of the node.
    pub span: Span,
}

/// Types of actions, with their members.
#[derive(Debug, Clone)]
pub enum ActionKind {
    /// `delay`.
    Delay {
        /// `timeout`.
        timeout: Timespan,
    },
    /// `foreach`.
    ForEach {
        /// `input`, an expression for an array.
        input: Expression,
        /// `action`, whose input is an element.
        action: Box<Action>,
        /// `maxParallel`: size of a batch; 1 if absent ([S5](docs/sm4c.md#s5)).
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
        /// Call with its arguments.
        call: Invocation,
    },
    /// `invokeSubflow`.
    InvokeSubflow {
        /// `subflowName`, which is resolved at run time.
        subflow: Name,
        /// Call with its arguments.
        call: Invocation,
    },
    /// `parallel`.
    Parallel {
        /// `actions`; not empty.
        actions: Vec<Action>,
        /// `completionType` and `n`.
        completion: Completion,
    },
    /// `sendEvent`.
    SendEvent {
        /// `event`.
        event: Reference,
        /// `expression` for the data of the event; `{}` if absent.
        expression: Option<Expression>,
        /// `contextAttributes`.
        attributes: Vec<EventAttribute>,
    },
    /// `sequence`.
    Sequence {
        /// `actions`; not empty.
        actions: Vec<Action>,
    },
}

/// Call of a function or of another state machine.
#[derive(Debug, Clone)]
pub struct Invocation {
    /// `waitForCompletion`; false if absent ([S4](docs/sm4c.md#s4)).
    pub waits: bool,
    /// `timeout`, after which the result is null.
    pub timeout: Option<Timespan>,
    /// `arguments`. A state machine without arguments receives the current data
    /// ([S6](docs/sm4c.md#s6)).
    pub arguments: Option<Vec<InvocationArgument>>,
}

/// Argument of a call.
#[derive(Debug, Clone)]
pub struct InvocationArgument {
    /// Name of the argument.
    pub name: Text,
    /// Value of the argument.
    pub value: InvocationValue,
}

/// Value of an argument.
#[derive(Debug, Clone)]
pub enum InvocationValue {
    /// String that is an expression.
    Expression(Expression),
    /// Any other value, unchanged. Expressions inside objects and arrays are plain strings.
    Constant(Node),
}

/// Attribute of an event that an action sends.
#[derive(Debug, Clone)]
pub struct EventAttribute {
    /// Name of the attribute.
    pub name: Text,
    /// Value of the attribute, which is never an expression.
    pub value: Text,
}

/// Completion condition of a parallel action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completion {
    /// `and`: all actions have ended.
    All,
    /// `xor`: one action has ended.
    First,
    /// `n_of_m`: this number of actions have ended, from 1 to all.
    Count(u32),
}

/// Handler of errors of an action.
#[derive(Debug, Clone)]
pub struct ErrorHandler {
    /// `condition` on the error. Without it, the handler matches every error.
    pub condition: Option<Expression>,
    /// `resultHandler`, whose `$value` is the error.
    pub handler: Option<Expression>,
    /// `retryPolicy`. Without it, the result of the action is null.
    pub retry: Option<Reference>,
    /// Span of the node.
    pub span: Span,
}

/// Expression: `${ … }`.
#[derive(Debug, Clone)]
pub struct Expression {
    /// Text with `${ ` and ` }`.
    pub text: Text,
    /// Bytes of the text between `${ ` and ` }`.
    pub range: Range<usize>,
    /// Span of these bytes.
    pub span: Span,
    /// Language of the expression.
    pub kind: ExpressionKind,
}

/// Language of an expression.
#[derive(Debug, Clone)]
pub enum ExpressionKind {
    /// Expression in jq.
    Jq,
    /// `fn:name`: the expression that is the operation of a function. The function is known to
    /// have an expression that does not refer back to itself.
    Function(Reference),
}

impl Expression {
    /// Returns the source between `${ ` and ` }`.
    pub fn source(&self) -> &str {
        &self.text.value[self.range.clone()]
    }

    /// Returns the span of the bytes `start..end` of [`Expression::source`].
    pub fn span_of(&self, start: usize, end: usize) -> Span {
        self.text.span_of(self.range.start + start, self.range.start + end)
    }
}

impl Action {
    /// Returns the key of the action's result in the result of a sequence or a parallel action, in
    /// which the action has the position `index`.
    pub fn key(&self, index: usize) -> String {
        self.name.as_ref().map_or_else(|| index.to_string(), |name| name.value.to_string())
    }

    /// Returns the type as the specification calls it.
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

    /// Returns `true` if an error handler of this action or of an inner action changes the data.
    pub fn has_error_result_handlers(&self) -> bool {
        let inner: &[Action] = match &self.kind {
            ActionKind::Parallel { actions, .. } | ActionKind::Sequence { actions } => actions,
            ActionKind::ForEach { action, .. } => std::slice::from_ref(action),
            _ => &[],
        };
        self.error_handlers.iter().any(|handler| handler.handler.is_some())
            || inner.iter().any(Action::has_error_result_handlers)
    }

    /// Returns the call of a function or another state machine, if the action is one.
    pub fn call(&self) -> Option<&Invocation> {
        match &self.kind {
            ActionKind::InvokeFunction { call, .. } | ActionKind::InvokeSubflow { call, .. } => Some(call),
            _ => None,
        }
    }
}
