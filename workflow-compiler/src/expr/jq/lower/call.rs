//! Lowering of calls: program functions are inlined, runtime functions are called.

use super::hint::hint_of_call;
use super::path::{At, JqPlace};
use super::pattern::Within;
use super::scope::{JqEnv, JqScope};
use super::{Lowering, Res, Then, callees, untranslated};
use crate::expr::core::{Atom, CoreArgument};
use crate::expr::jq::ast::{FunctionDef, Term};
use crate::expr::jq::builtins::{self, Builtin, Native, Returns};

/// Returns `true` if jq evaluates the first argument of a runtime function first. jq evaluates the
/// last argument first, except in functions that jq defines in its own language with a variable as
/// the first parameter.
fn evaluates_in_order(name: &str) -> bool {
    matches!(name, "scan" | "split" | "splits")
}

/// A continuation that takes the values of arguments.
type WithArguments<'k, 'p> = &'k mut dyn FnMut(&mut Lowering<'p>, &[Atom]) -> Res<()>;

/// The meaning of a name.
pub(super) enum JqFunction<'p> {
    /// A filter passed as an argument, and its scope.
    Argument(&'p Term, JqScope<'p>),
    /// A definition in jq, and its scope.
    Defined(&'p FunctionDef, JqScope<'p>),
    /// A function of the runtime.
    Native(&'static Native),
    /// A function with a rule of its own.
    Special,
}

/// Finds the meaning of a name.
pub(super) fn resolve<'p>(name: &str, arity: usize, scope: &JqScope<'p>) -> Res<JqFunction<'p>> {
    if let Some(found) = scope.find_function(name, arity) {
        return Ok(found);
    }
    match builtins::find(name, arity) {
        Some(Builtin::Native(native)) => Ok(JqFunction::Native(native)),
        Some(Builtin::Defined(definition)) => Ok(JqFunction::Defined(definition, JqScope::default())),
        Some(Builtin::Special) => Ok(JqFunction::Special),
        None => untranslated(format!("`{name}`")),
    }
}

