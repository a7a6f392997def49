//! Calls, and the application of functions to values: `~>`.

use super::hint::{hint, of_name};
use super::lambda::{LambdaCall, LoopPlace};
use super::natives::NativeRow;
use super::scope::{Bound, Callable, ContextItem, JsonataEnv};
use super::{Lowering, Res, Yield, callees, untranslated};
use crate::expr::Literal;
use crate::expr::core::{Atom, CoreArgument, CoreType};
use workflow_jsonata::{Call, Node, NodeKind};

impl<'n> Lowering<'n> {
    /// Lowers a call, with the value before its arguments that `~>` applies the function to.
    pub(super) fn call(&mut self, call: &'n Call, applied: Option<Atom>, is_raw: bool, env: &JsonataEnv) -> Res<Yield> {
        let is_exact = std::mem::take(&mut self.is_exact);
        let is_tail = std::mem::take(&mut self.is_tail);
        let context = match is_tail {
            true => self.caller.clone(),
            false => env.context.clone(),
        };
        let Some(function) = self.nest(|lowering| lowering.function_of(&call.callee, env))? else {
            return match &call.callee.kind {
                NodeKind::Variable(name) => untranslated(format!("a call of `${name}`, which is no known function")),
                _ => untranslated("a call of a value"),
            };
        };
        let many = call.args.first().filter(|_| applied.is_none()).map_or_else(|| "items".to_owned(), hint);
        let position = self.builder.position();
        let takes_functions = !matches!(&function, Callable::Native(native) if !is_higher_order(native.name));
        let mut args: Vec<Bound<'n>> = applied.into_iter().map(Bound::Value).collect();
        for arg in &call.args {
            args.push(match takes_functions {
                true => self.bound(arg, env)?,
                false => Bound::Value(self.value(arg, env)?),
            });
        }
        let is_function = call.args.last().is_some_and(|last| self.may_be_function(last, env));
        let name = match &call.callee.kind {
            NodeKind::Variable(name) => Some(&**name),
            _ => None,
        };
        let looped = Some(LoopPlace { many, position, is_exact, is_function });
        let caller = context.clone();
        let how = LambdaCall { name, context, caller, keeps_sequence: is_raw, is_tail, tests: false, looped };
        self.call_known(&function, args, how)
    }

