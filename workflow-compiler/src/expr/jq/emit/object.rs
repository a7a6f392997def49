//! Emission of array and object constructions.

use super::code::JqCode;
use super::one::hint;
use super::scope::JqScope;
use super::{Emitter, Input, Res, Then};
use crate::expr::Literal;
use crate::expr::jq::ast::{Member, Term, TermKind};
use proc_macro2::TokenStream;
use quote::quote;
use std::collections::BTreeSet;

impl<'p> Emitter<'p> {
    pub(super) fn array(
        &mut self,
        inner: Option<&'p Term>,
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<JqCode> {
        let Some(inner) = inner else { return Ok(self.constant(Literal::Array(Vec::new()))) };
        let parts = match &inner.kind {
            TermKind::Comma(parts) => &parts[..],
            _ => std::slice::from_ref(inner),
        };
        if parts.iter().all(|part| self.is_one(part, scope)) {
            let mut codes = Vec::new();
            for part in parts {
                let mut own = TokenStream::new();
                let code = self.one(part, scope, &input.shared(), &mut own)?;
                codes.push((code, own, "item"));
            }
            let codes = self.in_order(codes, before);
            if let Some(literals) = codes.iter().map(|code| code.literal.clone()).collect() {
                return Ok(self.constant(Literal::Array(literals)));
            }
            let fails = codes.iter().any(|code| code.fails);
            let values: Vec<TokenStream> = codes.into_iter().map(JqCode::into_value).collect();
            return Ok(JqCode::owned(quote!(rt::array([#(#values),*]))).failing(fails));
        }
        let items = self.fresh(&items_hint(inner));
        let body = self.each(inner, scope, &input.shared(), &mut |emitter, value| emitter.push(&items, value))?;
        before.extend(quote!(let mut #items = jq::Values::new(); #body));
        Ok(JqCode::owned(quote!(Value::from(#items))).failing(true))
    }

    pub(super) fn object(
        &mut self,
        members: &'p [Member],
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<JqCode> {
        let mut parts = Vec::new();
        for member in members {
            let mut key_before = TokenStream::new();
            let key = self.key(member, scope, input, &mut key_before)?;
            let key = match member.value {
                None => self.bind(key, "key", &mut key_before),
                Some(_) => key,
            };
            let mut value_before = TokenStream::new();
            let value = self.member_value(member, &key, scope, input, &mut value_before)?;
            parts.push((key, key_before, "key"));
            parts.push((value, value_before, "member"));
        }
        let codes = self.in_order(parts, before);
        let members: Vec<(JqCode, JqCode)> = codes.chunks(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect();
        Ok(self.object_of(members, before))
    }

    /// Emits an object of these members.
    fn object_of(&mut self, members: Vec<(JqCode, JqCode)>, before: &mut TokenStream) -> JqCode {
        let names: Option<Vec<String>> = members.iter().map(|(key, _)| constant_key(key)).collect();
        let fails = members.iter().any(|(key, value)| key.fails || value.fails);
        if let Some(names) = &names
            && names.iter().collect::<BTreeSet<_>>().len() == names.len()
        {
            let literals: Option<Vec<Literal>> = members.iter().map(|(_, value)| value.literal.clone()).collect();
            if let Some(literals) = literals {
                return self.constant(Literal::Object(names.iter().cloned().zip(literals).collect()));
            }
            let values = members.into_iter().map(|(_, value)| value.into_value());
            let values: Vec<TokenStream> = values.collect();
            return JqCode::owned(quote!(rt::object([#((#names, #values)),*]))).failing(fails);
        }
        let object = self.fresh("object");
        before.extend(quote!(let mut #object = rt::Object::new();));
        for (key, value) in members {
            let key = match constant_key(&key) {
                Some(name) => quote!(rt::Str::from_static(#name)),
                None => {
                    let key = key.as_ref();
                    self.check(&quote!(jq::key(#key)))
                }
            };
            let value = value.into_value();
            before.extend(quote!(#object.insert(#key, #value);));
        }
        JqCode::owned(quote!(Value::from(#object))).failing(true)
    }

    pub(super) fn each_object(
        &mut self,
        members: &'p [Member],
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        self.each_member(members, Vec::new(), scope, input, then)
    }

    fn each_member(
        &mut self,
        members: &'p [Member],
        done: Vec<(JqCode, JqCode)>,
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        let Some((member, rest)) = members.split_first() else {
            let mut before = TokenStream::new();
            let object = self.object_of(done, &mut before);
            before.extend(then(self, object)?);
            return Ok(before);
        };
        self.each_key(member, scope, input, &mut |emitter, key| {
            let mut done = done.clone();
            emitter.each_member_value(member, &key.clone(), scope, input, &mut |emitter, value| {
                let mut before = TokenStream::new();
                let value = emitter.bind(value, "member", &mut before);
                done.push((key.clone(), value));
                let all = done.clone();
                done.pop();
                before.extend(emitter.nest(|emitter| emitter.each_member(rest, all, scope, input, then))?);
                Ok(before)
            })
        })
    }

    fn each_key(
        &mut self,
        member: &'p Member,
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        match &member.key.kind {
            TermKind::Variable(name) if member.value.is_none() => {
                then(self, JqCode::literal(Literal::String(name.clone())))
            }
            _ => self.each_bind(&member.key, scope, input, then),
        }
    }

    fn each_member_value(
        &mut self,
        member: &'p Member,
        key: &JqCode,
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        match &member.value {
            Some(value) => self.each(value, scope, input, then),
            None => {
                let mut before = TokenStream::new();
                let value = self.member_value(member, key, scope, input, &mut before)?;
                before.extend(then(self, value)?);
                Ok(before)
            }
        }
    }

    fn key(&mut self, member: &'p Member, scope: &JqScope<'p>, input: &Input, before: &mut TokenStream) -> Res<JqCode> {
        match &member.key.kind {
            TermKind::Variable(name) if member.value.is_none() => Ok(JqCode::literal(Literal::String(name.clone()))),
            _ => self.one(&member.key, scope, &input.shared(), before),
        }
    }

    fn member_value(
        &mut self,
        member: &'p Member,
        key: &JqCode,
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<JqCode> {
        match (&member.value, &member.key.kind) {
            (Some(value), _) => self.one(value, scope, &input.shared(), before),
            (None, TermKind::Variable(_)) => self.one(&member.key, scope, &input.shared(), before),
            (None, _) => {
                let result = self.index_of(input.shared().read(), key, "input", before);
                let value = self.check(&result.tokens);
                Ok(JqCode { tokens: value, ..result }.failing(true))
            }
        }
    }
}

fn constant_key(key: &JqCode) -> Option<String> {
    match &key.literal {
        Some(Literal::String(name)) => Some(name.clone()),
        _ => None,
    }
}

/// Returns a name for an array of the values of a filter.
fn items_hint(inner: &Term) -> String {
    match &*hint(inner) {
        "item" => "items".to_owned(),
        name if name.ends_with('s') => name.to_owned(),
        name => format!("{name}s"),
    }
}
