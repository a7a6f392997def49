//! Calls, and the application of functions to values: `~>`.

use super::hint::of_name;
use super::lambda::Invocation;
use super::natives::NativeRow;
use super::scope::{Bound, Callable, ContextItem, JsonataEnv};
use super::{Lowering, Res, Yield, callees, untranslated};
use crate::expr::Literal;
use crate::expr::core::{Atom, CoreType};
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
        let Some(function) = self.callable(&call.callee, env) else {
            return match &call.callee.kind {
                NodeKind::Variable(name) => untranslated(format!("a call of `${name}`, which is no known function")),
                _ => untranslated("a call of a value"),
            };
        };
        self.nest(|_| Ok(()))?;
        match (&function, &call.callee.kind) {
            // Errors have the name of the call.
            (Callable::Native(native), NodeKind::Variable(name)) if **name != *native.name => {
                return untranslated(format!("`${}` under another name", native.name));
            }
            _ => {}
        }
        if let Callable::Native(native) = &function
            && is_tail
        {
            let args = call.args.len() + usize::from(applied.is_some());
            self.ends_recursion(native, native.takes_context(args))?;
        }
        match &function {
            Callable::Native(native) if is_higher_order(native.name) => {
                self.higher_order(native, applied, &call.args, is_exact, env)
            }
            Callable::Native(native) => {
                let mut args: Vec<Atom> = applied.into_iter().collect();
                for arg in &call.args {
                    args.push(self.value(arg, env)?);
                }
                self.native(native, args, is_raw, &context)
            }
            Callable::Lambda(lambda, place) => {
                let mut args: Vec<Bound<'n>> = applied.into_iter().map(Bound::Value).collect();
                for arg in &call.args {
                    args.push(match self.callable(arg, env) {
                        Some(function) => Bound::Function(function),
                        None => Bound::Value(self.value(arg, env)?),
                    });
                }
                let name = match &call.callee.kind {
                    NodeKind::Variable(name) => Some(&**name),
                    _ => None,
                };
                let invocation = Invocation { name, context, keeps_sequence: is_raw, is_tail, tests: false };
                let atom = self.invoked(lambda, place, args, invocation)?;
                Ok(Yield { atom, is_sequence: is_raw && function.may_yield_sequence() })
            }
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

    /// Lowers `left ~> right`.
    pub(super) fn application(
        &mut self,
        left: &'n Node,
        right: &'n Node,
        is_raw: bool,
        env: &JsonataEnv,
    ) -> Res<Yield> {
        let is_exact = std::mem::take(&mut self.is_exact);
        if self.callable(left, env).is_some() {
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
        self.nest(|_| Ok(()))?;
        match self.callable(right, env) {
            Some(Callable::Native(native)) if is_higher_order(native.name) => untranslated("a function as a value"),
            Some(function) => {
                let atom = self.call_back(&function, vec![value])?;
                Ok(Yield { atom, is_sequence: function.may_yield_sequence() })
            }
            None => untranslated("the application of a value"),
        }
    }
}

/// Returns `true` for a function that calls others back.
fn is_higher_order(name: &str) -> bool {
    matches!(name, "each" | "filter" | "map" | "reduce" | "sift" | "single" | "sort")
}
