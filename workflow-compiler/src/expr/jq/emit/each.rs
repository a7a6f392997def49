//! Emission of filters that yield any number of values: statements around a continuation.

use super::Cardinality::One;
use super::code::{CodeKind, JqCode, LabelIdent};
use super::one::hint;
use super::scope::{JqScope, ScopeTarget};
use super::{Emitter, Input, Res, Then, untranslated};
use crate::expr::Literal;
use crate::expr::jq::ast::{Binary, Term, TermKind};
use proc_macro2::TokenStream;
use quote::quote;

impl<'p> Emitter<'p> {
    /// Emits statements that run `then` with each value of a filter.
    pub(super) fn each(
        &mut self,
        term: &'p Term,
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        if self.is_one(term, scope) {
            let mut before = TokenStream::new();
            let value = self.one(term, scope, input, &mut before)?;
            before.extend(then(self, value)?);
            return Ok(before);
        }
        self.nest(|emitter| emitter.each_here(term, scope, input, then))
    }

    fn each_here(
        &mut self,
        term: &'p Term,
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        // Code in a loop runs many times, so it must not move its input.
        let shared = input.shared();
        match &term.kind {
            TermKind::Descend => self.descend(&shared, then),
            TermKind::Break(name) => self.leave(name, scope),
            TermKind::Text(format, pieces) => self.each_text(format.as_deref(), pieces, scope, &shared, then),
            TermKind::Object(members) => self.each_object(members, scope, &shared, then),
            TermKind::Negate(inner) => self.each(inner, scope, &shared, &mut |emitter, value| {
                let value = value.into_value();
                let negated = emitter.checked(quote!(jq::neg(#value)));
                then(emitter, negated)
            }),
            TermKind::Pipe(parts) => self.each_pipe(parts, scope, &shared, then),
            TermKind::Comma(parts) => self.each_of(parts, scope, &shared, then),
            TermKind::Binary(Binary::And | Binary::Or, left, right) => {
                self.each_logic(term, left, right, scope, &shared, then)
            }
            TermKind::Binary(Binary::Alternative, left, right) => {
                self.each_alternative(left, right, scope, &shared, then)
            }
            TermKind::Binary(operator, left, right) => self.each_binary(*operator, left, right, scope, &shared, then),
            TermKind::Update(update, path, value) => self.each_update(*update, path, value, scope, &shared, then),
            TermKind::Bind(source, patterns, body) => self.each_bound(source, patterns, body, scope, &shared, then),
            TermKind::Reduce(source, patterns, init, update) => {
                self.each_reduce(source, patterns, init, update, scope, &shared, then)
            }
            TermKind::Foreach(source, patterns, init, update, extract) => {
                let fold = (&**source, &patterns[..], &**init, &**update, extract.as_deref());
                self.foreach(fold, scope, &shared, then)
            }
            TermKind::If(test, body, otherwise) => {
                self.each_condition(test, body, otherwise.as_deref(), scope, &shared, then)
            }
            TermKind::Try(body, handler) => self.each_caught(body, handler.as_deref(), scope, &shared, then),
            TermKind::Label(name, body) => self.labelled(name, body, scope, &shared, then),
            TermKind::Define(definition, body) => {
                let inner = self.defining(definition, scope);
                self.each(body, &inner, &shared, then)
            }
            TermKind::Index(base, key, optional) => self.each_index(base, key, *optional, scope, &shared, then),
            TermKind::Slice(base, from, to, optional) => {
                let bounds = (from.as_deref(), to.as_deref());
                self.each_slice(base, bounds, *optional, scope, &shared, then)
            }
            TermKind::Iterate(base, optional) => self.iterate(base, *optional, scope, &shared, then),
            TermKind::Call(name, arguments) => self.each_call(name, arguments, scope, &shared, then),
            _ => untranslated("a filter of an unknown kind"),
        }
    }

    /// Emits statements that bind each value of a filter to a name. Subsequent code may be inside
    /// a loop.
    pub(super) fn each_bind(
        &mut self,
        term: &'p Term,
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        self.each(term, scope, &input.shared(), &mut |emitter, value| {
            let mut before = TokenStream::new();
            let value = emitter.bind(value, &hint(term), &mut before);
            before.extend(then(emitter, value)?);
            Ok(before)
        })
    }

    fn each_pipe(
        &mut self,
        parts: &'p [Term],
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        let Some((first, rest)) = parts.split_first() else { return then(self, input.read()) };
        let Some(next) = rest.first() else { return self.each(first, scope, input, then) };
        self.each(first, scope, input, &mut |emitter, value| {
            let mut before = TokenStream::new();
            let input = emitter.next_input(value, first, next, &mut before);
            let rest = emitter.each_pipe_of(rest, scope, &input, then)?;
            Ok(quote!(#before #rest))
        })
    }

    fn each_pipe_of(
        &mut self,
        rest: &'p [Term],
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        match rest {
            [only] => self.each(only, scope, input, then),
            _ => self.nest(|emitter| emitter.each_pipe(rest, scope, input, then)),
        }
    }

    fn each_of(
        &mut self,
        parts: &'p [Term],
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        let mut values = Vec::new();
        for part in parts {
            if !self.is_one(part, scope) {
                break;
            }
            let mut before = TokenStream::new();
            let value = self.one(part, scope, input, &mut before)?;
            // A failure must occur at its own position in the sequence.
            if value.fails || !before.is_empty() {
                break;
            }
            values.push(value);
        }
        if values.len() == parts.len() && parts.len() > 2 {
            let values: Vec<TokenStream> = values.into_iter().map(JqCode::into_value).collect();
            let item = self.fresh("item");
            let body = then(self, JqCode::local(&item))?;
            return Ok(quote!(for #item in [#(#values),*] { #body }));
        }
        let mut all = TokenStream::new();
        for part in parts {
            let body = self.each(part, scope, input, then)?;
            // Names of one part must not be visible in the next.
            all.extend(super::code::enclosed(body));
        }
        Ok(all)
    }

    fn each_logic(
        &mut self,
        term: &'p Term,
        left: &'p Term,
        right: &'p Term,
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        let is_and = matches!(term.kind, TermKind::Binary(Binary::And, ..));
        self.each(left, scope, input, &mut |emitter, value| {
            let test = value.into_test().operand(false);
            let right = emitter.each(right, scope, input, &mut |emitter, value| then(emitter, value.into_test()))?;
            let known = then(emitter, JqCode::literal(Literal::Bool(!is_and)))?;
            Ok(match is_and {
                true => quote!(if #test { #right } else { #known }),
                false => quote!(if #test { #known } else { #right }),
            })
        })
    }

    fn each_alternative(
        &mut self,
        left: &'p Term,
        right: &'p Term,
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        let found = self.fresh("any_found");
        let all = self.each(left, scope, input, &mut |emitter, value| {
            let mut before = TokenStream::new();
            let value = emitter.bind(value, &hint(left), &mut before);
            let test = value.clone().into_test().tokens;
            let body = then(emitter, value)?;
            Ok(quote!(#before if #test { #found = true; #body }))
        })?;
        let otherwise = self.each(right, scope, input, then)?;
        Ok(quote!(let mut #found = false; #all if !#found { #otherwise }))
    }

    fn each_binary(
        &mut self,
        operator: Binary,
        left: &'p Term,
        right: &'p Term,
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        self.each_bind(right, scope, input, &mut |emitter, right| {
            emitter.each(left, scope, input, &mut |emitter, left| {
                let result = emitter.operate(operator, left, &right);
                then(emitter, result)
            })
        })
    }

    fn each_condition(
        &mut self,
        test: &'p Term,
        body: &'p Term,
        otherwise: Option<&'p Term>,
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        self.each(test, scope, input, &mut |emitter, value| {
            let test = value.into_test();
            let body = emitter.each(body, scope, input, then)?;
            let otherwise = match otherwise {
                Some(otherwise) => emitter.each(otherwise, scope, input, then)?,
                None => then(emitter, input.read())?,
            };
            let test = test.tokens;
            Ok(match otherwise.is_empty() {
                true => quote!(if #test { #body }),
                false => quote!(if #test { #body } else { #otherwise }),
            })
        })
    }

    /// Emits `try body catch handler`. Subsequent code is inside the block but its errors leave
    /// the block.
    fn each_caught(
        &mut self,
        body: &'p Term,
        handler: Option<&'p Term>,
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        let label = self.fresh_label("attempt");
        let outer = self.attempt.replace(label.clone());
        let written = self.each(body, scope, input, &mut |emitter, value| {
            // The value itself still belongs to the attempt.
            let mut before = TokenStream::new();
            let value = match value.fails {
                true => emitter.bind(value, &hint(body), &mut before),
                false => value,
            };
            let rest = emitter.outside(&outer, |emitter| then(emitter, value))?;
            Ok(quote!(#before #rest))
        });
        self.attempt = outer;
        let written = written?;
        let caught = self.check(&quote!(error.caught()));
        let (binding, handled) = match handler {
            None => (quote!(), TokenStream::new()),
            Some(handler) => {
                let error = self.fresh("raised");
                let handled = self.each(handler, scope, &Input::new(JqCode::local(&error)), then)?;
                (quote!(let #error =), handled)
            }
        };
        let failed = self.fresh("failed");
        Ok(quote! {
            let #failed: Option<jq::Error> = #label: { #written None };
            if let Some(error) = #failed {
                #binding #caught;
                #handled
            }
        })
    }

    pub(super) fn target(&self, label: &LabelIdent) -> ScopeTarget {
        ScopeTarget { label: label.clone(), closures: self.closures, attempt: self.attempt.clone() }
    }

    fn labelled(
        &mut self,
        name: &'p str,
        body: &'p Term,
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        let label = self.fresh_label(name);
        let inner = scope.label(name, self.target(&label));
        let body = self.each(body, &inner, input, then)?;
        Ok(quote!(#label: { #body }))
    }

    fn leave(&mut self, name: &str, scope: &JqScope<'p>) -> Res<TokenStream> {
        match scope.find_label(name) {
            Some(target) if target.closures == self.closures => match &self.attempt {
                // Like jq, end only the enclosing `try`.
                Some(attempt) if target.attempt.as_ref() != Some(attempt) => {
                    Ok(quote!(break #attempt Some(jq::left());))
                }
                _ => {
                    let label = target.label;
                    Ok(quote!(break #label;))
                }
            },
            _ => untranslated(format!("`break ${name}` out of an argument of a function")),
        }
    }

    fn each_index(
        &mut self,
        base: &'p Term,
        key: &'p Term,
        optional: bool,
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        self.each_bind(key, scope, input, &mut |emitter, key| {
            emitter.each(base, scope, input, &mut |emitter, value| {
                let mut before = TokenStream::new();
                let result = emitter.index_of(value, &key, &hint(base), &mut before);
                let rest = emitter.optional(result, optional, &hint_of(&key), then)?;
                Ok(quote!(#before #rest))
            })
        })
    }

    /// Continues with the value of a `Result`. With `?`, an error yields nothing.
    pub(super) fn optional(
        &mut self,
        result: JqCode,
        optional: bool,
        hint: &str,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        if !optional {
            let value = self.check(&result.tokens);
            return then(self, JqCode { tokens: value, ..result }.failing(true));
        }
        let name = self.fresh(hint);
        let tokens = result.tokens;
        let value = match result.kind {
            CodeKind::Ref => JqCode::reference(quote!(#name)),
            _ => JqCode::local(&name),
        };
        let rest = then(self, value)?;
        Ok(quote!(if let Ok(#name) = #tokens { #rest }))
    }

    fn each_slice(
        &mut self,
        base: &'p Term,
        (from, to): (Option<&'p Term>, Option<&'p Term>),
        optional: bool,
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        self.each_bound_of(from, scope, input, &mut |emitter, from| {
            emitter.each_bound_of(to, scope, input, &mut |emitter, to| {
                emitter.each(base, scope, input, &mut |emitter, value| {
                    let (value, from, to) = (value.as_ref(), from.as_ref(), to.as_ref());
                    let result = JqCode::owned(quote!(jq::slice(#value, #from, #to)));
                    emitter.optional(result, optional, "part", then)
                })
            })
        })
    }

    /// Emits a bound of a slice. A missing bound is null.
    pub(super) fn each_bound_of(
        &mut self,
        bound: Option<&'p Term>,
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        match bound {
            Some(bound) => self.each_bind(bound, scope, input, then),
            None => then(self, JqCode::literal(Literal::Null)),
        }
    }

    fn iterate(
        &mut self,
        base: &'p Term,
        optional: bool,
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        self.each(base, scope, input, &mut |emitter, value| {
            let mut before = TokenStream::new();
            let name = super::one::hint_of_elements(&value, base);
            let items = emitter.lasting(value, &hint(base), &mut before).tokens;
            let items = quote!(jq::iter(#items));
            let items = match optional {
                true => quote!(#items.into_iter().flatten()),
                false => emitter.check(&items),
            };
            let item = emitter.fresh(&name);
            let tick = emitter.tick();
            let body = then(emitter, JqCode::reference(quote!(#item)))?;
            Ok(quote!(#before for #item in #items { #tick #body }))
        })
    }

    fn descend(&mut self, input: &Input, then: Then<'_, 'p>) -> Res<TokenStream> {
        let mut before = TokenStream::new();
        let value = self.lasting(input.read(), "input", &mut before).tokens;
        let item = self.fresh("item");
        let tick = self.tick();
        let body = then(self, JqCode::reference(quote!(#item)))?;
        Ok(quote!(#before for #item in jq::descend(#value) { #tick #body }))
    }

    /// Emits the first value of a filter, as an `Option<Value>`.
    pub(super) fn first_of(&mut self, term: &'p Term, scope: &JqScope<'p>, input: &Input) -> Res<TokenStream> {
        if self.cardinality(term, scope) == One {
            let mut before = TokenStream::new();
            let value = self.one(term, scope, input, &mut before)?.into_value();
            return Ok(quote!({ #before Some(#value) }));
        }
        let label = self.fresh_label("first");
        let body = self.each(term, scope, &input.shared(), &mut |_, value| {
            let value = value.into_value();
            Ok(quote!(break #label Some(#value);))
        })?;
        Ok(quote!(#label: { #body None }))
    }
}

/// Returns a name for a member with this key.
fn hint_of(key: &JqCode) -> String {
    match &key.literal {
        Some(Literal::String(key)) if !key.is_empty() => key.clone(),
        _ => "item".to_owned(),
    }
}
