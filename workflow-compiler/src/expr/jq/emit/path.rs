//! Emission of paths: the locations that a filter takes its values from.

use super::code::{JqCode, LabelIdent};
use super::one::hint;
use super::scope::{Found, JqScope};
use super::{Emitter, Input, Res, Then, untranslated};
use crate::expr::Literal;
use crate::expr::jq::ast::{Binary, Term, TermKind};
use crate::expr::jq::builtins::{self, Builtin};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// A location in a value.
#[derive(Debug, Clone)]
pub(super) struct JqPlace {
    /// A list of keys that begins the path and is known only at run time.
    base: Option<Ident>,
    /// The subsequent keys.
    keys: Vec<JqCode>,
    /// The value at the location.
    value: JqCode,
    /// The value at the location, if a filter has computed `value`. The two must be equal when the
    /// path continues or ends.
    left: Option<JqCode>,
}

/// A continuation that takes a location.
type At<'k, 'p> = &'k mut dyn FnMut(&mut Emitter<'p>, JqPlace) -> Res<TokenStream>;

impl JqPlace {
    fn root(value: JqCode) -> JqPlace {
        JqPlace { base: None, keys: Vec::new(), value, left: None }
    }

    fn step(&self, key: JqCode, value: JqCode) -> JqPlace {
        let mut keys = self.keys.clone();
        keys.push(key);
        JqPlace { base: self.base.clone(), keys, value, left: None }
    }

    fn input(&self) -> Input {
        Input { code: self.value.clone(), last: false }
    }

