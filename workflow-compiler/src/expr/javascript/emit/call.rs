//! Emission of calls and optional chains.

use super::Emitter;
use super::code::{JsCode, Level};
use crate::expr::javascript::globals::{self, Builtin};
use crate::expr::javascript::ir::{Expr, Item, MemberKey};
use crate::expr::javascript::walk;
use proc_macro2::TokenStream;
use quote::quote;

impl Emitter<'_> {
    pub(super) fn call(&mut self, callee: &Expr, text: &str, args: &[Item]) -> JsCode {
        let callee = self.before(args.iter().map(Item::value), |cx| cx.reference(callee));
        let args = self.arguments(args);
        JsCode::atom(quote!(js::call(run, #callee, #text, #args)?))
    }

    pub(super) fn method(&mut self, object: &Expr, key: &MemberKey, text: &str, args: &[Item]) -> JsCode {
        let values = || args.iter().map(Item::value);
        let is_built_in = matches!(key, MemberKey::Name(name) if globals::is_method(name));
        if !is_built_in && values().any(walk::may_change_members) {
            return self.method_read_first(object, key, text, args);
        }
        let reference = self.before(key.value().into_iter().chain(values()), |cx| cx.reference(object));
        let is_quiet = values().all(Expr::is_simple);
        match key {
            MemberKey::Name(name) => {
                // A receiver without members fails before the arguments are evaluated.
                let receiver = match is_quiet {
                    true => reference,
                    false => quote!(js::receiver(#reference, #name)?),
                };
                let args = self.arguments(args);
                JsCode::atom(quote!(js::call_method(run, #receiver, #name, #text, #args)?))
            }
            MemberKey::Computed(key) => {
                let key = self.before(values(), |cx| cx.reference(key));
                let args = self.arguments(args);
                JsCode::atom(quote!(js::call_method_at(run, #reference, #key, #text, #args)?))
            }
        }
    }

    /// Emits a call of a method that is read before the arguments are evaluated, because they
    /// could change it.
    fn method_read_first(&mut self, object: &Expr, key: &MemberKey, text: &str, args: &[Item]) -> JsCode {
        let (before, this) = self.before(args.iter().map(Item::value), |cx| cx.held_object(object, key, None));
        let method = self.get(&this, key);
        let call = self.call_of(&Expr::Temporary("method_"), &this, text, args).tokens;
        JsCode::block(quote!({ #before let method_ = #method; #call }))
    }

    /// Emits a call of a function that was read from an object.
    pub(super) fn call_of(&mut self, callee: &Expr, this: &Expr, text: &str, args: &[Item]) -> JsCode {
        let values = || args.iter().map(Item::value);
        let callee = self.before(values(), |cx| cx.reference(callee));
        let this = self.before(values(), |cx| cx.reference(this));
        let args = self.arguments(args);
        JsCode::atom(quote!(js::call_with(run, #callee, #this, #text, #args)?))
    }

    pub(super) fn builtin(&mut self, builtin: &Builtin, args: &[Item]) -> JsCode {
        let (function, args) = (super::ident(builtin.function.trim_start_matches("js::builtin::")), self.arguments(args));
        JsCode::atom(quote!(js::builtin::#function(run, #args)?))
    }

    /// Emits arguments as a `&[Js]`.
    pub(super) fn arguments(&mut self, args: &[Item]) -> TokenStream {
        if args.iter().any(|arg| matches!(arg, Item::Spread(_))) {
            let list = self.array(args).tokens;
            return quote!(&js::iterate(&#list)?);
        }
        let mut values = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            let later = args[at + 1..].iter().map(Item::value);
            values.push(self.before(later, |cx| cx.owned(arg.value())).tokens);
        }
        quote!(&[#(#values),*])
    }

    /// Emits an optional chain. A marked link that is undefined or null ends it.
    pub(super) fn chain(&mut self, chain: &Expr) -> JsCode {
        let mut chain = chain.clone();
        // A `delete` in an ended chain deletes nothing and yields `true`.
        let end = if matches!(chain, Expr::Delete(..)) { quote!(Js::Bool(true)) } else { quote!(Js::Undefined) };
        let Some(link) = innermost(&mut chain) else { return self.owned(&chain) };
        match std::mem::replace(link, Expr::Undefined) {
            Expr::Optional(base) if self.is_repeatable(&base) => {
                *link = (*base).clone();
                let test = self.is_nullish(&base).tokens;
                let rest = self.chain(&chain).tokens;
                JsCode::block(quote!(if #test { #end } else { #rest }))
            }
            Expr::Optional(base) => {
                *link = Expr::Temporary("it_");
                let base = self.owned(&base).at(Level::Block);
                let rest = self.chain(&chain).tokens;
                JsCode::block(quote!(match #base { it_ if it_.is_nullish() => #end, it_ => #rest }))
            }
            Expr::OptionalMethod { object, key, text, args } => {
                let values = args.iter().map(Item::value);
                let (before, this) = self.before(values, |cx| cx.held_object(&object, &key, None));
                let method = self.get(&this, &key);
                let callee = Box::new(Expr::Temporary("method_"));
                *link = Expr::CallOf { callee, this: Box::new(this), text, args };
                let rest = self.chain(&chain).tokens;
                let code = quote!(match #method { method_ if method_.is_nullish() => #end, method_ => #rest });
                JsCode::block(if before.is_empty() { code } else { quote!({ #before #code }) })
            }
            other => {
                *link = other;
                self.owned(&chain)
            }
        }
    }
}

/// Returns the object or callee that a link continues.
fn continued(part: &Expr) -> Option<&Expr> {
    match part {
        Expr::Optional(inner) | Expr::ConstructorName(inner) => Some(inner),
        Expr::Member(object, _) | Expr::Delete(object, _) => Some(object),
        Expr::Method { object, .. } | Expr::OptionalMethod { object, .. } => Some(object),
        Expr::Call { callee, .. } => Some(callee),
        _ => None,
    }
}

/// Returns the mark that evaluation reaches first.
fn innermost(chain: &mut Expr) -> Option<&mut Expr> {
    let is_mark = |part: &Expr| matches!(part, Expr::Optional(_) | Expr::OptionalMethod { .. });
    let contains = |part: &Expr| std::iter::successors(continued(part), |part| continued(part)).any(is_mark);
    let mut at = chain;
    loop {
        if is_mark(at) && !contains(at) {
            return Some(at);
        }
        at = match at {
            Expr::Optional(inner) | Expr::ConstructorName(inner) => inner,
            Expr::Member(object, _) | Expr::Delete(object, _) => object,
            Expr::Method { object, .. } | Expr::OptionalMethod { object, .. } => object,
            Expr::Call { callee, .. } => callee,
            _ => return None,
        };
    }
}
