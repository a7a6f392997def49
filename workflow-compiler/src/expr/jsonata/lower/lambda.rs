//! Functions of the expression, which become the statements of their bodies.

use super::scope::{Bound, Callable, ContextItem, JsonataEnv, Meaning};
use super::{Lowering, Res, Yield, untranslated};
use crate::expr::Literal;
use crate::expr::core::Atom;
use std::sync::Arc;
use workflow_jsonata::{Lambda, Node, NodeKind, StepKind};

/// A call of a function of the expression.
pub(super) struct LambdaCall<'a> {
    /// The name of the function in messages.
    pub name: Option<&'a str>,
    /// The context item that stands for a missing argument.
    pub context: ContextItem,
    /// The context item for calls in tail position of the function.
    pub caller: ContextItem,
    /// `true` if the caller takes a sequence as it is.
    pub keeps_sequence: bool,
    /// `true` for a call in tail position.
    pub is_tail: bool,
    /// `true` if the result is a `bool` for the truth of the value.
    pub tests: bool,
    /// The place of the loop that a call of `$map` and the like becomes.
    pub looped: Option<LoopPlace>,
}

/// The place of a call of a function that calls another one back.
pub(super) struct LoopPlace {
    /// A name for the array or object.
    pub many: String,
    /// The position of the first statement for the arguments.
    pub position: usize,
    /// `true` if the result for nothing is nothing, and no empty sequence.
    pub is_exact: bool,
    /// `true` if the value of the last argument may be a function.
    pub is_function: bool,
}

/// The most functions whose bodies are inside of each other.
const MAX_INLINED: usize = 20;

