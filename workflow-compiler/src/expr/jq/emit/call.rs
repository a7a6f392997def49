//! Emission of calls: program functions are inlined, runtime functions are called.

use super::code::{JqCode, ident};
use super::scope::{Found, JqScope};
use super::{Emitter, Input, Res, Then, untranslated};
use crate::expr::jq::ast::{FunctionDef, Term};
use crate::expr::jq::builtins::{self, Builtin, Native, Returns};
use proc_macro2::TokenStream;
use quote::quote;

/// Returns `true` if a runtime function of this name takes no arguments and yields one value.
/// `not` counts, too.
pub(super) fn is_native(name: &str) -> bool {
    match builtins::find(name, 0) {
        Some(Builtin::Native(native)) => native.returns != Returns::Many,
        _ => name == "not",
    }
}

/// Returns `true` if jq evaluates the first argument of a runtime function first. jq evaluates the
/// last argument first, except in functions that jq defines in its own language with a variable as
/// the first parameter.
fn evaluates_in_order(name: &str) -> bool {
    matches!(name, "split" | "splits")
}

impl<'p> Emitter<'p> {
    pub(super) fn call(
        &mut self,
        name: &'p str,
        arguments: &'p [Term],
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<JqCode> {
        match scope.find_function(name, arguments.len()) {
            Some(Found::Argument(term, scope)) => return self.one(term, &scope, input, before),
            Some(Found::Function(definition, outer)) => {
                return self.written_out(definition, arguments, &outer, scope, input, before);
            }
            None => {}
        }
        match builtins::find(name, arguments.len()) {
            Some(Builtin::Native(native)) => {
                let mut parts = Vec::new();
                let mut evaluate = |argument: &'p Term| {
                    let mut own = TokenStream::new();
                    let code = self.one(argument, scope, &input.shared(), &mut own)?;
                    parts.push((code, own, "argument"));
                    Ok(())
                };
                let in_order = evaluates_in_order(name);
                match in_order {
                    true => arguments.iter().try_for_each(&mut evaluate)?,
                    false => arguments.iter().rev().try_for_each(&mut evaluate)?,
                }
                let mut arguments = self.in_order(parts, before);
                if !in_order {
                    arguments.reverse();
                }
                Ok(self.native(native, input, &arguments))
            }
            Some(Builtin::Defined(definition)) => {
                self.written_out(definition, arguments, &JqScope::default(), scope, input, before)
            }
            Some(Builtin::Special) => self.special(name, arguments, scope, input, before),
            None => untranslated(format!("`{name}`")),
        }
    }

