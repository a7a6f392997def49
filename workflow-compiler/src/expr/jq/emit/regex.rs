//! Emission of `sub` and `gsub`: the replacement is evaluated for each match.

use super::code::{JqCode, ident};
use super::scope::JqScope;
use super::{Emitter, Input, Res, Then};
use crate::expr::Literal;
use crate::expr::jq::ast::Term;
use proc_macro2::TokenStream;
use quote::quote;

/// The pattern, the replacement, and the flags.
type Parts<'p> = (&'p Term, &'p Term, Option<&'p Term>);

impl<'p> Emitter<'p> {
    pub(super) fn replaced(
        &mut self,
        name: &str,
        (pattern, replacement, flags): Parts<'p>,
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<JqCode> {
        let mut parts = Vec::new();
        for (term, hint) in [(flags, "flags"), (Some(pattern), "pattern")] {
            let mut own = TokenStream::new();
            let code = match term {
                Some(term) => self.one(term, scope, &input.shared(), &mut own)?,
                None => JqCode::literal(Literal::Null),
            };
            parts.push((code, own, hint));
        }
        let parts = self.in_order(parts, before);
        let (flags, pattern) = (parts[0].as_ref(), parts[1].as_ref());
        let found = self.fresh("found");
        let (body, text) = self.in_closure(|emitter| {
            let mut own = TokenStream::new();
            let inner = Input::new(JqCode::local(&found));
            let text = emitter.one(replacement, scope, &inner, &mut own)?.into_value();
            Ok((own, text))
        })?;
        let value = input.read().as_ref();
        let function = ident(&format!("{name}_with"));
        self.loops = true;
        Ok(self.checked(quote!(jq::#function(#value, #pattern, #flags, |#found| { #body Ok(#text) }))))
    }

    pub(super) fn each_replaced(
        &mut self,
        name: &str,
        (pattern, replacement, flags): Parts<'p>,
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        self.each_bind(pattern, scope, input, &mut |emitter, pattern| {
            emitter.each_bound_of(flags, scope, input, &mut |emitter, flags| {
                let filter = emitter.many_closure(replacement, scope)?;
                let mut before = TokenStream::new();
                let flags = match name {
                    "gsub" => {
                        let flag_text = flags.into_value();
                        let all = emitter.checked(quote!(jq::add(#flag_text, &rt::string("g"))));
                        emitter.bind(all, "flags", &mut before)
                    }
                    _ => flags,
                };
                let (value, pattern, flags) = (input.read().as_ref(), pattern.as_ref(), flags.as_ref());
                let closure = quote!(|out| jq::sub_many(#value, #pattern, #flags, #filter, out));
                let rest = emitter.each_from_closure(closure, "text", then)?;
                Ok(quote!(#before #rest))
            })
        })
    }
}