impl<'n> Lowering<'n> {
    /// Returns the function that a part is, if that is certain.
    pub(super) fn callable(&self, node: &'n Node, env: &JsonataEnv) -> Option<Callable<'n>> {
        match &node.kind {
            NodeKind::Lambda(lambda) if !lambda.is_thunk => Some(Callable::Lambda(lambda, env.clone())),
            NodeKind::Transform(transform) => Some(Callable::Transform(transform, env.clone())),
            NodeKind::Variable(name) => match self.meaning(name, env.frame) {
                Meaning::Bound(Bound::Function(function)) => Some(function),
                Meaning::Native(native) => Some(Callable::Native(native)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns `true` if a part is certain to be a function whose code is known.
    pub(super) fn is_function(&self, node: &Node, env: &JsonataEnv) -> bool {
        match &node.kind {
            NodeKind::Partial(call) => self.is_function(&call.callee, env),
            NodeKind::Apply(left, right) => {
                let is_call = matches!(right.base().kind, NodeKind::Call(_));
                !is_call && self.is_function(left, env) && self.is_function(right, env)
            }
            NodeKind::Lambda(lambda) => !lambda.is_thunk,
            NodeKind::Transform(_) => true,
            NodeKind::Variable(name) => {
                matches!(self.meaning(name, env.frame), Meaning::Bound(Bound::Function(_)) | Meaning::Native(_))
            }
            _ => false,
        }
    }

    /// Lowers what is evaluated where a function is written, and returns the function if it is
    /// certain.
    pub(super) fn function_of(&mut self, node: &'n Node, env: &JsonataEnv) -> Res<Option<Callable<'n>>> {
        match &node.kind {
            _ if !self.is_function(node, env) => Ok(None),
            NodeKind::Partial(call) => self.partial(call, env).map(Some),
            NodeKind::Apply(left, right) => self.composed(left, right, env).map(Some),
            _ => Ok(self.callable(node, env)),
        }
    }

    /// Returns `true` if a name is that of a function of the language.
    pub(super) fn is_native(&self, name: &str, env: &JsonataEnv) -> bool {
        matches!(self.meaning(name, env.frame), Meaning::Native(_))
    }

    /// Lowers a call of a function with these arguments. Those that are missing are nothing.
    pub(super) fn invoked(
        &mut self,
        lambda: &'n Lambda,
        env: &JsonataEnv,
        args: Vec<Bound<'n>>,
        how: LambdaCall<'_>,
    ) -> Res<Yield> {
        let args = match &lambda.signature {
            Some(signature) => self.checked(signature, args, lambda.params.len(), &how)?,
            None => args,
        };
        self.run(lambda, env, args, how)
    }

    /// Lowers a call of a function whose arguments need no check.
    pub(super) fn run(
        &mut self,
        lambda: &'n Lambda,
        env: &JsonataEnv,
        args: Vec<Bound<'n>>,
        how: LambdaCall<'_>,
    ) -> Res<Yield> {
        let is_in_tail = how.is_tail && self.recursions.is_in_tail;
        if let Some(way) = self.recursive_way(lambda, env, is_in_tail)? {
            let value = self.recursive(way, (lambda, env), args, &how)?;
            return Ok(Yield::value(if how.tests { self.truth(value) } else { value }));
        }
        let is_sequence = how.keeps_sequence && !how.tests && may_yield_sequence(lambda);
        let lower = if how.tests { Self::test } else { Self::value };
        let base = if is_in_tail { self.recursions.base } else { self.depth };
        let base = std::mem::replace(&mut self.recursions.base, base);
        let was_in_tail = std::mem::replace(&mut self.recursions.is_in_tail, is_in_tail);
        let keeps_sequence = std::mem::replace(&mut self.keeps_sequence, how.keeps_sequence);
        let caller = std::mem::replace(&mut self.caller, how.caller);
        let result = self.inlined(lambda, env, args, lower);
        self.keeps_sequence = keeps_sequence;
        self.caller = caller;
        (self.recursions.base, self.recursions.is_in_tail) = (base, was_in_tail);
        Ok(Yield { atom: result?, is_sequence })
    }

    /// Lowers the body of a function with these arguments.
    pub(super) fn inlined(
        &mut self,
        lambda: &'n Lambda,
        env: &JsonataEnv,
        args: Vec<Bound<'n>>,
        lower: impl FnOnce(&mut Self, &'n Node, &JsonataEnv) -> Res<Atom>,
    ) -> Res<Atom> {
        if self.inlined.len() >= MAX_INLINED {
            return untranslated("such deep nesting of functions");
        }
        self.count(lambda.params.len())?;
        let mut bindings: Vec<(Arc<str>, Bound<'n>)> = Vec::with_capacity(lambda.params.len());
        let mut args = args.into_iter();
        for name in &lambda.params {
            let value = match args.next() {
                Some(value) => value,
                None => Bound::Value(self.nothing()),
            };
            // Of two parameters of one name, the last one counts.
            bindings.retain(|(bound, _)| bound != name);
            bindings.push((name.clone(), value));
        }
        let frame = self.scope(env.frame, bindings);
        self.inlined.push(lambda);
        let result = lower(self, &lambda.body, &JsonataEnv { context: env.context.clone(), frame });
        self.inlined.pop();
        result
    }

    /// Returns `true` if the value of a part, which has been lowered, can be a function.
    pub(super) fn may_be_function(&self, node: &Node, env: &JsonataEnv) -> bool {
        /// The functions of the language that can return a part of an argument.
        const SELECTING: [&str; 9] =
            ["append", "distinct", "each", "filter", "lookup", "map", "reduce", "single", "sort"];
        let is_certain = |callee: &Node| match &callee.kind {
            NodeKind::Variable(name) => self.is_native(name, env) && !SELECTING.contains(&&**name),
            _ => false,
        };
        let is_value = match &node.kind {
            NodeKind::Null
            | NodeKind::Bool(_)
            | NodeKind::Number(_)
            | NodeKind::String(_)
            | NodeKind::Negate(_)
            | NodeKind::Array(_)
            | NodeKind::Object(_)
            | NodeKind::Binary(..) => true,
            NodeKind::Path(path) => path
                .steps
                .last()
                .is_some_and(|step| matches!(&step.kind, StepKind::Node(Node { kind: NodeKind::Name(_), .. }))),
            NodeKind::Call(call) => is_certain(&call.callee),
            NodeKind::Apply(_, right) => match &right.base().kind {
                NodeKind::Call(call) => is_certain(&call.callee),
                _ => is_certain(right),
            },
            _ => false,
        };
        self.has_functions && !is_value
    }

    /// Lowers a function that a function of the language calls back. Null stands for the context
    /// item.
    pub(super) fn call_back(&mut self, function: &Callable<'n>, args: Vec<Atom>) -> Res<Atom> {
        self.call_back_as(function, args, false)
    }

    /// Lowers such a function to a `bool` for the truth of its result.
    pub(super) fn test_back(&mut self, function: &Callable<'n>, args: Vec<Atom>) -> Res<Atom> {
        self.call_back_as(function, args, true)
    }

    fn call_back_as(&mut self, function: &Callable<'n>, args: Vec<Atom>, tests: bool) -> Res<Atom> {
        self.enter_call();
        let context = ContextItem::Item(Atom::Literal(Literal::Null));
        let args = args.into_iter().map(Bound::Value).collect();
        let tests_here = tests && matches!(function, Callable::Lambda(..));
        let how = LambdaCall {
            name: None,
            caller: context.clone(),
            context,
            keeps_sequence: true,
            is_tail: false,
            tests: tests_here,
            looped: None,
        };
        let value = self.call_known(function, args, how)?;
        // The sequence of a function of the expression is marked where it comes from.
        if value.is_sequence && !matches!(function, Callable::Lambda(..)) {
            self.mark_nested(&value.atom);
        }
        let result = if tests && !tests_here { self.truth(value.atom) } else { value.atom };
        self.leave_call();
        Ok(result)
    }

    /// Lowers a call in tail position. What a function of the language returns there stays a
    /// sequence for a function that calls back.
    pub(super) fn tail(&mut self, body: &'n Node, env: &JsonataEnv) -> Res<Yield> {
        let keeps = self.keeps_sequence;
        self.at_base(|lowering| match &body.kind {
            NodeKind::Call(call) => {
                lowering.is_exact = keeps;
                lowering.is_tail = true;
                let value = lowering.call(call, None, keeps, env)?;
                if !keeps {
                    return Ok(value);
                }
                if value.is_sequence {
                    lowering.mark_nested(&value.atom);
                }
                Ok(Yield::value(value.atom))
            }
            _ => lowering.sequence(body, env),
        })
    }
}

/// Returns `true` if a part has a call in tail position of a function.
pub(super) fn ends_in_call(body: &Node) -> bool {
    match &body.kind {
        NodeKind::Lambda(lambda) => lambda.is_thunk,
        NodeKind::Condition(condition) => {
            ends_in_call(&condition.then) || condition.otherwise.as_ref().is_some_and(ends_in_call)
        }
        NodeKind::Block(parts) => parts.last().is_some_and(ends_in_call),
        _ => false,
    }
}

/// Returns `true` if a function can return a sequence to a function that calls it back.
pub(super) fn may_yield_sequence(lambda: &Lambda) -> bool {
    match &lambda.body.kind {
        NodeKind::Lambda(lambda) => lambda.is_thunk,
        NodeKind::Condition(_) | NodeKind::Block(_) => true,
        _ => false,
    }
}
