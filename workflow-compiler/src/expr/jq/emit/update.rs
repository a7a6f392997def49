//! Emission of updates: `path |= f`, `path = f`, `path += f`, `del(path)`.
//!
//! The value is edited in place if the path leads to disjoint locations by steps that do not
//! depend on the edited parts. Otherwise all paths are collected first, as in jq.

use super::code::{CodeKind, JqCode};
use super::one::{hint, hint_of_items, reads_input};
use super::scope::{Found, JqScope};
use super::{Emitter, Input, Res, Then, untranslated};
use crate::expr::Literal;
use crate::expr::jq::ast::{Term, TermKind, Update};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// A continuation that takes the `&mut Value` expression of a location.
type AtPlace<'k, 'p> = &'k mut dyn FnMut(&mut Emitter<'p>, TokenStream) -> Res<TokenStream>;

/// Returns `true` if a program begins by changing its input.
pub(super) fn changes_input(program: &Term) -> bool {
    match &program.kind {
        TermKind::Update(..) => true,
        TermKind::Pipe(parts) => parts.first().is_some_and(changes_input),
        TermKind::Call(name, arguments) => matches!((&**name, arguments.len()), ("del" | "map_values" | "walk", 1)),
        _ => false,
    }
}

impl<'p> Emitter<'p> {
    /// Emits an update that yields one value.
    pub(super) fn update(
        &mut self,
        update: Update,
        path: &'p Term,
        value: &'p Term,
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<JqCode> {
        if update == Update::Modify {
            return self.modify(path, value, scope, input, before);
        }
        let code = self.one(value, scope, &input.shared(), before)?;
        // A value borrowed from the input prevents changing it.
        let borrows = input.last && input.code.kind == CodeKind::Local && reads_input(value);
        let is_borrowed = matches!(code.kind, CodeKind::Ref | CodeKind::Local) && code.literal.is_none();
        let code = if borrows && is_borrowed { JqCode::owned(code.into_value()) } else { code };
        let is_own = code.kind == CodeKind::Owned && code.literal.is_none();
        let code = self.bind(code, &hint(value), before);
        let code = if is_own { code.moved() } else { code };
        self.change(update, path, &code, scope, input, before)
    }

    pub(super) fn each_update(
        &mut self,
        update: Update,
        path: &'p Term,
        value: &'p Term,
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        self.each_bind(value, scope, input, &mut |emitter, code| {
            let mut before = TokenStream::new();
            let result = emitter.change(update, path, &code, scope, &input.shared(), &mut before)?;
            before.extend(then(emitter, result)?);
            Ok(before)
        })
    }

    /// Returns the local that holds the value to change: the local of the input, if this is its
    /// last read.
    fn result(&mut self, input: &Input, before: &mut TokenStream) -> Ident {
        let value = input.read();
        if let (CodeKind::Owned, Some(name)) = (value.kind, value.name())
            && self.changeable.contains(&name)
        {
            self.changed.insert(name.clone());
            return name;
        }
        let result = self.fresh("result");
        let value = value.into_value();
        before.extend(quote!(let mut #result = #value;));
        self.changeable.insert(result.clone());
        result
    }

    /// Emits `=`, `+=` and the other updates with a given value.
    fn change(
        &mut self,
        update: Update,
        path: &'p Term,
        value: &JqCode,
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<JqCode> {
        if self.is_direct(path, scope, &mut false) {
            let result = self.result(input, before);
            let value = if may_repeat(path, scope) { value.clone().shared() } else { value.clone() };
            let written = self.direct(path, scope, quote!(&mut #result), &mut |emitter, place| {
                emitter.change_at(update, place, &value)
            })?;
            before.extend(written);
            return Ok(JqCode::local(&result).moved());
        }
        let paths = self.all_paths(path, scope, input, before)?;
        let result = self.result(input, before);
        let path = self.fresh("path");
        let tick = self.tick();
        let value = &value.clone().shared();
        let new = match update {
            Update::Assign => value.clone().into_value(),
            _ => {
                let old = self.check(&quote!(jq::getpath(&#result, &#path)));
                match update {
                    Update::Math(operator) => self.operate(operator, JqCode::owned(old), value).into_value(),
                    _ => {
                        let value = value.clone().into_value();
                        quote!(match #old { value if jq::truthy(&value) => value, _ => #value })
                    }
                }
            }
        };
        let set = self.check(&quote!(jq::setpath(#result, &#path, new)));
        before.extend(quote!(for #path in #paths { #tick let new = #new; #result = #set; }));
        Ok(JqCode::local(&result).moved())
    }

    fn change_at(&mut self, update: Update, place: TokenStream, value: &JqCode) -> Res<TokenStream> {
        let (binding, place) = self.place_name(place);
        Ok(match update {
            Update::Math(operator) => {
                let new = self.operate(operator, JqCode::owned(quote!(#place.take())), value).into_value();
                quote!(#binding *#place = #new;)
            }
            Update::Default => {
                let value = value.clone().into_value();
                quote!(#binding if !jq::truthy(#place) { *#place = #value; })
            }
            Update::Assign | Update::Modify => {
                let value = value.clone().into_value();
                quote!(#binding *#place = #value;)
            }
        })
    }

    /// Binds a location that is about to be changed to a name.
    fn place_name(&mut self, place: TokenStream) -> (TokenStream, TokenStream) {
        let code = JqCode::reference(place.clone());
        match code.name() {
            Some(name) => (TokenStream::new(), quote!(#name)),
            None => {
                let name = self.fresh("place");
                (quote!(let #name = #place;), quote!(#name))
            }
        }
    }

    /// Emits `path |= value`.
    fn modify(
        &mut self,
        path: &'p Term,
        value: &'p Term,
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<JqCode> {
        if self.is_one(value, scope) && self.is_direct(path, scope, &mut false) {
            let result = self.result(input, before);
            let name = hint(path);
            let written = self.direct(path, scope, quote!(&mut #result), &mut |emitter, place| {
                let (binding, place) = emitter.place_name(place);
                let old = emitter.fresh(&format!("old_{name}"));
                emitter.changeable.insert(old.clone());
                let mut own = TokenStream::new();
                let new = emitter.one(value, scope, &Input::new(JqCode::local(&old)), &mut own)?.into_value();
                Ok(quote!(#binding let #old = #place.take(); #own *#place = #new;))
            })?;
            before.extend(written);
            return Ok(JqCode::local(&result).moved());
        }
        let paths = self.all_paths(path, scope, input, before)?;
        let result = self.result(input, before);
        let (path, old) = (self.fresh("path"), self.fresh("old"));
        let tick = self.tick();
        let got = self.check(&quote!(jq::getpath(&#result, &#path)));
        let inner = Input { code: JqCode::local(&old), last: true };
        if self.is_one(value, scope) {
            let mut own = TokenStream::new();
            let new = self.one(value, scope, &inner, &mut own)?.into_value();
            let set = self.check(&quote!(jq::setpath(#result, &#path, new)));
            before.extend(quote! {
                for #path in #paths { #tick let #old = #got; #own let new = #new; #result = #set; }
            });
        } else {
            let deleted = self.fresh("deleted");
            let new = self.first_of(value, scope, &inner)?;
            let set = self.check(&quote!(jq::setpath(#result, &#path, new)));
            let delete = self.check(&quote!(jq::delpaths(#result, &Value::from(#deleted))));
            before.extend(quote! {
                let mut #deleted = jq::Values::new();
                for #path in #paths {
                    #tick
                    let #old = #got;
                    let new: Option<Value> = #new;
                    match new {
                        Some(new) => #result = #set,
                        None => #deleted.push(#path),
                    }
                }
                #result = #delete;
            });
        }
        Ok(JqCode::local(&result).moved())
    }

    /// Emits `del(path)`.
    pub(super) fn delete(
        &mut self,
        path: &'p Term,
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<JqCode> {
        let paths = self.all_paths(path, scope, input, before)?;
        let value = input.read().into_value();
        Ok(self.checked(quote!(jq::delpaths(#value, &Value::from(#paths)))))
    }

    /// Returns `true` if the locations of a path can be edited in place. `made` states that the
    /// last step creates missing members, so that no step may depend on it.
    fn is_direct(&mut self, path: &'p Term, scope: &JqScope<'p>, made: &mut bool) -> bool {
        match &path.kind {
            TermKind::Identity => true,
            TermKind::Index(base, key, false) => {
                let direct = self.is_direct(base, scope, made) && is_steady(key, scope);
                *made = true;
                direct
            }
            TermKind::Iterate(base, false) => {
                let direct = self.is_direct(base, scope, made);
                *made = false;
                direct
            }
            TermKind::Pipe(parts) => parts.iter().all(|part| self.is_direct(part, scope, made)),
            TermKind::Call(name, arguments) => match scope.find_function(name, arguments.len()) {
                Some(Found::Argument(term, scope)) => self.is_direct(term, &scope, made),
                Some(Found::Function(..)) => false,
                None => match (&**name, &arguments[..]) {
                    ("select", [test]) => !*made && self.is_one(test, scope),
                    _ => false,
                },
            },
            _ => false,
        }
    }

    fn direct(
        &mut self,
        path: &'p Term,
        scope: &JqScope<'p>,
        place: TokenStream,
        then: AtPlace<'_, 'p>,
    ) -> Res<TokenStream> {
        self.nest(|emitter| match &path.kind {
            TermKind::Identity => then(emitter, place),
            TermKind::Index(base, key, _) => emitter.direct(base, scope, place, &mut |emitter, place| {
                let null = Input::new(JqCode::literal(Literal::Null));
                let key = emitter.one(key, scope, &null, &mut TokenStream::new())?;
                let step = match &key.literal {
                    Some(Literal::String(name)) => quote!(jq::get_mut(#place, #name)),
                    Some(Literal::Int(position)) => {
                        let position = proc_macro2::Literal::i64_unsuffixed(*position);
                        quote!(jq::at_mut(#place, #position))
                    }
                    _ => {
                        let key = key.as_ref();
                        quote!(jq::index_mut(#place, #key))
                    }
                };
                let step = emitter.check(&step);
                then(emitter, step)
            }),
            TermKind::Iterate(base, _) => emitter.direct(base, scope, place, &mut |emitter, place| {
                let items = emitter.check(&quote!(jq::iter_mut(#place)));
                let item = emitter.fresh(&hint_of_items(base));
                let tick = emitter.tick();
                let body = then(emitter, quote!(#item))?;
                Ok(quote!(for #item in #items { #tick #body }))
            }),
            TermKind::Pipe(parts) => emitter.direct_pipe(parts, scope, place, then),
            TermKind::Call(name, arguments) => match (scope.find_function(name, arguments.len()), &arguments[..]) {
                (Some(Found::Argument(term, scope)), _) => emitter.direct(term, &scope, place, then),
                (None, [test]) => {
                    let (binding, place) = emitter.place_name(place);
                    let input = Input { code: JqCode::reference(quote!(&*#place)), last: false };
                    let mut before = TokenStream::new();
                    let test = emitter.one(test, scope, &input, &mut before)?.into_test().tokens;
                    let body = then(emitter, place)?;
                    Ok(quote!(#binding #before if #test { #body }))
                }
                _ => untranslated(format!("`{name}` in the path of an update")),
            },
            _ => untranslated("the path of this update"),
        })
    }

    fn direct_pipe(
        &mut self,
        parts: &'p [Term],
        scope: &JqScope<'p>,
        place: TokenStream,
        then: AtPlace<'_, 'p>,
    ) -> Res<TokenStream> {
        let Some((first, rest)) = parts.split_first() else { return then(self, place) };
        self.direct(first, scope, place, &mut |emitter, place| emitter.direct_pipe(rest, scope, place, then))
    }
}

/// Returns `true` if a path whose locations can be edited in place may lead to several.
fn may_repeat(path: &Term, scope: &JqScope<'_>) -> bool {
    match &path.kind {
        TermKind::Identity => false,
        TermKind::Index(base, ..) => may_repeat(base, scope),
        TermKind::Pipe(parts) => parts.iter().any(|part| may_repeat(part, scope)),
        TermKind::Call(name, arguments) => match scope.find_function(name, arguments.len()) {
            Some(Found::Argument(term, scope)) => may_repeat(term, &scope),
            _ => false,
        },
        _ => true,
    }
}

/// Returns `true` if a key does not depend on the value that it is applied to.
fn is_steady(key: &Term, scope: &JqScope<'_>) -> bool {
    match &key.kind {
        TermKind::Number(_) => true,
        TermKind::Variable(name) => scope.find_variable(name).is_some(),
        TermKind::Negate(inner) => matches!(inner.kind, TermKind::Number(_)),
        _ => key.as_str().is_some(),
    }
}