    pub(super) fn each_call(
        &mut self,
        name: &'p str,
        arguments: &'p [Term],
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        match scope.find_function(name, arguments.len()) {
            Some(Found::Argument(term, scope)) => return self.each(term, &scope, input, then),
            Some(Found::Function(definition, outer)) => {
                return self.each_value(definition, arguments, &outer, scope, input, &mut |emitter, inner| {
                    emitter.each(&definition.body, inner, input, then)
                });
            }
            None => {}
        }
        match builtins::find(name, arguments.len()) {
            Some(Builtin::Native(native)) => {
                let mut then = |emitter: &mut Emitter<'p>, arguments: Vec<JqCode>| {
                    if native.returns == Returns::Many {
                        return emitter.native_many(native, input, &arguments, then);
                    }
                    let value = emitter.native(native, input, &arguments);
                    then(emitter, value)
                };
                match arguments {
                    [first, second] if evaluates_in_order(name) => {
                        self.each_bind(first, scope, input, &mut |emitter, one| {
                            emitter.each_bind(second, scope, input, &mut |emitter, other| {
                                emitter.nest(|emitter| then(emitter, vec![one.clone(), other]))
                            })
                        })
                    }
                    _ => self.each_argument(arguments, Vec::new(), scope, input, &mut then),
                }
            }
            Some(Builtin::Defined(definition)) => {
                self.each_value(definition, arguments, &JqScope::default(), scope, input, &mut |emitter, inner| {
                    emitter.each(&definition.body, inner, input, then)
                })
            }
            Some(Builtin::Special) => self.each_special(name, arguments, scope, input, then),
            None => untranslated(format!("`{name}`")),
        }
    }

    /// Emits the single value of a function whose body is inlined here.
    fn written_out(
        &mut self,
        definition: &'p FunctionDef,
        arguments: &'p [Term],
        outer: &JqScope<'p>,
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<JqCode> {
        let mut result = None;
        let takes_values = definition.params.iter().any(|param| param.starts_with('$'));
        let written = self.each_value(definition, arguments, outer, scope, input, &mut |emitter, inner| {
            let mut own = TokenStream::new();
            // The value of an argument may borrow from the input.
            let input = if takes_values { input.shared() } else { input.clone() };
            result = Some(emitter.one(&definition.body, inner, &input, &mut own)?);
            Ok(own)
        })?;
        before.extend(written);
        result.map_or_else(|| untranslated(format!("`{}`", definition.name)), Ok)
    }

    /// Binds the parameters of a function. Values are bound first to last, each with all values of
    /// the next.
    pub(super) fn each_value(
        &mut self,
        definition: &'p FunctionDef,
        arguments: &'p [Term],
        outer: &JqScope<'p>,
        scope: &JqScope<'p>,
        input: &Input,
        then: &mut dyn FnMut(&mut Emitter<'p>, &JqScope<'p>) -> Res<TokenStream>,
    ) -> Res<TokenStream> {
        let inner = self.calling(definition, arguments, outer, scope);
        let values: Vec<(&'p str, &'p Term)> = (definition.params.iter().zip(arguments))
            .filter_map(|(param, argument)| Some((param.strip_prefix('$')?, argument)))
            .collect();
        self.each_of_values(&values, inner, scope, input, then)
    }

    fn each_of_values(
        &mut self,
        values: &[(&'p str, &'p Term)],
        inner: JqScope<'p>,
        scope: &JqScope<'p>,
        input: &Input,
        then: &mut dyn FnMut(&mut Emitter<'p>, &JqScope<'p>) -> Res<TokenStream>,
    ) -> Res<TokenStream> {
        let Some(((name, argument), rest)) = values.split_first() else { return then(self, &inner) };
        self.each(argument, scope, &input.shared(), &mut |emitter, value| {
            let mut before = TokenStream::new();
            let value = emitter.bind(value, name, &mut before);
            let inner = inner.variable(name, value);
            let written = emitter.nest(|emitter| emitter.each_of_values(rest, inner, scope, input, then))?;
            Ok(quote!(#before #written))
        })
    }

    /// Emits loops over all combinations of argument values. The last argument is the outermost
    /// loop.
    pub(super) fn each_argument(
        &mut self,
        arguments: &'p [Term],
        done: Vec<JqCode>,
        scope: &JqScope<'p>,
        input: &Input,
        then: &mut dyn FnMut(&mut Emitter<'p>, Vec<JqCode>) -> Res<TokenStream>,
    ) -> Res<TokenStream> {
        let Some((last, rest)) = arguments.split_last() else { return then(self, done) };
        self.each_bind(last, scope, input, &mut |emitter, code| {
            let mut done = done.clone();
            done.insert(0, code);
            emitter.nest(|emitter| emitter.each_argument(rest, done, scope, input, then))
        })
    }

    /// Emits a call of a runtime function that yields any number of values.
    fn native_many(
        &mut self,
        native: &Native,
        input: &Input,
        arguments: &[JqCode],
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        let value = input.read().as_ref();
        let arguments: Vec<TokenStream> = arguments.iter().map(JqCode::as_ref).collect();
        let name = ident(native.rust);
        self.each_from_closure(quote!(|out| jq::#name(#value #(, #arguments)*, out)), native.name, then)
    }

    /// Emits a call of a runtime function.
    fn native(&mut self, native: &Native, input: &Input, arguments: &[JqCode]) -> JqCode {
        self.loops = true;
        let value = input.read();
        let fails = (value.fails && native.input) || arguments.iter().any(|argument| argument.fails);
        let input = native.input.then_some(&value);
        let operands: Vec<TokenStream> = input.into_iter().chain(arguments).map(JqCode::as_ref).collect();
        let name = ident(native.rust);
        let call = quote!(jq::#name(#(#operands),*));
        let call = if native.fails { self.check(&call) } else { call };
        let code = match native.returns {
            Returns::Value | Returns::Many => JqCode::owned(call),
            Returns::Bool => JqCode::bool(call),
        };
        code.failing(fails || native.fails)
    }
}
