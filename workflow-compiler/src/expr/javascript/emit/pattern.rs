//! Emission of destructuring patterns.

use super::Emitter;
use super::code::{JsCode, Level};
use crate::expr::javascript::ir::{DeclarationKind, Expr, JsLocalId, MemberKey, Pattern, PlaceExpr, Type};
use crate::expr::javascript::walk;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

impl Emitter<'_> {
    /// Destructures a value, as statements.
    pub(super) fn bind_value(&mut self, pattern: &Pattern, value: &Expr) -> TokenStream {
        match (pattern, value) {
            (Pattern::Declare(id), _) if !self.is_shared(*id) => {
                let value = self.of_type(value, self.locals[id.0].ty);
                self.declare(*id, value)
            }
            // A local that is not modified needs no copy.
            (Pattern::Object { .. } | Pattern::Array { .. }, Expr::Local(id))
                if self.is_plain(*id) && !self.rebinds(pattern, *id) =>
            {
                let name = self.name(*id);
                self.destructure_ident(pattern, &name)
            }
            _ => {
                let value = self.owned(value);
                self.bind(pattern, value)
            }
        }
    }

    /// Returns `true` if a pattern assigns a local while its value is still needed.
    fn rebinds(&self, pattern: &Pattern, id: JsLocalId) -> bool {
        walk::bound_by(pattern).contains(&id)
    }

    /// Destructures a `Js`, as statements.
    pub(super) fn bind(&mut self, pattern: &Pattern, value: JsCode) -> TokenStream {
        match pattern {
            Pattern::Declare(id) => self.declare(*id, value),
            Pattern::Assign(place) => self.assign_code(place, value),
            Pattern::Default(inner, default) => {
                let name = match &**inner {
                    Pattern::Declare(id) => self.name(*id),
                    _ => super::ident("value_"),
                };
                let (value, default) = (value.at(Level::Block), self.owned(default).tokens);
                self.bind(inner, JsCode::block(quote!(match #value { Js::Undefined => #default, #name => #name })))
            }
            Pattern::Object { .. } | Pattern::Array { .. } => {
                if let Some(name) = value.name() {
                    return self.destructure_ident(pattern, &name);
                }
                self.temporaries += 1;
                let name = super::ident(&match self.temporaries {
                    1 => "whole_".to_owned(),
                    more => format!("whole_{more}_"),
                });
                let value = value.tokens;
                let parts = self.destructure_ident(pattern, &name);
                self.temporaries -= 1;
                quote!(let #name = #value; #parts)
            }
        }
    }

    /// Destructures a named `Js`, as statements.
    pub(super) fn destructure_ident(&mut self, pattern: &Pattern, whole: &Ident) -> TokenStream {
        let mut out = TokenStream::new();
        match pattern {
            Pattern::Object { members, rest } => {
                // Destructuring undefined or null is an error, also with an empty pattern.
                if !matches!(members.first(), Some((MemberKey::Name(_), _))) {
                    out.extend(quote!(js::rest_of(&#whole, &[])?;));
                }
                let (mut names, known) = (Vec::new(), self.temporaries);
                for (key, inner) in members {
                    let value = match key {
                        MemberKey::Name(name) => {
                            names.push(quote!(#name));
                            quote!(js::get(&#whole, #name)?)
                        }
                        // The rest does not include the member.
                        MemberKey::Computed(key) if rest.is_some() => {
                            let key = self.reference(key);
                            self.temporaries += 1;
                            let name = super::ident(&format!("key_{}_", self.temporaries));
                            out.extend(quote!(let #name = js::property_key(#key)?;));
                            names.push(quote!(#name.as_str()));
                            quote!(js::get(&#whole, #name.as_str())?)
                        }
                        MemberKey::Computed(key) => {
                            let key = self.reference(key);
                            quote!(js::get_at(&#whole, #key)?)
                        }
                    };
                    out.extend(self.bind(inner, JsCode::atom(value)));
                }
                if let Some(rest) = rest {
                    out.extend(self.bind(rest, JsCode::atom(quote!(js::rest_of(&#whole, &[#(#names),*])?))));
                }
                self.temporaries = known;
            }
            Pattern::Array { items, rest } => {
                self.temporaries += 1;
                let list = super::ident(&match self.temporaries {
                    1 => "items_".to_owned(),
                    more => format!("items_{more}_"),
                });
                out.extend(quote!(let #list = js::iterate(&#whole)?;));
                for (at, item) in items.iter().enumerate() {
                    let Some(item) = item else { continue };
                    let at = Literal::usize_unsuffixed(at);
                    out.extend(self.bind(item, JsCode::atom(quote!(js::argument(&#list, #at)))));
                }
                if let Some(rest) = rest {
                    let from = Literal::usize_unsuffixed(items.len());
                    out.extend(self.bind(rest, JsCode::atom(quote!(js::rest_arguments(&#list, #from)))));
                }
                self.temporaries -= 1;
            }
            other => out.extend(self.bind(other, JsCode::atom(quote!(#whole.clone())))),
        }
        out
    }

    /// Declares a local with a value: a `Js`, or the Rust value of its type.
    pub(super) fn declare(&mut self, id: JsLocalId, value: JsCode) -> TokenStream {
        let (name, local) = (self.name(id), &self.locals[id.0]);
        let value = value.tokens;
        if local.is_unused() {
            return quote!(let _ = #value;);
        }
        match (local.is_shared(), local.hoisted) {
            (true, true) => quote!(#name.set(#value);),
            (true, false) if self.rebound.contains(&id) => quote!(let mut #name = js::Var::new(#value);),
            (true, false) => quote!(let #name = js::Var::new(#value);),
            (false, true) => quote!(#name = #value;),
            (false, false) if local.assigned => quote!(let mut #name = #value;),
            (false, false) => quote!(let #name = #value;),
        }
    }

    /// Declares a local without a value.
    pub(super) fn declare_empty(&mut self, id: JsLocalId) -> TokenStream {
        let local = &self.locals[id.0];
        if local.hoisted && local.kind == DeclarationKind::Var {
            return TokenStream::new();
        }
        self.declare(id, JsCode::atom(quote!(Js::Undefined)))
    }

    /// Declares the locals of a block that are mentioned before their declarations.
    pub(super) fn hoisted(&mut self, declares: &[JsLocalId]) -> TokenStream {
        let mut out = TokenStream::new();
        for id in declares {
            let local = &self.locals[id.0];
            if local.hoisted {
                let name = self.name(*id);
                out.extend(match local.is_shared() {
                    true => quote!(let #name = js::Var::new(Js::Undefined);),
                    false => quote!(let mut #name = Js::Undefined;),
                });
            }
        }
        out
    }

    /// Assigns a `Js`, as a statement.
    fn assign_code(&mut self, place: &PlaceExpr, value: JsCode) -> TokenStream {
        let (operand, value) = (value.clone().at(Level::Block), value.tokens);
        match place {
            PlaceExpr::Local(id) => {
                let name = self.name(*id);
                match (self.is_shared(*id), self.locals[id.0].ty) {
                    (true, _) => quote!(#name.set(#value);),
                    (false, Type::Number) => quote!(#name = js::number(&#operand)?;),
                    (false, Type::Bool) => quote!(#name = js::truthy(&#operand);),
                    (false, _) => quote!(#name = #value;),
                }
            }
            PlaceExpr::Variable(variable) => {
                let name = self.variable(*variable);
                quote!(#name.set(#value);)
            }
            PlaceExpr::Free(name) => quote!({ #value; return Err(js::reference_error(#name)); }),
            PlaceExpr::Constant(id) => {
                let name = &self.locals[id.0].name;
                quote!({ #value; return Err(js::constant_assignment(#name)); })
            }
            PlaceExpr::Member(object, MemberKey::Name(name)) => {
                let object = self.reference(object);
                quote!(js::set(#object, #name, #value)?;)
            }
            PlaceExpr::Member(object, MemberKey::Computed(key)) => {
                let (object, key) = (self.reference(object), self.reference(key));
                quote!(js::set_at(#object, #key, #value)?;)
            }
        }
    }
}
