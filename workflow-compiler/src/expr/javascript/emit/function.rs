//! Emission of functions: that of a definition, and inner ones.

use super::Emitter;
use super::code::JsCode;
use crate::expr::javascript::ir::{Function, JsLocalId, Pattern, Type, Unit};
use crate::expr::javascript::walk;
use crate::expr::mentions::parameter;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

impl Emitter<'_> {
    /// Emits the function of a definition.
    pub(super) fn unit(&mut self, unit: &Unit, name: &Ident) -> TokenStream {
        let function = &unit.function;
        let mut before = self.hoisted(&function.body.declares);
        let argument = super::ident(&self.names.argument);
        let is_argument = |id: JsLocalId| self.names.argument_is == Some(id);
        let is_assigned = self.names.argument_is.is_some_and(|id| self.locals[id.0].assigned);
        let mutable = is_assigned.then(|| quote!(mut));
        if let Some(params) = unit.params.filter(|params| !is_argument(*params)) {
            before.extend(self.declare(params, JsCode::atom(quote!(#argument.clone()))));
        }
        match function.params.first() {
            Some(Pattern::Declare(id)) if self.names.argument_is == Some(*id) => {}
            Some(pattern @ (Pattern::Object { .. } | Pattern::Array { .. })) => {
                before.extend(self.destructure_ident(pattern, &argument));
            }
            Some(pattern) => before.extend(self.bind(pattern, JsCode::atom(quote!(#argument)))),
            None => {}
        }
        // Only the first parameter has an argument.
        let others: Vec<&Pattern> = function.params.iter().skip(1).filter(|other| !self.is_unused(other)).collect();
        for pattern in others {
            before.extend(self.bind(pattern, JsCode::atom(quote!(Js::Undefined))));
        }
        if let Some(rest) = &function.rest {
            let rest_value = match function.params.is_empty() {
                true => quote!(js::array([#argument])),
                false => quote!(js::array([])),
            };
            before.extend(self.bind(rest, JsCode::atom(rest_value)));
        }
        let body = self.function_body(function);
        let variables: Vec<Ident> = (0..self.names.variables.len()).map(|at| self.variable(at)).collect();
        let length = Literal::usize_unsuffixed(variables.len());
        let body = quote!(#before #body);
        let run = parameter(&super::ident("run"), &[&body]);
        let variables = variables.iter().map(|name| parameter(name, &[&body]));
        let argument = match mutable {
            Some(mutable) => quote!(#mutable #argument),
            None => parameter(&argument, &[&body]),
        };
        quote! {
            fn #name(#run: &js::Run, #argument: Js, [#(#variables),*]: [js::Var; #length]) -> js::Result { #body }
        }
    }

    /// Emits the statements of a function, the last of which yields its result.
    fn function_body(&mut self, function: &Function) -> TokenStream {
        let exits = std::mem::take(&mut self.exits);
        let later = std::mem::take(&mut self.assigned_later);
        let temporaries = std::mem::take(&mut self.temporaries);
        let captured = std::mem::replace(&mut self.captured, function.captures.clone());
        let body = self.statements_to_end(&function.body.statements);
        self.captured = captured;
        (self.exits, self.assigned_later, self.temporaries) = (exits, later, temporaries);
        body
    }

    /// Emits a function as a value.
    pub(super) fn function_value(&mut self, function: &Function) -> JsCode {
        let captures = self.captures(function);
        let closure = self.closure(function);
        match captures.is_empty() {
            true => JsCode::atom(closure),
            false => JsCode::block(quote!({ #captures #closure })),
        }
    }

    /// Emits a function expression that uses its own name.
    pub(super) fn named_function(&mut self, own: JsLocalId, function: &Function) -> JsCode {
        let name = self.name(own);
        let captures = self.captures(function);
        let closure = self.closure(function);
        let value = match captures.is_empty() {
            true => closure,
            false => quote!({ #captures #closure }),
        };
        JsCode::block(quote!({ let #name = js::Var::new(Js::Undefined); #name.set(#value); #name.get() }))
    }

    /// Emits clones of the captured values.
    fn captures(&self, function: &Function) -> TokenStream {
        let copied = |id: &&JsLocalId| !self.is_shared(**id) && self.locals[id.0].ty != Type::Any;
        let locals = function.captures.iter().filter(|id| !copied(id)).map(|id| self.name(*id));
        let variables = walk::variables_of(function).into_iter().map(|variable| self.variable(variable));
        let mut out: TokenStream = locals.chain(variables).map(|name| quote!(let #name = #name.clone();)).collect();
        if function.captures_this() {
            out.extend(quote!(let this = this.clone();));
        }
        out
    }

    /// Returns `true` if a parameter is a local that nothing mentions.
    fn is_unused(&self, param: &Pattern) -> bool {
        matches!(param, Pattern::Declare(id) if self.locals[id.0].is_unused())
    }

    fn closure(&mut self, function: &Function) -> TokenStream {
        let this_is_owned = std::mem::replace(&mut self.this_is_owned, function.captures_this());
        let later = std::mem::take(&mut self.assigned_later);
        let mut before = self.hoisted(&function.body.declares);
        let params = function.params.iter().enumerate().filter(|(_, pattern)| !self.is_unused(pattern));
        for (at, pattern) in params.collect::<Vec<_>>() {
            let at = Literal::usize_unsuffixed(at);
            before.extend(self.bind(pattern, JsCode::atom(quote!(js::argument(arguments, #at)))));
        }
        if let Some(rest) = &function.rest {
            let from = Literal::usize_unsuffixed(function.params.len());
            before.extend(self.bind(rest, JsCode::atom(quote!(js::rest_arguments(arguments, #from)))));
        }
        self.assigned_later = later;
        let body = self.function_body(function);
        self.this_is_owned = this_is_owned;
        let (name, length) = (&function.name, Literal::usize_unsuffixed(function.length));
        let this = if function.uses_this && !function.captures_this() { quote!(this) } else { quote!(_) };
        // Closures inside the body have arguments of their own.
        let arguments = parameter(&super::ident("arguments"), &[&before]);
        let body = quote!(#before #body);
        let run = parameter(&super::ident("run"), &[&body]);
        quote!(js::function(#name, #length, move |#run, #this, #arguments| { #body }))
    }
}
