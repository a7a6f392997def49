//! Functions of the expression, which become the statements of their bodies.

use super::scope::{Bound, Callable, ContextItem, JsonataEnv, Meaning};
use super::{Lowering, Res, Yield, untranslated};
use crate::expr::Literal;
use crate::expr::core::Atom;
use std::sync::Arc;
use workflow_jsonata::{Lambda, Node, NodeKind};

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

    /// Lowers a function that a function of the language calls back. Null stands for the context
    /// item.
    pub(super) fn call_back(&mut self, function: &Callable<'n>, args: Vec<Atom>) -> Res<Atom> {
        match function {
            Callable::Native(native) => {
                let context = ContextItem::Item(Atom::Literal(Literal::Null));
                let value = self.native(native, args, true, &context)?;
                if value.is_sequence {
                    self.mark_nested(&value.atom);
                }
                Ok(value.atom)
            }
            Callable::Lambda(lambda, env) => {
                let args = args.into_iter().map(Bound::Value).collect();
                let outside = std::mem::replace(&mut self.keeps_sequence, true);
                let value = self.inlined(lambda, env, args, Self::value);
                self.keeps_sequence = outside;
                value
            }
        }
    }

    /// Lowers such a function to a `bool` for the truth of its result.
    pub(super) fn test_back(&mut self, function: &Callable<'n>, args: Vec<Atom>) -> Res<Atom> {
        if let Callable::Lambda(lambda, env) = function {
            let args = args.into_iter().map(Bound::Value).collect();
            let outside = std::mem::replace(&mut self.keeps_sequence, true);
            let test = self.inlined(lambda, env, args, Self::test);
            self.keeps_sequence = outside;
            return test;
        }
        let value = self.call_back(function, args)?;
        Ok(self.truth(value))
    }

    /// Lowers a call in tail position. What a function of the language returns there stays a
    /// sequence for a function that calls back.
    pub(super) fn tail(&mut self, body: &'n Node, env: &JsonataEnv) -> Res<Yield> {
        let keeps = self.keeps_sequence;
        self.nest(|lowering| match &body.kind {
            NodeKind::Call(call) => {
                lowering.is_exact = keeps;
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
