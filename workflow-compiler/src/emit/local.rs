//! Emission of the names, types and bindings of locals.
//!
//! Types and bindings print themselves into the code around them, because each stream of tokens
//! between the two costs time.

use super::block::EmitContext;
use super::statics::Statics;
use crate::expr::LocalId;
use crate::model::LocalKind;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};

/// Returns the identifier of a local.
pub fn local_name(local: LocalId, cx: &EmitContext<'_>, statics: &Statics) -> Ident {
    statics.ident(&cx.names[&local])
}

/// The binding of a local, mutable if the local is edited in place.
pub struct Binding {
    mutable: Option<Ident>,
    name: Ident,
}

/// Returns the binding of a local.
pub fn binding(local: LocalId, is_edited: bool, cx: &EmitContext<'_>, statics: &Statics) -> Binding {
    Binding { mutable: is_edited.then(|| statics.ident("mut")), name: local_name(local, cx, statics) }
}

impl ToTokens for Binding {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.mutable.to_tokens(tokens);
        self.name.to_tokens(tokens);
    }
}

/// The type of a local.
pub struct LocalType(LocalKind);

impl LocalType {
    /// Returns the type of a local.
    pub fn of(local: LocalId, cx: &EmitContext<'_>) -> LocalType {
        LocalType(cx.module.machine.local(local).kind)
    }
}

impl ToTokens for LocalType {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let ident = |name| Ident::new(name, Span::call_site());
        match self.0 {
            LocalKind::Value => ident("Value").to_tokens(tokens),
            LocalKind::Variable => tokens.extend(quote!(Option<Value>)),
            LocalKind::Fault => ident("Fault").to_tokens(tokens),
            LocalKind::Retries => ident("Retries").to_tokens(tokens),
            LocalKind::BlockRetries => tokens.extend(quote!(rt::BlockRetries)),
        }
    }
}
