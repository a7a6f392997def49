//! Calls, and optional chains.

use super::Emitter;
use super::code::{Code, Level};
use crate::expr::javascript::globals::Builtin;
use crate::expr::javascript::ir::{Expr, Item, Key};
use proc_macro2::TokenStream;
use quote::quote;

impl Emitter<'_> {
    pub(super) fn call(&mut self, callee: &Expr, text: &str, args: &[Item]) -> Code {
        let callee = self.before(args.iter().map(Item::value), |cx| cx.reference(callee));
        let args = self.arguments(args);
        Code::atom(quote!(js::call(run, #callee, #text, #args)?))
    }

    pub(super) fn method(&mut self, object: &Expr, key: &Key, text: &str, args: &[Item]) -> Code {
        let values = || args.iter().map(Item::value);
        let reference = self.before(key.value().into_iter().chain(values()), |cx| cx.reference(object));
        let is_quiet = values().all(Expr::is_simple);
        match key {
            Key::Name(name) => {
                // What has no members is found out before the arguments are evaluated.
                let receiver = match is_quiet {
                    true => reference,
                    false => quote!(js::receiver(#reference, #name)?),
                };
                let args = self.arguments(args);
                Code::atom(quote!(js::call_method(run, #receiver, #name, #text, #args)?))
            }
            Key::Computed(key) => {
                let key = self.before(values(), |cx| cx.reference(key));
                let args = self.arguments(args);
                Code::atom(quote!(js::call_method_at(run, #reference, #key, #text, #args)?))
            }
        }
    }

    pub(super) fn builtin(&mut self, builtin: &Builtin, args: &[Item]) -> Code {
        let (function, args) = (super::ident(builtin.function), self.arguments(args));
        Code::atom(quote!(js::builtin::#function(run, #args)?))
    }

    /// A `&[Js]`.
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

    /// An optional chain: what is marked in it, and undefined or null, ends it.
    pub(super) fn chain(&mut self, chain: &Expr) -> Code {
        let mut chain = chain.clone();
        let Some(link) = innermost(&mut chain) else { return self.owned(&chain) };
        let Expr::Optional(base) = std::mem::replace(link, Expr::Undefined) else { return self.owned(&chain) };
        if self.is_repeatable(&base) {
            *link = (*base).clone();
            let test = self.is_nullish(&base).tokens;
            let rest = self.chain(&chain).tokens;
            return Code::block(quote!(if #test { Js::Undefined } else { #rest }));
        }
        *link = Expr::Temporary("it_");
        let base = self.owned(&base).at(Level::Block);
        let rest = self.chain(&chain).tokens;
        Code::block(quote!(match #base { it_ if it_.is_nullish() => Js::Undefined, it_ => #rest }))
    }
}

/// The mark in a chain that is reached first when it is evaluated.
fn innermost(chain: &mut Expr) -> Option<&mut Expr> {
    fn contains(chain: &Expr) -> bool {
        match chain {
            Expr::Optional(_) => true,
            Expr::Member(object, _) | Expr::Method { object, .. } => contains(object),
            Expr::Call { callee, .. } => contains(callee),
            _ => false,
        }
    }
    let mut at = chain;
    loop {
        let is_last = match at {
            Expr::Optional(inner) => !contains(inner),
            _ => false,
        };
        if is_last {
            return Some(at);
        }
        at = match at {
            Expr::Optional(inner) => inner,
            Expr::Member(object, _) | Expr::Method { object, .. } => object,
            Expr::Call { callee, .. } => callee,
            _ => return None,
        };
    }
}
