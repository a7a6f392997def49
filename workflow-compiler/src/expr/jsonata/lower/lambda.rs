//! Functions of the expression, which become the statements of their bodies.

use super::scope::{Bound, Callable, ContextItem, JsonataEnv, Meaning};
use super::{Lowering, Res, Yield, untranslated};
use crate::expr::Literal;
use crate::expr::core::Atom;
use std::sync::Arc;
use workflow_jsonata::{Lambda, Node, NodeKind, StepKind};

/// The most functions whose bodies are inside of each other.
const MAX_INLINED: usize = 20;

impl<'n> Lowering<'n> {
    /// Returns the function that a part is, if that is certain.
    pub(super) fn callable(&self, node: &'n Node, env: &JsonataEnv) -> Option<Callable<'n>> {
        match &node.kind {
            NodeKind::Lambda(lambda) if !lambda.is_thunk => Some(Callable::Lambda(lambda, env.clone())),
            NodeKind::Variable(name) => match self.meaning(name, env.frame) {
                Meaning::Bound(Bound::Function(function)) => Some(function),
                Meaning::Native(native) => Some(Callable::Native(native)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns `true` if a name is that of a function of the language.
    pub(super) fn is_native(&self, name: &str, env: &JsonataEnv) -> bool {
        matches!(self.meaning(name, env.frame), Meaning::Native(_))
    }

    /// Lowers the body of a function with these arguments. Those that are missing are nothing.
    pub(super) fn inlined<T>(
        &mut self,
        lambda: &'n Lambda,
        env: &JsonataEnv,
        args: Vec<Bound<'n>>,
        lower: impl FnOnce(&mut Self, &'n Node, &JsonataEnv) -> Res<T>,
    ) -> Res<T> {
        if lambda.signature.is_some() {
            return untranslated("a function with a signature");
        }
        if self.inlined.iter().any(|outer| std::ptr::eq(*outer, lambda)) {
            return untranslated("a function that calls itself");
        }
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

    /// Lowers the body of a function for a caller with this context item, which takes a sequence
    /// as it is if `keeps_sequence` holds.
    pub(super) fn with_context<T>(
        &mut self,
        keeps_sequence: bool,
        context: ContextItem,
        lower: impl FnOnce(&mut Self) -> Res<T>,
    ) -> Res<T> {
        let keeps_outside = std::mem::replace(&mut self.keeps_sequence, keeps_sequence);
        let caller = std::mem::replace(&mut self.caller, context);
        let result = lower(self);
        self.keeps_sequence = keeps_outside;
        self.caller = caller;
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
        self.callback(function, args, Self::value)
    }

    /// Lowers such a function to a `bool` for the truth of its result.
    pub(super) fn test_back(&mut self, function: &Callable<'n>, args: Vec<Atom>) -> Res<Atom> {
        let value = self.callback(function, args, Self::test)?;
        Ok(self.truth(value))
    }

    /// Lowers such a function. `lower` lowers the body of a function of the expression.
    fn callback(
        &mut self,
        function: &Callable<'n>,
        args: Vec<Atom>,
        lower: impl FnOnce(&mut Self, &'n Node, &JsonataEnv) -> Res<Atom>,
    ) -> Res<Atom> {
        let context = ContextItem::Item(Atom::Literal(Literal::Null));
        match function {
            Callable::Native(native) => {
                let value = self.native(native, args, true, &context)?;
                if value.is_sequence {
                    self.mark_nested(&value.atom);
                }
                Ok(value.atom)
            }
            Callable::Lambda(lambda, env) => {
                let args = args.into_iter().map(Bound::Value).collect();
                self.with_context(true, context, |lowering| lowering.inlined(lambda, env, args, lower))
            }
        }
    }

    /// Lowers a call in tail position. What a function of the language returns there stays a
    /// sequence for a function that calls back.
    pub(super) fn tail(&mut self, body: &'n Node, env: &JsonataEnv) -> Res<Yield> {
        let keeps = self.keeps_sequence;
        self.nest(|lowering| match &body.kind {
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
