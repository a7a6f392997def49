//! Partial application, `$f(?, 1)`, and the composition of functions, `$f ~> $g`.

use super::call::{is_higher_order, values_of};
use super::hint::of_name;
use super::lambda::LambdaCall;
use super::scope::{Bound, Callable, ComposedPair, ContextItem, JsonataEnv, Partial};
use super::{Lowering, Res, Yield, callees, untranslated};
use crate::expr::Literal;
use crate::expr::core::{Atom, CoreArgument};
use std::rc::Rc;
use workflow_jsonata::{Call, Node, NodeKind};

/// The most functions inside of each other.
const MAX_COMPOSED: usize = 20;

impl<'n> Lowering<'n> {
    /// Lowers a partial application of a function that is certain.
    pub(super) fn partial(&mut self, call: &'n Call, env: &JsonataEnv) -> Res<Callable<'n>> {
        let mut args = Vec::with_capacity(call.args.len());
        for arg in &call.args {
            args.push(match arg.kind {
                NodeKind::Placeholder => None,
                _ => Some(self.bound(arg, env)?),
            });
        }
        let Some(function) = self.nest(|lowering| lowering.function_of(&call.callee, env))? else {
            return untranslated("a partial application of a value");
        };
        let params = match &function {
            // The evaluator drops missing arguments at the end of its call.
            Callable::Transform(..) => return untranslated("a partial application of a transformation"),
            Callable::Partial(inner) => inner.args.len(),
            Callable::Native(native) => native.params(),
            function => function.arity(),
        };
        self.count(params)?;
        let mut args = args.into_iter();
        // An argument that is not written is nothing.
        let mut next = |lowering: &mut Self| match args.next() {
            Some(arg) => arg,
            None => Some(Bound::Value(lowering.nothing())),
        };
        let (function, args): (_, Vec<_>) = match &function {
            Callable::Partial(inner) => {
                let fill = |arg: &Option<Bound<'n>>| if arg.is_some() { arg.clone() } else { next(self) };
                (inner.function.clone(), inner.args.iter().map(fill).collect())
            }
            _ => (function.clone(), (0..params).map(|_| next(self)).collect()),
        };
        let bound = args.iter().flatten().filter_map(|arg| match arg {
            Bound::Function(function) => Some(function),
            Bound::Value(_) => None,
        });
        let nesting = nesting(bound.chain([&function]))?;
        Ok(Callable::Partial(Rc::new(Partial { function, args, nesting })))
    }

    /// Lowers the composition of two functions that are certain.
    pub(super) fn composed(&mut self, left: &'n Node, right: &'n Node, env: &JsonataEnv) -> Res<Callable<'n>> {
        let first = self.nest(|lowering| lowering.function_of(left, env))?;
        let second = self.nest(|lowering| lowering.function_of(right, env))?;
        let (Some(first), Some(second)) = (first, second) else { return untranslated("a composition of functions") };
        let nesting = nesting([&first, &second].into_iter())?;
        Ok(Callable::Composed(Rc::new(ComposedPair { first, second, nesting })))
    }

