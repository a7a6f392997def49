//! Emission of variable bindings: `… as $name | …`, `… as [$a, {b: $c}] | …`.

use super::code::JqCode;
use super::one::{hint, reads_input};
use super::scope::JqScope;
use super::{Emitter, Input, Res, Then, untranslated};
use crate::expr::Literal;
use crate::expr::jq::ast::{Pattern, PatternMember, Term};
use proc_macro2::TokenStream;
use quote::quote;

/// A continuation inside the scope of a binding.
pub(super) type Within<'k, 'p> = &'k mut dyn FnMut(&mut Emitter<'p>, &JqScope<'p>) -> Res<TokenStream>;

impl<'p> Emitter<'p> {
    pub(super) fn bound(
        &mut self,
        source: &'p Term,
        patterns: &'p [Pattern],
        body: &'p Term,
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<JqCode> {
        let mut result = None;
        let written = self.each_source(source, patterns, scope, input, &mut |emitter, inner, last| {
            let mut own = TokenStream::new();
            let input = if last { input.clone() } else { input.shared() };
            result = Some(emitter.one(body, inner, &input, &mut own)?);
            Ok(own)
        })?;
        before.extend(written);
        result.map_or_else(|| untranslated("a binding"), Ok)
    }

    pub(super) fn each_bound(
        &mut self,
        source: &'p Term,
        patterns: &'p [Pattern],
        body: &'p Term,
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        if patterns.len() > 1 {
            let input = input.shared();
            return self.alternatives(source, patterns, scope, &input, &mut |emitter, inner| {
                emitter.each(body, inner, &input, then)
            });
        }
        self.each_source(source, patterns, scope, input, &mut |emitter, inner, _| {
            emitter.each(body, inner, input, then)
        })
    }

    /// Binds each value of the source. The flag passed to `then` states whether the input may
    /// still be moved.
    fn each_source(
        &mut self,
        source: &'p Term,
        patterns: &'p [Pattern],
        scope: &JqScope<'p>,
        input: &Input,
        then: &mut dyn FnMut(&mut Emitter<'p>, &JqScope<'p>, bool) -> Res<TokenStream>,
    ) -> Res<TokenStream> {
        let [pattern] = patterns else { return untranslated("the destructuring alternative operator `?//`") };
        let name = match pattern {
            Pattern::Variable(name) => name.clone(),
            _ => hint(source),
        };
        // A value borrowed from the input prevents moving it.
        let owns = !reads_input(source);
        self.each(source, scope, &input.shared(), &mut |emitter, value| {
            let mut before = TokenStream::new();
            let value = emitter.bind(value, &name, &mut before);
            let free = owns || value.is_bool() || value.literal.is_some();
            let rest = emitter
                .destructure(pattern, value, scope, scope, input, &mut |emitter, inner| then(emitter, inner, free))?;
            Ok(quote!(#before #rest))
        })
    }

    /// Binds the variables of a pattern. `keys` are evaluated with the names of `scope` and those
    /// bound so far.
    pub(super) fn destructure(
        &mut self,
        pattern: &'p Pattern,
        value: JqCode,
        scope: &JqScope<'p>,
        inner: &JqScope<'p>,
        input: &Input,
        then: Within<'_, 'p>,
    ) -> Res<TokenStream> {
        match pattern {
            Pattern::Variable(name) => then(self, &inner.variable(name, value)),
            Pattern::Array(items) => self.elements(items, 0, value, scope, inner, input, then),
            Pattern::Object(members) => self.members(members, value, scope, inner, input, then),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "it is one step of a recursion")]
    fn elements(
        &mut self,
        items: &'p [Pattern],
        at: i64,
        value: JqCode,
        scope: &JqScope<'p>,
        inner: &JqScope<'p>,
        input: &Input,
        then: Within<'_, 'p>,
    ) -> Res<TokenStream> {
        let Some((item, rest)) = items.split_first() else { return then(self, inner) };
        let mut before = TokenStream::new();
        let found = self.index_of(value.clone(), &JqCode::literal(Literal::Int(at)), "items", &mut before);
        let found = self.bind_extracted(found, name_of(item), &mut before);
        let written = self.nest(|emitter| {
            emitter.destructure(item, found, scope, inner, input, &mut |emitter, inner| {
                emitter.elements(rest, at + 1, value.clone(), scope, inner, input, then)
            })
        })?;
        Ok(quote!(#before #written))
    }

    fn members(
        &mut self,
        members: &'p [PatternMember],
        value: JqCode,
        scope: &JqScope<'p>,
        inner: &JqScope<'p>,
        input: &Input,
        then: Within<'_, 'p>,
    ) -> Res<TokenStream> {
        let Some((member, rest)) = members.split_first() else { return then(self, inner) };
        let inner = inner.clone();
        self.each_bind(&member.key, &inner.clone(), input, &mut |emitter, key| {
            let mut before = TokenStream::new();
            let found = emitter.index_of(value.clone(), &key, "object", &mut before);
            let name = match (&member.variable, &member.value) {
                (Some(name), _) => name,
                (None, Some(pattern)) => name_of(pattern),
                (None, None) => "member",
            };
            let found = emitter.bind_extracted(found, name, &mut before);
            let inner = match &member.variable {
                Some(name) => inner.variable(name, found.clone()),
                None => inner.clone(),
            };
            let written = emitter.nest(|emitter| match &member.value {
                Some(pattern) => emitter.destructure(pattern, found, scope, &inner, input, &mut |emitter, inner| {
                    emitter.members(rest, value.clone(), scope, inner, input, then)
                }),
                None => emitter.members(rest, value.clone(), scope, &inner, input, then),
            })?;
            Ok(quote!(#before #written))
        })
    }

    /// Binds an extracted part, taken out of its `Result`.
    fn bind_extracted(&mut self, found: JqCode, name: &str, before: &mut TokenStream) -> JqCode {
        let value = self.check(&found.tokens);
        self.bind(JqCode { tokens: value, ..found }, name, before)
    }

    /// Emits `source as p ?// q | …`. An error in the body leads to the next pattern, with all
    /// variables set to null.
    pub(super) fn alternatives(
        &mut self,
        source: &'p Term,
        patterns: &'p [Pattern],
        scope: &JqScope<'p>,
        input: &Input,
        then: Within<'_, 'p>,
    ) -> Res<TokenStream> {
        let input = &input.shared();
        let mut all = scope.clone();
        for pattern in patterns {
            for name in pattern.variables() {
                all = all.variable(name, JqCode::literal(Literal::Null));
            }
        }
        let Some((last, first)) = patterns.split_last() else { return untranslated("a binding without a pattern") };
        self.each_bind(source, scope, input, &mut |emitter, value| {
            let done = emitter.fresh("failed");
            let mut written = quote!(let mut #done = true;);
            for pattern in first {
                let label = emitter.fresh_label("attempt");
                let outer = emitter.attempt.replace(label.clone());
                emitter.alternatives += 1;
                let body = emitter.destructure(pattern, value.clone(), scope, &all, input, then);
                emitter.alternatives -= 1;
                emitter.attempt = outer;
                let body = body?;
                let caught = emitter.check(&quote!(error.caught()));
                let failed = emitter.fresh("failure");
                written.extend(quote! {
                    if #done {
                        let #failed: Option<jq::Error> = #label: { #body None };
                        match #failed { Some(error) => { #caught; } None => #done = false }
                    }
                });
            }
            let body = emitter.destructure(last, value, scope, &all, input, then)?;
            written.extend(quote!(if #done { #body }));
            Ok(written)
        })
    }
}

fn name_of(pattern: &Pattern) -> &str {
    match pattern {
        Pattern::Variable(name) => name,
        Pattern::Array(_) => "items",
        Pattern::Object(_) => "object",
    }
}
