//! Emission of special functions, each with its own rule.

use super::code::{JqCode, ident};
use super::one::hint;
use super::scope::JqScope;
use super::{Emitter, Input, Res, Then, untranslated};
use crate::expr::Literal;
use crate::expr::jq::ast::{Term, TermKind};
use proc_macro2::TokenStream;
use quote::quote;

impl<'p> Emitter<'p> {
    /// Emits the single value of a special function.
    pub(super) fn special(
        &mut self,
        name: &'p str,
        arguments: &'p [Term],
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<JqCode> {
        Ok(match (name, arguments) {
            ("true", []) => JqCode::literal(Literal::Bool(true)),
            ("false", []) => JqCode::literal(Literal::Bool(false)),
            ("null", []) => JqCode::literal(Literal::Null),
            ("nan" | "infinite", []) => {
                self.computes = true;
                let name = ident(name);
                JqCode::owned(quote!(jq::#name()))
            }
            ("now", []) => {
                self.now = true;
                JqCode::owned(quote!(Value::Float(now)))
            }
            ("not", []) => input.read().into_negation(),
            ("toarray", []) => {
                let value = input.read().as_ref();
                JqCode::owned(quote!(jq::toarray(#value)))
            }
            ("error", []) => {
                let value = input.shared().read().into_value();
                self.checked(quote!(jq::raise(#value)))
            }
            ("error", [message]) => {
                let value = self.one(message, scope, input, before)?.into_value();
                self.checked(quote!(jq::raise(#value)))
            }
            ("first" | "last", [term]) => self.one(term, scope, input, before)?,
            ("isempty", [term]) => self.is_empty(term, scope, input, before)?,
            ("any" | "all", _) => self.any_or_all(name == "any", arguments, scope, input, before)?,
            ("del", [path]) => self.delete(path, scope, input, before)?,
            ("path", [path]) => self.one_path(path, scope, input, before)?,
            ("delpaths", [paths]) => {
                let paths = self.one(paths, scope, &input.shared(), before)?;
                let (value, paths) = (input.shared().read().into_value(), paths.as_ref());
                self.checked(quote!(jq::delpaths(#value, #paths)))
            }
            ("setpath", [path, value]) => {
                let mut parts = Vec::new();
                for (term, hint) in [(value, "member"), (path, "path")] {
                    let mut own = TokenStream::new();
                    let code = self.one(term, scope, &input.shared(), &mut own)?;
                    parts.push((code, own, hint));
                }
                let parts = self.in_order(parts, before);
                let (value, path) = (parts[0].clone().into_value(), parts[1].as_ref());
                let input = input.shared().read().into_value();
                self.checked(quote!(jq::setpath(#input, #path, #value)))
            }
            ("until", [condition, update]) => self.until(condition, update, scope, input, before)?,
            ("sort_by" | "group_by" | "unique_by" | "min_by" | "max_by", [key]) => {
                self.by_key(name, key, scope, input)?
            }
            ("walk", [filter]) => self.walk(filter, scope, input)?,
            ("sub" | "gsub", [pattern, replacement, flags @ ..]) => {
                self.replaced(name, (pattern, replacement, flags.first()), scope, input, before)?
            }
            _ => return untranslated(format!("`{name}`")),
        })
    }

    /// Emits all values of a special function.
    pub(super) fn each_special(
        &mut self,
        name: &'p str,
        arguments: &'p [Term],
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        match (name, arguments) {
            ("empty", []) => Ok(TokenStream::new()),
            ("select", [test]) => self.each(test, scope, input, &mut |emitter, value| {
                let test = value.into_test().tokens;
                let body = then(emitter, input.read())?;
                Ok(quote!(if #test { #body }))
            }),
            ("first", [term]) => {
                let found = self.first_of(term, scope, input)?;
                let name = self.fresh(&hint(term));
                let body = then(self, JqCode::local(&name))?;
                Ok(quote!(let #name: Option<Value> = #found; if let Some(#name) = #name { #body }))
            }
            ("last", [term]) => {
                let name = self.fresh("last");
                let all = self.each(term, scope, input, &mut |_, value| {
                    let value = value.into_value();
                    Ok(quote!(#name = Some(#value);))
                })?;
                let body = then(self, JqCode::local(&name))?;
                Ok(quote!(let mut #name: Option<Value> = None; #all if let Some(#name) = #name { #body }))
            }
            ("error", [message]) => self.each(message, scope, input, &mut |emitter, value| {
                let value = value.into_value();
                let raised = emitter.checked(quote!(jq::raise(#value)));
                then(emitter, raised)
            }),
            ("limit", [count, term]) => self.each_bind(count, scope, input, &mut |emitter, count| {
                emitter.limited(&count, "limit", &mut |emitter, count, label| {
                    emitter.each(term, scope, input, &mut |emitter, value| {
                        let body = then(emitter, value)?;
                        emitter.counted(count, label, body)
                    })
                })
            }),
            ("skip", [count, term]) => self.each_bind(count, scope, input, &mut |emitter, count| {
                emitter.skipping(&count, &mut |emitter, count| {
                    emitter.each(term, scope, input, &mut |emitter, value| {
                        // A fallible value fails here, too.
                        let tokens = &value.tokens;
                        let evaluated = value.fails.then(|| quote!(let _ = #tokens;));
                        let body = then(emitter, value)?;
                        Ok(quote!(if #count > 0 { #count -= 1; #evaluated } else { #body }))
                    })
                })
            }),
            ("range", _) => self.range(arguments, scope, input, then),
            ("recurse", []) => self.each(descend(), scope, input, then),
            ("recurse", [next]) => self.recurse(None, next, scope, input, then),
            ("while", [condition, next]) => self.recurse(Some(condition), next, scope, input, then),
            ("repeat", [term]) => {
                let tick = self.tick();
                let body = self.each(term, scope, input, then)?;
                Ok(quote!(loop { #tick #body }))
            }
            ("path", [path]) => self.each_path_value(path, scope, input, then),
            ("until", [condition, next]) if self.is_one(condition, scope) => {
                let value = input.read().into_value();
                let item = self.fresh("state");
                let (body, test) = self.in_closure(|emitter| {
                    let mut own = TokenStream::new();
                    let inner = Input::new(JqCode::reference(quote!(#item)));
                    let test = emitter.one(condition, scope, &inner, &mut own)?.into_test().tokens;
                    Ok((own, test))
                })?;
                let next = self.many_closure(next, scope)?;
                let until = quote!(|out| jq::until_many(#value, |#item| { #body Ok(#test) }, #next, out));
                self.each_from_closure(until, "result", then)
            }
            ("walk", [filter]) => {
                let value = input.read().into_value();
                let filter = self.many_closure(filter, scope)?;
                self.each_from_closure(quote!(|out| jq::walk_many(#value, #filter, out)), "walked", then)
            }
            ("setpath", [_, _]) | ("delpaths", [_]) => {
                self.each_argument(arguments, Vec::new(), scope, input, &mut |emitter, codes| {
                    let value = input.shared().read().into_value();
                    let call = match &codes[..] {
                        [path, new] => {
                            let (path, new) = (path.as_ref(), new.clone().into_value());
                            quote!(jq::setpath(#value, #path, #new))
                        }
                        _ => {
                            let paths: Vec<TokenStream> = codes.iter().map(JqCode::as_ref).collect();
                            quote!(jq::delpaths(#value, #(#paths),*))
                        }
                    };
                    let changed = emitter.checked(call);
                    then(emitter, changed)
                })
            }
            ("sub" | "gsub", [pattern, replacement, flags @ ..]) => {
                let parts = (pattern, replacement, flags.first());
                self.each_replaced(name, parts, scope, input, then)
            }
            _ => untranslated(format!("`{name}` with an argument that has several results")),
        }
    }

    /// Emits a closure that passes the values of a filter to another closure.
    pub(super) fn many_closure(&mut self, filter: &'p Term, scope: &JqScope<'p>) -> Res<TokenStream> {
        let item = self.fresh("part");
        let body = self.in_closure(|emitter| {
            let inner = Input { code: JqCode::local(&item), last: false };
            emitter.each(filter, scope, &inner, &mut |emitter, value| {
                let value = value.into_value();
                let passed = emitter.check(&quote!(out(#value)));
                Ok(quote!(#passed;))
            })
        })?;
        Ok(quote!(&mut |#item, out| { #body Ok(()) }))
    }

    /// Emits the values that a runtime function passes to a closure.
    pub(super) fn each_from_closure(
        &mut self,
        closure: TokenStream,
        name: &str,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        let all = self.check(&quote!(jq::collect(#closure)));
        let item = self.fresh(name);
        let tick = self.tick();
        let body = then(self, JqCode::local(&item))?;
        Ok(quote!(for #item in #all { #tick #body }))
    }

    /// Emits a block that `body` leaves after a number of values.
    pub(super) fn limited(
        &mut self,
        count: &JqCode,
        name: &str,
        body: &mut dyn FnMut(&mut Self, &proc_macro2::Ident, &super::LabelIdent) -> Res<TokenStream>,
    ) -> Res<TokenStream> {
        let (left, label) = (self.fresh("left"), self.fresh_label(name));
        let count = count.as_ref();
        let count = self.check(&quote!(jq::limit(#count)));
        let body = body(self, &left, &label)?;
        Ok(quote! {
            let mut #left = #count;
            #label: {
                if #left > 0 { #body }
            }
        })
    }

    pub(super) fn counted(
        &mut self,
        left: &proc_macro2::Ident,
        label: &super::LabelIdent,
        body: TokenStream,
    ) -> Res<TokenStream> {
        Ok(quote!(#left -= 1; #body if #left == 0 { break #label; }))
    }

    pub(super) fn skipping(
        &mut self,
        count: &JqCode,
        body: &mut dyn FnMut(&mut Self, &proc_macro2::Ident) -> Res<TokenStream>,
    ) -> Res<TokenStream> {
        let left = self.fresh("skipped");
        let count = count.as_ref();
        let count = self.check(&quote!(jq::skip(#count)));
        let body = body(self, &left)?;
        Ok(quote!(let mut #left = #count; #body))
    }

    fn is_empty(
        &mut self,
        term: &'p Term,
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<JqCode> {
        let label = self.fresh_label("values");
        let body = self.each(term, scope, &input.shared(), &mut |_, value| {
            // A fallible value must be evaluated, any other is not needed.
            let tokens = value.tokens;
            let evaluated = value.fails.then(|| quote!(let _ = #tokens;));
            Ok(quote!(#evaluated break #label false;))
        })?;
        let name = self.fresh("is_empty");
        before.extend(quote!(let #name = #label: { #body true };));
        Ok(JqCode::bool(quote!(#name)))
    }

    /// Emits `any`, `any(condition)`, `any(values; condition)`, and the same for `all`.
    fn any_or_all(
        &mut self,
        is_any: bool,
        arguments: &'p [Term],
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<JqCode> {
        let (values, condition) = match arguments {
            [] => (items(), identity()),
            [condition] => (items(), condition),
            [values, condition, ..] => (values, condition),
        };
        let label = self.fresh_label(if is_any { "any" } else { "all" });
        let body = self.each(values, scope, &input.shared(), &mut |emitter, value| {
            let mut own = TokenStream::new();
            let inner = emitter.next_input(value, values, condition, &mut own);
            let tests = emitter.each(condition, scope, &inner, &mut |_, value| {
                let test = if is_any { value.into_test() } else { value.into_negation() }.tokens;
                Ok(quote!(if #test { break #label #is_any; }))
            })?;
            Ok(quote!(#own #tests))
        })?;
        let otherwise = !is_any;
        let name = self.fresh(if is_any { "any" } else { "all" });
        before.extend(quote!(let #name = #label: { #body #otherwise };));
        Ok(JqCode::bool(quote!(#name)))
    }

    fn until(
        &mut self,
        condition: &'p Term,
        update: &'p Term,
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<JqCode> {
        let state = self.fresh("result");
        self.changeable.insert(state.clone());
        let init = input.shared().read().into_value();
        let tick = self.tick();
        let mut test_before = TokenStream::new();
        let shared = Input { code: JqCode::local(&state), last: false };
        let test = self.one(condition, scope, &shared, &mut test_before)?.into_test().tokens;
        let mut own = TokenStream::new();
        let owned = Input { code: JqCode::local(&state), last: true };
        let next = self.one(update, scope, &owned, &mut own)?;
        let next = match next.name() {
            Some(name) if name == state => TokenStream::new(),
            _ => {
                let next = next.into_value();
                quote!(#state = #next;)
            }
        };
        before.extend(quote! {
            let mut #state = #init;
            loop { #tick #test_before if #test { break; } #own #next }
        });
        Ok(JqCode::local(&state).moved())
    }

    /// Emits runtime functions that take the key of an element.
    fn by_key(&mut self, name: &str, key: &'p Term, scope: &JqScope<'p>, input: &Input) -> Res<JqCode> {
        let item = self.fresh("item");
        let (body, result) = self.in_closure(|emitter| {
            let inner = Input::new(JqCode::reference(quote!(#item)));
            let mut own = TokenStream::new();
            let value = match emitter.is_one(key, scope) {
                true => emitter.one(key, scope, &inner, &mut own)?.into_value(),
                false => {
                    let keys = emitter.fresh("keys");
                    let body = emitter.each(key, scope, &inner, &mut |emitter, value| emitter.push(&keys, value))?;
                    own.extend(quote!(let mut #keys = jq::Values::new(); #body));
                    quote!(Value::from(#keys))
                }
            };
            Ok((own, value))
        })?;
        let function = ident(name);
        let value = input.read().as_ref();
        self.loops = true;
        Ok(self.checked(quote!(jq::#function(#value, |#item| { #body Ok(#result) }))))
    }

    fn walk(&mut self, filter: &'p Term, scope: &JqScope<'p>, input: &Input) -> Res<JqCode> {
        let item = self.fresh("part");
        let (body, result) = self.in_closure(|emitter| {
            let mut own = TokenStream::new();
            let value = emitter.one(filter, scope, &Input::new(JqCode::local(&item)), &mut own)?.into_value();
            Ok((own, value))
        })?;
        let value = input.shared().read().into_value();
        self.loops = true;
        Ok(self.checked(quote!(jq::walk(#value, |#item| { #body Ok(#result) }))))
    }

    fn range(
        &mut self,
        arguments: &'p [Term],
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        let (from, upto, by) = match arguments {
            [upto] => (None, upto, None),
            [from, upto] => (Some(from), upto, None),
            [from, upto, by, ..] => (Some(from), upto, Some(by)),
            [] => return untranslated("`range` without an end"),
        };
        self.each_bound_of(from, scope, input, &mut |emitter, from| {
            emitter.each_bind(upto, scope, input, &mut |emitter, upto| {
                emitter.each_bound_of(by, scope, input, &mut |emitter, step| {
                    let from = match &from.literal {
                        Some(Literal::Null) if arguments.len() == 1 => quote!(&Value::Int(0)),
                        _ => from.as_ref(),
                    };
                    let upto = upto.as_ref();
                    let (number, tick) = (emitter.fresh("number"), emitter.tick());
                    let (all, checked) = match by {
                        Some(_) => {
                            let step = step.as_ref();
                            let checked = emitter.check(&quote!(#number));
                            (quote!(jq::steps(#from, #upto, #step)), quote!(let #number = #checked;))
                        }
                        None => (emitter.check(&quote!(jq::numbers(#from, #upto))), TokenStream::new()),
                    };
                    let body = then(emitter, JqCode::local(&number))?;
                    Ok(quote!(for #number in #all { #checked #tick #body }))
                })
            })
        })
    }

    /// Emits `recurse(next)` and `while(condition; next)`: each value before its successors.
    fn recurse(
        &mut self,
        condition: Option<&'p Term>,
        next: &'p Term,
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        let (pending, item) = (self.fresh("pending"), self.fresh("item"));
        let init = input.read().into_value();
        let tick = self.tick();
        let inner = Input { code: JqCode::local(&item), last: false };
        let mut own = TokenStream::new();
        if let Some(condition) = condition {
            if !self.is_one(condition, scope) {
                return untranslated("`while` with a condition that has several results");
            }
            let test = self.one(condition, scope, &inner, &mut own)?.into_negation().tokens;
            own.extend(quote!(if #test { continue; }));
        }
        let body = then(self, inner.read())?;
        let inside = self.fresh("inside");
        let children = self.each(next, scope, &inner, &mut |emitter, value| emitter.push(&inside, value))?;
        Ok(quote! {
            let mut #pending = ::std::vec![#init];
            while let Some(#item) = #pending.pop() {
                #tick
                #own
                #body
                let mut #inside = jq::Values::new();
                #children
                #pending.extend(#inside.into_iter().rev());
            }
        })
    }
}

fn constant(kind: TermKind) -> Term {
    Term { at: 0..0, kind, depth: 1 }
}

/// Returns `.`.
pub(super) fn identity() -> &'static Term {
    static IDENTITY: std::sync::LazyLock<Term> = std::sync::LazyLock::new(|| constant(TermKind::Identity));
    &IDENTITY
}

/// Returns `.[]`.
fn items() -> &'static Term {
    static ITEMS: std::sync::LazyLock<Term> =
        std::sync::LazyLock::new(|| constant(TermKind::Iterate(Box::new(constant(TermKind::Identity)), false)));
    &ITEMS
}

/// Returns `..`.
fn descend() -> &'static Term {
    static DESCEND: std::sync::LazyLock<Term> = std::sync::LazyLock::new(|| constant(TermKind::Descend));
    &DESCEND
}