impl<'p> Lowering<'p> {
    /// Returns the scope of the body of a called function. Value parameters are bound where the
    /// code is lowered.
    pub(super) fn calling(
        &mut self,
        definition: &'p FunctionDef,
        arguments: &'p [Term],
        outer: &JqScope<'p>,
        scope: &JqScope<'p>,
    ) -> JqScope<'p> {
        self.counted += arguments.len();
        let mut inner = outer.clone();
        for (param, argument) in definition.params.iter().zip(arguments) {
            let name = param.strip_prefix('$').unwrap_or(param);
            inner = inner.argument(name, argument, scope.clone(), &mut self.sets);
        }
        inner
    }

    /// Lowers a call that yields any number of values. `function` is the meaning of its name.
    pub(super) fn each_call(
        &mut self,
        term: &'p Term,
        function: JqFunction<'p>,
        (name, arguments): (&'p str, &'p [Term]),
        scope: &JqScope<'p>,
        at: &JqPlace,
        then: At<'_, 'p>,
    ) -> Res<()> {
        let env = at.env(scope);
        let native = match function {
            JqFunction::Argument(term, scope) => return self.places(term, &scope, at, then),
            JqFunction::Defined(definition, outer) => {
                return self.each_value((definition, &outer), arguments, env, &mut |lowering, inner| {
                    lowering.places(&definition.body, inner, at, then)
                });
            }
            JqFunction::Native(native) => Some(native),
            JqFunction::Special => None,
        };
        match (name, arguments) {
            ("empty", []) => Ok(()),
            ("select", [test]) => self.each_test(test, env, &mut |lowering, holds| match holds {
                true => then(lowering, at.clone()),
                false => Ok(()),
            }),
            ("recurse", []) => self.descend(at, then),
            ("limit", [count, term]) => self.each(count, env, &mut |lowering, count| {
                lowering.limited(&count, &mut |lowering, left, label| {
                    lowering.places(term, scope, at, &mut |lowering, place| {
                        lowering.counted(left, label, |lowering| then(lowering, place))
                    })
                })
            }),
            ("skip", [count, term]) => self.each(count, env, &mut |lowering, count| {
                let left = lowering.bind_count("skipped", callees::SKIP, &count);
                lowering.places(term, scope, at, &mut |lowering, place| {
                    lowering.unless_skipped(left, |lowering| then(lowering, place.clone()))
                })
            }),
            _ if at.is_followed() => self.places_of_call(term, (name, arguments), scope, at, then),
            _ => {
                let mut then = |lowering: &mut Self, value| then(lowering, JqPlace::of_value(value));
                match native {
                    Some(native) => self.each_native(native, arguments, env, &mut then),
                    None => self.each_special(name, arguments, env, &mut then),
                }
            }
        }
    }

    fn each_native(
        &mut self,
        native: &'static Native,
        arguments: &'p [Term],
        env: JqEnv<'_, 'p>,
        then: Then<'_, 'p>,
    ) -> Res<()> {
        let mut then = |lowering: &mut Self, values: &[Atom]| match native.returns {
            Returns::Many => lowering.native_many(native, env.input, values, then),
            Returns::Value | Returns::Bool => {
                let value = lowering.native(native, env.input, values);
                then(lowering, value)
            }
        };
        self.each_argument(arguments, evaluates_in_order(native.name), Vec::new(), env, &mut then)
    }

    /// Binds the parameters of a function, which is given with its scope. Values are bound first
    /// to last, each with all values of the next.
    pub(super) fn each_value(
        &mut self,
        (definition, outer): (&'p FunctionDef, &JqScope<'p>),
        arguments: &'p [Term],
        env: JqEnv<'_, 'p>,
        then: Within<'_, 'p>,
    ) -> Res<()> {
        let inner = self.calling(definition, arguments, outer, env.scope);
        let values: Vec<(&'p str, &'p Term)> = (definition.params.iter().zip(arguments))
            .filter_map(|(param, argument)| Some((param.strip_prefix('$')?, argument)))
            .collect();
        self.each_of_values(&values, &inner, env, then)
    }

    fn each_of_values(
        &mut self,
        values: &[(&'p str, &'p Term)],
        inner: &JqScope<'p>,
        env: JqEnv<'_, 'p>,
        then: Within<'_, 'p>,
    ) -> Res<()> {
        let Some(((name, argument), rest)) = values.split_first() else { return then(self, inner) };
        let first = self.builder.next_local();
        self.each(argument, env, &mut |lowering, value| {
            let value = lowering.bound_to(value, name, first);
            let inner = inner.variable(name, value);
            lowering.nest(|lowering| lowering.each_of_values(rest, &inner, env, then))
        })
    }

    /// Adds loops over all combinations of argument values. The last argument is the outermost
    /// loop, or the first one `in_order`. `done` are the values so far.
    pub(super) fn each_argument(
        &mut self,
        arguments: &'p [Term],
        in_order: bool,
        mut done: Vec<Atom>,
        env: JqEnv<'_, 'p>,
        then: WithArguments<'_, 'p>,
    ) -> Res<()> {
        let mut arguments = arguments;
        let add = |done: &mut Vec<Atom>, value| done.insert(if in_order { done.len() } else { 0 }, value);
        while let Some((next, rest)) = if in_order { arguments.split_first() } else { arguments.split_last() } {
            arguments = rest;
            if self.is_one(next, env.scope) {
                let value = self.one(next, env)?;
                add(&mut done, value);
                continue;
            }
            return self.each(next, env, &mut |lowering, value| {
                let mut done = done.clone();
                add(&mut done, value);
                lowering.nest(|lowering| lowering.each_argument(rest, in_order, done, env, then))
            });
        }
        then(self, &done)
    }

    /// Adds a call of a runtime function.
    fn native(&mut self, native: &Native, input: &Atom, arguments: &[Atom]) -> Atom {
        self.loops = true;
        let operands: Vec<&Atom> = Some(input).filter(|_| native.input).into_iter().chain(arguments).collect();
        self.call(&hint_of_call(native.name), callees::native(native), &operands)
    }

    /// Adds a call of a runtime function that yields any number of values.
    fn native_many(&mut self, native: &Native, input: &Atom, arguments: &[Atom], then: Then<'_, 'p>) -> Res<()> {
        let operands = std::iter::once(input).chain(arguments).map(CoreArgument::from);
        self.each_from_closure(callees::native(native), operands.collect(), &hint_of_call(native.name), then)
    }
}