    /// Lowers an argument: a function, if that is certain, or a value.
    pub(super) fn bound(&mut self, arg: &'n Node, env: &JsonataEnv) -> Res<Bound<'n>> {
        match self.is_function(arg, env) {
            true => match self.nest(|lowering| lowering.function_of(arg, env))? {
                Some(function) => Ok(Bound::Function(function)),
                None => untranslated("a function as a value"),
            },
            false => Ok(Bound::Value(self.value(arg, env)?)),
        }
    }

    /// Lowers a call of a function with these arguments.
    pub(super) fn call_known(
        &mut self,
        function: &Callable<'n>,
        args: Vec<Bound<'n>>,
        how: LambdaCall<'_>,
    ) -> Res<Yield> {
        match function {
            Callable::Native(native) => {
                if how.is_tail {
                    self.ends_recursion(native, native.takes_context(args.len()))?;
                }
                if is_higher_order(native.name) {
                    return self.higher_order(native, args, how);
                }
                let is_raw = how.keeps_sequence;
                let args = values_of(args)?;
                match how.name {
                    // Errors have the name of the call.
                    Some(name) if *name != *native.name => self.named_native(native, name, args, is_raw, &how.context),
                    _ => self.native(native, args, is_raw, &how.context),
                }
            }
            Callable::Lambda(lambda, place) => self.invoked(lambda, place, args, how),
            Callable::Transform(transform, place) => self.transformed(transform, place, args, &how),
            Callable::Partial(partial) => self.call_partial(partial, args, how),
            Callable::Composed(pair) => self.call_composed(pair, args, how),
        }
    }

    /// Lowers a call of a function of the language, which returns a sequence as it is if `is_raw`
    /// holds.
    pub(super) fn native(
        &mut self,
        native: &'static NativeRow,
        args: Vec<Atom>,
        is_raw: bool,
        context: &ContextItem,
    ) -> Res<Yield> {
        if native.name == "exists"
            && let [arg] = &args[..]
        {
            let is_bool = self.builder.ty(arg) == CoreType::Bool || arg.literal().is_some();
            return Ok(Yield::value(match is_bool {
                true => Atom::Literal(Literal::Bool(true)),
                false => self.call_of("exists", callees::IS_SOME, &[arg]),
            }));
        }
        let hint = of_name(native.name);
        let item = context.item().filter(|_| native.takes_context(args.len())).cloned();
        let values = self.values(args);
        Ok(match (item, native.sequence) {
            (Some(_), Some(_)) if is_raw => return untranslated(format!("`${}` of the context item", native.name)),
            (Some(item), _) => {
                Yield::value(self.call_of(&hint, callees::contextual(native.contextual), &[&values, &item]))
            }
            (None, Some(path)) if is_raw => Yield::sequence(self.call_of(&hint, callees::native(path), &[&values])),
            (None, _) => Yield::value(self.call_of(&hint, callees::native(native.path), &[&values])),
        })
    }

    /// Lowers a call of such a function under another name.
    fn named_native(
        &mut self,
        native: &'static NativeRow,
        name: &str,
        args: Vec<Atom>,
        is_raw: bool,
        context: &ContextItem,
    ) -> Res<Yield> {
        let item = context.item().filter(|_| native.takes_context(args.len())).cloned();
        let values = self.values(args);
        let mut args = vec![CoreArgument::Text(native.name.to_owned()), CoreArgument::Text(name.to_owned())];
        args.push(CoreArgument::Atom(values.clone()));
        let callee = if item.is_some() { callees::CALL_AS_IN } else { callees::CALL_AS };
        args.extend(item.map(CoreArgument::Atom));
        let result = self.builder.call(&of_name(name), callee, args);
        if self.is_nested(&values) {
            self.mark_nested(&result);
        }
        Ok(self.native_result(native, result, is_raw))
    }

    /// Returns the result of a function of the language, which is a sequence as it is.
    pub(super) fn native_result(&mut self, native: &NativeRow, result: Atom, is_raw: bool) -> Yield {
        match (native.sequence, is_raw) {
            (None, _) => Yield::value(result),
            (Some(_), true) => Yield::sequence(result),
            (Some(_), false) => Yield::value(self.collapsed(Yield::sequence(result), &of_name(native.name))),
        }
    }

    /// Lowers `left ~> right`.
    pub(super) fn application(
        &mut self,
        left: &'n Node,
        right: &'n Node,
        is_raw: bool,
        env: &JsonataEnv,
    ) -> Res<Yield> {
        let is_exact = std::mem::take(&mut self.is_exact);
        if self.is_function(left, env) {
            return untranslated("a composition of functions");
        }
        let value = self.value(left, env)?;
        // The code behind the call has no effect.
        if let NodeKind::Call(call) = &right.base().kind {
            self.is_exact = is_exact;
            return self.call(call, Some(value), is_raw, env);
        }
        if self.may_be_function(left, env) {
            return untranslated("an application that may be a composition of functions");
        }
        match self.nest(|lowering| lowering.function_of(right, env))? {
            Some(Callable::Native(native)) if is_higher_order(native.name) => untranslated("a function as a value"),
            Some(function) => {
                let atom = self.call_back(&function, vec![value])?;
                Ok(Yield { atom, is_sequence: function.may_yield_sequence() })
            }
            None => untranslated("the application of a value"),
        }
    }
}

/// Returns arguments as values.
pub(super) fn values_of(args: Vec<Bound<'_>>) -> Res<Vec<Atom>> {
    args.into_iter()
        .map(|arg| match arg {
            Bound::Value(value) => Ok(value),
            Bound::Function(_) => untranslated("a function as a value"),
        })
        .collect()
}

/// Returns `true` for a function that calls others back.
pub(super) fn is_higher_order(name: &str) -> bool {
    matches!(name, "each" | "filter" | "map" | "reduce" | "sift" | "single" | "sort")
}