    /// Lowers a call of a function some of whose arguments are bound.
    pub(super) fn call_partial(
        &mut self,
        partial: &Partial<'n>,
        args: Vec<Bound<'n>>,
        how: LambdaCall<'_>,
    ) -> Res<Yield> {
        self.refuse_in_tail(&how)?;
        self.refuse_call_at_end(&partial.function)?;
        self.count(partial.args.len())?;
        let mut open = args.into_iter();
        // Missing arguments that no parameter needs are left out.
        let mut all: Vec<Option<Bound<'n>>> =
            partial.args.iter().map(|arg| arg.clone().or_else(|| open.next())).collect();
        if let Callable::Native(native) = &partial.function {
            while all.len() > native.needed() && all.last().is_some_and(Option::is_none) {
                all.pop();
            }
        }
        let mut args = Vec::with_capacity(all.len());
        for arg in all {
            args.push(match arg {
                Some(arg) => arg,
                None => Bound::Value(self.nothing()),
            });
        }
        self.enter_call();
        let result = match &partial.function {
            Callable::Native(native) if !is_higher_order(native.name) => {
                let values = values_of(args)?;
                let values = self.values(values);
                let name = how.name.unwrap_or(native.name);
                let mut args = vec![CoreArgument::Text(native.name.to_owned()), CoreArgument::Text(name.to_owned())];
                args.push(CoreArgument::Atom(values.clone()));
                let result = self.builder.call(&of_name(native.name), callees::CALL_PARTIAL, args);
                if self.is_nested(&values) {
                    self.mark_nested(&result);
                }
                self.native_result(native, result, how.keeps_sequence)
            }
            Callable::Native(native) => {
                let looped = None;
                self.higher_order(native, args, LambdaCall { context: ContextItem::Nothing, looped, ..how })?
            }
            // A partial application has no signature.
            Callable::Lambda(lambda, env) => self.run(lambda, env, args, how)?,
            function => self.call_known(function, args, LambdaCall { context: ContextItem::Nothing, ..how })?,
        };
        self.leave_call();
        Ok(result)
    }

    /// Lowers a call of a composition.
    pub(super) fn call_composed(
        &mut self,
        pair: &ComposedPair<'n>,
        args: Vec<Bound<'n>>,
        how: LambdaCall<'_>,
    ) -> Res<Yield> {
        self.refuse_in_tail(&how)?;
        self.refuse_call_at_end(&pair.second)?;
        let arg = match args.into_iter().next() {
            Some(arg) => arg,
            None => Bound::Value(self.nothing()),
        };
        if let Bound::Value(value) = &arg {
            self.check_flat(value)?;
        }
        let null = |caller| LambdaCall {
            name: None,
            context: ContextItem::Item(Atom::Literal(Literal::Null)),
            caller,
            keeps_sequence: false,
            is_tail: false,
            tests: false,
            looped: None,
        };
        let caller = ContextItem::Item(Atom::Literal(Literal::Null));
        let first = self.nest(|lowering| lowering.call_known(&pair.first, vec![arg], null(caller)))?;
        let first = self.collapsed(first, "item");
        let args = vec![Bound::Value(first)];
        // The caller of the composition makes the calls in tail position of the second function.
        let second = LambdaCall { keeps_sequence: how.keeps_sequence, ..null(how.caller) };
        // A chain of compositions is one call.
        if let Callable::Composed(next) = &pair.second {
            return self.call_composed(next, args, second);
        }
        self.enter_call();
        let result = self.call_known(&pair.second, args, second)?;
        self.leave_call();
        Ok(result)
    }

    /// Refuses such a function in tail position of a function that calls itself.
    fn refuse_in_tail(&self, how: &LambdaCall<'_>) -> Res<()> {
        if how.is_tail && self.recursions.is_in_tail {
            return untranslated("a partial application or composition at the end of a function that calls itself");
        }
        Ok(())
    }

    /// Refuses such a function with a call at its end, which the evaluator makes after it has left
    /// the function. Only the levels and calls of a function that calls itself show that.
    fn refuse_call_at_end(&self, function: &Callable<'n>) -> Res<()> {
        if self.recursions.has_closures() && function.ends_in_call() {
            return untranslated("a call at the end of such a function, beside a function that calls itself");
        }
        Ok(())
    }
}

impl Callable<'_> {
    /// Returns the number of functions inside of each other.
    fn nesting(&self) -> usize {
        match self {
            Callable::Native(_) | Callable::Lambda(..) | Callable::Transform(..) => 0,
            Callable::Partial(partial) => partial.nesting,
            Callable::Composed(pair) => pair.nesting,
        }
    }
}

/// Returns the number of functions inside of each other in a function made of these.
fn nesting<'a, 'n: 'a>(functions: impl Iterator<Item = &'a Callable<'n>>) -> Res<usize> {
    let nesting = 1 + functions.map(Callable::nesting).max().unwrap_or(0);
    if nesting > MAX_COMPOSED { untranslated("such deep nesting of functions") } else { Ok(nesting) }
}