    /// Returns the path as a `Value`.
    fn path(&self) -> TokenStream {
        let keys: Vec<TokenStream> = self.keys.iter().map(|key| key.clone().into_value()).collect();
        match &self.base {
            None => quote!(rt::array([#(#keys),*])),
            Some(base) if keys.is_empty() => quote!(#base.clone()),
            Some(base) => quote!(jq::join_path(&#base, [#(#keys),*])),
        }
    }
}

impl<'p> Emitter<'p> {
    /// Emits `path(term)` as an expression, where possible.
    pub(super) fn one_path(
        &mut self,
        term: &'p Term,
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<JqCode> {
        let mut result = None;
        let written = self.each_path(term, scope, input, &mut |_, place| {
            result = Some(JqCode::owned(place.path()));
            Ok(TokenStream::new())
        })?;
        // The names of a block are not visible after it.
        let path = match result {
            Some(path) if !has_blocks(&written) => {
                before.extend(written);
                return Ok(path.failing(true));
            }
            _ => self.fresh("path"),
        };
        let written = self.each_path(term, scope, input, &mut |_, place| {
            let value = place.path();
            Ok(quote!(#path = #value;))
        })?;
        before.extend(quote!(let mut #path = Value::Null; #written));
        Ok(JqCode::local(&path).moved())
    }

    /// Emits `path(term)`.
    pub(super) fn each_path_value(
        &mut self,
        term: &'p Term,
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        self.each_path(term, scope, input, &mut |emitter, place| then(emitter, JqCode::owned(place.path())))
    }

    /// Emits the paths of a term, as a list of `Value`s.
    pub(super) fn all_paths(
        &mut self,
        term: &'p Term,
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<Ident> {
        let paths = self.fresh("paths");
        let body = self.each_path(term, scope, input, &mut |_, place| {
            let path = place.path();
            Ok(quote!(#paths.push(#path);))
        })?;
        before.extend(quote!(let mut #paths = jq::Values::new(); #body));
        Ok(paths)
    }

    fn each_path(&mut self, term: &'p Term, scope: &JqScope<'p>, input: &Input, then: At<'_, 'p>) -> Res<TokenStream> {
        let mut before = TokenStream::new();
        let value = self.lasting(input.shared().read(), "input", &mut before);
        let written = self.places(term, scope, &JqPlace::root(value), &mut |emitter, place| {
            let (check, place) = emitter.settled(place);
            let rest = then(emitter, place)?;
            Ok(quote!(#check #rest))
        })?;
        Ok(quote!(#before #written))
    }

    /// Returns the location from which a path continues, and the test that it is a location.
    fn settled(&mut self, place: JqPlace) -> (TokenStream, JqPlace) {
        let Some(left) = &place.left else { return (TokenStream::new(), place) };
        let (there, value) = (left.as_ref(), place.value.as_ref());
        let check = match place.value.literal {
            Some(Literal::Int(_) | Literal::Float(_)) => self.check(&quote!(jq::no_place(#value))),
            _ => self.check(&quote!(jq::same_place(#there, #value))),
        };
        (quote!(#check;), JqPlace { left: None, ..place })
    }

    fn places(&mut self, term: &'p Term, scope: &JqScope<'p>, at: &JqPlace, then: At<'_, 'p>) -> Res<TokenStream> {
        self.nest(|emitter| emitter.places_here(term, scope, at, then))
    }

    fn places_here(&mut self, term: &'p Term, scope: &JqScope<'p>, at: &JqPlace, then: At<'_, 'p>) -> Res<TokenStream> {
        match &term.kind {
            TermKind::Identity => then(self, at.clone()),
            TermKind::Descend => self.descend_places(at, then),
            TermKind::Pipe(parts) => self.pipe_places(parts, scope, at, then),
            TermKind::Comma(parts) => {
                let mut all = TokenStream::new();
                for part in parts {
                    let body = self.places(part, scope, at, then)?;
                    all.extend(super::code::enclosed(body));
                }
                Ok(all)
            }
            TermKind::Binary(Binary::Alternative, left, right) => self.alternative_places(left, right, scope, at, then),
            TermKind::Bind(source, patterns, body) => {
                let input = at.input();
                let [pattern] = &patterns[..] else { return untranslated("a path through `?//`") };
                self.each_bind(source, scope, &input, &mut |emitter, value| {
                    emitter.destructure(pattern, value, scope, scope, &input, &mut |emitter, inner| {
                        emitter.places(body, inner, at, then)
                    })
                })
            }
            TermKind::If(test, body, otherwise) => self.each(test, scope, &at.input(), &mut |emitter, value| {
                let test = value.into_test().tokens;
                let body = emitter.places(body, scope, at, then)?;
                let otherwise = match otherwise {
                    Some(otherwise) => emitter.places(otherwise, scope, at, then)?,
                    None => then(emitter, at.clone())?,
                };
                Ok(quote!(if #test { #body } else { #otherwise }))
            }),
            TermKind::Try(body, handler) => self.caught_places(body, handler.as_deref(), scope, at, then),
            TermKind::Label(name, body) => {
                let label = self.fresh_label(name);
                let inner = scope.label(name, self.target(&label));
                let body = self.places(body, &inner, at, then)?;
                Ok(quote!(#label: { #body }))
            }
            TermKind::Break(_) => self.each(term, scope, &at.input(), &mut |_, _| Ok(TokenStream::new())),
            TermKind::Define(definition, body) => {
                let inner = self.defining(definition, scope);
                self.places(body, &inner, at, then)
            }
            TermKind::Index(base, key, optional) => self.each_bind(key, scope, &at.input(), &mut |emitter, key| {
                emitter.places(base, scope, at, &mut |emitter, place| {
                    emitter.step(&place, &key, *optional, &hint(base), then)
                })
            }),
            TermKind::Slice(base, from, to, optional) => {
                let input = at.input();
                self.each_bound_of(from.as_deref(), scope, &input, &mut |emitter, from| {
                    emitter.each_bound_of(to.as_deref(), scope, &input, &mut |emitter, to| {
                        emitter.places(base, scope, at, &mut |emitter, place| {
                            emitter.slice_place(&place, &from, &to, *optional, then)
                        })
                    })
                })
            }
            TermKind::Iterate(base, optional) => {
                self.places(base, scope, at, &mut |emitter, place| emitter.iterate_places(&place, *optional, then))
            }
            TermKind::Reduce(..) | TermKind::Foreach(..) => untranslated("`reduce` or `foreach` as a path"),
            TermKind::Call(name, arguments) => self.call_places(name, arguments, scope, at, then),
            _ => self.no_place(term, scope, at, then),
        }
    }

    /// Emits a filter that computes a value. The value must be equal to the one at the location.
    fn no_place(&mut self, term: &'p Term, scope: &JqScope<'p>, at: &JqPlace, then: At<'_, 'p>) -> Res<TokenStream> {
        self.each(term, scope, &at.input(), &mut |emitter, value| {
            let mut before = TokenStream::new();
            let place = emitter.computed_place(at, value, &mut before);
            let rest = then(emitter, place)?;
            Ok(quote!(#before #rest))
        })
    }

    /// Returns the location of a computed value.
    fn computed_place(&mut self, at: &JqPlace, value: JqCode, before: &mut TokenStream) -> JqPlace {
        let literal = value.literal.clone();
        let value = JqCode { literal, ..self.lasting(value, "made", before) };
        let left = at.left.clone().unwrap_or_else(|| at.value.clone());
        JqPlace { value, left: Some(left), ..at.clone() }
    }

    fn pipe_places(
        &mut self,
        parts: &'p [Term],
        scope: &JqScope<'p>,
        at: &JqPlace,
        then: At<'_, 'p>,
    ) -> Res<TokenStream> {
        let Some((first, rest)) = parts.split_first() else { return then(self, at.clone()) };
        self.places(first, scope, at, &mut |emitter, place| match rest {
            [] => then(emitter, place),
            _ => emitter.nest(|emitter| emitter.pipe_places(rest, scope, &place, then)),
        })
    }

    fn step(
        &mut self,
        place: &JqPlace,
        key: &JqCode,
        optional: bool,
        hint: &str,
        then: At<'_, 'p>,
    ) -> Res<TokenStream> {
        let (mut before, place) = self.settled(place.clone());
        let found = self.index_of(place.value.clone(), key, hint, &mut before);
        let name = match &key.literal {
            Some(Literal::String(key)) if !key.is_empty() => key.clone(),
            _ => "item".to_owned(),
        };
        let rest = self.optional(found, optional, &name, &mut |emitter, value| {
            let mut own = TokenStream::new();
            let value = emitter.bind(value, &name, &mut own);
            let rest = then(emitter, place.step(key.clone(), value))?;
            Ok(quote!(#own #rest))
        })?;
        Ok(quote!(#before #rest))
    }

    fn slice_place(
        &mut self,
        place: &JqPlace,
        from: &JqCode,
        to: &JqCode,
        optional: bool,
        then: At<'_, 'p>,
    ) -> Res<TokenStream> {
        let (check, place) = self.settled(place.clone());
        let (value, start, end) = (place.value.as_ref(), from.as_ref(), to.as_ref());
        let part = JqCode::owned(quote!(jq::slice(#value, #start, #end)));
        let (start, end) = (from.clone().into_value(), to.clone().into_value());
        let key = JqCode::owned(quote!(rt::object([("start", #start), ("end", #end)])));
        let rest = self.optional(part, optional, "part", &mut |emitter, value| {
            let mut own = TokenStream::new();
            let value = emitter.bind(value, "part", &mut own);
            let key = emitter.bind(key.clone(), "range", &mut own);
            let rest = then(emitter, place.step(key, value))?;
            Ok(quote!(#own #rest))
        })?;
        Ok(quote!(#check #rest))
    }

    fn iterate_places(&mut self, place: &JqPlace, optional: bool, then: At<'_, 'p>) -> Res<TokenStream> {
        let (check, place) = self.settled(place.clone());
        let value = place.value.as_ref();
        let entries = quote!(jq::entries(#value));
        let entries = match optional {
            true => quote!(#entries.into_iter().flatten()),
            false => self.check(&entries),
        };
        let (key, item) = (self.fresh("key"), self.fresh("item"));
        let tick = self.tick();
        let rest = then(self, place.step(JqCode::local(&key), JqCode::reference(quote!(#item))))?;
        Ok(quote!(#check for (#key, #item) in #entries { #tick #rest }))
    }

    /// Binds the path of a location to a name.
    fn based(&mut self, at: &JqPlace, before: &mut TokenStream) -> TokenStream {
        match (&at.base, at.keys.is_empty()) {
            (None, true) => quote!(&rt::array([])),
            (Some(base), true) => quote!(&#base),
            _ => {
                let name = self.fresh("path");
                let path = at.path();
                before.extend(quote!(let #name = #path;));
                quote!(&#name)
            }
        }
    }

    fn descend_places(&mut self, at: &JqPlace, then: At<'_, 'p>) -> Res<TokenStream> {
        let (mut before, at) = self.settled(at.clone());
        let at = &at;
        let base = self.based(at, &mut before);
        let value = at.value.as_ref();
        let (path, item) = (self.fresh("path"), self.fresh("item"));
        let tick = self.tick();
        let place =
            JqPlace { base: Some(path.clone()), keys: Vec::new(), value: JqCode::reference(quote!(#item)), left: None };
        let rest = then(self, place)?;
        Ok(quote!(#before for (#path, #item) in jq::descend_paths(#base, #value) { #tick #rest }))
    }

    fn alternative_places(
        &mut self,
        left: &'p Term,
        right: &'p Term,
        scope: &JqScope<'p>,
        at: &JqPlace,
        then: At<'_, 'p>,
    ) -> Res<TokenStream> {
        let found = self.fresh("any_found");
        let all = self.places(left, scope, at, &mut |emitter, place| {
            let test = place.value.clone().into_test().tokens;
            let body = then(emitter, place)?;
            Ok(quote!(if #test { #found = true; #body }))
        })?;
        let otherwise = self.places(right, scope, at, then)?;
        Ok(quote!(let mut #found = false; #all if !#found { #otherwise }))
    }

    fn caught_places(
        &mut self,
        body: &'p Term,
        handler: Option<&'p Term>,
        scope: &JqScope<'p>,
        at: &JqPlace,
        then: At<'_, 'p>,
    ) -> Res<TokenStream> {
        let label: LabelIdent = self.fresh_label("attempt");
        let outer = self.attempt.replace(label.clone());
        let written =
            self.places(body, scope, at, &mut |emitter, place| emitter.outside(&outer, |emitter| then(emitter, place)));
        self.attempt = outer;
        let written = written?;
        let failed = self.fresh("failed");
        let caught = self.check(&quote!(error.caught()));
        let (binding, handled) = match handler {
            None => (quote!(), TokenStream::new()),
            Some(handler) => {
                // A raised value has no location.
                let error = self.fresh("raised");
                let input = Input::new(JqCode::local(&error));
                let handled = self.each(handler, scope, &input, &mut |emitter, value| {
                    let mut before = TokenStream::new();
                    let place = emitter.computed_place(at, value, &mut before);
                    let rest = then(emitter, place)?;
                    Ok(quote!(#before #rest))
                })?;
                (quote!(let #error =), handled)
            }
        };
        Ok(quote! {
            let #failed: Option<jq::Error> = #label: { #written None };
            if let Some(error) = #failed { #binding #caught; #handled }
        })
    }

    fn call_places(
        &mut self,
        name: &'p str,
        arguments: &'p [Term],
        scope: &JqScope<'p>,
        at: &JqPlace,
        then: At<'_, 'p>,
    ) -> Res<TokenStream> {
        let found = match scope.find_function(name, arguments.len()) {
            Some(Found::Argument(term, scope)) => return self.places(term, &scope, at, then),
            Some(Found::Function(definition, outer)) => Some((definition, outer)),
            None => match builtins::find(name, arguments.len()) {
                Some(Builtin::Defined(definition)) => Some((definition, JqScope::default())),
                _ => None,
            },
        };
        if let Some((definition, outer)) = found {
            return self.each_value(definition, arguments, &outer, scope, &at.input(), &mut |emitter, inner| {
                emitter.places(&definition.body, inner, at, then)
            });
        }
        match (name, arguments) {
            ("empty", []) => Ok(TokenStream::new()),
            ("select", [test]) => self.each(test, scope, &at.input(), &mut |emitter, value| {
                let test = value.into_test().tokens;
                let body = then(emitter, at.clone())?;
                Ok(quote!(if #test { #body }))
            }),
            ("recurse", []) => self.descend_places(at, then),
            ("recurse", [next]) => self.recurse_places(next, scope, at, then),
            ("first", [term]) => {
                let label = self.fresh_label("first");
                let body = self.places(term, scope, at, &mut |emitter, place| {
                    let body = then(emitter, place)?;
                    Ok(quote!(#body break #label;))
                })?;
                Ok(quote!(#label: { #body }))
            }
            ("last", [term]) => {
                // Collected until all paths are known.
                let (path, item) = (self.fresh("path"), self.fresh("item"));
                let last = self.fresh("last");
                let all = self.places(term, scope, at, &mut |emitter, place| {
                    let (check, place) = emitter.settled(place);
                    let (path, value) = (place.path(), place.value.clone().into_value());
                    Ok(quote!(#check #last = Some((#path, #value));))
                })?;
                let place =
                    JqPlace { base: Some(path.clone()), keys: Vec::new(), value: JqCode::local(&item), left: None };
                let rest = then(self, place)?;
                Ok(quote!(let mut #last = None; #all if let Some((#path, #item)) = #last { #rest }))
            }
            ("limit", [count, term]) => self.each_bind(count, scope, &at.input(), &mut |emitter, count| {
                emitter.limited(&count, "limit", &mut |emitter, left, label| {
                    emitter.places(term, scope, at, &mut |emitter, place| {
                        let body = then(emitter, place)?;
                        emitter.counted(left, label, body)
                    })
                })
            }),
            ("skip", [count, term]) => self.each_bind(count, scope, &at.input(), &mut |emitter, count| {
                emitter.skipping(&count, &mut |emitter, left| {
                    emitter.places(term, scope, at, &mut |emitter, place| {
                        // A fallible value fails here, too. It does not matter then that it is not
                        // a path.
                        let tokens = &place.value.tokens;
                        let evaluated = place.value.fails.then(|| quote!(let _ = #tokens;));
                        let body = then(emitter, place)?;
                        Ok(quote!(if #left > 0 { #left -= 1; #evaluated } else { #body }))
                    })
                })
            }),
            ("getpath", [path]) => self.each_bind(path, scope, &at.input(), &mut |emitter, path| {
                let (mut before, at) = emitter.settled(at.clone());
                let base = emitter.based(&at, &mut before);
                let (name, item) = (emitter.fresh("path"), emitter.fresh("item"));
                let (value, path) = (at.value.as_ref(), path.as_ref());
                let found = emitter.check(&quote!(jq::getpath(#value, #path)));
                let joined = emitter.check(&quote!(jq::join_paths(#base, #path)));
                let place =
                    JqPlace { base: Some(name.clone()), keys: Vec::new(), value: JqCode::local(&item), left: None };
                let rest = then(emitter, place)?;
                Ok(quote!(#before let #item = #found; let #name = #joined; #rest))
            }),
            ("until" | "while" | "repeat", _) => untranslated(format!("`{name}` as a path")),
            _ => self.no_call_place(name, arguments, scope, at, then),
        }
    }

    /// Does the same as [`Emitter::no_place`] for the values of a call.
    fn no_call_place(
        &mut self,
        name: &'p str,
        arguments: &'p [Term],
        scope: &JqScope<'p>,
        at: &JqPlace,
        then: At<'_, 'p>,
    ) -> Res<TokenStream> {
        let input = at.input();
        let mut check = |emitter: &mut Self, value: JqCode| {
            let mut before = TokenStream::new();
            let place = emitter.computed_place(at, value, &mut before);
            let rest = then(emitter, place)?;
            Ok(quote!(#before #rest))
        };
        match self.call_is_one(name, arguments, scope) {
            true => {
                let mut before = TokenStream::new();
                let value = self.call(name, arguments, scope, &input, &mut before)?;
                before.extend(check(self, value)?);
                Ok(before)
            }
            false => self.each_call(name, arguments, scope, &input, &mut check),
        }
    }

    fn recurse_places(
        &mut self,
        next: &'p Term,
        scope: &JqScope<'p>,
        at: &JqPlace,
        then: At<'_, 'p>,
    ) -> Res<TokenStream> {
        let (mut before, at) = self.settled(at.clone());
        let at = &at;
        let base = self.based(at, &mut before);
        let (pending, path, item) = (self.fresh("pending"), self.fresh("path"), self.fresh("item"));
        let inside = self.fresh("inside");
        let value = at.value.clone().into_value();
        let tick = self.tick();
        let place = JqPlace { base: Some(path.clone()), keys: Vec::new(), value: JqCode::local(&item), left: None };
        let body = then(self, place.clone())?;
        let children = self.places(next, scope, &place, &mut |_, place| {
            let (path, value) = (place.path(), place.value.clone().into_value());
            Ok(quote!(#inside.push((#path, #value));))
        })?;
        Ok(quote! {
            #before
            let mut #pending = ::std::vec![((#base).clone(), #value)];
            while let Some((#path, #item)) = #pending.pop() {
                #tick
                #body
                let mut #inside = jq::Places::new();
                #children
                #pending.extend(#inside.into_iter().rev());
            }
        })
    }
}

/// Returns `true` if the statements bind names inside blocks.
fn has_blocks(tokens: &TokenStream) -> bool {
    let is_brace = |token: &proc_macro2::TokenTree| matches!(token, proc_macro2::TokenTree::Group(group) if group.delimiter() == proc_macro2::Delimiter::Brace);
    tokens.clone().into_iter().any(|token| is_brace(&token))
}
