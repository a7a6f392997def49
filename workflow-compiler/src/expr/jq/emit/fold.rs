//! Emission of `reduce` and `foreach`, whose state is modified in place.

use super::code::JqCode;
use super::one::hint;
use super::pattern::Within;
use super::scope::JqScope;
use super::{Emitter, Input, Res, Then};
use crate::expr::jq::ast::{Pattern, Term};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// Source, patterns, initial state, update, and extraction.
pub(super) type Foreach<'p> = (&'p Term, &'p [Pattern], &'p Term, &'p Term, Option<&'p Term>);

/// The local that holds the state of a fold.
struct State {
    name: Ident,
    /// The nesting of alternatives in which the state was created.
    alternatives: usize,
}

impl<'p> Emitter<'p> {
    #[expect(clippy::too_many_arguments, reason = "`reduce` and `foreach` have this many operands")]
    pub(super) fn reduce(
        &mut self,
        source: &'p Term,
        patterns: &'p [Pattern],
        init: &'p Term,
        update: &'p Term,
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<JqCode> {
        let init = self.one(init, scope, &input.shared(), before)?;
        let state = self.state("result", init, before);
        let body = self
            .turns(source, patterns, scope, input, &mut |emitter, inner| emitter.next_state(&state, update, inner))?;
        before.extend(body);
        Ok(JqCode::local(&state.name).moved())
    }

    #[expect(clippy::too_many_arguments, reason = "`reduce` and `foreach` have this many operands")]
    pub(super) fn each_reduce(
        &mut self,
        source: &'p Term,
        patterns: &'p [Pattern],
        init: &'p Term,
        update: &'p Term,
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        self.each(init, scope, input, &mut |emitter, init| {
            let mut before = TokenStream::new();
            let state = emitter.state("result", init, &mut before);
            let body = emitter.turns(source, patterns, scope, input, &mut |emitter, inner| {
                emitter.next_state(&state, update, inner)
            })?;
            let rest = then(emitter, JqCode::local(&state.name))?;
            Ok(quote!(#before #body #rest))
        })
    }

    pub(super) fn foreach(
        &mut self,
        (source, patterns, init, update, extract): Foreach<'p>,
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        self.each(init, scope, input, &mut |emitter, init| {
            let mut before = TokenStream::new();
            let state = emitter.state("state", init, &mut before);
            let body = emitter.turns(source, patterns, scope, input, &mut |emitter, inner| {
                let mut extracted = |emitter: &mut Self, state: &Ident| match extract {
                    Some(extract) => {
                        let input = Input { code: JqCode::local(state), last: false };
                        emitter.each(extract, inner, &input, then)
                    }
                    None => then(emitter, JqCode::local(state)),
                };
                if emitter.is_one(update, inner) {
                    let next = emitter.next_state(&state, update, inner)?;
                    let rest = extracted(emitter, &state.name)?;
                    return Ok(quote!(#next #rest));
                }
                let (state, last) = (&state.name, emitter.fresh("last"));
                let input = Input { code: JqCode::local(state), last: false };
                let all = emitter.each(update, inner, &input, &mut |emitter, value| {
                    let name = emitter.fresh("next");
                    let value = value.into_value();
                    let rest = extracted(emitter, &name)?;
                    Ok(quote!(let #name = #value; #rest #last = #name;))
                })?;
                // If the update yields no value, the state becomes null, as in jq.
                Ok(quote!(let mut #last = Value::Null; #all #state = #last;))
            })?;
            Ok(quote!(#before #body))
        })
    }

    /// Emits the local that holds the state.
    fn state(&mut self, name: &str, init: JqCode, before: &mut TokenStream) -> State {
        let name = self.fresh(name);
        let init = init.into_value();
        before.extend(quote!(let mut #name = #init;));
        self.changeable.insert(name.clone());
        State { name, alternatives: self.alternatives }
    }

    /// Emits the body of the loop over the destructured values of the source.
    fn turns(
        &mut self,
        source: &'p Term,
        patterns: &'p [Pattern],
        scope: &JqScope<'p>,
        input: &Input,
        then: Within<'_, 'p>,
    ) -> Res<TokenStream> {
        let input = input.shared();
        let [pattern] = patterns else { return self.alternatives(source, patterns, scope, &input, then) };
        let name = match pattern {
            Pattern::Variable(name) => name.clone(),
            _ => hint(source),
        };
        self.each(source, scope, &input, &mut |emitter, value| {
            let mut before = TokenStream::new();
            let value = emitter.bind(value, &name, &mut before);
            let body = emitter.destructure(pattern, value, scope, scope, &input, then)?;
            Ok(quote!(#before #body))
        })
    }

    /// Emits the next state: the last value of the update, or null if there is none.
    fn next_state(&mut self, state: &State, update: &'p Term, scope: &JqScope<'p>) -> Res<TokenStream> {
        let State { name: state, alternatives } = state;
        if self.is_one(update, scope) {
            let mut before = TokenStream::new();
            // If an alternative fails, the next alternative continues with the same state.
            let input = Input { code: JqCode::local(state), last: self.alternatives == *alternatives };
            let value = self.one(update, scope, &input, &mut before)?;
            if value.name().is_some_and(|name| name == *state) {
                return Ok(before);
            }
            let value = value.into_value();
            return Ok(quote!(#before #state = #value;));
        }
        let next = self.fresh("next");
        let input = Input { code: JqCode::local(state), last: false };
        let body = self.each(update, scope, &input, &mut |_, value| {
            let value = value.into_value();
            Ok(quote!(#next = #value;))
        })?;
        Ok(quote!(let mut #next = Value::Null; #body #state = #next;))
    }
}
